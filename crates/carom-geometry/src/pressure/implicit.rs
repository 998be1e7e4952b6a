//! Integrals over the part of a curved surface that is within a solid.
//!
//! The surface is cut into cells, rectangles of the parameters of its pieces (`chart.rs`). In each the depth d of the other solid, the host, is one smooth function or the least of several (`depth.rs`), none of which changes
//! by more than the way a point goes: so most cells are known to be outside, or wholly inside. Those that the line d = 0 passes are integrated as R. I. Saye does (SIAM Journal on Scientific Computing 37 (2015) A993–A1019): along one
//! parameter, along which d rises or falls throughout, from zero to zero or to the end of the cell, and over the other parameter between the places where the line d = 0 leaves through those ends; on each interval by a Gauss rule. Where d rises to a ridge
//! and falls again, as across a band or a small patch within the cell, it is integrated between its two zeros, which meet at the tips of the patch. Likewise
//! cells that a line passes where two functions are as small, or several such lines that do not cross: what is between them is integrated. Cells in which neither can be done, or which the rule does not resolve, are cut into four, until they do not matter.

use carom_base::{Pose, Vec3};

use super::chart::{Chart, Spot};
use super::depth::{Below, Depth, Last, Nearest};
use super::gauss::{Fall, Rule};
use super::grid::{GRID, Grid};
use super::lines::{Followed, Lines};

/// A rectangle of the parameters of a piece.
#[derive(Clone, Copy, Debug)]
struct Cell {
    chart: usize,
    from: [f64; 2],
    size: [f64; 2],
    /// a closest point of the host's surface to the cell that this one is a half of
    near: Option<Nearest>,
}

/// Room for the cells of one call.
#[derive(Clone, Debug, Default)]
pub(super) struct Cellar {
    now: Vec<Cell>,
    next: Vec<Cell>,
    lines: Lines,
}

/// A point of an integral: where [m], the outward normal of the surface, the depth in the host [m] or what is integrated in its place, the area [m²].
pub(super) type Visit<'v> = dyn FnMut(Vec3, Vec3, f64, f64) + 'v;

/// What is integrated over, and how well.
pub(super) struct Task<'s> {
    /// the pieces of the surface
    pub(super) charts: &'s [Chart],
    /// the frame of the surface, seen from the host
    pub(super) x: Pose,
    pub(super) depth: &'s Depth,
    /// relative
    pub(super) accuracy: f64,
    /// what is integrated, if not the depth
    pub(super) density: Option<Density<'s>>,
}

/// What is integrated in place of the depth.
#[derive(Clone, Copy)]
pub(super) struct Density<'s> {
    /// by the place in the host's frame, the outward normal of the surface there, the depth [m], and the closest point of the host's surface found last, that to this place
    pub(super) at: &'s dyn Fn(&Vec3, &Vec3, f64, &Last) -> f64,
    /// about what it is divided by the depth
    pub(super) scale: f64,
}

