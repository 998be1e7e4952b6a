//! What can go wrong, with the names and values it went wrong with.

use carom_base::SpecError;
use carom_base::param::Allowed;
use carom_base::snapshot::SnapshotError;
use carom_field::FieldError;
use carom_geometry::GeometryError;
use carom_law::LawError;
use carom_ode::SolveError;

mod statics;

pub use statics::{StaticsError, Unbalanced};

/// A model that cannot be.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BuildError {
    /// a value out of range
    #[error("{place}: `{field}` is {value}; allowed: {allowed}")]
    BadValue {
        /// the body, contact or model it belongs to
        place: String,
        /// which value
        field: &'static str,
        /// the value given
        value: String,
        /// what is allowed
        allowed: &'static str,
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
    #[error("{place}: no {what} is called `{name}`{}", did_you_mean(.nearest))]
    UnknownName {
        /// where the name is used
        place: String,
        /// body, surface, material
        what: &'static str,
        /// the name
        name: String,
        /// the most similar name there is
        nearest: Option<String>,
    },
    /// a joint without a point or an axis, or with one too many
    #[error("joint `{joint}`: a {kind} joint needs {what}")]
    JointNeeds {
        /// the joint
        joint: String,
        /// its kind
        kind: &'static str,
        /// what it needs
        what: &'static str,
    },
    /// a force whose place is not said, or said in ways that exclude each other
    #[error("force `{force}`: a {kind} needs {what}")]
    ForceNeeds {
        /// the force
        force: String,
        /// its kind
        kind: &'static str,
        /// what it needs
        what: String,
        /// the key that does not belong there, if there is one
        wrong: Option<&'static str>,
    },
    /// a body without a mass
    #[error("body `{body}` has no mass: give `mass`, or a density and a closed surface")]
    NoMass {
        /// the body
        body: String,
    },
    /// a body without an inertia
    #[error("body `{body}` has no inertia: give `inertia`, or a closed surface to take it from")]
    NoInertia {
        /// the body
        body: String,
    },
    /// an inertia no body has
    #[error("body `{body}`: no body has the inertia [{inertia}]: {why}")]
    ImpossibleInertia {
        /// the body
        body: String,
        /// the tensor, by columns
        inertia: String,
        /// what is wrong
        why: &'static str,
    },
    /// more than one rotation, but not all
    #[error("body `{body}`: `dofs` names two rotations; allowed: none, one or all three of rx, ry, rz")]
    TwoRotations {
        /// the body
        body: String,
    },
    /// a velocity along a direction the body cannot move in
    #[error("body `{body}`: `{field}` is {value} at the centre of mass, which its `dofs` do not allow")]
    ForbiddenVelocity {
        /// the body
        body: String,
        /// velocity or angular_velocity
        field: &'static str,
        /// the value given
        value: String,
    },
    /// nobody can find where two surfaces touch
    #[error("contact `{contact}`: {a} against {b}: {source}")]
    Pair {
        /// the contact
        contact: String,
        /// `body/surface`
        a: String,
        /// `body/surface`
        b: String,
        /// what was tried
        source: GeometryError,
    },
    /// nobody can find where two surfaces are nearest
    #[error("distance `{distance}`: {a} against {b}: {source}")]
    Distance {
        /// its name
        distance: String,
        /// `body/surface`
        a: String,
        /// `body/surface`
        b: String,
        /// what was tried
        source: GeometryError,
    },
    /// a law that cannot be
    #[error("contact `{contact}`: {source}")]
    Law {
        /// the contact
        contact: String,
        /// which of its laws: `normal`, `friction`, `rolling`, `spinning`
        key: &'static str,
        /// what is wrong
        source: LawError,
    },
    /// friction that cannot be
    #[error("joint `{joint}`: {source}")]
    JointLaw {
        /// the joint
        joint: String,
        /// what is wrong
        source: LawError,
    },
    /// a field that cannot be
    #[error("field `{field}`: {source}")]
    Field {
        /// the field
        field: String,
        /// what is wrong
        source: FieldError,
    },
    /// what a soft body cannot be made of
    #[error("body `{body}`: {source}")]
    Elastic {
        /// the body
        body: String,
        /// what is wrong
        source: LawError,
    },
    /// a soft body without a volume
    #[error("body `{body}` has no volume: a body that deforms needs a closed surface")]
    NoVolume {
        /// the body
        body: String,
    },
    /// a force that cannot be
    #[error("force `{force}`: {source}")]
    Force {
        /// the force
        force: String,
        /// what is wrong
        source: SpecError,
    },
    /// a drive of nothing there is
    #[error("drive `{target}`: there is nothing of that path to drive{}; there is {}", did_you_mean(.nearest), allowed.join(", "))]
    NoTarget {
        /// the path
        target: String,
        /// the paths there are
        allowed: Vec<&'static str>,
        /// the most similar one
        nearest: Option<String>,
    },
    /// two drives of one number
    #[error("drives `{target}` and `{other}` drive the same number")]
    DrivenTwice {
        /// the second
        target: String,
        /// the first
        other: String,
    },
    /// a number that cannot be driven
    #[error("drive `{target}`: {why}")]
    Drive {
        /// its path
        target: String,
        /// why not
        why: String,
    },
    /// a number that is driven to what it cannot be from the start
    #[error("drive `{target}`: at t = 0 s it is {value}; allowed: {allowed}")]
    DriveStart {
        /// its path
        target: String,
        /// its value
        value: f64,
        /// what is allowed
        allowed: Allowed,
    },
    /// a material that cannot be
    #[error(transparent)]
    Material(LawError),
    /// a stiffness that must be given
    #[error(
        "contact `{contact}`: {a} against {b} needs a `stiffness`: {why}, so materials and curvature do not give one"
    )]
    NeedsStiffness {
        /// the contact
        contact: String,
        /// `body/surface`
        a: String,
        /// `body/surface`
        b: String,
        /// why
        why: String,
    },
    /// two contacts that name the same pair equally well
    #[error("contacts `{first}` and `{second}` both speak of {a} and {b}")]
    AmbiguousContact {
        /// one contact
        first: String,
        /// the other
        second: String,
        /// `body/surface`
        a: String,
        /// `body/surface`
        b: String,
    },
    /// a contact that no two surfaces can make
    #[error("contact `{contact}` joins no two surfaces of different bodies of which one can move")]
    EmptyContact {
        /// the contact
        contact: String,
    },
}

fn did_you_mean(name: &Option<String>) -> String {
    name.as_ref().map(|n| format!("; did you mean `{n}`?")).unwrap_or_default()
}

/// A run that could not be finished. What was recorded up to `t` stands.
#[derive(Clone, Debug, thiserror::Error)]
pub enum RunError {
    /// the integration could not go on
    #[error("{}{}", in_place(.place), for_scenes(.source))]
    Integration {
        /// the time reached [s]
        t: f64,
        /// the contact or body it happened in, where known
        place: Option<String>,
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
    #[error("{place}: at t = {t} s it {what}; allowed: {allowed}")]
    Drive {
        /// the drive, or the body and the part of its motion
        place: String,
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

fn in_place(place: &Option<String>) -> String {
    place.as_ref().map(|p| format!("{p}: ")).unwrap_or_default()
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
