//! Mechanisms against closed forms and published numbers.

use carom::DistanceJoint;
use carom::prelude::*;

/// A pendulum of length 1 m released from horizontal: x = sin θ, z = −cos θ (A01 of the IFToMM benchmarks).
const PENDULUM: [(f64, f64, f64); 4] = [
    (1.0, -0.986291751131875319, -0.165010853125541169),
    (2.0, 0.793566195343321747, -0.608483930443791515),
    (5.0, 0.942305435043757335, -0.334754338414000581),
    (10.0, 0.27508746257611686, -0.961419205099125064),
];

fn frames(model: &Model, method: &str, rtol: f64, times: &[f64]) -> (Vec<Frame>, carom::Run) {
    let mut recording = Recording::default();
    let end = *times.last().unwrap();
    let run = Simulation::new(model)
        .method(method)
        .duration(end)
        .rtol(rtol)
        .atol(rtol)
        .output(Output::At(times.to_vec()))
        .run_into(&mut recording)
        .unwrap();
    (recording.frames, run)
}

/// A bob with an inertia I about its centre swings as a point does under g (1 + I/m l²) less.
#[test]
fn a_pendulum_swings_as_elliptic_functions_do() {
    const I: f64 = 0.1;
    let bob = || Body::new("bob").mass(1.0).inertia([I; 3]).position([1.0, 0.0, 0.0]);
    let joints: [(&str, Joint); 3] = [
        ("revolute", Joint::between("bob", "ground", Revolute).at([0.0; 3]).axis([0.0, 1.0, 0.0])),
        ("spherical", Joint::between("bob", "ground", Spherical).at([0.0; 3])),
        // the rod leaves the bob as it is
        ("distance", Joint::between("bob", "ground", DistanceJoint::default())),
    ];
    for (kind, joint) in joints {
        let g = 9.81 * if kind == "distance" { 1.0 } else { 1.0 + I };
        let mut b = ModelBuilder::new();
        b.gravity([0.0, 0.0, -g]).body(bob()).body(Body::fixed("ground")).joint(joint);
        let model = b.build().unwrap();
        let times: Vec<f64> = PENDULUM.iter().map(|p| p.0).collect();
        let (frames, run) = frames(&model, "dop853", 1e-12, &times);
        for (frame, (t, x, z)) in frames.iter().zip(PENDULUM) {
            let p = frame.bodies[0].position;
            let off = (p.x - x).abs().max((p.z - z).abs());
            assert!(off < 1e-10, "{kind} at {t}: {off:e}");
            assert!((p.norm() - 1.0).abs() < 1e-15, "{kind}: {:e}", p.norm() - 1.0);
            // the reaction on the ground is m (g − a): θ̇² = 2·9.81 cos θ inwards, θ̈ = 9.81 sin θ back
            let across = Vec3::new(-z, 0.0, x);
            let a = p * (19.62 * z) - across * (9.81 * x);
            let expected = Vec3::new(0.0, 0.0, -g) - a;
            let force = frame.joints[0].force;
            assert!((force - expected).norm() < 1e-8, "{kind} at {t}: {force} {expected}");
        }
        assert!(run.summary.audit_relative < 1e-11, "{kind}: {:e}", run.summary.audit_relative);
    }
}

/// N windows of bars of 1 m and 1 kg (A02): N + 1 cranks and N couplers.
fn windows(n: usize) -> Model {
    let mut b = ModelBuilder::new();
    b.gravity([0.0, -9.81, 0.0]).body(Body::fixed("ground"));
    let bar = |name: &str| Body::new(name).mass(1.0).inertia([1.0 / 12.0, 1.0 / 12.0, 1.0 / 12.0]);
    let axis = [0.0, 0.0, 1.0];
    for i in 0..=n {
        let (x, name) = (i as f64, format!("crank{i}"));
        b.body(
            bar(&name).position([x, 0.5, 0.0]).velocity([0.5, 0.0, 0.0]).angular_velocity([0.0, 0.0, -1.0]),
        );
        b.joint(Joint::between(&name, "ground", Revolute).at([x, 0.0, 0.0]).axis(axis));
    }
    for i in 0..n {
        let (x, name) = (i as f64, format!("coupler{i}"));
        b.body(bar(&name).position([x + 0.5, 1.0, 0.0]).velocity([1.0, 0.0, 0.0]));
        b.joint(Joint::between(&name, &format!("crank{i}"), Revolute).at([x, 1.0, 0.0]).axis(axis));
        b.joint(
            Joint::between(&name, &format!("crank{}", i + 1), Revolute).at([x + 1.0, 1.0, 0.0]).axis(axis),
        );
    }
    b.build().unwrap()
}

#[test]
fn four_bars_go_through_their_singular_positions() {
    let cases = [
        (
            2,
            [0.5, 1.0, 2.0, 5.0, 10.0],
            [
                0.768818627555206042,
                3.33787080310509773,
                6.34103336131233161,
                16.6543534866534826,
                31.7505971869861018,
            ],
        ),
        (
            40,
            [0.5, 1.0, 2.0, 5.0, 10.0],
            [
                0.758627516082763194,
                3.25720692490981343,
                6.31765844203611685,
                16.2786261969349783,
                31.5974337439857377,
            ],
        ),
    ];
    for (n, times, angles) in cases {
        let model = windows(n);
        let (frames, run) = frames(&model, "dop853", 1e-12, &times);
        for ((frame, t), angle) in frames.iter().zip(times).zip(angles) {
            // the first crank: its centre is at (sin θ, cos θ)/2
            let p = frame.bodies[0].position * 2.0;
            let off = (p.x - f64::sin(angle)).abs().max((p.y - f64::cos(angle)).abs());
            // forty windows are forty metres wide, and rounding near singular positions goes with that
            assert!(off < if n == 2 { 1e-9 } else { 1e-8 }, "N = {n}, t = {t}: {off:e}");
        }
        assert!(run.summary.audit_relative < 1e-10, "N = {n}: audit {:e}", run.summary.audit_relative);
    }
}
