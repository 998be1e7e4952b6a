//! Down where two or more sides of B are as near, deep in its material: the least distance may be at a kink, where no slope vanishes.
//!
//! In a chart of A's surface (`chart.rs`) d_B is the largest of functions f_i, one for every side of B, each
//! known by its value, slope and bend at the last point that was nearest to that side. The least of the largest of these parabolas is where d_B is looked at next: a bundle method
//! with bends (C. Lemaréchal & R. Mifflin, Nonsmooth Optimization, 1978). At the end every side that meets others there is looked at anew from close by, so that the end is as exact as
//! the sides, not as the parabolas.

use std::f64::consts::TAU;

use carom_base::elementary::sincos;
use nalgebra::{Matrix2, Matrix3, Vector2, Vector3};

use super::chart::{Chart, Parabola};
use super::{Place, Walk};
use crate::pairs::convex::newton::across;

/// Normals are opposite to this where a place is no kink.
const SMOOTH: f64 = 1e-6;
/// Steps all around a kink, relative to A, at first and at last; how many of them, and how often.
const FIRST_STEP: f64 = 0.1;
const LAST_STEP: f64 = 1e-11;
const DIRECTIONS: usize = 8;
/// The angle between them [rad].
const APART: f64 = TAU / DIRECTIONS as f64;
const MOST_ROUNDS: usize = 200;
/// No number of these makes whole turns.
const GOLDEN_ANGLE: f64 = 2.399_963_229_728_653;
/// The smaller part of a golden section.
const GOLDEN: f64 = 0.381_966_011_250_105;
const MOST_SECTIONS: usize = 60;
const MOST_STEPS: usize = 80;
const MOST_CHARTS: usize = 6;
/// Sides of B at most.
const MOST_SIDES: usize = 8;
/// How far from A's surface its normals are taken, and how far a step may go, relative to A.
const OFF: f64 = 0.02;
const REACH: f64 = 0.1;
/// What is left, relative to the size, when it is done.
const EXACT: f64 = 2e-15;
/// Sides that are higher than the distance by this, relative to the size, are none.
const OVER: f64 = 1e-13;
/// How far off the end a side may have been seen, relative to the size: its parabola is right to the third power of that.
const BESIDE: f64 = 1e-5;

/// Down from a place, in a chart about A's normal there and in one about where B's normal points, for as long as that helps.
pub(super) fn from(walk: &Walk<'_>, start: &Place, steps: &mut usize) -> Place {
    let off = OFF * walk.a.size;
    let mut at = *start;
    for _ in 0..MOST_CHARTS {
        let before = at.d;
        let towards = walk.on_a(&(at.p - at.n * off));
        let charts =
            [(at.p, walk.on_a(&at.p).n), (towards.p, if towards.d > 0.0 { towards.n } else { -at.n })];
        for (p, n) in charts {
            let end = bundle(&Chart::new(walk, p + n * off, &n), steps);
            if end.d < at.d {
                at = end;
            }
        }
        if !(at.d < before - EXACT * walk.a.size) {
            break;
        }
    }
    at
}

/// Down from a kink in steps across A's surface all around, ever shorter ones: where several sides of B are nearly parallel, as next to the middle of a tube with flat walls, parabolas tell too little of where they meet.
/// Likewise where places next to it are almost as near; where they are just as near that ends at once.
pub(super) fn settled(walk: &Walk<'_>, start: Place, unique: bool, steps: &mut usize) -> Place {
    let is_kink = || walk.on_a(&start.p).n.cross(&start.n).norm() > SMOOTH;
    if !(start.d < 0.0 && (!unique || is_kink())) {
        return start;
    }
    let (mut at, mut reach, mut turn) = (start, FIRST_STEP * walk.a.size, 0.0);
    for _ in 0..MOST_ROUNDS {
        if reach < LAST_STEP * walk.a.size {
            break;
        }
        let t = across(&walk.on_a(&at.p).n);
        // (other directions every time: a valley is followed only along it)
        turn += GOLDEN_ANGLE;
        let step = |angle: f64| {
            let (sin, cos) = sincos(turn + angle);
            walk.to_b(&walk.on_a(&(at.p + t * Vector2::new(cos, sin) * reach)).p)
        };
        let around: [Place; DIRECTIONS] = std::array::from_fn(|k| step(APART * k as f64));
        *steps += DIRECTIONS;
        let lower = |a: Place, b: Place| if b.d < a.d { b } else { a };
        let mut next = around.into_iter().fold(at, lower);
        let highest = around.iter().fold(at.d, |highest, place| highest.max(place.d));
        if highest - next.d <= EXACT * walk.size {
            break;
        }
        if !(next.d < at.d) {
            next = lower(at, valley(&step, &around, reach, at.d - EXACT * walk.size, steps));
        }
        if next.d < at.d { at = next } else { reach *= 0.6 }
    }
    at
}

