//! Operations on small blocks, with loops of constant length, which the compiler unrolls.

use super::REDUNDANT;

/// Puts the redundant rows of a block (its lower triangle) last: the rows that remain when always the row with the
/// largest new part is taken. `was`: the diagonal before anything was eliminated; it is put in the same order.
#[inline(always)]
pub(super) fn put_in_order<const M: usize>(a: &mut [[f64; M]], was: &mut [f64; M], order: &mut [usize; M]) {
    let whole: [[f64; M]; M] = std::array::from_fn(|i| std::array::from_fn(|j| a[i.max(j)][i.min(j)]));
    let (mut left, given) = (whole, *was);
    *order = std::array::from_fn(|k| k);
    let mut taken = 0;
    while taken < M {
        // a row of zeros has no new part
        let new = |i: usize| if given[i] > 0.0 { left[i][i] / given[i] } else { 0.0 };
        let most = (taken + 1..M).fold(taken, |m, k| if new(order[k]) > new(order[m]) { k } else { m });
        order.swap(taken, most);
        let pivot = order[taken];
        if !(new(pivot) > REDUNDANT) {
            break;
        }
        taken += 1;
        for &i in &order[taken..] {
            let l = left[i][pivot] / left[pivot][pivot];
            for &j in &order[taken..] {
                left[i][j] -= l * left[pivot][j];
            }
        }
    }
    order[..taken].sort_unstable();
    order[taken..].sort_unstable();
    for i in 0..M {
        was[i] = given[order[i]];
        a[i] = order.map(|j| whole[order[i]][j]);
    }
}

/// Computes L D Lᵀ of a block in place (its lower triangle), and 1/D. `new` holds on entry the diagonal before anything
/// was eliminated, on return the fraction of each row that is new.
#[inline(always)]
pub(super) fn factor_block<const M: usize>(
    a: &mut [[f64; M]],
    inverse: &mut [f64; M],
    new: &mut [f64; M],
    filter: f64,
) {
    for k in 0..M {
        let was = new[k];
        // a row of zeros constrains nothing
        let x = if was > 0.0 { a[k][k] / was } else { 0.0 };
        new[k] = x;
        inverse[k] = if x > 0.0 { x / ((x * x + filter) * was) } else { 0.0 };
        let column: [f64; M] = std::array::from_fn(|i| a[i][k]);
        for i in k + 1..M {
            let l = column[i] * inverse[k];
            for j in k + 1..=i {
                a[i][j] -= l * column[j];
            }
            a[i][k] = l;
        }
    }
}

/// Computes L and L D of a row of a block below the diagonal; `row` holds the row of S on entry, L on return.
#[inline(always)]
pub(super) fn divide<const M: usize>(
    diagonal: &[[f64; M]],
    inverse: &[f64; M],
    row: &mut [f64; M],
    scaled: &mut [f64; M],
) {
    // at the start of step k, scaled[k] is (L D)_ik
    *scaled = *row;
    for k in 0..M {
        for j in k + 1..M {
            scaled[j] -= diagonal[j][k] * scaled[k];
        }
    }
    *row = std::array::from_fn(|k| scaled[k] * inverse[k]);
}

/// Computes target −= rows · columnsᵀ where there are as many columns as each is long.
#[inline(always)]
pub(super) fn subtract_square<const M: usize>(
    target: &mut [f64],
    rows: &[[f64; M]],
    columns: &[[f64; M]; M],
) {
    // transposed, so that the numbers of a row are adjacent in memory
    let mut across = [[0.0; M]; M];
    for k in 0..M {
        for c in 0..M {
            across[k][c] = columns[c][k];
        }
    }
    for (target, row) in target.as_chunks_mut::<M>().0.iter_mut().zip(rows) {
        let mut sum = *target;
        for k in 0..M {
            for c in 0..M {
                sum[c] -= row[k] * across[k][c];
            }
        }
        *target = sum;
    }
}

/// Computes target −= rows · columnsᵀ.
#[inline(always)]
pub(super) fn subtract<const M: usize>(target: &mut [f64], rows: &[[f64; M]], columns: &[[f64; M]]) {
    for (target, row) in target.chunks_exact_mut(columns.len()).zip(rows) {
        for (x, column) in target.iter_mut().zip(columns) {
            let mut sum = 0.0;
            for k in 0..M {
                sum += row[k] * column[k];
            }
            *x -= sum;
        }
    }
}
