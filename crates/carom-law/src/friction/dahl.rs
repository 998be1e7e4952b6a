//! Dahl: bristles that bend elastically and flow as they near full friction.
//!
//! ż = v (1 − σ0 z sgn v/(μN))^i, F = −σ0 z − σ2 v
//!
//! In the plane, with u = σ0 z·v/(μN|v|): ż = v − (σ0|v|/(μN)) h(u) z, h(u) = (1 − (1 − u)^i)/u; in one dimension this is the line
//! above. With i = 1, h = 1.
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | friction force on A, in the tangent plane |
//! | N | N | normal force |
//! | v | m/s | slip: tangential part of v_a(p_a) − v_b(p_b) |
//! | z | m | deflection of the bristles of A |
//! | μ | 1 | coefficient of kinetic friction |
//! | σ0 | N/m | stiffness of the bristles |
//! | i | 1 | shape of the way to full friction, 1 to 4; 1 unless given |
//! | σ2 | N s/m | viscous friction; none unless given |
//!
//! Source: P. R. Dahl, A solid friction model, *Aerospace Corp. Rep.* TOR-0158(3107-18)-1 (1968).
//! Added to the source: light loads and vectors ([`bristle`](super::bristle)); σ2, without which a block at rest rings on its bristles
//! for long, and creeps as it does (the ringing dies as 1/t only). i below 1 is left out: such bristles come to full
//! friction within a finite slip, with a rate that has no slope there. Bristles that a falling load leaves bent beyond μN/σ0, of which
//! the source does not speak, have h = 1 (u > 1) or 2^i − 1 (u < −1): they follow within the same distance, however light the load.
//! Below N0 steady friction is μN (1 − (1 − a)^{1/i}).
//! In an oblique impact, whose load falls within a few μN/σ0 of slip, they lag: |F| reaches 5.5 μN (`FrictionEntry::beyond_cone`); `reset-integrator` and `gonthier` stay within their cones.
//! Valid: small motions about rest, hysteresis; kinetic friction only. Passive always.
//! From general knowledge, not seen in the original; steady slip, the loop of small motions in closed form, and passivity are checked.

use std::sync::Arc;

use carom_base::elementary::pow;
use carom_base::param::Allowed;
use carom_base::{Args, Entry, Param, Quantity, Scalar, SpecError, Vec3};

use super::FrictionEntry;
use super::bristle::{
    Bristles, COEFFICIENT, MIN_LOAD, STIFFNESS, VISCOUS, bristle_methods, bristle_setters, engaged, speed,
    unbent,
};
use super::slip::check_values;
use crate::entry::{Reference, needed};
use crate::error::LawError;
use crate::law::{Friction, FrictionFormula, FrictionLaw};
use crate::memory::{Evolution, Memory};

/// ż = v (1 − σ0 z sgn v/(μN))^i, F = −σ0 z (Dahl 1968).
///
/// ```
/// use carom_base::Vec3;
/// use carom_law::{Friction, Memory, friction::Dahl};
/// let law = Dahl::new(0.2, 1e5)?;
/// let bent = Memory { z: Vec3::new(5e-5, 0.0, 0.0), s: 0.0 }; // half of μN/σ0
/// let now = law.evolve(50.0, &Vec3::new(0.3, 0.0, 0.0), &bent, 1e-3);
/// assert!((now.f_t.x + 5.0).abs() < 1e-12 && (now.rate.z.x - 0.15).abs() < 1e-12);
/// # Ok::<(), carom_law::LawError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dahl {
    bristles: Bristles,
    exponent: f64,
}

const NAME: &str = "dahl";

const EXPONENT: Param = Param::default(
    "exponent",
    Quantity::Number,
    Allowed::Between(1.0, 4.0),
    1.0,
    "shape i of the way to full friction",
);

impl Dahl {
    /// μ > 0 and σ0 [N/m] > 0, i = 1, no viscous friction; refuses others.
    pub fn new(coefficient: f64, bristle_stiffness: f64) -> Result<Dahl, LawError> {
        let law = Dahl { bristles: Bristles::new(coefficient, bristle_stiffness), exponent: 1.0 };
        law.check_values()?;
        Ok(law)
    }

