//! Implicit methods with the exact Jacobian, and with differences.

use crate::stiff::{G, scenes, steel_ball};
use carom::Run;
use carom::prelude::*;

fn run(model: &Model, duration: f64, method: &str, rtol: f64, exact: bool) -> Run {
    Simulation::new(model).duration(duration).method(method).rtol(rtol).exact_jacobian(exact).run().unwrap()
}

/// Bricks that fall, tumbling and far apart from each other, and come to rest: all alike, so that the steps are those of
/// one of them.
fn alike(bricks: i32) -> Model {
    let mut b = ModelBuilder::new();
    b.gravity([0.0, 0.0, -G]).length_scale(0.1).speed_scale(1.0);
    b.body(Body::fixed("floor").surface(Plane));
    for i in 0..bricks {
        let brick =
            Body::new(&format!("brick{i}")).mass(0.8).surface(Cuboid::new([0.1, 0.16, 0.06]).unwrap());
        b.body(brick.position([0.0, 0.0, 0.2]).angular_velocity([3.0, 2.0, 1.0]));
        let law = HuntCrossley::damping(0.3).unwrap().stiffness(1e5);
        b.contact(ContactRule::between(&format!("brick{i}"), "floor").normal(law));
    }
    b.build().unwrap()
}

/// No right-hand side is spent on a Jacobian: there are as many for eight bodies as for one, and fewer than with
/// differences.
#[test]
fn no_evaluations_for_differences() {
    let (one, eight) = (alike(1), alike(8));
    for method in ["radau5", "ode15s"] {
        let stats = |model, exact| run(model, 0.3, method, 1e-6, exact).summary.stats;
        let (exact, many) = (stats(&one, true), stats(&eight, true));
        assert!(exact.jacobians > 0 && exact.events > 0, "{method}: {exact:?}");
        assert_eq!(exact.steps, many.steps, "{method}");
        // ode15s is a little more patient with an old Jacobian where there are more components
        assert!(many.evaluations.abs_diff(exact.evaluations) * 100 <= exact.evaluations, "{method}");
        let differences = stats(&one, false);
        assert!(differences.evaluations > exact.evaluations + 5 * differences.jacobians, "{method}");
    }
}

/// Over all scenes, the iteration fails less often with the exact Jacobian, which takes no evaluations.
#[test]
fn fewer_failures_than_with_differences() {
    for method in ["radau5", "ode15s", "auto"] {
        let failures = [true, false].map(|exact| {
            let one = |(_, model, duration): (_, Model, f64)| {
                let stats = run(&model, duration, method, 1e-6, exact).summary.stats;
                assert!(stats.jacobians > 0 && (stats.differences == 0) == exact, "{method}: {stats:?}");
                stats.diverged
            };
            scenes().into_iter().map(one).sum::<usize>()
        });
        assert!(failures[0] <= failures[1], "{method}: {failures:?}");
    }
}

/// Both ways lead to the same end.
#[test]
fn the_same_end() {
    for (name, model, duration) in scenes() {
        // a rolling ball of steel takes long by differences
        let duration = if name == "steel ball" { 0.01 } else { duration };
        for method in ["radau5", "ode15s", "auto"] {
            let [exact, differences] =
                [true, false].map(|exact| run(&model, duration, method, 1e-8, exact).end.frame);
            for (a, b) in exact.bodies.iter().zip(&differences.bodies) {
                let apart = [(a.position - b.position).norm(), (a.velocity - b.velocity).norm()];
                assert!(apart[0] < 1e-6 && apart[1] < 1e-5, "{name}, {method}: {apart:?}");
            }
        }
    }
}

/// Where differences cannot resolve a contact, the iteration fails far more often with them.
#[test]
fn a_contact_thinner_than_increments() {
    let model = steel_ball();
    let [exact, differences] =
        [true, false].map(|exact| run(&model, 0.1, "radau5", 1e-6, exact).summary.stats);
    assert!(5 * exact.diverged < differences.diverged, "{exact:?}, {differences:?}");
    assert!(2 * exact.evaluations < differences.evaluations, "{exact:?}, {differences:?}");
}
