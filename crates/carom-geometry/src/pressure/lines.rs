//! Cells that are cut by lines on which functions are zero.

use super::gauss;
use super::grid::{Below, FUNCTIONS, Grid};
use super::implicit::{One, Visit};
use super::roots;

/// A line across a cell: where it is, its weight, and where each function is zero on it; one, where it is not.
#[derive(Clone, Copy, Debug)]
struct Line {
    s: f64,
    weight: f64,
    zeros: [f64; FUNCTIONS],
}

/// How near to the ends of an interval it is looked whether zeros cross, relative.
const NEAR_END: f64 = 1e-5;

/// Lines across a cell, along one parameter.
#[derive(Clone, Debug, Default)]
pub(super) struct Lines {
    along: usize,
    all: Vec<Line>,
}

impl Lines {
    /// Begins anew, with none.
    pub(super) fn start(&mut self, along: usize) {
        self.along = along;
        self.all.clear();
    }

    /// The shares of both sides, by that across the lines and that along them.
    fn place(&self, s: f64, t: f64) -> [f64; 2] {
        if self.along == 0 { [t, s] } else { [s, t] }
    }

    /// Puts lines between the places where functions are zero at the ends of lines; says whether the rule resolves where they are zero, to that accuracy, and no two of them are so at the same place.
    pub(super) fn follow(
        &mut self,
        cell: &One<'_, '_>,
        below: Below,
        crossing: [bool; FUNCTIONS],
        fine: f64,
    ) -> bool {
        let (mut ends, mut count) = ([0.0; roots::MOST], 1);
        for (which, t) in (0..FUNCTIONS).filter(|k| crossing[*k]).flat_map(|k| [(k, 0.0), (k, 1.0)]) {
            let edge = |s: f64| {
                let (value, slopes) = cell.level(below, which, self.place(s, t));
                (value, slopes[1 - self.along])
            };
            roots::all(edge, &mut ends, &mut count);
        }
        let count = (count + 1).min(roots::MOST);
        ends[count - 1] = 1.0;
        ends[..count].sort_unstable_by(f64::total_cmp);
        let mut resolved = true;
        for pair in ends[..count].windows(2) {
            let (from, size) = (pair[0], pair[1] - pair[0]);
            if !(size > 0.0) {
                continue;
            }
            let first = self.all.len();
            for (node, weight) in cell.rule.nodes.iter().zip(&cell.rule.weights) {
                let line = self.line(cell, below, crossing, from + size * node, size * weight);
                self.all.push(line);
            }
            let lines = &self.all[first..];
            resolved &= is_fine(cell, lines, crossing, fine / size);
            // zeros could cross before the first line or after the last
            if crossing.iter().filter(|c| **c).count() > 1 {
                let ends = [NEAR_END, 1.0 - NEAR_END].map(|t| from + size * t);
                let mut ends = ends.into_iter().map(|s| self.line(cell, below, crossing, s, 0.0));
                resolved &= ends.all(|end| lines.first().is_none_or(|first| same_order(first, &end)));
            }
        }
        resolved
    }

    /// Where the functions are zero on the line at `s`.
    fn line(
        &self,
        cell: &One<'_, '_>,
        below: Below,
        crossing: [bool; FUNCTIONS],
        s: f64,
        weight: f64,
    ) -> Line {
        let zero = |which: usize| {
            if !crossing[which] {
                return 1.0;
            }
            let level = |t: f64| {
                let (value, slopes) = cell.level(below, which, self.place(s, t));
                (value, slopes[self.along])
            };
            let (a, b) = (level(0.0).0, level(1.0).0);
            if (a < 0.0) == (b < 0.0) { 1.0 } else { roots::between(level, 0.0, a, 1.0, b) }
        };
        Line { s, weight, zeros: std::array::from_fn(zero) }
    }

    /// Visits what of the lines is inside, and returns ∫ d dS.
    pub(super) fn visit(&self, cell: &One<'_, '_>, grid: &Grid, visit: &mut Visit<'_>) -> f64 {
        let mut sum = 0.0;
        for Line { s, weight, zeros } in &self.all {
            let mut ends = [0.0, zeros[0], zeros[1], zeros[2], 1.0];
            ends.sort_unstable_by(f64::total_cmp);
            for pair in ends.windows(2) {
                let (from, size) = (pair[0], pair[1] - pair[0]);
                let inside = |t: f64| {
                    let (_, x, _) = cell.spot(self.place(*s, t));
                    cell.depth(grid.below, &x) > 0.0
                };
                if !(size > 0.0) || !inside(from + 0.5 * size) {
                    continue;
                }
                for (node, w) in cell.rule.nodes.iter().zip(&cell.rule.weights) {
                    let (spot, x, area) = cell.spot(self.place(*s, from + size * node));
                    let depth = cell.depth(grid.below, &x);
                    if depth > 0.0 {
                        visit(x, cell.normal(&spot.n), depth, weight * w * size * area);
                        sum += weight * w * size * area * depth;
                    }
                }
            }
        }
        sum
    }
}

/// Whether zeros follow from line to line smoothly, and in the same order.
fn is_fine(cell: &One<'_, '_>, lines: &[Line], crossing: [bool; FUNCTIONS], rough: f64) -> bool {
    let mut values = [0.0; gauss::MOST];
    for which in (0..FUNCTIONS).filter(|k| crossing[*k]) {
        values.iter_mut().zip(lines).for_each(|(value, line)| *value = line.zeros[which]);
        if cell.rule.error_along(&values[..cell.rule.len()]) > rough {
            return false;
        }
    }
    lines.split_first().is_none_or(|(first, others)| others.iter().all(|line| same_order(first, line)))
}

/// Whether the zeros of two lines are in the same order.
fn same_order(first: &Line, second: &Line) -> bool {
    let order = |line: &Line, a: usize, b: usize| line.zeros[a].total_cmp(&line.zeros[b]);
    [(0, 1), (1, 2), (0, 2)].into_iter().all(|(a, b)| order(first, a, b) == order(second, a, b))
}
