//! Joints.

use carom::JOINTS;
use carom_base::Quantity;

use super::clearance_tables::CLEARANCE;
use super::keys::{AtLeastOne, Choice, Form, Key, Kinds, Shorthand, Table};
use super::tables::{FINITE, POSITION, plain};

const DIRECTION: Form = Form::Vector(3, Quantity::Number, FINITE);

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
