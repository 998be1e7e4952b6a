//! Drives put into the descriptions of a model, before it is made of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use carom_base::Vec3;

use super::Drive;
use super::target::{Address, Target};
use crate::body::{Body, Guided, Kind};
use crate::coordinate::{COORDINATES, Coordinate};
use crate::course::{Course, Needs, Trouble};
use crate::error::{BuildError, Fault, RunError};

/// A drive in a model.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    /// the path of its target
    pub(crate) path: String,
    pub(crate) course: Arc<dyn Course>,
    pub(crate) needs: Needs,
}

/// A number in time.
#[derive(Clone, Debug)]
pub(crate) struct InTime {
    pub(crate) course: Arc<dyn Course>,
    /// at t = 0
    pub(crate) initial: f64,
    /// which of the model's drives it is
    pub(crate) drive: usize,
}

impl InTime {
    /// How many times what it was at t = 0.
    pub(crate) fn factor(&self, t: f64) -> f64 {
        self.course.at(t).value / self.initial
    }
}

/// Bodies and gravity as described, with the numbers drives give them at t = 0, and their courses.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) bodies: Vec<Body>,
    pub(crate) gravity: Vec3,
    pub(crate) gravity_in_time: [Option<InTime>; 3],
    /// of each body
    pub(crate) mass_in_time: Vec<Option<InTime>>,
    /// of fixed bodies that are moved
    pub(crate) guided: BTreeMap<usize, Guided>,
    pub(crate) drives: Vec<Bound>,
    pub(crate) joints: Vec<DrivenJoint>,
}

/// A coordinate of a joint that is driven.
#[derive(Clone, Debug)]
pub(crate) struct DrivenJoint {
    /// its name
    pub(crate) joint: String,
    /// the name of a coordinate, or `speed`, or the word for a force or couple along a coordinate
    pub(crate) what: &'static str,
    pub(crate) course: Arc<dyn Course>,
}

impl DrivenJoint {
    /// The coordinate that a force or couple in time acts along; `None`: it is the motion that is driven.
    pub(crate) fn pushes(&self) -> Option<&'static str> {
        let pushed = |c: &&Coordinate| c.pushed.is_some_and(|push| push.name == self.what);
        COORDINATES.iter().find(pushed).map(|c| c.names.name)
    }
}

impl Plan {
    /// The descriptions with the drives in them.
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
            plan.bodies[body].kind = Kind::Prescribed(Arc::new(guided));
        }
        Ok(plan)
    }

    /// Whether a mass or gravity is driven.
    pub(crate) fn changes_energy(&self) -> bool {
        self.gravity_in_time.iter().chain(&self.mass_in_time).any(Option::is_some)
    }

    /// The body a drive speaks of.
    pub(super) fn body(&self, at: &Address) -> Result<usize, BuildError> {
        let names: Vec<&str> = self.bodies.iter().map(|b| b.name.as_str()).collect();
        at.subject().find("target", "body", &at.name, &names)
    }

    /// Drives a coordinate of a joint: whether there is one, is known when the joints are.
    pub(super) fn drive_joint(&mut self, at: &Address, course: Arc<dyn Course>) {
        self.joints.push(DrivenJoint { joint: at.name.clone(), what: at.word, course });
    }

    /// The course of the drive that is being put in, as that of a number in time.
    pub(super) fn in_time(&self, course: Arc<dyn Course>) -> InTime {
        InTime { initial: course.at(0.0).value, course, drive: self.drives.len() }
    }
}

/// The trouble a course makes in a run that ends at `end`.
pub(crate) fn check(subject: &str, course: &dyn Course, needs: Needs, end: f64) -> Result<(), RunError> {
    needs.check(course, end).map_err(|Trouble { t, what, allowed }| RunError::Drive {
        subject: subject.to_owned(),
        t,
        what,
        allowed,
    })
}
