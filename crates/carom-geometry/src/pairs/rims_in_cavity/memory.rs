//! What was found last: the points of all anchors of a rim are asked for one by one in the same poses, with derivatives and without.

use carom_base::{Dual, Pose};

use super::convex_hull::{Places, Shared};
use super::{ANCHORS, Looks, Rim};
use crate::pair::PairScalar;

/// Poses of rims whose searches are remembered: the present one, and those of differences by the motions of both bodies.
const REMEMBERED: usize = 32;

/// A rim, an anchor of it, and κ.
pub(super) type Key = (Rim, usize, f64);

/// The points of an anchor, and the pose of the solid in the cavity that they are of.
#[derive(Clone, Copy, Debug)]
struct Found<S: PairScalar> {
    key: Key,
    x: Pose<S>,
    places: Places<S>,
}

/// Numbers in which the points of an anchor are remembered.
pub(super) trait Remembers: PairScalar {
    /// The points, if they are those found last.
    fn recall(memory: &Memory, key: &Key, x: &Pose<Self>) -> Option<Places<Self>>;
    /// Remembers these points in place of the last ones.
    fn remember(memory: &mut Memory, key: Key, x: &Pose<Self>, places: Places<Self>);
}

impl Remembers for f64 {
    fn recall(memory: &Memory, key: &Key, x: &Pose) -> Option<Places> {
        memory.values.as_ref().filter(|last| last.key == *key && last.x == *x).map(|last| last.places)
    }
    fn remember(memory: &mut Memory, key: Key, x: &Pose, places: Places) {
        memory.values = Some(Found { key, x: *x, places });
    }
}

impl Remembers for Dual<6> {
    fn recall(memory: &Memory, key: &Key, x: &Pose<Self>) -> Option<Places<Self>> {
        // (dual numbers count as equal if their values are)
        let same = |x: &Dual<6>, y: &Dual<6>| x.re == y.re && x.eps == y.eps;
        let is_it = |last: &&Found<Self>| {
            let p = last.x.p.iter().zip(&x.p).all(|(a, b)| same(a, b));
            p && last.key == *key && last.x.r.iter().zip(&x.r).all(|(a, b)| same(a, b))
        };
        memory.duals.as_ref().filter(is_it).map(|last| last.places)
    }
    fn remember(memory: &mut Memory, key: Key, x: &Pose<Self>, places: Places<Self>) {
        memory.duals = Some(Found { key, x: *x, places });
    }
}

/// The searches for a rim in a pose of the solid in the cavity.
#[derive(Clone, Copy, Debug)]
pub(super) struct Searched {
    rim: Rim,
    x: Pose,
    pub(super) looks: Looks,
    /// of each anchor, once it was asked for
    pub(super) found: [Option<Shared>; ANCHORS],
}

/// The last searches: one point after the other is asked for in the same poses, with derivatives and without.
#[derive(Debug)]
pub(super) struct Memory {
    all: Vec<Searched>,
    /// the next to be forgotten
    oldest: usize,
    /// the one that was asked for last: likely it is asked for again, or the one after it
    last: usize,
    /// the points found last, and those with derivatives
    values: Option<Found<f64>>,
    duals: Option<Found<Dual<6>>>,
}

impl Memory {
    pub(super) fn new() -> Memory {
        Memory { all: Vec::with_capacity(REMEMBERED), oldest: 0, last: 0, values: None, duals: None }
    }

    pub(super) fn at(&mut self, rim: &Rim, x: &Pose, look: impl FnOnce() -> Looks) -> &mut Searched {
        let is_it = |s: &Searched| s.x.p == x.p && s.rim == *rim && s.x.r == x.r;
        let count = self.all.len();
        let known = (self.last..count).chain(0..self.last.min(count)).find(|at| is_it(&self.all[*at]));
        self.last = known.unwrap_or_else(|| {
            let new = Searched { rim: *rim, x: *x, looks: look(), found: [None; ANCHORS] };
            if count < REMEMBERED {
                self.all.push(new);
                return count;
            }
            let at = self.oldest;
            self.all[at] = new;
            self.oldest = (at + 1) % REMEMBERED;
            at
        });
        &mut self.all[self.last]
    }
}
