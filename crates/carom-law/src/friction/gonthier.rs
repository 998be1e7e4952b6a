//! Bristles of Gonthier, McPhee, Lange and Piedbœuf: stick and slip blended, static friction that grows with rest.
//!
//! ż = s v + (1 − s)(μN v̂ − σ0 z)/σ1, F = −(σ0 z + σ1 ż) limited to N (μ + (μs − μ) s_d), − σ2 v; s = e^{−(|v|/vs)²}
//!
//! ṡ_d = (s − s_d)/τ_d while it grows, (s − s_d) σ0/σ1 while it falls
//!
//! With the source's ż its force is s (σ0 z + σ1 v) + (1 − s) μN v̂: a damped spring in stick, Coulomb's force in slip. Here
//!
//! F = −(s (σ0 z + (1 − α) σ1 v) + (1 − s) μN v̂ + σ2 v), ż = s ż_stick + (1 − s) ż_slip,
//!
//! ż_stick = v − α (v·z/|z|)₊ z/z_m, ż_slip = (μN v̂/σ0 − z)/τ, 1/τ = 4 σ0|v|/(4 σ1|v| + μN)
//!
//! z_m = N (μ + (μs − μ) s_d)/σ0; α from 0 at |z| = (1 − w) z_m to 1 at z_m
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | friction force on A, in the tangent plane |
//! | N | N | normal force |
//! | v, v̂ | m/s, 1 | slip: tangential part of v_a(p_a) − v_b(p_b), and its direction |
//! | z | m | deflection of the bristles of A |
//! | s, s_d | 1 | how much it sticks now, and has stuck: the law's own number |
//! | μ, μs | 1 | coefficients of kinetic and static friction, μ ≤ μs |
//! | vs | m/s | Stribeck speed, between stick and slip |
//! | σ0 | N/m | stiffness of the bristles |
//! | σ1 | N s/m | damping of the bristles, greater than 0 |
//! | τ_d | s | `dwell_time`: rest after which static friction has grown to 63 % |
//! | σ2 | N s/m | viscous friction; none unless given |
//! | w | 1 | `stop_band`; 0.1 unless given |
//!
//! Source: Y. Gonthier, J. McPhee, C. Lange, J.-C. Piedbœuf, A regularized contact model with asymmetric damping and
//! dwell-time dependent friction, *Multibody Syst. Dyn.* 11 (2004) 209–233.
//! Changed: the source limits the force, and under a slow slip z grows without end behind that limit; here the
//! bristles flow at it, over the band w, and are damped up to it, as in `reset-integrator`. The source's 1/τ = σ0/σ1 gives energy where |v| < μN/(4σ1): while slip
//! begins it bends bristles faster than slip pays for. 1/τ as above is the source's well beyond that speed. A force at rest
//! needs no smooth direction of v: (1 − s) v̂ has none at zero.
//! Bristles that a falling load leaves longer than z_m pull with σ0 z_m: |F| ≤ N (μ + (μs − μ) s_d) always, but for σ1 and σ2.
//! Added: light loads ([`bristle`](super::bristle)), with a v in ż_stick and a σ0, a σ1, a σ2 in F, and L for N in 1/τ and in z/z_m.
//! Passive always: dissipated is s (a (1 − α) σ1 v² + a α σ0 (v·z)₊|z|/z_m) + (1 − s)(μN|v| + (σ0|z|² − μN z·v̂)/τ) + a σ2 v², and
//! the second is at least μN|v| − (μN)²/(4σ0τ) ≥ 0.
//! Valid: stick, break-away by the time of rest, kinetic friction from a few vs on: there it is Coulomb's force without delay.
//! From general knowledge, not seen in the original; slip, break-away after a rest, and passivity are tested.

use std::sync::Arc;

use carom_base::param::Allowed;
use carom_base::{Args, Entry, Param, Quantity, Scalar, SpecError, Vec3, clamp};

