//! Superellipsoids: forms against each other and the ellipsoid, supports, curvatures and reach against search.

use crate::common::RandomSolids as _;
use std::f64::consts::PI;

use crate::common::Random;
use carom_base::{Dual, Mat3, Pose, Quat, Scalar, Vec3};
use carom_geometry::surfaces::{Ellipsoid, Plane, Superellipsoid};
use carom_geometry::{GapBounds, Implicit, Shape, Side, Support, Surface, pairs};

#[test]
fn derivatives_are_those_of_differences() {
    let mut random = Random(1);
    for _ in 0..500 {
        let e = random.superellipsoid();
        let x = random.vector().component_mul(e.semi_axes()) * 1.3;
        let level = e.level(&x);
        let h = 1e-6;
        for i in 0..3 {
            let step = Vec3::ith(i, h * e.semi_axes()[i]);
            let (after, before) = (e.level(&(x + step)), e.level(&(x - step)));
            let difference = (after.f - before.f) / (2.0 * step[i]);
            let scale = level.gradient.norm() + 1.0 / e.semi_axes().min();
            assert!((difference - level.gradient[i]).abs() < 1e-7 * scale, "{e:?} {x}");
            let column = (after.gradient - before.gradient) / (2.0 * step[i]);
            let scale = level.hessian.norm() + 1.0 / e.semi_axes().min().powi(2);
            assert!((column - level.hessian.column(i)).norm() < 1e-4 * scale, "{e:?} {x}");
        }
    }
}

#[test]
fn levels_are_finite_on_axes_and_planes() {
    let values = [-1.0, -0.3, -0.0, 0.0, 1e-320, 1e-200, 0.3, 1.0];
    for g in [2.0, 2.5, 3.0, 7.0, 20.0] {
        for g2 in [2.0, 2.1, 4.0, 16.0] {
            for e in [
                Superellipsoid::barr([0.5, 2.0, 1.0], [g, g2]).unwrap(),
                Superellipsoid::new([0.5, 2.0, 1.0], [g, g2, 3.0]).unwrap(),
            ] {
                for x in values.iter().flat_map(|x| values.iter().map(move |y| (*x, *y))) {
                    for z in values {
                        let x = Vec3::new(x.0, x.1, z);
                        let level = e.level(&x);
                        let all = level.f + level.gradient.sum() + level.hessian.sum();
                        assert!(all.is_finite(), "{e:?} {x}");
                        let k = e.curvature_at(Side::Outside, &x);
                        assert!((k.k1 + k.k2).is_finite() || x.norm() < 1e-100, "{e:?} {x}");
                    }
                }
            }
        }
    }
}

#[test]
fn the_support_has_the_normal_asked_for() {
    let mut random = Random(2);
    let mut e = random.superellipsoid();
    for k in 0..20_000 {
        if k % 20 == 0 {
            e = random.superellipsoid();
        }
        let m = random.special_direction();
        let p = e.support(&m);
        let sharpest = e.semi_axes().max() / e.least_radius();
        assert!(e.implicit(&p).abs() < 2e-15 * e.exponents().max(), "{e:?} {m}: {:e}", e.implicit(&p));
        let off = (e.normal(&p) - m).norm();
        assert!(off < 4e-16 * (sharpest + e.exponents().max()), "{e:?} {m}: {off:e}");
        for i in 0..3 {
            assert!(m[i] != 0.0 || p[i] == 0.0, "{e:?} {m} {p}");
        }
        for scale in [1e-290, 1e-20, 1e20, 1e290] {
            let again = e.support(&(m * scale));
            assert!((again - p).norm() <= 1e-15 * p.norm(), "{e:?} {m} {scale}");
        }
    }
}