    /// With another exponent i, 1 to 4; [`FrictionLaw::check`] refuses another.
    pub const fn exponent(mut self, i: f64) -> Dahl {
        self.exponent = i;
        self
    }

    fn build(args: &Args) -> Result<Arc<dyn Friction>, SpecError> {
        let law = Dahl { bristles: Bristles::build(args, NAME)?, exponent: needed(args, NAME, &EXPONENT)? };
        law.check_values()?;
        Ok(Arc::new(law))
    }

    fn check_values(&self) -> Result<(), SpecError> {
        self.bristles.check(NAME)?;
        check_values(NAME, &[(&EXPONENT, self.exponent)])
    }

    /// h(u) = (1 − (1 − u)^i)/u, positive; its series where that is 0/0, and its ends beyond |u| = 1.
    fn h<S: Scalar>(&self, u: S) -> S {
        let (i, number) = (self.exponent, S::from_f64);
        if i == 1.0 || u.value() >= 1.0 {
            return number(1.0);
        }
        if u.value() <= -1.0 {
            return number(pow(2f64, i) - 1.0);
        }
        if u.value().abs() < 1e-4 {
            let c = [i, -i * (i - 1.0) / 2.0, i * (i - 1.0) * (i - 2.0) / 6.0];
            let c3 = -c[2] * (i - 3.0) / 4.0;
            return number(c[0]) + u * (number(c[1]) + u * (number(c[2]) + u * number(c3)));
        }
        (number(1.0) - (number(1.0) - u).powf(i)) / u
    }
}

bristle_setters!(Dahl, bristles);

impl FrictionLaw for Dahl {
    bristle_methods!(bristles);

    fn energy(&self, memory: &Memory) -> f64 {
        self.bristles.energy(memory)
    }

    fn deflection(&self, f_n: f64) -> f64 {
        self.bristles.coefficient * f_n / self.bristles.stiffness
    }
}

impl FrictionFormula for Dahl {
    fn force<S: Scalar>(&self, f_n: S, v_t: &Vec3<S>) -> Vec3<S> {
        unbent(self, f_n, v_t)
    }

    fn evolve<S: Scalar>(&self, f_n: S, v_t: &Vec3<S>, memory: &Memory<S>, load: f64) -> Evolution<S> {
        let number = S::from_f64;
        let (sigma0, z) = (number(self.bristles.stiffness), &memory.z);
        let (a, l) = engaged(f_n, load);
        let per_length = sigma0 / (number(self.bristles.coefficient) * l); // σ0/(μL)
        let s = speed(v_t);
        let u = if s.value() > 0.0 { z.dot(v_t) / s * per_length } else { number(0.0) };
        let rate = v_t * a - z * (s * per_length * self.h(u));
        let f_t = (z * sigma0 + v_t * number(self.bristles.viscous)) * -a;
        let stored = sigma0 * z.dot(&rate);
        Evolution { f_t, rate: Memory { z: rate, s: number(0.0) }, stored }
    }
}

pub(super) const ENTRY: FrictionEntry = FrictionEntry {
    entry: Entry {
        name: NAME,
        summary: "bristles that bend, then flow; kinetic friction, with memory",
        params: &[COEFFICIENT, STIFFNESS, EXPONENT, VISCOUS, MIN_LOAD],
        build: Dahl::build,
    },
    formula: "ż = v (1 − σ0 z sgn v/(μN))^i, F = −σ0 z − σ2 v",
    range: "small motions about rest, hysteresis; bristles are engaged in part below `min_load`",
    at_rest: "holds; creeps as long as it rings, which without `viscous` is long",
    continuous: true,
    beyond_cone: 5.465,
    reference: Reference {
        source: "P. R. Dahl, Aerospace Corp. Rep. TOR-0158(3107-18)-1 (1968)",
        checked: "not seen in the original; loops of small motions in closed form, passivity",
    },
};
