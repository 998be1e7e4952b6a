//! The point of a block nearest to another block, as near to its own corner as that allows: what keeps flat contacts
//! on several points that neither jump nor coincide.
//!
//! Blocks that lie flat on one another have no single nearest points, and those that do lie askew have them jump from
//! corner to corner with the least tilt. So each corner c of a block follows its own point x = c + Σ s_i d_i, d_i the
//! edges inwards, 0 ≤ s_i ≤ l_i, that minimises
//!
//!   F(s) = d(x) + |s|²/2R ,      R = ℓ/κ ,
//!
//! d the distance of x from the other block's core (an inset box, an axis: any box, flat ones included), or, deep within a rounded box, what takes its place there
//! ([`rounded`](super::rounded)). F is convex in s, its
//! minimum unique and continuous in the poses, and by the envelope theorem its rate is that of d at x held fast
//! in the material: (v_a − v_b)·n exactly. The second term says what is meant geometrically: towards its middle the block is crowned,
//! as rollers are, by |s|²/2R, at most κ/2 = 1/20,000 of its size. A corner over the middle of a face stays the contact point (s = 0); one
//! that hangs over an edge hands over to the nearest point that does not; where edges cross, that is the crossing.
//!
//! The minimum is found within the bounds, from the corner. Newton's method overshoots where the distance falls to a small part of what it
//! was: there d looks like a cone. So a step that enters another piece of d is followed by one of d ≤ (d² + d₀²)/2d₀, which touches d at d₀ and is
//! quadratic in each piece: it does not overshoot. Within a piece Newton's steps are the better ones. A handful ends at the minimum. Over one
//! face of the other block it is found in closed form, and the search beside it begins at the edge.

use carom_base::{Mat3, Scalar, Vec3};

use super::rounded::{Bend, Face, Level, Rounded};
use crate::error::PairFailure;

/// κ: how steeply a face falls off at its middle, seen from its corner. Tilts below it almost do not move a contact point, and
/// a contact that is not at a corner sinks in deeper by no more than κ/2 of the way to the middle.
const CROWN: f64 = 1e-4;
/// Newton's method on three unknowns of a convex function: more steps than any case needs.
const STEPS: usize = 60;
/// How often the edges beside a face are gone through, and how often each at most: where one leaves off is only a start.
const SWEEPS: usize = 2;
const BOUNDS: usize = 4;
/// Slopes below this are zero: they are sums of numbers of order one.
const FLAT: f64 = 1e-14;

/// Where a block begins and where it goes from there, in the core's frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block<S: Scalar = f64> {
    /// the corner [m]
    pub(super) corner: Vec3<S>,
    /// the edges from there inwards, unit vectors
    pub(super) inwards: [Vec3<S>; 3],
}

/// How far the point may go along each edge, and the crown's radius: fixed for good.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    /// [m]; zero where the block has no extent
    pub(super) length: Vec3,
    /// R⁻¹ [1/m]
    pub(super) crown: f64,
}

impl Reach {
    /// Points up to `length` [m] along the edges.
    pub(super) fn new(length: Vec3) -> Reach {
        Reach { length, crown: CROWN / length.max() }
    }

    /// R [m].
    pub(super) fn radius(&self) -> f64 {
        1.0 / self.crown
    }

    /// How much lower the crowned block is there than its corner [m].
    pub(super) fn sag<S: Scalar>(&self, s: &Vec3<S>) -> S {
        s.dot(s) * S::from_f64(0.5 * self.crown)
    }
}

/// The point found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slid<S: Scalar = f64> {
    /// how far it is from the corner along each edge [m]
    pub(super) s: Vec3<S>,
    /// the point, in the core's frame [m]
    pub(super) x: Vec3<S>,
    /// how deep it is
    pub(super) level: Level<S>,
}

impl<S: Scalar> Slid<S> {
    /// A point that does not slide.
    pub(super) fn of(solid: &Rounded, x: Vec3<S>) -> Result<Slid<S>, PairFailure> {
        Ok(Slid { s: Vec3::zeros(), x, level: solid.level(&x)? })
    }
}

/// What F looks like at some s.
struct Look {
    slid: Slid,
    f: f64,
    /// dF/ds
    slope: [f64; 3],
    /// how d bends
    bend: Bend,
}

