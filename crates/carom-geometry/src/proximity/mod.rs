//! Which pairs can touch at all: bounding boxes and the broad phase.

mod aabb;
mod sweep;

pub use aabb::Aabb;
pub use sweep::Sweep;
