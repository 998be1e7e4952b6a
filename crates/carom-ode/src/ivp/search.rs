//! Finds the first zero of one function of time within a step, from samples.
//!
//! Times run in the direction of integration, forward or backward; "earlier" and "later" refer to that direction.

use super::event::Side;

/// A function within a step from t0 to t1.
pub(super) struct Within<'f> {
    pub(super) t0: f64,
    pub(super) t1: f64,
    pub(super) g: &'f mut dyn FnMut(f64) -> f64,
}

/// A zero of g, reached from one side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Zero {
    pub(super) t: f64,
    /// the side from which g came
    pub(super) from: Side,
    /// whether g jumped over zero instead of passing through it
    pub(super) jump: bool,
}

/// The start of a search: the side of zero on which g is, or for which it has just left zero.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    pub(super) side: Side,
    /// g is zero to rounding at t0, and leaves for `side`
    pub(super) leaving: bool,
    /// whether that is certain, because an action sent it there: the search must then find g on that side
    pub(super) sure: bool,
}

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Outcome {
    Nothing,
    At(Zero),
    /// there is no zero up to this time; the rest could not be searched
    ClearUntil(f64),
    /// g, sent away by an action, is back sooner than floating-point times can resolve
    BackAtOnce,
}

/// The points at which g is evaluated, as fractions of a step. Two are close to the ends, so that a dip next to an end
/// is found.
pub(super) const POINTS: [f64; 11] =
    [0.0, 1e-3, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0 - 1e-3, 1.0];

impl Within<'_> {
    /// The resolution of floating-point times here.
    pub(super) fn grain(&self) -> f64 {
        f64::EPSILON * self.t0.abs().max(self.t1.abs())
    }

    /// Returns whether two times are so close that no step fits between them.
    pub(super) fn too_near(&self, t: f64, other: f64) -> bool {
        (t - other).abs() <= 64.0 * self.grain()
    }

    pub(super) fn time(&self, part: f64) -> f64 {
        if part == 1.0 { self.t1 } else { self.t0 + part * (self.t1 - self.t0) }
    }

    /// Finds the first zero that counts, given the values of g at [`POINTS`].
    pub(super) fn look(
        &mut self,
        values: &[f64; POINTS.len()],
        start: Start,
        counts: &dyn Fn(Side) -> bool,
    ) -> Outcome {
        let (mut side, mut leaving) = (start.side, start.leaving);
        if !leaving && !side.holds(values[0]) && counts(side) {
            return Outcome::At(Zero { t: self.t0, from: side, jump: false });
        }
        for j in 1..POINTS.len() {
            let mut earlier = (self.time(POINTS[j - 1]), values[j - 1]);
            let later = (self.time(POINTS[j]), values[j]);
            if leaving && side.holds(later.1) {
                leaving = false;
            } else if leaving {
                match self.first_on_side(side, later.0) {
                    Some(found) => (earlier, leaving) = (found, false),
                    None if start.sure && !self.too_near(later.0, self.t0) && counts(side) => {
                        return Outcome::BackAtOnce;
                    }
                    // g is still zero, or still on the old side of a jump because of the error of the step
                    None => continue,
                }
            }
            if !side.holds(later.1) {
                if counts(side) {
                    return Outcome::At(self.zero(earlier, later, side));
                }
                side = Side::of(later.1).unwrap_or(side);
                continue;
            }
            let dip = (j + 1 < POINTS.len()).then(|| (self.time(POINTS[j + 1]), values[j + 1]));
            let Some(next) = dip.filter(|next| is_dip(earlier.1, later.1, next.1, side)) else { continue };
            if let Some(bottom) = self.bottom(earlier, later, next, side) {
                let (from, a, b) =
                    if counts(side) { (side, earlier, bottom) } else { (side.other(), bottom, next) };
                return Outcome::At(self.zero(a, b, from));
            }
        }
        Outcome::Nothing
    }

    /// Finds a time before `t` at which g is on the side for which it left zero, however soon it came back.
    fn first_on_side(&mut self, side: Side, t: f64) -> Option<(f64, f64)> {
        let mut w = 0.5 * (t - self.t0);
        while w.abs() > self.grain() {
            let g = (self.g)(self.t0 + w);
            if side.holds(g) {
                return Some((self.t0 + w, g));
            }
            w *= 0.5;
        }
        None
    }

    /// Finds the zero between `a`, on the side, and `b`, not on it: T. R. Chandrupatla, *A new hybrid
    /// quadratic/bisection algorithm for finding the zero of a nonlinear function without using derivatives*, Adv. Eng.
    /// Software 28 (1997) 145–149. It bisects where g is not smooth, so jumps are found too.
    fn zero(&mut self, a: (f64, f64), b: (f64, f64), side: Side) -> Zero {
        let size = a.1.abs().max(b.1.abs());
        // x1 and x2 enclose the zero; x3 is the point just dropped
        let ((mut x1, mut f1), (mut x2, mut f2)) = (b, a);
        let mut part = 0.5;
        for _ in 0..200 {
            let x = x1 + part * (x2 - x1);
            let f = if x == x1 || x == x2 { break } else { (self.g)(x) };
            let (x3, f3);
            if side.holds(f) == side.holds(f1) {
                (x3, f3) = (x1, f1);
            } else {
                (x3, f3, x2, f2) = (x2, f2, x1, f1);
            }
            (x1, f1) = (x, f);
            let least = self.grain() / (x2 - x1).abs();
            if f == 0.0 || least > 0.5 {
                break;
            }
            let (xi, phi) = ((x1 - x2) / (x3 - x2), (f1 - f2) / (f3 - f2));
            let quadratic = phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi;
            part = if quadratic {
                f1 / (f2 - f1) * f3 / (f2 - f3) + (x3 - x1) / (x2 - x1) * f1 / (f3 - f1) * f2 / (f3 - f2)
            } else {
                0.5
            };
            part = if part.is_nan() { 0.5 } else { part.clamp(least, 1.0 - least) };
        }
        let t = if side.holds(f1) { x2 } else { x1 };
        // only a jump changes g by that much in so short a time
        let smooth = (1e-6 + 100.0 * (x2 - x1).abs() / (b.0 - a.0).abs()) * size;
        let jump = (f1 - f2).abs() > smooth && f1 != 0.0 && f2 != 0.0;
        Zero { t, from: side, jump }
    }

    /// Finds a time near a dip at which g has crossed zero, if its minimum lies beyond zero: parabolas, and golden
    /// sections where they do not help (R. P. Brent, *Algorithms for Minimization without Derivatives*, ch. 5).
    fn bottom(
        &mut self,
        mut a: (f64, f64),
        mut m: (f64, f64),
        mut b: (f64, f64),
        side: Side,
    ) -> Option<(f64, f64)> {
        let least = (1e-8 * (b.0 - a.0).abs()).max(self.grain());
        for round in 0..60 {
            let (p, q) = ((m.0 - a.0) * (m.1 - b.1), (m.0 - b.0) * (m.1 - a.1));
            let vertex = m.0 - 0.5 * ((m.0 - a.0) * p - (m.0 - b.0) * q) / (p - q);
            // every third point is a golden section, so that the bracket is certain to shrink
            let inside = (vertex - a.0) * (b.0 - vertex) > 0.0 && (vertex - m.0).abs() > 0.1 * least;
            let x = if inside && round % 3 != 2 { vertex } else { golden(a.0, m.0, b.0) };
            let g = (self.g)(x);
            if !side.holds(g) {
                return Some((x, g));
            }
            let gained = m.1.abs() - g.abs();
            let (first, second) = if (x - m.0) * (b.0 - a.0) > 0.0 { (m, (x, g)) } else { ((x, g), m) };
            if second.1.abs() <= first.1.abs() {
                (a, m) = (first, second);
            } else {
                (m, b) = (first, second);
            }
            // the bracket is very short, or the minimum is known and does not reach zero
            if (b.0 - a.0).abs() <= least || (round >= 6 && gained.abs() < 1e-3 * m.1.abs()) {
                return None;
            }
        }
        None
    }
}

