//! Pressure over patches in the layer below the surface of a mesh: closed forms, convergence, and forces as derivatives of the energy.

use std::time::Instant;

use carom_base::{Pose, Quat, Vec3};
use carom_geometry::pairs::{self, pressure::Pressure};
use carom_geometry::surfaces::{Cuboid, Cylinder, Plane, Sphere, Torus};
use carom_geometry::{BoundPair, Shape, Side};
use carom_testkit::{allocations_of, one_in};

use crate::common::meshes::{angle_piece, ball, brick, mesh, moved, torus};
use crate::pressure::{bound, load, points, stored};

fn shape(triangles: &[[[f64; 3]; 3]]) -> Shape {
    Shape::outside(mesh(triangles))
}

/// An L whose top is at z = 0: the depth in it is that in a mesh, for it is hollow.
fn angle() -> Shape {
    shape(&moved(&angle_piece(), [-0.5, -0.5, -1.0]))
}

const HERE: Pose = Pose {
    p: Vec3::new(0.0, 0.0, 0.0),
    r: carom_base::Mat3::new(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0),
};

#[test]
fn a_flat_punch_has_its_closed_form() {
    let (l, w, delta) = (0.2, 0.1, 1e-3);
    let at = Pose::new(Vec3::new(0.03, -0.02, 0.025 - delta), &Quat::from_scaled_axis(Vec3::z() * 0.3));
    let half = [0.5 * l, 0.5 * w, 0.025];
    let blocks = [Shape::outside(Cuboid::new([l, w, 0.05]).unwrap()), shape(&brick(half.map(|x| -x), half))];
    for (block, weights) in blocks.iter().flat_map(|b| [[1.0, 0.0], [0.3, 0.7]].map(|w| (b, w))) {
        let pair = bound(weights, &angle(), block);
        let (force, torque) = load(&points(&*pair, &HERE, &at));
        // as in a plane, but what the block yields is less near its rim
        let in_block = l * w * delta - (l + w) * delta.powi(2) + 4.0 / 3.0 * delta.powi(3);
        let f = weights[0] * l * w * delta + weights[1] * in_block;
        assert!((force - Vec3::z() * f).norm() < 1e-13 * f, "{weights:?} {force:?} {f}");
        assert!((torque - Vec3::new(-0.02, -0.03, 0.0) * f).norm() < 1e-13 * f, "{torque:?}");
        let in_block = 0.5 * l * w * delta.powi(2) - (l + w) * delta.powi(3) / 3.0 + delta.powi(4) / 3.0;
        let u = weights[0] * 0.5 * l * w * delta.powi(2) + weights[1] * in_block;
        // what the block stores is found by the work on the way out, if the other solid is hollow
        let to = if weights[1] > 0.0 { 1e-9 } else { 1e-12 };
        assert!((stored(&*pair, &HERE, &at) / u - 1.0).abs() < to, "{:e} {u:e}", stored(&*pair, &HERE, &at));
    }
    // over an edge of the L the depth is that below the nearer face: a block that covers the edge along y by the length c has lost ½ δ² w of c w δ
    let (c, x) = (0.15, -0.5);
    let pair = bound([1.0, 0.0], &angle(), &blocks[0]);
    let over = Pose::at(Vec3::new(x + c - 0.5 * l, 0.0, 0.025 - delta));
    let force = load(&points(&*pair, &HERE, &over)).0;
    // below the top by δ, but near the side as deep as the way from it: on the bottom of the block
    let f = w * (c * delta - 0.5 * delta * delta);
    assert!((force.z - f).abs() < 1e-13 * f, "{force:?} {f}");
}

