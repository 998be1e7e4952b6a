//! Zeros of a function of one variable on the interval from 0 to 1.

/// A function's value and derivative.
pub(super) type Value = (f64, f64);

/// A step of Newton's method that is shorter than this was the last: what is left is of the order of its square.
const LAST_STEP: f64 = 1e-5;

/// The zero between a and b, where the function has the values `fa` and `fb` of opposite signs: Newton's method, or halving where that leaves the interval. As accurate as integrals need it that have a kink there: to some 1e-9.
pub(super) fn between(f: impl Fn(f64) -> Value, mut a: f64, fa: f64, mut b: f64, fb: f64) -> f64 {
    let mut x = a + (b - a) * (fa / (fa - fb));
    for _ in 0..60 {
        let (value, slope) = f(x);
        if value == 0.0 {
            return x;
        }
        if (value < 0.0) == (fa < 0.0) {
            a = x
        } else {
            b = x
        }
        let step = value / slope;
        let next = x - step;
        let inside = (a.min(b)..=a.max(b)).contains(&next);
        if inside && step.abs() < LAST_STEP {
            return next;
        }
        x = if inside { next } else { 0.5 * (a + b) };
        if (b - a).abs() < 1e-10 {
            return x;
        }
    }
    x
}

/// Parts that the interval is looked at in.
const PARTS: usize = 4;
/// Room for the ends and two zeros of three functions in each part of two edges.
pub(super) const MOST: usize = 2 + 12 * PARTS;

/// Adds the zeros to a list: in each part one, if the signs at its ends differ, or two about an extremum that reaches beyond zero.
pub(super) fn all(f: impl Fn(f64) -> Value, found: &mut [f64; MOST], count: &mut usize) {
    let mut add = |x: f64| {
        if *count < MOST {
            found[*count] = x;
            *count += 1;
        }
    };
    let at = |k: usize| k as f64 / PARTS as f64;
    let mut before = f(0.0);
    for k in 0..PARTS {
        let (a, b) = (at(k), at(k + 1));
        let (left, right) = (before, f(b));
        before = right;
        if (left.0 < 0.0) != (right.0 < 0.0) {
            add(between(&f, a, left.0, b, right.0));
            continue;
        }
        // towards zero from both ends
        let towards = left.0 * left.1 < 0.0 && right.0 * right.1 > 0.0;
        let near = left.0.abs().min(right.0.abs()) < 0.5 * (b - a) * (left.1.abs() + right.1.abs());
        if !(towards && near) {
            continue;
        }
        let x = a + (b - a) * (left.1 / (left.1 - right.1));
        let middle = f(x).0;
        if (middle < 0.0) != (left.0 < 0.0) {
            add(between(&f, a, left.0, x, middle));
            add(between(&f, x, middle, b, right.0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_are_found_one_by_one_and_in_twos() {
        let (mut found, mut count) = ([0.0; MOST], 0);
        all(|x| ((x - 0.6) * (x - 0.66), 2.0 * x - 1.26), &mut found, &mut count);
        all(|x| (x * x * x - 0.001, 3.0 * x * x), &mut found, &mut count);
        assert_eq!(count, 3);
        for (x, exact) in found.iter().zip([0.6, 0.66, 0.1]) {
            assert!((x - exact).abs() < 1e-8, "{x}");
        }
    }
}
