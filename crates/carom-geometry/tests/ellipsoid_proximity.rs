//! Bounds of placed shapes; whether two ellipsoids are apart; when moving ones first touch.

use crate::common::RandomSolids as _;
use crate::common::{Random, all_shapes};
use carom_geometry::proximity::ellipsoids::{
    Limits, Motion, Separation, Twist, first_contact, separation, touching_scale,
};
use carom_geometry::proximity::{Aabb, Ball};
use carom_geometry::surfaces::Ellipsoid;
use carom_geometry::{Pose, Quat, Shape, Side, Vec3, pairs};
use nalgebra::Matrix4;

fn egg(semi: [f64; 3]) -> Ellipsoid {
    Ellipsoid::new(semi).unwrap()
}

/// Every shape, by the vertices of a fine mesh: all within box and ball, and the box no larger than the mesh is coarse.
#[test]
fn boxes_and_balls_hold_their_shapes_and_boxes_are_tight() {
    for shape in all_shapes() {
        let x = Random::of(&shape.describe()).pose(2.0);
        let (around, ball) = (Aabb::of(&shape, &x), Ball::of(&shape, &x));
        if shape.side == Side::Inside {
            assert_eq!((around, ball.radius), (Aabb::everything(), f64::INFINITY));
            continue;
        }
        let mesh = shape.surface.mesh(200, 1.0);
        let points: Vec<Vec3> = mesh.vertices.iter().map(|p| x.point(&Vec3::from(*p))).collect();
        let first = Aabb { min: points[0], max: points[0] };
        let seen = points.iter().fold(first, |b, p| b.merge(&Aabb { min: *p, max: *p }));
        let off = |a: &Aabb, b: &Aabb| (b.min - a.min).min().min((a.max - b.max).min());
        assert!(off(&around, &seen) > -1e-14, "{}: {around:?} {seen:?}", shape.describe());
        assert!(points.iter().all(|p| (p - ball.centre).norm() <= ball.radius * (1.0 + 1e-14)));
        if shape.surface.as_support().is_some() {
            let loose = (seen.min - around.min).max().max((around.max - seen.max).max());
            assert!(loose < 2e-3 * ball.radius, "{}: {loose}", shape.describe());
        }
    }
}

/// In closed form: √Σ (R_ij e_j)².
#[test]
fn the_box_of_an_ellipsoid_is_exact() {
    let mut r = Random(2);
    for _ in 0..100 {
        let (e, x) = (r.ellipsoid(20.0), r.pose(1.0));
        let half = Vec3::from_fn(|i, _| x.r.row(i).transpose().component_mul(e.semi_axes()).norm());
        let around = Aabb::of(&Shape::outside(e), &x);
        assert!((around.max - x.p - half).norm() < 4e-16 && (around.min - x.p + half).norm() < 4e-16);
    }
}

#[test]
fn lost_shapes_are_near_everything() {
    let shape = Shape::outside(egg([1.0; 3]));
    let lost = Pose::at(Vec3::repeat(f64::NAN));
    let far = Pose::at(Vec3::repeat(1e9));
    assert!(Aabb::of(&shape, &lost).overlaps(&Aabb::of(&shape, &far)));
    assert!(Ball::of(&shape, &lost).overlaps(&Ball::of(&shape, &far)));
    assert_eq!(separation(&egg([1.0; 3]), &egg([1.0; 3]), &lost, &far, 1e-12), None);
}

/// The tip of A along n and that of B are put a gap apart: no deeper than the coats this is the signed distance.
fn facing(
    r: &mut Random,
    aspect: f64,
    gap: impl Fn(f64, &mut Random) -> f64,
) -> (Ellipsoid, Ellipsoid, Pose, Pose, f64) {
    let (a, b) = (r.ellipsoid(aspect), r.ellipsoid(aspect));
    let (x_a, free, n) = (r.pose(1.0), r.pose(0.0), r.direction());
    let coats = a.radii_of_curvature()[0] + b.radii_of_curvature()[0];
    let gap = gap(coats, r);
    let p = x_a.point(&a.support(&x_a.direction_to_local(&n)));
    let q = free.point(&b.support(&-free.direction_to_local(&n)));
    (a, b, x_a, Pose { p: p + n * gap - q, r: free.r }, gap)
}

