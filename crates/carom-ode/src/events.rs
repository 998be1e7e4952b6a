//! Finds the first zero of a function within a step, or proves that there is none.
//!
//! A function of time whose rate and curvature are bounded cannot have a zero in an interval if its values at both ends
//! are large enough. Intervals for which this does not hold are halved, the earlier half first. So a function that goes
//! below zero and comes back between two steps is found as reliably as one that stays below zero.

/// Bounds on a function g within a step.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// |g'| ≤ rate
    pub rate: f64,
    /// g'' ≥ −curvature; infinite where nothing is known
    pub curvature: f64,
}

/// A value of g and of its rate at a time.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// time
    pub t: f64,
    /// g
    pub g: f64,
    /// g'
    pub rate: f64,
}

impl Bounds {
    /// Returns whether g ≥ 0 is certain everywhere between two samples.
    ///
    /// ```
    /// use carom_ode::events::{Bounds, Sample};
    /// let thrown_up = Sample { t: 0.0, g: 0.0, rate: 1.0 };
    /// let later = Sample { t: 0.1, g: 0.05095, rate: 0.019 };
    /// assert!(Bounds { rate: 1.0, curvature: 9.81 }.keep_clear(&thrown_up, &later));
    /// assert!(!Bounds { rate: 1.0, curvature: 50.0 }.keep_clear(&thrown_up, &later));
    /// ```
    pub fn keep_clear(&self, a: &Sample, b: &Sample) -> bool {
        let w = b.t - a.t;
        if b.g < 0.0 || a.g < 0.0 {
            return false;
        }
        // g cannot reach zero and come back in the time available
        if self.rate * w <= a.g + b.g {
            return true;
        }
        // the parabolas below g, drawn from either end, are concave: each is positive up to its zero, and g is where one of
        // them is
        let positive = |g: f64, rate: f64| {
            let root = (rate * rate + 2.0 * self.curvature * g).sqrt();
            // the time t > 0 at which g + rate t = ½ K t²
            match () {
                () if rate > 0.0 => (rate + root) / self.curvature,
                () if root > rate => 2.0 * g / (root - rate),
                () if self.curvature == 0.0 => f64::INFINITY,
                () => 0.0,
            }
        };
        self.curvature.is_finite() && positive(a.g, a.rate) + positive(b.g, -b.rate) >= w
    }
}

impl Bounds {
    /// Returns a bound on how far g may go below zero between two samples.
    fn dip(&self, a: &Sample, b: &Sample) -> f64 {
        let w = b.t - a.t;
        let by_rate = 0.5 * (self.rate * w - a.g - b.g);
        if !self.curvature.is_finite() {
            return by_rate;
        }
        // the parabolas below g from both ends differ by a linear function of time: g is above the one up to its zero, above
        // the other from there on
        let sag = 0.5 * self.curvature * w * w;
        let (start, end) = (a.g - (b.g - b.rate * w - sag), a.g + a.rate * w - sag - b.g);
        let x = if start > end { (start / (start - end)).clamp(0.0, 1.0) } else { 0.5 };
        by_rate.min(-(a.g + a.rate * w * x - sag * x * x))
    }
}

/// The largest number of intervals that a search halves.
const BUDGET: usize = 1 << 16;
/// The number of intervals halved, where no bound on g'' is known, before an estimate by the cubic of g is accepted.
const PATIENCE: usize = 1 << 12;
/// The number of intervals halved, where one is known, before dips that are certain to be shallow are passed over: values that
/// stay about zero could not be distinguished from zero in any number of intervals.
const SEARCHED: usize = 64;

/// Intervals in which g may dip below zero by less than this many times `shallow` are halved until the bound proves
/// that the dip is shallow.
const DIP_RATIO: f64 = 1e4;

