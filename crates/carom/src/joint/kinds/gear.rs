//! A gear between two joints: q₁ + i q₂ is constant, with q₁ and q₂ the coordinates that the joints leave free. One
//! equation.
//!
//! Two hinges make a pair of wheels (i = r₂/r₁ for external meshing, −r₂/r₁ for internal meshing or a belt), a slide
//! and a hinge make a rack and pinion (i = ±r), two slides make a tackle.
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | q₁, q₂ | rad or m | angle of a hinge (full turns counted), displacement of a slide |
//! | i | 1, m or 1/m | ratio |

use std::sync::Arc;

use carom_base::param::Allowed;
use carom_base::{Entry, Param, Quantity};

use crate::joint::{Equations, Frames, JointKind};

/// A gear between two joints: q₁ + ratio · q₂ is constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gear {
    /// the factor of the second joint's coordinate [1, m or 1/m]
    pub ratio: f64,
}

const RATIO: Param = Param::required(
    "ratio",
    Quantity::Number,
    Allowed::Finite,
    "q1 + ratio · q2 stays what it is, q1 and q2 the angles or displacements of the joints",
);

impl Gear {
    pub(super) const ENTRY: Entry<Arc<dyn JointKind>> = Entry {
        name: "gear",
        summary: "the coordinates of two joints, angles or displacements, go together",
        params: &[RATIO],
        build: |args| Ok(Arc::new(Gear { ratio: args.number(RATIO.name).unwrap_or_default() })),
    };
}

impl JointKind for Gear {
    fn name(&self) -> &'static str {
        "gear"
    }

    fn couples(&self) -> Option<f64> {
        Some(self.ratio)
    }

    fn constrain(&self, _: &Frames, _: &mut Equations) {}
}
