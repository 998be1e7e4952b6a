//! A table that was read: values of the right form, in SI units, each with its place.

use carom_base::expression::Expression;
use carom_base::{Args, Value};

use crate::error::Problem;
use crate::tree::{Node, Span};

/// A table that was read. Defaults are filled in; they have the place of the table.
#[derive(Clone, Debug)]
pub struct Fields {
    /// where the table is, or begins
    pub at: Span,
    /// the kind and where it is named, if the table has kinds
    pub(crate) kind: Option<(&'static str, Span)>,
    pub(crate) list: Vec<Field>,
}

/// A key with its value.
#[derive(Clone, Debug)]
pub struct Field {
    pub(crate) name: &'static str,
    /// where the key is; `None`: a default
    pub(crate) key_at: Option<Span>,
    /// where the value is
    pub(crate) at: Span,
    pub(crate) value: Typed,
}

/// What a value is.
#[derive(Clone, Debug)]
pub(crate) enum Typed {
    Bool(bool),
    Text(String),
    Number(f64),
    /// numbers, and the place of each
    Numbers(Vec<f64>, Vec<Span>),
    /// words, and the place of each
    Texts(Vec<String>, Vec<Span>),
    /// an expression; once parameters are put in, of nothing but the time
    Expression(Expression),
    /// points in time
    Points(Vec<[f64; 2]>),
    /// what can be read only when others have been
    Raw(Node),
    Table(Fields),
    Array(Vec<Fields>),
    Map(Vec<(String, Span, Fields)>),
}

impl Fields {
    pub(crate) fn get(&self, name: &str) -> Option<&Field> {
        self.list.iter().find(|f| f.name == name)
    }

    /// The field, if the scene gives it.
    pub fn given(&self, name: &str) -> Option<&Field> {
        self.get(name).filter(|f| f.key_at.is_some())
    }

    /// Where the value is; the table, if the scene does not give it.
    pub fn span(&self, name: &str) -> Span {
        self.given(name).map_or(&self.at, |f| &f.at).clone()
    }

    /// The value of a key, if it is `true` or `false`.
    pub fn bool(&self, name: &str) -> Option<bool> {
        match self.get(name)?.value {
            Typed::Bool(b) => Some(b),
            _ => None,
        }
    }

    /// The value of a key, if it is a number, in SI units.
    pub fn number(&self, name: &str) -> Option<f64> {
        match self.get(name)?.value {
            Typed::Number(x) => Some(x),
            _ => None,
        }
    }

    /// The value of a key, if it is numbers, in SI units.
    pub fn numbers(&self, name: &str) -> Option<&[f64]> {
        match &self.get(name)?.value {
            Typed::Numbers(x, _) => Some(x),
            _ => None,
        }
    }

    /// The value of a key, if it is three numbers, in SI units.
    pub fn vector(&self, name: &str) -> Option<[f64; 3]> {
        self.numbers(name)?.try_into().ok()
    }

    /// The value of a key, if it is a text.
    pub fn text(&self, name: &str) -> Option<&str> {
        match &self.get(name)?.value {
            Typed::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The value of a key, if it is texts, and the place of each.
    pub fn texts(&self, name: &str) -> Option<(&[String], &[Span])> {
        match &self.get(name)?.value {
            Typed::Texts(texts, spans) => Some((texts, spans)),
            _ => None,
        }
    }

    /// The value of a key, if it is a table.
    pub fn table(&self, name: &str) -> Option<&Fields> {
        match &self.get(name)?.value {
            Typed::Table(fields) => Some(fields),
            _ => None,
        }
    }

    /// The tables of an array; none, if it is not there.
    pub fn array(&self, name: &str) -> &[Fields] {
        match self.get(name).map(|f| &f.value) {
            Some(Typed::Array(list)) => list,
            _ => &[],
        }
    }

    /// The tables of a map; none, if it is not there.
    pub(crate) fn map(&self, name: &str) -> &[(String, Span, Fields)] {
        match self.get(name).map(|f| &f.value) {
            Some(Typed::Map(list)) => list,
            _ => &[],
        }
    }

    /// What the scene gives, in the form kinds are made from.
    pub(crate) fn args(&self, names: impl Fn(&str) -> bool) -> Args {
        let mut args = Args::new();
        for field in self.list.iter().filter(|f| f.key_at.is_some() && names(f.name)) {
            match &field.value {
                Typed::Number(x) => args.set(field.name, Value::Number(*x)),
                Typed::Numbers(x, _) => args.set(field.name, Value::Numbers(x.clone())),
                Typed::Text(x) => args.set(field.name, Value::Text(x.clone())),
                Typed::Expression(x) => args.set(field.name, Value::Expression(x.clone())),
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

    /// A complaint that names keys in backticks, put at those of them that are given.
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
