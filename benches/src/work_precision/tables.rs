//! The tables of the report, as Markdown.

use std::fmt::Write;

use carom_ode::problems;

use crate::contenders::{carom, scipy};
use crate::curve::{Cost, median_and_worst, ratios};
use crate::points::{Point, contenders, of};

/// A method of Carom, and the codes of the same family; the first is the reference for the errors.
type Comparison = (&'static str, &'static [(&'static str, &'static str)]);
const DIFFERENTIAL: &str = "differential-equations";
const COMPARISONS: &[Comparison] = &[
    ("ode45", &[(scipy::NAME, "RK45"), (DIFFERENTIAL, "dopri5")]),
    ("tsit5", &[(scipy::NAME, "RK45"), ("diffsol", "tsit45")]),
    ("dop853", &[(scipy::NAME, "DOP853"), (DIFFERENTIAL, "dop853")]),
    ("ode113", &[(scipy::NAME, "LSODA")]),
    ("ode15s", &[(scipy::NAME, "BDF"), (scipy::NAME, "LSODA"), ("diffsol", "bdf"), (DIFFERENTIAL, "bdf")]),
    ("radau5", &[(scipy::NAME, "Radau"), (DIFFERENTIAL, "radau5"), ("diffsol", "esdirk34")]),
    ("auto", &[(scipy::NAME, "LSODA")]),
];

/// How much more the error may be than the reference's at the same tolerance.
const ALLOWED: f64 = 3.0;

/// Tolerances of the table of figures.
const SHOWN: [f64; 4] = [1e-4, 1e-6, 1e-8, 1e-10];

/// Work at equal accuracy, Carom's over the peer's.
pub(crate) fn equal_accuracy(points: &[Point]) -> String {
    let mut text = String::from(
        "| problem | carom | peer | errors | evaluations | CPU time | CPU time per step |\n\
         |---|---|---|---|---|---|---|\n",
    );
    for p in problems::ALL {
        for (method, peers) in COMPARISONS {
            let own = of(points, p.name, carom::NAME, method);
            for (library, peer) in *peers {
                let theirs = of(points, p.name, library, peer);
                let evaluations = ratios(&own, &theirs, Cost::Evaluations);
                if evaluations.is_empty() {
                    continue;
                }
                let mark = if *library == scipy::NAME { "*" } else { "" };
                let [cpu, step] = [Cost::Cpu, Cost::CpuPerStep]
                    .map(|cost| format!("{}{mark}", pair(&ratios(&own, &theirs, cost))));
                let line = format!(
                    "| {} | {method} | {library} {peer} | {} | {} | {cpu} | {step} |",
                    p.name,
                    evaluations.len(),
                    pair(&evaluations)
                );
                let _ = writeln!(text, "{line}");
            }
        }
    }
    text
}

fn pair(sorted: &[f64]) -> String {
    median_and_worst(sorted)
        .map_or("–".to_owned(), |(median, worst)| format!("{} ({})", short(median), short(worst)))
}

/// Two or three digits.
fn short(v: f64) -> String {
    match v {
        v if v < 0.01 => format!("{v:.1e}"),
        v if v < 10.0 => format!("{v:.2}"),
        v if v < 100.0 => format!("{v:.1}"),
        v => format!("{v:.0}"),
    }
}

/// Errors at equal tolerance against the reference of the family.
pub(crate) fn accepted(points: &[Point]) -> String {
    let mut text = String::from(
        "| problem | carom | reference | within 3 times | worst ratio | at rtol | error ∝ rtol^p, p | reference's p |\n\
         |---|---|---|---|---|---|---|---|\n",
    );
    for p in problems::ALL {
        for (method, peers) in COMPARISONS {
            let Some((library, peer)) = peers.first() else { continue };
            let (own, theirs) = (of(points, p.name, carom::NAME, method), of(points, p.name, library, peer));
            // what is below the trust in the end counts as reached
            let floor = p.trust.max(1e-15);
            let ratio = |&(rtol, o): &(f64, &crate::points::Outcome)| {
                let (_, reference) = theirs.iter().find(|(r, _)| *r == rtol)?;
                Some((rtol, o.error.max(floor) / reference.error.max(floor)))
            };
            let all: Vec<(f64, f64)> = own.iter().filter_map(ratio).collect();
            let Some((rtol, worst)) = all.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1)) else {
                continue;
            };
            let good = all.iter().filter(|(_, ratio)| *ratio <= ALLOWED).count();
            let line = format!(
                "| {} | {method} | {library} {peer} | {good} of {} | {} | {rtol:.0e} | {} | {} |",
                p.name,
                all.len(),
                short(worst),
                power(&own, floor),
                power(&theirs, floor)
            );
            let _ = writeln!(text, "{line}");
        }
    }
    text
}

