//! The dimension of an expression, from those of its names.

use super::function::{One, Two};
use super::term::{Form, Term};
use super::{Expression, ExpressionError};
use crate::units::Dimension;

/// Returns the dimension of an expression, given those of its names; `None` stands for any dimension: that of a number
/// without a unit, and of a product with one; and that of a plain number by a function, as of `sign(x)`, which leaves the
/// dimension of what it multiplies as it is. An angle is a plain number: rad is 1.
///
/// | part | rule |
/// |---|---|
/// | sums, `min`, `max`, `hypot`, `mod`, both values of `if` and `step`, comparisons | all have the same dimension |
/// | products, quotients, `sqrt`, powers with a number as exponent | exponents of units add up |
/// | `sin`, `exp`, `log`, `floor` and the like | of a plain number or an angle, and a plain number |
/// | `sign` | of anything, and a plain number |
/// | `asin`, `acos`, `atan`, `atan2` | an angle |
/// | tables | x as their first numbers, and a value as their second |
///
/// The error names the parts of the expression that disagree.
///
/// ```
/// use carom_base::Quantity;
/// use carom_base::expression::{Expression, dimension_of};
/// use carom_base::units::Dimension;
/// let of = |text: &str| {
///     let names = |name: &str| match name {
///         "x" => Some(Dimension::of(Quantity::Length, 0.0)),
///         "m" => Some(Dimension::of(Quantity::Mass, 0.0)),
///         _ => None,
///     };
///     dimension_of(&Expression::parse(text)?, names)
/// };
/// assert_eq!(of("sqrt(x^2 + 3[mm]*x)")?.map(|d| d.to_string()), Some("m".to_owned()));
/// assert_eq!(of("9.81*m")?, None);
/// assert_eq!(of("-sign(x)")?, None);
/// assert_eq!(of("-sign(x)*m")?.map(|d| d.to_string()), Some("kg".to_owned()));
/// let error = of("2 + x - m").unwrap_err();
/// assert_eq!(error.message, "`x` is a length in m, and `m` is a mass in kg: they cannot be added");
/// assert_eq!(error.at, 8);
/// # Ok::<(), carom_base::expression::ExpressionError>(())
/// ```
pub fn dimension_of(
    expression: &Expression,
    name: impl Fn(&str) -> Option<Dimension>,
) -> Result<Option<Dimension>, ExpressionError> {
    let names = expression.names.iter().map(|n| name(n)).collect();
    let dimensions = Dimensions { expression, names };
    Ok(match dimensions.of(&expression.root)? {
        Kind::Any | Kind::Number => None,
        Kind::Is(dimension) => Some(dimension),
    })
}

/// What is known of the dimension of a part.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// nothing: it may have any
    Any,
    /// a plain number by a function: in a sum and by itself it goes with any dimension, as a number that is written does; in
    /// a product it leaves that of the others as it is
    Number,
    Is(Dimension),
}

impl Kind {
    /// Returns the dimension of its product with the power of another.
    fn times(self, other: Kind, power: f64) -> Kind {
        match (self, other) {
            (Kind::Any, _) | (_, Kind::Any) => Kind::Any,
            (Kind::Is(a), Kind::Is(b)) => Kind::Is(a.times(&b, power)),
            (Kind::Number, Kind::Is(b)) => Kind::Is(Dimension::NONE.times(&b, power)),
            (kind, Kind::Number) => kind,
        }
    }
}

type Found = Result<Kind, ExpressionError>;

struct Dimensions<'e> {
    expression: &'e Expression,
    /// of the names
    names: Vec<Option<Dimension>>,
}

