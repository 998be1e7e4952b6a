//! Computes the successive postures of a driven mechanism.
//!
//! From one time to the next a posture is predicted from velocities and accelerations and corrected by Newton steps, with the
//! least change in the norm given by the masses. Where the corrections do not converge at once the time interval is halved,
//! so that a mechanism stays on its branch.

use std::ops::ControlFlow;

use carom_ode::{Ode, Split, Steps};

use super::error::AnalysisError;
use super::posture::Posture;
use crate::model::Model;
use crate::run::Output;
use crate::state::BodyState;
use crate::statics::free_motions;
use crate::system::{StepPolicy, System};

/// A step is accepted only if the residual after prediction is below this fraction of the mechanism's size.
const FORESEEN: f64 = 1e-3;
/// The largest allowed residual of the constraints after correction, relative to the mechanism's size.
const APART: f64 = 1e-11;
/// The largest number of times that an interval is halved.
const HALVINGS: u32 = 40;
/// The smallest number of intervals into which the duration is divided.
const INTERVALS: f64 = 200.0;

/// Called after the posture at a time [s]; says whether to continue.
type GoOn<'g> = &'g mut dyn FnMut(f64) -> ControlFlow<()>;

/// The analysis of a driven mechanism over a time span.
///
/// ```
/// use carom::prelude::*;
/// use carom::{Cycle, Formula};
/// let mut b = ModelBuilder::new();
/// b.gravity([0.0; 3]).body(Body::fixed("ground")).body(Body::new("rotor").mass(1.0).inertia([0.1, 0.1, 0.2]));
/// b.joint(Joint::between("rotor", "ground", Revolute).at([0.0; 3]).axis([0.0, 0.0, 1.0]).named("shaft"));
/// b.drive(Drive::new("joint/shaft/angle", Formula::new("3*t^2")?));
/// let all = Cycle::new(&b.build()?).duration(2.0).output(Output::At(vec![2.0])).inverse()?;
/// assert!((all[0].coordinates[0].value - 12.0).abs() < 1e-12); // [rad], turns counted
/// assert!((all[0].drives[0].force - 0.2 * 6.0).abs() < 1e-12); // [N m]
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Cycle<'m> {
    model: &'m Model,
    duration: f64,
    output: Output,
}

impl<'m> Cycle<'m> {
    /// Creates an analysis of one second of a model, in 200 intervals.
    pub fn new(model: &'m Model) -> Cycle<'m> {
        Cycle { model, duration: 1.0, output: Output::Steps }
    }

    /// Sets the duration [s].
    pub fn duration(mut self, duration: f64) -> Self {
        self.duration = duration;
        self
    }

    /// Sets the output times: `Output::Steps` means 200 intervals, `Output::Ends` the start and the end.
    pub fn output(mut self, output: Output) -> Self {
        self.output = output;
        self
    }

    /// Computes positions, velocities and accelerations. Refuses a mechanism that has motions which its drives do not
    /// determine.
    pub fn kinematics(&self) -> Result<Vec<Posture>, AnalysisError> {
        self.kinematics_while(&mut |_| ControlFlow::Continue(()))
    }

    /// Computes positions, velocities and accelerations as long as `go_on` says so; it is given the time of every posture
    /// [s].
    pub fn kinematics_while(&self, go_on: GoOn<'_>) -> Result<Vec<Posture>, AnalysisError> {
        self.postures(go_on)
    }

    /// Computes positions, velocities and accelerations, and the forces that joints and drives must exert. Contacts carry
    /// forces where surfaces overlap. Refuses forces that depend on the past: those of normal laws that need the impact
    /// speed, of friction laws with memory, and of worn bearings.
    pub fn inverse(&self) -> Result<Vec<Posture>, AnalysisError> {
        self.inverse_while(&mut |_| ControlFlow::Continue(()))
    }

    /// Computes what [`inverse`](Self::inverse) does, as long as `go_on` says so; it is given the time of every posture [s].
    pub fn inverse_while(&self, go_on: GoOn<'_>) -> Result<Vec<Posture>, AnalysisError> {
        let m = self.model;
        if let Some(rule) = m.rules.iter().find(|rule| rule.depends_on_the_past()) {
            return Err(AnalysisError::Remembers { part: format!("contact `{}`", rule.name) });
        }
        if let Some(friction) = m.constraints.frictions.iter().find(|friction| friction.law.remembers()) {
            let joint = &m.constraints.list[friction.constraint].name;
            return Err(AnalysisError::Remembers { part: format!("the friction of joint `{joint}`") });
        }
        self.postures(go_on)
    }

    fn postures(&self, go_on: GoOn<'_>) -> Result<Vec<Posture>, AnalysisError> {
        let mut walk = Walk::new(self.model)?;
        let mut all = Vec::new();
        for t in self.times()? {
            walk.to(t, self.duration / INTERVALS)?;
            all.push(walk.posture()?);
            if go_on(t).is_break() {
                break;
            }
        }
        Ok(all)
    }

    fn times(&self) -> Result<Vec<f64>, AnalysisError> {
        if let Some((field, value, allowed)) = self.output.refused(self.duration) {
            return Err(AnalysisError::BadOption { field, value, allowed });
        }
        let every = |dt: f64| {
            let n = (self.duration / dt * (1.0 - 1e-12)).ceil().max(1.0);
            (0..=n as usize).map(|i| (i as f64 * dt).min(self.duration)).collect()
        };
        Ok(match &self.output {
            Output::Ends => vec![0.0, self.duration],
            Output::Steps => every(self.duration / INTERVALS),
            Output::Every(dt) => every(*dt),
            Output::At(times) => times.clone(),
        })
    }
}

/// A mechanism that is moved from posture to posture.
struct Walk<'m> {
    m: &'m Model,
    system: System<'m>,
    t: f64,
    y: Vec<f64>,
    dy: Vec<f64>,
}

