//! The largest curvature of a superellipsoid, with proof: branch and bound over the shares of its axes.
//!
//! Every point of an octant has shares cos²β cos²α, cos²β sin²α, sin²β of x, y, z. For a cell of angles the form at hand gives a bound
//! on the curvature (`sharpest_in`) from intervals of the shares; all its terms are monotonic in them. As the cell shrinks it comes down
//! to the curvature itself. The cell of the highest bound is halved until that is almost equal to a curvature found.
//!
//! Checked: ellipsoids, superellipses' closed form, sampling over the surface (`tests/superellipsoid.rs`).

use std::collections::BinaryHeap;
use std::f64::consts::FRAC_PI_2;
use std::ops::{Add, Mul};

use carom_base::elementary::{cos, hypot, pow, sin};

/// An interval of numbers that are not negative.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) lo: f64,
    pub(super) hi: f64,
}

impl Span {
    /// x^p, p ≥ 0.
    pub(super) fn power(self, p: f64) -> Span {
        Span { lo: pow(self.lo, p), hi: pow(self.hi, p) }
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
        let cosine = |[a, b]: [f64; 2]| Span { lo: cos(b).max(0.0), hi: cos(a).max(0.0) }.squared();
        let sine = |[a, b]: [f64; 2]| Span { lo: sin(a), hi: sin(b) }.squared();
        Cell { plane: cosine(beta), axis: sine(beta), first: cosine(alpha), second: sine(alpha) }
    }
}

/// That of a symmetric matrix of entries no less than zero; it grows with every one of them.
pub(super) fn largest_eigenvalue(a: f64, b: f64, c: f64) -> f64 {
    0.5 * (a + b) + hypot(0.5 * (a - b), c)
}

/// How far above the largest curvature found the bound may be.
const CLOSE: f64 = 1.15;
/// Cells looked at, at most: then the bound is what it is.
const MOST_CELLS: usize = 20_000;

/// Intervals of α and β with a bound on the curvature there, no less than zero: bits are in the order of their numbers.
struct Open {
    bound: u64,
    alpha: [f64; 2],
    beta: [f64; 2],
}

impl PartialEq for Open {
    fn eq(&self, other: &Open) -> bool {
        self.bound == other.bound
    }
}

impl Eq for Open {}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Open) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Open {
    fn cmp(&self, other: &Open) -> std::cmp::Ordering {
        self.bound.cmp(&other.bound)
    }
}

/// No less than the largest curvature, and less than `CLOSE` times it: `bound` is one for a cell of shares. The cell of the highest bound
/// is always the next to be halved.
pub(super) fn largest_curvature(bound: impl Fn(&Cell) -> f64) -> f64 {
    const START: usize = 4;
    let node = |i: usize| FRAC_PI_2 * i as f64 / START as f64;
    let middle = |[a, b]: [f64; 2]| 0.5 * (a + b);
    let mut found = 0.0f64;
    let open = |alpha: [f64; 2], beta: [f64; 2], found: &mut f64| {
        // a cell without extent: the curvature itself
        let (a, b) = (middle(alpha), middle(beta));
        *found = found.max(bound(&Cell::new([a, a], [b, b])));
        Open { bound: bound(&Cell::new(alpha, beta)).to_bits(), alpha, beta }
    };
    let mut cells = BinaryHeap::new();
    for (i, j) in (0..START).flat_map(|i| (0..START).map(move |j| (i, j))) {
        cells.push(open([node(i), node(i + 1)], [node(j), node(j + 1)], &mut found));
    }
    let mut most = 0.0;
    while let Some(Open { bound: highest, alpha, beta }) = cells.pop() {
        most = f64::from_bits(highest);
        if most <= CLOSE * found || cells.len() > MOST_CELLS {
            break;
        }
        let halves = if alpha[1] - alpha[0] > beta[1] - beta[0] {
            [([alpha[0], middle(alpha)], beta), ([middle(alpha), alpha[1]], beta)]
        } else {
            [(alpha, [beta[0], middle(beta)]), (alpha, [middle(beta), beta[1]])]
        };
        for (alpha, beta) in halves {
            cells.push(open(alpha, beta, &mut found));
        }
    }
    // the bounds are rounded in some dozens of operations
    most * (1.0 + 1e-13)
}
