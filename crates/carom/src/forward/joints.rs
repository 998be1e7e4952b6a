//! From forces to reactions: where joints enter the right-hand side.

use carom_base::{Mat3, inverse};
use carom_ode::RhsFailure;

use crate::loads::{Loads, add, push, twist};
use crate::model::Model;
use crate::reaction::Jointed;
use crate::site::Part;
use crate::state::Loaded;
use crate::workspace::Workspace;
use crate::world::{BodyKind, angular_acceleration};

/// The reactions of joints: forces like any other, once the multipliers are known.
#[inline(always)]
pub(crate) fn joints(
    m: &Model,
    ws: &mut Workspace,
    t: f64,
    y: &[f64],
    dy: &mut [f64],
) -> Result<(), RhsFailure> {
    if m.constraints.is_empty() { Ok(()) } else { reactions(m, ws, t, y, dy) }
}

/// Solves for the multipliers, with the friction of joints that depends on them, and loads the bodies with the reactions.
fn reactions(m: &Model, ws: &mut Workspace, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
    let t = ws.loads.now.stretch.inside(t);
    let Workspace { loads, joints, joint_friction, accelerations, .. } = ws;
    let Loads { bodies, moments, now, .. } = loads;
    joints.evaluate(m, t, |body| &bodies[body].k);
    joints.factor(m, |body| now.mass_factor(body));
    for (a, jointed) in accelerations.iter_mut().zip(&m.constraints.bodies) {
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
    if !m.constraints.frictions.is_empty() {
        let memories = m.world.layout.memories(y);
        let mut state = Jointed { m, bodies, memories, joints, a: accelerations };
        joint_friction.solve(&mut state, |body| now.mass_factor(body))?;
        friction(m, ws, y, dy);
    }
    let Workspace { loads, joints, .. } = ws;
    let Loads { bodies, now, .. } = loads;
    joints.find_spins(m, |body| &bodies[body], |body| now.mass_factor(body));
    let work = ws.load_reactions(m);
    add(m.world.layout.integrals_mut(dy), m.world.quadratures.work, work);
    match ws.joints.lambda.iter().position(|x| !x.is_finite()) {
        None => Ok(()),
        Some(row) => Err(Part::Joint(m.constraints.constraint_of(row)).fails("its equations are not finite")),
    }
}

/// The friction of joints, its load being known: a force like any other.
fn friction(m: &Model, ws: &mut Workspace, y: &[f64], dy: &mut [f64]) {
    for (i, friction) in m.constraints.frictions.iter().enumerate() {
        let (slip, f) = (ws.joint_friction.slips[i], ws.joint_friction.forces[i]);
        let mut stored = 0.0;
        if let (Some(index), Some(memory)) =
            (ws.joint_friction.memories[i], ws.joint_friction.memory(i, m.world.layout.memories(y)))
        {
            let now = friction.law.evolve(ws.joint_friction.loads[i], &slip.v, &memory, friction.least_load);
            stored = now.stored;
            dy[m.world.layout.memory_rows(index)].copy_from_slice(&now.rate.numbers());
        }
        let integrals = m.world.layout.integrals_mut(dy);
        let (force, couple) = slip.wrench(&f);
        let [a, b] = friction.bodies;
        for (body, f) in [(a, force), (b, -force)] {
            push(&m.world, &mut ws.loads, integrals, body, &slip.p, &f);
        }
        twist(&m.world, &mut ws.loads, integrals, friction.bodies, couple);
        add(integrals, m.world.quadratures.dissipated_joint, -f.dot(&slip.v) - stored);
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
    let b = &m.world.bodies[body];
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
