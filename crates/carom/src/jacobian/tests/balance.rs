//! Forces and couples within a system are equal and opposite, at one point: whatever acts, their sums over all bodies are zero to rounding.

use carom_base::Vec3;
use carom_ode::Ode;

use crate::forward::torque_of;
use crate::model::{BodyKind, Model};
use crate::system::System;

/// The sums over all bodies of what acts on them besides weight, force [N] and torque about the origin [N m], and the sizes of what was summed.
fn resultant(system: &System<'_>) -> ([Vec3; 2], [f64; 2]) {
    let m = system.model;
    let (mut sums, mut sizes) = ([Vec3::zeros(); 2], [0.0; 2]);
    for (body, (b, loaded)) in m.bodies.iter().zip(&system.ws.bodies).enumerate() {
        let force = loaded.force - b.weight;
        // what a body that deforms feels of couples and levers is its moment
        let torque = match b.soft {
            Some(_) => torque_of(&system.ws.moments[body]),
            None => loaded.torque,
        };
        sums[0] += force;
        sums[1] += torque + loaded.k.x.p.cross(&force);
        sizes[0] += force.norm();
        sizes[1] += torque.norm() + loaded.k.x.p.norm() * force.norm();
    }
    (sums, sizes)
}

/// Whether what acts on every body is known: those that are fixed or moved do not collect all of it, and of driven ones it is divided by what they
/// have become.
fn is_known(m: &Model) -> bool {
    !m.driven && m.bodies.iter().all(|b| matches!(b.kind, BodyKind::Dynamic(_) | BodyKind::Affine(_)))
}

/// Fails where sums are more than 1e-14 of what was summed. Points that a joint holds together are one point where its equations hold: there,
/// the bodies are assembled.
pub(super) fn check(system: &mut System<'_>, t: f64, y: &[f64], what: &str) {
    if !is_known(system.model) {
        return;
    }
    let mut start;
    let (t, y) = match system.model.linkage.holds.is_empty() {
        true => (t, y),
        false => {
            start = system.start(0.0, system.model.initial_state());
            system.assemble(&mut start).unwrap();
            (0.0, start.as_slice())
        }
    };
    system.rhs(t, y, &mut vec![0.0; y.len()]).unwrap();
    let (sums, sizes) = resultant(system);
    for ((sum, size), name) in sums.iter().zip(sizes).zip(["forces", "torques"]) {
        assert!(sum.norm() <= 1e-14 * size, "{what}: {name} of {size:e} sum to {:e}", sum.norm());
    }
}
