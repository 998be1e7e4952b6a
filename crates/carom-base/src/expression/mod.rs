//! Arithmetic expressions in text form: `diameter + gap`, `sqrt(ball.x^2 + ball.y^2)`.
//!
//! | what | how |
//! |---|---|
//! | numbers | `2`, `0.5`, `1e-3` |
//! | names | letters, digits, `_`, `.` and `~`, beginning with a letter; `pi` is known everywhere |
//! | other names | in quotes, in whole or in part: `'ball/sphere1~floor/plane1'.fn`, `"link-2".x` |
//! | operations | `+ - * / ^` and parentheses; `^` has the highest precedence and is right-associative, so −2^2 is −4 |
//! | functions | `sqrt`, `abs`, `exp`, `log`, `sin`, `cos`, `tan`, `atan2(y, x)`, `min(a, b)`, `max(a, b)` |
//!
//! The names are collected when the text is parsed. Their values are given as numbers, in the order of
//! [`Expression::names`], when the expression is evaluated: once for a parameter of a scene, once per output time for a
//! curve of a figure.

mod read;
mod term;

use crate::Arithmetic;
use read::Reader;
use term::Term;

/// A syntax error in an expression.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ExpressionError {
    /// what is wrong
    pub message: String,
    /// position of the error, in bytes from the beginning of the text
    pub at: usize,
}

/// A parsed expression.
///
/// ```
/// use carom_base::expression::Expression;
/// let e = Expression::parse("2*(diameter + gap) - 1")?;
/// assert_eq!(e.names(), ["diameter", "gap"]);
/// assert_eq!(e.at(&[0.5, 0.25]), 0.5);
/// assert_eq!(Expression::parse("2 +").unwrap_err().at, 3);
/// # Ok::<(), carom_base::expression::ExpressionError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    names: Vec<String>,
    root: Term,
}

impl Expression {
    /// Parses a text.
    pub fn parse(text: &str) -> Result<Expression, ExpressionError> {
        let mut reader = Reader::new(text);
        let root = reader.whole()?;
        Ok(Expression { names: reader.names, root })
    }

    /// Returns an expression that is a single number.
    pub fn constant(x: f64) -> Expression {
        Expression { names: Vec::new(), root: Term::Number(x) }
    }

    /// The names that occur in it, each once.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns whether it is a single name.
    pub fn is_name(&self) -> bool {
        matches!(self.root, Term::Name(_))
    }

    /// Evaluates the expression; `values` are the values of the names, in the order of [`names`](Self::names) (NaN is
    /// used for missing ones). With [`Jet`](crate::Jet)s the result has time derivatives, with [`Range`](crate::Range)s
    /// it has bounds:
    ///
    /// ```
    /// use carom_base::{Jet, Range, expression::Expression};
    /// let e = Expression::parse("t*sin(t)")?;
    /// assert_eq!(e.at(&[Jet::time(2.0)]).rate, 2f64.sin() + 2.0 * 2f64.cos());
    /// assert!(e.at(&[Range::new(0.0, 2.0)]).hi < 2.01);
    /// # Ok::<(), carom_base::expression::ExpressionError>(())
    /// ```
    pub fn at<N: Arithmetic>(&self, values: &[N]) -> N {
        self.root.value(values)
    }

    /// Returns the expression with numbers in place of the names for which `value` gives one.
    ///
    /// ```
    /// use carom_base::expression::Expression;
    /// let e = Expression::parse("a*sin(w*t)")?.with(|name| (name != "t").then_some(2.0));
    /// assert_eq!(e.names(), ["t"]);
    /// assert_eq!(e.at(&[1.0]), 2.0 * 2f64.sin());
    /// # Ok::<(), carom_base::expression::ExpressionError>(())
    /// ```
    pub fn with(&self, value: impl Fn(&str) -> Option<f64>) -> Expression {
        let values: Vec<Option<f64>> = self.names.iter().map(|name| value(name)).collect();
        let left = |i: usize| values[..i].iter().filter(|v| v.is_none()).count();
        let root = self.root.replaced(&|i| values[i].map_or_else(|| Term::Name(left(i)), Term::Number));
        let kept = self.names.iter().zip(&values).filter(|(_, v)| v.is_none());
        Expression { names: kept.map(|(name, _)| name.clone()).collect(), root }
    }

