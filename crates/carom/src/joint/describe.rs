//! The description of a joint by the user, and of a kind of joint: its equations and coordinates.

use std::fmt::Debug;
use std::sync::Arc;

use carom_base::{Quantity, Vec3};

use super::equation::{Equation, Term};
use super::friction::{JointFriction, Slip};
use super::limit::Limits;
use super::measure::{A, B, Measure, Vector};
use super::rotor::Rotor;
use crate::coordinate::{Coordinate, Direction};

/// A joint between two bodies.
///
/// ```
/// use carom::prelude::*;
/// let hinge = Joint::between("door", "frame", Revolute).at([0.0, 0.4, 1.0]).axis([0.0, 0.0, 1.0]);
/// # let _ = hinge;
/// ```
#[derive(Clone, Debug)]
pub struct Joint {
    pub(crate) name: Option<String>,
    pub(crate) between: [String; 2],
    pub(crate) kind: Arc<dyn JointKind>,
    pub(crate) point: Given,
    pub(crate) axis: Given,
    pub(crate) second_axis: Given,
    pub(crate) friction: Option<JointFriction>,
    pub(crate) limits: Limits,
    pub(crate) rotor: Rotor,
}

/// A point or direction of a joint, as it was given.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Given {
    #[default]
    Omitted,
    /// in the world, in the initial state
    World(Vec3),
    /// on A and on B, each in the frame of its body
    Bodies([Vec3; 2]),
}

impl Joint {
    /// Creates a joint between two bodies. Its point and its axis are set by the methods below.
    pub fn between(a: &str, b: &str, kind: impl JointKind + 'static) -> Joint {
        Joint::between_arc(a, b, Arc::new(kind))
    }

    /// Creates a joint between two bodies of a kind that is shared.
    pub fn between_arc(a: &str, b: &str, kind: Arc<dyn JointKind>) -> Joint {
        let between = [a.to_owned(), b.to_owned()];
        let not_given = Given::Omitted;
        Joint {
            name: None,
            between,
            kind,
            point: not_given,
            axis: not_given,
            second_axis: not_given,
            friction: None,
            limits: Limits::default(),
            rotor: Rotor::default(),
        }
    }

    /// Sets its name; without one it is called `a~b`.
    pub fn named(mut self, name: &str) -> Joint {
        self.name = Some(name.to_owned());
        self
    }

    /// Sets the joint's point, in the world [m], in the initial state.
    pub fn at(mut self, point: [f64; 3]) -> Joint {
        self.point = Given::World(point.into());
        self
    }

    /// Sets the joint's points on the two bodies [m], each in its body's frame, from its reference point. They need not
    /// coincide in the initial state: the mechanism is assembled then.
    pub fn points(mut self, a: [f64; 3], b: [f64; 3]) -> Joint {
        self.point = Given::Bodies([a.into(), b.into()]);
        self
    }

    /// Sets the axis about or along which it moves: a direction in the world, in the initial state.
    pub fn axis(mut self, axis: [f64; 3]) -> Joint {
        self.axis = Given::World(axis.into());
        self
    }

    /// Sets the axis about or along which it moves, on the two bodies: directions in their frames.
    pub fn axes(mut self, a: [f64; 3], b: [f64; 3]) -> Joint {
        self.axis = Given::Bodies([a.into(), b.into()]);
        self
    }

    /// Sets the second axis of a joint that has two (the axis on B of a universal joint): a direction in the world, in
    /// the initial state.
    pub fn second_axis(mut self, axis: [f64; 3]) -> Joint {
        self.second_axis = Given::World(axis.into());
        self
    }

    /// Sets the friction in the motions that it leaves free.
    pub fn friction(mut self, friction: JointFriction) -> Joint {
        self.friction = Some(friction);
        self
    }

    /// Returns its name, or `a~b` if it has none.
    pub(crate) fn label(&self) -> String {
        self.name.clone().unwrap_or_else(|| self.between.join("~"))
    }
}

/// A kind of joint: the equations that constrain its bodies, and the coordinates that it leaves free.
pub trait JointKind: Debug + Send + Sync {
    /// The name of the kind in a scene.
    fn name(&self) -> &'static str;
    /// Whether it has an axis, which must then be given. The default: it has none.
    fn has_axis(&self) -> bool {
        false
    }
    /// Whether it has a second axis, perpendicular to the first. The default: it has none.
    fn has_second_axis(&self) -> bool {
        false
    }
    /// Whether it must be given a point. The default: it must.
    fn has_point(&self) -> bool {
        true
    }
    /// Whether its points on A and B are apart. They are the reference points of the bodies unless given. The default:
    /// they coincide.
    fn has_two_points(&self) -> bool {
        false
    }
    /// Returns the factor of the second joint's coordinate if it couples two joints, not two bodies: `between` then
    /// names joints. The default: `None`.
    fn couples(&self) -> Option<f64> {
        None
    }
    /// Whether it constrains surfaces, not points: `between` may then be `body/surface`. The default: it does not.
    fn rolls(&self) -> bool {
        false
    }
    /// Returns the bearings in which friction can act: for each, the motions in which it slips. The default: none.
    fn slips(&self) -> &'static [&'static [Slip]] {
        &[]
    }
    /// Returns the coordinates that it leaves free, as far as they have names. The default: none.
    fn coordinates(&self) -> &'static [Coordinate] {
        &[]
    }
    /// Returns the coordinates that can be limited. The default: the coordinates that it leaves free.
    fn limited(&self) -> &'static [Coordinate] {
        self.coordinates()
    }
    /// Returns the mark that stands for it in pictures. The default: a ball.
    fn glyph(&self) -> Glyph {
        Glyph::Ball { radius: 1.0 }
    }
    /// Adds its equations to `equations`.
    fn constrain(&self, frames: &Frames, equations: &mut Equations);
}

