//! Locates the instants at which forces with branches change over, and the modes of friction at contact points.
//!
//! A switch is a number of a force whose sign selects a branch: the length of a cable beyond its slack length, the
//! argument of `abs`, the condition of `if`. Those of contact points, which follow the others in all lists, are in `contact_modes`: they are positive while a mode holds. A run evaluates every force on the sides that hold
//! since the last event. A step is examined after it has been computed: where a switch may have changed its sign, it is
//! searched on the step's interpolant, and the step is repeated so that it ends where the sign changes first. There the
//! force changes over, and the integrator starts anew.
//!
//! A switch has no bounds as a gap has. It is taken to keep its sign in a step if the cubic through its values and
//! rates at the ends does, and if its value in the middle is near to that cubic; otherwise it is searched.

use carom_base::expression::Side;
use carom_ode::events::{Found, Sample, crossing};
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
/// The number of parts of a step in which a switch is searched.
const PARTS: usize = 16;
/// Halvings of a step within which the switch of a mode that has just begun is looked for above zero.
const SOONEST: i32 = 20;
/// The largest ratio of the deviation in the middle of a step to the distance from zero at which a step is not searched.
const DEVIATION: f64 = 0.5;

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

/// Returns the value at the part x of the way, 0 to 1, of the cubic with the values and rates of both ends, times `sign`.
fn cubic(sign: f64, a: &Sample, b: &Sample, x: f64) -> f64 {
    let (h, s) = (b.t - a.t, 1.0 - x);
    sign * (s * a.g + x * b.g + x * s * ((x - s) * (b.g - a.g) + h * (s * a.rate - x * b.rate)))
}

/// Returns the least value, and where, of that cubic, by samples.
fn least(sign: f64, a: &Sample, b: &Sample) -> (f64, f64) {
    let parts = (0..=PARTS).map(|i| i as f64 / PARTS as f64);
    parts.map(|x| (cubic(sign, a, b, x), x)).fold((f64::INFINITY, 0.0), |l, c| if c.0 < l.0 { c } else { l })
}

