//! Cells that are cut by lines on which functions are zero.
//!
//! A line across the cell has pieces between the zeros of the functions on it; the integral over each is by a Gauss rule, and so is that from line to line, between the places where zeros leave the cell or meet. As the depth is zero where
//! the patch ends, and continuous where its slope changes, an error ε in the place of a zero changes the integral by no more than the order of ε².

use std::f64::consts::PI;

use carom_base::Vec3;
use carom_base::elementary::sincos;

use super::depth::Below;
use super::gauss;
use super::grid::FUNCTIONS;
use super::implicit::{One, Visit};
use super::roots;

/// A line across a cell: where it is, and where each function is zero on it; one, where it is not. On a line with a ridge, where the depth is zero before it and beyond.
#[derive(Clone, Copy, Debug)]
struct Line {
    s: f64,
    zeros: [f64; FUNCTIONS],
}

/// A point of the integral: where, the outward normal in the frame of the piece, what is integrated, and the area.
type Point = (Vec3, Vec3, f64, f64);

/// How near to the ends of an interval it is looked whether zeros cross, relative.
const NEAR_END: f64 = 1e-5;
/// How often an interval is cut where zeros cross.
const MOST_CUTS: usize = 3;

/// Lines across a cell, along one parameter, and the points of the integral on them.
#[derive(Clone, Debug, Default)]
pub(super) struct Lines {
    along: usize,
    /// whether the depth rises to a ridge along the lines and falls again, in place of rising or falling throughout
    is_ridged: bool,
    points: Vec<Point>,
    /// the integral of the magnitude, and about how far it is wrong across the lines and along them
    sum: f64,
    errors: [f64; 2],
    /// the area that the points stand for [m²]
    area: f64,
}

/// What is followed in a cell: the functions of these parts, those of them that cross the cell, and how far the integral may be wrong.
#[derive(Clone, Copy, Debug)]
pub(super) struct Followed {
    pub(super) below: Below,
    pub(super) crossing: [bool; FUNCTIONS],
    pub(super) allowed: f64,
    /// or, per area of the patch in the cell, by the rounding of depths
    pub(super) rounding: f64,
    /// or, relative
    pub(super) accuracy: f64,
}

/// Lines from one place to another; a tip is where the zeros of a line with a ridge meet.
#[derive(Clone, Copy, Debug)]
struct Interval {
    from: f64,
    to: f64,
    tips: [bool; 2],
}

impl Interval {
    /// The place at this share of the interval, and how fast it moves with the share, per length of the interval. What is integrated along a line grows with the power 3/2 of the distance from a tip: places are closer there, by a square, so that it grows with the third power of the share, as a
    /// rule of points resolves.
    fn place(&self, share: f64) -> (f64, f64) {
        let size = self.to - self.from;
        match self.tips {
            [false, false] => (self.from + size * share, 1.0),
            [true, false] => (self.from + size * share * share, 2.0 * share),
            [false, true] => (self.to - size * (1.0 - share) * (1.0 - share), 2.0 * (1.0 - share)),
            [true, true] => {
                let (sin, cos) = sincos(PI * share);
                (self.from + size * 0.5 * (1.0 - cos), 0.5 * PI * sin)
            }
        }
    }
}

impl Lines {
    /// Begins anew, with none.
    pub(super) fn start(&mut self, along: usize, is_ridged: bool) {
        (self.along, self.is_ridged) = (along, is_ridged);
        self.points.clear();
        (self.sum, self.area) = (0.0, 0.0);
    }

    /// The shares of both sides, by that across the lines and that along them.
    fn place(&self, s: f64, t: f64) -> [f64; 2] {
        if self.along == 0 { [t, s] } else { [s, t] }
    }

