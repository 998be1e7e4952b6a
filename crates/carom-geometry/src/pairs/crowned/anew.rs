//! The minimum without a point to start from.

use super::active::{Least, MOST_ACTIVE, Walls, settle};
use super::interior;
use super::program::{MOST_WALLS, Program};

/// Whether what was found solves the problem itself, not only as it was put.
pub(super) fn is_it(program: &Program<'_>, least: &Least) -> bool {
    !program.is_at_free_tip(&least.w) && program.may_be_held(&least.w)
}

/// The minimum by the interior-point method, made exact. Of the walls that hold, those are kept whose multipliers are largest and that do not depend on others: where more planes meet in a corner than
/// three, or faces are parallel, some say the same. With it, whether it is exact, or only as near as the interior-point method comes.
pub(super) fn anew(program: &Program<'_>) -> Option<(Least, bool)> {
    let near = interior::approach(program)?;
    let mut order = [0; MOST_WALLS];
    let mut count = 0;
    for i in 0..program.count() {
        let slack = -program.limit(i, &near.w)?.g;
        if near.lambda[i] > slack / program.size {
            order[count] = i;
            count += 1;
        }
    }
    order[..count].sort_unstable_by(|i, j| near.lambda[*j].total_cmp(&near.lambda[*i]));
    let walls = Walls::independent(program, &near.w, &order[..count])?;
    if let Some(least) = settle(program, &near.w, walls) {
        return Some((least, true));
    }
    // where Newton's method leads nowhere, as near as the interior-point method came
    let mut lambda = [0.0; MOST_ACTIVE];
    walls.iter().zip(&mut lambda).for_each(|(wall, own)| *own = near.lambda[wall]);
    Some((Least { w: near.w, walls, lambda }, false))
}
