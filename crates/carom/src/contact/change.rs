//! What happens to contact points at events and between steps.

use carom_law::Indentation;

use super::feature::Status;
use super::watch::{Watch, hardly};
use crate::forward::Active;
use crate::joint::Pull;
use crate::model::Model;
use crate::run::{Event, EventKind, Warning};

/// More events of a contact point than this in an output interval, and it is freed.
const MAX_EVENTS: usize = 1000;

/// Crossings this close in time happen together, as a part of the time it takes to go a body's size at the model's speed: symmetric bodies touch on
/// both sides at once, but for rounding, and one event is cheaper than two.
const TOGETHER: f64 = 1e-9;

/// Speeds above this part of the model's own matter: their energy is more than the ten-thousandth part.
pub(super) const MATTERS: f64 = 0.02;

impl Watch {
    /// At an event: every gap that is crossed, or zero to rounding, changes. Gives the duration of the shortest
    /// impact that begins, infinite if none does.
    pub(crate) fn toggle(&mut self, m: &Model, t: f64, y: &[f64]) -> f64 {
        let mut shortest = f64::INFINITY;
        let target = self.target.take();
        for (bounds, b) in self.bounds.iter_mut().zip(&m.bodies) {
            bounds.end.update(b, t, y);
        }
        for i in 0..self.candidates.len() {
            let slot = self.candidates[i];
            if self.slots[slot].end_of != self.looks && target.is_none_or(|x| x.slot != slot) {
                continue;
            }
            let s = &mut self.slots[slot];
            let (a, b) = (&self.bounds[s.body_a].end, &self.bounds[s.body_b].end);
            s.look_near(a, b, TOGETHER * s.size);
            if let Some(target) = target.filter(|x| x.slot == slot && !s.near.contains(&x.feature)) {
                s.near.push(target.feature);
            }
            for i in 0..self.slots[slot].near.len() {
                let k = self.slots[slot].near[i];
                let at = Active { slot, feature: k };
                let before = self.slots[slot].features[k].status;
                self.toggle_point(m, t, at, target == Some(at));
                if before == Status::Off && self.slots[slot].features[k].status == Status::On {
                    shortest = shortest.min(self.slots[slot].impact_duration(m, k));
                }
            }
        }
        self.list_active();
        shortest
    }

    fn toggle_point(&mut self, m: &Model, t: f64, at: Active, is_target: bool) {
        let Some((g, rate)) = self.gap_at_end(at) else { return };
        let (grain, size) = (self.slots[at.slot].grain(), self.slots[at.slot].size);
        // what crosses within so short a time crosses now
        let slack = grain.max(TOGETHER * size * (rate.abs() / m.scale.speed).min(1.0));
        let f = &mut self.slots[at.slot].features[at.feature];
        f.reaches(t, g, rate, self.accepted);
        let zero = g.abs() <= grain;
        let changes = match f.status {
            Status::Off => is_target || (g <= slack && rate < 0.0),
            Status::On => is_target || (g >= -slack && rate > 0.0),
            Status::Free => !f.chattering && g.abs() > 4.0 * grain,
        };
        if !changes {
            return;
        }
        if f.status == Status::Free && g > 0.0 {
            self.set_off(at);
            return;
        }
        f.events += 1;
        if f.events > MAX_EVENTS {
            f.chattering = true;
            let name = self.slots[at.slot].name.clone();
            self.warnings.push(Warning::Chatter { contact: name });
            self.set_free(m, t, at);
        } else if zero && rate.abs() <= hardly(m) {
            self.set_free(m, t, at);
        } else if f.status != Status::On {
            self.touch(m, t, at);
        } else {
            self.release(t, at);
        }
    }