    /// Returns the expressions whose signs select the branches of `abs`, `min` and `max`: where one of them changes its
    /// sign, this expression has a kink.
    ///
    /// ```
    /// use carom_base::expression::Expression;
    /// let e = Expression::parse("abs(sin(t)) + max(t, 1)")?;
    /// let [a, b] = e.switches().try_into().map_err(|_| "two").unwrap();
    /// assert_eq!((a.at(&[0.0]), b.at(&[3.0])), (0.0, 2.0));
    /// # Ok::<(), carom_base::expression::ExpressionError>(())
    /// ```
    pub fn switches(&self) -> Vec<Expression> {
        let mut all = Vec::new();
        self.root.switches(&mut all);
        all.into_iter().map(|root| Expression { names: self.names.clone(), root }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Jet, Range};

    #[test]
    fn as_on_paper() -> Result<(), ExpressionError> {
        for (text, expected) in [
            ("1 + 2*3", 7.0),
            ("(1 + 2)*3", 9.0),
            ("8/4/2", 1.0),
            ("1 - 2 - 3", -4.0),
            ("-2^2", -4.0),
            ("2^3^2", 512.0),
            ("2^-1", 0.5),
            ("2*-3", -6.0),
            ("1e-3 + .5e1", 5.001),
            ("sqrt(3)/2", 3f64.sqrt() / 2.0),
            ("atan2(1, 1)", std::f64::consts::FRAC_PI_4),
            ("max(min(3, 2), abs(-1)) + cos(pi)", 1.0),
        ] {
            assert_eq!(Expression::parse(text)?.at::<f64>(&[]), expected, "{text}");
        }
        let e = Expression::parse("'a-b/c~d'.fn - \"a-b/c~d.fn\"/2 + a~b.fn")?;
        assert_eq!(e.names(), ["a-b/c~d.fn", "a~b.fn"]);
        assert_eq!(e.at(&[4.0, 1.0]), 3.0);
        let e = Expression::parse("b.x - a*b.x")?;
        assert_eq!((e.names().len(), e.at(&[3.0, 2.0])), (2, -3.0));
        assert!(e.at::<f64>(&[]).is_nan());
        Ok(())
    }

    /// Compares first and second derivatives with differences, and checks that all values are within their bounds.
    #[test]
    fn jets_and_bounds() -> Result<(), ExpressionError> {
        for text in [
            "3 - 2*t + t^2/2 - t^3",
            "sqrt(1 + t^2)*exp(-t/3)",
            "log(2 + sin(3*t))/(1 + t^2)",
            "cos(t)^3 - tan(t/4)",
            "atan2(sin(t), 2 + cos(t))",
            "(2 + cos(t))^(t/2)",
            "abs(t - 1)*(t - 1)^2 + max(0, t - 1)^3 - min(t^2, 4*t)",
            "(1 + t)^-2 + t^1.5",
            "0.01*sin(40*t)",
        ] {
            let e = Expression::parse(text)?;
            let whole = e.at(&[Jet::time(Range::new(0.2, 1.7))]);
            for t in [0.3, 0.73, 1.2, 1.65] {
                let x = e.at(&[Jet::time(t)]);
                assert_eq!(x.value, e.at(&[t]), "{text}");
                let h = 1e-4;
                let [before, after] = [t - h, t + h].map(|t| e.at(&[Jet::time(t)]));
                let scale = 1.0 + whole.second.magnitude();
                assert!((x.rate - (after.value - before.value) / (2.0 * h)).abs() < 1e-4 * scale, "{text}");
                assert!((x.second - (after.rate - before.rate) / (2.0 * h)).abs() < 1e-3 * scale, "{text}");
                let around = e.at(&[Jet::time(Range::new(t - 0.1, t + 0.05))]);
                for (x, range, around) in [
                    (x.value, whole.value, around.value),
                    (x.rate, whole.rate, around.rate),
                    (x.second, whole.second, around.second),
                ] {
                    assert!(range.is_bounded() && range.contains(x), "{text} at {t}: {x} in {range:?}");
                    assert!(around.contains(x), "{text} at {t}: {x} in {around:?}");
                }
            }
        }
        Ok(())
    }

    #[test]
    fn what_is_wrong_and_where() {
        for (text, at, message) in [
            ("", 0, "a number or a name is missing"),
            ("2 +", 3, "a number or a name is missing"),
            ("2 3", 2, "`3` does not belong here"),
            ("(1", 2, "`)` is missing"),
            ("1.2.3", 0, "`1.2.3` is not a number"),
            ("2 * %", 4, "`%` where a number or a name belongs"),
            ("max(1)", 5, "`,` is missing"),
            ("1 + 'a.x", 8, "`'` is missing"),
            ("'sin'(2)", 5, "`(` does not belong here"),
        ] {
            let e = Expression::parse(text).err();
            assert_eq!(e, Some(ExpressionError { message: message.to_owned(), at }), "{text}");
        }
        let e = Expression::parse("1 + sine(2)").map_err(|e| (e.at, e.message));
        assert!(e.is_err_and(|(at, m)| at == 4 && m.starts_with("there is no function `sine`")));
        assert!(Expression::parse(&"(".repeat(100_000)).is_err());
        assert!(Expression::parse(&"-".repeat(100_000)).is_err());
    }
}
