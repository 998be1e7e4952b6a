//! Rotor inertia of joints, against closed forms and against bodies that have the inertia themselves.

use std::f64::consts::{FRAC_PI_2, TAU};

use carom::law::friction::Coulomb;
use carom::prelude::*;
use carom::{Cycle, Cylindrical, Formula, Gear, Motor, Shake, Universal};

use crate::common::{close, frames, near};

const G: f64 = 9.81;
const Z: [f64; 3] = [0.0, 0.0, 1.0];

/// A wheel of the moment of inertia I about z, and the joint that it turns on.
fn wheel(inertia: f64) -> (ModelBuilder, Joint) {
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]).body(Body::fixed("ground"));
    b.body(Body::new("wheel").mass(1.0).inertia([inertia; 3]));
    (b, Joint::between("wheel", "ground", Revolute).at([0.0; 3]).axis(Z).named("axle"))
}

/// A wheel under a torque M: ω = M t/(I + J), by explicit and implicit methods, for rotors from 1e-9 I to 1e6 I.
#[test]
fn a_wheel_under_a_torque() {
    let (inertia, torque, t) = (0.3, 2.0, 1.5);
    // the torque on the body is the difference of two that are J/I times as large
    for (ratio, most) in [(1e-9, 1e-13), (1e-3, 1e-13), (1.0, 1e-13), (1e3, 1e-12), (1e6, 1e-9)] {
        for method in ["dop853", "radau5"] {
            let (mut b, axle) = wheel(inertia);
            b.joint(axle.rotor_inertia(ratio * inertia));
            b.force(Force::motor("axle", Motor::new(&torque.to_string()).unwrap()));
            let (frames, run) = frames(&b.build().unwrap(), method, 1e-12, &[t]);
            let omega = torque * t / (inertia * (1.0 + ratio));
            close("ω", frames[0].bodies[0].angular_velocity.z, omega, most);
            close("kinetic energy", run.summary.energy.kinetic, 0.5 * torque * t * omega, 2.0 * most);
            assert!(run.summary.audit_relative < 10.0 * most, "{ratio}: {}", run.summary.audit_relative);
            // the joint carries nothing: the torque and the inertia of the rotor are no reactions of it
            assert_eq!(frames[0].joints.len(), 1);
            near("couple", frames[0].joints[0].couple.norm(), 0.0, 1e-14);
        }
    }
}

/// K(k), by the arithmetic-geometric mean.
fn elliptic(k: f64) -> f64 {
    let (mut a, mut b) = (1.0, (1.0 - k * k).sqrt());
    for _ in 0..8 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    FRAC_PI_2 / a
}

/// A pendulum from 2 rad: it is lowest after a quarter of 4 √((I + m l² + J)/(m g l)) K(sin 1), there at the speed that
/// its energy gives it.
#[test]
fn a_pendulum_with_a_rotor() {
    let (m, l, inertia, rotor, from) = (0.7, 0.4, 0.02, 0.05, 2.0_f64);
    let whole = inertia + m * l * l + rotor;
    let quarter = (whole / (m * G * l)).sqrt() * elliptic((0.5 * from).sin());
    for method in ["dop853", "ode113", "radau5"] {
        let mut b = ModelBuilder::new();
        b.gravity([0.0, -G, 0.0]).body(Body::fixed("ground"));
        let at = [l * from.sin(), -l * from.cos(), 0.0];
        b.body(Body::new("bob").mass(m).inertia([0.01, 0.01, inertia]).position(at));
        b.joint(Joint::between("bob", "ground", Revolute).at([0.0; 3]).axis(Z).rotor_inertia(rotor));
        let (frames, run) = frames(&b.build().unwrap(), method, 1e-11, &[quarter]);
        let bob = &frames[0].bodies[0];
        near(method, bob.position.x, 0.0, 3e-10);
        let fastest = -(2.0 * m * G * l * (1.0 - from.cos()) / whole).sqrt();
        close(method, bob.angular_velocity.z, fastest, 1e-10);
        assert!(run.summary.audit_relative < 1e-10, "{method}: {}", run.summary.audit_relative);
    }
}

