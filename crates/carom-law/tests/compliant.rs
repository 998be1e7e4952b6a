//! Friction laws whose stiffness is that of the contact: along random walks of depth and slip with every change of mode located.

use std::sync::Arc;

use carom_base::Vec3;
use carom_law::friction::{CundallStrack, MawBarberFawcett, Mindlin, MindlinDeresiewicz};
use carom_law::{Friction, Grip, Memory, Slip, Touch};
use carom_testkit::{Random, within};

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

impl Path<'_> {
    fn at(&self, t: f64) -> Slip {
        let (delta, delta_dot) = (self.delta)(t);
        let n = self.power;
        let (f, slope) = (K * delta.powf(n), n * K * delta.powf(n - 1.0));
        let f_n = (f * (1.0 + self.damping * delta_dot)).max(0.0);
        let stiffening = (n - 1.0) * slope / delta;
        let v_t = (self.slip)(t);
        Slip { f_n, f_elastic: f, slope, rigidity: slope, stiffening, delta, delta_dot, v_t, axis: axis() }
    }
}

/// The elements of a law along a path: memories, then the work of slip and what of it is lost.
pub(crate) struct Walk<'p> {
    pub(crate) law: &'p dyn Friction,
    pub(crate) path: Path<'p>,
    pub(crate) grip: Grip,
    pub(crate) t: f64,
    pub(crate) y: Vec<f64>,
    /// how often modes changed
    pub(crate) changes: usize,
}

