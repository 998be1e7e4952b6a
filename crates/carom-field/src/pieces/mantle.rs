//! The side of a cone or of its frustum.
//!
//! A point is x = r (cos φ, sin φ, 0) + z e_z, where r = r₀ λ₀ + r₁ λ₁ goes from the base to the top as z goes from −L/2 to L/2. With e, g and ψ as
//! for a barrel, each end of a generator is at the height
//!
//!   x_i = a + b_z z_i − B_i cos ψ,   B_i = r_i √(b_x² + b_y²),   and   k = |F* m|,   m = (L (cos ψ e + sin ψ g) − (r₁ − r₀) e_z)/l,
//!
//! where l is the slant height. k is the same all along a generator. The area is proportional to r, and the average over a segment of λ₁ f is half that over a
//! triangle whose second vertex is there twice (Hermite, Genocchi), so that the integral along a generator is that over two triangles, in closed
//! form. Round the circle it is summed by the rule of `circle`, designed for one end and with the singularities of a barrel for the other; of
//! both ends the one with fewer nodes is taken. The zeros of k are taken for as near as the singular values of F* allow.
//!
//! It is checked against adaptive quadrature, and against the barrel that it becomes as r₁ → r₀.

use std::f64::consts::PI;

use carom_base::elementary::{hypot, ln};
use carom_base::{Dual, Mat3, Scalar, Vec3};

use super::{above, each_once};
use crate::circle::{self, Circle, Far, Rule};
use crate::kernel::simplex::averages;
use crate::piece::{Asked, Height, Moments, PieceFormula};
use crate::sums::{Powers, Sums, add, derivatives, has_derivatives};

/// The side of a cone about the z axis, its ends at z = −length/2 and length/2.
///
/// ```
/// use carom_base::Vec3;
/// use carom_field::{Asked, Height, Moments, Piece, pieces::Mantle};
/// let cone = Mantle::new([0.75, 0.0], 1.0).unwrap(); // radii of base and top, length [m]
/// let d = Height { a: 2.0, b: Vec3::z() }; // upright, its tip up
/// let mut out = [Moments::zero()];
/// cone.moments(&[Asked { nu: 0, order: 1 }], &d, None, &mut out);
/// assert!((out[0].i0 / (std::f64::consts::PI * 0.75 * 1.25) - 1.0).abs() < 1e-14); // π r l
/// assert!((out[0].i1.z / out[0].i0 + 0.5 - 1.0 / 3.0).abs() < 1e-14); // a third of the height above the base
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mantle {
    /// of the ends at −L/2 and L/2 [m]
    radii: [f64; 2],
    length: f64,
}

/// The configuration of a mantle over the support, without derivatives.
struct Lying {
    /// e: unit vector across the axis, towards the support
    e: Vec3,
    /// g = e_z × e
    g: Vec3,
    /// the circles of both ends
    ends: [Circle; 2],
    /// |d| without cancellation [m], for the estimate of the rounding error
    size: f64,
    /// the largest and the least singular value of F*, if the body deforms
    stretch: Option<[f64; 2]>,
}

impl Mantle {
    /// Makes a mantle of these radii of the ends and this length [m]; `None` unless all are finite, the length is greater than zero, the radii are not
    /// negative, and one of them is greater than zero.
    pub fn new(radii: [f64; 2], length: f64) -> Option<Mantle> {
        let finite = radii.iter().all(|r| *r >= 0.0 && r.is_finite()) && length.is_finite();
        (finite && length > 0.0 && radii[0] + radii[1] > 0.0).then_some(Mantle { radii, length })
    }

    fn slant(&self) -> f64 {
        hypot(self.length, self.radii[1] - self.radii[0])
    }

    /// The heights of the lowest points of both ends.
    fn least(&self, d: &Height) -> [f64; 2] {
        let (across, tilt) = (hypot(d.b.x, d.b.y), 0.5 * self.length * d.b.z);
        [d.a - tilt - self.radii[0] * across, d.a + tilt - self.radii[1] * across]
    }

    fn lying(&self, d: &Height, cof: Option<&Mat3>) -> Lying {
        let across = hypot(d.b.x, d.b.y);
        let e = if across > 0.0 { -Vec3::new(d.b.x, d.b.y, 0.0) / across } else { Vec3::x() };
        let least = self.least(d);
        let ends = [0, 1].map(|i| Circle { least: least[i], half: self.radii[i] * across });
        let size = d.a.abs() + self.radii[0].max(self.radii[1]) * across + 0.5 * self.length * d.b.z.abs();
        let stretch = cof.map(|cof| {
            let values = cof.singular_values();
            [values.max(), values.min()]
        });
        Lying { e, g: Vec3::z().cross(&e), ends, size, stretch }
    }

