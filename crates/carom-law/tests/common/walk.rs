//! A law with memory along a prescribed course of its contact: its memories integrated with every change of mode located, and what slip gives summed up.

use carom_base::Vec3;
use carom_law::{Friction, Grip, Memory, Slip};

/// What a contact goes through.
pub(crate) trait Course {
    /// The contact as the law sees it at a place of the course, which is the time unless `pace` says otherwise.
    fn at(&self, x: f64) -> Slip;
    /// dt/dx.
    fn pace(&self, x: f64) -> f64 {
        let _ = x;
        1.0
    }
    /// The largest force that friction may have at that place, but for dashpots; infinite if the law has none.
    fn cone(&self, x: f64) -> f64;
    /// The power that the normal force takes and what of it is lost.
    fn normal(&self, x: f64) -> [f64; 2] {
        let _ = x;
        [0.0; 2]
    }
}

/// Sums beside the memories: work and loss of friction, then of the normal force.
const SUMS: usize = 4;
/// The error of a step, estimated, of each number.
const TOLERANCE: f64 = 2e-14;
/// No step is shorter: errors are then those of rounding.
const SHORTEST: f64 = 1e-10;
/// What counts as zero of a switch, as a part of its size.
const ZERO: f64 = 1e-13;

/// The elements of a law along a course: memories, then the sums.
pub(crate) struct Walk<'p, C> {
    pub(crate) law: &'p dyn Friction,
    pub(crate) path: C,
    pub(crate) grip: Grip,
    /// the place on the course
    pub(crate) t: f64,
    pub(crate) y: Vec<f64>,
    /// how often modes changed
    pub(crate) changes: usize,
    /// the length of the next step
    h: f64,
}

impl<'p, C: Course> Walk<'p, C> {
    /// At the place `t`, with nothing bent.
    pub(crate) fn of(law: &'p dyn Friction, path: C, grip: Grip, t: f64) -> Walk<'p, C> {
        let y = vec![0.0; Memory::SIZE * law.elements() + SUMS];
        let mut walk = Walk { law, path, grip, t, y, changes: 0, h: f64::INFINITY };
        walk.settle(None);
        walk
    }

    /// The same memories and sums on another course, from its place `t` on.
    pub(crate) fn onto(self, path: C, t: f64) -> Walk<'p, C> {
        let mut walk = Walk { path, t, h: f64::INFINITY, ..self };
        walk.settle(None);
        walk
    }

    fn memories(y: &[f64]) -> &[[f64; Memory::SIZE]] {
        y[..y.len() - SUMS].as_chunks().0
    }

    /// The sum over elements.
    fn sum(&self, at: &Slip, of: impl Fn(usize, &Slip, &Memory) -> Vec3) -> Vec3 {
        let all = Self::memories(&self.y).iter().enumerate();
        all.map(|(i, memory)| of(i, at, &Memory::from_numbers(memory))).sum()
    }

    fn rates(&self, x: f64, y: &[f64], rates: &mut Vec<f64>) {
        let at = self.path.at(x);
        rates.clear();
        let (mut f, mut stored) = (Vec3::zeros(), 0.0);
        for (i, memory) in Self::memories(y).iter().enumerate() {
            let now = self.law.evolve_at(i, &at, &self.grip, &Memory::from_numbers(memory));
            rates.extend(now.rate.numbers());
            f += now.f_t;
            stored += now.stored;
        }
        let given = -f.dot(&at.v_t);
        rates.extend([given, given - stored]);
        rates.extend(self.path.normal(x));
        let pace = self.path.pace(x);
        rates.iter_mut().for_each(|rate| *rate *= pace);
    }

    pub(crate) fn stored(&self) -> f64 {
        let energy = |i, at: &Slip, memory: &Memory| self.law.energy_at(i, at, &self.grip, memory);
        self.sum(&self.path.at(self.t), |i, at, memory| Vec3::x() * energy(i, at, memory)).x
    }

