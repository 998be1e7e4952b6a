//! The depth in a convex solid with flat faces.
//!
//! With n_j·x ≤ h_j on all faces, the depth below face j is d_j = h_j − n_j·x and that below the surface d = min d_j. Where d_j is the least is the cell of face j, a convex polyhedron:
//! d_j ≥ 0 and d_k − d_j ≥ 0 for all k. Within a cell the depth is linear, so that flat facets cut by cells have integrals in closed form.

use carom_base::Vec3;

use super::polygon::Room;

/// A half space n·x ≤ h.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct HalfSpace {
    pub(crate) n: Vec3,
    pub(crate) h: f64,
}

impl HalfSpace {
    /// How far x is below its surface [m].
    #[inline]
    pub(crate) fn depth(&self, x: &Vec3) -> f64 {
        self.h - self.n.dot(x)
    }
}

/// Differences of lengths below this share of the size are those of rounding.
const ROUNDING: f64 = 4e-16;

/// A convex solid as the points that are in several half spaces.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cells {
    pub(crate) faces: Vec<HalfSpace>,
    /// lengths that count as zero [m]
    pub(crate) zero: f64,
}

impl Cells {
    /// From its faces, in a solid of that size [m].
    pub(crate) fn new(faces: Vec<HalfSpace>, size: f64) -> Cells {
        Cells { faces, zero: ROUNDING * size }
    }

    /// Cuts the polygon by the solid and then by each cell; `visit` has the number of the cell and what of the polygon is in it.
    pub(crate) fn cut(&self, whole: &mut Room, part: &mut Room, mut visit: impl FnMut(usize, &Room)) {
        for face in &self.faces {
            // what is level with the face has no depth
            if !whole.cut(0.0, false, |x| face.depth(x)) {
                return;
            }
        }
        for j in 0..self.faces.len() {
            part.start(whole.polygon().iter().copied());
            if self.cut_by_cell(j, part) {
                visit(j, part);
            }
        }
    }

    /// Leaves of a polygon within the solid what is in that cell, and says whether that is anything. A polygon in the wall between two cells belongs to that of lower number.
    fn cut_by_cell(&self, j: usize, part: &mut Room) -> bool {
        let own = &self.faces[j];
        let mut others = self.faces.iter().enumerate().filter(|(k, _)| *k != j);
        others.all(|(k, other)| part.cut(self.zero, j < k, |x| other.depth(x) - own.depth(x)))
    }

    /// Leaves of a polygon in the wall between two cells what has no other face nearer and is within the solid, and says whether that is anything.
    pub(crate) fn cut_wall(&self, cells: [usize; 2], part: &mut Room) -> bool {
        let own = &self.faces[cells[0]];
        let mut others = self.faces.iter().enumerate().filter(|(k, _)| !cells.contains(k));
        part.cut(0.0, true, |x| own.depth(x))
            && others.all(|(_, other)| part.cut(self.zero, true, |x| other.depth(x) - own.depth(x)))
    }
}
