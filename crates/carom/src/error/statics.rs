//! What can keep an equilibrium from being found.

use super::BuildError;

/// An equilibrium, or the motion near it, that could not be found.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StaticsError {
    /// nothing to move
    #[error("no body moves by its forces: there is nothing to bring to rest")]
    NoBody,
    /// joints that cannot be put together
    #[error("{0}")]
    Assembly(String),
    /// somebody ended the search
    #[error("the search for an equilibrium was stopped after {iterations} iterations")]
    Stopped {
        /// so far
        iterations: usize,
    },
    /// a drive under way
    #[error("joint `{joint}` is driven and moves at t = 0: an equilibrium is of bodies at rest")]
    DrivenJoint {
        /// the joint and what is driven of it
        joint: String,
    },
    /// a prescribed motion under way
    #[error("body `{body}` moves as prescribed at t = 0: an equilibrium is of bodies at rest")]
    Driven {
        /// the body
        body: String,
    },
    /// a model whose contacts cannot be set up
    #[error(transparent)]
    Model(Box<BuildError>),
    /// a contact that cannot be evaluated
    #[error("contact {contact}: {reason}")]
    Contact {
        /// which
        contact: String,
        /// why
        reason: &'static str,
    },
    /// no stiffness
    #[error(
        "the stiffness is not finite: points that a force acts between are one, or two surfaces have no normal"
    )]
    NoDerivatives,
    /// eigenvalues that were not found
    #[error("the roots of the damped motion were not found: the iteration did not converge")]
    NoRoots,
    /// no equilibrium, or none that was found
    #[error(
        "no equilibrium found: body `{body}` {why}; left on it {}, after {iterations} iterations and {moved:.3e} m{}",
        shown(.left), hint(*.friction)
    )]
    NotFound {
        /// what it does
        why: Unbalanced,
        /// the body that is farthest from balance
        body: String,
        /// the sum of the forces on it: direction, value, unit
        left: Vec<(&'static str, f64, &'static str)>,
        /// how far the body that went farthest has gone [m]
        moved: f64,
        /// how often forces were balanced to first order
        iterations: usize,
        /// whether there is friction, which holds nothing here
        friction: bool,
    },
}

/// Why a body does not come to rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unbalanced {
    /// it went far beyond all others
    #[error("goes away: nothing holds it")]
    Gone,
    /// it moved as long as anybody looked
    #[error("does not come to rest")]
    Moves,
    /// no step reduces the forces
    #[error("is stuck: its forces are not in balance, and no step takes them there")]
    Stuck,
    /// forces that are no numbers
    #[error("has forces that are not finite")]
    NotFinite,
}

fn shown(left: &[(&str, f64, &str)]) -> String {
    let most = left.iter().fold(0.0, |most, (_, f, _)| f64::max(most, f.abs()));
    let large = left.iter().filter(|(_, f, _)| !(f.abs() < 1e-3 * most));
    large.map(|(direction, f, unit)| format!("{direction} {f:.3e} {unit}")).collect::<Vec<_>>().join(", ")
}

fn hint(friction: bool) -> &'static str {
    if friction { " (friction holds nothing there: its laws have no force at rest)" } else { "" }
}
