//! Force elements that act along coordinates.
//!
//! A coordinate q is a measure of the configuration of two bodies, with its rate and its gradients by the bodies'
//! motions (`joint::measure`). A law gives Q(q, q̇). The generalised force on q is −Q, so that each body gets −Q
//! times its gradient, which is a force and vectors at the ends of arms; this holds for deformable bodies as for
//! rigid ones. The power is −Q q̇, the stored energy E(q), the dissipated power (Q − dE/dq) q̇.
//!
//! Full turns of angles are counted: a torsion spring that is wound up by several turns pulls back through all of them.

use std::ops::Range;
use std::sync::Arc;

use carom_base::{Dual, Scalar, SpecError, Vec3};
use carom_ode::Jacobian;

use super::element_slopes;
use super::frame::{Frame, Part};
use super::{
    ActionSite, Bushing, Force, ForceElement, ForceKind, ForceOutput, Integrals, Line, Setting, Switching,
    Tension,
};
use crate::coordinate::Coordinate;
use crate::course::Course;
use crate::drive::DrivenJoint;
use crate::error::{BuildError, Subject};
use crate::joint::{A, B, ConstraintSet, Measure, Moving, Row, unwrapped};
use crate::loads::{Loads, add};
use crate::record::{DriveRecord, Energy, ForceRecord};
use crate::slopes::Load;
use crate::world::World;

/// A force along coordinates of two bodies.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    pub(crate) name: String,
    /// A and B
    pub(crate) bodies: [usize; 2],
    pub(crate) strands: Vec<CoordinateForce>,
    /// its points on A and B, from their centres of mass, in their axes [m]
    pub(crate) points: [Vec3; 2],
    /// the z axis of a bushing, in the axes of B
    pub(crate) bushing: Option<Vec3>,
}

/// One of the coordinates that the element acts along.
#[derive(Clone, Debug)]
pub(crate) struct CoordinateForce {
    pub(crate) measure: Measure,
    pub(crate) source: Source,
    /// index of its counter of full turns, if it is an angle
    pub(crate) counter: Option<usize>,
    /// where the switches of its law are among all
    pub(crate) switches: Range<usize>,
}

/// Where the force along a coordinate comes from.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    Law(Arc<dyn Line>),
    /// a function of time: the generalised force on q itself
    Driven(Arc<dyn Course>),
}

/// A coordinate in a state, and the force along it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CoordinateState {
    pub(crate) row: Row,
    /// q, with full turns counted
    pub(crate) q: f64,
    /// Q [N or N m]
    pub(crate) f: f64,
    /// power it dissipates [W]
    pub(crate) lost: f64,
    /// power of the drive [W]
    pub(crate) work: f64,
}

/// A force along an angle, of a joint or about an axis, as described by the user.
#[derive(Debug)]
pub(super) struct Torsion(pub(super) Arc<dyn Line>);

impl ForceKind for Torsion {
    fn kind(&self) -> &'static str {
        "torsion-spring"
    }
    fn attachments(&self) -> &'static [&'static [&'static str]] {
        &[&["joint"], &["between", "axis"]]
    }
    fn install(&self, setting: &mut Setting<'_>, force: &Force) -> Result<Arc<dyn ForceElement>, BuildError> {
        if force.joint.is_some() {
            return Element::on_joint(setting, force, Coordinate::ANGLE.names.name, &self.0);
        }
        Element::between(setting, force, |frame| {
            self.0.check()?;
            Ok(vec![(frame.angle(2), Arc::clone(&self.0))])
        })
    }
}

/// A force along a displacement that a joint leaves free, with the name of that displacement.
#[derive(Debug)]
pub(super) struct Slide(pub(super) Arc<dyn Line>, pub(super) String);

impl ForceKind for Slide {
    fn kind(&self) -> &'static str {
        "slide-spring"
    }
    fn attachments(&self) -> &'static [&'static [&'static str]] {
        &[&["joint"]]
    }
    fn install(&self, setting: &mut Setting<'_>, force: &Force) -> Result<Arc<dyn ForceElement>, BuildError> {
        Element::on_joint(setting, force, force.coordinate.as_deref().unwrap_or(&self.1), &self.0)
    }
}

