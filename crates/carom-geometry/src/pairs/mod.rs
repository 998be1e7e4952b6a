//! The algorithms: one file each, one line each in [`ALL`].

use std::sync::Arc;

use carom_base::{Entry, Pose, Scalar, Two, Vec3};

use crate::contact::{Contact, Found, RelativeCurvature, Seed};
use crate::error::{GeometryError, PairFailure};
use crate::pair::{
    BoundPair, ContactResult, GapBounds, PairDual, PairFeatures, PairSolver, with_derivatives,
};
use crate::pressure::PressurePatch;
use crate::shape::{Shape, Side};

pub use deformed::bind_deformed;
pub use for_query::{FOR_QUERIES, bind_for_query};

pub mod apart;
pub mod ball_box;
pub mod ball_ellipsoid;
pub mod box_box;
pub mod boxes_apart;
pub mod capsule_cylinder;
mod capsule_on_cylinder;
pub mod cavity;
mod circles;
pub mod common_normal;
pub mod convex;
pub mod corners_in_cavity;
pub mod crowned;
pub mod cylinder_cylinder;
mod deformed;
mod end_disc;
mod for_query;
pub mod in_box;
pub mod journal;
mod levels;
pub mod mesh;
mod partners;
mod piece;
pub mod plane_box;
pub mod plane_capsule;
pub mod plane_convex;
pub mod plane_cylinder;
pub mod plane_torus;
pub mod pressure;
pub mod rims_in_cavity;
pub mod slices;
mod rounded;
mod slide;
pub mod sphere_any;
pub mod sphere_plane;
pub mod sphere_sphere;
pub mod torus_convex;
pub mod torus_torus;

/// Every algorithm, in the order they are asked: closed forms first, general ones after.
pub static ALL: &[&dyn PairSolver] = &[
    &sphere_sphere::SphereSphere,
    &sphere_plane::SpherePlane,
    &sphere_any::SphereAny,
    &plane_box::PlaneBox,
    &plane_box::PlanePolyhedron,
    &plane_capsule::PlaneCapsule,
    &plane_cylinder::PlaneCylinder,
    &plane_cylinder::PlaneCone,
    &plane_torus::PlaneTorus,
    &plane_convex::PlaneEllipsoid,
    &plane_convex::PlaneConvex,
    &torus_torus::TorusTorus,
    &torus_convex::TorusConvex,
    &box_box::BoxBox,
    &corners_in_cavity::CornersInCavity,
    &journal::Journal,
    &capsule_cylinder::CapsuleCylinder,
    &cylinder_cylinder::CylinderCylinder,
    &convex::Convex,
    &crowned::Crowned,
    &cavity::Cavity,
    &in_box::InBox,
    &rims_in_cavity::RimsInCavity,
    // the last two are for bodies that deform, whose surfaces the pairs above do not take
    &ball_ellipsoid::BallEllipsoid,
    &ball_box::BallBox,
];

/// The algorithms that a contact or a query may ask for by name: general ones, for pairs that [`ALL`] binds otherwise, or to be compared with.
///
/// ```
/// use carom_geometry::{Shape, pairs, surfaces::Ellipsoid};
/// use carom_base::{Args, Value};
/// let egg = Shape::outside(Ellipsoid::new([0.02, 0.02, 0.03])?); // [m]
/// let entry = pairs::NAMED.iter().find(|e| e.name == "common-normal").unwrap();
/// let solver = entry.make(&Args::new().with("tangents", Value::Text("auxiliary".into())))?;
/// assert_eq!(pairs::bind_by(solver.as_ref(), &egg, &egg)?.solver(), "common-normal-auxiliary");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub static NAMED: &[Entry<Arc<dyn PairSolver>>] = &[
    common_normal::ENTRY,
    Entry {
        name: "convex",
        summary: "two convex solids, one of them smooth: certified, or searched for over all directions",
        params: &[],
        build: |_| Ok(Arc::new(convex::Convex)),
    },
    pressure::ENTRY,
    Entry {
        name: "crowned",
        summary: "two solids with flat faces, edges or rims, cylinders against each other too: anchors all around, and no line of contact",
        params: &[],
        build: |_| Ok(Arc::new(crowned::Crowned)),
    },
    Entry {
        name: "sphere-any",
        summary: "a ball against any surface that knows closest points",
        params: &[],
        build: |_| Ok(Arc::new(sphere_any::SphereAny)),
    },
];

