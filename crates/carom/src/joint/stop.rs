//! Where a joint meets its limit: a pair of the contact machinery like any other, with one contact point.
//!
//! | way | δ | n, on A | where the force acts |
//! |---|---|---|---|
//! | slide | ± (s − s₀), s = (p_a − p_b)·e_b | ± e_b | at p_a |
//! | turn | ± ρ (θ − θ₀) | ± t, the tangent of growing θ | at the end of an arm ρ across the axis, which goes with A |
//! | swing | ρ (ψ − ψ₀), cos ψ = z_a·z_b | in the plane of both axes, across z_a | at the end of an arm ρ along z_a |
//!
//! With the equations of the joint δ̇ = (v_a − v_b)·n is its exact rate. For a turn let w be the arm, which goes with A, (c, s) its parts along (u, v) of B, ρ' = √(c² + s²): t = (c v − s u)/ρ',
//! θ̇ = ẇ·t/ρ' + (what B does), so that the force acts on A at ρ/ρ' w and on B at ρ (c u + s v)/ρ', both from A's point of the joint: the velocities of that point, on A and on B, differ by nothing, or along the
//! axis.
//!
//! The turns are counted from the last indentation known (`Seed::delta`): the angle nearest to it is meant.

use std::f64::consts::TAU;

use carom_base::{Dual, Pose, Scalar, Vec3};
use carom_geometry::{BoundPair, Contact, PairFailure, RelativeCurvature, Seed};

use super::equation::unwrapped;
use super::limit::Side;

/// What is stopped.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Way {
    /// a point of A along a direction of B: the points of A and B, from their centres of mass, and the direction
    Slide { points: [Vec3; 2], e: Vec3 },
    /// the angle of u of A from u towards v of B, about a point of A
    Turn { point: Vec3, u_a: Vec3, u_b: Vec3, v_b: Vec3, radius: f64 },
    /// the angle between an axis of A and one of B, about a point of A
    Swing { point: Vec3, z_a: Vec3, z_b: Vec3, radius: f64 },
}

/// A limit as a pair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StopPair {
    way: Way,
    /// 1: an upper limit, −1: a lower one
    sign: f64,
    bound: f64,
    name: &'static str,
}

impl StopPair {
    pub(super) fn new(way: Way, side: Side, bound: f64, name: &'static str) -> StopPair {
        StopPair { way, sign: if side == Side::Upper { 1.0 } else { -1.0 }, bound, name }
    }

    /// How far from the centres of mass of A and B forces can act, as far as that is by the bodies' own shape [m].
    pub(crate) fn levers(&self) -> [f64; 2] {
        let (point, radius) = match self.way {
            Way::Slide { points, .. } => return points.map(|p| p.norm()),
            Way::Turn { point, radius, .. } | Way::Swing { point, radius, .. } => (point, radius),
        };
        [point.norm() + radius; 2]
    }

    /// The contact; `was`: the indentation that was known last, where turns count.
    fn at<S: Scalar>(&self, x_a: &Pose<S>, x_b: &Pose<S>, was: Option<f64>) -> Contact<S> {
        let number = |v: &Vec3| v.map(S::from_f64);
        let (sign, share) = (S::from_f64(self.sign), S::from_f64(1.0));
        match &self.way {
            Way::Slide { points, e } => {
                let (p, q) = (x_a.point(&number(&points[0])), x_b.point(&number(&points[1])));
                let n = x_b.direction(&number(e)) * sign;
                let delta = (p - q).dot(&n) - S::from_f64(self.sign * self.bound);
                Contact { p_a: p, p_b: p, n, delta, share }
            }
            Way::Turn { point, u_a, u_b, v_b, radius } => {
                let w = x_a.direction(&number(u_a));
                let (u, v) = (x_b.direction(&number(u_b)), x_b.direction(&number(v_b)));
                let (c, s) = (w.dot(&u), w.dot(&v));
                let across = (c * c + s * s).sqrt();
                let rho = S::from_f64(*radius);
                let angle = self.counted(s.atan2(c), *radius, was);
                let p = x_a.point(&number(point));
                Contact {
                    p_a: p + w * (rho / across),
                    p_b: p + (u * c + v * s) * (rho / across),
                    n: (v * c - u * s) * (sign / across),
                    delta: sign * rho * (angle - S::from_f64(self.bound)),
                    share,
                }
            }
            Way::Swing { point, z_a, z_b, radius } => {
                let (z, w) = (x_b.direction(&number(z_b)), x_a.direction(&number(z_a)));
                let cos = w.dot(&z);
                let away = w * cos - z;
                let sin = away.dot(&away).sqrt();
                // along the axis every way is as good
                let n =
                    if sin > S::from_f64(0.0) { away / sin } else { x_a.direction(&number(&across(z_a))) };
                let rho = S::from_f64(*radius);
                let p = x_a.point(&number(point)) + w * rho;
                Contact { p_a: p, p_b: p, n, delta: rho * (sin.atan2(cos) - S::from_f64(self.bound)), share }
            }
        }
    }

    /// The angle with the turns that bring it nearest to what it was.
    fn counted<S: Scalar>(&self, angle: S, radius: f64, was: Option<f64>) -> S {
        let Some(delta) = was else { return angle };
        let was = self.bound + self.sign * delta / radius;
        // whole turns, so that the derivatives stay
        let turns = ((unwrapped(angle.value(), was) - angle.value()) / TAU).round();
        angle + S::from_f64(TAU * turns)
    }
}

/// Any direction across one.
fn across(z: &Vec3) -> Vec3 {
    let least = Vec3::ith(z.iamin(), 1.0);
    (least - z * z.dot(&least)).normalize()
}

fn finite<S: Scalar>(c: Contact<S>) -> Result<Contact<S>, PairFailure> {
    let all = (c.delta + c.p_a.sum() + c.p_b.sum()).value();
    if all.is_finite() { Ok(c) } else { Err(PairFailure::NotFinite) }
}

impl BoundPair for StopPair {
    fn solver(&self) -> &'static str {
        "stop"
    }
    fn features(&self) -> usize {
        1
    }
    fn feature_name(&self, _: usize) -> String {
        self.name.to_owned()
    }
    fn contact(&self, _: usize, x_a: &Pose, x_b: &Pose) -> Result<Contact, PairFailure> {
        finite(self.at(x_a, x_b, None))
    }
    fn contact_from(
        &self,
        _: usize,
        x_a: &Pose,
        x_b: &Pose,
        seed: Option<&Seed>,
    ) -> Result<Contact, PairFailure> {
        finite(self.at(x_a, x_b, seed.map(|s| s.delta)))
    }
    fn is_iterative(&self) -> bool {
        matches!(self.way, Way::Turn { .. })
    }
    fn contact_dual(
        &self,
        _: usize,
        x_a: &Pose<Dual<6>>,
        x_b: &Pose<Dual<6>>,
    ) -> Option<Result<Contact<Dual<6>>, PairFailure>> {
        Some(finite(self.at(x_a, x_b, None)))
    }
    fn curvature(&self, _: usize, _: &Pose, _: &Pose) -> RelativeCurvature {
        RelativeCurvature::point(0.0, 0.0)
    }
    /// The second rate of s and ρ θ is no more than the accelerations of the points allow; ψ bends as its axis goes round.
    fn hollow_radius(&self) -> Option<f64> {
        (!matches!(self.way, Way::Swing { .. })).then_some(f64::INFINITY)
    }
    fn follows_b(&self) -> bool {
        false
    }
}
