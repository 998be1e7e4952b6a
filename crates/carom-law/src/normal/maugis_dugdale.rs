//! Maugis: adhesion of a given range, between the soft bodies of `jkr` and the hard ones of `dmt`.
//!
//! F = (4 E*/(3R)) a³ − 2σ₀ [c² arccos(a/c) + a √(c² − a²)], δ = a²/R − (2σ₀/E*) √(c² − a²), the gap at c being h₀ = w/σ₀
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | normal force, below zero where it holds |
//! | δ | m | indentation; negative across a gap |
//! | a, c | m | radius of the contact area, and of the area within which the surfaces attract each other |
//! | K = (4/3) E* √R | N/m^{3/2} | stiffness of Hertz |
//! | R | m | relative radius: given, or 1/√(k_min k_max) of the relative curvatures as the attraction begins |
//! | E* | Pa | contact modulus |
//! | w | J/m² | work of adhesion per area |
//! | h₀ | m | range of the attraction, about the distance of atoms |
//! | σ₀ = w/h₀ | Pa | its stress (Dugdale) |
//! | λ = 2σ₀ (9R/(16π w E*²))^{1/3} | 1 | Maugis' parameter, 1.157 of Tabor's if h₀ = 0.971 z₀ |
//!
//! Surfaces that approach begin to attract each other at the gap h₀, where they jump to the equilibrium that they have there: a contact with λ ≥ 0.94 or so, a ring of attraction across a gap with
//! less. Pulled apart by a given distance they hold on to where δ is least: δ = −h₀ − (32/(9π²)) λ² (in units of (π² w² R/K′²)^{1/3}, K′ = 4E*/3) if λ < 0.938, when they have ceased to touch before. The force
//! is least on the way: it takes −F = 2π w R for λ → 0, `dmt`, and (3/2) π w R for λ → ∞, `jkr`, to pull them apart. The forces of a contact differ from those of `jkr` by 1.1 π w R/λ², and from those of `dmt` by √λ times 2 π w R or so: attraction near the edge of the contact stays. The jumps lose what is stored before and not after; a cycle takes both.
//!
//! Source: D. Maugis, Adhesion of spheres: the JKR–DMT transition using a Dugdale model, *J. Colloid Interface Sci.* 150 (1992) 243–269; surfaces that do not touch: K. L. Johnson, J. A. Greenwood, An adhesion map for
//! the contact of elastic spheres, *J. Colloid Interface Sci.* 192 (1997) 326–333.
//! Valid: spheres and what is round like them, elastic; λ is what the range makes of it. Where the curvatures differ, the contact counts as a circle that is as stiff: of ellipses with a range no closed theory is known to us.
//! Exit: where δ is least on the curve of equilibria, where the surfaces jump apart.
//! From general knowledge, formula not compared with the original; derived again by springs (`dugdale`), and compared with an independent solution of Maugis' equations in 50 digits.

use std::f64::consts::PI;
use std::sync::Arc;

use carom_base::elementary::cbrt;
use carom_base::param::Allowed;
use carom_base::{Args, Entry, Jet, Param, Quantity, Scalar, SpecError};

use super::NormalEntry;
use super::dmt::ADHESION_ENERGY;
use super::dugdale::{self, Equilibrium};
use super::round::{ROUND, Round, given_round};
use crate::entry::{Reference, check_value, needed};
use crate::error::LawError;
use crate::law::{Normal, NormalForce, NormalFormula, NormalLaw, Still};
use crate::power;
use crate::stiffness::Stiffness;
use crate::touch::{Indentation, Touch};

/// Adhesion of a given range, between `jkr` and `dmt` (Maugis 1992).
///
/// ```
/// use carom_law::normal::MaugisDugdale;
/// use carom_law::{Indentation, Normal, NormalLaw, Touch};
/// let law = MaugisDugdale::new(0.05, 5e-10)?.stiffness(5e6).radius(1e-6);
/// let touch = Touch::point(5e6, 0.1, 1e-12);
/// let pull = 0.05 * 1e-6 * std::f64::consts::PI; // π w R
/// assert!((law.lambda(&touch) - 1.26768).abs() < 1e-5);
/// assert!(law.pull_off(&touch) > 1.5 * pull && law.pull_off(&touch) < 2.0 * pull);
/// assert!(law.begins_at() == 5e-10 && law.holds_to(&touch) > 5e-10);
/// # Ok::<(), carom_law::LawError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MaugisDugdale {
    w: f64,
    range: f64,
    round: Round,
}

