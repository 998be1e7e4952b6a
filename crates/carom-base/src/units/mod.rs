//! Numbers with units: `"25 mm"`, `"210 GPa"`, `"1e3 N/m^1.5"`.
//!
//! A unit is a product of powers of the units below, with prefixes. Its power of ten is stored apart from the rest, so that
//! `"25 mm"` is the same double as 0.025.
//!
//! ```
//! use carom_base::Quantity;
//! use carom_base::units::{Dimension, parse, parse_any};
//! let length = Dimension::of(Quantity::Length, 0.0);
//! assert_eq!(parse("25 mm", &length), Ok(0.025));
//! assert_eq!(parse("25 kg", &length).unwrap_err().to_string(), "\"25 kg\" is a mass");
//! assert_eq!(parse_any("25 mm"), Ok((0.025, Some(length))));
//! ```

mod dimension;
mod table;
#[cfg(test)]
mod tests;

use carom_portable::elementary::pow;
pub use dimension::Dimension;
use dimension::NONE;
use table::{COMMON, Line, PREFIXES, UNITS};

/// A unit: its dimension, and its value in SI units as `factor` times ten to the `ten`.
#[derive(Clone, Copy, Debug)]
struct Unit {
    dimension: Dimension,
    factor: f64,
    ten: f64,
}

const ONE: Unit = Unit { dimension: NONE, factor: 1.0, ten: 0.0 };

impl Unit {
    fn times(&self, other: &Unit, power: f64) -> Unit {
        Unit {
            dimension: self.dimension.times(&other.dimension, power),
            // most factors are 1, and must remain exactly 1
            factor: if other.factor == 1.0 { self.factor } else { self.factor * pow(other.factor, power) },
            ten: self.ten + other.ten * power,
        }
    }
}

/// An error in a number with a unit.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum UnitError {
    /// the text does not begin with a number
    #[error("\"{0}\" is not a number")]
    NotANumber(String),
    /// a word that is not a unit
    #[error("`{name}` is not a unit")]
    Unknown {
        /// the word
        name: String,
    },
    /// `2 m/` …
    #[error("\"{0}\" is not a unit")]
    Malformed(String),
    /// a unit of the wrong dimension, such as kilograms for a length
    #[error("\"{text}\" is {is}")]
    WrongDimension {
        /// the number with its unit
        text: String,
        /// what it is, in words
        is: String,
    },
}

/// Returns the number in SI units. A number without a unit is in SI units already.
pub fn parse(text: &str, wanted: &Dimension) -> Result<f64, UnitError> {
    let (x, dimension) = parse_any(text)?;
    match dimension {
        Some(d) if !d.same(wanted) => {
            Err(UnitError::WrongDimension { text: text.trim().to_owned(), is: d.noun() })
        }
        _ => Ok(x),
    }
}

/// Returns the number in SI units, and its dimension; `None` if it has no unit, and may have any dimension.
pub fn parse_any(text: &str) -> Result<(f64, Option<Dimension>), UnitError> {
    measured(text.trim())
}

/// Returns the value of a unit in SI units, and its dimension.
///
/// ```
/// assert_eq!(carom_base::units::value_of("km/s").unwrap().0, 1000.0);
/// ```
pub fn value_of(unit: &str) -> Result<(f64, Dimension), UnitError> {
    let unit = expression_unit(unit.trim())?;
    Ok((unit.factor * if unit.ten == 0.0 { 1.0 } else { pow(10f64, unit.ten) }, unit.dimension))
}

/// Returns the number and the unit after it, as written.
pub fn written(text: &str) -> Option<(f64, &str)> {
    let (mantissa, exponent, unit) = split_number(text.trim())?;
    Some((format!("{mantissa}e{exponent}").parse().ok()?, unit.trim()))
}

fn measured(text: &str) -> Result<(f64, Option<Dimension>), UnitError> {
    let not_a_number = || UnitError::NotANumber(text.to_owned());
    let (mantissa, exponent, rest) = split_number(text).ok_or_else(not_a_number)?;
    let expression = rest.trim();
    let unit = match expression {
        "" => ONE,
        _ => expression_unit(expression)?,
    };
    // a whole power of ten moves the decimal point in the text, so that reading it is the only rounding
    let whole = unit.ten.round();
    let shift = if (unit.ten - whole).abs() < 1e-9 && whole.abs() < 300.0 { whole } else { 0.0 };
    let rest = if shift == whole { 1.0 } else { pow(10f64, unit.ten) };
    let exponent = exponent.saturating_add(shift as i32);
    let number: f64 = format!("{mantissa}e{exponent}").parse().map_err(|_| not_a_number())?;
    Ok((number * rest * unit.factor, (!expression.is_empty()).then_some(unit.dimension)))
}

/// Splits off a number: its digits with the decimal point, its exponent of ten, and what follows.
fn split_number(text: &str) -> Option<(String, i32, &str)> {
    let bytes = text.as_bytes();
    let digits = |mut i: usize| {
        while bytes.get(i).is_some_and(|b| b.is_ascii_digit() || *b == b'_') {
            i += 1;
        }
        i
    };
    let sign = |i: usize| i + usize::from(matches!(bytes.get(i), Some(b'+' | b'-')));
    let first = sign(0);
    let mut end = digits(first);
    let mut some = end > first;
    if bytes.get(end) == Some(&b'.') {
        let fraction = digits(end + 1);
        some |= fraction > end + 1;
        end = fraction;
    }
    if !some {
        return None;
    }
    let mantissa = text[..end].replace('_', "");
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let start = sign(end + 1);
        let stop = digits(start);
        if stop > start {
            let exponent = text[end + 1..stop].replace('_', "").parse().ok()?;
            return Some((mantissa, exponent, &text[stop..]));
        }
    }
    Some((mantissa, 0, &text[end..]))
}