fn look(solid: &Rounded, block: &Block, reach: &Reach, s: &Vec3) -> Result<Look, PairFailure> {
    let x = point(block, s);
    let level = solid.level(&x)?;
    let slope = level.slope();
    let slope = [0, 1, 2].map(|i| block.inwards[i].dot(&slope) + reach.crown * s[i]);
    Ok(Look {
        slid: Slid { s: *s, x, level },
        f: level.d + reach.sag(s),
        slope,
        bend: solid.bend(&x, &level),
    })
}

impl Look {
    /// Whether s_i may move: it is between its bounds, or the slope leads back there.
    fn free(&self, reach: &Reach) -> [bool; 3] {
        let s = &self.slid.s;
        [0, 1, 2].map(|i| {
            let (low, high) =
                (s[i] <= 0.0 && self.slope[i] >= 0.0, s[i] >= reach.length[i] && self.slope[i] <= 0.0);
            !low && !high
        })
    }

    /// What rounding makes of slopes: a direction is as uncertain as the point is, relative to its distance.
    fn rounding(&self) -> f64 {
        FLAT + f64::EPSILON * self.slid.x.amax() / self.bend.radius
    }

    /// The largest slope along a free s_i.
    fn steepness(&self, reach: &Reach) -> f64 {
        let free = self.free(reach);
        (0..3).filter(|i| free[*i]).map(|i| self.slope[i].abs()).fold(0.0, f64::max)
    }

    /// The second derivative of F, or of its bound from above, on the free s_i, one on the others' diagonal: of a distance d it is (P − u uᵀ)/d, P the
    /// coordinates beyond the core, and of (d² + d₀²)/2d₀ it is P/d₀.
    fn curvature(&self, block: &Block, reach: &Reach, free: &[bool; 3], model: Model) -> Mat3 {
        let Slid { level, .. } = &self.slid;
        let mut h = Mat3::identity();
        if let Some(deep) = &self.bend.deep {
            for i in (0..3).filter(|i| free[*i]) {
                let along = deep * block.inwards[i];
                for j in (0..3).filter(|j| free[*j]) {
                    h[(i, j)] = along.dot(&block.inwards[j]) + if i == j { reach.crown } else { 0.0 };
                }
            }
            return h;
        }
        let is_beyond = &self.bend.beyond;
        let beyond = block.inwards.map(|a| Vec3::from_fn(|k, _| if is_beyond[k] { a[k] } else { 0.0 }));
        let along = match model {
            Model::Newton => block.inwards.map(|a| a.dot(&level.u)),
            Model::Above => [0.0; 3],
        };
        let sharpness = if level.d > 0.0 { 1.0 / level.d } else { 0.0 };
        for i in 0..3 {
            for j in 0..3 {
                if free[i] && free[j] {
                    let bend = (beyond[i].dot(&block.inwards[j]) - along[i] * along[j]) * sharpness;
                    h[(i, j)] = bend + if i == j { reach.crown } else { 0.0 };
                }
            }
        }
        h
    }
}

/// What stands for F in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Model {
    /// its own value, slope and curvature
    Newton,
    /// (d² + d₀²)/2d₀ in place of d: never below it
    Above,
}

/// About where F is least, and whether it is so exactly. The block can leave one face of the solid least of all; over or below that F is a sum of parabolas, and as F is convex, a minimum found there is the one. Beside
/// the face it is about at the edge.
#[inline]
fn over_face(solid: &Rounded, block: &Block, reach: &Reach) -> Option<(Vec3, Option<Slid>)> {
    let corner = &block.corner;
    let stays = |j: usize| {
        let inwards = |i: usize| (-block.inwards[i][j] * corner[j].signum()).max(0.0) * reach.length[i];
        corner[j].abs() - solid.core[j] - (inwards(0) + inwards(1) + inwards(2))
    };
    let all = Vec3::new(stays(0), stays(1), stays(2));
    let face = solid.face(corner, all.imax())?;
    let s = across(&face, block, reach, &Vec3::zeros());
    let x = point(block, &s);
    if !(s.sum() + x.sum()).is_finite() {
        return None;
    }
    let is_flat = |there: &Face| there.side == face.side && there.overhang(&x) == Vec3::zeros();
    match solid.face(&x, face.axis).filter(is_flat) {
        Some(there) => Some((s, Some(Slid { s, x, level: solid.below_face(&x, &there) }))),
        None => Some((at_edges(&face, block, reach, s), None)),
    }
}

