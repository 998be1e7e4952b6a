//! Pictures of things in space: shaded patches and lines, seen from far away.
//!
//! Orthographic: with e the unit vector towards the eye the picture's axes are x = up × e and y = e × x, up the z axis (y where the eye is above or
//! below), and a point's place is (p·x, p·y), its depth p·e. Patches are painted from the back to the front (painter's algorithm), those that show their back
//! are left out; lines lie over all of them.
//!
//! ```
//! use carom_plot::{Picture, View};
//! let view = View::new([1.0, -2.0, 1.0])
//!     .patch([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]], 0)
//!     .line([0.0, 0.0, 0.0], [0.0, -1.0, 0.0], "#CC0000", 2.0);
//! assert!(Picture::new(1).view(view).svg()?.starts_with("<svg"));
//! # Ok::<(), carom_plot::PlotError>(())
//! ```

use crate::PlotError;
#[cfg(feature = "kuva")]
use crate::paint;

/// A point in space.
pub type Point = [f64; 3];

/// Views side by side.
#[derive(Clone, Debug)]
pub struct Picture {
    pub(crate) title: String,
    pub(crate) columns: usize,
    pub(crate) views: Vec<View>,
}

impl Picture {
    /// With so many views in a row (at least one), and none yet.
    pub fn new(columns: usize) -> Picture {
        Picture { title: String::new(), columns: columns.max(1), views: Vec::new() }
    }

    /// With a title above all.
    pub fn title(mut self, title: impl Into<String>) -> Picture {
        self.title = title.into();
        self
    }

    /// With one view more; rows are filled from the left.
    pub fn view(mut self, view: View) -> Picture {
        self.views.push(view);
        self
    }

    /// Draws it into a file: SVG or PNG, as its name ends.
    pub fn write(&self, path: &std::path::Path) -> Result<(), PlotError> {
        crate::write(path, || self.svg(), || self.png())
    }

    /// The picture as SVG.
    pub fn svg(&self) -> Result<String, PlotError> {
        #[cfg(feature = "kuva")]
        return paint::svg(self);
        #[cfg(not(feature = "kuva"))]
        Err(PlotError::LeftOut)
    }

    /// The picture as PNG, at twice the size of the SVG.
    pub fn png(&self) -> Result<Vec<u8>, PlotError> {
        #[cfg(feature = "kuva")]
        return paint::png(self);
        #[cfg(not(feature = "kuva"))]
        Err(PlotError::LeftOut)
    }
}

/// Patches and lines in space, and where they are seen from.
#[derive(Clone, Debug)]
pub struct View {
    pub(crate) title: String,
    pub(crate) eye: Point,
    /// three corners, counter-clockwise from the side that shows, and the number of a colour
    pub(crate) patches: Vec<([Point; 3], usize)>,
    pub(crate) lines: Vec<Line>,
}

/// A line over everything.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) ends: [Point; 2],
    pub(crate) colour: &'static str,
    pub(crate) width: f64,
}

impl View {
    /// Seen from far away in this direction, of any length but 0.
    pub fn new(eye: Point) -> View {
        View { title: String::new(), eye, patches: Vec::new(), lines: Vec::new() }
    }

    /// With a title above it.
    pub fn title(mut self, title: impl Into<String>) -> View {
        self.title = title.into();
        self
    }

    /// With a triangle of the n-th colour more.
    pub fn patch(mut self, corners: [Point; 3], n: usize) -> View {
        self.patches.push((corners, n));
        self
    }

    /// With a line more, of that colour (`#RRGGBB`) and width [px].
    pub fn line(mut self, from: Point, to: Point, colour: &'static str, width: f64) -> View {
        self.lines.push(Line { ends: [from, to], colour, width });
        self
    }
}
