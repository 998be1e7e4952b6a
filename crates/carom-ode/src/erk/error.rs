//! The error of an attempt: the estimates, and a check of the stages that they ignore.

use super::{Erk, weighted};
use super::{Explicit, MOST_STAGES, Row};
use crate::lanes::{Worst, in_blocks};
use crate::method::{Attempt, Buffers, Tolerance};

impl<M: Explicit, const L: usize> Erk<M, L> {
    /// Computes the error of the attempt. `arg` is no longer needed and is overwritten with the errors allowed.
    #[inline(always)]
    pub(super) fn error(&mut self, b: &Buffers, h: f64, tol: &Tolerance<'_>) -> Attempt {
        let m = tol.count();
        for (block, allowed) in self.arg.iter_mut().enumerate() {
            for i in 0..L.min(m.saturating_sub(block * L)) {
                let j = block * L + i;
                allowed[i] = tol.allowed(j, b.y0[j], b.y1[j]);
            }
        }
        let Worst { share: e5, at: component } = self.largest(M::TABLEAU.error, m);
        let norm = match M::TABLEAU.error_3 {
            None => (M::TABLEAU.error_factor * h).abs() * e5,
            // Hairer, Nørsett, Wanner, II.10, Eq 10.17, in the maximum norm
            Some(row) => {
                let e3 = self.largest(row, m).share;
                let d = e5 * e5 + 0.01 * e3 * e3;
                if d > 0.0 { (M::TABLEAU.error_factor * h).abs() * e5 * e5 / d.sqrt() } else { d }
            }
        };
        let blind = if norm <= 1.0 { self.blind(b, h, tol) } else { None };
        blind.unwrap_or_else(|| Attempt::with_error(norm, component))
    }

    /// Returns the difference between the interpolant and the argument of the last extra stage (in `arg`), in multiples
    /// of the tolerance; 0 without extra stages.
    ///
    /// Both approximate the state at the same time. In a step that resolves the motion they differ by an error of order
    /// 7; for the oscillator y' = iωy this is 5 to 60 times the estimate for hω from 4 down to 0.2. If the step is far
    /// too long for a fast motion at rest, each stage amplifies its rounding errors: at hω = 20 the error of the
    /// interpolant is 700 times what the estimate shows at the end of the step, at 50 it is 25,000 times, and this
    /// difference reveals it.
    pub(super) fn stage_off_interpolant(&self, b: &Buffers, tol: &Tolerance<'_>) -> f64 {
        let Some(&theta) = M::TABLEAU.dense_c.last() else { return 0.0 };
        let (blocks, rows) = (self.blocks(), 4 + M::TABLEAU.dense_d.len());
        let [y0, y1] = [&b.y0, &b.y1].map(|v| in_blocks::<L>(v, blocks));
        let mut worst = [0.0f64; L];
        for (block, scale) in tol.scale.chunks(L).enumerate() {
            let mut off = [0.0; L];
            for row in (1..rows).rev() {
                let factor = if row % 2 == 1 { theta } else { 1.0 - theta };
                for i in 0..L {
                    off[i] = factor * (self.r[row * blocks + block][i] + off[i]);
                }
            }
            for i in 0..L {
                off[i] += self.r[block][i] - self.arg[block][i];
            }
            for (i, scale) in scale.iter().enumerate() {
                let allowed = scale + tol.rtol * y0[block][i].abs().max(y1[block][i].abs());
                worst[i] = worst[i].max(off[i].abs() / allowed);
            }
        }
        worst.into_iter().fold(0.0, f64::max)
    }

    /// Returns the largest ratio of the error by a row of weights to the allowed error (in `arg`), and its component.
    #[inline(always)]
    fn largest(&self, row: Row, m: usize) -> Worst {
        let mut worst = Worst::NONE;
        for block in 0..self.blocks() {
            let sum = weighted(row, &self.k, self.blocks(), block);
            worst.look(block, &sum, &self.arg[block], m);
        }
        worst
    }

    /// Finds a component that would change out of all proportion by the rates of a stage which no estimate contains: by
    /// much more than the stages in the estimates would change it, than its own value, and than the tolerance.
    ///
    /// A force met only at such stages can throw the later ones far past it: the step then seems perfect although it
    /// went through a wall. (DOP853 has four such stages in the first third of the step.) A rate there that is not
    /// finite counts as well, because rates that ignore a NaN in the state would hide it from the later stages.
    #[inline(always)]
    fn blind(&self, b: &Buffers, h: f64, tol: &Tolerance<'_>) -> Option<Attempt> {
        if M::UNSEEN == [false; MOST_STAGES] {
            return None;
        }
        // the stages of a step limited by stability overshoot by many tolerances, but not by the size of the components
        let (m, margin) = (tol.scale.len(), (1.0 / tol.rtol).min(1e6));
        for block in 0..self.blocks() {
            let (seen, unseen) = (self.fastest::<false>(block), self.fastest::<true>(block));
            for i in 0..L.min(m.saturating_sub(block * L)) {
                let j = block * L + i;
                let value = b.y0[j].abs().max(b.y1[j].abs());
                let proportion = 10.0 * h.abs() * seen[i] + 0.5 * value + margin * self.arg[block][i];
                if unseen[i].is_nan() {
                    return Some(Attempt::with_error(f64::NAN, j));
                }
                if h.abs() * unseen[i] > proportion {
                    return Some(Attempt::with_error(1e10, j));
                }
            }
        }
        None
    }

    /// Returns the largest |rates| of a block at the stages in the estimates, or at those that are in none; NaN if one
    /// of the latter is not finite.
    #[inline(always)]
    fn fastest<const UNSEEN: bool>(&self, block: usize) -> [f64; L] {
        let (mut largest, mut bad) = ([0.0f64; L], [0.0f64; L]);
        for_each_stage!(I of M::TABLEAU, from 0 to the end, {
            if M::UNSEEN[I] == UNSEEN {
                let k = &self.k[I * self.blocks() + block];
                for i in 0..L {
                    largest[i] = if k[i].abs() > largest[i] { k[i].abs() } else { largest[i] };
                    // stays NaN once it is; the estimates themselves contain the other stages
                    bad[i] += if UNSEEN { 0.0 * k[i] } else { 0.0 };
                }
            }
        });
        (0..L).for_each(|i| largest[i] += bad[i]);
        largest
    }
}
