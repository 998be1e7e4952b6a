//! The distance of two cores, by E. Gilbert, D. Johnson and S. Keerthi (IEEE J. Robotics and Automation 4, 1988).
//!
//! The differences w = q − p of points of the two form a convex set; v, its point nearest to the origin, is the distance vector. v is
//! approached from within by simplices of up to four tips; every tip w(n), n = v/|v|, gives the lower bound n·w. Tips only are asked for, so
//! edges and flat pieces are no trouble, and both bounds are certain: this is what other iterations start from and fall back on.

use carom_base::Vec3;

use super::couple::{Couple, Tips};
use crate::closest_point::direction;

/// Steps at most; a dozen are usual.
const MOST_STEPS: usize = 200;
/// Bounds that agree to this, relative to the distance, ask for exact directions.
const FINE: f64 = 1e-5;
/// Steps at most in which neither bound improves.
const MOST_STALLED: usize = 8;

/// What is known of the distance of two cores.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cores {
    /// apart, with the direction found
    Apart {
        /// the direction with the largest lower bound
        n: Vec3,
        /// the nearest points found, of the cores
        p: Vec3,
        q: Vec3,
        /// lower and upper bound of their distance [m]
        low: f64,
        high: f64,
    },
    /// they overlap, or touch to rounding
    Overlap {
        /// the direction with the largest lower bound
        n: Vec3,
    },
}

/// Approaches the distance of the cores from `start`, a unit vector, until both bounds agree to `tolerance`, relative to the distance, or to the
/// size if that is less. Counts steps into `steps`.
pub(super) fn nearest(couple: &Couple<'_>, start: &Vec3, tolerance: f64, steps: &mut usize) -> Cores {
    let grain = 4.0 * f64::EPSILON * couple.size;
    let mut simplex = Simplex::new(couple.core_tips(start));
    let (mut n, mut low) = (*start, simplex.tips[0].s);
    let (mut last, mut stalled) = (f64::INFINITY, 0);
    let mut at = simplex.point();
    for _ in 0..MOST_STEPS {
        let (out, high) = direction(&at.0, Vec3::z);
        if high <= grain {
            return Cores::Overlap { n };
        }
        // towards the end what is left of v, a small difference or on a thin simplex, no longer has the digits of a direction
        let out = if high - low <= FINE * high { simplex.across(&out) } else { out };
        let tips = couple.core_tips(&out);
        *steps += 1;
        // steps may be too short to be felt by the upper bound while the lower one still rises
        stalled = if tips.s > low || high < last { 0 } else { stalled + 1 };
        if tips.s > low {
            (n, low) = (out, tips.s);
        }
        let closed = high - low <= tolerance * high.min(couple.size) + grain;
        if closed || stalled == MOST_STALLED || simplex.has(&tips) {
            return Cores::Apart { n, p: at.1, q: at.2, low, high };
        }
        last = last.min(high);
        simplex.push(tips);
        if !simplex.reduce() {
            return Cores::Overlap { n };
        }
        at = simplex.point();
    }
    Cores::Apart { n, p: at.1, q: at.2, low, high: at.0.norm() }
}

/// Up to four tips, and the weights of the point of their hull nearest to the origin.
#[derive(Clone, Copy, Debug)]
struct Simplex {
    tips: [Tips; 4],
    weights: [f64; 4],
    count: usize,
}

impl Simplex {
    fn new(tips: Tips) -> Simplex {
        Simplex { tips: [tips; 4], weights: [1.0, 0.0, 0.0, 0.0], count: 1 }
    }

    fn push(&mut self, tips: Tips) {
        self.tips[self.count] = tips;
        self.count += 1;
    }

    fn has(&self, tips: &Tips) -> bool {
        self.tips[..self.count].iter().any(|t| t.p == tips.p && t.q == tips.q)
    }

    /// The nearest point, and the points of A and B it is the difference of.
    fn point(&self) -> (Vec3, Vec3, Vec3) {
        let (mut p, mut q) = (Vec3::zeros(), Vec3::zeros());
        for (tips, weight) in self.tips.iter().zip(&self.weights).take(self.count) {
            p += tips.p * *weight;
            q += tips.q * *weight;
        }
        (q - p, p, q)
    }

    /// The unit vector across all sides, nearest to n.
    fn across(&self, n: &Vec3) -> Vec3 {
        let w = self.tips.map(|t| t.q - t.p);
        match self.count {
            2 => {
                let (e, _) = direction(&(w[1] - w[0]), Vec3::zeros);
                direction(&(n - e * e.dot(n)), || *n).0
            }
            3 => {
                let normal = normal(&w, [0, 1, 2]);
                direction(&(normal * normal.dot(n)), || *n).0
            }
            _ => *n,
        }
    }