impl ForceKind for Bushing {
    fn kind(&self) -> &'static str {
        "bushing"
    }
    fn attachments(&self) -> &'static [&'static [&'static str]] {
        &[
            &["between", "[point]", "[axis]", "[x_axis]"],
            &["between", "point_a", "point_b", "[axis]", "[x_axis]"],
        ]
    }
    fn install(&self, setting: &mut Setting<'_>, force: &Force) -> Result<Arc<dyn ForceElement>, BuildError> {
        Element::between(setting, force, |frame| {
            self.check()?;
            frame.bushing(self)
        })
    }
}

impl Element {
    /// Creates a force along a coordinate of a joint.
    fn on_joint(
        setting: &mut Setting<'_>,
        force: &Force,
        coordinate: &str,
        law: &Arc<dyn Line>,
    ) -> Result<Arc<dyn ForceElement>, BuildError> {
        let name = force.label();
        let subject = force.subject();
        law.check().map_err(|source| subject.fails(None, source))?;
        let joint = force.joint.as_deref().unwrap_or_default();
        let (bodies, measure) = of_joint(setting.constraints, &subject, "joint", joint, coordinate)?;
        let site = ActionSite { bodies, points: points_of(setting.constraints, joint), bushing: None };
        Ok(Element::of_parts(setting, name, site, vec![(measure, Arc::clone(law))]))
    }

    /// Creates a force along coordinates between two frames, one on each body, with the same axes at the start.
    fn between(
        setting: &mut Setting<'_>,
        force: &Force,
        parts: impl FnOnce(&Frame) -> Result<Vec<Part>, SpecError>,
    ) -> Result<Arc<dyn ForceElement>, BuildError> {
        let name = force.label();
        let bodies = force.bodies(setting.world)?;
        let frame = Frame::new(setting.world, force, bodies)?;
        let parts = parts(&frame).map_err(|source| force.subject().fails(None, source))?;
        // of the coordinates between two frames, only a bushing has more than one
        let bushing = (parts.len() > 1).then_some(frame.axes[B][2]);
        let site = ActionSite { bodies, points: frame.points, bushing };
        Ok(Element::of_parts(setting, name, site, parts))
    }

    fn of_parts(
        setting: &mut Setting<'_>,
        name: String,
        ActionSite { bodies, points, bushing }: ActionSite,
        parts: Vec<Part>,
    ) -> Arc<dyn ForceElement> {
        let strands = parts.into_iter().map(|(measure, law)| {
            let counter = matches!(measure, Measure::Angle { .. }).then(|| {
                setting.counts.angles += 1;
                setting.counts.angles - 1
            });
            let switches = setting.switches_of(&*law);
            CoordinateForce { measure, source: Source::Law(law), counter, switches }
        });
        Arc::new(Element { name, bodies, strands: strands.collect(), points, bushing })
    }

    /// Creates a force or couple, given as a function of time, along a coordinate of a joint.
    pub(crate) fn driven(
        constraints: &ConstraintSet,
        drive: &DrivenJoint,
        coordinate: &str,
    ) -> Result<Element, BuildError> {
        let name = format!("joint/{}/{}", drive.joint, drive.what);
        let subject = Subject::Drive(name.clone());
        let (bodies, measure) = of_joint(constraints, &subject, "target", &drive.joint, coordinate)?;
        let source = Source::Driven(drive.course.clone());
        let strand = CoordinateForce { measure, source, counter: None, switches: 0..0 };
        let points = points_of(constraints, &drive.joint);
        Ok(Element { name, bodies, strands: vec![strand], points, bushing: None })
    }

    /// Returns the motions of its bodies.
    fn moving(&self, world: &World, loads: &Loads, t: f64) -> [Moving; 2] {
        self.bodies.map(|body| Moving::new(&world.bodies[body], loads.body(body), t))
    }
}

impl ForceElement for Element {
    fn name(&self) -> &str {
        &self.name
    }

    fn bodies(&self) -> &[usize] {
        &self.bodies
    }

