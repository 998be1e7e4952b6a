//! Parameters: `[parameter]` names numbers, and a text that begins with `=` computes with them.
//!
//! After `--set`, before anything is read, every such text becomes a number in SI units, so the reader sees only numbers. A
//! parameter may use those above it. The dimensions of parameters with units are followed through expressions; a number without
//! a unit may have any. Expressions in the time (`[[drive]]`) stay expressions, with numbers in place of the parameters.

use carom_base::expression::{Expression, dimension_of};

use crate::error::Problem;
use crate::fields::{Fields, Typed};
use crate::keys::PARAMETER;
use crate::measured::{check_dimension_at, state_dimension};
use crate::tables::SCENE;
use crate::tree::{Member, Node, Span, Value};
use crate::units::{self, Dimension};
use crate::value::check_name;

/// A parameter.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    /// in SI units
    pub(crate) value: f64,
    /// `None` if it has no unit
    pub(crate) dimension: Option<Dimension>,
}

pub(crate) type Known = Vec<Parameter>;

fn find(known: &Known, name: &str) -> Option<(f64, Option<Dimension>)> {
    known.iter().find(|k| k.name == name).map(|k| (k.value, k.dimension))
}

/// The name of the time in expressions; no parameter replaces it.
const TIME: &str = "t";
/// The name of the number π in expressions.
const PI: &str = "pi";

/// Replaces the expressions in the tree by numbers; removes the parameters from the tree and returns them.
pub(crate) fn apply(tree: &mut Node) -> Result<Known, Problem> {
    let Value::Table(members) = &mut tree.value else { return Ok(Known::new()) };
    let mut known = Known::new();
    if let Some(i) = members.iter().position(|m| m.key == PARAMETER) {
        let parameters = members.remove(i);
        let Value::Table(list) = &parameters.value.value else {
            let problem = Problem::new(format!("`{PARAMETER}` cannot be {}", parameters.value.type_name()));
            return Err(problem
                .at(parameters.value.span.clone(), "")
                .note("it is a table of numbers by name"));
        };
        for m in list {
            let (value, dimension) = parameter(m, &known)?;
            known.push(Parameter { name: m.key.clone(), value, dimension });
        }
    }
    let misspelt = members
        .iter()
        .find(|m| known.is_empty() && is_nearly(&m.key))
        .map(|m| (m.key.clone(), m.key_span.clone()));
    let outcome = members.iter_mut().try_for_each(|m| compute(&mut m.value, &known));
    match (outcome, misspelt) {
        // the parameters are there under a misspelt key
        (Err(_), Some((key, at))) => Err(crate::read::unknown_key(&SCENE, None, &key, &at)),
        (outcome, _) => outcome.map(|()| known),
    }
}

/// Returns whether a key is a misspelt `parameter`.
fn is_nearly(key: &str) -> bool {
    carom::words::nearest(key, &[PARAMETER]).is_some()
}

/// Substitutes the parameters in expressions in the time `t`, which may contain no other names.
pub(crate) fn put_in(fields: &mut Fields, known: &Known) -> Result<(), Problem> {
    let value = |name: &str| find(known, name).filter(|_| name != TIME);
    let own = own_names(fields.kind.as_ref().map(|k| k.0));
    for field in &mut fields.list {
        match &mut field.value {
            Typed::Expression(e) => {
                *e = e.with_units(value);
                let Some(name) = e.names().iter().find(|name| *name != TIME) else { continue };
                let all: Vec<&str> =
                    [TIME].into_iter().chain(known.iter().map(|k| k.name.as_str())).collect();
                let problem = Problem::new(format!("`{}`: there is no `{name}`", field.name));
                return Err(problem.at(field.at.clone(), "").allowed(name, &all));
            }
            // (which other names there are is known once the model is built)
            Typed::Signals(all, spans, quantity) => {
                for (e, at) in all.iter_mut().zip(spans) {
                    *e = e.with_units(|name| find(known, name).filter(|_| !own.contains(&name)));
                    check_dimension_at(e, state_dimension, *quantity, field.name, at)?;
                }
            }
            Typed::Table(inner) => put_in(inner, known)?,
            Typed::Array(list) => list.iter_mut().try_for_each(|inner| put_in(inner, known))?,
            Typed::Map(list) => list.iter_mut().try_for_each(|(_, _, inner)| put_in(inner, known))?,
            _ => {}
        }
    }
    Ok(())
}

