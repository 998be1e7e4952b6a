//! Stronge: elastic up to a mean pressure, then fully plastic at that pressure, with a dent whose contact is as wide as the plastic one.
//!
//! Loading: F = K δ^{3/2} for δ ≤ δ_Y, F = F_Y x beyond, x = 2δ/δ_Y − 1. Unloading from δ_max, and loading again: F = F_max ((δ − δ_p)/δ_r)^{3/2}, δ_p = δ_max − δ_r.
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | normal force |
//! | K = (4/3) E* √R | N/m^{3/2} | stiffness of Hertz |
//! | R | m | relative radius: given, or ab/δ of the ellipse of contact, with semi-axes a and b, from the relative curvatures at first touch |
//! | p_Y | Pa | mean pressure at which the surfaces yield, about 1.1 times the yield stress |
//! | δ, δ_max | m | indentation, and the largest one of this contact |
//! | δ_Y = (π p_Y R/K)², F_Y = K δ_Y^{3/2} | m, N | where the mean pressure of Hertz's contact reaches p_Y |
//! | x = (a/a_Y)² | 1 | contact area as a multiple of that at δ_Y: a² = R (2δ − δ_Y), as a dent whose rim is not drawn in has it |
//! | δ_r = δ_Y min(√x, (5x² + 3)/(8x)) at δ_max | m | what springs back |
//! | v_Y | m/s | impact speed at which yield begins: ½ m v_Y² = (2/5) K δ_Y^{5/2} |
//!
//! A contact of radius a under F_max springs back as Hertz's does, by δ_r = F_max/((4/3) E* a) = δ_Y √x, in a dent of the radius R x^{1/2}, and gives back (2/5) F_max δ_r. **Where it begins to yield that would be more than
//! was put in**: the area grows twice as fast with δ as that of an elastic contact, what could be given back by (3/5) F_Y δ_Y √x dx, what is put in by ½ F_Y δ_Y x dx only. So up to x = 1.858, where the two are
//! equal, the contact here gives back what it was given, (2/5) F_max δ_r = F_Y δ_Y (2/5 + (x² − 1)/4), and springs back the less for it: the force is continuous, and no impact leaves faster than it came. A free
//! impact at v₀ rebounds with e = 1 up to 1.591 v_Y, and beyond with
//!
//!   e² = (8/5) x^{3/2}/(x² + 3/5),  x² = (8/5)(v₀/v_Y)² − 3/5,
//!
//! which falls as 1.193 (v_Y/v₀)^{1/4} in fast impacts.
//!
//! Source: W. J. Stronge, *Impact Mechanics*, Cambridge University Press (2000), chapter 6, without the rise of the mean pressure from 1.1 to 2.8 yield stresses between first yield and full plasticity.
//! Changed: δ_r below x = 1.858, as said.
//! Valid: metals in impacts fast enough to yield and slow against the waves in the bodies; small strain. Where the curvatures differ, the contact is an ellipse: K is its stiffness and πRδ its area, so that the mean pressure is right, and all else follows as for a circle, which pressures stretched along one axis are.
//! Exit: F = 0 at δ_p, from where on it is held at zero until δ = 0; a contact that ends forgets, and the next impact meets a sphere without a dent.
//! From general knowledge, formula not compared with the original; derived again, and the e(v₀) above is met by the law to rounding.

use std::f64::consts::PI;
use std::sync::Arc;

use carom_base::elementary::pow;
use carom_base::{Args, Entry, Param, Scalar, SpecError};

use super::NormalEntry;
use super::plastic::{self, Plastic, yield_pressure};
use super::round::{OVAL, Round, given_round};
use super::thornton::EXIT_DENT;
use crate::entry::{Reference, check_value, needed};
use crate::error::LawError;
use crate::history::{History, PhaseEnd, PhaseEnds};
use crate::law::{Normal, NormalForce, NormalFormula, NormalLaw};
use crate::power;
use crate::stiffness::Stiffness;
use crate::touch::{Indentation, Touch};

