//! From forces to reactions: where joints enter the right-hand side.

use carom_base::{Mat3, inverse};
use carom_ode::RhsFailure;

use crate::forward::{Loaded, Workspace, add, angular_acceleration, push, twist};
use crate::model::{BodyKind, Model};
use crate::site::Part;

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
    let Workspace { bodies, moments, now, joints, rubbing, accelerations, .. } = ws;
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
    if !m.linkage.rubs.is_empty() {
        let factor = |body| now.mass_factor(body);
        rubbing.solve(m, bodies, m.layout.memories(y), joints, accelerations, factor)?;
        rub(m, ws, y, dy);
    }
    let Workspace { bodies, now, joints, .. } = ws;
    joints.find_spins(m, |body| &bodies[body], |body| now.mass_factor(body));
    let work = ws.load_reactions(m);
    add(m.layout.integrals_mut(dy), m.quadratures.work, work);
    match ws.joints.lambda.iter().position(|x| !x.is_finite()) {
        None => Ok(()),
        Some(row) => Err(Part::Joint(m.linkage.hold_of(row)).fails("its equations are not finite")),
    }
}

/// The friction of joints, its load being known: a force like any other.
fn rub(m: &Model, ws: &mut Workspace, y: &[f64], dy: &mut [f64]) {
    for (i, rub) in m.linkage.rubs.iter().enumerate() {
        let (slip, f) = (ws.rubbing.slips[i], ws.rubbing.forces[i]);
        let mut stored = 0.0;
        if let (Some(place), Some(memory)) =
            (ws.rubbing.places[i], ws.rubbing.memory(i, m.layout.memories(y)))
        {
            let now = rub.law.evolve(ws.rubbing.loads[i], &slip.v, &memory, rub.least_load);
            stored = now.stored;
            dy[m.layout.memory_rows(place)].copy_from_slice(&now.rate.numbers());
        }
        let integrals = m.layout.integrals_mut(dy);
        let (force, couple) = slip.wrench(&f);
        let [a, b] = rub.bodies;
        for (body, f) in [(a, force), (b, -force)] {
            push(m, ws, integrals, body, &slip.p, &f);
        }
        twist(m, ws, integrals, rub.bodies, couple);
        add(integrals, m.quadratures.dissipated_joint, -f.dot(&slip.v) - stored);
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
        (BodyKind::Affine(rows), Some(soft)) => {
            let state = rows.of(y);
            let moment = moments[body] * inverse(&state.f).1.transpose();
            let bent = soft.acceleration(&state.f, &state.f_dot, &moment, mass_factor);
            out[3..].copy_from_slice(bent.as_slice());
        }
        _ => out = [0.0; 12],
    }
    out
}
