//! Whether a surface by a function is convex, and its tangent planes if it is: what pairs of convex solids need.
//!
//! It is convex if no point of the grid is beyond the tangent plane of another; the radii of curvature are the extremes of those at these
//! points, the least one halved, the largest one a tenth more: sampled, not proved.
//!
//! The furthest point along m: from the furthest point of the grid on, with n the normal and S the shape operator, Newton's step in the tangent plane is
//! S x = m/(m·n), which is then put back on the surface; a step that does not go up is halved. The height m·p is stationary at the end, so that it is exact to rounding though
//! the point itself is known to the square root of that where the surface is flat.
//!
//! Checked: against spheres, ellipsoids and superellipsoids (`tests/level_function.rs`).

use carom_base::Vec3;
use nalgebra::{Matrix2, Matrix3x2};

use super::LevelFunction;
use crate::bend::Bend;
use crate::contact::Curvature;
use crate::convex::{Implicit, Support};
use crate::foot::{direction, tangent};
use crate::surface::Side;

/// Relative to the box: points so much beyond a tangent plane are beyond it.
const BEYOND: f64 = 1e-6;
/// Points nearer than this to one another tell nothing of a tangent plane.
const NEAR: f64 = 1e-3;
/// A step below this is the last: the height changes by its square.
const SMALL: f64 = 1e-8;
/// How far a step goes at most.
const LONGEST: f64 = 0.1;
const MOST_STEPS: usize = 60;

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
        let (near, beyond) = ((NEAR * size).powi(2), BEYOND * size);
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

impl LevelFunction {
    fn furthest(&self, m: &Vec3) -> Vec3 {
        let height = |p: &Vec3| m.dot(p);
        let Some(start) = self.seeds.iter().max_by(|a, b| height(a).total_cmp(&height(b))) else {
            return Vec3::repeat(f64::NAN);
        };
        let (mut p, mut level) = (*start, self.level(start));
        for _ in 0..MOST_STEPS {
            let (n, slope) = direction(&level.gradient, Vec3::z);
            let t = tangent(&n);
            let t = Matrix3x2::from_columns(&[t, n.cross(&t)]);
            let shape: Matrix2<f64> = t.tr_mul(&(level.hessian * t)) / slope;
            // flat or nearly so: any way up will do
            let flat = Matrix2::identity() * (1e-9 / self.size);
            let uphill = t.tr_mul(m) / n.dot(m).max(0.1);
            let Some(inverse) = (shape + flat).try_inverse() else { break };
            let mut step = t * (inverse * uphill);
            step *= (LONGEST * self.size / step.norm()).min(1.0);
            let mut next = self.settle(&(p + step));
            while !(height(&next.0) >= height(&p)) && step.norm() > SMALL * self.size {
                step *= 0.5;
                next = self.settle(&(p + step));
            }
            if height(&next.0) >= height(&p) {
                (p, level) = next;
            }
            if !(step.norm() > SMALL * self.size) {
                break;
            }
        }
        p
    }
}

impl Support for LevelFunction {
    fn support(&self, m: &Vec3) -> Vec3 {
        self.furthest(&direction(m, Vec3::z).0)
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