impl dyn JointKind {
    /// Returns the physical quantity of the rate of its only coordinate; `None` if it leaves none free, or more than
    /// one.
    ///
    /// ```
    /// use carom::{JointKind, Prismatic, Spherical, base::Quantity};
    /// let kinds: [&dyn JointKind; 2] = [&Prismatic, &Spherical];
    /// assert_eq!(kinds.map(|kind| kind.speed()), [Some(Quantity::Speed), None]);
    /// ```
    pub fn speed(&self) -> Option<Quantity> {
        match self.coordinates() {
            [only] => Some(only.rate()),
            _ => None,
        }
    }
}

/// A mark that stands for a joint in pictures: a solid about the joint's axis z, or a rod. Its lengths are multiples of
/// a length that is the same for all joints of a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Glyph {
    /// a ball
    Ball {
        /// its radius
        radius: f64,
    },
    /// a cylinder along z
    Cylinder {
        /// its radius
        radius: f64,
        /// its length
        length: f64,
    },
    /// a box
    Box {
        /// its edges along x, y and z
        edges: [f64; 3],
    },
    /// a regular octahedron
    Octahedron {
        /// distance from its centre to its corners
        radius: f64,
    },
    /// a rod from the point on A to the point on B
    Rod {
        /// its radius
        radius: f64,
    },
}

/// The location of a joint on its two bodies: a point and a frame on each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frames {
    /// the points, from the centres of mass, in the bodies' axes [m]
    pub(crate) points: [Vec3; 2],
    /// the directions x, y, z, in the bodies' axes
    pub(crate) axes: [[Vec3; 3]; 2],
    /// distance between the two points in the initial state [m]
    pub(crate) distance: f64,
}

impl Frames {
    /// Returns the distance between the two points in the initial state [m].
    pub fn distance(&self) -> f64 {
        self.distance
    }

    pub(super) fn direction(&self, end: usize, d: Direction) -> Vec3 {
        self.axes[end][d as usize]
    }

    /// Returns the measure of the displacement of A's point from B's along a direction of B.
    pub(super) fn along(&self, d: Direction) -> Measure {
        let e = Vector::On(B, self.direction(B, d));
        Measure::Dot { d: Vector::Between(self.points), e, scale: 1.0 }
    }

    /// Returns the measure of the angle by which A is turned about z relative to B.
    pub(super) fn angle(&self) -> Measure {
        self.angle_of(A, Direction::X, [Direction::Y, Direction::X])
    }

    /// Returns the measure of the angle of a direction of the body `of`, in the plane of these two directions of the
    /// other body: from the second of them towards the first.
    pub(super) fn angle_of(&self, of: usize, d: Direction, others: [Direction; 2]) -> Measure {
        let [y, z] = others.map(|d| self.direction(1 - of, d));
        Measure::Angle { x: Vector::On(of, self.direction(of, d)), from: 1 - of, y, z }
    }
}

/// The equations of a joint, to which its kind adds.
#[derive(Clone, Debug)]
pub struct Equations {
    frames: Frames,
    pub(crate) all: Vec<Equation>,
}

impl Equations {
    pub(crate) fn new(frames: Frames) -> Equations {
        Equations { frames, all: Vec::new() }
    }

    /// Requires that the two points coincide: three equations.
    pub fn meet(&mut self) {
        self.all.push(Equation::Meet(self.frames.points));
    }

    /// Requires that A's point stays in the plane through B's point perpendicular to this direction of B.
    pub fn stay(&mut self, d: Direction) {
        self.all.push(Equation::Level(self.frames.along(d), 0.0));
    }

    /// Requires that a direction of A stays perpendicular to a direction of B.
    pub fn square(&mut self, a: Direction, b: Direction) {
        let (d, e) = (Vector::On(A, self.frames.direction(A, a)), Vector::On(B, self.frames.direction(B, b)));
        self.all.push(Equation::Level(Measure::Dot { d, e, scale: 1.0 }, 0.0));
    }

    /// Requires that the z axis of A stays parallel to that of B: two equations.
    pub fn align(&mut self) {
        let [x, y] = [Direction::X, Direction::Y].map(|d| self.frames.direction(A, d));
        self.all.push(Equation::Align { x, y, z: self.frames.direction(B, Direction::Z) });
    }

    /// Requires that A does not rotate relative to B: three equations.
    pub fn lock(&mut self) {
        self.align();
        self.square(Direction::X, Direction::Y);
    }

    /// Requires that the points stay at this distance [m], which must be positive.
    pub fn length(&mut self, length: f64) {
        // (|d|² − l²)/2l: smooth, and with the unit of a length
        let d = Vector::Between(self.frames.points);
        let scale = 0.5 / length;
        self.all.push(Equation::Level(Measure::Dot { d, e: d, scale }, 0.5 * length));
    }

    /// Requires that A moves along z by `pitch` [m] for each full turn about z.
    pub fn screw(&mut self, pitch: f64) {
        let term = |factor, measure, counter| Term { factor, measure, ends: [A, B], counter };
        let along = term(1.0, self.frames.along(Direction::Z), None);
        // the counter's index 0 is provisional: it is assigned when the joint is added to a model
        let about = term(-pitch / std::f64::consts::TAU, self.frames.angle(), Some(0));
        self.all.push(Equation::Sum(vec![along, about], 0.0));
    }
}
