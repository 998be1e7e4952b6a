//! Finds the dimension of an expression, by arithmetic on dimensions instead of numbers.

use std::ops::{Add, Div, Mul, Neg, Sub};

use carom_base::{Arithmetic, Quantity, Sign};

use super::Dimension;

/// The dimension of a term of an expression. A plain number may be added to any term, as a number in SI units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measure {
    /// `None` if it is not known, or if terms of different dimensions were added
    pub dimension: Option<Dimension>,
    /// tells apart quantities of the same dimension, such as torque and energy
    pub quantity: Option<Quantity>,
    /// value, if the term is a plain number
    pub(super) number: Option<f64>,
}

impl Measure {
    /// Returns the measure of a quantity; `None` for an unknown one.
    pub fn of(quantity: Option<Quantity>) -> Measure {
        Measure { dimension: quantity.map(|q| Dimension::of(q, 0.0)), quantity, number: None }
    }

    /// Returns the measure of a dimension; `None` for an unknown one.
    pub fn new(dimension: Option<Dimension>) -> Measure {
        Measure { dimension, quantity: None, number: None }
    }

    /// Returns the measure of values that share an axis; it is unknown unless both have the same dimension.
    pub fn common(self, other: Measure) -> Measure {
        match (self.dimension, other.dimension) {
            (Some(a), Some(b)) if a.same(&b) => {
                Measure { quantity: self.quantity.filter(|q| Some(*q) == other.quantity), ..self }
            }
            _ => Measure::new(None),
        }
    }

    /// Returns the measure of a sum, or of either of two terms (as in `min`).
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

    /// Returns the measure of a function that takes an angle or a plain number.
    fn function(self) -> Measure {
        let plain = self.dimension.is_some_and(|d| d.same(&Dimension::NONE) || d.same(&Dimension::ANGLE));
        Measure { number: self.number, ..Measure::new(plain.then_some(Dimension::NONE)) }
    }

    /// Returns the measure of an angle, if the argument of its function may be one.
    fn angle(self) -> Measure {
        Measure {
            number: self.number,
            ..Measure::of(Some(Quantity::Angle).filter(|_| self.dimension.is_some()))
        }
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
        Measure { dimension: Some(Dimension::NONE), quantity: Some(Quantity::Number), number: Some(x) }
    }
    fn measured(x: f64, dimension: Dimension) -> Measure {
        if dimension.same(&Dimension::NONE) { Measure::constant(x) } else { Measure::new(Some(dimension)) }
    }
    fn single(self) -> Option<f64> {
        self.number
    }
    fn choose(self, a: Measure, b: Measure) -> Measure {
        a.with(b)
    }
    fn sign(self) -> Sign {
        Sign::Either
    }
    fn either(self, o: Measure) -> Measure {
        self.with(o)
    }
    fn between(self, _: f64, _: f64) -> Measure {
        self
    }
    fn cubic(self, _: [f64; 4]) -> Measure {
        Measure::constant(f64::NAN)
    }
    fn power(self, p: Measure) -> Measure {
        match (self.number, p.number) {
            (Some(_), _) => p.function(),
            (None, Some(p)) if p.is_finite() => {
                Measure::new(self.dimension.map(|d| Dimension::NONE.times(&d, p)))
            }
            _ => Measure::new(self.dimension.filter(|d| d.same(&Dimension::NONE))),
        }
    }
    fn sqrt(self) -> Measure {
        Measure {
            number: self.number,
            ..Measure::new(self.dimension.map(|d| Dimension::NONE.times(&d, 0.5)))
        }
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
    fn asin(self) -> Measure {
        self.function().angle()
    }
    fn acos(self) -> Measure {
        self.function().angle()
    }
    fn atan(self) -> Measure {
        self.function().angle()
    }
    fn sinh(self) -> Measure {
        self.function()
    }
    fn cosh(self) -> Measure {
        self.function()
    }
    fn tanh(self) -> Measure {
        self.function()
    }
    fn log10(self) -> Measure {
        self.function()
    }
    fn floor(self) -> Measure {
        self.function()
    }
    fn hypot(self, y: Measure) -> Measure {
        self.with(y)
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
            ("x - 3[mm]", "m"),
            ("x*3[mm]", "m^2"),
            ("if(x > 1, x, 0)*pi", "m"),
            ("tanh(x/y)*hypot(x, y)", "m"),
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
