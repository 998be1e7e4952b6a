//! The description of a run: a model and how to integrate it; and the result of a run.

use std::sync::LazyLock;

use carom_ode::{Options, SolveError, methods};

use super::running::Running;
use super::sink::{Silence, Sink};
use super::snapshot::Snapshot;
use super::summary::Summary;
use crate::contact::EAGER_PAIRS;
use crate::course::Needs;
use crate::drive;
use crate::error::RunError;
use crate::joint::Stabilisation;
use crate::model::Model;
use crate::overlap;
use crate::record::{Frame, Warning};
use crate::state::BodyState;
use crate::system::{StepPolicy, System};
use crate::world::BodyKind;

/// The name of the method for many bodies that touch.
pub(super) const CROWD: &str = "crowd";

/// The names of all methods by which a model can be run: the integrators of [`carom_ode::methods::ALL`], and `crowd`, fixed steps for very many bodies that touch.
///
/// ```
/// assert!(carom::METHODS.contains(&"dop853") && carom::METHODS.contains(&"crowd"));
/// ```
pub static METHODS: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| methods::ALL.iter().map(|method| method.name()).chain([CROWD]).collect());

/// More frames than this are taken to be a mistake.
const MAX_FRAMES: f64 = 1e8;

/// The times at which frames are recorded.
#[derive(Clone, Debug, PartialEq)]
pub enum Output {
    /// at the start and at the end only
    Ends,
    /// at every accepted step
    Steps,
    /// at equal intervals from 0 [s], and at the end
    Every(f64),
    /// at these times [s]
    At(Vec<f64>),
}

impl Output {
    /// Returns the option that is not allowed with this duration [s], its value and the allowed values, if there is one.
    pub(crate) fn refused(&self, duration: f64) -> Option<(&'static str, f64, &'static str)> {
        let positive = "a finite number greater than 0";
        if !(duration > 0.0 && duration.is_finite()) {
            return Some(("duration", duration, positive));
        }
        match self {
            Output::Every(dt) if !(*dt > 0.0 && dt.is_finite()) => Some(("output_every", *dt, positive)),
            // such a run would fill any disk
            Output::Every(dt) if duration / dt > MAX_FRAMES => {
                Some(("output_every", *dt, "intervals that make at most 1e8 frames"))
            }
            Output::At(times) if times.is_empty() => Some(("output_at", f64::NAN, "one time or more")),
            Output::At(times) => {
                let outside = times.iter().find(|t| !(0.0..=duration).contains(*t));
                let back = times.windows(2).find(|w| w[1] < w[0]);
                outside
                    .map(|t| ("output_at", *t, "from 0 to the duration"))
                    .or_else(|| back.map(|w| ("output_at", w[1], "times in increasing order")))
            }
            _ => None,
        }
    }
}

/// The configuration in which a run starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// in the configuration given by the model
    #[default]
    AsGiven,
    /// in the equilibrium nearest to that configuration, with the velocities given by the model
    Equilibrium,
}

