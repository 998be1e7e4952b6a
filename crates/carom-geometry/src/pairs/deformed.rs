//! Pairs of which one surface deforms, and the curvature where it does.

use carom_base::{Mat3, Vec3};

use super::{SHARP, Swapped, solid};
use crate::bend::Bend;
use crate::contact::{Curvature, RelativeCurvature};
use crate::error::GeometryError;
use crate::pair::{BoundPair, PairSolver};
use crate::shape::Shape;
use crate::surfaces::{Ellipsoid, Sphere};

/// Binds two shapes of which one is deformed to the first of these algorithms that is right for that ([`PairSolver::deforms`]): the axes of its
/// pose are then F instead of a rotation.
///
/// ```
/// use carom_base::{Mat3, Pose, Vec3};
/// use carom_geometry::{Shape, pairs, surfaces::{Plane, Sphere}};
/// let (floor, ball) = (Shape::outside(Plane), Shape::outside(Sphere::new(0.5)?)); // [m]
/// let pair = pairs::bind_deformed(pairs::ALL.iter().copied(), &floor, &ball, [false, true])?;
/// // pressed flat to 0.8 of its height
/// let f = Mat3::from_diagonal(&Vec3::new(0.8f64.powf(-0.5), 0.8f64.powf(-0.5), 0.8));
/// let contact = pair.contact(0, &Pose::identity(), &Pose { p: Vec3::new(0.0, 0.0, 0.39), r: f })?;
/// assert!((contact.delta - 0.01).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn bind_deformed<'s>(
    solvers: impl Iterator<Item = &'s dyn PairSolver>,
    a: &Shape,
    b: &Shape,
    deforms: [bool; 2],
) -> Result<Box<dyn BoundPair>, GeometryError> {
    let (still, soft) = if deforms[0] { (b, a) } else { (a, b) };
    let soft = stretchable(soft);
    let mut able = solvers.filter(|s| s.deforms() && deforms != [true; 2]);
    let refused = || GeometryError::Deformed {
        a: a.describe(),
        b: b.describe(),
        which: match deforms {
            [true, true] => "both deform",
            [true, false] => "the first deforms",
            _ => "the second deforms",
        },
    };
    let pair = able.find_map(|solver| solver.bind(still, &soft)).ok_or_else(refused)?;
    Ok(if deforms[0] { Box::new(Swapped(pair)) } else { pair })
}

/// The surface with measures of its own along every axis: a ball that deforms is an ellipsoid.
fn stretchable(shape: &Shape) -> Shape {
    let equal = |ball: &Sphere| Ellipsoid::new([ball.radius(); 3]).ok();
    solid::<Sphere>(shape).and_then(equal).map_or_else(|| shape.clone(), Shape::outside)
}

/// The relative curvature of a surface deformed by F = `axes`, where its outward normal was `m` and its curvatures `k`, with one that is `other`
/// all round [1/m].
pub(super) fn curvature(k: &Curvature, m: &Vec3, axes: &Mat3, other: f64) -> RelativeCurvature {
    let [greater, smaller] = Bend::deformed(m, k, axes).k;
    match (greater + smaller).is_finite() {
        true => RelativeCurvature::point(smaller + other, greater + other),
        // an edge stays one
        false => SHARP,
    }
}
