//! Time scales of the events at a contact point.

use carom_base::elementary::pow;
use carom_base::{Dual, Mat3, Scalar, Vec3};
use carom_law::{Friction, Grip, Memory, Slip};

use super::System;
use crate::contact::{ContactPair, rates};
use crate::forward::kinematics;
use crate::model::Model;

/// A fixed step is at most this fraction of the time in which bristles brake slip: explicit steps of two such times are
/// unstable.
const BRAKED: f64 = 0.5;
/// A fixed step is at most this fraction of the time scale of the mass that oscillates on the bristles.
const SWUNG: f64 = 0.2;

impl ContactPair {
    /// Returns the approximate duration of an impact at speed `v` [s]: 3.2 δ*/v with δ* = (m v²/K)^(1/(n+1)) of the standard
    /// impact.
    pub(crate) fn duration_at(&self, m: &Model, k: usize, v: f64) -> f64 {
        let touch = &self.state.points[k].touch;
        let n = m.rules[self.rule].normal.exponent_in(touch);
        3.2 * pow(touch.mass * v * v / touch.stiffness, 1.0 / (n + 1.0)) / v
    }

    /// Returns the approximate depth of an impact at the impact speed recorded last [m].
    pub(crate) fn indentation_scale(&self, m: &Model, k: usize) -> f64 {
        let v = self.state.points[k].touch.v0;
        self.duration_at(m, k, v) * v / 3.2
    }

    /// Returns a negligible depth [m]: an impact that goes no deeper stores (10⁻³)^(5/2) = 3·10⁻⁸ of the energy of the last
    /// one. Before the first impact it is a negligible fraction of the pair's size.
    pub(crate) fn shallow(&self, m: &Model, k: usize) -> f64 {
        let depth =
            if self.state.points[k].touch.stiffness > 0.0 { self.indentation_scale(m, k) } else { 0.0 };
        let shallow = (1e-3 * depth).max(5e-8 * self.size);
        if shallow.is_finite() { shallow } else { 0.0 }
    }

    /// Returns the approximate duration of the impact that has just begun [s].
    pub(crate) fn impact_duration(&self, m: &Model, k: usize) -> f64 {
        self.duration_at(m, k, (-self.state.points[k].last.rate).max(m.rules[self.rule].min_impact_speed))
    }

    /// Returns the time scale of a contact [s]: that of the spring given by its stiffness at the depth it has or will have.
    /// An impact lasts about four of these times.
    pub(crate) fn time_scale(&self, m: &Model, k: usize) -> f64 {
        let f = &self.state.points[k];
        let n = m.rules[self.rule].normal.exponent_in(&f.touch);
        let impact = pow(f.touch.mass * f.last.rate * f.last.rate / f.touch.stiffness, 1.0 / (n + 1.0));
        let depth = impact.max(-f.last.gap);
        (f.touch.mass / (n * f.touch.stiffness * pow(depth, n - 1.0))).sqrt()
    }
}

/// How fast bristles respond in their present deflection: the slopes of their law.
#[derive(Clone, Copy, Debug)]
struct BristleRates {
    /// rate at which they follow a change of slip [1/s]
    follows: f64,
    /// rate at which the second remembered quantity decays [1/s]
    fades: f64,
    /// damping [N s/m] and stiffness [N/m] with which they resist slip
    damping: f64,
    stiffness: f64,
}

impl BristleRates {
    /// Of one of a law's elements, at a contact point or, by load and slip alone, in a joint.
    fn new(law: &dyn Friction, element: usize, slip: &Slip, grip: &Grip, memory: &Memory) -> BristleRates {
        let at = |value: f64, i: usize| Dual::<10>::variable(value, i);
        let constant = Dual::<10>::from_f64;
        let bent = Memory { z: Vec3::from_fn(|i, _| at(memory.z[i], 4 + i)), s: at(memory.s, 7) };
        let slip = Slip {
            f_n: at(slip.f_n, 0),
            f_elastic: constant(slip.f_elastic),
            slope: constant(slip.slope),
            rigidity: constant(slip.rigidity),
            stiffening: constant(slip.stiffening),
            delta: constant(slip.delta),
            delta_dot: constant(slip.delta_dot),
            v_t: Vec3::from_fn(|i, _| at(slip.v_t[i], 1 + i)),
            axis: slip.axis,
        };
        let now = law.evolve_at_dual(element, &slip, grip, &bent);
        let most = |slope: &dyn Fn(usize) -> f64| (0..3).map(slope).fold(0.0, f64::max);
        BristleRates {
            follows: most(&|i| -now.rate.z[i].eps[4 + i]),
            fades: (-now.rate.s.eps[7]).max(0.0),
            damping: most(&|i| -now.f_t[i].eps[1 + i]),
            stiffness: most(&|i| -now.f_t[i].eps[4 + i]),
        }
    }
}