    pub(crate) fn force(&self) -> Vec3 {
        let force = |i, at: &Slip, memory: &Memory| self.law.evolve_at(i, at, &self.grip, memory).f_t;
        self.sum(&self.path.at(self.t), force)
    }

    /// The force without slip, to which dashpots add nothing.
    fn dry(&self) -> Vec3 {
        let at = Slip { v_t: Vec3::zeros(), ..self.path.at(self.t) };
        self.sum(&at, |i, at, memory| self.law.evolve_at(i, at, &self.grip, memory).f_t)
    }

    /// A step of Dormand and Prince's method of order 5, and its error by that of order 4.
    fn stepped(&self, h: f64) -> (Vec<f64>, f64) {
        const C: [f64; 7] = [0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0];
        const A: [&[f64]; 7] = [
            &[],
            &[0.2],
            &[3.0 / 40.0, 9.0 / 40.0],
            &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
            &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
            &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
            &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
        ];
        const E: [f64; 7] = [
            71.0 / 57600.0,
            0.0,
            -71.0 / 16695.0,
            71.0 / 1920.0,
            -17253.0 / 339200.0,
            22.0 / 525.0,
            -1.0 / 40.0,
        ];
        let mut k: [Vec<f64>; 7] = Default::default();
        let mut y = self.y.clone();
        for stage in 0..7 {
            y.copy_from_slice(&self.y);
            for (a, k) in A[stage].iter().zip(&k) {
                y.iter_mut().zip(k).for_each(|(y, k)| *y += h * a * k);
            }
            let mut rates = std::mem::take(&mut k[stage]);
            self.rates(self.t + C[stage] * h, &y, &mut rates);
            k[stage] = rates;
        }
        let error = |i: usize| E.iter().zip(&k).map(|(e, k)| e * k[i]).sum::<f64>();
        let worst = (0..y.len()).map(|i| h * error(i).abs() / (1.0 + y[i].abs())).fold(0.0, f64::max);
        (y, worst)
    }

    fn values(&self, x: f64, y: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let Some(switching) = self.law.switching() else { return Default::default() };
        let (mut values, mut sizes) = (vec![0.0; switching.count()], vec![0.0; switching.count()]);
        switching.values(&self.path.at(x), &self.grip, Self::memories(y), &mut values, &mut sizes);
        (values, sizes)
    }

    /// Changes the modes of all switches that are not positive, and of the one that was sought.
    pub(crate) fn settle(&mut self, target: Option<usize>) {
        for round in 0..3 {
            let (values, sizes) = self.values(self.t, &self.y);
            let crossed: Vec<bool> = (0..values.len())
                .map(|i| target.filter(|_| round == 0) == Some(i) || values[i] < -ZERO * sizes[i])
                .collect();
            if !crossed.contains(&true) {
                return;
            }
            self.changes += 1;
            let before = self.stored();
            let (at, n) = (self.path.at(self.t), self.y.len());
            let memories = self.y[..n - SUMS].as_chunks_mut().0;
            self.law.switching().unwrap().change(&at, &mut self.grip, memories, &crossed);
            let lost = before - self.stored();
            assert!(lost >= -1e-12, "{}: a change of mode makes {lost:e}", self.law.name());
            self.y[n - SUMS + 1] += lost;
        }
    }

    /// The length of a step, at most `most`, that is as exact as asked, and what it comes to.
    fn try_step(&mut self, most: f64) -> (f64, Vec<f64>) {
        let mut h = self.h.min(most);
        loop {
            let (next, error) = self.stepped(h);
            let part = 0.9 * (TOLERANCE / error.max(1e-300)).powf(0.2);
            if error <= TOLERANCE || h <= SHORTEST {
                // (a step that was cut short says nothing of the next)
                self.h = (h * part.clamp(0.2, 4.0)).max(if h == most { self.h.min(most) } else { 0.0 });
                self.h = self.h.max(SHORTEST);
                return (h, next);
            }
            h = (h * part.clamp(0.1, 0.9)).max(SHORTEST);
        }
    }