impl Start {
    /// All variants with their names in scene files.
    pub const ALL: [(&'static str, Start); 2] =
        [("as-given", Start::AsGiven), ("equilibrium", Start::Equilibrium)];
}

impl Stabilisation {
    /// The names of the variants in scene files.
    pub const WORDS: [&'static str; 3] = ["projection", "baumgarte", "none"];
}

/// The description of a run: a model and how to integrate it.
///
/// ```
/// use carom::prelude::*;
/// let mut builder = ModelBuilder::new();
/// builder.body(Body::new("ball").mass(0.1).position([0.0, 0.0, 0.12]).surface(Sphere::new(0.02)?));
/// builder.body(Body::fixed("floor").surface(Plane));
/// builder.contact(ContactRule::between("ball", "floor").normal(Hertz::new().stiffness(1e8)));
/// let model = builder.build()?;
/// let run = Simulation::new(&model).duration(1.0).rtol(1e-10).run()?;
/// assert!(run.summary.audit_relative < 1e-8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Simulation<'m> {
    pub(super) model: &'m Model,
    pub(super) start: Start,
    pub(super) duration: f64,
    pub(super) method: String,
    pub(super) rtol: f64,
    pub(super) atol: f64,
    pub(super) step: Option<f64>,
    pub(super) max_step: f64,
    pub(super) locate_contacts: bool,
    pub(super) plain: bool,
    pub(super) eager_pairs: usize,
    pub(super) exact_jacobian: bool,
    pub(super) stabilisation: Stabilisation,
    pub(super) output: Output,
    pub(super) islands: bool,
    pub(super) threads: Option<usize>,
}

/// A finished run.
#[derive(Clone, Debug)]
pub struct Run {
    /// the results and the audits
    pub summary: Summary,
    /// the last frame
    pub end: End,
}

/// The last frame, with the bodies' names.
#[derive(Clone, Debug)]
pub struct End {
    /// the frame
    pub frame: Frame,
    pub(super) names: Vec<String>,
}

impl End {
    /// Returns the state of a moving body, given its name.
    pub fn body(&self, name: &str) -> Option<&BodyState> {
        self.names.iter().position(|n| n == name).and_then(|i| self.frame.bodies.get(i))
    }
}

impl<'m> Simulation<'m> {
    /// Creates a run of one second by dop853 with rtol and atol 1e-8, contacts located, frames at start and end.
    pub fn new(model: &'m Model) -> Simulation<'m> {
        Simulation {
            model,
            start: Start::AsGiven,
            duration: 1.0,
            method: methods::DEFAULT.to_owned(),
            rtol: 1e-8,
            atol: 1e-8,
            step: None,
            max_step: f64::INFINITY,
            locate_contacts: true,
            plain: false,
            eager_pairs: EAGER_PAIRS,
            exact_jacobian: true,
            stabilisation: Stabilisation::Projection,
            output: Output::Ends,
            islands: true,
            threads: None,
        }
    }

    /// Sets the method that keeps joints from drifting; by default the drift is removed by projection after every step.
    pub fn stabilisation(mut self, stabilisation: Stabilisation) -> Self {
        self.stabilisation = stabilisation;
        self
    }

    /// Sets the configuration in which the run starts.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut builder = ModelBuilder::new();
    /// builder.body(Body::new("ball").mass(0.1).position([0.0, 0.0, 0.03]).surface(Sphere::new(0.02)?));
    /// builder.body(Body::fixed("floor").surface(Plane));
    /// builder.contact(ContactRule::between("ball", "floor").normal(Hertz::new().stiffness(1e8)));
    /// let run = Simulation::new(&builder.build()?).start(Start::Equilibrium).run()?;
    /// assert!(run.summary.energy.kinetic < 1e-25); // it lies there [J]
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn start(mut self, start: Start) -> Self {
        self.start = start;
        self
    }

    /// Sets the duration [s].
    pub fn duration(mut self, duration: f64) -> Self {
        self.duration = duration;
        self
    }

    /// Sets the integration method by name: see [`METHODS`].
    pub fn method(mut self, name: &str) -> Self {
        self.method = name.to_owned();
        self
    }

    /// Sets the relative tolerance, and the absolute tolerance to the same value.
    pub fn rtol(mut self, rtol: f64) -> Self {
        self.rtol = rtol;
        self.atol = rtol;
        self
    }

    /// Sets the absolute tolerance, in units of the model's [scales](crate::Scale).
    pub fn atol(mut self, atol: f64) -> Self {
        self.atol = atol;
        self
    }

    /// Sets the step size of fixed-step methods, or the first step of the others [s].
    pub fn step(mut self, step: f64) -> Self {
        self.step = Some(step);
        self
    }

    /// Sets the largest step size [s].
    pub fn max_step(mut self, step: f64) -> Self {
        self.max_step = step;
        self
    }

    /// Chooses whether steps end exactly at every touch and release (the default). Otherwise a contact acts from the first
    /// step that finds it, and laws take their impact speed at the last step before.
    pub fn locate_contacts(mut self, locate: bool) -> Self {
        self.locate_contacts = locate;
        self
    }

    /// Chooses whether only the error estimate of the method limits the steps (by default it is not so). Touches are then
    /// not located, and no step is kept from going past one: this shows what a general-purpose integrator does with contacts
    /// that it knows nothing of. It is the only kind of run in which bodies may pass through each other; a warning says so,
    /// and the overlap audit reports what it finds at output times. All other runs are safe from that.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut builder = ModelBuilder::new();
    /// builder.body(Body::new("bullet").mass(0.01).velocity([100.0, 0.0, 0.0]).surface(Sphere::new(0.005)?));
    /// let sheet = Body::fixed("sheet").position([5.0, 0.0, 0.0]);
    /// builder.body(sheet.surface(Cuboid::new([0.002, 1.0, 1.0])?));
    /// builder.contact(ContactRule::between("bullet", "sheet").normal(Hertz::new().stiffness(1e9)));
    /// builder.gravity([0.0; 3]);
    /// let model = builder.build()?;
    /// let simulation = Simulation::new(&model).duration(0.1).method("ode45").rtol(1e-3);
    /// assert!(simulation.run()?.end.body("bullet").unwrap().velocity[0] < 0.0); // it comes back
    /// let plain = simulation.plain(true).run()?;
    /// assert!(plain.end.body("bullet").unwrap().velocity[0] > 0.0); // it was never felt
    /// let texts = plain.summary.warnings.iter().map(|w| w.warning.to_string());
    /// assert!(texts.into_iter().any(|text| text.contains("plain")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn plain(mut self, plain: bool) -> Self {
        self.plain = plain;
        self
    }

    /// Returns how steps and contacts fit together.
    pub(super) fn step_policy(&self) -> StepPolicy {
        match (self.plain, self.locate_contacts) {
            (true, _) => StepPolicy::Plain,
            (false, true) => StepPolicy::Located,
            (false, false) => StepPolicy::Resolved,
        }
    }

    /// Sets the number of pairs of surfaces up to which every pair is examined in each step; with more pairs, a sweep over
    /// bounding boxes finds those that come near. The default is 4096. The motion is the same in both cases, except for
    /// rounding errors.
    pub fn eager_pairs(mut self, pairs: usize) -> Self {
        self.eager_pairs = pairs;
        self
    }

    /// Chooses whether implicit methods use the exact Jacobian (the default) or finite differences, which they must use where
    /// a pair of surfaces has no derivatives.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut builder = ModelBuilder::new();
    /// builder.body(Body::new("ball").mass(0.1).position([0.0, 0.0, 0.03]).surface(Sphere::new(0.02)?));
    /// builder.body(Body::fixed("floor").surface(Plane));
    /// builder.contact(ContactRule::between("ball", "floor").normal(Hertz::new().stiffness(1e8)));
    /// let model = builder.build()?;
    /// let cost = |exact| {
    ///     let run = Simulation::new(&model).method("radau5").duration(0.1).exact_jacobian(exact).run()?;
    ///     Ok::<_, RunError>(run.summary.stats.evaluations)
    /// };
    /// assert!(cost(true)? < cost(false)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn exact_jacobian(mut self, exact: bool) -> Self {
        self.exact_jacobian = exact;
        self
    }

    /// Chooses whether groups of bodies that cannot meet for a while advance by themselves, each with steps and events of its
    /// own (the default, where many bodies move by contacts and gravity alone). Otherwise all bodies take the same steps.
    pub fn islands(mut self, islands: bool) -> Self {
        self.islands = islands;
        self
    }

    /// Sets how many threads share the work of a [crowd](METHODS), or of bodies that advance in [islands](Self::islands);
    /// results are the same to the bit. By default as many as the machine has cores, if there is work enough for them.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// Sets the times at which frames are recorded.
    pub fn output(mut self, output: Output) -> Self {
        self.output = output;
        self
    }

    /// Records frames at equal intervals [s], and at the end.
    pub fn output_every(self, interval: f64) -> Self {
        self.output(Output::Every(interval))
    }

    /// Runs the simulation and keeps only the end.
    pub fn run(&self) -> Result<Run, RunError> {
        self.run_into(&mut Silence)
    }

    /// Runs the simulation and reports everything to the sink as it happens.
    pub fn run_into(&self, sink: &mut dyn Sink) -> Result<Run, RunError> {
        self.resume_into(None, sink)
    }

    /// Continues a run from a snapshot that it, or another run of the same model with the same options, has given to a
    /// [sink](Sink::snapshot), and reports the rest to the sink: the same to the bit as what would have followed there. The duration
    /// may be another, which ends a run earlier or prolongs it. Without a snapshot the run begins at its start.
    ///
    /// ```
    /// use carom::prelude::*;
    /// use carom::{Pause, SinkError, Snapshot};
    /// /// Keeps the last snapshot of a run as bytes, as a file would.
    /// #[derive(Default)]
    /// struct Keeper(Vec<u8>);
    /// impl Sink for Keeper {
    ///     fn wants_snapshot(&mut self, pause: Pause) -> bool {
    ///         pause == Pause::BeforeEnd
    ///     }
    ///     fn snapshot(&mut self, _: Pause, snapshot: &Snapshot) -> Result<(), SinkError> {
    ///         self.0 = snapshot.to_bytes();
    ///         Ok(())
    ///     }
    /// }
    /// let mut builder = ModelBuilder::new();
    /// builder.body(Body::new("stone").mass(1.0).inertia([1.0; 3]));
    /// let model = builder.build()?;
    /// let mut keeper = Keeper::default();
    /// Simulation::new(&model).run_into(&mut keeper)?;
    ///
    /// let longer = Simulation::new(&model).duration(2.0);
    /// let run = longer.resume_into(Some(&Snapshot::from_bytes(&keeper.0)?), &mut Recording::default())?;
    /// assert!((run.end.body("stone").unwrap().position.z + 0.5 * 9.81 * 4.0).abs() < 1e-12); // −g t²/2
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn resume_into(&self, from: Option<&Snapshot>, sink: &mut dyn Sink) -> Result<Run, RunError> {
        let mut running = self.begin()?;
        from.map_or(Ok(()), |snapshot| running.resume(snapshot, sink))?;
        running.run_to_end(sink)
    }

    /// Begins a run that is taken step by step.
    pub fn begin(&self) -> Result<Running<'m>, RunError> {
        Running::new(self)
    }

