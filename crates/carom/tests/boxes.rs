//! Boxes and rods that fall, stand and knock against each other.

use std::f64::consts::FRAC_PI_4;

use crate::common::{close, near};
use carom::geometry::surfaces::Capsule;
use carom::law::friction::ElastoPlastic;
use carom::prelude::{
    Body, ContactRule, Cuboid, Dof, Flores, Hertz, HuntCrossley, Model, ModelBuilder, Plane, Quat, Recording,
    Simulation, SurfaceSpec, Vec3,
};

const G: f64 = 9.81;

fn cube(name: &str, mass: f64, size: [f64; 3]) -> Body {
    Body::new(name).mass(mass).surface(Cuboid::new(size).unwrap())
}

fn yawed(angle: f64) -> Quat {
    Quat::from_axis_angle(&Vec3::z_axis(), angle)
}

/// Bristles that hold.
fn bristles() -> ElastoPlastic {
    ElastoPlastic::new(0.4, 0.5, 0.01, 1e5).unwrap().damping(150.0)
}

/// Three boxes stand for ten seconds: in line, and askew and shifted.
#[test]
fn a_stack_of_three_stands() {
    let places = [
        [(0.0, 0.0, 0.0); 3],
        [(0.0, 0.0, 0.0), (0.02, 0.013, 0.5), (-0.01, 0.005, FRAC_PI_4)],
        [(0.0, 0.0, 0.3), (0.03, 0.0, 0.3), (0.045, 0.0, 0.3)],
    ];
    for at in places {
        let mut b = ModelBuilder::new();
        for (i, (x, y, yaw)) in at.into_iter().enumerate() {
            let z = 0.05 + 0.1 * i as f64 + 1e-5 * (i + 1) as f64;
            b.body(
                cube(["one", "two", "three"][i], 1.0, [0.1; 3]).position([x, y, z]).orientation(yawed(yaw)),
            );
        }
        b.body(Body::fixed("floor").surface(Plane));
        let law = HuntCrossley::damping(100.0).unwrap().stiffness(1e7);
        b.contact(ContactRule::between("*", "*").normal(law).friction(bristles()));
        let mut r = Recording::default();
        let model = b.build().unwrap();
        let run =
            Simulation::new(&model).duration(12.0).output_every(1.0).rtol(1e-9).run_into(&mut r).unwrap();
        // settled after two seconds
        for body in 0..3 {
            let x = |i: usize| r.frames[i].bodies[body].position;
            (3..=12).for_each(|i| near(&format!("{at:?}: drift of {body}"), (x(i) - x(2)).norm(), 0.0, 1e-9));
        }
        // each pair carries what stands on it
        let load: f64 = run.end.frame.contacts.iter().map(|c| c.f_n * c.normal.z.abs()).sum();
        close("loads", load, (1.0 + 2.0 + 3.0) * G, 1e-5);
        assert!(run.summary.audit_relative < 1e-8, "{}", run.summary);
    }
}

/// A box dropped flat, on an edge and on a corner, on a floor and on another free box, keeps its energy.
#[test]
fn a_box_dropped_keeps_its_energy() {
    let falls = [
        ("flat", Quat::identity(), [0.01, 0.02]),
        ("on an edge", Quat::from_axis_angle(&Vec3::x_axis(), 0.6), [0.01, 0.02]),
        ("on a corner", Quat::from_euler_angles(0.7, 0.5, 0.3), [0.01, 0.02]),
        ("edge on edge", Quat::from_euler_angles(0.7, 0.0, 0.4), [0.148, 0.0]),
    ];
    for (what, turn, [x, y]) in falls {
        for base in [false, true] {
            let mut b = ModelBuilder::new();
            let z = if base { 0.25 } else { 0.15 };
            b.body(cube("brick", 1.0, [0.1, 0.08, 0.06]).position([x, y, z]).orientation(turn));
            if base {
                b.body(cube("base", 5.0, [0.3, 0.2, 0.1]).position([0.0, 0.0, 0.05]));
            }
            b.body(Body::fixed("floor").surface(Plane));
            b.contact(ContactRule::between("*", "*").normal(Hertz::new().stiffness(1e8)));
            let run = Simulation::new(&b.build().unwrap()).duration(0.6).rtol(1e-11).run().unwrap();
            assert!(run.summary.touches > 0, "{what}");
            assert!(run.summary.audit_relative < 1e-8, "{what}, base {base}: {}", run.summary);
        }
    }
}

