//! The books of a crowd: energy and momentum, and what must account for them.
//!
//! Work and dissipation are integrated by the trapezoidal rule over the steps, as the motion is. Impulses too: with velocity Verlet the
//! changes of linear and angular momentum are exactly those sums, so that what the audits of momentum find is rounding, or forces
//! that are not equal and opposite.

use carom_base::Vec3;

use super::CrowdSystem;
use crate::forward::kinematics;
use crate::record::{Energy, Momentum};
use crate::system::{energy_of_bodies, larger, relative};
use crate::workspace::Workspace;
use crate::world::spin;

/// What a crowd sums up from step to step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Books {
    /// energies that dampers and friction have dissipated, and work of prescribed motions [J]
    lost_normal: f64,
    lost_friction: f64,
    work: f64,
    /// powers at the end of the last step [W]
    powers: [f64; 3],
    /// impulse of everything external, and of its torques about `about` [N s, N m s], and their rates at the end of the last step
    impulses: [Vec3; 2],
    rates: [Vec3; 2],
    /// the centre of mass at the start
    about: Vec3,
    /// linear and angular momentum at the start
    start: [Vec3; 2],
    /// whether the ledger was drawn up once
    drawn_up: bool,
    /// the energy, and its potential part, at the start [J]
    energy_start: f64,
    potential_start: f64,
    /// the largest error of the energy balance, what it is compared with, and the largest sum of the amounts in it [J]
    pub(crate) worst: f64,
    pub(crate) scale: f64,
    pub(crate) amount: f64,
    /// the largest errors of momentum, what they are compared with, and the largest amounts
    pub(crate) momentum_worst: [f64; 2],
    pub(crate) momentum_scale: [f64; 2],
    pub(crate) momentum_amount: [f64; 2],
    /// touches so far, and the largest force [N], depth [m] and depth by the smaller radius
    pub(crate) touches: usize,
    pub(crate) peak_force: f64,
    pub(crate) deepest: f64,
    pub(crate) overlap: f64,
}

carom_base::carried!(Books {
    lost_normal,
    lost_friction,
    work,
    powers,
    impulses,
    rates,
    about,
    start,
    drawn_up,
    energy_start,
    potential_start,
    worst,
    scale,
    amount,
    momentum_worst,
    momentum_scale,
    momentum_amount,
    touches,
    peak_force,
    deepest,
    overlap
});

impl Books {
    /// Returns the energy at the start [J].
    pub(crate) fn energy_start(&self) -> f64 {
        self.energy_start
    }

    /// Returns the largest error of the energy balance, relative to the largest energy.
    pub(crate) fn energy_relative(&self) -> f64 {
        relative(self.worst, self.scale)
    }

    /// Returns the largest errors of the balances of momentum, relative to the largest momentum.
    pub(crate) fn momentum_relative(&self) -> [f64; 2] {
        [0, 1].map(|i| relative(self.momentum_worst[i], self.momentum_scale[i]))
    }
}

