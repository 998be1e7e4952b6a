//! Makes a figure from the curves of the runs.

use carom_plot::{Curve, Figure, Look, Panel, Width, marked};
use carom_scene::plot::{Plot, PrintWidth};

use super::axis::{Shared, range};
use super::series::{Found, Values};
use super::{PlotProblem, Run};

/// Size of a single panel, and of one of several [px]; the text is in proportion to a figure that fills a column of a page, or
/// its width.
const ALONE: (f64, f64) = (520.0, 360.0);
const SEVERAL: (f64, f64) = (470.0, 300.0);
/// Largest number of panels in one column; more are placed in two.
const STACKED: usize = 3;
/// Largest ratio of length to width at which a path is drawn with equal scales.
const SLENDER: f64 = 4.0;

pub(super) fn figure(plot: &Plot, runs: &[Run<'_>], found: &[Found]) -> Result<Figure, PlotProblem> {
    if let Some(unit) =
        plot.units.iter().find(|u| !found.iter().any(|f| [&f.x, &f.y].iter().any(|v| u.fits(&v.measure))))
    {
        return Err(PlotProblem::Unit { unit: unit.text.clone() });
    }
    let groups = groups(plot, found);
    check_labels(plot, runs, groups.len())?;
    let columns = if groups.len() > STACKED { 2 } else { 1 };
    let (width, height) = plot.size.unwrap_or(if groups.len() > 1 { SEVERAL } else { ALONE });
    let mut figure = Figure::new(columns).title(marked(&plot.title)).panel_size(width, height);
    if let Some(print) = plot.width {
        let width_in_print = match print {
            PrintWidth::Column => Width::Column,
            PrintWidth::Page => Width::Page,
        };
        figure = figure.print(width_in_print, height / width);
    }
    let mut labels = Labels { names: Vec::new(), anew: columns == 1 };
    for (i, group) in groups.iter().enumerate() {
        figure = figure.panel(panel(plot, runs, group, i, &mut labels));
    }
    Ok(figure)
}

/// Checks that there are as many labels as curves in the legend, and no more labels of axes than panels.
fn check_labels(plot: &Plot, runs: &[Run<'_>], panels: usize) -> Result<(), PlotProblem> {
    let (given, wanted) =
        (plot.labels.len(), if plot.wanted.len() == 1 { runs.len() } else { plot.wanted.len() });
    if given > 0 && given != wanted {
        return Err(PlotProblem::Labels { given, wanted });
    }
    match plot.y_labels.len() {
        given if given > panels => Err(PlotProblem::AxisLabels { given, panels }),
        _ => Ok(()),
    }
}

/// Assigns the curves to panels.
fn groups<'f>(plot: &Plot, found: &'f [Found]) -> Vec<Vec<&'f Found>> {
    let mut all: Vec<Vec<&Found>> = Vec::new();
    let across = |f: &Found| plot.wanted.get(f.wanted).and_then(|w| w.x.as_ref());
    let alike = |a: &Found, b: &Found| {
        let same_unit = match (a.y.measure.dimension, b.y.measure.dimension) {
            (Some(x), Some(y)) => x.same(&y),
            _ => false,
        };
        // energies and torques have the same dimension, but do not share a panel
        let same_quantity = match (a.y.measure.quantity, b.y.measure.quantity) {
            (Some(x), Some(y)) => x == y,
            _ => true,
        };
        across(a) == across(b) && same_unit && same_quantity
    };
    for f in found {
        let fits = |group: &Vec<&Found>| {
            group.iter().any(|g| g.wanted == f.wanted) || (plot.together && group.iter().any(|g| alike(g, f)))
        };
        match all.iter_mut().find(|group| fits(group)) {
            Some(group) => group.push(f),
            None => all.push(vec![f]),
        }
    }
    all
}

/// The labels of a figure and the numbers of their looks, so that a label looks the same in all panels.
struct Labels {
    names: Vec<(String, usize)>,
    /// whether panels are below each other, each with its legend beside it: looks then begin anew in every panel
    anew: bool,
}

impl Labels {
    /// Returns the number of a label in the legend, and that of its look; `inside` is its number in the panel.
    fn number(&mut self, label: &str, inside: usize) -> (usize, usize) {
        if let Some(i) = self.names.iter().position(|(l, _)| l == label) {
            return (i, self.names[i].1);
        }
        let i = self.names.len();
        self.names.push((label.to_owned(), if self.anew { inside } else { i }));
        (i, self.names[i].1)
    }
}

