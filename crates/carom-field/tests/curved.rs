//! Curved pieces against an independent quadrature, closed forms and differences.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may")]

use std::f64::consts::PI;

use carom_base::{Mat3, Vec3};
use carom_field::pieces::{Barrel, Disc, EllipsoidSurface, SphereSurface};
use carom_field::{Asked, Height, Moments, Piece};

/// Nodes and weights of Gauss's rule on (−1, 1).
fn gauss(n: usize) -> Vec<(f64, f64)> {
    (0..n)
        .map(|i| {
            let mut x = (PI * (i as f64 + 0.75) / (n as f64 + 0.5)).cos();
            let mut slope = 1.0;
            for _ in 0..50 {
                let (mut p0, mut p1) = (1.0, x);
                for k in 1..n {
                    let p2 = ((2 * k + 1) as f64 * x * p1 - k as f64 * p0) / (k + 1) as f64;
                    (p0, p1) = (p1, p2);
                }
                slope = n as f64 * (x * p1 - p0) / (x * x - 1.0);
                x -= p1 / slope;
            }
            (x, 2.0 / ((1.0 - x * x) * slope * slope))
        })
        .collect()
}

/// Nodes on [0, end], in panels that double from the width `first` at 0 and are no wider than `widest`.
fn graded(end: f64, first: f64, widest: f64) -> Vec<(f64, f64)> {
    let rule = gauss(24);
    let (mut from, mut width, mut nodes) = (0.0, first.min(end), Vec::new());
    while from < end {
        let to = if from + 1.2 * width >= end { end } else { from + width };
        let half = 0.5 * (to - from);
        nodes.extend(rule.iter().map(|(x, w)| (from + half * (1.0 + x), half * w)));
        width = (2.0 * width).min(widest);
        from = to;
    }
    nodes
}

/// Sums that keep what additions round off.
#[derive(Clone, Copy, Default)]
struct Sum(f64, f64);
impl Sum {
    fn add(&mut self, x: f64) {
        let total = self.0 + x;
        let part = total - self.0;
        self.1 += (self.0 - (total - part)) + (x - part);
        self.0 = total;
    }
    fn total(&self) -> f64 {
        self.0 + self.1
    }
}

/// Moments by summing points (x, height, k dA).
struct Reference {
    asked: Vec<Asked>,
    sums: Vec<[Sum; 10]>,
}

impl Reference {
    fn new(asked: &[Asked]) -> Reference {
        Reference { asked: asked.to_vec(), sums: vec![[Sum::default(); 10]; asked.len()] }
    }
    fn add(&mut self, x: Vec3, d: f64, area: f64) {
        for (ask, sums) in self.asked.iter().zip(&mut self.sums) {
            let f = area * d.powi(-(ask.nu as i32));
            let terms =
                [1.0, x.x, x.y, x.z, x.x * x.x, x.x * x.y, x.x * x.z, x.y * x.y, x.y * x.z, x.z * x.z];
            for (sum, term) in sums.iter_mut().zip(terms) {
                sum.add(f * term);
            }
        }
    }
    fn moments(&self) -> Vec<Moments> {
        let take = |s: &[Sum; 10]| {
            let t = s.map(|s| s.total());
            Moments {
                i0: t[0],
                i1: Vec3::new(t[1], t[2], t[3]),
                i2: Mat3::new(t[4], t[5], t[6], t[5], t[7], t[8], t[6], t[8], t[9]),
            }
        };
        self.sums.iter().map(take).collect()
    }
}

/// The largest difference, relative to i0 and a length.
fn difference(a: &Moments, b: &Moments, order: u32, length: f64) -> f64 {
    let mut off = (a.i0 - b.i0).abs();
    if order > 0 {
        off = off.max((a.i1 - b.i1).amax() / length);
    }
    if order > 1 {
        off = off.max((a.i2 - b.i2).amax() / (length * length));
    }
    off / b.i0
}

fn all_exponents() -> Vec<Asked> {
    (0..=12).map(|nu| Asked { nu, order: 2 }).collect()
}

