//! The least signed distance from B over the triangles of A, by branch and bound.
//!
//! Boxes of triangles, triangles, and pieces of triangles are left out as soon as nothing in them can be lower than what is known. What bounds the distance d_B from below depends on B:
//!
//! - *convex*, from outside: d_B is a convex function, above its tangent at every point, d_B(x) + n·(y − x), also within B. On a triangle Newton's method goes to the least value, and the tangents seen on the way prove it.
//! - *hollow*, a convex cavity: d_B is concave, and is least at vertices.
//! - *triangles*: d_B(y) ≥ −|y − F| with F any face, edge or vertex of B. The distance from F is convex, below the linear function with the same values at the corners of a piece; several F bound d_B together.
//! - *any other*: d_B changes by no more than the way a point goes; and between samples that show no kink it bends down by no more than the radius of B's hollows says.

use std::cell::Cell;

use carom_base::Vec3;

use super::cuts::Cuts;
use super::piece::Piece;
use super::segments;
use crate::pairs::apart::{Place, Walk};
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

/// Looks at d_B at most, on one way through the tree; and where nothing is known of hollows, so that no number of looks would be enough.
const MOST_LOOKS: usize = 20_000;
const FEW_LOOKS: usize = 1_500;
/// Steps on one piece, by Newton's method or to where bounds are lowest.
const MOST_STEPS: usize = 12;
const MOST_FACES: usize = 8;
/// Pieces that wait: three for every halving, and the one at hand.
const WAITING: usize = 160;
/// How exact the value is that is proved, relative to the size: where its bounds are those of tangents, and, on one way through the tree after the other, where they are not.
const EXACT: [f64; 1] = [4e-15];
const NEAR: [f64; 2] = [1e-3, 1e-9];
/// Flat bends count as this, relative to the size.
const FLAT: f64 = 1e-7;
/// The first and the last part of a triangle that is looked at where it is lowest, and how often tangents cross there.
const VALLEY: f64 = 0.2;
const LEAST_VALLEY: f64 = 1e-7;
const CROSSINGS: usize = 6;
const ROUNDS: usize = 60;
/// Starts of searches along B at most.
pub(super) const STARTS: usize = 8;

pub(super) struct Search<'w> {
    walk: &'w Walk<'w>,
    bends: Bends<'w>,
    /// [m]
    size: f64,
    /// values that differ by less are equal [m]
    pub(super) exact: f64,
    pub(super) best: Option<Place>,
    pub(super) looks: usize,
    most: usize,
    /// the triangle of the best place
    home: Option<Facet>,
    /// whether bounds rule out that anything is lower
    pub(super) proven: bool,
    /// places within B, some way from each other
    pub(super) within: [Option<Place>; STARTS],
}

