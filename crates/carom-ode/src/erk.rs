//! One driver for every explicit Runge–Kutta tableau.

use std::ops::Range;

use crate::control::Control;
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

/// The lanes worked on at once; arrays are padded to a multiple of it.
const LANES: usize = 8;

/// An explicit Runge–Kutta method at work.
struct Erk {
    tableau: &'static Tableau,
    n: usize,
    stride: usize,
    /// stages that enter neither the solution nor the estimates
    unseen: Vec<usize>,
    /// stages, one row of `stride` each: those of `a`, the slope at the end, the extra ones
    k: Vec<f64>,
    /// the argument of a stage
    arg: Vec<f64>,
    /// y0, then r1, r2 …: one row of `stride` each
    r: Vec<f64>,
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
    fn start(&'static self, n: usize) -> Box<dyn Stepper> {
        let stride = n.div_ceil(LANES) * LANES;
        let stages = self.a.len() + 1 + self.dense_a.len();
        let control = Control::new(self.error_order, self.beta, self.min_factor, self.max_factor);
        Box::new(Erk {
            tableau: self,
            n,
            stride,
            unseen: self.unseen(),
            k: vec![0.0; stages * stride],
            arg: vec![0.0; stride],
            r: vec![0.0; (4 + self.dense_d.len()) * stride],
            control,
        })
    }
}

impl Tableau {
    fn unseen(&self) -> Vec<usize> {
        let has = |row: Row, i: usize| row.iter().any(|(j, _)| *j == i);
        let seen =
            |i: usize| has(self.b, i) || has(self.error, i) || self.error_3.is_some_and(|row| has(row, i));
        (1..self.a.len()).filter(|i| !seen(*i)).collect()
    }
}

/// out = base + h Σ cᵢ kᵢ, lane by lane.
#[inline]
fn combine(out: &mut [f64], base: &[f64], h: f64, row: Row, k: &[f64], stride: usize) {
    for (block, (out, base)) in out.chunks_exact_mut(LANES).zip(base.chunks_exact(LANES)).enumerate() {
        let sum = weighted(row, k, stride, block * LANES);
        for i in 0..LANES {
            out[i] = base[i] + h * sum[i];
        }
    }
}

/// Σ cᵢ kᵢ for the lanes from `at` on.
#[inline(always)]
fn weighted(row: Row, k: &[f64], stride: usize, at: usize) -> [f64; LANES] {
    let mut sum = [0.0; LANES];
    for &(j, c) in row {
        if let Some(k) = k.get(j * stride + at..j * stride + at + LANES) {
            for i in 0..LANES {
                sum[i] += c * k[i];
            }
        }
    }
    sum
}

impl Erk {
    /// One evaluation: k[stage] = f(t, arg).
    fn evaluate(&mut self, ode: &mut dyn Ode, t: f64, stage: usize) -> Result<(), RhsFailure> {
        let at = stage * self.stride;
        ode.rhs(t, &self.arg[..self.n], &mut self.k[at..at + self.n])
    }

    /// The largest weighted error of a row of weights, and where. NaN wins over every number.
    fn largest(&self, row: Row, b: &Buffers, tol: &Tolerance<'_>) -> (f64, usize) {
        let (mut worst, mut at) = (0.0, 0);
        for block in (0..tol.scale.len()).step_by(LANES) {
            let sum = weighted(row, &self.k, self.stride, block);
            for (i, s) in sum.iter().enumerate().take(tol.scale.len() - block) {
                let j = block + i;
                let allowed = tol.scale[j] + tol.rtol * b.y0[j].abs().max(b.y1[j].abs());
                let e = s.abs() / allowed;
                // written so that a NaN is kept
                if !(e <= worst) {
                    (worst, at) = (e, j);
                }
                if worst.is_nan() {
                    return (worst, at);
                }
            }
        }
        (worst, at)
    }

