//! A cylinder, a cone or a frustum in a round convex cavity: its rims and its tip against each wall.
//!
//! The distance d from a wall of a convex cavity is a concave function of the place, so that of all points of a convex solid an extreme one is nearest: a point of a rim, or the tip. Walls have no end: a solid in
//! a cavity cannot get round them.
//!
//! - A *flat* wall (the ends of a can) is a plane: the lowest and the highest point of each rim (`plane_cylinder`).
//! - At a *round* wall a rim may touch in one point, in several (in an oval bowl, or askew in a tube) or all round (in a funnel). The nearest point alone would jump from one to another. So each rim has twelve
//!   *anchors* c, fixed points of it, and each anchor a contact point of its own, as solids have them that touch flat on flat (`crowned`): the point x of the rim with the least
//!
//!     g(x) = d(x) + |x − c|²/2R ,      R = r/κ .
//!
//!   In a funnel each anchor stays where it is; leaning, they all come to the deepest point; where two places are as deep, each anchor goes to the one next to it. As x is that of the least g, the rate of the gap is that
//!   of the material there, and forces have a potential. The gap is too wide by the crown, at most κ r (1 − cos 15°), that is 1.7e-5 r, at the deepest point of the rim.
//!
//! Where two places of a rim are as deep, an anchor half way between them is on the point of going from one to the other. There its g is that of the deepest less the crown: as long as the depth is below
//! κ r (1 − cos ψ), ψ half the angle between the two, it does not touch then, and forces are continuous: up to 5e-4 r for places opposite each other, and for a rim that touches all round. Deeper, it carries its twelfth over at once; the gap and the stored energy are continuous there too. (The first anchor is
//! askew to the solid's axes, so that motions that are symmetrical about one of these do not bring two at once to that.)
//!
//! The minimum around the circle: of g'' it is known that it is r (1 + κ) at most, as d is concave. So of 24 points around, the same for all anchors, those are followed by Newton's method next to which the minimum can be.
//!
//! Checked: search around the rims, rates and derivatives, motion that keeps its energy (`tests/rims_in_cavity.rs`).

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

