//! Random numbers that are the same in every run, on every machine.

use std::f64::consts::PI;

use carom_base::elementary::{exp, ln};
use carom_base::{Pose, Quat, Vec3};

/// Random numbers that follow from the seed alone (Steele, Lea & Flood 2014: splitmix64).
///
/// ```
/// let mut random = carom_testkit::Random(7);
/// assert_eq!(random.next(), carom_testkit::Random(7).next());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Random(pub u64);

impl Random {
    /// The next number in [0, 1).
    #[allow(
        clippy::should_implement_trait,
        reason = "it is no iterator: it never ends, and gives no options"
    )]
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number in [low, high).
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }

    /// A number between two positive ones, evenly over the orders of magnitude.
    pub fn scale(&mut self, low: f64, high: f64) -> f64 {
        exp(self.between(ln(low), ln(high)))
    }

    /// One of 0 … n − 1.
    pub fn one_of(&mut self, n: usize) -> usize {
        ((self.next() * n as f64) as usize).min(n.saturating_sub(1))
    }

    /// A vector with each component in [−1, 1).
    pub fn vector(&mut self) -> Vec3 {
        Vec3::from_fn(|_, _| self.between(-1.0, 1.0))
    }

    /// A unit vector; all directions are equally likely.
    pub fn direction(&mut self) -> Vec3 {
        loop {
            let v = self.vector();
            if v.norm_squared() > 1e-2 && v.norm_squared() < 1.0 {
                return v.normalize();
            }
        }
    }

    /// A unit vector: anywhere, or with one or two components tiny or zero.
    pub fn special_direction(&mut self) -> Vec3 {
        let mut m = self.vector();
        let which = self.one_of(12);
        let least = [0.0, 1e-300, 1e-17, 1e-6][self.one_of(4)];
        for i in 0..3 {
            if which < 7 && which & (1 << i) != 0 {
                m[i] *= least;
            }
        }
        m.normalize()
    }

    /// A rotation by up to half a turn.
    pub fn turn(&mut self) -> Quat {
        let angle = self.between(0.0, PI);
        Quat::from_scaled_axis(self.direction() * angle)
    }

    /// A pose anywhere in a cube of that half length [m].
    pub fn pose(&mut self, half: f64) -> Pose {
        let p = self.vector() * half;
        Pose::new(p, &self.turn())
    }
}
