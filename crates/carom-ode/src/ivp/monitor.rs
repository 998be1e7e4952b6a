//! Monitors all events of a run: on which side of zero each function is, and when one reaches zero.

use std::collections::VecDeque;

use super::error::IvpError;
use super::event::{Event, Occurrence, Side};
use super::search::{Outcome, POINTS, Start, Within, Zero};
use crate::events::Found;
use crate::failure::{RhsFailure, Site};
use crate::ode::Landing;
use crate::step::{Interpolant, Step};

/// The failure reported when a function that an action sent away from zero is back at once.
pub(super) const BACK_AT_ONCE: &str = "the event of that number is back sooner than numbers can tell";
const NOT_A_NUMBER: &str = "the event function of that number is not a number";

/// The position of an event function with respect to zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum SideState {
    /// g is on this side
    On(Side),
    /// g is zero to rounding and about to leave: the side it leaves for, if known; whether an action has just changed
    /// the motion; and whether the side is certain
    Leaving { toward: Option<Side>, sent: bool, sure: bool },
}

impl SideState {
    /// Returns the position after a step in which g has this value. A function known to leave for a side stays marked
    /// as leaving until it has been found on that side.
    pub(super) fn after(self, g: f64) -> SideState {
        match (self, Side::of(g)) {
            (SideState::Leaving { toward: Some(toward), sure: true, .. }, side) if side != Some(toward) => {
                self
            }
            (_, Some(side)) => SideState::On(side),
            (_, None) => self,
        }
    }
}

/// What is known about an event during a run.
#[derive(Clone, Debug)]
pub(super) struct Track {
    pub(super) standing: SideState,
    /// value at the start of the step
    pub(super) g: f64,
    /// values at the points examined in the step
    values: [f64; POINTS.len()],
    pub(super) count: usize,
    /// the time at which it last happened and the motion was changed, by its own action or another's at the same time
    pub(super) sent: f64,
}

/// Returns g, or a failure if it is not a number.
fn value(event: &mut Event<'_>, i: usize, t: f64, y: &[f64]) -> Result<f64, RhsFailure> {
    let g = (event.g)(t, y);
    if g.is_nan() { Err(RhsFailure { site: Site::Event(i), reason: NOT_A_NUMBER }) } else { Ok(g) }
}

/// All events of a run.
pub(super) struct EventMonitor<'s, 'a> {
    pub(super) events: &'s mut [Event<'a>],
    pub(super) tracks: Vec<Track>,
    /// whether a step was accepted since the functions were last evaluated
    pub(super) stale: bool,
    /// the time at which events last happened
    pub(super) settled: f64,
    /// the event at which the step is to end
    pub(super) target: Option<(usize, Zero)>,
    /// whether the step that was to end on it ended before it: there may be no event
    pub(super) missed: bool,
    /// the times at which that happened
    pub(super) misses: VecDeque<f64>,
    /// the time at which the run started
    pub(super) start: f64,
    /// |g| at the last landing
    missed_by: f64,
    y: Vec<f64>,
    pub(super) log: Vec<Occurrence>,
    pub(super) limit: usize,
    /// times of the last events, as a ring buffer
    pub(super) recent: Vec<f64>,
    pub(super) happenings: usize,
    pub(super) ended_by: Option<usize>,
    pub(super) failure: Option<IvpError>,
}

