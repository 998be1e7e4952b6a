//! A convex solid without edges on a plane: its lowest point.
//!
//! With m = rᵀ n the plane's normal in the solid's frame and h its support function the lowest point is q = ∇h(−m), and the gap is the height
//! of the centre less h(−m). It is differentiable in both poses, and the rate is exact: as the lowest point slides it slides level.
//! The point itself moves by dq = Σ (1/k_i) t_i t_iᵀ d(−m), m a unit vector, k_i the principal curvatures there and t_i their directions.
//! Where the solid is flat, k_i = 0, it has no finite rate that way and none is given; the gap's are exact there, too.
//!
//! The axes r may be those of a deformation F: the height of F q is n·F q = m·q, and q is as far down along m as before.
//!
//! Of an ellipsoid with semi axes e_i: q_i = −e_i² m_i/h, h = √Σ (e_i m_i)².
//!
//! Checked: independent values (`tests/reference.rs`), the sphere, search over the surface (`tests/ellipsoid.rs`,
//! `tests/superellipsoid.rs`), derivatives against differences (`tests/derivatives.rs`); deformed (`tests/deformed.rs`).

use std::fmt::Debug;
use std::sync::Arc;

use carom_base::{Dual, Mat3, Pose, Scalar, Vec3};

use super::deformed::curvature;
use super::{SHARP, finite, name_in, solid, within};
use crate::closest_point::direction;
use crate::contact::{Contact, RelativeCurvature};
use crate::error::PairFailure;
use crate::pair::{BoundPair, ContactResult, GapBounds, PairFeatures, PairSolver, with_derivatives};
use crate::shape::{Shape, Side, Support, Surface};
use crate::surfaces::{Ellipsoid, Plane};

/// The solver: A a plane, B an ellipsoid.
#[derive(Debug)]
pub struct PlaneEllipsoid;

/// The solver: A a plane, B any solid with [`Support`] that has one furthest point in every direction.
#[derive(Debug)]
pub struct PlaneConvex;

/// Where a bound pair has its solid: by value if its kind is known, so that its formulas are in line.
trait Held: Debug + Send + Sync {
    type Solid: Support + ?Sized;
    fn solid(&self) -> Option<&Self::Solid>;
    /// The furthest point along m, with the derivatives of both: dq = Σ t_i t_iᵀ/k_i d(m/|m|).
    fn furthest<const N: usize>(&self, m: &Vec3<Dual<N>>) -> Option<Vec3<Dual<N>>> {
        let (m, _) = direction(m, Vec3::z);
        let (solid, at) = (self.solid()?, m.map(|c| c.re));
        let q = solid.support(&at);
        let k = solid.curvature_at(&q, &at);
        let mut slope = Mat3::zeros();
        for (k, t) in [(k.k1, k.direction), (k.k2, at.cross(&k.direction))] {
            // flat: no finite rate
            if k > 0.0 {
                slope += t * (t / k).transpose();
            }
        }
        let by = |i: usize, j: usize| (0..3).map(|k| slope[(i, k)] * m[k].eps[j]).sum();
        Some(Vec3::from_fn(|i, _| Dual { re: q[i], eps: std::array::from_fn(|j| by(i, j)) }))
    }
}

impl Held for Ellipsoid {
    type Solid = Ellipsoid;
    #[inline(always)]
    fn solid(&self) -> Option<&Ellipsoid> {
        Some(self)
    }
    #[inline(always)]
    fn furthest<const N: usize>(&self, m: &Vec3<Dual<N>>) -> Option<Vec3<Dual<N>>> {
        Some(self.support(m))
    }
}

impl Held for Arc<dyn Surface> {
    type Solid = dyn Support;
    fn solid(&self) -> Option<&dyn Support> {
        self.as_support()
    }
}

#[derive(Debug)]
struct Bound<H> {
    held: H,
    solver: &'static str,
    names: [&'static str; 1],
    /// the largest radius of curvature less the smallest [m]
    spread: f64,
}

impl<H: Held> Bound<H> {
    fn new(held: H, solver: &'static str) -> Option<Bound<H>> {
        let solid = held.solid()?;
        let (kind, spread) = (solid.kind(), solid.largest_radius() - solid.least_radius());
        Some(Bound { held, solver, names: [kind], spread })
    }

    /// The lowest point in the solid's frame, where that is `down`.
    #[inline(always)]
    fn lowest(&self, feature: usize, down: &Vec3) -> Result<Vec3, PairFailure> {
        within(feature, self.names.len())?;
        // it was there when the pair was bound; a surface that takes it back has no features left
        let solid = self.held.solid().ok_or(PairFailure::NoFeature(feature))?;
        Ok(solid.support(down))
    }

