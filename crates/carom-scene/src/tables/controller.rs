//! The tables of controllers and of inputs.

use std::sync::Arc;

use carom::{CONTROL_LAWS, ControlLaw};
use carom_base::Quantity;
use carom_base::param::Allowed;

use super::{PLAIN, plain};
use crate::keys::{Form, Key, Kind, Kinds, Presence, Shorthand, Table};

/// `[[controller]]`
pub(super) static CONTROLLER: Table = Table {
    title: "controller",
    doc: "A sampled controller: it measures at the times 0, T, 2 T …, computes, and holds its output until the next sample. Loads use the output as `NAME.u`, \
          or as `NAME.u1`, `NAME.u2` … if there are several. Steps end at every sample. Its type brings keys of its own.",
    keys: &[
        Key::required("name", Form::Name, "what loads and results call it"),
        Key::required(
            "input",
            Form::Readings,
            "what it measures: positions, velocities, coordinates of joints, and also reactions (`JOINT.fx`) and contact forces (`A~B.fn`)",
        ),
        Key::optional("setpoint", Form::Readings, "0", "of a PID controller: what the input should be"),
        Key::required("every", Form::Number(Quantity::Time, Allowed::Positive), "time between samples T"),
        Key::default(
            "delay",
            Form::Number(Quantity::Time, Allowed::NotNegative),
            Presence::Number(0.0),
            "time from a sample to when its output holds",
        ),
        Key::default(
            "input_step",
            Form::Number(Quantity::Any, Allowed::NotNegative),
            Presence::Number(0.0),
            "what is measured is rounded to multiples of this; 0: not",
        ),
        Key::default(
            "output_step",
            Form::Number(Quantity::Any, Allowed::NotNegative),
            Presence::Number(0.0),
            "the output is rounded to multiples of this; 0: not",
        ),
    ],
    kinds: Some(Kinds { tag: "type", noun: "controller type", all: laws, shorthand: Shorthand::Refused }),
    choices: &[],
};

fn laws() -> Vec<Kind> {
    CONTROL_LAWS.iter().map(plain::<Arc<dyn ControlLaw>>).collect()
}

/// `[[input]]`
pub(super) static INPUT: Table = Table {
    title: "input",
    doc: "A number that loads use by its name, and that a program may set while a run goes on.",
    keys: &[
        Key::required("name", Form::Name, "what expressions and programs call it"),
        Key::default(
            "value",
            Form::Number(Quantity::Any, Allowed::Finite),
            Presence::Number(0.0),
            "its value until it is set",
        ),
    ],
    ..PLAIN
};
