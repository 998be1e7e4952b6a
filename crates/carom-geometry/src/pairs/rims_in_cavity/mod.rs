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
//! The minimum around the circle: of the second derivative of d by the angle it is known that it is r at most, as d is concave. So of 32 points around, the same for all anchors, those are followed by Newton's method next to which the minimum can be, for all anchors from where the distance itself has its minima. The points of all anchors of a rim, and the same with derivatives, are asked for one by one: so the last searches are remembered.
//!
//! Where an anchor begins or ends to hand over, the slope of its force has a kink (`kink`): under tight tolerances steps end there.
//!
//! Checked: search around the rims, rates and derivatives, motion that keeps its energy (`tests/rims_in_cavity.rs`).

mod convex_hull;
mod memory;
mod minima;

use std::sync::{Arc, Mutex, PoisonError};

use carom_base::elementary::{cos, sincos};
use carom_base::{Dual, Mat3, Pose, Scalar, Two, Vec3};

use super::convex::newton::across;
use super::{SHARP, finite, plane_cylinder, solid, sphere_any, within};
use crate::contact::{Common, Contact, RelativeCurvature};
use crate::error::PairFailure;
use crate::pair::{
    BoundPair, ContactResult, GapBounds, PairFeatures, PairSolver, two_by_two, with_derivatives,
};
use crate::shape::{ClosestPoint, Project, Shape, Side, Surface};
use crate::surfaces::{Cone, Cylinder};
use memory::{Found, Key, Memory, Remembers};
use minima::{MOST, Rounds};

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
/// Looks that are taken first.
const COARSE: usize = ANCHORS;
/// A look that is further off than the nearest one by more than this, relative to the radius, has no minimum of an anchor beside it: three times the most by which a minimum is lower than the look next to it,
/// STEP²/8 of the radius, and what crowns differ by, 4 κ.
const SLACK: f64 = 3.1 * STEP * STEP / 8.0 + 4.0 * CROWN;

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
    memory: Mutex<Memory>,
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
        Some(Box::new(Bound { cavity: a.surface.clone(), features, memory: Mutex::new(Memory::new()) }))
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
    /// The distances of points around from a wall; infinite where a minimum of any anchor cannot be.
    ///
    /// Over a chord the distance is no less than at its ends, as it is concave, and on the arc no less than that but for the arc's rise: so arcs whose ends are further off than the nearest look by more than this are left out.
    fn looks(&self, project: &dyn Project, rim: &Rim) -> Looks {
        let mut looks = [f64::INFINITY; LOOKS];
        let look = |k: usize, looks: &mut Looks| {
            let (sin, cos) = sincos(STEP * k as f64);
            looks[k] = project.closest_point(Side::Inside, rim.wall, &self.at(cos, sin).0).d;
        };
        (0..LOOKS).step_by(LOOKS / COARSE).for_each(|k| look(k, &mut looks));
        let mut apart = LOOKS / COARSE;
        while apart > 1 {
            let rise = rim.radius * (1.0 - cos(0.5 * STEP * apart as f64));
            let least = looks.iter().copied().fold(f64::INFINITY, f64::min);
            for k in (0..LOOKS).step_by(apart) {
                let ends = looks[k].min(looks[(k + apart) % LOOKS]);
                if !(ends - rise > least + SLACK * rim.radius) {
                    look(k + apart / 2, &mut looks);
                }
            }
            apart /= 2;
        }
        looks
    }
}

impl Bound {
    /// The contact point of an anchor of that number, with that crown. They are asked for one by one, so that the last ones are remembered.
    fn anchored<S: Remembers>(
        &self,
        (rim, anchor, number): (&Rim, usize, usize),
        kappa: f64,
        poses: [&Pose<S>; 2],
        project: &dyn Project,
    ) -> ContactResult<S> {
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (*rim, anchor, kappa);
        if let Some(last) = S::last(&mut memory).as_ref().filter(|last| last.is_of(&key, poses)) {
            return last.points.of(number);
        }
        let found = Found::new(key, poses, self.points(&mut memory, &key, poses, project)?);
        S::last(&mut memory).insert(found).points.of(number)
    }

    /// The points that carry the force of an anchor, with derivatives if the poses have some.
    fn points<S: Remembers>(
        &self,
        memory: &mut Memory,
        (rim, anchor, kappa): &Key,
        [x_a, x_b]: [&Pose<S>; 2],
        project: &dyn Project,
    ) -> Result<Points<S>, PairFailure> {
        let x = x_b.seen_from(x_a);
        let value = Pose { p: x.p.map(|c| c.value()), r: x.r.map(|c| c.value()) };
        if !(value.p.sum() + value.r.sum()).is_finite() {
            return Err(PairFailure::NotFinite);
        }
        let rounds = Rounds::of((rim, *anchor), *kappa, &value, project);
        let at = memory.at(rim, &value, || {
            let looks = rounds.circle.looks(project, rim);
            (looks, rounds.bottoms(&looks))
        });
        let (looks, bottoms) = (&at.looks, &at.bottoms);
        let shared = match *kappa == 0.0 {
            true => rounds.least(looks, bottoms),
            false => *at.found[*anchor].get_or_insert_with(|| rounds.least(looks, bottoms)),
        };
        let circle = Circle::new(rim, &x);
        let shared = rounds.differentiate(&shared, &circle);
        let (places, g) = rounds.places(&shared, &circle);
        let of =
            |(x, closest): &(Vec3<S>, ClosestPoint<S>)| sphere_any::contact(0.0, x_a, &x_a.point(x), closest);
        let mut contacts = [of(&places[0]); MOST];
        (1..shared.count).for_each(|j| contacts[j] = of(&places[j]));
        Ok(Points { count: shared.count, weight: shared.weight, contacts, g })
    }
}

