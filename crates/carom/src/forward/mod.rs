//! From a state to its rates, in the order of the theory.

mod balance;
mod joints;

use carom_base::{Mat3, Two, Vec3, inverse};
use carom_ode::RhsFailure;

use crate::contact::{Active, BEYOND_REACH, ContactPair, Pressed, load, reason, shown};
use crate::layout::{Affine, OtherRates};
use crate::loads::{NOT_ALLOWED, add, divide_by_mass_factor, push_both, twist};
use crate::model::Model;
use crate::site::Part;
use crate::state::{Loaded, quaternion_rate};
use crate::workspace::Workspace;
use crate::world::{BodyKind, angular_acceleration};

use balance::{balance, impulses};
use joints::joints;

/// The rates of the state: q̇ from velocities, v̇ and ω̇ from forces, and the ledger's integrands. What most models have none of
/// (contacts that remember or resist rolling, forces between points) is there if `GENERAL`: decided once an evaluation, so that
/// others pay nothing.
#[inline(always)]
pub(crate) fn forward<const GENERAL: bool>(
    m: &Model,
    pairs: &[ContactPair],
    active: &[Active],
    ws: &mut Workspace,
    t: f64,
    y: &[f64],
    dy: &mut [f64],
) -> Result<(), RhsFailure> {
    kinematics_and_gravity(m, t, y, ws).map_err(|drive| Part::Drive(drive).fails(NOT_ALLOWED))?;
    if GENERAL {
        kinematics_of_affine(m, y, ws);
    }
    contacts::<GENERAL>(m, pairs, active, ws, y, dy)?;
    if GENERAL {
        forces(m, ws, t, dy)?;
        joints(m, ws, t, y, dy)?;
    }
    if ws.loads.audit {
        ws.balance = balance(m, ws);
        impulses(m, ws, m.world.layout.integrals_mut(dy));
    }
    if m.world.driven {
        let work = divide_by_mass_factor(&m.world, &mut ws.loads);
        add(m.world.layout.integrals_mut(dy), m.world.quadratures.work, work);
    }
    if GENERAL {
        deformations(m, ws, y, dy);
    }
    accelerations(m, ws, y, dy);
    if GENERAL {
        spins(m, ws, dy);
    }
    Ok(())
}

/// About axes with little inertia bodies turn as the equations of these axes say: what rounding leaves of the torques across them would be large, as so little resists it.
fn spins(m: &Model, ws: &Workspace, dy: &mut [f64]) {
    for spin in &ws.joints.spins {
        let BodyKind::Dynamic(rows) = m.world.bodies[spin.body].kind else { continue };
        let alpha = |i: usize| rows.angular_velocity(i);
        let off = spin.rate - (0..3).map(|i| dy[alpha(i)] * spin.axis[i]).sum::<f64>();
        (0..3).for_each(|i| dy[alpha(i)] += off * spin.axis[i]);
    }
}

/// Where every body is and how it moves, in a state.
pub(crate) fn kinematics(m: &Model, t: f64, y: &[f64], ws: &mut Workspace) {
    // (what a drive cannot be, the rates will say)
    let _ = kinematics_and_gravity(m, t, y, ws);
    kinematics_of_affine(m, y, ws);
}

/// The same of the bodies that deform.
fn kinematics_of_affine(m: &Model, y: &[f64], ws: &mut Workspace) {
    for &body in &m.world.affine {
        let (b, loaded) = (&m.world.bodies[body], &mut ws.loads.bodies[body]);
        let BodyKind::Affine(rows) = b.kind else { continue };
        loaded.k.set_affine(&rows.of(y));
        (loaded.force, loaded.torque) = (b.weight, Vec3::zeros());
        ws.loads.moments[body] = Mat3::zeros();
        if m.world.driven {
            ws.loads.bodies[body].force = ws.loads.now.weight(&m.world, body);
        }
    }
}

/// Where every body is and how it moves; the weight is the first force on it. Fails with the drive whose value cannot be.
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
    if ws.loads.audit {
        ws.loads.unload_held(&m.world);
    }
    if !m.world.driven {
        return Ok(());
    }
    let outcome = ws.loads.now.set(&m.world, t);
    for &body in &m.world.dynamic {
        ws.loads.bodies[body].force = ws.loads.now.weight(&m.world, body);
    }
    outcome
}

