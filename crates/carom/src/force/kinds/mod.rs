//! The kinds of forces, one file each. To add one: write its file, and add its lines below: `mod`, `pub use` and the
//! line in [`FORCES`].

mod actuator;
mod attraction;
mod bushing;
mod coordinate;
mod drag;
mod ligament;
mod load;
mod motor;
mod nonlinear;
mod one_sided;
mod spring_damper;
mod torque;
mod user_load;

use carom_base::Entry;

pub use actuator::Actuator;
pub use attraction::Attraction;
pub use bushing::Bushing;
pub use coordinate::CoordinateSpring;
pub use drag::Drag;
pub use ligament::Ligament;
pub use load::ExternalLoad;
pub use motor::Motor;
pub use nonlinear::NonlinearSpring;
pub use one_sided::OneSidedSpring;
pub use spring_damper::SpringDamper;
pub use torque::Torque;
pub use user_load::{BodyMotion, UserLoad};

use super::Acting;

/// Every kind of force that a scene can have.
///
/// ```
/// use carom::base::{Args, Value};
/// let spring = carom::FORCES.iter().find(|e| e.name == "spring-damper").unwrap();
/// let args = Args::new().with("stiffness", Value::Number(100.0)).with("rest_length", Value::Number(0.1));
/// let acting = spring.make(&args)?;
/// let law = acting.as_line().unwrap();
/// assert!((law.tension(0.15, 0.0).f - 5.0).abs() < 1e-14); // [N]
/// # Ok::<(), carom::base::SpecError>(())
/// ```
pub static FORCES: &[Entry<Acting>] = &[
    SpringDamper::ENTRY,
    CoordinateSpring::TORSION,
    CoordinateSpring::SLIDE,
    OneSidedSpring::CABLE,
    OneSidedSpring::BUMP_STOP,
    OneSidedSpring::TORSION,
    OneSidedSpring::SLIDE,
    Ligament::ENTRY,
    NonlinearSpring::SPRING,
    NonlinearSpring::TORSION,
    NonlinearSpring::SLIDE,
    Bushing::ENTRY,
    Torque::ENTRY,
    ExternalLoad::ENTRY,
    Motor::ENTRY,
    Actuator::ENTRY,
    Drag::ENTRY,
    Attraction::ENTRY,
];
