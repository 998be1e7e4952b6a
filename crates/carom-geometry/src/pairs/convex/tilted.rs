//! The depth of two solids of revolution about nearly the same axis.
//!
//! Around the axis all directions are nearly as deep: the polytope of `expand.rs` would need tips without end. But a solid of revolution holds, with a point, the whole circle through it. So the difference
//! of the solids holds *rings*, x(φ) = p(φ) − q(φ) with p and q on circles of A and B, and the straight pieces between two rings at the same φ. Of a few rings such pieces make a closed surface around the
//! origin, and its distance from there bounds the depth from below, just as that of the polytope does:
//!
//! - At every φ the pieces are the sides of the polygon of the rings' points, seen along the third direction: their distance within the half plane at φ is not more than that in space, and where at some φ other
//!   rings become the corners, all between the old and the new sides is as far. Seen from a frame that turns with φ the points move by `off`·cos φ and no more, but for terms of the order off²/depth, `off` being how far
//!   the axes are apart: so all low derivatives of a piece's distance by φ are at most a few times `off`, and the least over all φ is found by halving intervals.
//! - Above and below the surface is closed by the disc of the wider cap, less the other solid's furthest point, and what leads from there to the rings of both rims.
//!
//! Where the nearest piece is found, the tips along its normal give the upper bound, and a ring more.
//!
//! Checked: solids tilted by 1e-12 to 1e-3 against trial (`tests/distances/coaxial.rs`).

use std::f64::consts::TAU;

use carom_base::Vec3;
use carom_base::elementary::{hypot, sincos};
use nalgebra::Vector2;

use super::couple::{Couple, Tips};
use super::expand::{CORE, Depth};
use super::newton::Normal;
use super::revolved::Axis;
use crate::closest_point::{direction, tangent};

/// Rings at most.
const MOST_RINGS: usize = 128;
/// Angles φ that are tried first.
const ANGLES: usize = 16;
/// Steps in which the φ of the nearest piece is made exact: each leaves 0.618 of the interval.
const GOLDEN_STEPS: usize = 40;
/// Intervals of φ at most.
const MOST_INTERVALS: usize = 4000;
/// The second and fifth derivatives of a piece's distance by φ, at most, relative to how far the axes are apart.
const BEND: f64 = 6.0;
/// Axes must be nearer to each other than the depth by this factor.
const CLEAR: f64 = 8.0;

/// Circles of A and B about their axes: middles and radii, in A's frame [m].
#[derive(Clone, Copy)]
struct Ring {
    p: Vec3,
    q: Vec3,
    radii: [f64; 2],
}

/// The directions away from the axes at some φ.
struct Frame {
    from_a: Vec3,
    from_b: Vec3,
}

impl Ring {
    /// The points of A and B.
    fn points(&self, frame: &Frame) -> (Vec3, Vec3) {
        (self.p + frame.from_a * self.radii[0], self.q - frame.from_b * self.radii[1])
    }

    fn at(&self, frame: &Frame) -> Vec3 {
        let (p, q) = self.points(frame);
        p - q
    }
}

/// The rings that are the corners of the polygon at some φ, from the top down.
struct Chain {
    rings: [usize; MOST_RINGS],
    count: usize,
}

/// The nearest place of the pieces at some φ.
#[derive(Clone, Copy)]
struct Spot {
    angle: f64,
    /// from the origin [m]; negative: the origin is beyond it
    distance: f64,
    /// outward
    n: Vec3,
    rings: [usize; 2],
    share: f64,
}

/// The distance of the origin from a straight piece, and the share of it that is before the nearest point.
fn from_piece(a: &Vector2<f64>, b: &Vector2<f64>) -> (f64, f64) {
    let along = b - a;
    let square = along.norm_squared();
    let share = if square > 0.0 { (-a.dot(&along) / square).clamp(0.0, 1.0) } else { 0.0 };
    // (exact however far the ends are)
    let distance = if share > 0.0 && share < 1.0 {
        a.perp(&along).abs() / square.sqrt()
    } else {
        (a + along * share).norm()
    };
    (distance, share)
}

