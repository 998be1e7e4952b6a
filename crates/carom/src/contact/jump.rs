//! Energy of adhesive surfaces that jump into contact and out of it: what the contact stores on one side of the jump is not there on the other, and is lost.

use super::bodies::PairBodies;
use super::contact_point::Status;
use super::pair::ContactPair;
use crate::model::Model;

impl ContactPair {
    /// Returns the energy that contact point `k` stores as its surfaces jump apart or together at the indentation `delta` [m] [J].
    pub(crate) fn jump(&self, m: &Model, k: usize, delta: f64) -> f64 {
        let f = &self.state.points[k];
        match f.latched.hold > 0.0 {
            true => f.latched.share * m.rules[self.rule].normal.energy(delta.max(-f.latched.hold), &f.touch),
            false => 0.0,
        }
    }

    /// Returns the energy of a jump into contact that has happened since the last accepted state [J]; 0 if there was none. Where contacts are not located, the jump is noted only as the next
    /// step begins, and the force of the contact has acted since it happened.
    pub(crate) fn jump_to_note(&self, m: &Model, k: usize, bodies: PairBodies<'_>) -> f64 {
        let f = &self.state.points[k];
        let noted = f.status != Status::Off || !(f.latched.hold > 0.0);
        if noted || self.gap(k, bodies).is_ok_and(|(gap, _)| gap >= f.begins) {
            return 0.0;
        }
        let mut closed = *f;
        closed.close(Status::On, false);
        f.latched.share * m.rules[self.rule].normal.energy(-f.begins, &closed.touch)
    }
}
