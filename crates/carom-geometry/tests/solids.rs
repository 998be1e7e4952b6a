//! Meshes and solids of every surface: each checks the other.

use std::collections::HashMap;

use crate::common::all_surfaces;
use carom_base::{Mat3, Vec3};
use carom_geometry::{Mesh, Side};

/// Volume, and the integral of x xᵀ, of the polyhedron: tetrahedra from the origin.
fn moments(mesh: &Mesh) -> (f64, Mat3) {
    let (mut volume, mut second) = (0.0, Mat3::zeros());
    for t in &mesh.triangles {
        let [a, b, c] = t.map(|i| Vec3::from(mesh.vertices[i as usize]));
        let v = a.dot(&b.cross(&c)) / 6.0;
        let s = a + b + c;
        volume += v;
        // over a tetrahedron with a corner at the origin: v/20 (Σ xᵢxᵢᵀ + s sᵀ)
        let sum = a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose();
        second += sum * (v / 20.0);
    }
    (volume, second)
}

/// The same of the smooth solid: a mesh's error falls as 1/n², then 1/n⁴ once that is taken out.
fn extrapolated(at: impl Fn(usize) -> (f64, Mat3)) -> (f64, Mat3) {
    let (coarse, fine) = (at(128), at(256));
    ((4.0 * fine.0 - coarse.0) / 3.0, (fine.1 * 4.0 - coarse.1) / 3.0)
}

#[test]
fn solids_are_those_of_their_meshes() {
    for surface in all_surfaces() {
        let Some(solid) = surface.solid() else { continue };
        let (volume, second) = extrapolated(|n| moments(&surface.mesh(n, 1.0)));
        let inertia = Mat3::identity() * second.trace() - second;
        let about =
            Mat3::identity() * solid.centroid.norm_squared() - solid.centroid * solid.centroid.transpose();
        let kind = surface.kind();
        assert!((volume / solid.volume - 1.0).abs() < 1e-6, "{kind}: {volume} {}", solid.volume);
        let off = (inertia - solid.inertia - about * solid.volume).norm() / solid.inertia.norm();
        assert!(off < 1e-6, "{kind}: {inertia} {}", solid.inertia);
    }
}

#[test]
fn what_is_closed_has_a_solid() {
    for surface in all_surfaces() {
        assert_eq!(surface.is_closed(), surface.solid().is_some(), "{}", surface.kind());
    }
}

#[test]
fn meshes_converge_to_the_volume() {
    for surface in all_surfaces() {
        let Some(solid) = surface.solid() else { continue };
        let mut last = f64::INFINITY;
        for n in [8, 16, 32, 64] {
            let error = (surface.mesh(n, 1.0).volume() / solid.volume - 1.0).abs();
            assert!(error < 0.3 * last || error < 1e-14, "{} {n}: {error} {last}", surface.kind());
            last = error;
        }
        assert!(last < 5e-3);
    }
}

/// Where a vertex is, coarse enough to weld the two sides of a sharp edge.
fn place(v: [f64; 3]) -> [i64; 3] {
    v.map(|x| (x * 1e9).round() as i64)
}

#[test]
fn closed_meshes_have_two_triangles_an_edge_that_run_opposite_ways() {
    for surface in all_surfaces().iter().filter(|s| s.is_closed()) {
        for n in [0, 3, 7, 24] {
            let mesh = surface.mesh(n, 1.0);
            let mut edges: HashMap<_, (usize, usize)> = HashMap::new();
            for t in &mesh.triangles {
                let [a, b, c] = t.map(|i| place(mesh.vertices[i as usize]));
                for (from, to) in [(a, b), (b, c), (c, a)] {
                    assert_ne!(from, to, "{} {n}: a triangle without area", surface.kind());
                    if from < to {
                        edges.entry((from, to)).or_default().0 += 1;
                    } else {
                        edges.entry((to, from)).or_default().1 += 1;
                    }
                }
            }
            assert!(edges.values().all(|e| *e == (1, 1)), "{} {n}", surface.kind());
        }
    }
}

#[test]
fn vertices_lie_on_the_surface_and_normals_are_its_own() {
    for surface in all_surfaces() {
        let Some(project) = surface.as_project() else { continue };
        let mesh = surface.mesh(20, 1.5);
        assert_eq!(mesh.vertices.len(), mesh.normals.len());
        for (v, n) in mesh.vertices.iter().zip(&mesh.normals) {
            let (v, n) = (Vec3::from(*v), Vec3::from(*n));
            assert!(project.closest_point(Side::Outside, 0, &v).d.abs() < 1e-15, "{} {v}", surface.kind());
            // a step out along the normal is a step away
            let d = project.closest_point(Side::Outside, 0, &(v + n * 0.1)).d;
            assert!((d - 0.1).abs() < 1e-14, "{} {v} {n}", surface.kind());
        }
        for t in &mesh.triangles {
            let [a, b, c] = t.map(|i| Vec3::from(mesh.vertices[i as usize]));
            let face = (b - a).cross(&(c - a));
            for i in t {
                assert!(face.dot(&Vec3::from(mesh.normals[*i as usize])) > 0.0, "{}", surface.kind());
            }
        }
    }
}
