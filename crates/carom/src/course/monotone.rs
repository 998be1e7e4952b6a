//! A smooth curve through points that does not overshoot.

use carom_base::interpolation::{Points, monotone_slopes};
use carom_base::{Jet, Range, SpecError};

use super::Course;
use super::points::in_time;

/// The monotone cubic through points in time (Steffen's, see [`monotone_slopes`]): where the points rise, so does the curve,
/// its extremes are points, and between two equal values it is constant. Its rate does not jump, its second derivative does at
/// the points. Before the first and after the last point the value is constant.
///
/// ```
/// use carom::{Course, Monotone};
/// let valve = Monotone::new(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.01], [3.0, 0.01]])?; // [s], [m]
/// assert_eq!((valve.at(0.5).value, valve.at(9.0).value), (0.0, 0.01));
/// assert!((valve.at(1.5).value - 0.005).abs() < 1e-17);
/// assert_eq!(valve.bounds(0.0, 9.0).value.hi, 0.01);
/// # Ok::<(), carom::base::SpecError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Monotone {
    points: Points,
    /// first derivatives at the points
    slopes: Vec<f64>,
}

impl Monotone {
    /// Creates the function through two or more points [t, value] with increasing times.
    pub fn new(points: &[[f64; 2]]) -> Result<Monotone, SpecError> {
        let points = in_time(points)?;
        let slopes = monotone_slopes(&points);
        Ok(Monotone { points, slopes })
    }

    /// Returns the piece that contains t, from point to point; `None` before the first point and after the last.
    fn piece(&self, t: f64) -> Option<usize> {
        let ends = [self.points.x(0), self.points.x(self.points.last())];
        let inside = ends[0] <= t && t <= ends[1];
        inside.then(|| self.points.up_to(t).clamp(1, self.points.last()) - 1)
    }

    /// Evaluates the polynomial of piece i at t: Steffen's eq. 2 to 5.
    fn on(&self, i: usize, t: f64) -> Jet {
        let p = &self.points;
        let (s, h, slope) = (t - p.x(i), p.x(i + 1) - p.x(i), p.slope(i));
        let [d0, d1] = [self.slopes[i], self.slopes[i + 1]];
        let (second, third) = ((3.0 * slope - 2.0 * d0 - d1) / h, (d0 + d1 - 2.0 * slope) / (h * h));
        // from the nearer point, so that both are met
        let (x, rest) = if 2.0 * s > h { (p.y(i + 1), t - p.x(i + 1)) } else { (p.y(i), s) };
        let (d, bend) = if 2.0 * s > h { (d1, second + 3.0 * third * h) } else { (d0, second) };
        Jet {
            value: x + rest * (d + rest * (bend + rest * third)),
            rate: d0 + s * (2.0 * second + s * 3.0 * third),
            second: 2.0 * second + 6.0 * s * third,
        }
    }

    /// Returns bounds on a piece from t0 to t1, both in it.
    fn bounds_on(&self, i: usize, t0: f64, t1: f64) -> Jet<Range> {
        let (a, b) = (self.on(i, t0), self.on(i, t1));
        // a linear function has its extremes at the ends, a parabola there or where its slope is zero
        let second = Range::new(a.second, b.second);
        let mut rate = Range::new(a.rate, b.rate);
        if second.lo < 0.0 && second.hi > 0.0 {
            let top = t0 + (t1 - t0) * a.second / (a.second - b.second);
            rate = rate.hull(Range::point(self.on(i, top).rate));
        }
        // the value goes one way on a piece, but for rounding error
        let ends = Range::new(self.points.y(i), self.points.y(i + 1));
        let slack = 8.0 * f64::EPSILON * ends.magnitude();
        let lo = (a.value.min(b.value) - slack).max(ends.lo);
        let hi = (a.value.max(b.value) + slack).min(ends.hi);
        Jet { value: Range { lo, hi }, rate, second }
    }

    /// Returns the constant value before the first point or after the last.
    fn outside(&self, t: f64) -> f64 {
        self.points.y(if t < self.points.x(0) { 0 } else { self.points.last() })
    }
}

impl Course for Monotone {
    fn at(&self, t: f64) -> Jet {
        let rest = || Jet { value: self.outside(t), rate: 0.0, second: 0.0 };
        self.piece(t).map_or_else(rest, |i| self.on(i, t))
    }

    fn bounds(&self, t0: f64, t1: f64) -> Jet<Range> {
        let p = &self.points;
        let still = |t: f64| {
            let zero = Range::point(0.0);
            Jet { value: Range::point(self.outside(t)), rate: zero, second: zero }
        };
        let (first, last) = (p.x(0), p.x(p.last()));
        let before = (t0 < first).then(|| still(t0));
        let after = (t1 > last).then(|| still(t1));
        let [from, to] = [t0.clamp(first, last), t1.clamp(first, last)];
        let touched = t1 >= first && t0 <= last;
        let pieces = self.piece(from).zip(self.piece(to)).filter(|_| touched);
        let within = pieces.into_iter().flat_map(|(a, b)| {
            (a..=b).map(move |i| {
                let begin = if i == a { from } else { p.x(i) };
                self.bounds_on(i, begin, if i == b { to } else { p.x(i + 1) })
            })
        });
        let all = before.into_iter().chain(within).chain(after);
        all.reduce(Jet::hull).unwrap_or_else(|| still(t0))
    }

    /// Returns the next point: the second derivative jumps there.
    fn smooth_until(&self, t: f64, end: f64) -> f64 {
        let next = self.points.up_to(t);
        if next < self.points.len() { self.points.x(next).min(end) } else { end }
    }
}
