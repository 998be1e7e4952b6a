//! Sums over contacts, in an order that no number of threads changes.

use rayon::prelude::*;

use crate::threads::threads;

/// Contacts are summed up in parts of so many, one part after the other.
pub const CHUNK: usize = 256;

/// Calls a function for every so many items, on all threads, and collects what it returns in their order.
///
/// ```
/// let (mut items, mut sums) = (vec![1, 2, 3, 4, 5], Vec::new());
/// carom_crowd::in_parts(&mut items, 2, &mut sums, |part| part.iter().sum::<i32>());
/// assert_eq!(sums, [3, 7, 5]);
/// ```
pub fn in_parts<T: Send, R: Send>(
    items: &mut [T],
    many: usize,
    results: &mut Vec<R>,
    part: impl Fn(&mut [T]) -> R + Sync + Send,
) {
    match threads() {
        1 => {
            results.clear();
            results.extend(items.chunks_mut(many).map(part));
        }
        _ => items.par_chunks_mut(many).map(part).collect_into_vec(results),
    }
}

/// What is summed up over the contacts of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sums {
    /// power that normal forces dissipate [W]
    pub lost_normal: f64,
    /// power that friction and resistance take from the motion [W]
    pub lost_friction: f64,
    /// energy that is lost at once, as where adhesive surfaces jump apart [J]
    pub lost_at_once: f64,
    /// the largest normal force [N]
    pub force: f64,
    /// the largest indentation [m]
    pub depth: f64,
    /// the largest indentation as a part of the radius of the smaller ball
    pub overlap: f64,
    /// number of contacts that have begun
    pub touches: usize,
    /// number of contacts that act
    pub acting: usize,
}

carom_base::plain!(Sums { lost_normal, lost_friction, lost_at_once, force, depth, overlap, touches, acting });

impl Sums {
    /// Adds what another part of the contacts has.
    pub fn add(&mut self, other: &Sums) {
        self.lost_normal += other.lost_normal;
        self.lost_friction += other.lost_friction;
        self.lost_at_once += other.lost_at_once;
        self.force = self.force.max(other.force);
        self.depth = self.depth.max(other.depth);
        self.overlap = self.overlap.max(other.overlap);
        self.touches += other.touches;
        self.acting += other.acting;
    }

    /// Adds up the parts in their order.
    pub fn of<'s>(parts: impl IntoIterator<Item = &'s Sums>) -> Sums {
        let mut sum = Sums::default();
        parts.into_iter().for_each(|part| sum.add(part));
        sum
    }
}
