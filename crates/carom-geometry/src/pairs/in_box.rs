//! Whatever touches planes, in a box: each wall of the cavity is a plane of its own.
//!
//! The walls have no end: a solid in a cavity cannot get round them.

use carom_base::{Mat3, Pose, Vec3};

use super::{ALL, either_way, within};
use crate::contact::RelativeCurvature;
use crate::pair::{
    BoundPair, ContactResult, GapBounds, PairDual, PairFeatures, PairSolver, with_derivatives,
};
use crate::shape::{Shape, Side};
use crate::surfaces::{Cuboid, Plane};

/// The solver: A the inside of a box, B any solid that touches a plane.
///
/// ```
/// use carom_geometry::{Pose, Shape, Vec3, pairs, surfaces::{Cuboid, Cylinder}};
/// let (crate_, can) = (Shape::inside(Cuboid::new([0.4; 3])?), Shape::outside(Cylinder::new(0.03, 0.1)?)); // [m]
/// let pair = pairs::bind(&crate_, &can)?;
/// let (wall, contact) = pair.nearest(&Pose::identity(), &Pose::at(Vec3::new(0.0, 0.0, -0.149)))?;
/// assert_eq!(pair.feature_name(wall), "rim- low at -z");
/// assert!((contact.delta + 0.001).abs() < 1e-15); // 1 mm above the bottom
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct InBox;

#[derive(Debug)]
struct Bound {
    /// of each wall, its plane in the cavity's frame and its pair
    walls: Vec<(Pose, Box<dyn BoundPair>)>,
}

const WALLS: [&str; 6] = ["+x", "-x", "+y", "-y", "+z", "-z"];

/// The plane of a wall, its z axis into the cavity.
fn wall(k: usize, half: &Vec3) -> Pose {
    let (axis, side) = (k / 2, [1.0, -1.0][k % 2]);
    let (z, x) = (Vec3::ith(axis, -side), Vec3::ith((axis + 1) % 3, 1.0));
    Pose { p: Vec3::ith(axis, side * half[axis]), r: Mat3::from_columns(&[x, z.cross(&x), z]) }
}

impl PairSolver for InBox {
    fn name(&self) -> &'static str {
        "in-box"
    }
    fn reference(&self) -> &'static str {
        "each wall as a plane"
    }
    fn bind(&self, a: &Shape, b: &Shape) -> Option<Box<dyn BoundPair>> {
        if a.side != Side::Inside || b.side != Side::Outside || b.surface.as_any().is::<Plane>() {
            return None;
        }
        let cavity = a.surface.as_any().downcast_ref::<Cuboid>()?;
        let on_plane = || ALL.iter().find_map(|solver| either_way(*solver, &Shape::outside(Plane), b));
        let pair = |k: usize| Some((wall(k, cavity.half()), on_plane()?));
        Some(Box::new(Bound { walls: (0..WALLS.len()).map(pair).collect::<Option<_>>()? }))
    }
}

impl Bound {
    /// Points of one wall.
    fn each(&self) -> usize {
        self.walls[0].1.features()
    }
}

impl Bound {
    fn moving<S: PairDual>(&self, feature: usize, x_a: &Pose<S>, x_b: &Pose<S>) -> Option<ContactResult<S>> {
        let k = match within(feature, self.features()) {
            Ok(k) => k,
            Err(e) => return Some(Err(e)),
        };
        let (plane, pair) = &self.walls[k / self.each()];
        let plane = Pose { p: plane.p.map(S::from_f64), r: plane.r.map(S::from_f64) };
        S::contact(&**pair, k % self.each(), &x_a.then(&plane), x_b, None)
    }
}

impl PairFeatures for Bound {
    fn solver(&self) -> &'static str {
        InBox.name()
    }
    fn features(&self) -> usize {
        self.each() * self.walls.len()
    }
    fn feature_name(&self, feature: usize) -> String {
        match self.walls.get(feature / self.each()) {
            Some((_, pair)) => {
                format!("{} at {}", pair.feature_name(feature % self.each()), WALLS[feature / self.each()])
            }
            None => String::new(),
        }
    }
    fn curvature(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> RelativeCurvature {
        match self.walls.get(feature / self.each()) {
            Some((plane, pair)) => pair.curvature(feature % self.each(), &x_a.then(plane), x_b),
            None => super::SHARP,
        }
    }
    fn bounds(&self) -> GapBounds {
        self.walls[0].1.bounds()
    }
}

impl BoundPair for Bound {
    fn contact(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> ContactResult {
        let k = within(feature, self.features())?;
        let (plane, pair) = &self.walls[k / self.each()];
        pair.contact(k % self.each(), &x_a.then(plane), x_b)
    }
    with_derivatives!(|pair, k, x_a, x_b, _| pair.moving(k, x_a, x_b));
}
