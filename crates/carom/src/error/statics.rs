//! The reasons why an equilibrium cannot be found.

use super::BuildError;

/// Says why an equilibrium, or the vibrations about it, could not be found.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StaticsError {
    /// no body moves under forces
    #[error("no body moves by its forces: there is nothing to bring to rest")]
    NoBody,
    /// joints that cannot be assembled
    #[error("{0}")]
    Assembly(String),
    /// the search was stopped by the program
    #[error("the search for an equilibrium was stopped after {iterations} iterations")]
    Stopped {
        /// number of iterations so far
        iterations: usize,
    },
    /// a driven joint that moves at t = 0
    #[error("joint `{joint}` is driven and moves at t = 0: an equilibrium is of bodies at rest")]
    DrivenJoint {
        /// name of the joint and of the driven quantity
        joint: String,
    },
    /// a body with a prescribed motion that moves at t = 0
    #[error("body `{body}` moves as prescribed at t = 0: an equilibrium is of bodies at rest")]
    Driven {
        /// name of the body
        body: String,
    },
    /// a model whose contacts cannot be set up
    #[error(transparent)]
    Model(Box<BuildError>),
    /// a contact that cannot be evaluated
    #[error("contact {contact}: {reason}")]
    Contact {
        /// name of the contact
        contact: String,
        /// the reason
        reason: &'static str,
    },
    /// the stiffness matrix is not finite
    #[error(
        "the stiffness is not finite: points that a force acts between are one, or two surfaces have no normal"
    )]
    NoDerivatives,
    /// the iteration for the eigenvalues did not converge
    #[error("the roots of the damped motion were not found: the iteration did not converge")]
    NoRoots,
    /// no equilibrium exists, or none was found
    #[error(
        "no equilibrium found: body `{body}` {why}; left on it {}, after {iterations} iterations and {moved:.3e} m{}",
        shown(.left), hint(*.friction)
    )]
    NotFound {
        /// why the body is not in equilibrium
        why: Unbalanced,
        /// the body that is farthest from equilibrium
        body: String,
        /// the components of the resultant force on it: direction, value, unit
        left: Vec<(&'static str, f64, &'static str)>,
        /// the largest distance that a body was moved [m]
        moved: f64,
        /// number of Newton iterations on the balance of forces
        iterations: usize,
        /// whether there is friction, which exerts no force at rest here
        friction: bool,
    },
}

/// The reasons why a body is not brought to equilibrium.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unbalanced {
    /// it moved far beyond all others
    #[error("goes away: nothing holds it")]
    Gone,
    /// it still moved when the search ended
    #[error("does not come to rest")]
    Moves,
    /// no step reduces the forces
    #[error("is stuck: its forces are not in balance, and no step takes them there")]
    Stuck,
    /// the forces are not finite
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
