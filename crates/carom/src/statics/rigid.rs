//! Small motions of a rigid body: a displacement δx of its centre of mass and a rotation δθ about it, world frame, as
//! far as its `dofs` allow.
//!
//! δq = ½ (0, δθ) q; for a finite rotation, q ← exp(½ δθ) q. Mass matrix: m along the axes, R I Rᵀ about them.

use carom_base::{Quat, Vec3, rotation_by};
use nalgebra::DMatrix;

use super::coordinates::{Direction, Tangent};
use crate::body::Rotation;
use crate::layout::RigidRows;
use crate::state::{quaternion_rate, rotation};
use crate::world::BodyModel;

/// The names of displacements along and rotations about the world axes.
pub(super) const ALONG: [&str; 3] = ["x", "y", "z"];
const ABOUT: [&str; 3] = ["rx", "ry", "rz"];

/// A rigid body, given by the rows of its numbers in the state.
pub(super) struct Rigid(pub(super) RigidRows);

impl Tangent for Rigid {
    fn directions(&self, b: &BodyModel, y: &[f64]) -> Vec<Direction> {
        let q = self.0.of(y).quaternion();
        let mass = self.mass(b, y);
        let gyration = |i: usize| (mass[(i, i)] / b.mass).sqrt();
        let mut all = Vec::new();
        for i in axes(&b.dofs.translation) {
            let (pose, rate) = (vec![(self.0.position(i), 1.0)], vec![(self.0.velocity(i), 1.0)]);
            all.push(Direction { body: 0, label: ALONG[i], lever: 1.0, unit: "N", pose, rate });
        }
        for i in axes(&turns(b)) {
            let dq = quaternion_rate(&Vec3::from_fn(|k, _| f64::from(u8::from(k == i))), &q);
            let pose = dq.iter().enumerate().map(|(k, dq)| (self.0.quaternion(k), *dq)).collect();
            let rate = vec![(self.0.angular_velocity(i), 1.0)];
            let lever = gyration(all.len());
            all.push(Direction { body: 0, label: ABOUT[i], lever, unit: "N m", pose, rate });
        }
        all
    }

    fn mass(&self, b: &BodyModel, y: &[f64]) -> DMatrix<f64> {
        let r = rotation(&self.0.of(y).quaternion());
        let inertia = r * b.inertia.tensor() * r.transpose();
        let (along, about) = (axes(&b.dofs.translation).count(), axes(&turns(b)).collect::<Vec<_>>());
        let n = along + about.len();
        DMatrix::from_fn(n, n, |i, k| match (i.checked_sub(along), k.checked_sub(along)) {
            (None, None) if i == k => b.mass,
            (Some(i), Some(k)) => inertia[(about[i], about[k])],
            _ => 0.0,
        })
    }

    fn advance(&self, b: &BodyModel, y: &mut [f64], u: &[f64]) {
        let mut u = u.iter();
        for (i, dx) in axes(&b.dofs.translation).zip(u.by_ref()) {
            y[self.0.position(i)] += dx;
        }
        let mut turn = Vec3::zeros();
        for (i, angle) in axes(&turns(b)).zip(u) {
            turn[i] = *angle;
        }
        if let Some(mut body) = self.0.of_mut(y) {
            let q = Quat::new_normalize(body.turned(rotation_by(&turn)));
            body.set_quaternion(&[q.w, q.i, q.j, q.k]);
        }
    }

    fn way(&self, b: &BodyModel, u: &[f64]) -> (f64, f64) {
        let (along, about) = u.split_at(axes(&b.dofs.translation).count());
        let norm = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
        (norm(along) + b.reach() * norm(about), norm(about))
    }
}

/// Returns the axes whose component of the mask is not zero.
pub(super) fn axes(mask: &Vec3) -> impl Iterator<Item = usize> + use<> {
    let mask = *mask;
    (0..3).filter(move |&i| mask[i] != 0.0)
}

/// Returns 1 for each world axis that the body can turn about.
fn turns(b: &BodyModel) -> Vec3 {
    match b.dofs.rotation {
        Rotation::Free => Vec3::new(1.0, 1.0, 1.0),
        Rotation::None => Vec3::zeros(),
        Rotation::About(axis) => axis,
    }
}
