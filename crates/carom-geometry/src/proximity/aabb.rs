//! Boxes along the axes of the world.

use carom_base::{Pose, Vec3};

use crate::shape::{Bounds, Shape, Side};

/// A box along the axes of the world; it may be infinite.
///
/// ```
/// use carom_geometry::{Vec3, proximity::Aabb};
/// let a = Aabb::of_sphere(&Vec3::zeros(), 1.0); // [m]
/// let b = Aabb::of_sphere(&Vec3::new(2.5, 0.0, 0.0), 1.0);
/// assert!(!a.overlaps(&b));
/// assert!(a.overlaps(&Aabb::of_sphere(&Vec3::new(2.5, 0.0, 0.0), 1.5)));
/// assert_eq!(a.merge(&b).max.x, 3.5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// the corner with the least coordinates [m]
    pub min: Vec3,
    /// the corner with the largest coordinates [m]
    pub max: Vec3,
}

impl Aabb {
    /// The box of all space.
    pub fn everything() -> Aabb {
        Aabb { min: Vec3::repeat(f64::NEG_INFINITY), max: Vec3::repeat(f64::INFINITY) }
    }

    /// The box around a ball [m]; a negative radius counts as zero.
    #[inline]
    pub fn of_sphere(centre: &Vec3, radius: f64) -> Aabb {
        let r = Vec3::repeat(if radius < 0.0 { 0.0 } else { radius });
        Aabb { min: centre - r, max: centre + r }
    }

    /// The box around the bounds of a surface whose frame is at `x`.
    #[inline]
    pub fn of_bounds(bounds: &Bounds, x: &Pose) -> Aabb {
        Aabb::of_sphere(&x.point(&bounds.centre), bounds.radius)
    }

    /// The smallest box around a shape whose frame is at `x`, by its furthest points along the axes; of a surface without such, the box around its
    /// bounds. A cavity's solid has no end, and neither has its box.
    ///
    /// ```
    /// use carom_geometry::{Pose, Quat, Shape, Vec3, proximity::Aabb, surfaces::Cuboid};
    /// let brick = Shape::outside(Cuboid::new([2.0, 2.0, 6.0])?); // full lengths [m]
    /// let turned = Quat::from_axis_angle(&Vec3::x_axis(), std::f64::consts::FRAC_PI_2);
    /// let around = Aabb::of(&brick, &Pose::new(Vec3::new(0.0, 5.0, 0.0), &turned));
    /// assert!((around.min - Vec3::new(-1.0, 2.0, -1.0)).norm() < 1e-15);
    /// assert!((around.max - Vec3::new(1.0, 8.0, 1.0)).norm() < 1e-15);
    /// # Ok::<(), carom_geometry::GeometryError>(())
    /// ```
    pub fn of(shape: &Shape, x: &Pose) -> Aabb {
        match (shape.side, shape.surface.as_support()) {
            (Side::Inside, _) => Aabb::everything(),
            (Side::Outside, None) => Aabb::of_bounds(&shape.surface.bounds(), x),
            (Side::Outside, Some(support)) => {
                // along the axis i: m = Rᵀ e_i, the row i of R
                let furthest = |i: usize, sign: f64| {
                    let m = x.r.row(i).transpose();
                    x.p[i] + m.dot(&support.support(&(m * sign)))
                };
                Aabb {
                    min: Vec3::from_fn(|i, _| furthest(i, -1.0)),
                    max: Vec3::from_fn(|i, _| furthest(i, 1.0)),
                }
            }
        }
    }

    /// Whether the two have a point in common.
    ///
    /// A box with a coordinate that is not a number overlaps all others along that axis: better to look
    /// at a pair in vain than to lose a contact.
    #[inline]
    pub fn overlaps(&self, other: &Aabb) -> bool {
        (0..3).all(|i| self.overlaps_along(i, other))
    }

    /// Whether their shadows on the axis `i` (0 to 2) have a point in common.
    #[inline(always)]
    pub fn overlaps_along(&self, i: usize, other: &Aabb) -> bool {
        let (apart, apart_too) = (self.max[i] < other.min[i], other.max[i] < self.min[i]);
        !apart && !apart_too
    }

    /// The smallest box that holds both.
    pub fn merge(&self, other: &Aabb) -> Aabb {
        Aabb { min: self.min.inf(&other.min), max: self.max.sup(&other.max) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn touching_boxes_overlap() {
        let a = Aabb { min: Vec3::zeros(), max: Vec3::repeat(1.0) };
        let b = Aabb { min: Vec3::repeat(1.0), max: Vec3::repeat(2.0) };
        assert!(a.overlaps(&b) && b.overlaps(&a));
        assert!(!a.overlaps(&Aabb { min: Vec3::repeat(1.1), ..b }));
    }

    #[test]
    fn an_endless_surface_overlaps_all() {
        let all =
            Aabb::of_bounds(&Bounds { centre: Vec3::zeros(), radius: f64::INFINITY }, &Pose::identity());
        assert_eq!(all, Aabb::everything());
        assert!(all.overlaps(&Aabb::of_sphere(&Vec3::repeat(1e300), 0.0)));
        assert!(all.overlaps(&Aabb::of_sphere(&Vec3::repeat(f64::NAN), 1.0)));
    }

    #[test]
    fn merging_holds_both() {
        let a = Aabb::of_sphere(&Vec3::new(1.0, 2.0, 3.0), 0.5);
        let b = Aabb::of_sphere(&Vec3::new(-1.0, 4.0, 3.0), 1.0);
        let both = a.merge(&b);
        assert_eq!((both.min, both.max), (Vec3::new(-2.0, 1.5, 2.0), Vec3::new(1.5, 5.0, 4.0)));
    }
}
