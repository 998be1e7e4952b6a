//! What was found last: the points of all anchors of a rim are asked for one by one in the same poses, with derivatives and without.

use carom_base::{Dual, Pose};

use super::convex_hull::Shared;
use super::minima::Bottoms;
use super::{ANCHORS, Looks, Points, Rim};
use crate::pair::PairScalar;

/// Poses of rims whose searches are remembered: the present one, and those of differences by the motions of both bodies.
const REMEMBERED: usize = 32;

/// A rim, an anchor of it, and κ.
pub(super) type Key = (Rim, usize, f64);

/// The points of an anchor as contacts, and the poses that they are of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found<S: PairScalar> {
    key: Key,
    x_a: Pose<S>,
    x_b: Pose<S>,
    pub(super) points: Points<S>,
}

impl<S: Remembers> Found<S> {
    pub(super) fn new(key: Key, [x_a, x_b]: [&Pose<S>; 2], points: Points<S>) -> Found<S> {
        Found { key, x_a: *x_a, x_b: *x_b, points }
    }

    pub(super) fn is_of(&self, key: &Key, [x_a, x_b]: [&Pose<S>; 2]) -> bool {
        let same = |x: &Pose<S>, y: &Pose<S>| {
            let mut all = x.p.iter().zip(&y.p).chain(x.r.iter().zip(&y.r));
            all.all(|(x, y)| S::same(x, y))
        };
        self.key == *key && same(&self.x_b, x_b) && same(&self.x_a, x_a)
    }
}

/// Numbers in which the points of an anchor are remembered.
pub(super) trait Remembers: PairScalar {
    /// The points found last.
    fn last(memory: &mut Memory) -> &mut Option<Found<Self>>;
    /// Whether two numbers are the same in all that they carry.
    fn same(x: &Self, y: &Self) -> bool;
}

impl Remembers for f64 {
    fn last(memory: &mut Memory) -> &mut Option<Found<f64>> {
        &mut memory.values
    }
    fn same(x: &f64, y: &f64) -> bool {
        x == y
    }
}

impl Remembers for Dual<6> {
    fn last(memory: &mut Memory) -> &mut Option<Found<Self>> {
        &mut memory.duals
    }
    fn same(x: &Self, y: &Self) -> bool {
        same(x, y)
    }
}

impl Remembers for Dual<1> {
    fn last(memory: &mut Memory) -> &mut Option<Found<Self>> {
        &mut memory.moving
    }
    fn same(x: &Self, y: &Self) -> bool {
        same(x, y)
    }
}

/// Dual numbers count as equal if their values are: here all that they carry does.
fn same<const N: usize>(x: &Dual<N>, y: &Dual<N>) -> bool {
    x.re == y.re && x.eps == y.eps
}

/// The searches for a rim in a pose of the solid in the cavity.
#[derive(Clone, Copy, Debug)]
pub(super) struct Searched {
    rim: Rim,
    x: Pose,
    pub(super) looks: Looks,
    pub(super) bottoms: Bottoms,
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
    /// the points found last, and those with derivatives by six variables and by one
    values: Option<Found<f64>>,
    duals: Option<Found<Dual<6>>>,
    moving: Option<Found<Dual<1>>>,
}

impl Memory {
    pub(super) fn new() -> Memory {
        let all = Vec::with_capacity(REMEMBERED);
        Memory { all, oldest: 0, last: 0, values: None, duals: None, moving: None }
    }

    pub(super) fn at(
        &mut self,
        rim: &Rim,
        x: &Pose,
        look: impl FnOnce() -> (Looks, Bottoms),
    ) -> &mut Searched {
        let is_it = |s: &Searched| s.x.p == x.p && s.rim == *rim && s.x.r == x.r;
        let count = self.all.len();
        let known = (self.last..count).chain(0..self.last.min(count)).find(|at| is_it(&self.all[*at]));
        self.last = known.unwrap_or_else(|| {
            let (looks, bottoms) = look();
            let new = Searched { rim: *rim, x: *x, looks, bottoms, found: [None; ANCHORS] };
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
