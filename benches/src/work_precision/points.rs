//! All points of all curves, and the table they are kept in.

use std::fmt::Write;

use carom_ode::problems::{self, Problem};

use crate::contenders::Family;

/// A run: who, what, how fine, and what came of it.
#[derive(Clone, Debug)]
pub(crate) struct Point {
    pub(crate) problem: &'static Problem,
    pub(crate) library: String,
    pub(crate) method: String,
    pub(crate) family: Family,
    pub(crate) rtol: f64,
    /// what it cost, or why there is no end
    pub(crate) outcome: Result<Outcome, String>,
}

/// What a run reached and cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outcome {
    pub(crate) error: f64,
    pub(crate) evaluations: usize,
    pub(crate) jacobians: Option<usize>,
    pub(crate) factorizations: Option<usize>,
    pub(crate) steps: usize,
    /// [s]
    pub(crate) cpu: f64,
}

const HEAD: &str =
    "problem,library,method,family,rtol,error,evaluations,jacobians,factorizations,steps,cpu_s,failure";

/// The points of one contender on one problem, from coarse to fine.
pub(crate) fn of<'a>(
    points: &'a [Point],
    problem: &str,
    library: &str,
    method: &str,
) -> Vec<(f64, &'a Outcome)> {
    let same = |p: &&Point| p.problem.name == problem && p.library == library && p.method == method;
    points.iter().filter(same).filter_map(|p| Some((p.rtol, p.outcome.as_ref().ok()?))).collect()
}

/// The contenders on a problem, in order of appearance.
pub(crate) fn contenders(points: &[Point], problem: &str) -> Vec<(String, String, Family)> {
    let mut all: Vec<(String, String, Family)> = Vec::new();
    for p in points.iter().filter(|p| p.problem.name == problem) {
        if !all.iter().any(|(library, method, _)| *library == p.library && *method == p.method) {
            all.push((p.library.clone(), p.method.clone(), p.family));
        }
    }
    all
}

/// The points measured now, and those of before that are not measured anew; problem by problem, contenders in the given order.
pub(crate) fn merged(old: Vec<Point>, new: Vec<Point>, order: &[String]) -> Vec<Point> {
    let same = |a: &Point, b: &Point| {
        a.problem.name == b.problem.name && a.library == b.library && a.method == b.method
    };
    let mut all: Vec<Point> = old.into_iter().filter(|p| !new.iter().any(|n| same(p, n))).collect();
    all.extend(new);
    let rank = |p: &Point| {
        let label = format!("{} {}", p.library, p.method);
        let problem = problems::ALL.iter().position(|known| known.name == p.problem.name);
        (problem, order.iter().position(|known| *known == label).unwrap_or(usize::MAX))
    };
    // stable: tolerances stay in order
    all.sort_by_key(rank);
    all
}

/// The points as comma-separated values.
pub(crate) fn to_csv(points: &[Point]) -> String {
    let mut text = format!("{HEAD}\n");
    for p in points {
        // family names hold commas
        let family = p.family.word().replace(',', ";");
        let head = format!("{},{},{},{family},{:e}", p.problem.name, p.library, p.method, p.rtol);
        let count = |n: Option<usize>| n.map_or(String::new(), |n| n.to_string());
        let tail = match &p.outcome {
            Ok(o) => format!(
                "{:e},{},{},{},{},{:e},",
                o.error,
                o.evaluations,
                count(o.jacobians),
                count(o.factorizations),
                o.steps,
                o.cpu
            ),
            Err(why) => format!(",,,,,,\"{}\"", why.replace('"', "'").replace('\n', " ")),
        };
        // writing to a string cannot fail
        let _ = writeln!(text, "{head},{tail}");
    }
    text
}

/// The points of a table written by [`to_csv`].
pub(crate) fn from_csv(text: &str) -> Result<Vec<Point>, String> {
    let mut lines = text.lines();
    if lines.next() != Some(HEAD) {
        return Err("the table has other columns".to_owned());
    }
    lines.map(|line| point(line).ok_or_else(|| format!("not understood: {line}"))).collect()
}

fn point(line: &str) -> Option<Point> {
    // the last column may hold commas
    let cells: Vec<&str> = line.splitn(12, ',').collect();
    let [problem, library, method, family, rtol, error, evaluations, jacobians, lus, steps, cpu, failure] =
        cells[..]
    else {
        return None;
    };
    let outcome = if failure.is_empty() {
        Ok(Outcome {
            error: error.parse().ok()?,
            evaluations: evaluations.parse().ok()?,
            jacobians: jacobians.parse().ok(),
            factorizations: lus.parse().ok(),
            steps: steps.parse().ok()?,
            cpu: cpu.parse().ok()?,
        })
    } else {
        Err(failure.trim_matches('"').to_owned())
    };
    Some(Point {
        problem: problems::find(problem)?,
        library: library.to_owned(),
        method: method.to_owned(),
        family: Family::of(&family.replace(';', ",")),
        rtol: rtol.parse().ok()?,
        outcome,
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may")]
mod tests {
    use super::*;

    #[test]
    fn tables_read_back() {
        let outcome = Outcome {
            error: 1.5e-7,
            evaluations: 12,
            jacobians: Some(3),
            factorizations: None,
            steps: 4,
            cpu: 1e-5,
        };
        let one = Point {
            problem: problems::ALL[0],
            library: "a".to_owned(),
            method: "b".to_owned(),
            family: Family::Eight,
            rtol: 1e-6,
            outcome: Ok(outcome),
        };
        let other = Point { outcome: Err("no, not \"this\"".to_owned()), ..one.clone() };
        let text = to_csv(&[one, other]);
        let back = from_csv(&text).unwrap();
        assert_eq!(to_csv(&back), text);
        assert_eq!(back[0].family, Family::Eight);
    }
}
