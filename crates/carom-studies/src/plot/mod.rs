//! Makes figures of recorded runs: quantities over others, with units on the axes.
//!
//! A [`Plot`] from the command line or a scene describes the curves; [`figure`] finds them in recorded runs and makes a
//! [`Figure`], which `carom_plot` draws.
//!
//! ```no_run
//! use carom_scene::plot::{Plot, Wanted};
//! use carom_studies::plot::{Run, figure};
//! use carom_results::Recorded;
//! let run = Recorded::open("out/bouncing-ball".as_ref())?;
//! let plot = Plot { wanted: vec![Wanted::parse("ball~floor.fn:ball~floor.delta")], ..Plot::default() };
//! let drawn = figure(&plot, &[Run { label: "ball".to_owned(), recorded: &run }])?;
//! drawn.figure.write("force.svg".as_ref())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod axis;
mod draw;
mod overview;
mod series;

use carom_plot::Figure;

pub use overview::overview;

use carom_results::{Ending, QuantityError, Recorded};
use carom_scene::plot::Plot;

/// A run to draw.
#[derive(Clone, Debug)]
pub struct Run<'r> {
    /// its label in the legend, if there are several
    pub label: String,
    /// its results
    pub recorded: &'r Recorded,
}

/// A figure, with notices for the user.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// the figure to write
    pub figure: Figure,
    /// notices of runs that did not finish, and of quantities that some runs do not have
    pub notices: Vec<String>,
}

/// The reason why there is no figure.
#[derive(Debug, thiserror::Error)]
pub enum PlotProblem {
    /// a quantity that no run has
    #[error("{run}: {source}")]
    Quantity {
        /// label of the run
        run: String,
        /// the quantity
        source: QuantityError,
    },
    /// a text that is neither a name nor an expression
    #[error("`{text}` is neither a quantity nor an expression of some: {why}")]
    Expression {
        /// what was asked for
        text: String,
        /// what is wrong with it
        why: String,
    },
    /// a unit that does not fit any curve
    #[error("nothing that is drawn can be shown in `{unit}`")]
    Unit {
        /// as asked for
        unit: String,
    },
    /// names for the legend that are too many or too few
    #[error(
        "{given} labels for {wanted} curves of the legend: give one a quantity, or one a run if there is one quantity"
    )]
    Labels {
        /// how many are given
        given: usize,
        /// how many are needed
        wanted: usize,
    },
    /// words for more axes than there are
    #[error("{given} labels of axes upwards for {panels} panels")]
    AxisLabels {
        /// how many are given
        given: usize,
        /// how many panels there are
        panels: usize,
    },
    /// nothing to draw
    #[error("{run} has nothing to draw: no body moves in it")]
    Nothing {
        /// label of the run
        run: String,
    },
}

/// Finds the quantities in the runs, and makes the figure.
pub fn figure(plot: &Plot, runs: &[Run<'_>]) -> Result<Drawn, PlotProblem> {
    let mut notices: Vec<String> = runs.iter().filter_map(notice).collect();
    let curves = series::found(plot, runs, &mut notices)?;
    let figure = draw::figure(plot, runs, &curves)?;
    Ok(Drawn { figure, notices })
}

/// Returns a notice about a run that did not finish.
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
