//! A circular disc: the cap of a cylinder.
//!
//! A point is x = ξ e + η g in the plane z = 0, with the outward normal e_z; e is the direction down the disc. With ξ = R cos ψ
//! the height d = a − B cos ψ, B = R √(b_x² + b_y²), depends on ψ alone, and the chord across has the half length R sin ψ:
//!
//!   ∫d^−ν ξ^p η^q dA = R^(2+p+q)/(q + 1) ∫ sin^(2+q)ψ cos^pψ d^−ν dψ over (0, 2π), q even,
//!
//! by the rule of `circle`, which is exact with ν + 2 nodes if ν is greater than the powers of sin and cos together.
//! k = |F* e_z| is the same everywhere.

use std::f64::consts::PI;

use carom_base::elementary::{hypot, ln, powi};
use carom_base::{Mat3, Scalar, Vec3, norm};

use super::{above, each_once};
use crate::circle::{self, Circle, Far, Rule};
use crate::piece::{Asked, Height, Moments, PieceFormula};
use crate::sums::derivatives;

/// A circular disc in the plane z = 0 about the origin, its outward normal along z.
///
/// ```
/// use carom_base::Vec3;
/// use carom_field::{Asked, Height, Moments, Piece, pieces::Disc};
/// let cap = Disc::new(0.5).unwrap(); // radius [m]
/// let d = Height { a: 0.1, b: -Vec3::z() }; // parallel to the support
/// let mut out = [Moments::zero()];
/// cap.moments(&[Asked { nu: 8, order: 0 }], &d, None, &mut out);
/// assert!((out[0].i0 / (cap.area() * 0.1f64.powi(-8)) - 1.0).abs() < 1e-14);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disc {
    radius: f64,
}

impl Disc {
    /// Makes a disc of this radius [m]; `None` unless it is finite and greater than zero.
    pub fn new(radius: f64) -> Option<Disc> {
        (radius > 0.0 && radius.is_finite()).then_some(Disc { radius })
    }

    fn rule(circle: &Circle, Asked { nu, order }: Asked) -> Rule {
        // the strip that contributes is narrow, and also short
        let part = circle.part(nu);
        let part = part * powi(2.0 * PI * part, 2);
        // sin² ψ from the area, and one power more in derivatives
        let log = -f64::from(nu) * ln(1.0 + circle.half / circle.least) - ln(part);
        let far = Far::infinity(i64::from(order + 3) - i64::from(nu), log);
        circle.rule(nu, &[far], circle::MOST)
    }

    /// Integrates for one exponent by the rule, in the axes e, g, e_z.
    fn sum<S: Scalar>(&self, nu: u32, circle: &Circle, rule: &Rule, [a, b_e, b_g]: [S; 3]) -> Moments<S> {
        let (r, number) = (self.radius, S::from_f64);
        let mut m = Moments::zero();
        for node in rule.nodes() {
            let d = circle.least + 2.0 * circle.half * node.rise;
            let (c, s) = (r * node.cos, r * node.sin);
            let weight = 2.0 * node.weight * s * s * powi(d, -(nu as i32));
            // d^−ν along the chord, as its value at the middle and its slope in η: f + f_η η
            let slope = number(-weight * f64::from(nu) / d);
            let f = number(weight) + slope * (a + b_e * number(c));
            let f_eta = slope * b_g;
            // the average of η² along the chord
            let chord = s * s / 3.0;
            m.i0 += f;
            m.i1.x += f * number(c);
            m.i1.y += f_eta * number(chord);
            m.i2[(0, 0)] += f * number(c * c);
            m.i2[(0, 1)] += f_eta * number(c * chord);
            m.i2[(1, 1)] += f * number(chord);
        }
        m.i2[(1, 0)] = m.i2[(0, 1)];
        m
    }
}

impl PieceFormula for Disc {
    fn moments<S: Scalar>(
        &self,
        asked: &[Asked],
        d: &Height<S>,
        cof: Option<&Mat3<S>>,
        out: &mut [Moments<S>],
    ) -> f64 {
        let value = d.value();
        let (size, least) = (value.a.abs(), PieceFormula::nearest(self, &value));
        if !above(least, out) {
            return f64::NAN;
        }
        let across = hypot(value.b.x, value.b.y);
        let e = if across > 0.0 { -Vec3::new(value.b.x, value.b.y, 0.0) / across } else { Vec3::x() };
        let axes = Mat3::from_columns(&[e, Vec3::z().cross(&e), Vec3::z()]).map(S::from_f64);
        let circle = Circle { least, half: self.radius * across };
        let b = axes.tr_mul(&d.b);
        let moved = [d.a, b.x, b.y].map(derivatives);
        let k = cof.map(|cof| norm(&cof.column(2).into_owned()));
        let mut off: f64 = 0.0;
        each_once(asked, out, |ask| {
            let rule = Self::rule(&circle, ask);
            off = off.max(rule.off(ask.nu, (size + circle.half) / least));
            let m = self.sum(ask.nu, &circle, &rule, moved);
            let m = k.map_or(m, |k| Moments { i0: m.i0 * k, i1: m.i1 * k, i2: m.i2 * k });
            m.turned(&axes).up_to(ask.order)
        });
        off
    }

    fn nearest(&self, d: &Height) -> f64 {
        d.a - self.radius * hypot(d.b.x, d.b.y)
    }

    fn area(&self) -> f64 {
        PI * self.radius * self.radius
    }

    fn facing(&self, b: &Vec3) -> f64 {
        -b.z / b.norm()
    }

    fn resting(&self, gap: f64) -> Height {
        Height { a: gap, b: -Vec3::z() }
    }
}
