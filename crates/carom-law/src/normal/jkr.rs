//! Johnson, Kendall and Roberts: soft bodies that hold each other by the energy of their contact area.
//!
//! F = (4 E*/(3R)) a³ − √(8π w E* a³),  δ = a²/R − √(2π w a/E*)
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | F | N | normal force, below zero where it holds |
//! | δ | m | indentation; the surfaces hold each other down to δ = −δ_c |
//! | a | m | radius of the contact area |
//! | K = (4/3) E* √R | N/m^{3/2} | stiffness of Hertz |
//! | R | m | relative radius: given, or 1/√(k_min k_max) of the relative curvatures at first touch |
//! | E* | Pa | contact modulus |
//! | w | J/m² | work of adhesion per area |
//! | a_c = (π w R²/(8E*))^{1/3} | m | radius of the area at which the contact ends |
//! | d = a_c²/R, δ_c = 3d | m | scale of the indentation; gap at which the contact ends |
//!
//! With a = a_c z², δ = d (z⁴ − 4z) and F = π w R (z⁶/6 − z³), z ≥ 1 on the stable branch. The force is least at z³ = 3: it takes (3/2) π w R to pull the surfaces apart. Pulled
//! apart by a given distance they hold on until δ = −δ_c, z = 1, where the force is −(5/6) π w R, and jump apart. Surfaces that approach touch at δ = 0 and jump to the area z = 4^{1/3} that
//! they would have there, with the force −(4/3) π w R.
//!
//! The contact stores U = π w R d (z¹⁰/15 − (2/3) z⁷ + z⁴), elastic energy less w π a²; F = dU/dδ. The jumps lose what is stored before and not after: 0.6 · 4^{4/3} π w R d at touch, 0.4 π w R d at
//! release, together 7.09 (w⁵ R⁴/E*²)^{1/3} whatever the impact. So a free impact at v₀ rebounds with e = √(1 − v_s²/v₀²), ½ m v_s² being that loss, and a slower one sticks (Thornton and Ning 1998).
//!
//! Source: K. L. Johnson, K. Kendall, A. D. Roberts, Surface energy and the contact of elastic solids, *Proc. R. Soc. Lond. A* 324 (1971) 301–313; the loss: C. Thornton, Z. Ning, A theoretical model for
//! the stick/bounce behaviour of adhesive, elastic-plastic spheres, *Powder Technol.* 99 (1998) 154–162.
//! Valid: soft bodies with strong adhesion of short range: Tabor's parameter (R w²/(E*² z₀³))^{1/3} ≳ 5, z₀ being the distance of atoms; small, hard bodies are for `dmt`.
//! **Where the curvatures differ** the contact is the ellipse of the least energy ([`oval`](super::oval)): with R = 1/√(k_min k_max) it takes 1.487, 1.427 and 1.333 π w R to pull the surfaces apart where k_max/k_min is 2.9, 16 and
//! 144. Given a `radius` or a `stiffness`, or beyond a ratio of 10⁴, the contact counts as a circle.
//! Exit: δ = −δ_c, where the surfaces jump apart.
//! From general knowledge, formula not compared with the original; derived again (F = dU/dδ, the extrema), and the loss is the published 7.09.

use std::f64::consts::PI;
use std::sync::Arc;

use carom_base::elementary::{cbrt, powi};
use carom_base::{Args, Entry, Jet, Scalar, SpecError};

use super::NormalEntry;
use super::dmt::ADHESION_ENERGY;
use super::oval::{Ends, Oval};
use super::round::{ROUND, Round, given_round};
use crate::entry::{Reference, check_value, needed};
use crate::error::LawError;
use crate::law::{Normal, NormalForce, NormalFormula, NormalLaw, Still};
use crate::power;
use crate::stiffness::Stiffness;
use crate::touch::{Indentation, Touch};

