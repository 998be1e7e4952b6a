//! A sphere.
//!
//! With e = b/|b| and x = R (t e + √(1 − t²) (…)) the area between t and t + dt is 2πR² dt for any t (Archimedes), and
//! d = a + R|b| t:
//!
//!   I0 = 2πR² ∫d^−ν dt,   I1 = 2πR³ e ∫d^−ν t dt,   I2 = 2πR⁴ ∫d^−ν [t² e⊗e + (1 − t²)/2 (1 − e⊗e)] dt,
//!
//! which are integrals over a segment, in closed form. A sphere that deforms is treated as an ellipsoid with equal axes.

use std::f64::consts::PI;

use carom_base::{Mat3, Scalar, Vec3, unit_or};

use super::{EllipsoidSurface, above, each_once};
use crate::circle::rounded;
use crate::piece::{Asked, Height, Moments, PieceFormula};
use crate::segment::Segment;
use crate::sums::derivatives;

/// A sphere about the origin.
///
/// ```
/// use carom_base::Vec3;
/// use carom_field::{Asked, Height, Moments, Piece, pieces::SphereSurface};
/// let ball = SphereSurface::new(0.5).unwrap(); // radius [m]
/// let mut out = [Moments::zero()];
/// ball.moments(&[Asked { nu: 1, order: 0 }], &Height { a: 0.6, b: Vec3::z() }, None, &mut out);
/// let exact = std::f64::consts::PI * 11f64.ln(); // 2πR² ∫dt/(a + R t) = 2πR ln((a + R)/(a − R))
/// assert!((out[0].i0 / exact - 1.0).abs() < 1e-14);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SphereSurface {
    radius: f64,
    deforming: EllipsoidSurface,
}

impl SphereSurface {
    /// Makes a sphere of this radius [m]; `None` unless it is finite and greater than zero.
    pub fn new(radius: f64) -> Option<SphereSurface> {
        Some(SphereSurface { radius, deforming: EllipsoidSurface::new([radius; 3])? })
    }
}

impl PieceFormula for SphereSurface {
    fn moments<S: Scalar>(
        &self,
        asked: &[Asked],
        d: &Height<S>,
        cof: Option<&Mat3<S>>,
        out: &mut [Moments<S>],
    ) -> f64 {
        if cof.is_some() {
            return self.deforming.moments(asked, d, cof, out);
        }
        let (r, number) = (self.radius, S::from_f64);
        let value = d.value();
        let (half, least) = (r * value.b.norm(), PieceFormula::nearest(self, &value));
        if !above(least, out) {
            return f64::NAN;
        }
        let (e, length) = unit_or(&d.b, Vec3::z());
        let (height, tilt) = (derivatives(d.a), derivatives(length * number(r)));
        let mut off: f64 = 0.0;
        each_once(asked, out, |Asked { nu, order }| {
            off = off.max(rounded(nu, (value.a.abs() + half) / least));
            let strips = Segment::new::<S>(least, least + 2.0 * half, nu, order);
            let [s0, s1, s2] = strips.moved(height, tilt).map(|s| s * number(4.0 * PI * r * r));
            let across = (s0 - s2) * number(0.5);
            let i2 = Mat3::from_diagonal_element(across) + e * e.transpose() * (s2 - across);
            Moments { i0: s0, i1: e * (s1 * number(r)), i2: i2 * number(r * r) }.up_to(order)
        });
        off
    }

    fn nearest(&self, d: &Height) -> f64 {
        d.a - self.radius * d.b.norm()
    }

    fn area(&self) -> f64 {
        4.0 * PI * self.radius * self.radius
    }

    fn facing(&self, _: &Vec3) -> f64 {
        1.0
    }

    fn resting(&self, gap: f64) -> Height {
        Height { a: self.radius + gap, b: Vec3::z() }
    }
}
