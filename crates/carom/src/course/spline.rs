//! A smooth curve through points.

use carom_base::interpolation::{Points, spline_seconds};
use carom_base::{Jet, Range, SpecError};

use super::Course;
use super::points::in_time;

/// The cubic spline through points in time: third-degree polynomials from point to point whose values and first and second
/// derivatives agree where they meet. Its ends satisfy the *not-a-knot* condition: the first two pieces are one polynomial,
/// and so are the last two. So points of a cubic give that cubic, three points a parabola, two a line. It is defined from the
/// first point to the last.
///
/// Its second derivatives at the points are [`spline_seconds`].
///
/// ```
/// use carom::{Course, Spline};
/// let points: Vec<[f64; 2]> = (0..6).map(|i| f64::from(i)).map(|t| [t, t * t * t]).collect();
/// let x = Spline::new(&points)?.at(2.5);
/// assert!((x.value - 15.625).abs() < 1e-13 && (x.rate - 18.75).abs() < 1e-13 && (x.second - 15.0).abs() < 1e-13);
/// # Ok::<(), carom::base::SpecError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Spline {
    points: Points,
    /// M, the second derivatives at the points
    second: Vec<f64>,
}

impl Spline {
    /// Creates the spline through two or more points [t, value] with increasing times.
    pub fn new(points: &[[f64; 2]]) -> Result<Spline, SpecError> {
        let points = in_time(points)?;
        let second = spline_seconds(&points);
        Ok(Spline { points, second })
    }

    /// Returns the piece that contains t, or the first or last one for times outside.
    fn piece(&self, t: f64) -> usize {
        self.points.up_to(t).clamp(1, self.points.last()) - 1
    }

    /// Evaluates the polynomial of piece i at t.
    fn on(&self, i: usize, t: f64) -> Jet {
        let (s, h) = (t - self.points.x(i), self.points.x(i + 1) - self.points.x(i));
        let (m, third) = (self.second[i], (self.second[i + 1] - self.second[i]) / h);
        let rate = self.points.slope(i) - h * (2.0 * m + self.second[i + 1]) / 6.0;
        Jet {
            value: self.points.y(i) + s * (rate + s * (m / 2.0 + s * third / 6.0)),
            rate: rate + s * (m + s * third / 2.0),
            second: m + s * third,
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
        // between the ends the value deviates from them by at most the largest rate times half the time
        let way = 0.5 * (t1 - t0) * rate.magnitude();
        let value = Range { lo: a.value.min(b.value) - way, hi: a.value.max(b.value) + way };
        Jet { value, rate, second }
    }
}

impl Course for Spline {
    fn at(&self, t: f64) -> Jet {
        self.on(self.piece(t), t)
    }

    fn bounds(&self, t0: f64, t1: f64) -> Jet<Range> {
        // outside it is not defined; a caller that looks far ahead may still ask
        let known = self.known();
        let [t0, t1] = [t0, t1].map(|t| t.clamp(known.lo, known.hi));
        let (first, last) = (self.piece(t0), self.piece(t1));
        let on = |i: usize| {
            let from = if i == first { t0 } else { self.points.x(i) };
            self.bounds_on(i, from, if i == last { t1 } else { self.points.x(i + 1) })
        };
        (first + 1..=last).fold(on(first), |all, i| all.hull(on(i)))
    }

    /// Returns the next point, except the first two and the last two: the third derivative jumps at the others.
    fn smooth_until(&self, t: f64, end: f64) -> f64 {
        let next = self.points.up_to(t).max(2);
        if next + 2 < self.points.len() { self.points.x(next).min(end) } else { end }
    }

    fn known(&self) -> Range {
        Range::new(self.points.x(0), self.points.x(self.points.last()))
    }
}
