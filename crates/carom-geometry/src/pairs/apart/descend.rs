//! Down along a surface to a place nearer to B than those around it.
//!
//! A's surface may have edges; the surface at a small distance a from it has a normal n everywhere, and turns by S as its point o moves, both known with o's closest point p on A
//! (as in `convex/edged.rs`). B is seen from p itself: its normal is n_B, and turns by K. At the end n = −n_B; if o moves by x in its tangent plane, p does by (E − a S) x, so that Newton's step is
//!
//!   (S + K (E − a S)) x = e,   e = −n_B − n in the tangent plane.
//!
//! A step that does not come nearer is none: then p goes to the point of A closest to p − τ n_B, which does for τ short enough. With τ = d this is the point of A closest to
//! B's closest point, and never further.

use carom_base::Vec3;
use nalgebra::Matrix2;

use super::kink;
use super::{Place, Walk};
use crate::pairs::convex::newton::{across, solve, within};

const MOST_STEPS: usize = 80;
/// a, relative to A.
const OFF: f64 = 0.02;
/// Normals are this exact, and once this close the rest is rounding.
const EXACT: f64 = 1e-15;
const CLOSE: f64 = 1e-7;
/// Shortest step, relative to A.
const SHORT: f64 = 1e-11;
/// Curvatures below this, relative to the size, leave the place open.
const FLAT: f64 = 1e-7;

/// Where a descent ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    pub(super) place: Place,
    /// whether no place next to it is as near
    pub(super) unique: bool,
}

/// Newton's step from a place.
struct Newton {
    next: Place,
    /// how far the normals are from opposite
    askew: f64,
    unique: bool,
}

pub(super) fn from(walk: &Walk<'_>, start: &Place, steps: &mut usize) -> End {
    let rounding = 2.0 * f64::EPSILON * (walk.a.size + start.d.abs());
    let mut at = *start;
    let (mut askew, mut unique) = (f64::INFINITY, true);
    for _ in 0..MOST_STEPS {
        *steps += 1;
        let newton = newton(walk, &at);
        if let Some(newton) = &newton {
            (askew, unique) = (newton.askew, newton.unique);
            let moved = (newton.next.p - at.p).norm();
            // the distance is stationary at the end: short steps change it by less than its rounding
            let short = moved < 1e-6 * walk.a.size && askew < CLOSE;
            if newton.next.d < at.d - rounding || (short && newton.next.d <= at.d + rounding) {
                at = if newton.next.d <= at.d { newton.next } else { at };
                if askew <= EXACT || moved <= SHORT * walk.a.size {
                    break;
                }
                continue;
            }
        }
        match slope(walk, &at, rounding) {
            Some(next) => at = next,
            None => break,
        }
    }
    if askew > CLOSE && at.d < -rounding {
        // no smooth minimum: two sides of B are as near
        let end = kink::from(walk, &at, steps);
        if end.d < at.d {
            return End { place: end, unique: true };
        }
    }
    End { place: at, unique }
}

fn newton(walk: &Walk<'_>, at: &Place) -> Option<Newton> {
    let a = OFF * walk.a.size;
    let mut here = walk.look_at_a(&(at.p - at.n * a));
    if !(here.d > 1e-3 * a) {
        return None;
    }
    let o = here.p + here.n * a;
    if (here.d - a).abs() > 1e-9 * a {
        here = walk.look_at_a(&o);
    }
    let there = walk.look_at_b(&here.p);
    let t = across(&here.n);
    let (s, k) = (within(&here.turn, &t), within(&there.turn, &t));
    let m = s + k * (Matrix2::identity() - s * a);
    let e = -t.tr_mul(&there.n);
    let x = solve(&m, &e);
    let length = x.norm();
    let most = 0.3 * walk.a.size;
    let x = if length > most { x * (most / length) } else { x };
    let moved = walk.to_b(&walk.on_a(&(o + t * x)).p);
    let next = if moved.d <= there.d { moved } else { walk.to_b(&here.p) };
    let unique = m.determinant().abs() > FLAT / walk.size * m.norm();
    (next.d.is_finite()).then_some(Newton { next, askew: (here.n + there.n).norm(), unique })
}

/// A place further down the slope of the distance.
fn slope(walk: &Walk<'_>, at: &Place, rounding: f64) -> Option<Place> {
    let mut reach = at.d.max(0.5 * walk.a.size);
    let to = |tau: f64| walk.to_b(&walk.on_a(&(at.p - at.n * tau)).p);
    if at.d > 0.0 {
        let next = to(at.d);
        if next.d < at.d - rounding {
            return Some(next);
        }
    }
    while reach > SHORT * walk.a.size {
        let next = to(reach);
        if next.d < at.d - rounding {
            return Some(next);
        }
        reach *= 0.25;
    }
    None
}

/// The point of A's surface a step along it from p, as seen with normals `n` there.
pub(super) fn stepped(walk: &Walk<'_>, p: &Vec3, step: &Vec3) -> Place {
    walk.to_b(&walk.on_a(&(p + step)).p)
}