/// The rounding of a depth, relative to the places it is the difference of.
const NOISE: f64 = 16.0 * f64::EPSILON;
/// Depths that are no more than this many times their rounding count as none: bodies that just touch would else be looked at down to the smallest cells.
const NOTHING: f64 = 25.0;
/// How well functions are resolved in a cell whose lines are followed, relative, so that their signs between the nodes are known.
const ROUGH: f64 = 1e-5;
/// Nodes along a side of a cell that tell whether its lines can be followed.
const TO_FOLLOW: usize = 6;
/// The rounding of an integral, relative to the largest of its points: most of it is lost in the mean.
const MEAN: f64 = 1.0 / 16.0;
/// How well a cell counts, relative, in which the closest point may leap from one side of the host to another: where it does so is not looked for.
const LEAPING: f64 = 1e-5;
/// A cell whose depth is this rough to a few nodes, relative, is rough to many.
const HOPELESS: f64 = 0.1;
/// How much longer than wide a cell may be that is divided lengthwise.
const LONGEST: f64 = 64.0;
/// The same, where the depth changes less along it than across.
const LONGEST_IN_A_BAND: f64 = 65536.0;
/// Cells at most: then all that are left are taken as they are.
const MOST_CELLS: usize = 200_000;
impl Task<'_> {
    fn frame(&self, chart: &Chart) -> Pose {
        self.x.then(&chart.at)
    }

    /// About what is integrated, divided by the depth.
    fn scale(&self) -> f64 {
        self.density.as_ref().map_or(1.0, |density| density.scale)
    }

    /// Whether a piece can be within the host, as far as its middle tells.
    fn can_reach(&self, chart: &Chart, last: &Last) -> bool {
        let reach = 0.5 * (chart.most[0] + chart.most[1]);
        let is_near = |p: Vec3| self.depth.near(&self.frame(chart).point(&p), reach, last).0 > -reach;
        chart.middle.is_none_or(is_near)
    }

    /// Visits points of the integral over what of the surface is in the host.
    pub(super) fn points(&self, cellar: &mut Cellar, visit: &mut Visit<'_>) {
        cellar.now.clear();
        let last = Last::default();
        for (chart, piece) in self.charts.iter().enumerate() {
            if self.can_reach(piece, &last) {
                cellar.now.push(Cell { chart, from: [0.0; 2], size: [1.0; 2], near: last.get() });
            }
        }
        let smooth_to = self.depth.smooth_to();
        let (mut seen, mut known, mut expected, mut rounding) = (0, 0.0, 0.0, 0.0);
        while !cellar.now.is_empty() {
            cellar.next.clear();
            // depths are rounded: no integral is known better than to that over its area
            let enough = (self.accuracy * (known + expected)).max(rounding);
            expected = 0.0;
            for k in 0..cellar.now.len() {
                let cell = cellar.now[k];
                seen += 1;
                let last = seen > MOST_CELLS || cell.size[0] < 1e-9;
                let frame = self.frame(&self.charts[cell.chart]);
                let mut one = One { smooth_to, ..One::new(self, cell, frame) };
                match one.go(enough, last, &mut cellar.lines, visit) {
                    Done::Counted(sum) => {
                        known += sum;
                        if sum > 0.0 {
                            rounding += MEAN * one.rounding;
                        }
                    }
                    Done::Divide(sum, across) => {
                        expected += sum;
                        let cell = Cell { near: one.last.get(), ..cell };
                        cellar.next.extend(cell.halves(one.not_too_long(across)));
                    }
                }
            }
            std::mem::swap(&mut cellar.now, &mut cellar.next);
        }
    }
}

impl Cell {
    fn halves(&self, across: usize) -> [Cell; 2] {
        let mut first = *self;
        first.size[across] *= 0.5;
        let mut second = first;
        second.from[across] += first.size[across];
        [first, second]
    }
}

/// What became of a cell, and ∫ d dS over it [m³]; if it is to be divided, roughly, and across which parameter.
enum Done {
    Counted(f64),
    Divide(f64, usize),
}

/// One cell.
pub(super) struct One<'t, 's> {
    pub(super) task: &'t Task<'s>,
    pub(super) rule: &'static Rule,
    /// relative to what it can add
    accuracy: f64,
    /// how far its integral may be wrong [m³], however small it is; and without what the rounding of depths allows
    allowed: f64,
    enough: f64,
    /// down to which depth [m] the closest points of the host do not leap
    smooth_to: f64,
    /// the rounding of depths [m], which no rule resolves, and of the integral over the cell
    noise: f64,
    rounding: f64,
    cell: Cell,
    frame: Pose,
    /// how much the depth changes along both parameters at most [m], as a few nodes tell
    changes: [f64; 2],
    /// how coefficients of polynomials fall along both sides
    falls: [Fall; 2],
    /// the closest point of the host's surface found last
    last: Last,
}

impl<'t, 's> One<'t, 's> {
    fn new(task: &'t Task<'s>, cell: Cell, frame: Pose) -> One<'t, 's> {
        One {
            task,
            rule: Rule::of(6),
            accuracy: task.accuracy,
            allowed: 0.0,
            enough: 0.0,
            smooth_to: f64::INFINITY,
            noise: 0.0,
            rounding: 0.0,
            cell,
            frame,
            changes: [0.0; 2],
            falls: [Fall::Geometric; 2],
            last: Last::new(cell.near),
        }
    }
}

