//! Many bodies in short-range fields at once: each moves as if it were alone, whatever it is and wherever its supports are.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test may")]

use carom::geometry::surfaces::{Ellipsoid, Polyhedron};
use carom::prelude::*;
use carom::{FieldRule, Frame, Repulsion, Shake};
use carom_testkit::all_cases;
use nalgebra::{UnitQuaternion, UnitVector3};

const TIMES: [f64; 3] = [0.03, 0.06, 0.09];

/// Numbers between −1 and 1 that look like chance, the same every time: the golden ratio's multiples, mod 1.
fn chance(i: usize, k: usize) -> f64 {
    2.0 * ((7 * i + k + 1) as f64 * 0.618_033_988_749_894_9).fract() - 1.0
}

/// The i-th body: its kind goes round, its size, place, turn and velocities are its own.
fn body(i: usize, name: &str) -> Body {
    let c = |k: usize| chance(i, k);
    let size = 0.1 * (1.0 + 0.3 * c(0));
    let (x, y) = (0.5 * (i % 15) as f64, 0.5 * (i / 15) as f64);
    let axis = UnitVector3::new_normalize(Vec3::new(c(1), c(2), 1.5));
    let body =
        Body::new(name).density(1000.0 * (1.5 + c(3))).position([x, y, 1.1 * size + 0.02 * (1.5 + c(4))]);
    let body = body.orientation(UnitQuaternion::from_axis_angle(&axis, 3.0 * c(5)));
    let body =
        body.velocity([0.3 * c(6), 0.3 * c(7), -0.6]).angular_velocity([2.0 * c(8), 2.0 * c(9), c(10)]);
    // cylinders and ellipsoids are dearer: few of them
    let kind = match i {
        _ if i % 40 == 7 => 3,
        _ if i % 20 == 5 => 4,
        _ => i % 3,
    };
    match kind {
        0 => body.surface(Cuboid::new([size, 1.1 * size, 1.2 * size]).unwrap()),
        1 => body.surface(Sphere::new(size).unwrap()),
        4 => body.surface(Cylinder::new(0.6 * size, size).unwrap()),
        3 => body.surface(Ellipsoid::new([0.8 * size, 0.9 * size, size]).unwrap()),
        _ => {
            let s = 0.55 * size;
            let corners = [[s, s, s], [s, -s, -s], [-s, s, -s], [-s, -s, s], [0.0, 0.0, 1.1 * s]];
            body.surface(Polyhedron::new(&corners).unwrap())
        }
    }
}

/// The supports: a floor, a slope, and a floor that is shaken.
fn supports(several: bool) -> Vec<Body> {
    let slope = UnitQuaternion::from_axis_angle(&Vec3::y_axis(), 0.005);
    let shaken = Shake { amplitude: Vec3::new(2e-3, 0.0, 3e-3), rate: 40.0, phase: 0.0 };
    let mut all = vec![Body::fixed("floor").surface(Plane)];
    if several {
        all.push(Body::fixed("slope").orientation(slope).position([3.5, 0.0, -0.02]).surface(Plane));
        all.push(Body::prescribed("tray", shaken).surface(Plane));
    }
    all
}

/// Some of the bodies, each over its own support.
fn model(which: &[usize], several: bool) -> Model {
    let mut b = ModelBuilder::new();
    let supports = supports(several);
    let names: Vec<&str> = ["floor", "slope", "tray"][..supports.len()].to_vec();
    for &i in which {
        let name = format!("body{i}");
        b.body(body(i, &name));
        // with an exponent of 3 or less a corner would come exponentially near
        let rule = FieldRule::between(&name, names[(i / 3) % names.len()]);
        let rule = rule.repulsion(5 + (i / 9 % 3) as u32, Repulsion::RestGap(0.02 * (1.5 + chance(i, 11))));
        b.field(rule.damping(1, 2.0 * (1.0 + chance(i, 12))).friction(2, 0.05));
    }
    supports.into_iter().for_each(|s| {
        b.body(s);
    });
    b.build().unwrap()
}

fn frames(model: &Model, method: &str, rtol: f64) -> (Vec<Frame>, carom::Summary) {
    let mut recording = Recording::default();
    let sim = Simulation::new(model).duration(TIMES[2]).method(method).rtol(rtol).atol(rtol);
    let run = sim.output(Output::At(TIMES.to_vec())).run_into(&mut recording).unwrap();
    (recording.frames, run.summary)
}

/// The largest difference of positions, velocities, and turns of the bodies of a run and those of their own.
fn off(
    which: impl IntoIterator<Item = usize>,
    together: &[Frame],
    several: bool,
    method: &str,
    rtol: f64,
) -> f64 {
    let mut worst = 0.0f64;
    for i in which {
        let (alone, _) = frames(&model(&[i], several), method, rtol);
        for (all, one) in together.iter().zip(&alone) {
            let (a, b) = (&all.bodies[i], &one.bodies[0]);
            let apart = [
                (a.position - b.position).norm(),
                (a.velocity - b.velocity).norm(),
                a.orientation.angle_to(&b.orientation),
                (a.angular_velocity - b.angular_velocity).norm(),
            ];
            worst = apart.into_iter().fold(worst, f64::max);
        }
    }
    worst
}

/// Two hundred bodies, at each commit sixty, over one support and over three: every seventh moves as alone.
#[test]
fn as_if_alone() {
    let bodies = if all_cases() { 200 } else { 60 };
    let which: Vec<usize> = (0..bodies).collect();
    for several in [false, true] {
        let (together, summary) = frames(&model(&which, several), "dop853", 1e-11);
        // (seven has no factor in common with the numbers of kinds)
        let off = off((0..bodies).step_by(7), &together, several, "dop853", 1e-11);
        let turned = together[2].bodies.iter().filter(|b| b.velocity.z > 0.0).count();
        println!("several: {several}: off {off:.1e}, {turned} go up, {summary}");
        assert!(off < 1e-9, "{off}");
        assert!(turned > bodies / 10, "only {turned} have met their support");
        assert!(summary.audit_relative < 1e-11, "{summary}");
    }
}

/// With an implicit method: the Jacobian has a block for every body, and none between them.
#[test]
fn as_if_alone_implicitly() {
    let which: Vec<usize> = (0..25).collect();
    let (together, summary) = frames(&model(&which, true), "radau5", 1e-8);
    let off = off(0..25, &together, true, "radau5", 1e-8);
    println!("off {off:.1e}, {summary}");
    assert!(off < 1e-7, "{off}");
}