/// Elastic, then fully plastic at a mean pressure (Stronge 2000).
///
/// ```
/// use carom_law::normal::Stronge;
/// use carom_law::{History, Indentation, Normal, Phase, Touch};
/// let law = Stronge::yield_pressure(1e9)?.stiffness(1e10).radius(0.01);
/// let touch = Touch { history: History::new(Phase::Yielding, 1e-4), ..Touch::point(1e10, 1.0, 0.01) };
/// let f = |delta| law.force(Indentation { delta, delta_dot: 1.0 }, &touch);
/// assert!((f(1e-6).f_n - 10.0).abs() < 1e-9 && f(1e-6).f_n == f(1e-6).f_elastic);
/// assert!(f(1e-4).f_n < 0.7 * 1e10 * 1e-6 && f(1e-4).f_elastic < 0.5 * f(1e-4).f_n);
/// # Ok::<(), carom_law::LawError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stronge {
    pressure: f64,
    round: Round,
}

const NAME: &str = "stronge";

const PRESSURE: Param =
    yield_pressure("mean contact pressure p_Y at which the surfaces yield, about 1.1 times the yield stress");

/// x at which Stronge's dent would give back what was put in: the root of (8/5) x^{3/2} = x² + 3/5 above 1.
const EVEN: f64 = 1.85803217592920138310;

impl Stronge {
    /// p_Y \[Pa\] > 0, refuses another; stiffness and radius from materials and curvatures.
    pub fn yield_pressure(p: f64) -> Result<Stronge, LawError> {
        check_value(NAME, &PRESSURE, p)?;
        Ok(Stronge { pressure: p, round: Round::default() })
    }

    fn build(args: &Args) -> Result<Arc<dyn Normal>, SpecError> {
        let law = Stronge { pressure: needed(args, NAME, &PRESSURE)?, round: Round::from_args(args) };
        law.round.check(NAME)?;
        Ok(Arc::new(law))
    }

    /// F_Y \[N\].
    fn yield_force(&self, touch: &Touch) -> f64 {
        touch.stiffness * pow(self.yield_point(touch), 1.5)
    }

    /// The impact speed v_Y [m/s] at which yield begins.
    pub fn yield_speed(&self, touch: &Touch) -> f64 {
        (0.8 * self.yield_force(touch) * self.yield_point(touch) / touch.mass).sqrt()
    }

    /// The coefficient of restitution of a free impact at the speed v₀ [m/s].
    ///
    /// ```
    /// use carom_law::{Touch, normal::Stronge};
    /// let law = Stronge::yield_pressure(1e9)?.stiffness(1e10).radius(0.01);
    /// let touch = Touch::point(1e10, 1.0, 0.01);
    /// let v_y = law.yield_speed(&touch);
    /// assert_eq!(law.restitution(1.5 * v_y, &touch), 1.0);
    /// assert!((law.restitution(1e6 * v_y, &touch) / (1.6f64.powf(0.375) * 1e6f64.powf(-0.25)) - 1.0).abs() < 1e-6);
    /// # Ok::<(), carom_law::LawError>(())
    /// ```
    pub fn restitution(&self, v0: f64, touch: &Touch) -> f64 {
        let ratio = v0 / self.yield_speed(touch);
        let x = (1.6 * ratio * ratio - 0.6).max(0.0).sqrt();
        if x <= EVEN { 1.0 } else { (1.6 * pow(x, 1.5) / (x * x + 0.6)).sqrt() }
    }

    /// F and δ_r at the largest indentation \[N, m\].
    fn peak(&self, touch: &Touch) -> [f64; 2] {
        let (deepest, y) = (touch.history.deepest, self.yield_point(touch));
        if deepest <= y {
            return [touch.stiffness * pow(deepest, 1.5), deepest];
        }
        let x = 2.0 * deepest / y - 1.0;
        let back = if x < EVEN { (5.0 * x * x + 3.0) / (8.0 * x) } else { x.sqrt() };
        [self.yield_force(touch) * x, y * back]
    }
}

