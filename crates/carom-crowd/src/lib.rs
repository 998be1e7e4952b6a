//! Many bodies that touch, in steps of one length: who is near whom, what their contacts remember, and sums in an order that no
//! number of threads changes.
//!
//! Nothing here knows of models or force laws: what two bodies do to each other is a [`Law`]. A step is
//!
//! 1. [`Crowd::begin_step`]: velocities half a step on, positions a whole one;
//! 2. [`NearPairs::rebuild`], if bodies have moved by half the skin since the last time;
//! 3. the forces of all contacts ([`push_pairs`], [`push_walls`]), each added to its two bodies in the order of the list;
//! 4. [`Crowd::end_step`]: velocities at the end of the step.
//!
//! The method is velocity Verlet (W. C. Swope and others, *J. Chem. Phys.* 76 (1982) 637) with velocities that are predicted for the
//! forces, as these depend on them: order 2. Lists of neighbours with a skin: L. Verlet, *Phys. Rev.* 159 (1967) 98.

mod threads;
mod sums;
mod grid;
mod near;
mod bodies;
mod contacts;

pub use bodies::{Crowd, Load, Place, Response};
pub use contacts::{
    Ahead, AtWall, AtWalls, Law, Meeting, Push, Room, Wall, balls_meet, push_pairs, push_walls, wall_meets,
};
pub use grid::Grid;
pub use near::NearPairs;
pub use sums::{CHUNK, Sums, in_parts};
pub use threads::{Threads, threads};
