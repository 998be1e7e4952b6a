//! The contact points of an anchor: the distance of a rim from a wall, made convex over the disc within the rim.
//!
//! With e(ψ) the points of a unit circle and d(ψ) the distance of the rim's point there, D(u) is the least mean Σ w_j d(ψ_j) of points of the rim whose centre Σ w_j e(ψ_j) is u, Σ w_j = 1, w_j ≥ 0: the lower convex hull of d. The
//! point u of the disc with the least
//!
//!   G(u) = D(u) + K |u − c|²/2 ,      K = κ r ,
//!
//! c the anchor, is unique and moves continuously with the poses, as G is strictly convex. Almost always u is a point of the rim, w = 1. Where two places are as deep, or three, u is between them, and the weights w_j tell how much of the force each has.
//!
//! At the minimum the points ψ_j are those where q(ψ) = d(ψ) + K (u − c)·e(ψ) is least of all: so all q(ψ_j) agree, q'(ψ_j) = 0, and no other point is lower. Points are added and dropped until that is so (the exchange method of
//! semi-infinite programming: R. Hettich, K. Kortanek, SIAM Review 35, 1993), each time followed by Newton's method on the equations for ψ_j and w_j. By the envelope theorem the rate of G is the mean of the rates of d at the points held fast in the material.

use carom_base::elementary::{atan2, sincos};
use carom_base::{Scalar, Vec3};
use nalgebra::{SMatrix, SVector};

use super::minima::{BENT, Bottoms, Known, Look, MOST, MOST_STEPS, Rounds, SMALL, Vec2, around, unit};
use super::{Circle, Looks, STEP};
use crate::pair::PairScalar;
use crate::shape::{ClosestPoint, Side};

/// Angles and all weights but the last.
const UNKNOWNS: usize = 2 * MOST - 1;
/// Exchanges at most; none is usual, 2 or 3 where points hand over to one another.
const MOST_EXCHANGES: usize = 12;
/// A point that is lower by less than this, relative to the lengths, is as low: rounding.
const TIE: f64 = 1e-15;
/// Points of a rim with their weights, of which the heaviest is the first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shared<S: Scalar = f64> {
    pub(super) count: usize,
    /// [rad]
    pub(super) psi: [S; MOST],
    /// their sum is one
    pub(super) weight: [S; MOST],
}

impl Shared {
    fn one(psi: f64) -> Shared {
        Shared { count: 1, psi: [psi; MOST], weight: [1.0, 0.0, 0.0] }
    }

    fn points(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        (0..self.count).map(|j| (self.psi[j], self.weight[j]))
    }

    fn centre(&self) -> Vec2 {
        self.points().map(|(psi, w)| unit(psi) * w).sum()
    }

    fn sort(&mut self) {
        let mut all: [(f64, f64); MOST] = std::array::from_fn(|j| (self.psi[j], self.weight[j]));
        all[..self.count].sort_by(|p, q| q.1.total_cmp(&p.1));
        *self = Shared { count: self.count, psi: all.map(|p| p.0), weight: all.map(|p| p.1) };
    }
}

