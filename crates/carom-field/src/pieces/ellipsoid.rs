//! The surface of an ellipsoid, and of a sphere or an ellipsoid that deforms.
//!
//! A point is x = A y, |y| = 1, A the diagonal matrix of the semi axes. Area transforms by the cofactors, m dA = A* y dΩ, so
//! that
//!
//!   k dA = |G y| dΩ,   G = F* A*,   F* = 1 if rigid.
//!
//! With c = A b, B = |c|, e = −c/B, and ψ the angle of y from e the height d = a − B cos ψ does not depend on the azimuth α
//! of y about e:
//!
//!   ∫k d^−ν x^p dA = ∫ d^−ν [ ∫ |G y| (A y)^p dα ] sin ψ dψ.
//!
//! Azimuth: the trapezoidal rule. |G y|² > 0 for real y; at α + iη it is still in the right half plane if
//! sinh η < σ₃/(sin ψ √(σ₁² − σ₃²)), σ₁ ≥ σ₂ ≥ σ₃ the singular values of G, so that with N nodes the error is e^(−Nη). Near the
//! closest point sin ψ is small and few nodes are enough; away from it d^−ν is small and fewer digits are needed. Along ψ:
//! Gauss's rule in cos θ, tan(ψ/2) = ε tan(θ/2), with ε and the number of nodes as for the trapezoidal rule round a circle
//! (`circle`), n Gauss nodes for 2n of those; by the same argument the inner integral is smooth at least up to
//! Im ψ = artanh(σ₃/σ₁).
//!
//! Derivatives with respect to the height are sums of d^(−ν−1) y^(p+1), those with respect to H = GᵀG of
//! d^−ν y^(p+2)/(2 |G y|).

use std::f64::consts::PI;

use carom_base::elementary::{acos, asinh, cos, ln, powi, sincos};
use carom_base::{Mat3, Scalar, Vec3};

use super::{above, each_once};
use crate::circle::{Circle, Far, LAST_PLACE, Node, Rule};
use crate::gauss;
use crate::piece::{Asked, Height, Moments, PieceFormula};
use crate::sums::{Powers, Sums, add, derivatives, has_derivatives};

/// An ellipsoid centred at the origin, its axes along those of its frame.
///
/// ```
/// use carom_base::Vec3;
/// use carom_field::{Asked, Height, Moments, Piece, pieces::EllipsoidSurface};
/// let egg = EllipsoidSurface::new([0.2, 0.2, 0.3]).unwrap(); // semi axes [m]
/// let mut out = [Moments::zero()];
/// let off = egg.moments(&[Asked { nu: 8, order: 0 }], &Height { a: 0.31, b: Vec3::z() }, None, &mut out);
/// assert!(off < 1e-12 && out[0].i0 > 0.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EllipsoidSurface {
    semi: Vec3,
    area: f64,
}

/// The configuration of an ellipsoid over the support, without derivatives.
struct Lying {
    /// e, f, g: e is towards the support
    axes: [Vec3; 3],
    /// d = h + 2 B sin²(ψ/2)
    circle: Circle,
    /// G
    g: Mat3,
    /// σ₁, σ₃
    spread: [f64; 2],
}

impl EllipsoidSurface {
    /// Makes an ellipsoid with these semi axes along x, y, z [m]; `None` unless all are finite and greater than zero.
    pub fn new(semi: [f64; 3]) -> Option<EllipsoidSurface> {
        let good = semi.iter().all(|e| *e > 0.0 && e.is_finite());
        let unknown = good.then_some(EllipsoidSurface { semi: Vec3::from(semi), area: 0.0 })?;
        let mut out = [Moments::zero()];
        let anywhere = Height { a: 1.0, b: Vec3::zeros() };
        PieceFormula::moments(&unknown, &[Asked { nu: 0, order: 0 }], &anywhere, None, &mut out);
        Some(EllipsoidSurface { area: out[0].i0, ..unknown })
    }

