//! A's surface next to a point of it, and how the distance from B changes along it.
//!
//! A's surface may have edges; the surface at a small distance a from it has a normal everywhere. With o a point of that and t two vectors across its normal n, to u belongs the point p of A
//! closest to o + t u: it moves by J = ∂p/∂o t, and n turns by N = ∂n/∂o t, both known with the closest point. B's normal n_B at p turns by K as p moves. So
//!
//!   ∂d_B/∂u = Jᵀ n_B,   ∂²d_B/∂u² = Jᵀ K J − (n·n_B) Jᵀ N,
//!
//! the last because p, which follows A, bends away from its tangent plane.

use carom_base::{Dual, Mat3, Vec3};
use nalgebra::{Matrix2, Matrix3x2, Vector2};

use super::{Place, Walk};
use crate::pairs::convex::newton::across;
use crate::shape::Side;

pub(super) struct Chart<'w> {
    pub(super) walk: &'w Walk<'w>,
    pub(super) o: Vec3,
    pub(super) t: Matrix3x2<f64>,
}

/// The distance from one side of B next to u = `at`: its value, slope and bend.
#[derive(Clone, Copy)]
pub(super) struct Parabola {
    pub(super) at: Vector2<f64>,
    pub(super) f: f64,
    pub(super) slope: Vector2<f64>,
    pub(super) bend: Matrix2<f64>,
    pub(super) place: Place,
    /// n of the surface around A
    pub(super) n: Vec3,
    /// K
    pub(super) turn: Mat3,
}

impl<'w> Chart<'w> {
    /// Around a point o off A's surface, n being the normal there.
    pub(super) fn new(walk: &'w Walk<'w>, o: Vec3, n: &Vec3) -> Chart<'w> {
        Chart { walk, o, t: across(n) }
    }

    pub(super) fn parabola(&self, u: &Vector2<f64>) -> Parabola {
        let o = self.o + self.t * u;
        let x = Vec3::from_fn(|i, _| Dual::<3>::variable(o[i], i));
        let on = self.walk.a.project.closest_point_dual(Side::Outside, 0, &x);
        let (p, n) = (on.p.map(|c| c.re), on.n.map(|c| c.re));
        let moves = Mat3::from_fn(|i, j| on.p[i].eps[j]) * self.t;
        let turns = Mat3::from_fn(|i, j| on.n[i].eps[j]) * self.t;
        let there = self.walk.look_at_b(&p);
        let bend = moves.tr_mul(&(there.turn * moves)) - moves.tr_mul(&turns) * there.n.dot(&n);
        Parabola {
            at: *u,
            f: there.d,
            slope: moves.tr_mul(&there.n),
            bend: (bend + bend.transpose()) * 0.5,
            place: Place { p, q: there.p, n: there.n, d: there.d },
            n,
            turn: there.turn,
        }
    }

    /// The place that belongs to u.
    pub(super) fn place(&self, u: &Vector2<f64>) -> Place {
        self.walk.to_b(&self.walk.on_a(&(self.o + self.t * u)).p)
    }
}

impl Parabola {
    pub(super) fn value_at(&self, u: &Vector2<f64>) -> f64 {
        let v = u - self.at;
        self.f + self.slope.dot(&v) + 0.5 * v.dot(&(self.bend * v))
    }

    pub(super) fn slope_at(&self, u: &Vector2<f64>) -> Vector2<f64> {
        self.slope + self.bend * (u - self.at)
    }

    /// Newton's step, downhill also where the parabola is a saddle: by the size of its bends, none less than `least` [1/m].
    pub(super) fn step(&self, least: f64) -> Vector2<f64> {
        let eigen = self.bend.symmetric_eigen();
        let mut step = Vector2::zeros();
        for k in 0..2 {
            let v = eigen.eigenvectors.column(k);
            step -= v * (v.dot(&self.slope) / eigen.eigenvalues[k].abs().max(least));
        }
        step
    }

    /// Whether both are of one side of B: its normal there is what is expected from here.
    pub(super) fn is_side_of(&self, other: &Parabola, size: f64) -> bool {
        let way = other.place.p - self.place.p;
        let off = (other.place.n - self.place.n - self.turn * way).norm();
        off <= (3.0 * way.norm() / size).min(0.1) + 1e-12
    }
}