/// Against the distance, known by how the pair is put together, with margins from 1e-9 of the size: no answer is wrong.
fn agree_with_distances(count: usize, seed: u64) {
    let mut r = Random(seed);
    for k in 0..count {
        let sign = if k % 2 == 0 { 1.0 } else { -1.0 };
        let (a, b, x_a, x_b, gap) = facing(&mut r, 20.0, |coats, r| {
            let size = r.scale(1e-9, 1.0);
            if sign > 0.0 { size } else { -size * 0.99 * coats }
        });
        let pair = pairs::bind(&Shape::outside(a), &Shape::outside(b)).unwrap();
        let d = -pair.contact(0, &x_a, &x_b).unwrap().delta;
        assert!((d - gap).abs() < 1e-12, "{k}: {d} {gap}");
        let want = if gap > 0.0 { Separation::Separate } else { Separation::Overlap };
        let found = separation(&a, &b, &x_a, &x_b, 0.0).unwrap();
        assert_eq!(found, want, "{k}: {d:e} {a:?} {b:?} {x_a:?} {x_b:?}");
        // the other way round, too
        assert_eq!(separation(&b, &a, &x_b, &x_a, 0.0), Some(want), "{k}");
        // σ bounds the distance: (σ − 1)(h_A + h_B) ≤ d, of the same sign
        let scale = touching_scale(&a, &b, &x_a, &x_b).unwrap();
        assert!(scale.distance <= d + 1e-13 && (scale.sigma > 1.0) == (gap > 0.0), "{k}: {scale:?} {d:e}");
        // both, grown by σ, touch
        let grown = |e: &Ellipsoid| Shape::outside(egg((e.semi_axes() * scale.sigma).into()));
        let touch = pairs::bind(&grown(&a), &grown(&b)).unwrap().contact(0, &x_a, &x_b).unwrap();
        assert!(touch.delta.abs() < 1e-13 * (1.0 + scale.sigma), "{k}: {:e} {}", touch.delta, scale.sigma);
    }
}

#[test]
fn separation_agrees_with_distances() {
    agree_with_distances(5_000, 3);
}

#[test]
#[ignore = "takes a minute"]
fn separation_agrees_with_distances_at_length() {
    agree_with_distances(100_000, 4);
}

/// Any depth, one within the other included: what overlaps deeply is no touch.
#[test]
fn containment_is_overlap() {
    let mut r = Random(5);
    for _ in 0..1000 {
        let (a, b) = (r.ellipsoid(20.0), r.ellipsoid(20.0));
        let (x_a, turn) = (r.pose(1.0), r.turn());
        let s = r.direction() * r.between(0.0, 0.99);
        // a centre of B within A
        let x_b = Pose::new(x_a.point(&a.semi_axes().component_mul(&s)), &turn);
        assert_eq!(separation(&a, &b, &x_a, &x_b, 1e-12), Some(Separation::Overlap));
        assert_eq!(separation(&a, &b, &x_a, &x_a, 1e-12), Some(Separation::Overlap));
    }
}

/// At touch, with a tolerance.
#[test]
fn touch_is_told_to_the_tolerance() {
    let mut r = Random(6);
    for _ in 0..1000 {
        let (a, b, x_a, x_b, _) = facing(&mut r, 10.0, |_, _| 0.0);
        assert_eq!(separation(&a, &b, &x_a, &x_b, 1e-12), Some(Separation::Touching));
    }
    // balls: σ = |c|/(r + R)
    let (a, b) = (egg([0.3; 3]), egg([0.5; 3]));
    for (c, want) in [
        (0.8 + 1e-11, Separation::Separate),
        (0.8 + 1e-13, Separation::Touching),
        (0.8 - 1e-11, Separation::Overlap),
    ] {
        let x_b = Pose::at(Vec3::new(0.0, 0.6, 0.8) * c);
        assert_eq!(separation(&a, &b, &Pose::identity(), &x_b, 1e-12), Some(want), "{c}");
        let sigma = touching_scale(&a, &b, &Pose::identity(), &x_b).unwrap().sigma;
        assert!((sigma - c / 0.8).abs() < 4e-16);
    }
}

/// Wang, Wang and Kim's condition itself: det(λ A + B) > 0 for some λ > 0, tried at many.
#[test]
fn the_determinant_says_the_same() {
    let mut r = Random(7);
    let quadric = |e: &Ellipsoid, x: &Pose| {
        let inverse = e.semi_axes().map(|e| 1.0 / (e * e));
        let m = x.r * nalgebra::Matrix3::from_diagonal(&inverse) * x.r.transpose();
        let mut q = Matrix4::zeros();
        q.fixed_view_mut::<3, 3>(0, 0).copy_from(&m);
        let mp = -(m * x.p);
        q.fixed_view_mut::<3, 1>(0, 3).copy_from(&mp);
        q.fixed_view_mut::<1, 3>(3, 0).copy_from(&mp.transpose());
        q[(3, 3)] = -mp.dot(&x.p) - 1.0;
        q
    };
    for k in 0..2000 {
        let (a, b, x_a, x_b) = (r.ellipsoid(5.0), r.ellipsoid(5.0), r.pose(0.6), r.pose(0.6));
        let sigma = touching_scale(&a, &b, &x_a, &x_b).unwrap().sigma;
        if (sigma - 1.0).abs() < 1e-3 {
            continue;
        }
        let (qa, qb) = (quadric(&a, &x_a), quadric(&b, &x_b));
        let apart = (-600..600).any(|i| (qa * (f64::from(i) * 0.01).exp() + qb).determinant() > 0.0);
        assert_eq!(apart, sigma > 1.0, "{k}: {sigma}");
    }
}

