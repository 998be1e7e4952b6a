//! A solid as pressure sees it: its surface in pieces, and the depth within it.

use carom_base::Vec3;

use super::cells::{Cells, HalfSpace};
use crate::boundary::PartShape;
use crate::shape::{Bounds, Shape, Side};
use crate::surfaces::Plane;

/// A flat convex polygon of a surface, in the surface's frame.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Facet {
    /// outward
    pub(crate) n: Vec3,
    pub(crate) corners: Vec<Vec3>,
}

/// What a surface consists of.
#[derive(Clone, Debug)]
pub(crate) enum Pieces {
    /// the plane z = 0, z being outward
    Endless,
    /// flat facets
    Facets(Vec<Facet>),
}

/// A solid.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) bounds: Bounds,
    pub(crate) pieces: Pieces,
    /// its depth, in closed form
    pub(crate) cells: Cells,
}

impl Body {
    /// The solid that a shape bounds, if it does.
    pub(crate) fn new(shape: &Shape) -> Option<Body> {
        let bounds = shape.surface.bounds();
        if shape.side == Side::Inside {
            return None;
        }
        if shape.surface.as_any().downcast_ref::<Plane>().is_some() {
            let cells = Cells::new(vec![HalfSpace { n: Vec3::z(), h: 0.0 }], 0.0);
            return Some(Body { bounds, pieces: Pieces::Endless, cells });
        }
        let facets = facets(shape)?;
        let half_space = |f: &Facet| HalfSpace { n: f.n, h: f.n.dot(&f.corners[0]) };
        let size = bounds.centre.norm() + bounds.radius;
        let cells = Cells::new(facets.iter().map(half_space).collect(), size);
        Some(Body { bounds, pieces: Pieces::Facets(facets), cells })
    }
}

/// The faces of a convex solid that has flat ones only.
fn facets(shape: &Shape) -> Option<Vec<Facet>> {
    shape.surface.as_support()?;
    let parts = shape.surface.boundary()?;
    let facet = |part: &crate::BoundaryPart| match &part.shape {
        PartShape::Polygon(corners) if corners.len() >= 3 => {
            Some(Facet { n: part.normal()?, corners: corners.iter().map(|x| part.at.point(x)).collect() })
        }
        _ => None,
    };
    parts.iter().map(facet).collect()
}
