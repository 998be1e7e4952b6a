//! The same model twice gives the same numbers bit for bit, and a steady step allocates nothing.

use carom_testkit::{Counting, allocations};
use std::ops::ControlFlow;

use carom::prelude::*;
use carom::{Formula, Linear, Spline};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// A ball rolling in a bowl, a ball in flight, and a brick sliding: contacts of every status.
fn model() -> Model {
    bodies().build().unwrap()
}

/// The same, the ball growing heavier, gravity swaying by straight lines, and a shelf that moves through points.
fn driven() -> Model {
    let mut b = bodies();
    let points: Vec<[f64; 2]> = (0..200).map(|i| [0.005 * f64::from(i), f64::from(i % 3)]).collect();
    b.body(Body::fixed("shelf").surface(Sphere::new(0.1).unwrap()));
    b.drive(Drive::new("body/ball/mass", Formula::new("0.1 + 0.01*t").unwrap()));
    b.drive(Drive::new("world/gravity/0", Linear::new(&points).unwrap()));
    b.drive(Drive::new("body/shelf/position/1", Spline::new(&points).unwrap()));
    b.build().unwrap()
}

/// The same, with a slab that slides on the floor, pressed all over its face.
fn pressed() -> Model {
    let mut b = bodies();
    let slab = Body::new("slab").mass(0.8).surface(Cuboid::new([0.1, 0.16, 0.06]).unwrap());
    let depth = 0.8 * 9.81 / (1e8 * 0.016);
    b.body(slab.position([-2.0, 0.0, -1.0 + 0.03 - depth]).velocity([-3.0, 0.0, 0.0]));
    let law = Foundation::new(1e8).unwrap().damping(0.1);
    let rule = ContactRule::between("slab", "floor").normal(law).solver(Pressure::default());
    b.contact(rule.friction(Tanh::new(0.3, 100.0).unwrap()));
    b.build().unwrap()
}

fn bodies() -> ModelBuilder {
    let mut b = ModelBuilder::new();
    let friction = || Tanh::new(0.3, 100.0).unwrap();
    b.body(Body::fixed("bowl").surface(SurfaceSpec::new(Sphere::new(0.3).unwrap()).inside()));
    let depth = (0.1f64 * 9.81 / 1e7).powf(2.0 / 3.0);
    let ball = Body::new("ball").mass(0.1).surface(Sphere::new(0.02).unwrap());
    b.body(ball.position([0.0, 0.0, -0.28 - depth]).velocity([0.5, 0.0, 0.0]));
    b.body(Body::fixed("floor").surface(Plane).position([0.0, 0.0, -1.0]));
    let brick = Body::new("brick").mass(0.8).surface(Cuboid::new([0.1, 0.16, 0.06]).unwrap());
    let depth = (0.8f64 * 9.81 / 4.0 / 1e7).powf(2.0 / 3.0);
    b.body(brick.position([2.0, 0.0, -1.0 + 0.03 - depth]).velocity([3.0, 0.0, 0.0]));
    let high = Body::new("high").mass(0.1).surface(Sphere::new(0.02).unwrap());
    b.body(high.position([0.0, 3.0, 100.0]));
    let rule = |a: &str, b: &str| {
        ContactRule::between(a, b).normal(HuntCrossley::damping(0.1).unwrap().stiffness(1e7))
    };
    b.contact(rule("ball", "bowl").friction(friction()));
    b.contact(rule("brick", "floor").friction(friction()));
    b.contact(rule("high", "floor").friction(friction()));
    b
}

/// Counts allocations from the 50th step to the 1050th.
#[derive(Default)]
struct Watcher {
    step: usize,
    before: usize,
    during: Option<usize>,
}

impl carom::Sink for Watcher {
    fn progress(&mut self, _: f64) -> ControlFlow<()> {
        self.step += 1;
        match self.step {
            50 => self.before = allocations(),
            1050 => {
                self.during = Some(allocations() - self.before);
                return ControlFlow::Break(());
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

/// Forces over a patch allocate nothing; what it stores is computed for the audit now and then, and does.
#[test]
fn a_patch_allocates_for_audits_alone() {
    for method in ["dop853", "verlet"] {
        let (mut watcher, model) = (Watcher::default(), pressed());
        let sim = Simulation::new(&model).method(method).max_step(2e-4).step(1e-4);
        let _ = sim.duration(10.0).output_every(10.0).run_into(&mut watcher);
        assert!(watcher.during.is_some_and(|n| n < 20), "{method}: {:?}", watcher.during);
    }
}

#[test]
fn a_steady_step_allocates_nothing() {
    let models = [model(), driven()];
    let located = ["dop853", "ode45", "verlet", "radau5", "ode15s"].map(|method| (method, true));
    for (method, locate) in located.into_iter().chain([("dop853", false), ("verlet", false)]) {
        for model in &models {
            let mut watcher = Watcher::default();
            let sim = Simulation::new(model).method(method).locate_contacts(locate).max_step(2e-4).step(1e-4);
            sim.duration(0.99).run_into(&mut watcher).unwrap();
            assert_eq!(watcher.during, Some(0), "{method}, located {locate}");
        }
    }
}

#[test]
fn the_same_bits_twice() {
    let model = model();
    let run = || {
        let mut r = Recording::default();
        Simulation::new(&model).duration(0.5).output_every(0.01).run_into(&mut r).unwrap();
        format!("{:?}", r)
    };
    assert_eq!(run(), run());
}