/// Refuses inputs that are called as a parameter: expressions would have the number of the parameter for both.
pub(crate) fn check_inputs(scene: &Fields, known: &Known) -> Result<(), Problem> {
    let taken = |f: &&Fields| f.text("name").is_some_and(|name| find(known, name).is_some());
    match scene.array("input").iter().find(taken) {
        None => Ok(()),
        Some(f) => {
            let name = f.text("name").unwrap_or_default();
            let problem = Problem::new(format!("`{name}` is an input and a parameter"));
            Err(problem.at(f.span("name"), "").help("give one of them another name"))
        }
    }
}

/// Returns the names in expressions of a force of this type that no parameter replaces: the time, and those of its line.
pub(crate) fn own_names(kind: Option<&str>) -> &'static [&'static str] {
    match kind {
        Some("actuator") => &[TIME, "length", "rate"],
        Some("nonlinear-spring" | "nonlinear-torsion" | "nonlinear-slide") => &[TIME, "x", "rate"],
        _ => &[TIME],
    }
}

fn parameter(m: &Member, known: &Known) -> Result<(f64, Option<Dimension>), Problem> {
    check_name(&m.key, &m.key_span)?;
    if m.key == PI {
        let problem = Problem::new("a parameter cannot be called `pi`: in expressions that is the number π");
        return Err(problem.at(m.key_span.clone(), "").help("give it another name"));
    }
    let at = || m.value.span.clone();
    let (x, dimension) = match &m.value.value {
        Value::Number(x) => (*x, None),
        Value::Computed { value, dimension, .. } => (*value, Some(*dimension)),
        Value::Text(text) => match formula(text) {
            Some(formula) => evaluate(formula, &at(), known)?,
            None => {
                units::parse_any(text).map_err(|e| Problem::new(format!("`{}`: {e}", m.key)).at(at(), ""))?
            }
        },
        _ => {
            let problem = Problem::new(format!("`{}` cannot be {}", m.key, m.value.type_name()));
            return Err(problem
                .at(at(), "")
                .note("a parameter is a number, with a unit or without, or \"= …\""));
        }
    };
    match x.is_finite() {
        true => Ok((x, dimension)),
        false => Err(Problem::new(format!("`{}` is {x}", m.key)).at(at(), "a finite number is needed")),
    }
}

/// Returns the text after the `=`, if it begins with one.
fn formula(text: &str) -> Option<&str> {
    text.trim_start().strip_prefix('=')
}

fn compute(node: &mut Node, known: &Known) -> Result<(), Problem> {
    match &mut node.value {
        Value::Table(members) => members.iter_mut().try_for_each(|m| compute(&mut m.value, known)),
        Value::Array(items) => items.iter_mut().try_for_each(|item| compute(item, known)),
        Value::Text(text) => {
            if let Some(formula) = formula(text) {
                let text = formula.to_owned();
                node.value = match evaluate(formula, &node.span, known)? {
                    (value, Some(dimension)) => Value::Computed { value, dimension, text },
                    (value, None) => Value::Number(value),
                };
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

fn evaluate(formula: &str, at: &Span, known: &Known) -> Result<(f64, Option<Dimension>), Problem> {
    let wrong = |message: String| Problem::new(format!("\"={formula}\": {message}")).at(at.clone(), "");
    let expression = Expression::parse(formula).map_err(|e| wrong(e.message))?.with_units(|n| find(known, n));
    if let Some(name) = expression.names().first() {
        let names: Vec<&str> = known.iter().map(|k| k.name.as_str()).collect();
        return Err(match names.is_empty() {
            true => {
                wrong(format!("there is no parameter `{name}`")).note("give it in [parameter], above its use")
            }
            false => wrong(format!("there is no parameter `{name}` so far")).allowed(name, &names),
        });
    }
    expression.complete().map_err(|e| wrong(e.message))?;
    let dimension = dimension_of(&expression, |_| None).map_err(|e| wrong(e.message))?;
    Ok((expression.at(&[]), dimension))
}
