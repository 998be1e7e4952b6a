//! Every friction law in the registry that is a function of load and slip, with every combination of sample parameters.

use carom_testkit::{Random, within};
use std::sync::Arc;

use crate::common::{FrictionSample, friction_laws, slope};
use carom_base::{Dual, Quat, Scalar, SpecError, Two, Vec3};
use carom_law::friction::{
    self, Ambrosio, Andersson, BengisuAkay, BrownMcPhee, Coulomb, Hollars, RooneyDeravi, Tanh, Threlfall,
};
use carom_law::{Friction, FrictionLaw, LawError};

fn random_vector(random: &mut Random) -> Vec3 {
    let size = 10f64.powf(random.between(-3.0, 1.5));
    Vec3::new(random.between(-1.0, 1.0), random.between(-1.0, 1.0), random.between(-1.0, 1.0)) * size
}

/// (f_n, v_t) as the four variables of a dual.
fn dual_force(law: &Arc<dyn Friction>, f_n: f64, v: Vec3) -> Vec3<Dual<4>> {
    let v = Vec3::new(Dual::variable(v.x, 1), Dual::variable(v.y, 2), Dual::variable(v.z, 3));
    law.force_dual(Dual::variable(f_n, 0), &v)
}

#[test]
fn the_registry_is_complete_and_well_said() {
    for (i, entry) in friction::ALL.iter().enumerate() {
        assert!(friction::ALL[..i].iter().all(|e| e.name() != entry.name()), "{} twice", entry.name());
        let reference = entry.reference;
        let texts = [
            entry.entry.summary,
            entry.formula,
            entry.range,
            entry.at_rest,
            reference.source,
            reference.checked,
        ];
        assert!(texts.iter().all(|t| !t.is_empty()), "{} lacks a text", entry.name());
        assert_eq!(friction::find(entry.name()).map(|e| e.name()), Some(entry.name()));
    }
    assert!(friction::find("no such law").is_none());
    for sample in friction_laws() {
        let (name, law) = (&sample.name, &sample.law);
        assert!(name.starts_with(law.name()) && law.check().is_ok(), "{name}");
    }
}

#[test]
fn it_opposes_slip_within_the_cone() {
    let mut random = Random(4);
    for sample in friction_laws() {
        let (name, law) = (&sample.name, &sample.law);
        let (mu, largest, viscous) =
            (sample.number("coefficient"), sample.largest(), sample.number("viscous"));
        for _ in 0..300 {
            let (f_n, v) = (random.between(0.0, 10.0), random_vector(&mut random));
            let f = law.force(f_n, &v);
            assert!(f.dot(&v) <= 0.0, "{name}: drives at {v:?}");
            assert!(f.cross(&v).norm() <= 1e-14 * f.norm() * v.norm(), "{name}: not along {v:?}");
            // viscous friction is per normal force or not, by the law
            let cone = largest * f_n + viscous * v.norm() * f_n.max(1.0);
            assert!(f.norm() <= cone * (1.0 + 1e-14), "{name}: {f:?} beyond the cone");
        }
        // kinetic friction at fast slip, in proportion to the normal force; none without one
        let share = if law.name() == "threlfall" { 1.0 - (-3.0f64).exp() } else { 1.0 };
        if viscous == 0.0 {
            let fast = law.force(3.0, &Vec3::new(0.0, 1e7, 0.0)).y;
            within(name, fast, -3.0 * mu * share, 1e-12, largest);
        }
        assert_eq!(law.force(0.0, &Vec3::new(0.0, 1.0, 0.0)).norm(), 0.0, "{name}");
        assert_eq!(law.force(2.0, &Vec3::zeros()), Vec3::zeros(), "{name}: force at rest");
    }
}

#[test]
fn it_has_no_preferred_direction() {
    let mut random = Random(5);
    for FrictionSample { name, law, .. } in friction_laws() {
        for _ in 0..100 {
            let turn = Quat::from_scaled_axis(random_vector(&mut random));
            let v = random_vector(&mut random);
            let (turned, wanted) = (law.force(2.0, &(turn * v)), turn * law.force(2.0, &v));
            // a corner of a law may turn a rounding error of |v| into one of the force, not more
            assert!((turned - wanted).norm() <= 1e-12, "{name} at {v:?}");
        }
    }
}

