//! Puts drives into the descriptions of a model, before it is built from them.

use std::collections::BTreeMap;
use std::sync::Arc;

use carom_base::Vec3;

use super::Drive;
use super::target::{Address, Target};
use crate::body::{Body, Guided, MotionKind};
use crate::coordinate::{COORDINATES, Coordinate};
use crate::course::{Course, Needs, Trouble};
use crate::error::{BuildError, Fault, RunError};

/// A drive of a model.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    /// the path of its target
    pub(crate) path: String,
    pub(crate) course: Arc<dyn Course>,
    pub(crate) needs: Needs,
}

/// A quantity as a function of time.
#[derive(Clone, Debug)]
pub(crate) struct InTime {
    pub(crate) course: Arc<dyn Course>,
    /// value at t = 0
    pub(crate) initial: f64,
    /// index of its drive in the model
    pub(crate) drive: usize,
}

impl InTime {
    /// Returns the value at `t` divided by that at t = 0.
    pub(crate) fn factor(&self, t: f64) -> f64 {
        self.course.at(t).value / self.initial
    }
}

/// The descriptions of bodies and gravity, with the values that drives give them at t = 0, and the functions of time.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) bodies: Vec<Body>,
    pub(crate) gravity: Vec3,
    pub(crate) gravity_in_time: [Option<InTime>; 3],
    /// the mass of each body, if it is driven
    pub(crate) mass_in_time: Vec<Option<InTime>>,
    /// the motions of fixed bodies that are driven
    pub(crate) guided: BTreeMap<usize, Guided>,
    pub(crate) drives: Vec<Bound>,
    pub(crate) joints: Vec<DrivenJoint>,
}

/// A driven coordinate of a joint.
#[derive(Clone, Debug)]
pub(crate) struct DrivenJoint {
    /// name of the joint
    pub(crate) joint: String,
    /// name of the coordinate, or `speed`, or the name of a force or couple along a coordinate
    pub(crate) what: &'static str,
    pub(crate) course: Arc<dyn Course>,
}

impl DrivenJoint {
    /// Returns the coordinate along which a driven force or couple acts; `None` if the motion itself is driven.
    pub(crate) fn pushes(&self) -> Option<&'static str> {
        let pushed = |c: &&Coordinate| c.pushed.is_some_and(|push| push.name == self.what);
        COORDINATES.iter().find(pushed).map(|c| c.names.name)
    }
}

impl Plan {
    /// Creates the descriptions with the drives put in.
    pub(crate) fn new(bodies: &[Body], gravity: Vec3, drives: &[Drive]) -> Result<Plan, BuildError> {
        let mut plan = Plan {
            bodies: bodies.to_vec(),
            gravity,
            gravity_in_time: [const { None }; 3],
            mass_in_time: vec![None; bodies.len()],
            guided: BTreeMap::new(),
            drives: Vec::new(),
            joints: Vec::new(),
        };
        for Drive { target, course } in drives {
            let Some((kind, address)) = Target::address(target) else { return Err(Target::unknown(target)) };
            if plan.drives.iter().any(|d| d.path == *target) {
                return Err(address.driven_twice(target));
            }
            let start = course.at(0.0).value;
            if !kind.allowed().number(start) {
                let allowed = kind.allowed();
                return Err(address.subject().fails(None, Fault::BadStart { value: start, allowed }));
            }
            (kind.bind)(&mut plan, &address, course.clone())?;
            plan.drives.push(Bound { path: target.clone(), course: course.clone(), needs: kind.needs });
        }
        for (body, guided) in std::mem::take(&mut plan.guided) {
            plan.bodies[body].kind = MotionKind::Prescribed(Arc::new(guided));
        }
        Ok(plan)
    }

    /// Whether a mass or gravity is driven, so that energy changes by itself.
    pub(crate) fn changes_energy(&self) -> bool {
        self.gravity_in_time.iter().chain(&self.mass_in_time).any(Option::is_some)
    }

    /// Returns the index of the body that a drive names.
    pub(super) fn body(&self, at: &Address) -> Result<usize, BuildError> {
        let names: Vec<&str> = self.bodies.iter().map(|b| b.name.as_str()).collect();
        at.subject().find("target", "body", &at.name, &names)
    }

    /// Drives a coordinate of a joint; whether it exists is checked when the joints are built.
    pub(super) fn drive_joint(&mut self, at: &Address, course: Arc<dyn Course>) {
        self.joints.push(DrivenJoint { joint: at.name.clone(), what: at.word, course });
    }

    /// Returns a quantity that follows the function of the drive which is being put in.
    pub(super) fn in_time(&self, course: Arc<dyn Course>) -> InTime {
        InTime { initial: course.at(0.0).value, course, drive: self.drives.len() }
    }
}

/// Returns an error if a function of time takes an invalid value in a run that ends at `end` [s].
pub(crate) fn check(subject: &str, course: &dyn Course, needs: Needs, end: f64) -> Result<(), RunError> {
    needs.check(course, end).map_err(|Trouble { t, what, allowed }| RunError::Drive {
        subject: subject.to_owned(),
        t,
        what,
        allowed,
    })
}
