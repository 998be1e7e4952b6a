//! Where the rates of a model cannot be computed: the part to name.

use carom_ode::{RhsFailure, Site};

/// A part of a model whose forces or equations failed, by its place in the model's own lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Contact(usize),
    Drive(usize),
    Force(usize),
    Joint(usize),
}

impl Part {
    /// The failure, as integrators carry it.
    pub(crate) fn fails(self, reason: &'static str) -> RhsFailure {
        let (kind, index) = match self {
            Part::Contact(i) => ("contact", i),
            Part::Drive(i) => ("drive", i),
            Part::Force(i) => ("force", i),
            Part::Joint(i) => ("joint", i),
        };
        RhsFailure { site: Site::Part { kind, index }, reason }
    }

    /// The part that a failure is of.
    pub(crate) fn of(failure: &RhsFailure) -> Option<Part> {
        match failure.site {
            Site::Part { kind: "contact", index } => Some(Part::Contact(index)),
            Site::Part { kind: "drive", index } => Some(Part::Drive(index)),
            Site::Part { kind: "force", index } => Some(Part::Force(index)),
            Site::Part { kind: "joint", index } => Some(Part::Joint(index)),
            _ => None,
        }
    }
}
