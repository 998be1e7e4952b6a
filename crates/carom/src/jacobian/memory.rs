//! Derivatives of the bristle state (z, s) at a contact point, by the states of the two bodies and by (z, s) itself.
//!
//! The force and the rates of z and s are functions of (f_n, v_t, z, s), with z projected onto the tangent plane, and
//! the law gives their derivatives. The rate of z has the further term Ω × z, the rotation of the bristles with the
//! contact (`contact::bristle`). Ω is linear in the velocities. Its derivatives by the poses need second derivatives
//! of the normal, which contact pairs do not provide: these alone are differences, of sixth order, of Ω, which itself
//! is exact.

use carom_base::{Dual, Mat3, Vec3, rotation_by};
use carom_geometry::Contact;
use carom_law::Memory;
use nalgebra::{SMatrix, SVector};

use super::point::{ContactDerivatives, ContactQuantities, Slopes};
use crate::contact::{ContactPair, PointForce, load};
use crate::model::Model;
use crate::state::Kinematics;

/// The bristle state of a contact point, with derivatives.
pub(super) struct Bristles {
    pub(super) memory: usize,
    /// derivatives of the rates of (z, s) by v, n and δ
    pub(super) follows: ContactDerivatives<4>,
    /// derivatives of the friction force by (z, s)
    pub(super) force: SMatrix<f64, 3, 4>,
    /// derivatives of the rates of (z, s) by (z, s)
    pub(super) rate: SMatrix<f64, 4, 4>,
    /// the whole of z, its part along n included: Ω rotates all of it
    z: Vec3,
}

impl Bristles {
    /// Returns the derivatives of a contact point's bristle state, and those of its friction force.
    pub(super) fn new(
        at: &ContactQuantities,
        point: &PointForce,
        m: &Model,
        pair: &ContactPair,
        index: usize,
        [ka, kb]: [&Kinematics; 2],
        memory: &[f64; Memory::SIZE],
    ) -> (Slopes, Bristles) {
        let n = &at.n;
        let z = at.z - n * n.dot(&at.z);
        let variable = |value: f64, i: usize| Dual::<8>::variable(value, i);
        let state = &pair.state.points[index];
        let mut by = SMatrix::<f64, 7, 8>::zeros();
        if let Some(friction) = &m.rules[pair.rule].friction {
            let v_t = Vec3::from_fn(|i, _| variable(point.v_t[i], 1 + i));
            let memory = Memory { z: Vec3::from_fn(|i, _| variable(z[i], 4 + i)), s: variable(memory[3], 7) };
            let now = friction.evolve_dual(variable(load(point.f_n), 0), &v_t, &memory, state.latched.load);
            let rows = now.f_t.iter().chain(&now.rate.z).chain([&now.rate.s]);
            rows.enumerate().for_each(|(i, x)| by.set_row(i, &SMatrix::<f64, 1, 8>::from(x.eps)));
        }
        // a tensile normal force does not press the surfaces together: friction does not change with it
        if point.f_n <= 0.0 {
            by.fill_column(0, 0.0);
        }
        let plane = Mat3::identity() - n * n.transpose();
        let mut by_memory = by.fixed_columns::<4>(4).into_owned();
        let within = by_memory.fixed_columns::<3>(0) * plane;
        by_memory.fixed_columns_mut::<3>(0).copy_from(&within);
        // Ω × z rotates the whole of z
        let turning = pair.turning(index, ka, kb).unwrap_or_default();
        let mut carried = by_memory.fixed_view_mut::<3, 3>(3, 0);
        carried += turning.cross_matrix();
        let slopes = Slopes {
            by_f_n: by.fixed_view::<3, 1>(0, 0).into_owned(),
            by_v_t: by.fixed_view::<3, 3>(0, 1).into_owned(),
            by_z: by.fixed_view::<3, 3>(0, 4).into_owned(),
        };
        let by_f_n: SVector<f64, 4> = by.fixed_view::<4, 1>(3, 0).into_owned();
        let follows = ContactDerivatives::new(
            at,
            &by_f_n,
            &by.fixed_view::<4, 3>(3, 1).into_owned(),
            &by.fixed_view::<4, 3>(3, 4).into_owned(),
        );
        let bristles = Bristles {
            memory: state.memory.unwrap_or_default(),
            follows,
            force: by_memory.fixed_rows::<3>(0).into_owned(),
            rate: by_memory.fixed_rows::<4>(3).into_owned(),
            z: at.z,
        };
        (slopes, bristles)
    }

    /// Returns dΩ × z by the small motion and the velocities of one of the bodies. `None`: the pair has no derivatives.
    pub(super) fn carried(
        &self,
        pair: &ContactPair,
        index: usize,
        k: [&Kinematics; 2],
        end: usize,
        contact: &Contact<Dual<6>>,
    ) -> Option<BristleRotation> {
        let mut carried = BristleRotation::default();
        if self.z == Vec3::zeros() {
            return Some(carried);
        }
        let n = contact.n.map(|n| n.re);
        for i in 0..6 {
            let h = if i < 3 { 1e-3 * pair.size } else { 1e-3 };
            let at = |s: f64| turned(pair, index, k, end, |body| move_by(body, i, s * h));
            let d = |s: f64| Some(at(s)? - at(-s)?);
            let by_motion: Vec3 = (45.0 * d(1.0)? - 9.0 * d(2.0)? + d(3.0)?) / (60.0 * h);
            // ∂ṅ/∂velocity equals ∂n/∂motion; the mean spin has half of each ω
            let spin = if i < 3 { 0.0 } else { 0.5 * n[i - 3] };
            let by_velocity = n.cross(&contact.n.map(|n| n.eps[i])) + n * spin;
            carried.by_motion[i] = by_motion.cross(&self.z);
            carried.by_velocity[i] = by_velocity.cross(&self.z);
        }
        Some(carried)
    }
}

/// dΩ × z by a body's small displacement (0 to 2) and rotation (3 to 5), and by its velocity and angular velocity.
#[derive(Default)]
pub(super) struct BristleRotation {
    pub(super) by_motion: [Vec3; 6],
    pub(super) by_velocity: [Vec3; 6],
}

/// Returns Ω with `change` applied to one of the bodies.
fn turned(
    pair: &ContactPair,
    index: usize,
    k: [&Kinematics; 2],
    end: usize,
    change: impl Fn(&mut Kinematics),
) -> Option<Vec3> {
    let mut bodies = [*k[0], *k[1]];
    change(&mut bodies[end]);
    pair.turning(index, &bodies[0], &bodies[1])
}

/// Displaces a body along a world axis (0 to 2), or rotates it about one (3 to 5).
fn move_by(body: &mut Kinematics, i: usize, by: f64) {
    if i < 3 {
        body.x.p[i] += by;
    } else {
        let mut turn = Vec3::zeros();
        turn[i - 3] = by;
        body.x.r = rotation_by(&turn).to_rotation_matrix().into_inner() * body.x.r;
    }
}
