//! Joints with clearance: a journal in a bearing, a ball in a socket, a slider in a guide.
//!
//! Nothing holds the bodies but contact: a joint with clearance is surfaces on its two bodies and rules for them, put into the descriptions before a
//! model is made of them. So every law of normal force and friction serves, and touches and releases are located as all are. The surfaces have no mass and touch
//! nothing but each other.
//!
//! | joint | inner surface, on the first body | outer, on the second |
//! |---|---|---|
//! | revolute | a ball of the journal's radius | the inside of a ball: a joint in the plane, whose length does not matter |
//! | revolute with a length L | a cylinder, longer than the bearing | the inside of a cylinder of length L; collars (planes) if it is held along its axis |
//! | spherical | a ball | the inside of a ball |
//! | prismatic | balls at the corners of the slider, four in the plane, eight with a height | the inside of a long box |

mod journal;
mod surfaces;

use std::sync::Arc;

use carom_base::{Mat3, Pose, Vec3};
use carom_law::{Friction, Normal};

use crate::body::{Body, SurfaceSpec, orientation};
use crate::error::{BuildError, Subject};
use crate::joint::{Given, Joint};
use crate::rule::{ContactRule, Endpoint, FrictionAt};
use crate::wear::{Bearing, Wear};

pub(crate) use journal::Journal;
use surfaces::Side;

/// A joint that has play: revolute, spherical or prismatic.
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
    /// The joint with play `gap` [m] > 0: radial, of a slider on each side.
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

    /// The radius of the journal or ball [m]; of a slider, that its corners are rounded with.
    pub fn radius(mut self, radius: f64) -> Clearance {
        self.radius = Some(radius);
        self
    }

    /// The length of the bearing [m]: the journal may then lie askew in it; or that of the slider.
    pub fn length(mut self, length: f64) -> Clearance {
        self.length = Some(length);
        self
    }

    /// The length of the journal [m], of a revolute joint with a length; left out: twice that of the bearing. Without collars it must be long enough for all the travel along the axis, as a
    /// shaft or pole is that a sleeve runs along.
    pub fn journal_length(mut self, length: f64) -> Clearance {
        self.journal_length = Some(length);
        self
    }

    /// The width of a slider [m], and its height; without a height it moves in the plane.
    pub fn section(mut self, width: f64, height: Option<f64>) -> Clearance {
        (self.width, self.height) = (Some(width), height);
        self
    }

    /// The direction of a slider's width, world frame, as the bodies start; without it that of z × axis.
    pub fn across(mut self, direction: [f64; 3]) -> Clearance {
        self.across = Some(direction.into());
        self
    }

    /// Held along the axis as well, with this play on each side [m]: of a revolute joint with a length.
    pub fn axial(mut self, gap: f64) -> Clearance {
        self.axial = Some(gap);
        self
    }

    /// What the two sides are made of: names of materials of the model.
    pub fn materials(mut self, inner: &str, outer: &str) -> Clearance {
        self.materials = [Some(inner.to_owned()), Some(outer.to_owned())];
        self
    }

    /// The normal law.
    pub fn normal(self, law: impl Normal + 'static) -> Clearance {
        self.normal_arc(Arc::new(law))
    }

    /// The same for a law that is shared.
    pub fn normal_arc(mut self, law: Arc<dyn Normal>) -> Clearance {
        self.rule = self.rule.normal_arc(law);
        self
    }

    /// The normal law at the collars; without it that of the barrel.
    pub fn axial_normal_arc(mut self, law: Arc<dyn Normal>) -> Clearance {
        self.axial_normal = Some(law);
        self
    }

    /// The friction law.
    pub fn friction(self, law: impl Friction + 'static) -> Clearance {
        self.friction_arc(Arc::new(law))
    }

    /// The same for a law that is shared.
    pub fn friction_arc(mut self, law: Arc<dyn Friction>) -> Clearance {
        self.rule = self.rule.friction_arc(law);
        self
    }

    /// See [`ContactRule::friction_at`].
    pub fn friction_at(mut self, at: FrictionAt) -> Clearance {
        self.rule = self.rule.friction_at(at);
        self
    }

    /// Wear: its volume, and of a revolute joint the depth over the bearing's angle, from the direction `across` on about the axis. A joint without a length
    /// needs that of what is worn, [`Wear::length`].
    pub fn wear(mut self, wear: Wear) -> Clearance {
        self.wear = Some(wear);
        self
    }

    /// See [`ContactRule::min_impact_speed`].
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

    /// Its frame on both bodies, z along its axis, x across.
    fn frames(&self, bodies: [&Body; 2]) -> Result<[Pose; 2], BuildError> {
        let mut frames = [Pose::identity(); 2];
        for (end, body) in bodies.into_iter().enumerate() {
            let q = orientation(&body.subject(), body.orientation)?;
            let p = match self.joint.point {
                Given::World(p) => q.inverse() * (p - body.position),
                Given::Bodies(p) => p[end],
                Given::NotGiven => return Err(self.needs("`point`, or `point_a` and `point_b`")),
            };
            let axis = match self.joint.axis {
                Given::World(v) => Some(v),
                Given::Bodies(v) => Some(q * v[end]),
                Given::NotGiven => None,
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

    /// Right-handed axes: z, and x as near as can be to what is asked for.
    fn triad(&self, x: &Vec3, z: &Vec3) -> Result<Mat3, BuildError> {
        let unit = |v: Vec3| Some(v / v.norm()).filter(|u| u.iter().all(|c| c.is_finite()));
        let text = |v: &Vec3| format!("[{}, {}, {}]", v.x, v.y, v.z);
        let z = unit(*z).ok_or_else(|| self.bad("axis", text(z), "a direction"))?;
        // along z itself any x will do
        let wanted = if self.across.is_none() && x.norm() < 1e-9 { Vec3::x() } else { *x };
        let x = unit(wanted - z * z.dot(&wanted))
            .ok_or_else(|| self.bad("across", text(x), "a direction across the axis"))?;
        Ok(Mat3::from_columns(&[x, z.cross(&x), z]))
    }

    /// Puts its surfaces on the bodies, and its rules to the others.
    fn put(&self, bodies: &mut [Body], rules: &mut Vec<ContactRule>) -> Result<(), BuildError> {
        let names: Vec<&str> = bodies.iter().map(|b| b.name.as_str()).collect();
        let index = |name: &String| self.subject().find("between", "body", name, &names);
        let ends = [index(&self.joint.between[0])?, index(&self.joint.between[1])?];
        if ends[0] == ends[1] {
            let value = format!("body `{}` twice", self.joint.between[0]);
            return Err(self.bad("between", value, "two bodies"));
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

    /// The bearing whose profile wears, if it is one.
    fn bearing(&self) -> Result<Option<Bearing>, BuildError> {
        let Some(wear) = self.wear.as_ref().filter(|_| self.joint.kind.name() == "revolute") else {
            return Ok(None);
        };
        if matches!(self.joint.axis, Given::NotGiven) {
            return Err(self.needs("`axis`, or `axis_a` and `axis_b`, for its wear"));
        }
        let none = "a `length`, its own or that of its `wear`";
        let length = self.length.or(wear.length).ok_or_else(|| self.needs(none))?;
        let radius = self.needed("radius", self.radius)? + self.gap;
        Ok(Some(Bearing { radius, length, play: self.gap, ends: if self.length.is_some() { 2 } else { 1 } }))
    }

    /// Adds a surface to a body, unless it is there, and gives its name.
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

/// Bodies and rules with what joints with clearance add to them.
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
