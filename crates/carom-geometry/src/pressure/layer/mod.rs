//! The depth in a mesh, as linear in tetrahedra that fill a layer below its surface.
//!
//! As the surface of triangles moves inwards by s, each triangle parallel to itself, the prisms between where they were and where they are fill the layer, and the depth in it is s. At edges prisms meet in the plane that halves the angle of
//! their faces. Each is cut into three tetrahedra, in which the depth is linear: d = s at their corners. So the depth is continuous, and where a vertex has three planes or fewer it is that below the plane of the triangle. The facets of the
//! other solid are cut by tetrahedra; forces and energy are sums over what is left, without an error but rounding.
//!
//! Where triangles are narrower than the depth they turn over on their way, and their prisms count as negative: what they overlap then counts once all the same.

mod boxes;
mod guest;
mod offsets;
mod tetrahedron;

use carom_base::{Pose, Vec3};

use super::body::Body;
use super::polygon::{Room, polygon_points};
use crate::closest_point::direction;
use crate::error::PairFailure;
use crate::shape::{Bounds, Shape};
use crate::surfaces::TriangleMesh;
use boxes::{Aabb, Boxes, Flat, Grown};
use guest::Guest;
use tetrahedron::{Corner, Tetrahedron};

/// How many lengths of a triangle's side are looked at first, downwards, and how much more the next time, if something is below that.
const FIRST: f64 = 2.0;
const MORE: f64 = 4.0;
/// Segments around a circle of the triangles that stand for a curved surface.
pub(crate) const AROUND: usize = 96;

/// A prism of the layer.
#[derive(Clone, Copy, Debug)]
struct Prism {
    /// the vertices of its triangle, lowest number first
    vertices: [u32; 3],
    /// minus one if that order is clockwise seen from outside
    parity: f64,
    /// the line from the middle of its triangle to that on top, and how far the prism is from that at most [m]
    middle: Vec3,
    way: Vec3,
    radius: f64,
    /// half spaces n·x ≤ h that it is in: below its triangle, and within its sides
    within: [(Vec3, f64); 4],
}

/// The layer below the surface of a mesh.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    vertices: Vec<Vec3>,
    /// where they are on top, and the depth there [m]
    tops: Vec<Corner>,
    prisms: Vec<Prism>,
    boxes: Boxes,
    bounds: Bounds,
    /// the share of its thickness that is looked at first
    first: f64,
}

impl Layer {
    /// That of a mesh, or of the solid around it if `sign` is minus one.
    fn new(mesh: &TriangleMesh, bounds: Bounds, sign: f64) -> Layer {
        let normals: Vec<Vec3> = mesh.normals().iter().map(|n| n * sign).collect();
        let ways = offsets::ways(mesh.vertices(), mesh.triangles(), &normals);
        let thick = offsets::thicknesses(mesh, sign, &ways, bounds.radius);
        let vertices = mesh.vertices().to_vec();
        let top = |((v, way), t): ((&Vec3, &Vec3), &f64)| (v + way * *t, *t);
        let tops: Vec<Corner> = vertices.iter().zip(&ways).zip(&thick).map(top).collect();
        let mut layer =
            Layer { vertices, tops, prisms: Vec::new(), boxes: Boxes::new(&[]), bounds, first: 1.0 };
        layer.prisms = mesh.triangles().iter().map(|t| layer.prism(t, sign)).collect();
        let grown = |prism: &Prism| {
            let corners = layer.corners(prism).map(|(x, _)| x);
            Grown { at_first: Aabb::of(&corners[..3]), whole: Aabb::of(&corners) }
        };
        let each: Vec<Grown> = layer.prisms.iter().map(grown).collect();
        layer.boxes = Boxes::new(&each);
        let mean = |each: &mut dyn Iterator<Item = f64>| {
            let (sum, count) = each.fold((0.0, 0.0), |(sum, count), x| (sum + x, count + 1.0));
            sum / count
        };
        let side = mean(&mut each.iter().map(|b| b.at_first.half.norm()));
        layer.first = (FIRST * side / mean(&mut thick.iter().copied())).min(1.0);
        layer
    }