    /// The contact with its derivatives.
    fn moving<const N: usize>(
        &self,
        feature: usize,
        x_a: &Pose<Dual<N>>,
        x_b: &Pose<Dual<N>>,
    ) -> ContactResult<Dual<N>> {
        let k = within(feature, self.names.len())?;
        let lowest = self.held.furthest(&down(x_a, x_b)).ok_or(PairFailure::NoFeature(k))?;
        finite(contact(&lowest, x_a, x_b))
    }
}

/// The plane's normal turned over, in the solid's frame.
#[inline(always)]
fn down<S: Scalar>(x_a: &Pose<S>, x_b: &Pose<S>) -> Vec3<S> {
    -x_b.direction_to_local(&x_a.axis(2))
}

/// The contact of a solid's lowest point [m, in B's frame] with the plane z = 0 of A's frame.
///
/// ```
/// use carom_geometry::{Pose, Vec3, pairs::plane_convex, surfaces::Ellipsoid};
/// let egg = Ellipsoid::new([0.02, 0.02, 0.03])?; // [m]
/// let lowest = egg.support(&-Vec3::z());
/// let c = plane_convex::contact(&lowest, &Pose::identity(), &Pose::at(Vec3::new(0.0, 0.0, 0.029)));
/// assert!((c.delta - 0.001).abs() < 1e-17);
/// # Ok::<(), carom_geometry::GeometryError>(())
/// ```
#[inline]
pub fn contact<S: Scalar>(lowest: &Vec3<S>, x_a: &Pose<S>, x_b: &Pose<S>) -> Contact<S> {
    let n = x_a.axis(2);
    let p_b = x_b.point(lowest);
    let delta = n.dot(&(x_a.p - p_b));
    Contact { p_a: p_b + n * delta, p_b, n, delta, share: S::from_f64(1.0), common: None }
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
        Some(Box::new(Bound::new(*solid::<Ellipsoid>(b)?, self.name())?))
    }
    fn deforms(&self) -> bool {
        true
    }
}

impl PairSolver for PlaneConvex {
    fn name(&self) -> &'static str {
        "plane-convex"
    }
    fn reference(&self) -> &'static str {
        "the lowest point, by the support function"
    }
    fn bind(&self, a: &Shape, b: &Shape) -> Option<Box<dyn BoundPair>> {
        solid::<Plane>(a)?;
        let smooth = b.surface.as_support()?.is_strict() && b.side == Side::Outside;
        smooth.then_some(())?;
        Some(Box::new(Bound::new(b.surface.clone(), self.name())?))
    }
    fn deforms(&self) -> bool {
        true
    }
}

impl<H: Held> PairFeatures for Bound<H> {
    fn solver(&self) -> &'static str {
        self.solver
    }
    fn features(&self) -> usize {
        self.names.len()
    }
    fn feature_name(&self, feature: usize) -> String {
        name_in(&self.names, feature)
    }
    fn curvature(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> RelativeCurvature {
        let m = direction(&down(x_a, x_b), Vec3::z).0;
        let at = |q: Vec3| Some(self.held.solid()?.curvature_at(&q, &m));
        let k = self.lowest(feature, &m).ok().and_then(at);
        k.map_or(SHARP, |k| curvature(&k, &m, &x_b.r, 0.0))
    }
    /// Without turning the height of the lowest point is straight; turning is accounted for by `stray`, unless the solid is flat
    /// somewhere: as it rocks over a flat the lowest point runs at any speed, and nothing is known.
    ///
    /// As m turns at ω, ḧ = ṁᵀ(∂q/∂m)ṁ + q·m̈. The second term is that of a point fixed on the body. The first is the sliding: less
    /// the skin, at most the largest radius of curvature less the smallest, times ω², as ∂q/∂m has the radii for eigenvalues. A point
    /// that much beyond the core bends at least so much. If there is no largest one the rate still is that of a point of the core's.
    fn bounds(&self) -> GapBounds {
        match self.spread.is_finite() {
            true => GapBounds { stray: self.spread, ..GapBounds::CONVEX },
            false => GapBounds::UNKNOWN,
        }
    }
}

impl<H: Held> BoundPair for Bound<H> {
    #[inline]
    fn contact(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> Result<Contact, PairFailure> {
        finite(contact(&self.lowest(feature, &down(x_a, x_b))?, x_a, x_b))
    }
    with_derivatives!(|pair, k, x_a, x_b, _| Some(pair.moving(k, x_a, x_b)));
}