/// Where F is least that falls off as the face does, and beside it leans by `lean`: (slope_i + inwards_i·lean + s_i/R) = 0, or the bound before that.
#[inline]
fn across(face: &Face, block: &Block, reach: &Reach, lean: &Vec3) -> Vec3 {
    let slope = |i: usize| face.side * block.inwards[i][face.axis] + block.inwards[i].dot(lean);
    let s = |i: usize| (-slope(i) / reach.crown).clamp(0.0, reach.length[i]);
    Vec3::new(s(0), s(1), s(2))
}

/// About where F is least beside a face, close to its edges, from where it is least over the face: there d is higher by e²/2ρ, e the overhang, and leans by e/ρ. By Newton's method on that lean,
/// one edge after the other: each is a line bent at the bounds of s.
fn at_edges(face: &Face, block: &Block, reach: &Reach, mut s: Vec3) -> Vec3 {
    let mut lean: Vec3 = Vec3::zeros();
    for _ in 0..SWEEPS {
        let mut is_done = true;
        for j in (0..3).filter(|j| *j != face.axis) {
            let along = Vec3::new(block.inwards[0][j], block.inwards[1][j], block.inwards[2][j]);
            let side = 1f64.copysign(block.corner[j]);
            let mut goes = [0, 1, 2].map(|i| along[i] * side < 0.0);
            for _ in 0..BOUNDS {
                let beyond: f64 = face.beyond(block.corner[j] + along.dot(&s), j, side);
                let residual = beyond - face.rho * lean[j] * side;
                let is_within = residual < 0.0 && lean[j] == 0.0;
                if is_within || residual.abs() <= f64::EPSILON * block.corner[j].abs() {
                    break;
                }
                let give = |i: usize| if goes[i] { along[i] * along[i] } else { 0.0 };
                let more: f64 = residual / (face.rho + (give(0) + give(1) + give(2)) * reach.radius());
                lean[j] = side * (lean[j] * side + more).max(0.0);
                s = across(face, block, reach, &lean);
                goes = [0, 1, 2].map(|i| s[i] > 0.0 && s[i] < reach.length[i]);
                is_done = false;
            }
        }
        if is_done {
            break;
        }
    }
    s
}

/// The point of the block that minimises F.
pub(super) fn slide(solid: &Rounded, block: &Block, reach: &Reach) -> Result<Slid, PairFailure> {
    let start = match over_face(solid, block, reach) {
        Some((_, Some(found))) => return Ok(found),
        Some((s, None)) => s,
        None => Vec3::zeros(),
    };
    let mut at = look(solid, block, reach, &start)?;
    if !at.f.is_finite() {
        return Err(PairFailure::NotFinite);
    }
    let (mut deep, mut model) = (false, Model::Above);
    for count in 0..STEPS {
        if at.steepness(reach) <= at.rounding() {
            return Ok(at.slid);
        }
        let step = at.minimum_of_model(block, reach, model) - at.slid.s;
        // no lower to rounding: this is the minimum
        let Some(next) = descend(solid, block, reach, &at, &step)? else { return Ok(at.slid) };
        // (from the middle on, whatever the pieces do: Newton's method is sure to end)
        let stays = next.bend.beyond == at.bend.beyond || 2 * count > STEPS;
        model = if stays { Model::Newton } else { Model::Above };
        at = next;
        deep |= solid.has_kinks() && at.slid.level.d <= 0.0;
    }
    Err(if deep { PairFailure::TooDeep } else { PairFailure::NoConvergence(STEPS) })
}

impl Look {
    /// Where, within the bounds, the quadratic that F looks like from here has its minimum: by active sets, from here.
    fn minimum_of_model(&self, block: &Block, reach: &Reach, model: Model) -> Vec3 {
        let h = self.curvature(block, reach, &[true; 3], model);
        let slope = Vec3::from(self.slope);
        let start = self.slid.s;
        let (mut s, mut free) = (start, self.free(reach));
        for _ in 0..12 {
            let now: Vec3 = slope + h * (s - start);
            let whole = newton_step(&h, &now, &free);
            // as far as the first bound
            let room = |i: usize| match whole[i] {
                w if w > 0.0 => (reach.length[i] - s[i]) / w,
                w if w < 0.0 => -s[i] / w,
                _ => f64::INFINITY,
            };
            let (hit, share) =
                (0..3).map(|i| (i, room(i))).fold((3, 1.0), |m, r| if r.1 < m.1 { r } else { m });
            s += whole * share;
            if hit < 3 {
                s[hit] = if whole[hit] > 0.0 { reach.length[hit] } else { 0.0 };
                free[hit] = false;
                continue;
            }
            // let go of the bound that holds it back most
            let now: Vec3 = slope + h * (s - start);
            let pull = |i: usize| match free[i] {
                true => 0.0,
                false if s[i] <= 0.0 => -now[i],
                false => now[i],
            };
            let (most, by) =
                (0..3).map(|i| (i, pull(i))).fold((0, 0.0), |m, p| if p.1 > m.1 { p } else { m });
            if by <= FLAT {
                break;
            }
            free[most] = reach.length[most] > 0.0;
        }
        s
    }
}

