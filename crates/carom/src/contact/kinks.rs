//! Locates where the slope of a contact force has a kink: where points that share an indentation begin or end to do so ([`BoundPair::kink`](carom_geometry::BoundPair::kink)), where the piece ends on which a
//! point is held ([`BoundPair::piece`](carom_geometry::BoundPair::piece)), and where an indentation turns round, of laws whose damping ends there
//! ([`NormalLaw::ends_damping_at_turn`](carom_law::NormalLaw::ends_damping_at_turn)).
//!
//! A step across a kink of the slope is less exact than its method: its error is of the second order in the step. So a step ends there, and nothing else changes.
//!
//! **Pieces.** A point that touches is held on its piece until the step in which that ends. So the rates are smooth in every attempt, also a little beyond the end, no attempt is refused because of the kink, and the step is cut where
//! the piece ends: from there on the next one holds the point. As rates are continuous there, the method goes on with the steps it has planned.
//!
//! **Shared indentations.** Where tolerances are tight, a step ends where they begin or end to be shared.

use carom_ode::events::Found;
use carom_ode::{Interpolant, Step};

use super::bodies::PairBodies;
use super::contact_point::Status;
use super::monitor::{ContactMonitor, body_at};
use crate::contact::Active;
use crate::model::Model;
use crate::state::{Kinematics, placed};

/// Absolute tolerances below which steps end where points begin or end to share an indentation: the errors that these kinks make are below those of looser ones.
pub(crate) const TIGHT: f64 = 1e-9;
/// A kink this near the start of a step, of order one elsewhere, is at it.
const AT_START: f64 = 1e-6;
/// A piece has ended where its point is this far beyond its end, of order one: well above rounding errors, and so little that it does not change forces. Steps end halfway there.
const ENDED: f64 = 1e-9;
/// Times at which a kink is sought in a step at most.
const MOST_TRIALS: usize = 60;

/// What has a kink in a step.
#[derive(Clone, Copy, Debug)]
enum Kink {
    /// the share of a point in an indentation, where a number of order one changes its sign; its value at the start
    Share(f64),
    /// the damping of the law, where the rate changes its sign; its value at the start
    Turn(f64),
    /// a piece that ends
    End(u32),
}

/// A contact point whose force has a kink in the step.
#[derive(Clone, Copy, Debug)]
struct Suspect {
    at: Active,
    kink: Kink,
    /// a time in the step at which it is past the kink
    past: f64,
}

/// The search for kinks in the step being examined.
#[derive(Default)]
pub(crate) struct KinkSearch {
    suspects: Vec<Suspect>,
    /// whether the step is to end where a piece ends
    at_end: bool,
    /// the contact point whose piece that is
    ending: Option<Active>,
    /// the state halfway through the step, and where the bodies are then
    halfway: Vec<f64>,
    bodies: Vec<Kinematics>,
}

impl KinkSearch {
    /// Says whether the step is to end where a piece ends.
    pub(super) fn at_end(&self) -> bool {
        self.at_end
    }

    pub(super) fn forget_target(&mut self) {
        self.at_end = false;
    }

    /// Places the bodies halfway through a step, by the cubics through the states and rates at its ends.
    fn look_halfway(&mut self, m: &Model, step: &Step<'_>) {
        let eighth = 0.125 * step.h();
        let cubic = |i: usize| 0.5 * (step.y0[i] + step.y1[i]) + eighth * (step.f0[i] - step.f1[i]);
        self.halfway.clear();
        self.halfway.extend((0..step.y0.len()).map(cubic));
        let t = step.t0 + 0.5 * step.h();
        self.bodies.clear();
        self.bodies.extend(m.world.bodies.iter().map(|b| Kinematics::new(b, t, &self.halfway)));
    }
}

