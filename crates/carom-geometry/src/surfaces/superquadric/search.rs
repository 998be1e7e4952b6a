//! The nearest place of a sheet by many starts and Newton's method.
//!
//! Seeds are points of the sheet, as dense as the cells of a grid in the box; those of the rims are on its faces. The nearest seed in each
//! octant with its normal closest to each axis, everywhere and on each face, starts Newton's method for ½|x − p|² on F = 0 over the free coordinates: with n = ∇F/|∇F|,
//! λ = n·(x − p), S the shape operator, the step v in the tangent plane is (E + λ S) v = (E − n nᵀ)(x − p), and then along n back to
//! F = 0. A step that does not come nearer is halved; where E + λ S is not positive its size is taken, so that the way is down.

use carom_base::Vec3;

use super::Form;
use crate::bend::Bend;
use crate::level_mesh::level_mesh;
use crate::patch::{CORNER, Free, PatchPoint, Region, WITHIN, on_face, restricted};

/// Cells of the grid along the longest side of the box: half of this.
const SEGMENTS: usize = 24;
const MOST_STEPS: usize = 60;
/// Minima no further apart than this, relative to the size, are one: between two the square would differ by its fourth power.
const SAME: f64 = 1e-4;
/// Steps below this, relative to the size, tell how far down it goes.
const SHORT: f64 = 0.02;
/// Eight octants and three axes, everywhere and on each of six faces.
const GROUPS: usize = 168;

/// Points of the sheet to start from.
#[derive(Clone, Debug)]
pub(super) struct Seeds {
    /// with the group each is in: the octant, 4 for x < 0, 2 for y < 0, 1 for z < 0; 8 for every axis its normal may be closest to; 24 more for
    /// every face, below and above along x, y, z
    all: Vec<(Vec3, usize)>,
    corners: Vec<Vec3>,
    /// how far a closest point can be from its nearest seed, about [m]
    spacing: f64,
}

