//! The depth of two solids of revolution about one axis.
//!
//! What is as deep along one direction is as deep along all that lean as much to the axis: the polytope of `expand.rs` would need tips without end all around. But in a half plane through the axis the
//! difference of the solids is a convex figure, whose polygon of tips grows where it is nearest to the origin just as the polytope does. Cones and cylinders have a polygon for a figure, and so an end
//! after a few tips; of smooth solids every tip leaves a quarter of the error.
//!
//! Axes that rounding has put apart by ε leave the bounds apart by as much.
//!
//! Checked: coaxial cones, frustums and cylinders against the least depth over all angles with the axis (`tests/distances/coaxial.rs`).

use carom_base::Vec3;
use nalgebra::Vector2;

use super::couple::{Couple, Tips};
use super::expand::{CORE, Depth};
use super::newton::Normal;
use crate::closest_point::tangent;

/// Axes that are this close everywhere, relative to the size, are one.
const ONE: f64 = 1e-13;
/// Tips at most.
const MOST_TIPS: usize = 100;

/// Axes that are this close, relative to the size, are nearly one.
const NEARLY_ONE: f64 = 0.03;

/// The axis both are solids of revolution about, in A's frame.
pub(super) struct Axis {
    pub(super) k: Vec3,
    /// B's, the same way
    pub(super) other: Vec3,
    /// how far A's and B's axes are from each other, at most [m]
    pub(super) off: f64,
    /// to rounding
    pub(super) is_one: bool,
}

impl Axis {
    /// `None`: they have none in common, nor nearly.
    pub(super) fn of(couple: &Couple<'_>) -> Option<Axis> {
        let (k, other) = (couple.a.axis()?, couple.x.direction(&couple.b.axis()?));
        let bounds = couple.b.bounds();
        let reach = bounds.centre.norm() + bounds.radius;
        // (a tilted disc leans out of its plane, too)
        let off = k.cross(&couple.x.p).norm() + 2.0 * reach * k.cross(&other).norm();
        let other = other * 1f64.copysign(k.dot(&other));
        (off <= NEARLY_ONE * couple.size).then_some(Axis { k, other, off, is_one: off <= ONE * couple.size })
    }
}

/// A point of the figure, by the distance from the axis and the height along it, and the points of A and B it is the difference of.
#[derive(Clone, Copy)]
struct Corner {
    at: Vector2<f64>,
    p: Vec3,
    q: Vec3,
}

/// A side of the polygon: the number of its first corner.
struct Side {
    first: usize,
    n: Vector2<f64>,
    /// of its line from the origin [m]; negative: the origin is beyond it
    offset: f64,
    /// of its own nearest point from the origin [m], and what share of the side that is from the first corner
    distance: f64,
    share: f64,
}

fn side(corners: &[Corner], first: usize) -> Option<Side> {
    let (a, b) = (corners.get(first)?.at, corners.get(first + 1)?.at);
    let along = b - a;
    let length = along.norm();
    let share = (-a.dot(&along) / (length * length)).clamp(0.0, 1.0);
    let n = Vector2::new(-along.y, along.x) / length;
    let side = Side { first, n, offset: n.dot(&a), distance: (a + along * share).norm(), share };
    (length > 0.0).then_some(side)
}

/// The least depth over all directions, to `tolerance` [m].
pub(super) fn depth(couple: &Couple<'_>, axis: &Axis, tolerance: f64, steps: &mut usize) -> Depth {
    let cores = Couple { coat: couple.coat.map(|r| CORE * r), ..*couple };
    let coats: f64 = cores.coat.iter().sum();
    let (k, e) = (axis.k, tangent(&axis.k));
    let corner = |Tips { p, q, .. }: Tips| {
        let w = p - q;
        Corner { at: Vector2::new(w.dot(&e).abs(), w.dot(&k)), p, q }
    };
    // at both ends a point of the axis: it is in a convex solid of revolution as high as any
    let end = |n: Vec3| {
        let Tips { p, q, .. } = cores.core_tips(&n);
        let (p, q) = (k * k.dot(&p), k * k.dot(&q));
        Corner { at: Vector2::new(0.0, k.dot(&(p - q))), p, q }
    };
    let mut corners = [end(k); MOST_TIPS];
    (corners[1], corners[2]) = (corner(cores.core_tips(&e)), end(-k));
    *steps += 3;
    let mut best: Option<Depth> = None;
    for count in 3..MOST_TIPS {
        let sides = (0..count).filter_map(|i| side(&corners[..count], i));
        let Some(near) = sides.min_by(|a, b| a.distance.total_cmp(&b.distance)) else { break };
        let least = near.distance.copysign(near.offset) + coats - axis.off;
        let n = e * near.n.x + k * near.n.y;
        let tips = cores.core_tips(&n);
        *steps += 1;
        let [a, b] = [corners[near.first], corners[near.first + 1]];
        let p = a.p + (b.p - a.p) * near.share + n * cores.coat[0];
        let q = a.q + (b.q - a.q) * near.share - n * cores.coat[1];
        let most = coats - tips.s;
        let known = best.map_or(f64::INFINITY, |best| best.most);
        best = Some(match best {
            Some(best) if known <= most => Depth { least, ..best },
            _ => Depth { at: Normal { n, p, q }, least, most },
        });
        let next = corner(tips);
        if most.min(known) - least <= tolerance || near.n.dot(&next.at) - near.offset <= 0.1 * tolerance {
            break;
        }
        corners[near.first + 1..=count].rotate_right(1);
        corners[near.first + 1] = next;
    }
    let nothing = Normal { n: k, p: Vec3::zeros(), q: Vec3::zeros() };
    best.unwrap_or(Depth { at: nothing, least: f64::NEG_INFINITY, most: f64::INFINITY })
}
