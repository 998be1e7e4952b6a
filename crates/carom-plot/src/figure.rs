//! What a figure is: curves in panels, panels and views in rows.

use crate::axis::Axis;
use crate::heat::Heat;
use crate::look::{Look, Mark};
use crate::solid::View;

/// Between panels, and around them [px].
pub(crate) const SPACING: f64 = 8.0;
pub(crate) const PADDING: f64 = 12.0;

/// A curve in a panel.
#[derive(Clone, Debug)]
pub struct Curve {
    pub(crate) label: String,
    pub(crate) points: Vec<(f64, f64)>,
    /// which of its figure: its place in the legend
    pub(crate) n: usize,
    pub(crate) look: Look,
    pub(crate) mark: Mark,
}

impl Curve {
    /// Through these points, in order; the n-th of its figure. Curves of one name are one line in the legend, and should look
    /// the same; without a name it has none. Points with a value that cannot be shown (not finite, or not above zero on a logarithmic
    /// axis) leave a gap.
    pub fn new(label: impl Into<String>, points: Vec<(f64, f64)>, n: usize) -> Curve {
        Curve { label: label.into(), points, n, look: Look::nth(n), mark: Mark::Line }
    }

    /// With another look.
    pub fn look(mut self, look: Look) -> Curve {
        self.look = look;
        self
    }

    /// Drawn otherwise than by a line.
    pub fn mark(mut self, mark: Mark) -> Curve {
        self.mark = mark;
        self
    }
}

/// Curves over a pair of axes.
#[derive(Clone, Debug)]
pub struct Panel {
    pub(crate) title: String,
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    pub(crate) equal: bool,
    pub(crate) heat: Option<Heat>,
    pub(crate) curves: Vec<Curve>,
}

impl Panel {
    /// Without curves yet.
    pub fn new(x: Axis, y: Axis) -> Panel {
        Panel { title: String::new(), x, y, equal: false, heat: None, curves: Vec::new() }
    }

    /// With a title above it.
    pub fn title(mut self, title: impl Into<String>) -> Panel {
        self.title = title.into();
        self
    }

    /// With one scale for both axes, so that a circle is one: the axis that has room to spare goes further.
    pub fn equal(mut self, equal: bool) -> Panel {
        self.equal = equal;
        self
    }

    /// With a map below its curves; the axes go from its first edge to its last, and its scale of colours stands to the right of all panels.
    pub fn heat(mut self, heat: Heat) -> Panel {
        self.heat = Some(heat);
        self
    }

    /// With one curve more.
    pub fn curve(mut self, curve: Curve) -> Panel {
        self.curves.push(curve);
        self
    }

    /// With some curves more.
    pub fn curves(mut self, curves: impl IntoIterator<Item = Curve>) -> Panel {
        self.curves.extend(curves);
        self
    }
}

/// Views in rows, panels in rows below them, and one legend for all panels beside them.
#[derive(Clone, Debug)]
pub struct Figure {
    pub(crate) title: String,
    pub(crate) columns: usize,
    pub(crate) panel_size: (f64, f64),
    pub(crate) entries: Vec<(String, Look)>,
    pub(crate) views: Vec<View>,
    pub(crate) panels: Vec<Panel>,
}

impl Figure {
    /// With so many panels or views in a row (at least one), and none yet.
    pub fn new(columns: usize) -> Figure {
        Figure {
            title: String::new(),
            columns: columns.max(1),
            panel_size: (430.0, 380.0),
            entries: Vec::new(),
            views: Vec::new(),
            panels: Vec::new(),
        }
    }

    /// With a title above all.
    pub fn title(mut self, title: impl Into<String>) -> Figure {
        self.title = title.into();
        self
    }

    /// With panels of this width and height [px]; 430 by 380 unless said otherwise.
    pub fn panel_size(mut self, width: f64, height: f64) -> Figure {
        self.panel_size = (width, height);
        self
    }

    /// With a line of the legend that is no curve's own: what a colour or a kind of line stands for in several.
    pub fn entry(mut self, label: impl Into<String>, look: Look) -> Figure {
        self.entries.push((label.into(), look));
        self
    }

    /// With one view more; rows are filled from the left.
    pub fn view(mut self, view: View) -> Figure {
        self.views.push(view);
        self
    }

    /// With one panel more; rows are filled from the left.
    pub fn panel(mut self, panel: Panel) -> Figure {
        self.panels.push(panel);
        self
    }
}
