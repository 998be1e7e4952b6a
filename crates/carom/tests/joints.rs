//! Mechanisms against closed forms and published numbers.

use crate::common::frames;
use carom::DistanceJoint;
use carom::prelude::*;

/// A pendulum of length 1 m released from horizontal: x = sin θ, z = −cos θ (A01 of the IFToMM benchmarks).
const PENDULUM: [(f64, f64, f64); 4] = [
    (1.0, -0.986291751131875319, -0.165010853125541169),
    (2.0, 0.793566195343321747, -0.608483930443791515),
    (5.0, 0.942305435043757335, -0.334754338414000581),
    (10.0, 0.27508746257611686, -0.961419205099125064),
];

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

/// At every tolerance: each singular position is passed with an error of that order. (The table of the book.)
#[test]
fn four_bars_go_through_their_singular_positions() {
    let times = [0.5, 1.0, 2.0, 5.0, 10.0];
    let angles_2 = [
        0.768818627555206042,
        3.33787080310509773,
        6.34103336131233161,
        16.6543534866534826,
        31.7505971869861018,
    ];
    let angles_40 = [
        0.758627516082763194,
        3.25720692490981343,
        6.31765844203611685,
        16.2786261969349783,
        31.5974337439857377,
    ];
    for (n, angles) in [(2, angles_2), (40, angles_40)] {
        let model = windows(n);
        for (rtol, bound) in [(1e-6, 2e-5), (1e-8, 2e-7), (1e-10, 1e-9), (1e-12, 1e-10)] {
            let (frames, run) = frames(&model, "dop853", rtol, &times);
            for ((frame, t), angle) in frames.iter().zip(times).zip(angles) {
                // the first crank: its centre is at (sin θ, cos θ)/2
                let p = frame.bodies[0].position * 2.0;
                let off = (p.x - f64::sin(angle)).abs().max((p.y - f64::cos(angle)).abs());
                println!("N = {n}, rtol {rtol:e}, t = {t}: {off:.1e}");
                assert!(off < bound, "N = {n}, rtol {rtol:e}, t = {t}: {off:e}");
            }
            let audit = run.summary.audit_relative;
            assert!(audit < bound, "N = {n}, rtol {rtol:e}: audit {audit:e}");
        }
    }
}

/// Two bars in a straight line, to be folded: the equations do not say which way, and the error says so. Bent by a little they are put together.
#[test]
fn bars_in_a_straight_line_are_not_bent() {
    let start = |bend: f64| {
        let mut b = ModelBuilder::new();
        b.body(Body::fixed("ground"));
        for (name, x, y) in [("one", 0.5, 0.5 * bend), ("two", 1.5, 0.5 * bend)] {
            b.body(Body::new(name).mass(1.0).inertia([0.1; 3]).position([x, y, 0.0]));
        }
        let hinge = |a: &str, b: &str, p: [f64; 3], q: [f64; 3]| {
            Joint::between(a, b, Revolute).points(p, q).axis([0.0, 0.0, 1.0])
        };
        b.joint(hinge("one", "ground", [-0.5, 0.0, 0.0], [0.0; 3]));
        b.joint(hinge("two", "one", [-0.5, 0.0, 0.0], [0.5, 0.0, 0.0]));
        b.joint(hinge("two", "ground", [0.5, 0.0, 0.0], [1.5, 0.0, 0.0]).named("end"));
        Simulation::new(&b.build().unwrap()).duration(0.01).run()
    };
    let refused = start(0.0).unwrap_err().to_string();
    assert!(refused.contains("straight line"), "{refused}");
    assert!(start(0.2).is_ok());
}

/// Links that fall in a plane do not know their inertia about their own axes, however thin they are: a chain has no singular positions, and is not taken to be near any.
#[test]
fn thin_links_fall_as_thick_ones() {
    let end = |about_axis: f64| {
        let mut b = ModelBuilder::new();
        b.gravity([0.0, 0.0, -9.81]).body(Body::fixed("ground"));
        let mut last = "ground".to_owned();
        for i in 0..8 {
            let (name, x) = (format!("link{i}"), 0.1 * f64::from(i));
            b.body(Body::new(&name).mass(0.1).inertia([about_axis, 8e-5, 8e-5]).position([
                x + 0.05,
                0.0,
                0.0,
            ]));
            b.joint(Joint::between(&name, &last, Revolute).at([x, 0.0, 0.0]).axis([0.0, 1.0, 0.0]));
            last = name;
        }
        let (frames, run) = frames(&b.build().unwrap(), "dop853", 1e-8, &[1.0]);
        let tip = frames[0].bodies.last().map(|s| s.position).unwrap();
        (tip, run.summary.stats.evaluations)
    };
    let thick = end(8e-5);
    for about_axis in [1e-6, 1e-9] {
        let thin = end(about_axis);
        assert!((thin.0 - thick.0).norm() < 1e-12, "{about_axis:e}: {}", (thin.0 - thick.0).norm());
        assert_eq!(thin.1, thick.1, "{about_axis:e}");
    }
}

