//! A parsed text, with the position of every word: the same tree for TOML and JSON.

use std::ops::Range;

use crate::units::Dimension;

/// A position in one of the texts that a scene is read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// index of the text: 0 is the scene itself, i the i-th replaced value (`--set`)
    pub(crate) source: usize,
    /// range in bytes
    pub(crate) range: Range<usize>,
}

impl Span {
    pub(crate) fn new(source: usize, range: Range<usize>) -> Span {
        Span { source, range }
    }
}

/// A value and its position.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    pub(crate) span: Span,
    pub(crate) value: Value,
}

/// The value of a node, by its type.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Table(Vec<Member>),
    Array(Vec<Node>),
    Text(String),
    Number(f64),
    /// a number that an expression gives, of a known dimension
    Computed {
        value: f64,
        dimension: Dimension,
        /// the expression
        text: String,
    },
    Bool(bool),
    /// a type that TOML or JSON has and no scene needs: a date, null
    Other(&'static str),
}

/// A key of a table and its value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Member {
    pub(crate) key: String,
    pub(crate) key_span: Span,
    pub(crate) value: Node,
}

impl Node {
    /// Returns the members, if it is a table.
    pub(crate) fn members(&self) -> Option<&[Member]> {
        match &self.value {
            Value::Table(members) => Some(members),
            _ => None,
        }
    }

    /// Returns the value of that key, if it is a table that has it.
    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        self.members()?.iter().find(|m| m.key == key).map(|m| &m.value)
    }

    /// Returns the value of that key for changes, if it is a table that has it.
    pub(crate) fn get_mut(&mut self, key: &str) -> Option<&mut Node> {
        let Value::Table(members) = &mut self.value else { return None };
        members.iter_mut().find(|m| m.key == key).map(|m| &mut m.value)
    }

    /// Sets the value of a key; a new key has the position `at`. Does nothing if it is not a table.
    pub(crate) fn set(&mut self, key: &str, value: Value, at: &Span) {
        let Value::Table(members) = &mut self.value else { return };
        match members.iter_mut().find(|m| m.key == key) {
            Some(m) => m.value.value = value,
            None => {
                let value = Node { span: at.clone(), value };
                members.push(Member { key: key.to_owned(), key_span: at.clone(), value });
            }
        }
    }

    /// Takes a key and its value out of a table.
    pub(crate) fn take(&mut self, key: &str) -> Option<Member> {
        let Value::Table(members) = &mut self.value else { return None };
        let i = members.iter().position(|m| m.key == key)?;
        Some(members.remove(i))
    }

    /// Returns the elements, if it is an array.
    pub(crate) fn items(&self) -> &[Node] {
        match &self.value {
            Value::Array(items) => items,
            _ => &[],
        }
    }

    /// Calls a function with the position of every key and value in it.
    pub(crate) fn for_spans(&mut self, change: &mut impl FnMut(&mut Span)) {
        change(&mut self.span);
        match &mut self.value {
            Value::Table(members) => {
                for m in members {
                    change(&mut m.key_span);
                    m.value.for_spans(change);
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| item.for_spans(change)),
            _ => {}
        }
    }

    /// Returns the text, if it is one.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the word for its type in messages.
    pub(crate) fn type_name(&self) -> &'static str {
        match self.value {
            Value::Table(_) => "a table",
            Value::Array(_) => "an array",
            Value::Text(_) => "a string",
            Value::Number(_) | Value::Computed { .. } => "a number",
            Value::Bool(_) => "true or false",
            Value::Other(name) => name,
        }
    }
}
