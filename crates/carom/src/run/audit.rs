//! The energy and momentum audits of a run: how well the balances close, and whether that is good enough.

use carom_base::Vec3;
use carom_base::elementary::powi;
use carom_ode::Solver;

use super::runaway::Runaway;
use super::simulation::Simulation;
use crate::error::RunError;
use crate::record::Warning;
use crate::system::{System, larger, relative};
use crate::world::Scale;

/// The balances are examined after this number of evaluations, and at events: often enough to see the largest error, seldom
/// enough to add little computation. They are examined only at ends of steps, never between: the error of an interpolant is
/// no error of the motion, and the choice of output times must not change what is found.
const EVALUATIONS: usize = 64;
/// An audit is too large beyond this multiple of the tolerance.
const TOLERANCES: f64 = 1000.0;
/// For a fixed-step method, an audit is too large beyond this multiple of the error that the steps themselves show.
const ESTIMATES: f64 = 10.0;
/// Relative audit that is too large whatever the method.
const LARGE: f64 = 1e-2;
/// The error that fixed steps show of themselves is an estimate, as one step in [`HALVED`] stands for all. If the audit shows
/// as large an error, it is reported from this value on: outputs may then be wrong by [`LARGE`].
const COARSE: f64 = 0.5 * LARGE;
/// Below this value a relative audit is rounding error.
const ROUNDING: f64 = 1e-11;
/// Speeds below this fraction of the model's speed scale are rounding error; in a model with joints, energies below this
/// fraction.
const STILL: f64 = 1e-13;
/// One of this number of equal steps is also taken in two halves; after an event, one of the smaller number below.
const HALVED: usize = 32;
const HALVED_AFTER_EVENT: usize = 4;

/// The result of the audits: how well the energy and momentum balances of a run close.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Audit {
    /// the largest energy-balance error |audit| at events and other ends of steps [J]
    pub energy: f64,
    /// that error divided by the largest kinetic + stored + change of potential energy of the run
    pub energy_relative: f64,
    /// the largest error |audit| of the linear momentum balance, divided by the largest Σ m (|v| + v₀), v₀ being the model's
    /// speed scale; see [`Momentum`](crate::Momentum)
    pub momentum_relative: f64,
    /// the largest error of the angular momentum balance, divided by the largest corresponding sum of angular momenta
    pub angular_momentum_relative: f64,
    /// whether friction acts on both surfaces, as its rule asks, so that its couples appear in the audit of angular momentum
    pub friction_on_surfaces: bool,
    /// what rounding errors alone may contribute to the relative errors of energy, linear and angular momentum
    pub rounding: [f64; 3],
    /// for a fixed-step method: the error that its steps themselves show
    pub estimate: Option<StepEstimate>,
}

/// The error of fixed steps, estimated from steps that were also taken in two halves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepEstimate {
    /// the largest error of a step, as an equivalent tolerance: an adaptive method with this rtol = atol makes errors of this
    /// size
    pub step: f64,
    /// the largest accumulated error of energy of all steps, divided by the same scale as the audit of energy
    pub energy: f64,
    /// the accumulated error of linear momentum, divided by the same scale as its audit
    pub momentum: f64,
    /// the accumulated error of angular momentum, divided by the same scale as its audit
    pub angular_momentum: f64,
}

/// A motion is resolved if it exceeds this multiple of the absolute tolerance.
const MEANT: f64 = 100.0;

/// What the audits accumulate during a run.
#[derive(Debug, Default)]
pub(super) struct Auditor {
    /// the bodies' positions at the start, the largest distance from there [m], and the largest speed [m/s]
    start_positions: Vec<Vec3>,
    moved: f64,
    fastest: f64,
    /// evaluations since the balances were last examined, without those for outputs, and the total when they were last
    /// counted
    evaluations: usize,
    counted: usize,
    /// number of steps when the balances were last examined
    steps: usize,
    /// for a fixed-step method, what halving its steps has shown
    halving: Option<Halving>,
}

carom_base::plain!(Auditor { start_positions, moved, fastest, evaluations, counted, steps, halving });

#[derive(Debug)]
struct Halving {
    /// ratio of the error to the difference between whole and halved step: 2^p/(2^p − 1)
    factor: f64,
    /// the scale of every component of the bodies' state
    scales: Vec<f64>,
    /// steps since one was last taken in halves, and since an event
    since: usize,
    since_event: usize,
    step: f64,
    /// energy that all steps together have created or lost [J]; its largest magnitude, and for momentum the sum of magnitudes
    /// [kg m/s, kg m²/s]
    made: f64,
    sums: [f64; 3],
    runaway: Runaway,
}

carom_base::plain!(Halving { factor, scales, since, since_event, step, made, sums, runaway });

impl Auditor {
    pub(super) fn new(sim: &Simulation<'_>, adaptive: bool, order: usize) -> Auditor {
        let p = powi(2f64, order as i32);
        let halving = || Halving {
            factor: p / (p - 1.0),
            scales: sim.model.world.component_scales(),
            since: 0,
            since_event: 0,
            step: 0.0,
            made: 0.0,
            sums: [0.0; 3],
            runaway: Runaway::new(sim.step.unwrap_or(0.0)),
        };
        Auditor { halving: (!adaptive).then(halving), ..Auditor::default() }
    }

