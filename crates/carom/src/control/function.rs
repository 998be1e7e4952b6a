//! A controller given by a function of a program.

use std::fmt;
use std::sync::Arc;

use super::ControlLaw;

type Function = dyn Fn(f64, &[f64], &mut [f64]) -> Vec<f64> + Send + Sync;

/// A controller given by a function of a program: `function(dt, u, x)` returns the outputs and may change the memory x.
#[derive(Clone)]
pub struct ControlFunction {
    inputs: usize,
    outputs: usize,
    memory: Vec<f64>,
    function: Arc<Function>,
}

impl ControlFunction {
    /// Creates a controller that measures `inputs` numbers and puts out `outputs`, with a memory that starts as given.
    pub fn new(
        inputs: usize,
        outputs: usize,
        memory: Vec<f64>,
        function: impl Fn(f64, &[f64], &mut [f64]) -> Vec<f64> + Send + Sync + 'static,
    ) -> ControlFunction {
        ControlFunction { inputs, outputs, memory, function: Arc::new(function) }
    }
}

impl fmt::Debug for ControlFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ControlFunction").field("inputs", &self.inputs).finish_non_exhaustive()
    }
}

impl ControlLaw for ControlFunction {
    fn inputs(&self) -> usize {
        self.inputs
    }

    fn outputs(&self) -> usize {
        self.outputs
    }

    fn memory(&self) -> Vec<f64> {
        self.memory.clone()
    }

    fn sample(&self, dt: f64, u: &[f64], x: &mut [f64], y: &mut [f64]) {
        let all = (self.function)(dt, u, x);
        // (an output that is missing is not a number, which the run reports)
        y.iter_mut().enumerate().for_each(|(i, y)| *y = all.get(i).copied().unwrap_or(f64::NAN));
    }
}
