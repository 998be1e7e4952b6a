//! Rolling without slip: at the point where the surfaces of A and B touch, the material points of both have the same
//! velocity. Three equations: one, the gap, is holonomic; the other two constrain only the velocities, so that the
//! positions the bodies can reach are not limited.

use std::sync::Arc;

use carom_base::Entry;

use crate::joint::{Equations, Frames, JointKind};

/// Two surfaces that roll on one another: they stay in contact, and do not slip.
///
/// ```
/// use carom::prelude::*;
/// use carom::Rolling;
/// let mut builder = ModelBuilder::new();
/// builder.gravity([3.0, 0.0, -9.0]); // [m/s²]: a slope
/// builder.body(Body::new("ball").density(1000.0).position([0.0, 0.0, 0.1]).surface(Sphere::new(0.1)?));
/// builder.body(Body::fixed("slope").surface(Plane)).joint(Joint::between("ball", "slope", Rolling));
/// let run = Simulation::new(&builder.build()?).duration(2.0).run()?;
/// assert!((run.end.body("ball").unwrap().velocity.x - 5.0 / 7.0 * 3.0 * 2.0).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rolling;

impl Rolling {
    pub(super) const ENTRY: Entry<Arc<dyn JointKind>> = Entry {
        name: "rolling",
        summary: "two surfaces stay in touch and do not slip",
        params: &[],
        build: |_| Ok(Arc::new(Rolling)),
    };
}

impl JointKind for Rolling {
    fn name(&self) -> &'static str {
        "rolling"
    }
    fn has_point(&self) -> bool {
        false
    }
    fn rolls(&self) -> bool {
        true
    }
    fn constrain(&self, _: &Frames, _: &mut Equations) {}
}
