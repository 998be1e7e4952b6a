//! A cylinder, a cone or a frustum in a round convex cavity: its rims and its tip against each wall.
//!
//! The distance d from a wall of a convex cavity is a concave function of the place, so that of all points of a convex solid an extreme one is nearest: a point of a rim, or the tip. Walls have no end: a solid in
//! a cavity cannot get round them.
//!
//! - A *flat* wall (the ends of a can) is a plane: the lowest and the highest point of each rim (`plane_cylinder`).
//! - At a *round* wall a rim may touch in one point, in several (in an oval bowl, or askew in a tube) or all round (in a funnel). The nearest point alone would jump from one to another. So each rim has eight
//!   *anchors* c, fixed points of it, and each anchor a contact of its own, as solids have them that touch flat on flat (`crowned`): the point u of the disc within the rim with the least
//!
//!     G(u) = D(u) + |u − c|²/2R ,      R = r/κ ,
//!
//!   D the lower convex hull over the disc of the distances of the rim's points from the wall (`convex_hull.rs`). Almost always u is a point of the rim, and D its distance. In a funnel each anchor stays where it is; leaning, they all come to the
//!   deepest point; where two places are as deep, an anchor between them has a part of its force at each: its up to three contact points have the indentation −G in common, and shares that change continuously. So forces are continuous however deep
//!   the rim is, the rate of G is the mean of those of the material by these shares, and forces have a potential. The gap is too wide by the crown, at most κ r (1 − cos 22.5°), that is 1.9e-5 r, at the deepest point of the rim.
//!
//! As one of two opposite places becomes deeper than the other, the force goes over from the one to the other while their depths differ by less than 4 κ r = 1e-3 r.
//!
//! The minimum around the circle: of the second derivative of d by the angle it is known that it is r at most, as d is concave. So of 32 points around, the same for all anchors, those are followed by Newton's method next to which the minimum can be.
//!
//! Checked: search around the rims, rates and derivatives, motion that keeps its energy (`tests/rims_in_cavity.rs`).

mod convex_hull;

use std::cell::Cell;
use std::sync::Arc;

use carom_base::elementary::sincos;
use carom_base::{Dual, Mat3, Pose, Scalar, Two, Vec3};

use super::convex::newton::across;
use super::{SHARP, finite, plane_cylinder, solid, sphere_any, within};
use crate::contact::{Contact, RelativeCurvature};
use crate::error::PairFailure;
use crate::pair::{BoundPair, ContactResult, GapBounds, PairFeatures, PairScalar, PairSolver, two_by_two};
use crate::shape::{Project, Shape, Side, Surface};
use crate::surfaces::{Cone, Cylinder};
use convex_hull::{MOST, Rounds, Shared, turned};

/// κ, the crown of a rim.
const CROWN: f64 = 2.5e-4;
/// Anchors of a rim.
const ANCHORS: usize = 8;
/// Where the first one is [rad]: askew to the solid's axes, so that motions that are symmetrical about one of these do not bring two anchors at once to where points are added.
const FIRST: f64 = 0.1;
/// How much of a contact each of them is: a rim that touches all round is as stiff as on a plane, where its lowest and its highest point carry.
const SHARE: f64 = 2.0 / ANCHORS as f64;
/// Points around a rim that are looked at, anchors among them.
const LOOKS: usize = 4 * ANCHORS;
/// The angle between two looks [rad].
const STEP: f64 = std::f64::consts::TAU / LOOKS as f64;

/// The solver: A the inside of a round convex surface, B a cylinder, a cone or a frustum.
///
/// ```
/// use carom_geometry::{Pose, Shape, Vec3, pairs, surfaces::{Cylinder, Sphere}};
/// let (bowl, can) = (Shape::inside(Sphere::new(0.05)?), Shape::outside(Cylinder::new(0.03, 0.01)?)); // [m]
/// let pair = pairs::bind(&bowl, &can)?;
/// // upright, its lower rim is √(0.05² − 0.03²) = 0.04 below the middle where it touches all round
/// let (rim, contact) = pair.nearest(&Pose::identity(), &Pose::at(Vec3::new(0.0, 0.0, -0.035)))?;
/// assert!(pair.solver() == "rims-in-cavity" && pair.feature_name(rim).starts_with("rim- "));
/// assert!(contact.delta.abs() < 1e-16);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RimsInCavity;

/// A point of the solid against a wall.
#[derive(Clone, Copy, Debug)]
enum Feature {
    /// the stationary point of a rim at a flat wall, the highest if `outward` is positive, `plane` the wall's in the cavity's frame
    Flat { plane: Pose, outward: f64, height: f64 },
    /// the tip, at that height [m]
    Tip { height: f64 },
    /// a point of an anchor, by number, the one with the most force first
    Rim { rim: Rim, anchor: usize, number: usize },
}

