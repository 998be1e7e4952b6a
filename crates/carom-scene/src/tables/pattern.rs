//! The tables of patterns and of included parts.

use carom_base::param::Allowed;
use carom_base::{Param, Quantity};

use super::{ORIENTATION, PLAIN, POSITION, UNTURNED, ZERO};
use crate::keys::{Details, Form, Key, Kind, Kinds, PARAMETER, Shorthand, Table};

/// The greatest number of bodies that a scene may have with its patterns.
pub(crate) const MOST_BODIES: usize = 100_000;

const COUNT: Allowed = Allowed::Between(1.0, MOST_BODIES as f64);
const SEED: Allowed = Allowed::Between(0.0, 9e15);

pub(super) static PATTERN: Table = Table {
    title: "pattern",
    doc: "Copies of bodies, with their surfaces and with all joints, forces, fields, contacts, probes, distances and drives that name them, and controllers whose input is of them alone; those that a copy has \
          with a body outside the pattern are with that same body. Positions, orientations and velocities go with the copy. Copies are made in the order of the \
          patterns, and a pattern may copy the copies of one above it. `carom check --expand` shows the scene written out.",
    keys: &[
        Key::required(
            "of",
            Form::OneOrTexts,
            "the bodies: names, groups, and names with the wildcards `*` and `?`",
        ),
        Key::optional(
            "name",
            Form::Text,
            "counted on: `ball1`, `ball2` …; `ball`, `ball2` …",
            "what copies are called: `{}` is the number of the copy, from 2 on, and `{name}` the name of what is copied",
        ),
    ],
    kinds: Some(Kinds {
        tag: "type",
        noun: "pattern",
        all: || KINDS.to_vec(),
        shorthand: Shorthand::Refused,
    }),
    ..PLAIN
};

const NUMBER: Param =
    Param::required("count", Quantity::Number, COUNT, "how many there are, with the one that is copied");
const POINT: Param =
    Param::optional("point", Quantity::Length, Allowed::Finite, "the origin", "a point of it, world frame")
        .array(3);
const WITHIN: Param =
    Param::region("within", "an error", "the box of space that all of them are in, world frame");
const ROOM: Param = Param::default(
    "gap",
    Quantity::Length,
    Allowed::NotNegative,
    0.0,
    "the least distance between bounding spheres, and between them and the sides of the box",
);
const RANDOM_SEED: Param = Param::default(
    "seed",
    Quantity::Number,
    SEED,
    1.0,
    "a whole number: another one gives other places, the same one the same places on every machine",
);
const RANDOMLY: Param = Param::word(
    "orientation",
    &["kept", "random"],
    "kept",
    "whether each is turned as the body that is copied, or at random",
);

static KINDS: &[Kind] = &[
    kind(
        "circular",
        "copies around an axis",
        &[
            NUMBER,
            Param::optional(
                "axis",
                Quantity::Number,
                Allowed::Finite,
                "the z axis",
                "direction of the axis, world frame",
            )
            .array(3),
            POINT,
            Param::optional(
                "angle",
                Quantity::Angle,
                Allowed::Finite,
                "the whole turn",
                "from the first to the last; the whole turn is shared by all evenly",
            ),
            Param::optional(
                "step",
                Quantity::Angle,
                Allowed::Finite,
                "given by `angle`",
                "from each to the next",
            ),
            Param::word(
                "orientation",
                &["turned", "kept"],
                "turned",
                "whether copies turn with the pattern, their velocities with them, or are only moved",
            ),
        ],
    ),
    kind(
        "linear",
        "copies in a row",
        &[
            NUMBER,
            Param::required("step", Quantity::Length, Allowed::Finite, "from each to the next, world frame")
                .array(3),
        ],
    ),
    kind(
        "grid",
        "copies in rows along the axes of the world",
        &[
            Param::required("count", Quantity::Number, COUNT, "how many along x, y and z").array(3),
            Param::required(
                "step",
                Quantity::Length,
                Allowed::Finite,
                "from each to the next along x, y and z",
            )
            .array(3),
        ],
    ),
    kind(
        "mirrored",
        "one copy, mirrored in a plane: shapes, mass properties and motions are those in a mirror",
        &[
            Param::required(
                "normal",
                Quantity::Number,
                Allowed::Finite,
                "direction across the plane, world frame",
            )
            .array(3),
            POINT,
        ],
    ),
    kind(
        "random",
        "places at random in a box, one after the other, whose bounding spheres do not overlap",
        &[NUMBER, WITHIN, ROOM, RANDOM_SEED, RANDOMLY],
    ),
    kind(
        "packed",
        "places at random in a box, pushed apart until no bounding spheres overlap: about 0.6 of the space is filled at most",
        &[NUMBER, WITHIN, ROOM, RANDOM_SEED, RANDOMLY],
    ),
    kind(
        "lattice",
        "the sites of a crystal lattice in a box, from its lowest corner, x first",
        &[
            Param::word(
                "lattice",
                &["cubic", "bcc", "fcc", "hexagonal"],
                "cubic",
                "cubic, body-centred, face-centred or hexagonal close-packed",
            ),
            Param::optional(
                "count",
                Quantity::Number,
                COUNT,
                "all that fit",
                "how many there are, with the one that is copied",
            ),
            WITHIN,
            ROOM,
            RANDOM_SEED,
            RANDOMLY,
        ],
    ),
];

const fn kind(name: &'static str, summary: &'static str, params: &'static [Param]) -> Kind {
    Kind { name, summary, details: Details::NONE, params }
}

pub(super) static INCLUDE: Table = Table {
    title: "include",
    doc: "A part from another file, which is a scene itself. Its bodies, joints, contacts, materials and the rest are added with a prefix to their names. Its `title`, `run`, `world` and \
          `plot` are left out: the including scene has its own. A part may include others.",
    keys: &[
        Key::required(
            "file",
            Form::Text,
            "the part, relative to the folder of the including file; of a scene that is read from no file, to the working folder",
        ),
        Key::optional("prefix", Form::Name, "none", "what is put before all names of the part, as `left_`"),
        Key::default("position", POSITION, ZERO, "where the part's origin is"),
        Key::optional(
            "orientation",
            Form::Table(&ORIENTATION),
            UNTURNED,
            "how the part is turned, about its origin",
        ),
        Key::optional(
            PARAMETER,
            Form::Parameters,
            "as the part has them",
            "values of parameters of the part",
        ),
        Key::optional("part", Form::Part, "read from the file", "the part itself, as results keep it"),
    ],
    ..PLAIN
};
