//! The nearest points of two circles in space, found and certified without search.
//!
//! In the frame of circle 2 (radius R₂ about z) circle 1 is p(φ) = c + R₁ e, e = u cos φ + v sin φ, and the point of circle 2 nearest to
//! p is q = R₂ h, with p = ρ h + z e_z. Half the squared distance is
//!
//!   F(φ) = ½ |p − q|² = L − R₂ ρ,    L = ½ (c² + R₁² + R₂²) + R₁ c·e,                                  (1)
//!   F'  = p'·(p − q),    F'' = p''·(p − q) + p'² − R₂ (p' × h)_z²/ρ.                                   (2)
//!
//! Newton's method leads down to a place φ₀ with F' = 0 and F = m, that is L − m = R₂ρ. Is it the lowest? With τ = φ − φ₀ look at
//!
//!   S(τ) = (L − m)² − (R₂ρ)².                                                                          (3)
//!
//! F < m where L − m < R₂ρ; as L and ρ are continuous, and ρ > 0, the way there leads through S < 0. L is a first harmonic of τ and ρ² a second
//! one, so S has five coefficients; at τ = 0 it is zero, and so is its slope. Hence
//!
//!   S = R₁² (1 − cos τ) (k₀ + k₁ cos τ + k₂ sin τ),                                                    (4)
//!
//! and m is the least of all if and only if k₀ ≥ √(k₁² + k₂²): one comparison in place of the eight roots of F' = 0. If it fails, F < m
//! where the last factor is least, at (cos τ, sin τ) = −(k₁, k₂)/√(k₁² + k₂²), and from there Newton's method leads to a lower place. Each
//! round ends lower than the last, and there are few minima to end at. With e, its tangent t, ρ and c taken at φ₀
//!
//!   k₀ = (c·e)² + (c·t)² + R₂² (t_z² − e_z²) − 2 (R₂/R₁) (ρ c_z e_z + (ρ − R₂)(c_x e_x + c_y e_y)),
//!   k₁ = (c·t)² − (c·e)² + R₂² (t_z² − e_z²),    k₂ = −2 ((c·e)(c·t) + R₂² e_z t_z).                   (5)
//!
//! Where circle 1 meets the axis of circle 2, ρ = 0, the way to F < m may touch S = 0 only; so values that are zero to rounding are followed
//! like negative ones, and the distances themselves decide. All k vanish where the distance is the same all along: circles about one axis, and
//! Villarceau circles (radii alike, middles d apart on the line both planes share, planes inclined by asin(d/R)).
//!
//! Checked against grids refined in 40 digits (tests/data/rings.jsonl, 1e-12), and by points of both circles, none of which may be nearer, in
//! general, special and nearly special places (tests/rings.rs, 1e-14 of the size). Newton's method takes four steps on the average.

use std::f64::consts::FRAC_1_SQRT_2;

use carom_base::elementary::{acos, atan2, sincos};
use carom_base::{Pose, Scalar, Vec3};

use crate::closest_point::direction;
use crate::error::PairFailure;

/// Steps of Newton's method at most; four are usual.
const STEPS: usize = 100;
/// Rounds at most, each to a lower minimum; one or two are usual.
const ROUNDS: usize = 10;
/// Steps are no longer than this [rad] …
const LONG: f64 = 0.5;
/// … nor are shorter ones halved.
const SHORT: f64 = 1e-8;
/// cos and sin of φ where, or across from where, the first round may begin.
const STARTS: [[f64; 2]; 4] =
    [[1.0, 0.0], [FRAC_1_SQRT_2, FRAC_1_SQRT_2], [0.0, 1.0], [-FRAC_1_SQRT_2, FRAC_1_SQRT_2]];

/// Two circles, in the frame of the second.
#[derive(Clone, Copy, Debug)]
pub(super) struct Circles<S: Scalar = f64> {
    /// the middle of the first [m]
    c: Vec3<S>,
    /// two axes in its plane
    u: Vec3<S>,
    v: Vec3<S>,
    /// the radii [m]
    r_1: f64,
    r_2: f64,
}

/// A point of the first circle and what is nearest to it on the second.
#[derive(Clone, Copy, Debug)]
pub(super) struct CirclePoint<S: Scalar = f64> {
    /// e, from the middle of the first circle to its point
    e: Vec3<S>,
    /// the direction of the first circle there
    tangent: Vec3<S>,
    /// the point of the first circle [m]
    pub(super) p: Vec3<S>,
    /// h, from the middle of the second circle to its point, and ρ [m]
    h: Vec3<S>,
    rho: S,
    /// p − q [m]
    gap: Vec3<S>,
}

/// A place that is stationary, or on the way to one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Near {
    /// cos φ, sin φ
    x: [f64; 2],
    pub(super) point: CirclePoint,
    /// |p − q| [m]
    d: f64,
    /// F' [m²], Eq. 2
    slope: f64,
    /// how exact it is [m²]
    blur: f64,
    /// F'' [m²], Eq. 2
    bend: f64,
}

