//! One implementation for every explicit Runge–Kutta tableau.

/// Repeats a block of code for every stage of a tableau but the first, or for all stages including the slope at the
/// end. In each copy the stage is a constant, and so is its row.
macro_rules! for_each_stage {
    ($stage:ident of $tableau:expr, $body:block) => {
        for_each_stage!(@ $stage, $tableau.a.len(), $body, 1 2 3 4 5 6 7 8 9 10 11)
    };
    ($stage:ident of $tableau:expr, from 0 to the end, $body:block) => {
        for_each_stage!(@ $stage, $tableau.a.len() + 1, $body, 0 1 2 3 4 5 6 7 8 9 10 11 12)
    };
    (@ $stage:ident, $count:expr, $body:block, $($number:literal)*) => {
        $({
            const $stage: usize = $number;
            if $stage < $count $body
        })*
    };
}

mod error;
mod explicit;

use std::marker::PhantomData;
use std::ops::Range;

pub use self::explicit::Explicit;
use crate::control::Control;
use crate::counted::Counted;
use crate::failure::RhsFailure;
use crate::lanes::{blocks, in_blocks, in_blocks_mut};
use crate::method::{Attempt, Buffers, Stepper, Tolerance};
use crate::step::DenseOutput;
pub use crate::tableau::{MOST_STAGES, Row, Tableau};
use carom_portable::elementary::powi;

/// An explicit Runge–Kutta method at work, with its workspace.
pub(crate) struct Erk<M, const L: usize> {
    n: usize,
    /// stages, one row of `blocks` each: those of `a`, the slope at the end, the extra stages
    k: Vec<[f64; L]>,
    /// the argument of a stage
    arg: Vec<[f64; L]>,
    /// y0, then r1, r2 …: one row of `blocks` each
    r: Vec<[f64; L]>,
    control: Control,
    method: PhantomData<M>,
}

carom_portable::carried!([M, const L: usize] Erk<M, L> { control } scratch { n, k, arg, r, method });

impl<M: Explicit, const L: usize> Erk<M, L> {
    /// Allocates memory for a tableau's stages of `n` components.
    pub(crate) fn new(n: usize) -> Erk<M, L> {
        const { assert!(M::TABLEAU.a.len() < MOST_STAGES, "a stage that `for_each_stage` does not reach") };
        let t = &M::TABLEAU;
        let blocks = blocks::<L>(n);
        let stages = t.a.len() + 1 + t.dense_a.len();
        Erk {
            n,
            k: vec![[0.0; L]; stages * blocks],
            arg: vec![[0.0; L]; blocks],
            r: vec![[0.0; L]; (4 + t.dense_d.len()) * blocks],
            control: Control::new(t.error_order, t.beta, t.min_factor, t.max_factor),
            method: PhantomData,
        }
    }

    #[inline(always)]
    fn blocks(&self) -> usize {
        blocks::<L>(self.n)
    }

    /// Estimates |h λ| of the fastest motion from the last attempt: the last two stages are both at its end, and differ
    /// by the motions that it does not resolve (Hairer, Wanner, *Solving Ordinary Differential Equations II*, IV.2, Eq
    /// 2.26).
    pub(crate) fn h_lambda(&mut self, b: &Buffers, h: f64, tol: &Tolerance<'_>) -> f64 {
        let (s, blocks) = (M::TABLEAU.a.len(), self.blocks());
        combine(&mut self.arg[..blocks], &b.y0, h, M::TABLEAU.a[s - 1], &self.k);
        let (arg, k) = (self.arg.as_flattened(), self.k.as_flattened());
        let row = |stage: usize| &k[stage * blocks * L..][..self.n];
        let (mut rates, mut states) = (0.0f64, 0.0f64);
        for i in 0..tol.scale.len() {
            let weight = 1.0 / (tol.scale[i] + tol.rtol * b.y1[i].abs());
            rates += powi((row(s)[i] - row(s - 1)[i]) * weight, 2);
            states += powi((b.y1[i] - arg[i]) * weight, 2);
        }
        if states > 0.0 { h.abs() * (rates / states).sqrt() } else { 0.0 }
    }

    /// Evaluates the rates once: k[stage] = f(t, arg).
    #[inline(always)]
    fn evaluate(&mut self, ode: &mut Counted<'_>, t: f64, stage: usize) -> Result<(), RhsFailure> {
        let (blocks, n) = (self.blocks(), self.n);
        let row = &mut self.k[stage * blocks..][..blocks];
        ode.rhs(t, &self.arg[..blocks].as_flattened()[..n], &mut row.as_flattened_mut()[..n])
    }
}

/// Computes out = base + h Σ cᵢ kᵢ, lane by lane.
#[inline(always)]
fn combine<const L: usize>(out: &mut [[f64; L]], base: &[f64], h: f64, row: Row, k: &[[f64; L]]) {
    let blocks = out.len();
    let base = in_blocks::<L>(base, blocks);
    for block in 0..blocks {
        let sum = weighted(row, k, blocks, block);
        for i in 0..L {
            out[block][i] = base[block][i] + h * sum[i];
        }
    }
}