// first contacts

fn twist(start: Pose, v: Vec3, omega: Vec3) -> Twist {
    Twist { start, v, omega }
}

/// |c + v t| = r + R.
#[test]
fn balls_touch_when_they_must() {
    let mut r = Random(11);
    let mut touched = 0;
    for _ in 0..2000 {
        let (ra, rb) = (r.between(0.1, 1.0), r.between(0.1, 1.0));
        let c = r.direction() * r.between(2.1, 5.0);
        let v = (r.direction() * 0.5 - c.normalize()) * r.between(0.1, 3.0);
        let other = r.direction();
        let spin = [r.direction() * 3.0, r.direction() * 5.0];
        let a = twist(Pose::new(Vec3::zeros(), &r.turn()), other, spin[0]);
        let b = twist(Pose::new(c, &r.turn()), other + v, spin[1]);
        let found = first_contact([&egg([ra; 3]), &egg([rb; 3])], [&a, &b], 10.0).unwrap();
        let (half, rest) = (c.dot(&v), c.norm_squared() - (ra + rb) * (ra + rb));
        let root = half * half - v.norm_squared() * rest;
        let t = rest / (-half + root.max(0.0).sqrt());
        match found {
            Some(found) => {
                touched += 1;
                // a graze magnifies rounding: dt = dd/|ḋ|
                let d_dot = root.sqrt() / (ra + rb);
                assert!((found.t - t).abs() < 1e-14 * (1.0 + t) * (1.0 + 1.0 / d_dot), "{} {t}", found.t);
            }
            None => assert!(root < 1e-13 || half > 0.0 || t > 10.0, "{root} {t}"),
        }
    }
    assert!(touched > 500);
}

/// Along a common axis the tips meet.
#[test]
fn aligned_ellipsoids_meet_at_their_tips() {
    let (a, b) = (egg([1.0, 0.2, 0.5]), egg([0.3, 0.7, 0.4]));
    for (axis, sum) in [(0, 1.3), (1, 0.9), (2, 0.9)] {
        let b_moves = twist(Pose::at(Vec3::ith(axis, 4.0)), Vec3::ith(axis, -0.5), Vec3::zeros());
        let a_moves = twist(Pose::identity(), Vec3::ith(axis, 1.5), Vec3::zeros());
        let found = first_contact([&a, &b], [&a_moves, &b_moves], 5.0).unwrap().unwrap();
        assert!((found.t - (4.0 - sum) / 2.0).abs() < 4e-16 * 4.0, "{axis}: {}", found.t);
        assert!(found.steps < 12, "{}", found.steps);
    }
}

/// A blade turns at ω; a ball rests where its tip comes by, its centre at the blade's height, R from the axis. Thin blade, so that the contact is next to the tip: the time is
/// where the distance of the ball's centre from the blade is the ball's radius, by the closest point to a point on an ellipsoid.
#[test]
fn a_turning_blade_meets_a_ball() {
    let (blade, radius, omega) = (egg([1.0, 0.05, 0.1]), 0.1, 2.0);
    let shape = Shape::outside(blade);
    for reach in [0.5, 0.9, 1.0, 1.05, 1.0999] {
        let centre = Vec3::new(0.0, reach, 0.0);
        let (turning, still) =
            (twist(Pose::identity(), Vec3::zeros(), Vec3::z() * omega), Twist::rest(Pose::at(centre)));
        let found = first_contact([&blade, &egg([radius; 3])], [&turning, &still], 3.0).unwrap().unwrap();
        let gap = |t: f64| {
            let closest_point = shape.surface.as_project().unwrap().closest_point(
                Side::Outside,
                0,
                &turning.pose(t).point_to_local(&centre),
            );
            closest_point.d - radius
        };
        // before: apart at all times; at it: touching
        assert!((0..10_000).all(|k| gap(found.t * f64::from(k) / 10_000.0) > 0.0), "{reach}");
        assert!(gap(found.t).abs() < 1e-15, "{reach}: {:e}", gap(found.t));
        let (mut low, mut high) = (0.0, found.t + 1e-3);
        while high - low > 1e-16 {
            let middle = 0.5 * (low + high);
            if middle == low || middle == high {
                break;
            }
            if gap(middle) > 0.0 { low = middle } else { high = middle }
        }
        let d_dot = (gap(found.t + 1e-6) - gap(found.t - 1e-6)).abs() / 2e-6;
        assert!((found.t - low).abs() < 1e-14 * (1.0 + 1.0 / d_dot), "{reach}: {} {low}", found.t);
    }
    // the tip sweeps the circle of radius 1: a ball just beyond it is never met, one that just reaches it is grazed at a quarter of a turn
    for (beyond, met) in [(1e-12, false), (-1e-12, true)] {
        let still = Twist::rest(Pose::at(Vec3::new(0.0, 1.0 + radius + beyond, 0.0)));
        let turning = twist(Pose::identity(), Vec3::zeros(), Vec3::z() * omega);
        let found = first_contact([&blade, &egg([radius; 3])], [&turning, &still], 3.0).unwrap();
        assert_eq!(found.is_some(), met, "{beyond} {found:?}");
        if let Some(found) = found {
            assert!((found.t - std::f64::consts::FRAC_PI_4).abs() < 1e-5, "{}", found.t);
            assert!(found.steps < 2000, "{}", found.steps);
        }
    }
}

