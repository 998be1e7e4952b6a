//! What a text says, with the place of every word: the same tree for TOML and JSON.

use std::ops::Range;

/// A place in one of the texts a scene is read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// 0: the scene itself; i: the i-th replaced value (`--set`)
    pub(crate) source: usize,
    /// in bytes
    pub(crate) range: Range<usize>,
}

impl Span {
    pub(crate) fn new(source: usize, range: Range<usize>) -> Span {
        Span { source, range }
    }
}

/// A value and where it is.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) span: Span,
    pub(crate) value: Value,
}

/// What a value can be.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Table(Vec<Member>),
    Array(Vec<Node>),
    Text(String),
    Number(f64),
    Bool(bool),
    /// what a language has and no scene needs: a date, null
    Other(&'static str),
}

/// A key of a table and its value.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) key: String,
    pub(crate) key_span: Span,
    pub(crate) value: Node,
}

impl Node {
    /// The members, if it is a table.
    pub(crate) fn members(&self) -> Option<&[Member]> {
        match &self.value {
            Value::Table(members) => Some(members),
            _ => None,
        }
    }

    /// The value of that key, if it is a table that has it.
    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        self.members()?.iter().find(|m| m.key == key).map(|m| &m.value)
    }

    /// The text, if it is one.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The word for what it is.
    pub(crate) fn type_name(&self) -> &'static str {
        match self.value {
            Value::Table(_) => "a table",
            Value::Array(_) => "an array",
            Value::Text(_) => "a string",
            Value::Number(_) => "a number",
            Value::Bool(_) => "true or false",
            Value::Other(name) => name,
        }
    }
}
