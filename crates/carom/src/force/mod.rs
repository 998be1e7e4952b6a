//! Forces between points of bodies, along the line that joins them, and couples.
//!
//! A law gives the tension T of the line from its length l and the rate of that: F = −T e on A, T e on B, e the direction from B's
//! point to A's. What it does not store it dissipates. The same laws act along coordinates: those that joints leave free, angles about axes, and the six of a
//! bushing (`element`).
//!
//! To add one: write its file, with its entry, its kind and its element ([`ForceElement`]), and add its line to [`FORCES`].

mod acts;
mod bushing;
mod constant;
mod coordinate;
mod drag;
mod element;
mod element_slopes;
mod field;
mod field_slopes;
mod frame;
mod function;
mod line;
mod link;
mod link_slopes;
mod on_body;
mod user_load;
mod spring_damper;
mod torque;

use std::fmt::Debug;
use std::sync::Arc;

use carom_base::{Entry, Vec3};

use crate::check::unique;
use crate::coordinate::Coordinate;
use crate::drive::DrivenJoint;
use crate::error::{BuildError, Fault, Subject};
use crate::joint::{ConstraintSet, Given};
use crate::world::World;

pub use acts::DrawnLine;
pub(crate) use acts::{ForceElement, Integrals};
pub use bushing::Bushing;
pub use constant::ConstantLoad;
pub use coordinate::CoordinateSpring;
pub use drag::Drag;
use element::{Element, Slide, Torsion};
pub(crate) use field::Nearby;
pub use field::{FieldRule, Repulsion};
use field::{Seen, SeenSupport, cross_matrix, near};
pub use function::LineFunction;
pub use line::{Line, LineLaw, Tension};
use link::Along;
use link::{Link, Stretch};
pub use spring_damper::SpringDamper;
pub use torque::Torque;
pub use user_load::{BodyMotion, UserLoad};

/// Every force a scene can have.
///
/// ```
/// use carom::base::{Args, Value};
/// let spring = carom::FORCES.iter().find(|e| e.name == "spring-damper").unwrap();
/// let args = Args::new().with("stiffness", Value::Number(100.0)).with("rest_length", Value::Number(0.1));
/// let acting = spring.make(&args)?;
/// let law = acting.as_line().unwrap();
/// assert!((law.tension(0.15, 0.0).f - 5.0).abs() < 1e-14); // [N]
/// # Ok::<(), carom::base::SpecError>(())
/// ```
pub static FORCES: &[Entry<Acting>] = &[
    SpringDamper::ENTRY,
    CoordinateSpring::TORSION,
    CoordinateSpring::SLIDE,
    Bushing::ENTRY,
    Torque::ENTRY,
    ConstantLoad::ENTRY,
    Drag::ENTRY,
];

/// How a force acts: along a line, about an axis, along a coordinate, as a couple, as a load on one body.
///
/// Its kinds are those of [`FORCES`], made by their entries; laws of a program's own go through [`Acting::line`], [`Acting::torsion`] and [`Acting::slide`].
#[derive(Clone, Debug)]
pub struct Acting(Arc<dyn Kind>);

/// A kind of force: how its place is said, and the element that it becomes in a model.
pub(crate) trait Kind: Debug + Send + Sync {
    /// What messages call it.
    fn kind(&self) -> &'static str;
    /// The ways in which its place can be said, each a set of keys; those in brackets may be left out.
    fn attachments(&self) -> &'static [&'static [&'static str]];
    /// The element of a model whose bodies and joints are there.
    fn install(&self, setting: &mut Setting<'_>, force: &Force) -> Result<Arc<dyn ForceElement>, BuildError>;
    /// Whether it is a couple, which has no point.
    fn is_couple(&self) -> bool {
        false
    }
    /// The law along a line between two points, if it is one.
    fn as_line(&self) -> Option<&dyn Line> {
        None
    }
}

impl Acting {
    pub(crate) fn new(kind: impl Kind + 'static) -> Acting {
        Acting(Arc::new(kind))
    }

    /// Along the line between two points.
    pub fn line(law: Arc<dyn Line>) -> Acting {
        Acting::new(Along(law))
    }

    /// Along an angle: of a joint, or about an axis.
    pub fn torsion(law: Arc<dyn Line>) -> Acting {
        Acting::new(Torsion(law))
    }

    /// Along a coordinate that a joint leaves free, a displacement as a rule, which has this name.
    pub fn slide(law: Arc<dyn Line>, coordinate: &str) -> Acting {
        Acting::new(Slide(law, coordinate.to_owned()))
    }

    /// The law along a line between two points, if it acts so.
    pub fn as_line(&self) -> Option<&dyn Line> {
        self.0.as_line()
    }

    /// Whether it is a couple, which is the same at every point.
    pub fn is_couple(&self) -> bool {
        self.0.is_couple()
    }

    /// Whether its place can be said with this key.
    pub fn takes(&self, key: &str) -> bool {
        self.0.attachments().iter().flat_map(|way| way.iter()).any(|k| bare(k) == key)
    }
}

/// A key of a place without the brackets of one that may be left out.
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
    /// two bodies
    pub(crate) between: Option<[String; 2]>,
    /// or a joint
    pub(crate) joint: Option<String>,
    /// or one body, which it loads from outside
    pub(crate) body: Option<String>,
    pub(crate) point: Given,
    /// in the world, as the bodies start
    pub(crate) axis: Option<Vec3>,
    /// likewise
    pub(crate) x_axis: Option<Vec3>,
    /// of the joint, other than what its kind has
    pub(crate) coordinate: Option<String>,
    pub(crate) acting: Acting,
}

impl Force {
    /// Between the reference points of two bodies.
    pub fn between(a: &str, b: &str, law: impl Line + 'static) -> Force {
        Force::between_arc(a, b, Arc::new(law))
    }

