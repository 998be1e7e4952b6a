//! Pressure over patches of flat facets: closed forms, forces as derivatives of the energy, and the energy against sums over volumes.

use carom_base::{Pose, Quat, Vec3};
use carom_geometry::pairs::{self, pressure::Pressure};
use carom_geometry::surfaces::{Cuboid, Cylinder, Plane, Polyhedron, Sphere};
use carom_geometry::{BoundPair, Contact, Project, Shape, Side};

use crate::common::{Random, rock};
use carom_testkit::{all_cases, allocations_of};

/// Force [m³] on B and its torque about the origin [m⁴], per stiffness.
pub(crate) fn load(points: &[Contact]) -> (Vec3, Vec3) {
    let force = |c: &Contact| c.n * (c.share * c.delta);
    (points.iter().map(force).sum(), points.iter().map(|c| c.p_b.cross(&force(c))).sum())
}

pub(crate) fn points(pair: &dyn BoundPair, x_a: &Pose, x_b: &Pose) -> Vec<Contact> {
    let mut points = Vec::new();
    pair.patch().unwrap().points(x_a, x_b, &mut points).unwrap();
    points
}

pub(crate) fn stored(pair: &dyn BoundPair, x_a: &Pose, x_b: &Pose) -> f64 {
    pair.patch().unwrap().stored(x_a, x_b).unwrap()
}

pub(crate) fn bound(weights: [f64; 2], a: &Shape, b: &Shape) -> Box<dyn BoundPair> {
    pairs::bind_by(&Pressure::new(weights).unwrap(), a, b).unwrap()
}

fn brick(size: [f64; 3]) -> Shape {
    Shape::outside(Cuboid::new(size).unwrap())
}

fn stone(size: f64) -> Shape {
    let corners: Vec<[f64; 3]> = rock(size).chunks(3).map(|c| [c[0], c[1], c[2]]).collect();
    Shape::outside(Polyhedron::new(&corners).unwrap())
}

/// The derivative of the energy as B moves by a screw (v, w about the origin), by differences of order 6.
pub(crate) fn slope(pair: &dyn BoundPair, x_a: &Pose, x_b: &Pose, v: &Vec3, w: &Vec3, h: f64) -> f64 {
    let at = |t: f64| {
        let turn = Pose::new(v * t, &Quat::from_scaled_axis(w * t));
        stored(pair, x_a, &turn.then(x_b))
    };
    let pair_at = |k: f64| at(k * h) - at(-k * h);
    (45.0 * pair_at(1.0) - 9.0 * pair_at(2.0) + pair_at(3.0)) / (60.0 * h)
}

#[test]
fn a_flat_punch_and_a_tilted_block_have_closed_forms() {
    let (l, w, floor) = (0.2, 0.1, Shape::outside(Plane));
    let (x, delta) = (Pose::identity(), 1e-3);
    let flat = Pose::at(Vec3::new(0.4, -0.2, 0.025 - delta));
    for weights in [[1.0, 0.0], [0.0, 1.0], [0.3, 0.7]] {
        let pair = bound(weights, &floor, &brick([l, w, 0.05]));
        let (force, torque) = load(&points(&*pair, &x, &flat));
        // in the floor the depth is δ all over; in the block no more than the distance from the rim: ∫ (l − 2s)(w − 2s) ds from 0 to δ
        let in_floor = l * w * delta;
        let in_block = in_floor - (l + w) * delta.powi(2) + 4.0 / 3.0 * delta.powi(3);
        let f = weights[0] * in_floor + weights[1] * in_block;
        assert!((force - Vec3::z() * f).norm() < 1e-14 * f, "{weights:?} {force:?} {f}");
        assert!((torque - Vec3::new(-0.2, -0.4, 0.0) * f).norm() < 1e-14 * f);
        // U is the integral of the force over δ
        let in_block = 0.5 * l * w * delta.powi(2) - (l + w) * delta.powi(3) / 3.0 + delta.powi(4) / 3.0;
        let u = weights[0] * 0.5 * l * w * delta.powi(2) + weights[1] * in_block;
        assert!((stored(&*pair, &x, &flat) - u).abs() < 1e-14 * u);
        assert!(points(&*pair, &x, &Pose::at(Vec3::z() * 0.026)).is_empty());
    }
    // only the floor is soft: of a block tilted by θ about its lower edge along y, that edge at the depth δ, the face is in up to the length s = δ/sin θ. The pressure at the distance t along it is
    // p = δ − t sin θ; with the end face, which is in by the height e = δ/cos θ, it is the weight of the wedge, and the resultant passes through the wedge's centroid
    let (theta, delta): (f64, f64) = (0.05, 1e-3);
    let pair = bound([1.0, 0.0], &floor, &brick([l, w, 0.05]));
    let edge = Vec3::new(-0.5 * l, 0.0, -0.025);
    let turn = Quat::from_scaled_axis(-Vec3::y() * theta);
    let at = Pose::new(-(turn * edge) - Vec3::z() * delta, &turn);
    let (force, torque) = load(&points(&*pair, &Pose::identity(), &at));
    let (s, e) = (delta / theta.sin(), delta / theta.cos());
    // the area of the wedge in the section; its corners are (s cos θ, 0), (−e sin θ, 0) and (0, −δ)
    let area = 0.5 * delta * (s * theta.cos() + e * theta.sin());
    let lever = (s * theta.cos() - e * theta.sin()) / 3.0;
    assert!((force - Vec3::z() * (area * w)).norm() < 1e-13 * area * w, "{force:?} {}", area * w);
    assert!((torque.y + lever * area * w).abs() < 1e-13 * lever * area * w);
    // U = ∫ depth over the wedge: its area times the depth of its centroid
    let energy = area * w * delta / 3.0;
    assert!((stored(&*pair, &Pose::identity(), &at) - energy).abs() < 1e-13 * energy);
}