    /// After an accepted step: free points that are clear of zero become on or off again.
    pub(crate) fn settle(&mut self, m: &Model, t: f64, y: &[f64]) {
        self.accepted += 1;
        // at an event everything is looked at again
        if std::mem::take(&mut self.repeated) {
            return;
        }
        let mut changed = false;
        for i in 0..self.candidates.len() {
            let index = self.candidates[i];
            let slot = &mut self.slots[index];
            if slot.end_of != self.looks {
                continue;
            }
            let clear = 4.0 * slot.grain();
            for &k in &slot.near {
                let f = &mut slot.features[k];
                f.reaches(t, f.gap_end, f.gap_rate_end, self.accepted);
            }
            for i in 0..slot.near.len() {
                let k = self.slots[index].near[i];
                let f = &self.slots[index].features[k];
                if f.status != Status::Free || f.chattering || f.gap.abs() <= clear {
                    continue;
                }
                changed = true;
                if f.gap > 0.0 {
                    self.set_off(Active { slot: index, feature: k });
                } else {
                    for b in [self.slots[index].body_a, self.slots[index].body_b] {
                        self.bounds[b].end.update(&m.bodies[b], t, y);
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
        let latched = self.latch(m, t, at);
        self.note_touch(m, t, at);
        let rule = &m.rules[self.slots[at.slot].rule];
        let speed = -self.slots[at.slot].features[at.feature].gap_rate;
        let matters = speed > MATTERS * m.scale.speed;
        if latched == Some(false) && matters && rule.normal.needs_impact_speed() {
            self.warnings.push(Warning::SlowTouch { contact: self.slots[at.slot].name.clone() });
        }
    }

    /// A touch whose law has latched already.
    pub(crate) fn note_touch(&mut self, m: &Model, t: f64, at: Active) {
        // a force that rises from here on: if it falls at the end of the first step, it had a peak within
        let rising = f64::MIN_POSITIVE;
        let slot = &mut self.slots[at.slot];
        if slot.features.iter().all(|f| f.status != Status::On) {
            self.contacts += 1;
            (slot.f_n_rate, slot.depth_rate) = (rising, rising);
        }
        self.set_status(m, at, Status::On);
        let f = &mut self.slots[at.slot].features[at.feature];
        (f.peak_force, f.max_indentation, f.follows_from) = (0.0, 0.0, None);
        f.f_n_rate = rising;
        let speed = -f.gap_rate;
        self.record(t, at, EventKind::Touch, speed);
        // with a plain dashpot the force jumps at touch, and may be largest there
        let slot = &mut self.slots[at.slot];
        let f = &mut slot.features[at.feature];
        let first = Indentation { delta: (-f.gap).max(f64::MIN_POSITIVE), delta_dot: speed };
        f.peak_force = f.share * m.rules[slot.rule].normal.force(first, &f.touch).f_n.max(0.0);
        self.peak_force = self.peak_force.max(f.peak_force);
    }

    pub(crate) fn release(&mut self, t: f64, at: Active) {
        self.set_off(at);
        let slot = &mut self.slots[at.slot];
        slot.deepest = slot.deepest.max(slot.features[at.feature].max_indentation);
        let speed = self.slots[at.slot].features[at.feature].gap_rate;
        self.record(t, at, EventKind::Release, speed);
    }

    pub(super) fn set_free(&mut self, m: &Model, t: f64, at: Active) {
        self.latch(m, t, at);
        self.set_status(m, at, Status::Free);
    }

    /// A contact point, and what touches with it, carries forces from now on.
    fn set_status(&mut self, m: &Model, at: Active, status: Status) {
        self.hold(m, at);
        self.slots[at.slot].features[at.feature].status = status;
        for feature in self.slots[at.slot].parts(at.feature) {
            let part = Active { slot: at.slot, feature };
            self.hold(m, part);
            self.slots[at.slot].features[feature].status = status;
        }
    }

    fn set_off(&mut self, at: Active) {
        let slot = &mut self.slots[at.slot];
        for k in std::iter::once(at.feature).chain(slot.parts(at.feature)) {
            slot.features[k].status = Status::Off;
            if let Some(place) = slot.features[k].place.take() {
                self.places.leave(place, slot.rule);
            }
        }
    }

    /// A contact point that friction remembers gets its place in the state, if it has none.
    fn hold(&mut self, m: &Model, at: Active) {
        let slot = &mut self.slots[at.slot];
        let f = &mut slot.features[at.feature];
        if m.rules[slot.rule].remembers && f.place.is_none() {
            f.place = Some(self.places.take());
        }
    }

    /// Latches from the bodies as they are at the end of the step. Says whether the impact speed was.
    pub(crate) fn latch(&mut self, m: &Model, t: f64, at: Active) -> Option<bool> {
        let s = &mut self.slots[at.slot];
        let (bodies, bounds, mobility) = ([s.body_a, s.body_b], &self.bounds, &mut self.mobility);
        let [a, b] = bodies.map(|body| &bounds[body].end);
        let mut mass = |by: &[Pull; 2]| mobility.inverse_mass(m, t, bodies, by, |body| &bounds[body].end);
        if let Ok((g, rate)) = s.gap(at.feature, a, b) {
            let f = &mut s.features[at.feature];
            (f.gap, f.gap_rate, f.gap_t) = (g, rate, t);
        }
        for part in s.parts(at.feature) {
            if let Err(why) = s.latch(m, part, [a, b], &mut mass) {
                self.failure = Some((at.slot, why));
                return None;
            }
        }
        match s.latch(m, at.feature, [a, b], &mut mass) {
            Ok(latched) => {
                let law = &m.rules[s.rule].normal;
                s.features[at.feature].slow = !latched && law.needs_impact_speed();
                Some(latched)
            }
            Err(why) => {
                self.failure = Some((at.slot, why));
                None
            }
        }
    }

    fn record(&mut self, t: f64, at: Active, kind: EventKind, speed: f64) {
        let s = &self.slots[at.slot];
        let f = &s.features[at.feature];
        self.log.push(Event {
            t,
            kind,
            contact: s.name.clone(),
            feature: s.pair.feature_name(at.feature),
            speed,
            peak_force: f.peak_force,
            max_indentation: f.max_indentation,
            follows_from: f.follows_from,
        });
    }
}
