//! The bristle state of a contact point under laws with memory, of friction and of resistance to rolling and spinning: its position in the state, and its transport as the
//! contact moves.
//!
//! The bristle deflection z is a vector in the world frame that lies in the tangent plane. As the contact rolls and turns,
//! the plane rotates, and the bristles rotate with it, by the mean of the two surfaces between which they stand:
//!
//! ż = ż_law + Ω × z, Ω = n × ṅ + ½ ((ω_a + ω_b)·n) n
//!
//! The first term rotates the plane, but no vector within it; the second rotates z about the normal at the mean spin of the
//! bodies. |z| does not change by it, so neither does the stored energy. No frame is preferred: if both bodies rotate
//! together, z rotates with them. Only the part of z within the plane counts as deflection. The part along n, which rounding
//! errors leave, or a closest point that jumps to another wall of a hollow, is transported with the rest and keeps its energy
//! until the contact ends.
//!
//! A law of resistance with memory remembers an angle in place of a deflection: of rolling a vector in the tangent plane, of spinning one along the normal. It is carried along in the
//! same way, and only the part counts that lies there.

use std::ops::Range;

use carom_base::{Dual, Mat3, Pose, Vec3, rotation_by};
use carom_law::{Grip, Memory, Slip};

use super::bodies::PairBodies;
use super::contact_point::ContactPoint;
use super::couple::rolling_and_spinning;
use super::pair::ContactPair;
use super::point::PointForce;
use crate::model::Model;
use crate::rule::{Remembering, Rule};
use crate::state::{Kinematics, placed};

/// The allocation of positions in the state to the memories of contact points: one for each element of their laws, side by side. A position is unused, or belongs to a
/// contact point that is on or free. A point that parts gives up its positions at once, and the next event makes them
/// unused: only at an event may the state jump.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memories {
    /// number of positions
    pub(crate) count: usize,
    /// unused positions: the first of several side by side, and how many they are
    free: Vec<(usize, usize)>,
    /// positions given up and not yet unused
    pub(crate) left: Vec<Left>,
    /// for each position, a large deflection there [m], if the contact says one; else 0
    pub(crate) deflections: Vec<f64>,
}

carom_base::plain!(Memories { count, free, left, deflections });

/// The positions that a contact point has given up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Left {
    /// the first position
    memory: usize,
    /// index of the rule of the contact
    rule: usize,
    /// what its laws knew of it
    grips: [Grip; 3],
    /// its share of a contact
    share: f64,
}

carom_base::plain!(Left { memory, rule, grips, share });

impl Left {
    /// Returns the energy that is still stored there [J].
    pub(crate) fn stored(&self, m: &Model, y: &[f64]) -> f64 {
        let rule = &m.rules[self.rule];
        let all = &m.world.layout.memories(y)[self.memory..][..rule.memories(&self.grips)];
        let (elements, axis) = all.split_at(rule.elements());
        let axis = axis.first().map_or(Vec3::zeros(), |axis| Memory::from_numbers(axis).z);
        let of_law = |one: Remembering<'_>| {
            let grip = &self.grips[one.against as usize];
            if sums_work(rule, &one) {
                return 0.0;
            }
            let share = if one.law.follows_depth() { self.share } else { 1.0 };
            share * stored(&one, &Slip { axis, ..apart() }, grip, &elements[one.elements.clone()])
        };
        rule.remembering().map(of_law).sum()
    }
}

/// Surfaces that have just parted, as their laws see them.
fn apart() -> Slip {
    Slip::under(0.0, Vec3::zeros())
}

impl Memories {
    /// Returns the first of so many unused positions side by side; if there are none, the number of such positions is doubled first.
    pub(crate) fn take(&mut self, elements: usize) -> usize {
        if !self.free.iter().any(|(_, many)| *many == elements) {
            let more = if elements == 1 { self.count.max(4) } else { 1 };
            let first = self.count;
            self.free.extend((0..more).rev().map(|i| (first + i * elements, elements)));
            self.count += more * elements;
            self.deflections.resize(self.count, 0.0);
        }
        let place = self.free.iter().rposition(|(_, many)| *many == elements);
        place.map_or(0, |place| self.free.remove(place).0)
    }

