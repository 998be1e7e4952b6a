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
    /// true or false
    Flag(bool),
    /// a box-shaped region of space
    Region {
        /// the smallest x, y, z
        min: [f64; 3],
        /// the largest x, y, z
        max: [f64; 3],
    },
    /// an expression
    Expression(Expression),
    /// several expressions: the components of a vector
    Expressions(Vec<Expression>),
    /// a matrix by its rows
    Rows(Vec<Vec<f64>>),
    /// points of a table: pairs of a time and a number
    Table(Vec<[f64; 2]>),
}

/// Parameter values by name, as given by a scene or a caller.
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
    /// Creates an empty set of values.
    pub fn new() -> Args {
        Args::default()
    }

    /// Adds a value, or replaces the one of the same name, and returns the set.
    pub fn with(mut self, name: &str, value: Value) -> Args {
        self.set(name, value);
        self
    }

    /// Sets a value.
    pub fn set(&mut self, name: &str, value: Value) {
        match self.0.iter_mut().find(|(n, _)| n == name) {
            Some(entry) => entry.1 = value,
            None => self.0.push((name.to_owned(), value)),
        }
    }

    /// Returns the value of this name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(n, _)| n == name).map(|(_, v)| v)
    }

    /// Returns the number of this name; `None` if there is none or it is not a number.
    pub fn number(&self, name: &str) -> Option<f64> {
        match self.get(name) {
            Some(Value::Number(x)) => Some(*x),
            _ => None,
        }
    }

    /// Returns the array of numbers of this name.
    pub fn numbers(&self, name: &str) -> Option<&[f64]> {
        match self.get(name) {
            Some(Value::Numbers(x)) => Some(x),
            _ => None,
        }
    }

    /// Returns the three numbers of this name; a single number stands for all three.
    pub fn three(&self, name: &str) -> Option<[f64; 3]> {
        match self.get(name)? {
            Value::Number(x) => Some([*x; 3]),
            Value::Numbers(x) => x.as_slice().try_into().ok(),
            _ => None,
        }
    }

    /// Returns the word of this name.
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.get(name) {
            Some(Value::Text(x)) => Some(x),
            _ => None,
        }
    }

    /// Returns whether the value of this name is true; `None` if there is none.
    ///
    /// ```
    /// use carom_base::param::Allowed;
    /// use carom_base::{Args, Param, Quantity, Value};
    /// static HULL: [Param; 1] =
    ///     [Param::optional("hull", Quantity::Number, Allowed::Flag, "as it is", "whether its hull is taken")];
    /// let args = Args::new().with("hull", Value::Flag(true)).checked("mesh", &HULL)?;
    /// assert_eq!(args.flag("hull"), Some(true));
    /// assert!(Args::new().with("hull", Value::Number(1.0)).checked("mesh", &HULL).is_err());
    /// # Ok::<(), carom_base::SpecError>(())
    /// ```
    pub fn flag(&self, name: &str) -> Option<bool> {
        match self.get(name) {
            Some(Value::Flag(x)) => Some(*x),
            _ => None,
        }
    }

    /// Returns the region of this name: its smallest and its largest x, y, z.
    pub fn region(&self, name: &str) -> Option<[[f64; 3]; 2]> {
        match self.get(name) {
            Some(Value::Region { min, max }) => Some([*min, *max]),
            _ => None,
        }
    }

    /// Returns the expression of this name.
    pub fn expression(&self, name: &str) -> Option<&Expression> {
        match self.get(name) {
            Some(Value::Expression(x)) => Some(x),
            _ => None,
        }
    }

    /// Returns the expressions of this name.
    pub fn expressions(&self, name: &str) -> Option<&[Expression]> {
        match self.get(name) {
            Some(Value::Expressions(x)) => Some(x),
            _ => None,
        }
    }

    /// Returns the matrix of this name, by its rows.
    pub fn rows(&self, name: &str) -> Option<&[Vec<f64>]> {
        match self.get(name) {
            Some(Value::Rows(x)) => Some(x),
            _ => None,
        }
    }

    /// Returns the table of this name: pairs of a time and a number.
    pub fn table(&self, name: &str) -> Option<&[[f64; 2]]> {
        match self.get(name) {
            Some(Value::Table(x)) => Some(x),
            _ => None,
        }
    }

    /// Returns the names, in the order in which they were given.
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
            Value::Flag(x) => write!(f, "{x}"),
            Value::Region { min, max } => write!(f, "{{ min = {min:?}, max = {max:?} }}"),
            Value::Expression(x) => write!(f, "an expression of {}", x.names().join(", ")),
            Value::Expressions(x) => write!(f, "{} expressions", x.len()),
            Value::Rows(x) => write!(f, "{x:?}"),
            Value::Table(x) => write!(f, "{x:?}"),
        }
    }
}
