//! What quantities there are of what: names, words for axes, units.

use carom_base::Quantity;

/// A quantity of a kind of things: what is behind the dot of its name.
#[derive(Debug)]
pub struct Entry {
    /// what is behind the dot
    pub suffix: &'static str,
    /// in words, for the axis of it alone
    pub what: &'static str,
    /// in words, for an axis that it shares with its like
    pub kind: &'static str,
    /// its unit
    pub quantity: Quantity,
}

/// A line of the tables below.
const fn e(suffix: &'static str, what: &'static str, kind: &'static str, quantity: Quantity) -> Entry {
    Entry { suffix, what, kind, quantity }
}

/// What has quantities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thing {
    /// a rigid body
    Rigid,
    /// a body that deforms
    Soft,
    /// a point of a body
    Probe,
    /// a distance between surfaces
    Distance,
    /// a short-range field
    Field,
    /// a joint
    Joint,
    /// a contact, or a point of it
    Contact,
    /// a contact that wears
    Worn,
}

impl Thing {
    /// Its quantities.
    pub fn entries(self) -> impl Iterator<Item = &'static Entry> {
        let (first, more): (&'static [Entry], &'static [Entry]) = match self {
            Thing::Rigid => (POINT, TURNED),
            Thing::Soft => (POINT, DEFORMED),
            Thing::Probe => (POINT, &[]),
            Thing::Distance => (DISTANCE, &[]),
            Thing::Field => (FIELD, &[]),
            Thing::Joint => (JOINT, &[]),
            Thing::Contact => (CONTACT, &[]),
            Thing::Worn => (WORN, &[]),
        };
        first.iter().chain(more)
    }
}

use Quantity::{
    Acceleration, Angle, AngularAcceleration, AngularSpeed, Energy, Force, Length, Number, Power, Rate,
    Speed, Torque, Volume,
};

/// Time.
pub static TIME: Entry = e("t", "time", "time", Quantity::Time);

/// Of a point: a body's reference point, a probe.
static POINT: &[Entry] = &[
    e("x", "position x", "position", Length),
    e("y", "position y", "position", Length),
    e("z", "position z", "position", Length),
    e("vx", "velocity x", "velocity", Speed),
    e("vy", "velocity y", "velocity", Speed),
    e("vz", "velocity z", "velocity", Speed),
    e("v", "speed", "speed", Speed),
    e("speed", "speed", "speed", Speed),
    e("ax", "acceleration x", "acceleration", Acceleration),
    e("ay", "acceleration y", "acceleration", Acceleration),
    e("az", "acceleration z", "acceleration", Acceleration),
    e("a", "acceleration", "acceleration", Acceleration),
];

/// Of a rigid body besides.
static TURNED: &[Entry] = &[
    e("qw", "quaternion w", "quaternion", Number),
    e("qx", "quaternion x", "quaternion", Number),
    e("qy", "quaternion y", "quaternion", Number),
    e("qz", "quaternion z", "quaternion", Number),
    e("wx", "angular velocity x", "angular velocity", AngularSpeed),
    e("wy", "angular velocity y", "angular velocity", AngularSpeed),
    e("wz", "angular velocity z", "angular velocity", AngularSpeed),
    e("w", "angular speed", "angular speed", AngularSpeed),
    e("alphax", "angular acceleration x", "angular acceleration", AngularAcceleration),
    e("alphay", "angular acceleration y", "angular acceleration", AngularAcceleration),
    e("alphaz", "angular acceleration z", "angular acceleration", AngularAcceleration),
    e("alpha", "angular acceleration", "angular acceleration", AngularAcceleration),
    e("tilt", "tilt", "angle", Angle),
    e("angle_x", "angle about x", "angle", Angle),
    e("angle_y", "angle about y", "angle", Angle),
    e("angle_z", "angle about z", "angle", Angle),
    e("euler_x", "Euler angle x", "Euler angle", Angle),
    e("euler_y", "Euler angle y", "Euler angle", Angle),
    e("euler_z", "Euler angle z", "Euler angle", Angle),
];

