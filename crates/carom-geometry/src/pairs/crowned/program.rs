//! The contact point of an anchor as a convex problem.
//!
//! Of p in A's core the point is wanted with the least f = d + |p − c|²/2R, d = |q − X p| its distance from the point q of B's core, or of the core of one of B's levels of depth, which is further in. X is the frame of A in that of B. The unknowns are p and q,
//! subject to the walls g_i ≤ 0 of both cores.

use carom_base::{Mat3, Pose, Vec3};
use nalgebra::{SMatrix, SVector};

use crate::shape::{ConvexCore, Tip, Wall, WallAt};

/// p and q.
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
    /// how much further in the walls of B are than those of its core [m]
    pub(super) inset: f64,
    /// the tips of both cores
    pub(super) tips: [Option<Tip>; 2],
    /// whether p, and q, is held at the tip of its cone
    pub(super) held: [bool; 2],
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

    /// Which unknowns there are: a core may be a line.
    pub(super) fn free(&self, i: usize) -> bool {
        let (of, axis) = (usize::from(i >= 3), i % 3);
        [self.a, self.b][of].extends[axis] && !self.held[of]
    }

    /// A wall of B.
    pub(super) fn wall_of_b(&self, k: usize) -> Option<Wall> {
        self.b.walls.get(k).map(|wall| wall.inset(self.inset))
    }

    pub(super) fn p(w: &Unknowns) -> Vec3 {
        w.fixed_rows::<3>(0).into()
    }

    pub(super) fn q(w: &Unknowns) -> Vec3 {
        w.fixed_rows::<3>(3).into()
    }

    /// Inequality `i`: A's walls, then B's; `None` where it is not defined.
    pub(super) fn limit(&self, i: usize, w: &Unknowns) -> Option<Limit> {
        let (mut gradient, mut hessian) = (Unknowns::zeros(), Matrix::zeros());
        if self.held[usize::from(i >= self.a.walls.len())] {
            // (its walls hold already)
            return Some(Limit { g: -self.size, gradient, hessian });
        }
        let Some(wall) = self.a.walls.get(i) else {
            let here = self.wall_of_b(i - self.a.walls.len())?.at(&Self::q(w))?;
            gradient.fixed_rows_mut::<3>(3).copy_from(&here.gradient);
            hessian.fixed_view_mut::<3, 3>(3, 3).copy_from(&here.hessian);
            return Some(Limit { g: here.g, gradient, hessian });
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
        Some(self.wall_of_b(i - self.a.walls.len())?.at(&Self::q(w))?.g)
    }

    /// f's gradient, of what is held too, and its second derivative; `None` where p reaches B's core and should not.
    pub(super) fn objective(&self, w: &Unknowns, bending: Bending) -> Option<(Unknowns, Matrix)> {
        let p = Self::p(w);
        let (mut gradient, mut hessian) = (Unknowns::zeros(), Matrix::zeros());
        let mut by_p = (p - self.anchor) / self.radius;
        let mut crown = Mat3::identity() / self.radius;
        let apart = Self::q(w) - self.x.point(&p);
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
        gradient.fixed_rows_mut::<3>(0).copy_from(&by_p);
        hessian.fixed_view_mut::<3, 3>(0, 0).copy_from(&crown);
        Some((gradient, hessian))
    }

    /// A point where no inequality holds with equality.
    pub(super) fn start(&self) -> Unknowns {
        let mut w = Unknowns::zeros();
        w.fixed_rows_mut::<3>(0).copy_from(&self.a.middle);
        w.fixed_rows_mut::<3>(3).copy_from(&self.b.middle);
        self.hold(&mut w);
        w
    }

    /// Whether a point that is not held has come to a tip, where its walls have no normals and the equations no single solution.
    pub(super) fn is_at_free_tip(&self, w: &Unknowns) -> bool {
        (0..2).any(|k| {
            let point: Vec3 = w.fixed_rows::<3>(3 * k).into();
            let at_tip = |tip: Tip| (tip.point() - point).norm() <= AT_TIP * self.size;
            !self.held[k] && self.tips[k].is_some_and(at_tip)
        })
    }

    /// Puts what is held at its tip.
    pub(super) fn hold(&self, w: &mut Unknowns) {
        for (k, tip) in self.tips.iter().enumerate() {
            if let (true, Some(tip)) = (self.held[k], tip) {
                w.fixed_rows_mut::<3>(3 * k).copy_from(&tip.point());
            }
        }
    }

    /// Whether a minimum is that of the problem without anything held: a tip held is the furthest point of its cone along the slope downwards.
    pub(super) fn may_be_held(&self, w: &Unknowns) -> bool {
        let Some((gradient, _)) = self.objective(w, Bending::Exact) else { return false };
        (0..2).all(|k| match (self.held[k], self.tips[k]) {
            (true, Some(tip)) => tip.is_furthest(&-Vec3::from(gradient.fixed_rows::<3>(3 * k))),
            _ => true,
        })
    }
}
