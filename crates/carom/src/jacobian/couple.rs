//! Derivatives of a contact point's couple (rolling and spinning resistance) by the states of its two bodies.
//!
//! M = M_r(f_n, a, ω_t) + M_s(f_n, a, ω_n n) with ω = ω_a − ω_b, ω_n = ω·n, ω_t = ω − ω_n n, a = √(R δ) (each law has
//! its own R).
//! The laws give the derivatives μ = ∂M/∂f_n, α = ∂M/∂a and Ψ = ∂M/∂(rate). With these,
//!
//!   dω_t = (1 − n nᵀ) dω − T dn,   d(ω_n n) = n nᵀ dω + T dn,   T = ω_n 1 + n ωᵀ,   da = a/(2δ) dδ,
//!
//! and df_n = k dδ + c (n·dv + v·dn) as for the force. A law that acts on the path of the contact point has M = Jᵀ f(f_n, J ω_t): Φ = ∂f/∂v gives Ψ = Jᵀ Φ J, and ∂M/∂f_n = Jᵀ ∂f/∂f_n. How J changes with the poses
//! needs second derivatives of the closest points, which contact pairs do not provide: that part alone is a difference, of sixth order, of M at constant f_n. What laws with memory add, their elements know (`memory`).

use carom_base::{Dual, Mat3, Vec3};
use carom_law::Pressed;

use super::derivatives::{ContactDerivatives, ContactQuantities};
use super::memory::{Bristles, by_motions};
use crate::contact::{ContactPair, PointForce, rolling_and_spinning};
use crate::rule::{Against, Rule, TOUCHING};
use crate::slopes::End;
use crate::state::Kinematics;

/// Returns the matrix that takes out of a vector the part in the tangent plane or along the normal ([`Against::part`]), and the derivative of this part by n.
pub(super) fn part_of(against: Against, n: &Vec3, z: &Vec3) -> (Mat3, Mat3) {
    let tilt = Mat3::from_diagonal_element(n.dot(z)) + n * z.transpose();
    let along = n * n.transpose();
    match against {
        Against::Spinning => (along, tilt),
        Against::Sliding | Against::Rolling => (Mat3::identity() - along, -tilt),
    }
}

/// The derivatives of the couple on A by v, n, δ and ω.
pub(super) struct Couples {
    pub(super) follows: ContactDerivatives<3>,
    by_w: Mat3,
    /// whether a law acts on the path of the contact point, whose change with the poses is not in `follows`
    pub(super) on_path: bool,
}

impl Couples {
    /// Returns the derivatives at a contact point under a rule, which is that of a pair with this index.
    pub(super) fn new(
        at: &ContactQuantities,
        point: &PointForce,
        rule: &Rule,
        (pair, index): (&ContactPair, usize),
        ends: &[End; 2],
    ) -> Couples {
        let radii = &pair.state.points[index].latched.radii;
        let (n, delta) = (&at.n, point.contact.delta);
        let w = ends[0].k.w - ends[1].k.w;
        let rates = rolling_and_spinning(n, &ends[0].k, &ends[1].k);
        let parts = [Against::Rolling, Against::Spinning].map(|against| part_of(against, n, &w));
        let none = ContactDerivatives {
            by_v: Mat3::zeros(),
            by_n: Mat3::zeros(),
            by_delta: Vec3::zeros(),
            by_rate: Vec3::zeros(),
            by_f_n: Vec3::zeros(),
            by_adhesion: Vec3::zeros(),
        };
        let mut all = Couples { follows: none, by_w: Mat3::zeros(), on_path: false };
        for (i, (part, tilt)) in parts.iter().enumerate() {
            let Some(law) = rule.resistance[i].as_ref().filter(|law| law.spring().is_none()) else {
                continue;
            };
            let a = (radii[i] * delta.max(0.0)).sqrt();
            let pressed = Pressed { f_n: Dual::variable(point.load, 0), a: Dual::variable(a, 1) };
            let path = law.acts_on_path().then(|| pair.path(index, [&ends[0].k, &ends[1].k]));
            let rate = path.map_or(rates[i], |path| path * rates[i]);
            let m = law.couple_dual(&pressed, &Vec3::from_fn(|l, _| Dual::variable(rate[l], 2 + l)));
            // a load below zero does not press the surfaces together: resistance does not change with it
            let mut by_f_n = m.map(|m| if point.load > 0.0 { m.eps[0] } else { 0.0 });
            let by_a = m.map(|m| m.eps[1]);
            let mut by_rate = Mat3::from_fn(|l, k| m[l].eps[2 + k]);
            if let Some(path) = path {
                (by_f_n, by_rate) = (path.tr_mul(&by_f_n), path.tr_mul(&(by_rate * path)));
                all.on_path = true;
            }
            let follows = &mut all.follows;
            follows.by_v += at.c * by_f_n * n.transpose();
            follows.by_n += at.c * by_f_n * at.v.transpose();
            if path.is_none() {
                follows.by_n += by_rate * tilt;
            }
            // (at δ = 0⁺, `TOUCHING`, the derivative by δ is taken as zero)
            let slope = if delta > TOUCHING { 0.5 * a / delta } else { 0.0 };
            follows.by_delta += at.k * by_f_n + by_a * slope;
            follows.by_rate += at.c * by_f_n;
            follows.by_f_n += by_f_n;
            follows.by_adhesion += by_f_n;
            all.by_w += by_rate * part;
        }
        all
    }

    /// Returns the changes of the couple of laws that act on the path of the contact point by the six small motions of body `end`, at a constant normal force and constant angular velocities.
    pub(super) fn by_path(
        rule: &Rule,
        (pair, index): (&ContactPair, usize),
        k: [&Kinematics; 2],
        end: usize,
        f_n: f64,
    ) -> [Vec3; 6] {
        let couple = |bodies: [&Kinematics; 2]| -> Vec3 {
            let laws = rule.resistance.iter().flatten().filter(|law| law.acts_on_path());
            let pressed = Pressed { f_n, a: 0.0 };
            laws.map(|law| pair.couple_on_path(law.as_ref(), index, bodies, &pressed)).sum()
        };
        by_motions(pair, k, end, |bodies| Some(couple(bodies))).unwrap_or([Vec3::zeros(); 6])
    }

    /// Adds the derivatives of the couple of an element of a law with memory.
    pub(super) fn add(&mut self, element: &Bristles) {
        self.follows.add(&element.pulls);
        self.by_w += element.pulls_by_w;
    }

    /// Returns the change of the couple on A by a change `dw` of the angular velocity of one body.
    pub(super) fn by_turning(&self, dw: &Vec3, end: &End) -> Vec3 {
        end.sign * (self.by_w * dw)
    }
}