/// Semi axes, exponents, direction; h and the point to 18 digits, by bisection or dual norms in arithmetic of 40.
#[test]
fn supports_of_higher_precision() {
    let check = |e: Superellipsoid, m: [f64; 3], h: f64, p: [f64; 3]| {
        let (m, p) = (Vec3::from(m), Vec3::from(p));
        let found = e.support(&m);
        assert!((m.dot(&found) / h - 1.0).abs() < 1e-15, "{e:?} {m}");
        let off = (found - p).component_div(&p).amax();
        assert!(off < 2e-15, "{e:?} {m}: {off:e}");
    };
    for (axes, g, m, h, p) in [
        (
            [0.7, 0.5, 0.9],
            [3.0, 4.0, 2.5],
            [0.3, -0.8, 0.52],
            0.776385042117843901,
            [0.363471104230930177, -0.363790950241261877, 0.723674905106837157],
        ),
        (
            [1.0, 0.05, 0.3],
            [20.0, 2.0, 7.0],
            [0.001, 0.9, -0.3],
            0.114498525810009816,
            [0.715630810242691123, 0.0390188162694739432, -0.262219867857468594],
        ),
        (
            [0.2, 1.3, 0.6],
            [2.0, 2.2, 16.0],
            [1e-09, 0.4, 0.6],
            0.808098539860024428,
            [8.09662566675231092e-11, 1.25310931697374099, 0.511424688450880026],
        ),
        (
            [0.9, 0.4, 0.6],
            [6.0, 6.0, 6.0],
            [-0.5, 0.5, 0.7],
            0.900342751899453668,
            [-0.783435844027048797, 0.29606319115275369, 0.515133191870789209],
        ),
    ] {
        check(Superellipsoid::new(axes, g).unwrap(), m, h, p);
    }
    for (axes, g, m, h, p) in [
        (
            [0.7, 0.5, 0.9],
            [3.0, 4.0],
            [0.3, -0.8, 0.52],
            0.785773913340642424,
            [0.421084871102052737, -0.372839429461155436, 0.694570977771350441],
        ),
        (
            [1.0, 0.05, 0.3],
            [20.0, 2.5],
            [0.001, 0.9, -0.3],
            0.130834296842160582,
            [0.0746762173746350841, 0.0472382707912059528, -0.294150589709001971],
        ),
        (
            [0.2, 1.3, 0.6],
            [2.0, 16.0],
            [1e-09, 0.4, 0.6],
            0.632455532070009598,
            [0.0387559559646557663, 1.06884984916028699, 0.341525987278564715],
        ),
    ] {
        check(Superellipsoid::barr(axes, g).unwrap(), m, h, p);
    }
}

#[test]
fn no_point_is_further_than_the_support() {
    let mut random = Random(3);
    for _ in 0..300 {
        let e = random.superellipsoid();
        let points: Vec<Vec3> =
            (0..400).map(|_| e.point(2.0 * PI * random.next(), 2.0 * PI * random.next())).collect();
        for p in &points {
            assert!(e.implicit(p).abs() < 2e-15 * e.exponents().max());
            assert!(p.norm() <= e.bounds().radius, "{e:?}");
        }
        for _ in 0..20 {
            let m = random.special_direction();
            let h = m.dot(&e.support(&m));
            assert!(points.iter().all(|p| m.dot(p) <= h * (1.0 + 1e-15)), "{e:?} {m}");
        }
    }
}

#[test]
fn exponents_of_two_are_the_ellipsoid() {
    let (mut random, axes) = (Random(4), [0.3, 0.9, 0.5]);
    let e = Ellipsoid::new(axes).unwrap();
    for s in [Superellipsoid::new(axes, [2.0; 3]).unwrap(), Superellipsoid::barr(axes, [2.0, 2.0]).unwrap()] {
        for _ in 0..200 {
            let m = random.special_direction();
            let p = s.support(&m);
            assert!((p - e.support(&m)).norm() < 1e-15);
            let (a, b) = (s.level(&p), e.level(&p));
            assert!((a.f - b.f).abs() < 1e-15 && (a.gradient - b.gradient).norm() < 1e-14);
            assert!((a.hessian - b.hessian).norm() < 1e-13);
        }
        assert_eq!(s.largest_radius(), e.largest_radius());
        assert!((s.bounds().radius / 0.9 - 1.0).abs() < 1e-14);
        let ratio = s.least_radius() / e.least_radius();
        assert!(ratio <= 1.0 && ratio > 0.85, "{ratio}");
        let (a, b) = (s.solid().unwrap(), e.solid().unwrap());
        assert!((a.volume / b.volume - 1.0).abs() < 1e-13 && (a.inertia - b.inertia).norm() < 1e-13);
        let (a, b) = (s.shell().unwrap(), e.shell().unwrap());
        assert!((a.area / b.area - 1.0).abs() < 1e-13 && (a.inertia - b.inertia).norm() < 1e-13);
    }
}

