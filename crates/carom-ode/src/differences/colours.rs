//! Groups of columns that share no row: the columns of one group are computed with one evaluation of the rates (A. R.
//! Curtis, M. J. D. Powell, J. K. Reid, J. Inst. Maths Applics 13 (1974) 117).

use crate::linear::Sparsity;

/// Columns grouped by colour: no two columns of a colour have a row in common.
#[derive(Debug)]
pub(super) struct Colours {
    /// index at which each colour starts in `columns`
    starts: Vec<usize>,
    columns: Vec<usize>,
}

impl Colours {
    /// Assigns colours greedily, in the order of the columns. If that takes more colours than the longest row has
    /// entries, it also tries the columns with most neighbours first (T. F. Coleman, J. J. Moré, SIAM J. Numer. Anal.
    /// 20 (1983) 187), and keeps the better result.
    pub(super) fn new(s: &Sparsity) -> Colours {
        let n = s.n();
        let mut rows = vec![Vec::new(); if s.is_full() { 0 } else { n }];
        for j in 0..n {
            for &i in s.rows(j).iter().filter(|_| !s.is_full()) {
                rows[i].push(j);
            }
        }
        let longest = rows.iter().map(Vec::len).max().unwrap_or(n);
        let mut order: Vec<usize> = (0..n).collect();
        if longest == n {
            return Colours { starts: (0..=n).collect(), columns: order };
        }
        let natural = greedy(s, &rows, &order);
        if natural.len() == longest {
            return natural;
        }
        order.sort_by_key(|&j| std::cmp::Reverse(s.rows(j).iter().map(|&i| rows[i].len()).sum::<usize>()));
        let sorted = greedy(s, &rows, &order);
        if sorted.len() < natural.len() { sorted } else { natural }
    }

    /// The number of colours.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the columns of a colour.
    pub(super) fn columns(&self, colour: usize) -> &[usize] {
        &self.columns[self.starts[colour]..self.starts[colour + 1]]
    }
}

/// Gives each column the first colour that none of its neighbours has; `rows` are the columns of each row.
fn greedy(s: &Sparsity, rows: &[Vec<usize>], order: &[usize]) -> Colours {
    let n = s.n();
    let mut colour = vec![usize::MAX; n];
    // the last column that met each colour among its neighbours
    let mut met_by: Vec<usize> = Vec::new();
    for &j in order {
        for &other in s.rows(j).iter().flat_map(|&i| &rows[i]) {
            if let Some(met) = met_by.get_mut(colour[other]) {
                *met = j;
            }
        }
        let free = met_by.iter().position(|&met| met != j).unwrap_or(met_by.len());
        if free == met_by.len() {
            met_by.push(usize::MAX);
        }
        colour[j] = free;
    }
    let mut columns: Vec<usize> = (0..n).collect();
    columns.sort_by_key(|&j| colour[j]);
    let mut starts = vec![0; met_by.len() + 1];
    for &c in &colour {
        starts[c + 1] += 1;
    }
    for c in 0..met_by.len() {
        starts[c + 1] += starts[c];
    }
    Colours { starts, columns }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_band_needs_as_many_colours_as_it_is_wide() {
        assert_eq!(Colours::new(&Sparsity::banded(100, 1, 1)).len(), 3);
        assert_eq!(Colours::new(&Sparsity::banded(100, 2, 3)).len(), 6);
        assert_eq!(Colours::new(&Sparsity::full(7)).len(), 7);
        assert_eq!(Colours::new(&Sparsity::new(7, [])).len(), 1);
        assert_eq!(Colours::new(&Sparsity::new(0, [])).len(), 0);
        // a full row: each column needs its own colour
        assert_eq!(Colours::new(&Sparsity::new(50, (0..50).map(|j| (0, j)))).len(), 50);
        // a full column: two colours
        assert_eq!(Colours::new(&Sparsity::new(50, (0..50).map(|i| (i, 0)))).len(), 2);
    }

    proptest! {
        #[test]
        fn columns_of_a_colour_share_no_row(
            n in 1usize..40,
            entries in prop::collection::vec((0usize..40, 0usize..40), 0..150),
        ) {
            let s = Sparsity::new(n, entries);
            let colours = Colours::new(&s);
            let mut seen = vec![0; n];
            for c in 0..colours.len() {
                let mut rows = vec![0; n];
                for &j in colours.columns(c) {
                    seen[j] += 1;
                    for &i in s.rows(j) {
                        rows[i] += 1;
                    }
                }
                prop_assert!(rows.iter().all(|&r| r <= 1));
            }
            prop_assert!(seen.iter().all(|&s| s == 1));
        }
    }
}
