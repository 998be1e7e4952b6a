//! Starts the method at the beginning, after events and at kinks of the rates: evaluates the rates, chooses a first
//! step, and allocates memory where the size of the problem has changed.

use super::Solver;
use crate::error::StepTrouble;
use crate::method::Buffers;
use crate::ode::Ode;
use carom_portable::elementary::pow;

impl Solver {
    /// Adapts the stepper after an event that changed the structure of the problem, or creates a new one where the
    /// number of components or of quadratures has changed.
    pub(super) fn restructure(&mut self, ode: &mut dyn Ode) {
        let structure = ode.events().structure();
        if structure == self.structure {
            return;
        }
        self.structure = structure;
        let n = ode.components().dim().unwrap_or(self.n);
        if n == self.n && n - ode.components().quadratures() == self.tolerances.scale.len() {
            self.stepper.restructure(ode);
            return;
        }
        if n != self.n {
            let old = self.b.y0.clone();
            let many = self.n;
            self.resize_buffers(n);
            ode.events().carry_over(&old[..many], &mut self.b.y0[..n]);
        }
        self.start_method(ode);
    }

    /// Changes the number of components. The state has to be set anew.
    pub(super) fn resize(&mut self, ode: &mut dyn Ode, n: usize) {
        self.structure = ode.events().structure();
        self.resize_buffers(n);
        self.start_method(ode);
    }

    fn resize_buffers(&mut self, n: usize) {
        self.b.resize(n);
        self.progress.resize(n);
        self.aside.rates.resize(n, 0.0);
        self.n = n;
    }

    /// Creates the stepper for the present number of components.
    fn start_method(&mut self, ode: &mut dyn Ode) {
        let n = self.n;
        self.tolerances.resize(ode.components(), n, &self.options);
        self.stepper = self.method.start(ode, n);
        self.aside.stepper = None;
        self.stepper.control_dense_error(self.options.control_dense_error);
    }

    /// Forgets the past, in the method and in the solver.
    fn forget(&mut self) {
        self.stepper.restart();
        self.tolerances.forget_quadratures(self.b.t0, self.n - self.tolerances.scale.len());
        (self.times.started, self.next.after_jump) = (self.b.t0, false);
    }

    /// Finds the time up to which the rates are smooth from t0 on.
    pub(super) fn look_ahead(&mut self, ode: &mut dyn Ode) {
        let (t0, end) = (self.b.t0, self.times.end);
        let grain = 16.0 * f64::EPSILON * t0.abs().max(end.abs());
        let mut from = t0;
        loop {
            let kink = ode.steps().smooth_until(from, end);
            let ahead = (kink - from) * (end - from) > 0.0 && (end - kink) * (end - from) > 0.0;
            if !ahead || (end - kink).abs() <= grain {
                self.times.smooth_until = end;
                return;
            }
            // a kink at the present time, to rounding, has been passed
            if (kink - t0).abs() > grain {
                self.times.smooth_until = kink;
                return;
            }
            from = kink;
        }
    }

    /// Passes a kink of the rates: the state stays, the rates are others from here on. A method without memory of past
    /// steps continues with the step length it had planned.
    pub(super) fn pass_kink(&mut self, ode: &mut dyn Ode) -> Result<(), StepTrouble> {
        if self.method.remembers() {
            return self.start(ode, f64::INFINITY);
        }
        self.look_ahead(ode);
        self.evaluate_start(ode)?;
        self.forget();
        Ok(())
    }

