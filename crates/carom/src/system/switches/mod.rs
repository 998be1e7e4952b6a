//! Locates the instants at which forces with branches change over, and the modes of friction at contact points.
//!
//! A switch is a number of a force whose sign selects a branch: the length of a cable beyond its slack length, the
//! argument of `abs`, the condition of `if`. Those of contact points, which follow the others in all lists, are in `contact_modes`: they are positive while a mode holds. A run evaluates every force on the sides that hold
//! since the last event. A step is examined after it has been computed: where a switch may have changed its sign, it is
//! searched on the step's interpolant, and the step is repeated so that it ends where the sign changes first. There the
//! force changes over, and the integrator starts anew.
//!
//! A switch has no bounds as a gap has: `search.rs` says how it is searched.

mod search;

use carom_base::expression::Side;
use carom_ode::events::{Found, Sample};
use carom_ode::{Interpolant, RhsFailure, Step};

use super::System;
use super::contact_modes::ContactModes;
use crate::contact::ContactPair;
use crate::forward::kinematics;
use crate::model::Model;
use crate::site::Part;
use crate::workspace::Workspace;

/// A switch closer to zero than this part of its size counts as zero: it is there by rounding errors.
const ROUNDING: f64 = 1e-12;
/// Rates are differences over this part of a step.
const PROBE: f64 = 1e-4;

/// The largest number of changes of sides at one instant: beyond it, the switch is not located there.
const AT_ONCE: u32 = 20;

const SLIDES: &str = "it jumps where its condition changes over, and drives the motion back to where it changes over, from both sides: no motion follows; \
     replace the jump by a steep `tanh` or a `step`";

/// The switches of all forces in a run.
#[derive(Debug)]
pub(crate) struct SwitchMonitor {
    /// the switch at whose change of sign the step is to end
    target: Option<usize>,
    /// the time of the last change of a side [s], and how many there were at that time
    last: (f64, u32),
    /// the time of the last touch [s], and how long the impact lasts that began there [s]
    last_touch: (f64, f64),
    /// the switches that may have changed their sign in the step examined
    suspects: Vec<usize>,
    /// the values at the start of the step examined, and at its end
    start: Vec<Sample>,
    end: Vec<Sample>,
    /// the largest size of each switch: the size of the numbers that it is computed from
    sizes: Vec<f64>,
    /// the number of switches of forces, which come first
    of_forces: usize,
    /// the switches of contact points
    pub(super) contacts: ContactModes,
    /// workspace: a state, and values of switches
    state: Vec<f64>,
    values: Vec<f64>,
}

// (the sides are among the loads)
carom_base::carried!(SwitchMonitor { target, last, last_touch, contacts } scratch { suspects, start, end, sizes, of_forces, state, values });

/// What switches are computed with.
pub(super) struct Scene<'a> {
    pub(super) m: &'a Model,
    pub(super) pairs: &'a [ContactPair],
    pub(super) ws: &'a mut Workspace,
    pub(super) atol: f64,
}

/// Returns the sign that a switch has on a side.
fn sign(side: Side) -> f64 {
    match side {
        Side::Free => 0.0,
        Side::Negative => -1.0,
        Side::Positive => 1.0,
    }
}

/// Returns what counts as zero for a switch of this size.
pub(super) fn zero(size: f64, atol: f64) -> f64 {
    size * ROUNDING.max(if atol.is_finite() { 1e-2 * atol } else { 0.0 })
}

fn side_of(value: f64) -> Side {
    if value < 0.0 { Side::Negative } else { Side::Positive }
}

impl SwitchMonitor {
    pub(crate) fn new(m: &Model) -> SwitchMonitor {
        let n = m.counts.switches;
        let mut sizes = vec![0.0; n];
        for force in m.forces.iter().filter_map(|force| force.switching()) {
            force.switch_sizes(&m.world, &mut sizes);
        }
        let mut monitor = SwitchMonitor {
            target: None,
            last: (f64::NAN, 0),
            last_touch: (f64::NAN, f64::INFINITY),
            suspects: Vec::new(),
            start: Vec::new(),
            end: Vec::new(),
            sizes,
            of_forces: n,
            contacts: ContactModes::default(),
            state: Vec::new(),
            values: Vec::new(),
        };
        monitor.resize();
        monitor
    }

    /// Makes room for the switches that there are now.
    pub(super) fn resize(&mut self) {
        let n = self.of_forces + self.contacts.count();
        let none = Sample { t: 0.0, g: f64::NAN, rate: 0.0 };
        self.start.resize(n, none);
        self.end.resize(n, none);
        self.sizes.resize(n, 1.0);
        self.values.resize(n, 0.0);
    }

