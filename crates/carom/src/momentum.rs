//! Momentum, and the impulses that must account for it: an audit of the forces.
//!
//! With p = Σ m v and l = Σ (x × m v + spin) of all bodies that move by their forces,
//!
//!   p(t) − p(0) = ∫ (Σ m g − F) dt,   l(t) − l(0) = ∫ (Σ x × m g − T) dt,
//!
//! (loads from outside count as gravity does), F and T being the resultant of what contacts, forces, fields and joints do to the bodies that are *held*: fixed ones, those that move as prescribed, and
//! the directions that a body's `dofs` take away. Each side of an interaction is collected from the body it acts on, at the point where it acts on that
//! body. So the equations hold exactly if, and only if, all that acts between two bodies is equal and opposite and in one line of action: forces that are
//! not show here and nowhere else, since an energy audit knows nothing of them.
//!
//! Three ways, by what can be had:
//! - Where nothing acts from outside, p and l themselves must stay as they are.
//! - Where something does, all forces between bodies are summed up at the end of one of many steps ([`Balance`]): the sums, which must be zero, are integrated, each standing for the steps since the last. No other evaluation
//!   is the longer for it.
//! - If the model is to ([`ModelBuilder::integrate_impulses`](crate::ModelBuilder::integrate_impulses)), the right-hand sides are integrated along with the motion, and compared with the left ones. A mass that changes in time brings the
//!   momentum of the body it joins: φ̇ m v, φ = m(t)/m(0).

use carom_base::Vec3;

use crate::body::Rotation;
use crate::forward::{Loaded, Workspace, torque_of};
use crate::model::{BodyModel, Model};
use crate::state::Kinematics;
use crate::system::System;

/// Momentum of all bodies that move by their forces, and the impulses of all that acts on them from outside: gravity, and the bodies and directions that are
/// held. Angular momentum is about the centre of mass of these bodies at the start.
///
/// `audit = linear − linear(0) − impulse`: what internal forces, which should cancel, and the integration have added.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Momentum {
    /// Σ m v [kg m/s]
    pub linear: Vec3,
    /// Σ x × m v + spin [kg m²/s]
    pub angular: Vec3,
    /// of all outside forces, since the start [N s]
    pub impulse: Vec3,
    /// of their torques [N m s]
    pub angular_impulse: Vec3,
    /// linear momentum that no impulse accounts for [kg m/s]
    pub audit: Vec3,
    /// angular momentum that no impulse accounts for [kg m²/s]
    pub angular_audit: Vec3,
}

/// Spin of a body about its centre of mass, with its mass at t = 0 [kg m²/s]: R I Rᵀ ω, or ∫ r × v dm of one that deforms; only along the directions that it
/// can turn in.
fn spin(b: &BodyModel, k: &Kinematics) -> Vec3 {
    let spin = match &b.soft {
        None => k.x.direction(&(b.inertia.tensor() * k.x.direction_to_local(&k.w))),
        Some(soft) => torque_of(&(k.l * k.x.r * soft.euler * k.x.r.transpose())),
    };
    b.dofs.allowed_rotation(&spin)
}

/// The sum of all forces between bodies in a state, those on held ones included: nothing, if each is equal and opposite and at one point.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Balance {
    /// [N], [N m] about the origin
    pub(crate) sums: [Vec3; 2],
    /// Σ of the amounts
    pub(crate) amounts: [f64; 2],
}

/// Sums up, once all loads are known.
pub(crate) fn balance(m: &Model, ws: &Workspace) -> Balance {
    let mut all = Balance { sums: ws.outside.map(|load| -load), ..Balance::default() };
    let mut add = |x: &Vec3, force: Vec3, torque: &Vec3| {
        all.sums[0] += force;
        all.sums[1] += x.cross(&force) + torque;
        all.amounts[0] += force.norm();
        all.amounts[1] += x.norm() * force.norm() + torque.norm();
    };
    for &body in &m.held {
        let Loaded { k, force, torque } = &ws.bodies[body];
        add(&k.x.p, *force, torque);
    }
    for body in m.free() {
        let (b, Loaded { k, force, torque }) = (&m.bodies[body], &ws.bodies[body]);
        let weight = if m.driven { ws.now.weight(m, body) } else { b.weight };
        let torque = if b.soft.is_some() { torque_of(&ws.moments[body]) } else { *torque };
        add(&k.x.p, force - weight, &torque);
    }
    // what slender bodies have too much of in the equations of joints is inertia, not a force
    ws.joints.slender_loads(m, |body, force, torque| {
        all.sums[0] -= force;
        all.sums[1] -= ws.body(body).x.p.cross(&force) + torque;
    });
    all
}