/// An area-changing F*: some stretch and shear.
fn cofactor(strength: f64) -> Mat3 {
    Mat3::identity() + Mat3::new(0.5, -0.25, 0.125, 0.375, -0.25, 0.25, 0.0625, -0.125, 0.1875) * strength
}

fn barrel_reference(r: f64, l: f64, h: f64, b: &Vec3, cof: Option<&Mat3>, asked: &[Asked]) -> Vec<Moments> {
    let across = b.x.hypot(b.y);
    let e = if across > 0.0 { -Vec3::new(b.x, b.y, 0.0) / across } else { Vec3::x() };
    let g = Vec3::z().cross(&e);
    let half = r * across;
    let round = graded(PI, (h / (h + half)).sqrt() * 0.5, 0.25);
    let along = graded(l, 0.5 * h / b.z.abs().max(1e-9), 0.5 * l);
    let mut reference = Reference::new(asked);
    for &(psi, w) in &round {
        for sign in [1.0, -1.0] {
            let m = e * psi.cos() + g * (sign * psi.sin());
            let k = cof.map_or(1.0, |cof| (cof * m).norm());
            for &(s, w_s) in &along {
                let z = if b.z >= 0.0 { s - 0.5 * l } else { 0.5 * l - s };
                let d = h + 2.0 * half * (0.5 * psi).sin().powi(2) + b.z.abs() * s;
                reference.add(m * r + Vec3::z() * z, d, k * w * w_s * r);
            }
        }
    }
    reference.moments()
}

/// Heights and slopes whose a is exact in doubles: gaps and slopes are binary fractions, (3, 4, 5) lies in the plane.
fn positions() -> Vec<(f64, Vec3)> {
    let mut all = Vec::new();
    for h in [2f64.powi(-13), 2f64.powi(-9), 2f64.powi(-6), 0.25, 1.0] {
        for (across, along) in
            [(1.0, 0.0), (1.0, 2f64.powi(-20)), (1.0, 2f64.powi(-7)), (0.75, 0.5), (0.125, -1.0), (0.0, 1.0)]
        {
            all.push((h, Vec3::new(-0.75 * across, across, along)));
        }
    }
    all
}

fn disc_reference(r: f64, h: f64, b: &Vec3, cof: Option<&Mat3>, asked: &[Asked]) -> Vec<Moments> {
    let across = b.x.hypot(b.y);
    let e = if across > 0.0 { -Vec3::new(b.x, b.y, 0.0) / across } else { Vec3::x() };
    let g = Vec3::z().cross(&e);
    let half = r * across;
    let k = cof.map_or(1.0, |cof| (cof * Vec3::z()).norm());
    let mut reference = Reference::new(asked);
    for (psi, w) in graded(PI, (h / (h + half)).sqrt() * 0.5, 0.25) {
        for (t, w_t) in gauss(6) {
            let d = h + 2.0 * half * (0.5 * psi).sin().powi(2);
            let x = e * (r * psi.cos()) + g * (r * psi.sin() * t);
            reference.add(x, d, k * w * w_t * (r * psi.sin()).powi(2));
        }
    }
    reference.moments()
}

/// Polar angles about the nearest point of the unit sphere that the ellipsoid is an image of.
fn ellipsoid_reference(semi: &Vec3, h: f64, b: &Vec3, cof: Option<&Mat3>, asked: &[Asked]) -> Vec<Moments> {
    let c = b.component_mul(semi);
    let e = -c.normalize();
    let f = e.cross(&if e.x.abs() < 0.6 { Vec3::x() } else { Vec3::y() }).normalize();
    let g = e.cross(&f);
    let cofactors = Vec3::new(semi.y * semi.z, semi.z * semi.x, semi.x * semi.y);
    let mut reference = Reference::new(asked);
    let round: Vec<(f64, f64)> = graded(2.0 * PI, 0.5, 0.5);
    for (psi, w) in graded(PI, (h / (h + c.norm())).sqrt() * 0.5, 0.25) {
        let d = h + 2.0 * c.norm() * (0.5 * psi).sin().powi(2);
        for (alpha, w_a) in &round {
            let y = e * psi.cos() + (f * alpha.cos() + g * alpha.sin()) * psi.sin();
            let m = y.component_mul(&cofactors);
            let k = cof.map_or(m, |cof| cof * m).norm();
            reference.add(y.component_mul(semi), d, k * w * w_a * psi.sin());
        }
    }
    reference.moments()
}

