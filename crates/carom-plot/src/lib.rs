//! Figures of curves: panels side by side, axes with units, a legend beside them; and above them [`View`]s of things in space. As SVG or PNG.
//!
//! A figure is described first, [`Figure`], [`Panel`], [`Axis`], [`Curve`], and drawn when it is written. Whoever
//! describes one says what is on the axes and what a curve is called; how it looks is decided here, once for all
//! figures: colours that the colour-blind tell apart, each with several kinds of lines so that a grey copy can be
//! read too, nice ticks, the legend beside the panels and never on a curve.
//!
//! Drawing needs the feature `kuva`; without it [`Figure::write`] says so.
//!
//! ```
//! use carom_plot::{Axis, Curve, Figure, Panel};
//! let fall = (0..=50).map(|i| f64::from(i) / 100.0).map(|t| (t, 1.0 - 0.5 * 9.81 * t * t));
//! let panel = Panel::new(Axis::linear("t [s]"), Axis::linear("height [m]"))
//!     .title("a ball that falls")
//!     .curve(Curve::new("ball", fall.collect(), 0));
//! let figure = Figure::new(1).panel(panel);
//! assert!(figure.svg()?.starts_with("<svg"));
//! # Ok::<(), carom_plot::PlotError>(())
//! ```

// what is described is read when it is drawn
#![cfg_attr(not(feature = "kuva"), allow(dead_code))]

mod axis;
#[cfg(feature = "kuva")]
mod dashes;
#[cfg(feature = "kuva")]
mod draw;
#[cfg(feature = "kuva")]
mod facets;
mod heat;
#[cfg(feature = "kuva")]
mod legend;
mod look;
#[cfg(feature = "kuva")]
mod paint;
#[cfg(feature = "kuva")]
mod scale;
#[cfg(feature = "kuva")]
mod short;
mod solid;
#[cfg(feature = "kuva")]
mod thin;
#[cfg(feature = "kuva")]
mod upright;

use std::path::{Path, PathBuf};

pub use axis::Axis;
pub use heat::Heat;
pub use look::{Look, Mark};
pub use solid::{Point, View};

/// Why a figure was not written.
#[derive(Debug, thiserror::Error)]
pub enum PlotError {
    /// an ending that says neither SVG nor PNG
    #[error("{}: a figure ends in .svg or .png", path.display())]
    Ending {
        /// the file asked for
        path: PathBuf,
    },
    /// built without drawing
    #[error("this program was built without figures: build it with `--features plots`")]
    LeftOut,
    /// it could not be drawn
    #[error("the figure cannot be drawn: {0}")]
    Draw(String),
    /// it could not be written
    #[error("{}: {source}", path.display())]
    Io {
        /// the file
        path: PathBuf,
        /// what the system said
        source: std::io::Error,
    },
}

impl PlotError {
    /// Whether something else should be asked for: the disk and the system are not to blame.
    pub fn is_wrong_input(&self) -> bool {
        matches!(self, PlotError::Ending { .. } | PlotError::LeftOut)
    }
}

/// A curve in a panel.
#[derive(Clone, Debug)]
pub struct Curve {
    label: String,
    points: Vec<(f64, f64)>,
    /// which of its figure: its place in the legend
    n: usize,
    look: Look,
    mark: Mark,
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
    title: String,
    x: Axis,
    y: Axis,
    equal: bool,
    heat: Option<Heat>,
    curves: Vec<Curve>,
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
    title: String,
    columns: usize,
    panel_size: (f64, f64),
    entries: Vec<(String, Look)>,
    views: Vec<View>,
    panels: Vec<Panel>,
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

    /// Draws it into a file: SVG or PNG, as its name ends.
    pub fn write(&self, path: &Path) -> Result<(), PlotError> {
        let bytes = match Ending::of(path)? {
            Ending::Svg => self.svg()?.into_bytes(),
            Ending::Png => self.png()?,
        };
        std::fs::write(path, bytes).map_err(|source| PlotError::Io { path: path.to_owned(), source })
    }

    /// The figure as SVG.
    pub fn svg(&self) -> Result<String, PlotError> {
        #[cfg(feature = "kuva")]
        return draw::svg(self);
        #[cfg(not(feature = "kuva"))]
        Err(PlotError::LeftOut)
    }

    /// The figure as PNG, at twice the size of the SVG.
    pub fn png(&self) -> Result<Vec<u8>, PlotError> {
        #[cfg(feature = "kuva")]
        return draw::png(self);
        #[cfg(not(feature = "kuva"))]
        Err(PlotError::LeftOut)
    }
}

/// Whether a figure could be written to this file, as far as its name and this build can tell: to be asked before
/// long work.
pub fn check(path: &Path) -> Result<(), PlotError> {
    Ending::of(path)?;
    if cfg!(feature = "kuva") { Ok(()) } else { Err(PlotError::LeftOut) }
}

/// What a file is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    Svg,
    Png,
}

impl Ending {
    fn of(path: &Path) -> Result<Ending, PlotError> {
        let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase());
        match ending.as_deref() {
            Some("svg") => Ok(Ending::Svg),
            Some("png") => Ok(Ending::Png),
            _ => Err(PlotError::Ending { path: path.to_owned() }),
        }
    }
}
