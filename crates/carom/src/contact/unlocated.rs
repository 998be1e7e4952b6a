//! Contacts without located touches: for fixed steps and many bodies.
//!
//! Every contact point that can be reached in the next step may carry a force; laws latch at the last
//! accepted step before a contact, so that the rates stay a pure function of the state within a step. The step
//! is capped per pair so that none passes through another: the time to come near, or a twentieth of the
//! contact's duration.

use super::bounds::{PairBounds, clearance};
use super::feature::Status;
use super::watch::Watch;
use crate::forward::Active;
use crate::model::{BodyKind, Model};
use carom_ode::Step;

/// The share of a contact's duration that a step may take into it.
const INTO_CONTACT: f64 = 0.05;
/// Rates now are taken to be this close to those of the next step.
const AHEAD: f64 = 2.0;

impl Watch {
    /// From an accepted state: touches and releases are noted, what can be reached within `h_wish` becomes
    /// active, and the longest safe step is given back.
    pub(crate) fn look_ahead(&mut self, m: &Model, t: f64, y: &[f64], dy: &[f64], h_wish: f64) -> f64 {
        let now = Step::still(t, y, dy);
        for (bounds, b) in self.bounds.iter_mut().zip(&m.bodies) {
            bounds.look(b, &now);
            match &b.kind {
                // what is prescribed is known
                BodyKind::Prescribed(motion) => bounds.prescribe(motion.bounds(t, t + h_wish)),
                _ => {
                    bounds.acceleration *= AHEAD;
                    bounds.angular_acceleration *= AHEAD;
                }
            }
        }
        self.find_candidates(m, h_wish, 0.0);
        self.active.clear();
        let mut limit = h_wish;
        for i in 0..self.candidates.len() {
            let index = self.candidates[i];
            limit = limit.min(self.look_at(m, t, index, h_wish));
        }
        limit
    }

    /// The longest fixed step that resolves what touches now: a fifth of the shortest time scale, twenty steps an
    /// impact.
    pub(crate) fn step_in_contact(&self, m: &Model) -> f64 {
        let touching = self.active.iter().filter(|at| {
            let f = &self.slots[at.slot].features[at.feature];
            f.status != Status::Off && f.touch.stiffness > 0.0
        });
        touching.map(|at| 0.2 * self.slots[at.slot].time_scale(m, at.feature)).fold(f64::INFINITY, f64::min)
    }

    fn look_at(&mut self, m: &Model, t: f64, index: usize, h: f64) -> f64 {
        let slot = &self.slots[index];
        let (a, b) = (&self.bounds[slot.body_a], &self.bounds[slot.body_b]);
        let pair = PairBounds::new(slot, a, b, h);
        let apart = slot.features.iter().all(|f| f.status == Status::Off);
        if apart && clearance(m, slot, &a.start, &b.start) > pair.rate * h {
            return f64::INFINITY;
        }
        self.slots[index].look_near(&a.end, &b.end, pair.rate * h);
        self.slots[index].on.clear();
        let touching = !apart;
        let mut limit = f64::INFINITY;
        for i in 0..self.slots[index].near.len() {
            let feature = self.slots[index].near[i];
            let at = Active { slot: index, feature };
            let Some((g, rate)) = self.gap_at_end(at) else { return limit };
            let status = self.slots[index].features[feature].status;
            let f = &mut self.slots[index].features[feature];
            // a touch is between two steps, and may have turned round since: it closed no slower than at the end of either
            let speed = (-f.gap_rate.min(rate)).max(0.0);
            f.reaches(t, g, rate, f.gap_of);
            match status {
                // latched while it was apart
                Status::Off if g < 0.0 => self.note_touch(m, t, at, speed),
                Status::Off => {
                    self.latch(m, t, at);
                }
                Status::On | Status::Free if g > 0.0 => self.release(t, at),
                Status::On | Status::Free => {}
            }
            self.activate(at);
            if g > 0.0 {
                // of a pair that touches the integrator's own steps follow the motion: what closes now will be felt. Apart, nothing is
                // felt, and the fastest that can be counts
                let closing = if touching { -rate } else { pair.rate };
                limit = limit.min(
                    pair.opening(&self.slots[index], g, rate).max(self.time_into_contact(m, at, g, closing)),
                );
            }
        }
        limit
    }

    /// A point that can be reached, and what touches with it, may carry forces.
    pub(super) fn activate(&mut self, at: Active) {
        let slot = &mut self.slots[at.slot];
        for feature in std::iter::once(at.feature).chain(slot.parts(at.feature)) {
            slot.on.push(feature);
            self.active.push(Active { slot: at.slot, feature });
        }
    }

    /// The time a gap takes to close at the fastest, or, if that is nothing, a bit of the contact.
    fn time_into_contact(&self, m: &Model, at: Active, g: f64, rate: f64) -> f64 {
        let slot = &self.slots[at.slot];
        let v = rate.max(m.rules[slot.rule].min_impact_speed);
        // up to the contact, or a little into it, but not both in one step: a long one would end with a kick
        (g / v).max(INTO_CONTACT * slot.duration_at(m, at.feature, v))
    }
}
