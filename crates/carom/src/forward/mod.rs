//! From a state to its rates, in the order of the theory.

mod balance;
mod contacts;
mod joints;

use carom_base::{Mat3, Vec3, inverse};
use carom_ode::RhsFailure;

use crate::contact::{Active, ContactPair};
use crate::layout::Affine;
use crate::loads::{NOT_ALLOWED, add, divide_by_mass_factor};
use crate::model::Model;
use crate::site::Part;
use crate::state::{Loaded, quaternion_rate};
use crate::workspace::Workspace;
use crate::world::{BodyKind, angular_acceleration};

use balance::{balance, impulses};
use contacts::contacts;
use joints::joints;

/// Computes the rates of a state: q̇ from the velocities, v̇ and ω̇ from the forces, and the integrands of the energy ledger.
#[inline(always)]
pub(crate) fn forward(
    m: &Model,
    pairs: &[ContactPair],
    active: &[Active],
    ws: &mut Workspace,
    t: f64,
    y: &[f64],
    dy: &mut [f64],
) -> Result<(), RhsFailure> {
    kinematics_and_gravity(m, t, y, ws).map_err(|drive| Part::Drive(drive).fails(NOT_ALLOWED))?;
    contacts(m, pairs, active, ws, y, dy)?;
    forces(m, ws, t, dy)?;
    joints(m, ws, t, y, dy)?;
    audit(m, ws, dy);
    driven_masses(m, ws, dy);
    deformations(m, ws, y, dy);
    accelerations(m, ws, y, dy);
    spins(m, ws, dy);
    Ok(())
}

/// Computes the position and the motion of every body in a state.
pub(crate) fn kinematics(m: &Model, t: f64, y: &[f64], ws: &mut Workspace) {
    // (a drive whose value is not allowed fails in the evaluation of the rates)
    let _ = kinematics_and_gravity(m, t, y, ws);
}

/// Computes the position and the motion of every body; its weight is the first force on it. Fails with the index of the drive
/// whose value is not allowed.
#[inline(always)]
fn kinematics_and_gravity(m: &Model, t: f64, y: &[f64], ws: &mut Workspace) -> Result<(), usize> {
    for (&body, s) in m.world.dynamic.iter().zip(m.world.layout.rigid_bodies(y)) {
        let (b, loaded) = (&m.world.bodies[body], &mut ws.loads.bodies[body]);
        loaded.k.set_rigid(b.orientation_matters, s);
        (loaded.force, loaded.torque) = (b.weight, Vec3::zeros());
    }
    for &body in &m.world.prescribed {
        let (b, loaded) = (&m.world.bodies[body], &mut ws.loads.bodies[body]);
        loaded.k.update(b, t, &[]);
        (loaded.force, loaded.torque) = (Vec3::zeros(), Vec3::zeros());
    }
    m.world.affine.iter().for_each(|&body| affine_kinematics(m, body, y, ws));
    if ws.loads.audit {
        ws.loads.unload_held(&m.world);
    }
    if !m.world.driven {
        return Ok(());
    }
    let outcome = ws.loads.now.set(&m.world, t);
    for &body in m.world.dynamic.iter().chain(&m.world.affine) {
        ws.loads.bodies[body].force = ws.loads.now.weight(&m.world, body);
    }
    outcome
}

/// Computes the deformation and the motion of an affine body; its weight is the first force on it.
#[inline(never)]
fn affine_kinematics(m: &Model, body: usize, y: &[f64], ws: &mut Workspace) {
    let (b, loaded) = (&m.world.bodies[body], &mut ws.loads.bodies[body]);
    let BodyKind::Affine(rows) = b.kind else { return };
    loaded.k.set_affine(&rows.of(y));
    (loaded.force, loaded.torque) = (b.weight, Vec3::zeros());
    ws.loads.moments[body] = Mat3::zeros();
}

