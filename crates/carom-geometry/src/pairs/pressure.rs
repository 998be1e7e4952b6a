//! Two solids that press on one another all over the patch where they overlap (`pressure`).
//!
//! The only contact point is the patch. Its gap is that of the nearest points of both shapes, or of the deepest (`for_query`): it says when the patch begins and ends. Forces are the integral that
//! [`BoundPair::patch`] gives.

use std::sync::Arc;

use carom_base::param::Allowed;
use carom_base::{Entry, Param, Pose, Quantity};

use super::{SHARP, bind_for_query, name_in, within};
use crate::contact::{Contact, Found, RelativeCurvature, Seed};
use crate::error::{GeometryError, PairFailure};
use crate::pair::{BoundPair, ContactResult, GapBounds, PairFeatures, PairSolver};
use crate::pressure::{Body, Patch, PressurePatch};
use crate::shape::Shape;

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
}

const NAMES: [&str; 1] = ["patch"];
const ACCURACY: f64 = 1e-10;
const WEIGHTS: &str = "two numbers, zero or greater, whose sum is 1";

/// Its line in [`NAMED`](super::NAMED).
pub(super) const ENTRY: Entry<Arc<dyn PairSolver>> = Entry {
    name: "pressure",
    summary: "two solids that press on one another all over the patch where they overlap",
    params: &[Param::default(
        "accuracy",
        Quantity::Number,
        Allowed::Between(1e-13, 1e-2),
        ACCURACY,
        "of integrals over curved surfaces, relative",
    )],
    build: |args| {
        Ok(Arc::new(Pressure::default().with_accuracy(args.number("accuracy").unwrap_or(ACCURACY))))
    },
};

impl Default for Pressure {
    /// Both solids as soft.
    fn default() -> Pressure {
        Pressure { weights: [0.5, 0.5], accuracy: ACCURACY }
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
        let patch = Patch { a: Body::new(a)?, b: Body::new(b)?, weights: self.weights };
        Some(Box::new(Bound { gap: bind_for_query(a, b).ok()?, patch }))
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
        self.gap.closest(x_a, x_b)
    }
    fn closest(&self, x_a: &Pose, x_b: &Pose) -> Result<Contact, PairFailure> {
        self.gap.closest(x_a, x_b)
    }
    fn search(&self, x_a: &Pose, x_b: &Pose, seed: Option<&Seed>) -> Result<Found, PairFailure> {
        self.gap.search(x_a, x_b, seed)
    }
    fn patch(&self) -> Option<&dyn PressurePatch> {
        Some(&self.patch)
    }
}
