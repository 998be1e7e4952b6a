//! A point of a boundary with its area and normal.

use carom_base::{Pose, Vec3};

/// A node of a boundary.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    /// its position [m]
    pub x: Vec3,
    /// outward unit normal there
    pub normal: Vec3,
    /// the area that it stands for [m²]
    pub area: f64,
}

impl Node {
    /// Returns the node in the frame in which its own frame has that pose.
    pub fn moved(&self, at: &Pose) -> Node {
        Node { x: at.point(&self.x), normal: at.direction(&self.normal), area: self.area }
    }
}
