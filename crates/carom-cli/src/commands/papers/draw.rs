//! A figure of a paper.

use std::path::Path;

use carom_plot::{Axis, Curve, Figure, Look, Mark, Panel, Width, marked};
use carom_results::Recorded;
use carom_scene::expression::Expression;
use carom_studies::paper::{self, Draw, Shown};

use super::Finished;
use super::check::SAME_TIME;
use super::quantity::Quantities;
use super::{outline, view};
use crate::failure::Failure;
use crate::plot;

/// The height of a panel beside its width, for one or two and for more in a row.
const SHAPES: [f64; 2] = [0.72, 0.95];

/// Draws it as SVG, PNG and PDF; a draft as SVG and as a coarse PNG. A run that failed leaves its curves out.
pub(super) fn figure(f: &Finished<'_>, folder: &Path, draft: bool) -> Result<(), Failure> {
    let recipe = f.figure;
    // a curve of one name looks the same in all panels; bars come first, so that theirs are the same in all figures, then runs that are curves
    let mut labels: Vec<String> = Vec::new();
    for bars in recipe.panels.iter().flat_map(|p| &p.curves).filter(|c| c.draw == Draw::Bars) {
        index(&bars.label, &mut labels);
    }
    for (_, run) in recipe.runs.iter().enumerate().filter(|(i, _)| names_curves(recipe, *i)) {
        index(&run.label, &mut labels);
    }
    // the title is the caption, which is beside the figure wherever it is shown
    let width = if recipe.columns == 1 { Width::Column } else { Width::Page };
    let mut figure = Figure::new(recipe.columns).print(width, SHAPES[usize::from(recipe.columns > 2)]);
    for view in &recipe.views {
        if let Some(view) = view::drawn(view, &f.runs[view.run]).map_err(Failure::Run)? {
            figure = figure.view(view);
        }
    }
    let mut panels = Vec::new();
    for panel in &recipe.panels {
        let across = panel.across;
        panels.push(if across {
            from_run_to_run(panel, f, &mut labels)?
        } else {
            of_runs(panel, f, &mut labels)?
        });
    }
    let alone: Vec<bool> =
        (0..labels.len()).map(|n| panels.iter().all(|curves| is_alone(n, curves))).collect();
    for (panel, curves) in recipe.panels.iter().zip(panels) {
        figure = figure.panel(drawn(panel, f, curves, &alone));
    }
    let (figure, endings): (Figure, &[&str]) = match draft {
        true => (figure.draft(), &["svg", "png"]),
        false => (figure, &["svg", "png", "pdf"]),
    };
    for ending in endings {
        plot::write(&figure, &folder.join(format!("{}.{ending}", recipe.name)))?;
    }
    Ok(())
}

/// Whether a curve has the name of this run.
fn names_curves(recipe: &paper::Figure, run: usize) -> bool {
    let panels = recipe.panels.iter().filter(|p| !p.across && p.runs.contains(&run));
    let mut curves = panels.flat_map(|p| &p.curves);
    curves.any(|c| c.label.is_empty() && c.runs.contains(&run) && !is_formula(c))
}

/// The number of a label, which is new or was there before.
fn index(label: &str, labels: &mut Vec<String>) -> usize {
    labels.iter().position(|l| l == label).unwrap_or_else(|| {
        labels.push(label.to_owned());
        labels.len() - 1
    })
}

/// Returns the number of a curve among those with a look of their own; a guide to compare with has none, and is last in the legend.
fn number(label: &str, draw: Draw, labels: &mut Vec<String>) -> usize {
    if draw == Draw::Guide { usize::MAX } else { index(label, labels) }
}

/// A curve that is to be drawn: its number among all names of the figure, its name, its points.
struct Named {
    n: usize,
    label: String,
    points: Vec<(f64, f64)>,
    draw: Draw,
}

/// Whether a panel has no other curve but guides, or not the one with this number.
fn is_alone(n: usize, curves: &[Named]) -> bool {
    let mut others = curves.iter().filter(|c| c.draw != Draw::Guide && c.n != n);
    others.next().is_none() || curves.iter().all(|c| c.n != n)
}

