//! Contacts in steps of a given length, in which nothing is located: those of crowds.
//!
//! A contact point acts from the first step that finds it closed, in which its laws latch their quantities, to the first that finds it
//! open. What springs and bristles of friction remember is integrated by the trapezoidal rule with a predicted end, as the method
//! `verlet` does; springs are let go to their limits step by step, and where bristles relax the rule has its exponential form.

use carom_base::elementary::expm1;
use carom_base::{Pose, Vec3};
use carom_geometry::{Contact, Seed};
use carom_law::{Friction, Grip, Memory, Slip, Spring};

use super::bodies::PairBodies;
use super::bristle::{rates, turning};
use super::contact_point::Status;
use super::mass::free_inverse_mass;
use super::pair::ContactPair;
use super::phases::{follow_phases, note_extreme};
use super::point::PointForce;
use super::reason::{BEYOND_REACH, reason};
use crate::model::Model;
use crate::rule::Against;
use crate::state::{Kinematics, placed};

/// What an element of a law remembers, and its rate at the end of the last step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Remembered {
    pub(crate) memory: [f64; Memory::SIZE],
    rate: [f64; Memory::SIZE],
}

carom_base::plain!(Remembered { memory, rate });

/// How a step goes for what friction remembers: its length [s], the normal at its end, and how the tangent plane turns [rad/s].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Advance {
    pub(crate) h: f64,
    pub(crate) n: Vec3,
    pub(crate) turning: Vec3,
}

impl Remembered {
    /// Takes the element through a step, and returns its force or couple at the end.
    #[inline]
    pub(crate) fn advance(
        &mut self,
        law: &dyn Friction,
        one: (usize, Against),
        slip: &Slip,
        grip: &Grip,
        by: &Advance,
    ) -> Vec3 {
        let (element, against) = one;
        let spring = law.switching().and_then(|law| law.spring(element, slip, grip));
        match spring {
            Some(spring) => self.stretch(&spring, against, &slip.v_t, by),
            None => self.relax(law, one, slip, grip, by),
        }
    }

    /// Bends a spring by the slip, and lets it go to its limit if it is bent further.
    #[inline]
    fn stretch(&mut self, spring: &Spring, against: Against, v_t: &Vec3, by: &Advance) -> Vec3 {
        let [start, rate] = [&self.memory, &self.rate].map(|x| Vec3::new(x[0], x[1], x[2]));
        let bent = |z: &Vec3| spring.drive + z * spring.relief + by.turning.cross(z);
        let z = start + (rate + bent(&(start + rate * by.h))) * (0.5 * by.h);
        let (force, z) = pulled(spring, &against.part(&by.n, &z), v_t);
        self.memory[..3].copy_from_slice(z.as_slice());
        self.rate[..3].copy_from_slice(bent(&z).as_slice());
        force
    }

    /// Bends bristles that relax.
    fn relax(
        &mut self,
        law: &dyn Friction,
        one: (usize, Against),
        slip: &Slip,
        grip: &Grip,
        by: &Advance,
    ) -> Vec3 {
        let Remembered { memory: start, rate } = *self;
        let fades = relaxation(&start, &rate, &slip.v_t);
        let first = phi(fades * by.h)[0];
        let ahead: [f64; Memory::SIZE] = std::array::from_fn(|i| start[i] + by.h * first * rate[i]);
        let (force, rate_at_end) = bristles(law, one, slip, grip, &ahead, by);
        let fades = fades.max(relaxation(&ahead, &rate_at_end, &slip.v_t));
        let [first, second] = phi(fades * by.h);
        self.memory = std::array::from_fn(|i| {
            let bend = rate_at_end[i] - rate[i] + fades * (ahead[i] - start[i]);
            start[i] + by.h * (first * rate[i] + second * bend)
        });
        self.rate = rate_at_end;
        force
    }

