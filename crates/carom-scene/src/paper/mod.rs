//! The recipe of a paper: which scenes with which values replaced, which quantities on which axes, which numbers must come
//! out. Read by the same tables of keys as a scene, with the same errors.
//!
//! ```
//! use carom_scene::paper::Paper;
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

mod tables;

use crate::expression::Expression;
use crate::scene::error::{Problem, Source};
use crate::scene::fields::Fields;
use crate::scene::reference::sections;
use crate::scene::{SceneError, parameter, read, text};

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
    /// what to see in it; may be empty
    pub note: String,
    /// panels in a row
    pub columns: usize,
    /// what is simulated
    pub runs: Vec<RunRecipe>,
    /// what is drawn
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
    /// values replaced, `path=value`
    pub set: Vec<String>,
    /// how long it is if it should be quick \[s\]
    pub quick: Option<f64>,
}

/// A pair of axes.
#[derive(Clone, Debug)]
pub struct Panel {
    /// may be empty
    pub title: String,
    /// with its unit
    pub x_label: String,
    /// with its unit
    pub y_label: String,
    /// whether the axis upwards is logarithmic
    pub log: bool,
    /// the ends of the axis upwards
    pub y_range: Option<(f64, f64)>,
    /// times of the first and last point \[s\]
    pub span: (f64, f64),
    /// the runs in it, as places among those of the figure
    pub runs: Vec<usize>,
    /// the run whose curve is taken away from the others'
    pub less: Option<usize>,
    /// what is drawn of each run
    pub curves: Vec<Curve>,
}

/// A curve of every run of a panel.
#[derive(Clone, Debug)]
pub struct Curve {
    /// what is across
    pub x: Expression,
    /// what is upwards
    pub y: Expression,
    /// what the legend calls it; empty for the run's label
    pub label: String,
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
        let sources = [Source { name: format!("papers/{name}/paper.toml"), text: text.to_owned() }];
        recipe(name, text).map_err(|p| p.with(&sources))
    }

    /// A figure by name.
    pub fn figure(&self, name: &str) -> Option<&Figure> {
        self.figures.iter().find(|f| f.name == name)
    }
}

/// The reference of recipes in Markdown: every table, key and meaning.
///
/// ```
/// assert!(carom_scene::paper::reference().contains("| `y_label` |"));
/// ```
pub fn reference() -> String {
    let mut out = String::from(
        "# Recipes of papers\n\nWhat `papers/NAME/paper.toml` may say. Numbers, units and values that are computed are as in \
         [scene files](scene-reference.md). An expression is arithmetic with the columns of `states.csv` and `energy.csv`, `t`, \
         `touch.N` and `release.N` (the time of the N-th, from 1), and `summary.NAME`, a number of `summary.json`.\n",
    );
    sections(&mut out, &tables::PAPER);
    out
}

fn recipe(name: &str, text: &str) -> Result<Paper, Problem> {
    let mut tree = text::toml::parse(text)?;
    parameter::apply(&mut tree)?;
    let fields = read::whole(&tables::PAPER, &tree)?;
    let figures = fields.array("figure").iter().map(figure).collect::<Result<Vec<_>, _>>()?;
    let remarks = fields.array("remark").iter().map(|f| remark(f, &figures)).collect::<Result<_, _>>()?;
    Ok(Paper {
        name: name.to_owned(),
        title: string(&fields, "title"),
        source: string(&fields, "source"),
        figures,
        remarks,
    })
}

fn string(f: &Fields, key: &str) -> String {
    f.text(key).unwrap_or_default().to_owned()
}

fn figure(f: &Fields) -> Result<Figure, Problem> {
    let runs: Vec<RunRecipe> = f.array("run").iter().map(run).collect();
    Ok(Figure {
        name: string(f, "name"),
        title: string(f, "title"),
        note: string(f, "note"),
        columns: f.number("columns").map_or(1, |x| x as usize),
        panels: f.array("panel").iter().map(|p| panel(p, &runs)).collect::<Result<_, _>>()?,
        expected: f.array("expect").iter().map(|e| expected(e, &runs)).collect::<Result<_, _>>()?,
        runs,
    })
}

