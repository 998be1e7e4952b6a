//! Makes the figures that every run draws.

use carom::{Distance, Model};

use crate::error::Problem;
use crate::fields::Fields;
use crate::names;
use crate::plot::{Plot, PrintWidth, Wanted};
use crate::quantity::Names;
use crate::scene::Probe;
use crate::tree::Span;
use crate::units::unit;

/// Returns the quantities that a run of the scene will have.
pub(super) fn known(scene: &Fields, model: &Model, probes: &[Probe], distances: &[Distance]) -> Names {
    let mut sides = Vec::new();
    for body in scene.array("body") {
        let name = body.text("name").unwrap_or_default();
        sides.push(name.to_owned());
        sides.extend(names::surfaces(body).iter().map(|surface| format!("{name}/{surface}")));
    }
    let probes: Vec<&str> = probes.iter().map(|p| p.name.as_str()).collect();
    Names::of(model, sides, &probes, distances)
}

pub(super) fn plots(scene: &Fields, known: &Names) -> Result<Vec<Plot>, Problem> {
    let mut all: Vec<Plot> = Vec::new();
    for (i, f) in scene.array("plot").iter().enumerate() {
        let plot = plot(f, i + 1, known)?;
        if all.iter().any(|p| p.file == plot.file) {
            return Err(Problem::new(format!("two plots are called `{}`", plot.file)).at(f.span("file"), ""));
        }
        all.push(plot);
    }
    Ok(all)
}

fn plot(f: &Fields, number: usize, known: &Names) -> Result<Plot, Problem> {
    let span = (f.number("from").unwrap_or(f64::NEG_INFINITY), f.number("to").unwrap_or(f64::INFINITY));
    if span.0 >= span.1 {
        return Err(Problem::new("`to` is not after `from`").at(f.span("to"), ""));
    }
    let of_unit = |(text, at): (&String, &Span)| {
        unit(text).map_err(|why| Problem::new(format!("`units`: {why}")).at(at.clone(), ""))
    };
    let (units, spans) = f.texts("units").unwrap_or_default();
    Ok(Plot {
        title: f.text("title").unwrap_or_default().to_owned(),
        file: f.text("file").map_or_else(|| format!("plot{number}"), str::to_owned),
        wanted: wanted(f, known)?,
        together: f.bool("together").unwrap_or(false),
        log: f.bool("log").unwrap_or(false),
        span,
        units: units.iter().zip(spans).map(of_unit).collect::<Result<_, _>>()?,
        x_label: f.text("x_label").unwrap_or_default().to_owned(),
        y_labels: f.texts("y_labels").map(|(texts, _)| texts.to_vec()).unwrap_or_default(),
        labels: labels(f)?,
        size: f.numbers("size").and_then(|s| Some((*s.first()?, *s.get(1)?))),
        width: f.text("width").and_then(PrintWidth::of_word),
    })
}

/// Returns the names of the quantities in the legend: one each, or none.
fn labels(f: &Fields) -> Result<Vec<String>, Problem> {
    let (labels, _) = f.texts("labels").unwrap_or_default();
    let count = |key| f.texts(key).map_or(0, |(all, _)| all.len());
    let quantities = count("phase") + count("quantities");
    if !labels.is_empty() && labels.len() != quantities {
        let problem =
            Problem::new(format!("`labels` has {} names for {quantities} quantities", labels.len()));
        return Err(problem.at(f.span("labels"), "").note("allowed: one name a quantity"));
    }
    Ok(labels.to_vec())
}

/// Returns the curves of a figure, after checking that the scene will have these quantities.
fn wanted(f: &Fields, known: &Names) -> Result<Vec<Wanted>, Problem> {
    let right = |wanted: Wanted, at: &Span| match known.refuse(&wanted) {
        None => Ok(wanted),
        Some((what, nearest)) => Err(Problem::new(what).at(at.clone(), "").nearest(nearest)),
    };
    let mut all = Vec::new();
    let (phases, spans) = f.texts("phase").unwrap_or_default();
    for (name, at) in phases.iter().zip(spans) {
        let no_rate = || {
            let problem = Problem::new(format!("`{name}` has no rate that is recorded")).at(at.clone(), "");
            problem.note("allowed: positions, velocities, angles, indentations")
        };
        right(Wanted { y: name.clone(), x: None }, at)?;
        let phase = known.meaning(name).and_then(|of| of.phase()).ok_or_else(no_rate)?;
        all.push(phase);
    }
    let (quantities, spans) = f.texts("quantities").unwrap_or_default();
    for (text, at) in quantities.iter().zip(spans) {
        all.push(right(Wanted::parse(text), at)?);
    }
    if all.is_empty() {
        return Err(Problem::new("`plot` draws nothing: `quantities` is empty").at(f.span("quantities"), ""));
    }
    if let Some(x) = f.text("against") {
        let at = f.span("against");
        right(Wanted { y: x.to_owned(), x: None }, &at)?;
        all.iter_mut().filter(|w| w.x.is_none()).for_each(|w| w.x = Some(x.to_owned()));
    }
    Ok(all)
}