/// `alone`: whether the curves of a number are alone in all their panels, and so need no dashes.
fn drawn(recipe: &paper::Panel, f: &Finished<'_>, mut curves: Vec<Named>, alone: &[bool]) -> Panel {
    // bars stand side by side, as they are given
    let layer = |c: &Named| if c.draw == Draw::Bars { 0 } else { Look::apart(c.n).layer() };
    curves.sort_by_key(|c| (c.draw != Draw::Guide, layer(c)));
    let x = across(recipe, f, curves.iter().flat_map(|c| &c.points).map(|p| p.0));
    let up =
        if recipe.y_log { Axis::log(marked(&recipe.y_label)) } else { Axis::linear(marked(&recipe.y_label)) };
    let y = match recipe.y_range {
        Some((low, high)) => up.range(low, high),
        None => up,
    };
    let curves = curves.into_iter().map(|c| {
        let is_alone = alone.get(c.n).copied().unwrap_or_default();
        let apart = || if is_alone { Look::apart(c.n).unbroken() } else { Look::apart(c.n) };
        let (mark, look) = match c.draw {
            Draw::Line => (Mark::Line, apart()),
            Draw::Dots => (Mark::Dots, apart()),
            Draw::Passage => (Mark::Passage, apart()),
            Draw::Bars => (Mark::Bars, apart()),
            Draw::Guide => (Mark::Line, Look::faint()),
        };
        Curve::new(marked(&c.label), c.points, c.n).look(look).mark(mark)
    });
    Panel::new(x, y).title(marked(&recipe.title)).equal(recipe.equal).curves(curves)
}

/// Every curve of every run, and formulas, which are of none.
fn of_runs(recipe: &paper::Panel, f: &Finished<'_>, labels: &mut Vec<String>) -> Result<Vec<Named>, Failure> {
    let less = recipe.less.and_then(|i| f.runs[i].result.as_ref().ok());
    let mut curves: Vec<Named> = recipe.curves.iter().filter_map(|c| formula(c, labels)).collect();
    for &i in &recipe.runs {
        for curve in recipe.curves.iter().filter(|c| c.runs.contains(&i) && !is_formula(c)) {
            let Ok(run) = Quantities::of(f.figure, &f.runs, i, recipe.reference) else { continue };
            let label = match (curve.label.as_str(), curve.runs.len()) {
                ("", _) => f.figure.runs[i].label.clone(),
                (label, 1) => label.to_owned(),
                (label, _) => format!("{label}, {}", f.figure.runs[i].label),
            };
            let points = match &curve.shows {
                Shown::Outline { body, at } => outline::points(body, at, &f.runs[i]),
                Shown::Profile { joint, x, y } => profile(joint, x, y, run.run),
                _ => points(curve, recipe, &run, less),
            };
            let points = points.map_err(Failure::Run)?;
            let n = number(&label, curve.draw, labels);
            curves.push(Named { n, label, points, draw: curve.draw });
        }
    }
    Ok(curves)
}

/// A bearing's profile, closed; that of one with a length end by end, a gap (NaN) between.
fn profile(joint: &str, x: &Expression, y: &Expression, run: &Recorded) -> Result<Vec<(f64, f64)>, String> {
    let own: Vec<_> = run.profiles.iter().filter(|p| p.contact == joint).collect();
    if own.is_empty() {
        let names: Vec<&str> = run.profiles.iter().map(|p| p.contact.as_str()).collect();
        let meant = carom::words::nearest(joint, &names).map(|n| format!("; did you mean `{n}`?"));
        return Err(format!("there is no worn bearing `{joint}`{}", meant.unwrap_or_default()));
    }
    let mut points = Vec::new();
    for p in own {
        if !points.is_empty() {
            points.push((f64::NAN, f64::NAN));
        }
        let first = p.angle.first().zip(p.depth.first()).map(|(a, d)| (a + std::f64::consts::TAU, *d));
        let around = p.angle.iter().copied().zip(p.depth.iter().copied()).chain(first);
        points.extend(around.map(|at| (valued(x, at), valued(y, at))));
    }
    Ok(points)
}

/// An expression of `angle` and `depth`.
fn valued(e: &Expression, (angle, depth): (f64, f64)) -> f64 {
    let of = |name: &String| if name == "angle" { angle } else { depth };
    e.at(&e.names().iter().map(of).collect::<Vec<_>>())
}

pub(super) fn is_formula(curve: &paper::Curve) -> bool {
    matches!(curve.shows, Shown::Formula { .. })
}

/// A curve that is of no run.
fn formula(curve: &paper::Curve, labels: &mut Vec<String>) -> Option<Named> {
    let Shown::Formula { x, y, along } = &curve.shows else { return None };
    // expressions have no other name than the variable
    let points = along.iter().map(|s| (x.at(&[*s]), y.at(&[*s]))).collect();
    let (n, label) = (number(&curve.label, curve.draw, labels), curve.label.clone());
    Some(Named { n, label, points, draw: curve.draw })
}