impl Rounds<'_> {
    /// The same at all points; where there are fewer, the last ones are as the first.
    fn looks(&self, of: &Shared, s: &Vec2) -> [Look; MOST] {
        let mut at = [self.look(of.psi[0], s); MOST];
        (1..of.count).for_each(|j| at[j] = self.look(of.psi[j], s));
        at
    }

    /// K (u − c).
    fn lean(&self, u: &Vec2) -> Vec2 {
        (u - unit(self.anchor)) * self.crown
    }

    /// The points that carry the force of the anchor.
    pub(super) fn least(&self, looks: &Looks, bottoms: &Bottoms) -> Shared {
        // of a single point |u − c|²/2 is 1 − c·e
        let single = -unit(self.anchor) * self.crown;
        let (start, _) =
            self.minima((looks, bottoms), &single, f64::INFINITY, Known { looks: &[], all: false });
        let mut shared = Shared::one(start[0].0);
        if self.crown == 0.0 {
            return shared;
        }
        let tie = self.tie();
        let mut at = [start[0].1.leaning(&(self.lean(&shared.centre()) - single)); MOST];
        for _ in 0..MOST_EXCHANGES {
            let s = self.lean(&shared.centre());
            let mean: f64 = shared.points().zip(&at).map(|((_, w), here)| w * here.q).sum();
            let mut all = [0.0; 3 * MOST];
            let mut count = 0;
            let mut add = |psi: f64| {
                all[count] = psi;
                count += 1;
            };
            shared.points().for_each(|(psi, _)| add(psi));
            let known = Known { looks: &at[..shared.count], all: false };
            let (lower, found) = self.minima((looks, bottoms), &s, mean - tie, known);
            lower[..found].iter().for_each(|(psi, _)| add(*psi));
            if found == 0 {
                // a point between two minima that are closer than the looks
                let bent = shared.points().zip(&at).filter(|(_, here)| here.bend < -BENT * self.radius);
                for (psi, side) in bent.flat_map(|((psi, _), _)| [(psi, -1.0), (psi, 1.0)]) {
                    add(self.newton(psi + side * 0.25 * STEP, 0.25 * STEP, &s, None).0);
                }
            }
            if count == shared.count {
                break;
            }
            let Some(next) = self.weighted(&all[..count]) else { break };
            shared = self.refined(next);
            at = self.looks(&shared, &self.lean(&shared.centre()));
        }
        shared.sort();
        shared
    }

    /// A number that changes its sign where this point, the second (1) or the third (2), begins or ends to carry: its weight while it does, by which another place is too far off, in units of the crown, while it does not. Two points that
    /// come together become one, whose distance then bends the other way.
    pub(super) fn kink(&self, shared: &Shared, places: (&Looks, &Bottoms), number: usize) -> f64 {
        let count = shared.count;
        if count < number {
            return -1.0;
        }
        if count > number {
            let e = shared.psi.map(unit);
            let pairs = (0..count).flat_map(|i| (0..i).map(move |j| (i, j)));
            let apart = pairs.map(|(i, j)| (e[i] - e[j]).norm_squared()).fold(1.0, f64::min);
            return if count == number + 1 {
                apart.min(shared.weight[number])
            } else {
                shared.weight[number]
            };
        }
        let s = self.lean(&shared.centre());
        let at = self.looks(shared, &s);
        let mean: f64 = shared.points().zip(&at).map(|((_, w), here)| w * here.q).sum();
        let known = Known { looks: &at[..count], all: true };
        let (next, found) = self.minima(places, &s, mean + self.crown, known);
        let bent = at[..count].iter().map(|here| here.bend).fold(self.crown, f64::min);
        let further = if found > 0 { next[0].1.q - mean } else { self.crown };
        -further.min(bent) / self.crown
    }

    /// What rounding makes of distances [m].
    fn tie(&self) -> f64 {
        TIE * (self.radius + self.circle.middle.norm())
    }

    /// G of some points.
    fn value(&self, of: &Shared) -> f64 {
        let mean: f64 = of.points().map(|(psi, w)| w * self.look(psi, &Vec2::zeros()).q).sum();
        mean + 0.5 * self.crown * (of.centre() - unit(self.anchor)).norm_squared()
    }

    /// The points, of some that are given, that have the least G together: at most three, each with a positive weight.
    fn weighted(&self, psi: &[f64]) -> Option<Shared> {
        let d: [f64; 3 * MOST] = std::array::from_fn(|j| match psi.get(j) {
            Some(psi) => self.look(*psi, &Vec2::zeros()).q,
            None => 0.0,
        });
        let mut best: Option<(f64, Shared)> = None;
        for which in 1..1usize << psi.len() {
            let mut of = [0; MOST];
            let count = which.count_ones() as usize;
            if count > MOST {
                continue;
            }
            (0..psi.len()).filter(|j| which >> j & 1 == 1).zip(&mut of).for_each(|(j, own)| *own = j);
            let shared = Shared { count, psi: of.map(|j| psi[j]), weight: [0.0; MOST] };
            let Some(weight) = self.weights(&shared, &of.map(|j| d[j])) else { continue };
            let shared = Shared { weight, ..shared };
            let mean: f64 = (0..count).map(|j| weight[j] * d[of[j]]).sum();
            let g = mean + 0.5 * self.crown * (shared.centre() - unit(self.anchor)).norm_squared();
            if best.is_none_or(|best| g < best.0) {
                best = Some((g, shared));
            }
        }
        best.map(|(_, shared)| shared)
    }

    /// The weights with which q is the same at all points; `None` if one is not positive.
    fn weights(&self, of: &Shared, d: &[f64; MOST]) -> Option<[f64; MOST]> {
        let e = of.psi.map(unit);
        let c = unit(self.anchor);
        let weight = match of.count {
            1 => [1.0, 0.0, 0.0],
            2 => {
                let along = e[0] - e[1];
                let w = ((d[1] - d[0]) / self.crown - (e[1] - c).dot(&along)) / along.norm_squared();
                [w, 1.0 - w, 0.0]
            }
            _ => {
                let rows =
                    nalgebra::Matrix2::from_rows(&[(e[0] - e[2]).transpose(), (e[1] - e[2]).transpose()]);
                let s = rows.try_inverse()? * Vec2::new(d[2] - d[0], d[2] - d[1]);
                let w = rows.transpose().try_inverse()? * (c + s / self.crown - e[2]);
                [w.x, w.y, 1.0 - w.x - w.y]
            }
        };
        weight[..of.count].iter().all(|w| *w > 0.0).then_some(weight)
    }

    /// The equations q'(ψ_j) = 0 and q(ψ_j) = q(ψ_n), n the last, with their derivatives by the angles and the first n − 1 weights.
    fn equations(&self, of: &Shared) -> (SMatrix<f64, UNKNOWNS, UNKNOWNS>, SVector<f64, UNKNOWNS>) {
        let (mut matrix, mut residual) = (SMatrix::identity(), SVector::zeros());
        let (n, k, s) = (of.count, self.crown, self.lean(&of.centre()));
        let at = self.looks(of, &s);
        let last = at[n - 1];
        for i in 0..n {
            let (along, off) = (around(&at[i].e), at[i].e - last.e);
            residual[i] = at[i].slope;
            for j in 0..n {
                matrix[(i, j)] = k * of.weight[j] * around(&at[j].e).dot(&along);
                if i + 1 < n {
                    matrix[(n + i, j)] = k * of.weight[j] * around(&at[j].e).dot(&off);
                }
            }
            matrix[(i, i)] += at[i].bend;
            for j in 0..n - 1 {
                matrix[(i, n + j)] = k * (at[j].e - last.e).dot(&along);
                if i + 1 < n {
                    matrix[(n + i, n + j)] = k * (at[j].e - last.e).dot(&off);
                }
            }
            if i + 1 < n {
                matrix[(n + i, i)] += at[i].slope;
                matrix[(n + i, n - 1)] -= last.slope;
                residual[n + i] = self.rise(of.psi[n - 1], of.psi[i], &s, at[i].q - last.q);
            }
        }
        (matrix, residual)
    }

    /// q(to) − q(from): where they are near each other, the integral of the slope, which rounding spoils less than the difference.
    fn rise(&self, from: f64, to: f64, s: &Vec2, difference: f64) -> f64 {
        // Gauss's five points
        const NODES: [(f64, f64); 5] = [
            (-0.906_179_845_938_664, 0.236_926_885_056_189_1),
            (-0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
            (0.0, 0.568_888_888_888_888_9),
            (0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
            (0.906_179_845_938_664, 0.236_926_885_056_189_1),
        ];
        let (half, middle) = (0.5 * (to - from), 0.5 * (to + from));
        if half.abs() > 0.02 {
            return difference;
        }
        NODES.iter().map(|(x, w)| w * self.look(middle + half * x, s).slope).sum::<f64>() * half
    }

    /// The minimum that such points lead to, by Newton's method from all of them or, where that leads nowhere, from fewer: the two that are nearest to each other may stand for one.
    fn refined(&self, from: Shared) -> Shared {
        let (most, mut trial) = (self.value(&from) + self.tie(), from);
        loop {
            if let Some(found) = self.polished(trial).filter(|found| self.value(found) <= most) {
                return found;
            }
            if trial.count == 1 {
                return from;
            }
            trial = merged(trial);
        }
    }

    /// The solution of the equations next to such points; `None` if Newton's method leads nowhere, or a weight is not positive.
    fn polished(&self, mut of: Shared) -> Option<Shared> {
        let (mut last, n) = (f64::INFINITY, of.count);
        for _ in 0..MOST_STEPS {
            let (matrix, residual) = self.equations(&of);
            let step = matrix.lu().solve(&-residual)?;
            let moved = step.amax();
            if !(moved <= 1.0) {
                return None;
            }
            // rounding: steps grow no smaller
            if moved <= SMALL || (moved >= last && moved < 1e-9) {
                return Some(of);
            }
            last = moved;
            (0..n).for_each(|j| of.psi[j] += step[j]);
            for j in 0..n - 1 {
                of.weight[j] += step[n + j];
                of.weight[n - 1] -= step[n + j];
            }
            if of.points().any(|(_, w)| !(w > 0.0)) {
                return None;
            }
        }
        None
    }

    /// The points with their derivatives: one more step of Newton's method, whose residual carries them.
    pub(super) fn differentiate<S: PairScalar>(&self, of: &Shared, circle: &Circle<S>) -> Shared<S> {
        let constant = |x: f64| S::from_f64(x);
        let mut out = Shared { count: of.count, psi: of.psi.map(constant), weight: of.weight.map(constant) };
        // (without a crown a rim may be as near all around: then no point of it is preferred)
        if !S::CARRIES || self.crown == 0.0 {
            return out;
        }
        if let Some(inverse) = self.equations(of).0.try_inverse() {
            let s = self.lean(&of.centre());
            let (n, residual) = (of.count, self.residual(of, &s, circle));
            let step = |i: usize| {
                (0..2 * n - 1).fold(constant(0.0), |sum, k| sum - residual[k] * constant(inverse[(i, k)]))
            };
            (0..n).for_each(|j| out.psi[j] += step(j));
            for j in 0..n - 1 {
                out.weight[j] += step(n + j);
                out.weight[n - 1] -= step(n + j);
            }
        }
        out
    }

    #[allow(clippy::type_complexity, reason = "a place, and what is nearest to it")]
    /// The places of the points and what is nearest to them on the wall, in the cavity's frame (where there are fewer, the last ones are as the first), and G.
    pub(super) fn places<S: PairScalar>(
        &self,
        of: &Shared<S>,
        circle: &Circle<S>,
    ) -> ([(Vec3<S>, ClosestPoint<S>); MOST], S) {
        let at = |j: usize| {
            let (sin, cos) = turned(&of.psi[j]);
            let x = circle.at(cos, sin).0;
            (x, S::closest_point(self.project, Side::Inside, self.wall, &x))
        };
        let mut places = [at(0); MOST];
        (1..of.count).for_each(|j| places[j] = at(j));
        let constant = |x: f64| S::from_f64(x);
        let c = unit(self.anchor);
        let (mut g, mut off) = (constant(0.0), [constant(-c.x), constant(-c.y)]);
        for (j, (_, closest)) in places.iter().enumerate().take(of.count) {
            let (sin, cos) = turned(&of.psi[j]);
            g += of.weight[j] * closest.d;
            off = [off[0] + of.weight[j] * cos, off[1] + of.weight[j] * sin];
        }
        g += (off[0] * off[0] + off[1] * off[1]) * constant(0.5 * self.crown);
        (places, g)
    }

    /// How the equations change with the poses.
    fn residual<S: PairScalar>(&self, of: &Shared, s: &Vec2, circle: &Circle<S>) -> [S; UNKNOWNS] {
        let mut residual = [S::from_f64(0.0); UNKNOWNS];
        let n = of.count;
        let at = |j: usize| {
            let (sin, cos) = turned(&S::from_f64(of.psi[j]));
            let (x, along) = circle.at(cos, sin);
            let here = S::closest_point(self.project, Side::Inside, self.wall, &x);
            let lean = [s.x, s.y].map(S::from_f64);
            let slope = here.n.dot(&along) + lean[1] * cos - lean[0] * sin;
            (here.d + lean[0] * cos + lean[1] * sin, slope)
        };
        let last = at(n - 1);
        residual[n - 1] = last.1;
        for j in 0..n - 1 {
            let (height, slope) = at(j);
            residual[j] = slope;
            residual[n + j] = height - last.0;
        }
        residual.map(|r| r - S::from_f64(r.value()))
    }
}

/// The points with the two nearest to each other made one.
fn merged(mut of: Shared) -> Shared {
    let pairs = (0..of.count).flat_map(|j| (0..j).map(move |i| (i, j)));
    let apart = |(i, j): &(usize, usize)| (unit(of.psi[*i]) - unit(of.psi[*j])).norm_squared();
    let Some((i, j)) = pairs.min_by(|p, q| apart(p).total_cmp(&apart(q))) else { return of };
    let (e, to) = (unit(of.psi[i]), unit(of.psi[j]));
    let (weight, turn) = (of.weight[i] + of.weight[j], atan2(e.perp(&to), e.dot(&to)));
    of.psi[i] += turn * of.weight[j] / weight;
    of.weight[i] = weight;
    of.psi.copy_within(j + 1.., j);
    of.weight.copy_within(j + 1.., j);
    of.count -= 1;
    of
}

/// Sine and cosine of an angle, with their derivatives.
fn turned<S: Scalar>(psi: &S) -> (S, S) {
    let (sin, cos) = sincos(psi.value());
    let [sin, cos] = [sin, cos].map(S::from_f64);
    let by = *psi - S::from_f64(psi.value());
    (sin + cos * by, cos - sin * by)
}
