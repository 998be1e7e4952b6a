//! The coordinates that joints leave free, one record each.
//!
//! Everything about a coordinate follows from its record: how it is measured, the units of its values, rates and
//! forces, the keys of its limits, the paths of its drives, the columns of results, and the reference. To add one:
//! write its record, add it to [`COORDINATES`], and name it in `coordinates` of the kinds of joint that leave it free.
//! A coordinate that is measured in a new manner also needs a variant of [`Measured`]; the compiler then asks for the
//! rest.

use carom_base::Quantity;

/// A direction of a joint's frame: z is its axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// perpendicular to the axis; in a joint with two axes, the second axis is y
    X,
    /// perpendicular to the axis and x
    Y,
    /// the axis
    Z,
}

/// A coordinate of a joint: a number that describes the position of its first body, A, relative to the second, B.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coordinate {
    /// its name, and the words derived from it
    pub names: CoordinateNames,
    /// which of the angles or displacements it is, as figures append it to `joint angle`, for example ` x`; empty for
    /// the first
    pub which: &'static str,
    /// how it is measured
    pub measured: Measured,
    /// one-line description of its lower limit; `None`: it has no lower limit
    pub least: Option<&'static str>,
    /// one-line description of its upper limit; `None`: it has no upper limit
    pub greatest: Option<&'static str>,
    /// one-line description of its drive; `None`: it cannot be driven
    pub driven: Option<&'static str>,
    /// the drive of the force or couple along it; `None`: there is no such drive
    pub pushed: Option<PushDrive>,
}

/// The name of a coordinate, and the words derived from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoordinateNames {
    /// the name in paths and columns: `angle`
    pub name: &'static str,
    /// the column of its rate: `angle_rate`
    pub rate: &'static str,
    /// the column of its second rate: `angle_second`
    pub second: &'static str,
    /// the key of its lower limit: `min_angle`
    pub min: &'static str,
    /// the key of its upper limit: `max_angle`
    pub max: &'static str,
    /// the path of its drive: `joint/NAME/angle`
    pub path: &'static str,
}

/// A drive of the force or couple along a coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PushDrive {
    /// its name: `torque`
    pub name: &'static str,
    /// its path: `joint/NAME/torque`
    pub path: &'static str,
    /// its one-line description
    pub doc: &'static str,
}

/// How a coordinate is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measured {
    /// angle by which A is turned relative to B about z [rad], 0 in the initial state
    Angle,
    /// displacement of A's point relative to B's along a direction of B [m]
    Along(Direction),
    /// in a joint with two axes: angle by which A is turned about the first axis from the second [rad], 0 in the
    /// initial state
    AboutFirst,
    /// in a joint with two axes: angle by which the first axis is turned about the second relative to B [rad], 0 in the
    /// initial state
    AboutSecond,
    /// angle between z of A and z of B [rad], from 0 to π
    Swing,
}

/// Makes the path of a drive of a joint.
macro_rules! path {
    ($name:literal) => {
        concat!("joint/NAME/", $name)
    };
}

/// Makes the words that are derived from a name.
macro_rules! names {
    ($name:literal) => {
        CoordinateNames {
            name: $name,
            rate: concat!($name, "_rate"),
            second: concat!($name, "_second"),
            min: concat!("min_", $name),
            max: concat!("max_", $name),
            path: path!($name),
        }
    };
}

const GREATEST: Option<&str> = Some("the greatest one");

impl Coordinate {
    /// The angle by which the first body is turned about the axis [rad].
    pub const ANGLE: Coordinate = Coordinate {
        names: names!("angle"),
        which: "",
        measured: Measured::Angle,
        least: Some("the least angle about the axis, 0 as the bodies start, turns counted"),
        greatest: GREATEST,
        driven: Some(
            "the angle by which the first body of a joint is turned from the second about its axis, 0 as the bodies start",
        ),
        pushed: Some(PushDrive {
            name: "torque",
            path: path!("torque"),
            doc: "a couple about the axis of a joint that turns, on its first body; its opposite on the second",
        }),
    };

    /// The angle by which the first axis of a joint with two axes is turned about the second [rad].
    pub const SECOND_ANGLE: Coordinate = Coordinate {
        names: names!("second_angle"),
        which: " about the second axis",
        measured: Measured::AboutSecond,
        least: Some("of a joint with two axes, the least angle about the second axis, likewise"),
        greatest: GREATEST,
        driven: Some(
            "the angle by which the first axis of a joint with two axes is turned from the second body about the second axis, 0 as the bodies start",
        ),
        pushed: None,
    };

    /// The displacement of the first body along the axis [m].
    pub const DISPLACEMENT: Coordinate = Coordinate {
        names: names!("displacement"),
        which: "",
        measured: Measured::Along(Direction::Z),
        least: Some("the least displacement along the axis"),
        greatest: GREATEST,
        driven: Some(
            "the displacement of the first body of a joint from the second along its axis, 0 as the bodies start",
        ),
        pushed: Some(PushDrive {
            name: "force",
            path: path!("force"),
            doc: "a force along the axis of a joint that slides, on its first body; its opposite on the second",
        }),
    };

