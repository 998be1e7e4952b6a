//! The values of depths at the nodes of a cell.

use carom_base::Vec3;

use super::depth::Below;
use super::gauss::{self, Fall, Rule};
use super::implicit::{One, Visit};

pub(super) const MOST_NODES: usize = gauss::MOST * gauss::MOST;
/// A point of a cell is this far at most from a node of the grid along each side, relative to that side.
pub(super) const GRID: f64 = 0.2;
/// A function that is followed along a parameter changes at least by this share of what it changes by elsewhere.
const STEADY: f64 = 0.2;
/// A depth that rises to a ridge and falls again is bent everywhere at least by this share of where it is bent most.
const BENT: f64 = 0.2;
/// The functions that are zero on lines through a cell: depths below two parts, and their difference.
pub(super) const FUNCTIONS: usize = 3;

impl Below {
    /// How many functions are looked at.
    fn functions(self) -> usize {
        match self {
            Below::Two(..) | Below::Seamed(_, _, Some(_)) => 3,
            Below::Seamed(_, _, None) => 2,
            _ => 1,
        }
    }

    /// How many of them are depths.
    fn depths(self) -> usize {
        if matches!(self, Below::Two(..)) { 2 } else { 1 }
    }
}

/// The values at the nodes of a cell.
pub(super) struct Grid {
    pub(super) below: Below,
    rule: &'static Rule,
    nodes: usize,
    places: [Vec3; MOST_NODES],
    normals: [Vec3; MOST_NODES],
    areas: [f64; MOST_NODES],
    values: [[f64; MOST_NODES]; FUNCTIONS],
    /// what is integrated, if that is not the depth
    density: Option<[f64; MOST_NODES]>,
    /// how its coefficients fall along both sides
    falls: [Fall; 2],
    slopes: [[[f64; MOST_NODES]; 2]; FUNCTIONS],
}

impl Grid {
    pub(super) fn new(cell: &One<'_, '_>, below: Below, rule: &'static Rule) -> Grid {
        let n = rule.len();
        let mut grid = Grid {
            below,
            rule,
            nodes: n * n,
            places: [Vec3::zeros(); MOST_NODES],
            normals: [Vec3::zeros(); MOST_NODES],
            areas: [0.0; MOST_NODES],
            values: [[0.0; MOST_NODES]; FUNCTIONS],
            density: cell.task.density.map(|_| [0.0; MOST_NODES]),
            falls: [0, 1].map(|along| cell.fall(along)),
            slopes: [[[0.0; MOST_NODES]; 2]; FUNCTIONS],
        };
        for k in 0..n * n {
            let (spot, x, area) = cell.spot([rule.nodes[k / n], rule.nodes[k % n]]);
            (grid.places[k], grid.normals[k], grid.areas[k]) = (x, spot.n, area);
            match below {
                Below::One(a) => grid.set(0, k, cell.below(a, &spot, &x)),
                Below::Two(a, b) => {
                    let (a, b) = (cell.below(a, &spot, &x), cell.below(b, &spot, &x));
                    grid.set(0, k, a);
                    grid.set(1, k, b);
                    grid.set(2, k, (a.0 - b.0, [a.1[0] - b.1[0], a.1[1] - b.1[1]]));
                }
                Below::Seamed(part, first, second) => {
                    grid.set(0, k, cell.below(part, &spot, &x));
                    grid.set(1, k, cell.seam(part, first, &spot, &x));
                    if let Some(second) = second {
                        grid.set(2, k, cell.seam(part, second, &spot, &x));
                    }
                }
                Below::Many => grid.set(0, k, (cell.depth(below, &x), [0.0; 2])),
            }
            let depth = grid.depth(k);
            if let Some(density) = &mut grid.density {
                density[k] = cell.density(&x, &spot.n, depth);
            }
        }
        grid.simplify();
        grid
    }

    fn set(&mut self, which: usize, k: usize, (value, slopes): (f64, [f64; 2])) {
        self.values[which][k] = value;
        (self.slopes[which][0][k], self.slopes[which][1][k]) = (slopes[0], slopes[1]);
    }

    /// Leaves out one of two parts that is not the nearest anywhere, and seams that do not pass.
    fn simplify(&mut self) {
        if let Below::Seamed(part, first, second) = self.below {
            let first = self.sign(1).is_none().then_some(first);
            let second = second.filter(|_| self.sign(2).is_none());
            self.below = match (first, second) {
                (Some(first), second) => Below::Seamed(part, first, second),
                (None, Some(second)) => {
                    self.values.swap(1, 2);
                    self.slopes.swap(1, 2);
                    Below::Seamed(part, second, None)
                }
                _ => Below::One(part),
            };
        }
        let Below::Two(a, b) = self.below else { return };
        match self.sign(2) {
            Some(true) => {
                self.values.swap(0, 1);
                self.slopes.swap(0, 1);
                self.below = Below::One(b);
            }
            Some(false) => self.below = Below::One(a),
            None => {}
        }
    }

