//! Every normal law in the registry, with every combination of sample parameters.

mod common;

use std::sync::Arc;

use carom_base::{Args, Dual, SpecError, Value};
use carom_law::normal::{self, Flores, Hertz, HuntCrossley, LankaraniNikravesh};
use carom_law::{Indentation, LawError, Normal, NormalForce, Touch};
use common::{Random, close, combinations, slope};

const TOUCH: Touch = Touch { stiffness: 2.3, v0: 0.7, mass: 1.9 };

/// Every law with all its sample parameters.
fn laws() -> Vec<(String, Arc<dyn Normal>)> {
    let mut all = Vec::new();
    for entry in normal::ALL {
        let made: Vec<_> = combinations(entry.entry.params)
            .iter()
            .filter_map(|args| Some((format!("{} {args:?}", entry.name()), entry.make(args).ok()?)))
            .collect();
        assert!(!made.is_empty(), "no sample of {} can be made", entry.name());
        all.extend(made);
    }
    all
}

fn force(law: &Arc<dyn Normal>, delta: f64, delta_dot: f64) -> NormalForce {
    law.force(Indentation { delta, delta_dot }, &TOUCH)
}

#[test]
fn the_registry_is_complete_and_well_said() {
    for (i, entry) in normal::ALL.iter().enumerate() {
        assert!(normal::ALL[..i].iter().all(|e| e.name() != entry.name()), "{} twice", entry.name());
        let texts = [
            entry.entry.summary,
            entry.formula,
            entry.range,
            entry.exit,
            entry.reference.source,
            entry.reference.checked,
        ];
        assert!(texts.iter().all(|t| !t.is_empty()), "{} lacks a text", entry.name());
        for key in ["stiffness", "exponent"] {
            assert!(entry.entry.params.iter().any(|p| p.name == key), "{} lacks `{key}`", entry.name());
        }
        assert_eq!(normal::find(entry.name()).map(|e| e.name()), Some(entry.name()));
    }
    assert!(normal::find("no such law").is_none());
    for (name, law) in laws() {
        assert!(name.starts_with(law.name()), "{name}");
        assert!(law.check().is_ok(), "{name}");
    }
}

#[test]
fn no_force_without_indentation() {
    for (name, law) in laws() {
        for delta in [0.0, -0.1] {
            for delta_dot in [-2.0, 0.0, 2.0] {
                let f = force(&law, delta, delta_dot);
                assert_eq!((f.f_n, f.f_elastic), (0.0, 0.0), "{name} at {delta}, {delta_dot}");
            }
            assert_eq!(law.energy(delta, &TOUCH), 0.0, "{name} at {delta}");
            let c = Indentation { delta: Dual::variable(delta, 0), delta_dot: Dual::variable(0.3, 1) };
            let f = law.force_dual(c, &TOUCH);
            assert!(f.f_n.eps.iter().all(|e| e.is_finite()), "{name}: no finite slope at {delta}");
            assert!(law.exponent() == 1.0 || f.f_n.eps == [0.0, 0.0], "{name} is not flat at {delta}");
        }
    }
}

#[test]
fn the_elastic_force_is_the_slope_of_the_stored_energy() {
    for (name, law) in laws() {
        for delta in [1e-6, 0.03, 0.8, 1.9] {
            let numeric = slope(|d| law.energy(d, &TOUCH), delta, 2e-3 * delta);
            close(force(&law, delta, 0.4).f_elastic, numeric, 2e-12, 0.0, &name);
            assert_eq!(force(&law, delta, 0.4).f_elastic, force(&law, delta, -0.4).f_elastic, "{name}");
        }
    }
}

#[test]
fn duals_agree_with_differences() {
    let mut random = Random::new(1);
    for (name, law) in laws() {
        for _ in 0..20 {
            let (delta, delta_dot) = (random.within(0.05, 1.5), random.within(-1.5, 1.5));
            let c = Indentation { delta: Dual::variable(delta, 0), delta_dot: Dual::variable(delta_dot, 1) };
            let dual = law.force_dual(c, &TOUCH);
            let plain = force(&law, delta, delta_dot);
            close(dual.f_n.re, plain.f_n, 1e-15, 0.0, &name);
            close(dual.f_elastic.re, plain.f_elastic, 1e-15, 0.0, &name);
            let (h, h_dot) = (2e-3 * delta, 2e-3);
            // not across the corner where the force reaches zero
            let pushes = |delta_dot| force(&law, delta, delta_dot).f_n > 0.0;
            if pushes(delta_dot - 4.0 * h_dot) != pushes(delta_dot + 4.0 * h_dot) {
                continue;
            }
            let scale = plain.f_elastic;
            let by_delta = slope(|d| force(&law, d, delta_dot).f_n, delta, h);
            close(dual.f_n.eps[0], by_delta, 1e-11, scale, &name);
            let by_rate = slope(|v| force(&law, delta, v).f_n, delta_dot, h_dot);
            close(dual.f_n.eps[1], by_rate, 1e-11, scale, &name);
            let elastic = slope(|d| force(&law, d, delta_dot).f_elastic, delta, h);
            close(dual.f_elastic.eps[0], elastic, 1e-11, scale, &name);
            assert_eq!(dual.f_elastic.eps[1], 0.0, "{name}");
        }
    }
}