    /// Checks whether the run is possible: the method, the tolerances, the times and the driven quantities.
    pub fn check(&self) -> Result<(), RunError> {
        let bad = |field, value: f64, allowed| {
            Err(RunError::BadOption { field, value: format!("{value:?}"), allowed })
        };
        if let Some((field, value, allowed)) = self.output.refused(self.duration) {
            return bad(field, value, allowed);
        }
        let remembers = !self.is_crowd() && self.model.rules.iter().any(|r| r.has_memory);
        if remembers && self.step_policy() != StepPolicy::Located {
            let (field, value) = if self.plain { ("plain", "true") } else { ("locate_contacts", "false") };
            return Err(RunError::BadOption {
                field,
                value: value.to_owned(),
                allowed: "located contacts with friction laws that remember, and such laws of resistance: a touch is where they begin",
            });
        }
        self.check_drives()?;
        if self.is_crowd() {
            return self.check_crowd();
        }
        let method = methods::find(&self.method).map_err(RunError::Method)?;
        match self.options().check(method, 0.0, self.duration) {
            Ok(()) => Ok(()),
            Err(SolveError::BadOption { name: "first_step", value, allowed }) => bad("step", value, allowed),
            Err(SolveError::BadOption { name, value, allowed }) => bad(name, value, allowed),
            Err(other) => Err(RunError::Method(other)),
        }
    }

