//! What happens at events: actions, counts, the sides of zero on which the functions are afterwards, and limits.

use super::error::IvpError;
use super::event::{Direction, Occurrence, Side};
use super::monitor::{BACK_AT_ONCE, EventMonitor, SideState};
use crate::error::{SolveError, StepTrouble};
use crate::step::Step;

/// The number of events in almost no time that counts as an accumulation without end.
const STORM: usize = 100;

/// What the driver must do after events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    Continue,
    Restart,
    Stop,
}

/// An event that happens now, the side from which g came, and whether g jumped over zero.
#[derive(Clone, Copy, Debug)]
struct Due {
    event: usize,
    from: Side,
    jump: bool,
}

impl EventMonitor<'_, '_> {
    /// Handles events that happen at the very start. `step` describes the motion from there: it goes from the start to
    /// the end.
    pub(super) fn start_with(&mut self, step: &Step<'_>, y: &mut [f64]) -> Next {
        let mut due = Vec::new();
        for i in 0..self.events.len() {
            if self.events[i].pending && self.tracks[i].g == 0.0 {
                let direction = self.events[i].direction;
                // it happens unless g moves in the direction that does not count
                let from = self.departure(i, step).map_or_else(
                    || if direction == Direction::Rising { Side::Below } else { Side::Above },
                    Side::other,
                );
                if direction.counts_from(from) {
                    due.push(Due { event: i, from, jump: false });
                }
            }
        }
        if due.is_empty() { Next::Continue } else { self.all_happen(step.t0, y, &due) }
    }

    /// Handles all events at t: the event at which the step was meant to end, and others that have reached zero at the
    /// same time.
    pub(super) fn happen(&mut self, t: f64, y: &mut [f64]) -> Next {
        let mut now: Vec<Due> = Vec::new();
        for i in 0..self.events.len() {
            let g = (self.events[i].g)(t, y);
            let track = &mut self.tracks[i];
            track.g = g;
            match (self.target, track.standing) {
                (Some((target, zero)), _) if target == i && !self.missed => {
                    now.push(Due { event: i, from: zero.from, jump: zero.jump });
                }
                (_, SideState::On(side)) if !side.holds(g) && self.events[i].direction.counts_from(side) => {
                    now.push(Due { event: i, from: side, jump: false });
                }
                (_, _) => {}
            }
        }
        if self.target.take().is_some() && self.missed {
            self.note_miss(t);
        }
        self.all_happen(t, y, &now)
    }

    /// Records that a step did not reach the event at which it was meant to end, or was too coarse for it. If that
    /// happens again and again in almost no time, the steps can no longer resolve the motion, and the run fails.
    pub(super) fn note_miss(&mut self, t: f64) {
        if self.misses.back() == Some(&t) {
            return;
        }
        self.misses.push_back(t);
        if self.misses.len() > STORM {
            let first = self.misses.pop_front().unwrap_or(t);
            if (t - first).abs() <= 1e-6 * (t - self.start).abs() {
                self.failure = Some(SolveError::EventStorm { t, events: STORM }.into());
            }
        }
    }

    fn all_happen(&mut self, t: f64, y: &mut [f64], now: &[Due]) -> Next {
        let before = y.to_vec();
        let first = self.log.len();
        let mut next = Next::Continue;
        for &Due { event: i, from, .. } in now {
            let rising = from == Side::Below;
            self.log.push(Occurrence { t, event: i, rising, y: before.clone(), y_after: Vec::new() });
            let event = &mut self.events[i];
            if let Some(action) = &mut event.action {
                action(t, y);
            }
            if event.restart || event.action.is_some() {
                next = Next::Restart;
            }
            self.tracks[i].count += 1;
            if self.ended_by.is_none() && event.terminal.is_some_and(|k| self.tracks[i].count >= k) {
                self.ended_by = Some(i);
            }
        }
        for occurrence in &mut self.log[first..] {
            occurrence.y_after = y.to_vec();
        }
        self.settle(t, y, &before, now, next == Next::Restart);
        if !now.is_empty() {
            self.check_limits(t);
        }
        if self.ended_by.is_some() || self.failure.is_some() { Next::Stop } else { next }
    }

    /// Updates the side of every function after events. The rates may have changed if there is a restart.
    fn settle(&mut self, t: f64, y: &[f64], before: &[f64], now: &[Due], restart: bool) {
        let changed = y != before;
        let moved = t != self.settled;
        for i in 0..self.events.len() {
            let g = (self.events[i].g)(t, y);
            let track = &mut self.tracks[i];
            let crumb = 2.0 * track.g.abs();
            track.g = g;
            if restart && now.iter().any(|due| due.event == i) {
                track.sent = t;
            }
            match (now.iter().find(|due| due.event == i), Side::of(g)) {
                // the action has moved g itself away from zero
                (Some(due), Some(side)) if changed && (due.jump || g.abs() > crumb) => {
                    track.standing = SideState::On(side);
                }
                (Some(due), _) => {
                    // g continues in the direction from which it came, unless the motion has changed: then the new
                    // rates determine the side
                    let as_it_came = !changed && (!restart || due.jump);
                    let toward = if as_it_came { Some(due.from.other()) } else { None };
                    track.standing = SideState::Leaving { toward, sent: restart, sure: false };
                }
                (None, Some(side)) if changed => track.standing = SideState::On(side),
                (None, None) if changed => {
                    track.standing = SideState::Leaving { toward: None, sent: false, sure: false };
                }
                (None, _) if moved => track.standing = track.standing.after(g),
                (None, _) => {}
            }
        }
        self.stale = false;
        self.settled = t;
    }

    /// Updates the side of every function after the problem's own event changed the state.
    pub(super) fn resettle(&mut self, t: f64, y: &[f64], before: &[f64]) {
        if y != before {
            self.settle(t, y, before, &[], true);
        }
    }

    /// Checks for too many events, and for too many in almost no time.
    fn check_limits(&mut self, t: f64) {
        let index = self.happenings % STORM;
        let earlier = self.recent.get(index).copied();
        let last = self.log.iter().rev().map(|o| o.t).find(|&o| o != t).unwrap_or(t);
        if self.recent.len() < STORM {
            self.recent.push(t)
        } else {
            self.recent[index] = t
        }
        self.happenings += 1;
        let no_time = 64.0 * f64::EPSILON * STORM as f64 * t.abs();
        if earlier.is_some_and(|e| (t - e).abs() <= no_time) {
            self.failure = Some(SolveError::EventStorm { t, events: STORM }.into());
        } else if self.log.len() >= self.limit {
            self.failure =
                Some(IvpError::TooManyEvents { t, events: self.log.len(), apart: (t - last).abs() });
        }
    }

    /// Returns the accumulation of events that made the integrator fail at t, if it was one: events in ever shorter
    /// succession, or an event that happens again at once.
    pub(super) fn storm(&self, error: &SolveError, t0: f64) -> Option<SolveError> {
        let &SolveError::StepTooSmall { t, trouble, .. } = error else { return None };
        let events = self.recent.iter().filter(|e| (t - **e).abs() <= 1e-6 * (t - t0).abs()).count();
        let storm = match trouble {
            StepTrouble::TooFast => events >= 20 || self.tracks.iter().any(|track| track.sent == t),
            StepTrouble::Rhs(failure) => failure.reason == BACK_AT_ONCE,
            _ => false,
        };
        storm.then_some(SolveError::EventStorm { t, events: events + 1 })
    }
}
