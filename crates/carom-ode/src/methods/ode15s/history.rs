//! Backward differences: the memory of a multistep method of constant step.
//!
//! Row m holds ∇ᵐy at spacing h. All operations on them follow from p(t + s h) = (1 − ∇)⁻ˢ p(t), the Newton form of the
//! polynomial through past values (Hairer, Nørsett, Wanner, *Solving Ordinary Differential Equations I*, 2nd ed.,
//! III.1).

use std::ops::Range;

use crate::lanes::blocks;

/// The highest order of the formulas.
pub(super) const MAX_ORDER: usize = 5;
/// The number of rows: y itself, and differences up to two beyond the highest order, for error estimates of the next
/// order.
const ROWS: usize = MAX_ORDER + 3;

/// Backward differences of n components.
#[derive(Debug)]
pub(super) struct Differences<const L: usize> {
    n: usize,
    rows: Vec<[f64; L]>,
}

carom_portable::carried!([const L: usize] Differences<L> { rows } scratch { n });

impl<const L: usize> Differences<L> {
    pub(super) fn new(n: usize) -> Differences<L> {
        Differences { n, rows: vec![[0.0; L]; ROWS * blocks::<L>(n)] }
    }

    /// Returns ∇ᵐy, in blocks of lanes.
    #[inline(always)]
    pub(super) fn row(&self, m: usize) -> &[[f64; L]] {
        let blocks = blocks::<L>(self.n);
        &self.rows[m * blocks..][..blocks]
    }

    #[inline(always)]
    pub(super) fn row_mut(&mut self, m: usize) -> &mut [[f64; L]] {
        let blocks = blocks::<L>(self.n);
        &mut self.rows[m * blocks..][..blocks]
    }

    pub(super) fn clear(&mut self) {
        self.rows.as_flattened_mut().fill(0.0);
    }

    pub(super) fn copy(&mut self, from: &Differences<L>) {
        self.rows.copy_from_slice(&from.rows);
    }

    /// Computes the differences of the same polynomial of degree `k` at `r` times the spacing: ∇* = ∇ R(r) U (Shampine,
    /// Reichelt, section 2.2). Rows above k are copied.
    pub(super) fn rescale(&mut self, from: &Differences<L>, k: usize, r: f64) {
        self.copy(from);
        let wide = sampling(k, r);
        for j in 1..=k {
            let mut ru = [0.0; ROWS];
            for i in 1..=k {
                ru[i] = (1..=k).map(|l| wide[i][l] * UNIT[l][j]).sum();
            }
            for block in 0..blocks::<L>(self.n) {
                let mut sum = [0.0; L];
                for i in 1..=k {
                    let row = &from.row(i)[block];
                    for c in 0..L {
                        sum[c] += ru[i] * row[c];
                    }
                }
                self.row_mut(j)[block] = sum;
            }
        }
    }

    /// Computes the differences at the end of a step of order `k`, from d = ∇ᵏ⁺¹y₁ downward: ∇ᵐy₁ = ∇ᵐy₀ + ∇ᵐ⁺¹y₁;
    /// ∇ᵏ⁺²y₁ = d − ∇ᵏ⁺¹y₀.
    pub(super) fn update(&mut self, k: usize, d: &[[f64; L]], y1: &[[f64; L]]) {
        for block in 0..blocks::<L>(self.n) {
            let mut above = d[block];
            let before = self.row(k + 1)[block];
            self.row_mut(k + 2)[block] = std::array::from_fn(|i| above[i] - before[i]);
            self.row_mut(k + 1)[block] = above;
            for m in (1..=k).rev() {
                let row = &mut self.row_mut(m)[block];
                for i in 0..L {
                    above[i] += row[i];
                }
                *row = above;
            }
        }
        self.row_mut(0).copy_from_slice(y1);
    }

