//! The search for the gaps that crossed zero in a step, and for the times at which they did.

use carom_geometry::PairFailure;
use carom_ode::events::{Bounds, Found, Sample, crossing, first_crossing_longer_than};
use carom_ode::{Interpolant, RhsFailure, Step};

use super::bodies::PairBodies;
use super::bounds::{BodyBounds, PairBounds, clearance, relative_acceleration};
use super::contact_point::{ContactPoint, Gap, Status};
use super::monitor::{ContactMonitor, Suspect, body_at};
use super::pair::gaps_of;
use super::reason::reason;
use crate::contact::Active;
use crate::model::Model;
use crate::record::Warning;
use crate::site::Part;
use crate::state::Kinematics;

/// If a gap starts a step further from zero than this part of the pair's size, its stored value at the start is used.
const START: f64 = 1e-3;

/// No bounds: for contact points of pairs whose bounds were not needed.
const UNBOUNDED: Bounds = Bounds { rate: f64::INFINITY, curvature: f64::INFINITY };

impl ContactMonitor {
    /// Returns whether it is certain that no gap has crossed in this step.
    pub(crate) fn certify(&mut self, m: &Model, step: &Step<'_>) -> Result<bool, RhsFailure> {
        let h = step.h();
        self.ahead.accepted(h);
        // if every contact point touches, no bounds on the motion are needed
        let closed = self.search.eager
            && self.pairs.iter().all(|s| s.state.points.iter().all(|f| f.status != Status::Off));
        let look = if closed { BodyBounds::look_at_ends } else { BodyBounds::look };
        self.bounds.iter_mut().zip(&m.world.bodies).for_each(|(bounds, b)| look(bounds, b, step));
        if let Some(failure) = self.turned_too_far(m, h).filter(|_| !closed) {
            return Err(failure);
        }
        self.find_candidates(m, h, 0.0);
        self.examined.suspects.clear();
        self.examined.target = None;
        self.examined.repeated = false;
        self.examined.steps += 1;
        (self.examined.start, self.examined.end) = (step.t0, step.t1);
        let worn = m.world.layout.worn(step.y1);
        for i in 0..self.candidates.len() {
            let pair = self.candidates[i];
            let failure = |e| Part::Contact(pair).fails(reason(e));
            self.certify_pair(m, pair, step, worn).map_err(failure)?;
        }
        Ok(self.examined.suspects.is_empty())
    }

