//! Limits of the coordinates that a joint leaves free: their description by the user, and the stops that they become in
//! a model.
//!
//! A stop is a separate contact (`stop`): it has a normal law, its touches and releases are located in time, and it
//! enters the energy balance and the results like other contacts.

use std::sync::Arc;

use carom_base::Vec3;
use carom_base::elementary::{atan2, cos, hypot, sin};
use carom_law::{Meeting, Normal, Stiffness};

use super::constraint::{Constraint, frames};
use super::describe::{Frames, Given, Joint};
use super::measure::{A, B, Measure, Vector};
use super::stop::StopPair;
use crate::coordinate::{COORDINATES, Coordinate, Measured};
use crate::error::{BuildError, Subject};
use crate::rule::{Endpoint, FrictionAt, Rule, adheres};
use crate::world::World;

/// The limits of a joint, as the user describes them.
#[derive(Clone, Debug)]
pub(crate) struct Limits {
    pub(crate) all: Vec<Limit>,
    /// the normal law of the stops
    pub(crate) law: Option<Arc<dyn Normal>>,
    /// ρ: distance from the axis at which the stops of angles act [m]
    pub(crate) radius: f64,
    pub(crate) min_impact_speed: f64,
}

/// A limit of a coordinate.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Limit {
    /// the name of the coordinate
    pub(crate) coordinate: String,
    pub(crate) side: Side,
    /// the limiting value [rad] or [m]
    pub(crate) bound: f64,
}

/// The side on which a coordinate is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Lower,
    Upper,
}

impl Side {
    /// Returns the one-line description of a limit on this side of a coordinate; `None` if there can be none.
    fn of(self, c: &Coordinate) -> Option<&'static str> {
        if self == Side::Lower { c.least } else { c.greatest }
    }
}

impl Limit {
    /// Returns the key of the limit in a scene.
    fn key(&self, c: &Coordinate) -> &'static str {
        if self.side == Side::Lower { c.names.min } else { c.names.max }
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { all: Vec::new(), law: None, radius: 1.0, min_impact_speed: 1e-3 }
    }
}

impl Joint {
    /// Sets a stop at the lower limit of a coordinate: it is stopped below this value [rad or m], full turns counted.
    /// [`COORDINATES`](crate::COORDINATES) lists the names. The law of the stop is set by [`Joint::stop`].
    ///
    /// ```
    /// use carom::prelude::*;
    /// let hinge = Joint::between("door", "frame", Revolute).at([0.0; 3]).axis([0.0, 0.0, 1.0]);
    /// let hinge = hinge.lower("angle", 0.0).upper("angle", 1.9).stop(HuntCrossley::restitution(0.3)?.stiffness(1e6));
    /// # let _ = hinge;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn lower(self, coordinate: &str, bound: f64) -> Joint {
        self.limited(coordinate, Side::Lower, bound)
    }

    /// Sets a stop at the upper limit of a coordinate: it is stopped above this value [rad or m], full turns counted.
    /// For a spherical joint `swing`, the angle between the axis of one body and that of the other, can be limited.
    pub fn upper(self, coordinate: &str, bound: f64) -> Joint {
        self.limited(coordinate, Side::Upper, bound)
    }

    /// Sets the normal law of the stops; its stiffness must be given.
    pub fn stop(self, law: impl Normal + 'static) -> Joint {
        self.stop_arc(Arc::new(law))
    }

    /// Sets a normal law that is shared as the law of the stops; its stiffness must be given.
    pub fn stop_arc(mut self, law: Arc<dyn Normal>) -> Joint {
        self.limits.law = Some(law);
        self
    }

    /// Sets the distance from the axis at which the stops of angles act [m], 1 m by default: δ = ρ (θ − limit).
    pub fn stop_radius(mut self, radius: f64) -> Joint {
        self.limits.radius = radius;
        self
    }

    /// Sets the impact speed below which the stops do not record an impact speed for their damping [m/s], as that of a
    /// contact.
    pub fn min_impact_speed(mut self, speed: f64) -> Joint {
        self.limits.min_impact_speed = speed;
        self
    }

    fn limited(mut self, coordinate: &str, side: Side, bound: f64) -> Joint {
        self.limits.all.retain(|l| !(l.coordinate == coordinate && l.side == side));
        self.limits.all.push(Limit { coordinate: coordinate.to_owned(), side, bound });
        self
    }
}