    /// Moves the differences by a time σh, rows 1 to `k`, taking those above k as zero: ∇ᵐp(t + σh) = Σ_j
    /// σ(σ+1)…(σ+j−1)/j! ∇ᵐ⁺ʲp(t).
    pub(super) fn advance(&mut self, k: usize, sigma: f64) {
        let blocks = blocks::<L>(self.n);
        for m in 1..k {
            let (low, high) = self.rows.split_at_mut((m + 1) * blocks);
            let low = low[m * blocks..].as_flattened_mut();
            let mut c = 1.0;
            for j in 1..=k - m {
                c *= (sigma + (j - 1) as f64) / j as f64;
                for (d, s) in low.iter_mut().zip(high[(j - 1) * blocks..].as_flattened()) {
                    *d += c * s;
                }
            }
        }
    }

    /// Evaluates the polynomial of degree `k` at s spacings after the time of row 0.
    pub(super) fn interpolate(&self, k: usize, s: f64, range: Range<usize>, out: &mut [f64]) {
        let out = &mut out[..range.len()];
        out.fill(0.0);
        // Horner: y + s (∇y + (s+1)/2 (∇²y + (s+2)/3 (…)))
        for m in (1..=k).rev() {
            let c = (s + (m - 1) as f64) / m as f64;
            for (y, d) in out.iter_mut().zip(&self.row(m).as_flattened()[range.clone()]) {
                *y = c * (d + *y);
            }
        }
        for (y, d) in out.iter_mut().zip(&self.row(0).as_flattened()[range]) {
            *y += d;
        }
    }
}

/// Returns R_ij(r) = 1/i! Π_{l<i} (l − j r): the polynomial at the j-th point back, spaced r, from the i-th difference.
/// U = R(1) is its own inverse.
const fn sampling(k: usize, r: f64) -> [[f64; ROWS]; ROWS] {
    let mut m = [[0.0; ROWS]; ROWS];
    let mut j = 1;
    while j <= k {
        let (mut i, mut product) = (1, 1.0);
        while i <= k {
            product *= ((i - 1) as f64 - j as f64 * r) / i as f64;
            m[i][j] = product;
            i += 1;
        }
        j += 1;
    }
    m
}

/// U = R(1), for all orders.
const UNIT: [[f64; ROWS]; ROWS] = sampling(MAX_ORDER, 1.0);

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the differences of a polynomial of degree 4 at t, with spacing h.
    fn differences(t: f64, h: f64) -> Differences<4> {
        let p = |t: f64| 1.0 + t * (2.0 + t * (-0.5 + t * (0.3 + 0.1 * t)));
        let mut v: Vec<f64> = (0..ROWS).map(|i| p(t - i as f64 * h)).collect();
        let mut d = Differences::new(1);
        for m in 0..ROWS {
            d.row_mut(m)[0][0] = v[0];
            for i in 0..ROWS - 1 - m {
                v[i] -= v[i + 1];
            }
        }
        d
    }

    fn close(a: &Differences<4>, b: &Differences<4>) {
        for m in 1..5 {
            let (a, b) = (a.row(m)[0][0], b.row(m)[0][0]);
            assert!((a - b).abs() < 1e-11, "row {m}: {a} {b}");
        }
    }

    #[test]
    fn polynomials_are_resampled_and_moved_exactly() {
        let d = differences(0.7, 0.3);
        for r in [0.05, 0.5, 1.0, 1.7, 4.0] {
            let mut scaled = Differences::new(1);
            scaled.rescale(&d, 4, r);
            close(&scaled, &differences(0.7, 0.3 * r));
        }
        for sigma in [0.0, 1e-7, 0.3, 1.0] {
            let mut moved = differences(0.7, 0.3);
            moved.advance(4, sigma);
            close(&moved, &differences(0.7 + 0.3 * sigma, 0.3));
        }
        let mut y = [0.0];
        d.interpolate(4, -0.4, 0..1, &mut y);
        assert!((y[0] - differences(0.7 - 0.12, 0.3).row(0)[0][0]).abs() < 1e-14);
    }
}
