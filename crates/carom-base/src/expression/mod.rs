//! Arithmetic expressions in text form: `diameter + gap`, `sqrt(ball.x^2 + ball.y^2)`.
//!
//! | what | how |
//! |---|---|
//! | numbers | `2`, `0.5`, `1e-3`; with a unit in brackets `3[mm]`, `9.81[m/s^2]`; without one they are in SI units, and go with any unit ([`dimension_of`]) |
//! | names | letters, digits, `_`, `.` and `~`, beginning with a letter; `pi` is known everywhere |
//! | other names | in quotes, in whole or in part: `'ball/sphere1~floor/plane1'.fn`, `"link-2".x` |
//! | operations | `+ - * / ^` and parentheses; `^` has the highest precedence and is right-associative, so −2^2 is −4 |
//! | functions | `sqrt`, `abs`, `sign` (−1, 0 or 1), `exp`, `log` (natural), `log10`, `sin`, `cos`, `tan`, `asin`, `acos`, `atan`, `atan2(y, x)`, `sinh`, `cosh`, `tanh`, `hypot(a, b)`, `min(a, b)`, `max(a, b)`, `floor`, `ceil`, `mod(a, b)` (from 0 to b, as a − b floor(a/b)) |
//! | cases | `if(condition, a, b)`: a where the condition holds, else b; the other is not evaluated |
//! | conditions | `< <= > >= == !=`, joined by `and`, `or`, `not`; a condition is no number |
//! | a smooth step | `step(x, x0, h0, x1, h1)`: h0 before x0, h1 after x1, and between them h0 + (h1 − h0) s² (3 − 2 s) with s = (x − x0)/(x1 − x0) |
//! | a rectangular pulse | `pulse(x, start, width, height)`: the height where start ≤ x < start + width, else 0; with a fifth argument, the period, it is repeated for ever after |
//! | tables | `linear(x, x0, y0, x1, y1, …)`: straight lines through the points; `spline(…)`: the cubic spline with not-a-knot ends ([`spline_seconds`]); `monotone(…)`: a smooth curve that does not overshoot ([`monotone_slopes`]) |
//!
//! Tables are constant before the first point and after the last. Their points are numbers and names that
//! [`with`](Expression::with) replaces by numbers. Of two quantities that change, `==` is true for single instants only, and
//! not seen by what steps through time: [`smooth_pieces`](Expression::smooth_pieces) refuses it, so it is for parameters
//! and for numbers that are recorded.
//!
//! The names are collected when the text is parsed. Their values are given as numbers, in the order of
//! [`Expression::names`], when the expression is evaluated: once for a parameter of a scene, once per output time for a
//! curve of a figure.
//!
//! [`spline_seconds`]: crate::interpolation::spline_seconds
//! [`monotone_slopes`]: crate::interpolation::monotone_slopes

mod switch;
mod function;
mod table;
mod term;
mod value;
mod read;
mod call;
mod dimension;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::Arithmetic;
use crate::units::Dimension;
pub use dimension::dimension_of;
use read::Reader;
use switch::Sides;
pub use switch::{Side, Switch};
use term::{Form, Span, Term};

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
/// let e = Expression::parse("if(x > 1 and x <= 2, linear(x, 1, 0, 2, 10), 0)")?;
/// assert_eq!((e.at(&[1.5]), e.at(&[3.0])), (5.0, 0.0));
/// assert_eq!(Expression::parse("2 +").unwrap_err().at, 3);
/// # Ok::<(), carom_base::expression::ExpressionError>(())
/// ```
#[derive(Clone)]
pub struct Expression {
    names: Arc<[String]>,
    root: Term,
    text: Arc<str>,
}

impl std::fmt::Debug for Expression {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Expression").field("names", &self.names).field("root", &self.root).finish()
    }
}

/// Two expressions are equal whatever white space is in their texts.
impl PartialEq for Expression {
    fn eq(&self, other: &Expression) -> bool {
        self.names == other.names && self.root == other.root
    }
}

impl Expression {
    /// Parses a text.
    pub fn parse(text: &str) -> Result<Expression, ExpressionError> {
        let mut reader = Reader::new(text);
        let root = reader.whole()?;
        Ok(Expression { names: reader.names.into(), root, text: text.into() })
    }

    /// Returns an expression that is a single number.
    pub fn constant(x: f64) -> Expression {
        Expression { names: Arc::new([]), root: Form::Number(x).bare(), text: "".into() }
    }

    /// Returns an expression that is a single number with a unit, given in SI units.
    pub fn measured(x: f64, dimension: Dimension) -> Expression {
        Expression { names: Arc::new([]), root: Form::Measured(x, dimension).bare(), text: "".into() }
    }

    /// The text from which it was parsed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The names that occur in it, each once.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns whether it is a single name.
    pub fn is_name(&self) -> bool {
        matches!(self.root.form, Form::Name(_))
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
        self.at_sides(values, &[])
    }

    /// Evaluates the expression on given sides of its switches: `sides[i]` belongs to `switches()[i]`, and those that are
    /// missing are [free](Side::Free). With all sides given the function is smooth: it goes on beyond the end of a branch
    /// as it was within. (That of `floor`, `ceil`, `mod` and a repeated `pulse` reaches half a period beyond.)
    ///
    /// ```
    /// use carom_base::expression::{Expression, Side};
    /// let e = Expression::parse("abs(x) + linear(x, 0, 0, 1, 1, 2, 5)")?;
    /// let sides = [Side::Positive, Side::Positive, Side::Negative, Side::Negative];
    /// assert_eq!(e.at_sides(&[-3.0], &sides), -3.0 - 3.0);
    /// # Ok::<(), carom_base::expression::ExpressionError>(())
    /// ```
    pub fn at_sides<N: Arithmetic>(&self, values: &[N], sides: &[Side]) -> N {
        self.root.value(values, &mut Sides::new(sides))
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
        self.with_units(|name| value(name).map(|x| (x, None)))
    }

