//! Reads the options of the run.

use carom::ode::methods;
use carom::{Analysis, Output, Stabilisation, Start};

use crate::error::Problem;
use crate::fields::{Field, Fields, Typed};

/// Returns the initial configuration of the run.
pub(super) fn start(run: &Fields) -> Start {
    let word = run.text("start").unwrap_or_default();
    Start::ALL.iter().find(|s| s.0 == word).map_or(Start::AsGiven, |s| s.1)
}

/// Returns the analysis that is asked for.
pub(super) fn analysis(run: &Fields) -> Analysis {
    let word = run.text("analysis").unwrap_or_default();
    Analysis::ALL.iter().find(|a| a.0 == word).map_or(Analysis::Dynamic, |a| a.1)
}

/// Checks that a step is given for a method that does not choose its own.
pub(super) fn check_step(run: &Fields, method: &str) -> Result<(), Problem> {
    let fixed = methods::find(method).is_ok_and(|m| !m.is_adaptive());
    if !fixed || run.number("step").is_some() {
        return Ok(());
    }
    let problem = Problem::new(format!("`{method}` takes steps of one length: give `step`"));
    Err(problem.at(run.span("method"), "`step` is missing"))
}

/// Returns the times at which frames are recorded.
pub(super) fn output(run: &Fields, duration: f64) -> Result<Output, Problem> {
    if let Some(dt) = run.number("output_every") {
        return Ok(Output::Every(dt));
    }
    let Some(Field { value: Typed::Numbers(times, spans), .. }) = run.get("output_at") else {
        return Ok(Output::Steps);
    };
    let bad = |i: usize, allowed: String| {
        let problem = Problem::new(format!("`output_at` cannot have {} here", times[i]));
        Err(problem.at(spans[i].clone(), format!("allowed: {allowed}")))
    };
    if let Some(i) = times.iter().position(|t| *t > duration) {
        return bad(i, format!("from 0 to the duration, {duration}"));
    }
    if let Some(i) = times.windows(2).position(|w| w[1] <= w[0]) {
        return bad(i + 1, "times in increasing order".to_owned());
    }
    Ok(Output::At(times.clone()))
}

/// Returns the method that keeps the joint constraints from drifting.
pub(super) fn stabilisation(run: &Fields) -> Result<Stabilisation, Problem> {
    let alpha = run.number("baumgarte");
    match (run.text("stabilisation"), alpha) {
        (Some("baumgarte"), Some(alpha)) => Ok(Stabilisation::Baumgarte(alpha)),
        (Some("baumgarte"), None) => {
            let problem = Problem::new("Baumgarte's terms need their rate: give `baumgarte`, in 1/s");
            Err(problem.at(run.span("stabilisation"), "`baumgarte` is missing"))
        }
        (_, Some(_)) => {
            let problem = Problem::new("`baumgarte` is the rate of a stabilisation that is not asked for");
            let problem = problem.at(run.span("baumgarte"), "allowed: with `stabilisation = \"baumgarte\"`");
            Err(match run.given("stabilisation") {
                Some(other) => problem.context(other.at.clone(), "the one asked for"),
                None => problem,
            })
        }
        (Some("none"), None) => Ok(Stabilisation::None),
        _ => Ok(Stabilisation::Projection),
    }
}