/// A stop in a model.
#[derive(Clone, Debug)]
pub(crate) struct Stop {
    /// for example `hinge/max_angle`
    pub(crate) name: String,
    /// indices of A and B
    pub(crate) bodies: [usize; 2],
    pub(crate) rule: usize,
    pub(crate) pair: StopPair,
}

/// Builds the stops of a joint and the contact rule that applies to all of them; `rule`: the rule's index among all
/// rules. Returns no stops and no rule for a joint without limits.
pub(super) fn stops(
    world: &World,
    joint: &Joint,
    constraint: &Constraint,
    rule: usize,
) -> Result<(Vec<Stop>, Option<Rule>), BuildError> {
    let limits = &joint.limits;
    let subject = Subject::Joint(constraint.name.clone());
    let needs = |key, what| subject.needs(joint.kind.name(), key, what);
    let law = match (&limits.law, limits.all.is_empty()) {
        (None, true) => return Ok((Vec::new(), None)),
        (Some(_), true) => return Err(needs(Some("stop"), "a limit, `max_angle` for one, for its `stop`")),
        (None, false) => return Err(needs(None, "`stop`, a normal law with a stiffness, for its limits")),
        (Some(law), false) => law,
    };
    let bad = |field, value: String, allowed| Err(subject.bad(field, value, allowed));
    if let Err(error) = law.check() {
        return bad("stop", format!("this law: {error}"), "a law whose parameters are in range");
    }
    let source = law.stiffness();
    if source.asks_materials() || source.at(0.0, &Meeting::in_point(0.0, 0.0)).is_err() {
        let value = format!("`{}` with a stiffness from materials or curvature", law.name());
        return bad("stop", value, "a law whose `stiffness` is given: a stop has no surface");
    }
    if matches!(source, Stiffness::Layers(_)) {
        let value = format!("`{}`, a law of pressure", law.name());
        return bad("stop", value, "a law of a force: a stop has no surface to press on");
    }
    for (field, x) in [("stop_radius", limits.radius), ("min_impact_speed", limits.min_impact_speed)] {
        if !(x > 0.0 && x.is_finite()) {
            return bad(field, format!("{x}"), "a finite number greater than 0");
        }
    }
    if joint.kind.couples().is_some() {
        return Err(needs(None, "no limits: limit one of the joints that it couples"));
    }
    let bodies = [constraint.bodies[A], constraint.bodies[B]];
    let frames = frames(world, joint, &subject, bodies)?;
    let mut found = Vec::new();
    for limit in &limits.all {
        let named = |c: &&Coordinate| c.names.name == limit.coordinate;
        let own = joint.kind.limited().iter().find(named);
        let Some(key) = own.or_else(|| COORDINATES.iter().find(named)).map(|c| limit.key(c)) else {
            let value = format!("of `{}`, which is no coordinate", limit.coordinate);
            return bad("limit", value, "limits of coordinates that the joint leaves free");
        };
        if !limit.bound.is_finite() {
            return bad(key, format!("{}", limit.bound), "a finite number");
        }
        let opposite = limits.all.iter().find(|l| l.coordinate == limit.coordinate && l.side == Side::Lower);
        if limit.side == Side::Upper && opposite.is_some_and(|lower| !(lower.bound < limit.bound)) {
            return bad(key, format!("{}", limit.bound), "a number above the lower limit");
        }
        let Some(coordinate) = own.filter(|c| limit.side.of(c).is_some()) else {
            let value = format!("given: a {} joint leaves no {} free", joint.kind.name(), limit.coordinate);
            return bad(key, value, "limits of coordinates that the joint leaves free");
        };
        if coordinate.measured == Measured::Swing && joint.axis == Given::Omitted {
            return Err(needs(Some(key), "`axis`, or `axis_a` and `axis_b`, for `max_swing`"));
        }
        let pair = pair(world, constraint, joint, &frames, limit, coordinate);
        let name = format!("{}/{key}", constraint.name);
        found.push(Stop { name, bodies, rule, pair });
    }
    let rule = Rule {
        none: false,
        may_start_deep: false,
        wear: None,
        name: constraint.name.clone(),
        between: joint.between.clone().map(Endpoint::Body),
        normal: Arc::clone(law),
        friction: None,
        friction_at: FrictionAt::default(),
        resistance: [None, None],
        remembers: false,
        has_memory: false,
        adheres: adheres(&**law),
        min_impact_speed: limits.min_impact_speed,
        solver: None,
        presses: false,
    };
    Ok((found, Some(rule)))
}