/// Two free wheels on one axis, spun against each other by a motor M: I₁ α₁ = M − J q̈ = −I₂ α₂, q̈ = α₁ − α₂. What they
/// have together stays zero.
#[test]
fn two_free_wheels_and_a_motor() {
    let ([i1, i2], rotor, torque, t) = ([0.3, 0.8], 0.4, 1.7, 2.0);
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    b.body(Body::new("a").mass(1.0).inertia([0.2, 0.2, i1]));
    b.body(Body::new("b").mass(2.0).inertia([0.5, 0.5, i2]).position([0.0, 0.0, 0.5]));
    b.joint(Joint::between("a", "b", Revolute).at([0.0; 3]).axis(Z).named("hinge").rotor_inertia(rotor));
    b.force(Force::motor("hinge", Motor::new(&torque.to_string()).unwrap()));
    b.integrate_impulses(true);
    let softness = 1.0 / i1 + 1.0 / i2;
    let second = torque * softness / (1.0 + rotor * softness);
    for method in ["dop853", "radau5"] {
        let (frames, run) = frames(&b.build().unwrap(), method, 1e-12, &[t]);
        let [w1, w2] = [0, 1].map(|i| frames[0].bodies[i].angular_velocity);
        let rest = torque - rotor * second;
        near("ω₁", (w1 - Vec3::new(0.0, 0.0, rest / i1 * t)).norm(), 0.0, 1e-12);
        near("ω₂", (w2 + Vec3::new(0.0, 0.0, rest / i2 * t)).norm(), 0.0, 1e-12);
        near("q̈", frames[0].coordinates[0].second, second, 1e-12);
        let audit = run.summary.audit;
        assert!(run.summary.audit_relative < 1e-11, "{}", run.summary.audit_relative);
        assert!(audit.angular_momentum_relative < 1e-12, "{audit:?}");
    }
}

/// A carriage on a rail under a force; and one on a rail that is shaken: m ẍ = −m_r (ẍ − s̈), by which the shaking does work.
#[test]
fn carriages_with_a_rotor_mass() {
    let (m, more, t) = (0.7, 1.9, 1.3);
    let rail = |b: &mut ModelBuilder| {
        b.gravity([0.0; 3]).body(Body::new("carriage").mass(m).inertia([0.1; 3]));
        let rail = Joint::between("carriage", "ground", Prismatic).axis([0.0, 1.0, 0.0]).named("rail");
        b.joint(rail.rotor_mass(more));
    };
    let mut b = ModelBuilder::new();
    b.body(Body::fixed("ground"));
    rail(&mut b);
    b.force(Force::motor("rail", Motor::new("3").unwrap()));
    let (still, run) = frames(&b.build().unwrap(), "dop853", 1e-12, &[t]);
    close("y", still[0].bodies[0].position.y, 1.5 * t * t / (m + more), 1e-12);
    assert!(run.summary.audit_relative < 1e-12, "{}", run.summary.audit_relative);
    let shake = Shake { amplitude: Vec3::new(0.0, 0.2, 0.0), rate: 5.0, phase: 0.3 };
    let mut b = ModelBuilder::new();
    b.body(Body::prescribed("ground", shake));
    rail(&mut b);
    for method in ["dop853", "radau5"] {
        let (_, run) = frames(&b.build().unwrap(), method, 1e-12, &[t]);
        let v = more / (m + more) * (5.0 * 0.2) * ((5.0 * t + 0.3).cos() - 0.3_f64.cos());
        near(method, run.end.body("carriage").unwrap().velocity.y, v, 1e-11);
        assert!(run.summary.energy.work.abs() > 0.01, "{}", run.summary.energy.work);
        assert!(run.summary.audit_relative < 1e-10, "{method}: {}", run.summary.audit_relative);
    }
}

/// A slider-crank of hinges, three of whose equations repeat others; the crank has this moment of inertia, its hinge that
/// of a rotor. `light`: of the inertia of the rod about its own axis.
fn slider_crank(crank: f64, rotor: Option<f64>, light: f64) -> ModelBuilder {
    let (r, l, across) = (0.3, 0.8, crank.max(0.1));
    let mut b = ModelBuilder::new();
    b.gravity([0.0, -G, 0.0]).body(Body::fixed("ground"));
    b.body(Body::new("crank").mass(0.5).inertia([across, across, crank]).angular_velocity([0.0, 0.0, 4.0]));
    let rod = Body::new("rod").mass(0.6).inertia([light, 0.04, 0.04]).position([r + 0.5 * l, 0.0, 0.0]);
    b.body(rod.velocity([0.0, 0.5 * r * 4.0, 0.0]).angular_velocity([0.0, 0.0, -4.0 * r / l]));
    b.body(Body::new("slider").mass(0.9).inertia([0.01; 3]).position([r + l, 0.0, 0.0]));
    let main = Joint::between("crank", "ground", Revolute).at([0.0; 3]).axis(Z).named("main");
    b.joint(rotor.into_iter().fold(main, Joint::rotor_inertia));
    b.joint(Joint::between("rod", "crank", Revolute).at([r, 0.0, 0.0]).axis(Z).named("pin"));
    b.joint(Joint::between("rod", "slider", Revolute).at([r + l, 0.0, 0.0]).axis(Z).named("wrist"));
    b.joint(Joint::between("slider", "ground", Prismatic).axis([1.0, 0.0, 0.0]).named("bore"));
    b
}

