//! Two solids that press on one another all over the patch where they overlap (`pressure`).
//!
//! The only contact point is the patch. Its gap is that of the nearest points of both shapes, or of the deepest (`for_query`): it says when the patch begins and ends. Forces are the integral that
//! [`BoundPair::patch`] gives.

use std::sync::Arc;

use carom_base::param::Allowed;
use carom_base::{Entry, Param, Pose, Quantity, Vec3};

use super::{SHARP, bind_for_query, name_in, within};
use crate::contact::{Contact, Found, RelativeCurvature, Seed};
use crate::error::{GeometryError, PairFailure};
use crate::pair::{BoundPair, ContactResult, GapBounds, PairFeatures, PairSolver};
use crate::pressure::{AROUND, Fineness, Patch, PressurePatch, WhichSide, work};
use crate::shape::{Shape, Side};

/// The solver: any two solids that can overlap in a patch of finite size.
///
/// ```
/// use carom_geometry::{Pose, Shape, Vec3, pairs, pairs::pressure::Pressure, surfaces::{Cuboid, Plane}};
/// let (floor, brick) = (Shape::outside(Plane), Shape::outside(Cuboid::new([0.2, 0.1, 0.05])?)); // [m]
/// let pair = pairs::bind_by(&Pressure::new([0.0, 1.0])?, &floor, &brick)?; // a floor that is rigid
/// let c = pair.contact(0, &Pose::identity(), &Pose::at(Vec3::new(0.0, 0.0, 0.024)))?;
/// assert!(pair.feature_name(0) == "patch" && (c.delta - 0.001).abs() < 1e-17);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pressure {
    weights: [f64; 2],
    accuracy: f64,
    around: usize,
}

const NAMES: [&str; 1] = ["patch"];
const ACCURACY: f64 = 1e-10;
const WEIGHTS: &str = "two numbers, zero or greater, whose sum is 1";

/// Its line in [`NAMED`](super::NAMED).
pub(super) const ENTRY: Entry<Arc<dyn PairSolver>> = Entry {
    name: "pressure",
    summary: "two solids that press on one another all over the patch where they overlap",
    params: &[
        Param::default(
            "accuracy",
            Quantity::Number,
            Allowed::Between(1e-13, 1e-2),
            ACCURACY,
            "of integrals over curved surfaces, relative",
        ),
        Param::default(
            "segments",
            Quantity::Number,
            Allowed::Between(6.0, 4096.0),
            AROUND as f64,
            "triangles around a circle of a curved surface that is pressed into a mesh",
        ),
    ],
    build: |args| {
        let accuracy = args.number("accuracy").unwrap_or(ACCURACY);
        let segments = args.number("segments").map_or(AROUND, |n| n.round() as usize);
        Ok(Arc::new(Pressure::default().with_accuracy(accuracy).with_segments(segments)))
    },
};

impl Default for Pressure {
    /// Both solids as soft.
    fn default() -> Pressure {
        Pressure { weights: [0.5, 0.5], accuracy: ACCURACY, around: AROUND }
    }
}

impl Pressure {
    /// With the weights s_A and s_B of the depths in A and B, refused unless they are zero or greater and their sum is 1.
    pub fn new(weights: [f64; 2]) -> Result<Pressure, GeometryError> {
        let good = weights.iter().all(|s| *s >= 0.0) && (weights[0] + weights[1] - 1.0).abs() < 1e-12;
        match good {
            true => Ok(Pressure { weights, ..Pressure::default() }),
            false => Err(GeometryError::BadValue {
                kind: "contact",
                name: "weights",
                value: format!("{weights:?}"),
                allowed: WEIGHTS,
            }),
        }
    }

    /// The same, with integrals over curved surfaces as accurate as this, relative to their value; from 1e-13 to 0.01.
    pub fn with_accuracy(self, accuracy: f64) -> Pressure {
        Pressure { accuracy: accuracy.clamp(1e-13, 1e-2), ..self }
    }

    /// The same, with so many triangles around a circle of a curved surface where it is in a mesh; from 6 to 4096.
    pub fn with_segments(self, around: usize) -> Pressure {
        Pressure { around: around.clamp(6, 4096), ..self }
    }

    /// s_A and s_B.
    pub fn weights(&self) -> [f64; 2] {
        self.weights
    }
}

