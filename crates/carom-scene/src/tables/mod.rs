//! The tables of a scene: every key with its unit, allowed values, default and meaning.

mod clearance;
mod controller;
mod drive;
mod field;
mod force;
mod joint;
mod law;
mod pattern;
mod plot;
mod run;
mod solver;
mod wear;

use carom::geometry::surfaces;
use carom::{Dof, MOTIONS};
use carom_base::Quantity;
use carom_base::param::Allowed;

use crate::keys::{
    AtLeastOne, Choice, Details, Form, Key, Kind, Kinds, PARAMETER, PLAIN, Presence, Shorthand, Table, Words,
};
use crate::{mesh_file, own};
use controller::{CONTROLLER, INPUT};
use drive::DRIVE;
pub(crate) use drive::DRIVE_TABLE;
use field::{ELASTIC, FIELD};
use force::FORCE;
use joint::JOINT;
use law::{FRICTION, FRICTION_AT, NORMAL, ROLLING, SPINNING};
pub(crate) use pattern::MOST_BODIES;
use pattern::{INCLUDE, PATTERN};
use plot::PLOT;
use run::RUN;
use solver::{DISTANCE, PROBE, SOLVER};
use wear::WEAR;

pub(super) const POSITIVE: Allowed = Allowed::Positive;
pub(super) const FINITE: Allowed = Allowed::Finite;
pub(super) const ZERO: Presence = Presence::Numbers(&[0.0, 0.0, 0.0]);

/// The whole scene.
pub(crate) static SCENE: Table = Table {
    title: "scene",
    doc: "A scene is a text in TOML or JSON with these keys and tables.",
    keys: &[
        Key::optional("title", Form::Text, "the file's name", "what summaries and pictures are headed with"),
        Key::optional(
            PARAMETER,
            Form::Parameters,
            "none",
            "numbers by name, for values that are computed: `\"= diameter + gap\"`",
        ),
        Key::optional("include", Form::Array(&INCLUDE), "none", "parts from other files"),
        Key::optional("world", Form::Table(&WORLD), "its defaults", "what acts on everything"),
        Key::required("run", Form::Table(&RUN), "how long, how exactly, and what is recorded"),
        Key::optional("material", Form::Map(&MATERIAL), "none", "what surfaces are made of, by name"),
        Key::required("body", Form::Array(&BODY), "the bodies"),
        Key::optional("pattern", Form::Array(&PATTERN), "none", "copies of bodies, and where they are"),
        Key::optional(
            "contact",
            Form::Array(&CONTACT),
            "nothing touches",
            "which bodies touch, and by which laws",
        ),
        Key::optional(
            "force",
            Form::Array(&FORCE),
            "none",
            "forces between points of bodies and along coordinates",
        ),
        Key::optional("field", Form::Array(&FIELD), "none", "short-range fields between bodies and supports"),
        Key::optional("joint", Form::Array(&JOINT), "none", "what holds bodies together"),
        Key::optional("drive", Form::Array(&DRIVE), "nothing changes but by forces", "numbers in time"),
        Key::optional("controller", Form::Array(&CONTROLLER), "none", "sampled controllers"),
        Key::optional("input", Form::Array(&INPUT), "none", "numbers that a program sets"),
        Key::optional("probe", Form::Array(&PROBE), "none", "points whose motion is recorded"),
        Key::optional("distance", Form::Array(&DISTANCE), "none", "distances that are recorded"),
        Key::optional("plot", Form::Array(&PLOT), "none", "figures that every run draws"),
    ],
    ..PLAIN
};

static WORLD: Table = Table {
    title: "world",
    doc: "What acts on everything.",
    keys: &[Key::default(
        "gravity",
        Form::Vector(3, Quantity::Acceleration, FINITE),
        Presence::Numbers(&[0.0, 0.0, -9.81]),
        "acceleration of free fall",
    )],
    ..PLAIN
};

static MATERIAL: Table = Table {
    title: "material",
    doc: "A linear elastic, isotropic material: `[material.NAME]`. A value is needed only where something uses it.",
    keys: &[
        Key::optional(
            "youngs_modulus",
            Form::Number(Quantity::Pressure, POSITIVE),
            "no stiffness from materials",
            "Young's modulus E",
        ),
        Key::optional(
            "poisson_ratio",
            Form::Number(Quantity::Number, Allowed::Above(-1.0, 0.5)),
            "no stiffness from materials",
            "Poisson's ratio ν",
        ),
        Key::optional(
            "density",
            Form::Number(Quantity::Density, POSITIVE),
            "no mass from shapes",
            "density, for mass properties from shapes",
        ),
    ],
    ..PLAIN
};

pub(super) const POSITION: Form = Form::Vector(3, Quantity::Length, FINITE);
const VELOCITY: Form = Form::Vector(3, Quantity::Speed, FINITE);
const SPIN: Form = Form::Vector(3, Quantity::AngularSpeed, FINITE);
const UNTURNED: &str = "not turned";