/// A rotor between a crank and the ground is as good as a flywheel on the crank: in a loop whose equations repeat one
/// another, with a rod that has almost no inertia about its axis, and where the crank itself has next to none.
#[test]
fn a_rotor_is_a_flywheel() {
    for light in [1e-2, 1e-9] {
        for (crank, rotor, most) in [(0.02, 0.07, 1e-10), (1e-6, 0.09, 1e-9), (0.09, 1e-6, 1e-10)] {
            let ends = [(crank, Some(rotor)), (crank + rotor, None)].map(|(crank, rotor)| {
                let model = slider_crank(crank, rotor, light).build().unwrap();
                let (mut frames, run) = frames(&model, "dop853", 1e-11, &[0.7]);
                assert!(run.summary.audit_relative < 1e-9, "{light} {crank}: {}", run.summary.audit_relative);
                (frames.remove(0), format!("{:?}", run.summary.warnings))
            });
            let [(with, warned), (without, expected)] = ends;
            // the same equations are said to repeat others
            assert_eq!(warned, expected);
            for (a, b) in with.bodies.iter().zip(&without.bodies) {
                near("position", (a.position - b.position).norm(), 0.0, most);
                near("spin", (a.angular_velocity - b.angular_velocity).norm(), 0.0, 100.0 * most);
            }
        }
    }
}

/// The torque of a drive has J q̈ in it: in an inverse analysis, in one that integrates, and behind a joint that it shares
/// with a rotor of a million times its inertia.
#[test]
fn what_a_drive_must_do() {
    for (rotor, most) in [(0.07, 1e-12), (2e4, 1e-9)] {
        let sway = || Drive::new("joint/main/angle", Formula::new("0.9*sin(3*t)").unwrap());
        let [with, without] = [(0.02, Some(rotor)), (0.02 + rotor, None)].map(|(crank, rotor)| {
            let mut b = slider_crank(crank, rotor, 1e-2);
            b.drive(sway());
            Cycle::new(&b.build().unwrap()).duration(1.0).output(Output::Every(0.1)).inverse().unwrap()
        });
        let scale = without.iter().fold(0.0_f64, |most, p| most.max(p.drives[0].force.abs()));
        assert!(with.len() == 11 && scale > 8.0 * rotor, "{scale}");
        for (a, b) in with.iter().zip(&without) {
            near("torque", (a.drives[0].force - b.drives[0].force) / scale, 0.0, most);
            assert_eq!(a.joints.len(), b.joints.len());
        }
        let (mut b, axle) = wheel(0.3);
        b.joint(axle.rotor_inertia(rotor));
        b.drive(Drive::new("joint/axle/angle", Formula::new("1 - cos(2*t)").unwrap()));
        let (frames, run) = frames(&b.build().unwrap(), "dop853", 1e-11, &[0.3]);
        close("torque", frames[0].drives[0].force, (0.3 + rotor) * 4.0 * 0.6_f64.cos(), most);
        assert!(run.summary.audit_relative < 10.0 * most.max(1e-11), "{}", run.summary.audit_relative);
    }
}

