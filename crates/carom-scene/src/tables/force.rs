//! The table of forces.

use carom::FORCES;

use super::joint::DIRECTION;
use super::{POSITION, plain};
use crate::keys::{AtLeastOne, Choice, Form, Key, Kinds, Shorthand, Table};
use crate::own;

pub(super) static FORCE: Table = Table {
    title: "force",
    doc: "A force between two bodies: along the line that joins a point of one and a point of the other, along a coordinate that a joint leaves free, about an axis, along the six coordinates of a bushing, or a couple; or a load on one body, from outside. \
          Its type brings keys of its own.",
    keys: &[
        Key::optional(
            "name",
            Form::Name,
            "`a~b`, or the name of its joint; of a load, `body~type`",
            "what paths and messages call it",
        ),
        Key::optional(
            "between",
            Form::Sides,
            "given by `joint` or `body`",
            "the two bodies; groups, wildcards and lists give a force for every pair",
        ),
        Key::optional(
            "body",
            Form::Text,
            "given by `between` or `joint`",
            "of a load from outside: the body that it acts on",
        ),
        Key::optional(
            "joint",
            Form::Text,
            "given by `between` or `body`",
            "of a force along a coordinate: the joint that leaves the coordinate free",
        ),
        Key::optional(
            "point",
            POSITION,
            "given by `point_a` and `point_b`; of a bushing without either, the reference point of the first body; of a load, that of its body",
            "where a bushing is, or where a load with a point acts, as the bodies start, world frame",
        ),
        Key::optional(
            "point_a",
            POSITION,
            "the reference point",
            "of the first body, in its frame, from its reference point",
        ),
        Key::optional("point_b", POSITION, "the reference point", "of the second body, likewise"),
        Key::optional(
            "axis",
            DIRECTION,
            "given by `joint`; of a bushing, the z axis of the world",
            "of a force along an angle between bodies, or the z axis of a bushing, as the bodies start, world frame, of any length but 0",
        ),
        Key::optional(
            "x_axis",
            DIRECTION,
            "the axis of the world that is most across z",
            "the x axis of a bushing, likewise: what of it is across z",
        ),
    ],
    kinds: Some(Kinds {
        tag: "type",
        noun: "force type",
        all: || FORCES.iter().map(plain).chain([own::FORCE]).collect(),
        shorthand: Shorthand::Refused,
    }),
    choices: &[Choice { sets: &[&["between"], &["joint"], &["body"]], at_least_one: AtLeastOne::Needed }],
};
