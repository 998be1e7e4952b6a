//! `carom laws`: the list, the pages, and the comparisons.

use std::fs;

use crate::common::{Place, drawn, example};
use carom::law::{friction, normal, resistance};
use serde_json::Value;

/// The lines of a table of numbers: a name, and what follows.
fn numbers(text: &str) -> Vec<(String, Vec<f64>)> {
    let line = |line: &str| {
        let mut words = line.split_whitespace();
        let name = words.next()?.to_owned();
        let numbers: Option<Vec<f64>> = words.map(|w| w.parse().ok()).collect();
        numbers.filter(|n| !n.is_empty()).map(|n| (name, n))
    };
    text.lines().filter_map(line).collect()
}

#[test]
fn the_list_is_short_and_has_all() {
    let place = Place::new("laws-list");
    let list = place.carom(&["laws"]).done();
    let names = normal::ALL.iter().map(|l| l.name()).chain(friction::ALL.iter().map(|l| l.name()));
    let resisting = [resistance::ROLLING, resistance::SPINNING].into_iter().flatten();
    let names = names.chain(resisting.map(|l| l.name()));
    let count = names.inspect(|name| assert!(list.contains(&format!("\n    {name} ")), "{name}")).count();
    assert!(list.lines().count() < 2 * count, "{list}");
    assert!(list.lines().all(|l| l.chars().count() <= 101), "{list}");
    assert!(list.contains("\n  static and kinetic friction\n"), "{list}");
}

