//! `carom plot`

use std::io::Write;
use std::path::{Path, PathBuf};

use carom_results::Recorded;
use carom_scene::plot::{Plot, PrintWidth, Wanted};
use carom_scene::quantity::Meaning;
use carom_scene::units::unit;
use carom_studies::plot::{PlotProblem, Run, overview};
use clap::Args;

use crate::failure::Failure;
use crate::human::significant;
use crate::plot;
use crate::text::Table;

/// Draw quantities of recorded runs as SVG, PNG or PDF
///
/// A quantity is ball.z, ball.speed, ball~floor.fn, kinetic ... (see --list), an expression of
/// some ('ball.z - 0.02'), or two with a colon between, the first upwards, the second across.
/// Without any, positions, energies and contact forces are drawn. Several folders are drawn over
/// each other, each with its name in the legend. Axes have units with the prefix that fits.
///
/// A run that failed, was stopped or still goes on is drawn as far as it came.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    override_usage = "carom plot [OPTIONS] <DIR>... [QUANTITY]...",
    after_help = "\
Examples:
  carom plot out/bouncing-ball                                   an overview
  carom plot out/bouncing-ball ball.z ball.vz --to 0.5
  carom plot out/soft out/hard ball.z -o heights.svg             two runs
  carom plot out/bouncing-ball ball~floor.fn:ball~floor.delta    force over indentation
  carom plot out/bouncing-ball --phase ball.z                    vz over z
  carom plot out/orbit planet.y --against planet.x               a path
  carom plot out/bouncing-ball total kinetic potential --together
  carom plot out/bouncing-ball ball~floor.fn -o force.pdf --y-label 'F_n'
  carom plot out/soft out/hard ball.z --title 'Two balls' --x-label 'time since release'
  carom plot out/bouncing-ball kinetic total --together --label 'E_{kin}' --label E
  carom plot out/bouncing-ball --list                            what can be drawn

Labels: f_n, F_{max} and m/s^2 are set as sub- and superscripts; \\_ is an underscore. A figure in
the folder of a run is removed when the folder gets new results."
)]
pub(crate) struct PlotOf {
    /// Folders of results, and quantities
    #[arg(value_name = "DIR or QUANTITY", required = true)]
    words: Vec<String>,
    /// The file: .svg, .png, .pdf; no ending: SVG and PNG [default: in the folder, by quantity]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The quantity across, for those that do not say
    #[arg(long, value_name = "QUANTITY")]
    against: Option<String>,
    /// Phase portrait: the rate of a quantity over it; can be given many times
    #[arg(long, value_name = "QUANTITY")]
    phase: Vec<String>,
    /// Quantities of one unit share a panel
    #[arg(long)]
    together: bool,
    /// From this time on [s]
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    from: Option<f64>,
    /// Up to this time [s]
    #[arg(long, value_name = "TIME")]
    to: Option<f64>,
    /// Logarithmic axes upwards, of absolute values
    #[arg(long)]
    log: bool,
    /// What is written above the figure
    #[arg(long, default_value = "")]
    title: String,
    /// Words of the axes across instead of what is drawn; the unit follows, unless they end in ]
    #[arg(long, value_name = "TEXT", default_value = "")]
    x_label: String,
    /// Words of the axis upwards, likewise; given many times, panel by panel
    #[arg(long, value_name = "TEXT")]
    y_label: Vec<String>,
    /// A name in the legend: one a quantity, or one a run if there is one quantity
    #[arg(long, value_name = "TEXT")]
    label: Vec<String>,
    /// Width and height of a panel [px]
    #[arg(long, value_name = "WIDTHxHEIGHT", value_parser = size)]
    size: Option<(f64, f64)>,
    /// Width in print: a column of a journal (85 mm) or both (170 mm), letters of 7 points
    #[arg(long, value_name = "WIDTH", value_parser = clap::builder::PossibleValuesParser::new(PrintWidth::WORDS))]
    width: Option<String>,
    /// A unit to show numbers in, where it fits: mm, ms, deg; can be given many times
    #[arg(long, value_name = "UNIT")]
    unit: Vec<String>,
    /// Say which quantities there are, with their units and ranges, and draw nothing
    #[arg(long)]
    list: bool,
}

fn size(text: &str) -> Result<(f64, f64), String> {
    let part = |t: &str| t.trim().parse().ok().filter(|x: &f64| (50.0..=4e3).contains(x));
    let both = text.split_once(['x', '×']).and_then(|(a, b)| part(a).zip(part(b)));
    both.ok_or_else(|| "as in 600x400, each from 50 to 4000".to_owned())
}

impl PlotOf {
    pub(crate) fn go(self) -> Result<(), Failure> {
        let (folders, quantities) = sorted(&self.words)?;
        let open = |path: &PathBuf| Recorded::open(path).map_err(|e| Failure::Input(e.to_string()));
        let recorded = folders.iter().map(open).collect::<Result<Vec<_>, _>>()?;
        if self.list {
            return recorded.iter().try_for_each(list);
        }
        self.output
            .as_ref()
            .map_or(Ok(()), |file| plot::check(plot::files(file).first().map(PathBuf::as_path)))?;
        let labels = labels(&folders);
        let runs: Vec<Run<'_>> =
            labels.into_iter().zip(&recorded).map(|(label, recorded)| Run { label, recorded }).collect();
        let asked = self.plot(&quantities, &runs)?;
        let overview = quantities.is_empty() && self.phase.is_empty();
        let name = || {
            if overview {
                plot::name(&[Wanted { y: "overview".to_owned(), x: None }], &runs)
            } else {
                plot::name(&asked.wanted, &runs)
            }
        };
        let files = plot::files(&self.output.clone().unwrap_or_else(|| folders[0].join(name())));
        files.iter().try_for_each(|file| plot::check(Some(file)))?;
        plot::draw(&asked, &runs, &files)?;
        folders.iter().try_for_each(|folder| plot::note(&files, folder))?;
        let mut out = crate::text::stdout();
        for file in &files {
            writeln!(out, "wrote {}", file.display())?;
        }
        Ok(out.flush()?)
    }

