//! Elasto-plastic bristles of Dupont, Hayward, Armstrong and Altpeter: elastic near rest, dragged along beyond.
//!
//! ż = v − α σ0 |v| z/g, F = −(σ0 z + σ1 ż + σ2 v), g = N (μ + (μs − μ) e^{−(|v|/vs)²})
//!
//! α = 0 for |z| ≤ z_ba and where z and v have opposite signs; ½ (1 + sin(π (|z| − (z_m + z_ba)/2)/(z_m − z_ba))) up to z_m = g/σ0; 1 beyond
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | friction force on A, in the tangent plane |
//! | N | N | normal force |
//! | v | m/s | slip: tangential part of v_a(p_a) − v_b(p_b) |
//! | z | m | deflection of the bristles of A |
//! | z_ba | m | up to which it is elastic: κμN/σ0 |
//! | κ | 1 | `breakaway`: that deflection as a share of kinetic friction's; 0.7 unless given |
//! | μ, μs | 1 | coefficients of kinetic and static friction, μ ≤ μs |
//! | vs | m/s | Stribeck speed: where static friction has fallen to kinetic friction by 63 % |
//! | σ0 | N/m | stiffness of the bristles |
//! | σ1 | N s/m | damping of the bristles; none unless given |
//! | σ2 | N s/m | viscous friction; none unless given |
//!
//! Source: P. Dupont, V. Hayward, B. Armstrong, F. Altpeter, Single state elastoplastic friction models,
//! *IEEE Trans. Autom. Control* 47 (2002) 787–792.
//! Added to the source: z_ba goes with the load, as z_m does; light loads ([`bristle`](super::bristle)); the bound on σ1
//! ([`stribeck`](super::stribeck)). In the plane |v| with its test of signs is (v·z/|z|)₊: the same in one dimension; there, bristles that
//! are fully bent turn into the direction of slip at their length, and nothing jumps where v passes the perpendicular of z.
//! Valid: steady friction is g + σ2|v| along −v. Below κμN it is a spring and does not creep, whatever the load does.
//! Bristles lag behind a load that falls: in an oblique impact |F| reaches 4.4 μsN (`FrictionEntry::beyond_cone`); `reset-integrator` and `gonthier` stay within their cones.
//! Checked against public code; steady slip, rest under a load that swings, and passivity are tested.

use std::sync::Arc;

use carom_base::param::Allowed;
use carom_base::{Args, Entry, Param, Quantity, Scalar, SpecError, Vec3};

use super::FrictionEntry;
use super::bristle::{
    COEFFICIENT, DAMPING, MIN_LOAD, STATIC_COEFFICIENT, STIFFNESS, STRIBECK, VISCOUS, bristle_methods,
    bristle_setters, flow, plastic, speed, unbent,
};
use super::slip::check_values;
use super::stribeck::{FORM, Stribeck};
use crate::entry::{Reference, needed};
use crate::error::LawError;
use crate::law::{Friction, FrictionFormula, FrictionLaw};
use crate::memory::{Evolution, Memory};

/// ż = v − α σ0 |v| z/g, F = −(σ0 z + σ1 ż + σ2 v) (Dupont, Hayward, Armstrong and Altpeter 2002).
///
/// ```
/// use carom_base::Vec3;
/// use carom_law::{Friction, Memory, friction::ElastoPlastic};
/// let law = ElastoPlastic::new(0.2, 0.3, 0.01, 1e5)?;
/// // bent by less than 0.7 μN/σ0: a spring
/// let bent = Memory { z: Vec3::new(6e-5, 0.0, 0.0), s: 0.0 };
/// let now = law.evolve(50.0, &Vec3::new(0.3, 0.0, 0.0), &bent, 1e-3);
/// assert!((now.f_t.x + 6.0).abs() < 1e-12 && now.rate.z.x == 0.3);
/// # Ok::<(), carom_law::LawError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElastoPlastic {
    curve: Stribeck,
    breakaway: f64,
}

const NAME: &str = "elasto-plastic";

const BREAKAWAY: Param = Param::default(
    "breakaway",
    Quantity::Number,
    Allowed::Between(0.05, 0.95),
    0.7,
    "deflection up to which bristles are elastic, as a share κ of that of kinetic friction",
);

