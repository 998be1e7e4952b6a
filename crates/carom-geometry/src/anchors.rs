//! Anchors: points spread over a convex solid, each of which has a contact point of its own where flat faces meet (`pairs/crowned`).

use carom_base::Vec3;
use carom_base::elementary::sincos;

/// Points of a rim. From three on, a rim that rolls or tilts is as high and as stiff in all directions, but for forces that are not proportional to depth: these ripple with the fourth harmonic of the crown.
const OF_RIM: usize = 4;
/// Anchors at most: of more corners those are taken that are furthest apart.
const MOST: usize = 16;

/// Points of the circle with that radius at that height [m].
pub(crate) fn of_rim(radius: f64, height: f64) -> impl Iterator<Item = Vec3> {
    (0..OF_RIM).map(move |k| {
        let (sin, cos) = sincos(std::f64::consts::TAU * k as f64 / OF_RIM as f64);
        Vec3::new(radius * cos, radius * sin, height)
    })
}

/// The furthest points along the 26 directions to the neighbours of a cell; `support`: the furthest point along a vector.
pub(crate) fn of_tips(support: impl Fn(&Vec3) -> Vec3) -> Vec<Vec3> {
    let step = |k: usize| [-1.0, 0.0, 1.0][k % 3];
    let all = (0..27).filter(|k| *k != 13).map(|k| Vec3::new(step(k), step(k / 3), step(k / 9)));
    spread(&all.map(|m| support(&m)).collect::<Vec<_>>())
}

/// Those of the points that are furthest apart, one after another.
pub(crate) fn spread(points: &[Vec3]) -> Vec<Vec3> {
    let mut chosen: Vec<Vec3> = points.first().copied().into_iter().collect();
    let size = points.iter().map(|p| (p - points[0]).norm()).fold(0.0, f64::max);
    while chosen.len() < MOST.min(points.len()) {
        let apart = |p: &Vec3| chosen.iter().map(|c| (c - p).norm()).fold(f64::INFINITY, f64::min);
        match points.iter().max_by(|p, q| apart(p).total_cmp(&apart(q))) {
            Some(p) if apart(p) > 1e-9 * size => chosen.push(*p),
            _ => break,
        }
    }
    chosen
}
