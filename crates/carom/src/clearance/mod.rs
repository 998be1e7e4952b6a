//! Joints with clearance: a journal in a bearing, a ball in a socket, a slider in a guide.
//!
//! Only contact connects the bodies: a joint with clearance is a set of surfaces on its two bodies and of contact rules
//! for them, which are added to the descriptions before a model is built from these. So every law of normal force and
//! friction can be used, and touches and releases are located as for all contacts. The surfaces have no mass and touch
//! only each other.
//!
//! | joint | inner surface, on the first body | outer, on the second |
//! |---|---|---|
//! | revolute | a ball of the journal's radius | the inside of a ball: a joint in the plane, whose length does not matter |
//! | revolute with a length L | a cylinder, longer than the bearing | the inside of a cylinder of length L; collars (planes) if motion along its axis is limited |
//! | spherical | a ball | the inside of a ball |
//! | prismatic | balls at the corners of the slider, four in the plane, eight with a height | the inside of a long box |

mod journal;
mod surfaces;

use std::sync::Arc;

use carom_base::{Mat3, Pose, Vec3};
use carom_law::{Friction, Normal};

use crate::body::{Body, SurfaceSpec, orientation};
use crate::error::{BuildError, Fault, Subject};
use crate::joint::{Given, Joint};
use crate::rule::{ContactRule, Endpoint, FrictionAt};
use crate::wear::{Bearing, Wear};

pub(crate) use journal::Journal;
use surfaces::Side;

/// A joint with clearance: revolute, spherical or prismatic.
///
/// ```
/// use carom::prelude::*;
/// let pin = Joint::between("rod", "piston", Revolute).at([0.17, 0.0, 0.0]).axis([0.0, 0.0, 1.0]);
/// let pin = Clearance::new(pin, 0.5e-3)      // [m] of play all round
///     .radius(9.5e-3)                         // of the journal, on the rod [m]
///     .normal(LankaraniNikravesh::restitution(0.9)?.stiffness(6.61e10));
/// # let _ = pin;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Clearance {
    joint: Joint,
    gap: f64,
    radius: Option<f64>,
    length: Option<f64>,
    journal_length: Option<f64>,
    width: Option<f64>,
    height: Option<f64>,
    axial: Option<f64>,
    across: Option<Vec3>,
    materials: [Option<String>; 2],
    rule: ContactRule,
    axial_normal: Option<Arc<dyn Normal>>,
    wear: Option<Wear>,
}

impl Clearance {
    /// Creates the joint with the clearance `gap` [m] > 0: radial, or on each side of a slider.
    pub fn new(joint: Joint, gap: f64) -> Clearance {
        let name = joint.label();
        Clearance {
            rule: ContactRule::between("*", "*").named(&name),
            joint,
            gap,
            radius: None,
            length: None,
            journal_length: None,
            width: None,
            height: None,
            axial: None,
            across: None,
            materials: [None, None],
            axial_normal: None,
            wear: None,
        }
    }

    /// Sets the radius of the journal or ball [m], or the radius with which the corners of a slider are rounded.
    pub fn radius(mut self, radius: f64) -> Clearance {
        self.radius = Some(radius);
        self
    }

    /// Sets the length of the bearing [m], in which the journal may then tilt; or the length of the slider.
    pub fn length(mut self, length: f64) -> Clearance {
        self.length = Some(length);
        self
    }

    /// Sets the length of the journal [m] of a revolute joint with a length; by default twice that of the bearing.
    /// Without collars it must be long enough for the whole travel along the axis, as a shaft or pole is along which a
    /// sleeve slides.
    pub fn journal_length(mut self, length: f64) -> Clearance {
        self.journal_length = Some(length);
        self
    }

    /// Sets the width of a slider [m], and its height [m]; without a height it moves in the plane.
    pub fn section(mut self, width: f64, height: Option<f64>) -> Clearance {
        (self.width, self.height) = (Some(width), height);
        self
    }

    /// Sets the direction of a slider's width, in the world, in the initial state; by default that of z × axis.
    pub fn across(mut self, direction: [f64; 3]) -> Clearance {
        self.across = Some(direction.into());
        self
    }

    /// Limits the motion along the axis as well, with this clearance on each side [m], for a revolute joint with a
    /// length.
    pub fn axial(mut self, gap: f64) -> Clearance {
        self.axial = Some(gap);
        self
    }

    /// Sets the materials of the two sides: names of materials of the model.
    pub fn materials(mut self, inner: &str, outer: &str) -> Clearance {
        self.materials = [Some(inner.to_owned()), Some(outer.to_owned())];
        self
    }

