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

impl Level {
    /// The sum [1/m] and the product [1/m²] of the principal curvatures of the surface F = 0, positive where it bulges: with g = ∇F and H = ∇²F, (tr H − g·H g/|g|²)/|g| and g·adj(H) g/|g|⁴ (R. Goldman, Computer Aided Geometric Design 22, 2005, 632–658).
    pub fn curvatures(&self) -> (f64, f64) {
        let (h, g) = (&self.hessian, &self.gradient);
        let [a, b, c] = [h.column(0), h.column(1), h.column(2)].map(|column| column.into_owned());
        // the adjugate of a symmetric matrix has the cross products of its columns
        let adjugate = Mat3::from_columns(&[b.cross(&c), c.cross(&a), a.cross(&b)]);
        let square = g.norm_squared();
        ((h.trace() - g.dot(&(h * g)) / square) / square.sqrt(), g.dot(&(adjugate * g)) / (square * square))
    }
}

/// What integrals over a surface need to know whose octants are smooth, but which may not be smooth where it passes the coordinate planes. The origin is within it.
#[derive(Clone, Copy, Debug)]
pub struct Octants {
    /// whether derivatives have no bound at its poles on the z axis
    pub has_rough_poles: bool,
    /// whether higher derivatives have no bound where it passes the coordinate planes
    pub has_rough_edges: bool,
}

/// The capability of an equation: the surface is F(x) = 0, F growing from the material into the free side of `Side::Outside`.
pub trait Implicit: Surface {
    /// F and its derivatives at a point of the surface's frame [m].
    fn level(&self, x: &Vec3) -> Level;
    /// F and its gradient alone [1/m]. The default: from [`level`](Implicit::level).
    fn slope(&self, x: &Vec3) -> (f64, Vec3) {
        let Level { f, gradient, .. } = self.level(x);
        (f, gradient)
    }
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
    /// Whether it is integrated octant by octant, each point by its ray ([`settle`](Implicit::settle)).
    fn octants(&self) -> Option<Octants> {
        None
    }
}
