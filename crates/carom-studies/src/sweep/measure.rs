//! Measures: the numbers of a run in a row of the table.

use carom::Analysis;
use carom_base::Quantity;
use carom_results::QuantityError;
use carom_scene::Scene;
use carom_scene::quantity::Names;

use super::analysis;
use super::error::SweepError;
use super::formula::{Formula, Part, Subject};
use super::reduce::Reduce;

/// A number of a run, given by an expression of recorded quantities.
///
/// | part | meaning |
/// |---|---|
/// | `max(x)`, `min(x)`, `initial(x)`, `final(x)` | of a quantity, or an expression of some, over the output times (see below) |
/// | `mean(x)`, `rms(x)`, `integral(x)` | over time, by the trapezoidal rule |
/// | `at(x, t)` | the value at a time, interpolated linearly between outputs |
/// | `crossing(x)` | the time of its first change of sign |
/// | `count(touch)`, `count(release)`, `count(touch, ring~floor)` | the number of touches or releases |
/// | `touch.1`, `release.2` | the time of the first touch, of the second release |
/// | `peak_force`, `touches`, `energy_end`, `audit_relative` … | numbers of the summary |
/// | parameters of the scene | by name |
/// | `residual`, `iterations`, `stable` | of an equilibrium, if the scene asks for one or for its modes |
/// | `frequency.1`, `omega.1`, `omega_squared.1` | of the first mode, ω² increasing; `modes`, `lowest_frequency` of all |
/// | `root_frequency.1`, `root_growth.1`, `root_damping.1` | of the first root with damping; `largest_growth` of all |
///
/// Quantities of contacts are also taken at their recorded moments between output times. A number that does not exist (a
/// crossing that did not occur) is NaN, and its cell is empty.
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
    /// heading of its column
    pub name: String,
    /// the expression; for a function, the text that identifies it in the journal
    pub text: String,
    taken: Taken,
}

/// Measures, and whether the standard ones are appended to them.
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
    /// Returns all measures, for an analysis of this kind.
    pub(super) fn of(mut self, analysis: Analysis) -> Vec<Measure> {
        let more = if self.standard { Measure::standard(analysis) } else { Vec::new() };
        let named: Vec<String> = self.own.iter().map(|m| m.name.clone()).collect();
        self.own.extend(more.into_iter().filter(|m| !named.contains(&m.name)));
        self.own
    }
}

/// The origin of a measure's value.
#[derive(Clone, Debug, PartialEq)]
enum Taken {
    Formula(Formula),
    /// [`Given::function`](super::Given::function)
    Function,
}

impl Measure {
    /// Reads `NAME=EXPRESSION`, or an expression alone, which is then its own name.
    pub fn parse(text: &str) -> Result<Measure, SweepError> {
        let wrong = |why: String| SweepError::Measure { text: text.to_owned(), why };
        // no expression contains a `=`
        let (name, expression) = text.split_once('=').unwrap_or((text, text));
        let (name, expression) = (name.trim(), expression.trim());
        if name.is_empty() {
            return Err(wrong("the name is missing: NAME=EXPRESSION".to_owned()));
        }
        let formula = Formula::parse(expression).map_err(wrong)?;
        Ok(Measure { name: name.to_owned(), text: expression.to_owned(), taken: Taken::Formula(formula) })
    }

    /// Makes a measure that a user-defined function computes ([`Given::function`](super::Given::function)); `mark` identifies the
    /// function in the journal.
    pub fn function(name: &str, mark: &str) -> Measure {
        Measure { name: name.to_owned(), text: format!("function {mark}"), taken: Taken::Function }
    }

    /// Returns whether a user-defined function computes it.
    pub fn is_function(&self) -> bool {
        self.taken == Taken::Function
    }

    /// Returns the standard measures of an analysis of this kind.
    pub fn standard(analysis: Analysis) -> Vec<Measure> {
        analysis::standard(analysis).iter().filter_map(|text| Measure::parse(text).ok()).collect()
    }

    /// Returns these measures, followed by the [standard](Measure::standard) ones with other names.
    pub fn with_standard(own: Vec<Measure>) -> Measures {
        Measures { own, standard: true }
    }

    fn formula(&self) -> Option<&Formula> {
        if let Taken::Formula(formula) = &self.taken { Some(formula) } else { None }
    }

    /// Checks that the scene has the quantities it names.
    pub(super) fn check(&self, scene: &Scene) -> Result<(), SweepError> {
        let wrong = |why| SweepError::Measure { text: format!("{}={}", self.name, self.text), why };
        self.formula().map_or(Ok(()), |f| f.check(scene, false)).map_err(wrong)
    }

    /// Returns whether contact points have to be recorded for it.
    pub(super) fn needs_contacts(&self, names: &Names) -> bool {
        self.formula().is_some_and(|f| f.needs_contacts(names))
    }

    /// Returns its value, NaN if there is none; `None` for a function.
    pub(super) fn of(&self, subject: &Subject<'_>) -> Option<Result<f64, QuantityError>> {
        self.formula().map(|f| f.value(subject))
    }

    /// Returns the SI unit if it is known, that is, for a single quantity or number of the summary.
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