#[inline(always)]
fn contacts<const GENERAL: bool>(
    m: &Model,
    pairs: &[ContactPair],
    active: &[Active],
    ws: &mut Workspace,
    y: &[f64],
    dy: &mut [f64],
) -> Result<(), RhsFailure> {
    let q = &m.world.quadratures;
    let memories = if GENERAL { m.world.layout.memories(y) } else { &[] };
    let (_, others) = dy.split_at_mut(m.world.layout.bodies());
    others.fill(0.0);
    let OtherRates { memories: changes, depths, integrals } = m.world.layout.others_mut(dy);
    let mut rest = active;
    while let [at, others @ ..] = rest {
        let pair = &pairs[at.pair];
        rest = others;
        if !GENERAL && pair.state.on.len() > 1 {
            rest = &others[pair.state.on.len() - 1..];
            let [a, b] =
                [pair.body_a, pair.body_b].map(|body| ws.loads.bodies[body].k.moves || ws.loads.audit);
            let all = match (a, b) {
                (true, false) => many::<true, false>,
                (false, true) => many::<false, true>,
                _ => many::<true, true>,
            };
            all(m, pair, ws, integrals).map_err(|reason| Part::Contact(at.pair).fails(reason))?;
            continue;
        }
        let (ka, kb) = (&ws.loads.bodies[pair.body_a].k, &ws.loads.bodies[pair.body_b].k);
        let point = match pair.point(m, at.point, ka, kb) {
            Ok(point) => point,
            Err(e) => return Err(Part::Contact(at.pair).fails(reason(e))),
        };
        if point.contact.delta <= 0.0 {
            continue;
        }
        if point.contact.delta >= pair.state.points[at.point].reach {
            return Err(Part::Contact(at.pair).fails(BEYOND_REACH));
        }
        // what a contact does not store it dissipates
        add(integrals, q.dissipated_normal, (point.f_n - point.f_elastic) * point.delta_dot);
        if GENERAL && let Some(row) = pair.stopped([ka, kb]) {
            ws.loads.add_generalized_both(
                &m.world,
                integrals,
                [pair.body_a, pair.body_b],
                -point.f_n,
                &row.forces,
            );
            continue;
        }
        // (the point itself stays as it is: changed or lent, it would live in memory for every law)
        let (mut f_t, mut stored) = (point.f_t, 0.0);
        if let (true, Some(memory)) = (GENERAL, pair.state.points[at.point].memory) {
            let now = pair.evolve(m, at.point, ka, kb, point, &memories[memory]);
            (f_t, stored) = (now.f_t, now.stored);
            changes[memory] = now.rate.numbers();
        }
        let worn = if GENERAL && m.more { pair.wear(m, at.point, [ka, kb], point) } else { None };
        if GENERAL
            && m.more
            && let Some(couple) = pair.couple(m, at.point, ka, kb, point)
        {
            add(integrals, q.dissipated_friction, couple.lost);
            twist(&m.world, &mut ws.loads, integrals, [pair.body_a, pair.body_b], couple.on_a);
        }
        if let Some(worn) = worn {
            pair.add_wear(m, &mut ws.loads, &worn, depths, integrals);
        }
        let f = f_t - point.contact.n * point.f_n;
        // on A, and on B its opposite
        let (bodies, points) = ([pair.body_a, pair.body_b], pair.friction_points(&point.contact));
        match GENERAL && pair.apart {
            false => push_both(&m.world, &mut ws.loads, integrals, bodies, &points, &f),
            true => {
                let c = &point.contact;
                push_both(&m.world, &mut ws.loads, integrals, bodies, &[c.p_a, c.p_b], &(c.n * -point.f_n));
                push_both(&m.world, &mut ws.loads, integrals, bodies, &points, &f_t);
            }
        }
        add(integrals, q.dissipated_friction, -f_t.dot(&point.v_t) - stored);
    }
    Ok(())
}

