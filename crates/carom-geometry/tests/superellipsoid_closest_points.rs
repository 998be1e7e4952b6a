//! Closest points of superellipsoids against search over the surface.

use crate::common::RandomSolids as _;
use std::f64::consts::PI;

use crate::common::Random;
use carom_base::Vec3;
use carom_geometry::surfaces::{Ellipsoid, Superellipsoid};
use carom_geometry::{Project, Side, Support, Surface};

/// The point of the surface in the direction of d, a vector in semi axes, by bisection.
fn towards(e: &Superellipsoid, d: &Vec3) -> Vec3 {
    let d = d.component_mul(e.semi_axes()) / d.amax();
    let (mut low, mut high) = (0.5, 1.0);
    while high - low > 1e-16 {
        let middle = 0.5 * (low + high);
        if middle == low || middle == high {
            break;
        }
        if e.implicit(&(d * middle)) < 0.0 { low = middle } else { high = middle }
    }
    d * low
}

/// The least distance of x from the surface: a grid by shares and one by normals, then ever finer patches around the best nodes. What
/// it finds is on the surface, so no less than the distance.
fn searched(e: &Superellipsoid, x: &Vec3, cells: usize) -> f64 {
    let x = x.abs(); // the closest point is in the same octant
    let mut nodes = Vec::new();
    for (i, j) in (0..=cells).flat_map(|i| (0..=cells).map(move |j| (i, j))) {
        let (a, b) = (0.5 * PI * i as f64 / cells as f64, 0.5 * PI * j as f64 / cells as f64);
        nodes.push(e.point(a, b).abs());
        nodes.push(e.support(&Vec3::new(a.cos() * b.cos(), a.sin() * b.cos(), b.sin())).abs());
    }
    nodes.sort_by(|p, q| (p - x).norm().total_cmp(&(q - x).norm()));
    let mut starts: Vec<Vec3> = Vec::new();
    for node in nodes {
        if starts.iter().all(|s| (s - node).norm() > 0.1 * e.semi_axes().min()) && starts.len() < 4 {
            starts.push(node);
        }
    }
    starts.iter().map(|p| polished(e, &x, p)).fold(f64::INFINITY, f64::min)
}

fn polished(e: &Superellipsoid, x: &Vec3, start: &Vec3) -> f64 {
    let scaled = |p: &Vec3| p.component_div(e.semi_axes()).normalize();
    let (mut best, mut at, mut step) = ((start - x).norm(), scaled(start), 0.05);
    while step > 1e-9 {
        let (middle, before) = (at, best);
        let across = middle.cross(&Vec3::ith(middle.iamin(), 1.0)).normalize();
        let up = middle.cross(&across);
        for (i, j) in (-1..=1).flat_map(|i| (-1..=1).map(move |j| (i, j))) {
            let w = (middle + across * (f64::from(i) * step) + up * (f64::from(j) * step)).normalize();
            let away = (towards(e, &w) - x).norm();
            if away < best {
                (best, at) = (away, w);
            }
        }
        if !(best < before) {
            step *= 0.5;
        }
    }
    best
}

fn check(e: &Superellipsoid, x: &Vec3) -> f64 {
    let closest_point = e.closest_point(Side::Outside, 0, x);
    let size = e.semi_axes().max() + x.norm();
    assert!(
        e.implicit(&closest_point.p).abs() < 1e-15 * e.exponents().max(),
        "{e:?} {x}: {:e}",
        e.implicit(&closest_point.p)
    );
    // x − p is along the normal, and d has the sign of F
    let off = (closest_point.p + closest_point.n * closest_point.d - x).norm();
    assert!(off < 1e-12 * size, "{e:?} {x}: {off:e}");
    assert!(closest_point.d * e.implicit(x).clamp(-1.0, 1.0) >= -1e-15, "{e:?} {x} {closest_point:?}");
    let inside = e.closest_point(Side::Inside, 0, x);
    assert_eq!((inside.p, inside.n, inside.d), (closest_point.p, -closest_point.n, -closest_point.d));
    closest_point.d.abs()
}

/// Once with 10,000.
const SEARCHES: usize = 150;

#[test]
fn no_point_is_nearer_than_the_closest_point() {
    let mut random = Random(11);
    for k in 0..SEARCHES {
        let e = random.superellipsoid();
        let (way, far) = (random.vector(), 10f64.powf(4.0 * random.next() - 3.0));
        // within and without, by the superellipsoid's measure and in space
        let x = if k % 2 == 0 { way.component_mul(e.semi_axes()) } else { way * far };
        let (found, best) = (check(&e, &x), searched(&e, &x, 16));
        let size = e.semi_axes().max() + x.norm();
        assert!(found <= best + 1e-13 * size, "{e:?} {x}: {found} {best}");
    }
}

#[test]
fn special_places() {
    let mut random = Random(12);
    for k in 0..SEARCHES {
        let e = random.superellipsoid();
        let mut x = random.vector().component_mul(e.semi_axes()) * [0.01, 0.3, 1.0, 3.0][k % 4];
        // in the planes, on the axes, at the centre, and next to them
        let least = [0.0, 1e-300, 1e-17, 1e-9][k / 4 % 4];
        let which = k / 16 % 8;
        for i in 0..3 {
            if which & (1 << i) != 0 {
                x[i] *= least;
            }
        }
        let (found, best) = (check(&e, &x), searched(&e, &x, 16));
        let size = e.semi_axes().max() + x.norm();
        assert!(found <= best + 1e-13 * size, "{e:?} {x}: {found} {best}");
    }
}

/// Points built from their closest points: p + d n, d above minus the smallest radius of curvature, has the closest point p.
#[test]
fn closest_points_are_found_again() {
    let mut random = Random(13);
    for _ in 0..3000 {
        let e = random.superellipsoid();
        let p = e.point(2.0 * PI * random.next(), PI * (random.next() - 0.5));
        let n = e.normal(&p);
        let d = if random.next() < 0.5 { -0.9 * random.next() * e.skin() } else { random.next() };
        let closest_point = e.closest_point(Side::Outside, 0, &(p + n * d));
        assert!((closest_point.d - d).abs() < 1e-15, "{e:?} {p} {d}: {:e}", closest_point.d - d);
        assert!((closest_point.p - p).norm() < 2e-14, "{e:?} {p} {d}: {:e}", (closest_point.p - p).norm());
    }
}

#[test]
fn exponents_of_two_have_the_closest_points_of_the_ellipsoid() {
    let (mut random, axes) = (Random(14), [0.3, 0.9, 0.5]);
    let e = Ellipsoid::new(axes).unwrap();
    for s in [Superellipsoid::new(axes, [2.0; 3]).unwrap(), Superellipsoid::barr(axes, [2.0, 2.0]).unwrap()] {
        for _ in 0..1000 {
            let x = random.vector() * 1.5;
            let (a, b) = (s.closest_point(Side::Outside, 0, &x), e.closest_point(Side::Outside, 0, &x));
            assert!((a.d - b.d).abs() < 1e-15 && (a.p - b.p).norm() < 1e-13, "{x}: {} {}", a.p, b.p);
        }
    }
}
