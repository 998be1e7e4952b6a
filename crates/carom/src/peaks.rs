//! Finds the largest forces and indentations: at the ends of steps and, where a maximum was passed within a step, on the
//! step's interpolant.
//!
//! A contact point has its own peak, which its release reports. A contact pair has the peak of the sum over all its points,
//! which the run reports. For a pair with several points, the points are recorded at the ends of steps and at the peaks of
//! the pair. A point with parts (a ring solved by an integral over its contact patch) carries no force itself: its peak is
//! that of the sum over its parts.

use std::ops::Range;

use carom_base::Two;
use carom_geometry::PairFailure;
use carom_ode::{Interpolant, Step};

use crate::contact::{Active, ContactPair, Pressed, body_at};
use crate::layout::{Affine, Rigid};
use crate::model::Model;
use crate::state::Kinematics;
use crate::system::System;
use crate::world::BodyKind;

/// A pair of many contact points at one time: the sum of their normal forces [N], the depth of the deepest point [m] and the
/// rate of that depth [m/s].
#[derive(Clone, Copy, Debug, Default)]
struct Together {
    f_n: f64,
    depth: f64,
    depth_rate: f64,
}

impl System<'_> {
    /// Records force and indentation of every touching point and of every pair at the end of a step. Returns whether one of
    /// them had a peak within the step.
    pub(crate) fn note_peaks(&mut self, step: &Step<'_>) -> bool {
        self.see_wear(step.y1);
        self.peaks.clear();
        let (mut inside, mut i) = (false, 0);
        while let Some(&at) = self.monitor.active.get(i) {
            // the points of a pair follow one another in the list
            let points = self.monitor.pairs[at.pair].state.on.len();
            inside |= if points > 1 { self.note_many(at.pair, step) } else { self.note_one(&at, step) };
            i += points;
        }
        inside
    }

    /// Records a pair that has a single touching point; see [`note_peaks`](Self::note_peaks).
    fn note_one(&mut self, at: &Active, step: &Step<'_>) -> bool {
        let pair = &self.monitor.pairs[at.pair];
        let law = &self.model.rules[pair.rule].normal;
        let (delta, delta_dot, f_n) = match self.monitor.known_at(at, step.t1) {
            Some(c) => {
                let f = &pair.state.points[at.point];
                let f_n = if c.delta > 0.0 { f.share * law.force(c, &f.touch).f_n } else { 0.0 };
                (c.delta, c.delta_dot, f_n)
            }
            None => {
                let [a, b] = [pair.body_a, pair.body_b].map(|b| ahead(self.model, b, step, 0.0));
                match pressed(self.model, pair, at.point, [&a, &b]) {
                    Ok(p) => (p.delta, p.delta_dot, p.f_n),
                    Err(_) => return false,
                }
            }
        };
        // the rate of a force is its change along the motion; an elastic force follows the indentation
        let rate = if law.is_elastic() {
            delta_dot
        } else {
            let bodies = [pair.body_a, pair.body_b].map(|b| ahead(self.model, b, step, 1e-6 * step.h()));
            pressed(self.model, pair, at.point, bodies.each_ref()).map_or(0.0, |next| next.f_n - f_n)
        };
        let f = &mut self.monitor.pairs[at.pair].state.points[at.point];
        let force_peak = f.f_n_rate > 0.0 && rate < 0.0;
        let depth_peak = f.gap_rate < 0.0 && delta_dot < 0.0;
        f.peak_force = f.peak_force.max(f_n);
        f.max_indentation = f.max_indentation.max(delta);
        f.f_n_rate = rate;
        self.monitor.peak_force = self.monitor.peak_force.max(f_n);
        let pair = &mut self.monitor.pairs[at.pair];
        (pair.state.f_n_rate, pair.state.depth_rate) = (rate, delta_dot);
        (pair.state.f_n, pair.state.depth) = (f_n, delta);
        pair.state.peaked = [force_peak, depth_peak];
        force_peak || depth_peak
    }

    /// Records a pair that has several touching points; see [`note_peaks`](Self::note_peaks).
    fn note_many(&mut self, pair: usize, step: &Step<'_>) -> bool {
        let s = &self.monitor.pairs[pair];
        let bodies = |dt: f64| [s.body_a, s.body_b].map(|b| ahead(self.model, b, step, dt));
        let (next, now) = (bodies(1e-6 * step.h()), bodies(0.0));
        let next = self.together(pair, &next);
        let now = self.together(pair, &now);
        let rate = next.f_n - now.f_n;
        self.take_peaks(pair, &now);
        let s = &mut self.monitor.pairs[pair];
        s.state.peaked =
            [s.state.f_n_rate > 0.0 && rate < 0.0, s.state.depth_rate > 0.0 && now.depth_rate < 0.0];
        (s.state.f_n_rate, s.state.depth_rate) = (rate, now.depth_rate);
        (s.state.f_n, s.state.depth) = (now.f_n, now.depth);
        s.state.peaked != [false; 2]
    }

    /// Sums up a pair with its bodies in the given positions; the force and depth of each point are left in `self.points`.
    fn together(&mut self, pair: usize, [ka, kb]: &[Kinematics; 2]) -> Together {
        let (s, points) = (&self.monitor.pairs[pair], &mut self.points);
        points.clear();
        let mut sum = Together::default();
        if s.is_worn() {
            return self.worn_together(pair, [ka, kb]);
        }
        if s.contacts(&s.state.on, ka, kb, &mut self.contacts).is_err() {
            return sum;
        }
        for (c, contact_points) in self.contacts.iter().zip(s.on_in_twos()) {
            let v = ka.velocities_at(&c.p_a) - kb.velocities_at(&c.p_b);
            let p = Pressed::new(c, v.dot(&c.n), &self.model.rules[s.rule], contact_points);
            sum.f_n += p.f_n.sum();
            for (delta, delta_dot) in p.delta.lanes().into_iter().zip(p.delta_dot.lanes()) {
                if delta > sum.depth {
                    (sum.depth, sum.depth_rate) = (delta, delta_dot);
                }
            }
            points.push([p.f_n, p.delta]);
        }
        sum
    }

    /// Sums up the pair of a worn bearing, whose contact points are evaluated one by one; otherwise as
    /// [`together`](Self::together).
    fn worn_together(&mut self, pair: usize, bodies: [&Kinematics; 2]) -> Together {
        let (s, mut sum) = (&self.monitor.pairs[pair], Together::default());
        for two in s.state.on.chunks(2) {
            let of = |k: usize| {
                let p = pressed(self.model, s, k, bodies);
                p.map_or([0.0; 3], |p| [p.f_n, p.delta, p.delta_dot])
            };
            let [a, b] = [of(two[0]), if two.len() > 1 { of(two[1]) } else { [0.0; 3] }];
            for [f_n, delta, delta_dot] in [a, b] {
                sum.f_n += f_n;
                if delta > sum.depth {
                    (sum.depth, sum.depth_rate) = (delta, delta_dot);
                }
            }
            self.points.push([Two::new(a[0], b[0]), Two::new(a[1], b[1])]);
        }
        sum
    }

    /// Updates the recorded maxima with the forces and depths that `together` has found.
    fn take_peaks(&mut self, pair: usize, now: &Together) {
        let s = &mut self.monitor.pairs[pair];
        for ([f_n, delta], two) in self.points.iter().zip(s.state.on.chunks(2)) {
            for ((k, f_n), delta) in two.iter().zip(f_n.lanes()).zip(delta.lanes()) {
                let f = &mut s.state.points[*k];
                f.peak_force = f.peak_force.max(f_n);
                f.max_indentation = f.max_indentation.max(delta);
            }
        }
        if !s.parts(0).is_empty() {
            s.state.points[0].peak_force = s.state.points[0].peak_force.max(now.f_n);
        }
        self.monitor.peak_force = self.monitor.peak_force.max(now.f_n);
    }

    /// Finds the peaks within a step, of those pairs for which [`note_peaks`](Self::note_peaks) has reported one.
    pub(crate) fn find_peaks(&mut self, step: &Step<'_>, dense: &Interpolant<'_>) {
        let mut i = 0;
        while let Some(&at) = self.monitor.active.get(i) {
            let pair = &self.monitor.pairs[at.pair];
            let (points, peaked) = (pair.state.on.len(), pair.state.peaked);
            match (peaked, points) {
                ([false, false], _) => {}
                (_, 1) => self.find_peak(at, step, dense),
                _ => self.find_peaks_of_many(at.pair, step, dense),
            }
            i += points;
        }
    }

    /// Finds the largest sum of the forces of all points and the largest depth of any point within a step, and records each
    /// point at those times.
    fn find_peaks_of_many(&mut self, pair: usize, step: &Step<'_>, dense: &Interpolant<'_>) {
        let s = &self.monitor.pairs[pair];
        let (model, bodies) = (self.model, [s.body_a, s.body_b]);
        let of: [fn(&Together) -> f64; 2] = [|x| x.f_n, |x| x.depth];
        let peaked = s.state.peaked;
        for (of, _) in of.into_iter().zip(peaked).filter(|(_, peaked)| *peaked) {
            let mut at = |t: f64| self.together(pair, &bodies.map(|b| body_at(model, b, dense, t)));
            let (t, _) = largest(|t| of(&at(t)), step.t0, step.t1);
            let top = at(t);
            self.take_peaks(pair, &top);
            self.peaks.push((pair, t));
        }
    }

    fn find_peak(&mut self, at: Active, step: &Step<'_>, dense: &Interpolant<'_>) {
        let pair = &self.monitor.pairs[at.pair];
        let sample = |t: f64| -> [f64; 2] {
            let bodies = [pair.body_a, pair.body_b].map(|b| body_at(self.model, b, dense, t));
            match pressed(self.model, pair, at.point, bodies.each_ref()) {
                Ok(p) => [p.f_n, p.delta],
                Err(_) => [0.0; 2],
            }
        };
        let [force_peak, depth_peak] = pair.state.peaked;
        let mut most = [0.0f64; 2];
        let peaks = &mut self.peaks;
        // both quantities are recorded at the peak of either: an elastic force is largest where the indentation is
        let mut note = |of: usize| {
            let (t, _) = largest(|t| sample(t)[of], step.t0, step.t1);
            let top = sample(t);
            peaks.push((at.pair, t));
            most = [most[0].max(top[0]), most[1].max(top[1])];
        };
        let elastic = self.model.rules[pair.rule].normal.is_elastic();
        if depth_peak || elastic {
            note(1);
        }
        if force_peak && !elastic {
            note(0);
        }
        let [force, depth] = most;
        let f = &mut self.monitor.pairs[at.pair].state.points[at.point];
        f.peak_force = f.peak_force.max(force);
        f.max_indentation = f.max_indentation.max(depth);
        self.monitor.peak_force = self.monitor.peak_force.max(force);
    }
}

