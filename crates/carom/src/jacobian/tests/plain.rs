//! Pairs without derivatives.

use carom_base::Pose;
use carom_geometry::surfaces::{Plane, Sphere};
use carom_geometry::{BoundPair, Contact, GapBounds, PairFailure, PairFeatures, PairSolver};
use carom_geometry::{RelativeCurvature, Shape, pairs};
use carom_law::normal;

use crate::{Body, ContactRule, Model, ModelBuilder, Simulation};

/// The pairs of the library without their derivatives.
#[derive(Debug)]
struct Plain(Box<dyn BoundPair>);

#[derive(Debug)]
struct PlainSolver;

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

/// A pair without derivatives leaves the Jacobian to differences, and nothing else changes.
#[test]
fn pairs_without_derivatives() {
    let model = |plain: bool| {
        let mut b = ModelBuilder::new();
        b.body(Body::new("ball").mass(0.1).position([0.0, 0.0, 0.0199]).surface(Sphere::new(0.02).unwrap()));
        b.body(Body::fixed("floor").surface(Plane));
        b.contact(ContactRule::between("ball", "floor").normal(normal::Hertz::new().stiffness(1e6)));
        if plain {
            b.pair_solver(&PlainSolver);
        }
        b.build().unwrap()
    };
    let end = |model: &Model, exact: bool| {
        let run = Simulation::new(model).duration(0.01).method("radau5").exact_jacobian(exact).run().unwrap();
        (run.summary.stats, run.end.body("ball").copied())
    };
    let (plain, full) = (model(true), model(false));
    assert_eq!(end(&plain, true), end(&full, false));
    assert_ne!(end(&plain, true).0.evaluations, end(&full, true).0.evaluations);
}