/// Every curve once, a point a run.
fn from_run_to_run(
    recipe: &paper::Panel,
    f: &Finished<'_>,
    labels: &mut Vec<String>,
) -> Result<Vec<Named>, Failure> {
    let named = |curve: &paper::Curve| {
        if let Some(formula) = formula(curve, labels) {
            return Ok(formula);
        }
        let points = points_of_runs(curve, recipe, f).map_err(Failure::Run)?;
        // bars stand by the names of their runs
        let bar = |i: usize| recipe.runs.iter().position(|j| *j == i).map_or(0.0, |n| n as f64 + 1.0);
        let across =
            |(i, (x, y)): (usize, (f64, f64))| (if curve.draw == Draw::Bars { bar(i) } else { x }, y);
        let points = points.into_iter().map(across).collect();
        let n = number(&curve.label, curve.draw, labels);
        Ok(Named { n, label: curve.label.clone(), points, draw: curve.draw })
    };
    recipe.curves.iter().map(named).collect()
}

/// A run, by its place in the figure, and its point.
pub(super) type PointOfRun = (usize, (f64, f64));

/// The points of a curve across runs. A run that failed has none.
pub(super) fn points_of_runs(
    curve: &paper::Curve,
    recipe: &paper::Panel,
    f: &Finished<'_>,
) -> Result<Vec<PointOfRun>, String> {
    let less = recipe.less.and_then(|i| f.runs[i].result.as_ref().ok());
    let mut all = Vec::new();
    for &i in &curve.runs {
        let Ok(run) = Quantities::of(f.figure, &f.runs, i, recipe.reference) else { continue };
        let points = timed_points(curve, recipe, &run, less)?;
        let of = |pick: fn(&(f64, f64)) -> f64| {
            let mut values = points.iter().map(|(t, point)| (*t, pick(point)));
            match recipe.over {
                Some(over) => over.of(values),
                None => values.next_back().map(|(_, x)| x),
            }
        };
        all.extend(of(|p| p.0).zip(of(|p| p.1)).map(|point| (i, point)));
    }
    Ok(all)
}

/// Time goes from the first to the last, even where there is nothing to show; other quantities as far as they need.
fn across(recipe: &paper::Panel, f: &Finished<'_>, all: impl Iterator<Item = f64>) -> Axis {
    if recipe.curves.iter().any(|c| c.draw == Draw::Bars) {
        return Axis::names(
            marked(&recipe.x_label),
            recipe.runs.iter().map(|i| marked(&f.figure.runs[*i].label)),
        );
    }
    if recipe.x_log {
        return Axis::log(marked(&recipe.x_label));
    }
    let axis = Axis::linear(marked(&recipe.x_label));
    let time = |c: &paper::Curve| matches!(&c.shows, Shown::Recorded { x, .. } if x.names() == ["t"]);
    let of_time = !recipe.across && recipe.curves.iter().all(time);
    let (low, high) = all.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
    if of_time && low < high { axis.range(low, high) } else { axis }
}

/// The points of a run.
fn points(
    curve: &paper::Curve,
    recipe: &paper::Panel,
    quantities: &Quantities<'_>,
    less: Option<&Recorded>,
) -> Result<Vec<(f64, f64)>, String> {
    let timed = timed_points(curve, recipe, quantities, less)?;
    Ok(timed.into_iter().map(|(_, point)| point).collect())
}

/// A point of a curve, after the time [s] at which it was recorded.
type TimedPoint = (f64, (f64, f64));

/// The points of a run, each with its time.
fn timed_points(
    curve: &paper::Curve,
    recipe: &paper::Panel,
    quantities: &Quantities<'_>,
    less: Option<&Recorded>,
) -> Result<Vec<TimedPoint>, String> {
    let Shown::Recorded { x, y, period } = &curve.shows else { return Ok(Vec::new()) };
    let (run, (from, until)) = (quantities.run, recipe.span);
    let other = |y: &Expression| less.map(|run| run.series(y).map_err(|e| e.to_string())).transpose();
    let (x, other, mut y) = (quantities.series(x)?, other(y)?, quantities.series(y)?);
    if let Some(period) = period {
        continued(&mut y, *period);
    }
    for (y, other) in y.iter_mut().zip(other.into_iter().flatten()) {
        *y -= other;
    }
    if recipe.y_log {
        y.iter_mut().for_each(|y| *y = y.abs());
    }
    // times are multiples of an interval to rounding
    let whole = |t: f64| recipe.every.is_none_or(|every| (t / every - (t / every).round()).abs() < 1e-6);
    let inside =
        |i: &usize| run.t[*i] >= from - SAME_TIME && run.t[*i] <= until + SAME_TIME && whole(run.t[*i]);
    Ok((0..x.len().min(y.len())).filter(inside).map(|i| (run.t[i], (x[i], y[i]))).collect())
}

