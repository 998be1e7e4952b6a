//! Derivatives of a contact point's couple (rolling and spinning resistance) by the states of its two bodies.
//!
//! M = M_r(f_n, a, ω_t) + M_s(f_n, a, ω_n n) with ω = ω_a − ω_b, ω_n = ω·n, ω_t = ω − ω_n n, a = √(R δ) (each law has
//! its own R).
//! The laws give the derivatives μ = ∂M/∂f_n, α = ∂M/∂a and Ψ = ∂M/∂(rate). With these,
//!
//!   dω_t = (1 − n nᵀ) dω − T dn,   d(ω_n n) = n nᵀ dω + T dn,   T = ω_n 1 + n ωᵀ,   da = a/(2δ) dδ,
//!
//! and df_n = k dδ + c (n·dv + v·dn) as for the force.

use carom_base::{Dual, Mat3, Vec3};
use carom_law::Pressed;

use super::point::{ContactDerivatives, ContactQuantities};
use crate::contact::{PointForce, rolling_and_spinning};
use crate::rule::{Rule, TOUCHING};
use crate::slopes::End;

/// The derivatives of the couple on A by v, n, δ and ω.
pub(super) struct Couples {
    pub(super) follows: ContactDerivatives<3>,
    by_w: Mat3,
}

impl Couples {
    /// Returns the derivatives at a contact point under a rule; `radii`: R of the contact patch for rolling and for
    /// spinning [m].
    pub(super) fn new(
        at: &ContactQuantities,
        point: &PointForce,
        rule: &Rule,
        radii: &[f64; 2],
        ends: &[End; 2],
    ) -> Couples {
        let (n, delta) = (&at.n, point.contact.delta);
        let w = ends[0].k.w - ends[1].k.w;
        let rates = rolling_and_spinning(n, &ends[0].k, &ends[1].k);
        let tilt = Mat3::from_diagonal_element(w.dot(n)) + n * w.transpose();
        let along = n * n.transpose();
        // for rolling and spinning: the projection that takes this part out of ω, and the derivative of this part by n
        let parts = [(Mat3::identity() - along, -tilt), (along, tilt)];
        let none = ContactDerivatives {
            by_v: Mat3::zeros(),
            by_n: Mat3::zeros(),
            by_delta: Vec3::zeros(),
            by_rate: Vec3::zeros(),
            by_f_n: Vec3::zeros(),
        };
        let mut all = Couples { follows: none, by_w: Mat3::zeros() };
        for (i, (part, tilt)) in parts.iter().enumerate() {
            let Some(law) = &rule.resistance[i] else { continue };
            let a = (radii[i] * delta.max(0.0)).sqrt();
            let pressed = Pressed { f_n: Dual::variable(point.load, 0), a: Dual::variable(a, 1) };
            let m = law.couple_dual(&pressed, &Vec3::from_fn(|l, _| Dual::variable(rates[i][l], 2 + l)));
            // a load below zero does not press the surfaces together: resistance does not change with it
            let by_f_n = m.map(|m| if point.load > 0.0 { m.eps[0] } else { 0.0 });
            let by_a = m.map(|m| m.eps[1]);
            let by_rate = Mat3::from_fn(|l, k| m[l].eps[2 + k]);
            let follows = &mut all.follows;
            follows.by_v += at.c * by_f_n * n.transpose();
            follows.by_n += at.c * by_f_n * at.v.transpose() + by_rate * tilt;
            // (at δ = 0⁺, `TOUCHING`, the derivative by δ is taken as zero)
            let slope = if delta > TOUCHING { 0.5 * a / delta } else { 0.0 };
            follows.by_delta += at.k * by_f_n + by_a * slope;
            follows.by_rate += at.c * by_f_n;
            follows.by_f_n += by_f_n;
            all.by_w += by_rate * part;
        }
        all
    }

    /// Returns the change of the couple on A by a change `dw` of the angular velocity of one body.
    pub(super) fn by_turning(&self, dw: &Vec3, end: &End) -> Vec3 {
        end.sign * (self.by_w * dw)
    }
}
