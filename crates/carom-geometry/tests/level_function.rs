//! Surfaces by functions against those by formulas.

use carom_base::Dual;
use carom_geometry::surfaces::{
    Capsule, Cuboid, Cylinder, Ellipsoid, LevelFunction, Plane, Sphere, Superellipsoid, Torus,
};
use carom_geometry::{Pose, Project, Region, Shape, Side, Support, Surface, Vec3, pairs};
use nalgebra::Rotation3;

/// Points around and within a box of half side 1.
fn points() -> impl Iterator<Item = Vec3> {
    // Halton's sequence
    let radical = |mut i: usize, base: usize| {
        let (mut f, mut x) = (1.0, 0.0);
        while i > 0 {
            f /= base as f64;
            x += f * (i % base) as f64;
            i /= base;
        }
        x
    };
    (1..200).map(move |i| Vec3::new(radical(i, 2), radical(i, 3), radical(i, 5)) * 4.0 - Vec3::repeat(2.0))
}

fn compare(own: &LevelFunction, known: &dyn Project, accuracy: f64) {
    for side in [Side::Outside, Side::Inside] {
        for x in points() {
            let (a, b) = (own.closest_point(side, 0, &x), known.closest_point(side, 0, &x));
            assert!((a.d - b.d).abs() < 1e-11, "{x:?} {side:?}: {} for {}", a.d, b.d);
            let k = known.curvature(side, 0, &x);
            // closest points to points near a centre of curvature are as uncertain as they are many
            let spread = (1.0 + b.d * k.k1).abs().min((1.0 + b.d * k.k2).abs());
            if spread < 0.05 || b.d.abs() < 1e-3 {
                continue;
            }
            assert!((a.p - b.p).norm() < accuracy / spread && (a.n - b.n).norm() < accuracy * 10.0 / spread);
            let x = Vec3::from_fn(|i, _| Dual::<3>::variable(x[i], i));
            let (a, b) = (own.closest_point_dual(side, 0, &x), known.closest_point_dual(side, 0, &x));
            for i in 0..3 {
                for j in 0..3 {
                    assert!((a.n[i].eps[j] - b.n[i].eps[j]).abs() < 1e-4 / spread);
                }
            }
        }
    }
}

#[test]
fn an_ellipsoid() {
    let known = Ellipsoid::new([1.0, 0.7, 0.5]).unwrap();
    let within = Region::new([-1.1; 3], [1.1; 3]).unwrap();
    let f = |x: &Vec3| x.x * x.x + x.y * x.y / 0.49 + x.z * x.z / 0.25 - 1.0;
    compare(&LevelFunction::new(within, f).unwrap(), &known, 1e-8);
    let g = |x: &Vec3| Vec3::new(2.0 * x.x, 2.0 * x.y / 0.49, 2.0 * x.z / 0.25);
    compare(&LevelFunction::with_gradient(within, f, g).unwrap(), &known, 1e-12);
}

/// Deep in a long ellipsoid that is almost round across, all of a ring is about as near, and two places on it are the nearest.
#[test]
fn deep_in_a_long_ellipsoid_the_nearest_of_a_ring_is_found() {
    let [a, b, c] = [0.1401, 0.5316, 0.1364];
    let known = Ellipsoid::new([a, b, c]).unwrap();
    let f = move |x: &Vec3| (x.x / a).powi(2) + (x.y / b).powi(2) + (x.z / c).powi(2) - 1.0;
    let slope = move |x: &Vec3| Vec3::new(x.x / (a * a), x.y / (b * b), x.z / (c * c)) * 2.0;
    let within = Region::new([-1.2 * a, -1.2 * b, -1.2 * c], [1.2 * a, 1.2 * b, 1.2 * c]).unwrap();
    let own = LevelFunction::with_gradient(within, f, slope).unwrap();
    let mut worst = 0.0f64;
    for u in points() {
        let x = u.component_mul(&Vec3::new(0.02 * a, 0.4 * b, 0.02 * c));
        let (found, exact) =
            (own.closest_point(Side::Outside, 0, &x), known.closest_point(Side::Outside, 0, &x));
        worst = worst.max((found.d - exact.d).abs());
    }
    assert!(worst < 1e-12, "{worst:e}");
}

