//! What an author says of a joint, and what a kind of joint says of its equations.

use std::fmt::Debug;
use std::sync::Arc;

use carom_base::{Quantity, Vec3};

use super::equation::{Equation, Term};
use super::friction::{JointFriction, Slip};
use super::limit::Limits;
use super::measure::{A, B, Measure, Vector};
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
}

/// A point or direction of a joint.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Given {
    #[default]
    NotGiven,
    /// in the world, as the bodies start
    World(Vec3),
    /// in the frames of both bodies
    Bodies([Vec3; 2]),
}

impl Joint {
    /// Between two bodies; where, and about which axis, is still to be said.
    pub fn between(a: &str, b: &str, kind: impl JointKind + 'static) -> Joint {
        Joint::between_arc(a, b, Arc::new(kind))
    }

    /// The same for a kind that is shared.
    pub fn between_arc(a: &str, b: &str, kind: Arc<dyn JointKind>) -> Joint {
        let between = [a.to_owned(), b.to_owned()];
        let not_given = Given::NotGiven;
        Joint {
            name: None,
            between,
            kind,
            point: not_given,
            axis: not_given,
            second_axis: not_given,
            friction: None,
            limits: Limits::default(),
        }
    }

    /// Its name; without one it is called `a~b`.
    pub fn named(mut self, name: &str) -> Joint {
        self.name = Some(name.to_owned());
        self
    }

    /// At this point of the world [m], as the bodies start.
    pub fn at(mut self, point: [f64; 3]) -> Joint {
        self.point = Given::World(point.into());
        self
    }

    /// At these points of the two bodies [m], each in its body's frame, from its reference point. They need not meet as the bodies start: the mechanism is
    /// put together then.
    pub fn points(mut self, a: [f64; 3], b: [f64; 3]) -> Joint {
        self.point = Given::Bodies([a.into(), b.into()]);
        self
    }

    /// About or along this direction of the world, as the bodies start.
    pub fn axis(mut self, axis: [f64; 3]) -> Joint {
        self.axis = Given::World(axis.into());
        self
    }

    /// About or along these directions of the two bodies, each in its body's frame.
    pub fn axes(mut self, a: [f64; 3], b: [f64; 3]) -> Joint {
        self.axis = Given::Bodies([a.into(), b.into()]);
        self
    }

    /// The second axis of a joint that has two (a universal joint's on B), in the world, as the bodies start.
    pub fn second_axis(mut self, axis: [f64; 3]) -> Joint {
        self.second_axis = Given::World(axis.into());
        self
    }

    /// With friction in what it leaves free.
    pub fn friction(mut self, friction: JointFriction) -> Joint {
        self.friction = Some(friction);
        self
    }

    /// `a~b`, or its name.
    pub(crate) fn label(&self) -> String {
        self.name.clone().unwrap_or_else(|| self.between.join("~"))
    }
}

/// A kind of joint: which equations hold its bodies.
pub trait JointKind: Debug + Send + Sync {
    /// Its word in a scene.
    fn name(&self) -> &'static str;
    /// Whether it has an axis, which must then be given. The default: none.
    fn has_axis(&self) -> bool {
        false
    }
    /// Whether it has a second axis, across the first. The default: none.
    fn has_second_axis(&self) -> bool {
        false
    }
    /// Whether it matters at which point it is. The default: it does.
    fn has_point(&self) -> bool {
        true
    }
    /// Whether its two points are apart: points of the bodies, their reference points unless given.
    fn has_two_points(&self) -> bool {
        false
    }
    /// Whether it joins two joints, not two bodies: `between` then names joints, and the factor of the second's coordinate is this.
    fn couples(&self) -> Option<f64> {
        None
    }
    /// Whether it holds surfaces, not points: `between` may then say `body/surface`.
    fn rolls(&self) -> bool {
        false
    }
    /// What may rub in it: of every bearing, the ways in which it slips. The default: nothing.
    fn slips(&self) -> &'static [&'static [Slip]] {
        &[]
    }
    /// The coordinates that it leaves free, as far as they have names. The default: none.
    fn coordinates(&self) -> &'static [Coordinate] {
        &[]
    }
    /// What limits can be set to. The default: the coordinates that it leaves free.
    fn limited(&self) -> &'static [Coordinate] {
        self.coordinates()
    }
    /// The mark that stands for it in pictures. The default: a ball.
    fn glyph(&self) -> Glyph {
        Glyph::Ball { radius: 1.0 }
    }
    /// Its equations.
    fn constrain(&self, frames: &Frames, equations: &mut Equations);
}

