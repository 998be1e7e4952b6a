//! One driver for every explicit Runge–Kutta tableau.

use std::ops::Range;

use crate::control::Control;
use crate::counted::Counted;
use crate::methods::{Attempt, Buffers, Method, Stepper, Tolerance};
use crate::ode::{Ode, RhsFailure};

/// A row of a tableau: (stage, coefficient), zeros left out.
pub type Row = &'static [(usize, f64)];

/// The coefficients of an explicit embedded Runge–Kutta method with a continuous extension.
///
/// The slope at the end of a step is one more stage after those of `a` (first same as last).
/// Continuous extension, θ from 0 to 1 (Hairer, Nørsett, Wanner, II.6):
/// y(θ) = y0 + θ(r1 + (1−θ)(r2 + θ(r3 + (1−θ)(r4 + θ(r5 + …))))), r1 = y1 − y0, r2 = h f0 − r1,
/// r3 = r1 − h f1 − r2, and r4 … = h Σ d_i k_i.
#[derive(Debug)]
pub struct Tableau {
    /// the word for it
    pub name: &'static str,
    /// what it is, in a line
    pub summary: &'static str,
    /// order of the solution
    pub order: usize,
    /// the estimate behaves as h to this power
    pub error_order: usize,
    /// errors count so many times: what comes out is then as exact as what others of the family give for the same
    /// tolerance, whose norms and luck differ
    pub strict: f64,
    /// of the step-size controller
    pub beta: f64,
    /// a step shrinks at most by this factor
    pub min_factor: f64,
    /// a step grows at most by this factor
    pub max_factor: f64,
    /// nodes
    pub c: &'static [f64],
    /// stages
    pub a: &'static [Row],
    /// weights of the solution
    pub b: Row,
    /// weights of the error estimate
    pub error: Row,
    /// weights of a second estimate, which tempers the first (DOP853)
    pub error_3: Option<Row>,
    /// nodes of the extra stages of the continuous extension
    pub dense_c: &'static [f64],
    /// the extra stages
    pub dense_a: &'static [Row],
    /// weights of r4 …
    pub dense_d: &'static [Row],
}

/// The components of `n` worked on at once; arrays are padded to a multiple of it.
pub(crate) fn lanes(n: usize) -> usize {
    match n {
        0..=4 => 4,
        5..=8 => 8,
        _ => 16,
    }
}

/// An explicit Runge–Kutta method at work.
pub(crate) struct Erk<const L: usize> {
    tableau: &'static Tableau,
    n: usize,
    /// blocks of lanes that hold n components
    blocks: usize,
    /// for every stage, whether it enters neither the solution nor the estimates
    unseen: Vec<bool>,
    /// stages, one row of `blocks` each: those of `a`, the slope at the end, the extra ones
    k: Vec<[f64; L]>,
    /// the argument of a stage
    arg: Vec<[f64; L]>,
    /// y0, then r1, r2 …: one row of `blocks` each
    r: Vec<[f64; L]>,
    control: Control,
}

impl Method for Tableau {
    fn name(&self) -> &'static str {
        self.name
    }
    fn summary(&self) -> &'static str {
        self.summary
    }
    fn order(&self) -> usize {
        self.order
    }
    fn is_adaptive(&self) -> bool {
        true
    }
    fn start(&'static self, ode: &dyn Ode) -> Box<dyn Stepper> {
        match lanes(ode.dim()) {
            4 => Box::new(Erk::<4>::new(self, ode.dim())),
            8 => Box::new(Erk::<8>::new(self, ode.dim())),
            _ => Box::new(Erk::<16>::new(self, ode.dim())),
        }
    }
}

impl<const L: usize> Erk<L> {
    /// Room for a tableau's stages of `n` components.
    pub(crate) fn new(tableau: &'static Tableau, n: usize) -> Erk<L> {
        let blocks = n.div_ceil(L);
        let t = tableau;
        let stages = t.a.len() + 1 + t.dense_a.len();
        Erk {
            tableau,
            n,
            blocks,
            unseen: (0..=t.a.len()).map(|i| t.is_unseen(i)).collect(),
            k: vec![[0.0; L]; stages * blocks],
            arg: vec![[0.0; L]; blocks],
            r: vec![[0.0; L]; (4 + t.dense_d.len()) * blocks],
            control: Control::new(t.error_order, t.beta, t.min_factor, t.max_factor),
        }
    }

    /// |h λ| of the fastest motion, about, from the last attempt: the last two stages are both at its end, and differ
    /// by the motions it does not resolve (Hairer, Wanner, *Solving Ordinary Differential Equations II*, IV.2,
    /// Eq 2.26).
    pub(crate) fn h_lambda(&mut self, b: &Buffers, h: f64, tol: &Tolerance<'_>) -> f64 {
        let s = self.tableau.a.len();
        combine(&mut self.arg, &b.y0, h, self.tableau.a[s - 1], &self.k);
        let (arg, k) = (self.arg.as_flattened(), self.k.as_flattened());
        let row = |stage: usize| &k[stage * self.blocks * L..][..self.n];
        let (mut rates, mut states) = (0.0f64, 0.0f64);
        for i in 0..tol.scale.len() {
            let weight = 1.0 / (tol.scale[i] + tol.rtol * b.y1[i].abs());
            rates += ((row(s)[i] - row(s - 1)[i]) * weight).powi(2);
            states += ((b.y1[i] - arg[i]) * weight).powi(2);
        }
        if states > 0.0 { h.abs() * (rates / states).sqrt() } else { 0.0 }
    }
}