/// Random placements of two shapes that overlap, not too deep.
fn overlaps(r: &mut Random, a: &Shape, b: &Shape, mut check: impl FnMut(&Pose, &Pose)) {
    let gap = pairs::bind_for_query(a, b).unwrap();
    let mut found = 0;
    while found < 20 {
        let x_a = Pose::new(r.vector(), &Quat::from_scaled_axis(r.vector() * 2.0));
        let x_b = Pose::new(x_a.p + r.vector() * 0.5, &Quat::from_scaled_axis(r.vector() * 2.0));
        if gap.closest(&x_a, &x_b).is_ok_and(|c| c.delta > 0.05 && c.delta < 0.2) {
            check(&x_a, &x_b);
            found += 1;
        }
    }
}

#[test]
fn forces_of_flat_facets_are_derivatives_of_the_energy() {
    let mut r = Random(7);
    let shapes = [brick([0.5, 0.4, 0.3]), stone(0.4), Shape::outside(Plane)];
    for (a, b) in [(0, 0), (0, 1), (1, 1), (2, 0), (1, 2)] {
        for weights in [[0.0, 1.0], [0.4, 0.6]] {
            let pair = bound(weights, &shapes[a], &shapes[b]);
            overlaps(&mut r, &shapes[a], &shapes[b], |x_a, x_b| {
                let (force, torque) = load(&points(&*pair, x_a, x_b));
                let scale = force.norm();
                for k in 0..3 {
                    let (e, h) = (Vec3::ith(k, 1.0), 2e-6);
                    let by_shift = -slope(&*pair, x_a, x_b, &e, &Vec3::zeros(), h);
                    let by_turn = -slope(&*pair, x_a, x_b, &Vec3::zeros(), &e, h);
                    assert!(
                        (by_shift - force[k]).abs() < 1e-9 * scale,
                        "{a} {b} {by_shift:e} {:e}",
                        force[k]
                    );
                    assert!(
                        (by_turn - torque[k]).abs() < 1e-9 * scale,
                        "{a} {b} {by_turn:e} {:e}",
                        torque[k]
                    );
                }
            });
        }
    }
}

/// The energy by a sum over small cubes of space.
fn summed(a: &Shape, b: &Shape, weights: [f64; 2], x_a: &Pose, x_b: &Pose, n: usize) -> f64 {
    let depth = |s: &Shape, x: &Pose, p: &Vec3| {
        let project: &dyn Project = s.surface.as_project().unwrap();
        -project.closest_point(Side::Outside, 0, &x.point_to_local(p)).d
    };
    let small = if a.surface.bounds().radius < b.surface.bounds().radius { (a, x_a) } else { (b, x_b) };
    let (radius, centre) = (small.0.surface.bounds().radius, small.1.point(&small.0.surface.bounds().centre));
    let (h, mut sum) = (2.0 * radius / n as f64, 0.0);
    for i in 0..n * n * n {
        let at = |k: usize| -radius + h * (k as f64 + 0.5);
        let p = centre + Vec3::new(at(i % n), at(i / n % n), at(i / n / n));
        let (d_a, d_b) = (depth(a, x_a, &p), depth(b, x_b, &p));
        if d_a > 0.0 && d_b > 0.0 {
            sum += weights[0] * d_a + weights[1] * d_b;
        }
    }
    sum * h * h * h
}

