//! The side of a circular cylinder.
//!
//! x = R (cos φ, sin φ, 0) + z e_z, |z| ≤ L/2. With e the direction of the nearest generator, g = e_z × e and ψ the angle from e,
//!
//!   d = a − B cos ψ + b_z z,   B = R √(b_x² + b_y²),   k = |F* m|,   m = cos ψ e + sin ψ g.
//!
//! k does not depend on z, so what is left along a generator is an integral of d^−ν z^j over a segment, in closed form; round the
//! circle it is summed by the rule of `circle`, with the singularities
//!
//! | where | what |
//! |---|---|
//! | d = 0 at the lower end | the pole the rule is made for |
//! | d = 0 at the upper end | none if the axis is parallel to the support |
//! | k = 0: tan(ψ − ψ₁) = ± i σ₁/σ₂ | σ₁ ≥ σ₂ the singular values of F* across the axis, ψ₁ the direction of the greater; none if they are equal |
//! | ψ = i∞ | none if ν is greater than the power of x |
//!
//! A rigid barrel parallel to the support has only the first: ν + 2 nodes are exact, being Laplace's integral of the Legendre function in
//! ∫dψ/(a − B cos ψ)^ν = 2π r^−ν P_{ν−1}(a/r), r² = a² − B². Checked against that, and against adaptive quadrature.

use std::f64::consts::PI;

use carom_base::{Mat3, Scalar, Vec3};

use super::{above, each_once};
use crate::circle::{self, Circle, Far, Rule};
use crate::piece::{Asked, Height, Moments, PieceFormula};
use crate::segment::{Segment, derivatives};

/// The side of a circular cylinder about the z axis, centred.
///
/// ```
/// use carom_base::Vec3;
/// use carom_field::{Asked, Height, Moments, Piece, pieces::Barrel};
/// let barrel = Barrel::new(0.5, 1.0).unwrap(); // radius, length [m]
/// let d = Height { a: 1.3, b: Vec3::y() }; // its axis 1.3 m over the support, parallel to it
/// let mut out = [Moments::zero()];
/// barrel.moments(&[Asked { nu: 1, order: 0 }], &d, None, &mut out);
/// let exact = std::f64::consts::PI / 1.2; // ∫R dφ/d = 2π R/√(a² − R²)
/// assert!((out[0].i0 / exact - 1.0).abs() < 1e-14);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Barrel {
    radius: f64,
    length: f64,
}

/// Where a barrel is over the support, values only.
struct Lying {
    /// e: across the axis, towards the support
    e: Vec3,
    /// g = e_z × e
    g: Vec3,
    /// the circle at the lower end
    circle: Circle,
    /// by how much the end at −L/2, +L/2 is higher than that [m]
    ends: [f64; 2],
    /// |d| without cancellation [m]: what rounding is to be compared with
    size: f64,
    /// k as a function of the angle, if it deforms
    stretch: Option<Stretch>,
}

/// k² = σ₁² cos²(ψ − ψ₁) + σ₂² sin²(ψ − ψ₁).
struct Stretch {
    /// σ₁
    most: f64,
    /// σ₂
    least: f64,
    /// k at the nearest generator
    here: f64,
}

impl Barrel {
    /// Of that radius and length [m]; `None` unless both are finite and greater than zero.
    pub fn new(radius: f64, length: f64) -> Option<Barrel> {
        let good = |x: f64| x > 0.0 && x.is_finite();
        (good(radius) && good(length)).then_some(Barrel { radius, length })
    }

    fn lying(&self, d: &Height, cof: Option<&Mat3>) -> Lying {
        let across = d.b.x.hypot(d.b.y);
        let e = if across > 0.0 { -Vec3::new(d.b.x, d.b.y, 0.0) / across } else { Vec3::x() };
        let g = Vec3::z().cross(&e);
        let (half, tilt) = (self.radius * across, self.length * d.b.z);
        let least = PieceFormula::nearest(self, d);
        let ends = [(-tilt).max(0.0), tilt.max(0.0)];
        let size = d.a.abs() + half + 0.5 * tilt.abs();
        let stretch = cof.map(|cof| Stretch::new(&(cof * e), &(cof * g)));
        Lying { e, g, circle: Circle { least, half }, ends, size, stretch }
    }

