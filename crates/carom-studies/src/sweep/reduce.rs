//! Reduces a quantity over time to a number.

use crate::integral::trapezoidal;

/// The names of the functions, each with its reduction.
pub(super) const ALL: [(&str, Reduce); 9] = [
    ("max", Reduce::Max),
    ("min", Reduce::Min),
    ("initial", Reduce::Initial),
    ("final", Reduce::Final),
    ("mean", Reduce::Mean),
    ("rms", Reduce::Rms),
    ("integral", Reduce::Integral),
    ("crossing", Reduce::Crossing),
    ("at", Reduce::At),
];

/// The reduction of a quantity over time to a number. Unknown values (NaN) are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reduce {
    Max,
    Min,
    /// the first value
    Initial,
    /// the last value
    Final,
    /// mean over time, by the trapezoidal rule
    Mean,
    /// the root of the mean square over time
    Rms,
    /// integral over time, by the trapezoidal rule
    Integral,
    /// the time of the first change of sign [s], interpolated linearly between outputs
    Crossing,
    /// the value at a time, interpolated linearly between outputs
    At,
}

impl Reduce {
    /// Returns the number, NaN if there is none. `when` is the time for [`Reduce::At`].
    pub(super) fn of(self, t: &[f64], x: &[f64], when: f64) -> f64 {
        let known: Vec<(f64, f64)> =
            t.iter().copied().zip(x.iter().copied()).filter(|p| !p.1.is_nan()).collect();
        let values = || known.iter().map(|p| p.1);
        let length = || known.last().map_or(0.0, |l| l.0) - known.first().map_or(0.0, |f| f.0);
        match self {
            Reduce::Max => values().reduce(f64::max).unwrap_or(f64::NAN),
            Reduce::Min => values().reduce(f64::min).unwrap_or(f64::NAN),
            Reduce::Initial => known.first().map_or(f64::NAN, |p| p.1),
            Reduce::Final => known.last().map_or(f64::NAN, |p| p.1),
            Reduce::Integral => integral(&known, |x| x),
            Reduce::Mean => integral(&known, |x| x) / length(),
            Reduce::Rms => (integral(&known, |x| x * x) / length()).sqrt(),
            Reduce::Crossing => crossing(&known),
            Reduce::At => at(&known, when),
        }
    }
}

fn integral(known: &[(f64, f64)], f: impl Fn(f64) -> f64) -> f64 {
    let values: Vec<(f64, f64)> = known.iter().map(|(t, x)| (*t, f(*x))).collect();
    if known.len() < 2 { f64::NAN } else { trapezoidal(&values) }
}

fn crossing(known: &[(f64, f64)]) -> f64 {
    if let Some((t, _)) = known.first().filter(|p| p.1 == 0.0) {
        return *t;
    }
    let changes = |w: &&[(f64, f64)]| w[1].1 == 0.0 || (w[0].1 < 0.0) != (w[1].1 < 0.0);
    let on_line = |w: &[(f64, f64)]| w[0].0 + (w[1].0 - w[0].0) * w[0].1 / (w[0].1 - w[1].1);
    known.windows(2).find(changes).map_or(f64::NAN, on_line)
}

fn at(known: &[(f64, f64)], when: f64) -> f64 {
    let i = known.partition_point(|p| p.0 < when);
    match (i.checked_sub(1).and_then(|i| known.get(i)), known.get(i)) {
        (_, Some((t, x))) if *t == when => *x,
        (Some(a), Some(b)) => a.1 + (b.1 - a.1) * (when - a.0) / (b.0 - a.0),
        // outside the time span there is no value
        _ => f64::NAN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_a_parabola() {
        let t: Vec<f64> = (0..=1000).map(|i| f64::from(i) * 1e-3).collect();
        let x: Vec<f64> = t.iter().map(|t| (t - 0.5) * (t - 0.9)).collect();
        let of = |how: Reduce, when| how.of(&t, &x, when);
        assert_eq!((of(Reduce::Initial, 0.0), of(Reduce::Max, 0.0)), (0.45, 0.45));
        assert!((of(Reduce::Min, 0.0) + 0.04).abs() < 1e-15 && (of(Reduce::Final, 0.0) - 0.05).abs() < 1e-15);
        // 1/3 − 1.4/2 + 0.45, and the trapezoid's h²/12 (f'(1) − f'(0))
        let exact = 1.0 / 3.0 - 0.7 + 0.45 + 1e-6 / 12.0 * 2.0;
        assert!((of(Reduce::Integral, 0.0) - exact).abs() < 1e-14);
        assert!((of(Reduce::Mean, 0.0) - exact).abs() < 1e-14);
        assert!((of(Reduce::Crossing, 0.0) - 0.5).abs() < 1e-6);
        // h²/8 f'' is the error of the chord
        assert!((of(Reduce::At, 0.2005) - (0.2005 - 0.5) * (0.2005 - 0.9)).abs() < 2.6e-7);
        assert!(of(Reduce::At, 1.1).is_nan() && of(Reduce::At, -0.1).is_nan());
        let ones = vec![-2.0; t.len()];
        assert!((Reduce::Rms.of(&t, &ones, 0.0) - 2.0).abs() < 1e-14);
        assert!(
            Reduce::Crossing.of(&t, &ones, 0.0).is_nan() && Reduce::Mean.of(&[0.0], &[1.0], 0.0).is_nan()
        );
        assert_eq!(Reduce::Max.of(&[0.0, 1.0, 2.0], &[1.0, f64::NAN, 0.5], 0.0), 1.0);
    }
}
