//! The sum of all forces between bodies, and the impulses of all that acts from outside. See `system::momentum`.

use carom_base::Vec3;

use crate::model::Model;
use crate::state::{Loaded, torque_of};
use crate::workspace::{Balance, Workspace};
use crate::world::spin;

/// Sums up, once all loads are known.
pub(crate) fn balance(m: &Model, ws: &Workspace) -> Balance {
    let mut all = Balance { sums: ws.loads.outside.map(|load| -load), ..Balance::default() };
    let mut add = |x: &Vec3, force: Vec3, torque: &Vec3| {
        all.sums[0] += force;
        all.sums[1] += x.cross(&force) + torque;
        all.amounts[0] += force.norm();
        all.amounts[1] += x.norm() * force.norm() + torque.norm();
    };
    for &body in &m.world.held {
        let Loaded { k, force, torque } = &ws.loads.bodies[body];
        add(&k.x.p, *force, torque);
    }
    for body in m.world.free() {
        let (b, Loaded { k, force, torque }) = (&m.world.bodies[body], &ws.loads.bodies[body]);
        let weight = if m.world.driven { ws.loads.now.weight(&m.world, body) } else { b.weight };
        let torque = if b.soft.is_some() { torque_of(&ws.loads.moments[body]) } else { *torque };
        add(&k.x.p, force - weight, &torque);
    }
    // what slender bodies have too much of in the equations of joints is inertia, not a force
    ws.joints.slender_loads(m, |body, force, torque| {
        all.sums[0] -= force;
        all.sums[1] -= ws.body(body).x.p.cross(&force) + torque;
    });
    all
}

/// The integrands of the impulses, once all loads are known: about the origin of the world.
pub(crate) fn impulses(m: &Model, ws: &Workspace, integrals: &mut [f64]) {
    let Some(at) = m.world.quadratures.impulse else { return };
    let [mut f, mut l] = ws.loads.outside;
    for &body in &m.world.held {
        let Loaded { k, force, torque } = &ws.loads.bodies[body];
        f -= force;
        l -= k.x.p.cross(force) + torque;
    }
    for body in m.world.free() {
        let weight =
            if m.world.driven { ws.loads.now.weight(&m.world, body) } else { m.world.bodies[body].weight };
        f += weight;
        l += ws.loads.bodies[body].k.x.p.cross(&weight);
    }
    if m.world.partly_held || m.world.driven {
        let (more_f, more_l) = held_directions(m, ws);
        f += more_f;
        l += more_l;
    }
    integrals[at..at + 6].copy_from_slice(&[f.x, f.y, f.z, l.x, l.y, l.z]);
}

/// What holds bodies in the directions that they cannot move in, and what masses that change bring along.
fn held_directions(m: &Model, ws: &Workspace) -> (Vec3, Vec3) {
    let (mut f, mut l) = (Vec3::zeros(), Vec3::zeros());
    for body in m.world.free() {
        let (b, Loaded { k, force, torque }) = (&m.world.bodies[body], &ws.loads.bodies[body]);
        let torque = if b.soft.is_some() { torque_of(&ws.loads.moments[body]) } else { *torque };
        let taken = force - force.component_mul(&b.dofs.translation);
        f -= taken;
        l -= k.x.p.cross(&taken) + torque - b.dofs.allowed_rotation(&torque);
        let rate = ws.loads.now.mass_rate(body);
        if rate != 0.0 {
            f += k.v * (rate * b.mass);
            l += (k.x.p.cross(&k.v) * b.mass + spin(b, k)) * rate;
        }
    }
    (f, l)
}
