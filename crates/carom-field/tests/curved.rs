//! Curved pieces against an independent quadrature, closed forms and differences.

use carom_testkit::{Random, one_in};
use std::f64::consts::PI;

use crate::curved_reference::{
    barrel_reference, difference, disc_reference, ellipsoid_reference, mantle_reference,
};
use carom_base::{Mat3, Vec3};
use carom_field::pieces::{Barrel, Disc, EllipsoidSurface, Mantle, SphereSurface};
use carom_field::{Asked, Height, Moments, Piece};

fn all_exponents() -> Vec<Asked> {
    (0..=12).map(|nu| Asked { nu, order: 2 }).collect()
}

/// An area-changing F*: some stretch and shear.
fn cofactor(strength: f64) -> Mat3 {
    Mat3::identity() + Mat3::new(0.5, -0.25, 0.125, 0.375, -0.25, 0.25, 0.0625, -0.125, 0.1875) * strength
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

/// Radii, lengths and slopes are binary fractions, so that a is exact.
#[test]
fn mantles_are_what_quadrature_says() {
    let asked = [0, 1, 2, 3, 5, 8, 12].map(|nu| Asked { nu, order: 2 });
    for (radii, l) in [([0.5, 0.0], 1.0), ([0.5, 0.25], 0.5), ([0.125, 0.5], 1.0)] {
        let mantle = Mantle::new(radii, l).unwrap();
        for (k, (h, b)) in one_in(5, positions().into_iter().enumerate()) {
            let a = h - mantle.nearest(&Height { a: 0.0, b });
            let cof = (k % 2 == 1).then(|| cofactor(0.25));
            let exact = mantle_reference(radii, l, h, &b, cof.as_ref(), &asked);
            check("mantle", &mantle, &Height { a, b }, cof.as_ref(), &asked, &exact);
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
    let pieces: [Box<dyn Piece>; 5] = [
        Box::new(Barrel::new(0.5, 1.0).unwrap()),
        Box::new(Mantle::new([0.5, 0.25], 1.0).unwrap()),
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

/// Anywhere, of any size, anyhow deformed: within what a piece says, at the height it says.
#[test]
fn errors_are_within_the_bounds_anywhere() {
    let mut random = Random(1);
    for case in 0..40 {
        let nu = [0, 1, 2, 3, 4, 6, 8, 12][case % 8];
        let asked = [Asked { nu, order: 2 }];
        let mut measure = || 10f64.powf(random.between(-1.0, 0.5));
        let (r, l, semi) = (measure(), measure(), Vec3::new(measure(), measure(), measure()));
        let b = random.vector();
        let gap = 10f64.powf(random.between(-4.0, 0.5));
        let strength = random.between(0.0, 1.0);
        let cof = Mat3::identity() + Mat3::from_fn(|_, _| random.between(-0.5, 0.5)) * strength;
        let cof = (case % 4 > 0).then_some(cof);
        let at = |piece: &dyn Piece| {
            let d = Height { a: gap - piece.nearest(&Height { a: 0.0, b }), b };
            (d, piece.nearest(&d))
        };
        let within = |name: &str, piece: &dyn Piece, exact: Vec<Moments>| {
            let (d, h) = at(piece);
            let mut out = [Moments::zero()];
            let said = piece.moments(&asked, &d, cof.as_ref(), &mut out);
            let off = difference(&out[0], &exact[0], 2, piece.area().sqrt());
            assert!(
                off < said,
                "{name} {piece:?} {d:?} gap {h}, exponent {nu}, {cof:?}: {off:e}, said {said:e}"
            );
        };
        let (barrel, disc) = (Barrel::new(r, l).unwrap(), Disc::new(r).unwrap());
        within("barrel", &barrel, barrel_reference(r, l, at(&barrel).1, &b, cof.as_ref(), &asked));
        let radii = [r, r * [0.0, 0.3, 2.0][case % 3]];
        let mantle = Mantle::new(radii, l).unwrap();
        within("mantle", &mantle, mantle_reference(radii, l, at(&mantle).1, &b, cof.as_ref(), &asked));
        within("disc", &disc, disc_reference(r, at(&disc).1, &b, cof.as_ref(), &asked));
        if case % 5 == 0 {
            let egg = EllipsoidSurface::new(semi.into()).unwrap();
            within("egg", &egg, ellipsoid_reference(&semi, at(&egg).1, &b, cof.as_ref(), &asked));
        }
    }
}
