//! The watch over gaps: no contact is missed, and none stalls the run.
//!
//! The gap of each contact point is off, on or free ([`Status`]). After a step every gap that is near enough
//! is certified, pair by pair, from bounds on how it can change; what cannot be certified is searched on
//! the step's interpolant, and the step is repeated to end on the earliest crossing. All gaps that are
//! crossed or zero to rounding there change together; laws latch; the integrator starts anew once.

use std::collections::HashMap;

use carom_geometry::PairFailure;
use carom_geometry::proximity::{Aabb, Sweep};
use carom_ode::events::{Sample, crossing, first_crossing};
use carom_ode::{Interpolant, RhsFailure, Step};

use super::bounds::{BodyBounds, PairBounds};
use super::slot::{Feature, Slot, Status};
use crate::error::BuildError;
use crate::forward::Active;
use crate::model::{BODY, BodyKind, Model};
use crate::run::{Event, EventKind, Warning};
use crate::state::{Kinematics, body_slice};

/// Up to this many pairs each has its slot from the start, and all are looked at every step; beyond, a sweep
/// finds those that come near.
const EAGER_PAIRS: usize = 4096;
/// More events of a contact point than this in an output interval, and it is freed.
const MAX_EVENTS: usize = 1000;

/// A gap that could not be certified in this step.
#[derive(Clone, Copy, Debug)]
struct Suspect {
    at: Active,
    bounds: carom_ode::events::Bounds,
}

/// All contacts of a run, and what is known of them.
pub(crate) struct Watch {
    pub(crate) slots: Vec<Slot>,
    /// the contact points that can carry a force
    pub(crate) active: Vec<Active>,
    by_surfaces: HashMap<(usize, usize), usize>,
    eager: bool,
    sweep: Sweep,
    boxes: Vec<Aabb>,
    overlaps: Vec<(u32, u32)>,
    /// slots to look at in this step
    pub(crate) candidates: Vec<usize>,
    pub(crate) bounds: Vec<BodyBounds>,
    suspects: Vec<Suspect>,
    target: Option<Active>,
    /// the step was repeated after the gaps at its end were noted
    repeated: bool,
    pub(crate) log: Vec<Event>,
    pub(crate) warnings: Vec<Warning>,
    /// why a contact could not be evaluated, and in which slot
    pub(crate) failure: Option<(usize, &'static str)>,
}

impl Watch {
    pub(crate) fn new(m: &Model) -> Result<Watch, BuildError> {
        let mut w = Watch {
            slots: Vec::new(),
            active: Vec::new(),
            by_surfaces: HashMap::new(),
            eager: true,
            sweep: Sweep::new(),
            boxes: Vec::new(),
            overlaps: Vec::new(),
            candidates: Vec::new(),
            bounds: Vec::new(),
            suspects: Vec::new(),
            target: None,
            repeated: false,
            log: Vec::new(),
            warnings: Vec::new(),
            failure: None,
        };
        'all: for i in 0..m.surfaces.len() {
            for j in i + 1..m.surfaces.len() {
                w.slot(m, i, j)?;
                if w.slots.len() > EAGER_PAIRS {
                    w.eager = false;
                    break 'all;
                }
            }
        }
        Ok(w)
    }

    /// The slot of two surfaces, made when first asked for; `None` where no rule joins them.
    fn slot(&mut self, m: &Model, i: usize, j: usize) -> Result<Option<usize>, BuildError> {
        let (i, j) = (i.min(j), i.max(j));
        if let Some(&slot) = self.by_surfaces.get(&(i, j)) {
            return Ok(Some(slot));
        }
        let (a, b) = (m.surfaces[i].body, m.surfaces[j].body);
        if a == b || !(m.is_dynamic(a) || m.is_dynamic(b)) {
            return Ok(None);
        }
        let Some((rule, straight)) = m.table.get(i, j) else { return Ok(None) };
        let (a, b) = if straight { (i, j) } else { (j, i) };
        self.slots.push(Slot::new(m, rule, a, b)?);
        self.by_surfaces.insert((i, j), self.slots.len() - 1);
        Ok(Some(self.slots.len() - 1))
    }

