//! The search for changes of sign of switches in a step that has been examined.
//!
//! A switch is taken to keep its sign in a step if the cubic through its values and rates at the ends does, and if its value in the middle is near to that cubic; otherwise it is searched on the step's interpolant, part by part. The
//! switch of a mode that has just begun is zero at the start of the step; it is searched if it is negative at the end.

use carom_base::elementary::powi;
use carom_base::expression::Side;
use carom_ode::events::{Found, Sample, crossing};
use carom_ode::{Interpolant, Step};

use super::{AT_ONCE, Scene, SwitchMonitor, sign};

/// Halvings of a step within which the switch of a mode that has just begun is looked for above zero.
const SOONEST: i32 = 12;
/// The number of parts of a step in which a switch is searched.
const PARTS: usize = 16;
/// The largest ratio of the deviation in the middle of a step to the distance from zero at which a step is not searched.
const DEVIATION: f64 = 0.5;

/// Returns the value at the part x of the way, 0 to 1, of the cubic with the values and rates of both ends, times `sign`.
fn cubic(sign: f64, a: &Sample, b: &Sample, x: f64) -> f64 {
    let (h, s) = (b.t - a.t, 1.0 - x);
    sign * (s * a.g + x * b.g + x * s * ((x - s) * (b.g - a.g) + h * (s * a.rate - x * b.rate)))
}

/// Returns the least value, and where, of that cubic, by samples.
fn least(sign: f64, a: &Sample, b: &Sample) -> (f64, f64) {
    let parts = (0..=PARTS).map(|i| i as f64 / PARTS as f64);
    parts.map(|x| (cubic(sign, a, b, x), x)).fold((f64::INFINITY, 0.0), |l, c| if c.0 < l.0 { c } else { l })
}

/// Returns how exactly changes of sign are located in a step [s].
fn resolution(step: &Step<'_>) -> f64 {
    1e-13 * step.h().abs() + 4.0 * f64::EPSILON * step.t1.abs()
}

impl SwitchMonitor {
    /// Returns whether no switch seems to have changed its sign in the step.
    pub(super) fn certify(&mut self, scene: &mut Scene<'_>, step: &Step<'_>) -> bool {
        let h = step.h();
        self.target = None;
        self.suspects.clear();
        // (a run that was restored has more or fewer of them)
        self.resize();
        self.sample(scene, (step.t0, step.y0, step.f0), h, false);
        self.sample(scene, (step.t1, step.y1, step.f1), h, true);
        // the middle of the step, by the cubic through states and rates at its ends
        let mut state = std::mem::take(&mut self.state);
        state.clear();
        let middle = |i: usize| 0.5 * (step.y0[i] + step.y1[i]) + 0.125 * h * (step.f0[i] - step.f1[i]);
        state.extend((0..step.y0.len()).map(middle));
        self.compute(scene, 0.5 * (step.t0 + step.t1), &state, None);
        self.state = state;
        for i in 0..self.sizes.len() {
            let (sign, zero) = (sign(self.side(scene.ws, i)), self.zero(i, scene.atol));
            let (a, b, g) = (&self.start[i], &self.end[i], sign * self.values[i]);
            if self.is_new_mode(i) && !a.g.is_nan() && b.g < -zero {
                // it may end within the step
                self.suspects.push(i);
            }
            if sign == 0.0 || a.g.is_nan() || a.g.abs().max(b.g.abs()).max(g.abs()) <= zero {
                continue;
            }
            let deviation = (g - cubic(sign, a, b, 0.5)).abs();
            let near = (sign * a.g).min(sign * b.g).min(g).min(least(sign, a, b).0);
            // (a switch that has just changed over starts at zero)
            let leaves = sign * a.g <= zero && sign * a.rate > 0.0 && sign * b.g > zero && g > 0.0;
            let stays_clear = near > 0.0 && deviation <= DEVIATION * near;
            if !(stays_clear || leaves && deviation <= DEVIATION * g) {
                self.suspects.push(i);
            }
        }
        self.suspects.is_empty()
    }