impl Tableau {
    /// Whether a stage enters neither the solution nor the estimates. The last one, the slope at the end, is the
    /// next step's first.
    fn is_unseen(&self, stage: usize) -> bool {
        let has = |row: Row| row.iter().any(|(j, _)| *j == stage);
        stage > 0
            && stage < self.a.len()
            && !(has(self.b) || has(self.error) || self.error_3.is_some_and(has))
    }
}

/// out = base + h Σ cᵢ kᵢ, lane by lane.
#[inline]
fn combine<const L: usize>(out: &mut [[f64; L]], base: &[f64], h: f64, row: Row, k: &[[f64; L]]) {
    let blocks = out.len();
    for (block, (out, base)) in out.iter_mut().zip(base.as_chunks::<L>().0).enumerate() {
        let sum = weighted(row, k, blocks, block);
        for i in 0..L {
            out[i] = base[i] + h * sum[i];
        }
    }
}

/// Σ cᵢ kᵢ for one block of lanes.
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

impl<const L: usize> Erk<L> {
    /// One evaluation: k[stage] = f(t, arg).
    #[inline]
    fn evaluate(&mut self, ode: &mut Counted<'_>, t: f64, stage: usize) -> Result<(), RhsFailure> {
        let row = &mut self.k[stage * self.blocks..(stage + 1) * self.blocks];
        ode.rhs(t, &self.arg.as_flattened()[..self.n], &mut row.as_flattened_mut()[..self.n])
    }

    /// The largest weighted error of a row of weights, and where. NaN wins over every number.
    fn largest(&self, row: Row, allowed: &[[f64; L]], m: usize) -> (f64, usize) {
        let (mut worst, mut at) = (0.0, 0);
        for block in 0..m.div_ceil(L) {
            let sum = weighted(row, &self.k, self.blocks, block);
            for i in 0..L.min(m - block * L) {
                // nothing is within any tolerance, even none
                let e = if sum[i] == 0.0 { 0.0 } else { sum[i].abs() / allowed[block][i] };
                // written so that a NaN is kept
                if !(e <= worst) {
                    (worst, at) = (e, block * L + i);
                    if e.is_nan() {
                        return (worst, at);
                    }
                }
            }
        }
        (worst, at)
    }

    /// A component that a stage no estimate sees would change out of all proportion: much more than the stages
    /// that are seen, than its own value, than the tolerance.
    ///
    /// A force met only at such stages can throw the later ones far past it: the step then looks perfect
    /// though it went through a wall. (DOP853 has four unseen stages in the first third of the step.) A rate there that
    /// is not finite counts as well: rates that take no notice of a NaN in the state would hide it from the later stages.
    fn blind(&self, b: &Buffers, h: f64, allowed: &[[f64; L]], tol: &Tolerance<'_>) -> Option<Attempt> {
        // stages of a step limited by stability overshoot by many tolerances, but not by the scale of things
        let (m, margin) = (tol.scale.len(), (1.0 / tol.rtol).min(1e6));
        for block in 0..m.div_ceil(L) {
            let (mut seen, mut unseen, mut bad) = ([0.0f64; L], [0.0f64; L], [0.0f64; L]);
            for (stage, hidden) in self.unseen.iter().enumerate() {
                let k = &self.k[stage * self.blocks + block];
                let largest = if *hidden { &mut unseen } else { &mut seen };
                for i in 0..L {
                    largest[i] = if k[i].abs() > largest[i] { k[i].abs() } else { largest[i] };
                    // stays NaN once it is
                    bad[i] += 0.0 * k[i];
                }
            }
            for i in 0..L.min(m - block * L) {
                let j = block * L + i;
                let value = b.y0[j].abs().max(b.y1[j].abs());
                let proportion = 10.0 * h.abs() * seen[i] + 0.5 * value + margin * allowed[block][i];
                if bad[i].is_nan() {
                    return Some(Attempt::with_error(f64::NAN, j));
                }
                if h.abs() * unseen[i] > proportion {
                    return Some(Attempt::with_error(1e10, j));
                }
            }
        }
        None
    }

