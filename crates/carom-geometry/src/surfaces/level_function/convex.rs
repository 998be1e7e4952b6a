//! Whether a surface by a function is convex, and its tangent planes if it is: what pairs of convex solids need.
//!
//! It is convex if no point of the grid is beyond the tangent plane of another; the radii of curvature are the extremes of those at these
//! points, the least one halved, the largest one a tenth more: sampled, not proved.
//!
//! The furthest point along m: with n the normal and S the shape operator Newton's step in the tangent plane is S x = m/(m·n). The height m·p is stationary at the end, so that
//! it is exact to rounding though the point itself is known to the square root of that where the surface is flat.
//!
//! Checked: against spheres, ellipsoids and superellipsoids (`tests/level_function.rs`).

use carom_base::Vec3;
use carom_base::elementary::powi;

use super::{LevelFunction, Planned};
use crate::bend::Bend;
use crate::closest_point::direction;
use crate::contact::Curvature;
use crate::shape::{Implicit, Side, Support};

/// Relative to the box: points so much beyond a tangent plane are beyond it.
const BEYOND: f64 = 1e-6;
/// Points nearer than this to one another tell nothing of a tangent plane.
const NEAR: f64 = 1e-3;
/// Curvatures below this count for this: what is flat has furthest points all over.
const FLAT: f64 = 1e-9;

/// How a convex surface is bent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bulge {
    least: f64,
    largest: f64,
    strict: bool,
}

impl Bulge {
    /// From the points of the grid and how the surface is bent there; `None`: it is not convex.
    pub(super) fn of(seeds: &[Vec3], bends: &[Bend], size: f64) -> Option<Bulge> {
        let (near, beyond) = (powi(NEAR * size, 2), BEYOND * size);
        let mut strict = true;
        for (p, bend) in seeds.iter().zip(bends) {
            for q in seeds {
                let way = q - p;
                let (height, square) = (way.dot(&bend.n), way.norm_squared());
                if height > beyond {
                    return None;
                }
                strict &= square < near || height < -BEYOND * square / size;
            }
        }
        let [most, least] = [0, 1].map(|i| bends.iter().map(move |b| b.k[i]));
        let (most, least) = (most.fold(0.0, f64::max), least.fold(f64::INFINITY, f64::min));
        // what is flat but for rounding is flat
        let largest = if least * size > BEYOND { 1.1 / least } else { f64::INFINITY };
        Some(Bulge { least: 0.5 / most, largest, strict })
    }
}

impl Support for LevelFunction {
    fn support(&self, m: &Vec3) -> Vec3 {
        let (m, _) = direction(m, Vec3::z);
        let step = |_: &Vec3, bend: &Bend| {
            let up = bend.n.dot(&m).max(0.1);
            let along = |i: usize| {
                let (slope, bent) = (m.dot(&bend.t[i]), up * bend.k[i].max(FLAT / self.size));
                (bend.t[i] * (slope / bent), 0.5 * slope * slope / bent)
            };
            let [(firm, a), (other, b)] = [along(0), along(1)];
            Planned { way: firm + other, firm, valley: false, gain: a + b }
        };
        let height = |p: &Vec3| -m.dot(p);
        let start = self.seeds.iter().min_by(|a, b| height(a).total_cmp(&height(b)));
        let found = start.and_then(|start| self.lowest(start, height, step));
        found.map_or_else(|| Vec3::repeat(f64::NAN), |(p, _)| p)
    }
    fn curvature_at(&self, p: &Vec3, _m: &Vec3) -> Curvature {
        let level = self.level(p);
        Bend::new(&level.gradient, &level.hessian).seen_from(Side::Outside)
    }
    fn least_radius(&self) -> f64 {
        self.bulge.map_or(0.0, |b| b.least)
    }
    fn largest_radius(&self) -> f64 {
        self.bulge.map_or(f64::INFINITY, |b| b.largest)
    }
    fn is_strict(&self) -> bool {
        self.bulge.is_some_and(|b| b.strict)
    }
}
