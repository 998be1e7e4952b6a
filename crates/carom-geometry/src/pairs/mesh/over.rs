//! The least signed distance from B over the triangles of A, by branch and bound.
//!
//! Boxes of triangles, triangles, and pieces of triangles are left out as soon as nothing in them can be lower than what is known. What bounds the distance d_B from below depends on B:
//!
//! - *convex*, from outside: d_B is a convex function, above its tangent at every point, d_B(x) + n·(y − x), also within B. On a triangle Newton's method goes to the least value, and the tangent there proves it.
//! - *hollow*, a convex cavity: d_B is concave, and is least at vertices.
//! - *triangles*: d_B(y) ≥ −|y − F| with F any face, edge or vertex of B, and the distance from F is largest at a corner of a piece.
//! - *any other*: d_B changes by no more than the way a point goes; and between samples that show no kink it bends down by no more than the radius of B's hollows says.

use carom_base::Vec3;

use super::piece::Piece;
use super::segments;
use crate::pairs::apart::{Place, Walk};
use crate::shape::Project;
use crate::surfaces::{Extent, Facet, MeshFeature, TriangleMesh};

/// How the distance from B bends.
#[derive(Clone, Copy, Debug)]
pub(super) enum Bends<'m> {
    Convex,
    Concave,
    /// as triangles do that are not convex
    Facets(&'m TriangleMesh),
    /// by no more than the hollows of this radius do, towards B [m]; 0: nothing is known
    Hollow(f64),
}

/// Looks at d_B at most.
const MOST_LOOKS: usize = 20_000;
/// Newton's steps on one piece.
const MOST_STEPS: usize = 10;
/// Pieces that wait: three for every halving, and the one at hand.
const WAITING: usize = 160;
/// How exact the value is that is proved, relative to the size: where its bounds are those of tangents, and where they are not.
const EXACT: f64 = 4e-15;
const NEAR: f64 = 1e-10;
/// Flat bends count as this, relative to the size.
const FLAT: f64 = 1e-7;
/// Starts of searches along B at most.
pub(super) const STARTS: usize = 8;

pub(super) struct Search<'w> {
    walk: &'w Walk<'w>,
    bends: Bends<'w>,
    /// values that differ by less are equal [m]
    exact: f64,
    pub(super) best: Option<Place>,
    pub(super) looks: usize,
    /// whether bounds rule out that anything is lower
    pub(super) proven: bool,
    /// places within B, some way from each other
    pub(super) within: [Option<Place>; STARTS],
}

