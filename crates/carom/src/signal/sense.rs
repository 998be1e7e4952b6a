//! Quantities of the state that loads and controllers can use by name.

use carom_base::{Scalar, Vec3};

use crate::coordinate::Coordinate;
use crate::error::{BuildError, Subject};
use crate::joint::{A, B, ConstraintSet, Measure, unwrapped};
use crate::loads::Loads;
use crate::slopes::Motions;
use crate::world::World;

/// A number that follows from the state alone: the time, a position or velocity of a body, or a coordinate of a joint or its rate.
#[derive(Clone, Debug)]
pub(crate) enum Sense {
    /// the time [s]
    Time,
    /// an input: a number that a controller or a program sets, constant in between
    Input(usize),
    /// a component of the position of a body's reference point [m]; `point`: that point, from the centre of mass, in the body's axes
    Position { body: usize, point: Vec3, axis: usize },
    /// a component of the velocity of a body's reference point [m/s]
    Velocity { body: usize, point: Vec3, axis: usize },
    /// the speed of a body's reference point [m/s]
    Speed { body: usize, point: Vec3 },
    /// a component of a body's angular velocity, world frame [rad/s]
    Spin { body: usize, axis: usize },
    /// the magnitude of a body's angular velocity [rad/s]
    Turning { body: usize },
    /// a coordinate of a joint [rad or m], with full turns counted by a counter if it is an angle
    Coordinate { bodies: [usize; 2], measure: Measure, counter: Option<usize> },
    /// the rate of a coordinate [rad/s or m/s]
    Rate { bodies: [usize; 2], measure: Measure },
    /// the length of a line between points of two bodies [m]; the points from the centres of mass, in the bodies' axes
    Length { bodies: [usize; 2], points: [Vec3; 2] },
    /// the rate of that length [m/s]
    LengthRate { bodies: [usize; 2], points: [Vec3; 2] },
}

/// The suffixes that name positions and velocities of bodies.
pub(super) const OF_BODIES: &[&str] = &["x", "y", "z", "vx", "vy", "vz", "v", "speed", "wx", "wy", "wz", "w"];
/// Suffixes of quantities that depend on the loads themselves.
const OF_FORCES: &[&str] = &[
    "fx",
    "fy",
    "fz",
    "f",
    "mx",
    "my",
    "mz",
    "m",
    "fn",
    "ft",
    "ftx",
    "fty",
    "ftz",
    "delta",
    "delta_dot",
    "force",
    "torque",
    "power",
    "tension",
    "effort",
    "work",
];
/// Suffixes of accelerations, which depend on the loads too.
const ACCELERATIONS: &[&str] = &["ax", "ay", "az", "a", "alphax", "alphay", "alphaz", "alpha"];

/// What is needed to find quantities by name.
pub(crate) struct Names<'w> {
    pub(crate) world: &'w World,
    pub(crate) constraints: &'w ConstraintSet,
    /// the names of the inputs
    pub(crate) inputs: &'w [String],
    /// names that stand for the length and its rate of a line between these points of these bodies
    pub(crate) line: Option<([usize; 2], [Vec3; 2])>,
}

impl Names<'_> {
    /// Whether a name stands for something else than an input.
    pub(crate) fn is_taken(&self, name: &str) -> bool {
        let of = |(owner, suffix): (&str, &str)| {
            self.of_body(owner, suffix).is_some() || self.of_joint(owner, suffix, &mut 0).is_some()
        };
        ["t", "length", "rate"].contains(&name) || name.rsplit_once('.').is_some_and(of)
    }

    /// Finds the quantity of that name; `counters`: the number of angles so far whose full turns are counted.
    pub(crate) fn find(
        &self,
        subject: &Subject,
        key: &'static str,
        name: &str,
        counters: &mut usize,
    ) -> Result<Sense, BuildError> {
        if name == "t" {
            return Ok(Sense::Time);
        }
        if let Some(i) = self.inputs.iter().position(|input| input == name) {
            return Ok(Sense::Input(i));
        }
        if let (Some((bodies, points)), "length" | "rate") = (self.line, name) {
            return Ok(match name {
                "length" => Sense::Length { bodies, points },
                _ => Sense::LengthRate { bodies, points },
            });
        }
        let found = name.rsplit_once('.').map(|(owner, suffix)| {
            let of_body = self.of_body(owner, suffix);
            let of_joint = self.of_joint(owner, suffix, counters);
            (owner, suffix, of_body, of_joint)
        });
        match found {
            Some((_, _, Some(_), Some(_))) => {
                let why = format!(
                    "`{name}` is a quantity of a body and of a joint of that name: give one another name"
                );
                Err(subject.impossible(Some(key), why))
            }
            Some((_, _, Some(sense), None) | (_, _, None, Some(sense))) => Ok(sense),
            Some((owner, suffix, None, None)) if self.depends_on_loads(owner, suffix) => {
                Err(subject.impossible(Some(key), Names::follows_from_forces(subject, name)))
            }
            _ => Err(subject.fails(Some(key), self.unknown(subject, name))),
        }
    }

    fn of_body(&self, owner: &str, suffix: &str) -> Option<Sense> {
        let body = self.world.body_names().position(|name| name == owner)?;
        let point = -self.world.bodies[body].centre;
        let axis = |letter: Option<&str>| ["x", "y", "z"].iter().position(|a| Some(*a) == letter);
        match suffix {
            "v" | "speed" => Some(Sense::Speed { body, point }),
            "w" => Some(Sense::Turning { body }),
            _ => axis(Some(suffix))
                .map(|axis| Sense::Position { body, point, axis })
                .or_else(|| Some(Sense::Velocity { body, point, axis: axis(suffix.strip_prefix('v'))? }))
                .or_else(|| Some(Sense::Spin { body, axis: axis(suffix.strip_prefix('w'))? })),
        }
    }

    fn of_joint(&self, owner: &str, suffix: &str, counters: &mut usize) -> Option<Sense> {
        let joint = self.constraints.proper().iter().find(|joint| joint.name == owner)?;
        let bodies = [joint.bodies[A], joint.bodies[B]];
        let is_rate = |c: &Coordinate| c.names.rate == suffix;
        let rate = match suffix {
            "rate" => joint.coordinates.first(),
            _ => joint.coordinates.iter().find(|(c, _)| is_rate(c)),
        };
        if let Some((_, measure)) = rate {
            return Some(Sense::Rate { bodies, measure: *measure });
        }
        let (c, measure) = joint.coordinate(suffix)?;
        let counter = c.counts_turns().then(|| {
            *counters += 1;
            *counters - 1
        });
        Some(Sense::Coordinate { bodies, measure: *measure, counter })
    }

    fn depends_on_loads(&self, owner: &str, suffix: &str) -> bool {
        let is_body = self.world.body_names().any(|name| name == owner);
        OF_FORCES.contains(&suffix)
            || (is_body && ACCELERATIONS.contains(&suffix))
            || suffix.ends_with("_second")
    }
}

