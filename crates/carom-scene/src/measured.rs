//! Numbers with units, and expressions of the right dimension.

use carom_base::Quantity;
use carom_base::expression::{Expression, dimension_of};
use carom_base::param::Allowed;

use crate::error::Problem;
use crate::fields::Field;
use crate::keys::Key;
use crate::quantity::{COORDINATE, Thing};
use crate::tree::{Node, Span, Value};
use crate::units::{self, Dimension, UnitError};
use crate::wanted::wanted_note;

/// The requirements on a number: its quantity, the allowed range, and the exponent if it is a stiffness.
pub(crate) struct Unit {
    pub(crate) quantity: Quantity,
    pub(crate) allowed: Allowed,
    pub(crate) exponent: f64,
}

impl Unit {
    fn dimension(&self) -> Dimension {
        Dimension::of(self.quantity, self.exponent)
    }

    /// Returns the word for what it measures.
    fn noun(&self) -> String {
        match self.quantity {
            Quantity::Stiffness => format!("a stiffness in {}", self.name()),
            _ => self.dimension().noun(),
        }
    }

    /// Returns the unit in words; the unit of a stiffness contains the value of its exponent.
    fn name(&self) -> String {
        match self.quantity {
            Quantity::Stiffness if self.exponent == 1.0 => "N/m".to_owned(),
            Quantity::Stiffness => format!("N/m^{}", self.exponent),
            q => q.unit().to_owned(),
        }
    }
}

/// Reads a number with its unit, or an expression.
pub(crate) fn signal(key: &Key, node: &Node, unit: &Unit) -> Result<Expression, Problem> {
    match &node.value {
        // a text that begins as a number does and holds no operation is a number with a unit
        Value::Text(text) if units::parse_any(text).is_err() => Expression::parse(text).map_err(|e| {
            let problem = Problem::new(format!("`{}`: {}", key.name, e.message));
            problem.at(node.span.clone(), format!("at letter {}", text[..e.at].chars().count() + 1))
        }),
        _ => number(key, node, unit).map(Expression::constant),
    }
}

pub(crate) fn number(key: &Key, node: &Node, unit: &Unit) -> Result<f64, Problem> {
    let x = match &node.value {
        Value::Number(x) => *x,
        Value::Text(text) => with_unit(key, text, &node.span, unit)?,
        Value::Computed { value, dimension, text } => match dimension.same_but_angles(&unit.dimension()) {
            true => *value,
            false => {
                let (is, noun) = (dimension.noun(), unit.noun());
                let problem = Problem::new(format!("`{}`: \"={text}\" is {is}, not {noun}", key.name));
                return Err(problem.at(node.span.clone(), needs(unit)).note(BARE_NUMBERS));
            }
        },
        _ => {
            let problem =
                Problem::new(format!("`{}` has {} where a number belongs", key.name, node.type_name()));
            return Err(problem.at(node.span.clone(), "").note(wanted_note(key)));
        }
    };
    if unit.allowed.number(x) {
        return Ok(x);
    }
    let problem = Problem::new(format!("`{}` cannot be {x}", key.name));
    Err(problem.at(node.span.clone(), format!("allowed: {}", unit.allowed)))
}

pub(crate) fn with_unit(key: &Key, text: &str, at: &Span, unit: &Unit) -> Result<f64, Problem> {
    if unit.quantity == Quantity::Any {
        return units::parse_any(text).map(|(x, _)| x).map_err(|e| {
            Problem::new(format!("`{}`: {e}", key.name)).at(at.clone(), "").note(wanted_note(key))
        });
    }
    let dimension = unit.dimension();
    let error = match units::parse(text, &dimension) {
        Ok(x) => return Ok(x),
        Err(error) => error,
    };
    let problem = Problem::new(format!("`{}`: {error}", key.name));
    let needs = needs(unit);
    Err(match error {
        UnitError::NotANumber(_) => problem.at(at.clone(), needs).note(wanted_note(key)),
        UnitError::Unknown { name } => {
            known_units(problem.at(at.clone(), needs).nearest(units::nearest(&name, &dimension)), unit)
        }
        UnitError::Malformed(_) => {
            problem.at(at.clone(), needs).note("units are written as in `kg/m^3`, `N s/m`, `N/(m s)`")
        }
        UnitError::WrongDimension { text, is } => {
            let title = format!("`{}`: \"{text}\" is {is}, not {}", key.name, unit.noun());
            let problem = Problem::new(title).at(at.clone(), needs);
            // frequency and angular speed are the one pair that people confuse by accident
            match unit.quantity == Quantity::AngularSpeed && text.contains("Hz") {
                true => problem.help("a turn is 2π rad: write `rpm` or `rev/s`"),
                false => known_units(problem, unit),
            }
        }
    })
}

