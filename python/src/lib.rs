//! The compiled half of the Python package `carom`. Everything that people call is in `carom/*.py`; here is what
//! only Rust can do: scenes, runs, distances, integration.

mod distance;
mod error;
mod ode;
mod own;
mod run;
mod scene;

use pyo3::prelude::*;

/// The compiled half of carom; the package's own names are what to use.
#[pymodule]
fn _carom(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add("__version__", env!("CARGO_PKG_VERSION"))?;
    m.add_class::<scene::Scene>()?;
    m.add_class::<run::Run>()?;
    m.add_class::<own::Functions>()?;
    m.add_class::<distance::Pair>()?;
    m.add_class::<ode::Solution>()?;
    m.add_function(wrap_pyfunction!(ode::solve, m)?)?;
    m.add_function(wrap_pyfunction!(ode::methods, m)?)?;
    m.add_function(wrap_pyfunction!(distance::surfaces, m)?)?;
    Ok(())
}
