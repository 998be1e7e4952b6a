//! WHAT force a touch gives. Pure functions of indentation, rates and materials.
//!
//! - [`normal`] and [`friction`]: one file a law, each a formula over [`Scalar`](carom_base::Scalar), so that
//!   exact derivatives come with it; [`normal::ALL`] and [`friction::ALL`] list them for scenes and books.
//! - [`resistance`]: couples against rolling and spinning, likewise; [`resistance::ROLLING`] and [`resistance::SPINNING`] list them.
//! - [`material`] and [`hertz`]: the stiffness K of a point contact from moduli and curvatures.
//! - [`impact`]: closed-form results of the standard impact, to judge a law before simulating with it.
//!
//! A law holds its parameters only. What belongs to a contact (its stiffness, the impact speed latched when
//! the surfaces touched) comes in as a [`Touch`], and what a friction law remembers of it as a [`Memory`].
//!
//! ```
//! use carom_law::normal::Flores;
//! use carom_law::{Indentation, Material, MaterialPair, Normal, Touch, hertz};
//!
//! // a steel ball of 10 mm radius meets a steel plane at 0.5 m/s
//! let steel = Material::new("steel").youngs_modulus(210e9).poisson_ratio(0.3);
//! let e_star = MaterialPair::new(&steel, &steel).e_star()?;
//! let stiffness = hertz::stiffness(e_star, 100.0, 100.0)?;
//! let touch = Touch::point(stiffness, 0.5, 0.0329);
//!
//! let law = Flores::restitution(0.7)?;
//! let approaching = law.force(Indentation { delta: 1e-6, delta_dot: 0.4 }, &touch);
//! let leaving = law.force(Indentation { delta: 1e-6, delta_dot: -0.4 }, &touch);
//! assert!(approaching.f_n > leaving.f_n && leaving.f_n > 0.0);
//! assert_eq!(approaching.f_elastic, leaving.f_elastic);
//! # Ok::<(), carom_law::LawError>(())
//! ```

pub mod elastic;
pub mod elliptic;
pub mod error;
pub mod friction;
mod function;
pub mod hertz;
pub mod impact;
pub mod law;
pub mod material;
pub mod memory;
pub mod normal;
pub mod resistance;
mod stiffness;

pub use error::LawError;
pub use friction::FrictionEntry;
pub use function::{FrictionFunction, NormalFunction};
pub use law::{
    Bed, Friction, FrictionFormula, FrictionLaw, Indentation, Meeting, Normal, NormalForce, NormalFormula,
    NormalLaw, Reference, Springs, Stiffness, Touch,
};
pub use material::{Material, MaterialPair};
pub use memory::{Evolution, Memory};
pub use normal::NormalEntry;
pub use resistance::{Patch, Pressed, Resistance, ResistanceEntry, ResistanceFormula, ResistanceLaw};

use carom_base::param::Allowed;
use carom_base::{Args, Param, SpecError};

/// A parameter's value against its own table line: the one message for scenes and for callers.
pub(crate) fn check_value(kind: &'static str, param: &Param, value: f64) -> Result<(), SpecError> {
    if param.allowed.number(value) {
        return Ok(());
    }
    let (value, allowed): (String, &Allowed) = (value.to_string(), &param.allowed);
    Err(SpecError::NotAllowed { kind, name: param.name, value, allowed: allowed.to_string() })
}

/// The number of a required parameter.
pub(crate) fn needed(args: &Args, kind: &'static str, param: &Param) -> Result<f64, SpecError> {
    args.number(param.name).ok_or(SpecError::Missing { kind, name: param.name, doc: param.doc })
}