/// Newton's step on the free unknowns, by the factors L D Lᵀ of the matrix; down the slope where it is not positive definite.
pub(super) fn newton_step(h: &Mat3, slope: &Vec3, free: &[bool; 3]) -> Vec3 {
    let b = [0, 1, 2].map(|i| if free[i] { -slope[i] } else { 0.0 });
    let at = |i: usize, j: usize| match free[i] && free[j] {
        true => h[(i, j)],
        false => f64::from(u8::from(i == j)),
    };
    let d0 = at(0, 0);
    let (l10, l20) = (at(1, 0) / d0, at(2, 0) / d0);
    let d1 = at(1, 1) - l10 * at(1, 0);
    let l21 = (at(2, 1) - l20 * at(1, 0)) / d1;
    let d2 = at(2, 2) - l20 * at(2, 0) - l21 * l21 * d1;
    if !(d0 > 0.0 && d1 > 0.0 && d2 > 0.0) {
        return Vec3::from(b);
    }
    let y1 = b[1] - l10 * b[0];
    let x2 = (b[2] - l20 * b[0] - l21 * y1) / d2;
    let x1 = y1 / d1 - l21 * x2;
    Vec3::new(b[0] / d0 - l10 * x1 - l20 * x2, x1, x2)
}

/// Goes along `step` until F, convex, falls no more, or by almost nothing: by halving between where it falls and where it rises. Nothing, if
/// it does not fall. Where F is smooth there is such a place; within a core without radius, two faces may be equally near to the
/// deepest point, and the contact has no normal.
fn descend(
    solid: &Rounded,
    block: &Block,
    reach: &Reach,
    at: &Look,
    step: &Vec3,
) -> Result<Option<Look>, PairFailure> {
    let slope_of = |l: &Look| Vec3::from(l.slope).dot(step);
    let start = slope_of(at);
    let rounding = 1e-15 * (at.slid.x.amax() + solid.core.amax());
    let (mut low, mut high, mut share) = (0.0, 1.0, 1.0);
    while start < 0.0 && high - low > 1e-9 {
        let s = Vec3::from_fn(|i, _| (at.slid.s[i] + share * step[i]).clamp(0.0, reach.length[i]));
        let next = look(solid, block, reach, &s)?;
        let slope = slope_of(&next);
        // (beyond the minimum a gentle rise is not enough: F may long be higher than it was)
        let gentle = slope.abs() <= 0.3 * start.abs() && (slope <= 0.0 || next.f <= at.f + rounding);
        if gentle || (share == 1.0 && slope <= 0.0) {
            return Ok((s != at.slid.s).then_some(next));
        }
        if slope > 0.0 {
            high = share
        } else {
            low = share
        }
        share = 0.5 * (low + high);
    }
    if start >= 0.0 {
        return Ok(None);
    }
    // outside the core the slope only changes over so short a way that halving does not resolve it: as far as F still falls
    let s = Vec3::from_fn(|i, _| (at.slid.s[i] + low * step[i]).clamp(0.0, reach.length[i]));
    let next = look(solid, block, reach, &s)?;
    match next.slid.level.d > 0.0 || !solid.has_kinks() {
        true => Ok((s != at.slid.s).then_some(next)),
        false => Err(PairFailure::TooDeep),
    }
}

/// The same point with derivatives: one more step of Newton's method, whose slope carries them.
pub(super) fn slide_dual<S: Scalar>(
    solid: &Rounded,
    block: &Block<S>,
    reach: &Reach,
) -> Result<Slid<S>, PairFailure> {
    let values = Block {
        corner: block.corner.map(Scalar::value),
        inwards: block.inwards.map(|d| d.map(Scalar::value)),
    };
    let found = slide(solid, &values, reach)?;
    let at = look(solid, &values, reach, &found.s)?;
    let free = at.free(reach);
    let Some(h) = at.curvature(&values, reach, &free, Model::Newton).try_inverse() else {
        return Err(PairFailure::TooDeep);
    };
    let s = found.s.map(S::from_f64);
    let slope = solid.level(&point(block, &s))?.slope();
    let slope = Vec3::from_fn(|i, _| {
        if free[i] {
            block.inwards[i].dot(&slope) + s[i] * S::from_f64(reach.crown)
        } else {
            S::from_f64(0.0)
        }
    });
    let s = s - h.map(S::from_f64) * slope;
    let x = point(block, &s);
    Ok(Slid { s, x, level: solid.level(&x)? })
}

