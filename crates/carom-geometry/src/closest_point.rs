//! Two small formulas most surfaces share.

use carom_base::{Scalar, Vec3};

use crate::shape::{ClosestPoint, Side};

/// Below this square a length loses digits to underflow.
const SMALL_SQUARE: f64 = 1e-280;

/// v/|v| and |v|, exact for vectors of any length.
///
/// A zero vector has no direction: `fallback` (a unit vector) is taken, and the length is v·fallback,
/// whose derivatives are those along the chosen direction; so the gradient of a distance is its normal
/// there too.
#[inline(always)]
pub(crate) fn direction<S: Scalar>(v: &Vec3<S>, fallback: impl FnOnce() -> Vec3<S>) -> (Vec3<S>, S) {
    let square = v.dot(v);
    if square.value() > SMALL_SQUARE {
        let length = square.sqrt();
        (v / length, length)
    } else {
        direction_of_short(*v, fallback())
    }
}

// by value, so that the common case keeps its vectors in registers
#[cold]
#[inline(never)]
fn direction_of_short<S: Scalar>(v: Vec3<S>, fallback: Vec3<S>) -> (Vec3<S>, S) {
    let largest = v.iter().fold(0.0, |m: f64, c| m.max(c.value().abs()));
    if largest > 0.0 {
        let scale = S::from_f64(largest);
        let scaled = v / scale;
        let length = scaled.dot(&scaled).sqrt();
        (scaled / length, length * scale)
    } else {
        (fallback, v.dot(&fallback))
    }
}

/// The closest point on a round wall of that radius about `axis`, the nearest point of its centre line; the
/// point is `distance` from there in the direction `u`.
#[inline(always)]
pub(crate) fn round_wall<S: Scalar>(
    side: Side,
    radius: f64,
    axis: Vec3<S>,
    u: Vec3<S>,
    distance: S,
) -> ClosestPoint<S> {
    let radius = S::from_f64(radius);
    let p = axis + u * radius;
    match side {
        Side::Outside => ClosestPoint { p, n: u, d: distance - radius },
        Side::Inside => ClosestPoint { p, n: -u, d: radius - distance },
    }
}

/// A unit vector across `n`.
pub(crate) fn tangent(n: &Vec3) -> Vec3 {
    // across the axis n leans to least, the cross product cannot vanish
    let across = if n.x.abs() < 0.5 { Vec3::x() } else { Vec3::y() };
    direction(&n.cross(&across), Vec3::x).0
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_base::Dual;

    #[test]
    fn a_direction_is_a_unit_vector_at_any_length() {
        // squared, 1e-160 has almost no digit left and 1e-200 none
        for scale in [1e-200, 1e-162, 1e-160, 1e-150, 1e-30, 1.0, 1e150] {
            let v = Vec3::new(3.0, -4.0, 12.0) * scale;
            let (u, length) = direction(&v, Vec3::z);
            assert!((u.norm() - 1.0).abs() < 1e-15, "scale {scale}");
            assert!((length / (13.0 * scale) - 1.0).abs() < 1e-15, "scale {scale}");
        }
        let (u, _) = direction(&Vec3::new(0.0, -f64::MIN_POSITIVE / 1e3, 0.0), Vec3::z);
        assert_eq!(u, -Vec3::y());
    }

    #[test]
    fn no_direction_takes_the_fallback_with_its_derivative() {
        let x = Vec3::new(Dual::<3>::variable(0.0, 0), Dual::variable(0.0, 1), Dual::variable(0.0, 2));
        let (u, length) = direction(&x, Vec3::y);
        assert_eq!(u.map(|c| c.re), Vec3::y());
        assert_eq!((length.re, length.eps), (0.0, [0.0, 1.0, 0.0]));
    }

    #[test]
    fn a_tangent_is_a_unit_vector_across() {
        for n in [Vec3::x(), Vec3::y(), Vec3::z(), Vec3::new(0.6, 0.0, 0.8), Vec3::new(0.6, 0.64, 0.48)] {
            let t = tangent(&n);
            assert!(t.dot(&n).abs() < 1e-15 && (t.norm() - 1.0).abs() < 1e-15);
        }
    }
}
