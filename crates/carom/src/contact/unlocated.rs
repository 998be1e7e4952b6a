//! Contacts whose touches are not located: for fixed steps and many bodies.
//!
//! Every contact point that can be reached in the next step may carry a force. Laws latch their quantities at the last
//! accepted step before a contact, so that rates stay a pure function of the state within a step.
//!
//! Two checks ensure that no body passes through another. Before a step, the motion is predicted: velocities as they are,
//! accelerations up to [`AHEAD`] times the present ones. The step ends where the first gap could close under that prediction,
//! or a small part of the impact later. After the step, the accelerations at its stages are compared with the predicted ones.
//! If a body moved further than they allow, or if the step was longer, its gaps are bounded again by its actual motion, as
//! for located contacts, and the step is cut short at the first contact that it does not resolve.
//!
//! A plain run has neither check: every contact point may carry a force at any time, and the method's own error estimate is
//! all that limits a step.

use carom_geometry::PairFailure;
use carom_ode::events::{Found, Sample, first_crossing_longer_than};
use carom_ode::{Interpolant, RhsFailure, Step};

use super::bodies::PairBodies;
use super::bounds::{PairBounds, clearance};
use super::contact_point::Status;
use super::monitor::{ContactMonitor, Suspect, body_at};
use super::pair::ContactPair;
use super::reason::reason;
use crate::contact::Active;
use crate::model::Model;
use crate::record::Warning;
use crate::site::Part;
use crate::world::BodyKind;

/// The share of a contact's duration by which a step may run into it.
const INTO_CONTACT: f64 = 0.05;
/// Accelerations in the next step are assumed to be at most this many times the present ones.
const AHEAD: f64 = 2.0;
/// A gap below this part of the smallest body's size counts as reached: a body may move that far beyond the prediction.
const NEAR: f64 = 1e-6;

/// The prediction for the step being tried.
#[derive(Clone, Debug)]
pub(crate) struct Foreseen {
    /// bounds on the acceleration [m/s²] and angular acceleration [rad/s²] of every body
    accelerations: Vec<[f64; 2]>,
    /// for every body, whether it moved further than predicted, by more than `near`
    exceeded: Vec<bool>,
    /// longest step that the prediction allows [s]
    limit: f64,
    /// step length up to which the prediction is certain [s]; beyond, other points of pairs that touch may close
    sure: f64,
    /// gap that counts as reached [m]
    near: f64,
}

carom_base::plain!(Foreseen { accelerations, exceeded, limit, sure, near });

impl Foreseen {
    pub(super) fn new(m: &Model) -> Foreseen {
        let sizes = m.world.bodies.iter().map(|b| b.size).filter(|size| *size > 0.0);
        let smallest = sizes.fold(m.world.scale.length, f64::min);
        let n = m.world.bodies.len();
        Foreseen {
            accelerations: vec![[0.0; 2]; n],
            exceeded: vec![false; n],
            limit: 0.0,
            sure: 0.0,
            near: NEAR * smallest,
        }
    }
}

impl ContactMonitor {
    /// Records touches and releases in an accepted state, activates the contact points that can be reached within `h_wish`
    /// [s], and returns the longest safe step [s].
    pub(crate) fn look_ahead(&mut self, m: &Model, t: f64, y: &[f64], dy: &[f64], h_wish: f64) -> f64 {
        let now = Step::still(t, y, dy);
        for (i, (bounds, b)) in self.bounds.iter_mut().zip(&m.world.bodies).enumerate() {
            bounds.look(b, &now);
            match &b.kind {
                // the bounds of a prescribed motion are known
                BodyKind::Prescribed(motion) => bounds.prescribe(motion.bounds(t, t + h_wish)),
                _ => {
                    bounds.acceleration *= AHEAD;
                    bounds.angular_acceleration *= AHEAD;
                }
            }
            self.foreseen.accelerations[i] = [bounds.acceleration, bounds.angular_acceleration];
        }
        self.accepted += 1;
        self.find_reachable(m, h_wish);
        (self.foreseen.limit, self.foreseen.sure) = (h_wish, h_wish);
        let worn = m.world.layout.worn(y);
        for i in 0..self.candidates.len() {
            self.examine_pair(m, t, self.candidates[i], worn, h_wish);
        }
        self.foreseen.limit
    }

