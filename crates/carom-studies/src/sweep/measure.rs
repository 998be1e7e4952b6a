//! What is told of a run, in a row of the table.

use carom::Analysis;
use carom_base::Quantity;
use carom_results::QuantityError;
use carom_scene::Scene;
use carom_scene::quantity::Names;

use super::analysis;
use super::error::SweepError;
use super::formula::{Formula, Part, Subject};
use super::reduce::Reduce;

/// A number of a run, by an expression of what was recorded.
///
/// | in it | what |
/// |---|---|
/// | `max(x)`, `min(x)`, `initial(x)`, `final(x)` | of a quantity over time, or an expression of some, at the output times; of contacts also at their moments between these |
/// | `mean(x)`, `rms(x)`, `integral(x)` | over time, by trapezoids |
/// | `at(x, t)` | the value at a time, on a straight line between outputs |
/// | `crossing(x)` | when it first changes its sign |
/// | `count(touch)`, `count(release)`, `count(touch, ring~floor)` | how many |
/// | `touch.1`, `release.2` | when the first touch, the second release was |
/// | `peak_force`, `touches`, `energy_end`, `audit_relative` … | numbers of the summary |
/// | parameters of the scene | by name |
/// | `residual`, `iterations`, `stable` | of an equilibrium, where the scene asks for one or for its modes |
/// | `frequency.1`, `omega.1`, `omega_squared.1` | of the first mode, ω² increasing; `modes`, `lowest_frequency` of all |
/// | `root_frequency.1`, `root_growth.1`, `root_damping.1` | of the first root with damping; `largest_growth` of all |
///
/// What there is not (a crossing that did not come) is not a number, and its cell is empty.
///
/// ```
/// use carom_studies::sweep::Measure;
/// let measure = Measure::parse("kept=final(kinetic)/max(kinetic)")?;
/// assert_eq!(measure.name, "kept");
/// assert!(Measure::parse("kept=final(kinetic").is_err());
/// # Ok::<(), carom_studies::sweep::SweepError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    /// the head of its column
    pub name: String,
    /// the expression; of a function, what stands for it in the journal
    pub text: String,
    taken: Taken,
}

/// Measures, and whether the standard ones are wanted behind them.
#[derive(Clone, Debug, Default)]
pub struct Measures {
    own: Vec<Measure>,
    standard: bool,
}

impl From<Vec<Measure>> for Measures {
    fn from(own: Vec<Measure>) -> Measures {
        Measures { own, standard: false }
    }
}

impl Measures {
    /// All of them, for an analysis.
    pub(super) fn of(mut self, analysis: Analysis) -> Vec<Measure> {
        let more = if self.standard { Measure::standard(analysis) } else { Vec::new() };
        let named: Vec<String> = self.own.iter().map(|m| m.name.clone()).collect();
        self.own.extend(more.into_iter().filter(|m| !named.contains(&m.name)));
        self.own
    }
}

/// Where a measure comes from.
#[derive(Clone, Debug, PartialEq)]
enum Taken {
    Formula(Formula),
    /// [`Given::told`](super::Given::told)
    Function,
}

impl Measure {
    /// Reads `NAME=EXPRESSION`, or an expression that is its own name.
    pub fn parse(text: &str) -> Result<Measure, SweepError> {
        let wrong = |why: String| SweepError::Measure { text: text.to_owned(), why };
        // no expression has a `=`
        let (name, expression) = text.split_once('=').unwrap_or((text, text));
        let (name, expression) = (name.trim(), expression.trim());
        if name.is_empty() {
            return Err(wrong("the name is missing: NAME=EXPRESSION".to_owned()));
        }
        let formula = Formula::parse(expression).map_err(wrong)?;
        Ok(Measure { name: name.to_owned(), text: expression.to_owned(), taken: Taken::Formula(formula) })
    }

    /// A measure that a function of the program gives ([`Given::told`](super::Given::told)); `mark` stands for the function in the journal.
    pub fn function(name: &str, mark: &str) -> Measure {
        Measure { name: name.to_owned(), text: format!("function {mark}"), taken: Taken::Function }
    }

    /// Whether a function of the program gives it.
    pub fn is_function(&self) -> bool {
        self.taken == Taken::Function
    }

    /// What every run of this kind is asked for, whatever else is.
    pub fn standard(analysis: Analysis) -> Vec<Measure> {
        analysis::standard(analysis).iter().filter_map(|text| Measure::parse(text).ok()).collect()
    }

    /// These, and the [standard](Measure::standard) ones behind them that none of them is called like.
    pub fn with_standard(own: Vec<Measure>) -> Measures {
        Measures { own, standard: true }
    }

    fn formula(&self) -> Option<&Formula> {
        if let Taken::Formula(formula) = &self.taken { Some(formula) } else { None }
    }

    /// Whether the scene has what it names.
    pub(super) fn check(&self, scene: &Scene) -> Result<(), SweepError> {
        let wrong = |why| SweepError::Measure { text: format!("{}={}", self.name, self.text), why };
        self.formula().map_or(Ok(()), |f| f.check(scene, false)).map_err(wrong)
    }

    /// Whether contact points have to be recorded for it.
    pub(super) fn needs_contacts(&self, names: &Names) -> bool {
        self.formula().is_some_and(|f| f.needs_contacts(names))
    }

    /// Its value; NaN where there is none. Nothing of a function.
    pub(super) fn of(&self, subject: &Subject<'_>) -> Option<Result<f64, QuantityError>> {
        self.formula().map(|f| f.value(subject))
    }

    /// The SI unit, where it is known: of a single quantity or number of the summary.
    pub(super) fn unit(&self, names: &Names) -> &'static str {
        self.quantity(names).map_or("", |q| q.unit())
    }

    fn quantity(&self, names: &Names) -> Option<Quantity> {
        let only =
            |f: &Formula| f.expression.is_name().then(|| f.expression.names().first().cloned()).flatten();
        let formula = self.formula()?;
        let name = only(formula)?;
        match formula.parts.first() {
            Some(Part::Reduced(Reduce::Crossing, ..)) => Some(Quantity::Time),
            Some(Part::Reduced(Reduce::Integral, ..) | Part::Count(..)) => None,
            Some(Part::Reduced(_, of, _)) => names.meaning(&only(of)?)?.quantity,
            None if name.starts_with("touch.") || name.starts_with("release.") => Some(Quantity::Time),
            None => match name.as_str() {
                "peak_force" => Some(Quantity::Force),
                "max_indentation" => Some(Quantity::Length),
                "energy_start" | "energy_end" | "dissipated" | "audit" | "audit_end" => {
                    Some(Quantity::Energy)
                }
                "duration" => Some(Quantity::Time),
                _ => None,
            },
        }
    }
}