impl CrowdSystem<'_> {
    /// Opens the books at the start.
    pub(super) fn open_books(&mut self) {
        let m = self.model;
        let mass: f64 = m.world.free().map(|i| m.world.bodies[i].mass).sum();
        let moment: Vec3 = m.world.free().map(|i| self.crowd.places()[i].x * m.world.bodies[i].mass).sum();
        self.books.about = if mass > 0.0 { moment / mass } else { Vec3::zeros() };
        self.books.powers = self.powers();
        self.books.rates = self.outside();
        self.note_extremes();
    }

    /// Returns the powers that dampers, friction and prescribed motions take or give [W].
    fn powers(&self) -> [f64; 3] {
        let held = self.model.world.prescribed.iter().map(|&body| {
            let (place, load) = (&self.crowd.places()[body], &self.crowd.loads()[body]);
            -(load.force.dot(&place.v) + load.torque.dot(&place.w))
        });
        [self.sums.lost_normal, self.sums.lost_friction, held.sum()]
    }

    /// Returns the sum of external forces [N] and of their torques about the centre of mass at the start [N m]: the weights, less what
    /// acts on bodies that are held, and on the directions that others are held in.
    fn outside(&self) -> [Vec3; 2] {
        let (m, about) = (self.model, self.books.about);
        let (places, loads) = (self.crowd.places(), self.crowd.loads());
        let mut sum = [Vec3::zeros(); 2];
        for &i in &m.world.dynamic {
            let (weight, arm) = (&self.hefts[i].weight, places[i].x - about);
            sum[0] += weight;
            sum[1] += arm.cross(weight);
        }
        if m.world.partly_held {
            for &i in &m.world.dynamic {
                let (dofs, load, arm) = (&m.world.bodies[i].dofs, &loads[i], places[i].x - about);
                let taken = load.force - dofs.translation.component_mul(&load.force);
                sum[0] -= taken;
                sum[1] -= arm.cross(&taken) + load.torque - dofs.allowed_rotation(&load.torque);
            }
        }
        for &i in &m.world.held {
            let (x, load) = (places[i].x, &loads[i]);
            sum[0] -= load.force;
            sum[1] -= (x - about).cross(&load.force) + load.torque;
        }
        sum
    }

    /// Enters the step of length `h` [s] that has just been taken.
    pub(super) fn keep_books(&mut self, h: f64) {
        let (powers, rates) = (self.powers(), self.outside());
        let books = &mut self.books;
        let sum = |i: usize| 0.5 * h * (books.powers[i] + powers[i]);
        let [normal, friction, work] = [0, 1, 2].map(sum);
        books.lost_normal += normal + self.sums.lost_at_once;
        books.lost_friction += friction;
        books.work += work;
        for i in 0..2 {
            books.impulses[i] += (books.rates[i] + rates[i]) * (0.5 * h);
        }
        (books.powers, books.rates) = (powers, rates);
        self.note_extremes();
    }

    fn note_extremes(&mut self) {
        let (books, sums) = (&mut self.books, &self.sums);
        books.touches += sums.touches;
        books.peak_force = books.peak_force.max(sums.force);
        books.deepest = books.deepest.max(sums.depth);
        books.overlap = books.overlap.max(sums.overlap);
    }

    /// Writes the bodies and the integrals as the state of the model.
    pub(crate) fn write_state(&self, y: &mut Vec<f64>) {
        let m = self.model;
        y.clear();
        y.resize(m.world.layout.len(0), 0.0);
        for (mut body, &i) in m.world.layout.rigid_bodies_mut(y).zip(&m.world.dynamic) {
            let place = &self.crowd.places()[i];
            body.set_position(&place.x);
            body.set_quaternion(&self.crowd.orientation(i));
            body.set_velocity(&place.v);
            body.set_angular_velocity(&place.w);
        }
        let (q, integrals) = (&m.world.quadratures, m.world.layout.integrals_mut(y));
        let sums = [
            (q.dissipated_normal, self.books.lost_normal),
            (q.dissipated_friction, self.books.lost_friction),
            (q.work, self.books.work),
        ];
        for (i, sum) in sums {
            if let Some(integral) = i.and_then(|i| integrals.get_mut(i)) {
                *integral = sum;
            }
        }
    }

    /// Computes the energies in the present state `y`, and notes the error of their balance.
    pub(crate) fn energy(&mut self, y: &[f64], ws: &mut Workspace) -> Energy {
        kinematics(self.model, self.t, y, ws);
        let mut e = energy_of_bodies(self.model, ws, y);
        // (what friction has taken of the motion and stores still is not lost)
        let [normal, springs] = self.stored();
        e.elastic += normal + springs;
        e.dissipated_friction -= springs;
        let books = &mut self.books;
        if !std::mem::replace(&mut books.drawn_up, true) {
            (books.energy_start, books.potential_start) = (e.total(), e.potential);
        }
        e.audit = e.total() + e.dissipated() - e.work - books.energy_start;
        let fall = (e.potential - books.potential_start).abs();
        books.scale = books.scale.max(e.kinetic + e.stored() + fall);
        books.worst = larger(books.worst, e.audit.abs());
        let amount = e.kinetic + e.potential.abs() + e.stored() + e.dissipated() + e.work.abs();
        books.amount = books.amount.max(amount);
        e
    }

    /// Returns the momentum in the present state, and notes the errors of its balances.
    pub(crate) fn momentum(&mut self, ws: &Workspace) -> Momentum {
        let (m, about) = (self.model, self.books.about);
        let (mut linear, mut angular, mut scale) = (Vec3::zeros(), Vec3::zeros(), [0.0; 2]);
        for i in m.world.dynamic.iter().copied() {
            let (b, k) = (&m.world.bodies[i], ws.body(i));
            let (p, arm) = (k.v * b.mass, k.x.p - about);
            linear += p;
            angular += arm.cross(&p) + spin(b, k);
            let size = b.mass * (k.v.norm() + m.world.scale.speed);
            scale[0] += size;
            let turning = k.w.norm() + m.world.scale.speed / m.world.scale.length;
            scale[1] += arm.norm() * size + 0.5 * b.inertia.tensor().trace() * turning;
        }
        let books = &mut self.books;
        if books.momentum_scale == [0.0; 2] {
            books.start = [linear, angular];
        }
        let [impulse, angular_impulse] = books.impulses;
        let audit = linear - books.start[0] - impulse;
        let angular_audit = angular - books.start[1] - angular_impulse;
        for (i, error) in [audit, angular_audit].into_iter().enumerate() {
            books.momentum_scale[i] = books.momentum_scale[i].max(scale[i]);
            books.momentum_worst[i] = larger(books.momentum_worst[i], error.norm());
            let amount = books.momentum_scale[i] + books.impulses[i].norm();
            books.momentum_amount[i] = books.momentum_amount[i].max(amount);
        }
        Momentum { linear, angular, impulse, angular_impulse, audit, angular_audit }
    }
}
