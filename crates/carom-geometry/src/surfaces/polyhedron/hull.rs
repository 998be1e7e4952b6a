//! The convex hull of a few points, by wrapping.
//!
//! A plane that touches all points from one side is turned about a line of it until it meets the next point: the one of the least angle. All points
//! in that plane make a face, a polygon, and its edges are the next lines. Every face is found from the points alone, so that errors do not add up;
//! points that are in a plane to rounding are one face, whatever their number.
//!
//! Source: D. R. Chand & S. S. Kapur, J. ACM 17 (1970) 78–86. Cost: points × edges. What comes out is checked: every edge has two
//! faces, and corners − edges + faces = 2 (Euler).

use std::collections::BTreeMap;

use carom_base::Vec3;
use carom_base::elementary::{atan2, hypot};

/// Points this near to a plane are in it, relative to the size of the whole.
const FLAT: f64 = 1e-12;
/// A body thinner than this, relative to its size, has no inside to speak of.
const THIN: f64 = 1e-9;

/// A face: its outward unit normal and its corners, counterclockwise seen from outside.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct HullFace {
    pub normal: Vec3,
    pub corners: Vec<usize>,
}

/// The faces of the convex hull, by the numbers of the points that are its corners; `None` if the points are in a plane, or so nearly that
/// rounding decides.
pub(super) fn faces(points: &[Vec3]) -> Option<Vec<HullFace>> {
    // of points in the same place the first
    let mut first: Vec<usize> = (0..points.len()).collect();
    let apart = FLAT * spread(points);
    first.retain(|&k| points[..k].iter().all(|p| (p - points[k]).norm() > apart));
    let own: Vec<Vec3> = first.iter().map(|k| points[*k]).collect();
    let mut faces = wrapped(&own)?;
    for corner in faces.iter_mut().flat_map(|face| face.corners.iter_mut()) {
        *corner = first[*corner];
    }
    Some(faces)
}

/// The greatest distance from the first point.
fn spread(points: &[Vec3]) -> f64 {
    let distances = points.first().map(|first| points.iter().map(move |p| (p - first).norm()));
    distances.into_iter().flatten().fold(0.0, f64::max)
}

/// The faces, no two points being in the same place.
fn wrapped(points: &[Vec3]) -> Option<Vec<HullFace>> {
    let cloud = Cloud::new(points)?;
    let mut faces = vec![cloud.first_face()?];
    // the edges found, each from the side of its face: done if the other side is there
    let mut open: Vec<(usize, usize, Vec3)> = edges(&faces[0]).collect();
    let mut sides: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    sides.extend(open.iter().map(|(a, b, _)| ((*a, *b), 1)));
    while let Some((a, b, n)) = open.pop() {
        if sides.contains_key(&(b, a)) {
            continue;
        }
        let along = (points[b] - points[a]).try_normalize(0.0)?;
        // beyond the edge, seen from its face
        let normal = cloud.turn(&points[a], &n, &along.cross(&n))?;
        let face = cloud.face(&points[a], &normal)?;
        for edge @ (a, b, _) in edges(&face) {
            *sides.entry((a, b)).or_default() += 1;
            open.push(edge);
        }
        faces.push(face);
        // a hull of n points has no more than 2n − 4 faces
        if faces.len() > 2 * points.len() {
            return None;
        }
    }
    let closed = sides.iter().all(|(&(a, b), &n)| n == 1 && sides.contains_key(&(b, a)));
    let mut corners: Vec<usize> = faces.iter().flat_map(|face| face.corners.iter().copied()).collect();
    corners.sort_unstable();
    corners.dedup();
    let euler = corners.len() + faces.len() == sides.len() / 2 + 2;
    (closed && euler).then_some(faces)
}

fn edges(face: &HullFace) -> impl Iterator<Item = (usize, usize, Vec3)> + '_ {
    let next = face.corners.iter().cycle().skip(1);
    face.corners.iter().zip(next).map(|(a, b)| (*a, *b, face.normal))
}

/// The points, and how large they are together.
struct Cloud<'p> {
    points: &'p [Vec3],
    size: f64,
}