/// Two bars that hang from one another, with a rotor at the elbow: K = diag((m₁ l₁ + m₂ L) g, m₂ l₂ g), and J in the mass
/// matrix along θ₂ − θ₁. Rotors are nothing to an equilibrium.
#[test]
fn modes_of_a_double_pendulum() {
    let ([m1, m2], [l1, l2], [i1, i2], long) = ([0.7, 0.4], [0.3, 0.2], [0.02, 0.01], 0.5);
    for rotor in [1e-3, 0.05, 3.0] {
        let mut b = ModelBuilder::new();
        b.gravity([0.0, -G, 0.0]).body(Body::fixed("ground"));
        b.body(Body::new("upper").mass(m1).inertia([0.1, 0.1, i1]).position([0.0, -l1, 0.0]));
        b.body(Body::new("lower").mass(m2).inertia([0.1, 0.1, i2]).position([0.0, -long - l2, 0.0]));
        b.joint(Joint::between("upper", "ground", Revolute).at([0.0; 3]).axis(Z));
        let elbow = Joint::between("lower", "upper", Revolute).at([0.0, -long, 0.0]).axis(Z);
        b.joint(elbow.rotor_inertia(rotor));
        let modes = Modes::new(&b.build().unwrap()).unwrap();
        let (a, c) = (i1 + m1 * l1 * l1 + m2 * long * long + rotor, i2 + m2 * l2 * l2 + rotor);
        let d = m2 * long * l2 - rotor;
        let (k1, k2) = ((m1 * l1 + m2 * long) * G, m2 * l2 * G);
        // det(K − ω² M) = 0
        let (det, sum) = (a * c - d * d, k1 * c + k2 * a);
        let root = (sum * sum - 4.0 * det * k1 * k2).sqrt();
        let slow = 2.0 * k1 * k2 / (sum + root);
        assert_eq!(modes.modes.len(), 2);
        close("slow", modes.modes[0].omega_squared, slow, 1e-11);
        close("fast", modes.modes[1].omega_squared, (sum + root) / (2.0 * det), 1e-11);
        assert!(modes.asymmetry < 1e-12 && modes.at.stable(), "{}", modes.asymmetry);
    }
}

/// An equilibrium away from the start is the same with a rotor that is much heavier than the bodies.
#[test]
fn equilibria_have_no_rotors() {
    let [with, without] = [Some(5e3), None].map(|rotor| {
        let mut b = ModelBuilder::new();
        b.gravity([0.0, -G, 0.0]).body(Body::fixed("ground"));
        b.body(Body::new("arm").mass(0.7).inertia([0.02; 3]).position([0.3, 0.0, 0.0]));
        let hinge = Joint::between("arm", "ground", Revolute).at([0.0; 3]).axis(Z).named("hinge");
        b.joint(rotor.into_iter().fold(hinge, Joint::rotor_inertia));
        b.force(Force::torsion("hinge", CoordinateSpring::new(5.0).unwrap()));
        let at = Equilibrium::find(&b.build().unwrap()).unwrap();
        at.bodies[0].position
    });
    near("position", (with - without).norm(), 0.0, 1e-12);
}

/// A chain with skew axes, rotors on hinges, a Cardan joint and a screw-like slide, one body of little inertia about its
/// axis: energy stays, and so does momentum where nothing holds the chain.
#[test]
fn chains_in_space_keep_their_energy() {
    for axial in [0.03, 1e-8] {
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]).integrate_impulses(true);
        let bar = |name: &str, x: f64| {
            let body = Body::new(name).mass(0.8).inertia([axial, 0.05, 0.05]).position([x, 0.0, 0.0]);
            body.angular_velocity([0.3, 2.0 - x, 1.0])
        };
        b.body(bar("a", 0.0)).body(bar("b", 1.0)).body(bar("c", 2.0)).body(bar("d", 3.0));
        b.joint(
            Joint::between("a", "b", Revolute).at([0.5, 0.0, 0.0]).axis([0.2, 1.0, 0.5]).rotor_inertia(0.2),
        );
        let cardan = Joint::between("b", "c", Universal).at([1.5, 0.0, 0.0]).axis([0.0, 1.0, 0.0]);
        b.joint(cardan.second_axis(Z).rotor_inertia(0.03));
        let slide = Joint::between("c", "d", Cylindrical).at([2.5, 0.0, 0.0]).axis([0.1, 0.4, 1.0]);
        b.joint(slide.rotor_inertia(0.02).rotor_mass(3.0));
        for method in ["dop853", "radau5"] {
            let model = b.build().unwrap();
            let run =
                Simulation::new(&model).method(method).duration(0.8).rtol(1e-11).atol(1e-11).run().unwrap();
            let audit = run.summary.audit;
            assert!(run.summary.audit_relative < 1e-9, "{axial} {method}: {}", run.summary.audit_relative);
            assert!(audit.angular_momentum_relative < 1e-9, "{axial} {method}: {audit:?}");
        }
    }
}