/// Binds two shapes to the first algorithm of [`ALL`] that knows them, in either order.
///
/// ```
/// use carom_geometry::{Pose, Shape, Vec3, pairs};
/// use carom_geometry::surfaces::{Cylinder, Sphere};
/// let can = Shape::inside(Cylinder::new(0.10, 0.30)?); // [m]
/// let ball = Shape::outside(Sphere::new(0.02)?);
/// let pair = pairs::bind(&can, &ball)?;
/// let at = Pose::at(Vec3::new(0.081, 0.0, 0.131)); // touches barrel and upper cap at once
/// for k in 0..pair.features() {
///     let contact = pair.contact(k, &Pose::identity(), &at)?;
///     let expected = [("barrel", 0.001), ("cap+", 0.001), ("cap-", -0.261)][k];
///     assert_eq!(pair.feature_name(k), expected.0);
///     assert!((contact.delta - expected.1).abs() < 1e-15);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn bind(a: &Shape, b: &Shape) -> Result<Box<dyn BoundPair>, GeometryError> {
    bind_with(&[], a, b)
}

/// The same, but `own` algorithms are asked before those of [`ALL`].
///
/// ```
/// use carom_geometry::{Shape, pairs};
/// use carom_geometry::surfaces::{Plane, Sphere};
/// let (floor, ball) = (Shape::outside(Plane), Shape::outside(Sphere::new(0.02)?)); // [m]
/// let general = pairs::bind_with(&[&pairs::sphere_any::SphereAny], &floor, &ball)?;
/// assert_eq!(general.solver(), "sphere-any");
/// assert_eq!(pairs::bind(&floor, &ball)?.solver(), "sphere-plane");
/// # Ok::<(), carom_geometry::GeometryError>(())
/// ```
pub fn bind_with(own: &[&dyn PairSolver], a: &Shape, b: &Shape) -> Result<Box<dyn BoundPair>, GeometryError> {
    let all = || own.iter().chain(ALL).copied();
    first_of(all(), a, b)?.ok_or_else(|| {
        let (a_text, b_text) = (a.describe(), b.describe());
        match either_way(&slices::ANY, a, b) {
            Some(_) => GeometryError::NeedsSlices { a: a_text, b: b_text },
            None => {
                let possible = partners::of([a, b], |a, b| first_of(all(), a, b).is_ok_and(|p| p.is_some()));
                let presses = either_way(&pressure::Pressure::default(), a, b).is_some();
                GeometryError::NoPair { a: a_text, b: b_text, possible, presses }
            }
        }
    })
}

/// Binds two shapes to one algorithm and no other, in either order.
///
/// ```
/// use carom_geometry::{Shape, pairs, pairs::slices::Slices};
/// use carom_geometry::surfaces::{Plane, Sphere, Torus};
/// let (floor, ring) = (Shape::outside(Plane), Shape::outside(Torus::new(0.025, 0.005)?)); // [m]
/// assert_eq!(pairs::bind_by(&Slices::new(36)?, &ring, &floor)?.features(), 36);
/// assert!(pairs::bind_by(&Slices::new(36)?, &Shape::outside(Sphere::new(0.1)?), &floor).is_err());
/// # Ok::<(), carom_geometry::GeometryError>(())
/// ```
pub fn bind_by(solver: &dyn PairSolver, a: &Shape, b: &Shape) -> Result<Box<dyn BoundPair>, GeometryError> {
    first_of(std::iter::once(solver), a, b)?.ok_or_else(|| GeometryError::NotFor {
        a: a.describe(),
        b: b.describe(),
        solver: match solver.key() {
            "solver" => solver.value(),
            key => format!("`{key} = {}`", solver.value()),
        },
    })
}

/// The pair of the first algorithm that knows the two shapes.
fn first_of<'s>(
    mut solvers: impl Iterator<Item = &'s dyn PairSolver>,
    a: &Shape,
    b: &Shape,
) -> Result<Option<Box<dyn BoundPair>>, GeometryError> {
    for shape in [a, b] {
        if shape.side == Side::Inside && !shape.surface.has_inside() {
            return Err(GeometryError::NotClosed { kind: shape.surface.kind() });
        }
    }
    Ok(solvers.find_map(|solver| either_way(solver, a, b)))
}

fn either_way(solver: &dyn PairSolver, a: &Shape, b: &Shape) -> Option<Box<dyn BoundPair>> {
    let swapped = || Some(Box::new(Swapped(solver.bind(b, a)?)) as Box<dyn BoundPair>);
    solver.bind(a, b).or_else(swapped)
}

