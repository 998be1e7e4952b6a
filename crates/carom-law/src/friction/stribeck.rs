//! Bristles under a Stribeck curve with damping: what `lugre` and `elasto-plastic` share.
//!
//! ż = v − (σ0 w/(m N)) z, F = −(σ0 z + σ1 ż + σ2 v), m(v) = μ + (μs − μ) e^{−(|v|/vs)²}
//!
//! w [m/s] is the part of the slip that drags the bristles along, 0 ≤ w ≤ |v|: |v| itself or less. At light loads as in
//! [`bristle`](super::bristle): ż = a v − (σ0 w/(mL)) z, F = −a (σ0 z + …).
//!
//! **Damping that drives.** What is dissipated is (σ0² w/(mL)) |z|² + a σ1 ż·v + a σ2 v². With ż·v = a v² − (σ0 w/(mL)) z·v this is a
//! quadratic form in (z, v), never negative for all z if and only if σ1 w ≤ 4 m L, that is
//!
//! |v| ≤ 4 g/σ1, g = mN the steady friction.
//!
//! Beyond that slip a constant σ1 gives energy while the bristles turn round. So σ1 is, unless the source's constant is asked for,
//!
//! σ1 → σ1/(1 + σ1|v|/(4 m L)),
//!
//! the source's σ1 at rest, where damping matters, and always within the bound. Steady slip has ż = 0 and knows nothing of it.

use carom_base::{Args, Param, Scalar, SpecError, Vec3};

use super::bristle::{Bristles, DAMPING, STATIC_COEFFICIENT, STRIBECK, check_static, engaged, speed};
use super::slip::check_values;
use crate::entry::needed;
use crate::memory::{Evolution, Memory};

/// Scene key of how σ1 depends on slip.
pub(super) const FORM: Param = Param::word(
    "damping_form",
    &["bounded", "constant"],
    "bounded",
    "σ1 bounded so that it never drives, or constant as in the source",
);

/// How fast slip drags bristles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stribeck {
    pub(super) bristles: Bristles,
    /// μs
    pub(super) static_coefficient: f64,
    /// vs
    pub(super) speed: f64,
    /// σ1
    pub(super) damping: f64,
    /// whether σ1 is bounded
    pub(super) bounded: bool,
}

impl Stribeck {
    pub(super) fn new(mu: f64, mu_s: f64, speed: f64, stiffness: f64) -> Stribeck {
        let bristles = Bristles::new(mu, stiffness);
        Stribeck { bristles, static_coefficient: mu_s, speed, damping: 0.0, bounded: true }
    }

    pub(super) fn build(args: &Args, law: &'static str) -> Result<Stribeck, SpecError> {
        Ok(Stribeck {
            bristles: Bristles::build(args, law)?,
            static_coefficient: needed(args, law, &STATIC_COEFFICIENT)?,
            speed: needed(args, law, &STRIBECK)?,
            damping: needed(args, law, &DAMPING)?,
            bounded: args.text(FORM.name) != Some("constant"),
        })
    }

    pub(super) fn check(&self, law: &'static str) -> Result<(), SpecError> {
        self.bristles.check(law)?;
        check_static(law, self.bristles.coefficient, self.static_coefficient)?;
        check_values(law, &[(&STRIBECK, self.speed), (&DAMPING, self.damping)])
    }

    /// m(v) = μ + (μs − μ) e^{−(|v|/vs)²}.
    fn curve<S: Scalar>(&self, v_t: &Vec3<S>) -> S {
        let (mu, mu_s) = (self.bristles.coefficient, self.static_coefficient);
        let x = v_t.dot(v_t) * S::from_f64(1.0 / (self.speed * self.speed));
        S::from_f64(mu) + S::from_f64(mu_s - mu) * (-x).exp()
    }

    /// Force and rates; `drags` gives w from |v| and m.
    #[inline]
    pub(super) fn evolve<S: Scalar>(
        &self,
        f_n: S,
        v_t: &Vec3<S>,
        memory: &Memory<S>,
        load: f64,
        drags: impl FnOnce(S, S) -> S,
    ) -> Evolution<S> {
        let number = S::from_f64;
        let (sigma0, z) = (number(self.bristles.stiffness), &memory.z);
        let (a, l) = engaged(f_n, load);
        let (m, s) = (self.curve(v_t), speed(v_t));
        let full = m * l; // steady friction over a
        let rate = v_t * a - z * (sigma0 * drags(s, m) / full);
        let sigma1 = number(self.damping);
        let sigma1 = match self.bounded {
            true => sigma1 / (number(1.0) + sigma1 * s / (number(4.0) * full)),
            false => sigma1,
        };
        let f_t = (z * sigma0 + rate * sigma1 + v_t * number(self.bristles.viscous)) * -a;
        let stored = sigma0 * z.dot(&rate);
        Evolution { f_t, rate: Memory { z: rate, s: number(0.0) }, stored }
    }

    pub(super) fn deflection(&self, f_n: f64) -> f64 {
        self.static_coefficient * f_n / self.bristles.stiffness
    }
}
