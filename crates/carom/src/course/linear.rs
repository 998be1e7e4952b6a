//! A piecewise linear function of time.

use carom_base::interpolation::Points;
use carom_base::{Jet, Range, SpecError};

use super::Course;
use super::points::in_time;

/// Straight lines between points in time; before the first and after the last point the value is constant.
///
/// It suits quantities that may have kinks: a mass, gravity. A motion needs a [`Spline`](super::Spline).
///
/// ```
/// use carom::{Course, Linear};
/// let density = Linear::new(&[[0.0, 1000.0], [1.0, 1000.0], [3.0, 30_000.0]])?; // [s], [kg/m³]
/// assert_eq!(density.at(2.0).value, 15_500.0);
/// assert_eq!(density.at(9.0).value, 30_000.0);
/// assert_eq!(density.smooth_until(0.0, 9.0), 1.0);
/// # Ok::<(), carom::base::SpecError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Linear(Points);

impl Linear {
    /// Creates the function through two or more points [t, value] with increasing times.
    pub fn new(points: &[[f64; 2]]) -> Result<Linear, SpecError> {
        in_time(points).map(Linear)
    }

    /// Returns the slope of piece i, which ends at point i: 0 before the first and after the last point.
    fn slope(&self, i: usize) -> f64 {
        if i == 0 || i > self.0.last() { 0.0 } else { self.0.slope(i - 1) }
    }
}

impl Course for Linear {
    fn at(&self, t: f64) -> Jet {
        let i = self.0.up_to(t);
        let from = i.saturating_sub(1);
        let rate = self.slope(i);
        // a constant stays constant even at infinite times
        let moved = if rate == 0.0 { 0.0 } else { rate * (t - self.0.x(from)) };
        Jet { value: self.0.y(from) + moved, rate, second: 0.0 }
    }

    fn bounds(&self, t0: f64, t1: f64) -> Jet<Range> {
        let (first, last) = (self.0.up_to(t0), self.0.up_to(t1));
        let mut value = Range::new(self.at(t0).value, self.at(t1).value);
        let mut rate = Range::point(self.slope(first));
        // the points within, and the pieces after them
        for i in first..last {
            value = value.hull(Range::point(self.0.y(i)));
            rate = rate.hull(Range::point(self.slope(i + 1)));
        }
        Jet { value, rate, second: Range::point(0.0) }
    }

    fn smooth_until(&self, t: f64, end: f64) -> f64 {
        let kinks = (self.0.up_to(t)..self.0.len()).filter(|&i| self.slope(i) != self.slope(i + 1));
        kinks.map(|i| self.0.x(i)).next().unwrap_or(end).min(end)
    }
}
