//! Triangles of known solids.

use std::f64::consts::TAU;

use carom_base::Vec3;
use carom_geometry::surfaces::{Corners, TriangleMesh};

/// The corners of a box from `min` to `max`, its faces cut along diagonals.
pub fn brick(min: [f64; 3], max: [f64; 3]) -> Vec<Corners> {
    let corner = |k: usize| [0, 1, 2].map(|i| if k & (1 << i) == 0 { min[i] } else { max[i] });
    // counter-clockwise seen from outside
    let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let halves = faces.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]);
    halves.map(|t| t.map(corner)).collect()
}

/// An octahedron of that radius.
pub fn octahedron(radius: f64) -> Vec<Corners> {
    let x = |s: f64| [s * radius, 0.0, 0.0];
    let y = |s: f64| [0.0, s * radius, 0.0];
    let z = |s: f64| [0.0, 0.0, s * radius];
    let signs = (0..8).map(|k| [0, 1, 2].map(|i| if k & (1 << i) == 0 { 1.0 } else { -1.0 }));
    let face = |[a, b, c]: [f64; 3]| if a * b * c > 0.0 { [x(a), y(b), z(c)] } else { [x(a), z(c), y(b)] };
    signs.map(face).collect()
}

/// An octahedron whose faces are cut into four and blown up to a sphere, that many times.
pub fn ball(radius: f64, times: usize) -> Vec<Corners> {
    let mut triangles = octahedron(radius);
    for _ in 0..times {
        let middle = |a: [f64; 3], b: [f64; 3]| -> [f64; 3] {
            let sum = Vec3::from(a) + Vec3::from(b);
            (sum * (radius / sum.norm())).into()
        };
        let four = |[a, b, c]: Corners| {
            let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
            [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
        };
        triangles = triangles.into_iter().flat_map(four).collect();
    }
    triangles
}

/// A torus in `n` times `m` pieces of two triangles.
pub fn torus(major: f64, minor: f64, n: usize, m: usize) -> Vec<Corners> {
    let at = |i: usize, j: usize| {
        let (s, c) = (TAU * (i % n) as f64 / n as f64).sin_cos();
        let (v, u) = (TAU * (j % m) as f64 / m as f64).sin_cos();
        [(major + minor * u) * c, (major + minor * u) * s, minor * v]
    };
    let piece = |k: usize| {
        let (i, j) = (k / m, k % m);
        let (a, b, c, d) = (at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
        [[a, b, c], [a, c, d]]
    };
    (0..n * m).flat_map(piece).collect()
}

/// An L: three unit cubes around a hollow edge along z, from x = y = 1 on.
pub fn angle_piece() -> Vec<Corners> {
    let outline = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
    let at = |k: usize, z: f64| [outline[k % 6][0], outline[k % 6][1], z];
    let mut all = Vec::new();
    for k in 0..6 {
        let (a, b, c, d) = (at(k, 0.0), at(k + 1, 0.0), at(k + 1, 1.0), at(k, 1.0));
        all.extend([[a, b, c], [a, c, d]]);
    }
    for [i, j, k] in [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]] {
        all.extend([[at(i, 1.0), at(j, 1.0), at(k, 1.0)], [at(i, 0.0), at(k, 0.0), at(j, 0.0)]]);
    }
    all
}

/// Moved by a vector.
pub fn moved(triangles: &[Corners], by: [f64; 3]) -> Vec<Corners> {
    triangles.iter().map(|t| t.map(|p| [p[0] + by[0], p[1] + by[1], p[2] + by[2]])).collect()
}

pub fn mesh(triangles: &[Corners]) -> TriangleMesh {
    TriangleMesh::from_corners(triangles).unwrap()
}
