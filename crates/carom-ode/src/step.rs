//! A step, and the motion within it.

use std::ops::Range;

/// A step from t0 to t1 as the problem sees it when it looks for events.
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
    /// A step of no length: for looking at a state as at the end of a step.
    pub fn still(t: f64, y: &'a [f64], f: &'a [f64]) -> Step<'a> {
        Step { t0: t, t1: t, y0: y, y1: y, f0: f, f1: f, stages: &[], stride: 1 }
    }
}

impl Step<'_> {
    /// The largest |rate| of component `i` at any stage of the step.
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

    /// t1 − t0.
    pub fn h(&self) -> f64 {
        self.t1 - self.t0
    }
}

/// The dense output of a method: the motion within its last attempt.
pub trait DenseOutput {
    /// The components `range` of y at the share θ of the step, from 0 to 1, into `out`.
    fn interpolate(&self, theta: f64, range: Range<usize>, out: &mut [f64]);
    /// The derivative of the interpolant by θ, of all components; says whether the method has it (the default: no).
    fn slope(&self, theta: f64, out: &mut [f64]) -> bool {
        let _ = (theta, out);
        false
    }
}

/// The motion within a step, to the method's own order or one less.
pub struct Interpolant<'a> {
    pub(crate) output: &'a dyn DenseOutput,
    pub(crate) t0: f64,
    pub(crate) h: f64,
}

impl Interpolant<'_> {
    /// The components `range` of y at `t`, into `out`.
    pub fn at(&self, t: f64, range: Range<usize>, out: &mut [f64]) {
        self.output.interpolate((t - self.t0) / self.h, range, out);
    }
}
