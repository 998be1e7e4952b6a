//! Whether a distance that another algorithm found is certainly that of two convex solids.

use carom_base::{Pose, Vec3};

use super::couple::Couple;
use super::newton::Normal;
use super::{SURE, bounds};
use crate::contact::Contact;
use crate::shape::{Project, Shape, Side, Support};
use crate::surfaces::Plane;

/// Bounds of the signed distance [m] that meet at what was found: the tangent planes across its normal are so far apart, and its points, or those of the solids' cores, no further.
/// Nothing, where the solids are deeper in one another than their cores allow, or where one is not convex.
pub(crate) fn certificate(
    a: &Shape,
    b: &Shape,
    x_a: &Pose,
    x_b: &Pose,
    contact: &Contact,
) -> Option<[f64; 2]> {
    if a.side == Side::Inside || b.side == Side::Inside {
        return None;
    }
    let is_plane = |shape: &Shape| shape.surface.as_any().is::<Plane>();
    let (found, size, [low, high]) = match (a.surface.as_support(), b.surface.as_support()) {
        (Some(one), Some(other)) => {
            let couple = Couple::new(one, other, x_a, x_b);
            let [p, q] = [contact.p_a, contact.p_b].map(|p| x_a.point_to_local(&p));
            let (low, by_cores) = bounds(&couple, &Normal { n: x_a.direction_to_local(&contact.n), p, q });
            let beyond = beyond(a, x_a, &contact.p_a) + beyond(b, x_b, &contact.p_b);
            (-contact.delta, couple.size, [low, (q - p).norm().min(by_cores) + beyond])
        }
        (None, Some(other)) if is_plane(a) => (-contact.delta, other.bounds().radius, above(x_a, other, x_b)),
        (Some(one), None) if is_plane(b) => (-contact.delta, one.bounds().radius, above(x_b, one, x_a)),
        _ => return None,
    };
    let (low, high) = (low.min(found), high.max(found));
    (high - low <= SURE * size).then_some([low, high])
}

/// How far a point is outside a solid [m]; none, within it.
fn beyond(shape: &Shape, x: &Pose, p: &Vec3) -> f64 {
    let height = |project: &dyn Project| project.closest_point(Side::Outside, 0, &x.point_to_local(p)).d;
    shape.surface.as_project().map_or(0.0, height).max(0.0)
}

/// The height of a solid's lowest point above a plane, which is both bounds of it.
fn above(x_plane: &Pose, solid: &dyn Support, x: &Pose) -> [f64; 2] {
    let down = -x.direction_to_local(&x_plane.axis(2));
    [x_plane.point_to_local(&x.point(&solid.support(&down))).z; 2]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs;
    use crate::surfaces::{Cuboid, Sphere, Torus};

    /// The distance is certain, one between other points is not, nor is one that is too small.
    #[test]
    fn only_the_nearest_points_have_one() {
        let brick = Shape::outside(Cuboid::new([2.0, 2.0, 2.0]).unwrap());
        let ball = Shape::outside(Sphere::new(0.5).unwrap());
        for z in [3.0, 1.5, 1.2] {
            let [x_a, x_b] = [Pose::identity(), Pose::at(Vec3::new(0.2, -0.3, z))];
            let found = pairs::bind(&brick, &ball).unwrap().closest(&x_a, &x_b).unwrap();
            let [low, high] = certificate(&brick, &ball, &x_a, &x_b, &found).unwrap();
            assert!((low - (z - 1.5)).abs() < 1e-15 && (high - low).abs() < 1e-15, "{low} {high}");
            let p_a = Vec3::new(0.3, -0.3, 1.0);
            let apart = x_b.p - p_a;
            let (n, d) = (apart.normalize(), apart.norm() - 0.5);
            let aside = Contact { p_a, p_b: p_a + n * d, n, delta: -d, ..found };
            assert_eq!(certificate(&brick, &ball, &x_a, &x_b, &aside), None);
            let less = Contact { p_b: found.p_b - found.n * 1e-9, delta: found.delta + 1e-9, ..found };
            assert_eq!(certificate(&brick, &ball, &x_a, &x_b, &less), None);
        }
        let ring = Shape::outside(Torus::new(3.0, 1.0).unwrap());
        let x = [Pose::identity(), Pose::at(Vec3::new(9.0, 0.0, 0.0))];
        let found = pairs::bind(&ring, &ball).unwrap().closest(&x[0], &x[1]).unwrap();
        assert_eq!(certificate(&ring, &ball, &x[0], &x[1], &found), None);
    }
}
