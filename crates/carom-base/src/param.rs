//! Declarations of kinds: one table of parameters is used by readers, documentation and error messages.

use std::fmt;

pub use crate::args::{Args, Value};
pub use crate::quantity::Quantity;

/// The values that a parameter may have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Allowed {
    /// any finite number
    Finite,
    /// greater than zero
    Positive,
    /// zero or greater
    NotNegative,
    /// between the two, both included; the second may be infinite
    Between(f64, f64),
    /// greater than the first, at most the second
    Above(f64, f64),
    /// one of these words
    OneOf(&'static [&'static str]),
    /// a box-shaped region of space: the three numbers of `min` are less than those of `max`, all finite
    Region,
    /// an expression of the time `t`
    Expression,
    /// a number, or an expression of the time `t` and of quantities of the state by name
    Signal,
    /// a table: two or more points, each a time and a finite number; the times increase
    Table,
    /// a curve: two or more points, each a number of this quantity and a finite number; the first numbers increase
    Curve(Quantity),
    /// a matrix: rows of finite numbers
    Matrix,
    /// the name of an object that the calling program provides, or of a file
    Name,
    /// true or false
    Flag,
}

impl Allowed {
    /// Returns whether the number is allowed.
    pub fn number(&self, x: f64) -> bool {
        x.is_finite()
            && match *self {
                Allowed::Finite => true,
                Allowed::Positive => x > 0.0,
                Allowed::NotNegative => x >= 0.0,
                Allowed::Between(lo, hi) => (lo..=hi).contains(&x),
                Allowed::Above(lo, hi) => x > lo && x <= hi,
                Allowed::OneOf(_)
                | Allowed::Region
                | Allowed::Expression
                | Allowed::Signal
                | Allowed::Table
                | Allowed::Curve(_)
                | Allowed::Matrix
                | Allowed::Name
                | Allowed::Flag => false,
            }
    }
}

impl fmt::Display for Allowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Allowed::Finite => write!(f, "any finite number"),
            Allowed::Positive => write!(f, "greater than 0"),
            Allowed::NotNegative => write!(f, "0 or greater"),
            Allowed::Between(lo, hi) if hi.is_finite() => write!(f, "from {lo} to {hi}"),
            Allowed::Between(lo, _) => write!(f, "{lo} or greater"),
            Allowed::Above(lo, hi) if hi.is_finite() => write!(f, "above {lo}, up to {hi}"),
            Allowed::Above(lo, _) => write!(f, "above {lo}"),
            Allowed::OneOf(words) => write!(f, "one of {}", words.join(", ")),
            Allowed::Region => {
                write!(f, "`min` and `max` with three finite numbers each, those of `min` less")
            }
            Allowed::Expression => write!(f, "an expression of the time `t`"),
            Allowed::Signal => {
                write!(
                    f,
                    "a number, or an expression of the time `t` and of positions and velocities by name"
                )
            }
            Allowed::Name => write!(f, "a name"),
            Allowed::Flag => write!(f, "true or false"),
            Allowed::Matrix => write!(f, "rows of finite numbers"),
            Allowed::Curve(_) => {
                write!(f, "two points [x, value] or more, of finite numbers, x increasing")
            }
            Allowed::Table => {
                write!(f, "two points [t, value] or more, of finite numbers, their times increasing")
            }
        }
    }
}

/// Whether a parameter must be given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Presence {
    /// must be given
    Required,
    /// may be left out; then it is this number
    Default(f64),
    /// may be left out; then it is this word
    DefaultText(&'static str),
    /// may be left out; the text says what then happens
    Optional(&'static str),
}

/// One parameter of a kind.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// the key in a scene
    pub name: &'static str,
    /// its dimension
    pub quantity: Quantity,
    /// number of values: 1, or the length of the array
    pub length: usize,
    /// whether it is a list of any number of such arrays
    pub list: bool,
    /// whether a single number may be given for all entries of an array
    pub alike: bool,
    /// the values it takes
    pub allowed: Allowed,
    /// required, or what it is when left out
    pub presence: Presence,
    /// its meaning, in one line
    pub doc: &'static str,
}

impl Param {
    /// Declares a required number.
    pub const fn required(
        name: &'static str,
        quantity: Quantity,
        allowed: Allowed,
        doc: &'static str,
    ) -> Param {
        Param {
            name,
            quantity,
            length: 1,
            list: false,
            alike: false,
            allowed,
            presence: Presence::Required,
            doc,
        }
    }

    /// Declares a number with a default.
    pub const fn default(
        name: &'static str,
        quantity: Quantity,
        allowed: Allowed,
        value: f64,
        doc: &'static str,
    ) -> Param {
        Param { presence: Presence::Default(value), ..Param::required(name, quantity, allowed, doc) }
    }

    /// Declares a number that may be left out; `absent` says what happens then.
    pub const fn optional(
        name: &'static str,
        quantity: Quantity,
        allowed: Allowed,
        absent: &'static str,
        doc: &'static str,
    ) -> Param {
        Param { presence: Presence::Optional(absent), ..Param::required(name, quantity, allowed, doc) }
    }

