//! Forces: everything that acts on bodies besides contacts and joints.
//!
//! There are forces between points of two bodies, along the line that joins them; forces along coordinates: those that
//! joints leave free, angles about axes, and the six of a bushing; couples; loads on one body; and short-range fields
//! between whole surfaces.
//!
//! A force passes through three layers:
//!
//! 1. A [`Force`] is the description: what a user or a scene writes down. It says where the force acts (two bodies and
//!    their points, a joint, or one body), and what acts there: an [`Acting`], which holds a kind.
//! 2. A `ForceKind` is a kind of force, as [`FORCES`](kinds::FORCES) lists them: its parameters, the keys that say where it acts, and
//!    `install`, which checks a description against a model and creates the element.
//! 3. A `ForceElement` is the force in a model: its bodies are indices, and it computes loads, energy, what is
//!    dissipated, and derivatives in a state. A model holds elements only.
//!
//! Few kinds need an element of their own. A [`LineLaw`] gives a tension T by a length l and its rate, with F = −T e on
//! A and T e on B, e the direction from B's point to A's; `link` makes an element of it between points, `element` along
//! coordinates. What is not stored of the work is dissipated. A `LoadFormula` gives the load on one body by its motion;
//! `on_body` makes an element of it. Efforts given by expressions of the time and the state are signals (`signal`);
//! `by_state` makes the element of loads, motors and actuators. `torque`, `user_load` and `field` have elements of their own.
//!
//! To add a kind: write its file in `kinds/`, and add its line to [`FORCES`](kinds::FORCES) there.

mod force_element;
mod by_state;
mod element;
mod element_slopes;
mod field;
mod field_slopes;
mod frame;
mod function;
pub(crate) mod kinds;
mod line;
mod link;
mod link_slopes;
mod on_body;

use std::fmt::Debug;
use std::ops::Range;
use std::sync::Arc;

use carom_base::Vec3;
use carom_base::expression::Expression;

use crate::check::unique;
use crate::coordinate::Coordinate;
use crate::drive::DrivenJoint;
use crate::error::{BuildError, Fault, Subject};
use crate::joint::{ConstraintSet, Given};
use crate::loads::Counts;
use crate::signal::{Names, Signal};
use crate::world::World;

use element::{Element, Slide, Torsion};
pub(crate) use field::FieldElement;
use field::{FieldBodyMotion, SupportMotion, cross_matrix, near};
pub use field::{FieldRule, Repulsion};
pub use force_element::DrawnLine;
pub(crate) use force_element::{ActionSite, ForceElement, ForceOutput, Integrals, Switching};
pub use function::LineFunction;
use kinds::{Bushing, Motor, Torque};
pub use line::{Line, LineLaw, Tension};
use link::Along;
use link::{Link, Stretch};

/// How a force acts: along a line, about an axis, along a coordinate, as a couple, or as a load on one body.
///
/// The kinds in [`FORCES`](crate::FORCES) are made by their entries; user-defined laws go through [`Acting::line`],
/// [`Acting::torsion`] and [`Acting::slide`].
#[derive(Clone, Debug)]
pub struct Acting(Arc<dyn ForceKind>);

