//! Points in time, for functions that pass through them.

use carom_base::SpecError;
use carom_base::interpolation::{Points, PointsError};

/// Accepts two or more points [t, value] with increasing times.
pub(super) fn in_time(points: &[[f64; 2]]) -> Result<Points, SpecError> {
    Points::new(points).map_err(|e| {
        let (value, allowed) = match e {
            PointsError::TooFew => (format!("{points:?}"), "two points or more, [t, value]"),
            PointsError::NotFinite(p) => (format!("{p:?}"), "finite numbers"),
            PointsError::NotIncreasing(before, t) => (format!("{t} after {before}"), "times that increase"),
        };
        SpecError::NotAllowed { kind: "table", name: "table", value, allowed: allowed.to_owned() }
    })
}
