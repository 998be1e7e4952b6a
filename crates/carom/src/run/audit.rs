//! How well the books of a run close, and whether that is good enough.

use carom_base::Vec3;
use carom_base::elementary::powi;
use carom_ode::Solver;

use super::runaway::Runaway;
use super::simulation::Simulation;
use crate::error::RunError;
use crate::record::Warning;
use crate::system::{System, larger, relative};
use crate::world::Scale;

/// Audits are looked at where so many evaluations have passed, and at events: often enough to see the largest, seldom enough to cost little. Always at ends of steps, never
/// between: what an interpolant is off by is no error of the motion, and what is recorded when must not change what is found.
const EVALUATIONS: usize = 64;
/// An audit is large beyond so many times the tolerance.
const TOLERANCES: f64 = 1000.0;
/// Of a method with given steps, an audit is large beyond so many times the error that the steps themselves show.
const ESTIMATES: f64 = 10.0;
/// What is large whatever the method.
const LARGE: f64 = 1e-2;
/// What given steps show of their own error is an estimate, as one of [`HALVED`] stands for all. Where the audit shows as much, it counts from here on: outputs may then be off by [`LARGE`].
const COARSE: f64 = 0.5 * LARGE;
/// Below this an audit is rounding.
const ROUNDING: f64 = 1e-11;
/// Speeds below this part of the model's scale are rounding, and, of what joints hold, energies below this part.
const STILL: f64 = 1e-13;
/// Of equal steps, one of so many is taken in halves as well; after an event, one of so many of the next.
const HALVED: usize = 32;
const HALVED_AFTER_EVENT: usize = 4;

/// How well the books of a run close.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Audit {
    /// the largest |audit| of the ledger at events and other ends of steps [J]
    pub energy: f64,
    /// that, over the largest kinetic + stored + change of potential energy of the run
    pub energy_relative: f64,
    /// the largest |audit| of linear momentum, over the largest Σ m |v|, the model's scale of speed added to |v|; see [`Momentum`](crate::Momentum)
    pub momentum_relative: f64,
    /// that of angular momentum, over the largest of the same kind
    pub angular_momentum_relative: f64,
    /// whether friction was asked to act on the surfaces, so that its couples are in the audit of angular momentum
    pub friction_on_surfaces: bool,
    /// what rounding alone may make of these three
    pub rounding: [f64; 3],
    /// of a method with given steps: what its steps themselves are off by
    pub estimate: Option<StepEstimate>,
}

/// The error of given steps, from steps that were taken in two halves as well.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepEstimate {
    /// the largest error of a step, in terms of tolerances: steps of a method that chooses them would be as wrong at this rtol = atol
    pub step: f64,
    /// the errors of all steps together, the most they came to, over the same as the audits: of energy,
    pub energy: f64,
    /// of linear momentum,
    pub momentum: f64,
    /// and of angular momentum
    pub angular_momentum: f64,
}

/// A motion means something from so many times what counts as nothing on.
const MEANT: f64 = 100.0;

/// What is looked at as a run goes.
#[derive(Debug, Default)]
pub(super) struct Auditor {
    /// where bodies were at the start, how far they went from there, and how fast they were at most
    start_positions: Vec<Vec3>,
    moved: f64,
    fastest: f64,
    /// evaluations since the books were looked at last, those for outputs left out, and all there were when they were counted last
    evaluations: usize,
    counted: usize,
    /// steps when the books were looked at last
    steps: usize,
    /// of given steps, what halving showed
    halving: Option<Halving>,
}

carom_base::plain!(Auditor { start_positions, moved, fastest, evaluations, counted, steps, halving });

#[derive(Debug)]
struct Halving {
    /// by which the difference is less than the error: 2^p/(2^p − 1)
    factor: f64,
    /// what is large for every number of the bodies
    scales: Vec<f64>,
    /// steps since one was taken in halves, and since an event
    since: usize,
    since_event: usize,
    step: f64,
    /// energy that all steps together have made or lost [J], and the most it was; of momentum, Σ of the amounts [kg m/s, kg m²/s]
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

