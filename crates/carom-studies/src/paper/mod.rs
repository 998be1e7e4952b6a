//! The recipe of a paper: the scenes to run with the values to replace, the quantities on the axes of each figure, and the
//! expected numbers. It is read with tables of keys as a scene is, with the same errors.
//!
//! ```
//! use carom_studies::paper::Paper;
//! let paper = Paper::from_text("fall", r#"
//!     title = "Falling bodies"
//!     source = "G. Galilei, Discorsi, 1638"
//!     [[figure]]
//!     name = "fig1"
//!     title = "a stone falls"
//!     [[figure.run]]
//!     name = "stone"
//!     scene = "stone"
//!     [[figure.panel]]
//!     y_label = "height [m]"
//!     curve = [{ y = "stone.z" }]
//!     [[figure.expect]]
//!     what = "distance fallen in a second"
//!     run = "stone"
//!     of = "-stone.z"
//!     value = "= 9.81/2"
//!     tolerance = 1e-9
//!     source = "g t²/2"
//! "#)?;
//! assert_eq!(paper.figures[0].expected[0].value, Some(4.905));
//! # Ok::<(), carom_scene::SceneError>(())
//! ```

mod read;
mod tables;

use carom_base::expression::Expression;
use carom_scene::{SceneError, read_by_keys, sections};

use crate::integral::trapezoidal;

/// A paper and its figures.
#[derive(Clone, Debug)]
pub struct Paper {
    /// name of its folder
    pub name: String,
    /// short title
    pub title: String,
    /// authors, title, journal, year
    pub source: String,
    /// its figures, in the order of the recipe
    pub figures: Vec<Figure>,
    /// statements of the paper, with our findings
    pub remarks: Vec<Remark>,
}

/// A figure of a paper.
#[derive(Clone, Debug)]
pub struct Figure {
    /// its name on the command line and in files
    pub name: String,
    /// what it shows, in one line
    pub title: String,
    /// what the paper shows and says, in our words; empty if it has no such figure
    pub says: String,
    /// how we interpret it, and where we differ; may be empty
    pub reading: String,
    /// what the reader should notice; may be empty
    pub note: String,
    /// number of panels in a row
    pub columns: usize,
    /// how often every run is repeated to measure its time; 0: never
    pub timed: usize,
    /// the runs
    pub runs: Vec<RunRecipe>,
    /// views of bodies
    pub views: Vec<View>,
    /// panels of curves
    pub panels: Vec<Panel>,
    /// expected values
    pub expected: Vec<Expected>,
}

/// A run of a scene.
#[derive(Clone, Debug)]
pub struct RunRecipe {
    /// its name in curves and files
    pub name: String,
    /// the scene's file, without its ending
    pub scene: String,
    /// its label in the legend
    pub label: String,
    /// a number that belongs to it, `run.value` in expressions
    pub value: Option<f64>,
    /// settings `path=value`
    pub set: Vec<String>,
    /// duration of a shortened run \[s\]
    pub quick: Option<f64>,
}

/// A view in space of the bodies of a run at a moment.
#[derive(Clone, Debug)]
pub struct View {
    /// title; may be empty
    pub title: String,
    /// index of the run among those of the figure
    pub run: usize,
    /// the output time \[s\]
    pub at: f64,
    /// the direction from which it is seen
    pub eye: [f64; 3],
    /// name of the distance whose points, normals and tangents are shown
    pub distance: Option<String>,
    /// whether all common normals of that distance's ellipsoids are shown, in place of the nearest points and the bodies
    pub common_normals: bool,
    /// whether bodies are drawn
    pub bodies: bool,
    /// bodies and probes whose trajectories are drawn
    pub paths: Vec<String>,
    /// whether projections of the trajectories onto coordinate planes are drawn
    pub shadows: bool,
    /// bodies that have a colour of their own
    pub marked: Vec<String>,
}

/// A pair of axes with curves.
#[derive(Clone, Debug)]
pub struct Panel {
    /// title; may be empty
    pub title: String,
    /// whether a curve goes from run to run, with one point per run
    pub across: bool,
    /// how a run's values are reduced to its point; `None`: the last value
    pub over: Option<Over>,
    /// label of the horizontal axis, with its unit
    pub x_label: String,
    /// whether the horizontal axis is logarithmic
    pub x_log: bool,
    /// label of the vertical axis, with its unit
    pub y_label: String,
    /// whether the vertical axis is logarithmic
    pub y_log: bool,
    /// the limits of the vertical axis
    pub y_range: Option<(f64, f64)>,
    /// whether both axes have the same scale
    pub equal: bool,
    /// times of the first and last point \[s\]
    pub span: (f64, f64),
    /// time between points \[s\]; `None`: all output times
    pub every: Option<f64>,
    /// its runs, as indices among those of the figure
    pub runs: Vec<usize>,
    /// index of the run whose curve is subtracted from the others
    pub less: Option<usize>,
    /// index of the run that expressions call `reference`
    pub reference: Option<usize>,
    /// the curves drawn for each run
    pub curves: Vec<Curve>,
}