const NAME: &str = "maugis-dugdale";

const RANGE: Param = Param::required(
    "adhesion_range",
    Quantity::Length,
    Allowed::Positive,
    "range h₀ of the attraction, whose stress is w/h₀",
);

/// The scales of a contact.
struct Scales {
    /// λ
    lambda: f64,
    /// π w R \[N\]
    force: f64,
    /// D = (π² w² R/K′²)^{1/3} \[m\]
    depth: f64,
}

impl MaugisDugdale {
    /// w [J/m²] ≥ 0 and h₀ \[m\] > 0, refuses others; stiffness and radius from materials and curvatures.
    pub fn new(w: f64, range: f64) -> Result<MaugisDugdale, LawError> {
        check_value(NAME, &ADHESION_ENERGY, w)?;
        check_value(NAME, &RANGE, range)?;
        Ok(MaugisDugdale { w, range, round: Round::default() })
    }

    fn build(args: &Args) -> Result<Arc<dyn Normal>, SpecError> {
        let (w, range) = (needed(args, NAME, &ADHESION_ENERGY)?, needed(args, NAME, &RANGE)?);
        let law = MaugisDugdale { w, range, round: Round::from_args(args) };
        law.round.check(NAME)?;
        Ok(Arc::new(law))
    }

    fn scales(&self, touch: &Touch) -> Scales {
        let r = self.round.radius(touch);
        let force = PI * self.w * r;
        // L³ = π w R²/K′, K′ = K/√R
        let length = cbrt(force * r * r.sqrt() / touch.stiffness);
        let depth = length * length / r;
        // h₀ = 2D/(πλ)
        Scales { lambda: 2.0 * depth / (PI * self.range), force, depth }
    }

    /// Maugis' λ in this contact.
    pub fn lambda(&self, touch: &Touch) -> f64 {
        self.scales(touch).lambda
    }

    /// The energy that a touch and a release lose together \[J\]: slower impacts stick.
    pub fn loss(&self, touch: &Touch) -> f64 {
        let Scales { lambda, force, depth } = self.scales(touch);
        let [first, last] = [dugdale::at(lambda, -self.range / depth), dugdale::last(lambda)];
        force * depth * (last.energy(lambda) - first.energy(lambda))
    }
}

given_round!(MaugisDugdale);

impl NormalLaw for MaugisDugdale {
    fn name(&self) -> &'static str {
        NAME
    }
    fn exponent(&self) -> f64 {
        1.5
    }
    fn stiffness(&self) -> Stiffness {
        self.round.source()
    }
    fn energy(&self, delta: f64, touch: &Touch) -> f64 {
        if delta <= touch.floor {
            return 0.0;
        }
        if self.w == 0.0 {
            return self.round.power().energy(delta, touch);
        }
        let Scales { lambda, force, depth } = self.scales(touch);
        force * depth * dugdale::at(lambda, delta / depth).energy(lambda)
    }
    fn pull_off(&self, touch: &Touch) -> f64 {
        let Scales { lambda, force, .. } = self.scales(touch);
        if self.w == 0.0 { 0.0 } else { -force * dugdale::strongest(lambda).force }
    }
    fn begins_at(&self) -> f64 {
        if self.w == 0.0 { 0.0 } else { self.range }
    }
    fn holds_to(&self, touch: &Touch) -> f64 {
        let Scales { lambda, depth, .. } = self.scales(touch);
        if self.w == 0.0 { 0.0 } else { -depth * dugdale::last(lambda).delta }
    }
    fn closes_at(&self, touch: &Touch) -> f64 {
        let Scales { lambda, depth, .. } = self.scales(touch);
        let first = if self.w > 0.0 { dugdale::first_touch(lambda) } else { None };
        first.map_or(f64::NEG_INFINITY, |delta| depth * delta)
    }
    fn check(&self) -> Result<(), LawError> {
        check_value(NAME, &ADHESION_ENERGY, self.w)?;
        check_value(NAME, &RANGE, self.range)?;
        Ok(self.round.check(NAME)?)
    }
}

