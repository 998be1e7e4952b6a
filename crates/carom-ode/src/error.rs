//! How an integration can end badly, and what it says then.

use crate::failure::RhsFailure;

/// Why steps were refused.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum StepTrouble {
    /// the error estimate stayed too large
    #[error("the error of component {component} stays above its tolerance")]
    Error {
        /// the component with the largest error
        component: usize,
    },
    /// the equations of an implicit step were not solved
    #[error("the iteration of an implicit step does not converge, worst in component {component}")]
    NoConvergence {
        /// the component with the largest correction
        component: usize,
    },
    /// a value that is not a number
    #[error("component {component} is not finite")]
    NotFinite {
        /// the first such component
        component: usize,
    },
    /// no step was refused, but the one wished for is lost in rounding
    #[error("what happens here takes less time than numbers can tell apart")]
    TooFast,
    /// the right-hand side failed
    #[error("the right-hand side failed: {}", .0.reason)]
    Rhs(RhsFailure),
}

/// An integration that cannot go on. What was computed up to `t` stands.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SolveError {
    /// no step is small enough
    #[error("at t = {t}: no step is small enough (h = {h:e}): {trouble}")]
    StepTooSmall {
        /// the time
        t: f64,
        /// the last step tried
        h: f64,
        /// why it was refused
        trouble: StepTrouble,
    },
    /// more steps than allowed
    #[error("at t = {t}: {steps} steps taken, the limit")]
    TooManySteps {
        /// the time
        t: f64,
        /// the limit
        steps: usize,
    },
    /// the rates jump, and the steps get nowhere: see [`EventAction::Restart`](crate::EventAction) and
    /// [`Event::restart`](crate::Event::restart)
    #[error(
        "at t = {t}: steps of h = {h:e} get nowhere: the rate of component {component} jumps here, from {from:e} \
         to {to:e}. Where rates switch, let an event announce it and restart; where they hold the \
         state on the switch (dry friction at rest), give it a state of its own or smooth it"
    )]
    Jumps {
        /// the time
        t: f64,
        /// the step
        h: f64,
        /// the component whose rate jumps
        component: usize,
        /// its rate on one side
        from: f64,
        /// its rate on the other
        to: f64,
    },
    /// events follow each other without time advancing
    #[error("at t = {t}: {events} events without time advancing")]
    EventStorm {
        /// the time
        t: f64,
        /// how many
        events: usize,
    },
    /// the start itself is bad
    #[error("at the start, t = {t}: {trouble}")]
    BadStart {
        /// the time
        t: f64,
        /// what is wrong
        trouble: StepTrouble,
    },
    /// what an event has made of the state, or of the rates, is bad
    #[error("after the event at t = {t}: {trouble}")]
    AfterEvent {
        /// the time of the event
        t: f64,
        /// what is wrong
        trouble: StepTrouble,
    },
    /// an option out of range
    #[error("`{name}` is {value:?}; allowed: {allowed}")]
    BadOption {
        /// the option
        name: &'static str,
        /// its value
        value: f64,
        /// what is allowed
        allowed: &'static str,
    },
    /// a state of the wrong length
    #[error("the state has {got} components, the problem {expected}")]
    BadLength {
        /// the problem's
        expected: usize,
        /// the state's
        got: usize,
    },
    /// a method that needs what the problem does not offer
    #[error("`{method}` needs {needs}")]
    Unsuited {
        /// the method
        method: &'static str,
        /// what it needs
        needs: &'static str,
    },
    /// a method nobody knows
    #[error("no method `{name}`; there are {}", known.join(", "))]
    UnknownMethod {
        /// the name given
        name: String,
        /// the names there are
        known: Vec<&'static str>,
    },
}
