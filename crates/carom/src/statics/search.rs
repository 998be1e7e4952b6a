//! The search for an equilibrium: a Newton iteration on the forces that goes downhill.
//!
//! Along the mass-scaled directions ũ the forces are f, and the stiffness is K = Q diag(λ) Qᵀ. A Newton step of
//! limited length is
//!
//!   δ = Σ q_i (q_i·f)/(|λ_i| + μ),
//!
//! with the least μ ≥ 0 for which no point of a body goes farther than the trust radius and no body turns by more
//! than `TURN`. With the modulus of λ the step goes downhill. So the search moves away from unstable equilibria, as
//! slow motion in a viscous fluid does (μ then corresponds to 1/t², with t the time spent), and stiff contacts stay
//! closed while bodies slide on them. A step is taken if the work of the forces along it, ½ (f₀ + f₁)·δ, is positive
//! (at least a quarter of f₀·δ); that needs no potential. Directions without stiffness and without force are not moved along.
//!
//! On a long step the forces are also examined in between. Where they oppose the step and farther on do so less, or
//! no longer, an equilibrium was stepped over, and the step is shortened to where they oppose it most. So the first
//! equilibrium downhill is found.
//!
//! A ball above a floor has no stiffness that would limit a step, only its weight. It falls by no more than half the
//! smallest gap, or a tenth of the size of the smallest body once the gap is small, until it meets the floor.

use std::ops::ControlFlow;

use carom_base::Vec3;
use carom_ode::RhsFailure;
use nalgebra::{DMatrix, DVector, SymmetricEigen};

use super::contact_failed;
use super::coordinates::{Coordinates, Direction};
use super::linear::Linear;
use super::nearby::{NEAR, OVER};
use crate::error::{StaticsError, Unbalanced};
use crate::model::Model;
use crate::system::{StepPolicy, System};

/// Forces are in balance if the sum of forces is at most this fraction of the sum of their magnitudes.
pub(super) const BALANCED: f64 = 1e-12;
/// The fraction that may be left where rounding error of the positions prevents a smaller one.
pub(super) const BALANCED_TO_ROUNDING: f64 = 1e-4;
/// The relative rounding error of forces that balance.
const ROUNDING: f64 = 16.0 * f64::EPSILON;
/// Stiffness below this fraction of the largest counts as zero.
pub(super) const NEUTRAL: f64 = 1e-12;
/// A body on an unstable equilibrium to within this fraction of the forces stays there: it is meant to stand on its tip.
const ON_THE_TIP: f64 = 1e-9;
/// Fraction of the size of the smallest body in contact: the distance within which surfaces count as near, and the
/// longest step where they are.
const REACH: f64 = 0.1;
/// The largest rotation of a step [rad].
pub(super) const TURN: f64 = 0.3;
/// Steps longer than this, as a rotation [rad] or as a fraction of the extent of all bodies, are examined in between,
/// at points this far apart; `MOST_SAMPLES` is the largest number of such points.
const LONG: f64 = 0.04;
const MOST_SAMPLES: f64 = 16.0;
/// A body that has moved by more than this many times the extent of all bodies is lost, and the search fails.
const GONE: f64 = 1e3;
const ITERATIONS: usize = 3000;
/// The smallest μ > 0 that is tried [1/s²].
const SLOWEST: f64 = 1e-12;

/// The state of a search.
pub(super) struct Search<'m> {
    pub(super) m: &'m Model,
    pub(super) system: System<'m>,
    pub(super) start: Vec<f64>,
    pub(super) y: Vec<f64>,
    dy: Vec<f64>,
    /// longest step where surfaces are near [m]
    pub(super) reach: f64,
    /// extent of all bodies together [m]
    extent: f64,
    /// trust radius: longest step, by the success of the steps before [m]
    radius: f64,
    /// the smallest gap [m]
    nearest: f64,
    iterations: usize,
    /// sum of the magnitudes of the forces on each body at the start [N], if nothing touches there; otherwise zero
    given: Vec<f64>,
    /// the state near the start with the smallest unbalanced forces, and the fraction left there
    pub(super) calmest: (Vec<f64>, f64),
}

/// The forces in a configuration, and their derivatives.
pub(super) struct Forces {
    pub(super) linear: Linear,
    /// forces along ũ
    pub(super) f: DVector<f64>,
    /// sum of the magnitudes of the forces, along ũ
    amounts: DVector<f64>,
    /// λ
    pub(super) values: DVector<f64>,
    /// Q
    pub(super) vectors: DMatrix<f64>,
}

