//! Patches around one deepest point, on a smooth piece of a surface and below one smooth part of the other solid: polar coordinates.
//!
//! The plane that touches the surface at the deepest point has polar coordinates r, φ; its points are taken to the closest points of the surface, which, for a convex solid, are unique. On each ray the depth falls to zero at some r. Around, the integrand is smooth and periodic:
//! sums over as many equal angles converge faster than any power; along the rays Gauss rules are used. Half of the rays tell how well they do.
//!
//! Where all that is possible is decided from bounds: of two convex solids that overlap by δ, what they share is within a cap of the height δ of each, and a cap of a solid whose radii of curvature are R at most
//! reaches no further than √(2Rδ). Where it is not, or the sums do not converge, cells are integrated instead (`implicit.rs`).

use std::f64::consts::TAU;
use std::sync::Arc;

use carom_base::elementary::sincos;
use carom_base::{Dual, Pose, Vec3};

use super::body::{Body, Facet, Pieces};
use super::depth::{Depth, Last, Part};
use super::gauss::{Fall, Rule};
use super::implicit::Visit;
use crate::closest_point::tangent;
use crate::shape::{Side, Surface};

/// Where two convex solids overlap, in the host's frame: the deepest point of the guest, or near to it, and how far what they share reaches from it [m].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Around {
    pub(crate) centre: Vec3,
    pub(crate) reach: f64,
    /// [m]
    pub(crate) depth: f64,
}

/// A point of the integral: where, the outward normal, depth and area.
type Point = (Vec3, Vec3, f64, f64);

/// Rays and points along each, one after the other.
const SIZES: [(usize, usize); 5] = [(12, 4), (16, 6), (24, 8), (40, 12), (64, 12)];

/// Room for the points of one call.
#[derive(Clone, Debug, Default)]
pub(super) struct Points(Vec<Point>);

/// The piece of the guest's surface, in the host's frame.
enum Sheet<'s> {
    Flat,
    /// the surface, and its frame
    Curved(&'s Arc<dyn Surface>, &'s Pose),
}

/// The piece with polar coordinates about a point of it, below a part of the host.
struct Star<'s> {
    sheet: Sheet<'s>,
    p: Vec3,
    n: Vec3,
    axes: [Vec3; 2],
    depth: &'s Depth,
    part: usize,
    farthest: f64,
    /// whether both surfaces are analytic
    analytic: bool,
    /// the closest point of the host's surface found last
    last: Last,
}

/// Visits points of the integral over the guest's surface within the host, if that can be done, and says so.
pub(super) fn points(
    guest: &Body,
    host: &Body,
    x: &Pose,
    around: &Around,
    accuracy: f64,
    room: &mut Points,
    visit: &mut Visit<'_>,
) -> bool {
    let Some(star) = Star::new(guest, host, x, around) else { return false };
    let first = if accuracy > 1e-7 { 0 } else { 1 };
    for (rays, along) in &SIZES[first..] {
        match star.fill(*rays, Rule::of(*along), around.depth, accuracy, &mut room.0) {
            Filled::Resolved => {
                room.0.iter().for_each(|(p, n, depth, area)| visit(*p, *n, *depth, *area));
                return true;
            }
            Filled::Rough => {}
            Filled::Impossible => return false,
        }
    }
    false
}

/// How well rays do.
enum Filled {
    Resolved,
    Rough,
    Impossible,
}

