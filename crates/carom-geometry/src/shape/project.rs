//! Surfaces that know their closest points.

use carom_base::{Dual, Scalar, Vec3};

use super::{Level, Side, Surface};
use crate::contact::Curvature;

/// The closest point to a point on a surface: x = p + d n.
#[derive(Clone, Copy, Debug)]
pub struct ClosestPoint<S: Scalar = f64> {
    /// the closest point of the surface [m]
    pub p: Vec3<S>,
    /// the unit normal there, out of the material into the free side
    pub n: Vec3<S>,
    /// the signed distance [m], negative within the material
    pub d: S,
}

/// Where a search for a closest point starts: a point of the surface, or next to it.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    /// the point [m]
    pub p: Vec3,
    /// the function that is zero on the surface and its derivatives there, if a search has been there before
    pub level: Option<Level>,
}

impl Start {
    /// From a point of which no more is known.
    pub fn at(p: Vec3) -> Start {
        Start { p, level: None }
    }
}

/// The capability of closest points.
///
/// A convex solid seen from outside has one closest point; a cavity with several walls has one for each wall
/// (barrel and both caps of a can), and a ball may touch all of them at once. They are the surface's
/// *features* and keep their numbers for good.
///
/// Within the material the nearest piece of the boundary wins. Where the closest point is not unique (the
/// centre of a sphere) one is chosen, always the same.
pub trait Project: Surface {
    /// The names of the features on that side.
    fn features(&self, side: Side) -> &'static [&'static str];
    /// The closest point to `x` on a feature, all in the surface's frame.
    fn closest_point(&self, side: Side, feature: usize, x: &Vec3) -> ClosestPoint;
    /// A point of the surface at which `x` is straight above or below it, found in a few steps from a point of the surface near to that, on the outside: no other point is nearer if `x` is no further away than hollows and bulges are
    /// round. With it comes where to start from for the next `x` near by. `None` if steps lead nowhere soon, or the surface has closest points in closed form.
    fn closest_point_near(&self, x: &Vec3, start: &Start) -> Option<(ClosestPoint, Start)> {
        let _ = (x, start);
        None
    }
    /// A function of the place [m], with its gradient, that is zero where the distance from the surface has a derivative that leaps or has no bound, though not its slope: as where the curvature of the surface does. It changes by no more than the way a point goes.
    /// There may be several, numbered from 0 on; `None` beyond the last. Integrals over distances end there and begin anew.
    fn seam(&self, k: usize, x: &Vec3) -> Option<(f64, Vec3)> {
        let _ = (k, x);
        None
    }
    /// The sum [1/m] and the product [1/m²] of the principal curvatures at a point of the surface, positive where it bulges out of the inside. `None` if that takes as long as finding the point.
    fn curvatures_at(&self, p: &Vec3) -> Option<(f64, f64)> {
        self.as_implicit().map(|implicit| implicit.level(p).curvatures())
    }
    /// The same as `closest_point` with the derivatives by the three coordinates of `x`.
    fn closest_point_dual(&self, side: Side, feature: usize, x: &Vec3<Dual<3>>) -> ClosestPoint<Dual<3>>;
    /// The principal curvatures at the closest point to `x`, positive where the free side sees a bulge (a ball
    /// from outside), negative where it sees a hollow (a race). A sharp edge counts as flat: it has no
    /// curvature radius, and the other body's is what spreads the load.
    fn curvature(&self, side: Side, feature: usize, x: &Vec3) -> Curvature;
    /// The smallest radius of a hollow on that side [m]: infinite unless a wall is concave. At the
    /// distance d from such a wall, that of a point moving straight on bends towards the wall by up to
    /// v²/(radius − d).
    fn hollow_radius(&self, side: Side) -> f64;
}

/// [`Project`], written once over [`Scalar`]; implement this and get both faces.
pub trait ProjectFormula: Surface {
    /// See [`Project::features`].
    fn features(&self, side: Side) -> &'static [&'static str];
    /// See [`Project::closest_point`].
    fn closest_point<S: Scalar>(&self, side: Side, feature: usize, x: &Vec3<S>) -> ClosestPoint<S>;
    /// See [`Project::curvature`].
    fn curvature(&self, side: Side, feature: usize, x: &Vec3) -> Curvature;
    /// See [`Project::seam`].
    fn seam(&self, k: usize, x: &Vec3) -> Option<(f64, Vec3)> {
        let _ = (k, x);
        None
    }
    /// See [`Project::hollow_radius`].
    fn hollow_radius(&self, side: Side) -> f64 {
        let _ = side;
        f64::INFINITY
    }
}

impl<T: ProjectFormula> Project for T {
    fn features(&self, side: Side) -> &'static [&'static str] {
        ProjectFormula::features(self, side)
    }
    fn closest_point(&self, side: Side, feature: usize, x: &Vec3) -> ClosestPoint {
        ProjectFormula::closest_point(self, side, feature, x)
    }
    fn closest_point_dual(&self, side: Side, feature: usize, x: &Vec3<Dual<3>>) -> ClosestPoint<Dual<3>> {
        ProjectFormula::closest_point(self, side, feature, x)
    }
    fn curvature(&self, side: Side, feature: usize, x: &Vec3) -> Curvature {
        ProjectFormula::curvature(self, side, feature, x)
    }
    fn seam(&self, k: usize, x: &Vec3) -> Option<(f64, Vec3)> {
        ProjectFormula::seam(self, k, x)
    }
    fn hollow_radius(&self, side: Side) -> f64 {
        ProjectFormula::hollow_radius(self, side)
    }
}