/// The result of a search.
pub(super) struct Found {
    pub(super) y: Vec<f64>,
    pub(super) iterations: usize,
    /// sum of forces as a fraction of the sum of their magnitudes, of the body that is farthest from balance
    pub(super) left: f64,
    /// if a body is turned over: an equilibrium near the start that the search moved away from, if there is one
    pub(super) near: Option<Box<Found>>,
}

impl<'m> Search<'m> {
    /// Starts from the given configuration, with all bodies at rest. The model must have no friction.
    pub(super) fn new(m: &'m Model) -> Result<Search<'m>, StaticsError> {
        let mut system =
            System::new(m, StepPolicy::Located, 0.0).map_err(|e| StaticsError::Model(Box::new(e)))?;
        system.ws.joints.without_rotors = true;
        let mut y = m.world.state_at_rest();
        system.assemble(&mut y).map_err(|e| StaticsError::Assembly(e.to_string()))?;
        let extent = m.world.extent();
        let smallest = system.monitor.pairs.iter().map(|s| s.size).fold(extent, f64::min);
        let mut search = Search {
            m,
            system,
            dy: vec![0.0; y.len()],
            start: y.clone(),
            y,
            reach: REACH * smallest,
            extent,
            radius: f64::INFINITY,
            nearest: 0.0,
            iterations: 0,
            given: vec![0.0; m.world.bodies.len()],
            calmest: (Vec::new(), f64::INFINITY),
        };
        let y = search.y.clone();
        search.put(&y).map_err(|e| contact_failed(&search.system, e))?;
        if search.system.monitor.active.is_empty() {
            search.given = search.system.amounts(&y);
        }
        Ok(search)
    }

    /// Returns the current configuration as the result.
    pub(super) fn found(&mut self) -> Found {
        let at = Coordinates::new(self.m, &self.y);
        Found { y: self.y.clone(), iterations: self.iterations, left: self.worst(&at).1, near: None }
    }

    /// Runs the search until forces are in balance or it fails; `go_on` may stop it before any iteration.
    pub(super) fn go(mut self, go_on: &mut dyn FnMut() -> ControlFlow<()>) -> Result<Found, StaticsError> {
        loop {
            if go_on().is_break() {
                return Err(StaticsError::Stopped { iterations: self.iterations });
            }
            let forces = self.forces()?;
            let (worst, left) = self.worst(&forces.linear.at);
            let failed = |why| Err(self.failed(&forces.linear.at, worst, why));
            if !(left.is_finite() && forces.values.iter().all(|x| x.is_finite())) {
                return failed(Unbalanced::NotFinite);
            }
            if left <= BALANCED || (left <= BALANCED_TO_ROUNDING && self.settled(&forces)) {
                let found = self.polished(left)?;
                let near = if self.turned() > OVER { self.nearby()? } else { None };
                return Ok(Found { near: near.map(Box::new), ..found });
            }
            if self.moved() > GONE * self.extent {
                return failed(Unbalanced::Gone);
            }
            if self.iterations == ITERATIONS {
                return failed(Unbalanced::Moves);
            }
            if left < self.calmest.1 && self.turned() < NEAR {
                self.calmest = (self.y.clone(), left);
            }
            self.iterations += 1;
            if !self.step(&forces) {
                let at = &forces.linear.at;
                return Err(self.failed(at, worst, Unbalanced::Stuck));
            }
        }
    }

    /// Sets the configuration of the bodies, and evaluates contacts and rates there.
    pub(super) fn put(&mut self, y: &[f64]) -> Result<(), RhsFailure> {
        // (twice, since both bodies of a pair may move towards each other)
        self.nearest = self.system.put(0.0, y, 2.0 * self.reach, &mut self.dy)?;
        Ok(())
    }

    pub(super) fn forces(&mut self) -> Result<Forces, StaticsError> {
        let linear = Linear::new(&mut self.system, &self.y)?;
        let f = linear.at.to_scaled(&linear.at.accelerations(&self.dy));
        let amounts = self.system.amounts(&self.y);
        // S/√m of each body: the magnitude S of its forces, along ũ
        let part = |d: &Direction| amounts[d.body] / self.m.world.bodies[d.body].mass.sqrt();
        let amounts = DVector::from_iterator(linear.at.dim(), linear.at.directions.iter().map(part));
        let amounts = linear.at.amounts_allowed(amounts);
        // (joints may leave no motion)
        let (values, vectors) = match f.len() {
            0 => (DVector::zeros(0), DMatrix::zeros(0, 0)),
            _ => {
                let SymmetricEigen { eigenvalues, eigenvectors } =
                    SymmetricEigen::new(linear.stiffness.clone());
                (eigenvalues, eigenvectors)
            }
        };
        Ok(Forces { linear, f, amounts, values, vectors })
    }

    /// Returns the direction farthest from balance, and the fraction of the forces that is left there.
    pub(super) fn worst(&self, at: &Coordinates) -> (usize, f64) {
        let amounts = self.system.amounts(&self.y);
        let forces = at.forces(&at.accelerations(&self.dy));
        let mut worst = (0, 0.0);
        // springs at their free length have no force to compare with: what is left is compared with the rounding
        // error of their initial forces
        let rounding = if self.system.monitor.active.is_empty() { ROUNDING } else { 0.0 };
        for (i, (d, f)) in at.directions.iter().zip(&forces).enumerate() {
            let none = f.abs() <= rounding * self.given[d.body] * d.lever;
            let left = if none { 0.0 } else { f.abs() / (amounts[d.body] * d.lever) };
            if left > worst.1 || left.is_nan() {
                worst = (i, left);
            }
        }
        worst
    }

    /// Whether Newton's step would move the bodies by no more than rounding error.
    pub(super) fn settled(&self, forces: &Forces) -> bool {
        let u = forces.linear.at.unscaled(&forces.newton(0.0));
        let far = self
            .m
            .world
            .free()
            .map(|body| position(self.m, &self.y, body).norm())
            .fold(self.extent, f64::max);
        forces.linear.at.way(self.m, &u).0 <= 8.0 * f64::EPSILON * far
    }

    /// Improves an equilibrium by Newton steps, as long as each at least halves what is left of the forces.
    fn polished(&mut self, mut left: f64) -> Result<Found, StaticsError> {
        while left > 0.0 {
            let forces = self.forces()?;
            let mut y = self.y.clone();
            let at = &forces.linear.at;
            at.advance(self.m, &mut y, &at.unscaled(&forces.newton(0.0)));
            self.system.project(0.0, &mut y);
            let there = Coordinates::new(self.m, &y);
            let better = self.put(&y).is_ok() && self.worst(&there).1 < 0.5 * left;
            if !better {
                let y = self.y.clone();
                self.put(&y).map_err(|e| contact_failed(&self.system, e))?;
                break;
            }
            self.y = y;
            left = self.worst(&there).1;
        }
        Ok(self.found())
    }

    /// Returns the distance from the start of the body that has moved farthest [m].
    fn moved(&self) -> f64 {
        let position_of = |y: &[f64], body: usize| position(self.m, y, body);
        let way = |body: usize| (position_of(&self.y, body) - position_of(&self.start, body)).norm();
        self.m.world.free().map(way).fold(0.0, f64::max)
    }

    /// Takes the longest step that goes downhill. `false`: there is none.
    fn step(&mut self, forces: &Forces) -> bool {
        let near = if self.nearest > 2.0 * self.reach { 0.5 * self.nearest } else { self.reach };
        let limit = near.min(0.5 * (self.moved() + self.extent));
        let at = &forces.linear.at;
        loop {
            let delta = forces.within(self.m, self.radius.min(limit));
            let u = at.unscaled(&delta);
            let (way, turn) = at.way(self.m, &u);
            if !(way > 1e-3 * f64::EPSILON * self.extent) {
                return false;
            }
            // the force along the step at its end, relative to that at its start (`ahead`): as found, and as expected
            // to first order
            let ahead = forces.f.dot(&delta);
            let expected = 1.0 - delta.dot(&(&forces.linear.stiffness * &delta)) / ahead;
            let samples = (turn / LONG).max(way / (LONG * self.extent)).min(MOST_SAMPLES) as usize;
            let held = self.held_between(at, &u, ahead, samples);
            let (y, found) = self.at_part(at, &u, 1.0, ahead);
            // the forces oppose the step in between, and less so at its end
            if let Some((part, held)) = held
                && found.as_ref().is_ok_and(|found| *found > held)
            {
                self.radius = part * way;
                continue;
            }
            match found {
                Ok(found) if found >= -0.5 => {
                    self.radius = if (found - expected).abs() < 0.25 { 3.0 * way } else { way };
                    self.y = y;
                    return true;
                }
                _ => self.radius = 0.25 * way,
            }
        }
    }

    /// Returns the state after a fraction `part` of a step, and the force along the step there, relative to `ahead`;
    /// sets the configuration to it.
    fn at_part(
        &mut self,
        at: &Coordinates,
        u: &DVector<f64>,
        part: f64,
        ahead: f64,
    ) -> (Vec<f64>, Result<f64, RhsFailure>) {
        let mut y = self.y.clone();
        at.advance(self.m, &mut y, &(u * part));
        self.system.project(0.0, &mut y);
        let found = self.put(&y).map(|()| {
            let there = Coordinates::new(self.m, &y);
            there.forces(&there.accelerations(&self.dy)).dot(u) / ahead
        });
        (y, found)
    }

    /// Finds where within a step the forces oppose it most, if they do: which fraction of it, and the relative force
    /// along it there.
    fn held_between(
        &mut self,
        at: &Coordinates,
        u: &DVector<f64>,
        ahead: f64,
        samples: usize,
    ) -> Option<(f64, f64)> {
        let mut held: Option<(f64, f64)> = None;
        for part in (1..=samples).map(|i| i as f64 / (samples + 1) as f64) {
            let (_, found) = self.at_part(at, u, part, ahead);
            if let Ok(found) = found
                && found < held.map_or(0.0, |(_, least)| least)
            {
                held = Some((part, found));
            }
        }
        held
    }

    /// Returns the error that reports an unsuccessful search.
    fn failed(&self, at: &Coordinates, worst: usize, why: Unbalanced) -> StaticsError {
        let forces = at.forces(&at.accelerations(&self.dy));
        let body = at.directions.get(worst).map_or(0, |d| d.body);
        let of_body = at.directions.iter().zip(&forces).filter(|(d, _)| d.body == body);
        let named = of_body.filter(|(_, f)| **f != 0.0).map(|(d, f)| (d.label, *f, d.unit));
        StaticsError::NotFound {
            why,
            body: self.m.world.bodies[body].name.clone(),
            left: named.collect(),
            moved: self.moved(),
            iterations: self.iterations,
            friction: false,
        }
    }
}

impl Forces {
    /// Returns the step δ with this μ, along ũ.
    fn newton(&self, mu: f64) -> DVector<f64> {
        let stiffest = self.values.amax();
        let mut delta = DVector::zeros(self.f.len());
        for (q, &lambda) in self.vectors.column_iter().zip(&self.values) {
            let (f, amount) = (q.dot(&self.f), q.abs().dot(&self.amounts));
            let neutral = lambda.abs() <= NEUTRAL * stiffest;
            let length = match f.abs() {
                none if neutral && none <= BALANCED * amount => 0.0,
                little if lambda < 0.0 && little <= ON_THE_TIP * amount => f / (lambda - mu),
                // (a stiffness of zero is replaced by a tiny one, so that the step stays finite)
                _ => f / (lambda.abs() + mu).max(1e-30),
            };
            delta.axpy(length, &q, 1.0);
        }
        delta
    }