impl<S: Scalar> Circles<S> {
    /// The circles of radii `r_1`, `r_2` [m] about the z axes of these frames.
    #[inline]
    pub(super) fn new(r_1: f64, x_1: &Pose<S>, r_2: f64, x_2: &Pose<S>) -> Circles<S> {
        let (u, v) = (x_2.direction_to_local(&x_1.axis(0)), x_2.direction_to_local(&x_1.axis(1)));
        Circles { c: x_2.point_to_local(&x_1.p), u, v, r_1, r_2 }
    }

    /// The circles without their derivatives.
    pub(super) fn values(&self) -> Circles {
        let [c, u, v] = [&self.c, &self.u, &self.v].map(|x| x.map(S::value));
        Circles { c, u, v, r_1: self.r_1, r_2: self.r_2 }
    }

    #[inline(always)]
    fn point_at(&self, [cos, sin]: [S; 2]) -> CirclePoint<S> {
        let (r_1, r_2, zero) = (S::from_f64(self.r_1), S::from_f64(self.r_2), S::from_f64(0.0));
        let (e, tangent) = (self.u * cos + self.v * sin, self.v * cos - self.u * sin);
        let p = self.c + e * r_1;
        // on the second axis the nearest point is that which lies ahead as one walks downhill
        let ahead = || {
            let along = direction(&Vec3::new(tangent.x, tangent.y, zero), Vec3::x).0;
            if self.c.dot(&tangent).value() > 0.0 { -along } else { along }
        };
        let (h, rho) = direction(&Vec3::new(p.x, p.y, zero), ahead);
        // not p − R₂ h: where the circles cross this keeps its digits
        let out = rho - r_2;
        CirclePoint { e, tangent, p, h, rho, gap: Vec3::new(h.x * out, h.y * out, p.z) }
    }
}

impl<S: Scalar> CirclePoint<S> {
    /// The direction of p − q and its length [m]. Where the circles cross, closer than `grain`, it is across both.
    pub(super) fn apart(&self, grain: f64) -> (Vec3<S>, S) {
        let across = || {
            let other = Vec3::new(-self.h.y, self.h.x, S::from_f64(0.0));
            direction(&self.tangent.cross(&other), Vec3::z).0
        };
        if self.gap.dot(&self.gap).value() > grain * grain {
            direction(&self.gap, across)
        } else {
            let n = across();
            (n, self.gap.dot(&n))
        }
    }
}

impl Circles {
    /// How exact places are [m]: a few roundings of the numbers they come from.
    #[inline]
    pub(super) fn grain(&self) -> f64 {
        4.0 * f64::EPSILON * (self.c.abs().sum() + self.r_1 + self.r_2)
    }

    #[inline(always)]
    fn at(&self, x: [f64; 2], grain: f64) -> Near {
        let point = self.point_at(x);
        let CirclePoint { e, tangent, h, rho, gap, .. } = &point;
        let d = gap.norm();
        // Eq. 2, p' = R₁ tangent, p'' = −R₁ e
        let (along, out) = (tangent.dot(h), rho - self.r_2);
        let slope = self.r_1 * (along * out + tangent.z * gap.z);
        let blur = self.r_1 * (8.0 * f64::EPSILON * d + grain * (along.abs() + tangent.z.abs()));
        // with (p' × h)_z² = R₁² (1 − …): on circles that nearly coincide all terms are small. At ρ = 0 F has the tip of a wedge
        let lean = along * along + tangent.z * tangent.z;
        let ratio = self.r_1 / rho;
        let bend = self.r_1 * (out * (ratio - e.dot(h)) + ratio * self.r_2 * lean - e.z * gap.z);
        let bend = if *rho > 0.0 { bend } else { f64::NEG_INFINITY };
        Near { x, point, d, slope, blur, bend }
    }

    /// The nearest points. Of several the one is taken that the rounds come to first: on circles about one axis, where all are as near, φ = 0.
    pub(super) fn nearest(&self) -> Result<Near, PairFailure> {
        let grain = self.grain();
        let mut best = self.down(self.start(grain), grain);
        for _ in 0..ROUNDS {
            let Some(x) = self.lower(&best, grain) else { return Ok(best) };
            let other = self.down(self.at(x, grain), grain);
            if other.d >= best.d - grain {
                return Ok(best);
            }
            best = other;
        }
        Err(PairFailure::NoConvergence(ROUNDS))
    }

