//! Chooses the words, units and ranges of axes.

use carom_plot::{Axis, marked};
use carom_scene::plot::Plot;
use carom_scene::units::{Measure, ShownUnit};

use super::series::Values;

/// The words and the unit of an axis that several curves share.
pub(super) struct Shared {
    pub(super) unit: ShownUnit,
    words: String,
}

impl Shared {
    /// Chooses them for these values, which have the same dimension; if all have one owner, the words name it.
    pub(super) fn of(plot: &Plot, all: &[&Values]) -> Shared {
        let size =
            |v: &&Values| v.values.iter().filter(|x| x.is_finite()).fold(0.0, |a: f64, x| a.max(x.abs()));
        let largest = all.iter().map(size).fold(0.0, f64::max);
        let measure = all.iter().map(|v| v.measure).reduce(Measure::common);
        let fallback = Measure::of(None);
        let measure = measure.as_ref().unwrap_or(&fallback);
        let asked = plot.units.iter().find(|u| u.fits(measure));
        let unit = asked.cloned().unwrap_or_else(|| ShownUnit::fitting(measure, largest));
        Shared { unit, words: words(all, measure) }
    }

    /// Makes a linear or logarithmic axis, with its unit in the label. Words that are given replace its own; those that end in a
    /// bracket have their unit.
    pub(super) fn axis(&self, log: bool, given: Option<&str>) -> Axis {
        let given = given.filter(|text| !text.is_empty()).map(marked);
        let words = given.as_deref().unwrap_or(&self.words);
        let label = match self.unit.text.as_str() {
            "" => words.to_owned(),
            _ if given.is_some() && words.ends_with(']') => words.to_owned(),
            unit => format!("{words} [{unit}]"),
        };
        if log { Axis::log(label) } else { Axis::linear(label) }
    }
}

/// Returns the words that apply to all values: their description, their kind, or the noun for their dimension.
fn words(all: &[&Values], measure: &Measure) -> String {
    let same = |pick: fn(&Values) -> &str| {
        let first = all.first().map(|v| pick(v))?;
        all.iter().all(|v| pick(v) == first).then(|| first.to_owned())
    };
    let noun = || {
        let noun = measure.dimension.map(|d| d.noun()).unwrap_or_default();
        noun.trim_start_matches("a ").trim_start_matches("an ").to_owned()
    };
    let word = same(|v| &v.meaning.what).or_else(|| same(|v| &v.meaning.kind)).unwrap_or_else(noun);
    match same(|v| &v.meaning.of).filter(|of| !of.is_empty()) {
        Some(of) => format!("{word} of {of}"),
        None => word,
    }
}

/// Returns the least and the greatest finite value.
pub(super) fn range<'v>(all: impl IntoIterator<Item = &'v f64>) -> Option<(f64, f64)> {
    let finite = all.into_iter().filter(|x| x.is_finite());
    let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(*x), b.max(*x)));
    (low <= high).then_some((low, high))
}