/// A rim against a round wall.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Rim {
    radius: f64,
    height: f64,
    wall: usize,
}

/// The distances of points of a rim from the wall [m], from the first anchor on.
type Looks = [f64; LOOKS];

#[derive(Debug)]
struct Bound {
    cavity: Arc<dyn Surface>,
    /// with the wall's number and a name
    features: Vec<(Feature, usize, String)>,
}

impl PairSolver for RimsInCavity {
    fn name(&self) -> &'static str {
        "rims-in-cavity"
    }
    fn reference(&self) -> &'static str {
        "of each rim, crowned about eight of its points in turn, the points nearest to each wall"
    }
    fn bind(&self, a: &Shape, b: &Shape) -> Option<Box<dyn BoundPair>> {
        if a.side != Side::Inside {
            return None;
        }
        // a surface with a support function bounds a convex solid
        let (project, _) = (a.surface.as_project()?, a.surface.as_support()?);
        let rims = rims(b)?;
        // (a cylinder that is too thick for a hollow one fits in no way)
        if let (Some(tube), Some(rod)) = (a.surface.as_any().downcast_ref::<Cylinder>(), solid::<Cylinder>(b))
            && rod.radius() >= tube.radius()
        {
            return None;
        }
        let planes: Vec<Option<Pose>> =
            project.features(Side::Inside).iter().enumerate().map(|(wall, _)| flat(project, wall)).collect();
        // (a box has none but flat walls, and whatever touches planes is in it at home)
        planes.iter().any(Option::is_none).then_some(())?;
        let mut features = Vec::new();
        for (wall, (name, plane)) in project.features(Side::Inside).iter().zip(&planes).enumerate() {
            for (rim, [radius, height]) in ["rim+", "rim-"].into_iter().zip(rims) {
                let mut put =
                    |feature, point: String| features.push((feature, wall, format!("{point} at {name}")));
                match plane {
                    _ if radius == 0.0 => put(Feature::Tip { height }, "tip".to_owned()),
                    Some(plane) => {
                        for (point, outward) in [("low", -radius), ("high", radius)] {
                            put(Feature::Flat { plane: *plane, outward, height }, format!("{rim} {point}"));
                        }
                    }
                    None => {
                        for (k, number) in (0..ANCHORS).flat_map(|k| (0..MOST).map(move |number| (k, number)))
                        {
                            let feature =
                                Feature::Rim { rim: Rim { radius, height, wall }, anchor: k, number };
                            put(feature, format!("{rim} {}{}", k + 1, ["", "b", "c"][number]));
                        }
                    }
                }
            }
        }
        Some(Box::new(Bound { cavity: a.surface.clone(), features }))
    }
}

/// The radii and heights of the rims of a solid [m], the upper one first; the radius of a tip is zero.
fn rims(b: &Shape) -> Option<[[f64; 2]; 2]> {
    let (radii, length) = match (solid::<Cylinder>(b), solid::<Cone>(b)) {
        (Some(cylinder), _) => ([cylinder.radius(); 2], cylinder.length()),
        (_, Some(cone)) => ([cone.top_radius(), cone.radius()], cone.length()),
        _ => return None,
    };
    Some([[radii[0], 0.5 * length], [radii[1], -0.5 * length]])
}

/// The plane of a wall whose normal does not turn, its z axis into the cavity.
fn flat(project: &dyn Project, wall: usize) -> Option<Pose> {
    let x = Vec3::new(0.11, -0.07, 0.05) * project.bounds().radius;
    let here = project.closest_point_dual(Side::Inside, wall, &Vec3::from_fn(|i, _| Dual::variable(x[i], i)));
    here.n.iter().all(|c| c.eps == [0.0; 3]).then(|| {
        let (n, p) = (here.n.map(|c| c.re), here.p.map(|c| c.re));
        let t = across(&n);
        Pose { p, r: Mat3::from_columns(&[t.column(0).into(), n.cross(&t.column(0)), n]) }
    })
}

/// A rim of the solid in the cavity: x(ψ) = m + r (e cos ψ + t sin ψ), ψ from the first anchor on.
#[derive(Clone, Copy)]
struct Circle<S: Scalar> {
    middle: Vec3<S>,
    /// r e, to the first anchor, and r t
    arms: [Vec3<S>; 2],
}

impl<S: Scalar> Circle<S> {
    fn new(rim: &Rim, x: &Pose<S>) -> Circle<S> {
        let (sin, cos) = sincos(FIRST);
        let [cos, sin] = [cos, sin].map(|c| S::from_f64(rim.radius * c));
        Circle {
            middle: x.p + x.axis(2) * S::from_f64(rim.height),
            arms: [x.axis(0) * cos + x.axis(1) * sin, x.axis(1) * cos - x.axis(0) * sin],
        }
    }