    /// Looks at the step just taken.
    pub(super) fn look(&mut self, system: &mut System<'_>, solver: &mut Solver) -> Result<(), RunError> {
        if let Some(halving) = &mut self.halving {
            halving.look(system, solver);
        }
        self.evaluations += solver.stats().evaluations - self.counted;
        let due = self.evaluations >= EVALUATIONS;
        let works = system.model.world.quadratures.work.is_some();
        if due {
            self.sum_up_forces(system, solver);
        }
        if due || works || solver.at_event() {
            // where nobody puts energy in, the largest energy is the start's
            let e = system.energy(solver.t(), solver.y());
            system.work_scale = system.work_scale.max(system.moving(&e));
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

    /// Whether given steps have run away, in a state that they cannot go on from.
    pub(super) fn ran_away(&mut self, system: &mut System<'_>, t: f64, y: &[f64]) -> Option<RunError> {
        let halving = self.halving.as_mut().filter(|_| y.iter().all(|x| x.is_finite()))?;
        let e = system.ledger(t, y);
        halving.runaway.look(system, t, &e).err()
    }

    /// Sums up the forces of the step just taken, which stands for all since the last that was looked at: they are most likely of its kind.
    fn sum_up_forces(&mut self, system: &mut System<'_>, solver: &Solver) {
        let steps = solver.stats().steps;
        let time = (solver.t() - solver.t_start()) * (steps - self.steps) as f64;
        system.sum_up_forces(solver.t(), solver.y(), time);
        self.steps = steps;
    }

    /// The step just taken was told: what that took of evaluations does not count.
    pub(super) fn ignore_evaluations_of_outputs(&mut self, solver: &Solver) {
        self.counted = solver.stats().evaluations;
    }

    /// Looks at the last state, and at forces of steps too few to have been looked at.
    pub(super) fn end(&mut self, system: &mut System<'_>, solver: &Solver, y: &[f64]) {
        if self.steps < solver.stats().steps {
            self.sum_up_forces(system, solver);
        }
        self.note(system, solver.t(), y);
    }

    /// Looks at a state that no step has led to, or the last one.
    pub(super) fn note(&mut self, system: &mut System<'_>, t: f64, y: &[f64]) {
        system.energy(t, y);
        system.note_momentum(y);
        self.note_motion(system);
    }

    /// Takes note of how far and how fast bodies have moved, in the state that the workspace holds.
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

    /// Whether the motion is hardly more than what counts as nothing; one that is rounding is no motion.
    pub(super) fn small_motion(&self, system: &System<'_>, nothing: &Scale) -> Option<Warning> {
        let rounding = 1e-13 * system.model.world.extent();
        let small = self.moved < MEANT * nothing.length && self.fastest < MEANT * nothing.speed;
        (small && self.moved > rounding).then(|| {
            let [moved, resolved] = [self.moved, nothing.length].map(|x| format!("{x:.1e} m"));
            Warning::SmallMotion { moved, resolved }
        })
    }

    /// What came of it.
    pub(super) fn close(&self, system: &System<'_>, steps: usize) -> Audit {
        let [momentum_relative, angular_momentum_relative] = system.momentum.relative();
        let (scales, amounts) = (system.momentum.scales(), system.momentum.amounts());
        // of sums that grow step by step
        let grain = 16.0 * f64::EPSILON * (16.0 + steps as f64).sqrt();
        // what stands still moves by rounding: that has an energy, loads on a mechanism do work by it, and no ledger of it closes
        let m = system.model;
        let speed = if m.constraints.list.is_empty() { STILL } else { STILL.sqrt() } * m.scale().speed;
        let quiet: f64 = m.world.free().map(|body| m.world.bodies[body].mass).sum::<f64>() * speed * speed;
        let rounding = [
            relative(grain * system.energy_amount + quiet, system.energy_scale),
            relative(grain * amounts[0], scales[0]),
            relative(grain * amounts[1], scales[1]),
        ];
        let estimate = self.halving.as_ref().map(|h| StepEstimate {
            step: h.step,
            energy: relative(h.sums[0], system.energy_scale),
            momentum: relative(h.sums[1], scales[0]),
            angular_momentum: relative(h.sums[2], scales[1]),
        });
        Audit {
            energy: system.energy_worst,
            energy_relative: relative(system.energy_worst, system.energy_scale),
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
        // errors of the energy that swing with the motion cancel
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
    /// What there is to warn of, the tolerances being these.
    /// Where friction was asked to act on the surfaces it makes angular momentum, and nothing is said of that.
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
            // what is not a number must not pass for a perfect one
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

    /// Given steps are told to be too long where they show an error that is large, or half of that if the audit shows it too.
    #[test]
    fn coarse_steps_are_told() {
        let told = |audit: f64, estimate: f64| {
            let estimate = Some(StepEstimate { energy: estimate, ..StepEstimate::default() });
            let audit = Audit { energy_relative: audit, estimate, ..Audit::default() };
            audit.warnings(1e-8, 1e-8).iter().any(|w| matches!(w, Warning::CoarseSteps { .. }))
        };
        assert!(told(1e-4, 2e-2));
        assert!(told(9.7e-3, 7.4e-3));
        assert!(!told(9e-4, 5.5e-3) && !told(9e-3, 1e-3) && !told(4e-3, 4e-3));
        assert!(told(f64::NAN, f64::NAN));
    }
}
