//! A joint at its limit: a contact pair like any other, whose one contact point acts by the generalised forces of a
//! measure q.
//!
//!   δ = ± ρ (q − q₀),   δ̇ = ± ρ q̇,   generalised force on each body: −f_n times the gradient of δ.
//!
//! | limited coordinate | q | ρ |
//! |---|---|---|
//! | a displacement | (p_a − p_b)·e_b | 1 |
//! | an angle, where the joint keeps the bodies together across its axis | angle of the line from the point of one body to a peg on the other, at the distance ρ across the axis | `stop_radius` |
//! | an angle, where they may move apart (as in a planar joint) | angle of a direction of A: the stop is a couple | `stop_radius` |
//! | a swing | the angle between an axis of B and the line from its point to a peg on A, at the distance ρ along its axis | `stop_radius` |
//!
//! A gradient is exact for bodies that deform as for rigid ones, so that δ̇ is the rate of δ and f_n δ̇ the power in
//! any motion. On rigid bodies the force of a displacement or a peg is a force at a point, and the joint carries the
//! remaining reaction.
//!
//! Full turns are counted from the last known indentation (`Seed::delta`): of all equivalent angles the one closest to
//! it is taken.

use carom_base::{Pose, Scalar, Vec3};
use carom_geometry::{BoundPair, Contact, GapBounds, PairFailure, PairFeatures, RelativeCurvature, Seed};

use super::equation::unwrapped;
use super::limit::Side;
use super::measure::{A, B, Measure, Row, Vector};
use super::moving::Moving;

/// A limit of a coordinate as a contact pair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StopPair {
    /// q: the measure that is limited
    pub(crate) measure: Measure,
    /// q₀: its limit [rad or m]
    pub(crate) bound: f64,
    pub(crate) side: Side,
    /// ρ [m]; 1 for a displacement
    pub(crate) radius: f64,
    /// where it is drawn: the body (A or B), and the point from its centre of mass [m]
    pub(crate) seen: (usize, Vec3),
    pub(crate) name: &'static str,
}

impl StopPair {
    /// Returns ± ρ.
    fn scale(&self) -> f64 {
        if self.side == Side::Upper { self.radius } else { -self.radius }
    }

    /// Returns δ with its rates and gradients; `was`: the last known indentation [m], for counting full turns.
    pub(crate) fn row<S: Scalar>(&self, ends: [&Moving<S>; 2], was: Option<f64>) -> Row<S> {
        let mut row = self.measure.at(ends);
        let q = row.value.value();
        let counted = match was {
            Some(delta) if self.turns() => unwrapped(q, self.bound + delta / self.scale()),
            _ => q,
        };
        // only whole turns are added, so the derivatives stay
        row.value += S::from_f64(counted - q - self.bound);
        let scale = S::from_f64(self.scale());
        for x in [&mut row.value, &mut row.rate, &mut row.bias] {
            *x *= scale;
        }
        for force in &mut row.forces {
            force.f *= scale;
            force.arms.iter_mut().for_each(|arm| arm.g *= scale);
        }
        row
    }

    /// Whether it is an angle whose full turns are counted.
    pub(crate) fn turns(&self) -> bool {
        matches!(self.measure, Measure::Angle { .. })
    }

    /// Returns the largest distance from the centres of mass of A and B at which forces can act, as far as it is given
    /// by the geometry of the bodies [m].
    pub(crate) fn levers(&self) -> [f64; 2] {
        match self.measure {
            Measure::Dot { d: Vector::Between(points), .. } => points.map(|p| p.norm()),
            _ => [self.seen.1.norm() + self.radius; 2],
        }
    }

    /// Returns the contact: the point where it is drawn, and the normal n; the stop pushes A back along −n.
    fn at(&self, x_a: &Pose, x_b: &Pose, was: Option<f64>) -> Result<Contact, PairFailure> {
        let row = self.row([&Moving::still(x_a), &Moving::still(x_b)], was);
        let (end, point) = self.seen;
        let p = [x_a, x_b][end].point(&point);
        let force = &row.forces[A];
        let way = if self.measure.only_turns() { force.arms[0].g } else { force.f };
        let n = way.normalize();
        let all = row.value + p.sum() + n.sum();
        if all.is_finite() {
            Ok(Contact { p_a: p, p_b: p, n, delta: row.value, share: 1.0, common: None })
        } else {
            Err(PairFailure::NotFinite)
        }
    }
}

impl PairFeatures for StopPair {
    fn solver(&self) -> &'static str {
        "stop"
    }
    fn features(&self) -> usize {
        1
    }
    fn feature_name(&self, _: usize) -> String {
        self.name.to_owned()
    }
    fn curvature(&self, _: usize, _: &Pose, _: &Pose) -> RelativeCurvature {
        RelativeCurvature::point(0.0, 0.0)
    }
    /// Returns bounds of the gap: the second rates of s and ρ θ are bounded by the accelerations of the points, but
    /// that of ψ is not, as its axis turns.
    fn bounds(&self) -> GapBounds {
        let known = !matches!(self.measure, Measure::Between { .. });
        GapBounds {
            follows_b: self.seen.0 == B,
            ..if known { GapBounds::CONVEX } else { GapBounds::UNKNOWN }
        }
    }
}

/// (It returns no derivatives: its generalised forces do not follow from its contact point.)
impl BoundPair for StopPair {
    fn contact(&self, _: usize, x_a: &Pose, x_b: &Pose) -> Result<Contact, PairFailure> {
        self.at(x_a, x_b, None)
    }
    fn contact_from(
        &self,
        _: usize,
        x_a: &Pose,
        x_b: &Pose,
        seed: Option<&Seed>,
    ) -> Result<Contact, PairFailure> {
        self.at(x_a, x_b, seed.map(|s| s.delta))
    }
    fn is_iterative(&self) -> bool {
        self.turns()
    }
}
