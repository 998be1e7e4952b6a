//! Lists the quantities of bodies, contacts, joints and the rest: their names, the words for axes, and their units.

use std::sync::LazyLock;

use carom::{COORDINATES, Coordinate};
use carom_base::Quantity;

use crate::plot::Wanted;

/// A quantity of a kind of object, such as a body or a contact. Its name is OWNER.SUFFIX.
#[derive(Debug)]
pub struct Entry {
    /// the part of its name after the dot
    pub suffix: &'static str,
    /// in words, for an axis that shows it alone
    pub what: &'static str,
    /// addition to these words that tells several apart: ` x` for a joint's displacement along x
    pub which: &'static str,
    /// in words, for an axis that it shares with similar quantities
    pub kind: &'static str,
    /// the physical quantity, which gives its unit
    pub quantity: Quantity,
    /// suffix of its rate of change, if that is a quantity too
    pub rate: Option<&'static str>,
}

/// Makes a row of the tables below.
const fn e(suffix: &'static str, what: &'static str, kind: &'static str, quantity: Quantity) -> Entry {
    Entry { suffix, what, which: "", kind, quantity, rate: None }
}

impl Entry {
    /// Returns the entry with this suffix for its rate.
    const fn rate(self, suffix: &'static str) -> Entry {
        Entry { rate: Some(suffix), ..self }
    }
}

/// The kinds of object that have quantities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thing {
    /// a rigid body
    Rigid,
    /// a body that deforms
    Soft,
    /// a point of a body whose motion is recorded
    Probe,
    /// a distance between surfaces
    Distance,
    /// a short-range field
    Field,
    /// a joint
    Joint,
    /// a force: a spring, a motor, a load; it has those of these quantities that its kind has
    Force,
    /// a contact, or a single point of it
    Contact,
    /// a contact that wears
    Worn,
}

impl Thing {
    /// Returns its quantities.
    pub fn entries(self) -> impl Iterator<Item = &'static Entry> {
        let (first, more): (&'static [Entry], &'static [Entry]) = match self {
            Thing::Rigid => (POINT, TURNED),
            Thing::Soft => (POINT, DEFORMED),
            Thing::Probe => (POINT, &[]),
            Thing::Distance => (DISTANCE, &[]),
            Thing::Field => (FIELD, &[]),
            Thing::Joint => (JOINT, &[]),
            Thing::Force => (FORCE, &[]),
            Thing::Contact => (CONTACT, &[]),
            Thing::Worn => (WORN, &[]),
        };
        first.iter().chain(more)
    }
}

use Quantity::{
    Acceleration, Angle, AngularAcceleration, AngularSpeed, Area, Energy, Force, Length, Number, Power,
    Pressure, Rate, Speed, Torque, Volume,
};

/// Time.
pub static TIME: Entry = e("t", "time", "time", Quantity::Time);

/// Quantities of a point: a body's reference point, or a probe.
static POINT: &[Entry] = &[
    e("x", "position x", "position", Length).rate("vx"),
    e("y", "position y", "position", Length).rate("vy"),
    e("z", "position z", "position", Length).rate("vz"),
    e("vx", "velocity x", "velocity", Speed).rate("ax"),
    e("vy", "velocity y", "velocity", Speed).rate("ay"),
    e("vz", "velocity z", "velocity", Speed).rate("az"),
    e("v", "speed", "speed", Speed),
    e("speed", "speed", "speed", Speed),
    e("ax", "acceleration x", "acceleration", Acceleration),
    e("ay", "acceleration y", "acceleration", Acceleration),
    e("az", "acceleration z", "acceleration", Acceleration),
    e("a", "acceleration", "acceleration", Acceleration),
];

/// Additional quantities of a rigid body.
static TURNED: &[Entry] = &[
    e("qw", "quaternion w", "quaternion", Number),
    e("qx", "quaternion x", "quaternion", Number),
    e("qy", "quaternion y", "quaternion", Number),
    e("qz", "quaternion z", "quaternion", Number),
    e("wx", "angular velocity x", "angular velocity", AngularSpeed).rate("alphax"),
    e("wy", "angular velocity y", "angular velocity", AngularSpeed).rate("alphay"),
    e("wz", "angular velocity z", "angular velocity", AngularSpeed).rate("alphaz"),
    e("w", "angular speed", "angular speed", AngularSpeed),
    e("alphax", "angular acceleration x", "angular acceleration", AngularAcceleration),
    e("alphay", "angular acceleration y", "angular acceleration", AngularAcceleration),
    e("alphaz", "angular acceleration z", "angular acceleration", AngularAcceleration),
    e("alpha", "angular acceleration", "angular acceleration", AngularAcceleration),
    e("tilt", "tilt", "angle", Angle),
    e("angle_x", "angle about x", "angle", Angle).rate("wx"),
    e("angle_y", "angle about y", "angle", Angle).rate("wy"),
    e("angle_z", "angle about z", "angle", Angle).rate("wz"),
    e("euler_x", "Euler angle x", "Euler angle", Angle),
    e("euler_y", "Euler angle y", "Euler angle", Angle),
    e("euler_z", "Euler angle z", "Euler angle", Angle),
];

