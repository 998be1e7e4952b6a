//! What there is to draw of a model: bodies, their surfaces, joints, lines of force and fields, each where it is on its body.
//!
//! Places on a body are in its frame: from its reference point [m], in its axes.

use carom_base::{Pose, Quat, Vec3};
use carom_field::Tractions;
use carom_geometry::Shape;

use crate::force::DrawnLine;
use crate::joint::{Glyph, Seat};
use crate::model::Model;
use crate::state::BodyState;
use crate::world::BodyKind;

/// A body, as it is drawn.
#[derive(Clone, Copy, Debug)]
pub struct DrawnBody<'m> {
    /// its name
    pub name: &'m str,
    /// where its reference point is and how it is turned, if it is fixed; otherwise frames tell
    pub fixed: Option<(Vec3, Quat)>,
    /// whether it moves by its forces
    pub free: bool,
    /// its centre of mass, in its frame
    pub centre: Vec3,
}

/// A surface on its body.
#[derive(Clone, Debug)]
pub struct DrawnSurface<'m> {
    /// its name
    pub name: &'m str,
    /// its body, by its place among [`Model::drawn_bodies`]
    pub body: usize,
    /// what it is, and its free side
    pub shape: &'m Shape,
    /// its frame in that of the body
    pub pose: Pose,
    /// the angles at which it is cut into slices [rad], if it is a ring that touches so
    pub cuts: Vec<f64>,
}

/// A joint on its bodies.
#[derive(Clone, Copy, Debug)]
pub struct DrawnJoint<'m> {
    /// its name
    pub name: &'m str,
    /// the word for its kind
    pub kind: &'static str,
    /// the mark that stands for it
    pub glyph: Glyph,
    /// its bodies, by their places among [`Model::drawn_bodies`]
    pub bodies: [usize; 2],
    /// its point on each body
    pub points: [Vec3; 2],
    /// its axis, in the axes of the second body, of length 1
    pub axis: Option<Vec3>,
}

/// A short-range field between a body and the plane of its support.
#[derive(Clone, Copy, Debug)]
pub struct DrawnField<'m> {
    /// its name
    pub name: &'m str,
    /// the body and its support, by their places among [`Model::drawn_bodies`]
    pub bodies: [usize; 2],
    /// the support's plane, in the support's frame: z is its normal
    pub plane: Pose,
    /// what acts
    pub tractions: &'m Tractions,
}

impl Model {
    /// All bodies, in order.
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

    /// The bodies that are not fixed as they start, in the order of frames.
    pub fn start_bodies(&self) -> Vec<BodyState> {
        let y = self.world.initial_state();
        self.world.moving().map(|b| BodyState::new(b, 0.0, &y)).collect()
    }

    /// The acceleration of free fall at t = 0 [m/s²].
    pub fn gravity(&self) -> Vec3 {
        self.world.gravity
    }

    /// All surfaces, those of joints with clearance included.
    pub fn drawn_surfaces(&self) -> impl Iterator<Item = DrawnSurface<'_>> {
        self.world.surfaces.iter().enumerate().map(|(i, s)| {
            let own = s.local.unwrap_or_else(Pose::identity);
            let pose = Pose { p: self.world.bodies[s.body].centre + own.p, r: own.r };
            DrawnSurface { name: &s.name, body: s.body, shape: &s.shape, pose, cuts: self.cuts(i) }
        })
    }

    /// The angles at which a surface is cut by the solver of a rule that holds for it.
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

    /// The joints that are at a point of their bodies: all but gears, drives, and surfaces that roll.
    pub fn drawn_joints(&self) -> impl Iterator<Item = DrawnJoint<'_>> {
        self.constraints.list.iter().filter_map(|h| {
            let Seat { kind, glyph, points, axis } = h.seat?;
            let [a, b, ..] = h.bodies[..] else { return None };
            let points = [points[0] + self.world.bodies[a].centre, points[1] + self.world.bodies[b].centre];
            Some(DrawnJoint { name: &h.name, kind, glyph, bodies: [a, b], points, axis })
        })
    }

    /// The forces between points.
    pub fn drawn_lines(&self) -> impl Iterator<Item = DrawnLine<'_>> {
        self.forces.iter().filter_map(|force| force.drawn_line(&self.world))
    }

    /// The short-range fields.
    pub fn drawn_fields(&self) -> impl Iterator<Item = DrawnField<'_>> {
        self.fields().map(|f| {
            let plane = f.plane();
            let plane = Pose { p: plane.p + self.world.bodies[f.bodies[1]].centre, r: plane.r };
            DrawnField { name: &f.name, bodies: f.bodies, plane, tractions: f.field.tractions() }
        })
    }
}
