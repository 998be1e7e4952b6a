//! Derivatives of the moments of curved pieces: the identities ∂I/∂a = −ν I_{ν+1}, ∂I/∂b = −ν (x I)_{ν+1}, and differences.

use carom_base::{Dual, Mat3, Vec3};
use carom_field::pieces::{Barrel, Disc, EllipsoidSurface, Mantle, SphereSurface};
use carom_field::{Asked, Height, Moments, Piece};

const R: f64 = 0.5;

fn pieces() -> [Box<dyn Piece>; 6] {
    [
        Box::new(Barrel::new(R, 1.0).unwrap()),
        Box::new(Mantle::new([R, 0.0], 1.0).unwrap()),
        Box::new(Mantle::new([0.6 * R, R], 0.8).unwrap()),
        Box::new(Disc::new(R).unwrap()),
        Box::new(SphereSurface::new(R).unwrap()),
        Box::new(EllipsoidSurface::new([0.4, 0.5, 0.6]).unwrap()),
    ]
}

fn slopes() -> [Vec3; 4] {
    [
        Vec3::new(-0.6, 0.8, 0.0),
        Vec3::new(0.48, 0.64, 0.6),
        Vec3::new(0.7, -0.1, 0.3),
        Vec3::new(0.0, 0.0, -1.1),
    ]
}

fn cofactor() -> Mat3 {
    Mat3::new(1.125, -0.0625, 0.03, 0.09, 0.9375, 0.0625, 0.015, -0.03, 1.05)
}

fn values(piece: &dyn Piece, nu: u32, d: &Height, cof: Option<&Mat3>) -> Moments {
    let mut out = [Moments::zero()];
    piece.moments(&[Asked { nu, order: 2 }], d, cof, &mut out);
    out[0]
}

/// i0, i1 and i2 one after the other.
fn list(m: &Moments) -> Vec<f64> {
    std::iter::once(m.i0).chain(m.i1.iter().copied()).chain(m.i2.iter().copied()).collect()
}

fn duals<const N: usize>(m: &Moments<Dual<N>>) -> Vec<Dual<N>> {
    std::iter::once(m.i0).chain(m.i1.iter().copied()).chain(m.i2.iter().copied()).collect()
}

/// Values and derivatives by a, b and F*, and whether those by F* are there.
fn with_derivatives(piece: &dyn Piece, nu: u32, d: &Height, cof: Option<&Mat3>) -> Vec<(f64, [f64; 13])> {
    let asked = [Asked { nu, order: 2 }];
    match cof {
        None => {
            let mut out = [Moments::zero()];
            let b = Vec3::from_fn(|i, _| Dual::variable(d.b[i], i + 1));
            piece.moments_by_height(&asked, &Height { a: Dual::variable(d.a, 0), b }, &mut out);
            let widen = |x: &Dual<4>| (x.re, std::array::from_fn(|i| x.eps.get(i).copied().unwrap_or(0.0)));
            duals(&out[0]).iter().map(widen).collect()
        }
        Some(cof) => {
            let mut out = [Moments::zero()];
            let b = Vec3::from_fn(|i, _| Dual::variable(d.b[i], i + 1));
            let cof = Mat3::from_fn(|i, j| Dual::variable(cof[(i, j)], 4 + i + 3 * j));
            piece.moments_by_all(&asked, &Height { a: Dual::variable(d.a, 0), b }, &cof, &mut out);
            duals(&out[0]).iter().map(|x| (x.re, x.eps)).collect()
        }
    }
}

fn for_all(mut check: impl FnMut(&dyn Piece, u32, &Height, Option<&Mat3>)) {
    for piece in pieces() {
        for b in slopes() {
            for gap in [1e-3, 0.02, 0.5] {
                let d = Height { a: gap - piece.nearest(&Height { a: 0.0, b }), b };
                for nu in [0, 1, 2, 3, 5, 8, 12] {
                    check(&*piece, nu, &d, None);
                    check(&*piece, nu, &d, Some(&cofactor()));
                }
            }
        }
    }
}

#[test]
fn derivatives_by_the_height_are_moments_of_the_next_exponent() {
    for_all(|piece, nu, d, cof| {
        let (now, next) = (values(piece, nu, d, cof), values(piece, nu + 1, d, cof));
        let found = with_derivatives(piece, nu, d, cof);
        let minus = -f64::from(nu);
        let what = format!("{piece:?}, {d:?}, exponent {nu}, deforms: {}", cof.is_some());
        // relative to the greatest there is, i0 at ν + 1; heights cancel by |a|/gap
        let gap = piece.nearest(d);
        let close = |x: f64, y: f64| (x - y).abs() <= (2e-13 + 4e-15 / gap) * next.i0 * f64::from(nu.max(1));
        for (k, (value, exact)) in found.iter().zip(list(&now)).enumerate() {
            assert!((value.0 - exact).abs() <= 1e-14 * now.i0 / gap.min(1.0), "{what}, value {k}");
            assert!(
                close(value.1[0], minus * list(&next)[k]),
                "{what}, moment {k} by a: {} {}",
                value.1[0],
                minus * list(&next)[k]
            );
        }
        for i in 0..3 {
            assert!(close(found[0].1[1 + i], minus * next.i1[i]), "{what}, i0 by b{i}");
            for j in 0..3 {
                assert!(close(found[1 + j].1[1 + i], minus * next.i2[(i, j)]), "{what}, i1{j} by b{i}");
            }
        }
    });
}

/// Central differences of two steps, extrapolated.
fn slope(f: impl Fn(f64) -> Vec<f64>, h: f64) -> Vec<f64> {
    let central = |h: f64| -> Vec<f64> {
        f(h).iter().zip(f(-h)).map(|(plus, minus)| (plus - minus) / (2.0 * h)).collect()
    };
    central(h).iter().zip(central(0.5 * h)).map(|(wide, narrow)| (4.0 * narrow - wide) / 3.0).collect()
}

#[test]
fn derivatives_are_what_differences_say() {
    for_all(|piece, nu, d, cof| {
        let gap = piece.nearest(d);
        if nu == 8 && gap < 0.01 {
            return; // differences say little there
        }
        let found = with_derivatives(piece, nu, d, cof);
        let what = format!("{piece:?}, {d:?}, exponent {nu}, deforms: {}", cof.is_some());
        let i0 = found[0].0;
        let check = |variable: usize, differences: Vec<f64>, scale: f64| {
            for (k, (found, difference)) in found.iter().zip(differences).enumerate() {
                let off = (found.1[variable] - difference).abs() / (i0 * scale);
                assert!(
                    off < 1e-7,
                    "{what}: moment {k} by variable {variable} off by {off:e}: {} {difference}",
                    found.1[variable]
                );
            }
        };
        for i in 0..3 {
            let step = 2e-3 * gap;
            let moved = |s: f64| list(&values(piece, nu, &Height { a: d.a, b: d.b + Vec3::ith(i, s) }, cof));
            check(1 + i, slope(moved, step), f64::from(nu.max(1)) / gap);
        }
        let Some(cof) = cof else { return };
        for k in 0..9 {
            let stretched = |s: f64| {
                let mut cof = *cof;
                cof[k] += s;
                list(&values(piece, nu, d, Some(&cof)))
            };
            check(4 + k, slope(stretched, 2e-3), 1.0);
        }
    });
}
