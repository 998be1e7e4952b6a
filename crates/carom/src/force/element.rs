//! A force along coordinates in a model.
//!
//! A coordinate q is a measure of the configuration of two bodies, with its rate and its gradients by what the bodies do (`joint::measure`). A law gives Q(q, q̇); the generalised force on q is −Q, so
//! that each body gets −Q times its gradient, a force and pulls at the ends of arms: on bodies that deform as on rigid ones. The work is −Q q̇, stored is E(q), dissipated (Q − dE/dq) q̇.
//!
//! The turns of angles are counted: a spring that is wound up pulls back all the way.

use std::sync::Arc;

use carom_base::{Dual, Scalar};

use super::frame::Frame;
use super::{Acting, Force, Line, Tension};
use crate::build::unknown;
use crate::drive::{Course, DrivenJoint};
use crate::error::BuildError;
use crate::forward::{Workspace, add};
use crate::joint::{A, B, Measure, Moving, Row, unwrapped};
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
    pub(crate) source: Source,
    /// where its turns are counted, if it is an angle
    pub(crate) counter: Option<usize>,
}

/// Where its force comes from.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    Law(Arc<dyn Line>),
    /// a function of time: the generalised force on q itself
    Driven(Arc<dyn Course>),
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
    /// what whoever drives it does [W]
    pub(crate) work: f64,
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
                            what: "`between`".to_owned(),
                            wrong: Some("joint"),
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
            Strand { measure, source: Source::Law(law), counter }
        });
        Ok(Element { name, bodies, strands: strands.collect() })
    }

    /// A force or couple in time along a coordinate of a joint.
    pub(crate) fn driven(
        m: &mut Model,
        drive: &DrivenJoint,
        coordinate: &str,
    ) -> Result<Element, BuildError> {
        let name = format!("joint/{}/{}", drive.joint, drive.what);
        let (bodies, measure) = of_joint(m, &format!("drive `{name}`"), &drive.joint, coordinate)?;
        bodies.iter().for_each(|&body| m.bodies[body].orientation_matters = true);
        let strands = vec![Strand { measure, source: Source::Driven(drive.course.clone()), counter: None }];
        Ok(Element { name, bodies, strands })
    }

    /// Whether somebody drives it.
    pub(crate) fn is_driven(&self) -> bool {
        self.strands.iter().any(|s| matches!(s.source, Source::Driven(_)))
    }

    /// How its bodies move.
    pub(crate) fn moving<'k>(&self, m: &Model, t: f64, k: impl Fn(usize) -> &'k Kinematics) -> [Moving; 2] {
        self.bodies.map(|body| Moving::new(&m.bodies[body], k(body), t))
    }

    /// What it stores [J], its bodies being there; `turns`: angles as they were counted last.
    pub(crate) fn energy(&self, [a, b]: &[Moving; 2], turns: &[f64]) -> f64 {
        let stored = |s: &Strand| match &s.source {
            Source::Law(law) => law.energy(s.counted(s.measure.at([a, b]).value, turns)),
            Source::Driven(_) => 0.0,
        };
        self.strands.iter().map(stored).sum()
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
        self.strands.iter().all(|s| match &s.source {
            Source::Law(law) => law.is_elastic(),
            Source::Driven(_) => true,
        })
    }
}

impl Strand {
    /// At t, its bodies being there.
    #[inline]
    pub(crate) fn at(&self, t: f64, [a, b]: &[Moving; 2], turns: &[f64]) -> Drawn {
        let row = self.measure.at([a, b]);
        let q = self.counted(row.value, turns);
        match &self.source {
            Source::Law(law) => {
                let Tension { f, f_elastic } = law.tension(q, row.rate);
                Drawn { row, q, f, lost: (f - f_elastic) * row.rate, work: 0.0 }
            }
            Source::Driven(course) => {
                let push = course.at(t).value;
                Drawn { row, q, f: -push, lost: 0.0, work: push * row.rate }
            }
        }
    }

    /// Q with its derivatives by (q, q̇).
    pub(crate) fn slopes(&self, now: &Drawn) -> Dual<2> {
        match &self.source {
            Source::Law(law) => law.tension_dual(Dual::variable(now.q, 0), Dual::variable(now.row.rate, 1)).f,
            Source::Driven(_) => Dual::from_f64(now.f),
        }
    }

    fn counted(&self, value: f64, turns: &[f64]) -> f64 {
        self.counter.map_or(value, |i| unwrapped(value, turns[i]))
    }
}

/// The forces along coordinates: −Q times the gradient of q on each body.
pub(crate) fn elements(m: &Model, ws: &mut Workspace, t: f64, dy: &mut [f64]) {
    let at = dy.len() - m.quadratures.count;
    let t = ws.now.stretch.inside(t);
    for element in &m.elements {
        let moving = element.moving(m, t, |body| &ws.bodies[body].k);
        for strand in &element.strands {
            let drawn = strand.at(t, &moving, &ws.turns);
            add(&mut dy[at..], m.quadratures.dissipated_viscous, drawn.lost);
            add(&mut dy[at..], m.quadratures.work, drawn.work);
            ws.pull_both(m, &mut dy[at..], element.bodies, -drawn.f, &drawn.row.pulls);
        }
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
