//! The errors that steps may have.

use crate::method::Tolerance;
use crate::ode::Components;
use crate::options::Options;

/// The fraction of the tolerance that is allowed as the error of a quadrature in one step. It is small because nothing
/// corrects these errors later, as drift is removed from a state, and in a machine they have the same sign in every
/// revolution. Where quadratures limit the steps, steps of a method of order 8 are half as long as they would be with
/// 1.
const HELD: f64 = 1.0 / 256.0;
/// The least error allowed, relative to the scale: rates are not more exact than this.
const LEAST: f64 = 64.0 * f64::EPSILON;
/// How many times the tolerance the error of a first step after an event may be, if the step cannot be shorter.
const STEEP: f64 = 100.0;

/// The error last allowed for a quadrature, and the time of that step.
#[derive(Clone, Copy, Debug)]
struct Held {
    /// start time of that step
    t: f64,
    /// error allowed; infinite: the error was not controlled
    allowed: f64,
}

carom_portable::plain!(Held { t, allowed });

/// The errors allowed in a step.
pub(super) struct Tolerances {
    /// relative tolerance
    rtol: f64,
    /// absolute tolerances, quadratures left out
    pub(super) scale: Vec<f64>,
    /// the factor by which the tolerance of this step is enlarged, and the absolute tolerances enlarged by it
    factor: f64,
    enlarged: Vec<f64>,
    /// the errors allowed for quadratures; empty if no quadrature is controlled
    quadratures: Vec<f64>,
    /// one entry per quadrature
    last_of_quadratures: Vec<Held>,
}

carom_portable::carried!(Tolerances { scale, factor, quadratures, last_of_quadratures } scratch { rtol, enlarged });

impl Tolerances {
    pub(super) fn new(components: &dyn Components, n: usize, options: &Options) -> Tolerances {
        let mut tolerances = Tolerances {
            rtol: options.rtol,
            scale: Vec::new(),
            factor: 1.0,
            enlarged: Vec::with_capacity(n),
            quadratures: Vec::with_capacity(components.quadratures()),
            last_of_quadratures: Vec::with_capacity(components.quadratures()),
        };
        tolerances.resize(components, n, options);
        tolerances
    }

    /// Computes the absolute tolerances of `n` components.
    pub(super) fn resize(&mut self, components: &dyn Components, n: usize, options: &Options) {
        let m = n.saturating_sub(components.quadratures());
        let scale = |i: usize| options.scale.get(i).copied().unwrap_or_else(|| components.scale(i));
        self.scale = (0..m).map(|i| options.atol * scale(i)).collect();
    }

    /// Returns the tolerance that was asked for.
    pub(super) fn given(&self) -> Tolerance<'_> {
        Tolerance { rtol: self.rtol, scale: &self.scale, quadratures: &self.quadratures }
    }

    /// Returns the tolerance of this step.
    pub(super) fn of_step(&self) -> Tolerance<'_> {
        match self.factor {
            1.0 => self.given(),
            factor => Tolerance { rtol: factor * self.rtol, scale: &self.enlarged, quadratures: &[] },
        }
    }

    /// Returns the error allowed for component `i`, no quadrature, at the value `y`.
    pub(super) fn allowed(&self, i: usize, y: f64) -> f64 {
        self.scale[i] + self.rtol * y.abs()
    }

    /// Returns to the tolerance that was asked for.
    pub(super) fn reset(&mut self) {
        self.factor = 1.0;
    }

    /// Enlarges the tolerance of this step. Returns whether it was not enlarged before.
    pub(super) fn enlarge(&mut self) -> bool {
        if self.factor != 1.0 {
            return false;
        }
        self.factor = STEEP;
        self.enlarged.clear();
        self.enlarged.extend(self.scale.iter().map(|scale| STEEP * scale));
        true
    }

    /// Forgets which of `count` quadratures were controlled before time `t`.
    pub(super) fn forget_quadratures(&mut self, t: f64, count: usize) {
        self.last_of_quadratures.clear();
        self.last_of_quadratures.resize(count, Held { t, allowed: f64::INFINITY });
    }

    /// Computes the errors allowed for quadratures in the step that starts at `now`. A quadrature that was controlled
    /// stays controlled for as long as the method uses rates from that time, which goes back by `reach`. These rates
    /// need not be smooth on the scale of the others' steps, and a polynomial through them, extended over longer steps,
    /// would have nothing to do with what follows.
    pub(super) fn control_quadratures(
        &mut self,
        components: &dyn Components,
        atol: f64,
        now: f64,
        reach: f64,
    ) {
        let part = (HELD * atol.max(self.rtol)).max(LEAST);
        // (the margin is for times that are sums of steps and differ in the last digits)
        let reach = reach * (1.0 + 1e-9);
        self.quadratures.clear();
        for (i, last) in self.last_of_quadratures.iter_mut().enumerate() {
            let allowed = part * components.quadrature_scale(i);
            if allowed.is_finite() || (now - last.t).abs() > reach {
                *last = Held { t: now, allowed };
            }
            self.quadratures.push(last.allowed);
        }
        if self.quadratures.iter().all(|allowed| allowed.is_infinite()) {
            self.quadratures.clear();
        }
    }
}
