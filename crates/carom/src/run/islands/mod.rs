//! Islands: groups of bodies that cannot meet within a window of time, each of which advances through it by itself, with
//! steps and events of its own. So a touch of two bodies does not make all others step.
//!
//! A window begins with a forecast of who will meet ([`groups`]). Every group then runs to the end of the window as a model
//! of its own ([`island`]). At the end the paths of all bodies are compared ([`trail`]): where bodies of two groups may have
//! met, the window is taken back for them, and they go on as one group. So no meeting is missed, whatever the forecast. The
//! results do not depend on the order in which the groups run, nor on how many of them run at a time.

mod at_once;
mod carried;
mod compare;
mod groups;
mod island;
mod members;
mod near;
mod trail;
mod whole;

use std::ops::ControlFlow;

use carom_geometry::proximity::Sweep;
use carom_ode::methods;

use super::runner::Runner;
use super::simulation::Simulation;
use super::sink::Sink;
use crate::contact::Status;
use crate::error::RunError;
use crate::forward::kinematics;
use crate::model::Model;
use crate::record::Moment;
use crate::system::StepPolicy;
use at_once::{advance_all, threads};
use groups::{Foretold, Mover, Sets};
use island::{Island, Origin, Whole};
use members::{Members, Outlook, PairsOf};
use near::Near;

/// Bodies advance in islands if there are at least this many that move by forces: with fewer, an event costs little.
const MANY: usize = 32;
/// A window is made shorter if an island takes more steps in it than this, so that it may fall apart into several.
const STEPS: f64 = 64.0;
/// Where so many bodies turn out to belong together, or twice as many as was foretold, the window is made shorter, to this
/// part, rather than that they go through it together.
const LARGE: usize = 8;
const RETREAT: f64 = 0.25;
/// The forces of contacts are taken to be no larger within a window than so many times what they are at its start.
const PULL: f64 = 2.0;

/// What has become of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// no two of the islands have met
    Apart,
    /// so many bodies may have met that the window is to be shorter
    TooManyMeet,
    /// the sink has asked to stop
    Stopped,
}

/// The islands of a run, from window to window.
pub(super) struct Islands {
    /// the islands of the last window, at its end
    islands: Vec<Island>,
    members: Members,
    /// for each free body, what is foreseen of it
    outlook: Vec<Outlook>,
    lengths: Lengths,
    pairs: PairsOf,
    foretold: Foretold,
    near: Near,
    sweep: Sweep,
    /// moments that have not been reported yet, and the last output time [s]
    moments: Vec<Moment>,
    pub(super) shown: f64,
    /// the evaluations in the last window
    evaluations: usize,
    /// the largest number of threads that have shared a window
    pub(super) threads: usize,
}

/// How long windows are [s].
#[derive(Clone, Copy, Debug)]
struct Lengths {
    /// the last window, and what the next is at most
    last: f64,
    next: f64,
    /// below this length a window is not made shorter
    shortest: f64,
}

impl Islands {
    /// Whether a run advances in islands: it has many bodies, located contacts and an adaptive method, and nothing acts on
    /// bodies but contacts and gravity.
    pub(super) fn suit(sim: &Simulation<'_>) -> bool {
        sim.islands
            && sim.model.world.dynamic.len() >= MANY
            && sim.model.separates()
            && sim.step_policy() == StepPolicy::Located
            && methods::find(&sim.method).is_ok_and(|method| method.is_adaptive())
    }

    pub(super) fn new(m: &Model) -> Islands {
        let w = &m.world;
        let members = Members::of(m);
        let speeds = members.free.iter().map(|&body| w.bodies[body].velocity.norm());
        let fastest = speeds.fold(w.scale.speed, f64::max);
        let smallest = members.radii.iter().copied().fold(f64::INFINITY, f64::min);
        let usual = smallest / fastest;
        Islands {
            islands: Vec::new(),
            outlook: vec![Outlook::unknown(w.gravity.norm()); members.free.len()],
            lengths: Lengths { last: usual, next: usual, shortest: 1e-4 * usual },
            pairs: PairsOf::new(w.surfaces.len()),
            members,
            foretold: Foretold::default(),
            near: Near::default(),
            sweep: Sweep::new(),
            moments: Vec::new(),
            shown: f64::NEG_INFINITY,
            evaluations: 0,
            threads: 1,
        }
    }

    /// Returns whether the next window may be the last of the run.
    pub(super) fn reach_end(&self, runner: &Runner<'_>) -> bool {
        runner.sim.duration - runner.solver.t() <= 1.1 * self.lengths.next
    }

