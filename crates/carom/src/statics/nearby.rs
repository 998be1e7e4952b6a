//! An equilibrium near the start that the downhill search has moved away from.
//!
//! The search moves away from unstable equilibria. If it ends with a body turned over, the user may have meant an
//! equilibrium that is near the start but not stable. Newton's method with the stiffness as it is, not its modulus,
//! converges to unstable equilibria as to stable ones: it finds this one, starting where the unbalanced forces were
//! least near the start.

use carom_base::elementary::acos;
use nalgebra::DVector;

use super::coordinates::Coordinates;
use super::search::{BALANCED, BALANCED_TO_ROUNDING, Forces, Found, NEUTRAL, Search, TURN};
use crate::error::StaticsError;
use crate::layout::Rigid;

/// A body is turned over if its rotation from its given orientation exceeds this [rad]: a third of a turn.
pub(super) const OVER: f64 = std::f64::consts::FRAC_PI_3 * 2.0;
/// A configuration is near the start if no body has turned by more than this [rad].
pub(super) const NEAR: f64 = 0.35;
/// The largest number of Newton steps.
const STEPS: usize = 100;
/// The smallest fraction of a Newton step that is tried.
const LEAST: f64 = 1e-4;

impl Search<'_> {
    /// Returns the equilibrium near the start, stable or not, if Newton's method finds one from where the unbalanced
    /// forces were least.
    pub(super) fn nearby(&mut self) -> Result<Option<Found>, StaticsError> {
        let (y, mut left) = std::mem::take(&mut self.calmest);
        if y.is_empty() || self.put(&y).is_err() {
            return Ok(None);
        }
        self.y = y;
        for _ in 0..STEPS {
            let forces = self.forces()?;
            if left <= BALANCED || (left <= BALANCED_TO_ROUNDING && self.settled(&forces)) {
                return Ok(Some(self.found()));
            }
            let at = &forces.linear.at;
            let u = at.unscaled(&forces.stationary());
            let (way, turn) = at.way(self.m, &u);
            let mut share = (self.reach / way).min(TURN / turn).min(1.0);
            // the whole step, or the fraction of it that reduces the unbalanced forces
            let better = loop {
                let mut y = self.y.clone();
                at.advance(self.m, &mut y, &(&u * share));
                self.system.project(0.0, &mut y);
                if self.put(&y).is_ok() {
                    let now = self.worst(&Coordinates::new(self.m, &y)).1;
                    if now < left {
                        break Some((y, now));
                    }
                }
                share *= 0.5;
                if share < LEAST {
                    break None;
                }
            };
            let Some((y, now)) = better else { return Ok(None) };
            (self.y, left) = (y, now);
            if !(self.turned() < NEAR) {
                return Ok(None);
            }
        }
        Ok(None)
    }

    /// Returns the largest rotation of any rigid body from its orientation at the start [rad].
    pub(super) fn turned(&self) -> f64 {
        let layout = &self.m.world.layout;
        let (now, then) = (layout.rigid_bodies(&self.y), layout.rigid_bodies(&self.start));
        let turn = |(a, b): (Rigid<'_>, Rigid<'_>)| {
            let cos: f64 = a.quaternion().iter().zip(&b.quaternion()).map(|(x, y)| x * y).sum();
            2.0 * acos(cos.abs().min(1.0))
        };
        now.zip(then).map(turn).fold(0.0, f64::max)
    }
}

impl Forces {
    /// Returns Newton's step, along ũ: to where the forces are in balance to first order, whether that is downhill or not.
    fn stationary(&self) -> DVector<f64> {
        let stiffest = self.values.amax();
        let mut delta = DVector::zeros(self.f.len());
        for (q, &lambda) in self.vectors.column_iter().zip(&self.values) {
            if lambda.abs() > NEUTRAL * stiffest {
                delta.axpy(q.dot(&self.f) / lambda, &q, 1.0);
            }
        }
        delta
    }
}
