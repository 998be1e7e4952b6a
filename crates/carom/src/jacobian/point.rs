//! Derivatives of a contact point's force by the states of its two bodies.
//!
//! F = f_t(f_n, v_t) − f_n(δ, δ̇) n with δ̇ = v·n, v_t = v − v·n n. With the laws' derivatives k = ∂f_n/∂δ,
//! c = ∂f_n/∂δ̇, φ = ∂f_t/∂f_n, Φ = ∂f_t/∂v_t,
//!
//!   dF = D dv + N dn + g dδ,
//!   D = c (φ − n) nᵀ + Φ (1 − n nᵀ),   N = (c (φ − n) − Φ n) vᵀ − v·n Φ − f_n 1,   g = k (φ − n).
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | force on A at A's friction point; −F acts on B at B's friction point (`ContactPair::friction_points`) |
//! | v | m/s | velocity of A minus velocity of B, each at its friction point |
//! | r | m | arm of a body: from its centre of mass to its friction point |
//! | D, N, g | N s/m, N, N/m | the derivatives of F by v, n and δ |
//!
//! A state number enters by dv = dv_a + dω_a × r_a + ω_a × dr_a − (dv_b + dω_b × r_b + ω_b × dr_b), and by dp_a,
//! dp_b, dn, dδ, which the contact pair gives for a motion of one of its surfaces. `slopes::Wrench` turns a change of
//! force and arms into accelerations of the bodies. On a deformable body the normal force acts at another point than
//! friction: `normal_moment` adds the difference. Where several points have one indentation in common, δ̇ is not v·n: what it
//! changes beside that adds c (φ − n) times as much.

use carom_base::{Dual, Mat3, Vec3};
use carom_geometry::{Common, Contact, PairFailure};
use carom_law::{Indentation, Slip};
use carom_ode::Jacobian;
use nalgebra::{SMatrix, SVector};

use super::couple::Couples;
use super::memory::{BristleRotation, Bristles, Elements};
use super::normal_moment::{NormalChange, NormalMoment};
use crate::contact::{ContactPair, PairBodies, PointForce, as_variable, at_depth, rates};
use crate::layout::{AffineRows, Rigid, RigidRows};
use crate::model::Model;
use crate::rule::Rule;
use crate::slopes::{self, Wrench, material_point, rotation_by_quaternion, unit};
use crate::state::Kinematics;
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
    /// normal force as friction feels it [N]
    load: f64,
    /// D, N and g
    force: ContactDerivatives<3>,
    /// derivatives of rolling and spinning resistance
    couple: Option<Couples>,
    /// the elements of laws with memory, with derivatives of their states
    elements: Vec<Bristles>,
    /// moment of the normal force about the friction point, and the derivatives of f_n for it
    normal_moment: Option<(NormalMoment, ContactDerivatives<1>)>,
    /// velocity of A minus velocity of B at the friction points [m/s], and n
    v: Vec3,
    n: Vec3,
    /// δ̇ of points that have one indentation in common
    common: Option<CommonRate>,
}

/// Changes of v, n and δ of a contact, and those of δ̇ beside v·n and of f_n beside that by δ and δ̇.
#[derive(Clone, Copy)]
pub(super) struct Differences {
    v: Vec3,
    n: Vec3,
    delta: f64,
    /// of bodies that deform, or of points that have one indentation in common
    rate: f64,
    /// by the contact's share
    f_n: f64,
    /// of what adhesion adds to the normal force as friction feels it, by the contact's share
    adhesion: f64,
}

