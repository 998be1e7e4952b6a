//! Patches that are narrow bands, and surfaces with ripples.

use std::f64::consts::PI;
use std::time::Instant;

use carom_base::{Pose, Quat, Vec3};
use carom_geometry::surfaces::{LevelFunction, Plane, Superellipsoid, Torus};
use carom_geometry::{Region, Shape};

use crate::pressure::{bound, load, points, stored};

/// ∫ f from −a to a, by Simpson's rule.
fn integral(a: f64, f: impl Fn(f64) -> f64) -> f64 {
    let n = 2000;
    let weight = |k: usize| if k == 0 || k == n { 1.0 } else { 2.0 * (1 + k % 2) as f64 };
    (0..=n).map(|k| weight(k) * f(a * (2.0 * k as f64 / n as f64 - 1.0))).sum::<f64>() * 2.0 * a
        / (3 * n) as f64
}

/// A ring flat on a plane by δ touches it over a band, y to both sides of its middle circle, up to a = √(r² − h²) with h = r − δ. The depth of its surface in the plane is √(r² − y²) − h, that of the plane in the ring r − √(y² + h²), and the circle of both sides
/// together is twice that in the middle. (Written without differences of what is nearly alike.) However narrow the band is, it takes as many points.
#[test]
fn a_ring_flat_on_a_plane_has_a_closed_form() {
    let (major, r) = (0.1, 0.025f64);
    let (floor, ring) = (Shape::outside(Plane), Shape::outside(Torus::new(major, r).unwrap()));
    let x_a = Pose::new(Vec3::new(0.3, -0.2, 0.1), &Quat::from_euler_angles(0.4, -0.3, 0.9));
    for delta in [2e-3, 1e-4, 1e-6, 1e-8] {
        let (h, a) = (r - delta, (delta * (2.0 * r - delta)).sqrt());
        let rigid = integral(a, |y| (a * a - y * y) / ((r * r - y * y).sqrt() + h));
        let soft = integral(a, |y| (a * a - y * y) / (r + (y * y + h * h).sqrt()));
        for (weights, exact) in [([1.0, 0.0], rigid), ([0.0, 1.0], soft)] {
            let pair = bound(weights, &floor, &ring);
            let x_b = x_a.then(&Pose::at(Vec3::new(0.01, 0.02, h)));
            let found = points(&*pair, &x_a, &x_b);
            let (force, _) = load(&found);
            let exact = 2.0 * PI * major * exact;
            // (the depth is a difference of places with 16 digits)
            let rounding = 1e-16 / delta;
            let off = (force - x_a.axis(2) * exact).norm() / exact;
            assert!(off < 1e-9 + 10.0 * rounding, "{delta} {weights:?} {off:e}");
            assert!(found.len() < 20_000, "{delta} {weights:?} {} points", found.len());
            // by Simpson's rule over the square root of the depth, by which forces are smooth: what is stored is the work
            let step =
                |k: usize| Pose::at(Vec3::new(0.0, 0.0, h + delta * (1.0 - (k as f64 / 400.0).powi(2))));
            if delta == 1e-4 {
                let u = stored(&*pair, &x_a, &x_b);
                let mut work = 0.0;
                for k in 0..=400 {
                    let weight = if k == 0 || k == 400 { 1.0 } else { 2.0 * f64::from(1 + k % 2) };
                    let found = points(&*pair, &Pose::identity(), &step(k as usize));
                    let f: f64 = found.iter().map(|c| c.n.z * c.share * c.delta).sum();
                    work += weight * f * 2.0 * (f64::from(k) / 400.0) * delta / 1200.0;
                }
                assert!((work / u - 1.0).abs() < 1e-9, "{weights:?} {work:e} {u:e}");
            }
        }
    }
}

/// z-sections of a cushion with ripples, closed all round.
fn cushion() -> Shape {
    let (w, h, k, c) = (0.3, 0.1, 40.0, 0.02);
    let f = move |x: &Vec3| {
        let ripples = c * (k * x.x).sin() * (k * x.y).sin();
        (x.x / w).powi(2) + (x.y / w).powi(2) + (x.z / h).powi(2) - 1.0 + ripples
    };
    let slope = move |x: &Vec3| {
        let (a, b) = ((k * x.x).sin_cos(), (k * x.y).sin_cos());
        Vec3::new(
            2.0 * x.x / (w * w) + c * k * a.1 * b.0,
            2.0 * x.y / (w * w) + c * k * a.0 * b.1,
            2.0 * x.z / (h * h),
        )
    };
    let region = Region::new([-0.35, -0.35, -0.12], [0.35, 0.35, 0.12]).unwrap();
    Shape::outside(LevelFunction::with_gradient(region, f, slope).unwrap())
}

/// What is stored falls by the work of forces; and how long that takes.
#[test]
#[ignore = "takes long: cargo xtask verify pressure"]
fn a_pebble_on_a_rippled_cushion_does_the_work_that_is_stored() {
    let pebble = Superellipsoid::barr([0.04, 0.03, 0.02], [3.0, 2.6]).unwrap();
    let (cushion, pebble) = (cushion(), Shape::outside(pebble));
    for weights in [[1.0, 0.0], [0.0, 1.0]] {
        let pair = bound(weights, &cushion, &pebble);
        for height in [0.1205, 0.118, 0.112] {
            let at = |z: f64| Pose::new(Vec3::new(0.05, 0.03, z), &Quat::from_euler_angles(0.1, 0.05, 0.3));
            let start = Instant::now();
            let found = points(&*pair, &Pose::identity(), &at(height));
            let time = start.elapsed().as_secs_f64() * 1e3;
            let u = |z: f64| stored(&*pair, &Pose::identity(), &at(z));
            let begin = Instant::now();
            let (before, step) = (u(height), 1e-4);
            let for_energy = begin.elapsed().as_secs_f64() * 1e3;
            // Gauss's rule of five points
            let nodes = [
                (0.0, 128.0 / 225.0),
                (0.538_469_310_105_683, 0.478_628_670_499_366),
                (0.906_179_845_938_664, 0.236_926_885_056_189),
            ];
            let mut work = 0.0;
            for (node, weight) in nodes
                .into_iter()
                .flat_map(|(x, w)| if x == 0.0 { vec![(x, w)] } else { vec![(x, w), (-x, w)] })
            {
                let found = points(&*pair, &Pose::identity(), &at(height + 0.5 * step * (1.0 + node)));
                work += 0.5 * step * weight * found.iter().map(|c| c.n.z * c.share * c.delta).sum::<f64>();
            }
            let lost = before - u(height + step);
            let error = (lost - work).abs() / before.max(1e-300);
            println!(
                "{weights:?} at {height}: {} points in {time:.1} ms, energy {for_energy:.1} ms, {before:e} {error:e}",
                found.len()
            );
        }
    }
}
