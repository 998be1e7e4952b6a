//! Pressure over patches in the layer below the surface of a mesh.

use std::time::Instant;

use carom_base::{Pose, Quat, Vec3};
use carom_geometry::pairs::{self, pressure::Pressure};
use carom_geometry::surfaces::{Cuboid, Plane, Sphere, Torus};
use carom_geometry::{BoundPair, Shape};

use crate::common::meshes::{angle_piece, ball, brick, mesh, moved, torus};
use crate::pressure::{bound, load, points, slope, stored};

fn shape(triangles: &[[[f64; 3]; 3]]) -> Shape {
    Shape::outside(mesh(triangles))
}

/// Two places of B in A = `angle_piece` etc., and the names of what is there.
fn pairs_of_solids() -> Vec<(&'static str, Shape, Shape, Pose)> {
    let turn = Quat::from_euler_angles(0.2, -0.1, 0.4);
    let angle = shape(&angle_piece());
    let at = |x: f64, y: f64, z: f64| Pose::new(Vec3::new(x, y, z), &turn);
    let ring = shape(&torus(0.5, 0.15, 24, 12));
    vec![
        ("plane", angle.clone(), Shape::outside(Plane), Pose::new(Vec3::new(0.0, 0.0, 0.03), &turn)),
        ("box", angle.clone(), Shape::outside(Cuboid::new([0.9, 0.8, 0.7]).unwrap()), at(1.5, 1.4, 0.6)),
        ("ball", angle.clone(), Shape::outside(Sphere::new(0.5).unwrap()), at(1.48, 1.47, 0.6)),
        ("mesh", angle.clone(), shape(&brick([-0.45, -0.4, -0.35], [0.45, 0.4, 0.35])), at(1.5, 1.4, 0.6)),
        ("angles", angle, shape(&moved(&angle_piece(), [-0.2, -0.2, -0.2])), at(1.3, 1.25, 0.6)),
        (
            "rings",
            ring.clone(),
            shape(&torus(0.5, 0.15, 20, 10)),
            Pose::new(Vec3::new(0.22, 0.03, 0.02), &Quat::from_euler_angles(1.2, 0.2, 0.1)),
        ),
        (
            "torus",
            ring,
            Shape::outside(Torus::new(0.5, 0.15).unwrap()),
            Pose::new(Vec3::new(0.22, 0.03, 0.02), &Quat::from_euler_angles(1.2, 0.2, 0.1)),
        ),
    ]
}

#[test]
fn probe() {
    for (name, a, b, x_b) in pairs_of_solids() {
        for weights in [[1.0, 0.0], [0.0, 1.0]] {
            if name != "angles" && name != "rings" && weights[1] > 0.0 { continue; }
            let solver = Pressure::new(weights).unwrap();
            let pair = pairs::bind_by(&solver, &a, &b).unwrap();
            let x = Pose::identity();
            let mut v = Vec::new();
            if let Err(e) = pair.patch().unwrap().points(&x, &x_b, &mut v) { println!("{name} {weights:?} {e}"); continue; }
            let (f, t) = load(&v);
            let u = stored(&*pair, &x, &x_b);
            let start = Instant::now();
            for _ in 0..20 { pair.patch().unwrap().points(&x, &x_b, &mut v).unwrap(); }
            let el = start.elapsed() / 20;
            print!("{name} {weights:?} {} points {el:?} f {f:?} u {u:e} ", v.len());
            for k in 0..3 {
                let e = Vec3::ith(k, 1.0);
                let s = -slope(&*pair, &x, &x_b, &e, &Vec3::zeros(), 1e-4);
                let r = -slope(&*pair, &x, &x_b, &Vec3::zeros(), &e, 1e-4);
                print!(" {:.1e} {:.1e}", (s - f[k]) / f.norm(), (r - t[k]) / f.norm());
            }
            println!();
        }
    }
}
