//! Tests of the factors against the matrices that they are computed from.

use super::*;
use carom_base::Vec3;
use nalgebra::{DMatrix, DVector};

/// Factors G Gᵀ with blocks coupled as `couples`; `repeat`: the last row of the last node equals the first row.
fn case(sizes: &[usize], couples: &[(usize, usize)], repeat: bool) {
    let mut seed = 1u64;
    let mut random = move || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 11) as f64 / (1u64 << 53) as f64 - 0.5
    };
    let starts: Vec<usize> = sizes.iter().scan(0, |at, n| Some(std::mem::replace(at, *at + n))).collect();
    let n: usize = sizes.iter().sum();
    // every node has columns of its own, and so has every couple: they are coupled as joints are by bodies
    let mut g = DMatrix::<f64>::zeros(n, 6 * (sizes.len() + couples.len()));
    let pairs = (0..sizes.len()).map(|i| (i, i)).chain(couples.iter().copied());
    for (c, (i, j)) in pairs.enumerate() {
        for node in [i, j] {
            for row in starts[node]..starts[node] + sizes[node] {
                (0..6).for_each(|k| g[(row, 6 * c + k)] = random());
            }
        }
    }
    if repeat {
        let row = g.row(0).into_owned();
        g.set_row(n - 1, &row);
    }
    let s = &g * g.transpose();
    let mut coupled = couples.to_vec();
    if repeat {
        let last = sizes.len() - 1;
        coupled.extend((0..sizes.len()).map(|i| (last, i)));
    }
    let p = Pattern::new(sizes, |_| false, coupled.iter().copied());
    let order = p.elimination_order();
    let mut f = Factors::new(&p);
    for i in 0..sizes.len() {
        for j in 0..=i {
            let Some((at, i_is_row)) = p.block(&order, i, j) else { continue };
            let (row, column) = if i_is_row { (i, j) } else { (j, i) };
            for a in 0..sizes[row] {
                for b in 0..sizes[column] {
                    f.blocks[at + a * sizes[column] + b] = s[(starts[row] + a, starts[column] + b)];
                }
            }
        }
    }
    f.factor(&p);
    let exact = DVector::from_fn(n, |_, _| random());
    let b = &s * &exact;
    let mut x: Vec<f64> = b.iter().copied().collect();
    f.solve(&p, &mut x);
    let left = &s * DVector::from_vec(x) - &b;
    assert!(left.amax() < 1e-12 * b.amax(), "{sizes:?}: {left}");
    assert_eq!((0..n).filter(|&i| f.is_redundant(&p, i)).count(), usize::from(repeat));
}

#[test]
fn solves_chains_trees_and_loops() {
    case(&[5], &[], false);
    case(&[5, 5, 3, 6, 1], &[(0, 1), (1, 2), (2, 3), (3, 4)], false);
    case(&[3, 1, 5, 2, 6, 5], &[(0, 1), (0, 2), (0, 3), (0, 4), (4, 5)], false);
    case(&[5, 5, 5, 5, 5], &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (1, 3)], false);
}

#[test]
fn leaves_out_rows_that_repeat_others() {
    case(&[5, 5, 3], &[(0, 1), (1, 2)], true);
    case(&[2, 3, 6, 1], &[(0, 1), (1, 2), (2, 3), (3, 0)], true);
}

#[test]
fn a_chain_has_no_fill() {
    let p = Pattern::new(&[5; 1000], |_| false, (1..1000).map(|i| (i - 1, i)));
    assert_eq!(p.len, 25 * (1000 + 999));
}

/// Two rows of a joint turn relative to the row that they repeat in part: the redundant part moves from one of them to
/// the other, and in all positions the last row in order is the redundant one.
#[test]
fn what_is_repeated_may_go_from_row_to_row() {
    let p = Pattern::new(&[2, 2], |_| false, [(0, 1)].into_iter());
    let order = p.elimination_order();
    let mut f = Factors::new(&p);
    for i in 0..200 {
        let (sin, cos) = (0.01 * f64::from(i)).sin_cos();
        // the first node has x and z, the second x and y, turned
        let g = [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [cos, sin, 0.0], [-sin, cos, 0.0]].map(Vec3::from);
        let late = order.iter().position(|at| *at == 1).unwrap();
        for (i, j) in [(0, 0), (0, 1), (1, 1)] {
            let (at, i_is_row) = p.block(&order, i, j).unwrap();
            let (row, column) = if i_is_row { (i, j) } else { (j, i) };
            for a in 0..2 {
                for b in 0..2 {
                    f.blocks[at + 2 * a + b] = g[2 * row + a].dot(&g[2 * column + b]);
                }
            }
        }
        f.factor(&p);
        let new: Vec<f64> = f.new_parts()[p.rows(late)].to_vec();
        assert!(new[0] > 0.49 && new[1].abs() < 1e-15, "{i}: {new:?}");
        // a right-hand side for which a solution exists
        let load = Vec3::new(0.3, -0.8, 0.5);
        let mut x: Vec<f64> = g.iter().map(|g| g.dot(&load)).collect();
        f.solve(&p, &mut x);
        let found: Vec3 = g.iter().zip(&x).map(|(g, x)| g * *x).sum();
        assert!((found - load).norm() < 1e-14, "{i}: {found}");
    }
}
