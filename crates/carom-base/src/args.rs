//! The values of parameters, by name, and whether they fit a kind's table.

use std::fmt;

use crate::expression::Expression;
use crate::param::{Allowed, Param, Presence, SpecError};

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

    /// Checks the values against the table and fills in the defaults.
    ///
    /// Unknown names are reported before missing ones: a misspelt key is both.
    pub fn checked(&self, kind: &'static str, params: &'static [Param]) -> Result<Args, SpecError> {
        for name in self.names() {
            if !params.iter().any(|p| p.name == name) {
                let allowed = params.iter().map(|p| p.name).collect();
                return Err(SpecError::UnknownName { kind, name: name.to_owned(), allowed });
            }
        }
        let mut out = self.clone();
        for param in params {
            match (self.get(param.name), param.presence) {
                (Some(value), _) => check(kind, param, value)?,
                (None, Presence::Required) => {
                    return Err(SpecError::Missing { kind, name: param.name, doc: param.doc });
                }
                (None, Presence::Default(x)) => out.set(param.name, Value::Number(x)),
                (None, Presence::DefaultText(x)) => out.set(param.name, Value::Text(x.to_owned())),
                (None, Presence::Optional(_)) => {}
            }
        }
        Ok(out)
    }
}

fn check(kind: &'static str, param: &Param, value: &Value) -> Result<(), SpecError> {
    let good = match (value, param.length) {
        (Value::Number(x), n) if n == 1 || param.alike => param.allowed.number(*x),
        (Value::Numbers(x), n) => fits(param, x.len(), n) && x.iter().all(|x| param.allowed.number(*x)),
        (Value::Text(word), 1) => match param.allowed {
            Allowed::OneOf(words) => words.contains(&word.as_str()),
            Allowed::Name => !word.is_empty(),
            _ => false,
        },
        (Value::Region { min, max }, 1) => {
            let in_order = min.iter().zip(max).all(|(min, max)| min < max && (max - min).is_finite());
            param.allowed == Allowed::Region && in_order
        }
        (Value::Expression(_), 1) => param.allowed == Allowed::Expression,
        (Value::Table(points), 1) => {
            let finite = points.iter().all(|p| p.iter().all(|x| x.is_finite()));
            let in_order = points.len() > 1 && points.windows(2).all(|w| w[0][0] < w[1][0]);
            param.allowed == Allowed::Table && finite && in_order
        }
        _ => false,
    };
    if good {
        return Ok(());
    }
    let (value, allowed) = (format!("{value}"), param.allowed.to_string());
    let count = match (param.list, param.length) {
        (true, n) => format!("a list of arrays of {n} numbers, each "),
        (false, 1) => String::new(),
        (false, n) if param.alike => format!("a number or {n} of them, "),
        (false, n) => format!("{n} numbers, each "),
    };
    Err(SpecError::NotAllowed { kind, name: param.name, value, allowed: count + &allowed })
}

fn fits(param: &Param, given: usize, length: usize) -> bool {
    if param.list { given > 0 && given.is_multiple_of(length) } else { given == length }
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
