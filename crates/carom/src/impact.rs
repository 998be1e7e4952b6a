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
//! the end of the contact are located. A law with history changes its phase where that ends; one that adheres ends where it
//! lets go. The results are checked against the closed forms and an independent table of all laws.

use carom_base::Dual;
use carom_base::elementary::pow;
use carom_law::{History, Indentation, Normal, PhaseEnd, PhaseEnds, Touch};
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
    /// the impact from one end of a phase to the next; laws without history have one part
    parts: Vec<Part>,
}

/// A part of an impact in which the law is in one phase.
#[derive(Clone, Debug)]
struct Part {
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
        // adhesive surfaces hold each other beyond where they touch
        let held = Touch { floor: -law.holds_to(touch), ..*touch };
        let scaled = Scaled { touch: held, length: length(law, touch) };
        let name = law.name();
        let parts = scaled
            .solve(law)
            .map_err(|source| ImpactError::Integration { law: name, source: Box::new(source) })?;
        let Some(last) = parts.last().filter(|part| part.solution.reason == Reason::Event(END)) else {
            return Err(ImpactError::NoEnd { law: name });
        };
        let restitution = -last.solution.y_end()[1];
        let (mut x_max, mut tau) = (0.0, 0.0);
        for part in &parts {
            let turns = part.solution.events.iter().filter(|e| e.event == DEEPEST).map(|e| (e.y[0], e.t));
            for (x, t) in turns.chain([(part.solution.y_end()[0], part.solution.t_end())]) {
                if x > x_max {
                    (x_max, tau) = (x, t);
                }
            }
        }
        let highest = parts.iter().map(|part| part.scaled.peak(law, &part.solution)).fold(0.0, f64::max);
        Ok(Impact {
            restitution,
            duration: last.solution.t_end() * scaled.length / v0,
            compression: tau * scaled.length / v0,
            peak_force: highest * scaled.force(),
            max_indentation: x_max * scaled.length,
            dissipated: 0.5 * mass * v0 * v0 * (1.0 - restitution) * (1.0 + restitution),
            parts,
        })
    }

    /// Returns `n` states at equal time intervals from touch to the end of the contact, both included.
    pub fn path(&self, law: &dyn Normal, n: usize) -> Result<Vec<Instant>, IvpError> {
        let Some(end) = self.parts.last().map(|part| part.solution.t_end()) else { return Ok(Vec::new()) };
        let last = n.saturating_sub(1).max(1) as f64;
        (0..n)
            .map(|i| {
                let tau = (end * (i as f64 / last)).min(end);
                let at = self.parts.partition_point(|part| part.solution.t_end() < tau);
                let Part { scaled, solution } = &self.parts[at.min(self.parts.len() - 1)];
                let (length, v0) = (scaled.length, scaled.touch.v0);
                let y = solution.at(tau)?;
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
// (3: the bodies approach again before they have parted: they stick, and the impact has no end)
const BELOW: usize = 4;
const ABOVE: usize = 5;
const TURN: usize = 6;

/// The largest number of parts of an impact.
const MOST_PARTS: usize = 100;

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

    /// Returns the indentation as the law sees it [m]: in contact.
    fn shown(&self, x: f64) -> f64 {
        let floor = self.touch.floor;
        (x * self.length).max(if floor < 0.0 { floor * (1.0 - f64::EPSILON) } else { f64::MIN_POSITIVE })
    }

    /// Computes φ(x, u). At the instant of touch laws give no force, and a dashpot's force jumps to its value just after: x
    /// is therefore kept above zero.
    fn phi(&self, law: &dyn Normal, x: f64, u: f64) -> f64 {
        let delta = self.shown(x);
        law.force(Indentation { delta, delta_dot: u * self.touch.v0 }, &self.touch).f_n / self.force()
    }

    /// Returns φ while it is positive, and a negative number where a law clips its force to zero: locating the end of the
    /// contact needs a change of sign.
    fn grip(&self, law: &dyn Normal, x: f64, u: f64) -> f64 {
        let delta = self.shown(x);
        let force = law.force(Indentation { delta, delta_dot: u * self.touch.v0 }, &self.touch);
        if force.f_n > 0.0 { force.f_n / self.force() } else { -force.f_elastic / self.force() }
    }

    /// Computes dφ/dτ along the motion: φ_x u − φ_u φ.
    fn phi_rate(&self, law: &dyn Normal, x: f64, u: f64) -> f64 {
        let delta = Dual::variable(self.shown(x), 0);
        let delta_dot = Dual::variable(u * self.touch.v0, 1);
        let f = law.force_dual(Indentation { delta, delta_dot }, &self.touch).f_n;
        let (phi_x, phi_u) = (f.eps[0] * self.length / self.force(), f.eps[1] * self.touch.v0 / self.force());
        phi_x * u - phi_u * f.re / self.force()
    }

    /// Integrates x' = u, u' = −φ from u = 1 where the contact begins, x = 0 but for adhesion with a range, to the end of the contact: φ = 0 for a law that releases there, otherwise x =
    /// 0, or where adhesion lets go. The parts end with the phases of the law.
    fn solve(mut self, law: &dyn Normal) -> Result<Vec<Part>, Unfinished> {
        let (mut parts, mut from, mut y) = (Vec::new(), 0.0, [-law.begins_at() / self.length, 1.0]);
        for _ in 0..MOST_PARTS {
            let solution = self.part(law, from, y)?;
            (from, y) = (solution.t_end(), [solution.y_end()[0], solution.y_end()[1]]);
            let ended = match solution.reason {
                Reason::Event(BELOW) => Some(PhaseEnd::Below),
                Reason::Event(ABOVE) => Some(PhaseEnd::Above),
                Reason::Event(TURN) => Some(PhaseEnd::Turn),
                _ => None,
            };
            parts.push(Part { scaled: self, solution });
            let Some(end) = ended else { break };
            self.touch.history = law.next_phase(end, y[0] * self.length, &self.touch);
        }
        Ok(parts)
    }

    /// Integrates from one end of a phase to the next.
    fn part(&self, law: &dyn Normal, from: f64, start: [f64; 2]) -> Result<Solution, Unfinished> {
        let (ends, floor) =
            (law.phase_ends(&self.touch).unwrap_or(PhaseEnds::NEVER), self.touch.floor / self.length);
        let rates = |_: f64, y: &[f64], dy: &mut [f64]| {
            dy[0] = y[1];
            dy[1] = if y[0] < floor { 0.0 } else { -self.phi(law, y[0], y[1]) };
        };
        let end = |_: f64, y: &[f64]| match law.lets_go_early() {
            true => self.grip(law, y[0], y[1]),
            false => y[0] - floor,
        };
        // (an end that does not exist is never reached)
        let below =
            |_: f64, y: &[f64]| if ends.below.is_finite() { y[0] - ends.below / self.length } else { 1.0 };
        let above =
            |_: f64, y: &[f64]| if ends.above.is_finite() { ends.above / self.length - y[0] } else { 1.0 };
        let turn = |_: f64, y: &[f64]| if ends.rate == 0.0 { 1.0 } else { ends.rate * y[1] };
        Ivp::new(rates, from, start)
            .method("dop853")
            .rtol(RTOL)
            .atol(ATOL)
            // a law may have a kink at u = 0
            .event(Event::new(|_, y| y[1]).falling().restart())
            .event(Event::new(|_, y| self.phi_rate(law, y[0], y[1])).falling())
            .event(Event::new(end).falling().terminal())
            .event(Event::new(|_, y| y[1]).rising().terminal())
            .event(Event::new(below).falling().terminal())
            .event(Event::new(above).falling().terminal())
            .event(Event::new(turn).falling().terminal())
            .solve_to(FOR_EVER)
    }

    /// Returns the largest φ: at touch, where dφ/dτ = 0, or at the kink u = 0.
    fn peak(&self, law: &dyn Normal, solution: &Solution) -> f64 {
        let at = |e: &carom_ode::Occurrence| self.phi(law, e.y[0], e.y[1]);
        // evaluated just before the kink: a law may drop part of its force there
        let compressing = |e: &carom_ode::Occurrence| self.phi(law, e.y[0], e.y[1].max(0.0));
        let events = solution.events.iter();
        let found = events.map(|e| if e.event == PEAK { at(e) } else { compressing(e) });
        let (y, new) = (solution.y_end(), self.touch.history == History::NEW);
        let first = if new { self.phi(law, -law.begins_at() / self.length, 1.0) } else { 0.0 };
        let ends = first.max(self.phi(law, y[0], y[1]));
        found.fold(ends, f64::max)
    }
}