/// Reads a unit: products and quotients from left to right, as `N s/m`, `kg*m^2`, `N/(m s)`.
fn expression_unit(text: &str) -> Result<Unit, UnitError> {
    let mut parser = Parser { text, at: 0, depth: 0 };
    let unit = parser.product()?;
    match parser.rest().is_empty() {
        true => Ok(unit),
        false => Err(parser.malformed()),
    }
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

impl<'t> Parser<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn malformed(&self) -> UnitError {
        UnitError::Malformed(self.text.to_owned())
    }

    fn skip_space(&mut self) {
        while let Some(c) = self.peek().filter(|c| c.is_whitespace()) {
            self.at += c.len_utf8();
        }
    }

    fn product(&mut self) -> Result<Unit, UnitError> {
        let one = self.peek() == Some('1');
        let mut unit = self.power()?;
        let mut first = true;
        loop {
            let only_one = one && std::mem::take(&mut first);
            self.skip_space();
            let sign = match self.peek() {
                Some('/') => -1.0,
                Some('*' | '·' | '⋅') => 1.0,
                None | Some(')') => return Ok(unit),
                // (digits in groups, as in `5 111 mm`, are no product)
                Some(c) if only_one || c.is_ascii_digit() => return Err(self.malformed()),
                // a space is a product too
                Some(_) => {
                    unit = unit.times(&self.power()?, 1.0);
                    continue;
                }
            };
            self.at += self.peek().map_or(0, char::len_utf8);
            self.skip_space();
            unit = unit.times(&self.power()?, sign);
        }
    }

    /// Reads a unit, `1` or a product in brackets, to a power.
    fn power(&mut self) -> Result<Unit, UnitError> {
        let unit = match self.peek() {
            Some('(') if self.depth < 8 => {
                self.at += 1;
                self.depth += 1;
                self.skip_space();
                let inner = self.product()?;
                self.depth -= 1;
                if self.peek() != Some(')') {
                    return Err(self.malformed());
                }
                self.at += 1;
                inner
            }
            Some('1') => {
                self.at += 1;
                ONE
            }
            _ => self.name()?,
        };
        let power = self.exponent()?;
        Ok(ONE.times(&unit, power))
    }

    fn name(&mut self) -> Result<Unit, UnitError> {
        let rest = self.rest();
        let is_name = |c: char| (c.is_alphabetic() || c == '°' || c == '%') && !"²³".contains(c);
        let length = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        if length == 0 {
            return Err(self.malformed());
        }
        self.at += length;
        named(&rest[..length])
    }

    fn exponent(&mut self) -> Result<f64, UnitError> {
        let raised = match self.peek() {
            Some('²') => Some(2.0),
            Some('³') => Some(3.0),
            _ => None,
        };
        if let Some(power) = raised {
            self.at += self.peek().map_or(0, char::len_utf8);
            return Ok(power);
        }
        let caret = if self.rest().starts_with("**") { 2 } else { usize::from(self.peek() == Some('^')) };
        if caret == 0 {
            return Ok(1.0);
        }
        self.at += caret;
        let rest = self.rest();
        let length = rest.find(|c: char| !matches!(c, '0'..='9' | '.' | '-' | '+')).unwrap_or(rest.len());
        let power: Option<f64> = rest[..length].parse().ok();
        self.at += length;
        power.filter(|p| p.abs() <= 100.0).ok_or_else(|| self.malformed())
    }
}

fn named(name: &str) -> Result<Unit, UnitError> {
    let find = |name: &str, prefixed: bool| UNITS.iter().find(|u| u.0 == name && (!prefixed || u.4));
    let make =
        |line: &Line, ten: i32| Unit { dimension: line.1, factor: line.2, ten: f64::from(line.3 + ten) };
    if let Some(line) = find(name, false) {
        return Ok(make(line, 0));
    }
    for (prefix, ten) in PREFIXES {
        if let Some(line) = name.strip_prefix(prefix).and_then(|rest| find(rest, true)) {
            return Ok(make(line, *ten));
        }
    }
    Err(UnitError::Unknown { name: name.to_owned() })
}

/// Returns the names of the units of this dimension, for messages.
pub fn examples(wanted: &Dimension) -> Vec<&'static str> {
    let simple = UNITS.iter().map(|u| u.0).chain(COMMON.iter().copied());
    simple.filter(|name| named(name).is_ok_and(|u| u.dimension.same(wanted))).collect()
}

/// Returns the most similar unit of any dimension.
pub fn nearest_of_all(name: &str) -> Option<String> {
    let all: Vec<&str> = COMMON.iter().copied().chain(UNITS.iter().map(|u| u.0)).collect();
    crate::words::nearest(name, &all)
}

/// Returns the unit that was probably meant: one of this dimension with the same length and first letter, else one of this
/// dimension, else any.
pub fn nearest(name: &str, wanted: &Dimension) -> Option<String> {
    let fitting = examples(wanted);
    let alike = |u: &&&str| u.len() == name.len() && u.chars().next() == name.chars().next();
    let twins: Vec<&str> = fitting.iter().filter(alike).copied().collect();
    let all: Vec<&str> = UNITS.iter().map(|u| u.0).chain(COMMON.iter().copied()).collect();
    [twins, fitting, all].iter().find_map(|list| crate::words::nearest(name, list))
}

/// Returns the names of all units and prefixes, for the reference.
pub fn listing() -> (Vec<&'static str>, Vec<&'static str>) {
    (UNITS.iter().map(|u| u.0).collect(), PREFIXES.iter().map(|p| p.0).collect())
}