    fn certify_pair(
        &mut self,
        m: &Model,
        index: usize,
        step: &Step<'_>,
        worn: &[f64],
    ) -> Result<(), PairFailure> {
        let h = step.h();
        let pair = &mut self.pairs[index];
        let (a, b) = (&self.bounds[pair.body_a], &self.bounds[pair.body_b]);
        let off =
            pair.state.points[..pair.monitored_points()].iter().filter(|f| f.status == Status::Off).count();
        // for points that touch no bounds on the gap are needed: the integrator resolves their forces
        let pair_bounds = (off > 0).then(|| PairBounds::new(pair, [a, b], worn, h));
        if let Some(pair_bounds) = &pair_bounds {
            // positions or speeds are too large to be squared: there is no bound, and no search would end
            if !pair_bounds.rate.is_finite() {
                return Err(PairFailure::NotFinite);
            }
            let clear = |ka, kb| clearance(m, pair, ka, kb);
            if off == pair.monitored_points()
                && pair_bounds.far(clear(&a.start, &b.start), clear(&a.end, &b.end))
            {
                return Ok(());
            }
        }
        let apart = |_| {
            let acceleration = relative_acceleration(m, [pair.body_a, pair.body_b], [a, b], step);
            PairBounds::sharper(pair, [a, b], acceleration, worn, h)
        };
        let pair_bounds = pair_bounds.map(apart);
        // a gap that is wider than it can close within the step has not closed
        let zero_gap = pair.zero_gap(&a.end, &b.end);
        let margin =
            pair_bounds.as_ref().map_or(f64::INFINITY, |pair_bounds| pair_bounds.rate * h + 4.0 * zero_gap);
        pair.find_near_points(&a.end, &b.end, margin);
        // many points are evaluated at once
        let many = pair.scratch.near.len() > 1 && pair.groove.is_none();
        if many {
            pair.contacts(&pair.scratch.near, &a.end, &b.end, &mut self.examined.contacts_at_end)?;
            pair.seed_near_points(&self.examined.contacts_at_end, &a.end, &b.end);
        }
        let start = PairBodies { a: &a.start, b: &b.start, worn };
        let end = PairBodies { a: &a.end, b: &b.end, worn };
        let mut two = [(0.0, 0.0); 2];
        for i in 0..pair.scratch.near.len() {
            let k = pair.scratch.near[i];
            let (g0, r0) = if pair.state.points[k].last.step == self.accepted {
                (pair.state.points[k].last.gap, pair.state.points[k].last.rate)
            } else {
                pair.gap(k, start)?
            };
            if many && i % 2 == 0 {
                two = gaps_of(&self.examined.contacts_at_end[i / 2], &a.end, &b.end);
            }
            let (g1, r1) = match many {
                true => two[i % 2],
                false => pair.gap_at_end(k, end)?,
            };
            if !r1.is_finite() {
                return Err(PairFailure::NotFinite);
            }
            let f = &mut pair.state.points[k];
            (f.last, f.last_t) = (Gap { gap: g0, rate: r0, step: self.accepted }, step.t0);
            f.end = Gap { gap: g1, rate: r1, step: self.examined.steps };
            let (status, begins, level) = (f.status, f.begins, level(f, g0));
            let bounds = pair_bounds.as_ref().map_or(UNBOUNDED, |pair_bounds| pair_bounds.gap(pair, g0, g1));
            let first = Sample { t: step.t0, g: g0 - level, rate: r0 };
            let last = Sample { t: step.t1, g: g1 - level, rate: r1 };
            let clear = match status {
                // (a gap below zero that opens belongs to a point just released)
                Status::Off => (g0 - begins >= -zero_gap || r0 >= 0.0) && bounds.keep_clear(&first, &last),
                // the integrator resolves the contact force, so the gap at the end of the step is sufficient
                Status::On => g1 <= level,
                Status::Free => true,
            };
            if !clear {
                self.examined.suspects.push(Suspect { at: Active { pair: index, point: k }, bounds });
            }
        }
        pair.scratch.end_of = self.examined.steps;
        Ok(())
    }

