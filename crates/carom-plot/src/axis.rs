//! Axes: their labels, ranges and ticks.

/// An axis of a panel.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    pub(crate) label: String,
    log: bool,
    range: Option<(f64, f64)>,
    /// texts at 1, 2, 3 … instead of numbers
    names: Vec<String>,
}

/// Largest number of decades below the largest value that a logarithmic axis shows by default.
const MOST_DECADES: f64 = 16.0;

/// The ends of an axis in the units it is drawn in (logarithms for a logarithmic one), and the distance between ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Span {
    pub(crate) low: f64,
    pub(crate) high: f64,
    pub(crate) step: f64,
}

impl Span {
    pub(crate) fn length(self) -> f64 {
        self.high - self.low
    }

    /// Returns a span of this length with the same middle and another tick distance.
    pub(crate) fn widened(self, length: f64, step: f64) -> Span {
        let more = 0.5 * (length - self.length());
        Span { low: self.low - more, high: self.high + more, step }
    }
}

impl Axis {
    /// Makes a linear axis; the label contains the unit: `"t [s]"`.
    pub fn linear(label: impl Into<String>) -> Axis {
        Axis { label: label.into(), log: false, range: None, names: Vec::new() }
    }

    /// Makes a logarithmic axis.
    pub fn log(label: impl Into<String>) -> Axis {
        Axis { log: true, ..Axis::linear(label) }
    }

    /// Makes an axis with names instead of numbers: the first at 1, the second at 2, and so on.
    pub fn names(label: impl Into<String>, names: impl IntoIterator<Item = String>) -> Axis {
        Axis { names: names.into_iter().collect(), ..Axis::linear(label) }
    }

    /// Sets the ends of the axis, independently of the curves.
    pub fn range(mut self, low: f64, high: f64) -> Axis {
        self.range = Some((low, high));
        self
    }

    /// Returns whether it has names instead of numbers.
    #[cfg(feature = "kuva")]
    pub(crate) fn has_names(&self) -> bool {
        !self.names.is_empty()
    }

    /// Returns the value as it is drawn, the logarithm on a logarithmic axis; `None` if it cannot be drawn.
    pub(crate) fn coordinate(&self, x: f64) -> Option<f64> {
        let coordinate = if self.log { x.log10() } else { x };
        // log10 of zero and of negative numbers is not finite
        coordinate.is_finite().then_some(coordinate)
    }

    /// Returns the span that shows these coordinates; with `room_above` no curve lies on the upper edge of the frame.
    pub(crate) fn span(&self, coordinates: impl Iterator<Item = f64>, room_above: bool) -> Span {
        if !self.names.is_empty() {
            return Span { low: 0.5, high: self.names.len() as f64 + 0.5, step: 1.0 };
        }
        let given = self.range.and_then(|(a, b)| self.coordinate(a).zip(self.coordinate(b)));
        if let Some((low, high)) = given {
            return Span { low, high, step: self.step(low, high) };
        }
        let (mut low, mut high) =
            coordinates.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
        if low > high {
            (low, high) = if self.log { (-1.0, 0.0) } else { (0.0, 1.0) };
        }
        if self.log {
            low = low.max(high - MOST_DECADES);
        }
        // a constant curve needs space above and below
        if high - low <= 1e-12 * high.abs().max(low.abs()).max(f64::MIN_POSITIVE) {
            let room = if high == 0.0 || self.log { 1.0 } else { 0.1 * high.abs() };
            (low, high) = (low - room, high + room);
        }
        let step = self.step(low, high);
        // the ends are at ticks, with no curve on the frame; but a curve that starts at a tick starts there
        let out = 0.02 * (high - low);
        let floor = |x: f64| (x / step).floor() * step;
        let at_tick = |x: f64| ((x / step).round() * step - x).abs() < 1e-9 * step;
        let low = if at_tick(low) { low } else { floor(low - out) };
        let high = if at_tick(high) && !room_above { high } else { -floor(-(high + out)) };
        Span { low, high, step }
    }

    /// Returns the span with exactly these ends.
    pub(crate) fn exact(&self, low: f64, high: f64) -> Span {
        let step = if self.names.is_empty() { self.step(low, high) } else { 1.0 };
        Span { low, high, step }
    }

    /// Returns the span with ticks at least this far apart, so that their numbers do not touch.
    #[cfg(feature = "kuva")]
    pub(crate) fn spaced(&self, span: Span, least: f64) -> Span {
        if self.log || !self.names.is_empty() || span.step >= least {
            return span;
        }
        Span { step: self.step(0.0, 6.0 * least), ..span }
    }

    fn step(&self, low: f64, high: f64) -> f64 {
        let raw = (high - low) / 6.0;
        if self.log {
            return raw.ceil().max(1.0);
        }
        let ten = 10f64.powf(raw.log10().floor());
        [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * ten).find(|s| *s >= raw * (1.0 - 1e-9)).unwrap_or(raw)
    }

