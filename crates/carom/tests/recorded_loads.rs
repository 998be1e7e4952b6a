//! The coordinates of joints, the forces of drives and the actions of forces that runs record, against closed forms.

use crate::common::near;
use carom::base::Quantity;
use carom::prelude::*;
use carom::{Actuator, CoordinateRecord, ForceRecord, Formula, Motor, Universal};

const G: f64 = 9.81;

/// Runs a model and returns its frames.
fn frames(model: &Model, duration: f64, rtol: f64, output: Output) -> Vec<Frame> {
    let mut recording = Recording::default();
    let simulation = Simulation::new(model).duration(duration).rtol(rtol).output(output);
    simulation.run_into(&mut recording).unwrap();
    recording.frames
}

/// A rotor on a shaft along z, I = 0.2 kg m², that turns at ω [rad/s].
fn rotor(omega: f64) -> ModelBuilder {
    let mut b = ModelBuilder::new();
    let rotor = Body::new("rotor").mass(1.0).inertia([0.1, 0.1, 0.2]).angular_velocity([0.0, 0.0, omega]);
    b.gravity([0.0; 3]).body(Body::fixed("ground")).body(rotor);
    b.joint(Joint::between("rotor", "ground", Revolute).at([0.0; 3]).axis([0.0, 0.0, 1.0]).named("shaft"));
    b
}

/// A pendulum of 2 kg, 0.6 m below its hinge about y, with 0.05 kg m² about its centre, that turns at ω [rad/s].
fn pendulum(omega: f64) -> ModelBuilder {
    let mut b = ModelBuilder::new();
    let bob = Body::new("bob").mass(2.0).inertia([0.05; 3]).position([0.0, 0.0, -0.6]);
    let bob = bob.velocity([-0.6 * omega, 0.0, 0.0]).angular_velocity([0.0, omega, 0.0]);
    b.gravity([0.0, 0.0, -G]).body(Body::fixed("ground")).body(bob);
    b.joint(Joint::between("bob", "ground", Revolute).at([0.0; 3]).axis([0.0, 1.0, 0.0]).named("hinge"));
    b
}

/// The moment of inertia of that pendulum about its hinge [kg m²].
const PENDULUM: f64 = 0.05 + 2.0 * 0.6 * 0.6;

fn only(frame: &Frame) -> &CoordinateRecord {
    assert_eq!(frame.coordinates.len(), 1);
    &frame.coordinates[0]
}

/// φ = ω t: over 40 turns, at times between the steps, of methods whose steps take more than a turn too.
#[test]
fn turns_of_a_rotor_are_counted() {
    for omega in [25.0, -25.0] {
        let model = rotor(omega).build().unwrap();
        for rtol in [1e-11, 1e-6, 1e-3] {
            for frame in frames(&model, 10.0, rtol, Output::Every(0.0371)) {
                let angle = only(&frame);
                near("angle", angle.value, omega * frame.t, 1e3 * rtol * (1.0 + frame.t));
                near("rate", angle.rate, omega, 1e-9);
                near("second", angle.second, 0.0, 1e-9);
            }
        }
    }
}

