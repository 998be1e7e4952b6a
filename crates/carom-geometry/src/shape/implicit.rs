//! Surfaces that are the zeros of a function.

use carom_base::elementary::{exp, log1p};
use carom_base::{Mat3, Vec3};

use super::Surface;

/// F at a point, with its first and second derivatives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// F, without dimension
    pub f: f64,
    /// ∇F [1/m]
    pub gradient: Vec3,
    /// the Hessian of F [1/m²]
    pub hessian: Mat3,
}

/// The capability of an equation: the surface is F(x) = 0, F growing from the material into the free side of `Side::Outside`.
pub trait Implicit: Surface {
    /// F and its derivatives at a point of the surface's frame [m].
    fn level(&self, x: &Vec3) -> Level;
    /// A point of the surface near `x` [m], and F's derivatives there: on the ray of `x`, unless a surface whose origin is not within it, or whose F + 1 is not about a power of the length along rays,
    /// says otherwise.
    fn settle(&self, x: &Vec3) -> (Vec3, Level) {
        let mut p = *x;
        let mut level = self.level(&p);
        for _ in 0..8 {
            // its exponent ∇F·p/(F + 1): exact for all but mixed exponents
            let slope = level.gradient.dot(&p);
            if level.f.abs() <= 4.0 * f64::EPSILON || !(slope > 0.0) {
                break;
            }
            p *= exp(-log1p(level.f) * (level.f + 1.0) / slope);
            level = self.level(&p);
        }
        (p, level)
    }
}
