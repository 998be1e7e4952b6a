//! A weld: p_a = p_b, no relative rotation. Six equations. Of a body that deforms, a point and the directions of its
//! axes are constrained, not its shape.

use std::sync::Arc;

use carom_base::Entry;

use crate::joint::{Equations, Frames, Glyph, JointKind};

/// A weld: neither body moves or turns relative to the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixed;

impl Fixed {
    pub(super) const ENTRY: Entry<Arc<dyn JointKind>> = Entry {
        name: "fixed",
        summary: "the bodies are one: neither moves nor turns from the other",
        params: &[],
        build: |_| Ok(Arc::new(Fixed)),
    };
}

impl JointKind for Fixed {
    fn name(&self) -> &'static str {
        "fixed"
    }

    fn has_point(&self) -> bool {
        false
    }

    fn glyph(&self) -> Glyph {
        Glyph::Box { edges: [1.8; 3] }
    }
    fn constrain(&self, _: &Frames, e: &mut Equations) {
        e.meet();
        e.lock();
    }
}