/// A chain of links that floats freely, thrown and spinning, at rtol 1e-10: nothing outside acts on it.
#[test]
fn a_floating_chain_keeps_its_momenta() {
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    let links = 6;
    for i in 0..links {
        let name = format!("link{i}");
        let w = [0.3 * i as f64, 1.0 - 0.2 * i as f64, 0.5];
        b.body(
            Body::new(&name)
                .mass(1.0 + 0.1 * i as f64)
                .inertia([0.02, 0.05, 0.06])
                .position([i as f64, 0.0, 0.0])
                .angular_velocity(w),
        );
        if i == 0 {
            continue;
        }
        let joint =
            |kind| Joint::between_arc(&name, &format!("link{}", i - 1), kind).at([i as f64 - 0.5, 0.0, 0.0]);
        b.joint(match i % 3 {
            0 => joint(std::sync::Arc::new(Spherical)),
            1 => joint(std::sync::Arc::new(Revolute)).axis([0.2, 1.0, 0.1 * i as f64]),
            _ => joint(std::sync::Arc::new(carom::Universal))
                .axis([0.0, 1.0, 0.0])
                .second_axis([0.0, 0.0, 1.0]),
        });
    }
    let model = b.build().unwrap();
    let times: Vec<f64> = (0..=10).map(f64::from).collect();
    let (frames, run) = frames(&model, "dop853", 1e-10, &times);
    let momenta = |f: &Frame| {
        let (mut p, mut l) = (Vec3::zeros(), Vec3::zeros());
        for (i, s) in f.bodies.iter().enumerate() {
            let (m, r) = (1.0 + 0.1 * i as f64, s.orientation.to_rotation_matrix());
            let inertia = r * Mat3::from_diagonal(&Vec3::new(0.02, 0.05, 0.06)) * r.transpose();
            p += m * s.velocity;
            l += m * s.position.cross(&s.velocity) + inertia * s.angular_velocity;
        }
        (p, l)
    };
    let (p0, l0) = momenta(&frames[0]);
    for f in &frames {
        let (p, l) = momenta(f);
        assert!((p - p0).norm() < 1e-13 * p0.norm().max(1.0), "{:e}", (p - p0).norm());
        assert!((l - l0).norm() < 1e-9 * l0.norm(), "{:e}", (l - l0).norm() / l0.norm());
    }
    assert!(run.summary.audit_relative < 1e-9, "{:e}", run.summary.audit_relative);
}

/// A door on two hinges: what repeats is told, and the door swings as on one.
#[test]
fn a_door_on_two_hinges() {
    let door = || {
        Body::new("door")
            .mass(20.0)
            .inertia([5.0, 6.0, 1.5])
            .position([0.4, 0.0, 1.0])
            .angular_velocity([0.0, 0.0, 1.0])
    };
    let hinge = |name: &str, z: f64| {
        Joint::between("door", "frame", Revolute).at([0.0, 0.0, z]).axis([0.0, 0.0, 1.0]).named(name)
    };
    let swing = |hinges: &[f64]| {
        let mut b = ModelBuilder::new();
        b.body(door().velocity([0.0, 0.4, 0.0])).body(Body::fixed("frame"));
        for (i, &z) in hinges.iter().enumerate() {
            b.joint(hinge(&format!("hinge{i}"), z));
        }
        let model = b.build().unwrap();
        Simulation::new(&model).duration(2.0).rtol(1e-11).atol(1e-11).run().unwrap()
    };
    let (one, two) = (swing(&[0.2]), swing(&[0.2, 1.8]));
    let [a, b] = [&one, &two].map(|run| run.end.body("door").unwrap().position);
    assert!((a - b).norm() < 1e-12, "{:e}", (a - b).norm());
    assert!(one.summary.warnings.is_empty());
    let told: Vec<String> = two.summary.warnings.iter().map(|w| w.warning.to_string()).collect();
    assert!(told.len() == 1 && told[0].contains("hinge1: 5 of its 5 equations repeat"), "{told:?}");
    // the two carry the weight and the centripetal force between them
    let force = two.end.frame.joints.iter().map(|j| j.force).fold(Vec3::zeros(), |a, f| a + f);
    assert!((force - one.end.frame.joints[0].force).norm() < 1e-8, "{force}");
}

