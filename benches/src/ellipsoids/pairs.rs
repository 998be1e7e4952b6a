//! Random pairs of ellipsoids that are apart, and where they were shortly before.

use carom_geometry::surfaces::Ellipsoid;
use carom_geometry::{Pose, Quat, Vec3};

use crate::Failure;

/// Each turns by so much between the two poses [rad].
pub(crate) const TURN: f64 = 0.01;
/// And moves by so much of the size, both longest semi axes together.
pub(crate) const SHIFT: f64 = 0.01;

/// Two ellipsoids, where they were and where they are.
pub(crate) struct Pair {
    pub(crate) a: Ellipsoid,
    pub(crate) b: Ellipsoid,
    pub(crate) before: [Placed; 2],
    pub(crate) now: [Placed; 2],
    /// [m]
    pub(crate) size: f64,
}

/// A pose as both sides like it.
#[derive(Clone, Copy)]
pub(crate) struct Placed {
    pub(crate) p: Vec3,
    pub(crate) q: Quat,
    pub(crate) x: Pose,
}

impl Placed {
    fn new(p: Vec3, q: Quat) -> Placed {
        Placed { p, q, x: Pose::new(p, &q) }
    }
}

/// Numbers in a fixed order (Steele, Lea & Flood 2014: splitmix64).
struct Random(u64);

impl Random {
    fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        low + (high - low) * ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
    /// Evenly over the orders of magnitude.
    fn scale(&mut self, low: f64, high: f64) -> f64 {
        self.between(low.ln(), high.ln()).exp()
    }
    fn direction(&mut self) -> Vec3 {
        loop {
            let v = Vec3::from_fn(|_, _| self.between(-1.0, 1.0));
            if v.norm_squared() > 1e-2 && v.norm_squared() < 1.0 {
                return v.normalize();
            }
        }
    }
}

/// What pairs are like: semi axes from `shortest` to 1 m, any turns; tangent planes `nearest` to 1 times the size apart, their points facing each other.
pub(crate) struct Class {
    pub(crate) name: &'static str,
    shortest: f64,
    nearest: f64,
}

pub(crate) const CLASSES: [Class; 2] = [
    Class { name: "aspect ratios to 5, gaps of 0.001 to 1 times the size", shortest: 0.2, nearest: 1e-3 },
    Class { name: "aspect ratios to 1.7, gaps of 0.3 to 1 times the size", shortest: 0.6, nearest: 0.3 },
];

/// So many pairs of a class.
pub(crate) fn random(count: usize, class: &Class) -> Result<Vec<Pair>, Failure> {
    let mut r = Random(1);
    let pair = |_| {
        let mut egg = || Ellipsoid::new([(); 3].map(|()| r.scale(class.shortest, 1.0)));
        let (a, b) = (egg()?, egg()?);
        let size = a.semi_axes().max() + b.semi_axes().max();
        let mut turn = || {
            let angle = r.between(0.0, std::f64::consts::PI);
            Quat::from_scaled_axis(r.direction() * angle)
        };
        let (q_a, q_b) = (turn(), turn());
        let n = r.direction();
        let p_a = r.direction();
        let gap = r.scale(class.nearest, 1.0) * size;
        // tip of A + gap n = tip of B
        let p_b =
            p_a + q_a * a.support(&(q_a.inverse() * n)) + n * gap - q_b * b.support(&(q_b.inverse() * -n));
        let mut moved = |now: &Placed| {
            let q = Quat::from_scaled_axis(r.direction() * TURN) * now.q;
            Placed::new(now.p + r.direction() * (SHIFT * size), q)
        };
        let now = [Placed::new(p_a, q_a), Placed::new(p_b, q_b)];
        let before = [moved(&now[0]), moved(&now[1])];
        Ok(Pair { a, b, before, now, size })
    };
    (0..count).map(pair).collect()
}
