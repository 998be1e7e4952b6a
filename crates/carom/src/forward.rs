//! From a state to its rates, in the order of the theory.

use carom_base::{Mat3, Vec3};
use carom_geometry::PairFailure;
use carom_ode::RhsFailure;

use crate::body::Inertia;
use crate::body::Rotation;
use crate::contact::{PointForce, Slot};
use crate::model::{BODY, BodyKind, BodyModel, Model, Quadratures};
use crate::state::Kinematics;

/// What is recomputed at every evaluation; sized once.
#[derive(Clone, Debug)]
pub(crate) struct Workspace {
    /// of every body
    pub(crate) kinematics: Vec<Kinematics>,
    /// resultant force on every dynamic body [N]
    force: Vec<Vec3>,
    /// resultant torque about its centre of mass [N m]
    torque: Vec<Vec3>,
}

/// A contact point that can carry a force: slot and feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Active {
    pub(crate) slot: usize,
    pub(crate) feature: usize,
}

impl Workspace {
    pub(crate) fn new(m: &Model) -> Workspace {
        Workspace {
            kinematics: m.bodies.iter().map(|b| Kinematics::of_body(b, 0.0)).collect(),
            force: vec![Vec3::zeros(); m.dynamic.len()],
            torque: vec![Vec3::zeros(); m.dynamic.len()],
        }
    }
}

/// The rates of the state: q̇ from velocities, v̇ and ω̇ from forces, and the ledger's integrands.
pub(crate) fn forward(
    m: &Model,
    slots: &[Slot],
    active: &[Active],
    ws: &mut Workspace,
    t: f64,
    y: &[f64],
    dy: &mut [f64],
) -> Result<(), RhsFailure> {
    kinematics(m, t, y, ws);
    gravity(m, ws);
    contacts(m, slots, active, ws, dy)?;
    accelerations(m, ws, y, dy);
    Ok(())
}

/// Where every body is and how it moves.
pub(crate) fn kinematics(m: &Model, t: f64, y: &[f64], ws: &mut Workspace) {
    for (b, k) in m.bodies.iter().zip(&mut ws.kinematics) {
        match &b.kind {
            BodyKind::Dynamic(d) => *k = Kinematics::of_state(&y[d * BODY..(d + 1) * BODY]),
            BodyKind::Prescribed(_) => *k = Kinematics::of_body(b, t),
            BodyKind::Fixed => {}
        }
    }
}

fn gravity(m: &Model, ws: &mut Workspace) {
    for (d, &body) in m.dynamic.iter().enumerate() {
        ws.force[d] = m.bodies[body].weight;
        ws.torque[d] = Vec3::zeros();
    }
}

fn contacts(
    m: &Model,
    slots: &[Slot],
    active: &[Active],
    ws: &mut Workspace,
    dy: &mut [f64],
) -> Result<(), RhsFailure> {
    let q = &m.quadratures;
    dy[m.dynamic.len() * BODY..].fill(0.0);
    for at in active {
        let slot = &slots[at.slot];
        let (ka, kb) = (&ws.kinematics[slot.body_a], &ws.kinematics[slot.body_b]);
        let point = slot
            .point(m, at.feature, ka, kb)
            .map_err(|e| RhsFailure { place: at.slot, reason: reason(e) })?;
        if point.contact.delta <= 0.0 {
            continue;
        }
        let f = point.on_a();
        apply(m, ws, q, dy, slot.body_a, &point.contact.p_a, &f);
        apply(m, ws, q, dy, slot.body_b, &point.contact.p_b, &-f);
        dissipate(q, dy, &point);
    }
    Ok(())
}

/// A force at a point of a body. One on a body that moves as prescribed is work of whoever moves it.
#[inline]
fn apply(m: &Model, ws: &mut Workspace, q: &Quadratures, dy: &mut [f64], body: usize, p: &Vec3, f: &Vec3) {
    match m.bodies[body].kind {
        BodyKind::Dynamic(d) => {
            ws.force[d] += f;
            ws.torque[d] += (p - ws.kinematics[body].x.p).cross(f);
        }
        BodyKind::Prescribed(_) => {
            if let Some(i) = q.work {
                dy[i] -= f.dot(&ws.kinematics[body].velocity_at(p));
            }
        }
        BodyKind::Fixed => {}
    }
}

/// What a contact does not store it dissipates.
#[inline]
fn dissipate(q: &Quadratures, dy: &mut [f64], c: &PointForce) {
    if let Some(i) = q.dissipated_normal {
        dy[i] += (c.f_n - c.f_elastic) * c.delta_dot;
    }
    if let Some(i) = q.dissipated_friction {
        dy[i] -= c.f_t.dot(&c.v_t);
    }
}

/// Newton and Euler for every body.
fn accelerations(m: &Model, ws: &Workspace, y: &[f64], dy: &mut [f64]) {
    for (d, &body) in m.dynamic.iter().enumerate() {
        let b = &m.bodies[body];
        let k = &ws.kinematics[body];
        let (y, dy) = (&y[d * BODY..(d + 1) * BODY], &mut dy[d * BODY..(d + 1) * BODY]);
        dy[0..3].copy_from_slice(k.v.as_slice());
        dy[3..7].copy_from_slice(&quaternion_rate(&k.w, y));
        let a = ws.force[d].component_mul(&b.dofs.translation) / b.mass;
        dy[7..10].copy_from_slice(a.as_slice());
        let torque = ws.torque[d] - gyroscopic(b, k);
        dy[10..13].copy_from_slice(b.angular_response(&k.x.r, &torque).as_slice());
    }
}

/// q̇ = ½ (0, ω) q, ω in the world frame.
#[inline]
pub(crate) fn quaternion_rate(w: &Vec3, y: &[f64]) -> [f64; 4] {
    let (q0, q1, q2, q3) = (y[3], y[4], y[5], y[6]);
    [
        0.5 * (-w.x * q1 - w.y * q2 - w.z * q3),
        0.5 * (w.x * q0 + w.y * q3 - w.z * q2),
        0.5 * (w.y * q0 + w.z * q1 - w.x * q3),
        0.5 * (w.z * q0 + w.x * q2 - w.y * q1),
    ]
}

/// ω × (I ω), world frame.
#[inline]
fn gyroscopic(b: &BodyModel, k: &Kinematics) -> Vec3 {
    match &b.inertia {
        Inertia::Isotropic(_) => Vec3::zeros(),
        Inertia::General { tensor, .. } => {
            let w = k.x.direction_to_local(&k.w);
            k.x.direction(&w.cross(&(tensor * w)))
        }
    }
}

impl BodyModel {
    /// The angular acceleration a torque gives, both in the world frame, the body's axes being `r`.
    #[inline]
    pub(crate) fn angular_response(&self, r: &Mat3, torque: &Vec3) -> Vec3 {
        match (self.dofs.rotation, &self.inertia) {
            (Rotation::Free, Inertia::Isotropic(i)) => torque / *i,
            (Rotation::Free, Inertia::General { inverse, .. }) => r * (inverse * r.tr_mul(torque)),
            (Rotation::None, _) => Vec3::zeros(),
            // turning about one axis only, the body keeps its inertia about it
            (Rotation::About(axis), _) => axis * (axis.dot(torque) / self.axis_inertia),
        }
    }
}

/// A pair's failure in words an integrator can carry.
pub(crate) fn reason(e: PairFailure) -> &'static str {
    match e {
        PairFailure::NotFinite => "the poses are not finite",
        PairFailure::NoFeature(_) => "the pair has no such feature",
        PairFailure::NoConvergence(_) => "the search for the contact point did not converge",
    }
}
