//! Bounding balls.

use carom_base::{Pose, Vec3};

use crate::shape::{Shape, Side};

/// A ball around a placed shape; its radius may be infinite.
///
/// ```
/// use carom_geometry::{Pose, Shape, Vec3, proximity::Ball, surfaces::Cuboid};
/// let brick = Shape::outside(Cuboid::new([2.0, 2.0, 1.0])?); // full lengths [m]
/// let [a, b] = [0.0, 4.0].map(|z| Ball::of(&brick, &Pose::at(Vec3::new(0.0, 0.0, z))));
/// assert_eq!((a.radius, a.gap(&b)), (1.5, 1.0));
/// # Ok::<(), carom_geometry::GeometryError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    /// in the world [m]
    pub centre: Vec3,
    /// [m]
    pub radius: f64,
}

impl Ball {
    /// The ball around a shape whose frame is at `x`: that of its bounds. A cavity's solid has no end, and neither has its ball.
    #[inline]
    pub fn of(shape: &Shape, x: &Pose) -> Ball {
        let bounds = shape.surface.bounds();
        let radius = if shape.side == Side::Inside { f64::INFINITY } else { bounds.radius };
        Ball { centre: x.point(&bounds.centre), radius }
    }

    /// How far the balls are apart [m]: what is in them is no nearer. Negative where they overlap.
    #[inline]
    pub fn gap(&self, other: &Ball) -> f64 {
        (self.centre - other.centre).norm() - self.radius - other.radius
    }

    /// Whether the two have a point in common; what is not a number does.
    #[inline]
    pub fn overlaps(&self, other: &Ball) -> bool {
        !(self.gap(other) > 0.0)
    }
}