/// An angle that goes on past its period: never by more than half of it from one output time to the next.
fn continued(y: &mut [f64], period: f64) {
    let mut last = y.first().copied().unwrap_or_default();
    for y in y {
        *y -= ((*y - last) / period).round() * period;
        last = *y;
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may")]
mod tests {
    use std::time::Duration;

    use carom_studies::paper::Paper;

    use super::super::check::tests::done;
    use super::*;

    /// The points of a panel's curve across the runs `a` (36, 3 s), `b` (72, 6 s) and `c`, which failed. `work` is 2 t, up to 1 s.
    fn across(panel: &str) -> Vec<PointOfRun> {
        let recipe = format!(
            r#"title = ""
            source = ""
            [[figure]]
            name = "f"
            title = ""
            timed = 2
            run = [
                {{ name = "a", scene = "s", value = 36 }},
                {{ name = "b", scene = "s", value = 72 }},
                {{ name = "c", scene = "s" }},
            ]
            [[figure.panel]]
            y_label = ""
            across = true
            {panel}"#
        );
        let paper = Paper::from_text("p", &recipe).unwrap();
        let [mut a, mut b, mut c] = [done(), done(), done()];
        (a.least, b.least) = (Some(Duration::from_secs(3)), Some(Duration::from_secs(6)));
        c.result = Err("failed".to_owned());
        let f = Finished { figure: &paper.figures[0], runs: vec![a, b, c], checked: Vec::new() };
        let panel = &f.figure.panels[0];
        points_of_runs(&panel.curves[0], panel, &f).unwrap()
    }

    #[test]
    fn a_run_is_a_point() {
        for (panel, a, b) in [
            ("curve = [{ x = 'run.value', y = 'work' }]", (36.0, 2.0), (72.0, 2.0)),
            ("until = 0.5\ncurve = [{ y = 'work*run.value' }]", (0.5, 36.0), (0.5, 72.0)),
            ("over = 'min'\nx = 'run.value'\ncurve = [{ y = 'work' }]", (36.0, 0.0), (72.0, 0.0)),
            ("reference = 'a'\ncurve = [{ y = 'run.time/reference.run.time' }]", (1.0, 1.0), (1.0, 2.0)),
        ] {
            assert_eq!(across(panel), [(0, a), (1, b)], "{panel}");
        }
        assert_eq!(across("curve = [{ y = 'work', runs = ['c', 'b'] }]"), [(1, (1.0, 2.0))]);
    }

    #[test]
    fn turns_add_up() {
        let turned = [0.0, 2.0, -2.3, -0.3, 1.7, -2.6, 3.1];
        let mut y = turned;
        continued(&mut y, std::f64::consts::TAU);
        let turns = [0.0, 0.0, 1.0, 1.0, 1.0, 2.0, 1.0];
        for ((y, from), turns) in y.iter().zip(turned).zip(turns) {
            assert!((y - from - turns * std::f64::consts::TAU).abs() < 1e-12, "{y} {from}");
        }
    }

    #[test]
    fn only_runs_that_name_curves_are_told_apart() {
        let recipe = r#"title = ""
            source = ""
            [[figure]]
            name = "f"
            title = ""
            run = [{ name = "a", scene = "s" }, { name = "b", scene = "s" }, { name = "c", scene = "s" }]
            [[figure.panel]]
            y_label = ""
            runs = ["a", "b"]
            curve = [{ y = "work", label = "work of a", runs = ["a"] }, { y = "work", runs = ["b"] }]
            [[figure.panel]]
            y_label = ""
            across = true
            curve = [{ y = "work" }]"#;
        let paper = Paper::from_text("p", recipe).unwrap();
        assert_eq!([0, 1, 2].map(|i| names_curves(&paper.figures[0], i)), [false, true, false]);
        let mut labels = vec!["b".to_owned()];
        assert_eq!(number("work of a", Draw::Line, &mut labels), 1);
        assert_eq!((number("0", Draw::Guide, &mut labels), labels.len()), (usize::MAX, 2));
    }

    #[test]
    fn a_formula_needs_no_run() {
        let recipe = r#"title = ""
            source = ""
            [[figure]]
            name = "f"
            title = ""
            [[figure.panel]]
            y_label = ""
            curve = [{ y = "s^2", label = "parabola", along = { name = "s", from = -1, to = 3, points = 5 } }]"#;
        let paper = Paper::from_text("p", recipe).unwrap();
        let f = Finished { figure: &paper.figures[0], runs: Vec::new(), checked: Vec::new() };
        let curves = of_runs(&f.figure.panels[0], &f, &mut Vec::new()).unwrap();
        assert_eq!(curves.len(), 1);
        assert_eq!(curves[0].points, [(-1.0, 1.0), (0.0, 0.0), (1.0, 1.0), (2.0, 4.0), (3.0, 9.0)]);
    }
}