    /// Integrates for one exponent by the rule, in the axes e, g, e_z, with the derivatives with respect to a, b·e, b·g, b_z L/2
    /// and `gram`, the products c_i·c_j of F* e, F* g and F* e_z, so that k² = m·(gram)·m.
    fn sum<S: Scalar>(
        &self,
        Asked { nu, order }: Asked,
        at: &Lying,
        gram: Option<[f64; 6]>,
        rule: &Rule,
    ) -> Sums<10> {
        let (slant, half) = (self.slant(), 0.5 * self.length);
        let (mean, change) = (0.5 * (self.radii[0] + self.radii[1]), 0.5 * (self.radii[1] - self.radii[0]));
        let (n_r, n_z) = (self.length / slant, -2.0 * change / slant);
        let mut sums = Sums::ZERO;
        for node in rule.nodes() {
            let heights = [0, 1].map(|i| at.ends[i].least + 2.0 * at.ends[i].half * node.rise);
            let p = self.generator::<S>(heights, nu, order);
            let area = node.weight * slant;
            for (c, s) in [(node.cos, node.sin), (node.cos, -node.sin)] {
                let (m_e, m_g) = (n_r * c, n_r * s);
                let squares =
                    [m_e * m_e, 2.0 * m_e * m_g, 2.0 * m_e * n_z, m_g * m_g, 2.0 * m_g * n_z, n_z * n_z];
                let k =
                    gram.map_or(1.0, |gram| gram.iter().zip(squares).map(|(g, q)| g * q).sum::<f64>().sqrt());
                // of averages of r t^j: those of r², r³ and their products with t
                let powers = |[p, q, t]: [f64; 3]| -> Powers {
                    let (r, rt) = (mean * p + change * q, mean * q + change * t);
                    let rr = mean * r + change * rt;
                    let (z, zz) = (half * q, half * half * t);
                    let x = [c * r, s * r];
                    let [xz, yz] = [c * half * rt, s * half * rt];
                    [p, x[0], x[1], z, c * c * rr, c * s * rr, xz, s * s * rr, yz, zz]
                };
                let values = powers(p.map(|f| f.re));
                add(&mut sums.values, area * k, &values);
                if has_derivatives::<S>() {
                    for (i, z) in [-1.0, 1.0].into_iter().enumerate() {
                        let by = powers(p.map(|f| f.eps[i]));
                        let r = self.radii[i];
                        for (sum, rise) in sums.by.iter_mut().zip([1.0, r * c, r * s, z]) {
                            add(sum, area * k * rise, &by);
                        }
                    }
                    if gram.is_some() {
                        for (sum, square) in sums.by[4..].iter_mut().zip(squares) {
                            add(sum, 0.5 * area / k * square, &values);
                        }
                    }
                }
            }
        }
        sums
    }

    /// Averages of r d^−ν t^j along a generator with ends at these heights, where t goes from −1 to 1, with their derivatives with respect to
    /// the heights.
    fn generator<S: Scalar>(&self, [x0, x1]: [f64; 2], nu: u32, order: u32) -> [Dual<2>; 3] {
        match has_derivatives::<S>() {
            true => self.weighted(Dual::variable(x0, 0), Dual::variable(x1, 1), nu, order),
            false => self.weighted(x0, x1, nu, order).map(Dual::from_f64),
        }
    }

    fn weighted<S: Scalar>(&self, x0: S, x1: S, nu: u32, order: u32) -> [S; 3] {
        let mut out = [S::from_f64(0.0); 3];
        // the end that is there twice is the last two
        for (single, double, r, sign) in [(x1, x0, self.radii[0], -1.0), (x0, x1, self.radii[1], 1.0)] {
            if r == 0.0 {
                continue;
            }
            let avg = averages(&[single, double, double], nu, order);
            let (one, two) = (avg.first[0], avg.first[1] + avg.first[2]);
            let second = avg.second;
            let squares = [
                second[0][0],
                second[0][1] + second[0][2],
                second[1][1] + second[2][2] + (second[1][2] + second[1][2]),
            ];
            // t = ±(λ of the double end − λ of the single one); half a triangle's average
            let (weight, odd) = (S::from_f64(0.5 * r), S::from_f64(0.5 * r * sign));
            out[0] += avg.zeroth * weight;
            out[1] += (two - one) * odd;
            out[2] += (squares[0] + squares[2] - (squares[1] + squares[1])) * weight;
        }
        out
    }
}

impl Lying {
    /// The rule for one exponent: designed for the end that takes fewer nodes.
    fn rule(&self, ask: Asked, pointed: bool) -> Rule {
        let [one, other] = [self.rule_for(0, ask, pointed), self.rule_for(1, ask, pointed)];
        if one.pairs() <= other.pairs() { one } else { other }
    }

