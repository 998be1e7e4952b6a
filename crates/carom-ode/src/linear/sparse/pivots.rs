//! The search for pivots, which also determines the patterns of L and U.
//!
//! It works column by column. The non-zero entries of L⁻¹ a are the rows that can be reached from those of a in the
//! graph of L (Gilbert, Peierls, theorem 1), found by depth-first search. Then follows the arithmetic, then the choice
//! of the pivot among the rows that have none yet (Davis, *Direct Methods*, section 6.2).

use super::{Columns, SparseLu};
use crate::linear::field::Field;
use crate::linear::jacobian::Jacobian;

/// Marks rows without an elimination step.
const NONE: u32 = u32::MAX;

/// The workspace of the depth-first search.
#[derive(Debug)]
pub(super) struct Search {
    /// the step in which each row was last reached
    reached: Vec<u32>,
    /// the rows reached, in topological order; filled from the end
    rows: Vec<u32>,
    /// the rows on the present path, and the position to continue in their columns
    path: Vec<(u32, usize)>,
}

impl Search {
    pub(super) fn new(n: usize) -> Search {
        Search { reached: vec![NONE; n], rows: vec![0; n], path: Vec::with_capacity(n) }
    }

    /// Finds the rows reached from `start` in the graph of L at step k, each before those that depend on it:
    /// `rows[top..]`. Returns `top`.
    fn reach<T: Field>(&mut self, k: usize, start: &[usize], step: &[u32], l: &Columns<T>) -> usize {
        let mut top = self.rows.len();
        // index range of the children of a row among the entries of L
        let children = |row: u32| match step[row as usize] {
            NONE => 0..0,
            step => l.range(step as usize),
        };
        for &i in start {
            if self.reached[i] == k as u32 {
                continue;
            }
            self.reached[i] = k as u32;
            self.path.push((i as u32, children(i as u32).start));
            while let Some((row, at)) = self.path.last_mut() {
                let rest = *at..children(*row).end;
                let new = rest.clone().find(|&e| self.reached[l.rows[e] as usize] != k as u32);
                if let Some(e) = new {
                    *at = e + 1;
                    let child = l.rows[e];
                    self.reached[child as usize] = k as u32;
                    self.path.push((child, children(child).start));
                } else {
                    top -= 1;
                    self.rows[top] = *row;
                    self.path.pop();
                }
            }
        }
        top
    }
}

impl<T: Field> SparseLu<T> {
    /// Chooses pivots: the diagonal if it is at least `share` of the largest entry left in its column, else that
    /// largest entry. Sets the patterns of L and U; their values are left to `refactor`.
    pub(super) fn seek_pivots(&mut self, alpha: T, j: &Jacobian, share: f64) -> Result<(), usize> {
        let n = self.step.len();
        self.step.fill(NONE);
        self.search.reached.fill(NONE);
        self.x.fill(T::default());
        for columns in [&mut self.l, &mut self.u] {
            columns.rows.clear();
            columns.values.clear();
            columns.starts.clear();
            columns.starts.push(0);
        }
        for k in 0..n {
            let column = self.order.columns[k] as usize;
            let start = j.sparsity().rows(column);
            let top = self.search.reach(k, start, &self.step, &self.l);
            for (&i, &v) in start.iter().zip(j.column(column)) {
                self.x[i] = if i == column { alpha - T::from(v) } else { T::from(-v) };
            }
            for &row in &self.search.rows[top..] {
                let step = self.step[row as usize];
                if step != NONE {
                    self.u.rows.push(step);
                    let factor = self.x[row as usize];
                    self.l.subtract(step as usize, factor, &mut self.x);
                }
            }
            let pivot = self.choose(column, top, share).ok_or(column)?;
            self.store(k, top, pivot);
        }
        self.finish(n);
        Ok(())
    }

    /// Returns the row of the pivot, among the rows reached that have no step. `None`: all are zero, or the pivot is
    /// too small to be inverted.
    fn choose(&self, column: usize, top: usize, share: f64) -> Option<usize> {
        let (mut pivot, mut largest) = (column, 0.0);
        for &row in &self.search.rows[top..] {
            let row = row as usize;
            let size = self.x[row].size() * self.scale[row];
            if self.step[row] == NONE && size > largest {
                (pivot, largest) = (row, size);
            }
        }
        let diagonal = self.x[column].size() * self.scale[column];
        if self.step[column] == NONE && diagonal >= share * largest {
            pivot = column;
        }
        (largest > 0.0 && self.x[pivot].inverse().size().is_finite()).then_some(pivot)
    }

    /// Stores column k of L, with rows not yet numbered by steps, and sets x to zero.
    fn store(&mut self, k: usize, top: usize, pivot: usize) {
        let inverse = self.x[pivot].inverse();
        for &row in &self.search.rows[top..] {
            let x = std::mem::take(&mut self.x[row as usize]);
            if self.step[row as usize] == NONE && row as usize != pivot {
                self.l.rows.push(row);
                self.l.values.push(x * inverse);
            }
        }
        self.step[pivot] = k as u32;
        self.l.starts.push(self.l.rows.len());
        self.u.starts.push(self.u.rows.len());
    }

    /// Numbers the rows of L by their steps, and sorts all rows.
    fn finish(&mut self, n: usize) {
        for row in &mut self.l.rows {
            *row = self.step[*row as usize];
        }
        for (&step, &scale) in self.step.iter().zip(&self.scale) {
            self.scale_by_step[step as usize] = scale;
        }
        self.u.values.resize(self.u.rows.len(), T::default());
        for columns in [&mut self.l, &mut self.u] {
            for k in 0..n {
                let range = columns.range(k);
                columns.rows[range].sort_unstable();
            }
        }
    }
}