/// A ball of triangles that is pressed on the L, soft or hard, and a ball that is one, in triangles.
#[test]
fn finer_triangles_come_to_the_exact_shapes_with_the_square_of_their_size() {
    let (r, delta) = (0.4, 0.04);
    let x_b = Pose::new(Vec3::z() * (r - delta), &Quat::from_euler_angles(0.3, 0.4, 0.5));
    let pi = std::f64::consts::PI;
    // all of the L yields, or all of the ball
    let closed = [pi * delta * delta * (r - delta / 3.0), pi * delta * delta * (3.0 * r - 2.0 * delta) / 3.0];
    let energies =
        [pi * delta.powi(3) * (r / 3.0 - delta / 12.0), pi * delta.powi(3) * (2.0 * r - delta) / 6.0];
    for (k, weights) in [[1.0, 0.0], [0.0, 1.0]].into_iter().enumerate() {
        let errors: Vec<[f64; 2]> = (3..6)
            .map(|times| {
                let pair = bound(weights, &angle(), &shape(&ball(r, times)));
                let force = load(&points(&*pair, &HERE, &x_b)).0;
                [force.z / closed[k] - 1.0, stored(&*pair, &HERE, &x_b) / energies[k] - 1.0]
            })
            .collect();
        for pair in errors.windows(2) {
            for i in 0..2 {
                let order = (pair[0][i] / pair[1][i]).log2();
                assert!((order - 2.0).abs() < 0.2, "{weights:?} {order} {errors:?}");
            }
        }
    }
    let sphere = Shape::outside(Sphere::new(r).unwrap());
    let error = |around: usize| {
        let solver = Pressure::new([1.0, 0.0]).unwrap().with_segments(around);
        let pair = pairs::bind_by(&solver, &angle(), &sphere).unwrap();
        load(&points(&*pair, &HERE, &x_b)).0.z / closed[0] - 1.0
    };
    let errors: Vec<f64> = [32, 64, 128].map(error).into();
    for pair in errors.windows(2) {
        assert!(((pair[0] / pair[1]).log2() - 2.0).abs() < 0.2, "{errors:?}");
    }
}

/// Pairs with a mesh, and a place of B where it overlaps A.
fn overlapping() -> Vec<(&'static str, Shape, Shape, Pose)> {
    let turn = Quat::from_euler_angles(0.2, -0.1, 0.4);
    let at = |x: f64, y: f64, z: f64| Pose::new(Vec3::new(x, y, z), &turn);
    let linked = Pose::new(Vec3::new(0.22, 0.03, 0.02), &Quat::from_euler_angles(1.2, 0.2, 0.1));
    let ring = || shape(&torus(0.5, 0.15, 24, 12));
    let cavity = Shape { side: Side::Inside, ..shape(&ball(0.8, 3)) };
    vec![
        (
            "plane",
            angle(),
            Shape::outside(Plane),
            Pose::new(Vec3::z() * -0.02, &Quat::from_euler_angles(3.1, 0.03, 0.0)),
        ),
        ("box", angle(), Shape::outside(Cuboid::new([0.9, 0.8, 0.7]).unwrap()), at(1.0, 0.9, -0.4)),
        ("ball", angle(), Shape::outside(Sphere::new(0.5).unwrap()), at(0.98, 0.97, -0.4)),
        ("cylinder", angle(), Shape::outside(Cylinder::new(0.4, 0.8).unwrap()), at(0.9, 0.86, -0.4)),
        ("deep ball", angle(), Shape::outside(Sphere::new(0.3).unwrap()), at(0.05, 0.1, -0.25)),
        ("two L", angle(), shape(&moved(&angle_piece(), [-0.2, -0.2, -0.2])), at(0.8, 0.75, -0.4)),
        ("rings", ring(), shape(&torus(0.5, 0.15, 20, 10)), linked),
        ("fine rings", ring(), shape(&torus(0.5, 0.15, 60, 30)), linked),
        ("torus", ring(), Shape::outside(Torus::new(0.5, 0.15).unwrap()), linked),
        ("in a cavity", cavity, ring(), Pose::new(Vec3::new(0.1, 0.15, 0.02), &turn)),
    ]
}

/// The work along a way with a shift `v` and a turn `w` [1 m, 1 rad], by a Gauss rule of three points on each of many parts.
fn work(pair: &dyn BoundPair, at: impl Fn(f64) -> Pose, v: &Vec3, w: &Vec3) -> f64 {
    let (parts, mut sum) = (60, 0.0);
    for k in 0..parts {
        for (node, weight) in [(-0.6f64.sqrt(), 5.0 / 18.0), (0.0, 8.0 / 18.0), (0.6f64.sqrt(), 5.0 / 18.0)] {
            let t = (k as f64 + 0.5 + 0.5 * node) / parts as f64;
            let (force, torque) = load(&points(pair, &HERE, &at(t)));
            sum += weight * (force.dot(v) + torque.dot(w)) / parts as f64;
        }
    }
    sum
}

