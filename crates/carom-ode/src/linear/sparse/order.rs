//! The order of the columns, and the size of the factors in that order.
//!
//! Minimum degree ordering is applied to the pattern of A + Aᵀ, because pivots are sought on the diagonal, which α I −
//! J always has. Then the elimination tree (J. W. H. Liu, SIAM J. Matrix Anal. Appl. 11 (1990) 134) is put in
//! postorder: the fill is the same, but columns that meet in the factorisation lie near each other in memory. The tree
//! also gives the exact number of entries (T. A. Davis, *Direct Methods for Sparse Linear Systems*, SIAM 2006, chapter
//! 4), so that memory is allocated before anything is factored. No block triangular form is used: mechanisms and grids
//! are one block, and where there are more blocks, elimination within A + Aᵀ costs fill but no accuracy.

use super::degree::minimum_degree;
use crate::linear::jacobian::Sparsity;

const NONE: u32 = u32::MAX;

/// The order of the columns of a pattern. Real and complex factors share it.
#[derive(Clone, Debug)]
pub(in crate::linear) struct Order {
    /// the column eliminated at step k
    pub(super) columns: Vec<u32>,
    /// number of entries of L below the diagonal, and of U above it, if all pivots are on the diagonal
    pub(super) fill: usize,
    /// largest number of multiplications of a factorisation, under the same condition
    pub(in crate::linear) work: f64,
}

impl Order {
    /// Finds a good order for a pattern.
    pub(in crate::linear) fn new(pattern: &Sparsity) -> Order {
        let neighbours = neighbours(pattern);
        let mut columns = minimum_degree(neighbours.clone());
        let (parents, counts) = elimination_tree(&neighbours, &columns);
        columns = postorder(&parents).iter().map(|&k| columns[k as usize]).collect();
        Order {
            columns,
            fill: counts.iter().sum(),
            work: counts.iter().map(|&c| c as f64 * (c as f64 + 1.0)).sum(),
        }
    }
}

/// Returns the graph of A + Aᵀ without loops.
fn neighbours(pattern: &Sparsity) -> Vec<Vec<u32>> {
    let n = pattern.n();
    let mut all = vec![Vec::new(); n];
    for j in 0..n {
        for &i in pattern.rows(j).iter().filter(|&&i| i != j) {
            all[i].push(j as u32);
            all[j].push(i as u32);
        }
    }
    for list in &mut all {
        list.sort_unstable();
        list.dedup();
    }
    all
}

/// Returns, for each step of the elimination, the first later step that it changes (its parent), and the number of all
/// steps that it changes.
fn elimination_tree(neighbours: &[Vec<u32>], columns: &[u32]) -> (Vec<u32>, Vec<usize>) {
    let n = columns.len();
    let mut step = vec![0; n];
    for (k, &j) in columns.iter().enumerate() {
        step[j as usize] = k;
    }
    let mut parents = vec![NONE; n];
    let mut counts = vec![0; n];
    let mut row = vec![NONE; n];
    for (k, &j) in columns.iter().enumerate() {
        row[k] = k as u32;
        // row k of L: from each entry of the matrix up the tree (Davis, section 4.1)
        for &i in &neighbours[j as usize] {
            let mut i = step[i as usize];
            while i < k && row[i] != k as u32 {
                row[i] = k as u32;
                counts[i] += 1;
                if parents[i] == NONE {
                    parents[i] = k as u32;
                }
                i = parents[i] as usize;
            }
        }
    }
    (parents, counts)
}

