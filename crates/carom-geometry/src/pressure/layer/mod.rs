//! The depth in a mesh, as linear in tetrahedra that fill a layer below its surface.
//!
//! As the surface of triangles moves inwards by s, each triangle parallel to itself, the prisms between where they were and where they are fill the layer, and the depth in it is s. At edges prisms meet in the plane that halves the angle of
//! their faces. Each is cut into three tetrahedra, in which the depth is linear: d = s at their corners. So the depth is continuous, and where a vertex has three planes or fewer it is that below the plane of the triangle. The facets of the
//! other solid are cut by tetrahedra; forces and energy are sums over what is left, without an error but rounding.
//!
//! Where triangles are narrower than the depth they turn over on their way, and their prisms count as negative: what they overlap then counts once all the same.

mod boxes;
mod guest;
mod hull;
mod offsets;
mod tetrahedron;

use carom_base::{Pose, Vec3};

use super::body::Body;
use super::polygon::{Room, polygon_points};
use crate::shape::{Bounds, Shape};
use crate::surfaces::TriangleMesh;
use boxes::{Aabb, Boxes, Flat, Grown};
use guest::Guest;
use hull::Hull;
use tetrahedron::{Corner, Tetrahedron};

/// How far down is looked at first, relative to the size of triangles, and how much further the next time, if something is below that.
const FIRST_LEVEL: f64 = 0.1;
const LEVEL_GROWTH: f64 = 4.0;
/// Up to this share of the thickness the depth grows, from there to the top it goes back to zero.
const RISING: f64 = 0.8;
/// The tetrahedra of larger meshes are made anew each time.
const MOST_KEPT: usize = 50_000;
/// Segments around a circle of the triangles that stand for a curved surface.
pub(crate) const AROUND: usize = 128;

/// A prism of the layer.
#[derive(Clone, Copy, Debug)]
struct Prism {
    /// the vertices of its triangle, lowest number first
    vertices: [u32; 3],
    /// minus one if that order is clockwise seen from outside
    parity: f64,
    /// around what is not below the level that is looked at first, and around all of it
    near: Hull,
    whole: Hull,
}

/// The layer below the surface of a mesh.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    vertices: Vec<Vec3>,
    /// how far each goes inwards, and the thickness of the layer there [m]
    ways: Vec<(Vec3, f64)>,
    prisms: Vec<Prism>,
    /// the tetrahedra where the depth grows, of all prisms if there are not too many
    kept: Vec<[Option<Tetrahedron>; 3]>,
    boxes: Boxes,
    bounds: Bounds,
    /// the level that is looked at first [m]
    first: f64,
    /// the prism whose vertices have the thickest layer
    thickest: usize,
}

impl Layer {
    /// That of a mesh, or of the solid around it if `sign` is minus one.
    fn new(mesh: &TriangleMesh, bounds: Bounds, sign: f64) -> Layer {
        let normals: Vec<Vec3> = mesh.normals().iter().map(|n| n * sign).collect();
        let ways = offsets::ways(mesh.vertices(), mesh.triangles(), &normals);
        let thick = offsets::thicknesses(mesh, sign, &ways, bounds.radius);
        let ways = ways.iter().zip(&thick).map(|(way, t)| (way * *t, *t)).collect();
        let (vertices, boxes) = (mesh.vertices().to_vec(), Boxes::new(&[]));
        let mut layer = Layer {
            vertices,
            ways,
            prisms: Vec::new(),
            kept: Vec::new(),
            boxes,
            bounds,
            first: 0.0,
            thickest: 0,
        };
        let sizes = mesh
            .triangles()
            .iter()
            .map(|t| Aabb::of(t.iter().map(|v| &mesh.vertices()[*v as usize])).half.norm());
        layer.first = FIRST_LEVEL * sizes.sum::<f64>() / mesh.triangles().len().max(1) as f64;
        layer.prisms = mesh.triangles().iter().map(|t| layer.prism(t, sign)).collect();
        if layer.prisms.len() <= MOST_KEPT {
            layer.kept = layer.prisms.iter().map(|p| layer.three(p, Part::Rising)).collect();
        }
        let grown = |prism: &Prism| {
            let [below, above] = [0.0, 1.0].map(|share| layer.corners(prism, share).map(|c| c.x));
            let least = prism.vertices.iter().map(|v| thick[*v as usize]).fold(f64::INFINITY, f64::min);
            Grown { at_first: Aabb::of(&below), whole: Aabb::of(below.iter().chain(&above)), to: least }
        };
        let each: Vec<Grown> = layer.prisms.iter().map(grown).collect();
        layer.boxes = Boxes::new(&each);
        layer.thickest = (0..each.len()).max_by(|i, j| each[*i].to.total_cmp(&each[*j].to)).unwrap_or(0);
        layer
    }

