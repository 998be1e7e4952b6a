//! Two tori, both touched from outside: the nearest points of their rings, less both tubes.
//!
//! A torus is its ring of radius R, widened by r. With p and q the nearest points of the two rings, d their distance (`circles`):
//! n = (q − p)/d, p_A = p + r_A n, p_B = q − r_B n, δ = r_A + r_B − d. n is across both rings, so the rate is exact.
//!
//! One contact point. Where two places are as near (a ring across another) it jumps from one to the other: the gap is continuous and has a kink.
//! Where all are (rings about one axis, or on Villarceau circles) the smaller ring's x axis is taken, A's if they are alike. Where the rings
//! themselves cross, d = 0, the tubes are right through one another: the distance holds, and n is across both rings, to a side of no meaning.

use carom_base::{Pose, Scalar};

use super::circles::{CirclePoint, Circles};
use super::{finite, name_in, solid, within};
use crate::contact::{Contact, Curvature, RelativeCurvature};
use crate::error::PairFailure;
use crate::pair::{BoundPair, GapBounds, PairFeatures, PairSolver, with_derivatives};
use crate::shape::{ProjectFormula, Shape, Side};
use crate::surfaces::Torus;

/// The solver: two tori.
///
/// ```
/// use carom_geometry::{Pose, Quat, Shape, Vec3, pairs, surfaces::Torus};
/// let link = Shape::outside(Torus::new(0.030, 0.004)?); // radius of the ring, of the tube [m]
/// let pair = pairs::bind(&link, &link)?;
/// // the second through the first, across it and pulled along x, until they touch by 0.1 mm
/// let across = Quat::from_axis_angle(&Vec3::x_axis(), std::f64::consts::FRAC_PI_2);
/// let contact = pair.contact(0, &Pose::identity(), &Pose::new(Vec3::new(0.0521, 0.0, 0.0), &across))?;
/// assert!((contact.delta - 0.0001).abs() < 1e-15 && (contact.p_a.x - 0.026).abs() < 1e-15);
/// assert!((contact.n + Vec3::x()).norm() < 1e-12); // from the inner side of the one to that of the other
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TorusTorus;

#[derive(Debug)]
struct Bound {
    a: Torus,
    b: Torus,
}

const NAMES: [&str; 1] = ["torus"];
/// Heights that differ by less, relative to the ring, are alike.
const ALIKE: f64 = 1e-9;

impl PairSolver for TorusTorus {
    fn name(&self) -> &'static str {
        "torus-torus"
    }
    fn reference(&self) -> &'static str {
        "nearest points of the rings; the global minimum certified in closed form"
    }
    fn bind(&self, a: &Shape, b: &Shape) -> Option<Box<dyn BoundPair>> {
        Some(Box::new(Bound { a: *solid::<Torus>(a)?, b: *solid::<Torus>(b)? }))
    }
}

impl Bound {
    /// Whether A's ring is the first, whose points are tried: the smaller one, or that whose plane is nearer to the other's middle. So the same contact comes
    /// out, to the last bit, whichever is called A. Of two that are alike in this too A is the first.
    fn a_first(&self, x_a: &Pose, x_b: &Pose) -> bool {
        let (r_a, r_b, apart) = (self.a.major(), self.b.major(), x_b.p - x_a.p);
        let height = |x: &Pose| apart.dot(&x.axis(2)).abs();
        if r_a == r_b { height(x_a) <= height(x_b) + ALIKE * r_a } else { r_a < r_b }
    }

    /// The contact, from the nearest points of the rings and how exact they are [m].
    fn at<S: Scalar>(
        &self,
        feature: usize,
        x_a: &Pose<S>,
        x_b: &Pose<S>,
        nearest: impl Fn(&Circles<S>) -> Result<(CirclePoint<S>, f64), PairFailure>,
    ) -> Result<Contact<S>, PairFailure> {
        within(feature, NAMES.len())?;
        let a_first = self.a_first(&x_a.values(), &x_b.values());
        let (first, x_1, second, x_2) =
            if a_first { (&self.a, x_a, &self.b, x_b) } else { (&self.b, x_b, &self.a, x_a) };
        let (point, grain) = nearest(&Circles::new(first.major(), x_1, second.major(), x_2))?;
        let (out, d) = point.apart(grain);
        let (r_1, r_2) = (S::from_f64(first.minor()), S::from_f64(second.minor()));
        // `out` leads from the second ring to the first
        let (p, n) = (x_2.point(&point.p), -x_2.direction(&out));
        let (delta, share) = (r_1 + r_2 - d, S::from_f64(1.0));
        let contact = Contact { p_a: p + n * r_1, p_b: p + n * (d - r_2), n, delta, share, common: None };
        finite(if a_first { contact } else { contact.swapped() })
    }
}

impl PairFeatures for Bound {
    fn solver(&self) -> &'static str {
        TorusTorus.name()
    }
    fn features(&self) -> usize {
        NAMES.len()
    }
    fn feature_name(&self, feature: usize) -> String {
        name_in(&NAMES, feature)
    }
    fn curvature(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> RelativeCurvature {
        let Ok(c) = self.contact(feature, x_a, x_b) else { return super::SHARP };
        let of = |torus: &Torus, x: &Pose, p| {
            let local = torus.curvature(Side::Outside, 0, &x.point_to_local(p));
            Curvature { direction: x.direction(&local.direction), ..local }
        };
        RelativeCurvature::between(&of(&self.a, x_a, &c.p_a), &of(&self.b, x_b, &c.p_b))
    }
    // the least of several distances has a kink, bent towards contact, where another place becomes the nearest: the rate is bounded, no more
    fn bounds(&self) -> GapBounds {
        GapBounds::UNKNOWN
    }
}

impl BoundPair for Bound {
    fn contact(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> Result<Contact, PairFailure> {
        self.at(feature, x_a, x_b, |circles| Ok((circles.nearest()?.point, circles.grain())))
    }
    with_derivatives!(|pair, k, x_a, x_b, _| Some(pair.at(k, x_a, x_b, |circles| {
        let values = circles.values();
        let grain = values.grain();
        Ok((circles.follow(&values.nearest()?, grain), grain))
    })));
}
