//! Quadrics and open superquadrics: closed forms, and closest points against a search over the surface.

use std::sync::Arc;

use crate::common::{cases, vector};
use carom_base::{Dual, Vec3};
use carom_geometry::surfaces::{Cylinder, Ellipsoid, Quadric, Superquadric};
use carom_geometry::{Implicit, Mesh, Project, Region, Side, Surface, pairs};
use proptest::prelude::*;

const WHOLE: [[f64; 3]; 2] = [[-1.5; 3], [1.5; 3]];

fn quadric(coefficients: [f64; 6], [min, max]: [[f64; 3]; 2]) -> Quadric {
    Quadric::new(&coefficients, Some(Region::new(min, max).unwrap())).unwrap()
}

fn superquadric(a: [f64; 3], gamma: [f64; 2], [min, max]: [[f64; 3]; 2]) -> Superquadric {
    Superquadric::new(&a, &gamma, Region::new(min, max).unwrap()).unwrap()
}

/// Every member of Lopes' Table 3 and more, cut in various ways.
fn quadrics() -> Vec<Quadric> {
    vec![
        quadric([1.0, 1.5, 0.8, 0.0, 0.0, 0.0], [[-0.7, -2.0, -0.5], [2.0, 0.6, 2.0]]),
        quadric([1.3, 0.9, -0.7, 0.0, 0.0, 0.0], WHOLE),
        quadric([1.3, 1.3, -0.7, 0.0, 0.0, 0.0], [[0.2, -1.0, -1.0], [1.5, 1.2, 0.9]]),
        quadric([-1.0, -2.0, 3.0, 0.0, 0.0, 0.0], WHOLE),
        quadric([0.8, 1.1, 0.0, 0.0, 0.0, -0.9], WHOLE),
        quadric([0.6, 0.6, 0.0, 0.0, 0.0, -1.0], [[-1.2, -1.2, -1.0], [1.2, 1.2, -0.3]]),
        quadric([1.1, -0.7, 0.0, 0.0, 0.0, -0.8], WHOLE),
        quadric([0.0, 0.0, 1.1, -0.8, 0.0, 0.0], WHOLE),
        quadric([1.0, 2.0, 0.0, 0.0, 0.0, 0.0], [[-1.5, -0.3, -1.0], [1.5, 1.5, 1.0]]),
        quadric([0.0, 0.0, 0.0, 1.0, 2.0, -0.5], WHOLE),
    ]
}

fn superquadrics() -> Vec<Superquadric> {
    vec![
        superquadric([1.2, 0.8, -0.6], [2.5, 3.5], WHOLE),
        superquadric([1.0, 1.0, -1.0], [4.0, 3.0], [[-0.5, 0.1, -1.0], [1.5, 1.5, 0.6]]),
        superquadric([2.0, -0.6, -0.8], [3.0, 2.0], WHOLE),
        superquadric([1.0, 1.3, 0.0], [2.0, 6.0], [[-1.5, -1.5, -0.7], [1.5, 1.5, 0.9]]),
    ]
}

/// The distance from a triangle's points, refined: the nearest vertex of a fine mesh bounds the distance from above, and the distance less
/// half a cell's diagonal from below.
fn search(mesh: &Mesh, x: &Vec3) -> f64 {
    mesh.vertices.iter().map(|v| (Vec3::from(*v) - x).norm()).fold(f64::INFINITY, f64::min)
}

fn closest_points_are_the_nearest_points(project: &dyn Project, cell: f64, points: &[Vec3]) {
    let (mesh, level) = (project.mesh(128, 0.0), project.as_implicit().unwrap());
    assert!(mesh.vertices.iter().all(|v| level.level(&Vec3::from(*v)).f.abs() < 1e-13));
    for x in points {
        let (closest_point, found) = (project.closest_point(Side::Outside, 0, x), search(&mesh, x));
        assert!(
            level.level(&closest_point.p).f.abs() < 2e-14 * (1.0 + closest_point.p.norm_squared()),
            "{x} {:?}",
            closest_point.p
        );
        assert!(closest_point.d <= found + 1e-13, "{project:?} {x}: {} > {found}", closest_point.d);
        // a point of the surface has a vertex within a cell's diagonal
        assert!(closest_point.d >= found - cell, "{project:?} {x}: {} << {found}", closest_point.d);
    }
}

