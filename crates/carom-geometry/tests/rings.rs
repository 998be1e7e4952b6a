//! Two tori: the nearest points of their rings, whatever their placement.

use std::f64::consts::{FRAC_PI_2, TAU};

use crate::common::{Moving, cases, moving, pose};
use carom_base::{Dual, Scalar};
use carom_geometry::surfaces::Torus;
use carom_geometry::{BoundPair, Contact, Pose, Project, Quat, RelativeCurvature, Shape, Side, Vec3, pairs};
use proptest::prelude::*;

fn ring(major: f64, minor: f64) -> Torus {
    Torus::new(major, minor).unwrap()
}

fn bound(a: Torus, b: Torus) -> Box<dyn BoundPair> {
    pairs::bind(&Shape::outside(a), &Shape::outside(b)).unwrap()
}

fn contact(a: Torus, b: Torus, x_a: &Pose, x_b: &Pose) -> Contact {
    bound(a, b).contact(0, x_a, x_b).unwrap()
}

/// The least distance of 720 points of A's ring from B's ring.
fn sampled(a: Torus, b: Torus, x_a: &Pose, x_b: &Pose) -> f64 {
    let from_b =
        |x: &Vec3| Project::closest_point(&b, Side::Outside, 0, &x_b.point_to_local(x)).d + b.minor();
    let of_a = |i: i32| {
        let phi = TAU * f64::from(i) / 720.0;
        x_a.point(&(Vec3::new(phi.cos(), phi.sin(), 0.0) * a.major()))
    };
    (0..720).map(|i| from_b(&of_a(i))).fold(f64::INFINITY, f64::min)
}

/// No point of either ring is nearer to the other than the contact says, and the contact is between points of both.
fn check(a: Torus, b: Torus, x_a: &Pose, x_b: &Pose) {
    let c = contact(a, b, x_a, x_b);
    let d = a.minor() + b.minor() - c.delta;
    let size = a.major() + b.major() + (x_a.p - x_b.p).norm();
    let least = sampled(a, b, x_a, x_b).min(sampled(b, a, x_b, x_a));
    // from above, samples are as near as half a step along the ring allows
    assert!(d <= least + 1e-14 * size, "{d:e} {least:e} {x_a:?} {x_b:?}");
    assert!(least - d <= a.major().min(b.major()) * TAU / 1440.0, "{d:e} {least:e} {x_a:?} {x_b:?}");
    for (torus, x, p) in [(a, x_a, c.p_a), (b, x_b, c.p_b)] {
        let off = Project::closest_point(&torus, Side::Outside, 0, &x.point_to_local(&p)).d;
        // next to crossing the normal leans by as much as points are uncertain relative to their distance
        let lean = (1e-14 * size / d.abs()).min(1.0);
        assert!(off.abs() < 4e-15 * size + torus.minor() * lean * lean, "{off:e} {d:e}");
    }
}

/// Zero, or anything from 1 down to 1e-16, of either sign.
fn any_size() -> impl Strategy<Value = f64> {
    prop_oneof![2 => Just(0.0), 2 => -1.0..1.0f64, 3 => (-16.0..0.0f64, prop::bool::ANY).prop_map(|(e, plus)| {
        if plus { 10f64.powf(e) } else { -10f64.powf(e) }
    })]
}

fn any_vector() -> impl Strategy<Value = Vec3> {
    [any_size(), any_size(), any_size()].prop_map(Vec3::from)
}

fn major() -> impl Strategy<Value = f64> {
    prop_oneof![Just(1.0), any_size().prop_map(|s| 1.0 + 0.9 * s), 0.03..3.0f64]
}