static BODY: Table = Table {
    title: "body",
    doc: "A body: where it is, how it moves, its mass, and its surfaces. World frame.",
    keys: &[
        Key::required("name", Form::Name, "what contacts, probes, paths and results call it"),
        Key::optional(
            "group",
            Form::OneOrTexts,
            "in none",
            "the groups that it is in, by which contacts, forces, patterns and others call several bodies",
        ),
        Key::optional(
            "material",
            Form::Text,
            "none",
            "the material of its surfaces that have none of their own",
        ),
        Key::default(
            "type",
            Form::Word(Words::These(&["rigid", "affine"])),
            Presence::Word("rigid"),
            "how it deforms: not at all, or homogeneously",
        ),
        Key::optional("elastic", Form::Table(&ELASTIC), "it is rigid", "what an affine body is made of"),
        Key::optional(
            "deformation",
            Form::Tensor(Quantity::Number),
            "undeformed",
            "of an affine body at the start, before it is turned: three stretches or a 3x3 matrix",
        ),
        Key::default("fixed", Form::Bool, Presence::Bool(false), "whether it stands still"),
        Key::optional(
            "motion",
            Form::OneKind("motion", motions),
            "it moves by the forces on it",
            "a prescribed motion, from the pose given here",
        ),
        Key::optional("mass", Form::Number(Quantity::Mass, POSITIVE), "from density and surfaces", "mass"),
        Key::optional(
            "inertia",
            Form::Tensor(Quantity::Inertia),
            "from the surfaces, as if the mass filled them evenly",
            "about the centre of mass, in body axes: three moments or a 3x3 matrix",
        ),
        Key::optional(
            "centre_of_mass",
            POSITION,
            "the surfaces' centroid if the mass comes from them, else the reference point",
            "where the mass is, body frame",
        ),
        Key::optional(
            "density",
            Form::Number(Quantity::Density, POSITIVE),
            "that of the surfaces' materials",
            "density of the solids its surfaces bound and of the shells they are",
        ),
        Key::optional(
            "density_gradient",
            Form::Vector(3, Quantity::DensityGradient, FINITE),
            "the same density everywhere",
            "how the density grows with the place on the body; `density` is that at its reference point",
        ),
        Key::default("position", POSITION, ZERO, "where the reference point is at the start"),
        Key::optional("orientation", Form::Table(&ORIENTATION), UNTURNED, "how it is turned at the start"),
        Key::default("velocity", VELOCITY, ZERO, "of the reference point, at the start"),
        Key::default("angular_velocity", SPIN, ZERO, "at the start"),
        Key::optional(
            "dofs",
            Form::Words(Words::From(dof_names)),
            "all six directions",
            "the world directions its centre of mass can move in, and the axes through it that it can turn about: none, one or all three",
        ),
        Key::optional("surface", Form::Array(&SURFACE), "it touches nothing", "its surfaces"),
        Key::optional(
            "mesh",
            Form::Tables(&MESH),
            "its surfaces are what is seen",
            "shapes for the eye alone: they are drawn, and touch nothing",
        ),
    ],
    choices: &[Choice { sets: &[&["fixed"], &["motion"]], at_least_one: AtLeastOne::NotNeeded }],
    ..PLAIN
};

fn dof_names() -> Vec<&'static str> {
    Dof::ALL.iter().map(|(name, _)| *name).collect()
}

fn motions() -> Vec<Kind> {
    MOTIONS.iter().map(plain).collect()
}

/// Makes a kind whose summary is all that the reference says about it.
pub(super) fn plain<T>(e: &carom_base::Entry<T>) -> Kind {
    Kind { name: e.name, summary: e.summary, details: Details::NONE, params: e.params }
}

/// A shape that is only drawn.
static MESH: Table = Table {
    title: "body.mesh",
    doc: "A shape from a file, drawn with the body. It has no mass and touches nothing.",
    keys: &[
        Key::required("file", Form::Text, "an STL, OBJ or PLY file, relative to the scene's folder"),
        Key::default(
            "scale",
            Form::Number(Quantity::Number, POSITIVE),
            Presence::Number(1.0),
            "metres a unit of the file: 0.001 for one in millimetres",
        ),
        Key::default("position", POSITION, ZERO, "of the file's origin, body frame"),
        Key::optional("orientation", Form::Table(&ORIENTATION), UNTURNED, "how it is turned on the body"),
        Key::default(
            "mirrored",
            Form::Bool,
            Presence::Bool(false),
            "whether it is the mirror image, in x of its frame, of what is in the file",
        ),
    ],
    ..PLAIN
};

