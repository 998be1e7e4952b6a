//! What friction remembers of a contact point: its place in the state, and how it is carried along.
//!
//! z is a vector of the world that lies in the tangent plane. As the contact rolls and turns, the plane turns, and with it the
//! bristles, halfway between the two surfaces they stand between:
//!
//! ż = ż_law + Ω × z, Ω = n × ṅ + ½ ((ω_a + ω_b)·n) n
//!
//! The first part turns the plane and no vector within it, the second turns z about the normal at the mean spin of the bodies.
//! |z| does not change by it, so neither does the stored energy. No frame is preferred: both bodies turning together
//! turn z with them. What rounding leaves of z outside the plane is not used.

use carom_base::{Dual, Mat3, Pose, Quat, Vec3};
use carom_law::{Evolution, Memory};

use super::point::PointForce;
use super::slot::{Slot, placed};
use crate::model::Model;
use crate::state::Kinematics;

/// The places in the state that contact points have. A place is free, or held by a point that is on or free; a point
/// that parts leaves it at once, and the next event makes it free: only there may the state jump.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    /// how many there are
    pub(crate) count: usize,
    free: Vec<usize>,
    /// left and not yet free, with the rule of the contact that held them
    pub(crate) left: Vec<(usize, usize)>,
}

impl Places {
    /// A free place; there are twice as many if none is.
    pub(super) fn take(&mut self) -> usize {
        if self.free.is_empty() {
            let more = self.count.max(4);
            self.free.extend((self.count..self.count + more).rev());
            self.count += more;
        }
        self.free.pop().unwrap_or_default()
    }

    pub(super) fn leave(&mut self, place: usize, rule: usize) {
        self.left.push((place, rule));
    }

    /// At an event: what bristles that were left still store is lost, and their places are free.
    pub(crate) fn clear(&mut self, m: &Model, y: &mut [f64]) {
        for (place, rule) in self.left.drain(..) {
            let energy = stored(m, rule, &m.memories(y)[place]);
            let integrals = y.len() - m.quadratures.count;
            if let Some(i) = m.quadratures.dissipated_friction {
                y[integrals + i] += energy;
            }
            let at = m.body_dim() + place * Memory::SIZE;
            y[at..at + Memory::SIZE].fill(0.0);
            self.free.push(place);
        }
    }
}

/// What bristles under a rule's friction store [J].
pub(crate) fn stored(m: &Model, rule: usize, memory: &[f64; Memory::SIZE]) -> f64 {
    m.rules[rule].friction.as_ref().map_or(0.0, |f| f.energy(&Memory::from_numbers(memory)))
}

impl Slot {
    /// Friction of a point that remembers, and how what it remembers changes; the bodies being at `ka` and `kb`.
    #[inline(never)]
    pub(crate) fn evolve(
        &self,
        m: &Model,
        k: usize,
        ka: &Kinematics,
        kb: &Kinematics,
        point: &PointForce,
        memory: &[f64; Memory::SIZE],
    ) -> Evolution {
        let Memory { z, s } = Memory::from_numbers(memory);
        let n = point.contact.n;
        let z = z - n * n.dot(&z);
        let Some(friction) = &m.rules[self.rule].friction else {
            return Evolution { f_t: Vec3::zeros(), rate: Memory::unbent(), stored: 0.0 };
        };
        let mut now = friction.evolve(point.load(), &point.v_t, &Memory { z, s }, self.features[k].load);
        now.rate.z += turning(&n, &self.normal_rate(k, ka, kb), ka, kb).cross(&z);
        now
    }

    /// Ω, the bodies being at `ka` and `kb`. `None`: the pair has no derivatives, or there is no contact.
    pub(crate) fn turning(&self, k: usize, ka: &Kinematics, kb: &Kinematics) -> Option<Vec3> {
        let (ra, rb);
        let xa = placed!(self.local_a, ka.x, ra);
        let xb = placed!(self.local_b, kb.x, rb);
        let n = self.pair.contact_dual(k, &moving(xa, ka), &moving(xb, kb))?.ok()?.n;
        Some(turning(&n.map(|n| n.re), &n.map(|n| n.eps[0]), ka, kb))
    }

    /// ṅ by the motion of both bodies: exact, or, of a pair without derivatives, from a central difference along the
    /// motion, over a hundred-thousandth of the size of the bodies.
    fn normal_rate(&self, k: usize, ka: &Kinematics, kb: &Kinematics) -> Vec3 {
        let (ra, rb);
        let xa = placed!(self.local_a, ka.x, ra);
        let xb = placed!(self.local_b, kb.x, rb);
        if let Some(contact) = self.pair.contact_dual(k, &moving(xa, ka), &moving(xb, kb)) {
            return contact.map_or(Vec3::zeros(), |c| c.n.map(|n| n.eps[0]));
        }
        let speed = |k: &Kinematics, x: &Pose| k.velocity_at(&x.p).norm() + k.w.norm() * self.size;
        let fastest = speed(ka, xa) + speed(kb, xb);
        if fastest == 0.0 {
            return Vec3::zeros();
        }
        let h = 1e-5 * self.size / fastest;
        let normal = |h: f64| self.pair.contact(k, &moved(xa, ka, h), &moved(xb, kb, h)).map(|c| c.n);
        match (normal(h), normal(-h)) {
            (Ok(ahead), Ok(behind)) => (ahead - behind) / (2.0 * h),
            _ => Vec3::zeros(),
        }
    }
}

/// Ω = n × ṅ + ½ ((ω_a + ω_b)·n) n.
fn turning(n: &Vec3, n_dot: &Vec3, ka: &Kinematics, kb: &Kinematics) -> Vec3 {
    n.cross(n_dot) + n * (0.5 * (ka.w + kb.w).dot(n))
}

/// A surface's pose with its rate, as the first derivative.
fn moving(x: &Pose, k: &Kinematics) -> Pose<Dual<6>> {
    let dual = |re: f64, rate: f64| Dual { re, eps: [rate, 0.0, 0.0, 0.0, 0.0, 0.0] };
    let turned = k.w.cross_matrix() * x.r;
    Pose { p: x.p.zip_map(&k.velocity_at(&x.p), dual), r: x.r.zip_map(&turned, dual) }
}

/// A surface's pose after the time `h` at constant velocities.
fn moved(x: &Pose, k: &Kinematics, h: f64) -> Pose {
    let turn: Mat3 = Quat::from_scaled_axis(k.w * h).to_rotation_matrix().into_inner();
    Pose { p: x.p + k.velocity_at(&x.p) * h, r: turn * x.r }
}