impl<'m> Walk<'m> {
    fn new(m: &'m Model) -> Result<Walk<'m>, AnalysisError> {
        if m.constraints.is_empty() {
            return Err(AnalysisError::NoJoint);
        }
        let failed = |e: crate::BuildError| AnalysisError::Model(e.to_string());
        let mut system = System::new(m, StepPolicy::Resolved, 0.0).map_err(failed)?;
        let mut y = m.world.initial_state();
        system.assemble(&mut y).map_err(|e| AnalysisError::Model(e.to_string()))?;
        let y = system.start(0.0, y);
        let mut walk = Walk { m, dy: vec![0.0; y.len()], system, t: 0.0, y };
        walk.determined()?;
        walk.rates()?;
        Ok(walk)
    }

    /// Returns an error if the mechanism has motions that its drives do not determine.
    fn determined(&mut self) -> Result<(), AnalysisError> {
        let free = free_motions(&mut self.system, &self.y);
        match free.first() {
            None => Ok(()),
            Some(one) => Err(AnalysisError::Free { count: free.len(), example: one.to_string() }),
        }
    }

    /// Advances to a time, by intervals no longer than `longest` [s].
    fn to(&mut self, t: f64, longest: f64) -> Result<(), AnalysisError> {
        while self.t < t {
            let end = if self.t + longest * (1.0 + 1e-9) < t { self.t + longest } else { t };
            let mut next = end;
            let mut halvings = 0;
            while !self.step(next)? {
                halvings += 1;
                if halvings > HALVINGS {
                    let joint = self.system.violation(next, &self.y).1.to_owned();
                    return Err(AnalysisError::Stuck { t: self.t, joint });
                }
                next = 0.5 * (self.t + next);
            }
        }
        Ok(())
    }

    /// Tries a step to time `t`; returns `false` if it is too long for the prediction.
    fn step(&mut self, t: f64) -> Result<bool, AnalysisError> {
        let h = t - self.t;
        let mut y = self.y.clone();
        // x + h v + ½ h² a, by a drift at the mean velocity
        let half: Vec<(usize, f64)> = (0..self.m.world.layout.bodies())
            .filter(|&i| self.system.is_velocity(i) == Some(true))
            .map(|i| (i, 0.5 * h * self.dy[i]))
            .collect();
        half.iter().for_each(|(i, dv)| y[*i] += dv);
        self.system.drift(h, &mut y);
        half.iter().for_each(|(i, dv)| y[*i] += dv);
        let (before, size) = (self.system.violation(t, &y).0, self.m.world.extent_of(&y));
        if !(before <= FORESEEN * size) {
            return Ok(false);
        }
        self.system.project(t, &mut y);
        if !(self.system.violation(t, &y).0 <= APART * size) {
            return Ok(false);
        }
        (self.t, self.y) = (t, y);
        self.system.on_accept(t, &mut self.y);
        self.rates()?;
        Ok(true)
    }

    /// Computes accelerations and multipliers.
    fn rates(&mut self) -> Result<(), AnalysisError> {
        let mut dy = std::mem::take(&mut self.dy);
        let outcome = match self.m.rules.is_empty() {
            true => self.system.rhs(self.t, &self.y, &mut dy),
            false => self.system.put(self.t, &self.y, 0.0, &mut dy).map(|_| ()),
        };
        self.dy = dy;
        outcome.map_err(|failure| AnalysisError::Forces {
            t: self.t,
            part: self.system.failed_part(&failure).unwrap_or_default(),
            reason: failure.reason,
        })
    }

    fn posture(&mut self) -> Result<Posture, AnalysisError> {
        let (m, t) = (self.m, self.t);
        self.rates()?;
        let (coordinates, drives) = (self.system.coordinates(t, true), self.system.drives(t, true));
        let bodies = m.world.moving().map(|b| BodyState::new(b, t, &self.y)).collect();
        let mut joints = Vec::new();
        self.system.reactions(t, &self.y, &mut joints);
        Ok(Posture {
            t,
            bodies,
            accelerations: self.system.accelerations(&self.dy),
            coordinates,
            joints,
            drives,
            forces: self.system.forces_at(t, &self.y),
        })
    }
}
