//! A rod between two points, without mass: |p_a − p_b| = l. One equation, (|p_a − p_b|² − l²)/2l = 0.
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | l | m | length; the distance as the bodies start, unless given |

use std::sync::Arc;

use carom_base::param::Allowed;
use carom_base::{Entry, Param, Quantity};

use crate::joint::{Equations, Frames, Glyph, JointKind};

/// A rod without mass between two points.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DistanceJoint {
    /// [m]; the distance as the bodies start, unless given
    pub length: Option<f64>,
}

const LENGTH: Param = Param::optional(
    "length",
    Quantity::Length,
    Allowed::Positive,
    "the distance as the bodies start",
    "distance of the two points",
);

impl DistanceJoint {
    pub(super) const ENTRY: Entry<Arc<dyn JointKind>> = Entry {
        name: "distance",
        summary: "a rod without mass between a point of one body and a point of the other",
        params: &[LENGTH],
        build: |args| Ok(Arc::new(DistanceJoint { length: args.number(LENGTH.name) })),
    };
}

impl JointKind for DistanceJoint {
    fn name(&self) -> &'static str {
        "distance"
    }

    fn has_two_points(&self) -> bool {
        true
    }

    fn glyph(&self) -> Glyph {
        Glyph::Rod { radius: 0.45 }
    }
    fn constrain(&self, frames: &Frames, e: &mut Equations) {
        e.length(self.length.unwrap_or(frames.distance()));
    }
}
