//! Orders measured with fixed steps.

use carom_ode::{Components, Derivatives, Jacobian, Ode, Options, RhsFailure};

use super::solver;

/// x'' = −4 x + 3 cos t + a (cos² t − x²) as (x, v), ∫ v² dt as a quadrature: x = cos t, linear for a = 0.
struct Driven {
    a: f64,
}

impl Ode for Driven {
    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        let c = t.cos();
        let force = 3.0 * c + self.a * (c * c - y[0] * y[0]);
        dy.copy_from_slice(&[y[1], -4.0 * y[0] + force, y[1] * y[1]]);
        Ok(())
    }
    fn components(&self) -> &dyn Components {
        self
    }
    fn derivatives(&mut self) -> &mut dyn Derivatives {
        self
    }
}

impl Components for Driven {
    fn quadratures(&self) -> usize {
        1
    }
}

impl Derivatives for Driven {
    fn jacobian(&mut self, _: f64, y: &[f64], j: &mut Jacobian) -> Result<bool, RhsFailure> {
        j.set(0, 1, 1.0);
        j.set(1, 0, -4.0 - 2.0 * self.a * y[0]);
        Ok(true)
    }
}

fn exact(t: f64) -> [f64; 3] {
    [t.cos(), -t.sin(), 0.5 * t - 0.25 * (2.0 * t).sin()]
}

/// The largest error, of the components and of the quadrature.
fn errors(y: &[f64], t: f64) -> [f64; 2] {
    let want = exact(t);
    let e = |i: usize| (y[i] - want[i]).abs();
    [e(0).max(e(1)), e(2)]
}

/// Errors at t = 2 with steps of `h`, and the largest of the dense output.
fn fixed_steps(a: f64, h: f64, rtol: f64, atol: f64) -> ([f64; 2], [f64; 2]) {
    let mut ode = Driven { a };
    let options = Options { rtol, atol, first_step: Some(h), max_step: h, ..Options::default() };
    let mut solver = solver(&mut ode, 0.0, &exact(0.0), 2.0, options);
    let mut dense_error = [0.0; 2];
    while !solver.done() {
        solver.step(&mut ode).unwrap();
        solver.prepare_dense(&mut ode).unwrap();
        let (dense, t0, t1) = (solver.dense().unwrap(), solver.t_start(), solver.t());
        let mut y = [0.0; 3];
        for theta in [0.25, 0.5, 0.75] {
            let t = t0 + theta * (t1 - t0);
            dense.at(t, 0..3, &mut y);
            let e = errors(&y, t);
            dense_error = std::array::from_fn(|i| e[i].max(dense_error[i]));
        }
        dense.at(t1, 0..3, &mut y);
        assert_eq!(y, solver.y(), "continuous");
        let mut part = [0.0; 2];
        dense.at(t1, 1..3, &mut part);
        assert_eq!(part, y[1..3]);
    }
    assert_eq!(solver.stats().rejected, 0);
    (errors(solver.y(), 2.0), dense_error)
}

/// Linear: the iteration is exact, the tolerance of no account.
#[test]
fn order_5_and_dense_output_of_order_3() {
    let run = |h| fixed_steps(0.0, h, 0.5, 1e6);
    let (mut h, mut last) = (0.2, run(0.2));
    for _ in 0..3 {
        h *= 0.5;
        let next = run(h);
        for i in 0..2 {
            let what = ["components", "quadrature"][i];
            let order = (last.0[i] / next.0[i]).log2();
            assert!((4.7..5.4).contains(&order), "{what}: order {order}, {last:?} {next:?}");
            // an error of O(h⁴) in a step
            let order = (last.1[i] / next.1[i]).log2();
            assert!((3.7..4.4).contains(&order), "{what}: dense {order}, {last:?} {next:?}");
        }
        last = next;
    }
}

/// Not linear: with a tolerance as h⁴, as the estimate, the iteration stops at errors as h⁶, as those of a step.
#[test]
fn the_iteration_keeps_the_order() {
    let run = |h: f64| fixed_steps(1.0, h, 0.05 * h.powi(4), 0.05 * h.powi(4)).0;
    let (coarse, fine) = (run(0.2), run(0.0125));
    for i in 0..2 {
        let order = (coarse[i] / fine[i]).log2() / 4.0;
        assert!((4.6..5.8).contains(&order), "order {order}, {coarse:?} {fine:?}");
    }
}

/// A. Prothero, A. Robinson, Math. Comp. 28 (1974) 145: y' = λ (y − φ) + φ', φ = sin(t + 1).
struct ProtheroRobinson(f64);

impl Ode for ProtheroRobinson {
    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        dy[0] = self.0 * (y[0] - (t + 1.0).sin()) + (t + 1.0).cos();
        Ok(())
    }
    fn derivatives(&mut self) -> &mut dyn Derivatives {
        self
    }
}

impl Derivatives for ProtheroRobinson {
    fn jacobian(&mut self, _: f64, _: &[f64], j: &mut Jacobian) -> Result<bool, RhsFailure> {
        j.set(0, 0, self.0);
        Ok(true)
    }
}

fn stiff_error(lambda: f64, h: f64) -> f64 {
    let mut ode = ProtheroRobinson(lambda);
    let options = Options { rtol: 0.5, atol: 1e6, first_step: Some(h), max_step: h, ..Options::default() };
    let mut solver = solver(&mut ode, 0.0, &[1f64.sin()], 1.0, options);
    super::finish(&mut solver, &mut ode).unwrap();
    (solver.y()[0] - 2f64.sin()).abs()
}

/// Where h λ is large the error is O(h³/λ): Hairer, Wanner, IV.15, Table 15.1. So it vanishes with stiffness.
#[test]
fn stiff_order() {
    for lambda in [-1e5, -1e6] {
        let (a, b) = (stiff_error(lambda, 0.1), stiff_error(lambda, 0.05));
        let order = (a / b).log2();
        assert!((2.7..4.2).contains(&order), "λ = {lambda:e}: order {order}, {a:e}");
        assert!(a < 0.1 * 1e-3 / lambda.abs(), "λ = {lambda:e}: {a:e}");
    }
    let (a, b) = (stiff_error(-1.0, 0.1), stiff_error(-1.0, 0.05));
    assert!((4.7..5.3).contains(&(a / b).log2()), "{a:e} {b:e}");
}
