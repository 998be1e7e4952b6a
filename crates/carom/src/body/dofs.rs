//! The directions in which a body can move.

use carom_base::Vec3;

use crate::error::{BuildError, Subject};

/// A direction in which a body can move, world frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dof {
    /// translation along x
    X,
    /// translation along y
    Y,
    /// translation along z
    Z,
    /// rotation about x
    Rx,
    /// rotation about y
    Ry,
    /// rotation about z
    Rz,
}

impl Dof {
    /// All variants with their names in scene files.
    pub const ALL: [(&'static str, Dof); 6] =
        [("x", Dof::X), ("y", Dof::Y), ("z", Dof::Z), ("rx", Dof::Rx), ("ry", Dof::Ry), ("rz", Dof::Rz)];
}

/// The free directions of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dofs {
    /// 1 where the body can move along a world axis, 0 where it cannot
    pub translation: Vec3,
    /// the free rotations
    pub rotation: Rotation,
}

/// The free rotations of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rotation {
    /// all rotations
    Free,
    /// no rotation
    None,
    /// rotation about one world axis, a unit vector
    About(Vec3),
}

impl Dofs {
    /// All six directions.
    pub const FREE: Dofs = Dofs { translation: Vec3::new(1.0, 1.0, 1.0), rotation: Rotation::Free };

    pub(crate) fn new(body: &str, list: Option<&[Dof]>) -> Result<Dofs, BuildError> {
        let Some(list) = list else { return Ok(Dofs::FREE) };
        let mut translation = Vec3::zeros();
        let mut axes: Vec<Vec3> = Vec::new();
        for dof in list {
            match dof {
                Dof::X => translation.x = 1.0,
                Dof::Y => translation.y = 1.0,
                Dof::Z => translation.z = 1.0,
                Dof::Rx => axes.push(Vec3::x()),
                Dof::Ry => axes.push(Vec3::y()),
                Dof::Rz => axes.push(Vec3::z()),
            }
        }
        axes.sort_by(|a, b| a.as_slice().partial_cmp(b.as_slice()).unwrap_or(std::cmp::Ordering::Equal));
        axes.dedup();
        let rotation = match axes.as_slice() {
            [] => Rotation::None,
            [axis] => Rotation::About(*axis),
            [_, _, _] => Rotation::Free,
            _ => {
                let why = "`dofs` names two rotations; allowed: none, one or all three of rx, ry, rz";
                return Err(Subject::Body(body.to_owned()).impossible(Some("dofs"), why));
            }
        };
        Ok(Dofs { translation, rotation })
    }

    /// Returns the allowed part of an angular velocity.
    pub(crate) fn allowed_rotation(&self, w: &Vec3) -> Vec3 {
        match self.rotation {
            Rotation::Free => *w,
            Rotation::None => Vec3::zeros(),
            Rotation::About(axis) => axis * axis.dot(w),
        }
    }
}
