//! Pivots, and with them the patterns of L and U.
//!
//! Column by column: the entries of L⁻¹ a are the rows that can be reached from those of a in the graph of L (Gilbert,
//! Peierls, theorem 1), found by searching in depth; then the arithmetic, then the pivot among the rows that have none
//! (Davis, *Direct Methods*, section 6.2).

use super::{Columns, SparseLu};
use crate::linear::field::Field;
use crate::linear::jacobian::Jacobian;

/// No step yet.
const NONE: u32 = u32::MAX;

/// What the search in depth writes on.
#[derive(Debug)]
pub(super) struct Search {
    /// the step a row was last reached in
    reached: Vec<u32>,
    /// the rows reached, last of all those of the matrix itself: filled from the end
    rows: Vec<u32>,
    /// the rows on the way down, and where to go on in their columns
    path: Vec<(u32, usize)>,
}

impl Search {
    pub(super) fn new(n: usize) -> Search {
        Search { reached: vec![NONE; n], rows: vec![0; n], path: Vec::with_capacity(n) }
    }

    /// The rows reached from `start` in the graph of L at step k, each before those that depend on it: `rows[top..]`.
    fn reach<T: Field>(&mut self, k: usize, start: &[usize], step: &[u32], l: &Columns<T>) -> usize {
        let mut top = self.rows.len();
        // where the children of a row are among the entries of L
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
    /// Chooses pivots: the diagonal where it is at least `share` of the largest entry left in its column, else that
    /// one. Sets the patterns of L and U; the values are left to `refactor`.
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

    /// The row of the pivot, out of those reached that have no step. None: they are all zero.
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

    /// Stores column k of L, its rows not yet by steps, and leaves x zero.
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

    /// Names the rows of L by their steps; puts all rows in order.
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
