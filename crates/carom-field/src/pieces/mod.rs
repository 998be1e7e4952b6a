//! The kinds of pieces of boundary, one file each.

mod barrel;
mod disc;
mod ellipsoid;
mod gauss_polygon;
mod mantle;
mod plane;
mod polygon;
mod sphere;

pub use barrel::Barrel;
pub use disc::Disc;
pub use ellipsoid::EllipsoidSurface;
pub use gauss_polygon::GaussPolygon;
pub use mantle::Mantle;
pub use polygon::Polygon;
pub use sphere::SphereSurface;

use carom_base::Scalar;

use crate::piece::{Asked, Moments};

/// Returns whether a piece at that least height is wholly above the support; if not, sets its moments to undefined.
fn above<S: Scalar>(least: f64, out: &mut [Moments<S>]) -> bool {
    let above = least > 0.0 && least.is_finite();
    if !above {
        out.iter_mut().for_each(|out| *out = Moments::undefined());
    }
    above
}

/// Computes every set of moments asked for; one that is asked for twice is computed once.
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