    /// Which slots can matter in a step with these bounds on the bodies' motion.
    pub(crate) fn find_candidates(&mut self, m: &Model, h: f64) {
        self.candidates.clear();
        if self.eager {
            self.candidates.extend(0..self.slots.len());
            return;
        }
        self.boxes.clear();
        for s in &m.surfaces {
            let b = &self.bounds[s.body];
            // the ball's centre leaves the chord between its places at the ends by no more than this
            let slack = 0.125 * b.acceleration * h * h + s.centre.norm() * b.angular_speed * h;
            let ball = |k: &Kinematics| Aabb::of_sphere(&k.x.point(&s.centre), s.radius + slack);
            self.boxes.push(ball(&b.start).merge(&ball(&b.end)));
        }
        let mut overlaps = std::mem::take(&mut self.overlaps);
        self.sweep.pairs(&self.boxes, &mut overlaps);
        for &(i, j) in &overlaps {
            match self.slot(m, i as usize, j as usize) {
                Ok(Some(slot)) => self.candidates.push(slot),
                Ok(None) => {}
                Err(_) => self.failure = Some((0, "a pair that came near has no solver")),
            }
        }
        self.overlaps = overlaps;
    }

    /// The status of every contact point at the start: what overlaps has touched; what is zero to rounding and
    /// not moving is free.
    pub(crate) fn start(&mut self, m: &Model, t: f64, y: &[f64]) {
        let f = vec![0.0; y.len()];
        let step = Step::still(t, y, &f);
        self.bounds.clear();
        self.bounds.extend((0..m.bodies.len()).map(|b| BodyBounds::new(m, b, &step)));
        self.find_candidates(m, 0.0);
        for i in 0..self.candidates.len() {
            let slot = self.candidates[i];
            for k in 0..self.slots[slot].features.len() {
                let at = Active { slot, feature: k };
                let Some((g, rate)) = self.gap_at_end(m, at) else { continue };
                let grain = self.slots[slot].grain();
                let closing = rate < -hardly(m);
                if g.abs() <= grain && !closing && rate <= hardly(m) {
                    self.set_free(m, at);
                } else if g < -grain || (g <= grain && closing) {
                    self.touch(m, t, at);
                }
            }
        }
        self.list_active();
    }

    /// Gap and rate of a point at the end of the step the bounds are for.
    pub(crate) fn gap_at_end(&mut self, m: &Model, at: Active) -> Option<(f64, f64)> {
        let s = &self.slots[at.slot];
        match s.gap(m, at.feature, &self.bounds[s.body_a].end, &self.bounds[s.body_b].end) {
            Ok(g) => Some(g),
            Err(e) => {
                self.failure = Some((at.slot, crate::forward::reason(e)));
                None
            }
        }
    }

    /// Whether no gap can have crossed in this step.
    pub(crate) fn certify(&mut self, m: &Model, step: &Step<'_>) -> Result<bool, RhsFailure> {
        let h = step.h();
        self.bounds.clear();
        self.bounds.extend((0..m.bodies.len()).map(|b| BodyBounds::new(m, b, step)));
        self.find_candidates(m, h);
        self.suspects.clear();
        self.target = None;
        self.repeated = false;
        for i in 0..self.candidates.len() {
            let slot = self.candidates[i];
            let failure = |e| RhsFailure { place: slot, reason: crate::forward::reason(e) };
            self.certify_slot(m, slot, step, h).map_err(failure)?;
        }
        Ok(self.suspects.is_empty())
    }

    fn certify_slot(&mut self, m: &Model, index: usize, step: &Step<'_>, h: f64) -> Result<(), PairFailure> {
        let slot = &mut self.slots[index];
        let (a, b) = (&self.bounds[slot.body_a], &self.bounds[slot.body_b]);
        let pair = PairBounds::new(m, slot, a, b, h);
        let apart = slot.features.iter().all(|f| f.status == Status::Off);
        if apart && pair.far() {
            slot.fresh = false;
            slot.end_known = false;
            return Ok(());
        }
        for k in 0..slot.features.len() {
            let (g0, r0) = if slot.fresh {
                (slot.features[k].gap, slot.features[k].gap_rate)
            } else {
                slot.gap(m, k, &a.start, &b.start)?
            };
            let (g1, r1) = slot.gap(m, k, &a.end, &b.end)?;
            let f = &mut slot.features[k];
            (f.gap, f.gap_rate, f.gap_end, f.gap_rate_end) = (g0, r0, g1, r1);
            let status = f.status;
            let bounds = pair.gap(slot, g0, g1);
            let start = Sample { t: step.t0, g: g0.max(0.0), rate: r0 };
            let end = Sample { t: step.t1, g: g1, rate: r1 };
            let clear = match status {
                // below zero but opening: just released, to rounding
                Status::Off => (g0 >= -slot.grain() || r0 >= 0.0) && bounds.keep_clear(&start, &end),
                // a contact is felt by the integrator: its steps resolve it, and the end tells
                Status::On => g1 <= 0.0,
                Status::Free => true,
            };
            if !clear {
                self.suspects.push(Suspect { at: Active { slot: index, feature: k }, bounds });
            }
        }
        slot.fresh = true;
        slot.end_known = true;
        Ok(())
    }

