//! The side of a circular cylinder.
//!
//! A point is x = R (cos φ, sin φ, 0) + z e_z, |z| ≤ L/2. With e the direction of the closest generator, g = e_z × e and ψ the
//! angle from e,
//!
//!   d = a − B cos ψ + b_z z,   B = R √(b_x² + b_y²),   k = |F* m|,   m = cos ψ e + sin ψ g.
//!
//! k does not depend on z, so the integral of d^−ν z^j along a generator is one over a segment, in closed form. Round the
//! circle it is summed by the rule of `circle`, with the singularities
//!
//! | position | remark |
//! |---|---|
//! | d = 0 at the lower end | the pole that the rule is designed for |
//! | d = 0 at the upper end | absent if the axis is parallel to the support |
//! | k = 0: tan(ψ − ψ₁) = ± i σ₁/σ₂ | σ₁ ≥ σ₂: singular values of F* across the axis; absent if equal; ψ₁: direction of σ₁ |
//! | ψ = i∞ | absent if ν is greater than the power of x |
//!
//! A rigid barrel parallel to the support has only the first one: ν + 2 nodes are exact, as it is Laplace's integral of the
//! Legendre function in ∫dψ/(a − B cos ψ)^ν = 2π r^−ν P_{ν−1}(a/r), r² = a² − B². This is checked against that formula, and
//! against adaptive quadrature.

use std::f64::consts::PI;

use carom_base::elementary::{hypot, ln};
use carom_base::{Mat3, Scalar, Vec3};

use super::{above, each_once};
use crate::circle::{self, Circle, Far, Rule};
use crate::piece::{Asked, Height, Moments, PieceFormula};
use crate::segment::Segment;
use crate::sums::{Powers, Sums, add, derivatives, has_derivatives};

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

/// The configuration of a barrel over the support, without derivatives.
struct Lying {
    /// e: unit vector across the axis, towards the support
    e: Vec3,
    /// g = e_z × e
    g: Vec3,
    /// the circle at the lower end
    circle: Circle,
    /// height of the ends at −L/2 and +L/2 above the lower end [m]
    ends: [f64; 2],
    /// |d| without cancellation [m], for the estimate of the rounding error
    size: f64,
    /// k as a function of the angle, if the body deforms
    stretch: Option<Stretch>,
}

/// The area factor k of a deforming barrel: k² = σ₁² cos²(ψ − ψ₁) + σ₂² sin²(ψ − ψ₁).
struct Stretch {
    /// σ₁
    most: f64,
    /// σ₂
    least: f64,
    /// k at the closest generator
    here: f64,
}

impl Barrel {
    /// Makes a barrel of this radius and length [m]; `None` unless both are finite and greater than zero.
    pub fn new(radius: f64, length: f64) -> Option<Barrel> {
        let good = |x: f64| x > 0.0 && x.is_finite();
        (good(radius) && good(length)).then_some(Barrel { radius, length })
    }

    fn lying(&self, d: &Height, cof: Option<&Mat3>) -> Lying {
        let across = hypot(d.b.x, d.b.y);
        let e = if across > 0.0 { -Vec3::new(d.b.x, d.b.y, 0.0) / across } else { Vec3::x() };
        let g = Vec3::z().cross(&e);
        let (half, tilt) = (self.radius * across, self.length * d.b.z);
        let least = PieceFormula::nearest(self, d);
        let ends = [(-tilt).max(0.0), tilt.max(0.0)];
        let size = d.a.abs() + half + 0.5 * tilt.abs();
        let stretch = cof.map(|cof| Stretch::new(&(cof * e), &(cof * g)));
        Lying { e, g, circle: Circle { least, half }, ends, size, stretch }
    }

