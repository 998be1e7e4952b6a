//! The rate of an indentation that several contact points have in common, with its derivatives.

use carom_base::{Dual, Vec3};
use carom_geometry::Common;

use crate::slopes::unit;
use crate::state::Kinematics;

/// The rate of an indentation that several points have in common, δ̇ = m·V + c·W: V the velocity of A at p_a less that of B there, W the angular velocity of A less that of B.
pub(super) struct CommonRate {
    /// m
    pub(super) n: Vec3,
    /// c + (p_a − x) × m for each body, x its centre of mass: the derivatives by ω
    pub(super) torques: [Vec3; 2],
    /// V and W
    apart: [Vec3; 2],
}

impl CommonRate {
    pub(super) fn new(common: Common, p_a: &Vec3, k: [&Kinematics; 2]) -> CommonRate {
        CommonRate {
            n: common.n,
            torques: k.map(|k| common.moment + (p_a - k.x.p).cross(&common.n)),
            apart: [k[0].velocity_at(p_a) - k[1].velocity_at(p_a), k[0].w - k[1].w],
        }
    }

    /// Returns dδ̇ by the i-th small motion of the body `end`, which moves p_a by `by_p`.
    pub(super) fn change(
        &self,
        moved: &Common<Dual<6>>,
        by_p: &Vec3,
        (end, i): (usize, usize),
        k: [&Kinematics; 2],
    ) -> f64 {
        let mut arms = [*by_p; 2];
        if i < 3 {
            arms[end] -= unit(i);
        }
        let by = |x: &Vec3<Dual<6>>| x.map(|x| x.eps[i]);
        let [v, w] = &self.apart;
        let dv = k[0].carried(&arms[0]) - k[1].carried(&arms[1]);
        by(&moved.n).dot(v) + self.n.dot(&dv) + by(&moved.moment).dot(w)
    }
}
