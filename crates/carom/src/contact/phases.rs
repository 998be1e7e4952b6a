//! Locates the ends of the phases of normal laws with history: where an indentation turns round, or reaches a level that a law names.
//!
//! The force of such a law is one smooth function within a phase. A step in which a phase ends is repeated so that it ends there; the law then says which
//! phase follows, and the integrator starts anew. A phase does not end by rounding errors: the indentation must go beyond its end by more than the gap that counts as zero. By then the
//! force has changed by no more than such a gap changes it.

use carom_law::{History, Normal, Phase, PhaseEnd, PhaseEnds, Touch};
use carom_ode::events::{Found, Sample, crossing};
use carom_ode::{Interpolant, Step};

use super::bodies::PairBodies;
use super::contact_point::{ContactPoint, Gap, Status, turn};
use super::monitor::{ContactMonitor, body_at, speed_rounding};
use crate::contact::Active;
use crate::model::Model;
use crate::state::Kinematics;

/// The largest number of phases that can end at one state, where they are not located.
const AT_ONCE: usize = 4;
/// Rates of speeds are differences over this part of a step.
const PROBE: f64 = 1e-6;

/// The search for ends of phases in the step being examined.
#[derive(Default)]
pub(crate) struct PhaseSearch {
    /// the contact point whose phase ends first, and how
    target: Option<(Active, PhaseEnd)>,
    /// the contact points whose phases end in the step, and how
    suspects: Vec<(Active, PhaseEnd)>,
}

carom_base::carried!(PhaseSearch { target } scratch { suspects });

impl PhaseSearch {
    pub(super) fn forget_target(&mut self) {
        self.target = None;
    }

    pub(super) fn target(&self) -> Option<(Active, PhaseEnd)> {
        self.target
    }
}

impl ContactPoint {
    /// Updates the extreme indentation of a phase that ends where the indentation turns round: no force depends on it before.
    pub(super) fn note_extreme(&mut self, delta: f64) {
        note_extreme(&mut self.touch.history, delta);
    }

    /// Returns where in a step of length `h` [s] the indentation turns round, 0 to 1, and its value there [m], by the cubic through its values and rates at the ends; `None` if its rates have
    /// the same sign.
    fn extreme(&self, h: f64) -> Option<(f64, f64)> {
        let (a, b) = (&self.last, &self.end);
        if !(a.rate * b.rate < 0.0) {
            return None;
        }
        let sign = a.rate.signum();
        let x = turn(sign * a.rate, sign * b.rate, sign * (b.gap - a.gap) / h);
        let s = 1.0 - x;
        let gap = s * a.gap + x * b.gap + x * s * ((x - s) * (b.gap - a.gap) + h * (s * a.rate - x * b.rate));
        Some((x, -gap))
    }

    /// Returns whether a phase ends in that way in a step of length `h` [s], beyond a gap that counts as zero [m].
    fn passes(&self, ends: &PhaseEnds, end: PhaseEnd, zero_gap: f64, h: f64) -> bool {
        let (delta, rate) = (-self.end.gap, -self.end.rate);
        let within = self.extreme(h).map_or(delta, |(_, delta)| delta);
        match end {
            PhaseEnd::Below => delta.min(within) < ends.below - zero_gap,
            PhaseEnd::Above => delta.max(within) > ends.above + zero_gap,
            PhaseEnd::Turn => {
                let (before, after) = (-ends.rate * self.last.rate, ends.rate * rate);
                if ends.rate == 0.0 || after >= 0.0 {
                    return false;
                }
                // at a constant acceleration, the distance from where it turned to the end of the step
                let since = if before > 0.0 { 0.5 * h * after * after / (before - after) } else { 0.0 };
                since.max(ends.rate * (self.touch.history.deepest - delta)) > zero_gap
            }
        }
    }
}

impl ContactMonitor {
    /// Returns whether no phase has ended in the step of length `h` [s] whose gaps were examined last.
    pub(crate) fn certify_phases(&mut self, m: &Model, h: f64) -> bool {
        self.phases.suspects.clear();
        self.phases.target = None;
        for &at in &self.active {
            let pair = &self.pairs[at.pair];
            let point = &pair.state.points[at.point];
            if point.status != Status::On || point.end.step != self.examined.steps {
                continue;
            }
            let Some(ends) = m.rules[pair.rule].normal.phase_ends(&point.touch) else { continue };
            let zero_gap = self.grain_at_end(at.pair);
            for end in [PhaseEnd::Below, PhaseEnd::Above, PhaseEnd::Turn] {
                if point.passes(&ends, end, zero_gap, h) {
                    self.phases.suspects.push((at, end));
                }
            }
        }
        self.phases.suspects.is_empty()
    }

