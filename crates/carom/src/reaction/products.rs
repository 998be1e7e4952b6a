//! Products of gradients, row by row. Nearly all bodies are rigid and have six accelerations, and joints have at most
//! six equations: loops of constant length are unrolled by the compiler.

use carom_base::{Mat3, Vec3, inverse};

use crate::body::{Inertia, Rotation};
use crate::joint::{End, MAX_ROWS, Product};
use crate::world::BodyModel;

/// Returns Σ λ · `of`, over the rows of a constraint, for one of its bodies; `of`: gradients or responses.
#[inline(always)]
pub(super) fn sum_of(lambda: &[f64], of: &[f64], end: &End) -> [f64; 12] {
    let mut sum = [0.0; 12];
    let of = &of[end.at..];
    match end.width {
        0 => {}
        6 => {
            let mut six = [0.0; 6];
            for (lambda, g) in lambda.iter().zip(of.as_chunks::<6>().0) {
                (0..6).for_each(|i| six[i] += lambda * g[i]);
            }
            sum[..6].copy_from_slice(&six);
        }
        _ => {
            for (lambda, g) in lambda.iter().zip(of.as_chunks::<12>().0) {
                (0..12).for_each(|i| sum[i] += lambda * g[i]);
            }
        }
    }
    sum
}

/// Computes x −= Φ_q a for the rows of a constraint and one of its bodies.
#[inline(always)]
pub(super) fn subtract(x: &mut [f64], loads: &[f64], end: &End, a: &[f64; 12]) {
    let loads = &loads[end.at..];
    match end.width {
        0 => {}
        6 => {
            for (x, g) in x.iter_mut().zip(loads.as_chunks::<6>().0) {
                // two sums at a time
                let pair = |i: usize| g[i] * a[i] + g[i + 2] * a[i + 2] + g[i + 4] * a[i + 4];
                *x -= pair(0) + pair(1);
            }
        }
        _ => {
            for (x, g) in x.iter_mut().zip(loads.as_chunks::<12>().0) {
                *x -= g.iter().zip(a).map(|(g, a)| g * a).sum::<f64>();
            }
        }
    }
}

/// Returns the inverse inertia in the world, from torques to angular accelerations; for a body that deforms, F⁻¹.
#[inline(always)]
pub(super) fn response_of(b: &BodyModel, r: &Mat3) -> Mat3 {
    match (&b.soft, b.dofs.rotation, &b.inertia) {
        (Some(_), ..) => inverse(r).1,
        (None, Rotation::Free, Inertia::General { inverse, .. }) => r * (inverse * r.transpose()),
        _ => Mat3::from_columns(&[0, 1, 2].map(|i| b.angular_response(r, &Vec3::ith(i, 1.0)))),
    }
}

/// Applies M⁻¹ of a body to gradients; `share`: m(0)/m(t).
#[inline(always)]
pub(super) fn respond(b: &BodyModel, inverse: &Mat3, share: f64, loads: &[f64], responses: &mut [f64]) {
    let along = b.inverse_mass * share;
    match &b.soft {
        None => {
            let w = inverse * share;
            for (g, a) in loads.as_chunks::<6>().0.iter().zip(responses.as_chunks_mut::<6>().0) {
                let about = |i: usize| w[(i, 0)] * g[3] + w[(i, 1)] * g[4] + w[(i, 2)] * g[5];
                *a = [g[0] * along.x, g[1] * along.y, g[2] * along.z, about(0), about(1), about(2)];
            }
        }
        Some(soft) => {
            for (g, a) in loads.as_chunks::<12>().0.iter().zip(responses.as_chunks_mut::<12>().0) {
                let bent = soft.response(inverse, &(Mat3::from_column_slice(&g[3..]) * share));
                (0..3).for_each(|i| a[i] = g[i] * along[i]);
                a[3..].copy_from_slice(bent.as_slice());
            }
        }
    }
}

/// Computes block = loads · responsesᵀ or, if it is not the first product of that block, block += loads · responsesᵀ.
#[inline(always)]
pub(super) fn multiply(p: &Product, loads: &[f64], responses: &[f64], blocks: &mut [f64]) {
    let (loads, responses) = (&loads[p.at[0]..], &responses[p.at[1]..]);
    let block = &mut blocks[p.block..];
    match (p.width, p.rows[1]) {
        (6, 1) => rigid::<1>(p, loads, responses, block),
        (6, 2) => rigid::<2>(p, loads, responses, block),
        (6, 3) => rigid::<3>(p, loads, responses, block),
        (6, 4) => rigid::<4>(p, loads, responses, block),
        (6, 5) => rigid::<5>(p, loads, responses, block),
        (6, _) => rigid::<MAX_ROWS>(p, loads, responses, block),
        (_, columns) => {
            let (loads, responses) = (loads.as_chunks::<12>().0, responses.as_chunks::<12>().0);
            for (block, g) in block.chunks_exact_mut(columns).zip(loads).take(p.rows[0]) {
                for (x, a) in block.iter_mut().zip(responses) {
                    let product = g.iter().zip(a).map(|(g, a)| g * a).sum::<f64>();
                    *x = if p.first { product } else { *x + product };
                }
            }
        }
    }
}

/// Adds the product of a constraint's gradients and the responses of a constraint with C rows, for a rigid body.
#[inline(always)]
fn rigid<const C: usize>(p: &Product, loads: &[f64], responses: &[f64], block: &mut [f64]) {
    let Some(responses) = responses.as_chunks::<6>().0.first_chunk::<C>() else { return };
    let (block, loads) = (block.as_chunks_mut::<C>().0, loads.as_chunks::<6>().0);
    let rows = p.rows[0].min(block.len()).min(loads.len());
    let (block, loads) = (&mut block[..rows], &loads[..rows]);
    couples(p.first, loads, responses, block);
    if p.along_axes {
        for i in 0..C.min(rows).min(3) {
            block[i][i] += loads[i][i] * responses[i][i];
        }
    } else {
        forces(loads, responses, block);
    }
}

/// Adds the contribution of forces: block += loads · responsesᵀ over the first three of six accelerations.
fn forces<const C: usize>(loads: &[[f64; 6]], responses: &[[f64; 6]; C], block: &mut [[f64; C]]) {
    for (row, g) in block.iter_mut().zip(loads) {
        for c in 0..C {
            let a = &responses[c];
            row[c] += g[0] * a[0] + g[1] * a[1] + g[2] * a[2];
        }
    }
}

/// Adds the contribution of couples, over the last three of six accelerations; if `first`, overwrites the block.
#[inline(always)]
fn couples<const C: usize>(
    first: bool,
    loads: &[[f64; 6]],
    responses: &[[f64; 6]; C],
    block: &mut [[f64; C]],
) {
    // transposed, so that the numbers of a row of the block are adjacent in memory
    let mut across = [[0.0; C]; 3];
    for k in 0..3 {
        for c in 0..C {
            across[k][c] = responses[c][k + 3];
        }
    }
    for (row, g) in block.iter_mut().zip(loads) {
        let mut sum = if first { [0.0; C] } else { *row };
        for c in 0..C {
            sum[c] += g[3] * across[0][c] + g[4] * across[1][c] + g[5] * across[2][c];
        }
        *row = sum;
    }
}
