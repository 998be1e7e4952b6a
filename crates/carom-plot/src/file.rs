//! Writes figures to files, as SVG or PNG.

use std::path::Path;

#[cfg(feature = "kuva")]
use crate::draw;
use crate::error::PlotError;
use crate::figure::Figure;

impl Figure {
    /// Draws it into a file, as SVG or PNG according to its ending.
    pub fn write(&self, path: &Path) -> Result<(), PlotError> {
        let bytes = match Ending::of(path)? {
            Ending::Svg => self.svg()?.into_bytes(),
            Ending::Png => self.png()?,
        };
        std::fs::write(path, bytes).map_err(|source| PlotError::Io { path: path.to_owned(), source })
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
