//! Integrals round a circle that passes close to a plane: the trapezoid rule after a map that brings the nodes to where the circle is
//! nearest.
//!
//! On the circle d = h + 2 B sin²(ψ/2), ψ the angle from the nearest point, h the height there. With tan(ψ/2) = ε tan(θ/2),
//!
//!   sin²(ψ/2) = ε² sin²(θ/2)/q,   cos ψ = (cos²(θ/2) − ε² sin²(θ/2))/q,   sin ψ = ε sin θ/q,   dψ = ε/q dθ,
//!   q = cos²(θ/2) + ε² sin²(θ/2),
//!
//! a Möbius map of e^{iψ}. At ε₀ = √(h/(h + 2B)) it turns 1/d into a polynomial: d = h/q, and ∫d^−ν dψ becomes Laplace's integral
//! of the Legendre function P_{ν−1}, of which ν nodes leave nothing to be desired. What else the integrand contains is however brought close
//! to θ = π: a singularity at T = tan(ψ/2) is at a distance η, tanh η = 2 ε Im T/(ε² + |T|²), from the real axis of θ, and N nodes miss
//! e^{−Nη} of it (L. N. Trefethen & J. A. C. Weideman, SIAM Review 56 (2014) 385–458). It matters only as far as d is not too great for d^−ν to
//! count there. Between ε₀ and 1 both kinds are balanced.

use std::f64::consts::PI;

use crate::gauss;
use carom_base::elementary::{atanh, exp, hypot, sincos};

/// A circle over a plane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Circle {
    /// h [m]
    pub least: f64,
    /// B [m], half the height of the circle
    pub half: f64,
}

/// Something that keeps the rule from being exact, other than d = 0 at the least height.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Far {
    /// tanh η = 2 ε p/(ε² near + far)
    pub p: f64,
    pub near: f64,
    pub far: f64,
    /// ln of what would be missed by no nodes at all, as a share of the integral
    pub log: f64,
    /// of a pole; 0: something milder
    pub order: f64,
}

/// Nodes by pairs ±ψ.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rule {
    epsilon: f64,
    pairs: usize,
    /// what may be missing, as a share of the integral
    missing: f64,
}

/// A pair of nodes ±ψ and the weight of each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub weight: f64,
    pub cos: f64,
    pub sin: f64,
    /// sin²(ψ/2)
    pub rise: f64,
}

/// −ln of what may be missed: half a unit in the last place.
pub(crate) const LAST_PLACE: f64 = 36.8;
/// What N nodes miss of a pole of order ν is (Nη)^(ν−1) e^{−Nη}/(2ν − 3)!!: below the last place if Nη is by so much greater, times ν.
const POLE: f64 = 1.9;
/// More pairs of nodes than this are not taken.
pub(crate) const MOST: usize = 4096;

impl Circle {
    /// ε₀
    #[inline]
    pub(crate) fn epsilon(&self) -> f64 {
        (self.least / (self.least + 2.0 * self.half)).sqrt()
    }

    /// Which part of the circle counts, that is ∫(h/d)^ν dψ/2π, or somewhat less.
    #[inline]
    pub(crate) fn part(&self, nu: u32) -> f64 {
        0.5 * self.epsilon() / f64::from(nu.max(1)).sqrt()
    }

    /// A zero of √(σ₁² cos²χ + σ₂² sin²χ) at ψ = α + iη, cosh η = σ₁/w, sinh η = σ₂/w, w² = σ₁² − σ₂²; given σ₁, σ₂ and w cos α, w sin α, and
    /// what would be missed by no nodes, by the height there.
    pub(crate) fn zero(
        &self,
        [most, least]: [f64; 2],
        [cos, sin]: [f64; 2],
        log: impl Fn(f64) -> f64,
    ) -> Far {
        let (h, b, w2) = (self.least, self.half, (most - least) * (most + least));
        let d = hypot(h + b - b * cos * most / w2, b * sin * least / w2).max(h);
        Far { p: least, near: most + cos, far: most - cos, log: log(d), order: 0.0 }
    }

