//! Gravity as a function of time, by components.

use carom_base::Quantity;

use super::target::Target;
use crate::course::Needs;

pub(super) const GRAVITY: Target = Target {
    path: "world/gravity/0..2",
    quantity: Quantity::Acceleration,
    doc: "a component of gravity: 0 along x, 1 along y, 2 along z",
    needs: Needs::Continuous,
    bind: |plan, at, course| {
        plan.gravity[at.index] = course.at(0.0).value;
        plan.gravity_in_time[at.index] = Some(plan.in_time(course));
        Ok(())
    },
};
