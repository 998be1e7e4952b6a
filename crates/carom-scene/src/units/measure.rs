//! The dimension of an expression: arithmetic with dimensions in place of numbers.

use std::ops::{Add, Div, Mul, Neg, Sub};

use carom_base::{Arithmetic, Quantity};

use super::dimension::{ANGLE, Dimension, NONE};

/// What a term of an expression measures. A plain number measures nothing in particular, and may be added to anything: it is in SI units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measure {
    /// `None`: terms that do not go together
    pub dimension: Option<Dimension>,
    /// tells what dimensions do not: a torque from an energy
    pub quantity: Option<Quantity>,
    /// of a plain number
    pub(super) number: Option<f64>,
}

impl Measure {
    /// Of a quantity; `None` for one that is not known.
    pub fn of(quantity: Option<Quantity>) -> Measure {
        Measure { dimension: quantity.map(|q| Dimension::of(q, 0.0)), quantity, number: None }
    }

    /// Of a dimension; `None` for one that is not known.
    pub fn new(dimension: Option<Dimension>) -> Measure {
        Measure { dimension, quantity: None, number: None }
    }

    /// Of values that share an axis: of one dimension, or unknown.
    pub fn common(self, other: Measure) -> Measure {
        match (self.dimension, other.dimension) {
            (Some(a), Some(b)) if a.same(&b) => {
                Measure { quantity: self.quantity.filter(|q| Some(*q) == other.quantity), ..self }
            }
            _ => Measure::new(None),
        }
    }

    /// Of a sum, or of one of two.
    fn with(self, other: Measure) -> Measure {
        match (self.number, other.number) {
            (Some(_), Some(_)) => Measure { number: Some(f64::NAN), ..self },
            (None, Some(_)) => self,
            (Some(_), None) => other,
            _ => self.common(other),
        }
    }

    fn product(self, other: Measure, power: f64) -> Measure {
        match (self.number, other.number) {
            (Some(_), Some(_)) => Measure { number: Some(f64::NAN), ..self },
            (None, Some(_)) => self,
            _ => Measure::new(self.dimension.zip(other.dimension).map(|(a, b)| a.times(&b, power))),
        }
    }

    /// Of a function of angles and plain numbers.
    fn function(self) -> Measure {
        let plain = self.dimension.is_some_and(|d| d.same(&NONE) || d.same(&ANGLE));
        Measure { number: self.number, ..Measure::new(plain.then_some(NONE)) }
    }
}

impl Add for Measure {
    type Output = Measure;
    fn add(self, o: Measure) -> Measure {
        self.with(o)
    }
}
impl Sub for Measure {
    type Output = Measure;
    fn sub(self, o: Measure) -> Measure {
        self.with(o)
    }
}
impl Mul for Measure {
    type Output = Measure;
    fn mul(self, o: Measure) -> Measure {
        if self.number.is_some() { o.product(self, 1.0) } else { self.product(o, 1.0) }
    }
}
impl Div for Measure {
    type Output = Measure;
    fn div(self, o: Measure) -> Measure {
        self.product(o, -1.0)
    }
}
impl Neg for Measure {
    type Output = Measure;
    fn neg(self) -> Measure {
        Measure { number: self.number.map(|x| -x), ..self }
    }
}

impl Arithmetic for Measure {
    fn constant(x: f64) -> Measure {
        Measure { dimension: Some(NONE), quantity: Some(Quantity::Number), number: Some(x) }
    }
    fn single(self) -> Option<f64> {
        self.number
    }
    fn choose(self, a: Measure, b: Measure) -> Measure {
        a.with(b)
    }
    fn power(self, p: Measure) -> Measure {
        match (self.number, p.number) {
            (Some(_), _) => p.function(),
            (None, Some(p)) if p.is_finite() => Measure::new(self.dimension.map(|d| NONE.times(&d, p))),
            _ => Measure::new(self.dimension.filter(|d| d.same(&NONE))),
        }
    }
    fn sqrt(self) -> Measure {
        Measure { number: self.number, ..Measure::new(self.dimension.map(|d| NONE.times(&d, 0.5))) }
    }
    fn abs(self) -> Measure {
        self
    }
    fn exp(self) -> Measure {
        self.function()
    }
    fn ln(self) -> Measure {
        self.function()
    }
    fn sin(self) -> Measure {
        self.function()
    }
    fn cos(self) -> Measure {
        self.function()
    }
    fn tan(self) -> Measure {
        self.function()
    }
    fn atan2(self, x: Measure) -> Measure {
        let quantity = Some(Quantity::Angle).filter(|_| self.with(x).dimension.is_some());
        Measure::of(quantity)
    }
    fn min(self, o: Measure) -> Measure {
        self.with(o)
    }
    fn max(self, o: Measure) -> Measure {
        self.with(o)
    }
}

#[cfg(test)]
mod tests {
    use carom_base::expression::Expression;

    use super::*;

    #[test]
    fn dimensions_follow_expressions() {
        let names = |name: &str| match name {
            "x" | "y" => Some(Quantity::Length),
            "v" => Some(Quantity::Speed),
            "f" => Some(Quantity::Force),
            "m" => Some(Quantity::Torque),
            "e" => Some(Quantity::Energy),
            "phi" => Some(Quantity::Angle),
            _ => None,
        };
        for (text, unit) in [
            ("x - 0.02", "m"),
            ("-2*x/3", "m"),
            ("sqrt(x^2 + y^2)", "m"),
            ("f/x", "kg s^-2"),
            ("max(x, 0)*sin(phi)", "m"),
            ("v^2/(2*9.81)", "m^2 s^-2"),
            ("atan2(y, x)", "rad"),
            ("exp(-x/y)", "no unit"),
            ("x/y - 1", "no unit"),
            ("2^phi", "no unit"),
            ("x + v", "?"),
            ("sin(x)", "?"),
            ("unknown + x", "?"),
            ("x^phi", "?"),
        ] {
            let e = Expression::parse(text).unwrap();
            let values: Vec<Measure> = e.names().iter().map(|n| Measure::of(names(n))).collect();
            let found = e.at(&values).dimension.map_or("?".to_owned(), |d| d.to_string());
            assert_eq!(found, unit, "{text}");
        }
        for (text, quantity) in [
            ("2*m - m", Some(Quantity::Torque)),
            ("e + m", None),
            ("abs(e)", Some(Quantity::Energy)),
            ("f*x", None),
        ] {
            let e = Expression::parse(text).unwrap();
            let values: Vec<Measure> = e.names().iter().map(|n| Measure::of(names(n))).collect();
            assert_eq!(e.at(&values).quantity, quantity, "{text}");
        }
    }
}