    /// Returns the first change of sign of a suspect in the step. All suspects are sampled together, part by part; only where one has changed its sign within a part is it searched by itself.
    pub(super) fn first_event(
        &mut self,
        scene: &mut Scene<'_>,
        step: &Step<'_>,
        dense: &Interpolant<'_>,
    ) -> Found {
        self.target = None;
        let mut path = Path { dense, step, state: std::mem::take(&mut self.state) };
        path.state.resize(step.y0.len(), 0.0);
        let mut found = Found::Nothing;
        let new = self.first_of_new(scene, &mut path);
        let mut suspects = std::mem::take(&mut self.suspects);
        suspects.retain(|i| !self.is_new_mode(*i));
        self.suspects = suspects;
        if let Some(i) = self.first_beyond(scene) {
            (self.target, found) = (Some(i), Found::At(step.t0));
        }
        for part in 1..=PARTS {
            if self.target.is_some() {
                break;
            }
            let end = if part == PARTS { step.t1 } else { step.t0 + step.h() * part as f64 / PARTS as f64 };
            self.sample_on(scene, &mut path, end);
            let mut first = f64::INFINITY;
            for k in 0..self.suspects.len() {
                let i = self.suspects[k];
                if let Some(t) = self.crossing_within(scene, &mut path, i, first) {
                    (first, self.target, found) = (t, Some(i), Found::At(t));
                }
            }
            std::mem::swap(&mut self.start, &mut self.end);
        }
        self.state = path.state;
        match (new, found) {
            (Some((_, t)), Found::At(known)) if known <= t => found,
            (Some((i, t)), _) => {
                self.target = Some(i);
                Found::At(t)
            }
            (None, _) => found,
        }
    }

    /// Whether it is the switch of a mode that has just begun, with its switch at zero; not of one of many that follow each other at one instant.
    fn is_new_mode(&self, i: usize) -> bool {
        let is_free = |k: usize| self.contacts.sides[k] == Side::Free;
        self.last.1 <= AT_ONCE && i.checked_sub(self.of_forces).is_some_and(is_free)
    }

    /// Returns the first change of sign of the switches of modes that have just begun and are below zero at the end of the step: however soon they have risen and turned round, or at its start if they have not risen.
    fn first_of_new(&mut self, scene: &mut Scene<'_>, path: &mut Path<'_>) -> Option<(usize, f64)> {
        let (mut first, step) = (None, path.step);
        self.note_risen(scene, path);
        for k in 0..self.suspects.len() {
            let i = self.suspects[k];
            if !self.is_new_mode(i) {
                continue;
            }
            let (risen, beyond) = (self.start[i].t, self.end[i]);
            let mut sample = |t: f64| self.sample_one(scene, path, i, t);
            let t = if risen > step.t0 {
                let risen = sample(risen);
                crossing(&mut sample, &risen, &beyond, resolution(step)).t
            } else {
                step.t0
            };
            if first.is_none_or(|(_, known)| t < known) {
                first = Some((i, t));
            }
        }
        first
    }

    /// Puts into `start` when switches of new modes are above zero, if they are so at one of some times, ever nearer to the start of the step; all are computed together.
    fn note_risen(&mut self, scene: &mut Scene<'_>, path: &mut Path<'_>) {
        let step = path.step;
        for share in (1..=SOONEST).map(|k| powi(0.5, k)) {
            let is_left = |i: &usize| self.is_new_mode(*i) && !(self.start[*i].t > step.t0);
            if !self.suspects.iter().any(is_left) {
                return;
            }
            let t = step.t0 + share * step.h();
            path.go_to(t);
            self.compute(scene, t, &path.state, None);
            for k in 0..self.suspects.len() {
                let i = self.suspects[k];
                if self.is_new_mode(i)
                    && self.start[i].t <= step.t0
                    && self.values[i] > self.zero(i, scene.atol)
                {
                    self.start[i].t = t;
                }
            }
        }
    }

