//! The table of joints.

use carom::{COORDINATES, JOINTS};
use carom_base::Quantity;
use carom_base::param::Allowed;

use super::clearance::CLEARANCE;
use super::law::{FRICTION, NORMAL};
use super::{FINITE, POSITION, POSITIVE, plain};
use crate::keys::{AtLeastOne, Choice, Form, Key, Kinds, Presence, Shorthand, Table, joined};

pub(super) const DIRECTION: Form = Form::Vector(3, Quantity::Number, FINITE);

pub(super) static JOINT: Table = Table {
    title: "joint",
    doc: "What holds two bodies together, or makes two joints go together. Its type brings keys of its own.",
    keys: &joined::<{ LOCATION.len() + LIMITS.len() + STOPS_FRICTION_CLEARANCE.len() + ROTOR.len() }>(&[
        LOCATION,
        LIMITS,
        STOPS_FRICTION_CLEARANCE,
        ROTOR,
    ]),
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

/// The bodies that a joint connects, and its point and axis.
const LOCATION: &[Key] = &[
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
    Key::optional("axis_a", DIRECTION, "given by `axis`", "its axis on the first body, in the body's frame"),
    Key::optional("axis_b", DIRECTION, "given by `axis`", "on the second body, likewise"),
    Key::optional(
        "second_axis",
        DIRECTION,
        "given by `axis_b`, where it has one",
        "the axis that goes with the second body, across the first axis, as the bodies start, world frame",
    ),
];

/// The limits of the joint's coordinates.
const LIMITS: &[Key] = {
    const ALL: ([Key; 2 * COORDINATES.len()], usize) = limits();
    ALL.0.split_at(ALL.1).0
};

/// Returns the keys for the limits of all coordinates, and their number.
const fn limits() -> ([Key; 2 * COORDINATES.len()], usize) {
    let (mut keys, mut n, mut i) = ([LOCATION[0]; 2 * COORDINATES.len()], 0, 0);
    while i < COORDINATES.len() {
        let c = &COORDINATES[i];
        let form = Form::Number(c.quantity(), FINITE);
        if let Some(doc) = c.least {
            keys[n] = Key::optional(c.names.min, form, "no limit", doc);
            n += 1;
        }
        if let Some(doc) = c.greatest {
            keys[n] = Key::optional(c.names.max, form, "no limit", doc);
            n += 1;
        }
        i += 1;
    }
    (keys, n)
}

/// The stops at its limits, its friction and its clearance.
const STOPS_FRICTION_CLEARANCE: &[Key] = &[
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
        "distance from its axis or centre at which friction acts",
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
    Key::optional("clearance", Form::Table(&CLEARANCE), "none: it is ideal", "play, and what touches in it"),
];

/// The inertia of what moves with its coordinates.
const ROTOR: &[Key] = &[
    Key::optional(
        "rotor_inertia",
        Form::Number(Quantity::Inertia, POSITIVE),
        "no rotor",
        "moment of inertia of what turns with its first angle besides its bodies, as a motor's rotor: that of the rotor times the gear ratio squared",
    ),
    Key::optional(
        "rotor_mass",
        Form::Number(Quantity::Mass, POSITIVE),
        "no rotor",
        "mass of what moves with its first displacement besides its bodies: for a rotor, its moment of inertia over the square of the distance per radian",
    ),
];