/// Two free boxes that meet keep momentum, angular momentum and, without damping, energy; with it the ledger closes.
#[test]
fn boxes_that_meet_keep_their_momenta() {
    for damped in [false, true] {
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]);
        let turn = Quat::from_euler_angles(0.3, 0.9, -0.4);
        b.body(
            cube("one", 1.0, [0.1, 0.2, 0.05]).velocity([1.0, 0.1, 0.0]).angular_velocity([3.0, -1.0, 2.0]),
        );
        b.body(cube("two", 2.0, [0.1, 0.12, 0.2]).position([0.3, 0.02, 0.03]).orientation(turn));
        let rule = ContactRule::between("one", "two");
        let rule = if damped {
            rule.normal(Flores::restitution(0.6).unwrap().stiffness(1e8))
        } else {
            rule.normal(Hertz::new().stiffness(1e8))
        };
        b.contact(rule);
        let model = b.build().unwrap();
        let mut r = Recording::default();
        let run =
            Simulation::new(&model).duration(0.5).output_every(0.5).rtol(1e-11).run_into(&mut r).unwrap();
        assert!(run.summary.touches > 0);
        let inertia = |d: [f64; 3], m: f64| {
            Vec3::new(d[1] * d[1] + d[2] * d[2], d[0] * d[0] + d[2] * d[2], d[0] * d[0] + d[1] * d[1])
                * (m / 12.0)
        };
        let parts = [(1.0, inertia([0.1, 0.2, 0.05], 1.0)), (2.0, inertia([0.1, 0.12, 0.2], 2.0))];
        let momenta = |i: usize| {
            let mut p = (Vec3::zeros(), Vec3::zeros());
            for ((m, inertia), body) in parts.iter().zip(&r.frames[i].bodies) {
                let local = body.orientation.inverse() * body.angular_velocity;
                p.0 += body.velocity * *m;
                p.1 += body.position.cross(&body.velocity) * *m
                    + body.orientation * inertia.component_mul(&local);
            }
            p
        };
        let (start, end) = (momenta(0), momenta(r.frames.len() - 1));
        near("momentum", (start.0 - end.0).norm(), 0.0, 1e-13);
        near("angular momentum", (start.1 - end.1).norm(), 0.0, 1e-11);
        assert!(run.summary.audit_relative < 1e-9, "{}", run.summary);
    }
}

/// A box shaken about in a box stays there, and keeps its energy.
#[test]
fn a_box_in_a_box_stays_there() {
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    b.body(
        cube("die", 0.1, [0.03, 0.04, 0.05]).velocity([1.0, 0.7, 0.4]).angular_velocity([20.0, 5.0, -9.0]),
    );
    b.body(Body::fixed("room").surface(SurfaceSpec::new(Cuboid::new([0.2, 0.2, 0.2]).unwrap()).inside()));
    b.contact(ContactRule::between("die", "room").normal(Hertz::new().stiffness(1e8)));
    let run = Simulation::new(&b.build().unwrap()).duration(1.0).rtol(1e-11).run().unwrap();
    assert!(run.summary.touches > 5, "{}", run.summary);
    assert!(run.end.body("die").unwrap().position.amax() < 0.1);
    assert!(run.summary.audit_relative < 1e-8, "{}", run.summary);
}