/// Returns how exactly changes of sign are located in a step [s].
fn resolution(step: &Step<'_>) -> f64 {
    1e-13 * step.h().abs() + 4.0 * f64::EPSILON * step.t1.abs()
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

    /// Returns whether no switch seems to have changed its sign in the step.
    fn certify(&mut self, scene: &mut Scene<'_>, step: &Step<'_>) -> bool {
        let h = step.h();
        self.target = None;
        self.suspects.clear();
        // (a run that was restored has more or fewer of them)
        self.resize();
        self.sample(scene, (step.t0, step.y0, step.f0), h, false);
        self.sample(scene, (step.t1, step.y1, step.f1), h, true);
        // the middle of the step, by the cubic through states and rates at its ends
        let mut state = std::mem::take(&mut self.state);
        state.clear();
        let middle = |i: usize| 0.5 * (step.y0[i] + step.y1[i]) + 0.125 * h * (step.f0[i] - step.f1[i]);
        state.extend((0..step.y0.len()).map(middle));
        self.compute(scene, 0.5 * (step.t0 + step.t1), &state, None);
        self.state = state;
        for i in 0..self.sizes.len() {
            let (sign, zero) = (sign(self.side(scene.ws, i)), self.zero(i, scene.atol));
            let (a, b, g) = (&self.start[i], &self.end[i], sign * self.values[i]);
            if self.is_new_mode(i) && !a.g.is_nan() && b.g < -zero {
                // it may end within the step
                self.suspects.push(i);
            }
            if sign == 0.0 || a.g.is_nan() || a.g.abs().max(b.g.abs()).max(g.abs()) <= zero {
                continue;
            }
            let deviation = (g - cubic(sign, a, b, 0.5)).abs();
            let near = (sign * a.g).min(sign * b.g).min(g).min(least(sign, a, b).0);
            // (a switch that has just changed over starts at zero)
            let leaves = sign * a.g <= zero && sign * a.rate > 0.0 && sign * b.g > zero && g > 0.0;
            let stays_clear = near > 0.0 && deviation <= DEVIATION * near;
            if !(stays_clear || leaves && deviation <= DEVIATION * g) {
                self.suspects.push(i);
            }
        }
        self.suspects.is_empty()
    }

    /// Returns the first change of sign of a suspect in the step. All suspects are sampled together, part by part; only where one has changed its sign within a part is it searched by itself.
    fn first_event(&mut self, scene: &mut Scene<'_>, step: &Step<'_>, dense: &Interpolant<'_>) -> Found {
        self.target = None;
        let mut path = Path { dense, step, state: std::mem::take(&mut self.state) };
        path.state.resize(step.y0.len(), 0.0);
        let mut found = Found::Nothing;
        let new = self.first_of_new(scene, &mut path);
        let mut suspects = std::mem::take(&mut self.suspects);
        suspects.retain(|i| !self.is_new_mode(*i));
        self.suspects = suspects;
        if let Some(i) = self.first_beyond(scene) {
            (self.target, found) = (Some(i), Found::At(step.t0));
        }
        for part in 1..=PARTS {
            if self.target.is_some() {
                break;
            }
            let end = if part == PARTS { step.t1 } else { step.t0 + step.h() * part as f64 / PARTS as f64 };
            self.sample_on(scene, &mut path, end);
            let mut first = f64::INFINITY;
            for k in 0..self.suspects.len() {
                let i = self.suspects[k];
                if let Some(t) = self.crossing_within(scene, &mut path, i, first) {
                    (first, self.target, found) = (t, Some(i), Found::At(t));
                }
            }
            std::mem::swap(&mut self.start, &mut self.end);
        }
        self.state = path.state;
        match (new, found) {
            (Some((_, t)), Found::At(known)) if known <= t => found,
            (Some((i, t)), _) => {
                self.target = Some(i);
                Found::At(t)
            }
            (None, _) => found,
        }
    }

    /// Whether it is the switch of a mode that has just begun, with its switch at zero; not of one of many that follow each other at one instant.
    fn is_new_mode(&self, i: usize) -> bool {
        let is_free = |k: usize| self.contacts.sides[k] == Side::Free;
        self.last.1 <= AT_ONCE && i.checked_sub(self.of_forces).is_some_and(is_free)
    }

    /// Returns the first change of sign of the switches of modes that have just begun and are below zero at the end of the step: however soon they have risen and turned round, or at its start if they have not risen.
    fn first_of_new(&mut self, scene: &mut Scene<'_>, path: &mut Path<'_>) -> Option<(usize, f64)> {
        let (mut first, step) = (None, path.step);
        for k in 0..self.suspects.len() {
            let i = self.suspects[k];
            if !self.is_new_mode(i) {
                continue;
            }
            let (zero, beyond) = (self.zero(i, scene.atol), self.end[i]);
            let mut sample = |t: f64| self.sample_one(scene, path, i, t);
            let shares = (1..=SOONEST).map(|k| 0.5f64.powi(k));
            let risen = shares.map(|share| sample(step.t0 + share * step.h())).find(|s| s.g > zero);
            let t = risen.map_or(step.t0, |risen| crossing(&mut sample, &risen, &beyond, resolution(step)).t);
            if first.is_none_or(|(_, known)| t < known) {
                first = Some((i, t));
            }
        }
        first
    }

    /// Samples one switch at the time `t` of a step.
    fn sample_one(&mut self, scene: &mut Scene<'_>, path: &mut Path<'_>, i: usize, t: f64) -> Sample {
        path.go_to(t);
        self.compute(scene, t, &path.state, Some(i));
        let (g, eta) = (self.values[i], path.probe(t));
        path.go_to(t + eta);
        self.compute(scene, t + eta, &path.state, Some(i));
        Sample { t, g, rate: (self.values[i] - g) / eta }
    }

    /// Returns a suspect that starts beyond zero and moves on, and raises those that start at zero above it.
    fn first_beyond(&mut self, scene: &Scene<'_>) -> Option<usize> {
        for k in 0..self.suspects.len() {
            let i = self.suspects[k];
            let (sign, zero) = (sign(self.side(scene.ws, i)), self.zero(i, scene.atol));
            let start = &mut self.start[i];
            let (g, rate) = (sign * start.g, sign * start.rate);
            if g <= zero {
                if g < -zero || rate < 0.0 {
                    return Some(i);
                }
                start.g = sign * g.max(f64::MIN_POSITIVE);
            }
        }
        None
    }

    /// Samples all switches on the interpolant of a step at the time `t`, as the end of a part.
    fn sample_on(&mut self, scene: &mut Scene<'_>, path: &mut Path<'_>, t: f64) {
        path.go_to(t);
        self.compute(scene, t, &path.state, None);
        for (sample, &g) in self.end.iter_mut().zip(&self.values) {
            *sample = Sample { t, g, rate: 0.0 };
        }
        let eta = path.probe(t);
        path.go_to(t + eta);
        self.compute(scene, t + eta, &path.state, None);
        for (sample, &g) in self.end.iter_mut().zip(&self.values) {
            sample.rate = (g - sample.g) / eta;
        }
    }

    /// Returns when the switch i first changes its sign in the part of a step between `start` and `end`, if it does so before the time `before`.
    fn crossing_within(
        &mut self,
        scene: &mut Scene<'_>,
        path: &mut Path<'_>,
        i: usize,
        before: f64,
    ) -> Option<f64> {
        let sign = sign(self.side(scene.ws, i));
        let on_side = |s: &Sample| Sample { g: sign * s.g, rate: sign * s.rate, ..*s };
        let (a, mut b) = (on_side(&self.start[i]), on_side(&self.end[i]));
        let ((dip, x), end) = (least(1.0, &a, &b), b.t);
        let resolution = resolution(path.step);
        let mut sample = |t: f64| on_side(&self.sample_one(scene, path, i, t));
        // of what is later than the first one nothing need be known
        if before < b.t && b.g < 0.0 {
            b = sample(before);
        }
        let mut beyond = (b.g < 0.0).then_some(b);
        if dip < 0.0 && x > 0.0 && x < 1.0 {
            let bottom = sample(a.t + x * (end - a.t));
            beyond = if bottom.g < 0.0 { Some(bottom) } else { beyond };
        }
        let t = crossing(&mut sample, &a, &beyond?, resolution).t;
        (t < before).then_some(t)
    }
}

/// The interpolant of a step, and room for a state on it.
struct Path<'a> {
    dense: &'a Interpolant<'a>,
    step: &'a Step<'a>,
    state: Vec<f64>,
}

impl Path<'_> {
    fn go_to(&mut self, t: f64) {
        let n = self.state.len();
        self.dense.at(t, 0..n, &mut self.state);
    }

    /// Returns how far from the time `t` rates are probed: backwards near the end of the step, so that both probes are within it.
    fn probe(&self, t: f64) -> f64 {
        let eta = 1e-6 * self.step.h();
        if (t + eta - self.step.t1) * eta > 0.0 { -eta } else { eta }
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

    /// Changes over the forces whose switches change sign at this event. A force that jumps there and drives the motion back is a
    /// failure.
    fn toggle_forces(&mut self, t: f64, y: &[f64], target: Option<usize>) {
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
