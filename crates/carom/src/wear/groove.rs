//! A worn bearing as its journal meets it: δ = δ₀ − h(θ), θ the angle of the contact point about the bearing's axis, in the bearing's frame.
//!
//! The journal touches where its eccentricity points, as in a round bearing, and as deep as the wall there has receded less. A normal force that belongs to
//! this indentation, f_n ∂δ/∂q, is not radial alone: it has the part −f_n h'(θ) ∂θ/∂q, which draws the journal to where the bearing is deeper. Without it the
//! journal would gain or lose energy going round. In a bearing in the plane it is f_n h'/e across the eccentricity e, through the journal's centre: the radial
//! force turned to where the journal would touch the true profile, to first order in h'/e.
//!
//! The approach that laws take is that of the surfaces as they are, δ̇ = δ̇₀ − h' θ̇. That the wall recedes by itself, ḣ, is no approach; it takes f_e ḣ of what
//! the contact stores, which the ledger has among what normal forces lose.

use std::ops::Range;

use carom_base::{Pose, Scalar, Vec3};

use super::spline::Splines;

/// The part of a state's wear depths that belongs to a bearing, and the bearing's play.
#[derive(Clone, Debug)]
pub(crate) struct Groove {
    /// indices of its depths c_i among all, end after end
    rows: Range<usize>,
    /// number of depths of an end
    sectors: usize,
    /// [m]
    play: f64,
}

/// What moves a contact point around its bearing: ∂θ by a small motion of the journal's body against the bearing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Sweep {
    /// by a displacement of its centre of mass [rad/m]
    pub(crate) by_x: Vec3,
    /// by a turn about it
    pub(crate) by_turn: Vec3,
}

impl Groove {
    pub(crate) fn new(profile: &super::Profile) -> Groove {
        Groove {
            rows: profile.first..profile.first + profile.len(),
            sectors: profile.sectors,
            play: profile.play,
        }
    }

    /// Returns the number of ends, each with depths of its own.
    pub(crate) fn ends(&self) -> usize {
        self.rows.len() / self.sectors
    }

    /// Returns h and h' of an end at an angle, with these wear depths of all bearings.
    pub(crate) fn at(&self, worn: &[f64], end: usize, theta: f64) -> (f64, f64) {
        let own = &worn[self.rows.clone()][end * self.sectors..(end + 1) * self.sectors];
        Splines::at(theta, self.sectors).depth_and_slope(own)
    }

    /// How much faster a gap can change than the journal moves: |∇δ| ≤ 1 + |h'|/e, and where e is less than half the play nothing touches. A spline is no
    /// steeper than the steps between its coefficients.
    pub(crate) fn rate_factor(&self, worn: &[f64]) -> f64 {
        let per = self.sectors as f64 / std::f64::consts::TAU;
        let of_end = |c: &[f64]| {
            let last = c.last().copied().unwrap_or_default();
            let steps = c.windows(2).map(|w| (w[1] - w[0]).abs());
            steps.fold((c.first().copied().unwrap_or_default() - last).abs(), f64::max)
        };
        let steepest = worn[self.rows.clone()].chunks(self.sectors).map(of_end).fold(0.0, f64::max) * per;
        1.0 + 2.0 * steepest / self.play
    }
}

/// The angle of a point about the axis of the frame `x`.
pub(crate) fn angle<S: Scalar>(x: &Pose<S>, p: &Vec3<S>) -> S {
    let local = x.point_to_local(p);
    local.y.atan2(local.x)
}
