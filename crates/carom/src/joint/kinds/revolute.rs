//! A hinge: p_a = p_b, z_a ∥ z_b. Five equations; the angle about z is free.

use std::sync::Arc;

use carom_base::Entry;

use crate::coordinate::{Coordinate, Direction};
use crate::joint::{Equations, Frames, Glyph, JointKind, Slip};

/// A hinge: the bodies share a point and an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Revolute;

impl Revolute {
    pub(super) const ENTRY: Entry<Arc<dyn JointKind>> = Entry {
        name: "revolute",
        summary: "a hinge: the bodies share a point and an axis",
        params: &[],
        build: |_| Ok(Arc::new(Revolute)),
    };
}

impl JointKind for Revolute {
    fn name(&self) -> &'static str {
        "revolute"
    }
    fn has_axis(&self) -> bool {
        true
    }
    fn slips(&self) -> &'static [&'static [Slip]] {
        &[&[Slip::Turn(Direction::Z)]]
    }
    fn coordinates(&self) -> &'static [Coordinate] {
        &[Coordinate::ANGLE]
    }
    fn glyph(&self) -> Glyph {
        Glyph::Cylinder { radius: 1.0, length: 2.6 }
    }
    fn constrain(&self, _: &Frames, e: &mut Equations) {
        e.meet();
        e.align();
    }
}