    /// Sets the normal law.
    pub fn normal(self, law: impl Normal + 'static) -> Clearance {
        self.normal_arc(Arc::new(law))
    }

    /// Sets a normal law that is shared.
    pub fn normal_arc(mut self, law: Arc<dyn Normal>) -> Clearance {
        self.rule = self.rule.normal_arc(law);
        self
    }

    /// Sets the normal law at the collars; by default that of the cylinder.
    pub fn axial_normal_arc(mut self, law: Arc<dyn Normal>) -> Clearance {
        self.axial_normal = Some(law);
        self
    }

    /// Sets the friction law.
    pub fn friction(self, law: impl Friction + 'static) -> Clearance {
        self.friction_arc(Arc::new(law))
    }

    /// Sets a friction law that is shared.
    pub fn friction_arc(mut self, law: Arc<dyn Friction>) -> Clearance {
        self.rule = self.rule.friction_arc(law);
        self
    }

    /// Sets the point at which friction acts: see [`ContactRule::friction_at`].
    pub fn friction_at(mut self, at: FrictionAt) -> Clearance {
        self.rule = self.rule.friction_at(at);
        self
    }

    /// Sets the wear: its volume is computed and, for a revolute joint, the worn depth over the angle of the bearing,
    /// which is counted from the direction `across` about the axis. A joint without a length needs the length that is
    /// worn, [`Wear::length`].
    pub fn wear(mut self, wear: Wear) -> Clearance {
        self.wear = Some(wear);
        self
    }

    /// Sets the least impact speed [m/s]: see [`ContactRule::min_impact_speed`].
    pub fn min_impact_speed(mut self, speed: f64) -> Clearance {
        self.rule = self.rule.min_impact_speed(speed);
        self
    }

    fn subject(&self) -> Subject {
        Subject::Joint(self.joint.label())
    }

    fn bad(&self, key: &'static str, value: impl ToString, allowed: &'static str) -> BuildError {
        self.subject().bad(key, value, allowed)
    }

    fn needed(&self, what: &'static str, value: Option<f64>) -> Result<f64, BuildError> {
        self.measure(what, value.ok_or_else(|| self.needs(what))?)
    }

    fn measure(&self, field: &'static str, value: f64) -> Result<f64, BuildError> {
        match value > 0.0 && value.is_finite() {
            true => Ok(value),
            false => Err(self.bad(field, value, "a finite number greater than 0")),
        }
    }

    /// Returns its frame on both bodies, with z along its axis and x along `across`.
    fn frames(&self, bodies: [&Body; 2]) -> Result<[Pose; 2], BuildError> {
        let mut frames = [Pose::identity(); 2];
        for (end, body) in bodies.into_iter().enumerate() {
            let q = orientation(&body.subject(), body.orientation)?;
            let p = match self.joint.point {
                Given::World(p) => q.inverse() * (p - body.position),
                Given::Bodies(p) => p[end],
                Given::Omitted => return Err(self.needs("`point`, or `point_a` and `point_b`")),
            };
            let axis = match self.joint.axis {
                Given::World(v) => Some(v),
                Given::Bodies(v) => Some(q * v[end]),
                Given::Omitted => None,
            };
            let r = match axis {
                None => Mat3::identity(),
                Some(z) => {
                    let x = self.across.unwrap_or_else(|| Vec3::z().cross(&z));
                    q.inverse().to_rotation_matrix().into_inner() * self.triad(&x, &z)?
                }
            };
            frames[end] = Pose { p, r };
        }
        Ok(frames)
    }

    fn needs(&self, what: &'static str) -> BuildError {
        self.subject().needs(self.joint.kind.name(), None, what)
    }

    /// Returns right-handed axes with this z, and x as close as possible to the direction asked for.
    fn triad(&self, x: &Vec3, z: &Vec3) -> Result<Mat3, BuildError> {
        let unit = |v: Vec3| Some(v / v.norm()).filter(|u| u.iter().all(|c| c.is_finite()));
        let text = |v: &Vec3| format!("[{}, {}, {}]", v.x, v.y, v.z);
        let z = unit(*z).ok_or_else(|| self.bad("axis", text(z), "a direction"))?;
        // where the axis is z of the world, any x serves
        let wanted = if self.across.is_none() && x.norm() < 1e-9 { Vec3::x() } else { *x };
        let x = unit(wanted - z * z.dot(&wanted))
            .ok_or_else(|| self.bad("across", text(x), "a direction across the axis"))?;
        Ok(Mat3::from_columns(&[x, z.cross(&x), z]))
    }