    /// Returns the cofactors A*.
    fn cofactors(&self) -> Vec3 {
        let [x, y, z] = [self.semi.x, self.semi.y, self.semi.z];
        Vec3::new(y * z, z * x, x * y)
    }

    fn lying(&self, d: &Height, cof: Option<&Mat3>) -> Lying {
        let c = d.b.component_mul(&self.semi);
        let half = c.norm();
        let e = if half > 0.0 { -c / half } else { Vec3::x() };
        // across e and the axis with which e has the smallest component
        let f = e.cross(&Vec3::from_fn(|i, _| f64::from(i == e.iamin()))).normalize();
        let rigid = Mat3::from_diagonal(&self.cofactors());
        let g = cof.map_or(rigid, |cof| cof * rigid);
        let circle = Circle { least: d.a - half, half };
        Lying { axes: [e, f, e.cross(&f)], circle, g, spread: spread(&g) }
    }
}

impl Lying {
    /// Returns the fraction of a sphere that contributes, ½∫(h/d)^ν d(cos ψ), or somewhat less.
    fn part(&self, nu: u32) -> f64 {
        let Circle { least: h, half } = self.circle;
        h / (h + 2.0 * half * f64::from(nu))
    }

    fn rule(&self, Asked { nu, order }: Asked) -> Rule {
        let [most, least] = self.spread;
        let h = self.circle.least;
        let here = (self.g * self.axes[0]).norm();
        let part = self.part(nu);
        let share = |d: f64| ln(most / here) - f64::from(nu) * ln(d / h) - ln(part);
        let mut far = [Far::NONE; 4];
        // highest power of cos ψ: one more in derivatives, two in that of |G y|, two by the map
        far[3] = Far::infinity(i64::from(order + 5) - i64::from(nu), share(h + self.circle.half));
        let w = ((most - least) * (most + least)).sqrt();
        if w > 1e-15 * most {
            // the zeros may be anywhere round the circle
            for (far, (cos, sin)) in far.iter_mut().zip([(w, 0.0), (0.0, w), (-w, 0.0)]) {
                *far = self.circle.zero([most, least], [cos, sin], share);
            }
        }
        self.circle.rule(nu, &far, gauss::MOST)
    }

    /// Returns the number of nodes round the azimuth.
    fn round(&self, nu: u32, node: &Node, d: f64) -> usize {
        let [most, least] = self.spread;
        let w = ((most - least) * (most + least)).sqrt();
        let share = node.weight * powi(self.circle.least / d, nu as i32) / (2.0 * self.part(nu));
        let digits = LAST_PLACE + ln(share.min(1.0));
        let eta = asinh(least / (node.sin * w));
        // in any case enough for polynomials in y up to fourth order
        5 + (digits / eta).clamp(0.0, 4096.0).ceil() as usize
    }

    /// Sums |G y| d^−ν times the powers of y, with the derivatives with respect to a and c, and to H: xx, xy, xz, yy, yz, zz.
    fn sum<S: Scalar>(&self, nu: u32, rule: &Rule, deforms: bool) -> Sums<10> {
        let mut sums = Sums::ZERO;
        let variables = if deforms { 10 } else { 4 };
        for node in rule.strips() {
            let d = self.circle.least + 2.0 * self.circle.half * node.rise;
            let count = self.round(nu, &node, d);
            let power = node.weight * powi(d, -(nu as i32)) * 2.0 * PI / count as f64;
            // summed strip by strip, which reduces the rounding error
            let mut strip = Sums::ZERO;
            for y in self.strip(&node, count) {
                let (p, stretch) = (powers(&y), (self.g * y).norm());
                add(&mut strip.values, power * stretch, &p);
                if has_derivatives::<S>() {
                    let (by_d, by_h) = (-f64::from(nu) * power * stretch / d, 0.5 * power / stretch);
                    for (k, y) in p[..variables].iter().enumerate() {
                        add(&mut strip.by[k], y * if k < 4 { by_d } else { by_h }, &p);
                    }
                }
            }
            sums.add(&strip);
        }
        sums
    }

