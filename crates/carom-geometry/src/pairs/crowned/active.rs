//! The minimum exactly, from nearby: Newton's method on the walls that hold.
//!
//! With W the walls that hold, the minimum is where ∇f + Σ_W λ_i ∇g_i = 0 and g_i = 0 for i in W. A wall with λ_i < 0 is let go of, one that is violated is added, until there is none of either: that
//! is the minimum of the convex problem. The same equations, differentiated, tell how the minimum moves with the poses.

use carom_base::{Pose, Scalar, Vec3};
use nalgebra::{SMatrix, SVector};

use super::program::{Bending, Limit, Program, Unknowns};

/// Walls that hold at most: three planes meet in a corner of each solid.
pub(super) const MOST_ACTIVE: usize = 6;
/// Six unknowns and the multipliers.
const ALL: usize = 6 + MOST_ACTIVE;
/// Steps at most; from the last solution it takes 2 to 4.
const MOST_STEPS: usize = 40;
/// Steps that do not overshoot, where others do.
const SHY_STEPS: usize = 6;
/// A point this much of the size beyond a wall is on it.
const ON_WALL: f64 = 1e-13;
/// Steps this small, relative to the size, are those of rounding.
const STILL: f64 = 1e-12;

/// Less of a gradient than this share of it beside others is no direction of its own.
const INDEPENDENT: f64 = 1e-7;

/// Gradients are of order one, and so are multipliers, unless walls nearly depend on each other.
const MOST_MULTIPLIER: f64 = 1e3;

type Square = SMatrix<f64, ALL, ALL>;
type Column = SVector<f64, ALL>;

/// Which walls hold.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Walls {
    list: [usize; MOST_ACTIVE],
    count: usize,
}

impl Walls {
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.list[..self.count].iter().copied()
    }

    /// Adds a wall; `false` if there is no room.
    pub(super) fn add(&mut self, wall: usize) -> bool {
        if self.count == MOST_ACTIVE || self.iter().any(|other| other == wall) {
            return false;
        }
        self.list[self.count] = wall;
        self.count += 1;
        true
    }

    /// The first of these walls that do not depend on those before them.
    pub(super) fn independent(program: &Program<'_>, w: &Unknowns, of: &[usize]) -> Option<Walls> {
        let mut walls = Walls::default();
        let mut basis = [Unknowns::zeros(); MOST_ACTIVE];
        for wall in of {
            let mut own = program.limit(*wall, w)?.gradient;
            (0..6).filter(|i| !program.free(*i)).for_each(|i| own[i] = 0.0);
            let length = own.norm();
            // twice, so that rounding of the first time goes too
            for _ in 0..2 {
                basis[..walls.count].iter().for_each(|e| own -= e * e.dot(&own));
            }
            let rest = own.norm();
            if rest > INDEPENDENT * length && walls.count < MOST_ACTIVE {
                basis[walls.count] = own / rest;
                walls.add(*wall);
            }
        }
        Some(walls)
    }

    fn remove(&mut self, index: usize) {
        self.list.copy_within(index + 1..self.count, index);
        self.count -= 1;
    }
}

/// The minimum.
#[derive(Clone, Copy, Debug)]
pub(super) struct Least {
    pub(super) w: Unknowns,
    pub(super) walls: Walls,
    pub(super) lambda: [f64; MOST_ACTIVE],
}

/// Finds the minimum from a point near it and a guess of the walls that hold; `None` if that leads nowhere. Where Newton's method overshoots, as cores are no further apart than they have moved, it begins with steps that do not.
pub(super) fn settle(program: &Program<'_>, w: &Unknowns, walls: Walls) -> Option<Least> {
    settle_after(program, w, walls, 0).or_else(|| settle_after(program, w, walls, SHY_STEPS))
}

/// The same, where the first `shy` steps are those of a function that is nowhere less than the distance.
fn settle_after(program: &Program<'_>, w: &Unknowns, walls: Walls, shy: usize) -> Option<Least> {
    let mut at = Least { w: *w, walls, lambda: multipliers(program, w, &walls)? };
    let mut last = f64::INFINITY;
    for count in 0..MOST_STEPS {
        let bending = if count < shy { Bending::Bound } else { Bending::Exact };
        let (mut matrix, residual) = equations(program, &at, bending)?;
        let mut step = -residual;
        solve(&mut matrix, &mut step.as_mut_slice()[..6 + at.walls.count])?;
        let moved = step.fixed_rows::<6>(0).amax();
        if !(moved <= program.size) {
            return None;
        }
        at.w += step.fixed_rows::<6>(0);
        (0..at.walls.count).for_each(|k| at.lambda[k] += step[6 + k]);
        // the last steps are those of rounding: they grow no smaller
        let still = moved <= STILL * program.size || (moved >= last && moved <= 1e3 * STILL * program.size);
        last = moved;
        if still && !exchange(program, &mut at)? {
            return Some(at);
        }
        if still {
            last = f64::INFINITY;
        }
    }
    None
}

