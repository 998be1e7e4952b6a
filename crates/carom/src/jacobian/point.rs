//! What a contact point's force owes to the states of its two bodies.
//!
//! F = f_t(f_n, v_t) − f_n(δ, δ̇) n with δ̇ = v·n, v_t = v − δ̇ n. With the laws' own derivatives k = ∂f_n/∂δ,
//! c = ∂f_n/∂δ̇, φ = ∂f_t/∂f_n, Φ = ∂f_t/∂v_t,
//!
//!   dF = D dv + N dn + g dδ,
//!   D = c (φ − n) nᵀ + Φ (1 − n nᵀ),   N = (c (φ − n) − Φ n) vᵀ − δ̇ Φ − f_n 1,   g = k (φ − n).
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | force on A at p_a; −F acts on B at p_b |
//! | v | m/s | v_a(p_a) − v_b(p_b) |
//! | r | m | arm of a body: from its centre of mass to p_a or p_b |
//! | D, N, g | N s/m, N, N/m | the derivatives of F by v, n and δ |
//!
//! A state enters by dv = dv_a + dω_a × r_a + ω_a × dr_a − (the same of B), and by what the pair says of dp_a, dp_b,
//! dn, dδ as one of its surfaces moves. The torques are r_a × F and −r_b × F.

use carom_base::{Dual, Mat3, Vec3};
use carom_geometry::PairFailure;
use carom_law::{Indentation, Touch};
use carom_ode::Jacobian;
use nalgebra::{Matrix3x6, RowVector6, SMatrix};

use super::body::{angular_response, turn_of};
use crate::contact::{PointForce, Rule, Slot};
use crate::forward::Workspace;
use crate::model::{BODY, BodyKind, Model};
use crate::state::Kinematics;

/// A contact point that carries a force, and the derivatives of that force.
pub(super) struct Point<'a> {
    m: &'a Model,
    slot: &'a Slot,
    feature: usize,
    /// A and B
    ends: [End; 2],
    /// F, the force on A
    f: Vec3,
    /// D = ∂F/∂v
    by_v: Mat3,
    /// N = ∂F/∂n
    by_n: Mat3,
    /// g = ∂F/∂δ
    by_delta: Vec3,
}

/// One body of a contact.
struct End {
    body: usize,
    k: Kinematics,
    /// where the force acts
    p: Vec3,
    /// from the centre of mass to there
    arm: Vec3,
    /// F acts on A, −F on B; v is that of A less that of B
    sign: f64,
}

impl End {
    fn new(body: usize, ws: &Workspace, p: Vec3, sign: f64) -> End {
        let k = *ws.body(body);
        End { body, k, p, arm: p - k.x.p, sign }
    }
}

/// What N components of the state change at a contact point.
pub(super) struct Change<const N: usize> {
    /// the force on A
    f: SMatrix<f64, 3, N>,
    /// the arms of A and B
    arms: [SMatrix<f64, 3, N>; 2],
}

impl<const N: usize> Change<N> {
    /// Whether all of it is: a sum is finite only if its terms are.
    pub(super) fn is_finite(&self) -> bool {
        (self.f.sum() + self.arms[0].sum() + self.arms[1].sum()).is_finite()
    }
}

