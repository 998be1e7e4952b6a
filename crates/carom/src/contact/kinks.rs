//! Locates where the slope of a contact force has a kink: as points that share an indentation begin or end to do so ([`BoundPair::kink`](carom_geometry::BoundPair::kink)), and as an indentation
//! turns round, of laws whose damping ends there ([`NormalLaw::ends_damping_at_turn`](carom_law::NormalLaw::ends_damping_at_turn)).
//!
//! A step across a kink of the slope is less exact than its method: its error is of the second order in the step. Where tolerances are tight, a step ends there instead; nothing else changes.

use carom_ode::events::Found;
use carom_ode::{Interpolant, Step};

use super::bodies::PairBodies;
use super::contact_point::Status;
use super::monitor::{ContactMonitor, body_at};
use crate::contact::Active;
use crate::model::Model;
use crate::state::placed;

/// Absolute tolerances below which steps end at kinks: the errors that kinks make are below those of looser ones.
pub(crate) const TIGHT: f64 = 1e-9;
/// A kink this near the start of a step, of order one elsewhere, is at it.
const AT_START: f64 = 1e-6;
/// Times at which a kink is sought in a step at most.
const MOST_TRIALS: usize = 60;

/// What has a kink where a number is zero.
#[derive(Clone, Copy, Debug)]
enum Kink {
    /// the share of a point in an indentation, by a number of order one
    Share,
    /// the damping of the law, by δ̇
    Turn,
}

/// The search for kinks in the step being examined.
#[derive(Default)]
pub(crate) struct KinkSearch {
    /// the contact points whose forces have one, of what kind, and its number at the start of the step
    suspects: Vec<(Active, Kink, f64)>,
}

impl ContactMonitor {
    /// Returns the number of which a kink is the zero.
    fn kink(&self, at: Active, kink: Kink, bodies: PairBodies<'_>) -> Option<f64> {
        let pair = &self.pairs[at.pair];
        match kink {
            Kink::Share => {
                let (ra, rb);
                let (xa, xb) = (placed!(pair.local_a, bodies.a.x, ra), placed!(pair.local_b, bodies.b.x, rb));
                pair.geometry.kink(at.point, xa, xb)
            }
            Kink::Turn => pair.gap(at.point, bodies).ok().map(|(_, rate)| -rate),
        }
    }

    /// Returns whether no force has a kink in the step whose gaps were examined last.
    pub(crate) fn certify_kinks(&mut self, m: &Model) -> bool {
        let mut suspects = std::mem::take(&mut self.kinks.suspects);
        suspects.clear();
        for &at in &self.active {
            let pair = &self.pairs[at.pair];
            let point = &pair.state.points[at.point];
            if point.status != Status::On || point.end.step != self.examined.steps {
                continue;
            }
            let (a, b) = (&self.bounds[pair.body_a], &self.bounds[pair.body_b]);
            let share = |a, b| self.kink(at, Kink::Share, PairBodies { a, b, worn: &[] });
            let shares = share(&a.end, &b.end).and_then(|last| Some([share(&a.start, &b.start)?, last]));
            let turns = m.rules[pair.rule].normal.ends_damping_at_turn();
            // (a speed that is nothing beside that of the impact may be rounding)
            let rates = turns.then(|| [-point.last.rate, -point.end.rate].map(|rate| rate / point.touch.v0));
            for (kink, numbers) in [(Kink::Share, shares), (Kink::Turn, rates)] {
                let Some([first, last]) = numbers else { continue };
                if first.abs() > AT_START && last.abs() > AT_START && (first > 0.0) != (last > 0.0) {
                    suspects.push((at, kink, first));
                }
            }
        }
        self.kinks.suspects = suspects;
        self.kinks.suspects.is_empty()
    }

    /// Returns the earlier of the event found so far and the first kink in the step.
    pub(crate) fn first_kink(
        &mut self,
        m: &Model,
        step: &Step<'_>,
        dense: &Interpolant<'_>,
        found: Found,
    ) -> Found {
        let before = match found {
            Found::Nothing => f64::INFINITY,
            Found::At(t) | Found::ClearUntil(t) => t,
        };
        let (mut first, worn) = (before, m.world.layout.worn(step.y1));
        for &(at, kink, start) in &self.kinks.suspects {
            let pair = &self.pairs[at.pair];
            let beyond = |t: f64| {
                let [ka, kb] = [pair.body_a, pair.body_b].map(|body| body_at(m, body, dense, t));
                let bodies = PairBodies { a: &ka, b: &kb, worn };
                self.kink(at, kink, bodies).is_some_and(|value| (value > 0.0) != (start > 0.0))
            };
            // (of what is later than the first one nothing need be known)
            let (mut low, mut high) = (step.t0, step.t1.min(first));
            if high < step.t1 && !beyond(high) {
                continue;
            }
            let resolution = 1e-13 * step.h() + 4.0 * f64::EPSILON * step.t1.abs();
            for _ in 0..MOST_TRIALS {
                if high - low <= resolution {
                    break;
                }
                let middle = 0.5 * (low + high);
                if beyond(middle) { high = middle } else { low = middle }
            }
            first = first.min(high);
        }
        if first == before {
            return found;
        }
        self.forget_target();
        Found::At(first)
    }
}