/// The multipliers with which the walls balance the slope at a point best: Σ_j (∇g_i·∇g_j) λ_j = −∇g_i·∇f. (With none, curved walls would not bend the way of the first step, which leads far off then.) Those that would pull are zero, and all
/// are where the walls depend on each other.
fn multipliers(program: &Program<'_>, w: &Unknowns, walls: &Walls) -> Option<[f64; MOST_ACTIVE]> {
    let mut slope = program.objective(w, Bending::Exact)?.0;
    let held = |v: &mut Unknowns| (0..6).filter(|i| !program.free(*i)).for_each(|i| v[i] = 0.0);
    held(&mut slope);
    let mut gradients = [Unknowns::zeros(); MOST_ACTIVE];
    for (wall, gradient) in walls.iter().zip(&mut gradients) {
        *gradient = program.limit(wall, w)?.gradient;
        held(gradient);
    }
    let n = walls.count;
    let mut matrix = Square::zeros();
    for i in 0..n {
        (0..n).for_each(|j| matrix[(i, j)] = gradients[i].dot(&gradients[j]));
    }
    let mut found: [f64; MOST_ACTIVE] = std::array::from_fn(|i| -gradients[i].dot(&slope));
    let solved = solve(&mut matrix, &mut found[..n]);
    let mut lambda = [0.0; MOST_ACTIVE];
    if solved.is_some() && found[..n].iter().all(|own| own.abs() < MOST_MULTIPLIER) {
        (0..n).for_each(|k| lambda[k] = found[k].max(0.0));
    }
    Some(lambda)
}

/// Solves as many equations as there are right sides, whose matrix is symmetric, by elimination, and puts the solution in their place; `None` if they have no single solution.
fn solve<S: Scalar>(m: &mut Square, x: &mut [S]) -> Option<()> {
    let n = x.len();
    // (columns are rows, and lie together)
    let rows = m.as_mut_slice();
    for k in 0..n {
        let size = |row: &usize| rows[row * ALL + k].abs();
        let pivot = (k..n).max_by(|i, j| size(i).total_cmp(&size(j)))?;
        if !(size(&pivot) > 0.0) {
            return None;
        }
        if pivot != k {
            (k..n).for_each(|j| rows.swap(k * ALL + j, pivot * ALL + j));
            x.swap(k, pivot);
        }
        let (above, below) = rows.split_at_mut((k + 1) * ALL);
        let own = &above[k * ALL..][..n];
        for (i, row) in (k + 1..n).zip(below.chunks_exact_mut(ALL)) {
            let factor = row[k] / own[k];
            if factor != 0.0 {
                row[k + 1..n].iter_mut().zip(&own[k + 1..]).for_each(|(a, b)| *a -= factor * b);
                x[i] -= x[k] * S::from_f64(factor);
            }
        }
    }
    for k in (0..n).rev() {
        let row = &rows[k * ALL..][..n];
        let sum = (k + 1..n).fold(x[k], |sum, j| sum - x[j] * S::from_f64(row[j]));
        x[k] = sum * S::from_f64(1.0 / row[k]);
    }
    x.iter().map(|x| x.value()).sum::<f64>().is_finite().then_some(())
}

/// Lets go of the wall that pulls most, or adds the one that is violated most; returns whether there was any.
fn exchange(program: &Program<'_>, at: &mut Least) -> Option<bool> {
    let pulls = (0..at.walls.count).map(|k| (k, at.lambda[k]));
    if let Some((k, lambda)) = pulls.min_by(|a, b| a.1.total_cmp(&b.1))
        && lambda < -1e-12
    {
        at.walls.remove(k);
        at.lambda.copy_within(k + 1.., k);
        return Some(true);
    }
    let mut worst = (ON_WALL * program.size, None);
    for i in (0..program.count()).filter(|i| !at.walls.iter().any(|held| held == *i)) {
        let g = program.value(i, &at.w)?;
        if g > worst.0 {
            worst = (g, Some(i));
        }
    }
    let Some(violated) = worst.1 else { return Some(false) };
    if !at.walls.add(violated) {
        return None;
    }
    at.lambda[at.walls.count - 1] = 0.0;
    Some(true)
}

