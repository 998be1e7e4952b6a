//! Reads values that are not tables: numbers with units, words, texts, and arrays of them.

use carom::{TARGETS, Target};
use carom_base::Quantity;
use carom_base::expression::{Expression, dimension_of};
use carom_base::param::Allowed;

use crate::error::Problem;
use crate::fields::{Field, Typed};
use crate::keys::{Form, Key};
use crate::tree::{Node, Span, Value};
use crate::units::{self, Dimension, UnitError};
use crate::wanted::wanted;

/// Reads a value that is not a table. `exponent` is the exponent of a stiffness, on which its unit depends.
pub(crate) fn read(key: &Key, node: &Node, exponent: f64) -> Result<Typed, Problem> {
    match (key.form, &node.value) {
        (Form::Text, Value::Text(text)) => Ok(Typed::Text(text.clone())),
        (Form::Name, Value::Text(text)) => {
            check_name(text, &node.span)?;
            Ok(Typed::Text(text.clone()))
        }
        (Form::Bool, Value::Bool(b)) => Ok(Typed::Bool(*b)),
        (Form::Number(quantity, allowed), Value::Number(_) | Value::Computed { .. } | Value::Text(_)) => {
            number(key, node, &Unit { quantity, allowed, exponent }).map(Typed::Number)
        }
        (Form::CountOr(least, most, _), Value::Number(_) | Value::Computed { .. }) => {
            let allowed = Allowed::Between(f64::from(least), f64::from(most));
            let count = number(key, node, &Unit { quantity: Quantity::Number, allowed, exponent })?;
            match count.fract() == 0.0 {
                true => Ok(Typed::Number(count)),
                false => {
                    let problem = Problem::new(format!("`{}` cannot be {count}", key.name));
                    Err(problem.at(node.span.clone(), format!("allowed: {}", wanted(&key.form))))
                }
            }
        }
        (Form::CountOr(_, _, only), Value::Text(text)) => {
            word(key.name, text, &[only], &node.span)?;
            Ok(Typed::Text(text.clone()))
        }
        (Form::Vector(n, quantity, allowed) | Form::Each(n, quantity, allowed), Value::Array(items)) => {
            if items.len() != n {
                return Err(wrong_length(key, node, n, items.len()));
            }
            numbers(key, items, &Unit { quantity, allowed, exponent })
        }
        (Form::Each(_, quantity, allowed), Value::Number(_) | Value::Computed { .. } | Value::Text(_)) => {
            Ok(Typed::Number(number(key, node, &Unit { quantity, allowed, exponent })?))
        }
        (Form::Rows(n, quantity, allowed), Value::Array(items)) => {
            rows(key, items, n, &Unit { quantity, allowed, exponent })
        }
        (Form::List(quantity, allowed), Value::Array(items)) => {
            numbers(key, items, &Unit { quantity, allowed, exponent })
        }
        (Form::Tensor(quantity), Value::Array(items)) => tensor(key, node, items, quantity),
        (Form::Word(words), Value::Text(text)) => {
            word(key.name, text, &words.all(), &node.span)?;
            Ok(Typed::Text(text.clone()))
        }
        (Form::Words(words), Value::Array(items)) => {
            let (texts, spans) = texts(key, items)?;
            for (text, span) in texts.iter().zip(&spans) {
                word(key.name, text, &words.all(), span)?;
            }
            Ok(Typed::Texts(texts, spans))
        }
        (Form::Texts(n), Value::Array(items)) => {
            if items.len() != n {
                return Err(wrong_length(key, node, n, items.len()));
            }
            let (texts, spans) = texts(key, items)?;
            Ok(Typed::Texts(texts, spans))
        }
        (Form::Target, Value::Text(text)) => match Target::find(text) {
            Some(_) => Ok(Typed::Text(text.clone())),
            None => Err(no_target(text, &node.span)),
        },
        (Form::Expression, Value::Text(text)) => match Expression::parse(text) {
            Ok(expression) => Ok(Typed::Expression(expression)),
            Err(e) => {
                let problem = Problem::new(format!("`{}`: {}", key.name, e.message));
                Err(problem.at(node.span.clone(), format!("at letter {}", text[..e.at].chars().count() + 1)))
            }
        },
        // the number was a parameter, or `= …`, before substitution
        (Form::Expression, Value::Number(x)) => Ok(Typed::Expression(Expression::constant(*x))),
        (Form::Expression, Value::Computed { value, dimension, .. }) => {
            Ok(Typed::Expression(Expression::measured(*value, *dimension)))
        }
        (Form::Points(Some(quantity)), Value::Array(_)) => {
            points(key, node, quantity, Allowed::Finite).map(Typed::Points)
        }
        (Form::Points(None), Value::Array(_)) => Ok(Typed::Raw(node.clone())),
        (Form::TextList, Value::Array(items)) => {
            let (texts, spans) = texts(key, items)?;
            Ok(Typed::Texts(texts, spans))
        }
        _ => Err(wrong_form(key, node)),
    }
}