fn run(f: &Fields) -> RunRecipe {
    let name = string(f, "name");
    RunRecipe {
        label: f.text("label").unwrap_or(&name).to_owned(),
        name,
        scene: string(f, "scene"),
        set: f.texts("set").map(|(set, _)| set.to_vec()).unwrap_or_default(),
        quick: f.number("quick"),
    }
}

fn panel(f: &Fields, runs: &[RunRecipe]) -> Result<Panel, Problem> {
    let named = match f.texts("runs") {
        None => (0..runs.len()).collect(),
        Some((names, spans)) => {
            let place = |(name, at): (&String, _)| known(name, runs, at);
            names.iter().zip(spans).map(place).collect::<Result<_, _>>()?
        }
    };
    let curve = |c: &Fields| {
        let x = expression(if c.given("x").is_some() { c } else { f }, "x")?;
        Ok(Curve { x, y: expression(c, "y")?, label: string(c, "label") })
    };
    Ok(Panel {
        title: string(f, "title"),
        x_label: string(f, "x_label"),
        y_label: string(f, "y_label"),
        log: f.text("y_scale") == Some("log"),
        y_range: f.numbers("y_range").and_then(|r| Some((*r.first()?, *r.get(1)?))),
        span: (f.number("from").unwrap_or(0.0), f.number("until").unwrap_or(f64::INFINITY)),
        runs: named,
        less: f.text("less").map(|name| known(name, runs, &f.place("less"))).transpose()?,
        curves: f.array("curve").iter().map(curve).collect::<Result<_, _>>()?,
    })
}

fn expected(f: &Fields, runs: &[RunRecipe]) -> Result<Expected, Problem> {
    let of_run = |key: &str| f.text(key).map(|name| known(name, runs, &f.place(key))).transpose();
    let given = ["value", "least", "most"].iter().filter(|key| f.given(key).is_some()).count();
    if given == 0 {
        return Err(Problem::new("`figure.expect` needs `value`, `least` or `most`").at(f.at.clone(), ""));
    }
    Ok(Expected {
        what: string(f, "what"),
        run: of_run("run")?.unwrap_or_default(),
        of: expression(f, "of")?,
        at: f.number("at"),
        over: f.text("over").map(|word| if word == "max" { Over::Max } else { Over::Min }),
        less: of_run("less")?,
        value: f.number("value"),
        tolerance: f.number("tolerance").unwrap_or(0.0),
        least: f.number("least"),
        most: f.number("most"),
        source: string(f, "source"),
    })
}

fn remark(f: &Fields, figures: &[Figure]) -> Result<Remark, Problem> {
    let (names, spans) = f.texts("runs").unwrap_or_default();
    let place = |(name, at): (&String, &_)| {
        let (figure, run) = name.split_once('/').unwrap_or((name, ""));
        let known_figures: Vec<&str> = figures.iter().map(|f| f.name.as_str()).collect();
        let Some(i) = figures.iter().position(|f| f.name == figure) else {
            let problem = Problem::new(format!("there is no figure `{figure}`"));
            return Err(problem.at(Clone::clone(at), "").allowed(figure, &known_figures));
        };
        Ok((i, known(run, &figures[i].runs, at)?))
    };
    let runs = names.iter().zip(spans).map(place).collect::<Result<_, _>>()?;
    Ok(Remark { paper: string(f, "paper"), ours: string(f, "ours"), runs })
}

/// The place of a run.
fn known(name: &str, runs: &[RunRecipe], at: &crate::scene::tree::Span) -> Result<usize, Problem> {
    runs.iter().position(|r| r.name == name).ok_or_else(|| {
        let names: Vec<&str> = runs.iter().map(|r| r.name.as_str()).collect();
        Problem::new(format!("the figure has no run `{name}`")).at(at.clone(), "").allowed(name, &names)
    })
}

fn expression(f: &Fields, key: &str) -> Result<Expression, Problem> {
    let text = f.text(key).unwrap_or_default();
    Expression::parse(text).map_err(|e| Problem::new(format!("`{key}`: {e}")).at(f.place(key), ""))
}