/// A pair bound the other way round.
#[derive(Debug)]
struct Swapped(Box<dyn BoundPair>);

impl PairFeatures for Swapped {
    fn solver(&self) -> &'static str {
        self.0.solver()
    }
    fn features(&self) -> usize {
        self.0.features()
    }
    fn feature_name(&self, feature: usize) -> String {
        self.0.feature_name(feature)
    }
    fn curvature(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> RelativeCurvature {
        self.0.curvature(feature, x_b, x_a)
    }
    fn parts(&self) -> usize {
        self.0.parts()
    }
    fn near(&self, x_a: &Pose, x_b: &Pose, margin: f64, near: &mut Vec<usize>) -> bool {
        self.0.near(x_b, x_a, margin, near)
    }
    fn bounds(&self) -> GapBounds {
        self.0.bounds().swapped()
    }
    fn late(&self) -> f64 {
        self.0.late()
    }
    fn crown(&self) -> f64 {
        self.0.crown()
    }
    fn fine(&self) -> f64 {
        self.0.fine()
    }
}

impl BoundPair for Swapped {
    fn contact(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> Result<Contact, PairFailure> {
        self.0.contact(feature, x_b, x_a).map(Contact::swapped)
    }
    fn contacts(
        &self,
        features: &[usize],
        x_a: &Pose,
        x_b: &Pose,
        contacts: &mut Vec<Contact<Two>>,
    ) -> Result<(), PairFailure> {
        self.0.contacts(features, x_b, x_a, contacts)?;
        contacts.iter_mut().for_each(|c| *c = c.swapped());
        Ok(())
    }
    fn contacts_from(
        &self,
        features: &[usize],
        x_a: &Pose,
        x_b: &Pose,
        seed: &dyn Fn(usize) -> Option<Seed>,
        contacts: &mut Vec<Contact<Two>>,
    ) -> Result<(), PairFailure> {
        let seed = |k| seed(k).as_ref().map(Seed::swapped);
        self.0.contacts_from(features, x_b, x_a, &seed, contacts)?;
        contacts.iter_mut().for_each(|c| *c = c.swapped());
        Ok(())
    }
    with_derivatives!(|pair, k, x_a, x_b, seed| {
        let seed = seed.map(Seed::swapped);
        Some(PairDual::contact(&*pair.0, k, x_b, x_a, seed.as_ref())?.map(Contact::swapped))
    });
    fn contact_from(&self, feature: usize, x_a: &Pose, x_b: &Pose, seed: Option<&Seed>) -> ContactResult {
        let seed = seed.map(Seed::swapped);
        self.0.contact_from(feature, x_b, x_a, seed.as_ref()).map(Contact::swapped)
    }
    fn is_iterative(&self) -> bool {
        self.0.is_iterative()
    }
    fn kink(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> Option<f64> {
        self.0.kink(feature, x_b, x_a)
    }
    fn has_pieces(&self) -> bool {
        self.0.has_pieces()
    }
    fn piece(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> u32 {
        self.0.piece(feature, x_b, x_a)
    }
    fn piece_ends(&self, feature: usize, x_a: &Pose, x_b: &Pose, piece: u32) -> Option<(f64, u32)> {
        self.0.piece_ends(feature, x_b, x_a, piece)
    }
    fn search(&self, x_a: &Pose, x_b: &Pose, seed: Option<&Seed>) -> Result<Found, PairFailure> {
        let seed = seed.map(Seed::swapped);
        let found = self.0.search(x_b, x_a, seed.as_ref())?;
        Ok(Found { contact: found.contact.swapped(), ..found })
    }
    fn closest(&self, x_a: &Pose, x_b: &Pose) -> Result<Contact, PairFailure> {
        self.0.closest(x_b, x_a).map(Contact::swapped)
    }
    fn closest_by(&self, x_a: &Pose, x_b: &Pose) -> Result<(Contact, &'static str), PairFailure> {
        self.0.closest_by(x_b, x_a).map(|(contact, solver)| (contact.swapped(), solver))
    }
    fn patch(&self) -> Option<&dyn PressurePatch> {
        self.0.patch().map(|_| self as &dyn PressurePatch)
    }
}

impl PressurePatch for Swapped {
    fn points(&self, x_a: &Pose, x_b: &Pose, points: &mut Vec<Contact>) -> Result<(), PairFailure> {
        points.clear();
        let Some(patch) = self.0.patch() else { return Ok(()) };
        patch.points(x_b, x_a, points)?;
        points.iter_mut().for_each(|c| *c = c.swapped());
        Ok(())
    }
    fn stored(&self, x_a: &Pose, x_b: &Pose) -> Result<f64, PairFailure> {
        self.0.patch().map_or(Ok(0.0), |patch| patch.stored(x_b, x_a))
    }
}

/// The contact, unless the poses it came from were not finite.
#[inline(always)]
fn finite<S: Scalar>(contact: Contact<S>) -> Result<Contact<S>, PairFailure> {
    // one test for all: a sum is finite only if its terms are, and n is within p_a and p_b
    if (contact.delta + contact.p_a.sum() + contact.p_b.sum()).value().is_finite() {
        Ok(contact)
    } else {
        Err(PairFailure::NotFinite)
    }
}

/// The feature, if the pair has so many.
#[inline(always)]
fn within(feature: usize, features: usize) -> Result<usize, PairFailure> {
    if feature < features { Ok(feature) } else { Err(PairFailure::NoFeature(feature)) }
}

/// The name of a feature from its table; beyond it, nothing.
fn name_in(names: &[&str], feature: usize) -> String {
    names.get(feature).map_or_else(String::new, |name| (*name).to_owned())
}

/// The surface if it is of that kind and touched from outside.
fn solid<T: 'static>(shape: &Shape) -> Option<&T> {
    match shape.side {
        Side::Outside => shape.surface.as_any().downcast_ref::<T>(),
        Side::Inside => None,
    }
}

/// Axes that are askew by less are parallel, where a line of contact is looked for, and normals that lean by less are across an axis: crowned, they may.
const LEAN: f64 = 2e-3;

/// The length along which two bodies of these lengths about their z axes lie side by side [m]; zero unless the axes are parallel.
fn side_by_side([a, b]: [f64; 2], x_a: &Pose, x_b: &Pose) -> f64 {
    let (along, axis) = (x_a.axis(2), x_b.axis(2));
    if along.cross(&axis).norm() > LEAN {
        return 0.0;
    }
    let middle = (x_b.p - x_a.p).dot(&along);
    ((0.5 * a).min(middle + 0.5 * b) - (-0.5 * a).max(middle - 0.5 * b)).max(0.0)
}

/// The corners of a box by number: the bits, highest first, are the signs along x, y, z.
const CORNERS: [&str; 8] = [
    "corner ---",
    "corner --+",
    "corner -+-",
    "corner -++",
    "corner +--",
    "corner +-+",
    "corner ++-",
    "corner +++",
];

/// The corner of that number of a box of those half lengths [m].
#[inline(always)]
fn corner(k: usize, half: &Vec3) -> Vec3 {
    let side = |bit: usize, h: f64| if k & bit == 0 { -h } else { h };
    Vec3::new(side(4, half.x), side(2, half.y), side(1, half.z))
}

/// Nothing to spread the load over: a corner, a rim.
const SHARP: RelativeCurvature = RelativeCurvature::point(0.0, 0.0);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surfaces::{Plane, Sphere, Superellipsoid};

    #[test]
    fn no_pair_names_both_shapes_and_what_they_touch() {
        let pebble = Shape::outside(Superellipsoid::new([0.2, 0.3, 0.5], [3.0; 3]).unwrap());
        let race = Shape::inside(Sphere::new(1.0).unwrap());
        let message = bind(&pebble, &race).unwrap_err().to_string();
        assert_eq!(
            message,
            "superellipsoid against sphere (inside) has no contact points that an algorithm knows: over the patch where they overlap they \
             press on one another with `law = \"foundation\"` as `normal`; superellipsoid touches sphere, plane, ellipsoid, superellipsoid, \
             box, cylinder, capsule, cone, polyhedron, torus, box (inside); \
             sphere (inside) touches sphere, ellipsoid, box, cylinder, capsule, cone, polyhedron, in slices torus"
        );
    }

    #[test]
    fn the_inside_of_a_plane_is_refused() {
        let ball = Shape::outside(Sphere::new(1.0).unwrap());
        for (a, b) in [(Shape::inside(Plane), ball.clone()), (ball, Shape::inside(Plane))] {
            assert_eq!(bind(&a, &b).unwrap_err(), GeometryError::NotClosed { kind: "plane" });
        }
    }

    #[test]
    fn names_are_unique() {
        for (i, a) in ALL.iter().enumerate() {
            assert!(ALL[..i].iter().all(|b| b.name() != a.name()));
            assert!(!a.reference().is_empty());
        }
    }
}