    /// Returns the expression with numbers in SI units in place of the names for which `value` gives one, with their
    /// dimensions if they have a unit.
    pub fn with_units(&self, value: impl Fn(&str) -> Option<(f64, Option<Dimension>)>) -> Expression {
        let (mut names, mut forms) = (Vec::new(), Vec::new());
        for name in self.names.iter() {
            forms.push(match value(name) {
                Some((x, None)) => Form::Number(x),
                Some((x, Some(dimension))) => Form::Measured(x, dimension),
                None => {
                    names.push(name.clone());
                    Form::Name(names.len() - 1)
                }
            });
        }
        let root = self.root.replaced(&|i| forms[i].clone());
        Expression { names: names.into(), root, text: self.text.clone() }
    }

    /// Returns the switches: the sub-expressions whose signs select the branches of functions. Where one of them changes its
    /// sign, this expression has a kink or jumps. Their order is fixed: those of the arguments of a function, from the first
    /// to the last, come before its own, and those of a branch that is not taken are there too. `if` has one for every
    /// comparison, `step` one for each end, `pulse` one where it rises and one where it falls (three if it is
    /// repeated), a table one for every point.
    ///
    /// ```
    /// use carom_base::expression::Expression;
    /// let e = Expression::parse("abs(sin(t)) + if(t > 1, 2, 0)")?;
    /// let [a, b] = e.switches().try_into().map_err(|_| "two").unwrap();
    /// assert_eq!((a.value.at(&[0.0]), a.jumps), (0.0, false));
    /// assert_eq!((b.value.at(&[3.0]), b.jumps), (-2.0, true));
    /// # Ok::<(), carom_base::expression::ExpressionError>(())
    /// ```
    pub fn switches(&self) -> Vec<Switch> {
        let mut all = Vec::new();
        self.root.switches(&mut all);
        let of = |root: Term| Expression { names: self.names.clone(), root, text: self.text.clone() };
        all.into_iter().map(|(root, jumps)| Switch { value: of(root), jumps }).collect()
    }

    /// Returns whether the name with this index in [`names`](Self::names) occurs in it. (A [switch](Self::switches) has the
    /// names of the whole expression, and may use few of them.)
    ///
    /// ```
    /// use carom_base::expression::Expression;
    /// let e = Expression::parse("max(0, t - 1)*x")?;
    /// let switch = &e.switches()[0].value;
    /// assert!(switch.uses(0) && !switch.uses(1));
    /// # Ok::<(), carom_base::expression::ExpressionError>(())
    /// ```
    pub fn uses(&self, index: usize) -> bool {
        let used =
            |term: &Term| if matches!(term.form, Form::Name(i) if i == index) { Err(()) } else { Ok(()) };
        self.root.each(&mut |term| used(term)).is_err()
    }

    /// Returns whether a number in it has a unit; if none has, all are taken to be in SI units.
    ///
    /// ```
    /// use carom_base::expression::Expression;
    /// assert!(Expression::parse("3[mm]*t")?.has_units() && !Expression::parse("sin(pi*t)")?.has_units());
    /// # Ok::<(), carom_base::expression::ExpressionError>(())
    /// ```
    pub fn has_units(&self) -> bool {
        let unit = |term: &Term| matches!(term.form, Form::Measured(_, d) if !d.same(&Dimension::NONE));
        self.root.each(&mut |term| if unit(term) { Err(()) } else { Ok(()) }).is_err()
    }

    /// Returns an error if the points of a table are not all numbers, or do not increase: then its value is NaN.
    ///
    /// ```
    /// use carom_base::expression::Expression;
    /// let e = Expression::parse("linear(t, 0, 1, end, 2)")?;
    /// assert!(e.complete().is_err() && e.with(|n| (n == "end").then_some(3.0)).complete().is_ok());
    /// assert!(e.with(|n| (n == "end").then_some(-3.0)).complete().is_err());
    /// # Ok::<(), carom_base::expression::ExpressionError>(())
    /// ```
    pub fn complete(&self) -> Result<(), ExpressionError> {
        self.root.each(&mut |term| {
            let Form::Table(table) = &term.form else { return Ok(()) };
            let message = match table.fault() {
                None => return Ok(()),
                Some(Some(e)) => format!("`{}`: {e}", self.part(term.span)),
                Some(None) => format!("`{}`: the points of a table are numbers", self.part(term.span)),
            };
            Err(ExpressionError { message, at: term.span.from })
        })
    }

    /// Returns an error unless the expression is smooth between its switches: if it is not [complete](Self::complete), or if
    /// `==` or `!=` compare what still contains names.
    pub fn smooth_pieces(&self) -> Result<(), ExpressionError> {
        self.complete()?;
        self.root.each(&mut |term| match &term.form {
            Form::Compare(f, ab) if f.is_equality() && ab.iter().any(Term::has_names) => {
                let why = "what changes is equal for single instants only: compare by <, <=, > or >=";
                let message = format!("`{}`: {why}", self.part(term.span));
                Err(ExpressionError { message, at: term.span.from })
            }
            _ => Ok(()),
        })
    }

    /// Returns a part of the text.
    fn part(&self, span: Span) -> &str {
        self.text.get(span.from..span.to).unwrap_or_default()
    }
}
