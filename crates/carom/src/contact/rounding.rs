//! How well the indentations of a run are known: positions are rounded, and indentations are small differences of them.
//!
//! A body at x has its position to ε|x|, ε = 2.2e-16. Where it touches with an indentation δ, forces are noise below the part ε|x|/δ of them, and so is the
//! energy E that the contact stores. No tolerance below E ε|x|/δ, as a part of the energies of the run, makes it more exact: steps follow the noise.

use carom_base::elementary::pow;
use carom_law::{Indentation, Normal, Touch};

use super::contact_point::Status;
use super::monitor::ContactMonitor;
use crate::contact::Active;
use crate::model::Model;
use crate::rule::TOUCHING;

/// A tolerance is too small where it is this part of what rounding leaves: down to there steps are no shorter for it.
pub(crate) const BELOW_ROUNDING: f64 = 0.1;

/// What rounding does to the contact it matters most to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rounding {
    /// how much of what it stores is noise [J]
    pub(crate) energy: f64,
    /// which pair
    pub(crate) pair: usize,
}

carom_base::plain!(Rounding { energy, pair });

impl ContactMonitor {
    /// Notes a point that has been as deep as it gets, the bodies being where the bounds end.
    pub(super) fn note_rounding(&mut self, m: &Model, at: Active) {
        let s = &self.pairs[at.pair];
        let f = &s.state.points[at.point];
        if f.max_indentation <= 0.0 {
            return;
        }
        let far = [s.body_a, s.body_b].map(|body| self.bounds[body].end.x.p.amax());
        let part = f64::EPSILON * far[0].max(far[1]) / f.max_indentation;
        let stored = f.share * m.rules[s.rule].normal.energy(f.max_indentation, &f.touch);
        let energy = part.min(1.0) * stored;
        if energy > self.rounding.energy {
            self.rounding = Rounding { energy, pair: at.pair };
        }
    }

    /// How much of the deflections of bristles is noise [m] where places are `far` [m] from the origin, or times as far from the start: what slip makes of them in the shortest steps there are,
    /// and, as they follow the load, what the noise of that makes of them.
    pub(crate) fn noise_of_deflections(&self, m: &Model, far: f64) -> f64 {
        let grain = f64::EPSILON * far;
        let by_loads = self.active.iter().filter_map(|at| {
            let s = &self.pairs[at.pair];
            let (rule, f) = (&m.rules[s.rule], &s.state.points[at.point]);
            f.memory?;
            let n = rule.normal.exponent_in(&f.touch);
            let force = f.touch.force(n);
            let depth = pow(force / f.touch.stiffness, 1.0 / n);
            let noise = f.share * n * force / depth * grain;
            let by_load = if noise.is_finite() { rule.friction.as_ref()?.deflection(noise) } else { 0.0 };
            Some(by_load.max(SHORTEST * grain))
        });
        // (bristles of joints engage once, at the start, and have no touch to follow)
        by_loads.fold(0.0, f64::max)
    }

    /// The same of all points that still touch.
    pub(crate) fn note_rounding_of_all(&mut self, m: &Model) {
        for i in 0..self.active.len() {
            let at = self.active[i];
            if self.pairs[at.pair].state.points[at.point].status != Status::Off {
                self.note_rounding(m, at);
            }
        }
    }
}

/// The shortest steps, in roundings of time.
const SHORTEST: f64 = 32.0;
/// Indentations that steps can follow, in roundings of positions.
const FOLLOWED: f64 = 8192.0;

/// The least force whose rise steps can follow [N], where places are `far` [m] from the origin: bristles that engaged under less would jump, to an integrator. (A force that is
/// there as soon as surfaces touch does not rise.)
pub(super) fn least_felt(law: &dyn Normal, touch: &Touch, far: f64) -> f64 {
    let force = |delta: f64| law.force(Indentation { delta, delta_dot: touch.v0 }, touch).f_n;
    force(FOLLOWED * f64::EPSILON * far) - force(TOUCHING)
}
