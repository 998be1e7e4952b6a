//! The minimum of an anchor: from the last one, or from nothing, on B's core or on the level of depth that A touches.

use std::sync::PoisonError;

use carom_base::{Pose, Vec3};

use super::active::{Least, Walls, settle};
use super::anew::{anew, is_it};
use super::program::{MOST_WALLS, Program, Unknowns};
use super::{Bound, Near};
use crate::contact::Seed;
use crate::error::PairFailure;

/// A point this much of the size off a wall was on it.
const HELD: f64 = 1e-9;
/// Where the search for a level begins, as a part of all levels, if nothing is known of it.
const FIRST_LEVEL: f64 = 0.1;

/// A minimum, and what it was found for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Last {
    x: Pose,
    seed: Option<Seed>,
    found: Minimum,
}

/// Where the minimum was found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Minimum {
    pub(super) least: Least,
    /// which tips are held
    pub(super) held: [bool; 2],
    /// the depth of the level that A touches [m], where it is one
    pub(super) depth: Option<f64>,
}

impl Bound {
    /// A minimum as the search for a level sees it.
    pub(super) fn near<T>(&self, feature: usize, program: &Program<'_>, least: &Least, point: T) -> Near<T> {
        let p = Program::p(&least.w);
        let apart = Program::q(&least.w) - program.x.point(&p);
        let d = apart.norm();
        let walls = self.by_inset(program, &least.walls, &least.lambda, &(apart / d));
        Near { distance: d + self.sag(feature, &p), walls, point }
    }

    /// The minimum, remembered if it was the last one asked for; `x` is A's frame in B's.
    pub(super) fn least(
        &self,
        feature: usize,
        x: &Pose,
        seed: Option<&Seed>,
    ) -> Result<Minimum, PairFailure> {
        let all = || self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |last: &Last| last.x.p == x.p && last.x.r == x.r && last.seed.as_ref() == seed;
        if let Some(last) = all()[feature].filter(is_it) {
            return Ok(last.found);
        }
        let found = self.searched(feature, x, seed)?;
        all()[feature] = Some(Last { x: *x, seed: seed.copied(), found });
        Ok(found)
    }

    /// The minimum, from the last one or from nothing.
    fn searched(&self, feature: usize, x: &Pose, seed: Option<&Seed>) -> Result<Minimum, PairFailure> {
        if !(x.p.sum() + x.r.sum()).is_finite() {
            return Err(PairFailure::NotFinite);
        }
        if let Some(found) = seed.and_then(|seed| self.followed(feature, x, seed)) {
            return Ok(found);
        }
        let found = self.at_level(feature, x, None);
        let Some(levels) = &self.levels else { return found.ok_or(PairFailure::TooDeep) };
        let mut guess = levels.begin() + FIRST_LEVEL * (levels.deepest - levels.begin());
        if let Some(found) = &found {
            let program = self.program_of(feature, x, found);
            guess = levels.radius - self.near(feature, &program, &found.least, ()).distance;
            if guess <= levels.begin() {
                return Ok(*found);
            }
        }
        self.level(feature, x, guess, found, true)
    }

    /// The minimum against B's core, or that of a level, from nothing.
    fn at_level(&self, feature: usize, x: &Pose, depth: Option<f64>) -> Option<Minimum> {
        let mut nearly = None;
        for held in [[false; 2], [true, false], [false, true], [true; 2]] {
            let program = self.program(feature, x, self.inset(depth), held);
            if (0..2).any(|k| held[k] && program.tips[k].is_none()) {
                continue;
            }
            let Some((least, exact)) = anew(&program) else { continue };
            match is_it(&program, &least) {
                true if exact => return Some(Minimum { least, held, depth }),
                // (by a tip that is not held the method leads nowhere, and another problem is it)
                true => nearly = nearly.or(Some(Minimum { least, held, depth })),
                false => {}
            }
        }
        nearly
    }