impl Dimensions<'_> {
    fn of(&self, term: &Term) -> Found {
        match &term.form {
            Form::Number(_) => Ok(Kind::Any),
            Form::Measured(_, dimension) => Ok(Kind::Is(*dimension)),
            Form::Name(i) => Ok(self.names.get(*i).copied().flatten().map_or(Kind::Any, Kind::Is)),
            Form::One(f, a) => self.one(*f, a),
            Form::Two(f, ab) => self.two(*f, ab),
            Form::Chain(first, rest) => self.chain(first, rest),
            Form::If(b) => {
                self.of(&b.condition)?;
                self.same([&b.yes, &b.no], "they cannot be values of one quantity")
            }
            Form::Step(p) => {
                self.same([&p[0], &p[1], &p[3]], "they cannot be compared")?;
                self.same([&p[2], &p[4]], "they cannot be values of one quantity")
            }
            Form::Pulse(p) => {
                let x = p.iter().enumerate().filter(|(i, _)| *i != 3).map(|(_, t)| t);
                self.same(x, "they cannot be compared")?;
                p.get(3).map_or(Ok(Kind::Any), |height| self.of(height))
            }
            Form::Table(t) => {
                let x = std::iter::once(&t.x).chain(t.points.iter().map(|p| &p[0]));
                self.same(x, "they cannot be compared")?;
                self.same(t.points.iter().map(|p| &p[1]), "they cannot be values of one quantity")
            }
            Form::Compare(_, ab) => self.same(ab.iter(), "they cannot be compared").map(|_| Kind::Any),
            Form::All(parts) | Form::Any(parts) => {
                parts.iter().try_for_each(|part| self.of(part).map(|_| ())).map(|()| Kind::Any)
            }
            Form::Not(a) => self.of(a),
        }
    }

    /// Returns the dimension that all terms have.
    fn same<'t>(&self, terms: impl IntoIterator<Item = &'t Term>, otherwise: &str) -> Found {
        let (mut found, mut otherwise_any): (Option<(&Term, Dimension)>, _) = (None, false);
        for term in terms {
            let kind = self.of(term)?;
            otherwise_any |= kind == Kind::Any;
            let Kind::Is(dimension) = kind else { continue };
            match found {
                None => found = Some((term, dimension)),
                Some((first, other)) if !other.same_but_angles(&dimension) => {
                    let [a, b] = [self.described(first, &other), self.described(term, &dimension)];
                    return Err(self.wrong(term, format!("{a}, and {b}: {otherwise}")));
                }
                _ => {}
            }
        }
        Ok(match found {
            Some((_, dimension)) => Kind::Is(dimension),
            None if otherwise_any => Kind::Any,
            None => Kind::Number,
        })
    }

    fn chain(&self, first: &Term, rest: &[(Two, Term)]) -> Found {
        if rest.iter().any(|(f, _)| matches!(f, Two::Plus | Two::Minus)) {
            return self
                .same(std::iter::once(first).chain(rest.iter().map(|r| &r.1)), "they cannot be added");
        }
        let mut product = self.of(first)?;
        for (f, term) in rest {
            let power = if *f == Two::Over { -1.0 } else { 1.0 };
            let dimension = self.of(term)?;
            product = product.times(dimension, power);
        }
        Ok(product)
    }

    fn one(&self, f: One, a: &Term) -> Found {
        match f {
            One::Minus | One::Abs => self.of(a),
            One::Sqrt => Ok(Kind::Number.times(self.of(a)?, 0.5)),
            One::Sign => self.of(a).map(|_| Kind::Number),
            One::Asin | One::Acos | One::Atan => self.plain(f, a).map(|()| Kind::Is(Dimension::ANGLE)),
            _ => self.plain(f, a).map(|()| Kind::Number),
        }
    }

    /// Accepts a plain number or an angle as the argument of a function.
    fn plain(&self, f: One, a: &Term) -> Result<(), ExpressionError> {
        match self.of(a)? {
            Kind::Is(d) if !d.same_but_angles(&Dimension::NONE) => {
                let name = One::NAMED.iter().find(|(_, g)| *g == f).map_or("", |n| n.0);
                let (is, text) = (self.described(a, &d), self.expression.part(a.span));
                let whole = if matches!(a.form, Form::Name(_) | Form::Measured(..)) {
                    text.to_owned()
                } else {
                    format!("({text})")
                };
                let hint = format!("divide it by its unit, as in {whole}/1[{}]", d.unit());
                Err(self.wrong(a, format!("{is}, but `{name}` takes a number or an angle: {hint}")))
            }
            _ => Ok(()),
        }
    }

    fn two(&self, f: Two, ab: &[Term; 2]) -> Found {
        match f {
            Two::Power => self.power(&ab[0], &ab[1]),
            Two::Atan2 => {
                self.same(ab, "they need the same unit")?;
                Ok(Kind::Is(Dimension::ANGLE))
            }
            Two::Hypot => self.same(ab, "they need the same unit"),
            _ => self.same(ab, "they cannot be compared"),
        }
    }

    fn power(&self, base: &Term, exponent: &Term) -> Found {
        if let Kind::Is(d) = self.of(exponent)?
            && !d.same_but_angles(&Dimension::NONE)
        {
            let is = self.described(exponent, &d);
            return Err(self.wrong(exponent, format!("{is}, but an exponent is a number")));
        }
        match self.of(base)? {
            Kind::Is(d) if !exponent.has_names() => {
                Ok(Kind::Is(Dimension::NONE.times(&d, exponent.constant())))
            }
            Kind::Is(d) if !d.same_but_angles(&Dimension::NONE) => {
                let is = self.described(base, &d);
                Err(self.wrong(exponent, format!("{is}: its exponent must be a given number")))
            }
            other => Ok(other),
        }
    }

    /// Names a part of the expression, and what it is.
    fn described(&self, term: &Term, dimension: &Dimension) -> String {
        format!("`{}` is {}", self.expression.part(term.span), dimension.described())
    }

    fn wrong(&self, term: &Term, message: String) -> ExpressionError {
        ExpressionError { message, at: term.span.from }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Quantity;

    fn of(text: &str) -> Result<String, String> {
        let quantity = |name: &str| match name {
            "x" | "y" => Some(Quantity::Length),
            "m" => Some(Quantity::Mass),
            "v" => Some(Quantity::Speed),
            "f" => Some(Quantity::Force),
            "t" => Some(Quantity::Time),
            "phi" => Some(Quantity::Angle),
            "omega" => Some(Quantity::AngularSpeed),
            "k" => Some(Quantity::TorsionStiffness),
            _ => None,
        };
        let e = Expression::parse(text).map_err(|e| e.message)?;
        let found = dimension_of(&e, |name| quantity(name).map(|q| Dimension::of(q, 0.0)));
        found.map(|d| d.map_or("any".to_owned(), |d| d.to_string())).map_err(|e| e.message)
    }

    #[test]
    fn dimensions_follow_from_names() {
        for (text, unit) in [
            ("x + 0.02", "m"),
            ("2*x", "any"),
            ("-x + y", "m"),
            ("f/x", "kg s^-2"),
            ("sqrt(x^2 + y^2)", "m"),
            ("hypot(x, y) - abs(x)", "m"),
            ("m*9.81", "any"),
            ("m*9.81[m/s^2]", "kg m s^-2"),
            ("m*v^2/2[m/m]", "kg m^2 s^-2"),
            ("pi*x^2", "m^2"),
            ("atan2(y, x) + phi", "rad"),
            ("asin(x/y) + 1", "rad"),
            ("k*phi", "kg m^2 s^-2"),
            ("sin(omega*t)*x", "m"),
            ("x^0.5*y^(1/2)", "m"),
            ("exp(-x/y)*t", "s"),
            ("2^phi", "any"),
            ("(x/y)^phi", "no unit"),
            ("if(x > y and t < 3, v*t, x)", "m"),
            ("if(x > 0, 1, x)", "m"),
            ("sign(x)*t", "s"),
            ("t/exp(phi)", "s"),
            ("1/t*sin(phi)", "any"),
            ("sin(phi)/t", "s^-1"),
            ("sin(phi)*cos(phi)*x", "m"),
            // a plain number by a function goes with any, as one that is written does
            ("-sign(x)", "any"),
            ("-2*sign(x)", "any"),
            ("sign(x) + f", "kg m s^-2"),
            ("f + 2*sign(x)", "kg m s^-2"),
            ("sqrt(exp(phi))*t", "s"),
            ("tanh(phi)^2*t", "s"),
            ("if(x > 0, sin(phi), f)", "kg m s^-2"),
            ("max(sign(x), cos(phi))*t", "s"),
            // but a ratio, and an angle, have a unit that is known
            ("x/y", "no unit"),
            ("x/y + sign(t)", "no unit"),
            ("phi*sign(x)", "rad"),
            ("step(t, 0, 0, 1[s], f)", "kg m s^-2"),
            ("pulse(t, 0, 1, f, 2[s])", "kg m s^-2"),
            ("linear(x, 0, 0, 3[mm], f)", "kg m s^-2"),
            ("mod(t, 2)", "s"),
            ("max(x, 0)/y", "no unit"),
            ("unknown + x", "m"),
            ("20[rpm]*t", "rad"),
        ] {
            assert_eq!(of(text), Ok(unit.to_owned()), "{text}");
        }
    }

    #[test]
    fn parts_that_disagree_are_named() {
        for (text, message) in [
            (
                "x*f + k*phi + y",
                "`x*f` is an energy or a torque in N m, and `y` is a length in m: they cannot be added",
            ),
            ("x - v*t*t", "`x` is a length in m, and `v*t*t` is in m s: they cannot be added"),
            (
                "sin(t)",
                "`t` is a time in s, but `sin` takes a number or an angle: divide it by its unit, as in t/1[s]",
            ),
            ("if(x > t, 1, 2)", "`x` is a length in m, and `t` is a time in s: they cannot be compared"),
            (
                "if(1 > 2, x, t)",
                "`x` is a length in m, and `t` is a time in s: they cannot be values of one quantity",
            ),
            ("max(x, m)", "`x` is a length in m, and `m` is a mass in kg: they cannot be compared"),
            (
                "phi + f*sign(x)",
                "`phi` is an angle in rad, and `f*sign(x)` is a force in N: they cannot be added",
            ),
            ("2^x", "`x` is a length in m, but an exponent is a number"),
            ("x^phi", "`x` is a length in m: its exponent must be a given number"),
            ("atan2(x, t)", "`x` is a length in m, and `t` is a time in s: they need the same unit"),
            (
                "step(x, 0, 0, 3[s], 1)",
                "`x` is a length in m, and `3[s]` is a time in s: they cannot be compared",
            ),
            (
                "linear(x, 0, 1[N], 1, 2[m])",
                "`1[N]` is a force in N, and `2[m]` is a length in m: they cannot be values of one quantity",
            ),
            ("x + 3[mn]", "`mn` is not a unit; did you mean `mN`?"),
            ("x + 3[mm", "`]` is missing"),
        ] {
            assert_eq!(of(text), Err(message.to_owned()), "{text}");
        }
    }

    /// A number with a unit is the same double as in SI units.
    #[test]
    fn numbers_with_units() -> Result<(), ExpressionError> {
        for (text, x) in [("25[mm]", 0.025), ("7.5 [ms] + 1[s]", 1.0075), ("2[m]^2", 4.0), ("1e3[N/mm]", 1e6)]
        {
            assert_eq!(Expression::parse(text)?.at::<f64>(&[]), x, "{text}");
        }
        let e = Expression::parse("a + x")?
            .with_units(|name| (name == "a").then_some((2.0, Some(Dimension::TIME))));
        let length = Dimension::of(Quantity::Length, 0.0);
        assert_eq!((e.names(), e.at(&[3.0])), (&["x".to_owned()][..], 5.0));
        let error = dimension_of(&e, |_| Some(length)).map_err(|e| e.message);
        assert_eq!(
            error,
            Err("`a` is a time in s, and `x` is a length in m: they cannot be added".to_owned())
        );
        Ok(())
    }
}
