//! The names in expressions: of the time, and of the state, which loads and controllers compute with.

use std::collections::BTreeSet;

use carom_base::expression::Expression;

use super::read::text;
use crate::keys::{Form, Table};
use crate::tree::{Node, Span, Value};
use crate::units;

/// Returns the expression of a value, unless it is a number.
fn parsed(node: &Node) -> Option<Expression> {
    let text = node.text().filter(|text| units::parse_any(text).is_err())?;
    Expression::parse(text).ok()
}

/// Renames what a value, or each value of an array, names.
pub(super) fn rename(node: &mut Node, new: &impl Fn(&str) -> Option<String>) {
    if let Value::Array(items) = &mut node.value {
        items.iter_mut().for_each(|item| rename(item, new));
    } else if let (Some(_), Some(text)) = (parsed(node), node.text()) {
        node.value = Value::Text(renamed(text, new));
    }
}

/// Puts new names into the text of an expression. A word before a parenthesis is a function, what is in brackets is a unit, and
/// letters after digits are of a number. New names that are no plain words are put in quotes.
pub(super) fn renamed(text: &str, new: impl Fn(&str) -> Option<String>) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(first) = rest.chars().next() {
        let length_of = |fits: fn(char) -> bool| rest.find(|c| !fits(c)).unwrap_or(rest.len());
        let length = match first {
            '[' => rest.find(']').map_or(rest.len(), |end| end + 1),
            '0'..='9' | '.' => length_of(|c| c.is_ascii_alphanumeric() || c == '.'),
            c if c.is_alphabetic() || is_quote(c) => name_length(rest),
            c => c.len_utf8(),
        };
        let (word, after) = rest.split_at(length);
        let is_name = first.is_alphabetic() || is_quote(first);
        let is_function = !word.contains(is_quote) && after.trim_start().starts_with('(');
        match Some(word).filter(|w| is_name && !is_function && !WORDS.contains(w)).and_then(|w| new(&bare(w)))
        {
            Some(name) => out.push_str(&written(&name)),
            None => out.push_str(word),
        }
        rest = after;
    }
    out
}

/// Words of expressions that are no names.
const WORDS: [&str; 4] = ["and", "or", "not", "pi"];

fn is_quote(c: char) -> bool {
    c == '\'' || c == '"'
}

/// Whether a name may contain the character without quotes.
fn is_inside(c: char) -> bool {
    c.is_alphanumeric() || "_.~".contains(c)
}

/// Returns how long the name is that the text begins with, parts of which may be in quotes.
fn name_length(text: &str) -> usize {
    let mut end = 0;
    while let Some(c) = text[end..].chars().next() {
        end += match c {
            c if is_quote(c) => text[end + 1..].find(c).map_or(text.len() - end, |closing| closing + 2),
            c if is_inside(c) => c.len_utf8(),
            _ => break,
        };
    }
    end
}

/// Returns a name without its quotes. (Names contain no double quotes, and those that contain a single one are in double ones.)
fn bare(word: &str) -> String {
    let quote = if word.contains('"') { '"' } else { '\'' };
    word.replace(quote, "")
}

/// Returns a name as expressions have it: in quotes, unless it is a plain word. What is behind the last point is left outside of
/// them, as in `'link-2'.x`.
fn written(name: &str) -> String {
    let is_plain = |text: &str| text.chars().all(is_inside);
    if is_plain(name) && name.starts_with(char::is_alphabetic) && !WORDS.contains(&name) {
        return name.to_owned();
    }
    let quoted = |text: &str| if text.contains('\'') { format!("\"{text}\"") } else { format!("'{text}'") };
    match split(name) {
        Some((owner, suffix)) if is_plain(suffix) => format!("{}.{suffix}", quoted(owner)),
        _ => quoted(name),
    }
}

/// Returns the keys of a table of the scene whose values are expressions of the state.
pub(super) fn keys(table: &'static Table, node: &Node) -> Vec<&'static str> {
    let kind = table.kinds.as_ref().and_then(|k| node.get(k.tag)).and_then(Node::text);
    let is_signal = |form: Form| matches!(form, Form::Signal(_) | Form::Signals(..) | Form::Readings);
    table.keys_with(kind).iter().filter(|k| is_signal(k.form)).map(|k| k.name).collect()
}

/// Returns the names in the value of a key, with the position of the expression.
pub(super) fn used(node: &Node, key: &str) -> Vec<(String, Span)> {
    let Some(value) = node.get(key) else { return Vec::new() };
    let items = match &value.value {
        Value::Array(items) => items.as_slice(),
        _ => std::slice::from_ref(value),
    };
    let names = |node: &Node| {
        let all = parsed(node).map_or_else(Vec::new, |e| e.names().to_vec());
        all.into_iter().map(|name| (name, node.span.clone())).collect::<Vec<_>>()
    };
    items.iter().flat_map(names).collect()
}

/// Returns what a quantity is of, and which one it is: `arm` and `angle`.
pub(super) fn split(name: &str) -> Option<(&str, &str)> {
    name.rsplit_once('.')
}

/// Returns the new name of a quantity whose owner is renamed. The owner may be a pair, as of a joint without a name of its own:
/// then each of the two may be renamed.
pub(super) fn of_owner(name: &str, new: &impl Fn(&str) -> Option<String>) -> Option<String> {
    let (owner, suffix) = split(name)?;
    let renamed = new(owner).or_else(|| {
        let (a, b) = owner.split_once('~')?;
        let [x, y] = [a, b].map(new);
        let is_changed = x.is_some() || y.is_some();
        is_changed.then(|| format!("{}~{}", x.as_deref().unwrap_or(a), y.as_deref().unwrap_or(b)))
    })?;
    Some(format!("{renamed}.{suffix}"))
}

/// Returns the names that the scene gives to the tables of an array.
pub(super) fn called(scene: &Node, array: &str) -> BTreeSet<String> {
    let all = scene.get(array).map_or(&[][..], Node::items);
    all.iter().filter_map(|node| text(node, "name")).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_in_expressions() {
        let old = ["e", "sin", "w", "mm"];
        let new = |name: &str| old.contains(&name).then(|| format!("left_{name}"));
        assert_eq!(renamed("2e-3*sin(w*t) + e - we", new), "2e-3*sin(left_w*t) + left_e - we");
        assert_eq!(renamed("3[mm]*mm + 2e", new), "3[mm]*left_mm + 2e");
        assert_eq!(
            renamed("if(not e > 1 and pi < w, 1.5, 'e')", new),
            "if(not left_e > 1 and pi < left_w, 1.5, left_e)"
        );
    }

    #[test]
    fn quantities_in_expressions() {
        let owner =
            |name: &str| ["arm", "old arm", "hub", "it's"].contains(&name).then(|| format!("left-{name}"));
        let new = |text: &str| renamed(text, |name| of_owner(name, &owner));
        assert_eq!(new("-k*arm.angle + 'old arm'.rate"), "-k*'left-arm'.angle + 'left-old arm'.rate");
        assert_eq!(new("'arm~hub'.angle*arm~base.fx"), "'left-arm~left-hub'.angle*'left-arm~base'.fx");
        assert_eq!(new("\"it's\".x - other.x"), "\"left-it's\".x - other.x");
        // what was read is read again
        let text = new("max(0, 'old arm'.x)/arm.v");
        assert_eq!(Expression::parse(&text).unwrap().names(), ["left-old arm.x", "left-arm.v"]);
    }
}
