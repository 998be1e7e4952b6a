//! Surfaces of triangles against everything: how far they are apart, or how deep in one another.
//!
//! The signed distance of a mesh A from B is the least of
//!
//! - d_B(x), the signed distance from B, over the points x of A's surface, and
//! - d_A(y) over the points y of B's surface.
//!
//! Apart, both are the distance of the nearest points. Overlapping, the result is minus the depth of the point of either surface that is deepest in the other body. It is continuous in the poses, and
//! changes by no more than the bodies move. Of a plane and of the solid around a cavity, which go on without end, only the first one counts: over a plane this is the lowest vertex. Of a cavity in a mesh, and of a sheet that
//! cuts it, only the second one.
//!
//! The least over A's triangles is found by branch and bound (`over.rs`), that of two meshes that are apart from pairs of triangles (`two.rs`). Along a curved B Newton's method goes down (`apart`), from places that the first
//! search has found within B, or, deep in one another, from a search over all of B.
//!
//! Checked: random placements against all surfaces, by search over all triangles and dense points (`tests/mesh_pairs.rs`).

mod cuts;
mod over;
mod parts;
mod piece;
mod segments;
mod two;

use carom_base::{Pose, Vec3};

use super::apart::{self, Place, Walk, descend, is_cavity};
use super::{SHARP, finite, name_in, within};
use crate::boundary::PartShape;
use crate::contact::{Contact, Found, RelativeCurvature, Seed};
use crate::error::PairFailure;
use crate::pair::{BoundPair, ContactResult, PairFeatures, PairSolver};
use crate::shape::{Shape, Side, Surface};
use crate::surfaces::{Corners, Plane, TriangleMesh};
use over::{Bends, Search};
use segments::Nearest;

/// The solver: A a mesh, B anything, but nothing without end in a cavity.
///
/// ```
/// use carom_geometry::{Pose, Shape, Vec3, pairs, surfaces::{Cylinder, TriangleMesh}};
/// let corners = [[0.0, 0.0, 0.0], [3.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 3.0]]; // [m]
/// let wedge = TriangleMesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
/// let (wedge, can) = (Shape::outside(wedge), Shape::outside(Cylinder::new(0.5, 1.0)?));
/// let pair = pairs::bind_for_query(&wedge, &can)?;
/// let found = pair.search(&Pose::identity(), &Pose::at(Vec3::new(1.0, 1.0, -0.75)), None)?;
/// assert_eq!(pair.solver(), "mesh");
/// assert!((found.contact.delta + 0.25).abs() < 1e-15); // the upper end is a quarter of a metre below
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Mesh;

#[derive(Debug)]
struct Bound {
    a: Shape,
    b: Shape,
    /// B's faces, where they are flat
    faces: Option<Shape>,
    /// a point of every part of both, each in its frame
    parts: [Vec<Vec3>; 2],
}

const NAMES: [&str; 1] = ["nearest"];
/// Overlaps up to this depth, relative to the smaller body, are followed from where the surfaces cross.
const SHALLOW: f64 = 0.05;
/// Descents along B at most, where the surfaces cross.
const DESCENTS: usize = 3;
/// A sheet nearer than this, relative to the size, may cut the mesh: it is not known more exactly from the side of the triangles.
const CUT: f64 = 2e-3;

fn mesh_of(shape: &Shape) -> Option<&TriangleMesh> {
    shape.surface.as_any().downcast_ref()
}

impl PairSolver for Mesh {
    fn name(&self) -> &'static str {
        "mesh"
    }
    fn reference(&self) -> &'static str {
        "the least signed distance over triangles: branch and bound over a tree of boxes, tangents of convex distances, pairs of triangles"
    }
    fn bind(&self, a: &Shape, b: &Shape) -> Option<Box<dyn BoundPair>> {
        mesh_of(a)?;
        b.surface.as_project()?;
        let endless = is_cavity(b) || !b.surface.bounds().radius.is_finite();
        // of two meshes that in the cavity of the other is the one that is looked along
        if is_cavity(a) && (endless || mesh_of(b).is_some()) {
            return None;
        }
        let parts = [parts::points(a), if endless { Vec::new() } else { parts::points(b) }];
        Some(Box::new(Bound { a: a.clone(), b: b.clone(), faces: faces_of(b), parts }))
    }
}

