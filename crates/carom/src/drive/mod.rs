//! Drives: numbers of a model that are functions of time.
//!
//! A [`Drive`] names a number by its path (`body/cube/density`, `world/gravity/2`) and gives it a [`Course`]. What can be named is listed in
//! [`TARGETS`], one file each: a target says what its number is and hands the course to whom it concerns when the model is built (`plan`).
//! From then on the course sits where the number sat: a body has its mass in time ([`InTime`]), the world its gravity, a prescribed
//! body its motion ([`Guided`](crate::Guided)). What the equations need of them at an instant is in `loads::Now`.
//!
//! - **Mass.** m(t) v̇ = f and J(t) ω̇ = τ − ω × J(t) ω with J(t) = J(0) m(t)/m(0): no ṁ v, nothing is thrown out or taken up at a speed. So the loads divided by
//!   φ = m(t)/m(0) act on the body as it was at t = 0. That φ is the one place where a mass in time enters.
//! - **Energy.** What the ledger calls kinetic and potential energy then changes by itself, at φ̇ (T₀ − m₀ g·x) − m ġ·x; this is the `work` of whoever
//!   changes the numbers.
//! - **Pulses.** No step is so long that the course of a drive within it could come as a surprise (`world::Ahead`).
//! - **Kinks.** Steps end at the kinks of a course (`loads::Stretch`); within a step, at its ends too, rates are those of its inside.

mod gravity;
mod joint;
mod mass;
mod plan;
mod position;
mod target;

use std::sync::Arc;

use crate::course::Course;

pub(crate) use plan::{Bound, DrivenJoint, InTime, Plan, check};
pub use target::{TARGETS, Target};

/// A number of a model that is a function of time.
///
/// ```
/// use carom::prelude::*;
/// use carom::{Drive, Formula};
/// let mut builder = ModelBuilder::new();
/// builder.body(Body::new("stone").mass(1.0).inertia([1.0; 3]));
/// builder.drive(Drive::new("world/gravity/2", Formula::new("-9.81*cos(t)")?));
/// let run = Simulation::new(&builder.build()?).duration(1.0).rtol(1e-12).run()?;
/// let stone = run.end.body("stone").unwrap();
/// assert!((stone.velocity.z + 9.81 * 1f64.sin()).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Drive {
    pub(crate) target: String,
    pub(crate) course: Arc<dyn Course>,
}

impl Drive {
    /// The number of that path, as listed in [`TARGETS`], follows the course.
    pub fn new(target: &str, course: impl Course + 'static) -> Drive {
        Drive::new_arc(target, Arc::new(course))
    }

    /// The same for a course that is shared.
    pub fn new_arc(target: &str, course: Arc<dyn Course>) -> Drive {
        Drive { target: target.to_owned(), course }
    }
}
