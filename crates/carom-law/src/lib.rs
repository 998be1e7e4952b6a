//! WHAT force a touch gives. Pure functions of indentation, rates and materials.

pub mod error;
pub mod friction;
pub mod hertz;
pub mod law;
pub mod material;
pub mod normal;

pub use error::LawError;
pub use law::{Friction, FrictionLaw, Indentation, Normal, NormalForce, NormalLaw, Reference, Touch};
pub use material::{Material, MaterialPair};
