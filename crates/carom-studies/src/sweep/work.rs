//! Performs many runs on several threads.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;

use super::study::{Row, Study};

/// Number of rows that may wait to be written, so that a slow disk does not delay the runs.
const WAITING: usize = 4096;

/// Runs these points, `jobs` at a time, and passes every row to `each` as it is finished, in any order, on the thread of the
/// caller. It ends early, in good order, once `stop` is true (runs in progress are abandoned, without a row) or `each`
/// returns an error.
///
/// Threads share only a counter: each reads the scene and makes the model of its run by itself.
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
        // rows are received until all threads have ended, so that none blocks on sending
        for row in rows {
            if result.is_ok() {
                result = each(row);
                over.store(result.is_err(), Ordering::Relaxed);
            }
        }
        result
    })
}

/// Runs a point; a panic becomes the error of its row.
fn guarded(study: &Study, index: usize, keep: Option<&Path>, stop: &AtomicBool) -> Option<Row> {
    catch_unwind(AssertUnwindSafe(|| study.run(index, keep, stop))).unwrap_or_else(|why| {
        let said = why.downcast_ref::<String>().map(String::as_str).or(why.downcast_ref::<&str>().copied());
        let values = Err(format!("the program broke down: {}", said.unwrap_or("it did not say why")));
        Some(Row { index, cells: study.plan().point(index).cells, values })
    })
}
