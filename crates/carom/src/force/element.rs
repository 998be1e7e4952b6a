//! A force along coordinates in a model.
//!
//! A coordinate q is a measure of the configuration of two bodies, with its rate and its gradients by what the bodies do (`joint::measure`). A law gives Q(q, q̇); the generalised force on q is −Q, so
//! that each body gets −Q times its gradient, a force and pulls at the ends of arms: on bodies that deform as on rigid ones. The work is −Q q̇, stored is E(q), dissipated (Q − dE/dq) q̇.
//!
//! The turns of angles are counted: a spring that is wound up pulls back all the way.

use std::sync::Arc;

use carom_base::{SpecError, Vec3, inverse};

use super::{Acting, Force, Line, Tension};
use crate::build::{finite, unknown};
use crate::error::BuildError;
use crate::joint::{A, B, Measure, Moving, Place, Row, Vector, unwrapped};
use crate::model::Model;
use crate::state::Kinematics;

/// A force along coordinates of two bodies.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    pub(crate) name: String,
    /// A and B
    pub(crate) bodies: [usize; 2],
    pub(crate) strands: Vec<Strand>,
}

/// One of the coordinates.
#[derive(Clone, Debug)]
pub(crate) struct Strand {
    pub(crate) measure: Measure,
    pub(crate) law: Arc<dyn Line>,
    /// where its turns are counted, if it is an angle
    pub(crate) counter: Option<usize>,
}

/// A coordinate in a state, and what its law makes of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Drawn {
    pub(crate) row: Row,
    /// q, turns counted
    pub(crate) q: f64,
    /// Q
    pub(crate) f: f64,
    /// what it dissipates [W]
    pub(crate) lost: f64,
}

impl Element {
    /// The force of a model whose bodies and joints are there; `counters`: angles whose turns are counted so far.
    pub(crate) fn new(m: &mut Model, force: &Force) -> Result<Element, BuildError> {
        let name = force.label();
        let place = format!("force `{name}`");
        let refused = |source| BuildError::Force { force: name.clone(), source };
        let (bodies, parts) = match &force.joint {
            Some(joint) => {
                let (coordinate, law) = match &force.acting {
                    Acting::Slide(law, coordinate) => (coordinate.as_str(), law),
                    Acting::Torsion(law) => ("angle", law),
                    _ => {
                        return Err(BuildError::ForceNeeds {
                            force: name.clone(),
                            kind: force.acting.kind(),
                            what: "two bodies".to_owned(),
                        });
                    }
                };
                law.check().map_err(refused)?;
                let (bodies, measure) = of_joint(m, &place, joint, coordinate)?;
                (bodies, vec![(measure, Arc::clone(law))])
            }
            None => {
                let bodies = force.bodies(m, &place)?;
                let frame = Frame::new(m, force, &place, bodies)?;
                let parts = match &force.acting {
                    Acting::Torsion(law) => {
                        law.check().map_err(refused)?;
                        vec![(frame.angle(2), Arc::clone(law))]
                    }
                    Acting::Bushing(bushing) => {
                        bushing.check().map_err(refused)?;
                        frame.bushing(bushing).map_err(refused)?
                    }
                    _ => Vec::new(),
                };
                (bodies, parts)
            }
        };
        bodies.iter().for_each(|&body| m.bodies[body].orientation_matters = true);
        let strands = parts.into_iter().map(|(measure, law)| {
            let counter = matches!(measure, Measure::Angle { .. }).then(|| {
                m.wound += 1;
                m.wound - 1
            });
            Strand { measure, law, counter }
        });
        Ok(Element { name, bodies, strands: strands.collect() })
    }

    /// How its bodies move.
    pub(crate) fn moving<'k>(&self, m: &Model, t: f64, k: impl Fn(usize) -> &'k Kinematics) -> [Moving; 2] {
        self.bodies.map(|body| Moving::new(&m.bodies[body], k(body), t))
    }

    /// What it stores [J], its bodies being there; `turns`: angles as they were counted last.
    pub(crate) fn energy(&self, [a, b]: &[Moving; 2], turns: &[f64]) -> f64 {
        self.strands.iter().map(|s| s.law.energy(s.counted(s.measure.at([a, b]).value, turns))).sum()
    }

    /// Counts the turns of its angles.
    pub(crate) fn count(&self, [a, b]: &[Moving; 2], turns: &mut [f64]) {
        for s in &self.strands {
            if let Some(i) = s.counter {
                turns[i] = unwrapped(s.measure.at([a, b]).value, turns[i]);
            }
        }
    }

    /// Whether it dissipates nothing.
    pub(crate) fn is_elastic(&self) -> bool {
        self.strands.iter().all(|s| s.law.is_elastic())
    }
}

impl Strand {
    /// In a state of its bodies.
    #[inline]
    pub(crate) fn at(&self, [a, b]: &[Moving; 2], turns: &[f64]) -> Drawn {
        let row = self.measure.at([a, b]);
        let q = self.counted(row.value, turns);
        let Tension { f, f_elastic } = self.law.tension(q, row.rate);
        Drawn { row, q, f, lost: (f - f_elastic) * row.rate }
    }

