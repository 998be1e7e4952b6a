//! An island: bodies that advance by themselves for a while, with steps and events of their own.

use self_cell::self_cell;

use carom_ode::{Stats, methods};

use super::members::Outlook;
use super::trail::Trail;
use crate::contact::{ContactMonitor, HandedPair};
use crate::error::RunError;
use crate::model::Model;
use crate::part::Part;
use crate::record::{Event, Moment};
use crate::run::runner::Runner;
use crate::run::simulation::{Output, Simulation, Start};
use crate::run::sink::{Sink, SinkError};
use crate::state::Kinematics;
use crate::system::ForceSums;

/// An island rests as long as its rates make no more of a difference than this part of the tolerance.
const REST: f64 = 0.1;

self_cell!(
    /// The model of an island, and the run of it.
    pub(super) struct Motion {
        owner: Model,
        #[not_covariant]
        dependent: Runner,
    }
);

/// What an island has reported since it was last asked.
#[derive(Default)]
pub(super) struct Reports {
    pub(super) events: Vec<Event>,
    pub(super) moments: Vec<Moment>,
    follows: bool,
}

impl Sink for Reports {
    fn wants_within(&self) -> bool {
        self.follows
    }
    fn event(&mut self, event: &Event) -> Result<(), SinkError> {
        self.events.push(event.clone());
        Ok(())
    }
    fn within(&mut self, moment: &Moment) -> Result<(), SinkError> {
        // (an island knows nothing of the other bodies)
        self.moments.push(Moment { bodies: Vec::new(), ..moment.clone() });
        Ok(())
    }
}

/// What a window starts from: the whole model and its state.
pub(super) struct Origin<'a> {
    pub(super) sim: &'a Simulation<'a>,
    pub(super) t: f64,
    /// the state of the whole model
    pub(super) y: &'a [f64],
    /// the largest energy so far [J]
    pub(super) work_scale: f64,
    /// whether moments between output times are wanted
    pub(super) follows: bool,
}

/// An island.
pub(super) struct Island {
    /// the indices of its bodies in the whole model, ascending
    pub(super) bodies: Vec<usize>,
    /// those of them that move by forces
    pub(super) free: Vec<usize>,
    /// the indices of its surfaces in the whole model, ascending
    surfaces: Vec<usize>,
    pub(super) motion: Motion,
    /// its integrals when they were last added to those of the whole
    pub(super) counted: Vec<f64>,
    /// its work when that was last added
    pub(super) work: Stats,
    pub(super) trail: Trail,
    pub(super) reports: Reports,
    /// whether it stays as it is where nothing moves: no motion in it is prescribed, and the method remembers no steps
    may_rest: bool,
    /// the time until which nothing in it moves by more than a small part of the tolerance [s]
    pub(super) rests_until: f64,
    /// why it could not go on
    pub(super) failed: Option<RunError>,
}

impl Island {
    /// Creates an island of these bodies, which goes on from these contacts.
    pub(super) fn new(
        from: &Origin<'_>,
        bodies: Vec<usize>,
        free: Vec<usize>,
        pairs: &[HandedPair],
        planned: Option<f64>,
    ) -> Result<Island, RunError> {
        let whole = from.sim.model;
        let Part { model, bodies, surfaces } = whole.part(bodies);
        let mut y = Vec::with_capacity(model.world.layout.len(0));
        for &body in &free {
            y.extend_from_slice(&from.y[whole.rows_of(body)]);
        }
        y.resize(model.world.layout.len(0), 0.0);
        let own = |surface: usize| surfaces.binary_search(&surface).unwrap_or(usize::MAX);
        let motion = Motion::try_new(model, |model| {
            let sim = Simulation {
                model,
                start: Start::AsGiven,
                output: Output::Ends,
                method: from.sim.method.clone(),
                step: if from.t == 0.0 { from.sim.step } else { planned },
                ..*from.sim
            };
            let mut runner = Runner::of_part(&sim, (from.t, y), pairs.iter(), own, from.work_scale)?;
            runner.reported.follows = from.follows;
            Ok::<_, RunError>(runner)
        })?;
        let remembers = methods::find(&from.sim.method).is_ok_and(|method| method.remembers());
        Ok(Island {
            may_rest: whole.world.prescribed.is_empty() && !remembers,
            rests_until: f64::NEG_INFINITY,
            trail: Trail::new(free.iter().map(|&body| whole.world.lever_of(body)).collect()),
            bodies,
            free,
            surfaces,
            counted: vec![0.0; whole.world.quadratures.count],
            motion,
            work: Stats::default(),
            reports: Reports { follows: from.follows, ..Reports::default() },
            failed: None,
        })
    }

