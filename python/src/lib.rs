//! The compiled half of the Python package `carom`. Everything that people call is in `carom/*.py`; here is what
//! only Rust can do: scenes, runs, sweeps, distances, integration.

mod error;
mod own;
mod ode;
mod distance;
mod run;
mod command;
mod stepper;
mod stepping;
mod scene;
mod sweep;

use pyo3::prelude::*;

/// The compiled half of carom; the package's own names are what to use.
#[pymodule]
fn _carom(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add("__version__", env!("CARGO_PKG_VERSION"))?;
    m.add_class::<scene::Scene>()?;
    m.add_class::<run::Run>()?;
    m.add_class::<stepping::Stepping>()?;
    m.add_class::<stepping::Recorded>()?;
    m.add_function(wrap_pyfunction!(scene::open_run, m)?)?;
    m.add_class::<own::Functions>()?;
    m.add_class::<distance::Pair>()?;
    m.add_class::<ode::Solution>()?;
    m.add_function(wrap_pyfunction!(ode::solve, m)?)?;
    m.add_function(wrap_pyfunction!(ode::solution_from_bytes, m)?)?;
    m.add_function(wrap_pyfunction!(ode::methods, m)?)?;
    m.add_function(wrap_pyfunction!(distance::surfaces, m)?)?;
    m.add_function(wrap_pyfunction!(distance::answer, m)?)?;
    m.add_function(wrap_pyfunction!(scene::scene_text, m)?)?;
    m.add_class::<sweep::Study>()?;
    m.add_class::<sweep::Journal>()?;
    m.add_function(wrap_pyfunction!(sweep::sweep_table, m)?)?;
    Ok(())
}
