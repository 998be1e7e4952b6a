//! Pieces of boundary, one file a kind.

mod barrel;
mod disc;
mod ellipsoid;
mod gauss_polygon;
mod plane;
mod polygon;
mod sphere;

pub use barrel::Barrel;
pub use disc::Disc;
pub use ellipsoid::EllipsoidSurface;
pub use gauss_polygon::GaussPolygon;
pub use polygon::Polygon;
pub use sphere::SphereSurface;

use carom_base::{Pose, Scalar, Vec3};
use carom_geometry::Surface;
use carom_geometry::surfaces::Cuboid;

use crate::piece::{Asked, Moments};
use crate::{FieldError, Piece};

/// Whether a piece at that least height is wholly above the support; if not its moments are undefined.
fn above<S: Scalar>(least: f64, out: &mut [Moments<S>]) -> bool {
    let above = least > 0.0 && least.is_finite();
    if !above {
        out.iter_mut().for_each(|out| *out = Moments::undefined());
    }
    above
}

/// Every set of moments asked for; what is asked for twice is found once.
fn each_once<S: Scalar>(
    asked: &[Asked],
    out: &mut [Moments<S>],
    mut moments: impl FnMut(Asked) -> Moments<S>,
) {
    for (i, ask) in asked.iter().enumerate().take(out.len()) {
        out[i] = match asked[..i].iter().position(|earlier| earlier == ask) {
            Some(same) => out[same],
            None => moments(*ask),
        };
    }
}

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
