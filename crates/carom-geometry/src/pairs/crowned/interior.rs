//! The contact point of an anchor as a convex problem, by an interior-point method.
//!
//! Of p in A's core and q in B's, in the frames of their surfaces, those are wanted with the least
//!
//!   f = |q − X p| + |p − c|²/2R
//!
//! subject to walls g_i ≤ 0, X the frame of A in that of B. With multipliers λ_i ≥ 0 the minimum is where ∇f + Σ λ_i ∇g_i = 0 and λ_i g_i = 0. Newton's
//! method on the first and on λ_i g_i = −μ, with μ made smaller at every step, stays within the walls (S. Wright, Primal-Dual Interior-Point
//! Methods, 1997): it needs no guess of which walls hold, and corners and edges are no special cases.
//!
//! The distance r = |q − X p| counts as r²/2d + d/2, d its present value, which is nowhere less and agrees in value and slope where r = d: so steps do not
//! lead through zero distance, where it has a kink.

use carom_base::{Mat3, Pose, Vec3};
use nalgebra::{SMatrix, SVector};

use crate::shape::ConvexCore;

/// p and q.
type Unknowns = SVector<f64, 6>;
type Matrix = SMatrix<f64, 6, 6>;

/// Steps at most; 12 to 20 are usual.
const MOST_STEPS: usize = 80;
/// How much of the way to the nearest wall a step goes.
const SHY: f64 = 0.99;
/// Products λ g below this, relative to the size, are those of the minimum to rounding.
const SMALL: f64 = 1e-14;
/// Inequalities at most.
pub(super) const MOST_WALLS: usize = 256;

/// The minimum.
#[derive(Clone, Copy, Debug)]
pub(super) struct Least {
    /// of A's core, in A's frame [m]
    pub(super) p: Vec3,
    /// of B's core, in B's frame [m]
    pub(super) q: Vec3,
}

/// The problem.
pub(super) struct Problem<'r> {
    pub(super) a: &'r ConvexCore,
    pub(super) b: &'r ConvexCore,
    /// A's frame, in B's
    pub(super) x: &'r Pose,
    /// c, in A's frame [m]
    pub(super) anchor: Vec3,
    /// R [m]
    pub(super) radius: f64,
    /// a length of the order of the smaller solid [m]
    pub(super) size: f64,
}

/// An inequality with its derivatives.
struct Limit {
    g: f64,
    gradient: Unknowns,
    hessian: Matrix,
}

/// What Newton's method needs of a point.
struct Look {
    limits: [(f64, Unknowns); MOST_WALLS],
    /// ∇f + Σ λ_i ∇g_i
    tilt: Unknowns,
    /// its derivative, with what eliminating the multipliers adds
    matrix: Matrix,
    /// the mean of −λ_i g_i [m]
    mean: f64,
}

