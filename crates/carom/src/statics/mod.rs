//! Statics: where bodies come to rest, and how they move near there.
//!
//! An equilibrium is a configuration at rest in which the forces on every body are in balance ([`Equilibrium`]). Near it the motion is linear
//! to first order, M q̈ + C q̇ + K q = 0, and made of modes ([`Modes`]).
//!
//! `coordinates` are small motions of all bodies, `rigid` those of one rigid body; `linear` has K and C from the `derivatives` of the rates; `search` finds
//! the equilibrium; `jacobi` and `roots` are the eigenvalue problems.

mod coordinates;
mod derivatives;
mod equilibrium;
mod jacobi;
mod linear;
mod modes;
mod nearby;
mod rigid;
mod roots;
mod search;
mod shape;
mod soft;

pub(crate) use coordinates::free_motions;
pub use equilibrium::Equilibrium;
pub use modes::{Kind, Mode, Modes, Root};
pub use shape::{Component, Shape};

use carom_ode::RhsFailure;

use crate::error::StaticsError;
use crate::site::Part;
use crate::system::System;

/// The error of a contact that cannot be evaluated.
fn contact_failed(system: &System<'_>, failure: RhsFailure) -> StaticsError {
    let contact = match Part::of(&failure) {
        Some(Part::Contact(i)) => system.monitor.pairs.get(i).map(|pair| pair.name.clone()),
        _ => None,
    };
    StaticsError::Contact { contact: contact.unwrap_or_default(), reason: failure.reason }
}
