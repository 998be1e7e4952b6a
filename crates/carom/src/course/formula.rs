//! A function of time given by an expression.

use carom_base::expression::{Expression, ExpressionError, Switch};
use carom_base::{Jet, Range};

use super::Course;

/// A function of time given by an expression in `t`, with exact derivatives and guaranteed bounds.
///
/// It has a kink, or jumps, where a function of the expression switches branches (`abs`, `if`, the points of a table …): these
/// times are located.
///
/// ```
/// use carom::{Course, Formula};
/// let x = Formula::new("0.01*sin(40*t)")?;
/// assert_eq!(x.at(0.0).rate, 0.4);
/// assert!(x.bounds(0.0, 10.0).second.magnitude() < 16.0 + 1e-9);
/// let ramp = Formula::new("max(0, t - 1)")?;
/// assert!((ramp.smooth_until(0.0, 5.0) - 1.0).abs() < 1e-14);
/// assert!(Formula::new("a*t").is_err());
/// # Ok::<(), carom::base::expression::ExpressionError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    expression: Expression,
    switches: Vec<Switch>,
}

/// The number of parts into which a time span is divided to compute bounds: over a long span interval bounds are too wide.
const PARTS: usize = 4;
/// The largest number of intervals that are halved in search of a kink; a kink that is not found is left to the step size
/// control.
const BUDGET: usize = 1 << 12;

impl Formula {
    /// Parses an expression.
    pub fn new(text: &str) -> Result<Formula, ExpressionError> {
        Formula::of(Expression::parse(text)?)
    }

    /// Creates the function from an expression in which `t` is the only name.
    pub fn of(expression: Expression) -> Result<Formula, ExpressionError> {
        if let Some(name) = expression.names().iter().find(|name| *name != "t") {
            let message = format!("there is no `{name}`: only `t`, the time");
            return Err(ExpressionError { message, at: 0 });
        }
        expression.smooth_pieces()?;
        let switches = expression.switches();
        Ok(Formula { expression, switches })
    }

    /// Creates a function whose kinks are where an expression in `t` changes its sign.
    pub(crate) fn sign_changes(expression: Expression) -> Result<Formula, ExpressionError> {
        let switches = vec![Switch { value: expression.clone(), jumps: false }];
        Ok(Formula { switches, ..Formula::of(expression)? })
    }
}

impl Course for Formula {
    fn at(&self, t: f64) -> Jet {
        self.expression.at(&[Jet::time(t)])
    }

    fn bounds(&self, t0: f64, t1: f64) -> Jet<Range> {
        let end = |i: usize| if i == PARTS { t1 } else { t0 + (t1 - t0) * i as f64 / PARTS as f64 };
        let part = |i: usize| self.expression.at(&[Jet::time(Range::new(end(i), end(i + 1)))]);
        (1..PARTS).fold(part(0), |all, i| all.hull(part(i)))
    }

    fn smooth_until(&self, t: f64, end: f64) -> f64 {
        let until = |end: f64, switch: &Switch| {
            let least = 1e-12 * (end - t);
            let mut search = Search { switch: &switch.value, least, budget: BUDGET };
            search.first(t, end).unwrap_or(end)
        };
        self.switches.iter().fold(end, until)
    }
}

/// The search for the first time at which the argument of a branch changes its sign.
struct Search<'s> {
    switch: &'s Expression,
    least: f64,
    budget: usize,
}

impl Search<'_> {
    fn is_negative(&self, t: f64) -> bool {
        self.switch.at(&[t]) < 0.0
    }

    /// Searches (a, b): skips intervals in which bounds prove that the sign is constant; where the argument is monotonic by
    /// its bounds there is at most one change.
    fn first(&mut self, a: f64, b: f64) -> Option<f64> {
        let x = self.switch.at(&[Jet::time(Range::new(a, b))]);
        if x.value.lo >= 0.0 || x.value.hi <= 0.0 || self.budget == 0 {
            return None;
        }
        let differ = self.is_negative(a) != self.is_negative(b);
        if x.rate.lo >= 0.0 || x.rate.hi <= 0.0 || b - a <= self.least {
            return if differ { self.change(a, b) } else { None };
        }
        self.budget -= 1;
        let middle = 0.5 * (a + b);
        self.first(a, middle).or_else(|| self.first(middle, b))
    }

    /// Returns the first number with the sign at b, by bisection. (b itself is left to the next interval.)
    fn change(&self, mut a: f64, b: f64) -> Option<f64> {
        let (sign, mut hi) = (self.is_negative(b), b);
        loop {
            let middle = 0.5 * (a + hi);
            if middle <= a || middle >= hi {
                return Some(hi);
            }
            if self.is_negative(middle) == sign { hi = middle } else { a = middle }
        }
    }
}
