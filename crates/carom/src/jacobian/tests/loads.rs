//! Loads on one body: on rigid bodies and on those that deform.

use carom_base::{Quat, Vec3};
use carom_geometry::Shape;
use carom_geometry::surfaces::Cuboid;

use super::affine::{materials, soft};
use super::{compare, lopsided, trial_state};
use crate::system::System;
use crate::{Drag, ExternalLoad, Force, ModelBuilder, UserLoad};

#[test]
fn every_load_on_every_body() {
    let thrust = ExternalLoad::force([2.0, -3.0, 1.5]).torque([0.3, 0.7, -0.4]);
    let own = UserLoad::new(|_, body| {
        let drawn = body.position * -3.0 - body.velocity * 0.7;
        [drawn, body.angular_velocity * -0.2 + body.axes.column(1) * 0.5]
    });
    let loads = [
        ("a force", Force::on("body", thrust.clone()).at([0.5, -0.1, 1.4])),
        ("a force that turns", Force::on("body", thrust.turning_with_body()).at([0.5, -0.1, 1.4])),
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
            let mut system = System::new(&model, true, 1.0).unwrap();
            let y = trial_state(&mut system);
            let (entries, corners) = compare(&mut system, &y, &format!("{load}, {kind}"));
            assert!(entries > 0 && corners == 0, "{load}, {kind}: {corners} corners");
        }
    }
}
