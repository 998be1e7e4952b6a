//! The model: everything that does not change during a run.

use std::sync::Arc;

use carom_base::{Mat3, Pose, Vec3};
use carom_geometry::Shape;

use crate::clearance::Journal;
use crate::force::{ForceElement, Nearby};
use crate::joint::ConstraintSet;
use crate::record::WearRecord;
use crate::rule::{FrictionAt, Rule, RuleTable};
use crate::state::BodyState;
use crate::wear::{Profile, WearLaw, value_at};
use crate::world::{BodyKind, BodyModel, Scale, SurfaceModel, World};

/// Bodies, surfaces, materials, contact rules, forces and drives, checked and ready to run. Immutable.
#[derive(Clone, Debug)]
pub struct Model {
    pub(crate) world: World,
    /// whether the impulses of all that acts from outside are integrated, as the ledger is
    pub(crate) integrates_impulses: bool,
    pub(crate) rules: Vec<Rule>,
    pub(crate) table: RuleTable,
    /// all that acts besides contacts and joints
    pub(crate) forces: Vec<Arc<dyn ForceElement>>,
    /// how many of their angles have their turns counted
    pub(crate) counted_angles: usize,
    /// the joints
    pub(crate) constraints: ConstraintSet,
    /// whether there are forces besides contacts, joints, bodies that deform, or rules that resist rolling or spinning or wear
    pub(crate) more: bool,
    /// what is large for bristles [m]
    pub(crate) deflection: f64,
    /// the journals that may leave their bearings along the axis
    pub(crate) journals: Vec<Journal>,
}

impl Model {
    /// The bodies' names, in order.
    pub fn body_names(&self) -> impl Iterator<Item = &str> {
        self.world.body_names()
    }

    /// The names of the bodies that are not fixed, in the order of frames.
    pub fn moving_bodies(&self) -> impl Iterator<Item = &str> {
        self.world.moving().map(|b| b.name.as_str())
    }

    /// Whether friction of some contact acts on the surfaces, as it was asked to: its two forces are a couple.
    pub(crate) fn friction_makes_couples(&self) -> bool {
        self.rules.iter().any(|rule| rule.friction.is_some() && rule.friction_at == FrictionAt::Surfaces)
    }

    /// The scales tolerances refer to.
    pub fn scale(&self) -> Scale {
        self.world.scale
    }

    /// Whether a body deforms.
    pub fn deforms(&self, body: &str) -> bool {
        self.world.bodies.iter().any(|b| b.name == body && b.soft.is_some())
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
        self.constraints.list.iter().map(|h| h.name.as_str())
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
        self.world.bodies.iter().find(|b| b.name == name && free(b))
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
            Some((
                self.world.surface_name(i),
                &s.shape,
                self.world.surface_pose(i, self.world.frame_index(s.body), bodies)?,
            ))
        };
        self.world.surfaces.iter().enumerate().filter_map(at)
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

    /// What every contact that wears has worn off in a state.
    pub(crate) fn worn_in(&self, y: &[f64], records: &mut Vec<WearRecord>) {
        let (all, integrals) = (self.world.layout.worn(y), self.world.layout.integrals(y));
        let profile_of = |p: &Profile, end: usize| {
            let c = &all[p.of_end(end)..p.of_end(end) + p.sectors];
            (0..p.sectors).map(|i| value_at(c, i)).collect()
        };
        records.clear();
        records.extend(self.wears().map(|(rule, w)| WearRecord {
            contact: rule.name.clone(),
            volume: integrals.get(w.volume).copied().unwrap_or_default(),
            profiles: w.profile.iter().flat_map(|p| (0..p.ends).map(|end| profile_of(p, end))).collect(),
        }));
    }
}

/// Whether there is more than rigid bodies and contacts: see [`Model::more`].
pub(crate) fn has_more(
    world: &World,
    rules: &[Rule],
    constraints: &ConstraintSet,
    forces: &[Arc<dyn ForceElement>],
) -> bool {
    !(forces.is_empty() && world.affine.is_empty() && constraints.is_empty())
        || rules.iter().any(|rule| rule.resists() || rule.wear.is_some())
}
