//! The contact point of an anchor as a convex problem.
//!
//! Of p in A's core the point is wanted with the least f = t + |p − c|²/2R, t the signed distance of p from B's core, which is convex. X is the frame of A in that of B.
//!
//! - *Outside* B's core, t = |q − X p| with q in the core: the unknowns are p and q, subject to the walls g_i ≤ 0 of both cores.
//! - *Within* it, t is the largest of the heights h_j(X p) ≤ 0 over B's walls: the unknowns are p and t, subject to the walls of A and to h_j(X p) ≤ t.
//!
//! The largest height is nowhere more than the signed distance and equal to it within. So if the least f of the second problem has t ≤ 0, it is the least of all; if not, that of the
//! first one is.

use carom_base::{Mat3, Pose, Vec3};
use nalgebra::{SMatrix, SVector};

use crate::shape::{ConvexCore, Wall, WallAt};

/// p and q, or p and t.
pub(super) type Unknowns = SVector<f64, 6>;
pub(super) type Matrix = SMatrix<f64, 6, 6>;

/// Inequalities at most.
pub(super) const MOST_WALLS: usize = 96;

/// A point this much of the size off a tip is at it.
const AT_TIP: f64 = 1e-9;

/// The problem.
pub(super) struct Program<'r> {
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
    /// whether p is within B's core
    pub(super) within: bool,
    /// whether p, and q, is held at the tip of its cone
    pub(super) held: [bool; 2],
    /// whether p, within B's core, is held on the axis of B's round wall, where that wall's height has a kink
    pub(super) on_axis: bool,
}

/// An inequality with its derivatives.
pub(super) struct Limit {
    pub(super) g: f64,
    pub(super) gradient: Unknowns,
    pub(super) hessian: Matrix,
}

/// How the second derivative of the distance |q − X p| is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Bending {
    /// as it is
    Exact,
    /// as that of r²/2d + d/2, d the present distance, which is nowhere less than the distance and agrees in value and slope where r = d: so steps do not lead through zero distance, where
    /// it has a kink
    Bound,
}

