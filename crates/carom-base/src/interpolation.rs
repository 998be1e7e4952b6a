//! Curves through points: straight lines, the cubic spline, and the monotone cubic.
//!
//! Here are their coefficients. The functions of time of the engine and the tables of
//! [expressions](crate::expression) evaluate them.

/// Two or more points [x, y] with increasing x.
///
/// ```
/// use carom_base::interpolation::Points;
/// let points = Points::new(&[[0.0, 1.0], [2.0, 5.0]])?;
/// assert_eq!((points.slope(0), points.up_to(1.0)), (2.0, 1));
/// assert!(Points::new(&[[0.0, 1.0]]).is_err());
/// # Ok::<(), carom_base::interpolation::PointsError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Points(Vec<[f64; 2]>);

/// Points through which there is no curve.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum PointsError {
    /// a single point, or none
    #[error("two points or more are needed")]
    TooFew,
    /// a point of which not both numbers are finite
    #[error("the point {0:?} is not finite")]
    NotFinite([f64; 2]),
    /// a number that is not greater than the one before
    #[error("{1} after {0}, but they must increase")]
    NotIncreasing(f64, f64),
}

impl Points {
    /// Accepts two or more points with increasing x.
    pub fn new(points: &[[f64; 2]]) -> Result<Points, PointsError> {
        if points.len() < 2 {
            return Err(PointsError::TooFew);
        }
        if let Some(p) = points.iter().find(|p| !p.iter().all(|x| x.is_finite())) {
            return Err(PointsError::NotFinite(*p));
        }
        if let Some(w) = points.windows(2).find(|w| w[1][0] <= w[0][0]) {
            return Err(PointsError::NotIncreasing(w[0][0], w[1][0]));
        }
        Ok(Points(points.to_vec()))
    }

    /// Returns the number of points.
    #[expect(clippy::len_without_is_empty, reason = "there are always two points or more")]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns the x of point i.
    pub fn x(&self, i: usize) -> f64 {
        self.0[i][0]
    }

    /// Returns the y of point i.
    pub fn y(&self, i: usize) -> f64 {
        self.0[i][1]
    }

    /// Returns the index of the last point.
    pub fn last(&self) -> usize {
        self.0.len() - 1
    }

    /// Returns the slope of the line from point i to the next.
    pub fn slope(&self, i: usize) -> f64 {
        (self.y(i + 1) - self.y(i)) / self.step(i)
    }

    /// Returns the number of points that are not beyond x.
    pub fn up_to(&self, x: f64) -> usize {
        self.0.partition_point(|p| p[0] <= x)
    }

    /// Returns the distance from point i to the next.
    fn step(&self, i: usize) -> f64 {
        self.x(i + 1) - self.x(i)
    }
}

/// Returns the second derivatives M of the cubic spline at every point. Its ends satisfy the *not-a-knot* condition: the
/// first two pieces are one polynomial, and so are the last two.
///
/// With h_i from point i to the next and slopes s_i,
///
///   h_{i−1} M_{i−1} + 2 (h_{i−1} + h_i) M_i + h_i M_{i+1} = 6 (s_i − s_{i−1}),
///   (M_1 − M_0)/h_0 = (M_2 − M_1)/h_1, and likewise at the end
///
/// (de Boor, *A Practical Guide to Splines*, ch. IV).
///
/// ```
/// use carom_base::interpolation::{Points, spline_seconds};
/// let parabola = Points::new(&[[0.0, 0.0], [1.0, 1.0], [3.0, 9.0]])?;
/// assert_eq!(spline_seconds(&parabola), [2.0, 2.0, 2.0]);
/// # Ok::<(), carom_base::interpolation::PointsError>(())
/// ```
pub fn spline_seconds(p: &Points) -> Vec<f64> {
    let n = p.len();
    let h = |i: usize| p.step(i);
    // right-hand side of the spline equations; three points give M = 2 (s_1 − s_0)/(h_0 + h_1), twice their divided
    // difference
    let bend = |i: usize| 6.0 * (p.slope(i) - p.slope(i - 1));
    match n {
        2 => return vec![0.0; 2],
        3 => return vec![bend(1) / (3.0 * (h(0) + h(1))); 3],
        _ => {}
    }
    // the end conditions are inserted into the neighbouring equations; then forward elimination and back substitution
    let row = |i: usize| {
        let (mut below, mut diagonal, mut above) = (h(i - 1), 2.0 * (h(i - 1) + h(i)), h(i));
        if i == 1 {
            // M_0 = ((h_0 + h_1) M_1 − h_0 M_2)/h_1
            diagonal += h(0) * (h(0) + h(1)) / h(1);
            above -= h(0) * h(0) / h(1);
        }
        if i == n - 2 {
            let (a, b) = (h(n - 3), h(n - 2));
            diagonal += b * (a + b) / a;
            below -= b * b / a;
        }
        (below, diagonal, above)
    };
    let (mut m, mut ratio) = (vec![0.0; n], vec![0.0; n]);
    for i in 1..n - 1 {
        let (below, diagonal, above) = row(i);
        let below = if i == 1 { 0.0 } else { below };
        let pivot = diagonal - below * ratio[i - 1];
        ratio[i] = above / pivot;
        m[i] = (bend(i) - below * m[i - 1]) / pivot;
    }
    for i in (1..n - 2).rev() {
        m[i] -= ratio[i] * m[i + 1];
    }
    m[0] = ((h(0) + h(1)) * m[1] - h(0) * m[2]) / h(1);
    let (a, b) = (h(n - 3), h(n - 2));
    m[n - 1] = ((a + b) * m[n - 2] - b * m[n - 3]) / a;
    m
}