/// Returns Σ cᵢ kᵢ for one block of lanes.
#[inline(always)]
fn weighted<const L: usize>(row: Row, k: &[[f64; L]], blocks: usize, block: usize) -> [f64; L] {
    let mut sum = [0.0; L];
    for &(j, c) in row {
        let k = &k[j * blocks + block];
        for i in 0..L {
            sum[i] += c * k[i];
        }
    }
    sum
}

impl<M: Explicit, const L: usize> Stepper for Erk<M, L> {
    fn attempt(
        &mut self,
        ode: &mut Counted<'_>,
        b: &mut Buffers,
        h: f64,
        tol: &Tolerance<'_>,
    ) -> Result<Attempt, RhsFailure> {
        let (s, blocks) = (M::TABLEAU.a.len(), self.blocks());
        self.k[..blocks].copy_from_slice(in_blocks(&b.f0, blocks));
        for_each_stage!(I of M::TABLEAU, {
            combine(&mut self.arg[..blocks], &b.y0, h, M::TABLEAU.a[I], &self.k);
            self.evaluate(ode, b.t0 + M::TABLEAU.c[I] * h, I)?;
        });
        combine(&mut self.arg[..blocks], &b.y0, h, M::TABLEAU.b, &self.k);
        in_blocks_mut(&mut b.y1, blocks).copy_from_slice(&self.arg[..blocks]);
        self.evaluate(ode, b.t0 + h, s)?;
        in_blocks_mut(&mut b.f1, blocks).copy_from_slice(&self.k[s * blocks..][..blocks]);
        Ok(self.error(b, h, tol))
    }

    fn wish(&mut self, h: f64, good: &Attempt) -> f64 {
        h * self.control.accepted(good.norm)
    }

    fn again(&mut self, h: f64, refused: &Attempt) -> f64 {
        h * self.control.rejected(refused.norm)
    }

    fn restart(&mut self) {
        self.control.restart();
    }

    fn stages(&self) -> (&[f64], usize) {
        let rows = M::TABLEAU.a.len() * self.blocks();
        (self.k[..rows].as_flattened(), self.blocks() * L)
    }

    fn prepare_dense(&mut self, ode: &mut Counted<'_>, b: &Buffers, h: f64) -> Result<(), RhsFailure> {
        let (s, blocks) = (M::TABLEAU.a.len() + 1, self.blocks());
        for (i, (&c, &row)) in M::TABLEAU.dense_c.iter().zip(M::TABLEAU.dense_a).enumerate() {
            combine(&mut self.arg[..blocks], &b.y0, h, row, &self.k);
            self.evaluate(ode, b.t0 + c * h, s + i)?;
        }
        let [y0, f0, y1, f1] = [&b.y0, &b.f0, &b.y1, &b.f1].map(|v| in_blocks::<L>(v, blocks));
        for block in 0..blocks {
            let (mut r1, mut r2, mut r3) = ([0.0; L], [0.0; L], [0.0; L]);
            for i in 0..L {
                r1[i] = y1[block][i] - y0[block][i];
                r2[i] = h * f0[block][i] - r1[i];
                r3[i] = r1[i] - h * f1[block][i] - r2[i];
            }
            self.r[block] = y0[block];
            self.r[blocks + block] = r1;
            self.r[2 * blocks + block] = r2;
            self.r[3 * blocks + block] = r3;
        }
        for (row, &d) in M::TABLEAU.dense_d.iter().enumerate() {
            for block in 0..blocks {
                let sum = weighted(d, &self.k, blocks, block);
                self.r[(4 + row) * blocks + block] = sum.map(|s| h * s);
            }
        }
        Ok(())
    }

    fn dense_error(&self, b: &Buffers, tol: &Tolerance<'_>) -> f64 {
        // `arg` still holds the argument of the last extra stage
        self.stage_off_interpolant(b, tol)
    }
}

impl<M: Explicit, const L: usize> DenseOutput for Erk<M, L> {
    fn interpolate(&self, theta: f64, range: Range<usize>, out: &mut [f64]) {
        let (stride, rows) = (self.blocks() * L, 4 + M::TABLEAU.dense_d.len());
        let (r, n) = (self.r.as_flattened(), range.len());
        let out = &mut out[..n];
        out.fill(0.0);
        for row in (1..rows).rev() {
            // r1 is multiplied by θ, r2 by 1 − θ and so on
            let factor = if row % 2 == 1 { theta } else { 1.0 - theta };
            let r = &r[row * stride + range.start..][..n];
            for (y, r) in out.iter_mut().zip(r) {
                *y = factor * (r + *y);
            }
        }
        for (y, r) in out.iter_mut().zip(&r[range.start..]) {
            *y += r;
        }
    }

    fn slope(&self, theta: f64, out: &mut [f64]) -> bool {
        let (stride, rows) = (self.blocks() * L, 4 + M::TABLEAU.dense_d.len());
        let r = self.r.as_flattened();
        for (i, slope) in out.iter_mut().enumerate() {
            // the derivative of the sum above, by the product rule
            let (mut y, mut dy) = (0.0, 0.0);
            for row in (1..rows).rev() {
                let (factor, sign) = if row % 2 == 1 { (theta, 1.0) } else { (1.0 - theta, -1.0) };
                let sum = r[row * stride + i] + y;
                (y, dy) = (factor * sum, sign * sum + factor * dy);
            }
            *slope = dy;
        }
        true
    }
}