    /// Samples one switch at the time `t` of a step.
    fn sample_one(&mut self, scene: &mut Scene<'_>, path: &mut Path<'_>, i: usize, t: f64) -> Sample {
        path.go_to(t);
        self.compute(scene, t, &path.state, Some(i));
        let (g, eta) = (self.values[i], path.probe(t));
        path.go_to(t + eta);
        self.compute(scene, t + eta, &path.state, Some(i));
        Sample { t, g, rate: (self.values[i] - g) / eta }
    }

    /// Returns a suspect that starts beyond zero and moves on, and raises those that start at zero above it.
    fn first_beyond(&mut self, scene: &Scene<'_>) -> Option<usize> {
        for k in 0..self.suspects.len() {
            let i = self.suspects[k];
            let (sign, zero) = (sign(self.side(scene.ws, i)), self.zero(i, scene.atol));
            let start = &mut self.start[i];
            let (g, rate) = (sign * start.g, sign * start.rate);
            if g <= zero {
                if g < -zero || rate < 0.0 {
                    return Some(i);
                }
                start.g = sign * g.max(f64::MIN_POSITIVE);
            }
        }
        None
    }

    /// Samples all switches on the interpolant of a step at the time `t`, as the end of a part.
    fn sample_on(&mut self, scene: &mut Scene<'_>, path: &mut Path<'_>, t: f64) {
        path.go_to(t);
        self.compute(scene, t, &path.state, None);
        for (sample, &g) in self.end.iter_mut().zip(&self.values) {
            *sample = Sample { t, g, rate: 0.0 };
        }
        let eta = path.probe(t);
        path.go_to(t + eta);
        self.compute(scene, t + eta, &path.state, None);
        for (sample, &g) in self.end.iter_mut().zip(&self.values) {
            sample.rate = (g - sample.g) / eta;
        }
    }

    /// Returns when the switch i first changes its sign in the part of a step between `start` and `end`, if it does so before the time `before`.
    fn crossing_within(
        &mut self,
        scene: &mut Scene<'_>,
        path: &mut Path<'_>,
        i: usize,
        before: f64,
    ) -> Option<f64> {
        let sign = sign(self.side(scene.ws, i));
        let on_side = |s: &Sample| Sample { g: sign * s.g, rate: sign * s.rate, ..*s };
        let (a, mut b) = (on_side(&self.start[i]), on_side(&self.end[i]));
        let ((dip, x), end) = (least(1.0, &a, &b), b.t);
        let resolution = resolution(path.step);
        let mut sample = |t: f64| on_side(&self.sample_one(scene, path, i, t));
        // of what is later than the first one nothing need be known
        if before < b.t && b.g < 0.0 {
            b = sample(before);
        }
        let mut beyond = (b.g < 0.0).then_some(b);
        if dip < 0.0 && x > 0.0 && x < 1.0 {
            let bottom = sample(a.t + x * (end - a.t));
            beyond = if bottom.g < 0.0 { Some(bottom) } else { beyond };
        }
        let t = crossing(&mut sample, &a, &beyond?, resolution).t;
        (t < before).then_some(t)
    }
}

/// The interpolant of a step, and room for a state on it.
struct Path<'a> {
    dense: &'a Interpolant<'a>,
    step: &'a Step<'a>,
    state: Vec<f64>,
}

impl Path<'_> {
    fn go_to(&mut self, t: f64) {
        let n = self.state.len();
        self.dense.at(t, 0..n, &mut self.state);
    }

    /// Returns how far from the time `t` rates are probed: backwards near the end of the step, so that both probes are within it.
    fn probe(&self, t: f64) -> f64 {
        let eta = 1e-6 * self.step.h();
        if (t + eta - self.step.t1) * eta > 0.0 { -eta } else { eta }
    }
}