impl<'s> Star<'s> {
    fn new(guest: &'s Body, host: &'s Body, x: &'s Pose, around: &Around) -> Option<Star<'s>> {
        // on a plane that touches, distances are larger than on the surface
        let mut farthest = 3.0 * around.reach;
        let (sheet, p, n) = match &guest.pieces {
            Pieces::Endless => {
                let n = x.axis(2);
                // a plane section of a convex solid is convex, however large
                farthest = 2.0 * host.bounds.radius;
                (Sheet::Flat, around.centre - n * n.dot(&(around.centre - x.p)), n)
            }
            Pieces::Parts { facets, .. } if !facets.is_empty() => {
                let (p, n) = only_facet(facets, x, around)?;
                (Sheet::Flat, p, n)
            }
            _ => {
                let (surface, least) = guest.round.as_ref()?;
                let found =
                    surface.as_project()?.closest_point(Side::Outside, 0, &x.point_to_local(&around.centre));
                match &host.depth {
                    // a convex solid has one cap below a plane, however high
                    Depth::Cells(cells) if cells.faces.len() == 1 => farthest = 2.0 * guest.bounds.radius,
                    // within this its normals turn by 70° at most
                    _ if around.reach < 1.2 * least => {}
                    _ => return None,
                }
                (Sheet::Curved(surface, x), x.point(&found.p), x.direction(&found.n))
            }
        };
        if matches!(&host.depth, Depth::Parts(parts) if parts.len() == 1) && host.round.is_none() {
            return None;
        }
        let part = only_part(&host.depth, &p, around.reach)?;
        let e = tangent(&n);
        let axes = [e, n.cross(&e)];
        let is_analytic = |body: &Body| match (&body.round, body.largest_radius) {
            (Some(_), radius) => radius.is_some_and(f64::is_finite),
            _ => true,
        };
        let analytic = is_analytic(guest) && is_analytic(host);
        Some(Star { sheet, p, n, axes, depth: &host.depth, part, farthest, analytic, last: Last::default() })
    }

    /// The point at the distance r along a ray, how it moves along and across the ray, and the outward normal.
    #[inline]
    fn spot(&self, along: &Vec3, across: &Vec3, r: f64) -> (Vec3, [Vec3; 2], Vec3) {
        let at = self.p + along * r;
        match self.sheet {
            Sheet::Flat => (at, [*along, *across], self.n),
            Sheet::Curved(surface, x) => {
                let Some(project) = surface.as_project() else { return (at, [*along, *across], self.n) };
                let local = x.point_to_local(&at);
                let dual = Vec3::from_fn(|i, _| Dual::<3>::variable(local[i], i));
                let found = project.closest_point_dual(Side::Outside, 0, &dual);
                let by = |e: &Vec3| {
                    let e = x.direction_to_local(e);
                    x.direction(&Vec3::from_fn(|i, _| (0..3).map(|j| found.p[i].eps[j] * e[j]).sum()))
                };
                let (p, n) = (found.p.map(|c| c.re), found.n.map(|c| c.re));
                (x.point(&p), [by(along), by(across)], x.direction(&n))
            }
        }
    }

    /// Depth at a distance along a ray, and its derivative.
    fn level(&self, along: &Vec3, r: f64) -> (f64, f64) {
        let (p, by, _) = self.spot(along, along, r);
        let (depth, gradient) = self.depth.part_near(self.part, &p, &self.last);
        (depth, gradient.dot(&by[0]))
    }

    /// Where the depth is zero on a ray, from a first guess: Newton's method, kept between what is known to be inside and outside.
    fn rim(&self, along: &Vec3, guess: f64) -> Option<f64> {
        let (mut inside, mut outside) = (0.0, self.farthest);
        let mut r = guess.min(0.9 * self.farthest);
        for _ in 0..60 {
            let (depth, slope) = self.level(along, r);
            if depth > 0.0 {
                inside = r
            } else {
                outside = r
            }
            let step = -depth / slope;
            if step.abs() <= 1e-14 * r && slope < 0.0 {
                return Some(r + step);
            }
            let next = r + step;
            r = if slope < 0.0 && next > inside && next < outside {
                next
            } else if outside < self.farthest {
                0.5 * (inside + outside)
            } else {
                2.0 * r
            };
            if !(r < self.farthest) {
                return None;
            }
        }
        // rounding keeps the last digits moving
        (outside - inside < 1e-9 * outside).then_some(r)
    }

    /// Fills the list of points.
    fn fill(&self, rays: usize, rule: &Rule, depth: f64, accuracy: f64, points: &mut Vec<Point>) -> Filled {
        points.clear();
        if !(self.depth.part(self.part, &self.p).0 > 0.0) {
            return Filled::Impossible;
        }
        let angle = TAU / rays as f64;
        // twice as many rays square the error, if everything is analytic
        let finer = if self.analytic { 0.5 * accuracy.sqrt() } else { accuracy };
        let mut guess = (depth * self.farthest).sqrt();
        // ∫ d n dS by all rays, and by every other one
        let (mut all, mut half, mut largest) = (Vec3::zeros(), Vec3::zeros(), 0.0);
        for k in 0..rays {
            let (sin, cos) = sincos(angle * k as f64);
            let along = self.axes[0] * cos + self.axes[1] * sin;
            let across = self.axes[1] * cos - self.axes[0] * sin;
            let Some(rim) = self.rim(&along, guess) else { return Filled::Impossible };
            guess = rim;
            let (mut ray, mut values, mut most) = (Vec3::zeros(), [0.0; 12], 0.0f64);
            for (i, (node, weight)) in rule.nodes.iter().zip(&rule.weights).enumerate() {
                let r = rim * node;
                let (p, by, n) = self.spot(&along, &across, r);
                let depth = self.depth.part_near(self.part, &p, &self.last).0;
                if !(depth > 0.0) {
                    return Filled::Impossible;
                }
                let per_length = by[0].cross(&by[1]).norm() * r;
                let area = per_length * weight * rim * angle;
                points.push((p, n, depth, area));
                ray += n * (area * depth);
                values[i] = per_length * depth;
                most = most.max(values[i]);
            }
            if rule.error_along(&values[..rule.len()], Fall::of(!self.analytic)) > accuracy * most {
                return Filled::Rough;
            }
            all += ray;
            largest += ray.norm();
            if k % 2 == 0 {
                half += ray * 2.0;
            }
        }
        match (all - half).norm() <= finer * largest {
            true => Filled::Resolved,
            false => Filled::Rough,
        }
    }
}

/// The only part of the host that can be the nearest within that distance of a point.
fn only_part(depth: &Depth, p: &Vec3, reach: f64) -> Option<usize> {
    if depth.len() == 1 {
        return depth.is_smooth().then_some(0);
    }
    if let Depth::Parts(parts) = depth
        && parts.iter().any(|part| matches!(part, Part::Whole { .. }))
    {
        return None;
    }
    let least = depth.least(p);
    let mut near = (0..depth.len()).filter(|k| depth.part(*k, p).0 <= least + 2.0 * reach);
    near.next().filter(|_| near.next().is_none())
}

/// The only facet within the reach of the centre, if its edges are not: the closest point of it, and its normal.
fn only_facet(facets: &[Facet], x: &Pose, around: &Around) -> Option<(Vec3, Vec3)> {
    let (centre, reach) = (x.point_to_local(&around.centre), around.reach);
    let height = |f: &Facet| f.n.dot(&(centre - f.corners[0]));
    let mut near = facets.iter().filter(|f| height(f).abs() <= reach);
    let facet = near.next().filter(|_| near.next().is_none())?;
    let edges = facet.corners.iter().zip(facet.corners.iter().cycle().skip(1));
    let mut inside = edges.map(|(a, b)| (b - a).cross(&(centre - a)).dot(&facet.n) / (b - a).norm());
    if !inside.all(|distance| distance > reach) {
        return None;
    }
    Some((x.point(&(centre - facet.n * height(facet))), x.direction(&facet.n)))
}