    /// Takes note that a contact point has given up its positions.
    pub(super) fn leave(&mut self, memory: usize, rule: usize, point: &ContactPoint) {
        let (grips, share) = (point.latched.grips, point.latched.share);
        self.left.push(Left { memory, rule, grips, share });
    }

    /// Clears, at an event, the bristles of contacts that have ended: the energy that they still store is added to what
    /// friction dissipates, and their positions become unused.
    pub(crate) fn clear(&mut self, m: &Model, y: &mut [f64]) {
        for left in self.left.drain(..) {
            let energy = left.stored(m, y);
            if let Some(i) = m.world.quadratures.dissipated_friction {
                m.world.layout.integrals_mut(y)[i] += energy;
            }
            let many = m.rules[left.rule].memories(&left.grips);
            for memory in left.memory..left.memory + many {
                y[m.world.layout.memory_rows(memory)].fill(0.0);
            }
            self.free.push((left.memory, many));
        }
    }
}

/// Whether the state sums up what a law takes of the motion, of which what is stored is not lost. Others sum up what is lost: but the energy that is stored along surfaces which jump apart has an infinite rate just before.
pub(crate) fn sums_work(rule: &Rule, one: &Remembering<'_>) -> bool {
    one.law.follows_depth() && rule.jumps()
}

/// Returns the energy that the elements of a law store [J].
fn stored(one: &Remembering<'_>, at: &Slip, grip: &Grip, memories: &[[f64; Memory::SIZE]]) -> f64 {
    let energy = |(i, memory)| one.law.energy_at(i, at, grip, &Memory::from_numbers(memory));
    memories.iter().enumerate().map(energy).sum()
}

/// Returns the energy that the elements of a law store by what of their deflections counts: within the tangent plane, or along the normal [J]. (Of bristles, what is beyond it stays stored.)
fn stored_within(
    one: &Remembering<'_>,
    at: &Slip,
    grip: &Grip,
    memories: &[[f64; Memory::SIZE]],
    n: &Vec3,
) -> f64 {
    if !one.law.follows_depth() {
        return stored(one, at, grip, memories);
    }
    let energy = |(i, memory)| {
        let Memory { z, s } = Memory::from_numbers(memory);
        one.law.energy_at(i, at, grip, &Memory { z: one.against.part(n, &z), s })
    };
    memories.iter().enumerate().map(energy).sum()
}

/// What laws with memory do at a contact point.
pub(crate) struct Traction {
    /// friction force on A [N]
    pub(crate) f_t: Vec3,
    /// couple on A against rolling and spinning [N m]
    pub(crate) couple: Vec3,
    /// dissipated power [W]
    pub(crate) lost: f64,
    /// what the state sums up: that, or what friction takes of the motion ([`sums_work`]) [W]
    pub(crate) summed: f64,
    /// what friction and couple take of the motion in all, without signs [W]: what `lost` is a difference of
    pub(crate) amount: f64,
}

/// What laws act against at a contact point: sliding [m/s], rolling and spinning [rad/s], as `Against` numbers them.
pub(crate) fn rates(point: &PointForce, ka: &Kinematics, kb: &Kinematics) -> [Vec3; 3] {
    let [rolling, spinning] = rolling_and_spinning(&point.contact.n, ka, kb);
    [point.v_t, rolling, spinning]
}

impl ContactPair {
    /// Returns the indices of the memories of the elements of contact point `k`.
    pub(crate) fn memories(&self, m: &Model, k: usize) -> Option<Range<usize>> {
        let first = self.state.points[k].memory?;
        Some(first..first + m.rules[self.rule].elements())
    }

    /// Returns the indices of all memories of contact point `k`, that of an ellipse's axis included.
    pub(crate) fn places(&self, m: &Model, k: usize) -> Option<Range<usize>> {
        let f = &self.state.points[k];
        let first = f.memory?;
        Some(first..first + m.rules[self.rule].memories(&f.latched.grips))
    }

