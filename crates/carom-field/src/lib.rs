//! Forces of short-range fields: tractions over the boundary of a body near a plane support, integrated (Contento, Di Egidio,
//! Dziedzic & Tatone 2009).
//!
//! A point X of the body, measured from its centre of mass in its own axes, is at p = p0 + F X. Its height over the support is
//! affine in X, d = a + b·X, and so is its velocity relative to the support, u = u0 + U X. Every traction of [`Tractions`] is
//! a power of d times a polynomial in X. A piece of boundary therefore contributes only its [`Moments`], integrals of d^−ν,
//! d^−ν X and d^−ν X⊗X. From them follow force, moment tensor, potential and dissipated power ([`Action`]) and, by dual
//! numbers, the derivatives of all of them.
//!
//! | module | content |
//! |---|---|
//! | `tractions` | the four tractions, Eqs 19 to 22, and a Coulomb-like friction |
//! | `near` | the configuration of a body over a support, and the action of the field on it |
//! | `piece` | the interface of a piece of boundary |
//! | `pieces` | the kinds of pieces, one file each |
//! | `boundary` | from a surface to its pieces |
//! | `field` | a body's pieces and tractions together |
//! | `kernel` | averages over segments and triangles |
//! | `segment` | averages over a segment with their derivatives |
//! | `sums` | sums over integration nodes with the sums that their derivatives need |
//! | `node`, `nodes` | points of a boundary with their areas, for what has no closed form |
//! | `points` | tractions at nodes, by the distance from a surface of any shape |
//! | `circle`, `gauss` | quadrature rules for integrals without a closed form |

#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests compare with the functions of the platform")
)]

// The tractions, and the bodies they act on.
mod tractions;
mod piece;
mod near;
mod field;
mod node;
// Integrals.
mod kernel;
mod gauss;
mod sums;
mod circle;
mod segment;
// The kinds of pieces.
pub mod pieces;
mod boundary;
// Nodes, near surfaces of any shape.
mod nodes;
mod points;

pub use boundary::{parts_of, pieces_of};
pub use field::{Field, rest_integral};
pub use near::{Action, Near};
pub use node::Node;
pub use nodes::nodes_of;
pub use piece::{Asked, Height, Moments, Piece, PieceFormula, Placed};
pub use points::{Motions, PointField};
pub use tractions::{Adhesion, Coulomb, FieldError, Power, Tractions};
