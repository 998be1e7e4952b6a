//! A massless rod between two points: |p_a − p_b| = l. One equation, (|p_a − p_b|² − l²)/2l = 0.
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | l | m | length; by default the distance in the initial state |

use std::sync::Arc;

use carom_base::param::Allowed;
use carom_base::{Entry, Param, Quantity};

use crate::joint::{Equations, Frames, Glyph, JointKind};

/// A massless rod between a point of one body and a point of the other.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DistanceJoint {
    /// its length [m]; by default the distance of the points in the initial state
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
