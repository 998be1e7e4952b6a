//! Short-range fields, and the materials of bodies that deform.

use carom::law::elastic;
use carom_base::Quantity;
use carom_base::param::Allowed;

use super::PLAIN;
use crate::keys::{AtLeastOne, Choice, Details, Form, Key, Kind, Kinds, Presence, Shorthand, Table};

/// A coefficient whose unit depends on its exponent.
const COEFFICIENT: Form = Form::Number(Quantity::Number, Allowed::NotNegative);
const EXPONENT: Form = Form::Number(Quantity::Number, Allowed::Between(0.0, 30.0));
const GREATER_EXPONENT: Form = Form::Number(Quantity::Number, Allowed::Between(2.0, 30.0));

pub(super) static FIELD: Table = Table {
    title: "field",
    doc: "Short-range tractions on the boundary of a body near a support: repulsion, damping, friction, adhesion. They act at a distance, and grow \
          without limit as it closes: the body never touches.",
    keys: &[
        Key::optional("name", Form::Name, "`a~b`", "what paths and messages call it"),
        Key::required(
            "between",
            Form::Sides,
            "the body, or one of its surfaces, and the support with its plane or another surface: `body` or `body/surface`; groups, wildcards and lists give a field for every pair",
        ),
        Key::optional(
            "faces",
            Form::TextList,
            "the whole boundary; in plane motion, without the end faces",
            "the pieces of the boundary it acts on: `-x` to `+z` of a box, `side` and `caps` of a cylinder or a cone",
        ),
        Key::optional(
            "gauss_points",
            Form::Number(Quantity::Number, Allowed::Between(1.0, 1000.0)),
            "closed forms",
            "integrated by so many points along each side of a face instead: a method to be compared with",
        ),
        Key::optional(
            "points",
            Form::Number(Quantity::Number, Allowed::Between(1.0, 1000.0)),
            "closed forms near a plane; 32 near other supports and with `coulomb`",
            "acts at so many nodes along each part of the boundary, twice as many around a round one; the smaller the gap over the body's size, the more are needed",
        ),
        Key::optional("repulsion", Form::Table(&REPULSION), "none", "along the normal, by the distance"),
        Key::optional("damping", Form::Table(&DAMPING), "none", "against the velocity along the normal"),
        Key::optional(
            "friction",
            Form::Table(&FIELD_FRICTION),
            "none",
            "against the velocity across the normal",
        ),
        Key::optional(
            "adhesion",
            Form::Table(&ADHESION),
            "none",
            "attraction beyond a range, repulsion within",
        ),
        Key::optional(
            "coulomb",
            Form::Table(&COULOMB),
            "none",
            "against the velocity across the normal, at most a multiple of the repulsion",
        ),
    ],
    ..PLAIN
};

static REPULSION: Table = Table {
    title: "field.repulsion",
    doc: "A traction α d^−ν along the support's normal, d the distance: `{ exponent = 8, rest_gap = \"2 mm\" }`.",
    keys: &[
        Key::required("exponent", GREATER_EXPONENT, "ν, a whole number"),
        Key::optional("coefficient", COEFFICIENT, "from `rest_gap`", "α, in N m^(ν − 2)"),
        Key::optional(
            "rest_gap",
            Form::Number(Quantity::Length, Allowed::Positive),
            "from `coefficient`",
            "the gap at which the piece that looks at the support most carries the body's weight at rest",
        ),
    ],
    choices: &[Choice { sets: &[&["coefficient"], &["rest_gap"]], at_least_one: AtLeastOne::Needed }],
    ..PLAIN
};

static DAMPING: Table = Table {
    title: "field.damping",
    doc: "A traction −β d^−ν (n·u) n, u the velocity relative to the support.",
    keys: RESISTANCE,
    ..PLAIN
};

static FIELD_FRICTION: Table = Table {
    title: "field.friction",
    doc: "A traction −β d^−ν (u − n n·u): viscous, so that bodies creep down slopes.",
    keys: RESISTANCE,
    ..PLAIN
};

const RESISTANCE: &[Key] = &[
    Key::default("exponent", EXPONENT, Presence::Number(0.0), "ν, a whole number"),
    Key::required("coefficient", COEFFICIENT, "β, in N s m^(ν − 3)"),
];

static COULOMB: Table = Table {
    title: "field.coulomb",
    doc: "A traction −μ q u_t/√(u_t² + v²), q the repulsion and u_t the velocity across the normal: less than μ q at any speed, viscous below v.",
    keys: &[
        Key::required("coefficient", Form::Number(Quantity::Number, Allowed::NotNegative), "μ"),
        Key::default(
            "speed",
            Form::Number(Quantity::Speed, Allowed::Positive),
            Presence::Number(1e-3),
            "v, at which friction is 0.71 of its bound: bodies at rest on slopes creep more slowly than this",
        ),
    ],
    ..PLAIN
};

static ADHESION: Table = Table {
    title: "field.adhesion",
    doc: "A traction −β [(d/d_a)^−ν_a − (d/d_a)^−ν_r] along the support's normal: attraction beyond d_a, repulsion within.",
    keys: &[
        Key::required("coefficient", Form::Number(Quantity::Pressure, Allowed::NotNegative), "β"),
        Key::required("attraction_exponent", GREATER_EXPONENT, "ν_a, a whole number"),
        Key::required("repulsion_exponent", GREATER_EXPONENT, "ν_r, a whole number greater than ν_a"),
        Key::required("range", Form::Number(Quantity::Length, Allowed::Positive), "d_a"),
    ],
    ..PLAIN
};

/// The elastic material of a body that deforms.
pub(super) static ELASTIC: Table = Table {
    title: "body.elastic",
    doc: "What a body that deforms is made of: `{ model = \"mooney-rivlin\", … }`.",
    keys: &[
        Key::optional(
            "incompressible",
            Form::Bool,
            "true, unless a `bulk_modulus` is given",
            "whether it keeps its volume",
        ),
        Key::optional(
            "bulk_modulus",
            Form::Number(Quantity::Pressure, Allowed::Positive),
            "it keeps its volume",
            "bulk modulus κ: ½ κ (det F − 1)² per volume, and the strain energy of F freed of its change of volume",
        ),
        Key::default(
            "viscosity",
            Form::Number(Quantity::Viscosity, Allowed::NotNegative),
            Presence::Number(0.0),
            "viscosity μ: a stress of μ sym(dF/dt F⁻¹)",
        ),
    ],
    kinds: Some(Kinds {
        tag: "model",
        noun: "elastic model",
        all: || {
            let kind = |e: &elastic::StrainEntry| Kind {
                name: e.entry.name,
                summary: e.entry.summary,
                details: Details { formula: e.formula, range: e.range, source: e.reference.source },
                params: e.entry.params,
            };
            elastic::ALL.iter().map(kind).collect()
        },
        shorthand: Shorthand::Refused,
    }),
    ..PLAIN
};
