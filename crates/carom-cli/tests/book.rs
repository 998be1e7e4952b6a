//! What the program says stands in the book and the README as it says it: the page of laws, with its tables and figures, and reports of runs.
#![cfg(feature = "plots")]

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use crate::common::{Place, example};
use carom::law::{friction, normal, resistance};

fn book(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../book/src").join(path)
}

/// Compares a generated file with what it should be; with `CAROM_GEN=1` (`cargo xtask gen`) writes it.
fn generated(path: &str, text: &str, same: fn(&str, &str) -> bool) {
    let path = book(path);
    if std::env::var_os("CAROM_GEN").is_some() {
        fs::write(&path, text).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(same(&found, text), "{} is out of date: run `cargo xtask gen`", path.display());
}

/// Figures are the same if their numbers are, to what no eye sees: a power may be rounded otherwise elsewhere.
fn same_figure(a: &str, b: &str) -> bool {
    let parts = |text: &str| -> Vec<String> {
        let edges = |c: char| !(c.is_ascii_digit() || c == '.' || c == '-');
        text.split(edges).filter(|p| !p.is_empty()).map(str::to_owned).collect()
    };
    let (a, b) = (parts(a), parts(b));
    let near = |(x, y): (&String, &String)| match (x.parse::<f64>(), y.parse::<f64>()) {
        (Ok(x), Ok(y)) => (x - y).abs() < 0.05,
        _ => x == y,
    };
    a.len() == b.len() && a.iter().zip(&b).all(near)
}

#[test]
fn the_page_of_laws_is_current() {
    let place = Place::new("book");
    let carom = |args: &[&str]| place.carom(&[&["laws"], args].concat()).done();
    let impacts = carom(&["--compare", "0.7", "--plot", "loops.svg"]);
    let slips = carom(&["--compare-friction", "--plot", "slips.svg"]);
    let oblique = carom(&["--compare-oblique", "--plot", "oblique.svg"]);
    let cycles = carom(&["--compare-cycles", "--plot", "cycles.svg"]);
    let mut page = String::from(
        "# The laws, one by one\n\nWhat `carom laws NAME` says of each, and how they compare. \
         [Laws](theory/laws.md) has the theory, [Comparing](comparing.md) the commands.\n\n## Impacts compared\n\n",
    );
    let _ = writeln!(page, "`carom laws --compare 0.7 --plot loops.svg`\n\n```text\n{impacts}```\n");
    page += "![Force against indentation, and the restitution that comes out](laws/loops.svg)\n\n## Slow cycles compared\n\n";
    let _ = writeln!(page, "`carom laws --compare-cycles --plot cycles.svg`\n\n```text\n{cycles}```\n");
    page += "![Force against indentation: pulled apart, and loaded again](laws/cycles.svg)\n\n## Friction compared\n\n";
    let _ = writeln!(page, "`carom laws --compare-friction --plot slips.svg`\n\n```text\n{slips}```\n");
    page += "![Friction against slip](laws/slips.svg)\n\n## Oblique impacts compared\n\n";
    let _ = writeln!(page, "`carom laws --compare-oblique --plot oblique.svg`\n\n```text\n{oblique}```\n");
    page += "![Rebound by incidence](laws/oblique.svg)\n";
    let kinds = [
        ("Normal laws", "normal", normal::ALL.iter().map(|l| l.name()).collect::<Vec<_>>()),
        ("Friction laws", "friction", friction::ALL.iter().map(|l| l.name()).collect()),
        ("Rolling resistance", "rolling", resistance::ROLLING.iter().map(|l| l.name()).collect()),
        ("Spinning resistance", "spinning", resistance::SPINNING.iter().map(|l| l.name()).collect()),
    ];
    for (title, kind, names) in kinds {
        let _ = write!(page, "\n## {title}\n");
        for name in names {
            // a name may be that of laws of several kinds
            let said = carom(&[name]);
            let own = said.split("\n\n").collect::<Vec<_>>();
            let starts = |part: &&str| part.starts_with(&format!("{name} (")) && part.contains(" law): ");
            let first =
                own.iter().position(|part| starts(part) && part.contains(&format!(" ({kind} law): ")));
            let first = first.unwrap();
            let last = own[first + 1..].iter().position(starts).map_or(own.len(), |n| first + 1 + n);
            let _ =
                write!(page, "\n### {name}\n\n```text\n{}\n```\n", own[first..last].join("\n\n").trim_end());
        }
    }
    generated("laws.md", &page, |a, b| a == b);
    for figure in ["loops.svg", "cycles.svg", "slips.svg", "oblique.svg"] {
        let text = fs::read_to_string(place.path(figure)).unwrap();
        generated(&format!("laws/{figure}"), &text, same_figure);
    }
}

/// Pages that show the report of a run, each with the example it is of.
const REPORTS: [(&str, &str); 4] = [
    ("../../README.md", "bouncing-ball"),
    ("first-steps.md", "bouncing-ball"),
    ("drives.md", "shaken-table"),
    ("soft-bodies.md", "jelly-drop"),
];

/// Where the time on the clock is in a report.
const TIME: (&str, &str) = (" simulated in ", "    ");

/// A report in three: up to its time on the clock, that time, and the rest.
fn around_time(report: &str) -> (&str, &str, &str) {
    let from = report.find(TIME.0).unwrap() + TIME.0.len();
    let to = from + report[from..].find(TIME.1).unwrap();
    (&report[..from], &report[from..to], &report[to..])
}

/// Two numbers that may differ between machines, whose functions are rounded otherwise: counts of steps by a few, audits as long as they are small.
fn same_count(a: &str, b: &str) -> bool {
    let number = |word: &str| word.trim_matches(['(', ',', ')']).replace(',', "").parse::<f64>();
    let (Ok(a), Ok(b)) = (number(a), number(b)) else { return false };
    a.max(b) < 1e-8 || (a.min(b) >= 1.0 && (a - b).abs() <= 2.0 + 0.05 * a)
}

/// Reports are the same word by word, but for the time and those counts that depend on the machine.
fn same_report(a: &str, b: &str) -> bool {
    let same_line = |(a, b): (&str, &str)| {
        let (a, b): (Vec<_>, Vec<_>) = (a.split(' ').collect(), b.split(' ').collect());
        let after = |mark: &str, words: usize| Some(a.iter().position(|word| *word == mark)? + words);
        let exact = after("audit", 1).or_else(|| after("rtol", 2)).unwrap_or(a.len());
        let same = |(n, (a, b)): (usize, (&&str, &&str))| a == b || (n >= exact && same_count(a, b));
        a.len() == b.len() && a.iter().zip(&b).enumerate().all(same)
    };
    let timeless = |report: &str| {
        let (before, _, after) = around_time(report);
        format!("{before}{after}")
    };
    let (a, b) = (timeless(a), timeless(b));
    a.lines().count() == b.lines().count() && a.lines().zip(b.lines()).all(same_line)
}

#[test]
fn reports_of_runs_are_current() {
    for (page, scene) in REPORTS {
        let place = Place::new(&format!("book-{scene}-{}", page.len()));
        let now = place.carom(&["run", &example(&format!("{scene}.toml"))]).done();
        let path = book(page);
        let text = fs::read_to_string(&path).unwrap();
        let title = now.lines().next().unwrap();
        let from =
            text.find(&format!("\n{title}\n")).unwrap_or_else(|| panic!("{page} has no `{title}`")) + 1;
        let to = from + text[from..].find("```").unwrap();
        let kept = &text[from..to];
        // the time on the clock is another one at every run: the page keeps its own
        let (before, _, after) = around_time(&now);
        let now = format!("{before}{}{after}", around_time(kept).1);
        if std::env::var_os("CAROM_GEN").is_some() && now != kept {
            fs::write(&path, format!("{}{now}{}", &text[..from], &text[to..])).unwrap();
        } else {
            assert!(same_report(kept, &now), "{page} shows\n{kept}instead of\n{now}Run `cargo xtask gen`.");
        }
    }
}

#[test]
fn a_report_that_differs_is_seen() {
    let report = "Ball\n  1.5 s simulated in 2.57 ms    auto, rtol 1e-10    116 steps (40 rejected), 2,066 evaluations\n  \
                  energy 647 mJ    audit 1e-10 of the largest energy\n";
    let same = |from, to| {
        let other = report.replace(from, to);
        assert_ne!(other, report);
        same_report(report, &other)
    };
    assert!(same("2.57 ms", "31.4 ms") && same("116 steps", "118 steps") && same("1e-10 of", "2e-10 of"));
    assert!(!same("1.5 s", "1.6 s") && !same("116 steps", "160 steps") && !same("2,066", "2,666"));
    assert!(!same("rtol 1e-10", "rtol 1e-9") && !same("647", "648") && !same("1e-10 of", "1e-7 of"));
    assert!(!same("largest", "smallest") && !same("  energy", "  no contacts\n  energy"));
}
