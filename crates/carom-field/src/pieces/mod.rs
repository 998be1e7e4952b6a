//! Pieces of boundary, one file a kind.

mod barrel;
mod gauss_polygon;
mod plane;
mod polygon;

pub use barrel::Barrel;
pub use gauss_polygon::GaussPolygon;
pub use polygon::Polygon;

use carom_base::{Pose, Vec3};
use carom_geometry::Surface;
use carom_geometry::surfaces::Cuboid;

use crate::{FieldError, Piece};

/// The pieces of a surface's boundary.
pub fn pieces_of(
    surface: &dyn Surface,
    names: Option<&[String]>,
    leave_out: Option<Vec3>,
) -> Result<Vec<(Box<dyn Piece>, Pose)>, FieldError> {
    if let Some(c) = surface.as_any().downcast_ref::<carom_geometry::surfaces::Cylinder>() {
        let _ = leave_out;
        return Ok(vec![(
            Box::new(Barrel::new(c.radius(), c.length()).ok_or(FieldError::Empty)?),
            Pose::identity(),
        )]);
    }
    let Some(cuboid) = surface.as_any().downcast_ref::<Cuboid>() else { return Err(FieldError::Empty) };
    let h = cuboid.half();
    let mut all: Vec<(Box<dyn Piece>, Pose)> = Vec::new();
    for (i, axis) in ["x", "y", "z"].iter().enumerate() {
        for (s, sign) in [(-1.0, "-"), (1.0, "+")] {
            let name = format!("{sign}{axis}");
            let n = Vec3::from_fn(|k, _| if k == i { s } else { 0.0 });
            let wanted = match names {
                Some(names) => names.contains(&name),
                None => leave_out.is_none_or(|a| a.dot(&n).abs() < 0.5),
            };
            if !wanted {
                continue;
            }
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            let v = |a: f64, b: f64| {
                let mut v = Vec3::zeros();
                (v[i], v[j], v[k]) = (s * h[i], a * h[j], b * h[k] * s);
                v
            };
            let vertices = vec![v(-1.0, -1.0), v(1.0, -1.0), v(1.0, 1.0), v(-1.0, 1.0)];
            if let Some(p) = Polygon::new(vertices) {
                all.push((Box::new(p), Pose::identity()));
            }
        }
    }
    Ok(all)
}