/// Returns how easily a body turns, no less than about any axis [1/(kg m²)]: the sum of 1/I about three of them.
fn easiest(m: &Model, body: usize) -> f64 {
    if !m.world.is_dynamic(body) {
        return 0.0;
    }
    let about = |axis: Vec3| axis.dot(&m.world.bodies[body].angular_response(&Mat3::identity(), &axis));
    [Vec3::x(), Vec3::y(), Vec3::z()].map(about).iter().sum()
}

impl System<'_> {
    /// Visits every memory of contacts and joints: its index, its response rates, and the mass on it [kg], or the inertia [kg m²], which is
    /// `None` for joints.
    fn for_each_memory(&mut self, t: f64, y: &[f64], mut each: impl FnMut(usize, BristleRates, Option<f64>)) {
        let m = self.model;
        kinematics(m, t, y, &mut self.ws);
        let memories = m.world.layout.memories(y);
        for at in &self.monitor.active {
            let pair = &self.monitor.pairs[at.pair];
            let f = &pair.state.points[at.point];
            let Some(own) = pair.memories(m, at.point) else { continue };
            let Ok((point, _)) = self.point(at, y) else { continue };
            let [a, b] = [pair.body_a, pair.body_b];
            let rates = rates(&point, self.ws.body(a), self.ws.body(b));
            for one in m.rules[pair.rule].remembering() {
                let which = one.against as usize;
                let slip = Slip { v_t: rates[which], ..pair.slip(m, at.point, &point, memories, &one) };
                let inertia = match one.against.turns() {
                    false => f.touch.mass,
                    true => 1.0 / [a, b].map(|body| easiest(m, body)).iter().sum::<f64>(),
                };
                // elements act side by side: each on its part of the mass
                let inertia = inertia / one.elements.len() as f64;
                for (i, element) in one.elements.enumerate() {
                    let index = own.start + element;
                    let memory = Memory::from_numbers(&memories[index]);
                    let now = BristleRates::new(one.law, i, &slip, &f.latched.grips[which], &memory);
                    each(index, now, Some(inertia));
                }
            }
        }
        let joint_friction = &self.ws.joint_friction;
        for (i, friction) in m.constraints.frictions.iter().enumerate() {
            let (Some(index), Some(memory)) =
                (joint_friction.memories[i], joint_friction.memory(i, memories))
            else {
                continue;
            };
            let load = joint_friction.loads[i];
            let v_t = joint_friction.slips[i].v;
            let slip = Slip::under(load, v_t);
            let grip = Grip::under(friction.least_load);
            each(index, BristleRates::new(friction.law.as_ref(), 0, &slip, &grip, &memory), None);
        }
    }

    /// Returns the longest fixed step that resolves how bristles brake and oscillate [s].
    pub(crate) fn step_on_bristles(&mut self, t: f64, y: &[f64]) -> f64 {
        let mut limit = f64::INFINITY;
        if self.monitor.memories.count > 0 {
            self.for_each_memory(t, y, |_, now, mass| {
                if let Some(mass) = mass {
                    limit = limit.min(BRAKED * mass / now.damping).min(SWUNG * (mass / now.stiffness).sqrt());
                }
            });
        }
        limit
    }

    /// Fills in the relaxation rates, see [`Split::relaxation`](carom_ode::Split::relaxation): near touch and release
    /// bristles are short and follow slip faster, faster than any fixed step resolves.
    pub(crate) fn relaxing(&mut self, t: f64, y: &[f64], rates: &mut [f64]) -> bool {
        if self.monitor.memories.count == 0 {
            return false;
        }
        let layout = self.model.world.layout;
        self.for_each_memory(t, y, |memory, now, _| {
            if let [z @ .., s] = &mut rates[layout.memory_rows(memory)] {
                z.fill(now.follows);
                *s = now.fades;
            }
        });
        true
    }
}
