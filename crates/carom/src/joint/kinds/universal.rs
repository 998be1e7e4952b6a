//! A Cardan joint: p_a = p_b, z_a ⟂ y_b. Four equations; the angles about z_a and about y_b are free.

use std::sync::Arc;

use carom_base::Entry;

use crate::coordinate::{Coordinate, Direction, Measured};
use crate::joint::{Equations, Frames, Glyph, JointKind, Slip};

/// A Cardan joint: the bodies share a point; the first axis, which is fixed to A, stays perpendicular to the second
/// axis, which is fixed to B.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Universal;

impl Universal {
    pub(super) const ENTRY: Entry<Arc<dyn JointKind>> = Entry {
        name: "universal",
        summary: "a Cardan joint: the bodies share a point, an axis of the first stays square to one of the second",
        params: &[],
        build: |_| Ok(Arc::new(Universal)),
    };
}

/// The angle about the axis of A, measured from the second axis [rad].
const ABOUT_FIRST: Coordinate = Coordinate { measured: Measured::AboutFirst, ..Coordinate::ANGLE };

impl JointKind for Universal {
    fn name(&self) -> &'static str {
        "universal"
    }
    fn has_axis(&self) -> bool {
        true
    }
    fn has_second_axis(&self) -> bool {
        true
    }

    fn slips(&self) -> &'static [&'static [Slip]] {
        &[&[Slip::TurnOfA(Direction::Z)], &[Slip::Turn(Direction::Y)]]
    }

    fn coordinates(&self) -> &'static [Coordinate] {
        &[ABOUT_FIRST, Coordinate::SECOND_ANGLE]
    }
    fn glyph(&self) -> Glyph {
        Glyph::Octahedron { radius: 1.35 }
    }
    fn constrain(&self, _: &Frames, e: &mut Equations) {
        e.meet();
        e.square(Direction::Z, Direction::Y);
    }
}
