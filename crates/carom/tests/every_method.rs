//! Every adaptive method on contacts: a bouncing ball, a ball that rests in a strongly damped contact.

use carom::law::friction::ElastoPlastic;
use carom::ode::methods;
use carom::prelude::*;

/// An elastic ball (0.1 kg, R = 0.02 m, E* = 1e9 Pa) dropped from 0.05 m: five touches in a second.
fn bouncing() -> Model {
    let mut b = ModelBuilder::new();
    b.gravity([0.0, 0.0, -9.81]);
    b.body(Body::new("ball").mass(0.1).position([0.0, 0.0, 0.07]).surface(Sphere::new(0.02).unwrap()));
    b.body(Body::fixed("floor").surface(Plane));
    let stiffness = 4.0 / 3.0 * 1e9 * 0.02f64.sqrt();
    b.contact(ContactRule::between("ball", "floor").normal(Hertz::new().stiffness(stiffness)));
    b.build().unwrap()
}

/// The largest relative error of the energy in flight, touches, and evaluations.
fn bounce(model: &Model, method: &str, rtol: f64) -> (f64, usize, usize) {
    let mut recording = Recording::default();
    let simulation = Simulation::new(model).duration(1.0).method(method).rtol(rtol).output(Output::Steps);
    let run = simulation.run_into(&mut recording).unwrap();
    let mut worst = 0.0f64;
    for ball in recording.frames.iter().map(|f| &f.bodies[0]) {
        let height = ball.position.z - 0.02;
        if height > 1e-9 {
            let energy = 0.5 * ball.velocity.z.powi(2) + 9.81 * height;
            worst = worst.max((energy / (9.81 * 0.05) - 1.0).abs());
        }
    }
    (worst, run.summary.touches, run.summary.stats.evaluations)
}

/// No method leaps over a contact, and none is much less exact than another at the same tolerance.
#[test]
fn a_ball_bounces() {
    let model = bouncing();
    for rtol in [1e-4, 1e-6, 1e-8, 1e-10] {
        let (best, touches, _) = bounce(&model, "dop853", rtol);
        assert_eq!(touches, 5);
        for method in methods::ALL.iter().filter(|m| m.is_adaptive()) {
            let (error, touches, evaluations) = bounce(&model, method.name(), rtol);
            println!("{rtol:e} {:10} energy error {error:.1e}, {evaluations} evaluations", method.name());
            assert_eq!(touches, 5, "{} at {rtol:e}", method.name());
            if rtol == 1e-8 {
                assert!(error < 10.0 * best, "{}: {error:e}, dop853 {best:e}", method.name());
            }
        }
    }
}

/// A ball pressed into a floor whose damping is a hundred times what makes it creep.
fn resting() -> Model {
    let mut b = ModelBuilder::new();
    b.gravity([0.0, 0.0, -9.81]);
    // one tenth of the depth at rest too high
    let depth = (0.1f64 * 9.81 / 1e7).powf(2.0 / 3.0);
    b.body(
        Body::new("ball")
            .mass(0.1)
            .position([0.0, 0.0, 0.02 - 0.9 * depth])
            .surface(Sphere::new(0.02).unwrap()),
    );
    b.body(Body::fixed("floor").surface(Plane));
    let law = HuntCrossley::damping(5e3).unwrap().stiffness(1e7);
    b.contact(ContactRule::between("ball", "floor").normal(law));
    b.build().unwrap()
}

/// Where the contact is stiff, `auto` turns implicit, and is at least five times cheaper than the explicit methods.
#[test]
fn a_strongly_damped_contact() {
    let model = resting();
    let run = |method: &str| Simulation::new(&model).duration(1.0).method(method).rtol(1e-8).run().unwrap();
    let cost = |method: &str| {
        let run = run(method);
        println!("{method}: {:?}, z = {:e}", run.summary.stats, run.end.body("ball").unwrap().position.z);
        (run.summary.stats, run.end.body("ball").unwrap().position.z)
    };
    let (auto, z) = cost("auto");
    assert!(auto.factorisations > 0, "auto did not turn implicit");
    for explicit in ["dop853", "ode45", "tsit5"] {
        let (stats, z_explicit) = cost(explicit);
        // all of it: the right-hand sides of difference quotients too
        assert!(auto.evaluations * 5 <= stats.evaluations, "{explicit}: {auto:?}, {stats:?}");
        assert!((z - z_explicit).abs() < 1e-9, "{explicit}: {z}, {z_explicit}");
    }
}

/// A lever that swings and comes to rest on stiff bristles in its hinge: `auto` turns implicit and stays so, though its first implicit steps, as short as the explicit
/// ones were, are dear.
#[test]
fn a_hinge_with_stiff_bristles() {
    let mut b = ModelBuilder::new();
    let lever = Body::new("lever").mass(0.04).inertia([1e-5; 3]).position([0.02, 0.0, 0.0]);
    b.body(lever.velocity([0.0, 0.0, -0.2]).angular_velocity([0.0, 10.0, 0.0]));
    b.body(Body::fixed("ground"));
    let law = ElastoPlastic::new(0.15, 0.18, 0.15, 4e7).unwrap().damping(3e3);
    let hinge = Joint::between("lever", "ground", Revolute).at([0.0; 3]).axis([0.0, 1.0, 0.0]);
    b.joint(hinge.friction(JointFriction::new(law).radius(0.012)));
    let model = b.build().unwrap();
    let [auto, radau5] = ["auto", "radau5"].map(|method| {
        let run = Simulation::new(&model).method(method).rtol(1e-9).duration(1.0).run().unwrap();
        let place = run.end.body("lever").unwrap().position;
        println!("{method}: {:?}, {place:?}, audit {:e}", run.summary.stats, run.summary.audit_relative);
        (run.summary.stats.evaluations, place)
    });
    assert!(auto.0 < 3 * radau5.0, "{} evaluations, radau5 {}", auto.0, radau5.0);
    assert!((auto.1 - radau5.1).norm() < 1e-11, "{:?}, radau5 {:?}", auto.1, radau5.1);
}