/// The power of the tolerance that the error follows: a line fitted to logarithms, above the trust.
fn power(points: &[(f64, &crate::points::Outcome)], floor: f64) -> String {
    let logs: Vec<(f64, f64)> = points
        .iter()
        .filter(|(_, o)| o.error > 3.0 * floor && o.error < 1.0)
        .map(|(rtol, o)| (rtol.log10(), o.error.log10()))
        .collect();
    let n = logs.len() as f64;
    if logs.len() < 3 {
        return "–".to_owned();
    }
    let (mx, my) = (logs.iter().map(|p| p.0).sum::<f64>() / n, logs.iter().map(|p| p.1).sum::<f64>() / n);
    let up: f64 = logs.iter().map(|(x, y)| (x - mx) * (y - my)).sum();
    let down: f64 = logs.iter().map(|(x, _)| (x - mx) * (x - mx)).sum();
    format!("{:.2}", up / down)
}

/// Evaluations and errors of everybody at a few tolerances.
pub(crate) fn figures(points: &[Point]) -> String {
    let mut text = String::new();
    for p in problems::ALL {
        let all = contenders(points, p.name);
        if all.is_empty() {
            continue;
        }
        let _ = writeln!(text, "\n## {}\n\n{}; {} unknowns.\n", p.name, p.summary, p.dim());
        let heads = SHOWN.map(|rtol| format!(" rtol {rtol:.0e} |")).concat();
        let _ = writeln!(text, "| |{heads}\n|---|{}", "---|".repeat(SHOWN.len()));
        for (library, method, _) in all {
            let curve = of(points, p.name, &library, &method);
            let cell = |rtol: f64| match curve.iter().find(|(r, _)| *r == rtol) {
                None => " – |".to_owned(),
                Some((_, o)) => {
                    let count = |n: Option<usize>| n.map_or("–".to_owned(), |n| n.to_string());
                    let linear = match (o.jacobians, o.factorizations) {
                        (None | Some(0), None | Some(0)) => String::new(),
                        (j, lu) => format!(" + {}/{}", count(j), count(lu)),
                    };
                    format!(" {}{linear}, {:.1e} |", o.evaluations, o.error)
                }
            };
            let _ = writeln!(text, "| {library} {method} |{}", SHOWN.map(cell).concat());
        }
    }
    text
}

/// Every run without an end, runs of one contender with the same reason together.
pub(crate) fn failures(points: &[Point]) -> String {
    let mut rows: Vec<(String, String, Vec<f64>)> = Vec::new();
    for p in points {
        let Err(why) = &p.outcome else { continue };
        let who = format!("| {} | {} {} |", p.problem.name, p.library, p.method);
        match rows.last_mut() {
            Some((w, reason, tolerances)) if *w == who && *reason == *why => tolerances.push(p.rtol),
            _ => rows.push((who, why.clone(), vec![p.rtol])),
        }
    }
    let mut text = String::from("| problem | | rtol | why |\n|---|---|---|---|\n");
    for (who, why, tolerances) in rows {
        let range = match tolerances[..] {
            [first, .., last] => format!("{first:.0e} … {last:.0e}"),
            _ => tolerances.iter().map(|r| format!("{r:.0e}")).collect(),
        };
        let _ = writeln!(text, "{who} {range} | {} |", why.replace('|', "/"));
    }
    text
}
