//! The errors of building and running a model, with the names and values that caused them.

use std::fmt;

use carom_base::SpecError;
use carom_base::param::Allowed;
use carom_base::snapshot::SnapshotError;
use carom_field::FieldError;
use carom_geometry::GeometryError;
use carom_law::LawError;
use carom_ode::SolveError;

mod statics;

pub use statics::{StaticsError, Unbalanced};

/// Says why a model cannot be built: which item is wrong, which of its keys, and how.
///
/// ```
/// use carom::prelude::*;
/// use carom::{Fault, Subject};
/// let error = ModelBuilder::new().body(Body::new("ball").mass(-1.0)).build().unwrap_err();
/// assert_eq!((&error.subject, error.key), (&Subject::Body("ball".to_owned()), Some("mass")));
/// assert!(matches!(*error.fault, Fault::BadValue { .. }));
/// assert_eq!(error.to_string(), "body `ball`: `mass` is -1; allowed: a finite number greater than 0");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct BuildError {
    /// the item that is wrong
    pub subject: Subject,
    /// the key that is wrong, as scene files write it, if the fault is in a single key
    pub key: Option<&'static str>,
    /// the kind of fault, with its details
    pub fault: Box<Fault>,
}

/// The item of a model that an error is about, given by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// the model itself
    Model,
    /// a material
    Material(String),
    /// a body
    Body(String),
    /// a surface
    Surface {
        /// its body
        body: String,
        /// its name on that body
        surface: String,
    },
    /// a contact; for a joint with clearance, the name of the joint
    Contact(String),
    /// a joint
    Joint(String),
    /// a force
    Force(String),
    /// a field
    Field(String),
    /// a distance between surfaces
    Distance(String),
    /// a drive, given by the path of the quantity that it drives
    Drive(String),
    /// a controller
    Controller(String),
    /// a number that a program sets
    Input(String),
}

