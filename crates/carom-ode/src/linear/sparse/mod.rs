//! LU factorisation of a sparse α I − J: P (α I − J) Q = L U.
//!
//! - Q, the order of the columns, depends on the pattern alone and is computed once (`order`).
//! - P and the patterns of L and U are found with the first values: left-looking factorisation in time proportional to
//!   its arithmetic (J. R. Gilbert, T. Peierls, SIAM J. Sci. Stat. Comput. 9 (1988) 862), with pivots on the diagonal
//!   unless they are too small (`pivots`).
//! - Other values reuse all of it: only the arithmetic remains (T. A. Davis, E. Palamadai Natarajan, ACM Trans. Math.
//!   Softw. 37 (2010) 36, "KLU", section 2.6). Each column is checked for pivots that have become too small and for
//!   growth; if either occurs, new pivots are sought.
//!
//! Memory is allocated by `new`, twice what pivots on the diagonal need. Only other pivots may need even more, and that
//! memory is kept.
//!
//! The decision which entries are small must not depend on units. With unknowns in other units J becomes D J D⁻¹. A
//! diagonal D for which rows and columns are about equally large (E. E. Osborne, J. ACM 7 (1960) 338) is found together
//! with the pivots, and the entries of a column are compared after scaling with it. So a stiffness k and x' = v are
//! compared by the frequency √k, and the diagonal α of a step h is not used as the pivot where h √k is very large.

mod degree;
mod order;
mod pivots;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use pivots::Search;

pub(super) use self::order::Order;
use super::field::Field;
use super::jacobian::Jacobian;

/// The least ratio of the diagonal to the largest entry in its column with which it still becomes the pivot (as in
/// KLU).
const PREFERRED: f64 = 1e-3;
/// The least such ratio for pivots that are used again; it is smaller, so that they are not sought anew every time.
const REUSED: f64 = 1e-5;
/// How many times larger than the entries of the matrix the entries of a column of the factors may become: rounding
/// errors grow by this factor.
const GROWTH: f64 = 1e4;

/// The number of passes over the matrix to find the scales of the unknowns.
const SWEEPS: usize = 4;

/// The factors of α I − J.
pub(super) struct SparseLu<T> {
    order: Arc<Order>,
    /// the elimination step at which each row was the pivot row
    step: Vec<u32>,
    /// L below its unit diagonal, with rows numbered by their steps
    l: Columns<T>,
    /// U above its diagonal
    u: Columns<T>,
    /// the diagonal of U, inverted
    inverse: Vec<T>,
    /// whether pivots and patterns are known
    ready: bool,
    /// the factor by which each row is multiplied in comparisons
    scale: Vec<f64>,
    /// these factors, by elimination step
    scale_by_step: Vec<f64>,
    /// the largest entry of each row, and of each column
    largest: [Vec<f64>; 2],
    /// workspace for one column, zero between uses
    x: Vec<T>,
    search: Search,
}

carom_portable::carried!([T: Field] SparseLu<T> { step, l, u, inverse, ready, scale, scale_by_step } scratch { order, largest, x, search });

/// The columns of a triangular matrix, added one by one.
#[derive(Debug)]
struct Columns<T> {
    starts: Vec<usize>,
    rows: Vec<u32>,
    values: Vec<T>,
}

carom_portable::carried!([T: Field] Columns<T> { starts, rows, values });

impl<T: Field> Columns<T> {
    fn new(n: usize, entries: usize) -> Columns<T> {
        Columns {
            starts: vec![0; n + 1],
            rows: Vec::with_capacity(entries),
            values: Vec::with_capacity(entries),
        }
    }

    fn range(&self, k: usize) -> std::ops::Range<usize> {
        self.starts[k]..self.starts[k + 1]
    }

    /// Subtracts column k times `factor` from x.
    #[inline]
    fn subtract(&self, k: usize, factor: T, x: &mut [T]) {
        let range = self.range(k);
        for (&i, &v) in self.rows[range.clone()].iter().zip(&self.values[range]) {
            x[i as usize] = x[i as usize] - v * factor;
        }
    }
}

impl<T: Field> SparseLu<T> {
    /// Allocates memory for the factors of a matrix with the pattern of `j`.
    pub(super) fn new(j: &Jacobian) -> SparseLu<T> {
        let n = j.n();
        let order = j.order();
        SparseLu {
            step: vec![0; n],
            l: Columns::new(n, 2 * order.fill),
            u: Columns::new(n, 2 * order.fill),
            inverse: vec![T::default(); n],
            ready: false,
            scale: vec![1.0; n],
            scale_by_step: vec![1.0; n],
            largest: [vec![0.0; n], vec![0.0; n]],
            x: vec![T::default(); n],
            search: Search::new(n),
            order,
        }
    }