/// Computes the normal force of a contact point with the bodies at `ka` and `kb`, by its true indentation: none where the surfaces
/// are apart, even by rounding, so that a contact ends where its indentation does.
fn pressed(
    m: &Model,
    pair: &ContactPair,
    k: usize,
    [ka, kb]: [&Kinematics; 2],
) -> Result<Pressed, PairFailure> {
    let contact = pair.contact(k, ka, kb)?;
    let delta_dot = pair.closing(k, &contact, ka, kb).delta_dot;
    if contact.delta <= 0.0 {
        return Ok(Pressed { delta: contact.delta, delta_dot, f_n: 0.0, f_elastic: 0.0 });
    }
    Ok(Pressed::new(&contact, delta_dot, &m.rules[pair.rule], &pair.state.points[k]))
}

/// Extrapolates a body by `dt` beyond the end of a step, with the rates at that end.
fn ahead(m: &Model, body: usize, step: &Step<'_>, dt: f64) -> Kinematics {
    let b = &m.world.bodies[body];
    let mut k = Kinematics::new(b, step.t1 + dt, step.y1);
    match &b.kind {
        BodyKind::Dynamic(rows) if dt != 0.0 => {
            let then = rows.read(|rows, out| extrapolate(step, dt, rows, out));
            k.set_rigid(b.orientation_matters, Rigid(&then));
        }
        BodyKind::Affine(rows) if dt != 0.0 => {
            let then = rows.read(|rows, out| extrapolate(step, dt, rows, out));
            k.set_affine(&Affine::of(&then));
        }
        _ => {}
    }
    k
}