#[test]
fn every_law_has_a_page() {
    let place = Place::new("laws-pages");
    let normal = normal::ALL.iter().map(|l| (l.name(), l.reference));
    let friction = friction::ALL.iter().map(|l| (l.name(), l.reference));
    let resisting = [resistance::ROLLING, resistance::SPINNING].into_iter().flatten();
    let resisting = resisting.map(|l| (l.name(), l.reference));
    for (name, reference) in normal.chain(friction).chain(resisting) {
        let page = place.carom(&["laws", name]).done();
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(page.starts_with(&format!("{name} (")), "{page}");
        assert!(words(&page).contains(&words(reference.source)), "{page}");
        assert!(words(&page).contains(&words(reference.checked)), "{page}");
    }
    insta::assert_snapshot!(place.carom(&["laws", "ambrosio"]).done(), @r#"
    ambrosio (friction law): Coulomb friction with a dead band and a ramp

      F = −μ N c_d v/|v|, c_d = 0 up to v0, (|v|−v0)/(v1−v0) up to v1, then 1

      coefficient  coefficient of kinetic friction μ; 0 or greater; required
      v0 [m/s]     slip up to which there is no friction; 0 or greater; required
      v1 [m/s]     slip from which there is full friction; greater than 0; required

      holds    slip well above v1; continuous, with corners at v0 and v1
      at rest  no force up to the slip v0
      source   J. A. C. Ambrósio, in Virtual Nonlinear Multibody Systems, 2003
      checked  from general knowledge; not yet compared with the original
      example  friction = { law = "ambrosio", coefficient = 0.3, v0 = "0.1 mm/s", v1 = "1 mm/s" }
    "#);
    let err = place.carom(&["laws", "flors"]).failed(2);
    assert!(err.starts_with("error: no law is called `flors`; did you mean `flores`?\n"), "{err}");
}

/// The example of every law is one: it goes into a scene as it is.
#[test]
fn every_example_fits_a_scene() {
    let place = Place::new("laws-examples");
    let names = normal::ALL.iter().map(|l| l.name()).chain(friction::ALL.iter().map(|l| l.name()));
    let resisting = [resistance::ROLLING, resistance::SPINNING].into_iter().flatten();
    for name in names.chain(resisting.map(|l| l.name())) {
        let page = place.carom(&["laws", name]).done();
        // a name may be that of laws of several kinds
        let lines: Vec<&str> = page.lines().filter_map(|l| l.strip_prefix("  example  ")).collect();
        assert!(!lines.is_empty(), "{page}");
        for line in lines {
            let normal = if line.starts_with("normal") {
                ""
            } else {
                "normal = { law = \"hertz\", stiffness = 1e8 }\n"
            };
            let scene = fs::read_to_string(example("bouncing-ball.toml")).unwrap();
            let (before, _) = scene.split_once("normal = ").unwrap();
            fs::write(place.path("scene.toml"), format!("{before}{normal}{line}\n")).unwrap();
            let checked = place.carom(&["check", "scene.toml"]).done();
            assert!(checked.contains("all right"), "{name}: {checked}");
        }
    }
}

/// Against an independent table, to the digits that are printed.
#[test]
fn impacts_are_those_of_the_table() {
    let table: Value = serde_json::from_str(include_str!("../../carom-law/tests/data/impact.json")).unwrap();
    let place = Place::new("laws-impacts");
    for c in ["0.3", "0.7"] {
        let text = place.carom(&["laws", "--compare", c]).done();
        let rows = numbers(&text);
        assert_eq!(rows.len(), normal::ALL.len(), "{text}");
        for (name, got) in rows {
            let family = &table["family"][&name][c];
            let dashpot = &table["dashpot"][&name][c];
            let number = |row: &Value, key: &str| row[key].as_f64().unwrap();
            let (row, end) = match (family.is_object(), name.as_str()) {
                (true, _) => (family, family),
                (_, "hertz") => (&table["elastic"]["1.5"], &table["elastic"]["1.5"]),
                (_, "dmt") => {
                    assert!((got[0] - 1.0).abs() < 6e-6, "{name}");
                    continue;
                }
                // exactly c; in units of its own depth and force, with the flight out of the dent
                (_, "walton-braun") => {
                    let c: f64 = c.parse().unwrap();
                    let time = std::f64::consts::FRAC_PI_2 * (1.0 + c) + (1.0 - c * c) / c;
                    for (got, expected) in got.iter().zip([c, time, 1.0, 1.0, 1.0 - c * c]) {
                        assert!((got - expected).abs() < 5.1e-5, "{name} {c}: {got} is not {expected}");
                    }
                    continue;
                }
                // those have a key of their own, which gives c
                (
                    _,
                    "kuwabara-kono" | "ristow" | "elastic-foundation" | "foundation" | "thornton" | "stronge"
                    | "edinburgh" | "jkr" | "maugis-dugdale",
                ) => {
                    assert!((got[0] - c.parse::<f64>().unwrap()).abs() < 6e-6, "{name}");
                    continue;
                }
                _ => (dashpot, &dashpot["force"]),
            };
            let e = number(end, "restitution");
            let expected = [
                e,
                number(end, "duration"),
                number(row, "peak_force"),
                number(row, "max_indentation"),
                1.0 - e * e,
            ];
            for (got, expected) in got.iter().zip(expected) {
                assert!((got - expected).abs() < 5.1e-5, "{name} {c}: {got} is not {expected}");
            }
        }
    }
}

#[test]
fn impacts_in_units() {
    let place = Place::new("laws-units");
    let args = [
        "--mass",
        "0.1",
        "--speed",
        "2",
        "--stiffness",
        "1e8",
        "--law",
        "tsuji",
        "--law",
        "hertz",
        "--law",
        "ristow",
    ];
    let text = place.carom(&[&["laws", "--compare", "0.5"], &args[..]].concat()).done();
    insta::assert_snapshot!(text, @"
    100 g at 2 m/s onto K = 1e8 N/m^1.5, c = 0.5: δ* = 437 µm, F* = 915 N, t* = 219 µs

      law     restitution  duration [µs]  peak force [kN]  deepest [µm]  lost [mJ]
      hertz       1.00000       703.7021           1.0456      478.1762     0.0000
      tsuji       0.55028       626.7299           0.7902      376.5499   139.4377
      ristow      0.50000       614.1312           0.7267      356.0460   150.0000

      ristow with damping = 206.580018 N s/m, which gives 0.5 in this impact
    ");
    // what cannot be had is said
    let text = place.carom(&["laws", "--compare", "0"]).done();
    assert!(text.contains("left out: flores: `restitution` is 0; allowed: above 0, up to 1"), "{text}");
}

#[test]
fn friction_against_slip() {
    let place = Place::new("laws-slips");
    let text = place.carom(&["laws", "--compare-friction"]).done();
    let rows = numbers(&text);
    assert_eq!(rows.len(), friction::ALL.len(), "{text}");
    let row = |name: &str| rows.iter().find(|(n, _)| n == name).unwrap().1.clone();
    // slips of 0.01, 0.1, 0.5, 1, 2, 10, 1000 mm/s; μ = 0.3, k = 3000 s/m, v1 = 1 mm/s
    let slips = [1e-5, 1e-4, 5e-4, 1e-3, 2e-3, 1e-2, 1.0];
    for (got, v) in row("tanh").iter().zip(slips) {
        assert!((got - 0.3 * f64::tanh(3000.0 * v)).abs() < 5.1e-5, "{v}: {got}");
    }
    // bristles, long after: μN of dahl's and at the stop, the Stribeck curve of the others; μs = 0.4, vs = 3 mm/s
    for (i, v) in slips.into_iter().enumerate() {
        let stribeck = 0.3 + 0.1 * (-f64::powi(v / 3e-3, 2)).exp();
        for (name, expected) in
            [("dahl", 0.3), ("reset-integrator", 0.3), ("lugre", stribeck), ("elasto-plastic", stribeck)]
        {
            let got = row(name)[i];
            assert!((got - expected).abs() < 5.1e-5, "{name} {v}: {got} is not {expected}");
        }
    }
    for (got, v) in row("rooney-deravi").iter().zip(slips) {
        assert!((got - 0.3 * f64::min(1000.0 * v, 1.0)).abs() < 5.1e-5, "{v}: {got}");
    }
}

#[cfg(feature = "plots")]
#[test]
fn figures() {
    let place = Place::new("laws-figures");
    for (args, file) in [
        (&["--compare", "0.7"][..], "loops.svg"),
        (&["--compare", "0.7", "--law", "flores", "--mass", "0.2"], "loops.PNG"),
        (&["--compare", "0.4", "--law", "flores"], "one.svg"),
        (&["--compare-friction", "--law", "tanh"], "tanh.png"),
    ] {
        place.carom(&[&["laws"], args, &["--plot", file]].concat()).done();
        let text = drawn(&place.path(file));
        if file == "loops.svg" {
            for word in ["hu-guo", "elastic-foundation", "indentation δ [δ*]", "e = c"] {
                assert!(text.contains(word), "{word}");
            }
        }
    }
}

#[test]
fn what_is_wrong_is_said() {
    let place = Place::new("laws-wrong");
    for (args, message) in [
        (&["--compare", "1.2"][..], "--compare 1.2: a coefficient of restitution is from 0 to 1"),
        (&["--compare", "nan"], "--compare NaN: a coefficient of restitution is from 0 to 1"),
        (&["--compare", "0.5", "--mass", "0"], "--mass 0: it must be greater than 0"),
        (&["--compare", "0.5", "--law", "tanh"], "no normal law is called `tanh`"),
        (&["--compare-friction", "--law", "flores"], "no friction law is called `flores`"),
        (
            &["--law", "flores"],
            "--law goes with a comparison: --compare 0.7, --compare-friction, --compare-oblique or --compare-cycles",
        ),
        (&["--compare", "0", "--law", "flores"], "nothing to compare: flores: `restitution` is 0"),
        #[cfg(feature = "plots")]
        (
            &["--plot", "a.svg"],
            "--plot goes with a comparison: --compare 0.7, --compare-friction, --compare-oblique or --compare-cycles",
        ),
        (&["--compare", "0.5", "--plot", "a.gif"], "a.gif: a figure ends in .svg, .png or .pdf"),
        #[cfg(not(feature = "plots"))]
        (
            &["--compare", "0.5", "--plot", "a.svg"],
            "this program was built without figures: build it with `--features plots`",
        ),
    ] {
        let err = place.carom(&[&["laws"], args].concat()).failed(2);
        assert!(err.starts_with(&format!("error: {message}")), "{err}");
    }
    for args in
        [&["flores", "--compare", "0.5"][..], &["--mass", "1"], &["--compare", "0.5", "--compare-friction"]]
    {
        let err = place.carom(&[&["laws"], args].concat()).failed(2);
        assert!(err.contains("Usage: carom laws"), "{err}");
    }
    #[cfg(feature = "plots")]
    {
        let err = place.carom(&["laws", "--compare", "0.5", "--plot", "none/a.svg"]).failed(1);
        assert!(err.starts_with("error: none/a.svg: "), "{err}");
    }
}
