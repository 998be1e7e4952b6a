//! A constraint of a model: its bodies, its equations, and the coordinates it leaves free.

use std::sync::Arc;

use carom_base::elementary::acos;
use carom_base::{Vec3, inverse};

use super::describe::{Equations, Frames, Given, Glyph, Joint};
use super::equation::{Equation, Level, Rows, Term};
use super::friction::JointFrictionTerm;
use super::measure::{A, B, Measure};
use super::moving::Moving;
use super::rolling::{self, Touching};
use crate::coordinate::Coordinate;
use crate::course::Course;
use crate::error::{BuildError, Subject};
use crate::state::Kinematics;
use crate::world::{BodyKind, World};

/// A constraint between bodies: a joint, a gear, or a drive of a joint's coordinate.
#[derive(Clone, Debug)]
pub(crate) struct Constraint {
    pub(crate) name: String,
    /// indices of A, B and, for a gear, the bodies of the second joint; no body twice
    pub(crate) bodies: Vec<usize>,
    pub(crate) equations: Vec<Equation>,
    /// number of scalar equations; an entry of `equations` may have several
    pub(crate) rows: usize,
    /// the point of B at which reactions are reported, from its centre of mass [m]
    pub(crate) point: Vec3,
    /// the coordinates it leaves free, and how each is measured
    pub(crate) coordinates: Vec<(Coordinate, Measure)>,
    /// whether its reactions may do net work: it is a drive, or one of its bodies has a prescribed motion
    pub(crate) may_do_work: bool,
    /// how it is drawn, if it is at a point of its bodies
    pub(crate) drawing: Option<JointDrawing>,
}

/// How a joint is drawn: its glyph, and the points and axis at which it is drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JointDrawing {
    pub(crate) kind: &'static str,
    pub(crate) glyph: Glyph,
    /// the joint's points on A and B, from their centres of mass, in their axes [m]
    pub(crate) points: [Vec3; 2],
    /// the joint's axis, in the axes of B
    pub(crate) axis: Option<Vec3>,
}

impl Constraint {
    /// Builds the constraint of a joint; the bodies of `world` must exist already. `earlier`: the joints before it, to
    /// which a gear may refer; `counters`: the number of angles so far whose full turns are counted.
    pub(crate) fn new(
        world: &World,
        joint: &Joint,
        earlier: &[Constraint],
        counters: &mut usize,
    ) -> Result<Constraint, BuildError> {
        let name = joint.label();
        let subject = Subject::Joint(name.clone());
        if let Some(ratio) = joint.kind.couples() {
            if joint.friction.is_some() {
                let what = "no `friction`: give it to the joints that it joins";
                return Err(subject.needs(joint.kind.name(), Some("friction"), what));
            }
            return gear(name, &subject, joint, ratio, earlier, counters, world);
        }
        if joint.kind.rolls() {
            return rolling::constraint(name, &subject, joint, world);
        }
        let names: Vec<&str> = world.body_names().collect();
        let mut ends = [0; 2];
        for (index, body) in ends.iter_mut().zip(&joint.between) {
            *index = subject.find("between", "body", body, &names)?;
        }
        if ends[0] == ends[1] {
            return Err(subject.bad("between", format!("body `{}` twice", joint.between[0]), "two bodies"));
        }
        moves_by_forces(world, &ends, &subject, &joint.between)?;
        let frames = frames(world, joint, &subject, ends)?;
        let mut equations = Equations::new(frames);
        joint.kind.constrain(&frames, &mut equations);
        let Equations { all, .. } = equations;
        let mut constraint = Constraint {
            name,
            bodies: ends.to_vec(),
            rows: all.iter().map(Equation::rows).sum(),
            equations: all,
            point: frames.points[B],
            coordinates: joint.kind.coordinates().iter().map(|c| (*c, c.measure(&frames))).collect(),
            may_do_work: moved(world, &ends),
            drawing: Some(JointDrawing {
                kind: joint.kind.name(),
                glyph: joint.kind.glyph(),
                points: frames.points,
                axis: joint.kind.has_axis().then(|| frames.axes[B][2]),
            }),
        };
        constraint.count(counters);
        Ok(constraint)
    }