/// A kind of force: which keys describe where it acts, and the element that it becomes in a model.
pub(crate) trait ForceKind: Debug + Send + Sync {
    /// Returns what messages call it.
    fn kind(&self) -> &'static str;
    /// Returns the alternative sets of keys that describe where it acts; keys in brackets are optional.
    fn attachments(&self) -> &'static [&'static [&'static str]];
    /// Creates the element in a model whose bodies and joints are already made.
    fn install(&self, setting: &mut Setting<'_>, force: &Force) -> Result<Arc<dyn ForceElement>, BuildError>;
    /// Whether it is a couple, which has no point of action.
    fn is_couple(&self) -> bool {
        false
    }
    /// Returns the law along a line between two points, if it acts along one.
    fn as_line(&self) -> Option<&dyn Line> {
        None
    }
}

impl Acting {
    pub(crate) fn new(kind: impl ForceKind + 'static) -> Acting {
        Acting(Arc::new(kind))
    }

    /// Makes a law act along the line between two points.
    pub fn line(law: Arc<dyn Line>) -> Acting {
        Acting::new(Along(law))
    }

    /// Makes a law act along an angle: that of a joint, or one about an axis.
    pub fn torsion(law: Arc<dyn Line>) -> Acting {
        Acting::new(Torsion(law))
    }

    /// Makes a law act along the coordinate of a joint that has this name; usually a displacement.
    pub fn slide(law: Arc<dyn Line>, coordinate: &str) -> Acting {
        Acting::new(Slide(law, coordinate.to_owned()))
    }

    /// Returns the law along a line between two points, if it acts along one.
    pub fn as_line(&self) -> Option<&dyn Line> {
        self.0.as_line()
    }

    /// Whether it is a couple, whose effect is the same at every point.
    pub fn is_couple(&self) -> bool {
        self.0.is_couple()
    }

    /// Whether this key is one of those that describe where it acts.
    pub fn takes(&self, key: &str) -> bool {
        self.0.attachments().iter().flat_map(|way| way.iter()).any(|k| bare(k) == key)
    }
}

/// Strips the brackets of an optional key.
fn bare(key: &'static str) -> &'static str {
    key.trim_matches(['[', ']'])
}

/// A force between two bodies: between points of them, or along a coordinate.
///
/// ```
/// use carom::prelude::*;
/// let spring = Force::between("block", "wall", SpringDamper::new(200.0, 0.1)?).points([0.0; 3], [0.0, 0.0, 0.02]);
/// # let _ = spring;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Force {
    pub(crate) name: Option<String>,
    /// the two bodies it acts between
    pub(crate) between: Option<[String; 2]>,
    /// or the joint along whose coordinate it acts
    pub(crate) joint: Option<String>,
    /// or the one body on which it is an external load
    pub(crate) body: Option<String>,
    pub(crate) point: Given,
    /// axis in the world, at the start; z of a bushing
    pub(crate) axis: Option<Vec3>,
    /// x axis of a bushing in the world, at the start
    pub(crate) x_axis: Option<Vec3>,
    /// coordinate of the joint, where it is not the usual one of this kind of force
    pub(crate) coordinate: Option<String>,
    pub(crate) acting: Acting,
}

impl Force {
    /// Creates a force between the reference points of two bodies.
    pub fn between(a: &str, b: &str, law: impl Line + 'static) -> Force {
        Force::between_arc(a, b, Arc::new(law))
    }

    /// Creates a force between the reference points of two bodies, with a law that is shared.
    pub fn between_arc(a: &str, b: &str, law: Arc<dyn Line>) -> Force {
        Force::acting(a, b, Acting::line(law))
    }

    /// Creates a constant couple [N m] on the first body, world frame, with its opposite on the second.
    pub fn torque(a: &str, b: &str, torque: [f64; 3]) -> Force {
        Force::acting(a, b, Acting::new(Torque { torque }))
    }

    /// Creates a force along the angle of a joint, about its axis, with full turns counted: the tension of the law is
    /// a couple [N m] that acts to reduce the angle.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let closer = Force::torsion("hinge", CoordinateSpring::new(12.0)?.damping(30.0));
    /// # let _ = closer;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn torsion(joint: &str, law: impl Line + 'static) -> Force {
        Force::on_joint(joint, Acting::torsion(Arc::new(law)))
    }

    /// Creates a force along the displacement of a joint.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let return_spring = Force::slide("rail", CoordinateSpring::new(400.0)?.rest(-0.02));
    /// # let _ = return_spring;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn slide(joint: &str, law: impl Line + 'static) -> Force {
        Force::on_joint(joint, Acting::slide(Arc::new(law), Coordinate::DISPLACEMENT.names.name))
    }

