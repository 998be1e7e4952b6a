//! L D Lᵀ factors of a symmetric matrix of small blocks whose pattern does not change.
//!
//! The matrix is S = Φ M⁻¹ Φᵀ: it has a diagonal block for every joint, and a block for every two joints that share a
//! body. Joints are eliminated in the order of least degree, so that a chain or a tree has no fill-in and its cost is
//! proportional to the number of its joints.
//!
//! S has no negative eigenvalues, and is singular where equations repeat others (are redundant). Let x be the fraction
//! of a row's diagonal that is left when all rows before it are eliminated: the part of the row that is new.
//! Permanently redundant equations have x = 0, and their multipliers are arbitrary; near a singular position, where
//! some equations repeat others for an instant, x is proportional to the square of the distance. There the reactions
//! remain finite but cannot be computed, so 1/x is replaced by x/(x² + ε²). Far from such positions this equals 1/x to
//! rounding error; at x = 0 the row's multiplier is zero, as long as the mechanism is within √ε of the position. This
//! affects only a motion that the equations determine again once the position is passed, and the deviation is removed
//! with the drift: the error is of the order of ε, and rates stay smooth.
//!
//! Which rows of a joint count as redundant must not depend on how its equations are written: as a body turns, the
//! redundant part moves from one row of its joint to another, though nothing is singular. So the rows of a joint are
//! chosen by pivoting, always the one with the largest new part; the rows that remain count as redundant and are
//! eliminated last.

mod small;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use small::{divide, factor_block, put_in_order, subtract, subtract_square};

/// ε: a row whose new part x is smaller is redundant.
const FILTER: f64 = 1e-11;
/// A row whose new part x is smaller is reported as redundant.
const REDUNDANT: f64 = 100.0 * FILTER;

/// The largest number of equations of a joint.
pub(crate) const MAX_ROWS: usize = 6;

/// The positions of the blocks, and the order in which they are eliminated. A node is a joint: a block row and block
/// column.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pattern {
    /// number of rows of each node
    sizes: Vec<usize>,
    /// first row of each node
    starts: Vec<usize>,
    columns: Vec<Column>,
    /// count of numbers in all blocks
    len: usize,
    widest: usize,
    /// for each row, whether it may be redundant
    may_repeat: Vec<bool>,
}

/// A block column, in the order of elimination.
#[derive(Clone, Debug)]
struct Column {
    node: usize,
    /// where the numbers of its diagonal block start
    diagonal: usize,
    /// ε², or 0 where no equation can be redundant
    filter: f64,
    below: Vec<Below>,
    /// where the block of each two nodes of `below` starts; the second node is the first or comes after it
    targets: Vec<usize>,
}

/// A block below the diagonal.
#[derive(Clone, Copy, Debug)]
struct Below {
    node: usize,
    at: usize,
}

impl Pattern {
    /// Builds the pattern of nodes of these sizes; `late`: whether a node is eliminated after those that are not late,
    /// whose order does not depend on it; `couples`: the pairs of nodes that share a body.
    pub(crate) fn new(
        sizes: &[usize],
        late: impl Fn(usize) -> bool,
        couples: impl Iterator<Item = (usize, usize)>,
    ) -> Pattern {
        let n = sizes.len();
        let mut graph = vec![BTreeSet::new(); n];
        for (i, j) in couples.filter(|(i, j)| i != j) {
            graph[i].insert(j);
            graph[j].insert(i);
        }
        let mut starts = vec![0; n + 1];
        for i in 0..n {
            starts[i + 1] = starts[i] + sizes[i];
        }
        let degree = |near: &BTreeSet<usize>, i: usize| near.iter().filter(|&&j| late(i) || !late(j)).count();
        let key = |graph: &[BTreeSet<usize>], i: usize| (late(i), degree(&graph[i], i), i);
        let mut queue: BTreeSet<(bool, usize, usize)> = (0..n).map(|i| key(&graph, i)).collect();
        let mut eliminated: Vec<(usize, Vec<usize>)> = Vec::with_capacity(n);
        while let Some((.., node)) = queue.pop_first() {
            let below: Vec<usize> = std::mem::take(&mut graph[node]).into_iter().collect();
            for &i in &below {
                queue.remove(&key(&graph, i));
                graph[i].remove(&node);
                graph[i].extend(below.iter().copied().filter(|&j| j != i));
                queue.insert(key(&graph, i));
            }
            eliminated.push((node, below));
        }
        let may_repeat = vec![true; sizes.iter().sum()];
        let mut pattern = Pattern { sizes: sizes.to_vec(), starts, may_repeat, ..Pattern::default() };
        pattern.lay_out(eliminated);
        pattern
    }