#[test]
fn duals_agree_with_differences() {
    let mut random = Random(6);
    let (mut tried, mut corners) = (0, 0);
    for sample in friction_laws() {
        let (name, law, mu) = (&sample.name, &sample.law, sample.largest());
        for _ in 0..20 {
            let (f_n, v) = (random.between(0.1, 10.0), random_vector(&mut random));
            let dual = dual_force(law, f_n, v);
            let plain = law.force(f_n, &v);
            assert!((dual.map(|f| f.value()) - plain).norm() <= 1e-14 * plain.norm(), "{name}");
            // within the range in which every law is smooth but for corners
            let h = 1e-3 * v.norm();
            let scale = mu * f_n / v.norm() + sample.number("viscous") * f_n.max(1.0);
            for i in 0..3 {
                let by_f_n = slope(|f_n| law.force(f_n, &v)[i], f_n, 1e-3 * f_n);
                within(name, dual[i].eps[0], by_f_n, 1e-10, mu + plain.norm() / f_n);
                for j in 0..3 {
                    let along = |x: f64| {
                        let mut w = v;
                        w[j] = x;
                        law.force(f_n, &w)[i]
                    };
                    let (wide, numeric) = (slope(along, v[j], h), slope(along, v[j], 0.5 * h));
                    tried += 1;
                    if (wide - numeric).abs() > 1e-9 * scale {
                        corners += 1;
                        continue;
                    }
                    within(name, dual[i].eps[1 + j], numeric, 1e-9, scale);
                }
            }
        }
    }
    assert!(corners * 50 < tried, "{corners} corners in {tried}");
}

/// At rest and close to it: the slope is finite and the same on both sides, with no direction needed.
#[test]
fn duals_at_zero_slip() {
    for sample in friction_laws() {
        let (name, law) = (&sample.name, &sample.law);
        let f_n = 2.5;
        if !sample.continuous {
            let dual = dual_force(law, f_n, Vec3::zeros());
            assert!(dual.iter().all(|f| f.re == 0.0 && f.eps == [0.0; 4]), "{name}");
            continue;
        }
        for v in [0.0, 1e-200, 1e-150, 1e-141, 1e-139, 1e-100, 1e-13, 1e-12] {
            let dual = dual_force(law, f_n, Vec3::new(0.0, v, 0.0));
            for i in 0..3 {
                let h = 1e-12;
                let mut step = Vec3::zeros();
                step[i] = h;
                let numeric = (law.force(f_n, &step) - law.force(f_n, &-step)) / (2.0 * h);
                for j in 0..3 {
                    within(name, dual[j].eps[1 + i], numeric[j], 1e-9, 1.0);
                }
                assert!(dual[i].eps[0].is_finite(), "{name}");
            }
        }
    }
    let dual =
        dual_force(&(Arc::new(Tanh::new(0.2, 1000.0).unwrap()) as Arc<dyn Friction>), 5.0, Vec3::zeros());
    assert_eq!(dual.x.eps, [0.0, -1000.0, 0.0, 0.0]); // −μ N k_t
}

/// Where a law joins two pieces or a series, the force has no step.
#[test]
fn no_law_jumps_but_coulombs() {
    for sample in friction_laws().iter().filter(|s| s.continuous) {
        let f = |s: f64| -sample.law.force(2.0, &Vec3::new(s, 0.0, 0.0)).x;
        // a factor of 1 + 1e-9 in speed changes the force by little, and near rest by no more than itself
        let full = |s: f64| if s > 1e-3 { 2.0 * sample.largest() } else { 0.0 };
        let mut s = 1e-12;
        while s < 100.0 {
            let (a, b) = (f(s), f(s * (1.0 + 1e-9)));
            assert!((b - a).abs() <= 2e-8 * (a.abs() + full(s)), "{} jumps at {s}: {a} {b}", sample.name);
            s *= 1.003;
        }
        for at in ["transition_speed", "v0", "v1", "stribeck_speed"].map(|key| sample.number(key)) {
            let (a, b) = (f(at * (1.0 - 1e-13)), f(at * (1.0 + 1e-13)));
            assert!((b - a).abs() <= 1e-11 * (a + b) + 1e-11, "{} jumps at {at}: {a} {b}", sample.name);
        }
    }
}