    /// Returns `count` points of the unit sphere round e.
    fn strip(&self, node: &Node, count: usize) -> impl Iterator<Item = Vec3> + use<> {
        let [e, f, g] = self.axes;
        let (middle, f, g) = (e * node.cos, f * node.sin, g * node.sin);
        let step = 2.0 * PI / count as f64;
        let (turn_sin, turn_cos) = sincos(step);
        let (mut sin, mut cos) = sincos(0.5 * step);
        (0..count).map(move |_| {
            let y = middle + f * cos + g * sin;
            (sin, cos) = (sin * turn_cos + cos * turn_sin, cos * turn_cos - sin * turn_sin);
            y
        })
    }
}

#[inline(always)]
fn powers(v: &Vec3) -> Powers {
    let (x, y, z) = (v.x, v.y, v.z);
    [1.0, x, y, z, x * x, x * y, x * z, y * y, y * z, z * z]
}

/// Returns the greatest and the least singular value; the eigenvalues of GᵀG are q + 2p cos(φ + 2πk/3).
fn spread(g: &Mat3) -> [f64; 2] {
    let h = g.tr_mul(g);
    let q = h.trace() / 3.0;
    let off = h - Mat3::from_diagonal_element(q);
    let p = (off.norm_squared() / 6.0).sqrt();
    if p <= 1e-15 * q {
        return [q.sqrt(); 2];
    }
    let phi = acos((0.5 * (off / p).determinant()).clamp(-1.0, 1.0)) / 3.0;
    let (first, second) = (q + 2.0 * p * cos(phi), q + 2.0 * p * cos(phi - 2.0 * PI / 3.0));
    // the least follows from the determinant, to avoid the cancellation of a difference
    let third = g.determinant().abs() / (first * second.max(q - 2.0 * p)).sqrt();
    [first.sqrt(), third.min(first.sqrt())]
}

impl PieceFormula for EllipsoidSurface {
    fn moments<S: Scalar>(
        &self,
        asked: &[Asked],
        d: &Height<S>,
        cof: Option<&Mat3<S>>,
        out: &mut [Moments<S>],
    ) -> f64 {
        let value = d.value();
        let at = self.lying(&value, cof.map(|cof| cof.map(S::value)).as_ref());
        if !above(at.circle.least, out) {
            return f64::NAN;
        }
        let size = (value.a.abs() + at.circle.half) / at.circle.least;
        let h = cof.map_or_else(Mat3::zeros, |cof| {
            let g = cof * Mat3::from_diagonal(&self.cofactors()).map(S::from_f64);
            g.tr_mul(&g)
        });
        let semi = self.semi.map(S::from_f64);
        let (c, both) = (d.b.component_mul(&semi), |i, j| h[(i, j)] + h[(j, i)]);
        let [xx, xy, xz] = [h[(0, 0)], both(0, 1), both(0, 2)];
        let [yy, yz, zz] = [h[(1, 1)], both(1, 2), h[(2, 2)]];
        let variables = [d.a, c.x, c.y, c.z, xx, xy, xz, yy, yz, zz].map(derivatives);
        let mut off: f64 = 0.0;
        each_once(asked, out, |ask| {
            let rule = at.rule(ask);
            off = off.max(rule.off(ask.nu, size));
            let m = at.sum::<S>(ask.nu, &rule, cof.is_some()).moments(&variables);
            // x = A y
            let i2 = m.i2.component_mul(&(semi * semi.transpose()));
            Moments { i0: m.i0, i1: m.i1.component_mul(&semi), i2 }.up_to(ask.order)
        });
        off
    }

    fn nearest(&self, d: &Height) -> f64 {
        d.a - d.b.component_mul(&self.semi).norm()
    }

    fn area(&self) -> f64 {
        self.area
    }

    fn facing(&self, _: &Vec3) -> f64 {
        1.0
    }

    fn resting(&self, gap: f64) -> Height {
        let shortest = self.semi.imin();
        Height {
            a: self.semi[shortest] + gap,
            b: Vec3::from_fn(|i, _| if i == shortest { 1.0 } else { 0.0 }),
        }
    }
}