/// A loop that does not close is refused by the name of a joint; one that nearly does is put together.
#[test]
fn loops_that_close_and_that_do_not() {
    // not quite straight: from a straight line there are two ways to bend, and no reason for either
    let bar = |name: &str, x: f64| Body::new(name).mass(1.0).inertia([0.1; 3]).position([x, 0.1, 0.0]);
    let two_bars = |apart: f64| {
        let mut b = ModelBuilder::new();
        b.body(Body::fixed("ground")).body(bar("a", 0.5)).body(bar("b", 1.4));
        b.joint(Joint::between("a", "ground", Revolute).at([0.0; 3]).axis([0.0, 0.0, 1.0]));
        b.joint(Joint::between("b", "a", Spherical).points([-0.5, 0.0, 0.0], [0.5, 0.0, 0.0]).named("elbow"));
        b.joint(
            Joint::between("b", "ground", Spherical).points([0.5, 0.0, 0.0], [apart, 0.0, 0.0]).named("far"),
        );
        b.build().unwrap()
    };
    let run = Simulation::new(&two_bars(1.9)).duration(0.1).run().unwrap();
    let told: Vec<String> = run.summary.warnings.iter().map(|w| w.warning.to_string()).collect();
    assert!(told.iter().any(|t| t.contains("put together")), "{told:?}");
    let refused = Simulation::new(&two_bars(2.5)).duration(0.1).run().unwrap_err().to_string();
    assert!(refused.contains("joint `") && refused.contains("apart by"), "{refused}");
}

/// Two drives of one coordinate that want different things.
#[test]
fn drives_that_fight() {
    let mut b = ModelBuilder::new();
    b.body(Body::fixed("ground")).body(Body::new("rotor").mass(1.0).inertia([0.1; 3]));
    b.joint(Joint::between("rotor", "ground", Revolute).at([0.0; 3]).axis([0.0, 0.0, 1.0]).named("shaft"));
    b.drive(Drive::new("joint/shaft/angle", carom::Formula::new("3*t").unwrap()));
    let drive = |speed: &str| {
        let mut b = b.clone();
        b.drive(Drive::new("joint/shaft/speed", carom::Formula::new(speed).unwrap()));
        Simulation::new(&b.build().unwrap()).duration(1.0).run()
    };
    assert!(drive("3").is_ok());
    let refused = drive("4").unwrap_err().to_string();
    assert!(refused.contains("joint `shaft") && refused.contains("fought over"), "{refused}");
    // they agree as they start, and not for long
    for later in ["3+0.1*t", "3+t^3"] {
        let refused = drive(later).unwrap_err().to_string();
        assert!(refused.contains("joint shaft/") && refused.contains("drives fight"), "{refused}");
    }
}

/// A rotor driven up to speed: the torque of the drive is J θ̈, its work the energy gained.
#[test]
fn a_driven_rotor_takes_the_torque_it_needs() {
    let mut b = ModelBuilder::new();
    b.body(Body::fixed("ground"))
        .body(Body::new("rotor").mass(2.0).inertia([0.3, 0.3, 0.5]).centre_of_mass([0.1, 0.0, 0.0]));
    b.gravity([0.0; 3])
        .joint(Joint::between("rotor", "ground", Revolute).at([0.0; 3]).axis([0.0, 0.0, 1.0]).named("shaft"));
    b.drive(Drive::new("joint/shaft/angle", carom::Formula::new("2*t^3").unwrap()));
    let model = b.build().unwrap();
    let (frames, run) = frames(&model, "dop853", 1e-12, &[0.25, 0.5, 1.0]);
    for f in &frames {
        let (w, alpha) = (6.0 * f.t * f.t, 12.0 * f.t);
        // about the shaft: 0.5 + 2·0.1²
        let drive = f.joints.iter().find(|j| j.joint == "shaft/angle").unwrap();
        assert!((drive.couple.z + 0.52 * alpha).abs() < 1e-9, "{} {}", drive.couple.z, 0.52 * alpha);
        let shaft = f.joints.iter().find(|j| j.joint == "shaft").unwrap();
        let angle = 2.0 * f.t.powi(3);
        let out = Vec3::new(angle.cos(), angle.sin(), 0.0);
        let across = Vec3::new(-angle.sin(), angle.cos(), 0.0);
        // on the ground: −m a of the centre of mass
        let expected = -2.0 * 0.1 * (across * alpha - out * w * w);
        assert!((shaft.force - expected).norm() < 1e-9, "{} {expected}", shaft.force);
        assert!((f.energy.work - 0.26 * w * w).abs() < 1e-9, "{}", f.energy.work);
    }
    assert!(run.summary.audit_relative < 1e-11);
}

