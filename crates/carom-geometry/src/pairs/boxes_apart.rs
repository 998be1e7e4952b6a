//! How far apart two sharp boxes are.
//!
//! The signed distance is the largest separation s(n) = c·n − h_A(n) − h_B(−n) over unit vectors n, h the support
//! functions, c the centres' vector. Between boxes that overlap it is found at one of fifteen directions, the faces'
//! normals and the cross products of the edges, and is minus the shortest way that separates them. Boxes apart
//! have their nearest points at a corner of one and anywhere on the other, or on an edge of each.

use carom_base::{Pose, Vec3};

use super::corner;
use crate::contact::Contact;

/// The nearest points, or the deepest; half lengths in metres.
///
/// ```
/// use carom_geometry::{Pose, Vec3, pairs::boxes_apart};
/// let half = Vec3::new(1.0, 1.0, 1.0);
/// let c = boxes_apart::closest(&half, &half, &Pose::identity(), &Pose::at(Vec3::new(5.0, 6.0, 0.0)));
/// assert_eq!(c.delta, -5.0); // two edges, 3 m and 4 m apart along x and y
/// ```
pub fn closest(half_a: &Vec3, half_b: &Vec3, x_a: &Pose, x_b: &Pose) -> Contact {
    let boxes = Boxes { half: [*half_a, *half_b], x: [*x_a, *x_b] };
    let overlap = boxes.least_overlap();
    if overlap.delta > 0.0 {
        return overlap;
    }
    let apart = boxes.nearest();
    // points that nearly touch do not tell the direction between them; one of the fifteen does, if it parts the boxes as far
    let size = half_a.norm() + half_b.norm();
    let touching = apart.delta > -TOUCHING * size && overlap.delta - apart.delta <= 1e-12 * size;
    if touching { overlap } else { apart }
}

struct Boxes {
    half: [Vec3; 2],
    x: [Pose; 2],
}

/// Points nearer than this, relative to the size, have lost too many digits of the direction between them.
const TOUCHING: f64 = 1e-8;
/// Directions whose cross product is shorter than this are parallel: a face's normal does as well.
const PARALLEL: f64 = 1e-12;
/// A point so much within the end of an edge, relative to the size, is between its ends.
const WITHIN: f64 = 1e-14;
/// Edges at a smaller angle tell less of the direction across both than points do.
const CROSSED: f64 = 1e-6;
/// Lines at a smaller angle are parallel to rounding.
const SAME: f64 = 1e-15;

impl Boxes {
    /// The corner of a box furthest along n.
    fn support(&self, which: usize, n: &Vec3) -> Vec3 {
        let (h, x) = (&self.half[which], &self.x[which]);
        let local = x.direction_to_local(n);
        x.point(&Vec3::from_fn(|i, _| h[i].copysign(local[i])))
    }

    /// The direction of fifteen along which the boxes overlap least, or are furthest apart.
    fn least_overlap(&self) -> Contact {
        let [xa, xb] = &self.x;
        let c = xb.p - xa.p;
        let mut best: Option<(Contact, Option<(usize, usize)>)> = None;
        let mut consider = |axis: Vec3, edges: Option<(usize, usize)>| {
            let length = axis.norm();
            if length < PARALLEL {
                return;
            }
            let n = axis * (1.0 / length).copysign(axis.dot(&c));
            let (p_a, p_b) = (self.support(0, &n), self.support(1, &-n));
            let delta = (p_a - p_b).dot(&n);
            // (an edge's direction must be better by more than rounding: a face's points are the clearer ones)
            let margin = if edges.is_some() { 1e-12 * (self.half[0] + self.half[1]).max() } else { 0.0 };
            if best.as_ref().is_none_or(|(b, _)| delta < b.delta - margin) {
                best = Some((Contact { p_a, p_b, n, delta, share: 1.0, common: None }, edges));
            }
        };
        for i in 0..3 {
            consider(xa.axis(i), None);
            consider(xb.axis(i), None);
        }
        for i in 0..3 {
            for j in 0..3 {
                consider(xa.axis(i).cross(&xb.axis(j)), Some((i, j)));
            }
        }
        match best {
            Some((c, Some((i, j)))) => self.between_edges(&c, i, j),
            Some((c, None)) => self.on_a_face(&c),
            None => {
                Contact { p_a: xa.p, p_b: xb.p, n: xa.axis(2), delta: f64::NAN, share: 1.0, common: None }
            }
        }
    }

    /// The points of two crossed edges.
    fn between_edges(&self, c: &Contact, i: usize, j: usize) -> Contact {
        let (u, v) = (self.x[0].axis(i), self.x[1].axis(j));
        let (p_a, p_b) = nearest_of_lines(&c.p_a, &u, &c.p_b, &v);
        let middle = 0.5 * (p_a + p_b);
        Contact { p_a: middle + c.n * (0.5 * c.delta), p_b: middle - c.n * (0.5 * c.delta), ..*c }
    }

