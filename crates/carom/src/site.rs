//! Identifies the part of a model whose rates cannot be computed.

use carom_ode::{RhsFailure, Site};

/// A part of a model whose forces or equations failed, given by its index in the model's list of such parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Contact(usize),
    Drive(usize),
    Force(usize),
    Joint(usize),
    Controller(usize),
}

impl Part {
    /// Returns the failure in the form in which integrators report it.
    pub(crate) fn fails(self, reason: &'static str) -> RhsFailure {
        let (kind, index) = match self {
            Part::Contact(i) => ("contact", i),
            Part::Drive(i) => ("drive", i),
            Part::Force(i) => ("force", i),
            Part::Joint(i) => ("joint", i),
            Part::Controller(i) => ("controller", i),
        };
        RhsFailure { site: Site::Part { kind, index }, reason }
    }

    /// Returns the part of the model in which a failure occurred.
    pub(crate) fn of(failure: &RhsFailure) -> Option<Part> {
        match failure.site {
            Site::Part { kind: "contact", index } => Some(Part::Contact(index)),
            Site::Part { kind: "drive", index } => Some(Part::Drive(index)),
            Site::Part { kind: "force", index } => Some(Part::Force(index)),
            Site::Part { kind: "joint", index } => Some(Part::Joint(index)),
            Site::Part { kind: "controller", index } => Some(Part::Controller(index)),
            _ => None,
        }
    }
}