impl Plastic for Stronge {
    fn loading<S: Scalar>(&self, delta: S, touch: &Touch) -> NormalForce<S> {
        let (number, y) = (S::from_f64, self.yield_point(touch));
        if delta.value() <= y {
            let f = number(touch.stiffness) * delta * delta.sqrt();
            return NormalForce { f_n: f, f_elastic: f };
        }
        let x = delta * number(2.0 / y) - number(1.0);
        let f_y = number(self.yield_force(touch));
        let f_n = f_y * x;
        // d/dδ of what has been put in, or of (2/5) F_Y δ_Y x^{3/2}: by the phase, so that a step that ends at the corner sees one of them
        let even = touch.history.deepest < self.corner(touch);
        NormalForce { f_n, f_elastic: if even { f_n } else { number(1.2) * f_y * x.sqrt() } }
    }

    fn recoverable(&self, delta: f64, touch: &Touch) -> f64 {
        let y = self.yield_point(touch);
        if delta <= y {
            return 0.4 * touch.stiffness * pow(delta, 2.5);
        }
        let x = 2.0 * delta / y - 1.0;
        let even = touch.history.deepest < self.corner(touch);
        self.yield_force(touch) * y * if even { 0.15 + 0.25 * x * x } else { 0.4 * pow(x, 1.5) }
    }

    fn unloading<S: Scalar>(&self, delta: S, touch: &Touch) -> S {
        let [force, back] = self.peak(touch);
        let pressed = (delta - S::from_f64(touch.history.deepest - back)) * S::from_f64(1.0 / back);
        S::from_f64(force) * pressed * pressed.sqrt()
    }

    fn rigidity_loading<S: Scalar>(&self, delta: S, touch: &Touch) -> S {
        let (number, y) = (S::from_f64, self.yield_point(touch));
        if delta.value() <= y {
            return power::slope(delta, 1.5, touch.stiffness);
        }
        // (3/2) F/δ_r
        let x = delta * number(2.0 / y) - number(1.0);
        let slope = number(1.5 * self.yield_force(touch) / y);
        match touch.history.deepest < self.corner(touch) {
            true => slope * x * x * number(8.0) / (x * x * number(5.0) + number(3.0)),
            false => slope * x.sqrt(),
        }
    }

    fn rigidity_unloading<S: Scalar>(&self, delta: S, touch: &Touch) -> S {
        let [force, back] = self.peak(touch);
        let pressed = (delta - S::from_f64(touch.history.deepest - back)) * S::from_f64(1.0 / back);
        S::from_f64(1.5 * force / back) * pressed.sqrt()
    }

    fn stored(&self, delta: f64, touch: &Touch) -> f64 {
        0.4 * self.unloading(delta, touch) * (delta - self.dent(touch))
    }

    fn dent(&self, touch: &Touch) -> f64 {
        touch.history.deepest - self.peak(touch)[1]
    }

    fn yield_point(&self, touch: &Touch) -> f64 {
        let root = PI * self.pressure * self.round.area_radius(touch) / touch.stiffness;
        root * root
    }

    fn corner(&self, touch: &Touch) -> f64 {
        0.5 * (EVEN + 1.0) * self.yield_point(touch)
    }
}

given_round!(Stronge);
plastic::yielding_law!(Stronge);

pub(super) const ENTRY: NormalEntry = NormalEntry {
    entry: Entry {
        name: NAME,
        summary: "elastic, then fully plastic with a wide dent: the restitution falls with speed",
        params: &[PRESSURE, OVAL[0], OVAL[1]],
        build: Stronge::build,
    },
    formula: "F = K δ^(3/2) to δ_Y = (π p_Y R/K)², then F_Y (2δ/δ_Y − 1); unloading from δ_max: F_max ((δ − δ_p)/δ_r)^(3/2), δ_r = δ_Y √(2δ_max/δ_Y − 1), less where that would give energy",
    range: "metals; e = 1 up to the impact speed 1.59 v_Y, 1.193 (v_Y/v₀)^(1/4) far above it, v_Y where yield begins",
    exit: EXIT_DENT,
    reference: Reference {
        source: "W. J. Stronge, Impact Mechanics, Cambridge University Press (2000), chapter 6",
        checked: "from general knowledge, formula not compared with the original; derived again, and its e(v₀) is met",
    },
    eta: None,
};
