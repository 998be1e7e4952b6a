//! Sampled controllers, and inputs that a program sets while a run goes on.
//!
//! An input is a number that loads may use by name. It is constant between the instants at which it is set, which are
//! kinks of the rates: steps end there exactly, and the method starts anew. A controller sets inputs: it measures the
//! state at the times k T, computes (`ControlLaw`), and its outputs hold from k T + delay on.

mod function;
mod law;
mod pid;
mod reading;
mod state_space;

use std::sync::Arc;

use carom_base::Entry;
use carom_base::expression::{Expression, ExpressionError};

use crate::error::{BuildError, Subject};
use crate::loads::Counts;
use crate::signal::Names;

pub use function::ControlFunction;
pub use law::ControlLaw;
pub use pid::{AntiWindup, Pid};
pub(crate) use reading::{Observed, Reading};
pub use state_space::StateSpace;

/// Every computation that a scene's controllers can have.
///
/// ```
/// use carom::base::{Args, Value};
/// let pid = carom::CONTROL_LAWS.iter().find(|e| e.name == "pid").unwrap();
/// let law = pid.make(&Args::new().with("gain", Value::Number(3.0)))?;
/// assert_eq!((law.inputs(), law.outputs()), (2, 1));
/// # Ok::<(), carom::base::SpecError>(())
/// ```
pub static CONTROL_LAWS: &[Entry<Arc<dyn ControlLaw>>] = &[Pid::ENTRY, StateSpace::ENTRY];

/// A sampled controller, as a user describes it. Loads use its output as `NAME.u`, or `NAME.u1`, `NAME.u2` … if it has several.
///
/// ```
/// use carom::prelude::*;
/// use carom::{Controller, Motor, Pid};
/// let mut builder = ModelBuilder::new();
/// builder.body(Body::new("pole").mass(1.0).inertia([0.1; 3]).position([0.0, 0.0, 0.5]));
/// builder.body(Body::fixed("ground"));
/// builder.joint(Joint::between("pole", "ground", Revolute).named("pivot").at([0.0; 3]).axis([0.0, 1.0, 0.0]));
/// let pid = Pid::new(40.0).derivative(6.0, 0.0).limits(-20.0, 20.0);
/// builder.controller(Controller::new("balance", 1e-3, ["pivot.angle", "0.05"], pid)?);
/// builder.force(Force::motor("pivot", Motor::new("balance.u")?));
/// let run = Simulation::new(&builder.build()?).duration(2.0).run()?;
/// assert!(run.end.body("pole").unwrap().position.z > 0.49); // it stands
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Controller {
    pub(crate) name: String,
    pub(crate) every: f64,
    pub(crate) delay: f64,
    pub(crate) measured: Vec<Expression>,
    /// the least differences of measured numbers and of outputs; 0: none
    pub(crate) quanta: [f64; 2],
    pub(crate) law: Arc<dyn ControlLaw>,
}

impl Controller {
    /// Creates a controller that samples every `every` seconds what these expressions say; a PID controller measures two
    /// numbers: what it controls, and what that should be.
    pub fn new<const N: usize>(
        name: &str,
        every: f64,
        measured: [&str; N],
        law: impl ControlLaw + 'static,
    ) -> Result<Controller, ExpressionError> {
        let measured = measured.iter().map(|text| Expression::parse(text)).collect::<Result<_, _>>()?;
        Ok(Controller::of(name, every, measured, Arc::new(law)))
    }

    /// Creates a controller from expressions that are read already.
    pub fn of(name: &str, every: f64, measured: Vec<Expression>, law: Arc<dyn ControlLaw>) -> Controller {
        Controller { name: name.to_owned(), every, delay: 0.0, measured, quanta: [0.0; 2], law }
    }

    /// Sets the time from a sample to when its outputs hold [s]; by default 0.
    pub fn delay(mut self, delay: f64) -> Controller {
        self.delay = delay;
        self
    }

