//! The norm of an error: its largest component over the error allowed, and which that is.
//!
//! The maximum, not a mean: one component of a thousand must not hide behind the others. NaN wins over every number.

/// The largest |e_i| over the error allowed, so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Largest {
    pub(crate) norm: f64,
    /// the component
    pub(crate) at: usize,
}

impl Largest {
    pub(crate) const NONE: Largest = Largest { norm: 0.0, at: 0 };

    /// Looks at component i.
    #[inline(always)]
    pub(crate) fn see(&mut self, error: f64, allowed: f64, i: usize) {
        // no error is within any tolerance, even none
        let e = error.abs() / allowed.max(f64::MIN_POSITIVE);
        // written so that a NaN is kept
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