impl Program<'_> {
    /// How many inequalities there are.
    pub(super) fn count(&self) -> usize {
        self.a.walls.len() + self.b.walls.len()
    }

    /// The two equations, numbered after the inequalities, that hold p on the axis: its coordinates across are zero.
    pub(super) fn equations(&self) -> std::ops::Range<usize> {
        let count = self.count();
        count..count + if self.on_axis { 2 } else { 0 }
    }

    /// Whether p, within B's core, is this much of the size or less off the axis of a round wall of B.
    pub(super) fn may_be_on_axis(&self, w: &Unknowns, share: f64) -> bool {
        let round = self.b.walls.iter().any(|wall| matches!(wall, Wall::Round { .. }));
        let free = self.within && round && !self.held[0];
        free && self.x.point(&Self::p(w)).xy().norm() <= share * self.size
    }

    /// The height of a point in B's frame over a wall of B, or the coordinate of an equation.
    pub(super) fn height(&self, k: usize, x: &Vec3) -> Option<WallAt> {
        match self.b.walls.get(k) {
            Some(Wall::Round { radius, slope }) if self.on_axis => {
                let n = -Vec3::z() * (slope / (1.0 + slope * slope).sqrt());
                let g = n.z * x.z - radius / (1.0 + slope * slope).sqrt();
                Some(WallAt { g, gradient: n, hessian: Mat3::zeros() })
            }
            Some(wall) => Some(wall.height(x)),
            None => {
                let axis = k.checked_sub(self.b.walls.len()).filter(|axis| self.on_axis && *axis < 2)?;
                Some(WallAt { g: x[axis], gradient: Vec3::ith(axis, 1.0), hessian: Mat3::zeros() })
            }
        }
    }

    /// Which unknowns there are: a core may be a line, and of p and t there are four.
    pub(super) fn free(&self, i: usize) -> bool {
        match (i, self.within) {
            (0..3, _) => self.a.extends[i] && !self.held[0],
            (_, false) => self.b.extends[i - 3] && !self.held[1],
            (_, true) => i == 3,
        }
    }

    pub(super) fn p(w: &Unknowns) -> Vec3 {
        w.fixed_rows::<3>(0).into()
    }

    /// Inequality `i`: A's walls, then B's; `None` where it is not defined.
    pub(super) fn limit(&self, i: usize, w: &Unknowns) -> Option<Limit> {
        let (mut gradient, mut hessian) = (Unknowns::zeros(), Matrix::zeros());
        if self.held[usize::from(i >= self.a.walls.len())] {
            // (its walls hold already)
            return Some(Limit { g: -self.size, gradient, hessian });
        }
        let Some(wall) = self.a.walls.get(i) else {
            let k = i - self.a.walls.len();
            if !self.within {
                let wall = self.b.walls.get(k)?;
                let here = wall.at(&w.fixed_rows::<3>(3).into())?;
                gradient.fixed_rows_mut::<3>(3).copy_from(&here.gradient);
                hessian.fixed_view_mut::<3, 3>(3, 3).copy_from(&here.hessian);
                return Some(Limit { g: here.g, gradient, hessian });
            }
            let here = self.height(k, &self.x.point(&Self::p(w)))?;
            let turn = self.x.r.transpose();
            gradient.fixed_rows_mut::<3>(0).copy_from(&(turn * here.gradient));
            hessian.fixed_view_mut::<3, 3>(0, 0).copy_from(&(turn * here.hessian * self.x.r));
            // (t is no part of an equation)
            let under = if i < self.count() { 1.0 } else { 0.0 };
            gradient[3] = -under;
            return Some(Limit { g: here.g - under * w[3], gradient, hessian });
        };
        let here: WallAt = wall.at(&Self::p(w))?;
        gradient.fixed_rows_mut::<3>(0).copy_from(&here.gradient);
        hessian.fixed_view_mut::<3, 3>(0, 0).copy_from(&here.hessian);
        Some(Limit { g: here.g, gradient, hessian })
    }

    /// The value of inequality `i` alone.
    pub(super) fn value(&self, i: usize, w: &Unknowns) -> Option<f64> {
        if self.held[usize::from(i >= self.a.walls.len())] {
            return Some(-self.size);
        }
        if let Some(wall) = self.a.walls.get(i) {
            return Some(wall.at(&Self::p(w))?.g);
        }
        let k = i - self.a.walls.len();
        match self.within {
            false => Some(self.b.walls.get(k)?.at(&w.fixed_rows::<3>(3).into())?.g),
            true => Some(self.height(k, &self.x.point(&Self::p(w)))?.g - w[3]),
        }
    }

    /// f's gradient, of what is held too, and its second derivative; `None` where p reaches B's core and should not.
    pub(super) fn objective(&self, w: &Unknowns, bending: Bending) -> Option<(Unknowns, Matrix)> {
        let p = Self::p(w);
        let (mut gradient, mut hessian) = (Unknowns::zeros(), Matrix::zeros());
        let mut by_p = (p - self.anchor) / self.radius;
        let mut crown = Mat3::identity() / self.radius;
        if self.within {
            gradient[3] = 1.0;
        } else {
            let q: Vec3 = w.fixed_rows::<3>(3).into();
            let apart = q - self.x.point(&p);
            let d = apart.norm();
            if !(d > 1e-9 * self.size) {
                return None;
            }
            let (n, turn) = (apart / d, self.x.r.transpose());
            by_p -= turn * n;
            gradient.fixed_rows_mut::<3>(3).copy_from(&n);
            let across = match bending {
                Bending::Exact => (Mat3::identity() - n * n.transpose()) / d,
                Bending::Bound => Mat3::identity() / d,
            };
            crown += turn * across * self.x.r;
            hessian.fixed_view_mut::<3, 3>(3, 3).copy_from(&across);
            hessian.fixed_view_mut::<3, 3>(0, 3).copy_from(&(-turn * across));
            hessian.fixed_view_mut::<3, 3>(3, 0).copy_from(&(-across * self.x.r));
        }
        gradient.fixed_rows_mut::<3>(0).copy_from(&by_p);
        hessian.fixed_view_mut::<3, 3>(0, 0).copy_from(&crown);
        Some((gradient, hessian))
    }

    /// A point where no inequality holds with equality.
    pub(super) fn start(&self) -> Unknowns {
        let mut w = Unknowns::zeros();
        w.fixed_rows_mut::<3>(0).copy_from(&self.a.middle);
        if self.within {
            self.hold(&mut w);
            let x = self.x.point(&Self::p(&w));
            let highest = self.b.walls.iter().map(|wall| wall.height(&x).g).fold(f64::MIN, f64::max);
            w[3] = highest + 0.1 * self.size;
        } else {
            w.fixed_rows_mut::<3>(3).copy_from(&self.b.middle);
        }
        self.hold(&mut w);
        w
    }

    /// Whether a point that is not held has come to a tip, where its walls have no normals and the equations no single solution.
    pub(super) fn is_at_free_tip(&self, w: &Unknowns) -> bool {
        let at_tip = |k: usize, core: &ConvexCore| {
            let point: Vec3 = w.fixed_rows::<3>(3 * k).into();
            core.tip.is_some_and(|tip| (tip.point() - point).norm() <= AT_TIP * self.size)
        };
        (!self.held[0] && at_tip(0, self.a)) || (!self.within && !self.held[1] && at_tip(1, self.b))
    }

    /// Puts what is held at its tip.
    pub(super) fn hold(&self, w: &mut Unknowns) {
        for (k, core) in [self.a, self.b].into_iter().enumerate() {
            if let (true, Some(tip)) = (self.held[k], core.tip) {
                w.fixed_rows_mut::<3>(3 * k).copy_from(&tip.point());
            }
        }
    }

    /// Whether a minimum is that of the problem without anything held: a tip held is the furthest point of its cone along the slope downwards, and a point held on the axis is pushed off it no
    /// more than the round wall holds it there from all sides.
    pub(super) fn may_be_held(&self, w: &Unknowns, held: impl Iterator<Item = (usize, f64)>) -> bool {
        let Some((mut gradient, _)) = self.objective(w, Bending::Exact) else { return false };
        let (mut off_axis, mut to_axis) = (0.0, 0.0);
        for (i, lambda) in held.filter(|_| self.within) {
            let Some(k) = i.checked_sub(self.a.walls.len()) else { continue };
            let Some(limit) = self.limit(i, w) else { return false };
            gradient += limit.gradient * lambda;
            match self.b.walls.get(k) {
                Some(Wall::Round { slope, .. }) => to_axis = lambda / (1.0 + slope * slope).sqrt(),
                Some(Wall::Flat { .. }) => {}
                None => off_axis += lambda * lambda,
            }
        }
        let tips = [self.a, self.b].into_iter().enumerate().all(|(k, core)| match (self.held[k], core.tip) {
            (true, Some(tip)) => tip.is_furthest(&-Vec3::from(gradient.fixed_rows::<3>(3 * k))),
            _ => true,
        });
        tips && (!self.on_axis || off_axis.sqrt() <= to_axis)
    }
}
