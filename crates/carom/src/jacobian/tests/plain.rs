//! Pairs without derivatives.

use carom_geometry::surfaces::{Plane, Sphere};
use carom_law::normal;

use crate::contact::PlainSolver;
use crate::{Body, ContactRule, Model, ModelBuilder, Simulation};

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