    /// Checks whether the joints can be assembled from the initial positions of the bodies. A run finds out by itself; this
    /// is for checking beforehand.
    pub fn check_joints(&self) -> Result<(), RunError> {
        if self.model.constraints.is_empty() || self.start != Start::AsGiven {
            return Ok(());
        }
        let system = System::new(self.model, self.step_policy(), self.duration);
        let mut system = system.map_err(|e| RunError::Model(Box::new(e)))?;
        system.assemble(&mut self.model.world.initial_state())
    }

    /// Returns the warnings that a run would give at its start: bodies that overlap deeply, surfaces without a contact that
    /// will meet, joints that had to be assembled.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut builder = ModelBuilder::new();
    /// builder.body(Body::new("ball").mass(0.1).position([0.0, 0.0, -0.5]).surface(Sphere::new(0.02)?));
    /// builder.body(Body::fixed("floor").surface(Plane));
    /// builder.contact(ContactRule::between("ball", "floor").normal(Hertz::new().stiffness(1e8)));
    /// let model = builder.build()?;
    /// let warnings = Simulation::new(&model).start_warnings()?;
    /// assert!(warnings[0].to_string().starts_with("contact ball/sphere1~floor/plane1: it starts 520 mm deep"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn start_warnings(&self) -> Result<Vec<Warning>, RunError> {
        let mut system = System::new(self.model, self.step_policy(), self.duration)
            .map_err(|e| RunError::Model(Box::new(e)))?;
        let mut y = self.model.world.initial_state();
        // if an equilibrium is sought, nothing starts as given
        if self.start != Start::AsGiven {
            return Ok(Vec::new());
        }
        system.assemble(&mut y)?;
        let y = system.start(0.0, y);
        let mut warnings = std::mem::take(&mut system.monitor.report.warnings);
        let (start, meetings) = overlap::at_start(&mut system, &y, self.duration);
        warnings.extend(start);
        warnings.extend(system.far_away(self.atol * self.model.scale().length));
        warnings.extend(overlap::no_contact(self.model, &meetings));
        warnings.extend(self.plain_warning());
        Ok(warnings)
    }

    /// Returns the warning of a plain run.
    pub(super) fn plain_warning(&self) -> Option<Warning> {
        self.plain.then_some(Warning::PlainSteps)
    }

    /// Checks that everything driven or prescribed keeps to its allowed values until the end.
    fn check_drives(&self) -> Result<(), RunError> {
        for d in &self.model.world.drives {
            drive::check(&format!("drive `{}`", d.path), &*d.course, d.needs, self.duration)?;
        }
        for b in &self.model.world.bodies {
            let BodyKind::Prescribed(motion) = &b.kind else { continue };
            for (part, course) in motion.courses() {
                let subject = format!("body `{}`: `{part}` of its motion", b.name);
                drive::check(&subject, course, Needs::Motion, self.duration)?;
            }
        }
        Ok(())
    }

    pub(super) fn options(&self) -> Options {
        Options {
            rtol: self.rtol,
            atol: self.atol,
            scale: self.model.world.component_scales(),
            first_step: self.step,
            max_step: self.max_step,
            ..Options::default()
        }
    }
}
