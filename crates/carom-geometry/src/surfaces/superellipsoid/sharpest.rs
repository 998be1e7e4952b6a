//! The largest curvature of a superellipsoid, with proof: branch and bound over the shares of its axes.
//!
//! Every point of an octant has shares cos²β cos²α, cos²β sin²α, sin²β of x, y, z. For a cell of angles the form at hand gives a bound
//! on the curvature (`sharpest_in`) from intervals of the shares; all its terms are monotonic in them. As the cell shrinks it comes down
//! to the curvature itself. Cells whose bound is hardly above a curvature already found are done, others are halved.
//!
//! Checked: ellipsoids, superellipses' closed form, sampling over the surface (`tests/superellipsoid.rs`).

use std::f64::consts::FRAC_PI_2;
use std::ops::{Add, Mul};

/// An interval of numbers that are not negative.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) lo: f64,
    pub(super) hi: f64,
}

impl Span {
    /// x^p, p ≥ 0.
    pub(super) fn power(self, p: f64) -> Span {
        Span { lo: self.lo.powf(p), hi: self.hi.powf(p) }
    }
    pub(super) fn squared(self) -> Span {
        Span { lo: self.lo * self.lo, hi: self.hi * self.hi }
    }
    /// The largest x/(x + y).
    pub(super) fn most_of(&self, other: &Span) -> f64 {
        if self.hi > 0.0 { self.hi / (self.hi + other.lo) } else { 0.0 }
    }
}

impl Add for Span {
    type Output = Span;
    fn add(self, other: Span) -> Span {
        Span { lo: self.lo + other.lo, hi: self.hi + other.hi }
    }
}

impl Mul for Span {
    type Output = Span;
    fn mul(self, other: Span) -> Span {
        Span { lo: self.lo * other.lo, hi: self.hi * other.hi }
    }
}

impl Mul<f64> for Span {
    type Output = Span;
    fn mul(self, factor: f64) -> Span {
        Span { lo: self.lo * factor, hi: self.hi * factor }
    }
}

/// Intervals of the shares: x and y together, z; of the first, those of x and y.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub(super) plane: Span,
    pub(super) axis: Span,
    pub(super) first: Span,
    pub(super) second: Span,
}

impl Cell {
    fn new(alpha: [f64; 2], beta: [f64; 2]) -> Cell {
        let cosine = |[a, b]: [f64; 2]| Span { lo: b.cos().max(0.0), hi: a.cos().max(0.0) }.squared();
        let sine = |[a, b]: [f64; 2]| Span { lo: a.sin(), hi: b.sin() }.squared();
        Cell { plane: cosine(beta), axis: sine(beta), first: cosine(alpha), second: sine(alpha) }
    }
}

/// That of a symmetric matrix of entries no less than zero; it grows with every one of them.
pub(super) fn largest_eigenvalue(a: f64, b: f64, c: f64) -> f64 {
    0.5 * (a + b) + (0.5 * (a - b)).hypot(c)
}

/// How far above the largest curvature found the bound may be.
const CLOSE: f64 = 1.15;
/// Cells looked at, at most: then the bound is what it is.
const MOST_CELLS: usize = 20_000;

/// No less than the largest curvature, and less than `CLOSE` times it: `bound` is one for a cell of shares.
pub(super) fn largest_curvature(bound: impl Fn(&Cell) -> f64) -> f64 {
    const START: usize = 8;
    let node = |i: usize| FRAC_PI_2 * i as f64 / START as f64;
    let mut cells = Vec::new();
    for (i, j) in (0..START).flat_map(|i| (0..START).map(move |j| (i, j))) {
        cells.push(([node(i), node(i + 1)], [node(j), node(j + 1)]));
    }
    let middle = |[a, b]: [f64; 2]| 0.5 * (a + b);
    // a cell without extent: the curvature itself
    let at = |a: f64, b: f64| bound(&Cell::new([a, a], [b, b]));
    let mut found = cells.iter().map(|c| at(middle(c.0), middle(c.1))).fold(0.0, f64::max);
    let (mut most, mut looked) = (0.0f64, 0);
    while let Some((alpha, beta)) = cells.pop() {
        looked += 1;
        let highest = bound(&Cell::new(alpha, beta));
        let (a, b) = (middle(alpha), middle(beta));
        found = found.max(at(a, b));
        let wide = (alpha[1] - alpha[0]).max(beta[1] - beta[0]) > 1e-9;
        if highest <= CLOSE * found || !wide || looked > MOST_CELLS {
            most = most.max(highest);
            continue;
        }
        if alpha[1] - alpha[0] > beta[1] - beta[0] {
            cells.extend([([alpha[0], a], beta), ([a, alpha[1]], beta)]);
        } else {
            cells.extend([(alpha, [beta[0], b]), (alpha, [b, beta[1]])]);
        }
    }
    // the bounds are rounded in some dozens of operations
    most * (1.0 + 1e-13)
}
