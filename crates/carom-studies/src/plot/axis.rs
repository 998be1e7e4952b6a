//! Axes: their words, units and ranges.

use carom_plot::Axis;
use carom_scene::plot::Plot;
use carom_scene::units::{Measure, ShownUnit};

use super::series::Values;

/// Words and unit of an axis that several curves share.
pub(super) struct Shared {
    pub(super) unit: ShownUnit,
    words: String,
}

impl Shared {
    /// Of these values, which measure the same; those of one owner say whose they are.
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

    /// Linear or logarithmic, with its unit in the label.
    pub(super) fn axis(&self, log: bool) -> Axis {
        let label = match self.unit.text.as_str() {
            "" => self.words.clone(),
            unit => format!("{} [{unit}]", self.words),
        };
        if log { Axis::log(label) } else { Axis::linear(label) }
    }
}

/// The word for all if there is one; what they have in common if not.
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

/// From the least to the greatest value that is finite.
pub(super) fn range<'v>(all: impl IntoIterator<Item = &'v f64>) -> Option<(f64, f64)> {
    let finite = all.into_iter().filter(|x| x.is_finite());
    let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(*x), b.max(*x)));
    (low <= high).then_some((low, high))
}
