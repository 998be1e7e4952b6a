//! What is remembered of a contact point.

use carom_base::{Dual, Scalar};
use carom_law::Touch;

use crate::rule::TOUCHING;

/// What a contact point is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// apart: no force, even where a trial stage of a step penetrates, so that flight stays smooth
    Off,
    /// touching: watched for release
    On,
    /// neither, to rounding: force where it penetrates, no events until it is clear of that
    Free,
}

carom_base::plain!(
    enum Status {
        Off,
        On,
        Free,
    }
);

impl Status {
    /// The sign that a gap has as long as it is so; 0: either.
    pub(super) fn side(self) -> f64 {
        match self {
            Status::Off => 1.0,
            Status::On => -1.0,
            Status::Free => 0.0,
        }
    }
}

/// An indentation as a variable of a law's derivatives; at [`TOUCHING`] the law is shown, and no change of it.
pub(crate) fn varied<const N: usize>(delta: f64) -> Dual<N> {
    if delta > TOUCHING { Dual::variable(delta, 0) } else { Dual::from_f64(delta) }
}

/// What is known of a contact point of a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ContactPoint {
    pub(crate) status: Status,
    /// whether a touch was recorded whose release was not yet
    pub(crate) touching: bool,
    /// latched at touch
    pub(crate) touch: Touch,
    /// laws are shown no smaller indentation than this [m]: [`TOUCHING`] in a located point that is on, −∞ elsewhere
    pub(crate) least: f64,
    /// the indentation below which the law holds [m], latched too
    pub(crate) reach: f64,
    /// the normal force from which on friction that remembers is full [N], latched too
    pub(crate) load: f64,
    /// radii of relative curvature for the patches of resistance to rolling and to spinning [m], latched too
    pub(crate) radii: [f64; 2],
    /// where in the state that friction remembers this point, as long as it is on or free
    pub(crate) memory: Option<usize>,
    /// whether an impact speed has ever been latched
    pub(crate) latched: bool,
    /// whether this contact began below the least impact speed, and its law divides by it
    pub(crate) slow: bool,
    /// the fastest it moved in such contacts while that was faster than what its law counts with [m/s], and over that
    pub(crate) hasty: (f64, f64),
    /// gap at the end of the last accepted step [m], its rate, and when that was [s]
    pub(crate) gap: f64,
    pub(crate) gap_rate: f64,
    pub(crate) gap_t: f64,
    /// the accepted step they belong to
    pub(crate) gap_of: u64,
    /// the same at the end of the step being looked at
    pub(crate) gap_end: f64,
    pub(crate) gap_rate_end: f64,
    /// the look at a step they belong to
    pub(crate) end_of: u64,
    /// the list of near features it was in last
    pub(super) near_in: u64,
    /// how much of a contact it is, as it touched
    pub(crate) share: f64,
    /// the rate of the force there, to notice a peak between two steps
    pub(crate) f_n_rate: f64,
    /// largest since touch
    pub(crate) peak_force: f64,
    pub(crate) max_indentation: f64,
    /// when its indentation began to rise again since touch [s]: from there on it follows
    pub(crate) follows_from: Option<f64>,
    /// when its last event was [s], and how many in a row came within an instant of the one before
    pub(crate) event_t: f64,
    pub(crate) events: usize,
    /// until when it stays free [s], having had too many of those
    pub(crate) free_until: f64,
}

carom_base::plain!(ContactPoint {
    status,
    touching,
    touch,
    least,
    reach,
    load,
    radii,
    memory,
    latched,
    slow,
    hasty,
    gap,
    gap_rate,
    gap_t,
    gap_of,
    gap_end,
    gap_rate_end,
    end_of,
    near_in,
    share,
    f_n_rate,
    peak_force,
    max_indentation,
    follows_from,
    event_t,
    events,
    free_until,
});

impl ContactPoint {
    /// A point that has not touched yet; `v0` [m/s] is the impact speed it has until one is latched.
    pub(super) fn apart(v0: f64) -> ContactPoint {
        ContactPoint {
            status: Status::Off,
            touching: false,
            touch: Touch::point(0.0, v0, 1.0),
            least: f64::NEG_INFINITY,
            reach: f64::INFINITY,
            load: 0.0,
            radii: [0.0; 2],
            memory: None,
            latched: false,
            slow: false,
            hasty: (0.0, 0.0),
            gap: f64::INFINITY,
            gap_rate: 0.0,
            gap_t: 0.0,
            gap_of: 0,
            gap_end: f64::INFINITY,
            gap_rate_end: 0.0,
            end_of: 0,
            near_in: 0,
            share: 1.0,
            f_n_rate: 0.0,
            peak_force: 0.0,
            max_indentation: 0.0,
            follows_from: None,
            event_t: f64::NEG_INFINITY,
            events: 0,
            free_until: f64::NEG_INFINITY,
        }
    }

    /// The gap at the end of the accepted step of that number, at time t. An indentation that falls at its start and rises at its end is least
    /// within: there the contact begins to follow.
    pub(super) fn reaches(&mut self, t: f64, gap: f64, gap_rate: f64, accepted: u64) {
        let turns = self.gap_rate > 0.0 && gap_rate < 0.0 && t > self.gap_t;
        if turns && self.status == Status::On && self.follows_from.is_none() {
            let h = t - self.gap_t;
            let part = turn(self.gap_rate, gap_rate, (gap - self.gap) / h);
            self.follows_from = Some(self.gap_t + part * h);
        }
        (self.gap, self.gap_rate, self.gap_t, self.gap_of) = (gap, gap_rate, t, accepted);
        if self.slow && self.status != Status::Off && gap < 0.0 && gap_rate.abs() > self.hasty.0 {
            self.hasty = (gap_rate.abs(), gap_rate.abs() / self.touch.v0);
        }
    }
}

/// Where in a step, 0 to 1, the rate of a gap passes zero, of the cubic with these rates r0 > 0 > r1 at its ends and this mean m:
/// r0 − (4 r0 + 2 r1 − 6 m) s + (3 r0 + 3 r1 − 6 m) s² = 0.
fn turn(r0: f64, r1: f64, m: f64) -> f64 {
    let (b, c) = (4.0 * r0 + 2.0 * r1 - 6.0 * m, 3.0 * (r0 + r1) - 6.0 * m);
    // the root between: the sum of two terms of one sign is divided by, or divides
    let root = (b * b - 4.0 * c * r0).max(0.0).sqrt();
    let s = if b > 0.0 { 2.0 * r0 / (b + root) } else { (b - root) / (2.0 * c) };
    if (0.0..=1.0).contains(&s) { s } else { r0 / (r0 - r1) }
}

/// A contact point that can carry a force: the indices of its pair and of the point in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Active {
    pub(crate) pair: usize,
    pub(crate) point: usize,
}

carom_base::plain!(Active { pair, point });

#[cfg(test)]
mod tests {
    use super::turn;

    /// Rates s ↦ (s − z)(a s − k), whose means are known.
    #[test]
    fn a_parabola_of_rates_turns_where_it_does() {
        for z in [0.1, 0.37, 0.5, 0.93] {
            for (a, k) in [(0.0, 2.0), (0.7, 1.1), (-3.0, 0.4), (1.0, 1.3)] {
                let rate = |s: f64| (s - z) * (a * s - k);
                let mean = a / 3.0 - 0.5 * (k + a * z) + z * k;
                let found = turn(rate(0.0), rate(1.0), mean);
                assert!((found - z).abs() < 1e-14, "{z} {a} {k}: {found}");
            }
        }
    }
}
