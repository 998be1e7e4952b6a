//! Compares two folders of results: when they diverge, and by how much.
//!
//! | quantity | difference | scale |
//! |---|---|---|
//! | position of a body or probe | distance \[m\] | the largest distance of any of them from its start, in either run |
//! | velocity | length of the difference [m/s] | the largest speed |
//! | orientation of a body, R of F = R U | angle between the two \[rad\] | 1 rad |
//! | stretch U of a body that deforms | ‖U_a − U_b‖, the root of the sum of squares; a rigid body has U = 1 | 1 |
//! | each energy of the balance | absolute value \[J\] | the largest sum of stored and dissipated energy (below) |
//! | force and couple of a joint | length of the difference [N], [N m] | the largest of any joint |
//!
//! A difference counts if it is above a tolerance times its scale. The scales are common to all bodies, so that a body at
//! rest does not differ because of a rounding error in its position. The energy scale is the largest sum, at any time, of
//! the kinetic, elastic, field, strain and dissipated energies and the change of the potential energy.
//!
//! **Times.** The runs are compared at the output times that both have, up to the end of the shorter one, by recorded numbers
//! only. If there are fewer than ten such times (and they are not half of what the coarser run has), the finer run is
//! interpolated at the coarser one's times by cubic Hermite polynomials with the recorded velocities. An impact that lasts
//! only a few outputs is not a cubic. The error is therefore estimated by interpolating over every second output of the
//! finer run, [`Times::Interpolated`], and differences below it do not count. Energies and joints have no recorded rates,
//! and are then left out.
//!
//! **Touches** are compared per contact point, the k-th with the k-th. A touch without a partner counts, unless it is slower
//! than the tolerance times the largest speed, because the last bounces of a body that comes to rest have no meaning.

mod motion;
mod touches;

use std::ops::Range;

use serde_json::Value;

use crate::Recorded;
use crate::summary::NUMBERS;

pub use touches::PointDifference;

/// The method by which two runs were brought to the same times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Times {
    /// the output times that both have
    Common,
    /// the output times of one run; the other (0 the first, 1 the second) is interpolated
    Interpolated {
        /// index of the interpolated run
        which: usize,
        /// estimate of its largest error, relative to the scales
        error: f64,
    },
}

impl Times {
    /// Returns the relative difference above which one counts: the tolerance, but not less than the error of an interpolation.
    pub fn trusted(&self, tolerance: f64) -> f64 {
        match self {
            Times::Common => tolerance,
            Times::Interpolated { error, .. } => tolerance.max(*error),
        }
    }
}

/// The difference of a quantity between two runs over time.
#[derive(Clone, Debug)]
pub struct Difference {
    /// the body or probe; `energy` for the energy balance; `joint NAME`
    pub of: String,
    /// `position`, `velocity`, `orientation`, `stretch`, a column of `energy.csv`, `force` or `couple` of a joint
    pub quantity: String,
    /// its unit
    pub unit: &'static str,
    /// scale of the differences, in that unit
    pub scale: f64,
    /// differences at all compared times
    pub series: Vec<f64>,
    /// the largest difference
    pub max: f64,
    /// time of the largest difference \[s\]
    pub at: f64,
    /// root of the mean square over the compared times
    pub rms: f64,
}

/// The first difference of two runs above the tolerance.
#[derive(Clone, Debug, PartialEq)]
pub struct Divergence {
    /// the first compared time at which a difference is above the tolerance \[s\]
    pub t: f64,
    /// index of the [`Difference`] that is largest then, relative to its scale
    pub which: usize,
    /// the difference, in its unit
    pub difference: f64,
}

/// Two runs compared.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// relative tolerance
    pub tolerance: f64,
    /// compared times \[s\]
    pub t: Vec<f64>,
    /// how these times were chosen
    pub times: Times,
    /// last output time of each run \[s\]
    pub ends: [f64; 2],
    /// all quantities
    pub differences: Vec<Difference>,
    /// the first difference above the tolerance, if any
    pub first: Option<Divergence>,
    /// bodies and probes that only one of the runs has
    pub only_in: [Vec<String>; 2],
    /// contact points that touched
    pub points: Vec<PointDifference>,
    /// values of the summaries: key and both values
    pub summary: Vec<(&'static str, Value, Value)>,
}

