//! What happens at events: actions, counts, where the functions stand afterwards, limits.

use super::error::IvpError;
use super::event::{Direction, Occurrence, Side};
use super::watch::{Standing, Watch};
use crate::error::SolveError;
use crate::step::Step;

/// So many events in next to no time are a storm.
const STORM: usize = 100;

/// What the driver must do after events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    Continue,
    Restart,
    Stop,
}

impl Watch<'_, '_> {
    /// Events that are due at the very start: how it looks from there on is `step`, from the start to the end.
    pub(super) fn start_with(&mut self, step: &Step<'_>, y: &mut [f64]) -> Next {
        let mut due = Vec::new();
        for i in 0..self.events.len() {
            if self.events[i].pending && self.tracks[i].g == 0.0 {
                let direction = self.events[i].direction;
                // unless it moves off the wrong way, it happens
                let from = self.departure(i, step).map_or_else(
                    || if direction == Direction::Rising { Side::Below } else { Side::Above },
                    Side::other,
                );
                if direction.counts_from(from) {
                    due.push((i, from));
                }
            }
        }
        if due.is_empty() { Next::Continue } else { self.all_happen(step.t0, y, &due) }
    }

    /// All events at t: the one the step was sent to, and those that have come to zero with it.
    pub(super) fn happen(&mut self, t: f64, y: &mut [f64]) -> Next {
        let mut now: Vec<(usize, Side)> = Vec::new();
        for i in 0..self.events.len() {
            let g = (self.events[i].g)(t, y);
            let track = &mut self.tracks[i];
            track.g = g;
            match (self.target, track.standing) {
                (Some((target, zero)), _) if target == i => now.push((i, zero.from)),
                (_, Standing::On(side)) if !side.holds(g) && self.events[i].direction.counts_from(side) => {
                    now.push((i, side));
                }
                (_, _) => {}
            }
        }
        self.target = None;
        self.all_happen(t, y, &now)
    }

    fn all_happen(&mut self, t: f64, y: &mut [f64], now: &[(usize, Side)]) -> Next {
        let before = y.to_vec();
        let first = self.log.len();
        let mut next = Next::Continue;
        for &(i, from) in now {
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
        self.settle(t, y, &before, now);
        self.check_limits(t);
        if self.ended_by.is_some() || self.failure.is_some() { Next::Stop } else { next }
    }

    /// Where all functions stand after events.
    fn settle(&mut self, t: f64, y: &[f64], before: &[f64], now: &[(usize, Side)]) {
        let changed = y != before;
        let moved = t != self.settled;
        for i in 0..self.events.len() {
            let happened = now.iter().find(|(k, _)| *k == i).map(|(_, from)| from.other());
            let g = (self.events[i].g)(t, y);
            let track = &mut self.tracks[i];
            track.g = g;
            match (happened, Side::of(g)) {
                (Some(side), _) => {
                    let toward = if changed { None } else { Some(side) };
                    track.standing = Standing::Leaving { toward, sent: changed };
                }
                (None, Some(side)) if changed || moved => track.standing = Standing::On(side),
                (None, None) if changed => {
                    track.standing = Standing::Leaving { toward: None, sent: false };
                }
                (None, _) => {}
            }
        }
        self.stale = false;
        self.settled = t;
    }

    /// Where all functions stand after somebody else changed the state.
    pub(super) fn resettle(&mut self, t: f64, y: &[f64], before: &[f64]) {
        if y != before {
            self.settle(t, y, before, &[]);
        }
    }

    /// Too many events, or too many in no time.
    fn check_limits(&mut self, t: f64) {
        let slot = self.happenings % STORM;
        let earlier = self.recent.get(slot).copied();
        let last = self.log.iter().rev().map(|o| o.t).find(|&o| o != t).unwrap_or(t);
        if self.recent.len() < STORM {
            self.recent.push(t)
        } else {
            self.recent[slot] = t
        }
        self.happenings += 1;
        let no_time = 4.0 * f64::EPSILON * STORM as f64 * t.abs();
        if earlier.is_some_and(|e| (t - e).abs() <= no_time) {
            self.failure = Some(SolveError::EventStorm { t, events: STORM }.into());
        } else if self.log.len() >= self.limit {
            self.failure =
                Some(IvpError::TooManyEvents { t, events: self.log.len(), apart: (t - last).abs() });
        }
    }

    /// Whether events have come ever faster up to t, where the integrator gave up.
    pub(super) fn storm_at(&self, t: f64, t0: f64) -> Option<SolveError> {
        let earliest = self.recent.get((self.happenings.max(20) - 20) % STORM)?;
        let ever_faster = self.happenings >= 20 && (t - earliest).abs() <= 1e-6 * (t - t0).abs();
        ever_faster.then_some(SolveError::EventStorm { t, events: 20 })
    }
}
