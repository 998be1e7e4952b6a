//! Points in time, for functions that pass through them.

use carom_base::SpecError;

/// Pairs of a time and a value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Points(Vec<[f64; 2]>);

impl Points {
    /// Accepts two or more points with increasing times.
    pub(super) fn new(points: &[[f64; 2]]) -> Result<Points, SpecError> {
        let bad = |value: String, allowed: &str| {
            Err(SpecError::NotAllowed { kind: "table", name: "table", value, allowed: allowed.to_owned() })
        };
        if points.len() < 2 {
            return bad(format!("{points:?}"), "two points or more, [t, value]");
        }
        if let Some(p) = points.iter().find(|p| !p.iter().all(|x| x.is_finite())) {
            return bad(format!("{p:?}"), "finite numbers");
        }
        if let Some(w) = points.windows(2).find(|w| w[1][0] <= w[0][0]) {
            return bad(format!("{} after {}", w[1][0], w[0][0]), "times that increase");
        }
        Ok(Points(points.to_vec()))
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn t(&self, i: usize) -> f64 {
        self.0[i][0]
    }

    pub(super) fn x(&self, i: usize) -> f64 {
        self.0[i][1]
    }

    pub(super) fn last(&self) -> usize {
        self.0.len() - 1
    }

    /// Returns the slope from point i to the next.
    pub(super) fn slope(&self, i: usize) -> f64 {
        (self.x(i + 1) - self.x(i)) / (self.t(i + 1) - self.t(i))
    }

    /// Returns the number of points that are not after `t`.
    pub(super) fn up_to(&self, t: f64) -> usize {
        self.0.partition_point(|p| p[0] <= t)
    }
}