    /// Adds its surfaces to the bodies, and its contact rules to `rules`.
    fn put(&self, bodies: &mut [Body], rules: &mut Vec<ContactRule>) -> Result<(), BuildError> {
        let names: Vec<&str> = bodies.iter().map(|b| b.name.as_str()).collect();
        let index = |name: &String| self.subject().find("between", "body", name, &names);
        let ends = [index(&self.joint.between[0])?, index(&self.joint.between[1])?];
        if ends[0] == ends[1] {
            let value = format!("body `{}` twice", self.joint.between[0]);
            return Err(self.bad("between", value, "two bodies"));
        }
        if let Some(key) = self.joint.rotor.key() {
            let why = "a joint with clearance leaves no coordinate free that a rotor could move along: leave out one of the two";
            return Err(self.subject().impossible(Some(key), why));
        }
        let frames = self.frames(ends.map(|i| &bodies[i]))?;
        let label = self.joint.label();
        let mut journal = String::new();
        for (i, pair) in self.pairs()?.into_iter().enumerate() {
            if let Some(inner) = &pair.inner {
                journal = self.add(&mut bodies[ends[0]], inner, &frames[0], 0);
            }
            let outer = self.add(&mut bodies[ends[1]], &pair.outer, &frames[1], 1);
            let mut rule = self.rule.clone();
            rule.between = [(ends[0], journal.clone()), (ends[1], outer)]
                .map(|(body, surface)| Endpoint::Surface(bodies[body].name.clone(), surface));
            if let Some(name) = pair.rule {
                let number = if name == "corner" { (i + 1).to_string() } else { String::new() };
                rule.name = Some(format!("{label}/{name}{number}"));
            }
            (rule.wear, rule.bearing) =
                (self.wear.clone(), pair.rule.is_none().then(|| self.bearing()).transpose()?.flatten());
            if let (true, Some(law)) = (pair.axial, &self.axial_normal) {
                rule = rule.normal_arc(law.clone());
            }
            rules.push(rule);
        }
        Ok(())
    }

    /// Returns the bearing whose profile wears, if the joint is revolute and wears.
    fn bearing(&self) -> Result<Option<Bearing>, BuildError> {
        let Some(wear) = self.wear.as_ref().filter(|_| self.joint.kind.name() == "revolute") else {
            return Ok(None);
        };
        if matches!(self.joint.axis, Given::Omitted) {
            return Err(self.needs("`axis`, or `axis_a` and `axis_b`, for its wear"));
        }
        let none = "a `length`, its own or that of its `wear`";
        let length = self.length.or(wear.length).ok_or_else(|| self.needs(none))?;
        let radius = self.needed("radius", self.radius)? + self.gap;
        Ok(Some(Bearing { radius, length, play: self.gap, ends: if self.length.is_some() { 2 } else { 1 } }))
    }

    /// Adds a surface to a body, unless the body has it already, and returns its name.
    fn add(&self, body: &mut Body, side: &Side, frame: &Pose, end: usize) -> String {
        let name = format!("{}-{}", self.joint.label(), side.name);
        if body.surfaces.iter().any(|s| s.of_joint && s.name.as_ref() == Some(&name)) {
            return name;
        }
        let mut spec = SurfaceSpec::from_arc(side.surface.clone()).named(&name);
        if side.inside {
            spec = spec.inside();
        }
        spec.pose = frame.then(&side.at);
        spec.material = self.materials[end].clone();
        spec.of_joint = true;
        body.surfaces.push(spec);
        name
    }
}

/// Returns an error in words of its own where what is not found is a joint with clearance.
pub(crate) fn explained(error: BuildError, clearances: &[Clearance]) -> BuildError {
    match &*error.fault {
        Fault::UnknownName { what: "joint", name, .. }
            if clearances.iter().any(|c| c.joint.label() == *name) =>
        {
            let why = format!(
                "`{name}` is a joint with clearance: only contact connects its bodies, and it has no coordinate; what acts `between` the two bodies can stand for what was to act on it"
            );
            error.subject.impossible(error.key, why)
        }
        _ => error,
    }
}

/// Returns the bodies and rules with those that joints with clearance add to them.
pub(crate) fn expand(
    clearances: &[Clearance],
    bodies: &[Body],
    rules: &[ContactRule],
) -> Result<(Vec<Body>, Vec<ContactRule>), BuildError> {
    let (mut bodies, mut rules) = (bodies.to_vec(), rules.to_vec());
    for clearance in clearances {
        clearance.put(&mut bodies, &mut rules)?;
    }
    Ok((bodies, rules))
}
