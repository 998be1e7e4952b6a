//! Loads on one body: on rigid bodies and on those that deform.

use carom_base::{Quat, Vec3};
use carom_geometry::Shape;
use carom_geometry::surfaces::Cuboid;

use super::affine::{materials, soft};
use super::{compare, lopsided, trial_state};
use carom::{
    Actuator, Attraction, Body, Drag, ExternalLoad, Force, Joint, ModelBuilder, Motor, NonlinearSpring,
    Revolute, UserLoad,
};

#[test]
fn every_load_on_every_body() {
    let thrust = ExternalLoad::force([2.0, -3.0, 1.5]).torque([0.3, 0.7, -0.4]);
    let by_state = ExternalLoad::default()
        .force_by([
            "-3*body.x*body.vy + sin(t)",
            "abs(body.v)*body.wz - 2*body.z^2",
            "max(body.y, 2) + body.w",
        ])
        .and_then(|load| load.torque_by(["tanh(body.wx)", "body.vx", "if(body.z > 0, body.x*body.wy, 3)"]))
        .unwrap();
    let own = UserLoad::new(|_, body| {
        let drawn = body.position * -3.0 - body.velocity * 0.7;
        [drawn, body.angular_velocity * -0.2 + body.axes.column(1) * 0.5]
    });
    let loads = [
        ("a force", Force::on("body", thrust.clone()).at([0.5, -0.1, 1.4])),
        ("a force that turns", Force::on("body", thrust.clone().turning_with_body()).at([0.5, -0.1, 1.4])),
        ("a force by the state", Force::on("body", by_state.clone()).at([0.5, -0.1, 1.4])),
        ("it turns", Force::on("body", by_state.turning_with_body()).at([0.5, -0.1, 1.4])),
        (
            "gravity towards a point",
            Force::on("body", Attraction::new(3.0).unwrap().centre([0.1, 2.0, -1.0])),
        ),
        ("drag", Force::on("body", Drag::linear(0.4).quadratic(0.6).turning(0.3))),
        ("a load by a function", Force::on("body", own)),
    ];
    let shape = Shape::outside(Cuboid::new([0.6, 0.8, 0.5]).unwrap());
    let (at, turn) = (Vec3::new(0.2, -0.3, 1.1), Quat::from_euler_angles(0.3, -0.4, 0.2));
    let mut bodies = vec![("rigid", lopsided("body", &shape, at, turn, -1.0))];
    bodies.extend(materials().map(|elastic| ("soft", soft("body", &shape, at, turn, &elastic))));
    for (load, force) in &loads {
        for (kind, body) in &bodies {
            let mut b = ModelBuilder::new();
            b.body(body.clone()).force(force.clone());
            let model = b.build().unwrap();
            let mut equations = model.equations().unwrap();
            let y = trial_state(&mut equations);
            let (entries, corners) = compare(&mut equations, &y, &format!("{load}, {kind}"));
            assert!(entries > 0 && corners == 0, "{load}, {kind}: {corners} corners");
        }
    }
}

/// Motors and actuators that depend on bodies which they do not load: columns of those bodies too.
#[test]
fn loads_by_other_bodies() {
    let motor = |text: &str| Force::motor("pin", Motor::new(text).unwrap());
    let actuator = |text: &str| {
        Force::acting("arm", "far", Actuator::new(text).unwrap().into())
            .points([0.1, 0.2, 0.0], [0.0, 0.1, 0.3])
    };
    let spring = || NonlinearSpring::new("30*(x - 0.5)^3 + 2*rate*abs(rate)", 0.5).unwrap();
    let forces = [
        ("a motor by its joint", motor("-3*pin.angle - 0.4*pin.rate + 2*sin(t)")),
        ("a motor by another body", motor("far.x*pin.rate - 0.3*far.vz*far.wx")),
        ("an actuator", actuator("20*(length - 0.4) + 3*rate*far.y - pin.angle")),
        (
            "a nonlinear spring",
            Force::between("arm", "far", spring()).points([0.1, 0.2, 0.0], [0.0, 0.1, 0.3]),
        ),
        (
            "a nonlinear torsion",
            Force::torsion("pin", NonlinearSpring::new("3*sin(x) + 2*rate^3", 0.0).unwrap()),
        ),
    ];
    let shape = Shape::outside(Cuboid::new([0.6, 0.8, 0.5]).unwrap());
    let (at, turn) = (Vec3::new(0.9, -0.3, 1.1), Quat::from_euler_angles(0.3, -0.4, 0.2));
    let mut far = vec![("rigid", lopsided("far", &shape, at, turn, -1.0))];
    far.extend(materials().map(|elastic| ("soft", soft("far", &shape, at, turn, &elastic))));
    for (name, force) in &forces {
        for (kind, far) in &far {
            let mut b = ModelBuilder::new();
            let (at, turn) = (Vec3::new(0.2, 0.1, 0.0), Quat::from_euler_angles(0.1, 0.0, 0.0));
            b.body(lopsided("arm", &shape, at, turn, -1.0)).body(Body::fixed("wall")).body(far.clone());
            b.joint(Joint::between("arm", "wall", Revolute).named("pin").at([0.0; 3]).axis([0.3, 1.0, 0.2]));
            b.force(force.clone());
            let model = b.build().unwrap();
            let mut equations = model.equations().unwrap();
            let y = trial_state(&mut equations);
            let (entries, corners) = compare(&mut equations, &y, &format!("{name}, {kind}"));
            assert!(entries > 0 && corners == 0, "{name}, {kind}: {corners} corners");
        }
    }
}
