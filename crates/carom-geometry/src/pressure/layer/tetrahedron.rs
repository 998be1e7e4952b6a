//! Tetrahedra of a layer, over each of which the depth is linear.
//!
//! A prism is cut into three, so that neighbours agree about the cuts of the sides they share: from the corner of lower number below to that of higher number above.

use carom_base::Vec3;

use super::super::gauss::Rule;
use super::super::polygon::Room;
use crate::closest_point::direction;

/// A corner of a prism.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    pub(super) x: Vec3,
    /// the depth there [m]
    pub(super) depth: f64,
    /// how far the surface has moved inwards there [m]
    pub(super) level: f64,
}

/// The plane of a face, with the value of n·(x − a) at the opposite corner.
#[derive(Clone, Copy, Debug)]
struct Face {
    n: Vec3,
    a: Vec3,
    full: f64,
}

impl Face {
    #[inline]
    fn height(&self, x: &Vec3) -> f64 {
        self.n.dot(&(x - self.a))
    }

    /// The barycentric coordinate of the opposite corner.
    #[inline]
    fn share(&self, x: &Vec3) -> f64 {
        self.height(x) / self.full
    }
}

/// A tetrahedron.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tetrahedron {
    corners: [Corner; 4],
    /// face k is opposite of corner k
    faces: [Face; 4],
    /// minus one if it is turned over, so that it is taken away from others that it overlaps
    pub(super) sign: f64,
    /// the depth is `d_0` + `slope`·(x − first corner), and no more than `most`
    slope: Vec3,
    d_0: f64,
    most: f64,
}

/// The corners of the three, as numbers of corners of the prism, 3 to 5 being above; and the sign of their volume by this order where nothing is turned over.
const THREE: [([usize; 4], f64); 3] = [([0, 1, 2, 5], -1.0), ([0, 1, 4, 5], 1.0), ([0, 3, 4, 5], -1.0)];

/// A triangle is cut if over it the way to the last corner changes by more than this, relative to what is left of it; so often at most.
const STEEP: f64 = 1.0;
const MOST_CUTS: usize = 30;

impl Tetrahedron {
    /// The three of a prism with these corners, those below first, in the order of their numbers; `parity` is minus one if that order is clockwise seen from outside. One without volume is left out.
    pub(super) fn three(prism: &[Corner; 6], parity: f64) -> [Option<Tetrahedron>; 3] {
        THREE.map(|(which, order)| {
            let corners = which.map(|k| prism[k]);
            // all neighbours take the corners of a face in the same order, so that they agree in the last digit on which side a point is
            let face = |k: usize| {
                let [a, b, c] = [0, 1, 2].map(|i| corners[if i < k { i } else { i + 1 }].x);
                let n = (b - a).cross(&(c - a));
                Face { n, a, full: n.dot(&(corners[k].x - a)) }
            };
            let faces = [0, 1, 2, 3].map(face);
            if faces.iter().any(|f| f.full == 0.0 || !f.full.is_finite()) {
                return None;
            }
            let d_0 = corners[0].depth;
            let (mut slope, mut most) = (Vec3::zeros(), d_0);
            for (face, corner) in faces.iter().zip(&corners).skip(1) {
                slope += face.n * ((corner.depth - d_0) / face.full);
                most = most.max(corner.depth);
            }
            let sign = (parity * order * faces[3].full).signum();
            Some(Tetrahedron { corners, faces, sign, slope, d_0, most })
        })
    }

    /// The depth [m].
    #[inline]
    pub(super) fn depth(&self, x: &Vec3) -> f64 {
        (self.d_0 + self.slope.dot(&(x - self.corners[0].x))).clamp(0.0, self.most)
    }

    /// The direction in which the depth grows.
    pub(super) fn down(&self) -> Vec3 {
        direction(&self.slope, Vec3::z).0
    }

    /// The level [m] of a point.
    #[inline]
    pub(super) fn level(&self, x: &Vec3) -> f64 {
        self.faces.iter().zip(&self.corners).map(|(f, c)| f.share(x) * c.level).sum()
    }

    /// Where the field of [`flux`](Self::flux) ends.
    pub(super) fn end(&self) -> Vec3 {
        self.corners[3].x
    }

    /// ∫ d dV over all of it [m⁴].
    pub(super) fn whole(&self) -> f64 {
        self.faces[3].full.abs() / 24.0 * self.corners.iter().map(|c| c.depth).sum::<f64>()
    }

    /// Leaves of a polygon what is within, and says whether anything is left.
    pub(super) fn cut(&self, polygon: &[Vec3], room: &mut Room) -> bool {
        let outside = |f: &Face| polygon.iter().all(|x| f.height(x) * f.full < 0.0);
        if self.faces.iter().any(outside) {
            return false;
        }
        room.start(polygon.iter().copied());
        self.faces.iter().all(|face| {
            let side = face.full.signum();
            room.cut(0.0, side > 0.0, |x| face.height(x) * side)
        })
    }

    /// ∫ V·n dS over a polygon within, V being a field whose divergence is the depth. It follows the lines to the last corner, where it ends: so it has no flux through any face.
    pub(super) fn flux(&self, polygon: &[Vec3], n: &Vec3) -> f64 {
        let parts = (2..polygon.len()).map(|k| [polygon[0], polygon[k - 1], polygon[k]]);
        parts.map(|part| self.flux_of(part, n, MOST_CUTS)).sum()
    }

    /// The same over a triangle, in parts if the field is steep: it grows without end towards the last corner.
    fn flux_of(&self, [a, b, c]: [Vec3; 3], n: &Vec3, cuts: usize) -> f64 {
        let shares = [a, b, c].map(|x| self.faces[3].share(&x));
        let most = shares.iter().copied().fold(0.0, f64::max);
        let least = shares.iter().copied().fold(1.0, f64::min);
        if cuts > 0 && most - least > STEEP * (1.0 - most) {
            let (ab, bc, ca) = ((a + b) * 0.5, (b + c) * 0.5, (c + a) * 0.5);
            let four = [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]];
            return four.into_iter().map(|part| self.flux_of(part, n, cuts - 1)).sum();
        }
        let rule = Rule::of(8);
        let (u, v) = (b - a, c - b);
        let area = u.cross(&v).norm();
        let mut sum = 0.0;
        for (s, w_s) in rule.nodes.iter().zip(&rule.weights) {
            for (t, w_t) in rule.nodes.iter().zip(&rule.weights) {
                let x = a + (u + v * *t) * *s;
                sum += w_s * w_t * s * area * self.field(&x).dot(n);
            }
        }
        sum
    }

    /// With r from 1 at the opposite face to 0 at the last corner e, and the depths `d_y` and `d_e` at both ends of the line through x, V = (e − x)/r³ ∫ r² d dr from r to 1.
    fn field(&self, x: &Vec3) -> Vec3 {
        let Corner { x: e, depth: d_e, .. } = self.corners[3];
        let sigma = self.faces[3].share(x).clamp(0.0, 1.0);
        let r = (1.0 - sigma).max(f64::EPSILON);
        let d_y = (self.depth(x) - sigma * d_e) / r;
        let by_d_y = 0.25 * sigma * (1.0 + r) * (1.0 + r * r);
        let by_d_e = sigma * sigma * (6.0 - 8.0 * sigma + 3.0 * sigma * sigma) / 12.0;
        (e - x) * ((d_y * by_d_y + d_e * by_d_e) / (r * r * r))
    }
}
