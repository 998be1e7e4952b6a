//! The methods, one file each. A new method needs its file and a line in [`ALL`].

mod auto;
mod dop853;
mod ode113;
mod ode15s;
mod ode45;
mod radau5;
mod tsit5;
mod verlet;

pub use crate::counted::Counted;
use crate::error::SolveError;
pub use crate::method::{Attempt, Buffers, Method, Stepper, Tolerance};
pub use crate::step::DenseOutput;

/// Every method, by name.
pub static ALL: &[&dyn Method] = &[
    &auto::Auto,
    &ode45::Ode45,
    &tsit5::Tsit5,
    &dop853::Dop853,
    &ode113::Ode113,
    &ode15s::NDF,
    &ode15s::BDF,
    &radau5::Radau5,
    &verlet::Verlet,
];

/// The method used if none is chosen.
pub const DEFAULT: &str = "auto";

/// Returns the method of this name.
///
/// ```
/// assert_eq!(carom_ode::methods::find("ode45")?.order(), 5);
/// assert!(carom_ode::methods::find("ode46").is_err());
/// # Ok::<(), carom_ode::SolveError>(())
/// ```
pub fn find(name: &str) -> Result<&'static dyn Method, SolveError> {
    ALL.iter().copied().find(|m| m.name() == name).ok_or_else(|| SolveError::UnknownMethod {
        name: name.to_owned(),
        known: ALL.iter().map(|m| m.name()).collect(),
    })
}