    /// The rule that is designed for the pole of that end.
    fn rule_for(&self, end: usize, Asked { nu, order }: Asked, pointed: bool) -> Rule {
        let (circle, other, power) = (&self.ends[end], &self.ends[1 - end], f64::from(nu));
        let h = circle.least.min(other.least);
        // the fraction of a generator, and of the circle, that contributes
        let along = (h / ((circle.least - other.least).abs() * power.max(1.0))).min(1.0);
        let part = circle.part(nu).min(other.part(nu)) * along;
        // (h/d)^ν of a generator at the height d, as a fraction of the integral
        let share = |d: f64| -power * ln(d / h) - ln(part);
        let mut far = [Far::NONE; 3];
        // highest power of cos ψ; derivatives have one more, and k and its derivative two
        let cosines = i64::from(order) + 1 + if self.stretch.is_some() { 2 } else { 0 };
        let farthest = circle.half.max(other.half);
        far[0] = match cosines - i64::from(nu) {
            // from a tip on the integrand falls more slowly, with a logarithm
            growth if growth > 0 || (pointed && nu > 0 && growth > -3) => {
                Far { log: share(h + farthest), order: growth.max(1) as f64, ..Far::NONE }
            }
            _ => Far::NONE,
        };
        if nu > 0 && other.half > 0.0 {
            let t2 = other.least / (other.least + 2.0 * other.half);
            let log = -(power - 1.5).max(0.0) * ln(other.least / h) - ln(part);
            far[1] = Far { p: t2.sqrt(), near: 1.0, far: t2, log, order: power };
        }
        if let Some([most, least]) = self.stretch {
            far[2] = zero(most, least, |height| ln(most / least) + share(height), h);
        }
        circle.rule(nu, &far, circle::MOST)
    }
}

/// A zero of k as near as it can be: sinh η = σ₃/√(σ₁² − σ₃²), at the angle where it disturbs most.
fn zero(most: f64, least: f64, log: impl Fn(f64) -> f64, height: f64) -> Far {
    let w2 = (most - least) * (most + least);
    if w2 <= 1e-30 * most * most {
        return Far::NONE;
    }
    let w = w2.sqrt();
    Far { p: least, near: most + w, far: most + w, log: log(height), order: 0.0 }
}

impl PieceFormula for Mantle {
    fn moments<S: Scalar>(
        &self,
        asked: &[Asked],
        d: &Height<S>,
        cof: Option<&Mat3<S>>,
        out: &mut [Moments<S>],
    ) -> f64 {
        let value = d.value();
        let least = PieceFormula::nearest(self, &value);
        if !above(least, out) {
            return f64::NAN;
        }
        let at = self.lying(&value, cof.map(|cof| cof.map(S::value)).as_ref());
        let axes = Mat3::from_columns(&[at.e, at.g, Vec3::z()]).map(S::from_f64);
        let gram = cof.map(|cof| {
            let c = [0, 1, 2].map(|i| cof * axes.column(i));
            [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)].map(|(i, j)| c[i].dot(&c[j]))
        });
        let b = axes.tr_mul(&d.b);
        let [ee, eg, ez, gg, gz, zz] = gram.unwrap_or([S::from_f64(0.0); 6]);
        let tilt = b.z * S::from_f64(0.5 * self.length);
        let variables = [d.a, b.x, b.y, tilt, ee, eg, ez, gg, gz, zz].map(derivatives);
        let pointed = self.radii[0].min(self.radii[1]) == 0.0;
        let mut off: f64 = 0.0;
        each_once(asked, out, |ask| {
            let rule = at.rule(ask, pointed);
            off = off.max(rule.off(ask.nu, at.size / least));
            let sums = self.sum::<S>(ask, &at, gram.map(|g| g.map(S::value)), &rule);
            sums.moments(&variables).turned(&axes).up_to(ask.order)
        });
        off
    }

    fn nearest(&self, d: &Height) -> f64 {
        let [one, other] = self.least(d);
        one.min(other)
    }

    fn area(&self) -> f64 {
        PI * (self.radii[0] + self.radii[1]) * self.slant()
    }

    fn facing(&self, b: &Vec3) -> f64 {
        // the normal that leans most towards the support
        let slant = self.slant();
        (self.length * hypot(b.x, b.y) + (self.radii[1] - self.radii[0]) * b.z) / (slant * b.norm())
    }

    fn resting(&self, gap: f64) -> Height {
        // a generator lies parallel to the support: b is opposite to its normal
        let (slant, mean) = (self.slant(), 0.5 * (self.radii[0] + self.radii[1]));
        let b = Vec3::new(self.length, 0.0, self.radii[0] - self.radii[1]) / -slant;
        Height { a: mean * self.length / slant + gap, b }
    }
}