/// Extrapolates some components of the state by `dt` beyond the end of a step, with the rates at that end.
fn extrapolate(step: &Step<'_>, dt: f64, rows: Range<usize>, out: &mut [f64]) {
    let ends = step.y1[rows.clone()].iter().zip(&step.f1[rows]);
    out.iter_mut().zip(ends).for_each(|(out, (y, f))| *out = y + dt * f);
}

/// Finds the time at which a function with a single maximum between two times is largest, and that value. Near its maximum a
/// function is flat, so its value there is known to twice as many digits as its time.
///
/// Uses golden sections, and the vertices of parabolas through the three highest points where these converge (Brent,
/// Algorithms for Minimization without Derivatives, 1973, ch. 5). Parabolas through the ends of the interval, one of which
/// stays fixed, would converge slowly.
fn largest(mut f: impl FnMut(f64) -> f64, t0: f64, t1: f64) -> (f64, f64) {
    let golden = 0.5 * (3.0 - 5.0f64.sqrt());
    let (mut low, mut high) = (t0, t1);
    let close = 3e-6 * (t1 - t0);
    let start = t0 + golden * (t1 - t0);
    let mut top = (start, f(start));
    // the first parabola goes through the ends of the interval
    let mut others = [(t0, f(t0)), (t1, f(t1))];
    if others[0].1 < others[1].1 {
        others.swap(0, 1);
    }
    // if the function is higher at an end than anywhere inside, that end is the answer
    let best_end = others[0];
    let (mut step, mut before) = (t1 - t0, t1 - t0);
    for _ in 0..40 {
        let shift = parabola(top, others).filter(|s| {
            let t = top.0 + s;
            // it must converge faster than bisection
            t > low && t < high && s.abs() < 0.5 * before.abs()
        });
        let longer = if high - top.0 > top.0 - low { high - top.0 } else { low - top.0 };
        before = if shift.is_some() { step } else { longer };
        step = shift.unwrap_or(golden * before);
        let t = top.0 + step;
        let next = (t, f(t));
        if next.1 >= top.1 {
            (low, high) = if t > top.0 { (top.0, high) } else { (low, top.0) };
            others = [top, others[0]];
            top = next;
        } else {
            (low, high) = if t > top.0 { (low, t) } else { (t, high) };
            if next.1 >= others[0].1 {
                others = [next, others[0]];
            } else if next.1 >= others[1].1 {
                others[1] = next;
            }
        }
        if step.abs() <= close {
            break;
        }
    }
    if best_end.1 > top.1 { best_end } else { top }
}

