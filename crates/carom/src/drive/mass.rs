//! The mass of a body as a function of time: m(t) v̇ = f, J(t) = J(0) m(t)/m(0), weight m(t) g.

use std::sync::Arc;

use carom_base::Quantity;

use super::plan::Plan;
use super::target::{Address, Target};
use crate::body::{Body, MotionKind};
use crate::course::{Course, Needs};
use crate::error::BuildError;

pub(super) const DENSITY: Target = Target {
    path: "body/NAME/density",
    quantity: Quantity::Density,
    doc: "density of a body whose mass comes from its surfaces: mass and inertia go with it",
    needs: Needs::Positive,
    bind: |plan, at, course| {
        let start = course.at(0.0).value;
        let body = driven(plan, at, course)?;
        if body.mass.is_some() {
            return Err(at.subject().impossible(None, "its mass is given: drive that"));
        }
        body.density = Some(start);
        Ok(())
    },
};

pub(super) const MASS: Target = Target {
    path: "body/NAME/mass",
    quantity: Quantity::Mass,
    doc: "mass of a body; its inertia, given or from its surfaces at t = 0, goes with it",
    needs: Needs::Positive,
    bind: |plan, at, course| {
        let start = course.at(0.0).value;
        driven(plan, at, course)?.mass = Some(start);
        Ok(())
    },
};

/// Marks the mass of a body as driven and returns the body; an error if its motion is not determined by forces or its mass is
/// driven already.
fn driven<'p>(plan: &'p mut Plan, at: &Address, course: Arc<dyn Course>) -> Result<&'p mut Body, BuildError> {
    let i = plan.body(at)?;
    match plan.bodies[i].kind {
        MotionKind::Dynamic | MotionKind::Affine(_) => {}
        MotionKind::Fixed => return Err(at.subject().impossible(None, "a fixed body has no mass")),
        MotionKind::Prescribed(_) => {
            let why = "a body whose motion is prescribed has no mass";
            return Err(at.subject().impossible(None, why));
        }
    }
    if let Some(other) = &plan.mass_in_time[i] {
        return Err(at.driven_twice(&plan.drives[other.drive].path));
    }
    plan.mass_in_time[i] = Some(plan.in_time(course));
    Ok(&mut plan.bodies[i])
}
