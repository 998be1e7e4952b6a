//! Islands on several threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use super::island::Island;
use crate::run::simulation::Simulation;

/// Below so many evaluations in a window, no second thread is worth its start.
const WORTH_A_THREAD: usize = 400;

/// Returns how many threads a window is worth that takes about as many evaluations as the last one.
pub(super) fn threads(sim: &Simulation<'_>, evaluations: usize) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let most = sim.threads.unwrap_or_else(cores).max(1);
    most.min(1 + evaluations / WORTH_A_THREAD)
}

/// Runs all islands to the time `until`, on so many threads. `goes_on` is asked again and again, and what it says holds for all;
/// returns whether it has said so throughout.
pub(super) fn advance_all(
    islands: &mut [Island],
    until: f64,
    reported: bool,
    threads: usize,
    goes_on: &mut dyn FnMut() -> bool,
) -> bool {
    let stopped = AtomicBool::new(false);
    let mut ask = || {
        if !goes_on() {
            stopped.store(true, Ordering::Relaxed);
        }
        !stopped.load(Ordering::Relaxed)
    };
    if threads <= 1 {
        islands.iter_mut().for_each(|island| island.advance(until, reported, &mut ask));
        return !stopped.into_inner();
    }
    let queue = Mutex::new(islands.iter_mut());
    let next = || queue.lock().unwrap_or_else(std::sync::PoisonError::into_inner).next();
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(|| {
                while let Some(island) = next() {
                    island.advance(until, reported, &mut || !stopped.load(Ordering::Relaxed));
                }
            });
        }
        while let Some(island) = next() {
            island.advance(until, reported, &mut ask);
        }
    });
    !stopped.into_inner()
}
