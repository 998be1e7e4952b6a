//! Polygons by Gauss's points: as many as others found they need, and errors within the bound told.

use carom_base::{Dual, Vec3};
use carom_field::pieces::{GaussPolygon, Polygon};
use carom_field::{Asked, Height, Moments, Piece};
use serde_json::Value;

fn corners(flat: &[(f64, f64)]) -> Vec<Vec3> {
    flat.iter().map(|&(x, y)| Vec3::new(x, y, 0.0)).collect()
}

fn square() -> Vec<Vec3> {
    corners(&[(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
}

fn one(piece: &dyn Piece, nu: u32, d: &Height) -> (Moments, f64) {
    let mut out = [Moments::zero()];
    let bound = piece.moments(&[Asked { nu, order: 2 }], d, None, &mut out);
    (out[0], bound)
}

/// Relative error of ∫ d^−8 dA with n × n points.
fn error(n: u64, d: &Height) -> f64 {
    let exact = one(&Polygon::new(square()).unwrap(), 8, d).0.i0;
    (one(&GaussPolygon::new(square(), n as usize).unwrap(), 8, d).0.i0 / exact - 1.0).abs()
}

#[test]
fn so_many_points_make_1e_8_and_one_less_does_not() {
    let data: Value = serde_json::from_str(include_str!("data/planar.json")).unwrap();
    for case in data["gauss"].as_array().unwrap() {
        let number = |key: &str| case[key].as_f64().unwrap();
        let n = case["n"].as_u64().unwrap();
        let d = Height { a: number("gap"), b: Vec3::new(number("slope_u"), number("slope_v"), 1.0) };
        assert!(error(n, &d) < 1e-8, "{case}");
        // beyond 64 the reference looked at even numbers, or fewer
        if n <= 64 {
            assert!(error(n - 1, &d) > 1e-8, "{case}");
        }
    }
}

#[test]
fn errors_are_within_the_bound() {
    let shapes = [
        square(),
        corners(&[(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)]),
        corners(&[(0.0, 0.0), (1.0, 0.0), (1.3, 0.4), (0.6, 1.1), (0.0, 0.8)]),
    ];
    for shape in shapes {
        let exact = Polygon::new(shape.clone()).unwrap();
        for n in [1, 2, 5, 10, 20, 40] {
            let face = GaussPolygon::new(shape.clone(), n).unwrap();
            assert!((face.area() - exact.area()).abs() < 1e-14);
            for slope in [0.0, 1e-6, 1e-3, 0.1, 1.0] {
                let d = Height { a: 0.01, b: Vec3::new(slope, 0.4 * slope, 1.0) };
                for nu in [0, 1, 2, 5, 8] {
                    let ((m, bound), (e, _)) = (one(&face, nu, &d), one(&exact, nu, &d));
                    let off = [(m.i0 - e.i0).abs(), (m.i1 - e.i1).amax(), (m.i2 - e.i2).amax()];
                    // relative to i0 and the size
                    let size = [1.0, 1.3, 1.3 * 1.3];
                    for (off, size) in off.into_iter().zip(size) {
                        assert!(off <= bound * size * e.i0, "n {n} slope {slope} ν {nu}: {off} {bound}");
                    }
                }
            }
        }
    }
}

#[test]
fn derivatives_are_those_of_the_closed_form() {
    let d = [0.1, 0.2, 0.1, 1.0];
    let d: [Dual<4>; 4] = std::array::from_fn(|i| Dual::variable(d[i], i));
    let d = Height { a: d[0], b: Vec3::new(d[1], d[2], d[3]) };
    let set = [Asked { nu: 2, order: 1 }];
    let (mut a, mut b) = ([Moments::zero()], [Moments::zero()]);
    GaussPolygon::new(square(), 20).unwrap().moments_by_height(&set, &d, &mut a);
    Polygon::new(square()).unwrap().moments_by_height(&set, &d, &mut b);
    for i in 0..4 {
        assert!((a[0].i0.eps[i] - b[0].i0.eps[i]).abs() < 1e-12 * b[0].i0.re);
        assert!((a[0].i1.x.eps[i] - b[0].i1.x.eps[i]).abs() < 1e-12 * b[0].i0.re);
    }
}

#[test]
fn what_cannot_be_is_refused() {
    assert!(GaussPolygon::new(square(), 0).is_none());
    assert!(GaussPolygon::new(square()[..2].to_vec(), 4).is_none());
    let face = GaussPolygon::new(square(), 4).unwrap();
    let (m, bound) = one(&face, 2, &Height { a: 0.0, b: Vec3::new(0.1, 0.1, 1.0) });
    assert!(m.i0.is_nan() && bound.is_nan());
}
