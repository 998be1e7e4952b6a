//! The table of drives.

use super::PLAIN;
use crate::keys::{AtLeastOne, Choice, Form, Key, Table, Words};

/// `[[drive]]`
pub(super) static DRIVE: Table = Table {
    title: "drive",
    doc: "A number of the scene that is a function of time, given by points or by an expression. It goes before what the scene says of it elsewhere. \
          Steps end at the points of a table and where functions as `abs`, `if` and `step` change over.",
    keys: &[
        Key::required("target", Form::Target, "path of the number, as in `--set`"),
        DRIVE_TABLE,
        Key::optional(
            "interpolation",
            Form::Word(Words::From(interpolations)),
            "`spline` for positions, angles and displacements, else `linear`",
            "the curve through the points of `table`: `linear` lines; `spline`, a cubic spline, which must last for the whole run; `monotone`, a smooth curve that does not overshoot",
        ),
        Key::optional(
            "expression",
            Form::Expression,
            "`table` is given",
            "the number by the time `t` in s, in SI units; parameters may be used by name",
        ),
        Key::optional(
            "own",
            Form::Text,
            "`table` or `expression` is given",
            "the name of a curve that a program gives",
        ),
    ],
    choices: &[Choice { sets: &[&["table"], &["expression"], &["own"]], at_least_one: AtLeastOne::Needed }],
    ..PLAIN
};

fn interpolations() -> Vec<&'static str> {
    carom::INTERPOLATIONS.iter().map(|i| i.0).collect()
}

/// The points of a drive. They are read once the driven quantity is known, because it gives their unit.
pub(crate) const DRIVE_TABLE: Key = Key::optional(
    "table",
    Form::Points(None),
    "`expression` is given",
    "points in time, in the unit of the number: straight lines between them, and the same value before the first and after the last; positions, angles and displacements take \
     the cubic spline through them, which must last for the whole run",
);
