//! What can be drawn of a model: bodies, their surfaces, joints, force lines and fields, each with its position on its body.
//!
//! Positions on a body are in its body frame: from its reference point [m], along its axes.

use carom_base::{Pose, Quat, Vec3};
use carom_field::Tractions;
use carom_geometry::Shape;

use crate::force::{ActionSite, DrawnLine};
use crate::joint::{Glyph, JointDrawing};
use crate::model::Model;
use crate::state::BodyState;
use crate::world::BodyKind;

/// A body, with what is needed to draw it.
#[derive(Clone, Copy, Debug)]
pub struct DrawnBody<'m> {
    /// its name
    pub name: &'m str,
    /// position of its reference point and its orientation, if it is fixed; otherwise frames give them
    pub fixed: Option<(Vec3, Quat)>,
    /// whether its motion is determined by forces
    pub free: bool,
    /// its centre of mass, in its body frame [m]
    pub centre: Vec3,
}

/// A surface on its body.
#[derive(Clone, Debug)]
pub struct DrawnSurface<'m> {
    /// its name
    pub name: &'m str,
    /// its body, as an index into [`Model::drawn_bodies`]
    pub body: usize,
    /// its shape and the side that can be touched
    pub shape: &'m Shape,
    /// its frame in the body frame
    pub pose: Pose,
    /// the angles at which it is cut into slices [rad], if it is a ring whose contact is solved by slices
    pub cuts: Vec<f64>,
}

/// A joint with its points on its bodies.
#[derive(Clone, Copy, Debug)]
pub struct DrawnJoint<'m> {
    /// its name
    pub name: &'m str,
    /// the name of its kind
    pub kind: &'static str,
    /// the symbol drawn for it
    pub glyph: Glyph,
    /// its bodies, as indices into [`Model::drawn_bodies`]
    pub bodies: [usize; 2],
    /// its point on each body [m]
    pub points: [Vec3; 2],
    /// its axis as a unit vector in the axes of the second body
    pub axis: Option<Vec3>,
}

/// Where a force acts that is not along a line: a load, a couple, a motor, a spring along a coordinate, a bushing.
#[derive(Clone, Debug)]
pub struct DrawnAction {
    /// its name in results
    pub name: String,
    /// its bodies, as indices into [`Model::drawn_bodies`]; of a load on one body, that one twice
    pub bodies: [usize; 2],
    /// its point on each body [m]
    pub points: [Vec3; 2],
    /// the z axis of a bushing as a unit vector in the axes of the second body; `None`: it is no bushing
    pub bushing: Option<Vec3>,
}

/// A short-range field between a body and its support.
#[derive(Clone, Copy, Debug)]
pub struct DrawnField<'m> {
    /// its name
    pub name: &'m str,
    /// the body and its support, as indices into [`Model::drawn_bodies`]
    pub bodies: [usize; 2],
    /// the frame of the support's surface in the support's frame: of a plane, z is its normal
    pub plane: Pose,
    /// the tractions that act on the body
    pub tractions: &'m Tractions,
}

impl Model {
    /// Returns all bodies, in order.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut builder = ModelBuilder::new();
    /// builder.body(Body::fixed("floor").position([0.0, 0.0, 2.0]).surface(Plane));
    /// let model = builder.build()?;
    /// let floor = model.drawn_bodies().next().unwrap();
    /// assert_eq!((floor.name, floor.fixed.unwrap().0.z), ("floor", 2.0));
    /// assert_eq!(model.drawn_surfaces().next().unwrap().name, "plane1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn drawn_bodies(&self) -> impl Iterator<Item = DrawnBody<'_>> {
        self.world.bodies.iter().map(|b| DrawnBody {
            name: &b.name,
            fixed: matches!(b.kind, BodyKind::Fixed).then_some((b.position, b.orientation)),
            free: matches!(b.kind, BodyKind::Dynamic(_) | BodyKind::Affine(_)),
            centre: b.centre,
        })
    }

    /// Returns the initial states of the bodies that are not fixed, in the order in which frames list them.
    pub fn start_bodies(&self) -> Vec<BodyState> {
        let y = self.world.initial_state();
        self.world.moving().map(|b| BodyState::new(b, 0.0, &y)).collect()
    }

    /// Returns the acceleration of free fall at t = 0 [m/s²].
    pub fn gravity(&self) -> Vec3 {
        self.world.gravity
    }

    /// Returns all surfaces, including those of joints with clearance.
    pub fn drawn_surfaces(&self) -> impl Iterator<Item = DrawnSurface<'_>> {
        self.world.surfaces.iter().enumerate().map(|(i, s)| {
            let own = s.local.unwrap_or_else(Pose::identity);
            let pose = Pose { p: self.world.bodies[s.body].centre + own.p, r: own.r };
            DrawnSurface { name: &s.name, body: s.body, shape: &s.shape, pose, cuts: self.cuts(i) }
        })
    }

    /// Returns the angles [rad] at which a ring is cut by the pair solver of a contact rule that applies to it.
    fn cuts(&self, surface: usize) -> Vec<f64> {
        if self.world.surfaces[surface].shape.surface.as_ring().is_none() {
            return Vec::new();
        }
        let of = |other: usize| {
            let (rule, _) = self.table.get(surface, other)?;
            let cuts = self.rules[rule].solver.as_ref()?.cuts();
            (!cuts.is_empty()).then_some(cuts)
        };
        (0..self.world.surfaces.len()).filter(|&other| other != surface).find_map(of).unwrap_or_default()
    }

    /// Returns the joints that have a point on each of their bodies: all except gears, drives and rolling surfaces.
    pub fn drawn_joints(&self) -> impl Iterator<Item = DrawnJoint<'_>> {
        self.constraints.list.iter().filter_map(|h| {
            let JointDrawing { kind, glyph, points, axis } = h.drawing?;
            let [a, b, ..] = h.bodies[..] else { return None };
            let points = [points[0] + self.world.bodies[a].centre, points[1] + self.world.bodies[b].centre];
            Some(DrawnJoint { name: &h.name, kind, glyph, bodies: [a, b], points, axis })
        })
    }

    /// Returns the lines along which forces between points act.
    pub fn drawn_lines(&self) -> impl Iterator<Item = DrawnLine<'_>> {
        self.forces.iter().filter_map(|force| force.drawn_line(&self.world))
    }

    /// Returns where all other forces act whose force and couple are recorded: all except those along lines, drives and fields.
    pub fn drawn_actions(&self) -> impl Iterator<Item = DrawnAction> {
        self.forces.iter().filter_map(|force| {
            let ActionSite { bodies, points, bushing } = force.site()?;
            let points = [0, 1].map(|i| points[i] + self.world.bodies[bodies[i]].centre);
            Some(DrawnAction { name: self.name_in_results(force.name()), bodies, points, bushing })
        })
    }

    /// Returns the short-range fields.
    pub fn drawn_fields(&self) -> impl Iterator<Item = DrawnField<'_>> {
        self.fields().map(|f| {
            let plane = f.surface();
            let plane = Pose { p: plane.p + self.world.bodies[f.bodies[1]].centre, r: plane.r };
            DrawnField { name: &f.name, bodies: f.bodies, plane, tractions: f.tractions() }
        })
    }
}
