//! The minimum by an interior-point method.
//!
//! With multipliers λ_i ≥ 0 the minimum is where ∇f + Σ λ_i ∇g_i = 0 and λ_i g_i = 0. Newton's method on the first and on λ_i g_i = −μ, with μ made smaller at every step, stays
//! within the walls (S. Wright, Primal-Dual Interior-Point Methods, 1997): it needs no guess of which walls hold, and corners and edges are no special cases.

use super::program::{Bending, MOST_WALLS, Matrix, Program, Unknowns};

/// Steps at most; 12 to 20 are usual.
const MOST_STEPS: usize = 80;
/// How much of the way to the nearest wall a step goes.
const SHY: f64 = 0.99;
/// Products λ g below this, relative to the size, tell which walls hold; `active.rs` finds the point itself.
const SMALL: f64 = 1e-13;

/// Where the method ended: the unknowns and the multipliers of all walls.
pub(super) struct Near {
    pub(super) w: Unknowns,
    pub(super) lambda: [f64; MOST_WALLS],
}

/// What Newton's method needs of a point.
struct Look {
    limits: [(f64, Unknowns); MOST_WALLS],
    /// ∇f + Σ λ_i ∇g_i
    tilt: Unknowns,
    /// its derivative, with what eliminating the multipliers adds
    matrix: Matrix,
    /// the mean of −λ_i g_i [m]
    mean: f64,
}

fn look(program: &Program<'_>, w: &Unknowns, lambda: &[f64]) -> Option<Look> {
    let (mut tilt, mut matrix) = program.objective(w, Bending::Bound)?;
    let mut mean = 0.0;
    let mut limits = [(0.0, Unknowns::zeros()); MOST_WALLS];
    for (i, lambda) in lambda.iter().enumerate() {
        let limit = program.limit(i, w)?;
        limits[i] = (limit.g, limit.gradient);
        mean -= lambda * limit.g;
        tilt += limit.gradient * *lambda;
        matrix += limit.hessian * *lambda + limit.gradient * limit.gradient.transpose() * (lambda / -limit.g);
    }
    mean /= lambda.len() as f64;
    for i in (0..6).filter(|i| !program.free(*i)) {
        matrix.row_mut(i).fill(0.0);
        matrix.column_mut(i).fill(0.0);
        (matrix[(i, i)], tilt[i]) = (1.0, 0.0);
        limits[..lambda.len()].iter_mut().for_each(|(_, gradient)| gradient[i] = 0.0);
    }
    Some(Look { limits, tilt, matrix, mean })
}

/// Goes to where the products λ g are small; `None` if the steps do not lead there.
pub(super) fn approach(program: &Program<'_>) -> Option<Near> {
    let mut near = Near { w: program.start(), lambda: [1.0; MOST_WALLS] };
    let count = program.count();
    let mut share: f64 = 0.5;
    for _ in 0..MOST_STEPS {
        let at = look(program, &near.w, &near.lambda[..count])?;
        if at.mean <= SMALL * program.size && at.tilt.amax() <= 1e-9 {
            return Some(near);
        }
        // the products fall fast after a long step; after a short one they are made equal first
        let mu = at.mean * ((1.0 - share) * (1.0 - share)).clamp(1e-3, 0.9);
        share = match advance(program, &at, mu, &mut near.w, &mut near.lambda[..count]) {
            Some(share) => share,
            // walls are as near as rounding leaves them
            None => return (at.mean <= 1e-6 * program.size).then_some(near),
        };
    }
    None
}

/// Makes a step of Newton's method towards λ_i g_i = −μ, and returns how much of it the walls left; `None` if nothing.
fn advance(program: &Program<'_>, at: &Look, mu: f64, w: &mut Unknowns, lambda: &mut [f64]) -> Option<f64> {
    let factors = at.matrix.cholesky()?;
    let limits = &at.limits[..lambda.len()];
    let mut slope = at.tilt;
    for ((g, gradient), lambda) in limits.iter().zip(lambda.iter()) {
        slope += gradient * (mu / -g - lambda);
    }
    let step = -factors.solve(&slope);
    // λ_i + dλ_i = (μ + λ_i ∇g_i·dw)/(−g_i)
    let change =
        |(g, gradient): &(f64, Unknowns), lambda: f64| (mu + lambda * gradient.dot(&step)) / -g - lambda;
    let mut share: f64 = 1.0;
    for (limit, lambda) in limits.iter().zip(lambda.iter()) {
        let (closer, change) = (limit.1.dot(&step), change(limit, *lambda));
        if closer > 0.0 {
            share = share.min(SHY * -limit.0 / closer);
        }
        if change < 0.0 {
            share = share.min(SHY * lambda / -change);
        }
    }
    // what is curved bends towards the step
    let within = |next: &Unknowns| (0..limits.len()).all(|i| program.value(i, next).is_some_and(|g| g < 0.0));
    while !within(&(*w + step * share)) {
        share *= 0.7;
        if share < 1e-10 {
            return None;
        }
    }
    *w += step * share;
    limits
        .iter()
        .zip(lambda.iter_mut())
        .for_each(|(limit, lambda)| *lambda += share * change(limit, *lambda));
    Some(share)
}
