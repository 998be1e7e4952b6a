//! The angles of joints, with full turns counted from one accepted state to the next.

use std::f64::consts::PI;

use super::Multipliers;
use crate::joint::{A, B, Moving, unwrapped};
use crate::model::Model;
use crate::state::Kinematics;

/// An angle in the last accepted state, with full turns counted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct CountedAngle {
    /// time [s]
    t: f64,
    /// angle [rad]
    value: f64,
    /// its rate [rad/s]
    rate: f64,
}

carom_base::plain!(CountedAngle { t, value, rate });

impl CountedAngle {
    /// Returns the angle at a later time with full turns counted, where the angle without them and its rate are known.
    ///
    /// The turns are those that bring it closest to the value that follows from the mean of both rates. That is right for
    /// any number of turns in a step if the rate is monotonic and its change times the step is below a full turn. Where it
    /// changes more, as near a position where the angle is undefined, the turns bring it closest to the earlier value.
    pub(crate) fn at(&self, t: f64, angle: f64, rate: f64) -> CountedAngle {
        let h = t - self.t;
        let foreseen = match (h * (rate - self.rate)).abs() < 2.0 * PI {
            true => self.value + 0.5 * h * (self.rate + rate),
            false => self.value,
        };
        CountedAngle { t, value: unwrapped(angle, foreseen), rate }
    }

    /// Returns the angle [rad].
    pub(crate) fn value(&self) -> f64 {
        self.value
    }
}

impl Multipliers {
    /// Counts the full turns of the angles that joints leave free, in an accepted state; `k`: the kinematics of a body.
    pub(crate) fn count_angles<'k>(&mut self, m: &Model, t: f64, k: impl Fn(usize) -> &'k Kinematics) {
        let all = m.constraints.coordinates();
        for (counted, (_, constraint, (coordinate, measure))) in self.angles.iter_mut().zip(all) {
            if coordinate.counts_turns() {
                let [a, b] = [A, B].map(|end| constraint.bodies[end]);
                let [a, b] = [a, b].map(|body| Moving::new(&m.world.bodies[body], k(body), t));
                let row = measure.at([&a, &b]);
                *counted = counted.at(t, row.value, row.rate);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::joint::wrap;

    #[test]
    fn turns_are_counted_over_steps_of_many_turns() {
        // θ = 40 t + t²: up to four turns a step
        let mut counted = CountedAngle { t: 0.0, value: 0.0, rate: 40.0 };
        for i in 1..20 {
            let t = 0.6 * f64::from(i);
            let (angle, rate) = (40.0 * t + t * t, 40.0 + 2.0 * t);
            counted = counted.at(t, wrap(angle), rate);
            assert!((counted.value - angle).abs() < 1e-12, "{} {angle}", counted.value);
        }
    }

    #[test]
    fn an_unbounded_rate_adds_no_turns() {
        let counted = CountedAngle { t: 0.0, value: 7.0, rate: 1.0 };
        assert!((counted.at(0.1, wrap(7.5), 1e6).value - 7.5).abs() < 1e-14);
        assert!((counted.at(0.1, wrap(7.5), f64::NAN).value - 7.5).abs() < 1e-14);
    }
}