    /// Returns the text at a tick.
    pub(crate) fn tick(&self, step: f64, coordinate: f64) -> String {
        if self.log {
            return decade(coordinate);
        }
        if !self.names.is_empty() {
            // 1 is the first; coordinates below it have no name
            return self
                .names
                .get((coordinate.round() as usize).wrapping_sub(1))
                .cloned()
                .unwrap_or_default();
        }
        // + 0.0 turns −0 into 0
        let coordinate = (coordinate / step).round() * step + 0.0;
        let size = coordinate.abs().max(step);
        if !(1e-4..1e5).contains(&size) {
            return scientific(coordinate, step);
        }
        let digits = (-step.log10()).ceil().max(0.0) as usize;
        minus(&format!("{coordinate:.digits$}"))
    }
}

/// Writes a number as `2·10⁻⁶`.
fn scientific(x: f64, step: f64) -> String {
    if x == 0.0 {
        return "0".to_owned();
    }
    let power = x.abs().log10().floor();
    let digits = (power - step.log10()).ceil().max(0.0) as usize;
    let mantissa = format!("{:.digits$}", x / 10f64.powf(power));
    minus(&format!("{mantissa}·{}", decade(power)))
}

/// Uses a minus sign as wide as a digit.
fn minus(text: &str) -> String {
    text.replace('-', "−")
}

/// Returns 10⁻³ for −3, and so on; an empty text between the decades.
fn decade(power: f64) -> String {
    if (power - power.round()).abs() > 1e-6 {
        return String::new();
    }
    let digits = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let raised = |c: char| c.to_digit(10).and_then(|d| digits.get(d as usize)).copied().unwrap_or('⁻');
    let power: String = format!("{:.0}", power.round() + 0.0).chars().map(raised).collect();
    format!("10{power}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticks(axis: &Axis, coordinates: &[f64]) -> (f64, f64, Vec<String>) {
        let span = axis.span(coordinates.iter().copied(), false);
        let n = ((span.high - span.low) / span.step).round() as i32;
        let at = (0..=n).map(|i| axis.tick(span.step, span.low + f64::from(i) * span.step));
        (span.low, span.high, at.collect())
    }

    #[test]
    fn linear_ticks_are_round() {
        let axis = Axis::linear("x");
        assert_eq!(
            ticks(&axis, &[0.0, 1.0]),
            (0.0, 1.0, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"].map(String::from).into())
        );
        let (low, high, at) = ticks(&axis, &[-0.013, 0.037]);
        assert_eq!((low, high), (-0.02, 0.04));
        assert_eq!(at, ["−0.02", "−0.01", "0.00", "0.01", "0.02", "0.03", "0.04"]);
        assert!((axis.span([0.0, 1.0].into_iter(), true).high - 1.2).abs() < 1e-15);
        let (_, _, at) = ticks(&axis, &[0.0, 3e-6]);
        assert_eq!(at.first().map(String::as_str), Some("0"));
        assert_eq!(at.get(2).map(String::as_str), Some("1.0·10⁻⁶"));
    }

    #[test]
    fn logarithmic_ticks_are_decades() {
        let axis = Axis::log("x");
        let coordinates: Vec<f64> = [3e-9, 0.02].iter().filter_map(|x| axis.coordinate(*x)).collect();
        let (low, high, at) = ticks(&axis, &coordinates);
        assert_eq!((low, high), (-10.0, 0.0));
        assert_eq!(at.first().map(String::as_str), Some("10⁻¹⁰"));
        assert_eq!(
            (axis.coordinate(0.0), axis.coordinate(-1.0), axis.coordinate(f64::NAN)),
            (None, None, None)
        );
    }

    #[test]
    fn names_stand_at_whole_numbers() {
        let axis = Axis::names("slices", ["9", "18", "36"].map(String::from));
        let span = axis.span([].into_iter(), true);
        assert_eq!(span, Span { low: 0.5, high: 3.5, step: 1.0 });
        let at: Vec<String> = (0..5).map(|i| axis.tick(1.0, f64::from(i))).collect();
        assert_eq!(at, ["", "9", "18", "36", ""]);
        assert_eq!(span.widened(5.0, 2.0), Span { low: -0.5, high: 4.5, step: 2.0 });
    }

    #[test]
    fn constants_and_nothing_have_an_axis() {
        for axis in [Axis::linear("x"), Axis::log("x")] {
            for coordinates in [&[][..], &[0.0], &[3.0, 3.0], &[-5e-300, -5e-300]] {
                let span = axis.span(coordinates.iter().copied(), false);
                assert!(span.low < span.high && span.step > 0.0, "{coordinates:?} {span:?}");
            }
        }
    }
}
