//! Distances by trial, which know nothing of how the library finds them.

use carom_base::{Pose, Vec3};
use carom_geometry::{Shape, Side};

use super::Random;

/// The signed distance of a point of the world from a shape: the least of all walls.
pub fn height(shape: &Shape, x: &Pose, p: &Vec3) -> f64 {
    let project = shape.surface.as_project().unwrap();
    let local = x.point_to_local(p);
    (0..project.features(shape.side).len())
        .map(|k| project.closest_point(shape.side, k, &local).d)
        .fold(f64::INFINITY, f64::min)
}

/// How many of the lowest points are followed, how far from each other, and by how many rounds of trials.
#[derive(Clone, Copy)]
pub struct Effort {
    pub starts: usize,
    /// relative to the size of the shape
    pub apart: f64,
    pub rounds: usize,
}

/// The least distance from `to` over the surface of `on`, by trial: of some points on it, and of those around the lowest, ever nearer.
pub fn searched(
    (on, x_on): (&Shape, &Pose),
    (to, x_to): (&Shape, &Pose),
    points: impl IntoIterator<Item = Vec3>,
    effort: Effort,
    r: &mut Random,
) -> f64 {
    let project = on.surface.as_project().unwrap();
    let d = |p: &Vec3| height(to, x_to, &x_on.point(p));
    let mut starts: Vec<(f64, Vec3)> = points.into_iter().map(|p| (d(&p), p)).collect();
    starts.sort_by(|p, q| p.0.total_cmp(&q.0));
    let reach = on.surface.bounds().radius;
    let (mut best, mut taken) = (f64::INFINITY, Vec::<Vec3>::new());
    for (_, start) in starts {
        if taken.iter().any(|p| (p - start).norm() < effort.apart * reach) {
            continue;
        }
        taken.push(start);
        if taken.len() > effort.starts {
            break;
        }
        let (mut p, mut least, mut step) = (start, d(&start), effort.apart * reach);
        for _ in 0..effort.rounds {
            let around = (0..8).map(|_| project.closest_point(Side::Outside, 0, &(p + r.vector() * step)).p);
            match around.map(|q| (d(&q), q)).min_by(|x, y| x.0.total_cmp(&y.0)) {
                Some((next, q)) if next < least => (least, p) = (next, q),
                _ if step < 1e-8 * reach => break,
                _ => step *= 0.6,
            }
        }
        best = best.min(least);
    }
    best
}