impl Sense {
    /// Returns the bodies on whose motion it depends.
    pub(crate) fn bodies(&self) -> &[usize] {
        match self {
            Sense::Time | Sense::Input(_) => &[],
            Sense::Position { body, .. }
            | Sense::Velocity { body, .. }
            | Sense::Speed { body, .. }
            | Sense::Spin { body, .. }
            | Sense::Turning { body } => std::slice::from_ref(body),
            Sense::Coordinate { bodies, .. }
            | Sense::Rate { bodies, .. }
            | Sense::Length { bodies, .. }
            | Sense::LengthRate { bodies, .. } => bodies,
        }
    }

    /// Returns a large value of it, by the scales of the model.
    pub(crate) fn large(&self, world: &World) -> f64 {
        let (length, speed) = (world.scale.length, world.scale.speed);
        match self {
            Sense::Time => length / speed,
            // (it does not change within a step: it makes no switch uncertain)
            Sense::Input(_) => 1.0,
            Sense::Position { .. } | Sense::Length { .. } => length,
            Sense::Velocity { .. } | Sense::Speed { .. } | Sense::LengthRate { .. } => speed,
            Sense::Spin { .. } | Sense::Turning { .. } => speed / length,
            Sense::Coordinate { measure, .. } => {
                if measure.is_angle() {
                    1.0
                } else {
                    length
                }
            }
            Sense::Rate { measure, .. } => {
                if measure.is_angle() {
                    speed / length
                } else {
                    speed
                }
            }
        }
    }

    /// Returns its value for these motions.
    pub(crate) fn at<S: Scalar>(&self, motions: &Motions<'_, S>) -> S {
        let magnitude = |v: Vec3<S>| {
            // (the magnitude has no derivative at zero: 0 is as good as any)
            if v.iter().all(|x| x.value() == 0.0) { S::from_f64(0.0) } else { v.dot(&v).sqrt() }
        };
        match self {
            Sense::Time => S::from_f64(motions.t),
            Sense::Input(i) => S::from_f64(motions.loads.inputs[*i]),
            Sense::Position { body, point, axis } => motions.of(*body).point(point).0.w[*axis],
            Sense::Velocity { body, point, axis } => motions.of(*body).point(point).0.rate[*axis],
            Sense::Speed { body, point } => magnitude(motions.of(*body).point(point).0.rate),
            Sense::Spin { body, axis } => motions.of(*body).angular_velocity()[*axis],
            Sense::Turning { body } => magnitude(motions.of(*body).angular_velocity()),
            Sense::Coordinate { bodies, measure, counter } => {
                let [a, b] = bodies.map(|body| motions.of(body));
                let q = measure.at([&a, &b]).value;
                // only whole turns are added, so the derivatives stay
                counter.map_or(q, |i| {
                    let value = q.value();
                    q + S::from_f64(unwrapped(value, motions.loads.turns[i]) - value)
                })
            }
            Sense::Rate { bodies, measure } => {
                let [a, b] = bodies.map(|body| motions.of(body));
                measure.at([&a, &b]).rate
            }
            Sense::Length { bodies, points } => {
                let [(a, _), (b, _)] = [0, 1].map(|i| motions.of(bodies[i]).point(&points[i]));
                magnitude(a.w - b.w)
            }
            Sense::LengthRate { bodies, points } => {
                let [(a, _), (b, _)] = [0, 1].map(|i| motions.of(bodies[i]).point(&points[i]));
                let (d, v) = (a.w - b.w, a.rate - b.rate);
                let length = magnitude(d);
                if length.value() > 0.0 { v.dot(&d) / length } else { length }
            }
        }
    }

    /// Updates its count of full turns from the present positions of the bodies.
    pub(crate) fn count_turns(&self, world: &World, loads: &mut Loads, t: f64) {
        if let Sense::Coordinate { counter: Some(i), .. } = self {
            let q: f64 = self.at(&Motions { world, loads, t, varied: None });
            loads.turns[*i] = q;
        }
    }
}
