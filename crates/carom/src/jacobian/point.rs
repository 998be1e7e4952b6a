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
use carom_law::{Indentation, Memory};
use carom_ode::Jacobian;
use nalgebra::{Matrix3x4, Matrix3x6, RowVector6, SMatrix, SVector};

use super::body::{angular_response, turn_of};
use super::memory::Bristles;
use crate::contact::{PointForce, Rule, Slot, load};
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
    /// D, N and g
    force: Follows<3>,
    /// what friction remembers here
    memory: Option<Bristles>,
}

/// How R numbers follow v, n and δ of a contact.
pub(super) struct Follows<const R: usize> {
    pub(super) by_v: SMatrix<f64, R, 3>,
    pub(super) by_n: SMatrix<f64, R, 3>,
    pub(super) by_delta: SVector<f64, R>,
}

impl<const R: usize> Follows<R> {
    /// From the derivatives by what the laws see: f_n, v_t, and z within the tangent plane, whose own is
    /// d(z − n n·z) = −(n·z 1 + n zᵀ) dn.
    pub(super) fn new(
        at: &At,
        by_f_n: &SVector<f64, R>,
        by_v_t: &SMatrix<f64, R, 3>,
        by_z: &SMatrix<f64, R, 3>,
    ) -> Follows<R> {
        let n = &at.n;
        let plane = Mat3::identity() - n * n.transpose();
        let tilt = Mat3::from_diagonal_element(n.dot(&at.z)) + n * at.z.transpose();
        Follows {
            by_v: at.c * by_f_n * n.transpose() + by_v_t * plane,
            by_n: (at.c * by_f_n - by_v_t * n) * at.v.transpose() - at.delta_dot * by_v_t - by_z * tilt,
            by_delta: at.k * by_f_n,
        }
    }

    /// By a small motion that changes v, n and δ so.
    pub(super) fn by_motion(
        &self,
        v: &Matrix3x6<f64>,
        n: &Matrix3x6<f64>,
        delta: &RowVector6<f64>,
    ) -> SMatrix<f64, R, 6> {
        self.by_v * v + self.by_n * n + self.by_delta * delta
    }
}

/// A contact point as the derivatives need it.
pub(super) struct At {
    pub(super) n: Vec3,
    /// v_a(p_a) − v_b(p_b)
    pub(super) v: Vec3,
    pub(super) delta_dot: f64,
    /// k = ∂f_n/∂δ [N/m]
    pub(super) k: f64,
    /// c = ∂f_n/∂δ̇ [N s/m]
    pub(super) c: f64,
    /// z as the state has it
    pub(super) z: Vec3,
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
    /// how fast what is remembered changes
    rate: SMatrix<f64, 4, N>,
}

impl<const N: usize> Change<N> {
    /// Whether all of it is: a sum is finite only if its terms are.
    pub(super) fn is_finite(&self) -> bool {
        (self.f.sum() + self.arms[0].sum() + self.arms[1].sum() + self.rate.sum()).is_finite()
    }
}

