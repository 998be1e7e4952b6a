//! A contact point as a friction law with memory sees it, and the ellipse of a contact along whose axes its stiffness differs.
//!
//! A law that follows the depth sees the whole contact of which a point carries a share: its elements bend as those of the whole one do, and their forces and energies are the share of that. So nothing is bent or let go
//! where one point hands its share over to another: both have followed the same slip.

use carom_base::Vec3;
use carom_base::elementary::{atan2, cos, sin};
use carom_geometry::Contact;
use carom_law::hertz::PointContact;
use carom_law::{Indentation, Meeting, Memory, Slip};

use super::pair::ContactPair;
use super::point::PointForce;
use crate::model::Model;
use crate::rule::{Against, Remembering};
use crate::state::Kinematics;

/// Ratios of curvatures closer to 1 than this are those of a circle.
const ROUND: f64 = 1e-6;

impl ContactPair {
    /// Returns ε of the ellipse in which surfaces meet and the direction of its longer axis; zero where they meet in a circle, or where the stiffness does not depend on that.
    ///
    /// A turn ψ of A about the contact point, along the tangent plane, moves the contact by (K_A + K_B)⁻¹ (ψ × n) up to the sign: that says where the relative curvatures have their directions.
    pub(super) fn ellipse(
        &self,
        k: usize,
        c: &Contact,
        meeting: &Meeting,
        [ka, kb]: [&Kinematics; 2],
    ) -> (f64, Vec3) {
        let circle = (0.0, Vec3::zeros());
        let Meeting { k_min, k_max, length, .. } = *meeting;
        let oval = self.shears[Against::Sliding as usize].contrast != 0.0
            && length == 0.0
            && k_min > 0.0
            && k_max.is_finite()
            && k_max > (1.0 + ROUND) * k_min;
        if !oval {
            return circle;
        }
        // (E* does not matter for the shape)
        let Ok(shape) = PointContact::new(1.0, k_min, k_max) else { return circle };
        let Some(Ok(moved)) = self.contact_dual(k, [ka, kb], 0) else { return circle };
        let tangents = tangents(&c.n);
        let arm = ka.x.p - c.p_a;
        let by_turn = |psi: &Vec3| -> Vec3 {
            let along = psi.cross(&arm);
            moved.p_b.map(|p| (0..3).map(|i| p.eps[i] * along[i] + p.eps[3 + i] * psi[i]).sum())
        };
        // columns of ±(K_A + K_B)⁻¹ in the tangent plane: n × t₁ = t₂, n × t₂ = −t₁
        let [first, second] = [-by_turn(&tangents[1]), by_turn(&tangents[0])];
        let [a, b, d] = [
            first.dot(&tangents[0]),
            0.5 * (first.dot(&tangents[1]) + second.dot(&tangents[0])),
            second.dot(&tangents[1]),
        ];
        let sign = (a + d).signum();
        let angle = 0.5 * atan2(2.0 * sign * b, sign * (a - d));
        if !angle.is_finite() {
            return circle;
        }
        let axis = tangents[0] * cos(angle) + tangents[1] * sin(angle);
        (self.shears[Against::Sliding as usize].contrast * shape.elongation(), axis)
    }

    /// Returns contact point `k` as one of its laws sees it in the state with these memories, with the sliding velocity: for a law that follows the depth, the whole contact of which the point carries a
    /// share. Laws of resistance see their own rate in place of the slip.
    pub(crate) fn slip(
        &self,
        m: &Model,
        k: usize,
        point: &PointForce,
        memories: &[[f64; Memory::SIZE]],
        one: &Remembering<'_>,
    ) -> Slip {
        let along = || match one.against.turns() || !one.law.follows_depth() {
            true => Vec3::zeros(),
            false => self.axis(m, k, memories),
        };
        self.slip_along(m, k, point, &along(), one)
    }

    /// The same with the direction of the longer axis of an ellipse, which need not lie quite in the tangent plane.
    pub(super) fn slip_along(
        &self,
        m: &Model,
        k: usize,
        point: &PointForce,
        axis: &Vec3,
        one: &Remembering<'_>,
    ) -> Slip {
        let (rule, f) = (&m.rules[self.rule], &self.state.points[k]);
        if !one.law.follows_depth() {
            return Slip {
                f_elastic: point.f_elastic,
                delta: point.contact.delta,
                delta_dot: point.delta_dot,
                ..Slip::under(point.load, point.v_t)
            };
        }
        let at = Indentation { delta: point.contact.delta, delta_dot: point.delta_dot };
        let along = if one.against.turns() { Vec3::zeros() } else { within(axis, &point.contact.n) };
        let axis = along.try_normalize(0.0).unwrap_or_else(Vec3::zeros);
        let grip = &f.latched.grips[one.against as usize];
        Slip { v_t: point.v_t, axis, ..Slip::at_depth(rule.normal.as_ref(), &f.touch, grip, at).0 }
    }

    /// Returns the direction of the longer axis of contact point `k`, as it is remembered; zero for a circle.
    fn axis(&self, m: &Model, k: usize, memories: &[[f64; Memory::SIZE]]) -> Vec3 {
        let own = self.axis_memory(m, k).and_then(|i| memories.get(i));
        own.map_or(Vec3::zeros(), |memory| Memory::from_numbers(memory).z)
    }

    /// Returns the index of the memory that holds the axis of contact point `k`, if that is an ellipse.
    pub(crate) fn axis_memory(&self, m: &Model, k: usize) -> Option<usize> {
        let f = &self.state.points[k];
        let first = f.memory.filter(|_| f.latched.grips[Against::Sliding as usize].oval != 0.0)?;
        Some(first + m.rules[self.rule].elements())
    }
}

impl Remembering<'_> {
    /// Returns the share of a contact point in what the law says: 1 for a law that goes by the load on the point itself.
    pub(crate) fn share(&self, contact: &Contact) -> f64 {
        if self.law.follows_depth() { contact.share } else { 1.0 }
    }
}

/// Returns the part of a vector within the tangent plane.
pub(crate) fn within(x: &Vec3, n: &Vec3) -> Vec3 {
    x - n * n.dot(x)
}

/// Returns two unit vectors that make a right-handed frame with `n`.
fn tangents(n: &Vec3) -> [Vec3; 2] {
    let least = n.iamin();
    let first = within(&Vec3::from_fn(|i, _| if i == least { 1.0 } else { 0.0 }), n).normalize();
    [first, n.cross(&first)]
}
