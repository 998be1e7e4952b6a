//! Pressure over the patch where two solids overlap.
//!
//! Two solids A and B, each covered with an elastic layer, overlap. What is stored is (per unit of the stiffness of both layers in series, [N/m³])
//!
//! U = s_A ∫ d_A dV + s_B ∫ d_B dV over A ∩ B,
//!
//! d_A, d_B being the depths of a point below the surfaces of A and B, the distances to their nearest points, and s_A + s_B = 1. As A moves by u, the region A ∩ B changes where its boundary is A's surface, by
//! n_A·u, and d_A goes with A; so the force on A is −∫ s_B d_B n_A dS over A's surface within B plus ∫ s_A d_A n_B dS over B's surface within A, at each point as a pressure, and on B the opposite. A rigid A is the
//! case s_B = 1.
//!
//! Checked: `tests/pressure.rs`, `tests/pressure_curved.rs`, `tests/pressure_mesh.rs`.

mod body;
mod cells;
mod chart;
mod curved;
mod depth;
mod energy;
mod flat;
mod flux;
mod grid;
mod gauss;
mod implicit;
mod layer;
mod lines;
mod patch;
mod polygon;
mod roots;
mod star;

use std::fmt::Debug;

use carom_base::Pose;

use crate::contact::Contact;
use crate::error::PairFailure;

pub(crate) use energy::work;
pub(crate) use layer::{AROUND, Fineness};
pub(crate) use patch::{Patch, WhichSide};

/// The integral of pressure over a contact patch.
///
/// ```
/// use carom_geometry::{Pose, Shape, Vec3, pairs, pairs::pressure::Pressure, surfaces::{Cuboid, Plane}};
/// let solver = Pressure::new([1.0, 0.0])?; // a rigid brick
/// let (floor, brick) = (Shape::outside(Plane), Shape::outside(Cuboid::new([0.2, 0.1, 0.05])?)); // [m]
/// let pair = pairs::bind_by(&solver, &floor, &brick)?;
/// let (mut points, at) = (Vec::new(), Pose::at(Vec3::new(0.0, 0.0, 0.024))); // 1 mm deep
/// let patch = pair.patch().unwrap();
/// patch.points(&Pose::identity(), &at, &mut points)?;
/// let force: Vec3 = points.iter().map(|c| c.n * (c.share * c.delta)).sum(); // on B, per stiffness [m³]
/// assert!((force - Vec3::new(0.0, 0.0, 0.2 * 0.1 * 0.001)).norm() < 1e-18);
/// assert!((patch.stored(&Pose::identity(), &at)? - 0.5 * 0.2 * 0.1 * 0.001 * 0.001).abs() < 1e-20); // [m⁴]
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait PressurePatch: Debug + Send + Sync {
    /// Replaces `points` by points of the integral: those on A's surface within B and on B's surface within A. Each is a [`Contact`] with `p_a` = `p_b` = the point, `n` the unit
    /// vector out of A into B (A's outward normal on A's surface, minus B's on B's), `delta` the depth in the other solid [m], `share` the area it stands for times s_B (on A's
    /// surface) or s_A (on B's) [m²]. A side whose weight is 0 is left out.
    ///
    /// The sums are exact for flat facets in solids with flat faces, else as accurate as was asked for.
    fn points(&self, x_a: &Pose, x_b: &Pose, points: &mut Vec<Contact>) -> Result<(), PairFailure>;
    /// s_A ∫ d_A dV + s_B ∫ d_B dV over what both solids share [m⁴].
    fn stored(&self, x_a: &Pose, x_b: &Pose) -> Result<f64, PairFailure>;
}