#[test]
fn a_torus_and_its_hollow() {
    let known = Torus::new(0.8, 0.3).unwrap();
    let within = Region::new([-1.2, -1.2, -0.4], [1.2, 1.2, 0.4]).unwrap();
    let own = LevelFunction::new(within, |x| (x.x.hypot(x.y) - 0.8).powi(2) + x.z * x.z - 0.09).unwrap();
    for x in points() {
        let (a, b) = (own.closest_point(Side::Outside, 0, &x), known.closest_point(Side::Outside, 0, &x));
        assert!((a.d - b.d).abs() < 1e-10, "{x:?}: {} for {}", a.d, b.d);
    }
    // the inner equator sees a hollow of radius 0.5; half of it is promised
    assert!(
        (own.hollow_radius(Side::Outside) / 0.25 - 1.0).abs() < 0.05,
        "{}",
        own.hollow_radius(Side::Outside)
    );
    assert!((own.hollow_radius(Side::Inside) / 0.15 - 1.0).abs() < 0.05);
}

#[test]
fn its_mesh_is_on_it() {
    let within = Region::new([-1.2; 3], [1.2; 3]).unwrap();
    let ball = LevelFunction::new(within, |x| x.norm_squared() - 1.0).unwrap();
    let mesh = ball.mesh(24, 1.0);
    assert!(mesh.vertices.len() > 100);
    assert!(mesh.vertices.iter().all(|v| (Vec3::from(*v).norm() - 1.0).abs() < 1e-12));
}

#[test]
fn what_is_no_closed_surface_is_refused() {
    let within = || Region::new([-1.0; 3], [1.0; 3]).unwrap();
    let message = |f: fn(&Vec3) -> f64| LevelFunction::new(within(), f).unwrap_err().to_string();
    assert!(message(|_| 1.0).contains("without a zero"));
    assert!(message(|x| x.z).contains("all of it within the box"));
}

/// Poses around the origin, turned.
fn poses() -> impl Iterator<Item = Pose> {
    points().step_by(3).zip(points().skip(7)).map(|(p, turn)| {
        let r = Rotation3::from_euler_angles(turn.x, turn.y, turn.z).into_inner();
        Pose { p: p * 1.2, r }
    })
}

fn egg(gradient: bool) -> LevelFunction {
    let within = Region::new([-1.1; 3], [1.2, 1.1, 1.3]).unwrap();
    let f = |x: &Vec3| x.x * x.x + x.y * x.y / 0.49 + x.z * x.z / 0.25 - 1.0;
    let g = |x: &Vec3| Vec3::new(2.0 * x.x, 2.0 * x.y / 0.49, 2.0 * x.z / 0.25);
    match gradient {
        true => LevelFunction::with_gradient(within, f, g).unwrap(),
        false => LevelFunction::new(within, f).unwrap(),
    }
}

#[test]
fn tangent_planes_of_an_ellipsoid() {
    let known = Ellipsoid::new([1.0, 0.7, 0.5]).unwrap();
    for own in [egg(false), egg(true)] {
        let support = own.as_support().expect("it is convex");
        assert!(support.is_strict());
        // 1/4 halved, 2 and a tenth
        assert!((support.least_radius() / 0.125 - 1.0).abs() < 0.05, "{}", support.least_radius());
        assert!((support.largest_radius() / 2.2 - 1.0).abs() < 0.05, "{}", support.largest_radius());
        for m in points() {
            let (a, b) = (support.support(&m), Support::support(&known, &m));
            assert!((a - b).dot(&m).abs() < 1e-14 * m.norm() && (a - b).norm() < 1e-8, "{a} {b}");
        }
    }
}