impl Differences {
    /// Returns Σ weight · difference.
    fn sum([a, b, c]: [&Differences; 3], weights: &Vec3) -> Differences {
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
    fn size(&self) -> f64 {
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
struct Change {
    wrench: slopes::Change,
    /// changes of v, n and δ, which bristles follow, and of Ω
    d: Differences,
    turning: Vec3,
    /// change of the moment of the normal force about the friction point [N m]
    moment: Mat3,
}

impl Change {
    /// Returns Σ weight · change.
    fn sum(changes: &[Change; 3], weights: &Vec3) -> Change {
        let [a, b, c] = changes;
        Change {
            wrench: slopes::Change::sum([&a.wrench, &b.wrench, &c.wrench], weights),
            d: Differences::sum([&a.d, &b.d, &c.d], weights),
            turning: a.turning * weights.x + b.turning * weights.y + c.turning * weights.z,
            moment: a.moment * weights.x + b.moment * weights.y + c.moment * weights.z,
        }
    }

    fn is_finite(&self) -> bool {
        self.wrench.is_finite() && (self.d.size() + self.turning.sum() + self.moment.sum()).is_finite()
    }
}

impl<'a> Point<'a> {
    /// Evaluates the point in the state `y` that the workspace holds; `None` where it carries no force.
    pub(super) fn new(
        m: &'a Model,
        pair: &'a ContactPair,
        index: usize,
        ws: &Workspace,
        y: &[f64],
    ) -> Result<Option<Point<'a>>, PairFailure> {
        let memories = m.world.layout.memories(y);
        let bodies = pair.bodies(|body| ws.body(body), m.world.layout.worn(y));
        let PairBodies { a: ka, b: kb, .. } = bodies;
        let mut point = pair.point(m, index, bodies)?;
        let c = point.contact;
        if c.delta <= pair.state.points[index].touch.floor {
            return Ok(None);
        }
        let points = pair.friction_points(&point.contact);
        let v = ka.velocity_at(&points[0]) - kb.velocity_at(&points[1]);
        let (rule, of) = (&m.rules[pair.rule], &pair.state.points[index]);
        let delta = as_variable(c.delta, of);
        let delta_dot = Dual::variable(point.delta_dot, 1);
        let slopes = rule.normal.force_dual(Indentation { delta, delta_dot }, &of.touch).f_n.eps;
        let [k, damping] = slopes.map(|slope| c.share * slope);
        let at = ContactQuantities { n: c.n, v, k, c: damping };
        let mut elements = Vec::new();
        let slopes_of_slip = if rule.remembers { Slopes::NONE } else { Slopes::of_slip(&point, rule) };
        let mut m_a = Vec3::zeros();
        if let Some(own) = pair.memories(m, index) {
            let now = pair.evolve(m, index, [ka, kb], &point, memories, |_, _| ());
            let whole = ContactQuantities { k: slopes[0], c: slopes[1], ..at };
            let turning = pair.turning(index, ka, kb).unwrap_or_default();
            let (rates, w) = (rates(&point, ka, kb), ka.w - kb.w);
            let depth = Indentation { delta: c.delta, delta_dot: point.delta_dot };
            for one in rule.remembering() {
                let (law, against) = (one.law, one.against);
                let (follows, grip) = (law.follows_depth(), &of.latched.grips[against as usize]);
                let slip = pair.slip(m, index, &point, memories, &one);
                let changes = follows && delta.eps[0] != 0.0;
                let axis = pair.axis_memory(m, index).filter(|_| !against.turns()).and_then(|i| {
                    let memory = memories.get(i)?;
                    Some((i, Vec3::new(memory[0], memory[1], memory[2])))
                });
                let shared = Elements {
                    at: if follows { &whole } else { &at },
                    f_n: point.f_n,
                    pressed: slip.f_n > 0.0,
                    against,
                    law,
                    grip,
                    slip: Slip { v_t: rates[against as usize], ..slip },
                    still: changes.then(|| at_depth(rule, &of.touch, grip, of.latched.adhesion, depth).1),
                    share: one.share(&c),
                    axis,
                    w,
                    turning,
                };
                let all = one.elements.clone().map(|element| own.start + element).enumerate();
                elements.extend(all.map(|(i, own)| shared.element(i, own, &memories[own])));
                elements.extend(shared.axis());
            }
            // (friction has memory or not: one of its two parts is none)
            point.f_t += now.f_t;
            m_a = now.couple;
        }
        let slopes = slopes_of_slip;
        // F = f_t − f_n n
        let none = Vec3::zeros();
        let by_f_n = slopes.by_f_n - c.n;
        let mut force = ContactDerivatives::new(&at, &none, &by_f_n, &slopes.by_v_t, &Mat3::zeros());
        force.by_adhesion = slopes.by_f_n;
        elements.iter().filter(|e| !e.turns).for_each(|e| force.add(&e.pulls));
        (0..3).for_each(|i| force.by_n[(i, i)] -= point.f_n);
        m_a += pair.couple(m, index, ka, kb, point).map_or(Vec3::zeros(), |couple| couple.on_a);
        let f = point.f_t - c.n * point.f_n;
        let wrench = Wrench::new(&ws.loads, [pair.body_a, pair.body_b], points, f, m_a);
        let mut couple = rule.resists().then(|| Couples::new(&at, &point, rule, (pair, index), &wrench.ends));
        if let Some(couple) = &mut couple {
            elements.iter().filter(|e| e.turns).for_each(|e| couple.add(e));
        }
        let normal_moment = NormalMoment::new(pair, &c, point.f_n, &wrench).map(|normal_moment| {
            let (one, none_by) = (SVector::from([1.0]), SMatrix::zeros());
            let mut f_n = ContactDerivatives::new(&at, &none, &one, &none_by, &none_by);
            f_n.by_adhesion.fill(0.0);
            (normal_moment, f_n)
        });
        Ok(Some(Point {
            m,
            pair,
            index,
            wrench,
            f_n: point.f_n,
            load: point.load,
            force,
            couple,
            elements,
            normal_moment,
            v,
            n: c.n,
            common: c.common.map(|common| CommonRate::new(common, &c.p_a, [ka, kb])),
        }))
    }

    /// Adds the derivatives by the bristle states of this point.
    pub(super) fn add_remembered(&self, j: &mut Jacobian) {
        let (arms, none) = ([Vec3::zeros(); 2], Vec3::zeros());
        for element in &self.elements {
            let row = self.row_of(element);
            for (i, (pull, rate)) in element.force.column_iter().zip(element.rate.column_iter()).enumerate() {
                let pull = pull.into();
                let (f, couple) = if element.turns { (none, pull) } else { (pull, none) };
                let wrench = slopes::Change { f, arms, couple };
                self.wrench.add(&self.m.world, &wrench, row + i, j);
                j.add_rows(row, row + i, rate.into_owned().as_slice());
            }
            let Some((axis, by)) = &element.by_axis else { continue };
            let column = self.m.world.layout.memory_rows(*axis).start;
            for (i, by) in by.column_iter().enumerate() {
                let wrench = slopes::Change { f: by.fixed_rows::<3>(0).into_owned(), arms, couple: none };
                self.wrench.add(&self.m.world, &wrench, column + i, j);
                j.add_rows(row, column + i, by.fixed_rows::<4>(3).into_owned().as_slice());
            }
        }
    }

    /// Returns the row of the state where the rates of an element start.
    fn row_of(&self, element: &Bristles) -> usize {
        self.m.world.layout.memory_rows(element.memory).start
    }

    /// Returns the indices of bodies A and B.
    pub(super) fn bodies(&self) -> [usize; 2] {
        [self.pair.body_a, self.pair.body_b]
    }

    /// Applies force and couple to both bodies, whose total torques are needed later.
    pub(super) fn load(&self, ws: &mut Workspace) {
        self.wrench.load(&mut ws.loads);
        if let Some((normal_moment, _)) = &self.normal_moment {
            normal_moment.load(&self.wrench, ws);
        }
    }

    /// Adds the derivatives by the numbers `y` of a rigid body, A (0) or B (1), which are at `rows` in the state.
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
        // Ω rotates bristles that are bent
        let carried = match self.elements.iter().any(|element| element.z != Vec3::zeros()) {
            true => BristleRotation::new(self.pair, self.index, self.wrench.kinematics(), end, &contact)?,
            false => BristleRotation::default(),
        };
        let mut by_x: [Change; 3] = std::array::from_fn(|i| self.by_motion(&contact, end, i, &carried));
        let mut by_turn: [Change; 3] =
            std::array::from_fn(|i| self.by_motion(&contact, end, 3 + i, &carried));
        if self.couple.as_ref().is_some_and(|couple| couple.on_path) {
            let (rule, of) = (&self.m.rules[self.pair.rule], (self.pair, self.index));
            let by_path = Couples::by_path(rule, of, self.wrench.kinematics(), end, self.load);
            for (change, by) in by_x.iter_mut().chain(&mut by_turn).zip(by_path) {
                change.wrench.couple += by;
            }
        }
        by_x.iter().chain(&by_turn).all(Change::is_finite).then_some(())?;
        for (i, by_x) in by_x.iter().enumerate() {
            self.add(by_x, rows.position(i), j);
        }
        if self.m.world.bodies[moved.body].orientation_matters {
            for (i, by_q) in rotation_by_quaternion(&y.quaternion()).column_iter().enumerate() {
                self.add(&Change::sum(&by_turn, &by_q.into()), rows.quaternion(i), j);
            }
        }
        for i in 0..3 {
            let dv = unit(i) * moved.sign;
            let rate = self.beside(&dv, |common| common.n[i] * moved.sign);
            let by_v = self.by_velocity(&dv, rate, &carried.by_velocity[i]);
            self.add(&by_v, rows.velocity(i), j);
            let dv = unit(i).cross(&moved.arm) * moved.sign; // dω × r
            let rate = self.beside(&dv, |common| common.torques[end][i] * moved.sign);
            let mut by_w = self.by_velocity(&dv, rate, &carried.by_velocity[3 + i]);
            if let Some(couple) = &self.couple {
                by_w.wrench.couple += couple.by_turning(&unit(i), moved);
            }
            self.add(&by_w, rows.angular_velocity(i), j);
            for element in self.elements.iter().filter(|element| element.turns) {
                let rate = element.follows_by_w.column(i) * moved.sign;
                j.add_rows(self.row_of(element), rows.angular_velocity(i), rate.as_slice());
            }
        }
        Some(Ok(()))
    }

    /// Adds the derivatives by the numbers of a deformable body, A (0) or B (1), which are at `rows` in the state.
    /// `None`: the pair has no derivatives, or none that are finite here, or this point has bristles or resists
    /// rolling.
    pub(super) fn add_deformed(
        &self,
        end: usize,
        rows: AffineRows,
        j: &mut Jacobian,
    ) -> Option<Result<(), PairFailure>> {
        if !self.elements.is_empty() || self.couple.is_some() {
            return None;
        }
        let moved = &self.wrench.ends[end];
        let x = material_point(&moved.k.x.r, &moved.arm);
        let none = BristleRotation::default();
        for half in 0..2 {
            let contact = self.pair.contact_deformed(self.index, self.wrench.kinematics(), end, half)?;
            let contact = match contact {
                Ok(contact) => contact,
                Err(e) => return Some(Err(e)),
            };
            let points = self.pair.friction_points(&contact);
            for i in 0..6 {
                // p0 and the columns of F are 12 numbers, six in each half
                let number = 6 * half + i;
                let mut arms = points.map(|p| p.map(|c| c.eps[i]));
                // the material point of the body moves by dp0 + dF X
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
                if let (Some((normal_moment, _)), 3..) = (&self.normal_moment, number) {
                    let (row, k) = (number % 3, (number - 3) / 3);
                    rate = normal_moment.rate_by_stretch(&moved.k.x.r, &moved.k.l, row, k);
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
                let normal_moment = self.normal_moment.as_ref();
                let rate = normal_moment.map_or(0.0, |(s, _)| s.rate_by_stretching(&moved.k.x.r, i, k));
                self.add(&self.by_velocity(&dv, rate, &Vec3::zeros()), rows.deformation_rate(i, k), j);
            }
        }
        Some(Ok(()))
    }

    /// Returns the changes by a small motion of a body: 0 to 2 a displacement, 3 to 5 a rotation about its centre of mass.
    #[inline]
    fn by_motion(
        &self,
        contact: &Contact<Dual<6>>,
        end: usize,
        i: usize,
        carried: &BristleRotation,
    ) -> Change {
        let mut arms = self.pair.friction_points(contact).map(|p| p.map(|x| x.eps[i]));
        if i < 3 {
            // an arm starts at the centre of mass, which moves with its body
            arms[end] -= unit(i);
        }
        let [a, b] = self.wrench.kinematics();
        let dv = a.carried(&arms[0]) - b.carried(&arms[1]);
        let rate = match (&self.common, &contact.common) {
            (Some(own), Some(moved)) => {
                let dn = contact.n.map(|x| x.eps[i]);
                let by_p = contact.p_a.map(|x| x.eps[i]);
                own.change(moved, &by_p, (end, i), [a, b]) - dv.dot(&self.n) - self.v.dot(&dn)
            }
            _ => 0.0,
        };
        self.by_contact(contact, i, arms, dv, rate, carried)
    }

    /// Returns the change of δ̇ beside that of v·n by a change `dv` of v, if it is not v·n.
    #[inline]
    fn beside(&self, dv: &Vec3, change: impl FnOnce(&CommonRate) -> f64) -> f64 {
        self.common.as_ref().map_or(0.0, |common| change(common) - dv.dot(&self.n))
    }

    /// Returns the changes by the i-th variable of the contact. `arms` and `dv`: the changes of the arms and of v;
    /// `rate`: change of δ̇ beside that by v and n.
    #[inline]
    fn by_contact(
        &self,
        contact: &Contact<Dual<6>>,
        i: usize,
        arms: [Vec3; 2],
        dv: Vec3,
        mut rate: f64,
        carried: &BristleRotation,
    ) -> Change {
        let by = |x: &Vec3<Dual<6>>| Vec3::new(x.x.eps[i], x.y.eps[i], x.z.eps[i]);
        // f_n = share · law(δ, δ̇): where the share changes, f_n d ln(share) is added
        let f_n = if contact.share.eps[i] == 0.0 {
            0.0
        } else {
            self.f_n * contact.share.eps[i] / contact.share.re
        };
        let adhesion = self.pair.state.points[self.index].latched.adhesion * contact.share.eps[i];
        let mut turned = NormalChange { n: by(&contact.n), d: Vec3::zeros() };
        if let Some((normal_moment, _)) = &self.normal_moment {
            turned = NormalMoment::turned(self.pair, contact, i);
            rate += normal_moment.rate_by(&turned);
        }
        let d = Differences { v: dv, n: turned.n, delta: contact.delta.eps[i], rate, f_n, adhesion };
        self.change(&d, arms, &turned, &carried.by_motion[i])
    }

    /// Returns the changes by a change `dv` of v, due to a velocity or an angular velocity, and by a further change
    /// `rate` of δ̇.
    #[inline]
    fn by_velocity(&self, dv: &Vec3, rate: f64, carried: &Vec3) -> Change {
        let d = Differences { v: *dv, n: Vec3::zeros(), delta: 0.0, rate, f_n: 0.0, adhesion: 0.0 };
        self.change(&d, [Vec3::zeros(); 2], &NormalChange { n: Vec3::zeros(), d: Vec3::zeros() }, carried)
    }

    /// Returns the changes by those of v, n, δ and the arms; `turning`: the change of Ω.
    #[inline]
    fn change(&self, d: &Differences, arms: [Vec3; 2], turned: &NormalChange, turning: &Vec3) -> Change {
        let f = self.force.change(d);
        let couple = self.couple.as_ref().map_or_else(Vec3::zeros, |c| c.follows.change(d));
        let moment = self
            .normal_moment
            .as_ref()
            .map_or_else(Mat3::zeros, |(normal_moment, f_n)| normal_moment.change(f_n.change(d)[0], turned));
        Change { wrench: slopes::Change { f, arms, couple }, d: *d, turning: *turning, moment }
    }

    /// Adds the changes by one number of the state to the accelerations of both bodies and to the rates of bristles.
    #[inline]
    fn add(&self, change: &Change, column: usize, j: &mut Jacobian) {
        self.wrench.add(&self.m.world, &change.wrench, column, j);
        if self.normal_moment.is_some() {
            NormalMoment::add(self.m, &self.wrench, &change.moment, column, j);
        }
        for element in &self.elements {
            let carried = change.turning.cross(&element.z).push(0.0);
            let rate = element.follows.change(&change.d) + carried;
            j.add_rows(self.row_of(element), column, rate.as_slice());
        }
    }
}

/// The rate of an indentation that several points have in common, δ̇ = m·V + c·W: V the velocity of A at p_a less that of B there, W the angular velocity of A less that of B.
struct CommonRate {
    /// m
    n: Vec3,
    /// c + (p_a − x) × m for each body, x its centre of mass: the derivatives by ω
    torques: [Vec3; 2],
    /// V and W
    apart: [Vec3; 2],
}

impl CommonRate {
    fn new(common: Common, p_a: &Vec3, k: [&Kinematics; 2]) -> CommonRate {
        CommonRate {
            n: common.n,
            torques: k.map(|k| common.moment + (p_a - k.x.p).cross(&common.n)),
            apart: [k[0].velocity_at(p_a) - k[1].velocity_at(p_a), k[0].w - k[1].w],
        }
    }

    /// Returns dδ̇ by the i-th small motion of the body `end`, which moves p_a by `by_p`.
    fn change(
        &self,
        moved: &Common<Dual<6>>,
        by_p: &Vec3,
        (end, i): (usize, usize),
        k: [&Kinematics; 2],
    ) -> f64 {
        let mut arms = [*by_p; 2];
        if i < 3 {
            arms[end] -= unit(i);
        }
        let by = |x: &Vec3<Dual<6>>| x.map(|x| x.eps[i]);
        let [v, w] = &self.apart;
        let dv = k[0].carried(&arms[0]) - k[1].carried(&arms[1]);
        by(&moved.n).dot(v) + self.n.dot(&dv) + by(&moved.moment).dot(w)
    }
}

/// The derivatives of the friction force at a contact point without bristles.
struct Slopes {
    /// φ = ∂f_t/∂f_n
    by_f_n: Vec3,
    /// Φ = ∂f_t/∂v_t [N s/m]
    by_v_t: Mat3,
}

impl Slopes {
    const NONE: Slopes = Slopes {
        by_f_n: Vec3::new(0.0, 0.0, 0.0),
        by_v_t: Mat3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    };

    /// Returns the derivatives; zero if the rule has no friction law.
    fn of_slip(point: &PointForce, rule: &Rule) -> Slopes {
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
