//! The tangent planes of a closed quadric.

use carom_base::Vec3;

use super::{Extent, Quadric};
use crate::contact::Curvature;
use crate::shape::{Implicit, Side, Support};

/// A closed one: that of its ellipsoid.
impl Support for Quadric {
    fn support(&self, m: &Vec3) -> Vec3 {
        match &self.extent {
            Extent::Closed(egg) => egg.support(m),
            Extent::Sheet { any, .. } => *any,
        }
    }
    fn curvature_at(&self, p: &Vec3, m: &Vec3) -> Curvature {
        match &self.extent {
            Extent::Closed(egg) => Support::curvature_at(egg, p, m),
            Extent::Sheet { .. } => self.patch_point(p).curvature(Side::Outside, &self.level(p), p),
        }
    }
    fn least_radius(&self) -> f64 {
        match &self.extent {
            Extent::Closed(egg) => egg.least_radius(),
            Extent::Sheet { .. } => 0.0,
        }
    }
    fn largest_radius(&self) -> f64 {
        match &self.extent {
            Extent::Closed(egg) => egg.largest_radius(),
            Extent::Sheet { .. } => f64::INFINITY,
        }
    }
}