/// The rate by material points against differences along a motion.
fn rate_is_exact(a: &Moving, b: &Moving) {
    let pair = bound(ring(0.8, 0.1), ring(0.6, 0.1));
    let at = |t: f64| pair.contact(0, &a.at(t), &b.at(t)).unwrap();
    let h = 1e-4;
    let all = [-4.0, -2.0, -1.0, 0.0, 1.0, 2.0, 4.0].map(|k| at(k * h));
    // a jump to another place is a kink, and rings that nearly cross have one as well
    let smooth = all.windows(2).all(|w| (w[0].p_a - w[1].p_a).norm() < 40.0 * h && w[0].delta < 0.15);
    if !smooth {
        return;
    }
    let d = all.map(|c| c.delta);
    // differences over h, 2 h and 4 h; extrapolated once from each two that follow, and their difference is 15 times the error of the finer
    let [far, middle, near] =
        [(0, 6, 4.0), (1, 5, 2.0), (2, 4, 1.0)].map(|(i, j, k)| (d[j] - d[i]) / (2.0 * k * h));
    let [coarse, found] = [(far, middle), (middle, near)].map(|(far, near)| near + (near - far) / 3.0);
    let c = &all[3];
    let rate = (a.velocity(&c.p_a) - b.velocity(&c.p_b)).dot(&c.n);
    assert!((rate - found).abs() < 1e-10 + (found - coarse).abs(), "{rate} {found} {coarse}");
    // and by duals of the motion: exact to rounding
    let dual = dual_rate(&*pair, a, b);
    assert!((rate - dual).abs() < 1e-12 * (1.0 + rate.abs()), "{rate} {dual}");
}

