//! The contact of Maugis' theory in its own units: force, indentation and energy along the curve of equilibria.
//!
//! Lengths along the surface are in units of L = (π w R²/K′)^{1/3}, K′ = 4E*/3, indentations of D = L²/R, forces of π w R, energies of π w R D. A contact of radius a = c cos θ is surrounded by a ring
//! up to the radius c in which the surfaces attract each other with the constant stress σ₀; Maugis' m is c/a = 1/cos θ. With x = c,
//!
//! - (λ/2)(sin θ cos θ − θ cos 2θ) x² + (4/3) λ² (θ sin θ − 1 + cos θ) x = 1: the gap at c is h₀ (Maugis 1992, Eq 6.16, times cos² θ),
//! - δ = x² cos² θ − (4/3) λ x sin θ (Eq 6.18), F = x³ cos³ θ − λ x² (sin θ cos θ + θ) (Eq 6.17).
//!
//! At θ = π/2 the surfaces no longer touch, and attract each other across their gap: δ = x²/2 − x_c x − 2/(πλ), x_c = 8λ/(3π), F = −(π/2) λ x². The equilibrium is stable from the
//! deepest contact up to where δ is least on the way: x = x_c, if the contact has ended before (λ < 0.938), or within it.

use std::f64::consts::{FRAC_PI_2, PI};

use carom_base::elementary::{cbrt, cos, powi, sin};

/// An equilibrium.
#[derive(Clone, Copy, Debug)]
pub(super) struct Equilibrium {
    /// θ, π/2 where the surfaces do not touch
    theta: f64,
    /// the outer radius x
    outer: f64,
    /// indentation δ
    pub(super) delta: f64,
    /// force F
    pub(super) force: f64,
    /// dδ, dF and da along the curve, towards shallower contacts
    pub(super) rates: [f64; 3],
    /// how these change along the curve
    bends: [f64; 3],
}

/// Σ (−1)^{k+1} t^{2k} (2k − 1)/(2k)! from k = 1 on: t sin t − 1 + cos t without cancellation.
fn lens(t: f64) -> f64 {
    if t > 0.5 {
        return t * sin(t) - 1.0 + cos(t);
    }
    let (square, mut power, mut sum) = (t * t, 1.0, 0.0);
    for k in 1..9 {
        let two_k = 2.0 * f64::from(k);
        // ± t^{2k}/(2k)!
        power *= -square / (two_k * (two_k - 1.0));
        sum -= power * (two_k - 1.0);
    }
    sum
}

/// sin t cos t − t cos 2t without cancellation: with y = 2t, half of Σ (−1)^{k+1} y^{2k+1} 2k/(2k + 1)! from k = 1 on.
fn bowl(t: f64) -> f64 {
    if t > 0.5 {
        return sin(t) * cos(t) - t * cos(2.0 * t);
    }
    let y = 2.0 * t;
    let (square, mut power, mut sum) = (y * y, y, 0.0);
    for k in 1..11 {
        let two_k = 2.0 * f64::from(k);
        power *= -square / (two_k * (two_k + 1.0));
        sum -= power * two_k;
    }
    0.5 * sum
}

