//! A step, and the trajectory within it.

use std::ops::Range;

/// A step from t0 to t1, as the problem receives it when it searches for events.
#[derive(Clone, Copy)]
pub struct Step<'a> {
    /// the time it starts at
    pub t0: f64,
    /// the time it ends at
    pub t1: f64,
    /// the state at t0
    pub y0: &'a [f64],
    /// the state at t1
    pub y1: &'a [f64],
    /// the rates at t0
    pub f0: &'a [f64],
    /// the rates at t1
    pub f1: &'a [f64],
    pub(crate) stages: &'a [f64],
    pub(crate) stride: usize,
}

impl<'a> Step<'a> {
    /// Returns a step of zero length, to examine a single state as if it were the end of a step.
    pub fn still(t: f64, y: &'a [f64], f: &'a [f64]) -> Step<'a> {
        Step { t0: t, t1: t, y0: y, y1: y, f0: f, f1: f, stages: &[], stride: 1 }
    }
}

impl Step<'_> {
    /// Returns the largest |rate| of component `i` at any stage of the step.
    #[inline]
    pub fn max_rate(&self, i: usize) -> f64 {
        let mut m = self.f0[i].abs().max(self.f1[i].abs());
        let mut at = i;
        while at < self.stages.len() {
            m = m.max(self.stages[at].abs());
            at += self.stride;
        }
        m
    }

    /// Returns the largest difference of the rates of components `i` and `j` at any stage of the step.
    #[inline]
    pub fn max_difference(&self, i: usize, j: usize) -> f64 {
        let ends = (self.f0[i] - self.f0[j]).abs().max((self.f1[i] - self.f1[j]).abs());
        let stages = self.stages.iter().skip(i).step_by(self.stride);
        let others = self.stages.iter().skip(j).step_by(self.stride);
        stages.zip(others).fold(ends, |m, (a, b)| m.max((a - b).abs()))
    }

    /// The length of the step, t1 − t0; negative when integrating backward.
    pub fn h(&self) -> f64 {
        self.t1 - self.t0
    }
}

/// The dense output of a method: the trajectory within its last attempt.
pub trait DenseOutput {
    /// Writes the components `range` of y at the fraction θ of the step, from 0 to 1, into `out`.
    fn interpolate(&self, theta: f64, range: Range<usize>, out: &mut [f64]);
    /// Writes the derivative of the interpolant with respect to θ, of all components. Returns whether the method
    /// provides it (the default: no).
    fn slope(&self, theta: f64, out: &mut [f64]) -> bool {
        let _ = (theta, out);
        false
    }
}

/// The trajectory within a step, accurate to the order of the method or one less.
pub struct Interpolant<'a> {
    pub(crate) output: &'a dyn DenseOutput,
    pub(crate) t0: f64,
    pub(crate) h: f64,
}

impl Interpolant<'_> {
    /// Writes the components `range` of y at time `t` into `out`.
    pub fn at(&self, t: f64, range: Range<usize>, out: &mut [f64]) {
        self.output.interpolate((t - self.t0) / self.h, range, out);
    }
}
