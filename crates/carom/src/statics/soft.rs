//! Small motions of a deformable body: a displacement of its centre of mass, and nine changes δF, restricted by plane
//! strain and by a constant volume. They are rotations [e_i] F, shears and stretches, made orthonormal one after the
//! other.
//!
//! A finite motion is F ← exp(skew A) (1 + sym A) F, A = δF F⁻¹, with the change of volume removed where the volume
//! is constant. Mass matrix: m along the axes, tr(B_i J B_kᵀ) for the changes B.

use carom_base::{Mat3, Vec3, inverse, rotation_by};
use nalgebra::DMatrix;

use super::coordinates::{Direction, Tangent};
use super::rigid::{ALONG, axes};
use crate::body::Soft;
use crate::layout::AffineRows;
use crate::world::BodyModel;

/// The names of rotations, shears and stretches.
const CHANGES: [&str; 9] = ["rx", "ry", "rz", "syz", "szx", "sxy", "sx", "sy", "sz"];

/// A deformable body, given by the rows of its numbers in the state.
pub(super) struct Deforming(pub(super) AffineRows);

impl Tangent for Deforming {
    fn directions(&self, b: &BodyModel, y: &[f64]) -> Vec<Direction> {
        let mut all = Vec::new();
        for i in axes(&b.dofs.translation) {
            let (pose, rate) = (vec![(self.0.position(i), 1.0)], vec![(self.0.velocity(i), 1.0)]);
            all.push(Direction { body: 0, label: ALONG[i], lever: 1.0, unit: "N", pose, rate });
        }
        let Some(soft) = &b.soft else { return all };
        for (label, change) in changes(soft, &self.0.of(y).f) {
            // entries of F or of Ḟ, whose first number is at row `first`
            let entries = |first: usize| change.iter().enumerate().map(|(k, x)| (first + k, *x)).collect();
            let lever = ((change * soft.euler).dot(&change) / b.mass).sqrt();
            all.push(Direction {
                body: 0,
                label,
                lever,
                unit: "N m",
                pose: entries(self.0.deformation(0, 0)),
                rate: entries(self.0.deformation_rate(0, 0)),
            });
        }
        all
    }

    fn mass(&self, b: &BodyModel, y: &[f64]) -> DMatrix<f64> {
        let along = axes(&b.dofs.translation).count();
        let changes = b.soft.as_ref().map_or_else(Vec::new, |soft| changes(soft, &self.0.of(y).f));
        let euler = b.soft.as_ref().map_or_else(Mat3::zeros, |soft| soft.euler);
        let n = along + changes.len();
        DMatrix::from_fn(n, n, |i, k| match (i.checked_sub(along), k.checked_sub(along)) {
            (None, None) if i == k => b.mass,
            (Some(i), Some(k)) => (changes[i].1 * euler).dot(&changes[k].1),
            _ => 0.0,
        })
    }

    fn advance(&self, b: &BodyModel, y: &mut [f64], u: &[f64]) {
        let mut u = u.iter();
        for (i, dx) in axes(&b.dofs.translation).zip(u.by_ref()) {
            y[self.0.position(i)] += dx;
        }
        let Some(soft) = &b.soft else { return };
        let mut state = self.0.of(y);
        let mut change = Mat3::zeros();
        for ((_, direction), u) in changes(soft, &state.f).iter().zip(u) {
            change += direction * *u;
        }
        let a = change * inverse(&state.f).1;
        let w = 0.5 * Vec3::new(a[(2, 1)] - a[(1, 2)], a[(0, 2)] - a[(2, 0)], a[(1, 0)] - a[(0, 1)]);
        let turn = rotation_by(&w).to_rotation_matrix().into_inner();
        state.f = turn * (Mat3::identity() + 0.5 * (a + a.transpose())) * state.f;
        soft.project(&mut state.f, &mut state.f_dot);
        self.0.write(&state, y);
    }

    fn way(&self, b: &BodyModel, u: &[f64]) -> (f64, f64) {
        let (along, about) = u.split_at(axes(&b.dofs.translation).count());
        let norm = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
        (norm(along) + b.reach() * norm(about), norm(about))
    }
}

/// Returns the changes of F that are allowed, orthonormal, with their names.
fn changes(soft: &Soft, f: &Mat3) -> Vec<(&'static str, Mat3)> {
    let unit = |i: usize| Vec3::from_fn(|k, _| f64::from(u8::from(k == i)));
    let mut all: Vec<(&'static str, Mat3)> = Vec::new();
    for (i, label) in CHANGES.into_iter().enumerate() {
        let (e, g) = (unit((i + 1) % 3), unit((i + 2) % 3));
        let gradient = match i {
            0..3 => unit(i).cross_matrix(),
            3..6 => e * g.transpose() + g * e.transpose(),
            _ => unit(i - 6) * unit(i - 6).transpose(),
        };
        let mut change = soft.allowed(f, &(gradient * f));
        let size = change.norm();
        // twice: a single pass leaves rounding errors
        for _ in 0..2 {
            for (_, other) in &all {
                change -= other * other.dot(&change);
            }
        }
        if change.norm() > 1e-8 * size.max(1.0) {
            all.push((label, change / change.norm()));
        }
    }
    all
}
