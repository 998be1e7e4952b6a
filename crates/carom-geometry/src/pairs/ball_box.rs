//! A ball against a box whose frame may be that of a deformation: the point of a parallelepiped nearest to the ball's centre.
//!
//! With g_i the columns of F and gⁱ the rows of F⁻¹, z = F⁻¹ c the centre's place and h_i the half lengths, the face s = ±1 across i is
//! d = (s z_i − h_i)/|gⁱ| below the centre, along n = s gⁱ/|gⁱ|. Outside, if the centre stands over a face that is where it is nearest; otherwise that is on one of
//! the twelve edges, ends included. Inside the nearest face counts, as with a box that is not deformed. Edges and corners are sharp.
//!
//! The distance from a convex solid is differentiable, and the rate exact: what slides, slides across the normal.
//!
//! Checked: against `sphere-any` for rotations, search over the solid, derivatives and rates against differences (`tests/deformed.rs`).

use carom_base::{Mat3, Pose, Scalar, Vec3, inverse};

use super::ball_ellipsoid::contact;
use super::{finite, name_in, solid, within};
use crate::closest_point::direction;
use crate::contact::RelativeCurvature;
use crate::pair::{BoundPair, ContactResult, GapBounds, PairFeatures, PairFormula, PairSolver};
use crate::shape::{ClosestPoint, Shape};
use crate::surfaces::{Cuboid, Sphere};

/// The solver: A a ball, B a box.
#[derive(Debug)]
pub struct BallBox;

#[derive(Debug)]
struct Bound {
    radius: f64,
    half: Vec3,
}

const NAMES: [&str; 1] = ["box"];

/// A piece of the box's boundary.
#[derive(Clone, Copy, Debug)]
enum Piece {
    /// across an axis, on that side
    Face(usize, f64),
    /// along an axis, through the place whose other coordinates are those of a corner
    Edge(usize, Vec3),
}

impl Piece {
    /// The closest point to `c` on it, the box's axes being `f`.
    fn closest_point<S: Scalar>(&self, half: &Vec3, f: &Mat3<S>, c: &Vec3<S>) -> ClosestPoint<S> {
        match self {
            Piece::Face(i, s) => {
                let normal = inverse(f).1.row(*i).transpose() * S::from_f64(*s);
                let (n, length) = direction(&normal, Vec3::z);
                let d = (normal.dot(c) - S::from_f64(half[*i])) / length;
                ClosestPoint { p: c - n * d, n, d }
            }
            Piece::Edge(k, local) => {
                let (g, q): (Vec3<S>, _) = (f.column(*k).into_owned(), f * local.map(S::from_f64));
                let h = S::from_f64(half[*k]);
                let t = (g.dot(&(c - q)) / g.dot(&g)).max(-h).min(h);
                let p = q + g * t;
                let (n, d) = direction(&(c - p), Vec3::z);
                ClosestPoint { p, n, d }
            }
        }
    }

    /// The piece that is nearest to `c`.
    fn nearest(half: &Vec3, f: &Mat3, c: &Vec3) -> Piece {
        let inv = inverse(f).1;
        let local = inv * c;
        let over = |i: usize, p: &Vec3| (0..3).all(|k| k == i || (inv.row(k) * p)[0].abs() <= half[k]);
        let face = |i: usize| Piece::Face(i, 1f64.copysign(local[i]));
        let below = |i: usize| (local[i].abs() - half[i]) / inv.row(i).norm();
        let deepest = (0..3).fold(0, |best, i| if below(i) > below(best) { i } else { best });
        if below(deepest) <= 0.0 {
            return face(deepest);
        }
        let stands = |i: &usize| below(*i) > 0.0 && over(*i, &face(*i).closest_point(half, f, c).p);
        if let Some(i) = (0..3).find(stands) {
            return face(i);
        }
        let mut best = (f64::INFINITY, face(deepest));
        for k in 0..3 {
            for signs in [[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]] {
                let mut at = Vec3::zeros();
                for (side, i) in signs.into_iter().zip([(k + 1) % 3, (k + 2) % 3]) {
                    at[i] = side * half[i];
                }
                let edge = Piece::Edge(k, at);
                let d = edge.closest_point(half, f, c).d;
                if d < best.0 {
                    best = (d, edge);
                }
            }
        }
        best.1
    }
}

impl PairSolver for BallBox {
    fn name(&self) -> &'static str {
        "ball-box"
    }
    fn reference(&self) -> &'static str {
        "the nearest point of a parallelepiped: faces, then edges; the box may be deformed"
    }
    fn bind(&self, a: &Shape, b: &Shape) -> Option<Box<dyn BoundPair>> {
        let radius = solid::<Sphere>(a)?.radius();
        Some(Box::new(Bound { radius, half: *solid::<Cuboid>(b)?.half() }))
    }
    fn deforms(&self) -> bool {
        true
    }
}

impl PairFeatures for Bound {
    fn solver(&self) -> &'static str {
        BallBox.name()
    }
    fn features(&self) -> usize {
        NAMES.len()
    }
    fn feature_name(&self, feature: usize) -> String {
        name_in(&NAMES, feature)
    }
    // faces are flat, and a sharp edge counts as flat
    fn curvature(&self, _feature: usize, _x_a: &Pose, _x_b: &Pose) -> RelativeCurvature {
        RelativeCurvature::point(1.0 / self.radius, 1.0 / self.radius)
    }
    /// The ball's centre is followed.
    fn bounds(&self) -> GapBounds {
        GapBounds::CONVEX.swapped()
    }
}

impl PairFormula for Bound {
    fn contact<S: Scalar>(&self, feature: usize, x_a: &Pose<S>, x_b: &Pose<S>) -> ContactResult<S> {
        within(feature, NAMES.len())?;
        let c = x_a.p - x_b.p;
        let piece = Piece::nearest(&self.half, &x_b.r.map(S::value), &c.map(S::value));
        finite(contact(self.radius, x_a, x_b, &piece.closest_point(&self.half, &x_b.r, &c)))
    }
}
