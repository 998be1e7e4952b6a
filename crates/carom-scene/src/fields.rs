//! A table after reading: values of the right form, in SI units, each with its position in the text.

use carom_base::expression::Expression;
use carom_base::{Args, Quantity, Value};

use crate::error::Problem;
use crate::tree::{Node, Span};

/// A table after reading. Defaults are filled in; their position is that of the table.
#[derive(Clone, Debug)]
pub struct Fields {
    /// position of the table, or of its beginning
    pub at: Span,
    /// the kind and the position of its name, if the table has kinds
    pub(crate) kind: Option<(&'static str, Span)>,
    pub(crate) list: Vec<Field>,
}

/// A key with its value.
#[derive(Clone, Debug)]
pub struct Field {
    pub(crate) name: &'static str,
    /// position of the key; `None` for a default
    pub(crate) key_at: Option<Span>,
    /// position of the value
    pub(crate) at: Span,
    pub(crate) value: Typed,
}

/// The value of a key, by its type.
#[derive(Clone, Debug)]
pub(crate) enum Typed {
    Bool(bool),
    Text(String),
    Number(f64),
    /// numbers, and the position of each
    Numbers(Vec<f64>, Vec<Span>),
    /// words, and the position of each
    Texts(Vec<String>, Vec<Span>),
    /// two sides of a rule, and the label and position of each
    Sides(Vec<Side>, Vec<String>, Vec<Span>),
    /// an expression; once the parameters are substituted, it depends on the time only
    Expression(Expression),
    /// expressions in the time and in quantities of the state, the position of each, and their quantity
    Signals(Vec<Expression>, Vec<Span>, Quantity),
    /// a matrix by its rows
    Rows(Vec<Vec<f64>>),
    /// points in time: time \[s\] and value
    Points(Vec<[f64; 2]>),
    /// a value that can be read only after others, because its unit depends on them
    Raw(Node),
    Table(Fields),
    Array(Vec<Fields>),
    Map(Vec<(String, Span, Fields)>),
}

/// One side of a rule: one or several names, wildcards or groups.
#[derive(Clone, Debug)]
pub(crate) struct Side {
    /// what default names and messages call it
    pub(crate) label: String,
    pub(crate) at: Span,
    pub(crate) names: Vec<String>,
    /// position of each of the names
    pub(crate) spans: Vec<Span>,
}

impl Fields {
    pub(crate) fn get(&self, name: &str) -> Option<&Field> {
        self.list.iter().find(|f| f.name == name)
    }

    /// Returns the field if the scene gives it; `None` for a default.
    pub fn given(&self, name: &str) -> Option<&Field> {
        self.get(name).filter(|f| f.key_at.is_some())
    }

    /// Returns the position of the value, or that of the table if the scene does not give the key.
    pub fn span(&self, name: &str) -> Span {
        self.given(name).map_or(&self.at, |f| &f.at).clone()
    }

    /// Returns the value of a key, if it is `true` or `false`.
    pub fn bool(&self, name: &str) -> Option<bool> {
        match self.get(name)?.value {
            Typed::Bool(b) => Some(b),
            _ => None,
        }
    }

    /// Returns the value of a key in SI units, if it is a number.
    pub fn number(&self, name: &str) -> Option<f64> {
        match self.get(name)?.value {
            Typed::Number(x) => Some(x),
            _ => None,
        }
    }

    /// Returns the value of a key in SI units, if it is an array of numbers.
    pub fn numbers(&self, name: &str) -> Option<&[f64]> {
        match &self.get(name)?.value {
            Typed::Numbers(x, _) => Some(x),
            _ => None,
        }
    }

    /// Returns the value of a key in SI units, if it is an array of three numbers.
    pub fn vector(&self, name: &str) -> Option<[f64; 3]> {
        self.numbers(name)?.try_into().ok()
    }

    /// Returns the value of a key, if it is a text.
    pub fn text(&self, name: &str) -> Option<&str> {
        match &self.get(name)?.value {
            Typed::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the value of a key and the position of each element, if it is an array of texts.
    pub fn texts(&self, name: &str) -> Option<(&[String], &[Span])> {
        match &self.get(name)?.value {
            Typed::Texts(texts, spans) | Typed::Sides(_, texts, spans) => Some((texts, spans)),
            _ => None,
        }
    }

    /// Returns the two sides of a rule.
    pub(crate) fn sides(&self, name: &str) -> Option<&[Side]> {
        match &self.get(name)?.value {
            Typed::Sides(sides, ..) => Some(sides),
            _ => None,
        }
    }

    /// Returns the value of a key, if it is a table.
    pub fn table(&self, name: &str) -> Option<&Fields> {
        match &self.get(name)?.value {
            Typed::Table(fields) => Some(fields),
            _ => None,
        }
    }

    /// Returns the tables of an array; the result is empty if the key is absent.
    pub fn array(&self, name: &str) -> &[Fields] {
        match self.get(name).map(|f| &f.value) {
            Some(Typed::Array(list)) => list,
            _ => &[],
        }
    }

    /// Returns the tables of a map; the result is empty if the key is absent.
    pub(crate) fn map(&self, name: &str) -> &[(String, Span, Fields)] {
        match self.get(name).map(|f| &f.value) {
            Some(Typed::Map(list)) => list,
            _ => &[],
        }
    }

    /// Collects the given values of the named keys in the form from which registries construct a kind.
    pub(crate) fn args(&self, names: impl Fn(&str) -> bool) -> Args {
        let mut args = Args::new();
        for field in self.list.iter().filter(|f| f.key_at.is_some() && names(f.name)) {
            match &field.value {
                Typed::Number(x) => args.set(field.name, Value::Number(*x)),
                Typed::Numbers(x, _) => args.set(field.name, Value::Numbers(x.clone())),
                Typed::Text(x) => args.set(field.name, Value::Text(x.clone())),
                Typed::Bool(x) => args.set(field.name, Value::Flag(*x)),
                Typed::Expression(x) => args.set(field.name, Value::Expression(x.clone())),
                Typed::Signals(x, ..) => args.set(field.name, Value::Expressions(x.clone())),
                Typed::Rows(x) => args.set(field.name, Value::Rows(x.clone())),
                Typed::Points(x) => args.set(field.name, Value::Table(x.clone())),
                Typed::Table(region) => {
                    if let (Some(min), Some(max)) = (region.vector("min"), region.vector("max")) {
                        args.set(field.name, Value::Region { min, max });
                    }
                }
                _ => {}
            }
        }
        args
    }

    /// Makes an error message that names keys in backticks, and marks those of them that are given.
    pub fn blame(&self, message: &str) -> Problem {
        let words = message.split('`').skip(1).step_by(2);
        let mut named: Vec<&Field> = Vec::new();
        for field in words.filter_map(|w| self.given(w)) {
            if !named.iter().any(|f| f.name == field.name) {
                named.push(field);
            }
        }
        let problem = Problem::new(message);
        match named.is_empty() {
            true => problem.at(self.at.clone(), ""),
            false => named.iter().fold(problem, |p, f| p.at(f.at.clone(), "")),
        }
    }
}