    /// The same where touches are not located: ends of phases are all the same, as forces would go on along the wrong curve until the step ends.
    pub(crate) fn certify_unlocated_phases(&mut self, m: &Model, step: &Step<'_>) -> bool {
        let worn = m.world.layout.worn(step.y1);
        for i in 0..self.active.len() {
            let at = self.active[i];
            let pair = &self.pairs[at.pair];
            let known = pair.state.points[at.point].status == Status::On;
            if !(known && m.rules[pair.rule].normal.has_phases()) {
                continue;
            }
            let [a, b] = [pair.body_a, pair.body_b].map(|body| &self.bounds[body].end);
            let Ok((gap, rate)) = pair.gap(at.point, PairBodies { a, b, worn }) else { continue };
            let end = Gap { gap, rate, step: self.examined.steps };
            self.pairs[at.pair].state.points[at.point].end = end;
        }
        self.certify_phases(m, step.h())
    }

    /// Returns the earlier of the event found so far and the first end of a phase in the step.
    pub(crate) fn first_phase_end(
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
        let (mut first, mut target) = (before, None);
        for &(at, end) in &self.phases.suspects {
            let t = self.phase_end(m, step, dense, at, end);
            if t < first {
                (first, target) = (t, Some((at, end)));
            }
        }
        if target.is_none() {
            return found;
        }
        self.forget_target();
        self.phases.target = target;
        Found::At(first)
    }

    /// Returns the time at which a phase ends in the step: its start if it has ended there already, infinity if it does not end.
    fn phase_end(
        &self,
        m: &Model,
        step: &Step<'_>,
        dense: &Interpolant<'_>,
        at: Active,
        end: PhaseEnd,
    ) -> f64 {
        let (pair, worn) = (&self.pairs[at.pair], m.world.layout.worn(step.y1));
        let point = &pair.state.points[at.point];
        let Some(ends) = m.rules[pair.rule].normal.phase_ends(&point.touch) else { return f64::INFINITY };
        let gap = |t: f64| {
            let [a, b] = [pair.body_a, pair.body_b].map(|body| body_at(m, body, dense, t));
            // (the search cannot go on after a failure, which the next evaluation reports)
            pair.gap(at.point, PairBodies { a: &a, b: &b, worn }).unwrap_or((0.0, 0.0))
        };
        let eta = PROBE * step.h();
        let mut distance = |t: f64| {
            let (g, rate) = gap(t);
            match end {
                PhaseEnd::Below => Sample { t, g: -g - ends.below, rate: -rate },
                PhaseEnd::Above => Sample { t, g: ends.above + g, rate },
                PhaseEnd::Turn => {
                    // (backward near the end of the step, so that both probes are within it)
                    let dt = if t + eta > step.t1 { -eta } else { eta };
                    let slope = (gap(t + dt).1 - rate) / dt;
                    Sample { t, g: -ends.rate * rate, rate: -ends.rate * slope }
                }
            }
        };
        let (start, mut last) = (distance(step.t0), distance(step.t1));
        if last.g >= 0.0 {
            // it goes beyond and comes back
            let Some((x, _)) = point.extreme(step.h()) else { return f64::INFINITY };
            last = distance(step.t0 + x * step.h());
            if last.g >= 0.0 {
                return f64::INFINITY;
            }
        }
        let resolution = 1e-13 * step.h() + 4.0 * f64::EPSILON * step.t1.abs();
        if start.g > 0.0 {
            return crossing(&mut distance, &start, &last, resolution).t;
        }
        // a phase that has just begun starts at its end, within rounding error: back from where it is beyond, until it is not
        let mut width = last.t - start.t;
        while start.rate > 0.0 && width > resolution {
            width *= 0.5;
            let middle = distance(start.t + width);
            if middle.g > 0.0 {
                return crossing(&mut distance, &middle, &last, resolution).t;
            }
            last = middle;
        }
        step.t0
    }

