//! A body on a plane: (p_a − p_b)·z_b = 0, z_a ∥ z_b. Three equations; two displacements and the angle are free.

use std::sync::Arc;

use carom_base::Entry;

use crate::coordinate::{Coordinate, Direction};
use crate::joint::{Equations, Frames, Glyph, JointKind, Slip};

/// One body slides on a plane of the other, whose normal is the axis, and turns in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanarJoint;

impl PlanarJoint {
    pub(super) const ENTRY: Entry<Arc<dyn JointKind>> = Entry {
        name: "planar",
        summary: "one body slides on a plane of the other, and turns in it",
        params: &[],
        build: |_| Ok(Arc::new(PlanarJoint)),
    };
}

impl JointKind for PlanarJoint {
    fn name(&self) -> &'static str {
        "planar"
    }
    fn has_axis(&self) -> bool {
        true
    }
    fn slips(&self) -> &'static [&'static [Slip]] {
        &[&[Slip::Slide(Direction::X), Slip::Slide(Direction::Y), Slip::Turn(Direction::Z)]]
    }
    fn coordinates(&self) -> &'static [Coordinate] {
        &[Coordinate::ANGLE, Coordinate::X, Coordinate::Y]
    }
    fn glyph(&self) -> Glyph {
        Glyph::Box { edges: [3.0, 3.0, 0.6] }
    }
    fn constrain(&self, _: &Frames, e: &mut Equations) {
        e.stay(Direction::Z);
        e.align();
    }
}
