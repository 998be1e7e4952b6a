//! Reset integrator of Haessig and Friedland: a spring up to a stop, stronger while it sticks.
//!
//! ṗ = 0 where slip pushes p past ±p0, else v; F = −(σ0 (1 + c) p + β ṗ) while it sticks, −σ0 p0 sgn p while it slips
//!
//! with p0 = μN/σ0 and 1 + c = μs/μ. Here, made continuous over the last share w of the way to the stop (z for p):
//!
//! ż = v − α (v·z/|z|)₊ z/p0, F = −(σ0 (1 + c (1 − α)) min(1, p0/|z|) z + β (1 − α) v + σ2 v), α from 0 at |z| = (1 − w) p0 to 1 at p0
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | friction force on A, in the tangent plane |
//! | N | N | normal force |
//! | v | m/s | slip: tangential part of v_a(p_a) − v_b(p_b) |
//! | z | m | deflection of the bristles of A, p in the source |
//! | μ, μs | 1 | coefficients of kinetic and static friction, μ ≤ μs |
//! | σ0 | N/m | stiffness of the bristles while slipping; (1 + c) σ0 while sticking |
//! | β | N s/m | `bristle_damping` while sticking; none unless given |
//! | w | 1 | `stop_band`, at most μ/μs; 0.1 unless given |
//! | σ2 | N s/m | viscous friction; none unless given |
//!
//! Source: D. A. Haessig, B. Friedland, On the modeling and simulation of friction, *J. Dyn. Syst. Meas. Control* 113 (1991) 354–362.
//! Added to the source: the band. In the source ṗ and F jump at the stop, and an integrator with error control would stall
//! there. α is `elasto-plastic`'s sine. As α depends on |z| alone, friction stays that of slip as slip ends at the stop,
//! and becomes that of stick as the bristles unbend; in the source it jumps up there. The largest friction lies between (1 − w) μsN and μsN.
//! Also added: light loads and vectors ([`bristle`](super::bristle)), σ2.
//! Under a load that falls p0 shrinks below |z|: the force is then the source's of slip, μN, and |F| ≤ μsN always, but for β and σ2.
//! Stored: ½ (1 + c) σ0 |z|², whatever the load. Passive for w ≤ μ/μs: −F·v less its rate is
//! a α σ0 (v·z)₊ ((1 + c)|z|/p0 − c) + a α c σ0 (v·z)₋ + a β (1 − α) v² + a σ2 v², and |z| ≥ (1 − w) p0 where α > 0; beyond p0 it is, with x = |z|/p0,
//! a μN (v·z/|z|)₊ (1 + (1 + c) x (x − 1)) + a μN (v·z/|z|)₋ ((1 + c) x − 1).
//! Valid: stick, break-away and kinetic friction; no Stribeck curve.
//! From general knowledge, not seen in the original; steady slip, break-away and passivity are tested.

use std::sync::Arc;

use carom_base::param::Allowed;
use carom_base::{Args, Entry, Param, Quantity, Scalar, SpecError, Vec3};

use super::FrictionEntry;
use super::bristle::{
    Bristles, COEFFICIENT, DAMPING, MIN_LOAD, STATIC_COEFFICIENT, STIFFNESS, VISCOUS, bristle_methods,
    bristle_setters, check_static, engaged, flow, plastic, speed, unbent, within,
};
use super::slip::check_values;
use crate::entry::{Reference, needed};
use crate::error::LawError;
use crate::law::{Friction, FrictionFormula, FrictionLaw};
use crate::memory::{Evolution, Memory};

/// A spring (1 + c) σ0 up to p0 = μN/σ0, then μN (Haessig and Friedland 1991).
///
/// ```
/// use carom_base::Vec3;
/// use carom_law::{Friction, Memory, friction::ResetIntegrator};
/// let law = ResetIntegrator::new(0.2, 0.3, 1e5)?;
/// let at = |z: f64| {
///     let bent = Memory { z: Vec3::new(z, 0.0, 0.0), s: 0.0 };
///     law.evolve(50.0, &Vec3::new(0.3, 0.0, 0.0), &bent, 1e-3)
/// };
/// assert!((at(8e-5).f_t.x + 12.0).abs() < 1e-12 && at(8e-5).rate.z.x == 0.3); // sticks
/// assert!((at(1e-4).f_t.x + 10.0).abs() < 1e-12 && at(1e-4).rate.z.x.abs() < 1e-12); // slips
/// # Ok::<(), carom_law::LawError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResetIntegrator {
    bristles: Bristles,
    static_coefficient: f64,
    damping: f64,
    band: f64,
}

const NAME: &str = "reset-integrator";

/// Scene key of w.
pub(super) const BAND: Param = Param::default(
    "stop_band",
    Quantity::Number,
    Allowed::Between(0.01, 0.5),
    0.1,
    "last share w of the way to full friction, over which bristles come to a stop",
);

