//! Friction laws whose stiffness is that of the contact: along random walks of depth and slip with every change of mode located.

use std::sync::Arc;

use carom_base::Vec3;
use carom_law::friction::{CundallStrack, MawBarberFawcett, Mindlin, MindlinDeresiewicz};
use carom_law::{Friction, Grip, Slip, Touch};
use carom_testkit::{Random, within};

use crate::common::walk::{self, Course};

pub(crate) const MU: f64 = 0.3;
pub(crate) const RATIO: f64 = 0.8;
/// K [N/m^1.5] and mass [kg]: at 1 m/s the usual depth is 1 m.
pub(crate) const K: f64 = 1.0;

pub(crate) fn laws() -> Vec<Arc<dyn Friction>> {
    vec![
        Arc::new(CundallStrack::new(MU).unwrap().ratio(RATIO)),
        Arc::new(CundallStrack::new(MU).unwrap().stiffness(0.7)),
        Arc::new(Mindlin::new(MU).unwrap().ratio(RATIO)),
        Arc::new(Mindlin::new(MU).unwrap().ratio(RATIO).rescaled()),
        Arc::new(MindlinDeresiewicz::new(MU).unwrap().ratio(RATIO).elements(4)),
        Arc::new(MawBarberFawcett::new(MU).unwrap().ratio(RATIO).rings(5)),
    ]
}

/// Of a circle, or of an ellipse with this ε.
pub(crate) fn grip(oval: f64) -> Grip {
    Grip { oval, ..Grip::new(&Touch::point(K, 1.0, 1.0), 1.5, RATIO, 0.0, 1.0) }
}

/// The longer axis of ellipses.
pub(crate) fn axis() -> Vec3 {
    Vec3::new(0.8, 0.6, 0.0)
}

/// A path of depth and slip; the normal force is damped by `damping` [s/m] δ̇ times itself.
pub(crate) struct Path<'p> {
    pub(crate) delta: &'p dyn Fn(f64) -> (f64, f64),
    pub(crate) slip: &'p dyn Fn(f64) -> Vec3,
    pub(crate) damping: f64,
    /// exponent of the load
    pub(crate) power: f64,
    /// ε
    pub(crate) oval: f64,
}

impl Course for Path<'_> {
    fn at(&self, t: f64) -> Slip {
        let (delta, delta_dot) = (self.delta)(t);
        let n = self.power;
        let (f, slope) = (K * delta.powf(n), n * K * delta.powf(n - 1.0));
        let f_n = (f * (1.0 + self.damping * delta_dot)).max(0.0);
        let stiffening = (n - 1.0) * slope / delta;
        let v_t = (self.slip)(t);
        Slip { f_n, f_elastic: f, slope, rigidity: slope, stiffening, delta, delta_dot, v_t, axis: axis() }
    }

    fn cone(&self, t: f64) -> f64 {
        MU * self.at(t).f_n
    }
}

/// The elements of a law along a path.
pub(crate) type Walk<'p> = walk::Walk<'p, Path<'p>>;

impl<'p> Walk<'p> {
    pub(crate) fn new(law: &'p dyn Friction, path: Path<'p>) -> Walk<'p> {
        // three doublings of the rings on the way; a radius of laws of resistance
        let mut grip = Grip { exponent: path.power, reach: 0.05, radius: 0.8, ..grip(path.oval) };
        let (_, delta_dot) = (path.delta)(0.0);
        grip.rising = if delta_dot < 0.0 { -1.0 } else { 1.0 };
        grip.damped = path.damping != 0.0;
        Walk::of(law, path, grip, 0.0)
    }
}

/// Along random walks in depth and slip: within the cone and passive at every instant, stored + lost = work.
#[test]
fn the_ledger_closes_along_random_walks() {
    let laws = laws();
    walks_close(21, 0.6, laws.iter().map(|law| law.as_ref()), &[0.0, 0.2, -0.3]);
}

/// Along random walks of these laws at about this speed, with these ε of the contact, stored + lost = work.
pub(crate) fn walks_close<'l>(
    seed: u64,
    speed: f64,
    laws: impl Iterator<Item = &'l dyn Friction>,
    ovals: &[f64],
) {
    let mut random = Random(seed);
    let all = [(0.0, 0.0), (0.2, 0.0), (0.0, 0.2), (0.2, -0.3)];
    for law in laws {
        for (damping, oval) in all.into_iter().filter(|(_, oval)| ovals.contains(oval)) {
            let phase: Vec<f64> = (0..8).map(|_| random.between(0.0, 6.0)).collect();
            let wave = |t: f64, i: usize| {
                let (a, b) = (1.0 + 0.3 * i as f64, 2.3);
                let value = (a * t + phase[i]).sin() + 0.5 * (b * t + phase[i]).cos();
                (value, a * (a * t + phase[i]).cos() - 0.5 * b * (b * t + phase[i]).sin())
            };
            let delta = |t: f64| (1.6 + wave(t, 0).0, wave(t, 0).1);
            let slip = |t: f64| Vec3::new(wave(t, 1).0, 0.5 * wave(t, 2).0, 0.0) * speed;
            let mut walk = Walk::new(law, Path { delta: &delta, slip: &slip, damping, power: 1.5, oval });
            let mut most = 0f64;
            for i in 1..=10 {
                walk.to(f64::from(i), 5e-4);
                most = most.max(walk.stored());
            }
            let name = format!("{} {damping} {oval}", law.name());
            assert!(walk.changes > 2 && most > 0.0, "{name}: {} changes", walk.changes);
            within(&name, walk.stored() + walk.lost(), walk.work(), 1e-10, 1.0);
        }
    }
}

/// Where surfaces may jump apart, elements remember how far they are shifted in place of a force: both are the same law, force, energy and all. (In a plane, r₀ is a part of another number, and slip turns by 1e-6 otherwise.)
#[test]
fn shifts_and_forces_are_the_same_law() {
    let delta = |t: f64| (1.5 + 0.9 * (1.3 * t).sin(), 0.9 * 1.3 * (1.3 * t).cos());
    let slip = |t: f64| Vec3::new(0.9 * (2.3 * t + 1.0).cos() + 0.2, 0.0, 0.0);
    for law in laws().iter().filter(|law| ["mindlin-rescale", "mindlin-deresiewicz"].contains(&law.name())) {
        let path = || Path { delta: &delta, slip: &slip, damping: 0.0, power: 1.5, oval: 0.0 };
        let mut forces = Walk::new(law.as_ref(), path());
        let mut shifts = Walk::new(law.as_ref(), path());
        shifts.grip.adheres = true;
        shifts.y.fill(0.0);
        shifts.settle(None);
        for i in 1..=16 {
            for walk in [&mut forces, &mut shifts] {
                walk.to(0.5 * f64::from(i), 1e-3);
            }
            let what = format!("{} at {}", law.name(), 0.5 * f64::from(i));
            let off = (forces.force() - shifts.force()).norm();
            assert!(off < 1e-10, "{what}: {off:e}");
            within(&what, shifts.stored(), forces.stored(), 1e-10, 1.0);
            within(&what, shifts.lost(), forces.lost(), 1e-10, 1.0);
        }
        assert!(forces.changes > 4 && forces.stored() > 0.0, "{}", law.name());
    }
}

/// How far a smooth motion that takes the time 1 from `start` on has come, 0 to 1, and its rate.
pub(crate) fn part_of(t: f64, start: f64) -> (f64, f64) {
    let x = (t - start).clamp(0.0, 1.0);
    (x * x * x * (10.0 + x * (6.0 * x - 15.0)), 30.0 * x * x * (1.0 - x) * (1.0 - x))
}
