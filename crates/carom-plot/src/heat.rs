//! Maps: a value as a function of two others, shown as a colour.

/// A map of values over a grid, each a coloured rectangle, or at scattered points, each a dot; values that are not finite are
/// grey.
///
/// ```
/// use carom_plot::{Axis, Figure, Heat, Panel};
/// let heat = Heat::new("force [N]", vec![0.0, 1.0, 2.0], vec![1.0, 10.0], vec![vec![1.0, 2.0, 3.0], vec![2.0, 4.0, f64::NAN]]);
/// let panel = Panel::new(Axis::linear("x [m]"), Axis::log("y [s]")).heat(heat);
/// assert!(Figure::new(1).panel(panel).svg()?.contains("force [N]"));
/// # Ok::<(), carom_plot::PlotError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Heat {
    pub(crate) label: String,
    pub(crate) over: Over,
}

/// The positions and values of a map.
#[derive(Clone, Debug)]
pub(crate) enum Over {
    /// the middles of columns and rows, and the values, one list per row
    Grid { x: Vec<f64>, y: Vec<f64>, values: Vec<Vec<f64>> },
    /// x, y, value
    Dots(Vec<(f64, f64, f64)>),
}

impl Heat {
    /// Makes a map over a grid: the meaning of the colours, with its unit; the middles of columns and rows, in increasing order;
    /// the values, one list per row.
    pub fn new(label: impl Into<String>, x: Vec<f64>, y: Vec<f64>, values: Vec<Vec<f64>>) -> Heat {
        Heat { label: label.into(), over: Over::Grid { x, y, values } }
    }

    /// Makes a map of scattered points: x, y, value.
    ///
    /// ```
    /// use carom_plot::{Axis, Figure, Heat, Panel};
    /// let heat = Heat::dots("force [N]", vec![(0.1, 2.0, 30.0), (0.7, 1.0, 50.0)]);
    /// let panel = Panel::new(Axis::linear("x [m]"), Axis::linear("y [s]")).heat(heat);
    /// assert!(Figure::new(1).panel(panel).svg()?.contains("force [N]"));
    /// # Ok::<(), carom_plot::PlotError>(())
    /// ```
    pub fn dots(label: impl Into<String>, dots: Vec<(f64, f64, f64)>) -> Heat {
        Heat { label: label.into(), over: Over::Dots(dots) }
    }

    fn values(&self) -> Box<dyn Iterator<Item = f64> + '_> {
        match &self.over {
            Over::Grid { values, .. } => Box::new(values.iter().flatten().copied()),
            Over::Dots(dots) => Box::new(dots.iter().map(|d| d.2)),
        }
    }

    /// Returns the least and the greatest value; 0 and 1 if there are none.
    pub(crate) fn range(&self) -> (f64, f64) {
        let finite = self.values().filter(|v| v.is_finite());
        let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
        if low > high { (0.0, 1.0) } else { (low, high) }
    }

    /// Returns whether a value is missing.
    pub(crate) fn has_gaps(&self) -> bool {
        self.values().any(|v| !v.is_finite())
    }

    /// Returns a function from values to colours.
    pub(crate) fn colours(&self) -> impl Fn(f64) -> String + use<> {
        let (low, high) = self.range();
        move |value| colour(if high > low { (value - low) / (high - low) } else { value - low + 0.5 })
    }
}

/// Returns the edges of the rectangles around these positions: half-way between them, and as far beyond the ends.
pub(crate) fn edges(coordinates: &[f64]) -> Vec<f64> {
    let (Some(first), Some(last)) = (coordinates.first(), coordinates.last()) else { return Vec::new() };
    let [before, after] = match coordinates {
        [_] => [0.5, 0.5],
        [a, b, ..] => [0.5 * (b - a), 0.5 * (last - coordinates[coordinates.len() - 2])],
        [] => [0.0; 2],
    };
    let between = coordinates.windows(2).map(|w| 0.5 * (w[0] + w[1]));
    std::iter::once(first - before).chain(between).chain([last + after]).collect()
}

/// The colour of a missing value.
pub(crate) const NONE: &str = "#D8D8D8";

/// Colours from dark blue over green to yellow, with steadily increasing brightness, for the colour-blind and for grey copies:
/// viridis (Smith and van der Walt, CC0) at even steps.
const COLOURS: [[u8; 3]; 10] = [
    [0x44, 0x01, 0x54],
    [0x48, 0x28, 0x78],
    [0x3E, 0x49, 0x89],
    [0x31, 0x68, 0x8E],
    [0x26, 0x82, 0x8E],
    [0x1F, 0x9E, 0x89],
    [0x35, 0xB7, 0x79],
    [0x6D, 0xCD, 0x59],
    [0xB4, 0xDE, 0x2C],
    [0xFD, 0xE7, 0x25],
];

/// Returns the colour at a fraction of the range from the least to the greatest value.
pub(crate) fn colour(share: f64) -> String {
    if !share.is_finite() {
        return NONE.to_owned();
    }
    let at = share.clamp(0.0, 1.0) * (COLOURS.len() - 1) as f64;
    let i = (at as usize).min(COLOURS.len() - 2);
    let mixed = |k: usize| {
        let [a, b] = [COLOURS[i][k], COLOURS[i + 1][k]].map(f64::from);
        (a + (b - a) * (at - i as f64)).round() as u8
    };
    format!("#{:02X}{:02X}{:02X}", mixed(0), mixed(1), mixed(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_and_edges() {
        assert_eq!([0.0, 1.0, 2.0, f64::NAN].map(colour), ["#440154", "#FDE725", "#FDE725", NONE]);
        assert_eq!(edges(&[0.0, 1.0, 3.0]), [-0.5, 0.5, 2.0, 4.0]);
        assert_eq!(edges(&[2.0]), [1.5, 2.5]);
        let heat = Heat::new("", vec![0.0], vec![0.0, 1.0], vec![vec![f64::NAN], vec![2.0]]);
        assert_eq!((heat.range(), heat.has_gaps()), ((2.0, 2.0), true));
        let dots = Heat::dots("", vec![(0.0, 0.0, -1.0), (5.0, 1.0, 3.0)]);
        assert_eq!((dots.range(), dots.has_gaps()), ((-1.0, 3.0), false));
        assert_eq!([-1.0, 3.0, f64::NAN].map(dots.colours()), ["#440154", "#FDE725", NONE]);
    }
}
