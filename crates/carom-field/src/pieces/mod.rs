//! Pieces of boundary, one file a kind.

mod polygon;

pub use polygon::Polygon;