    fn counted(&self, value: f64, turns: &[f64]) -> f64 {
        self.counter.map_or(value, |i| unwrapped(value, turns[i]))
    }
}

/// The bodies of a joint, and the coordinate of it that has this name.
fn of_joint(
    m: &Model,
    place: &str,
    joint: &str,
    coordinate: &str,
) -> Result<([usize; 2], Measure), BuildError> {
    let names: Vec<&str> = m.linkage.holds.iter().map(|h| h.name.as_str()).collect();
    let at = names.iter().position(|n| *n == joint);
    let hold = &m.linkage.holds[at.ok_or_else(|| unknown(place.to_owned(), "joint", joint, &names))?];
    match hold.coordinates.iter().find(|c| c.0 == coordinate) {
        Some((_, measure)) => Ok(([hold.bodies[A], hold.bodies[B]], *measure)),
        None => Err(BuildError::BadValue {
            place: place.to_owned(),
            field: "joint",
            value: format!("`{joint}`, which leaves no {coordinate} free"),
            allowed: "a joint that leaves the coordinate free that the force acts along",
        }),
    }
}

/// Two frames that start as one, on A and on B.
struct Frame {
    /// from the centres of mass, in the bodies' axes
    points: [Vec3; 2],
    /// x, y, z, in the bodies' axes
    axes: [[Vec3; 3]; 2],
    /// from B's point to A's along x, y, z, as the bodies start [m]
    start: [f64; 3],
}

impl Frame {
    fn new(m: &Model, force: &Force, place: &str, bodies: [usize; 2]) -> Result<Frame, BuildError> {
        let k = bodies.map(|body| Kinematics::new(&m.bodies[body], 0.0, &m.initial_state()));
        let to_body = |end: usize, v: &Vec3| inverse(&k[end].x.r).1 * v;
        let centre = |end: usize| m.bodies[bodies[end]].centre;
        let points = match force.point {
            Place::Bodies(points) => {
                finite(place, "point_a", &points[A])?;
                finite(place, "point_b", &points[B])?;
                [A, B].map(|end| points[end] - centre(end))
            }
            Place::World(p) => {
                finite(place, "point", &p)?;
                [A, B].map(|end| to_body(end, &(p - k[end].x.p)))
            }
            Place::NotGiven => {
                let p = k[A].x.point(&-centre(A));
                [A, B].map(|end| to_body(end, &(p - k[end].x.p)))
            }
        };
        let world = axes(force, place)?;
        let [p, q] = [A, B].map(|end| k[end].x.point(&points[end]));
        Ok(Frame {
            points,
            axes: [A, B].map(|end| world.map(|v| to_body(end, &v))),
            start: world.map(|v| (p - q).dot(&v)),
        })
    }

    /// The displacement of A's point from B's along an axis of B.
    fn along(&self, axis: usize) -> Measure {
        let e = Vector::On(B, self.axes[B][axis]);
        Measure::Dot { d: Vector::Between(self.points), e, scale: 1.0 }
    }

    /// The angle of A about an axis of B: that by which the next axis has turned towards the one after.
    fn angle(&self, axis: usize) -> Measure {
        let (next, after) = ((axis + 1) % 3, (axis + 2) % 3);
        Measure::Angle { x: self.axes[A][next], y: self.axes[B][after], z: self.axes[B][next] }
    }

    /// The six coordinates of a bushing with their laws.
    fn bushing(&self, bushing: &super::Bushing) -> Result<Vec<(Measure, Arc<dyn Line>)>, SpecError> {
        let mut all: Vec<(Measure, Arc<dyn Line>)> = Vec::with_capacity(6);
        for axis in 0..3 {
            all.push((self.along(axis), Arc::new(bushing.along(axis, self.start[axis])?)));
        }
        for axis in 0..3 {
            all.push((self.angle(axis), Arc::new(bushing.about(axis)?)));
        }
        Ok(all)
    }
}

/// x, y, z in the world: z along `axis`, x along `x_axis` as far as that is across z; where they are not given, along the axes of the world, as far as can be.
fn axes(force: &Force, place: &str) -> Result<[Vec3; 3], BuildError> {
    let bad = |field, v: &Vec3, allowed| {
        let value = format!("[{}, {}, {}]", v.x, v.y, v.z);
        BuildError::BadValue { place: place.to_owned(), field, value, allowed }
    };
    let z = force.axis.unwrap_or_else(Vec3::z);
    if !(z.norm() > 0.0 && z.norm().is_finite()) {
        return Err(bad("axis", &z, "a direction: finite, not all three 0"));
    }
    let z = z.normalize();
    let across = |v: Vec3| v - z * z.dot(&v);
    let x = match force.x_axis {
        None => across(Vec3::ith(z.iamin(), 1.0)),
        Some(v) => {
            let x = across(v);
            if !(x.norm() > 1e-9 * v.norm() && x.norm().is_finite()) {
                return Err(bad("x_axis", &v, "a direction that is not along `axis`"));
            }
            x
        }
    }
    .normalize();
    Ok([x, z.cross(&x), z])
}
