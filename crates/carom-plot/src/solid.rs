//! Views of objects in space: shaded patches and lines, seen from far away.
//!
//! The projection is orthographic: with e the unit vector towards the eye, the axes of the picture are x = up × e and
//! y = e × x, where up is the z axis (y if the eye is above or below). A point p is drawn at (p·x, p·y), and its depth is
//! p·e. Patches are painted from the back to the front (painter's algorithm), those of the ground before all others; those
//! seen from behind are left out; lines are drawn over all of them.
//!
//! ```
//! use carom_plot::{Figure, View};
//! let view = View::new([1.0, -2.0, 1.0])
//!     .patch([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]], 0)
//!     .path(vec![[0.0, 0.0, 0.0], [0.0, -1.0, 0.0]], "#CC0000", 2.0);
//! assert!(Figure::new(1).view(view).svg()?.starts_with("<svg"));
//! # Ok::<(), carom_plot::PlotError>(())
//! ```

/// A point in space.
pub type Point = [f64; 3];

/// Patches and lines in space, and the direction from which they are seen.
#[derive(Clone, Debug)]
pub struct View {
    pub(crate) title: String,
    pub(crate) eye: Point,
    pub(crate) patches: Vec<Patch>,
    pub(crate) lines: Vec<Line>,
}

/// A triangle.
#[derive(Clone, Debug)]
pub(crate) struct Patch {
    /// corners, counter-clockwise as seen from the visible side
    pub(crate) corners: [Point; 3],
    /// index of the colour; `None` for the ground, behind all others
    pub(crate) colour: Option<usize>,
}

/// A line drawn over everything.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) points: Vec<Point>,
    pub(crate) colour: &'static str,
    pub(crate) width: f64,
}

impl View {
    /// Makes a view from far away in this direction, of any length but 0.
    pub fn new(eye: Point) -> View {
        View { title: String::new(), eye, patches: Vec::new(), lines: Vec::new() }
    }

    /// Sets the title above it.
    pub fn title(mut self, title: impl Into<String>) -> View {
        self.title = title.into();
        self
    }

    /// Adds a triangle of the n-th colour.
    pub fn patch(mut self, corners: [Point; 3], n: usize) -> View {
        self.patches.push(Patch { corners, colour: Some(n) });
        self
    }

    /// Adds a triangle of the ground, over which everything else is drawn.
    pub fn ground(mut self, corners: [Point; 3]) -> View {
        self.patches.push(Patch { corners, colour: None });
        self
    }

    /// Adds a line through these points, of that colour (`#RRGGBB`) and width [px].
    pub fn path(mut self, points: Vec<Point>, colour: &'static str, width: f64) -> View {
        self.lines.push(Line { points, colour, width });
        self
    }
}

pub(crate) fn cross(a: &Point, b: &Point) -> Point {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(crate) fn dot(a: &Point, b: &Point) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

pub(crate) fn less(a: &Point, b: &Point) -> Point {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(crate) fn unit(a: &Point) -> Point {
    let length = dot(a, a).sqrt();
    a.map(|x| x / length)
}
