//! Reads values that are not tables: numbers with units, words, texts, and arrays of them.

use carom::{TARGETS, Target};
use carom_base::Quantity;
use carom_base::expression::Expression;
use carom_base::param::Allowed;

use crate::error::Problem;
use crate::fields::{Side, Typed};
use crate::keys::{Form, Key};
use crate::measured::{Unit, number, signal};
use crate::tree::{Node, Span, Value};
use crate::wanted::{wanted, wanted_note};

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
        (Form::Signal(quantity), Value::Text(_) | Value::Number(_) | Value::Computed { .. }) => {
            let all = vec![signal(key, node, &Unit { quantity, allowed: Allowed::Finite, exponent })?];
            Ok(Typed::Signals(all, vec![node.span.clone()], quantity))
        }
        (Form::Signals(n, quantity), Value::Array(items)) => {
            if items.len() != n {
                return Err(wrong_length(key, node, n, items.len()));
            }
            let unit = Unit { quantity, allowed: Allowed::Finite, exponent };
            let all = items.iter().map(|item| signal(key, item, &unit)).collect::<Result<Vec<_>, _>>()?;
            Ok(Typed::Signals(all, items.iter().map(|i| i.span.clone()).collect(), quantity))
        }
        (Form::Points(Some(quantity)), Value::Array(_)) => {
            points(key, node, quantity, Allowed::Finite).map(Typed::Points)
        }
        (Form::Matrix, Value::Array(rows)) => {
            let unit = Unit { quantity: Quantity::Any, allowed: Allowed::Finite, exponent };
            let row = |row: &Node| match &row.value {
                Value::Array(cells) => cells.iter().map(|cell| number(key, cell, &unit)).collect(),
                _ => Err(wrong_form(key, row)),
            };
            Ok(Typed::Rows(rows.iter().map(row).collect::<Result<_, _>>()?))
        }
        (Form::Readings, value) => {
            let unit = Unit { quantity: Quantity::Any, allowed: Allowed::Finite, exponent };
            let items = match value {
                Value::Array(items) => items.as_slice(),
                _ => std::slice::from_ref(node),
            };
            let all = items.iter().map(|item| signal(key, item, &unit)).collect::<Result<Vec<_>, _>>()?;
            Ok(Typed::Signals(all, items.iter().map(|i| i.span.clone()).collect(), Quantity::Any))
        }
        (Form::Curve(x, quantity), Value::Array(_)) => {
            pairs(key, node, [x, quantity], Allowed::Finite, "numbers x that increase").map(Typed::Points)
        }
        (Form::Points(None), Value::Array(_)) => Ok(Typed::Raw(node.clone())),
        (Form::OneOrTexts, Value::Text(text)) => {
            Ok(Typed::Texts(vec![text.clone()], vec![node.span.clone()]))
        }
        (Form::Sides, Value::Array(items)) => sides(key, node, items),
        (Form::TextList | Form::OneOrTexts, Value::Array(items)) => {
            let (texts, spans) = texts(key, items)?;
            Ok(Typed::Texts(texts, spans))
        }
        _ => Err(wrong_form(key, node)),
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
    pairs(key, node, [Quantity::Time, quantity], allowed, "times that increase")
}

/// Reads rows of two numbers of these quantities, the first of which increase; `increasing`: how they are called.
fn pairs(
    key: &Key,
    node: &Node,
    [first, quantity]: [Quantity; 2],
    allowed: Allowed,
    increasing: &str,
) -> Result<Vec<[f64; 2]>, Problem> {
    let exponent = f64::NAN;
    let (time, unit) =
        (Unit { quantity: first, allowed: Allowed::Finite, exponent }, Unit { quantity, allowed, exponent });
    let Value::Array(rows) = &node.value else { return Err(wrong_form(key, node)) };
    let mut points: Vec<[f64; 2]> = Vec::new();
    for row in rows {
        let Value::Array(cells) = &row.value else { return Err(wrong_form(key, row)) };
        let [t, x] = cells.as_slice() else { return Err(wrong_length(key, row, 2, cells.len())) };
        let point = [number(key, t, &time)?, number(key, x, &unit)?];
        if let Some(before) = points.last().filter(|p| point[0] <= p[0]) {
            let problem =
                Problem::new(format!("`{}` cannot have {} after {}", key.name, point[0], before[0]));
            return Err(problem.at(t.span.clone(), format!("allowed: {increasing}")));
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

/// Reads two sides, each a text or a list of texts.
fn sides(key: &Key, node: &Node, items: &[Node]) -> Result<Typed, Problem> {
    if items.len() != 2 {
        return Err(wrong_length(key, node, 2, items.len()));
    }
    let mut lists = Vec::new();
    for item in items {
        let (names, spans) = match &item.value {
            Value::Array(inner) => texts(key, inner)?,
            _ => texts(key, std::slice::from_ref(item))?,
        };
        if names.is_empty() {
            let problem = Problem::new(format!("a side of `{}` is empty", key.name));
            return Err(problem.at(item.span.clone(), "").note(wanted_note(key)));
        }
        lists.push(Side { label: names.join("+"), at: item.span.clone(), names, spans });
    }
    let (labels, spans) = lists.iter().map(|s| (s.label.clone(), s.at.clone())).unzip();
    Ok(Typed::Sides(lists, labels, spans))
}

fn word(key: &str, text: &str, words: &[&str], at: &Span) -> Result<(), Problem> {
    if words.contains(&text) {
        return Ok(());
    }
    Err(Problem::new(format!("`{key}` cannot be \"{text}\"")).at(at.clone(), "").allowed(text, words))
}

/// Checks a name. Names appear in paths, headings of columns and messages, and must not break those.
pub(crate) fn check_name(name: &str, at: &Span) -> Result<(), Problem> {
    let bad = |c: char| c.is_control() || "/*?,=\"`".contains(c);
    let problem = match name.chars().find(|&c| bad(c)) {
        Some(c) => Problem::new(format!("a name cannot contain {c:?}")),
        None if name.trim().is_empty() => Problem::new("a name cannot be empty"),
        None if name.trim() != name => Problem::new("a name cannot begin or end with a space"),
        None => return Ok(()),
    };
    Err(problem.at(at.clone(), "").note("allowed: all characters but / * ? , = \" `"))
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
