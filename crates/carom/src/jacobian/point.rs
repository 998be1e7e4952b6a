//! What a contact point's force owes to the states of its two bodies.
//!
//! F = f_t(f_n, v_t) − f_n(δ, δ̇) n with δ̇ = v·n, v_t = v − v·n n. With the laws' own derivatives k = ∂f_n/∂δ,
//! c = ∂f_n/∂δ̇, φ = ∂f_t/∂f_n, Φ = ∂f_t/∂v_t,
//!
//!   dF = D dv + N dn + g dδ,
//!   D = c (φ − n) nᵀ + Φ (1 − n nᵀ),   N = (c (φ − n) − Φ n) vᵀ − v·n Φ − f_n 1,   g = k (φ − n).
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | force on A at the point where friction acts on it; −F acts on B at its own (`contact::friction_point`) |
//! | v | m/s | velocity of A less that of B there |
//! | r | m | arm of a body: from its centre of mass to that point |
//! | D, N, g | N s/m, N, N/m | the derivatives of F by v, n and δ |
//!
//! A state enters by dv = dv_a + dω_a × r_a + ω_a × dr_a − (the same of B), and by what the pair says of dp_a, dp_b,
//! dn, dδ as one of its surfaces moves. What a change of force and arms does to the bodies is in `wrench`. Of a body that deforms the normal force
//! acts elsewhere than friction: what comes to it by that is in `squeeze`.

use carom_base::{Dual, Mat3, Vec3};
use carom_geometry::{Contact, PairFailure};
use carom_law::{Indentation, Memory};
use carom_ode::Jacobian;
use nalgebra::{SMatrix, SVector};

use super::couple::Couples;
use super::memory::{Bristles, Carried};
use super::squeeze::{Squeeze, Turned};
use crate::contact::{ContactPair, PointForce, load, varied};
use crate::layout::{AffineRows, Rigid, RigidRows};
use crate::model::Model;
use crate::rule::Rule;
use crate::slopes::{self, Wrench, place_on, turn_of, unit};
use crate::workspace::Workspace;

/// A contact point that carries a force, and the derivatives of that force.
pub(super) struct Point<'a> {
    m: &'a Model,
    pair: &'a ContactPair,
    index: usize,
    /// F and M
    wrench: Wrench,
    /// normal force [N]
    f_n: f64,
    /// D, N and g
    force: Follows<3>,
    /// what resists rolling and spinning here
    couple: Option<Couples>,
    /// what friction remembers here
    memory: Option<Bristles>,
    /// what the normal force does by acting elsewhere than friction, and how it follows
    squeeze: Option<(Squeeze, Follows<1>)>,
    /// c = ∂f_n/∂δ̇ [N s/m]
    damping: f64,
}

/// Changes of v, n and δ of a contact, and of f_n at that: by another share of the contact.
pub(super) struct Differences {
    v: Vec3,
    n: Vec3,
    delta: f64,
    f_n: f64,
}

/// How R numbers follow v, n and δ of a contact.
pub(super) struct Follows<const R: usize> {
    pub(super) by_v: SMatrix<f64, R, 3>,
    pub(super) by_n: SMatrix<f64, R, 3>,
    pub(super) by_delta: SVector<f64, R>,
    pub(super) by_f_n: SVector<f64, R>,
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
            by_n: (at.c * by_f_n - by_v_t * n) * at.v.transpose() - at.v.dot(n) * by_v_t - by_z * tilt,
            by_delta: at.k * by_f_n,
            by_f_n: *by_f_n,
        }
    }

    /// By a change of v, n and δ, and of f_n by itself.
    #[inline]
    pub(super) fn change(&self, d: &Differences) -> SVector<f64, R> {
        self.by_v * d.v + self.by_n * d.n + self.by_delta * d.delta + self.by_f_n * d.f_n
    }
}

/// A contact point as the derivatives need it.
pub(super) struct At {
    pub(super) n: Vec3,
    /// velocity of A less that of B where friction acts
    pub(super) v: Vec3,
    /// k = ∂f_n/∂δ [N/m]
    pub(super) k: f64,
    /// c = ∂f_n/∂δ̇ [N s/m]
    pub(super) c: f64,
    /// z as the state has it
    pub(super) z: Vec3,
}

/// What one component of the state changes at a contact point.
#[derive(Clone, Copy)]
struct Change {
    wrench: slopes::Change,
    /// how fast what is remembered changes
    rate: SVector<f64, 4>,
    /// the moment of the normal force about where friction acts
    moment: Mat3,
}

