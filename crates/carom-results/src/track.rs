//! The motion of bodies and probes and the reactions of joints over all output times.

use carom::BodyState;
use carom::base::{Mat3, Quat};
use nalgebra::Quaternion;

use crate::actions::JOINT;
use crate::data::DataFile;
use crate::tables::{AFFINE, BODY, PROBE};

/// A moving body or a probe over all output times.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// name of the body or probe
    pub name: String,
    /// position of the reference point \[m\]
    pub position: Vec<[f64; 3]>,
    /// velocity of the reference point [m/s]
    pub velocity: Vec<[f64; 3]>,
    /// `None` for a probe and for a body that deforms
    pub rotation: Option<Rotation>,
    /// `None` unless the body deforms
    pub deformation: Option<Deformed>,
}

/// The deformation of a body over all output times.
#[derive(Clone, Debug, PartialEq)]
pub struct Deformed {
    /// deformation gradient F, row by row
    pub f: Vec<[f64; 9]>,
    /// rate of F [1/s]
    pub f_dot: Vec<[f64; 9]>,
}

impl Track {
    /// Returns the state of a body at the i-th output time; `None` for a probe.
    pub fn state(&self, i: usize) -> Option<BodyState> {
        let (position, velocity) = ((*self.position.get(i)?).into(), (*self.velocity.get(i)?).into());
        if let Some(d) = &self.deformation {
            let matrix = |m: &[f64; 9]| Mat3::from_row_slice(m);
            return Some(BodyState::deformed(
                position,
                matrix(d.f.get(i)?),
                velocity,
                matrix(d.f_dot.get(i)?),
            ));
        }
        let turned = self.rotation.as_ref()?;
        let [w, x, y, z] = *turned.quaternion.get(i)?;
        Some(BodyState {
            position,
            orientation: Quat::new_normalize(Quaternion::new(w, x, y, z)),
            velocity,
            angular_velocity: (*turned.angular_velocity.get(i)?).into(),
            deformation: None,
        })
    }
}

/// The rotation of a body over all output times.
#[derive(Clone, Debug, PartialEq)]
pub struct Rotation {
    /// orientation: unit quaternion w x y z
    pub quaternion: Vec<[f64; 4]>,
    /// angular velocity [rad/s] in the world frame
    pub angular_velocity: Vec<[f64; 3]>,
}

/// The force and couple of a joint on its second body over all output times.
#[derive(Clone, Debug, PartialEq)]
pub struct Reaction {
    /// name of the joint; `joint/coordinate` for a drive
    pub joint: String,
    /// output times \[s\]
    pub t: Vec<f64>,
    /// force at the joint's point \[N\]
    pub force: Vec<[f64; 3]>,
    /// couple about the joint's point [N m]
    pub couple: Vec<[f64; 3]>,
}

impl Reaction {
    /// Returns force and couple at a time; `None` if they were not recorded then.
    pub fn at(&self, t: f64) -> Option<[[f64; 3]; 2]> {
        let same = 1e-12 * t.abs();
        let i = self.t.partition_point(|x| *x < t - same);
        self.t.get(i).filter(|x| **x <= t + same)?;
        Some([*self.force.get(i)?, *self.couple.get(i)?])
    }
}

/// Reads the bodies and probes of `states.csv`.
pub(super) fn tracks(states: &DataFile) -> Result<Vec<Track>, String> {
    let mut tracks = Vec::new();
    let mut at = 1;
    while at < states.columns.len() {
        // BODY: x y z, qw qx qy qz, vx vy vz, wx wy wz; PROBE: x y z, vx vy vz
        let position = states.vectors(at);
        let track = if let Some(name) = states.name_of(at, &BODY) {
            let (name, velocity) = (name.to_owned(), states.vectors(at + 7));
            let (quaternion, angular_velocity) = (states.vectors(at + 3), states.vectors(at + 10));
            let rotation = Some(Rotation { quaternion, angular_velocity });
            Track { name, position, velocity, rotation, deformation: None }
        } else if let Some(name) = states.name_of(at, &AFFINE) {
            let (name, velocity) = (name.to_owned(), states.vectors(at + 12));
            let deformation = Some(Deformed { f: states.vectors(at + 3), f_dot: states.vectors(at + 15) });
            Track { name, position, velocity, rotation: None, deformation }
        } else if let Some(name) = states.name_of(at, &PROBE) {
            let (name, velocity) = (name.to_owned(), states.vectors(at + 3));
            Track { name, position, velocity, rotation: None, deformation: None }
        } else {
            return Err(format!("column {} is neither a body's nor a probe's", states.columns[at].name));
        };
        at += match (&track.rotation, &track.deformation) {
            (Some(_), _) => BODY.len(),
            (None, Some(_)) => AFFINE.len(),
            (None, None) => PROBE.len(),
        };
        tracks.push(track);
    }
    Ok(tracks)
}

/// Reads the joints of `joints.csv`.
pub(super) fn reactions(table: &DataFile) -> Result<Vec<Reaction>, String> {
    let (force, couple) =
        (table.vectors::<3>(table.column(JOINT[2])?), table.vectors::<3>(table.column(JOINT[5])?));
    let (t, names) = (table.numbers(table.column(JOINT[0])?), table.texts(table.column(JOINT[1])?));
    let mut all: Vec<Reaction> = Vec::new();
    for (i, joint) in names.iter().enumerate() {
        let known = all.iter().position(|r| *r.joint == **joint);
        let known = known.unwrap_or_else(|| {
            let (t, force, couple) = (Vec::new(), Vec::new(), Vec::new());
            all.push(Reaction { joint: joint.to_string(), t, force, couple });
            all.len() - 1
        });
        let reaction = &mut all[known];
        reaction.t.push(t[i]);
        reaction.force.push(force[i]);
        reaction.couple.push(couple[i]);
    }
    Ok(all)
}
