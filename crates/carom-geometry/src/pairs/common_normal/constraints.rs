//! The equations of a common normal, and their Jacobian (Lopes et al. 2010, Eqs 9–14).
//!
//! Unknown are p, a point in the frame of A, and q, one in the frame of B: q^G of Eq 10. With n_P = ∇F_A(p), n_Q = ∇F_B(q), t and b the tangents at q
//! ([`Tangents`]) and d = q − p, all seen from one frame:
//!
//!   Φ = (n_P·t, n_P·b, d·t, d·b, F_A(p), F_B(q)) = 0.
//!
//! What is seen from B's frame is m = Rᵀ n_P and e = Rᵀ(c − p) + q, R and c the pose of B in A's frame.

use carom_base::{Dual, Mat3, Pose, Scalar, Vec3};
use nalgebra::{Matrix6, Vector6};

use super::pseudo_inverse;
use super::tangents::Tangents;
use crate::shape::{Implicit, Level};

/// q^G, Eq 10: each point in the frame of its surface [m].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Points {
    pub(super) p: Vec3,
    pub(super) q: Vec3,
}

/// Everything at two points: the surfaces' equations, and the tangents at q.
pub(super) struct Constraints {
    pub(super) at: Points,
    pub(super) a: Level,
    pub(super) b: Level,
    /// t and b, and their derivatives by q: (t_jQ)_q = ∂t/∂n (n_jQ)_q, Eq 13
    across: [(Vec3, Mat3); 2],
}

impl Constraints {
    pub(super) fn at(a: &dyn Implicit, b: &dyn Implicit, tangents: Tangents, at: &Points) -> Constraints {
        let (level_a, level_b) = (a.level(&at.p), b.level(&at.q));
        let across = tangents.of(&level_b.gradient).map(|(t, by_n)| (t, by_n * level_b.hessian));
        Constraints { at: *at, a: level_a, b: level_b, across }
    }

    /// m and e: the normal of A and the way from p to q, seen from B's frame.
    fn seen<S: Scalar>(&self, x: &Pose<S>) -> [Vec3<S>; 2] {
        let constant = |v: &Vec3| v.map(S::from_f64);
        [
            x.direction_to_local(&constant(&self.a.gradient)),
            constant(&self.at.q) - x.point_to_local(&constant(&self.at.p)),
        ]
    }

    /// Φ, Eq 9, `x` being the pose of B in A's frame.
    pub(super) fn values<S: Scalar>(&self, x: &Pose<S>) -> [S; 6] {
        let [m, e] = self.seen(x);
        let [t, b] = self.across.map(|(v, _)| v.map(S::from_f64));
        [m.dot(&t), m.dot(&b), e.dot(&t), e.dot(&b), S::from_f64(self.a.f), S::from_f64(self.b.f)]
    }

    /// Φ_q, Eq 12: columns by p, then by q.
    pub(super) fn jacobian(&self, x: &Pose) -> Matrix6<f64> {
        let [m, e] = self.seen(x);
        let mut j = Matrix6::zeros();
        let mut put = |row: usize, by_p: Vec3, by_q: Vec3| {
            j.fixed_view_mut::<1, 3>(row, 0).copy_from(&by_p.transpose());
            j.fixed_view_mut::<1, 3>(row, 3).copy_from(&by_q.transpose());
        };
        for (k, (t, dt)) in self.across.iter().enumerate() {
            // the tangent seen from A: (n_OP)_q = A (n_iP)_q, (d_PQ)_q = A s_q, Eqs 13 and 14
            let out = x.direction(t);
            put(k, self.a.hessian * out, dt.tr_mul(&m));
            put(2 + k, -out, t + dt.tr_mul(&e));
        }
        put(4, self.a.gradient, Vec3::zeros());
        put(5, Vec3::zeros(), self.b.gradient);
        j
    }

    /// What makes the equations numbers of the order of one: lengths in units of `size` [m], tangents of length one. Singular values can then be compared with each other.
    pub(super) fn weights(&self, size: f64) -> Vector6<f64> {
        let [t, b] = self.across.map(|(v, _)| v.norm());
        Vector6::new(size / t, size / b, 1.0 / (size * t), 1.0 / (size * b), 1.0, 1.0)
    }

