//! A box or another polyhedron on a plane: its corners, each a contact point of its own.
//!
//! The height of a corner c over the plane is d = n·(x_B(c) − p_A), and δ = −d. A box that stands, tilts
//! or lies touches with one to four corners; as each is a point of the material, the forces at them are
//! those of a potential and no corner is ever chosen over another. So it is for a box that is deformed: corners stay corners.

use carom_base::{Pose, Scalar, Vec3};

use super::{CORNERS, SHARP, corner, finite, solid};
use crate::contact::{Contact, RelativeCurvature};
use crate::error::PairFailure;
use crate::pair::{BoundPair, ContactResult, GapBounds, PairFeatures, PairFormula, PairSolver};
use crate::shape::Shape;
use crate::surfaces::{Cuboid, Plane, Polyhedron};

/// The solver: A a plane, B a box.
#[derive(Debug)]
pub struct PlaneBox;

/// The solver: A a plane, B a polyhedron.
#[derive(Debug)]
pub struct PlanePolyhedron;

#[derive(Debug)]
struct Bound {
    solver: &'static str,
    corners: Vec<Vec3>,
    names: Vec<String>,
}

/// The contact of the material point `point` [m] of B's frame with the plane z = 0 of A's.
///
/// ```
/// use carom_geometry::{Pose, Vec3, pairs::plane_box};
/// let x_b = Pose::at(Vec3::new(0.0, 0.0, 0.75));
/// let c = plane_box::contact(&Vec3::new(1.0, 1.0, -1.0), &Pose::identity(), &x_b);
/// assert_eq!((c.delta, c.n), (0.25, Vec3::z()));
/// ```
#[inline]
pub fn contact<S: Scalar>(point: &Vec3<S>, x_a: &Pose<S>, x_b: &Pose<S>) -> Contact<S> {
    let n = x_a.axis(2);
    let p_b = x_b.point(point);
    let d = n.dot(&(p_b - x_a.p));
    Contact { p_a: p_b - n * d, p_b, n, delta: -d, share: S::from_f64(1.0), common: None }
}

impl PairSolver for PlaneBox {
    fn name(&self) -> &'static str {
        "plane-box"
    }
    fn reference(&self) -> &'static str {
        "the heights of the corners; plane as in Corral et al. 2021, Eqs 9-12"
    }
    fn bind(&self, a: &Shape, b: &Shape) -> Option<Box<dyn BoundPair>> {
        solid::<Plane>(a)?;
        let half = solid::<Cuboid>(b)?.half();
        Some(Box::new(Bound {
            solver: self.name(),
            corners: (0..CORNERS.len()).map(|k| corner(k, half)).collect(),
            names: CORNERS.map(str::to_owned).to_vec(),
        }))
    }
    fn deforms(&self) -> bool {
        true
    }
}

impl PairSolver for PlanePolyhedron {
    fn name(&self) -> &'static str {
        "plane-polyhedron"
    }
    fn reference(&self) -> &'static str {
        PlaneBox.reference()
    }
    fn bind(&self, a: &Shape, b: &Shape) -> Option<Box<dyn BoundPair>> {
        solid::<Plane>(a)?;
        let corners = solid::<Polyhedron>(b)?.corners();
        Some(Box::new(Bound {
            solver: self.name(),
            corners: corners.iter().map(|corner| corner.at).collect(),
            names: corners.iter().map(|corner| format!("corner {}", corner.number)).collect(),
        }))
    }
    fn deforms(&self) -> bool {
        true
    }
}

impl PairFeatures for Bound {
    fn solver(&self) -> &'static str {
        self.solver
    }
    fn features(&self) -> usize {
        self.corners.len()
    }
    fn feature_name(&self, feature: usize) -> String {
        self.names.get(feature).cloned().unwrap_or_default()
    }
    fn curvature(&self, _feature: usize, _x_a: &Pose, _x_b: &Pose) -> RelativeCurvature {
        SHARP
    }
    fn bounds(&self) -> GapBounds {
        GapBounds::CONVEX
    }
}

impl PairFormula for Bound {
    #[inline(always)]
    fn contact<S: Scalar>(&self, feature: usize, x_a: &Pose<S>, x_b: &Pose<S>) -> ContactResult<S> {
        let corner = self.corners.get(feature).ok_or(PairFailure::NoFeature(feature))?;
        finite(contact(&corner.map(S::from_f64), x_a, x_b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_corner_is_where_its_name_says() {
        let half = Vec3::new(1.0, 2.0, 3.0);
        let brick = Shape::outside(Cuboid::new((half * 2.0).into()).unwrap());
        let pair = PlaneBox.bind(&Shape::outside(Plane), &brick).unwrap();
        for k in 0..8 {
            let p = pair.contact(k, &Pose::identity(), &Pose::identity()).unwrap().p_b;
            let signs: String = p.iter().map(|c| if *c > 0.0 { '+' } else { '-' }).collect();
            assert_eq!(pair.feature_name(k), format!("corner {signs}"));
            assert_eq!(p.abs(), half);
        }
    }
}
