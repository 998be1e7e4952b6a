//! The columns of joints, drives and forces: `joints.csv`, `kinematics.csv`, `forces.csv`, `inverse.csv`.

use carom::{Coordinate, CoordinateRecord, DriveRecord, JointRecord, Model};

use crate::error::ResultsError;
use crate::files::JOINTS;
use crate::table::{Columns, Rows};

/// The columns of a joint: force and couple on its second body at the joint's point.
pub(super) const JOINT: [&str; 8] = ["t", "joint", "fx", "fy", "fz", "mx", "my", "mz"];

/// The columns of the acceleration of a body in `kinematics.csv`: of its reference point, and angular.
pub(super) const ACCELERATION: [&str; 6] = ["ax", "ay", "az", "alphax", "alphay", "alphaz"];

/// Returns the columns of the joints in `kinematics.csv`: `hinge.angle, hinge.angle_rate, hinge.angle_second …`.
pub(super) fn kinematic_columns(model: &Model) -> Vec<String> {
    model.joint_coordinates().flat_map(|(joint, c)| coordinate_columns(joint, c)).collect()
}

/// Returns the columns of a coordinate in `kinematics.csv`.
pub(super) fn coordinate_columns(joint: &str, coordinate: &Coordinate) -> [String; 3] {
    let names = coordinate.names;
    [names.name, names.rate, names.second].map(|column| format!("{joint}.{column}"))
}

/// Adds the fields of coordinates to a line of `kinematics.csv`.
pub(super) fn coordinates(out: &mut impl Rows, all: &[CoordinateRecord]) {
    all.iter().for_each(|c| out.numbers(&[c.value, c.rate, c.second]));
}

/// Returns the columns of forces and drives in `forces.csv`: `spring.fx …, hinge/angle.force, hinge/angle.power …`.
pub(super) fn force_columns(model: &Model) -> Vec<String> {
    let of_force = |(name, columns): (String, Vec<(&'static str, _)>)| {
        columns.into_iter().map(|(suffix, _)| format!("{name}.{suffix}")).collect::<Vec<_>>()
    };
    let drives = model.drive_names();
    let of_drives = drives.iter().flat_map(|drive| drive_columns(drive));
    model.force_names().into_iter().flat_map(of_force).chain(of_drives).collect()
}

/// Returns the columns of a drive in `forces.csv` and `inverse.csv`.
pub(super) fn drive_columns(drive: &str) -> [String; 2] {
    ["force", "power"].map(|column| format!("{drive}.{column}"))
}

/// Adds the fields of drives to a line of `forces.csv` or `inverse.csv`.
pub(super) fn drives(out: &mut impl Rows, all: &[DriveRecord]) {
    all.iter().for_each(|d| out.numbers(&[d.force, d.power]));
}

/// Makes `joints.csv`, without lines.
pub(super) fn joints_table() -> Columns {
    Columns::new(JOINTS, JOINT)
}

/// Adds the lines of an output time to `joints.csv`.
pub(super) fn joints_line(out: &mut impl Rows, t: f64, joints: &[JointRecord]) -> Result<(), ResultsError> {
    for j in joints {
        out.number(t);
        out.text(&j.joint);
        out.numbers(&j.force);
        out.numbers(&j.couple);
        out.end_line()?;
    }
    Ok(())
}
