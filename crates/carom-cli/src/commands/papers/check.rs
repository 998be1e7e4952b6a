//! Whether the expected values came out.

use carom_results::Recorded;
use carom_studies::paper::{Expected, Figure};

use super::quantity::Quantities;
use super::work::Done;

/// Output times this close are the same [s].
pub(super) const SAME_TIME: f64 = 1e-12;

/// An expected value beside ours.
pub(super) struct Checked {
    pub(super) what: String,
    /// the expected one in words: `0.25 ± 1e-9`, `at most 1e-8`
    pub(super) expected: String,
    /// ours, or why there is none
    pub(super) ours: Result<f64, String>,
    /// by which it differs from `value`
    pub(super) difference: Option<f64>,
    /// by which it may
    pub(super) tolerance: f64,
    pub(super) ok: bool,
    pub(super) source: String,
}

/// Checks all values of a figure. Of shortened runs only those count whose time was reached.
pub(super) fn all(figure: &Figure, runs: &[Done], quick: bool) -> Vec<Checked> {
    let shortened = |i: usize| quick && figure.runs[i].quick.is_some();
    let reached = |e: &&Expected| {
        let runs_of = [Some(e.run), e.less, e.reference];
        runs_of.into_iter().flatten().all(|i| {
            let end = runs[i].result.as_ref().map_or(0.0, Recorded::t_end);
            !shortened(i) || (e.over.is_none() && e.at.is_some_and(|t| t <= end))
        })
    };
    figure.expected.iter().filter(reached).map(|e| one(e, figure, runs)).collect()
}

fn one(e: &Expected, figure: &Figure, runs: &[Done]) -> Checked {
    let value = |i: usize| of_run(e, &Quantities::of(figure, runs, i, e.reference)?);
    let less = e.less.map_or(Ok(0.0), value);
    let ours = value(e.run).and_then(|x| Ok(x - less?));
    let holds = |x: &f64| {
        e.value.is_none_or(|v| (x - v).abs() <= e.tolerance)
            && e.least.is_none_or(|least| *x >= least)
            && e.most.is_none_or(|most| *x <= most)
    };
    let value = e.value.map(|v| format!("{} ± {:e}", exact(v), e.tolerance));
    let least = e.least.map(|v| format!("at least {}", short(v)));
    let most = e.most.map(|v| format!("at most {}", short(v)));
    Checked {
        what: e.what.clone(),
        expected: [value, least, most].into_iter().flatten().collect::<Vec<_>>().join(", "),
        ok: ours.as_ref().is_ok_and(holds),
        difference: ours.as_ref().ok().and_then(|x| Some(x - e.value?)),
        ours,
        tolerance: e.tolerance,
        source: e.source.clone(),
    }
}

/// All digits, without a row of zeros before them.
pub(super) fn exact(x: f64) -> String {
    if x != 0.0 && x.abs() < 1e-4 { format!("{x:e}") } else { format!("{x}") }
}

/// Bounds are round numbers.
fn short(x: f64) -> String {
    if x != 0.0 && !(1e-3..1e5).contains(&x.abs()) { format!("{x:e}") } else { format!("{x}") }
}