/// κ, the crown of a rim.
const CROWN: f64 = 5e-4;
/// Anchors of a rim.
const ANCHORS: usize = 12;
/// Where the first one is [rad].
const FIRST: f64 = 0.1;
/// How much of a contact each of them is: a rim that touches all round is as stiff as on a plane, where its lowest and its highest point carry.
const SHARE: f64 = 2.0 / ANCHORS as f64;
/// Points around a rim that are looked at, anchors among them.
const LOOKS: usize = 2 * ANCHORS;
/// The angle between two looks [rad].
const STEP: f64 = std::f64::consts::TAU / LOOKS as f64;
/// Steps at most; 3 to 5 are usual.
const MOST_STEPS: usize = 80;
/// A step below this [rad] is the last.
const SMALL: f64 = 1e-15;

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
    /// the point of an anchor
    Rim { rim: Rim, anchor: usize },
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
        "of each rim, crowned about eight of its points in turn, the point nearest to each wall"
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
                        for k in 0..ANCHORS {
                            let feature = Feature::Rim { rim: Rim { radius, height, wall }, anchor: k };
                            put(feature, format!("{rim} {}", k + 1));
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

/// A rim of the solid in the cavity: x(ψ) = m + r (e cos ψ + t sin ψ), ψ from the anchor on.
#[derive(Clone, Copy)]
struct Circle<S: Scalar> {
    middle: Vec3<S>,
    /// r e, to the anchor, and r t
    arms: [Vec3<S>; 2],
}

impl<S: Scalar> Circle<S> {
    fn new(rim: &Rim, anchor: usize, x: &Pose<S>) -> Circle<S> {
        let (sin, cos) = sincos(FIRST + STEP * (anchor * LOOKS / ANCHORS) as f64);
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

/// g of a rim, as a function of ψ.
struct Gap<'r> {
    project: &'r dyn Project,
    rim: Rim,
    circle: Circle<f64>,
    /// κ r [m]; zero for the rim as it is
    crown: f64,
}

impl Gap<'_> {
    /// g, g' and g''.
    fn bend(&self, psi: f64) -> [f64; 3] {
        let (sin, cos) = sincos(psi);
        let (x, along) = self.circle.at(cos, sin);
        let variable = Vec3::from_fn(|i, _| Dual::<3>::variable(x[i], i));
        let here = self.project.closest_point_dual(Side::Inside, self.rim.wall, &variable);
        let n = here.n.map(|c| c.re);
        let turn = Mat3::from_fn(|i, j| here.n[i].eps[j]);
        [
            here.d.re + self.crown * (1.0 - cos),
            n.dot(&along) + self.crown * sin,
            along.dot(&(turn * along)) + n.dot(&(self.circle.middle - x)) + self.crown * cos,
        ]
    }

    /// ψ where g is least, and g'' there, from looks around.
    fn least(&self, looks: &Looks, anchor: usize) -> (f64, f64) {
        let angle = |k: usize| STEP * (k as f64 - (LOOKS / 2) as f64);
        let first = anchor * LOOKS / ANCHORS + LOOKS / 2;
        let looks: Looks =
            std::array::from_fn(|k| looks[(k + first) % LOOKS] + self.crown * (1.0 - sincos(angle(k)).1));
        // no minimum is lower than the look next to it by more than this: g'' is r (1 + κ) at most
        let below = (self.rim.radius + self.crown) * STEP * STEP / 8.0;
        let lowest = looks.iter().copied().fold(f64::INFINITY, f64::min);
        let mut best = (f64::INFINITY, 0.0, 0.0);
        for k in 0..LOOKS {
            let (before, after) = (looks[(k + LOOKS - 1) % LOOKS], looks[(k + 1) % LOOKS]);
            if looks[k] <= before && looks[k] <= after && looks[k] <= lowest + below {
                let found = self.newton(angle(k), STEP);
                if found.0 < best.0 {
                    best = found;
                }
            }
        }
        (best.1, best.2)
    }

    /// g, ψ and g'' at the minimum within a step of ψ.
    fn newton(&self, start: f64, step: f64) -> (f64, f64, f64) {
        let (mut low, mut high, mut psi) = (start - step, start + step, start);
        let mut here = self.bend(psi);
        for _ in 0..MOST_STEPS {
            if here[1] > 0.0 {
                high = psi
            } else {
                low = psi
            }
            let mut next = psi - here[1] / here[2];
            if !(here[2] > 0.0 && next >= low && next <= high) {
                next = 0.5 * (low + high);
            }
            let moved = (next - psi).abs();
            psi = next;
            here = self.bend(psi);
            if moved <= SMALL {
                break;
            }
        }
        (here[0], psi, here[2])
    }
}

impl Bound {
    /// The point of an anchor, with that crown; from looks around, if there are some.
    fn on_rim<S: PairScalar>(
        &self,
        (rim, anchor, project): (Rim, usize, &dyn Project),
        kappa: f64,
        [x_a, x_b]: [&Pose<S>; 2],
        looks: Option<&Looks>,
    ) -> ContactResult<S> {
        let x = x_b.seen_from(x_a);
        let value = Pose { p: x.p.map(|c| c.value()), r: x.r.map(|c| c.value()) };
        if !(value.p.sum() + value.r.sum()).is_finite() {
            return Err(PairFailure::NotFinite);
        }
        let crown = kappa * rim.radius;
        let gap = Gap { project, rim, circle: Circle::new(&rim, anchor, &value), crown };
        let (psi, bend) = match looks {
            Some(looks) => gap.least(looks, anchor),
            None => gap.least(&Circle::new(&rim, 0, &value).looks(project, rim.wall), anchor),
        };
        let (circle, wall) = (Circle::new(&rim, anchor, &x), rim.wall);
        let (sin, cos) = sincos(psi);
        let [sin, cos, crown] = [sin, cos, crown].map(S::from_f64);
        // one more step of Newton's method carries the derivatives of ψ
        let (x, along) = circle.at(cos, sin);
        let slope = S::closest_point(project, Side::Inside, wall, &x).n.dot(&along) + crown * sin;
        // (without a crown a rim may be as near all around: then no point of it is preferred)
        let turn = match bend > 0.0 {
            true => (S::from_f64(slope.value()) - slope) / S::from_f64(bend),
            false => S::from_f64(0.0),
        };
        let (cos, sin) = (cos - sin * turn, sin + cos * turn);
        let (x, _) = circle.at(cos, sin);
        let mut contact =
            sphere_any::contact(0.0, x_a, &x_a.point(&x), &S::closest_point(project, Side::Inside, wall, &x));
        contact.delta -= crown * (S::from_f64(1.0) - cos);
        let p_b = contact.p_a - contact.n * contact.delta;
        finite(Contact { p_b, share: S::from_f64(SHARE), ..contact })
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
        looks: Option<&Looks>,
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
            Feature::Rim { rim, anchor } => self.on_rim((rim, anchor, project), kappa, [x_a, x_b], looks),
        }
    }
}

impl BoundPair for Bound {
    fn contact(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> ContactResult {
        self.at(feature, CROWN, x_a, x_b, None)
    }
    /// The anchors of a rim have their looks in common.
    fn contacts(
        &self,
        features: &[usize],
        x_a: &Pose,
        x_b: &Pose,
        contacts: &mut Vec<Contact<Two>>,
    ) -> Result<(), PairFailure> {
        let seen: Cell<Option<(Rim, Looks)>> = Cell::new(None);
        two_by_two(features, contacts, |k| {
            let Some((Feature::Rim { rim, .. }, ..)) = self.features.get(k) else {
                return self.at(k, CROWN, x_a, x_b, None);
            };
            let looks = seen.get().filter(|(of, _)| of == rim).map(|(_, looks)| looks);
            let looks = looks.or_else(|| {
                let project = self.cavity.as_project()?;
                Some(Circle::new(rim, 0, &x_b.seen_from(x_a)).looks(project, rim.wall))
            });
            seen.set(looks.map(|looks| (*rim, looks)));
            self.at(k, CROWN, x_a, x_b, looks.as_ref())
        })
    }
    fn contact_dual(
        &self,
        feature: usize,
        x_a: &Pose<Dual<6>>,
        x_b: &Pose<Dual<6>>,
    ) -> Option<ContactResult<Dual<6>>> {
        Some(self.at(feature, CROWN, x_a, x_b, None))
    }
    /// Of the rims as they are, without a crown: one anchor of each finds it.
    fn closest(&self, x_a: &Pose, x_b: &Pose) -> ContactResult {
        let mut best: Option<Contact> = None;
        for (k, (kind, ..)) in self.features.iter().enumerate() {
            if matches!(kind, Feature::Rim { anchor, .. } if *anchor != 0) {
                continue;
            }
            let contact = Contact { share: 1.0, ..self.at(k, 0.0, x_a, x_b, None)? };
            if best.is_none_or(|best| contact.delta > best.delta) {
                best = Some(contact);
            }
        }
        best.ok_or(PairFailure::NoFeature(0))
    }
}
