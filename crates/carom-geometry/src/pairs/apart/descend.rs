//! Down along a surface to a place nearer to B than those around it.
//!
//! In a chart of A's surface (`chart.rs`) about where B's normal points Newton's method goes down, by the size of the bends where the distance is a saddle, its steps halved until they come nearer. Where no step does p
//! goes to the point of A closest to p − τ n_B, which does for τ short enough; with τ = d this is the point of A closest to B's closest point, and never further.

use nalgebra::Vector2;

use super::chart::Chart;
use super::{Place, Walk, kink};

const MOST_STEPS: usize = 80;
/// How far from A's surface charts are, relative to A.
const OFF: f64 = 0.02;
/// Normals are this exact, and once this close the rest is rounding.
const EXACT: f64 = 1e-15;
const CLOSE: f64 = 1e-7;
/// Shortest step, and longest, relative to A.
const SHORT: f64 = 1e-11;
const LONG: f64 = 0.3;
/// Bends below this, relative to the size, leave the place open.
const FLAT: f64 = 1e-7;
const SHARES: [f64; 5] = [1.0, 0.5, 0.2, 0.05, 0.01];

/// Where a descent ended.
#[derive(Clone, Copy, Debug)]
pub(in crate::pairs) struct End {
    pub(in crate::pairs) place: Place,
    /// whether no place next to it is as near
    pub(in crate::pairs) unique: bool,
}

/// Newton's step from a place.
struct Newton {
    next: Place,
    moved: f64,
    /// how far the normals are from opposite
    askew: f64,
    unique: bool,
}

pub(in crate::pairs) fn from(walk: &Walk<'_>, start: &Place, steps: &mut usize) -> End {
    let rounding = 2.0 * f64::EPSILON * (walk.a.size + start.d.abs());
    let mut at = *start;
    let (mut askew, mut unique) = (f64::INFINITY, true);
    for _ in 0..MOST_STEPS {
        *steps += 1;
        if let Some(newton) = newton(walk, &at, rounding) {
            (askew, unique) = (newton.askew, newton.unique);
            let lower = newton.next.d < at.d - rounding;
            if newton.next.d < at.d {
                at = newton.next;
            }
            // the distance is stationary at the end: short steps change it by less than its rounding
            if askew <= EXACT || (askew < CLOSE && newton.moved <= SHORT * walk.a.size) {
                break;
            }
            if lower {
                continue;
            }
        }
        match slope(walk, &at, rounding) {
            Some(next) => at = next,
            None => break,
        }
    }
    if askew > CLOSE {
        // no smooth minimum: two sides of B are as near, or it is touched at an edge
        let end = kink::from(walk, &at, steps);
        if end.d < at.d {
            return End { place: end, unique: true };
        }
    }
    End { place: at, unique }
}

fn newton(walk: &Walk<'_>, at: &Place, rounding: f64) -> Option<Newton> {
    let a = OFF * walk.a.size;
    let here = walk.on_a(&(at.p - at.n * a));
    if !(here.d > 1e-3 * a) {
        return None;
    }
    let chart = Chart::new(walk, here.p + here.n * a, &here.n);
    let parabola = chart.parabola(&Vector2::zeros());
    let askew = (parabola.n + parabola.place.n).norm();
    let unique = parabola.bend.determinant().abs() > FLAT / walk.size * parabola.bend.norm();
    let mut step = parabola.step(1e-9 / walk.size);
    let (length, most) = (step.norm(), LONG * walk.a.size);
    step *= (most / length).min(1.0);
    let tried = SHARES.iter().map(|share| (chart.place(&(step * *share)), step.norm() * share));
    let (next, moved) = tried
        .into_iter()
        .find(|(place, _)| place.d < parabola.f - rounding)
        .unwrap_or((parabola.place, step.norm()));
    next.d.is_finite().then_some(Newton { next, moved, askew, unique })
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