/// Of a body that deforms, besides.
static DEFORMED: &[Entry] = &[
    e("F11", "deformation F11", "deformation", Number),
    e("F12", "deformation F12", "deformation", Number),
    e("F13", "deformation F13", "deformation", Number),
    e("F21", "deformation F21", "deformation", Number),
    e("F22", "deformation F22", "deformation", Number),
    e("F23", "deformation F23", "deformation", Number),
    e("F31", "deformation F31", "deformation", Number),
    e("F32", "deformation F32", "deformation", Number),
    e("F33", "deformation F33", "deformation", Number),
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

/// On the second body.
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

/// On the first body.
static CONTACT: &[Entry] = &[
    e("fn", "normal force", "contact force", Force),
    e("ft", "friction force", "contact force", Force),
    e("f", "contact force", "contact force", Force),
    e("delta", "indentation", "indentation", Length),
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
];

/// The depth is that of a bearing.
static WORN: &[Entry] = &[
    e("volume", "worn volume", "worn volume", Volume),
    e("depth", "largest depth of wear", "depth of wear", Length),
];

/// The columns of `energy.csv`: of nothing in particular.
pub static LEDGER: &[Entry] = &[
    e("kinetic", "kinetic energy", "energy", Energy),
    e("potential", "potential energy", "energy", Energy),
    e("elastic", "elastic energy", "energy", Energy),
    e("field", "field energy", "energy", Energy),
    e("strain", "strain energy", "energy", Energy),
    e("work", "work", "energy", Energy),
    e("dissipated_normal", "energy lost to damping", "energy", Energy),
    e("dissipated_friction", "energy lost to friction", "energy", Energy),
    e("dissipated_field", "energy lost to fields", "energy", Energy),
    e("dissipated_viscous", "energy lost to viscosity", "energy", Energy),
    e("dissipated_joint", "energy lost in joints", "energy", Energy),
    e("total", "total energy", "energy", Energy),
    e("audit", "energy audit", "energy", Energy),
];

/// The columns of `kinematics.csv` and `inverse.csv` that are no accelerations of bodies, by their endings.
pub static MECHANISM: &[Entry] = &[
    e("angle", "joint angle", "joint angle", Angle),
    e("angle_rate", "joint angular velocity", "joint angular velocity", AngularSpeed),
    e("angle_second", "joint angular acceleration", "joint angular acceleration", AngularAcceleration),
    e("displacement", "joint displacement", "joint displacement", Length),
    e("displacement_rate", "joint velocity", "joint velocity", Speed),
    e("displacement_second", "joint acceleration", "joint acceleration", Acceleration),
    e("x", "joint displacement x", "joint displacement", Length),
    e("x_rate", "joint velocity x", "joint velocity", Speed),
    e("x_second", "joint acceleration x", "joint acceleration", Acceleration),
    e("y", "joint displacement y", "joint displacement", Length),
    e("y_rate", "joint velocity y", "joint velocity", Speed),
    e("y_second", "joint acceleration y", "joint acceleration", Acceleration),
    e("power", "driving power", "power", Power),
];

/// `DRIVE.force` of `inverse.csv`: a couple where an angle or a speed of turning is driven.
static DRIVES: [Entry; 2] = [
    e("force", "driving force", "driving force", Force),
    e("force", "driving torque", "driving torque", Torque),
];

/// A quantity that can be named, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meaning {
    /// what it is asked for by: `ball.vz`
    pub name: String,
    /// whose it is: `ball`; of nothing in particular where it is empty
    pub of: String,
    /// in words: `velocity z`
    pub what: String,
    /// in words that it shares with its like: `velocity`
    pub kind: String,
    /// its unit; `None`: that of an expression, or not known
    pub quantity: Option<Quantity>,
}

impl Meaning {
    /// The quantity of an owner; of nothing in particular where that is empty.
    pub fn of(owner: &str, entry: &Entry) -> Meaning {
        let dot = if owner.is_empty() { "" } else { "." };
        Meaning {
            name: format!("{owner}{dot}{}", entry.suffix),
            of: owner.to_owned(),
            what: entry.what.to_owned(),
            kind: entry.kind.to_owned(),
            quantity: Some(entry.quantity),
        }
    }
}

/// What is behind the name of the owner and a dot.
pub fn behind<'n>(name: &'n str, owner: &str) -> Option<&'n str> {
    name.strip_prefix(owner)?.strip_prefix('.')
}

/// The entry of a column of `kinematics.csv` or `inverse.csv`.
pub fn of_mechanism(column: &str) -> Option<(&str, &'static Entry)> {
    let (owner, suffix) = column.rsplit_once('.')?;
    if suffix == "force" {
        // NAME/angle and NAME/speed of a hinge; what slides says displacement
        let turns = !["displacement", "x", "y"].iter().any(|c| owner.ends_with(&format!("/{c}")));
        return Some((owner, &DRIVES[usize::from(turns)]));
    }
    let accelerations = POINT.iter().chain(TURNED).filter(|e| e.suffix.starts_with('a'));
    Some((owner, accelerations.chain(MECHANISM).find(|e| e.suffix == suffix)?))
}