/// Estimates from samples at both ends and in the middle whether g is positive in between. It is taken to be if the
/// cubic through both ends, minus eight times its error in the middle, is positive. If E is the error in the middle, a
/// polynomial of degree 4 differs from the cubic by 16 E x² (1 − x)²; and a polynomial written in Bernstein form is
/// positive where all its coefficients are.
fn looks_clear(a: &Sample, m: &Sample, b: &Sample) -> bool {
    let w = b.t - a.t;
    let middle = 0.5 * (a.g + b.g) + 0.125 * w * (a.rate - b.rate);
    let slope = 1.5 * (b.g - a.g) - 0.25 * w * (a.rate + b.rate);
    let off = (m.g - middle).abs() + 0.25 * (w * m.rate - slope).abs();
    let (from_a, from_b) = (a.g + w * a.rate / 3.0, b.g - w * b.rate / 3.0);
    // Bernstein coefficients of degree 4: the first and the last are the values at the ends
    let (first, last) = (a.g + 3.0 * from_a, b.g + 3.0 * from_b);
    a.g >= 0.0 && b.g >= 0.0 && first >= 0.0 && last >= 0.0 && 0.5 * (from_a + from_b) >= 128.0 / 6.0 * off
}

/// The result of a search for the first event of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Found {
    /// there is no event
    Nothing,
    /// the first event is at this time
    At(f64),
    /// there is no event up to this time; searching the rest of the step closely enough would take too long
    ClearUntil(f64),
}

/// The result of [`first_crossing_longer_than`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    /// the first event
    pub found: Found,
    /// whether it is proven that there is no earlier event, except for dips as short and as shallow as allowed; `false`
    /// if an estimate from samples was used somewhere
    pub certain: bool,
}

/// Finds the first time in (a.t, b.t] at which g goes below zero, to `resolution` in time. g is taken to be zero or
/// positive at a.t.
///
/// Where the bounds are so wide that tens of thousands of intervals cannot be certified (a slow ball near a fast
/// paddle, over a long step), the search stops and returns the time up to which there is no crossing.
///
/// ```
/// use carom_ode::events::{Bounds, Found, Sample, first_crossing};
/// // 1/4 m above the floor, thrown down at 1 m/s under gravity 2 m/s²
/// let mut fall = |t: f64| Sample { t, g: 0.25 - t - t * t, rate: -1.0 - 2.0 * t };
/// let (a, b) = (fall(0.0), fall(1.0));
/// let bounds = Bounds { rate: 3.0, curvature: 2.0 };
/// let Found::At(t) = first_crossing(&mut fall, a, b, &bounds, 1e-15) else { panic!() };
/// assert!((t - (0.5f64.sqrt() - 0.5)).abs() < 1e-14);
/// ```
pub fn first_crossing(
    g: &mut dyn FnMut(f64) -> Sample,
    a: Sample,
    b: Sample,
    bounds: &Bounds,
    resolution: f64,
) -> Found {
    let least = resolution.max(1e-9 * (b.t - a.t));
    Search { g, bounds, resolution, least, budget: BUDGET, estimates: false, shallow: 0.0, certain: true }
        .first(a, b)
}

