//! From forces to reactions: where joints enter the right-hand side.

use carom_base::{Mat3, inverse};
use carom_ode::RhsFailure;

use crate::forward::{Loaded, Workspace, add, angular_acceleration, place_of_joint};
use crate::model::{BodyKind, Model};
use crate::state::{Affine, affine_slice};

/// The reactions of joints: forces like any other, once the multipliers are known.
pub(crate) fn joints(
    m: &Model,
    ws: &mut Workspace,
    t: f64,
    y: &[f64],
    dy: &mut [f64],
) -> Result<(), RhsFailure> {
    if m.linkage.is_empty() {
        return Ok(());
    }
    let t = ws.now.stretch.inside(t);
    let Workspace { bodies, moments, now, joints, accelerations, .. } = ws;
    joints.evaluate(m, t, |body| &bodies[body].k);
    joints.factor(m, |body| now.mass_factor(body));
    for (a, jointed) in accelerations.iter_mut().zip(&m.linkage.bodies) {
        *a = free_acceleration(
            m,
            jointed.body,
            &bodies[jointed.body],
            moments,
            now.mass_factor(jointed.body),
            y,
        );
    }
    joints.solve(m, accelerations);
    let (at, work) = (dy.len() - m.quadratures.count, ws.load_reactions(m));
    add(&mut dy[at..], m.quadratures.work, work);
    match ws.joints.lambda.iter().position(|x| !x.is_finite()) {
        None => Ok(()),
        Some(row) => {
            let place = place_of_joint(m.linkage.hold_of(row));
            Err(RhsFailure { place, reason: "its equations are not finite" })
        }
    }
}

/// The acceleration a body would have without its joints: of its centre of mass, and about it, or F̈.
fn free_acceleration(
    m: &Model,
    body: usize,
    l: &Loaded,
    moments: &[Mat3],
    mass_factor: f64,
    y: &[f64],
) -> [f64; 12] {
    let b = &m.bodies[body];
    let mut out = [0.0; 12];
    let a = l.force.component_mul(&b.inverse_mass) / mass_factor;
    out[..3].copy_from_slice(a.as_slice());
    match (&b.kind, &b.soft) {
        (BodyKind::Dynamic(_), _) => {
            let alpha = angular_acceleration(b, &l.k, &(l.torque / mass_factor));
            out[3..6].copy_from_slice(alpha.as_slice());
        }
        (BodyKind::Affine(first), Some(soft)) => {
            let state = Affine::of(affine_slice(y, *first));
            let moment = moments[body] * inverse(&state.f).1.transpose();
            let bent = soft.acceleration(&state.f, &state.f_dot, &moment, mass_factor);
            out[3..].copy_from_slice(bent.as_slice());
        }
        _ => out = [0.0; 12],
    }
    out
}
