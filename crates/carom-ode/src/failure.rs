//! A right-hand side that fails, and where.

/// A right-hand side that could not be evaluated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RhsFailure {
    /// where
    pub site: Site,
    /// why
    pub reason: &'static str,
}

/// Where a right-hand side failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Site {
    /// a component of the state
    Component(usize),
    /// an event, in the order in which they were given
    Event(usize),
    /// a part of the problem: what it calls such parts, and which of them
    Part {
        /// as `contact`
        kind: &'static str,
        /// in the problem's own order
        index: usize,
    },
    /// no particular one
    Whole,
}