/// A curve for every run of a panel, or across them.
#[derive(Clone, Debug)]
pub struct Curve {
    /// what it shows
    pub shows: Shown,
    /// its label in the legend; empty for the run's label
    pub label: String,
    /// its runs, as indices among those of the figure
    pub runs: Vec<usize>,
    /// how it is drawn
    pub draw: Draw,
}

/// The content of a curve.
#[derive(Clone, Debug)]
pub enum Shown {
    /// recorded quantities on both axes; an angle continues past its period
    Recorded {
        /// horizontal axis
        x: Expression,
        /// vertical axis
        y: Expression,
        /// period after which `y` starts again
        period: Option<f64>,
    },
    /// a formula that does not depend on a run
    Formula {
        /// horizontal axis
        x: Expression,
        /// vertical axis
        y: Expression,
        /// values of its variable, in order
        along: Vec<f64>,
    },
    /// the wear profile of a bearing at the end: expressions of `angle` \[rad\] and `depth` \[m\]
    Profile {
        /// name of the joint
        joint: String,
        /// horizontal axis
        x: Expression,
        /// vertical axis
        y: Expression,
    },
    /// outlines of a body as seen along z
    Outline {
        /// name of the body
        body: String,
        /// output times \[s\]
        at: Vec<f64>,
    },
}

/// How a curve is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draw {
    /// a line
    Line,
    /// a line with a dot at every point
    Dots,
    /// dots, from blue at the first to red at the last
    Passage,
    /// bars
    Bars,
    /// a thin line for comparison
    Guide,
}

/// An expected value.
#[derive(Clone, Debug)]
pub struct Expected {
    /// description in words
    pub what: String,
    /// index of the run among those of the figure
    pub run: usize,
    /// the quantity
    pub of: Expression,
    /// the output time \[s\]; the last one if it is not given
    pub at: Option<f64>,
    /// how the values at all output times from `at` on are reduced
    pub over: Option<Over>,
    /// index of the run whose value is subtracted
    pub less: Option<usize>,
    /// index of the run that the quantity calls `reference`
    pub reference: Option<usize>,
    /// expected value
    pub value: Option<f64>,
    /// allowed deviation from it
    pub tolerance: f64,
    /// lower limit
    pub least: Option<f64>,
    /// upper limit
    pub most: Option<f64>,
    /// where the expectation comes from
    pub source: String,
}

/// The reduction of the values at many times to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// the largest
    Max,
    /// the smallest
    Min,
    /// the sum
    Sum,
    /// the mean of the values, each of the same weight
    Mean,
    /// the integral over time, by the trapezoidal rule
    Integral,
}

impl Over {
    /// Reduces these values, each with its time \[s\]; NaN does not count, and without any value the result is `None`.
    ///
    /// ```
    /// use carom_studies::paper::Over;
    /// let values = [(0.0, 1.0), (0.5, 4.0), (0.75, f64::NAN), (1.0, 4.0)];
    /// assert_eq!(Over::Mean.of(values), Some(3.0));
    /// assert_eq!(Over::Integral.of(values), Some(3.25));
    /// ```
    pub fn of(self, values: impl IntoIterator<Item = (f64, f64)>) -> Option<f64> {
        let known: Vec<(f64, f64)> = values.into_iter().filter(|(_, x)| !x.is_nan()).collect();
        let values = known.iter().map(|(_, x)| *x);
        match self {
            Over::Max => values.reduce(f64::max),
            Over::Min => values.reduce(f64::min),
            Over::Sum => values.reduce(|a, b| a + b),
            Over::Mean => values.reduce(|a, b| a + b).map(|sum| sum / known.len() as f64),
            Over::Integral => (!known.is_empty()).then(|| trapezoidal(&known)),
        }
    }
}

/// A statement of the paper beside our finding.
#[derive(Clone, Debug)]
pub struct Remark {
    /// what the paper says
    pub paper: String,
    /// our finding
    pub ours: String,
    /// the runs that show it: index of the figure and of the run
    pub runs: Vec<(usize, usize)>,
}

impl Paper {
    /// Reads a recipe; `name` is the name of the paper's folder.
    pub fn from_text(name: &str, text: &str) -> Result<Paper, SceneError> {
        let file = format!("papers/{name}/paper.toml");
        read_by_keys(&file, text, &tables::PAPER, |fields| read::recipe(name, fields))
    }

    /// Finds a figure by its name.
    pub fn figure(&self, name: &str) -> Option<&Figure> {
        self.figures.iter().find(|f| f.name == name)
    }
}

/// Returns the reference of recipes in Markdown: every table, key and meaning.
///
/// ```
/// assert!(carom_studies::paper::reference().contains("| `y_label` |"));
/// ```
pub fn reference() -> String {
    let mut out = String::from(
        "# Recipes of papers\n\nWhat `papers/NAME/paper.toml` may say. Numbers, units and values that are computed are as in \
         [scene files](scene-reference.md). An expression is arithmetic with recorded [quantities](plots.md#quantities). It may also name \
         `run.value`, the number given with the run, `run.time`, what a timed run took in seconds, without writing \
         results, `run.searches`, what its searches for distances took of that, and `reference.NAME`, a quantity of another run at the same output time.\n",
    );
    sections(&mut out, &tables::PAPER);
    out
}