use super::FrictionEntry;
use super::bristle::{
    Bristles, COEFFICIENT, MIN_LOAD, STATIC_COEFFICIENT, STIFFNESS, STRIBECK, VISCOUS, bristle_methods,
    bristle_setters, check_static, engaged, flow, plastic, speed, unbent, within,
};
use super::reset_integrator::BAND;
use super::slip::check_values;
use crate::entry::{Reference, needed};
use crate::error::LawError;
use crate::law::{Friction, FrictionFormula, FrictionLaw};
use crate::memory::{Evolution, Memory};

/// Stick and slip blended by s = e^{−(|v|/vs)²}, static friction that grows with rest (Gonthier et al. 2004).
///
/// ```
/// use carom_base::Vec3;
/// use carom_law::{Friction, Memory, friction::GonthierBristle};
/// let law = GonthierBristle::new(0.2, 0.3, 0.001, 1e5, 300.0, 0.5)?;
/// // slip far above vs: Coulomb's force, however the bristles are bent
/// let bent = Memory { z: Vec3::new(-3e-5, 1e-5, 0.0), s: 0.0 };
/// let now = law.evolve(50.0, &Vec3::new(0.3, 0.0, 0.0), &bent, 1e-3);
/// assert!((now.f_t - Vec3::new(-10.0, 0.0, 0.0)).norm() < 1e-12);
/// # Ok::<(), carom_law::LawError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GonthierBristle {
    bristles: Bristles,
    static_coefficient: f64,
    stribeck_speed: f64,
    damping: f64,
    dwell_time: f64,
    band: f64,
}

const NAME: &str = "gonthier";

const DAMPING: Param = Param::required(
    "bristle_damping",
    Quantity::LinearDamping,
    Allowed::Positive,
    "damping of the bristles σ1",
);
const DWELL: Param = Param::required(
    "dwell_time",
    Quantity::Time,
    Allowed::Positive,
    "rest τ_d after which static friction has grown to 63 %",
);

impl GonthierBristle {
    /// 0 < μ ≤ μs, vs [m/s] > 0, σ0 [N/m] > 0, σ1 [N s/m] > 0, τ_d \[s\] > 0, w = 0.1; refuses others.
    pub fn new(
        coefficient: f64,
        static_coefficient: f64,
        stribeck_speed: f64,
        bristle_stiffness: f64,
        bristle_damping: f64,
        dwell_time: f64,
    ) -> Result<GonthierBristle, LawError> {
        let law = GonthierBristle {
            bristles: Bristles::new(coefficient, bristle_stiffness),
            static_coefficient,
            stribeck_speed,
            damping: bristle_damping,
            dwell_time,
            band: 0.1,
        };
        law.check_values()?;
        Ok(law)
    }

    /// With another band w, 0.01 to 0.5; [`FrictionLaw::check`] refuses another.
    pub const fn stop_band(mut self, w: f64) -> GonthierBristle {
        self.band = w;
        self
    }

    fn build(args: &Args) -> Result<Arc<dyn Friction>, SpecError> {
        let law = GonthierBristle {
            bristles: Bristles::build(args, NAME)?,
            static_coefficient: needed(args, NAME, &STATIC_COEFFICIENT)?,
            stribeck_speed: needed(args, NAME, &STRIBECK)?,
            damping: needed(args, NAME, &DAMPING)?,
            dwell_time: needed(args, NAME, &DWELL)?,
            band: needed(args, NAME, &BAND)?,
        };
        law.check_values()?;
        Ok(Arc::new(law))
    }

    fn check_values(&self) -> Result<(), SpecError> {
        self.bristles.check(NAME)?;
        check_static(NAME, self.bristles.coefficient, self.static_coefficient)?;
        let rest = [
            (&STRIBECK, self.stribeck_speed),
            (&DAMPING, self.damping),
            (&DWELL, self.dwell_time),
            (&BAND, self.band),
        ];
        check_values(NAME, &rest)
    }

    /// ṡ_d: rest is gained slowly and lost as fast as the bristles relax.
    fn dwell_rate<S: Scalar>(&self, sticks: S, rested: S) -> S {
        let gain = sticks - rested;
        let time = if gain.value() >= 0.0 { self.dwell_time } else { self.damping / self.bristles.stiffness };
        gain * S::from_f64(1.0 / time)
    }
}

