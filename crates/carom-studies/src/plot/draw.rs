//! Makes a figure from the curves of the runs.

use carom_plot::{Curve, Figure, Look, Panel};
use carom_scene::plot::Plot;

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
    let columns = if groups.len() > STACKED { 2 } else { 1 };
    let (width, height) = plot.size.unwrap_or(if groups.len() > 1 { SEVERAL } else { ALONE });
    let mut figure = Figure::new(columns).title(&plot.title).panel_size(width, height);
    let mut labels = Labels { names: Vec::new() };
    for group in &groups {
        figure = figure.panel(panel(plot, runs, group, &mut labels));
    }
    Ok(figure)
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

/// The labels of a figure, so that a label looks the same in all panels.
struct Labels {
    names: Vec<String>,
}

impl Labels {
    fn number(&mut self, label: &str) -> usize {
        self.names.iter().position(|l| l == label).unwrap_or_else(|| {
            self.names.push(label.to_owned());
            self.names.len() - 1
        })
    }
}

fn panel(plot: &Plot, runs: &[Run<'_>], group: &[&Found], labels: &mut Labels) -> Panel {
    let across: Vec<&Values> = group.iter().map(|f| &f.x).collect();
    let up: Vec<&Values> = group.iter().map(|f| &f.y).collect();
    let (mut x, mut y) = (Shared::of(plot, &across), Shared::of(plot, &up));
    if of_places(group) {
        // a path has one unit for both axes: the larger
        let unit = if x.unit.value > y.unit.value { &x.unit } else { &y.unit }.clone();
        (x.unit, y.unit) = (unit.clone(), unit);
    }
    let mut x_axis = x.axis(false);
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
        let (quantity, run) = (name(f, &up), runs.get(f.run).map_or("", |r| &r.label));
        let label = match several {
            (false, false) => String::new(),
            (true, false) => quantity.clone(),
            (false, true) => run.to_owned(),
            (true, true) => format!("{quantity}, {run}"),
        };
        let n = labels.number(&label);
        // with several quantities and several runs, the colour shows the quantity and the line style the run
        let look = match several {
            (true, true) => Look::of(wanted.iter().position(|w| *w == f.wanted).unwrap_or(0), f.run),
            (false, false) => Look::nth(0),
            _ => Look::apart(n),
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
    let panel = Panel::new(x_axis, y.axis(plot.log)).equal(!plot.log && is_path(group, (&x, &y)));
    panel.curves(curves.into_iter().map(|(_, curve)| curve))
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