/// Soft bodies that hold each other by the energy of their contact area (Johnson, Kendall and Roberts 1971).
///
/// ```
/// use carom_law::normal::Jkr;
/// use carom_law::{Indentation, Normal, NormalLaw, Touch};
/// let law = Jkr::adhesion_energy(0.05)?.stiffness(1e6).radius(0.001);
/// let touch = Touch::point(1e6, 0.1, 1e-5);
/// let touch = Touch { floor: -law.holds_to(&touch), ..touch };
/// let f = |delta| law.force(Indentation { delta, delta_dot: 0.0 }, &touch).f_n;
/// let pull = 0.05 * 0.001 * std::f64::consts::PI; // π w R
/// assert!((f(0.0) + 4.0 / 3.0 * pull).abs() < 1e-14 && (law.pull_off(&touch) - 1.5 * pull).abs() < 1e-18);
/// assert!((f(-0.9999999999 * law.holds_to(&touch)) + 5.0 / 6.0 * pull).abs() < 1e-4 * pull);
/// # Ok::<(), carom_law::LawError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jkr {
    w: f64,
    round: Round,
}

const NAME: &str = "jkr";

impl Jkr {
    /// w [J/m²] ≥ 0, refuses another; stiffness and radius from materials and curvatures.
    pub fn adhesion_energy(w: f64) -> Result<Jkr, LawError> {
        check_value(NAME, &ADHESION_ENERGY, w)?;
        Ok(Jkr { w, round: Round::default() })
    }

    fn build(args: &Args) -> Result<Arc<dyn Normal>, SpecError> {
        let law = Jkr { w: needed(args, NAME, &ADHESION_ENERGY)?, round: Round::from_args(args) };
        law.round.check(NAME)?;
        Ok(Arc::new(law))
    }

    /// π w R \[N\], and d = a_c²/R \[m\].
    fn scales(&self, touch: &Touch) -> (f64, f64) {
        let r = self.round.radius(touch);
        let pull = PI * self.w * r;
        // a_c³ = π w R²/(8E*), E* = 3K/(4√R)
        let a_c = cbrt(pull * r * r.sqrt() / (6.0 * touch.stiffness));
        (pull, a_c * a_c / r)
    }

    /// The ellipse in which the surfaces adhere, the ends of its curve of equilibria and d \[m\], if the curvatures differ; then K = κ E* √R.
    fn oval(&self, touch: &Touch) -> Option<(Oval, Ends, f64)> {
        let given = self.round.stiffness.is_some() || self.round.radius.is_some();
        if given || self.w == 0.0 || !(touch.slender > 1.0 + ROUND_ENOUGH && touch.slender <= MOST_SLENDER) {
            return None;
        }
        let shape = touch.slender.sqrt();
        let (oval, r) = (Oval(shape), touch.radius);
        let kappa = oval.kappa();
        // L³ = π w R²/(8E*)
        let length = cbrt(PI * self.w * r * r * r.sqrt() * kappa / (8.0 * touch.stiffness));
        let ends = Ends::latched(touch.own).unwrap_or_else(|| oval.ends());
        Some((oval, ends, length * length / r))
    }

    /// The energy that a touch and a release lose together \[J\]: slower impacts stick.
    ///
    /// ```
    /// use carom_law::{Touch, normal::Jkr};
    /// let (w, r, e_star) = (0.05f64, 0.001f64, 3e6);
    /// let k = 4.0 / 3.0 * e_star * r.sqrt();
    /// let law = Jkr::adhesion_energy(w)?.stiffness(k).radius(r);
    /// let published = 7.09 * (w.powi(5) * r.powi(4) / (e_star * e_star)).cbrt(); // Thornton and Ning 1998
    /// assert!((law.loss(&Touch::point(k, 0.1, 1e-5)) / published - 1.0).abs() < 1e-3);
    /// # Ok::<(), carom_law::LawError>(())
    /// ```
    pub fn loss(&self, touch: &Touch) -> f64 {
        let (pull, d) = self.scales(touch);
        match self.oval(touch) {
            Some((oval, ends, d)) => {
                let energy = |delta: f64| oval.at(delta, &ends).0.energy;
                pull * d * (energy(ends.last[2]) - energy(0.0))
            }
            None => pull * d * (0.6 * 4.0 * cbrt(4.0) + 0.4),
        }
    }
}