    /// Takes a step, ending it where the first switch changes sign.
    fn step(&mut self, most: f64) {
        let (mut h, mut next) = self.try_step(most);
        let (mut start, sizes) = self.values(self.t, &self.y);
        let (mut end, _) = self.values(self.t + h, &next);
        // those that start at zero and go the wrong way have changed as the step begins
        for i in 0..end.len() {
            if end[i] < 0.0 && start[i].abs() <= ZERO * sizes[i] {
                self.settle(Some(i));
                (h, next) = self.try_step(most);
                (start, end) = (self.values(self.t, &self.y).0, self.values(self.t + h, &next).0);
            }
        }
        // (one that starts at zero leaves it)
        let crosses = |i: &usize| end[*i] < 0.0 && start[*i] > ZERO * sizes[*i];
        let suspects: Vec<usize> = (0..end.len()).filter(crosses).collect();
        let (mut first, mut target) = (h, None);
        for i in suspects {
            let (mut lo, mut hi) = (0.0, first);
            if self.values(self.t + hi, &self.stepped(hi).0).0[i] >= 0.0 {
                continue;
            }
            for _ in 0..60 {
                let mid = 0.5 * (lo + hi);
                let value = self.values(self.t + mid, &self.stepped(mid).0).0[i];
                if value < 0.0 { hi = mid } else { lo = mid }
            }
            (first, target) = (hi, Some(i));
        }
        self.y = if first == h { next } else { self.stepped(first).0 };
        self.t += first;
        match target {
            Some(_) => self.settle(target),
            None => self.settle_late(),
        }
        self.check();
    }

    /// Within the cone, and passive. (A trial step may go beyond the end of a mode.)
    fn check(&self) {
        let (force, cone) = (self.dry().norm(), self.path.cone(self.t));
        assert!(
            force <= cone * (1.0 + 1e-12),
            "{}: beyond the cone: {force:e}, {cone:e}, {:?}",
            self.law.name(),
            self.path.at(self.t)
        );
        let (at, pace) = (self.path.at(self.t), self.path.pace(self.t));
        // what is lost is a difference of sums over elements
        let (mut lost, mut size) = (0.0, 1.0);
        for (i, memory) in Self::memories(&self.y).iter().enumerate() {
            let now = self.law.evolve_at(i, &at, &self.grip, &Memory::from_numbers(memory));
            let given = -now.f_t.dot(&at.v_t);
            lost += given - now.stored;
            size += given.abs() + now.stored.abs();
        }
        let passive = lost * pace >= -1e-12 * size * pace.max(1.0);
        assert!(passive || self.law.caution().is_some(), "{}: makes {lost:e} of {size:e}", self.law.name());
        let [_, normal] = self.path.normal(self.t);
        assert!(normal >= -1e-12, "{}: the normal force makes {normal:e}", self.law.name());
    }

    /// What started at zero and went the wrong way.
    fn settle_late(&mut self) {
        let (values, sizes) = self.values(self.t, &self.y);
        if values.iter().zip(&sizes).any(|(g, size)| *g < -ZERO * size) {
            self.settle(None);
        }
    }

    /// Goes on to the place `end` by steps of at most `h`.
    pub(crate) fn to(&mut self, end: f64, h: f64) {
        while self.t < end - 1e-12 {
            self.step(h.min(end - self.t));
        }
    }

    /// Work of slip, and what of it is lost; then the same of the normal force.
    pub(crate) fn sums(&self) -> [f64; SUMS] {
        std::array::from_fn(|i| self.y[self.y.len() - SUMS + i])
    }

    pub(crate) fn work(&self) -> f64 {
        self.sums()[0]
    }

    pub(crate) fn lost(&self) -> f64 {
        self.sums()[1]
    }
}
