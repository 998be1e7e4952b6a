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

/// The zero between an end, where the function is negative, and the place where it is largest, `top` > 0: as there it is like a parabola, the root of how far it is below its largest value is like a straight line, to which Newton's method is applied, or
/// halving where that leaves the interval. As accurate as integrals need it, relative to the distance from the top, however near that is.
pub(super) fn beside(f: impl Fn(f64) -> Value, end: f64, at_end: f64, summit: f64, top: f64) -> f64 {
    let goal = top.sqrt();
    let (mut out, mut within) = (end, summit);
    let mut x = summit + (end - summit) * (goal / (top - at_end).sqrt());
    for _ in 0..60 {
        let (value, slope) = f(x);
        if value < 0.0 {
            out = x
        } else {
            within = x
        }
        let fall = (top - value).max(0.0).sqrt();
        let step = (fall - goal) * -2.0 * fall / slope;
        let next = x - step;
        let inside = (out.min(within)..=out.max(within)).contains(&next);
        let length = (x - summit).abs();
        if inside && step.abs() < LAST_STEP * length {
            return next;
        }
        x = if inside { next } else { 0.5 * (out + within) };
        if (out - within).abs() < 1e-10 * length {
            return x;
        }
    }
    x
}

/// Where a function is largest whose derivative falls throughout: where that is zero, by the rule of false position, with the weight of an end that stays halved (the Illinois algorithm), or at an end. To some 1e-8: the error of the
/// largest value is of the order of its square.
pub(super) fn top(slope: impl Fn(f64) -> f64) -> f64 {
    let (mut a, mut b) = ((0.0, slope(0.0)), (1.0, slope(1.0)));
    if a.1 <= 0.0 {
        return 0.0;
    }
    if b.1 >= 0.0 {
        return 1.0;
    }
    let mut before = 0.0;
    for _ in 0..40 {
        let x = (a.0 * b.1 - b.0 * a.1) / (b.1 - a.1);
        let value = slope(x);
        if value == 0.0 || (x - before).abs() < TOP {
            return x;
        }
        before = x;
        if value < 0.0 { (a.1, b) = (0.5 * a.1, (x, value)) } else { (a, b.1) = ((x, value), 0.5 * b.1) }
    }
    before
}

/// How far from where a function is largest the search for that place may end.
const TOP: f64 = 1e-8;

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
    fn the_largest_value_is_found() {
        for place in [-0.3, 0.0, 1e-3, 0.4, 0.999, 1.0, 1.2] {
            let found = top(|x| (place - x) * (1.0 + 0.5 * (place - x).cos()));
            assert!((found - place.clamp(0.0, 1.0)).abs() < 1e-7, "{found} {place}");
        }
    }

    #[test]
    fn zeros_beside_a_summit_are_found_however_near() {
        for top in [0.1, 1e-3, 1e-8, 1e-14] {
            let f = |x: f64| {
                let y = x - 0.4;
                (top - y * y * (1.0 + 0.3 * y), -2.0 * y - 0.9 * y * y)
            };
            for end in [0.0, 1.0] {
                let x = beside(f, end, f(end).0, 0.4, top);
                assert!(f(x).0.abs() < 1e-9 * top, "{top} {end} {x}");
            }
        }
    }

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
