//! The parts of every boundary: as much area as the shell has, as much volume within as the solid, and normals that look out.

use std::f64::consts::PI;

use crate::common::all_surfaces;
use carom_base::Vec3;
use carom_geometry::surfaces::Ellipsoid;
use carom_geometry::{BoundaryPart, PartShape, Surface};

/// Area and ∫x·n dA, three times the volume under a part.
fn measure(part: &BoundaryPart) -> (f64, f64) {
    match &part.shape {
        PartShape::Polygon(vertices) => {
            let twice: Vec3 =
                vertices[1..].windows(2).map(|v| (v[0] - vertices[0]).cross(&(v[1] - vertices[0]))).sum();
            let area = 0.5 * twice.norm();
            for v in vertices {
                let height = (v - vertices[0]).dot(&twice) / twice.norm();
                assert!(height.abs() < 1e-14, "{}: flat to {height:e}", part.name);
            }
            (area, area * part.at.point(&vertices[0]).dot(&part.normal().unwrap()))
        }
        PartShape::Disc { radius } => {
            let area = PI * radius * radius;
            (area, area * part.at.p.dot(&part.normal().unwrap()))
        }
        PartShape::Barrel { radius, length } => {
            assert_eq!(part.at.p, Vec3::zeros());
            (2.0 * PI * radius * length, 2.0 * PI * radius * radius * length)
        }
        PartShape::Mantle { radii: [base, top], length } => {
            // between the two planes x·n is that of the normal (L, r₀ − r₁)/l half way up
            let slant = (length * length + (top - base) * (top - base)).sqrt();
            let area = PI * (base + top) * slant;
            let z = length * (top - base) / (6.0 * (base + top));
            let rho = 2.0 / 3.0 * (base * base + base * top + top * top) / (base + top);
            (area, area * (rho * length + z * (base - top)) / slant)
        }
        PartShape::Ellipsoid { semi_axes } => {
            let egg = Ellipsoid::new(*semi_axes).unwrap();
            (egg.shell().unwrap().area, 3.0 * egg.solid().unwrap().volume)
        }
    }
}

#[test]
fn areas_and_volumes_add_up() {
    let mut known = Vec::new();
    for surface in all_surfaces() {
        let Some(parts) = surface.boundary() else { continue };
        known.push(surface.kind());
        let (area, volume) = parts.iter().map(measure).fold((0.0, 0.0), |s, m| (s.0 + m.0, s.1 + m.1 / 3.0));
        let (shell, solid) = (surface.shell().unwrap(), surface.solid().unwrap());
        assert!((area / shell.area - 1.0).abs() < 1e-13, "{}: {area} {}", surface.kind(), shell.area);
        assert!((volume / solid.volume - 1.0).abs() < 1e-14, "{}: {volume} {}", surface.kind(), solid.volume);
        for part in &parts {
            let r = part.at.r;
            assert!((r.tr_mul(&r) - carom_base::Mat3::identity()).norm() < 1e-15 && r.determinant() > 0.0);
        }
    }
    assert_eq!(known, ["sphere", "cylinder", "cone", "box", "polyhedron", "ellipsoid", "cone"]);
}
