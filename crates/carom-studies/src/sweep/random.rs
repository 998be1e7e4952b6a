//! Generates pseudo-random numbers that are the same on every machine.

/// The generator SplitMix64 (Steele, Lea and Flood 2014), for which every seed is equally good.
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    /// Makes the generator for a seed, with a different sequence for every `stream`.
    pub(super) fn new(seed: u64, stream: u64) -> Random {
        let mut first = Random(seed);
        let seed = first.next();
        Random(seed ^ Random(stream).next())
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number from 0 to 1, the latter excluded.
    pub(super) fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Returns 0 to n − 1 in random order (Fisher and Yates).
    pub(super) fn order(&mut self, n: usize) -> Vec<u32> {
        let mut all: Vec<u32> = (0..n).map(|i| i as u32).collect();
        for i in (1..n).rev() {
            // the bias of a product is below n/2⁶⁴
            let j = (u128::from(self.next()) * (i as u128 + 1)) >> 64;
            all.swap(i, j as usize);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of seed 1234567, as the authors' program prints them.
    #[test]
    fn known_numbers() {
        let mut r = Random(1_234_567);
        assert_eq!([r.next(), r.next()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
    }

    #[test]
    fn an_order_has_every_place_once() {
        let mut order = Random::new(1, 2).order(1000);
        assert!(order.iter().enumerate().filter(|(i, x)| *i == **x as usize).count() < 10);
        order.sort_unstable();
        assert!(order.iter().enumerate().all(|(i, x)| i == *x as usize));
    }
}