impl<'w> Search<'w> {
    pub(super) fn new(walk: &'w Walk<'w>, bends: Bends<'w>) -> Search<'w> {
        let size = walk.a.size + walk.centre.norm();
        let (most, within) = (MOST_LOOKS, [None; STARTS]);
        Search { walk, bends, size, exact: 0.0, best: None, looks: 0, most, home: None, proven: true, within }
    }

    /// Whether a value at or above this one is of no interest.
    fn is_above(&self, low: f64) -> bool {
        self.best.is_some_and(|best| low >= best.d - self.exact)
    }

    /// d_B at a point of A, kept if it is the lowest.
    pub(super) fn look(&mut self, x: &Vec3) -> Place {
        let place = self.walk.to_b(x);
        self.seen(place)
    }

    fn seen(&mut self, place: Place) -> Place {
        self.looks += 1;
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
        for entry in &mut self.within {
            match entry {
                Some(known) if (known.q - place.q).norm() < near && known.n.dot(&place.n) > 0.7 => {
                    if place.d < known.d {
                        *known = *place;
                    }
                    return;
                }
                Some(_) => {}
                None => {
                    *entry = Some(*place);
                    return;
                }
            }
        }
    }

    /// Looks at all triangles that matter: roughly first, so that what is left out for want of time is no large thing.
    pub(super) fn run(&mut self, mesh: &TriangleMesh) {
        let ways: &[f64] = match self.bends {
            Bends::Convex | Bends::Concave => &EXACT,
            Bends::Hollow(0.0) => &NEAR[..1],
            _ => &NEAR,
        };
        let most = if let Bends::Hollow(0.0) = self.bends { FEW_LOOKS } else { MOST_LOOKS };
        for exact in ways {
            self.exact = exact * self.size;
            self.most = self.looks + most;
            self.proven = matches!(self.bends, Bends::Convex | Bends::Concave);
            self.through(mesh);
        }
        if let Bends::Hollow(_) = self.bends {
            self.down_the_valley();
        }
        self.polish();
    }

    /// From the lowest place on down its triangle where Newton's method ends at a kink: deep in B the distance is the largest of those from several sides, and is least where they are equal. Tangents seen around the place cross
    /// near to that; around it they are looked at ever nearer.
    fn down_the_valley(&mut self) {
        let (Some(facet), Some(mut at)) = (self.home, self.best) else { return };
        let mut share = VALLEY;
        for _ in 0..ROUNDS {
            if share < LEAST_VALLEY {
                break;
            }
            let piece = Piece { corners: facet.corners.map(|v| at.p + (v - at.p) * share) };
            let (mut cuts, middle) = (Cuts::NONE, Vec3::repeat(1.0 / 3.0));
            cuts.add(piece.tangent(&at), &middle);
            piece.corners.iter().for_each(|x| cuts.add(piece.tangent(&self.look(x)), &middle));
            let before = at.d;
            for _ in 0..CROSSINGS {
                let (low, shares) = cuts.least();
                if low >= at.d - f64::EPSILON * self.size {
                    break;
                }
                let next = self.look(&piece.point(&shares));
                cuts.add(piece.tangent(&next), &shares);
                if next.d < at.d {
                    at = next;
                }
            }
            // (a corner may be the lowest)
            at = self.best.filter(|best| best.d < at.d).unwrap_or(at);
            if !(at.d < before - 0.1 * share * f64::EPSILON.sqrt() * self.size) {
                share *= 0.3;
            }
        }
    }

    /// Newton's steps at the end, which change the distance by no more than rounding but leave points and normal exact.
    fn polish(&mut self) {
        let (Some(facet), Some(mut at)) = (self.home, self.best) else { return };
        let piece = Piece { corners: facet.corners };
        let rounding = 4.0 * f64::EPSILON * (self.size + at.d.abs());
        for _ in 0..3 {
            let way = self.newton_way(&piece, &facet, &at);
            let next = self.walk.to_b(&(at.p + way));
            if !(next.d <= at.d + rounding) || way.norm() > 1e-3 * self.size {
                return;
            }
            at = next;
            self.best = Some(at);
        }
    }

    /// One way through the tree.
    fn through(&mut self, mesh: &TriangleMesh) {
        let start = self.best.map_or(f64::INFINITY, |best| best.d);
        let (walk, bends, exact) = (self.walk, self.bends, self.exact);
        let mut looks = 0;
        let bound = |extent: &Extent| {
            looks += 1;
            let (middle, half) = extent.halves();
            let place = walk.to_b(&middle);
            let (along, reach) = (place.n.abs().dot(&half), half.norm());
            let down = match bends {
                Bends::Convex => along,
                // well within hollows there is no kink
                Bends::Hollow(radius) if place.d.abs() + reach < 0.5 * radius => {
                    reach.min(along + sag(reach, radius - place.d.abs() - reach))
                }
                _ => reach,
            };
            place.d - down + exact
        };
        mesh.tree().least(start, bound, |facet, best| {
            self.on(facet);
            if self.best.is_some_and(|found| found.d < best) {
                self.home = Some(*facet);
            }
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
        let whole = Piece { corners: facet.corners };
        if !self.is_done(&whole, facet, true) {
            self.quarters_of(whole, facet);
        }
    }

    /// Looks at the quarters of a triangle, and at theirs, as far down as it matters. By itself, for most triangles need no room for pieces that wait.
    #[inline(never)]
    fn quarters_of(&mut self, whole: Piece, facet: &Facet) {
        let mut waiting = [whole; WAITING];
        waiting[..4].copy_from_slice(&whole.quarters());
        let mut count = 4;
        let short = 1e-15 * self.size;
        while count > 0 {
            count -= 1;
            let piece = waiting[count];
            if self.is_done(&piece, facet, false) {
                continue;
            }
            if self.looks > self.most || count + 4 > WAITING || piece.reach(&piece.middle()) < short {
                self.proven = false;
                continue;
            }
            waiting[count..count + 4].copy_from_slice(&piece.quarters());
            count += 4;
        }
    }

    /// Looks at a piece, and says whether nothing in it can be lower than the best.
    fn is_done(&mut self, piece: &Piece, facet: &Facet, whole: bool) -> bool {
        match self.bends {
            Bends::Convex => self.tangents(piece, facet),
            Bends::Concave => true,
            Bends::Facets(mesh) => self.below_faces(mesh, piece, facet),
            Bends::Hollow(radius) => self.samples(piece, facet, whole, radius),
        }
    }

    /// Down on a piece where d_B is convex; whether tangents show that no more is to be found.
    fn tangents(&mut self, piece: &Piece, facet: &Facet) -> bool {
        let (mut cuts, mut shares) = (Cuts::NONE, Vec3::repeat(1.0 / 3.0));
        let mut at = self.look(&piece.middle());
        cuts.add(piece.tangent(&at), &shares);
        for _ in 0..MOST_STEPS {
            let (low, lowest) = cuts.least();
            if self.is_above(low) {
                return true;
            }
            shares = lowest;
            let way = self.newton_way(piece, facet, &at);
            let next = self.look(&(at.p + way));
            cuts.add(piece.tangent(&next), &shares);
            let next = if next.d < at.d {
                next
            } else {
                // there is a kink on the way: to where the tangents cross
                let crossing = self.look(&piece.point(&shares));
                cuts.add(piece.tangent(&crossing), &shares);
                crossing
            };
            if next.d < at.d {
                at = next;
            }
        }
        self.is_above(cuts.least().0)
    }

    fn newton_way(&mut self, piece: &Piece, facet: &Facet, at: &Place) -> Vec3 {
        self.looks += 1;
        let there = self.walk.look_at_b(&at.p);
        let flat = FLAT / (self.size + at.d.abs());
        piece.step(&at.p, &facet.normal, &there.n, &there.turn, flat)
    }

    /// Bounds by samples, and Newton's method from the lowest.
    fn samples(&mut self, piece: &Piece, facet: &Facet, whole: bool, radius: f64) -> bool {
        let middle = piece.middle();
        let place = self.look(&middle);
        let reach = piece.reach(&middle);
        if self.is_above(place.d - reach) {
            return true;
        }
        let known = self.best.map(|best| best.d);
        let corners = piece.corners.map(|x| self.look(&x));
        let low = bounded(&place, &corners, reach, radius, piece);
        if !self.is_above(low) && (whole || self.best.map(|best| best.d) != known) {
            let start = corners.iter().fold(place, |low, p| if p.d < low.d { *p } else { low });
            self.newton(piece, facet, start);
        }
        self.is_above(low)
    }

    /// Newton's method on a piece, its steps shortened until they go down.
    fn newton(&mut self, piece: &Piece, facet: &Facet, mut at: Place) {
        for _ in 0..MOST_STEPS {
            let way = self.newton_way(piece, facet, &at);
            let next = [1.0, 0.5, 0.2, 0.05].into_iter().find_map(|share| {
                let next = self.look(&(at.p + way * share));
                (next.d < at.d).then_some(next)
            });
            let Some(next) = next else { break };
            let done = at.d - next.d < f64::EPSILON * self.size;
            at = next;
            if done {
                break;
            }
        }
    }

    /// d_B at a point, and what of B is nearest there.
    fn look_at_face(&mut self, mesh: &TriangleMesh, x: &Vec3) -> (Place, MeshFeature) {
        let (local, pose) = (self.walk.x.point_to_local(x), &self.walk.x);
        let feature = mesh.nearest_feature(&local);
        let found = mesh.closest_on(feature, self.walk.b.side, &local);
        let place = Place { p: *x, q: pose.point(&found.p), n: pose.direction(&found.n), d: found.d };
        (self.seen(place), feature)
    }

    /// Bounds by the faces, edges and vertices of B that are nearest at the middle of a piece, at its corners, and at where what is known of it is lowest.
    fn below_faces(&mut self, mesh: &TriangleMesh, piece: &Piece, facet: &Facet) -> bool {
        let middle = piece.middle();
        let (place, feature) = self.look_at_face(mesh, &middle);
        if self.is_above(place.d - piece.reach(&middle)) {
            return true;
        }
        // outside of B and not crossing its surface, it has nothing within B
        if place.d > 0.0 && self.is_above(0.0) && !self.crosses(mesh, piece, facet) {
            return true;
        }
        let corners = piece.corners.map(|x| self.look_at_face(mesh, &x));
        let (mut cuts, mut shares) = (Cuts::NONE, Vec3::repeat(1.0 / 3.0));
        let mut known = [feature; MOST_FACES];
        let mut count = 0;
        let mut next = [Some(feature), Some(corners[0].1), Some(corners[1].1), Some(corners[2].1)];
        loop {
            for feature in next.into_iter().flatten() {
                if !known[..count].contains(&feature) && count < MOST_FACES {
                    known[count] = feature;
                    count += 1;
                    cuts.add(self.below(mesh, feature, &corners.map(|c| c.0)), &shares);
                }
            }
            let (low, lowest) = cuts.least();
            if self.is_above(low) {
                return true;
            }
            shares = lowest;
            let (_, feature) = self.look_at_face(mesh, &piece.point(&shares));
            if count == MOST_FACES || known[..count].contains(&feature) {
                return self.is_above(low);
            }
            next = [Some(feature), None, None, None];
        }
    }

    /// Whether a piece crosses a triangle of B.
    fn crosses(&self, mesh: &TriangleMesh, piece: &Piece, facet: &Facet) -> bool {
        let corners = piece.corners.map(|x| self.walk.x.point_to_local(&x));
        let normal = self.walk.x.direction_to_local(&facet.normal);
        let own = Extent::of(&corners);
        let found = Cell::new(false);
        mesh.tree().within(
            |extent| !found.get() && extent.square_to(&own) == 0.0,
            |other| {
                if !found.get() && segments::cross(&corners, &normal, &other.corners, &other.normal) {
                    found.set(true);
                }
            },
        );
        found.get()
    }

    /// Minus the distances of a piece's corners from a face, an edge or a vertex of B. Over a flat face of several triangles all of them are taken for one, where the corners are above it.
    fn below(&self, mesh: &TriangleMesh, feature: MeshFeature, corners: &[Place; 3]) -> Vec3 {
        let distance = |place: &Place| {
            let x = self.walk.x.point_to_local(&place.p);
            match feature {
                MeshFeature::Face(k) => {
                    let triangle = mesh.triangles()[k].map(|v| mesh.vertices()[v as usize]);
                    let height = mesh.normals()[k].dot(&(x - triangle[0])).abs();
                    if (place.d.abs() - height).abs() < 1e-13 * self.walk.b.size {
                        return height;
                    }
                    segments::from_triangle(&x, &triangle, &mesh.normals()[k])
                }
                MeshFeature::Edge(k) => segments::from_segment(&x, &mesh.edge(k)),
                MeshFeature::Vertex(k) => (x - mesh.vertices()[k]).norm(),
            }
        };
        Vec3::new(-distance(&corners[0]), -distance(&corners[1]), -distance(&corners[2]))
    }
}

/// A bound of d_B on a piece by samples at its middle and its corners: the change with the way, or the tangent at the middle less what hollows bend it by, if the corners agree with that.
fn bounded(place: &Place, corners: &[Place; 3], reach: f64, radius: f64, piece: &Piece) -> f64 {
    let far = place.d - reach;
    let room = radius - place.d.abs() - reach;
    if !(room > 0.0) {
        return far;
    }
    let agrees = |c: &Place| {
        let way = c.p - place.p;
        c.d >= place.d + place.n.dot(&way) - sag(way.norm(), room) - 1e-12 * radius.min(reach)
    };
    if corners.iter().all(agrees) {
        far.max(place.d + piece.least_along(&place.n, &place.p) - sag(reach, room))
    } else {
        far
    }
}

/// How far a distance falls below its tangent over a way, as it bends by no more than 1/`room` [1/m].
fn sag(way: f64, room: f64) -> f64 {
    0.5 * way * way / room
}
