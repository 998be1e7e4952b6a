//! Figures of recorded runs: which quantities over which, with units on the axes.
//!
//! A [`Plot`] says what is wanted, on the command line or in a scene alike; [`Plot::figure`] finds it in folders that were read back and describes a
//! [`Figure`], which `carom_plot` draws.
//!
//! ```no_run
//! use carom_scene::plot::{Plot, Run, Wanted};
//! use carom_scene::results::Recorded;
//! let run = Recorded::open("out/bouncing-ball".as_ref())?;
//! let plot = Plot { wanted: vec![Wanted::parse("ball~floor.fn:ball~floor.delta")], ..Plot::default() };
//! let drawn = plot.figure(&[Run { label: "ball".to_owned(), recorded: &run }])?;
//! drawn.figure.write("force.svg".as_ref())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod axis;
mod draw;
mod names;
mod overview;
mod series;

use carom_plot::Figure;

pub use crate::scene::units::ShownUnit;
pub(crate) use names::Names;
pub use overview::overview;

use crate::results::{Ending, QuantityError, Recorded};
use crate::scene::units::{self, UnitError};

/// What is to be drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// above the figure; may be empty
    pub title: String,
    /// the file's name in the folder; with an ending that kind only, else SVG and PNG
    pub file: String,
    /// the curves
    pub wanted: Vec<Wanted>,
    /// whether curves of one unit share a panel; else each has its own
    pub together: bool,
    /// whether axes upwards are logarithmic
    pub log: bool,
    /// times of the first and last point \[s\]
    pub span: (f64, f64),
    /// units to be shown in, where they fit; others are found
    pub units: Vec<ShownUnit>,
    /// width and height of a panel [px]
    pub size: Option<(f64, f64)>,
}

impl Default for Plot {
    fn default() -> Plot {
        Plot {
            title: String::new(),
            file: "plot".to_owned(),
            wanted: Vec::new(),
            together: false,
            log: false,
            span: (f64::NEG_INFINITY, f64::INFINITY),
            units: Vec::new(),
            size: None,
        }
    }
}

/// A curve: a quantity, or an expression of some, over another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// upwards
    pub y: String,
    /// across; `None`: time
    pub x: Option<String>,
}

impl Wanted {
    /// `y`, or `y:x`. A colon in quotes is part of a name.
    ///
    /// ```
    /// use carom_scene::plot::Wanted;
    /// let force = Wanted::parse("ball~floor.fn:ball~floor.delta");
    /// assert_eq!(force.x.as_deref(), Some("ball~floor.delta"));
    /// assert_eq!(Wanted::parse("'a:b'.x").x, None);
    /// ```
    pub fn parse(text: &str) -> Wanted {
        let mut quote = None;
        for (i, c) in text.char_indices() {
            match (quote, c) {
                (None, '\'' | '"') => quote = Some(c),
                (Some(q), c) if q == c => quote = None,
                (None, ':') => {
                    let x = Some(text[i + 1..].trim().to_owned());
                    return Wanted { y: text[..i].trim().to_owned(), x };
                }
                _ => {}
            }
        }
        Wanted { y: text.trim().to_owned(), x: None }
    }

    /// The phase portrait of a quantity: its rate over it. `None`: no rate is recorded of such a one.
    ///
    /// ```
    /// use carom_scene::plot::Wanted;
    /// let phase = Wanted::phase("ball.z").unwrap();
    /// assert_eq!((phase.y.as_str(), phase.x.as_deref()), ("ball.vz", Some("ball.z")));
    /// assert_eq!(Wanted::phase("kinetic"), None);
    /// ```
    pub fn phase(name: &str) -> Option<Wanted> {
        let (owner, suffix) = name.rsplit_once('.')?;
        let rate = match suffix {
            "x" | "y" | "z" => format!("v{suffix}"),
            "vx" | "vy" | "vz" => format!("a{}", &suffix[1..]),
            "wx" | "wy" | "wz" => format!("alpha{}", &suffix[1..]),
            "angle_x" | "angle_y" | "angle_z" => format!("w{}", &suffix[6..]),
            "delta" => "delta_dot".to_owned(),
            "angle" | "displacement" => format!("{suffix}_rate"),
            f if f.starts_with('F') => format!("d{f}"),
            _ => return None,
        };
        Some(Wanted { y: format!("{owner}.{rate}"), x: Some(name.to_owned()) })
    }
}

/// A run to be drawn.
#[derive(Clone, Debug)]
pub struct Run<'r> {
    /// what the legend calls it, where there are several
    pub label: String,
    /// what it did
    pub recorded: &'r Recorded,
}

/// A figure, and what should be said with it.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// to be written
    pub figure: Figure,
    /// runs that did not come to their end, quantities that some do not have
    pub notices: Vec<String>,
}

/// Why there is no figure.
#[derive(Debug, thiserror::Error)]
pub enum PlotProblem {
    /// a quantity that no run has
    #[error("{run}: {source}")]
    Quantity {
        /// what it is called
        run: String,
        /// which
        source: QuantityError,
    },
    /// neither a name nor an expression
    #[error("`{text}` is neither a quantity nor an expression of some: {why}")]
    Expression {
        /// what was asked for
        text: String,
        /// what is wrong with it
        why: String,
    },
    /// a unit that nothing drawn has
    #[error("nothing that is drawn can be shown in `{unit}`")]
    Unit {
        /// as asked for
        unit: String,
    },
    /// nothing to draw
    #[error("{run} has nothing to draw: no body moves in it")]
    Nothing {
        /// what it is called
        run: String,
    },
}

/// A unit by its name, for [`Plot::units`]; or why it is none.
///
/// ```
/// assert_eq!(carom_scene::plot::unit("mm").unwrap().value, 1e-3);
/// assert!(carom_scene::plot::unit("mn").unwrap_err().contains("did you mean `mN`"));
/// ```
pub fn unit(text: &str) -> Result<ShownUnit, String> {
    ShownUnit::named(text).map_err(|e| match &e {
        UnitError::Unknown { name } => match units::nearest_of_all(name) {
            Some(nearest) => format!("{e}; did you mean `{nearest}`?"),
            None => e.to_string(),
        },
        _ => e.to_string(),
    })
}

impl Plot {
    /// Finds what is wanted in the runs, and describes the figure.
    pub fn figure(&self, runs: &[Run<'_>]) -> Result<Drawn, PlotProblem> {
        let mut notices: Vec<String> = runs.iter().filter_map(notice).collect();
        let curves = series::found(self, runs, &mut notices)?;
        let figure = draw::figure(self, runs, &curves)?;
        Ok(Drawn { figure, notices })
    }
}

/// What is to be said of a run that did not come to its end.
fn notice(run: &Run<'_>) -> Option<String> {
    let (name, r) = (&run.label, run.recorded);
    let reached = match r.t.last() {
        Some(t) => format!("what there is, up to t = {t} s, is drawn"),
        None => "nothing was recorded, and the axes are empty".to_owned(),
    };
    match &r.ending {
        Ending::Done if r.t.is_empty() => Some(format!("{name}: {reached}")),
        Ending::Done => None,
        Ending::Stopped => Some(format!("{name}: the run was stopped; {reached}")),
        Ending::Unfinished => Some(format!("{name}: the run was not finished; {reached}")),
        Ending::Failed(why) => Some(format!("{name}: the run failed ({why}); {reached}")),
    }
}