/// Additional quantities of a body that deforms.
static DEFORMED: &[Entry] = &[
    e("F11", "deformation F11", "deformation", Number).rate("dF11"),
    e("F12", "deformation F12", "deformation", Number).rate("dF12"),
    e("F13", "deformation F13", "deformation", Number).rate("dF13"),
    e("F21", "deformation F21", "deformation", Number).rate("dF21"),
    e("F22", "deformation F22", "deformation", Number).rate("dF22"),
    e("F23", "deformation F23", "deformation", Number).rate("dF23"),
    e("F31", "deformation F31", "deformation", Number).rate("dF31"),
    e("F32", "deformation F32", "deformation", Number).rate("dF32"),
    e("F33", "deformation F33", "deformation", Number).rate("dF33"),
    e("dF11", "rate of F11", "rate of deformation", Rate),
    e("dF12", "rate of F12", "rate of deformation", Rate),
    e("dF13", "rate of F13", "rate of deformation", Rate),
    e("dF21", "rate of F21", "rate of deformation", Rate),
    e("dF22", "rate of F22", "rate of deformation", Rate),
    e("dF23", "rate of F23", "rate of deformation", Rate),
    e("dF31", "rate of F31", "rate of deformation", Rate),
    e("dF32", "rate of F32", "rate of deformation", Rate),
    e("dF33", "rate of F33", "rate of deformation", Rate),
    e("volume", "volume ratio det F", "volume ratio", Number),
];

static DISTANCE: &[Entry] = &[
    e("found", "found", "found", Number),
    e("distance", "distance", "distance", Length),
    e("ax", "nearest point of a, x", "nearest point", Length),
    e("ay", "nearest point of a, y", "nearest point", Length),
    e("az", "nearest point of a, z", "nearest point", Length),
    e("bx", "nearest point of b, x", "nearest point", Length),
    e("by", "nearest point of b, y", "nearest point", Length),
    e("bz", "nearest point of b, z", "nearest point", Length),
    e("nx", "normal x", "normal", Number),
    e("ny", "normal y", "normal", Number),
    e("nz", "normal z", "normal", Number),
    e("iterations", "iterations", "iterations", Number),
];

static FIELD: &[Entry] = &[
    e("gap", "gap", "gap", Length),
    e("fx", "field force x", "field force", Force),
    e("fy", "field force y", "field force", Force),
    e("fz", "field force z", "field force", Force),
    e("mx", "field torque x", "field torque", Torque),
    e("my", "field torque y", "field torque", Torque),
    e("mz", "field torque z", "field torque", Torque),
    e("dissipated", "dissipated power", "power", Power),
];

/// Quantities of a joint: the force and couple on the second body.
static JOINT: &[Entry] = &[
    e("fx", "joint force x", "joint force", Force),
    e("fy", "joint force y", "joint force", Force),
    e("fz", "joint force z", "joint force", Force),
    e("mx", "joint couple x", "joint couple", Torque),
    e("my", "joint couple y", "joint couple", Torque),
    e("mz", "joint couple z", "joint couple", Torque),
    e("f", "joint force", "joint force", Force),
    e("m", "joint couple", "joint couple", Torque),
];

/// Quantities of a force: force and couple are those on the first body. Only forces along a line have a length, only those
/// along one coordinate an effort, which is a couple along an angle, and only loads, motors and actuators their own work.
static FORCE: &[Entry] = &[
    e("fx", "force x", "force", Force),
    e("fy", "force y", "force", Force),
    e("fz", "force z", "force", Force),
    e("mx", "couple x", "couple", Torque),
    e("my", "couple y", "couple", Torque),
    e("mz", "couple z", "couple", Torque),
    e("length", "length", "length", Length).rate("rate"),
    e("rate", "rate of the length", "rate of a length", Speed),
    e("tension", "tension", "tension", Force),
    e("effort", "force along the coordinate", "force along a coordinate", Force),
    e("effort", "couple along the coordinate", "couple along a coordinate", Torque),
    e("power", "power", "power", Power),
    e("work", "work", "work", Energy).rate("power"),
];