    /// Finds the first crossing among the suspects.
    pub(crate) fn first_event(
        &mut self,
        m: &Model,
        step: &Step<'_>,
        dense: &Interpolant<'_>,
    ) -> Result<Found, RhsFailure> {
        let (mut horizon, worn) = (step.t1, m.world.layout.worn(step.y1));
        let mut all_searched = true;
        self.examined.target = None;
        self.sort_suspects();
        // the bodies of a pair at the last time evaluated: of many suspects, most are evaluated at the time at which the
        // first one crosses
        let mut there = None;
        for i in 0..self.examined.suspects.len() {
            let Suspect { at, bounds } = self.examined.suspects[i];
            let pair = &self.pairs[at.pair];
            let point = &pair.state.points[at.point];
            // the step is repeated to end there and is corrected to land exactly, so an approximate time is sufficient
            let resolution = PairBounds::resolution(&bounds, pair, step.h(), step.t1);
            let mut failure = None;
            let mut gap = |t: f64| -> Sample {
                let bodies = (pair.body_a, pair.body_b);
                let (_, ka, kb) = match &there {
                    Some(known @ (at, _, _)) if *at == (t, bodies) => known,
                    _ => there.insert((
                        (t, bodies),
                        body_at(m, bodies.0, dense, t),
                        body_at(m, bodies.1, dense, t),
                    )),
                };
                match pair.gap(at.point, PairBodies { a: ka, b: kb, worn }) {
                    Ok((g, rate)) => Sample { t, g, rate },
                    // the search cannot go on; the failure is returned below
                    Err(e) => {
                        failure = Some(Part::Contact(at.pair).fails(reason(e)));
                        Sample { t, g: 0.0, rate: 0.0 }
                    }
                }
            };
            // if the gap starts near zero its exact start value matters: drift removed from the state since then has changed
            // it, and some interpolants do not include that change
            let start = match (point.last.gap - point.edge()).abs() > START * pair.size {
                true => Sample { t: step.t0, g: point.last.gap, rate: point.last.rate },
                false => gap(step.t0),
            };
            let end = end_sample(point, step.t1, horizon, &mut gap);
            let zero_gap = pair.zero_gap(&self.bounds[pair.body_a].end, &self.bounds[pair.body_b].end);
            let own = OwnSide::new(point, start.g, zero_gap);
            let (start, end) = (own.see(start), own.see(end));
            let mut distance = |t: f64| own.see(gap(t));
            let found = match point.status {
                // the step starts beyond zero and moves further
                Status::Off | Status::On if own.is_beyond(start.rate) => Found::At(step.t0),
                Status::Off => {
                    let (least, shallow) = (10.0 * resolution, pair.shallow(m, at.point));
                    let seen = first_crossing_longer_than(
                        &mut distance,
                        start,
                        end,
                        &bounds,
                        resolution,
                        least,
                        shallow,
                    );
                    if !seen.certain {
                        self.report.warnings.push(Warning::Estimated { contact: pair.name.clone() });
                    }
                    seen.found
                }
                Status::On => release(&mut distance, start, end, resolution),
                Status::Free => Found::Nothing,
            };
            if let Some(failure) = failure {
                return Err(failure);
            }
            match found {
                Found::Nothing => {}
                Found::At(t) if t < horizon || (self.examined.target.is_none() && all_searched) => {
                    (horizon, all_searched) = (t, true);
                    self.examined.target = Some((at, own.level));
                }
                Found::At(_) => {}
                // crossings later than this are left to another step
                Found::ClearUntil(t) => {
                    (horizon, all_searched) = (t, false);
                    self.examined.target = None;
                }
            }
        }
        Ok(match (self.examined.target, all_searched) {
            (_, false) => Found::ClearUntil(horizon),
            (Some(_), true) => Found::At(horizon),
            (None, true) => Found::Nothing,
        })
    }

    /// Sorts the suspects: gaps that have crossed come first, in the approximate order of their crossings, so that later
    /// crossings need not be searched for.
    fn sort_suspects(&mut self) {
        let pairs = &self.pairs;
        let about = |s: &Suspect| {
            let f = &pairs[s.at.pair].state.points[s.at.point];
            let (start, end) = (f.last.gap - f.edge(), f.end.gap - f.edge());
            let crossed = (start <= 0.0) != (end <= 0.0);
            if crossed { start.abs() / (start.abs() + end.abs()) } else { f64::INFINITY }
        };
        let indices = |s: &Suspect| (s.at.pair, s.at.point);
        self.examined
            .suspects
            .sort_unstable_by(|a, b| about(a).total_cmp(&about(b)).then_with(|| indices(a).cmp(&indices(b))));
    }

    /// Forgets the crossing found: the step is to end before it.
    pub(crate) fn forget_target(&mut self) {
        self.examined.target = None;
        self.phases.forget_target();
        self.kinks.forget_target();
    }

    /// Returns whether the step may be cut at the event found. It may if no contact point parts in the step, because points
    /// that are off carry no force on either side of their crossing; or if the step has gone past a release by less than a
    /// twentieth of its length, because interpolants and their slopes are accurate near the end of a step. `theta` is the
    /// position of the event in the step, 0 to 1.
    pub(crate) fn may_cut(&self, theta: f64) -> bool {
        let off = |at: Active| self.pairs[at.pair].state.points[at.point].status == Status::Off;
        let located = self.examined.target.is_some() || self.kinks.at_end();
        located && (theta > 0.95 || self.examined.suspects.iter().all(|s| off(s.at)))
    }

