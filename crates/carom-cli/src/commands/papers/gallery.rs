//! The gallery: one page with every figure, what the paper says, how we read it, and how far our numbers are from those expected.
//!
//! The page holds its pictures and needs nothing else. Texts of recipes and names of scenes are escaped, never markup.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use carom::base::file;
use carom_studies::paper::Paper;

use super::Finished;
use super::check::Checked;
use super::report::{changed, ours};
use super::work::Done;
use crate::failure::Failure;
use crate::human::seconds;

/// What the page is called.
pub(super) const FILE: &str = "index.html";
const STYLE: &str = include_str!("gallery.css");

/// What there is of it so far.
pub(super) struct Gallery {
    quick: bool,
    index: String,
    body: String,
    figures: usize,
    met: usize,
    expected: usize,
    time: f64,
}

impl Gallery {
    pub(super) fn new(quick: bool) -> Gallery {
        let (index, body) = (String::new(), String::new());
        Gallery { quick, index, body, figures: 0, met: 0, expected: 0, time: 0.0 }
    }

    /// A paper whose figures were drawn to `folder`.
    pub(super) fn add(&mut self, paper: &Paper, all: &[Finished<'_>], folder: &Path) {
        let name = escaped(&paper.name);
        let _ = write!(self.index, "<h2><a href=\"#{name}\">{}</a></h2>\n<ol>\n", escaped(&paper.title));
        let (title, source) = (escaped(&paper.title), escaped(&paper.source));
        let _ = write!(
            self.body,
            "<section id=\"{name}\">\n<h1>{title}</h1>\n<p class=\"source\">{source}</p>\n"
        );
        for f in all {
            let (mark, id) = (Verdict::of(f), format!("{name}-{}", escaped(&f.figure.name)));
            let _ = writeln!(
                self.index,
                "<li><a class=\"{}\" href=\"#{id}\" title=\"{}\">{}</a></li>",
                mark.class(),
                escaped(&mark.words()),
                escaped(&f.figure.name)
            );
            self.body += &card(paper, f, &id, folder);
            self.figures += 1;
            self.met += f.checked.iter().filter(|c| c.ok).count();
            self.expected += f.checked.len();
            self.time += time(f);
        }
        self.index += "</ol>\n";
        self.body += "</section>\n";
    }

    /// The page.
    pub(super) fn write(&self, folder: &Path) -> Result<(), Failure> {
        let path = folder.join(FILE);
        let io = |e: std::io::Error| Failure::Run(format!("{}: {e}", path.display()));
        fs::create_dir_all(folder).map_err(io)?;
        file::write(&path, self.page().as_bytes()).map_err(io)
    }

    fn page(&self) -> String {
        let Gallery { index, body, figures, met, expected, .. } = self;
        let plural = if *figures == 1 { "" } else { "s" };
        let short = if self.quick { ", runs shortened" } else { "" };
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n<title>Carom: the papers' figures</title>\n\
             <style>\n{STYLE}</style>\n</head>\n<body>\n<nav>\n<h1>Carom</h1>\n\
             <p>{figures} figure{plural}{short}. {met} of {expected} expected values met. {} of computing.</p>\n\
             {index}</nav>\n<main>\n{body}</main>\n</body>\n</html>\n",
            seconds(self.time)
        )
    }
}

/// What became of a figure.
enum Verdict {
    /// all values came out; so many
    Met(usize),
    /// so many of so many did not
    Missed(usize, usize),
    /// a run failed, and why
    Failed(String),
    /// nothing was expected
    Shown,
}

impl Verdict {
    fn of(f: &Finished<'_>) -> Verdict {
        if let Some(why) = f.runs.iter().find_map(|r| r.result.as_ref().err()) {
            return Verdict::Failed(why.clone());
        }
        match (f.checked.iter().filter(|c| !c.ok).count(), f.checked.len()) {
            (_, 0) => Verdict::Shown,
            (0, n) => Verdict::Met(n),
            (missed, n) => Verdict::Missed(missed, n),
        }
    }