    /// Computes what laws with memory do at a contact point, with the bodies at `ka` and `kb`, in the state with these memories; `each` is given the index of each of its memories and its rate.
    #[cold]
    pub(crate) fn evolve(
        &self,
        m: &Model,
        k: usize,
        [ka, kb]: [&Kinematics; 2],
        point: &PointForce,
        memories: &[[f64; Memory::SIZE]],
        mut each: impl FnMut(usize, [f64; Memory::SIZE]),
    ) -> Traction {
        let mut sum =
            Traction { f_t: Vec3::zeros(), couple: Vec3::zeros(), lost: 0.0, summed: 0.0, amount: 0.0 };
        let Some(own) = self.memories(m, k) else { return sum };
        let (n, grips) = (point.contact.n, &self.state.points[k].latched.grips);
        let Rates { normal, share: share_rate } = self.rates(k, ka, kb);
        let (of_laws, turning) = (rates(point, ka, kb), turning(&n, &normal, &[ka.w, kb.w]));
        for one in m.rules[self.rule].remembering() {
            let (grip, v_t) = (&grips[one.against as usize], of_laws[one.against as usize]);
            let at = Slip { v_t, ..self.slip(m, k, point, memories, &one) };
            let own = own.start + one.elements.start..own.start + one.elements.end;
            let (mut pull, mut stored) = (Vec3::zeros(), 0.0);
            for (i, index) in own.clone().enumerate() {
                let Memory { z: whole, s } = Memory::from_numbers(&memories[index]);
                let z = one.against.part(&n, &whole);
                let mut now = one.law.evolve_at(i, &at, grip, &Memory { z, s });
                now.rate.z += turning.cross(&whole);
                pull += now.f_t;
                stored += now.stored;
                each(index, now.rate.numbers());
            }
            if one.law.follows_depth() {
                (pull, stored) = (pull * point.contact.share, stored * point.contact.share);
                if share_rate != 0.0 {
                    stored += share_rate * stored_within(&one, &at, grip, &memories[own], &n);
                }
            }
            let counts = if sums_work(&m.rules[self.rule], &one) { 0.0 } else { stored };
            sum.lost -= stored + pull.dot(&v_t);
            sum.summed -= counts + pull.dot(&v_t);
            sum.amount += pull.norm() * v_t.norm();
            if one.against.turns() { sum.couple += pull } else { sum.f_t += pull }
        }
        if let Some(index) = self.axis_memory(m, k) {
            let Memory { z: axis, .. } = Memory::from_numbers(&memories[index]);
            each(index, Memory { z: turning.cross(&axis), s: 0.0 }.numbers());
        }
        sum
    }