    /// Returns the time by which a step that was to end at the target's crossing misses it [s]; positive: the crossing is
    /// later.
    pub(crate) fn landing(&mut self, m: &Model, step: &Step<'_>) -> f64 {
        if let Some((at, end)) = self.phases.target() {
            return self.phase_landing(m, step, at, end);
        }
        let Some((at, level)) = self.examined.target else { return 0.0 };
        self.examined.repeated = true;
        let s = &self.pairs[at.pair];
        let [ka, kb] =
            [s.body_a, s.body_b].map(|body| Kinematics::new(&m.world.bodies[body], step.t1, step.y1));
        let bodies = PairBodies { a: &ka, b: &kb, worn: m.world.layout.worn(step.y1) };
        let Ok((g, rate)) = s.gap(at.point, bodies) else { return 0.0 };
        // a graze has no crossing on which to land more exactly
        let toward = s.state.points[at.point].status.side() * rate < 0.0;
        let missing = level - g;
        if !toward || missing.abs() <= f64::EPSILON * s.size { 0.0 } else { missing / rate }
    }
}

/// Returns the gap at the end of the interval searched: the stored one if that is the end of the step.
fn end_sample(point: &ContactPoint, t1: f64, horizon: f64, gap: &mut dyn FnMut(f64) -> Sample) -> Sample {
    if horizon == t1 { Sample { t: t1, g: point.end.gap, rate: point.end.rate } } else { gap(horizon) }
}

/// Returns the gap at which a contact point changes its status [m], in a step that starts with the gap `g0`: zero, or the gap up to which adhesion holds it, or
/// the gap at the start if that is beyond. Points that part together do so at one event, though rounding errors, the
/// projection of joints or the end of a search leave some of them slightly closed; they are opening, and touch again only if
/// they turn back. Points that touch together are treated likewise.
fn level(point: &ContactPoint, g0: f64) -> f64 {
    let (side, edge) = (point.status.side(), point.edge());
    edge + side * (side * (g0 - edge)).min(0.0)
}

/// A gap as the distance from the level at which its point changes status, positive on the side that the point is on.
struct OwnSide {
    side: f64,
    level: f64,
    /// distance by which the step starts beyond the gap at which the point would change its status [m]
    beyond: f64,
    zero_gap: f64,
}

impl OwnSide {
    fn new(point: &ContactPoint, g0: f64, zero_gap: f64) -> OwnSide {
        let level = level(point, g0);
        OwnSide { side: point.status.side(), level, beyond: (level - point.edge()).abs(), zero_gap }
    }

    /// Converts a gap to that distance. A distance that is zero within rounding error counts as positive if its rate is
    /// positive.
    fn see(&self, gap: Sample) -> Sample {
        let (g, rate) = (self.side * (gap.g - self.level), self.side * gap.rate);
        let returns = rate > 0.0 && g <= 0.0 && g >= -self.zero_gap;
        Sample { t: gap.t, g: if returns { f64::MIN_POSITIVE } else { g }, rate }
    }

    /// Returns whether a step starts on the other side, and moves further there at `rate`.
    fn is_beyond(&self, rate: f64) -> bool {
        self.beyond > self.zero_gap && rate < 0.0
    }
}

/// Finds the first time at which a closed gap opens, from its depth.
fn release(depth: &mut dyn FnMut(f64) -> Sample, start: Sample, end: Sample, resolution: f64) -> Found {
    if end.g >= 0.0 {
        return Found::Nothing;
    }
    if start.g > f64::MIN_POSITIVE {
        return Found::At(crossing(depth, &start, &end, resolution).t);
    }
    // it has just touched: bisect back from the end towards the start until the gap is closed
    let (mut hi, mut w) = (end, end.t - start.t);
    while w > resolution {
        w *= 0.5;
        let s = depth(start.t + w);
        if s.g > 0.0 {
            return Found::At(crossing(depth, &s, &hi, resolution).t);
        }
        hi = s;
    }
    Found::At(start.t)
}