    /// The displacement of the first body along x, perpendicular to the axis [m].
    pub const X: Coordinate = Coordinate {
        names: names!("x"),
        which: " x",
        measured: Measured::Along(Direction::X),
        least: Some("the least displacement along x of the joint's frame, perpendicular to the axis"),
        greatest: GREATEST,
        driven: Some(
            "the displacement of the first body of a joint from the second along x of the joint's frame, perpendicular to the axis, 0 as the bodies start",
        ),
        pushed: None,
    };

    /// The displacement of the first body along y, perpendicular to the axis and x [m].
    pub const Y: Coordinate = Coordinate {
        names: names!("y"),
        which: " y",
        measured: Measured::Along(Direction::Y),
        least: Some("the least displacement along y of the joint's frame, perpendicular to the axis"),
        greatest: GREATEST,
        driven: Some(
            "the displacement of the first body of a joint from the second along y of the joint's frame, perpendicular to the axis and to x, 0 as the bodies start",
        ),
        pushed: None,
    };

    /// The angle between the axis fixed to the first body and the axis fixed to the second [rad].
    pub const SWING: Coordinate = Coordinate {
        names: names!("swing"),
        which: " of swing",
        measured: Measured::Swing,
        least: None,
        greatest: Some(
            "of a joint that turns in every direction, the greatest angle between `axis` as it goes with the first body and as it goes with the second",
        ),
        driven: None,
        pushed: None,
    };
}

/// Every coordinate that scenes, drives and results can name.
///
/// ```
/// use carom::base::Quantity;
/// let x = carom::COORDINATES.iter().find(|c| c.names.name == "x").unwrap();
/// assert_eq!((x.names.min, x.quantity(), x.force()), ("min_x", Quantity::Length, Quantity::Force));
/// ```
pub const COORDINATES: &[Coordinate] = &[
    Coordinate::ANGLE,
    Coordinate::SECOND_ANGLE,
    Coordinate::DISPLACEMENT,
    Coordinate::X,
    Coordinate::Y,
    Coordinate::SWING,
];

impl Coordinate {
    /// Whether it is an angle; otherwise it is a displacement.
    pub const fn is_angle(&self) -> bool {
        match self.measured {
            Measured::Angle | Measured::AboutFirst | Measured::AboutSecond | Measured::Swing => true,
            Measured::Along(_) => false,
        }
    }

    /// Whether its full turns are counted.
    pub const fn counts_turns(&self) -> bool {
        match self.measured {
            Measured::Angle | Measured::AboutFirst | Measured::AboutSecond => true,
            // (an angle between two axes has no direction of turning)
            Measured::Swing | Measured::Along(_) => false,
        }
    }

    /// Whether it is a displacement perpendicular to the axis.
    pub const fn is_across(&self) -> bool {
        match self.measured {
            Measured::Along(Direction::X | Direction::Y) => true,
            Measured::Along(Direction::Z)
            | Measured::Angle
            | Measured::AboutFirst
            | Measured::AboutSecond
            | Measured::Swing => false,
        }
    }

    /// Returns its physical quantity: an angle [rad] or a length [m].
    pub const fn quantity(&self) -> Quantity {
        if self.is_angle() { Quantity::Angle } else { Quantity::Length }
    }

    /// Returns the physical quantity of its rate [rad/s or m/s].
    pub const fn rate(&self) -> Quantity {
        if self.is_angle() { Quantity::AngularSpeed } else { Quantity::Speed }
    }

    /// Returns the physical quantity of its second rate [rad/s² or m/s²].
    pub const fn second(&self) -> Quantity {
        if self.is_angle() { Quantity::AngularAcceleration } else { Quantity::Acceleration }
    }

    /// Returns the physical quantity of its generalised force [N m or N].
    pub const fn force(&self) -> Quantity {
        if self.is_angle() { Quantity::Torque } else { Quantity::Force }
    }
}

/// Returns the names, and their number, of the coordinates along which forces can act: all of them, or the
/// displacements only. Keys of scenes that ask for a coordinate allow these.
const fn names_of(angles: bool) -> ([&'static str; COORDINATES.len()], usize) {
    let (mut names, mut n, mut i) = ([""; COORDINATES.len()], 0, 0);
    while i < COORDINATES.len() {
        let c = &COORDINATES[i];
        if c.driven.is_some() && (angles || !c.is_angle()) {
            names[n] = c.names.name;
            n += 1;
        }
        i += 1;
    }
    (names, n)
}

impl Coordinate {
    /// The names of the coordinates along which forces can act, for keys that ask for one.
    pub const FREE: &[&str] = {
        const ALL: ([&str; COORDINATES.len()], usize) = names_of(true);
        ALL.0.split_at(ALL.1).0
    };

    /// The names of the displacements along which forces can act, for keys that ask for one.
    pub const DISPLACEMENTS: &[&str] = {
        const ALL: ([&str; COORDINATES.len()], usize) = names_of(false);
        ALL.0.split_at(ALL.1).0
    };
}