impl PairSolver for Pressure {
    fn name(&self) -> &'static str {
        ENTRY.name
    }
    fn reference(&self) -> &'static str {
        "an elastic foundation (Winkler) over both solids: the energy is an integral of depth over what they share"
    }
    fn bind(&self, a: &Shape, b: &Shape) -> Option<Box<dyn BoundPair>> {
        if a.surface.is_sheet() && b.surface.is_sheet() {
            return None;
        }
        let fineness = Fineness { around: self.around };
        let patch = Patch::new([a, b], self.weights, self.accuracy, &fineness)?;
        let gap = bind_for_query(a, b).ok()?;
        Some(Box::new(Bound { gap, patch, a: a.clone(), b: b.clone() }))
    }
    fn keeps_points(&self) -> bool {
        false
    }
    fn yielding(&self, weights: [f64; 2]) -> Option<Arc<dyn PairSolver>> {
        Some(Arc::new(Pressure { weights, ..*self }))
    }
}

#[derive(Debug)]
struct Bound {
    gap: Box<dyn BoundPair>,
    patch: Patch,
    a: Shape,
    b: Shape,
}

impl PairFeatures for Bound {
    fn solver(&self) -> &'static str {
        ENTRY.name
    }
    fn features(&self) -> usize {
        NAMES.len()
    }
    fn feature_name(&self, feature: usize) -> String {
        name_in(&NAMES, feature)
    }
    fn curvature(&self, _feature: usize, _x_a: &Pose, _x_b: &Pose) -> RelativeCurvature {
        SHARP
    }
    fn bounds(&self) -> GapBounds {
        let bounds = self.gap.bounds();
        // the least of several gaps bends as none of them does
        match self.gap.features() {
            1 => bounds,
            _ => GapBounds { hollow_radius: None, sliding: None, ..bounds },
        }
    }
}

impl BoundPair for Bound {
    fn contact(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> ContactResult {
        within(feature, NAMES.len())?;
        self.closest(x_a, x_b)
    }
    fn closest(&self, x_a: &Pose, x_b: &Pose) -> Result<Contact, PairFailure> {
        match self.patch.deepest_in_layers(x_a, x_b) {
            Some(deepest) => Ok(deepest),
            None => self.gap.closest(x_a, x_b),
        }
    }
    fn search(&self, x_a: &Pose, x_b: &Pose, seed: Option<&Seed>) -> Result<Found, PairFailure> {
        self.gap.search(x_a, x_b, seed)
    }
    fn patch(&self) -> Option<&dyn PressurePatch> {
        Some(self)
    }
}

impl PressurePatch for Bound {
    fn points(&self, x_a: &Pose, x_b: &Pose, points: &mut Vec<Contact>) -> Result<(), PairFailure> {
        points.clear();
        let deepest = self.deepest(x_a, x_b);
        if deepest.is_some_and(|c| !(c.delta > 0.0)) {
            return Ok(());
        }
        for side in self.patch.sides() {
            self.patch.points_of(side, x_a, x_b, deepest.as_ref(), &mut |c| points.push(c))?;
        }
        Ok(())
    }

    fn stored(&self, x_a: &Pose, x_b: &Pose) -> Result<f64, PairFailure> {
        let (mut sum, deepest) = (0.0, self.deepest(x_a, x_b));
        if deepest.is_some_and(|c| !(c.delta > 0.0)) {
            return Ok(0.0);
        }
        for side in self.patch.sides() {
            sum += match self.patch.stored_in_closed_form(side, x_a, x_b, deepest.as_ref())? {
                Some(stored) => stored,
                None => self.by_work(side, x_a, x_b)?,
            };
        }
        Ok(sum)
    }
}

/// A way of B: the direction, and how far it goes [m].
struct Way {
    e: Vec3,
    end: f64,
}

impl Bound {
    /// Where the solids overlap most, if that helps.
    fn deepest(&self, x_a: &Pose, x_b: &Pose) -> Option<Contact> {
        self.patch.asks_for_deepest().then(|| self.gap.closest(x_a, x_b).ok()).flatten()
    }