    /// Returns the energy that friction and resistance of contact point `k` store in the state `y`, and that part of it which counts as lost there, where work is summed up [J].
    pub(crate) fn stored_by_friction(
        &self,
        m: &Model,
        k: usize,
        bodies: PairBodies<'_>,
        y: &[f64],
    ) -> [f64; 2] {
        let Some(own) = self.memories(m, k) else { return [0.0; 2] };
        let Ok(point) = self.point(m, k, bodies) else { return [0.0; 2] };
        let (memories, f) = (m.world.layout.memories(y), &self.state.points[k]);
        let touches = point.contact.delta > f.touch.floor;
        let of_law = |one: Remembering<'_>| {
            let at = if touches { self.slip(m, k, &point, memories, &one) } else { apart() };
            let grip = &f.latched.grips[one.against as usize];
            let own = &memories[own.clone()][one.elements.clone()];
            let stored = one.share(&point.contact) * stored_within(&one, &at, grip, own, &point.contact.n);
            [stored, if sums_work(&m.rules[self.rule], &one) { stored } else { 0.0 }]
        };
        let all = m.rules[self.rule].remembering().map(of_law);
        all.fold([0.0; 2], |sum, one| [sum[0] + one[0], sum[1] + one[1]])
    }

    /// Computes Ω with the bodies at `ka` and `kb`. Returns `None` if the pair provides no derivatives or there is no
    /// contact.
    pub(crate) fn turning(&self, k: usize, ka: &Kinematics, kb: &Kinematics) -> Option<Vec3> {
        let (ra, rb);
        let xa = placed!(self.local_a, ka.x, ra);
        let xb = placed!(self.local_b, kb.x, rb);
        let n = self.differentiated(k, &moving(xa, ka), &moving(xb, kb))?.ok()?.n;
        Some(turning(&n.map(|n| n.re), &n.map(|n| n.eps[0]), &[ka.w, kb.w]))
    }

    /// Computes ṅ and the rate of the share from the motion of both bodies: exactly or, for a pair without derivatives, by a central difference along
    /// the motion, over a hundred-thousandth of the bodies' size.
    fn rates(&self, k: usize, ka: &Kinematics, kb: &Kinematics) -> Rates {
        let (ra, rb);
        let xa = placed!(self.local_a, ka.x, ra);
        let xb = placed!(self.local_b, kb.x, rb);
        let none = Rates { normal: Vec3::zeros(), share: 0.0 };
        if let Some(contact) = self.differentiated(k, &moving(xa, ka), &moving(xb, kb)) {
            return contact.map_or(none, |c| Rates { normal: c.n.map(|n| n.eps[0]), share: c.share.eps[0] });
        }
        let speed = |k: &Kinematics, x: &Pose| k.velocity_at(&x.p).norm() + k.w.norm() * self.size;
        let fastest = speed(ka, xa) + speed(kb, xb);
        if fastest == 0.0 {
            return none;
        }
        let h = 1e-5 * self.size / fastest;
        let at = |h: f64| self.geometry.contact(k, &moved(xa, ka, h), &moved(xb, kb, h));
        match (at(h), at(-h)) {
            (Ok(ahead), Ok(behind)) => Rates {
                normal: (ahead.n - behind.n) / (2.0 * h),
                share: (ahead.share - behind.share) / (2.0 * h),
            },
            _ => none,
        }
    }
}

/// How fast a contact point changes by the motion of its bodies.
struct Rates {
    /// ṅ [1/s]
    normal: Vec3,
    /// of its share [1/s]
    share: f64,
}

/// Returns Ω = n × ṅ + ½ ((ω_a + ω_b)·n) n [rad/s].
#[inline]
pub(crate) fn turning(n: &Vec3, n_dot: &Vec3, w: &[Vec3; 2]) -> Vec3 {
    n.cross(n_dot) + n * (0.5 * (w[0] + w[1]).dot(n))
}

/// Returns a surface's pose with its time rate as derivative.
fn moving(x: &Pose, k: &Kinematics) -> Pose<Dual<1>> {
    let dual = |re: f64, rate: f64| Dual { re, eps: [rate] };
    let turned = if k.deforms { k.l } else { k.w.cross_matrix() } * x.r;
    Pose { p: x.p.zip_map(&k.velocity_at(&x.p), dual), r: x.r.zip_map(&turned, dual) }
}

/// Returns a surface's pose after the time `h` [s] at constant velocities.
fn moved(x: &Pose, k: &Kinematics, h: f64) -> Pose {
    let turn: Mat3 = match k.deforms {
        true => Mat3::identity() + k.l * h,
        false => rotation_by(&(k.w * h)).to_rotation_matrix().into_inner(),
    };
    Pose { p: x.p + k.velocity_at(&x.p) * h, r: turn * x.r }
}

#[cfg(test)]
mod tests {
    use carom_base::{Quat, Vec3};
    use carom_geometry::Shape;
    use carom_geometry::surfaces::{Capsule, Cuboid, Cylinder, Plane, Sphere};
    use carom_law::friction::LuGre;
    use carom_law::normal::Hertz;

    use super::{ContactPair, moved};
    use crate::contact::{PairBodies, PlainSolver};
    use crate::{Body, ContactRule, Model, ModelBuilder, SurfaceSpec};

