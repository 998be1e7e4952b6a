//! Views of objects in space: shaded patches and lines, seen from far away.
//!
//! The projection is orthographic: with e the unit vector towards the eye, the axes of the picture are x = up × e and
//! y = e × x, where up is the z axis (y if the eye is above or below). A point p is drawn at (p·x, p·y), and its depth is
//! p·e. Patches seen from behind are left out; of the others the nearest is seen at every pixel. The parts of lines that are
//! behind bodies are pale.
//!
//! ```
//! use carom_plot::{Figure, View};
//! let view = View::new([1.0, -2.0, 1.0])
//!     .patch([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]], 0, 0)
//!     .path(vec![[0.0, 0.0, 0.0], [0.0, -1.0, 0.0]], "#CC0000", 2.0);
//! assert!(Figure::new(1).view(view).svg()?.starts_with("<svg"));
//! # Ok::<(), carom_plot::PlotError>(())
//! ```

use crate::look::Look;
use crate::tint::Tint;

/// A point in space.
pub type Point = [f64; 3];

/// Patches and lines in space, and the direction from which they are seen.
#[derive(Clone, Debug)]
pub struct View {
    pub(crate) title: String,
    pub(crate) eye: Point,
    pub(crate) patches: Vec<Patch>,
    pub(crate) lines: Vec<Line>,
    pub(crate) names: Vec<(String, Look)>,
    pub(crate) axes: Option<BoxAxes>,
    pub(crate) scale_bar: bool,
}

/// A triangle.
#[derive(Clone, Debug)]
pub(crate) struct Patch {
    /// corners, counter-clockwise as seen from the visible side
    pub(crate) corners: [Point; 3],
    /// number of the body it belongs to
    pub(crate) body: usize,
    pub(crate) tint: Tint,
}

/// A line in space.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) points: Vec<Point>,
    pub(crate) colour: &'static str,
    pub(crate) width: f64,
}

/// A box around trajectories whose edges are axes.
#[derive(Clone, Debug)]
pub(crate) struct BoxAxes {
    pub(crate) low: Point,
    pub(crate) high: Point,
    pub(crate) labels: [String; 3],
}

impl View {
    /// Makes a view from far away in this direction, of any length but 0.
    pub fn new(eye: Point) -> View {
        let (title, patches, lines, names) = (String::new(), Vec::new(), Vec::new(), Vec::new());
        View { title, eye, patches, lines, names, axes: None, scale_bar: false }
    }

    /// Sets the title above it.
    pub fn title(mut self, title: impl Into<String>) -> View {
        self.title = title.into();
        self
    }

    /// Adds a triangle of a body, in the n-th colour. Neighbouring triangles of one body are shaded as one surface.
    pub fn patch(mut self, corners: [Point; 3], body: usize, n: usize) -> View {
        self.patches.push(Patch { corners, body, tint: Tint::Body(n) });
        self
    }

    /// Adds a triangle of a body that does not move, which is grey.
    pub fn fixed(mut self, corners: [Point; 3], body: usize) -> View {
        self.patches.push(Patch { corners, body, tint: Tint::Fixed });
        self
    }

    /// Adds a triangle of the ground, a light grey.
    pub fn ground(mut self, corners: [Point; 3]) -> View {
        self.patches.push(Patch { corners, body: usize::MAX, tint: Tint::Ground });
        self
    }

    /// Adds a line through these points, of that colour (`#RRGGBB`) and width [px].
    pub fn path(mut self, points: Vec<Point>, colour: &'static str, width: f64) -> View {
        self.lines.push(Line { points, colour, width });
        self
    }

    /// Says below the views what lines of this colour and width [px] are; a name that several views give is written once.
    pub fn name(mut self, label: impl Into<String>, colour: &'static str, width: f64) -> View {
        self.names.push((label.into(), Look { colour, dashes: None, width }));
        self
    }

    /// Draws a box from one corner to the opposite one behind everything, with ticks along its edges and these labels of the
    /// axes, which contain the unit: `"x [m]"`.
    pub fn axes(mut self, low: Point, high: Point, labels: [String; 3]) -> View {
        self.axes = Some(BoxAxes { low, high, labels });
        self
    }

    /// Draws a bar of a round length below the picture, and says how long it is; coordinates are in metres.
    pub fn scale_bar(mut self) -> View {
        self.scale_bar = true;
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
