//! What the laws share: the force lies along −v̂, and a few scene keys.

use carom_base::param::Allowed;
use carom_base::{Param, Quantity, Scalar, SpecError, Vec3};

use super::COEFFICIENT;
use crate::entry::check_value;

/// v² [m²/s²] below which a slip has no direction that could be computed: its square is near the smallest double.
pub(super) const NO_DIRECTION: f64 = 1e-280;

/// −v F/|v|: F/|v| [N s/m] from `ratio` at the slip speed |v| [m/s], or its limit `at_rest` where v has no
/// direction.
#[inline]
pub(crate) fn opposing<S: Scalar>(
    v_t: &Vec3<S>,
    at_rest: impl FnOnce() -> S,
    ratio: impl FnOnce(S) -> S,
) -> Vec3<S> {
    let v_squared = v_t.dot(v_t);
    let per_speed = if v_squared.value() < NO_DIRECTION { at_rest() } else { ratio(Scalar::sqrt(v_squared)) };
    v_t * -per_speed
}

/// tanh(k s)/s. It is k (1 − (k s)²/3 …): where that is k to rounding, take k, so that duals lose nothing.
#[inline]
pub(crate) fn tanh_per_speed<S: Scalar>(k: f64, s: S) -> S {
    let x = k * s.value();
    if x * x < 1e-16 { S::from_f64(k) } else { (S::from_f64(k) * s).tanh() / s }
}

/// Scene key of μs.
pub(super) const STATIC_COEFFICIENT: Param = Param::required(
    "static_coefficient",
    Quantity::Number,
    Allowed::NotNegative,
    "coefficient of static friction μs, not less than `coefficient`",
);

/// Scene key of the speed up to which a law is regularised; `doc` says what it is there.
pub(super) const fn transition_speed(doc: &'static str) -> Param {
    Param::required("transition_speed", Quantity::Speed, Allowed::Positive, doc)
}

/// Each value against its own table line.
pub(crate) fn check_values(law: &'static str, values: &[(&Param, f64)]) -> Result<(), SpecError> {
    values.iter().try_for_each(|(param, value)| check_value(law, param, *value))
}

/// μ and μs: in range, and in order, without which a curve between them could drive.
pub(super) fn check_coefficients(law: &'static str, kinetic: f64, resting: f64) -> Result<(), SpecError> {
    check_values(law, &[(&COEFFICIENT, kinetic), (&STATIC_COEFFICIENT, resting)])?;
    match resting < kinetic {
        false => Ok(()),
        true => Err(SpecError::Conflict {
            kind: law,
            what: "`static_coefficient` must not be less than `coefficient`",
        }),
    }
}