    /// The first crossing among the suspects.
    pub(crate) fn first_event(
        &mut self,
        m: &Model,
        step: &Step<'_>,
        dense: &Interpolant<'_>,
    ) -> Result<Option<f64>, RhsFailure> {
        let resolution = 4.0 * f64::EPSILON * step.t1.abs().max(step.t0.abs());
        let mut horizon = step.t1;
        self.target = None;
        for i in 0..self.suspects.len() {
            let Suspect { at, bounds } = self.suspects[i];
            let slot = &self.slots[at.slot];
            let feature = &slot.features[at.feature];
            let mut failure = None;
            let mut gap = |t: f64| -> Sample {
                let (ka, kb) = (body_at(m, slot.body_a, dense, t), body_at(m, slot.body_b, dense, t));
                match slot.gap(m, at.feature, &ka, &kb) {
                    Ok((g, rate)) => Sample { t, g, rate },
                    // no use searching on; the failure is passed on below
                    Err(e) => {
                        failure = Some(RhsFailure { place: at.slot, reason: crate::forward::reason(e) });
                        Sample { t, g: 0.0, rate: 0.0 }
                    }
                }
            };
            let found = match feature.status {
                Status::Off if feature.gap < -slot.grain() && feature.gap_rate < 0.0 => Some(step.t0),
                Status::Off => first_crossing(&mut gap, step.t0, horizon, &bounds, resolution),
                Status::On => release(&mut gap, feature, step.t0, horizon, resolution),
                Status::Free => None,
            };
            if let Some(failure) = failure {
                return Err(failure);
            }
            if let Some(t) = found
                && (t < horizon || (self.target.is_none() && t <= horizon))
            {
                horizon = t;
                self.target = Some(at);
            }
        }
        Ok(self.target.map(|_| horizon))
    }

    /// The time missing at the end of a step that was sent to the target's crossing.
    pub(crate) fn landing(&mut self, m: &Model, step: &Step<'_>) -> f64 {
        let Some(at) = self.target else { return 0.0 };
        self.repeated = true;
        let s = &self.slots[at.slot];
        let (a, b) = (BodyBounds::new(m, s.body_a, step), BodyBounds::new(m, s.body_b, step));
        let Ok((g, rate)) = s.gap(m, at.feature, &a.end, &b.end) else { return 0.0 };
        // a graze has no crossing to land on more exactly
        let toward = match s.features[at.feature].status {
            Status::On => rate > 0.0,
            Status::Off | Status::Free => rate < 0.0,
        };
        if !toward || g.abs() <= f64::EPSILON * s.size { 0.0 } else { -g / rate }
    }

    /// At an event: every gap that is crossed, or zero to rounding, changes. Gives the duration of the shortest
    /// impact that begins, infinite if none does.
    pub(crate) fn toggle(&mut self, m: &Model, t: f64, y: &[f64]) -> f64 {
        let mut shortest = f64::INFINITY;
        let target = self.target.take();
        for b in 0..m.bodies.len() {
            self.bounds[b].end = body_now(m, b, t, y);
        }
        for i in 0..self.candidates.len() {
            let slot = self.candidates[i];
            if !self.slots[slot].end_known && target.is_none_or(|x| x.slot != slot) {
                continue;
            }
            for k in 0..self.slots[slot].features.len() {
                let at = Active { slot, feature: k };
                let before = self.slots[slot].features[k].status;
                self.toggle_point(m, t, at, target == Some(at));
                if before == Status::Off && self.slots[slot].features[k].status == Status::On {
                    shortest = shortest.min(self.slots[slot].impact_duration(m, k));
                }
            }
            self.slots[slot].fresh = true;
        }
        self.list_active();
        shortest
    }

