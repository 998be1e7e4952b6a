//! Shells and solids against integrals over patches of the surfaces, each by the derivatives of its parametrisation and the
//! rule of Gauss: areas and moments of shells, and by the theorem of Gauss those of solids.

use std::f64::consts::PI;
use std::sync::Arc;

use carom_base::{Dual, Mat3, Scalar, Vec3};
use carom_geometry::Surface;
use carom_geometry::surfaces::{
    Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Sphere, Superellipsoid, Supertorus, Torus,
};

type D = Dual<2>;
/// A piece of a surface over the unit square, its tangents turning outwards.
type Patch = Box<dyn Fn(D, D) -> Vec3<D>>;

fn c(x: f64) -> D {
    D::from_f64(x)
}

/// Nodes and weights of Gauss' rule on 0 to 1, by Newton's method on the Legendre polynomial.
fn gauss(n: usize) -> Vec<(f64, f64)> {
    let legendre = |x: f64| {
        let (mut p0, mut p1) = (1.0, x);
        for k in 2..=n {
            let k = k as f64;
            (p0, p1) = (p1, ((2.0 * k - 1.0) * x * p1 - (k - 1.0) * p0) / k);
        }
        (p1, n as f64 * (x * p1 - p0) / (x * x - 1.0))
    };
    let node = |i: usize| {
        let mut x = (PI * (i as f64 + 0.75) / (n as f64 + 0.5)).cos();
        for _ in 0..20 {
            let (p, dp) = legendre(x);
            x -= p / dp;
        }
        let dp = legendre(x).1;
        (0.5 * (1.0 + x), 1.0 / ((1.0 - x * x) * dp * dp))
    };
    (0..n).map(node).collect()
}

#[derive(Default)]
struct Moments {
    area: f64,
    /// ∫x xᵀ over the surface
    sheet: Mat3,
    /// ∫x over the surface
    sheet_at: Vec3,
    volume: f64,
    /// ∫x over the solid
    solid_at: Vec3,
    /// ∫x_i² over the solid
    solid: Vec3,
}

fn moments(patches: &[Patch], n: usize) -> Moments {
    let (mut m, rule) = (Moments::default(), gauss(n));
    for patch in patches {
        for &(s, ws) in &rule {
            for &(t, wt) in &rule {
                let p = patch(D::variable(s, 0), D::variable(t, 1));
                let [along, around] = [0, 1].map(|i| p.map(|x| x.eps[i]));
                let (p, normal) = (p.map(|x| x.re), along.cross(&around) * (ws * wt));
                m.area += normal.norm();
                m.sheet += p * p.transpose() * normal.norm();
                m.sheet_at += p * normal.norm();
                m.volume += p.dot(&normal) / 3.0;
                m.solid_at += p.component_mul(&p).component_mul(&normal) / 2.0;
                m.solid += p.component_mul(&p).component_mul(&p).component_mul(&normal) / 3.0;
            }
        }
    }
    m
}

#[track_caller]
fn check(surface: Arc<dyn Surface>, patches: &[Patch], n: usize) {
    let (kind, m) = (surface.kind(), moments(patches, n));
    let (shell, solid) = (surface.shell().unwrap(), surface.solid().unwrap());
    let (sheet_at, solid_at) = (m.sheet_at / m.area, m.solid_at / m.volume);
    let size = surface.bounds().radius;
    for (is, should) in [(shell.centroid, sheet_at), (solid.centroid, solid_at)] {
        assert!((is - should).norm() < 1e-12 * size, "{kind}: {is} {should}");
    }
    assert!((shell.area / m.area - 1.0).abs() < 1e-12, "{kind}: {} {}", shell.area, m.area);
    let about = m.sheet - sheet_at * sheet_at.transpose() * m.area;
    let inertia = Mat3::identity() * about.trace() - about;
    let off = (shell.inertia - inertia).abs().max() / inertia.abs().max();
    assert!(off < 1e-12, "{kind}: {} {inertia}", shell.inertia);
    assert!((solid.volume / m.volume - 1.0).abs() < 1e-12, "{kind}: {} {}", solid.volume, m.volume);
    let about = m.solid - solid_at.component_mul(&solid_at) * m.volume;
    let inertia = Mat3::from_diagonal(&about.map(|x| about.sum() - x));
    let off = (solid.inertia - inertia).abs().max() / inertia.abs().max();
    assert!(off < 1e-12, "{kind}: {} {inertia}", solid.inertia);
}

/// A profile ρ(t), z(t) turned about the axis, in quarters.
fn turned(profile: fn(D, [f64; 2]) -> (D, D), measures: [f64; 2]) -> Vec<Patch> {
    let quarter = |k: usize| -> Patch {
        Box::new(move |s, t| {
            let angle = (s + c(k as f64)) * c(0.5 * PI);
            let (rho, z) = profile(t, measures);
            Vec3::new(rho * angle.cos(), rho * angle.sin(), z)
        })
    };
    (0..4).map(quarter).collect()
}

