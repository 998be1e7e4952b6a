//! Numerical integration of initial-value problems y' = f(t, y). This crate contains no mechanics.
//!
//! Most users need only [`Ivp`]: rates, a start time and state, an end time; events, tolerances and output are
//! optional.
//!
//! ```
//! use carom_ode::Ivp;
//!
//! // y' = -y, y(0) = 1
//! let solution = Ivp::new(|_t, y, dy| dy[0] = -y[0], 0.0, [1.0]).rtol(1e-10).atol(1e-10).solve_to(2.0)?;
//! assert!((solution.y_end()[0] - (-2.0f64).exp()).abs() < 1e-10);
//! # Ok::<(), carom_ode::Unfinished>(())
//! ```
//!
//! Underneath, an [`Ode`] defines its rates, the events to detect and what happens at each event. A [`Solver`] advances
//! it with one of [`methods::ALL`]: it controls the error, gives output at any time between steps, and ends steps
//! exactly on events.
//!
//! ```
//! use carom_ode::{Options, Solver, methods};
//!
//! // y' = -y
//! let mut ode = |_t: f64, y: &[f64], dy: &mut [f64]| {
//!     dy[0] = -y[0];
//!     Ok(())
//! };
//! let options = Options { rtol: 1e-10, atol: 1e-10, ..Options::default() };
//! let mut solver = Solver::new(methods::find("dop853").unwrap(), &mut ode, 0.0, &[1.0], 2.0, options)?;
//! while !solver.done() {
//!     solver.step(&mut ode)?;
//! }
//! assert!((solver.y()[0] - (-2.0f64).exp()).abs() < 1e-10);
//! # Ok::<(), carom_ode::SolveError>(())
//! ```

#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests compare with the functions of the platform")
)]

/// Compiles and runs, as tests, the examples of the README and of the book's page for readers who come from MATLAB.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../README.md")]
    struct Readme;
    #[doc = include_str!("../../../book/src/coming-from-matlab.md")]
    struct ComingFromMatlab;
}

// Numbers, vectors and matrices.
mod norm;
mod lanes;
mod linear;
// The definition of a problem.
mod failure;
mod error;
mod step;
pub mod events;
mod ode;
mod counted;
// The definition of a method.
mod control;
mod tableau;
mod method;
mod differences;
pub mod erk;
pub mod methods;
// The driver: options, steps, events and whole solutions.
mod options;
mod progress;
mod solver;
pub mod ivp;
pub mod problems;

pub use carom_portable::snapshot;
pub use counted::Stats;
pub use error::{SolveError, StepTrouble};
pub use failure::{RhsFailure, Site};
pub use ivp::{Direction, Event, Ivp, IvpError, Occurrence, Reason, Solution, Unfinished};
pub use linear::{Jacobian, Sparsity};
pub use method::{Method, Stepper};
pub use ode::{Components, Derivatives, EventAction, Events, Landing, Ode, Split, StepAcross, Steps};
pub use options::Options;
pub use solver::Solver;
pub use step::{DenseOutput, Interpolant, Step};
