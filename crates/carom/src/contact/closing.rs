//! The rate at which a contact point closes, and the generalised forces that change it: at points of two surfaces, or along the
//! measure of a stop.

use carom_base::{Scalar, Two, Vec3, inverse};
use carom_geometry::Contact;

use super::bodies::PairBodies;
use super::pair::ContactPair;
use crate::joint::{GeneralizedForce, Moving, Row};
use crate::model::Model;
use crate::state::Kinematics;
use crate::world::BodyKind;

/// The velocity at which the surfaces of a contact point approach each other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Closing<S: Scalar = f64> {
    /// velocity of A's material less that of B's [m/s], where friction acts
    pub(crate) v: Vec3<S>,
    /// v·n [m/s]
    pub(crate) v_n: S,
    /// δ̇ [m/s]: v·n, or the mean of it at points that have one indentation in common, less the rate at which a worn wall recedes along the path of the contact point
    pub(crate) delta_dot: S,
}

impl<S: Scalar> Closing<S> {
    /// Returns the closing of surfaces that are not worn, on rigid bodies: δ̇ = v·n.
    #[inline(always)]
    pub(crate) fn rigid(v: Vec3<S>, n: &Vec3<S>) -> Closing<S> {
        let v_n = v.dot(n);
        Closing { v, v_n, delta_dot: v_n }
    }
}

/// Returns the velocity at p_a and the angular velocity of A, each less that of B.
#[inline]
fn apart(c: &Contact, ka: &Kinematics, kb: &Kinematics) -> [Vec3; 2] {
    [ka.velocity_at(&c.p_a) - kb.velocity_at(&c.p_a), ka.w - kb.w]
}

/// Returns the rate of the indentation of two contact points, if they have it in common with others.
#[inline]
pub(crate) fn common_rates(c: &Contact<Two>, ka: &Kinematics, kb: &Kinematics) -> Option<Two> {
    c.common_rate(|| [ka.velocities_at(&c.p_a) - kb.velocities_at(&c.p_a), Two::both(&(ka.w - kb.w))])
}

impl ContactPair {
    /// Returns the velocity at which the k-th point closes.
    #[inline(always)]
    pub(crate) fn closing(&self, k: usize, c: &Contact, bodies: PairBodies<'_>) -> Closing {
        let PairBodies { a: ka, b: kb, .. } = bodies;
        if let Some(row) = self.stopped([ka, kb]) {
            return Closing { v: c.n * row.rate, v_n: row.rate, delta_dot: row.rate };
        }
        let [p_a, p_b] = self.friction_points(c);
        let v = ka.velocity_at(&p_a) - kb.velocity_at(&p_b);
        let v_n = v.dot(&c.n);
        // the contact rate is that between the material points p_a and p_b (Corral 2021, Eq 8, our sign); for rigid bodies
        // it is the same at all points of the normal
        let at_surfaces = if self.forces_apart { self.surface_rate(c, ka, kb) } else { v_n };
        let rate = c.common_rate(|| apart(c, ka, kb)).unwrap_or(at_surfaces);
        Closing { v, v_n, delta_dot: rate - self.receding(k, c, bodies) }
    }

    /// Returns the approach of the two surface points, (v_a(p_a) − v_b(p_b))·n [m/s].
    #[cold]
    fn surface_rate(&self, c: &Contact, ka: &Kinematics, kb: &Kinematics) -> f64 {
        (ka.velocity_at(&c.p_a) - kb.velocity_at(&c.p_b)).dot(&c.n)
    }

    /// Says whether this pair is a stop of a joint.
    pub(crate) fn is_stop(&self) -> bool {
        self.stop.is_some()
    }

    /// Returns the indentation δ of a stop with its rates and gradients, or `None` for two surfaces.
    #[inline(always)]
    pub(crate) fn stopped(&self, k: [&Kinematics; 2]) -> Option<Row> {
        self.stop.as_ref().and_then(|_| self.stop_row(k.map(Moving::of).each_ref()))
    }

    /// Returns the indentation δ of a stop whose bodies move as `ends` say, with the derivatives that their numbers carry.
    pub(crate) fn stop_row<S: Scalar>(&self, ends: [&Moving<S>; 2]) -> Option<Row<S>> {
        let was = self.state.seeds.first().and_then(|seed| seed.as_ref().map(|s| s.delta));
        self.stop.as_ref().map(|stop| stop.row(ends, was))
    }

    /// Returns the gradients of δ with respect to the motions of A and B.
    pub(super) fn gradients(&self, c: &Contact, k: [&Kinematics; 2]) -> [GeneralizedForce; 2] {
        if let Some(row) = self.stopped(k) {
            return row.forces;
        }
        if let Some(common) = &c.common {
            return [(k[0], 1.0), (k[1], -1.0)].map(|(k, sign)| {
                GeneralizedForce::with_couple(k, &c.p_a, common.n * sign, common.moment * sign)
            });
        }
        [(k[0], &c.p_a, c.n), (k[1], &c.p_b, -c.n)].map(|(k, p, n)| GeneralizedForce::at(k, p, n))
    }

    /// Returns the acceleration of B's point less that of A's at a contact [m/s²], in a state whose rates are `dy`.
    pub(super) fn acceleration(
        &self,
        m: &Model,
        c: &Contact,
        ka: &Kinematics,
        kb: &Kinematics,
        dy: &[f64],
    ) -> Vec3 {
        if let Some(row) = self.stopped([ka, kb]) {
            return c.n * -self.second_rate(m, &row, dy);
        }
        let point = |body: usize, k: &Kinematics, p: &Vec3| match m.world.bodies[body].kind {
            BodyKind::Dynamic(rows) => {
                let (rates, arm) = (rows.of(dy), p - k.x.p);
                rates.velocity() + rates.angular_velocity().cross(&arm) + k.w.cross(&k.w.cross(&arm))
            }
            BodyKind::Affine(rows) => {
                let rates = rows.of(dy);
                // p̈0 + F̈ X
                rates.v + rates.f_dot * (inverse(&k.x.r).1 * (p - k.x.p))
            }
            _ => Vec3::zeros(),
        };
        point(self.body_b, kb, &c.p_b) - point(self.body_a, ka, &c.p_a)
    }

    /// Returns δ̈ of a stop [m/s²], in a state whose rates are `dy`.
    fn second_rate(&self, m: &Model, row: &Row, dy: &[f64]) -> f64 {
        let ends = [self.body_a, self.body_b].into_iter().zip(&row.forces);
        let by = ends.map(|(body, force)| {
            let deforms = m.world.bodies[body].soft.is_some();
            let Some(rows) = m.world.rows(body) else { return 0.0 };
            let mut a = [0.0; 12];
            a.iter_mut().zip(&dy[rows.velocities()]).for_each(|(a, rate)| *a = *rate);
            force.along(&a, deforms)
        });
        row.bias + by.sum::<f64>()
    }
}