/// The lowest place of all around: where two sides of B meet valleys may be almost level, and narrower there than directions are apart. Between the neighbours of every direction that is lower than both it is sought by the
/// golden section, until a place is lower than `wanted` or none can be, as the distance changes by no more than the way around at the radius `reach`.
fn valley(
    step: &dyn Fn(f64) -> Place,
    around: &[Place; DIRECTIONS],
    reach: f64,
    wanted: f64,
    steps: &mut usize,
) -> Place {
    let mut lowest = around[0];
    for k in 0..DIRECTIONS {
        let (before, after) = (&around[(k + DIRECTIONS - 1) % DIRECTIONS], &around[(k + 1) % DIRECTIONS]);
        if !(around[k].d <= before.d && around[k].d < after.d) {
            continue;
        }
        let middle = APART * k as f64;
        let (mut from, mut to) = (middle - APART, middle + APART);
        let inner = |from: f64, to: f64| [from + GOLDEN * (to - from), to - GOLDEN * (to - from)];
        let mut at = inner(from, to).map(step);
        for _ in 0..MOST_SECTIONS {
            // (twice: the surface may rise along the way)
            if lowest.d < wanted || !(at[0].d.min(at[1].d) - 2.0 * reach * (to - from) < wanted) {
                break;
            }
            *steps += 1;
            if at[0].d < at[1].d {
                to -= GOLDEN * (to - from);
                at = [step(inner(from, to)[0]), at[0]];
            } else {
                from += GOLDEN * (to - from);
                at = [at[1], step(inner(from, to)[1])];
            }
            lowest = at.into_iter().fold(lowest, |lowest, at| if at.d < lowest.d { at } else { lowest });
        }
    }
    lowest
}

fn bundle(chart: &Chart<'_>, steps: &mut usize) -> Place {
    let (walk, size) = (chart.walk, chart.walk.a.size);
    let first = chart.parabola(&Vector2::zeros());
    let mut bundle = Bundle { sides: vec![first], best: first, size };
    let (mut reach, mut failed) = (REACH * size, false);
    for _ in 0..MOST_STEPS {
        *steps += 1;
        let Some(u) = lowest(&bundle.sides, &bundle.best.at, reach) else { break };
        let moved = (u - bundle.best.at).norm();
        let expected = bundle.sides.iter().map(|side| side.value_at(&u)).fold(f64::NEG_INFINITY, f64::max);
        let gain = bundle.best.f - expected;
        let done = (gain <= EXACT * size && moved <= 1e-7 * size) || moved <= 1e-14 * size;
        // what is known of the sides that meet must have been seen from close by: at the end, and where a step was no good
        if (done || failed)
            && let Some((old, beside)) = bundle.stale(if done { 0.0 } else { moved })
        {
            let next = chart.parabola(&beside);
            if !next.f.is_finite() {
                break;
            }
            bundle.sides.swap_remove(old);
            bundle.take(next, walk.size);
            continue;
        }
        if done {
            break;
        }
        let next = chart.parabola(&u);
        if !next.f.is_finite() {
            break;
        }
        let before = bundle.best;
        let news = bundle.take(next, walk.size);
        failed = next.f > before.f - 0.1 * gain;
        if next.f < before.f {
            reach = reach.max(2.0 * moved).min(REACH * size);
        } else if !news || next.value_at(&before.at) > before.f + OVER * size {
            // what is nearest there was known, or cannot be what it seems to be from there: the step was too long
            reach = 0.5 * moved;
        }
    }
    bundle.best.place
}

/// The sides of B that are known, and the lowest point seen.
struct Bundle {
    sides: Vec<Parabola>,
    best: Parabola,
    /// of A [m]
    size: f64,
}

impl Bundle {
    /// Takes in what is seen from another point, in the stead of what was known of that side before; says whether it is a new side.
    fn take(&mut self, next: Parabola, size: f64) -> bool {
        let known = self.sides.len();
        self.sides.retain(|side| !side.is_side_of(&next, size));
        let news = self.sides.len() == known;
        self.sides.push(next);
        if next.f < self.best.f {
            self.best = next;
        }
        let Parabola { at, f, .. } = self.best;
        if self.sides.len() > MOST_SIDES {
            let height = |i: &usize| self.sides[*i].value_at(&at);
            let lowest = (0..self.sides.len()).min_by(|i, j| height(i).total_cmp(&height(j)));
            lowest.map(|k| self.sides.remove(k));
        }
        // no side is higher than the distance itself
        self.sides.retain(|side| side.value_at(&at) <= f + OVER * self.size);
        news
    }