fn panel(plot: &Plot, runs: &[Run<'_>], group: &[&Found], i: usize, labels: &mut Labels) -> Panel {
    let across: Vec<&Values> = group.iter().map(|f| &f.x).collect();
    let up: Vec<&Values> = group.iter().map(|f| &f.y).collect();
    let (mut x, mut y) = (Shared::of(plot, &across), Shared::of(plot, &up));
    if of_places(group) {
        // a path has one unit for both axes: the larger
        let unit = if x.unit.value > y.unit.value { &x.unit } else { &y.unit }.clone();
        (x.unit, y.unit) = (unit.clone(), unit);
    }
    let mut x_axis = x.axis(false, Some(&plot.x_label));
    if group.iter().all(|f| f.x.meaning.name == "t") {
        // the time axis extends from the first to the last point
        if let Some((low, high)) = range(across.iter().flat_map(|v| &v.values)).filter(|(a, b)| a < b) {
            x_axis = x_axis.range(low / x.unit.value, high / x.unit.value);
        }
    }
    let mut wanted: Vec<usize> = group.iter().map(|f| f.wanted).collect();
    wanted.dedup();
    let several = (wanted.len() > 1, runs.len() > 1);
    let mut curves: Vec<(usize, Curve)> = Vec::new();
    for f in group {
        let label = label(plot, runs, f, &up, several);
        let (n, number) = labels.number(&label, curves.len());
        // with several quantities and several runs, the colour shows the quantity and the line style the run
        let look = match several {
            (true, true) => Look::of(wanted.iter().position(|w| *w == f.wanted).unwrap_or(0), f.run),
            (false, false) => Look::nth(0),
            _ => Look::apart(number),
        };
        let points = f.x.values.iter().zip(&f.y.values);
        let shown = |(a, b): (&f64, &f64)| {
            let b = if plot.log { b.abs() } else { *b };
            (a / x.unit.value, b / y.unit.value)
        };
        curves.push((look.layer(), Curve::new(label, points.map(shown).collect(), n).look(look)));
    }
    // solid lines come first, so that others are drawn over them
    curves.sort_by_key(|(layer, _)| *layer);
    let panel = Panel::new(x_axis, y.axis(plot.log, plot.y_labels.get(i).map(String::as_str)))
        .equal(!plot.log && is_path(group, (&x, &y)));
    panel.curves(curves.into_iter().map(|(_, curve)| curve))
}

/// Returns the label of a curve in the legend: its quantity, its run, or both, as far as there are several; the names that are
/// given replace those of quantities, or of runs if there is one quantity.
fn label(plot: &Plot, runs: &[Run<'_>], f: &Found, panel: &[&Values], several: (bool, bool)) -> String {
    let run = runs.get(f.run).map_or(String::new(), |r| r.label.clone());
    let given = |i: usize| plot.labels.get(i).map(|label| marked(label));
    let alone = plot.wanted.len() == 1;
    let (quantity, run) = match alone {
        true => (name(f, panel), given(f.run).unwrap_or(run)),
        false => (given(f.wanted).unwrap_or_else(|| name(f, panel)), run),
    };
    match several {
        // a label that was given is shown, also of the only curve in its panel
        (false, false) if !plot.labels.is_empty() => {
            if alone {
                run
            } else {
                quantity
            }
        }
        (false, false) => String::new(),
        (true, false) => quantity,
        (false, true) => run,
        (true, true) => format!("{quantity}, {run}"),
    }
}

/// Returns the name of a curve within its panel: its owner if that tells the curves apart, its description if that does, else
/// its full name.
fn name(f: &Found, all: &[&Values]) -> String {
    let m = &f.y.meaning;
    let same = |pick: fn(&Values) -> &str| all.iter().all(|v| pick(v) == pick(&f.y));
    let short = || match m.what.strip_prefix(&m.kind).map(str::trim) {
        Some(rest) if !rest.is_empty() && same(|v| &v.meaning.kind) => rest.to_owned(),
        _ => m.what.clone(),
    };
    match (same(|v| &v.meaning.of), same(|v| &v.meaning.what)) {
        (false, true) if !m.of.is_empty() => m.of.clone(),
        (true, _) => short(),
        _ => m.name.clone(),
    }
}

/// Returns whether it shows positions over positions with similar extents, so that both axes should have the same scale.
fn is_path(group: &[&Found], (x, y): (&Shared, &Shared)) -> bool {
    let length = |pick: fn(&Found) -> &Values| {
        range(group.iter().flat_map(|f| &pick(f).values)).map_or(0.0, |(low, high)| high - low)
    };
    let (a, b) = (length(|f| &f.x), length(|f| &f.y));
    let stout = a > 0.0 && b > 0.0 && a / b < SLENDER && b / a < SLENDER;
    stout && x.unit == y.unit && of_places(group)
}

/// Returns whether it shows positions over positions.
fn of_places(group: &[&Found]) -> bool {
    let is_position = |v: &Values| ["position", "contact point"].contains(&v.meaning.kind.as_str());
    group.iter().all(|f| is_position(&f.x) && is_position(&f.y))
}
