//! Failures of a right-hand side: the reason and the location.

use std::fmt;

/// A failed evaluation of a right-hand side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RhsFailure {
    /// the part of the problem that failed
    pub site: Site,
    /// the reason
    pub reason: &'static str,
}

/// The part of a problem at which a right-hand side failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Site {
    /// a component of the state, by index
    Component(usize),
    /// an event, by index in the order in which the events were given
    Event(usize),
    /// a part of the problem, by the kind of part and its index
    Part {
        /// the problem's name for such parts, for example `contact`
        kind: &'static str,
        /// index in the problem's own order
        index: usize,
    },
    /// no particular part
    Whole,
}

impl fmt::Display for RhsFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.site {
            Site::Component(i) => write!(f, "component {i} of the state: {}", self.reason),
            Site::Event(i) => write!(f, "event {i}: {}", self.reason),
            Site::Part { kind, index } => write!(f, "{kind} {index}: {}", self.reason),
            Site::Whole => f.write_str(self.reason),
        }
    }
}

impl std::error::Error for RhsFailure {}