impl<'s, 'a> EventMonitor<'s, 'a> {
    /// Creates the monitor at the start of a run; `left` are events that have just happened there.
    pub(super) fn new(
        events: &'s mut [Event<'a>],
        limit: usize,
        t: f64,
        y: &[f64],
        left: &[Occurrence],
    ) -> EventMonitor<'s, 'a> {
        let tracks = events
            .iter_mut()
            .enumerate()
            .map(|(i, e)| {
                let g = (e.g)(t, y);
                let standing = match (left.iter().find(|o| o.event == i), Side::of(g)) {
                    (Some(o), _) if o.y == y => {
                        let toward = if o.rising { Side::Above } else { Side::Below };
                        SideState::Leaving { toward: Some(toward), sent: false, sure: false }
                    }
                    (Some(_), _) => SideState::Leaving { toward: None, sent: true, sure: false },
                    (None, Some(side)) => SideState::On(side),
                    (None, None) => SideState::Leaving { toward: None, sent: false, sure: false },
                };
                Track { standing, g, values: [0.0; POINTS.len()], count: 0, sent: f64::NAN }
            })
            .collect();
        EventMonitor {
            events,
            tracks,
            stale: false,
            settled: f64::NAN,
            target: None,
            missed: false,
            misses: VecDeque::new(),
            start: t,
            missed_by: f64::INFINITY,
            y: y.to_vec(),
            log: Vec::new(),
            limit,
            recent: Vec::new(),
            happenings: 0,
            ended_by: None,
            failure: None,
        }
    }

    /// Records that a step was accepted.
    pub(super) fn accepted(&mut self) {
        self.stale = true;
    }

    /// Evaluates all functions at the start of a step and updates their sides.
    fn refresh(&mut self, step: &Step<'_>) -> Result<(), RhsFailure> {
        for i in 0..self.events.len() {
            let g = value(&mut self.events[i], i, step.t0, step.y0)?;
            let track = &mut self.tracks[i];
            track.g = g;
            match track.standing {
                // if g went across unnoticed, by less than the tolerance, that is an event now
                SideState::On(side) if self.events[i].direction.counts_from(side) => {}
                standing => track.standing = standing.after(g),
            }
        }
        self.stale = false;
        Ok(())
    }

    /// Returns whether the step certainly contains no event.
    pub(super) fn certify(&mut self, step: &Step<'_>) -> Result<bool, RhsFailure> {
        if self.events.is_empty() {
            return Ok(true);
        }
        self.target = None;
        self.missed = false;
        self.missed_by = f64::INFINITY;
        if self.stale {
            self.refresh(step)?;
        }
        let mut clear = true;
        for i in 0..self.events.len() {
            let g1 = value(&mut self.events[i], i, step.t1, step.y1)?;
            let g0 = self.tracks[i].g;
            self.tracks[i].values[POINTS.len() - 1] = g1;
            let Some((rate, _)) = self.events[i].bounds else {
                clear = false;
                continue;
            };
            let stays = matches!(self.tracks[i].standing, SideState::On(s) if s.holds(g0) && s.holds(g1));
            // g cannot reach zero and come back in the time available
            clear &= stays && rate * step.h().abs() <= g0.abs() + g1.abs();
        }
        Ok(clear)
    }

    /// Finds the first event of a step.
    pub(super) fn first(&mut self, step: &Step<'_>, dense: &Interpolant<'_>) -> Result<Found, RhsFailure> {
        self.sample(step, dense)?;
        let sign = step.h().signum();
        let earlier = |a: f64, b: f64| sign * a < sign * b;
        let mut first: Option<(usize, Zero)> = None;
        let mut clear_until: Option<f64> = None;
        for i in 0..self.events.len() {
            let Some(start) = self.start(i, step) else { continue };
            match self.search(i, start, step, dense)? {
                Outcome::Nothing => {}
                Outcome::At(zero) if first.is_none_or(|(_, z)| earlier(zero.t, z.t)) => {
                    first = Some((i, zero))
                }
                Outcome::At(_) => {}
                Outcome::ClearUntil(t) if clear_until.is_none_or(|c| earlier(t, c)) => clear_until = Some(t),
                Outcome::ClearUntil(_) => {}
                // a shorter step can resolve shorter times, down to the resolution of t itself
                Outcome::BackAtOnce => {
                    self.note_miss(step.t0);
                    return Err(RhsFailure { site: Site::Event(i), reason: BACK_AT_ONCE });
                }
            }
        }
        self.target = first;
        Ok(match (first, clear_until) {
            (Some((_, z)), Some(c)) if earlier(c, z.t) => Found::ClearUntil(c),
            (None, Some(c)) => Found::ClearUntil(c),
            (Some((_, z)), _) => Found::At(z.t),
            (None, None) => Found::Nothing,
        })
    }

    /// Evaluates all functions without bounds at the points of the step.
    fn sample(&mut self, step: &Step<'_>, dense: &Interpolant<'_>) -> Result<(), RhsFailure> {
        for track in &mut self.tracks {
            track.values[0] = track.g;
        }
        if self.events.iter().all(|e| e.bounds.is_some()) {
            return Ok(());
        }
        let n = self.y.len();
        for j in 1..POINTS.len() - 1 {
            let t = step.t0 + POINTS[j] * step.h();
            dense.at(t, 0..n, &mut self.y);
            for (i, event) in self.events.iter_mut().enumerate() {
                if event.bounds.is_none() {
                    self.tracks[i].values[j] = value(event, i, t, &self.y)?;
                }
            }
        }
        Ok(())
    }

    /// Returns where the search for an event starts; `None`: g is zero and its side is unknown.
    fn start(&mut self, i: usize, step: &Step<'_>) -> Option<Start> {
        match self.tracks[i].standing {
            SideState::On(side) => {
                // g is across zero by the error of a step, but moves back
                let back = !side.holds(self.tracks[i].g) && self.departure(i, step) == Some(side);
                Some(Start { side, leaving: back, sure: false })
            }
            SideState::Leaving { toward: Some(side), sure, .. } => Some(Start { side, leaving: true, sure }),
            SideState::Leaving { toward: None, sent, .. } => {
                // where the slope gives no side, the sign of g in the state that the action left decides
                let put = if sent { Side::of(self.tracks[i].g) } else { None };
                if let Some(side) = self.departure(i, step).or(put) {
                    self.tracks[i].standing = SideState::Leaving { toward: Some(side), sent, sure: sent };
                    return Some(Start { side, leaving: true, sure: sent });
                }
                let side = self.tracks[i].values[1..].iter().find_map(|g| Side::of(*g))?;
                Some(Start { side, leaving: true, sure: false })
            }
        }
    }

    /// Returns g at the state reached along the tangent from (t, y) in a time dt.
    fn along(&mut self, i: usize, (t, y, f): (f64, &[f64], &[f64]), dt: f64) -> f64 {
        for (k, out) in self.y.iter_mut().enumerate() {
            *out = y[k] + dt * f[k];
        }
        (self.events[i].g)(t + dt, &self.y)
    }

    /// Estimates the change of g caused by rounding errors in y.
    fn noise(&mut self, i: usize, t: f64, y: &[f64], g: f64) -> f64 {
        for (k, out) in self.y.iter_mut().enumerate() {
            *out = y[k] * (1.0 + if k % 2 == 0 { 4.0 } else { -3.0 } * f64::EPSILON);
        }
        ((self.events[i].g)(t, &self.y) - g).abs() + f64::EPSILON * g.abs()
    }

    /// Returns the side for which a function that is zero to rounding leaves, according to its slope.
    pub(super) fn departure(&mut self, i: usize, step: &Step<'_>) -> Option<Side> {
        let g0 = self.tracks[i].g;
        let noise = self.noise(i, step.t0, step.y0, g0);
        for part in [1e-12, 1e-9, 1e-6, 1e-3] {
            let change = self.along(i, (step.t0, step.y0, step.f0), part * step.h()) - g0;
            if change.abs() > 8.0 * noise {
                return Side::of(change);
            }
        }
        None
    }

    /// Returns whether g, on a side at the start, stays on it for a very short time. If the dense output shows a zero
    /// there nevertheless, it is too coarse for the motion.
    fn stays(&mut self, i: usize, side: Side, step: &Step<'_>) -> bool {
        let soon = 64.0 * f64::EPSILON * step.t0.abs().max(step.t1.abs()) * step.h().signum();
        side.holds(self.tracks[i].g) && side.holds(self.along(i, (step.t0, step.y0, step.f0), soon))
    }

    /// Finds the first zero of one function that counts.
    fn search(
        &mut self,
        i: usize,
        start: Start,
        step: &Step<'_>,
        dense: &Interpolant<'_>,
    ) -> Result<Outcome, RhsFailure> {
        let mut y = std::mem::take(&mut self.y);
        let Event { g, direction, bounds, .. } = &mut self.events[i];
        let values = self.tracks[i].values;
        let direction = *direction;
        let counts = |side| direction.counts_from(side);
        let mut bad = false;
        let mut at = |t: f64| {
            let v = if t == step.t1 {
                values[POINTS.len() - 1]
            } else if t == step.t0 {
                values[0]
            } else {
                let n = y.len();
                dense.at(t, 0..n, &mut y);
                g(t, &y)
            };
            bad |= v.is_nan();
            v
        };
        let mut within = Within { t0: step.t0, t1: step.t1, g: &mut at };
        let found = match bounds {
            None => within.look(&values, start, &counts),
            Some(b) => within.certify(*b, start, &counts),
        };
        let (again, now) = match found {
            Outcome::At(zero) => {
                (within.too_near(zero.t, self.tracks[i].sent), within.too_near(zero.t, step.t0) && !zero.jump)
            }
            _ => (false, false),
        };
        self.y = y;
        if bad {
            Err(RhsFailure { site: Site::Event(i), reason: NOT_A_NUMBER })
        } else if again || (now && self.stays(i, start.side, step)) {
            Ok(Outcome::BackAtOnce)
        } else {
            Ok(found)
        }
    }

    /// Returns how far the end of a step is from the event at which it was meant to end, by Newton's step −g/(dg/dt).
    pub(super) fn landing(&mut self, step: &Step<'_>) -> Landing {
        let landed = Landing { dt: 0.0 };
        let Some((i, zero)) = self.target else { return landed };
        if zero.jump {
            return landed;
        }
        let g1 = (self.events[i].g)(step.t1, step.y1);
        let end = (step.t1, step.y1, step.f1);
        let delta = 1e-4 * step.h();
        let change = self.along(i, end, delta) - self.along(i, end, -delta);
        let dt = -g1 * 2.0 * delta / change;
        // the repeated step, because of its error, does not reach zero there: g only touches zero, or has a corner
        let worse = g1.abs() >= self.missed_by && dt.abs() > 1e-7 * step.h().abs();
        let lost = worse || !(dt.abs() <= 0.1 * step.h().abs());
        self.missed_by = g1.abs();
        // or g comes from the other side
        let back = zero.from.holds(change) && change.abs() > 8.0 * self.noise(i, step.t1, step.y1, g1);
        self.missed = back || (lost && zero.from.holds(g1));
        if lost || g1 == 0.0 { landed } else { Landing { dt } }
    }

    /// Drops the event at which the step was to end: an event of the problem comes first.
    pub(super) fn forget_target(&mut self) {
        self.target = None;
    }
}