impl Change {
    /// Σ weight · change.
    fn sum(changes: &[Change; 3], weights: &Vec3) -> Change {
        let [a, b, c] = changes;
        Change {
            wrench: slopes::Change::sum([&a.wrench, &b.wrench, &c.wrench], weights),
            rate: a.rate * weights.x + b.rate * weights.y + c.rate * weights.z,
            moment: a.moment * weights.x + b.moment * weights.y + c.moment * weights.z,
        }
    }

    fn is_finite(&self) -> bool {
        self.wrench.is_finite() && (self.rate.sum() + self.moment.sum()).is_finite()
    }
}

impl<'a> Point<'a> {
    /// The point in the state the workspace holds; `None` where it carries nothing.
    pub(super) fn new(
        m: &'a Model,
        pair: &'a ContactPair,
        index: usize,
        ws: &Workspace,
        memories: &[[f64; Memory::SIZE]],
    ) -> Result<Option<Point<'a>>, PairFailure> {
        let (ka, kb) = (ws.body(pair.body_a), ws.body(pair.body_b));
        let mut point = pair.point(m, index, ka, kb)?;
        let c = point.contact;
        if c.delta <= 0.0 {
            return Ok(None);
        }
        let points = pair.friction_points(&point.contact);
        let v = ka.velocity_at(&points[0]) - kb.velocity_at(&points[1]);
        let (rule, of) = (&m.rules[pair.rule], &pair.state.points[index]);
        let delta = varied(c.delta);
        let delta_dot = Dual::variable(point.delta_dot, 1);
        let slopes = rule.normal.force_dual(Indentation { delta, delta_dot }, &of.touch).f_n.eps;
        let [k, damping] = slopes.map(|slope| c.share * slope);
        let mut at = At { n: c.n, v, k, c: damping, z: Vec3::zeros() };
        let of_point = pair.state.points[index].memory;
        let (slopes, memory) = match of_point {
            Some(of_point) => {
                let now = pair.evolve(m, index, ka, kb, point, &memories[of_point]);
                point.f_t = now.f_t;
                at.z = Memory::from_numbers(&memories[of_point]).z;
                let (slopes, bristles) =
                    Bristles::new(&at, &point, m, pair, index, [ka, kb], &memories[of_point]);
                (slopes, Some(bristles))
            }
            None => (Slopes::of_slip(&point, rule), None),
        };
        // F = f_t − f_n n
        let mut force = Follows::new(&at, &(slopes.by_f_n - c.n), &slopes.by_v_t, &slopes.by_z);
        (0..3).for_each(|i| force.by_n[(i, i)] -= point.f_n);
        let m_a = pair.couple(m, index, ka, kb, point).map_or(Vec3::zeros(), |couple| couple.on_a);
        let f = point.f_t - c.n * point.f_n;
        let wrench = Wrench::new(&ws.loads, [pair.body_a, pair.body_b], points, f, m_a);
        let radii = &pair.state.points[index].radii;
        let couple = rule.resists().then(|| Couples::new(&at, &point, rule, radii, &wrench.ends));
        let squeeze = Squeeze::new(pair, &c, point.f_n, &wrench).map(|squeeze| {
            (squeeze, Follows::new(&at, &SVector::from([1.0]), &SMatrix::zeros(), &SMatrix::zeros()))
        });
        Ok(Some(Point { m, pair, index, wrench, f_n: point.f_n, force, couple, memory, squeeze, damping }))
    }

    /// Adds what the numbers that are remembered here change.
    pub(super) fn add_remembered(&self, j: &mut Jacobian) {
        let Some(memory) = &self.memory else { return };
        let (arms, couple) = ([Vec3::zeros(); 2], Vec3::zeros());
        for (i, (f, rate)) in memory.force.column_iter().zip(memory.rate.column_iter()).enumerate() {
            let wrench = slopes::Change { f: f.into(), arms, couple };
            let change = Change { wrench, rate: rate.into(), moment: Mat3::zeros() };
            self.add(&change, self.row_of(memory) + i, j);
        }
    }

    /// Where the rates of what is remembered here start in the state.
    fn row_of(&self, memory: &Bristles) -> usize {
        self.m.world.layout.memory_rows(memory.memory).start
    }

    /// A and B.
    pub(super) fn bodies(&self) -> [usize; 2] {
        [self.pair.body_a, self.pair.body_b]
    }

    /// Force and couple on both bodies, for their torques.
    pub(super) fn load(&self, ws: &mut Workspace) {
        self.wrench.load(&mut ws.loads);
        if let Some((squeeze, _)) = &self.squeeze {
            squeeze.load(&self.wrench, ws);
        }
    }

    /// Adds what the numbers `y` of a rigid body, A (0) or B (1), change, which are at `rows` in the state.
    /// `None`: the pair has no derivatives, or none that are finite here.
    pub(super) fn add_moved(
        &self,
        end: usize,
        y: Rigid<'_>,
        rows: RigidRows,
        j: &mut Jacobian,
    ) -> Option<Result<(), PairFailure>> {
        let moved = &self.wrench.ends[end];
        let contact = match self.pair.contact_dual(self.index, self.wrench.kinematics(), end)? {
            Ok(contact) => contact,
            Err(e) => return Some(Err(e)),
        };
        let carried = match &self.memory {
            Some(memory) => memory.carried(self.pair, self.index, self.wrench.kinematics(), end, &contact)?,
            None => Carried::default(),
        };
        let by_x: [Change; 3] = std::array::from_fn(|i| self.by_motion(&contact, end, i, &carried));
        let by_turn: [Change; 3] = std::array::from_fn(|i| self.by_motion(&contact, end, 3 + i, &carried));
        by_x.iter().chain(&by_turn).all(Change::is_finite).then_some(())?;
        for (i, by_x) in by_x.iter().enumerate() {
            self.add(by_x, rows.position(i), j);
        }
        if self.m.world.bodies[moved.body].orientation_matters {
            for (i, by_q) in turn_of(&y.quaternion()).column_iter().enumerate() {
                self.add(&Change::sum(&by_turn, &by_q.into()), rows.quaternion(i), j);
            }
        }
        for i in 0..3 {
            let by_v = self.by_velocity(&(unit(i) * moved.sign), 0.0, &carried.by_velocity[i]);
            self.add(&by_v, rows.velocity(i), j);
            let dv = unit(i).cross(&moved.arm) * moved.sign; // dω × r
            let mut by_w = self.by_velocity(&dv, 0.0, &carried.by_velocity[3 + i]);
            if let Some(couple) = &self.couple {
                by_w.wrench.couple += couple.by_turning(&unit(i), moved);
            }
            self.add(&by_w, rows.angular_velocity(i), j);
        }
        Some(Ok(()))
    }

    /// Adds what the numbers of a body that deforms, A (0) or B (1), change, which are at `rows` in the state. `None`: the pair has no
    /// derivatives, or none that are finite here, or something here remembers or resists rolling.
    pub(super) fn add_deformed(
        &self,
        end: usize,
        rows: AffineRows,
        j: &mut Jacobian,
    ) -> Option<Result<(), PairFailure>> {
        if self.memory.is_some() || self.couple.is_some() {
            return None;
        }
        let moved = &self.wrench.ends[end];
        let x = place_on(&moved.k.x.r, &moved.arm);
        let none = Carried::default();
        for half in 0..2 {
            let contact = self.pair.contact_deformed(self.index, self.wrench.kinematics(), end, half)?;
            let contact = match contact {
                Ok(contact) => contact,
                Err(e) => return Some(Err(e)),
            };
            let points = self.pair.friction_points(&contact);
            for i in 0..6 {
                // p0 and the columns of F, of which each half has six numbers
                let number = 6 * half + i;
                let mut arms = points.map(|p| p.map(|c| c.eps[i]));
                // the body's own material moves by dp0 + dF X
                let (mut own, mut bent) = (Vec3::zeros(), Vec3::zeros());
                match number {
                    0..3 => own = unit(number),
                    _ => bent = unit(number % 3) * x[(number - 3) / 3],
                }
                arms[end] -= own;
                let [a, b] = self.wrench.kinematics();
                // v = ṗ0 + Ḟ X, X = F⁻¹ r: dv = L (dr − dF X)
                let dv = a.carried(&arms[0]) - b.carried(&arms[1]) - moved.k.carried(&bent) * moved.sign;
                let mut rate = 0.0;
                if let (Some((squeeze, _)), 3..) = (&self.squeeze, number) {
                    let (row, k) = (number % 3, (number - 3) / 3);
                    rate = squeeze.rate_by_stretch(&moved.k.x.r, &moved.k.l, row, k);
                }
                let change = self.by_contact(&contact, i, arms, dv, rate, &none);
                change.is_finite().then_some(())?;
                self.add(&change, rows.pose().start + number, j);
            }
        }
        for i in 0..3 {
            self.add(&self.by_velocity(&(unit(i) * moved.sign), 0.0, &Vec3::zeros()), rows.velocity(i), j);
            for k in 0..3 {
                let dv = unit(i) * (x[k] * moved.sign);
                let squeeze = self.squeeze.as_ref();
                let rate = squeeze.map_or(0.0, |(s, _)| s.rate_by_stretching(&moved.k.x.r, i, k));
                self.add(&self.by_velocity(&dv, rate, &Vec3::zeros()), rows.deformation_rate(i, k), j);
            }
        }
        Some(Ok(()))
    }

    /// What a small motion of a body changes: 0 to 2 a displacement, 3 to 5 a turn about its centre of mass.
    #[inline]
    fn by_motion(&self, contact: &Contact<Dual<6>>, end: usize, i: usize, carried: &Carried) -> Change {
        let mut arms = self.pair.friction_points(contact).map(|p| p.map(|x| x.eps[i]));
        if i < 3 {
            // an arm starts at the centre of mass, which moves with its body
            arms[end] -= unit(i);
        }
        let [a, b] = self.wrench.kinematics();
        self.by_contact(contact, i, arms, a.carried(&arms[0]) - b.carried(&arms[1]), 0.0, carried)
    }

    /// What the i-th change of the contact does, those of the arms and of v being known, and what changes δ̇ besides.
    #[inline]
    fn by_contact(
        &self,
        contact: &Contact<Dual<6>>,
        i: usize,
        arms: [Vec3; 2],
        dv: Vec3,
        rate: f64,
        carried: &Carried,
    ) -> Change {
        let by = |x: &Vec3<Dual<6>>| Vec3::new(x.x.eps[i], x.y.eps[i], x.z.eps[i]);
        // f_n = share · law(δ, δ̇): where shares change, d ln share of it is added
        let mut f_n = if contact.share.eps[i] == 0.0 {
            0.0
        } else {
            self.f_n * contact.share.eps[i] / contact.share.re
        };
        let mut turned = Turned { n: by(&contact.n), d: Vec3::zeros() };
        if let Some((squeeze, _)) = &self.squeeze {
            turned = Squeeze::turned(self.pair, contact, i);
            f_n += self.damping * (rate + squeeze.rate_by(&turned));
        }
        let d = Differences { v: dv, n: turned.n, delta: contact.delta.eps[i], f_n };
        self.change(&d, arms, &turned, &carried.by_motion[i])
    }

    /// What a change of v, by a velocity or an angular velocity, does, and one of δ̇ besides.
    #[inline]
    fn by_velocity(&self, dv: &Vec3, rate: f64, carried: &Vec3) -> Change {
        let d = Differences { v: *dv, n: Vec3::zeros(), delta: 0.0, f_n: self.damping * rate };
        self.change(&d, [Vec3::zeros(); 2], &Turned { n: Vec3::zeros(), d: Vec3::zeros() }, carried)
    }

    /// What changes of v, n, δ and the arms do; z is `carried` by more than before.
    #[inline]
    fn change(&self, d: &Differences, arms: [Vec3; 2], turned: &Turned, carried: &Vec3) -> Change {
        let f = self.force.change(d);
        let couple = self.couple.as_ref().map_or_else(Vec3::zeros, |c| c.follows.change(d));
        let rate = self
            .memory
            .as_ref()
            .map_or_else(SVector::zeros, |memory| memory.follows.change(d) + carried.push(0.0));
        let moment = self
            .squeeze
            .as_ref()
            .map_or_else(Mat3::zeros, |(squeeze, f_n)| squeeze.change(f_n.change(d)[0], turned));
        Change { wrench: slopes::Change { f, arms, couple }, rate, moment }
    }

    /// Adds what a component of the state changes in the accelerations of both bodies and in what is remembered.
    #[inline]
    fn add(&self, change: &Change, column: usize, j: &mut Jacobian) {
        self.wrench.add(&self.m.world, &change.wrench, column, j);
        if self.squeeze.is_some() {
            Squeeze::add(self.m, &self.wrench, &change.moment, column, j);
        }
        if let Some(memory) = &self.memory {
            j.add_rows(self.row_of(memory), column, change.rate.as_slice());
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
    fn of_slip(point: &PointForce, rule: &Rule) -> Slopes {
        let mut slopes = Slopes { by_f_n: Vec3::zeros(), by_v_t: Mat3::zeros(), by_z: Mat3::zeros() };
        if let Some(friction) = &rule.friction {
            let v_t = Vec3::from_fn(|i, _| Dual::variable(point.v_t[i], 1 + i));
            let f_t = friction.force_dual(Dual::variable(load(point.f_n), 0), &v_t);
            // a normal force that holds presses nothing together, however it changes
            slopes.by_f_n = f_t.map(|f| if point.f_n > 0.0 { f.eps[0] } else { 0.0 });
            slopes.by_v_t = Mat3::from_fn(|i, k| f_t[i].eps[1 + k]);
        }
        slopes
    }
}
