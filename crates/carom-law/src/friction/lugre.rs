//! LuGre: bristles dragged along by slip, under a Stribeck curve.
//!
//! ż = v − σ0 |v| z/g, F = −(σ0 z + σ1 ż + σ2 v), g = N (μ + (μs − μ) e^{−(|v|/vs)²})
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | friction force on A, in the tangent plane |
//! | N | N | normal force |
//! | v | m/s | slip: tangential part of v_a(p_a) − v_b(p_b) |
//! | z | m | deflection of the bristles of A |
//! | μ, μs | 1 | coefficients of kinetic and static friction, μ ≤ μs |
//! | vs | m/s | Stribeck speed: where static friction has fallen to kinetic friction by 63 % |
//! | σ0 | N/m | stiffness of the bristles |
//! | σ1 | N s/m | damping of the bristles; none unless given |
//! | σ2 | N s/m | viscous friction; none unless given |
//!
//! Source: C. Canudas de Wit, H. Olsson, K. J. Åström, P. Lischinsky, A new model for control of systems with friction,
//! *IEEE Trans. Autom. Control* 40 (1995) 419–425.
//! Added to the source: light loads and vectors ([`bristle`](super::bristle)); a bound on σ1 ([`stribeck`](super::stribeck)), which
//! `damping_form = "constant"` takes away. Then the law is passive for |v| ≤ 4 g/σ1 only, and a run that leaves this range is warned of.
//! Valid: steady friction is g + σ2|v| along −v. Under a load that swings it creeps, as bristles are dragged by any slip
//! (`elasto-plastic` mends that); under one that rests it holds.
//! Bristles lag behind a load that falls: in an oblique impact |F| reaches 3.7 μsN (`FrictionEntry::beyond_cone`); `reset-integrator` and `gonthier` stay within their cones.
//! Checked against public code; steady slip, stick and slip on a belt, and passivity are tested.

use std::sync::Arc;

use carom_base::{Args, Entry, Scalar, SpecError, Vec3};

use super::FrictionEntry;
use super::bristle::{
    COEFFICIENT, DAMPING, MIN_LOAD, STATIC_COEFFICIENT, STIFFNESS, STRIBECK, VISCOUS, bristle_methods,
    bristle_setters, unbent,
};
use super::stribeck::{FORM, Stribeck};
use crate::entry::Reference;
use crate::error::LawError;
use crate::law::{Friction, FrictionFormula, FrictionLaw};
use crate::memory::{Evolution, Memory};

/// ż = v − σ0 |v| z/g, F = −(σ0 z + σ1 ż + σ2 v) (Canudas de Wit, Olsson, Åström and Lischinsky 1995).
///
/// ```
/// use carom_base::Vec3;
/// use carom_law::{Friction, Memory, friction::LuGre};
/// let law = LuGre::new(0.2, 0.3, 0.01, 1e5)?.damping(300.0);
/// // bent as in steady slip well above vs: nothing changes, and friction is μN
/// let bent = Memory { z: Vec3::new(1e-4, 0.0, 0.0), s: 0.0 };
/// let now = law.evolve(50.0, &Vec3::new(0.3, 0.0, 0.0), &bent, 1e-3);
/// assert!((now.f_t.x + 10.0).abs() < 1e-12 && now.rate.z.norm() < 1e-12);
/// # Ok::<(), carom_law::LawError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LuGre(Stribeck);

const NAME: &str = "lugre";

impl LuGre {
    /// 0 < μ ≤ μs, vs [m/s] > 0 and σ0 [N/m] > 0, without damping; refuses others.
    pub fn new(
        coefficient: f64,
        static_coefficient: f64,
        stribeck_speed: f64,
        bristle_stiffness: f64,
    ) -> Result<LuGre, LawError> {
        let curve = Stribeck::new(coefficient, static_coefficient, stribeck_speed, bristle_stiffness);
        let law = LuGre(curve);
        law.check_values()?;
        Ok(law)
    }

    /// With damping of the bristles σ1 [N s/m] ≥ 0; [`FrictionLaw::check`] refuses another.
    pub const fn damping(mut self, sigma1: f64) -> LuGre {
        self.0.damping = sigma1;
        self
    }

    /// With σ1 as in the source, which drives where |v| > 4 g/σ1.
    pub const fn constant_damping(mut self) -> LuGre {
        self.0.bounded = false;
        self
    }

    fn build(args: &Args) -> Result<Arc<dyn Friction>, SpecError> {
        let law = LuGre(Stribeck::build(args, NAME)?);
        law.check_values()?;
        Ok(Arc::new(law))
    }

    fn check_values(&self) -> Result<(), SpecError> {
        self.0.check(NAME)
    }
}

bristle_setters!(LuGre, 0.bristles);

impl FrictionLaw for LuGre {
    bristle_methods!(0.bristles);

    fn energy(&self, memory: &Memory) -> f64 {
        self.0.bristles.energy(memory)
    }

    fn deflection(&self, f_n: f64) -> f64 {
        self.0.deflection(f_n)
    }
}

impl FrictionFormula for LuGre {
    fn force<S: Scalar>(&self, f_n: S, v_t: &Vec3<S>) -> Vec3<S> {
        unbent(self, f_n, v_t)
    }

    fn evolve<S: Scalar>(&self, f_n: S, v_t: &Vec3<S>, memory: &Memory<S>, load: f64) -> Evolution<S> {
        // any slip drags the bristles
        self.0.evolve(f_n, v_t, memory, load, |s, _| s)
    }
}

pub(super) const ENTRY: FrictionEntry = FrictionEntry {
    entry: Entry {
        name: NAME,
        summary: "bristles dragged by slip under a Stribeck curve; static and kinetic friction, with memory",
        params: &[COEFFICIENT, STATIC_COEFFICIENT, STRIBECK, STIFFNESS, DAMPING, VISCOUS, FORM, MIN_LOAD],
        build: LuGre::build,
    },
    formula: "ż = v − σ0 |v| z/g, F = −(σ0 z + σ1 ż + σ2 v), g = N (μ + (μs−μ) exp(−(|v|/vs)²))",
    range: "all slip; with `damping_form = \"constant\"` it dissipates for |v| ≤ 4 g/σ1 only; bristles are engaged in part below `min_load`",
    at_rest: "holds under a load that rests; creeps under one that swings",
    continuous: true,
    beyond_cone: 3.653,
    reference: Reference {
        source: "C. Canudas de Wit, H. Olsson, K. J. Åström, P. Lischinsky, IEEE Trans. Autom. Control 40 (1995) 419-425",
        checked: "against public code; steady slip, stick and slip, passivity",
    },
};
