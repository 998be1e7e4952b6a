//! A bead on a wire: (p_a − p_b) ∥ z_b. Two equations; the displacement along z is free.

use std::sync::Arc;

use carom_base::Entry;

use crate::coordinate::{Coordinate, Direction};
use crate::joint::{Equations, Frames, Glyph, JointKind, Slip};

/// A point of A stays on a line of B.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointOnLine;

impl PointOnLine {
    pub(super) const ENTRY: Entry<Arc<dyn JointKind>> = Entry {
        name: "point-on-line",
        summary: "a point of the first body stays on a line of the second, its axis",
        params: &[],
        build: |_| Ok(Arc::new(PointOnLine)),
    };
}

impl JointKind for PointOnLine {
    fn name(&self) -> &'static str {
        "point-on-line"
    }
    fn has_axis(&self) -> bool {
        true
    }
    fn slips(&self) -> &'static [&'static [Slip]] {
        &[&[Slip::Slide(Direction::Z)]]
    }
    fn coordinates(&self) -> &'static [Coordinate] {
        &[Coordinate::DISPLACEMENT]
    }
    fn glyph(&self) -> Glyph {
        Glyph::Cylinder { radius: 0.75, length: 3.4 }
    }
    fn constrain(&self, _: &Frames, e: &mut Equations) {
        e.stay(Direction::X);
        e.stay(Direction::Y);
    }
}