/// The reason why two runs cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum CompareError {
    /// there is no body or probe of the same name
    #[error("the two have no body in common: one has {}, the other {}", listed(.0), listed(.1))]
    NoBody(Vec<String>, Vec<String>),
    /// one of them has no output
    #[error("there is no output yet in one of the two")]
    NoOutput,
}

fn listed(names: &[String]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

/// The settings in a summary that are compared, before its numbers.
const SETTINGS: [&str; 3] = ["method", "rtol", "atol"];

impl Comparison {
    /// Compares two runs; `tolerance` is relative to the scale of each quantity.
    ///
    /// ```no_run
    /// use carom_results::{Recorded, compare::Comparison};
    /// let [a, b] = ["out/coarse", "out/fine"].map(|p| Recorded::open(p.as_ref()));
    /// let c = Comparison::of(&a?, &b?, 1e-6)?;
    /// assert!(c.same(), "they part at {:?}", c.first.map(|f| f.t));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(a: &Recorded, b: &Recorded, tolerance: f64) -> Result<Comparison, CompareError> {
        let names = |r: &Recorded| r.tracks.iter().map(|t| t.name.clone()).collect::<Vec<_>>();
        let (in_a, in_b) = (names(a), names(b));
        let missing =
            |from: &[String], of: &[String]| of.iter().filter(|n| !from.contains(n)).cloned().collect();
        let only_in: [Vec<String>; 2] = [missing(&in_b, &in_a), missing(&in_a, &in_b)];
        if only_in[0].len() == in_a.len() && !(in_a.is_empty() && in_b.is_empty()) {
            return Err(CompareError::NoBody(in_a, in_b));
        }
        if a.t.is_empty() || b.t.is_empty() {
            return Err(CompareError::NoOutput);
        }
        let pair = motion::Pair::new(a, b);
        let (mut differences, t) = (pair.differences(), pair.t.clone());
        differences.iter_mut().for_each(|d| d.measure(&t));
        let times = pair.times(&differences);
        let first = first(&t, &differences, times.trusted(tolerance));
        let span = a.t_end().min(b.t_end());
        let points = touches::compare(a, b, span, tolerance, pair.speed);
        let value = |r: &Recorded, key: &str| r.summary.get(key).cloned().unwrap_or(Value::Null);
        Ok(Comparison {
            tolerance,
            times,
            t,
            ends: [a.t_end(), b.t_end()],
            first,
            differences,
            only_in,
            points,
            summary: SETTINGS
                .iter()
                .chain(&NUMBERS)
                .map(|key| (*key, value(a, key), value(b, key)))
                .collect(),
        })
    }

    /// Returns whether both end at the same time, to a relative 1e-9.
    pub fn same_span(&self) -> bool {
        (self.ends[0] - self.ends[1]).abs() <= 1e-9 * self.ends[0].abs().max(self.ends[1].abs())
    }

    /// Returns whether they are equal within the tolerance: bodies, time span, motion, energies and touches.
    pub fn same(&self) -> bool {
        self.first.is_none()
            && self.same_span()
            && self.only_in.iter().all(Vec::is_empty)
            && self.points.iter().all(|p| p.same)
    }
}

impl Difference {
    fn measure(&mut self, t: &[f64]) {
        let mut sum = 0.0;
        for (d, t) in self.series.iter().zip(t) {
            // written so that NaN counts as the largest
            if !(*d <= self.max) {
                (self.max, self.at) = (*d, *t);
            }
            sum += d * d;
        }
        self.rms = (sum / self.series.len().max(1) as f64).sqrt();
    }

    /// Returns the largest difference divided by its scale.
    pub fn relative(&self) -> f64 {
        self.max / self.scale
    }
}

fn first(t: &[f64], differences: &[Difference], tolerance: f64) -> Option<Divergence> {
    let relative = |d: &Difference, i: usize| d.series.get(i).map_or(0.0, |x| x / d.scale);
    let apart = |i: &usize| differences.iter().any(|d| !(relative(d, *i) <= tolerance));
    let i = (0..t.len()).find(apart)?;
    let worst =
        |a: &usize, b: &usize| relative(&differences[*a], i).total_cmp(&relative(&differences[*b], i));
    let which = (0..differences.len()).max_by(worst)?;
    Some(Divergence { t: t[i], which, difference: differences[which].series[i] })
}

/// Returns the indices of a run's output times up to the end of the shorter run.
fn within(t: &[f64], end: f64) -> Range<usize> {
    0..t.iter().take_while(|t| **t <= end * (1.0 + 1e-12)).count()
}
