//! Nodes on a boundary: points with areas and normals, for tractions that have no closed form.
//!
//! | part | nodes |
//! |---|---|
//! | polygon | n × n Gauss points on every quadrilateral, as in [`GaussPolygon`](crate::pieces::GaussPolygon) |
//! | barrel, mantle | n Gauss points along the axis, 2n evenly spaced around |
//! | disc | n Gauss points along the radius, 2n evenly spaced around |
//! | ellipsoid | n Gauss points in the cosine of the polar angle, 2n evenly spaced around |
//!
//! Both rules converge exponentially as long as the traction is smooth over the spacing: for a gap h over a boundary with the radius R
//! of curvature, that needs n of a few √(R/h).

use std::f64::consts::TAU;

use carom_base::Vec3;
use carom_base::elementary::{hypot, sincos};
use carom_geometry::{BoundaryPart, PartShape};

use crate::kernel::rule::legendre;
use crate::node::Node;
use crate::pieces::GaussPolygon;

/// Returns the nodes of a part of a boundary, n along it and 2n around it, in the surface's frame; without any if n is zero or its
/// dimensions are invalid.
///
/// ```
/// use carom_field::nodes_of;
/// use carom_geometry::{Surface, surfaces::Sphere};
/// let ball = Sphere::new(0.5)?.boundary().unwrap(); // radius [m]
/// let area: f64 = nodes_of(&ball[0], 8).iter().map(|node| node.area).sum();
/// assert!((area / std::f64::consts::PI - 1.0).abs() < 1e-14); // 4πR² [m²]
/// # Ok::<(), carom_geometry::GeometryError>(())
/// ```
pub fn nodes_of(part: &BoundaryPart, n: usize) -> Vec<Node> {
    let mut nodes = Vec::new();
    match &part.shape {
        PartShape::Polygon(vertices) => {
            let face = GaussPolygon::new(vertices.clone(), n);
            nodes.extend(face.iter().flat_map(GaussPolygon::nodes));
        }
        PartShape::Barrel { radius, length } => mantle([*radius; 2], *length, n, &mut nodes),
        PartShape::Mantle { radii, length } => mantle(*radii, *length, n, &mut nodes),
        PartShape::Disc { radius } => around(n, |s, weight, [cos, sin]| {
            let r = radius * s;
            let x = Vec3::new(r * cos, r * sin, 0.0);
            nodes.push(Node { x, normal: Vec3::z(), area: weight * radius * r });
        }),
        PartShape::Ellipsoid { semi_axes: [a, b, c] } => around(n, |s, weight, [cos, sin]| {
            let t = 2.0 * s - 1.0;
            let q = (1.0 - t * t).sqrt();
            // the direction of the normal, x_i/e_i², times abc
            let m = Vec3::new(b * c * q * cos, a * c * q * sin, a * b * t);
            let x = Vec3::new(a * q * cos, b * q * sin, c * t);
            nodes.push(Node { x, normal: m / m.norm(), area: 2.0 * weight * m.norm() });
        }),
    }
    nodes.iter().map(|node| node.moved(&part.at)).collect()
}

/// Adds the nodes of a cone's or a cylinder's side about the z axis.
fn mantle([r0, r1]: [f64; 2], length: f64, n: usize, nodes: &mut Vec<Node>) {
    let slant = hypot(length, r1 - r0);
    // the normal leans by the slope of the side
    let (out, up) = (length / slant, (r0 - r1) / slant);
    around(n, |s, weight, [cos, sin]| {
        let r = r0 + (r1 - r0) * s;
        let x = Vec3::new(r * cos, r * sin, length * (s - 0.5));
        let normal = Vec3::new(out * cos, out * sin, up);
        nodes.push(Node { x, normal, area: weight * slant * r });
    });
}

/// Calls a function with n Gauss points of 0 … 1 times 2n directions around: point, weight [rad] and cosine and sine.
fn around(n: usize, mut with: impl FnMut(f64, f64, [f64; 2])) {
    let count = 2 * n;
    for (s, weight) in legendre(n) {
        for k in 0..count {
            // half a step from the axes, so that no node is on an edge of symmetry
            let (sin, cos) = sincos(TAU * (k as f64 + 0.5) / count as f64);
            with(s, weight * TAU / count as f64, [cos, sin]);
        }
    }
}