    /// Assigns every block its span in the storage, column by column, and finds into which blocks products of blocks
    /// go.
    fn lay_out(&mut self, eliminated: Vec<(usize, Vec<usize>)>) {
        let mut order = vec![0; self.sizes.len()];
        eliminated.iter().enumerate().for_each(|(k, (node, _))| order[*node] = k);
        for (node, mut below) in eliminated {
            below.sort_by_key(|&i| order[i]);
            let mut take = |numbers: usize| {
                self.len += numbers;
                self.len - numbers
            };
            let diagonal = take(self.sizes[node] * self.sizes[node]);
            let below =
                below.into_iter().map(|i| Below { node: i, at: take(self.sizes[i] * self.sizes[node]) });
            let filter = FILTER * FILTER;
            let column = Column { node, diagonal, filter, below: below.collect(), targets: Vec::new() };
            self.columns.push(column);
        }
        let rows = |c: &Column| c.below.iter().map(|b| self.sizes[b.node]).sum();
        self.widest = self.columns.iter().map(rows).max().unwrap_or(0);
        for k in 0..self.columns.len() {
            let below = &self.columns[k].below;
            let pairs = below.iter().enumerate().flat_map(|(l, j)| below[l..].iter().map(move |i| (i, j)));
            let targets = pairs.filter_map(|(i, j)| self.find(&order, i.node, j.node)).collect();
            self.columns[k].targets = targets;
        }
    }

    /// Returns where the block of row `i` and column `j` starts; `j` must be eliminated first.
    fn find(&self, order: &[usize], i: usize, j: usize) -> Option<usize> {
        let c = &self.columns[order[j]];
        if i == j {
            return Some(c.diagonal);
        }
        c.below.iter().find(|b| b.node == i).map(|b| b.at)
    }

    /// Returns where the block of two nodes starts, and whether the first is its row, which is the node eliminated
    /// later; `order` as from [`Pattern::elimination_order`].
    pub(crate) fn block(&self, order: &[usize], i: usize, j: usize) -> Option<(usize, bool)> {
        let later = order[i] >= order[j];
        let (row, column) = if later { (i, j) } else { (j, i) };
        self.find(order, row, column).map(|at| (at, later))
    }

    /// Returns the position of each node in the order of elimination.
    pub(crate) fn elimination_order(&self) -> Vec<usize> {
        let mut order = vec![0; self.sizes.len()];
        self.columns.iter().enumerate().for_each(|(k, c)| order[c.node] = k);
        order
    }

    /// Sets whether equations of a node may be redundant. Where they cannot, the filter ε² is left out.
    pub(crate) fn set_may_repeat(&mut self, node: usize, may: bool) {
        let (filter, rows) = (if may { FILTER * FILTER } else { 0.0 }, self.rows(node));
        self.may_repeat[rows].fill(may);
        self.columns.iter_mut().filter(|c| c.node == node).for_each(|c| c.filter = filter);
    }

    /// Returns the span of the numbers of every block.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = std::ops::Range<usize>> {
        self.columns.iter().flat_map(move |c| {
            let size = self.sizes[c.node];
            let below = c.below.iter().map(move |b| b.at..b.at + self.sizes[b.node] * size);
            std::iter::once(c.diagonal..c.diagonal + size * size).chain(below)
        })
    }

    /// Returns the rows of a node.
    pub(crate) fn rows(&self, node: usize) -> std::ops::Range<usize> {
        self.starts[node]..self.starts[node] + self.sizes[node]
    }

    /// Returns the number of rows of all nodes.
    pub(crate) fn total(&self) -> usize {
        self.sizes.iter().sum()
    }
}