    /// Returns the friction terms of this joint, which is the `index`th of the model.
    pub(crate) fn frictions(
        &self,
        world: &World,
        joint: &Joint,
        index: usize,
    ) -> Result<Vec<JointFrictionTerm>, BuildError> {
        // (gears and rolling surfaces have refused friction before)
        let Some(friction) = &joint.friction else { return Ok(Vec::new()) };
        let ends = [self.bodies[A], self.bodies[B]];
        let frames = frames(world, joint, &Subject::Joint(self.name.clone()), ends)?;
        let couples = self.equations.iter().any(Equation::carries_couples);
        JointFrictionTerm::of(&*joint.kind, friction, &frames, (index, &self.name), ends, couples)
    }

    /// Builds the drive of the coordinate `what` of this joint; `what` may be `speed`, the rate of its only coordinate.
    pub(crate) fn driven(&self, what: &str, course: Arc<dyn Course>) -> Result<Constraint, BuildError> {
        let (level, found) = match what {
            "speed" => (Level::Rate, self.coordinates.first().filter(|_| self.coordinates.len() == 1)),
            _ => (Level::Value, self.coordinate(what)),
        };
        let Some(&(_, measure)) = found else {
            let why = match what {
                "speed" => {
                    "the joint has no coordinate, or more than one: drive one of them by its name".to_owned()
                }
                name => format!("the joint leaves no {} free", name.replace('_', " ")),
            };
            return Err(Subject::Drive(format!("joint/{}/{what}", self.name)).impossible(None, why));
        };
        Ok(Constraint {
            name: format!("{}/{what}", self.name),
            bodies: self.bodies.clone(),
            equations: vec![Equation::Follow { measure, course, level }],
            rows: 1,
            point: self.point,
            coordinates: Vec::new(),
            may_do_work: true,
            drawing: None,
        })
    }

    /// Returns the coordinate of that name, if the joint leaves it free.
    pub(crate) fn coordinate(&self, name: &str) -> Option<&(Coordinate, Measure)> {
        self.coordinates.iter().find(|c| c.0.names.name == name)
    }

    /// Whether it is a drive of a coordinate.
    pub(crate) fn is_driven(&self) -> bool {
        self.equations.iter().any(|e| matches!(e, Equation::Follow { .. }))
    }

    /// Returns the rate that the drive prescribes for its coordinate at t [rad/s or m/s].
    pub(crate) fn rate_wanted(&self, t: f64) -> f64 {
        let wanted = |e: &Equation| match e {
            Equation::Follow { course, level: Level::Value, .. } => course.at(t).rate,
            Equation::Follow { course, level: Level::Rate, .. } => course.at(t).value,
            _ => 0.0,
        };
        self.equations.iter().map(wanted).sum()
    }

    /// Whether it is a drive that is moving at t = 0: the rate or the second rate that it prescribes is not zero there.
    pub(crate) fn moves_at_start(&self) -> bool {
        self.equations.iter().any(|e| match e {
            Equation::Follow { course, level, .. } => {
                let now = course.at(0.0);
                now.rate != 0.0
                    || (now.second != 0.0 && *level == Level::Value)
                    || (now.value != 0.0 && *level == Level::Rate)
            }
            _ => false,
        })
    }

    /// Assigns counter indices to the angles whose full turns are counted.
    fn count(&mut self, counters: &mut usize) {
        for equation in &mut self.equations {
            let Equation::Sum(terms, _) = equation else { continue };
            for counter in terms.iter_mut().filter_map(|t| t.counter.as_mut()) {
                *counter = *counters;
                *counters += 1;
            }
        }
    }

    /// Returns the terms whose full turns are counted, each with the index of its counter.
    pub(crate) fn counted(&self) -> impl Iterator<Item = (&Term, usize)> {
        let terms = self.equations.iter().flat_map(|e| match e {
            Equation::Sum(terms, _) => terms.as_slice(),
            _ => &[],
        });
        terms.filter_map(|term| Some((term, term.counter?)))
    }

    /// Returns the pairs of surfaces that roll on one another by this constraint.
    pub(crate) fn rolling(&self) -> impl Iterator<Item = &Touching> {
        self.equations.iter().filter_map(|e| match e {
            Equation::Roll(touching) => Some(&**touching),
            _ => None,
        })
    }

    /// Returns the point at which its reaction is reported, in the world [m]: a point of B, or the point where rolling
    /// surfaces touch. `bodies`: the state of its first two bodies.
    pub(crate) fn reaction_point(&self, bodies: [&Moving; 2]) -> Vec3 {
        let b = bodies[B];
        let spot = self.rolling().next().and_then(|touching| touching.spot(bodies));
        spot.map_or_else(|| b.x + b.r * self.point, |spot| spot.p[B])
    }

