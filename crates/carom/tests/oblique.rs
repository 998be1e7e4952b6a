//! Oblique impacts under friction laws that follow the depth of their contact: against experiments, closed forms and each other.

use std::sync::Arc;

use crate::common::near;
use carom::law::Friction;
use carom::law::friction::{CundallStrack, MawBarberFawcett, Mindlin, Tanh};
use carom::law::{Material, MaterialPair};
use carom::prelude::{
    Body, ContactRule, Hertz, HuntCrossley, Model, ModelBuilder, Plane, Simulation, Sphere, Vec3,
};

/// A ball that hits a plane: radius [m], mass [kg], velocity and spin.
struct Throw {
    radius: f64,
    mass: f64,
    velocity: [f64; 3],
    spin: [f64; 3],
}

impl Throw {
    fn model(&self, contact: ContactRule) -> Model {
        let mut b = ModelBuilder::new();
        let ball = Body::new("ball").mass(self.mass).surface(Sphere::new(self.radius).unwrap());
        let ball = ball.position([0.0, 0.0, self.radius * 1.001]).velocity(self.velocity);
        b.body(ball.angular_velocity(self.spin));
        b.body(Body::fixed("floor").surface(Plane));
        b.contact(contact);
        b.build().unwrap()
    }

    /// Velocity and spin after the impact.
    fn rebound(&self, contact: ContactRule, rtol: f64) -> (Vec3, Vec3) {
        let model = self.model(contact);
        let time = 0.02 * self.radius / self.velocity[2].abs();
        let run = Simulation::new(&model).duration(time).rtol(rtol).run().unwrap();
        let ball = run.end.body("ball").unwrap();
        assert!(ball.velocity.z > 0.0, "{}", run.summary);
        (ball.velocity, ball.angular_velocity)
    }
}

fn all(mu: f64, ratio: f64) -> Vec<Arc<dyn Friction>> {
    vec![
        Arc::new(CundallStrack::new(mu).unwrap().ratio(ratio)),
        Arc::new(Mindlin::new(mu).unwrap().ratio(ratio)),
        Arc::new(Mindlin::new(mu).unwrap().ratio(ratio).rescaled()),
        Arc::new(MawBarberFawcett::new(mu).unwrap().ratio(ratio)),
    ]
}

fn hertz(law: &Arc<dyn Friction>) -> ContactRule {
    ContactRule::between("ball", "floor").normal(Hertz::new().stiffness(1e9)).friction_arc(Arc::clone(law))
}

const BALL: Throw = Throw { radius: 0.02, mass: 0.1, velocity: [0.6, 0.0, -1.0], spin: [0.0, 0.0, 0.0] };

#[test]
fn first_look() {
    for law in all(0.2, 0.8) {
        for vx in [0.05, 0.3, 0.6, 2.0] {
            let throw = Throw { velocity: [vx, 0.0, -1.0], ..BALL };
            let model = throw.model(hertz(&law));
            let run = Simulation::new(&model).duration(4e-4).rtol(1e-10).run().unwrap();
            let ball = run.end.body("ball").unwrap();
            println!("{} {vx}: {:?} {:?}\n{}", law.name(), ball.velocity, ball.angular_velocity, run.summary);
        }
    }
}