/// The kind of fault in an item of a model.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Fault {
    /// a value out of range
    #[error("is {value}; allowed: {allowed}")]
    BadValue {
        /// the value given
        value: String,
        /// the allowed values
        allowed: &'static str,
    },
    /// a driven quantity whose value at t = 0 is out of range
    #[error("at t = 0 s it is {value}; allowed: {allowed}")]
    BadStart {
        /// its value at t = 0
        value: f64,
        /// the allowed values
        allowed: Allowed,
    },
    /// two items with the same name
    #[error("two {what} are called `{name}`")]
    DuplicateName {
        /// the kind of item: bodies, surfaces, materials, contacts
        what: &'static str,
        /// the name given twice
        name: String,
    },
    /// a name that no item has
    #[error("no {what} is called `{name}`{}", did_you_mean(.nearest))]
    UnknownName {
        /// the kind of item: body, surface, material
        what: &'static str,
        /// the name given
        name: String,
        /// the most similar name that exists
        nearest: Option<String>,
    },
    /// a name in an expression that is no quantity which the item may use
    #[error("there is no `{name}`{}\n  {}", did_you_mean(.nearest), allowed.join("\n  "))]
    UnknownQuantity {
        /// the name given
        name: String,
        /// the most similar name that there is
        nearest: Option<String>,
        /// what the item may use, one line a kind, and where all of it is described
        allowed: Vec<String>,
    },
    /// a path that names no quantity which can be driven
    #[error("there is nothing of that path to drive{}; there is {}", did_you_mean(.nearest), allowed.join(", "))]
    UnknownTarget {
        /// the paths that exist
        allowed: Vec<&'static str>,
        /// the most similar of them
        nearest: Option<String>,
    },
    /// an item lacks something that its kind needs, or has a key that its kind does not take
    #[error("a {kind} needs {what}")]
    Needs {
        /// the kind of item
        kind: String,
        /// what it needs, or must not have
        what: String,
    },
    /// an item lacks something that every item of this sort must have
    #[error("has no {what}: {hint}")]
    Missing {
        /// what is missing
        what: &'static str,
        /// how it could be supplied
        hint: &'static str,
    },
    /// a key that excludes another key of the same item
    #[error("{why}")]
    Conflict {
        /// the reason
        why: String,
        /// the other key
        with: &'static str,
        /// what the other key says, in words
        says: &'static str,
    },
    /// a key that repeats what another item already says
    #[error("{why}")]
    SaidTwice {
        /// the reason
        why: String,
        /// the item that says it first
        first: Subject,
    },
    /// a motor along a coordinate that a drive prescribes
    #[error(
        "a motor cannot act along the {coordinate} of `{joint}`, which is driven: the drive moves it whatever the motor does; \
         leave one of them out"
    )]
    Driven {
        /// the joint
        joint: String,
        /// the coordinate
        coordinate: String,
        /// the drive
        drive: Subject,
    },
    /// an item that is invalid for a reason given in words
    #[error("{0}")]
    Impossible(String),
    /// no pair solver can find where these two surfaces touch or are closest
    #[error("{a} against {b}: {source}")]
    Pair {
        /// the first surface, `body/surface`
        a: String,
        /// the second surface, `body/surface`
        b: String,
        /// the solvers that were tried
        source: GeometryError,
    },
    /// a contact whose stiffness cannot be derived and must be given
    #[error("{a} against {b} needs a `{what}`: {why}, so {sources} do not give one")]
    NeedsStiffness {
        /// the key of the law that gives it: `stiffness`, or `stiffness_ratio` of friction and resistance
        what: &'static str,
        /// what it can be derived from
        sources: &'static str,
        /// the first surface, `body/surface`
        a: String,
        /// the second surface, `body/surface`
        b: String,
        /// why it cannot be derived
        why: String,
    },
    /// an invalid law or material
    #[error(transparent)]
    Law(#[from] LawError),
    /// an invalid field
    #[error(transparent)]
    Field(#[from] FieldError),
    /// an invalid force
    #[error(transparent)]
    Force(#[from] SpecError),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BuildError { subject, key, fault } = self;
        match (&**fault, subject) {
            (Fault::BadValue { .. }, _) => write!(f, "{subject}: `{}` {fault}", key.unwrap_or_default()),
            (Fault::Missing { .. }, _) => write!(f, "{subject} {fault}"),
            // (these messages already name the item)
            (Fault::SaidTwice { .. }, _) | (_, Subject::Model | Subject::Material(_)) => write!(f, "{fault}"),
            _ => write!(f, "{subject}: {fault}"),
        }
    }
}

impl std::error::Error for BuildError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.fault.source()
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Subject::Model => write!(f, "model"),
            Subject::Surface { body, surface } => write!(f, "body `{body}`, surface `{surface}`"),
            Subject::Material(name) => write!(f, "material `{name}`"),
            Subject::Body(name) => write!(f, "body `{name}`"),
            Subject::Contact(name) => write!(f, "contact `{name}`"),
            Subject::Joint(name) => write!(f, "joint `{name}`"),
            Subject::Force(name) => write!(f, "force `{name}`"),
            Subject::Field(name) => write!(f, "field `{name}`"),
            Subject::Distance(name) => write!(f, "distance `{name}`"),
            Subject::Drive(path) => write!(f, "drive `{path}`"),
            Subject::Controller(name) => write!(f, "controller `{name}`"),
            Subject::Input(name) => write!(f, "input `{name}`"),
        }
    }
}

impl Subject {
    /// Returns the error that this item has this fault, with the key that is wrong if it is a single one.
    pub(crate) fn fails(&self, key: Option<&'static str>, fault: impl Into<Fault>) -> BuildError {
        BuildError { subject: self.clone(), key, fault: Box::new(fault.into()) }
    }

    /// Returns the error that a value of this item is not allowed.
    pub(crate) fn bad(&self, key: &'static str, value: impl ToString, allowed: &'static str) -> BuildError {
        self.fails(Some(key), Fault::BadValue { value: value.to_string(), allowed })
    }

    /// Returns the error that a joint lacks something its kind needs, or has a key that its kind does not take.
    pub(crate) fn needs(&self, kind: &str, key: Option<&'static str>, what: &str) -> BuildError {
        self.fails(key, Fault::Needs { kind: format!("{kind} joint"), what: what.to_owned() })
    }

    /// Returns the error that this item is invalid, with the reason in words.
    pub(crate) fn impossible(&self, key: Option<&'static str>, why: impl Into<String>) -> BuildError {
        self.fails(key, Fault::Impossible(why.into()))
    }
}