impl NormalFormula for MaugisDugdale {
    #[inline]
    fn force<S: Scalar>(&self, c: Indentation<S>, touch: &Touch) -> NormalForce<S> {
        let (number, zero) = (S::from_f64, S::from_f64(0.0));
        if c.delta.value() <= touch.floor {
            return NormalForce { f_n: zero, f_elastic: zero };
        }
        let f = if self.w == 0.0 {
            self.round.power().elastic(c.delta, number(touch.stiffness))
        } else {
            let Scales { lambda, force, depth } = self.scales(touch);
            let now = dugdale::at(lambda, c.delta.value() / depth);
            number(force * now.force) + (c.delta - c.delta.constant()) * number(force / depth * slope(&now))
        };
        NormalForce { f_n: f, f_elastic: f }
    }

    /// 2E*a = (3/2) K a/√R, a = L x cos θ; none while the surfaces attract each other across a gap.
    fn still(&self, delta: f64, touch: &Touch) -> Still {
        if delta <= touch.floor || self.w == 0.0 {
            let delta = Jet::time(delta.max(0.0));
            let force = self.round.power().elastic(delta, Scalar::from_f64(touch.stiffness));
            return Still { force, rigidity: power::slope(delta, 1.5, touch.stiffness) };
        }
        let Scales { lambda, force, depth } = self.scales(touch);
        let now = dugdale::at(lambda, delta / depth);
        let in_units = |unit: f64, [value, rate, second]: [f64; 3]| Jet {
            value: unit * value,
            rate: unit / depth * rate,
            second: unit / (depth * depth) * second,
        };
        let [by_force, by_radius] = now.by_delta();
        // L/√R = √D
        Still {
            force: in_units(force, [now.force, slope(&now), by_force[1]]),
            rigidity: in_units(
                1.5 * touch.stiffness * depth.sqrt(),
                [now.radius(), by_radius[0], by_radius[1]],
            ),
        }
    }
}

/// dF/dδ. Where the contact ends the force has a vertical tangent, and no method has use for an infinite slope.
fn slope(now: &Equilibrium) -> f64 {
    let [delta, force, _] = now.rates;
    let bounded = (force / delta).clamp(-STEEPEST, STEEPEST);
    if bounded.is_nan() { -STEEPEST } else { bounded }
}

/// The largest slope, in units of π w R/D.
const STEEPEST: f64 = 1e6;

pub(super) const ENTRY: NormalEntry = NormalEntry {
    entry: Entry {
        name: NAME,
        summary: "adhesion of a given range: surfaces jump into contact across a gap, and jump apart",
        params: &[ADHESION_ENERGY, RANGE, ROUND[0], ROUND[1]],
        build: MaugisDugdale::build,
    },
    formula: "F = 4E* a³/(3R) − 2σ₀ (c² arccos(a/c) + a √(c² − a²)), δ = a²/R − (2σ₀/E*) √(c² − a²), gap h₀ = w/σ₀ at c",
    range: "all between `dmt` (λ ≲ 0.1) and `jkr` (λ ≳ 5), λ = 2σ₀ (9R/(16π w E*²))^(1/3); pull-off force 2 to 1.5 π w R",
    exit: "where δ is least, beyond the gap h₀ at which the attraction begins: the surfaces jump apart",
    reference: Reference {
        source: "D. Maugis, J. Colloid Interface Sci. 150 (1992) 243-269; K. L. Johnson, J. A. Greenwood, J. Colloid Interface Sci. 192 (1997) 326-333",
        checked: "from general knowledge, formula not compared with the original; derived again, and compared with an independent solution of Maugis' equations",
    },
    eta: None,
};