/// The equations of the minimum and their derivatives.
fn equations(program: &Program<'_>, at: &Least, bending: Bending) -> Option<(Square, Column)> {
    let (mut slope, mut hessian) = program.objective(&at.w, bending)?;
    let (mut matrix, mut residual) = (Square::identity(), Column::zeros());
    for (k, wall) in at.walls.iter().enumerate() {
        let Limit { g, gradient, hessian: bend } = program.limit(wall, &at.w)?;
        slope += gradient * at.lambda[k];
        hessian += bend * at.lambda[k];
        residual[6 + k] = g;
        matrix.fixed_view_mut::<6, 1>(0, 6 + k).copy_from(&gradient);
        matrix.fixed_view_mut::<1, 6>(6 + k, 0).copy_from(&gradient.transpose());
        matrix[(6 + k, 6 + k)] = 0.0;
    }
    matrix.fixed_view_mut::<6, 6>(0, 0).copy_from(&hessian);
    residual.fixed_rows_mut::<6>(0).copy_from(&slope);
    for i in (0..6).filter(|i| !program.free(*i)) {
        matrix.row_mut(i).fill(0.0);
        matrix.column_mut(i).fill(0.0);
        (matrix[(i, i)], residual[i]) = (1.0, 0.0);
    }
    Some((matrix, residual))
}

/// The minimum and its multipliers with derivatives by those of the poses: one more step of Newton's method, whose residual carries them. `x` is A's frame in B's, with derivatives, and `inset` those of how far B's walls are further in [m]; its value counts for nothing.
pub(super) fn differentiate<S: Scalar>(
    program: &Program<'_>,
    at: &Least,
    x: &Pose<S>,
    inset: S,
) -> Option<(SVector<S, 6>, [S; MOST_ACTIVE])> {
    let (mut matrix, _) = equations(program, at, Bending::Exact)?;
    let mut step = residual_by_pose(program, at, x, inset - S::from_f64(inset.value()))?;
    solve(&mut matrix, &mut step[..6 + at.walls.count])?;
    let mut w = SVector::from_fn(|i, _| S::from_f64(at.w[i]) - step[i]);
    if let Some(tip) = program.tips[1].filter(|_| program.held[1]) {
        // (held, it moves as the tip does)
        let way = tip.way_inwards();
        (0..3).for_each(|i| w[3 + i] += (inset - S::from_f64(inset.value())) * S::from_f64(way[i]));
    }
    Some((w, std::array::from_fn(|k| S::from_f64(at.lambda[k]) - step[6 + k])))
}

/// The residual at the minimum, with its derivatives by the poses and by how far B's walls go inwards.
fn residual_by_pose<S: Scalar>(program: &Program<'_>, at: &Least, x: &Pose<S>, inset: S) -> Option<[S; ALL]> {
    let constant = |v: &Vec3| v.map(S::from_f64);
    let mut residual = [S::from_f64(0.0); ALL];
    let p = constant(&Program::p(&at.w));
    let put = |residual: &mut [S; ALL], row: usize, v: &Vec3<S>| {
        (0..3).filter(|i| program.free(row + i)).for_each(|i| residual[row + i] += v[i]);
    };
    let tip = program.tips[1].filter(|_| program.held[1]);
    let follows = tip.map_or(Vec3::zeros(), |tip| tip.way_inwards());
    let q = constant(&Program::q(&at.w)) + constant(&follows) * inset;
    let apart = q - x.point(&p);
    let n = apart / apart.dot(&apart).sqrt();
    put(&mut residual, 0, &-x.direction_to_local(&n));
    put(&mut residual, 3, &n);
    for (k, wall) in at.walls.iter().enumerate() {
        let Some(wall) = wall.checked_sub(program.a.walls.len()) else { continue };
        let (g, gradient) = program.wall_of_b(wall)?.by_inset(&Program::q(&at.w));
        residual[6 + k] = inset * S::from_f64(g);
        put(&mut residual, 3, &(constant(&gradient) * (inset * S::from_f64(at.lambda[k]))));
    }
    // at the minimum the residual itself is zero to rounding: what counts is how it changes
    residual.iter_mut().for_each(|r| *r -= S::from_f64(r.value()));
    Some(residual)
}
