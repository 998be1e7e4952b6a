//! Derivatives of numbers of a contact point by what its laws take: v, n, δ, δ̇ and the normal force ([`point`](super::point) has the symbols).

use carom_base::{Dual, Mat3, Vec3};
use nalgebra::{SMatrix, SVector};

use crate::contact::PointForce;
use crate::rule::Rule;
use crate::slopes;

/// Changes of v, n and δ of a contact, and those of δ̇ beside v·n and of f_n beside that by δ and δ̇.
#[derive(Clone, Copy)]
pub(super) struct Differences {
    pub(super) v: Vec3,
    pub(super) n: Vec3,
    pub(super) delta: f64,
    /// of bodies that deform, or of points that have one indentation in common
    pub(super) rate: f64,
    /// by the contact's share
    pub(super) f_n: f64,
    /// of what adhesion adds to the normal force as friction feels it, by the contact's share
    pub(super) adhesion: f64,
}

impl Differences {
    /// Returns Σ weight · difference.
    pub(super) fn sum([a, b, c]: [&Differences; 3], weights: &Vec3) -> Differences {
        Differences {
            v: a.v * weights.x + b.v * weights.y + c.v * weights.z,
            n: a.n * weights.x + b.n * weights.y + c.n * weights.z,
            delta: a.delta * weights.x + b.delta * weights.y + c.delta * weights.z,
            rate: a.rate * weights.x + b.rate * weights.y + c.rate * weights.z,
            f_n: a.f_n * weights.x + b.f_n * weights.y + c.f_n * weights.z,
            adhesion: a.adhesion * weights.x + b.adhesion * weights.y + c.adhesion * weights.z,
        }
    }

    /// Returns a number that is finite if all of them are.
    pub(super) fn size(&self) -> f64 {
        self.v.sum() + self.n.sum() + self.delta + self.rate + self.f_n + self.adhesion
    }
}

/// The derivatives of R numbers by v, n, δ and δ̇ of a contact, and by f_n and by what adhesion adds to it for friction.
pub(super) struct ContactDerivatives<const R: usize> {
    pub(super) by_v: SMatrix<f64, R, 3>,
    pub(super) by_n: SMatrix<f64, R, 3>,
    pub(super) by_delta: SVector<f64, R>,
    pub(super) by_rate: SVector<f64, R>,
    pub(super) by_f_n: SVector<f64, R>,
    pub(super) by_adhesion: SVector<f64, R>,
}

impl<const R: usize> ContactDerivatives<R> {
    /// Converts the derivatives by what the laws take: f_n, v_t, and z projected onto the tangent plane, for which
    /// d(z − n n·z) = −(n·z 1 + n zᵀ) dn.
    pub(super) fn new(
        at: &ContactQuantities,
        z: &Vec3,
        by_f_n: &SVector<f64, R>,
        by_v_t: &SMatrix<f64, R, 3>,
        by_z: &SMatrix<f64, R, 3>,
    ) -> ContactDerivatives<R> {
        let n = &at.n;
        let plane = Mat3::identity() - n * n.transpose();
        let tilt = Mat3::from_diagonal_element(n.dot(z)) + n * z.transpose();
        ContactDerivatives {
            by_v: at.c * by_f_n * n.transpose() + by_v_t * plane,
            by_n: (at.c * by_f_n - by_v_t * n) * at.v.transpose() - at.v.dot(n) * by_v_t - by_z * tilt,
            by_delta: at.k * by_f_n,
            by_rate: at.c * by_f_n,
            by_f_n: *by_f_n,
            by_adhesion: *by_f_n,
        }
    }

    /// Adds the derivatives of other numbers.
    pub(super) fn add(&mut self, other: &ContactDerivatives<R>) {
        self.by_v += other.by_v;
        self.by_n += other.by_n;
        self.by_delta += other.by_delta;
        self.by_rate += other.by_rate;
        self.by_f_n += other.by_f_n;
        self.by_adhesion += other.by_adhesion;
    }

    /// Returns the change of the R numbers by changes of v, n and δ, and by further changes of δ̇ and f_n.
    #[inline]
    pub(super) fn change(&self, d: &Differences) -> SVector<f64, R> {
        self.by_v * d.v
            + self.by_n * d.n
            + self.by_delta * d.delta
            + self.by_rate * d.rate
            + self.by_f_n * d.f_n
            + self.by_adhesion * d.adhesion
    }
}

/// The quantities at a contact point that the derivatives are made of.
#[derive(Clone, Copy)]
pub(super) struct ContactQuantities {
    pub(super) n: Vec3,
    /// velocity of A minus velocity of B at the friction points [m/s]
    pub(super) v: Vec3,
    /// k = ∂f_n/∂δ [N/m]
    pub(super) k: f64,
    /// c = ∂f_n/∂δ̇ [N s/m]
    pub(super) c: f64,
}

/// The changes at a contact point by one number of the state.
#[derive(Clone, Copy)]
pub(super) struct Change {
    pub(super) wrench: slopes::Change,
    /// changes of v, n and δ, which bristles follow, and of Ω
    pub(super) d: Differences,
    pub(super) turning: Vec3,
    /// change of the moment of the normal force about the friction point [N m]
    pub(super) moment: Mat3,
}

impl Change {
    /// Returns Σ weight · change.
    pub(super) fn sum(changes: &[Change; 3], weights: &Vec3) -> Change {
        let [a, b, c] = changes;
        Change {
            wrench: slopes::Change::sum([&a.wrench, &b.wrench, &c.wrench], weights),
            d: Differences::sum([&a.d, &b.d, &c.d], weights),
            turning: a.turning * weights.x + b.turning * weights.y + c.turning * weights.z,
            moment: a.moment * weights.x + b.moment * weights.y + c.moment * weights.z,
        }
    }

    pub(super) fn is_finite(&self) -> bool {
        self.wrench.is_finite() && (self.d.size() + self.turning.sum() + self.moment.sum()).is_finite()
    }
}

/// The derivatives of the friction force at a contact point without bristles.
pub(super) struct Slopes {
    /// φ = ∂f_t/∂f_n
    pub(super) by_f_n: Vec3,
    /// Φ = ∂f_t/∂v_t [N s/m]
    pub(super) by_v_t: Mat3,
}

impl Slopes {
    pub(super) const NONE: Slopes = Slopes {
        by_f_n: Vec3::new(0.0, 0.0, 0.0),
        by_v_t: Mat3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    };

    /// Returns the derivatives; zero if the rule has no friction law.
    pub(super) fn of_slip(point: &PointForce, rule: &Rule) -> Slopes {
        let mut slopes = Slopes::NONE;
        if let Some(friction) = &rule.friction {
            let v_t = Vec3::from_fn(|i, _| Dual::variable(point.v_t[i], 1 + i));
            let f_t = friction.force_dual(Dual::variable(point.load, 0), &v_t);
            // a load below zero does not press the surfaces together: friction does not change with it
            slopes.by_f_n = f_t.map(|f| if point.load > 0.0 { f.eps[0] } else { 0.0 });
            slopes.by_v_t = Mat3::from_fn(|i, k| f_t[i].eps[1 + k]);
        }
        slopes
    }
}