/// Finds the first time at which g goes below zero, as [`first_crossing`] does, but may miss a dip that lasts no longer
/// than `least`. Such a dip goes no deeper than the bound on the rate allows in half that time. ([`first_crossing`]
/// uses 1e-9 of the interval for `least`.) After some tens of intervals, dips that are certain to be no deeper than
/// `shallow` may be missed too. Where no bound on the curvature is known, a g that leaves zero slowly but might move
/// fast would need millions of intervals: there, thousands of them come before; and if that does not suffice, intervals in which g is close to its cubic count as clear. That is an
/// estimate, not a proof, and [`Seen::certain`] reports it.
///
/// ```
/// use carom_ode::events::{Bounds, Found, Sample, first_crossing_longer_than};
/// // two balls of 1 mm that meet at 1e7 m/s after 0.7 s
/// let mut gap = |t: f64| Sample { t, g: 1e7 * (0.7 - t).abs() - 2e-3, rate: 1e7 * (t - 0.7).signum() };
/// let (a, b) = (gap(0.0), gap(2.0));
/// let bounds = Bounds { rate: 1e7, curvature: 0.0 };
/// let seen = first_crossing_longer_than(&mut gap, a, b, &bounds, 1e-15, 1e-12, 0.0);
/// let Found::At(t) = seen.found else { panic!() };
/// assert!((t - (0.7 - 2e-10)).abs() < 1e-14 && seen.certain);
/// ```
pub fn first_crossing_longer_than(
    g: &mut dyn FnMut(f64) -> Sample,
    a: Sample,
    b: Sample,
    bounds: &Bounds,
    resolution: f64,
    least: f64,
    shallow: f64,
) -> Seen {
    let least = resolution.max(least);
    let mut search =
        Search { g, bounds, resolution, least, budget: BUDGET, estimates: true, shallow, certain: true };
    let found = search.first(a, b);
    Seen { found, certain: search.certain }
}

struct Search<'a> {
    g: &'a mut dyn FnMut(f64) -> Sample,
    bounds: &'a Bounds,
    resolution: f64,
    /// no interval is halved below this
    least: f64,
    /// intervals that may still be halved
    budget: usize,
    /// whether, where no bound on g'' is known, an estimate from samples may be used in the end
    estimates: bool,
    /// the depth of dips that may be missed in that case
    shallow: f64,
    /// whether no estimate from samples has been used so far
    certain: bool,
}

impl Search<'_> {
    /// Returns the first crossing from a, which is not below zero, to b.
    fn first(&mut self, mut a: Sample, b: Sample) -> Found {
        a.g = a.g.max(0.0);
        match self.between(&a, &b) {
            Ok(None) => Found::Nothing,
            Ok(Some(t)) => Found::At(t),
            Err(t) => Found::ClearUntil(t),
        }
    }

    /// Returns the first crossing between a and b; as an error, once the budget is used up, the time up to which there
    /// is none.
    fn between(&mut self, a: &Sample, b: &Sample) -> Result<Option<f64>, f64> {
        if b.g < 0.0 {
            let mut root = crossing(self.g, a, b, self.resolution);
            let t = root.t;
            root.g = 0.0;
            // there may be an earlier crossing between a and this one
            let earlier = if t - a.t > self.least { self.between(a, &root)? } else { None };
            return Ok(Some(earlier.unwrap_or(t)));
        }
        if b.t - a.t <= self.least || self.bounds.keep_clear(a, b) {
            return Ok(None);
        }
        if self.budget == 0 {
            return Err(a.t);
        }
        self.budget -= 1;
        let m = (self.g)(0.5 * (a.t + b.t));
        let certain = !self.estimates || self.bounds.curvature.is_finite();
        let patient = certain || self.budget >= BUDGET - PATIENCE;
        let dip = self.bounds.dip(a, b);
        let searched = if certain { SEARCHED } else { PATIENCE };
        if self.budget < BUDGET - searched && dip <= self.shallow && m.g >= 0.0 {
            return Ok(None);
        }
        // (as long as halving may still prove that the dip is shallow, no estimate is used)
        let hopeful = self.shallow > 0.0 && dip < DIP_RATIO * self.shallow && self.budget > BUDGET / 4;
        if !patient && !hopeful && looks_clear(a, &m, b) {
            self.certain = false;
            return Ok(None);
        }
        match self.between(a, &m)? {
            None if m.g < 0.0 => Ok(Some(m.t)),
            None => self.between(&m, b),
            found => Ok(found),
        }
    }
}

