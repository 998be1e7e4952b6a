//! Pressure over patches of meshes.

use std::time::Instant;

use carom_base::{Pose, Quat, Vec3};
use carom_geometry::surfaces::{Cuboid, Plane, Sphere, TriangleMesh};
use carom_geometry::{Shape, Side};

use crate::common::meshes::{angle_piece, ball, brick, mesh};
use crate::pressure::{bound, load, points, slope, stored};

fn shape(triangles: &[[[f64; 3]; 3]]) -> Shape {
    Shape::outside(mesh(triangles))
}

#[test]
fn a_mesh_of_a_box_is_a_box() {
    let size = [0.4, 0.3, 0.2];
    let (exact, triangles) = (
        Shape::outside(Cuboid::new(size).unwrap()),
        shape(&brick(size.map(|x| -0.5 * x), size.map(|x| 0.5 * x))),
    );
    let partners = [Shape::outside(Plane), Shape::outside(Cuboid::new([0.5, 0.4, 0.3]).unwrap())];
    let turn = Quat::from_euler_angles(0.2, -0.1, 0.4);
    let places = [Pose::at(Vec3::new(0.02, 0.01, -0.05)), Pose::at(Vec3::new(0.1, 0.05, -0.2))];
    for (partner, x_a) in partners.iter().zip(&places) {
        let x_b = Pose::new(Vec3::new(0.0, 0.0, 0.05), &turn);
        for weights in [[1.0, 0.0], [0.0, 1.0], [0.3, 0.7]] {
            let [by_box, by_mesh] = [&exact, &triangles].map(|b| {
                let pair = bound(weights, partner, b);
                (load(&points(&*pair, x_a, &x_b)), stored(&*pair, x_a, &x_b))
            });
            let f = by_box.0.0.norm();
            assert!((by_box.0.0 - by_mesh.0.0).norm() < 1e-13 * f, "{weights:?} {by_box:?} {by_mesh:?}");
            assert!((by_box.0.1 - by_mesh.0.1).norm() < 1e-13 * f);
            assert!((by_box.1 / by_mesh.1 - 1.0).abs() < 1e-12, "{by_box:?} {by_mesh:?}");
        }
    }
}

#[test]
fn finer_meshes_of_a_ball_come_to_it_with_the_square_of_their_size() {
    let (r, delta) = (0.5, 0.05);
    let x_b = Pose::new(Vec3::z() * (r - delta), &Quat::from_euler_angles(0.3, 0.4, 0.5));
    let force = |b: &Shape| {
        load(&points(&*bound([1.0, 0.0], &Shape::outside(Plane), b), &Pose::identity(), &x_b)).0.z
    };
    let exact = force(&Shape::outside(Sphere::new(r).unwrap()));
    let errors: Vec<f64> = (3..7).map(|times| force(&shape(&ball(r, times))) / exact - 1.0).collect();
    for pair in errors.windows(2) {
        let order = (pair[0] / pair[1]).log2();
        assert!((order - 2.0).abs() < 0.15, "{errors:?}");
    }
}

#[test]
fn a_hollow_mesh_on_a_box_is_conservative() {
    let (angle, block) = (shape(&angle_piece()), Shape::outside(Cuboid::new([0.9, 0.8, 0.7]).unwrap()));
    // the block in the hollow edge, with a corner in each wall
    let x_b = Pose::new(Vec3::new(1.4, 1.3, 0.6), &Quat::from_euler_angles(0.2, -0.1, 0.4));
    // A's surface in the block: exact
    let pair = bound([0.0, 1.0], &angle, &block);
    let (force, torque) = load(&points(&*pair, &Pose::identity(), &x_b));
    for k in 0..3 {
        let e = Vec3::ith(k, 1.0);
        let by_shift = -slope(&*pair, &Pose::identity(), &x_b, &e, &Vec3::zeros(), 1e-4);
        let by_turn = -slope(&*pair, &Pose::identity(), &x_b, &Vec3::zeros(), &e, 1e-4);
        assert!((by_shift - force[k]).abs() < 1e-6 * force.norm(), "{by_shift} {force:?}");
        assert!((by_turn - torque[k]).abs() < 1e-6 * force.norm(), "{by_turn} {torque:?}");
    }
    // B's surface in the mesh: against a sum over small squares of distances, from which the depth differs within the hollow edge alone
    let pair = bound([1.0, 0.0], &angle, &block);
    let force = load(&points(&*pair, &Pose::identity(), &x_b)).0;
    let project = angle.surface.as_project().unwrap();
    let (half, n, mut sum) = (Vec3::new(0.45, 0.4, 0.35), 200, Vec3::zeros());
    for (axis, sign, k) in
        (0..3).flat_map(|i| [1.0, -1.0].map(|s| (i, s))).flat_map(|(i, s)| (0..n * n).map(move |k| (i, s, k)))
    {
        let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
        let share = |k: usize| 2.0 * (k as f64 + 0.5) / n as f64 - 1.0;
        let mut p = half * sign;
        (p[i], p[j]) = (half[i] * share(k / n), half[j] * share(k % n));
        let depth = -project.closest_point(Side::Outside, 0, &x_b.point(&p)).d;
        let area = 4.0 * half[i] * half[j] / (n * n) as f64;
        // the force on B is against its outward normal
        sum -= x_b.direction(&Vec3::ith(axis, sign)) * (area * depth.max(0.0));
    }
    assert!((force - sum).norm() < 2e-4 * sum.norm(), "{force:?} {sum:?}");
}

#[test]
#[ignore = "measures times"]
fn a_large_mesh_on_a_plane_is_fast() {
    let triangles = ball(0.5, 7);
    let large = TriangleMesh::from_corners(&triangles).unwrap();
    assert!(large.triangles().len() > 100_000);
    let ball = Shape::outside(large);
    let pair = bound([1.0, 0.0], &Shape::outside(Plane), &ball);
    let lowest = ball.surface.bounds().radius;
    for depth in [1e-5, 5e-5, 2e-4, 1e-3] {
        let x_b = Pose::new(Vec3::z() * (lowest - depth), &Quat::from_euler_angles(0.3, 0.4, 0.5));
        let mut found = Vec::new();
        let start = Instant::now();
        for _ in 0..100 {
            pair.patch().unwrap().points(&Pose::identity(), &x_b, &mut found).unwrap();
        }
        println!("{depth} m: {} points, {:?}", found.len(), start.elapsed() / 100);
    }
}
