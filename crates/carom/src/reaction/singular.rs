//! Singular positions: where some equations of the joints repeat others for an instant, and other ways to go on begin. Only mechanisms with loops have any.
//!
//! The motion goes through them smoothly, but the nearer they are the worse can reactions be computed: accelerations are off by rounding over s², s the distance (the root of the part of a row that is
//! new; `blocks`). So a singular position is leapt over. From s = `NEAR` on
//! rates are those of the state that the joints would have, f(P(y)), P the projection: the same on the way, which goes where the joints hold, but what the stages of a step are off by does no harm.
//! From s = `FROM` on its instant is foreseen, since s falls steadily, and the step that follows has it in the middle.

use carom_ode::Leap;

/// A singular position is near: s there.
const NEAR: f64 = 0.5;
/// Where a leap starts, about: s there.
const FROM: f64 = 0.1;
/// No ordinary step ends nearer, if it can be helped.
pub(crate) const TOO_NEAR: f64 = 0.7 * FROM;
/// A leap may be off by so many times the tolerance.
const AT_MOST: f64 = 1e3;
/// Where a second leap starts, and how many times more it may be off.
const NEARER: f64 = 0.3 * FROM;
const GENERAL: f64 = 1e3;
/// What rounding makes of s where equations repeat others: such a position is not ahead.
const ROUNDING: f64 = 1e-7;
/// What rounding makes of a leap, times s²: measured on chains of four-bars.
const NOISE: f64 = 1e5 * f64::EPSILON;

/// How far the mechanism was from a singular position at the ends of the last two steps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nearness {
    t: [f64; 2],
    s: [f64; 2],
    /// whether the step under way is a leap
    leaps: bool,
    /// whether one was refused since the position came near: it may be none, but come near one and go on
    refused: bool,
}

carom_base::plain!(Nearness { t, s, leaps, refused });

impl Nearness {
    /// Nothing known yet.
    pub(crate) const UNKNOWN: Nearness =
        Nearness { t: [f64::NAN; 2], s: [1.0; 2], leaps: false, refused: false };

    /// A step has ended at t, at a distance s.
    pub(crate) fn note(&mut self, t: f64, s: f64) {
        // a step of no length, to an event where the last one ended, says nothing of how fast s falls
        if t == self.t[1] {
            (self.s[1], self.leaps) = (s, false);
            return;
        }
        // from one side of the position to the other s has fallen and risen
        let before = if self.leaps { f64::NAN } else { self.t[1] };
        *self = Nearness {
            t: [before, t],
            s: [self.s[1], s],
            leaps: false,
            refused: self.refused && s < 2.0 * FROM,
        };
    }

    /// How fast s falls, if it does [1/s].
    fn fall(&self) -> Option<f64> {
        let rate = (self.s[0] - self.s[1]) / (self.t[1] - self.t[0]);
        (rate > 0.0).then_some(rate)
    }

    /// The step over the position ahead, if it is time. `size`: how large the mechanism is, in units of what is small in it.
    ///
    /// A leap that was refused may have been over nothing, where a mechanism only comes near such a position: ordinary steps then go on. Where those come as near as `NEARER`, there is one,
    /// and a leap may be off by more: most of it is along the way that opens there, and goes with the drift.
    pub(crate) fn leap(&mut self, size: f64) -> Option<Leap> {
        let s = self.s[1];
        let more = match () {
            () if s < ROUNDING => return None,
            () if s < NEARER => GENERAL,
            () if s < FROM && !self.refused => 1.0,
            () => return None,
        };
        let fall = self.fall()?;
        self.leaps = true;
        Some(Leap { h: 2.0 * s / fall, at_most: more * AT_MOST, noise: more * NOISE * size / (s * s) })
    }

    /// A step was refused: if it was a leap, ordinary ones must do.
    pub(crate) fn refused(&mut self) {
        self.refused |= self.leaps;
        self.leaps = false;
    }

    /// Whether rates are to be taken where the joints hold, not where a stage has got to: what a stage is off by, they would make 1/s² of.
    pub(crate) fn is_near(&self) -> bool {
        self.s[1] < NEAR
    }

    /// Whether an ordinary step may end too near to a singular position.
    pub(crate) fn approaches(&self) -> bool {
        // from where it could have leapt, and was refused, it goes as it can
        !self.leaps && self.is_near() && self.s[1] > FROM && self.fall().is_some()
    }

    /// The step to where a leap starts.
    pub(crate) fn max_step(&self) -> f64 {
        // further off s may fall faster and faster
        let way = if self.s[1] > 2.0 * FROM { 0.7 * self.s[1] } else { self.s[1] - 0.95 * FROM };
        self.fall().filter(|_| way > 0.0).map_or(f64::INFINITY, |fall| way / fall)
    }
}

#[cfg(test)]
mod tests {
    use super::Nearness;

    /// Where equations have come to repeat others there is nothing to leap over, and a leap would have no length.
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

    /// An event where the last step ended is a step of no length: rounding of s there is no fall.
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