    /// Integrates for one exponent by the rule, in the axes e, g, e_z, with the derivatives with respect to a, b·e, b·g, b_z L/2
    /// and `gram`: c_e·c_e, c_e·c_g, c_g·c_g of c_e = F* e and c_g = F* g, so that k² = m·(gram)·m.
    fn sum<S: Scalar>(
        &self,
        Asked { nu, order }: Asked,
        at: &Lying,
        gram: Option<[f64; 3]>,
        rule: &Rule,
    ) -> Sums<7> {
        let (r, l) = (self.radius, 0.5 * self.length);
        let mut sums = Sums::ZERO;
        for node in rule.nodes() {
            let height = at.circle.least + 2.0 * at.circle.half * node.rise;
            let generator = Segment::new::<S>(height + at.ends[0], height + at.ends[1], nu, order);
            let area = node.weight * 2.0 * r * l;
            for (c, s) in [(node.cos, node.sin), (node.cos, -node.sin)] {
                let squares = [c * c, 2.0 * c * s, s * s];
                let k = gram
                    .map_or(1.0, |[ee, eg, gg]| (ee * squares[0] + eg * squares[1] + gg * squares[2]).sqrt());
                let (x, y) = (r * c, r * s);
                let powers = |[p, q, s]: [f64; 3]| -> Powers {
                    [p, x * p, y * p, l * q, x * x * p, x * y * p, x * l * q, y * y * p, y * l * q, l * l * s]
                };
                let values = powers(generator.values());
                add(&mut sums.values, area * k, &values);
                if has_derivatives::<S>() {
                    let by_height = powers(generator.by_height());
                    add(&mut sums.by[0], area * k, &by_height);
                    add(&mut sums.by[1], area * k * x, &by_height);
                    add(&mut sums.by[2], area * k * y, &by_height);
                    add(&mut sums.by[3], area * k, &powers(generator.by_tilt()));
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
}

impl Lying {
    fn rule(&self, Asked { nu, order }: Asked) -> Rule {
        let (circle, power) = (&self.circle, f64::from(nu));
        let (h, upper) = (circle.least, circle.least + self.ends[0].max(self.ends[1]));
        // the fraction of a generator, and of the circle, that contributes
        let along = (h / ((upper - h) * power.max(1.0))).min(1.0);
        let part = circle.part(nu) * along;
        // (h/d)^ν of a generator at the height d, as a fraction of the integral
        let share = |d: f64| -power * ln(d / h) - ln(part);
        let mut far = [Far::NONE; 4];
        // highest power of cos ψ; derivatives have one more, and the derivative of k has cos 2ψ
        let cosines = order + 1 + u32::from(self.stretch.is_some());
        far[0] = Far::infinity(i64::from(cosines) - i64::from(nu), share(h + circle.half));
        if upper > h && nu > 0 {
            let t2 = upper / (upper + 2.0 * circle.half);
            let log = -(power - 1.5).max(0.0) * ln(upper / h);
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
        let most = (0.5 * (ee + gg) + hypot(0.5 * (ee - gg), eg)).sqrt();
        Stretch { most, least: c_e.cross(c_g).norm() / most, here: ee.sqrt() }
    }

    /// Returns the zeros of k, with the fraction of the integral at the height of each.
    fn zeros(&self, circle: &Circle, share: impl Fn(f64) -> f64) -> [Far; 2] {
        let Stretch { most, least, here } = *self;
        let w2 = (most - least) * (most + least);
        if w2 <= 1e-30 * most * most {
            return [Far::NONE; 2];
        }
        // w cos α and w sin α, where α is the angle of a zero
        let cos = ((most - here) * (most + here)).max(0.0).sqrt();
        let sin = ((here - least) * (here + least)).max(0.0).sqrt();
        [cos, -cos].map(|cos| circle.zero([most, least], [cos, sin], |d| ln(most / here) + share(d)))
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
        let gram = cof.map(|cof| {
            let (c_e, c_g) = (cof * axes.column(0), cof * axes.column(1));
            [c_e.dot(&c_e), c_e.dot(&c_g), c_g.dot(&c_g)]
        });
        let b = axes.tr_mul(&d.b);
        let [ee, eg, gg] = gram.unwrap_or([S::from_f64(0.0); 3]);
        let variables = [d.a, b.x, b.y, b.z * S::from_f64(0.5 * self.length), ee, eg, gg].map(derivatives);
        let mut off: f64 = 0.0;
        each_once(asked, out, |ask| {
            let rule = at.rule(ask);
            off = off.max(rule.off(ask.nu, at.size / at.circle.least));
            let sums = self.sum::<S>(ask, &at, gram.map(|g| g.map(S::value)), &rule);
            sums.moments(&variables).turned(&axes).up_to(ask.order)
        });
        off
    }

    fn nearest(&self, d: &Height) -> f64 {
        d.a - self.radius * hypot(d.b.x, d.b.y) - 0.5 * self.length * d.b.z.abs()
    }

    fn area(&self) -> f64 {
        2.0 * PI * self.radius * self.length
    }

    fn facing(&self, b: &Vec3) -> f64 {
        hypot(b.x, b.y) / b.norm()
    }

    fn resting(&self, gap: f64) -> Height {
        Height { a: self.radius + gap, b: Vec3::x() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For a circle of radius 0.5 m, stretched by a fifth in one direction; without a map 116, 164, 364 and 1,626 nodes give 1e-8
    /// (Contento et al. 2009 took 50). For the tilt of 0.1 rad, a cylinder 1 m long.
    #[test]
    fn few_nodes_are_enough() {
        let barrel = Barrel::new(0.5, 1.0).unwrap();
        let cof = Mat3::from_diagonal(&Vec3::new(1.2, 1.0, 1.2));
        let counts = |nu: u32, cof: Option<&Mat3>, tilt: f64| {
            [0.02, 0.01, 0.002, 1e-4].map(|gap| {
                let (sin, cos) = tilt.sin_cos();
                let d = Height { a: 0.5 * (cos + sin) + gap, b: Vec3::new(0.6 * cos, 0.8 * cos, sin) };
                barrel.lying(&d, cof).rule(Asked { nu, order: 1 }).count()
            })
        };
        assert_eq!(counts(8, None, 0.0), [10, 10, 10, 10]);
        assert_eq!(counts(8, Some(&cof), 0.0), [46, 40, 10, 10]);
        assert_eq!(counts(4, Some(&cof), 0.0), [64, 72, 90, 108]);
        assert_eq!(counts(8, None, 0.1), [50, 56, 68, 72]);
        assert_eq!(counts(4, None, 0.1), [40, 44, 62, 108]);
    }
}