/// z ≥ 1 with z⁴ − 4z = x, x ≥ −3.
pub(super) fn area(x: f64) -> f64 {
    if x <= -3.0 {
        return 1.0;
    }
    let mut z = if x < 0.0 {
        // in closed form (Ferrari): near x = −3, where two roots meet, Newton's method would be slow
        let root = (1.0 + powi(x / 3.0, 3)).max(0.0).sqrt();
        let y = cbrt(1.0 + root) + cbrt(1.0 - root);
        (0.5 * y).sqrt() + ((2.0 / y).sqrt() - 0.5 * y).max(0.0).sqrt()
    } else {
        // above the root
        x.sqrt().sqrt() + cbrt(4.0)
    };
    // Newton's method, from above or from nearly there: the function is convex
    for _ in 0..60 {
        let slope = 4.0 * (powi(z, 3) - 1.0);
        let next = if slope > 0.0 { (z - (powi(z, 4) - 4.0 * z - x) / slope).max(1.0) } else { z };
        let done = (next - z).abs() <= 4.0 * f64::EPSILON * z || x < -2.999;
        z = next;
        if done {
            break;
        }
    }
    z
}

given_round!(Jkr);

impl NormalLaw for Jkr {
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
        let (pull, d) = self.scales(touch);
        if pull == 0.0 {
            return self.round.power().energy(delta, touch);
        }
        if let Some((oval, ends, d)) = self.oval(touch) {
            return pull * d * oval.at(delta / d, &ends).0.energy;
        }
        let z = area(delta / d);
        let z_3 = powi(z, 3);
        pull * d * z * z_3 * (z_3 * z_3 / 15.0 - 2.0 / 3.0 * z_3 + 1.0)
    }
    fn pull_off(&self, touch: &Touch) -> f64 {
        self.scales(touch).0 * self.oval(touch).map_or(1.5, |(_, ends, _)| ends.tension)
    }
    fn holds_to(&self, touch: &Touch) -> f64 {
        self.oval(touch).map_or_else(|| 3.0 * self.scales(touch).1, |(_, ends, d)| -d * ends.last[2])
    }
    fn latch(&self, touch: &Touch) -> [f64; 4] {
        let known = Touch { own: [0.0; 4], ..*touch };
        self.oval(&known).map_or([0.0; 4], |(_, ends, _)| ends.numbers())
    }
    fn check(&self) -> Result<(), LawError> {
        check_value(NAME, &ADHESION_ENERGY, self.w)?;
        Ok(self.round.check(NAME)?)
    }
}

impl NormalFormula for Jkr {
    #[inline]
    fn force<S: Scalar>(&self, c: Indentation<S>, touch: &Touch) -> NormalForce<S> {
        let (number, zero) = (S::from_f64, S::from_f64(0.0));
        if c.delta.value() <= touch.floor {
            return NormalForce { f_n: zero, f_elastic: zero };
        }
        let (pull, d) = self.scales(touch);
        let f = if pull == 0.0 {
            self.round.power().elastic(c.delta, number(touch.stiffness))
        } else if let Some((oval, ends, d)) = self.oval(touch) {
            let (state, slope) = oval.at(c.delta.value() / d, &ends);
            number(pull * state.force) + (c.delta - c.delta.constant()) * number(pull / d * slope)
        } else {
            let x = c.delta * number(1.0 / d);
            let z = area(x.value());
            // one step of Newton's method more: it changes the value by rounding alone, and gives it the derivative dz/dx = 1/(4z³ − 4)
            let slope = (4.0 * (powi(z, 3) - 1.0)).max(STEEPEST);
            let z = number(z) + (x - x.constant()) * number(1.0 / slope);
            let z_3 = z * z * z;
            number(pull) * z_3 * (z_3 * number(1.0 / 6.0) - number(1.0))
        };
        NormalForce { f_n: f, f_elastic: f }
    }

