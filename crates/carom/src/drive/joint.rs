//! The coordinate of a joint as a function of time: an additional constraint equation, whose multiplier is the force or
//! couple of the drive. Or that force or couple as a function of time, while the coordinate is free.

use carom_base::Quantity;

use super::target::{Bind, Target};
use crate::coordinate::{COORDINATES, PushDrive};
use crate::course::Needs;

const SPEED: Target = Target {
    path: "joint/NAME/speed",
    quantity: Quantity::Number,
    doc: "the rate of the one coordinate a joint leaves free, in rad/s or m/s",
    needs: Needs::Continuous,
    bind: BIND,
};

/// Accepts any joint name; whether the joint has such a coordinate is checked when the joints are built.
const BIND: Bind = |plan, at, course| {
    plan.drive_joint(at, course);
    Ok(())
};

/// Returns the targets: the coordinates, the speed of the only one, and the forces and couples along them.
pub(super) fn targets() -> impl Iterator<Item = Target> {
    let coordinates = COORDINATES.iter().filter_map(|c| {
        let (path, quantity, needs) = (c.names.path, c.quantity(), Needs::Motion);
        Some(Target { path, quantity, doc: c.driven?, needs, bind: BIND })
    });
    let forces = COORDINATES.iter().filter_map(|c| {
        let PushDrive { path, doc, .. } = c.pushed?;
        Some(Target { path, quantity: c.force(), doc, needs: Needs::Finite, bind: BIND })
    });
    coordinates.chain([SPEED]).chain(forces)
}
