//! From contacts to the loads on bodies: where contact forces enter the right-hand side.

use carom_base::{Two, Vec3};
use carom_ode::RhsFailure;

use crate::contact::{
    Active, BEYOND_REACH, Closing, ContactPair, Lanes, PairBodies, PointForce, Pressed, Sliding,
    common_rates, reason,
};
use crate::layout::OtherRates;
use crate::loads::{add, push_both, twist};
use crate::model::Model;
use crate::site::Part;
use crate::workspace::Workspace;
use crate::world::BodyKind;

/// Loads the bodies with the forces of all contact points that can carry one, and adds to the rates of memories, worn depths and
/// integrals.
#[inline(always)]
pub(super) fn contacts(
    m: &Model,
    pairs: &[ContactPair],
    active: &[Active],
    ws: &mut Workspace,
    y: &[f64],
    dy: &mut [f64],
) -> Result<(), RhsFailure> {
    let (_, others) = dy.split_at_mut(m.world.layout.bodies());
    others.fill(0.0);
    let others = m.world.layout.others_mut(dy);
    match m.is_general || !others.memories.is_empty() {
        true => general(m, pairs, active, ws, y, others),
        false => plain(m, pairs, active, ws, others.integrals),
    }
}

/// Loads rigid bodies in a model whose contacts have no memory, no resistance to rolling and no wear. Most models are such, and
/// the points of a pair are then computed two at a time.
#[inline(always)]
fn plain(
    m: &Model,
    pairs: &[ContactPair],
    active: &[Active],
    ws: &mut Workspace,
    integrals: &mut [f64],
) -> Result<(), RhsFailure> {
    let q = &m.world.quadratures;
    let mut rest = active;
    while let [at, others @ ..] = rest {
        let pair = &pairs[at.pair];
        rest = others;
        if pair.state.on.len() > 1 {
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
        // (a model with wear is not treated here)
        let bodies = pair.bodies(|body| &ws.loads.bodies[body].k, &[]);
        let Some(point) = touching(m, pair, at, bodies)? else { continue };
        add(integrals, q.dissipated_normal, point.lost_by_normal());
        let (bodies, points) = ([pair.body_a, pair.body_b], pair.friction_points(&point.contact));
        let f = point.f_t - point.contact.n * point.f_n;
        push_both(&m.world, &mut ws.loads, integrals, bodies, &points, &f);
        add(integrals, q.dissipated_friction, -point.f_t.dot(&point.v_t));
    }
    Ok(())
}

/// Loads the bodies with whatever contacts can do: besides [`plain`], pressure over patches, stops of joints, friction with memory, resistance to rolling
/// and spinning, wear, and bodies that deform.
fn general(
    m: &Model,
    pairs: &[ContactPair],
    active: &[Active],
    ws: &mut Workspace,
    y: &[f64],
    rates: OtherRates<'_>,
) -> Result<(), RhsFailure> {
    let q = &m.world.quadratures;
    let (memories, worn) = (m.world.layout.memories(y), m.world.layout.worn(y));
    let OtherRates { memories: memory_rates, depths, integrals } = rates;
    for at in active {
        let pair = &pairs[at.pair];
        if pair.presses() {
            press(m, pair, ws, integrals).map_err(|reason| Part::Contact(at.pair).fails(reason))?;
            continue;
        }
        let ends = [pair.body_a, pair.body_b];
        let bodies = pair.bodies(|body| &ws.loads.bodies[body].k, worn);
        let PairBodies { a: ka, b: kb, .. } = bodies;
        let Some(point) = touching(m, pair, at, bodies)? else { continue };
        add(integrals, q.dissipated_normal, point.lost_by_normal());
        if let Some(row) = pair.stopped([ka, kb]) {
            ws.loads.add_generalized_both(&m.world, integrals, ends, -point.f_n, &row.forces);
            continue;
        }
        // (friction has memory or not: one of its two parts is none)
        let (mut f_t, mut lost, mut couple) = (point.f_t, -point.f_t.dot(&point.v_t), Vec3::zeros());
        if pair.memories(m, at.point).is_some() {
            let now = pair.evolve(m, at.point, [ka, kb], &point, memories, |i, rate| memory_rates[i] = rate);
            f_t += now.f_t;
            lost += now.summed;
            couple = now.couple;
        }
        let wear = pair.wear(m, at.point, bodies, point);
        if let Some(now) = pair.couple(m, at.point, ka, kb, point) {
            couple += now.on_a;
            lost += now.lost;
            twist(&m.world, &mut ws.loads, integrals, ends, couple);
        }
        if let Some(wear) = wear {
            pair.add_wear(m, &mut ws.loads, &wear, depths, integrals);
        }
        let (c, points) = (&point.contact, pair.friction_points(&point.contact));
        match pair.forces_apart {
            false => push_both(&m.world, &mut ws.loads, integrals, ends, &points, &(f_t - c.n * point.f_n)),
            true => {
                push_both(&m.world, &mut ws.loads, integrals, ends, &[c.p_a, c.p_b], &(c.n * -point.f_n));
                push_both(&m.world, &mut ws.loads, integrals, ends, &points, &f_t);
            }
        }
        add(integrals, q.dissipated_friction, lost);
    }
    Ok(())
}

/// Computes a contact point and its forces; `None` where the surfaces are apart.
#[inline(always)]
fn touching(
    m: &Model,
    pair: &ContactPair,
    at: &Active,
    bodies: PairBodies<'_>,
) -> Result<Option<PointForce>, RhsFailure> {
    let point = match pair.point(m, at.point, bodies) {
        Ok(point) => point,
        Err(e) => return Err(Part::Contact(at.pair).fails(reason(e))),
    };
    if point.contact.delta >= pair.state.points[at.point].latched.reach {
        return Err(Part::Contact(at.pair).fails(BEYOND_REACH));
    }
    Ok((point.contact.delta > pair.state.points[at.point].touch.floor).then_some(point))
}

/// Loads two rigid bodies with the resultant force and torque of the pressure and friction over a patch.
#[cold]
fn press(
    m: &Model,
    pair: &ContactPair,
    ws: &mut Workspace,
    integrals: &mut [f64],
) -> Result<(), &'static str> {
    let bodies = pair.bodies(|body| &ws.loads.bodies[body].k, &[]);
    let sum = pair.press(m, bodies, &mut ws.patch).map_err(reason)?;
    push_resultant(m, ws, pair.body_a, &sum.force, &sum.torques[0], integrals);
    push_resultant(m, ws, pair.body_b, &-sum.force, &sum.torques[1], integrals);
    add(integrals, m.world.quadratures.dissipated_normal, sum.lost_normal);
    add(integrals, m.world.quadratures.dissipated_friction, sum.lost_friction);
    Ok(())
}

