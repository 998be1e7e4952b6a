//! The contact solvers by name, and what is recorded besides bodies: distances between surfaces, and probes.

use carom::geometry::pairs;

use super::{PLAIN, POSITION, ZERO, plain};
use crate::keys::{Form, Key, Kinds, Shorthand, Table};

/// The solver that finds the contact points of two surfaces.
pub(super) static SOLVER: Table = Table {
    title: "solver",
    doc: "The algorithm that surfaces are bound by, and no other: `{ type = \"common-normal\", … }`, or its name alone. Without, it is the \
          first that knows them.",
    kinds: Some(Kinds {
        tag: "type",
        noun: "solver",
        all: || pairs::NAMED.iter().map(plain).collect(),
        shorthand: Shorthand::Allowed,
    }),
    ..PLAIN
};

pub(super) static DISTANCE: Table = Table {
    title: "distance",
    doc: "A distance between two surfaces, recorded at the output times in `distances.csv`; each search starts from the points found before. No force \
          acts along it, and the motion of both bodies may be prescribed.",
    keys: &[
        Key::required("name", Form::Name, "its columns are NAME.distance, NAME.ax …"),
        Key::required(
            "between",
            Form::Sides,
            "two surfaces, `body/surface`, or bodies with one surface; groups, wildcards and lists give a distance `NAME_…` for every pair",
        ),
        Key::optional(
            "solver",
            Form::Table(&SOLVER),
            "the first that knows the surfaces",
            "the algorithm that finds it",
        ),
    ],
    ..PLAIN
};

pub(super) static PROBE: Table = Table {
    title: "probe",
    doc: "A point of a body whose motion is recorded.",
    keys: &[
        Key::required("name", Form::Name, "its columns are NAME.x, NAME.y …"),
        Key::required(
            "body",
            Form::OneOrTexts,
            "the name of a body that moves by its forces; a group, a wildcard or a list gives a probe `NAME_body` of each",
        ),
        Key::default("point", POSITION, ZERO, "in the body's frame, from its reference point"),
    ],
    ..PLAIN
};
