//! The state a world starts from, and what is large and small in a state.

use carom_base::{Mat3, Quat, Vec3};
use nalgebra::Quaternion;

use super::{BodyKind, Scale, World};
use crate::layout::Affine;

impl World {
    /// The state at t = 0.
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

    /// Gives the bodies of a state the velocities they start with.
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

    /// The state at t = 0 without its velocities.
    pub(crate) fn state_at_rest(&self) -> Vec<f64> {
        let mut y = self.initial_state();
        for rows in self.free().filter_map(|body| self.rows(body)) {
            y[rows.velocities()].fill(0.0);
        }
        y
    }

    /// m v²/l of the lightest body [N].
    pub(crate) fn least_force(&self) -> f64 {
        let lightest = self.free().map(|i| self.bodies[i].mass).fold(f64::INFINITY, f64::min);
        lightest * self.scale.speed * self.scale.speed / self.scale.length
    }

    /// How large all bodies are together, as they start [m].
    pub(crate) fn extent(&self) -> f64 {
        let positions = || self.bodies.iter().map(|b| b.rest.x.p);
        let origin = positions().next().unwrap_or_default();
        let (mut low, mut high) = (origin, origin);
        positions().for_each(|p| (low, high) = (low.inf(&p), high.sup(&p)));
        (high - low).norm() + self.free().map(|b| self.bodies[b].reach()).fold(0.0, f64::max)
    }

    /// How far the bodies of a state are from each other, or their own size, or how far from the origin: what lengths are rounded by [m].
    pub(crate) fn extent_of(&self, y: &[f64]) -> f64 {
        let distances = self
            .free()
            .filter_map(|body| self.rows(body))
            .map(|rows| y[rows.position()].iter().fold(0.0_f64, |most, x| x.abs().max(most)));
        distances.fold(self.scale.length, f64::max)
    }

    /// The unit of each component of the state, for the absolute tolerance.
    pub(crate) fn component_scales(&self) -> Vec<f64> {
        let Scale { length, speed } = self.scale;
        self.layout.body_scales(length, speed)
    }
}
