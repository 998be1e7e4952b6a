//! A point on a plane: (p_a − p_b)·z_b = 0. One equation.

use std::sync::Arc;

use carom_base::Entry;

use crate::coordinate::{Coordinate, Direction};
use crate::joint::{Equations, Frames, Glyph, JointKind, Slip};

/// A point of A stays on a plane of B, whose normal is the axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointOnPlane;

impl PointOnPlane {
    pub(super) const ENTRY: Entry<Arc<dyn JointKind>> = Entry {
        name: "point-on-plane",
        summary: "a point of the first body stays on a plane of the second, across its axis",
        params: &[],
        build: |_| Ok(Arc::new(PointOnPlane)),
    };
}

impl JointKind for PointOnPlane {
    fn name(&self) -> &'static str {
        "point-on-plane"
    }
    fn has_axis(&self) -> bool {
        true
    }
    fn slips(&self) -> &'static [&'static [Slip]] {
        &[&[Slip::Slide(Direction::X), Slip::Slide(Direction::Y)]]
    }
    fn coordinates(&self) -> &'static [Coordinate] {
        &[Coordinate::X, Coordinate::Y]
    }
    fn glyph(&self) -> Glyph {
        Glyph::Box { edges: [3.0, 3.0, 0.6] }
    }
    fn constrain(&self, _: &Frames, e: &mut Equations) {
        e.stay(Direction::Z);
    }
}