fn did_you_mean(name: &Option<String>) -> String {
    name.as_ref().map(|n| format!("; did you mean `{n}`?")).unwrap_or_default()
}

/// Says why a run could not be finished. Everything recorded up to time `t` remains valid.
#[derive(Clone, Debug, thiserror::Error)]
pub enum RunError {
    /// the integration could not continue
    #[error("{}{}", prefix(.part), for_scenes(.source))]
    Integration {
        /// the time reached [s]
        t: f64,
        /// the contact or body in which it happened, if known
        part: Option<String>,
        /// the reason
        source: SolveError,
    },
    /// steps so short that the run would never reach its end
    #[error(
        "at t = {t:.6e} s the run gets nowhere: at this pace it would take {needed:.0e} more steps; {why}"
    )]
    NoProgress {
        /// the time reached [s]
        t: f64,
        /// the number of further steps that the rest of the run would take
        needed: f64,
        /// the likely cause, such as the contact with the largest force, and what may help
        why: String,
    },
    /// fixed steps that create energy without bound
    #[error(
        "at t = {t:.6e} s the motion has run away: its energy is wrong by {off:.1e} J, and {could:.1e} J are all there could be; {why}"
    )]
    RanAway {
        /// the time reached [s]
        t: f64,
        /// the energy-balance error [J]
        off: f64,
        /// the largest energy that the system could have [J]
        could: f64,
        /// the likely cause, and what may help
        why: String,
    },
    /// a body or a contact of a crowd with which it cannot go on
    #[error("at t = {t:.6e} s {part}: {why}")]
    Crowd {
        /// the time reached [s]
        t: f64,
        /// the body or the contact
        part: String,
        /// what is wrong there
        why: &'static str,
    },
    /// an option out of range
    #[error("`{field}` is {value}; allowed: {allowed}")]
    BadOption {
        /// the name of the option
        field: &'static str,
        /// the value given
        value: String,
        /// the allowed values
        allowed: &'static str,
    },
    /// a drive or a prescribed motion that takes an invalid value during the run
    #[error("{subject}: at t = {t} s it {what}; allowed: {allowed}")]
    Drive {
        /// the drive, or the body and the part of its motion
        subject: String,
        /// the time [s]
        t: f64,
        /// the invalid value it takes
        what: String,
        /// the allowed values
        allowed: &'static str,
    },
    /// joints whose equations cannot all be satisfied together
    #[error(
        "joint `{joint}` cannot be put together with the others: it stays {what} by {off:.3e} (m or rad, or that a second){hint}"
    )]
    Assembly {
        /// the joint with the largest residual
        joint: String,
        /// that residual [m or rad, or m/s or rad/s]
        off: f64,
        /// `apart` if positions do not satisfy the joints, `fought over` if velocities do not
        what: &'static str,
        /// what may help, after a semicolon; may be empty
        hint: &'static str,
    },
    /// a model whose contacts cannot be set up
    #[error(transparent)]
    Model(Box<BuildError>),
    /// no equilibrium was found to start from
    #[error(transparent)]
    Start(StaticsError),
    /// an integration method that is unknown or unsuitable
    #[error(transparent)]
    Method(SolveError),
    /// a snapshot that this run cannot continue from
    #[error(transparent)]
    Snapshot(SnapshotError),
    /// a program has asked for something that the run cannot do
    #[error("`{name}` is {why}")]
    Input {
        /// the name of the input, or of what was asked for
        name: String,
        /// what is wrong with it
        why: String,
    },
    /// the sink that records the run failed
    #[error("at t = {t} s: recording failed: {why}")]
    Sink {
        /// the time [s]
        t: f64,
        /// the sink's message
        why: String,
    },
}

fn prefix(part: &Option<String>) -> String {
    part.as_ref().map(|p| format!("{p}: ")).unwrap_or_default()
}

/// Returns the message of an integration error, without the advice meant for authors of right-hand sides.
fn for_scenes(error: &SolveError) -> String {
    match error {
        SolveError::Jumps { t, h, from, to, .. } => format!(
            "at t = {t}: steps of h = {h:e} get nowhere: a rate jumps here, from {from:e} to {to:e}. A force that switches with the state \
             (friction at rest, a law or a force of your own) must be smooth there"
        ),
        error => error.to_string(),
    }
}
