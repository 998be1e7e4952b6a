//! Outlines of bodies, as seen along z.

use carom::base::Vec3;

use super::view::{bodies_at, moment};
use super::work::Done;

/// Segments around a circle.
const MESH: usize = 96;

/// The outlines of a body's surfaces at these times, a gap (NaN) between any two. Times past the end of a shortened run are left out.
pub(super) fn points(body: &str, at: &[f64], done: &Done) -> Result<Vec<(f64, f64)>, String> {
    let Done { result: Ok(run), scene: Some(scene), .. } = done else { return Ok(Vec::new()) };
    let mut points = Vec::new();
    for t in at.iter().filter(|t| **t <= run.t_end()) {
        let bodies = bodies_at(scene, run, moment(run, *t)?);
        let surfaces = scene.model.surfaces_at(&bodies);
        for (_, shape, x) in surfaces.filter(|(name, _, _)| name.split('/').next() == Some(body)) {
            let mesh = shape.surface.mesh(MESH, 1.0);
            let seen = mesh.vertices.iter().map(|v| x.point(&Vec3::from(*v))).map(|p| (p.x, p.y));
            let mut around = hull(seen.collect());
            // back to its beginning
            around.extend(around.first().copied());
            points.extend(around);
            points.push((f64::NAN, f64::NAN));
        }
    }
    if points.is_empty() { Err(format!("there is no body `{body}` with a surface")) } else { Ok(points) }
}

/// The corners of the convex hull, anticlockwise (Andrew's monotone chain: lower side, then upper side).
fn hull(mut points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    points.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let left_turn = |a: (f64, f64), b: (f64, f64), c: (f64, f64)| {
        (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0) > 0.0
    };
    let side = |points: &mut dyn Iterator<Item = (f64, f64)>| {
        let mut side: Vec<(f64, f64)> = Vec::new();
        for p in points {
            while let [.., a, b] = side[..] {
                if left_turn(a, b, p) {
                    break;
                }
                side.pop();
            }
            side.push(p);
        }
        // its last corner is the first of the other side
        side.pop();
        side
    };
    let mut all = side(&mut points.iter().copied());
    all.extend(side(&mut points.iter().rev().copied()));
    all
}

#[cfg(test)]
mod tests {
    use super::hull;

    #[test]
    fn corners_of_a_square_and_nothing_within() {
        let grid = (0..25).map(|i| (f64::from(i % 5), f64::from(i / 5)));
        assert_eq!(hull(grid.collect()), [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)]);
    }
}
