//! Pieces of boundary, one file a kind.

mod barrel;
mod polygon;

pub use barrel::Barrel;
pub use polygon::Polygon;