/// A lower bound of what has these distances at five φ that are evenly spread over an interval of this width, and `bend` as a bound of all derivatives.
fn piece_bound(at: &[(f64, f64); 5], width: f64, bend: f64) -> f64 {
    let v = at.map(|(distance, _)| distance);
    let lowest = v.iter().copied().fold(f64::INFINITY, f64::min);
    let by_chords = lowest - bend * (0.25 * width) * (0.25 * width) / 8.0;
    let place = |share: f64| (share > 0.0, share < 1.0);
    if at.iter().any(|(_, share)| place(*share) != place(at[0].1)) {
        return by_chords;
    }
    // the polynomial through all five is not below the least of its Bernstein coefficients, and off by 3.64 h⁵/5! of the fifth derivative at most, h being a quarter of the width
    let beside = |v: [f64; 5]| (-13.0 * v[0] + 48.0 * v[1] - 36.0 * v[2] + 16.0 * v[3] - 3.0 * v[4]) / 12.0;
    let middle = (13.0 * (v[0] + v[4]) - 64.0 * (v[1] + v[3]) + 120.0 * v[2]) / 18.0;
    let others = beside(v).min(middle).min(beside([v[4], v[3], v[2], v[1], v[0]]));
    let h = 0.25 * width;
    by_chords.max(v[0].min(v[4]).min(others) - bend * 3.64 / 120.0 * h * h * h * h * h)
}

/// What closes the surface above or below.
struct Cap {
    n: Vec3,
    p: Vec3,
    q: Vec3,
    /// bounds of the depth of the cores there [m]
    least: f64,
    most: f64,
}

struct Rings<'s> {
    cores: Couple<'s>,
    k: Vec3,
    b: Vec3,
    e: [Vec3; 2],
    off: f64,
    /// above, below, and all others
    rings: [Ring; MOST_RINGS],
    count: usize,
    /// cosine and sine of the angle with the axis whose normals both points of a ring have
    lean: [f64; 2],
}

impl<'s> Rings<'s> {
    fn ring(&self, tips: &Tips) -> Ring {
        let (k, b, o) = (self.k, self.b, self.cores.x.p);
        let p = k * k.dot(&tips.p);
        let q = o + b * b.dot(&(tips.q - o));
        Ring { p, q, radii: [(tips.p - p).norm(), (tips.q - q).norm()] }
    }

    fn frame(&self, angle: f64) -> Frame {
        let (sin, cos) = sincos(angle);
        let from_a = self.e[0] * cos + self.e[1] * sin;
        let n = from_a * self.lean[1] + self.k * self.lean[0];
        let (from_b, _) = direction(&(n - self.b * self.b.dot(&n)), || from_a);
        Frame { from_a, from_b }
    }

    /// Across the axis and along it.
    fn flat(&self, x: &Vec3, frame: &Frame) -> Vector2<f64> {
        Vector2::new(x.dot(&frame.from_a), x.dot(&self.k))
    }

    fn chain(&self, frame: &Frame) -> Chain {
        let mut at = [Vector2::zeros(); MOST_RINGS];
        let mut order = [0; MOST_RINGS];
        for i in 0..self.count {
            at[i] = self.flat(&self.rings[i].at(frame), frame);
        }
        // from the top down, by insertion; the ends keep their places
        let mut sorted = 1;
        for i in (2..self.count).chain([1]) {
            let mut place = sorted;
            while i != 1 && place > 1 && at[order[place - 1]].y < at[i].y {
                order[place] = order[place - 1];
                place -= 1;
            }
            order[place] = i;
            sorted += 1;
        }
        let mut chain = Chain { rings: [0; MOST_RINGS], count: 0 };
        for &i in &order[..sorted] {
            while chain.count > 1 {
                let [a, b] = [chain.rings[chain.count - 2], chain.rings[chain.count - 1]].map(|i| at[i]);
                if (b - a).perp(&(at[i] - b)) < 0.0 {
                    break;
                }
                chain.count -= 1;
            }
            chain.rings[chain.count] = i;
            chain.count += 1;
        }
        chain
    }

