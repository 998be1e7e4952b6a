//! Curves through points, as functions in expressions.

use crate::interpolation::{Points, PointsError, monotone_slopes, spline_seconds};
use crate::{Arithmetic, Sign};

use super::function::sign;
use super::switch::Side;

/// How a curve goes from point to point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Course {
    Linear,
    Spline,
    Monotone,
}

impl Course {
    pub(super) const NAMED: &[(&str, Course)] =
        &[("linear", Course::Linear), ("spline", Course::Spline), ("monotone", Course::Monotone)];
}

/// A curve: polynomials between points, constant before the first and after the last.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Curve {
    /// x of the points
    at: Vec<f64>,
    /// one more than points: the value is c₀ + c₁ s + c₂ s² + c₃ s³, where s is the distance from the point before
    pieces: Vec<[f64; 4]>,
}

impl Curve {
    pub(super) fn new(course: Course, points: &[[f64; 2]]) -> Result<Curve, PointsError> {
        let p = Points::new(points)?;
        let h = |i: usize| p.x(i + 1) - p.x(i);
        let inside: Vec<[f64; 4]> = match course {
            Course::Linear => (0..p.last()).map(|i| [p.y(i), p.slope(i), 0.0, 0.0]).collect(),
            Course::Spline => {
                let m = spline_seconds(&p);
                let first = |i: usize| p.slope(i) - h(i) * (2.0 * m[i] + m[i + 1]) / 6.0;
                let third = |i: usize| (m[i + 1] - m[i]) / (6.0 * h(i));
                (0..p.last()).map(|i| [p.y(i), first(i), m[i] / 2.0, third(i)]).collect()
            }
            Course::Monotone => {
                let d = monotone_slopes(&p);
                let second = |i: usize| (3.0 * p.slope(i) - 2.0 * d[i] - d[i + 1]) / h(i);
                let third = |i: usize| (d[i] + d[i + 1] - 2.0 * p.slope(i)) / (h(i) * h(i));
                (0..p.last()).map(|i| [p.y(i), d[i], second(i), third(i)]).collect()
            }
        };
        let [before, after] = [0, p.last()].map(|i| [p.y(i), 0.0, 0.0, 0.0]);
        let pieces = std::iter::once(before).chain(inside).chain([after]).collect();
        Ok(Curve { at: (0..p.len()).map(|i| p.x(i)).collect(), pieces })
    }

    /// Returns the value; `sides` are those of the points, whose switches are x less that of the point.
    pub(super) fn value<N: Arithmetic>(&self, x: N, sides: &[Side]) -> N {
        let (first, last) = match sides.iter().all(|s| *s == Side::Free) {
            true => self.pieces_at(x),
            false => self.pieces_on(x, sides),
        };
        if x.sign() == Sign::Undefined {
            return N::constant(f64::NAN);
        }
        if first == last {
            return self.piece(first, x);
        }
        let part = |i: usize| {
            let lo = if i == 0 { f64::NEG_INFINITY } else { self.at[i - 1] };
            self.piece(i, x.between(lo, self.at.get(i).copied().unwrap_or(f64::INFINITY)))
        };
        (first + 1..=last).fold(part(first), |all, i| all.either(part(i)))
    }

    fn piece<N: Arithmetic>(&self, i: usize, x: N) -> N {
        (x - N::constant(self.at[i.saturating_sub(1)])).cubic(self.pieces[i])
    }

    fn sign_at<N: Arithmetic>(&self, i: usize, x: N, sides: &[Side]) -> Sign {
        sign(sides.get(i).copied().unwrap_or_default(), x - N::constant(self.at[i]))
    }

    /// Returns the first and the last piece in which x can be.
    fn pieces_at<N: Arithmetic>(&self, x: N) -> (usize, usize) {
        let passed = |possibly: bool| {
            self.at.partition_point(|at| match (x - N::constant(*at)).sign() {
                Sign::Positive => true,
                Sign::Either => possibly,
                Sign::Negative | Sign::Undefined => false,
            })
        };
        (passed(false), passed(true))
    }

    /// Returns the first and the last piece that these sides allow.
    fn pieces_on<N: Arithmetic>(&self, x: N, sides: &[Side]) -> (usize, usize) {
        let n = self.at.len();
        let first = (0..n).find(|&i| self.sign_at(i, x, sides) != Sign::Positive).unwrap_or(n);
        let last = (first..n).find(|&i| self.sign_at(i, x, sides) != Sign::Either).unwrap_or(n);
        (first, last)
    }
}