/// Quantities of a contact: the forces and couples are those on the first body.
static CONTACT: &[Entry] = &[
    e("fn", "normal force", "contact force", Force),
    e("ft", "friction force", "contact force", Force),
    e("f", "contact force", "contact force", Force),
    e("delta", "indentation", "indentation", Length).rate("delta_dot"),
    e("delta_dot", "indentation rate", "indentation rate", Speed),
    e("fx", "contact force x", "contact force", Force),
    e("fy", "contact force y", "contact force", Force),
    e("fz", "contact force z", "contact force", Force),
    e("ftx", "friction force x", "contact force", Force),
    e("fty", "friction force y", "contact force", Force),
    e("ftz", "friction force z", "contact force", Force),
    e("mx", "contact couple x", "contact couple", Torque),
    e("my", "contact couple y", "contact couple", Torque),
    e("mz", "contact couple z", "contact couple", Torque),
    e("px", "contact point x", "contact point", Length),
    e("py", "contact point y", "contact point", Length),
    e("pz", "contact point z", "contact point", Length),
    e("nx", "contact normal x", "contact normal", Number),
    e("ny", "contact normal y", "contact normal", Number),
    e("nz", "contact normal z", "contact normal", Number),
    e("points", "contact points", "contact points", Number),
    e("area", "area of the patch", "area", Area),
    e("pressure", "largest pressure", "pressure", Pressure),
];

/// Quantities of a contact that wears. Only a bearing has a depth.
static WORN: &[Entry] = &[
    e("volume", "worn volume", "worn volume", Volume),
    e("depth", "largest depth of wear", "depth of wear", Length),
];

/// The columns of `energy.csv`; they belong to the model as a whole.
pub static LEDGER: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let columns = carom::Energy::COLUMNS.iter();
    columns.map(|column| e(column.name, column.what, "energy", Energy)).collect()
});

/// The coordinates of joints with their rates: the columns of `kinematics.csv` other than the accelerations of bodies, by
/// their suffixes.
pub static COORDINATE: LazyLock<Vec<Entry>> =
    LazyLock::new(|| COORDINATES.iter().flat_map(of_coordinate).collect());

fn of_coordinate(c: &Coordinate) -> [Entry; 3] {
    let kinds = match c.is_angle() {
        true => ["joint angle", "joint angular velocity", "joint angular acceleration"],
        false => ["joint displacement", "joint velocity", "joint acceleration"],
    };
    let entry = |i: usize, suffix, quantity, rate| Entry {
        suffix,
        what: kinds[i],
        which: c.which,
        kind: kinds[i],
        quantity,
        rate,
    };
    [
        entry(0, c.names.name, c.quantity(), Some(c.names.rate)),
        entry(1, c.names.rate, c.rate(), Some(c.names.second)),
        entry(2, c.names.second, c.second(), None),
    ]
}

/// The column `DRIVE.power` of `inverse.csv` and `forces.csv`.
static POWER: Entry = e("power", "driving power", "power", Power);

/// The column `DRIVE.force` of `inverse.csv` and `forces.csv`: a force, or a couple where an angle or its rate is driven.
static DRIVES: [Entry; 2] = [
    e("force", "driving force", "driving force", Force),
    e("force", "driving torque", "driving torque", Torque),
];

/// A quantity that can be named, with its description in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meaning {
    /// its full name: `ball.vz`
    pub name: String,
    /// name of its owner: `ball`; empty for a quantity of the whole model
    pub of: String,
    /// in words: `velocity z`
    pub what: String,
    /// in words that it shares with similar quantities: `velocity`
    pub kind: String,
    /// the physical quantity; `None` for an expression, or if it is not known
    pub quantity: Option<Quantity>,
    /// full name of its rate, if that is a quantity too: `ball.az`
    pub rate: Option<String>,
}

impl Meaning {
    /// Describes the quantity of an owner; an empty owner stands for the whole model.
    pub fn of(owner: &str, entry: &Entry) -> Meaning {
        let dot = if owner.is_empty() { "" } else { "." };
        Meaning {
            name: format!("{owner}{dot}{}", entry.suffix),
            of: owner.to_owned(),
            what: format!("{}{}", entry.what, entry.which),
            kind: entry.kind.to_owned(),
            quantity: Some(entry.quantity),
            rate: entry.rate.map(|rate| format!("{owner}{dot}{rate}")),
        }
    }

