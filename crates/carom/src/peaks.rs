//! The largest forces and indentations: at the ends of steps, and, where one was passed within a step, on its interpolant.
//!
//! A contact point has its own peak, which its release reports; a pair has that of all its points together, which the run reports.

use carom_geometry::PairFailure;
use carom_ode::{Interpolant, Step};

use crate::contact::{PointForce, Slot, body_at};
use crate::forward::Active;
use crate::model::{BodyKind, Model};
use crate::state::{Kinematics, body_slice};
use crate::system::System;

/// A contact point at the end of a step.
struct Now {
    delta: f64,
    delta_dot: f64,
    f_n: f64,
    /// the sign of the rate of f_n, and its size where several are to be added
    rate: f64,
}

impl System<'_> {
    /// Notes force and indentation of every touching point at the end of a step, and of pairs, and says whether one of them
    /// had a peak within the step.
    pub(crate) fn note_peaks(&mut self, step: &Step<'_>) -> bool {
        let mut inside = false;
        let mut first = 0;
        // the points of a pair follow one another
        while let Some(slot) = self.watch.active.get(first).map(|at| at.slot) {
            let points = self.watch.active[first..].iter().take_while(|at| at.slot == slot).count();
            let (mut f_n, mut rate) = (0.0, 0.0);
            for i in first..first + points {
                let at = self.watch.active[i];
                let Some(now) = self.now(&at, step, points) else { continue };
                (f_n, rate) = (f_n + now.f_n, rate + now.rate);
                inside |= self.note_point(&at, &now);
            }
            let s = &mut self.watch.slots[slot];
            s.peaked = points > 1 && s.f_n_rate > 0.0 && rate < 0.0;
            s.f_n_rate = rate;
            inside |= s.peaked;
            self.watch.peak_force = self.watch.peak_force.max(f_n);
            first += points;
        }
        inside
    }

    /// A point at the end of a step.
    fn now(&self, at: &Active, step: &Step<'_>, points: usize) -> Option<Now> {
        let slot = &self.watch.slots[at.slot];
        let law = &self.model.rules[slot.rule].normal;
        let (delta, delta_dot, f_n) = match self.watch.known_at(at, step.t1) {
            Some(c) => {
                let f = &slot.features[at.feature];
                let f_n = if c.delta > 0.0 { f.share * law.force(c, &f.touch).f_n } else { 0.0 };
                (c.delta, c.delta_dot, f_n)
            }
            None => {
                let p = point_ahead(self.model, slot, at.feature, step, 0.0).ok()?;
                (p.contact.delta, p.delta_dot, p.f_n)
            }
        };
        // the rate of a force is its change along the motion; an elastic one follows the indentation
        let rate = if points == 1 && law.is_elastic() {
            delta_dot
        } else {
            let next = point_ahead(self.model, slot, at.feature, step, 1e-6 * step.h());
            next.map_or(0.0, |next| next.f_n - f_n)
        };
        Some(Now { delta, delta_dot, f_n, rate })
    }

    fn note_point(&mut self, at: &Active, now: &Now) -> bool {
        let f = &mut self.watch.slots[at.slot].features[at.feature];
        let force_peak = f.f_n_rate > 0.0 && now.rate < 0.0;
        let depth_peak = f.gap_rate < 0.0 && now.delta_dot < 0.0;
        f.peaked = force_peak || depth_peak;
        f.peak_force = f.peak_force.max(now.f_n);
        f.max_indentation = f.max_indentation.max(now.delta);
        f.f_n_rate = now.rate;
        f.peaked
    }

    /// Looks for the peaks within a step.
    pub(crate) fn find_peaks(&mut self, step: &Step<'_>, dense: &Interpolant<'_>) {
        for i in 0..self.watch.active.len() {
            let at = self.watch.active[i];
            let (leads, slot) =
                (i == 0 || self.watch.active[i - 1].slot != at.slot, &self.watch.slots[at.slot]);
            if leads && slot.peaked {
                let of_pair = &self.watch.active[i..];
                let total = |t: f64| -> f64 {
                    let [a, b] = [slot.body_a, slot.body_b].map(|b| body_at(self.model, b, dense, t));
                    let points = of_pair.iter().take_while(|p| p.slot == at.slot);
                    points.map(|p| slot.point(self.model, p.feature, &a, &b).map_or(0.0, |p| p.f_n)).sum()
                };
                let force = largest(total, step.t0, step.t1).1;
                self.watch.peak_force = self.watch.peak_force.max(force);
            }
            if self.watch.slots[at.slot].features[at.feature].peaked {
                self.find_peak(at, step, dense);
            }
        }
    }

    fn find_peak(&mut self, at: Active, step: &Step<'_>, dense: &Interpolant<'_>) {
        let slot = &self.watch.slots[at.slot];
        let sample = |t: f64| -> [f64; 2] {
            let body = |b| body_at(self.model, b, dense, t);
            match slot.point(self.model, at.feature, &body(slot.body_a), &body(slot.body_b)) {
                Ok(c) => [c.f_n, c.contact.delta],
                Err(_) => [0.0; 2],
            }
        };
        let (t, depth) = largest(|t| sample(t)[1], step.t0, step.t1);
        // an elastic force is largest where the indentation is
        let elastic = self.model.rules[slot.rule].normal.is_elastic();
        let force = if elastic { sample(t)[0] } else { largest(|t| sample(t)[0], step.t0, step.t1).1 };
        let f = &mut self.watch.slots[at.slot].features[at.feature];
        f.peak_force = f.peak_force.max(force);
        f.max_indentation = f.max_indentation.max(depth);
        self.watch.peak_force = self.watch.peak_force.max(force);
    }
}

