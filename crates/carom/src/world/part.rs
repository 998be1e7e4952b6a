//! Some bodies of a world, as a world of their own.

use std::ops::Range;

use super::{BodyKind, SurfaceModel, World};
use crate::layout::StateLayout;

impl World {
    /// Returns the indices of the surfaces of a body, which are side by side.
    pub(crate) fn surfaces_of(&self, body: usize) -> Range<usize> {
        let first = self.surfaces.partition_point(|s| s.body < body);
        let many = self.surfaces[first..].iter().take_while(|s| s.body == body).count();
        first..first + many
    }

    /// Returns the radius of the ball about the centre of mass of a body that contains its surfaces [m].
    pub(crate) fn reach_of(&self, body: usize) -> f64 {
        let surfaces = self.surfaces[self.surfaces_of(body)].iter();
        surfaces.map(|s| s.centre.norm() + s.radius).fold(0.0, f64::max)
    }

    /// Returns the largest distance from the centre of mass of a point of a body that a rotation moves [m].
    pub(crate) fn lever_of(&self, body: usize) -> f64 {
        self.surfaces[self.surfaces_of(body)].iter().map(|s| s.lever).fold(0.0, f64::max)
    }

    /// Returns the world of some of its rigid bodies, given by their indices in ascending order, and the indices of their
    /// surfaces. Scales, gravity and what is integrated stay those of the whole world; nothing of it may be driven.
    pub(crate) fn part(&self, bodies: &[usize]) -> (World, Vec<usize>) {
        let (mut own, mut surfaces, mut indices) = (Vec::new(), Vec::new(), Vec::new());
        let (mut dynamic, mut prescribed, mut held) = (Vec::new(), Vec::new(), Vec::new());
        let free =
            bodies.iter().filter(|&&body| matches!(self.bodies[body].kind, BodyKind::Dynamic(_))).count();
        let layout = StateLayout::of_bodies(free, 0).with(0, self.quadratures.count);
        for (index, &body) in bodies.iter().enumerate() {
            let mut b = self.bodies[body].clone();
            match &mut b.kind {
                BodyKind::Dynamic(rows) => {
                    *rows = layout.rigid_rows(dynamic.len());
                    dynamic.push(index);
                }
                BodyKind::Prescribed(_) => prescribed.push(index),
                BodyKind::Affine(_) | BodyKind::Fixed => {}
            }
            if !matches!(b.kind, BodyKind::Dynamic(_)) {
                held.push(index);
            }
            own.push(b);
        }
        for (index, &body) in bodies.iter().enumerate() {
            for i in self.surfaces_of(body) {
                surfaces.push(SurfaceModel { body: index, ..self.surfaces[i].clone() });
                indices.push(i);
            }
        }
        let world = World {
            gravity: self.gravity,
            gravity_in_time: self.gravity_in_time.clone(),
            drives: Vec::new(),
            driven: self.driven,
            bodies: own,
            dynamic,
            affine: Vec::new(),
            prescribed,
            held,
            partly_held: self.partly_held,
            surfaces,
            materials: self.materials.clone(),
            solvers: self.solvers.clone(),
            scale: self.scale,
            layout,
            quadratures: self.quadratures,
        };
        (world, indices)
    }
}