    /// The same for a law that is shared.
    pub fn between_arc(a: &str, b: &str, law: Arc<dyn Line>) -> Force {
        Force::acting(a, b, Acting::line(law))
    }

    /// A constant couple [N m] on the first body, world frame; its opposite on the second.
    pub fn torque(a: &str, b: &str, torque: [f64; 3]) -> Force {
        Force::acting(a, b, Acting::new(Torque { torque }))
    }

    /// Along the angle of a joint, about its axis, turns counted: what the law calls a tension is a couple [N m] that draws the angle back.
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

    /// Along the displacement of a joint.
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

    /// Along the angle of the first body about an axis [any length] of the second, given in the world as the bodies start.
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

    /// A bushing between two bodies; where it is, and how its axes lie, is still to be said. Without that it is at the reference point of the first body, and its
    /// axes are those of the world as the bodies start.
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

    /// A force of any kind between two bodies.
    pub fn acting(a: &str, b: &str, acting: Acting) -> Force {
        Force { between: Some([a.to_owned(), b.to_owned()]), ..Force::nowhere(acting) }
    }

    /// A force of any kind along a coordinate of a joint.
    pub fn on_joint(joint: &str, acting: Acting) -> Force {
        Force { joint: Some(joint.to_owned()), ..Force::nowhere(acting) }
    }

    /// A load on one body, from outside: a [`ConstantLoad`], a [`Drag`], an [`UserLoad`].
    pub fn on(body: &str, load: impl Into<Acting>) -> Force {
        Force { body: Some(body.to_owned()), ..Force::nowhere(load.into()) }
    }

    fn nowhere(acting: Acting) -> Force {
        let point = Given::NotGiven;
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

    /// Its name; without one it is called `a~b`.
    pub fn named(mut self, name: &str) -> Force {
        self.name = Some(name.to_owned());
        self
    }

    /// Between these points of the two bodies [m], each in its body's frame, from its reference point.
    pub fn points(mut self, a: [f64; 3], b: [f64; 3]) -> Force {
        self.point = Given::Bodies([a.into(), b.into()]);
        self
    }

    /// At this point of the world [m], as the bodies start.
    pub fn at(mut self, point: [f64; 3]) -> Force {
        self.point = Given::World(point.into());
        self
    }

    /// About this direction of the world, as the bodies start; of a bushing, its z axis.
    pub fn axis(mut self, axis: [f64; 3]) -> Force {
        self.axis = Some(axis.into());
        self
    }

    /// The x axis of a bushing as the bodies start: what of this direction of the world is across z.
    pub fn x_axis(mut self, axis: [f64; 3]) -> Force {
        self.x_axis = Some(axis.into());
        self
    }

    /// Along another displacement of a joint that has several, as `x` or `y` of a planar one.
    pub fn coordinate(mut self, name: &str) -> Force {
        self.coordinate = Some(name.to_owned());
        self
    }

    /// Its points in the bodies' frames, from their reference points.
    pub(crate) fn points_on_bodies(&self) -> [Vec3; 2] {
        match self.point {
            Given::Bodies(points) => points,
            _ => [Vec3::zeros(); 2],
        }
    }

    /// Whether its place is said in one of the ways it can be.
    pub(crate) fn check_place(&self) -> Result<(), BuildError> {
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
        // the way that begins as this does, and what of it is too much
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

    /// The two bodies, of which one moves by its forces.
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

    /// The force, as errors name it.
    pub(crate) fn subject(&self) -> Subject {
        Subject::Force(self.label())
    }

    /// Its name, or `a~b`, or that of its joint; of a load, `body~kind`.
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

/// What forces are put into: bodies and joints.
#[derive(Debug)]
pub(crate) struct Setting<'w> {
    pub(crate) world: &'w World,
    pub(crate) constraints: &'w ConstraintSet,
    /// how many angles have their turns counted so far
    pub(crate) counted_angles: usize,
}

/// All that acts on the bodies of a model besides contacts and joints.
#[derive(Debug)]
pub(crate) struct Forces {
    pub(crate) all: Vec<Arc<dyn ForceElement>>,
    /// how many of their angles have their turns counted
    pub(crate) counted_angles: usize,
}

impl Forces {
    /// Of their descriptions; those of drives along coordinates of joints included.
    pub(crate) fn build(
        world: &World,
        constraints: &ConstraintSet,
        forces: &[Force],
        fields: &[FieldRule],
        driven: &[DrivenJoint],
    ) -> Result<Forces, BuildError> {
        let mut setting = Setting { world, constraints, counted_angles: 0 };
        let mut all = Vec::with_capacity(forces.len() + fields.len());
        for force in forces {
            force.check_place()?;
            all.push(force.acting.0.install(&mut setting, force)?);
        }
        for (drive, coordinate) in driven.iter().filter_map(|d| Some((d, d.pushes()?))) {
            let element: Arc<dyn ForceElement> = Arc::new(Element::driven(constraints, drive, coordinate)?);
            all.push(element);
        }
        unique("forces", all.iter().map(|f| f.name()))?;
        for field in fields {
            let field: Arc<dyn ForceElement> = Arc::new(Nearby::new(world, field)?);
            all.push(field);
        }
        unique("fields", all.iter().filter_map(|f| f.as_field()).map(|f| f.name.as_str()))?;
        Ok(Forces { all, counted_angles: setting.counted_angles })
    }
}
