//! Formulas that several surfaces share.

use carom_base::{Mat3, Scalar, Vec3};

use crate::shape::{ClosestPoint, Level, Side, Start};

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

/// Below this the tilt of an axis [rad] is rounding.
const FLUSH: f64 = 1e-15;

/// The direction in which a plane rises that a round solid stands on, across the solid's axis z, and the sine of its tilt; m is the plane's normal in the solid's frame.
///
/// Where the solid stands flush, to rounding, x is taken, as if nothing depended on the direction: of a tilt that is nothing but underflow, √1e-308 by a force that sets in as √δ, the derivatives would be as large as
/// it is small.
#[inline(always)]
pub(crate) fn uphill<S: Scalar>(m: &Vec3<S>) -> (Vec3<S>, S) {
    let across = Vec3::new(m.x, m.y, S::from_f64(0.0));
    let square = across.dot(&across);
    if square.value() > FLUSH * FLUSH {
        let length = square.sqrt();
        (across / length, length)
    } else {
        (Vec3::x(), m.x)
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

/// Steps from a point that is near, at most.
const STEPS: usize = 8;
/// What is left after the last step, relative to the places.
const LEFT: f64 = 1e-16;

/// A point p of the surface F = 0 at which `x` is straight above or below it, by Newton's method from a point of the surface near to it, and the place of its last step; `None` if steps lead nowhere soon.
///
/// With r = x − p and λ = r·∇F/|∇F|², a step v solves (1 + λ ∇²F) v + μ ∇F = r, ∇F·v = −F: the equations of the least |x − p|² on the surface (Nocedal & Wright, Numerical Optimization, 2006, eq. 18.6). To the first one c ∇F
/// times the second is added, which makes its matrix regular wherever that on the tangent plane is.
pub(crate) fn closest_near(
    level: impl Fn(&Vec3) -> Level,
    x: &Vec3,
    start: &Start,
) -> Option<(ClosestPoint, Start)> {
    let (mut p, mut known, mut before) = (start.p, start.level, 0.0);
    for _ in 0..STEPS {
        let here = known.take().unwrap_or_else(|| level(&p));
        let Level { f, gradient, hessian } = here;
        let (r, square) = (x - p, gradient.norm_squared());
        let lambda = r.dot(&gradient) / square;
        let c = (1.0 + lambda.abs() * hessian.norm()) / square;
        let matrix = Mat3::identity() + hessian * lambda + gradient * gradient.transpose() * c;
        let inverse = matrix.try_inverse()?;
        let (free, along) = (inverse * (r - gradient * (c * f)), inverse * gradient);
        let step = free - along * ((gradient.dot(&free) + f) / gradient.dot(&along));
        let (length, scale) = (step.norm(), x.norm() + p.norm());
        let from = Start { p, level: Some(here) };
        p += step;
        // each step is about the square of the last one, so the next would be length³/before²
        if length * length * length <= LEFT * scale * before * before || length <= LEFT * scale {
            let n = direction(&(gradient + hessian * step), Vec3::z).0;
            return Some((ClosestPoint { p, n, d: n.dot(&(x - p)) }, from));
        }
        if !(length < scale) || (before > 0.0 && length > before) {
            return None;
        }
        before = length;
    }
    None
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
