//! Momentum, and the impulses that must account for it: an audit of the forces.
//!
//! With p = Σ m v and l = Σ (x × m v + spin) of all bodies whose motion is determined by forces,
//!
//!   p(t) − p(0) = ∫ (Σ m g − F) dt,   l(t) − l(0) = ∫ (Σ x × m g − T) dt,
//!
//! (external loads count as gravity does), where F and T are the resultant of the forces that contacts, forces, fields and
//! joints exert on everything that is *held*: fixed bodies, those whose motion is prescribed, and the directions that a
//! body's `dofs` lock. Each side of an interaction is collected from the body it acts on, at the point where it acts on that
//! body. So the equations hold exactly if, and only if, everything that acts between two bodies is equal and opposite and
//! along one line of action. Only this audit reveals forces that are not: the energy audit does not detect them.
//!
//! There are three methods, depending on the model:
//! - If there are no external forces, p and l themselves must stay constant.
//! - If there are, all forces between bodies are summed up at the end of one of many steps ([`Balance`]). These sums, which
//!   must be zero, are integrated, each standing for the steps since the last. No other evaluation takes longer for it. Where friction acts on each body at its own point, so that a couple
//!   is known to be left over, they are summed up at the end of every step.
//! - If the model asks for it ([`ModelBuilder::integrate_impulses`](crate::ModelBuilder::integrate_impulses)), the right-hand
//!   sides are integrated along with the motion, and compared with the left ones. A mass that changes in time brings the
//!   momentum of the body it joins: φ̇ m v, φ = m(t)/m(0).

use carom_base::Vec3;

use super::System;
use crate::body::Rotation;
use crate::record::Momentum;
use crate::workspace::Balance;
use crate::world::spin;

/// The reference values of the momentum audit, and the largest errors found.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MomentumAudit {
    /// the point about which angular momentum is taken
    about: Vec3,
    /// linear and angular momentum at t = 0
    start: [Vec3; 2],
    /// scales of linear and angular momentum: the largest Σ m (|v| + v₀) seen, and the largest Σ (|x − about| m (|v| + v₀) +
    /// |I| (|ω| + v₀/l₀)), with the model's scales of speed v₀ and length l₀, below which speeds are not resolved
    scale: [f64; 2],
    /// the largest errors seen
    worst: [f64; 2],
    /// the largest magnitudes in the balance, which its rounding error is proportional to
    amount: [f64; 2],
    /// whether there are external forces or held bodies
    outside: bool,
    /// the time integrals of the sums of all forces between bodies
    sums: ForceSums,
}

/// The time integrals of the sums of all forces between bodies and of their moments about the origin, and of the sums of
/// their magnitudes [N s, N m s].
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ForceSums {
    made: [Vec3; 2],
    turnover: [f64; 2],
}

carom_base::plain!(ForceSums { made, turnover });

impl ForceSums {
    /// Adds those of other bodies.
    pub(crate) fn add(&mut self, other: &ForceSums) {
        for i in 0..2 {
            self.made[i] += other.made[i];
            self.turnover[i] += other.turnover[i];
        }
    }
}

carom_base::plain!(MomentumAudit { about, start, scale, worst, amount, outside, sums });

impl MomentumAudit {
    /// Adds the sum of all forces, which stands for this time span [s].
    fn sum(&mut self, time: f64, now: &Balance) {
        for i in 0..2 {
            self.sums.made[i] += now.sums[i] * time;
            self.sums.turnover[i] += now.amounts[i] * time;
        }
    }

    /// Gives away the integrals of the sums of all forces.
    pub(crate) fn give_sums(&mut self) -> ForceSums {
        std::mem::take(&mut self.sums)
    }

    /// Adds the integrals of the sums of the forces in a part of the model.
    pub(crate) fn take_sums(&mut self, sums: &ForceSums) {
        self.sums.add(sums);
    }

    /// Returns the scales of linear and angular momentum [kg m/s, kg m²/s].
    pub(crate) fn scales(&self) -> [f64; 2] {
        self.scale
    }

    /// Returns the largest magnitudes in the balances.
    pub(crate) fn amounts(&self) -> [f64; 2] {
        self.amount
    }

    /// Returns the largest errors of linear and angular momentum, relative to their scales.
    pub(crate) fn relative(&self) -> [f64; 2] {
        [0, 1].map(|i| relative(self.worst[i], self.scale[i]))
    }
}

/// Returns worst/scale; 0 if `worst` is 0, and NaN if it is NaN.
pub(crate) fn relative(worst: f64, scale: f64) -> f64 {
    if worst == 0.0 { 0.0 } else { worst / scale }
}

/// Returns the larger number; NaN counts as larger than all others, and stays.
pub(crate) fn larger(a: f64, b: f64) -> f64 {
    if b.is_nan() || b > a { b } else { a }
}