impl<'p> Walk<'p> {
    pub(crate) fn new(law: &'p dyn Friction, path: Path<'p>) -> Walk<'p> {
        let y = vec![0.0; 4 * law.elements() + 2];
        let mut grip = Grip { exponent: path.power, ..grip(path.oval) };
        // three doublings of the rings on the way
        grip.reach = 0.05;
        let (_, delta_dot) = (path.delta)(0.0);
        grip.rising = if delta_dot < 0.0 { -1.0 } else { 1.0 };
        grip.damped = path.damping != 0.0;
        // (of laws of resistance)
        grip.radius = 0.8;
        let mut walk = Walk { law, path, grip, t: 0.0, y, changes: 0 };
        walk.settle(None);
        walk
    }

    fn memories(y: &[f64]) -> &[[f64; 4]] {
        y[..y.len() - 2].as_chunks().0
    }

    fn rates(&self, t: f64, y: &[f64]) -> Vec<f64> {
        let at = self.path.at(t);
        let mut rates = Vec::new();
        let (mut f, mut stored) = (Vec3::zeros(), 0.0);
        for (i, memory) in Walk::memories(y).iter().enumerate() {
            let now = self.law.evolve_at(i, &at, &self.grip, &Memory::from_numbers(memory));
            rates.extend(now.rate.numbers());
            f += now.f_t;
            stored += now.stored;
        }
        let given = -f.dot(&at.v_t);
        let lost = given - stored;
        rates.extend([given, lost]);
        rates
    }

    pub(crate) fn stored(&self) -> f64 {
        let at = self.path.at(self.t);
        let all = Walk::memories(&self.y).iter().enumerate();
        all.map(|(i, memory)| self.law.energy_at(i, &at, &self.grip, &Memory::from_numbers(memory))).sum()
    }

    pub(crate) fn force(&self) -> Vec3 {
        let at = self.path.at(self.t);
        let all = Walk::memories(&self.y).iter().enumerate();
        all.map(|(i, memory)| self.law.evolve_at(i, &at, &self.grip, &Memory::from_numbers(memory)).f_t).sum()
    }

    /// The force without slip, to which dashpots add nothing.
    fn dry(&self) -> Vec3 {
        let at = Slip { v_t: Vec3::zeros(), ..self.path.at(self.t) };
        let all = Walk::memories(&self.y).iter().enumerate();
        all.map(|(i, memory)| self.law.evolve_at(i, &at, &self.grip, &Memory::from_numbers(memory)).f_t).sum()
    }

    /// A step of the classical Runge–Kutta method.
    fn stepped(&self, h: f64) -> Vec<f64> {
        let add = |k: &[f64], h: f64| -> Vec<f64> { self.y.iter().zip(k).map(|(y, k)| y + h * k).collect() };
        let k1 = self.rates(self.t, &self.y);
        let k2 = self.rates(self.t + 0.5 * h, &add(&k1, 0.5 * h));
        let k3 = self.rates(self.t + 0.5 * h, &add(&k2, 0.5 * h));
        let k4 = self.rates(self.t + h, &add(&k3, h));
        let sum: Vec<f64> = (0..k1.len()).map(|i| (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]) / 6.0).collect();
        add(&sum, h)
    }

    fn values(&self, t: f64, y: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let switching = self.law.switching().unwrap();
        let (mut values, mut sizes) = (vec![0.0; switching.count()], vec![0.0; switching.count()]);
        switching.values(&self.path.at(t), &self.grip, Walk::memories(y), &mut values, &mut sizes);
        (values, sizes)
    }

    /// Changes the modes of all switches that are not positive, and of the one that was sought.
    pub(crate) fn settle(&mut self, target: Option<usize>) {
        for round in 0..3 {
            let (values, sizes) = self.values(self.t, &self.y);
            let crossed: Vec<bool> = (0..values.len())
                .map(|i| target.filter(|_| round == 0) == Some(i) || values[i] < -1e-13 * sizes[i])
                .collect();
            if !crossed.contains(&true) {
                return;
            }
            self.changes += 1;
            let before = self.stored();
            let (at, n) = (self.path.at(self.t), self.y.len());
            let memories = self.y[..n - 2].as_chunks_mut().0;
            self.law.switching().unwrap().change(&at, &mut self.grip, memories, &crossed);
            let lost = before - self.stored();
            assert!(lost >= -1e-12, "{}: a change of mode makes {lost:e}", self.law.name());
            self.y[n - 1] += lost;
        }
    }

    /// Takes a step, ending it where the first switch changes sign.
    fn step(&mut self, h: f64) {
        let mut next = self.stepped(h);
        let (mut start, sizes) = self.values(self.t, &self.y);
        let (mut end, _) = self.values(self.t + h, &next);
        // those that start at zero and go the wrong way have changed as the step begins
        for i in 0..end.len() {
            if end[i] < 0.0 && start[i].abs() <= 1e-13 * sizes[i] {
                self.settle(Some(i));
                next = self.stepped(h);
                (start, end) = (self.values(self.t, &self.y).0, self.values(self.t + h, &next).0);
            }
        }
        // (one that starts at zero leaves it)
        let crosses = |i: &usize| end[*i] < 0.0 && start[*i] > 1e-13 * sizes[*i];
        let suspects: Vec<usize> = (0..end.len()).filter(crosses).collect();
        let (mut first, mut target) = (h, None);
        for i in suspects {
            let (mut lo, mut hi) = (0.0, first);
            if self.values(self.t + hi, &self.stepped(hi)).0[i] >= 0.0 {
                continue;
            }
            for _ in 0..60 {
                let mid = 0.5 * (lo + hi);
                let value = self.values(self.t + mid, &self.stepped(mid)).0[i];
                if value < 0.0 { hi = mid } else { lo = mid }
            }
            (first, target) = (hi, Some(i));
        }
        self.y = self.stepped(first);
        self.t += first;
        if target.is_some() {
            self.settle(target);
        } else {
            self.settle_late();
        }
        // (a trial step may go beyond the end of a mode)
        let cone = MU * self.path.at(self.t).f_n;
        assert!(self.dry().norm() <= cone * (1.0 + 1e-12), "{}: beyond the cone", self.law.name());
        let rates = self.rates(self.t, &self.y);
        let (given, lost) = (rates[rates.len() - 2], rates[rates.len() - 1]);
        let passive = lost >= -1e-12 * (1.0 + given.abs());
        assert!(passive || self.law.caution().is_some(), "{}: makes {lost:e}", self.law.name());
    }

    /// What started at zero and went the wrong way.
    fn settle_late(&mut self) {
        let (values, sizes) = self.values(self.t, &self.y);
        if values.iter().zip(&sizes).any(|(g, size)| *g < -1e-13 * size) {
            self.settle(None);
        }
    }

    pub(crate) fn to(&mut self, end: f64, h: f64) {
        while self.t < end - 1e-12 {
            self.step(h.min(end - self.t));
        }
    }

    pub(crate) fn work(&self) -> f64 {
        self.y[self.y.len() - 2]
    }

    pub(crate) fn lost(&self) -> f64 {
        self.y[self.y.len() - 1]
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
