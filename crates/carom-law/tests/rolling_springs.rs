//! Laws of resistance with memory: along random walks of depth and rate with every change of mode located, and their constants.

use std::f64::consts::PI;

use carom_base::Vec3;
use carom_law::resistance::{ElasticPlastic, IwashitaOda, Jiang, Torsion};
use carom_law::{Grip, Memory, Resistance, ResistanceLaw, Slip, Touch};
use carom_testkit::within;

use crate::compliant::{MU, Path, Walk, part_of, walks_close};

fn laws() -> Vec<Box<dyn Resistance>> {
    vec![
        Box::new(ElasticPlastic::new(MU).unwrap()),
        Box::new(ElasticPlastic::new(MU).unwrap().stiffness(0.7).damping(0.2)),
        Box::new(Jiang::new(6.0 * MU).unwrap()),
        Box::new(IwashitaOda::new(MU).unwrap().ratio(0.8)),
        Box::new(Torsion::new(MU).unwrap().ratio(0.9)),
    ]
}

/// Within the limit but for the dashpot, passive at every instant, stored + lost = work.
#[test]
fn the_ledger_closes_along_random_walks() {
    let laws = laws();
    let (springs, torsion) = laws.split_at(4);
    walks_close(23, 2.0, springs.iter().filter_map(|law| law.spring()), &[0.0]);
    walks_close(23, 0.5, torsion.iter().filter_map(|law| law.spring()), &[0.0]);
}

/// How a law pulls that has turned by the angle `z`, at the usual depth.
fn couple(law: &dyn ResistanceLaw, at: &Slip, grip: &Grip, z: f64) -> f64 {
    let memory = Memory { z: Vec3::new(z, 0.0, 0.0), s: 0.0 };
    -law.spring().unwrap().evolve_at(0, at, grip, &memory).f_t.x
}

/// Stiffness and limit of each, in closed form; Jiang's against springs along the width, summed.
#[test]
fn stiffness_and_limit_are_what_they_should_be() {
    let (k, r) = (3e7, 0.02);
    let touch = Touch::point(k, 0.4, 0.3);
    let ratio = 0.7;
    let grip = Grip { radius: r, ..Grip::new(&touch, 1.5, ratio, 0.0, 0.4) };
    let delta = grip.depth;
    let (f, slope) = (k * delta.powf(1.5), 1.5 * k * delta.sqrt());
    let at = Slip::of_power(&grip, f, delta, 0.0, Vec3::zeros());
    let normal = Grip { ratio: 1.0, ..grip };
    let a = (r * delta).sqrt();
    let (c, width, mu) = (1e-4, 6e-4, 0.3);
    // springs along the width: those that are still pressed in, turned by z about the middle
    let strips = |z: f64| {
        let n = 40000;
        let x = (0..n).map(|i| width * ((f64::from(i) + 0.5) / f64::from(n) - 0.5));
        x.map(|x| slope * x * z * x / f64::from(n)).sum::<f64>()
    };
    let cases: [(&dyn ResistanceLaw, &Grip, f64, f64); 4] = [
        (&ElasticPlastic::new(c).unwrap(), &normal, 2.25 * slope * c * c, c * f),
        (&Jiang::new(width).unwrap(), &normal, slope * width * width / 12.0, f * width / 6.0),
        (&IwashitaOda::new(c).unwrap().ratio(ratio).radius(r), &grip, ratio * slope * r * r, c * f),
        // (16/3) G a³ with 8G/(3E*) = ratio and dF/dδ = 2E*a
        (&Torsion::new(mu).unwrap().ratio(ratio), &grip, ratio * slope * a * a, 3.0 * PI / 16.0 * mu * a * f),
    ];
    for (law, grip, stiffness, limit) in cases {
        let turned = limit / stiffness;
        within(law.name(), couple(law, &at, grip, 0.5 * turned), 0.5 * limit, 1e-13, 0.0);
        within(law.name(), couple(law, &at, grip, 7.0 * turned), limit, 1e-13, 0.0);
    }
    let z = 2.0 * f / (slope * width);
    within("strips", strips(z), f * width / 6.0, 1e-8, 0.0);
    within(
        "strips, half",
        strips(0.5 * z),
        couple(&Jiang::new(width).unwrap(), &at, &normal, 0.5 * z),
        1e-8,
        0.0,
    );
}

/// A twisted contact that unloads and is loaded again keeps what it stores, and its couple follows the root of its stiffness.
#[test]
fn a_twisted_contact_keeps_its_energy() {
    let law = Torsion::new(MU).unwrap();
    // twisted to a part of its limit at depth 1, then unloaded to 0.5 and loaded again
    let delta = |t: f64| {
        let ((down, faster), (up, slower)) = (part_of(t, 1.0), part_of(t, 2.0));
        (1.0 - 0.5 * down + 0.5 * up, 0.5 * (slower - faster))
    };
    let slip = |t: f64| Vec3::new(0.0, 0.0, 0.02 * part_of(t, 0.0).1);
    let mut walk = Walk::new(&law, Path { delta: &delta, slip: &slip, damping: 0.0, power: 1.5, oval: 0.0 });
    // k = 0.8 · 1.5 K √δ · R δ, of R = 0.8: the ratio is the walk's
    let k = 0.8 * 1.5 * 0.8;
    let stored = 0.5 * k * 0.02 * 0.02;
    for (t, part) in [(1.0, 1.0), (2.0, 0.5f64.powf(0.75)), (3.0, 1.0)] {
        walk.to(t, 1e-3);
        within("couple", walk.force().norm(), 0.02 * k * part, 1e-10, 0.0);
        within("stored", walk.stored(), stored, 1e-10, 0.0);
        within("work", walk.work(), stored, 1e-10, 0.0);
        assert!(walk.lost().abs() < 1e-10 * stored, "{}", walk.lost());
    }
}

#[test]
fn wrong_parameters_are_refused() {
    for c in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(ElasticPlastic::new(c).is_err() && Jiang::new(c).is_err() && IwashitaOda::new(c).is_err());
        assert!(Torsion::new(c).is_err());
    }
    let law = ElasticPlastic::new(1e-3).unwrap();
    assert!(
        ResistanceLaw::check(&law.stiffness(0.0)).is_err()
            && ResistanceLaw::check(&law.damping(-1.0)).is_err()
    );
    assert!(ResistanceLaw::check(&Torsion::new(0.1).unwrap().ratio(-1.0)).is_err());
    assert!(ResistanceLaw::check(&IwashitaOda::new(0.1).unwrap().radius(0.0)).is_err());
    assert!(ResistanceLaw::check(&Jiang::new(0.1).unwrap().damping(f64::NAN)).is_err());
}