    /// Returns its phase portrait, the rate over the quantity; `None` if no rate is recorded.
    ///
    /// ```
    /// use carom_scene::quantity::{LEDGER, Meaning, Thing};
    /// let z = Thing::Rigid.entries().find(|e| e.suffix == "z").unwrap();
    /// let phase = Meaning::of("ball", z).phase().unwrap();
    /// assert_eq!((phase.y.as_str(), phase.x.as_deref()), ("ball.vz", Some("ball.z")));
    /// assert_eq!(Meaning::of("", &LEDGER[0]).phase(), None);
    /// ```
    pub fn phase(&self) -> Option<Wanted> {
        Some(Wanted { y: self.rate.clone()?, x: Some(self.name.clone()) })
    }
}

/// Returns the part of a name after the owner's name and a dot.
pub fn behind<'n>(name: &'n str, owner: &str) -> Option<&'n str> {
    name.strip_prefix(owner)?.strip_prefix('.')
}

/// Returns the owner and the entry of a column of `kinematics.csv` or `inverse.csv`, or of a drive in `forces.csv`;
/// `exists`: whether there is a column of that name.
pub fn of_mechanism(column: &str, exists: impl Fn(&str) -> bool) -> Option<(&str, &'static Entry)> {
    let (owner, suffix) = column.rsplit_once('.')?;
    if suffix == "force" {
        let (joint, driven) = owner.rsplit_once('/')?;
        let has = |c: &Coordinate| exists(&format!("{joint}.{}", c.names.name));
        return Some((owner, driving(driven, has)));
    }
    let accelerations = POINT.iter().chain(TURNED).filter(|e| e.suffix.starts_with('a'));
    Some((owner, accelerations.chain(&*COORDINATE).chain([&POWER]).find(|e| e.suffix == suffix)?))
}

/// Returns the entry of the force of a drive: a couple where an angle, its rate or a couple is driven. `has`: whether its
/// joint leaves a coordinate free.
fn driving(driven: &str, has: impl Fn(&Coordinate) -> bool) -> &'static Entry {
    let named = |c: &&Coordinate| c.names.name == driven || c.pushed.is_some_and(|push| push.name == driven);
    // a speed is the rate of the only coordinate
    let coordinate = COORDINATES.iter().find(named).or_else(|| COORDINATES.iter().find(|c| has(c)));
    &DRIVES[usize::from(coordinate.is_none_or(Coordinate::is_angle))]
}

/// Describes the force and the power of a drive, whose name is `JOINT/DRIVEN`; `has`: whether its joint leaves a coordinate free.
pub(super) fn of_drive(drive: &str, has: impl Fn(&Coordinate) -> bool) -> [Meaning; 2] {
    let driven = drive.rsplit_once('/').map_or(drive, |(_, driven)| driven);
    [driving(driven, has), &POWER].map(|entry| Meaning::of(drive, entry))
}

/// Describes the coordinate of a joint, its rate and its second rate.
pub(super) fn of_joint(joint: &str, c: &Coordinate) -> impl Iterator<Item = Meaning> {
    let names = c.names;
    let suffixes = [names.name, names.rate, names.second].into_iter();
    suffixes
        .filter_map(move |suffix| COORDINATE.iter().find(|e| e.suffix == suffix))
        .map(move |e| Meaning::of(joint, e))
}

/// Describes the quantity of a force.
pub fn of_force(force: &str, suffix: &str, quantity: Quantity) -> Option<Meaning> {
    let entry = FORCE.iter().find(|e| e.suffix == suffix && e.quantity == quantity)?;
    Some(Meaning::of(force, entry))
}

/// Describes an input, or an output of a controller. Its physical quantity is not known: it is what expressions make of it.
pub fn of_signal(name: &str) -> Meaning {
    let (of, what) = match name.rsplit_once('.') {
        Some((controller, output)) => (controller, format!("output {output}")),
        None => (name, "input".to_owned()),
    };
    Meaning {
        name: name.to_owned(),
        of: of.to_owned(),
        what,
        kind: "signal".to_owned(),
        quantity: None,
        rate: None,
    }
}

/// The suffix that stands for the rate of a joint's first coordinate.
pub const FIRST_RATE: &str = "rate";