    /// Examines the step just taken.
    pub(super) fn look(&mut self, system: &mut System<'_>, solver: &mut Solver) -> Result<(), RunError> {
        if let Some(halving) = &mut self.halving {
            halving.look(system, solver);
        }
        self.evaluations += solver.stats().evaluations - self.counted;
        let due = self.evaluations >= EVALUATIONS;
        let works = system.model.world.quadratures.work.is_some();
        // (couples that are known to be left over are to be a number, not a sample)
        if due || system.model.friction_makes_couples() {
            self.sum_up_forces(system, solver);
        }
        if due || works || solver.at_event() {
            // in a model where no work is done the largest energy is that at the start
            let e = system.energy(solver.t(), solver.y());
            system.energy.work_scale = system.energy.work_scale.max(system.moving(&e));
            if let Some(halving) = &mut self.halving {
                halving.runaway.look(system, solver.t(), &e)?;
            }
        }
        if due || solver.at_event() {
            system.note_momentum(solver.y());
            self.note_motion(system);
            self.evaluations = 0;
        }
        Ok(())
    }

    /// Sums up the forces of an island at the end of a window, if anything touches there and the last steps have not been
    /// examined.
    pub(super) fn end_window(&mut self, system: &mut System<'_>, solver: &Solver) {
        if self.steps < solver.stats().steps && !system.monitor.active.is_empty() {
            self.sum_up_forces(system, solver);
        }
    }

    /// Examines the whole at the end of a window, of which the islands have summed up the forces.
    pub(super) fn look_at_window(&mut self, system: &mut System<'_>, solver: &Solver) {
        self.steps = solver.stats().steps;
        let e = system.energy(solver.t(), solver.y());
        system.energy.work_scale = system.energy.work_scale.max(system.moving(&e));
        system.note_momentum(solver.y());
        self.note_motion(system);
    }

    /// Returns the error that fixed steps have run away, if they have, in a state from which they cannot continue.
    pub(super) fn ran_away(&mut self, system: &mut System<'_>, t: f64, y: &[f64]) -> Option<RunError> {
        let halving = self.halving.as_mut().filter(|_| y.iter().all(|x| x.is_finite()))?;
        let e = system.ledger(t, y);
        halving.runaway.look(system, t, &e).err()
    }

    /// Sums up the forces at the end of the step just taken; it stands for all steps since the last one examined, which most
    /// likely resemble it.
    fn sum_up_forces(&mut self, system: &mut System<'_>, solver: &Solver) {
        let steps = solver.stats().steps;
        let time = (solver.t() - solver.t_start()) * (steps - self.steps) as f64;
        system.sum_up_forces(solver.t(), solver.y(), time);
        self.steps = steps;
    }

    /// Leaves out the evaluations that the outputs of the step just taken have required.
    pub(super) fn ignore_evaluations_of_outputs(&mut self, solver: &Solver) {
        self.counted = solver.stats().evaluations;
    }

    /// Examines the last state, and the forces of the last steps if they were too few to have been examined.
    pub(super) fn end(&mut self, system: &mut System<'_>, solver: &Solver, y: &[f64]) {
        if self.steps < solver.stats().steps {
            self.sum_up_forces(system, solver);
        }
        self.note(system, solver.t(), y);
    }

    /// Examines a state that no step has led to, or the last one.
    pub(super) fn note(&mut self, system: &mut System<'_>, t: f64, y: &[f64]) {
        system.energy(t, y);
        system.note_momentum(y);
        self.note_motion(system);
    }

    /// Records how far and how fast the bodies have moved, in the state held by the workspace.
    fn note_motion(&mut self, system: &System<'_>) {
        let m = system.model;
        if self.start_positions.is_empty() {
            self.start_positions.extend(m.world.free().map(|body| system.ws.body(body).x.p));
        }
        for (body, start) in m.world.free().zip(&self.start_positions) {
            let (k, reach) = (system.ws.body(body), m.world.bodies[body].reach());
            self.moved = self.moved.max((k.x.p - start).norm());
            self.fastest = self.fastest.max(k.v.norm()).max(k.w.norm() * reach);
        }
    }

    /// Returns a warning if the motion barely exceeds the absolute tolerance `nothing`; a motion within rounding error is not
    /// counted as motion.
    pub(super) fn small_motion(&self, system: &System<'_>, nothing: &Scale) -> Option<Warning> {
        let rounding = 1e-13 * system.model.world.extent();
        let small = self.moved < MEANT * nothing.length && self.fastest < MEANT * nothing.speed;
        (small && self.moved > rounding).then(|| {
            let [moved, resolved] = [self.moved, nothing.length].map(|x| format!("{x:.1e} m"));
            Warning::SmallMotion { moved, resolved }
        })
    }