impl dyn JointKind {
    /// What the rate of the one coordinate that it leaves free is; `None`: it leaves none, or more than one.
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

/// A mark that stands for a joint in pictures: a solid about the joint's axis z, or a rod. Its lengths are multiples of one that is the same for all joints of a picture.
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
        /// how long it is
        length: f64,
    },
    /// a box
    Box {
        /// its edges along x, y and z
        edges: [f64; 3],
    },
    /// a regular octahedron
    Octahedron {
        /// from its centre to its corners
        radius: f64,
    },
    /// a rod from the point on A to the point on B
    Rod {
        /// its radius
        radius: f64,
    },
}

/// Where a joint is on its two bodies: a point and a frame on each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frames {
    /// from the centres of mass, in the bodies' axes
    pub(crate) points: [Vec3; 2],
    /// x, y, z, in the bodies' axes
    pub(crate) axes: [[Vec3; 3]; 2],
    /// from point to point as the bodies start [m]
    pub(crate) distance: f64,
}

impl Frames {
    /// How far the two points are apart as the bodies start [m].
    pub fn distance(&self) -> f64 {
        self.distance
    }

    pub(super) fn direction(&self, end: usize, d: Direction) -> Vec3 {
        self.axes[end][d as usize]
    }

    /// How far A's point is from B's along a direction of B.
    pub(super) fn along(&self, d: Direction) -> Measure {
        let e = Vector::On(B, self.direction(B, d));
        Measure::Dot { d: Vector::Between(self.points), e, scale: 1.0 }
    }

    /// The angle by which A is turned from B about z.
    pub(super) fn angle(&self) -> Measure {
        self.angle_of(A, Direction::X, [Direction::Y, Direction::X])
    }

    /// The angle of a direction of the body `of`, from the second of these two of the other towards the first.
    pub(super) fn angle_of(&self, of: usize, d: Direction, others: [Direction; 2]) -> Measure {
        let [y, z] = others.map(|d| self.direction(1 - of, d));
        Measure::Angle { x: Vector::On(of, self.direction(of, d)), from: 1 - of, y, z }
    }
}

/// The equations of a joint, as its kind says them.
#[derive(Clone, Debug)]
pub struct Equations {
    frames: Frames,
    pub(crate) all: Vec<Equation>,
}

impl Equations {
    pub(crate) fn new(frames: Frames) -> Equations {
        Equations { frames, all: Vec::new() }
    }

    /// The two points are one: three equations.
    pub fn meet(&mut self) {
        self.all.push(Equation::Meet(self.frames.points));
    }

    /// A's point stays in the plane through B's across this direction of B.
    pub fn stay(&mut self, d: Direction) {
        self.all.push(Equation::Level(self.frames.along(d), 0.0));
    }

    /// A direction of A is square to one of B.
    pub fn square(&mut self, a: Direction, b: Direction) {
        let (d, e) = (Vector::On(A, self.frames.direction(A, a)), Vector::On(B, self.frames.direction(B, b)));
        self.all.push(Equation::Level(Measure::Dot { d, e, scale: 1.0 }, 0.0));
    }

    /// The axis of A stays along that of B.
    pub fn align(&mut self) {
        let [x, y] = [Direction::X, Direction::Y].map(|d| self.frames.direction(A, d));
        self.all.push(Equation::Align { x, y, z: self.frames.direction(B, Direction::Z) });
    }

    /// A does not turn from B.
    pub fn lock(&mut self) {
        self.align();
        self.square(Direction::X, Direction::Y);
    }

    /// The points are so far apart [m], more than zero.
    pub fn length(&mut self, length: f64) {
        // (|d|² − l²)/2l: smooth, and a length
        let d = Vector::Between(self.frames.points);
        let scale = 0.5 / length;
        self.all.push(Equation::Level(Measure::Dot { d, e: d, scale }, 0.5 * length));
    }

    /// A goes along z by `pitch` [m] a turn about it.
    pub fn screw(&mut self, pitch: f64) {
        let term = |factor, measure, counter| Term { factor, measure, ends: [A, B], counter };
        let along = term(1.0, self.frames.along(Direction::Z), None);
        // which counter is known when the joint is in a model
        let about = term(-pitch / std::f64::consts::TAU, self.frames.angle(), Some(0));
        self.all.push(Equation::Sum(vec![along, about], 0.0));
    }
}
