//! Many runs, on several threads.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;

use super::study::{Row, Study};

/// Rows that may wait for whoever writes them, so that a slow disk holds nobody up.
const WAITING: usize = 4096;

/// Runs these points, `jobs` at a time, and hands over every row as it comes, on the thread of the caller; in whatever order. Ends early, in good order, once `stop` is true
/// (runs under way are given up, and not told of) or a row is refused.
///
/// Threads share a counter and nothing else: each reads the scene and makes the model of its run by itself.
pub fn run_all<E>(
    study: &Study,
    points: &[usize],
    jobs: usize,
    keep: Option<&Path>,
    stop: &AtomicBool,
    mut each: impl FnMut(Row) -> Result<(), E>,
) -> Result<(), E> {
    let (next, over) = (AtomicUsize::new(0), AtomicBool::new(false));
    let jobs = jobs.clamp(1, points.len().max(1));
    let (sender, rows) = sync_channel::<Row>(WAITING);
    thread::scope(|scope| {
        for _ in 0..jobs {
            let (sender, next, over) = (sender.clone(), &next, &over);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) && !over.load(Ordering::Relaxed) {
                    let Some(&index) = points.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
                    let Some(row) = guarded(study, index, keep, stop) else { return };
                    if sender.send(row).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut result = Ok(());
        // those who still run must find someone who listens
        for row in rows {
            if result.is_ok() {
                result = each(row);
                over.store(result.is_err(), Ordering::Relaxed);
            }
        }
        result
    })
}

/// A run that breaks down is a row like others that fail.
fn guarded(study: &Study, index: usize, keep: Option<&Path>, stop: &AtomicBool) -> Option<Row> {
    catch_unwind(AssertUnwindSafe(|| study.run(index, keep, stop))).unwrap_or_else(|why| {
        let said = why.downcast_ref::<String>().map(String::as_str).or(why.downcast_ref::<&str>().copied());
        let values = Err(format!("the program broke down: {}", said.unwrap_or("it did not say why")));
        Some(Row { index, cells: study.plan().point(index).cells, values })
    })
}
