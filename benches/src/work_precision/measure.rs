//! One contender on one problem, from coarse to fine: what it reaches and what it costs.

use std::panic::{AssertUnwindSafe, catch_unwind};

use cpu_time::ThreadTime;

use crate::contenders::{Contender, Job, Work};
use crate::points::{Outcome, Point};

/// A measurement repeats short runs until it lasts about this long [s].
const LEAST: f64 = 300e-6;
/// Measurements whose median is the time.
const REPEATS: usize = 7;
/// Runs longer than this [s] are measured once.
const LONG: f64 = 0.3;

/// All tolerances, from coarse to fine. After a run that was given up or failed at a limit the finer ones are not tried.
pub(crate) fn curve(contender: &dyn Contender, job: &Job, tolerances: &[f64]) -> Vec<Point> {
    let mut points = Vec::new();
    let mut given_up = false;
    for &rtol in tolerances {
        let job = Job { rtol, ..*job };
        let outcome = if given_up {
            Err("not tried: a coarser run met the limit".to_owned())
        } else {
            let measured = measure(contender, &job).map(|(work, cpu)| outcome(&job, work, cpu));
            measured.map_err(|why| why.split_whitespace().collect::<Vec<_>>().join(" "))
        };
        given_up = given_up || matches!(&outcome, Err(why) if why.contains("limit"));
        points.push(Point {
            problem: job.problem,
            library: contender.library().to_owned(),
            method: contender.method().to_owned(),
            family: contender.family(),
            rtol,
            outcome,
        });
    }
    points
}

fn outcome(job: &Job, work: Work, cpu: f64) -> Outcome {
    Outcome {
        error: job.problem.error(&work.end),
        evaluations: work.evaluations,
        jacobians: work.jacobians,
        factorizations: work.factorizations,
        steps: work.steps,
        cpu,
    }
}

/// A run and its CPU time [s].
fn measure(contender: &dyn Contender, job: &Job) -> Result<(Work, f64), String> {
    if let Some(theirs) = contender.measured(job) {
        return theirs;
    }
    let (work, first) = timed(contender, job, 1)?;
    if first > LONG {
        return Ok((work, first));
    }
    let batch = (LEAST / first).ceil().clamp(1.0, 1000.0) as usize;
    let mut times = Vec::new();
    for _ in 0..REPEATS {
        times.push(timed(contender, job, batch)?.1);
    }
    times.sort_by(f64::total_cmp);
    Ok((work, times[REPEATS / 2]))
}

/// Runs several times; the CPU time of one [s]. A peer that panics has failed.
fn timed(contender: &dyn Contender, job: &Job, times: usize) -> Result<(Work, f64), String> {
    let runs = || {
        let start = ThreadTime::now();
        let mut work = contender.run(job)?;
        for _ in 1..times {
            work = std::hint::black_box(contender.run(std::hint::black_box(job))?);
        }
        Ok((work, start.elapsed().as_secs_f64() / times as f64))
    };
    match catch_unwind(AssertUnwindSafe(runs)) {
        Ok(outcome) => outcome,
        Err(payload) => {
            let text = payload.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no message");
            Err(format!("panicked: {text}"))
        }
    }
}
