//! Friction laws with memory in motion.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may")]

mod common;

use std::sync::Arc;

use carom::law::Friction;
use carom::law::friction::{Dahl, ElastoPlastic, GonthierBristle, LuGre, ResetIntegrator};
use carom::prelude::*;
use common::near;

const G: f64 = 9.81;

/// One of each kind, damped; μ = 0.3, μs = 0.4.
fn laws() -> [Arc<dyn Friction>; 5] {
    let (sigma0, sigma1) = (1e5, 150.0);
    [
        Arc::new(Dahl::new(0.3, sigma0).unwrap().viscous(sigma1)),
        Arc::new(LuGre::new(0.3, 0.4, 0.01, sigma0).unwrap().damping(sigma1)),
        Arc::new(ElastoPlastic::new(0.3, 0.4, 0.01, sigma0).unwrap().damping(sigma1)),
        Arc::new(GonthierBristle::new(0.3, 0.4, 0.01, sigma0, sigma1, 0.1).unwrap()),
        Arc::new(ResetIntegrator::new(0.3, 0.4, sigma0).unwrap().damping(sigma1)),
    ]
}

/// A block of 1 kg let down a little above an incline.
fn block(friction: &Arc<dyn Friction>, slope: f64) -> Model {
    let mut b = ModelBuilder::new();
    b.gravity([G * slope.sin(), 0.0, -G * slope.cos()]);
    let brick = Body::new("block").mass(1.0).surface(Cuboid::new([0.12, 0.1, 0.04]).unwrap());
    b.body(brick.position([0.0, 0.0, 0.02 + 1e-5]));
    b.body(Body::fixed("incline").surface(Plane));
    let normal = HuntCrossley::damping(2.0).unwrap().stiffness(1e7);
    b.contact(ContactRule::between("block", "incline").normal(normal).friction_arc(Arc::clone(friction)));
    b.build().unwrap()
}

#[test]
fn a_block_holds_on_an_incline() {
    for law in laws() {
        let model = block(&law, 10f64.to_radians());
        let start = std::time::Instant::now();
        let mut frames = Recording::default();
        let run =
            Simulation::new(&model).duration(10.0).output_every(1.0).method("auto").run_into(&mut frames);
        let run = run.unwrap();
        let x = |i: usize| frames.frames[i].bodies[0].position;
        let drift = (x(10) - x(9)).norm();
        println!("{}: {drift:e} in {:?} from {:?}\n{}", law.name(), start.elapsed(), x(10), run.summary);
        near(law.name(), drift, 0.0, 1e-9);
    }
}
