//! The tables of the wear of contacts and bearings.

use carom_base::Quantity;
use carom_base::param::Allowed;

use super::{PLAIN, POSITIVE};
use crate::keys::{AtLeastOne, Choice, Form, Key, Presence, Table};

const COEFFICIENT: Key = Key::optional(
    "coefficient",
    Form::Number(Quantity::WearCoefficient, Allowed::NotNegative),
    "from `number` and `hardness`",
    "volume worn off per load and way slid: k of V = k F s",
);
const NUMBER: Key = Key::optional(
    "number",
    Form::Number(Quantity::Number, Allowed::NotNegative),
    "`coefficient` is given",
    "Archard's number K: k = K/H",
);
const HARDNESS: Key = Key::optional(
    "hardness",
    Form::Number(Quantity::Pressure, POSITIVE),
    "`coefficient` is given",
    "H, of the softer side",
);
const REPEAT: Key = Key::default(
    "repeat",
    Form::Number(Quantity::Number, Allowed::NotNegative),
    Presence::Number(1.0),
    "what is worn off counts so many times: one turn stands for many",
);
const EITHER: &[Choice] =
    &[Choice { sets: &[&["coefficient"], &["number", "hardness"]], at_least_one: AtLeastOne::Needed }];

pub(super) static WEAR: Table = Table {
    title: "contact.wear",
    doc: "Wear by Archard's law, `wear = { coefficient = \"1e-13 m^2/N\" }`: the volume worn off, in `wear.csv`.",
    keys: &[COEFFICIENT, NUMBER, HARDNESS, REPEAT],
    choices: EITHER,
    ..PLAIN
};

pub(super) static BEARING_WEAR: Table = Table {
    title: "joint.clearance.wear",
    doc: "Wear of a joint with play, `wear = { coefficient = \"1e-13 m^2/N\", length = \"20 mm\" }`: the volume worn off, and of a `revolute` joint the depth \
          over the bearing's angle, in `wear.csv` and `wear-profile.csv`.",
    keys: &[
        COEFFICIENT,
        NUMBER,
        HARDNESS,
        REPEAT,
        Key::default(
            "sectors",
            Form::Number(Quantity::Number, Allowed::Between(8.0, 1e5)),
            Presence::Number(120.0),
            "a whole number: into how many sectors the bearing's angle is divided; a contact point wears about two of them",
        ),
        Key::default(
            "feedback",
            Form::Bool,
            Presence::Bool(true),
            "whether the journal feels how its bearing is worn",
        ),
        Key::optional(
            "length",
            Form::Number(Quantity::Length, POSITIVE),
            "that of the joint",
            "of the bearing, for its depth, where the joint has no `length`",
        ),
    ],
    choices: EITHER,
    ..PLAIN
};
