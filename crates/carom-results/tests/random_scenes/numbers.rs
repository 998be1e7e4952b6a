//! Numbers that look random and are the same on every machine, whatever else a scene draws.

/// SplitMix64 (Steele, Lea and Flood 2014): every seed is a good one.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    /// The stream of a seed; another for every `stream`, so that a change of one part of a scene leaves the others as they are.
    pub(crate) fn new(seed: u64, stream: u64) -> Random {
        let mut first = Random(seed);
        let seed = first.next();
        Random(seed ^ Random(stream).next())
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From `a` to `b`, to four digits: scenes are to be read.
    pub(crate) fn between(&mut self, a: f64, b: f64) -> f64 {
        let share = (self.next() >> 11) as f64 / (1u64 << 53) as f64;
        short(a + (b - a) * share)
    }

    /// From `a` to `b`, every decade as likely as another.
    pub(crate) fn decades(&mut self, a: f64, b: f64) -> f64 {
        short(self.between(a.ln(), b.ln()).exp())
    }

    /// From `a` to `b`, both included.
    pub(crate) fn whole(&mut self, a: usize, b: usize) -> usize {
        a + (self.next() % (b - a + 1) as u64) as usize
    }

    /// True so often.
    pub(crate) fn chance(&mut self, share: f64) -> bool {
        ((self.next() >> 11) as f64) < share * (1u64 << 53) as f64
    }

    /// One of them.
    pub(crate) fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.whole(0, of.len() - 1)]
    }

    /// Each component from −a to a.
    pub(crate) fn vector(&mut self, a: f64) -> [f64; 3] {
        [0; 3].map(|_| self.between(-a, a))
    }

    /// A direction that is not nearly zero long.
    pub(crate) fn direction(&mut self) -> [f64; 3] {
        loop {
            let v = self.vector(1.0);
            if v.iter().map(|x| x * x).sum::<f64>() > 0.05 {
                return v;
            }
        }
    }
}

/// Four digits of a number.
pub(crate) fn short(x: f64) -> f64 {
    format!("{x:.3e}").parse().unwrap_or(x)
}