#[test]
fn the_energy_of_flat_facets_is_the_sum_over_the_volume() {
    let mut r = Random(3);
    let shapes = [brick([0.5, 0.4, 0.3]), stone(0.4), Shape::outside(Plane)];
    for (a, b) in [(0, 0), (0, 1), (1, 1), (2, 0), (1, 2)] {
        let weights = [0.3, 0.7];
        let pair = bound(weights, &shapes[a], &shapes[b]);
        let mut done = 0;
        overlaps(&mut r, &shapes[a], &shapes[b], |x_a, x_b| {
            done += 1;
            if done > if all_cases() { 4 } else { 1 } {
                return;
            }
            let exact = stored(&*pair, x_a, x_b);
            let by_sum = summed(&shapes[a], &shapes[b], weights, x_a, x_b, 100);
            assert!((by_sum / exact - 1.0).abs() < 0.01, "{a} {b} {exact:e} {by_sum:e}");
        });
    }
}

#[test]
fn points_allocate_nothing_once_there_is_room() {
    let shapes = [
        Shape::outside(Plane),
        brick([0.5, 0.4, 0.3]),
        stone(0.4),
        Shape::outside(Sphere::new(0.3).unwrap()),
        Shape::outside(Cylinder::new(0.2, 0.4).unwrap()),
    ];
    let (x_a, turn) = (Pose::identity(), Quat::from_euler_angles(0.2, -0.1, 0.4));
    for (a, b) in shapes.iter().flat_map(|a| shapes.iter().map(move |b| (a, b))) {
        let Ok(pair) = pairs::bind_by(&Pressure::default().with_accuracy(1e-4), a, b) else { continue };
        let x_b =
            Pose::new(Vec3::new(0.05, 0.02, if a.surface.kind() == "plane" { 0.1 } else { 0.25 }), &turn);
        let mut points = Vec::new();
        let patch = pair.patch().unwrap();
        // two lists of cells change places, so that both grow
        (0..3).for_each(|_| patch.points(&x_a, &x_b, &mut points).unwrap());
        let n = allocations_of(|| patch.points(&x_a, &x_b, &mut points).unwrap());
        assert!(n == 0 && !points.is_empty(), "{} {}: {n}", a.describe(), b.describe());
    }
}

#[test]
fn cubes_whose_faces_are_flush_have_closed_forms() {
    let cube = brick([1.0; 3]);
    for weights in [[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]] {
        let pair = bound(weights, &cube, &cube);
        // at 0.5 the face of one is in the wall between cells of the other
        for delta in [0.5, 0.25, 0.125, 1e-3] {
            let x_b = Pose::at(Vec3::z() * (1.0 - delta));
            let (force, torque) = load(&points(&*pair, &Pose::identity(), &x_b));
            let exact = delta - 2.0 * delta * delta + 4.0 / 3.0 * delta.powi(3);
            assert!(
                (force - Vec3::z() * exact).norm() < 1e-13 * exact,
                "{weights:?} {delta} {force:?} {exact}"
            );
            assert!(torque.norm() < 1e-13 * exact);
            let energy = 0.5 * delta.powi(2) - 2.0 / 3.0 * delta.powi(3) + delta.powi(4) / 3.0;
            let found = stored(&*pair, &Pose::identity(), &x_b);
            assert!((found / energy - 1.0).abs() < 1e-12, "{weights:?} {delta} {found} {energy}");
        }
    }
}

#[test]
fn force_and_torque_on_both_bodies_balance() {
    let pair = bound([0.4, 0.6], &brick([0.5, 0.4, 0.3]), &stone(0.4));
    let x_b = Pose::new(Vec3::new(0.3, 0.2, 0.1), &Quat::from_euler_angles(0.2, -0.1, 0.4));
    let found = points(&*pair, &Pose::identity(), &x_b);
    assert!(!found.is_empty());
    // the same points and normals for both: nothing is left over, to the last bit
    for c in &found {
        assert_eq!(c.p_a, c.p_b);
        assert!((c.n.norm() - 1.0).abs() < 1e-14 && c.delta >= 0.0 && c.share > 0.0);
    }
    // the other way round it is the same patch
    let turned = bound([0.6, 0.4], &stone(0.4), &brick([0.5, 0.4, 0.3]));
    let back = load(&points(&*turned, &x_b, &Pose::identity()));
    let here = load(&found);
    assert!(
        (here.0 + back.0).norm() < 1e-14 * here.0.norm() && (here.1 + back.1).norm() < 1e-14 * here.0.norm()
    );
}
