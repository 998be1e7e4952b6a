//! Initial-value problems with Python functions.

use carom::ode::{Direction, Event, Ivp, IvpError, Reason, RhsFailure, Site};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::{OdeError, Raised};
use crate::own::real;

/// An event: function, direction (−1, 0, 1), how often until it ends the integration (0: never), what it does to the state.
type Given<'py> = (Bound<'py, PyAny>, i8, usize, Option<Bound<'py, PyAny>>);
/// Time, number of the event, whether from below, state before and after.
type Occurrence<'py> = (f64, usize, bool, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>);

/// A solution.
#[pyclass(frozen, module = "carom._carom")]
pub(crate) struct Solution {
    solution: carom::ode::Solution,
}

#[pymethods]
impl Solution {
    #[getter]
    fn t<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.solution.t)
    }
    /// One row an output.
    #[getter]
    fn y<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let s = &self.solution;
        let all: Vec<f64> = s.iter().flat_map(|(_, y)| y).copied().collect();
        PyArray1::from_vec(py, all).reshape([s.len(), s.dim()])
    }
    #[getter]
    fn t_end(&self) -> f64 {
        self.solution.t_end()
    }
    #[getter]
    fn y_end<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, self.solution.y_end())
    }
    #[getter]
    fn method(&self) -> &str {
        &self.solution.method
    }
    /// Why it ended: `end`, or the number of the event.
    #[getter]
    fn ended_by(&self) -> Option<usize> {
        match self.solution.reason {
            Reason::Event(i) => Some(i),
            _ => None,
        }
    }
    #[getter]
    fn stats(&self) -> [(&'static str, usize); 5] {
        let s = &self.solution.stats;
        [
            ("steps", s.steps),
            ("rejected", s.rejected),
            ("evaluations", s.evaluations),
            ("jacobians", s.jacobians),
            ("factorisations", s.factorisations),
        ]
    }
    #[getter]
    fn events<'py>(&self, py: Python<'py>) -> Vec<Occurrence<'py>> {
        let array = |y: &[f64]| PyArray1::from_slice(py, y);
        self.solution
            .events
            .iter()
            .map(|o| (o.t, o.event, o.rising, array(&o.y), array(&o.y_after)))
            .collect()
    }
    /// All of it as bytes.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.solution.to_bytes())
    }
    /// The states at these times, one row each.
    fn at<'py>(&self, py: Python<'py>, t: PyReadonlyArray1<'py, f64>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (t, n) = (t.as_slice()?, self.solution.dim());
        let mut all = vec![0.0; t.len() * n];
        for (t, y) in t.iter().zip(all.chunks_exact_mut(n.max(1))) {
            self.solution.at_into(*t, y).map_err(|e| PyValueError::new_err(e.to_string()))?;
        }
        PyArray1::from_vec(py, all).reshape([t.len(), n])
    }
}

/// A solution from its bytes.
#[pyfunction]
pub(crate) fn solution_from_bytes(bytes: &[u8]) -> PyResult<Solution> {
    let read = carom::ode::Solution::from_bytes(bytes);
    read.map(|solution| Solution { solution })
        .map_err(|_| PyValueError::new_err("the bytes are no solution of an integration, or damaged"))
}

/// The methods there are, and what each is.
#[pyfunction]
pub(crate) fn methods() -> Vec<(&'static str, &'static str)> {
    carom::ode::methods::ALL.iter().map(|m| (m.name(), m.summary())).collect()
}

/// What a Python function returns, put into a slice of numbers.
fn put(name: &str, value: &Bound<'_, PyAny>, out: &mut [f64]) -> PyResult<()> {
    let count = |got: usize| {
        PyValueError::new_err(format!("{name} gives {got} numbers; allowed: {}, as many as y has", out.len()))
    };
    if let Ok(array) = value.extract::<PyReadonlyArray1<'_, f64>>() {
        if array.len()? != out.len() {
            return Err(count(array.len()?));
        }
        out.iter_mut().zip(array.as_array()).for_each(|(out, x)| *out = *x);
        return Ok(());
    }
    let refused = || {
        let kind = value.get_type().name().map_or_else(|_| "?".to_owned(), |n| n.to_string());
        PyTypeError::new_err(format!("{name} gives a {kind}; allowed: an array or a list of real numbers"))
    };
    let each = value.try_iter().map_err(|_| refused())?;
    let numbers = each.map(|x| real(&x?)).collect::<PyResult<Vec<f64>>>().map_err(|_| refused())?;
    if numbers.len() != out.len() {
        return Err(count(numbers.len()));
    }
    out.copy_from_slice(&numbers);
    Ok(())
}