/// The integrands of the impulses, once all loads are known: about the origin of the world.
pub(crate) fn impulses(m: &Model, ws: &Workspace, integrals: &mut [f64]) {
    let Some(at) = m.quadratures.impulse else { return };
    let [mut f, mut l] = ws.outside;
    for &body in &m.held {
        let Loaded { k, force, torque } = &ws.bodies[body];
        f -= force;
        l -= k.x.p.cross(force) + torque;
    }
    for body in m.free() {
        let weight = if m.driven { ws.now.weight(m, body) } else { m.bodies[body].weight };
        f += weight;
        l += ws.bodies[body].k.x.p.cross(&weight);
    }
    if m.partly_held || m.driven {
        let (more_f, more_l) = held_directions(m, ws);
        f += more_f;
        l += more_l;
    }
    integrals[at..at + 6].copy_from_slice(&[f.x, f.y, f.z, l.x, l.y, l.z]);
}

/// What holds bodies in the directions that they cannot move in, and what masses that change bring along.
fn held_directions(m: &Model, ws: &Workspace) -> (Vec3, Vec3) {
    let (mut f, mut l) = (Vec3::zeros(), Vec3::zeros());
    for body in m.free() {
        let (b, Loaded { k, force, torque }) = (&m.bodies[body], &ws.bodies[body]);
        let torque = if b.soft.is_some() { torque_of(&ws.moments[body]) } else { *torque };
        let taken = force - force.component_mul(&b.dofs.translation);
        f -= taken;
        l -= k.x.p.cross(&taken) + torque - b.dofs.allowed_rotation(&torque);
        let rate = ws.now.mass_rate(body);
        if rate != 0.0 {
            f += k.v * (rate * b.mass);
            l += (k.x.p.cross(&k.v) * b.mass + spin(b, k)) * rate;
        }
    }
    (f, l)
}

/// What momentum is compared with, and the largest it was off by.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MomentumBooks {
    /// the point that angular momentum is about
    about: Vec3,
    /// at t = 0
    start: [Vec3; 2],
    /// what is large for linear and angular momentum: the largest Σ m (|v| + v₀) seen, and the largest Σ (|x − about| m (|v| + v₀) + |I| (|ω| + v₀/l₀)), with the
    /// model's scales of speed v₀ and length l₀, below which speeds are not resolved
    scale: [f64; 2],
    /// the largest audits seen
    worst: [f64; 2],
    /// the largest amounts in the books: what their rounding is of
    amount: [f64; 2],
    /// whether anything acts from outside
    outside: bool,
    /// the integrals of all forces between bodies, and of their amounts
    made: [Vec3; 2],
    turnover: [f64; 2],
}

impl MomentumBooks {
    /// Takes note of the sum of all forces, which stands for that time.
    fn sum(&mut self, time: f64, now: &Balance) {
        for i in 0..2 {
            self.made[i] += now.sums[i] * time;
            self.turnover[i] += now.amounts[i] * time;
        }
    }

    /// What is large for linear and angular momentum [kg m/s, kg m²/s].
    pub(crate) fn scales(&self) -> [f64; 2] {
        self.scale
    }

    /// The largest amounts in the books.
    pub(crate) fn amounts(&self) -> [f64; 2] {
        self.amount
    }

    /// The largest audits of linear and angular momentum, as parts of what is large.
    pub(crate) fn relative(&self) -> [f64; 2] {
        [0, 1].map(|i| relative(self.worst[i], self.scale[i]))
    }
}

/// worst/scale; nothing is nothing of anything, and what is not a number stays so.
pub(crate) fn relative(worst: f64, scale: f64) -> f64 {
    if worst == 0.0 { 0.0 } else { worst / scale }
}

/// The larger; a number that is none is larger than all, and stays.
pub(crate) fn larger(a: f64, b: f64) -> f64 {
    if b.is_nan() || b > a { b } else { a }
}