#[test]
fn work_is_the_energy_lost() {
    for (name, a, b, x_b) in one_in(3, overlapping()) {
        for weights in [[1.0, 0.0], [0.0, 1.0]] {
            // depth is that in the mesh
            if weights[1] > 0.0 && b.surface.kind() != "mesh" {
                continue;
            }
            let pair = bound(weights, &a, &b);
            let (force, torque) = load(&points(&*pair, &HERE, &x_b));
            let energy = stored(&*pair, &HERE, &x_b);
            assert!(energy > 0.0, "{name} {weights:?}");
            // along the force and the torque, so far that a good part of the energy is lost
            let scale = 0.3 * energy / (force.norm_squared() + torque.norm_squared());
            let (v, w) = (force * scale, torque * scale);
            let at = |t: f64| screw(&v, &w, t).then(&x_b);
            let lost = energy - stored(&*pair, &HERE, &at(1.0));
            let done = work(&*pair, at, &v, &w);
            // far in there are many kinks on a long way
            let to = if name.starts_with("deep") { 1e-5 } else { 1e-9 };
            let good = lost > 0.1 * energy && (done - lost).abs() < to * energy;
            assert!(good, "{name} {weights:?}: {done:e} {lost:e} of {energy:e}");
        }
    }
}

/// Where a body with the velocity v at the origin and the angular velocity w is after a time.
fn screw(v: &Vec3, w: &Vec3, t: f64) -> Pose {
    let rate = w.norm();
    let Some(axis) = w.try_normalize(1e-300) else { return Pose::at(v * t) };
    // the axis passes through c
    let c = w.cross(v) / (rate * rate);
    let turn = Quat::from_scaled_axis(w * t);
    Pose::new(c - turn * c + axis * (axis.dot(v) * t), &turn)
}

#[test]
fn swapped_solids_have_the_opposite_force() {
    for (name, a, b, x_b) in overlapping() {
        let here = Pose::new(Vec3::new(0.3, -0.2, 0.1), &Quat::from_euler_angles(0.1, 0.7, -0.4));
        if b.surface.kind() != "mesh" {
            continue;
        }
        let there = here.then(&x_b);
        let (force, torque) = load(&points(&*bound([0.4, 0.6], &a, &b), &here, &there));
        let (back, torque_back) = load(&points(&*bound([0.6, 0.4], &b, &a), &there, &here));
        let size = force.norm();
        assert!(size > 0.0 && (force + back).norm() < 1e-14 * size, "{name} {force:?} {back:?}");
        assert!((torque + torque_back).norm() < 1e-14 * size, "{name} {torque:?} {torque_back:?}");
    }
}

/// A small ring that goes into a large solid until little of it is left outside: the energy counts what no surface passes through.
#[test]
fn a_swallowed_mesh_stores_what_its_layer_holds() {
    let pair = bound([0.0, 1.0], &angle(), &shape(&torus(0.05, 0.02, 12, 8)));
    let turn = Quat::from_euler_angles(0.3, 0.2, 0.1);
    let at = |t: f64| Pose::new(Vec3::new(0.1, 0.1, 0.05 - 0.065 * t), &turn);
    assert!(points(&*pair, &HERE, &at(0.0)).is_empty() && !points(&*pair, &HERE, &at(1.0)).is_empty());
    let energy = stored(&*pair, &HERE, &at(1.0));
    let done = work(&*pair, at, &(Vec3::z() * -0.065), &Vec3::zeros());
    assert!((done + energy).abs() < 1e-7 * energy, "{done:e} {energy:e}");
}

#[test]
fn nothing_is_allocated() {
    for (name, a, b, x_b) in overlapping() {
        let pair = bound([1.0, 0.0], &a, &b);
        let mut found = Vec::new();
        let mut go = || pair.patch().unwrap().points(&HERE, &x_b, &mut found).unwrap();
        go();
        assert_eq!(allocations_of(go), 0, "{name}");
    }
}

#[test]
#[ignore = "measures times"]
fn times() {
    for (name, a, b, x_b) in overlapping() {
        let pair = bound([1.0, 0.0], &a, &b);
        let mut found = Vec::new();
        let times = (0..100).map(|_| {
            let start = Instant::now();
            pair.patch().unwrap().points(&HERE, &x_b, &mut found).unwrap();
            start.elapsed()
        });
        println!("{name}: {:?}", times.min().unwrap());
        println!("  {} points", found.len());
    }
}
