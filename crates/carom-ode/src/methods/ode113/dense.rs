//! The trajectory within a step.
//!
//! Shampine, Gordon (1975), routine INTRP: y1 plus the integral of the polynomial of degree k through the rates at the
//! end, the start and the k − 1 times before. This polynomial agrees with y0 only to within the error of the step. One
//! more term, whose slope is zero at all these times, makes it agree with y0 exactly, so that value and slope are
//! continuous from step to step (H. A. Watts, L. F. Shampine, *Smoother interpolants for Adams codes*, SIAM J. Sci.
//! Stat. Comput. 7 (1986) 334).

use std::ops::Range;

use super::coefficients::{Coefficients, MAX_ORDER};
use crate::method::Buffers;
use carom_portable::elementary::powi;

/// The number of coefficients: degrees 0 to k + 2.
const TERMS: usize = MAX_ORDER + 3;

/// The interpolant y(s) = Σ a_j s^j, s = θ − 1 from −1 to 0.
pub(super) struct Polynomial {
    n: usize,
    degree: usize,
    /// a_j, one row of n each
    a: Vec<f64>,
}

impl Polynomial {
    pub(super) fn new(n: usize) -> Polynomial {
        Polynomial { n, degree: 0, a: vec![0.0; TERMS * n] }
    }

    /// Computes the coefficients from a step of order k: φ_i(n+1) = φᵉ_i + d and φ_{k+1} = d, d = f1 − φᵉ_1.
    pub(super) fn set(&mut self, k: usize, c: &Coefficients, phi_e: &[f64], b: &Buffers) {
        let n = self.n;
        self.degree = k + 2;
        self.a.fill(0.0);
        self.a[..n].copy_from_slice(&b.y1[..n]);
        // the i-th basis function of the rates, Π_{j<i−1} (x − x_{n+1−j}) / ψ_{j+1}, in powers of s
        let mut basis = [0.0; TERMS];
        basis[0] = 1.0;
        for i in 1..=k + 1 {
            for j in 0..i {
                let weight = c.h * basis[j] / (j + 1) as f64;
                let a = &mut self.a[(j + 1) * n..(j + 2) * n];
                for m in 0..n {
                    let d = b.f1[m] - phi_e[n + m];
                    let phi = if i <= k { phi_e[i * n + m] + d } else { d };
                    a[m] += weight * phi;
                }
            }
            // times (x − x_{n+1−(i−1)}) / ψ_i = α_i s + ψ_{i−1}/ψ_i; past the last, times (x − x_{n+1−k}) / ψ_k
            let (slope, value) = match i {
                1 => (c.alpha[1], 0.0),
                _ if i <= k => (c.alpha[i], c.psi[i - 1] / c.psi[i]),
                _ => (c.alpha[k], 1.0),
            };
            times(&mut basis, i, slope, value);
        }
        self.meet(&basis, k + 2, &b.y0);
    }

    /// Adds the multiple of the integral of `last`, of `terms` terms, that makes the interpolant equal to y0 at s = −1.
    fn meet(&mut self, last: &[f64; TERMS], terms: usize, y0: &[f64]) {
        let n = self.n;
        let integral = |j: usize| last[j] / (j + 1) as f64;
        let sign = |j: usize| powi(-1f64, j as i32);
        let start: f64 = (0..terms).map(|j| sign(j + 1) * integral(j)).sum();
        for m in 0..n {
            let at_start: f64 = (0..terms).rev().map(|j| sign(j) * self.a[j * n + m]).sum();
            let miss = (y0[m] - at_start) / start;
            for j in 0..terms {
                self.a[(j + 1) * n + m] += miss * integral(j);
            }
        }
    }

    /// Evaluates the interpolant at θ from 0 to 1.
    pub(super) fn at(&self, theta: f64, range: Range<usize>, out: &mut [f64]) {
        let (n, s) = (self.n, theta - 1.0);
        let out = &mut out[..range.len()];
        out.fill(0.0);
        for j in (0..=self.degree).rev() {
            let a = &self.a[j * n + range.start..j * n + range.end];
            for (y, a) in out.iter_mut().zip(a) {
                *y = *y * s + a;
            }
        }
    }
}

/// Multiplies a polynomial of `terms` terms by (slope s + value).
fn times(p: &mut [f64; TERMS], terms: usize, slope: f64, value: f64) {
    p[terms] = slope * p[terms - 1];
    for j in (1..terms).rev() {
        p[j] = value * p[j] + slope * p[j - 1];
    }
    p[0] *= value;
}
