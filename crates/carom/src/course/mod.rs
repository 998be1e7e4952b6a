//! Functions of time: the trait, and its implementations, one file each.

mod formula;
mod linear;
mod points;
mod series;
mod spline;

use std::fmt::Debug;

use carom_base::{Jet, Range};

pub use formula::Formula;
pub use linear::Linear;
pub use series::Series;
pub use spline::Spline;

/// A function of time: its value with first and second derivative, bounds on them, and its kinks.
///
/// The library has [`Linear`](Linear) and [`Spline`](Spline) through points, [`Formula`](Formula)s given as text, and
/// [`Series`](Series) fitted to a function of a program.
///
/// ```
/// use carom::base::{Jet, Range};
/// use carom::{Body, Course, Drive, ModelBuilder};
///
/// /// From `start` up by `rate` a second.
/// #[derive(Debug)]
/// struct Ramp { start: f64, rate: f64 }
///
/// impl Course for Ramp {
///     fn at(&self, t: f64) -> Jet {
///         Jet { value: self.start + self.rate * t, rate: self.rate, second: 0.0 }
///     }
///     fn bounds(&self, t0: f64, t1: f64) -> Jet<Range> {
///         let value = Range::new(self.at(t0).value, self.at(t1).value);
///         Jet { value, rate: Range::point(self.rate), second: Range::point(0.0) }
///     }
/// }
///
/// let mut builder = ModelBuilder::new();
/// builder.body(Body::new("bucket").inertia([1.0; 3]));
/// builder.drive(Drive::new("body/bucket/mass", Ramp { start: 2.0, rate: 0.5 })); // [kg], [kg/s]
/// assert_eq!(builder.build()?.mass("bucket"), Some(2.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Course: Debug + Send + Sync {
    /// Returns the value at `t` [s] and its first and second derivative.
    fn at(&self, t: f64) -> Jet;

    /// Returns bounds that hold from t0 to t1, except at the kinks themselves. They must be true: otherwise a contact may be
    /// missed.
    fn bounds(&self, t0: f64, t1: f64) -> Jet<Range>;

    /// Returns the first kink after `t` and before `end` [s], or `end` if there is none (the default).
    fn smooth_until(&self, t: f64, end: f64) -> f64 {
        let _ = t;
        end
    }

    /// Returns the time span in which the function is defined [s]; by default all times.
    fn known(&self) -> Range {
        Range { lo: f64::NEG_INFINITY, hi: f64::INFINITY }
    }
}

/// The conditions that a function must satisfy to drive a quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Needs {
    /// finite, with a finite rate, but for jumps
    Finite,
    /// finite, with a finite rate, and without jumps
    Continuous,
    /// finite with a finite rate, without jumps, and greater than 0
    Positive,
    /// finite, with a finite continuous rate and a finite second derivative
    Motion,
}

/// The time at which a function violates its conditions, and how.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Trouble {
    /// time [s]
    pub(crate) t: f64,
    /// the invalid value at that time, in words
    pub(crate) what: String,
    pub(crate) allowed: &'static str,
}

/// No interval is halved below this fraction of the run.
const LEAST: f64 = 1e-9;
/// The largest number of intervals that are halved; what is undecided then is left to the run.
const BUDGET: usize = 1 << 14;
/// The largest number of kinks that are examined.
const MOST_KINKS: usize = 1 << 17;

/// Returns the margin that is kept on either side of a kink [s]: its time is known only to rounding error.
pub(crate) fn margin(from: f64, to: f64) -> f64 {
    let size = |t: f64| if t.is_finite() { t.abs() } else { 0.0 };
    let length = if (to - from).is_finite() { to - from } else { 0.0 };
    64.0 * f64::EPSILON * size(from).max(size(to)).max(length)
}

