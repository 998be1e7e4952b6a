//! A ball joint: p_a = p_b. Three equations.

use std::sync::Arc;

use carom_base::Entry;

use crate::coordinate::{Coordinate, Direction};
use crate::joint::{Equations, Frames, JointKind, Slip};

/// A ball joint: the bodies share a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spherical;

impl Spherical {
    pub(super) const ENTRY: Entry<Arc<dyn JointKind>> = Entry {
        name: "spherical",
        summary: "a point of one body is a point of the other: a ball joint",
        params: &[],
        build: |_| Ok(Arc::new(Spherical)),
    };
}

impl JointKind for Spherical {
    fn name(&self) -> &'static str {
        "spherical"
    }

    fn slips(&self) -> &'static [&'static [Slip]] {
        &[&[Slip::Turn(Direction::X), Slip::Turn(Direction::Y), Slip::Turn(Direction::Z)]]
    }

    fn limited(&self) -> &'static [Coordinate] {
        &[Coordinate::SWING]
    }
    fn constrain(&self, _: &Frames, e: &mut Equations) {
        e.meet();
    }
}