impl One<'_, '_> {
    /// The point at these shares of the cell's sides, with its place in the host's frame and its area per share of both.
    #[inline]
    pub(super) fn spot(&self, at: [f64; 2]) -> (Spot, Vec3, f64) {
        let Cell { chart, from, size, .. } = self.cell;
        let mut spot =
            self.task.charts[chart].form.spot(from[0] + size[0] * at[0], from[1] + size[1] * at[1]);
        spot.by = [spot.by[0] * size[0], spot.by[1] * size[1]];
        let area = spot.by[0].cross(&spot.by[1]).norm();
        (spot, self.frame.point(&spot.p), area)
    }

    /// The depth below a part, and how it changes with the shares.
    #[inline]
    pub(super) fn below(&self, part: usize, spot: &Spot, x: &Vec3) -> (f64, [f64; 2]) {
        let (depth, gradient) = self.task.depth.part_near(part, x, &self.last);
        let gradient = self.frame.direction_to_local(&gradient);
        (depth, spot.by.map(|by| gradient.dot(&by)))
    }

    /// A function that is zero on a seam of a part, and how it changes with the shares.
    pub(super) fn seam(&self, part: usize, k: usize, spot: &Spot, x: &Vec3) -> (f64, [f64; 2]) {
        let (value, gradient) = self.task.depth.seam(part, k, x);
        let gradient = self.frame.direction_to_local(&gradient);
        (value, spot.by.map(|by| gradient.dot(&by)))
    }

    /// How far points of it are from its middle at most [m].
    fn reach(&self) -> f64 {
        let most = self.task.charts[self.cell.chart].most;
        0.5 * (most[0] * self.cell.size[0] + most[1] * self.cell.size[1])
    }

    fn go(&mut self, enough: f64, last: bool, lines: &mut Lines, visit: &mut Visit<'_>) -> Done {
        let reach = self.reach();
        let (_, x, area) = self.spot([0.5; 2]);
        let (depth, below) = self.task.depth.near(&x, reach, &self.last);
        if depth <= -reach {
            return Done::Counted(0.0);
        }
        let rough_edges = self.task.charts[self.cell.chart].is_rough;
        let is_seamed = matches!(below, Below::Seamed(..));
        self.falls = [0, 1].map(|k| Fall::of(is_seamed || (rough_edges && self.cell.from[k] == 0.0)));
        // a line through the cell that is not followed costs no more than this
        let scale = area * self.task.scale();
        // (where closest points leap it is not known where)
        let leaps = depth + reach > self.smooth_to;
        let most = if leaps { enough * (LEAPING / self.task.accuracy).max(1.0) } else { enough };
        let small = last || 0.05 * scale * reach <= 0.05 * most;
        self.noise = NOISE * (x.norm() + self.frame.p.norm() + self.task.x.p.norm());
        self.rounding = self.task.scale() * self.noise * area;
        self.enough = 0.03 * enough;
        self.allowed = self.enough.max(self.rounding);
        self.accuracy = (0.03 * enough / (scale * (depth.max(0.0) + reach))).clamp(self.accuracy, 0.1);
        self.rule = Rule::of(match self.accuracy {
            a if a > 1e-3 => 3,
            a if a > 1e-6 => 4,
            a if a > 1e-8 => 6,
            _ => 8,
        });
        let below = if matches!(below, Below::Many) { self.nearest_at_nodes(reach) } else { below };
        if matches!(below, Below::Many) && !small {
            return Done::Divide(0.0, self.longer());
        }
        // a few nodes first
        let few = Rule::of(3);
        let grid = Grid::new(self, below, few);
        self.changes = grid.changes();
        let outside = grid.depths().all(|depth| depth < -2.0 * GRID * reach);
        if outside || grid.is_within(NOTHING * self.noise) {
            return Done::Counted(0.0);
        }
        // another density than the depth may be large in a small cell
        let is_small = || self.task.density.is_none() || grid.expected() <= 0.05 * most;
        let small = last || (small && is_small());
        let hopeless = || grid.unresolved(HOPELESS, self.noise);
        if let Some(across) = grid.too_large().or_else(hopeless).filter(|_| !small) {
            return Done::Divide(grid.expected(), across);
        }
        let grid = self.finer(grid, below);
        match self.judge(&grid, small, lines) {
            Verdict::Outside => Done::Counted(0.0),
            Verdict::Inside => Done::Counted(grid.all(self, visit)),
            Verdict::Cut => {
                let scale = self.task.density.as_ref().map_or(1.0, |density| density.scale);
                self.rounding =
                    lines.area_beside_ridge().map_or(self.rounding, |area| scale * self.noise * area);
                Done::Counted(lines.give(self, visit))
            }
            Verdict::Divide(_) if small => Done::Counted(grid.all(self, visit)),
            Verdict::Divide(across) => Done::Divide(grid.expected(), across),
        }
    }