/// A soft box that falls with an edge across the edge of another goes in many times as deep as edges are rounded: as deep as the energy of the law says, and out again as fast. (No other corner is in reach.)
#[test]
fn edges_meet_far_deeper_than_they_are_round() {
    let (mass, k, v) = (0.2, 1e5, 2.0);
    let model = |damping: f64, inertia: f64, dofs: &[Dof]| {
        let mut b = ModelBuilder::new();
        b.gravity([0.0; 3]);
        let across = yawed(2.0 * FRAC_PI_4) * Quat::from_axis_angle(&Vec3::x_axis(), FRAC_PI_4);
        let ridge = Quat::from_axis_angle(&Vec3::x_axis(), FRAC_PI_4);
        let high = 0.1 * 2f64.sqrt() + 1e-4;
        let die = cube("die", mass, [0.1; 3]).inertia([inertia; 3]).velocity([0.0, 0.0, -v]).dofs(dofs);
        b.body(die.position([0.03, 0.033, high]).orientation(across));
        b.body(Body::fixed("bar").surface(Cuboid::new([0.1; 3]).unwrap()).orientation(ridge));
        let law = HuntCrossley::damping(damping).unwrap().stiffness(k);
        b.contact(ContactRule::between("die", "bar").normal(law));
        b.build().unwrap()
    };
    let (upright, all) = ([Dof::Z], Dof::ALL.map(|(_, dof)| dof));
    for method in ["dop853", "radau5", "auto"] {
        let run =
            |model: &Model| Simulation::new(model).duration(0.05).method(method).rtol(1e-11).run().unwrap();
        let elastic = run(&model(0.0, 1e-3, &upright));
        close("rebound", elastic.end.body("die").unwrap().velocity.z, v, 1e-9);
        // δ = (5/4 m v²/K)^(2/5), 10 times the radius of the edges
        close("depth", elastic.summary.max_indentation, (1.25 * mass * v * v / k).powf(0.4), 1e-8);
        // with damping, and free to turn
        for model in [model(0.4, 1e-3, &upright), model(0.0, 3e-4, &all), model(0.4, 3e-4, &all)] {
            let summary = run(&model).summary;
            assert!(summary.touches > 0 && summary.audit_relative < 1e-9, "{method}: {summary}");
            assert!(!summary.to_string().contains("surfaces overlapped"), "{method}: {summary}");
        }
    }
}

/// A rod that falls across another rebounds as a ball of its stiffness and mass would: both ends carry half.
#[test]
fn crossed_rods_share_one_contact() {
    let (mass, k, v) = (0.5, 1e8, 0.7);
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    let rod = || Capsule::new(0.02, 0.2).unwrap();
    let across = Quat::from_axis_angle(&Vec3::y_axis(), 2.0 * FRAC_PI_4);
    b.body(
        Body::new("rod")
            .mass(mass)
            .inertia([1e-3; 3])
            .surface(rod())
            .velocity([0.0, -v, 0.0])
            .position([0.0, 0.05, 0.0]),
    );
    b.body(Body::fixed("bar").surface(rod()).orientation(across));
    b.contact(ContactRule::between("rod", "bar").normal(Hertz::new().stiffness(k)));
    let run = Simulation::new(&b.build().unwrap()).duration(0.05).rtol(1e-11).run().unwrap();
    let end = run.end.body("rod").unwrap();
    close("rebound", end.velocity.y, v, 1e-9);
    // δ = (5/4 m v²/K)^(2/5)
    close("depth", run.summary.max_indentation, (1.25 * mass * v * v / k).powf(0.4), 1e-8);
}

/// Half sizes of a block that rocks in a plane [m], and the radius of the crown, ℓ/κ [m].
const ROCKING: [f64; 2] = [0.05, 0.03];
const CROWN: f64 = ROCKING[0] / 1e-4;
const MASS: f64 = 0.4;
const INERTIA: f64 = 5e-4;
const STIFFNESS: f64 = 1e5;