#[test]
fn equal_exponents_make_both_forms_the_same() {
    let mut random = Random(5);
    for g in [2.0, 2.4, 4.0, 11.0] {
        let axes = [0.7, 0.2, 1.1];
        let (a, b) =
            (Superellipsoid::new(axes, [g; 3]).unwrap(), Superellipsoid::barr(axes, [g, g]).unwrap());
        for _ in 0..200 {
            let m = random.special_direction();
            assert!((a.support(&m) - b.support(&m)).norm() < 1e-14);
            let x = random.vector();
            let (a, b) = (a.level(&x), b.level(&x));
            assert!((a.f - b.f).abs() < 1e-13 * (2.0 + a.f));
            assert!((a.gradient - b.gradient).norm() < 1e-13 * a.gradient.norm());
            assert!((a.hessian - b.hessian).norm() < 1e-12 * a.hessian.norm());
        }
        assert!((a.bounds().radius / b.bounds().radius - 1.0).abs() < 1e-14);
        // by Hölder's inequality: (Σ e^(2γ/(γ − 2)))^(1/2 − 1/γ)
        if g > 2.0 {
            let p = 2.0 * g / (g - 2.0);
            let reach = axes.iter().map(|e| e.powf(p)).sum::<f64>().powf(1.0 / p);
            assert!((a.bounds().radius / reach - 1.0).abs() < 1e-13, "{g}");
        }
        assert!((a.solid().unwrap().volume / b.solid().unwrap().volume - 1.0).abs() < 1e-13);
    }
}

/// A die bends most in the middle of its edges, as the superellipse there does: (γ − 1) 2^(1/γ − 1/2).
#[test]
fn the_edges_of_a_die() {
    for g in [2.0, 2.5, 4.0, 9.0, 40.0] {
        let k = (g - 1.0) * 2f64.powf(1.0 / g - 0.5);
        for e in
            [Superellipsoid::new([1.0; 3], [g; 3]).unwrap(), Superellipsoid::barr([1.0; 3], [g; 2]).unwrap()]
        {
            let edge = e.curvature_at(Side::Outside, &e.support(&Vec3::new(1.0, 1.0, 0.0)));
            assert!((edge.k1 / k - 1.0).abs() < 1e-14, "{g}");
            assert!(k * e.least_radius() <= 1.0 && k * e.least_radius() > 1.0 / 1.16, "{g}");
        }
    }
}

/// No curvature above 1/least_radius, and some nearly that.
#[test]
fn the_smallest_radius_of_curvature_is_a_bound_and_close() {
    let mut random = Random(6);
    for _ in 0..150 {
        let e = random.superellipsoid();
        let mut most = 0.0f64;
        let mut look = |p: Vec3| {
            let k = e.curvature_at(Side::Outside, &p);
            assert!(k.k2 >= -1e-12 * k.k1 && k.k1 * e.least_radius() <= 1.0, "{e:?} {p} {k:?}");
            most = most.max(k.k1);
        };
        // by shares and by normals: flats are wide in one, edges in the other
        for (i, j) in (0..=90).flat_map(|i| (0..=90).map(move |j| (i, j))) {
            let (a, b) = (f64::from(i) * PI / 180.0, f64::from(j) * PI / 180.0);
            look(e.point(a, b));
            look(e.support(&Vec3::new(a.cos() * b.cos(), a.sin() * b.cos(), b.sin())));
        }
        assert!(most * e.least_radius() > 0.8, "{e:?}: {}", most * e.least_radius());
    }
}

