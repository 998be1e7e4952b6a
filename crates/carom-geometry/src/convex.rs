//! Two more ways to know a surface: by its tangent planes (convex ones), and as the zeros of a function.

use carom_base::{Mat3, Vec3};

use crate::contact::Curvature;
use crate::surface::Surface;

/// The capability of a convex solid: the point furthest along a direction.
///
/// With h(m) = max x·m its support function the furthest point is ∇h. Edges and corners are welcome; pieces that are flat or straight
/// have several furthest points for one direction, of which one is taken.
pub trait Support: Surface {
    /// The point furthest along `m`, a vector of any length but zero [m].
    fn support(&self, m: &Vec3) -> Vec3;
    /// The principal curvatures at the point `p` of the surface where its normal is `m`, a unit vector: zero along what is straight,
    /// infinite across what is sharp. At an edge or a corner every `m` between those of the adjoining pieces is a normal.
    fn curvature_at(&self, p: &Vec3, m: &Vec3) -> Curvature;
    /// The smallest radius of curvature [m], or less: a ball of that radius touches every point from within. Zero if there are edges.
    fn least_radius(&self) -> f64;
    /// The largest radius of curvature [m], or more; infinite if anything is straight.
    fn largest_radius(&self) -> f64;
    /// Whether it has one furthest point in every direction: nothing on it is flat or straight.
    fn is_strict(&self) -> bool {
        true
    }
}

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
            p *= (-level.f.ln_1p() * (level.f + 1.0) / slope).exp();
            level = self.level(&p);
        }
        (p, level)
    }
}
