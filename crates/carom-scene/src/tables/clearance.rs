//! The clearance of a joint.

use carom_base::Quantity;

use super::law::{FRICTION, FRICTION_AT, NORMAL};
use super::wear::BEARING_WEAR;
use super::{FINITE, PLAIN, POSITIVE};
use crate::keys::{Form, Key, Presence, Table};

const LENGTH: Form = Form::Number(Quantity::Length, POSITIVE);

pub(super) static CLEARANCE: Table = Table {
    title: "joint.clearance",
    doc: "Play in a joint: `clearance = { gap = …, radius = …, normal = … }`. Nothing holds the bodies then but contact, of a journal or ball or slider on the first body \
          with a bearing or socket or guide on the second. For `revolute`, `spherical` and `prismatic`.",
    keys: &[
        Key::required("gap", LENGTH, "radial play, bearing less journal; of a slider, on each side"),
        Key::required(
            "radius",
            LENGTH,
            "of the journal or ball; of a slider, that its corners are rounded with",
        ),
        Key::optional(
            "length",
            LENGTH,
            "a joint in the plane, whose length does not matter",
            "of the bearing, in which the journal may lie askew; of the slider",
        ),
        Key::optional(
            "journal_length",
            LENGTH,
            "twice `length`",
            "of the journal, of a revolute joint with a `length`: without `axial` it must be long enough for the travel along the axis",
        ),
        Key::optional("width", LENGTH, "it is no slider", "of the slider"),
        Key::optional("height", LENGTH, "it moves in the plane", "of the slider, across axis and width"),
        Key::optional(
            "across",
            Form::Vector(3, Quantity::Number, FINITE),
            "z × axis",
            "direction of the slider's width as the bodies start, world frame",
        ),
        Key::optional(
            "axial",
            LENGTH,
            "free along its axis",
            "play along the axis on each side, of a revolute joint with a `length`: collars hold it",
        ),
        Key::optional(
            "material",
            Form::Text,
            "none",
            "the name of the material of the journal, ball or slider",
        ),
        Key::optional(
            "bearing_material",
            Form::Text,
            "as `material`",
            "the name of the material of the bearing, socket or guide",
        ),
        Key::optional(
            "normal",
            Form::Table(&NORMAL),
            "`hertz`, with a stiffness from materials",
            "the normal law",
        ),
        Key::optional("axial_normal", Form::Table(&NORMAL), "as `normal`", "the normal law at the collars"),
        Key::optional("friction", Form::Table(&FRICTION), "no friction", "the friction law"),
        FRICTION_AT,
        Key::optional("wear", Form::Table(&BEARING_WEAR), "none", "how it wears"),
        Key::default(
            "min_impact_speed",
            Form::Number(Quantity::Speed, POSITIVE),
            Presence::Number(1e-3),
            "laws that divide by the impact speed keep the last one below this",
        ),
    ],
    ..PLAIN
};