    fn integrals(&self, _: &World) -> Integrals {
        let viscous = |s: &CoordinateForce| matches!(&s.source, Source::Law(law) if !law.is_elastic());
        let driven = |s: &CoordinateForce| matches!(s.source, Source::Driven(_));
        Integrals {
            viscous: self.strands.iter().any(viscous),
            driven: self.strands.iter().any(driven),
            ..Integrals::default()
        }
    }

    /// Applies −Q times the gradient of q to each body.
    fn load(
        &self,
        world: &World,
        loads: &mut Loads,
        t: f64,
        integrals: &mut [f64],
    ) -> Result<(), &'static str> {
        let t = loads.now.stretch.inside(t);
        let moving = self.moving(world, loads, t);
        for strand in &self.strands {
            let drawn = strand.at(t, &moving, loads);
            add(integrals, world.quadratures.dissipated_viscous, drawn.lost);
            add(integrals, world.quadratures.work, drawn.work);
            loads.add_generalized_both(world, integrals, self.bodies, -drawn.f, &drawn.row.forces);
        }
        Ok(())
    }

    fn store(&self, world: &World, loads: &Loads, t: f64, energy: &mut Energy) {
        let [a, b] = &self.moving(world, loads, t);
        let stored = |s: &CoordinateForce| match &s.source {
            Source::Law(law) => law.energy(s.counted(s.measure.at([a, b]).value, &loads.turns)),
            Source::Driven(_) => 0.0,
        };
        energy.elastic += self.strands.iter().map(stored).sum::<f64>();
    }

    fn linearise(&self, world: &World, loads: &mut Loads, t: f64, y: &[f64], j: &mut Jacobian) -> bool {
        element_slopes::add(world, self, loads, loads.now.stretch.inside(t), y, j);
        true
    }

    fn add_amounts(&self, world: &World, loads: &Loads, amounts: &mut [f64]) {
        let moving = self.moving(world, loads, 0.0);
        for strand in &self.strands {
            let drawn = strand.at(0.0, &moving, loads);
            for (&body, force) in self.bodies.iter().zip(&drawn.row.forces) {
                let rim = world.bodies[body].reach();
                let torque = if rim.is_finite() { force.torque().norm() / rim } else { 0.0 };
                amounts[body] += drawn.f.abs() * (force.f.norm() + torque);
            }
        }
    }

    fn record(&self, world: &World, loads: &Loads, t: f64, _: &[f64]) -> Option<ForceOutput> {
        let t = loads.now.stretch.inside(t);
        let moving = self.moving(world, loads, t);
        let (mut on_first, mut power) = (Load::none(), 0.0);
        for strand in &self.strands {
            let CoordinateState { row, f, work, .. } = strand.at(t, &moving, loads);
            if let Source::Driven(_) = strand.source {
                let drive = self.name.strip_prefix("joint/").unwrap_or(&self.name).to_owned();
                return Some(ForceOutput::Drive(DriveRecord { drive, force: -f, power: work }));
            }
            on_first.add_generalized(-f, &row.forces[A]);
            power -= f * row.rate;
        }
        let effort = match &self.strands[..] {
            [only] => Some(only.measure.effort(-only.at(t, &moving, loads).f)),
            _ => None,
        };
        let Load { f: on_first, torque: couple, .. } = on_first;
        Some(ForceOutput::Force(ForceRecord { on_first, couple, effort, power, ..ForceRecord::default() }))
    }

    fn site(&self) -> Option<ActionSite> {
        let Element { bodies, points, bushing, .. } = *self;
        // drives are recorded as such
        let driven = self.strands.iter().any(|s| matches!(s.source, Source::Driven(_)));
        (!driven).then_some(ActionSite { bodies, points, bushing })
    }

    fn count_turns(&self, world: &World, loads: &mut Loads, t: f64) {
        let [a, b] = &self.moving(world, loads, t);
        for s in &self.strands {
            if let Some(i) = s.counter {
                loads.turns[i] = unwrapped(s.measure.at([a, b]).value, loads.turns[i]);
            }
        }
    }

    fn nearness_to_undefined(&self, world: &World, loads: &Loads, t: f64) -> f64 {
        let [a, b] = &self.moving(world, loads, t);
        let leans = self.strands.iter().filter_map(|s| s.measure.lean([a, b]));
        leans.fold(f64::INFINITY, f64::min)
    }

    fn switching(&self) -> Option<&dyn Switching> {
        self.strands.iter().any(|s| !s.switches.is_empty()).then_some(self)
    }
}

