//! Every normal law in the registry, with every combination of sample parameters.

use carom_testkit::{Random, within};
use std::sync::Arc;

use crate::common::{LINE, normal_laws, slope};
use carom_base::{Args, Dual, SpecError, Two, Value};
use carom_law::normal::{
    self, ElasticFoundation, Flores, Foundation, Hertz, HuntCrossley, KelvinVoigt, LankaraniNikravesh, Tsuji,
};
use carom_law::{Indentation, LawError, Layers, Material, Normal, NormalForce, NormalLaw, Stiffness, Touch};

const TOUCH: Touch = Touch { line: LINE, ..Touch::point(2.3, 0.7, 1.9).round(0.3) };

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
        let checked = ["against ", "derived and checked numerically", "from general knowledge, formula not"];
        let status = entry.reference.checked;
        assert!(checked.iter().any(|c| status.starts_with(c)), "{}: {status}", entry.name());
        assert_eq!(normal::find(entry.name()).map(|e| e.name()), Some(entry.name()));
    }
    assert!(normal::find("no such law").is_none());
    for (name, law) in normal_laws() {
        assert!(name.starts_with(law.name()), "{name}");
        assert!(law.check().is_ok(), "{name}");
    }
}

#[test]
fn no_force_without_indentation() {
    for (name, law) in normal_laws() {
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
    for (name, law) in normal_laws() {
        for delta in [1e-6, 0.03, 0.8, 1.9] {
            let numeric = slope(|d| law.energy(d, &TOUCH), delta, 2e-3 * delta);
            // what adheres stores a constant besides, whose rounding errors the difference has
            let constant =
                if law.pull_off(&TOUCH) > 0.0 { 10.0 * law.energy(delta, &TOUCH).abs() / delta } else { 0.0 };
            within(&name, force(&law, delta, 0.4).f_elastic, numeric, 2e-12, constant);
            assert_eq!(force(&law, delta, 0.4).f_elastic, force(&law, delta, -0.4).f_elastic, "{name}");
        }
    }
}

/// A sixth-order difference, unless a corner of the law is near: then steps of two sizes do not agree.
fn smooth_slope(f: impl Fn(f64) -> f64, x: f64, h: f64, scale: f64) -> Option<f64> {
    let (wide, narrow) = (slope(&f, x, h), slope(&f, x, 0.5 * h));
    ((wide - narrow).abs() <= 1e-10 * narrow.abs().max(scale)).then_some(narrow)
}

#[test]
fn duals_agree_with_differences() {
    let mut random = Random(1);
    let (mut tried, mut corners) = (0, 0);
    for (name, law) in normal_laws() {
        for _ in 0..20 {
            let (delta, delta_dot) = (random.between(0.05, 1.5), random.between(-1.5, 1.5));
            let c = Indentation { delta: Dual::variable(delta, 0), delta_dot: Dual::variable(delta_dot, 1) };
            let dual = law.force_dual(c, &TOUCH);
            let plain = force(&law, delta, delta_dot);
            within(&name, dual.f_n.re, plain.f_n, 1e-15, 0.0);
            within(&name, dual.f_elastic.re, plain.f_elastic, 1e-15, 0.0);
            assert_eq!(dual.f_elastic.eps[1], 0.0, "{name}");
            let (h, h_dot, scale) = (2e-3 * delta, 2e-3, plain.f_elastic.abs() + plain.f_n.abs());
            let numeric = [
                (dual.f_n.eps[0], smooth_slope(|d| force(&law, d, delta_dot).f_n, delta, h, scale)),
                (dual.f_n.eps[1], smooth_slope(|v| force(&law, delta, v).f_n, delta_dot, h_dot, scale)),
                (
                    dual.f_elastic.eps[0],
                    smooth_slope(|d| force(&law, d, delta_dot).f_elastic, delta, h, scale),
                ),
            ];
            for (exact, numeric) in numeric {
                tried += 1;
                match numeric {
                    Some(numeric) => within(&name, exact, numeric, 2e-11, scale),
                    None => corners += 1,
                }
            }
        }
    }
    assert!(corners * 50 < tried, "{corners} corners in {tried}");
}

/// Only the tail of a dashpot may pull, where the law is told so, and what adheres.
#[test]
fn it_never_pulls_unless_told_to() {
    let mut random = Random(2);
    for (name, law) in normal_laws() {
        let mut pulled = false;
        for _ in 0..500 {
            let (delta, delta_dot) = (random.between(-0.1, 1.5), random.between(-5.0, 5.0));
            let f = force(&law, delta, delta_dot);
            pulled |= f.f_n < 0.0;
            assert!(!law.is_elastic() || f.f_n == f.f_elastic, "{name} is not elastic");
        }
        let tail = name.contains("indentation") && !law.is_elastic();
        assert_eq!(pulled, tail || law.pull_off(&TOUCH) > 0.0, "{name}");
    }
}

/// The damping given is that of the restitution asked for, where a law takes both.
#[test]
fn restitution_and_damping_say_the_same() {
    let k_m = (TOUCH.stiffness * TOUCH.mass).sqrt();
    let c = Indentation { delta: 0.3, delta_dot: 0.2 };
    let xi = -(0.6f64.ln()) / std::f64::consts::PI.hypot(0.6f64.ln());
    let pairs: [(Box<dyn Normal>, Box<dyn Normal>); 3] = [
        (
            Box::new(KelvinVoigt::restitution(0.6).unwrap().stiffness(2.3)),
            Box::new(KelvinVoigt::damping(2.0 * xi * k_m).unwrap().stiffness(2.3)),
        ),
        (
            Box::new(Tsuji::restitution(0.6).unwrap()),
            Box::new(Tsuji::damping(5f64.sqrt() * xi * k_m).unwrap()),
        ),
        (
            Box::new(Flores::restitution(0.6).unwrap()),
            Box::new(Flores::damping(1.6 * 0.4 / 0.6 / TOUCH.v0).unwrap()),
        ),
    ];
    for (a, b) in pairs {
        within(a.name(), a.force(c, &TOUCH).f_n, b.force(c, &TOUCH).f_n, 1e-14, 0.0);
    }
}

#[test]
fn the_impact_speed_matters_only_where_it_is_asked_for() {
    for (name, law) in normal_laws() {
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
    assert_eq!(text("flores", &none), "flores: give one of `restitution`, `damping`");
    assert_eq!(text("ristow", &none), "ristow needs `damping`: damping γ");
    let linear = number(none.clone(), "restitution", 0.5);
    assert!(text("kelvin-voigt", &linear).starts_with("kelvin-voigt needs `stiffness`"));
    assert!(KelvinVoigt::restitution(0.5).unwrap().check().is_err());
    let exit = number(none.clone(), "damping", 0.5).with("exit", Value::Text("never".to_owned()));
    assert_eq!(text("ristow", &exit), "ristow: `exit` is \"never\"; allowed: one of force, indentation");
    assert!(ElasticFoundation::new(1e9).unwrap().radius(-1.0).check().is_err());
    assert!(ElasticFoundation::new(1e9).unwrap().damping(f64::NAN).check().is_err());
    assert!(Foundation::new(0.0).is_err() && Foundation::new(1e9).unwrap().damping(-1.0).check().is_err());
    assert!(
        Foundation::weighted(1e9, [0.0, 0.0]).is_err() && Foundation::weighted(1e9, [-1.0, 2.0]).is_err()
    );
    assert!(Foundation::layers([0.0, 0.0]).is_err() && Foundation::layers([0.0, 1e-3]).is_ok());
    assert_eq!(
        text("flores", &number(none.clone(), "restitution", 0.0)),
        "flores: `restitution` is 0; allowed: above 0, up to 1"
    );
    assert!(text("hertz", &number(none.clone(), "exponent", 2.0)).contains("needs a `stiffness`"));

    let args = number(number(number(none, "damping", 0.05), "stiffness", 1e8), "exponent", 2.0);
    let law = make("hunt-crossley", &args).unwrap();
    assert_eq!((law.stiffness(), law.exponent()), (Stiffness::Given(1e8), 2.0));
    let same = HuntCrossley::damping(0.05).unwrap().stiffness(1e8).exponent(2.0);
    let c = Indentation { delta: 0.3, delta_dot: -0.2 };
    assert_eq!(law.force(c, &TOUCH), Normal::force(&same, c, &TOUCH));
}

/// Two points at once have the bits of one after the other, in points and in strips, and none where they are apart.
#[test]
fn two_points_are_two_points() {
    let mut random = Random(9);
    for (name, law) in normal_laws() {
        for strips in [[false, false], [true, true], [true, false]] {
            let touch = strips.map(|strip| Touch {
                strip,
                radius: 0.3,
                line: LINE,
                ..Touch::point(random.between(1.0, 3.0), random.between(0.1, 1.0), 1.9)
            });
            let [a, b] = [0, 1].map(|_| Indentation {
                delta: random.between(-0.2, 0.8),
                delta_dot: random.between(-2.0, 2.0),
            });
            let both = Indentation {
                delta: Two::new(a.delta, b.delta),
                delta_dot: Two::new(a.delta_dot, b.delta_dot),
            };
            let f = law.force_two(both, [&touch[0], &touch[1]]);
            for (i, c) in [a, b].into_iter().enumerate() {
                let alone = match c.delta > 0.0 {
                    true => law.force(c, &touch[i]),
                    false => NormalForce { f_n: 0.0, f_elastic: 0.0 },
                };
                assert_eq!(
                    (f.f_n.lanes()[i], f.f_elastic.lanes()[i]),
                    (alone.f_n, alone.f_elastic),
                    "{name} {c:?}"
                );
            }
        }
    }
}

/// Layers in series: 1/K = t_A/M_A + t_B/M_B, and each yields by its part; what is rigid needs no material.
#[test]
fn layers_yield_in_series() {
    let soft = Material::new("soft").youngs_modulus(2e6).poisson_ratio(0.4);
    let hard = Material::new("hard").youngs_modulus(8e6).poisson_ratio(0.1);
    let (m_soft, m_hard) = (2e6 * 0.6 / (1.4 * 0.2), 8e6 * 0.9 / (1.1 * 0.8));
    let both = Layers::Thickness([0.01, 0.02]).between([Some(&soft), Some(&hard)]).unwrap();
    let yields = [0.01 / m_soft, 0.02 / m_hard];
    let k = 1.0 / (yields[0] + yields[1]);
    assert!((both.stiffness / k - 1.0).abs() < 1e-15);
    assert!(
        (both.weights[0] - k * yields[0]).abs() < 1e-15 && (both.weights[1] - k * yields[1]).abs() < 1e-15
    );
    let rigid = Layers::Thickness([0.01, 0.0]).between([Some(&soft), None]).unwrap();
    assert!((rigid.stiffness / (m_soft / 0.01) - 1.0).abs() < 1e-15 && rigid.weights == [1.0, 0.0]);
    let error = Layers::Thickness([0.01; 2]).between([Some(&soft), None]).unwrap_err().to_string();
    assert!(error.contains("youngs_modulus"), "{error}");
    let rubber = soft.poisson_ratio(0.5);
    let error = Layers::Thickness([0.01; 2]).between([Some(&rubber), Some(&hard)]).unwrap_err().to_string();
    assert!(error.contains("`soft` is 0.5"), "{error}");
}