    #[inline]
    fn depth(&self, k: usize) -> f64 {
        match self.below {
            Below::Two(..) => self.values[0][k].min(self.values[1][k]),
            _ => self.values[0][k],
        }
    }

    /// What is integrated, at a node with that depth.
    fn integrand(&self, k: usize, depth: f64) -> f64 {
        self.density.as_ref().map_or(depth, |density| density[k])
    }

    /// The depths at the nodes.
    pub(super) fn depths(&self) -> impl Iterator<Item = f64> + '_ {
        (0..self.nodes).map(|k| self.depth(k))
    }

    /// The least and the greatest derivative of a function by a parameter.
    fn range(&self, which: usize, by: usize) -> (f64, f64) {
        let fold = |(l, m): (f64, f64), x: &f64| (l.min(*x), m.max(*x));
        self.slopes[which][by][..self.nodes].iter().fold((f64::INFINITY, f64::NEG_INFINITY), fold)
    }

    /// How much a depth changes along each parameter at most [m], if it does so as fast as at the node where it is fastest.
    pub(super) fn changes(&self) -> [f64; 2] {
        let most = |which: usize, by: usize| {
            let (least, most) = self.range(which, by);
            least.abs().max(most.abs())
        };
        [0, 1].map(|by| (0..self.below.depths()).map(|which| most(which, by)).fold(0.0, f64::max))
    }

    /// How much a function can go beyond its values at the nodes, the ranges of its derivatives being given.
    fn stray(ranges: [(f64, f64); 2]) -> f64 {
        let most = |(l, m): (f64, f64)| l.abs().max(m.abs()) + 0.1 * (m - l);
        GRID * (most(ranges[0]) + most(ranges[1]))
    }

    /// Whether a function is positive all over the cell, or negative; `None` if it may be both.
    fn sign(&self, which: usize) -> Option<bool> {
        let stray = Grid::stray([self.range(which, 0), self.range(which, 1)]);
        let values = &self.values[which][..self.nodes];
        let positive = values.iter().all(|x| *x > stray);
        (positive || values.iter().all(|x| *x < -stray)).then_some(positive)
    }

    /// Whether no point of the cell can be deeper than that [m]. The lesser of two depths is no more than any mean of them: that one is taken which changes least.
    pub(super) fn is_within(&self, depth: f64) -> bool {
        match self.below {
            Below::One(_) | Below::Seamed(..) => self.mean_is_within(1.0, depth),
            Below::Two(..) => {
                let mean = |which: usize, by: usize| self.slopes[which][by][..self.nodes].iter().sum::<f64>();
                let (a, b) = ([mean(0, 0), mean(0, 1)], [mean(1, 0), mean(1, 1)]);
                let apart = [b[0] - a[0], b[1] - a[1]];
                let square = apart[0] * apart[0] + apart[1] * apart[1];
                let share = (b[0] * apart[0] + b[1] * apart[1]) / square.max(f64::MIN_POSITIVE);
                [0.0, 1.0, share.clamp(0.0, 1.0)].into_iter().any(|share| self.mean_is_within(share, depth))
            }
            Below::Many => false,
        }
    }

    /// Whether a mean of two depths, in which the first has this share, is nowhere in the cell more than that [m].
    fn mean_is_within(&self, share: f64, depth: f64) -> bool {
        let mean = |[a, b]: [f64; 2]| if share == 1.0 { a } else { share * a + (1.0 - share) * b };
        let range = |by: usize| {
            let fold = |(l, m): (f64, f64), x: f64| (l.min(x), m.max(x));
            let slope = |k: usize| mean([0, 1].map(|which| self.slopes[which][by][k]));
            (0..self.nodes).map(slope).fold((f64::INFINITY, f64::NEG_INFINITY), fold)
        };
        let stray = Grid::stray([range(0), range(1)]);
        (0..self.nodes).all(|k| mean([0, 1].map(|which| self.values[which][k])) + stray <= depth)
    }

    /// Which functions may be zero in the cell.
    pub(super) fn crossing(&self) -> [bool; FUNCTIONS] {
        let count = self.below.functions();
        std::array::from_fn(|which| which < count && self.sign(which).is_none())
    }

    /// The parameter along which the rule does not resolve the depths or the area.
    pub(super) fn unresolved(&self, rough: f64, noise: f64) -> Option<usize> {
        let across = |values: &[f64; MOST_NODES], noise: f64| {
            let largest = values[..self.nodes].iter().fold(0.0, |m: f64, x| m.max(x.abs()));
            let [u, v] = self.rule.errors(&values[..self.nodes], self.falls);
            (u.max(v) > (rough * largest).max(noise)).then_some(usize::from(v > u))
        };
        let depths = self.below.depths();
        across(&self.areas, 0.0)
            .or_else(|| self.values[..depths].iter().find_map(|values| across(values, noise)))
    }

    /// The same for what is integrated, if that is not the depth.
    pub(super) fn uneven(&self, rough: f64, noise: f64) -> Option<usize> {
        let values = self.density.as_ref()?;
        let largest = values[..self.nodes].iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let [u, v] = self.rule.errors(&values[..self.nodes], self.falls);
        (u.max(v) > (rough * largest).max(noise)).then_some(usize::from(v > u))
    }

    /// The parameter across which a cell is to be divided, as few nodes tell already; if a finer grid is of use, none.
    pub(super) fn too_large(&self) -> Option<usize> {
        let crossing = self.crossing();
        let is_cut = crossing.contains(&true) && !matches!(self.below, Below::Many);
        // (seams that are not followed may not matter)
        let by_seams = !crossing[0] && matches!(self.below, Below::Seamed(..));
        let can_be_followed = || self.steady(crossing).is_some() || self.ridged().is_some();
        (is_cut && !by_seams && !can_be_followed()).then(|| self.unsteady(crossing))
    }

    /// The most that what is integrated can be other than the rule tells, as the coefficients of its highest polynomials are: where there are seams these need not fall any further.
    pub(super) fn rest(&self) -> f64 {
        let values: [f64; MOST_NODES] =
            std::array::from_fn(|k| self.areas[k] * self.integrand(k, self.depth(k)));
        self.rule.rest(&values[..self.nodes])
    }

    /// The parameter along which these functions change steadily, if there is one.
    pub(super) fn steady(&self, crossing: [bool; FUNCTIONS]) -> Option<usize> {
        // the least share of all functions
        let share = |along: usize| {
            let of = |which: usize| {
                let (l, m) = self.range(which, along);
                let least = if l > 0.0 { l } else { (-m).max(0.0) };
                let (below, above) = self.range(which, 1 - along);
                let most = l.abs().max(m.abs()).max(below.abs()).max(above.abs());
                if most > 0.0 { least / most } else { 0.0 }
            };
            (0..FUNCTIONS).filter(|which| crossing[*which]).map(of).fold(1.0, f64::min)
        };
        let shares = [share(0), share(1)];
        let along = usize::from(shares[1] > shares[0]);
        (shares[along] > STEADY).then_some(along)
    }

    /// The parameter along which the one depth there is rises to a ridge and falls beyond, if there is one: there its slope falls throughout, so that each line has one place where the depth is largest.
    pub(super) fn ridged(&self) -> Option<usize> {
        if !matches!(self.below, Below::One(_)) {
            return None;
        }
        let n = self.rule.len();
        let share = |along: usize| {
            let stride = if along == 0 { n } else { 1 };
            let (mut least, mut most) = (f64::INFINITY, 0.0f64);
            for (line, j) in (0..n).flat_map(|line| (0..n - 1).map(move |j| (line, j))) {
                let k = if along == 0 { line } else { line * n } + j * stride;
                let slopes = &self.slopes[0][along];
                let bend = (slopes[k] - slopes[k + stride]) / (self.rule.nodes[j + 1] - self.rule.nodes[j]);
                (least, most) = (least.min(bend), most.max(bend));
            }
            if most > 0.0 { least / most } else { 0.0 }
        };
        let shares = [share(0), share(1)];
        let along = usize::from(shares[1] > shares[0]);
        (shares[along] > BENT).then_some(along)
    }

    /// The parameter whose derivative changes most.
    pub(super) fn unsteady(&self, crossing: [bool; FUNCTIONS]) -> usize {
        let spread = |by: usize| {
            let of = |which: usize| {
                let (l, m) = self.range(which, by);
                m - l
            };
            (0..FUNCTIONS).filter(|which| crossing[*which]).map(of).sum::<f64>()
        };
        usize::from(spread(1) > spread(0))
    }

    /// The integral over the cell, roughly and not too large: one node of a few that are inside may be so by chance.
    pub(super) fn expected(&self) -> f64 {
        let (rule, n, mut sum, mut inside) = (self.rule, self.rule.len(), 0.0, 0);
        for (k, depth) in self.depths().enumerate().filter(|(_, depth)| *depth > 0.0) {
            let value = self.integrand(k, depth).abs();
            sum += rule.weights[k / n] * rule.weights[k % n] * self.areas[k] * value;
            inside += 1;
        }
        sum * f64::from(inside) / self.nodes as f64
    }

    /// Visits all nodes that are inside, and returns the integral of the magnitude.
    pub(super) fn all(&self, cell: &One<'_, '_>, visit: &mut Visit<'_>) -> f64 {
        let (rule, n, mut sum) = (self.rule, self.rule.len(), 0.0);
        for (k, depth) in self.depths().enumerate().filter(|(_, depth)| *depth > 0.0) {
            let area = rule.weights[k / n] * rule.weights[k % n] * self.areas[k];
            let value = self.integrand(k, depth);
            visit(self.places[k], cell.normal(&self.normals[k]), value, area);
            sum += area * value.abs();
        }
        sum
    }
}