    /// Declares a word with a default.
    pub const fn word(
        name: &'static str,
        words: &'static [&'static str],
        value: &'static str,
        doc: &'static str,
    ) -> Param {
        let presence = Presence::DefaultText(value);
        Param { presence, ..Param::required(name, Quantity::Number, Allowed::OneOf(words), doc) }
    }

    /// Declares a word that may be left out; `absent` says what happens then.
    pub const fn optional_word(
        name: &'static str,
        words: &'static [&'static str],
        absent: &'static str,
        doc: &'static str,
    ) -> Param {
        Param { presence: Presence::Optional(absent), ..Param::word(name, words, "", doc) }
    }

    /// Declares a region of space [m] that may be left out; `absent` says what happens then.
    pub const fn region(name: &'static str, absent: &'static str, doc: &'static str) -> Param {
        Param::optional(name, Quantity::Length, Allowed::Region, absent, doc)
    }

    /// Makes the parameter an array of `n` numbers.
    pub const fn array(mut self, n: usize) -> Param {
        self.length = n;
        self
    }

    /// Allows a single number for all entries of the array.
    ///
    /// ```
    /// use carom_base::param::Allowed;
    /// use carom_base::{Args, Param, Quantity, Value};
    /// static STIFFNESS: [Param; 1] =
    ///     [Param::required("k", Quantity::LinearStiffness, Allowed::NotNegative, "of springs").array(3).or_alike()];
    /// assert!(Args::new().with("k", Value::Number(5.0)).checked("bed", &STIFFNESS).is_ok()); // [N/m]
    /// assert!(Args::new().with("k", Value::Numbers(vec![5.0; 2])).checked("bed", &STIFFNESS).is_err());
    /// ```
    pub const fn or_alike(mut self) -> Param {
        self.alike = true;
        self
    }

    /// Makes the parameter a list of any number of such arrays; its value has all their numbers one after the other.
    ///
    /// ```
    /// use carom_base::param::Allowed;
    /// use carom_base::{Args, Param, Quantity, Value};
    /// static POINTS: [Param; 1] =
    ///     [Param::required("points", Quantity::Length, Allowed::Finite, "points in space").array(3).list()];
    /// let given = |n: usize| Args::new().with("points", Value::Numbers(vec![0.0; n])); // [m]
    /// assert!(given(6).checked("path", &POINTS).is_ok());
    /// assert!(given(7).checked("path", &POINTS).is_err());
    /// ```
    pub const fn list(mut self) -> Param {
        self.list = true;
        self
    }
}

/// The reason why given values do not fit a kind.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SpecError {
    /// the kind has no parameter of this name
    #[error("{kind} has no `{name}`; it has {}", allowed.join(", "))]
    UnknownName {
        /// the kind
        kind: &'static str,
        /// the name given
        name: String,
        /// the names it knows
        allowed: Vec<&'static str>,
    },
    /// a required value is missing
    #[error("{kind} needs `{name}`: {doc}")]
    Missing {
        /// the kind
        kind: &'static str,
        /// the missing name
        name: &'static str,
        /// what it means
        doc: &'static str,
    },
    /// a value is out of range
    #[error("{kind}: `{name}` is {value}; allowed: {allowed}")]
    NotAllowed {
        /// the kind
        kind: &'static str,
        /// the parameter
        name: &'static str,
        /// the value given
        value: String,
        /// what is allowed
        allowed: String,
    },
    /// two values exclude each other, or one of several must be given
    #[error("{kind}: {what}")]
    Conflict {
        /// the kind
        kind: &'static str,
        /// the conflict, in words
        what: &'static str,
    },
}

impl Args {
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
        (Value::Flag(_), 1) => param.allowed == Allowed::Flag,
        (Value::Region { min, max }, 1) => {
            let in_order = min.iter().zip(max).all(|(min, max)| min < max && (max - min).is_finite());
            param.allowed == Allowed::Region && in_order
        }
        (Value::Expression(_), 1) => param.allowed == Allowed::Expression,
        (Value::Expressions(x), n) => param.allowed == Allowed::Signal && x.len() == n,
        (Value::Rows(rows), 1) => {
            param.allowed == Allowed::Matrix && rows.iter().flatten().all(|x| x.is_finite())
        }
        (Value::Table(points), 1) => {
            let finite = points.iter().all(|p| p.iter().all(|x| x.is_finite()));
            let in_order = points.len() > 1 && points.windows(2).all(|w| w[0][0] < w[1][0]);
            matches!(param.allowed, Allowed::Table | Allowed::Curve(_)) && finite && in_order
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

/// A kind in a registry: its name, a summary, its parameters, and the function that creates it.
pub struct Entry<T> {
    /// the name used in a scene
    pub name: &'static str,
    /// a description in one line
    pub summary: &'static str,
    /// its parameters
    pub params: &'static [Param],
    /// creates an instance from checked values
    pub build: fn(&Args) -> Result<T, SpecError>,
}

impl<T> Entry<T> {
    /// Checks the values and creates an instance.
    pub fn make(&self, args: &Args) -> Result<T, SpecError> {
        (self.build)(&args.checked(self.name, self.params)?)
    }
}