    /// The error of the attempt. `arg` is free by now: it takes the errors allowed.
    fn error(&mut self, b: &Buffers, h: f64, tol: &Tolerance<'_>) -> Attempt {
        let m = tol.scale.len();
        let mut allowed = std::mem::take(&mut self.arg);
        for (a, i) in allowed.as_flattened_mut().iter_mut().zip(0..m) {
            *a = tol.scale[i] + tol.rtol * b.y0[i].abs().max(b.y1[i].abs());
        }
        let (e5, component) = self.largest(self.tableau.error, &allowed, m);
        let h = self.tableau.strict * h;
        let norm = match self.tableau.error_3 {
            None => h.abs() * e5,
            // Hairer, Nørsett, Wanner, II.10, Eq 10.17, in the maximum norm
            Some(row) => {
                let (e3, _) = self.largest(row, &allowed, m);
                let d = e5 * e5 + 0.01 * e3 * e3;
                if d > 0.0 { h.abs() * e5 * e5 / d.sqrt() } else { d }
            }
        };
        let blind = if norm <= 1.0 { self.blind(b, h / self.tableau.strict, &allowed, tol) } else { None };
        self.arg = allowed;
        blind.unwrap_or_else(|| Attempt::with_error(norm, component))
    }
}

impl<const L: usize> Stepper for Erk<L> {
    fn attempt(
        &mut self,
        ode: &mut Counted<'_>,
        b: &mut Buffers,
        h: f64,
        tol: &Tolerance<'_>,
    ) -> Result<Attempt, RhsFailure> {
        let (s, blocks) = (self.tableau.a.len(), self.blocks);
        self.k[..blocks].as_flattened_mut().copy_from_slice(&b.f0);
        for i in 1..s {
            combine(&mut self.arg, &b.y0, h, self.tableau.a[i], &self.k);
            self.evaluate(ode, b.t0 + self.tableau.c[i] * h, i)?;
        }
        combine(&mut self.arg, &b.y0, h, self.tableau.b, &self.k);
        b.y1.copy_from_slice(self.arg.as_flattened());
        self.evaluate(ode, b.t0 + h, s)?;
        b.f1.copy_from_slice(self.k[s * blocks..(s + 1) * blocks].as_flattened());
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
        let rows = self.tableau.a.len() * self.blocks;
        (self.k[..rows].as_flattened(), self.blocks * L)
    }

    fn prepare_dense(&mut self, ode: &mut Counted<'_>, b: &Buffers, h: f64) -> Result<(), RhsFailure> {
        let (s, blocks) = (self.tableau.a.len() + 1, self.blocks);
        for (i, (&c, &row)) in self.tableau.dense_c.iter().zip(self.tableau.dense_a).enumerate() {
            combine(&mut self.arg, &b.y0, h, row, &self.k);
            self.evaluate(ode, b.t0 + c * h, s + i)?;
        }
        let stride = blocks * L;
        let r = self.r.as_flattened_mut();
        for i in 0..self.n {
            let r1 = b.y1[i] - b.y0[i];
            let r2 = h * b.f0[i] - r1;
            r[i] = b.y0[i];
            r[stride + i] = r1;
            r[2 * stride + i] = r2;
            r[3 * stride + i] = r1 - h * b.f1[i] - r2;
        }
        for (row, &d) in self.tableau.dense_d.iter().enumerate() {
            for block in 0..blocks {
                let sum = weighted(d, &self.k, blocks, block);
                self.r[(4 + row) * blocks + block] = sum.map(|s| h * s);
            }
        }
        Ok(())
    }

    fn interpolate(&self, theta: f64, range: Range<usize>, out: &mut [f64]) {
        let (stride, rows) = (self.blocks * L, 4 + self.tableau.dense_d.len());
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
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Σ w_i x_i with the slope at the end as the last stage.
    fn sum(row: Row, x: &[f64]) -> f64 {
        row.iter().map(|&(i, w)| w * x[i]).sum()
    }

    /// The conditions a slip of a digit breaks: rows add up to nodes, and powers of t are integrated exactly (Hairer,
    /// Nørsett, Wanner, II.2, trees of one level), by the solution up to its order, by the estimate to zero.
    #[test]
    fn tableaus_satisfy_quadrature_conditions() {
        for method in crate::methods::tableaus() {
            let stages = method.a.len();
            let ones = vec![1.0; stages + 1];
            for (row, c) in method.a.iter().zip(method.c).chain(method.dense_a.iter().zip(method.dense_c)) {
                let ones = vec![1.0; stages + 1 + method.dense_a.len()];
                assert!((sum(row, &ones) - c).abs() < 2e-14, "{}: node {c}", method.name);
            }
            assert!((sum(method.b, &ones) - 1.0).abs() < 1e-15, "{}", method.name);
            for q in 1..=method.order as i32 {
                let power: Vec<f64> = method.c.iter().chain([&1.0]).map(|c| c.powi(q - 1)).collect();
                let error = sum(method.b, &power) - 1.0 / f64::from(q);
                assert!(error.abs() < 1e-14, "{}: order {q}: {error:e}", method.name);
                let estimate = sum(method.error, &power);
                let blind_to = if method.error_3.is_some() { 5 } else { method.order as i32 - 1 };
                assert!(
                    q > blind_to || estimate.abs() < 1e-14,
                    "{}: estimate, {q}: {estimate:e}",
                    method.name
                );
            }
        }
    }
}
