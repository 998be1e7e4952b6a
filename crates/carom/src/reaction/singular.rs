//! Singular positions: positions where some equations of the joints repeat others for an instant, and where the motion
//! could branch. Only mechanisms with loops have any.
//!
//! The motion passes through them smoothly, but the closer they are the less accurately reactions can be computed: the
//! error of accelerations is rounding error over s², with s the distance (the square root of the new part of a row;
//! `joint/blocks.rs`). So a single step, the leap, is taken over a singular position. Below s = `NEAR` rates are those
//! of the state that satisfies the joints, f(P(y)), with P the projection: on the trajectory, which satisfies the
//! joints, they are the same, but the errors of a step's stages do no harm. Below s = `FROM` the instant of the
//! singular position is predicted, since s falls steadily, and the next step has it in its middle.

use carom_ode::StepAcross;

/// s below which a singular position is near.
const NEAR: f64 = 0.5;
/// s at which a leap starts, approximately.
const FROM: f64 = 0.1;
/// s below which no ordinary step may end, if this can be avoided.
pub(crate) const TOO_NEAR: f64 = 0.7 * FROM;
/// The largest error of a leap, as a multiple of the tolerance.
const AT_MOST: f64 = 1e3;
/// s at which a second leap starts, and by which factor its error may be larger.
const NEARER: f64 = 0.3 * FROM;
const GENERAL: f64 = 1e3;
/// The rounding error of s where equations are redundant: a smaller s does not announce a singular position.
const ROUNDING: f64 = 1e-7;
/// The rounding error of a leap, times s²: measured on chains of four-bar linkages.
const NOISE: f64 = 1e5 * f64::EPSILON;

/// The distance s of the mechanism from a singular position at the ends of the last two steps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nearness {
    t: [f64; 2],
    s: [f64; 2],
    /// whether the present step is a leap
    leaps: bool,
    /// whether a leap was rejected since the position came near: the mechanism may only come close to a singular
    /// position, and pass it
    refused: bool,
}

carom_base::plain!(Nearness { t, s, leaps, refused });

impl Nearness {
    /// The value before any step.
    pub(crate) const UNKNOWN: Nearness =
        Nearness { t: [f64::NAN; 2], s: [1.0; 2], leaps: false, refused: false };

    /// Records that a step has ended at t, at a distance s.
    pub(crate) fn note(&mut self, t: f64, s: f64) {
        // a step of zero length, to an event where the last step ended, gives no rate of s
        if t == self.t[1] {
            (self.s[1], self.leaps) = (s, false);
            return;
        }
        // in a leap from one side of the position to the other s has fallen and risen, which gives no rate either
        let before = if self.leaps { f64::NAN } else { self.t[1] };
        *self = Nearness {
            t: [before, t],
            s: [self.s[1], s],
            leaps: false,
            refused: self.refused && s < 2.0 * FROM,
        };
    }

    /// Returns the rate at which s falls, if it does [1/s].
    fn fall(&self) -> Option<f64> {
        let rate = (self.s[0] - self.s[1]) / (self.t[1] - self.t[0]);
        (rate > 0.0).then_some(rate)
    }

    /// Returns the leap over the singular position ahead, if it is time for it. `size`: the extent of the mechanism, as
    /// a multiple of the length scale of the model.
    ///
    /// There may have been no singular position where a leap was rejected, as a mechanism may only come close to one:
    /// ordinary steps then continue. Where these come as close as `NEARER` there is one, and the error of a leap may be
    /// larger: most of it is along the motion that becomes free there, and is removed with the drift.
    pub(crate) fn leap(&mut self, size: f64) -> Option<StepAcross> {
        let s = self.s[1];
        let more = match () {
            () if s < ROUNDING => return None,
            () if s < NEARER => GENERAL,
            () if s < FROM && !self.refused => 1.0,
            () => return None,
        };
        let fall = self.fall()?;
        self.leaps = true;
        Some(StepAcross { h: 2.0 * s / fall, at_most: more * AT_MOST, noise: more * NOISE * size / (s * s) })
    }

    /// Records that a step was rejected: if it was a leap, ordinary steps follow.
    pub(crate) fn refused(&mut self) {
        self.refused |= self.leaps;
        self.leaps = false;
    }

    /// Whether rates are to be evaluated in the state that satisfies the joints, not in that of a stage: the errors of
    /// a stage would be multiplied by 1/s².
    pub(crate) fn is_near(&self) -> bool {
        self.s[1] < NEAR
    }

    /// Whether an ordinary step may end too close to a singular position.
    pub(crate) fn approaches(&self) -> bool {
        // below `FROM`, where a leap was possible and was rejected, steps are not limited
        !self.leaps && self.is_near() && self.s[1] > FROM && self.fall().is_some()
    }

    /// Returns the length of the step to where a leap starts.
    pub(crate) fn max_step(&self) -> f64 {
        // at a larger distance s may fall faster and faster
        let way = if self.s[1] > 2.0 * FROM { 0.7 * self.s[1] } else { self.s[1] - 0.95 * FROM };
        self.fall().filter(|_| way > 0.0).map_or(f64::INFINITY, |fall| way / fall)
    }
}

#[cfg(test)]
mod tests {
    use super::Nearness;

    /// Where equations have become redundant there is no position to leap over, and a leap would have zero length.
    #[test]
    fn leaps_have_a_length() {
        let mut nearness = Nearness::UNKNOWN;
        nearness.note(1.0, 0.9);
        nearness.note(2.0, 0.0);
        assert!(nearness.leap(1.0).is_none());
        nearness = Nearness::UNKNOWN;
        nearness.note(1.0, 0.11);
        nearness.note(2.0, 0.09);
        assert!(nearness.leap(1.0).is_some_and(|leap| leap.h > 8.9 && leap.h < 9.1));
    }

    /// An event where the last step ended makes a step of zero length: the rounding error of s there is no fall of s.
    #[test]
    fn steps_of_no_length_say_nothing() {
        let mut nearness = Nearness::UNKNOWN;
        nearness.note(1.0, 0.9);
        nearness.note(2.0, 0.8);
        let longest = nearness.max_step();
        nearness.note(2.0, 0.8 - 1e-16);
        assert!((nearness.max_step() - longest).abs() < 1e-12 && longest > 1.0, "{}", nearness.max_step());
    }
}