    /// Whether its first three rows are forces along the world axes and the other rows couples only, which makes the
    /// products of S cheaper.
    pub(crate) fn along_axes(&self) -> bool {
        matches!(&self.equations[..], [Equation::Meet(_), others @ ..] if others.iter().all(Equation::only_turns))
    }

    /// Writes all its rows to `out`; `bodies`: the states of `self.bodies`, in that order.
    #[inline(always)]
    pub(crate) fn evaluate<S: carom_base::Scalar>(
        &self,
        t: f64,
        bodies: &[&Moving<S>],
        turns: &[f64],
        out: &mut impl Rows<S>,
    ) {
        for equation in &self.equations {
            equation.evaluate(t, bodies, turns, out);
        }
    }
}

/// Whether the motion of one of the bodies is prescribed.
pub(crate) fn moved(world: &World, bodies: &[usize]) -> bool {
    bodies.iter().any(|&b| matches!(world.bodies[b].kind, BodyKind::Prescribed(_)))
}

/// Returns an error unless at least one of the bodies moves by its forces: the constraint would have no effect
/// otherwise.
pub(crate) fn moves_by_forces(
    world: &World,
    bodies: &[usize],
    subject: &Subject,
    between: &[String; 2],
) -> Result<(), BuildError> {
    if bodies.iter().any(|&b| world.is_dynamic(b)) {
        return Ok(());
    }
    let value = format!("`{}`, neither of which moves by its forces", between.join("` and `"));
    Err(subject.bad("between", value, "bodies of which one moves by its forces"))
}

/// Builds the constraint of a gear, q₁ + ratio · q₂ = its value in the initial state.
fn gear(
    name: String,
    subject: &Subject,
    joint: &Joint,
    ratio: f64,
    earlier: &[Constraint],
    counters: &mut usize,
    world: &World,
) -> Result<Constraint, BuildError> {
    let names: Vec<&str> = earlier.iter().map(|h| h.name.as_str()).collect();
    let (mut bodies, mut terms) = (Vec::new(), Vec::new());
    let mut point = Vec3::zeros();
    for (wanted, factor) in joint.between.iter().zip([1.0, ratio]) {
        let other = &earlier[subject.find("between", "joint before it", wanted, &names)?];
        let [(coordinate, measure)] = other.coordinates[..] else {
            let allowed = "joints that leave one coordinate free, as a hinge or a slide";
            return Err(subject.bad("between", format!("joint `{wanted}`"), allowed));
        };
        let ends = [A, B].map(|end| {
            let body = other.bodies[end];
            bodies.iter().position(|b| *b == body).unwrap_or_else(|| {
                bodies.push(body);
                bodies.len() - 1
            })
        });
        let counter = coordinate.counts_turns().then_some(0);
        terms.push(Term { factor, measure, ends, counter });
        point = other.point;
    }
    let at = |body: usize| {
        let b = &world.bodies[body];
        Moving::new(b, &Kinematics::new(b, 0.0, &world.initial_state()), 0.0)
    };
    let at: Vec<Moving> = bodies.iter().map(|&b| at(b)).collect();
    let start = |t: &Term| t.factor * t.measure.at(t.ends.map(|i| &at[i])).value;
    let level = terms.iter().map(start).sum();
    let may_do_work = moved(world, &bodies);
    let equations = vec![Equation::Sum(terms, level)];
    let coordinates = Vec::new();
    let mut constraint =
        Constraint { name, bodies, equations, rows: 1, point, coordinates, may_do_work, drawing: None };
    constraint.count(counters);
    Ok(constraint)
}