    fn class(&self) -> &'static str {
        match self {
            Verdict::Met(_) => "met",
            Verdict::Missed(..) | Verdict::Failed(_) => "missed",
            Verdict::Shown => "shown",
        }
    }

    fn words(&self) -> String {
        match self {
            Verdict::Met(1) => "the expected value met".to_owned(),
            Verdict::Met(n) => format!("all {n} expected values met"),
            Verdict::Missed(missed, n) => format!("misses {missed} of {n} expected values"),
            Verdict::Failed(why) => format!("a run failed: {why}"),
            Verdict::Shown => "no number to expect".to_owned(),
        }
    }
}

fn time(f: &Finished<'_>) -> f64 {
    f.runs.iter().map(|r| r.time.as_secs_f64()).sum()
}

/// A figure.
fn card(paper: &Paper, f: &Finished<'_>, id: &str, folder: &Path) -> String {
    let (name, title, verdict) = (escaped(&f.figure.name), escaped(&f.figure.title), Verdict::of(f));
    let mut text = format!("<article id=\"{id}\">\n<h2><span>{name}</span> {title}</h2>\n");
    text += &picture(&folder.join(format!("{}.png", f.figure.name)), &title);
    let parts = [
        ("The paper", &f.figure.says),
        ("How we read it", &f.figure.reading),
        ("What to see", &f.figure.note),
    ];
    text += "<dl>\n";
    for (head, words) in parts.iter().filter(|p| !p.1.is_empty()) {
        let _ = writeln!(text, "<dt>{head}</dt><dd>{}</dd>", prose(words));
    }
    let words = format!("{}{}", verdict.words(), closest(&f.checked));
    let _ =
        writeln!(text, "<dt>Agreement</dt><dd><b class=\"{}\">{}</b></dd>", verdict.class(), escaped(&words));
    let runs = if f.runs.len() == 1 { "1 run".to_owned() } else { format!("{} runs", f.runs.len()) };
    let _ = writeln!(text, "<dt>Time</dt><dd>{} for {runs}</dd>", seconds(time(f)));
    let _ = writeln!(
        text,
        "<dt>Again</dt><dd><code>carom papers {}/{name}</code></dd>\n</dl>",
        escaped(&paper.name)
    );
    text += &values(&f.checked);
    text += &runs_of(f);
    text + "</article>\n"
}

/// The picture within the page; nothing where the program draws none.
fn picture(path: &Path, title: &str) -> String {
    let Ok(bytes) = fs::read(path) else { return String::new() };
    format!("<img alt=\"{title}\" src=\"data:image/png;base64,{}\">\n", STANDARD.encode(bytes))
}

/// How near the values came to what is allowed.
fn closest(checked: &[Checked]) -> String {
    let share = |c: &Checked| Some(c.difference?.abs() / c.tolerance).filter(|x| x.is_finite());
    let worst = checked
        .iter()
        .filter_map(share)
        .fold(None, |worst: Option<f64>, x| Some(worst.map_or(x, |w| w.max(x))));
    worst.map(|w| format!("; the largest difference is {} of its tolerance", three(w))).unwrap_or_default()
}

fn three(x: f64) -> String {
    if (1e-3..1e4).contains(&x) { format!("{x:.3}") } else { format!("{x:.0e}") }
}

fn values(checked: &[Checked]) -> String {
    if checked.is_empty() {
        return String::new();
    }
    let rows: String = checked.iter().map(value).collect();
    let open = if checked.iter().all(|c| c.ok) { "" } else { " open" };
    format!(
        "<details{open}><summary>Expected values: {}</summary><div><table>\n<tr><th>value<th>expected<th>ours<th>difference<th>from</tr>\n\
         {rows}</table></div></details>\n",
        checked.len()
    )
}

fn value(c: &Checked) -> String {
    let difference = c.difference.map_or_else(|| "–".to_owned(), |d| format!("{d:.1e}"));
    let class = if c.ok { "met" } else { "missed" };
    let cells =
        [&c.what, &c.expected, &ours(c), &difference, &c.source].map(|cell| format!("<td>{}", escaped(cell)));
    format!("<tr class=\"{class}\">{}</tr>\n", cells.concat())
}