/// Height, angle and their rates of the block over a table, and the rates of these: each corner's point is where the crown is lowest, between the corner and the far end of its half.
fn rocking([z, angle, w_z, w]: [f64; 4]) -> [f64; 4] {
    let (sin, cos) = angle.sin_cos();
    let (mut force, mut moment) = (0.0, 0.0);
    for side in [1.0, -1.0] {
        // about y, x turns towards −z
        let corner =
            [side * ROCKING[0] * cos - ROCKING[1] * sin, z - side * ROCKING[0] * sin - ROCKING[1] * cos];
        let inwards = [-side * cos, side * sin];
        let s = (-inwards[1] * CROWN).clamp(0.0, ROCKING[0]);
        let [x, height] = [0, 1].map(|i| corner[i] + s * inwards[i]);
        let delta = -height - 0.5 * s * s / CROWN;
        // (two points, before and behind)
        let push = 2.0 * STIFFNESS * delta.max(0.0).powf(1.5);
        force += push;
        moment -= x * push;
    }
    [w_z, w, force / MASS - G, moment / INERTIA]
}

/// A block rocks on a table across the tilts at which its contact points begin and cease to slide, as by a small program of its own with steps of a tenth of a microsecond;
/// and as steps end there, few are refused.
#[test]
fn a_block_rocks_as_by_hand() {
    let depth = (0.25 * MASS * G / STIFFNESS).powf(2.0 / 3.0);
    let (start, end) = ([0.03 - depth, 2e-5, 0.0, 0.02], 0.04);
    // (across upright, and across the tilts at which points have gone their whole way)
    let piece = |angle: f64| (angle > 0.0, angle.abs() > 1e-4);
    let (mut y, mut kinks, steps) = (start, 0, 400_000);
    let h = end / f64::from(steps);
    for _ in 0..steps {
        let add = |k: [f64; 4], h: f64| [0, 1, 2, 3].map(|i| y[i] + h * k[i]);
        let k1 = rocking(y);
        let k2 = rocking(add(k1, 0.5 * h));
        let k3 = rocking(add(k2, 0.5 * h));
        let k4 = rocking(add(k3, h));
        let before = piece(y[1]);
        y = [0, 1, 2, 3].map(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]));
        kinks += usize::from(piece(y[1]) != before);
    }
    for method in ["dop853", "ode45", "auto", "radau5", "ode113"] {
        let mut b = ModelBuilder::new();
        let block = Body::new("block").mass(MASS).inertia([INERTIA; 3]);
        let block = block.surface(Cuboid::new([0.1, 0.08, 0.06]).unwrap()).position([0.0, 0.0, start[0]]);
        let block = block.orientation(Quat::from_axis_angle(&Vec3::y_axis(), start[1]));
        b.body(block.angular_velocity([0.0, start[3], 0.0]));
        b.body(
            Body::fixed("table").surface(Cuboid::new([0.4, 0.4, 0.1]).unwrap()).position([0.0, 0.0, -0.05]),
        );
        b.contact(ContactRule::between("block", "table").normal(Hertz::new().stiffness(STIFFNESS)));
        let model = b.build().unwrap();
        let run = Simulation::new(&model).duration(end).method(method).rtol(1e-10).run().unwrap();
        let body = &run.end.frame.bodies[0];
        assert!((body.position[2] - y[0]).abs() < 1e-11, "{method}: {} {}", body.position[2], y[0]);
        assert!(
            (body.angular_velocity[1] - y[3]).abs() < 1e-8,
            "{method}: {} {}",
            body.angular_velocity[1],
            y[3]
        );
        assert!(run.summary.audit_relative < 1e-9, "{method}: {:e}", run.summary.audit_relative);
        let stats = run.summary.stats;
        assert!(kinks > 5 && stats.events >= kinks, "{method}: {kinks} kinks, {stats:?}");
        assert!(method == "ode113" || 5 * stats.rejected < stats.steps, "{method}: {stats:?}");
    }
}