    fn prism(&self, triangle: &[u32; 3], sign: f64) -> Prism {
        let [a, b, c] = *triangle;
        let mut vertices = *triangle;
        vertices.sort_unstable();
        // even permutations are those that go round
        let even = [[a, b, c], [b, c, a], [c, a, b]].contains(&vertices);
        let mut prism = Prism {
            vertices,
            parity: if even { sign } else { -sign },
            middle: Vec3::zeros(),
            way: Vec3::zeros(),
            radius: 0.0,
            within: [(Vec3::zeros(), 0.0); 4],
        };
        let corners = self.corners(&prism);
        let mean = |from: usize| corners[from..from + 3].iter().map(|(x, _)| x).sum::<Vec3>() / 3.0;
        prism.middle = mean(0);
        prism.way = mean(3) - prism.middle;
        prism.radius = corners.iter().map(|(x, _)| prism.distance(x)).fold(0.0, f64::max);
        let [a, b, c] = [0, 1, 2].map(|k| corners[k].0);
        let half_space = |n: Vec3| {
            let n = direction(&n, Vec3::z).0;
            (n, corners.iter().map(|(x, _)| n.dot(x)).fold(f64::NEG_INFINITY, f64::max))
        };
        let sides = [b - a, c - b, a - c].map(|edge| edge.cross(&-prism.way) * prism.parity);
        let outwards = (b - a).cross(&(c - a)) * prism.parity;
        prism.within = [outwards, sides[0], sides[1], sides[2]].map(half_space);
        prism
    }

    /// The corners of a prism: those on the surface, and those on top.
    fn corners(&self, prism: &Prism) -> [Corner; 6] {
        let [a, b, c] = prism.vertices.map(|v| v as usize);
        let below = |v: usize| (self.vertices[v], 0.0);
        [below(a), below(b), below(c), self.tops[a], self.tops[b], self.tops[c]]
    }
}

impl Prism {
    /// How far a point is from the line along its middle [m].
    fn distance(&self, x: &Vec3) -> f64 {
        let from = x - self.middle;
        let t = (from.dot(&self.way) / self.way.norm_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
        (from - self.way * t).norm()
    }

    /// Whether nothing in a box can be in it.
    #[inline]
    fn is_beside(&self, bounds: &Aabb) -> bool {
        let outside = |(n, h): &(Vec3, f64)| n.dot(&bounds.middle) - n.abs().dot(&bounds.half) > *h;
        self.within.iter().any(outside) || self.distance(&bounds.middle) > self.radius + bounds.half.norm()
    }

    /// Whether no corner can be in it, nor what is between them.
    #[inline]
    fn is_beside_all(&self, corners: &[Vec3]) -> bool {
        self.within.iter().any(|(n, h)| corners.iter().all(|x| n.dot(x) > *h))
    }
}

/// Room for one call.
#[derive(Clone, Debug, Default)]
pub(crate) struct Space {
    room: Room,
    corners: Vec<Vec3>,
    /// where, the normal, the depth [m] and the area [m²]
    found: Vec<(Vec3, Vec3, f64, f64)>,
}

/// A surface within the layer of a mesh.
#[derive(Clone, Debug)]
pub(crate) struct Layered {
    layer: Layer,
    guest: Guest,
    /// facets and triangles that are both larger than this have several points where they meet [m]
    large: f64,
}

/// What of a facet is within a tetrahedron.
struct Piece<'r> {
    tetrahedron: &'r Tetrahedron,
    polygon: &'r [Vec3],
    n: Vec3,
    /// whether facet and triangle are both large
    large: bool,
}

/// How fine a layer and the facets in it are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Fineness {
    /// segments around a circle of the triangles that stand for a curved surface
    pub(crate) around: usize,
}

impl Layered {
    /// The guest's surface within a host that is a mesh.
    pub(crate) fn new(guest: (&Shape, &Body), host: (&Shape, &Body), fineness: &Fineness) -> Option<Layered> {
        let mesh: &TriangleMesh = host.0.surface.as_any().downcast_ref()?;
        let radius = host.1.bounds.radius;
        let large = LARGE * radius.min(guest.1.bounds.radius);
        let guest = Guest::new(guest.0, guest.1, fineness.around)?;
        Some(Layered { layer: Layer::new(mesh, host.1.bounds, host.1.sign), guest, large })
    }

