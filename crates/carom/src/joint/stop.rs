//! Where a joint meets its limit: a pair of the contact machinery like any other, whose one point acts by the pulls of a measure q.
//!
//!   δ = ± ρ (q − q₀),   δ̇ = ± ρ q̇,   on each body −f_n times the gradient of δ.
//!
//! | what is stopped | q | ρ |
//! |---|---|---|
//! | a displacement | (p_a − p_b)·e_b | 1 |
//! | an angle, where the joint keeps the bodies together across its axis | that of the line from the point of one body to a peg on the other, at ρ across the axis | `stop_radius` |
//! | an angle, where they may part (a planar joint) | that of a direction of A: the stop is a couple | `stop_radius` |
//! | a swing | the angle between an axis of B and the line from its point to a peg on A, at ρ along its axis | `stop_radius` |
//!
//! A gradient is exact on bodies that deform as on rigid ones, so δ̇ is the rate of δ and f_n δ̇ the power whatever they do. On rigid bodies the force of a displacement or a peg is one at a point,
//! and the joint feels the rest of it.
//!
//! The turns are counted from the last indentation known (`Seed::delta`): the angle nearest to it is meant.

use carom_base::{Pose, Scalar, Vec3};
use carom_geometry::{BoundPair, Contact, GapBounds, PairFailure, PairFeatures, RelativeCurvature, Seed};

use super::equation::unwrapped;
use super::limit::Side;
use super::measure::{A, B, Measure, Row, Vector};
use super::moving::Moving;

/// A limit as a pair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StopPair {
    /// q
    pub(crate) measure: Measure,
    /// q₀
    pub(crate) bound: f64,
    pub(crate) side: Side,
    /// ρ [m], or 1
    pub(crate) radius: f64,
    /// where it is seen: on A or B, from the centre of mass
    pub(crate) seen: (usize, Vec3),
    pub(crate) name: &'static str,
}

impl StopPair {
    /// ± ρ.
    fn scale(&self) -> f64 {
        if self.side == Side::Upper { self.radius } else { -self.radius }
    }

    /// δ with its rates and gradients; `was`: the indentation that was known last, where turns count.
    pub(crate) fn row<S: Scalar>(&self, ends: [&Moving<S>; 2], was: Option<f64>) -> Row<S> {
        let mut row = self.measure.at(ends);
        let q = row.value.value();
        let counted = match was {
            Some(delta) if self.turns() => unwrapped(q, self.bound + delta / self.scale()),
            _ => q,
        };
        // whole turns, so that the derivatives stay
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

    /// Whether it is an angle whose turns count.
    pub(crate) fn turns(&self) -> bool {
        matches!(self.measure, Measure::Angle { .. })
    }

    /// How far from the centres of mass of A and B forces can act, as far as that is by the bodies' own shape [m].
    pub(crate) fn levers(&self) -> [f64; 2] {
        match self.measure {
            Measure::Dot { d: Vector::Between(points), .. } => points.map(|p| p.norm()),
            _ => [self.seen.1.norm() + self.radius; 2],
        }
    }

    /// Where it is seen, and which way it pushes A back.
    fn at(&self, x_a: &Pose, x_b: &Pose, was: Option<f64>) -> Result<Contact, PairFailure> {
        let row = self.row([&Moving::still(x_a), &Moving::still(x_b)], was);
        let (end, point) = self.seen;
        let p = [x_a, x_b][end].point(&point);
        let force = &row.forces[A];
        let way = if self.measure.only_turns() { force.arms[0].g } else { force.f };
        let n = way.normalize();
        let all = row.value + p.sum() + n.sum();
        if all.is_finite() {
            Ok(Contact { p_a: p, p_b: p, n, delta: row.value, share: 1.0 })
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
    /// The second rate of s and ρ θ is no more than the accelerations of the points allow; ψ bends as its axis goes round.
    fn bounds(&self) -> GapBounds {
        let known = !matches!(self.measure, Measure::Between { .. });
        GapBounds {
            follows_b: self.seen.0 == B,
            ..if known { GapBounds::CONVEX } else { GapBounds::UNKNOWN }
        }
    }
}

/// (It has no derivatives: what it does to bodies is not by its point.)
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
