//! What slices cost: the same drop with more and more of them, and with the continuous ring.

use std::error::Error;

use carom::prelude::Slices;
use carom::{Model, Summary};

use crate::ring::{self, Reference};
use crate::{least, median, timed};

const RTOL: f64 = 1e-6;
const METHOD: &str = "dop853";
const COUNTS: [usize; 5] = [9, 18, 36, 72, 144];
/// Relative tolerance of the continuous ring's force.
const EXACT: f64 = 1e-9;
/// Rounds in which all run in turn.
const ROUNDS: usize = 30;

struct Line {
    name: String,
    located: bool,
    model: Model,
    summary: Summary,
    times: Vec<f64>,
}

pub(crate) fn measure(reference: &Reference) -> Result<(), Box<dyn Error>> {
    let counted = |n: usize| Ok::<_, Box<dyn Error>>((n.to_string(), Slices::new(n)?));
    let mut kinds = COUNTS.into_iter().map(counted).collect::<Result<Vec<_>, _>>()?;
    kinds.push(("exact".to_owned(), Slices::exact(EXACT)?));
    let mut lines = Vec::new();
    for located in [true, false] {
        for (name, slices) in &kinds {
            let model = reference.model(*slices)?;
            let summary = ring::run(&model, METHOD, RTOL, located)?;
            lines.push(Line { name: name.clone(), located, model, summary, times: Vec::new() });
        }
    }
    for _ in 0..ROUNDS {
        for line in &mut lines {
            line.times.push(timed(|| ring::run(&line.model, METHOD, RTOL, line.located))?);
        }
    }
    println!(
        "\nMore slices: {METHOD}, rtol {RTOL:e}; CPU time of a run, median (least) of {ROUNDS} rounds; ratios round by round\n"
    );
    println!(
        "| slices | contacts | steps | rejected | evaluations | events | time, ms | time over that of 9 |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    lines.chunks(kinds.len()).for_each(table);
    Ok(())
}

/// The first line is what the others are compared with.
fn table(lines: &[Line]) {
    for line in lines {
        let stats = line.summary.stats;
        let ratio = line.times.iter().zip(&lines[0].times).map(|(it, first)| it / first).collect();
        println!(
            "| {} | {} | {} | {} | {} | {} | {:.2} ({:.2}) | {:.2} |",
            line.name,
            if line.located { "located" } else { "not" },
            stats.steps,
            stats.rejected,
            stats.evaluations,
            stats.events,
            1e3 * median(line.times.clone()),
            1e3 * least(&line.times),
            median(ratio)
        );
    }
}