/// Returns where in a step, 0 to 1, a number is negative by more than [`ENDED`], as far as the parabola through its values at the start, halfway and at the end tells.
fn negative([first, middle, last]: [f64; 3]) -> Option<f64> {
    if last < -ENDED {
        return Some(1.0);
    }
    if middle < -ENDED {
        return Some(0.5);
    }
    let (a, b) = (2.0 * (first + last) - 4.0 * middle, 4.0 * middle - 3.0 * first - last);
    let least = -b / (2.0 * a);
    (a > 0.0 && least > 0.0 && least < 1.0 && first + 0.5 * b * least < -ENDED).then_some(least)
}

impl ContactMonitor {
    /// Returns the number whose zero is where a point begins or ends to share its indentation.
    fn share(&self, at: Active, [ka, kb]: [&Kinematics; 2]) -> Option<f64> {
        let pair = &self.pairs[at.pair];
        let (ra, rb);
        let (xa, xb) = (placed!(pair.local_a, ka.x, ra), placed!(pair.local_b, kb.x, rb));
        pair.geometry.kink(at.point, xa, xb)
    }

    /// Returns how far a contact point is from the end of the piece on which it is held, and the piece that follows.
    fn end_of_piece(&self, at: Active, piece: u32, [ka, kb]: [&Kinematics; 2]) -> Option<(f64, u32)> {
        let pair = &self.pairs[at.pair];
        let (ra, rb);
        let (xa, xb) = (placed!(pair.local_a, ka.x, ra), placed!(pair.local_b, kb.x, rb));
        pair.geometry.piece_ends(at.point, xa, xb, piece)
    }

    /// Returns whether no force has a kink in the step whose gaps were examined last; of shared indentations only if tolerances are `tight`.
    pub(crate) fn certify_kinks(&mut self, m: &Model, step: &Step<'_>, tight: bool) -> bool {
        let mut kinks = std::mem::take(&mut self.kinks);
        kinks.suspects.clear();
        kinks.at_end = false;
        let mut halfway = false;
        for &at in &self.active {
            let pair = &self.pairs[at.pair];
            let (a, b) = (&self.bounds[pair.body_a], &self.bounds[pair.body_b]);
            let (start, end) = ([&a.start, &b.start], [&a.end, &b.end]);
            if let Some(piece) = pair.held_on(at.point) {
                if !std::mem::replace(&mut halfway, true) {
                    kinks.look_halfway(m, step);
                }
                let middle = [&kinks.bodies[pair.body_a], &kinks.bodies[pair.body_b]];
                let room = |k| self.end_of_piece(at, piece, k).map_or(f64::NEG_INFINITY, |(room, _)| room);
                if let Some(theta) = negative([room(start), room(middle), room(end)]) {
                    let past = if theta == 1.0 { step.t1 } else { step.t0 + theta * step.h() };
                    kinks.suspects.push(Suspect { at, kink: Kink::End(piece), past });
                }
            }
            let point = &pair.state.points[at.point];
            if !tight || point.status != Status::On || point.end.step != self.examined.steps {
                continue;
            }
            let share = |k| self.share(at, k);
            let shares = share(end).and_then(|last| Some([share(start)?, last]));
            let turns = m.rules[pair.rule].normal.ends_damping_at_turn();
            // (a speed that is nothing beside that of the impact may be rounding)
            let rates = turns.then(|| [-point.last.rate, -point.end.rate].map(|rate| rate / point.touch.v0));
            let crosses = |[first, last]: &[f64; 2]| {
                first.abs() > AT_START && last.abs() > AT_START && (*first > 0.0) != (*last > 0.0)
            };
            let shares = shares.filter(crosses).map(|[first, _]| Kink::Share(first));
            let turns = rates.filter(crosses).map(|[first, _]| Kink::Turn(first));
            let found = [shares, turns].into_iter().flatten();
            kinks.suspects.extend(found.map(|kink| Suspect { at, kink, past: step.t1 }));
        }
        self.kinks = kinks;
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
        let (mut first, mut ends, mut ending) = (before, false, None);
        let worn = m.world.layout.worn(step.y1);
        for &Suspect { at, kink, past } in &self.kinks.suspects {
            let pair = &self.pairs[at.pair];
            let beyond = |t: f64| {
                let [ka, kb] = [pair.body_a, pair.body_b].map(|body| body_at(m, body, dense, t));
                let other_sign = |value: f64, start: f64| (value > 0.0) != (start > 0.0);
                match kink {
                    Kink::Share(start) => {
                        self.share(at, [&ka, &kb]).is_some_and(|value| other_sign(value, start))
                    }
                    Kink::Turn(start) => {
                        let gap = pair.gap(at.point, PairBodies { a: &ka, b: &kb, worn });
                        gap.is_ok_and(|(_, rate)| other_sign(-rate, start))
                    }
                    Kink::End(piece) => {
                        self.end_of_piece(at, piece, [&ka, &kb]).is_none_or(|(room, _)| room < -0.5 * ENDED)
                    }
                }
            };
            // (of what is later than the first one nothing need be known)
            let (mut low, mut high) = (step.t0, past.min(first));
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
            if high < first {
                (first, ends, ending) = (high, matches!(kink, Kink::End(_)), Some(at));
            }
        }
        if first == before {
            return found;
        }
        self.forget_target();
        (self.kinks.at_end, self.kinks.ending) = (ends, ending);
        Found::At(first)
    }

