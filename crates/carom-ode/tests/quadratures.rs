//! A quadrature with a scale is held to the tolerance though nothing depends on it; one without follows the steps of the others.

use carom_ode::{Components, Ode, Options, RhsFailure, Solver, Steps, methods};

/// y' = −y, and q' = cos 20 t, which y knows nothing of.
struct Decay {
    scale: f64,
}

impl Ode for Decay {
    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        (dy[0], dy[1]) = (-y[0], (20.0 * t).cos());
        Ok(())
    }
    fn components(&self) -> &dyn Components {
        self
    }
}

impl Components for Decay {
    fn quadratures(&self) -> usize {
        1
    }
    fn quadrature_scale(&self, i: usize) -> f64 {
        assert_eq!(i, 0);
        self.scale
    }
}

/// The error of q after 10, and the steps.
fn error(method: &str, scale: f64) -> (f64, usize) {
    let options = Options { rtol: 1e-8, atol: 1e-8, ..Options::default() };
    let mut ode = Decay { scale };
    let mut solver =
        Solver::new(methods::find(method).unwrap(), &mut ode, 0.0, &[1.0, 0.0], 10.0, options).unwrap();
    while !solver.done() {
        solver.step(&mut ode).unwrap();
    }
    solver.finish(&mut ode).unwrap();
    ((solver.y()[1] - 200.0_f64.sin() / 20.0).abs(), solver.stats().steps)
}

#[test]
fn a_quadrature_with_a_scale_is_held() {
    for method in ["ode45", "tsit5", "dop853", "ode113", "auto"] {
        let ((free, _), (held, steps)) = (error(method, f64::INFINITY), error(method, 1.0));
        println!("{method}: {free:.1e} free, {held:.1e} held, {steps} steps");
        assert!(free > 1e-6, "{method}: {free:e}");
        assert!(held < 1e-8, "{method}: {held:e}");
        // the scale is what it is a part of
        assert!(error(method, 1e4).1 < steps, "{method}");
    }
}

/// y' = −y, and q' = sin²(π t/w) until t = w and 0 from there on: for that long q is held, and then left alone, as what a contact dissipates is while it lasts.
struct Pulse {
    width: f64,
    now: f64,
}

impl Ode for Pulse {
    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        let rate = if t < self.width { (std::f64::consts::PI * t / self.width).sin().powi(2) } else { 0.0 };
        (dy[0], dy[1]) = (-y[0], rate);
        Ok(())
    }
    fn components(&self) -> &dyn Components {
        self
    }
    fn steps(&mut self) -> &mut dyn Steps {
        self
    }
}

impl Components for Pulse {
    fn quadratures(&self) -> usize {
        1
    }
    fn quadrature_scale(&self, _: usize) -> f64 {
        if self.now < self.width { self.width } else { f64::INFINITY }
    }
}

impl Steps for Pulse {
    fn max_step(&mut self, t: f64, _: &[f64], _: &[f64], _: f64) -> f64 {
        self.now = t;
        if t < self.width { 0.1 * self.width } else { f64::INFINITY }
    }
}

/// What is no longer held is still what a multistep method goes on from: nothing may be made of it.
#[test]
fn a_quadrature_stays_as_it_was_held() {
    let mut worst = [(0.0, String::new()), (0.0, String::new())];
    for method in methods::ALL.iter().filter(|m| m.is_adaptive()) {
        for rtol in [1e-5, 1e-7, 1e-9, 1e-11] {
            for width in [0.1, 0.03, 0.01, 3e-3, 1e-3] {
                let options = Options { rtol, atol: rtol, ..Options::default() };
                let mut ode = Pulse { width, now: 0.0 };
                let mut solver = Solver::new(*method, &mut ode, 0.0, &[1.0, 0.0], 2.0, options).unwrap();
                while !solver.done() {
                    solver.step(&mut ode).unwrap();
                }
                let error = (solver.y()[1] / (0.5 * width) - 1.0).abs() / rtol;
                let worst = &mut worst[usize::from(method.remembers())];
                if error > worst.0 {
                    *worst = (error, format!("{}, rtol {rtol:e}, width {width}", method.name()));
                }
            }
        }
    }
    println!("{worst:?}");
    for (error, which) in worst {
        assert!(error < 20.0, "{which}: off by {error:.1e} rtol");
    }
}