/// Points all over, and on axes and planes of symmetry.
fn points() -> Vec<Vec3> {
    let mut seed = 1u64;
    let mut next = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1u64 << 53) as f64 * 4.4 - 2.2
    };
    let mut points: Vec<Vec3> = (0..400).map(|_| Vec3::new(next(), next(), next())).collect();
    for k in 0..60 {
        let mut x = points[k];
        x[k % 3] = if k % 2 == 0 { 0.0 } else { 1e-13 };
        points.push(x);
        x[(k + 1) % 3] = 0.0;
        points.push(x);
    }
    points
}

#[test]
fn no_point_of_a_quadric_is_nearer_than_the_closest_point() {
    for surface in quadrics() {
        closest_points_are_the_nearest_points(&surface, 0.1, &points());
    }
}

#[test]
fn no_point_of_a_superquadric_is_nearer_than_the_closest_point() {
    for surface in superquadrics() {
        closest_points_are_the_nearest_points(&surface, 0.1, &points());
    }
}

#[test]
fn with_exponents_of_two_they_are_the_same() {
    for (a, region) in [
        ([1.3, 0.9, -0.7], WHOLE),
        ([2.0, -0.6, -0.8], WHOLE),
        ([1.3, 1.3, -0.7], [[0.2, -1.0, -1.0], [1.5, 1.2, 0.9]]),
    ] {
        let exact = quadric([a[0], a[1], a[2], 0.0, 0.0, 0.0], region);
        let searched = superquadric(a, [2.0, 2.0], region);
        for x in points() {
            let [e, s] = [&exact as &dyn Project, &searched].map(|p| p.closest_point(Side::Outside, 0, &x));
            // next to an axis of revolution the way down is all but flat
            assert!((e.d - s.d).abs() < 1e-13, "{a:?} {x}: {} {}", e.d, s.d);
            let [e, s] = [&exact as &dyn Implicit, &searched].map(|p| p.level(&x));
            assert!((e.gradient - s.gradient).norm() < 1e-13);
        }
    }
}

#[test]
fn an_ellipsoid_by_its_coefficients() {
    let (egg, semi) = (Ellipsoid::new([0.5, 1.0, 2.0]).unwrap(), [4.0, 1.0, 0.25, 0.0, 0.0, 0.0]);
    let same = Quadric::new(&semi, None).unwrap();
    assert!(same.is_closed() && same.solid() == egg.solid() && same.shell() == egg.shell());
    // cut by a box around it, it is its own sheet
    let cut = quadric(semi, [[-3.0; 3], [3.0; 3]]);
    for x in points() {
        for side in [Side::Outside, Side::Inside] {
            let [e, s] = [&egg as &dyn Project, &same].map(|p| p.closest_point(side, 0, &x));
            assert!((e.d - s.d).abs() < 1e-15 && (e.p - s.p).norm() < 1e-15);
        }
        let (e, c) = (egg.closest_point(Side::Outside, 0, &x), cut.closest_point(Side::Outside, 0, &x));
        assert!((e.d.abs() - c.d).abs() < 2e-15, "{x}: {} {}", e.d, c.d);
    }
    assert_eq!(cut.hollow_radius(Side::Outside), egg.hollow_radius(Side::Inside));
}

#[test]
fn a_tube_by_its_coefficients() {
    let tube = Cylinder::new(0.5, 2.0).unwrap();
    let sheet = quadric([4.0, 4.0, 0.0, 0.0, 0.0, 0.0], [[-1.0, -1.0, -1.0], [1.0, 1.0, 1.0]]);
    for x in points().into_iter().filter(|x| x.z.abs() < 1.0 && x.x.hypot(x.y) < 0.5) {
        let (t, s) = (tube.closest_point(Side::Inside, 0, &x), sheet.closest_point(Side::Inside, 0, &x));
        assert!((t.d - s.d).abs() < 1e-15, "{x}");
    }
}