/// The requirements on a number: its quantity, the allowed range, and the exponent if it is a stiffness.
struct Unit {
    quantity: Quantity,
    allowed: Allowed,
    exponent: f64,
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

fn number(key: &Key, node: &Node, unit: &Unit) -> Result<f64, Problem> {
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

fn with_unit(key: &Key, text: &str, at: &Span, unit: &Unit) -> Result<f64, Problem> {
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
    let wrong = |what: String| Problem::new(format!("`{}`: {what}", field.name));
    let unit = Unit { quantity, allowed: Allowed::Finite, exponent: f64::NAN };
    match dimension_of(expression, name) {
        Err(e) => {
            let letter = expression.text().get(..e.at).map_or(0, |before| before.chars().count()) + 1;
            Err(wrong(e.message).at(field.at.clone(), format!("at letter {letter}")))
        }
        Ok(Some(d)) if !d.same_but_angles(&unit.dimension()) => {
            let problem = wrong(format!("it is {}, not {}", d.described(), unit.noun()));
            Err(problem.at(field.at.clone(), needs(&unit)).note(BARE_NUMBERS))
        }
        Ok(_) => Ok(()),
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

fn numbers(key: &Key, items: &[Node], unit: &Unit) -> Result<Typed, Problem> {
    let x = items.iter().map(|item| number(key, item, unit)).collect::<Result<Vec<_>, _>>()?;
    Ok(Typed::Numbers(x, items.iter().map(|i| i.span.clone()).collect()))
}

/// Reads points in time: rows of two numbers, with increasing times.
pub(crate) fn points(
    key: &Key,
    node: &Node,
    quantity: Quantity,
    allowed: Allowed,
) -> Result<Vec<[f64; 2]>, Problem> {
    let exponent = f64::NAN;
    let (time, unit) = (
        Unit { quantity: Quantity::Time, allowed: Allowed::Finite, exponent },
        Unit { quantity, allowed, exponent },
    );
    let Value::Array(rows) = &node.value else { return Err(wrong_form(key, node)) };
    let mut points: Vec<[f64; 2]> = Vec::new();
    for row in rows {
        let Value::Array(cells) = &row.value else { return Err(wrong_form(key, row)) };
        let [t, x] = cells.as_slice() else { return Err(wrong_length(key, row, 2, cells.len())) };
        let point = [number(key, t, &time)?, number(key, x, &unit)?];
        if let Some(before) = points.last().filter(|p| point[0] <= p[0]) {
            let problem =
                Problem::new(format!("`{}` cannot have {} after {}", key.name, point[0], before[0]));
            return Err(problem.at(t.span.clone(), "allowed: times that increase"));
        }
        points.push(point);
    }
    if points.len() < 2 {
        let problem =
            Problem::new(format!("`{}` needs two points or more, and has {}", key.name, points.len()));
        return Err(problem.at(node.span.clone(), "").note(wanted_note(key)));
    }
    Ok(points)
}

/// Makes the message that nothing at that path can be driven, with the paths that can.
pub(crate) fn no_target(path: &str, at: &Span) -> Problem {
    let paths: Vec<&str> = TARGETS.iter().map(|t| t.path).collect();
    // the name comes from the scene: only the other words can be misspelt
    let mut words = path.split('/');
    let has_name = matches!(words.next(), Some("body" | "joint"));
    let name = words.next().filter(|_| has_name).unwrap_or("NAME");
    let named: Vec<String> = paths.iter().map(|p| p.replace("NAME", name)).collect();
    let near = carom::words::nearest(path, &named.iter().map(String::as_str).collect::<Vec<_>>());
    Problem::new(format!("there is nothing called `{path}` to drive"))
        .at(at.clone(), "")
        .nearest(near)
        .note(format!("allowed: {}", paths.join(", ")))
}

/// Reads a tensor: three principal moments, or three rows of three.
fn tensor(key: &Key, node: &Node, items: &[Node], quantity: Quantity) -> Result<Typed, Problem> {
    let unit = Unit { quantity, allowed: Allowed::Finite, exponent: f64::NAN };
    if items.len() != 3 {
        return Err(wrong_length(key, node, 3, items.len()));
    }
    if !items.iter().any(|i| matches!(i.value, Value::Array(_))) {
        return numbers(key, items, &unit);
    }
    rows(key, items, 3, &unit)
}

/// Reads any number of rows of n numbers each, as one list.
fn rows(key: &Key, items: &[Node], n: usize, unit: &Unit) -> Result<Typed, Problem> {
    let (mut all, mut spans) = (Vec::new(), Vec::new());
    for row in items {
        let Value::Array(cells) = &row.value else { return Err(wrong_form(key, row)) };
        if cells.len() != n {
            return Err(wrong_length(key, row, n, cells.len()));
        }
        for cell in cells {
            all.push(number(key, cell, unit)?);
            spans.push(cell.span.clone());
        }
    }
    Ok(Typed::Numbers(all, spans))
}

fn texts(key: &Key, items: &[Node]) -> Result<(Vec<String>, Vec<Span>), Problem> {
    let text = |item: &Node| match item.text() {
        Some(text) => Ok(text.to_owned()),
        None => {
            let problem =
                Problem::new(format!("`{}` has {} where a string belongs", key.name, item.type_name()));
            Err(problem.at(item.span.clone(), "").note(wanted_note(key)))
        }
    };
    let texts = items.iter().map(text).collect::<Result<_, _>>()?;
    Ok((texts, items.iter().map(|i| i.span.clone()).collect()))
}

fn word(key: &str, text: &str, words: &[&str], at: &Span) -> Result<(), Problem> {
    if words.contains(&text) {
        return Ok(());
    }
    Err(Problem::new(format!("`{key}` cannot be \"{text}\"")).at(at.clone(), "").allowed(text, words))
}

/// Checks a name. Names appear in paths, headings of columns and messages, and must not break those.
pub(crate) fn check_name(name: &str, at: &Span) -> Result<(), Problem> {
    let bad = |c: char| c.is_control() || "/*,=\"`".contains(c);
    let problem = match name.chars().find(|&c| bad(c)) {
        Some(c) => Problem::new(format!("a name cannot contain {c:?}")),
        None if name.trim().is_empty() => Problem::new("a name cannot be empty"),
        None if name.trim() != name => Problem::new("a name cannot begin or end with a space"),
        None => return Ok(()),
    };
    Err(problem.at(at.clone(), "").note("allowed: all characters but / * , = \" `"))
}

fn wrong_length(key: &Key, node: &Node, n: usize, is: usize) -> Problem {
    let problem = Problem::new(format!("`{}` needs {n} values, and has {is}", key.name));
    problem.at(node.span.clone(), "").note(wanted_note(key))
}

/// Makes the message that a value has the wrong form, with the form that is needed.
pub(crate) fn wrong_form(key: &Key, node: &Node) -> Problem {
    let problem = Problem::new(format!("`{}` cannot be {}", key.name, node.type_name()));
    problem.at(node.span.clone(), "").note(wanted_note(key))
}

fn wanted_note(key: &Key) -> String {
    format!("`{}` is {}", key.name, wanted(&key.form))
}
