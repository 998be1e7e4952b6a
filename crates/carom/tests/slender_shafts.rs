//! Shafts with Cardan joints whose inertia is 1e-3 to 1e-12 of m l²: all that moves is slender. Weights load the bearings by far more than it takes to turn the shafts, and must not turn them.

use carom::prelude::*;
use carom::{Cylindrical, Universal};

const AXIAL: [f64; 6] = [1e-3, 1e-6, 1e-8, 1e-9, 1e-11, 1e-12];
/// Angle between the shafts.
const BETA: f64 = 0.6;
/// What rounding makes of potential energies [J]: weights of 10 N, and positions known to some 1e-15 m. The audit is relative to the energy of the motion, which is far less.
const POTENTIAL: f64 = 4e-14;
/// At the start [rad/s].
const OMEGA: f64 = 2.0;

/// dφ/dθ of the second shaft: tan φ = cos β tan θ.
fn slope(theta: f64) -> f64 {
    BETA.cos() / (theta.cos().powi(2) + (BETA.cos() * theta.sin()).powi(2))
}

/// A shaft of 1 kg and 1 m, along d from its start.
fn shaft(name: &str, from: Vec3, d: &Vec3, axial: f64, spin: f64) -> Body {
    let r = Mat3::from_columns(&[*d, Vec3::y().cross(d), Vec3::y()]);
    let body = Body::new(name).mass(1.0).inertia([axial, 1.0 / 12.0, 1.0 / 12.0]);
    let body = body.position((from + 0.5 * d).into()).orientation(Quat::from_matrix(&r));
    body.angular_velocity((spin * d).into())
}

/// The time that the first shaft takes to an angle θ, T = J(θ) θ̇²/2 being kept: ∫ √(J/J(0)) dθ/ω.
fn time(theta: f64, j: impl Fn(f64) -> f64) -> f64 {
    let n = 4000;
    let h = theta / f64::from(n);
    let rate = |i: i32| (j(f64::from(i) * h) / j(0.0)).sqrt() / OMEGA;
    // Simpson
    (0..n / 2).map(|k| rate(2 * k) + 4.0 * rate(2 * k + 1) + rate(2 * k + 2)).sum::<f64>() * h / 3.0
}

/// How far a shaft has turned from y about d.
fn turned(end: &carom::End, body: &str, d: &Vec3) -> f64 {
    let y = end.body(body).unwrap().orientation * Vec3::z();
    Vec3::y().cross(&y).dot(d).atan2(y.y)
}

fn along() -> Vec3 {
    Vec3::new(BETA.sin(), 0.0, BETA.cos())
}

/// Square to the second shaft, and to the first fork.
fn cross() -> [f64; 3] {
    [-BETA.cos(), 0.0, BETA.sin()]
}

fn run(b: &ModelBuilder, method: &str) -> carom::Run {
    let model = b.build().unwrap();
    Simulation::new(&model).method(method).duration(0.6).rtol(1e-10).atol(1e-10).run().unwrap()
}

/// Two shafts on a Cardan joint, three of whose bearings' equations repeat others; two where a bearing lets a shaft slide.
#[test]
fn shafts_with_a_cardan_joint() {
    let cases = [
        ("revolute", [0.0; 3]),
        ("revolute", [0.0, 0.0, -9.81]),
        ("cylindrical", [3.0, -9.0, 1.0]),
        ("reversed", [0.0, -9.81, 0.0]),
    ];
    for (bearing, gravity) in cases {
        for axial in AXIAL {
            let along = along();
            let mut b = ModelBuilder::new();
            b.gravity(gravity).body(Body::fixed("ground"));
            b.body(shaft("first", -Vec3::z(), &Vec3::z(), axial, OMEGA));
            b.body(shaft("second", Vec3::zeros(), &along, axial, OMEGA * slope(0.0)));
            b.joint(Joint::between("first", "ground", Revolute).at([0.0, 0.0, -1.0]).axis([0.0, 0.0, 1.0]));
            let last = match bearing {
                "revolute" => Joint::between("second", "ground", Revolute),
                "cylindrical" => Joint::between("second", "ground", Cylindrical),
                _ => Joint::between("ground", "second", Cylindrical),
            };
            b.joint(last.at(along.into()).axis(along.into()));
            let fork = Joint::between("first", "second", Universal).at([0.0; 3]);
            b.joint(fork.axis([0.0, 1.0, 0.0]).second_axis(cross()));
            let run = run(&b, "dop853");
            let theta = turned(&run.end, "first", &Vec3::z());
            let off = (time(theta, |x| 1.0 + slope(x).powi(2)) - 0.6).abs();
            let (evaluations, audit) = (run.summary.stats.evaluations, run.summary.audit_relative);
            println!("{bearing}, {axial:e}: {off:.1e} s, audit {audit:.1e}, {evaluations} evaluations");
            assert!(off < 1e-9, "{bearing}, {axial:e}: {off:e}");
            let rounding = if gravity == [0.0; 3] { 0.0 } else { POTENTIAL };
            let bound = 1e-10 + rounding / (0.5 * axial * OMEGA.powi(2));
            assert!(audit < bound, "{bearing}, {axial:e}: {audit:e}");
        }
    }
}

/// A shaft without bearings between two Cardan joints whose forks are in phase: the last shaft, parallel to the first, turns as that does.
#[test]
fn double_cardan_shafts() {
    let along = along();
    for method in ["dop853", "ode113", "radau5"] {
        for axial in AXIAL {
            let mut b = ModelBuilder::new();
            b.body(Body::fixed("ground")).body(shaft("first", -Vec3::z(), &Vec3::z(), axial, OMEGA));
            b.body(shaft("middle", Vec3::zeros(), &along, axial, OMEGA * slope(0.0)));
            b.body(shaft("last", along, &Vec3::z(), axial, OMEGA));
            b.joint(Joint::between("first", "ground", Revolute).at([0.0, 0.0, -1.0]).axis([0.0, 0.0, 1.0]));
            b.joint(
                Joint::between("last", "ground", Revolute)
                    .at((along + Vec3::z()).into())
                    .axis([0.0, 0.0, 1.0]),
            );
            for (shaft, at) in [("first", Vec3::zeros()), ("last", along)] {
                let fork = Joint::between(shaft, "middle", Universal).at(at.into());
                b.joint(fork.axis([0.0, 1.0, 0.0]).second_axis(cross()));
            }
            let run = run(&b, method);
            let [first, last] = ["first", "last"].map(|body| turned(&run.end, body, &Vec3::z()));
            let off = (time(first, |x| 2.0 + slope(x).powi(2)) - 0.6).abs();
            let (evaluations, audit) = (run.summary.stats.evaluations, run.summary.audit_relative);
            println!("{method}, {axial:e}: {off:.1e} s, audit {audit:.1e}, {evaluations} evaluations");
            assert!((last - first).abs() < 1e-13, "{method}, {axial:e}: {first} and {last}");
            assert!(off < 2e-9, "{method}, {axial:e}: {off:e}");
            let bound = 1e-9 + POTENTIAL / (0.5 * axial * OMEGA.powi(2));
            assert!(audit < bound, "{method}, {axial:e}: {audit:e}");
        }
    }
}
