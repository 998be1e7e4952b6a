//! Finds the first zero of one function of time within a step, with certainty, from bounds on its rate and curvature.

use super::event::Side;
use super::search::{Outcome, Start, Within, Zero};
use crate::events::{Bounds, Found, Sample, first_crossing};
use carom_portable::elementary::powi;

/// The largest number of crossings in the direction that does not count, in one step, before the rest of the step is
/// left for another.
const MOST: usize = 64;

/// A search in the time since the step's start, which runs forward in either direction of integration.
struct Certified<'w, 'f> {
    within: &'w mut Within<'f>,
    bounds: Bounds,
    /// the step's length
    h: f64,
    /// time difference of the difference quotients
    delta: f64,
}

impl Within<'_> {
    /// Finds the first zero that counts, given |g'| ≤ rate and |g''| ≤ curvature.
    pub(super) fn certify(
        &mut self,
        (rate, curvature): (f64, f64),
        start: Start,
        counts: &dyn Fn(Side) -> bool,
    ) -> Outcome {
        let (t0, h) = (self.t0, (self.t1 - self.t0).abs());
        // rates are difference quotients: a tenth is added to cover their error of ½ curvature δ
        let bounds = Bounds { rate, curvature: 1.1 * curvature };
        let mut search = Certified { within: self, bounds, h, delta: 1e-7 * h };
        let mut side = start.side;
        let mut from = search.sample(side, 0.0);
        if from.g <= 0.0 && !start.leaving && counts(side) {
            return Outcome::At(Zero { t: t0, from: side, jump: false });
        }
        if from.g <= 0.0 {
            match search.leave(side) {
                Some(sample) => from = sample,
                None if search.within.too_near(search.within.t0, search.within.t1) => {
                    return Outcome::Nothing;
                }
                None if start.sure && counts(side) => return Outcome::BackAtOnce,
                // g was never on that side
                None => {
                    side = side.other();
                    from = search.sample(side, 0.0);
                }
            }
        }
        for _ in 0..MOST {
            let tau = match search.next(side, from) {
                Found::At(tau) => tau,
                Found::Nothing => return Outcome::Nothing,
                Found::ClearUntil(tau) => return Outcome::ClearUntil(search.time(tau)),
            };
            if counts(side) {
                return Outcome::At(Zero { t: search.time(tau), from: side, jump: false });
            }
            side = side.other();
            from = search.sample(side, tau);
            if tau >= h {
                return Outcome::Nothing;
            }
        }
        Outcome::ClearUntil(search.time(from.t))
    }
}

impl Certified<'_, '_> {
    fn time(&self, tau: f64) -> f64 {
        let (t0, t1) = (self.within.t0, self.within.t1);
        if tau == self.h { t1 } else { t0 + (t1 - t0).signum() * tau }
    }

    /// Returns g, with the sign that makes it positive on this side, and its rate.
    fn sample(&mut self, side: Side, tau: f64) -> Sample {
        let other = if tau + self.delta <= self.h { tau + self.delta } else { tau - self.delta };
        let (here, there) = (self.time(tau), self.time(other));
        let (here, there) = ((self.within.g)(here), (self.within.g)(there));
        Sample { t: tau, g: side.sign() * here, rate: side.sign() * (there - here) / (other - tau) }
    }

    /// Finds the next zero when coming from this side.
    fn next(&mut self, side: Side, from: Sample) -> Found {
        let to = self.sample(side, self.h);
        let (bounds, grain) = (self.bounds, self.within.grain());
        match first_crossing(&mut |tau| self.sample(side, tau), from, to, &bounds, grain) {
            Found::Nothing if to.g == 0.0 => Found::At(self.h),
            found => found,
        }
    }

    /// Returns a sample on the side for which g, zero to rounding at the start, leaves, taken before g comes back.
    fn leave(&mut self, side: Side) -> Option<Sample> {
        let grain = self.within.grain();
        let start = Sample { g: 0.0, ..self.sample(side, 0.0) };
        let mut w = self.h;
        while w > grain {
            let away = self.sample(side, w);
            w *= 0.5;
            if away.g <= 0.0 {
                continue;
            }
            // g may have come back before this time; a zero next to the start is only rounding
            let bounds = self.bounds;
            return match first_crossing(&mut |tau| self.sample(side, tau), start, away, &bounds, grain) {
                Found::At(tau) if tau > 1e-6 * away.t => Some(self.before(side, tau)),
                _ => Some(away),
            };
        }
        None
    }

    /// Returns a sample before a zero at which g is still on this side.
    fn before(&mut self, side: Side, tau: f64) -> Sample {
        let mut s = self.sample(side, 0.5 * tau);
        for k in 2..40 {
            if s.g > 0.0 {
                break;
            }
            s = self.sample(side, tau * (1.0 - powi(0.5f64, k)));
        }
        s
    }
}