fn needs(unit: &Unit) -> String {
    match unit.quantity {
        Quantity::Number => "needs a number without a unit".to_owned(),
        _ => format!("needs a number in {}", unit.name()),
    }
}

/// What to do with an expression of the wrong dimension.
const BARE_NUMBERS: &str = "a number without a unit goes with any: 9.81*mass may be a force";

/// Refuses an expression that is not of this quantity, given the dimensions of its names; `None` stands for any dimension. An
/// expression without any unit is in SI units, and not checked.
pub(crate) fn check_dimension(
    expression: &Expression,
    name: impl Fn(&str) -> Option<Dimension>,
    quantity: Quantity,
    field: &Field,
) -> Result<(), Problem> {
    if !expression.has_units() {
        return Ok(());
    }
    check_dimension_at(expression, name, quantity, field.name, &field.at)
}

/// Refuses an expression that is not of this quantity, at this position in the text.
pub(crate) fn check_dimension_at(
    expression: &Expression,
    name: impl Fn(&str) -> Option<Dimension>,
    quantity: Quantity,
    key: &str,
    at: &Span,
) -> Result<(), Problem> {
    let wrong = |what: String| Problem::new(format!("`{key}`: {what}"));
    let unit = Unit { quantity, allowed: Allowed::Finite, exponent: f64::NAN };
    match dimension_of(expression, name) {
        Err(e) => {
            let letter = expression.text().get(..e.at).map_or(0, |before| before.chars().count()) + 1;
            Err(wrong(e.message).at(at.clone(), format!("at letter {letter}")))
        }
        Ok(Some(d)) if quantity != Quantity::Any && !d.same_but_angles(&unit.dimension()) => {
            let problem = wrong(format!("it is {}, not {}", d.described(), unit.noun()));
            Err(problem.at(at.clone(), needs(&unit)).note(BARE_NUMBERS))
        }
        Ok(_) => Ok(()),
    }
}

/// Returns the dimension of a quantity of the state by its name: `t`, `ball.x`, `hinge.angle_rate`. (The rate of a joint's first
/// coordinate, `hinge.rate`, may be a speed or an angular speed, and inputs may be anything.)
pub(crate) fn state_dimension(name: &str) -> Option<Dimension> {
    let of = |quantity: Quantity| Some(Dimension::of(quantity, f64::NAN));
    if let Some(suffix) = name.rsplit_once('.').map(|(_, suffix)| suffix) {
        let entries = Thing::Rigid.entries().chain(&*COORDINATE);
        // (accelerations are no quantities of the state, which is said once the model is built)
        let entries = entries.filter(|e| !matches!(e.quantity, Quantity::Acceleration));
        return entries.filter(|e| e.suffix == suffix).find_map(|e| of(e.quantity));
    }
    match name {
        "length" => of(Quantity::Length),
        _ => time_dimension(name),
    }
}

/// Returns the dimension of the time `t` in expressions; other names have none that is known.
pub(crate) fn time_dimension(name: &str) -> Option<Dimension> {
    (name == "t").then_some(Dimension::TIME)
}

fn known_units(problem: Problem, unit: &Unit) -> Problem {
    let examples = units::examples(&unit.dimension());
    match unit.quantity {
        Quantity::Stiffness => problem,
        _ if examples.is_empty() => problem,
        _ => problem.note(format!("units that fit: {}", examples.join(", "))),
    }
}
