//! Finds the largest forces and indentations: at the ends of steps and, where a maximum was passed within a step, on the
//! step's interpolant.
//!
//! A contact point has its own peak, which its release reports. A contact pair has the peak of the sum over all its points,
//! which the run reports. For a pair with several points, the points are recorded at the ends of steps and at the peaks of
//! the pair. A point with parts (a ring solved by an integral over its contact patch) carries no force itself: its peak is
//! that of the sum over its parts.

mod largest;

use std::ops::Range;

use carom_base::Two;
use carom_geometry::{Contact, PairFailure};
use carom_ode::{Interpolant, Step};

use crate::contact::{Active, ContactPair, PairBodies, PointForce, Pressed, body_at, common_rates};
use crate::layout::{Affine, Rigid};
use crate::model::Model;
use crate::state::Kinematics;
use crate::system::System;
use crate::world::BodyKind;
use largest::largest;

/// A force whose slope at the end of a step is less than this part of that at its start may have been larger within.
const STATIONARY: f64 = 1e-3;

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
        self.peaks.found.clear();
        let mut depths = std::mem::take(&mut self.peaks.depths);
        let (mut inside, mut i) = (false, 0);
        while let Some(&at) = self.monitor.active.get(i) {
            // the points of a pair follow one another in the list
            let points = self.monitor.pairs[at.pair].state.on.len();
            inside |= match points > 1 {
                true => self.note_many(at.pair, step, &mut depths),
                false => self.note_one(&at, step, &mut depths),
            };
            i += points;
        }
        self.peaks.depths = depths;
        inside
    }

    /// Records a pair that has a single touching point; see [`note_peaks`](Self::note_peaks). `depths` is workspace.
    fn note_one(&mut self, at: &Active, step: &Step<'_>, depths: &mut Vec<f64>) -> bool {
        let (m, pair) = (self.model, &self.monitor.pairs[at.pair]);
        let (law, patch) = (&m.rules[pair.rule].normal, &mut self.peaks.patch);
        let mut after = |dt: f64| {
            let [a, b] = [pair.body_a, pair.body_b].map(|body| ahead(m, body, step, dt));
            let worn = worn_ahead(m, pair, step, dt, depths);
            pressed(m, pair, at.point, PairBodies { a: &a, b: &b, worn }, patch)
        };
        // the force of a patch does not follow from the depth of its deepest point, nor that of a point that slides
        let follows = !pair.presses() && !pair.slides();
        let known = self.monitor.known_at(at, step.t1).filter(|_| follows);
        let (delta, delta_dot, f_n) = match known {
            Some(c) => {
                let f = &pair.state.points[at.point];
                let f_n =
                    if c.delta > f.touch.floor { f.latched.share * law.force(c, &f.touch).f_n } else { 0.0 };
                (c.delta, c.delta_dot, f_n)
            }
            None => match after(0.0) {
                Ok(p) => (p.delta, p.delta_dot, p.f_n),
                Err(_) => return false,
            },
        };
        // the rate of a force is its change along the motion; an elastic force follows the indentation
        let rate = if law.is_elastic() && !pair.presses() {
            delta_dot
        } else {
            let dt = 1e-6 * step.h();
            after(dt).map_or(0.0, |next| (next.f_n - f_n) / dt)
        };
        let f = &mut self.monitor.pairs[at.pair].state.points[at.point];
        // (where damping ends as surfaces turn round, a step ends at the turn, at which the force has no slope; it was largest a little before)
        let force_peak = f.peaks.force_rate > 0.0 && rate < STATIONARY * f.peaks.force_rate;
        let depth_peak = f.last.rate < 0.0 && delta_dot < 0.0;
        f.peaks.include(f_n, delta);
        f.peaks.force_rate = if force_peak { rate.min(0.0) } else { rate };
        self.monitor.report.peak_force = self.monitor.report.peak_force.max(f_n);
        let pair = &mut self.monitor.pairs[at.pair];
        (pair.state.f_n_rate, pair.state.depth_rate) = (rate, delta_dot);
        (pair.state.f_n, pair.state.depth) = (f_n, delta);
        pair.state.peaked = [force_peak, depth_peak];
        force_peak || depth_peak
    }

    /// Records a pair that has several touching points; see [`note_peaks`](Self::note_peaks). `depths` is workspace.
    fn note_many(&mut self, pair: usize, step: &Step<'_>, depths: &mut Vec<f64>) -> bool {
        let m = self.model;
        let mut after = |dt: f64| {
            let s = &self.monitor.pairs[pair];
            let [a, b] = [s.body_a, s.body_b].map(|body| ahead(m, body, step, dt));
            let worn = worn_ahead(m, s, step, dt, depths);
            self.together(pair, PairBodies { a: &a, b: &b, worn })
        };
        let next = after(1e-6 * step.h());
        let now = after(0.0);
        let rate = next.f_n - now.f_n;
        self.take_peaks(pair, &now);
        let s = &mut self.monitor.pairs[pair];
        s.state.peaked =
            [s.state.f_n_rate > 0.0 && rate < 0.0, s.state.depth_rate > 0.0 && now.depth_rate < 0.0];
        (s.state.f_n_rate, s.state.depth_rate) = (rate, now.depth_rate);
        (s.state.f_n, s.state.depth) = (now.f_n, now.depth);
        s.state.peaked != [false; 2]
    }

    /// Sums up the contact points of a pair; the force and depth of each point are left in `self.peaks.points`.
    fn together(&mut self, pair: usize, bodies: PairBodies<'_>) -> Together {
        let (s, points) = (&self.monitor.pairs[pair], &mut self.peaks.points);
        points.clear();
        let mut sum = Together::default();
        if s.is_worn() {
            return self.worn_together(pair, bodies);
        }
        let PairBodies { a: ka, b: kb, .. } = bodies;
        if s.contacts(&s.state.on, ka, kb, &mut self.peaks.contacts).is_err() {
            return sum;
        }
        for (c, contact_points) in self.peaks.contacts.iter().zip(s.on_in_twos()) {
            let v = ka.velocities_at(&c.p_a) - kb.velocities_at(&c.p_b);
            let rate = common_rates(c, ka, kb).unwrap_or_else(|| v.dot(&c.n));
            let p = Pressed::new(c, rate, &self.model.rules[s.rule], contact_points);
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
    fn worn_together(&mut self, pair: usize, bodies: PairBodies<'_>) -> Together {
        let (s, mut sum) = (&self.monitor.pairs[pair], Together::default());
        for two in s.state.on.chunks(2) {
            let mut of = |k: usize| {
                let p = pressed(self.model, s, k, bodies, &mut self.peaks.patch);
                p.map_or([0.0; 3], |p| [p.f_n, p.delta, p.delta_dot])
            };
            let [a, b] = [of(two[0]), if two.len() > 1 { of(two[1]) } else { [0.0; 3] }];
            for [f_n, delta, delta_dot] in [a, b] {
                sum.f_n += f_n;
                if delta > sum.depth {
                    (sum.depth, sum.depth_rate) = (delta, delta_dot);
                }
            }
            self.peaks.points.push([Two::new(a[0], b[0]), Two::new(a[1], b[1])]);
        }
        sum
    }

    /// Updates the recorded maxima with the forces and depths that `together` has found.
    fn take_peaks(&mut self, pair: usize, now: &Together) {
        let s = &mut self.monitor.pairs[pair];
        for ([f_n, delta], two) in self.peaks.points.iter().zip(s.state.on.chunks(2)) {
            for ((k, f_n), delta) in two.iter().zip(f_n.lanes()).zip(delta.lanes()) {
                let f = &mut s.state.points[*k];
                f.peaks.include(f_n, delta);
            }
        }
        if !s.parts(0).is_empty() {
            s.state.points[0].peaks.force = s.state.points[0].peaks.force.max(now.f_n);
        }
        self.monitor.report.peak_force = self.monitor.report.peak_force.max(now.f_n);
    }

    /// Finds the peaks within a step, of those pairs for which [`note_peaks`](Self::note_peaks) has reported one.
    pub(crate) fn find_peaks(&mut self, step: &Step<'_>, dense: &Interpolant<'_>) {
        let mut depths = std::mem::take(&mut self.peaks.depths);
        let mut i = 0;
        while let Some(&at) = self.monitor.active.get(i) {
            let pair = &self.monitor.pairs[at.pair];
            let (points, peaked) = (pair.state.on.len(), pair.state.peaked);
            match (peaked, points) {
                ([false, false], _) => {}
                (_, 1) => self.find_peak(at, step, dense, &mut depths),
                _ => self.find_peaks_of_many(at.pair, step, dense, &mut depths),
            }
            i += points;
        }
        self.peaks.depths = depths;
    }

    /// Finds the largest sum of the forces of all points and the largest depth of any point within a step, and records each
    /// point at those times. `depths` is workspace.
    fn find_peaks_of_many(
        &mut self,
        pair: usize,
        step: &Step<'_>,
        dense: &Interpolant<'_>,
        depths: &mut Vec<f64>,
    ) {
        let (m, s) = (self.model, &self.monitor.pairs[pair]);
        let of: [fn(&Together) -> f64; 2] = [|x| x.f_n, |x| x.depth];
        let peaked = s.state.peaked;
        for (of, _) in of.into_iter().zip(peaked).filter(|(_, peaked)| *peaked) {
            let mut at = |t: f64| {
                let s = &self.monitor.pairs[pair];
                let [a, b] = [s.body_a, s.body_b].map(|body| body_at(m, body, dense, t));
                let worn = worn_within(m, s, (step, dense), t, depths);
                self.together(pair, PairBodies { a: &a, b: &b, worn })
            };
            let (t, _) = largest(|t| of(&at(t)), step.t0, step.t1);
            let top = at(t);
            self.take_peaks(pair, &top);
            self.peaks.found.push((pair, t));
        }
    }

    /// Finds the largest force and depth of a pair that has a single touching point. `depths` is workspace.
    fn find_peak(&mut self, at: Active, step: &Step<'_>, dense: &Interpolant<'_>, depths: &mut Vec<f64>) {
        let (m, pair) = (self.model, &self.monitor.pairs[at.pair]);
        let patch = &mut self.peaks.patch;
        let mut sample = |t: f64| -> [f64; 2] {
            let [a, b] = [pair.body_a, pair.body_b].map(|body| body_at(m, body, dense, t));
            let worn = worn_within(m, pair, (step, dense), t, depths);
            match pressed(m, pair, at.point, PairBodies { a: &a, b: &b, worn }, patch) {
                Ok(p) => [p.f_n, p.delta],
                Err(_) => [0.0; 2],
            }
        };
        let [force_peak, depth_peak] = pair.state.peaked;
        let mut most = [0.0f64; 2];
        let peaks = &mut self.peaks.found;
        // both quantities are recorded at the peak of either: an elastic force is largest where the indentation is
        let mut note = |of: usize| {
            let (t, _) = largest(|t| sample(t)[of], step.t0, step.t1);
            let top = sample(t);
            peaks.push((at.pair, t));
            most = [most[0].max(top[0]), most[1].max(top[1])];
        };
        let elastic = m.rules[pair.rule].normal.is_elastic() && !pair.presses();
        if depth_peak || elastic {
            note(1);
        }
        if force_peak && !elastic {
            note(0);
        }
        let [force, depth] = most;
        let f = &mut self.monitor.pairs[at.pair].state.points[at.point];
        f.peaks.include(force, depth);
        self.monitor.report.peak_force = self.monitor.report.peak_force.max(force);
    }
}

/// Computes the normal force of a contact point by its true indentation: none where the surfaces are apart, even by rounding,
/// so that a contact ends where its indentation does. That of a patch is its resultant; `patch` is workspace.
fn pressed(
    m: &Model,
    pair: &ContactPair,
    k: usize,
    bodies: PairBodies<'_>,
    patch: &mut Vec<Contact>,
) -> Result<Pressed, PairFailure> {
    if pair.presses() {
        let PointForce { contact, delta_dot, f_n, f_elastic, load, .. } =
            pair.patch_point(m, bodies, patch)?.point;
        return Ok(Pressed { delta: contact.delta, delta_dot, f_n, f_elastic, load, touches: true });
    }
    let contact = pair.contact(k, bodies)?;
    let delta_dot = pair.closing(k, &contact, bodies).delta_dot;
    if contact.delta <= pair.state.points[k].touch.floor {
        let delta = contact.delta;
        return Ok(Pressed { delta, delta_dot, f_n: 0.0, f_elastic: 0.0, load: 0.0, touches: false });
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

/// Extrapolates the wear depths by `dt` beyond the end of a step, with the rates at that end. For a pair that is not worn the
/// depths at that end are returned.
fn worn_ahead<'d>(
    m: &Model,
    pair: &ContactPair,
    step: &Step<'d>,
    dt: f64,
    depths: &'d mut Vec<f64>,
) -> &'d [f64] {
    if dt == 0.0 || !pair.is_worn() {
        return m.world.layout.worn(step.y1);
    }
    let rows = m.world.layout.depth_rows(step.y1.len());
    depths.resize(rows.len(), 0.0);
    extrapolate(step, dt, rows, depths);
    depths
}

/// Interpolates the wear depths at time `t` within a step. For a pair that is not worn the depths at the end of the step are
/// returned.
fn worn_within<'d>(
    m: &Model,
    pair: &ContactPair,
    (step, dense): (&Step<'d>, &Interpolant<'_>),
    t: f64,
    depths: &'d mut Vec<f64>,
) -> &'d [f64] {
    if !pair.is_worn() {
        return m.world.layout.worn(step.y1);
    }
    let rows = m.world.layout.depth_rows(step.y1.len());
    depths.resize(rows.len(), 0.0);
    dense.at(t, rows, depths);
    depths
}

/// Extrapolates some components of the state by `dt` beyond the end of a step, with the rates at that end.
fn extrapolate(step: &Step<'_>, dt: f64, rows: Range<usize>, out: &mut [f64]) {
    let ends = step.y1[rows.clone()].iter().zip(&step.f1[rows]);
    out.iter_mut().zip(ends).for_each(|(out, (y, f))| *out = y + dt * f);
}