impl Needs {
    /// Returns the first violation from 0 to `end`, if there is any.
    pub(crate) fn check(self, course: &dyn Course, end: f64) -> Result<(), Trouble> {
        let known = course.known();
        let margin = 1e-12 * end;
        for (t, outside) in [(0.0, known.lo > margin), (known.hi, known.hi < end - margin)] {
            if outside {
                let what = format!("is given from {} s to {} s only", known.lo, known.hi);
                return Err(Trouble { t, what, allowed: "a curve for the whole run" });
            }
        }
        let mut budget = BUDGET;
        if let Some(t) = self.first_doubt(course, 0.0, end, LEAST * end, &mut budget) {
            return Err(self.trouble(course, t));
        }
        if self == Needs::Finite { Ok(()) } else { self.at_kinks(course, end) }
    }

    fn met(self, x: &Jet<Range>) -> bool {
        let finite = x.value.is_bounded() && x.rate.is_bounded();
        finite
            && match self {
                Needs::Finite | Needs::Continuous => true,
                Needs::Positive => x.value.lo > 0.0,
                Needs::Motion => x.second.is_bounded(),
            }
    }

    /// Returns the first time at which bounds cannot prove that the conditions are satisfied.
    fn first_doubt(
        self,
        course: &dyn Course,
        t0: f64,
        t1: f64,
        least: f64,
        budget: &mut usize,
    ) -> Option<f64> {
        if self.met(&course.bounds(t0, t1)) || *budget == 0 {
            return None;
        }
        *budget -= 1;
        if t1 - t0 <= least {
            return Some(self.about(course, t0, t1));
        }
        let middle = 0.5 * (t0 + t1);
        let first = self.first_doubt(course, t0, middle, least, budget);
        first.or_else(|| self.first_doubt(course, middle, t1, least, budget))
    }

    /// Returns a time in that interval, rounded for reading, at which the value is invalid if possible.
    fn about(self, course: &dyn Course, t0: f64, t1: f64) -> f64 {
        let middle = 0.5 * (t0 + t1);
        let short = format!("{middle:.7e}").parse().unwrap_or(middle);
        let bad = |t: &f64| {
            let x = course.at(*t);
            let part = |x: f64| if x.is_finite() { Range::point(x) } else { Range::UNKNOWN };
            !self.met(&Jet { value: part(x.value), rate: part(x.rate), second: part(x.second) })
        };
        [short, t0, t1].into_iter().find(bad).unwrap_or(short)
    }

    fn trouble(self, course: &dyn Course, t: f64) -> Trouble {
        let x = course.at(t);
        let (what, allowed) = match self {
            Needs::Positive if x.value.is_finite() => (format!("is {}", x.value), "greater than 0"),
            _ if !x.value.is_finite() => (format!("is {}", x.value), "finite numbers"),
            Needs::Motion => {
                ("has no finite rates".to_owned(), "a motion with finite velocity and acceleration")
            }
            _ => ("has no finite rate".to_owned(), "numbers that change at a finite rate"),
        };
        Trouble { t, what, allowed }
    }

    /// Returns an error if the value, or the rate of a motion, differs between the two sides of a kink.
    fn at_kinks(self, course: &dyn Course, end: f64) -> Result<(), Trouble> {
        let (mut from, mut kinks) = (0.0, 0);
        while kinks < MOST_KINKS {
            let kink = course.smooth_until(from, end);
            if !(kink > from && kink < end) {
                return Ok(());
            }
            let gap = margin(from, kink);
            let (before, after) = (course.at(kink - gap), course.at(kink + gap));
            // the change of the numbers over the margins, and rounding error
            let moved = 4.0 * gap * (before.rate.abs() + after.rate.abs());
            if !((after.value - before.value).abs()
                <= moved + 1e-9 * before.value.abs().max(after.value.abs()))
            {
                let what = format!("jumps from {} to {}", before.value, after.value);
                return Err(Trouble { t: kink, what, allowed: "numbers that do not jump, as with `step`" });
            }
            let turned = 4.0 * gap * (before.second.abs() + after.second.abs())
                + 1e-9 * (before.rate.abs() + after.rate.abs())
                + 1e-12 * before.value.abs() / end;
            if self == Needs::Motion && !((after.rate - before.rate).abs() <= turned) {
                let what = format!("changes at {} before and at {} after", before.rate, after.rate);
                return Err(Trouble { t: kink, what, allowed: "a motion whose velocity does not jump" });
            }
            (from, kinks) = (kink, kinks + 1);
        }
        Ok(())
    }
}
