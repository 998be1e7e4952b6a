//! The values of parameters, by name.

use std::fmt;

use crate::expression::Expression;

/// A parameter's value, in SI units.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// a number
    Number(f64),
    /// an array of numbers
    Numbers(Vec<f64>),
    /// a word
    Text(String),
    /// a box of space
    Region {
        /// the least x, y, z
        min: [f64; 3],
        /// the greatest
        max: [f64; 3],
    },
    /// an expression
    Expression(Expression),
    /// times, each with a number
    Table(Vec<[f64; 2]>),
}

/// Values by name, as a scene or a caller gives them.
///
/// ```
/// use carom_base::{Args, Value};
/// let args = Args::new().with("radius", Value::Number(0.02));
/// assert_eq!(args.number("radius"), Some(0.02));
/// assert_eq!(args.number("length"), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Args(Vec<(String, Value)>);

impl Args {
    /// No values yet.
    pub fn new() -> Args {
        Args::default()
    }

    /// With one value more (or one replaced).
    pub fn with(mut self, name: &str, value: Value) -> Args {
        self.set(name, value);
        self
    }

    /// Sets a value.
    pub fn set(&mut self, name: &str, value: Value) {
        match self.0.iter_mut().find(|(n, _)| n == name) {
            Some(slot) => slot.1 = value,
            None => self.0.push((name.to_owned(), value)),
        }
    }

    /// The value of that name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(n, _)| n == name).map(|(_, v)| v)
    }

    /// The number of that name.
    pub fn number(&self, name: &str) -> Option<f64> {
        match self.get(name) {
            Some(Value::Number(x)) => Some(*x),
            _ => None,
        }
    }

    /// The array of that name.
    pub fn numbers(&self, name: &str) -> Option<&[f64]> {
        match self.get(name) {
            Some(Value::Numbers(x)) => Some(x),
            _ => None,
        }
    }

    /// The three numbers of that name; one stands for all three.
    pub fn three(&self, name: &str) -> Option<[f64; 3]> {
        match self.get(name)? {
            Value::Number(x) => Some([*x; 3]),
            Value::Numbers(x) => x.as_slice().try_into().ok(),
            _ => None,
        }
    }

    /// The word of that name.
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.get(name) {
            Some(Value::Text(x)) => Some(x),
            _ => None,
        }
    }

    /// The box of that name: the least x, y, z and the greatest.
    pub fn region(&self, name: &str) -> Option<[[f64; 3]; 2]> {
        match self.get(name) {
            Some(Value::Region { min, max }) => Some([*min, *max]),
            _ => None,
        }
    }

    /// The expression of that name.
    pub fn expression(&self, name: &str) -> Option<&Expression> {
        match self.get(name) {
            Some(Value::Expression(x)) => Some(x),
            _ => None,
        }
    }

    /// The points in time of that name.
    pub fn table(&self, name: &str) -> Option<&[[f64; 2]]> {
        match self.get(name) {
            Some(Value::Table(x)) => Some(x),
            _ => None,
        }
    }

    /// The names given, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(n, _)| n.as_str())
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(x) => write!(f, "{x}"),
            Value::Numbers(x) => write!(f, "{x:?}"),
            Value::Text(x) => write!(f, "\"{x}\""),
            Value::Region { min, max } => write!(f, "{{ min = {min:?}, max = {max:?} }}"),
            Value::Expression(x) => write!(f, "an expression of {}", x.names().join(", ")),
            Value::Table(x) => write!(f, "{x:?}"),
        }
    }
}