    /// 2E*a = (3/2) K a/√R, a = a_c z².
    fn still(&self, delta: f64, touch: &Touch) -> Still {
        let number = <Jet as Scalar>::from_f64;
        let ((pull, d), r) = (self.scales(touch), self.round.radius(touch));
        if delta <= touch.floor || pull == 0.0 {
            let delta = Jet::time(delta.max(0.0));
            let force = self.round.power().elastic(delta, number(touch.stiffness));
            return Still { force, rigidity: power::slope(delta, 1.5, touch.stiffness) };
        }
        if let Some((oval, ends, d)) = self.oval(touch) {
            let state = oval.along(delta / d, &ends);
            let by_delta = |unit: f64, x: Jet| Jet {
                value: unit * x.value,
                rate: unit / d * x.rate,
                second: unit / (d * d) * x.second,
            };
            // E* L = K L/(κ √R), L = √(R d)
            let modulus = touch.stiffness * d.sqrt() / oval.kappa();
            return Still {
                force: by_delta(pull, state.force),
                rigidity: by_delta(modulus, state.stiffness),
            };
        }
        let z = area(delta / d);
        let slope = (4.0 * (powi(z, 3) - 1.0)).max(STEEPEST);
        let rate = 1.0 / (slope * d);
        let z = Jet { value: z, rate, second: -12.0 * z * z * rate * rate / slope };
        let z_3 = z * z * z;
        Still {
            force: number(pull) * z_3 * (z_3 * number(1.0 / 6.0) - number(1.0)),
            rigidity: number(1.5 * touch.stiffness * (d * r).sqrt() / r.sqrt()) * z * z,
        }
    }
}

/// Ratios of curvatures closer to 1 than this are those of a circle.
const ROUND_ENOUGH: f64 = 1e-6;
/// An ellipse of more than this ratio of curvatures counts as a circle: its ends would take too long.
const MOST_SLENDER: f64 = 1e4;
/// dx/dz below this counts as this: where the contact ends the force has a vertical tangent, and no method has use for an infinite slope.
const STEEPEST: f64 = 1e-6;

pub(super) const ENTRY: NormalEntry = NormalEntry {
    entry: Entry {
        name: NAME,
        summary: "adhesion of soft bodies: they jump into contact, and jump apart",
        params: &[ADHESION_ENERGY, ROUND[0], ROUND[1]],
        build: Jkr::build,
    },
    formula: "F = 4E* a³/(3R) − √(8π w E* a³), δ = a²/R − √(2π w a/E*), a the radius of the contact area",
    range: "soft bodies with strong adhesion (Tabor's parameter ≳ 5); e = √(1 − v_s²/v₀²), and impacts slower than v_s stick",
    exit: "δ = −δ_c = −(3/4)(π² w² R/E*²)^(1/3), where the surfaces jump apart; they touch at δ = 0",
    reference: Reference {
        source: "K. L. Johnson, K. Kendall, A. D. Roberts, Proc. R. Soc. Lond. A 324 (1971) 301-313",
        checked: "from general knowledge, formula not compared with the original; derived again, and the loss is the published one",
    },
    eta: None,
};

#[cfg(test)]
mod tests {
    use super::area;

    #[test]
    fn the_area_is_the_root_on_the_stable_branch() {
        for i in 0..=4000 {
            // from the end of the contact to far beyond any adhesion
            let z = 1.0 + 10f64.powf(-7.0 + 12.0 * f64::from(i) / 4000.0);
            let x = z.powi(4) - 4.0 * z;
            let found = area(x);
            // an error of x by rounding is one of z by ε x/(4z³ − 4)
            let rounding = 8.0 * f64::EPSILON * (x.abs() + 4.0 * z) / (4.0 * (z.powi(3) - 1.0));
            assert!((found - z).abs() <= rounding.max(4.0 * f64::EPSILON * z), "{z:e}: {found:e}");
        }
        assert_eq!(area(-3.0), 1.0);
        assert!((area(0.0) - 4f64.cbrt()).abs() < 1e-15);
    }
}