    /// Puts lines between the places where functions are zero at the ends of lines; returns the parameter along which the rule does not resolve what is between their zeros.
    pub(super) fn follow(&mut self, cell: &One<'_, '_>, what: &Followed) -> Option<usize> {
        let (mut ends, mut count) = ([0.0; roots::MOST], 1);
        for (which, t) in (0..FUNCTIONS).filter(|k| what.crossing[*k]).flat_map(|k| [(k, 0.0), (k, 1.0)]) {
            let edge = |s: f64| {
                let (value, slopes) = cell.level(what.below, which, self.place(s, t));
                (value, slopes[1 - self.along])
            };
            roots::all(edge, &mut ends, &mut count);
        }
        let (mut tips, mut tip_count) = ([0.0; roots::MOST], 0);
        if self.is_ridged {
            self.tips(cell, what, &mut tips, &mut tip_count);
        }
        let tips = &tips[..tip_count];
        for end in tips.iter().chain(&[1.0]) {
            ends[count.min(roots::MOST - 1)] = *end;
            count = (count + 1).min(roots::MOST);
        }
        ends[..count].sort_unstable_by(f64::total_cmp);
        self.errors = [0.0; 2];
        for pair in ends[..count].windows(2) {
            let (from, to) = (pair[0], pair[1]);
            let tips = [from, to].map(|end| tips.contains(&end));
            self.interval(cell, what, Interval { from, to, tips }, MOST_CUTS);
        }
        let [across, along] = self.errors;
        let allowed = what.allowed.max(what.rounding * self.area);
        let resolved = across.max(along) <= allowed.max(what.accuracy * self.sum);
        let worst = if along > across { self.along } else { 1 - self.along };
        (!resolved).then_some(worst)
    }

    /// Adds the places where the zeros on both sides of the ridge meet, as the depth of the ridge is zero.
    fn tips(&self, cell: &One<'_, '_>, what: &Followed, tips: &mut [f64; roots::MOST], count: &mut usize) {
        let height = |s: f64| {
            let (value, slopes) = cell.level(what.below, 0, self.place(s, self.ridge(cell, what, s)));
            (value, slopes[1 - self.along])
        };
        roots::all(height, tips, count);
        let ends = [height(0.0), height(1.0)];
        if *count > 0 || !(ends[0].1 > 0.0 && ends[1].1 < 0.0) {
            return;
        }
        // a patch may be small in the cell
        let summit = roots::top(|s| height(s).1);
        let top = height(summit).0;
        if top > 0.0 {
            for (end, (value, _)) in [0.0, 1.0].into_iter().zip(ends).filter(|(_, (value, _))| *value < 0.0) {
                tips[*count] = roots::beside(height, end, value, summit, top);
                *count += 1;
            }
        }
    }

    /// Puts lines between two places; where zeros change their order, on both sides of that.
    fn interval(&mut self, cell: &One<'_, '_>, what: &Followed, interval: Interval, cuts: usize) {
        let Interval { from, to, .. } = interval;
        let size = to - from;
        if !(size > 0.0) {
            return;
        }
        let n = cell.rule.len();
        let mut lines = [Line { s: from, zeros: [1.0; FUNCTIONS] }; gauss::MOST + 2];
        for (line, node) in lines[1..=n].iter_mut().zip(&cell.rule.nodes) {
            *line = self.line(cell, what, interval.place(*node).0);
        }
        if what.crossing.iter().filter(|c| **c).count() > 1 {
            // zeros could cross before the first line or after the last
            lines[0] = self.line(cell, what, from + size * NEAR_END);
            lines[n + 1] = self.line(cell, what, to - size * NEAR_END);
            if let Some(k) = (0..=n).find(|k| !same_order(&lines[*k], &lines[k + 1])) {
                match self.crossing(cell, what, &lines[k], &lines[k + 1]).filter(|_| cuts > 0) {
                    Some(s) => {
                        self.interval(cell, what, Interval { from, to: s, ..interval }, cuts - 1);
                        return self.interval(cell, what, Interval { from: s, to, ..interval }, cuts - 1);
                    }
                    None => self.errors[0] = f64::INFINITY,
                }
            }
            if let Some(hidden) = hidden(cell, &lines[1..=n]) {
                let line = self.line(cell, what, from + size * hidden);
                let k = (0..=n).rev().find(|k| lines[*k].s < line.s).unwrap_or(0);
                match self.crossing(cell, what, &lines[k], &line).filter(|_| cuts > 0) {
                    Some(s) => {
                        self.interval(cell, what, Interval { from, to: s, ..interval }, cuts - 1);
                        return self.interval(cell, what, Interval { from: s, to, ..interval }, cuts - 1);
                    }
                    None => self.errors[0] = f64::INFINITY,
                }
            }
        }
        let mut values = [0.0; gauss::MOST];
        for (k, (value, line)) in values.iter_mut().zip(&lines[1..=n]).enumerate() {
            let (weight, (_, speed)) = (size * cell.rule.weights[k], interval.place(cell.rule.nodes[k]));
            *value = self.visit(cell, what.below, line, weight * speed) * speed;
            self.sum += weight * value.abs();
        }
        self.errors[0] += cell.rule.error_along(&values[..n], cell.fall(1 - self.along)) * size;
    }