impl System<'_> {
    /// Opens the books in the state `y` that the workspace holds.
    pub(crate) fn open_momentum(&mut self, y: &[f64]) {
        let m = self.model;
        let mass: f64 = m.free().map(|i| m.bodies[i].mass).sum();
        let moment: Vec3 = m.free().map(|i| self.ws.body(i).x.p * m.bodies[i].mass).sum();
        let about = if mass > 0.0 { moment / mass } else { Vec3::zeros() };
        let loaded = m.forces.iter().any(|force| force.is_from_outside());
        let outside = m.driven || m.gravity != Vec3::zeros() || !m.held.is_empty() || m.partly_held || loaded;
        self.momentum = MomentumBooks { about, outside, ..MomentumBooks::default() };
        let now = self.momentum(y);
        self.momentum.start = [now.linear, now.angular];
    }

    /// Sums up all forces in a state, which stands for that time, by an evaluation of its own.
    pub(crate) fn sum_up_forces(&mut self, t: f64, y: &[f64], time: f64) {
        if self.model.integrates_impulses || !self.momentum.outside {
            return;
        }
        let mut rates = std::mem::take(&mut self.audit_rates);
        rates.resize(y.len(), 0.0);
        self.ws.audit = true;
        let outcome = self.rates(t, y, &mut rates);
        self.ws.audit = false;
        self.audit_rates = rates;
        if outcome.is_ok() {
            let now = self.ws.balance;
            self.momentum.sum(time, &now);
        }
    }

    /// Momentum in the state `y` that the workspace holds; takes note of how far it is off.
    pub(crate) fn note_momentum(&mut self, y: &[f64]) -> Momentum {
        let (now, scale) = (self.momentum(y), self.momentum_scale());
        let books = &mut self.momentum;
        for (i, audit) in [now.audit, now.angular_audit].into_iter().enumerate() {
            books.scale[i] = books.scale[i].max(scale[i]);
            books.worst[i] = larger(books.worst[i], audit.norm());
        }
        // impulses are summed up about the origin
        let (impulse, far) = (now.impulse.norm() + books.turnover[0], 2.0 * books.about.norm());
        let amounts = [impulse, now.angular_impulse.norm() + books.turnover[1] + far * impulse];
        (0..2).for_each(|i| books.amount[i] = books.amount[i].max(amounts[i] + books.scale[i]));
        now
    }

    /// What is large for momentum in the state that the workspace holds.
    fn momentum_scale(&self) -> [f64; 2] {
        let (m, about) = (self.model, self.momentum.about);
        let mut scale = [0.0; 2];
        for body in m.free() {
            let (b, k) = (&m.bodies[body], self.ws.body(body));
            let mass = self.ws.now.mass_factor(body) * b.mass;
            let size = mass * (k.v.norm() + m.scale.speed);
            scale[0] += size;
            scale[1] += (k.x.p - about).norm() * size;
            if b.dofs.rotation != Rotation::None {
                let inertia = mass / b.mass * 0.5 * b.inertia.tensor().trace();
                scale[1] += inertia * (k.w.norm() + m.scale.speed / m.scale.length);
            }
        }
        scale
    }

    /// Momentum in the state `y` that the workspace holds.
    pub(crate) fn momentum(&self, y: &[f64]) -> Momentum {
        let (m, about) = (self.model, self.momentum.about);
        let (mut linear, mut angular) = (Vec3::zeros(), Vec3::zeros());
        for body in m.free() {
            let (b, k) = (&m.bodies[body], self.ws.body(body));
            let factor = self.ws.now.mass_factor(body);
            let (p, arm) = (k.v * (factor * b.mass), k.x.p - about);
            linear += p;
            angular += arm.cross(&p) + spin(b, k) * factor;
        }
        let books = &self.momentum;
        let changed = [linear - books.start[0], angular - books.start[1]];
        let six = m.quadratures.impulse.and_then(|at| m.layout.integrals(y)[at..].first_chunk::<6>());
        let about_here = |of: [Vec3; 2]| [of[0], of[1] - about.cross(&of[0])];
        let [impulse, angular_impulse] = match six {
            Some(x) => about_here([Vec3::new(x[0], x[1], x[2]), Vec3::new(x[3], x[4], x[5])]),
            None if books.outside => {
                let made = about_here(books.made);
                [0, 1].map(|i| changed[i] - made[i])
            }
            None => [Vec3::zeros(); 2],
        };
        let [audit, angular_audit] = [changed[0] - impulse, changed[1] - angular_impulse];
        Momentum { linear, angular, impulse, angular_impulse, audit, angular_audit }
    }
}
