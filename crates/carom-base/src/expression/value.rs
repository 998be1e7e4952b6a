//! The evaluation of terms.

use super::function::{Truth, floor, sign};
use super::switch::{Side, Sides};
use super::term::{Form, Term};
use crate::{Arithmetic, Sign};

/// A value that is not defined.
fn undefined<N: Arithmetic>() -> N {
    N::constant(f64::NAN)
}

impl Term {
    /// Returns the value; NaN where a name has no value. The switches are met in the order of [`Term::switches`].
    pub(super) fn value<N: Arithmetic>(&self, values: &[N], sides: &mut Sides<'_>) -> N {
        match &self.form {
            Form::Number(x) => N::constant(*x),
            Form::Measured(x, dimension) => N::measured(*x, *dimension),
            Form::Name(i) => values.get(*i).copied().unwrap_or_else(undefined),
            Form::One(f, a) => {
                let a = a.value(values, sides);
                f.on(side(f.jumps().is_some(), sides), a)
            }
            Form::Two(f, ab) => {
                let [a, b] = ab.each_ref().map(|x| x.value(values, sides));
                f.on(side(f.jumps().is_some(), sides), a, b)
            }
            Form::Chain(first, rest) => {
                let first = first.value(values, sides);
                rest.iter().fold(first, |x, (f, b)| f.on(Side::Free, x, b.value(values, sides)))
            }
            Form::If(b) => {
                let truth = b.condition.truth(values, sides);
                // only the branch that is taken is evaluated: the other may not be defined
                let yes =
                    branch(matches!(truth, Truth::Yes | Truth::Either), &b.yes, b.switches[0], values, sides);
                let no =
                    branch(matches!(truth, Truth::No | Truth::Either), &b.no, b.switches[1], values, sides);
                truth.pick(yes, no)
            }
            Form::Step(parts) => {
                let parts = parts.each_ref().map(|x| x.value(values, sides));
                step(parts, [sides.one(), sides.one()])
            }
            Form::Pulse(parts) => pulse(parts, values, sides),
            Form::Table(t) => {
                let x = t.x.value(values, sides);
                let sides = sides.several(t.points.len());
                t.curve.as_ref().map_or_else(undefined, |curve| curve.value(x, sides))
            }
            Form::Compare(..) | Form::All(_) | Form::Any(_) | Form::Not(_) => undefined(),
        }
    }

    /// Returns whether a condition holds. All comparisons are made, so that switches are always met in the same order.
    fn truth<N: Arithmetic>(&self, values: &[N], sides: &mut Sides<'_>) -> Truth {
        let mut of = |t: &Term| t.truth(values, sides);
        match &self.form {
            Form::All(parts) => parts.iter().fold(Truth::Yes, |all, t| all.and(of(t))),
            Form::Any(parts) => parts.iter().fold(Truth::No, |any, t| any.or(of(t))),
            Form::Not(a) => of(a).not(),
            Form::Compare(f, ab) => {
                let [a, b] = ab.each_ref().map(|x| x.value(values, sides));
                f.on(side(!f.is_equality(), sides), a, b)
            }
            _ => Truth::Undefined,
        }
    }

    /// Returns the value of a term without names.
    pub(super) fn constant(&self) -> f64 {
        self.value(&[], &mut Sides::new(&[]))
    }
}

/// Returns the side of the next switch, if there is one.
fn side(switches: bool, sides: &mut Sides<'_>) -> Side {
    if switches { sides.one() } else { Side::Free }
}

/// Evaluates a branch with that many switches if it is taken.
fn branch<N: Arithmetic>(
    taken: bool,
    term: &Term,
    switches: usize,
    values: &[N],
    sides: &mut Sides<'_>,
) -> N {
    if taken {
        return term.value(values, sides);
    }
    sides.several(switches);
    undefined()
}

/// h0 + (h1 − h0) s² (3 − 2 s) with s = (x − x0)/(x1 − x0), constant before x0 and after x1.
fn step<N: Arithmetic>([x, x0, h0, x1, h1]: [N; 5], [begin, end]: [Side; 2]) -> N {
    let (begun, ended) = (sign(begin, x - x0), sign(end, x - x1));
    if begun == Sign::Undefined || ended == Sign::Undefined {
        return undefined();
    }
    if ended == Sign::Positive {
        return h1;
    }
    if begun == Sign::Negative {
        return h0;
    }
    let s = (x - x0) / (x1 - x0);
    let between = |s: N| h0 + (h1 - h0) * s.cubic([0.0, 0.0, 3.0, -2.0]);
    if begun != Sign::Either && ended != Sign::Either {
        return between(s);
    }
    let middle = between(s.between(0.0, 1.0));
    let middle = if begun == Sign::Either { middle.either(h0) } else { middle };
    if ended == Sign::Either { middle.either(h1) } else { middle }
}

/// The height where start ≤ x < start + width, else 0; from start on it is repeated with the period, if there is one.
fn pulse<N: Arithmetic>(parts: &[Term], values: &[N], sides: &mut Sides<'_>) -> N {
    let mut of = |i: usize| parts.get(i).map_or_else(undefined, |t| t.value(values, sides));
    let (x, start, width, height) = (of(0), of(1), of(2), of(3));
    let period = (parts.len() > 4).then(|| of(4));
    let since = x - start;
    let begun = Truth::of(sign(sides.one(), since));
    let on = match period {
        None => Truth::of(sign(sides.one(), since - width)).not(),
        Some(period) => {
            // the number of pulses that have begun, less those that have ended
            let begun = floor(sides.one(), since / period);
            let ended = floor(sides.one(), (since - width) / period);
            Truth::of((begun - ended - N::constant(0.5)).sign())
        }
    };
    begun.and(on).pick(height, N::constant(0.0))
}