    /// Finds the contact pairs that can be reached within the time `h` [s], and those that touched: they may have parted
    /// further than that.
    fn find_reachable(&mut self, m: &Model, h: f64) {
        let near = self.foreseen.near;
        self.find_candidates_within(m, |b, lever| {
            let speed = b.start.v.norm() + 0.5 * b.acceleration * h;
            near + (speed + lever * (b.angular_speed + 0.5 * b.angular_acceleration * h)) * h
        });
        self.examined.steps += 1;
        for &pair in &self.candidates {
            self.pairs[pair].scratch.end_of = self.examined.steps;
        }
        for at in &self.active {
            let pair = &mut self.pairs[at.pair];
            pair.state.on.clear();
            if pair.scratch.end_of != self.examined.steps && pair.state.points[at.point].status != Status::Off
            {
                pair.scratch.end_of = self.examined.steps;
                self.candidates.push(at.pair);
            }
        }
        self.active.clear();
    }

    /// Returns the longest fixed step that resolves the contacts that touch now [s]: a fifth of the shortest time scale, that
    /// is twenty steps per impact.
    pub(crate) fn step_in_contact(&self, m: &Model) -> f64 {
        let touching = self.active.iter().filter(|at| {
            let f = &self.pairs[at.pair].state.points[at.point];
            f.status != Status::Off && f.touch.stiffness > 0.0
        });
        touching.map(|at| 0.2 * self.pairs[at.pair].time_scale(m, at.point)).fold(f64::INFINITY, f64::min)
    }

    /// Records the touches and releases of a pair in an accepted state at time `t` [s], and activates its points that can be
    /// reached within `h` [s].
    fn examine_pair(&mut self, m: &Model, t: f64, index: usize, worn: &[f64], h: f64) {
        let pair = &self.pairs[index];
        let (a, b) = (&self.bounds[pair.body_a], &self.bounds[pair.body_b]);
        let reach = PairBounds::ahead(pair, [a, b], worn, h).rate * h + self.foreseen.near;
        let apart = pair.state.points.iter().all(|f| f.status == Status::Off);
        if apart && clearance(m, pair, &a.start, &b.start) > reach {
            return;
        }
        self.pairs[index].find_near_points(&a.end, &b.end, reach);
        for i in 0..self.pairs[index].scratch.near.len() {
            let at = Active { pair: index, point: self.pairs[index].scratch.near[i] };
            if !self.examine_point(m, t, at, worn, false) {
                return;
            }
            self.limit_step(m, at, worn, h, !apart);
        }
    }

    /// Records the touch or release of a contact point in an accepted state at time `t` [s], and activates it; `follow`: whether phases of its law change there, where nobody locates their ends. Returns whether
    /// its gap could be computed.
    fn examine_point(&mut self, m: &Model, t: f64, at: Active, worn: &[f64], follow: bool) -> bool {
        let Some((g, rate)) = self.gap_at_end(at, worn) else { return false };
        let f = &mut self.pairs[at.pair].state.points[at.point];
        // its law was latched in the previous state, when it was apart
        let latched = f.last.step + 1 == self.accepted && f.last.gap >= f.begins;
        // the touch lies between two states, and the motion may have reversed since: it closed no more slowly than at
        // either of them
        let speed = (-f.last.rate.min(rate)).max(0.0);
        f.store_gap(t, g, rate, self.accepted);
        match f.status {
            Status::Off if g < f.begins && latched => self.note_touch(m, t, at, speed),
            Status::Off if g < f.begins => self.found_touching(m, t, at, worn),
            Status::On | Status::Free if g <= f.edge() && !follow => {}
            Status::On | Status::Free if g <= f.edge() => {
                self.follow_phases(&*m.rules[self.pairs[at.pair].rule].normal, at)
            }
            status => {
                if status != Status::Off {
                    self.release(m, t, at, worn);
                }
                self.latch(m, t, at, worn);
            }
        }
        self.activate(at);
        true
    }

    /// For plain runs: records touches and releases in an accepted state, and activates every contact point of all pairs,
    /// however far it is.
    pub(crate) fn activate_all(&mut self, m: &Model, t: f64, y: &[f64], dy: &[f64]) {
        let now = Step::still(t, y, dy);
        self.bounds.iter_mut().zip(&m.world.bodies).for_each(|(bounds, b)| bounds.look(b, &now));
        self.accepted += 1;
        self.examined.steps += 1;
        self.active.clear();
        let worn = m.world.layout.worn(y);
        for pair in 0..self.pairs.len() {
            self.pairs[pair].state.on.clear();
            for point in 0..self.pairs[pair].monitored_points() {
                if !self.examine_point(m, t, Active { pair, point }, worn, true) {
                    return;
                }
            }
        }
    }

