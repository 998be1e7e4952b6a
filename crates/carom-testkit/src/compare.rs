//! Assertions on numbers. Their messages state what was compared, the value found and its error.

/// Asserts that `got` equals `want` to a relative tolerance.
///
/// ```
/// carom_testkit::close("the root of 2", 2f64.sqrt(), 1.4142135623730951, 1e-15);
/// ```
#[track_caller]
pub fn close(what: &str, got: f64, want: f64, relative: f64) {
    within(what, got, want, relative, 0.0);
}

/// Asserts that `got` equals `want` to an absolute tolerance, in the unit of both.
///
/// ```
/// carom_testkit::near("the sine of pi", std::f64::consts::PI.sin(), 0.0, 1e-15);
/// ```
#[track_caller]
pub fn near(what: &str, got: f64, want: f64, absolute: f64) {
    let error = (got - want).abs();
    assert!(error <= absolute, "{what}: {got:e} instead of {want:e}, {error:.1e} off");
}

/// Asserts that `got` equals `want` to a tolerance relative to |want|, or to `scale` where that is larger.
///
/// ```
/// carom_testkit::within("a force that is nearly zero", 1e-17, 0.0, 1e-15, 1.0);
/// ```
#[track_caller]
pub fn within(what: &str, got: f64, want: f64, relative: f64, scale: f64) {
    let (error, size) = ((got - want).abs(), want.abs().max(scale));
    assert!(error <= relative * size, "{what}: {got:e} instead of {want:e}, {:.1e} of it off", error / size);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_numbers_pass_and_others_do_not() {
        close("1", 1.0 + 1e-10, 1.0, 1e-9);
        near("0", 1e-10, 0.0, 1e-9);
        within("0", 1e-10, 0.0, 1e-9, 1.0);
        for wrong in [
            || close("1", 1.0 + 1e-8, 1.0, 1e-9),
            || close("NaN", f64::NAN, 1.0, 1e-9),
            || near("0", 1e-8, 0.0, 1e-9),
            || near("NaN", f64::NAN, 0.0, 1e-9),
            || within("0", 1e-8, 0.0, 1e-9, 1.0),
        ] {
            assert!(std::panic::catch_unwind(wrong).is_err());
        }
    }
}
