//! Carom: bound pairs, as everything in a model is.

use carom_geometry::pairs::convex::Batch;
use carom_geometry::{BoundPair, Contact, PairFailure, Pose, Seed, Shape, Vec3, pairs};

use crate::Failure;
use crate::pairs::{Pair, Placed};

/// A pair as Carom sees it.
pub(crate) struct Ours<'p> {
    at: &'p Pair,
    pair: Box<dyn BoundPair>,
    /// what the contact at the poses before leaves
    seed: Seed,
}

impl<'p> Ours<'p> {
    pub(crate) fn new(at: &'p Pair) -> Result<Ours<'p>, Failure> {
        let pair = bind(at)?;
        let [x_a, x_b] = &at.before;
        let seed = Seed::of(&pair.contact(0, &x_a.x, &x_b.x)?, &x_a.x, &x_b.x);
        Ok(Ours { at, pair, seed })
    }

    /// The distance [m]; NaN where it fails.
    pub(crate) fn distance(&self, warm: bool) -> f64 {
        let [x_a, x_b] = &self.at.now;
        let seed = if warm { Some(&self.seed) } else { None };
        self.pair.contact_from(0, &x_a.x, &x_b.x, seed).map_or(f64::NAN, |c| -c.delta)
    }

    /// Steps of iteration it takes.
    pub(crate) fn steps(&self, warm: bool) -> usize {
        let [x_a, x_b] = &self.at.now;
        let seed = if warm { Some(&self.seed) } else { None };
        self.pair.search(&x_a.x, &x_b.x, seed).map_or(0, |found| found.steps)
    }
}

/// All pairs at once.
pub(crate) struct Many {
    batch: Batch,
    before: Vec<[Pose; 2]>,
    now: Vec<[Pose; 2]>,
    contacts: Vec<Result<Contact, PairFailure>>,
}

impl Many {
    pub(crate) fn new(pairs: &[Pair]) -> Many {
        let shapes: Vec<_> = pairs.iter().map(|pair| [pair.a, pair.b]).collect();
        let poses = |at: fn(&Pair) -> &[Placed; 2]| pairs.iter().map(|p| at(p).map(|x| x.x)).collect();
        Many {
            batch: Batch::new(&shapes),
            before: poses(|p| &p.before),
            now: poses(|p| &p.now),
            contacts: Vec::new(),
        }
    }

    /// Warm: poses before and now take turns, so that every call starts from the other.
    pub(crate) fn distances(&mut self, warm: bool, out: &mut [f64]) {
        if warm {
            std::mem::swap(&mut self.before, &mut self.now);
        } else {
            self.batch.forget();
        }
        self.batch.contacts(&self.now, &mut self.contacts);
        for (d, c) in out.iter_mut().zip(&self.contacts) {
            *d = c.as_ref().map_or(f64::NAN, |c| -c.delta);
        }
    }
}

fn bind(pair: &Pair) -> Result<Box<dyn BoundPair>, Failure> {
    Ok(pairs::bind(&Shape::outside(pair.a), &Shape::outside(pair.b))?)
}

/// The common normal, out of A.
pub(crate) fn normal(pair: &Pair, at: &[Placed; 2]) -> Option<Vec3> {
    bind(pair).ok()?.contact(0, &at[0].x, &at[1].x).ok().map(|c| c.n)
}