pub(super) fn point<S: Scalar>(block: &Block<S>, s: &Vec3<S>) -> Vec3<S> {
    block.corner + block.inwards[0] * s.x + block.inwards[1] * s.y + block.inwards[2] * s.z
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_base::{Quat, Vec3};

    /// A core without a radius.
    fn solid(x: f64, y: f64, z: f64) -> Rounded {
        Rounded { core: Vec3::new(x, y, z), radius: 0.0 }
    }

    /// A reproducible stream of numbers in 0..1.
    fn random(seed: &mut u64) -> f64 {
        *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*seed >> 11) as f64 / (1u64 << 53) as f64
    }

    fn block(seed: &mut u64, tilt: f64, height: f64) -> Block {
        let turn = Quat::from_scaled_axis(Vec3::from_fn(|_, _| tilt * (2.0 * random(seed) - 1.0)));
        let axes = [Vec3::x(), Vec3::y(), Vec3::z()].map(|a| turn * a);
        let corner = Vec3::new(2.4 * random(seed) - 1.2, 2.4 * random(seed) - 1.2, height);
        Block { corner, inwards: axes }
    }

    /// The least F on a grid, refined about its best point again and again: slow and sure.
    fn by_search(solid: &Rounded, block: &Block, reach: &Reach) -> f64 {
        let (mut middle, mut width) = (0.5 * reach.length, 0.5 * reach.length);
        let mut best = f64::INFINITY;
        for _ in 0..60 {
            let centre = middle;
            for k in 0..343 {
                let step = |d: usize| (d as f64 - 3.0) / 3.0;
                let offset = Vec3::new(step(k % 7), step(k / 7 % 7), step(k / 49));
                let s = Vec3::from_fn(|i, _| (centre[i] + width[i] * offset[i]).clamp(0.0, reach.length[i]));
                let f = look(solid, block, reach, &s).unwrap().f;
                if f < best {
                    (best, middle) = (f, s);
                }
            }
            width *= 0.7;
        }
        best
    }

    #[test]
    fn the_minimum_is_the_least_of_all() {
        let core = solid(0.98, 0.68, 0.48);
        let reach = Reach::new(Vec3::new(0.5, 0.4, 0.3));
        let (mut seed, mut seen) = (1, 0);
        for (tilt, height) in [(2.0, 0.7), (1e-4, 0.5), (0.0, 0.5), (0.1, 0.495), (3.0, 1.5)] {
            for _ in carom_testkit::one_in(4, 0..40) {
                let block = block(&mut seed, tilt, height);
                let Ok(found) = slide(&core, &block, &reach) else { continue };
                let f = found.level.d + reach.sag(&found.s);
                let searched = by_search(&core, &block, &reach);
                assert!(f <= searched + 1e-12 && f >= searched - 1e-6, "{tilt} {height}: {f} {searched}");
                seen += 1;
            }
        }
        assert!(seen > if carom_testkit::all_cases() { 100 } else { 25 }, "{seen}");
    }

    #[test]
    fn it_is_found_wherever_the_blocks_do_not_reach_into_the_core() {
        let core = solid(0.98, 0.68, 0.48);
        let (mut seed, mut deep) = (2, 0usize);
        for round in 0..20_000 {
            let reach = Reach::new(Vec3::from_fn(|_, _| 10f64.powf(-2.0 * random(&mut seed))));
            let tilt = 3.0 * 10f64.powf(-12.0 * random(&mut seed));
            let height = 0.48 + 10f64.powf(-5.0 * random(&mut seed));
            let block = block(&mut seed, if round % 5 == 0 { 0.0 } else { tilt }, height);
            match slide(&core, &block, &reach) {
                Ok(found) => {
                    let at = look(&core, &block, &reach, &found.s).unwrap();
                    let slope = at.steepness(&reach);
                    assert!(slope <= 2.0 * at.rounding(), "round {round}: slope {slope:e} at {:?}", found.s);
                }
                Err(e) => {
                    assert_eq!(e, PairFailure::TooDeep, "round {round}");
                    deep += 1;
                    // a point in the core there is: F is no more than the crown
                    let crown = reach.sag(&reach.length);
                    assert!(deep > 10 || by_search(&core, &block, &reach) <= crown, "round {round}");
                }
            }
        }
        assert!(deep > 10 && deep < 5_000, "{deep}");
    }

    /// However deep the blocks are: edges that are round at any depth leave no kink.
    #[test]
    fn deep_within_round_edges_it_is_the_least_of_all() {
        let solid = Rounded { core: Vec3::new(0.98, 0.68, 0.48), radius: 0.02 };
        let reach = Reach::new(Vec3::new(0.5, 0.4, 0.3));
        let (mut seed, mut deep) = (3, 0);
        for (tilt, height) in [(2.0, 0.7), (1e-4, 0.45), (0.0, 0.4), (0.1, 0.45), (3.0, 0.6), (3.0, 0.4)] {
            for _ in carom_testkit::one_in(4, 0..200) {
                let block = block(&mut seed, tilt, height);
                let found = match slide(&solid, &block, &reach) {
                    Err(PairFailure::TooDeep) => continue,
                    found => found.unwrap(),
                };
                let at = look(&solid, &block, &reach, &found.s).unwrap();
                let below = |s: Vec3| {
                    let s = s.zip_map(&reach.length, |s, most| s.clamp(0.0, most));
                    look(&solid, &block, &reach, &s).map_or(f64::INFINITY, |l| l.f) < at.f - 1e-14
                };
                for k in 0..60 {
                    let step = Vec3::from_fn(|_, _| 2.0 * random(&mut seed) - 1.0);
                    assert!(!below(found.s + step * 0.5f64.powi(k)), "{tilt} {height}: {found:?}");
                }
                deep += usize::from(found.level.d < 0.0);
            }
        }
        assert!(deep > 20, "{deep}");
    }

    /// Blocks that lie askew on others, the corners that hang over an edge among them: the search begins next to its end.
    #[test]
    fn beside_a_face_the_start_is_next_to_the_minimum() {
        let solid = Rounded { core: Vec3::new(0.049, 0.049, 0.049), radius: 0.001 };
        let reach = Reach::new(Vec3::new(0.05, 0.05, 0.05));
        let (mut seed, mut near, mut beside) = (5, 0, 0);
        for k in 0..2000 {
            let [a, b, c, x, y, z] = [(); 6].map(|()| random(&mut seed) - 0.5);
            let turn = Quat::from_scaled_axis(Vec3::new(1e-5 * a, 1e-5 * b, 6.0 * c));
            let corner = Vec3::new(0.05 - 0.1 * f64::from(k & 1), 0.05 - 0.05 * f64::from(k & 2), -0.05);
            let axes = [Vec3::x(), Vec3::y(), Vec3::z()].map(|e| turn * e * -e.dot(&corner).signum());
            let at = Vec3::new(0.04 * x, 0.04 * y, 0.1 + 4e-6 * z) + turn * corner;
            let block = Block { corner: at, inwards: axes };
            let Some((start, None)) = over_face(&solid, &block, &reach) else { continue };
            let found = slide(&solid, &block, &reach).unwrap();
            beside += 1;
            near += usize::from((start - found.s).norm() < 1e-6);
        }
        assert!(beside > 1500 && near * 100 > beside * 99, "{near} of {beside}");
    }

    #[test]
    fn a_corner_over_a_face_stays_and_one_beyond_an_edge_hands_over() {
        let core = solid(1.0, 1.0, 0.4);
        let reach = Reach::new(Vec3::new(0.5, 0.5, 0.5));
        let lying = |x: f64, y: f64| Block {
            corner: Vec3::new(x, y, 0.5),
            inwards: [Vec3::x(), Vec3::y(), Vec3::z()],
        };
        let over = slide(&core, &lying(0.2, 0.3), &reach).unwrap();
        assert_eq!((over.s, over.level.u), (Vec3::zeros(), Vec3::z()));
        let beyond = slide(&core, &lying(-1.2, 0.3), &reach).unwrap();
        // 0.2 along x, less what the crown makes of it: s/R = (0.2 − s)/d
        let s = 0.2 / (1.0 + reach.crown * 0.1);
        assert!((beyond.s - Vec3::new(s, 0.0, 0.0)).norm() < 1e-9, "{beyond:?}");
        assert!((beyond.level.d - 0.1f64.hypot(0.2 - s)).abs() < 1e-12, "{beyond:?}");
    }
}