impl System<'_> {
    /// Starts the momentum audit in the state `y` held by the workspace.
    pub(crate) fn open_momentum(&mut self, y: &[f64]) {
        let m = self.model;
        let mass: f64 = m.world.free().map(|i| m.world.bodies[i].mass).sum();
        let moment: Vec3 = m.world.free().map(|i| self.ws.body(i).x.p * m.world.bodies[i].mass).sum();
        let about = if mass > 0.0 { moment / mass } else { Vec3::zeros() };
        let loaded = m.forces.iter().any(|force| force.is_from_outside());
        let outside = m.world.driven
            || m.world.gravity != Vec3::zeros()
            || !m.world.held.is_empty()
            || m.world.partly_held
            || loaded;
        self.momentum = MomentumAudit { about, outside, ..MomentumAudit::default() };
        let now = self.momentum(y);
        self.momentum.start = [now.linear, now.angular];
    }

    /// Sums up all forces in a state, which stands for this time span [s], by an additional evaluation.
    pub(crate) fn sum_up_forces(&mut self, t: f64, y: &[f64], time: f64) {
        if self.model.integrates_impulses || !self.momentum.outside {
            return;
        }
        let mut rates = std::mem::take(&mut self.audit_rates);
        rates.resize(y.len(), 0.0);
        self.ws.loads.audit = true;
        let outcome = self.rates(t, y, &mut rates);
        self.ws.loads.audit = false;
        self.audit_rates = rates;
        if outcome.is_ok() {
            let now = self.ws.balance;
            self.momentum.sum(time, &now);
        }
    }

    /// Returns the momentum in the state `y` held by the workspace, and records the largest errors.
    pub(crate) fn note_momentum(&mut self, y: &[f64]) -> Momentum {
        let (now, scale) = (self.momentum(y), self.momentum_scale());
        let books = &mut self.momentum;
        for (i, audit) in [now.audit, now.angular_audit].into_iter().enumerate() {
            books.scale[i] = books.scale[i].max(scale[i]);
            books.worst[i] = larger(books.worst[i], audit.norm());
        }
        // impulses are summed up about the origin
        let (impulse, far) = (now.impulse.norm() + books.sums.turnover[0], 2.0 * books.about.norm());
        let amounts = [impulse, now.angular_impulse.norm() + books.sums.turnover[1] + far * impulse];
        (0..2).for_each(|i| books.amount[i] = books.amount[i].max(amounts[i] + books.scale[i]));
        now
    }

    /// Returns the scales of momentum in the state held by the workspace.
    fn momentum_scale(&self) -> [f64; 2] {
        let (m, about) = (self.model, self.momentum.about);
        let mut scale = [0.0; 2];
        for body in m.world.free() {
            let (b, k) = (&m.world.bodies[body], self.ws.body(body));
            let mass = self.ws.loads.now.mass_factor(body) * b.mass;
            let size = mass * (k.v.norm() + m.world.scale.speed);
            scale[0] += size;
            scale[1] += (k.x.p - about).norm() * size;
            if b.dofs.rotation != Rotation::None {
                let inertia = mass / b.mass * 0.5 * b.inertia.tensor().trace();
                scale[1] += inertia * (k.w.norm() + m.world.scale.speed / m.world.scale.length);
            }
        }
        scale
    }

    /// Returns the momentum in the state `y` held by the workspace.
    pub(crate) fn momentum(&self, y: &[f64]) -> Momentum {
        let (m, about) = (self.model, self.momentum.about);
        let (mut linear, mut angular) = (Vec3::zeros(), Vec3::zeros());
        for body in m.world.free() {
            let (b, k) = (&m.world.bodies[body], self.ws.body(body));
            let factor = self.ws.loads.now.mass_factor(body);
            let (p, arm) = (k.v * (factor * b.mass), k.x.p - about);
            linear += p;
            angular += arm.cross(&p) + spin(b, k) * factor;
        }
        let books = &self.momentum;
        let changed = [linear - books.start[0], angular - books.start[1]];
        let six =
            m.world.quadratures.impulse.and_then(|at| m.world.layout.integrals(y)[at..].first_chunk::<6>());
        let about_here = |of: [Vec3; 2]| [of[0], of[1] - about.cross(&of[0])];
        let [impulse, angular_impulse] = match six {
            Some(x) => about_here([Vec3::new(x[0], x[1], x[2]), Vec3::new(x[3], x[4], x[5])]),
            None if books.outside => {
                let made = about_here(books.sums.made);
                [0, 1].map(|i| changed[i] - made[i])
            }
            None => [Vec3::zeros(); 2],
        };
        let [audit, angular_audit] = [changed[0] - impulse, changed[1] - angular_impulse];
        Momentum { linear, angular, impulse, angular_impulse, audit, angular_audit }
    }
}