/// Solves. All of `atol` is either one number or one a component.
#[pyfunction]
#[pyo3(signature = (rates, t0, y0, t_end, *, method, rtol, atol, t_eval, events, jacobian, kinks, dense, first_step, max_step, max_steps))]
#[allow(clippy::too_many_arguments, reason = "the Python half has names and defaults for them")]
pub(crate) fn solve<'py>(
    py: Python<'py>,
    rates: Bound<'py, PyAny>,
    t0: f64,
    y0: Vec<f64>,
    t_end: f64,
    method: &str,
    rtol: f64,
    atol: Vec<f64>,
    t_eval: Option<Vec<f64>>,
    events: Vec<Given<'py>>,
    jacobian: Option<Bound<'py, PyAny>>,
    kinks: Vec<f64>,
    dense: bool,
    first_step: Option<f64>,
    max_step: Option<f64>,
    max_steps: Option<usize>,
) -> PyResult<Solution> {
    let raised = Raised::default();
    let n = y0.len();
    let state = |y: &[f64]| PyArray1::from_slice(py, y);
    let f = |t: f64, y: &[f64], dy: &mut [f64]| {
        let gave = |()| rates.call1((t, state(y))).and_then(|gave| put("the function", &gave, dy));
        raised
            .unless(gave)
            .ok_or(RhsFailure { site: Site::Whole, reason: "the Python function raised an exception" })
    };
    let mut ivp = Ivp::fallible(f, t0, y0).method(method).rtol(rtol).dense(dense).kinks(kinks);
    ivp = match &atol[..] {
        [one] => ivp.atol(*one),
        each => ivp.atol_each(each),
    };
    if let Some(times) = t_eval {
        ivp = ivp.output_at(times);
    }
    if let Some(h) = first_step {
        ivp = ivp.first_step(h);
    }
    if let Some(h) = max_step {
        ivp = ivp.max_step(h);
    }
    if let Some(steps) = max_steps {
        ivp = ivp.max_steps(steps);
    }
    if let Some(jacobian) = &jacobian {
        let mut entries = vec![0.0; n * n];
        let (raised, state) = (&raised, &state);
        ivp = ivp.jacobian(move |t, y, out| {
            let gave = |()| -> PyResult<()> {
                let rows = jacobian.call1((t, state(y)))?.call_method0("ravel")?;
                put("the Jacobian", &rows, &mut entries)
            };
            if raised.unless(gave).is_some() {
                for (k, x) in entries.iter().enumerate().filter(|(_, x)| **x != 0.0) {
                    out.set(k / n, k % n, *x);
                }
            }
        });
    }
    for (g, direction, terminal, action) in &events {
        let value = |t: f64, y: &[f64]| {
            let gave = |()| real(&g.call1((t, state(y)))?);
            // the rates then fail too: nothing is made of this number
            raised.unless(gave).unwrap_or(1.0)
        };
        let mut event = Event::new(value).direction(match direction {
            1 => Direction::Rising,
            -1 => Direction::Falling,
            _ => Direction::Any,
        });
        if *terminal > 0 {
            event = event.terminal_after(*terminal);
        }
        if let Some(action) = action {
            event = event.action(|t, y| {
                let mut after = y.to_vec();
                let gave =
                    |()| action.call1((t, state(y))).and_then(|gave| put("the action", &gave, &mut after));
                if raised.unless(gave).is_some() {
                    y.copy_from_slice(&after);
                }
            });
        }
        ivp = ivp.event(event);
    }
    let solved = ivp.solve_to(t_end);
    drop(ivp);
    if let Some(error) = raised.take() {
        return Err(error);
    }
    match solved {
        Ok(solution) => Ok(Solution { solution }),
        Err(unfinished) => {
            let text = unfinished.to_string();
            let so_far = Solution { solution: *unfinished.so_far };
            Err(match unfinished.cause {
                IvpError::Solve(_) | IvpError::TooManyEvents { .. } => OdeError::new_err((text, so_far)),
                _ => PyValueError::new_err(text),
            })
        }
    }
}
