//! Tetrahedra of a layer, over each of which the depth is linear.
//!
//! A prism over a triangle of the surface is cut into three, so that neighbours agree about the cuts of the sides they share: from the corner of lower number on the surface to that of higher number on top. The three have 3, 2 and 1
//! corners on the surface.

use carom_base::Vec3;

use super::super::gauss::Rule;
use super::super::polygon::Room;
use crate::closest_point::direction;

/// A corner: where it is [m], and the depth there [m].
pub(super) type Corner = (Vec3, f64);

/// The plane of a face, with the value of n·(x − a) at the opposite corner.
#[derive(Clone, Copy, Debug)]
struct Face {
    n: Vec3,
    a: Vec3,
    full: f64,
}

impl Face {
    fn height(&self, x: &Vec3) -> f64 {
        self.n.dot(&(x - self.a))
    }

    /// The barycentric coordinate of the opposite corner.
    fn share(&self, x: &Vec3) -> f64 {
        self.height(x) / self.full
    }
}

/// A tetrahedron, its corners on the surface first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tetrahedron {
    corners: [Corner; 4],
    /// how many corners are on the surface
    below: usize,
    /// face k is opposite of corner k
    faces: [Face; 4],
    /// minus one if it is turned over, so that it is taken away from others that it overlaps
    pub(super) sign: f64,
    /// the depth is `d_0` + `slope`·x
    slope: Vec3,
    d_0: f64,
    most: f64,
}

/// Order of the corners of the three: the first ones on the surface, as numbers of corners of the prism, 3 to 5 being on top; and whether their volume by this order is negative.
const THREE: [([usize; 4], usize, f64); 3] =
    [([0, 1, 2, 5], 3, -1.0), ([0, 1, 4, 5], 2, 1.0), ([0, 3, 4, 5], 1, -1.0)];

/// A triangle is cut if over it the way to the top changes by more than this, relative to what is left of it; so often at most.
const STEEP: f64 = 1.0;
const MOST_CUTS: usize = 8;

impl Tetrahedron {
    /// The three of a prism with these corners, those on the surface first, in the order of their numbers; `parity` is minus one if that order is clockwise seen from outside. One without volume is left out.
    pub(super) fn three(prism: &[Corner; 6], parity: f64) -> impl Iterator<Item = Tetrahedron> + '_ {
        THREE.iter().filter_map(move |(which, below, order)| {
            let corners = which.map(|k| prism[k]);
            // all neighbours take the corners of a face in the same order, so that they agree in the last digit on which side a point is
            let face = |k: usize| {
                let [a, b, c] = [0, 1, 2].map(|i| corners[if i < k { i } else { i + 1 }].0);
                let n = (b - a).cross(&(c - a));
                Face { n, a, full: n.dot(&(corners[k].0 - a)) }
            };
            let faces = [0, 1, 2, 3].map(face);
            if faces.iter().any(|f| f.full == 0.0 || !f.full.is_finite()) {
                return None;
            }
            let (mut slope, mut d_0, mut most) = (Vec3::zeros(), 0.0, 0.0f64);
            for (face, (_, depth)) in faces.iter().zip(&corners).skip(*below) {
                let by = face.n * (depth / face.full);
                slope += by;
                d_0 -= by.dot(&face.a);
                most = most.max(*depth);
            }
            let sign = (parity * order * faces[3].full).signum();
            Some(Tetrahedron { corners, below: *below, faces, sign, slope, d_0, most })
        })
    }

    /// The depth [m].
    #[inline]
    pub(super) fn depth(&self, x: &Vec3) -> f64 {
        (self.d_0 + self.slope.dot(x)).clamp(0.0, self.most)
    }

    /// The direction in which the depth grows.
    pub(super) fn down(&self) -> Vec3 {
        direction(&self.slope, Vec3::z).0
    }

    /// How far down the layer a point is, relative to its thickness there.
    #[inline]
    pub(super) fn share(&self, x: &Vec3) -> f64 {
        self.faces[self.below..].iter().map(|f| f.share(x)).sum()
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

    /// ∫ V·n dS over a polygon within, V being a field whose divergence is the depth, and which has no flux through faces but that on top.
    ///
    /// It follows lines from the surface to the top: those from its face on the surface to the corner on top, from edge to edge, or from the corner on the surface on. With σ from 0 to 1 along a line the cross-section of a bundle goes with
    /// (1 − σ)², σ (1 − σ) or σ², and V times that is its integral with the depth.
    pub(super) fn flux(&self, polygon: &[Vec3], n: &Vec3) -> f64 {
        let parts = (2..polygon.len()).map(|k| [polygon[0], polygon[k - 1], polygon[k]]);
        parts.map(|part| self.flux_of(part, n, MOST_CUTS)).sum()
    }

    /// The same over a triangle, in parts if the field is steep: it grows without end towards the top.
    fn flux_of(&self, [a, b, c]: [Vec3; 3], n: &Vec3, cuts: usize) -> f64 {
        let shares = [a, b, c].map(|x| self.share(&x));
        let most = shares.iter().copied().fold(0.0, f64::max);
        let least = shares.iter().copied().fold(1.0, f64::min);
        if cuts > 0 && most - least > STEEP * (1.0 - most) {
            let (ab, bc, ca) = ((a + b) * 0.5, (b + c) * 0.5, (c + a) * 0.5);
            let four = [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]];
            return four.into_iter().map(|part| self.flux_of(part, n, cuts - 1)).sum();
        }
        let rule = Rule::of(8);
        let (u, v) = (b - a, c - b);
        let area = u.cross(&v).dot(n);
        let mut sum = 0.0;
        for (s, w_s) in rule.nodes.iter().zip(&rule.weights) {
            for (t, w_t) in rule.nodes.iter().zip(&rule.weights) {
                let x = a + (u + v * *t) * *s;
                sum += w_s * w_t * s * area * self.field(&x).dot(n);
            }
        }
        sum
    }

    fn field(&self, x: &Vec3) -> Vec3 {
        let depth = self.depth(x);
        match self.below {
            3 => {
                let (top, t) = self.corners[3];
                let sigma = self.faces[3].share(x).clamp(0.0, 1.0);
                let left = (1.0 - sigma).max(f64::EPSILON);
                let by = sigma * sigma * (6.0 - 8.0 * sigma + 3.0 * sigma * sigma);
                (top - x) * (t * by / (12.0 * left * left * left))
            }
            2 => {
                let shares = self.faces.map(|f| f.share(x));
                let sigma = (shares[2] + shares[3]).clamp(0.0, 1.0);
                let left = (1.0 - sigma).max(f64::EPSILON);
                let above = self.corners[2].0 * shares[2] + self.corners[3].0 * shares[3];
                let below = (self.corners[0].0 * shares[0] + self.corners[1].0 * shares[1]) / left;
                (above - below * sigma) * (depth * (1.0 / 3.0 - 0.25 * sigma) / left)
            }
            _ => (x - self.corners[0].0) * (0.25 * depth),
        }
    }
}