impl<'a> Point<'a> {
    /// The point in the state the workspace holds; `None` where it carries nothing.
    pub(super) fn new(
        m: &'a Model,
        slot: &'a Slot,
        feature: usize,
        ws: &Workspace,
        memories: &[[f64; Memory::SIZE]],
    ) -> Result<Option<Point<'a>>, PairFailure> {
        let (ka, kb) = (ws.body(slot.body_a), ws.body(slot.body_b));
        let mut point = slot.point(m, feature, ka, kb)?;
        let c = point.contact;
        if c.delta <= 0.0 {
            return Ok(None);
        }
        let ends = [End::new(slot.body_a, ws, c.p_a, 1.0), End::new(slot.body_b, ws, c.p_b, -1.0)];
        let v = ends[0].k.velocity_at(&c.p_a) - ends[1].k.velocity_at(&c.p_b);
        let (rule, touch) = (&m.rules[slot.rule], &slot.features[feature].touch);
        let delta = Dual::variable(c.delta, 0);
        let delta_dot = Dual::variable(point.delta_dot, 1);
        let [k, damping] = rule.normal.force_dual(Indentation { delta, delta_dot }, touch).f_n.eps;
        let mut at = At { n: c.n, v, delta_dot: point.delta_dot, k, c: damping, z: Vec3::zeros() };
        let place = slot.features[feature].place;
        let (slopes, memory) = match place {
            Some(place) => {
                let now = slot.evolve(m, feature, ka, kb, point, &memories[place]);
                point.f_t = now.f_t;
                at.z = Memory::from_numbers(&memories[place]).z;
                let (slopes, bristles) =
                    Bristles::new(&at, &point, m, slot, feature, [ka, kb], &memories[place]);
                (slopes, Some(bristles))
            }
            None => (Slopes::of_slip(&point, &v, rule), None),
        };
        // F = f_t − f_n n
        let mut force = Follows::new(&at, &(slopes.by_f_n - c.n), &slopes.by_v_t, &slopes.by_z);
        (0..3).for_each(|i| force.by_n[(i, i)] -= point.f_n);
        Ok(Some(Point { m, slot, feature, ends, f: point.f_t - c.n * point.f_n, force, memory }))
    }

    /// What the numbers that are remembered here change, and where they start in the state.
    pub(super) fn remembered(&self) -> Option<(Change<4>, usize)> {
        let memory = self.memory.as_ref()?;
        let change = Change { f: memory.force, arms: [SMatrix::zeros(); 2], rate: memory.rate };
        Some((change, self.m.body_dim() + memory.place * Memory::SIZE))
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
        let delta = RowVector6::from(contact.delta.eps);
        let f = self.force.by_motion(&v, &n, &delta);
        // the 13 numbers are x, q, v, ω
        let matters = self.m.bodies[self.ends[end].body].orientation_matters;
        let turn = if matters { turn_of(&[y[3], y[4], y[5], y[6]]) } else { SMatrix::zeros() };
        let mut f = by_pose(&f, &turn);
        let (sign, arm) = (self.ends[end].sign, &self.ends[end].arm);
        by_velocity(&mut f, &(sign * self.force.by_v), arm);
        let mut rate = SMatrix::zeros();
        if let Some(memory) = &self.memory {
            rate = by_pose(&memory.follows.by_motion(&v, &n, &delta), &turn);
            by_velocity(&mut rate, &(sign * memory.follows.by_v), arm);
            rate += memory.carried(self.slot, self.feature, [&a.k, &b.k], end, &turn)?;
        }
        Some(Ok(Change { f, arms: [by_pose(&arms[0], &turn), by_pose(&arms[1], &turn)], rate }))
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
        let Some(memory) = &self.memory else { return };
        for i in 0..N {
            let row = self.m.body_dim() + memory.place * Memory::SIZE;
            j.add_rows(row, first + i, change.rate.column(i).as_slice());
        }
    }
}

/// By the 13 numbers of a body, x and q by its motion: δθ = turn δq.
pub(super) fn by_pose<const R: usize>(
    by_motion: &SMatrix<f64, R, 6>,
    turn: &Matrix3x4<f64>,
) -> SMatrix<f64, R, BODY> {
    let mut all = SMatrix::<f64, R, BODY>::zeros();
    all.fixed_columns_mut::<3>(0).copy_from(&by_motion.fixed_columns::<3>(0));
    all.fixed_columns_mut::<4>(3).copy_from(&(by_motion.fixed_columns::<3>(3) * turn));
    all
}

/// Adds what goes by the velocity of a body's material at an arm: dω × r = −r × dω.
fn by_velocity<const R: usize>(all: &mut SMatrix<f64, R, BODY>, by_v: &SMatrix<f64, R, 3>, arm: &Vec3) {
    all.fixed_columns_mut::<3>(7).copy_from(by_v);
    all.fixed_columns_mut::<3>(10).copy_from(&(-by_v * arm.cross_matrix()));
}

/// The derivatives of friction at a contact point.
pub(super) struct Slopes {
    /// φ = ∂f_t/∂f_n
    pub(super) by_f_n: Vec3,
    /// Φ = ∂f_t/∂v_t [N s/m]
    pub(super) by_v_t: Mat3,
    /// ∂f_t/∂z [N/m]
    pub(super) by_z: Mat3,
}

impl Slopes {
    /// Of a law that does not remember, or of none.
    fn of_slip(point: &PointForce, v: &Vec3, rule: &Rule) -> Slopes {
        let mut slopes = Slopes { by_f_n: Vec3::zeros(), by_v_t: Mat3::zeros(), by_z: Mat3::zeros() };
        if let Some(friction) = &rule.friction {
            let v_t = v - point.contact.n * point.delta_dot;
            let v_t = Vec3::from_fn(|i, _| Dual::variable(v_t[i], 1 + i));
            let f_t = friction.force_dual(Dual::variable(load(point.f_n), 0), &v_t);
            // a normal force that holds presses nothing together, however it changes
            slopes.by_f_n = f_t.map(|f| if point.f_n > 0.0 { f.eps[0] } else { 0.0 });
            slopes.by_v_t = Mat3::from_fn(|i, k| f_t[i].eps[1 + k]);
        }
        slopes
    }
}

/// The derivatives of a vector by a small motion.
fn by_motion(x: &Vec3<Dual<6>>) -> Matrix3x6<f64> {
    Matrix3x6::from_fn(|i, k| x[i].eps[k])
}