/// The dish z = (x² + y²)/(2 R) − h: its closest point on the axis is the vertex up to the centre of curvature, and from there all around.
#[test]
fn a_dish_on_its_axis() {
    let (r, h) = (0.8, 0.5);
    let dish =
        quadric([0.5 / (r * h), 0.5 / (r * h), 0.0, 0.0, 0.0, -1.0 / h], [[-2.0, -2.0, -h], [2.0, 2.0, 1.0]]);
    assert!((dish.hollow_radius(Side::Inside) - r).abs() < 1e-15);
    for height in [0.1, 0.4, 0.799, 0.8, 0.801, 1.0, 1.2] {
        let x = Vec3::new(0.0, 0.0, height - h);
        let closest_point = dish.closest_point(Side::Inside, 0, &x);
        // beyond R the nearest are at ρ² = 2 R (height − R), at the distance √(2 R height − R²)
        let d = if height <= r { height } else { (2.0 * r * height - r * r).sqrt() };
        assert!((closest_point.d - d).abs() < 1e-15, "{height}: {} {d}", closest_point.d);
        let k = dish.curvature(Side::Inside, 0, &Vec3::new(0.0, 0.0, 0.1 - h));
        assert!((k.k1 + 1.0 / r).abs() < 1e-14 && (k.k2 + 1.0 / r).abs() < 1e-14);
        let k = dish.curvature(Side::Inside, 0, &Vec3::new(0.0, 0.0, -0.1 - h));
        assert!((k.k1 - 1.0 / r).abs() < 1e-14 && (k.k2 - 1.0 / r).abs() < 1e-14);
    }
}

/// Past its rim a ball is held by the edge: the distance from a circle.
#[test]
fn a_dish_beyond_its_rim() {
    let dish = quadric([1.0, 1.0, 0.0, 0.0, 0.0, -1.0], [[-2.0, -2.0, -1.0], [2.0, 2.0, 0.0]]);
    for (rho, z) in [(1.2, 0.1), (1.5, -0.05), (1.01, 0.3), (2.0, -0.4)] {
        for phi in [0.3f64, 1.0, 2.5, -2.0] {
            let x = Vec3::new(rho * phi.cos(), rho * phi.sin(), z);
            let closest_point = dish.closest_point(Side::Inside, 0, &x);
            let rim = Vec3::new(phi.cos(), phi.sin(), 0.0);
            assert!(
                (closest_point.p - rim).norm() < 1e-15 && (closest_point.d - (x - rim).norm()).abs() < 1e-15,
                "{x}"
            );
            let k = dish.curvature(Side::Inside, 0, &x);
            assert_eq!((k.k1, k.k2), (0.0, 0.0));
        }
    }
}

#[test]
fn the_waist_of_a_hyperboloid() {
    let (a, c) = (0.5f64, 0.8f64);
    let hourglass = quadric([1.0 / (a * a), 1.0 / (a * a), -1.0 / (c * c), 0.0, 0.0, 0.0], WHOLE);
    let x = Vec3::new(0.0, 0.7, 0.0);
    let closest_point = hourglass.closest_point(Side::Outside, 0, &x);
    assert!(
        (closest_point.p - Vec3::new(0.0, a, 0.0)).norm() < 1e-15 && (closest_point.d - 0.2).abs() < 1e-15
    );
    // round the waist, and hollow along the axis with the radius c²/a
    let k = hourglass.curvature(Side::Outside, 0, &x);
    let (most, least) = (k.k1.max(k.k2), k.k1.min(k.k2));
    assert!((most - 1.0 / a).abs() < 1e-14 && (least + a / (c * c)).abs() < 1e-14);
    assert!((hourglass.hollow_radius(Side::Outside) - a).abs() < 1e-15);
    // beyond that centre of curvature the closest points are above and below: with t = −1/a33 p_z is free
    let far = Vec3::new(0.0, a + 1.1 * c * c / a, 0.0);
    let closest_point = hourglass.closest_point(Side::Outside, 0, &far);
    let y = far.y / (1.0 + (c / a) * (c / a));
    assert!(
        (closest_point.p.y - y).abs() < 1e-15
            && (closest_point.p.z.abs() - c * ((y / a) * (y / a) - 1.0).sqrt()).abs() < 1e-14
    );
}

