//! A function of time given by a function of a program, approximated by polynomials.

use carom_base::elementary::{cos, powi};
use carom_base::{Jet, Range, SpecError};

use super::Course;

/// The degree of the polynomials.
const DEGREE: usize = 15;
/// No piece is shorter than this fraction of the time span.
const LEAST: f64 = 1e-7;
/// A function that needs more pieces than this is taken not to be smooth.
const MOST: usize = 1 << 14;

/// Approximates a function between two times by pieces of Chebyshev series of degree 15, which agree with it to 1e-13 of its
/// size, or to rounding error: Trefethen, *Approximation Theory and Approximation Practice*, ch. 3 and 4. Derivatives are
/// those of the series; bounds follow from its coefficients. The function is called only when the series is created.
///
/// ```
/// use carom::{Course, Series};
/// let x = Series::new(0.0, 10.0, &[], |t| (3.0 * t).sin())?.at(4.0);
/// assert!((x.value - 12f64.sin()).abs() < 1e-13 && (x.rate - 3.0 * 12f64.cos()).abs() < 1e-10);
/// # Ok::<(), carom::base::SpecError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    pieces: Vec<Piece>,
    kinks: Vec<f64>,
}

/// A piece: a Chebyshev series in x = (2 t − t0 − t1)/(t1 − t0), and those of its first and second derivative by x.
#[derive(Clone, Debug, PartialEq)]
struct Piece {
    t0: f64,
    t1: f64,
    series: [[f64; DEGREE + 1]; 3],
}

impl Series {
    /// Approximates `function` from t0 to t1 [s]; between `kinks` [s], in any order, it must be smooth.
    pub fn new(
        t0: f64,
        t1: f64,
        kinks: &[f64],
        mut function: impl FnMut(f64) -> f64,
    ) -> Result<Series, SpecError> {
        let wrong = |value: String, allowed: &str| {
            Err(SpecError::NotAllowed { kind: "own", name: "function", value, allowed: allowed.to_owned() })
        };
        if !(t0.is_finite() && t1.is_finite() && t0 < t1) {
            return wrong(format!("one from {t0} s to {t1} s"), "a time that ends after it begins");
        }
        let mut kinks: Vec<f64> = kinks.iter().copied().filter(|t| t0 < *t && *t < t1).collect();
        kinks.sort_by(f64::total_cmp);
        kinks.dedup();
        let ends: Vec<f64> = std::iter::once(t0).chain(kinks.iter().copied()).chain([t1]).collect();
        // in reverse order: pieces are taken from the end of the list
        let mut open: Vec<[f64; 2]> = ends.windows(2).rev().map(|w| [w[0], w[1]]).collect();
        let (mut pieces, mut size) = (Vec::new(), 0.0f64);
        while let Some([a, b]) = open.pop() {
            let (piece, rough) = Piece::of(a, b, &mut function);
            let greatest = piece.series[0].iter().map(|c| c.abs()).sum::<f64>();
            if !greatest.is_finite() {
                return wrong(format!("not finite between {a} s and {b} s"), "finite numbers");
            }
            size = size.max(greatest);
            if rough <= 1e-13 * size {
                pieces.push(piece);
                continue;
            }
            if b - a < LEAST * (t1 - t0) || pieces.len() + open.len() > MOST {
                let allowed = "functions that are smooth but for the `kinks` given";
                return wrong(format!("not smooth near {a} s"), allowed);
            }
            let middle = 0.5 * (a + b);
            open.extend([[middle, b], [a, middle]]);
        }
        Ok(Series { pieces, kinks })
    }

    fn piece(&self, t: f64) -> usize {
        self.pieces.partition_point(|p| p.t0 <= t).clamp(1, self.pieces.len()) - 1
    }
}

impl Piece {
    /// Returns the series of a function on an interval, and the magnitude of its last coefficients.
    fn of(t0: f64, t1: f64, function: &mut impl FnMut(f64) -> f64) -> (Piece, f64) {
        let n = DEGREE + 1;
        // sampled at the zeros of the next Chebyshev polynomial: none of them is an end, where the function may have a kink
        let angle = |k: usize| std::f64::consts::PI * (k as f64 + 0.5) / n as f64;
        let (centre, half) = (0.5 * (t0 + t1), 0.5 * (t1 - t0));
        let values: [f64; DEGREE + 1] = std::array::from_fn(|k| function(centre + half * cos(angle(k))));
        let value: [f64; DEGREE + 1] = std::array::from_fn(|j| {
            let sum: f64 = (0..n).map(|k| values[k] * cos(j as f64 * angle(k))).sum();
            sum * if j == 0 { 1.0 } else { 2.0 } / n as f64
        });
        let rough = value[DEGREE - 2..].iter().fold(0.0f64, |most, c| most.max(c.abs()));
        let rate = derivative(&value);
        (Piece { t0, t1, series: [value, rate, derivative(&rate)] }, rough)
    }

    /// Returns dx/dt.
    fn scale(&self) -> f64 {
        2.0 / (self.t1 - self.t0)
    }

    fn at(&self, t: f64) -> Jet {
        let x = ((t - self.t0) - (self.t1 - t)) / (self.t1 - self.t0);
        let [value, rate, second] = self.series.each_ref().map(|c| sum(c, x));
        Jet { value, rate: rate * self.scale(), second: second * powi(self.scale(), 2) }
    }

    /// Returns bounds on the whole piece, from |T_j| ≤ 1.
    fn bounds(&self) -> Jet<Range> {
        let around = |c: &[f64; DEGREE + 1], scale: f64| {
            let way: f64 = c[1..].iter().map(|c| c.abs()).sum();
            Range { lo: (c[0] - way) * scale, hi: (c[0] + way) * scale }
        };
        let s = self.scale();
        let [value, rate, second] = self.series.each_ref();
        Jet { value: around(value, 1.0), rate: around(rate, s), second: around(second, s * s) }
    }
}

/// Returns the coefficients of the derivative: c'_{j−1} = c'_{j+1} + 2 j c_j.
fn derivative(c: &[f64; DEGREE + 1]) -> [f64; DEGREE + 1] {
    let mut d = [0.0; DEGREE + 1];
    for j in (1..=DEGREE).rev() {
        let beyond = d.get(j + 1).copied().unwrap_or(0.0);
        d[j - 1] = beyond + 2.0 * j as f64 * c[j];
    }
    d[0] *= 0.5;
    d
}

/// Evaluates a series by Clenshaw's recurrence.
fn sum(c: &[f64; DEGREE + 1], x: f64) -> f64 {
    let (mut b1, mut b2) = (0.0, 0.0);
    for k in (1..=DEGREE).rev() {
        (b1, b2) = (c[k] + 2.0 * x * b1 - b2, b1);
    }
    c[0] + x * b1 - b2
}

impl Course for Series {
    fn at(&self, t: f64) -> Jet {
        self.pieces[self.piece(t)].at(t)
    }

    fn bounds(&self, t0: f64, t1: f64) -> Jet<Range> {
        let (first, last) = (self.piece(t0), self.piece(t1));
        (first + 1..=last).fold(self.pieces[first].bounds(), |all, i| all.hull(self.pieces[i].bounds()))
    }

    fn smooth_until(&self, t: f64, end: f64) -> f64 {
        self.kinks.iter().copied().find(|kink| *kink > t).map_or(end, |kink| kink.min(end))
    }

    fn known(&self) -> Range {
        let ends = self.pieces.first().zip(self.pieces.last());
        ends.map_or(Range::UNKNOWN, |(first, last)| Range { lo: first.t0, hi: last.t1 })
    }
}