/// All contact points of a pair: their forces are one force and one torque on each body. Which of them count, A or B, is known: nothing is asked of
/// one that stands still, but for an audit.
fn many<const A: bool, const B: bool>(
    m: &Model,
    pair: &ContactPair,
    ws: &mut Workspace,
    integrals: &mut [f64],
) -> Result<(), &'static str> {
    let (ka, kb) = (&ws.loads.bodies[pair.body_a].k, &ws.loads.bodies[pair.body_b].k);
    pair.contacts(&pair.state.on, ka, kb, &mut ws.contacts).map_err(reason)?;
    let rule = &m.rules[pair.rule];
    let zero = Two::both(&Vec3::zeros());
    let (mut force, mut torques) = (zero, [zero; 2]);
    let (mut lost_normal, mut lost_friction) = (Two::ZERO, Two::ZERO);
    let [(p_a, v_a, w_a), (p_b, v_b, w_b)] =
        [ka, kb].map(|k| (Two::both(&k.x.p), Two::both(&k.v), Two::both(&k.w)));
    // as `PointForce` has it, but two at a time, and nothing is kept of a point
    for (c, contact_points) in ws.contacts.iter().zip(pair.on_in_twos()) {
        // not located, most points are apart
        if shown(c, contact_points).lanes().iter().all(|delta| *delta <= 0.0) {
            continue;
        }
        if c.delta.lanes().iter().zip(contact_points).any(|(delta, f)| *delta >= f.reach) {
            return Err(BEYOND_REACH);
        }
        // (rigid bodies alone are here: the normal force may act there too)
        let at = pair.friction_points(c);
        let (arm_a, arm_b) = (at[0] - p_a, at[1] - p_b);
        let mut v = if A { v_a + w_a.cross(&arm_a) } else { zero };
        if B {
            v -= v_b + w_b.cross(&arm_b);
        }
        let Pressed { v, delta_dot, f_n, f_elastic, .. } = Pressed::two(c, v, rule, contact_points);
        lost_normal += (f_n - f_elastic) * delta_dot;
        let mut f = c.n * -f_n;
        if let Some(friction) = &rule.friction {
            let v_t = v - c.n * delta_dot;
            let f_t = friction.force_two(load(f_n), &v_t);
            lost_friction -= f_t.dot(&v_t);
            f += f_t;
        }
        force += f;
        if A {
            torques[0] += arm_a.cross(&f);
        }
        if B {
            torques[1] -= arm_b.cross(&f);
        }
    }
    let [force, torque_a, torque_b] = [force, torques[0], torques[1]].map(|v| v.map(Two::sum));
    for (counts, body, f, torque) in [(A, pair.body_a, force, torque_a), (B, pair.body_b, -force, torque_b)] {
        let loaded = &mut ws.loads.bodies[body];
        if counts {
            loaded.force += f;
            loaded.torque += torque;
            if m.world.quadratures.work.is_some()
                && matches!(m.world.bodies[body].kind, BodyKind::Prescribed(_))
            {
                let power = f.dot(&loaded.k.v) + torque.dot(&loaded.k.w);
                add(integrals, m.world.quadratures.work, -power);
            }
        }
    }
    add(integrals, m.world.quadratures.dissipated_normal, lost_normal.sum());
    add(integrals, m.world.quadratures.dissipated_friction, lost_friction.sum());
    Ok(())
}

/// All that acts besides contacts and joints.
fn forces(m: &Model, ws: &mut Workspace, t: f64, dy: &mut [f64]) -> Result<(), RhsFailure> {
    let integrals = m.world.layout.integrals_mut(dy);
    ws.loads.outside = [Vec3::zeros(); 2];
    for (i, force) in m.forces.iter().enumerate() {
        force.load(&m.world, &mut ws.loads, t, integrals).map_err(|reason| Part::Force(i).fails(reason))?;
    }
    Ok(())
}

/// The rates of the bodies that deform, and what viscosity dissipates.
fn deformations(m: &Model, ws: &Workspace, y: &[f64], dy: &mut [f64]) {
    for &body in &m.world.affine {
        let b = &m.world.bodies[body];
        let (BodyKind::Affine(rows), Some(soft)) = (&b.kind, &b.soft) else { continue };
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
}

/// Newton and Euler for every body.
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
