//! Pressure over patches of curved surfaces: closed forms, balance, forces as derivatives of the energy.

use std::f64::consts::PI;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use carom_base::{Pose, Quat, Vec3};
use carom_geometry::pairs::{self, pressure::Pressure};
use carom_geometry::surfaces::{Cone, Cylinder, Plane, Quadric, Sphere};
use carom_geometry::{BoundPair, GeometryError, Region, Shape, Side};

use carom_testkit::{all_cases, one_in};

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

/// Places at which two solids overlap by some centimetres, the one having come straight on until then.
fn pressed(r: &mut Random, pair: &dyn BoundPair, a: &Shape, b: &Shape) -> Option<(Pose, Pose)> {
    let x_a = Pose::new(r.vector(), &Quat::from_scaled_axis(r.vector() * 2.0));
    let turn = Quat::from_scaled_axis(r.vector() * 2.0);
    let is_plane = |s: &Shape| s.surface.kind() == "plane";
    let e = match (is_plane(a), is_plane(b)) {
        (true, _) => x_a.axis(2),
        (_, true) => -(turn * Vec3::z()),
        _ => r.vector().normalize(),
    };
    let at = |t: f64| Pose::new(x_a.p + e * t, &turn);
    // the middle of a cavity is free, of a solid not
    let far = 8.0;
    let cavity = [a, b].iter().any(|s| s.side == Side::Inside);
    let (mut free, mut deep) = if cavity { (0.0, far) } else { (far, 0.0) };
    for _ in 0..40 {
        let t = 0.5 * (free + deep);
        let delta = pair.contact(0, &x_a, &at(t)).ok()?.delta;
        match delta {
            d if d > 0.02 && d < 0.1 => return Some((x_a, at(t))),
            d if d < 0.05 => free = t,
            _ => deep = t,
        }
    }
    None
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

/// Compares the energy lost on a short way with the work of the forces.
fn check_work(r: &mut Random, a: &Shape, b: &Shape, weights: [f64; 2]) {
    let pair = bound(weights, a, b);
    let names = (a.describe(), b.describe());
    let (x_a, x_b) = pressed(r, &*pair, a, b).unwrap_or_else(|| panic!("{names:?}"));
    let w = r.vector() * 1e-3;
    // about a point near by: turns are about the origin
    let v = r.vector() * 1e-3 - w.cross(&x_b.p);
    let before = stored(&*pair, &x_a, &x_b);
    let lost = before - stored(&*pair, &x_a, &moved(&x_b, &v, &w, 1.0));
    let done = work(&*pair, &x_a, &x_b, &v, &w);
    assert!((lost - done).abs() < 1e-9 * before, "{names:?} {weights:?} {lost:e} {done:e} of {before:e}");
}

fn some(side: Side, kinds: &[&str]) -> Vec<Shape> {
    all_shapes().into_iter().filter(|s| s.side == side && kinds.contains(&s.surface.kind())).collect()
}

#[test]
fn forces_of_curved_surfaces_do_the_work_that_is_stored() {
    let mut r = Random(5);
    let (first, second) = (
        some(Side::Outside, &["plane", "sphere", "cylinder"]),
        some(Side::Outside, &["sphere", "cylinder", "box", "ellipsoid"]),
    );
    for (a, b) in first.iter().flat_map(|a| second.iter().map(move |b| (a, b))) {
        for weights in [[1.0, 0.0], [0.0, 1.0]] {
            check_work(&mut r, a, b, weights);
        }
    }
}

#[test]
fn forces_in_cavities_and_of_rings_do_the_work_that_is_stored() {
    let mut r = Random(5);
    let ball = &some(Side::Outside, &["sphere"])[0];
    let floor = &some(Side::Outside, &["plane"])[0];
    let rings = some(Side::Outside, &["torus", "capsule"]);
    let cavities = some(Side::Inside, &["sphere", "cylinder", "ellipsoid", "box"]);
    for weights in [[1.0, 0.0], [0.0, 1.0]] {
        for ring in &rings {
            check_work(&mut r, floor, ring, weights);
            check_work(&mut r, ring, ball, weights);
        }
        for cavity in &cavities {
            check_work(&mut r, cavity, ball, weights);
        }
    }
}

#[test]
fn any_two_solids_have_a_patch_but_those_without_end() {
    let (mut r, mut seen) = (Random(5), 0);
    let solid = |s: &Shape| s.surface.is_closed() || s.surface.is_sheet() || s.surface.kind() == "plane";
    let partners: Vec<Shape> =
        all_shapes().into_iter().filter(|b| matches!(b.surface.kind(), "plane" | "sphere" | "box")).collect();
    let shapes = all_shapes();
    for (a, b) in one_in(5, shapes.iter().flat_map(|a| partners.iter().map(move |b| (a, b)))) {
        let endless = |s: &Shape| s.bounds().radius.is_infinite();
        let possible = solid(a) && solid(b) && !(endless(a) && endless(b));
        let pair = pairs::bind_by(&Pressure::default().with_accuracy(1e-3), a, b);
        let names = (a.describe(), b.describe());
        assert_eq!(pair.is_ok(), possible, "{names:?}");
        let Ok(pair) = pair else { continue };
        let Some((x_a, x_b)) = pressed(&mut r, &*pair, a, b) else { continue };
        let found = points(&*pair, &x_a, &x_b);
        let force = load(&found).0;
        // a sheet ends at the chords of its rim, the gap at the rim
        if a.surface.is_sheet() && found.is_empty() {
            continue;
        }
        // it pushes B out
        let gap = pair.contact(0, &x_a, &x_b).unwrap();
        assert!(force.dot(&gap.n) > 0.0, "{names:?} {force:?} {gap:?}");
        assert!(found.iter().all(|c| c.delta > 0.0 && c.share > 0.0 && (c.n.norm() - 1.0).abs() < 1e-12));
        seen += 1;
    }
    assert!(seen > if all_cases() { 50 } else { 10 }, "{seen}");
}

#[test]
fn two_balls_have_a_closed_form() {
    let (a, b) = (Sphere::new(0.5).unwrap(), Sphere::new(0.3).unwrap());
    let (r_a, r_b) = (0.5f64, 0.3f64);
    for delta in [0.2, 0.05, 0.01, 1e-3] {
        let c = r_a + r_b - delta;
        // on the cap of A up to the angle of the rim, at the distance s from the centre of B: s ds = r_a c sin θ dθ and r_a cos θ = (r_a² + c² − s²)/2c. So the force ∫ (r_b − s) cos θ dS is
        // π r_a/c² ∫ (r_b − s)(r_a² + c² − s²)/r_a s ds from c − r_a to r_b
        let primitive = |s: f64| {
            let k = r_a * r_a + c * c;
            r_b * k * s * s / 2.0 - r_b * s.powi(4) / 4.0 - k * s.powi(3) / 3.0 + s.powi(5) / 5.0
        };
        let exact = PI / (c * c) * (primitive(r_b) - primitive(c - r_a));
        let pair = bound([0.0, 1.0], &Shape::outside(a), &Shape::outside(b));
        let e = Vec3::new(0.48, 0.6, 0.64);
        let x_b = Pose::new(e * c, &Quat::from_euler_angles(0.3, -0.8, 1.1));
        let (force, torque) = load(&points(&*pair, &Pose::identity(), &x_b));
        // rounding of the closed form grows with 1/δ²
        let tolerance = 2e-10 + 1e-15 / (delta * delta);
        assert!((force - e * exact).norm() < tolerance * exact, "{delta} {force:?} {exact:e}");
        assert!(torque.norm() < 1e-9 * exact);
    }
}

#[test]
fn a_plug_in_a_seat_of_its_taper_has_a_closed_form() {
    // radii, length and growth of the plug; the seat goes on beyond it at both ends
    let (r, length, g) = ([0.022, 0.032], 0.04, 0.25f64);
    let seat = Shape { surface: Arc::new(Cone::new(0.02, 0.04, 0.08).unwrap()), side: Side::Inside };
    let pair = bound([1.0, 0.0], &seat, &Shape::outside(Cone::new(r[0], r[1], length).unwrap()));
    let lean = 1.0 / (1.0 + g * g).sqrt();
    let per = PI * length * g * g * lean;
    for w in [1e-6, 1e-5, 1e-4, 1e-3] {
        // the mantle is g w/√(1 + g²) deep all over; caps have a ring each
        let x_b = Pose::new(Vec3::z() * (-0.012 - w), &Quat::from_scaled_axis(Vec3::z() * 0.3));
        let (force, torque) = load(&points(&*pair, &Pose::identity(), &x_b));
        let exact = per * ((r[0] + r[1]) * w - g * w * w);
        let tolerance = 1e-10 + 1e-17 / w;
        assert!((force - Vec3::z() * exact).norm() < tolerance * exact, "{w} {force:?} {exact:e}");
        assert!(torque.norm() < tolerance * exact);
        let stored = stored(&*pair, &Pose::identity(), &x_b);
        let energy = per * (0.5 * (r[0] + r[1]) * w * w - g * w * w * w / 3.0);
        assert!((stored / energy - 1.0).abs() < 2.0 * tolerance, "{w} {stored:e} {energy:e}");
    }
}

#[test]
fn a_shaft_pressed_into_a_narrower_bore_has_an_energy() {
    let (r, l) = (0.5f64, 0.7);
    let bore = Shape { surface: Arc::new(Cylinder::new(r, 2.0).unwrap()), side: Side::Inside };
    for delta in [1e-3, 1e-2f64] {
        let pair = bound([1.0, 0.0], &bore, &Shape::outside(Cylinder::new(r + delta, l).unwrap()));
        let x = Pose::new(Vec3::new(0.3, 0.2, 0.1), &Quat::from_euler_angles(0.3, -0.8, 1.1));
        let x_b = x.then(&Pose::at(Vec3::z() * 0.2));
        // ∫ s 2π (r + s) l ds from 0 to δ; and it is pressed equally from all sides
        let exact = 2.0 * PI * l * (0.5 * r * delta.powi(2) + delta.powi(3) / 3.0);
        assert!((stored(&*pair, &x, &x_b) / exact - 1.0).abs() < 1e-10);
        let found = points(&*pair, &x, &x_b);
        let sum: f64 = found.iter().map(|c| c.share * c.delta).sum();
        assert!(load(&found).0.norm() < 1e-10 * sum);
    }
}

#[test]
fn a_ball_on_a_flat_sheet_has_a_closed_form_from_both_sides() {
    let (r, a) = (0.3, 2.0);
    // z = 1/a
    let region = Region::new([-1.0, -1.0, 0.0], [1.0, 1.0, 1.0]).unwrap();
    let sheet = Shape::outside(Quadric::new(&[0.0, 0.0, 0.0, 0.0, 0.0, a], Some(region)).unwrap());
    let ball = Shape::outside(Sphere::new(r).unwrap());
    let pair = bound([0.5, 0.5], &sheet, &ball);
    for (delta, side) in [(0.1, 1.0), (0.01, -1.0), (1e-3, 1.0)] {
        let h = r - delta;
        let x_b = Pose::at(Vec3::new(0.1, 0.2, 1.0 / a + side * h));
        let (force, _) = load(&points(&*pair, &Pose::identity(), &x_b));
        // with s = √(ρ² + h²), U = ½ ∫ (r − s)² 2π s ds from h to r
        let exact = PI * h * delta * delta;
        assert!((force - Vec3::z() * (side * exact)).norm() < 1e-9 * exact, "{delta} {force:?} {exact}");
        let energy = PI * delta.powi(3) * (r / 3.0 - delta / 4.0);
        let found = stored(&*pair, &Pose::identity(), &x_b);
        assert!((found / energy - 1.0).abs() < 1e-9, "{delta} {found:e} {energy:e}");
    }
}

#[test]
fn solids_that_have_no_contact_points_do_the_work_that_is_stored() {
    let mut r = Random(5);
    let first = some(Side::Outside, &["cylinder", "cone", "torus"]);
    let second = some(Side::Inside, &["sphere", "cone", "capsule", "ellipsoid"]);
    let rings = some(Side::Outside, &["torus"]);
    let mut seen = 0;
    for (a, b) in first.iter().flat_map(|a| second.iter().chain(&rings).map(move |b| (a, b))) {
        for weights in [[1.0, 0.0], [0.0, 1.0]] {
            let pair = bound(weights, a, b);
            if pressed(&mut Random(r.0), &*pair, a, b).is_some() {
                check_work(&mut r, a, b, weights);
                seen += 1;
            }
        }
    }
    assert!(seen > 8, "{seen}");
}

/// Every two shapes, from every side: they have contact points, or press on one another over a patch; else a message says so, and what to write where something can be written.
#[test]
fn every_pair_of_shapes_has_points_or_presses_or_says_what_to_write() {
    let shapes = all_shapes();
    let solver = Pressure::default();
    let (mut points, mut presses, mut neither) = (0, 0, 0);
    let both = shapes.iter().enumerate().flat_map(|(i, a)| shapes[i..].iter().map(move |b| (a, b)));
    for (a, b) in one_in(3, both) {
        let names = format!("{} and {}", a.describe(), b.describe());
        let Err(error) = pairs::bind(a, b) else {
            points += 1;
            continue;
        };
        let patch = pairs::bind_by(&solver, a, b).is_ok();
        let advice = error.to_string().contains("`law = \"foundation\"` as `normal`");
        assert_eq!(advice, patch, "{names}: {error}");
        match error {
            GeometryError::NeedsSlices { .. } | GeometryError::NoPair { presses: true, .. } => presses += 1,
            GeometryError::NoPair { presses: false, .. } => {
                // nothing has a patch with what has no end on the same side, nor have two sheets
                let endless = |s: &Shape| s.side == Side::Inside || s.surface.kind() == "plane";
                let sheets = a.surface.is_sheet() && b.surface.is_sheet();
                let flat = [a, b].iter().any(|s| s.surface.is_sheet()) && [a, b].iter().any(|s| endless(s));
                assert!(sheets || flat || (endless(a) && endless(b)), "{names}: {error}");
                neither += 1;
            }
            other => panic!("{names}: {other}"),
        }
    }
    let all = if all_cases() { 100 } else { 30 };
    assert!(points > all && presses > all && neither > all / 10, "{points} {presses} {neither}");
    println!("{points} pairs with points, {presses} that press, {neither} with neither");
}

/// Both sides of a pair pressed on one another: how long that takes, and how far the work of forces is from the energy, in a line each; and how many are wrong.
fn pressed_on_one_another(a: &Shape, b: &Shape) -> (String, usize) {
    let names = format!("{} and {}", a.describe(), b.describe());
    let (mut lines, mut wrong) = (String::new(), 0);
    for weights in [[1.0, 0.0], [0.0, 1.0]] {
        let pair = bound(weights, a, b);
        let Some((x_a, x_b)) = pressed(&mut Random(5), &*pair, a, b) else { continue };
        let start = Instant::now();
        let found = points(&*pair, &x_a, &x_b);
        let time = start.elapsed().as_secs_f64() * 1e3;
        let force = load(&found).0;
        let v = force * (1e-3 / force.norm().max(f64::MIN_POSITIVE));
        let before = stored(&*pair, &x_a, &x_b);
        let lost = before - stored(&*pair, &x_a, &moved(&x_b, &v, &Vec3::zeros(), 1.0));
        let done = work(&*pair, &x_a, &x_b, &v, &Vec3::zeros());
        let error = (lost - done).abs() / before.max(f64::MIN_POSITIVE);
        wrong += usize::from(error > 1e-9);
        let count = found.len();
        lines += &format!("{names} {weights:?}: {time:.2} ms, {count} points, {error:.1e}\n");
    }
    (lines, wrong)
}

/// Every pair of shapes that has no contact points, on all processors.
#[test]
#[ignore = "takes long: cargo xtask verify pressure"]
fn every_pair_without_points() {
    let shapes = all_shapes();
    let both = shapes.iter().enumerate().flat_map(|(i, a)| shapes[i..].iter().map(move |b| (a, b)));
    let presses = |(a, b): &(&Shape, &Shape)| {
        pairs::bind(a, b).is_err() && pairs::bind_by(&Pressure::default(), a, b).is_ok()
    };
    let all: Vec<_> = both.filter(presses).collect();
    let (next, wrong) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let go = || {
        while let Some((a, b)) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
            let (lines, count) = pressed_on_one_another(a, b);
            print!("{lines}");
            wrong.fetch_add(count, Ordering::Relaxed);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(go);
        }
    });
    assert_eq!(wrong.into_inner(), 0);
}
