//! What came out, for people: a few lines, and a report in Markdown.

use std::fmt::Write;
use std::path::Path;

use carom_studies::paper::{Draw, Panel, Paper, Remark, RunRecipe};

use super::Finished;
use super::check::{Checked, exact};
use super::choice::Choice;
use super::draw::{PointOfRun, is_formula, points_of_runs};
use super::work::Done;
use crate::human::seconds;
use crate::text::Table;

/// For the terminal: a line a figure, and what was missed.
pub(super) fn text(paper: &Paper, all: &[Finished<'_>], report: &Path) -> String {
    let mut text = format!("{}\n", paper.title);
    let mut table = Table::new(["figure", "runs", "time", "largest audit", "expected values"]);
    for f in all {
        let time: f64 = f.runs.iter().map(|r| r.time.as_secs_f64()).sum();
        let audit = f.runs.iter().filter_map(|r| r.number("audit_relative")).fold(0.0, f64::max);
        let met = f.checked.iter().filter(|c| c.ok).count();
        let values = format!("{met} of {} met", f.checked.len());
        table.line([
            f.figure.name.clone(),
            f.runs.len().to_string(),
            seconds(time),
            format!("{audit:.0e}"),
            values,
        ]);
    }
    let _ = write!(text, "{table}");
    for c in all.iter().flat_map(|f| &f.checked).filter(|c| !c.ok) {
        let _ = writeln!(text, "  missed: {}: {} instead of {}", c.what, ours(c), c.expected);
    }
    let _ = writeln!(text, "  {}", report.display());
    text
}

/// The whole report.
pub(super) fn markdown(choice: &Choice, all: &[Finished<'_>], quick: bool) -> String {
    let paper = &choice.paper;
    let mut text = format!("# {}\n\n{}\n", paper.title, paper.source);
    let _ = writeln!(
        text,
        "\nMade by `carom papers {}`{}.",
        paper.name,
        if quick { ", runs shortened" } else { "" }
    );
    for f in all {
        let name = &f.figure.name;
        let _ = write!(text, "\n## {name}: {}\n\n![{name}]({name}.svg)\n", f.figure.title);
        for (head, words) in
            [("The paper: ", &f.figure.says), ("How we read it: ", &f.figure.reading), ("", &f.figure.note)]
        {
            if !words.is_empty() {
                let _ = write!(text, "\n{head}{words}\n");
            }
        }
        text += &runs(f);
        f.figure.panels.iter().filter(|p| p.across).for_each(|p| text += &numbers(p, f));
        text += &checks(&f.checked);
    }
    if choice.is_whole() {
        text += &remarks(paper, all);
    }
    text
}

const COST: &str = "method | rtol | steps | rejected | evaluations | touches | time | audit |";

/// What a run cost, in the columns of [`COST`].
fn cost(run: &Done) -> String {
    if let Err(why) = &run.result {
        return format!("– | – | – | – | – | – | – | failed: {why} |");
    }
    let whole = |key: &str| run.number(key).map_or_else(|| "–".to_owned(), |x| format!("{x}"));
    let small = |key: &str| run.number(key).map_or_else(|| "–".to_owned(), |x| format!("{x:.0e}"));
    format!(
        "{} | {} | {} | {} | {} | {} | {} | {} |",
        run.method(),
        small("rtol"),
        whole("steps"),
        whole("rejected"),
        whole("evaluations"),
        whole("touches"),
        seconds(run.time.as_secs_f64()),
        small("audit_relative")
    )
}

fn runs(f: &Finished<'_>) -> String {
    if f.runs.is_empty() {
        return String::new();
    }
    let mut text = format!("\n| run | scene | {COST}\n|---|---|---|---|---|---|---|---|---|---|\n");
    for (recipe, run) in f.figure.runs.iter().zip(&f.runs) {
        let _ = writeln!(text, "| {} | {} | {}", recipe.name, changed(recipe), cost(run));
    }
    text
}

/// The numbers of a panel across runs.
fn numbers(panel: &Panel, f: &Finished<'_>) -> String {
    let mut text = format!("\n{}: {}\n\n| run |", panel.title, panel.y_label);
    let curves: Vec<_> = panel.curves.iter().filter(|c| c.draw != Draw::Guide && !is_formula(c)).collect();
    curves.iter().for_each(|c| text += &format!(" {} |", c.label));
    text += &format!("\n|---|{}\n", "---|".repeat(curves.len()));
    let columns: Vec<_> = curves.iter().map(|c| points_of_runs(c, panel, f).unwrap_or_default()).collect();
    for &i in &panel.runs {
        let of = |points: &Vec<PointOfRun>| points.iter().find(|p| p.0 == i).map(|p| p.1.1);
        let fields: Vec<String> =
            columns.iter().map(|c| of(c).map_or_else(|| "–".to_owned(), three)).collect();
        let _ = writeln!(text, "| {} | {} |", f.figure.runs[i].label, fields.join(" | "));
    }
    text
}

/// Three digits.
fn three(x: f64) -> String {
    if x == 0.0 {
        return "0".to_owned();
    }
    if !(0.01..1e4).contains(&x.abs()) {
        return format!("{x:.2e}");
    }
    let digits = (2.0 - x.abs().max(0.01).log10().floor()).max(0.0) as usize;
    format!("{x:.digits$}")
}

/// `break, gap=1e-6`: the scene and what was replaced, without the method, which has a column.
pub(super) fn changed(recipe: &RunRecipe) -> String {
    let own = |set: &&String| !set.starts_with("run/method=") && !set.starts_with("run/rtol=");
    let last = |set: &String| set.rsplit('/').next().unwrap_or_default().to_owned();
    let set: Vec<String> = recipe.set.iter().filter(own).map(last).collect();
    if set.is_empty() { recipe.scene.clone() } else { format!("{}, {}", recipe.scene, set.join(", ")) }
}

pub(super) fn ours(c: &Checked) -> String {
    match &c.ours {
        Ok(x) => exact(*x),
        Err(why) => why.clone(),
    }
}

fn checks(checked: &[Checked]) -> String {
    if checked.is_empty() {
        return String::new();
    }
    let mut text =
        String::from("\n| value | expected | ours | difference | ok | from |\n|---|---|---|---|---|---|\n");
    for c in checked {
        let difference = c.difference.map_or_else(|| "–".to_owned(), |d| format!("{d:.1e}"));
        let ok = if c.ok { "yes" } else { "**no**" };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {difference} | {ok} | {} |",
            c.what,
            c.expected,
            ours(c),
            c.source
        );
    }
    text
}

/// The paper's remarks beside what the runs show.
fn remarks(paper: &Paper, all: &[Finished<'_>]) -> String {
    if paper.remarks.is_empty() {
        return String::new();
    }
    let mut text = String::from("\n## What the paper says, and what we find\n");
    for Remark { paper: says, ours, runs } in &paper.remarks {
        let _ = write!(text, "\n**The paper:** {says}\n\n**Here:** {ours}\n");
        let _ = write!(text, "\n| run | {COST}\n|---|---|---|---|---|---|---|---|---|\n");
        for &(figure, run) in runs {
            let f = &all[figure];
            let _ =
                writeln!(text, "| {}/{} | {}", f.figure.name, f.figure.runs[run].name, cost(&f.runs[run]));
        }
    }
    text
}