#[test]
fn the_middle_of_a_saddle() {
    // z = x²/(2 p) − y²/(2 q) − 1
    let (p, q) = (0.6, 0.9);
    let saddle = quadric([0.5 / p, -0.5 / q, 0.0, 0.0, 0.0, -1.0], WHOLE);
    for (z, other) in [(-0.7, Side::Inside), (-1.3, Side::Outside)] {
        let x = Vec3::new(0.0, 0.0, z);
        let closest_point = saddle.closest_point(other, 0, &x);
        assert!(
            (closest_point.p + Vec3::z()).norm() < 1e-15 && (closest_point.d - 0.3).abs() < 1e-15,
            "{closest_point:?}"
        );
        let k = saddle.curvature(other, 0, &x);
        let (most, least) = (k.k1.max(k.k2), k.k1.min(k.k2));
        // from above it is hollow along x, from below along y
        let (hollow, bulge) = if z > -1.0 { (p, q) } else { (q, p) };
        assert!((most - 1.0 / bulge).abs() < 1e-14 && (least + 1.0 / hollow).abs() < 1e-14);
    }
    assert!((saddle.hollow_radius(Side::Outside) - p).abs() < 1e-15);
}

#[test]
fn a_point_between_two_sheets() {
    let two = quadric([-1.0, -2.0, 4.0, 0.0, 0.0, 0.0], WHOLE);
    let near = |z: f64| two.closest_point(Side::Outside, 0, &Vec3::new(0.1, 0.0, z));
    assert!(near(1e-9).p.z > 0.0 && near(-1e-9).p.z < 0.0);
    assert!((near(1e-9).d - near(-1e-9).d).abs() < 3e-9);
    // with one of them out of the box it is the other, from wherever
    let upper = quadric([-1.0, -2.0, 4.0, 0.0, 0.0, 0.0], [[-1.5, -1.5, 0.0], [1.5; 3]]);
    let closest_point = upper.closest_point(Side::Outside, 0, &Vec3::new(0.0, 0.0, -0.7));
    assert!(
        (closest_point.p - Vec3::new(0.0, 0.0, 0.5)).norm() < 1e-15 && (closest_point.d - 1.2).abs() < 1e-15
    );
}

/// Lopes, Eqs 29, 30 and 35, 36, as corrected.
#[test]
fn points_by_angles_are_on_the_surface() {
    let angles = || (0..40).flat_map(|i| (0..20).map(move |j| (0.16 * f64::from(i), 0.15 * f64::from(j))));
    let mut met = 0;
    let all = quadrics();
    let more = superquadrics();
    for (phi, theta) in angles() {
        let points = all.iter().map(|q| (q.point(phi, theta), q as &dyn Implicit));
        let others = more.iter().map(|q| (q.point(phi, theta), q as &dyn Implicit));
        for (point, surface) in points.chain(others) {
            let Some(p) = point else { continue };
            let scale = 1.0 + surface.level(&p).gradient.norm() * p.norm();
            assert!(surface.level(&p).f.abs() < 1e-14 * scale, "{surface:?} {p}");
            met += 1;
        }
    }
    assert!(met > 4000, "{met}");
}