impl<'r> Rounds<'r> {
    /// The search for the points of an anchor; `x` is the solid's frame in the cavity's.
    fn of((rim, anchor): (&Rim, usize), kappa: f64, x: &Pose, project: &'r dyn Project) -> Rounds<'r> {
        Rounds {
            project,
            wall: rim.wall,
            radius: rim.radius,
            circle: Circle::new(rim, x),
            crown: kappa * rim.radius,
            anchor: STEP * (anchor * LOOKS / ANCHORS) as f64,
        }
    }
}

/// The points that carry the force of an anchor, as contacts without an indentation in common; where there are fewer, the last ones are as the first.
#[derive(Clone, Copy, Debug)]
struct Points<S: Scalar> {
    count: usize,
    weight: [S; MOST],
    contacts: [Contact<S>; MOST],
    /// G [m]
    g: S,
}

impl<S: Scalar> Points<S> {
    /// The contact of that number; one that is not needed is where the first is, without a share.
    fn of(&self, number: usize) -> ContactResult<S> {
        let zero = S::from_f64(0.0);
        let (own, weight) = match number < self.count {
            true => (&self.contacts[number], self.weight[number]),
            false => (&self.contacts[0], zero),
        };
        let lever = S::from_f64(1.0);
        let mut common = Common { n: own.n, moment: Vec3::from_element(zero), lever };
        if self.count > 1 {
            common.n = Vec3::from_element(zero);
            for (point, w) in self.contacts.iter().zip(&self.weight).take(self.count) {
                common.n += point.n * *w;
                common.moment += (point.p_a - own.p_a).cross(&point.n) * *w;
            }
        }
        let (delta, share) = (-self.g, weight * S::from_f64(SHARE));
        let common = (self.count > 1).then_some(common);
        finite(Contact { p_b: own.p_a - own.n * delta, delta, share, common, ..*own })
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
    /// Where a rim is as deep all round, its points go round it as it leans by the crown.
    fn fine(&self) -> f64 {
        let radii = self.features.iter().filter_map(|(kind, ..)| match kind {
            Feature::Rim { rim, .. } => Some(CROWN * rim.radius),
            _ => None,
        });
        radii.reduce(f64::min).unwrap_or(0.0)
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
    fn at<S: Remembers>(&self, feature: usize, kappa: f64, x_a: &Pose<S>, x_b: &Pose<S>) -> ContactResult<S> {
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
                self.anchored((&rim, anchor, number), kappa, [x_a, x_b], project)
            }
        }
    }
}

impl BoundPair for Bound {
    fn contact(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> ContactResult {
        self.at(feature, CROWN, x_a, x_b)
    }
    fn contacts(
        &self,
        features: &[usize],
        x_a: &Pose,
        x_b: &Pose,
        contacts: &mut Vec<Contact<Two>>,
    ) -> Result<(), PairFailure> {
        two_by_two(features, contacts, |k| self.at(k, CROWN, x_a, x_b))
    }
    with_derivatives!(|pair, k, x_a, x_b, _| Some(pair.at(k, CROWN, x_a, x_b)));
    /// Where an anchor begins or ends to hand its force over to another point.
    fn kink(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> Option<f64> {
        let (Feature::Rim { rim, anchor, number: number @ 1.. }, ..) = self.features.get(feature)? else {
            return None;
        };
        let project = self.cavity.as_project()?;
        let x = x_b.seen_from(x_a);
        let rounds = Rounds::of((rim, *anchor), CROWN, &x, project);
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        let at = memory.at(rim, &x, || {
            let looks = rounds.circle.looks(project, rim);
            (looks, rounds.bottoms(&looks))
        });
        let (looks, bottoms) = (&at.looks, &at.bottoms);
        let shared = at.found[*anchor].get_or_insert_with(|| rounds.least(looks, bottoms));
        Some(rounds.kink(shared, (looks, bottoms), *number))
    }
    fn nearest(&self, x_a: &Pose, x_b: &Pose) -> Result<(usize, Contact), PairFailure> {
        let mut best: Option<(usize, Contact)> = None;
        for (k, (kind, ..)) in self.features.iter().enumerate() {
            // the points of an anchor are as deep
            if matches!(kind, Feature::Rim { number: 1.., .. }) {
                continue;
            }
            let contact = self.at(k, CROWN, x_a, x_b)?;
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