impl<'a> Point<'a> {
    /// The point in the state the workspace holds; `None` where it carries nothing.
    pub(super) fn new(
        m: &'a Model,
        slot: &'a Slot,
        feature: usize,
        ws: &Workspace,
    ) -> Result<Option<Point<'a>>, PairFailure> {
        let point = slot.point(m, feature, ws.body(slot.body_a), ws.body(slot.body_b))?;
        let c = &point.contact;
        if c.delta <= 0.0 {
            return Ok(None);
        }
        let ends = [End::new(slot.body_a, ws, c.p_a, 1.0), End::new(slot.body_b, ws, c.p_b, -1.0)];
        let v = ends[0].k.velocity_at(&c.p_a) - ends[1].k.velocity_at(&c.p_b);
        let laws = Laws::new(&point, &v, &m.rules[slot.rule], &slot.features[feature].touch);
        let (n, along) = (&c.n, laws.by_f_n - c.n); // φ − n
        let by_v = laws.c * along * n.transpose() + laws.by_v_t * (Mat3::identity() - n * n.transpose());
        let by_n = (laws.c * along - laws.by_v_t * n) * v.transpose()
            - point.delta_dot * laws.by_v_t
            - Mat3::from_diagonal_element(point.f_n);
        let by_delta = laws.k * along;
        Ok(Some(Point { m, slot, feature, ends, f: point.on_a(), by_v, by_n, by_delta }))
    }

    /// A and B.
    pub(super) fn bodies(&self) -> [usize; 2] {
        [self.slot.body_a, self.slot.body_b]
    }

    /// The force on both bodies, for their torques.
    pub(super) fn load(&self, ws: &mut Workspace) {
        for end in &self.ends {
            ws.load(end.body, &end.p, &(end.sign * self.f));
        }
    }

    /// What the 13 numbers `y` of a body, A (0) or B (1), change. `None`: the pair has no derivatives.
    pub(super) fn moved(&self, end: usize, y: &[f64; BODY]) -> Option<Result<Change<BODY>, PairFailure>> {
        let [a, b] = &self.ends;
        let contact = match self.slot.contact_dual(self.feature, [&a.k, &b.k], end)? {
            Ok(contact) => contact,
            Err(e) => return Some(Err(e)),
        };
        let [r_a, r_b, n] = [&contact.p_a, &contact.p_b, &contact.n].map(by_motion);
        let mut arms = [r_a, r_b];
        // an arm starts at the centre of mass, which moves with its body
        (0..3).for_each(|i| arms[end][(i, i)] -= 1.0);
        let v = a.k.w.cross_matrix() * arms[0] - b.k.w.cross_matrix() * arms[1];
        let f = self.by_v * v + self.by_n * n + self.by_delta * RowVector6::from(contact.delta.eps);
        // the 13 numbers are x, q, v, ω
        let matters = self.m.bodies[self.ends[end].body].orientation_matters;
        let turn = if matters { turn_of(&[y[3], y[4], y[5], y[6]]) } else { SMatrix::zeros() };
        let by_pose = |by_motion: &Matrix3x6<f64>| {
            let mut all = SMatrix::<f64, 3, BODY>::zeros();
            all.fixed_columns_mut::<3>(0).copy_from(&by_motion.fixed_columns::<3>(0));
            all.fixed_columns_mut::<4>(3).copy_from(&(by_motion.fixed_columns::<3>(3) * turn));
            all
        };
        let mut f = by_pose(&f);
        let by_v = self.ends[end].sign * self.by_v;
        f.fixed_columns_mut::<3>(7).copy_from(&by_v);
        // dω × r = −r × dω
        f.fixed_columns_mut::<3>(10).copy_from(&(-by_v * self.ends[end].arm.cross_matrix()));
        Some(Ok(Change { f, arms: [by_pose(&arms[0]), by_pose(&arms[1])] }))
    }

    /// Adds what the components of the state from `first` on change in the accelerations of both bodies.
    pub(super) fn add<const N: usize>(&self, change: &Change<N>, first: usize, j: &mut Jacobian) {
        for (end, arm) in self.ends.iter().zip(&change.arms) {
            let b = &self.m.bodies[end.body];
            let BodyKind::Dynamic(d) = b.kind else { continue };
            let torque = end.arm.cross_matrix() * change.f - self.f.cross_matrix() * arm;
            let acceleration = Mat3::from_diagonal(&(end.sign * b.inverse_mass)) * change.f;
            let angular = end.sign * angular_response(b, &end.k.x.r) * torque;
            for i in 0..N {
                j.add_rows(d * BODY + 7, first + i, acceleration.column(i).as_slice());
                j.add_rows(d * BODY + 10, first + i, angular.column(i).as_slice());
            }
        }
    }
}

/// The derivatives of the laws at a contact point.
struct Laws {
    /// k = ∂f_n/∂δ [N/m]
    k: f64,
    /// c = ∂f_n/∂δ̇ [N s/m]
    c: f64,
    /// φ = ∂f_t/∂f_n
    by_f_n: Vec3,
    /// Φ = ∂f_t/∂v_t [N s/m]
    by_v_t: Mat3,
}

impl Laws {
    fn new(point: &PointForce, v: &Vec3, rule: &Rule, touch: &Touch) -> Laws {
        let delta = Dual::variable(point.contact.delta, 0);
        let delta_dot = Dual::variable(point.delta_dot, 1);
        let [k, c] = rule.normal.force_dual(Indentation { delta, delta_dot }, touch).f_n.eps;
        let mut laws = Laws { k, c, by_f_n: Vec3::zeros(), by_v_t: Mat3::zeros() };
        if let Some(friction) = &rule.friction {
            let v_t = v - point.contact.n * point.delta_dot;
            let v_t = Vec3::from_fn(|i, _| Dual::variable(v_t[i], 1 + i));
            let f_t = friction.force_dual(Dual::variable(point.f_n.max(0.0), 0), &v_t);
            // a normal force that holds presses nothing together, however it changes
            laws.by_f_n = f_t.map(|f| if point.f_n > 0.0 { f.eps[0] } else { 0.0 });
            laws.by_v_t = Mat3::from_fn(|i, k| f_t[i].eps[1 + k]);
        }
        laws
    }
}

/// The derivatives of a vector by a small motion.
fn by_motion(x: &Vec3<Dual<6>>) -> Matrix3x6<f64> {
    Matrix3x6::from_fn(|i, k| x[i].eps[k])
}
