//! The initial state of a world, and the scales of a state.

use carom_base::{Mat3, Quat, Vec3};
use nalgebra::Quaternion;

use super::{BodyKind, Scale, World};
use crate::layout::Affine;

impl World {
    /// Returns the state at t = 0.
    pub(crate) fn initial_state(&self) -> Vec<f64> {
        let mut y = vec![0.0; self.layout.len(0)];
        for (mut body, &i) in self.layout.rigid_bodies_mut(&mut y).zip(&self.dynamic) {
            let b = &self.bodies[i];
            let (p, q) = (b.position + b.orientation * b.centre, b.orientation);
            body.set_position(&p);
            body.set_quaternion(&[q.w, q.i, q.j, q.k]);
        }
        for &i in &self.affine {
            let (x, BodyKind::Affine(rows)) = (&self.bodies[i].rest.x, &self.bodies[i].kind) else {
                continue;
            };
            let at_rest = Affine { p: x.p, f: x.r, v: Vec3::zeros(), f_dot: Mat3::zeros() };
            rows.write(&at_rest, &mut y);
        }
        self.set_velocities(&mut y);
        y
    }

    /// Sets the velocities in a state to the initial velocities of the bodies.
    pub(crate) fn set_velocities(&self, y: &mut [f64]) {
        for (mut body, &i) in self.layout.rigid_bodies_mut(y).zip(&self.dynamic) {
            let b = &self.bodies[i];
            let [w, x, y, z] = body.now().quaternion();
            let q = Quat::new_unchecked(Quaternion::new(w, x, y, z));
            let (arm, w) = (q * b.centre, b.angular_velocity);
            body.set_velocity(&(b.velocity + w.cross(&arm)));
            body.set_angular_velocity(&w);
        }
        for &i in &self.affine {
            let b = &self.bodies[i];
            let BodyKind::Affine(rows) = b.kind else { continue };
            let mut state = rows.of(y);
            let w = b.angular_velocity;
            state.v = b.velocity + w.cross(&(state.f * b.centre));
            state.f_dot = w.cross_matrix() * state.f;
            rows.write(&state, y);
        }
    }

    /// Returns the state at t = 0 with zero velocities.
    pub(crate) fn state_at_rest(&self) -> Vec<f64> {
        let mut y = self.initial_state();
        for rows in self.free().filter_map(|body| self.rows(body)) {
            y[rows.velocities()].fill(0.0);
        }
        y
    }

    /// Returns m v²/l of the lightest body [N], with the model's speed and length scales v and l: the smallest force that
    /// matters.
    pub(crate) fn least_force(&self) -> f64 {
        let lightest = self.free().map(|i| self.bodies[i].mass).fold(f64::INFINITY, f64::min);
        lightest * self.scale.speed * self.scale.speed / self.scale.length
    }

    /// Returns the size of all bodies together in their initial positions [m].
    pub(crate) fn extent(&self) -> f64 {
        let positions = || self.bodies.iter().map(|b| b.rest.x.p);
        let origin = positions().next().unwrap_or_default();
        let (mut low, mut high) = (origin, origin);
        positions().for_each(|p| (low, high) = (low.inf(&p), high.sup(&p)));
        (high - low).norm() + self.free().map(|b| self.bodies[b].reach()).fold(0.0, f64::max)
    }

    /// Returns the largest |coordinate| of any centre of mass in a state, at least the length scale [m]: the rounding error
    /// of lengths is proportional to it.
    pub(crate) fn extent_of(&self, y: &[f64]) -> f64 {
        let distances = self
            .free()
            .filter_map(|body| self.rows(body))
            .map(|rows| y[rows.position()].iter().fold(0.0_f64, |most, x| x.abs().max(most)));
        distances.fold(self.scale.length, f64::max)
    }

    /// Returns the scale of each component of the bodies' state, for the absolute tolerance.
    pub(crate) fn component_scales(&self) -> Vec<f64> {
        let Scale { length, speed } = self.scale;
        self.layout.body_scales(length, speed)
    }
}
