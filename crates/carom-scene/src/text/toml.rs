//! Parses TOML into a tree with positions.

use std::borrow::Cow;
use std::fmt::Write;

use toml::Spanned;
use toml::de::{DeTable, DeValue, Error};

use crate::error::Problem;
use crate::tree::{Member, Node, Span, Value};

/// Reads a whole text.
pub(crate) fn parse(text: &str) -> Result<Node, Problem> {
    match DeTable::parse(text) {
        Ok(table) => Ok(Node { span: Span::new(0, 0..0), value: members(0, 0, table.get_ref()) }),
        Err(e) => Err(problem(0, 0, text, &e)),
    }
}

/// Reads a single value that begins at byte `at` of the text `source`.
pub(crate) fn parse_value(text: &str, source: usize, at: usize) -> Result<Node, Problem> {
    match DeValue::parse(text) {
        Ok(value) => Ok(node(source, at, &value)),
        Err(e) => Err(problem(source, at, text, &e)),
    }
}

fn problem(source: usize, at: usize, text: &str, e: &Error) -> Problem {
    let range = e.span().unwrap_or(0..0);
    // an error at the very end points beyond the text: mark the last character instead
    let start = range.start.min(text.len().saturating_sub(1));
    let end = range.end.max(start + 1).min(text.len().max(1));
    // an error at the end of a line marks that position, not the next line
    let end = if text.as_bytes().get(start).is_some_and(|b| b"\r\n".contains(b)) { start } else { end };
    let range = at + start..at + end;
    let message = e.message().lines().collect::<Vec<_>>().join(", ");
    Problem::new("this is not TOML").at(Span::new(source, range), message)
}

fn node(source: usize, at: usize, value: &Spanned<DeValue<'_>>) -> Node {
    let range = value.span();
    let span = Span::new(source, range.start + at..range.end + at);
    let value = match value.get_ref() {
        DeValue::String(text) => Value::Text(text.clone().into_owned()),
        DeValue::Integer(i) => number(integer(i.as_str(), i.radix())),
        DeValue::Float(x) => number(x.as_str().parse().ok()),
        DeValue::Boolean(b) => Value::Bool(*b),
        DeValue::Datetime(_) => Value::Other("a date"),
        DeValue::Array(items) => Value::Array(items.iter().map(|x| node(source, at, x)).collect()),
        DeValue::Table(table) => members(source, at, table),
    };
    Node { span, value }
}

fn number(x: Option<f64>) -> Value {
    x.map_or(Value::Other("a number that cannot be read"), Value::Number)
}

fn integer(digits: &str, radix: u32) -> Option<f64> {
    match radix {
        10 => digits.parse().ok(),
        _ => i64::from_str_radix(digits, radix).ok().map(|i| i as f64),
    }
}

/// Returns the members of a table in the order of the text; the parser sorts them by name.
fn members(source: usize, at: usize, table: &DeTable<'_>) -> Value {
    let member = |(key, value): (&Spanned<Cow<'_, str>>, &Spanned<DeValue<'_>>)| Member {
        key: key.get_ref().clone().into_owned(),
        key_span: Span::new(source, key.span().start + at..key.span().end + at),
        value: node(source, at, value),
    };
    let mut members: Vec<Member> = table.iter().map(member).collect();
    members.sort_by_key(|m| m.key_span.range.start);
    Value::Table(members)
}

/// Writes a tree as TOML: values first, then tables, in the order of the tree.
pub(crate) fn written(node: &Node) -> String {
    let mut out = String::new();
    table(&mut out, node, "");
    out.trim_start().to_owned()
}

/// Writes the members of a table; `path` is its name in headers.
fn table(out: &mut String, node: &Node, path: &str) {
    let members = node.members().unwrap_or(&[]);
    let (tables, values): (Vec<&Member>, Vec<&Member>) =
        members.iter().partition(|m| is_headed(&m.value, path));
    for m in values {
        let _ = writeln!(out, "{} = {}", key(&m.key), inline(&m.value));
    }
    for m in tables {
        let path = if path.is_empty() { key(&m.key) } else { format!("{path}.{}", key(&m.key)) };
        match &m.value.value {
            Value::Array(items) => {
                for item in items {
                    let _ = writeln!(out, "\n[[{path}]]");
                    table(out, item, &path);
                }
            }
            _ => {
                // a table of tables, as of the materials, needs no header of its own
                let inner = m.value.members().unwrap_or(&[]);
                let only_tables = !inner.is_empty() && inner.iter().all(|m| is_headed(&m.value, &path));
                if !only_tables {
                    let _ = writeln!(out, "\n[{path}]");
                }
                table(out, &m.value, &path);
            }
        }
    }
}

/// Returns whether a value is written under a header: the tables of the scene and arrays of tables, not tables within them.
fn is_headed(node: &Node, path: &str) -> bool {
    match &node.value {
        Value::Table(_) => path.is_empty() || path == "material",
        Value::Array(items) => !items.is_empty() && items.iter().all(|i| matches!(i.value, Value::Table(_))),
        _ => false,
    }
}

fn key(name: &str) -> String {
    let plain = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c));
    if plain { name.to_owned() } else { quoted(name) }
}

/// A text in the quotes of TOML, which are those of JSON but for the delete character.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}

fn inline(node: &Node) -> String {
    match &node.value {
        Value::Table(members) => {
            let inner: Vec<String> =
                members.iter().map(|m| format!("{} = {}", key(&m.key), inline(&m.value))).collect();
            format!("{{ {} }}", inner.join(", "))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(inline).collect::<Vec<_>>().join(", ")),
        Value::Text(text) => quoted(text),
        // TOML has numbers that JSON has not
        Value::Number(x) | Value::Computed { value: x, .. } if x.is_nan() => "nan".to_owned(),
        Value::Number(x) | Value::Computed { value: x, .. } if x.is_infinite() => {
            if *x > 0.0 { "inf" } else { "-inf" }.to_owned()
        }
        _ => super::json::written(node).to_string(),
    }
}