    /// The time to just past the first release that the motion now leads to: a step that ends there loses less
    /// than one that goes far beyond.
    pub(crate) fn release_ahead(&self, m: &Model, t: f64, y: &[f64], dy: &[f64]) -> f64 {
        let mut first = f64::INFINITY;
        for at in &self.active {
            let s = &self.slots[at.slot];
            let f = &s.features[at.feature];
            if f.status != Status::On || f.gap_rate <= 0.0 || f.gap >= 0.0 || !s.fresh {
                continue;
            }
            let body = |b: usize| body_now(m, b, t, y);
            let acceleration = s.gap_acceleration(m, at.feature, &body(s.body_a), &body(s.body_b), dy);
            // −gap = rate t + ½ a t²: the acceleration ebbs away, so this is a little early
            let depth = -f.gap;
            let root = (f.gap_rate * f.gap_rate + 2.0 * acceleration.max(0.0) * depth).sqrt();
            first = first.min(2.0 * depth / (f.gap_rate + root));
        }
        // past it by so much that the ebbing is made up for
        1.5 * first
    }

    fn toggle_point(&mut self, m: &Model, t: f64, at: Active, is_target: bool) {
        let Some((g, rate)) = self.gap_at_end(m, at) else { return };
        let grain = self.slots[at.slot].grain();
        let f = &mut self.slots[at.slot].features[at.feature];
        (f.gap, f.gap_rate) = (g, rate);
        let zero = g.abs() <= grain;
        let changes = match f.status {
            Status::Off => is_target || (g <= grain && rate < 0.0),
            Status::On => is_target || (g >= -grain && rate > 0.0),
            Status::Free => !f.chattering && g.abs() > 4.0 * grain,
        };
        if !changes {
            return;
        }
        if f.status == Status::Free && g > 0.0 {
            f.status = Status::Off;
            return;
        }
        f.events += 1;
        if f.events > MAX_EVENTS {
            f.chattering = true;
            let name = self.slots[at.slot].name(m);
            self.warnings.push(Warning::Chatter { contact: name });
            self.set_free(m, at);
        } else if zero && rate.abs() <= hardly(m) {
            self.set_free(m, at);
        } else if f.status != Status::On {
            self.touch(m, t, at);
        } else {
            self.release(m, t, at);
        }
    }

    /// After an accepted step: free points that are clear of zero become on or off again.
    pub(crate) fn settle(&mut self, m: &Model, t: f64, y: &[f64]) {
        // at an event everything is looked at again
        if std::mem::take(&mut self.repeated) {
            return;
        }
        let mut changed = false;
        for i in 0..self.candidates.len() {
            let index = self.candidates[i];
            let slot = &mut self.slots[index];
            if !slot.end_known {
                continue;
            }
            let clear = 4.0 * slot.grain();
            for f in &mut slot.features {
                (f.gap, f.gap_rate) = (f.gap_end, f.gap_rate_end);
            }
            for k in 0..slot.features.len() {
                let f = &self.slots[index].features[k];
                if f.status != Status::Free || f.chattering || f.gap.abs() <= clear {
                    continue;
                }
                changed = true;
                if f.gap > 0.0 {
                    self.slots[index].features[k].status = Status::Off;
                } else {
                    for b in [self.slots[index].body_a, self.slots[index].body_b] {
                        self.bounds[b].end = body_now(m, b, t, y);
                    }
                    self.touch(m, t, Active { slot: index, feature: k });
                }
            }
        }
        if changed {
            self.list_active();
        }
    }

    /// An output interval is over: what was freed for chattering may be watched again.
    pub(crate) fn forget_chatter(&mut self) {
        for slot in &mut self.slots {
            for f in &mut slot.features {
                f.events = 0;
                f.chattering = false;
            }
        }
    }

    pub(crate) fn touch(&mut self, m: &Model, t: f64, at: Active) {
        let latched = self.latch(m, at);
        self.note_touch(m, t, at);
        let rule = &m.rules[self.slots[at.slot].rule];
        if latched == Some(false) && rule.normal.needs_impact_speed() {
            self.warnings.push(Warning::SlowTouch { contact: self.slots[at.slot].name(m) });
        }
    }

