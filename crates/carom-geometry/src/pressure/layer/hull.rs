//! What a prism of a layer is within, by which most others are ruled out.

use carom_base::Vec3;

use super::boxes::Aabb;
use crate::closest_point::direction;

/// What a prism is within.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hull {
    /// the line from the middle of its triangle to that above, and how far the prism is from that at most [m]
    middle: Vec3,
    way: Vec3,
    pub(super) radius: f64,
    /// half spaces n·x ≤ h: below its triangle, and within its sides
    within: [(Vec3, f64); 4],
}

impl Hull {
    /// Around the corners of a triangle and those above, `parity` being minus one if the triangle is clockwise seen from outside.
    pub(super) fn new(below: &[Vec3; 3], above: &[Vec3], parity: f64) -> Hull {
        let mean = |corners: &[Vec3]| corners.iter().sum::<Vec3>() / corners.len().max(1) as f64;
        let middle = mean(below);
        let way = mean(above) - middle;
        let corners = || below.iter().chain(above);
        let half_space = |n: Vec3| {
            let n = direction(&n, Vec3::z).0;
            (n, corners().map(|x| n.dot(x)).fold(f64::NEG_INFINITY, f64::max))
        };
        let [a, b, c] = below;
        let sides = [b - a, c - b, a - c].map(|edge| edge.cross(&-way) * parity);
        let outwards = (b - a).cross(&(c - a)) * parity;
        let within = [outwards, sides[0], sides[1], sides[2]].map(half_space);
        let mut hull = Hull { middle, way, radius: 0.0, within };
        hull.radius = corners().map(|x| hull.distance(x)).fold(0.0, f64::max);
        hull
    }

    /// How far a point is from the line along its middle [m].
    #[inline]
    fn distance(&self, x: &Vec3) -> f64 {
        let from = x - self.middle;
        let t = (from.dot(&self.way) / self.way.norm_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
        (from - self.way * t).norm()
    }

    /// Whether nothing in a box can be in it.
    #[inline]
    pub(super) fn is_beside(&self, bounds: &Aabb) -> bool {
        let outside = |(n, h): &(Vec3, f64)| n.dot(&bounds.middle) - n.abs().dot(&bounds.half) > *h;
        self.within.iter().any(outside) || self.distance(&bounds.middle) > self.radius + bounds.half.norm()
    }

    /// Whether no corner can be in it, nor what is between them.
    #[inline]
    pub(super) fn is_beside_all(&self, corners: &[Vec3]) -> bool {
        self.within.iter().any(|(n, h)| corners.iter().all(|x| n.dot(x) > *h))
    }
}