/// Returns the first derivatives of the monotone cubic at every point: M. Steffen, A simple method for monotonic
/// interpolation in one dimension, Astronomy and Astrophysics 239 (1990) 443–450. Where the points rise, so does the
/// curve, and its extremes are points. Between two equal values it is constant.
///
/// The derivative at a point is that of the parabola through it and its two neighbours (p, eq. 8), but 0 at an extreme and at
/// most twice the slope on either side (eq. 11); at the ends likewise, with the parabola through the nearest three points
/// (eq. 24 to 27).
///
/// ```
/// use carom_base::interpolation::{Points, monotone_slopes};
/// let rise = Points::new(&[[0.0, 0.0], [1.0, 0.0], [2.0, 1.0], [3.0, 1.0]])?;
/// assert_eq!(monotone_slopes(&rise), [0.0; 4]);
/// let parabola = Points::new(&[[1.0, 1.0], [2.0, 4.0], [3.0, 9.0]])?;
/// assert_eq!(monotone_slopes(&parabola), [2.0, 4.0, 6.0]);
/// # Ok::<(), carom_base::interpolation::PointsError>(())
/// ```
pub fn monotone_slopes(p: &Points) -> Vec<f64> {
    let last = p.last();
    if last == 1 {
        return vec![p.slope(0); 2];
    }
    let inner = |i: usize| {
        let ([h0, h1], [s0, s1]) = ([p.step(i - 1), p.step(i)], [p.slope(i - 1), p.slope(i)]);
        let parabola = (s0 * h1 + s1 * h0) / (h0 + h1);
        if s0 * s1 <= 0.0 { 0.0 } else { limited(parabola, s0.abs().min(s1.abs())) }
    };
    // slope of the parabola at the end of the first of two pieces, from their slopes and lengths
    let end = |s0: f64, s1: f64, h0: f64, h1: f64| {
        let parabola = s0 * (1.0 + h0 / (h0 + h1)) - s1 * h0 / (h0 + h1);
        if parabola * s0 <= 0.0 { 0.0 } else { limited(parabola, s0.abs()) }
    };
    let first = end(p.slope(0), p.slope(1), p.step(0), p.step(1));
    let final_slope = end(p.slope(last - 1), p.slope(last - 2), p.step(last - 1), p.step(last - 2));
    std::iter::once(first).chain((1..last).map(inner)).chain([final_slope]).collect()
}

/// Returns the slope, but at most twice the other in magnitude.
fn limited(slope: f64, other: f64) -> f64 {
    slope.clamp(-2.0 * other, 2.0 * other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hermite(p: &Points, slopes: &[f64], i: usize, s: f64) -> f64 {
        let h = p.step(i);
        let (a, b) = (p.y(i) * (1.0 + 2.0 * s) + h * s * slopes[i], p.y(i + 1) * (3.0 - 2.0 * s));
        a * (1.0 - s) * (1.0 - s) + (b - h * (1.0 - s) * slopes[i + 1]) * s * s
    }

    /// Points with jumps of slope of all kinds: between two of them the curve has no value outside theirs, and never
    /// turns back.
    #[test]
    fn monotone_curves_do_not_overshoot() -> Result<(), PointsError> {
        let values = [0.0, 0.1, 5.0, 5.0, 5.001, 4.0, -3.0, -3.0, -2.9, 7.0, 100.0, 99.0, 0.5];
        let points: Vec<[f64; 2]> =
            values.iter().zip(0i32..).map(|(y, i)| [f64::from(i * i + i), *y]).collect();
        let p = Points::new(&points)?;
        let slopes = monotone_slopes(&p);
        for i in 0..p.last() {
            let (lo, hi) = (p.y(i).min(p.y(i + 1)), p.y(i).max(p.y(i + 1)));
            let all: Vec<f64> = (0..=50).map(|k| hermite(&p, &slopes, i, f64::from(k) / 50.0)).collect();
            let rises = p.y(i + 1) - p.y(i);
            assert!(all.iter().all(|y| *y >= lo - 1e-13 && *y <= hi + 1e-13), "{i}: {all:?}");
            assert!(all.windows(2).all(|w| (w[1] - w[0]) * rises >= -1e-13), "{i}: {all:?}");
        }
        // reversed in x or in y it is the same curve
        let mirrored: Vec<[f64; 2]> = points.iter().rev().map(|p| [-p[0], -p[1]]).collect();
        let back: Vec<f64> = monotone_slopes(&Points::new(&mirrored)?).into_iter().rev().collect();
        assert_eq!(slopes, back);
        Ok(())
    }
}
