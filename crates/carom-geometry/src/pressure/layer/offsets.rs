//! How far, and which way, the vertices of a surface go inwards, so that its triangles move parallel to themselves.
//!
//! At a vertex o solves n·o = −1 for the normals n of all triangles around it: exactly if they are in three planes at most (in a face, at an edge, at an ordinary corner), else as well as can be, weighted with the triangles' angles.

use carom_base::elementary::atan2;
use carom_base::{Mat3, Vec3};

use crate::shape::{Project, Side};
use crate::surfaces::TriangleMesh;

/// The longest way of a vertex as its triangles move by 1: that of the edge of a wedge of 29°.
const LONGEST: f64 = 4.0;
/// Added to the normal equations, relative, and taken out again by repeated correction: what has no answer is left at zero.
const SMALL: f64 = 1e-8;
const CORRECTIONS: usize = 5;
/// The same where that leads too far.
const NEARLY_PARALLEL: f64 = 1e-2;

/// The way of every vertex as the surface moves inwards by 1.
pub(super) fn ways(vertices: &[Vec3], triangles: &[[u32; 3]], normals: &[Vec3]) -> Vec<Vec3> {
    let mut around: Vec<Vec<(Vec3, f64)>> = vec![Vec::new(); vertices.len()];
    for (t, n) in triangles.iter().zip(normals) {
        let corners = t.map(|v| vertices[v as usize]);
        for k in 0..3 {
            let (u, v) = (corners[(k + 1) % 3] - corners[k], corners[(k + 2) % 3] - corners[k]);
            around[t[k] as usize].push((*n, atan2(u.cross(&v).norm(), u.dot(&v))));
        }
    }
    around.iter().map(|normals| way(normals)).collect()
}

/// The least o with n·o = −1 for all normals, each with its weight.
fn way(normals: &[(Vec3, f64)]) -> Vec3 {
    let mut matrix = Mat3::zeros();
    for (n, weight) in normals {
        matrix += n * n.transpose() * *weight;
    }
    let solved = |small: f64, corrections: usize| {
        let mut o = Vec3::zeros();
        let regular = matrix + Mat3::identity() * (small * matrix.trace());
        let Some(inverse) = regular.try_inverse() else { return o };
        for _ in 0..corrections {
            let missing: Vec3 = normals.iter().map(|(n, weight)| n * (-(1.0 + n.dot(&o)) * weight)).sum();
            o += inverse * missing;
        }
        o
    };
    let o = solved(SMALL, CORRECTIONS);
    if o.norm() <= LONGEST {
        return o;
    }
    // planes that are nearly parallel would move it far aside
    let o = solved(NEARLY_PARALLEL, 1);
    o * (LONGEST / o.norm()).min(1.0)
}

/// A layer may reach so far of the way to the middle between two walls.
const TO_THE_MIDDLE: f64 = 0.999;
/// The least depth of a place in the layer, relative to what it counts as: it is less where narrow triangles go around a corner.
const LEAST: f64 = 0.3;
/// The layer is made thinner by this factor, as often as needed.
const THINNER: f64 = 0.7;
const MOST_TRIALS: usize = 60;
/// The places along the way to the top where this is tried.
const TRIED: [f64; 3] = [1.0, 0.5, 0.2];

/// The thickness of the layer at every vertex [m], no more than `most`: no thicker than up to the middle between two walls.
pub(super) fn thicknesses(mesh: &TriangleMesh, sign: f64, ways: &[Vec3], most: f64) -> Vec<f64> {
    // whether the depth fits at a place that is meant to have it, and lies that way from the surface
    let fits = |x: &Vec3, way: &Vec3, depth: f64| {
        let found = Project::closest_point(mesh, Side::Outside, 0, x);
        // a wall that faces the same way as the layer grows is that on the other side
        let opposite = found.n.dot(way) * sign > 0.0;
        -found.d * sign >= depth * if opposite { TO_THE_MIDDLE } else { LEAST }
    };
    let mut thick = Vec::with_capacity(ways.len());
    for (x, way) in mesh.vertices().iter().zip(ways) {
        let mut t = most;
        for _ in 0..MOST_TRIALS {
            if TRIED.iter().all(|s| fits(&(x + way * (s * t)), way, s * t)) {
                break;
            }
            t *= THINNER;
        }
        thick.push(t);
    }
    // also over the middles of triangles, which can be large
    for triangle in mesh.triangles() {
        let corners = triangle.map(|v| v as usize);
        let mean = |of: &dyn Fn(usize) -> Vec3| corners.iter().map(|v| of(*v)).sum::<Vec3>() / 3.0;
        let middle = mean(&|v| mesh.vertices()[v]);
        for _ in 0..MOST_TRIALS {
            let way = mean(&|v| ways[v] * thick[v]);
            let t = corners.iter().map(|v| thick[*v]).sum::<f64>() / 3.0;
            if TRIED.iter().all(|s| fits(&(middle + way * *s), &way, s * t)) {
                break;
            }
            let largest = corners.iter().map(|v| thick[*v]).fold(0.0, f64::max);
            corners.iter().for_each(|v| thick[*v] = thick[*v].min(THINNER * largest));
        }
    }
    thick
}