/// In contact, at θ.
pub(super) fn touching(lambda: f64, theta: f64) -> Equilibrium {
    let (s, c) = if theta >= FRAC_PI_2 { (1.0, 0.0) } else { (sin(theta), cos(theta)) };
    let third = 4.0 / 3.0 * lambda;
    // A x² + B x = 1 and what θ does to it
    let (a, b) = (0.5 * lambda * bowl(theta), third * lambda * lens(theta));
    let x = 2.0 / (b + (b * b + 4.0 * a).sqrt());
    let (a_rate, b_rate) = (2.0 * lambda * theta * s * c, third * lambda * theta * c);
    let x_rate = -(a_rate * x * x + b_rate * x) / (2.0 * a * x + b);
    let slope = 2.0 * a * x + b;
    let (a_bend, b_bend) =
        (2.0 * lambda * (s * c + theta * (c * c - s * s)), third * lambda * (c - theta * s));
    let x_bend =
        -((a_bend * x + b_bend) * x + 2.0 * (2.0 * a_rate * x + b_rate) * x_rate + 2.0 * a * x_rate * x_rate)
            / slope;
    let radius = x * c;
    let radius_rate = x_rate * c - x * s;
    let radius_bend = x_bend * c - 2.0 * x_rate * s - x * c;
    let ring = s * c + theta;
    let ring_bend =
        2.0 * (x_rate * x_rate + x * x_bend) * ring + 8.0 * x * x_rate * c * c - 4.0 * x * x * s * c;
    Equilibrium {
        theta,
        outer: x,
        delta: radius * radius - third * x * s,
        force: powi(radius, 3) - lambda * x * x * ring,
        rates: [
            2.0 * radius * radius_rate - third * (x_rate * s + x * c),
            3.0 * radius * radius * radius_rate - lambda * (2.0 * x * x_rate * ring + 2.0 * x * x * c * c),
            radius_rate,
        ],
        bends: [
            2.0 * (radius_rate * radius_rate + radius * radius_bend)
                - third * (x_bend * s + 2.0 * x_rate * c - x * s),
            3.0 * radius * (2.0 * radius_rate * radius_rate + radius * radius_bend) - lambda * ring_bend,
            radius_bend,
        ],
    }
}

/// x_c, the outer radius at which surfaces that do not touch jump apart.
fn critical(lambda: f64) -> f64 {
    8.0 * lambda / (3.0 * PI)
}

/// Not touching, with the outer radius x.
fn apart(lambda: f64, x: f64) -> Equilibrium {
    let x_c = critical(lambda);
    Equilibrium {
        theta: FRAC_PI_2,
        outer: x,
        delta: 0.5 * x * x - x_c * x - 2.0 / (PI * lambda),
        force: -0.5 * PI * lambda * x * x,
        rates: [-(x - x_c), PI * lambda * x, 0.0],
        bends: [1.0, -PI * lambda, 0.0],
    }
}

/// Whether surfaces still attract each other, stably, where they no longer touch: λ < (9π/(16(π − 1)))^{1/3} = 0.938.
fn holds_apart(lambda: f64) -> bool {
    touching(lambda, FRAC_PI_2).outer > critical(lambda)
}

/// The indentation at which surfaces that attract each other across a gap begin to touch, if they do that stably.
pub(super) fn first_touch(lambda: f64) -> Option<f64> {
    holds_apart(lambda).then(|| touching(lambda, FRAC_PI_2).delta)
}

/// Where one of the rates changes its sign, between no angle and π/2: the derivative of δ (0) does so where contacts end, of F (1) where they bear the largest tension.
fn change_of_sign(lambda: f64, which: usize, from_negative: bool) -> Equilibrium {
    let (mut lo, mut hi) = (0.0, FRAC_PI_2);
    for _ in 0..60 {
        let middle = 0.5 * (lo + hi);
        if (touching(lambda, middle).rates[which] < 0.0) == from_negative { lo = middle } else { hi = middle }
    }
    touching(lambda, 0.5 * (lo + hi))
}

/// The last stable equilibrium, where δ is least.
pub(super) fn last(lambda: f64) -> Equilibrium {
    if holds_apart(lambda) { apart(lambda, critical(lambda)) } else { change_of_sign(lambda, 0, true) }
}

/// The equilibrium of largest tension.
pub(super) fn strongest(lambda: f64) -> Equilibrium {
    change_of_sign(lambda, 1, true)
}