    /// The rule for d^−ν and its derivatives, if the rest of the integrand has these singularities, of at most so many pairs of nodes.
    pub(crate) fn rule(&self, nu: u32, far: &[Far], most: usize) -> Rule {
        let epsilon = self.epsilon();
        // derivatives have one power more
        let nu = if nu > 0 { f64::from(nu) + 1.0 } else { 0.0 };
        let pole = LAST_PLACE + POLE * nu;
        let mut stretch: f64 = 1.0;
        for f in far {
            if f.digits() > 0.0 {
                // N = pole/(2/s) = digits/(2 s ε₀ p/far): balanced
                stretch = stretch.max((f.digits() * f.far / (pole * epsilon * f.p)).sqrt());
            }
        }
        // nothing to be near to: no map
        let mapped = if nu > 0.0 { (stretch * epsilon).min(1.0) } else { 1.0 };
        let mut nodes: f64 = nu + 1.0;
        if nu > 0.0 && mapped > epsilon {
            nodes += pole / (2.0 * atanh(epsilon / mapped));
        }
        for f in far {
            if f.digits() > 0.0 {
                let eta = atanh((2.0 * mapped * f.p / (mapped * mapped * f.near + f.far)).min(1.0 - 1e-15));
                nodes = nodes.max(nu + 1.0 + f.order + f.digits() / eta);
            }
        }
        let wanted = (0.5 * nodes).ceil();
        let pairs = wanted.clamp(1.0, most as f64);
        let missing = exp(-LAST_PLACE * pairs / wanted);
        Rule { epsilon: mapped, pairs: pairs as usize, missing }
    }
}

impl Rule {
    /// How many nodes there are.
    #[cfg(test)]
    pub(crate) fn count(&self) -> usize {
        2 * self.pairs
    }

    /// How far a sum may be off, relative to the integral, if the heights are `size` times greater before they cancel.
    pub(crate) fn off(&self, nu: u32, size: f64) -> f64 {
        self.missing + rounded(nu, size)
    }

    /// Gauss's rule in cos θ, half as many nodes for the same precision; the weights are those of d(cos ψ).
    pub(crate) fn strips(&self) -> impl Iterator<Item = Node> + use<> {
        let epsilon = self.epsilon;
        gauss::points(self.pairs).iter().map(move |&(s2, weight)| {
            // sin²(θ/2) and cos²(θ/2)
            let c2 = 1.0 - s2;
            let lower = epsilon * epsilon * s2;
            let q = c2 + lower;
            Node {
                weight: 2.0 * weight * epsilon * epsilon / (q * q),
                cos: (c2 - lower) / q,
                sin: 2.0 * epsilon * (s2 * c2).sqrt() / q,
                rise: lower / q,
            }
        })
    }

    /// The nodes θ = π (2j + 1)/N, each with its mirror image.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = Node> + use<> {
        let Rule { epsilon, pairs, .. } = *self;
        let step = PI / (2 * pairs) as f64;
        let ((sin, cos), (turn_sin, turn_cos)) = (sincos(0.5 * step), sincos(step));
        let weight = 2.0 * step * epsilon;
        let mut half = (sin, cos);
        (0..pairs).map(move |_| {
            let (s, c) = half;
            half = (s * turn_cos + c * turn_sin, c * turn_cos - s * turn_sin);
            let (s2, c2) = (epsilon * epsilon * s * s, c * c);
            let q = s2 + c2;
            Node { weight: weight / q, cos: (c2 - s2) / q, sin: 2.0 * epsilon * s * c / q, rise: s2 / q }
        })
    }
}

/// What rounding may do to an integral of d^−ν, relative to it, if the heights are `size` times greater before they cancel.
pub(crate) fn rounded(nu: u32, size: f64) -> f64 {
    f64::EPSILON * (64.0 + f64::from(nu) * size)
}

impl Far {
    pub(crate) const NONE: Far = Far { p: 1.0, near: 1.0, far: 1.0, log: f64::NEG_INFINITY, order: 0.0 };

    /// ψ = i∞, where cos ψ has a pole: of that order, none if it is not positive.
    pub(crate) fn infinity(order: i64, log: f64) -> Far {
        if order > 0 { Far { log, order: order as f64, ..Far::NONE } } else { Far::NONE }
    }

    /// What is to be gained by nodes, as a power of e.
    fn digits(&self) -> f64 {
        LAST_PLACE + self.log + POLE * self.order
    }
}
