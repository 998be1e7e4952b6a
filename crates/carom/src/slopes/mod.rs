//! The derivatives of loads on bodies by the state, and of the accelerations that follow: what every force, contact
//! and joint needs for its part of the Jacobian.

mod coordinates;
mod load;
mod many;
mod motion;
mod wrench;

pub(crate) use coordinates::{Acts, add as add_along_coordinates};
pub(crate) use load::{Load, RIGID, add as add_load, rigid_columns, unit as unit_of};
pub(crate) use many::{LoadsFormula, Motions, add as add_loads};
pub(crate) use motion::{affine, constant, flag, material_point, rigid, rotation_by_quaternion, unit};
pub(crate) use wrench::{Change, End, Wrench};