/// The amplitude am(u | m), with every full turn, by descending Landen transformations.
fn amplitude(u: f64, m: f64) -> f64 {
    let (mut a, mut b, mut ratios) = (1.0f64, (1.0 - m).sqrt(), Vec::new());
    while (a - b).abs() > 1e-16 {
        ratios.push(0.5 * (a - b) / (0.5 * (a + b)));
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    let last = f64::from(1u32 << ratios.len()) * a * u;
    ratios.iter().rev().fold(last, |phi, ratio| 0.5 * (phi + (ratio * phi.sin()).asin()))
}

/// A pendulum that goes over the top: θ = 2 am(ω₀ t/2 | 4 m g l/(I ω₀²)).
#[test]
fn a_pendulum_over_several_turns() {
    let omega = 9.0;
    let modulus = 4.0 * 2.0 * G * 0.6 / (PENDULUM * omega * omega);
    assert!(modulus < 1.0);
    let model = pendulum(omega).build().unwrap();
    let all = frames(&model, 6.0, 1e-12, Output::Every(0.043));
    for frame in &all {
        let (angle, theta) = (only(frame), 2.0 * amplitude(0.5 * omega * frame.t, modulus));
        near("angle", angle.value, theta, 1e-9);
        let half = (0.5 * theta).sin();
        near("rate", angle.rate, omega * (1.0 - modulus * half * half).sqrt(), 1e-9);
        near("second", angle.second, -2.0 * G * 0.6 * theta.sin() / PENDULUM, 1e-8);
    }
    assert!(only(all.last().unwrap()).value > 5.0 * std::f64::consts::TAU);
}

/// θ = 0.7 sin 3t takes the couple I θ̈ + m g l sin θ, and its power is that times the rate.
#[test]
fn the_couple_of_a_driven_hinge() {
    let mut b = pendulum(2.1);
    b.drive(Drive::new("joint/hinge/angle", Formula::new("0.7*sin(3*t)").unwrap()));
    let model = b.build().unwrap();
    assert_eq!(model.drive_names(), ["hinge/angle"]);
    for frame in frames(&model, 2.0, 1e-11, Output::Every(0.031)) {
        let (s, c) = (3.0 * frame.t).sin_cos();
        let [theta, rate, second] = [0.7 * s, 2.1 * c, -6.3 * s];
        let angle = only(&frame);
        near("angle", angle.value, theta, 1e-10);
        near("rate", angle.rate, rate, 1e-10);
        near("second", angle.second, second, 1e-9);
        let couple = PENDULUM * second + 2.0 * G * 0.6 * theta.sin();
        assert_eq!(frame.drives[0].drive, "hinge/angle");
        near("couple", frame.drives[0].force, couple, 1e-8);
        near("power", frame.drives[0].power, couple * rate, 2e-8);
    }
}

/// A couple that is driven is recorded as given: 0.3 cos t on a rotor turns it by 0.3 sin t / I.
#[test]
fn the_couple_of_a_driven_torque() {
    let mut b = rotor(0.0);
    b.drive(Drive::new("joint/shaft/torque", Formula::new("0.3*cos(t)").unwrap()));
    let model = b.build().unwrap();
    assert_eq!((model.drive_names(), model.force_names().len()), (vec!["shaft/torque".to_owned()], 0));
    for frame in frames(&model, 3.0, 1e-11, Output::Every(0.17)) {
        let (s, c) = frame.t.sin_cos();
        near("couple", frame.drives[0].force, 0.3 * c, 1e-13);
        near("power", frame.drives[0].power, 0.3 * c * 0.3 * s / 0.2, 1e-9);
        near("angle", only(&frame).value, 0.3 * (1.0 - c) / 0.2, 1e-9);
        near("second", only(&frame).second, 0.3 * c / 0.2, 1e-12);
    }
}

/// A damped spring at a point off the centre of mass: length and tension by the places of its ends, and the balance of
/// forces on the body.
#[test]
fn a_spring_is_recorded() {
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]).body(Body::fixed("wall"));
    let block = Body::new("block").mass(1.5).inertia([0.1; 3]).position([0.0, 0.0, -0.5]);
    b.body(block.velocity([0.2, 0.0, 0.0]));
    let law = || SpringDamper::new(60.0, 0.3).unwrap().damping(2.0);
    b.force(Force::between("block", "wall", law()).points([0.1, 0.0, 0.0], [0.0; 3]).named("spring"));
    b.force(Force::between("wall", "block", law()));
    let model = b.build().unwrap();
    let names: Vec<String> = model.force_names().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["spring", "force/wall~block"]);
    let suffixes: Vec<&str> = model.force_names()[0].1.iter().map(|c| c.0).collect();
    assert_eq!(suffixes, ["fx", "fy", "fz", "mx", "my", "mz", "length", "rate", "tension", "power"]);
    for frame in frames(&model, 1.0, 1e-10, Output::Every(0.07)) {
        let body = &frame.bodies[0];
        let arm = body.orientation * Vec3::new(0.1, 0.0, 0.0);
        let (p, v) = (body.position + arm, body.velocity + body.angular_velocity.cross(&arm));
        let line = frame.forces[0].line.unwrap();
        let (length, rate) = (p.norm(), p.dot(&v) / p.norm());
        near("length", line.length, length, 1e-15);
        near("rate", line.rate, rate, 1e-14);
        let tension = 60.0 * (length - 0.3) + 2.0 * rate;
        near("tension", line.tension, tension, 1e-12);
        near("power", frame.forces[0].power, -tension * rate, 1e-12);
        let force = -p / length * tension;
        near("force", (frame.forces[0].on_first - force).norm(), 0.0, 1e-12);
        near("couple", (frame.forces[0].couple - arm.cross(&force)).norm(), 0.0, 1e-13);
        // the other one has the wall as its first body, and the block's centre as its end there
        let other = &frame.forces[1];
        let tension = other.line.unwrap().tension;
        near("on the wall", (other.on_first - body.position.normalize() * tension).norm(), 0.0, 1e-12);
    }
}