    /// The deepest corner of the box that has one there, and the point of the face above it.
    fn on_a_face(&self, c: &Contact) -> Contact {
        // the box whose face it is has a normal along n
        let faced = |k: usize| (0..3).any(|i| self.x[k].axis(i).dot(&c.n).abs() > 1.0 - 1e-15);
        if faced(0) {
            Contact { p_a: c.p_b + c.n * c.delta, ..*c }
        } else {
            Contact { p_b: c.p_a - c.n * c.delta, ..*c }
        }
    }

    /// The nearest points of boxes apart.
    fn nearest(&self) -> Contact {
        let mut best = (self.x[0].p, self.x[1].p);
        let mut least = f64::INFINITY;
        let mut consider = |p_a: Vec3, p_b: Vec3| {
            let d = (p_b - p_a).norm();
            if d < least {
                (least, best) = (d, (p_a, p_b));
            }
        };
        for k in 0..8 {
            let p = self.x[1].point(&corner(k, &self.half[1]));
            consider(self.clamped(0, &p), p);
            let p = self.x[0].point(&corner(k, &self.half[0]));
            consider(p, self.clamped(1, &p));
        }
        for (p, u, l) in self.edges(0) {
            for (q, v, m) in self.edges(1) {
                let (p, q) = nearest_of_segments(&p, &u, l, &q, &v, m);
                consider(p, q);
            }
        }
        let (p_a, p_b) = best;
        let d = (p_b - p_a).norm();
        let n = if d > 0.0 { self.across(&p_a, &p_b) } else { self.least_overlap().n };
        Contact { p_a, p_b, n, delta: -d, share: 1.0, common: None }
    }

    /// The direction from one of the nearest points to the other. Close to each other they tell little of it, but it is at right angles to the faces and edges that they are on.
    fn across(&self, p_a: &Vec3, p_b: &Vec3) -> Vec3 {
        let rounding = WITHIN * (self.half[0] + self.half[1]).max();
        let mut along = [Vec3::zeros(); 6];
        let mut count = 0;
        for (which, p) in [p_a, p_b].into_iter().enumerate() {
            let local = self.x[which].point_to_local(p);
            for i in (0..3).filter(|i| self.half[which][*i] - local[*i].abs() > rounding) {
                along[count] = self.x[which].axis(i);
                count += 1;
            }
        }
        let between = p_b - p_a;
        let Some((first, others)) = along[..count].split_first() else { return between.normalize() };
        let normals = others.iter().map(|other| first.cross(other));
        let normal = normals.max_by(|m, n| m.norm_squared().total_cmp(&n.norm_squared()));
        match normal.map(|n| (n, n.norm())) {
            Some((n, length)) if length > CROSSED => n * (1.0 / length).copysign(n.dot(&between)),
            _ => (between - first * first.dot(&between)).normalize(),
        }
    }

    /// The point of a box nearest to `p`.
    fn clamped(&self, which: usize, p: &Vec3) -> Vec3 {
        let (h, x) = (&self.half[which], &self.x[which]);
        let local = x.point_to_local(p);
        x.point(&Vec3::from_fn(|i, _| local[i].clamp(-h[i], h[i])))
    }

    /// Middle, direction and half length of the twelve edges.
    fn edges(&self, which: usize) -> impl Iterator<Item = (Vec3, Vec3, f64)> + '_ {
        let (h, x) = (&self.half[which], &self.x[which]);
        (0..12).map(move |e| {
            let (i, k) = (e / 4, e % 4);
            let (j, l) = ((i + 1) % 3, (i + 2) % 3);
            let mut middle = Vec3::zeros();
            middle[j] = if k & 1 == 0 { h[j] } else { -h[j] };
            middle[l] = if k & 2 == 0 { h[l] } else { -h[l] };
            (x.point(&middle), x.axis(i), h[i])
        })
    }
}

/// The nearest points of two lines through p and q along the unit vectors u and v, not parallel.
fn nearest_of_lines(p: &Vec3, u: &Vec3, q: &Vec3, v: &Vec3) -> (Vec3, Vec3) {
    let (w, normal) = (p - q, u.cross(v));
    // (by the cross product: of lines that are nearly parallel 1 − (u·v)² has no digits)
    let across = normal.norm_squared();
    (p - u * (v.cross(&normal).dot(&w) / across), q - v * (u.cross(&normal).dot(&w) / across))
}

/// The nearest points of two segments, from their middles, unit directions and half lengths: those of the lines if within, else with one end held
/// (Ericson 2005, Real-Time Collision Detection, 5.1.9).
pub(super) fn nearest_of_segments(p: &Vec3, u: &Vec3, l: f64, q: &Vec3, v: &Vec3, m: f64) -> (Vec3, Vec3) {
    let (w, b) = (p - q, u.dot(v));
    let (d, e) = (u.dot(&w), v.dot(&w));
    // (b e − d)/(1 − b²), but by the cross product: of lines that are nearly parallel the differences have no digits
    let normal = u.cross(v);
    let across = normal.norm_squared();
    let s = if across > SAME * SAME { (-v.cross(&normal).dot(&w) / across).clamp(-l, l) } else { 0.0 };
    let t = (e + b * s).clamp(-m, m);
    let s = (b * t - d).clamp(-l, l);
    (p + u * s, q + v * t)
}