/// Passing by with a known smallest gap: balls on parallel lines.
#[test]
fn grazes_are_told_from_misses() {
    let (a, b) = (egg([0.4, 0.4, 0.4]), egg([0.6, 0.6, 0.6]));
    for (beyond, met) in [(1e-13, false), (-1e-13, true), (1e-9, false), (-1e-9, true)] {
        let passing = twist(Pose::at(Vec3::new(-3.0, 1.0 + beyond, 0.0)), Vec3::x(), Vec3::zeros());
        let found = first_contact([&a, &b], [&Twist::rest(Pose::identity()), &passing], 6.0).unwrap();
        assert_eq!(found.is_some(), met, "{beyond}");
    }
}

#[test]
fn overlap_from_the_start_is_touch_at_once() {
    let e = egg([0.3, 0.2, 0.1]);
    let apart = twist(Pose::at(Vec3::new(0.1, 0.0, 0.0)), Vec3::x(), Vec3::zeros());
    let found = first_contact([&e, &e], [&Twist::rest(Pose::identity()), &apart], 1.0).unwrap().unwrap();
    assert_eq!(found.t, 0.0);
    assert!(found.contact.delta > 0.0);
}

/// Random motions: never overlapping at fine samples before the time found, touching at it; if there is none, never at all.
#[test]
fn random_motions_by_fine_sampling() {
    let mut r = Random(12);
    let (mut met, mut steps) = (0, Vec::new());
    for k in 0..150 {
        let (a, b) = (r.ellipsoid(8.0), r.ellipsoid(8.0));
        let start = r.direction() * 3.0;
        let aim = r.direction() * 0.8;
        let m_a =
            twist(Pose::new(Vec3::zeros(), &r.turn()), Vec3::zeros(), r.direction() * r.between(0.0, 6.0));
        let m_b = twist(Pose::new(start, &r.turn()), aim - start, r.direction() * r.between(0.0, 6.0));
        let pair = pairs::bind(&Shape::outside(a), &Shape::outside(b)).unwrap();
        let gap = |t: f64| -pair.contact(0, &m_a.pose(t), &m_b.pose(t)).unwrap().delta;
        let found = first_contact([&a, &b], [&m_a, &m_b], 2.0).unwrap();
        let end = found.as_ref().map_or(2.0, |f| f.t);
        for i in 0..400 {
            let t = end * f64::from(i) / 400.0;
            assert!(gap(t) > 0.0, "{k}: overlap at {t}, found {end}");
        }
        if let Some(found) = found {
            met += 1;
            steps.push(found.steps);
            assert!(gap(found.t).abs() < 1e-14, "{k}: {:e}", gap(found.t));
        }
    }
    steps.sort_unstable();
    assert!(met > 50, "{met}");
    assert!(steps[steps.len() / 2] < 40, "{:?}", &steps);
}

/// A motion of one's own: a fall, with its limits. Free fall from rest takes √(2 h/g).
#[test]
fn a_falling_egg_lands_in_time() {
    struct Fall;
    const G: f64 = 9.81;
    impl Motion for Fall {
        fn pose(&self, t: f64) -> Pose {
            Pose::new(Vec3::new(0.0, 0.0, 2.0 - 0.5 * G * t * t), &Quat::identity())
        }
        fn velocity(&self, t: f64) -> (Vec3, Vec3) {
            (Vec3::new(0.0, 0.0, -G * t), Vec3::zeros())
        }
        fn limits(&self, _end: f64) -> Limits {
            Limits { acceleration: G, spin: 0.0, spin_rate: 0.0 }
        }
    }
    let e = egg([0.2, 0.1, 0.3]);
    let found = first_contact([&e, &e], [&Twist::rest(Pose::identity()), &Fall], 1.0).unwrap().unwrap();
    assert!((found.t - (2.0 * 1.4 / G).sqrt()).abs() < 1e-15);
}