    /// Rounds measured numbers and outputs to multiples of these; 0: not.
    pub fn quantised(mut self, measured: f64, outputs: f64) -> Controller {
        self.quanta = [measured, outputs];
        self
    }

    /// Returns the names of its outputs, as loads use them.
    pub(crate) fn outputs(&self) -> Vec<String> {
        match self.law.outputs() {
            1 => vec![format!("{}.u", self.name)],
            n => (1..=n).map(|i| format!("{}.u{i}", self.name)).collect(),
        }
    }
}

/// A number that a program sets, as a user describes it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Input {
    pub(crate) name: String,
    pub(crate) value: f64,
}

/// A controller in a model.
#[derive(Clone, Debug)]
pub(crate) struct ControllerModel {
    pub(crate) name: String,
    pub(crate) every: f64,
    pub(crate) delay: f64,
    pub(crate) quanta: [f64; 2],
    pub(crate) readings: Vec<Reading>,
    pub(crate) law: Arc<dyn ControlLaw>,
    /// index of its first output among all inputs of the model
    pub(crate) first: usize,
}

/// The inputs of a model, those that programs set and then the outputs of controllers, and the controllers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Controls {
    pub(crate) inputs: Vec<Input>,
    pub(crate) controllers: Vec<ControllerModel>,
}

impl Controls {
    /// Returns the inputs of a model: their names are needed before loads are made.
    pub(crate) fn inputs(given: &[Input], controllers: &[Controller]) -> Vec<Input> {
        let outputs = controllers.iter().flat_map(Controller::outputs);
        given.iter().cloned().chain(outputs.map(|name| Input { name, value: 0.0 })).collect()
    }

    /// Refuses inputs that are called as something that expressions know already.
    pub(crate) fn check_names(names: &Names<'_>, given: &[Input]) -> Result<(), BuildError> {
        match given.iter().find(|input| names.is_taken(&input.name)) {
            None => Ok(()),
            Some(input) => {
                let subject = Subject::Input(input.name.clone());
                Err(subject.impossible(Some("name"), "expressions have another quantity of that name"))
            }
        }
    }

    /// Makes the controllers of a model whose loads are made; `given`: how many inputs are not outputs of controllers.
    pub(crate) fn build(
        names: &Names<'_>,
        inputs: Vec<Input>,
        given: usize,
        controllers: &[Controller],
        counts: &mut Counts,
    ) -> Result<Controls, BuildError> {
        let mut first = given;
        let mut all = Vec::with_capacity(controllers.len());
        for c in controllers {
            let subject = Subject::Controller(c.name.clone());
            if !(c.every > 0.0 && c.every.is_finite()) {
                return Err(subject.bad("every", c.every, "greater than 0"));
            }
            if !(c.delay >= 0.0 && c.delay.is_finite()) {
                return Err(subject.bad("delay", c.delay, "0 or greater"));
            }
            if !c.quanta.iter().all(|q| *q >= 0.0 && q.is_finite()) {
                return Err(subject.bad("input_step", format!("{:?}", c.quanta), "0 or greater"));
            }
            if let Some(fault) = c.law.fault() {
                return Err(subject.impossible(None, fault));
            }
            if c.measured.len() != c.law.inputs() {
                let (needed, given) = (c.law.inputs(), c.measured.len());
                let why = format!("its law measures {needed} at a time, and `input` gives {given}");
                return Err(subject.impossible(Some("input"), why));
            }
            let mut readings = Vec::new();
            for expression in &c.measured {
                readings.push(Reading::new(names, &subject, expression, counts)?);
            }
            all.push(ControllerModel {
                name: c.name.clone(),
                every: c.every,
                delay: c.delay,
                quanta: c.quanta,
                readings,
                law: c.law.clone(),
                first,
            });
            first += c.law.outputs();
        }
        Ok(Controls { inputs, controllers: all })
    }
}