/// The nearest points run at ten times the speed of the rings.
#[test]
fn the_rate_is_exact_where_points_run() {
    let turn = |w: f64, x: f64, y: f64, z: f64| Quat::from_quaternion(nalgebra::Quaternion::new(w, x, y, z));
    let a = Moving {
        p: Vec3::new(0.17768862000055768, 0.5368761136067847, -0.4258719392643307),
        q: turn(0.5394879471570544, -0.41243425623187235, 0.20303473090806307, 0.7054272727955874),
        v: Vec3::new(-0.4763857799395794, 0.45521967099416827, 0.3532361772614719),
        w: Vec3::new(0.3240465485661645, 0.0, 0.0),
    };
    let b = Moving {
        p: Vec3::new(-0.5192552728362474, 0.09741375745323137, -0.17458207757579366),
        q: turn(0.6143704455633651, -0.18873259875261056, 0.27949999730110453, -0.7133082876954683),
        v: Vec3::new(0.15311034968654363, 0.5078733956451067, -0.451061798060915),
        w: Vec3::new(0.9905800939772088, 0.5774257696291981, 0.0),
    };
    rate_is_exact(&a, &b);
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn nothing_is_nearer(x_a in pose(2.0), x_b in pose(2.0), r_a in 0.1..3.0f64, r_b in 0.1..3.0f64) {
        check(ring(r_a, 0.02), ring(r_b, 0.02), &x_a, &x_b);
    }

    /// Coplanar, coaxial, parallel and coincident ones, exactly or nearly.
    #[test]
    fn nothing_is_nearer_in_special_places(p in any_vector(), turn in any_vector(), r in major(), world in pose(0.1)) {
        let x_b = Pose::new(p * 2.0, &Quat::from_scaled_axis(turn * 3.0));
        check(ring(1.0, 0.02), ring(r, 0.02), &Pose::identity(), &x_b);
        check(ring(1.0, 0.02), ring(r, 0.02), &world, &world.then(&x_b));
    }

    /// Centres and turns on a lattice: many nearest points by symmetry, rings through axes and centres.
    #[test]
    fn nothing_is_nearer_on_a_lattice(p in [-4..5i32, -4..5, -4..5], turn in [-2..3i32, -2..3, -2..3], r in 1..5i32) {
        let lattice = |v: [i32; 3], step: f64| Vec3::from(v.map(|k| step * f64::from(k)));
        let x_b = Pose::new(lattice(p, 0.5), &Quat::from_scaled_axis(lattice(turn, FRAC_PI_2)));
        check(ring(1.0, 0.02), ring(0.5 * f64::from(r), 0.02), &Pose::identity(), &x_b);
    }

    /// The rings of constant distance besides those about one axis, and their neighbours.
    #[test]
    fn nothing_is_nearer_on_villarceau_circles(lean in 0.1..1.5f64, off in any_vector(), tilt in any_vector()) {
        let x_b = Pose::new(
            Vec3::new(lean.sin(), 0.0, 0.0) + off * 1e-3,
            &(Quat::from_axis_angle(&Vec3::x_axis(), lean) * Quat::from_scaled_axis(tilt * 1e-3)),
        );
        check(ring(1.0, 0.02), ring(1.0, 0.02), &Pose::identity(), &x_b);
    }

    #[test]
    fn the_rate_is_exact(a in moving(1.0), b in moving(1.0)) {
        rate_is_exact(&a, &b);
    }

    /// Curvatures against the second derivatives of the two distances, from differences of normals.
    #[test]
    fn curvatures_are_those_of_the_gap(x_a in pose(1.0), x_b in pose(1.0)) {
        let (a, b) = (ring(0.8, 0.15), ring(0.6, 0.1));
        let c = contact(a, b, &x_a, &x_b);
        let k = bound(a, b).curvature(0, &x_a, &x_b);
        let t = c.n.cross(&Vec3::x()).normalize();
        if c.delta > 0.2 || c.n.x.abs() > 0.99 {
            return Ok(());
        }
        let bends = |torus: &Torus, x: &Pose, p: &Vec3, along: &Vec3| {
            let h = 1e-4;
            let normal = |s: f64| {
                x.direction(&Project::closest_point(torus, Side::Outside, 0, &x.point_to_local(&(p + along * s))).n)
            };
            (8.0 * (normal(h) - normal(-h)) - (normal(2.0 * h) - normal(-2.0 * h))) / (12.0 * h)
        };
        let across = c.n.cross(&t);
        let sum = |along: &Vec3| bends(&a, &x_a, &c.p_a, along) + bends(&b, &x_b, &c.p_b, along);
        let (xx, xy, yy) = (sum(&t).dot(&t), sum(&t).dot(&across), sum(&across).dot(&across));
        let (mean, half) = (0.5 * (xx + yy), (0.25 * (xx - yy) * (xx - yy) + xy * xy).sqrt());
        prop_assert!((k.k_min - (mean - half)).abs() < 1e-7 && (k.k_max - (mean + half)).abs() < 1e-7);
    }
}

/// The rate of the indentation along a motion, by duals.
fn dual_rate(pair: &dyn BoundPair, a: &crate::common::Moving, b: &crate::common::Moving) -> f64 {
    let dual = |m: &crate::common::Moving| {
        let (now, w) = (m.at(0.0), m.w);
        let first = |re: f64, rate: f64| Dual::<6> { re, eps: [rate, 0.0, 0.0, 0.0, 0.0, 0.0] };
        let mut r = now.r.map(Dual::from_f64);
        for i in 0..3 {
            r.set_column(i, &now.axis(i).zip_map(&w.cross(&now.axis(i)), first));
        }
        Pose { p: now.p.zip_map(&m.v, first), r }
    };
    pair.contact_dual(0, &dual(a), &dual(b)).unwrap().unwrap().delta.eps[0]
}

