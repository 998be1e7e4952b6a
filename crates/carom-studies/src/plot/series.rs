//! Finds the quantities of a figure in the runs.

use carom_base::expression::Expression;
use carom_plot::powers;
use carom_results::quantity::all_times;
use carom_results::{Curve, QuantityError, Recorded};
use carom_scene::plot::{Plot, Wanted};
use carom_scene::quantity::Meaning;
use carom_scene::units::Measure;

use super::{PlotProblem, Run};

/// The values along an axis, with their description.
#[derive(Clone, Debug)]
pub(super) struct Values {
    pub(super) meaning: Meaning,
    pub(super) measure: Measure,
    pub(super) values: Vec<f64>,
}

/// A curve of a run.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// index of its quantities in the plot
    pub(super) wanted: usize,
    /// index of its run
    pub(super) run: usize,
    pub(super) x: Values,
    pub(super) y: Values,
}

/// Returns the curves of all runs within the time span. A run that lacks a quantity that another has gives a notice instead.
pub(super) fn found(
    plot: &Plot,
    runs: &[Run<'_>],
    notices: &mut Vec<String>,
) -> Result<Vec<Found>, PlotProblem> {
    let mut all = Vec::new();
    for (k, wanted) in plot.wanted.iter().enumerate() {
        let mut missing = Vec::new();
        let before = all.len();
        for (i, run) in runs.iter().enumerate() {
            match of_run(plot, run.recorded, wanted) {
                Ok((x, y)) => all.push(Found { wanted: k, run: i, x, y }),
                Err(Missing::Expression(text, why)) => return Err(PlotProblem::Expression { text, why }),
                Err(Missing::Quantity(source)) => {
                    missing.push(PlotProblem::Quantity { run: run.label.clone(), source });
                }
            }
        }
        match missing.into_iter().next() {
            // no run has it
            Some(problem) if all.len() == before => return Err(problem),
            Some(problem) => notices.push(problem.to_string()),
            None => {}
        }
    }
    Ok(all)
}

/// The reason why a run lacks a curve.
enum Missing {
    Quantity(QuantityError),
    Expression(String, String),
}

fn of_run(plot: &Plot, run: &Recorded, wanted: &Wanted) -> Result<(Values, Values), Missing> {
    let time = "t".to_owned();
    let (mut x, across) = values(run, wanted.x.as_ref().unwrap_or(&time))?;
    let (mut y, up) = values(run, &wanted.y)?;
    let mut t = all_times([&across.t[..], &up.t].into_iter());
    t.retain(|t| *t >= plot.span.0 && *t <= plot.span.1);
    (x.values, y.values) = (across.at(&t), up.at(&t));
    Ok((x, y))
}

/// Finds a quantity by its name, or evaluates an expression of quantities; returns its description, without values, and its
/// curve.
fn values(run: &Recorded, text: &str) -> Result<(Values, Curve), Missing> {
    let values = Vec::new();
    if let Some(meaning) = run.meaning(text) {
        let curve = run.curve(text).map_err(Missing::Quantity)?;
        return Ok((Values { measure: Measure::of(meaning.quantity), meaning, values }, curve));
    }
    let parsed = Expression::parse(text).map_err(|e| Missing::Expression(text.to_owned(), e.to_string()))?;
    let curve = run.curve_of(&parsed, |name| run.curve(name)).map_err(Missing::Quantity)?;
    let of = |name: &String| run.meaning(name);
    let meanings: Vec<Option<Meaning>> = parsed.names().iter().map(of).collect();
    // the name of a quantity in quotes
    if let (true, [Some(meaning)]) = (parsed.is_name(), meanings.as_slice()) {
        let meaning = meaning.clone();
        return Ok((Values { measure: Measure::of(meaning.quantity), meaning, values }, curve));
    }
    let measures: Vec<Measure> =
        meanings.iter().map(|m| Measure::of(m.as_ref().and_then(|m| m.quantity))).collect();
    let measure = parsed.at(&measures);
    let meaning = Meaning {
        name: powers(text),
        of: String::new(),
        what: powers(text),
        kind: powers(text),
        quantity: measure.quantity,
        rate: None,
    };
    Ok((Values { meaning, measure, values }, curve))
}