    /// Creates a force along the angle of the first body about an axis of the second, which is given in the world at
    /// the start, with any length.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let wire = Force::torsion_about("disc", "ceiling", [0.0, 0.0, 1.0], CoordinateSpring::new(0.02)?);
    /// # let _ = wire;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn torsion_about(a: &str, b: &str, axis: [f64; 3], law: impl Line + 'static) -> Force {
        Force::acting(a, b, Acting::torsion(Arc::new(law))).axis(axis)
    }

    /// Creates a bushing between two bodies; [`Force::at`], [`Force::axis`] and [`Force::x_axis`] set its point and
    /// axes. Without them it is at the reference point of the first body, and its axes are those of the world at the
    /// start.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mount = Force::bushing("engine", "frame", Bushing::new([2e5, 2e5, 8e5], [300.0; 3])?).at([0.3, 0.2, 0.1]);
    /// # let _ = mount;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bushing(a: &str, b: &str, bushing: Bushing) -> Force {
        Force::acting(a, b, Acting::new(bushing))
    }

    /// Creates a force of any kind between two bodies.
    pub fn acting(a: &str, b: &str, acting: Acting) -> Force {
        Force { between: Some([a.to_owned(), b.to_owned()]), ..Force::unattached(acting) }
    }

    /// Creates a force of any kind along a coordinate of a joint.
    pub fn on_joint(joint: &str, acting: Acting) -> Force {
        Force { joint: Some(joint.to_owned()), ..Force::unattached(acting) }
    }

    /// Creates a motor: a force or couple along a coordinate of a joint, by the time and the state.
    pub fn motor(joint: &str, motor: Motor) -> Force {
        Force::on_joint(joint, motor.into())
    }

    /// Creates an external load on one body: an [`ExternalLoad`](crate::ExternalLoad), a [`Drag`](crate::Drag) or a [`UserLoad`](crate::UserLoad).
    pub fn on(body: &str, load: impl Into<Acting>) -> Force {
        Force { body: Some(body.to_owned()), ..Force::unattached(load.into()) }
    }

    fn unattached(acting: Acting) -> Force {
        let point = Given::Omitted;
        Force {
            name: None,
            between: None,
            joint: None,
            body: None,
            point,
            axis: None,
            x_axis: None,
            coordinate: None,
            acting,
        }
    }

    /// Sets its name; without one it is called `a~b`, by its joint, or `body~kind`.
    pub fn named(mut self, name: &str) -> Force {
        self.name = Some(name.to_owned());
        self
    }

    /// Sets the points of the two bodies it acts between [m], each in its body's frame, from its reference point.
    pub fn points(mut self, a: [f64; 3], b: [f64; 3]) -> Force {
        self.point = Given::Bodies([a.into(), b.into()]);
        self
    }

    /// Sets its point of action, given in the world at the start [m].
    pub fn at(mut self, point: [f64; 3]) -> Force {
        self.point = Given::World(point.into());
        self
    }

    /// Sets the axis it acts about, given in the world at the start; of a bushing, its z axis.
    pub fn axis(mut self, axis: [f64; 3]) -> Force {
        self.axis = Some(axis.into());
        self
    }

    /// Sets the x axis of a bushing, given in the world at the start: the part of this direction that is normal to z.
    pub fn x_axis(mut self, axis: [f64; 3]) -> Force {
        self.x_axis = Some(axis.into());
        self
    }

    /// Selects another coordinate of a joint that has several, for example `x` or `y`.
    pub fn coordinate(mut self, name: &str) -> Force {
        self.coordinate = Some(name.to_owned());
        self
    }

    /// Returns its points in the bodies' frames, from their reference points.
    pub(crate) fn points_on_bodies(&self) -> [Vec3; 2] {
        match self.point {
            Given::Bodies(points) => points,
            _ => [Vec3::zeros(); 2],
        }
    }

    /// Checks that the given keys are one of the sets that describe where this kind of force acts.
    pub(crate) fn check_attachment(&self) -> Result<(), BuildError> {
        let given: Vec<&'static str> = [
            ("between", self.between.is_some()),
            ("joint", self.joint.is_some()),
            ("body", self.body.is_some()),
            ("point", matches!(self.point, Given::World(_))),
            ("point_a", matches!(self.point, Given::Bodies(_))),
            ("point_b", matches!(self.point, Given::Bodies(_))),
            ("axis", self.axis.is_some()),
            ("x_axis", self.x_axis.is_some()),
        ]
        .into_iter()
        .filter_map(|(key, given)| given.then_some(key))
        .collect();
        let fits = |way: &&&[&'static str]| {
            let needed = way.iter().filter(|key| !key.starts_with('[')).all(|key| given.contains(key));
            needed && given.iter().all(|key| way.iter().any(|k| bare(k) == *key))
        };
        let ways = self.acting.0.attachments();
        if ways.iter().any(|way| fits(&way)) {
            return Ok(());
        }
        // the set whose first key is given, and a given key that does not belong to it
        let begun = ways.iter().find(|way| given.contains(&bare(way[0])));
        let surplus = |key: &&&'static str| begun.is_none_or(|way| way.iter().all(|k| bare(k) != **key));
        let wrong = given.iter().find(surplus).copied();
        let words = |way: &[&'static str], optional: bool| -> String {
            let keys = way.iter().filter(|key| key.starts_with('[') == optional);
            keys.map(|key| format!("`{}`", bare(key))).collect::<Vec<_>>().join(", ")
        };
        let said = |way: &&[&'static str]| match words(way, true) {
            choice if choice.is_empty() => words(way, false),
            choice => format!("{} (and {choice}, if it must be said)", words(way, false)),
        };
        let what = ways.iter().map(said).collect::<Vec<_>>().join("; or ");
        let kind = self.acting.0.kind().to_owned();
        Err(self.subject().fails(wrong, Fault::Needs { kind, what }))
    }

    /// Returns the indices of its two bodies, of which at least one must move by its forces.
    pub(crate) fn bodies(&self, world: &World) -> Result<[usize; 2], BuildError> {
        let subject = self.subject();
        let bad = |value: String, allowed| Err(subject.bad("between", value, allowed));
        let names: Vec<&str> = world.body_names().collect();
        let mut bodies = [0; 2];
        let between = self.between.clone().unwrap_or_default();
        for (index, body) in bodies.iter_mut().zip(&between) {
            *index = subject.find("between", "body", body, &names)?;
        }
        if bodies[0] == bodies[1] {
            return bad(format!("body `{}` twice", between[0]), "two bodies");
        }
        if !bodies.iter().any(|&b| world.is_dynamic(b)) {
            let value = format!("`{}`, neither of which moves by its forces", between.join("` and `"));
            return bad(value, "bodies of which one moves by its forces");
        }
        Ok(bodies)
    }

    /// Returns its two bodies and its points on them, from their centres of mass in their axes [m].
    pub(crate) fn ends(&self, world: &World) -> Result<([usize; 2], [Vec3; 2]), BuildError> {
        let bodies = self.bodies(world)?;
        let points = self.points_on_bodies();
        self.subject().finite("point_a", &points[0])?;
        self.subject().finite("point_b", &points[1])?;
        Ok((bodies, [0, 1].map(|i| points[i] - world.bodies[bodies[i]].centre)))
    }

    /// Returns the force as error messages name it.
    pub(crate) fn subject(&self) -> Subject {
        Subject::Force(self.label())
    }

    /// Returns its name; without one `a~b`, or the name of its joint, or `body~kind` for a load on one body.
    pub(crate) fn label(&self) -> String {
        let unnamed = || self.between.as_ref().map(|ends| ends.join("~"));
        self.name
            .clone()
            .or_else(unnamed)
            .or_else(|| self.joint.clone())
            .or_else(|| self.body.as_ref().map(|body| format!("{body}~{}", self.acting.0.kind())))
            .unwrap_or_default()
    }
}