    /// A touch whose law has latched already.
    pub(crate) fn note_touch(&mut self, m: &Model, t: f64, at: Active) {
        let f = &mut self.slots[at.slot].features[at.feature];
        f.status = Status::On;
        (f.peak_force, f.max_indentation) = (0.0, 0.0);
        (f.f_n, f.f_n_rate) = (0.0, 0.0);
        let speed = -f.gap_rate;
        self.record(m, t, at, EventKind::Touch, speed);
    }

    pub(crate) fn release(&mut self, m: &Model, t: f64, at: Active) {
        let f = &mut self.slots[at.slot].features[at.feature];
        f.status = Status::Off;
        let speed = f.gap_rate;
        self.record(m, t, at, EventKind::Release, speed);
    }

    fn set_free(&mut self, m: &Model, at: Active) {
        self.latch(m, at);
        self.slots[at.slot].features[at.feature].status = Status::Free;
    }

    /// Latches from the bodies as they are at the end of the step. Says whether the impact speed was.
    pub(crate) fn latch(&mut self, m: &Model, at: Active) -> Option<bool> {
        let s = &mut self.slots[at.slot];
        let (a, b) = (self.bounds[s.body_a].end, self.bounds[s.body_b].end);
        if let Ok((g, rate)) = s.gap(m, at.feature, &a, &b) {
            (s.features[at.feature].gap, s.features[at.feature].gap_rate) = (g, rate);
        }
        match s.latch(m, at.feature, &a, &b) {
            Ok(latched) => Some(latched),
            Err(why) => {
                self.failure = Some((at.slot, why));
                None
            }
        }
    }

    fn record(&mut self, m: &Model, t: f64, at: Active, kind: EventKind, speed: f64) {
        let s = &self.slots[at.slot];
        let f = &s.features[at.feature];
        self.log.push(Event {
            t,
            kind,
            contact: s.name(m),
            feature: s.pair.feature_name(at.feature),
            speed,
            peak_force: f.peak_force,
            max_indentation: f.max_indentation,
        });
    }

    /// Lists the points that can carry a force.
    fn list_active(&mut self) {
        self.active.clear();
        for (slot, s) in self.slots.iter().enumerate() {
            for (feature, f) in s.features.iter().enumerate() {
                if f.status != Status::Off {
                    self.active.push(Active { slot, feature });
                }
            }
        }
    }
}

/// A speed at which a gap hardly closes [m/s].
fn hardly(m: &Model) -> f64 {
    1e-10 * m.scale.speed
}

/// The first time at which a closed gap opens.
fn release(
    gap: &mut dyn FnMut(f64) -> Sample,
    feature: &Feature,
    t0: f64,
    t1: f64,
    resolution: f64,
) -> Option<f64> {
    let mut depth = |t: f64| {
        let s = gap(t);
        Sample { t, g: -s.g, rate: -s.rate }
    };
    let end = depth(t1);
    if end.g >= 0.0 {
        return None;
    }
    if feature.gap < 0.0 {
        let start = Sample { t: t0, g: -feature.gap, rate: -feature.gap_rate };
        return Some(crossing(&mut depth, &start, &end, resolution).t);
    }
    // just touched: go back from the end until it is closed
    let (mut hi, mut w) = (end, t1 - t0);
    while w > resolution {
        w *= 0.5;
        let s = depth(t0 + w);
        if s.g > 0.0 {
            return Some(crossing(&mut depth, &s, &hi, resolution).t);
        }
        hi = s;
    }
    Some(t0)
}

/// A body at a time within the step.
pub(crate) fn body_at(m: &Model, body: usize, dense: &Interpolant<'_>, t: f64) -> Kinematics {
    let b = &m.bodies[body];
    match b.kind {
        BodyKind::Dynamic(d) => {
            let mut s = [0.0; BODY];
            dense.at(t, d * BODY..(d + 1) * BODY, &mut s);
            Kinematics::of_state(&s)
        }
        _ => Kinematics::of_body(b, t),
    }
}

/// A body in a state.
pub(crate) fn body_now(m: &Model, body: usize, t: f64, y: &[f64]) -> Kinematics {
    let b = &m.bodies[body];
    match b.kind {
        BodyKind::Dynamic(d) => Kinematics::of_state(body_slice(y, d)),
        _ => Kinematics::of_body(b, t),
    }
}
