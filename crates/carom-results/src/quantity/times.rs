//! Quantities over time, and the union of the times of several.

/// A quantity over time, linear between its points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    /// times \[s\], increasing
    pub t: Vec<f64>,
    /// one value per time; NaN where it is not known
    pub values: Vec<f64>,
}

impl Curve {
    /// Returns its values at these increasing times \[s\]; NaN outside its time span.
    pub fn at(&self, times: &[f64]) -> Vec<f64> {
        if self.t == times {
            return self.values.clone();
        }
        let mut i = 0;
        let value = |t: &f64| {
            while self.t.get(i).is_some_and(|x| x < t) {
                i += 1;
            }
            let before = i.checked_sub(1).map(|i| (self.t[i], self.values[i]));
            match (before, self.t.get(i).copied().zip(self.values.get(i).copied())) {
                (_, Some((at, x))) if at == *t => x,
                (Some(a), Some(b)) => a.1 + (b.1 - a.1) * (t - a.0) / (b.0 - a.0),
                _ => f64::NAN,
            }
        };
        times.iter().map(value).collect()
    }
}

/// Returns all times of some curves, each once, in increasing order.
pub fn all_times<'c>(curves: impl Iterator<Item = &'c [f64]> + Clone) -> Vec<f64> {
    let first = curves.clone().next().unwrap_or_default();
    if curves.clone().all(|t| t == first) {
        return first.to_vec();
    }
    let mut all: Vec<f64> = curves.flatten().copied().collect();
    all.sort_by(f64::total_cmp);
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_meet_at_all_their_times() {
        let a = Curve { t: vec![0.0, 1.0, 2.0], values: vec![0.0, 10.0, 0.0] };
        let b = Curve { t: vec![0.0, 0.5, 2.0], values: vec![1.0, f64::NAN, 3.0] };
        let t = all_times([&a.t[..], &b.t].into_iter());
        assert_eq!(t, [0.0, 0.5, 1.0, 2.0]);
        assert_eq!(a.at(&t), [0.0, 5.0, 10.0, 0.0]);
        let other = b.at(&t);
        assert!(other[0] == 1.0 && other[1].is_nan() && other[2].is_nan() && other[3] == 3.0);
        assert!(a.at(&[-1.0])[0].is_nan() && a.at(&[2.5])[0].is_nan());
    }
}
