//! What a controller computes from one sample to the next.

use std::fmt::Debug;

/// The computation of a sampled controller.
///
/// At every sample it gets the measured numbers u and its own memory x, and returns the numbers y that hold until the
/// next sample.
pub trait ControlLaw: Debug + Send + Sync {
    /// Returns how many numbers it measures.
    fn inputs(&self) -> usize;
    /// Returns how many numbers it puts out.
    fn outputs(&self) -> usize;
    /// Returns its memory before the first sample.
    fn memory(&self) -> Vec<f64>;
    /// Computes the outputs of a sample and the memory for the next; `dt`: the time between samples [s].
    fn sample(&self, dt: f64, u: &[f64], x: &mut [f64], y: &mut [f64]);
    /// Returns what is wrong with its numbers, if anything is.
    fn fault(&self) -> Option<String> {
        None
    }
}
