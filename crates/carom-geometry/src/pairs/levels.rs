//! How the depth in a convex solid goes on below its rounded edges, so that it has a slope everywhere.
//!
//! The solid counts as rounded: it is a *core*, the points r or more below all its walls, and a coat of thickness r. Outside the core, the depth is t = r − d, d the distance from the core. Within the core that comes to an end: a core has
//! no rounded edges, and where two of its walls are equally near, the depth would have a kink and a contact no normal. So from t = r/2 on the level of depth t is a rounded solid of its own, with the core K(a), the points a or more below all walls of the sharp
//! solid, and a coat of thickness ρ:
//!
//!   a(t) = t + ρ(t) ,      ρ/r = 1/2 − τ/√(1 + (τ/b)²) ,      τ = t/r − 1/2 ,   b = 1/4 .
//!
//! At t = r/2 it is a = r and ρ = r − t to the second derivative, so that nothing jumps; further in ρ falls to r/4. Below a flat or round wall, t is the depth below the wall.
//!
//! The support function of K(a) is a minimum of sums Σ λ_j (h_j − a) over walls, Σ λ_j n_j = n, λ_j ≥ 0, so that Σ λ_j ≥ 1. That of a level is then the minimum of Σ λ_j (h_j − t) − ρ(t) (Σ λ_j − 1), concave in t since ρ is convex.
//! So −t is a convex function of the place: of all points of a convex body, one is the deepest.
//!
//! A body touches the level t where its distance from K(a) is ρ. As that distance grows with a by Σ λ_j, t grows with the way along the normal by
//!
//!   w = 1/(a′ Σ λ_j − ρ′) ≤ 1 ,
//!
//! by one below a wall, and by less at an edge. A force that has the potential W(t) is w W′(t) along the normal.

use carom_base::{Scalar, Vec3};

use crate::contact::Common;
use crate::error::PairFailure;

/// b: by which part of the radius the levels go on before their edges keep their radius.
const ONWARD: f64 = 0.25;
/// More steps than the search for a level takes, each at least as good as halving.
const STEPS: usize = 100;
/// Depths closer to each other than this, relative to the largest length, are the same to rounding.
const STILL: f64 = 4.0 * f64::EPSILON;
/// The distance from the core of a level may leap by this from one level to the next, relative to the largest length, where the search for the nearest point ends in another way: then the level is the one where it leaps.
const LEAP: f64 = 1e-7;

/// The levels of depth of a solid.
#[derive(Clone, Copy, Debug)]
pub(super) struct Levels {
    /// r [m]
    pub(super) radius: f64,
    /// how deep they go [m]
    pub(super) deepest: f64,
}

/// The radius of a level at its edges, and its first two derivatives by the depth.
pub(super) struct EdgeRadius<S> {
    pub(super) rho: S,
    pub(super) rho_1: S,
    pub(super) rho_2: S,
}

/// The nearest point to the core of a level.
pub(super) struct Near<T> {
    /// its distance from the core [m]
    pub(super) distance: f64,
    /// Σ λ_j
    pub(super) walls: f64,
    pub(super) point: T,
}

impl Levels {
    /// Those of a solid whose core has a point that is `inner` [m] below all walls of the core; the core of a level keeps a tenth of that.
    pub(super) fn new(radius: f64, inner: f64) -> Levels {
        Levels { radius, deepest: 0.5 * radius + 0.9 * inner }
    }

    /// The depth where they begin [m]; up to there t = r − d.
    pub(super) fn begin(&self) -> f64 {
        0.5 * self.radius
    }

    /// ρ at a depth t.
    pub(super) fn edge_radius<S: Scalar>(&self, t: S) -> EdgeRadius<S> {
        let of = S::from_f64;
        let tau = t / of(self.radius) - of(0.5);
        let z = tau / of(ONWARD);
        let q = of(1.0) / (of(1.0) + z * z).sqrt();
        EdgeRadius {
            rho: (of(0.5) - tau * q) * of(self.radius),
            rho_1: -(q * q * q),
            rho_2: z * q * q * q * q * q * of(3.0 / (ONWARD * self.radius)),
        }
    }

    /// How far the core of a level is below the walls of the solid's core [m]: a − r.
    pub(super) fn inset<S: Scalar>(&self, t: S) -> S {
        t + self.edge_radius(t).rho - S::from_f64(self.radius)
    }

    /// w, by the depth and Σ λ_j.
    pub(super) fn steepness<S: Scalar>(&self, t: S, walls: S) -> S {
        let one = S::from_f64(1.0);
        let EdgeRadius { rho_1, .. } = self.edge_radius(t);
        one / (walls * (one + rho_1) - rho_1)
    }

    /// A step of Newton's method to the depth of the level that a body touches, from what it is like at the level of depth t.
    pub(super) fn nearer<T>(&self, t: f64, near: &Near<T>) -> f64 {
        t - (near.distance - self.edge_radius(t).rho) * self.steepness(t, near.walls)
    }

    /// The depth t of the level that a body touches, from a guess, and its nearest point there: `near` finds the point nearest to the core of a level, and fails where the body is within it. `size` is the largest length [m].
    pub(super) fn touched<T>(
        &self,
        guess: f64,
        size: f64,
        mut near: impl FnMut(f64) -> Result<Near<T>, PairFailure>,
    ) -> Result<(f64, T), PairFailure> {
        let (mut low, mut high) = (self.begin(), self.deepest);
        let mut t = guess.clamp(low, high);
        let mut last = f64::INFINITY;
        for _ in 0..STEPS {
            let mut next = f64::NAN;
            match near(t) {
                Err(PairFailure::NotFinite) => return Err(PairFailure::NotFinite),
                Err(_) => low = t,
                Ok(found) => {
                    next = self.nearer(t, &found);
                    let step = (next - t).abs();
                    // the last steps are those of rounding: they grow no smaller
                    let is_still = step <= STILL * size || (step >= last && step <= 100.0 * STILL * size);
                    let leaps = high - low <= STILL * size && step <= LEAP * size;
                    if is_still || leaps {
                        return Ok((next, found.point));
                    }
                    last = step;
                    if next < t { high = t } else { low = t }
                }
            }
            if low >= self.deepest * (1.0 - STILL) {
                return Err(PairFailure::TooDeep);
            }
            // (a depth beyond the last level is looked for there first)
            t = if next > low && next < high {
                next
            } else if high == self.deepest && next >= high {
                high
            } else {
                0.5 * (low + high)
            };
        }
        Err(PairFailure::TooDeep)
    }
}

/// What a contact on a level says of its indentation, which changes by `steepness` for a unit of the way along the normal; nothing where that is one.
pub(super) fn along_level<S: Scalar>(n: &Vec3<S>, steepness: S) -> Common<S> {
    Common {
        n: n * steepness,
        moment: Vec3::from_element(S::from_f64(0.0)),
        lever: S::from_f64(1.0) / steepness,
    }
}
