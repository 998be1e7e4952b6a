//! Estimates the fastest rate of the motion, which tells whether stability or the tolerance limits the steps.

use carom_portable::elementary::{exp, ln};

use super::Solver;
use crate::counted::Counted;
use crate::failure::RhsFailure;
use crate::ode::Ode;

/// The number of products in an estimate; the growth over the second half of them is the result.
const PRODUCTS: usize = 24;
/// The least change of a component, relative to its size; it is well above rounding errors.
const LEAST: f64 = 1e-10;

impl Solver {
    /// Estimates the spectral radius of the Jacobian at the time reached [1/time], approximately and from below, by
    /// power iteration with differences of the rates (B. P. Sommeijer, L. F. Shampine, J. G. Verwer, *J. Comput. Appl.
    /// Math.* 88, 1998). If the steps of an explicit method are a few times shorter than the inverse of this rate, the
    /// tolerance limits them; if they are longer, they are as long as stability allows. The estimate takes 25
    /// evaluations.
    pub fn fastest_rate(&mut self, ode: &mut dyn Ode) -> Result<f64, RhsFailure> {
        let (t, y) = (self.t(), self.y().to_vec());
        let n = self.tolerances.scale.len();
        // the size of a component as the tolerance measures it: at least its absolute tolerance over rtol
        let size: Vec<f64> =
            (0..n).map(|i| self.tolerances.scale[i] / self.options.rtol + y[i].abs()).collect();
        let largest =
            |v: &[f64]| v.iter().zip(&size).fold(0.0f64, |most, (v, size)| most.max((v / size).abs()));
        let mut counted = Counted { ode, stats: &mut self.stats };
        let (mut rates, mut changed, mut near) = (vec![0.0; y.len()], vec![0.0; y.len()], y.clone());
        counted.rhs(t, &y, &mut rates)?;
        // all components differ, so that the start vector is not orthogonal to any regular pattern of the problem
        let mut v: Vec<f64> =
            (0..n).map(|i| size[i] * (1.0 + ((i + 1) as f64 * 0.618_033_988_749_895).fract())).collect();
        // the change is as large as the error of the method: details of the rates on a smaller scale have no effect
        let change = self.options.rtol.max(LEAST);
        let mut log_growth = 0.0;
        for product in 0..PRODUCTS {
            let part = change / largest(&v);
            for i in 0..n {
                near[i] = y[i] + part * v[i];
            }
            counted.rhs(t, &near, &mut changed)?;
            let before = largest(&v);
            for i in 0..n {
                v[i] = (changed[i] - rates[i]) / part;
            }
            let growth = largest(&v) / before;
            if !(growth > 0.0 && growth.is_finite()) {
                return Ok(0.0);
            }
            log_growth += if product >= PRODUCTS / 2 { ln(growth) } else { 0.0 };
            let grown = largest(&v);
            v.iter_mut().for_each(|v| *v /= grown);
        }
        Ok(exp(log_growth / (PRODUCTS / 2) as f64))
    }
}

#[cfg(test)]
mod tests {
    use crate::failure::RhsFailure;
    use crate::ode::Ode;
    use crate::{Options, Solver, methods};

    /// A spring of frequency 1e3, overdamped or not at all, beside something slow.
    struct Spring {
        damping: f64,
    }

    impl Ode for Spring {
        fn rhs(&mut self, _: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
            (dy[0], dy[1], dy[2]) = (y[1], -1e6 * y[0] - self.damping * y[1], -y[2] * y[2]);
            Ok(())
        }
    }

    #[test]
    fn of_springs_and_dampers() -> Result<(), Box<dyn std::error::Error>> {
        for (damping, expected) in [(0.0, 1e3), (1e5, 1e5)] {
            let mut spring = Spring { damping };
            let method = methods::find("tsit5")?;
            let mut solver =
                Solver::new(method, &mut spring, 0.0, &[1e-3, 0.5, 2.0], 1.0, Options::default())?;
            let rate = solver.fastest_rate(&mut spring).map_err(|failure| failure.reason)?;
            assert!((rate / expected - 1.0).abs() < 0.2, "{rate} for {expected}");
        }
        Ok(())
    }
}
