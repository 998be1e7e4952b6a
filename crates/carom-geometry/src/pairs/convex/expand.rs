//! The depth of two solids right in one another: the polytope of tips, grown where it is nearest to the origin (G. van den Bergen, Game
//! Developers Conference 2001).
//!
//! The tips w(n) = p − q are points of the difference of the solids, a convex set that holds the origin. The polytope they span is within
//! it: the distance of its surface from the origin is a lower bound of the depth, and −s across any n an upper one. Growing the polytope
//! where it is nearest until both agree finds the global answer, whatever the shapes. Only what is nearest is refined, so that the number of
//! tips grows with the number of digits.
//!
//! The tips are those of the cores, nearly (`CORE`), whose depth is less by a known length: balls and all that is nearly round would need
//! hundreds of tips for a digit, as every direction is about as deep.
//!
//! Straight edges make faces a millionth as wide as they are long. Hence two precautions: normals from the two shorter sides, without
//! cancellation (`gjk::normal`), and distances of the faces themselves, not of their planes: any closed surface of such points around the
//! origin, be it dented by rounding, bounds the depth.
//!
//! Checked: random pairs against search (`tests/random_pairs.rs`), hard ones against search in 40 digits (`tests/reference.rs`).

use carom_base::Vec3;

use super::couple::{Couple, Tips};
use super::gjk::{normal, on_triangle};
use super::newton::Normal;
use crate::closest_point::{direction, tangent};

/// Tips at most; 40 to 100 are usual.
const MOST_TIPS: usize = 1000;
/// Faces at most: twice the tips, less four, by Euler's formula.
const MOST_FACES: usize = 2 * MOST_TIPS;
/// Sides of a hole at most.
const MOST_SIDES: usize = 256;
/// How much of the coats is taken off: a little is left, so that tips along different n are different points.
pub(super) const CORE: f64 = 0.99;

#[derive(Clone, Copy, Debug)]
struct Face {
    corners: [u16; 3],
    n: Vec3,
    /// of its plane from the origin [m]; negative: the origin is beyond it
    offset: f64,
    /// of its own nearest point from the origin [m], or a lower bound: that of its plane
    distance: f64,
    is_exact: bool,
}

/// The polytope.
struct Hull {
    tips: [Tips; MOST_TIPS],
    count: usize,
    faces: [Face; MOST_FACES],
    face_count: usize,
}

/// What was found: the direction of the least depth with the points, and bounds of that depth [m].
#[derive(Clone, Copy, Debug)]
pub(super) struct Depth {
    pub(super) at: Normal,
    pub(super) least: f64,
    pub(super) most: f64,
}

impl Depth {
    /// What both know together.
    pub(super) fn and(self, other: Depth) -> Depth {
        let better = if other.most < self.most { other } else { self };
        Depth { least: self.least.max(other.least), ..better }
    }
}

/// The least depth over all directions, to `tolerance` [m]. `polish` may improve on a direction: it returns a common normal nearby.
pub(super) fn depth(
    couple: &Couple<'_>,
    tolerance: f64,
    steps: &mut usize,
    mut polish: impl FnMut(&Vec3, &mut usize) -> Option<Normal>,
) -> Depth {
    let cores = Couple { coat: couple.coat.map(|r| CORE * r), ..*couple };
    let coats: f64 = cores.coat.iter().sum();
    let mut hull = Hull::new(&cores);
    let (mut n, mut polished) = (Vec3::z(), None);
    let (mut least, mut most) = (f64::NEG_INFINITY, f64::INFINITY);
    for tried in 1usize.. {
        let face = hull.nearest();
        let now = face.distance.copysign(face.offset) + coats;
        // a polytope that shrinks has been folded by rounding: what was known before stands
        if now < least - tolerance {
            break;
        }
        least = least.max(now);
        let tips = cores.core_tips(&face.n);
        *steps += 1;
        // (no better by rounding alone: what is polished stays)
        if coats - tips.s < most - 0.1 * tolerance {
            (n, polished, most) = (face.n, None, coats - tips.s);
        }
        // after 1, 2, 4 … tips: a polished direction may end it, or shows the way
        if tried.is_power_of_two()
            && let Some(at) = polish(&face.n, steps)
        {
            let depth = -couple.tips(&at.n).s;
            if depth <= most + 0.1 * tolerance {
                (n, polished, most) = (at.n, Some(at), depth);
            }
        }
        if most - least <= tolerance || !hull.grow(tips, tolerance) {
            break;
        }
    }
    let at = polished.unwrap_or_else(|| {
        let (p, q) = hull.witnesses(&n);
        Normal { n, p: p + n * cores.coat[0], q: q - n * cores.coat[1] }
    });
    Depth { at, least, most }
}