impl ElastoPlastic {
    /// 0 < μ ≤ μs, vs [m/s] > 0 and σ0 [N/m] > 0, κ = 0.7, without damping; refuses others.
    pub fn new(
        coefficient: f64,
        static_coefficient: f64,
        stribeck_speed: f64,
        bristle_stiffness: f64,
    ) -> Result<ElastoPlastic, LawError> {
        let curve = Stribeck::new(coefficient, static_coefficient, stribeck_speed, bristle_stiffness);
        let law = ElastoPlastic { curve, breakaway: 0.7 };
        law.check_values()?;
        Ok(law)
    }

    /// With another share κ, 0.05 to 0.95; [`FrictionLaw::check`] refuses another.
    pub const fn breakaway(mut self, kappa: f64) -> ElastoPlastic {
        self.breakaway = kappa;
        self
    }

    /// With damping of the bristles σ1 [N s/m] ≥ 0; [`FrictionLaw::check`] refuses another.
    pub const fn damping(mut self, sigma1: f64) -> ElastoPlastic {
        self.curve.damping = sigma1;
        self
    }

    /// With σ1 as in the source, which drives where |v| > 4 g/σ1.
    pub const fn constant_damping(mut self) -> ElastoPlastic {
        self.curve.bounded = false;
        self
    }

    fn build(args: &Args) -> Result<Arc<dyn Friction>, SpecError> {
        let curve = Stribeck::build(args, NAME)?;
        let law = ElastoPlastic { curve, breakaway: needed(args, NAME, &BREAKAWAY)? };
        law.check_values()?;
        Ok(Arc::new(law))
    }

    fn check_values(&self) -> Result<(), SpecError> {
        self.curve.check(NAME)?;
        check_values(NAME, &[(&BREAKAWAY, self.breakaway)])
    }
}

bristle_setters!(ElastoPlastic, curve.bristles);

impl FrictionLaw for ElastoPlastic {
    bristle_methods!(curve.bristles);

    fn energy(&self, memory: &Memory) -> f64 {
        self.curve.bristles.energy(memory)
    }

    fn deflection(&self, f_n: f64) -> f64 {
        self.curve.deflection(f_n)
    }
}

impl FrictionFormula for ElastoPlastic {
    fn force<S: Scalar>(&self, f_n: S, v_t: &Vec3<S>) -> Vec3<S> {
        unbent(self, f_n, v_t)
    }

    fn evolve<S: Scalar>(&self, f_n: S, v_t: &Vec3<S>, memory: &Memory<S>, load: f64) -> Evolution<S> {
        let per_stiffness = f_n * S::from_f64(1.0 / self.curve.bristles.stiffness);
        let breakaway = S::from_f64(self.breakaway * self.curve.bristles.coefficient);
        let length = speed(&memory.z);
        self.curve.evolve(f_n, v_t, memory, load, |_, m| {
            let (z_ba, z_m) = (breakaway * per_stiffness, m * per_stiffness);
            plastic(length, z_ba, z_m) * flow(&memory.z, length, v_t)
        })
    }
}

pub(super) const ENTRY: FrictionEntry = FrictionEntry {
    entry: Entry {
        name: NAME,
        summary: "bristles that are a spring near rest and flow beyond; static and kinetic friction, with memory",
        params: &[
            COEFFICIENT,
            STATIC_COEFFICIENT,
            STRIBECK,
            STIFFNESS,
            BREAKAWAY,
            DAMPING,
            VISCOUS,
            FORM,
            MIN_LOAD,
        ],
        build: ElastoPlastic::build,
    },
    formula: "ż = v − α(z, v) σ0 |v| z/g, F = −(σ0 z + σ1 ż + σ2 v), g = N (μ + (μs−μ) exp(−(|v|/vs)²))",
    range: "all slip; with `damping_form = \"constant\"` it dissipates for |v| ≤ 4 g/σ1 only; bristles are engaged in part below `min_load`",
    at_rest: "holds, also under a load that swings below κμN",
    continuous: true,
    beyond_cone: 4.373,
    reference: Reference {
        source: "P. Dupont, V. Hayward, B. Armstrong, F. Altpeter, IEEE Trans. Autom. Control 47 (2002) 787-792",
        checked: "against public code; steady slip, rest under a swinging load, passivity",
    },
};