    /// A component whose rate, at a stage that no estimate sees, is out of all proportion to those that are seen.
    ///
    /// A force met only at such stages can throw the later ones far past it: the step then looks perfect
    /// though it went through a wall. (DOP853 has four unseen stages in the first third of the step.)
    fn blind(&self, b: &Buffers, h: f64, tol: &Tolerance<'_>) -> Option<usize> {
        const PROPORTION: f64 = 10.0;
        let stages = self.tableau.a.len() + 1;
        for block in (0..tol.scale.len()).step_by(LANES) {
            let (mut seen, mut unseen) = ([0.0f64; LANES], [0.0f64; LANES]);
            for stage in 0..stages {
                let largest = if self.unseen.contains(&stage) { &mut unseen } else { &mut seen };
                let at = stage * self.stride + block;
                for (m, k) in largest.iter_mut().zip(&self.k[at..at + LANES]) {
                    *m = m.max(k.abs());
                }
            }
            for i in 0..LANES.min(tol.scale.len() - block) {
                let j = block + i;
                let allowed = tol.scale[j] + tol.rtol * b.y0[j].abs().max(b.y1[j].abs());
                if h.abs() * (unseen[i] - PROPORTION * seen[i]) > allowed {
                    return Some(j);
                }
            }
        }
        None
    }

    fn error(&self, b: &Buffers, h: f64, tol: &Tolerance<'_>) -> Attempt {
        let (e5, component) = self.largest(self.tableau.error, b, tol);
        let norm = match self.tableau.error_3 {
            None => h.abs() * e5,
            // Hairer, Nørsett, Wanner, II.10, Eq 10.17, in the maximum norm
            Some(row) => {
                let (e3, _) = self.largest(row, b, tol);
                let d = e5 * e5 + 0.01 * e3 * e3;
                if d > 0.0 { h.abs() * e5 * e5 / d.sqrt() } else { d }
            }
        };
        match self.blind(b, h, tol) {
            Some(component) if norm <= 1.0 => Attempt { norm: 1e10, component },
            _ => Attempt { norm, component },
        }
    }
}

impl Stepper for Erk {
    fn attempt(
        &mut self,
        ode: &mut dyn Ode,
        b: &mut Buffers,
        h: f64,
        tol: &Tolerance<'_>,
    ) -> Result<Attempt, RhsFailure> {
        let (s, stride) = (self.tableau.a.len(), self.stride);
        self.k[..stride].copy_from_slice(&b.f0);
        for i in 1..s {
            combine(&mut self.arg, &b.y0, h, self.tableau.a[i], &self.k, stride);
            self.evaluate(ode, b.t0 + self.tableau.c[i] * h, i)?;
        }
        combine(&mut b.y1, &b.y0, h, self.tableau.b, &self.k, stride);
        self.arg.copy_from_slice(&b.y1);
        self.evaluate(ode, b.t0 + h, s)?;
        b.f1.copy_from_slice(&self.k[s * stride..(s + 1) * stride]);
        Ok(self.error(b, h, tol))
    }

    fn control(&mut self) -> Option<&mut Control> {
        Some(&mut self.control)
    }

    fn stages(&self) -> (&[f64], usize) {
        (&self.k[..self.tableau.a.len() * self.stride], self.stride)
    }

    fn prepare_dense(&mut self, ode: &mut dyn Ode, b: &Buffers, h: f64) -> Result<usize, RhsFailure> {
        let (s, stride) = (self.tableau.a.len() + 1, self.stride);
        for (i, (&c, &row)) in self.tableau.dense_c.iter().zip(self.tableau.dense_a).enumerate() {
            combine(&mut self.arg, &b.y0, h, row, &self.k, stride);
            self.evaluate(ode, b.t0 + c * h, s + i)?;
        }
        for i in 0..self.n {
            let r1 = b.y1[i] - b.y0[i];
            let r2 = h * b.f0[i] - r1;
            self.r[i] = b.y0[i];
            self.r[stride + i] = r1;
            self.r[2 * stride + i] = r2;
            self.r[3 * stride + i] = r1 - h * b.f1[i] - r2;
        }
        for (row, &d) in self.tableau.dense_d.iter().enumerate() {
            for block in (0..stride).step_by(LANES) {
                let sum = weighted(d, &self.k, stride, block);
                let at = (4 + row) * stride + block;
                for (out, s) in self.r[at..at + LANES].iter_mut().zip(sum) {
                    *out = h * s;
                }
            }
        }
        Ok(self.tableau.dense_c.len())
    }

    fn interpolate(&self, theta: f64, range: Range<usize>, out: &mut [f64]) {
        let (stride, rows) = (self.stride, 4 + self.tableau.dense_d.len());
        for (i, out) in range.zip(out) {
            let mut y = 0.0;
            for row in (1..rows).rev() {
                // r1 is multiplied by θ, r2 by 1 − θ and so on
                let factor = if row % 2 == 1 { theta } else { 1.0 - theta };
                y = factor * (self.r[row * stride + i] + y);
            }
            *out = self.r[i] + y;
        }
    }
}