/// Two wheels in mesh, one of them turned by a couple M: q₁ + i q₂ is kept, so θ̈₁ = M/(J₁ + J₂/i²). The gear pushes the wheels by λ and i λ, λ = −J₂ θ̈₁/i², and
/// what holds both, the ground, by the opposite of both.
#[test]
fn a_gear_pushes_what_holds_it() {
    let (j_1, j_2, ratio, m) = (0.3, 0.7, 2.5, 4.0);
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]).body(Body::fixed("ground"));
    for (name, x, j) in [("one", 0.0, j_1), ("two", 1.0, j_2)] {
        b.body(Body::new(name).mass(1.0).inertia([j; 3]).position([x, 0.0, 0.0]));
        b.joint(Joint::between(name, "ground", Revolute).at([x, 0.0, 0.0]).axis([0.0, 0.0, 1.0]).named(name));
    }
    b.joint(Joint::between("one", "two", carom::Gear { ratio }).named("mesh"));
    b.force(Force::torque("one", "ground", [0.0, 0.0, m]));
    let (frames, _) = frames(&b.build().unwrap(), "dop853", 1e-12, &[1.0, 5.0]);
    let alpha = m / (j_1 + j_2 / ratio.powi(2));
    let lambda = -j_2 * alpha / ratio.powi(2);
    for f in &frames {
        let [one, two] = [0, 1].map(|i| f.bodies[i].angular_velocity.z);
        assert!((one - alpha * f.t).abs() < 1e-10 && (one + ratio * two).abs() < 1e-12, "{one} {two}");
        let mesh = f.joints.iter().find(|j| j.joint == "mesh").unwrap();
        assert!((mesh.couple.z + lambda * (1.0 + ratio)).abs() < 1e-10, "{}", mesh.couple.z);
        assert!(mesh.force.norm() < 1e-10);
    }
}

/// Every method keeps a double pendulum together, and its energy as well as it can.
#[test]
fn every_method_swings_a_double_pendulum() {
    let mut b = ModelBuilder::new();
    b.body(Body::fixed("ground"));
    for (i, x) in [0.5, 1.5].into_iter().enumerate() {
        b.body(
            Body::new(&format!("bar{i}"))
                .mass(1.0)
                .inertia([0.01, 1.0 / 12.0, 1.0 / 12.0])
                .position([x, 0.0, 0.0]),
        );
    }
    let axis = [0.0, 1.0, 0.0];
    b.joint(Joint::between("bar0", "ground", Revolute).at([0.0; 3]).axis(axis));
    b.joint(Joint::between("bar1", "bar0", Revolute).at([1.0, 0.0, 0.0]).axis(axis));
    let model = b.build().unwrap();
    let exact = Simulation::new(&model).duration(1.0).rtol(1e-13).atol(1e-13).run().unwrap();
    let tip = exact.end.body("bar1").unwrap().position;
    for method in carom::ode::methods::ALL {
        let mut sim = Simulation::new(&model).method(method.name()).duration(1.0).rtol(1e-9).atol(1e-9);
        if !method.is_adaptive() {
            sim = sim.step(1e-4);
        }
        let run = sim.run().unwrap_or_else(|e| panic!("{}: {e}", method.name()));
        let off = (run.end.body("bar1").unwrap().position - tip).norm();
        // (verlet is of second order: its step squared)
        let bound = if method.is_adaptive() { 1e-8 } else { 1e-7 };
        assert!(off < bound, "{}: {off:e}", method.name());
        // it holds together to rounding, whatever the method
        let [a, b] = ["bar0", "bar1"].map(|n| *run.end.body(n).unwrap());
        let gap = a.point(&Vec3::new(0.5, 0.0, 0.0)).0 - b.point(&Vec3::new(-0.5, 0.0, 0.0)).0;
        assert!(gap.norm() < 1e-14, "{}: {:e}", method.name(), gap.norm());
    }
}

/// Joints hold in every frame, at the ends of steps too, and the last frame is the end, whatever the tolerance.
#[test]
fn joints_hold_in_every_frame() {
    let mut b = ModelBuilder::new();
    b.body(Body::fixed("base")).body(Body::new("bob").mass(1.0).inertia([0.01; 3]).position([1.0, 0.0, 0.0]));
    b.joint(Joint::between("bob", "base", Revolute).at([0.0; 3]).axis([0.0, 1.0, 0.0]));
    let model = b.build().unwrap();
    for method in ["auto", "ode113", "radau5"] {
        for output in [Output::Steps, Output::Every(0.01)] {
            let sim = Simulation::new(&model).duration(3.0).rtol(1e-4).method(method).output(output);
            let mut recording = Recording::default();
            let run = sim.run_into(&mut recording).unwrap();
            for frame in &recording.frames {
                let off = frame.bodies[0].position.norm() - 1.0;
                assert!(off.abs() < 1e-14, "{method} at {}: {off:e}", frame.t);
            }
            let (last, end) = (&recording.frames.last().unwrap().bodies[0], &run.end.frame.bodies[0]);
            assert!((last.position - end.position).norm() < 1e-15, "{method}");
        }
    }
}