    /// The values at the nodes of the rule; if lines cut the cell, at as few as tell where these are, for the points of the integral are others.
    fn finer(&self, few: Grid, below: Below) -> Grid {
        let is_cut = |grid: &Grid| grid.crossing().contains(&true) && !matches!(grid.below, Below::Many);
        if self.rule.len() <= 3 {
            return few;
        }
        if is_cut(&few) {
            let grid = Grid::new(self, below, Rule::of(self.rule.len().min(TO_FOLLOW)));
            if self.rule.len() <= TO_FOLLOW || is_cut(&grid) {
                return grid;
            }
        }
        Grid::new(self, below, self.rule)
    }

    fn judge(&self, grid: &Grid, small: bool, lines: &mut Lines) -> Verdict {
        if matches!(grid.below, Below::Many) {
            return Verdict::Divide(self.longer());
        }
        let crossing = grid.crossing();
        let is_cut = crossing.contains(&true);
        if self.is_at_pole() && !small {
            // (a line is followed once the pole is in another cell)
            let resolved = !is_cut && grid.rest() <= self.allowed;
            return if resolved { Verdict::Inside } else { Verdict::Divide(self.longer()) };
        }
        // what the lines of a cell that is cut are between is resolved on its own
        let fine = if is_cut { self.accuracy.max(ROUGH) } else { self.accuracy };
        let rough = || grid.unresolved(fine, self.noise);
        let rounding = self.task.density.as_ref().map_or(0.0, |density| density.scale * self.noise);
        let uneven = || if is_cut { None } else { grid.uneven(fine, rounding) };
        if let Some(across) = rough().or_else(uneven).filter(|_| !small) {
            return Verdict::Divide(across);
        }
        if !is_cut {
            return if grid.depths().any(|d| d > 0.0) { Verdict::Inside } else { Verdict::Outside };
        }
        let (steady, ridged) = (grid.steady(crossing), || grid.ridged());
        let Some((along, is_ridged)) = steady.map(|k| (k, false)).or_else(|| Some((ridged()?, true))) else {
            let is_seamed = matches!(grid.below, Below::Seamed(..));
            if is_seamed && !crossing[0] && grid.rest() <= self.allowed {
                return Verdict::Inside;
            }
            return Verdict::Divide(if is_seamed { self.longer() } else { grid.unsteady(crossing) });
        };
        lines.start(along, is_ridged);
        let what = Followed {
            below: grid.below,
            crossing,
            // (a cell may be much larger than a band in it)
            allowed: if is_ridged { self.enough } else { self.allowed },
            rounding: if is_ridged { self.task.scale() * self.noise } else { 0.0 },
            accuracy: self.task.accuracy,
        };
        match lines.follow(self, &what) {
            Some(across) if !small => Verdict::Divide(across),
            _ => Verdict::Cut,
        }
    }

    /// Whether derivatives of the surface have no bound at its corner.
    fn is_at_pole(&self) -> bool {
        self.task.charts[self.cell.chart].has_pole && self.cell.from == [0.0; 2]
    }

    /// How the coefficients of polynomials fall along a side.
    pub(super) fn fall(&self, along: usize) -> Fall {
        self.falls[along]
    }

    /// Its lengths along both parameters [m], or more.
    fn lengths(&self) -> [f64; 2] {
        let most = self.task.charts[self.cell.chart].most;
        [most[0] * self.cell.size[0], most[1] * self.cell.size[1]]
    }

