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
//! dn, dδ as one of its surfaces moves. What a change of force and arms does to the bodies is in `wrench`.

use carom_base::{Dual, Mat3, Vec3};
use carom_geometry::PairFailure;
use carom_law::{Indentation, Memory};
use carom_ode::Jacobian;
use nalgebra::{Matrix3x6, RowVector6, SMatrix, SVector};

use super::body::turn_of;
use super::couple::Couples;
use super::memory::Bristles;
use super::wrench::{self, Wrench, by_pose, by_velocity};
use crate::contact::{PointForce, Rule, Slot, load};
use crate::forward::Workspace;
use crate::model::{BODY, Model};

/// A contact point that carries a force, and the derivatives of that force.
pub(super) struct Point<'a> {
    m: &'a Model,
    slot: &'a Slot,
    feature: usize,
    /// F, and what resists rolling and spinning
    wrench: Wrench,
    /// D, N and g
    force: Follows<3>,
    /// the same of the couple
    couple: Option<Couples>,
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

/// What N components of the state change at a contact point.
pub(super) struct Change<const N: usize> {
    wrench: wrench::Change<N>,
    /// how fast what is remembered changes
    rate: SMatrix<f64, 4, N>,
}

impl<const N: usize> Change<N> {
    /// Whether all of it is: a sum is finite only if its terms are.
    pub(super) fn is_finite(&self) -> bool {
        self.wrench.is_finite() && self.rate.sum().is_finite()
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
        let v = ka.velocity_at(&c.p_a) - kb.velocity_at(&c.p_b);
        let (rule, of) = (&m.rules[slot.rule], &slot.features[feature]);
        let delta = Dual::variable(c.delta, 0);
        let delta_dot = Dual::variable(point.delta_dot, 1);
        let slopes = rule.normal.force_dual(Indentation { delta, delta_dot }, &of.touch).f_n.eps;
        let [k, damping] = slopes.map(|slope| of.share * slope);
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
        let m_a = slot.couple(m, feature, ka, kb, point).map_or(Vec3::zeros(), |couple| couple.on_a);
        let f = point.f_t - c.n * point.f_n;
        let wrench = Wrench::new(ws, [slot.body_a, slot.body_b], [c.p_a, c.p_b], f, m_a);
        let radii = &slot.features[feature].radii;
        let couple = rule.resists().then(|| Couples::new(&at, &point, rule, radii, &wrench.ends));
        Ok(Some(Point { m, slot, feature, wrench, force, couple, memory }))
    }

    /// What the numbers that are remembered here change, and where they start in the state.
    pub(super) fn remembered(&self) -> Option<(Change<4>, usize)> {
        let memory = self.memory.as_ref()?;
        let (arms, couple) = ([SMatrix::zeros(); 2], SMatrix::zeros());
        let wrench = wrench::Change { f: memory.force, arms, couple };
        let change = Change { wrench, rate: memory.rate };
        Some((change, self.m.body_dim() + memory.place * Memory::SIZE))
    }

    /// A and B.
    pub(super) fn bodies(&self) -> [usize; 2] {
        [self.slot.body_a, self.slot.body_b]
    }

    /// Force and couple on both bodies, for their torques.
    pub(super) fn load(&self, ws: &mut Workspace) {
        self.wrench.load(ws);
    }

    /// What the 13 numbers `y` of a body, A (0) or B (1), change. `None`: the pair has no derivatives.
    pub(super) fn moved(&self, end: usize, y: &[f64; BODY]) -> Option<Result<Change<BODY>, PairFailure>> {
        let [a, b] = &self.wrench.ends;
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
        let moved = &self.wrench.ends[end];
        let matters = self.m.bodies[moved.body].orientation_matters;
        let turn = if matters { turn_of(&[y[3], y[4], y[5], y[6]]) } else { SMatrix::zeros() };
        let mut f = by_pose(&f, &turn);
        let (sign, arm) = (moved.sign, &moved.arm);
        by_velocity(&mut f, &(sign * self.force.by_v), arm);
        let mut couple = SMatrix::zeros();
        if let Some(c) = &self.couple {
            couple = by_pose(&c.follows.by_motion(&v, &n, &delta), &turn);
            by_velocity(&mut couple, &(sign * c.follows.by_v), arm);
            c.by_turning(&mut couple, moved);
        }
        let mut rate = SMatrix::zeros();
        if let Some(memory) = &self.memory {
            rate = by_pose(&memory.follows.by_motion(&v, &n, &delta), &turn);
            by_velocity(&mut rate, &(sign * memory.follows.by_v), arm);
            rate += memory.carried(self.slot, self.feature, [&a.k, &b.k], end, &turn)?;
        }
        let arms = [by_pose(&arms[0], &turn), by_pose(&arms[1], &turn)];
        Some(Ok(Change { wrench: wrench::Change { f, arms, couple }, rate }))
    }

    /// Adds what the components of the state from `first` on change in the accelerations of both bodies.
    pub(super) fn add<const N: usize>(&self, change: &Change<N>, first: usize, j: &mut Jacobian) {
        self.wrench.add(self.m, &change.wrench, first, j);
        let Some(memory) = &self.memory else { return };
        for i in 0..N {
            let row = self.m.body_dim() + memory.place * Memory::SIZE;
            j.add_rows(row, first + i, change.rate.column(i).as_slice());
        }
    }
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
