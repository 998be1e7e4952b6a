//! The depth of two solids right in one another: the polytope of tips, grown where it is nearest to the origin (G. van den Bergen, Game
//! Developers Conference 2001).
//!
//! The tips w(n) = q − p are points of the difference of the solids, a convex set that holds the origin. The polytope they span is within
//! it: the distance of its nearest face from the origin is a lower bound of the depth, and −s across that face an upper one. Growing the
//! nearest face until both agree finds the global answer, whatever the shapes. Only what is nearest is refined, so that the number of tips
//! grows with the number of digits.

use carom_base::Vec3;

use super::couple::{Couple, Tips};
use super::newton::Normal;
use crate::foot::direction;

/// Tips at most; 40 to 150 are usual.
const MOST_TIPS: usize = 600;
/// Faces at most: twice the tips, less four, by Euler's formula; the dead leave gaps.
const MOST_FACES: usize = 2 * MOST_TIPS;
/// Sides of a hole at most.
const MOST_SIDES: usize = 96;

#[derive(Clone, Copy, Debug)]
struct Face {
    corners: [usize; 3],
    n: Vec3,
    /// from the origin [m]; negative: the origin is beyond it
    offset: f64,
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

/// The least depth over all directions, to `tolerance` [m]. `polish` may improve on a direction: it returns a common normal nearby.
pub(super) fn depth(
    couple: &Couple<'_>,
    tolerance: f64,
    steps: &mut usize,
    mut polish: impl FnMut(&Vec3, &mut usize) -> Option<Normal>,
) -> Depth {
    let mut hull = Hull::new(couple);
    let none = Normal { n: Vec3::z(), p: Vec3::zeros(), q: Vec3::zeros() };
    let mut best = Depth { at: none, least: 0.0, most: f64::INFINITY };
    let mut tried = 0;
    loop {
        let Some(face) = hull.nearest() else { return best };
        best.least = face.offset.max(0.0);
        let tips = couple.tips(&face.n);
        *steps += 1;
        // (no better by rounding alone: what is polished stays)
        if -tips.s < best.most - 0.1 * tolerance {
            let (p, q) = hull.witnesses(&face);
            best = Depth { at: Normal { n: face.n, p, q }, most: -tips.s, ..best };
        }
        // after 1, 2, 4 … tips: a polished direction may end it, or shows the way
        tried += 1;
        if usize::is_power_of_two(tried)
            && let Some(at) = polish(&face.n, steps)
        {
            let most = -couple.tips(&at.n).s;
            if most <= best.most + 0.1 * tolerance {
                best = Depth { at, most, ..best };
            }
        }
        if best.most - best.least <= tolerance || !hull.grow(tips, tolerance) {
            return best;
        }
    }
}

impl Hull {
    /// An octahedron of tips.
    fn new(couple: &Couple<'_>) -> Hull {
        let first = couple.tips(&Vec3::z());
        let none = Face { corners: [0; 3], n: Vec3::z(), offset: f64::INFINITY };
        let mut hull = Hull { tips: [first; MOST_TIPS], count: 6, faces: [none; MOST_FACES], face_count: 0 };
        for (k, tips) in hull.tips.iter_mut().take(6).enumerate() {
            let mut n = Vec3::zeros();
            n[k / 2] = if k % 2 == 0 { 1.0 } else { -1.0 };
            *tips = couple.tips(&n);
        }
        // outward, seen from the octant
        for k in 0..8 {
            let [x, y, z] = [k & 1, 2 + (k >> 1 & 1), 4 + (k >> 2 & 1)];
            let odd = (k ^ k >> 1 ^ k >> 2) & 1 == 1;
            hull.add(if odd { [x, z, y] } else { [x, y, z] });
        }
        hull
    }

    /// p − q: in these differences a tip is furthest along its n.
    fn at(&self, corner: usize) -> Vec3 {
        self.tips[corner].p - self.tips[corner].q
    }

    fn add(&mut self, corners: [usize; 3]) -> bool {
        let [a, b, c] = corners.map(|corner| self.at(corner));
        let (n, area) = direction(&(b - a).cross(&(c - a)), Vec3::zeros);
        if self.face_count == MOST_FACES || !(area > 0.0) {
            return false;
        }
        self.faces[self.face_count] = Face { corners, n, offset: n.dot(&((a + b + c) / 3.0)) };
        self.face_count += 1;
        true
    }

    fn nearest(&self) -> Option<Face> {
        self.faces[..self.face_count].iter().min_by(|a, b| a.offset.total_cmp(&b.offset)).copied()
    }

    /// The points of A and B whose difference is the foot of the origin on that face.
    fn witnesses(&self, face: &Face) -> (Vec3, Vec3) {
        let [a, b, c] = face.corners.map(|corner| self.at(corner));
        let (foot, normal) = (face.n * face.offset, (b - a).cross(&(c - a)));
        let share = |x: Vec3, y: Vec3| (x - foot).cross(&(y - foot)).dot(&normal).max(0.0);
        let shares = [share(b, c), share(c, a), share(a, b)];
        let sum: f64 = shares.iter().sum();
        let (mut p, mut q) = (Vec3::zeros(), Vec3::zeros());
        for (corner, share) in face.corners.iter().zip(shares) {
            p += self.tips[*corner].p * (share / sum);
            q += self.tips[*corner].q * (share / sum);
        }
        (p, q)
    }

    /// Adds a tip: the faces that see it make room for those around it. Says no if that cannot be done any more.
    fn grow(&mut self, tips: Tips, tolerance: f64) -> bool {
        if self.count == MOST_TIPS {
            return false;
        }
        let (corner, w) = (self.count, tips.p - tips.q);
        self.tips[corner] = tips;
        let mut sides = [[0usize; 2]; MOST_SIDES];
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
