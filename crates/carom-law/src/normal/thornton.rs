//! Thornton: spheres that are elastic up to a limiting pressure, and perfectly plastic beyond.
//!
//! Loading: F = K δ^{3/2} for δ ≤ δ_y, and π p_y R (δ − δ_y/3) beyond. Unloading from δ_max, and loading again: F = K_p (δ − δ_p)^{3/2}.
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | normal force |
//! | K = (4/3) E* √R | N/m^{3/2} | stiffness of Hertz |
//! | R | m | relative radius: given, or ab/δ of the ellipse of contact, with semi-axes a and b, from the relative curvatures at first touch |
//! | p_y | Pa | limiting contact pressure |
//! | δ, δ_max | m | indentation, and the largest one of this contact |
//! | δ_y = (2π p_y R/(3K))² | m | indentation at which the pressure in the middle of Hertz's contact reaches p_y |
//! | δ_p = δ_max (1 − F_max/(K δ_max^{3/2})) | m | depth of the dent |
//! | K_p = K √(K δ_max^{3/2}/F_max) | N/m^{3/2} | stiffness of the dent, whose radius is R_p = R K δ_max^{3/2}/F_max |
//! | v_y | m/s | impact speed at which yield begins: ½ m v_y² = (2/5) K δ_y^{5/2} |
//!
//! Beyond δ_y the pressure is cut off at p_y, and the force grows linearly, without a corner (Thornton, Eq 17). It unloads as Hertz's contact does, in a dent that is flatter than the sphere:
//! its radius R_p is the one for which the circle of contact at δ_max is as large as that of the elastic contact. The contact gives back (2/5) F_max²/(K √δ_max), so that a free impact at v₀ ≥ v_y rebounds with
//!
//!   e = √(6√3/5) √(1 − x²/6) [x/(x + 2 √(6/5 − x²/5))]^{1/4},  x = v_y/v₀,
//!
//! which falls as 1.185 x^{1/4} in fast impacts.
//!
//! Source: C. Thornton, Coefficient of restitution for collinear collisions of elastic–perfectly plastic spheres, *ASME J. Appl. Mech.* 64 (1997) 383–386.
//! Valid: metals in impacts fast enough to yield and slow against the waves in the bodies; small strain. Where the curvatures differ, the contact is an ellipse: K is its stiffness and πRδ its area, so that the largest pressure is right, and all else follows as for a circle, which pressures stretched along one axis are.
//! Exit: F = 0 at δ_p, from where on it is held at zero until δ = 0; a contact that ends forgets, and the next impact meets a sphere without a dent.
//! From general knowledge, formula not compared with the original; derived again, and the e(v₀) above is met by the law to rounding.

use std::f64::consts::PI;
use std::sync::Arc;

use carom_base::elementary::pow;
use carom_base::{Args, Entry, Param, Scalar, SpecError};

use super::NormalEntry;
use super::plastic::{self, Plastic, yield_pressure};
use super::round::{OVAL, Round, given_round};
use crate::entry::{Reference, check_value, needed};
use crate::error::LawError;
use crate::history::{History, PhaseEnd, PhaseEnds};
use crate::law::{Normal, NormalForce, NormalFormula, NormalLaw};
use crate::power;
use crate::stiffness::Stiffness;
use crate::touch::{Indentation, Touch};

/// Elastic up to a limiting pressure, perfectly plastic beyond (Thornton 1997).
///
/// ```
/// use carom_law::normal::Thornton;
/// use carom_law::{Indentation, Normal, Touch};
/// let law = Thornton::yield_pressure(1e9)?.stiffness(1e10).radius(0.01);
/// let touch = Touch::point(1e10, 1.0, 0.01);
/// assert!((law.yield_speed(&touch) - 0.17955).abs() < 1e-5); // [m/s]
/// let f = |delta| law.force(Indentation { delta, delta_dot: 1.0 }, &touch);
/// assert!((f(1e-6).f_n - 10.0).abs() < 1e-9 && f(1e-6).f_n == f(1e-6).f_elastic);
/// assert!(f(1e-4).f_n < 0.33 * 1e10 * 1e-6 && f(1e-4).f_elastic < 0.4 * f(1e-4).f_n);
/// # Ok::<(), carom_law::LawError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thornton {
    pressure: f64,
    round: Round,
}

const NAME: &str = "thornton";

const PRESSURE: Param =
    yield_pressure("limiting contact pressure p_y, about 1.6 to 3 times the yield stress");

impl Thornton {
    /// p_y \[Pa\] > 0, refuses another; stiffness and radius from materials and curvatures.
    pub fn yield_pressure(p: f64) -> Result<Thornton, LawError> {
        check_value(NAME, &PRESSURE, p)?;
        Ok(Thornton { pressure: p, round: Round::default() })
    }

    fn build(args: &Args) -> Result<Arc<dyn Normal>, SpecError> {
        let law = Thornton { pressure: needed(args, NAME, &PRESSURE)?, round: Round::from_args(args) };
        law.round.check(NAME)?;
        Ok(Arc::new(law))
    }

    /// The slope π p_y R [N/m] of the loading curve beyond δ_y.
    fn slope(&self, touch: &Touch) -> f64 {
        PI * self.pressure * self.round.area_radius(touch)
    }