impl<'w> Search<'w> {
    pub(super) fn new(walk: &'w Walk<'w>, bends: Bends<'w>) -> Search<'w> {
        let tangents = matches!(bends, Bends::Convex | Bends::Concave);
        let size = walk.a.size + walk.centre.norm();
        let exact = if tangents { EXACT } else { NEAR } * size;
        Search { walk, bends, exact, best: None, looks: 0, proven: tangents, within: [None; STARTS] }
    }

    /// Whether a value at or above this one is of no interest.
    fn is_above(&self, low: f64) -> bool {
        self.best.is_some_and(|best| low >= best.d - self.exact)
    }

    /// d_B at a point of A, kept if it is the lowest.
    pub(super) fn look(&mut self, x: &Vec3) -> Place {
        self.looks += 1;
        let place = self.walk.to_b(x);
        if place.d.is_finite() && self.best.is_none_or(|best| place.d < best.d) {
            self.best = Some(place);
        }
        if place.d < 0.0 {
            self.keep(&place);
        }
        place
    }

    /// Keeps a place within B for searches along B, unless one like it is known.
    fn keep(&mut self, place: &Place) {
        let near = 0.2 * self.walk.size;
        for slot in &mut self.within {
            match slot {
                Some(known) if (known.q - place.q).norm() < near && known.n.dot(&place.n) > 0.7 => {
                    if place.d < known.d {
                        *known = *place;
                    }
                    return;
                }
                Some(_) => {}
                None => {
                    *slot = Some(*place);
                    return;
                }
            }
        }
    }

    /// Looks at all triangles that matter.
    pub(super) fn run(&mut self, mesh: &TriangleMesh) {
        let start = self.best.map_or(f64::INFINITY, |best| best.d);
        let (walk, bends, exact) = (self.walk, self.bends, self.exact);
        let mut looks = 0;
        let bound = |extent: &Extent| {
            looks += 1;
            let (middle, half) = extent.halves();
            let place = walk.to_b(&middle);
            let down = match bends {
                Bends::Convex => place.n.abs().dot(&half),
                _ => half.norm(),
            };
            place.d - down + exact
        };
        mesh.tree().least(start, bound, |facet, _| {
            self.on(facet);
            self.best.map_or(f64::INFINITY, |best| best.d)
        });
        self.looks += looks;
    }

    fn on(&mut self, facet: &Facet) {
        if let Bends::Concave = self.bends {
            facet.corners.iter().for_each(|x| {
                self.look(x);
            });
            return;
        }
        let mut waiting = [Piece { corners: facet.corners }; WAITING];
        let mut count = 1;
        let short = 1e-15 * self.walk.a.size;
        while count > 0 {
            count -= 1;
            let piece = waiting[count];
            if self.is_done(&piece, facet, count == 0) {
                continue;
            }
            if self.looks > MOST_LOOKS || count + 4 > WAITING || piece.reach(&piece.middle()) < short {
                self.proven = false;
                continue;
            }
            for quarter in piece.quarters() {
                waiting[count] = quarter;
                count += 1;
            }
        }
    }

    /// Looks at a piece, and says whether nothing in it can be lower than the best.
    fn is_done(&mut self, piece: &Piece, facet: &Facet, whole: bool) -> bool {
        let middle = piece.middle();
        let place = self.look(&middle);
        match self.bends {
            Bends::Convex => self.tangents(piece, facet, place),
            Bends::Concave => true,
            Bends::Facets(mesh) => {
                let reach = piece.reach(&middle);
                self.is_above(place.d - reach) || {
                    let low = self.below_face(mesh, piece, &middle);
                    self.is_above(low)
                }
            }
            Bends::Hollow(radius) => {
                let reach = piece.reach(&middle);
                if self.is_above(place.d - reach) {
                    return true;
                }
                let known = self.best;
                let corners = piece.corners.map(|x| self.look(&x));
                if whole || self.best.map(|b| b.d) != known.map(|b| b.d) {
                    let start = corners.iter().fold(place, |low, p| if p.d < low.d { *p } else { low });
                    self.newton(piece, facet, start);
                }
                self.is_above(bounded(&place, &corners, reach, radius, piece))
            }
        }
    }

    /// Down on a piece where d_B is convex; whether a tangent shows that no more is to be found.
    fn tangents(&mut self, piece: &Piece, facet: &Facet, mut at: Place) -> bool {
        for _ in 0..MOST_STEPS {
            if self.is_above(at.d + piece.least_along(&at.n, &at.p)) {
                return true;
            }
            match self.step(piece, facet, &at) {
                Some(next) => at = next,
                None => return false,
            }
        }
        self.is_above(at.d + piece.least_along(&at.n, &at.p))
    }

    fn newton(&mut self, piece: &Piece, facet: &Facet, mut at: Place) {
        for _ in 0..MOST_STEPS {
            match self.step(piece, facet, &at) {
                Some(next) => at = next,
                None => break,
            }
        }
    }

    /// A step of Newton's method on a piece, shortened until it goes down.
    fn step(&mut self, piece: &Piece, facet: &Facet, at: &Place) -> Option<Place> {
        self.looks += 1;
        let there = self.walk.look_at_b(&at.p);
        let flat = FLAT / (self.walk.a.size + at.d.abs());
        let way = piece.step(&at.p, &facet.normal, &there.n, &there.turn, flat);
        [1.0, 0.5, 0.2, 0.05].into_iter().find_map(|share| {
            let next = self.look(&(at.p + way * share));
            (next.d < at.d).then_some(next)
        })
    }

    /// A bound of d_B on a piece by the nearest face, edge or vertex of B's.
    fn below_face(&self, mesh: &TriangleMesh, piece: &Piece, middle: &Vec3) -> f64 {
        let local = |x: &Vec3| self.walk.x.point_to_local(x);
        let corners = piece.corners.map(|x| local(&x));
        let feature = mesh.nearest_feature(&local(middle));
        let distance = |x: &Vec3| match feature {
            MeshFeature::Face(k) => {
                let triangle = mesh.triangles()[k].map(|v| mesh.vertices()[v as usize]);
                segments::from_triangle(x, &triangle, &mesh.normals()[k])
            }
            MeshFeature::Edge(k) => segments::from_segment(x, &mesh.edge(k)),
            MeshFeature::Vertex(k) => (x - mesh.vertices()[k]).norm(),
        };
        let low = -corners.iter().map(distance).fold(0.0, f64::max);
        if self.is_above(low) {
            return low;
        }
        // over a flat face of several triangles: the corners tell
        let MeshFeature::Face(k) = feature else { return low };
        let (n, on) = (mesh.normals()[k], mesh.vertices()[mesh.triangles()[k][0] as usize]);
        let flat = 1e-12 * self.walk.b.size;
        let heights = corners.map(|x| {
            let found = Project::closest_point(mesh, self.walk.b.side, 0, &x);
            let height = n.dot(&(x - on));
            let is_over = (found.n.dot(&n).abs() - 1.0).abs() < 1e-12 && (found.d.abs() - height.abs()).abs() < flat;
            if is_over { found.d } else { f64::NEG_INFINITY }
        });
        low.max(heights.into_iter().fold(f64::INFINITY, f64::min))
    }
}

/// A bound of d_B on a piece by samples at its middle and its corners: the change with the way, or the tangent at the middle less what hollows bend it by, if the corners agree with that.
fn bounded(place: &Place, corners: &[Place; 3], reach: f64, radius: f64, piece: &Piece) -> f64 {
    let far = place.d - reach;
    let room = radius - place.d.abs() - reach;
    if !(room > 0.0) {
        return far;
    }
    let sag = |way: f64| 0.5 * way * way / room;
    let agrees = |c: &Place| {
        let way = c.p - place.p;
        c.d >= place.d + place.n.dot(&way) - sag(way.norm()) - 1e-12 * radius.min(reach)
    };
    if corners.iter().all(agrees) {
        far.max(place.d + piece.least_along(&place.n, &place.p) - sag(reach))
    } else {
        far
    }
}
