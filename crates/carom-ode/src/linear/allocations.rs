//! Tests that nothing is allocated after the start: Jacobians by differences, factors, solutions.

use carom_testkit::{Counting, allocations_of};
use num_complex::Complex64;

use super::field::Field;
use super::shifted::Shifted;
use super::{Jacobian, Sparsity};
use crate::counted::{Counted, Stats};
use crate::differences::Linearised;
use crate::failure::RhsFailure;
use crate::method::Tolerance;
use crate::ode::{Derivatives, Ode};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Masses connected by cubic springs in a row, with x and v of each.
struct Row {
    n: usize,
    sparsity: Option<Sparsity>,
}

impl Row {
    fn new(masses: usize, sparse: bool) -> Row {
        let n = 2 * masses;
        Row { n, sparsity: sparse.then(|| Sparsity::banded(n, 3, 3)) }
    }
}

impl Ode for Row {
    fn rhs(&mut self, _: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        for i in (0..self.n).step_by(2) {
            let spring = |j: Option<usize>| {
                let d = j.and_then(|j| y.get(j)).map_or(0.0, |x| x - y[i]);
                d + d * d * d
            };
            dy[i] = y[i + 1];
            dy[i + 1] = spring(i.checked_sub(2)) + spring(Some(i + 2)) - 0.1 * y[i + 1];
        }
        Ok(())
    }
    fn derivatives(&mut self) -> &mut dyn Derivatives {
        self
    }
}

impl Derivatives for Row {
    fn sparsity(&mut self) -> Option<Sparsity> {
        self.sparsity.clone()
    }
}

fn solve<T: Field>(lu: &mut Shifted<T>, alpha: T, j: &Jacobian, b: &mut [T]) {
    lu.factor(alpha, j).unwrap();
    lu.solve(b);
    assert!(b.iter().all(|b| b.size().is_finite()));
}

#[test]
fn no_step_allocates() {
    for (masses, sparse) in [(5, true), (30, false), (100, true), (1000, true)] {
        let mut ode = Row::new(masses, sparse);
        let n = ode.n;
        let y: Vec<f64> = (0..n).map(|i| (i as f64).sin()).collect();
        let mut f = vec![0.0; n];
        ode.rhs(0.0, &y, &mut f).unwrap();
        let mut l = Linearised::new(&mut ode, n);
        let mut real = Shifted::<f64>::new(&l.j);
        let mut complex = Shifted::<Complex64>::new(&l.j);
        let (mut b, mut z) = (vec![1.0; n], vec![Complex64::new(1.0, -1.0); n]);
        let mut stats = Stats::default();
        let scale = vec![1e-6; n];
        let count = allocations_of(|| {
            let mut counted = Counted { ode: &mut ode, stats: &mut stats };
            let tol = Tolerance { rtol: 1e-6, scale: &scale, quadratures: &[] };
            l.evaluate(&mut counted, 0.0, &y, &f, &tol).unwrap();
            // step lengths over ten powers of ten, which also change the pivots
            for power in [3, 1, 0, -2, -7, 2] {
                let alpha = 10f64.powi(power);
                solve(&mut real, alpha, &l.j, &mut b);
                solve(&mut complex, Complex64::new(alpha, 1.3 * alpha), &l.j, &mut z);
            }
        });
        assert_eq!(count, 0, "{masses}");
        assert_eq!(stats.evaluations, if sparse { 7 } else { n });
    }
}