    /// The impact speed v_y [m/s] at which yield begins.
    pub fn yield_speed(&self, touch: &Touch) -> f64 {
        let delta = self.yield_point(touch);
        (0.8 * touch.stiffness * pow(delta, 2.5) / touch.mass).sqrt()
    }

    /// The coefficient of restitution of a free impact at the speed v₀ [m/s] (Thornton 1997, Eq 24).
    ///
    /// ```
    /// use carom_law::{Touch, normal::Thornton};
    /// let law = Thornton::yield_pressure(1e9)?.stiffness(1e10).radius(0.01);
    /// let touch = Touch::point(1e10, 1.0, 0.01);
    /// let v_y = law.yield_speed(&touch);
    /// assert_eq!(law.restitution(0.5 * v_y, &touch), 1.0);
    /// assert!((law.restitution(1e6 * v_y, &touch) / (1.185 * 1e6f64.powf(-0.25)) - 1.0).abs() < 1e-3);
    /// # Ok::<(), carom_law::LawError>(())
    /// ```
    pub fn restitution(&self, v0: f64, touch: &Touch) -> f64 {
        let x = self.yield_speed(touch) / v0;
        if x >= 1.0 {
            return 1.0;
        }
        let root = (1.2 - 0.2 * x * x).sqrt();
        (1.2 * 3f64.sqrt() * (1.0 - x * x / 6.0) * (x / (x + 2.0 * root)).sqrt()).sqrt()
    }

    /// F_max/(K δ_max^{3/2}): what is left of the elastic force.
    fn yielded(&self, touch: &Touch) -> f64 {
        let deepest = touch.history.deepest;
        let y = self.yield_point(touch);
        if deepest <= y {
            1.0
        } else {
            self.slope(touch) * (deepest - y / 3.0) / (touch.stiffness * pow(deepest, 1.5))
        }
    }
}

impl Plastic for Thornton {
    fn loading<S: Scalar>(&self, delta: S, touch: &Touch) -> NormalForce<S> {
        let (number, k, y) = (S::from_f64, touch.stiffness, self.yield_point(touch));
        let root = delta.sqrt();
        if delta.value() <= y {
            let f = number(k) * delta * root;
            return NormalForce { f_n: f, f_elastic: f };
        }
        let slope = number(self.slope(touch));
        let f = slope * (delta - number(y / 3.0));
        // d/dδ of (2/5) F²/(K √δ)
        let f_elastic = number(0.4 / k) * f / root * (number(2.0) * slope - number(0.5) * f / delta);
        NormalForce { f_n: f, f_elastic }
    }

    fn recoverable(&self, delta: f64, touch: &Touch) -> f64 {
        let f = self.loading(delta, touch).f_n;
        0.4 * f * f / (touch.stiffness * delta.sqrt())
    }

    fn unloading<S: Scalar>(&self, delta: S, touch: &Touch) -> S {
        let k_p = touch.stiffness / self.yielded(touch).sqrt();
        let pressed = delta - S::from_f64(self.dent(touch));
        S::from_f64(k_p) * pressed * pressed.sqrt()
    }

    // of Hertz's circle: R K δ_max^{3/2}/F_max is such that the dent has the same at δ_max
    fn rigidity_loading<S: Scalar>(&self, delta: S, touch: &Touch) -> S {
        power::slope(delta, 1.5, touch.stiffness)
    }

    fn rigidity_unloading<S: Scalar>(&self, delta: S, touch: &Touch) -> S {
        let k_p = touch.stiffness / self.yielded(touch).sqrt();
        power::slope(delta - S::from_f64(self.dent(touch)), 1.5, k_p)
    }

    fn stored(&self, delta: f64, touch: &Touch) -> f64 {
        0.4 * self.unloading(delta, touch) * (delta - self.dent(touch))
    }

    fn dent(&self, touch: &Touch) -> f64 {
        touch.history.deepest * (1.0 - self.yielded(touch))
    }

    fn yield_point(&self, touch: &Touch) -> f64 {
        let root = 2.0 / 3.0 * self.slope(touch) / touch.stiffness;
        root * root
    }
}

given_round!(Thornton);
plastic::yielding_law!(Thornton);

pub(super) const ENTRY: NormalEntry = NormalEntry {
    entry: Entry {
        name: NAME,
        summary: "elastic, then perfectly plastic: the restitution falls with speed",
        params: &[PRESSURE, OVAL[0], OVAL[1]],
        build: Thornton::build,
    },
    formula: "F = K δ^(3/2) to δ_y = (2π p_y R/(3K))², then π p_y R (δ − δ_y/3); unloading from δ_max: F = K_p (δ − δ_p)^(3/2), K_p = K √(K δ_max^(3/2)/F_max)",
    range: "metals; e = 1 below the impact speed v_y at which yield begins, 1.185 (v_y/v₀)^(1/4) far above it",
    exit: EXIT_DENT,
    reference: Reference {
        source: "C. Thornton, ASME J. Appl. Mech. 64 (1997) 383-386",
        checked: "from general knowledge, formula not compared with the original; derived again, and its e(v₀) is met",
    },
    eta: None,
};

/// How a contact with plastic deformation ends.
pub(super) const EXIT_DENT: &str = "F = 0 at the depth δ_p of the dent, from where on it is held at zero until δ = 0; a contact that ends forgets its dent";