    /// x and its derivative by ψ.
    fn at(&self, cos: S, sin: S) -> (Vec3<S>, Vec3<S>) {
        let [e, t] = &self.arms;
        (self.middle + e * cos + t * sin, t * cos - e * sin)
    }
}

impl Circle<f64> {
    /// The distances of points around from a wall.
    fn looks(&self, project: &dyn Project, wall: usize) -> Looks {
        std::array::from_fn(|k| {
            let (sin, cos) = sincos(STEP * k as f64);
            project.closest_point(Side::Inside, wall, &self.at(cos, sin).0).d
        })
    }
}

/// The points of an anchor, with the rim in the cavity's frame.
#[derive(Clone, Copy)]
struct Anchored<S: Scalar> {
    circle: Circle<S>,
    shared: Shared<S>,
    /// −G [m]
    delta: S,
}

impl Bound {
    /// The points of an anchor, with that crown; from looks around, if there are some.
    fn anchored<S: PairScalar>(
        (rim, anchor, project): (Rim, usize, &dyn Project),
        kappa: f64,
        [x_a, x_b]: [&Pose<S>; 2],
        looks: Option<&Looks>,
    ) -> Result<Anchored<S>, PairFailure> {
        let x = x_b.seen_from(x_a);
        let value = Pose { p: x.p.map(|c| c.value()), r: x.r.map(|c| c.value()) };
        if !(value.p.sum() + value.r.sum()).is_finite() {
            return Err(PairFailure::NotFinite);
        }
        let rounds = Rounds {
            project,
            wall: rim.wall,
            radius: rim.radius,
            circle: Circle::new(&rim, &value),
            crown: kappa * rim.radius,
            anchor: STEP * (anchor * LOOKS / ANCHORS) as f64,
        };
        let shared = match looks {
            Some(looks) => rounds.least(looks),
            None => rounds.least(&rounds.circle.looks(project, rim.wall)),
        };
        let circle = Circle::new(&rim, &x);
        let (shared, g) = rounds.differentiate(&shared, &circle);
        Ok(Anchored { circle, shared, delta: -g })
    }

    /// The contact point of that number.
    fn of<S: PairScalar>(
        (wall, project): (usize, &dyn Project),
        at: &Anchored<S>,
        number: usize,
        x_a: &Pose<S>,
    ) -> ContactResult<S> {
        // (one that is not needed is where the first is, without a share)
        let needed = number < at.shared.count;
        let (sin, cos) = turned(&at.shared.psi[if needed { number } else { 0 }]);
        let (x, _) = at.circle.at(cos, sin);
        let closest = S::closest_point(project, Side::Inside, wall, &x);
        let contact = sphere_any::contact(0.0, x_a, &x_a.point(&x), &closest);
        let weight = if needed { at.shared.weight[number] } else { S::from_f64(0.0) };
        let (delta, share) = (at.delta, weight * S::from_f64(SHARE));
        finite(Contact { p_b: contact.p_a - contact.n * delta, delta, share, ..contact })
    }
}

impl PairFeatures for Bound {
    fn solver(&self) -> &'static str {
        RimsInCavity.name()
    }
    fn features(&self) -> usize {
        self.features.len()
    }
    fn feature_name(&self, feature: usize) -> String {
        self.features.get(feature).map_or_else(String::new, |(_, _, name)| name.clone())
    }
    fn curvature(&self, _feature: usize, _x_a: &Pose, _x_b: &Pose) -> RelativeCurvature {
        SHARP
    }
    // the points run around their rims
    fn bounds(&self) -> GapBounds {
        GapBounds::UNKNOWN
    }
    /// No point of a rim is nearer to a wall than its middle by more than the radius.
    fn near(&self, x_a: &Pose, x_b: &Pose, margin: f64, near: &mut Vec<usize>) -> bool {
        let Some(project) = self.cavity.as_project() else { return false };
        let x = x_b.seen_from(x_a);
        let mut seen: Option<(Rim, f64)> = None;
        near.clear();
        for (k, (kind, ..)) in self.features.iter().enumerate() {
            let Feature::Rim { rim, .. } = kind else {
                near.push(k);
                continue;
            };
            if seen.is_none_or(|(of, _)| of != *rim) {
                let middle = x.p + x.axis(2) * rim.height;
                seen = Some((*rim, project.closest_point(Side::Inside, rim.wall, &middle).d - rim.radius));
            }
            if seen.is_none_or(|(_, gap)| !(gap > margin)) {
                near.push(k);
            }
        }
        true
    }
}

