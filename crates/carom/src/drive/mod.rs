//! Drives: quantities of a model that are functions of time.
//!
//! A [`Drive`] names a quantity by its path (`body/cube/density`, `world/gravity/2`) and gives it a [`Course`], a function of
//! time. The quantities that can be named are listed in [`TARGETS`], one file each: a target describes its quantity and puts
//! the function into the description of the model when that is built (`plan`). From then on the function replaces the
//! constant: a body has its mass as a function of time ([`InTime`]), the world its gravity, a prescribed body its motion
//! ([`Guided`](crate::Guided)). The values that the equations need at an instant are in `loads::Now`.
//!
//! - **Mass.** m(t) v̇ = f and J(t) ω̇ = τ − ω × J(t) ω with J(t) = J(0) m(t)/m(0): there is no term ṁ v, nothing is ejected
//!   or taken up at a speed. So the loads divided by φ = m(t)/m(0) act on the body as it was at t = 0. This factor φ is the
//!   only term through which a variable mass enters.
//! - **Energy.** Kinetic and potential energy then change by themselves, at the rate φ̇ (T₀ − m₀ g·x) − m ġ·x; this counts as
//!   `work` of the drives.
//! - **Pulses.** Steps are limited so that no pulse of a drive falls between the stages of a step (`world::Ahead`).
//! - **Kinks.** Steps end at the kinks of a function (`loads::Stretch`); rates at the ends of a step are evaluated just
//!   inside it.

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

/// A quantity of a model that is a function of time.
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
    /// Creates a drive that makes the quantity with this path, as listed in [`TARGETS`], follow the given function of time.
    pub fn new(target: &str, course: impl Course + 'static) -> Drive {
        Drive::new_arc(target, Arc::new(course))
    }

    /// Creates a drive from a function of time that is shared; otherwise as [`new`](Drive::new).
    pub fn new_arc(target: &str, course: Arc<dyn Course>) -> Drive {
        Drive { target: target.to_owned(), course }
    }
}
