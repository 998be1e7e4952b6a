//! A solid with corners in a convex cavity: each of its corners against each wall. A capsule is such a solid too, its corners being balls at the ends of its axis.
//!
//! The solid is the convex hull of balls of one radius r (zero, but of a capsule) about its corners c. The distance from a wall of a convex cavity is a concave function of the place, so that of all points of
//! the solid a corner is the nearest. With d the distance of c from the wall, δ = r − d. A corner of a box in a corner of a box touches three walls at once. Walls have no end: a solid in a cavity cannot
//! get round them.

use std::sync::Arc;

use carom_base::{Pose, Vec3};

use super::sphere_any::{self, hollow_of_ball};
use super::{CORNERS, SHARP, finite, within};
use crate::contact::{Contact, RelativeCurvature};
use crate::error::PairFailure;
use crate::pair::{BoundPair, ContactResult, GapBounds, PairFeatures, PairFormula, PairScalar, PairSolver};
use crate::shape::{Project, Shape, Side, Surface};
use crate::surfaces::{Capsule, Cone, Cuboid};

/// The solver: A the inside of a convex surface, B a box, a polyhedron or a capsule.
///
/// ```
/// use carom_geometry::{Pose, Shape, Vec3, pairs, surfaces::{Cuboid, Sphere}};
/// let (bowl, die) = (Shape::inside(Sphere::new(0.05)?), Shape::outside(Cuboid::new([0.02; 3])?)); // [m]
/// let pair = pairs::bind(&bowl, &die)?;
/// let (_, contact) = pair.nearest(&Pose::identity(), &Pose::at(Vec3::new(0.0, 0.0, -0.04)))?;
/// assert!((contact.delta - (0.05f64.powi(2) + 2.0 * 0.01f64.powi(2)).sqrt() + 0.05).abs() < 1e-16);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct CornersInCavity;

#[derive(Debug)]
struct Bound {
    cavity: Arc<dyn Surface>,
    walls: &'static [&'static str],
    corners: Vec<Vec3>,
    /// the middle of the corners, and how far each of them is from it [m]
    middle: Vec3,
    away: Vec<f64>,
    /// r [m]
    radius: f64,
    /// how much of a contact a corner is: both ends of a capsule are one together
    share: f64,
    hollow: Option<f64>,
    is_box: bool,
}

impl PairSolver for CornersInCavity {
    fn name(&self) -> &'static str {
        "corners-in-cavity"
    }
    fn reference(&self) -> &'static str {
        "the distances of the corners from the walls; walls as in Corral et al. 2021, Eqs 9-19"
    }
    fn bind(&self, a: &Shape, b: &Shape) -> Option<Box<dyn BoundPair>> {
        if a.side != Side::Inside || b.side != Side::Outside {
            return None;
        }
        // a surface with a support function bounds a convex solid
        let (project, _) = (a.surface.as_project()?, a.surface.as_support()?);
        let corners = b.surface.as_support()?.corners()?;
        let capsule = b.surface.as_any().downcast_ref::<Capsule>();
        let radius = capsule.map_or(0.0, Capsule::radius);
        let middle = corners.iter().sum::<Vec3>() / corners.len() as f64;
        let away = corners.iter().map(|corner| (corner - middle).norm()).collect();
        Some(Box::new(Bound {
            cavity: a.surface.clone(),
            walls: project.features(Side::Inside),
            radius,
            share: if capsule.is_some() { 1.0 / corners.len() as f64 } else { 1.0 },
            corners,
            middle,
            away,
            // (towards its apex the mantle of a cone bends ever more, and corners may be there)
            hollow: match a.surface.as_any().is::<Cone>() {
                true => None,
                false => hollow_of_ball(project.hollow_radius(Side::Inside), radius),
            },
            is_box: b.surface.as_any().is::<Cuboid>(),
        }))
    }
}

impl Bound {
    fn project(&self, feature: usize) -> Result<&dyn Project, PairFailure> {
        within(feature, self.features())?;
        // it was there when the pair was bound
        self.cavity.as_project().ok_or(PairFailure::NoFeature(feature))
    }
}

impl PairFeatures for Bound {
    fn solver(&self) -> &'static str {
        CornersInCavity.name()
    }
    fn features(&self) -> usize {
        self.corners.len() * self.walls.len()
    }
    fn feature_name(&self, feature: usize) -> String {
        if feature >= self.features() {
            return String::new();
        }
        let (k, wall) = (feature / self.walls.len(), self.walls[feature % self.walls.len()]);
        match CORNERS.get(k) {
            Some(corner) if self.is_box => format!("{corner} at {wall}"),
            _ if self.radius > 0.0 => format!("end{} at {wall}", if k == 0 { "+" } else { "-" }),
            _ => format!("corner {} at {wall}", k + 1),
        }
    }
    fn curvature(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> RelativeCurvature {
        let Ok(project) = self.project(feature) else { return SHARP };
        if self.radius == 0.0 {
            return SHARP;
        }
        let (k, wall) = (feature / self.walls.len(), feature % self.walls.len());
        let centre = x_a.point_to_local(&x_b.point(&self.corners[k]));
        let (of_wall, ball) = (project.curvature(Side::Inside, wall, &centre), 1.0 / self.radius);
        RelativeCurvature::point(of_wall.k1.min(of_wall.k2) + ball, of_wall.k1.max(of_wall.k2) + ball)
    }
    fn bounds(&self) -> GapBounds {
        GapBounds::hollow(self.hollow)
    }
    /// No corner is nearer to a wall than their middle by more than it is away from that.
    fn near(&self, x_a: &Pose, x_b: &Pose, margin: f64, near: &mut Vec<usize>) -> bool {
        let Some(project) = self.cavity.as_project() else { return false };
        let (x, count) = (x_b.seen_from(x_a), self.walls.len());
        let centre = x.point(&self.middle);
        near.clear();
        for k in 0..self.corners.len() {
            near.extend((0..count).map(|wall| k * count + wall));
        }
        for wall in 0..count {
            let room = project.closest_point(Side::Inside, wall, &centre).d - self.radius - margin;
            if room > 0.0 {
                let is_far = |k: &usize| k % count == wall && self.away[k / count] < room;
                near.retain(|k| !is_far(k));
            }
        }
        true
    }
}

impl PairFormula for Bound {
    fn contact<S: PairScalar>(&self, feature: usize, x_a: &Pose<S>, x_b: &Pose<S>) -> ContactResult<S> {
        let project = self.project(feature)?;
        let (k, wall) = (feature / self.walls.len(), feature % self.walls.len());
        let centre = x_b.point(&self.corners[k].map(S::from_f64));
        let closest_point = S::closest_point(project, Side::Inside, wall, &x_a.point_to_local(&centre));
        let contact = sphere_any::contact(self.radius, x_a, &centre, &closest_point);
        finite(Contact { share: S::from_f64(self.share), ..contact })
    }
}