    /// Where the depth is largest on the line at `s`.
    fn ridge(&self, cell: &One<'_, '_>, what: &Followed, s: f64) -> f64 {
        roots::top(|t| cell.level(what.below, 0, self.place(s, t)).1[self.along])
    }

    /// Where the functions are zero on the line at `s`.
    fn line(&self, cell: &One<'_, '_>, what: &Followed, s: f64) -> Line {
        if self.is_ridged {
            return self.line_with_ridge(cell, what, s);
        }
        let zero = |which: usize| {
            if !what.crossing[which] {
                return 1.0;
            }
            let level = |t: f64| {
                let (value, slopes) = cell.level(what.below, which, self.place(s, t));
                (value, slopes[self.along])
            };
            let (a, b) = (level(0.0).0, level(1.0).0);
            if (a < 0.0) == (b < 0.0) { 1.0 } else { roots::between(level, 0.0, a, 1.0, b) }
        };
        Line { s, zeros: std::array::from_fn(zero) }
    }

    /// Where the depth is zero before and beyond its ridge on the line at `s`.
    fn line_with_ridge(&self, cell: &One<'_, '_>, what: &Followed, s: f64) -> Line {
        let level = |t: f64| {
            let (value, slopes) = cell.level(what.below, 0, self.place(s, t));
            (value, slopes[self.along])
        };
        let ridge = self.ridge(cell, what, s);
        let (top, mut zeros) = (level(ridge).0, [1.0; FUNCTIONS]);
        for (end, zero) in [0.0, 1.0].into_iter().zip(&mut zeros) {
            let value = level(end).0;
            if top > 0.0 && value < 0.0 {
                *zero = roots::beside(level, end, value, ridge, top);
            }
        }
        Line { s, zeros }
    }

    /// Where between two lines two zeros meet: by the rule of false position, with the weight of an end that stays halved (the Illinois algorithm).
    fn crossing(&self, cell: &One<'_, '_>, what: &Followed, first: &Line, second: &Line) -> Option<f64> {
        let is_zero = |line: &Line, k: usize| what.crossing[k] && line.zeros[k] < 1.0;
        let apart = |line: &Line, (i, j): (usize, usize)| line.zeros[i] - line.zeros[j];
        let pair = [(0, 1), (1, 2), (0, 2)].into_iter().find(|p| {
            let both = [first, second].iter().all(|line| is_zero(line, p.0) && is_zero(line, p.1));
            both && apart(first, *p) * apart(second, *p) < 0.0
        })?;
        let (mut a, mut b) = ((first.s, apart(first, pair)), (second.s, apart(second, pair)));
        for _ in 0..20 {
            let s = (a.0 * b.1 - b.0 * a.1) / (b.1 - a.1);
            let is_between = s > a.0.min(b.0) && s < a.0.max(b.0);
            if !is_between || (b.0 - a.0).abs() <= 1e-9 {
                break;
            }
            let line = self.line(cell, what, s);
            let value = apart(&line, pair);
            if value.abs() < 1e-9 {
                return Some(s);
            }
            if value * b.1 < 0.0 { (a, b) = (b, (s, value)) } else { (a.1, b) = (0.5 * a.1, (s, value)) }
        }
        Some(b.0)
    }

