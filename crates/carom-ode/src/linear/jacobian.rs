//! The Jacobian and its sparsity pattern.

use std::sync::{Arc, OnceLock};

use super::sparse::Order;

/// The sparsity pattern of a square matrix: for each column, the rows in which it may be non-zero, in order.
///
/// ```
/// use carom_ode::Sparsity;
/// // y_i' depends on its neighbours
/// let s = Sparsity::banded(5, 1, 1);
/// assert_eq!(s.rows(2), &[1, 2, 3]);
/// assert!(Sparsity::banded(5, usize::MAX, usize::MAX).is_full());
/// assert_eq!(Sparsity::new(2, [(0, 1), (1, 0), (0, 1)]).entries(), 4);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sparsity {
    /// index at which each column starts among all entries
    starts: Vec<usize>,
    /// the rows of all columns one after the other; for a full matrix, the rows of one column only
    rows: Vec<usize>,
}

impl Sparsity {
    /// Creates the pattern of order `n` with these (row, column) entries and the diagonal. Entries outside the matrix
    /// are left out.
    pub fn new(n: usize, entries: impl IntoIterator<Item = (usize, usize)>) -> Sparsity {
        let diagonal = (0..n).map(|i| (i, i));
        let mut all: Vec<(usize, usize)> = entries
            .into_iter()
            .chain(diagonal)
            .filter(|&(i, j)| i < n && j < n)
            .map(|(i, j)| (j, i))
            .collect();
        all.sort_unstable();
        all.dedup();
        if all.len() == n * n {
            return Sparsity::full(n);
        }
        let mut starts = vec![0; n + 1];
        for &(j, _) in &all {
            starts[j + 1] += 1;
        }
        for j in 0..n {
            starts[j + 1] += starts[j];
        }
        Sparsity { starts, rows: all.into_iter().map(|(_, i)| i).collect() }
    }

    /// Creates the pattern of a full matrix.
    pub fn full(n: usize) -> Sparsity {
        Sparsity { starts: (0..=n).map(|j| j * n).collect(), rows: (0..n).collect() }
    }

    /// Creates the pattern of a band matrix with `lower` diagonals below the main one and `upper` above it.
    pub fn banded(n: usize, lower: usize, upper: usize) -> Sparsity {
        let column = |j: usize| {
            (j.saturating_sub(upper)..j.saturating_add(lower).saturating_add(1).min(n)).map(move |i| (i, j))
        };
        Sparsity::new(n, (0..n).flat_map(column))
    }

    /// The order of the matrix.
    pub fn n(&self) -> usize {
        self.starts.len() - 1
    }

    /// The number of entries.
    pub fn entries(&self) -> usize {
        self.starts[self.n()]
    }

    /// Returns whether all entries may be non-zero.
    pub fn is_full(&self) -> bool {
        self.entries() == self.n() * self.n()
    }

    /// Returns the rows of a column.
    pub fn rows(&self, column: usize) -> &[usize] {
        if self.is_full() { &self.rows } else { &self.rows[self.range(column)] }
    }

    /// Returns the index range of the entries of a column.
    pub(crate) fn range(&self, column: usize) -> std::ops::Range<usize> {
        self.starts[column]..self.starts[column + 1]
    }
}

/// A Jacobian ∂f/∂y with the entries that its [`Sparsity`] allows.
#[derive(Clone, Debug)]
pub struct Jacobian {
    sparsity: Sparsity,
    full: bool,
    values: Vec<f64>,
    /// order of elimination, computed when first needed
    order: OnceLock<Arc<Order>>,
}

carom_portable::carried!(Jacobian { values } scratch { sparsity, full, order });

impl PartialEq for Jacobian {
    fn eq(&self, other: &Jacobian) -> bool {
        self.sparsity == other.sparsity && self.values == other.values
    }
}