/// A point's forces `ahead` of the end of a step, at the velocities and rates of the end.
fn point_ahead(
    m: &Model,
    slot: &Slot,
    feature: usize,
    step: &Step<'_>,
    ahead: f64,
) -> Result<PointForce, PairFailure> {
    let body = |body: usize| -> Kinematics {
        let b = &m.bodies[body];
        let mut k = Kinematics::new(b, step.t1 + ahead, step.y1);
        if let (BodyKind::Dynamic(d), true) = (&b.kind, ahead != 0.0) {
            let (y, f) = (body_slice(step.y1, *d), body_slice(step.f1, *d));
            k.set_state(b, &std::array::from_fn(|i| y[i] + ahead * f[i]));
        }
        k
    };
    slot.point(m, feature, &body(slot.body_a), &body(slot.body_b))
}

/// Where a function with one hump between two times is largest, and that value. A hump is flat on top, so its height is
/// known to twice the digits of its place: golden section for a start, then parabolas.
fn largest(f: impl Fn(f64) -> f64, t0: f64, t1: f64) -> (f64, f64) {
    let golden = 0.5 * (3.0 - 5.0f64.sqrt());
    let (mut a, mut b) = ((t0, f(t0)), (t1, f(t1)));
    let t = t0 + golden * (t1 - t0);
    let mut top = (t, f(t));
    for i in 0..40 {
        // the top of the parabola through the three points, if it lies between them; every fifth time, and
        // where it does not, a golden section of the longer side
        let (l, r) = (top.0 - a.0, b.0 - top.0);
        let (dl, dr) = (top.1 - a.1, top.1 - b.1);
        let peak = top.0 + 0.5 * (r * r * dl - l * l * dr) / (r * dl + l * dr);
        let inside = peak > a.0 + 1e-3 * l && peak < b.0 - 1e-3 * r && peak != top.0;
        let section = if l > r { top.0 - golden * l } else { top.0 + golden * r };
        let t = if inside && i % 5 != 4 { peak } else { section };
        let next = (t, f(t));
        let step = (t - top.0).abs();
        let (low, high) = if next.0 < top.0 { (next, top) } else { (top, next) };
        if next.1 > top.1 {
            (a, b) = if next.0 < top.0 { (a, top) } else { (top, b) };
            top = next;
        } else if next.0 < top.0 {
            a = low;
        } else {
            b = high;
        }
        if step <= 3e-6 * (t1 - t0) {
            break;
        }
    }
    [a, b].into_iter().fold(top, |best, end| if end.1 > best.1 { end } else { best })
}