    /// The lowest of eight places, the first of those as low.
    fn start(&self, grain: f64) -> Near {
        let (r_1, r_2, level) = (self.r_1, self.r_2, 1e-9 * self.r_1 * self.r_2);
        let mut best = ([1.0, 0.0], f64::INFINITY);
        for [cos, sin] in STARTS {
            let e = self.u * cos + self.v * sin;
            // L − R₂ρ at e and −e, less what is the same everywhere (Eq. 1)
            let l = r_1 * self.c.dot(&e);
            let even = self.c.xy().norm_squared() + r_1 * r_1 * e.xy().norm_squared();
            let odd = 2.0 * r_1 * self.c.xy().dot(&e.xy());
            for side in [1.0, -1.0] {
                let f = side * l - r_2 * (even + side * odd).max(0.0).sqrt();
                if f < best.1 - level {
                    best = ([side * cos, side * sin], f);
                }
            }
        }
        self.at(best.0, grain)
    }

    /// Down to where F' = 0, by Newton's method where F is hollow, else by long steps; each is halved until it leads down.
    fn down(&self, from: Near, grain: f64) -> Near {
        let mut at = from;
        for _ in 0..STEPS {
            // written so that what is not a number ends here
            if !(at.slope.abs() > at.blur) {
                break;
            }
            let mut step = if at.bend > 0.0 { at.slope.abs() / at.bend } else { LONG }.min(LONG);
            let next = loop {
                let next = self.at(turned(at.x, -step.copysign(at.slope)), grain);
                // distances alike to rounding: slopes know better
                let flatter = next.d <= at.d + grain && next.slope.abs() < 0.5 * at.slope.abs();
                if next.d < at.d - grain || flatter {
                    break Some(next);
                }
                if !(step > SHORT) {
                    break None;
                }
                step *= 0.5;
            };
            match next {
                Some(next) => at = next,
                None => break,
            }
        }
        at
    }

    /// Where the circles may be nearer than at a stationary place, or as near; `None` certifies that they are not (Eqs 4, 5).
    fn lower(&self, at: &Near, grain: f64) -> Option<[f64; 2]> {
        let CirclePoint { e, tangent, rho, .. } = &at.point;
        let (r_2, ratio) = (self.r_2, self.r_2 / self.r_1);
        let (l_c, l_s) = (self.c.dot(e), self.c.dot(tangent));
        let (w_c, w_s) = (r_2 * e.z, r_2 * tangent.z);
        let (level, flat) = (self.c.z * e.z, self.c.xy().dot(&e.xy()));
        // Eq. 5: for circles that nearly coincide every term is a product of small ones
        let k_0 =
            l_c * l_c + l_s * l_s + w_s * w_s - w_c * w_c - 2.0 * ratio * (rho * level + (rho - r_2) * flat);
        let k_1 = l_s * l_s - l_c * l_c + w_s * w_s - w_c * w_c;
        let k_2 = -2.0 * (l_c * l_s + w_c * w_s);
        let swing = (k_1 * k_1 + k_2 * k_2).sqrt();
        let blur = l_c.abs() + l_s.abs() + w_c.abs() + w_s.abs() + ratio * (self.c.z.abs() + flat.abs());
        // written so that what is not a number ends here
        if !(k_0 - swing <= 16.0 * grain * blur) {
            return None;
        }
        let (sin, cos) = if swing == 0.0 {
            (0.0, -1.0)
        } else if k_0 + k_1 > 0.0 {
            // a minimum; another one is around here
            (-k_2 / swing, -k_1 / swing)
        } else {
            // no minimum: F is less on the whole arc around; half way to its farther end
            let middle = atan2(-k_2, -k_1);
            let half = acos((k_0 / swing).clamp(-1.0, 1.0));
            sincos(0.5 * (middle + half.copysign(middle)))
        };
        Some([at.x[0] * cos - at.x[1] * sin, at.x[1] * cos + at.x[0] * sin])
    }
}

impl<S: Scalar> Circles<S> {
    /// The nearest points with what the circles' derivatives make of them: F'(φ, …) = 0 gives dφ = −dF'/F''. Where F'' vanishes φ is kept: a choice, and
    /// the distance does not depend on it.
    pub(super) fn follow(&self, near: &Near, grain: f64) -> CirclePoint<S> {
        let x = near.x.map(S::from_f64);
        if !(near.bend > self.r_1 * grain) {
            return self.point_at(x);
        }
        let CirclePoint { tangent, gap, .. } = self.point_at(x);
        let step = -tangent.dot(&gap) * S::from_f64(self.r_1 / near.bend);
        // the place itself is exact: what is left of F' is rounding
        let step = step - S::from_f64(step.value());
        self.point_at([x[0] - x[1] * step, x[1] + x[0] * step])
    }
}

/// The direction turned by about `step` [rad]: to third order, and a direction again.
#[inline(always)]
fn turned([cos, sin]: [f64; 2], step: f64) -> [f64; 2] {
    let t = 0.5 * step;
    let over = 1.0 / (1.0 + t * t);
    let (c, s) = ((1.0 - t * t) * over, 2.0 * t * over);
    let (x, y) = (cos * c - sin * s, sin * c + cos * s);
    let back = 1.5 - 0.5 * (x * x + y * y);
    [x * back, y * back]
}