/// A tube across another, two on top of each other, one in another's hole.
#[test]
fn curvatures_in_closed_form() {
    let close = |k: RelativeCurvature, min: f64, max: f64| {
        assert!((k.k_min - min).abs() < 1e-12 && (k.k_max - max).abs() < 1e-12, "{k:?} {min} {max}");
    };
    let (origin, upright) = (Pose::identity(), Quat::from_axis_angle(&Vec3::x_axis(), FRAC_PI_2));
    // links of a chain touch with their inner sides, crossed: each is round one way and hollow the other
    let (link, k) = (ring(1.0, 0.2), 1.0 / 0.2 - 1.0 / 0.8);
    let pulled = Pose::new(Vec3::new(1.7, 0.0, 0.0), &upright);
    assert!((contact(link, link, &origin, &pulled).delta - 0.1).abs() < 1e-15);
    close(bound(link, link).curvature(0, &origin, &pulled), k, k);
    // outer sides crossed
    let beside = Pose::new(Vec3::new(2.3, 0.0, 0.0), &upright);
    close(bound(link, link).curvature(0, &origin, &beside), 5.0 + 1.0 / 1.2, 5.0 + 1.0 / 1.2);
    // one axis, on top of each other: flat along the ring
    let above = Pose::at(Vec3::new(0.0, 0.0, 0.35));
    close(bound(link, link).curvature(0, &origin, &above), 0.0, 10.0);
    // in the hole, side by side: hollow of 1/0.9 against a bulge of 1/0.6
    let (wide, narrow) = (ring(1.0, 0.1), ring(0.5, 0.1));
    let within = Pose::at(Vec3::new(0.31, 0.0, 0.0));
    close(bound(wide, narrow).curvature(0, &origin, &within), 1.0 / 0.6 - 1.0 / 0.9, 20.0);
    // the thick tube in a ring too narrow for it: no bulge, k_min < 0, and no law of Hertz
    let (thick, small) = (ring(2.0, 0.8), ring(1.0, 0.3));
    let through = Pose::new(Vec3::new(2.35, 0.0, 0.0), &upright);
    close(bound(thick, small).curvature(0, &origin, &through), 1.0 / 0.8 - 1.0 / 0.7, 1.0 / 0.3 - 1.0 / 1.2);
}

/// Rings about one axis: one place of all, always the same, and it turns with the smaller ring.
#[test]
fn of_a_continuum_one_place_is_taken() {
    for (r_a, r_b) in [(1.0, 1.0), (1.0, 1.4), (1.4, 1.0)] {
        for angle in [0.0, 0.4, 2.0] {
            let turn = Quat::from_axis_angle(&Vec3::z_axis(), angle);
            let world = Pose::new(Vec3::new(0.1, 0.2, -0.3), &Quat::from_euler_angles(angle, 0.7, 0.1));
            let (x_a, x_b) = (world, world.then(&Pose::new(Vec3::new(0.0, 0.0, 0.3), &turn)));
            let c = contact(ring(r_a, 0.2), ring(r_b, 0.2), &x_a, &x_b);
            let smaller = if r_a <= r_b { x_a } else { x_b };
            let p = world.point_to_local(&c.p_a);
            let radial = world.direction(&Vec3::new(p.x, p.y, 0.0).normalize());
            assert!((radial - smaller.axis(0)).norm() < 1e-12, "{r_a} {r_b} {angle}");
            let d = f64::hypot(r_a - r_b, 0.3);
            assert!((c.delta - (0.4 - d)).abs() < 1e-15);
        }
    }
}

/// Rings that cross: no distance, a normal across both; rings that coincide: along their axis.
#[test]
fn where_rings_cross_the_normal_is_across_both() {
    let (a, b) = (ring(1.0, 0.1), ring(1.0, 0.2));
    let upright = Quat::from_axis_angle(&Vec3::x_axis(), 1.0);
    let c = contact(a, b, &Pose::identity(), &Pose::new(Vec3::zeros(), &upright));
    // they cross on the x axis, with the tangents y and that turned
    assert!((c.delta - 0.3).abs() < 1e-15 && (c.n.x.abs() - 1.0).abs() < 1e-12, "{c:?}");
    let c = contact(a, b, &Pose::identity(), &Pose::identity());
    assert!((c.delta - 0.3).abs() < 1e-15 && c.n.z.abs() == 1.0, "{c:?}");
}
