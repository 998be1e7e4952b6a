//! Volume, area, centroid and inertia of what flat triangles bound.
//!
//! By the divergence theorem an integral over a solid is one over its boundary; for polynomials it is a sum over the tetrahedra that the triangles make with a
//! fixed point o, each with the sign of its volume V = (a × b)·c/6, a, b, c being the corners seen from o:
//! ∫x = V/4 (a + b + c), ∫x⊗x = V/20 (a⊗a + b⊗b + c⊗c + s⊗s), s = a + b + c. Over a triangle of area A: A/3 (a + b + c) and A/12 (…).
//! The solid need not be convex. The point o is in the middle, so that few digits cancel.
//!
//! Checked: `tests/polyhedron.rs`, `tests/triangles.rs`.

use carom_base::{Mat3, Vec3};

use crate::shape::{Shell, Solid};

/// Volume, centroid and inertia of the solid that triangles bound which face outwards; `o` is a point in the middle of it [m].
pub(crate) fn solid(triangles: impl Iterator<Item = [Vec3; 3]>, o: &Vec3) -> Solid {
    let (mut volume, mut first, mut second) = (0.0, Vec3::zeros(), Mat3::zeros());
    for corners in triangles {
        let [a, b, c] = corners.map(|x| x - o);
        let v = a.dot(&b.cross(&c)) / 6.0;
        volume += v;
        first += (a + b + c) * (0.25 * v);
        second += outer(&[a, b, c]) * (v / 20.0);
    }
    let centroid = first / volume;
    Solid { volume, centroid: o + centroid, inertia: inertia(&second, &centroid, volume) }
}

/// Area, centroid and inertia of triangles as a thin shell; `o` is a point in the middle of them [m].
pub(crate) fn shell(triangles: impl Iterator<Item = [Vec3; 3]>, o: &Vec3) -> Shell {
    let (mut area, mut first, mut second) = (0.0, Vec3::zeros(), Mat3::zeros());
    for corners in triangles {
        let [a, b, c] = corners.map(|x| x - o);
        let part = 0.5 * (b - a).cross(&(c - a)).norm();
        area += part;
        first += (a + b + c) * (part / 3.0);
        second += outer(&[a, b, c]) * (part / 12.0);
    }
    let centroid = first / area;
    Shell { area, centroid: o + centroid, inertia: inertia(&second, &centroid, area) }
}

/// Σ x_i⊗x_i + s⊗s, s = Σ x_i.
fn outer(x: &[Vec3; 3]) -> Mat3 {
    let s: Vec3 = x.iter().sum();
    x.iter().map(|x| x * x.transpose()).sum::<Mat3>() + s * s.transpose()
}

/// About the centroid, from ∫x⊗x.
fn inertia(second: &Mat3, centroid: &Vec3, mass: f64) -> Mat3 {
    let about = second - centroid * centroid.transpose() * mass;
    Mat3::from_diagonal_element(about.trace()) - about
}