bristle_setters!(GonthierBristle, bristles);

impl FrictionLaw for GonthierBristle {
    bristle_methods!(bristles);

    fn energy(&self, memory: &Memory) -> f64 {
        self.bristles.energy(memory)
    }

    fn deflection(&self, f_n: f64) -> f64 {
        self.static_coefficient * f_n / self.bristles.stiffness
    }
}

impl FrictionFormula for GonthierBristle {
    fn force<S: Scalar>(&self, f_n: S, v_t: &Vec3<S>) -> Vec3<S> {
        unbent(self, f_n, v_t)
    }

    fn evolve<S: Scalar>(&self, f_n: S, v_t: &Vec3<S>, memory: &Memory<S>, load: f64) -> Evolution<S> {
        let number = S::from_f64;
        let (mu, mu_s) = (self.bristles.coefficient, self.static_coefficient);
        let (sigma0, sigma1) = (number(self.bristles.stiffness), number(self.damping));
        let (z, speed_v, length) = (&memory.z, speed(v_t), speed(&memory.z));
        let (a, l) = engaged(f_n, load);
        let sticks = (-(v_t.dot(v_t) * number(1.0 / (self.stribeck_speed * self.stribeck_speed)))).exp();
        let slips = number(1.0) - sticks;

        // a/z_m = σ0/(μ_d L)
        let mu_d = number(mu) + number(mu_s - mu) * clamp(memory.s, 0.0, 1.0);
        let z_m = mu_d * f_n / sigma0;
        let alpha = plastic(length, number(1.0 - self.band) * z_m, z_m);
        let stick = v_t * a - z * (alpha * flow(z, length, v_t) * sigma0 / (mu_d * l));

        // (μN v̂/σ0 − z)/τ
        let coulomb = number(mu) * f_n;
        let per_time = number(4.0) / (number(4.0) * sigma1 * speed_v + number(mu) * l);
        let slip = (v_t * coulomb - z * (sigma0 * speed_v)) * per_time;

        let rate = stick * sticks + slip * slips;
        let per_speed = if speed_v.value() > 0.0 { slips / speed_v } else { number(0.0) };
        let damping = sigma1 * (number(1.0) - alpha);
        let spring = (z * (sigma0 * within(length, z_m)) + v_t * damping) * (a * sticks);
        let f_t = -(spring + v_t * (coulomb * per_speed + a * number(self.bristles.viscous)));
        let stored = sigma0 * z.dot(&rate);
        Evolution { f_t, rate: Memory { z: rate, s: self.dwell_rate(sticks, memory.s) }, stored }
    }
}

pub(super) const ENTRY: FrictionEntry = FrictionEntry {
    entry: Entry {
        name: NAME,
        summary: "stick and slip blended, static friction that grows with rest; with memory",
        params: &[
            COEFFICIENT,
            STATIC_COEFFICIENT,
            STRIBECK,
            STIFFNESS,
            DAMPING,
            DWELL,
            BAND,
            VISCOUS,
            MIN_LOAD,
        ],
        build: GonthierBristle::build,
    },
    formula: "F = −(s (σ0 z + (1−α) σ1 v) + (1−s) μN v̂ + σ2 v), s = exp(−(|v|/vs)²), σ0|z| ≤ N (μ + (μs−μ) s_d) in stick, ṡ_d = (s − s_d)/τ_d",
    range: "stick, break-away by the time of rest, slip from a few vs on; bristles are engaged in part below `min_load`",
    at_rest: "holds, also under a load that swings below (1 − w) of its present limit",
    continuous: true,
    beyond_cone: 1.0,
    reference: Reference {
        source: "Y. Gonthier, J. McPhee, C. Lange, J.-C. Piedbœuf, Multibody Syst. Dyn. 11 (2004) 209-233",
        checked: "not seen in the original; slip, break-away after a rest, passivity",
    },
};