    /// Limits the step so that it goes no more than a small part into a contact, counted from where a point may touch or, if
    /// it has just touched, from where it is. (Deeper in, its force acts from the start of the step, and the error estimate
    /// limits the step.)
    fn limit_step(&mut self, m: &Model, at: Active, worn: &[f64], h: f64, touching: bool) {
        let pair = &self.pairs[at.pair];
        let point = &pair.state.points[at.point];
        let (g, rate) = (point.last.gap - point.edge(), point.last.rate);
        let least = m.rules[pair.rule].min_impact_speed;
        let closing = (-rate).max(least);
        if g <= 0.0 {
            if rate < 0.0 {
                let into = INTO_CONTACT * pair.duration_at(m, at.point, closing);
                self.foreseen.limit = self.foreseen.limit.min(into.max(-g / closing));
            }
            return;
        }
        let (open, speed) = self.open_for(pair, worn, (g, rate), h);
        let sure = open.max(INTO_CONTACT * pair.duration_at(m, at.point, speed.max(least)));
        self.foreseen.sure = self.foreseen.sure.min(sure);
        // if the pair touches, the integrator's own step control follows the motion, and a gap that goes on closing at its
        // present rate is resolved
        let likely = (g / closing).max(INTO_CONTACT * pair.duration_at(m, at.point, closing));
        self.foreseen.limit = self.foreseen.limit.min(if touching { sure.max(likely) } else { sure });
    }

    /// Returns the time for which a gap certainly stays open, up to `h` [s], and the largest speed at which it can then close
    /// [m/s].
    fn open_for(&self, pair: &ContactPair, worn: &[f64], (g, rate): (f64, f64), h: f64) -> (f64, f64) {
        let ends = [&self.bounds[pair.body_a], &self.bounds[pair.body_b]];
        let now = PairBounds::ahead(pair, ends, worn, 0.0).rate;
        let (mut within, mut sure, mut speed) = (h, 0.0f64, now);
        // the shorter the time, the sharper the bounds
        for _ in 0..4 {
            let pair_bounds = PairBounds::ahead(pair, ends, worn, within);
            let open = pair_bounds.open_for(pair, g, rate, now);
            speed = pair_bounds.rate;
            if open >= within {
                return (within, speed);
            }
            sure = sure.max(open);
            within = (4.0 * open).min(within);
        }
        (sure, speed)
    }

    /// Lets a contact point that can be reached, and the points that touch together with it, carry forces.
    pub(super) fn activate(&mut self, at: Active) {
        let pair = &mut self.pairs[at.pair];
        for point in std::iter::once(at.point).chain(pair.parts(at.point)) {
            pair.state.on.push(point);
            self.active.push(Active { pair: at.pair, point });
        }
    }

    /// Returns whether a step stayed within the prediction or, if not, still resolves every contact.
    pub(crate) fn verify(&mut self, m: &Model, step: &Step<'_>) -> Result<bool, RhsFailure> {
        let h = step.h();
        self.examined.suspects.clear();
        let mut surprised = false;
        let foreseen = &mut self.foreseen;
        for (i, (bounds, b)) in self.bounds.iter_mut().zip(&m.world.bodies).enumerate() {
            bounds.look(b, step);
            let [a, turning] = foreseen.accelerations[i];
            let more = (bounds.acceleration - a).max(0.0);
            let turned = (bounds.angular_acceleration - turning).max(0.0);
            let further = 0.5 * h * h * (more + turned * b.size);
            // (NaN counts as more than predicted)
            foreseen.exceeded[i] = !(further <= foreseen.near);
            surprised |= foreseen.exceeded[i];
        }
        if let Some(failure) = self.turned_too_far(m, h) {
            return Err(failure);
        }
        let foreseen = &self.foreseen;
        let (long, unsure) = (h > foreseen.limit * (1.0 + 1e-9), h > foreseen.sure * (1.0 + 1e-9));
        if !(surprised || unsure) {
            return Ok(true);
        }
        if !self.search.eager && (surprised || long) {
            self.find_candidates(m, h, 0.0);
        }
        let worn = m.world.layout.worn(step.y1);
        for i in 0..self.candidates.len() {
            let pair = &self.pairs[self.candidates[i]];
            let changed = long || self.foreseen.exceeded[pair.body_a] || self.foreseen.exceeded[pair.body_b];
            if changed || pair.state.points.iter().any(|f| f.status != Status::Off) {
                let pair = self.candidates[i];
                let failure = |e| Part::Contact(pair).fails(reason(e));
                self.verify_pair(m, pair, step, worn).map_err(failure)?;
            }
        }
        Ok(self.examined.suspects.is_empty())
    }

    /// For plain runs: returns an error if a joint may have turned too far in a step for its turns to be counted, and otherwise
    /// that the step is as it should be.
    pub(crate) fn verify_turns(&mut self, m: &Model, step: &Step<'_>) -> Result<bool, RhsFailure> {
        self.bounds.iter_mut().zip(&m.world.bodies).for_each(|(bounds, b)| bounds.look(b, step));
        self.turned_too_far(m, step.h()).map_or(Ok(true), Err)
    }