    /// At an event: holds the points whose pieces end there on those that follow. Returns whether that was all that the event was about.
    pub(crate) fn change_pieces(&mut self, m: &Model, t: f64, y: &[f64]) -> bool {
        let mut kinks = std::mem::take(&mut self.kinks);
        for &Suspect { at, kink, .. } in &kinks.suspects {
            let Kink::End(piece) = kink else { continue };
            let pair = &self.pairs[at.pair];
            if pair.held_on(at.point) != Some(piece) {
                continue;
            }
            let [ka, kb] =
                [pair.body_a, pair.body_b].map(|body| Kinematics::new(&m.world.bodies[body], t, y));
            match self.end_of_piece(at, piece, [&ka, &kb]) {
                Some((room, next)) if room < -0.25 * ENDED => self.pairs[at.pair].hold_on(at.point, next),
                // (no point of the piece is found just beyond this instant, though it has not ended: it is not held in the next step)
                Some(_) if kinks.ending == Some(at) => self.pairs[at.pair].hold_on(at.point, 0),
                Some(_) => {}
                None => self.pairs[at.pair].hold_on(at.point, 0),
            }
        }
        kinks.suspects.clear();
        let all = std::mem::take(&mut kinks.at_end);
        self.kinks = kinks;
        all
    }

    /// Holds the points that touch, and are not held yet, on the pieces on which they are at the end of the step.
    pub(super) fn hold_pieces(&mut self) {
        if !self.locates {
            return;
        }
        for &Active { pair, point } in &self.active {
            let pair = &mut self.pairs[pair];
            if pair.held_on(point).is_some() || !pair.geometry.has_pieces() {
                continue;
            }
            let (ka, kb) = (&self.bounds[pair.body_a].end, &self.bounds[pair.body_b].end);
            let (ra, rb);
            let (xa, xb) = (placed!(pair.local_a, ka.x, ra), placed!(pair.local_b, kb.x, rb));
            let piece = pair.geometry.piece(point, xa, xb);
            pair.hold_on(point, piece);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::negative;

    #[test]
    fn dips_below_zero_are_seen() {
        assert_eq!(negative([1.0, 0.5, -0.1]), Some(1.0));
        assert_eq!(negative([1.0, -0.1, 1.0]), Some(0.5));
        // (4 θ − 1)² − 0.1
        assert_eq!(negative([0.9, 0.9, 8.9]), Some(0.25));
        // (4 θ − 1)² + 0.1, and one that only falls
        assert_eq!(negative([1.1, 1.1, 9.1]), None);
        assert_eq!(negative([1.0, 0.4, 0.1]), None);
        assert_eq!(negative([0.0, 0.0, 0.0]), None);
    }
}