fn of_run(e: &Expected, quantities: &Quantities<'_>) -> Result<f64, String> {
    let (run, series) = (quantities.run, quantities.series(&e.of)?);
    let points = || run.t.iter().copied().zip(series.iter().copied());
    let from = |t: f64| points().filter(move |(at, _)| *at >= t - SAME_TIME);
    match (e.over, e.at) {
        (Some(over), at) => over.of(from(at.unwrap_or(0.0))).ok_or_else(|| "nothing was recorded".to_owned()),
        (None, None) => series.last().copied().ok_or_else(|| "nothing was recorded".to_owned()),
        (None, Some(t)) => {
            let here = run.t.iter().position(|at| (at - t).abs() <= SAME_TIME);
            here.map(|i| series[i]).ok_or_else(|| format!("{t} s is no output time"))
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may")]
pub(super) mod tests {
    use std::time::Duration;

    use carom_studies::paper::Paper;
    use serde_json::Map;

    use super::*;

    /// A run with nothing but energies: `work` is 2 t.
    pub(in super::super) fn done() -> Done {
        let t = vec![0.0, 0.5, 1.0];
        let run = Recorded {
            path: "nowhere".into(),
            summary: Map::from_iter([("touches".to_owned(), 3.into())]),
            energy_t: t.clone(),
            energies: vec![("work".to_owned(), t.iter().map(|t| 2.0 * t).collect())],
            t,
            ..Recorded::default()
        };
        Done { result: Ok(run), time: Duration::ZERO, least: None, searches: None, scene: None }
    }

    fn checked(expect: &str, quick: bool) -> Vec<(bool, Result<f64, String>)> {
        let recipe = format!(
            r#"title = ""
            source = ""
            [[figure]]
            name = "f"
            title = ""
            run = [{{ name = "a", scene = "s", quick = 0.5, value = 36 }}, {{ name = "b", scene = "s" }}]
            expect = [{{ what = "w", {expect} }}]
            [[figure.panel]]
            y_label = ""
            curve = [{{ y = "work" }}]"#
        );
        let paper = Paper::from_text("p", &recipe).unwrap();
        let mut first = done();
        if quick {
            let run = first.result.as_mut().unwrap();
            run.t.truncate(2);
        }
        let all = all(&paper.figures[0], &[first, done()], quick);
        all.into_iter().map(|c| (c.ok, c.ours)).collect()
    }

    #[test]
    fn values_bounds_and_differences() {
        for (expect, ok, ours) in [
            (r#"run = "a", of = "work", value = 2, tolerance = 0"#, true, 2.0),
            (r#"run = "a", of = "work", value = 2.2, tolerance = 0.1"#, false, 2.0),
            (r#"run = "a", of = "work", at = 0.5, value = 1, tolerance = 1e-9"#, true, 1.0),
            (r#"run = "a", of = "work - 2", at = 0.5, over = "max", most = 0"#, true, 0.0),
            (r#"run = "a", of = "work", over = "min", least = 0.1"#, false, 0.0),
            (r#"run = "a", of = "work", at = 0.5, over = "mean", value = 1.5, tolerance = 0"#, true, 1.5),
            (
                r#"run = "a", of = "work", at = 0.5, over = "integral", value = 0.75, tolerance = 0"#,
                true,
                0.75,
            ),
            (r#"run = "a", of = "2*work", less = "b", most = -1"#, false, 0.0),
            (r#"run = "a", of = "summary.touches", least = 3, most = 3"#, true, 3.0),
            (r#"run = "a", reference = "b", of = "work + 3*reference.work", most = 8"#, true, 8.0),
            (r#"run = "a", of = "work/run.value", value = "= 1/18", tolerance = 0"#, true, 1.0 / 18.0),
        ] {
            assert_eq!(checked(expect, false), [(ok, Ok(ours))], "{expect}");
        }
        for (expect, why) in [
            (r#"run = "a", of = "wrok", most = 1"#, "there is no quantity `wrok`; did you mean `work`?"),
            (r#"run = "a", of = "work", at = 0.4, most = 1"#, "0.4 s is no output time"),
            (r#"run = "a", of = "touch.1", most = 1"#, "there is no quantity `touch.1`"),
            (r#"run = "b", of = "run.value", most = 1"#, "there is no quantity `run.value`"),
            (
                r#"run = "a", reference = "b", of = "reference.wrok", most = 1"#,
                "there is no quantity `wrok`; did you mean `work`?",
            ),
        ] {
            assert_eq!(checked(expect, false), [(false, Err(why.to_owned()))], "{expect}");
        }
    }

    #[test]
    fn what_a_shortened_run_does_not_reach_does_not_count() {
        let value = |at: &str| format!(r#"run = "a", of = "work", {at} value = 1, tolerance = 0"#);
        assert_eq!(checked(&value("at = 0.5,"), true), [(true, Ok(1.0))]);
        assert_eq!(checked(&value("at = 1,"), true), []);
        assert_eq!(checked(&value(""), true), []);
    }
}
