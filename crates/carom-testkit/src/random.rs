//! Random numbers that are the same in every run and on every machine.

use std::f64::consts::PI;

use carom_base::elementary::{exp, ln};
use carom_base::{Pose, Quat, Vec3};

/// A generator of random numbers that depend on the seed alone (Steele, Lea & Flood 2014: splitmix64).
///
/// ```
/// let mut random = carom_testkit::Random(7);
/// assert_eq!(random.next(), carom_testkit::Random(7).next());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Random(pub u64);

impl Random {
    /// Creates a generator with a seed from a name (its FNV-1a hash): the samples for a kind do not depend on its
    /// position in a list.
    ///
    /// ```
    /// use carom_testkit::Random;
    /// assert_eq!(Random::of("sphere").next(), Random::of("sphere").next());
    /// assert_ne!(Random::of("sphere").next(), Random::of("plane").next());
    /// ```
    pub fn of(name: &str) -> Random {
        let hash = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        Random(name.bytes().fold(0xcbf2_9ce4_8422_2325, hash))
    }

    /// Returns the next number in [0, 1).
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

    /// Returns a number in [low, high).
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }

    /// Returns a number between two positive ones, evenly distributed over the orders of magnitude.
    pub fn scale(&mut self, low: f64, high: f64) -> f64 {
        exp(self.between(ln(low), ln(high)))
    }

    /// Returns one of 0 … n − 1.
    pub fn one_of(&mut self, n: usize) -> usize {
        ((self.next() * n as f64) as usize).min(n.saturating_sub(1))
    }

    /// Returns a vector with each component in [−1, 1).
    pub fn vector(&mut self) -> Vec3 {
        Vec3::from_fn(|_, _| self.between(-1.0, 1.0))
    }

    /// Returns a unit vector; all directions are equally likely.
    pub fn direction(&mut self) -> Vec3 {
        loop {
            let v = self.vector();
            if v.norm_squared() > 1e-2 && v.norm_squared() < 1.0 {
                return v.normalize();
            }
        }
    }

    /// Returns a unit vector: in any direction, or with one or two components tiny or zero.
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

    /// Returns a rotation about a random axis by up to half a turn.
    pub fn turn(&mut self) -> Quat {
        let angle = self.between(0.0, PI);
        Quat::from_scaled_axis(self.direction() * angle)
    }

    /// Returns a pose anywhere in a cube of this half length [m].
    pub fn pose(&mut self, half: f64) -> Pose {
        let p = self.vector() * half;
        Pose::new(p, &self.turn())
    }
}