    /// Newton's step, Eq 8; `None` where the Jacobian is singular, or cannot be distinguished from a singular one. With `cut` > 0 by the pseudo-inverse of Section 8: singular values below that share of the largest are left out.
    pub(super) fn step(&self, x: &Pose, cut: f64, size: f64) -> Option<Points> {
        let w = self.weights(size);
        let weighted = Matrix6::from_diagonal(&w) * self.jacobian(x);
        let values = Vector6::from(self.values(x)).component_mul(&w);
        let step = match cut > 0.0 {
            false => {
                let lu = weighted.lu();
                if !regular(lu.u().diagonal().iter(), weighted.amax()) {
                    return None;
                }
                lu.solve(&-values)?
            }
            true => pseudo_inverse::solve(&weighted, &-values, cut),
        };
        step.iter().all(|s| s.is_finite()).then(|| points(&step))
    }

    /// How p and q move with the poses, by the implicit function theorem: Φ_q dq = −dΦ at points held fast.
    pub(super) fn rates<const N: usize>(&self, at: &Pose, moving: &Pose<Dual<N>>) -> Option<[Points; N]> {
        let lu = self.jacobian(at).lu();
        let values = self.values(moving);
        let mut rates = [Points { p: Vec3::zeros(), q: Vec3::zeros() }; N];
        for (k, rate) in rates.iter_mut().enumerate() {
            let driven = Vector6::from(values.map(|v| -v.eps[k]));
            *rate = points(&lu.solve(&driven)?);
        }
        Some(rates)
    }
}

/// Whether a matrix, by its pivots and its largest number, can be distinguished from a singular one: rounding changes pivots by a few times 2e-16 of that number.
pub(super) fn regular<'a>(mut pivots: impl Iterator<Item = &'a f64>, largest: f64) -> bool {
    pivots.all(|pivot| pivot.abs() > 6.0 * f64::EPSILON * largest)
}

fn points(v: &Vector6<f64>) -> Points {
    Points { p: v.fixed_rows::<3>(0).into_owned(), q: v.fixed_rows::<3>(3).into_owned() }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may")]
mod tests {
    use carom_base::Quat;

    use super::*;
    use crate::surfaces::{Ellipsoid, Superellipsoid};

    /// Central differences of Φ, off the solution, at points whose normals are generic or next to an axis of B.
    #[test]
    fn the_jacobian_is_that_of_differences() {
        let egg = Ellipsoid::new([1.0, 0.7, 0.4]).unwrap();
        let pillow = Superellipsoid::new([1.0, 1.2, 0.6], [2.4, 3.0, 3.5]).unwrap();
        let r = Quat::from_euler_angles(0.3, -0.8, 1.1).to_rotation_matrix().into_inner();
        let x = Pose { p: Vec3::new(1.4, -0.6, 0.9), r };
        let pairs: [[&dyn Implicit; 2]; 4] =
            [[&egg, &egg], [&egg, &pillow], [&pillow, &egg], [&pillow, &pillow]];
        let q =
            [[0.4, -0.3, 0.2], [-0.9, 0.02, 0.01], [0.9, 0.01, -0.02], [0.02, 0.3, 0.3], [-0.02, 0.01, 0.4]];
        for ([a, b], q) in pairs.iter().flat_map(|pair| q.map(|q| (*pair, Vec3::from(q)))) {
            for way in [Tangents::Householder, Tangents::Auxiliary] {
                let at = Points { p: Vec3::new(0.5, 0.3, -0.2), q };
                let phi = |at: &Points| Vector6::from(Constraints::at(a, b, way, at).values(&x));
                let ours = Constraints::at(a, b, way, &at).jacobian(&x);
                let h = 1e-6;
                for j in 0..6 {
                    let to = |h: f64| {
                        let mut moved = at;
                        if j < 3 {
                            moved.p[j] += h
                        } else {
                            moved.q[j - 3] += h
                        }
                        phi(&moved)
                    };
                    let by = (to(h) - to(-h)) / (2.0 * h);
                    let off = (by - ours.column(j)).norm() / ours.norm();
                    assert!(off < 1e-8, "{way:?} q {q:?} column {j}: {by} {}", ours.column(j));
                }
            }
        }
    }
}