/// A piece against moments that are known, to 1e-12 and to what it says.
fn check(name: &str, piece: &dyn Piece, d: &Height, cof: Option<&Mat3>, asked: &[Asked], exact: &[Moments]) {
    let mut out = vec![Moments::zero(); asked.len()];
    let length = piece.area().sqrt();
    for (i, ask) in asked.iter().enumerate() {
        let said = piece.moments(&asked[i..=i], d, cof, &mut out[i..=i]);
        let off = difference(&out[i], &exact[i], ask.order, length);
        let what = format!("{name}, height {d:?}, exponent {}, deforms: {}", ask.nu, cof.is_some());
        assert!(off < 1e-12, "{what}: off by {off:e}");
        assert!(off < said, "{what}: off by {off:e}, said {said:e}");
    }
    // all at once is the same
    let mut together = vec![Moments::zero(); asked.len()];
    piece.moments(asked, d, cof, &mut together);
    for (a, b) in out.iter().zip(&together) {
        assert_eq!((a.i0, a.i1, a.i2), (b.i0, b.i1, b.i2), "{name}");
    }
}

fn deformations() -> [Option<Mat3>; 4] {
    [None, Some(cofactor(0.0)), Some(cofactor(0.25)), Some(cofactor(1.0))]
}

#[test]
fn barrels_are_what_quadrature_says() {
    let (r, l) = (0.5, 1.0);
    let barrel = Barrel::new(r, l).unwrap();
    let asked = all_exponents();
    for (h, b) in positions() {
        let a = h + r * b.x.hypot(b.y) + 0.5 * l * b.z.abs();
        for cof in deformations() {
            let exact = barrel_reference(r, l, h, &b, cof.as_ref(), &asked);
            check("barrel", &barrel, &Height { a, b }, cof.as_ref(), &asked, &exact);
        }
    }
}

#[test]
fn discs_are_what_quadrature_says() {
    let r = 0.5;
    let disc = Disc::new(r).unwrap();
    let asked = all_exponents();
    for (h, b) in positions() {
        let a = h + r * b.x.hypot(b.y);
        for cof in deformations() {
            let exact = disc_reference(r, h, &b, cof.as_ref(), &asked);
            check("disc", &disc, &Height { a, b }, cof.as_ref(), &asked, &exact);
        }
    }
}

/// Slopes for which |A b| is a binary fraction.
#[test]
fn ellipsoids_are_what_quadrature_says() {
    let asked = [0, 1, 2, 3, 5, 8, 12].map(|nu| Asked { nu, order: 2 });
    let slopes = [Vec3::new(0.75, 0.0, -1.0), Vec3::new(0.0, 0.0, 1.0), Vec3::new(0.25, -0.5, 0.5)];
    for h in [2f64.powi(-13), 2f64.powi(-6), 0.5] {
        for semi in [Vec3::new(0.5, 0.5, 0.5), Vec3::new(0.5, 0.5, 1.0), Vec3::new(0.25, 0.5, 1.0)] {
            for c in &slopes {
                let b = c.component_div(&semi);
                let d = Height { a: h + c.norm(), b };
                for cof in deformations() {
                    let exact = ellipsoid_reference(&semi, h, &b, cof.as_ref(), &asked);
                    let egg = EllipsoidSurface::new(semi.into()).unwrap();
                    check("ellipsoid", &egg, &d, cof.as_ref(), &asked, &exact);
                    if semi.x == semi.z {
                        let ball = SphereSurface::new(semi.x).unwrap();
                        check("sphere", &ball, &d, cof.as_ref(), &asked, &exact);
                    }
                }
            }
        }
    }
}