/// Finds a zero between a (g ≥ 0) and b (g < 0): starts from the zero of the cubic through both ends, then uses
/// Newton's method, kept within the bracket by bisection.
pub fn crossing(g: &mut dyn FnMut(f64) -> Sample, a: &Sample, b: &Sample, resolution: f64) -> Sample {
    let (mut lo, mut hi) = (*a, *b);
    let mut next = cubic_crossing(a, b);
    let mut at = *b;
    for _ in 0..100 {
        let moved = (next - at.t).abs();
        at = g(next);
        if at.g < 0.0 {
            hi = at
        } else {
            lo = at
        }
        // Newton's method may converge slowly towards one end: in that case the remaining bracket is halved
        if hi.t - lo.t > 0.25 * (b.t - a.t) && moved < 1e-3 * (hi.t - lo.t) {
            at = g(0.5 * (lo.t + hi.t));
            if at.g < 0.0 { hi = at } else { lo = at }
        }
        let newton = at.t - at.g / at.rate;
        next = if newton > lo.t && newton < hi.t { newton } else { 0.5 * (lo.t + hi.t) };
        let done = (next - at.t).abs() <= resolution || hi.t - lo.t <= resolution;
        if at.g == 0.0 || done {
            break;
        }
    }
    at
}

/// Returns the time at which the cubic with the values and rates of both ends crosses zero.
fn cubic_crossing(a: &Sample, b: &Sample) -> f64 {
    let h = b.t - a.t;
    let (mut lo, mut hi) = (0.0, 1.0);
    let mut x = 0.5;
    for _ in 0..20 {
        let s = 1.0 - x;
        let (da, db) = (h * a.rate, h * b.rate);
        let value = s * a.g + x * b.g + x * s * ((x - s) * (b.g - a.g) + s * da - x * db);
        let slope = 6.0 * x * s * (b.g - a.g) + s * (s - 2.0 * x) * da + x * (x - 2.0 * s) * db;
        if value < 0.0 {
            hi = x
        } else {
            lo = x
        }
        let newton = x - value / slope;
        let next = if newton > lo && newton < hi { newton } else { 0.5 * (lo + hi) };
        if (next - x).abs() < 1e-9 {
            break;
        }
        x = next;
    }
    a.t + h * x.clamp(1e-9, 1.0 - 1e-9)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(f: fn(f64) -> f64, d: fn(f64) -> f64, rate: f64, curvature: f64) -> Option<f64> {
        let mut g = |t: f64| Sample { t, g: f(t), rate: d(t) };
        let (a, b) = (g(0.0), g(1.0));
        match first_crossing(&mut g, a, b, &Bounds { rate, curvature }, 1e-15) {
            Found::Nothing => None,
            Found::At(t) => Some(t),
            Found::ClearUntil(t) => panic!("clear until {t} only"),
        }
    }

    #[test]
    fn a_dip_between_the_ends_is_found() {
        // below zero only for |t − 0.3| < 1e-4
        let t = find(|t| (t - 0.3f64).powi(2) - 1e-8, |t| 2.0 * (t - 0.3), 2.0, 0.0).unwrap();
        assert!((t - (0.3 - 1e-4)).abs() < 1e-12, "{t}");
        // the dip is found without a bound on the curvature, too
        let t = find(|t| (t - 0.3f64).powi(2) - 1e-8, |t| 2.0 * (t - 0.3), 2.0, f64::INFINITY).unwrap();
        assert!((t - (0.3 - 1e-4)).abs() < 1e-12, "{t}");
    }

    #[test]
    fn a_near_miss_is_none() {
        assert_eq!(find(|t| (t - 0.3f64).powi(2) + 1e-8, |t| 2.0 * (t - 0.3), 2.0, f64::INFINITY), None);
    }

    #[test]
    fn of_three_crossings_the_first_wins() {
        let f = |t: f64| -(t - 0.2) * (t - 0.3) * (t - 0.9);
        let d = |t: f64| -((t - 0.3) * (t - 0.9) + (t - 0.2) * (t - 0.9) + (t - 0.2) * (t - 0.3));
        // negated: positive before 0.2, negative to 0.3, positive to 0.9
        let t = find(f, d, 1.0, 6.0);
        assert!((t.unwrap() - 0.2).abs() < 1e-12, "{t:?}");
    }

    /// With useless bounds the search still ends; the part that was searched is known to be clear.
    #[test]
    fn the_search_comes_to_an_end() {
        let mut calls = 0;
        let mut g = |t: f64| {
            calls += 1;
            Sample { t, g: if t < 0.7 { 1e-12 } else { 0.7 - t }, rate: -1.0 }
        };
        let bounds = Bounds { rate: f64::INFINITY, curvature: f64::INFINITY };
        let (a, b) = (g(0.0), g(1.0));
        let Found::ClearUntil(t) = first_crossing(&mut g, a, b, &bounds, 1e-15) else { panic!() };
        assert!((0.0..0.7).contains(&t) && calls < 1 << 17, "{t}, {calls} calls");
    }

    /// A follower leaves its cam at 3 µm/s and 80 m/s², both moving at 5 m/s along each other.
    #[test]
    fn leaving_slowly_costs_thousands_of_samples_and_not_millions() {
        let bounds = Bounds { rate: 5.0, curvature: f64::INFINITY };
        for (r, end) in [(3e-6, 1e-3), (0.0, 1e-3), (3e-6, 1e-8)] {
            let mut calls = 0;
            let mut g = |t: f64| {
                calls += 1;
                Sample { t, g: r * t + 40.0 * t * t - 1e4 * t * t * t, rate: r + 80.0 * t - 3e4 * t * t }
            };
            let (a, b) = (g(0.0), g(end));
            let seen = first_crossing_longer_than(&mut g, a, b, &bounds, 1e-16, 1e-9 * end, 0.0);
            assert_eq!(seen.found, Found::Nothing);
            assert!(calls < 10_000, "{calls} samples");
            // an estimate, and reported as one
            assert!(!seen.certain, "{r} {end}");
            // proven, except for dips of a nanometre, where there are not too many of them
            let mut g = |t: f64| Sample {
                t,
                g: r * t + 40.0 * t * t - 1e4 * t * t * t,
                rate: r + 80.0 * t - 3e4 * t * t,
            };
            let seen = first_crossing_longer_than(&mut g, a, b, &bounds, 1e-16, 1e-9 * end, 1e-9);
            assert_eq!(seen, Seen { found: Found::Nothing, certain: end < 1e-7 });
            // and proven much sooner, where the curvature of the gap has a bound
            calls = 0;
            let known = Bounds { rate: 5.0, curvature: 2e3 };
            let mut g = |t: f64| {
                calls += 1;
                Sample { t, g: r * t + 40.0 * t * t - 1e4 * t * t * t, rate: r + 80.0 * t - 3e4 * t * t }
            };
            let seen = first_crossing_longer_than(&mut g, a, b, &known, 1e-16, 1e-9 * end, 0.0);
            assert!(seen == Seen { found: Found::Nothing, certain: true } && calls < 1000, "{calls} samples");
        }
        // a gap that closes again within the step is found
        let mut g = |t: f64| {
            let back = 1e-3 - t;
            Sample {
                t,
                g: 40.0 * t * (back * back - 1e-12),
                rate: 40.0 * (back * back - 1e-12 - 2.0 * t * back),
            }
        };
        let (a, b) = (g(0.0), g(2e-3));
        let Found::At(t) = first_crossing_longer_than(&mut g, a, b, &bounds, 1e-16, 2e-12, 0.0).found else {
            panic!()
        };
        assert!((t - (1e-3 - 1e-6)).abs() < 1e-12, "{t}");
    }

    #[test]
    fn leaving_zero_is_not_a_crossing() {
        assert_eq!(find(|t| t - t * t * 0.9, |t| 1.0 - 1.8 * t, 1.0, 1.8), None);
    }
}