impl Switching for Element {
    fn switches(&self) -> Range<usize> {
        let first = self.strands.first().map_or(0, |s| s.switches.start);
        first..self.strands.last().map_or(0, |s| s.switches.end)
    }

    fn switch_values(&self, world: &World, loads: &Loads, t: f64, values: &mut [f64]) {
        let [a, b] = &self.moving(world, loads, t);
        for s in &self.strands {
            let Source::Law(law) = &s.source else { continue };
            let row = s.measure.at([a, b]);
            let q = s.counted(row.value, &loads.turns);
            for (i, at) in s.switches.clone().enumerate() {
                values[at] = law.switch(i, q, row.rate);
            }
        }
    }

    fn switch_sizes(&self, world: &World, sizes: &mut [f64]) {
        for s in &self.strands {
            let size = if s.measure.is_angle() { 1.0 } else { world.scale.length };
            sizes[s.switches.clone()].fill(size);
        }
    }

    fn dissipates_unseen(&self, world: &World, loads: &Loads) -> bool {
        let moving = self.moving(world, loads, 0.0);
        self.strands.iter().any(|strand| {
            let CoordinateState { f, lost, .. } = strand.at(0.0, &moving, loads);
            f == 0.0 && lost != 0.0
        })
    }
}

impl CoordinateForce {
    /// Evaluates the coordinate and its force at t, for these motions of A and B.
    #[inline]
    pub(crate) fn at(&self, t: f64, [a, b]: &[Moving; 2], loads: &Loads) -> CoordinateState {
        let row = self.measure.at([a, b]);
        let q = self.counted(row.value, &loads.turns);
        match &self.source {
            Source::Law(law) => {
                let Tension { f, f_elastic } =
                    law.tension_on(q, row.rate, &loads.sides[self.switches.clone()]);
                CoordinateState { row, q, f, lost: (f - f_elastic) * row.rate, work: 0.0 }
            }
            Source::Driven(course) => {
                let push = course.at(t).value;
                CoordinateState { row, q, f: -push, lost: 0.0, work: push * row.rate }
            }
        }
    }

    /// Returns Q with its derivatives by (q, q̇).
    pub(crate) fn slopes(&self, now: &CoordinateState, loads: &Loads) -> Dual<2> {
        match &self.source {
            Source::Law(law) => {
                let (q, rate) = (Dual::variable(now.q, 0), Dual::variable(now.row.rate, 1));
                law.tension_dual_on(q, rate, &loads.sides[self.switches.clone()]).f
            }
            Source::Driven(_) => Dual::from_f64(now.f),
        }
    }

    fn counted(&self, value: f64, turns: &[f64]) -> f64 {
        self.counter.map_or(value, |i| unwrapped(value, turns[i]))
    }
}

/// Returns the points of a joint on its first two bodies, from their centres of mass, in their axes [m].
pub(super) fn points_of(constraints: &ConstraintSet, joint: &str) -> [Vec3; 2] {
    let found = constraints.list.iter().find(|h| h.name == joint);
    found.and_then(|h| h.drawing).map_or([Vec3::zeros(); 2], |d| d.points)
}

/// Returns the bodies of a joint, and its coordinate with this name.
pub(super) fn of_joint(
    constraints: &ConstraintSet,
    subject: &Subject,
    key: &'static str,
    joint: &str,
    coordinate: &str,
) -> Result<([usize; 2], Measure), BuildError> {
    let names: Vec<&str> = constraints.proper().iter().map(|h| h.name.as_str()).collect();
    let constraint = &constraints.list[subject.find(key, "joint", joint, &names)?];
    match constraint.coordinate(coordinate) {
        Some((_, measure)) => Ok(([constraint.bodies[A], constraint.bodies[B]], *measure)),
        None => {
            let value = format!("`{joint}`, which leaves no {coordinate} free");
            let allowed = "a joint that leaves the coordinate free that the force acts along";
            Err(subject.bad(key, value, allowed))
        }
    }
}