impl Jacobian {
    /// Creates a Jacobian with all entries zero.
    pub fn new(sparsity: Sparsity) -> Jacobian {
        let values = vec![0.0; sparsity.entries()];
        Jacobian { full: sparsity.is_full(), values, sparsity, order: OnceLock::new() }
    }

    /// The order of the matrix.
    pub fn n(&self) -> usize {
        self.sparsity.n()
    }

    /// The positions at which it may be non-zero.
    pub fn sparsity(&self) -> &Sparsity {
        &self.sparsity
    }

    /// Returns the order of elimination for sparse factors: real and complex factors share it.
    pub(super) fn order(&self) -> Arc<Order> {
        Arc::clone(self.order.get_or_init(|| Arc::new(Order::new(&self.sparsity))))
    }

    /// Returns the values of a column, in the order of its [`rows`](Sparsity::rows).
    pub fn column(&self, j: usize) -> &[f64] {
        &self.values[self.sparsity.range(j)]
    }

    /// Returns ∂f_i/∂y_j.
    pub fn get(&self, i: usize, j: usize) -> f64 {
        self.entry_index(i, j).map_or(0.0, |k| self.values[k])
    }

    /// Sets ∂f_i/∂y_j. An entry outside the pattern, or of a quadrature, is ignored.
    ///
    /// ```
    /// use carom_ode::{Jacobian, Sparsity};
    /// let mut j = Jacobian::new(Sparsity::full(2));
    /// j.set(0, 1, 1.0);
    /// j.add(0, 1, 0.5);
    /// assert_eq!(j.get(0, 1), 1.5);
    /// ```
    pub fn set(&mut self, i: usize, j: usize, value: f64) {
        if let Some(k) = self.entry_index(i, j) {
            self.values[k] = value;
        }
    }

    /// Adds to ∂f_i/∂y_j. An entry outside the pattern is ignored.
    pub fn add(&mut self, i: usize, j: usize, value: f64) {
        if let Some(k) = self.entry_index(i, j) {
            self.values[k] += value;
        }
    }

    /// Adds to ∂f_i/∂y_j for the rows from `first` on; entries directly below each other are found with one search.
    /// Entries outside the pattern are ignored.
    ///
    /// ```
    /// use carom_ode::{Jacobian, Sparsity};
    /// let mut j = Jacobian::new(Sparsity::banded(4, 1, 1));
    /// j.add_rows(1, 2, &[0.5, 2.0, 3.0]);
    /// assert_eq!([j.get(1, 2), j.get(2, 2), j.get(3, 2), j.get(0, 2)], [0.5, 2.0, 3.0, 0.0]);
    /// ```
    pub fn add_rows(&mut self, first: usize, j: usize, values: &[f64]) {
        let n = self.n();
        if j >= n {
            return;
        }
        let range = self.sparsity.range(j);
        let rows = if self.full { &self.sparsity.rows } else { &self.sparsity.rows[range.clone()] };
        let k = if self.full { first } else { rows.partition_point(|&row| row < first) };
        let (Some(rows), Some(entries)) = (rows.get(k..), self.values[range].get_mut(k..)) else { return };
        let last = values.len().checked_sub(1);
        if last.is_some_and(|last| rows.get(last) == Some(&(first + last))) {
            // the rows are contiguous
            entries.iter_mut().zip(values).for_each(|(entry, value)| *entry += value);
            return;
        }
        for (row, entry) in rows.iter().zip(entries) {
            match values.get(row - first) {
                Some(value) => *entry += value,
                None => break,
            }
        }
    }

    /// Sets all entries to zero.
    pub fn clear(&mut self) {
        self.values.fill(0.0);
    }

    fn entry_index(&self, i: usize, j: usize) -> Option<usize> {
        let n = self.n();
        if i >= n || j >= n {
            return None;
        }
        if self.full {
            return Some(j * n + i);
        }
        let k = self.sparsity.rows(j).binary_search(&i).ok()?;
        Some(self.sparsity.range(j).start + k)
    }
}