/// The L D Lᵀ factors of a matrix with such a pattern, and workspace to compute them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Factors {
    /// the blocks of the matrix; of L once it is factored
    pub(crate) blocks: Vec<f64>,
    /// 1/D; this and the next two are in the order of elimination within each node
    inverse: Vec<f64>,
    /// x: the fraction of each row that is new
    new: Vec<f64>,
    /// which row of the node it is
    order: Vec<usize>,
    /// (L D) of the column that is being eliminated
    scaled: Vec<f64>,
}

impl Factors {
    pub(crate) fn new(pattern: &Pattern) -> Factors {
        let widest_node = pattern.sizes.iter().copied().max().unwrap_or(0);
        Factors {
            blocks: vec![0.0; pattern.len],
            inverse: vec![0.0; pattern.total()],
            new: vec![1.0; pattern.total()],
            order: pattern.sizes.iter().flat_map(|&n| 0..n).collect(),
            scaled: vec![0.0; pattern.widest * widest_node],
        }
    }

    /// Returns the fraction of each row that is new, in the order of elimination within each node.
    pub(crate) fn new_parts(&self) -> &[f64] {
        &self.new
    }

    /// Returns the row at position `at` in the order of elimination within its node, which has these rows.
    pub(crate) fn row_at(&self, rows: &std::ops::Range<usize>, at: usize) -> usize {
        rows.start + self.order[at]
    }

    /// Whether the row at this position in the order of elimination within its node is redundant.
    pub(crate) fn is_redundant(&self, p: &Pattern, row: usize) -> bool {
        p.may_repeat[row] && self.new[row] < REDUNDANT
    }

    /// Factors the matrix in `blocks`, in place.
    pub(crate) fn factor(&mut self, p: &Pattern) {
        for c in &p.columns {
            let m = p.sizes[c.node];
            for (k, row) in p.rows(c.node).enumerate() {
                self.new[row] = self.blocks[c.diagonal + k * (m + 1)];
            }
        }
        for c in &p.columns {
            // a separate instance for each size, so that the compiler unrolls the loops, whose length is then known
            match p.sizes[c.node] {
                1 => self.eliminate::<1>(p, c),
                2 => self.eliminate::<2>(p, c),
                3 => self.eliminate::<3>(p, c),
                4 => self.eliminate::<4>(p, c),
                5 => self.eliminate::<5>(p, c),
                _ => self.eliminate::<MAX_ROWS>(p, c),
            }
        }
    }

    /// Eliminates the M rows of a block column.
    fn eliminate<const M: usize>(&mut self, p: &Pattern, c: &Column) {
        let rows: usize = c.below.iter().map(|b| p.sizes[b.node]).sum();
        let first = c.diagonal + M * M;
        let (before, later) = self.blocks.split_at_mut(first + rows * M);
        let (diagonal, below) = before[c.diagonal..].split_at_mut(M * M);
        let (diagonal, _) = diagonal.as_chunks_mut::<M>();
        let range = p.rows(c.node);
        let (Some(inverse), Some(new), Some(order)) = (
            self.inverse[range.clone()].first_chunk_mut::<M>(),
            self.new[range.clone()].first_chunk_mut::<M>(),
            self.order[range].first_chunk_mut::<M>(),
        ) else {
            return;
        };
        // the blocks below the diagonal are stored one after another
        let (below, scaled) = (below.as_chunks_mut::<M>().0, self.scaled.as_chunks_mut::<M>().0);
        if c.filter > 0.0 {
            put_in_order(diagonal, new, order);
            below.iter_mut().for_each(|row| *row = order.map(|k| row[k]));
        }
        factor_block(diagonal, inverse, new, c.filter);
        for (row, scaled) in below.iter_mut().zip(scaled.iter_mut()) {
            divide(diagonal, inverse, row, scaled);
        }
        // S_ij −= L_ik D L_jkᵀ
        let mut targets = c.targets.iter();
        let mut at_j = 0;
        for (l, j) in c.below.iter().enumerate() {
            let n_j = p.sizes[j.node];
            let columns = &scaled[at_j..at_j + n_j];
            let mut at_i = at_j;
            for i in &c.below[l..] {
                let n_i = p.sizes[i.node];
                if let Some(target) = targets.next() {
                    // columns that are eliminated later are stored later
                    let target = &mut later[target - (first + rows * M)..][..n_i * n_j];
                    let rows = &below[at_i..at_i + n_i];
                    match columns.first_chunk::<M>().filter(|_| n_j == M) {
                        Some(columns) => subtract_square(target, rows, columns),
                        None => subtract(target, rows, columns),
                    }
                }
                at_i += n_i;
            }
            at_j += n_j;
        }
    }