    /// Returns the result of the audits.
    pub(super) fn close(&self, system: &System<'_>, steps: usize) -> Audit {
        let [momentum_relative, angular_momentum_relative] = system.momentum.relative();
        let (scales, amounts) = (system.momentum.scales(), system.momentum.amounts());
        // rounding error of sums that grow step by step
        let grain = 16.0 * f64::EPSILON * (16.0 + steps as f64).sqrt();
        // bodies at rest move by rounding error: this has an energy, loads on a mechanism do work by it, and no balance of it
        // closes
        let m = system.model;
        let speed = if m.constraints.list.is_empty() { STILL } else { STILL.sqrt() } * m.scale().speed;
        let quiet: f64 = m.world.free().map(|body| m.world.bodies[body].mass).sum::<f64>() * speed * speed;
        let rounding = [
            relative(grain * system.energy.amount + quiet, system.energy.scale),
            relative(grain * amounts[0], scales[0]),
            relative(grain * amounts[1], scales[1]),
        ];
        let estimate = self.halving.as_ref().map(|h| StepEstimate {
            step: h.step,
            energy: relative(h.sums[0], system.energy.scale),
            momentum: relative(h.sums[1], scales[0]),
            angular_momentum: relative(h.sums[2], scales[1]),
        });
        Audit {
            energy: system.energy.worst,
            energy_relative: relative(system.energy.worst, system.energy.scale),
            momentum_relative,
            angular_momentum_relative,
            friction_on_surfaces: system.model.friction_makes_couples(),
            rounding,
            estimate,
        }
    }
}

impl Halving {
    fn look(&mut self, system: &mut System<'_>, solver: &mut Solver) {
        self.since += 1;
        self.since_event = if solver.at_event() { 0 } else { self.since_event + 1 };
        let every = if self.since_event < HALVED { HALVED_AFTER_EVENT } else { HALVED };
        if self.since < every || solver.in_halves(system).is_err() {
            return;
        }
        let (t, whole, halves) = (solver.t(), solver.y(), solver.halves());
        let off = |i: usize| (whole[i] - halves[i]).abs() / (self.scales[i] + whole[i].abs());
        let step = (0..self.scales.len()).map(off).fold(0.0, larger);
        self.step = larger(self.step, self.factor * step);
        let [one, other] = [whole, halves].map(|y| (system.ledger(t, y).audit, system.momentum(y)));
        let weight = self.factor * self.since as f64;
        // errors of the energy that oscillate with the motion cancel
        self.made += weight * (one.0 - other.0);
        self.sums[0] = larger(self.sums[0], self.made.abs());
        let apart =
            [(one.1.audit - other.1.audit).norm(), (one.1.angular_audit - other.1.angular_audit).norm()];
        for (sum, apart) in self.sums[1..].iter_mut().zip(apart) {
            *sum += weight * apart;
        }
        self.since = 0;
    }
}

impl Audit {
    /// Returns the warnings that follow from these tolerances. Where friction was asked to act on both surfaces it creates
    /// angular momentum, and no warning is given of that.
    pub(super) fn warnings(&self, rtol: f64, atol: f64) -> Vec<Warning> {
        let tolerance = TOLERANCES * rtol.max(atol);
        let estimates = self.estimate.map(|e| [e.energy, e.momentum, e.angular_momentum]);
        let all = [
            ("energy", self.energy_relative),
            ("linear momentum", self.momentum_relative),
            ("angular momentum", self.angular_momentum_relative),
        ];
        let mut warnings = Vec::new();
        for (i, (what, off)) in
            all.into_iter().enumerate().filter(|(i, _)| *i < 2 || !self.friction_on_surfaces)
        {
            let allowed = estimates.map_or(tolerance, |e| ESTIMATES * e[i]).clamp(ROUNDING, LARGE);
            let allowed = allowed + self.rounding[i];
            // (written so that NaN is reported, too)
            if !(off <= allowed) {
                let [off, allowed] = [off, allowed].map(|x| format!("{x:.1e}"));
                warnings.push(Warning::LargeAudit { what: what.to_owned(), off, allowed });
            }
        }
        let coarse = |e: &StepEstimate| !(e.energy <= LARGE && e.energy.min(self.energy_relative) <= COARSE);
        if let Some(e) = self.estimate.filter(coarse) {
            warnings.push(Warning::CoarseSteps { off: format!("{:.1e}", e.energy) });
        }
        warnings
    }
}

#[cfg(test)]
mod tests {
    use super::{Audit, StepEstimate};
    use crate::record::Warning;

    /// Fixed steps are reported as too long if they show a large error, or half of that if the audit shows it too.
    #[test]
    fn coarse_steps_are_told() {
        let warns = |audit: f64, estimate: f64| {
            let estimate = Some(StepEstimate { energy: estimate, ..StepEstimate::default() });
            let audit = Audit { energy_relative: audit, estimate, ..Audit::default() };
            audit.warnings(1e-8, 1e-8).iter().any(|w| matches!(w, Warning::CoarseSteps { .. }))
        };
        assert!(warns(1e-4, 2e-2));
        assert!(warns(9.7e-3, 7.4e-3));
        assert!(!warns(9e-4, 5.5e-3) && !warns(9e-3, 1e-3) && !warns(4e-3, 4e-3));
        assert!(warns(f64::NAN, f64::NAN));
    }
}
