//! Makes controllers and inputs.

use carom::{CONTROL_LAWS, Controller};
use carom_base::expression::Expression;

use super::kind::made;
use crate::error::Problem;
use crate::fields::{Fields, Typed};

pub(super) fn controller(f: &Fields) -> Result<Controller, Problem> {
    let law = made(CONTROL_LAWS.iter(), f)?;
    let readings = |key: &str| match f.get(key).map(|field| &field.value) {
        Some(Typed::Signals(all, ..)) => all.clone(),
        _ => Vec::new(),
    };
    let mut measured = readings("input");
    if f.kind.as_ref().is_some_and(|kind| kind.0 == "pid") {
        let setpoint = readings("setpoint");
        for (key, n) in [("input", measured.len()), ("setpoint", setpoint.len().max(1))] {
            if n != 1 {
                let problem = Problem::new(format!("`{key}` of a PID controller cannot be {n} expressions"));
                let problem = problem.at(f.span(key), "allowed: one");
                return Err(problem.help("give each its own controller, or use one of type `state-space`"));
            }
        }
        measured.push(setpoint.into_iter().next().unwrap_or_else(|| Expression::constant(0.0)));
    } else if let Some(setpoint) = f.given("setpoint") {
        let problem =
            Problem::new("only a PID controller has a `setpoint`: others measure it as one of their inputs");
        return Err(problem.at(setpoint.at.clone(), ""));
    }
    let number = |key: &str| f.number(key).unwrap_or_default();
    let name = f.text("name").unwrap_or_default();
    let controller = Controller::of(name, number("every"), measured, law);
    Ok(controller.delay(number("delay")).quantised(number("input_step"), number("output_step")))
}