    /// Evaluates the rates at t0 and chooses a first step.
    pub(super) fn start(&mut self, ode: &mut dyn Ode, time_scale: f64) -> Result<(), StepTrouble> {
        self.look_ahead(ode);
        self.evaluate_start(ode)?;
        self.forget();
        self.next.time_scale = time_scale;
        // a one-step method finds its first step starting from 0.03 of the time scale, and the solver remembers the
        // fraction that was accepted: rates that start as in an impact have no second derivative from which to estimate
        // a step
        let learns = time_scale.is_finite() && !self.method.remembers();
        let guess = match self.options.first_step {
            Some(h) if !self.method.is_adaptive() || self.stats.steps == 0 => h,
            _ if learns => self.next.first_share.unwrap_or(0.03) * time_scale,
            _ => self.guess_step(ode)?.min(0.1 * time_scale),
        };
        // no shorter than the resolution of the time, no longer than the time left
        let least = (32.0 * f64::EPSILON * self.b.t0.abs()).min((self.times.end - self.b.t0).abs());
        self.next.h = guess.max(least).min(self.options.max_step);
        Ok(())
    }

    fn evaluate_start(&mut self, ode: &mut dyn Ode) -> Result<(), StepTrouble> {
        let n = self.n;
        if let Some(component) = self.b.y0[..n].iter().position(|y| !y.is_finite()) {
            return Err(StepTrouble::NotFinite { component });
        }
        ode.rhs(self.b.t0, &self.b.y0[..n], &mut self.b.f0[..n]).map_err(StepTrouble::Rhs)?;
        self.stats.evaluations += 1;
        match self.b.f0[..n].iter().position(|f| !f.is_finite()) {
            Some(component) => Err(StepTrouble::NotFinite { component }),
            None => Ok(()),
        }
    }

    /// Estimates a first step from the first and second derivatives: Hairer, Nørsett, Wanner, II.4.
    fn guess_step(&mut self, ode: &mut dyn Ode) -> Result<f64, StepTrouble> {
        let span = self.times.end - self.b.t0;
        let m = self.tolerances.scale.len();
        let allowed = |i: usize, y: f64| self.tolerances.allowed(i, y);
        // without an absolute tolerance, a component at zero gives no information
        let share = |v: f64, allowed: f64| if allowed > 0.0 { v.abs() / allowed } else { 0.0 };
        let largest =
            |v: &[f64], b: &Buffers| (0..m).fold(0.0f64, |s, i| s.max(share(v[i], allowed(i, b.y0[i]))));
        let (d0, d1) = (largest(&self.b.y0, &self.b), largest(&self.b.f0, &self.b));
        let idle = d0 < 1e-5 || d1 * span.abs() < 1e-5;
        let h0 = if idle { 1e-6 * span.abs() } else { 0.01 * d0 / d1 };
        let h0 = h0.min((self.times.smooth_until - self.b.t0).abs()) * span.signum();
        for i in 0..self.n {
            self.b.y1[i] = self.b.y0[i] + h0 * self.b.f0[i];
        }
        let n = self.n;
        self.stats.evaluations += 1;
        // the trial Euler step may fail; the short step h0 is then the estimate
        if ode.rhs(self.b.t0 + h0, &self.b.y1[..n], &mut self.b.f1[..n]).is_err() {
            return Ok(h0.abs());
        }
        let mut d2 = 0.0f64;
        for i in 0..m {
            d2 = d2.max(share(self.b.f1[i] - self.b.f0[i], allowed(i, self.b.y0[i])));
        }
        d2 /= h0.abs();
        if !d2.is_finite() {
            return Ok(h0.abs());
        }
        // in a unit of time the rates change by the fraction d2/d1 of themselves (at least by 1/span), and so do their
        // derivatives: the error of order k − 1 is about d1 (d2/d1)^(k−1) h^k. (The original compares d1 with d2, whose
        // units differ.)
        let k = self.method.start_order() as f64;
        let h1 = if d1 > 0.0 {
            let r = (d2 / d1).max(1.0 / span.abs());
            pow(0.01 * r / d1, 1.0 / k) / r
        } else if d2 > 0.0 {
            (0.01 / d2).sqrt()
        } else {
            f64::INFINITY
        };
        Ok((100.0 * h0.abs()).min(h1).min(span.abs()))
    }
}
