//! The bristle state of a contact point under friction with memory: its position in the state, and its transport as the
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

use carom_base::{Dual, Mat3, Pose, Vec3, rotation_by};
use carom_law::{Evolution, Memory};

use super::pair::ContactPair;
use super::point::{PointForce, load};
use crate::model::Model;
use crate::state::{Kinematics, placed};

/// The allocation of positions in the state to the friction memories of contact points. A position is unused, or belongs to a
/// contact point that is on or free. A point that parts gives up its position at once, and the next event makes the position
/// unused: only at an event may the state jump.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memories {
    /// number of positions
    pub(crate) count: usize,
    /// unused positions
    free: Vec<usize>,
    /// positions given up and not yet unused, with the index of the rule of the contact that had them
    pub(crate) left: Vec<(usize, usize)>,
}

carom_base::plain!(Memories { count, free, left });

impl Memories {
    /// Returns an unused position; if there is none, the number of positions is doubled first.
    pub(crate) fn take(&mut self) -> usize {
        if self.free.is_empty() {
            let more = self.count.max(4);
            self.free.extend((self.count..self.count + more).rev());
            self.count += more;
        }
        self.free.pop().unwrap_or_default()
    }

    pub(super) fn leave(&mut self, memory: usize, rule: usize) {
        self.left.push((memory, rule));
    }

    /// Clears, at an event, the bristles of contacts that have ended: the energy that they still store is added to what
    /// friction dissipates, and their positions become unused.
    pub(crate) fn clear(&mut self, m: &Model, y: &mut [f64]) {
        for (memory, rule) in self.left.drain(..) {
            let energy = stored(m, rule, &m.world.layout.memories(y)[memory]);
            if let Some(i) = m.world.quadratures.dissipated_friction {
                m.world.layout.integrals_mut(y)[i] += energy;
            }
            y[m.world.layout.memory_rows(memory)].fill(0.0);
            self.free.push(memory);
        }
    }
}

/// Returns the energy stored in bristles under a rule's friction law [J].
pub(crate) fn stored(m: &Model, rule: usize, memory: &[f64; Memory::SIZE]) -> f64 {
    m.rules[rule].friction.as_ref().map_or(0.0, |f| f.energy(&Memory::from_numbers(memory)))
}

impl ContactPair {
    /// Computes the friction force of a contact point with memory, and the rate of its bristle state, with the bodies at `ka`
    /// and `kb`.
    #[cold]
    pub(crate) fn evolve(
        &self,
        m: &Model,
        k: usize,
        ka: &Kinematics,
        kb: &Kinematics,
        point: PointForce,
        memory: &[f64; Memory::SIZE],
    ) -> Evolution {
        let Memory { z: whole, s } = Memory::from_numbers(memory);
        let n = point.contact.n;
        let z = whole - n * n.dot(&whole);
        let Some(friction) = &m.rules[self.rule].friction else {
            return Evolution { f_t: Vec3::zeros(), rate: Memory::unbent(), stored: 0.0 };
        };
        let least = self.state.points[k].latched.load;
        let mut now = friction.evolve(load(point.f_n), &point.v_t, &Memory { z, s }, least);
        now.rate.z += turning(&n, &self.normal_rate(k, ka, kb), ka, kb).cross(&whole);
        now
    }

    /// Computes Ω with the bodies at `ka` and `kb`. Returns `None` if the pair provides no derivatives or there is no
    /// contact.
    pub(crate) fn turning(&self, k: usize, ka: &Kinematics, kb: &Kinematics) -> Option<Vec3> {
        let (ra, rb);
        let xa = placed!(self.local_a, ka.x, ra);
        let xb = placed!(self.local_b, kb.x, rb);
        let n = self.geometry.contact_dual(k, &moving(xa, ka), &moving(xb, kb))?.ok()?.n;
        Some(turning(&n.map(|n| n.re), &n.map(|n| n.eps[0]), ka, kb))
    }

    /// Computes ṅ from the motion of both bodies: exactly or, for a pair without derivatives, by a central difference along
    /// the motion, over a hundred-thousandth of the bodies' size.
    fn normal_rate(&self, k: usize, ka: &Kinematics, kb: &Kinematics) -> Vec3 {
        let (ra, rb);
        let xa = placed!(self.local_a, ka.x, ra);
        let xb = placed!(self.local_b, kb.x, rb);
        if let Some(contact) = self.geometry.contact_dual(k, &moving(xa, ka), &moving(xb, kb)) {
            return contact.map_or(Vec3::zeros(), |c| c.n.map(|n| n.eps[0]));
        }
        let speed = |k: &Kinematics, x: &Pose| k.velocity_at(&x.p).norm() + k.w.norm() * self.size;
        let fastest = speed(ka, xa) + speed(kb, xb);
        if fastest == 0.0 {
            return Vec3::zeros();
        }
        let h = 1e-5 * self.size / fastest;
        let normal = |h: f64| self.geometry.contact(k, &moved(xa, ka, h), &moved(xb, kb, h)).map(|c| c.n);
        match (normal(h), normal(-h)) {
            (Ok(ahead), Ok(behind)) => (ahead - behind) / (2.0 * h),
            _ => Vec3::zeros(),
        }
    }
}

/// Returns Ω = n × ṅ + ½ ((ω_a + ω_b)·n) n [rad/s].
fn turning(n: &Vec3, n_dot: &Vec3, ka: &Kinematics, kb: &Kinematics) -> Vec3 {
    n.cross(n_dot) + n * (0.5 * (ka.w + kb.w).dot(n))
}

/// Returns a surface's pose with its time rate as the first derivative.
fn moving(x: &Pose, k: &Kinematics) -> Pose<Dual<6>> {
    let dual = |re: f64, rate: f64| Dual { re, eps: [rate, 0.0, 0.0, 0.0, 0.0, 0.0] };
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
                let error = (pair.normal_rate(0, &ka, &kb) - want).norm();
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