    /// Computes the values of all switches in a state, of contact points those of one alone if `of` is a switch; NaN for those that depend on the time alone, or cannot change.
    fn compute(&mut self, scene: &mut Scene<'_>, t: f64, y: &[f64], of: Option<usize>) {
        let Scene { m, pairs, ws, .. } = scene;
        kinematics(m, t, y, ws);
        self.values.fill(f64::NAN);
        let (of_forces, of_contacts) = self.values.split_at_mut(self.of_forces);
        for force in m.forces.iter().filter_map(|force| force.switching()) {
            force.switch_values(&m.world, &ws.loads, t, of_forces);
        }
        let of = of.map(|i| i.checked_sub(self.of_forces));
        self.contacts.values(m, pairs, ws, y, of, [of_contacts, &mut self.sizes[self.of_forces..]]);
    }

    /// Returns the side that a switch is on.
    fn side(&self, ws: &Workspace, i: usize) -> Side {
        match i.checked_sub(self.of_forces) {
            None => ws.loads.sides[i],
            Some(i) => self.contacts.sides[i],
        }
    }

    fn is_empty(&self) -> bool {
        self.sizes.is_empty()
    }

    /// Returns the size below which a switch counts as zero.
    fn zero(&self, i: usize, atol: f64) -> f64 {
        zero(self.sizes[i], atol)
    }

    /// Samples all switches in the state `y` with rates `f`; `h`: the length of the step that the state is an end of.
    fn sample(&mut self, scene: &mut Scene<'_>, (t, y, f): (f64, &[f64], &[f64]), h: f64, at_end: bool) {
        let eta = PROBE * h;
        self.compute(scene, t, y, None);
        let samples = if at_end { &mut self.end } else { &mut self.start };
        for (sample, &g) in samples.iter_mut().zip(&self.values) {
            *sample = Sample { t, g, rate: 0.0 };
        }
        if eta == 0.0 {
            return;
        }
        // (backward at the end of a step, so that both probes are within it)
        let eta = if at_end { -eta } else { eta };
        let mut state = std::mem::take(&mut self.state);
        state.clear();
        state.extend(y.iter().zip(f).map(|(y, f)| y + eta * f));
        self.compute(scene, t + eta, &state, None);
        self.state = state;
        let samples = if at_end { &mut self.end } else { &mut self.start };
        for (sample, &g) in samples.iter_mut().zip(&self.values) {
            sample.rate = (g - sample.g) / eta;
        }
    }
}