    /// Factors α I − J; J must be finite. `Err(k)`: the matrix is singular, as found in column k.
    pub(super) fn factor(&mut self, alpha: T, j: &Jacobian) -> Result<(), usize> {
        if !alpha.size().is_finite() {
            return Err(0);
        }
        if self.ready && self.refactor(alpha, j, REUSED, GROWTH).is_ok() {
            return Ok(());
        }
        self.ready = false;
        self.balance(j);
        self.seek_pivots(alpha, j, PREFERRED)?;
        if self.refactor(alpha, j, REUSED, GROWTH).is_err() {
            // the diagonal is unreliable: use partial pivoting; if even this grows, there is nothing better
            self.seek_pivots(alpha, j, 1.0)?;
            self.refactor(alpha, j, 0.0, f64::INFINITY)?;
        }
        self.ready = true;
        Ok(())
    }

    /// Factors the matrix with the known pivots. `Err(k)`: the pivot of column k is less than `share` of the largest
    /// entry below it, or its entries have grown by more than `growth`.
    fn refactor(&mut self, alpha: T, j: &Jacobian, share: f64, growth: f64) -> Result<(), usize> {
        for k in 0..self.step.len() {
            let column = self.order.columns[k] as usize;
            let mut before = 0.0f64;
            for (&i, &v) in j.sparsity().rows(column).iter().zip(j.column(column)) {
                let v = if i == column { alpha - T::from(v) } else { T::from(-v) };
                before = before.max(v.size() * self.scale[i]);
                self.x[self.step[i] as usize] = v;
            }
            let mut after = 0.0f64;
            for e in self.u.range(k) {
                // the rows of U ascend: each entry is final when its turn comes
                let at = self.u.rows[e] as usize;
                let u = std::mem::take(&mut self.x[at]);
                self.u.values[e] = u;
                after = after.max(u.size() * self.scale_by_step[at]);
                self.l.subtract(at, u, &mut self.x);
            }
            let pivot = std::mem::take(&mut self.x[k]);
            let inverse = pivot.inverse();
            let mut below = 0.0f64;
            for e in self.l.range(k) {
                let at = self.l.rows[e] as usize;
                let x = std::mem::take(&mut self.x[at]);
                below = below.max(x.size() * self.scale_by_step[at]);
                self.l.values[e] = x * inverse;
            }
            self.inverse[k] = inverse;
            let pivot = pivot.size() * self.scale_by_step[k];
            let good = pivot >= share * below && after.max(pivot).max(below) <= growth * before;
            if !(good && inverse.size().is_finite()) {
                return Err(column);
            }
        }
        Ok(())
    }

    /// Computes the scale of each unknown for which the rows and columns of D J D⁻¹ have about the same size.
    fn balance(&mut self, j: &Jacobian) {
        let n = self.step.len();
        self.scale.fill(1.0);
        for _ in 0..SWEEPS {
            let [by_row, by_column] = &mut self.largest;
            by_row.fill(0.0);
            by_column.fill(0.0);
            for c in 0..n {
                for (&i, &v) in j.sparsity().rows(c).iter().zip(j.column(c)).filter(|(i, _)| **i != c) {
                    by_row[i] = by_row[i].max(v.abs() / self.scale[c]);
                    by_column[c] = by_column[c].max(v.abs() * self.scale[i]);
                }
            }
            for i in 0..n {
                // only halfway to equality, because the other scales change too
                let d = (self.scale[i] * (by_column[i] / by_row[i]).sqrt()).sqrt();
                if d > 0.0 && d.is_finite() {
                    self.scale[i] = d;
                }
            }
        }
    }

    /// Replaces b by (α I − J)⁻¹ b.
    pub(super) fn solve(&mut self, b: &mut [T]) {
        let x = &mut self.x;
        for (&step, &b) in self.step.iter().zip(&*b) {
            x[step as usize] = b;
        }
        for k in 0..x.len() {
            let y = x[k];
            self.l.subtract(k, y, x);
        }
        for k in (0..x.len()).rev() {
            let y = std::mem::take(&mut x[k]) * self.inverse[k];
            self.u.subtract(k, y, x);
            b[self.order.columns[k] as usize] = y;
        }
    }
}