/// What is needed to build force elements: the bodies and the joints.
#[derive(Debug)]
pub(crate) struct Setting<'w> {
    /// the names of the inputs
    pub(crate) inputs: &'w [String],
    pub(crate) world: &'w World,
    pub(crate) constraints: &'w ConstraintSet,
    /// number of angles so far whose full turns are counted, and of switches
    pub(crate) counts: Counts,
    /// number of works so far that are integrated by themselves
    pub(crate) works: usize,
}

impl<'w> Setting<'w> {
    /// Returns what names in expressions can mean; `line`: the bodies and points of the line that a force acts along.
    fn names(&self, line: Option<([usize; 2], [Vec3; 2])>) -> Names<'w> {
        Names { world: self.world, constraints: self.constraints, inputs: self.inputs, line }
    }

    /// Creates the signals of these expressions; `key`: the key that gives them.
    fn signals<const N: usize>(
        &mut self,
        names: &Names<'_>,
        subject: &Subject,
        key: &'static str,
        expressions: &[Expression; N],
    ) -> Result<[Signal; N], BuildError> {
        let mut all = Vec::with_capacity(N);
        for expression in expressions {
            all.push(Signal::new(names, subject, key, expression, &mut self.counts)?);
        }
        all.try_into().map_err(|_| subject.impossible(Some(key), "it has too few components"))
    }

    /// Returns where the switches of a law are among those of all forces.
    fn switches_of(&mut self, law: &dyn Line) -> Range<usize> {
        let from = self.counts.switches;
        self.counts.switches += law.switches();
        from..self.counts.switches
    }

    /// Returns the index of the next work that is integrated by itself.
    fn next_work(&mut self) -> usize {
        self.works += 1;
        self.works - 1
    }
}

/// All force elements of a model: all that acts on its bodies besides contacts and joints.
#[derive(Debug)]
pub(crate) struct Forces {
    pub(crate) all: Vec<Arc<dyn ForceElement>>,
    /// number of their angles whose full turns are counted, and of their switches
    pub(crate) counts: Counts,
}

impl Forces {
    /// Builds the elements from their descriptions, including drives that act along coordinates of joints.
    pub(crate) fn build(
        world: &World,
        constraints: &ConstraintSet,
        forces: &[Force],
        fields: &[FieldRule],
        driven: &[DrivenJoint],
        inputs: &[String],
    ) -> Result<Forces, BuildError> {
        let mut setting = Setting { inputs, world, constraints, counts: Counts::default(), works: 0 };
        let mut all = Vec::with_capacity(forces.len() + fields.len());
        for force in forces {
            force.check_attachment()?;
            all.push(force.acting.0.install(&mut setting, force)?);
        }
        for (drive, coordinate) in driven.iter().filter_map(|d| Some((d, d.pushes()?))) {
            let element: Arc<dyn ForceElement> = Arc::new(Element::driven(constraints, drive, coordinate)?);
            all.push(element);
        }
        unique("forces", all.iter().map(|f| f.name()))?;
        for field in fields {
            let field: Arc<dyn ForceElement> = Arc::new(FieldElement::new(world, field)?);
            all.push(field);
        }
        unique("fields", all.iter().filter_map(|f| f.as_field()).map(|f| f.name.as_str()))?;
        Ok(Forces { all, counts: setting.counts })
    }
}