/// A solid of flat faces as a mesh.
fn faces_of(shape: &Shape) -> Option<Shape> {
    if shape.side == Side::Inside {
        return None;
    }
    if mesh_of(shape).is_some() {
        return Some(shape.clone());
    }
    let mut triangles: Vec<Corners> = Vec::new();
    for part in shape.surface.boundary()? {
        let PartShape::Polygon(corners) = &part.shape else { return None };
        let corners: Vec<Vec3> = corners.iter().map(|x| part.at.point(x)).collect();
        let (first, rest) = corners.split_first()?;
        triangles.extend(rest.windows(2).map(|w| [*first, w[0], w[1]].map(<[f64; 3]>::from)));
    }
    TriangleMesh::from_corners(&triangles).ok().map(Shape::outside)
}

/// How the distance from a shape bends.
fn bends(shape: &Shape) -> Bends<'_> {
    let surface: &dyn Surface = shape.surface.as_ref();
    let mesh = mesh_of(shape);
    let convex = surface.as_support().is_some()
        || mesh.is_some_and(TriangleMesh::is_convex)
        || surface.as_any().is::<Plane>();
    match (convex, shape.side, mesh) {
        (true, Side::Outside, _) => Bends::Convex,
        (true, Side::Inside, _) => Bends::Concave,
        (_, _, Some(mesh)) => Bends::Facets(mesh),
        _ => Bends::Hollow(surface.as_project().map_or(0.0, |project| project.hollow_radius(shape.side))),
    }
}

/// What was found.
#[derive(Clone, Copy, Debug)]
struct Answer {
    contact: Contact,
    steps: usize,
    /// bounds of the distance [m], if there are any
    bounds: Option<[f64; 2]>,
}

impl Answer {
    fn or_deeper(self, other: Answer) -> Answer {
        let bounds = self.bounds.zip(other.bounds).map(|(b, c)| [b[0].min(c[0]), b[1].min(c[1])]);
        let steps = self.steps + other.steps;
        let contact = if other.contact.delta > self.contact.delta { other.contact } else { self.contact };
        Answer { contact, steps, bounds }
    }
}

/// The contact of a place that was found along the first surface, whose frame is at `x`.
fn contact_at(place: &Place, x: &Pose) -> Result<Contact, PairFailure> {
    let Place { p, q, n, d } = place;
    finite(Contact {
        p_a: x.point(p),
        p_b: x.point(q),
        n: x.direction(&-n),
        delta: -d,
        share: 1.0,
        common: None,
    })
}

/// The least distance from the second shape over the triangles of the first one, and places within the second.
fn least_over(
    on: &Shape,
    to: &Shape,
    x_on: &Pose,
    x_to: &Pose,
    starts: &[Option<Vec3>],
) -> Result<(Answer, Starts), PairFailure> {
    let mesh = mesh_of(on).ok_or(PairFailure::NoFeature(0))?;
    let walk = Walk::new(on, to, x_on, x_to).ok_or(PairFailure::NoFeature(0))?;
    let mut search = Search::new(&walk, bends(to));
    for start in starts.iter().flatten() {
        search.look(&walk.on_a(start).p);
    }
    search.run(mesh);
    let place = search.best.ok_or(PairFailure::NotFinite)?;
    let within = search.within.map(|place| place.map(|place| walk.x.point_to_local(&place.q)));
    let contact = contact_at(&place, x_on)?;
    let bounds = search.proven.then_some([place.d - search.exact, place.d]);
    Ok((Answer { contact, steps: search.looks, bounds }, within))
}

/// Points of B's surface within A, in B's frame.
type Starts = [Option<Vec3>; over::STARTS];