    /// Keeps the tips whose hull has the nearest point within; says no if all four hold the origin.
    fn reduce(&mut self) -> bool {
        let w: [Vec3; 4] = self.tips.map(|t| t.q - t.p);
        let found = match self.count {
            2 => on_segment(&w, [0, 1]),
            3 => on_triangle(&w, [0, 1, 2]),
            4 => match on_tetrahedron(&w) {
                Some(found) => found,
                None => return false,
            },
            _ => return true,
        };
        let (tips, mut count) = (self.tips, 0);
        for (i, weight) in found.into_iter().enumerate().filter(|(_, weight)| *weight > 0.0) {
            (self.tips[count], self.weights[count]) = (tips[i], weight);
            count += 1;
        }
        self.count = count.clamp(1, 3);
        true
    }
}

/// The weights of the point of a segment nearest to the origin.
fn on_segment(w: &[Vec3; 4], [i, j]: [usize; 2]) -> [f64; 4] {
    let edge = w[j] - w[i];
    let square = edge.norm_squared();
    let t = if square > 0.0 { (-w[i].dot(&edge) / square).clamp(0.0, 1.0) } else { 0.0 };
    let mut weights = [0.0; 4];
    weights[i] = 1.0 - t;
    weights[j] = t;
    weights
}

/// Twice the area of a triangle, along its normal: from its two shorter sides, as two long ones that are nearly parallel would lose most digits.
pub(super) fn normal(w: &[Vec3; 4], [i, j, k]: [usize; 3]) -> Vec3 {
    let sides = [w[j] - w[i], w[k] - w[j], w[i] - w[k]];
    let squares = sides.map(|side| side.norm_squared());
    let longest = (0..3).fold(0, |k, i| if squares[i] > squares[k] { i } else { k });
    sides[(longest + 1) % 3].cross(&sides[(longest + 2) % 3])
}

/// Returns the point of a triangle nearest to the origin: within it, or on the nearest of its sides.
pub(super) fn on_triangle(w: &[Vec3; 4], [i, j, k]: [usize; 3]) -> [f64; 4] {
    let normal = normal(w, [i, j, k]);
    let square = normal.norm_squared();
    if square > 0.0 {
        // the areas seen from the origin, as shares of the whole
        let share = |x: &Vec3, y: &Vec3| x.cross(y).dot(&normal) / square;
        let shares = [share(&w[j], &w[k]), share(&w[k], &w[i]), share(&w[i], &w[j])];
        if shares.iter().all(|s| *s > 0.0) {
            let sum: f64 = shares.iter().sum();
            let mut weights = [0.0; 4];
            (weights[i], weights[j], weights[k]) = (shares[0] / sum, shares[1] / sum, shares[2] / sum);
            return weights;
        }
    }
    nearest_of(w, [on_segment(w, [i, j]), on_segment(w, [j, k]), on_segment(w, [k, i])])
}

/// Returns the point of a tetrahedron nearest to the origin; `None` if it holds the origin.
fn on_tetrahedron(w: &[Vec3; 4]) -> Option<[f64; 4]> {
    const FACES: [([usize; 3], usize); 4] = [([0, 1, 2], 3), ([0, 1, 3], 2), ([0, 2, 3], 1), ([1, 2, 3], 0)];
    // a flat one holds nothing, and all of its faces count
    let volume = (w[1] - w[0]).cross(&(w[2] - w[0])).dot(&(w[3] - w[0]));
    let reach = (1..4).map(|i| (w[i] - w[0]).norm()).product::<f64>();
    let flat = volume.abs() <= 1e-14 * reach;
    let beyond = |(face, apex): &([usize; 3], usize)| {
        let normal = (w[face[1]] - w[face[0]]).cross(&(w[face[2]] - w[face[0]]));
        let (origin, inner) = (-normal.dot(&w[face[0]]), normal.dot(&(w[*apex] - w[face[0]])));
        flat || origin * inner < 0.0
    };
    let mut best: Option<[f64; 4]> = None;
    for (face, _) in FACES.iter().filter(|face| beyond(face)) {
        let found = on_triangle(w, *face);
        best = Some(best.map_or(found, |best| nearest_of(w, [best, found])));
    }
    best
}

/// Of several points of a hull, by their weights, that nearest to the origin.
fn nearest_of<const N: usize>(w: &[Vec3; 4], points: [[f64; 4]; N]) -> [f64; 4] {
    let square = |weights: &[f64; 4]| {
        w.iter().zip(weights).map(|(w, weight)| w * *weight).sum::<Vec3>().norm_squared()
    };
    points.into_iter().min_by(|a, b| square(a).total_cmp(&square(b))).unwrap_or([1.0, 0.0, 0.0, 0.0])
}
