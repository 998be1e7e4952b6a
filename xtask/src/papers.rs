//! `cargo xtask papers`: runs every paper, for the figures of the book, the gallery `docs/gallery.md` that shows them, and the closing table of its README.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::program::{ROOT, run};

/// Around what is written into a README.
const MARK: &str = "<!-- written by cargo xtask papers -->";
/// The heading of a report's last part.
const CLOSING: &str = "## What the paper says, and what we find\n";
const OUT: &str = "target/papers";
const FIGURES: &str = "book/src/papers";
const GALLERY: &str = "docs/gallery.md";

pub(crate) fn anew() -> Result<(), String> {
    run(
        "cargo",
        &["run", "--release", "--quiet", "--package", "carom-cli", "--", "papers", "all", "-o", OUT],
        &[],
    )?;
    let mut index = String::from(
        "# Gallery\n\nThe figures of the papers that Carom builds on, and of what lies beyond them, as Carom draws them: written by `cargo xtask papers`. With the \
         numbers beside those expected, parameters and times they are one page, which `carom papers all` makes: `out/papers/index.html`.\n",
    );
    for (name, folder) in all().map_err(|e| format!("papers: {e}"))? {
        let out = Path::new(ROOT).join(OUT).join(&name);
        let wrong = |e: io::Error| format!("{name}: {e}");
        copy_figures(&out, &Path::new(ROOT).join(FIGURES).join(&name)).map_err(wrong)?;
        let report = fs::read_to_string(out.join("report.md")).map_err(wrong)?;
        write_table(&report, &folder.join("README.md")).map_err(wrong)?;
        index += &pictures(&name, &report);
    }
    fs::write(Path::new(ROOT).join(GALLERY), index).map_err(|e| format!("{GALLERY}: {e}"))
}

/// Names and folders, in order.
fn all() -> io::Result<Vec<(String, PathBuf)>> {
    let entries = fs::read_dir(Path::new(ROOT).join("papers"))?.filter_map(|f| Some(f.ok()?.path()));
    let named = |f: PathBuf| (f.file_name().unwrap_or_default().to_string_lossy().into_owned(), f);
    let mut papers: Vec<_> = entries.filter(|f| f.join("paper.toml").is_file()).map(named).collect();
    papers.sort();
    Ok(papers)
}

/// What was drawn takes the place of what is there.
fn copy_figures(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    let is_figure = |f: &PathBuf| f.extension().is_some_and(|e| e == "svg");
    for old in fs::read_dir(to)?.filter_map(|f| Some(f.ok()?.path())).filter(is_figure) {
        fs::remove_file(old)?;
    }
    for figure in fs::read_dir(from)?.filter_map(|f| Some(f.ok()?.path())).filter(is_figure) {
        fs::copy(&figure, to.join(figure.file_name().unwrap_or_default()))?;
    }
    Ok(())
}

/// What follows the closing heading of the report goes between the two marks of the README.
fn write_table(report: &str, readme: &Path) -> io::Result<()> {
    let text = fs::read_to_string(readme)?;
    let table = report.split_once(CLOSING).map_or("", |r| r.1);
    let parts: Vec<&str> = text.split(MARK).collect();
    let [before, _, after] = parts.as_slice() else {
        return Err(io::Error::other(format!("the README needs twice: {MARK}")));
    };
    fs::write(readme, format!("{before}{MARK}\n{table}\n{MARK}{after}"))
}

/// The report's headings, each with its figure.
fn pictures(name: &str, report: &str) -> String {
    let mut text = String::new();
    for line in report.lines() {
        if let Some(title) = line.strip_prefix("# ") {
            let _ = write!(text, "\n## {title}\n\nMore in [papers/{name}](../papers/{name}/README.md).\n");
        } else if let Some((figure, title)) = line.strip_prefix("## ").and_then(|h| h.split_once(": ")) {
            let _ = write!(text, "\n### {title}\n\n![{figure}](../{FIGURES}/{name}/{figure}.svg)\n");
        }
    }
    text
}
