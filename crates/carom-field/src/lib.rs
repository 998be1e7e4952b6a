//! What force nearness gives: short-range tractions over the boundary of a body near a plane support, integrated
//! (Contento, Di Egidio, Dziedzic & Tatone 2009).
//!
//! A point X of the body, from its centre of mass in its own axes, is at p = p0 + F X. Its height over the support is affine in X,
//! d = a + b·X, and so is its velocity relative to the support, u = u0 + U X. Every traction of [`Tractions`] is a power of d times a
//! polynomial in X; so all a piece of boundary has to know are its [`Moments`], integrals of d^−ν, d^−ν X and d^−ν X⊗X. From those
//! come force, moment tensor, potential, dissipated power ([`Action`]) and, by dual numbers, the derivatives of all of them.
//!
//! | room | what |
//! |---|---|
//! | `tractions` | the four tractions, Eqs 19 to 22 |
//! | `near` | where a body is over a support, and what the field does to it |
//! | `piece` | what a piece of boundary can do |
//! | `pieces` | one file a kind of piece |
//! | `boundary` | from a surface to its pieces |
//! | `field` | a body's pieces and tractions together |
//! | `kernel` | averages over segments and triangles |
//! | `segment` | those over a segment with their derivatives |
//! | `sums` | sums over nodes with what their derivatives need |
//! | `circle`, `gauss` | rules for what is not in closed form |

#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests compare with the functions of the platform")
)]

// What acts, and on what.
mod tractions;
mod piece;
mod near;
mod field;
// Integrals.
mod kernel;
mod gauss;
mod sums;
mod circle;
mod segment;
// The kinds.
pub mod pieces;
mod boundary;

pub use boundary::pieces_of;
pub use field::{Field, rest_integral};
pub use near::{Action, Near};
pub use piece::{Asked, Height, Moments, Piece, PieceFormula, Placed};
pub use tractions::{Adhesion, FieldError, Power, Tractions};
