//! Implicit methods with the exact Jacobian, and with differences.
//!
//! `cargo test --release -p carom --test jacobian -- --ignored --nocapture` prints the table of the book.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, reason = "a test may")]

use carom::prelude::*;
use carom::{Run, Spin};
use nalgebra::Unit;

const G: f64 = 9.81;

/// How deep a weight presses a point into a floor of that stiffness.
fn depth(weight: f64, k: f64) -> f64 {
    (weight / k).powf(2.0 / 3.0)
}

/// A ball pressed into a floor whose damping is a hundred times what makes it creep.
fn resting_ball() -> Model {
    let mut b = ModelBuilder::new();
    let high = 0.02 - 0.9 * depth(0.1 * G, 1e7);
    b.body(Body::new("ball").mass(0.1).position([0.0, 0.0, high]).surface(Sphere::new(0.02).unwrap()));
    b.body(Body::fixed("floor").surface(Plane));
    let law = HuntCrossley::damping(5e3).unwrap().stiffness(1e7);
    b.contact(ContactRule::between("ball", "floor").normal(law));
    b.build().unwrap()
}

/// Five balls, one above the other and a little apart, fall and come to rest.
fn stacked_balls() -> Model {
    let mut b = ModelBuilder::new();
    b.body(Body::fixed("floor").surface(Plane));
    for i in 0..5 {
        let ball = Body::new(&format!("ball{i}")).mass(0.1).surface(Sphere::new(0.02).unwrap());
        b.body(ball.position([0.0, 0.0, 0.021 + 0.041 * f64::from(i)]));
    }
    let law = Flores::restitution(0.3).unwrap().stiffness(1e7);
    let friction = Tanh::new(0.3, 1e3).unwrap();
    b.contact(ContactRule::between("*", "*").normal(law).friction(friction));
    b.build().unwrap()
}

/// A brick slides to rest, turning, under friction with a steep slope at rest.
fn sliding_brick() -> Model {
    let mut b = ModelBuilder::new();
    let high = 0.03 - depth(0.8 * G / 4.0, 1e7);
    let brick = Body::new("brick").mass(0.8).surface(Cuboid::new([0.1, 0.16, 0.06]).unwrap());
    b.body(brick.position([0.0, 0.0, high]).velocity([1.0, 0.3, 0.0]).angular_velocity([0.0, 0.0, 2.0]));
    b.body(Body::fixed("floor").surface(Plane));
    let rule =
        ContactRule::between("brick", "floor").normal(HuntCrossley::damping(0.3).unwrap().stiffness(1e7));
    b.contact(rule.friction(Tanh::new(0.3, 1e4).unwrap()));
    b.build().unwrap()
}

/// The ball of a bearing, pressed between a turning inner race and a fixed outer one.
fn bearing_ball() -> Model {
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    let inner = Body::prescribed("inner", Spin { axis: Unit::new_unchecked(Vec3::z()), rate: 100.0 });
    b.body(inner.surface(Sphere::new(0.02).unwrap()));
    b.body(Body::fixed("outer").surface(SurfaceSpec::new(Sphere::new(0.03).unwrap()).inside()));
    // pressed into both races by 5 µm
    b.body(Body::new("ball").mass(0.004).position([0.025, 0.0, 0.0]).surface(Sphere::new(0.005005).unwrap()));
    let law = HuntCrossley::damping(1.0).unwrap().stiffness(1e9);
    b.contact(ContactRule::between("ball", "*").normal(law).friction(Tanh::new(0.1, 1e3).unwrap()));
    b.build().unwrap()
}

/// A light ball of steel rolls on a table 1 m above the origin: the contact is 10⁻⁸ m deep, which is what the increments
/// of differences amount to.
fn steel_ball() -> Model {
    let (mass, k) = (1e-3, 1e10);
    let mut b = ModelBuilder::new();
    let high = 1.02 - 0.5 * depth(mass * G, k);
    let ball = Body::new("ball").mass(mass).surface(Sphere::new(0.02).unwrap());
    b.body(ball.position([0.0, 0.0, high]).velocity([0.5, 0.0, 0.0]));
    b.body(Body::fixed("table").position([0.0, 0.0, 1.0]).surface(Plane));
    let rule =
        ContactRule::between("ball", "table").normal(HuntCrossley::damping(50.0).unwrap().stiffness(k));
    b.contact(rule.friction(Tanh::new(0.3, 1e3).unwrap()));
    b.build().unwrap()
}

/// The scenes, with how long they take [s].
fn scenes() -> [(&'static str, Model, f64); 5] {
    [
        ("resting ball", resting_ball(), 1.0),
        ("five stacked balls", stacked_balls(), 0.5),
        ("sliding brick", sliding_brick(), 1.0),
        ("bearing ball", bearing_ball(), 0.1),
        ("steel ball", steel_ball(), 0.1),
    ]
}

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

/// What implicit steps cost, exact and by differences: the table of the book.
#[test]
#[ignore = "prints figures"]
fn figures() {
    println!(
        "| scene | method | Jacobian | steps | evaluations | Jacobians | factorisations | diverged | rejected |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for (name, model, duration) in &scenes() {
        for method in ["radau5", "ode15s", "auto"] {
            for (exact, how) in [(true, "exact"), (false, "differences")] {
                let s = run(model, *duration, method, 1e-6, exact).summary.stats;
                println!(
                    "| {name} | {method} | {how} | {} | {} | {} | {} | {} | {} |",
                    s.steps, s.evaluations, s.jacobians, s.factorisations, s.diverged, s.rejected
                );
            }
        }
    }
}