    /// Returns the force or couple of the element as it is.
    pub(crate) fn force(
        &self,
        law: &dyn Friction,
        one: (usize, Against),
        slip: &Slip,
        grip: &Grip,
        n: &Vec3,
    ) -> Vec3 {
        let by = Advance { h: 0.0, n: *n, turning: Vec3::zeros() };
        match law.switching().and_then(|law| law.spring(one.0, slip, grip)) {
            Some(spring) => {
                let z = one.1.part(n, &Memory::from_numbers(&self.memory).z);
                pulled(&spring, &z, &slip.v_t).0
            }
            None => bristles(law, one, slip, grip, &self.memory, &by).0,
        }
    }

    /// Returns the energy that the element stores [J].
    pub(crate) fn stored(
        &self,
        law: &dyn Friction,
        one: (usize, Against),
        slip: &Slip,
        grip: &Grip,
        n: &Vec3,
    ) -> f64 {
        let Memory { z, s } = Memory::from_numbers(&self.memory);
        law.energy_at(one.0, slip, grip, &Memory { z: one.1.part(n, &z), s })
    }
}

/// Returns the force of bristles with this memory, and how that changes.
fn bristles(
    law: &dyn Friction,
    (element, against): (usize, Against),
    slip: &Slip,
    grip: &Grip,
    memory: &[f64; Memory::SIZE],
    by: &Advance,
) -> (Vec3, [f64; Memory::SIZE]) {
    let Memory { z: whole, s } = Memory::from_numbers(memory);
    let now = law.evolve_at(element, slip, grip, &Memory { z: against.part(&by.n, &whole), s });
    (now.f_t, Memory { z: now.rate.z + by.turning.cross(&whole), s: now.rate.s }.numbers())
}

/// Returns the force of a spring that is bent by z, and how far it is bent within its limit.
fn pulled(spring: &Spring, z: &Vec3, v_t: &Vec3) -> (Vec3, Vec3) {
    let long = z.norm();
    match long > spring.limit {
        false => (z * -spring.pull - v_t * spring.damping, *z),
        true => {
            let z = z * (spring.limit / long);
            (z * -spring.pull, z)
        }
    }
}

/// Returns the rate λ at which bristles relax [1/s]: ż = v − λ z along z.
fn relaxation(memory: &[f64; Memory::SIZE], rate: &[f64; Memory::SIZE], v_t: &Vec3) -> f64 {
    let [z, r] = [memory, rate].map(|x| Vec3::new(x[0], x[1], x[2]));
    let fades = (v_t - r).dot(&z) / z.norm_squared();
    if fades.is_finite() { fades.max(0.0) } else { 0.0 }
}

/// Returns φ1 and φ2 of −x: (1 − e^{−x})/x and (1 − φ1)/x, by their series where these formulas lose digits.
fn phi(x: f64) -> [f64; 2] {
    if x < 1e-3 {
        return [1.0 - x * (0.5 - x / 6.0), 0.5 - x * (1.0 / 6.0 - x / 24.0)];
    }
    let one = -expm1(-x) / x;
    [one, (1.0 - one) / x]
}

/// What the points of a pair remember.
#[derive(Clone, Debug, Default)]
pub(crate) struct PairMemory {
    /// by the point, and by the elements of all laws; last, the axis of an ellipse
    pub(super) elements: Vec<Remembered>,
    each: usize,
    /// the normals at the end of the last step
    pub(super) normals: Vec<Vec3>,
}

carom_base::carried!(PairMemory { elements, normals } scratch { each });

/// What a pair does in a step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Action {
    /// resultant force on A [N], and the torques on A and B about their centres of mass [N m]
    pub(crate) force: Vec3,
    pub(crate) torques: [Vec3; 2],
    /// powers that normal forces dissipate, and that friction and resistance take from the motion [W]
    pub(crate) lost_normal: f64,
    pub(crate) lost_friction: f64,
    /// energy that is lost as adhesive surfaces jump apart, less that which they gain as they jump together [J]
    pub(crate) lost_at_once: f64,
    /// normal force of all points together [N], and the depth of the deepest [m]
    pub(crate) f_n: f64,
    pub(crate) depth: f64,
    /// numbers of points that have touched, and that act
    pub(crate) touches: usize,
    pub(crate) acting: usize,
}

