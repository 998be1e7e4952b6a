//! The errors with which an integration can end.

use crate::failure::RhsFailure;

/// The reason why steps were refused.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum StepTrouble {
    /// the error estimate stayed too large
    #[error("the error of component {component} stays above its tolerance")]
    Error {
        /// the component with the largest error
        component: usize,
    },
    /// the equations of an implicit step could not be solved
    #[error("the iteration of an implicit step does not converge, worst in component {component}")]
    NoConvergence {
        /// the component with the largest correction
        component: usize,
    },
    /// a value is infinite or not a number
    #[error("component {component} is not finite")]
    NotFinite {
        /// the first such component
        component: usize,
    },
    /// no step was refused, but the length proposed is smaller than the rounding error of the time
    #[error("what happens here takes less time than numbers can tell apart")]
    TooFast,
    /// the right-hand side failed
    #[error("the right-hand side failed: {}", .0.reason)]
    Rhs(RhsFailure),
}

/// The reason why an integration cannot continue. The results up to time `t` remain valid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SolveError {
    /// every step tried was refused, down to the shortest possible
    #[error("at t = {t}: no step is small enough (h = {h:e}): {trouble}")]
    StepTooSmall {
        /// the time
        t: f64,
        /// the last step tried
        h: f64,
        /// why it was refused
        trouble: StepTrouble,
    },
    /// the run needs more steps than the option `max_steps` allows
    #[error("at t = {t}: {steps} steps taken, the limit")]
    TooManySteps {
        /// the time
        t: f64,
        /// the limit
        steps: usize,
    },
    /// the rates jump, and the steps make no progress: see [`EventAction::Restart`](crate::EventAction) and
    /// [`Event::restart`](crate::Event::restart)
    #[error(
        "at t = {t}: steps of h = {h:e} get nowhere: the rate of component {component} jumps here, from {from:e} \
         to {to:e}. Where rates switch, let an event announce it and restart; where they hold the \
         state on the switch (dry friction at rest), give it a state of its own or smooth it"
    )]
    Jumps {
        /// the time
        t: f64,
        /// the length of the step
        h: f64,
        /// the component whose rate jumps
        component: usize,
        /// its rate on one side
        from: f64,
        /// its rate on the other
        to: f64,
    },
    /// events follow each other while the time does not advance
    #[error("at t = {t}: {events} events without time advancing")]
    EventStorm {
        /// the time
        t: f64,
        /// number of events in a row
        events: usize,
    },
    /// the initial state or its rates are invalid
    #[error("at the start, t = {t}: {trouble}")]
    BadStart {
        /// the time
        t: f64,
        /// what is wrong
        trouble: StepTrouble,
    },
    /// the state or the rates after an event are invalid
    #[error("after the event at t = {t}: {trouble}")]
    AfterEvent {
        /// the time of the event
        t: f64,
        /// what is wrong
        trouble: StepTrouble,
    },
    /// an option is out of range
    #[error("`{name}` is {value:?}; allowed: {allowed}")]
    BadOption {
        /// the option
        name: &'static str,
        /// its value
        value: f64,
        /// what is allowed
        allowed: &'static str,
    },
    /// the initial state has the wrong number of components
    #[error("the state has {got} components, the problem {expected}")]
    BadLength {
        /// number of components of the problem
        expected: usize,
        /// number of components of the state
        got: usize,
    },
    /// the method needs something that the problem or the options do not provide
    #[error("`{method}` needs {needs}")]
    Unsuited {
        /// the method
        method: &'static str,
        /// what it needs
        needs: &'static str,
    },
    /// there is no method of this name
    #[error("no method `{name}`; there are {}", known.join(", "))]
    UnknownMethod {
        /// the name given
        name: String,
        /// the names of all methods
        known: Vec<&'static str>,
    },
}
