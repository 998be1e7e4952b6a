//! Tubes around rings, known by their sections.

use carom_base::elementary::pow;
use carom_base::{Scalar, Vec3};

use super::Surface;

/// The capability of being sliced: a tube around a closed line in the plane z = 0, whose sections are in half planes through the z axis.
pub trait Ring: Surface {
    /// The section at the angle φ [rad].
    fn section(&self, phi: f64) -> Section;
    /// The length of the centre line between two angles [m].
    fn length(&self, from: f64, to: f64) -> f64;
    /// Both radii of a circular tube around a circle [m]: of the ring, of the tube.
    fn round(&self) -> Option<[f64; 2]> {
        None
    }
}

/// A section of a tube: the points c + ξ a + ζ b ẑ with |ξ|^γ + |ζ|^γ = 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Section {
    /// c, in the plane z = 0 [m]
    pub centre: Vec3,
    /// a, the semi-axis in that plane [m]
    pub radial: Vec3,
    /// b, the semi-axis along z [m]
    pub axial: f64,
    /// γ ≥ 2: 2 for an ellipse
    pub exponent: f64,
}

impl Section {
    /// The point of the section that is lowest over a plane of normal `m` (a unit vector, in the surface's frame), as an offset from
    /// its centre: that of the support function (|a·m|^γ' + |b m_z|^γ')^(1/γ'), 1/γ + 1/γ' = 1. Of a section that lies in such a
    /// plane all points are as low: that on the outer side is taken.
    #[inline(always)]
    pub fn lowest<S: Scalar>(&self, m: &Vec3<S>) -> Vec3<S> {
        let radial = self.radial.map(S::from_f64);
        let (p, q) = (radial.dot(m), m.z * S::from_f64(self.axial));
        let (xi, zeta) = match self.exponent == 2.0 {
            true => round(p, q),
            false => self.square(p, q),
        };
        let zero = S::from_f64(0.0);
        -(radial * xi + Vec3::new(zero, zero, zeta * S::from_f64(self.axial)))
    }

    /// ξ and ζ of the lowest point of a section that is no ellipse: the gradient of the support function.
    fn square<S: Scalar>(&self, p: S, q: S) -> (S, S) {
        let largest = p.abs().max(q.abs());
        if largest.value() == 0.0 {
            return (S::from_f64(-1.0), S::from_f64(0.0));
        }
        let (p, q) = (p / largest, q / largest);
        // |p|^(γ'−1) has no finite slope at p = 0 if γ > 2, nor has the lowest point a finite rate: the section is flat there
        let power = |x: S, e: f64| if x.value() == 0.0 { S::from_f64(0.0) } else { x.abs().powf(e) };
        let dual = self.exponent / (self.exponent - 1.0);
        let sum = power(p, dual) + power(q, dual);
        let scale = sum.powf(1.0 / dual - 1.0);
        let signed = |x: S| if x.value() < 0.0 { -power(x, dual - 1.0) } else { power(x, dual - 1.0) };
        (signed(p) * scale, signed(q) * scale)
    }

    /// The curvature of the section in its plane [1/m], where a plane of normal `m` touches it from below: zero where it is flat.
    pub fn curvature(&self, m: &Vec3) -> f64 {
        let (a, b, gamma) = (self.radial.norm(), self.axial, self.exponent);
        let lowest = self.lowest(m);
        let (x, z) = ((lowest.dot(&self.radial) / (a * a)).abs(), (lowest.z / b).abs());
        // F = ξ^γ + ζ^γ − 1, by x = a ξ and z = b ζ
        let (f_x, f_z) = (gamma * pow(x, gamma - 1.0) / a, gamma * pow(z, gamma - 1.0) / b);
        let second = |u: f64, l: f64| gamma * (gamma - 1.0) * pow(u, gamma - 2.0) / (l * l);
        (second(x, a) * f_z * f_z + second(z, b) * f_x * f_x) / pow(f_x * f_x + f_z * f_z, 1.5)
    }
}

/// ξ and ζ of the lowest point of an ellipse.
#[inline(always)]
fn round<S: Scalar>(p: S, q: S) -> (S, S) {
    let square = p * p + q * q;
    // a section parallel to the plane has no lowest point (Marques & Silva, Eq 13, divides by zero there)
    if square.value() < 1e-280 {
        return (S::from_f64(-1.0), S::from_f64(0.0));
    }
    let length = square.sqrt();
    (p / length, q / length)
}