impl Bound {
    /// `thorough`: overlaps are searched for over all of B, however shallow they seem to be.
    fn solve(
        &self,
        x_a: &Pose,
        x_b: &Pose,
        seed: Option<&Seed>,
        thorough: bool,
    ) -> Result<Answer, PairFailure> {
        let x = x_b.seen_from(x_a);
        if !(x.p.sum() + x.r.sum()).is_finite() {
            return Err(PairFailure::NotFinite);
        }
        // near where it was before, or towards B's middle
        let start = match seed {
            Some(seed) => seed.p_a,
            None => x.point(&self.b.surface.bounds().centre),
        };
        match (mesh_of(&self.a), mesh_of(&self.b)) {
            (Some(a), Some(b)) => self.two_meshes([a, b], [x_a, x_b], &x, &start),
            _ => self.mesh_and_other([x_a, x_b], &start, seed, thorough),
        }
    }

    fn two_meshes(
        &self,
        [a, b]: [&TriangleMesh; 2],
        [x_a, x_b]: [&Pose; 2],
        x: &Pose,
        start: &Vec3,
    ) -> Result<Answer, PairFailure> {
        let walk = Walk::new(&self.a, &self.b, x_a, x_b).ok_or(PairFailure::NoFeature(0))?;
        let place = walk.to_b(&walk.on_a(start).p);
        let known = Nearest { p: place.p, q: place.q, n: place.n * -place.d.signum(), d: place.d.abs() };
        let mut steps = 0;
        let near = two::nearest(a, b, x, Some(known), &mut steps).ok_or(PairFailure::NotFinite)?;
        if near.d > 0.0 {
            let back = Walk::new(&self.b, &self.a, x_b, x_a).ok_or(PairFailure::NoFeature(0))?;
            if !is_in(&walk, &self.parts[0]) && !is_in(&back, &self.parts[1]) {
                let contact = contact_at(&Place { p: near.p, q: near.q, n: -near.n, d: near.d }, x_a)?;
                return Ok(Answer { contact, steps, bounds: Some([near.d; 2]) });
            }
        }
        let (first, _) = least_over(&self.a, &self.b, x_a, x_b, &[Some(near.p), Some(*start)])?;
        let first = Answer { steps: first.steps + steps, ..first };
        if is_cavity(&self.b) {
            return Ok(first);
        }
        let (second, _) = least_over(&self.b, &self.a, x_b, x_a, &[Some(x.point_to_local(&near.q))])?;
        Ok(first.or_deeper(Answer { contact: second.contact.swapped(), ..second }))
    }

    fn mesh_and_other(
        &self,
        [x_a, x_b]: [&Pose; 2],
        start: &Vec3,
        seed: Option<&Seed>,
        thorough: bool,
    ) -> Result<Answer, PairFailure> {
        let (first, within) = least_over(&self.a, &self.b, x_a, x_b, &[Some(*start)])?;
        let b = &self.b.surface;
        if is_cavity(&self.b) || !b.bounds().radius.is_finite() {
            return Ok(first);
        }
        let back = Walk::new(&self.b, &self.a, x_b, x_a).ok_or(PairFailure::NoFeature(0))?;
        let d = -first.contact.delta;
        let sheet = b.is_sheet();
        let near = if sheet { CUT * back.size } else { 0.0 };
        // nothing is known of how the distance from B bends: what was found along A may be missed by a little
        let rough = matches!(bends(&self.b), Bends::Hollow(0.0));
        if d > near && !rough && !is_in(&back, &self.parts[1]) {
            return Ok(first);
        }
        let all = thorough || sheet || d > near;
        let q = x_b.point_to_local(&first.contact.p_b);
        let starts = within.into_iter().flatten().chain([q]).chain(seed.map(|seed| seed.p_b));
        let starts = starts.chain(self.parts[1].iter().copied());
        let second = self.other_way(&back, [x_a, x_b], starts, all)?;
        // of a cavity, and of a sheet, only B's points count
        let one_way = is_cavity(&self.a) || (sheet && second.contact.delta > 0.0);
        Ok(if one_way { second } else { first.or_deeper(second) })
    }