impl Bound {
    fn at<S: PairScalar>(
        &self,
        feature: usize,
        kappa: f64,
        x_a: &Pose<S>,
        x_b: &Pose<S>,
    ) -> ContactResult<S> {
        let (kind, wall, _) = &self.features[within(feature, self.features.len())?];
        // it was there when the pair was bound
        let project = self.cavity.as_project().ok_or(PairFailure::NoFeature(feature))?;
        match *kind {
            Feature::Flat { plane, outward, height } => {
                let plane = Pose { p: plane.p.map(S::from_f64), r: plane.r.map(S::from_f64) };
                finite(plane_cylinder::contact(outward, height, &x_a.then(&plane), x_b))
            }
            Feature::Tip { height } => {
                let tip = x_b.point(&(Vec3::z() * S::from_f64(height)));
                let closest_point = S::closest_point(project, Side::Inside, *wall, &x_a.point_to_local(&tip));
                finite(sphere_any::contact(0.0, x_a, &tip, &closest_point))
            }
            Feature::Rim { rim, anchor, number } => {
                let at = Bound::anchored((rim, anchor, project), kappa, [x_a, x_b], None)?;
                Bound::of((rim.wall, project), &at, number, x_a)
            }
        }
    }
}

impl BoundPair for Bound {
    fn contact(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> ContactResult {
        self.at(feature, CROWN, x_a, x_b)
    }
    /// The anchors of a rim have their looks in common, and the points of an anchor all but their places.
    fn contacts(
        &self,
        features: &[usize],
        x_a: &Pose,
        x_b: &Pose,
        contacts: &mut Vec<Contact<Two>>,
    ) -> Result<(), PairFailure> {
        let project = self.cavity.as_project().ok_or(PairFailure::NoFeature(0))?;
        let seen: Cell<Option<(Rim, Looks)>> = Cell::new(None);
        let found: Cell<Option<(Rim, usize, Anchored<f64>)>> = Cell::new(None);
        two_by_two(features, contacts, |k| {
            let Some((Feature::Rim { rim, anchor, number }, ..)) = self.features.get(k) else {
                return self.at(k, CROWN, x_a, x_b);
            };
            let at = match found.get() {
                Some((of, same, at)) if of == *rim && same == *anchor => at,
                _ => {
                    let looks = seen.get().filter(|(of, _)| of == rim).map(|(_, looks)| looks);
                    let around = || Circle::new(rim, &x_b.seen_from(x_a)).looks(project, rim.wall);
                    let looks = looks.unwrap_or_else(around);
                    seen.set(Some((*rim, looks)));
                    Bound::anchored((*rim, *anchor, project), CROWN, [x_a, x_b], Some(&looks))?
                }
            };
            found.set(Some((*rim, *anchor, at)));
            Bound::of((rim.wall, project), &at, *number, x_a)
        })
    }
    fn contact_dual(
        &self,
        feature: usize,
        x_a: &Pose<Dual<6>>,
        x_b: &Pose<Dual<6>>,
    ) -> Option<ContactResult<Dual<6>>> {
        Some(self.at(feature, CROWN, x_a, x_b))
    }
    fn nearest(&self, x_a: &Pose, x_b: &Pose) -> Result<(usize, Contact), PairFailure> {
        let project = self.cavity.as_project().ok_or(PairFailure::NoFeature(0))?;
        let mut seen: Option<(Rim, Looks)> = None;
        let mut best: Option<(usize, Contact)> = None;
        for (k, (kind, ..)) in self.features.iter().enumerate() {
            let contact = match kind {
                // the points of an anchor are as deep
                Feature::Rim { number: 1.., .. } => continue,
                Feature::Rim { rim, anchor, number } => {
                    let around = || Circle::new(rim, &x_b.seen_from(x_a)).looks(project, rim.wall);
                    let looks = seen.filter(|(of, _)| of == rim).map_or_else(around, |(_, looks)| looks);
                    seen = Some((*rim, looks));
                    let at = Bound::anchored((*rim, *anchor, project), CROWN, [x_a, x_b], Some(&looks))?;
                    Bound::of((rim.wall, project), &at, *number, x_a)?
                }
                _ => self.at(k, CROWN, x_a, x_b)?,
            };
            if best.is_none_or(|(_, best)| contact.delta > best.delta) {
                best = Some((k, contact));
            }
        }
        best.ok_or(PairFailure::NoFeature(0))
    }
    /// Of the rims as they are, without a crown: one anchor of each finds it.
    fn closest(&self, x_a: &Pose, x_b: &Pose) -> ContactResult {
        let mut best: Option<Contact> = None;
        for (k, (kind, ..)) in self.features.iter().enumerate() {
            if matches!(kind, Feature::Rim { anchor, number, .. } if anchor + number != 0) {
                continue;
            }
            let contact = Contact { share: 1.0, ..self.at(k, 0.0, x_a, x_b)? };
            if best.is_none_or(|best| contact.delta > best.delta) {
                best = Some(contact);
            }
        }
        best.ok_or(PairFailure::NoFeature(0))
    }
}
