//! Many bodies that touch, in steps of one length: who is near whom, what their contacts remember, and sums in an order that no
//! number of threads changes.
//!
//! Nothing here knows of models or force laws: what two bodies do to each other is a [`Law`]. A step is
//!
//! 1. [`Crowd::begin_step`]: velocities half a step on, positions a whole one;
//! 2. [`NearPairs::rebuild`], if bodies have moved by half the skin since the last time;
//! 3. the forces of all contacts ([`push_pairs`], [`push_walls`]), each added to its two bodies in the order of the list;
//! 4. [`Crowd::end_step`]: velocities at the end of the step.
//!
//! The method is velocity Verlet (W. C. Swope and others, *J. Chem. Phys.* 76 (1982) 637) with velocities that are predicted for the
//! forces, as these depend on them: order 2. Lists of neighbours with a skin: L. Verlet, *Phys. Rev.* 159 (1967) 98.

mod bodies;
mod contacts;
mod grid;
mod near;
mod sums;

pub use bodies::{Crowd, Load, Place, Response};
pub use contacts::{
    Ahead, AtWall, AtWalls, Law, Meeting, Push, Room, Wall, balls_meet, push_pairs, push_walls, wall_meets,
};
pub use grid::Grid;
pub use near::NearPairs;
pub use sums::{CHUNK, Sums, in_parts};

/// Returns the number of threads that work by themselves: those of the pool in which this is called.
pub fn threads() -> usize {
    rayon::current_num_threads()
}

/// A number of threads that share the work of a crowd.
#[derive(Debug)]
pub struct Threads(Option<rayon::ThreadPool>);

impl Threads {
    /// Creates so many threads; with one, the thread that calls does the work. Where the system gives no threads, that one works alone:
    /// results are the same.
    ///
    /// ```
    /// let two = carom_crowd::Threads::new(2);
    /// assert!(two.run(carom_crowd::threads) <= 2);
    /// ```
    pub fn new(count: usize) -> Threads {
        let pool = || rayon::ThreadPoolBuilder::new().num_threads(count).build().ok();
        Threads((count > 1).then(pool).flatten())
    }

    /// Calls a function that shares its work among these threads.
    pub fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.0 {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    /// Returns how many there are.
    pub fn count(&self) -> usize {
        self.0.as_ref().map_or(1, rayon::ThreadPool::current_num_threads)
    }
}
