//! Derivatives of the force at a stop of a joint by the states of its two bodies.

use carom_base::{Dual, Scalar};
use carom_law::Indentation;

use crate::contact::{ContactPair, PointForce, as_variable};
use crate::joint::{Moving, Row};
use crate::loads::Loads;
use crate::model::Model;
use crate::slopes::Acts;

/// A stop that is in contact.
pub(super) struct Stopping<'a> {
    pub(super) m: &'a Model,
    pub(super) pair: &'a ContactPair,
    pub(super) point: PointForce,
}

impl Acts for Stopping<'_> {
    fn bodies(&self) -> [usize; 2] {
        [self.pair.body_a, self.pair.body_b]
    }

    fn each<S: Scalar>(&self, _: &Loads, ends: [&Moving<S>; 2], mut take: impl FnMut(Row<S>, Dual<2>)) {
        let Some(row) = self.pair.stop_row(ends) else { return };
        let delta = as_variable(self.point.contact.delta, &self.pair.state.points[0]);
        let delta_dot = Dual::variable(self.point.delta_dot, 1);
        let law = &self.m.rules[self.pair.rule].normal;
        let touch = &self.pair.state.points[0].touch;
        take(row, law.force_dual(Indentation { delta, delta_dot }, touch).f_n);
    }
}
