//! The motion of a support: the position of an otherwise fixed body as a function of time, by components.

use carom_base::Quantity;

use super::target::Target;
use crate::body::MotionKind;
use crate::course::Needs;

pub(super) const POSITION: Target = Target {
    path: "body/NAME/position/0..2",
    quantity: Quantity::Length,
    doc: "a component of the position of a fixed body, which then moves so: 0 along x, 1 along y, 2 along z",
    needs: Needs::Motion,
    bind: |plan, at, course| {
        let body = plan.body(at)?;
        let why = match plan.bodies[body].kind {
            MotionKind::Fixed => {
                // the function gives this component completely from now on
                plan.bodies[body].position[at.index] = 0.0;
                plan.guided.entry(body).or_default().displacement[at.index] = Some(course);
                return Ok(());
            }
            MotionKind::Dynamic | MotionKind::Affine(_) => {
                "only a fixed body can be moved: this one moves by its forces"
            }
            MotionKind::Prescribed(_) => "only a fixed body can be moved: this one has a motion",
        };
        Err(at.subject().impossible(None, why))
    },
};