    /// What one side stores [m⁴], as the work of its force on B on the way out.
    fn by_work(&self, side: WhichSide, x_a: &Pose, x_b: &Pose) -> Result<f64, PairFailure> {
        let force = |x: &Pose| {
            let mut sum = Vec3::zeros();
            let deepest = self.deepest(x_a, x);
            let mut add = |c: Contact| sum += c.n * (c.share * c.delta);
            if deepest.is_none_or(|c| c.delta > 0.0) {
                self.patch.points_of(side, x_a, x, deepest.as_ref(), &mut add)?;
            }
            Ok(sum)
        };
        let Way { e, end } = self.way_out(side, &force(x_b)?, x_a, x_b)?;
        let moved = |t: f64| Pose { p: x_b.p + e * t, r: x_b.r };
        work(&mut |t| Ok(force(&moved(t))?.dot(&e)), end, self.patch.accuracy_of_work(side))
    }

    /// A straight way on which B comes to where it does not overlap A, if possible along the force.
    fn way_out(&self, side: WhichSide, force: &Vec3, x_a: &Pose, x_b: &Pose) -> Result<Way, PairFailure> {
        let [a, b] = [(&self.a, x_a), (&self.b, x_b)].map(|(shape, x)| {
            let ball = shape.surface.bounds();
            (x.point(&ball.centre), ball.radius)
        });
        let apart = b.0 - a.0;
        let along = |v: &Vec3| v.try_normalize(0.0);
        let is_plane = |shape: &Shape| shape.surface.bounds().radius.is_infinite();
        if is_plane(&self.a) || is_plane(&self.b) {
            // straight up from the plane, until the other's ball is above it
            let (n, sign) = if is_plane(&self.a) { (x_a.axis(2), 1.0) } else { (x_b.axis(2), -1.0) };
            let radius = a.1.min(b.1);
            return self.shortened(side, Way { e: n * sign, end: radius - n.dot(&apart) * sign }, x_a, x_b);
        }
        let cavity = [&self.a, &self.b].iter().any(|s| s.side == Side::Inside);
        if !cavity {
            let e = along(force).or_else(|| along(&apart)).unwrap_or_else(Vec3::z);
            let (by, sum) = (apart.dot(&e), a.1 + b.1);
            let end = (by * by - apart.norm_squared() + sum * sum).max(0.0).sqrt() - by;
            return self.shortened(side, Way { e, end }, x_a, x_b);
        }
        // in a cavity: along the force, or to where both middles are in one place, until it is free
        let ways = [along(force).map(|e| (e, a.1.min(b.1))), along(&-apart).map(|e| (e, apart.norm()))];
        for (e, far) in ways.into_iter().flatten() {
            for k in 1..=CAVITY_STEPS {
                let end = far * k as f64 / CAVITY_STEPS as f64;
                if self.gap.closest(x_a, &Pose { p: x_b.p + e * end, r: x_b.r })?.delta < 0.0 {
                    return self.shortened(side, Way { e, end }, x_a, x_b);
                }
            }
        }
        // pressed in all around: there is no such way
        Err(PairFailure::NoConvergence(CAVITY_STEPS))
    }

    /// The way until both no longer touch, be it that they would touch again further on.
    fn shortened(&self, side: WhichSide, way: Way, x_a: &Pose, x_b: &Pose) -> Result<Way, PairFailure> {
        let at = |t: f64| Pose { p: x_b.p + way.e * t, r: x_b.r };
        let overlap = |t: f64| Ok(self.gap.closest(x_a, &at(t))?.delta);
        // how far meshes are apart takes longer to find than whether there is a patch
        let accuracy = self.patch.accuracy_of_work(side);
        let by_patch = accuracy > 1e-6;
        let touches = |t: f64| {
            if !by_patch {
                return Ok(overlap(t)? > 0.0);
            }
            let mut any = false;
            self.patch.points_of(side, x_a, &at(t), None, &mut |_| any = true)?;
            Ok(any)
        };
        let first = overlap(0.0)?;
        let (mut touch, mut free) = (0.0, 1.1 * first);
        while free < way.end && touches(free)? {
            (touch, free) = (free, 1.5 * free);
        }
        free = free.min(way.end).max(0.0);
        let near = if by_patch { accuracy } else { 1e-15 };
        while free - touch > near * free {
            let t = 0.5 * (touch + free);
            if t <= touch || t >= free {
                break;
            }
            if touches(t)? { touch = t } else { free = t }
        }
        // a solid within the other has no patch either, but is deep in it
        let is_free = !by_patch || overlap(free)? <= 0.05 * first;
        Ok(Way { end: if is_free { free } else { way.end }, ..way })
    }
}

/// Steps in which a free place in a cavity is looked for.
const CAVITY_STEPS: usize = 32;
