//! Moments of plane polygons: against quadrature in steps that grow with the height, reference numbers, and identities.

use crate::quadrature::Sums;
use carom_base::{Dual, Mat3, Vec3};
use carom_field::pieces::Polygon;
use carom_field::{Asked, Height, Moments, Piece};
use serde_json::Value;

fn polygon(vertices: &[(f64, f64)]) -> Polygon {
    Polygon::new(vertices.iter().map(|&(x, y)| Vec3::new(x, y, 0.0)).collect()).unwrap()
}

/// 1 m, a vertex at the origin
fn square() -> Polygon {
    polygon(&[(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
}

fn one(piece: &dyn Piece, nu: u32, d: &Height) -> Moments {
    let mut out = [Moments::zero()];
    piece.moments(&[Asked { nu, order: 2 }], d, None, &mut out);
    out[0]
}

/// Heights of a face with its lowest vertex at the origin: tilted by θ, steepest along φ.
fn tilted(gap: f64, theta: f64, phi: f64) -> Height {
    let (sin, cos) = theta.sin_cos();
    Height { a: gap, b: Vec3::new(sin * phi.cos(), sin * phi.sin(), cos) }
}

const GAPS: [f64; 5] = [1e-4, 1e-3, 1e-2, 0.1, 1.0];
const TILTS: [f64; 9] =
    [0.0, 1e-12, 1e-9, 1e-6, 1e-3, 0.1, std::f64::consts::FRAC_PI_4, 1.5, std::f64::consts::FRAC_PI_2];

fn relative(a: f64, e: f64) -> f64 {
    (a / e - 1.0).abs()
}

/// Every component relative to itself: with the origin at the lowest vertex all are integrals of what is positive.
#[test]
fn every_moment_of_a_square_is_that_of_quadrature() {
    let face = square();
    let mut worst = [[0.0_f64; 3]; 13];
    for gap in GAPS {
        for theta in TILTS {
            for phi in [0.0, 0.3, std::f64::consts::FRAC_PI_4] {
                let d = tilted(gap, theta, phi);
                let sums = Sums::over_the_unit_square(gap, d.b.x, d.b.y);
                for nu in 0..13 {
                    let (m, e) = (one(&face, nu, &d), &sums.by_exponent[nu as usize]);
                    let worst = &mut worst[nu as usize];
                    worst[0] = worst[0].max(relative(m.i0, e[0]));
                    worst[1] = worst[1].max(relative(m.i1.x, e[1])).max(relative(m.i1.y, e[2]));
                    for (a, e) in [(m.i2.m11, e[3]), (m.i2.m12, e[4]), (m.i2.m22, e[5])] {
                        worst[2] = worst[2].max(relative(a, e));
                    }
                    assert_eq!(m.i2.m12, m.i2.m21);
                }
            }
        }
    }
    for (nu, worst) in worst.iter().enumerate() {
        assert!(worst.iter().all(|&e| e < 6e-15), "ν {nu}: {worst:?}");
    }
}

/// From heights alike to heights unlike, past every change of method.
#[test]
fn methods_meet() {
    let face = square();
    for step in 0..600 {
        let ratio = 1.0 + 1e-3 * 1.02_f64.powi(step);
        for share in [0.0, 0.1, 0.5] {
            let slope = 0.1 * (ratio - 1.0);
            let d = Height { a: 0.1, b: Vec3::new(slope * (1.0 - share), slope * share, 0.5) };
            let sums = Sums::over_the_unit_square(d.a, d.b.x, d.b.y);
            for nu in 1..6 {
                let (m, e) = (one(&face, nu, &d), &sums.by_exponent[nu as usize]);
                let all = [m.i0, m.i1.x, m.i1.y, m.i2.m11, m.i2.m12, m.i2.m22];
                for (a, &e) in all.into_iter().zip(e) {
                    assert!(
                        relative(a, e) < 1e-14,
                        "ν {nu} ratio {ratio}: {a} for {e}, {:e}",
                        relative(a, e)
                    );
                }
            }
        }
    }
}

/// The orders asked for one by one, and more than one set at a time, are the same.
#[test]
fn orders_agree_and_what_was_not_asked_for_is_zero() {
    let face = square();
    for theta in TILTS {
        let d = tilted(1e-2, theta, 0.3);
        let nus = [0, 1, 2, 3, 4, 5, 8, 17, 30];
        for nu in nus {
            let asked = [0, 1, 2, 1, 2].map(|order| Asked { nu, order });
            let mut out = [Moments::zero(); 5];
            face.moments(&asked, &d, None, &mut out);
            for (asked, m) in asked.iter().zip(&out) {
                assert!(relative(m.i0, out[2].i0) < 5e-15);
                let scale = out[2].i1.amax();
                match asked.order {
                    0 => assert_eq!(m.i1.amax(), 0.0),
                    _ => assert!(
                        (m.i1 - out[2].i1).amax() < 1e-14 * scale,
                        "{}",
                        (m.i1 - out[2].i1).amax() / scale
                    ),
                }
                if asked.order < 2 {
                    assert_eq!(m.i2.amax(), 0.0);
                } else {
                    assert_eq!(m.i2, out[2].i2);
                }
            }
        }
    }
}

#[test]
fn a_triangle_is_that_of_long_doubles() {
    let face = polygon(&[(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)]);
    let d = Height { a: 0.001, b: Vec3::new(0.299, 0.019, 1.0) };
    let data: Value = serde_json::from_str(include_str!("data/planar.json")).unwrap();
    for case in data["triangle"].as_array().unwrap() {
        let m = one(&face, case["nu"].as_u64().unwrap() as u32, &d);
        let powers: Vec<u64> = case["m"].as_array().unwrap().iter().map(|m| m.as_u64().unwrap()).collect();
        // λ = 1 − x − y, x, y
        let value = match powers[..] {
            [0, 0, 0] => m.i0,
            [1, 0, 0] => m.i0 - m.i1.x - m.i1.y,
            [0, 1, 1] => m.i2.m12,
            [0, 0, 2] => m.i2.m22,
            _ => panic!("{powers:?}"),
        };
        assert!(relative(value, case["value"].as_f64().unwrap()) < 5e-15, "{case}");
    }
}

/// ∂I/∂a = −ν I at ν + 1, ∂I/∂b = −ν times the moment of next order at ν + 1; a ∂I/∂a + b·∂I/∂b = −ν I. Level faces among them.
#[test]
fn derivatives_by_the_height_are_moments_of_the_next_exponent() {
    let face = polygon(&[(0.0, 0.0), (1.0, 0.0), (1.3, 0.4), (0.6, 1.1), (0.0, 0.8)]);
    for gap in GAPS {
        for theta in TILTS {
            let d = tilted(gap, theta, 0.3);
            let own = [d.a, d.b.x, d.b.y, d.b.z];
            let own: [Dual<4>; 4] = std::array::from_fn(|i| Dual::variable(own[i], i));
            let dual = Height { a: own[0], b: Vec3::new(own[1], own[2], own[3]) };
            for nu in (0..=12).chain([20, 29]) {
                let mut out = [Moments::zero()];
                face.moments_by_height(&[Asked { nu, order: 2 }], &dual, &mut out);
                let (by, up, same) = (out[0], one(&face, nu + 1, &d), one(&face, nu, &d));
                let k = -f64::from(nu);
                let close = |a: f64, e: f64, scale: f64| {
                    assert!(
                        (a - e).abs() <= 5e-14 * (k * scale).abs(),
                        "ν {nu} gap {gap} θ {theta}: {a} for {e}"
                    )
                };
                close(by.i0.eps[0], k * up.i0, up.i0);
                for i in 0..3 {
                    close(by.i0.eps[1 + i], k * up.i1[i], up.i1[i]);
                    close(by.i1[i].eps[0], k * up.i1[i], up.i1[i]);
                    for j in 0..3 {
                        close(by.i1[i].eps[1 + j], k * up.i2[(i, j)], up.i2[(i, j)]);
                        let rate = by.i2[(i, j)];
                        close(rate.eps[0], k * up.i2[(i, j)], up.i2[(i, j)]);
                        let euler = d.a * rate.eps[0] + d.b.x * rate.eps[1] + d.b.y * rate.eps[2];
                        close(euler, k * same.i2[(i, j)], same.i2[(i, j)]);
                    }
                }
            }
        }
    }
}

/// k = |F* m|, and its derivatives by F*.
#[test]
fn area_changes_by_the_length_of_the_normal() {
    let (face, d) = (square(), tilted(0.01, 0.2, 0.3));
    let cof = Mat3::new(1.1, 0.2, 0.3, -0.1, 0.9, 0.4, 0.05, -0.2, 1.2);
    let k = cof.column(2).norm();
    let set = [Asked { nu: 2, order: 2 }];
    let mut out = [Moments::zero()];
    face.moments(&set, &d, Some(&cof), &mut out);
    let plain = one(&face, 2, &d);
    assert!((out[0].i2 - plain.i2 * k).amax() < 1e-15 * plain.i2.amax());
    let own: [f64; 13] = std::array::from_fn(|i| match i {
        0 => d.a,
        1..4 => d.b[i - 1],
        _ => cof[i - 4],
    });
    let own: [Dual<13>; 13] = std::array::from_fn(|i| Dual::variable(own[i], i));
    let mut by = [Moments::zero()];
    let height = Height { a: own[0], b: Vec3::new(own[1], own[2], own[3]) };
    face.moments_by_all(&set, &height, &Mat3::from_column_slice(&own[4..]), &mut by);
    assert!(relative(by[0].i0.eps[0], -2.0 * k * one(&face, 3, &d).i0) < 1e-14);
    for i in 0..3 {
        // column 2 of F* is what m = (0, 0, 1) meets
        assert!((by[0].i0.eps[10 + i] - plain.i0 * cof[(i, 2)] / k).abs() < 1e-14 * plain.i0);
        assert_eq!(by[0].i0.eps[4 + i], 0.0);
    }
}

#[test]
fn parts_add_up() {
    let whole = square();
    let parts = [
        polygon(&[(0.0, 0.0), (0.7, 0.0), (0.2, 1.0), (0.0, 1.0)]),
        polygon(&[(0.7, 0.0), (1.0, 0.0), (1.0, 1.0), (0.2, 1.0)]),
    ];
    for gap in GAPS {
        for theta in TILTS {
            let d = tilted(gap, theta, 0.3);
            for nu in [0, 1, 2, 3, 4, 5, 8, 12, 30] {
                let (m, [a, b]) = (one(&whole, nu, &d), [0, 1].map(|i| one(&parts[i], nu, &d)));
                assert!(relative(a.i0 + b.i0, m.i0) < 2e-14);
                assert!((a.i1 + b.i1 - m.i1).amax() < 3e-14 * m.i1.amax());
                assert!((a.i2 + b.i2 - m.i2).amax() < 3e-14 * m.i2.amax());
            }
        }
    }
}

/// x = p + R y.
#[test]
fn frames_do_not_matter() {
    let axis = Vec3::new(0.3, -0.5, 0.8).normalize();
    let r = rotation(axis, 1.1);
    let p = Vec3::new(0.4, -0.2, 0.3);
    let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(x, y)| Vec3::new(x, y, 0.0));
    let face = Polygon::new(corners.to_vec()).unwrap();
    let moved = Polygon::new(corners.map(|y| p + r * y).to_vec()).unwrap();
    assert!((moved.area() - 1.0).abs() < 1e-15);
    for theta in TILTS {
        let d = tilted(0.1, theta, 0.3);
        let b = r * d.b;
        let there = Height { a: d.a - b.dot(&p), b };
        for nu in [0, 1, 2, 4, 8] {
            let (m, n) = (one(&face, nu, &d), one(&moved, nu, &there));
            let i1 = p * m.i0 + r * m.i1;
            let mixed = p * (r * m.i1).transpose();
            let i2 = r * m.i2 * r.transpose() + mixed + mixed.transpose() + p * p.transpose() * m.i0;
            // the height of 0.1 m comes from numbers of about 1 m: 10 roundings, to the power ν
            let allowed = 1e-14 * f64::from(1 + nu) * m.i0;
            assert!((n.i0 - m.i0).abs() < allowed);
            assert!((n.i1 - i1).amax() < allowed);
            assert!((n.i2 - i2).amax() < allowed);
        }
    }
}

/// Rodrigues.
fn rotation(axis: Vec3, angle: f64) -> Mat3 {
    let k = axis.cross_matrix();
    Mat3::identity() + k * angle.sin() + k * k * (1.0 - angle.cos())
}

#[test]
fn a_face_that_is_not_wholly_above_has_no_moments() {
    let face = square();
    for gap in [0.0, -1e-3, f64::NAN] {
        assert!(one(&face, 2, &tilted(gap, 0.2, 0.3)).i0.is_nan());
    }
    // its far corner below
    assert!(one(&face, 2, &tilted(0.1, -0.2, 0.3)).i2.m11.is_nan());
    assert_eq!(face.nearest(&tilted(0.1, 0.2, 0.3)), 0.1);
    assert!(Polygon::new(vec![Vec3::x(), Vec3::y()]).is_none());
    assert!(Polygon::new(vec![Vec3::x(), Vec3::y(), (Vec3::x() + Vec3::y()) * 0.5]).is_none());
}
