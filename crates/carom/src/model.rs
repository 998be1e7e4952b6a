//! The model: everything that does not change during a run.

use std::sync::Arc;

use carom_base::{Mat3, Pose, Quat, Vec3};
use carom_geometry::{PairSolver, Shape};
use carom_law::Material;

use crate::body::{Dofs, Inertia, Motion, Soft};
use crate::clearance::Journal;
use crate::contact::{FrictionAt, Rule, RuleTable};
use crate::drive::{Bound, InTime};
use crate::force::{ForceElement, Nearby};
use crate::joint::Linkage;
use crate::layout::{AffineRows, BodyRows, RigidRows, StateLayout};
use crate::quadratures::Quadratures;
use crate::state::{BodyState, Kinematics};
use crate::wear::WearLaw;

/// How a body of the model moves.
#[derive(Clone, Debug)]
pub(crate) enum BodyKind {
    /// by its forces, as a rigid body: where its numbers are in the state
    Dynamic(RigidRows),
    /// by its forces, deforming: where its numbers are in the state
    Affine(AffineRows),
    /// not at all
    Fixed,
    /// as prescribed
    Prescribed(Arc<dyn Motion>),
}

/// A body of the model. Its internal frame has its origin at the centre of mass.
#[derive(Clone, Debug)]
pub(crate) struct BodyModel {
    pub(crate) name: String,
    pub(crate) kind: BodyKind,
    /// at t = 0
    pub(crate) mass: f64,
    /// m(t), if it is driven
    pub(crate) mass_in_time: Option<InTime>,
    /// 1/m along the directions it can move in, 0 along the others
    pub(crate) inverse_mass: Vec3,
    pub(crate) inertia: Inertia,
    /// about the one axis of `dofs`, if there is one
    pub(crate) axis_inertia: f64,
    /// from the reference point, in the body's axes
    pub(crate) centre: Vec3,
    pub(crate) dofs: Dofs,
    /// of the reference point
    pub(crate) position: Vec3,
    pub(crate) orientation: Quat,
    pub(crate) velocity: Vec3,
    pub(crate) angular_velocity: Vec3,
    /// whether its orientation matters to any force: not to that of a ball about its centre
    pub(crate) orientation_matters: bool,
    /// where it is at the start, and for good if it is fixed
    pub(crate) rest: Kinematics,
    /// m g
    pub(crate) weight: Vec3,
    /// what one has that deforms
    pub(crate) soft: Option<Soft>,
    /// radius of a ball around the reference point that holds its bounded surfaces; 0: none
    pub(crate) size: f64,
}

impl BodyModel {
    /// How far its points are from its centre of mass, about [m]: that of its surfaces, or the radius of gyration.
    pub(crate) fn reach(&self) -> f64 {
        let gyration = (self.inertia.tensor().trace() / (2.0 * self.mass)).sqrt();
        if self.size > 0.0 { self.size + self.centre.norm() } else { gyration }
    }
}

/// A surface of the model.
#[derive(Clone, Debug)]
pub(crate) struct SurfaceModel {
    pub(crate) name: String,
    pub(crate) body: usize,
    pub(crate) shape: Shape,
    /// its frame in the body's internal frame; `None`: the same
    pub(crate) local: Option<Pose>,
    pub(crate) material: Option<usize>,
    /// the centre of its bounding ball in the body's internal frame
    pub(crate) centre: Vec3,
    /// the radius of that ball
    pub(crate) radius: f64,
    /// the largest distance from the centre of mass of a point that turning moves (a ball's own skin is not
    /// moved by turning about its centre)
    pub(crate) lever: f64,
    /// of a joint with clearance: it touches only what names it
    pub(crate) of_joint: bool,
}

/// Bodies, surfaces, materials, contact rules, forces and drives, checked and ready to run. Immutable.
#[derive(Clone, Debug)]
pub struct Model {
    /// at t = 0
    pub(crate) gravity: Vec3,
    /// the components that are driven
    pub(crate) gravity_in_time: [Option<InTime>; 3],
    /// all drives, in the order given
    pub(crate) drives: Vec<Bound>,
    /// whether a mass or gravity is driven
    pub(crate) driven: bool,
    pub(crate) bodies: Vec<BodyModel>,
    /// the bodies that move by their forces, in the order of the state
    pub(crate) dynamic: Vec<usize>,
    /// those that deform: they follow in the state
    pub(crate) affine: Vec<usize>,
    /// the bodies that move as prescribed
    pub(crate) prescribed: Vec<usize>,
    /// the bodies that no force moves: fixed ones, and those that move as prescribed
    pub(crate) held: Vec<usize>,
    /// whether the impulses of all that acts from outside are integrated, as the ledger is
    pub(crate) integrates_impulses: bool,
    /// whether a body that moves by its forces cannot do so in all directions
    pub(crate) partly_held: bool,
    pub(crate) surfaces: Vec<SurfaceModel>,
    pub(crate) materials: Vec<Material>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) table: RuleTable,
    /// all that acts besides contacts and joints
    pub(crate) forces: Vec<Arc<dyn ForceElement>>,
    /// how many of their angles have their turns counted
    pub(crate) counted_angles: usize,
    /// the joints
    pub(crate) linkage: Linkage,
    /// whether there are forces besides contacts, joints, bodies that deform, or rules that resist rolling or spinning or wear
    pub(crate) more: bool,
    /// the user's own pair solvers, asked before those of the library
    pub(crate) solvers: Solvers,
    pub(crate) quadratures: Quadratures,
    /// where the numbers of the state are
    pub(crate) layout: StateLayout,
    pub(crate) scale: Scale,
    /// what is large for bristles [m]
    pub(crate) deflection: f64,
    /// the journals that may leave their bearings along the axis
    pub(crate) journals: Vec<Journal>,
}

