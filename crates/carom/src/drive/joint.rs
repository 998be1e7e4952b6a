//! The coordinate of a joint in time: an equation of its own, whose multiplier is the force or couple of the drive. Or that force or couple in time, and the coordinate follows.

use carom_base::Quantity;

use super::target::Target;
use crate::course::Needs;

pub(super) const ANGLE: Target = Target {
    path: "joint/NAME/angle",
    quantity: Quantity::Angle,
    doc: "the angle by which the first body of a joint is turned from the second about its axis, 0 as the bodies start",
    needs: Needs::Motion,
    bind: |plan, at, course| {
        plan.drive_joint(at, "angle", course);
        Ok(())
    },
};

pub(super) const SECOND_ANGLE: Target = Target {
    path: "joint/NAME/second_angle",
    quantity: Quantity::Angle,
    doc: "the angle by which the axis of a universal joint is turned from the second body about the second axis, 0 as the bodies start",
    needs: Needs::Motion,
    bind: |plan, at, course| {
        plan.drive_joint(at, "second_angle", course);
        Ok(())
    },
};

pub(super) const DISPLACEMENT: Target = Target {
    path: "joint/NAME/displacement",
    quantity: Quantity::Length,
    doc: "the displacement of the first body of a joint from the second along its axis, 0 as the bodies start",
    needs: Needs::Motion,
    bind: |plan, at, course| {
        plan.drive_joint(at, "displacement", course);
        Ok(())
    },
};

pub(super) const X: Target = Target {
    path: "joint/NAME/x",
    quantity: Quantity::Length,
    doc: "the displacement of the first body of a planar joint from the second along x of the joint's frame, 0 as the bodies start",
    needs: Needs::Motion,
    bind: |plan, at, course| {
        plan.drive_joint(at, "x", course);
        Ok(())
    },
};

pub(super) const Y: Target = Target {
    path: "joint/NAME/y",
    quantity: Quantity::Length,
    doc: "the same along y",
    needs: Needs::Motion,
    bind: |plan, at, course| {
        plan.drive_joint(at, "y", course);
        Ok(())
    },
};

pub(super) const TORQUE: Target = Target {
    path: "joint/NAME/torque",
    quantity: Quantity::Torque,
    doc: "a couple about the axis of a joint that turns, on its first body; its opposite on the second",
    needs: Needs::Finite,
    bind: |plan, at, course| {
        plan.drive_joint(at, "torque", course);
        Ok(())
    },
};

pub(super) const FORCE: Target = Target {
    path: "joint/NAME/force",
    quantity: Quantity::Force,
    doc: "a force along the axis of a joint that slides, on its first body; its opposite on the second",
    needs: Needs::Finite,
    bind: |plan, at, course| {
        plan.drive_joint(at, "force", course);
        Ok(())
    },
};

pub(super) const SPEED: Target = Target {
    path: "joint/NAME/speed",
    quantity: Quantity::Number,
    doc: "the rate of the one coordinate a joint leaves free, in rad/s or m/s",
    needs: Needs::Finite,
    bind: |plan, at, course| {
        plan.drive_joint(at, "speed", course);
        Ok(())
    },
};