impl System<'_> {
    /// Returns the switches, and what they are computed with.
    pub(super) fn switching(&mut self) -> (&mut SwitchMonitor, Scene<'_>) {
        let System { model, switches, monitor, ws, settings, .. } = self;
        (switches, Scene { m: model, pairs: &monitor.pairs, ws, atol: settings.atol })
    }

    /// Whether forces or contact points have switches. They are located also where contacts are not: a jump of a force that a step passes over costs
    /// the method its order, and the ledger, whose work follows the same steps, does not show it.
    fn locates_switches(&self) -> bool {
        !self.switches.is_empty()
    }

    /// Sets the sides of all switches at the start of a run, by their values there or, where these are zero, by their rates.
    pub(super) fn start_switches(&mut self, t: f64, y: &[f64]) -> Result<(), RhsFailure> {
        if !self.locates_switches() {
            return Ok(());
        }
        if self.switches.of_forces == 0 {
            return Ok(());
        }
        let mut dy = vec![0.0; y.len()];
        self.rates(t, y, &mut dy)?;
        self.latch_free(t, y, &dy);
        Ok(())
    }

    /// Sets the sides of switches that have none yet and are not zero.
    fn latch_free(&mut self, t: f64, y: &[f64], dy: &[f64]) {
        let h = self.settings.horizon.abs().min(1.0) * 1e-3;
        let (switches, mut scene) = self.switching();
        switches.sample(&mut scene, (t, y, dy), h, false);
        for i in 0..self.switches.of_forces {
            let (Sample { g, rate, .. }, zero) =
                (self.switches.start[i], self.switches.zero(i, self.settings.atol));
            let moving = if rate.abs() * h > zero { rate } else { 0.0 };
            let value = if g.abs() > zero { g } else { moving };
            if self.ws.loads.sides[i] == Side::Free && value != 0.0 && !g.is_nan() {
                self.ws.loads.sides[i] = side_of(value);
            }
        }
    }

    /// Sets the sides of switches that have left zero in an accepted step.
    pub(super) fn settle_switches(&mut self, t: f64, y: &[f64]) {
        let free = self.ws.loads.sides.contains(&Side::Free) || self.switches.contacts.has_free();
        if !self.locates_switches() || !free {
            return;
        }
        let (switches, mut scene) = self.switching();
        switches.resize();
        switches.compute(&mut scene, t, y, None);
        for i in 0..switches.sizes.len() {
            let (g, zero) = (switches.values[i], switches.zero(i, scene.atol));
            if switches.side(scene.ws, i) != Side::Free || !(g.abs() > zero) {
                continue;
            }
            match i.checked_sub(switches.of_forces) {
                None => scene.ws.loads.sides[i] = side_of(g),
                // (one that is negative changes as the next step begins)
                Some(i) => switches.contacts.sides[i] = Side::Positive,
            }
        }
    }

    /// Returns whether no switch seems to have changed its sign in the step.
    pub(super) fn certify_switches(&mut self, step: &Step<'_>) -> bool {
        if !self.locates_switches() {
            return true;
        }
        let (switches, mut scene) = self.switching();
        switches.certify(&mut scene, step)
    }

    /// Returns the earlier of the event found so far and the first change of sign of a switch.
    pub(super) fn first_switch(&mut self, step: &Step<'_>, dense: &Interpolant<'_>, found: Found) -> Found {
        if !self.locates_switches() || self.switches.suspects.is_empty() {
            return found;
        }
        let (switches, mut scene) = self.switching();
        let switch = switches.first_event(&mut scene, step, dense);
        let Found::At(t) = switch else { return found };
        let earlier = match found {
            Found::Nothing => true,
            Found::At(known) | Found::ClearUntil(known) => t < known,
        };
        if earlier {
            self.monitor.forget_target();
            return switch;
        }
        self.switches.target = None;
        found
    }

    /// Returns the time that is missing at the end of a step to the change of sign at which it was to end; `None` if it was
    /// to end at another event.
    pub(super) fn switch_landing(&mut self, step: &Step<'_>) -> Option<f64> {
        let i = self.switches.target?;
        let (switches, mut scene) = self.switching();
        switches.sample(&mut scene, (step.t1, step.y1, step.f1), step.h(), true);
        let Sample { g, rate, .. } = self.switches.end[i];
        let dt = -g / rate;
        Some(if dt.is_finite() && dt.abs() < step.h().abs() { dt } else { 0.0 })
    }

    /// Changes over the switches whose sign changes at this event.
    pub(super) fn toggle_switches(&mut self, t: f64, y: &mut [f64]) {
        let target = self.switches.target.take();
        let (at, count) = self.switches.last;
        self.switches.last = (t, if at == t { count + 1 } else { 1 });
        if self.switches.of_forces > 0 {
            let of_force = target.filter(|i| *i < self.switches.of_forces);
            self.toggle_forces(t, y, of_force);
        }
        let of_contact = target.and_then(|i| i.checked_sub(self.switches.of_forces));
        self.change_modes(t, y, of_contact);
    }

    /// Returns the time scale of what begins at an event [s]: that of the impact, if surfaces touch there, also where further events follow at the same instant.
    pub(super) fn time_scale_at(&mut self, t: f64, of_touch: f64) -> f64 {
        if of_touch.is_finite() {
            self.switches.last_touch = (t, of_touch);
        }
        let (at, of_touch) = self.switches.last_touch;
        if at == t { of_touch } else { f64::INFINITY }
    }

    /// Whether so many changes have happened at this instant that the switch is not located there.
    pub(super) fn switches_at_once(&self) -> bool {
        self.switches.last.1 > AT_ONCE
    }

    /// Returns a state that has places for what the contacts that have just touched remember: at an event the state is still as long as before.
    fn with_all_memories(&self, y: &[f64]) -> Vec<f64> {
        let layout = &self.model.world.layout;
        let mut whole = vec![0.0; layout.len(self.monitor.memories.count).max(y.len())];
        layout.carry_over(y, &mut whole);
        whole
    }

    /// Changes over the forces whose switches change sign at this event. A force that jumps there and drives the motion back is a
    /// failure.
    fn toggle_forces(&mut self, t: f64, y: &[f64], target: Option<usize>) {
        let y = &self.with_all_memories(y);
        let mut dy = vec![0.0; y.len()];
        let h = self.settings.horizon.abs().min(1.0) * 1e-6;
        if self.rates(t, y, &mut dy).is_err() {
            return;
        }
        let (switches, mut scene) = self.switching();
        switches.sample(&mut scene, (t, y, &dy), h, false);
        let before = self.switches.start[..self.switches.of_forces].to_vec();
        for (i, sample) in before.iter().enumerate() {
            let (side, zero) = (self.ws.loads.sides[i], self.switches.zero(i, self.settings.atol));
            let beyond = sign(side) * sample.g < -zero;
            if target == Some(i) || beyond {
                self.ws.loads.sides[i] = match side {
                    // a number that jumps at this instant, on whichever side it is taken: it goes by its sign until it has left
                    _ if self.switches_at_once() => Side::Free,
                    Side::Negative => Side::Positive,
                    Side::Positive => Side::Negative,
                    Side::Free => side_of(sample.g),
                };
            }
        }
        let Some(i) = target else { return };
        if self.rates(t, y, &mut dy).is_err() {
            return;
        }
        let (switches, mut scene) = self.switching();
        switches.sample(&mut scene, (t, y, &dy), h, false);
        let (was, is) = (before[i].rate, self.switches.start[i].rate);
        let side = sign(self.ws.loads.sides[i]);
        if side * was > 0.0 && side * is < 0.0 && is.abs() > 1e-6 * was.abs() {
            let of = |force: &std::sync::Arc<dyn crate::force::ForceElement>| {
                force.switching().is_some_and(|s| s.switches().contains(&i))
            };
            let force = self.model.forces.iter().position(of).unwrap_or_default();
            self.monitor.failure = Some(Part::Force(force).fails(SLIDES));
        }
    }
}