    fn prism(&self, triangle: &[u32; 3], sign: f64) -> Prism {
        let [a, b, c] = *triangle;
        let mut vertices = *triangle;
        vertices.sort_unstable();
        // even permutations are those that go round
        let even = [[a, b, c], [b, c, a], [c, a, b]].contains(&vertices);
        let parity = if even { sign } else { -sign };
        let thinnest = vertices.iter().map(|v| self.ways[*v as usize].1).fold(f64::INFINITY, f64::min);
        let below = vertices.map(|v| self.vertices[v as usize]);
        // a line in a tetrahedron can go from one corner below to another above
        let hull = |share: f64| {
            let above = |k: usize| {
                let (from, to) = (vertices[k / 3] as usize, vertices[k % 3] as usize);
                let top = self.vertices[to] + self.ways[to].0;
                self.vertices[from] * (1.0 - share) + top * share
            };
            Hull::new(&below, &[0, 1, 2, 3, 4, 5, 6, 7, 8].map(above), parity)
        };
        let (near, whole) = (hull((self.first / thinnest).min(1.0)), hull(1.0));
        Prism { vertices, parity, near, whole }
    }

    /// The tetrahedra of a part of a prism.
    fn three(&self, prism: &Prism, part: Part) -> [Option<Tetrahedron>; 3] {
        Tetrahedron::three(&self.part(prism, part), prism.parity)
    }

    /// Where the corners of a prism's triangle are at a share of the way to the top.
    fn corners(&self, prism: &Prism, share: f64) -> [Corner; 3] {
        prism.vertices.map(|v| {
            let (way, t) = self.ways[v as usize];
            let depth = if share < 1.0 { share * t } else { 0.0 };
            Corner { x: self.vertices[v as usize] + way * share, depth, level: share * t }
        })
    }

    /// The corners of the part of a prism where the depth grows, or of that where it goes back to zero.
    fn part(&self, prism: &Prism, part: Part) -> [Corner; 6] {
        let (below, above) = match part {
            Part::Rising => (0.0, RISING),
            Part::Falling => (RISING, 1.0),
        };
        let ([a, b, c], [d, e, f]) = (self.corners(prism, below), self.corners(prism, above));
        [a, b, c, d, e, f]
    }
}

/// A part of a prism.
#[derive(Clone, Copy, Debug)]
enum Part {
    Rising,
    Falling,
}

