//! Contacts that implicit methods are for: what `tests/jacobian.rs` runs, and what `examples/implicit_steps.rs` counts.

use carom::Spin;
use carom::prelude::*;
use nalgebra::Unit;

/// Gravity [m/s²].
pub(crate) const G: f64 = 9.81;

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
pub(crate) fn steel_ball() -> Model {
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

/// A block let down on a slope of 15°, held there by bristles.
fn held_block() -> Model {
    let mut b = ModelBuilder::new();
    let slope = 15f64.to_radians();
    b.gravity([G * slope.sin(), 0.0, -G * slope.cos()]);
    let block = Body::new("block").mass(1.0).surface(Cuboid::new([0.12, 0.1, 0.04]).unwrap());
    b.body(block.position([0.0, 0.0, 0.02 + 1e-5]));
    b.body(Body::fixed("slope").surface(Plane));
    let friction = LuGre::new(0.4, 0.5, 0.01, 1e5).unwrap().damping(150.0);
    let normal = HuntCrossley::damping(100.0).unwrap().stiffness(1e7);
    b.contact(ContactRule::between("block", "slope").normal(normal).friction(friction));
    b.build().unwrap()
}

/// A brick thrown on its corner, tumbling until it lies.
fn thrown_brick() -> Model {
    let mut b = ModelBuilder::new();
    let brick = Body::new("brick").mass(0.8).surface(Cuboid::new([0.1, 0.16, 0.06]).unwrap());
    let brick = brick.position([0.0, 0.0, 0.15]).velocity([0.5, 0.2, 0.0]);
    b.body(brick.angular_velocity([3.0, 2.0, 1.0]));
    b.body(Body::fixed("floor").surface(Plane));
    let normal = HuntCrossley::damping(1.0).unwrap().stiffness(1e6);
    let rule = ContactRule::between("brick", "floor").normal(normal);
    b.contact(rule.friction(Tanh::new(0.3, 1e3).unwrap()));
    b.build().unwrap()
}

/// The scenes, with how long they take [s].
pub(crate) fn scenes() -> [(&'static str, Model, f64); 7] {
    [
        ("resting ball", resting_ball(), 1.0),
        ("five stacked balls", stacked_balls(), 0.5),
        ("sliding brick", sliding_brick(), 1.0),
        ("bearing ball", bearing_ball(), 0.1),
        ("steel ball", steel_ball(), 0.1),
        ("held block", held_block(), 1.0),
        ("thrown brick", thrown_brick(), 1.0),
    ]
}