/// Returns whether |g| is smallest in the middle of three values on one side.
fn is_dip(a: f64, m: f64, b: f64, side: Side) -> bool {
    let (a, m, b) = (a * side.sign(), m * side.sign(), b * side.sign());
    b > 0.0 && m <= a && m <= b && (m < a || m < b)
}

/// Returns a point in the larger part of the bracket.
fn golden(a: f64, m: f64, b: f64) -> f64 {
    const C: f64 = 0.381_966_011_250_105;
    if (b - m).abs() > (m - a).abs() { m + C * (b - m) } else { m - C * (m - a) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(f: fn(f64) -> f64, t0: f64, t1: f64, counts: &dyn Fn(Side) -> bool) -> Option<Zero> {
        let mut g = f;
        let mut within = Within { t0, t1, g: &mut g };
        let values = POINTS.map(|p| f(within.time(p)));
        let side = Side::of(f(t0)).unwrap();
        match within.look(&values, Start { side, leaving: false, sure: false }, counts) {
            Outcome::At(zero) => Some(zero),
            _ => None,
        }
    }

    #[test]
    fn zeros_are_found_to_rounding_either_way() {
        let any = |_: Side| true;
        for (t0, t1) in [(0.0, 1.0), (1.0, 0.0), (-3.0, 5.0)] {
            let zero = find(|t| (t - 0.3).exp() - 1.0, t0, t1, &any).unwrap();
            assert!((zero.t - 0.3).abs() < 1e-15 && !zero.jump, "{zero:?}");
        }
        let jump = find(|t| if t < 0.3 { 2.0 } else { -1.0 }, 0.0, 1.0, &any).unwrap();
        assert!((jump.t - 0.3).abs() < 1e-15 && jump.jump, "{jump:?}");
    }

    #[test]
    fn dips_are_found_and_near_misses_are_not() {
        let any = |_: Side| true;
        let zero = find(|t| (t - 0.31f64).powi(2) - 1e-8, 0.0, 1.0, &any).unwrap();
        assert!((zero.t - (0.31 - 1e-4)).abs() < 1e-12, "{zero:?}");
        assert_eq!(find(|t| (t - 0.31f64).powi(2) + 1e-8, 0.0, 1.0, &any), None);
        let rising = find(|t| (t - 0.31f64).powi(2) - 1e-8, 0.0, 1.0, &|s| s == Side::Below).unwrap();
        assert!((rising.t - (0.31 + 1e-4)).abs() < 1e-12, "{rising:?}");
        // close to either end, and with a corner at its bottom
        for c in [8e-4, 1.0 - 8e-4] {
            let f = |t: f64| (t - c).abs() - 1e-6;
            let mut g = f;
            let mut within = Within { t0: 0.0, t1: 1.0, g: &mut g };
            let values = POINTS.map(f);
            let start = Start { side: Side::Above, leaving: false, sure: false };
            let Outcome::At(zero) = within.look(&values, start, &any) else { panic!("{c}") };
            assert!((zero.t - (c - 1e-6)).abs() < 1e-12, "{zero:?}");
        }
    }
}