    /// Solves S x = b in place.
    pub(crate) fn solve(&self, p: &Pattern, b: &mut [f64]) {
        for c in &p.columns {
            match p.sizes[c.node] {
                1 => self.forwards::<1>(p, c, b),
                2 => self.forwards::<2>(p, c, b),
                3 => self.forwards::<3>(p, c, b),
                4 => self.forwards::<4>(p, c, b),
                5 => self.forwards::<5>(p, c, b),
                _ => self.forwards::<MAX_ROWS>(p, c, b),
            }
        }
        for c in p.columns.iter().rev() {
            match p.sizes[c.node] {
                1 => self.backwards::<1>(p, c, b),
                2 => self.backwards::<2>(p, c, b),
                3 => self.backwards::<3>(p, c, b),
                4 => self.backwards::<4>(p, c, b),
                5 => self.backwards::<5>(p, c, b),
                _ => self.backwards::<MAX_ROWS>(p, c, b),
            }
        }
    }

    /// Applies L⁻¹ for a block column to b, and puts its rows in the order of elimination.
    #[inline(always)]
    fn forwards<const M: usize>(&self, p: &Pattern, c: &Column, b: &mut [f64]) {
        let at = p.starts[c.node];
        let (Some(own), Some(order)) = (b[at..].first_chunk_mut::<M>(), self.order[at..].first_chunk::<M>())
        else {
            return;
        };
        let diagonal = self.blocks[c.diagonal..].as_chunks::<M>().0;
        let mut x = if c.filter > 0.0 { order.map(|k| own[k]) } else { *own };
        for k in 0..M {
            for i in k + 1..M {
                x[i] -= diagonal[i][k] * x[k];
            }
        }
        *own = x;
        for below in &c.below {
            let rows = self.blocks[below.at..].as_chunks::<M>().0;
            let to = p.starts[below.node];
            for (b, row) in b[to..to + p.sizes[below.node]].iter_mut().zip(rows) {
                for k in 0..M {
                    *b -= row[k] * x[k];
                }
            }
        }
    }

    /// Applies L⁻ᵀ D⁻¹ for a block column to b, and puts its rows back in their own order.
    #[inline(always)]
    fn backwards<const M: usize>(&self, p: &Pattern, c: &Column, b: &mut [f64]) {
        let at = p.starts[c.node];
        let (Some(inverse), Some(order)) =
            (self.inverse[at..].first_chunk::<M>(), self.order[at..].first_chunk::<M>())
        else {
            return;
        };
        let mut x: [f64; M] = std::array::from_fn(|k| b[at + k] * inverse[k]);
        for below in &c.below {
            let rows = self.blocks[below.at..].as_chunks::<M>().0;
            let from = p.starts[below.node];
            for (b, row) in b[from..from + p.sizes[below.node]].iter().zip(rows) {
                for k in 0..M {
                    x[k] -= row[k] * b;
                }
            }
        }
        let diagonal = self.blocks[c.diagonal..].as_chunks::<M>().0;
        for i in (1..M).rev() {
            for k in 0..i {
                x[k] -= diagonal[i][k] * x[i];
            }
        }
        if c.filter > 0.0 {
            (0..M).for_each(|k| b[at + order[k]] = x[k]);
        } else {
            b[at..at + M].copy_from_slice(&x);
        }
    }
}