    /// The parameter along which it is longer.
    fn longer(&self) -> usize {
        let [first, second] = self.lengths();
        usize::from(second > first)
    }

    /// The parameter across which it is to be divided, but the longer one if it would become too narrow: what is to be resolved may be at one end of a long cell, where dividing it lengthwise is of no use. A
    /// patch that is a band, as of a ring in a seat, needs long cells, along which the depth changes little.
    fn not_too_long(&self, across: usize) -> usize {
        let (lengths, [first, second]) = (self.lengths(), self.changes);
        let along_a_band = if across == 0 { second < first } else { first < second };
        let longest = if along_a_band { LONGEST_IN_A_BAND } else { LONGEST };
        if longest * lengths[across] < lengths[1 - across] { 1 - across } else { across }
    }

    /// The parts of the host below which points of the cell can be, seen from several points, each of which stands for what is nearer to it.
    fn nearest_at_nodes(&self, reach: f64) -> Below {
        const SIDE: usize = 4;
        // no point is further from one of these than a share of the cell's reach
        let at = |k: usize| (k as f64 + 0.5) / SIDE as f64;
        let (mut one, mut two) = (None, None);
        for k in 0..SIDE * SIDE {
            let (_, x, _) = self.spot([at(k / SIDE), at(k % SIDE)]);
            let near = self.task.depth.near(&x, reach / SIDE as f64, &self.last).1;
            let parts = match near {
                Below::One(a) | Below::Seamed(a, ..) => [Some(a), None],
                Below::Two(a, b) => [Some(a), Some(b)],
                Below::Many => return Below::Many,
            };
            for part in parts.into_iter().flatten() {
                match (one, two) {
                    (None, _) => one = Some(part),
                    (Some(a), _) if a == part => {}
                    (_, None) => two = Some(part),
                    (_, Some(b)) if b == part => {}
                    _ => return Below::Many,
                }
            }
        }
        Below::of(one.into_iter().chain(two))
    }

    /// The outward normal of the surface, in the host's frame.
    pub(super) fn normal(&self, n: &Vec3) -> Vec3 {
        self.frame.direction(n)
    }

    /// The functions that are zero on lines through the cell: the depths below one part or two, and the difference of these, or those of seams; with their derivatives.
    #[inline]
    pub(super) fn level(&self, below: Below, which: usize, at: [f64; 2]) -> (f64, [f64; 2]) {
        let (spot, x, _) = self.spot(at);
        match (below, which) {
            (Below::One(a) | Below::Two(a, _) | Below::Seamed(a, ..), 0) => self.below(a, &spot, &x),
            (Below::Seamed(a, seam, _), 1) | (Below::Seamed(a, _, Some(seam)), 2) => {
                self.seam(a, seam, &spot, &x)
            }
            (Below::Two(_, b), 1) => self.below(b, &spot, &x),
            (Below::Two(a, b), _) => {
                let (a, b) = (self.below(a, &spot, &x), self.below(b, &spot, &x));
                (a.0 - b.0, [a.1[0] - b.1[0], a.1[1] - b.1[1]])
            }
            _ => (0.0, [0.0; 2]),
        }
    }

    /// What is integrated, at a point whose depth was found last, the normal being given in the frame of the piece.
    #[inline]
    pub(super) fn density(&self, x: &Vec3, n: &Vec3, depth: f64) -> f64 {
        match &self.task.density {
            Some(density) if depth > 0.0 => (density.at)(x, &self.normal(n), depth, &self.last),
            _ => depth,
        }
    }

    /// The depth at a point of the cell.
    #[inline]
    pub(super) fn depth(&self, below: Below, x: &Vec3) -> f64 {
        let part = |k: usize| self.task.depth.part_near(k, x, &self.last).0;
        match below {
            Below::One(a) | Below::Seamed(a, ..) => part(a),
            Below::Two(a, b) => part(a).min(part(b)),
            Below::Many => self.task.depth.least(x),
        }
    }
}

/// How a cell is dealt with.
enum Verdict {
    Outside,
    /// all of it counts
    Inside,
    /// lines cut it
    Cut,
    /// it is to be divided across this parameter
    Divide(usize),
}