/// Finds the points and the frames of a joint on its two bodies, from what was given for it.
pub(crate) fn frames(
    world: &World,
    joint: &Joint,
    subject: &Subject,
    ends: [usize; 2],
) -> Result<Frames, BuildError> {
    let k = ends.map(|body| Kinematics::new(&world.bodies[body], 0.0, &world.initial_state()));
    let to_body = |end: usize, v: &Vec3| inverse(&k[end].x.r).1 * v;
    let needs = |key, what| subject.needs(joint.kind.name(), key, what);
    let points = match joint.point {
        Given::World(_) if joint.kind.has_two_points() => {
            return Err(needs(Some("point"), "`point_a` and `point_b`, not `point`"));
        }
        Given::World(p) => {
            subject.finite("point", &p)?;
            [A, B].map(|end| to_body(end, &(p - k[end].x.p)))
        }
        Given::Bodies(points) => {
            subject.finite("point_a", &points[A])?;
            subject.finite("point_b", &points[B])?;
            [A, B].map(|end| points[end] - world.bodies[ends[end]].centre)
        }
        Given::Omitted if joint.kind.has_two_points() => [A, B].map(|end| -world.bodies[ends[end]].centre),
        Given::Omitted if !joint.kind.has_point() => {
            let p = k[A].x.point(&-world.bodies[ends[A]].centre);
            [A, B].map(|end| to_body(end, &(p - k[end].x.p)))
        }
        Given::Omitted => return Err(needs(None, "`point`, or `point_a` and `point_b`")),
    };
    let given = |what: &Given, field: &'static str| -> Result<Option<[Vec3; 2]>, BuildError> {
        let axes = match what {
            Given::Omitted => return Ok(None),
            Given::World(v) => [*v; 2],
            Given::Bodies(v) => [A, B].map(|end| k[end].x.r * v[end]),
        };
        for v in &axes {
            if !(v.norm() > 0.0 && v.norm().is_finite()) {
                let value = format!("[{}, {}, {}]", v.x, v.y, v.z);
                return Err(subject.bad(field, value, "a direction: finite, not all three 0"));
            }
        }
        Ok(Some(axes.map(|v| v.normalize())))
    };
    let z = match given(&joint.axis, "axis")? {
        None if joint.kind.has_axis() => return Err(needs(None, "`axis`, or `axis_a` and `axis_b`")),
        z => z.unwrap_or([Vec3::z(); 2]),
    };
    let second = given(&joint.second_axis, "second_axis")?;
    let axes = match (joint.kind.has_second_axis(), second, &joint.axis) {
        (false, None, _) => triads(z),
        (false, Some(_), _) => return Err(needs(Some("second_axis"), "no `second_axis`")),
        // two axes were given: the first is that of A, the second that of B
        (true, None, Given::Bodies(_)) => crossed(z[A], z[B]),
        (true, None, _) => return Err(needs(None, "`second_axis`, or `axis_a` and `axis_b`")),
        (true, Some(y), _) => {
            let cosine = z[A].dot(&y[B]);
            if cosine.abs() > 1e-9 {
                let degrees = acos(cosine.clamp(-1.0, 1.0)).to_degrees();
                let value = format!("at {degrees:.3} degrees to `axis`");
                return Err(subject.bad("second_axis", value, "an axis at 90 degrees to `axis`"));
            }
            crossed(z[A], y[B])
        }
    };
    let axes = [A, B].map(|end| axes[end].map(|v| to_body(end, &v)));
    let [p, q] = [A, B].map(|end| k[end].x.p + k[end].x.r * points[end]);
    let distance = (p - q).norm();
    if joint.kind.has_two_points() && !(distance > 0.0) {
        let value = "the same point as `point_b` as the bodies start";
        return Err(subject.bad("point_a", value, "points that are apart"));
    }
    Ok(Frames { points, axes, distance })
}

/// Returns the axes x, y, z of the joint on A and on B: z as given, x of A as close to x of B as possible, y = z × x.
fn triads(z: [Vec3; 2]) -> [[Vec3; 3]; 2] {
    let on_b = triad(z[B], None);
    [triad(z[A], Some(on_b[0])), on_b]
}

/// Returns right-handed axes x, y, z with x perpendicular to z and as close to `near` as possible.
fn triad(z: Vec3, near: Option<Vec3>) -> [Vec3; 3] {
    let across = |v: Vec3| v - z * z.dot(&v);
    let least = Vec3::ith(z.iamin(), 1.0);
    let x = near.map(across).filter(|x| x.norm() > 0.1).unwrap_or_else(|| across(least)).normalize();
    [x, z.cross(&x), z]
}

/// Returns the frames on A and B of a joint with two axes: z on A and y on B as given, y on A and z on B as close to
/// these as possible.
fn crossed(z: Vec3, y: Vec3) -> [[Vec3; 3]; 2] {
    let ([y_a, minus_x, z_a], [z_b, x_b, y_b]) = (triad(z, Some(y)), triad(y, Some(z)));
    [[-minus_x, y_a, z_a], [x_b, y_b, z_b]]
}
