//! The minimum without a point to start from.

use super::active::{Least, MOST_ACTIVE, Walls, settle};
use super::interior;
use super::program::{MOST_WALLS, Program, Unknowns};

/// A point this much of the size outside B's core may count as within.
const AT_CORE: f64 = 1e-8;
/// A point this much of the size off the axis of a round wall may be on it.
const ON_AXIS: f64 = 1e-6;

/// Whether what was found solves the problem itself, not only as it was put.
pub(super) fn is_it(program: &Program<'_>, least: &Least) -> bool {
    // (at the core itself, the nearest point tells no direction, and the walls do)
    (!program.within || least.w[3] <= AT_CORE * program.size)
        && !program.is_at_free_tip(&least.w)
        && program.may_be_held(&least.w, least.held())
}

/// The minimum by the interior-point method, made exact. Of the walls that hold, those are kept whose multipliers are largest and that do not depend on others: where more planes meet in a corner than
/// three, or faces are parallel, some say the same. With it, whether it is exact, or only as near as the interior-point method comes.
pub(super) fn anew(program: &mut Program<'_>) -> Option<(Least, bool)> {
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
    if let Some(least) = settle_on_axis(program, &near.w, walls) {
        return Some((least, true));
    }
    // where Newton's method leads nowhere, as near as the interior-point method came
    let mut lambda = [0.0; MOST_ACTIVE];
    walls.iter().zip(&mut lambda).for_each(|(wall, own)| *own = near.lambda[wall]);
    Some((Least { w: near.w, walls, lambda }, false))
}

/// The minimum on the axis of B's round wall, if it is there: that wall's height has a kink there, at which Newton's method does not arrive by itself.
fn settle_on_axis(program: &mut Program<'_>, near: &Unknowns, walls: Walls) -> Option<Least> {
    if !program.may_be_on_axis(near, ON_AXIS) {
        return None;
    }
    program.on_axis = true;
    let mut all = [0; MOST_ACTIVE + 2];
    let mut count = 0;
    // the equations first: walls that say the same again are left out
    for wall in program.equations().chain(walls.iter()) {
        all[count] = wall;
        count += 1;
    }
    let least = Walls::independent(program, near, &all[..count])
        .and_then(|walls| settle(program, near, walls))
        .filter(|least| program.may_be_held(&least.w, least.held()));
    program.on_axis = least.is_some();
    least
}