    fn nearest(&self, angle: f64, frame: &Frame, chain: &Chain) -> Spot {
        let mut best = Spot { angle, distance: f64::INFINITY, n: self.k, rings: [0, 1], share: 0.0 };
        for pair in chain.rings[..chain.count].windows(2) {
            let rings = [pair[0], pair[1]];
            let [a, b] = rings.map(|i| self.flat(&self.rings[i].at(frame), frame));
            let (distance, share) = from_piece(&a, &b);
            let along = b - a;
            // (what is next to nothing has no direction, and neighbours with the same ends)
            if along.norm() <= 1e-13 * self.cores.size {
                continue;
            }
            let out = Vector2::new(-along.y, along.x) / along.norm();
            let distance = distance.copysign(out.dot(&a));
            if distance < best.distance {
                let corner = distance > 0.0 && !(share > 0.0 && share < 1.0);
                let n = if corner { (a + along * share) / distance } else { out };
                let (n, _) = direction(&(frame.from_a * n.x + self.k * n.y), || frame.from_a);
                best = Spot { angle, distance, n, rings, share };
            }
        }
        best
    }

    fn spot(&self, angle: f64) -> Spot {
        let frame = self.frame(angle);
        self.nearest(angle, &frame, &self.chain(&frame))
    }

    /// The nearest of some angles all around.
    fn around(&self, first: f64) -> Spot {
        let at = |k: usize| self.spot(first + TAU * k as f64 / ANGLES as f64);
        (1..ANGLES).map(at).fold(at(0), |best, next| if next.distance < best.distance { next } else { best })
    }

    /// The nearest close to a spot.
    fn refined(&self, spot: &Spot) -> Spot {
        const GOLDEN: f64 = 0.618_033_988_749_895;
        let step = TAU / ANGLES as f64;
        let (mut from, mut to) = (spot.angle - step, spot.angle + step);
        let mut inner = [to - GOLDEN * (to - from), from + GOLDEN * (to - from)].map(|x| self.spot(x));
        for _ in 0..GOLDEN_STEPS {
            if inner[0].distance < inner[1].distance {
                to = inner[1].angle;
                inner = [self.spot(to - GOLDEN * (to - from)), inner[0]];
            } else {
                from = inner[0].angle;
                inner = [inner[1], self.spot(from + GOLDEN * (to - from))];
            }
        }
        let [a, b] = inner;
        [a, b].into_iter().fold(*spot, |best, next| if next.distance < best.distance { next } else { best })
    }

    /// A lower bound of the distance over all φ, to `tolerance` of `known`, a distance that is reached; or a place that is nearer.
    fn bound(&self, known: f64, tolerance: f64) -> Result<f64, Spot> {
        let mut stack = [(0.0, 0.0); 128];
        let mut open = 8;
        for (k, interval) in stack.iter_mut().enumerate().take(open) {
            *interval = (TAU * k as f64 / 8.0, TAU / 8.0);
        }
        let mut least = f64::INFINITY;
        for tried in 0.. {
            if open == 0 {
                break;
            }
            open -= 1;
            let (from, width) = stack[open];
            let middle = from + 0.5 * width;
            let frames = [0.0, 0.25, 0.5, 0.75, 1.0].map(|share| self.frame(from + share * width));
            let chain = self.chain(&frames[2]);
            let spot = self.nearest(middle, &frames[2], &chain);
            if spot.distance < known - tolerance {
                return Err(spot);
            }
            let ring = |i: usize| frames.each_ref().map(|f| self.flat(&self.rings[chain.rings[i]].at(f), f));
            let (mut bound, mut first) = (f64::INFINITY, ring(0));
            for i in 1..chain.count {
                let second = ring(i);
                let at = std::array::from_fn(|j| from_piece(&first[j], &second[j]));
                bound = bound.min(piece_bound(&at, width, BEND * self.off));
                first = second;
            }
            // (where the distance is a little less than what is known, but not enough to begin anew, no interval is short enough for more)
            let done = bound >= known - 1.5 * tolerance || width < 1e-12 || tried > MOST_INTERVALS;
            if done || open + 2 > stack.len() {
                least = least.min(bound);
                continue;
            }
            (stack[open], stack[open + 1]) = ((from, 0.5 * width), (middle, 0.5 * width));
            open += 2;
        }
        Ok(least)
    }

