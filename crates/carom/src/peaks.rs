//! The largest forces and indentations: at the ends of steps, and, where one was passed within a step, on its interpolant.
//!
//! A contact point has its own peak, which its release reports; a pair has that of all its points together, which the run reports. Of several
//! points those at the ends of steps and at the pair's peaks are noted.

use carom_ode::{Interpolant, Step};

use crate::contact::{PointForce, body_at};
use crate::forward::Active;
use crate::model::{BodyKind, Model};
use crate::state::{Kinematics, body_slice};
use crate::system::System;

/// What a pair of many points comes to at a time: the force of all, the depth of the deepest and its rate.
#[derive(Clone, Copy, Debug, Default)]
struct Together {
    f_n: f64,
    depth: f64,
    depth_rate: f64,
}

impl System<'_> {
    /// Notes force and indentation of every touching point at the end of a step, and of pairs, and says whether one of them
    /// had a peak within the step.
    pub(crate) fn note_peaks(&mut self, step: &Step<'_>) -> bool {
        let (mut inside, mut i) = (false, 0);
        while let Some(&at) = self.watch.active.get(i) {
            // the points of a pair follow one another
            let points = self.watch.slots[at.slot].on.len();
            inside |= if points > 1 { self.note_many(at.slot, step) } else { self.note_one(&at, step) };
            i += points;
        }
        inside
    }

    /// The only touching point of a pair.
    fn note_one(&mut self, at: &Active, step: &Step<'_>) -> bool {
        let slot = &self.watch.slots[at.slot];
        let law = &self.model.rules[slot.rule].normal;
        let (delta, delta_dot, f_n) = match self.watch.known_at(at, step.t1) {
            Some(c) => {
                let f = &slot.features[at.feature];
                let f_n = if c.delta > 0.0 { f.share * law.force(c, &f.touch).f_n } else { 0.0 };
                (c.delta, c.delta_dot, f_n)
            }
            None => {
                let [a, b] = [slot.body_a, slot.body_b].map(|b| ahead(self.model, b, step, 0.0));
                match slot.point(self.model, at.feature, &a, &b) {
                    Ok(p) => (p.contact.delta, p.delta_dot, p.f_n),
                    Err(_) => return false,
                }
            }
        };
        // the rate of a force is its change along the motion; an elastic one follows the indentation
        let rate = if law.is_elastic() {
            delta_dot
        } else {
            let [a, b] = [slot.body_a, slot.body_b].map(|b| ahead(self.model, b, step, 1e-6 * step.h()));
            slot.point(self.model, at.feature, &a, &b).map_or(0.0, |next| next.f_n - f_n)
        };
        let f = &mut self.watch.slots[at.slot].features[at.feature];
        let force_peak = f.f_n_rate > 0.0 && rate < 0.0;
        let depth_peak = f.gap_rate < 0.0 && delta_dot < 0.0;
        f.peak_force = f.peak_force.max(f_n);
        f.max_indentation = f.max_indentation.max(delta);
        f.f_n_rate = rate;
        self.watch.peak_force = self.watch.peak_force.max(f_n);
        let slot = &mut self.watch.slots[at.slot];
        slot.peaked = force_peak || depth_peak;
        slot.peaked
    }

    /// All touching points of a pair.
    fn note_many(&mut self, slot: usize, step: &Step<'_>) -> bool {
        let s = &self.watch.slots[slot];
        let bodies = |dt: f64| [s.body_a, s.body_b].map(|b| ahead(self.model, b, step, dt));
        let (next, now) = (bodies(1e-6 * step.h()), bodies(0.0));
        let next = self.together(slot, &next);
        let now = self.together(slot, &now);
        let rate = next.f_n - now.f_n;
        self.take_peaks(slot, &now);
        let s = &mut self.watch.slots[slot];
        s.peaked = s.f_n_rate > 0.0 && rate < 0.0 || s.depth_rate > 0.0 && now.depth_rate < 0.0;
        (s.f_n_rate, s.depth_rate) = (rate, now.depth_rate);
        s.peaked
    }

    /// A pair with the bodies there; its points and their forces are left in the workspace.
    fn together(&mut self, slot: usize, [ka, kb]: &[Kinematics; 2]) -> Together {
        let (s, points) = (&self.watch.slots[slot], &mut self.points);
        points.clear();
        let mut sum = Together::default();
        if s.contacts(ka, kb, &mut self.contacts).is_err() {
            return sum;
        }
        for (c, k) in self.contacts.iter().zip(&s.on) {
            let p = PointForce::new(*c, ka, kb, &self.model.rules[s.rule], &s.features[*k]);
            sum.f_n += p.f_n;
            if c.delta > sum.depth {
                (sum.depth, sum.depth_rate) = (c.delta, p.delta_dot);
            }
            points.push(p);
        }
        sum
    }

    /// Notes what `together` has found.
    fn take_peaks(&mut self, slot: usize, now: &Together) {
        let s = &mut self.watch.slots[slot];
        for (p, k) in self.points.iter().zip(&s.on) {
            let f = &mut s.features[*k];
            f.peak_force = f.peak_force.max(p.f_n);
            f.max_indentation = f.max_indentation.max(p.contact.delta);
        }
        self.watch.peak_force = self.watch.peak_force.max(now.f_n);
    }

    /// Looks for the peaks within a step.
    pub(crate) fn find_peaks(&mut self, step: &Step<'_>, dense: &Interpolant<'_>) {
        let mut i = 0;
        while let Some(&at) = self.watch.active.get(i) {
            let slot = &self.watch.slots[at.slot];
            let (points, peaked) = (slot.on.len(), slot.peaked);
            match (peaked, points) {
                (false, _) => {}
                (true, 1) => self.find_peak(at, step, dense),
                (true, _) => self.find_peaks_of_many(at.slot, step, dense),
            }
            i += points;
        }
    }

    /// The largest force of all points together, and the largest depth of any; each point is noted as it is then.
    fn find_peaks_of_many(&mut self, slot: usize, step: &Step<'_>, dense: &Interpolant<'_>) {
        let s = &self.watch.slots[slot];
        let (model, bodies) = (self.model, [s.body_a, s.body_b]);
        let of: [fn(&Together) -> f64; 2] = [|x| x.f_n, |x| x.depth];
        for of in of {
            let mut at = |t: f64| self.together(slot, &bodies.map(|b| body_at(model, b, dense, t)));
            let (t, _) = largest(|t| of(&at(t)), step.t0, step.t1);
            let top = at(t);
            self.take_peaks(slot, &top);
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

/// A body `dt` after the end of a step, at the velocities and rates of the end.
fn ahead(m: &Model, body: usize, step: &Step<'_>, dt: f64) -> Kinematics {
    let b = &m.bodies[body];
    let mut k = Kinematics::new(b, step.t1 + dt, step.y1);
    if let (BodyKind::Dynamic(d), true) = (&b.kind, dt != 0.0) {
        let (y, f) = (body_slice(step.y1, *d), body_slice(step.f1, *d));
        k.set_state(b, &std::array::from_fn(|i| y[i] + dt * f[i]));
    }
    k
}

/// Where a function with one hump between two times is largest, and that value. A hump is flat on top, so its height is
/// known to twice the digits of its place: golden section for a start, then parabolas.
fn largest(mut f: impl FnMut(f64) -> f64, t0: f64, t1: f64) -> (f64, f64) {
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
