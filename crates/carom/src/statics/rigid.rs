//! Small motions of a rigid body: a displacement δx of its centre of mass and a turn δθ about it, world frame, as far as its `dofs` allow.
//!
//! δq = ½ (0, δθ) q; along a finite turn, q ← exp(½ δθ) q. Mass matrix: m along the axes, R I Rᵀ about them.

use carom_base::{Quat, Vec3};
use nalgebra::{DMatrix, Quaternion};

use super::coordinates::{Direction, Tangent};
use crate::body::Rotation;
use crate::forward::quaternion_rate;
use crate::model::BodyModel;
use crate::state::rotation;

/// The axes of a displacement and of a turn, with their names.
pub(super) const ALONG: [&str; 3] = ["x", "y", "z"];
const ABOUT: [&str; 3] = ["rx", "ry", "rz"];

/// Where the parts of a body's state are: position, quaternion, velocity, angular velocity.
const Q: usize = 3;
const V: usize = 7;
const W: usize = 10;

/// A rigid body.
pub(super) struct Rigid;

impl Tangent for Rigid {
    fn directions(&self, b: &BodyModel, first: usize, y: &[f64]) -> Vec<Direction> {
        let q = quaternion(first, y);
        let mass = self.mass(b, first, y);
        let gyration = |i: usize| (mass[(i, i)] / b.mass).sqrt();
        let mut all = Vec::new();
        for i in axes(&b.dofs.translation) {
            let (pose, rate) = (vec![(first + i, 1.0)], vec![(first + V + i, 1.0)]);
            all.push(Direction { body: 0, label: ALONG[i], lever: 1.0, unit: "N", pose, rate });
        }
        for i in axes(&turns(b)) {
            let dq = quaternion_rate(&Vec3::from_fn(|k, _| f64::from(u8::from(k == i))), &q);
            let pose = dq.iter().enumerate().map(|(k, dq)| (first + Q + k, *dq)).collect();
            let rate = vec![(first + W + i, 1.0)];
            let lever = gyration(all.len());
            all.push(Direction { body: 0, label: ABOUT[i], lever, unit: "N m", pose, rate });
        }
        all
    }

    fn mass(&self, b: &BodyModel, first: usize, y: &[f64]) -> DMatrix<f64> {
        let r = rotation(&quaternion(first, y));
        let inertia = r * b.inertia.tensor() * r.transpose();
        let (along, about) = (axes(&b.dofs.translation).count(), axes(&turns(b)).collect::<Vec<_>>());
        let n = along + about.len();
        DMatrix::from_fn(n, n, |i, k| match (i.checked_sub(along), k.checked_sub(along)) {
            (None, None) if i == k => b.mass,
            (Some(i), Some(k)) => inertia[(about[i], about[k])],
            _ => 0.0,
        })
    }

    fn advance(&self, b: &BodyModel, first: usize, y: &mut [f64], u: &[f64]) {
        let mut u = u.iter();
        for (i, dx) in axes(&b.dofs.translation).zip(u.by_ref()) {
            y[first + i] += dx;
        }
        let mut turn = Vec3::zeros();
        for (i, angle) in axes(&turns(b)).zip(u) {
            turn[i] = *angle;
        }
        let [w, x, yy, z] = quaternion(first, y);
        let q = Quat::new_normalize(Quat::from_scaled_axis(turn).into_inner() * Quaternion::new(w, x, yy, z));
        y[first + Q..first + Q + 4].copy_from_slice(&[q.w, q.i, q.j, q.k]);
    }

    fn way(&self, b: &BodyModel, u: &[f64]) -> (f64, f64) {
        let (along, about) = u.split_at(axes(&b.dofs.translation).count());
        let norm = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
        (norm(along) + b.reach() * norm(about), norm(about))
    }
}

/// The axes a mask allows.
pub(super) fn axes(mask: &Vec3) -> impl Iterator<Item = usize> + use<> {
    let mask = *mask;
    (0..3).filter(move |&i| mask[i] != 0.0)
}

/// 1 for each world axis it can turn about.
fn turns(b: &BodyModel) -> Vec3 {
    match b.dofs.rotation {
        Rotation::Free => Vec3::new(1.0, 1.0, 1.0),
        Rotation::None => Vec3::zeros(),
        Rotation::About(axis) => axis,
    }
}

fn quaternion(first: usize, y: &[f64]) -> [f64; 4] {
    [y[first + Q], y[first + Q + 1], y[first + Q + 2], y[first + Q + 3]]
}
