//! Joints.

use carom::JOINTS;
use carom_base::Quantity;
use carom_base::param::Allowed;

use super::clearance::CLEARANCE;
use super::law::{FRICTION, NORMAL};
use super::{FINITE, POSITION, POSITIVE, plain};
use crate::keys::{AtLeastOne, Choice, Form, Key, Kinds, Presence, Shorthand, Table};

pub(super) const DIRECTION: Form = Form::Vector(3, Quantity::Number, FINITE);

pub(super) static JOINT: Table = Table {
    title: "joint",
    doc: "What holds two bodies together, or makes two joints go together. Its type brings keys of its own.",
    keys: &[
        Key::optional("name", Form::Name, "`a~b`", "what paths, gears, drives and results call it"),
        Key::required("between", Form::Texts(2), "the two bodies; of a gear, two joints before it"),
        Key::optional(
            "point",
            POSITION,
            "given by `point_a` and `point_b`, where it matters",
            "where it is as the bodies start, world frame",
        ),
        Key::optional(
            "point_a",
            POSITION,
            "given by `point`; of a `distance`, the reference points",
            "its point of the first body, in the body's frame, from its reference point",
        ),
        Key::optional("point_b", POSITION, "as `point_a`", "of the second body, likewise"),
        Key::optional(
            "axis",
            DIRECTION,
            "given by `axis_a` and `axis_b`, where it has one",
            "its axis as the bodies start, world frame, of any length but 0",
        ),
        Key::optional(
            "axis_a",
            DIRECTION,
            "given by `axis`",
            "its axis on the first body, in the body's frame",
        ),
        Key::optional("axis_b", DIRECTION, "given by `axis`", "on the second body, likewise"),
        Key::optional(
            "second_axis",
            DIRECTION,
            "given by `axis_b`; a universal joint has one, no other",
            "the axis that goes with the second body, across the first axis, as the bodies start, world frame",
        ),
        Key::optional(
            "min_angle",
            Form::Number(Quantity::Angle, FINITE),
            "no limit",
            "the least angle about the axis, 0 as the bodies start, turns counted",
        ),
        Key::optional("max_angle", Form::Number(Quantity::Angle, FINITE), "no limit", "the greatest one"),
        Key::optional(
            "min_second_angle",
            Form::Number(Quantity::Angle, FINITE),
            "no limit",
            "of a universal joint, the least angle about the second axis, likewise",
        ),
        Key::optional(
            "max_second_angle",
            Form::Number(Quantity::Angle, FINITE),
            "no limit",
            "the greatest one",
        ),
        Key::optional(
            "min_displacement",
            Form::Number(Quantity::Length, FINITE),
            "no limit",
            "the least displacement along the axis",
        ),
        Key::optional(
            "max_displacement",
            Form::Number(Quantity::Length, FINITE),
            "no limit",
            "the greatest one",
        ),
        Key::optional(
            "min_x",
            Form::Number(Quantity::Length, FINITE),
            "no limit",
            "the least displacement along x of a planar joint",
        ),
        Key::optional("max_x", Form::Number(Quantity::Length, FINITE), "no limit", "the greatest one"),
        Key::optional(
            "min_y",
            Form::Number(Quantity::Length, FINITE),
            "no limit",
            "the least displacement along y of a planar joint",
        ),
        Key::optional("max_y", Form::Number(Quantity::Length, FINITE), "no limit", "the greatest one"),
        Key::optional(
            "max_swing",
            Form::Number(Quantity::Angle, FINITE),
            "no limit",
            "of a spherical joint, the greatest angle between `axis` as it goes with the first body and as it goes with the second",
        ),
        Key::optional(
            "stop",
            Form::Table(&NORMAL),
            "no limits",
            "the normal law of its limits, which are contacts; a stop has no surface, so that the stiffness must be given",
        ),
        Key::default(
            "stop_radius",
            Form::Number(Quantity::Length, Allowed::Positive),
            Presence::Number(1.0),
            "how far from the axis the stops of angles are: the indentation is this times the angle beyond the limit",
        ),
        Key::default(
            "min_impact_speed",
            Form::Number(Quantity::Speed, Allowed::Positive),
            Presence::Number(1e-3),
            "laws of stops that divide by the impact speed keep the last one below this",
        ),
        Key::optional(
            "friction",
            Form::Table(&FRICTION),
            "no friction",
            "friction in what it leaves free: a friction law, whose load is the joint's reaction",
        ),
        Key::optional(
            "friction_radius",
            Form::Number(Quantity::Length, POSITIVE),
            "needed where something turns under friction",
            "how far from its axis or centre it rubs",
        ),
        Key::optional(
            "friction_length",
            Form::Number(Quantity::Length, POSITIVE),
            "couples press nothing together",
            "length of the bearing or guide: a couple M loads it by 2 M over this",
        ),
        Key::optional(
            "friction_preload",
            Form::Number(Quantity::Force, Allowed::NotNegative),
            "`0 N`",
            "load besides the reaction",
        ),
        Key::optional(
            "clearance",
            Form::Table(&CLEARANCE),
            "none: it is ideal",
            "play, and what touches in it",
        ),
    ],
    kinds: Some(Kinds {
        tag: "type",
        noun: "joint type",
        all: || JOINTS.iter().map(plain).collect(),
        shorthand: Shorthand::Refused,
    }),
    choices: &[
        Choice { sets: &[&["point"], &["point_a", "point_b"]], at_least_one: AtLeastOne::NotNeeded },
        Choice { sets: &[&["axis"], &["axis_a", "axis_b"]], at_least_one: AtLeastOne::NotNeeded },
    ],
};
