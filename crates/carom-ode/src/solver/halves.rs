//! Takes a step again in two halves: an error estimate for methods that have none of their own.

use super::Solver;
use crate::counted::Counted;
use crate::failure::RhsFailure;
use crate::ode::Ode;

impl Solver {
    /// Takes the last step once more, in two halves; [`halves`](Self::halves) returns the result. It must be called
    /// before the next step or [`finish`](Self::finish), because the problem must still be as it was during the step.
    /// For a method of order p, the error of the state at the end is about 2^p/(2^p − 1) times its difference from the
    /// state reached in halves. It costs two steps, and is for methods that take steps of a given length.
    pub fn in_halves(&mut self, ode: &mut dyn Ode) -> Result<(), RhsFailure> {
        let (h, n) = (0.5 * (self.times.t1 - self.b.t0), self.n);
        let tol = self.tolerances.given();
        let half = &mut self.aside.ends;
        if half.y0.len() != self.b.y0.len() {
            half.resize(n);
        }
        half.t0 = self.b.t0;
        half.y1.copy_from_slice(&self.b.y0);
        half.f1.copy_from_slice(&self.b.f0);
        for _ in 0..2 {
            std::mem::swap(&mut half.y0, &mut half.y1);
            std::mem::swap(&mut half.f0, &mut half.f1);
            let mut counted = Counted { ode, stats: &mut self.stats };
            self.stepper.attempt(&mut counted, half, h, &tol)?;
            half.t0 += h;
        }
        Ok(())
    }

    /// Returns the state at the end of the last step that was taken [in halves](Self::in_halves).
    pub fn halves(&self) -> &[f64] {
        &self.aside.ends.y1[..self.n.min(self.aside.ends.y1.len())]
    }
}

#[cfg(test)]
mod tests {
    use crate::failure::RhsFailure;
    use crate::ode::{Ode, Split};
    use crate::{Options, Solver, methods};

    /// x'' = −x.
    struct Oscillator;

    impl Ode for Oscillator {
        fn rhs(&mut self, _: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
            (dy[0], dy[1]) = (y[1], -y[0]);
            Ok(())
        }
        fn split(&mut self) -> &mut dyn Split {
            self
        }
    }

    impl Split for Oscillator {
        fn is_velocity(&self, i: usize) -> Option<bool> {
            Some(i == 1)
        }
        fn drift(&mut self, h: f64, y: &mut [f64]) {
            y[0] += h * y[1];
        }
    }

    /// The error of a step agrees with the estimate by halving, to the next order, and the run continues as if no
    /// estimate had been made.
    #[test]
    fn halves_show_the_error_of_a_step() -> Result<(), Box<dyn std::error::Error>> {
        let options = Options { first_step: Some(1e-2), ..Options::default() };
        let verlet = methods::find("verlet")?;
        let start = [0.6, 0.8];
        let mut asked = Solver::new(verlet, &mut Oscillator, 0.0, &start, 1.0, options.clone())?;
        let mut left = Solver::new(verlet, &mut Oscillator, 0.0, &start, 1.0, options)?;
        while !asked.done() {
            let (x, v) = (asked.y()[0], asked.y()[1]);
            asked.step(&mut Oscillator)?;
            left.step(&mut Oscillator)?;
            let h = asked.t() - asked.t_start();
            let exact = [x * h.cos() + v * h.sin(), v * h.cos() - x * h.sin()];
            asked.in_halves(&mut Oscillator).map_err(|failure| failure.reason)?;
            for (i, exact) in exact.into_iter().enumerate() {
                let error = asked.y()[i] - exact;
                let estimate = 4.0 / 3.0 * (asked.y()[i] - asked.halves()[i]);
                // an error of third order, estimated up to the fourth
                assert!((error - estimate).abs() < 0.5 * h.powi(4), "{error:e} {estimate:e}");
            }
            assert_eq!(asked.y(), left.y());
            asked.finish(&mut Oscillator)?;
            left.finish(&mut Oscillator)?;
        }
        Ok(())
    }
}