impl Hull {
    /// A tetrahedron of tips, each as far as may be from those before.
    fn new(cores: &Couple<'_>) -> Hull {
        // (zeros are the quickest to fill in)
        let no_face = Face { corners: [0; 3], n: Vec3::zeros(), offset: 0.0, distance: 0.0, is_exact: false };
        let no_tips = Tips { p: Vec3::zeros(), q: Vec3::zeros(), s: 0.0 };
        let mut hull =
            Hull { tips: [no_tips; MOST_TIPS], count: 4, faces: [no_face; MOST_FACES], face_count: 0 };
        hull.tips[0] = cores.core_tips(&Vec3::z());
        hull.tips[1] = cores.core_tips(&-Vec3::z());
        let origin = hull.at(0);
        // of the tips along n and −n that further from the plane of the first, and whether it is that along n
        let further = |n: &Vec3| {
            let tips = [n, &-n].map(|n| cores.core_tips(n));
            let height = tips.map(|t| n.dot(&(t.p - t.q - origin)));
            if height[0] > -height[1] { (tips[0], true) } else { (tips[1], false) }
        };
        let along = hull.at(1) - origin;
        hull.tips[2] = further(&tangent(&direction(&along, Vec3::z).0)).0;
        let (n, _) = direction(&along.cross(&(hull.at(2) - origin)), Vec3::z);
        let (tips, above) = further(&n);
        hull.tips[3] = tips;
        for [i, j, k] in [[0, 1, 2], [1, 0, 3], [2, 1, 3], [0, 2, 3]] {
            hull.add(if above { [j, i, k] } else { [i, j, k] });
        }
        hull
    }

    /// p − q: in these differences a tip is furthest along its n.
    fn at(&self, corner: u16) -> Vec3 {
        let tips = &self.tips[usize::from(corner)];
        tips.p - tips.q
    }

    fn add(&mut self, corners: [u16; 3]) -> bool {
        if self.face_count == MOST_FACES {
            return false;
        }
        let [a, b, c] = corners.map(|corner| self.at(corner));
        let (n, _) = direction(&normal(&[a, b, c, a], [0, 1, 2]), Vec3::zeros);
        let offset = n.dot(&((a + b + c) / 3.0));
        self.faces[self.face_count] = Face { corners, n, offset, distance: offset.abs(), is_exact: false };
        self.face_count += 1;
        true
    }

    /// The face nearest to the origin; of two on one edge, which are as near, that with the origin beyond it.
    fn nearest(&mut self) -> Face {
        let reach = |face: &Face| face.distance * if face.offset < 0.0 { 1.0 - 1e-9 } else { 1.0 };
        loop {
            let (mut k, mut least) = (0, f64::INFINITY);
            for (i, face) in self.faces[..self.face_count].iter().enumerate() {
                if reach(face) < least {
                    (k, least) = (i, reach(face));
                }
            }
            let face = self.faces[k];
            if face.is_exact {
                return face;
            }
            let [a, b, c] = face.corners.map(|corner| self.at(corner));
            let [w_a, w_b, w_c, _] = on_triangle(&[a, b, c, a], [0, 1, 2]);
            let distance = (a * w_a + b * w_b + c * w_c).norm();
            self.faces[k] = Face { distance, is_exact: true, ..face };
        }
    }

    /// The points of A and B whose difference is along n: those of the face n goes through.
    fn witnesses(&self, n: &Vec3) -> (Vec3, Vec3) {
        let mut best = ([0; 3], [1.0, 0.0, 0.0], f64::NEG_INFINITY);
        for face in &self.faces[..self.face_count] {
            let [a, b, c] = face.corners.map(|corner| self.at(corner));
            let areas = [b.cross(&c), c.cross(&a), a.cross(&b)].map(|area| n.dot(&area));
            let sum: f64 = areas.iter().sum();
            let shares = areas.map(|area| area / sum);
            let least = shares.iter().copied().fold(f64::INFINITY, f64::min);
            if sum > 0.0 && least > best.2 {
                best = (face.corners, shares, least);
            }
        }
        let (mut p, mut q) = (Vec3::zeros(), Vec3::zeros());
        for (corner, share) in best.0.iter().zip(best.1) {
            let tips = &self.tips[usize::from(*corner)];
            p += tips.p * share;
            q += tips.q * share;
        }
        (p, q)
    }

    /// Adds a tip: the faces that see it make room for those around it. Says no if that cannot be done any more.
    fn grow(&mut self, tips: Tips, tolerance: f64) -> bool {
        if self.count == MOST_TIPS {
            return false;
        }
        let (corner, w) = (self.count as u16, tips.p - tips.q);
        self.tips[self.count] = tips;
        let mut sides = [[0u16; 2]; MOST_SIDES];
        let (mut open, mut k) = (0, 0);
        while k < self.face_count {
            let face = self.faces[k];
            if face.n.dot(&w) - face.offset <= 0.1 * tolerance {
                k += 1;
                continue;
            }
            for (i, j) in [(0, 1), (1, 2), (2, 0)] {
                let side = [face.corners[i], face.corners[j]];
                // a side of two such faces is within the hole
                match sides[..open].iter().position(|s| s[0] == side[1] && s[1] == side[0]) {
                    Some(at) => {
                        open -= 1;
                        sides[at] = sides[open];
                    }
                    None if open == MOST_SIDES => return false,
                    None => {
                        sides[open] = side;
                        open += 1;
                    }
                }
            }
            self.face_count -= 1;
            self.faces[k] = self.faces[self.face_count];
        }
        self.count += 1;
        open > 0 && sides[..open].iter().all(|[i, j]| self.add([*i, *j, corner]))
    }
}