/// Loads two rigid bodies with the resultant force and torque of all contact points of a pair, two points at a time. `A` and `B`
/// say which of the bodies need it: a body that stands still needs none, but for an audit.
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
    for (c, contact_points) in ws.contacts.iter().zip(pair.on_in_twos()) {
        // most points of contacts that are not located are apart
        if !Two::touches(Two::shown(c.delta, contact_points), contact_points) {
            continue;
        }
        if c.delta.lanes().iter().zip(contact_points).any(|(delta, point)| *delta >= point.latched.reach) {
            return Err(BEYOND_REACH);
        }
        // (bodies are rigid here: the normal force may act where friction does)
        let at = pair.friction_points(c);
        let (arm_a, arm_b) = (at[0] - p_a, at[1] - p_b);
        let mut v = if A { v_a + w_a.cross(&arm_a) } else { zero };
        if B {
            v -= v_b + w_b.cross(&arm_b);
        }
        let mut closing = Closing::rigid(v, &c.n);
        if let Some(rate) = common_rates(c, ka, kb) {
            closing.delta_dot = rate;
        }
        let pressed = Pressed::new(c, closing.delta_dot, rule, contact_points);
        let Sliding { v_t, f_t } = Sliding::new(&c.n, &closing, &pressed, rule);
        lost_normal += pressed.lost(c);
        lost_friction -= f_t.dot(&v_t);
        let f = f_t - c.n * pressed.f_n;
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
        if counts {
            push_resultant(m, ws, body, &f, &torque, integrals);
        }
    }
    add(integrals, m.world.quadratures.dissipated_normal, lost_normal.sum());
    add(integrals, m.world.quadratures.dissipated_friction, lost_friction.sum());
    Ok(())
}

/// Adds a force at the centre of mass and a torque to a body; what they do on a prescribed body is external work.
#[inline(always)]
fn push_resultant(
    m: &Model,
    ws: &mut Workspace,
    body: usize,
    f: &Vec3,
    torque: &Vec3,
    integrals: &mut [f64],
) {
    let loaded = &mut ws.loads.bodies[body];
    loaded.force += f;
    loaded.torque += torque;
    if m.world.quadratures.work.is_some() && matches!(m.world.bodies[body].kind, BodyKind::Prescribed(_)) {
        let power = f.dot(&loaded.k.v) + torque.dot(&loaded.k.w);
        add(integrals, m.world.quadratures.work, -power);
    }
}