    /// The minimum on the level that A touches, from a guess of its depth and a minimum on another one; where that leads nowhere, from nothing if `anew` says so.
    fn level(
        &self,
        feature: usize,
        x: &Pose,
        guess: f64,
        from: Option<Minimum>,
        anew: bool,
    ) -> Result<Minimum, PairFailure> {
        let (mut last, mut lost) = (from, false);
        let levels = self.levels.as_ref().ok_or(PairFailure::TooDeep)?;
        let (t, found) = levels.touched(guess, self.size, |t| {
            let follow = |last: &Minimum| {
                let program = self.program(feature, x, levels.inset(t), last.held);
                let mut w = last.least.w;
                program.hold(&mut w);
                let least = settle(&program, &w, last.least.walls)?;
                is_it(&program, &least).then_some(Minimum { least, depth: Some(t), ..*last })
            };
            let mut found = last.as_ref().filter(|_| !lost).and_then(follow);
            if anew {
                found = found.or_else(|| self.at_level(feature, x, Some(t)));
            }
            lost |= found.is_none() && !anew;
            let found = found.ok_or(PairFailure::TooDeep)?;
            last = Some(found);
            let program = self.program_of(feature, x, &found);
            Ok(self.near(feature, &program, &found.least, found))
        })?;
        Ok(Minimum { depth: Some(t), ..found })
    }

    /// The minimum from that of the last step, whose walls most likely still hold.
    pub(super) fn followed(&self, feature: usize, x: &Pose, seed: &Seed) -> Option<Minimum> {
        let [a, b] = &self.cores;
        // p_a is the point itself but for coat and sag
        let inwards = |p: &Vec3| seed.p_a - seed.n * (a.coat - self.sag(feature, p));
        let p = inwards(&inwards(&seed.p_a));
        let was_at = seed.delta - a.coat;
        let depth = self.levels.filter(|levels| was_at > levels.begin()).map(|l| was_at.min(l.deepest));
        let inset = self.inset(depth);
        let q = seed.p_b + seed.n_b * (b.coat + inset);
        let mut program = self.program(feature, x, inset, [false; 2]);
        let at_tip = |k: usize, p: &Vec3| {
            program.tips[k].is_some_and(|tip| (tip.point() - p).norm() <= HELD * self.size)
        };
        program.held = [at_tip(0, &p), at_tip(1, &q)];
        let mut w = Unknowns::zeros();
        w.fixed_rows_mut::<3>(0).copy_from(&p);
        w.fixed_rows_mut::<3>(3).copy_from(&q);
        // (a core that is a line holds its points on it)
        (0..6).filter(|i| !program.free(*i)).for_each(|i| w[i] = 0.0);
        program.hold(&mut w);
        let (mut of, mut count) = ([0; MOST_WALLS], 0);
        for i in 0..program.count() {
            if program.value(i, &w)?.abs() <= HELD * self.size {
                of[count] = i;
                count += 1;
            }
        }
        // where more planes meet in a corner than three, some say the same, and the solution would have no derivatives
        let walls = Walls::independent(&program, &w, &of[..count])?;
        let least = settle(&program, &w, walls)?;
        let found = Minimum { least, held: program.held, depth };
        if !is_it(&program, &least) {
            return None;
        }
        let Some(levels) = &self.levels else { return Some(found) };
        let near = self.near(feature, &program, &least, ());
        let t = match depth {
            Some(t) => levels.nearer(t, &near),
            None => levels.radius - near.distance,
        };
        if t > levels.begin() {
            return self.level(feature, x, t, Some(found), false).ok();
        }
        if depth.is_none() {
            return Some(found);
        }
        // out of the levels
        let program = self.program(feature, x, 0.0, found.held);
        let mut w = least.w;
        program.hold(&mut w);
        let least = settle(&program, &w, least.walls).filter(|least| is_it(&program, least))?;
        let t = levels.radius - self.near(feature, &program, &least, ()).distance;
        (t <= levels.begin() * (1.0 + 1e-9)).then_some(Minimum { least, depth: None, ..found })
    }
}
