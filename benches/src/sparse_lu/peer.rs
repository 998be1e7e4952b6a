//! The sparse LU of faer.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::linalg::lu::{NumericLu, SymbolicLu, factorize_symbolic_lu};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::traits::ComplexField;
use faer::{Conj, MatMut, Par};

use crate::linear::{Field, Jacobian};
use crate::{Failure, Solve};

/// Numbers that both libraries know.
pub(crate) trait Number: Field + ComplexField {}

impl<T: Field + ComplexField> Number for T {}

/// It, for matrices with this pattern.
pub(crate) fn peer<'a, T: Number + 'a>(j: &Jacobian) -> Result<Option<Solve<'a, T>>, Failure> {
    let mut peer = Peer::<T>::new(j)?;
    Ok(Some(Box::new(move |alpha, j, b| peer.solve(alpha, j, b))))
}

/// faer's sparse LU with all memory kept.
struct Peer<T> {
    starts: Vec<usize>,
    rows: Vec<usize>,
    values: Vec<T>,
    symbolic: SymbolicLu<usize>,
    numeric: NumericLu<usize, T>,
    memory: MemBuffer,
}

impl<T: Number> Peer<T> {
    fn new(j: &Jacobian) -> Result<Peer<T>, Failure> {
        let n = j.n();
        let mut starts = vec![0];
        let mut rows = Vec::new();
        for c in 0..n {
            rows.extend_from_slice(j.sparsity().rows(c));
            starts.push(rows.len());
        }
        let pattern = SymbolicSparseColMatRef::new_checked(n, n, &starts, None, &rows);
        let symbolic = factorize_symbolic_lu(pattern, Default::default()).map_err(|e| format!("{e:?}"))?;
        let work = symbolic
            .factorize_numeric_lu_scratch::<T>(Par::Seq, Default::default())
            .or(symbolic.solve_in_place_scratch::<T>(1, Par::Seq));
        Ok(Peer {
            values: vec![T::default(); rows.len()],
            starts,
            rows,
            symbolic,
            numeric: NumericLu::new(),
            memory: MemBuffer::new(work),
        })
    }

    fn solve(&mut self, alpha: T, j: &Jacobian, b: &mut [T]) -> Result<(), Failure> {
        let n = j.n();
        let mut k = 0;
        for c in 0..n {
            for (&i, &v) in j.sparsity().rows(c).iter().zip(j.column(c)) {
                self.values[k] = if i == c { alpha - T::from(v) } else { T::from(-v) };
                k += 1;
            }
        }
        let pattern = SymbolicSparseColMatRef::new_checked(n, n, &self.starts, None, &self.rows);
        let a = SparseColMatRef::new(pattern, &self.values);
        let stack = MemStack::new(&mut self.memory);
        let lu = self
            .symbolic
            .factorize_numeric_lu(&mut self.numeric, a, Par::Seq, stack, Default::default())
            .map_err(|e| format!("{e:?}"))?;
        lu.solve_in_place_with_conj(Conj::No, MatMut::from_column_major_slice_mut(b, n, 1), Par::Seq, stack);
        Ok(())
    }
}
