//! Pressure over patches of curved surfaces: closed forms, balance, forces as derivatives of the energy.

use std::f64::consts::PI;

use carom_base::{Pose, Quat, Vec3};
use carom_geometry::Shape;
use carom_geometry::pairs::{self, pressure::Pressure};
use carom_geometry::surfaces::{Cylinder, Plane, Sphere};

use crate::common::{Random, all_shapes};
use crate::pressure::{bound, load, points, slope, stored};

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

#[test]
fn every_two_solids_have_a_patch() {
    let mut r = Random(5);
    let solver = Pressure::default();
    for a in all_shapes() {
        for b in all_shapes() {
            let solid = |s: &Shape| s.surface.is_closed() || s.surface.kind() == "plane";
            let endless = |s: &Shape| s.bounds().radius.is_infinite();
            let possible = solid(&a) && solid(&b) && !(endless(&a) && endless(&b));
            let pair = pairs::bind_by(&solver, &a, &b);
            assert_eq!(pair.is_ok(), possible, "{} {}", a.describe(), b.describe());
            let Ok(pair) = pair else { continue };
            let mut done = 0;
            for _ in 0..200 {
                let x_a = Pose::new(r.vector(), &Quat::from_scaled_axis(r.vector() * 2.0));
                let x_b = Pose::new(x_a.p + r.vector() * 1.0, &Quat::from_scaled_axis(r.vector() * 2.0));
                let Ok(gap) = pair.contact(0, &x_a, &x_b) else { continue };
                if gap.delta > 0.02 && gap.delta < 0.1 {
                    let t = std::time::Instant::now();
                    let found = points(&*pair, &x_a, &x_b);
                    let t1 = t.elapsed();
                    let (force, torque) = load(&found);
                    let e = gap.n;
                    let h = 1e-4;
                    let by = -slope(&*pair, &x_a, &x_b, &e, &Vec3::zeros(), h);
                    println!(
                        "{:>30} {:>30} {:9} {:9.1} us {:9.1} ms, {:e}",
                        a.describe(),
                        b.describe(),
                        found.len(),
                        t1.as_secs_f64() * 1e6,
                        (t.elapsed() - t1).as_secs_f64() * 1e3 / 6.0,
                        (by - force.dot(&e)) / force.norm()
                    );
                    let _ = torque;
                    done += 1;
                    if done >= 1 {
                        break;
                    }
                }
            }
        }
    }
}
