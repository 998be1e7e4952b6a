//! Computes normals for a list of separate triangles.

use std::collections::HashMap;

use carom::base::Vec3;
use carom::geometry::mesh::Mesh;

use super::Corners;

/// cos 40°: two triangles with a larger angle between their normals form an edge.
const SMOOTH: f64 = 0.766;

/// Joins the triangles into a mesh with a normal at every corner: the mean, weighted by area, of the normals of those triangles
/// around the corner that are within 40° of its own triangle's normal.
pub(super) fn smooth(triangles: &[Corners]) -> Mesh {
    let normal = |t: &Corners| {
        let [a, b, c] = t.map(Vec3::from);
        (b - a).cross(&(c - a))
    };
    let normals: Vec<Vec3> = triangles.iter().map(normal).collect();
    // −0 and 0 are the same coordinate
    let key = |p: &[f64; 3]| p.map(|x| (x + 0.0).to_bits());
    let mut around: HashMap<[u64; 3], Vec<usize>> = HashMap::new();
    for (i, t) in triangles.iter().enumerate() {
        t.iter().for_each(|p| around.entry(key(p)).or_default().push(i));
    }
    let mut mesh = Mesh::default();
    let mut known: HashMap<([u64; 3], [u64; 3]), u32> = HashMap::new();
    for (t, own) in triangles.iter().zip(&normals) {
        // a triangle without area has no normal and is not visible
        if own.norm() == 0.0 {
            continue;
        }
        mesh.triangles.push(t.map(|p| {
            let cell = key(&p);
            let near = around.get(&cell).into_iter().flatten().map(|&i| &normals[i]);
            let sum: Vec3 = near.filter(|n| n.dot(own) > SMOOTH * n.norm() * own.norm()).sum();
            let n: [f64; 3] = sum.normalize().into();
            *known.entry((cell, key(&n))).or_insert_with(|| {
                mesh.vertices.push(p);
                mesh.normals.push(n);
                mesh.vertices.len() as u32 - 1
            })
        }));
    }
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edge_has_two_normals_and_a_gentle_bend_one() {
        // two triangles that share the edge along y, bent by an angle
        let bent = |degrees: f64| {
            let (s, c) = degrees.to_radians().sin_cos();
            let (a, b) = ([0.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
            smooth(&[[a, [1.0, 0.0, 0.0], b], [a, b, [-c, 0.0, -s]]])
        };
        assert_eq!((bent(90.0).vertices.len(), bent(30.0).vertices.len()), (6, 4));
        assert!((bent(30.0).normals[0][0] - (-15f64).to_radians().sin()).abs() < 1e-12);
    }
}