impl Cloud<'_> {
    fn new(points: &[Vec3]) -> Option<Cloud<'_>> {
        let size = spread(points);
        let cloud = Cloud { points, size };
        (size > 0.0 && size.is_finite() && cloud.is_thick()?).then_some(cloud)
    }

    fn furthest(&self, by: impl Fn(&Vec3) -> f64) -> Option<&Vec3> {
        self.points.iter().max_by(|p, q| by(p).total_cmp(&by(q)))
    }

    /// Whether some point is off the plane of the three that span the most.
    fn is_thick(&self) -> Option<bool> {
        let first = self.points.first()?;
        let long = self.furthest(|p| (p - first).norm())? - first;
        let wide = self.furthest(|p| (p - first).cross(&long).norm())? - first;
        let Some(normal) = long.cross(&wide).try_normalize(THIN * self.size * self.size) else {
            return Some(false);
        };
        let off = |p: &Vec3| (p - first).dot(&normal).abs();
        Some(off(self.furthest(off)?) > THIN * self.size)
    }

    /// A face: the plane x = least, turned about a line of it twice.
    fn first_face(&self) -> Option<HullFace> {
        let least = self.furthest(|p| -p.x)?;
        let normal = self.turn(least, &-Vec3::x(), &Vec3::y())?;
        // the point it met, or another one in that plane: an edge, or a face already
        let across = |p: &Vec3| (p - least).dot(&normal).abs() <= FLAT * self.size;
        let met = self.furthest(|p| if across(p) { (p - least).norm() } else { 0.0 })?;
        let along = (met - least).try_normalize(FLAT * self.size)?;
        let normal = (normal - along * normal.dot(&along)).try_normalize(0.0)?;
        if let Some(face) = self.face(least, &normal) {
            return Some(face);
        }
        let normal = self.turn(least, &normal, &along.cross(&normal))?;
        self.face(least, &normal)
    }

    /// The normal n of a plane through p that has all points below it, turned towards w, across n, until the plane meets the next of them.
    fn turn(&self, p: &Vec3, n: &Vec3, w: &Vec3) -> Option<Vec3> {
        let seen = |q: &Vec3| ((q - p).dot(w), -(q - p).dot(n));
        let angle = |q: &Vec3| {
            let (aside, below) = seen(q);
            // on the line itself every plane meets it
            let off = hypot(aside, below) > FLAT * self.size;
            // behind and in the plane: a point of the face that is turned away from
            let ahead = aside > 0.0 || below > FLAT * self.size;
            if off && ahead { atan2(below.max(0.0), aside) } else { f64::INFINITY }
        };
        let next = self.furthest(|q| -angle(q))?;
        let (aside, below) = seen(next);
        let length = hypot(aside, below);
        (angle(next).is_finite() && length > 0.0).then(|| (n * aside + w * below) / length)
    }

    /// The face in the plane through p with that normal: of the points in it those that are corners of their hull, counterclockwise. `None` if they
    /// are on a line.
    fn face(&self, p: &Vec3, normal: &Vec3) -> Option<HullFace> {
        let flat = FLAT * self.size;
        let mut u = normal.cross(&Vec3::ith(normal.iamin(), 1.0)).try_normalize(0.0)?;
        let v = normal.cross(&u);
        u = v.cross(normal);
        let planar = |k: usize| ((self.points[k] - p).dot(&u), (self.points[k] - p).dot(&v));
        let near = |k: &usize| (self.points[*k] - p).dot(normal).abs() <= flat;
        let mut inside: Vec<usize> = (0..self.points.len()).filter(near).collect();
        inside.sort_by(|i, j| {
            planar(*i).0.total_cmp(&planar(*j).0).then(planar(*i).1.total_cmp(&planar(*j).1))
        });
        // two chains, below and above (Andrew 1979): left turns only
        let mut corners: Vec<usize> = Vec::new();
        for chain in [inside.clone(), inside.into_iter().rev().collect()] {
            let start = corners.len();
            for k in chain {
                while let [.., i, j] = corners[start..] {
                    let ((xi, yi), (xj, yj), (xk, yk)) = (planar(i), planar(j), planar(k));
                    let left = (xj - xi) * (yk - yi) - (yj - yi) * (xk - xi);
                    if left > flat * hypot(xk - xi, yk - yi) {
                        break;
                    }
                    corners.pop();
                }
                corners.push(k);
            }
            corners.pop();
        }
        (corners.len() > 2).then_some(())?;
        // twice the area, of the corners alone
        let first = self.points[*corners.first()?];
        let spoke = |k: usize| self.points[corners[k]] - first;
        let twice: Vec3 = (2..corners.len()).map(|k| spoke(k - 1).cross(&spoke(k))).sum();
        Some(HullFace { normal: twice.try_normalize(0.0)?, corners })
    }
}
