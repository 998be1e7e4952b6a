//! Joins corners that are in the same place into one vertex.

use std::collections::HashMap;

use carom_base::Vec3;

/// Corners closer than this, relative to the size of the whole, are one vertex.
pub(super) const NEAR: f64 = 1e-9;

/// Vertices, and triangles by the numbers of their vertices.
pub(super) struct Welded {
    pub(super) vertices: Vec<Vec3>,
    pub(super) triangles: Vec<[u32; 3]>,
}

/// Numbers the vertices in the order in which triangles first name them. A corner becomes the first vertex that is near it.
pub(super) fn weld(corners: &[[Vec3; 3]], least: &Vec3, size: f64) -> Welded {
    // two points that are near are in the same cell or in adjoining ones
    let near = NEAR * size;
    let cell = |x: &Vec3| <[f64; 3]>::from((x - least) / near).map(|c| c.floor() as i64);
    let mut cells: HashMap<[i64; 3], Vec<u32>> = HashMap::new();
    // most corners of a file are the same to the bit
    let mut same: HashMap<[u64; 3], u32> = HashMap::new();
    let mut vertices: Vec<Vec3> = Vec::new();
    let mut number = |x: &Vec3| {
        // adding zero makes −0 the same as 0
        let bits = <[f64; 3]>::from(*x).map(|c| (c + 0.0).to_bits());
        *same.entry(bits).or_insert_with(|| {
            let middle @ [i, j, k] = cell(x);
            let around = (0..27).map(|n| [i + n % 3 - 1, j + n / 3 % 3 - 1, k + n / 9 - 1]);
            let candidates = around.filter_map(|c| cells.get(&c)).flatten();
            let known = candidates.filter(|k| (vertices[**k as usize] - x).norm() <= near).min();
            known.copied().unwrap_or_else(|| {
                let new = vertices.len() as u32;
                vertices.push(*x);
                cells.entry(middle).or_default().push(new);
                new
            })
        })
    };
    let triangles = corners.iter().map(|t| [number(&t[0]), number(&t[1]), number(&t[2])]).collect();
    Welded { vertices, triangles }
}
