//! Pressure over patches of curved surfaces: closed forms, balance, forces as derivatives of the energy.

use std::f64::consts::PI;

use carom_base::{Pose, Quat, Vec3};
use carom_geometry::pairs::{self, pressure::Pressure};
use carom_geometry::surfaces::{Cylinder, Plane, Sphere};
use carom_geometry::{BoundPair, Shape, Side};

use crate::common::{Random, all_shapes};
use crate::pressure::{bound, load, points, stored};

#[test]
fn a_ball_on_a_half_space_has_closed_forms() {
    let (r, floor) = (0.5, Shape::outside(Plane));
    let ball = Shape::outside(Sphere::new(r).unwrap());
    let turn = Quat::from_euler_angles(0.3, -0.8, 1.1);
    for delta in [0.3, 0.1, 0.01f64, 1e-3, 1e-5] {
        let (x_a, x_b) = (Pose::identity(), Pose::new(Vec3::new(0.1, 0.2, r - delta), &turn));
        // the depth of the ball's surface in the floor, a cap: its volume; and its distance from the floor, times that volume
        let rigid = PI * delta * delta * (r - delta / 3.0);
        let u_rigid = PI * delta.powi(3) * (r / 3.0 - delta / 12.0);
        // the depth r − √(ρ² + h²) of the disc ρ < a in the ball: 2π ∫ (r − s) s ds from h to r
        let h = r - delta;
        let soft = PI * delta * delta * (r + 2.0 * h) / 3.0;
        let u_soft = PI * delta.powi(3) * (2.0 * r - delta) / 6.0;
        for (weights, exact, energy) in [([1.0, 0.0], rigid, u_rigid), ([0.0, 1.0], soft, u_soft)] {
            let pair = bound(weights, &floor, &ball);
            let found = points(&*pair, &x_a, &x_b);
            let (force, torque) = load(&found);
            let arm = Vec3::new(0.2, -0.1, 0.0);
            assert!(
                (force - Vec3::z() * exact).norm() < 2e-10 * exact,
                "{delta} {weights:?} {force:?} {exact:e}"
            );
            assert!((torque - arm * exact).norm() < 2e-10 * exact, "{delta} {weights:?} {torque:?}");
            let u = stored(&*pair, &x_a, &x_b);
            assert!((u / energy - 1.0).abs() < 2e-10, "{delta} {weights:?} {u:e} {energy:e}");
        }
    }
}

#[test]
fn a_cylinder_on_a_half_space_has_closed_forms() {
    let (r, l, floor) = (0.5, 0.7, Shape::outside(Plane));
    let can = Shape::outside(Cylinder::new(r, l).unwrap());
    let lying = Quat::from_euler_angles(0.5 * PI, 0.0, 0.3) * Quat::from_scaled_axis(Vec3::z() * 0.7);
    for delta in [0.3, 0.1, 0.01f64, 1e-3, 1e-5] {
        // lying: a prism over the segment of the circle
        let h = r - delta;
        let a = (delta * (r + h)).sqrt();
        let angle = a.atan2(h);
        // r² (φ − sin φ cos φ), by its series where that loses digits
        let segment = if angle < 0.05 {
            let x = 2.0 * angle;
            0.5 * r * r * x.powi(3) * (1.0 / 6.0 - x * x / 120.0 + x.powi(4) / 5040.0)
        } else {
            r * r * angle - h * a
        };
        let (lying, standing) = (
            Pose::new(Vec3::new(0.1, 0.2, r - delta), &lying),
            Pose::at(Vec3::new(0.1, 0.2, 0.5 * l - delta)),
        );
        // in the cylinder the depth is no more than the distance from the rim: ∫ π (r − s)² ds from 0 to δ
        let in_can = PI * delta * (r * r - r * delta + delta * delta / 3.0);
        for (x_b, exact, weights) in [
            (lying, segment * l, [1.0, 0.0]),
            (standing, PI * r * r * delta, [1.0, 0.0]),
            (standing, in_can, [0.0, 1.0]),
        ] {
            let pair = bound(weights, &floor, &can);
            let (force, _) = load(&points(&*pair, &Pose::identity(), &x_b));
            assert!(
                (force - Vec3::z() * exact).norm() < 1e-9 * exact,
                "{delta} {weights:?} {force:?} {exact:e}"
            );
        }
        let u = 0.5 * PI * r * r * delta * delta;
        let pair = bound([1.0, 0.0], &floor, &can);
        assert!((stored(&*pair, &Pose::identity(), &standing) / u - 1.0).abs() < 1e-10);
    }
}

