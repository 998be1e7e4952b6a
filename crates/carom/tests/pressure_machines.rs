//! A machine whose parts press on one another over patches: an O-ring between a cone and a plane.

use carom::Summary;
use carom::geometry::{Pose, Shape, pairs};
use carom::prelude::*;

fn ring() -> Torus {
    Torus::new(0.2, 0.05).unwrap()
}

/// A plug that is narrower below.
fn plug() -> Cone {
    Cone::new(0.12, 0.28, 0.16).unwrap()
}

/// Force and energy of the plug in the ring, coaxial, per stiffness, with the depth measured in either: against ∫ d dV in the half plane of the radius and the height, by SciPy (nested `quad`, to 1e-11), and its central differences, extrapolated.
#[test]
fn a_plug_in_an_o_ring_presses_as_the_integral_over_the_volume_says() {
    let cases = [
        (0.065, [1.0, 0.0], 1.7928010247963545e-07, 7.8204907810141e-05),
        (0.065, [0.0, 1.0], 1.8053844780133656e-07, 7.8988367013379e-05),
        (0.07, [1.0, 0.0], 9.867242529823573e-10, 3.4696947430150e-06),
        (0.07, [0.0, 1.0], 9.875389997979818e-10, 3.4737152771033e-06),
    ];
    for (z, weights, energy, force) in cases {
        let solver = Pressure::new(weights).unwrap();
        let (a, b) = (Shape::outside(ring()), Shape::outside(plug()));
        let pair = pairs::bind_by(&solver, &a, &b).unwrap();
        let patch = pair.patch().unwrap();
        let (x_a, x_b) = (Pose::identity(), Pose::at(Vec3::z() * z));
        let stored = patch.stored(&x_a, &x_b).unwrap();
        let mut points = Vec::new();
        patch.points(&x_a, &x_b, &mut points).unwrap();
        let sum: Vec3 = points.iter().map(|c| c.n * (c.share * c.delta)).sum();
        assert!((stored / energy - 1.0).abs() < 1e-9, "{z} {weights:?}: {stored:e} {energy:e}");
        assert!((sum - Vec3::z() * force).norm() < 1e-9 * force, "{z} {weights:?}: {sum:?} {force:e}");
    }
}

/// How a machine runs: how its contacts lose energy, by which method, for how long [s].
struct Trial {
    lossy: bool,
    method: &'static str,
    rtol: f64,
    duration: f64,
}

fn run(model: &Model, trial: &Trial) -> (Summary, Recording) {
    let mut recording = Recording::default();
    let sim = Simulation::new(model).method(trial.method).rtol(trial.rtol).atol(1e-3 * trial.rtol);
    let sim = sim.duration(trial.duration).output_every(0.05 * trial.duration);
    let run = sim.run_into(&mut recording).unwrap_or_else(|e| panic!("{}: {e}", trial.method));
    (run.summary, recording)
}

fn rule(a: &str, b: &str, stiffness: f64, lossy: bool) -> ContactRule {
    let law = Foundation::new(stiffness).unwrap();
    let rule = ContactRule::between(a, b).solver(Pressure::default());
    match lossy {
        true => rule.normal(law.damping(0.5)).friction(Tanh::new(0.3, 200.0).unwrap()),
        false => rule.normal(law),
    }
}

/// The plug falls askew into the ring, which lies on a plane.
fn o_ring(trial: &Trial) -> (Summary, Recording) {
    let mut m = ModelBuilder::new();
    m.body(Body::fixed("table").surface(Plane));
    m.body(
        Body::new("ring").mass(0.5).inertia([0.01, 0.01, 0.02]).surface(ring()).position([0.0, 0.0, 0.0501]),
    );
    let tilt = Quat::from_scaled_axis(Vec3::new(0.03, -0.05, 0.2));
    let plug = Body::new("plug").mass(2.0).inertia([0.02, 0.02, 0.03]).surface(plug());
    m.body(plug.position([0.004, 0.002, 0.13]).orientation(tilt).velocity([0.0, 0.1, -0.5]));
    m.contact(rule("table", "ring", 2e7, trial.lossy)).contact(rule("ring", "plug", 5e7, trial.lossy));
    run(&m.build().unwrap(), trial)
}

/// Elastic, energy is kept; with damping and friction the ledger closes, and methods agree.
fn check(name: &str, go: impl Fn(&Trial) -> (Summary, Recording), duration: f64) {
    let at = |lossy, method, rtol| go(&Trial { lossy, method, rtol, duration });
    let (summary, recording) = at(false, "dop853", 1e-10);
    assert!(!recording.events.is_empty(), "{name}: nothing touches");
    assert!(summary.audit.energy_relative < 1e-9, "{name}: energy {:e}", summary.audit.energy_relative);
    let ends = ["dop853", "ode45", "radau5"].map(|method| {
        let (summary, recording) = at(true, method, 1e-8);
        let audit = summary.audit;
        assert!(audit.energy_relative < 1e-7, "{name} {method}: energy {:e}", audit.energy_relative);
        recording.frames.last().unwrap().energy.kinetic
    });
    println!("{name}: {ends:?}");
    assert!(ends.iter().all(|e| (e / ends[0] - 1.0).abs() < 1e-5), "{name}: {ends:?}");
}

#[test]
#[ignore = "takes long: cargo xtask verify pressure"]
fn an_o_ring_is_squeezed_between_a_cone_and_a_plane() {
    check("o-ring", o_ring, 0.06);
}
