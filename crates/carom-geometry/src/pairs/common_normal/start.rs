//! Where Newton's method starts: between the centres (Section 7), or at the points reflected in them (Eqs 22–24).

use carom_base::{Pose, Vec3};

use super::constraints::Points;
use super::options::Start;
use crate::closest_point::direction;
use crate::shape::Implicit;

/// The start of Section 7; `x` is the pose of B in A's frame.
pub(super) fn cold(start: Start, a: &dyn Implicit, b: &dyn Implicit, x: &Pose) -> Points {
    let (o_a, o_b) = (a.bounds().centre, b.bounds().centre);
    let to_b = x.point(&o_b) - o_a;
    match start {
        Start::Surfaces => {
            let (u, _) = direction(&to_b, Vec3::z);
            Points { p: leaving(a, &o_a, &u), q: leaving(b, &o_b, &-x.direction_to_local(&u)) }
        }
        Start::Between => {
            let middle = o_a + to_b * 0.5;
            Points { p: middle, q: x.point_to_local(&middle) }
        }
    }
}

/// Where a ray from within leaves the surface: Newton's method from outside, halving where it would go astray.
pub(super) fn leaving(surface: &dyn Implicit, from: &Vec3, u: &Vec3) -> Vec3 {
    let (mut low, mut high) = (0.0, surface.bounds().radius);
    let mut l = high;
    for _ in 0..60 {
        let level = surface.level(&(from + u * l));
        if level.f < 0.0 {
            low = l
        } else {
            high = l
        }
        let next = l - level.f / level.gradient.dot(u);
        if (next - l).abs() <= 1e-9 * l {
            // the error left is about the square of this step
            l = next;
            break;
        }
        l = if next > low && next < high { next } else { 0.5 * (low + high) };
    }
    from + u * l
}

/// Of the four pairs of points that Eq 22 makes of one by reflection in the centres the one that Eq 24 is meant to pick: of those with opposite outward normals the one with
/// the largest n·(q − p). Printed is the least one, which is the far side. They are a common normal of balls and of aligned bodies alone; else they are a better start.
pub(super) fn reflected(a: &dyn Implicit, b: &dyn Implicit, x: &Pose, at: &Points) -> Option<Points> {
    let mirror = |surface: &dyn Implicit, p: &Vec3| surface.bounds().centre * 2.0 - p;
    let (ps, qs) = ([at.p, mirror(a, &at.p)], [at.q, mirror(b, &at.q)]);
    let candidates = ps.iter().flat_map(|p| qs.iter().map(move |q| Points { p: *p, q: *q }));
    let ranked = candidates.filter_map(|at| {
        let (n, _) = direction(&a.level(&at.p).gradient, Vec3::z);
        let opposite = n.dot(&x.direction(&b.level(&at.q).gradient)) < 0.0;
        opposite.then(|| (n.dot(&(x.point(&at.q) - at.p)), at))
    });
    let best = ranked.max_by(|(s, _), (t, _)| s.total_cmp(t))?.1;
    (best != *at).then_some(best)
}