    /// Visits what of the guest, whose frame is at `x` in the host's, is within the layer up to a share of its thickness, and some of what is further down; returns the largest share that was met.
    fn pieces(&self, x: &Pose, share: f64, space: &mut Space, mut visit: impl FnMut(Piece<'_>)) -> f64 {
        let (layer, mut most) = (&self.layer, 0.0f64);
        let Space { room, corners, .. } = space;
        self.guest.visit(x, layer, share, corners, |facet, flat, within| {
            let Flat { bounds, n, .. } = flat;
            let radius = bounds.half.norm();
            layer.boxes.meeting(share, within, flat, |k| {
                let prism = &layer.prisms[k as usize];
                if prism.is_beside(bounds) || prism.is_beside_all(facet) {
                    return;
                }
                for tetrahedron in &mut Tetrahedron::three(&layer.corners(prism), prism.parity) {
                    if tetrahedron.cut(facet, room) {
                        let polygon = room.polygon();
                        most = polygon.iter().map(|p| tetrahedron.share(p)).fold(most, f64::max);
                        let large = radius.min(prism.radius) > self.large;
                        visit(Piece { tetrahedron: &tetrahedron, polygon, n: *n, large });
                    }
                }
            });
        });
        most
    }

    /// Visits all of the guest that is within the host. What was visited before `None` is to be forgotten.
    fn all_pieces(
        &self,
        x: &Pose,
        space: &mut Space,
        mut visit: impl FnMut(Option<Piece<'_>>),
    ) -> Result<(), PairFailure> {
        let mut share = self.layer.first;
        loop {
            let most = self.pieces(x, share, space, |piece| visit(Some(piece)));
            if most > 1.0 - 1e-12 {
                return Err(PairFailure::BelowLayer);
            }
            // a surface that reaches further down does so from above
            if most <= share {
                return Ok(());
            }
            share = (MORE * most).min(1.0);
            visit(None);
        }
    }

    /// Points of the integral over the guest's surface within the host, in the host's frame: where, the guest's outward normal, the depth in the host [m] and the area [m²].
    pub(crate) fn points(
        &self,
        x: &Pose,
        space: &mut Space,
        visit: &mut dyn FnMut(Vec3, Vec3, f64, f64),
    ) -> Result<(), PairFailure> {
        let mut found = std::mem::take(&mut space.found);
        found.clear();
        let done = self.all_pieces(x, space, |piece| {
            let Some(Piece { tetrahedron, polygon, n, large }) = piece else { return found.clear() };
            let mut add = |(p, depth, area)| found.push((p, n, depth, area * tetrahedron.sign));
            if large {
                polygon_points(polygon, |(p, area)| add((p, tetrahedron.depth(&p), area)));
            } else if let Some(point) = resultant(tetrahedron, polygon) {
                add(point);
            }
        });
        if done.is_ok() {
            found.iter().for_each(|(p, n, depth, area)| visit(*p, *n, *depth, *area));
        }
        space.found = found;
        done
    }

    /// ∫ d dV over what both solids share, d the depth in the host [m⁴].
    pub(crate) fn stored(&self, x: &Pose, space: &mut Space) -> Result<f64, PairFailure> {
        let mut sum = 0.0;
        self.all_pieces(x, space, |piece| match piece {
            Some(piece) => sum += piece.tetrahedron.sign * piece.tetrahedron.flux(piece.polygon, &piece.n),
            None => sum = 0.0,
        })?;
        Ok(sum)
    }
}

/// A point of the guest's surface within the host, in the host's frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deepest {
    pub(crate) p: Vec3,
    /// how the depth there grows, of length 1
    pub(crate) down: Vec3,
    /// [m]
    pub(crate) depth: f64,
}

impl Layered {
    /// The deepest point of the guest's surface within the host, if there is one.
    pub(crate) fn deepest(&self, x: &Pose, space: &mut Space) -> Result<Option<Deepest>, PairFailure> {
        let mut found: Option<Deepest> = None;
        self.all_pieces(x, space, |piece| {
            let Some(Piece { tetrahedron, polygon, .. }) = piece else { return };
            for p in polygon.iter().filter(|_| tetrahedron.sign > 0.0) {
                let depth = tetrahedron.depth(p);
                if depth > found.map_or(0.0, |d| d.depth) {
                    found = Some(Deepest { p: *p, down: tetrahedron.down(), depth });
                }
            }
        })?;
        Ok(found)
    }
}

/// Relative to the ball around the smaller solid, see [`Layered::large`].
const LARGE: f64 = 0.25;

/// The centre of pressure of a polygon, its mean depth [m] and area [m²].
fn resultant(tetrahedron: &Tetrahedron, polygon: &[Vec3]) -> Option<(Vec3, f64, f64)> {
    let a = polygon[0];
    let d_a = tetrahedron.depth(&a);
    let (mut area, mut volume, mut moment) = (0.0, 0.0, Vec3::zeros());
    let mut before = (polygon[1] - a, tetrahedron.depth(&polygon[1]));
    for x in &polygon[2..] {
        let here = (x - a, tetrahedron.depth(x));
        let third = before.0.cross(&here.0).norm() / 6.0;
        let depths = d_a + before.1 + here.1;
        area += 3.0 * third;
        volume += third * depths;
        // ∫ d x dS = A/12 (Σ d Σ x + Σ d x)
        moment += (before.0 * (depths + before.1) + here.0 * (depths + here.1)) * (0.25 * third);
        before = here;
    }
    (volume > 0.0).then(|| (a + moment / volume, volume / area, area))
}