    /// Returns the time by which a step that was to end with a phase misses that end [s]; positive: the end is later.
    pub(super) fn phase_landing(&mut self, m: &Model, step: &Step<'_>, at: Active, end: PhaseEnd) -> f64 {
        self.examined.repeated = true;
        let s = &self.pairs[at.pair];
        let [ka, kb] =
            [s.body_a, s.body_b].map(|body| Kinematics::new(&m.world.bodies[body], step.t1, step.y1));
        let bodies = PairBodies { a: &ka, b: &kb, worn: m.world.layout.worn(step.y1) };
        let point = &s.state.points[at.point];
        let Some(ends) = m.rules[s.rule].normal.phase_ends(&point.touch) else { return 0.0 };
        let Ok(c) = s.contact(at.point, bodies) else { return 0.0 };
        let rate = s.closing(at.point, &c, bodies).delta_dot;
        let dt = match end {
            PhaseEnd::Below => (ends.below - c.delta) / rate,
            PhaseEnd::Above => (ends.above - c.delta) / rate,
            PhaseEnd::Turn => rate / s.acceleration(m, &c, &ka, &kb, step.f1).dot(&c.n),
        };
        if dt.is_finite() && dt.abs() < step.h() { dt } else { 0.0 }
    }

    /// Changes, at an event, the phases that end there, of all contact points that are at the end of one together.
    pub(crate) fn toggle_phases(&mut self, m: &Model, y: &[f64]) {
        let Some(target) = self.phases.target.take() else { return };
        let worn = m.world.layout.worn(y);
        for i in 0..self.active.len() {
            let at = self.active[i];
            let law = m.rules[self.pairs[at.pair].rule].normal.clone();
            let point = &self.pairs[at.pair].state.points[at.point];
            let Some(ends) = law.phase_ends(&point.touch).filter(|_| point.status == Status::On) else {
                continue;
            };
            let Some((gap, gap_rate)) = self.gap_at_end(at, worn) else { continue };
            let (delta, rate, zero_gap) = (-gap, -gap_rate, 2.0 * self.grain_at_end(at.pair));
            let ended = if target.0 == at {
                Some(target.1)
            } else if delta >= ends.above - zero_gap && rate > 0.0 {
                Some(PhaseEnd::Above)
            } else if delta <= ends.below + zero_gap && rate < 0.0 {
                Some(PhaseEnd::Below)
            } else {
                let turns = ends.rate != 0.0 && ends.rate * rate <= speed_rounding(m);
                (turns && target.1 == PhaseEnd::Turn).then_some(PhaseEnd::Turn)
            };
            if let Some(end) = ended {
                let touch = &mut self.pairs[at.pair].state.points[at.point].touch;
                touch.history = law.next_phase(end, delta, touch);
            }
        }
    }

    /// Where touches are not located: changes the phase of a contact point in an accepted state, if its end has been passed.
    pub(super) fn follow_phases(&mut self, law: &dyn Normal, at: Active) {
        let point = &mut self.pairs[at.pair].state.points[at.point];
        follow_phases(law, &mut point.touch, -point.last.gap, -point.last.rate);
    }
}

/// Changes the phase of a contact at an indentation [m] with its rate [m/s], where ends of phases are not located; says whether it did.
pub(crate) fn follow_phases(law: &dyn Normal, touch: &mut Touch, delta: f64, rate: f64) -> bool {
    for i in 0..AT_ONCE {
        let Some(ends) = law.phase_ends(touch) else { return false };
        let ended = if ends.rate * rate < 0.0 {
            PhaseEnd::Turn
        } else if delta > ends.above {
            PhaseEnd::Above
        } else if delta < ends.below {
            PhaseEnd::Below
        } else {
            return i > 0;
        };
        touch.history = law.next_phase(ended, delta, touch);
    }
    true
}

/// Updates the extreme indentation [m] of a phase that ends where the indentation turns round: no force depends on it before.
pub(crate) fn note_extreme(History { phase, deepest }: &mut History, delta: f64) {
    match phase {
        Phase::Loading | Phase::Yielding => *deepest = deepest.max(delta),
        Phase::Parting => *deepest = deepest.min(delta),
        Phase::Unloading | Phase::Slack => {}
    }
}
