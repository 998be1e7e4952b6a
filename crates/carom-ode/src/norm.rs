//! The norm of an error: the largest ratio of error to allowed error over all components, and the component that has
//! it.
//!
//! It is the maximum, not a mean, so that one large error among a thousand components is not averaged away. NaN counts
//! as larger than every number.

/// The largest |e_i| divided by the error allowed, so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Largest {
    pub(crate) norm: f64,
    /// the component
    pub(crate) at: usize,
}

impl Largest {
    pub(crate) const NONE: Largest = Largest { norm: 0.0, at: 0 };

    /// Includes component i.
    #[inline(always)]
    pub(crate) fn see(&mut self, error: f64, allowed: f64, i: usize) {
        // an error of zero is within any tolerance, even a tolerance of zero
        let e = error.abs() / allowed.max(f64::MIN_POSITIVE);
        // the comparison is written so that a NaN is kept
        if !(e <= self.norm) && !self.norm.is_nan() {
            *self = Largest { norm: e, at: i };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn largest(errors: &[f64], allowed: &[f64]) -> (f64, usize) {
        let mut largest = Largest::NONE;
        for (i, (e, allowed)) in errors.iter().zip(allowed).enumerate() {
            largest.see(*e, *allowed, i);
        }
        (largest.norm, largest.at)
    }

    #[test]
    fn the_worst_component() {
        assert_eq!(largest(&[1.0, -3.0, 2.0], &[1.0, 2.0, 1.0]), (2.0, 2));
        assert_eq!(largest(&[], &[]), (0.0, 0));
        assert_eq!(largest(&[0.0], &[0.0]), (0.0, 0));
        assert!(largest(&[0.0, 1e-12], &[0.0, 0.0]).0 > 1e200);
        let (norm, at) = largest(&[1.0, f64::NAN, 5.0], &[1.0; 3]);
        assert!(norm.is_nan() && at == 1);
    }
}
