//! What can go wrong, with the names and values it went wrong with.

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

/// A model that cannot be: what of it is wrong, which of its keys, and how.
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
    /// what it is about
    pub subject: Subject,
    /// the key to blame, as scenes write it, where it is one
    pub key: Option<&'static str>,
    /// what is wrong
    pub fault: Box<Fault>,
}

/// What of a model an error is about, by its name.
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
        /// its own name
        surface: String,
    },
    /// a contact; of a joint with clearance, by the name of the joint
    Contact(String),
    /// a joint
    Joint(String),
    /// a force
    Force(String),
    /// a field
    Field(String),
    /// a distance between surfaces
    Distance(String),
    /// a drive, by the path of what it drives
    Drive(String),
}

/// What is wrong with it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Fault {
    /// a value out of range
    #[error("is {value}; allowed: {allowed}")]
    BadValue {
        /// the value given
        value: String,
        /// what is allowed
        allowed: &'static str,
    },
    /// a number that is driven to what it cannot be from the start
    #[error("at t = 0 s it is {value}; allowed: {allowed}")]
    BadStart {
        /// its value
        value: f64,
        /// what is allowed
        allowed: Allowed,
    },
    /// two things of one name
    #[error("two {what} are called `{name}`")]
    DuplicateName {
        /// bodies, surfaces, materials, contacts
        what: &'static str,
        /// the name
        name: String,
    },
    /// a name that nothing has
    #[error("no {what} is called `{name}`{}", did_you_mean(.nearest))]
    UnknownName {
        /// body, surface, material
        what: &'static str,
        /// the name
        name: String,
        /// the most similar name there is
        nearest: Option<String>,
    },
    /// a path of nothing that can be driven
    #[error("there is nothing of that path to drive{}; there is {}", did_you_mean(.nearest), allowed.join(", "))]
    UnknownTarget {
        /// the paths there are
        allowed: Vec<&'static str>,
        /// the most similar one
        nearest: Option<String>,
    },
    /// what its kind needs and is not said, or does not take and is said
    #[error("a {kind} needs {what}")]
    Needs {
        /// the kind
        kind: String,
        /// what it needs
        what: String,
    },
    /// what it must have, and has not
    #[error("has no {what}: {hint}")]
    Missing {
        /// what
        what: &'static str,
        /// where it could come from
        hint: &'static str,
    },
    /// what excludes another key of the same thing
    #[error("{why}")]
    Conflict {
        /// why
        why: String,
        /// the other key
        with: &'static str,
        /// what that one says, in words
        says: &'static str,
    },
    /// what another thing says as well
    #[error("{why}")]
    SaidTwice {
        /// why
        why: String,
        /// the thing that says it first
        first: Subject,
    },
    /// what cannot be for a reason of its own
    #[error("{0}")]
    Impossible(String),
    /// nobody can find where two surfaces touch, or are nearest
    #[error("{a} against {b}: {source}")]
    Pair {
        /// `body/surface`
        a: String,
        /// `body/surface`
        b: String,
        /// what was tried
        source: GeometryError,
    },
    /// a stiffness that must be given
    #[error("{a} against {b} needs a `stiffness`: {why}, so materials and curvature do not give one")]
    NeedsStiffness {
        /// `body/surface`
        a: String,
        /// `body/surface`
        b: String,
        /// why
        why: String,
    },
    /// a law or a material that cannot be
    #[error(transparent)]
    Law(#[from] LawError),
    /// a field that cannot be
    #[error(transparent)]
    Field(#[from] FieldError),
    /// a force that cannot be
    #[error(transparent)]
    Force(#[from] SpecError),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BuildError { subject, key, fault } = self;
        match (&**fault, subject) {
            (Fault::BadValue { .. }, _) => write!(f, "{subject}: `{}` {fault}", key.unwrap_or_default()),
            (Fault::Missing { .. }, _) => write!(f, "{subject} {fault}"),
            // (these name what they are about)
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
        }
    }
}

impl Subject {
    /// The error that this is wrong with it, and the key to blame, where it is one.
    pub(crate) fn fails(&self, key: Option<&'static str>, fault: impl Into<Fault>) -> BuildError {
        BuildError { subject: self.clone(), key, fault: Box::new(fault.into()) }
    }

    /// A value of it is not allowed.
    pub(crate) fn bad(&self, key: &'static str, value: impl ToString, allowed: &'static str) -> BuildError {
        self.fails(Some(key), Fault::BadValue { value: value.to_string(), allowed })
    }

    /// A joint lacks what its kind needs, or has a key that its kind does not take.
    pub(crate) fn needs(&self, kind: &str, key: Option<&'static str>, what: &str) -> BuildError {
        self.fails(key, Fault::Needs { kind: format!("{kind} joint"), what: what.to_owned() })
    }

    /// It cannot be.
    pub(crate) fn impossible(&self, key: Option<&'static str>, why: impl Into<String>) -> BuildError {
        self.fails(key, Fault::Impossible(why.into()))
    }
}

fn did_you_mean(name: &Option<String>) -> String {
    name.as_ref().map(|n| format!("; did you mean `{n}`?")).unwrap_or_default()
}

/// A run that could not be finished. What was recorded up to `t` stands.
#[derive(Clone, Debug, thiserror::Error)]
pub enum RunError {
    /// the integration could not go on
    #[error("{}{}", prefix(.part), for_scenes(.source))]
    Integration {
        /// the time reached [s]
        t: f64,
        /// the contact or body it happened in, where known
        part: Option<String>,
        /// why
        source: SolveError,
    },
    /// steps so short that the end is out of reach
    #[error(
        "at t = {t:.6e} s the run gets nowhere: at this pace it would take {needed:.0e} more steps; {why}"
    )]
    NoProgress {
        /// the time reached [s]
        t: f64,
        /// how many steps the rest would take
        needed: f64,
        /// what presses hardest there, and what may help
        why: String,
    },
    /// given steps that make energy without end
    #[error(
        "at t = {t:.6e} s the motion has run away: its energy is wrong by {off:.1e} J, and {could:.1e} J are all there could be; {why}"
    )]
    RanAway {
        /// the time reached [s]
        t: f64,
        /// how far the ledger of energy is off [J]
        off: f64,
        /// the energy that could be there [J]
        could: f64,
        /// what is to blame, and what may help
        why: String,
    },
    /// an option out of range
    #[error("`{field}` is {value}; allowed: {allowed}")]
    BadOption {
        /// which
        field: &'static str,
        /// the value given
        value: String,
        /// what is allowed
        allowed: &'static str,
    },
    /// a drive or a motion that cannot be as it is during the run
    #[error("{subject}: at t = {t} s it {what}; allowed: {allowed}")]
    Drive {
        /// the drive, or the body and the part of its motion
        subject: String,
        /// the time [s]
        t: f64,
        /// what it is then
        what: String,
        /// what is allowed
        allowed: &'static str,
    },
    /// joints that cannot hold together
    #[error(
        "joint `{joint}` cannot be put together with the others: it stays {what} by {off:.3e} (m or rad, or that a second){hint}"
    )]
    Assembly {
        /// the joint that is off most
        joint: String,
        /// by how much
        off: f64,
        /// `apart`, of places, or `fought over`, of velocities
        what: &'static str,
        /// what may help, after a semicolon, or nothing
        hint: &'static str,
    },
    /// a model whose contacts cannot be set up
    #[error(transparent)]
    Model(Box<BuildError>),
    /// no equilibrium to start from
    #[error(transparent)]
    Start(StaticsError),
    /// an unknown or unsuited method
    #[error(transparent)]
    Method(SolveError),
    /// a snapshot that a run cannot go on from
    #[error(transparent)]
    Snapshot(SnapshotError),
    /// the one who records the run failed
    #[error("at t = {t} s: recording failed: {why}")]
    Sink {
        /// the time [s]
        t: f64,
        /// what it said
        why: String,
    },
}

fn prefix(part: &Option<String>) -> String {
    part.as_ref().map(|p| format!("{p}: ")).unwrap_or_default()
}

/// What an integration says, without the advice that is for those who write rates.
fn for_scenes(error: &SolveError) -> String {
    match error {
        SolveError::Jumps { t, h, from, to, .. } => format!(
            "at t = {t}: steps of h = {h:e} get nowhere: a rate jumps here, from {from:e} to {to:e}. A force that switches with the state \
             (friction at rest, a law or a force of your own) must be smooth there"
        ),
        error => error.to_string(),
    }
}