    /// Advances all bodies through the next window. Where the sink asks to stop within it, the window is taken back.
    pub(super) fn window(&mut self, runner: &mut Runner<'_>, sink: &mut dyn Sink) -> Result<(), RunError> {
        let (t, y) = (runner.solver.t(), runner.solver.y().to_vec());
        let left = runner.window_limit() - t;
        let movers = self.movers(runner, t, &y);
        let touching = self.touching(runner);
        let sim = runner.sim.clone();
        let origin = Origin {
            sim: &sim,
            t,
            y: &y,
            work_scale: runner.system.energy.work_scale,
            follows: runner.reported.follows,
        };
        loop {
            // (a remainder that is next to nothing is no window)
            let Lengths { last, next, .. } = self.lengths;
            let h = if left <= 1.1 * next { left } else { next.min(0.5 * left) };
            let mut sets = touching.clone();
            let (near, free) = (&mut self.near, &self.members.free);
            let gap = |i: usize, j: usize, enough: f64| near.gap(runner, [free[i], free[j]], enough);
            let gravity = &sim.model.world.gravity;
            let h = self.foretold.window(&movers, gravity, &mut sets, (h, last), gap);
            let ends = h >= left * (1.0 - 1e-12);
            let until = if ends { t + left } else { t + h };
            let reported = ends && runner.due(until).is_some();
            match self.run(runner, &origin, &movers, &mut sets, (until, reported), sink)? {
                Outcome::Apart => return self.commit(runner, until, &y),
                Outcome::TooManyMeet => (self.lengths.last, self.lengths.next) = (RETREAT * h, RETREAT * h),
                Outcome::Stopped => {
                    runner.reported.stopped = true;
                    return Ok(());
                }
            }
        }
    }

    /// Returns the bodies as they are.
    fn movers(&self, runner: &mut Runner<'_>, t: f64, y: &[f64]) -> Vec<Mover> {
        kinematics(runner.sim.model, t, y, &mut runner.system.ws);
        let world = &runner.sim.model.world;
        let of = |((&body, &radius), outlook): ((&usize, &f64), &Outlook)| {
            let lever = if radius > 0.0 { world.lever_of(body) } else { 0.0 };
            let k = runner.system.ws.body(body);
            Mover {
                p: k.x.p,
                v: k.v,
                radius,
                pull: 0.0,
                flies: outlook.wall,
                speed: k.v.norm(),
                fastest: k.v.norm() + k.w.norm() * lever,
            }
        };
        let all = self.members.free.iter().zip(&self.members.radii).zip(&self.outlook);
        let mut movers: Vec<Mover> = all.map(of).collect();
        let monitor = &runner.system.monitor;
        for at in &monitor.active {
            let pair = &monitor.pairs[at.pair];
            let speed = pair.state.points[at.point].touch.v0;
            for body in [pair.body_a, pair.body_b] {
                let i = self.members.index[body];
                if let Some(mover) = movers.get_mut(i) {
                    mover.speed = mover.speed.max(speed);
                    mover.pull = PULL * self.outlook[i].pull;
                }
            }
        }
        movers
    }

    /// Returns the sets of bodies that touch.
    fn touching(&self, runner: &Runner<'_>) -> Sets {
        let mut sets = Sets::new(self.members.free.len());
        let monitor = &runner.system.monitor;
        for at in &monitor.active {
            let pair = &monitor.pairs[at.pair];
            let [a, b] = [pair.body_a, pair.body_b].map(|body| self.members.index[body]);
            if a != usize::MAX && b != usize::MAX && pair.state.points[at.point].status != Status::Off {
                sets.join(a, b);
            }
        }
        sets
    }