    /// Advances to the time `until` [s], and notes on the way where the bodies are; `reported`: whether all moments up to then are
    /// to be reported. Stops where `goes_on` says so, which is asked before each step.
    pub(super) fn advance(&mut self, until: f64, reported: bool, goes_on: &mut dyn FnMut() -> bool) {
        let (trail, reports, rests) = (&mut self.trail, &mut self.reports, self.rests_until >= until);
        let advanced = self.motion.with_dependent_mut(|_, runner| {
            trail.begin(runner.solver.t(), runner.sim.model, runner.solver.y());
            match rests {
                true => stay(runner, until, trail),
                false => run(runner, until, trail, reports, goes_on)?,
            }
            if reported && runner.reported.follows {
                runner.take_state();
                runner.make_frame(until);
                runner.tell_within(until, reports)?;
            }
            Ok(runner.solver.t() + runner.solver.still_for(REST))
        });
        match advanced {
            Ok(still) if self.may_rest && !rests => self.rests_until = still,
            Ok(_) => {}
            Err(why) => self.failed = Some(why),
        }
    }

    /// Gives what the whole model takes over of it: the state of its bodies and its contacts. Returns the number of steps
    /// that it took.
    pub(super) fn give(&mut self, whole: &mut Whole<'_>, contacts: &mut ContactMonitor) -> usize {
        let Island { motion, free, surfaces, counted, work, reports, .. } = self;
        motion.with_dependent_mut(|model, runner| {
            let y = &runner.solver.y().to_vec();
            let rows = model.rows().zip(free.iter());
            rows.for_each(|((_, own), body)| {
                whole.y[whole.model.rows_of(*body)].copy_from_slice(&y[own.all()]);
            });
            let monitor = &mut runner.system.monitor;
            whole.pairs.extend(monitor.hand_over(model, surfaces, y));
            let integrals = model.world.layout.integrals(y);
            let sums = whole.integrals.iter_mut().zip(integrals).zip(counted.iter_mut());
            sums.for_each(|((sum, now), before)| *sum += now - std::mem::replace(before, *now));
            // what bristles of contacts that have ended still store is lost, as at the next event
            if let Some(lost) = model.world.quadratures.dissipated_friction {
                whole.integrals[lost] += monitor.left_in_bristles(model, y);
            }
            runner.auditor.end_window(&mut runner.system, &runner.solver);
            whole.sums.add(&runner.system.momentum.give_sums());
            let monitor = &mut runner.system.monitor;
            contacts.take_over_rounding(whole.model, monitor, surfaces);
            whole.lost_in_jumps += std::mem::take(&mut monitor.lost_in_jumps);
            let report = &mut monitor.report;
            whole.peak_force = whole.peak_force.max(report.peak_force);
            whole.contacts += std::mem::take(&mut report.contacts);
            whole.events.append(&mut reports.events);
            whole.moments.append(&mut reports.moments);
            for (warning, count) in std::mem::take(&mut runner.warnings) {
                whole.warnings.push((warning, count));
            }
            let now = runner.solver.stats();
            let done = now.since(&std::mem::replace(work, now));
            whole.work.add(&done);
            done.steps
        })
    }

