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

mod deformed;

use carom_base::{Dual, Mat3, Vec3};
use carom_geometry::{Contact, PairFailure};
use carom_law::{Indentation, Slip};
use carom_ode::Jacobian;
use nalgebra::{SMatrix, SVector};

use super::common_rate::CommonRate;
use super::couple::Couples;
use super::derivatives::{Change, ContactDerivatives, ContactQuantities, Differences, Slopes};
use super::memory::{BristleRotation, Bristles, Elements};
use super::normal_moment::{NormalChange, NormalMoment};
use crate::contact::{ContactPair, PairBodies, as_variable, rates};
use crate::layout::{Rigid, RigidRows};
use crate::model::Model;
use crate::slopes::{self, Wrench, rotation_by_quaternion, unit};
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
                    still: changes.then(|| Slip::at_depth(&*rule.normal, &of.touch, grip, depth).1),
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