impl Seeds {
    pub(super) fn new(form: &Form, within: &Region) -> Seeds {
        let mesh = level_mesh(&|x| form.level(x), within, SEGMENTS);
        let mut all = Vec::new();
        for (p, n) in mesh.vertices.iter().zip(&mesh.normals).map(|(v, n)| (Vec3::from(*v), Vec3::from(*n))) {
            let octant = p.iter().fold(0, |k, c| 2 * k + usize::from(*c < 0.0)) + 8 * n.iamax();
            all.push((p, octant));
            for face in (0..6).filter(|k| p[k / 2] == within.face(k / 2, k % 2 == 1)) {
                all.push((p, 24 * (face + 1) + octant));
            }
        }
        let mut corners = Vec::new();
        for (axis, mut at) in within.edges() {
            if let Some(size) = form.corner(axis, &at) {
                for q in [size, -size] {
                    at[axis] = q;
                    if within.holds(&at) {
                        corners.push(at);
                    }
                }
            }
        }
        let spacing = 2.0 * (within.max() - within.min()).max() / SEGMENTS as f64;
        Seeds { all, corners, spacing }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The nearest place of the sheet to x, or what is found of it.
    pub(super) fn nearest(&self, form: &Form, within: &Region, x: &Vec3) -> PatchPoint {
        let any = self.all.first().map_or_else(Vec3::zeros, |s| s.0);
        let mut starts: [(f64, Vec3, Free); GROUPS] = std::array::from_fn(|k| {
            (f64::INFINITY, any, if k < 24 { WITHIN } else { on_face((k / 24 - 1) / 2) })
        });
        for (p, group) in &self.all {
            let square = (x - p).norm_squared();
            if let Some(start) = starts.get_mut(*group).filter(|s| square < s.0) {
                (start.0, start.1) = (square, *p);
            }
        }
        starts.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let mut best = Nearest { point: PatchPoint { p: any, free: WITHIN }, square: f64::INFINITY };
        for (square, start, free) in starts.into_iter().filter(|s| s.0.is_finite()) {
            if square.sqrt() - self.spacing > best.square.sqrt() {
                break;
            }
            let Some(p) = descend(form, &free, start, x, &best) else { continue };
            if within.holds(&p) {
                best.offer(p, free, x);
                continue;
            }
            if free != WITHIN {
                continue;
            }
            // the way down leaves the box: on along the rims of the faces it passes
            let inside = Vec3::from_fn(|i, _| p[i].clamp(within.min()[i], within.max()[i]));
            for axis in (0..3).filter(|i| inside[*i] != p[*i]) {
                let free = on_face(axis);
                let Some(p) = descend(form, &free, inside, x, &best) else { continue };
                // (a face may have no rim there)
                let level = form.level(&p);
                if level.f.abs() <= 1e-12 * p.norm() * level.gradient.norm() && within.holds(&p) {
                    best.offer(p, free, x);
                }
            }
        }
        for corner in &self.corners {
            best.offer(*corner, CORNER, x);
        }
        best.point
    }
}

/// The nearest place known, and the square of its distance from x.
struct Nearest {
    point: PatchPoint,
    square: f64,
}

impl Nearest {
    fn offer(&mut self, p: Vec3, free: Free, x: &Vec3) {
        let square = (x - p).norm_squared();
        if square < self.square {
            *self = Nearest { point: PatchPoint { p, free }, square };
        }
    }
}

/// Down from p to a place nearer to x than its neighbours, over the free coordinates; `None` as soon as it is seen to lead to the nearest place known, or to one that is no nearer.
fn descend(form: &Form, free: &Free, start: Vec3, x: &Vec3, best: &Nearest) -> Option<Vec3> {
    let mut p = onto(form, free, start);
    let (mut square, mut last) = ((x - p).norm_squared(), f64::INFINITY);
    for _ in 0..MOST_STEPS {
        let step = newton_step(form, free, &p, x);
        let (length, size) = (step.norm(), p.norm());
        // steps that no longer shrink are rounding
        if !(length > 0.0) || (length < 1e-9 * size && length >= 0.5 * last) {
            break;
        }
        let same = best.point.free == *free && (p - best.point.p).norm() < SAME * size;
        let known = best.square.is_finite() && same;
        // near a minimum the square is about (x − p)·step above it
        let higher = length < SHORT * size && square - 2.0 * step.dot(&(x - p)).abs() > best.square;
        if known || higher {
            return None;
        }
        last = length;
        // so close to the closest point the distance is too flat to tell better from worse, and no guard is needed
        let close = length < 1e-5 * size;
        let mut next = onto(form, free, p + step);
        let mut share = 1.0;
        while !close && !((x - next).norm_squared() < square) {
            share *= 0.5;
            if share < 1e-6 {
                return Some(p);
            }
            next = onto(form, free, p + step * share);
        }
        (p, square) = (next, (x - next).norm_squared());
    }
    Some(p)
}

/// v of (E + λ S) v = (E − n nᵀ)(x − p); where a point of the curve or surface is no minimum, the size of E + λ S.
fn newton_step(form: &Form, free: &Free, p: &Vec3, x: &Vec3) -> Vec3 {
    let level = restricted(&form.level(p), free);
    let bend = Bend::new(&level.gradient, &level.hessian);
    let apart = Vec3::from_fn(|i, _| if free[i] { x[i] - p[i] } else { 0.0 });
    let lambda = bend.n.dot(&apart);
    let along = |(k, t): (&f64, &Vec3)| t * (t.dot(&apart) / (1.0 + lambda * k).abs().max(1e-3));
    let step: Vec3 = bend.k.iter().zip(&bend.t).map(along).sum();
    // what is held stays on its face to the last digit
    Vec3::from_fn(|i, _| if free[i] { step[i] } else { 0.0 })
}

/// Along ∇F onto F = 0, over the free coordinates.
fn onto(form: &Form, free: &Free, mut p: Vec3) -> Vec3 {
    let mut last = f64::INFINITY;
    for _ in 0..MOST_STEPS {
        let level = restricted(&form.level(&p), free);
        let step = level.gradient * (level.f / level.gradient.norm_squared());
        let length = step.norm();
        if !length.is_finite() || length == 0.0 || (length < 1e-9 * p.norm() && length >= 0.5 * last) {
            break;
        }
        p -= step;
        // the next step would be the square of this one
        if length < 1e-10 * p.norm() {
            break;
        }
        last = length;
    }
    p
}