impl ContactPair {
    /// Returns room for what its points remember.
    pub(crate) fn room(&self, m: &Model) -> PairMemory {
        let rule = &m.rules[self.rule];
        let each = if rule.has_memory { rule.elements() + 1 } else { 0 };
        let points = if rule.has_memory { self.state.points.len() } else { 0 };
        PairMemory {
            elements: vec![Remembered::default(); each * points],
            each,
            normals: vec![Vec3::zeros(); points],
        }
    }

    /// Computes what the pair does at the end of a step of length `h` [s], and takes what it remembers through the step.
    pub(crate) fn act(
        &mut self,
        m: &Model,
        bodies: PairBodies<'_>,
        h: f64,
        memory: &mut PairMemory,
    ) -> Result<Action, &'static str> {
        let PairBodies { a: ka, b: kb, .. } = bodies;
        let (ends, mut action) = ([self.body_a, self.body_b], Action::default());
        self.find_near_points(ka, kb, 0.0);
        self.state.on.clear();
        for i in 0..self.scratch.near.len() {
            let k = self.scratch.near[i];
            let mut point = self.point(m, k, bodies).map_err(reason)?;
            self.reseed(k, &point.contact, [ka, kb]);
            let f = &self.state.points[k];
            let (known, delta) = (f.status != Status::Off, point.contact.delta);
            if delta <= if known { f.touch.floor } else { -f.begins } {
                if known {
                    action.lost_at_once += self.jump(m, k, delta);
                    self.state.points[k].open();
                    memory.forget(k);
                }
                continue;
            }
            if !known {
                self.latch(m, k, bodies, |by| free_inverse_mass(m, ends, by, [ka, kb]))?;
                self.state.points[k].close(Status::On, false);
                action.lost_at_once -= self.jump(m, k, delta);
                action.touches += 1;
            }
            let (law, rate) = (&*m.rules[self.rule].normal, point.delta_dot);
            let touch = &mut self.state.points[k].touch;
            note_extreme(&mut touch.history, delta);
            if follow_phases(law, touch, delta, rate) || !known {
                point = self.point(m, k, bodies).map_err(reason)?;
            }
            if point.contact.delta >= self.state.points[k].latched.reach {
                return Err(BEYOND_REACH);
            }
            self.state.on.push(k);
            self.add_point(m, (k, h), [ka, kb], point, memory, &mut action);
        }
        Ok(action)
    }

    /// Lets the next search for a contact point start where this one has ended.
    fn reseed(&mut self, k: usize, c: &Contact, [ka, kb]: [&Kinematics; 2]) {
        if self.geometry.is_iterative()
            && let Some(seed) = self.state.seeds.get_mut(k)
        {
            let (ra, rb);
            let xa: &Pose = placed!(self.local_a, ka.x, ra);
            let xb: &Pose = placed!(self.local_b, kb.x, rb);
            *seed = Some(Seed::of(c, xa, xb));
        }
    }

    /// Adds what contact point `k` does at the end of a step of length `h` [s].
    fn add_point(
        &mut self,
        m: &Model,
        (k, h): (usize, f64),
        [ka, kb]: [&Kinematics; 2],
        point: PointForce,
        memory: &mut PairMemory,
        action: &mut Action,
    ) {
        let (mut f_t, mut couple) = (point.f_t, Vec3::zeros());
        action.lost_normal += point.lost_by_normal();
        if memory.each > 0 {
            [f_t, couple] = self.remember(m, (k, h), [ka, kb], &point, memory, action);
        }
        action.lost_friction -= f_t.dot(&point.v_t);
        if let Some(now) = self.couple(m, k, ka, kb, point) {
            couple += now.on_a;
            action.lost_friction += now.lost;
        }
        let (c, at) = (&point.contact, self.friction_points(&point.contact));
        let force = f_t - c.n * point.f_n;
        action.force += force;
        action.torques[0] += (at[0] - ka.x.p).cross(&force) + couple;
        action.torques[1] -= (at[1] - kb.x.p).cross(&force) + couple;
        action.f_n += point.f_n;
        action.depth = action.depth.max(c.delta);
        action.acting += 1;
        self.state.points[k].peaks.include(point.f_n, c.delta);
    }

    /// Takes what the laws with memory remember of contact point `k` through a step of length `h` [s]; returns the friction force and the couple on A.
    fn remember(
        &mut self,
        m: &Model,
        (k, h): (usize, f64),
        [ka, kb]: [&Kinematics; 2],
        point: &PointForce,
        memory: &mut PairMemory,
        action: &mut Action,
    ) -> [Vec3; 2] {
        let n = point.contact.n;
        let before = std::mem::replace(&mut memory.normals[k], n);
        // the normal has turned from one step to the next; at a touch it has not
        let n_dot = if h > 0.0 && before != Vec3::zeros() { (n - before) / h } else { Vec3::zeros() };
        let by = Advance { h, n, turning: turning(&n, &n_dot, &[ka.w, kb.w]) };
        let own = &mut memory.elements[k * memory.each..][..memory.each];
        let (elements, axis) = own.split_at_mut(memory.each - 1);
        if let Some(axis) = axis.first_mut().filter(|_| self.latched_oval(k)) {
            axis.carry(&self.state.points[k].latched.axis, &by);
        }
        let axis = axis.first().map_or(Vec3::zeros(), |axis| Memory::from_numbers(&axis.memory).z);
        let of_laws = rates(point, ka, kb);
        let mut sums = [Vec3::zeros(); 2];
        for one in m.rules[self.rule].remembering() {
            let (against, share) = (one.against, one.share(&point.contact));
            let slip = Slip { v_t: of_laws[against as usize], ..self.slip_along(m, k, point, &axis, &one) };
            let grip = self.state.points[k].latched.grips[against as usize];
            let mut pull = Vec3::zeros();
            for (i, element) in elements[one.elements.clone()].iter_mut().enumerate() {
                pull += element.advance(one.law, (i, against), &slip, &grip, &by) * share;
            }
            if against.turns() {
                action.lost_friction -= pull.dot(&of_laws[against as usize]);
            }
            sums[usize::from(against.turns())] += pull;
        }
        sums
    }

    /// Says whether a contact point is an ellipse to its friction.
    fn latched_oval(&self, k: usize) -> bool {
        self.state.points[k].latched.grips[Against::Sliding as usize].oval != 0.0
    }

    /// Returns the friction force and the couple of laws with memory on A at a contact point as it is, and the energy that they store [J].
    pub(crate) fn held(
        &self,
        m: &Model,
        k: usize,
        [ka, kb]: [&Kinematics; 2],
        point: &PointForce,
        memory: &PairMemory,
    ) -> ([Vec3; 2], f64) {
        let (mut sums, mut stored) = ([Vec3::zeros(); 2], 0.0);
        if memory.each == 0 {
            return (sums, stored);
        }
        let (n, of_laws) = (point.contact.n, rates(point, ka, kb));
        let own = &memory.elements[k * memory.each..][..memory.each];
        let axis = own.last().map_or(Vec3::zeros(), |axis| Memory::from_numbers(&axis.memory).z);
        for one in m.rules[self.rule].remembering() {
            let (against, share) = (one.against, one.share(&point.contact));
            let slip = Slip { v_t: of_laws[against as usize], ..self.slip_along(m, k, point, &axis, &one) };
            let grip = &self.state.points[k].latched.grips[against as usize];
            for (i, element) in own[one.elements.clone()].iter().enumerate() {
                sums[usize::from(against.turns())] +=
                    element.force(one.law, (i, against), &slip, grip, &n) * share;
                stored += element.stored(one.law, (i, against), &slip, grip, &n) * share;
            }
        }
        (sums, stored)
    }
}

impl PairMemory {
    /// Forgets what a contact point has remembered: its surfaces have parted.
    fn forget(&mut self, k: usize) {
        if self.each > 0 {
            self.elements[k * self.each..][..self.each].fill(Remembered::default());
            self.normals[k] = Vec3::zeros();
        }
    }
}

impl Remembered {
    /// Carries a direction of the tangent plane along; it begins as `first`.
    fn carry(&mut self, first: &Vec3, by: &Advance) {
        let now = Memory::from_numbers(&self.memory).z;
        let now = if now == Vec3::zeros() { *first } else { now + by.turning.cross(&now) * by.h };
        self.memory[..3].copy_from_slice(now.normalize().as_slice());
    }
}
