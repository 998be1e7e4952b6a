//! Pairs without derivatives, for tests.

use carom_base::Pose;
use carom_geometry::{BoundPair, Contact, GapBounds, PairFailure, PairFeatures, PairSolver};
use carom_geometry::{RelativeCurvature, Shape, pairs};

/// The pairs of the library without their derivatives.
#[derive(Debug)]
struct Plain(Box<dyn BoundPair>);

/// The solver of these pairs.
#[derive(Debug)]
pub(crate) struct PlainSolver;

impl PairSolver for PlainSolver {
    fn name(&self) -> &'static str {
        "plain"
    }
    fn reference(&self) -> &'static str {
        "the pairs of the library"
    }
    fn bind(&self, a: &Shape, b: &Shape) -> Option<Box<dyn BoundPair>> {
        Some(Box::new(Plain(pairs::bind(a, b).ok()?)))
    }
}

impl PairFeatures for Plain {
    fn solver(&self) -> &'static str {
        "plain"
    }
    fn features(&self) -> usize {
        self.0.features()
    }
    fn feature_name(&self, feature: usize) -> String {
        self.0.feature_name(feature)
    }
    fn curvature(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> RelativeCurvature {
        self.0.curvature(feature, x_a, x_b)
    }
    fn bounds(&self) -> GapBounds {
        self.0.bounds()
    }
}

impl BoundPair for Plain {
    fn contact(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> Result<Contact, PairFailure> {
        self.0.contact(feature, x_a, x_b)
    }
}
