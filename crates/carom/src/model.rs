//! The model: everything that does not change during a run.

use std::sync::Arc;

use carom_base::{Mat3, Pose, Vec3};
use carom_geometry::Shape;

use crate::clearance::Journal;
use crate::control::Controls;
use crate::force::{FieldElement, ForceElement};
use crate::joint::ConstraintSet;
use crate::loads::Counts;
use crate::record::WearRecord;
use crate::rule::{FrictionAt, Rule, RuleTable};
use crate::state::BodyState;
use crate::wear::{Profile, WearLaw, value_at};
use crate::world::{BodyKind, BodyModel, Scale, SurfaceModel, World};

/// A model: bodies, surfaces, materials, contact rules, forces and drives, checked and ready to run. It is immutable.
#[derive(Clone, Debug)]
pub struct Model {
    pub(crate) world: World,
    /// whether the impulses of all external forces are integrated along with the motion, as the energy integrals are
    pub(crate) integrates_impulses: bool,
    pub(crate) rules: Arc<[Rule]>,
    pub(crate) table: RuleTable,
    /// all forces besides those of contacts and joints
    pub(crate) forces: Vec<Arc<dyn ForceElement>>,
    /// number of angles of forces whose full turns are counted, and of switches of forces
    pub(crate) counts: Counts,
    /// inputs and controllers
    pub(crate) controls: Controls,
    /// the joints
    pub(crate) constraints: ConstraintSet,
    /// whether the model has forces besides contacts, joints, bodies that deform, or rules with rolling or spinning
    /// resistance, wear or pressure over patches
    pub(crate) is_general: bool,
    /// a large deflection of friction bristles [m], the scale of their absolute tolerance
    pub(crate) deflection: f64,
    /// the journals that can leave their bearings along the axis
    pub(crate) journals: Vec<Journal>,
}

impl Model {
    /// Returns the names of the bodies, in order.
    pub fn body_names(&self) -> impl Iterator<Item = &str> {
        self.world.body_names()
    }

    /// Returns the names of the bodies that are not fixed, in the order in which frames list them.
    pub fn moving_bodies(&self) -> impl Iterator<Item = &str> {
        self.world.moving().map(|b| b.name.as_str())
    }

    /// Whether the friction of some contact acts on both surfaces, as [`FrictionAt::Surfaces`] asks: its two forces then form
    /// a couple.
    pub(crate) fn friction_makes_couples(&self) -> bool {
        self.rules.iter().any(|rule| rule.friction.is_some() && rule.friction_at == FrictionAt::Surfaces)
    }

    /// Whether some of its contacts are integrals of pressure over their patches.
    pub fn has_patches(&self) -> bool {
        self.rules.iter().any(|rule| rule.presses)
    }

    /// Returns the length and the speed that absolute tolerances refer to.
    pub fn scale(&self) -> Scale {
        self.world.scale
    }

    /// Returns the names of the moving bodies, in the order in which frames list them, and whether they deform.
    pub fn moving_bodies_that_deform(&self) -> impl Iterator<Item = (&str, bool)> {
        self.world.moving().map(|b| (b.name.as_str(), b.soft.is_some()))
    }

    /// Whether the body with this name deforms.
    pub fn deforms(&self, body: &str) -> bool {
        self.world.bodies.iter().any(|b| b.name == body && b.soft.is_some())
    }

    /// Returns the names of the short-range fields, in the order in which frames list them.
    pub fn field_names(&self) -> impl Iterator<Item = &str> {
        self.fields().map(|f| f.name.as_str())
    }

    /// Returns the short-range fields.
    pub(crate) fn fields(&self) -> impl Iterator<Item = &FieldElement> {
        self.forces.iter().filter_map(|force| force.as_field())
    }

    /// Returns the names of the joints, in the order in which frames list them; a driven coordinate appears as
    /// `joint/coordinate`.
    pub fn joint_names(&self) -> impl Iterator<Item = &str> {
        self.constraints.proper().iter().map(|h| h.name.as_str())
    }

    /// Returns the names of the contacts that wear, in the order in which frames list them; for a joint with clearance, the
    /// joint's name.
    pub fn worn_names(&self) -> impl Iterator<Item = &str> {
        self.wears().map(|(rule, _)| rule.name.as_str())
    }

    /// Returns the tractions of a short-range field, including the coefficient of repulsion that follows from its rest gap.
    pub fn field(&self, name: &str) -> Option<&carom_field::Tractions> {
        self.fields().find(|f| f.name == name).map(|f| f.tractions())
    }

    /// Returns a body's mass [kg] at t = 0, or `None` if its motion is not determined by forces.
    pub fn mass(&self, body: &str) -> Option<f64> {
        self.find_dynamic(body).map(|b| b.mass)
    }

    /// Returns a body's inertia tensor about its centre of mass, in its body axes [kg m²], at t = 0, or `None` if its motion
    /// is not determined by forces.
    pub fn inertia(&self, body: &str) -> Option<Mat3> {
        self.find_dynamic(body).map(|b| b.inertia.tensor())
    }

    /// Returns a body's centre of mass in its body frame [m], or `None` if its motion is not determined by forces.
    pub fn centre_of_mass(&self, body: &str) -> Option<Vec3> {
        self.find_dynamic(body).map(|b| b.centre)
    }

    fn find_dynamic(&self, name: &str) -> Option<&BodyModel> {
        let free = |b: &BodyModel| matches!(b.kind, BodyKind::Dynamic(_) | BodyKind::Affine(_));
        self.world.bodies.iter().find(|b| b.name == name && free(b))
    }

    /// Returns every surface with its name `body/surface`, its shape and its frame in the world, for moving bodies in the
    /// given states, listed as in a [`Frame`](crate::Frame).
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

    /// Returns the radial play [m] of the bearing that the wear depth with this index belongs to.
    pub(crate) fn play_of(&self, depth: usize) -> f64 {
        let of = |w: &WearLaw| {
            w.profile.as_ref().filter(|p| (p.first..p.first + p.len()).contains(&depth)).map(|p| p.play)
        };
        self.wears().find_map(|(_, w)| of(w)).unwrap_or(1.0)
    }

    /// Returns the contact rules with wear, each with its wear law.
    pub(crate) fn wears(&self) -> impl Iterator<Item = (&Rule, &WearLaw)> {
        self.rules.iter().filter_map(|rule| Some((rule, rule.wear.as_ref()?)))
    }

    /// Fills `records` with the wear of every contact in the state `y`.
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

/// Whether the model has more than rigid bodies and contacts: see [`Model::is_general`].
pub(crate) fn is_general(
    world: &World,
    rules: &[Rule],
    constraints: &ConstraintSet,
    forces: &[Arc<dyn ForceElement>],
) -> bool {
    !(forces.is_empty() && world.affine.is_empty() && constraints.is_empty())
        || rules.iter().any(|rule| rule.resists() || rule.wear.is_some() || rule.presses)
}