/// The slope of the support point is the inverse of the shape operator.
#[test]
fn curvature_is_that_of_the_support() {
    let mut random = Random(7);
    for _ in 0..2000 {
        let e = random.superellipsoid();
        let m = random.vector().normalize();
        let p = e.support(&m);
        let k = Support::curvature_at(&e, &p, &m);
        let h = 1e-6;
        let column = |i: usize| {
            let at = |t: f64| e.support(&(m + Vec3::ith(i, t)));
            (at(h) - at(-h)) / (2.0 * h)
        };
        let slope = Mat3::from_columns(&[column(0), column(1), column(2)]);
        // where it is nearly flat differences say little
        if k.k2 * e.semi_axes().max() > 0.1 {
            let trace = 1.0 / k.k1 + 1.0 / k.k2;
            assert!((slope.trace() / trace - 1.0).abs() < 1e-4, "{e:?} {m}: {} {trace}", slope.trace());
        }
    }
}

#[test]
fn on_a_plane_no_point_is_lower() {
    let mut random = Random(8);
    for _ in 0..200 {
        let e = random.superellipsoid();
        let pair = pairs::bind(&Shape::outside(Plane), &Shape::outside(e)).unwrap();
        assert_eq!(pair.solver(), "plane-convex");
        let x_b = Pose::new(random.vector(), &Quat::from_scaled_axis(random.vector() * 3.0));
        let c = pair.contact(0, &Pose::identity(), &x_b).unwrap();
        let down = -x_b.direction_to_local(&Vec3::z());
        let height = x_b.p.z - down.dot(&e.support(&down));
        assert!((c.delta + height).abs() < 1e-15 && c.p_a.z.abs() < 1e-15);
        let lowest = |i: i32, j: i32| x_b.point(&e.point(0.1 * f64::from(i), 0.1 * f64::from(j))).z;
        assert!((0..63).all(|i| (-16..17).all(|j| lowest(i, j) >= height - 1e-15)));
    }
}

/// Flat on a plane the lowest point has no finite rate, but the gap has, and it is that of the material.
#[test]
fn on_a_flat_the_gap_has_its_derivatives() {
    let e = Superellipsoid::new([0.5, 0.4, 0.3], [4.0, 2.0, 6.0]).unwrap();
    let pair = pairs::bind(&Shape::outside(Plane), &Shape::outside(e)).unwrap();
    assert_eq!(pair.bounds(), GapBounds::UNKNOWN);
    let variable = |i: usize| Dual::<6>::variable(0.0, i);
    let fixed = Pose::<Dual<6>> { p: Vec3::zeros(), r: Mat3::identity() };
    // moved by the first three, turned by the others, about an axis off the lowest point
    let (w, mut x_b) = (Vec3::new(variable(3), variable(4), variable(5)), fixed);
    x_b.p = Vec3::new(variable(0), variable(1), variable(2) + Dual::from_f64(0.25));
    x_b.r = Mat3::from_columns(&[0, 1, 2].map(|i| {
        let axis = fixed.r.column(i).into_owned();
        axis + w.cross(&axis)
    }));
    let c = pair.contact_dual(0, &fixed, &x_b).unwrap().unwrap();
    assert!((c.delta.re - 0.05).abs() < 1e-16);
    assert_eq!(c.delta.eps, [0.0, 0.0, -1.0, 0.0, 0.0, 0.0]);
    // along y it is round: turned about x its lowest point slides by the height of the centre less that radius
    let radius = 0.4 * 0.4 * 6.0 / (2.0 * 0.3); // |∇F|/h_y
    let slide = c.p_b.y.eps[3];
    assert!((slide - (0.3 - radius)).abs() < 1e-15, "{slide}");
    assert!(c.p_b.iter().all(|x| x.eps.iter().all(|e| e.is_finite())));
}

#[test]
fn refuses_what_is_no_superellipsoid() {
    for bad in [0.0, -1.0, 1.9, f64::NAN, f64::INFINITY] {
        assert!(Superellipsoid::new([1.0; 3], [2.0, bad, 3.0]).is_err());
        assert!(Superellipsoid::barr([1.0; 3], [2.0, bad]).is_err());
    }
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(Superellipsoid::new([1.0, bad, 1.0], [2.0; 3]).is_err());
    }
}
