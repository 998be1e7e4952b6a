//! A slide: (p_a − p_b) ∥ z_b, and no relative rotation. Five equations; the displacement along z is free.

use std::sync::Arc;

use carom_base::Entry;

use crate::coordinate::{Coordinate, Direction};
use crate::joint::{Equations, Frames, Glyph, JointKind, Slip};

/// A slide: one body moves along an axis of the other without turning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prismatic;

impl Prismatic {
    pub(super) const ENTRY: Entry<Arc<dyn JointKind>> = Entry {
        name: "prismatic",
        summary: "a slide: one body goes along an axis of the other without turning",
        params: &[],
        build: |_| Ok(Arc::new(Prismatic)),
    };
}

impl JointKind for Prismatic {
    fn name(&self) -> &'static str {
        "prismatic"
    }
    fn has_axis(&self) -> bool {
        true
    }
    fn has_point(&self) -> bool {
        false
    }

    fn slips(&self) -> &'static [&'static [Slip]] {
        &[&[Slip::Slide(Direction::Z)]]
    }

    fn coordinates(&self) -> &'static [Coordinate] {
        &[Coordinate::DISPLACEMENT]
    }
    fn glyph(&self) -> Glyph {
        Glyph::Box { edges: [1.5, 1.5, 3.4] }
    }
    fn constrain(&self, _: &Frames, e: &mut Equations) {
        e.stay(Direction::X);
        e.stay(Direction::Y);
        e.lock();
    }
}
