//! The description of a figure: curves in panels, panels and views in rows.

use crate::axis::Axis;
use crate::heat::Heat;
use crate::look::{Look, Mark};
use crate::solid::View;

/// Distance between panels, and margin around them [px].
pub(crate) const SPACING: f64 = 8.0;
pub(crate) const PADDING: f64 = 12.0;

/// A curve in a panel.
#[derive(Clone, Debug)]
pub struct Curve {
    pub(crate) label: String,
    pub(crate) points: Vec<(f64, f64)>,
    /// its number in the figure, which gives its position in the legend
    pub(crate) n: usize,
    pub(crate) look: Look,
    pub(crate) mark: Mark,
}

impl Curve {
    /// Makes a curve through these points, in order; it is the n-th of its figure. Curves of the same name share one line in the
    /// legend, and should look the same; a curve without a name has none. Points with a value that cannot be shown (not finite,
    /// or not above zero on a logarithmic axis) leave a gap.
    pub fn new(label: impl Into<String>, points: Vec<(f64, f64)>, n: usize) -> Curve {
        Curve { label: label.into(), points, n, look: Look::nth(n), mark: Mark::Line }
    }

    /// Sets its look.
    pub fn look(mut self, look: Look) -> Curve {
        self.look = look;
        self
    }

    /// Sets how it is drawn; by default as a line.
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
    /// Makes a panel without curves.
    pub fn new(x: Axis, y: Axis) -> Panel {
        Panel { title: String::new(), x, y, equal: false, heat: None, curves: Vec::new() }
    }

    /// Sets the title above it.
    pub fn title(mut self, title: impl Into<String>) -> Panel {
        self.title = title.into();
        self
    }

    /// Sets whether both axes have the same scale, so that a circle is round; the axis with space to spare is extended.
    pub fn equal(mut self, equal: bool) -> Panel {
        self.equal = equal;
        self
    }

    /// Adds a map below its curves. The axes extend from its first edge to its last, and its colour scale is to the right of all
    /// panels.
    pub fn heat(mut self, heat: Heat) -> Panel {
        self.heat = Some(heat);
        self
    }

    /// Adds a curve.
    pub fn curve(mut self, curve: Curve) -> Panel {
        self.curves.push(curve);
        self
    }

    /// Adds some curves.
    pub fn curves(mut self, curves: impl IntoIterator<Item = Curve>) -> Panel {
        self.curves.extend(curves);
        self
    }
}

/// The width of a figure in print.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// one column of a journal, 85 mm
    Column,
    /// both columns, 170 mm
    Page,
}

impl Width {
    /// Returns the width in print [mm].
    ///
    /// ```
    /// assert_eq!(carom_plot::Width::Page.millimetres(), 170.0);
    /// ```
    pub fn millimetres(self) -> f64 {
        match self {
            Width::Column => 85.0,
            Width::Page => 170.0,
        }
    }

    /// Returns the width of the drawing [px]: with it, letters of 14 px have 7 points in print.
    fn px(self) -> f64 {
        5.67 * self.millimetres()
    }
}

/// A figure: views in rows, panels in rows below them; each panel has its legend, or all have one beside them.
#[derive(Clone, Debug)]
pub struct Figure {
    pub(crate) title: String,
    pub(crate) columns: usize,
    pub(crate) panel_size: (f64, f64),
    pub(crate) width: Option<Width>,
    /// pixels of PNG files and of pictures of bodies per unit of the drawing, along a side
    pub(crate) density: usize,
    pub(crate) entries: Vec<(String, Look)>,
    pub(crate) views: Vec<View>,
    pub(crate) panels: Vec<Panel>,
}

impl Figure {
    /// Makes an empty figure with this many panels or views in a row (at least one).
    pub fn new(columns: usize) -> Figure {
        Figure {
            title: String::new(),
            columns: columns.max(1),
            panel_size: (430.0, 380.0),
            width: None,
            density: 2,
            entries: Vec::new(),
            views: Vec::new(),
            panels: Vec::new(),
        }
    }

    /// Sets the title above all.
    pub fn title(mut self, title: impl Into<String>) -> Figure {
        self.title = title.into();
        self
    }

    /// Sets the width and height of the panels [px]; the default is 430 by 380.
    pub fn panel_size(mut self, width: f64, height: f64) -> Figure {
        self.panel_size = (width, height);
        self
    }

    /// Sets the width in print: panels become as wide as fits, their height `shape` times that, and files have that size: letters
    /// have 7 points.
    ///
    /// ```
    /// use carom_plot::{Figure, Width};
    /// let figure = Figure::new(2).print(Width::Page, 0.7); // two panels a row, 170 mm wide
    /// ```
    pub fn print(mut self, width: Width, shape: f64) -> Figure {
        let gaps = 2.0 * PADDING + (self.columns - 1) as f64 * SPACING;
        let panel = (width.px() - gaps) / self.columns as f64;
        self.width = Some(width);
        self.panel_size(panel, (shape * panel).max(200.0))
    }

    /// Makes it a draft: PNG files and pictures of bodies have one pixel per unit instead of two along a side, so that they are soon drawn.
    ///
    /// ```
    /// let figure = carom_plot::Figure::new(1).draft(); // a panel of 430 by 380 pixels
    /// ```
    pub fn draft(mut self) -> Figure {
        self.density = 1;
        self
    }

    /// Adds a line to the legend of the first panel that does not belong to a single curve, to explain a colour or line style that several share.
    pub fn entry(mut self, label: impl Into<String>, look: Look) -> Figure {
        self.entries.push((label.into(), look));
        self
    }

    /// Adds a view; rows are filled from the left.
    pub fn view(mut self, view: View) -> Figure {
        self.views.push(view);
        self
    }

    /// Adds a panel; rows are filled from the left.
    pub fn panel(mut self, panel: Panel) -> Figure {
        self.panels.push(panel);
        self
    }
}