    /// A ball beside another body, both moving and rotating, with surfaces that are off the bodies' centres.
    fn model(other: Shape, plain: bool) -> Model {
        let mut b = ModelBuilder::new();
        if plain {
            b.pair_solver(&PlainSolver);
        }
        let body = |name: &str| Body::new(name).mass(1.0).inertia([1.0, 1.2, 1.5]);
        let ball = SurfaceSpec::new(Sphere::new(0.3).unwrap()).at([0.1, 0.0, 0.02]);
        b.body(
            body("a")
                .surface(ball)
                .position([0.2, 0.1, 0.9])
                .velocity([0.4, -0.3, 0.2])
                .angular_velocity([1.0, 2.0, -3.0]),
        );
        let mut surface = SurfaceSpec::new(Plane).at([0.03, -0.04, 0.0]);
        surface.shape = other;
        let turn = Quat::from_scaled_axis(Vec3::new(0.3, -0.2, 0.5));
        let slow = [-0.2, 0.1, 0.3];
        b.body(
            body("b").surface(surface).orientation(turn).velocity(slow).angular_velocity([-2.0, 0.5, 1.0]),
        );
        let friction = LuGre::new(0.2, 0.3, 0.1, 1e5).unwrap();
        b.contact(ContactRule::between("a", "b").normal(Hertz::new().stiffness(1e6)).friction(friction));
        b.build().unwrap()
    }

    fn shapes() -> [Shape; 5] {
        [
            Shape::outside(Plane),
            Shape::outside(Sphere::new(0.5).unwrap()),
            Shape::outside(Cylinder::new(0.4, 1.0).unwrap()),
            Shape::outside(Capsule::new(0.4, 1.0).unwrap()),
            Shape::inside(Cuboid::new([3.0; 3]).unwrap()),
        ]
    }

    /// Compares ṅ with a difference of sixth order along the motion, with derivatives and without.
    #[test]
    fn normals_turn_as_the_bodies_move() {
        for shape in shapes() {
            for plain in [false, true] {
                let m = model(shape.clone(), plain);
                let pair = ContactPair::new(&m, 0, 0, 1).unwrap();
                let (mut ka, mut kb) = (m.world.bodies[0].rest, m.world.bodies[1].rest);
                (ka.v, ka.w, kb.v, kb.w) = (
                    m.world.bodies[0].velocity,
                    m.world.bodies[0].angular_velocity,
                    m.world.bodies[1].velocity,
                    m.world.bodies[1].angular_velocity,
                );
                let normal = |h: f64| {
                    let (mut a, mut b) = (ka, kb);
                    (a.x, b.x) = (moved(&ka.x, &ka, h), moved(&kb.x, &kb, h));
                    pair.contact(0, PairBodies { a: &a, b: &b, worn: &[] }).unwrap().n
                };
                let difference = |i: f64| normal(i * 1e-3) - normal(-i * 1e-3);
                let want = (difference(1.0) * 45.0 - difference(2.0) * 9.0 + difference(3.0)) / 60e-3;
                let error = (pair.rates(0, &ka, &kb).normal - want).norm();
                assert!(
                    error < if plain { 1e-8 } else { 1e-11 } * (1.0 + want.norm()),
                    "{shape:?}: {error:e}"
                );
            }
        }
    }

    /// Bodies that rotate together take the bristles with them; a ball that spins on the spot turns them at half its spin.
    #[test]
    fn bristles_turn_with_the_contact() {
        let m = model(Shape::outside(Sphere::new(0.5).unwrap()), false);
        let pair = ContactPair::new(&m, 0, 0, 1).unwrap();
        let (mut ka, mut kb) = (m.world.bodies[0].rest, m.world.bodies[1].rest);
        let n = pair.contact(0, PairBodies { a: &ka, b: &kb, worn: &[] }).unwrap().n;
        let w = Vec3::new(0.3, -1.2, 0.8);
        let about = Vec3::new(5.0, -3.0, 1.0);
        for k in [&mut ka, &mut kb] {
            (k.w, k.v) = (w, w.cross(&(k.x.p - about)));
        }
        assert!((pair.turning(0, &ka, &kb).unwrap() - w).norm() < 1e-13);
        (kb.w, kb.v) = (Vec3::zeros(), Vec3::zeros());
        // about its own centre, along the normal
        ka.w = n * 7.0;
        let centre = ka.x.point(&m.world.surfaces[0].centre);
        ka.v = -ka.w.cross(&(centre - ka.x.p));
        assert!((pair.turning(0, &ka, &kb).unwrap() - n * 3.5).norm() < 1e-13);
    }
}
