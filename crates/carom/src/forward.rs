//! From a state to its rates, in the order of the theory.

use carom_base::{Mat3, Vec3};
use carom_geometry::PairFailure;
use carom_ode::RhsFailure;

use crate::body::Inertia;
use crate::body::Rotation;
use crate::contact::Slot;
use crate::model::{BODY, BodyKind, BodyModel, Model};
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
#[inline(always)]
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
#[inline(always)]
pub(crate) fn kinematics(m: &Model, t: f64, y: &[f64], ws: &mut Workspace) {
    for (&body, s) in m.dynamic.iter().zip(y.as_chunks::<BODY>().0) {
        let k = &mut ws.kinematics[body];
        if m.bodies[body].orientation_matters {
            *k = Kinematics::of_state(s);
        } else {
            k.set_but_orientation(s);
        }
    }
    for &body in &m.prescribed {
        ws.kinematics[body] = Kinematics::of_body(&m.bodies[body], t);
    }
}

#[inline(always)]
fn gravity(m: &Model, ws: &mut Workspace) {
    for (d, &body) in m.dynamic.iter().enumerate() {
        ws.force[d] = m.bodies[body].weight;
        ws.torque[d] = Vec3::zeros();
    }
}

#[inline(always)]
fn contacts(
    m: &Model,
    slots: &[Slot],
    active: &[Active],
    ws: &mut Workspace,
    dy: &mut [f64],
) -> Result<(), RhsFailure> {
    let q = &m.quadratures;
    let Workspace { kinematics, force, torque } = ws;
    dy[m.dynamic.len() * BODY..].fill(0.0);
    for at in active {
        let slot = &slots[at.slot];
        let (ka, kb) = (&kinematics[slot.body_a], &kinematics[slot.body_b]);
        let point = match slot.point(m, at.feature, ka, kb) {
            Ok(point) => point,
            Err(e) => return Err(RhsFailure { place: at.slot, reason: reason(e) }),
        };
        if point.contact.delta <= 0.0 {
            continue;
        }
        let f = point.on_a();
        for (body, k, p, f) in
            [(slot.body_a, ka, &point.contact.p_a, f), (slot.body_b, kb, &point.contact.p_b, -f)]
        {
            match m.bodies[body].kind {
                BodyKind::Dynamic(d) => {
                    force[d] += f;
                    torque[d] += (p - k.x.p).cross(&f);
                }
                // a force on a body that moves as prescribed is work of whoever moves it
                BodyKind::Prescribed(_) => add(dy, q.work, -f.dot(&k.velocity_at(p))),
                BodyKind::Fixed => {}
            }
        }
        // what a contact does not store it dissipates
        add(dy, q.dissipated_normal, (point.f_n - point.f_elastic) * point.delta_dot);
        add(dy, q.dissipated_friction, -point.f_t.dot(&point.v_t));
    }
    Ok(())
}

/// Adds to an integrand of the ledger, if it is kept.
#[inline(always)]
fn add(dy: &mut [f64], integral: Option<usize>, rate: f64) {
    if let Some(i) = integral {
        dy[i] += rate;
    }
}

/// Newton and Euler for every body.
#[inline(always)]
fn accelerations(m: &Model, ws: &Workspace, y: &[f64], dy: &mut [f64]) {
    let bodies = y.as_chunks::<BODY>().0.iter().zip(dy.as_chunks_mut::<BODY>().0);
    for ((&body, (y, dy)), (force, torque)) in
        m.dynamic.iter().zip(bodies).zip(ws.force.iter().zip(&ws.torque))
    {
        let b = &m.bodies[body];
        let k = &ws.kinematics[body];
        let a = force.component_mul(&b.inverse_mass);
        let alpha = match &b.inertia {
            // no gyroscopic torque
            Inertia::Isotropic(_) => b.angular_response(&k.x.r, torque),
            Inertia::General { tensor, .. } => b.angular_response(&k.x.r, &(torque - gyroscopic(tensor, k))),
        };
        let q = quaternion_rate(&k.w, y);
        *dy = [k.v.x, k.v.y, k.v.z, q[0], q[1], q[2], q[3], a.x, a.y, a.z, alpha.x, alpha.y, alpha.z];
    }
}

/// q̇ = ½ (0, ω) q, ω in the world frame.
#[inline]
fn quaternion_rate(w: &Vec3, y: &[f64; BODY]) -> [f64; 4] {
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
fn gyroscopic(tensor: &Mat3, k: &Kinematics) -> Vec3 {
    let w = k.x.direction_to_local(&k.w);
    k.x.direction(&w.cross(&(tensor * w)))
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
