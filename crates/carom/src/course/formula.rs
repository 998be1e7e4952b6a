//! A function of time given by an expression.

use carom_base::expression::{Expression, ExpressionError, Side, Switch};
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
    branches: Vec<Branch>,
}

/// A switch of the expression, and the switches on which its own value depends.
#[derive(Clone, Debug, PartialEq)]
struct Branch {
    switch: Expression,
    inner: Vec<Expression>,
}

/// The number of parts into which a time span is divided to compute bounds: over a long span interval bounds are too wide.
const PARTS: usize = 4;
/// The largest number of intervals that are halved in search of a kink; a kink that is not found is left to the step size
/// control.
const BUDGET: usize = 1 << 12;
/// The largest number of pieces between kinks that are bounded one by one.
const MOST_PIECES: usize = 16;
/// The largest number of switches whose sides are kept; others go by their signs.
const MOST_SIDES: usize = 64;

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
        let values = |e: &Expression| e.switches().into_iter().map(|s: Switch| s.value);
        let branch = |switch: Expression| Branch { inner: values(&switch).collect(), switch };
        let branches = values(&expression).map(branch).collect();
        Ok(Formula { expression, branches })
    }

    /// Returns the first time between t and end at which a switch changes its sign, or end, and whether that is certain.
    fn first_change(&self, t: f64, mut end: f64) -> (f64, bool) {
        let mut certain = true;
        for Branch { switch, inner } in &self.branches {
            // the inner switches have been here before, and do not change up to `end`; beyond it the value may have jumped
            let sides = sides(inner.iter(), t, end);
            let mut search = Search { switch, sides: &sides, least: 1e-12 * (end - t), budget: BUDGET };
            end = search.first(t, end).unwrap_or(end);
            certain &= search.budget > 0;
        }
        (end, certain)
    }

    /// Returns bounds from t0 to t1 on these sides of the switches.
    fn bounds_on(&self, t0: f64, t1: f64, sides: &[Side]) -> Jet<Range> {
        let end = |i: usize| if i == PARTS { t1 } else { t0 + (t1 - t0) * i as f64 / PARTS as f64 };
        let part = |i: usize| self.expression.at_sides(&[Jet::time(Range::new(end(i), end(i + 1)))], sides);
        (1..PARTS).fold(part(0), |all, i| all.hull(part(i)))
    }

    /// Creates a function whose kinks are where an expression in `t` changes its sign, besides the expression's own.
    pub(crate) fn sign_changes(expression: Expression) -> Result<Formula, ExpressionError> {
        let mut formula = Formula::of(expression.clone())?;
        let inner = expression.switches().into_iter().map(|s| s.value).collect();
        formula.branches.push(Branch { inner, switch: expression });
        Ok(formula)
    }
}

impl Course for Formula {
    fn at(&self, t: f64) -> Jet {
        self.expression.at(&[Jet::time(t)])
    }

    fn bounds(&self, t0: f64, t1: f64) -> Jet<Range> {
        // from kink to kink: both branches over the whole time would be too wide, or not defined
        let (mut from, mut all) = (t0, None);
        let mut add = |x: Jet<Range>| all = Some(all.map_or(x, |all: Jet<Range>| all.hull(x)));
        for _ in 0..MOST_PIECES {
            let (kink, certain) = self.first_change(from, t1);
            if !certain {
                break;
            }
            let sides = sides(self.branches.iter().map(|b| &b.switch), from, kink);
            add(self.bounds_on(from, kink, &sides));
            from = kink;
            if from >= t1 {
                break;
            }
        }
        if from < t1 {
            add(self.bounds_on(from, t1, &[]));
        }
        all.unwrap_or_else(|| self.bounds_on(t0, t1, &[]))
    }

    fn smooth_until(&self, t: f64, end: f64) -> f64 {
        self.first_change(t, end).0
    }
}

/// Returns the sides on which switches are between t0 and t1, where they do not change their signs.
fn sides<'e>(switches: impl Iterator<Item = &'e Expression>, t0: f64, t1: f64) -> [Side; MOST_SIDES] {
    let mut sides = [Side::Free; MOST_SIDES];
    for (side, switch) in sides.iter_mut().zip(switches) {
        // it may be zero at a single time
        let some = [0.5, 0.3, 0.8].map(|part| switch.at(&[t0 + (t1 - t0) * part]));
        *side = match some.into_iter().find(|x| *x != 0.0) {
            Some(x) if x < 0.0 => Side::Negative,
            Some(x) if x > 0.0 => Side::Positive,
            _ => Side::Free,
        };
    }
    sides
}

/// The search for the first time at which the argument of a branch changes its sign.
struct Search<'s> {
    switch: &'s Expression,
    /// of the switches within
    sides: &'s [Side],
    least: f64,
    budget: usize,
}

impl Search<'_> {
    fn is_negative(&self, t: f64) -> bool {
        self.switch.at_sides(&[t], self.sides) < 0.0
    }

    /// Searches (a, b): skips intervals in which bounds prove that the sign is constant; where the argument is monotonic by
    /// its bounds there is at most one change.
    fn first(&mut self, a: f64, b: f64) -> Option<f64> {
        let x = self.switch.at_sides(&[Jet::time(Range::new(a, b))], self.sides);
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