    /// What is asked for; an overview where nothing is.
    fn plot(&self, quantities: &[&String], runs: &[Run<'_>]) -> Result<Plot, Failure> {
        let mut wanted = Vec::new();
        for name in &self.phase {
            let no_rate = || Failure::Input(format!("--phase: `{name}` has no rate that is recorded"));
            match runs.iter().find_map(|run| run.recorded.meaning(name)) {
                Some(of) => wanted.push(of.phase().ok_or_else(no_rate)?),
                // drawing it says that there is no such quantity, and which may be meant
                None => wanted.push(Wanted { y: name.clone(), x: None }),
            }
        }
        for text in quantities {
            let whole = Wanted { y: (*text).clone(), x: None };
            // a name may have a colon
            let known = runs.iter().any(|run| run.recorded.meaning(text).is_some());
            let one = if known { whole } else { Wanted::parse(text) };
            wanted.push(Wanted { x: one.x.or_else(|| self.against.clone()), y: one.y });
        }
        let mut together = self.together;
        if wanted.is_empty() {
            if let Some(x) = &self.against {
                return Err(Failure::Input(format!("--against {x}: against it, draw what? Name a quantity")));
            }
            let seen = overview(runs[0].recorded).map_err(|e| Failure::Input(e.to_string()))?;
            (wanted, together) = (seen, true);
        }
        if wanted.is_empty() {
            return Err(PlotProblem::Nothing { run: runs[0].label.clone() }.into());
        }
        let span = (self.from.unwrap_or(f64::NEG_INFINITY), self.to.unwrap_or(f64::INFINITY));
        if !(span.0 < span.1) {
            return Err(Failure::Input("--to is not after --from".to_owned()));
        }
        let asked = |text: &String| unit(text).map_err(|why| Failure::Input(format!("--unit: {why}")));
        let units = self.unit.iter().map(asked).collect::<Result<_, _>>()?;
        let (title, log, size) = (self.title.clone(), self.log, self.size);
        let width = self.width.as_deref().and_then(PrintWidth::of_word);
        let (x_label, y_labels, labels) = (self.x_label.clone(), self.y_label.clone(), self.label.clone());
        Ok(Plot {
            title,
            wanted,
            together,
            log,
            span,
            units,
            size,
            width,
            x_label,
            y_labels,
            labels,
            ..Plot::default()
        })
    }
}

/// Folders, and the other words.
fn sorted(words: &[String]) -> Result<(Vec<PathBuf>, Vec<&String>), Failure> {
    let (folders, quantities): (Vec<&String>, Vec<&String>) =
        words.iter().partition(|w| Path::new(w).is_dir());
    if let Some(scene) = words.iter().find(|w| Path::new(w).is_file()) {
        let stem = Path::new(scene).file_stem().unwrap_or_default().to_string_lossy();
        let text = format!(
            "{scene} is a file: figures are of folders. Run it, then draw: carom run {scene}; carom plot out/{stem}"
        );
        return Err(Failure::Input(text));
    }
    match folders.is_empty() {
        true => Err(Failure::Input(format!("{} is no folder of results: there is nothing there", words[0]))),
        false => Ok((folders.iter().map(PathBuf::from).collect(), quantities)),
    }
}

/// What tells the folders apart: their own names, or their whole paths.
fn labels(folders: &[PathBuf]) -> Vec<String> {
    let own = |p: &PathBuf| p.file_name().map(|n| n.to_string_lossy().into_owned());
    let names: Vec<String> =
        folders.iter().map(|p| own(p).unwrap_or_else(|| p.display().to_string())).collect();
    let differ = (1..names.len()).all(|i| !names[..i].contains(&names[i]));
    if differ { names } else { folders.iter().map(|p| p.display().to_string()).collect() }
}

/// Names, units and ranges.
fn list(run: &Recorded) -> Result<(), Failure> {
    let all = run.quantities().map_err(|e| Failure::Input(e.to_string()))?;
    let mut table = Table::new(["quantity", "unit", "from", "to", "what"]);
    for Meaning { name, what, quantity, .. } in all {
        let column = run.curve(&name).map(|curve| curve.values).unwrap_or_default();
        let finite = || column.iter().copied().filter(|x| x.is_finite());
        let number = |x: Option<f64>| {
            x.map_or("–".to_owned(), |x| if x == 0.0 { "0".to_owned() } else { significant(x, 4) })
        };
        let (low, high) = (finite().reduce(f64::min), finite().reduce(f64::max));
        let unit = quantity.map_or("", |q| q.unit()).to_owned();
        table.line([name, unit, number(low), number(high), what]);
    }
    let mut out = crate::text::stdout();
    write!(out, "{}\n{table}", run.path.display())?;
    Ok(out.flush()?)
}