    /// Closes the surface along ±k.
    fn cap(&self, ring: &Ring, sign: f64) -> Cap {
        let [a, b] = ring.radii;
        let (n, radius) = if a >= b { (self.k * sign, a) } else { (self.b * sign, b) };
        let Tips { p, q, s } = self.cores.core_tips(&n);
        let across = |x: &Vec3| (x - n * n.dot(x)).norm();
        let (centre, other) = match a >= b {
            true => (ring.p - q, b.max(across(&(q - ring.q)))),
            false => (p - ring.q, a.max(across(&(p - ring.p)))),
        };
        let (z, beyond) = (n.dot(&centre), (across(&centre) - radius).max(0.0));
        // from the disc to the rings of both rims
        let between = (radius - other - 2.0 * self.off).max(0.0);
        let rims = (n.dot(&(ring.p - ring.q)) - self.off).min(z);
        let least = if rims > 0.0 { hypot(z, beyond).min(hypot(rims, between)) } else { f64::NEG_INFINITY };
        let (p, q) = if a >= b { (q - n * s, q) } else { (p, p + n * s) };
        Cap { n, p, q, least, most: -s }
    }
}

/// The least depth over all directions, to `tolerance` [m].
pub(super) fn depth(couple: &Couple<'_>, axis: &Axis, tolerance: f64, steps: &mut usize) -> Depth {
    let cores = Couple { coat: couple.coat.map(|r| CORE * r), ..*couple };
    let coats: f64 = cores.coat.iter().sum();
    let (k, e) = (axis.k, tangent(&axis.k));
    let none = Ring { p: Vec3::zeros(), q: Vec3::zeros(), radii: [0.0; 2] };
    let (rings, lean) = ([none; MOST_RINGS], [0.0, 1.0]);
    let mut all =
        Rings { cores, k, b: axis.other, e: [e, k.cross(&e)], off: axis.off, rings, count: 3, lean };
    // (next to the axis the tips are on the rims)
    let rim = |sign: f64| cores.core_tips(&(k * sign + e * 1e-9));
    for (i, tips) in [rim(1.0), rim(-1.0), cores.core_tips(&e)].iter().enumerate() {
        all.rings[i] = all.ring(tips);
    }
    let caps = [all.cap(&all.rings[0], 1.0), all.cap(&all.rings[1], -1.0)];
    *steps += 5;
    let [above, below] = &caps;
    let cap = if above.most < below.most { above } else { below };
    let coated = |n: Vec3, p: Vec3, q: Vec3| Normal { n, p: p + n * cores.coat[0], q: q - n * cores.coat[1] };
    let (mut at, mut most) = (coated(cap.n, cap.p, cap.q), cap.most);
    let mut least = f64::NEG_INFINITY;
    let (mut spot, mut exact) = (all.around(0.0), false);
    for _ in 0..4 * MOST_RINGS {
        let n = spot.n;
        let tips = cores.core_tips(&n);
        *steps += 1;
        all.lean = [n.dot(&k), n.cross(&k).norm()];
        if -tips.s < most {
            most = -tips.s;
            let frame = all.frame(spot.angle);
            let [(p_a, q_a), (p_b, q_b)] = spot.rings.map(|i| all.rings[i].points(&frame));
            at = coated(n, p_a + (p_b - p_a) * spot.share, q_a + (q_b - q_a) * spot.share);
        }
        let ring = all.ring(&tips);
        let further = n.dot(&ring.at(&all.frame(spot.angle))) - spot.distance;
        if further > 0.3 * tolerance && spot.distance < most - 0.3 * tolerance {
            if all.count == MOST_RINGS {
                break;
            }
            all.rings[all.count] = ring;
            all.count += 1;
            (spot, exact) = (all.around(spot.angle), false);
            continue;
        }
        if !exact && spot.distance < most + axis.off {
            (spot, exact) = (all.refined(&spot), true);
            continue;
        }
        match all.bound(spot.distance.min(most), 0.5 * tolerance) {
            Err(nearer) => (spot, exact) = (nearer, false),
            Ok(bound) => {
                let bound = bound.min(above.least).min(below.least);
                least = if bound > CLEAR * axis.off { bound } else { least };
                break;
            }
        }
    }
    Depth { at, least: least + coats, most: most + coats }
}