/// Returns the nodes of a forest, each after its children.
fn postorder(parents: &[u32]) -> Vec<u32> {
    let n = parents.len();
    let mut first = vec![NONE; n];
    let mut next = vec![NONE; n];
    let mut path = Vec::new();
    // backwards, so that the lists are in order
    for k in (0..n).rev() {
        let list = first.get_mut(parents[k] as usize);
        match list {
            Some(first) => next[k] = std::mem::replace(first, k as u32),
            None => path.push(k as u32),
        }
    }
    let mut order = Vec::with_capacity(n);
    while let Some(&k) = path.last() {
        match std::mem::replace(&mut first[k as usize], NONE) {
            NONE => {
                order.push(k);
                path.pop();
                let sibling = next[k as usize];
                if sibling != NONE {
                    path.push(sibling);
                }
            }
            child => path.push(child),
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Counts the entries of L by performing the elimination.
    fn fill(pattern: &Sparsity, columns: &[u32]) -> usize {
        let n = pattern.n();
        let mut a = vec![vec![false; n]; n];
        for j in 0..n {
            for &i in pattern.rows(j) {
                a[i][j] = true;
                a[j][i] = true;
            }
        }
        let mut gone = vec![false; n];
        let mut fill = 0;
        for &p in columns {
            let p = p as usize;
            gone[p] = true;
            let rest: Vec<usize> = (0..n).filter(|&i| a[p][i] && !gone[i]).collect();
            fill += rest.len();
            for &i in &rest {
                for &j in &rest {
                    a[i][j] = true;
                }
            }
        }
        fill
    }

    fn is_permutation(columns: &[u32]) -> bool {
        let mut sorted = columns.to_vec();
        sorted.sort_unstable();
        sorted.iter().enumerate().all(|(i, &k)| i == k as usize)
    }

    proptest! {
        #[test]
        fn every_column_once_and_the_fill_is_known(
            n in 1usize..40,
            entries in prop::collection::vec((0usize..40, 0usize..40), 0..150),
        ) {
            let pattern = Sparsity::new(n, entries);
            let order = Order::new(&pattern);
            prop_assert_eq!(order.columns.len(), n);
            prop_assert!(is_permutation(&order.columns));
            prop_assert_eq!(order.fill, fill(&pattern, &order.columns));
        }
    }

    #[test]
    fn trees_and_chains_do_not_fill() {
        let n = 1000;
        assert_eq!(Order::new(&Sparsity::banded(n, 1, 1)).fill, n - 1);
        let star = Sparsity::new(n, (0..n).flat_map(|i| [(0, i), (i, 0)]));
        assert_eq!(Order::new(&star).fill, n - 1);
        // a binary tree
        let tree = Sparsity::new(n, (1..n).flat_map(|i| [((i - 1) / 2, i), (i, (i - 1) / 2)]));
        assert_eq!(Order::new(&tree).fill, n - 1);
        // entries on one side only give the same fill as on both
        assert_eq!(Order::new(&Sparsity::banded(n, 1, 0)).fill, n - 1);
        // a band is best in its natural order
        assert!(Order::new(&Sparsity::banded(n, 4, 4)).fill <= 4 * n);
    }

    /// A square grid fills like 31/8 n log₂ n at best (nested dissection), n^1.5 in natural order.
    #[test]
    fn a_grid_fills_little() {
        let m = 100;
        let order = Order::new(&grid(m));
        assert!(is_permutation(&order.columns));
        let n = m * m;
        assert!(order.fill < 30 * n, "{}", order.fill);
    }

    fn grid(m: usize) -> Sparsity {
        let at = |i, j| i * m + j;
        let right = (0..m).flat_map(|i| (1..m).map(move |j| (at(i, j - 1), at(i, j))));
        let down = (1..m).flat_map(|i| (0..m).map(move |j| (at(i - 1, j), at(i, j))));
        Sparsity::new(m * m, right.chain(down).flat_map(|(a, b)| [(a, b), (b, a)]))
    }

    /// Patterns with a hundred thousand unknowns, also with full rows and columns.
    #[test]
    fn large_patterns_take_no_time() {
        let n = 100_000;
        assert_eq!(Order::new(&Sparsity::banded(n, 1, 1)).fill, n - 1);
        let arrow = (0..n).flat_map(|i| [(n / 2, i), (i, n / 2), (i, (i + 1) % n)]);
        let order = Order::new(&Sparsity::new(n, arrow));
        assert!(is_permutation(&order.columns) && order.fill < 4 * n, "{}", order.fill);
    }
}
