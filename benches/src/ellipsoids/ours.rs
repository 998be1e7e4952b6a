//! Carom: bound pairs, as everything in a model is.

use carom_geometry::{BoundPair, Seed, Shape, Vec3, pairs};

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

fn bind(pair: &Pair) -> Result<Box<dyn BoundPair>, Failure> {
    Ok(pairs::bind(&Shape::outside(pair.a), &Shape::outside(pair.b))?)
}

/// The common normal, out of A.
pub(crate) fn normal(pair: &Pair, at: &[Placed; 2]) -> Option<Vec3> {
    bind(pair).ok()?.contact(0, &at[0].x, &at[1].x).ok().map(|c| c.n)
}