/// Places at which two solids overlap by 2 to 10 cm.
fn overlap(r: &mut Random, pair: &dyn BoundPair) -> Option<(Pose, Pose)> {
    (0..300).find_map(|_| {
        let x_a = Pose::new(r.vector(), &Quat::from_scaled_axis(r.vector() * 2.0));
        let x_b = Pose::new(x_a.p + r.vector(), &Quat::from_scaled_axis(r.vector() * 2.0));
        let gap = pair.contact(0, &x_a, &x_b).ok()?;
        (gap.delta > 0.02 && gap.delta < 0.1).then_some((x_a, x_b))
    })
}

/// The work of the force on B from one place to another near by, the orientation turning as well.
fn work(pair: &dyn BoundPair, x_a: &Pose, x_b: &Pose, v: &Vec3, w: &Vec3) -> f64 {
    // Gauss–Legendre with five points
    let nodes = [
        (0.0, 128.0 / 225.0),
        (0.538_469_310_105_683, 0.478_628_670_499_366_47),
        (0.906_179_845_938_664, 0.236_926_885_056_189_08),
    ];
    let mut sum = 0.0;
    for (x, weight) in nodes {
        for sign in if x == 0.0 { &[1.0][..] } else { &[1.0, -1.0] } {
            let t = 0.5 * (1.0 + sign * x);
            let (force, torque) = load(&points(pair, x_a, &moved(x_b, v, w, t)));
            // the turn is about the point that was the origin
            sum += 0.5 * weight * (force.dot(v) + (torque - (v * t).cross(&force)).dot(w));
        }
    }
    sum
}

fn moved(x_b: &Pose, v: &Vec3, w: &Vec3, t: f64) -> Pose {
    Pose::new(v * t, &Quat::from_scaled_axis(w * t)).then(x_b)
}

#[test]
fn forces_of_curved_surfaces_do_the_work_that_is_stored() {
    let mut r = Random(5);
    let outside = |kinds: &[&str]| -> Vec<Shape> {
        all_shapes()
            .into_iter()
            .filter(|s| s.side == Side::Outside && kinds.contains(&s.surface.kind()))
            .collect()
    };
    let (first, second) =
        (outside(&["plane", "sphere", "cylinder"]), outside(&["sphere", "cylinder", "box", "ellipsoid"]));
    for (a, b) in first.iter().flat_map(|a| second.iter().map(move |b| (a, b))) {
        for weights in [[1.0, 0.0], [0.0, 1.0]] {
            let pair = bound(weights, a, b);
            let Some((x_a, x_b)) = overlap(&mut r, &*pair) else { continue };
            let (v, w) = (r.vector() * 1e-3, r.vector() * 1e-3);
            // about a point near by: torques are about the origin
            let v = v - w.cross(&x_b.p);
            let before = stored(&*pair, &x_a, &x_b);
            let lost = before - stored(&*pair, &x_a, &moved(&x_b, &v, &w, 1.0));
            let done = work(&*pair, &x_a, &x_b, &v, &w);
            let names = (a.describe(), b.describe());
            assert!(
                (lost - done).abs() < 1e-9 * before,
                "{names:?} {weights:?} {lost:e} {done:e} of {before:e}"
            );
        }
    }
}

#[test]
fn any_two_solids_have_a_patch_but_those_without_end() {
    let (mut r, mut seen) = (Random(5), 0);
    let solid = |s: &Shape| s.surface.is_closed() || s.surface.kind() == "plane";
    for a in all_shapes() {
        for b in all_shapes().iter().filter(|b| matches!(b.surface.kind(), "plane" | "sphere" | "box")) {
            let endless = |s: &Shape| s.bounds().radius.is_infinite();
            let possible = solid(&a) && solid(b) && !(endless(&a) && endless(b));
            let pair = pairs::bind_by(&Pressure::default().with_accuracy(1e-6), &a, b);
            let names = (a.describe(), b.describe());
            assert_eq!(pair.is_ok(), possible, "{names:?}");
            let Ok(pair) = pair else { continue };
            let Some((x_a, x_b)) = overlap(&mut r, &*pair) else { continue };
            let found = points(&*pair, &x_a, &x_b);
            let force = load(&found).0;
            // it pushes B out
            let gap = pair.contact(0, &x_a, &x_b).unwrap();
            assert!(force.dot(&gap.n) > 0.0, "{names:?} {force:?} {gap:?}");
            assert!(found.iter().all(|c| c.delta > 0.0 && c.share > 0.0 && (c.n.norm() - 1.0).abs() < 1e-12));
            seen += 1;
        }
    }
    assert!(seen > 30, "{seen}");
}