/// tanh(k s) next to the series taken below k s = 1e-8.
#[test]
fn tanh_is_seamless_where_its_series_begins() {
    let law = Tanh::new(0.3, 50.0).unwrap();
    for s in [1.9e-10, 1.999999e-10, 2.000001e-10, 2.1e-10] {
        let f = Friction::force(&law, 2.0, &Vec3::new(s, 0.0, 0.0)).x;
        within("tanh", f, -0.6 * f64::tanh(50.0 * s), 1e-15, 0.0);
    }
}

#[test]
fn wrong_parameters_are_refused() {
    for (mu, slope) in [(-0.1, 1.0), (f64::NAN, 1.0), (0.1, 0.0), (0.1, f64::INFINITY)] {
        assert!(matches!(Tanh::new(mu, slope), Err(LawError::Parameter(SpecError::NotAllowed { .. }))));
    }
    for (mu, v0, v1) in [(-0.1, 0.0, 1.0), (0.1, -1.0, 1.0), (0.1, 0.0, 0.0), (0.1, f64::NAN, 1.0)] {
        assert!(matches!(Ambrosio::new(mu, v0, v1), Err(LawError::Parameter(SpecError::NotAllowed { .. }))));
    }
    assert!(Coulomb::new(-0.1).is_err() && Coulomb::new(f64::NAN).is_err());
    assert!(RooneyDeravi::new(0.1, 0.0).is_err() && Threlfall::new(0.1, -1.0).is_err());
    assert!(Andersson::new(0.1, 0.2, 0.1, 10.0).unwrap().shape(0.5).check().is_err());
    assert!(BengisuAkay::new(0.1, 0.2, 0.1, 0.0).is_err());
    assert!(Hollars::new(0.1, 0.2, 0.1).unwrap().viscous(-1.0).check().is_err());
    assert!(BrownMcPhee::new(0.1, 0.2, 0.1).unwrap().viscous(1.0, 0.0).check().is_err());
    let error = Hollars::new(0.3, 0.2, 0.1).unwrap_err();
    assert_eq!(error.to_string(), "hollars: `static_coefficient` must not be less than `coefficient`");
    let error = Ambrosio::new(0.1, 2.0, 2.0).unwrap_err();
    assert_eq!(error.to_string(), "ambrosio: `v0` must be less than `v1`");
}

/// Two points at once have the bits of one after the other, at rest too.
#[test]
fn two_points_are_two_points() {
    let mut random = Random(10);
    for sample in friction_laws() {
        for i in 0..50 {
            let n = [0, 1].map(|_| random.between(0.0, 10.0));
            let mut v = [0, 1].map(|_| random_vector(&mut random));
            if i % 5 == 0 {
                v[i % 2] = Vec3::zeros();
            }
            let f = sample.law.force_two(Two::new(n[0], n[1]), &Two::vector(&v[0], &v[1]));
            for lane in 0..2 {
                let alone = sample.law.force(n[lane], &v[lane]);
                assert_eq!(f.map(|x| x.lanes()[lane]), alone, "{} {v:?}", sample.name);
            }
        }
    }
}

/// A slip that passes zero at a constant rate meets its sharpest bend within the width: there the force has turned round, and far from it it is what it
/// is without end.
#[test]
fn the_width_is_where_the_force_turns_round() {
    for sample in friction_laws() {
        let width = sample.law.width();
        let force = |v: f64| sample.law.force(1.0, &Vec3::new(v, 0.0, 0.0)).x;
        if width > 0.0 {
            assert!(
                force(width) <= 0.9 * force(100.0 * width) && force(-width) == -force(width),
                "{}",
                sample.name
            );
        }
    }
}