#[test]
fn spheres_and_tori() {
    let ball = |t: D, [r, _]: [f64; 2]| {
        let latitude = (t - c(0.5)) * c(PI);
        (latitude.cos() * c(r), latitude.sin() * c(r))
    };
    check(Arc::new(Sphere::new(0.7).unwrap()), &turned(ball, [0.7, 0.0]), 24);
    let ring = |t: D, [major, minor]: [f64; 2]| {
        let theta = t * c(2.0 * PI);
        (theta.cos() * c(minor) + c(major), theta.sin() * c(minor))
    };
    check(Arc::new(Torus::new(1.3, 0.4).unwrap()), &turned(ring, [1.3, 0.4]), 40);
}

/// An ellipsoid in eight parts, the pole along its shortest axis.
#[test]
fn ellipsoids() {
    for axes in [[1.1, 0.9, 0.7], [1.9, 0.6, 0.5], [1.0, 0.9, 0.3]] {
        let patch = |k: usize| -> Patch {
            let half = (k / 4) as f64 - 1.0;
            Box::new(move |s, t| {
                let (phi, theta) = ((s + c((k % 4) as f64)) * c(0.5 * PI), (t + c(half)) * c(0.5 * PI));
                let across = theta.cos();
                Vec3::new(
                    across * phi.cos() * c(axes[0]),
                    across * phi.sin() * c(axes[1]),
                    theta.sin() * c(axes[2]),
                )
            })
        };
        check(Arc::new(Ellipsoid::new(axes).unwrap()), &(0..8).map(patch).collect::<Vec<_>>(), 80);
    }
}

#[test]
fn cylinders_and_capsules() {
    let measures = [0.7, 1.9];
    let barrel = |t: D, [r, l]: [f64; 2]| (c(r), (t - c(0.5)) * c(l));
    let below = |t: D, [r, l]: [f64; 2]| (t * c(r), c(-0.5 * l));
    let above = |t: D, [r, l]: [f64; 2]| ((c(1.0) - t) * c(r), c(0.5 * l));
    let can: Vec<Patch> = [barrel, below, above].into_iter().flat_map(|p| turned(p, measures)).collect();
    check(Arc::new(Cylinder::new(0.7, 1.9).unwrap()), &can, 20);
    let lower = |t: D, [r, l]: [f64; 2]| {
        let latitude = (t - c(1.0)) * c(0.5 * PI);
        (latitude.cos() * c(r), latitude.sin() * c(r) - c(0.5 * l))
    };
    let upper = |t: D, [r, l]: [f64; 2]| {
        let latitude = t * c(0.5 * PI);
        (latitude.cos() * c(r), latitude.sin() * c(r) + c(0.5 * l))
    };
    let pill: Vec<Patch> = [barrel, lower, upper].into_iter().flat_map(|p| turned(p, measures)).collect();
    check(Arc::new(Capsule::new(0.7, 1.9).unwrap()), &pill, 20);
}

/// Pointed, narrower and wider above.
#[test]
fn cones() {
    for [base, top, length] in [[0.7, 0.0, 1.9], [0.7, 0.3, 1.1], [0.2, 1.4, 0.6]] {
        let side = |k: usize| -> Patch {
            Box::new(move |s, t| {
                let angle = (s + c(k as f64)) * c(0.5 * PI);
                let rho = c(base) + t * c(top - base);
                Vec3::new(rho * angle.cos(), rho * angle.sin(), (t - c(0.5)) * c(length))
            })
        };
        let below = |t: D, [r, l]: [f64; 2]| (t * c(r), c(-0.5 * l));
        let above = |t: D, [r, l]: [f64; 2]| ((c(1.0) - t) * c(r), c(0.5 * l));
        let mut cone: Vec<Patch> = (0..4).map(side).collect();
        cone.extend(turned(below, [base, length]));
        cone.extend(turned(above, [top, length]));
        check(Arc::new(Cone::new(base, top, length).unwrap()), &cone, 20);
    }
}

#[test]
fn boxes() {
    let size = [0.7, 1.1, 1.9];
    let face = |k: usize| -> Patch {
        let (i, sign) = (k / 2, if k.is_multiple_of(2) { 1.0 } else { -1.0 });
        Box::new(move |s, t| {
            let at = |x: D, j: usize| (x - c(0.5)) * c(size[j]);
            let mut p = Vec3::zeros();
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            p[i] = c(0.5 * sign * size[i]);
            (p[j], p[k]) = if sign > 0.0 { (at(s, j), at(t, k)) } else { (at(t, j), at(s, k)) };
            p
        })
    };
    check(Arc::new(Cuboid::new(size).unwrap()), &(0..6).map(face).collect::<Vec<_>>(), 4);
}