    /// Runs every set of bodies to the end of the window, until no two of them may have met.
    fn run(
        &mut self,
        runner: &mut Runner<'_>,
        origin: &Origin<'_>,
        movers: &[Mover],
        sets: &mut Sets,
        (until, reported): (f64, bool),
        sink: &mut dyn Sink,
    ) -> Result<Outcome, RunError> {
        self.pairs.note(runner);
        let mut old: Vec<Option<Island>> = std::mem::take(&mut self.islands).into_iter().map(Some).collect();
        let mut old_of = vec![usize::MAX; self.members.free.len()];
        for (i, island) in old.iter().enumerate() {
            let free = island.iter().flat_map(|island| &island.free);
            free.for_each(|&body| old_of[self.members.index[body]] = i);
        }
        let mut groups = sets.all();
        let largest = LARGE.max(2 * groups.iter().map(Vec::len).max().unwrap_or(0));
        let mut known: Vec<Island> = Vec::with_capacity(groups.len());
        let mut extra = vec![Vec::new(); self.members.free.len()];
        let gravity = &origin.sim.model.world.gravity;
        let mut outcome = Outcome::Apart;
        while !groups.is_empty() && outcome == Outcome::Apart {
            let mut waiting = Vec::with_capacity(groups.len());
            for group in groups.drain(..) {
                let held = self.members.held_near(&group, movers, until - origin.t, gravity, &extra);
                let free: Vec<usize> = group.iter().map(|&i| self.members.free[i]).collect();
                let before = old.get_mut(old_of[group[0]]);
                let same = |island: &Island| {
                    island.free == free && held.iter().all(|body| island.bodies.binary_search(body).is_ok())
                };
                let kept =
                    before.and_then(|before| before.take_if(|island| same(island) && island.is_whole()));
                let island = match kept {
                    Some(island) => island,
                    None => self.new_island(runner, origin, free, held)?,
                };
                waiting.push(island);
            }
            let many = threads(origin.sim, self.evaluations).min(waiting.len());
            self.threads = self.threads.max(many);
            let mut goes_on = || sink.progress(origin.t) == ControlFlow::Continue(());
            let done = advance_all(&mut waiting, until, reported, many, &mut goes_on);
            if let Some(failed) = waiting.iter_mut().find_map(|island| island.failed.take()) {
                return Err(failed);
            }
            known.append(&mut waiting);
            if !done {
                outcome = Outcome::Stopped;
                break;
            }
            groups = self.unresolved(runner, &mut known, &mut extra, origin.t);
            let too_many = groups.iter().any(|group| group.len() > largest);
            if too_many && until - origin.t > self.lengths.shortest {
                outcome = Outcome::TooManyMeet;
            }
        }
        let mut lost: Vec<Island> = old.into_iter().flatten().collect();
        if outcome != Outcome::Apart {
            known.iter_mut().for_each(|island| runner.solver.count(&island.uncounted()));
            lost.append(&mut known);
        }
        lost.iter_mut().for_each(|island| island.give_moments(origin.t, &mut self.moments));
        known.sort_by_key(|island| island.free[0]);
        self.islands = known;
        Ok(outcome)
    }

    /// Creates an island from the state of the whole model.
    fn new_island(
        &self,
        runner: &Runner<'_>,
        origin: &Origin<'_>,
        free: Vec<usize>,
        held: Vec<usize>,
    ) -> Result<Island, RunError> {
        let m = origin.sim.model;
        let mut bodies: Vec<usize> = free.iter().copied().chain(held).collect();
        bodies.sort_unstable();
        let pairs = self.pairs.of(free.iter().flat_map(|&body| m.world.surfaces_of(body)));
        let monitor = &runner.system.monitor;
        let within = |i: &&usize| {
            let pair = &monitor.pairs[**i];
            [pair.body_a, pair.body_b].iter().all(|body| bodies.binary_search(body).is_ok())
        };
        let handed = pairs.iter().filter(within);
        let handed = handed.filter_map(|&i| monitor.hand_over_pair(m, &monitor.pairs[i], &[], origin.y));
        let handed: Vec<_> = handed.collect();
        // (a step that is too long costs one attempt)
        let planned = free.iter().map(|&body| self.outlook[self.members.index[body]].planned);
        let planned = planned.fold(f64::INFINITY, f64::min);
        Island::new(origin, bodies, free, &handed, (planned > 0.0).then_some(planned))
    }

    /// Returns all moments that have not been reported yet, in the order of time.
    pub(super) fn rest(&mut self) -> Vec<Moment> {
        self.islands.iter_mut().for_each(|island| island.give_moments(f64::INFINITY, &mut self.moments));
        self.in_order()
    }

    /// Returns the moments that its islands have given, in the order of time. (An island that begins at an output time does not know that
    /// a frame shows that instant.)
    pub(super) fn in_order(&mut self) -> Vec<Moment> {
        let mut moments = std::mem::take(&mut self.moments);
        moments.retain(|moment| moment.t != self.shown);
        moments.sort_by(|a, b| a.t.total_cmp(&b.t));
        moments
    }

    /// Makes the whole model what its islands have become at the time `until`.
    fn commit(&mut self, runner: &mut Runner<'_>, until: f64, y: &[f64]) -> Result<(), RunError> {
        let m = runner.sim.model;
        let mut whole = Whole::new(m, y);
        let mut most = 0;
        for island in &mut self.islands {
            most = most.max(island.give(&mut whole, &mut runner.system.monitor));
            island.foresee(&self.members.index, &mut self.outlook);
        }
        self.near.pass(|body| self.outlook[self.members.index[body]].path);
        self.evaluations = whole.work.evaluations;
        self.moments.append(&mut whole.moments);
        let h = until - runner.solver.t();
        runner.take_over(until, whole)?;
        self.lengths.last = h;
        self.lengths.next = h * (STEPS / most.max(1) as f64).clamp(0.25, 2.0);
        Ok(())
    }
}