impl Problem<'_> {
    fn count(&self) -> usize {
        self.a.walls.len() + self.b.walls.len()
    }

    /// Wall `i` of A's and of B's; `None` where it is not defined.
    fn limit(&self, i: usize, w: &Unknowns) -> Option<Limit> {
        let (wall, at) = match self.a.walls.get(i) {
            Some(wall) => (wall, 0),
            None => (self.b.walls.get(i - self.a.walls.len())?, 3),
        };
        let here = wall.at(&w.fixed_rows::<3>(at).into())?;
        let (mut gradient, mut hessian) = (Unknowns::zeros(), Matrix::zeros());
        gradient.fixed_rows_mut::<3>(at).copy_from(&here.gradient);
        hessian.fixed_view_mut::<3, 3>(at, at).copy_from(&here.hessian);
        Some(Limit { g: here.g, gradient, hessian })
    }

    /// f's gradient, and the second derivative of what it counts as; `None` where the cores meet.
    fn objective(&self, w: &Unknowns) -> Option<(Unknowns, Matrix)> {
        let (p, q): (Vec3, Vec3) = (w.fixed_rows::<3>(0).into(), w.fixed_rows::<3>(3).into());
        let apart = q - self.x.point(&p);
        let d = apart.norm();
        if !(d > 1e-9 * self.size) {
            return None;
        }
        let (n, turn) = (apart / d, self.x.r.transpose());
        let (mut gradient, mut hessian) = (Unknowns::zeros(), Matrix::zeros());
        gradient.fixed_rows_mut::<3>(0).copy_from(&(-(turn * n) + (p - self.anchor) / self.radius));
        gradient.fixed_rows_mut::<3>(3).copy_from(&n);
        let crown = Mat3::identity() / self.radius;
        hessian.fixed_view_mut::<3, 3>(0, 0).copy_from(&(Mat3::identity() / d + crown));
        hessian.fixed_view_mut::<3, 3>(3, 3).copy_from(&(Mat3::identity() / d));
        hessian.fixed_view_mut::<3, 3>(0, 3).copy_from(&(-turn / d));
        hessian.fixed_view_mut::<3, 3>(3, 0).copy_from(&(-self.x.r / d));
        Some((gradient, hessian))
    }

    fn look(&self, w: &Unknowns, lambda: &[f64]) -> Option<Look> {
        let (mut tilt, mut matrix) = self.objective(w)?;
        let mut mean = 0.0;
        let mut limits = [(0.0, Unknowns::zeros()); MOST_WALLS];
        for (i, lambda) in lambda.iter().enumerate() {
            let Limit { g, gradient, hessian } = self.limit(i, w)?;
            limits[i] = (g, gradient);
            mean -= lambda * g;
            tilt += gradient * *lambda;
            matrix += hessian * *lambda + gradient * gradient.transpose() * (lambda / -g);
        }
        mean /= lambda.len() as f64;
        for i in (0..6).filter(|i| !if *i < 3 { self.a.extends[*i] } else { self.b.extends[*i - 3] }) {
            matrix.row_mut(i).fill(0.0);
            matrix.column_mut(i).fill(0.0);
            (matrix[(i, i)], tilt[i]) = (1.0, 0.0);
            limits[..lambda.len()].iter_mut().for_each(|(_, gradient)| gradient[i] = 0.0);
        }
        Some(Look { limits, tilt, matrix, mean })
    }

    fn start(&self) -> Unknowns {
        let mut w = Unknowns::zeros();
        w.fixed_rows_mut::<3>(0).copy_from(&self.a.middle);
        w.fixed_rows_mut::<3>(3).copy_from(&self.b.middle);
        w
    }

    /// Finds the minimum; `None` if the steps do not lead there.
    pub(super) fn solve(&self) -> Option<Least> {
        let mut w = self.start();
        let mut all = [1.0; MOST_WALLS];
        let lambda = &mut all[..self.count()];
        let mut share: f64 = 0.5;
        for _ in 0..MOST_STEPS {
            let at = self.look(&w, lambda)?;
            let slope = at.tilt.amax();
            let small = at.mean <= SMALL * self.size && slope <= 1e-10;
            if at.mean <= 1e-16 * self.size && small {
                return Some(least(&w));
            }
            // the products fall fast after a long step; after a short one they are made equal first
            let mu = at.mean * ((1.0 - share) * (1.0 - share)).clamp(1e-3, 0.9);
            share = match self.advance(&at, mu, &mut w, lambda) {
                Some(share) => share,
                // walls are as near as rounding leaves them
                None => return small.then(|| least(&w)),
            };
        }
        None
    }

    /// Makes a step of Newton's method towards λ_i g_i = −μ, and returns how much of it the walls left; `None` if nothing.
    fn advance(&self, at: &Look, mu: f64, w: &mut Unknowns, lambda: &mut [f64]) -> Option<f64> {
        let factors = at.matrix.cholesky()?;
        let limits = &at.limits[..lambda.len()];
        let mut slope = at.tilt;
        for ((g, gradient), lambda) in limits.iter().zip(lambda.iter()) {
            slope += gradient * (mu / -g - lambda);
        }
        let step = -factors.solve(&slope);
        // λ_i + dλ_i = (μ + λ_i ∇g_i·dw)/(−g_i)
        let change =
            |(g, gradient): &(f64, Unknowns), lambda: f64| (mu + lambda * gradient.dot(&step)) / -g - lambda;
        let mut share: f64 = 1.0;
        for (limit, lambda) in limits.iter().zip(lambda.iter()) {
            let (closer, change) = (limit.1.dot(&step), change(limit, *lambda));
            if closer > 0.0 {
                share = share.min(SHY * -limit.0 / closer);
            }
            if change < 0.0 {
                share = share.min(SHY * lambda / -change);
            }
        }
        // what is curved bends towards the step
        let within = |next: &Unknowns| {
            (0..limits.len()).all(|i| self.limit(i, next).is_some_and(|limit| limit.g < 0.0))
        };
        while !within(&(*w + step * share)) {
            share *= 0.7;
            if share < 1e-10 {
                return None;
            }
        }
        *w += step * share;
        limits
            .iter()
            .zip(lambda.iter_mut())
            .for_each(|(limit, lambda)| *lambda += share * change(limit, *lambda));
        Some(share)
    }
}

fn least(w: &Unknowns) -> Least {
    Least { p: w.fixed_rows::<3>(0).into(), q: w.fixed_rows::<3>(3).into() }
}
