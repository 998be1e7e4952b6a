//! Convex solids along a motion: searches from the place before are short, and normals turn no faster than the motion makes them.

use crate::common::Moving;
use carom_base::{Dual, Mat3, Pose, Quat, Vec3};
use carom_geometry::surfaces::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Superellipsoid};
use carom_geometry::{BoundPair, Seed, Shape, pairs};

fn couples() -> Vec<(Shape, Shape)> {
    let smooth = [
        Shape::outside(Ellipsoid::new([0.5, 0.2, 0.35]).unwrap()),
        Shape::outside(Superellipsoid::new([0.5, 0.3, 0.4], [3.0, 4.0, 2.5]).unwrap()),
        Shape::outside(Superellipsoid::barr([0.4, 0.3, 0.5], [6.0, 2.0]).unwrap()),
    ];
    let edged = [
        Shape::outside(Cuboid::new([0.6, 0.8, 0.5]).unwrap()),
        Shape::outside(Cylinder::new(0.3, 0.8).unwrap()),
        Shape::outside(Capsule::new(0.2, 0.6).unwrap()),
    ];
    let mut all = Vec::new();
    for a in &smooth {
        all.extend(smooth.iter().chain(&edged).map(|b| (a.clone(), b.clone())));
    }
    let cone = Shape::outside(Cone::new(0.4, 0.1, 0.7).unwrap());
    all.extend(smooth.iter().map(|a| (a.clone(), cone.clone())));
    all
}

/// Two bodies that turn and pass each other, from apart to a little within.
fn motions(k: usize) -> [Moving; 2] {
    let turn = |i: usize| 0.7 * ((3 * k + i) as f64).sin();
    let spin = |i: usize| Vec3::new(turn(i), turn(i + 5), turn(i + 9));
    let body = |p: Vec3, v: Vec3, i: usize| Moving {
        p,
        q: Quat::from_scaled_axis(spin(i) * 2.0),
        v,
        w: spin(i + 2),
    };
    [
        body(Vec3::new(0.0, 0.0, 0.0), Vec3::new(0.1, 0.05, 0.0), 1),
        body(Vec3::new(1.1, 0.2, 0.1), Vec3::new(-0.35, 0.2, 0.1), 4),
    ]
}

/// The least radii of curvature of both [m]: overlapping by less there is one answer.
fn coats(a: &Shape, b: &Shape) -> f64 {
    [a, b].iter().map(|s| s.surface.as_support().unwrap().least_radius()).sum()
}

/// The rate at which n turns, by the derivatives of the contact.
fn turning(pair: &dyn BoundPair, a: &Moving, b: &Moving, t: f64) -> f64 {
    let dual = |m: &Moving| {
        let x = m.at(t);
        let rate = Mat3::new(0.0, -m.w.z, m.w.y, m.w.z, 0.0, -m.w.x, -m.w.y, m.w.x, 0.0) * x.r;
        let with = |re: f64, eps: f64| Dual { re, eps: [eps, 0.0, 0.0, 0.0, 0.0, 0.0] };
        Pose { p: x.p.zip_map(&m.v, with), r: x.r.zip_map(&rate, with) }
    };
    pair.contact_dual(0, &dual(a), &dual(b)).unwrap().unwrap().n.map(|c| c.eps[0]).norm()
}

#[test]
/// Steps of the motion turn the bodies by 0.003 rad, as those of an integrator do.
fn searches_from_the_place_before_are_short() {
    const STEPS: usize = 600;
    for (i, (shape_a, shape_b)) in couples().iter().enumerate() {
        let pair = pairs::bind(shape_a, shape_b).unwrap();
        let (mut steps, mut near) = (Vec::new(), Vec::new());
        for [a, b] in [0, 1, 2].map(|k| motions(i + 7 * k)) {
            let mut seed = None;
            for k in 0..STEPS {
                let t = 2.0 * k as f64 / STEPS as f64;
                let (x_a, x_b) = (a.at(t), b.at(t));
                let found = pair.search(&x_a, &x_b, seed.as_ref()).unwrap();
                let cold = pair.search(&x_a, &x_b, None).unwrap();
                let name = format!("{} {} {t}", shape_a.describe(), shape_b.describe());
                assert!((found.contact.delta - cold.contact.delta).abs() < 1e-13, "{name}");
                if seed.is_some() {
                    steps.push(found.steps);
                    // deeper in one another than their coats all directions are searched, whatever the start
                    near.extend((found.contact.delta < coats(shape_a, shape_b)).then_some(found.steps));
                }
                seed = Some(Seed::of(&found.contact, &x_a, &x_b));
            }
        }
        assert!(near.len() > steps.len() / 3, "{}", near.len());
        let smooth = shape_b.surface.as_implicit().is_some();
        let medians = [&mut steps, &mut near].map(|steps| {
            steps.sort_unstable();
            steps[steps.len() / 2]
        });
        // half of the way a superellipsoid is deep in the box
        let most = if smooth { [3, 3] } else { [4, 3] };
        assert!(
            medians[0] <= most[0] && medians[1] <= most[1],
            "{} {}: {medians:?}",
            shape_a.describe(),
            shape_b.describe()
        );
    }
}

#[test]
fn normals_turn_no_faster_than_the_motion_makes_them() {
    const STEPS: usize = 2000;
    for (i, (shape_a, shape_b)) in couples().iter().enumerate() {
        let pair = pairs::bind(shape_a, shape_b).unwrap();
        let [a, b] = motions(i);
        let h = 2.0 / STEPS as f64;
        let at = |t: f64| pair.contact(0, &a.at(t), &b.at(t)).unwrap();
        let mut last = (at(0.0), turning(&*pair, &a, &b, 0.0));
        let mut seen = 0;
        for k in 1..STEPS {
            let t = k as f64 * h;
            let now = (at(t), turning(&*pair, &a, &b, t));
            // (deeper in one another than their coats two sides may be as deep, and the normal jumps from one to the other)
            if now.0.delta.max(last.0.delta) > coats(shape_a, shape_b) {
                last = now;
                continue;
            }
            seen += 1;
            let turned = (now.0.n - last.0.n).norm();
            // edges and corners change the rate at once, from one of both to the other
            let rate = now.1.max(last.1) + 0.1;
            let name = format!("{} {} {t}", shape_a.describe(), shape_b.describe());
            assert!(turned < 1.5 * rate * h, "{name}: {turned} in {h} s at {rate} rad/s");
            last = now;
        }
        assert!(seen > STEPS / 3, "{seen}");
    }
}