/// An eighth of a superellipse by the smaller coordinate: smooth for whole exponents.
fn eighth(gamma: f64, k: usize, t: D) -> (D, D) {
    let forward = k.is_multiple_of(2);
    let small = (if forward { t } else { c(1.0) - t }) * c(0.5f64.powf(1.0 / gamma));
    let large = (c(1.0) - small.powf(gamma)).powf(1.0 / gamma);
    let (x, y) = if forward { (large, small) } else { (small, large) };
    match k / 2 {
        0 => (x, y),
        1 => (-y, x),
        2 => (-x, -y),
        _ => (y, -x),
    }
}

#[test]
fn supertori() {
    for (axes, exponents) in [([0.4, 0.4], [2.0, 2.0]), ([0.3, 0.9], [3.0, 5.0]), ([0.9, 0.2], [20.0, 4.0])] {
        let patch = |i: usize, j: usize| -> Patch {
            Box::new(move |s, t| {
                let ((x, y), (u, v)) = (eighth(exponents[1], i, s), eighth(exponents[0], j, t));
                let q = u * c(axes[0]) + c(1.1);
                Vec3::new(q * x, q * y, v * c(axes[1]))
            })
        };
        let patches: Vec<Patch> = (0..8).flat_map(|i| (0..8).map(move |j| patch(i, j))).collect();
        check(Arc::new(Supertorus::new(1.1, axes, exponents).unwrap()), &patches, 80);
    }
}

/// A face of the unit cube, over the unit square, in quarters: (1, y, z) and the like, turned so that tangents turn outwards.
fn cube_face(k: usize, s: D, t: D) -> Vec3<D> {
    let (axis, sign, quarter) = (k / 8, if k % 8 < 4 { 1.0 } else { -1.0 }, k % 4);
    let at = |x: D, negative: bool| if negative { x - c(1.0) } else { x };
    let mut d = Vec3::repeat(c(sign));
    d[(axis + 1) % 3] = at(s, quarter % 2 == 1) * c(sign);
    d[(axis + 2) % 3] = at(t, quarter / 2 == 1);
    d
}

/// N with d/N on |x|^γ₁ + |y|^γ₂ + |z|^γ₃ = 1, with its derivatives: by bisection, then by that of the equation.
fn gauge(d: &Vec3<D>, g: [f64; 3]) -> D {
    let sum = |n: f64| (0..3).map(|i| (d[i].re.abs() / n).powf(g[i])).sum::<f64>();
    let (mut low, mut high) = (0.9, 2.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if sum(middle) > 1.0 { low = middle } else { high = middle }
    }
    // d (Σ (d_i/N)^γ_i) = 0
    let weight = |i: usize| g[i] * (d[i].re.abs() / low).powf(g[i]);
    let fall: f64 = (0..3).map(weight).sum::<f64>() / low;
    let slope = |i: usize| if d[i].re == 0.0 { 0.0 } else { weight(i) / d[i].re / fall };
    D { re: low, eps: [0, 1].map(|k| (0..3).map(|i| slope(i) * d[i].eps[k]).sum()) }
}

#[test]
fn superellipsoids() {
    for (axes, g) in [
        ([1.1, 0.9, 0.7], [2.0, 2.0, 2.0]),
        ([1.1, 0.9, 0.7], [3.0, 5.0, 4.0]),
        ([0.5, 0.9, 1.4], [6.0, 2.0, 3.0]),
        ([1.0, 0.3, 0.6], [12.0, 8.0, 10.0]),
    ] {
        let patch = |k: usize| -> Patch {
            Box::new(move |s, t| {
                let d = cube_face(k, s, t);
                let n = gauge(&d, g);
                Vec3::from_fn(|i, _| d[i] / n * c(axes[i]))
            })
        };
        let patches: Vec<Patch> = (0..24).map(patch).collect();
        check(Arc::new(Superellipsoid::new(axes, g).unwrap()), &patches, 80);
    }
}

#[test]
fn barr_superellipsoids() {
    for (axes, [g1, g2]) in [
        ([1.1, 0.9, 0.7], [2.0, 2.0]),
        ([1.1, 0.9, 0.7], [3.0, 5.0]),
        ([0.5, 0.9, 1.4], [6.0, 2.0]),
        ([0.5, 0.9, 1.4], [2.0, 4.0]),
        ([1.0, 0.3, 0.6], [12.0, 8.0]),
    ] {
        let patch = |i: usize, j: usize| -> Patch {
            Box::new(move |s, t| {
                // around the section, and up half the profile
                let ((x, y), (u, w)) = (eighth(g2, i, s), eighth(g1, (j + 6) % 8, t));
                Vec3::new(u * x * c(axes[0]), u * y * c(axes[1]), w * c(axes[2]))
            })
        };
        let patches: Vec<Patch> = (0..8).flat_map(|i| (0..4).map(move |j| patch(i, j))).collect();
        check(Arc::new(Superellipsoid::barr(axes, [g1, g2]).unwrap()), &patches, 80);
    }
}

#[test]
fn what_is_closed_has_a_shell() {
    for surface in crate::common::all_surfaces() {
        assert_eq!(surface.is_closed(), surface.shell().is_some(), "{}", surface.kind());
    }
}