    /// Gives the moments before the time `t` [s] that have not been given yet: it is about to be dissolved, what came after is
    /// taken back, and that instant itself is the first of the islands that follow.
    pub(super) fn give_moments(&mut self, t: f64, to: &mut Vec<Moment>) {
        let own = std::mem::take(&mut self.reports.moments);
        let kept = self.motion.with_dependent_mut(|_, runner| match &mut runner.within {
            Some(within) => within.take_before(f64::INFINITY),
            None => Vec::new(),
        });
        let kept = kept.into_iter().map(|moment| Moment { bodies: Vec::new(), ..moment });
        to.extend(own.into_iter().chain(kept).filter(|moment| moment.t < t));
    }

    /// Says what is foreseen of its free bodies, as their gaps close now; `index` gives the places of bodies in that list.
    pub(super) fn foresee(&mut self, index: &[usize], outlook: &mut [Outlook]) {
        let Island { motion, free, bodies, trail, .. } = self;
        motion.with_dependent_mut(|model, runner| {
            let g = &model.world.gravity;
            let is_free = |body: usize| model.world.is_dynamic(body);
            let mut soonest = vec![f64::INFINITY; bodies.len()];
            for pair in &runner.system.monitor.pairs {
                let own = match (is_free(pair.body_a), is_free(pair.body_b)) {
                    (true, false) => pair.body_a,
                    (false, true) => pair.body_b,
                    _ => continue,
                };
                soonest[own] = soonest[own].min(runner.system.monitor.meets_in(model, pair, g.norm()));
            }
            let (planned, dy) = (runner.solver.planned(), runner.solver.dy());
            for (k, ((own, rows), body)) in model.rows().zip(free.iter()).enumerate() {
                let pull = (rows.of(dy).velocity() - g).norm();
                outlook[index[*body]] = Outlook { wall: soonest[own], planned, pull, path: trail.path(k) };
            }
        });
    }

    /// Returns one of its free bodies as it is.
    pub(super) fn body(&mut self, body: usize) -> Kinematics {
        let Island { motion, bodies, .. } = self;
        motion.with_dependent_mut(|model, runner| {
            let own = bodies.binary_search(&body).unwrap_or_default();
            Kinematics::new(&model.world.bodies[own], runner.solver.t(), runner.solver.y())
        })
    }

    /// Returns the work that has not been added to that of the whole.
    pub(super) fn uncounted(&mut self) -> Stats {
        let before = self.work;
        self.motion.with_dependent_mut(|_, runner| runner.solver.stats().since(&before))
    }

    /// Whether nothing of it would be lost by going on with it: bristles of contacts that have ended store energy until the next
    /// event.
    pub(super) fn is_whole(&mut self) -> bool {
        self.motion.with_dependent_mut(|_, runner| runner.system.monitor.memories.left.is_empty())
    }
}

/// What the whole model takes over of its islands.
pub(super) struct Whole<'a> {
    pub(super) model: &'a Model,
    /// the state of the bodies
    pub(super) y: Vec<f64>,
    pub(super) integrals: Vec<f64>,
    pub(super) pairs: Vec<HandedPair>,
    pub(super) lost_in_jumps: f64,
    pub(super) sums: ForceSums,
    pub(super) peak_force: f64,
    pub(super) contacts: usize,
    pub(super) events: Vec<Event>,
    pub(super) moments: Vec<Moment>,
    pub(super) warnings: Vec<(crate::record::Warning, usize)>,
    pub(super) work: Stats,
}

/// Takes the steps to the time `until` [s], or fewer where `goes_on` says so.
fn run(
    runner: &mut Runner<'_>,
    until: f64,
    trail: &mut Trail,
    reports: &mut Reports,
    goes_on: &mut dyn FnMut() -> bool,
) -> Result<(), RunError> {
    runner.solver.pause_at(until);
    while runner.solver.t() < until {
        if !goes_on() {
            return Ok(());
        }
        if !runner.take_step(reports)? {
            break;
        }
        trail.note(&runner.solver.last_step(), runner.sim.model);
        runner.conclude(reports)?;
    }
    Ok(())
}

/// Lets the time pass up to `until` [s], in which nothing moves.
fn stay(runner: &mut Runner<'_>, until: f64, trail: &mut Trail) {
    let y = runner.solver.y().to_vec();
    runner.solver.adopt(&mut runner.system, until, &y, Stats::default());
    trail.stay(until);
}
