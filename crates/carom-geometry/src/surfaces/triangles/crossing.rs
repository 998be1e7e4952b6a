//! Triangles that cross or touch others.
//!
//! Where two triangles cross, an edge of one of them passes through the other. Two that share an edge can only be folded onto each other.

use carom_base::Vec3;

use super::error::TriangleMeshError;
use super::tree::{Extent, Facet, Tree};

/// An end of an edge this near to a plane is in it, relative to the size of the whole: rounding decides on which side it is.
const FLAT: f64 = 1e-12;

/// Refused if triangles cross or touch that do not share the place where they do.
pub(super) fn check(tree: &Tree, size: f64) -> Result<(), TriangleMeshError> {
    let near = FLAT * size;
    let mut first: Option<([usize; 2], Vec3)> = None;
    let mut count = 0;
    for a in &tree.facets {
        let own = Extent::of(&a.corners);
        let look = |b: &Facet| {
            if b.number <= a.number {
                return;
            }
            let Some(at) = crossing(a, b, near) else { return };
            count += 1;
            let pair = [a.number as usize, b.number as usize];
            if first.is_none_or(|(known, _)| pair < known) {
                first = Some((pair, at));
            }
        };
        tree.within(|extent| extent.square_to(&own) == 0.0, look);
    }
    match first {
        None => Ok(()),
        Some(([a, b], at)) => {
            Err(TriangleMeshError::Crossing { count, triangles: [a + 1, b + 1], near: at.into() })
        }
    }
}

/// A point that two triangles have in common, but for the vertices and the edge that they share.
fn crossing(a: &Facet, b: &Facet, near: f64) -> Option<Vec3> {
    if a.edges.iter().any(|e| b.edges.contains(e)) {
        return folded(a, b, near);
    }
    passes_through(a, b, near).or_else(|| passes_through(b, a, near))
}

/// Two triangles that share an edge, in one plane and on the same side of the edge.
fn folded(a: &Facet, b: &Facet, near: f64) -> Option<Vec3> {
    let other = (0..3).find(|k| !a.vertices.contains(&b.vertices[*k]))?;
    let x = &b.corners[other];
    let in_plane = a.normal.dot(&(x - a.corners[0])).abs() <= near;
    (in_plane && a.normal.dot(&b.normal) < 0.0).then_some(*x)
}

/// Where an edge of `a` passes through `b`.
fn passes_through(a: &Facet, b: &Facet, near: f64) -> Option<Vec3> {
    let heights = a.corners.map(|x| b.normal.dot(&(x - b.corners[0])));
    (0..3).find_map(|k| {
        let (from, to) = (heights[k], heights[(k + 1) % 3]);
        if !(from.min(to) < -near && from.max(to) > near) {
            return None;
        }
        let (p, q) = (&a.corners[k], &a.corners[(k + 1) % 3]);
        let x = p + (q - p) * (from / (from - to));
        let within = |k: usize| {
            let edge = b.corners[(k + 1) % 3] - b.corners[k];
            edge.cross(&b.normal).dot(&(x - b.corners[k])) <= near * edge.norm()
        };
        (0..3).all(within).then_some(x)
    })
}