/// The orientation of a body or a surface.
pub(crate) static ORIENTATION: Table = Table {
    title: "orientation",
    doc: "How a body or a surface is turned: `axis` and `angle`, or a `quaternion`, or `euler_xyz`.",
    keys: &[
        Key::optional(
            "axis",
            Form::Vector(3, Quantity::Number, FINITE),
            "given otherwise",
            "direction of the axis it is turned about, of any length but 0",
        ),
        Key::optional(
            "angle",
            Form::Number(Quantity::Angle, FINITE),
            "given otherwise",
            "how far, right-handed",
        ),
        Key::optional(
            "quaternion",
            Form::Vector(4, Quantity::Number, FINITE),
            "given otherwise",
            "w, x, y, z, of length 1",
        ),
        Key::optional(
            "euler_xyz",
            Form::Vector(3, Quantity::Angle, FINITE),
            "given otherwise",
            "turns about x, then the turned y, then the twice turned z (intrinsic)",
        ),
    ],
    choices: &[Choice {
        sets: &[&["axis", "angle"], &["quaternion"], &["euler_xyz"]],
        at_least_one: AtLeastOne::Needed,
    }],
    ..PLAIN
};

static SURFACE: Table = Table {
    title: "body.surface",
    doc: "A surface of a body: `[[body.surface]]` below its `[[body]]`. Its type brings keys of its own.",
    keys: &[
        Key::optional(
            "name",
            Form::Name,
            "its type and number (`sphere1`)",
            "what contacts, paths and results call it",
        ),
        Key::default(
            "side",
            Form::Word(Words::These(&["outside", "inside"])),
            Presence::Word("outside"),
            "the side it is touched from; `inside` makes a closed surface a container; a sheet is touched from both",
        ),
        Key::optional(
            "material",
            Form::Text,
            "that of its body",
            "the name of a material: one of `[material.NAME]`, or one that `carom materials` lists",
        ),
        Key::optional(
            "shell",
            Form::Number(Quantity::Length, POSITIVE),
            "outside a solid, inside none",
            "thickness of a thin shell that mass and inertia from density count it as",
        ),
        Key::default("position", POSITION, ZERO, "of its frame, on the body"),
        Key::optional("orientation", Form::Table(&ORIENTATION), UNTURNED, "of its frame, on the body"),
    ],
    kinds: Some(Kinds {
        tag: "type",
        noun: "surface type",
        all: || surfaces::ALL.iter().map(plain).chain([mesh_file::SURFACE, own::SURFACE]).collect(),
        shorthand: Shorthand::Refused,
    }),
    ..PLAIN
};

static CONTACT: Table = Table {
    title: "contact",
    doc: "Which bodies touch, and by which laws. Bodies without a contact pass through each other. Where several \
          contacts speak of a pair of surfaces, the one that names them most exactly holds.",
    keys: &[
        Key::optional("name", Form::Name, "`a~b`", "what paths and messages call it"),
        Key::required(
            "between",
            Form::Sides,
            "the two sides, each a body, `body/surface`, a group, a name with the wildcards `*` and `?`, or a list of such; `*` alone is all",
        ),
        Key::default(
            "none",
            Form::Bool,
            Presence::Bool(false),
            "nothing acts between the two: they are meant to pass through each other",
        ),
        Key::optional(
            "normal",
            Form::Table(&NORMAL),
            "`hertz`, with a stiffness from materials",
            "the normal law",
        ),
        Key::optional("friction", Form::Table(&FRICTION), "no friction", "the friction law"),
        FRICTION_AT,
        Key::optional("rolling", Form::Table(&ROLLING), "no resistance", "the law of resistance to rolling"),
        Key::optional(
            "spinning",
            Form::Table(&SPINNING),
            "no resistance",
            "the law of resistance to spinning",
        ),
        Key::optional("wear", Form::Table(&WEAR), "none", "how it wears"),
        Key::default(
            "min_impact_speed",
            Form::Number(Quantity::Speed, POSITIVE),
            Presence::Number(1e-3),
            "laws that divide by the impact speed keep the last one below this",
        ),
        Key::default(
            "start_overlap",
            Form::Word(Words::These(&["warned", "allowed"])),
            Presence::Word("warned"),
            "what is done about surfaces that start deep in one another: a warning, or nothing where that is meant",
        ),
        Key::optional(
            "solver",
            Form::Table(&SOLVER),
            "the first that knows two surfaces",
            "the algorithm; `pressure`, with the normal law `foundation`: an integral over the patch where two solids overlap",
        ),
        Key::optional(
            "slices",
            Form::CountOr(3, 100_000, "exact"),
            "a ring touches in a point",
            "a ring (torus, supertorus) touches in so many contact points along it; `exact`: the limit of many, against a plane",
        ),
        Key::default(
            "slice_phase",
            Form::Number(Quantity::Number, FINITE),
            Presence::Number(0.0),
            "where the first slice is, from the x axis of the ring, as a fraction of a slice",
        ),
        Key::default(
            "slice_tolerance",
            Form::Number(Quantity::Number, Allowed::Between(1e-13, 1e-3)),
            Presence::Number(1e-9),
            "how exact the force is with `slices = \"exact\"`, relative: it gives the number of points in the contact patch; where a dashpot lets go in a part of the patch only, less",
        ),
    ],
    choices: &[Choice { sets: &[&["solver"], &["slices"]], at_least_one: AtLeastOne::NotNeeded }],
    ..PLAIN
};
