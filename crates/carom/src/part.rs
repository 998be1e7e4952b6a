//! Some bodies of a model, as a model of their own.

use std::sync::Arc;

use crate::control::Controls;
use crate::joint::ConstraintSet;
use crate::layout::RigidRows;
use crate::loads::Counts;
use crate::model::Model;
use crate::world::BodyKind;

/// Some bodies of a model, and the model that they are by themselves.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) model: Model,
    /// the indices of its bodies in the whole model
    pub(crate) bodies: Vec<usize>,
    /// the indices of its surfaces there
    pub(crate) surfaces: Vec<usize>,
}

impl Model {
    /// Whether groups of its bodies that do not touch know nothing of one another: bodies and contacts are all there is.
    pub(crate) fn separates(&self) -> bool {
        let w = &self.world;
        self.forces.is_empty()
            && self.constraints.is_empty()
            && self.constraints.stops.is_empty()
            && self.controls.inputs.is_empty()
            && self.controls.controllers.is_empty()
            && self.journals.is_empty()
            && w.affine.is_empty()
            && w.drives.is_empty()
            && !self.integrates_impulses
            && !self.rules.iter().any(|rule| rule.wear.is_some())
            && w.dynamic.iter().all(|&body| w.reach_of(body).is_finite())
    }

    /// Returns the part of the model that consists of these bodies, given in ascending order.
    pub(crate) fn part(&self, bodies: Vec<usize>) -> Part {
        let (world, surfaces) = self.world.part(&bodies);
        let model = Model {
            world,
            integrates_impulses: self.integrates_impulses,
            rules: Arc::clone(&self.rules),
            table: self.table.of_surfaces(&surfaces),
            forces: Vec::new(),
            counts: Counts::default(),
            controls: Controls::default(),
            constraints: ConstraintSet::default(),
            is_general: self.is_general,
            deflection: self.deflection,
            journals: Vec::new(),
        };
        Part { model, bodies, surfaces }
    }

    /// Returns the rigid bodies that move by forces, with the indices of their components in the state.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (usize, RigidRows)> {
        self.world.dynamic.iter().filter_map(|&body| match self.world.bodies[body].kind {
            BodyKind::Dynamic(rows) => Some((body, rows)),
            _ => None,
        })
    }

    /// Returns the indices of the components of a rigid body in the state; none if it is held.
    pub(crate) fn rows_of(&self, body: usize) -> std::ops::Range<usize> {
        match self.world.bodies[body].kind {
            BodyKind::Dynamic(rows) => rows.all(),
            _ => 0..0,
        }
    }
}
