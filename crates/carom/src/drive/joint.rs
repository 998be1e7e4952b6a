//! The coordinate of a joint in time: an equation of its own, whose multiplier is the force or couple of the drive. Or that force or couple in time, and the coordinate follows.

use carom_base::Quantity;

use super::target::{Bind, Target};
use crate::coordinate::{COORDINATES, PushDrive};
use crate::course::Needs;

const SPEED: Target = Target {
    path: "joint/NAME/speed",
    quantity: Quantity::Number,
    doc: "the rate of the one coordinate a joint leaves free, in rad/s or m/s",
    needs: Needs::Finite,
    bind: BIND,
};

/// Whether there is such a coordinate, is known when the joints are.
const BIND: Bind = |plan, at, course| {
    plan.drive_joint(at, course);
    Ok(())
};

/// The coordinates, the speed of the only one, and the forces and couples along them.
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
