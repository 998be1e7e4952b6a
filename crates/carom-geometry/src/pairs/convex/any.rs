//! Convex solids with edges, for their distance alone.

use super::{Bound, Way};
use crate::pair::{BoundPair, PairSolver};
use crate::shape::{Shape, Side};

/// Any two convex solids that know their closest points, for distances alone: edges are met as they are, and nothing is known of how their contacts move.
#[derive(Debug)]
pub struct AnyConvex;

impl PairSolver for AnyConvex {
    fn name(&self) -> &'static str {
        "convex-any"
    }
    fn reference(&self) -> &'static str {
        "Gilbert, Johnson & Keerthi 1988 and van den Bergen 2001, polished by Newton's method on closest points"
    }
    fn bind(&self, a: &Shape, b: &Shape) -> Option<Box<dyn BoundPair>> {
        for shape in [a, b] {
            shape.surface.as_support()?;
            shape.surface.as_project()?;
        }
        if a.side == Side::Inside || b.side == Side::Inside || a.surface.kind() > b.surface.kind() {
            return None;
        }
        Some(Box::new(Bound { a: a.surface.clone(), b: b.surface.clone(), way: Way::Edged }))
    }
}