/// Parameters and cost of every run.
fn runs_of(f: &Finished<'_>) -> String {
    if f.runs.is_empty() {
        return String::new();
    }
    let mut text = String::from(
        "<details><summary>Runs and parameters</summary><div><table>\n\
         <tr><th>run<th>scene, with changes<th>parameters<th>method<th>rtol<th>steps<th>touches<th>time<th>audit</tr>\n",
    );
    for (recipe, run) in f.figure.runs.iter().zip(&f.runs) {
        let number =
            |key: &str, show: fn(f64) -> String| run.number(key).map_or_else(|| "–".to_owned(), show);
        let (whole, small) = (|x: f64| format!("{x}"), |x: f64| format!("{x:.0e}"));
        let cells = [
            recipe.label.clone(),
            changed(recipe),
            parameters(run),
            run.method().to_owned(),
            number("rtol", small),
            number("steps", whole),
            number("touches", whole),
            seconds(run.time.as_secs_f64()),
            run.result
                .as_ref()
                .map_or_else(|why| format!("failed: {why}"), |_| number("audit_relative", small)),
        ];
        let cells = cells.map(|cell| format!("<td>{}", escaped(&cell)));
        let _ = writeln!(text, "<tr>{}</tr>", cells.concat());
    }
    text + "</table></div></details>\n"
}

/// `gap = 1e-6, mass = 0.1`.
fn parameters(run: &Done) -> String {
    let all = run.scene.iter().flat_map(|scene| &scene.parameters);
    let shown = |x: &f64| {
        if *x != 0.0 && !(1e-3..1e5).contains(&x.abs()) { format!("{x:.6e}") } else { format!("{x}") }
    };
    all.map(|(name, x)| format!("{name} = {}", shown(x))).collect::<Vec<_>>().join(", ")
}

/// Text for a page.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            c => out.push(c),
        }
    }
    out
}

/// Sentences, with names between backquotes.
fn prose(text: &str) -> String {
    let parts = text.split('`').map(escaped).enumerate();
    parts.map(|(i, part)| if i % 2 == 1 { format!("<code>{part}</code>") } else { part }).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may")]
mod tests {
    use super::super::check::{self, tests::done};
    use super::*;

    #[test]
    fn texts_are_no_markup() {
        assert_eq!(escaped("<b a=\"c\">&'"), "&lt;b a=&quot;c&quot;&gt;&amp;&#39;");
        assert_eq!(prose("the `<key>` of it"), "the <code>&lt;key&gt;</code> of it");
    }

    /// The page of one figure whose run has `work` = 2 at its end, or which failed.
    fn page(expected: &str, failed: bool) -> String {
        let recipe = format!(
            r#"title = "<i>title</i>"
            source = ""
            [[figure]]
            name = "f"
            title = ""
            says = "work is `2`"
            run = [{{ name = "a", scene = "s" }}]
            panel = [{{ y_label = "", curve = [{{ y = "work" }}] }}]
            expect = [{{ what = "work [J]", run = "a", of = "work", source = "", {expected} }}]"#
        );
        let paper = Paper::from_text("p", &recipe).unwrap();
        let mut run = done();
        if failed {
            run.result = Err("no <ground>".to_owned());
        }
        let (figure, runs) = (&paper.figures[0], vec![run]);
        let finished = Finished { checked: check::all(figure, &runs, false), figure, runs };
        let mut gallery = Gallery::new(false);
        gallery.add(&paper, &[finished], Path::new("nowhere"));
        gallery.page()
    }

    #[test]
    fn a_figure_that_misses_is_marked() {
        let met = page("value = 2.2, tolerance = 0.4", false);
        assert!(met.contains("1 figure. 1 of 1 expected values met."), "{met}");
        assert!(met.contains("<a class=\"met\" href=\"#p-f\"") && !met.contains("class=\"missed\""), "{met}");
        assert!(
            met.contains("the expected value met; the largest difference is 0.500 of its tolerance"),
            "{met}"
        );
        assert!(
            met.contains("<dt>The paper</dt><dd>work is <code>2</code></dd>") && !met.contains("<i>"),
            "{met}"
        );
        let missed = page("most = 1", false);
        assert!(missed.contains("<b class=\"missed\">misses 1 of 1 expected values</b>"), "{missed}");
        assert!(missed.contains("<details open>") && missed.contains("<tr class=\"missed\">"), "{missed}");
        let failed = page("most = 1", true);
        assert!(failed.contains("<b class=\"missed\">a run failed: no &lt;ground&gt;"), "{failed}");
    }
}
