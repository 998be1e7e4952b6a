//! The accuracy of indentations: positions are rounded, and indentations are small differences of positions.
//!
//! The position of a body at x is known to ε|x|, ε = 2.2e-16. If the body touches with an indentation δ, contact forces carry
//! a relative error ε|x|/δ, and so does the energy E that the contact stores. A tolerance below E ε|x|/δ, relative to the
//! energies of the run, does not make the run more accurate: steps then follow the rounding noise.

use carom_base::elementary::pow;
use carom_law::{Indentation, Normal, Touch};

use super::contact_point::Status;
use super::monitor::ContactMonitor;
use crate::contact::Active;
use crate::model::Model;
use crate::rule::TOUCHING;

/// A tolerance is too small if it is below this part of the rounding error: down to there it does not make steps shorter.
pub(crate) const BELOW_ROUNDING: f64 = 0.1;

/// The rounding error of the contact that it affects most.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rounding {
    /// part of the stored energy that is rounding noise [J]
    pub(crate) energy: f64,
    /// index of the contact pair
    pub(crate) pair: usize,
}

carom_base::plain!(Rounding { energy, pair });

impl ContactMonitor {
    /// Records the rounding error of a contact point that has been at its largest indentation, with the bodies at the end of
    /// the step being examined.
    pub(super) fn note_rounding(&mut self, m: &Model, at: Active) {
        let s = &self.pairs[at.pair];
        let f = &s.state.points[at.point];
        if f.peaks.indentation <= 0.0 {
            return;
        }
        let far = [s.body_a, s.body_b].map(|body| self.bounds[body].end.x.p.amax());
        let part = f64::EPSILON * far[0].max(far[1]) / f.peaks.indentation;
        let of_law = m.rules[s.rule].normal.energy(f.peaks.indentation, &f.touch);
        let stored = f.latched.share * of_law * f.latched.area;
        let energy = part.min(1.0) * stored;
        if energy > self.rounding.energy {
            self.rounding = Rounding { energy, pair: at.pair };
        }
    }

    /// Returns the part of the bristle deflections that is rounding noise [m], if positions are `far` [m] from the origin, or
    /// times correspondingly far from the start: the change of deflection by slip in the shortest possible steps and, as
    /// deflections follow the normal load, the change by the noise of that load.
    pub(crate) fn noise_of_deflections(&self, m: &Model, far: f64) -> f64 {
        let zero_gap = f64::EPSILON * far;
        let by_loads = self.active.iter().filter_map(|at| {
            let s = &self.pairs[at.pair];
            let (rule, f) = (&m.rules[s.rule], &s.state.points[at.point]);
            f.memory?;
            let n = rule.normal.exponent_in(&f.touch);
            let force = f.touch.force(n);
            let depth = pow(force / f.touch.stiffness, 1.0 / n);
            let noise = f.latched.share * n * force / depth * zero_gap;
            // (angles are not differences of positions)
            let friction = rule.friction.as_ref().filter(|_| rule.remembers)?;
            let by_load = match friction.deflection_in(&f.latched.grips[0]) {
                _ if !noise.is_finite() => 0.0,
                0.0 => friction.deflection(noise),
                usual => usual * noise / (f.latched.share * force),
            };
            Some(by_load.max(SHORTEST * zero_gap))
        });
        // (joint bristles engage once, at the start, and follow no touch)
        by_loads.fold(0.0, f64::max)
    }

    /// Records the rounding error of all contact points that still touch.
    pub(crate) fn note_rounding_of_all(&mut self, m: &Model) {
        for i in 0..self.active.len() {
            let at = self.active[i];
            if self.pairs[at.pair].state.points[at.point].status != Status::Off {
                self.note_rounding(m, at);
            }
        }
    }
}

/// The shortest steps, in units of the rounding error of time.
const SHORTEST: f64 = 32.0;
/// Indentations that steps can follow, in units of the rounding error of positions.
const FOLLOWED: f64 = 8192.0;

/// Returns the smallest force whose rise steps can follow [N], where positions are `far` [m] from the origin: bristles that
/// engaged under a smaller force would appear to an integrator as a jump. (A force that is present as soon as surfaces touch
/// does not rise, and is subtracted.)
pub(super) fn least_felt(law: &dyn Normal, touch: &Touch, far: f64) -> f64 {
    let force = |delta: f64| law.force(Indentation { delta, delta_dot: touch.v0 }, touch).f_n;
    force(FOLLOWED * f64::EPSILON * far) - force(TOUCHING)
}
