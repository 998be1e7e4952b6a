//! The standard impact by itself, under every normal law, against the table and the closed forms.

use carom::base::{Args, Value};
use carom::impact::{Impact, ImpactError, length};
use carom::law::impact::StandardImpact;
use carom::law::normal::{self, NormalEntry};
use carom::law::{Normal, Touch};
use serde_json::Value as Json;

const TOLERANCE: f64 = 1e-10;

fn table() -> Json {
    serde_json::from_str(include_str!("../../carom-law/tests/data/impact.json")).unwrap()
}

fn args(values: &[(&str, f64)]) -> Args {
    values.iter().fold(Args::new(), |args, (name, x)| args.with(name, Value::Number(*x)))
}

/// In units of δ*, v₀ and their kin; the touch has others, which must not matter.
fn compare(law: &dyn Normal, touch: &Touch, row: &Json, end: &Json, what: &str) {
    let impact = Impact::of(law, touch).unwrap();
    let (l, v0) = (length(law, touch), touch.v0);
    let close = |got: f64, row: &Json, key: &str| {
        let Some(expected) = row[key].as_f64() else { return };
        assert!((got - expected).abs() <= TOLERANCE * expected, "{what} {key}: {got} is not {expected}");
    };
    close(impact.max_indentation / l, row, "max_indentation");
    close(impact.peak_force * l / (touch.mass * v0 * v0), row, "peak_force");
    close(impact.compression * v0 / l, row, "compression");
    close(impact.duration * v0 / l, end, "duration");
    close(impact.restitution, end, "restitution");
}

fn touch(stiffness: f64) -> Touch {
    Touch::point(stiffness, 2.0, 0.3)
}

#[test]
fn the_family_and_the_elastic_ones() {
    let table = table();
    let mut count = 0;
    for (law, rows) in table["family"].as_object().unwrap() {
        let entry = normal::find(law).unwrap();
        for (c, row) in rows.as_object().unwrap() {
            let law = entry.make(&args(&[("restitution", c.parse().unwrap())])).unwrap();
            compare(&*law, &touch(3e7), row, row, &format!("{} {c}", law.name()));
            count += 1;
        }
    }
    for (n, row) in table["elastic"].as_object().unwrap() {
        let args = args(&[("exponent", n.parse().unwrap()), ("stiffness", 4e6)]);
        compare(&*normal::find("hertz").unwrap().make(&args).unwrap(), &touch(4e6), row, row, n);
        count += 1;
    }
    // nine coefficients of every law of the family, three exponents
    assert_eq!(count, 9 * normal::ALL.iter().filter(|e| e.eta.is_some()).count() + 3);
}

/// Both ends of a contact.
#[test]
fn dashpots() {
    let table = table();
    let has = |entry: &NormalEntry, key: &str| entry.entry.params.iter().any(|p| p.name == key);
    for (name, rows) in table["dashpot"].as_object().unwrap() {
        let entry = normal::find(name).unwrap();
        for (key, row) in rows.as_object().unwrap() {
            // D in units of K δ*ⁿ⁻ᵖ/v₀: in those units, where they are 1
            let a = row["a"].as_f64().unwrap();
            let damping = if name == "kuwabara-kono" { a / 1.5 } else { a };
            let by_damping = args(&[("damping", damping), ("stiffness", 1.0)]);
            let unit = Touch::point(1.0, 1.0, 1.0);
            let mut given = vec![(by_damping, unit)];
            if has(entry, "restitution") {
                let by_restitution = args(&[("restitution", key.parse().unwrap()), ("stiffness", 5e6)]);
                given.push((by_restitution, touch(5e6)));
            }
            for ((args, touch), word) in given.iter().flat_map(|g| [(g, "force"), (g, "indentation")]) {
                let exit = args.clone().with("exit", Value::Text(word.to_owned()));
                let law = entry.make(if has(entry, "exit") { &exit } else { args }).unwrap();
                compare(&*law, touch, row, &row[word], &format!("{name} {key} {word}"));
            }
        }
    }
}

/// The path starts at touch, ends at release, and encloses the energy lost.
#[test]
fn the_loop_encloses_what_is_lost() {
    let touch = touch(3e7);
    // Simpson's rule misses a start as t^(3/2) by h^(5/2), one as t^(1/4) (a dashpot δ^(1/4)) by h^(5/4): about 3e-6 here
    for (name, key, value, to) in [("hu-guo", "restitution", 0.5, 1e-10), ("tsuji", "restitution", 0.8, 5e-6)]
    {
        let law = normal::find(name).unwrap().make(&args(&[(key, value)])).unwrap();
        let impact = Impact::of(&*law, &touch).unwrap();
        let path = impact.path(&*law, 20_001).unwrap();
        let (first, last) = (path.first().unwrap(), path.last().unwrap());
        assert!(first.t == 0.0 && first.delta.abs() < 1e-20);
        assert!((first.delta_dot - touch.v0).abs() < 1e-15);
        assert!((last.t - impact.duration).abs() < 1e-18);
        assert!((last.delta_dot + impact.restitution * touch.v0).abs() < 1e-12);
        // ∫ F δ̇ dt over equal times
        let h = last.t / (path.len() - 1) as f64;
        let power = |i: usize| path[i].f_n * path[i].delta_dot;
        let inner: f64 = (1..path.len() - 1).map(|i| if i % 2 == 1 { 4.0 } else { 2.0 } * power(i)).sum();
        let area = (power(0) + inner + power(path.len() - 1)) * h / 3.0;
        assert!(
            (area - impact.dissipated).abs() < to * impact.dissipated,
            "{name}: {area}, {}",
            impact.dissipated
        );
    }
}

#[test]
fn units_do_not_matter_and_nonsense_is_refused() {
    let law = normal::find("flores").unwrap().make(&args(&[("restitution", 0.2)])).unwrap();
    for (mass, v0, stiffness) in [(1e-9, 1e-4, 1e3), (1e6, 300.0, 1e12)] {
        let impact = Impact::of(&*law, &Touch::point(stiffness, v0, mass)).unwrap();
        let closed = StandardImpact { mass, v0, stiffness, exponent: 1.5, eta: 6.4 };
        for (a, b) in [
            (impact.restitution, closed.restitution()),
            (impact.max_indentation, closed.max_indentation()),
            (impact.peak_force, closed.peak_force()),
        ] {
            assert!((a / b - 1.0).abs() < 1e-10, "{a} {b}");
        }
    }
    for (mass, v0, stiffness) in [(0.0, 1.0, 1.0), (1.0, -1.0, 1.0), (1.0, 1.0, f64::NAN)] {
        let refused = Impact::of(&*law, &Touch::point(stiffness, v0, mass));
        assert!(matches!(refused, Err(ImpactError::NoImpact(_))));
    }
}