#[test]
fn it_never_pulls_and_always_dissipates() {
    let mut random = Random::new(2);
    for (name, law) in laws() {
        for _ in 0..500 {
            let (delta, delta_dot) = (random.within(-0.1, 1.5), random.within(-5.0, 5.0));
            let f = force(&law, delta, delta_dot);
            assert!(f.f_n >= 0.0 && f.f_elastic >= 0.0, "{name}: {f:?} pulls");
            // the part that is not elastic works against the motion
            assert!((f.f_n - f.f_elastic) * delta_dot >= 0.0, "{name}: {f:?} at {delta_dot} drives");
            assert!(!law.is_elastic() || f.f_n == f.f_elastic, "{name} is not elastic");
        }
    }
}

/// Over a closed cycle of indentation the work ∮ F dδ put in is never negative, and zero only if elastic.
#[test]
fn no_cycle_of_indentation_gains_energy() {
    let mut random = Random::new(3);
    for (name, law) in laws() {
        for _ in 0..6 {
            // a random walk that closes: a few harmonics about a random mean, partly out of contact
            let mean = random.within(-0.2, 0.8);
            let waves: Vec<[f64; 2]> =
                (0..5).map(|_| [random.within(-0.3, 0.3), random.within(-0.3, 0.3)]).collect();
            let n = 10_000;
            let (mut work, mut largest) = (0.0, 0.0f64);
            for i in 0..n {
                let t = std::f64::consts::TAU * f64::from(i) / f64::from(n);
                let (mut delta, mut delta_dot) = (mean, 0.0);
                for (k, [a, b]) in (1u32..).zip(&waves) {
                    let (sin, cos) = (f64::from(k) * t).sin_cos();
                    delta += a * sin + b * cos;
                    delta_dot += f64::from(k) * (a * cos - b * sin);
                }
                let power = force(&law, delta, delta_dot).f_n * delta_dot;
                work += power * std::f64::consts::TAU / f64::from(n);
                largest = largest.max(power.abs());
            }
            // the trapezoidal rule's own error is that of δⁿ at first touch, and for n = 1 that of a corner
            let rounding = 2e-6 * largest;
            assert!(work >= -rounding, "{name}: gains {:e}", -work);
            assert!(!law.is_elastic() || work.abs() <= rounding, "{name}: elastic, yet {work:e}");
        }
    }
}

#[test]
fn the_impact_speed_matters_only_where_it_is_asked_for() {
    for (name, law) in laws() {
        let c = Indentation { delta: 0.4, delta_dot: 0.2 };
        let (slow, fast) = (law.force(c, &TOUCH), law.force(c, &Touch { v0: 7.0, ..TOUCH }));
        assert_eq!(law.needs_impact_speed(), slow != fast, "{name}");
        if !law.needs_impact_speed() {
            assert_eq!(law.force(c, &Touch { v0: 0.0, ..TOUCH }), slow, "{name} looks at v0 = 0");
        }
    }
}

#[test]
fn wrong_parameters_are_refused_with_the_law_and_the_name() {
    for c in [-0.1, 1.1, f64::NAN] {
        for error in [
            HuntCrossley::restitution(c).unwrap_err(),
            LankaraniNikravesh::restitution(c).unwrap_err(),
            Flores::restitution(c).unwrap_err(),
        ] {
            assert!(matches!(error, LawError::Parameter(SpecError::NotAllowed { name: "restitution", .. })));
        }
    }
    assert!(Flores::restitution(0.0).is_err() && LankaraniNikravesh::restitution(0.0).is_ok());
    assert!(HuntCrossley::damping(-1.0).is_err() && HuntCrossley::damping(f64::INFINITY).is_err());
    let refused = |law: &dyn Normal| law.check().unwrap_err().to_string();
    assert_eq!(refused(&Hertz::new().stiffness(-1.0)), "hertz: `stiffness` is -1; allowed: greater than 0");
    assert_eq!(
        refused(&Hertz::new().stiffness(1.0).exponent(0.5)),
        "hertz: `exponent` is 0.5; allowed: from 1 to 10"
    );
    assert_eq!(
        refused(&Flores::restitution(0.5).unwrap().exponent(2.0)),
        "flores: an `exponent` other than 1.5 needs a `stiffness`: materials give one for 1.5 only"
    );
    assert!(refused(&HuntCrossley::damping(1.0).unwrap().stiffness(f64::NAN)).contains("`stiffness`"));
}

#[test]
fn scenes_say_it_the_same_way() {
    let number = |args: Args, name, x| args.with(name, Value::Number(x));
    let make = |law, args: &Args| normal::find(law).unwrap().make(args);
    let text = |law, args: &Args| make(law, args).unwrap_err().to_string();

    let none = Args::new();
    assert_eq!(text("hunt-crossley", &none), "hunt-crossley: give one of `restitution`, `damping`");
    let both = number(number(none.clone(), "restitution", 0.8), "damping", 0.1);
    assert_eq!(text("hunt-crossley", &both), "hunt-crossley: give `restitution` or `damping`, not both");
    assert_eq!(text("flores", &none), "flores needs `restitution`: coefficient of restitution c");
    assert_eq!(
        text("flores", &number(none.clone(), "restitution", 0.0)),
        "flores: `restitution` is 0; allowed: above 0, up to 1"
    );
    assert!(text("hertz", &number(none.clone(), "exponent", 2.0)).contains("needs a `stiffness`"));

    let args = number(number(number(none, "damping", 0.05), "stiffness", 1e8), "exponent", 2.0);
    let law = make("hunt-crossley", &args).unwrap();
    assert_eq!((law.stiffness(), law.exponent()), (Some(1e8), 2.0));
    let same = HuntCrossley::damping(0.05).unwrap().stiffness(1e8).exponent(2.0);
    let c = Indentation { delta: 0.3, delta_dot: -0.2 };
    assert_eq!(law.force(c, &TOUCH), Normal::force(&same, c, &TOUCH));
}