    /// The least distance from A over the surface of B, from points of it where the surfaces cross; over `all` of it if so wanted, or if it is deep.
    fn other_way(
        &self,
        back: &Walk<'_>,
        [x_a, x_b]: [&Pose; 2],
        starts: impl Iterator<Item = Vec3>,
        all: bool,
    ) -> Result<Answer, PairFailure> {
        if let Some(faces) = &self.faces {
            let mut some = [None; DESCENTS];
            some.iter_mut().zip(starts).for_each(|(entry, start)| *entry = Some(start));
            let (found, _) = least_over(faces, &self.a, x_b, x_a, &some)?;
            return Ok(Answer { contact: found.contact.swapped(), ..found });
        }
        let mut steps = 0;
        let mut best: Option<Place> = None;
        let mut offer = |place: Place| {
            if place.d.is_finite() && best.is_none_or(|best| place.d < best.d) {
                best = Some(place);
            }
        };
        // the lowest of all starts, and of the furthest points of B that way
        let mut lowest: [Option<Place>; DESCENTS] = [None; DESCENTS];
        for point in starts {
            let start = back.to_b(&back.on_a(&point).p);
            let furthest = self.b.surface.as_support().map(|b| back.to_b(&b.support(&-start.n)));
            // nothing of B is deeper below that face than its furthest point
            if let Some(end) = furthest.filter(|end| end.d < 0.0 && end.n == start.n) {
                offer(end);
                continue;
            }
            for start in [Some(start), furthest].into_iter().flatten().filter(|s| s.d <= CUT * back.size) {
                offer(start);
                insert(&mut lowest, start, 0.05 * back.size);
            }
        }
        for start in lowest.into_iter().flatten() {
            offer(descend::from(back, &start, &mut steps).place);
        }
        let deep = best.is_none_or(|best| best.d < -SHALLOW * back.size);
        if deep || all {
            let found = apart::search::least(back)?;
            steps += found.steps;
            if best.is_none_or(|best| found.place.d < best.d) {
                best = Some(found.place);
            }
        }
        let contact = contact_at(&best.ok_or(PairFailure::NotFinite)?, x_b)?.swapped();
        Ok(Answer { contact, steps, bounds: None })
    }
}

/// Puts a place among the lowest, unless one next to it is.
fn insert(lowest: &mut [Option<Place>; DESCENTS], place: Place, near: f64) {
    let next_to = |known: &Place| (known.p - place.p).norm() < near && known.n.dot(&place.n) > 0.7;
    if let Some(known) = lowest.iter_mut().flatten().find(|known| next_to(known)) {
        if place.d < known.d {
            *known = place;
        }
        return;
    }
    let height = |entry: &Option<Place>| entry.map_or(f64::INFINITY, |known| known.d);
    if let Some(entry) = lowest.iter_mut().max_by(|a, b| height(a).total_cmp(&height(b)))
        && place.d < height(entry)
    {
        *entry = Some(place);
    }
}

/// Whether a point of a part of the first surface is in the second body.
fn is_in(walk: &Walk<'_>, parts: &[Vec3]) -> bool {
    parts.iter().any(|x| walk.to_b(x).d < 0.0)
}

impl PairFeatures for Bound {
    fn solver(&self) -> &'static str {
        Mesh.name()
    }
    fn features(&self) -> usize {
        NAMES.len()
    }
    fn feature_name(&self, feature: usize) -> String {
        name_in(&NAMES, feature)
    }
    fn curvature(&self, _feature: usize, _x_a: &Pose, _x_b: &Pose) -> RelativeCurvature {
        SHARP
    }
}

impl BoundPair for Bound {
    fn contact(&self, feature: usize, x_a: &Pose, x_b: &Pose) -> ContactResult {
        self.contact_from(feature, x_a, x_b, None)
    }
    fn contact_from(&self, feature: usize, x_a: &Pose, x_b: &Pose, seed: Option<&Seed>) -> ContactResult {
        within(feature, NAMES.len())?;
        Ok(self.solve(x_a, x_b, seed, false)?.contact)
    }
    fn closest(&self, x_a: &Pose, x_b: &Pose) -> ContactResult {
        Ok(self.solve(x_a, x_b, None, true)?.contact)
    }
    fn is_iterative(&self) -> bool {
        true
    }
    fn search(&self, x_a: &Pose, x_b: &Pose, seed: Option<&Seed>) -> Result<Found, PairFailure> {
        let Answer { contact, steps, bounds } = self.solve(x_a, x_b, seed, true)?;
        Ok(Found { contact, steps, bounds, unique: true, solver: self.solver() })
    }
}