impl ResetIntegrator {
    /// 0 < μ ≤ μs and σ0 [N/m] > 0, w = 0.1, without damping; refuses others.
    pub fn new(
        coefficient: f64,
        static_coefficient: f64,
        bristle_stiffness: f64,
    ) -> Result<ResetIntegrator, LawError> {
        let bristles = Bristles::new(coefficient, bristle_stiffness);
        let law = ResetIntegrator { bristles, static_coefficient, damping: 0.0, band: 0.1 };
        law.check_values()?;
        Ok(law)
    }

    /// With damping β [N s/m] ≥ 0 while sticking; [`FrictionLaw::check`] refuses another.
    pub const fn damping(mut self, beta: f64) -> ResetIntegrator {
        self.damping = beta;
        self
    }

    /// With another band w, 0.01 to 0.5; [`FrictionLaw::check`] refuses another.
    pub const fn stop_band(mut self, w: f64) -> ResetIntegrator {
        self.band = w;
        self
    }

    fn build(args: &Args) -> Result<Arc<dyn Friction>, SpecError> {
        let law = ResetIntegrator {
            bristles: Bristles::build(args, NAME)?,
            static_coefficient: needed(args, NAME, &STATIC_COEFFICIENT)?,
            damping: needed(args, NAME, &DAMPING)?,
            band: needed(args, NAME, &BAND)?,
        };
        law.check_values()?;
        Ok(Arc::new(law))
    }

    fn check_values(&self) -> Result<(), SpecError> {
        self.bristles.check(NAME)?;
        check_static(NAME, self.bristles.coefficient, self.static_coefficient)?;
        check_values(NAME, &[(&DAMPING, self.damping), (&BAND, self.band)])?;
        match self.band * self.static_coefficient > self.bristles.coefficient {
            false => Ok(()),
            true => Err(SpecError::Conflict {
                kind: NAME,
                what: "`stop_band` must not be greater than `coefficient`/`static_coefficient`",
            }),
        }
    }

    /// 1 + c.
    fn stiction(&self) -> f64 {
        self.static_coefficient / self.bristles.coefficient
    }
}

bristle_setters!(ResetIntegrator, bristles);

impl FrictionLaw for ResetIntegrator {
    bristle_methods!(bristles);

    fn energy(&self, memory: &Memory) -> f64 {
        self.stiction() * self.bristles.energy(memory)
    }

    fn deflection(&self, f_n: f64) -> f64 {
        self.bristles.coefficient * f_n / self.bristles.stiffness
    }
}

impl FrictionFormula for ResetIntegrator {
    fn force<S: Scalar>(&self, f_n: S, v_t: &Vec3<S>) -> Vec3<S> {
        unbent(self, f_n, v_t)
    }

    fn evolve<S: Scalar>(&self, f_n: S, v_t: &Vec3<S>, memory: &Memory<S>, load: f64) -> Evolution<S> {
        let number = S::from_f64;
        let (sigma0, z) = (self.bristles.stiffness, &memory.z);
        let (a, l) = engaged(f_n, load);
        let per_force = number(self.bristles.coefficient / sigma0);
        let (p0, length) = (per_force * f_n, speed(z));
        let alpha = plastic(length, number(1.0 - self.band) * p0, p0);
        // a/p0 = σ0/(μL)
        let rate = v_t * a - z * (alpha * flow(z, length, v_t) / (per_force * l));
        let sticks = number(1.0) - alpha;
        let stiction = number(1.0) + number(self.stiction() - 1.0) * sticks;
        let spring = number(sigma0) * stiction * within(length, p0);
        let viscous = number(self.damping) * sticks + number(self.bristles.viscous);
        let f_t = (z * spring + v_t * viscous) * -a;
        let stored = number(self.stiction() * sigma0) * z.dot(&rate);
        Evolution { f_t, rate: Memory { z: rate, s: number(0.0) }, stored }
    }
}

pub(super) const ENTRY: FrictionEntry = FrictionEntry {
    entry: Entry {
        name: NAME,
        summary: "a spring up to a stop, stronger while it sticks; static and kinetic friction, with memory",
        params: &[COEFFICIENT, STATIC_COEFFICIENT, STIFFNESS, DAMPING, BAND, VISCOUS, MIN_LOAD],
        build: ResetIntegrator::build,
    },
    formula: "ż = v up to |z| = p0 = μN/σ0, F = −((μs/μ) σ0 z + β v) there, −μN z/|z| beyond; over the last share w continuous",
    range: "stick, break-away, kinetic friction; bristles are engaged in part below `min_load`",
    at_rest: "holds, also under a load that swings below (1 − w) μs N",
    continuous: true,
    beyond_cone: 1.0,
    reference: Reference {
        source: "D. A. Haessig, B. Friedland, J. Dyn. Syst. Meas. Control 113 (1991) 354-362",
        checked: "not seen in the original; steady slip, break-away, passivity",
    },
};