/// Builds the contact pair of a limit.
fn pair(
    world: &World,
    constraint: &Constraint,
    joint: &Joint,
    frames: &Frames,
    limit: &Limit,
    coordinate: &Coordinate,
) -> StopPair {
    let rho = joint.limits.radius;
    let (bound, side, name) = (limit.bound, limit.side, limit.key(coordinate));
    let stop = |measure, radius, seen| StopPair { measure, bound, side, radius, seen, name };
    let measure = coordinate.measure(frames);
    match measure {
        Measure::Between { e, .. } => {
            let (peg, d) = peg(frames, A, &frames.axes[A][2], rho);
            stop(Measure::Between { d, e }, rho, (A, peg))
        }
        Measure::Angle { x: Vector::On(of, x), .. } if parts_across(constraint) => {
            stop(measure, rho, (of, frames.points[of] + x * rho))
        }
        // the axis about which a body turns is its own or the other body's: the direction that is measured stays
        // perpendicular to the axis that it is measured from, and is the arm
        Measure::Angle { x: Vector::On(of, x), y, z, .. } if joint.kind.has_second_axis() => {
            let (peg, x) = peg(frames, of, &x, rho);
            // the line from A to B has the opposite direction, so y and z change their signs
            let sign = if of == A { 1.0 } else { -1.0 };
            let measure = Measure::Angle { x, from: 1 - of, y: y * sign, z: z * sign };
            stop(measure, rho, (of, peg))
        }
        Measure::Angle { .. } => {
            let [of_a, y, z] = side_of_mass(world, constraint, frames);
            let (peg, x) = peg(frames, A, &of_a, rho);
            stop(Measure::Angle { x, from: B, y, z }, rho, (A, peg))
        }
        Measure::Dot { .. } => stop(measure, 1.0, (A, frames.points[A])),
    }
}

/// Whether the bodies may move apart in the plane perpendicular to the axis: a force at a peg is no couple then.
fn parts_across(constraint: &Constraint) -> bool {
    constraint.coordinates.iter().any(|c| c.0.is_across())
}

/// Returns a peg at the distance ρ from the joint along a direction of one body, and the line between it and the other
/// body's point of the joint, from B to A.
fn peg(frames: &Frames, on: usize, direction: &Vec3, rho: f64) -> (Vec3, Vector) {
    let mut points = frames.points;
    points[on] += direction * rho;
    (points[on], Vector::Between(points))
}

/// Finds the side of the axis on which the centre of mass of A is, or that of B where A does not move by its forces.
/// Returns a direction of A, and the directions of B by which an angle from there is measured.
fn side_of_mass(world: &World, constraint: &Constraint, frames: &Frames) -> [Vec3; 3] {
    let end = if world.is_dynamic(constraint.bodies[A]) { A } else { B };
    let centre = -frames.points[end];
    let [x, y, _] = frames.axes[end];
    let (c, s) = (centre.dot(&x), centre.dot(&y));
    // where the centre of mass is on the axis, any side serves
    let beta: f64 = if hypot(c, s) > 1e-9 * centre.norm() { atan2(s, c) } else { 0.0 };
    let side = |[x, y, _]: [Vec3; 3], beta: f64| x * cos(beta) + y * sin(beta);
    let across = beta + std::f64::consts::FRAC_PI_2;
    [side(frames.axes[A], beta), side(frames.axes[B], across), side(frames.axes[B], beta)]
}
