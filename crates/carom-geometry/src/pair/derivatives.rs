//! Derivatives of contacts: the numbers that pairs are evaluated in, and what a pair writes once for all of them.

use carom_base::{Dual, Pose, Scalar, Vec3};

use super::{BoundPair, ContactResult};
use crate::contact::Seed;
use crate::shape::{ClosestPoint, Project, Side};

/// A number that pairs are evaluated in: `f64`, or a dual number. Besides what a [`Scalar`] can do,
/// surfaces whose kind is not known answer in it.
///
/// ```
/// use carom_geometry::{PairScalar, Side, Vec3, surfaces::Sphere};
/// let closest = f64::closest_point(&Sphere::new(1.0)?, Side::Outside, 0, &Vec3::new(0.0, 0.0, 1.5));
/// assert_eq!((closest.p, closest.d), (Vec3::z(), 0.5));
/// # Ok::<(), carom_geometry::GeometryError>(())
/// ```
pub trait PairScalar: Scalar {
    /// Whether it carries derivatives.
    const CARRIES: bool;

    /// The closest point to `x` on a feature of the surface, all in the surface's frame ([`Project::closest_point`]).
    fn closest_point(surface: &dyn Project, side: Side, feature: usize, x: &Vec3<Self>)
    -> ClosestPoint<Self>;
}

impl PairScalar for f64 {
    const CARRIES: bool = false;

    #[inline]
    fn closest_point(surface: &dyn Project, side: Side, feature: usize, x: &Vec3) -> ClosestPoint {
        surface.closest_point(side, feature, x)
    }
}

impl<const N: usize> PairScalar for Dual<N> {
    const CARRIES: bool = true;

    /// The surface knows the derivatives by the point, those of the point come from the poses.
    fn closest_point(
        surface: &dyn Project,
        side: Side,
        feature: usize,
        x: &Vec3<Self>,
    ) -> ClosestPoint<Self> {
        let point = Vec3::from_fn(|i, _| Dual::<3>::variable(x[i].value(), i));
        let closest_point = surface.closest_point_dual(side, feature, &point);
        let chained = |f: &Dual<3>| f.compose(x.as_slice());
        let vector = |v: &Vec3<Dual<3>>| Vec3::from_fn(|i, _| chained(&v[i]));
        ClosestPoint {
            p: vector(&closest_point.p),
            n: vector(&closest_point.n),
            d: chained(&closest_point.d),
        }
    }
}

/// A dual number in which a pair whose kind is not known gives its contacts: with derivatives by six variables, or by one.
///
/// ```
/// use carom_geometry::{PairDual, Pose, Shape, Vec3, pairs, surfaces::{Plane, Sphere}};
/// use carom_base::Dual;
/// let pair = pairs::bind(&Shape::outside(Plane), &Shape::outside(Sphere::new(0.5)?))?;
/// // the ball comes down at 2 m/s
/// let still = |x: f64| Dual::<1> { re: x, eps: [0.0] };
/// let (floor, at) = (Pose::identity(), Pose::at(Vec3::new(0.0, 0.0, 0.375)));
/// let [floor, mut ball] = [floor, at].map(|x: Pose| Pose { p: x.p.map(still), r: x.r.map(still) });
/// ball.p.z.eps = [-2.0];
/// let contact = Dual::contact(&*pair, 0, &floor, &ball, None).unwrap()?;
/// assert_eq!((contact.delta.re, contact.delta.eps), (0.125, [2.0]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait PairDual: PairScalar {
    /// [`BoundPair::contact_dual_from`] or [`BoundPair::contact_in_motion`].
    fn contact(
        pair: &dyn BoundPair,
        feature: usize,
        x_a: &Pose<Self>,
        x_b: &Pose<Self>,
        seed: Option<&Seed>,
    ) -> Option<ContactResult<Self>>;
}

impl PairDual for Dual<6> {
    fn contact(
        pair: &dyn BoundPair,
        feature: usize,
        x_a: &Pose<Self>,
        x_b: &Pose<Self>,
        seed: Option<&Seed>,
    ) -> Option<ContactResult<Self>> {
        pair.contact_dual_from(feature, x_a, x_b, seed)
    }
}

impl PairDual for Dual<1> {
    fn contact(
        pair: &dyn BoundPair,
        feature: usize,
        x_a: &Pose<Self>,
        x_b: &Pose<Self>,
        seed: Option<&Seed>,
    ) -> Option<ContactResult<Self>> {
        pair.contact_in_motion(feature, x_a, x_b, seed)
    }
}

/// Writes the methods of [`BoundPair`] that give derivatives: one expression for any number of these.
macro_rules! with_derivatives {
    (|$pair:ident, $feature:ident, $x_a:ident, $x_b:ident, $seed:pat_param| $contact:expr) => {
        fn contact_dual_from(
            &self,
            $feature: usize,
            $x_a: &carom_base::Pose<carom_base::Dual<6>>,
            $x_b: &carom_base::Pose<carom_base::Dual<6>>,
            $seed: Option<&$crate::contact::Seed>,
        ) -> Option<$crate::pair::ContactResult<carom_base::Dual<6>>> {
            let $pair = self;
            $contact
        }
        fn contact_in_motion(
            &self,
            $feature: usize,
            $x_a: &carom_base::Pose<carom_base::Dual<1>>,
            $x_b: &carom_base::Pose<carom_base::Dual<1>>,
            $seed: Option<&$crate::contact::Seed>,
        ) -> Option<$crate::pair::ContactResult<carom_base::Dual<1>>> {
            let $pair = self;
            $contact
        }
    };
}
pub(crate) use with_derivatives;