/// ∫dφ/(a − b cos φ)^ν = 2π r^−ν P_{ν−1}(a/r), r² = a² − b² = (a − b)(a + b).
fn legendre(nu: u32, gap: f64, b: f64) -> f64 {
    let r = (gap * (gap + 2.0 * b)).sqrt();
    let x = (gap + b) / r;
    let (mut below, mut p) = (0.0, 1.0);
    for n in 0..nu - 1 {
        let n = f64::from(n);
        (below, p) = (p, ((2.0 * n + 1.0) * x * p - n * below) / (n + 1.0));
    }
    2.0 * PI * r.powi(-(nu as i32)) * p
}

#[test]
fn a_parallel_barrel_is_a_legendre_function() {
    let (r, l) = (0.5, 2.0);
    let barrel = Barrel::new(r, l).unwrap();
    for gap in [2f64.powi(-20), 2f64.powi(-13), 2f64.powi(-6), 0.25, 4.0, 1024.0] {
        for nu in 1..=30 {
            let d = Height { a: r + gap, b: Vec3::new(0.0, -1.0, 0.0) };
            let mut out = [Moments::zero()];
            barrel.moments(&[Asked { nu, order: 0 }], &d, None, &mut out);
            let off = out[0].i0 / (r * l * legendre(nu, gap, r)) - 1.0;
            assert!(off.abs() < 5e-15 * f64::from(nu), "gap {gap}, exponent {nu}: off by {off:e}");
        }
    }
}

/// The strength of repulsion at which a cylinder (length 1 m) floats at d0: α_r = m g/∫d^−ν dA, from an independent computation.
#[test]
fn cylinders_float_where_they_should() {
    for (r, rho, d0, alpha) in
        [(0.5, 1000.0, 0.02, 2.1177335693776093e-9), (0.3, 4000.0, 0.002, 1.2457697966862665e-16)]
    {
        let barrel = Barrel::new(r, 1.0).unwrap();
        let d = Height { a: r + d0, b: Vec3::new(0.8, 0.6, 0.0) };
        let mut out = [Moments::zero()];
        barrel.moments(&[Asked { nu: 8, order: 0 }], &d, None, &mut out);
        let found = rho * PI * r * r * 9.81 / out[0].i0;
        assert!((found / alpha - 1.0).abs() < 1e-10, "{found:e}");
    }
}

/// A thin barrel far from the support is a line, a far ball is a point.
#[test]
fn far_away_shape_does_not_matter() {
    let d = Height { a: 1e6, b: Vec3::new(0.0, 0.6, 0.8) };
    let pieces: [Box<dyn Piece>; 4] = [
        Box::new(Barrel::new(0.5, 1.0).unwrap()),
        Box::new(Disc::new(0.5).unwrap()),
        Box::new(SphereSurface::new(0.5).unwrap()),
        Box::new(EllipsoidSurface::new([0.2, 0.3, 0.4]).unwrap()),
    ];
    for piece in pieces {
        let mut out = [Moments::zero()];
        piece.moments(&[Asked { nu: 8, order: 0 }], &d, None, &mut out);
        // the next term is ν (ν + 1)/2 (size/a)²
        assert!((out[0].i0 / (piece.area() * d.a.powi(-8)) - 1.0).abs() < 2e-11, "{piece:?}");
    }
}

#[test]
fn under_the_support_there_is_no_integral() {
    let pieces: [Box<dyn Piece>; 4] = [
        Box::new(Barrel::new(0.5, 1.0).unwrap()),
        Box::new(Disc::new(0.5).unwrap()),
        Box::new(SphereSurface::new(0.5).unwrap()),
        Box::new(EllipsoidSurface::new([0.2, 0.3, 0.4]).unwrap()),
    ];
    for piece in pieces {
        for b in [Vec3::new(0.6, 0.8, 0.0), Vec3::new(0.6, 0.0, 0.8)] {
            let least = piece.nearest(&Height { a: 0.0, b });
            for a in [-least, -least - 1e-3, f64::NAN] {
                for cof in [None, Some(cofactor(0.25))] {
                    let mut out = [Moments::zero()];
                    piece.moments(&[Asked { nu: 8, order: 2 }], &Height { a, b }, cof.as_ref(), &mut out);
                    assert!(
                        out[0].i0.is_nan() && out[0].i1.x.is_nan() && out[0].i2.m11.is_nan(),
                        "{piece:?}"
                    );
                }
            }
        }
    }
}
