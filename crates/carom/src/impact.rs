//! Integrates the standard impact under any normal law.
//!
//! A mass m meets a fixed surface at the speed v₀ under no other force: m δ̈ = −F(δ, δ̇), δ(0) = 0, δ̇(0) = v₀, until the law
//! ends the contact. [`crate::law::impact`] has closed forms for one family of laws; this module serves all laws, and gives
//! the trajectory from touch to release and the durations.
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | m, v₀ | kg, m/s | mass and impact speed, of the [`Touch`] |
//! | K, n | N/mⁿ, 1 | stiffness of the [`Touch`], exponent of the law |
//! | δ* = (m v₀²/K)^{1/(n+1)} | m | length scale in which all impacts of a power law are similar; F* = m v₀²/δ*, t* = δ*/v₀ |
//! | e | 1 | effective coefficient of restitution: rebound speed over v₀ |
//!
//! The equation is integrated in units of δ* and v₀ with `dop853` at rtol 1e-12; the deepest point, the peak of the force and
//! the end of the contact are located. The results are checked against the closed forms and an independent table of all laws.

use carom_base::Dual;
use carom_base::elementary::pow;
use carom_law::{Indentation, Normal, Touch};
use carom_ode::{Event, Ivp, IvpError, Reason, Solution, Unfinished};

const RTOL: f64 = 1e-12;
/// Absolute tolerance in units of δ* and v₀: it bounds the error of the end of the contact, where the indentation is zero.
const ATOL: f64 = 1e-14;
/// Upper bound on the duration of an impact in units of t*: under a damping factor η an impact lasts about η at most.
const FOR_EVER: f64 = 1e7;

/// The reasons why an [`Impact`] cannot be computed.
#[derive(Debug, thiserror::Error)]
pub enum ImpactError {
    /// a mass, speed or stiffness that is not a positive finite number
    #[error("an impact needs a mass, a speed and a stiffness above zero, not {} kg, {} m/s and {} N/m^n", .0.mass, .0.v0, .0.stiffness)]
    NoImpact(Touch),
    /// the law never ends the contact
    #[error("{law}: the bodies do not part")]
    NoEnd {
        /// name of the law
        law: &'static str,
    },
    /// the integration failed
    #[error("{law}: {source}")]
    Integration {
        /// name of the law
        law: &'static str,
        /// the reason
        source: Box<Unfinished>,
    },
}

/// The state at one instant of an impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Instant {
    /// time since touch [s]
    pub t: f64,
    /// indentation [m]
    pub delta: f64,
    /// rate of the indentation [m/s]
    pub delta_dot: f64,
    /// normal force [N]
    pub f_n: f64,
}

/// The result of the standard impact.
///
/// ```
/// use carom::impact::Impact;
/// use carom::law::{Touch, normal::Flores};
/// let touch = Touch::point(1e8, 0.5, 1.0);
/// let law = Flores::restitution(0.7)?;
/// let impact = Impact::of(&law, &touch)?;
/// let exact = carom::law::impact::effective_restitution(1.6 * 0.3 / 0.7);
/// assert!((impact.restitution - exact).abs() < 1e-11);
/// assert_eq!(impact.path(&law, 100)?.len(), 100);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Impact {
    /// effective coefficient of restitution e
    pub restitution: f64,
    /// time from touch to the end of the contact [s]
    pub duration: f64,
    /// time from touch to the deepest indentation [s]
    pub compression: f64,
    /// largest force [N]
    pub peak_force: f64,
    /// largest indentation [m]
    pub max_indentation: f64,
    /// energy lost [J]: ½ m v₀² (1 − e²)
    pub dissipated: f64,
    scaled: Scaled,
    solution: Solution,
}

impl Impact {
    /// Computes the impact of the mass `touch.mass` at the speed `touch.v0` under a law with the stiffness `touch.stiffness`.
    pub fn of(law: &dyn Normal, touch: &Touch) -> Result<Impact, ImpactError> {
        let Touch { mass, v0, stiffness, .. } = *touch;
        if [mass, v0, stiffness].iter().any(|x| !(*x > 0.0 && x.is_finite())) {
            return Err(ImpactError::NoImpact(*touch));
        }
        let scaled = Scaled { touch: *touch, length: length(law, touch) };
        let name = law.name();
        let solution = scaled
            .solve(law)
            .map_err(|source| ImpactError::Integration { law: name, source: Box::new(source) })?;
        if solution.reason != Reason::Event(END) {
            return Err(ImpactError::NoEnd { law: name });
        }
        let restitution = -solution.y_end()[1];
        let deepest = solution.events.iter().find(|e| e.event == DEEPEST);
        let (x_max, tau) = deepest.map_or((0.0, 0.0), |e| (e.y[0], e.t));
        let highest = scaled.peak(law, &solution);
        Ok(Impact {
            restitution,
            duration: solution.t_end() * scaled.length / v0,
            compression: tau * scaled.length / v0,
            peak_force: highest * scaled.force(),
            max_indentation: x_max * scaled.length,
            dissipated: 0.5 * mass * v0 * v0 * (1.0 - restitution) * (1.0 + restitution),
            scaled,
            solution,
        })
    }