impl Prism {
    /// What it is within, down to a level of a layer that is looked at at a first level at first [m].
    #[inline]
    fn hull(&self, level: f64, first: f64) -> &Hull {
        if level <= first { &self.near } else { &self.whole }
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

    /// Visits what of the guest, whose frame is at `x` in the host's, is within the layer down to a level [m], and some of what is further down; returns the deepest level that was met, and whether something was beyond where the depth
    /// grows.
    fn pieces(
        &self,
        x: &Pose,
        level: f64,
        space: &mut Space,
        mut visit: impl FnMut(Piece<'_>),
    ) -> (f64, bool) {
        let (layer, mut most, mut beyond) = (&self.layer, 0.0f64, false);
        let Space { room, corners, .. } = space;
        self.guest.visit(x, layer, level, corners, |facet, flat, within| {
            let Flat { bounds, n, .. } = flat;
            let radius = bounds.half.norm();
            layer.boxes.meeting(level, within, flat, |k| {
                let prism = &layer.prisms[k as usize];
                let hull = prism.hull(level, layer.first);
                if hull.is_beside_all(facet) || hull.is_beside(bounds) {
                    return;
                }
                let large = radius.min(prism.whole.radius) > self.large;
                let mut go = |part: Part| {
                    let made;
                    let three = match (part, layer.kept.get(k as usize)) {
                        (Part::Rising, Some(kept)) => kept,
                        _ => {
                            made = layer.three(prism, part);
                            &made
                        }
                    };
                    for tetrahedron in three.iter().flatten() {
                        if tetrahedron.cut(facet, room) {
                            let polygon = room.polygon();
                            most = polygon.iter().map(|p| tetrahedron.level(p)).fold(most, f64::max);
                            visit(Piece { tetrahedron, polygon, n: *n, large });
                            beyond |= matches!(part, Part::Falling);
                        }
                    }
                };
                go(Part::Rising);
                if prism.vertices.iter().any(|v| layer.ways[*v as usize].1 * RISING <= level) {
                    go(Part::Falling);
                }
            });
        });
        (most, beyond)
    }

    /// Visits all of the guest that is within the host, and says whether something was beyond where the depth grows. What was visited before `None` is to be forgotten.
    fn all_pieces(&self, x: &Pose, space: &mut Space, mut visit: impl FnMut(Option<Piece<'_>>)) -> bool {
        let mut level = self.layer.first;
        loop {
            let (most, beyond) = self.pieces(x, level, space, |piece| visit(Some(piece)));
            // a surface that reaches further down does so from above
            if most <= level {
                return beyond;
            }
            level = LEVEL_GROWTH * most;
            visit(None);
        }
    }

    /// Points of the integral over the guest's surface within the host, in the host's frame: where, the guest's outward normal, the depth in the host [m] and the area [m²].
    pub(crate) fn points(&self, x: &Pose, space: &mut Space, visit: &mut dyn FnMut(Vec3, Vec3, f64, f64)) {
        let mut found = std::mem::take(&mut space.found);
        found.clear();
        self.all_pieces(x, space, |piece| {
            let Some(Piece { tetrahedron, polygon, n, large }) = piece else { return found.clear() };
            let mut add = |(p, depth, area)| found.push((p, n, depth, area * tetrahedron.sign));
            if large {
                polygon_points(polygon, |(p, area)| add((p, tetrahedron.depth(&p), area)));
            } else if let Some(point) = resultant(tetrahedron, polygon) {
                add(point);
            }
        });
        found.iter().for_each(|(p, n, depth, area)| visit(*p, *n, *depth, *area));
        space.found = found;
    }

    /// ∫ d dV over what both solids share, d the depth in the host [m⁴].
    pub(crate) fn stored(&self, x: &Pose, space: &mut Space) -> f64 {
        let mut sum = 0.0;
        let mut any = false;
        let beyond = self.all_pieces(x, space, |piece| {
            any = piece.is_some();
            match piece {
                Some(piece) => {
                    sum += piece.tetrahedron.sign * piece.tetrahedron.flux(piece.polygon, &piece.n)
                }
                None => sum = 0.0,
            }
        });
        // the fields end at corners within the layer, where what is in the guest is not seen from its surface
        let within = |p: &Vec3| self.guest.contains(&x.point_to_local(p));
        let thickest = || self.layer.prisms.get(self.layer.thickest);
        let swallows = || thickest().is_some_and(|p| within(&self.layer.corners(p, RISING)[0].x));
        if beyond || (any && swallows()) {
            for prism in &self.layer.prisms {
                for part in [Part::Rising, Part::Falling] {
                    let three = self.layer.three(prism, part);
                    let ends = three.iter().flatten().filter(|t| within(&t.end()));
                    sum += ends.map(|t| t.sign * t.whole()).sum::<f64>();
                }
            }
        }
        sum
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
    pub(crate) fn deepest(&self, x: &Pose, space: &mut Space) -> Option<Deepest> {
        let mut found: Option<Deepest> = None;
        self.all_pieces(x, space, |piece| {
            let Some(Piece { tetrahedron, polygon, .. }) = piece else { return };
            for p in polygon.iter().filter(|_| tetrahedron.sign > 0.0) {
                let depth = tetrahedron.depth(p);
                if depth > found.map_or(0.0, |d| d.depth) {
                    found = Some(Deepest { p: *p, down: tetrahedron.down(), depth });
                }
            }
        });
        found
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
