//! Where a copy or a part goes: turned, moved, or mirrored.

use carom_base::{Quat, Vec3, rotation_about};
use nalgebra::{Quaternion, Unit};

/// A motion of space, or a reflection: x ↦ rotation · mirror(x) + shift.
#[derive(Clone, Debug)]
pub(super) struct Placement {
    rotation: Option<Quat>,
    shift: Vec3,
    /// unit normal of the plane through the origin that everything is mirrored in first
    mirror: Option<Vec3>,
}

/// How the points of a body's frame go from a body to its copy.
#[derive(Clone, Debug)]
pub(super) enum Local {
    /// the body goes with the copy
    Same,
    /// the body is mirrored, in the plane with this unit normal in its own frame
    Mirrored(Vec3),
    /// the body stays as it is, and the point on it goes; its position and orientation
    Stays(Placement, Vec3, Quat),
}

/// Returns a vector mirrored in the plane through the origin with this unit normal.
pub(super) fn reflected(n: &Vec3, v: &Vec3) -> Vec3 {
    v - n * (2.0 * n.dot(v))
}

impl Placement {
    pub(super) fn shift(shift: Vec3) -> Placement {
        Placement { rotation: None, shift, mirror: None }
    }

    /// A rotation about an axis through a point.
    pub(super) fn about(point: &Vec3, axis: &Unit<Vec3>, angle: f64) -> Placement {
        if angle == 0.0 {
            return Placement::shift(Vec3::zeros());
        }
        Placement::turned(point, rotation_about(axis, angle), Vec3::zeros())
    }

    /// A rotation about a point, then a displacement.
    pub(super) fn turned(point: &Vec3, rotation: Quat, displacement: Vec3) -> Placement {
        Placement { rotation: Some(rotation), shift: point - rotation * point + displacement, mirror: None }
    }

    /// A rotation about the origin, then a displacement.
    pub(super) fn moved(rotation: Option<Quat>, shift: Vec3) -> Placement {
        Placement { rotation, shift, mirror: None }
    }

    /// The reflection in a plane.
    pub(super) fn mirrored(point: &Vec3, normal: &Unit<Vec3>) -> Placement {
        let n = normal.into_inner();
        Placement { rotation: None, shift: n * (2.0 * n.dot(point)), mirror: Some(n) }
    }

    /// Returns whether nothing moves.
    pub(super) fn is_identity(&self) -> bool {
        self.is_shift() && self.shift == Vec3::zeros()
    }

    /// Returns whether everything is only displaced.
    pub(super) fn is_shift(&self) -> bool {
        self.rotation.is_none() && self.mirror.is_none()
    }

    pub(super) fn is_mirrored(&self) -> bool {
        self.mirror.is_some()
    }

    /// Returns where a point goes.
    pub(super) fn point(&self, x: &Vec3) -> Vec3 {
        self.polar(x) + self.shift
    }

    /// Returns the image of a vector such as a velocity or a force.
    pub(super) fn polar(&self, v: &Vec3) -> Vec3 {
        let v = self.mirror.map_or(*v, |n| reflected(&n, v));
        self.rotation.map_or(v, |q| q * v)
    }

    /// Returns the image of a vector such as an angular velocity or a couple: mirrored, it turns the other way round.
    pub(super) fn axial(&self, v: &Vec3) -> Vec3 {
        let image = self.polar(v);
        if self.is_mirrored() { -image } else { image }
    }

    /// Returns the orientation of a copy. A mirrored body keeps its axes; its shape is mirrored within them.
    pub(super) fn orientation(&self, q: &Quat) -> Quat {
        self.rotation.map_or(*q, |turn| turn * q)
    }

    /// Returns how points of a body's frame go, for a body that is copied.
    pub(super) fn local(&self, orientation: &Quat) -> Local {
        self.mirror.map_or(Local::Same, |n| Local::Mirrored(orientation.inverse() * n))
    }
}

impl Local {
    /// Returns the image of a point in the body's frame.
    pub(super) fn point(&self, p: &Vec3) -> Vec3 {
        match self {
            Local::Same => *p,
            Local::Mirrored(m) => reflected(m, p),
            Local::Stays(placement, x, q) => q.inverse() * (placement.point(&(x + q * p)) - x),
        }
    }

    /// Returns the image of a direction in the body's frame.
    pub(super) fn polar(&self, v: &Vec3) -> Vec3 {
        match self {
            Local::Same => *v,
            Local::Mirrored(m) => reflected(m, v),
            Local::Stays(placement, _, q) => q.inverse() * placement.polar(&(q * v)),
        }
    }

    /// Returns the image of an axis of rotation in the body's frame.
    pub(super) fn axial(&self, v: &Vec3) -> Vec3 {
        match self {
            Local::Mirrored(_) => -self.polar(v),
            Local::Stays(placement, ..) if placement.is_mirrored() => -self.polar(v),
            _ => self.polar(v),
        }
    }
}

/// Returns the orientation of a surface on a body that is mirrored in the plane with normal m, for a surface that is its own
/// mirror image in x of its frame. A reflection is the negative of half a turn about its normal, and the two negatives of
/// M Q L cancel: M Q L = T(m) Q T(x), T(n) half a turn about n.
pub(super) fn mirrored_surface(m: &Vec3, q: &Quat) -> Quat {
    let half_turn = |n: &Vec3| Quaternion::from_parts(0.0, *n);
    let q = half_turn(m) * q.into_inner() * half_turn(&Vec3::x());
    Unit::new_normalize(if q.w < 0.0 { -q } else { q })
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_base::Mat3;

    #[test]
    fn a_mirrored_surface_is_the_image_of_the_surface() {
        let m = Unit::new_normalize(Vec3::new(1.0, -2.0, 0.5));
        let q = rotation_about(&Unit::new_normalize(Vec3::new(0.3, 1.0, 2.0)), 1.2);
        let reflection = Mat3::identity() - m.into_inner() * m.transpose() * 2.0;
        let flip = Mat3::from_diagonal(&Vec3::new(-1.0, 1.0, 1.0));
        let wanted = reflection * q.to_rotation_matrix().into_inner() * flip;
        let is = mirrored_surface(&m, &q).to_rotation_matrix().into_inner();
        assert!((is - wanted).norm() < 1e-15 * 10.0, "{is} {wanted}");
    }

    #[test]
    fn a_point_on_a_body_that_stays_goes_with_the_copy() {
        let place = Placement::about(&Vec3::new(1.0, 2.0, 3.0), &Vec3::z_axis(), 0.7);
        let (x, q) = (Vec3::new(0.1, 0.2, 0.3), rotation_about(&Vec3::y_axis(), 0.4));
        let p = Vec3::new(0.5, -0.5, 0.25);
        let image = Local::Stays(place.clone(), x, q).point(&p);
        assert!((x + q * image - place.point(&(x + q * p))).norm() < 1e-15 * 8.0);
    }
}
