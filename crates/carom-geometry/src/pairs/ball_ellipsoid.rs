//! A ball against an ellipsoid whose frame may be that of a deformation: the closest point to the ball's centre on {p + E y : |y| = 1}.
//!
//! E = F diag(e_i), e_i the semi axes and c the ball's centre from the ellipsoid's. That c − E y be along the normal E^−T y is
//!
//!   Eᵀ (c − E y) = λ y,  |y| = 1,
//!
//! and the distance is λ |E^−T y|. With E Eᵀ = U diag(σ_i²) Uᵀ the ellipsoid has semi axes σ_i along the columns of U, where
//! the closest point to a point is known (`surfaces/ellipsoid.rs`). From there one step of Newton's method,
//!
//!   (Eᵀ E + λ) dy + y dλ = Eᵀ (c − E y) − λ y,  y·dy = (1 − y·y)/2,
//!
//! takes what the eigenvalue problem has lost and, in dual numbers, gives the derivatives: it is the implicit function theorem.
//!
//! The rate is exact: the ball's point goes with its centre, and as the closest point slides it slides across the normal.
//!
//! Checked: against search over the surface, against `sphere-any` for rotations, derivatives and rates against differences
//! (`tests/deformed.rs`).

use carom_base::{Mat3, Pose, Scalar, Vec3, cofactor, inverse};
use nalgebra::SymmetricEigen;

use super::deformed::curvature;
use super::{finite, name_in, solid, within};
use crate::closest_point::{direction, tangent};
use crate::contact::{Contact, Curvature, RelativeCurvature};
use crate::error::PairFailure;
use crate::pair::{BoundPair, ContactResult, GapBounds, PairFeatures, PairFormula, PairSolver};
use crate::shape::{ClosestPoint, Shape};
use crate::surfaces::{Ellipsoid, Sphere};

/// The solver: A a ball, B an ellipsoid.
#[derive(Debug)]
pub struct BallEllipsoid;

#[derive(Debug)]
struct Bound {
    radius: f64,
    semi: Vec3,
}

const NAMES: [&str; 1] = ["ellipsoid"];

/// Steps of the eigenvalue problem, which takes about six.
const MOST_STEPS: usize = 60;

/// The closest point to `c` on the ellipsoid {E y : |y| = 1}, and its y; `None` if there is none, or no ellipsoid.
pub(super) fn closest_point<S: Scalar>(e: &Mat3<S>, c: &Vec3<S>) -> Option<(ClosestPoint<S>, Vec3<S>)> {
    let (e_0, c_0) = (e.map(S::value), c.map(S::value));
    let y_0 = nearest(&e_0, &c_0)?;
    let constant = |v: &Vec3| v.map(S::from_f64);
    let lambda = y_0.dot(&e_0.tr_mul(&(c_0 - e_0 * y_0)));
    let within = inverse(&(e_0.tr_mul(&e_0) + Mat3::from_diagonal_element(lambda))).1;
    // Newton's step, by the inverse of the first equation and what the second asks of dλ
    let (y, a) = (constant(&y_0), within * y_0);
    let off = e.tr_mul(&(c - e * y)) - y * S::from_f64(lambda);
    let short = S::from_f64(0.5) * (S::from_f64(1.0) - y.dot(&y));
    let d_lambda = (constant(&a).dot(&off) - short) / S::from_f64(a.dot(&y_0));
    let step = within.map(S::from_f64) * off - constant(&a) * d_lambda;
    // on the disk of centres of curvature there is no such step
    let y = if step.dot(&step).value() < 1e-6 { y + step } else { y };
    let p = e * y;
    let (n, _) = direction(&(cofactor(e) * y), Vec3::z);
    Some((ClosestPoint { p, n, d: n.dot(&(c - p)) }, y))
}

/// y of the closest point, to what the eigenvalue problem leaves of it.
fn nearest(e: &Mat3, c: &Vec3) -> Option<Vec3> {
    let eigen = SymmetricEigen::try_new(e * e.transpose(), f64::EPSILON, MOST_STEPS)?;
    let semi = eigen.eigenvalues.map(f64::sqrt);
    let (u, own) = (eigen.eigenvectors, Ellipsoid::new(semi.into()).ok()?);
    let (_, inv) = inverse(e);
    Some(direction(&(inv * (u * own.nearest(&u.tr_mul(c)))), Vec3::z).0)
}

impl PairSolver for BallEllipsoid {
    fn name(&self) -> &'static str {
        "ball-ellipsoid"
    }
    fn reference(&self) -> &'static str {
        "the closest point to the centre, less the radius; the ellipsoid may be deformed"
    }
    fn bind(&self, a: &Shape, b: &Shape) -> Option<Box<dyn BoundPair>> {
        let radius = solid::<Sphere>(a)?.radius();
        Some(Box::new(Bound { radius, semi: *solid::<Ellipsoid>(b)?.semi_axes() }))
    }
    fn deforms(&self) -> bool {
        true
    }
}

impl Bound {
    /// E.
    fn axes<S: Scalar>(&self, x_b: &Pose<S>) -> Mat3<S> {
        Mat3::from_fn(|i, k| x_b.r[(i, k)] * S::from_f64(self.semi[k]))
    }
}

/// The contact of a ball of that radius [m] with a surface, from the closest point to its centre, seen from B's origin.
pub(super) fn contact<S: Scalar>(
    radius: f64,
    x_a: &Pose<S>,
    x_b: &Pose<S>,
    closest_point: &ClosestPoint<S>,
) -> Contact<S> {
    let radius = S::from_f64(radius);
    Contact {
        p_a: x_a.p - closest_point.n * radius,
        p_b: x_b.p + closest_point.p,
        n: -closest_point.n,
        delta: radius - closest_point.d,
        share: S::from_f64(1.0),
        common: None,
    }
}

impl PairFeatures for Bound {
    fn solver(&self) -> &'static str {
        BallEllipsoid.name()
    }
    fn features(&self) -> usize {
        NAMES.len()
    }
    fn feature_name(&self, feature: usize) -> String {
        name_in(&NAMES, feature)
    }
    fn curvature(&self, _feature: usize, x_a: &Pose, x_b: &Pose) -> RelativeCurvature {
        let (e, ball) = (self.axes(x_b), 1.0 / self.radius);
        // the unit sphere, deformed by E
        let on = |y: Vec3| {
            let round = Curvature { k1: 1.0, k2: 1.0, direction: tangent(&y) };
            curvature(&round, &y, &e, ball)
        };
        closest_point(&e, &(x_a.p - x_b.p)).map_or(RelativeCurvature::point(ball, ball), |(_, y)| on(y))
    }
    /// The ball's centre is followed.
    fn bounds(&self) -> GapBounds {
        GapBounds::CONVEX.swapped()
    }
}

impl PairFormula for Bound {
    fn contact<S: Scalar>(&self, feature: usize, x_a: &Pose<S>, x_b: &Pose<S>) -> ContactResult<S> {
        within(feature, NAMES.len())?;
        let (closest_point, _) =
            closest_point(&self.axes(x_b), &(x_a.p - x_b.p)).ok_or(PairFailure::NotFinite)?;
        finite(contact(self.radius, x_a, x_b, &closest_point))
    }
}
