//! What expressions of a figure may name: the quantities of a run, what the recipe says of it, and those of another run.

use carom_results::{QuantityError, Recorded};
use carom_scene::expression::Expression;
use carom_studies::paper::Figure;

use super::work::Done;

/// A run of a figure, beside the one it is compared with.
pub(super) struct Quantities<'a> {
    pub(super) run: &'a Recorded,
    value: Option<f64>,
    time: Option<f64>,
    searches: Option<f64>,
    reference: Option<Box<Quantities<'a>>>,
}

impl<'a> Quantities<'a> {
    /// Of the i-th run of the figure, beside `reference`; or which of them failed.
    pub(super) fn of(
        figure: &'a Figure,
        runs: &'a [Done],
        i: usize,
        reference: Option<usize>,
    ) -> Result<Quantities<'a>, String> {
        let recipe = &figure.runs[i];
        let run = runs[i].result.as_ref().map_err(|_| format!("the run {} failed", recipe.name))?;
        let reference = reference.map(|j| Quantities::of(figure, runs, j, None).map(Box::new)).transpose()?;
        let time = runs[i].least.map(|time| time.as_secs_f64());
        let searches = runs[i].searches.map(|time| time.as_secs_f64());
        Ok(Quantities { run, value: recipe.value, time, searches, reference })
    }

    /// The values of an expression, one an output time.
    pub(super) fn series(&self, expression: &Expression) -> Result<Vec<f64>, String> {
        self.run.series_with(expression, |name| self.column(name)).map_err(|e| e.to_string())
    }

    fn column(&self, name: &str) -> Result<Vec<f64>, QuantityError> {
        let constant = |x: Option<f64>| match x {
            Some(x) => Ok(vec![x; self.run.t.len()]),
            None => Err(QuantityError::Unknown { name: name.to_owned(), nearest: None }),
        };
        match (name, name.strip_prefix("reference."), &self.reference) {
            ("run.value", _, _) => constant(self.value),
            ("run.time", _, _) => constant(self.time),
            ("run.searches", _, _) => constant(self.searches),
            (_, Some(name), Some(other)) => other.column(name),
            _ => self.run.column(name),
        }
    }
}