    /// Puts points on what of a line is inside, and returns the integral along it, per share of the other side.
    fn visit(&mut self, cell: &One<'_, '_>, below: Below, line: &Line, weight: f64) -> f64 {
        let mut sum = 0.0;
        let mut ends = [0.0, line.zeros[0], line.zeros[1], line.zeros[2], 1.0];
        ends.sort_unstable_by(f64::total_cmp);
        for pair in ends.windows(2) {
            let (from, size) = (pair[0], pair[1] - pair[0]);
            let inside = |t: f64| {
                let (_, x, _) = cell.spot(self.place(line.s, t));
                cell.depth(below, &x) > 0.0
            };
            if !(size > 0.0) || !inside(from + 0.5 * size) {
                continue;
            }
            let mut values = [0.0; gauss::MOST];
            for ((node, w), value) in cell.rule.nodes.iter().zip(&cell.rule.weights).zip(&mut values) {
                let (spot, x, area) = cell.spot(self.place(line.s, from + size * node));
                let depth = cell.depth(below, &x);
                let integrand = cell.density(&x, &spot.n, depth);
                *value = area * integrand;
                if depth > 0.0 {
                    let area = weight * w * size * area;
                    self.points.push((x, spot.n, integrand, area));
                    self.area += area;
                    sum += w * size * *value;
                }
            }
            let error = cell.rule.error_along(&values[..cell.rule.len()], cell.fall(self.along));
            self.errors[1] += error * size * weight;
        }
        sum
    }

    /// The area of the patch in the cell [m²], if that is a band or a small one.
    pub(super) fn area_beside_ridge(&self) -> Option<f64> {
        self.is_ridged.then_some(self.area)
    }

    /// Visits the points, and returns the integral of the magnitude.
    pub(super) fn give(&self, cell: &One<'_, '_>, visit: &mut Visit<'_>) -> f64 {
        self.points.iter().for_each(|(x, n, value, area)| visit(*x, cell.normal(n), *value, *area));
        self.sum
    }
}

/// Two zeros that come as near to each other between lines as this, relative to the cell, may cross.
const NEAR: f64 = 1e-4;

/// Where two zeros may cross and cross back between two of the lines.
fn hidden(cell: &One<'_, '_>, lines: &[Line]) -> Option<f64> {
    let (mut values, n) = ([0.0; gauss::MOST], lines.len());
    [(0, 1), (1, 2), (0, 2)].into_iter().find_map(|(i, j)| {
        values.iter_mut().zip(lines).for_each(|(value, line)| *value = line.zeros[i] - line.zeros[j]);
        let both = lines.iter().all(|line| line.zeros[i] < 1.0 && line.zeros[j] < 1.0);
        let same = values[..n].iter().all(|x| *x > 0.0) || values[..n].iter().all(|x| *x < 0.0);
        if !both || !same {
            return None;
        }
        let (s, least) = cell.rule.nearest_to_zero(&values[..n]);
        // at the ends of an interval they may meet
        (least < NEAR && s > 0.0 && s < 1.0).then_some(s)
    })
}

/// Whether the zeros of two lines are in the same order.
fn same_order(first: &Line, second: &Line) -> bool {
    let order = |line: &Line, a: usize, b: usize| line.zeros[a].total_cmp(&line.zeros[b]);
    [(0, 1), (1, 2), (0, 2)].into_iter().all(|(a, b)| order(first, a, b) == order(second, a, b))
}
