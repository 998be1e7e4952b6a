//! The recipe of a paper: which scenes with which values replaced, which quantities on which axes, which numbers must come
//! out. Read by the same tables of keys as a scene, with the same errors.
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
//!     what = "way in a second"
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

/// A paper and its figures.
#[derive(Clone, Debug)]
pub struct Paper {
    /// of its folder
    pub name: String,
    /// short
    pub title: String,
    /// authors, title, journal, year
    pub source: String,
    /// in the order of the recipe
    pub figures: Vec<Figure>,
    /// what the paper says, and what we find
    pub remarks: Vec<Remark>,
}

/// A figure.
#[derive(Clone, Debug)]
pub struct Figure {
    /// what the command line and files call it
    pub name: String,
    /// what it shows, in a line
    pub title: String,
    /// what the paper shows and says, in our words; empty where it has no such figure
    pub says: String,
    /// how we read it, and where we differ; may be empty
    pub reading: String,
    /// what to see in it; may be empty
    pub note: String,
    /// panels in a row
    pub columns: usize,
    /// how often every run is repeated for its time; 0: never
    pub timed: usize,
    /// what is simulated
    pub runs: Vec<RunRecipe>,
    /// what is drawn: bodies,
    pub views: Vec<View>,
    /// and curves
    pub panels: Vec<Panel>,
    /// values that must come out
    pub expected: Vec<Expected>,
}

/// A run of a scene.
#[derive(Clone, Debug)]
pub struct RunRecipe {
    /// what curves and files call it
    pub name: String,
    /// the scene's file, without its ending
    pub scene: String,
    /// what the legend calls it
    pub label: String,
    /// a number of it, `run.value` in expressions
    pub value: Option<f64>,
    /// values replaced, `path=value`
    pub set: Vec<String>,
    /// how long it is if it should be quick \[s\]
    pub quick: Option<f64>,
}

/// The bodies of a run at a moment, in space.
#[derive(Clone, Debug)]
pub struct View {
    /// may be empty
    pub title: String,
    /// the place of the run among those of the figure
    pub run: usize,
    /// the output time \[s\]
    pub at: f64,
    /// the direction it is seen from
    pub eye: [f64; 3],
    /// the distance whose points, normals and tangents are shown
    pub distance: Option<String>,
    /// whether bodies are drawn
    pub bodies: bool,
    /// bodies and probes whose ways are drawn
    pub paths: Vec<String>,
    /// whether their projections onto coordinate planes are drawn
    pub shadows: bool,
}

/// A pair of axes.
#[derive(Clone, Debug)]
pub struct Panel {
    /// may be empty
    pub title: String,
    /// whether curves go from run to run, each a point
    pub across: bool,
    /// which of a run's values its point shows; `None`: the last
    pub over: Option<Over>,
    /// with its unit
    pub x_label: String,
    /// whether the axis across is logarithmic
    pub x_log: bool,
    /// with its unit
    pub y_label: String,
    /// whether the axis upwards is logarithmic
    pub y_log: bool,
    /// the ends of the axis upwards
    pub y_range: Option<(f64, f64)>,
    /// whether both axes have the same scale
    pub equal: bool,
    /// times of the first and last point \[s\]
    pub span: (f64, f64),
    /// time from point to point \[s\]; `None`: all output times
    pub every: Option<f64>,
    /// the runs in it, as places among those of the figure
    pub runs: Vec<usize>,
    /// the run whose curve is taken away from the others'
    pub less: Option<usize>,
    /// the run that expressions call `reference`
    pub reference: Option<usize>,
    /// what is drawn of each run
    pub curves: Vec<Curve>,
}

/// A curve of every run of a panel, or across them.
#[derive(Clone, Debug)]
pub struct Curve {
    /// what it shows
    pub shows: Shown,
    /// what the legend calls it; empty for the run's label
    pub label: String,
    /// the runs it is of, as places among those of the figure
    pub runs: Vec<usize>,
    /// how it is drawn
    pub draw: Draw,
}

/// What a curve shows.
#[derive(Clone, Debug)]
pub enum Shown {
    /// recorded quantities across and upwards; an angle goes on past its period
    Recorded {
        /// across
        x: Expression,
        /// upwards
        y: Expression,
        /// after which `y` begins anew
        period: Option<f64>,
    },
    /// a formula, of no run
    Formula {
        /// across
        x: Expression,
        /// upwards
        y: Expression,
        /// values of their variable, in order
        along: Vec<f64>,
    },
    /// how a bearing is worn at the end: expressions of `angle` \[rad\] and `depth` \[m\]
    Profile {
        /// the joint
        joint: String,
        /// across
        x: Expression,
        /// upwards
        y: Expression,
    },
    /// outlines of a body as seen along z
    Outline {
        /// whose
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
    /// a thin line to compare with
    Guide,
}

/// A value that must come out.
#[derive(Clone, Debug)]
pub struct Expected {
    /// in words
    pub what: String,
    /// the place of the run among those of the figure
    pub run: usize,
    /// the quantity
    pub of: Expression,
    /// the output time \[s\]; the last one where it is not given
    pub at: Option<f64>,
    /// of all output times from `at` on
    pub over: Option<Over>,
    /// the run whose value is taken away
    pub less: Option<usize>,
    /// the run that the quantity calls `reference`
    pub reference: Option<usize>,
    /// what must come out
    pub value: Option<f64>,
    /// how far it may be off
    pub tolerance: f64,
    /// what it must reach
    pub least: Option<f64>,
    /// what it must not exceed
    pub most: Option<f64>,
    /// where that comes from
    pub source: String,
}

/// Which of many values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// the largest
    Max,
    /// the smallest
    Min,
    /// all together
    Sum,
    /// what they are on average
    Mean,
}

impl Over {
    /// That of these values; one that is not there (NaN) does not count, and of none there is none.
    ///
    /// ```
    /// use carom_studies::paper::Over;
    /// assert_eq!(Over::Mean.of([1.0, 4.0, f64::NAN, 4.0]), Some(3.0));
    /// ```
    pub fn of(self, values: impl IntoIterator<Item = f64>) -> Option<f64> {
        let mut count = 0.0;
        let values = values.into_iter().filter(|x| !x.is_nan()).inspect(|_| count += 1.0);
        let over = match self {
            Over::Max => values.reduce(f64::max),
            Over::Min => values.reduce(f64::min),
            Over::Sum | Over::Mean => values.reduce(|a, b| a + b),
        };
        over.map(|x| if self == Over::Mean { x / count } else { x })
    }
}

/// A remark of the paper beside what we find.
#[derive(Clone, Debug)]
pub struct Remark {
    /// what the paper says
    pub paper: String,
    /// what we find
    pub ours: String,
    /// the runs that show it: places of figure and run
    pub runs: Vec<(usize, usize)>,
}

impl Paper {
    /// Reads a recipe; `name` is that of the paper's folder.
    pub fn from_text(name: &str, text: &str) -> Result<Paper, SceneError> {
        let file = format!("papers/{name}/paper.toml");
        read_by_keys(&file, text, &tables::PAPER, |fields| read::recipe(name, fields))
    }

    /// A figure by name.
    pub fn figure(&self, name: &str) -> Option<&Figure> {
        self.figures.iter().find(|f| f.name == name)
    }
}

/// The reference of recipes in Markdown: every table, key and meaning.
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
