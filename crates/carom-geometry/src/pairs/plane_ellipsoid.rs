//! An ellipsoid on a plane: its lowest point.
//!
//! With m the plane's normal in the ellipsoid's frame and e_i the semi axes the lowest point is −q, q_i = e_i² m_i/h, h = √Σ (e_i m_i)²
//! the support function, and the gap is the height of the centre less h. It is smooth in both poses, and the rate is exact: as the
//! lowest point slides it slides level.
//!
//! Checked: independent values (`tests/reference.rs`), the sphere, search over the surface (`tests/ellipsoid.rs`).

use carom_base::{Dual, Pose, Scalar};

use super::{finite, name_in, solid, within};
use crate::contact::{BoundPair, Contact, PairSolver, RelativeCurvature};
use crate::error::PairFailure;
use crate::surface::{Shape, Side};
use crate::surfaces::{Ellipsoid, Plane};

/// The solver: A a plane, B an ellipsoid.
#[derive(Debug)]
pub struct PlaneEllipsoid;

#[derive(Debug)]
struct Bound {
    ellipsoid: Ellipsoid,
}

const NAMES: [&str; 1] = ["ellipsoid"];

/// The contact of the ellipsoid's lowest point with the plane z = 0 of A's frame.
///
/// ```
/// use carom_geometry::{Pose, Vec3, pairs::plane_ellipsoid, surfaces::Ellipsoid};
/// let egg = Ellipsoid::new([0.02, 0.02, 0.03])?; // [m]
/// let c = plane_ellipsoid::contact(&egg, &Pose::identity(), &Pose::at(Vec3::new(0.0, 0.0, 0.029)));
/// assert!((c.delta - 0.001).abs() < 1e-17);
/// # Ok::<(), carom_geometry::GeometryError>(())
/// ```
#[inline]
pub fn contact<S: Scalar>(ellipsoid: &Ellipsoid, x_a: &Pose<S>, x_b: &Pose<S>) -> Contact<S> {
    let n = x_a.axis(2);
    let p_b = x_b.point(&ellipsoid.support(&-x_b.direction_to_local(&n)));
    let delta = n.dot(&(x_a.p - p_b));
    Contact { p_a: p_b + n * delta, p_b, n, delta, share: S::from_f64(1.0) }
}

impl PairSolver for PlaneEllipsoid {
    fn name(&self) -> &'static str {
        "plane-ellipsoid"
    }
    fn reference(&self) -> &'static str {
        "the lowest point, by the support function"
    }
    fn bind(&self, a: &Shape, b: &Shape) -> Option<Box<dyn BoundPair>> {
        solid::<Plane>(a)?;
        Some(Box::new(Bound { ellipsoid: *solid::<Ellipsoid>(b)? }))
    }
}

impl BoundPair for Bound {
    fn solver(&self) -> &'static str {
        PlaneEllipsoid.name()
    }
    fn features(&self) -> usize {
        NAMES.len()
    }
    fn feature_name(&self, feature: usize) -> String {
        name_in(&NAMES, feature)
    }
    #[inline]
    fn contact(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> Result<Contact, PairFailure> {
        within(feature, NAMES.len())?;
        finite(contact(&self.ellipsoid, x_a, x_b))
    }
    fn contact_dual(
        &self,
        feature: usize,
        x_a: &Pose<Dual<6>>,
        x_b: &Pose<Dual<6>>,
    ) -> Option<Result<Contact<Dual<6>>, PairFailure>> {
        Some(within(feature, NAMES.len()).and_then(|_| finite(contact(&self.ellipsoid, x_a, x_b))))
    }
    fn curvature(&self, _feature: usize, x_a: &Pose, x_b: &Pose) -> RelativeCurvature {
        let lowest = self.ellipsoid.support(&-x_b.direction_to_local(&x_a.axis(2)));
        let k = self.ellipsoid.curvature_at(Side::Outside, &lowest);
        RelativeCurvature::point(k.k2, k.k1)
    }
    /// Without turning the height of the lowest point is straight; turning is accounted for by `stray`.
    fn hollow_radius(&self) -> Option<f64> {
        Some(f64::INFINITY)
    }
    /// As m turns at ω, ḧ = ṁᵀ(∂q/∂m)ṁ + q·m̈. The second term is that of a point fixed on the body. The first is the sliding: less the
    /// skin c²/a, at most (a²/c − c²/a) ω², as ∂q/∂m has the radii of curvature for eigenvalues. A point that much beyond the core bends
    /// at least so much.
    fn stray(&self) -> f64 {
        let [least, most] = self.ellipsoid.radii_of_curvature();
        most - least
    }
}
