//! The looks by which curves are distinguished.

/// The colour, line style and width of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    pub(crate) colour: &'static str,
    /// lengths of strokes and gaps; `None` for a solid line
    pub(crate) dashes: Option<&'static str>,
    pub(crate) width: f64,
}

/// How a curve is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mark {
    /// a line
    #[default]
    Line,
    /// a line, and a dot at every point
    Dots,
    /// a dot at every point, and no line
    Points,
    /// a dot at every point, from blue at the first to red at the last
    Passage,
    /// bars from zero; those of several curves are side by side
    Bars,
}

/// Colours that the colour-blind can tell apart (Okabe and Ito's without the yellow, which is too bright for a line, then Tol's muted
/// ones), with neighbours that differ strongly in brightness as well, and both greens at places whose line styles in [`Look::apart`] differ.
const COLOURS: [&str; 12] = [
    "#0072B2", "#E69F00", "#000000", "#56B4E9", "#D55E00", "#CC79A7", "#009E73", "#882255", "#999933",
    "#332288", "#7F5539", "#44AA99",
];

/// Solid, dashed, dotted, dash-dotted: the differences that remain in a grey copy.
const DASHES: [Option<&str>; 4] = [None, Some("8 3"), Some("2 3"), Some("9 3 2 3")];

impl Look {
    /// Returns the n-th look: 12 colours with a solid line, then dashed, dotted and dash-dotted; then again from the start.
    pub fn nth(n: usize) -> Look {
        Look::of(n % COLOURS.len(), n / COLOURS.len())
    }

    /// Returns the look of a colour (0 to 11) and a line style (0 solid, 1 dashed, 2 dotted, 3 dash-dotted); larger numbers start
    /// again.
    pub fn of(colour: usize, line: usize) -> Look {
        Look { colour: COLOURS[colour % COLOURS.len()], dashes: DASHES[line % DASHES.len()], width: 1.8 }
    }

    /// Returns the n-th look for curves that may lie on each other: each has another colour and another line style, so that one
    /// shows between the strokes of the other.
    pub fn apart(n: usize) -> Look {
        Look::of(n, n % COLOURS.len() + n / COLOURS.len())
    }

    /// Returns its layer in the order of drawing: solid lines first, others over them.
    pub fn layer(&self) -> usize {
        DASHES.iter().position(|d| *d == self.dashes).unwrap_or(0)
    }

    /// Returns the look with an unbroken line, for a curve that is alone wherever it is.
    pub fn unbroken(self) -> Look {
        Look { dashes: None, ..self }
    }

    /// Sets the width of the line [px].
    pub fn width(mut self, width: f64) -> Look {
        self.width = width;
        self
    }

    /// Returns a thin grey line, for comparison.
    pub fn faint() -> Look {
        Look { colour: "#999999", dashes: Some("4 4"), width: 1.0 }
    }
}

/// Returns the colour at a fraction of the sequence, from blue (0) over purple to red (1).
pub(crate) fn passage(share: f64) -> String {
    let [blue, red] = [[0x00, 0x44, 0xCC], [0xCC, 0x22, 0x00]];
    let mixed = |i: usize| (f64::from(blue[i]) + share * f64::from(red[i] - blue[i])).round() as u8;
    format!("#{:02X}{:02X}{:02X}", mixed(0), mixed(1), mixed(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_passage_goes_from_blue_to_red() {
        assert_eq!([0.0, 0.5, 1.0].map(passage), ["#0044CC", "#663366", "#CC2200"]);
    }
}