/// The stable equilibrium at an indentation, not below that of the last one.
pub(super) fn at(lambda: f64, delta: f64) -> Equilibrium {
    let first_touch = touching(lambda, FRAC_PI_2);
    let x_c = critical(lambda);
    if delta <= first_touch.delta && first_touch.outer > x_c {
        // δ = x²/2 − x_c x − 2/(πλ), the larger root
        let square = x_c * x_c + 2.0 * (delta + 2.0 / (PI * lambda));
        return apart(lambda, x_c + square.max(0.0).sqrt());
    }
    // an angle before the one sought: the contact is smaller than that of Johnson, Kendall and Roberts, which is smaller than √δ + 3/2
    let most = delta.max(0.0).sqrt() + 1.5;
    let mut before =
        cbrt(0.75 / (lambda * most * most)).min((0.75 / (lambda * lambda * most)).sqrt()).min(0.7);
    let mut now = touching(lambda, before);
    while now.delta < delta {
        before *= 0.5;
        now = touching(lambda, before);
    }
    // Newton's method from there: δ falls, ever more slowly, up to the last equilibrium, and no step goes past the root; if rounding or the end of the curve makes one do so, halves of it
    for _ in 0..200 {
        let step = (delta - now.delta) / now.rates[0];
        if !(step > 2.0 * f64::EPSILON * now.theta) {
            break;
        }
        let mut next = touching(lambda, (now.theta + step).min(FRAC_PI_2));
        let mut part = step;
        while (next.delta < delta || next.rates[0] >= 0.0) && part > f64::EPSILON * now.theta {
            part *= 0.5;
            next = touching(lambda, (now.theta + part).min(FRAC_PI_2));
        }
        if next.delta < delta || next.theta == now.theta {
            break;
        }
        now = next;
    }
    now
}

impl Equilibrium {
    /// The radius of the contact, zero where the surfaces do not touch.
    pub(super) fn radius(&self) -> f64 {
        if self.theta >= FRAC_PI_2 { 0.0 } else { self.outer * cos(self.theta) }
    }

    /// First and second derivatives of the force and of the radius by δ, where δ is not least.
    pub(super) fn by_delta(&self) -> [[f64; 2]; 2] {
        let ([delta, ..], [bend, ..]) = (self.rates, self.bends);
        let finite = |x: f64| if x.is_finite() { x } else { 0.0 };
        [1, 2].map(|i| {
            let slope = self.rates[i] / delta;
            [finite(slope), finite((self.bends[i] - slope * bend) / (delta * delta))]
        })
    }

    /// What is stored: elastic energy less that of adhesion, zero for surfaces that are far apart.
    ///
    /// By the method of dimensionality reduction (Popov and Heß 2015) the contact is a row of springs bent by g = δ − t² for |t| < a and −(4/3) λ √(x² − t²) up to x, which hold (3/4) ∫ g² dt from 0 to x; the
    /// gap in the ring, whose integral attraction is paid for with, is −δ + r²/2 + (2/π) ∫ g dt/√(r² − t²).
    pub(super) fn energy(&self, lambda: f64) -> f64 {
        let (x, delta, third) = (self.outer, self.delta, 4.0 / 3.0 * lambda);
        let a = if self.theta >= FRAC_PI_2 { 0.0 } else { x * cos(self.theta) };
        let [a_2, x_2] = [a * a, x * x];
        let root = x * sin(self.theta);
        let cap = x_2 * (x - a) - (x * x_2 - a * a_2) / 3.0;
        let springs =
            0.75 * a * (delta * delta - 2.0 / 3.0 * delta * a_2 + 0.2 * a_2 * a_2) + third * lambda * cap;
        // ∫ √(x² − t²) and ∫ t² √(x² − t²) from 0 to a
        let beyond = FRAC_PI_2 - self.theta;
        let even = 0.5 * (a * root + x_2 * beyond);
        let square = 0.125 * (x_2 * x_2 * beyond - a * root * (x_2 - 2.0 * a_2));
        let bulge = delta * even - square - third * cap - 0.25 * PI * a_2 * (delta - 0.25 * a_2);
        let gap = PI * (x_2 - a_2) * (0.25 * (x_2 + a_2) - delta) + 4.0 * bulge;
        springs - x_2 + 0.5 * lambda * gap
    }
}