/// Pair solvers of a user.
#[derive(Clone, Default)]
pub(crate) struct Solvers(pub(crate) Vec<&'static dyn PairSolver>);

impl std::fmt::Debug for Solvers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.0.iter().map(|s| s.name())).finish()
    }
}

/// What is large and what is small in a model: tolerances are in these units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// [m]: the smallest body
    pub length: f64,
    /// [m/s]: from that and gravity, or the initial speeds
    pub speed: f64,
}

impl Model {
    /// The bodies' names, in order.
    pub fn body_names(&self) -> impl Iterator<Item = &str> {
        self.bodies.iter().map(|b| b.name.as_str())
    }

    /// The names of the bodies that are not fixed, in the order of frames.
    pub fn moving_bodies(&self) -> impl Iterator<Item = &str> {
        self.moving().map(|b| b.name.as_str())
    }

    /// Whether friction of some contact acts on the surfaces, as it was asked to: its two forces are a couple.
    pub(crate) fn friction_makes_couples(&self) -> bool {
        self.rules.iter().any(|rule| rule.friction.is_some() && rule.friction_at == FrictionAt::Surfaces)
    }

    /// The bodies that are not fixed.
    pub(crate) fn moving(&self) -> impl Iterator<Item = &BodyModel> {
        self.bodies.iter().filter(|b| !matches!(b.kind, BodyKind::Fixed))
    }

    /// The scales tolerances refer to.
    pub fn scale(&self) -> Scale {
        self.scale
    }

    /// Whether a body deforms.
    pub fn deforms(&self, body: &str) -> bool {
        self.bodies.iter().any(|b| b.name == body && b.soft.is_some())
    }

    /// The short-range fields' names, in the order of frames.
    pub fn field_names(&self) -> impl Iterator<Item = &str> {
        self.fields().map(|f| f.name.as_str())
    }

    /// The short-range fields.
    pub(crate) fn fields(&self) -> impl Iterator<Item = &Nearby> {
        self.forces.iter().filter_map(|force| force.as_field())
    }

    /// The joints' names, in the order of frames; a driven coordinate comes as `joint/coordinate`.
    pub fn joint_names(&self) -> impl Iterator<Item = &str> {
        self.linkage.holds.iter().map(|h| h.name.as_str())
    }

    /// The names of the contacts that wear, in the order of frames; of a joint with clearance, the joint's.
    pub fn worn_names(&self) -> impl Iterator<Item = &str> {
        self.wears().map(|(rule, _)| rule.name.as_str())
    }

    /// The tractions of a short-range field, the coefficient of repulsion that a rest gap gives included.
    pub fn field(&self, name: &str) -> Option<&carom_field::Tractions> {
        self.fields().find(|f| f.name == name).map(|f| f.field.tractions())
    }

    /// A body's mass [kg] at t = 0, if it moves by its forces.
    pub fn mass(&self, body: &str) -> Option<f64> {
        self.find_dynamic(body).map(|b| b.mass)
    }

    /// A body's inertia about its centre of mass in its own axes [kg m²] at t = 0, if it moves by its forces.
    pub fn inertia(&self, body: &str) -> Option<Mat3> {
        self.find_dynamic(body).map(|b| b.inertia.tensor())
    }

    /// A body's centre of mass in its own frame [m], if it moves by its forces.
    pub fn centre_of_mass(&self, body: &str) -> Option<Vec3> {
        self.find_dynamic(body).map(|b| b.centre)
    }

    fn find_dynamic(&self, name: &str) -> Option<&BodyModel> {
        let free = |b: &BodyModel| matches!(b.kind, BodyKind::Dynamic(_) | BodyKind::Affine(_));
        self.bodies.iter().find(|b| b.name == name && free(b))
    }