/// Returns the distance from a point to the vertex of the parabola through it and two others, or `None` if there is no
/// vertex.
fn parabola((t, f): (f64, f64), [(t_1, f_1), (t_2, f_2)]: [(f64, f64); 2]) -> Option<f64> {
    let (d_1, d_2) = (t_1 - t, t_2 - t);
    let (r_1, r_2) = ((f_1 - f) * d_2, (f_2 - f) * d_1);
    let shift = 0.5 * (r_1 * d_2 - r_2 * d_1) / (r_1 - r_2);
    shift.is_finite().then_some(shift)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A function, the time of its maximum, and the maximum.
    type Hump = (fn(f64) -> f64, f64, f64);

    /// Functions with known maxima, symmetric and skewed, near one end of the interval and in its middle.
    #[test]
    fn the_top_of_a_hump() {
        let humps: [Hump; 4] = [
            (f64::sin, std::f64::consts::FRAC_PI_2, 1.0),
            (|t| t * (-t).exp(), 1.0, (-1.0f64).exp()),
            (|t| t.powf(1.5) * (1.0 - 0.4 * t), 1.5, 1.5f64.powf(1.5) * 0.4),
            (|t| 3.0 + (2.0 * (t - 1.3)).cos(), 1.3, 4.0),
        ];
        for (f, at, height) in humps {
            for (t0, t1) in [(0.5, 2.0), (0.9, 1.7), (0.2, 2.3)] {
                let mut asked = 0;
                let (t, top) = largest(
                    |t| {
                        asked += 1;
                        f(t)
                    },
                    t0,
                    t1,
                );
                let near = 1e-5 * (t1 - t0);
                assert!(
                    (t - at).abs() < near && (top - height).abs() < 1e-10,
                    "{t} {top}, not {at} {height}"
                );
                assert!(asked <= 14, "{asked} points");
            }
        }
        // a monotonic function is largest at its higher end
        assert_eq!(largest(|t| 2.0 * t, 0.0, 1.0), (1.0, 2.0));
        assert_eq!(largest(|t| -t, 0.0, 1.0), (0.0, 0.0));
    }
}
