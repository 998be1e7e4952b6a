//! Decides whether the closest points are the only ones.

use carom::base::{Mat3, Vec3};
use carom::geometry::{BoundPair, Contact, Pose};

/// Distances that differ by less than this, relative to the size of the problem, are equal.
const EQUAL: f64 = 1e-12;
/// Displacement of a body, relative to the coordinates, for checking whether the points jump.
const NUDGE: f64 = 1e-13;
/// Points that move by more than this fraction of their distance from the bodies' origins have jumped.
const JUMP: f64 = 1e-4;

/// Four directions to the corners of a tetrahedron: for any vector, one of them has a positive component along it.
const WAYS: [[f64; 3]; 4] = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];

/// Returns false if another contact point is equally close, or if the closest one jumps when b is displaced or turned by a
/// tiny amount: then it was one choice of several (a ball at the centre of a cavity, a standing cylinder).
pub(super) fn is_unique(
    pair: &dyn BoundPair,
    nearest: &Contact,
    contacts: &[(usize, Contact)],
    x_a: &Pose,
    x_b: &Pose,
) -> bool {
    let reach_a = (nearest.p_a - x_b.p).norm();
    let reach_b = (nearest.p_b - x_a.p).norm();
    let size = reach_a.max(reach_b);
    let tie = |c: &Contact| {
        (nearest.delta - c.delta).abs() <= EQUAL * size && moved(nearest, c) > 1e3 * EQUAL * size
    };
    if contacts.iter().any(|(_, c)| tie(c)) {
        return false;
    }
    let nudge = NUDGE * (size + x_a.p.norm() + x_b.p.norm());
    let limit = JUMP * reach_a.min(reach_b) + 1e3 * nudge;
    let jumps = |x_b: &Pose| pair.closest(x_a, x_b).is_ok_and(|c| moved(nearest, &c) > limit);
    !WAYS.iter().any(|way| {
        let way = Vec3::from(*way);
        let (shifted, turned) = (
            Pose { p: x_b.p + way * nudge, r: x_b.r },
            Pose { p: x_b.p, r: x_b.r + cross(&(way * NUDGE)) * x_b.r },
        );
        jumps(&shifted) || jumps(&turned)
    })
}

/// Returns the distance between the points of two contacts.
fn moved(a: &Contact, b: &Contact) -> f64 {
    (a.p_a - b.p_a).norm().max((a.p_b - b.p_b).norm())
}

/// Returns the matrix of the cross product v ×.
fn cross(v: &Vec3) -> Mat3 {
    Mat3::new(0.0, -v.z, v.y, v.z, 0.0, -v.x, -v.y, v.x, 0.0)
}