/// Loads the bodies with all forces besides contacts and joints.
#[inline(always)]
fn forces(m: &Model, ws: &mut Workspace, t: f64, dy: &mut [f64]) -> Result<(), RhsFailure> {
    let integrals = m.world.layout.integrals_mut(dy);
    ws.loads.outside = [Vec3::zeros(); 2];
    for (i, force) in m.forces.iter().enumerate() {
        force.load(&m.world, &mut ws.loads, t, integrals).map_err(|reason| Part::Force(i).fails(reason))?;
    }
    Ok(())
}

/// Computes, for the momentum audit, the balance of all forces and the rates of the impulses.
#[inline(always)]
fn audit(m: &Model, ws: &mut Workspace, dy: &mut [f64]) {
    if ws.loads.audit {
        ws.balance = balance(m, ws);
        impulses(m, ws, m.world.layout.integrals_mut(dy));
    }
}

/// Divides the loads by the factors of driven masses, and adds the power of the drives of masses and gravity to the work.
#[inline(always)]
fn driven_masses(m: &Model, ws: &mut Workspace, dy: &mut [f64]) {
    if m.world.driven {
        let work = divide_by_mass_factor(&m.world, &mut ws.loads);
        add(m.world.layout.integrals_mut(dy), m.world.quadratures.work, work);
    }
}

/// Computes the rates of the bodies that deform, and the power that viscosity dissipates.
#[inline(always)]
fn deformations(m: &Model, ws: &Workspace, y: &[f64], dy: &mut [f64]) {
    m.world.affine.iter().for_each(|&body| deformation(m, ws, body, y, dy));
}

/// Computes the rates of a body that deforms.
#[inline(never)]
fn deformation(m: &Model, ws: &Workspace, body: usize, y: &[f64], dy: &mut [f64]) {
    let b = &m.world.bodies[body];
    let (BodyKind::Affine(rows), Some(soft)) = (&b.kind, &b.soft) else { return };
    let (state, k) = (rows.of(y), &ws.loads.bodies[body].k);
    // ∫ f ⊗ X = ∫ f ⊗ r F^−T
    let moment = ws.loads.moments[body] * inverse(&state.f).1.transpose();
    let rates = Affine {
        p: state.v,
        f: state.f_dot,
        v: ws.loads.bodies[body].force.component_mul(&b.inverse_mass),
        f_dot: soft.acceleration(&state.f, &state.f_dot, &moment, ws.loads.now.mass_factor(body)),
    };
    rows.write(&rates, dy);
    add(m.world.layout.integrals_mut(dy), m.world.quadratures.dissipated_viscous, soft.dissipated(&k.l));
}

/// Corrects the angular accelerations about axes with little inertia: there a body turns as the equations of these axes say,
/// since the rounding errors of the torques across them would be divided by almost nothing.
#[inline(always)]
fn spins(m: &Model, ws: &Workspace, dy: &mut [f64]) {
    for spin in &ws.joints.spins {
        let BodyKind::Dynamic(rows) = m.world.bodies[spin.body].kind else { continue };
        let alpha = |i: usize| rows.angular_velocity(i);
        let off = spin.rate - (0..3).map(|i| dy[alpha(i)] * spin.axis[i]).sum::<f64>();
        (0..3).for_each(|i| dy[alpha(i)] += off * spin.axis[i]);
    }
}

/// Computes the accelerations of every rigid body, by Newton and Euler.
#[inline(always)]
fn accelerations(m: &Model, ws: &Workspace, y: &[f64], dy: &mut [f64]) {
    let all = m.world.layout.rigid_bodies(y).zip(m.world.layout.rigid_bodies_mut(dy));
    for (&body, (y, mut dy)) in m.world.dynamic.iter().zip(all) {
        let b = &m.world.bodies[body];
        let Loaded { k, force, torque } = &ws.loads.bodies[body];
        let a = force.component_mul(&b.inverse_mass);
        let alpha = angular_acceleration(b, k, torque);
        dy.set(&k.v, &quaternion_rate(&k.w, &y.quaternion()), &a, &alpha);
    }
}
