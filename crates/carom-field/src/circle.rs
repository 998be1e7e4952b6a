//! Integrals round a circle that passes close to a plane: the trapezoidal rule after a map that concentrates the nodes where
//! the circle is closest.
//!
//! On the circle d = h + 2 B sin²(ψ/2), where ψ is the angle from the closest point and h the height there. With
//! tan(ψ/2) = ε tan(θ/2),
//!
//!   sin²(ψ/2) = ε² sin²(θ/2)/q,   cos ψ = (cos²(θ/2) − ε² sin²(θ/2))/q,   sin ψ = ε sin θ/q,   dψ = ε/q dθ,
//!   q = cos²(θ/2) + ε² sin²(θ/2),
//!
//! which is a Möbius map of e^{iψ}. At ε₀ = √(h/(h + 2B)) it turns 1/d into a polynomial: d = h/q, and ∫d^−ν dψ becomes
//! Laplace's integral of the Legendre function P_{ν−1}, for which ν nodes are exact. Other singularities of the integrand
//! however come close to θ = π: a singularity at T = tan(ψ/2) is at a distance η, tanh η = 2 ε Im T/(ε² + |T|²), from the
//! real axis of θ, and with N nodes the error is of the order e^{−Nη} (L. N. Trefethen & J. A. C. Weideman, SIAM Review 56
//! (2014) 385–458). It matters only if d^−ν is not negligible there. A value of ε between ε₀ and 1 balances both kinds.

use std::f64::consts::PI;

use crate::gauss;
use carom_base::elementary::{atanh, exp, hypot, sincos};

/// A circle over a plane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Circle {
    /// h [m], height of the lowest point
    pub least: f64,
    /// B [m], half the height of the circle
    pub half: f64,
}

/// A singularity of the integrand other than d = 0 at the least height; it limits the accuracy of the rule.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Far {
    /// distance from the real axis: tanh η = 2 ε p/(ε² near + far)
    pub p: f64,
    pub near: f64,
    pub far: f64,
    /// ln of the error without any nodes, as a fraction of the integral
    pub log: f64,
    /// order of the pole; 0 for a weaker singularity
    pub order: f64,
}

/// A quadrature rule with nodes in pairs ±ψ.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rule {
    epsilon: f64,
    pairs: usize,
    /// bound on the error, as a fraction of the integral
    missing: f64,
}

/// A pair of nodes ±ψ, and the weight of each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub weight: f64,
    pub cos: f64,
    pub sin: f64,
    /// sin²(ψ/2)
    pub rise: f64,
}

/// −ln of the allowed relative error: half a unit in the last place.
pub(crate) const LAST_PLACE: f64 = 36.8;
/// With N nodes the error from a pole of order ν is (Nη)^(ν−1) e^{−Nη}/(2ν − 3)!!: it is below the last place if Nη exceeds
/// `LAST_PLACE` by this times ν.
const POLE: f64 = 1.9;
/// Largest number of pairs of nodes.
pub(crate) const MOST: usize = 4096;

impl Circle {
    /// Returns ε₀.
    #[inline]
    pub(crate) fn epsilon(&self) -> f64 {
        (self.least / (self.least + 2.0 * self.half)).sqrt()
    }

    /// Returns the fraction of the circle that contributes, ∫(h/d)^ν dψ/2π, or somewhat less.
    #[inline]
    pub(crate) fn part(&self, nu: u32) -> f64 {
        0.5 * self.epsilon() / f64::from(nu.max(1)).sqrt()
    }

    /// Describes a zero of √(σ₁² cos²χ + σ₂² sin²χ) at ψ = α + iη, cosh η = σ₁/w, sinh η = σ₂/w, w² = σ₁² − σ₂². The arguments
    /// are σ₁, σ₂, then w cos α, w sin α, and the error without any nodes as a function of the height there.
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

    /// Chooses the rule for d^−ν and its derivatives, for an integrand with these further singularities, with at most `most`
    /// pairs of nodes.
    pub(crate) fn rule(&self, nu: u32, far: &[Far], most: usize) -> Rule {
        let epsilon = self.epsilon();
        // derivatives have an exponent greater by one
        let nu = if nu > 0 { f64::from(nu) + 1.0 } else { 0.0 };
        let pole = LAST_PLACE + POLE * nu;
        let mut stretch: f64 = 1.0;
        for f in far {
            if f.digits() > 0.0 {
                // N = pole/(2/s) = digits/(2 s ε₀ p/far): both errors are balanced
                stretch = stretch.max((f.digits() * f.far / (pole * epsilon * f.p)).sqrt());
            }
        }
        // without a power of d there is no near singularity, and no map
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
    /// Returns the number of nodes.
    #[cfg(test)]
    pub(crate) fn count(&self) -> usize {
        2 * self.pairs
    }

    /// Returns the number of pairs of nodes.
    pub(crate) fn pairs(&self) -> usize {
        self.pairs
    }

    /// Returns the bound on the relative error of a sum, if the heights are `size` times greater before they cancel.
    pub(crate) fn off(&self, nu: u32, size: f64) -> f64 {
        self.missing + rounded(nu, size)
    }

    /// Returns Gauss's rule in cos θ, with half as many nodes for the same precision; the weights are those of d(cos ψ).
    pub(crate) fn strips(&self) -> impl Iterator<Item = Node> + use<> {
        let epsilon = self.epsilon;
        gauss::points(self.pairs).iter().map(move |&(s2, weight)| {
            // s2 is sin²(θ/2), c2 is cos²(θ/2)
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

    /// Returns the nodes θ = π (2j + 1)/N, each with its mirror image.
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

/// Returns the relative rounding error of an integral of d^−ν, if the heights are `size` times greater before they cancel.
pub(crate) fn rounded(nu: u32, size: f64) -> f64 {
    f64::EPSILON * (64.0 + f64::from(nu) * size)
}

impl Far {
    pub(crate) const NONE: Far = Far { p: 1.0, near: 1.0, far: 1.0, log: f64::NEG_INFINITY, order: 0.0 };

    /// Describes the singularity at ψ = i∞, where cos ψ has a pole of that order; there is none if the order is not positive.
    pub(crate) fn infinity(order: i64, log: f64) -> Far {
        if order > 0 { Far { log, order: order as f64, ..Far::NONE } } else { Far::NONE }
    }

    /// Returns the reduction of the error that the nodes must achieve, as a power of e.
    fn digits(&self) -> f64 {
        LAST_PLACE + self.log + POLE * self.order
    }
}
