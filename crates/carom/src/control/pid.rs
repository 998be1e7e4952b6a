//! The PID controller, in its parallel form.

use std::sync::Arc;

use carom_base::param::Allowed;
use carom_base::{Entry, Param, Quantity, SpecError};

use super::ControlLaw;

/// What is done about the integral of a PID controller while its output is at a limit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum AntiWindup {
    /// the integral goes on: it winds up
    None,
    /// the integral does not grow further into the limit
    #[default]
    Clamp,
    /// the integral is drawn back by (limited − unlimited output) dt/T; T: the tracking time [s], ten samples if `None`
    BackCalculation(Option<f64>),
}

/// A PID controller: u = limit(K_p e + I + D) with e = setpoint − measured.
///
/// At every sample, dt after the last:
///
///   I ← I + K_i dt e,   D ← (τ D + K_d (e − e_last))/(τ + dt)
///
/// with τ the time constant of the filter of the derivative. At the first sample e_last = e.
///
/// ```
/// use carom::{ControlLaw, Pid};
/// let pid = Pid::new(2.0).integral(10.0).limits(-5.0, 5.0);
/// let (mut x, mut y) = (pid.memory(), [0.0]);
/// pid.sample(0.1, &[0.0, 1.0], &mut x, &mut y); // measured 0, wanted 1
/// assert_eq!(y[0], 2.0 + 10.0 * 0.1);
/// pid.sample(0.1, &[-9.0, 1.0], &mut x, &mut y);
/// assert_eq!(y[0], 5.0); // at its limit, and the integral stays
/// pid.sample(0.1, &[1.0, 1.0], &mut x, &mut y);
/// assert_eq!(y[0], 1.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pid {
    gain: f64,
    integral: f64,
    derivative: f64,
    filter: f64,
    least: f64,
    greatest: f64,
    windup: AntiWindup,
}

const GAIN: Param = Param::default("gain", Quantity::Any, Allowed::Finite, 0.0, "gain K_p");
const INTEGRAL: Param =
    Param::default("integral", Quantity::Any, Allowed::Finite, 0.0, "gain of the integral K_i");
const DERIVATIVE: Param =
    Param::default("derivative", Quantity::Any, Allowed::Finite, 0.0, "gain of the derivative K_d");
const FILTER: Param = Param::default(
    "filter",
    Quantity::Time,
    Allowed::NotNegative,
    0.0,
    "time constant of the filter of the derivative τ",
);
const LEAST: Param = Param::optional("min", Quantity::Any, Allowed::Finite, "no limit", "the least output");
const GREATEST: Param =
    Param::optional("max", Quantity::Any, Allowed::Finite, "no limit", "the greatest output");
const WINDUP: Param = Param::word(
    "anti_windup",
    &["clamp", "back-calculation", "none"],
    "clamp",
    "what is done about the integral at a limit",
);
const TRACKING: Param = Param::optional(
    "tracking_time",
    Quantity::Time,
    Allowed::Positive,
    "ten samples",
    "of `back-calculation`: the time in which the integral is drawn back",
);

impl Pid {
    pub(super) const ENTRY: Entry<Arc<dyn ControlLaw>> = Entry {
        name: "pid",
        summary: "u = K_p e + K_i ∫e dt + K_d de/dt with e = setpoint − input, limited",
        params: &[GAIN, INTEGRAL, DERIVATIVE, FILTER, LEAST, GREATEST, WINDUP, TRACKING],
        build: |args| {
            let number = |p: &Param| args.number(p.name).unwrap_or_default();
            let windup = match args.text(WINDUP.name) {
                Some("none") => AntiWindup::None,
                Some("back-calculation") => AntiWindup::BackCalculation(args.number(TRACKING.name)),
                _ => AntiWindup::Clamp,
            };
            let limit = |p: &Param, none: f64| args.number(p.name).unwrap_or(none);
            let (least, greatest) = (limit(&LEAST, f64::NEG_INFINITY), limit(&GREATEST, f64::INFINITY));
            if !(least < greatest) {
                let (value, allowed) = (greatest.to_string(), "greater than `min`".to_owned());
                return Err(SpecError::NotAllowed { kind: "pid", name: GREATEST.name, value, allowed });
            }
            let pid = Pid::new(number(&GAIN)).integral(number(&INTEGRAL));
            let pid = pid.derivative(number(&DERIVATIVE), number(&FILTER)).limits(least, greatest);
            Ok(Arc::new(pid.anti_windup(windup)))
        },
    };

    /// Creates a proportional controller with K_p.
    pub const fn new(gain: f64) -> Pid {
        let (least, greatest) = (f64::NEG_INFINITY, f64::INFINITY);
        Pid { gain, integral: 0.0, derivative: 0.0, filter: 0.0, least, greatest, windup: AntiWindup::Clamp }
    }

    /// Sets K_i [1/s of the unit of K_p].
    pub const fn integral(mut self, integral: f64) -> Pid {
        self.integral = integral;
        self
    }

    /// Sets K_d [s times the unit of K_p], and the time constant τ ≥ 0 of its filter [s].
    pub const fn derivative(mut self, derivative: f64, filter: f64) -> Pid {
        (self.derivative, self.filter) = (derivative, filter);
        self
    }

    /// Sets the limits of the output.
    pub const fn limits(mut self, least: f64, greatest: f64) -> Pid {
        (self.least, self.greatest) = (least, greatest);
        self
    }

    /// Sets what is done about the integral at the limits.
    pub const fn anti_windup(mut self, windup: AntiWindup) -> Pid {
        self.windup = windup;
        self
    }
}

impl ControlLaw for Pid {
    fn inputs(&self) -> usize {
        2
    }

    fn outputs(&self) -> usize {
        1
    }

    /// Returns I, D, e_last and whether there was a sample.
    fn memory(&self) -> Vec<f64> {
        vec![0.0; 4]
    }

    fn sample(&self, dt: f64, u: &[f64], x: &mut [f64], y: &mut [f64]) {
        let ([measured, wanted], [sum, slope, last, begun]) = (u, x) else { return };
        let e = wanted - measured;
        let before = if *begun == 0.0 { e } else { *last };
        *slope = match self.filter + dt {
            0.0 => 0.0,
            time => (self.filter * *slope + self.derivative * (e - before)) / time,
        };
        let raised = *sum + self.integral * dt * e;
        let raw = self.gain * e + raised + *slope;
        let limited = raw.clamp(self.least, self.greatest);
        *sum = match self.windup {
            // (a step of the integral that leads out of the limit is taken)
            AntiWindup::Clamp if (raw - limited) * self.integral * e > 0.0 => *sum,
            AntiWindup::BackCalculation(time) => raised + dt / time.unwrap_or(10.0 * dt) * (limited - raw),
            _ => raised,
        };
        let raw = self.gain * e + *sum + *slope;
        y[0] = raw.clamp(self.least, self.greatest);
        (*last, *begun) = (e, 1.0);
    }

    fn fault(&self) -> Option<String> {
        let numbers = [self.gain, self.integral, self.derivative, self.filter];
        let tracking = match self.windup {
            AntiWindup::BackCalculation(Some(time)) => time,
            _ => 1.0,
        };
        if !numbers.iter().all(|x| x.is_finite()) {
            return Some("its gains are finite numbers".to_owned());
        }
        if self.filter < 0.0 || !(tracking > 0.0) {
            return Some(
                "the time of its filter is 0 or greater, that of its tracking greater than 0".to_owned(),
            );
        }
        (!(self.least < self.greatest))
            .then(|| format!("its limits {} and {} are in order", self.least, self.greatest))
    }
}
