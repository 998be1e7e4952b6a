//! A rod in a sleeve: (p_a − p_b) ∥ z_b, z_a ∥ z_b. Four equations; the displacement along z and the angle about z are
//! free.

use std::sync::Arc;

use carom_base::Entry;

use crate::coordinate::{Coordinate, Direction};
use crate::joint::{Equations, Frames, Glyph, JointKind, Slip};

/// A rod in a sleeve: one body moves along an axis of the other and turns about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cylindrical;

impl Cylindrical {
    pub(super) const ENTRY: Entry<Arc<dyn JointKind>> = Entry {
        name: "cylindrical",
        summary: "one body goes along an axis of the other and turns about it",
        params: &[],
        build: |_| Ok(Arc::new(Cylindrical)),
    };
}

impl JointKind for Cylindrical {
    fn name(&self) -> &'static str {
        "cylindrical"
    }
    fn has_axis(&self) -> bool {
        true
    }
    fn slips(&self) -> &'static [&'static [Slip]] {
        &[&[Slip::Turn(Direction::Z), Slip::Slide(Direction::Z)]]
    }
    fn coordinates(&self) -> &'static [Coordinate] {
        &[Coordinate::ANGLE, Coordinate::DISPLACEMENT]
    }
    fn glyph(&self) -> Glyph {
        Glyph::Cylinder { radius: 1.0, length: 2.6 }
    }
    fn constrain(&self, _: &Frames, e: &mut Equations) {
        e.stay(Direction::X);
        e.stay(Direction::Y);
        e.align();
    }
}
