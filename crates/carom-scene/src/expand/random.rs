//! Random numbers that depend on the seed alone, by arithmetic that is the same on every machine.

use carom_base::{Quat, Vec3};
use nalgebra::{Quaternion, Unit};

/// The generator splitmix64 (Steele, Lea & Flood 2014).
#[derive(Clone, Copy, Debug)]
pub(super) struct Random(pub(super) u64);

impl Random {
    /// Returns the next number in [0, 1).
    pub(super) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Returns a point in a box.
    pub(super) fn point(&mut self, low: &Vec3, high: &Vec3) -> Vec3 {
        low.zip_map(high, |low, high| low + (high - low) * self.next())
    }

    /// Returns a rotation, all equally likely: a point in the unit ball of four dimensions, its length made 1.
    pub(super) fn rotation(&mut self) -> Quat {
        loop {
            let [w, x, y, z] = std::array::from_fn(|_| 2.0 * self.next() - 1.0);
            let q = Quaternion::new(w, x, y, z);
            let square = w * w + x * x + y * y + z * z;
            if (1e-4..=1.0).contains(&square) {
                return Unit::new_unchecked(q / square.sqrt());
            }
        }
    }
}