    /// Finds the contact points of a pair that may have gone deeper into a contact than a step may without resolving it.
    fn verify_pair(
        &mut self,
        m: &Model,
        index: usize,
        step: &Step<'_>,
        worn: &[f64],
    ) -> Result<(), PairFailure> {
        let pair = &mut self.pairs[index];
        let (a, b) = (&self.bounds[pair.body_a], &self.bounds[pair.body_b]);
        let pair_bounds = PairBounds::new(pair, [a, b], worn, step.h());
        if !pair_bounds.rate.is_finite() {
            return Err(PairFailure::NotFinite);
        }
        let apart = pair.state.points.iter().all(|f| f.status == Status::Off);
        let clear = |ka, kb| clearance(m, pair, ka, kb);
        if apart && pair_bounds.far(clear(&a.start, &b.start), clear(&a.end, &b.end)) {
            return Ok(());
        }
        pair.find_near_points(&a.end, &b.end, pair_bounds.rate * step.h());
        let start = PairBodies { a: &a.start, b: &b.start, worn };
        let end = PairBodies { a: &a.end, b: &b.end, worn };
        let deepest = pair
            .state
            .points
            .iter()
            .filter(|f| f.status != Status::Off)
            .map(|f| -f.last.gap)
            .fold(0.0, f64::max);
        for &k in &pair.scratch.near {
            let f = &pair.state.points[k];
            if f.status != Status::Off {
                continue;
            }
            let known = f.last.step == self.accepted;
            let (g0, r0) = if known { (f.last.gap, f.last.rate) } else { pair.gap(k, start)? };
            let (g1, r1) = pair.gap(k, end)?;
            // from where its law begins to act
            let (g0, g1) = (g0 - f.begins, g1 - f.begins);
            let first = Sample { t: step.t0, g: g0.max(0.0), rate: r0 };
            let bounds = pair_bounds.gap(pair, g0, g1);
            let unseen = match pair.state.on.contains(&k) {
                true => {
                    deepest.max(INTO_CONTACT * pair.duration_at(m, k, pair_bounds.rate) * pair_bounds.rate)
                }
                false => self.foreseen.near,
            };
            let lowest = 0.5 * (g0 + g1 - pair_bounds.rate * step.h());
            if lowest < -unseen && !bounds.keep_clear(&first, &Sample { t: step.t1, g: g1, rate: r1 }) {
                let f = &mut pair.state.points[k];
                (f.end.gap, f.end.rate) = (g1 + f.begins, r1);
                self.examined.suspects.push(Suspect { at: Active { pair: index, point: k }, bounds });
            }
        }
        Ok(())
    }

    /// Finds the time up to which a step resolves its contacts, if that is before its end.
    pub(crate) fn resolved_until(
        &mut self,
        m: &Model,
        step: &Step<'_>,
        dense: &Interpolant<'_>,
    ) -> Result<Found, RhsFailure> {
        let (mut until, worn) = (step.t1, m.world.layout.worn(step.y1));
        for &Suspect { at, bounds } in &self.examined.suspects {
            let pair = &self.pairs[at.pair];
            let mut failure = None;
            let mut gap = |t: f64| {
                let [ka, kb] = [pair.body_a, pair.body_b].map(|body| body_at(m, body, dense, t));
                pair.gap(at.point, PairBodies { a: &ka, b: &kb, worn }).map_or_else(
                    |e| {
                        failure = Some(Part::Contact(at.pair).fails(reason(e)));
                        Sample { t, g: 0.0, rate: 0.0 }
                    },
                    |(g, rate)| Sample { t, g, rate },
                )
            };
            let (start, end) = (gap(step.t0), gap(step.t1));
            let resolution = PairBounds::resolution(&bounds, pair, step.h(), step.t1);
            let (least, shallow) = (10.0 * resolution, pair.shallow(m, at.point));
            let seen = first_crossing_longer_than(&mut gap, start, end, &bounds, resolution, least, shallow);
            if !seen.certain {
                self.report.warnings.push(Warning::Estimated { contact: pair.name.clone() });
            }
            let found = seen.found;
            let speed = if let Found::At(t) = found { -gap(t).rate } else { 0.0 };
            if let Some(failure) = failure {
                return Err(failure);
            }
            match found {
                Found::Nothing => {}
                Found::ClearUntil(t) => until = until.min(t),
                Found::At(t) => {
                    let v = speed.max(m.rules[pair.rule].min_impact_speed);
                    let active = pair.state.on.contains(&at.point);
                    let into = if active { INTO_CONTACT * pair.duration_at(m, at.point, v) } else { 0.0 };
                    if t + 2.0 * into < step.t1 {
                        until = until.min(t + into);
                    }
                }
            }
        }
        Ok(if until < step.t1 { Found::ClearUntil(until) } else { Found::Nothing })
    }
}