    /// ∫ of one exponent by the rule, in the axes e, g, e_z.
    fn sum<S: Scalar>(
        &self,
        Asked { nu, order }: Asked,
        at: &Lying,
        d: &Height<S>,
        cof: Option<&Mat3<S>>,
        rule: &Rule,
    ) -> Moments<S> {
        let (r, l) = (self.radius, 0.5 * self.length);
        let number = S::from_f64;
        let along = |v: &Vec3| derivatives(d.b.x * number(v.x) + d.b.y * number(v.y));
        let (b_e, b_g) = (along(&at.e), along(&at.g));
        let (a, b_z) = (derivatives(d.a), derivatives(d.b.z) * number(l));
        let gram = cof.map(|cof| {
            let (c_e, c_g) = (cof * at.e.map(number), cof * at.g.map(number));
            [c_e.dot(&c_e), c_e.dot(&c_g), c_g.dot(&c_g)]
        });
        let mut m = Moments::zero();
        for node in rule.nodes() {
            let height = at.circle.least + 2.0 * at.circle.half * node.rise;
            let generator = Segment::new::<S>(height + at.ends[0], height + at.ends[1], nu, order);
            let middle = a + b_e * number(r * node.cos);
            let both = generator.moved(middle - b_z, middle + b_z);
            let aside = generator.change(b_g * number(r * node.sin));
            let (mut plus, mut minus): ([S; 3], [S; 3]) =
                (std::array::from_fn(|j| both[j] + aside[j]), std::array::from_fn(|j| both[j] - aside[j]));
            if let Some([ee, eg, gg]) = &gram {
                let even = *ee * number(node.cos * node.cos) + *gg * number(node.sin * node.sin);
                let odd = *eg * number(2.0 * node.cos * node.sin);
                let (k_plus, k_minus) = ((even + odd).sqrt(), (even - odd).sqrt());
                plus = plus.map(|x| x * k_plus);
                minus = minus.map(|x| x * k_minus);
            }
            let weight = number(node.weight * 2.0 * r * l);
            let even: [S; 3] = std::array::from_fn(|j| (plus[j] + minus[j]) * weight);
            let odd: [S; 3] = std::array::from_fn(|j| (plus[j] - minus[j]) * weight);
            let (c, s) = (r * node.cos, r * node.sin);
            m.i0 += even[0];
            if order > 0 {
                m.i1 += Vec3::new(even[0] * number(c), odd[0] * number(s), even[1] * number(l));
            }
            if order > 1 {
                let (xy, xz, yz) = (odd[0] * number(c * s), even[1] * number(c * l), odd[1] * number(s * l));
                let (xx, yy, zz) =
                    (even[0] * number(c * c), even[0] * number(s * s), even[2] * number(l * l));
                m.i2 += Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
            }
        }
        m
    }
}

impl Lying {
    fn rule(&self, Asked { nu, order }: Asked) -> Rule {
        let (circle, power) = (&self.circle, f64::from(nu));
        let (h, upper) = (circle.least, circle.least + self.ends[0].max(self.ends[1]));
        // what counts of a generator, and of the circle
        let along = (h / ((upper - h) * power.max(1.0))).min(1.0);
        let part = circle.part(nu) * along;
        // (h/d)^ν of a generator at the height d, as a share of the integral
        let share = |d: f64| -power * (d / h).ln() - part.ln();
        let mut far = [Far::NONE; 4];
        // cos ψ to the highest power; derivatives have one more of it, and cos 2ψ in that of k
        let cosines = order + 1 + u32::from(self.stretch.is_some());
        far[0] = Far::infinity(i64::from(cosines) - i64::from(nu), share(h + circle.half));
        if upper > h && nu > 0 {
            let t2 = upper / (upper + 2.0 * circle.half);
            let log = -(power - 1.5).max(0.0) * (upper / h).ln();
            far[1] = Far { p: t2.sqrt(), near: 1.0, far: t2, log, order: power };
        }
        if let Some(stretch) = &self.stretch {
            [far[2], far[3]] = stretch.zeros(circle, share);
        }
        circle.rule(nu, &far, circle::MOST)
    }
}

impl Stretch {
    fn new(c_e: &Vec3, c_g: &Vec3) -> Stretch {
        let (ee, eg, gg) = (c_e.dot(c_e), c_e.dot(c_g), c_g.dot(c_g));
        let most = (0.5 * (ee + gg) + (0.5 * (ee - gg)).hypot(eg)).sqrt();
        Stretch { most, least: c_e.cross(c_g).norm() / most, here: ee.sqrt() }
    }

    /// The zeros of k, with the share of the integral that is at the height of each.
    fn zeros(&self, circle: &Circle, share: impl Fn(f64) -> f64) -> [Far; 2] {
        let Stretch { most, least, here } = *self;
        let w2 = (most - least) * (most + least);
        if w2 <= 1e-30 * most * most {
            return [Far::NONE; 2];
        }
        // w cos α and w sin α, α the angle of a zero
        let cos = ((most - here) * (most + here)).max(0.0).sqrt();
        let sin = ((here - least) * (here + least)).max(0.0).sqrt();
        [cos, -cos].map(|cos| circle.zero([most, least], [cos, sin], |d| (most / here).ln() + share(d)))
    }
}

impl PieceFormula for Barrel {
    fn moments<S: Scalar>(
        &self,
        asked: &[Asked],
        d: &Height<S>,
        cof: Option<&Mat3<S>>,
        out: &mut [Moments<S>],
    ) -> f64 {
        let value = d.value();
        if !above(PieceFormula::nearest(self, &value), out) {
            return f64::NAN;
        }
        let at = self.lying(&value, cof.map(|cof| cof.map(S::value)).as_ref());
        let axes = Mat3::from_columns(&[at.e, at.g, Vec3::z()]).map(S::from_f64);
        let mut off: f64 = 0.0;
        each_once(asked, out, |ask| {
            let rule = at.rule(ask);
            off = off.max(rule.off(ask.nu, at.size / at.circle.least));
            let m = self.sum(ask, &at, d, cof, &rule);
            Moments { i0: m.i0, i1: axes * m.i1, i2: axes * m.i2 * axes.transpose() }
        });
        off
    }

    fn nearest(&self, d: &Height) -> f64 {
        d.a - self.radius * d.b.x.hypot(d.b.y) - 0.5 * self.length * d.b.z.abs()
    }

    fn area(&self) -> f64 {
        2.0 * PI * self.radius * self.length
    }

    fn facing(&self, b: &Vec3) -> f64 {
        b.x.hypot(b.y) / b.norm()
    }

    fn resting(&self, gap: f64) -> Height {
        Height { a: self.radius + gap, b: Vec3::x() }
    }
}
