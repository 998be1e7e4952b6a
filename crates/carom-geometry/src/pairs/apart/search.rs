//! The least distance over a surface by branch and bound.
//!
//! A box of space of half diagonal r about c is passed by A's surface only if |d_A(c)| ≤ r, and d_B is no less than d_B(c) − r in it. The box with the least bound is cut into eight first, until boxes are
//! a small share of A; every one gives a point of A's surface, that closest to c. Newton's method goes down from the lowest of these points, and from those of all boxes left that
//! could hold a lower one.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::f64::consts::FRAC_1_SQRT_2;

use carom_base::Vec3;

use super::descend::{self, End};
use super::kink;
use super::{Least, Place, Walk};
use crate::closest_point::tangent;
use crate::error::PairFailure;
use crate::shape::Start;

/// Halvings of the box around A.
const LEVELS: u32 = 6;
/// Boxes at most, and descents.
const MOST_BOXES: usize = 20_000;
const MOST_STARTS: usize = 32;
/// Halvings after which the first descent is made: what it finds rules out most of the rest.
const FIRST: u32 = 2;
/// How far around the lowest place it is looked for lower ones, relative to the size of A, and in which directions.
const AROUND: [f64; 4] = [0.05, 0.02, 0.008, 0.002];
const COMPASS: [[f64; 2]; 8] = [
    [1.0, 0.0],
    [FRAC_1_SQRT_2, FRAC_1_SQRT_2],
    [0.0, 1.0],
    [-FRAC_1_SQRT_2, FRAC_1_SQRT_2],
    [-1.0, 0.0],
    [-FRAC_1_SQRT_2, -FRAC_1_SQRT_2],
    [0.0, -1.0],
    [FRAC_1_SQRT_2, -FRAC_1_SQRT_2],
];
/// Halvings from which on the closest points of a box lead to those of its parts.
const NEAR: u32 = 3;
/// Distances that differ by less than this, relative to the size, are equal.
const EQUAL: f64 = 1e-12;

/// A box with the bound of the distance in it.
struct Cell {
    bound: f64,
    centre: Vec3,
    half: f64,
    level: u32,
    place: Place,
    /// where the searches for the points of A and B closest to its middle have been
    starts: [Start; 2],
}

impl PartialEq for Cell {
    fn eq(&self, other: &Cell) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Cell {}
impl PartialOrd for Cell {
    fn partial_cmp(&self, other: &Cell) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Cell {
    /// The lowest bound is the greatest.
    fn cmp(&self, other: &Cell) -> Ordering {
        other.bound.total_cmp(&self.bound)
    }
}

struct Search<'w> {
    walk: &'w Walk<'w>,
    lowest: Option<Place>,
    ends: Vec<End>,
    steps: usize,
}

impl Search<'_> {
    /// The box, unless A's surface does not pass it.
    fn cell(&mut self, centre: Vec3, half: f64, level: u32, starts: Option<&[Start; 2]>) -> Option<Cell> {
        let r = half * 3f64.sqrt();
        // (of large boxes another part of a surface may be nearer than that which is next to the last point)
        let starts = starts.filter(|_| level >= NEAR);
        let (on, on_a) = self.walk.a.closest_from(&centre, starts.map(|s| &s[0]));
        self.steps += 1;
        if !(on.d.abs() <= r) {
            return None;
        }
        let (middle, on_b) = self.walk.to_b_from(&centre, starts.map(|s| &s[1]));
        let bound = middle.d - r;
        if bound > self.least() {
            return None;
        }
        let (place, _) = self.walk.to_b_from(&on.p, Some(&on_b).filter(|_| level >= NEAR));
        // no point of the surface in the box is further from this one than r + |d_A|
        let bound = bound.max(place.d - r - on.d.abs());
        if place.d.is_finite() && self.lowest.is_none_or(|lowest| place.d < lowest.d) {
            self.lowest = Some(place);
        }
        Some(Cell { bound, centre, half, level, place, starts: [on_a, on_b] })
    }

