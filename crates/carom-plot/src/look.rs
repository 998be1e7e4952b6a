//! How curves are told apart.

/// Colour, line and width of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    pub(crate) colour: &'static str,
    /// lengths of strokes and gaps; none is a full line
    pub(crate) dashes: Option<&'static str>,
    pub(crate) width: f64,
}

/// Colours the colour-blind tell apart (Okabe and Ito's without the yellow, too bright for a line), neighbours far from
/// each other in brightness as well.
const COLOURS: [&str; 7] = ["#0072B2", "#E69F00", "#000000", "#56B4E9", "#D55E00", "#CC79A7", "#009E73"];

/// Full, dashed, dotted, dash-dotted: what is left of the difference in grey.
const DASHES: [Option<&str>; 4] = [None, Some("8 3"), Some("2 3"), Some("9 3 2 3")];

impl Look {
    /// The n-th look: 7 colours with a full line, then dashed, dotted and dash-dotted; then from the start.
    pub fn nth(n: usize) -> Look {
        Look::of(n % COLOURS.len(), n / COLOURS.len())
    }

    /// A colour (0 to 6) and a kind of line (0 full, 1 dashed, 2 dotted, 3 dash-dotted); larger ones start anew.
    pub fn of(colour: usize, line: usize) -> Look {
        Look { colour: COLOURS[colour % COLOURS.len()], dashes: DASHES[line % DASHES.len()], width: 1.8 }
    }

    /// With a line of this width [px].
    pub fn width(mut self, width: f64) -> Look {
        self.width = width;
        self
    }

    /// A thin grey line, for what is there to compare with.
    pub fn faint() -> Look {
        Look { colour: "#999999", dashes: Some("4 4"), width: 1.0 }
    }
}
