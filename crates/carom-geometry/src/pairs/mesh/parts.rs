//! A point of every connected part of a surface: where surfaces do not cross, one point tells on which side of the other a whole part is.

use std::collections::HashMap;

use carom_base::Vec3;

use super::mesh_of;
use crate::shape::{Shape, Side};

/// How finely a curved surface is looked at, and parts at most.
const AROUND: usize = 16;
const MOST: usize = 64;

/// A point of every part of the surface [m], in its frame.
pub(super) fn points(shape: &Shape) -> Vec<Vec3> {
    if let Some(mesh) = mesh_of(shape) {
        let first = first_of_parts(mesh.vertices().len(), mesh.triangles());
        return first.into_iter().map(|v| mesh.vertices()[v]).collect();
    }
    let Some(project) = shape.surface.as_project() else { return Vec::new() };
    let seen = shape.surface.mesh(AROUND, 1.0);
    // corners in the same place are one vertex
    let mut known: HashMap<[u64; 3], u32> = HashMap::new();
    let same: Vec<u32> = seen
        .vertices
        .iter()
        .zip(0u32..)
        .map(|(x, k)| *known.entry(x.map(|c| (c + 0.0).to_bits())).or_insert(k))
        .collect();
    let triangles: Vec<[u32; 3]> = seen.triangles.iter().map(|t| t.map(|v| same[v as usize])).collect();
    let first = first_of_parts(seen.vertices.len(), &triangles);
    let points = first.into_iter().take(MOST).map(|v| Vec3::from(seen.vertices[v]));
    points.map(|x| project.closest_point(Side::Outside, 0, &x).p).collect()
}

/// The first vertex of every connected part.
fn first_of_parts(vertices: usize, triangles: &[[u32; 3]]) -> Vec<usize> {
    let mut parent: Vec<usize> = (0..vertices).collect();
    fn root(parent: &mut [usize], mut k: usize) -> usize {
        while parent[k] != k {
            parent[k] = parent[parent[k]];
            k = parent[k];
        }
        k
    }
    for t in triangles {
        let [a, b, c] = t.map(|v| root(&mut parent, v as usize));
        let least = a.min(b).min(c);
        [a, b, c].into_iter().for_each(|k| parent[k] = least);
    }
    let mut used = vec![false; vertices];
    triangles.iter().flatten().for_each(|v| used[*v as usize] = true);
    (0..vertices).filter(|k| used[*k] && parent[*k] == *k).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_has_one_first_vertex() {
        let triangles = [[0, 1, 2], [5, 4, 3], [2, 1, 6], [3, 7, 4]];
        assert_eq!(first_of_parts(9, &triangles), [0, 3]);
    }
}