    /// Returns `n` states at equal time intervals from touch to the end of the contact, both included.
    pub fn path(&self, law: &dyn Normal, n: usize) -> Result<Vec<Instant>, IvpError> {
        let (scaled, end) = (&self.scaled, self.solution.t_end());
        let (length, v0) = (scaled.length, scaled.touch.v0);
        let last = n.saturating_sub(1).max(1) as f64;
        (0..n)
            .map(|i| {
                let tau = (end * (i as f64 / last)).min(end);
                let y = self.solution.at(tau)?;
                let f_n = scaled.phi(law, y[0], y[1]) * scaled.force();
                Ok(Instant { t: tau * length / v0, delta: y[0] * length, delta_dot: y[1] * v0, f_n })
            })
            .collect()
    }
}

/// Returns the length scale δ* = (m v₀²/K)^{1/(n+1)} [m] of a law in a contact.
pub fn length(law: &dyn Normal, touch: &Touch) -> f64 {
    pow(touch.mass * touch.v0 * touch.v0 / touch.stiffness, 1.0 / (law.exponent() + 1.0))
}

/// The indices of the events.
const DEEPEST: usize = 0;
const PEAK: usize = 1;
const END: usize = 2;

/// The impact in dimensionless variables: x = δ/δ*, u = δ̇/v₀, φ = F/F*.
#[derive(Clone, Copy, Debug)]
struct Scaled {
    touch: Touch,
    length: f64,
}

impl Scaled {
    /// Returns F* = m v₀²/δ* [N].
    fn force(&self) -> f64 {
        self.touch.mass * self.touch.v0 * self.touch.v0 / self.length
    }

    /// Computes φ(x, u). At the instant of touch laws give no force, and a dashpot's force jumps to its value just after: x
    /// is therefore kept above zero.
    fn phi(&self, law: &dyn Normal, x: f64, u: f64) -> f64 {
        let delta = (x * self.length).max(f64::MIN_POSITIVE);
        law.force(Indentation { delta, delta_dot: u * self.touch.v0 }, &self.touch).f_n / self.force()
    }

    /// Returns φ while it is positive, and a negative number where a law clips its force to zero: locating the end of the
    /// contact needs a change of sign.
    fn grip(&self, law: &dyn Normal, x: f64, u: f64) -> f64 {
        let delta = (x * self.length).max(f64::MIN_POSITIVE);
        let force = law.force(Indentation { delta, delta_dot: u * self.touch.v0 }, &self.touch);
        if force.f_n > 0.0 { force.f_n / self.force() } else { -force.f_elastic / self.force() }
    }

    /// Computes dφ/dτ along the motion: φ_x u − φ_u φ.
    fn phi_rate(&self, law: &dyn Normal, x: f64, u: f64) -> f64 {
        let delta = Dual::variable((x * self.length).max(f64::MIN_POSITIVE), 0);
        let delta_dot = Dual::variable(u * self.touch.v0, 1);
        let f = law.force_dual(Indentation { delta, delta_dot }, &self.touch).f_n;
        let (phi_x, phi_u) = (f.eps[0] * self.length / self.force(), f.eps[1] * self.touch.v0 / self.force());
        phi_x * u - phi_u * f.re / self.force()
    }

    /// Integrates x' = u, u' = −φ from (0, 1) to the end of the contact: φ = 0 for a law that releases there, otherwise x =
    /// 0.
    fn solve(&self, law: &dyn Normal) -> Result<Solution, Unfinished> {
        let rates = |_: f64, y: &[f64], dy: &mut [f64]| {
            dy[0] = y[1];
            dy[1] = if y[0] < 0.0 { 0.0 } else { -self.phi(law, y[0], y[1]) };
        };
        let end = |_: f64, y: &[f64]| if law.lets_go_early() { self.grip(law, y[0], y[1]) } else { y[0] };
        Ivp::new(rates, 0.0, [0.0, 1.0])
            .method("dop853")
            .rtol(RTOL)
            .atol(ATOL)
            // a law may have a kink at u = 0
            .event(Event::new(|_, y| y[1]).falling().restart())
            .event(Event::new(|_, y| self.phi_rate(law, y[0], y[1])).falling())
            .event(Event::new(end).falling().terminal())
            .solve_to(FOR_EVER)
    }

    /// Returns the largest φ: at touch, where dφ/dτ = 0, or at the kink u = 0.
    fn peak(&self, law: &dyn Normal, solution: &Solution) -> f64 {
        let at = |e: &carom_ode::Occurrence| self.phi(law, e.y[0], e.y[1]);
        // evaluated just before the kink: a law may drop part of its force there
        let compressing = |e: &carom_ode::Occurrence| self.phi(law, e.y[0], e.y[1].max(0.0));
        let events = solution.events.iter();
        let found = events.map(|e| if e.event == PEAK { at(e) } else { compressing(e) });
        found.fold(self.phi(law, 0.0, 1.0), f64::max)
    }
}
