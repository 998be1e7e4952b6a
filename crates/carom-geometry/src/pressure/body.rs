//! A solid as pressure sees it: its surface in pieces, and the depth within it.

use std::sync::Arc;

use carom_base::Vec3;

use super::chart::Chart;
use super::depth::{Depth, Part};
use crate::boundary::{BoundaryPart, PartShape};
use crate::shape::{Bounds, Shape, Side, Surface};
use crate::surfaces::{Plane, TriangleMesh};

/// A flat convex polygon of a surface, in the surface's frame.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Facet {
    /// out of the material
    pub(crate) n: Vec3,
    pub(crate) corners: Vec<Vec3>,
}

/// What a surface consists of.
#[derive(Clone, Debug)]
pub(crate) enum Pieces {
    /// the plane z = 0, z being outward
    Endless,
    /// a mesh of triangles
    Mesh(Arc<dyn Surface>),
    /// flat facets, and curved pieces
    Parts { facets: Vec<Facet>, charts: Vec<Chart> },
}

/// A solid.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    /// the ball around its surface
    pub(crate) bounds: Bounds,
    /// minus one if it is the solid around a cavity
    pub(crate) sign: f64,
    pub(crate) pieces: Pieces,
    pub(crate) depth: Depth,
    /// of a convex solid that is smooth: the surface, and its least radius of curvature [m]
    pub(crate) round: Option<(Arc<dyn Surface>, f64)>,
    /// the largest radius of curvature of a convex solid [m]
    pub(crate) largest_radius: Option<f64>,
    /// the walls between the cells of curved parts, in which two of them are as near
    pub(crate) walls: Vec<Chart>,
    /// down to this depth [m] the nearest point of the surface is unique but in the walls
    pub(crate) reach: f64,
    /// of a cone
    pub(crate) tip: Option<ConeTip>,
    /// whether it has no inside: a thin sheet, pressed from both sides
    pub(crate) is_sheet: bool,
    /// whether it is a ring, which lies flat on a band
    pub(crate) is_ring: bool,
}

/// The tip of a cone: where it is, the direction into the cone, and how the depth on the axis grows with the distance from the tip.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConeTip {
    pub(crate) p: Vec3,
    pub(crate) inward: Vec3,
    pub(crate) growth: f64,
}

impl ConeTip {
    fn of(part: &BoundaryPart) -> Option<ConeTip> {
        let PartShape::Mantle { radii: [below, above], length } = &part.shape else { return None };
        let sign = match (*below, *above) {
            (_, 0.0) => 1.0,
            (0.0, _) => -1.0,
            _ => return None,
        };
        let g = below.max(*above) / length;
        let lean = 1.0 / (1.0 + g * g).sqrt();
        let p = part.at.point(&(Vec3::z() * (0.5 * sign * length)));
        Some(ConeTip { p, inward: part.at.axis(2) * -sign, growth: g * lean })
    }
}

impl Body {
    /// The solid that a shape bounds, if it does.
    pub(crate) fn new(shape: &Shape) -> Option<Body> {
        let bounds = shape.surface.bounds();
        let kind = shape.surface.as_any();
        let pieces = if kind.downcast_ref::<Plane>().is_some() && shape.side == Side::Outside {
            Pieces::Endless
        } else if shape.surface.is_sheet() {
            shape.surface.as_project()?;
            Pieces::Parts { facets: Vec::new(), charts: Chart::smooth(&shape.surface) }
        } else if !shape.surface.is_closed() || !bounds.radius.is_finite() {
            return None;
        } else if kind.downcast_ref::<TriangleMesh>().is_some() {
            Pieces::Mesh(shape.surface.clone())
        } else {
            let sign = shape.side.sign();
            match shape.surface.boundary() {
                Some(parts) => Pieces::Parts {
                    facets: parts.iter().filter_map(|part| facet(part, sign)).collect(),
                    charts: parts.iter().flat_map(Chart::of).collect(),
                },
                None => {
                    shape.surface.as_project()?;
                    Pieces::Parts { facets: Vec::new(), charts: Chart::smooth(&shape.surface) }
                }
            }
        };
        let (sign, depth) = (shape.side.sign(), Depth::new(shape));
        let support = shape.surface.as_support().filter(|_| shape.side == Side::Outside);
        let largest_radius = match (&pieces, support) {
            (Pieces::Endless, _) => Some(f64::INFINITY),
            (_, support) => support.map(|s| s.largest_radius()),
        };
        // (a capsule is smooth, but its curvature jumps)
        let least = support.filter(|s| s.is_strict()).map_or(0.0, |s| s.least_radius());
        let round =
            (least > 0.0 && matches!(pieces, Pieces::Parts { .. })).then(|| (shape.surface.clone(), least));
        let (is_sheet, is_ring) = (shape.surface.is_sheet(), shape.surface.as_ring().is_some());
        let (walls, reach) = walls(shape, &depth);
        let parts = matches!(depth, Depth::Parts(_)).then(|| shape.surface.boundary()).flatten();
        let tip = parts.iter().flatten().find_map(ConeTip::of);
        Some(Body {
            bounds,
            sign,
            pieces,
            depth,
            round,
            largest_radius,
            walls,
            reach,
            tip,
            is_sheet,
            is_ring,
        })
    }
}

/// The walls between curved parts of a solid, and the depth down to which there are no others [m].
fn walls(shape: &Shape, depth: &Depth) -> (Vec<Chart>, f64) {
    match depth {
        Depth::Cells(_) | Depth::Around(..) => (Vec::new(), f64::INFINITY),
        Depth::Parts(parts) if matches!(parts[..], [Part::Whole { .. }]) => {
            let convex = shape.surface.as_support().is_some();
            let reach = match shape.surface.as_project() {
                _ if !depth.is_smooth() => 0.0,
                Some(_) if convex && shape.side == Side::Inside => f64::INFINITY,
                Some(project) if shape.side == Side::Outside => project.hollow_radius(Side::Inside),
                Some(project) => project.hollow_radius(Side::Outside),
                None => 0.0,
            };
            (Vec::new(), reach)
        }
        Depth::Parts(_) => {
            let (mut walls, mut reach) = (Vec::new(), f64::INFINITY);
            for part in shape.surface.boundary().iter().flatten() {
                let (radii, length) = match &part.shape {
                    PartShape::Barrel { radius, length } => ([*radius; 2], *length),
                    PartShape::Mantle { radii, length } => (*radii, *length),
                    PartShape::Disc { .. } => continue,
                    // these have walls that are not known
                    PartShape::Polygon(_) | PartShape::Ellipsoid { .. } => return (Vec::new(), 0.0),
                };
                for top in [false, true].into_iter().filter(|top| radii[usize::from(*top)] > 0.0) {
                    let (high, charts) = Chart::inner_wall(part, radii, length, top);
                    reach = reach.min(high);
                    walls.extend(charts);
                }
            }
            (walls, reach)
        }
    }
}

/// A flat part of a boundary.
fn facet(part: &BoundaryPart, sign: f64) -> Option<Facet> {
    match &part.shape {
        PartShape::Polygon(corners) if corners.len() >= 3 => {
            let corners = corners.iter().map(|x| part.at.point(x)).collect();
            Some(Facet { n: part.normal()? * sign, corners })
        }
        _ => None,
    }
}
