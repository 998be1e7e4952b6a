//! A screw: (p_a − p_b) ∥ z_b, z_a ∥ z_b, and z = h θ/2π. Five equations; the angle about z is free.
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | z | m | displacement along the axis |
//! | θ | rad | angle about it, full turns counted |
//! | h | m | pitch: the displacement along z per turn; negative for a left-hand thread |

use std::sync::Arc;

use carom_base::param::Allowed;
use carom_base::{Entry, Param, Quantity};

use crate::coordinate::{Coordinate, Direction};
use crate::joint::{Equations, Frames, Glyph, JointKind, Slip};

/// A screw: one body moves along an axis of the other as it turns about it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Screw {
    /// the displacement along the axis per turn [m]; negative for a left-hand thread
    pub pitch: f64,
}

const PITCH: Param = Param::required(
    "pitch",
    Quantity::Length,
    Allowed::Finite,
    "way along the axis a turn; below zero, a left-hand thread",
);

impl Screw {
    pub(super) const ENTRY: Entry<Arc<dyn JointKind>> = Entry {
        name: "screw",
        summary: "one body goes along an axis of the other as it turns about it",
        params: &[PITCH],
        build: |args| Ok(Arc::new(Screw { pitch: args.number(PITCH.name).unwrap_or_default() })),
    };
}

impl JointKind for Screw {
    fn name(&self) -> &'static str {
        "screw"
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
        e.screw(self.pitch);
    }
}
