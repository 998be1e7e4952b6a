//! Finds the part of a model that gives numbers that are not finite.

use super::System;
use crate::forward::{forward, kinematics};
use crate::state::Loaded;

/// The shortest time after a state for which the rates are examined, as a fraction of the time scale of the state.
const SHORTEST: f64 = 1e-13;
/// How often that time is doubled.
const DOUBLINGS: usize = 36;

impl System<'_> {
    /// Names the force or the contact that gives a number that is not finite in a state, or shortly after it along its rates:
    /// a step that fails so ends before the state in which it does.
    pub(crate) fn not_finite(&mut self, t: f64, y: &[f64]) -> Option<String> {
        let mut rates = vec![0.0; y.len()];
        if self.rates(t, y, &mut rates).is_err() {
            return None;
        }
        if let Some(part) = self.not_finite_at(t, y, &rates) {
            return Some(part);
        }
        let (mut dy, mut after) = (vec![0.0; y.len()], y.to_vec());
        let mut h = SHORTEST * t.abs().max(1.0);
        for _ in 0..DOUBLINGS {
            after.iter_mut().zip(y.iter().zip(&rates)).for_each(|(after, (y, rate))| *after = y + h * rate);
            if self.rates(t + h, &after, &mut dy).is_err() {
                return None;
            }
            if let Some(part) = self.not_finite_at(t + h, &after, &dy) {
                return Some(part);
            }
            h *= 2.0;
        }
        None
    }

    /// Names the part, if these rates of a state are not finite.
    fn not_finite_at(&mut self, t: f64, y: &[f64], rates: &[f64]) -> Option<String> {
        if rates.iter().all(|x| x.is_finite()) {
            return None;
        }
        let m = self.model;
        let mut dy = vec![0.0; y.len()];
        kinematics(m, t, y, &mut self.ws);
        for force in &m.forces {
            let integrals = m.world.layout.integrals_mut(&mut dy);
            let loaded = force.load(&m.world, &mut self.ws.loads, t, integrals);
            let body = |b: &Loaded| (b.force.sum() + b.torque.sum()).is_finite();
            if loaded.is_err() || !self.ws.loads.bodies.iter().all(body) {
                let kind = if force.as_field().is_some() { "field" } else { "force" };
                return Some(format!("{kind} {}", force.name()));
            }
        }
        let pairs = &self.monitor.pairs;
        for points in self.monitor.active.chunk_by(|a, b| a.pair == b.pair) {
            dy.fill(0.0);
            let failed = forward(m, pairs, points, &mut self.ws, t, y, &mut dy).is_err();
            if failed || !dy.iter().all(|x| x.is_finite()) {
                let pair = points.first().and_then(|at| pairs.get(at.pair))?;
                return Some(format!("contact {}", pair.name));
            }
        }
        None
    }
}
