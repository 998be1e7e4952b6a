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

#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests compare with the functions of the platform")
)]

// The properties of a law.
pub mod error;
mod entry;
// What it is given of a contact.
pub mod elliptic;
pub mod hertz;
pub mod impact;
pub mod material;
mod standard;
mod history;
mod touch;
mod line;
mod stiffness;
mod power;
pub mod memory;
mod grip;
// What it is.
pub mod law;
mod depth;
mod function;
// The kinds.
pub mod elastic;
pub mod normal;
pub mod friction;
pub mod resistance;

pub use depth::suits;
pub use entry::Reference;
pub use error::LawError;
pub use friction::FrictionEntry;
pub use function::{FrictionFunction, NormalFunction};
pub use grip::{Grip, Slip, Spring, Switching};
pub use history::{History, Phase, PhaseEnd, PhaseEnds};
pub use law::{Friction, FrictionFormula, FrictionLaw, Normal, NormalForce, NormalFormula, NormalLaw, Still};
pub use material::{Material, MaterialPair};
pub use memory::{Evolution, Memory};
pub use normal::NormalEntry;
pub use resistance::{Patch, Pressed, Resistance, ResistanceEntry, ResistanceFormula, ResistanceLaw};
pub use standard::{STANDARD_MATERIALS, StandardMaterial};
pub use stiffness::{Bed, Bedding, Layers, Springs, Stiffness};
pub use touch::{Indentation, Meeting, Touch};
