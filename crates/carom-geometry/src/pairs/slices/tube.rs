//! Slices of a torus against anything with a closest point: the ball of the tube around each slice's centre.
//!
//! With (p, n, d) the closest point to C_s on A: p_A = p, p_B = C_s − r n, δ = r − d, as of a ball (`sphere_any`). The torus is the envelope of these
//! balls: the deepest slice is as deep as the torus to second order in 2π/N. Away from the deepest place a ball is a little less
//! deep than the section of the torus that [`plane`](super::plane) takes, and its patch shorter in the ratio √(R/(R + r ρ)) at most;
//! in exchange there are no edges at which a slice could jump, and the rate is exact for every shape of A.
//!
//! Distances change no faster than one moves: from a slice as far away as g > 0 the next g/(R 2π/N) slices are passed over.

use std::f64::consts::TAU;
use std::sync::Arc;

use carom_base::{Pose, Vec3};

use super::{angle, name};
use crate::closest_point::direction;
use crate::contact::{Contact, RelativeCurvature};
use crate::error::PairFailure;
use crate::pair::{BoundPair, ContactResult, GapBounds, PairFeatures, PairFormula, PairScalar};
use crate::pairs::{finite, sphere_any};
use crate::shape::{Ring, Shape, Side, Surface};

#[derive(Debug)]
struct Bound {
    surface: Arc<dyn Surface>,
    side: Side,
    walls: &'static [&'static str],
    hollow: Option<f64>,
    major: f64,
    minor: f64,
    /// the centres, in the ring's frame
    centres: Vec<Vec3>,
}

pub(super) fn bind(a: &Shape, ring: &dyn Ring, count: usize, phase: f64) -> Option<Box<dyn BoundPair>> {
    let [major, minor] = ring.round()?;
    let project = a.surface.as_project()?;
    let walls = project.features(a.side);
    (!walls.is_empty()).then_some(())?;
    let hollow = sphere_any::hollow_of_ball(project.hollow_radius(a.side), minor);
    let centre = |s: usize| ring.section(angle(s as f64, count, phase)).centre;
    let centres = (0..count).map(centre).collect();
    Some(Box::new(Bound { surface: a.surface.clone(), side: a.side, walls, hollow, major, minor, centres }))
}

impl Bound {
    /// The slice and the wall of a feature.
    #[inline]
    fn split(&self, feature: usize) -> Result<(&Vec3, usize), PairFailure> {
        let centre = self.centres.get(feature / self.walls.len()).ok_or(PairFailure::NoFeature(feature))?;
        Ok((centre, feature % self.walls.len()))
    }

    fn share(&self) -> f64 {
        1.0 / self.centres.len() as f64
    }

    fn distance(&self, slice: usize, wall: usize, x_a: &Pose, x_b: &Pose) -> f64 {
        let centre = x_a.point_to_local(&x_b.point(&self.centres[slice]));
        self.surface.as_project().map_or(f64::INFINITY, |p| p.closest_point(self.side, wall, &centre).d)
    }
}

impl PairFeatures for Bound {
    fn solver(&self) -> &'static str {
        "slices"
    }
    fn features(&self) -> usize {
        self.centres.len() * self.walls.len()
    }
    fn feature_name(&self, feature: usize) -> String {
        let slice = name(feature / self.walls.len(), self.centres.len());
        match self.walls {
            [_] => slice,
            walls => format!("{slice} {}", walls[feature % walls.len()]),
        }
    }
    fn curvature(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> RelativeCurvature {
        let length = TAU * self.major;
        let (Ok((centre, wall)), Some(project)) = (self.split(feature), self.surface.as_project()) else {
            return RelativeCurvature::strip(0.0, length);
        };
        let at = x_b.point(centre);
        let local = x_a.point_to_local(&at);
        let k = project.curvature(self.side, wall, &local);
        // across the tube, in the tangent plane: at a right angle to the ring
        let along = x_b.direction(&Vec3::z().cross(centre));
        let n = x_a.direction(&project.closest_point(self.side, wall, &local).n);
        let (across, _) = direction(&n.cross(&along), || x_a.direction(&k.direction));
        let cos = across.dot(&x_a.direction(&k.direction));
        let wall = k.k1 * cos * cos + k.k2 * (1.0 - cos * cos);
        RelativeCurvature::strip(1.0 / self.minor + wall, length)
    }
    fn bounds(&self) -> GapBounds {
        GapBounds::hollow(self.hollow)
    }
    fn near(&self, x_a: &Pose, x_b: &Pose, margin: f64, near: &mut Vec<usize>) -> bool {
        near.clear();
        let (count, walls) = (self.centres.len(), self.walls.len());
        let step = TAU * self.major / count as f64;
        for wall in 0..walls {
            let mut slice = 0;
            while slice < count {
                let gap = self.distance(slice, wall, x_a, x_b) - self.minor - margin;
                if gap < 0.0 {
                    near.push(slice * walls + wall);
                }
                // an arc is longer than its chord: no slice is passed over that could be near
                slice += if gap > step { (gap / step) as usize } else { 1 };
            }
        }
        true
    }
}

impl PairFormula for Bound {
    #[inline]
    fn contact<S: PairScalar>(&self, feature: usize, x_a: &Pose<S>, x_b: &Pose<S>) -> ContactResult<S> {
        let (centre, wall) = self.split(feature)?;
        let project = self.surface.as_project().ok_or(PairFailure::NoFeature(feature))?;
        let centre = x_b.point(&centre.map(S::from_f64));
        let closest_point = S::closest_point(project, self.side, wall, &x_a.point_to_local(&centre));
        let contact = sphere_any::contact(self.minor, x_a, &centre, &closest_point);
        finite(Contact { share: S::from_f64(self.share()), ..contact })
    }
}
