//! Vectors in blocks of lanes: an operation on all components is done on a whole block at once, by code compiled for
//! the fixed length of a block.
//!
//! In a small problem, loops over the few components would take longer than the arithmetic in them. Arrays are padded
//! to whole blocks; up to [`WIDEST`] components fit into one block.

/// The number of lanes of the widest blocks. Narrower blocks are used only where all components fit into one.
const WIDEST: usize = 16;

/// Returns the number of lanes of the blocks for `n` components.
pub(crate) fn lanes(n: usize) -> usize {
    match n {
        0..=4 => 4,
        5..=8 => 8,
        9..=12 => 12,
        _ => WIDEST,
    }
}

/// Returns the number of blocks of L lanes that hold n components, L from [`lanes`]: a constant where there is only one
/// block.
#[inline(always)]
pub(crate) fn blocks<const L: usize>(n: usize) -> usize {
    if L < WIDEST { 1 } else { n.div_ceil(L).max(1) }
}

/// Returns the first blocks of a padded array.
#[inline(always)]
pub(crate) fn in_blocks<const L: usize>(v: &[f64], blocks: usize) -> &[[f64; L]] {
    &v.as_chunks().0[..blocks]
}

/// Returns the first blocks of a padded array, for writing.
#[inline(always)]
pub(crate) fn in_blocks_mut<const L: usize>(v: &mut [f64], blocks: usize) -> &mut [[f64; L]] {
    &mut v.as_chunks_mut().0[..blocks]
}

/// Evaluates an expression with the number of lanes for `n` components as a constant.
macro_rules! with_lanes {
    ($n:expr, $l:ident => $what:expr) => {
        with_lanes!(@ $n, $l, $what, 4 8 12; 16)
    };
    (@ $n:expr, $l:ident, $what:expr, $($lanes:literal)*; $widest:literal) => {
        match $crate::lanes::lanes($n) {
            $($lanes => {
                const $l: usize = $lanes;
                $what
            })*
            _ => {
                const $l: usize = $widest;
                $what
            }
        }
    };
}
pub(crate) use with_lanes;

/// The largest |v_i|/allowed_i so far, and its index. NaN counts as larger than every number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Worst {
    pub(crate) share: f64,
    pub(crate) at: usize,
}

impl Worst {
    /// The initial value, before any component.
    pub(crate) const NONE: Worst = Worst { share: 0.0, at: 0 };

    /// Returns the largest ratio of the first m components.
    #[inline(always)]
    pub(crate) fn of<const L: usize>(v: &[[f64; L]], allowed: &[[f64; L]], m: usize) -> Worst {
        let mut worst = Worst::NONE;
        for (block, (v, allowed)) in v.iter().zip(allowed).enumerate() {
            worst.look(block, v, allowed, m);
        }
        worst
    }

    /// Includes a block; m is the number of components in all blocks together.
    #[inline(always)]
    pub(crate) fn look<const L: usize>(&mut self, block: usize, v: &[f64; L], allowed: &[f64; L], m: usize) {
        let mut shares = [0.0; L];
        for i in 0..L {
            // a value of zero is within any tolerance, even a tolerance of zero
            shares[i] = if v[i] == 0.0 { 0.0 } else { v[i].abs() / allowed[i] };
        }
        for i in 0..L.min(m.saturating_sub(block * L)) {
            // the comparison is written so that a NaN is taken, and kept
            if !(shares[i] <= self.share) && !self.share.is_nan() {
                *self = Worst { share: shares[i], at: block * L + i };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lanes beyond the last component are ignored, zeros are accepted even where the tolerance is zero, and the first
    /// NaN stays.
    #[test]
    fn worst_of_all() {
        let allowed = [[1.0, 2.0, 0.0, 1.0]; 2];
        let worst = |v: [[f64; 4]; 2], m: usize| Worst::of(&v, &allowed, m);
        let w = worst([[1.0, -4.0, 0.0, 1.0], [1.0, 2.0, 0.0, 9.0]], 7);
        assert_eq!((w.share, w.at), (2.0, 1));
        let w = worst([[1.0, -4.0, 0.0, 1.0], [1.0, 2.0, 0.0, 9.0]], 8);
        assert_eq!((w.share, w.at), (9.0, 7));
        let w = worst([[1.0, f64::NAN, 1.0, 1.0], [f64::NAN, 2.0, 0.0, 9.0]], 8);
        assert!(w.share.is_nan() && w.at == 1);
        assert_eq!(worst([[f64::INFINITY; 4]; 2], 0).share, 0.0);
    }

    #[test]
    fn blocks_hold_all() {
        for n in 0..100 {
            let padded = with_lanes!(n, L => blocks::<L>(n) * L);
            assert!(padded >= n && padded < n + 16 && padded.is_multiple_of(lanes(n)), "{n}: {padded}");
        }
    }
}
