//! Every law of resistance to rolling and spinning, with every combination of sample parameters.

use carom_testkit::{Random, within};
use std::f64::consts::PI;
use std::sync::Arc;

use crate::common::{resistance_laws, slope};
use carom_base::{Dual, Quat, SpecError, Vec3};
use carom_law::resistance::{
    self, HertzPatch, Pressed, ROLLING, Resistance, ResistanceLaw, SPINNING, TanhCouple, ViscousCouple,
};
use carom_law::{LawError, Patch};

fn laws() -> Vec<(String, Arc<dyn Resistance>)> {
    [ROLLING, SPINNING].into_iter().flat_map(resistance_laws).collect()
}

fn random_vector(random: &mut Random) -> Vec3 {
    let size = 10f64.powf(random.between(-9.0, 2.0));
    Vec3::new(random.between(-1.0, 1.0), random.between(-1.0, 1.0), random.between(-1.0, 1.0)) * size
}

#[test]
fn the_registries_are_complete_and_well_said() {
    for all in [ROLLING, SPINNING] {
        for (i, entry) in all.iter().enumerate() {
            assert!(all[..i].iter().all(|e| e.name() != entry.name()), "{} twice", entry.name());
            let reference = entry.reference;
            let texts = [entry.entry.summary, entry.formula, entry.range, entry.at_rest];
            let said = texts.iter().chain([&reference.source, &reference.checked]);
            assert!(said.into_iter().all(|t| !t.is_empty()), "{} lacks a text", entry.name());
        }
    }
    assert!(resistance::find_rolling("hertz-patch").is_none());
    assert_eq!(resistance::find_spinning("hertz-patch").map(|e| e.name()), Some("hertz-patch"));
    for (name, law) in laws() {
        assert!(name.starts_with(law.name()) && law.check().is_ok(), "{name}");
    }
}

/// It opposes the rate and nothing else, has no preferred direction, goes with the load, and is nothing without one or at rest.
#[test]
fn it_only_brakes() {
    let mut random = Random(7);
    for (name, law) in laws() {
        for _ in 0..300 {
            let pressed = Pressed { f_n: random.between(0.0, 10.0), a: random.between(0.0, 0.1) };
            let w = random_vector(&mut random);
            let m = law.couple(&pressed, &w);
            assert!(m.dot(&w) <= 0.0 && m.iter().all(|x| x.is_finite()), "{name}: drives at {w:?}");
            assert!(m.cross(&w).norm() <= 1e-14 * m.norm() * w.norm(), "{name}: not along {w:?}");
            let turn = Quat::from_scaled_axis(random_vector(&mut random));
            let turned = law.couple(&pressed, &(turn * w));
            assert!((turned - turn * m).norm() <= 1e-13 * m.norm(), "{name}");
            let twice = law.couple(&Pressed { f_n: 2.0 * pressed.f_n, ..pressed }, &w);
            assert!((twice - 2.0 * m).norm() <= 1e-15 * twice.norm(), "{name}");
            assert_eq!(law.couple(&Pressed { f_n: 0.0, ..pressed }, &w).norm(), 0.0, "{name}");
            assert_eq!(law.couple(&pressed, &Vec3::zeros()), Vec3::zeros(), "{name}");
        }
    }
}

#[test]
fn duals_agree_with_differences() {
    let mut random = Random(8);
    for (name, law) in laws() {
        for round in 0..40 {
            let (f_n, a) = (random.between(0.1, 10.0), random.between(1e-3, 0.1));
            // at rest too
            let w = if round == 0 { Vec3::zeros() } else { random_vector(&mut random) };
            let pressed = Pressed { f_n: Dual::variable(f_n, 0), a: Dual::variable(a, 1) };
            let dual = law.couple_dual(&pressed, &Vec3::from_fn(|i, _| Dual::variable(w[i], 2 + i)));
            let plain = law.couple(&Pressed { f_n, a }, &w);
            assert!((dual.map(|m| m.re) - plain).norm() <= 1e-14 * plain.norm(), "{name}");
            let h = if w.norm() > 0.0 { 1e-3 * w.norm() } else { 1e-7 };
            // the slope of a line, which no direction of a difference exceeds
            let scale = plain.norm() / w.norm().max(h) + f_n;
            for i in 0..3 {
                let by_f_n = slope(|f_n| law.couple(&Pressed { f_n, a }, &w)[i], f_n, 1e-3 * f_n);
                within(&name, dual[i].eps[0], by_f_n, 1e-10, plain.norm() / f_n + 1e-300);
                let by_a = slope(|a| law.couple(&Pressed { f_n, a }, &w)[i], a, 1e-3 * a);
                within(&name, dual[i].eps[1], by_a, 1e-10, plain.norm() / a + 1e-300);
                for j in 0..3 {
                    let along = |x: f64| {
                        let mut w = w;
                        w[j] = x;
                        law.couple(&Pressed { f_n, a }, &w)[i]
                    };
                    within(&name, dual[i].eps[2 + j], slope(along, w[j], h), 1e-9, scale);
                }
            }
        }
    }
}

/// (3π/16) μ a N is the couple of friction μ p under Hertz's pressure: ∫ μ p r dA by Gauss and Chebyshev's rule, whose weight
/// √(1 − x²) the pressure has: exact for the even polynomial that is left, r² with r = a x over both halves.
#[test]
fn the_patch_carries_what_its_pressure_gives() {
    let (mu, f_n, a): (f64, f64, f64) = (0.3, 7.0, 2e-3);
    let p0 = 1.5 * f_n / (PI * a * a);
    let n = 8;
    let nodes = (1..=n).map(|i| PI * f64::from(i) / f64::from(n + 1));
    let full: f64 = nodes
        .map(|angle| {
            let (r, weight) = (a * angle.cos(), PI / f64::from(n + 1) * angle.sin().powi(2));
            0.5 * weight * a * mu * p0 * 2.0 * PI * r * r
        })
        .sum();
    let law = HertzPatch::new(mu, 1e-3).unwrap();
    let m = Resistance::couple(&law, &Pressed { f_n, a }, &Vec3::new(0.0, 0.0, 5.0));
    within("patch", -m.z, full, 1e-14, 0.0);
}

#[test]
fn a_patch_needs_a_radius() {
    assert_eq!(Patch::Unneeded.radius(0.0, 0.0), Ok(0.0));
    assert_eq!(
        HertzPatch::new(0.1, 1.0).unwrap().radius(0.3),
        HertzPatch::new(0.1, 1.0).unwrap().radius(0.3)
    );
    assert_eq!(ResistanceLaw::patch(&HertzPatch::new(0.1, 1.0).unwrap()), Patch::Lever);
    assert!(matches!(Patch::Curvature.radius(-1.0, 2.0), Err(LawError::NoRadius { .. })));
}

#[test]
fn wrong_parameters_are_refused() {
    for (c, w0) in [(-0.1, 1.0), (f64::NAN, 1.0), (0.1, 0.0), (0.1, f64::INFINITY)] {
        assert!(matches!(TanhCouple::new(c, w0), Err(LawError::Parameter(SpecError::NotAllowed { .. }))));
        assert!(HertzPatch::new(c, w0).is_err());
    }
    assert!(ViscousCouple::new(-1.0).is_err() && ViscousCouple::new(f64::NAN).is_err());
    assert!(ResistanceLaw::check(&HertzPatch::new(0.1, 1.0).unwrap().radius(0.0)).is_err());
}
