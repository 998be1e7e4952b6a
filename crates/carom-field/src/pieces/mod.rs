//! Pieces of boundary, one file a kind.

mod gauss_polygon;
mod plane;
mod polygon;

pub use gauss_polygon::GaussPolygon;
pub use polygon::Polygon;