    fn descend(&mut self, from: &Place) {
        let end = descend::from(self.walk, from, &mut self.steps);
        if self.lowest.is_none_or(|lowest| end.place.d < lowest.d) {
            self.lowest = Some(end.place);
        }
        self.ends.push(end);
    }

    /// The least distance known.
    fn least(&self) -> f64 {
        self.lowest.map_or(f64::INFINITY, |lowest| lowest.d)
    }
}

/// The least distance of B over A's surface.
pub(in crate::pairs) fn least(walk: &Walk<'_>) -> Result<Least, PairFailure> {
    let mut search = Search { walk, lowest: None, ends: Vec::new(), steps: 0 };
    let mut heap: BinaryHeap<Cell> = search.cell(walk.centre, walk.a.size, 0, None).into_iter().collect();
    let (mut left, mut boxes, mut first) = (Vec::new(), 0, true);
    while let Some(cell) = heap.pop() {
        if cell.bound > search.least() {
            break;
        }
        if first && cell.level >= FIRST {
            first = false;
            if let Some(lowest) = search.lowest {
                search.descend(&lowest);
            }
        }
        if cell.level == LEVELS || boxes >= MOST_BOXES {
            left.push(cell);
            continue;
        }
        let half = 0.5 * cell.half;
        for k in 0..8 {
            let way = Vec3::from_fn(|i, _| if k >> i & 1 == 0 { -half } else { half });
            boxes += 1;
            heap.extend(search.cell(cell.centre + way, half, cell.level + 1, Some(&cell.starts)));
        }
    }
    if let Some(lowest) = search.lowest {
        search.descend(&lowest);
    }
    search.rest(left);
    search.look_around();
    let place = search.lowest.ok_or(PairFailure::NotFinite)?;
    let equal = EQUAL * (walk.size + place.d.abs());
    let ends: Vec<&End> = search.ends.iter().filter(|end| end.place.d <= place.d + equal).collect();
    let unique = ends.iter().all(|end| end.unique && (end.place.p - place.p).norm() < 1e-6 * walk.a.size);
    let place = kink::settled(walk, place, unique, &mut search.steps);
    Ok(Least { place, steps: search.steps, unique })
}

impl Search<'_> {
    /// Down from any point around the lowest place that is lower still: a neighbouring valley may be narrower than a box, and no box led into it.
    fn look_around(&mut self) {
        for _ in 0..MOST_STARTS {
            let Some(lowest) = self.lowest else { return };
            let n = self.walk.on_a(&lowest.p).n;
            let e = tangent(&n);
            let across = n.cross(&e);
            let spots = AROUND.iter().flat_map(|far| COMPASS.iter().map(move |way| (far, way)));
            let lower = spots.map(|(far, [a, b])| {
                let aside = (e * *a + across * *b) * (far * self.walk.a.size);
                self.walk.to_b(&self.walk.on_a(&(lowest.p + aside)).p)
            });
            let lower = lower.min_by(|one, other| one.d.total_cmp(&other.d));
            self.steps += AROUND.len() * COMPASS.len();
            match lower.filter(|place| place.d < lowest.d - EQUAL * self.walk.size) {
                Some(place) => self.descend(&place),
                None => return,
            }
        }
    }

    /// Down from the boxes that are left, one of those next to each other, the lowest first.
    fn rest(&mut self, mut left: Vec<Cell>) {
        left.sort_by(|a, b| a.place.d.total_cmp(&b.place.d));
        let mut started: Vec<Vec3> = Vec::new();
        for cell in left {
            let near = 3.0 * cell.half;
            let known = started.iter().any(|p| (p - cell.place.p).norm() < near);
            if known || cell.bound > self.least() || started.len() == MOST_STARTS {
                continue;
            }
            started.push(cell.place.p);
            self.descend(&cell.place);
        }
    }
}
