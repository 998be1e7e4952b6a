//! Closest points to points on a mesh: the tree of boxes against a look at all triangles, by the number of triangles.
//!
//! `meshes` prints a table in Markdown. The mesh is a ball of radius 1 m; points are near its surface (within 5 % of its radius) or anywhere in a box of twice its size.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "programs for the terminal")]
#![allow(
    clippy::disallowed_methods,
    reason = "bare loops and peers are measured as they would be written elsewhere, with the functions of the platform"
)]

use std::error::Error;
use std::hint::black_box;

use carom_geometry::surfaces::{Corners, TriangleMesh};
use carom_geometry::{Project, Side, Vec3};
use cpu_time::ThreadTime;

/// Points of a measurement.
const POINTS: usize = 2000;
/// Rounds, of which the median counts.
const ROUNDS: usize = 21;

fn main() -> Result<(), Box<dyn Error>> {
    println!(
        "| triangles | made [ms] | near [ns] | anywhere [ns] | all triangles [ns] |\n|---|---|---|---|---|"
    );
    for times in [2, 4, 6, 7] {
        let triangles = ball(times);
        let start = ThreadTime::now();
        let mesh = TriangleMesh::from_corners(&triangles)?;
        let made = start.elapsed().as_secs_f64() * 1e3;
        let closest = |x: &Vec3| Project::closest_point(&mesh, Side::Outside, 0, x).d;
        let (near, anywhere) = (median(&points_near(), closest), median(&points_anywhere(), closest));
        // a hundredth of the points is enough
        let all = median(&points_near()[..POINTS / 100], |x| least_of_all(&mesh, x));
        println!("| {} | {made:.1} | {near:.0} | {anywhere:.0} | {all:.0} |", triangles.len());
    }
    Ok(())
}

/// The time a point takes [ns]: the median of the rounds.
fn median(points: &[Vec3], distance: impl Fn(&Vec3) -> f64) -> f64 {
    let round = |_| {
        let start = ThreadTime::now();
        black_box(points.iter().map(|x| distance(black_box(x))).sum::<f64>());
        start.elapsed().as_secs_f64() * 1e9 / points.len() as f64
    };
    let mut times: Vec<f64> = (0..ROUNDS).map(round).collect();
    times.sort_by(f64::total_cmp);
    times[ROUNDS / 2]
}

/// The least distance from the planes of all triangles [m]: less than a search over all of them has to do.
fn least_of_all(mesh: &TriangleMesh, x: &Vec3) -> f64 {
    let height = |(t, n): (&[u32; 3], &Vec3)| n.dot(&(x - mesh.vertices()[t[0] as usize])).abs();
    mesh.triangles().iter().zip(mesh.normals()).map(height).fold(f64::INFINITY, f64::min)
}

/// Points in all directions, always the same.
fn directions() -> impl Iterator<Item = Vec3> {
    let mut state = 1u64;
    let mut next = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    (0..POINTS).map(move |_| Vec3::new(next(), next(), next()))
}

fn points_near() -> Vec<Vec3> {
    directions().enumerate().map(|(k, x)| x.normalize() * (0.95 + 0.1 * (k % 101) as f64 / 100.0)).collect()
}

fn points_anywhere() -> Vec<Vec3> {
    directions().map(|x| x * 2.0).collect()
}

/// An octahedron whose faces are cut into four and blown up to a sphere, that many times.
fn ball(times: usize) -> Vec<Corners> {
    let signs = (0..8).map(|k| [0, 1, 2].map(|i| if k & (1 << i) == 0 { 1.0 } else { -1.0 }));
    let face = |[x, y, z]: [f64; 3]| {
        let [a, b, c] = [[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]];
        if x * y * z > 0.0 { [a, b, c] } else { [a, c, b] }
    };
    let mut triangles: Vec<Corners> = signs.map(face).collect();
    for _ in 0..times {
        let middle =
            |a: [f64; 3], b: [f64; 3]| -> [f64; 3] { (Vec3::from(a) + Vec3::from(b)).normalize().into() };
        let four = |[a, b, c]: Corners| {
            let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
            [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
        };
        triangles = triangles.into_iter().flat_map(four).collect();
    }
    triangles
}