/// Against whatever an ellipsoid touches, as the ellipsoid does.
#[test]
fn pairs_of_an_egg_are_those_of_an_ellipsoid() {
    let known = Shape::outside(Ellipsoid::new([1.0, 0.7, 0.5]).unwrap());
    let others = [
        Shape::outside(Plane),
        Shape::outside(Sphere::new(0.6).unwrap()),
        Shape::outside(Ellipsoid::new([0.5, 0.6, 0.9]).unwrap()),
        Shape::outside(Superellipsoid::new([0.5, 0.6, 0.9], [3.0, 2.5, 4.0]).unwrap()),
        Shape::outside(Cuboid::new([1.0, 0.8, 0.5]).unwrap()),
        Shape::outside(Capsule::new(0.2, 0.8).unwrap()),
        Shape::outside(Cylinder::new(0.4, 0.8).unwrap()),
        Shape::outside(Torus::new(1.0, 0.2).unwrap()),
        Shape::inside(Sphere::new(4.0).unwrap()),
        Shape::inside(Cuboid::new([6.0; 3]).unwrap()),
        Shape::inside(Cylinder::new(4.0, 9.0).unwrap()),
    ];
    for gradient in [false, true] {
        let own = Shape::outside(egg(gradient));
        for other in &others {
            let [a, b] = [&own, &known].map(|shape| pairs::bind(shape, other).unwrap());
            let mut compared = 0;
            for x in poses() {
                let ([Ok(a), Ok(b)], o) =
                    ([&a, &b].map(|pair| pair.search(&Pose::identity(), &x, None)), other.describe())
                else {
                    continue;
                };
                compared += 1;
                // deeply in one another there is more than one way out
                let off = (a.contact.delta - b.contact.delta).abs();
                assert!(off < 1e-10, "{o} at {x:?}: {} for {}", a.contact.delta, b.contact.delta);
            }
            assert!(compared > 50, "{}: {compared}", other.describe());
        }
    }
}

#[test]
fn two_of_them_and_one_in_another() {
    let (own, room) = (Shape::outside(egg(true)), Region::new([-5.4; 3], [5.4; 3]).unwrap());
    let room = Shape::inside(LevelFunction::new(room, |x| x.norm_squared() / 25.0 - 1.0).unwrap());
    let known = Shape::outside(Ellipsoid::new([1.0, 0.7, 0.5]).unwrap());
    let bowl = Shape::inside(Sphere::new(5.0).unwrap());
    for (a, b) in [(&own, &known), (&room, &bowl)] {
        let [a, b] = [pairs::bind(&own, a).unwrap(), pairs::bind(&known, b).unwrap()];
        for x in poses() {
            let [a, b] = [&a, &b].map(|p| p.search(&Pose::identity(), &x, None).unwrap().contact);
            assert!((a.delta - b.delta).abs() < 1e-10, "{x:?}: {} for {}", a.delta, b.delta);
        }
    }
}

#[test]
fn one_that_is_not_convex_touches_balls_alone_and_says_so() {
    let within = Region::new([-1.2, -1.2, -0.4], [1.2, 1.2, 0.4]).unwrap();
    let ring = |x: &Vec3| (x.x.hypot(x.y) - 0.8).powi(2) + x.z * x.z - 0.09;
    let ring = Shape::outside(LevelFunction::new(within, ring).unwrap());
    assert!(ring.surface.as_support().is_none());
    assert!(pairs::bind(&ring, &Shape::outside(Sphere::new(0.1).unwrap())).is_ok());
    let error = pairs::bind(&ring, &Shape::outside(Plane)).unwrap_err().to_string();
    assert!(
        error.starts_with(
            "own against plane has no contact points that an algorithm knows: over the patch where they overlap they press on one another with `law = \"foundation\"` as `normal`; own touches sphere, in slices torus; plane touches"
        ),
        "{error}"
    );
    // nor do two balls make one convex solid
    let within = Region::new([-2.0, -0.7, -0.7], [2.0, 0.7, 0.7]).unwrap();
    let two =
        LevelFunction::new(within, |x| (x.x.abs() - 1.0).powi(2) + x.y * x.y + x.z * x.z - 0.25).unwrap();
    assert!(two.as_support().is_none());
}

#[test]
fn a_rounded_cube_is_a_superellipsoid() {
    let within = Region::new([-1.2; 3], [1.2; 3]).unwrap();
    let own = LevelFunction::new(within, |x| x.map(|c| c.powi(4)).sum() - 1.0).unwrap();
    let known = Superellipsoid::new([1.0; 3], [4.0; 3]).unwrap();
    let support = own.as_support().expect("it is convex");
    assert!(support.is_strict() && support.largest_radius().is_infinite());
    for m in points() {
        let (a, b) = (support.support(&m), Support::support(&known, &m));
        assert!((a - b).dot(&m).abs() < 1e-13 * m.norm(), "{m:?}: {a} {b}");
    }
}
