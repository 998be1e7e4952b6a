//! The book's page of laws, with its tables and figures, is what `carom laws` says.
#![cfg(feature = "plots")]

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use crate::common::Place;
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
    let mut page = String::from(
        "# The laws, one by one\n\nWhat `carom laws NAME` says of each, and how they compare. \
         [Laws](theory/laws.md) has the theory, [Comparing](comparing.md) the commands.\n\n## Impacts compared\n\n",
    );
    let _ = writeln!(page, "`carom laws --compare 0.7 --plot loops.svg`\n\n```text\n{impacts}```\n");
    page += "![Force against indentation, and the restitution that comes out](laws/loops.svg)\n\n## Friction compared\n\n";
    let _ = writeln!(page, "`carom laws --compare-friction --plot slips.svg`\n\n```text\n{slips}```\n");
    page += "![Friction against slip](laws/slips.svg)\n";
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
    for figure in ["loops.svg", "slips.svg"] {
        let text = fs::read_to_string(place.path(figure)).unwrap();
        generated(&format!("laws/{figure}"), &text, same_figure);
    }
}