    /// A side that meets others within a step of the lowest point but was seen from further off than its parabola is good for, and a point next to the lowest where it is the highest.
    fn stale(&self, step: f64) -> Option<(usize, Vector2<f64>)> {
        let (at, beside) = (self.best.at, BESIDE * self.size);
        let below = |side: &Parabola| self.best.f - side.value_at(&at);
        let meets = |side: &Parabola| below(side) <= step.max(BESIDE * beside);
        let old = |side: &Parabola| (side.at - at).norm();
        let all = || self.sides.iter().enumerate().filter(|(_, side)| meets(side));
        let (k, side) = all().max_by(|a, b| old(a.1).total_cmp(&old(b.1)))?;
        if old(side) <= (2.0 * beside).max(4.0 * step) {
            return None;
        }
        let others =
            || all().filter(|(i, _)| *i != k).map(|(_, other)| side.slope_at(&at) - other.slope_at(&at));
        let ahead = |way: &Vector2<f64>| others().map(|rise| rise.dot(way)).fold(f64::INFINITY, f64::min);
        let ways = std::iter::once(side.slope_at(&at)).chain(others());
        let ways = ways.filter(|way| way.norm() > 0.0).map(|way| way / way.norm());
        let way = ways.max_by(|a, b| ahead(a).total_cmp(&ahead(b)))?;
        let far = (2.0 * below(side) / ahead(&way).max(0.1)).max(beside);
        Some((k, at + way * far))
    }
}

/// Where the largest of the parabolas is least, no further from `from` than `reach`.
fn lowest(sides: &[Parabola], from: &Vector2<f64>, reach: f64) -> Option<Vector2<f64>> {
    let highest = |u: &Vector2<f64>| sides.iter().map(|s| s.value_at(u)).fold(f64::NEG_INFINITY, f64::max);
    let mut best = (f64::INFINITY, None);
    let mut offer = |u: Option<Vector2<f64>>| {
        let Some(u) = u.filter(|u| u.iter().all(|c| c.is_finite())) else { return };
        let way = u - from;
        let far = way.norm();
        let u = if far > reach { from + way * (reach / far) } else { u };
        let value = highest(&u);
        if value < best.0 {
            best = (value, Some(u));
        }
    };
    for (i, a) in sides.iter().enumerate() {
        offer(a.bend.try_inverse().map(|inverse| a.at - inverse * a.slope));
        offer(Some(from - a.slope_at(from) * (reach / a.slope_at(from).norm())));
        for (j, b) in sides.iter().enumerate().skip(i + 1) {
            offer(on_edge(a, b, from));
            for c in &sides[j + 1..] {
                offer(at_corner([a, b, c], from));
            }
        }
    }
    best.1
}

/// Where two parabolas are equal and least: λ ∇a + (1 − λ) ∇b = 0, by Newton's method.
fn on_edge(a: &Parabola, b: &Parabola, from: &Vector2<f64>) -> Option<Vector2<f64>> {
    let mut u = *from;
    let (ga, gb) = (a.slope_at(&u), b.slope_at(&u));
    let apart = (ga - gb).norm_squared();
    let mut lambda = if apart > 0.0 { (-gb.dot(&(ga - gb)) / apart).clamp(0.0, 1.0) } else { 0.5 };
    for _ in 0..12 {
        let (ga, gb) = (a.slope_at(&u), b.slope_at(&u));
        let (rest, gap) = (ga * lambda + gb * (1.0 - lambda), a.value_at(&u) - b.value_at(&u));
        let h = a.bend * lambda + b.bend * (1.0 - lambda);
        let g = ga - gb;
        let m = Matrix3::new(h.m11, h.m12, g.x, h.m21, h.m22, g.y, g.x, g.y, 0.0);
        let step = m.lu().solve(&Vector3::new(-rest.x, -rest.y, -gap))?;
        u += Vector2::new(step.x, step.y);
        lambda += step.z;
        if step.xy().norm() <= 1e-16 * (u.norm() + (a.at - b.at).norm()) {
            break;
        }
    }
    (0.0..=1.0).contains(&lambda).then_some(u)
}

/// Where three parabolas are equal, by Newton's method.
fn at_corner([a, b, c]: [&Parabola; 3], from: &Vector2<f64>) -> Option<Vector2<f64>> {
    let mut u = *from;
    for _ in 0..12 {
        let (x, y) = (a.slope_at(&u) - b.slope_at(&u), a.slope_at(&u) - c.slope_at(&u));
        let rest = Vector2::new(a.value_at(&u) - b.value_at(&u), a.value_at(&u) - c.value_at(&u));
        let step = Matrix2::new(x.x, x.y, y.x, y.y).try_inverse()? * rest;
        u -= step;
        if step.norm() <= 1e-16 * u.norm() {
            break;
        }
    }
    Some(u)
}
