//! Writes figures to files, as SVG, PNG or PDF.

use std::path::Path;

#[cfg(feature = "kuva")]
use crate::draw;
use crate::error::PlotError;
use crate::figure::Figure;

impl Figure {
    /// Draws it into a file, as SVG, PNG or PDF according to its ending.
    pub fn write(&self, path: &Path) -> Result<(), PlotError> {
        let bytes = match Ending::of(path)? {
            Ending::Svg => self.svg()?.into_bytes(),
            Ending::Png => self.png()?,
            Ending::Pdf => self.pdf()?,
        };
        carom_base::file::write(path, &bytes)
            .map_err(|source| PlotError::Io { path: path.to_owned(), source })
    }

    /// Returns the figure as SVG.
    pub fn svg(&self) -> Result<String, PlotError> {
        #[cfg(feature = "kuva")]
        return draw::svg(self);
        #[cfg(not(feature = "kuva"))]
        Err(PlotError::LeftOut)
    }

    /// Returns the figure as PNG, at twice the size of the SVG.
    pub fn png(&self) -> Result<Vec<u8>, PlotError> {
        #[cfg(feature = "kuva")]
        return draw::png(self);
        #[cfg(not(feature = "kuva"))]
        Err(PlotError::LeftOut)
    }

    /// Returns the figure as PDF, a page of its size; its letters are embedded.
    ///
    /// ```
    /// use carom_plot::{Axis, Curve, Figure, Panel, marked};
    /// let panel = Panel::new(Axis::linear("t [s]"), Axis::linear(marked("f_n [N]")));
    /// let figure = Figure::new(1).panel(panel.curve(Curve::new("", vec![(0.0, 0.0), (1.0, 2.0)], 0)));
    /// assert!(figure.pdf()?.starts_with(b"%PDF-"));
    /// # Ok::<(), carom_plot::PlotError>(())
    /// ```
    pub fn pdf(&self) -> Result<Vec<u8>, PlotError> {
        #[cfg(feature = "kuva")]
        return draw::pdf(self);
        #[cfg(not(feature = "kuva"))]
        Err(PlotError::LeftOut)
    }
}

/// Checks whether a figure could be written to this file, as far as its name and this build allow to tell. Call it before
/// long computations.
pub fn check(path: &Path) -> Result<(), PlotError> {
    Ending::of(path)?;
    if cfg!(feature = "kuva") { Ok(()) } else { Err(PlotError::LeftOut) }
}

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    Svg,
    Png,
    Pdf,
}

impl Ending {
    fn of(path: &Path) -> Result<Ending, PlotError> {
        let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase());
        match ending.as_deref() {
            Some("svg") => Ok(Ending::Svg),
            Some("png") => Ok(Ending::Png),
            Some("pdf") => Ok(Ending::Pdf),
            _ => Err(PlotError::Ending { path: path.to_owned() }),
        }
    }
}
