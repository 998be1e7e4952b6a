//! WHERE two surfaces touch. Knows no mass, force or time.
//!
//! A [`Surface`] says what it can do through its capabilities ([`Project`] …); a [`PairSolver`] that
//! can use them binds two surfaces once and then gives, per contact point, a [`Contact`].

pub mod contact;
pub mod error;
pub mod mesh;
pub mod pairs;
pub mod proximity;
pub mod surface;
pub mod surfaces;

pub use carom_base::{Pose, Quat, Scalar, Vec3};
pub use contact::{BoundPair, Contact, Curvature, PairSolver, RelativeCurvature};
pub use error::{GeometryError, PairFailure};
pub use mesh::Mesh;
pub use surface::{Bounds, Foot, Project, ProjectFormula, Shape, Side, Solid, Surface};