    /// Returns the step δ with the least μ that goes no farther than `radius` [m].
    fn within(&self, m: &Model, radius: f64) -> DVector<f64> {
        let at = &self.linear.at;
        let fits = |delta: &DVector<f64>| {
            let (way, turn) = at.way(m, &at.unscaled(delta));
            way <= radius && turn <= TURN
        };
        let mut delta = self.newton(0.0);
        if fits(&delta) {
            return delta;
        }
        let (mut low, mut high) = (0.0, SLOWEST.max(NEUTRAL * self.values.amax()));
        while high.is_finite() && !fits(&delta) {
            (low, high) = (high, 10.0 * high);
            delta = self.newton(high);
        }
        // bisects μ to a hundredth: `low` gives too long a step, `high` does not
        while low > 0.0 && high > 1.01 * low {
            let middle = (low * high).sqrt();
            let shorter = self.newton(middle);
            if fits(&shorter) {
                (high, delta) = (middle, shorter);
            } else {
                low = middle;
            }
        }
        delta
    }
}

/// Returns the position of a body's centre of mass in a state [m].
fn position(m: &Model, y: &[f64], body: usize) -> Vec3 {
    m.world.rows(body).map_or_else(Vec3::zeros, |rows| Vec3::from_column_slice(&y[rows.position()]))
}
