//! The errors of a whole solution, and the part of the solution that was computed.

use super::solution::Solution;
use crate::error::SolveError;

/// The reason why a problem was not solved to its end, or why a query to a solution failed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum IvpError {
    /// the integration cannot start or go on
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// the number of events has reached the limit
    #[error("at t = {t}: {events} events, the limit (the last two {apart:e} apart)")]
    TooManyEvents {
        /// the time
        t: f64,
        /// the limit
        events: usize,
        /// the time between the last two
        apart: f64,
    },
    /// a time is outside the time span of the solution
    #[error("`{name}`: t = {t} is not between {from} and {to}")]
    OutsideSpan {
        /// the option or function with this time
        name: &'static str,
        /// the time
        t: f64,
        /// the start
        from: f64,
        /// the end
        to: f64,
    },
    /// output times are not in the order of integration
    #[error("`output_at`: t = {t} comes after t = {before}, against the direction of integration")]
    OutputOrder {
        /// the time
        t: f64,
        /// the one before it
        before: f64,
    },
    /// an option has the wrong number of values
    #[error("`{name}` has {got} values, the problem {expected} components")]
    Count {
        /// the option
        name: &'static str,
        /// how many there should be
        expected: usize,
        /// how many there are
        got: usize,
    },
    /// an event changed the number of components: a [`Solution`] must have the same number from start to end
    #[error(
        "at t = {t}: the problem has now {now} components, its solution {before}; step by step with `Solver` it may"
    )]
    Resized {
        /// the time of the event
        t: f64,
        /// components of the solution
        before: usize,
        /// components of the problem now
        now: usize,
    },
    /// the solution was computed without [`dense`](super::Ivp::dense)
    #[error("the solution between outputs was not kept: `dense` is off")]
    NotKept,
}

/// An integration that did not reach its end: the reason, and the solution up to that time.
///
/// ```
/// use carom_ode::Ivp;
/// // y' = y² from y(0) = 1 is 1/(1 − t)
/// let unfinished = Ivp::new(|_, y, dy| dy[0] = y[0] * y[0], 0.0, [1.0]).solve_to(2.0).unwrap_err();
/// assert!(unfinished.to_string().starts_with("at t = "));
/// assert!((unfinished.so_far.t_end() - 1.0).abs() < 1e-6);
/// assert!((unfinished.so_far.at(0.5).unwrap()[0] - 2.0).abs() < 1e-6);
/// ```
#[derive(Clone, Debug, thiserror::Error)]
#[error("{cause}")]
pub struct Unfinished {
    /// the reason
    #[source]
    pub cause: IvpError,
    /// the solution up to that time; the start alone if the integration could not start
    pub so_far: Box<Solution>,
}
