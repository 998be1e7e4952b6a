//! How curves are told apart.

/// Colour, line and width of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    pub(crate) colour: &'static str,
    /// lengths of strokes and gaps; none is a full line
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
    /// bars from zero; those of several curves stand side by side
    Bars,
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

    /// The n-th look for curves that may lie on each other: each has another colour and another kind of line, so that strokes of one show between those of the other.
    pub fn apart(n: usize) -> Look {
        Look::of(n, n % COLOURS.len() + n / COLOURS.len())
    }

    /// Where to draw it: full lines first, others over them.
    pub fn layer(&self) -> usize {
        DASHES.iter().position(|d| *d == self.dashes).unwrap_or(0)
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

/// The colour of a share of the way, from blue (0) over purple to red (1).
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