/// A motor M₀ − c ω on a rotor: its effort, its power and its work, which is the integral of the power and the change of
/// the kinetic energy; and the ledger has the same work.
#[test]
fn the_work_of_a_motor() {
    let mut b = rotor(0.0);
    b.force(Force::motor("shaft", Motor::new("3 - 0.5*shaft.rate").unwrap()).named("engine"));
    let model = b.build().unwrap();
    for frame in frames(&model, 4.0, 1e-12, Output::Every(0.19)) {
        let ForceRecord { couple, effort, power, work, .. } = &frame.forces[0];
        // ω = ω∞ (1 − e), e = exp(−c t/I), and ∫ M ω dt = ½ I ω²
        let e = (-0.5 * frame.t / 0.2).exp();
        let omega = 6.0 * (1.0 - e);
        near("effort", effort.unwrap().value, 3.0 * e, 1e-10);
        assert_eq!(effort.unwrap().quantity, Quantity::Torque);
        near("couple", couple.z, 3.0 * e, 1e-10);
        near("power", *power, 3.0 * e * omega, 1e-9);
        near("work", work.unwrap(), 0.5 * 0.2 * omega * omega, 1e-9);
        near("ledger", work.unwrap(), frame.energy.work, 1e-14);
        near("kinetic energy", work.unwrap(), frame.energy.kinetic, 1e-9);
    }
}

/// An actuator that shortens and a load: their works by themselves, whose sum is the work of the ledger.
#[test]
fn works_add_up_to_the_ledger() {
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]).body(Body::fixed("wall").position([2.0, 0.0, 0.0]));
    b.body(Body::new("block").mass(1.5).inertia([0.1; 3]));
    b.force(Force::acting("block", "wall", Actuator::new("4 + t").unwrap().into()).named("winch"));
    b.force(Force::on("block", ExternalLoad::default().force_by(["-1", "0", "0"]).unwrap()).named("push"));
    let model = b.build().unwrap();
    for frame in frames(&model, 0.6, 1e-12, Output::Every(0.05)) {
        // 1.5 ẍ = 3 + t
        let t = frame.t;
        let (x, v) = ((1.5 * t * t + t.powi(3) / 6.0) / 1.5, (3.0 * t + 0.5 * t * t) / 1.5);
        let [winch, push] = &frame.forces[..] else { panic!("{:?}", frame.forces) };
        near("length", winch.line.unwrap().length, 2.0 - x, 1e-11);
        near("rate", winch.line.unwrap().rate, -v, 1e-11);
        near("tension", winch.line.unwrap().tension, 4.0 + t, 1e-14);
        near("power", winch.power, (4.0 + t) * v, 1e-10);
        near("push", push.work.unwrap(), -x, 1e-11);
        near("sum", winch.work.unwrap() + push.work.unwrap(), frame.energy.work, 1e-13);
        near("kinetic energy", frame.energy.work, 0.5 * 1.5 * v * v, 1e-11);
    }
}

/// Springs along a coordinate: their effort is the generalised force, and a hinge counts the turns that wind them up.
#[test]
fn the_effort_of_a_torsion_spring() {
    let mut b = rotor(30.0);
    b.force(Force::torsion("shaft", CoordinateSpring::new(0.8).unwrap()).named("coil"));
    let model = b.build().unwrap();
    let omega = (0.8f64 / 0.2).sqrt();
    for frame in frames(&model, 5.0, 1e-12, Output::Every(0.13)) {
        let theta = 30.0 / omega * (omega * frame.t).sin();
        near("angle", only(&frame).value, theta, 1e-9);
        near("effort", frame.forces[0].effort.unwrap().value, -0.8 * theta, 1e-9);
        near("power", frame.forces[0].power, -0.8 * theta * only(&frame).rate, 1e-7);
    }
}

/// The two angles of a universal joint, of which one turns many times.
#[test]
fn a_universal_joint_has_two_angles() {
    let mut b = ModelBuilder::new();
    let shaft = Body::new("shaft").mass(1.0).inertia([0.3, 0.2, 0.2]).angular_velocity([0.0, 0.0, 12.0]);
    b.gravity([0.0; 3]).body(Body::fixed("ground")).body(shaft);
    let cross = Joint::between("shaft", "ground", Universal).at([0.0; 3]);
    b.joint(cross.axis([0.0, 0.0, 1.0]).second_axis([0.0, 1.0, 0.0]).named("cross"));
    let model = b.build().unwrap();
    let names: Vec<&str> = model.joint_coordinates().map(|(_, c)| c.names.name).collect();
    assert_eq!(names, ["angle", "second_angle"]);
    for frame in frames(&model, 4.0, 1e-10, Output::Every(0.11)) {
        near("angle", frame.coordinates[0].value, 12.0 * frame.t, 1e-7);
        near("second angle", frame.coordinates[1].value, 0.0, 1e-7);
    }
}