    /// `body/surface`.
    pub(crate) fn surface_name(&self, surface: usize) -> String {
        let s = &self.surfaces[surface];
        format!("{}/{}", self.bodies[s.body].name, s.name)
    }

    /// Whether a surface is on a body that deforms.
    pub(crate) fn deforms_surface(&self, surface: usize) -> bool {
        self.bodies[self.surfaces[surface].body].soft.is_some()
    }

    /// Every surface where it is, the moving bodies being in these states, as a [`Frame`](crate::Frame) has them: `body/surface`, its shape, and its
    /// frame in the world.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut builder = ModelBuilder::new();
    /// builder.body(Body::fixed("floor").position([0.0, 0.0, 2.0]).surface(Plane));
    /// let model = builder.build()?;
    /// let (name, _, pose) = model.surfaces_at(&[]).next().unwrap();
    /// assert_eq!((name.as_str(), pose.p.z), ("floor/plane1", 2.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn surfaces_at<'m>(
        &'m self,
        bodies: &'m [BodyState],
    ) -> impl Iterator<Item = (String, &'m Shape, Pose)> {
        let at = move |(i, s): (usize, &'m SurfaceModel)| {
            Some((self.surface_name(i), &s.shape, self.surface_pose(i, self.place(s.body), bodies)?))
        };
        self.surfaces.iter().enumerate().filter_map(at)
    }

    /// The place of a body in frames, unless it is fixed.
    pub(crate) fn place(&self, body: usize) -> Option<usize> {
        let moves = |b: &BodyModel| !matches!(b.kind, BodyKind::Fixed);
        moves(&self.bodies[body]).then(|| self.bodies[..body].iter().filter(|b| moves(b)).count())
    }

    /// The frame of a surface in the world, its body being at that place of a frame; `None` if the frame has no such place.
    pub(crate) fn surface_pose(
        &self,
        surface: usize,
        place: Option<usize>,
        bodies: &[BodyState],
    ) -> Option<Pose> {
        let s = &self.surfaces[surface];
        let b = &self.bodies[s.body];
        let body = match place {
            Some(place) => bodies.get(place).map(|b| Pose { p: b.position, r: b.axes() })?,
            None => Pose::new(b.position, &b.orientation),
        };
        let own = s.local.unwrap_or_else(Pose::identity);
        // the internal frame has its origin at the centre of mass
        Some(Pose { p: body.point(&(b.centre + own.p)), r: body.r * own.r })
    }

    /// The bodies that move by their forces, those that deform after the others.
    pub(crate) fn free(&self) -> impl Iterator<Item = usize> {
        self.dynamic.iter().chain(&self.affine).copied()
    }

    /// Whether there is more than rigid bodies and contacts: see [`Model::more`].
    pub(crate) fn has_more(&self) -> bool {
        !(self.forces.is_empty() && self.affine.is_empty() && self.linkage.is_empty())
            || self.rules.iter().any(|rule| rule.resists() || rule.wear.is_some())
    }

    /// Where the numbers of a body that moves by its forces are in the state.
    pub(crate) fn rows(&self, body: usize) -> Option<BodyRows> {
        match self.bodies[body].kind {
            BodyKind::Dynamic(rows) => Some(BodyRows::Rigid(rows)),
            BodyKind::Affine(rows) => Some(BodyRows::Affine(rows)),
            _ => None,
        }
    }

    /// The play of the bearing that a depth is of [m].
    pub(crate) fn play_of(&self, depth: usize) -> f64 {
        let of = |w: &WearLaw| {
            w.profile.as_ref().filter(|p| (p.first..p.first + p.len()).contains(&depth)).map(|p| p.play)
        };
        self.wears().find_map(|(_, w)| of(w)).unwrap_or(1.0)
    }

    /// The rules that wear.
    pub(crate) fn wears(&self) -> impl Iterator<Item = (&Rule, &WearLaw)> {
        self.rules.iter().filter_map(|rule| Some((rule, rule.wear.as_ref()?)))
    }

    /// m(t)/m(0) of a body.
    pub(crate) fn mass_factor(&self, body: usize, t: f64) -> f64 {
        self.bodies[body].mass_in_time.as_ref().map_or(1.0, |mass| mass.factor(t))
    }

    /// The first kink of anything in time, after t and before `end`; `end`, if there is none.
    pub(crate) fn smooth_until(&self, t: f64, end: f64) -> f64 {
        let end = self.drives.iter().fold(end, |end, drive| drive.course.smooth_until(t, end));
        self.prescribed.iter().fold(end, |end, &body| match &self.bodies[body].kind {
            BodyKind::Prescribed(motion) => motion.smooth_until(t, end),
            _ => end,
        })
    }

    pub(crate) fn is_dynamic(&self, body: usize) -> bool {
        matches!(self.bodies[body].kind, BodyKind::Dynamic(_) | BodyKind::Affine(_))
    }
}