/// Friction of a joint acts beside the rotor, and masses may change in time: ω = ω₀ − μ P ρ t/(I + J), and with
/// I (1 + t) under a torque M, ω = M/I ln(1 + I t/(I + J)).
#[test]
fn friction_and_masses_in_time() {
    let (inertia, rotor, t) = (0.3, 0.5, 2.0);
    let (mut b, axle) = wheel(inertia);
    let rubs = JointFriction::new(Coulomb::new(0.2).unwrap()).radius(0.05).preload(40.0);
    b.joint(axle.rotor_inertia(rotor).friction(rubs));
    b.force(Force::motor("axle", Motor::new("3").unwrap()));
    let (rubbed, run) = frames(&b.build().unwrap(), "dop853", 1e-12, &[t]);
    close("ω", rubbed[0].bodies[0].angular_velocity.z, (3.0 - 0.4) * t / (inertia + rotor), 1e-11);
    assert!(run.summary.audit_relative < 1e-11, "{}", run.summary.audit_relative);
    let (mut b, axle) = wheel(inertia);
    b.joint(axle.rotor_inertia(rotor)).drive(Drive::new("body/wheel/mass", Formula::new("1 + t").unwrap()));
    b.force(Force::motor("axle", Motor::new("3").unwrap()));
    let (grown, run) = frames(&b.build().unwrap(), "dop853", 1e-12, &[t]);
    let omega = 3.0 / inertia * (1.0 + inertia * t / (inertia + rotor)).ln();
    close("ω", grown[0].bodies[0].angular_velocity.z, omega, 1e-11);
    assert!(run.summary.audit_relative < 1e-11, "{}", run.summary.audit_relative);
}

/// What cannot be is refused by name.
#[test]
fn rotors_that_cannot_be() {
    let refused = |joint: Joint, words: &[&str]| {
        let mut b = wheel(1.0).0;
        b.joint(Joint::between("wheel", "ground", Revolute).at([0.0; 3]).axis(Z).named("axle"));
        b.body(Body::new("other").mass(1.0).inertia([1.0; 3]));
        b.joint(Joint::between("other", "ground", Revolute).at([0.0; 3]).axis(Z).named("pin"));
        let message = b.joint(joint).build().expect_err("this must be refused").to_string();
        for word in words {
            assert!(message.contains(word), "`{word}` is not in: {message}");
        }
    };
    let hinge = || Joint::between("wheel", "ground", Revolute).at([0.0; 3]).axis(Z).named("hinge");
    for bad in [0.0, -0.2, f64::NAN, f64::INFINITY] {
        let value = bad.to_string();
        refused(hinge().rotor_inertia(bad), &["hinge", "rotor_inertia", &value, "greater than 0"]);
        let rail = Joint::between("wheel", "ground", Prismatic).axis(Z).named("rail");
        refused(rail.rotor_mass(bad), &["rail", "rotor_mass", &value, "greater than 0"]);
    }
    refused(hinge().rotor_mass(1.0), &["hinge", "rotor_mass", "revolute", "no displacement"]);
    let ball = Joint::between("wheel", "ground", Spherical).at([0.0; 3]).named("ball");
    refused(ball.rotor_inertia(1.0), &["ball", "rotor_inertia", "spherical", "no angle"]);
    let gear = Joint::between("axle", "pin", Gear { ratio: 2.0 }).named("gear");
    refused(gear.rotor_inertia(1.0), &["gear", "rotor_inertia", "no angle"]);
    let mut b = wheel(1.0).0;
    b.clearance(Clearance::new(hinge().rotor_inertia(1.0), 1e-4).radius(0.01));
    let message = b.build().expect_err("this must be refused").to_string();
    assert!(
        message.contains("hinge") && message.contains("rotor") && message.contains("clearance"),
        "{message}"
    );
}

/// A joint that turns for long counts its turns beside its rotor.
#[test]
fn turns_are_counted() {
    let (mut b, axle) = wheel(0.1);
    b.joint(axle.rotor_inertia(0.4));
    b.force(Force::motor("axle", Motor::new("10").unwrap()));
    let (frames, _) = frames(&b.build().unwrap(), "dop853", 1e-12, &[5.0]);
    let turned = frames[0].coordinates[0].value;
    assert!(turned > 30.0 * TAU);
    close("angle", turned, 0.5 * 10.0 / 0.5 * 25.0, 1e-12);
}