#[test]
fn gradient_and_hessian_are_those_of_differences() {
    let all = superquadrics();
    for surface in &all {
        for x in points().into_iter().take(100) {
            let p = surface.closest_point(Side::Outside, 0, &x).p;
            let (h, level) = (1e-5, surface.level(&p));
            for i in 0..3 {
                let at = |s: f64| surface.level(&(p + Vec3::ith(i, s)));
                let slope = (at(h).f - at(-h).f) / (2.0 * h);
                assert!((slope - level.gradient[i]).abs() < 1e-7 * (1.0 + slope.abs()), "{surface:?} {p}");
                let bend = (at(h).gradient - at(-h).gradient) / (2.0 * h);
                let error = (bend - level.hessian.column(i)).norm();
                // |q|^(γ−2) has an edge at q = 0
                if p.iter().all(|c| c.abs() > 0.05) {
                    assert!(error < 1e-6 * (1.0 + bend.norm()), "{surface:?} {p}: {error}");
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn closest_points_move_as_their_derivatives_say(x in vector(2.2), v in vector(1.0)) {
        let all: Vec<Arc<dyn Surface>> = quadrics().into_iter().map(|q| Arc::new(q) as Arc<dyn Surface>).collect();
        for surface in &all {
            let project = surface.as_project().unwrap();
            let h = 1e-6;
            let point = Vec3::from_fn(|i, _| Dual::<3>::variable(x[i], i));
            let dual = project.closest_point_dual(Side::Outside, 0, &point);
            let at = |t: f64| project.closest_point(Side::Outside, 0, &(x + v * t));
            let (before, here, after) = (at(-h), at(0.0), at(h));
            let bend = (before.n + after.n - here.n * 2.0).norm() + (before.p + after.p - here.p * 2.0).norm();
            if bend > 1e-3 * h || here.d < 0.01 {
                continue;
            }
            let along = |g: Dual<3>| Vec3::from(g.eps).dot(&v);
            let (dp, dn) = (dual.p.map(along), dual.n.map(along));
            let error = 1e-6 * (1.0 + dn.norm() + dp.norm());
            prop_assert!((dp - (after.p - before.p) / (2.0 * h)).norm() < error, "{:?} {}", surface, x);
            prop_assert!((dn - (after.n - before.n) / (2.0 * h)).norm() < error, "{:?} {}", surface, x);
        }
    }

    /// Nothing has two nearest places within `hollow_radius`: the closest point to a point moves by no more than the point does, over 1 − d/R.
    #[test]
    fn near_a_sheet_the_closest_point_is_one(x in vector(2.2), v in vector(1.0)) {
        for surface in quadrics() {
            let radius = surface.hollow_radius(Side::Outside);
            let step = v * 1e-4;
            let (here, there) =
                [x, x + step].map(|x| surface.closest_point(Side::Outside, 0, &x)).into();
            let d = here.d.max(there.d);
            if d < 0.9 * radius {
                let most = step.norm() / (1.0 - d / radius);
                prop_assert!((here.p - there.p).norm() <= most * (1.0 + 1e-3), "{:?} {}", surface, x);
            }
        }
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let cube = Region::new([-1.0; 3], [1.0; 3]).unwrap();
    let region = Some(cube);
    let error = |c: [f64; 6], within| Quadric::new(&c, within).unwrap_err().to_string();
    assert!(error([1.0, 1.0, 0.0, 0.0, 0.0, -1.0], None).contains("within"));
    assert!(error([1.0, 0.0, 0.0, 1.0, 0.0, 0.0], region).contains("not both"));
    assert!(error([-1.0, -1.0, 0.0, 0.0, 0.0, 0.0], region).contains("coefficients"));
    assert!(error([0.1, 0.1, 0.1, 0.0, 0.0, 0.0], region).contains("within"));
    assert!(error([0.1, 0.1, f64::NAN, 0.0, 0.0, 0.0], region).contains("finite"));
    let error = |c: [f64; 3], e| Superquadric::new(&c, &e, cube).unwrap_err().to_string();
    assert!(error([1.0, 1.0, 1.0], [3.0, 3.0]).contains("barr-superellipsoid"));
    assert!(error([1.0, -1.0, 1.0], [3.0, 3.0]).contains("a33"));
    assert!(error([1.0, 1.0, -1.0], [1.5, 3.0]).contains("exponents"));
    assert!(error([1e-3, 1e-3, -1.0], [3.0, 3.0]).contains("within"));
    assert!(pairs::ALL.iter().any(|s| s.name() == "sphere-any"));
}
