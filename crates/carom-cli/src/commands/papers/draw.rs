//! A figure of a paper.

use std::path::Path;

use carom_plot::{Axis, Curve, Figure, Look, Panel};
use carom_scene::paper;
use carom_scene::results::Recorded;

use super::Finished;
use crate::failure::Failure;
use crate::plot;

/// How many colours and kinds of lines [`Look::of`] has.
const COLOURS: usize = 7;
const LINES: usize = 4;

/// Draws it as SVG and PNG. A run that failed leaves its curves out.
pub(super) fn figure(f: &Finished<'_>, folder: &Path) -> Result<(), Failure> {
    let recipe = f.figure;
    // a curve of one name looks the same in all panels, and runs come first
    let mut labels: Vec<String> = Vec::new();
    for run in &recipe.runs {
        place(&run.label, &mut labels);
    }
    let mut figure = Figure::new(recipe.columns).title(&recipe.title).panel_size(470.0, 330.0);
    for panel in &recipe.panels {
        figure = figure.panel(drawn(panel, f, &mut labels)?);
    }
    for ending in ["svg", "png"] {
        plot::write(&figure, &folder.join(format!("{}.{ending}", recipe.name)))?;
    }
    Ok(())
}

/// The number of a label, which is new or was there before.
fn place(label: &str, labels: &mut Vec<String>) -> usize {
    labels.iter().position(|l| l == label).unwrap_or_else(|| {
        labels.push(label.to_owned());
        labels.len() - 1
    })
}

/// The n-th colour and kind of line: where curves lie on each other, strokes of one show between those of another.
fn look(n: usize) -> Look {
    Look::of(n, n % COLOURS + n / COLOURS)
}

/// Full lines first: others are drawn over them.
fn under(n: usize) -> usize {
    (n % COLOURS + n / COLOURS) % LINES
}

fn drawn(recipe: &paper::Panel, f: &Finished<'_>, labels: &mut Vec<String>) -> Result<Panel, Failure> {
    let less = recipe.less.and_then(|i| f.runs[i].result.as_ref().ok());
    let mut curves = Vec::new();
    for &i in &recipe.runs {
        let Ok(run) = &f.runs[i].result else { continue };
        for curve in &recipe.curves {
            let label = match (curve.label.as_str(), recipe.runs.len()) {
                ("", _) => f.figure.runs[i].label.clone(),
                (label, 1) => label.to_owned(),
                (label, _) => format!("{label}, {}", f.figure.runs[i].label),
            };
            let points = points(curve, recipe.span, run, less, recipe.log)?;
            curves.push((place(&label, labels), label, points));
        }
    }
    curves.sort_by_key(|(n, _, _)| under(*n));
    let x = across(recipe, curves.iter().flat_map(|(_, _, points)| points).map(|p| p.0));
    let up = if recipe.log { Axis::log(&recipe.y_label) } else { Axis::linear(&recipe.y_label) };
    let y = match recipe.y_range {
        Some((low, high)) => up.range(low, high),
        None => up,
    };
    let curves = curves.into_iter().map(|(n, label, points)| Curve::new(label, points, n).look(look(n)));
    Ok(Panel::new(x, y).title(&recipe.title).curves(curves))
}

/// Time goes from the first to the last, even where there is nothing to show; other quantities as far as they need.
fn across(recipe: &paper::Panel, all: impl Iterator<Item = f64>) -> Axis {
    let axis = Axis::linear(&recipe.x_label);
    let of_time = recipe.curves.iter().all(|c| c.x.names() == ["t"]);
    let (low, high) = all.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
    if of_time && low < high { axis.range(low, high) } else { axis }
}

fn points(
    curve: &paper::Curve,
    (from, until): (f64, f64),
    run: &Recorded,
    less: Option<&Recorded>,
    magnitude: bool,
) -> Result<Vec<(f64, f64)>, Failure> {
    let series = |run: &Recorded, e| run.series(e).map_err(|e| Failure::Run(e.to_string()));
    let (x, mut y) = (series(run, &curve.x)?, series(run, &curve.y)?);
    if let Some(other) = less {
        y.iter_mut().zip(series(other, &curve.y)?).for_each(|(y, other)| *y -= other);
    }
    if magnitude {
        y.iter_mut().for_each(|y| *y = y.abs());
    }
    let inside = |i: &usize| run.t[*i] >= from && run.t[*i] <= until;
    Ok((0..x.len().min(y.len())).filter(inside).map(|i| (x[i], y[i])).collect())
}
