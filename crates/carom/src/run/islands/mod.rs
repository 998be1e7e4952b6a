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
mod near;
mod trail;
mod whole;

use carom_geometry::proximity::{Aabb, Sweep};
use carom_ode::methods;

use super::runner::Runner;
use super::simulation::Simulation;
use crate::contact::Status;
use crate::error::RunError;
use crate::forward::kinematics;
use crate::model::Model;
use crate::record::Moment;
use crate::system::StepPolicy;
use crate::world::BodyKind;
use at_once::{advance_all, threads};
use groups::{Foretold, Mover, Sets};
use island::{Island, Origin, Whole};
use near::Near;

/// Bodies advance in islands if there are at least this many that move by forces: with fewer, an event costs little.
const MANY: usize = 32;
/// A window is made shorter if an island takes more steps in it than this, so that it may fall apart into several.
const STEPS: f64 = 64.0;
/// Where so many bodies turn out to belong together, or twice as many as was foretold, the window is made shorter, to this
/// part, rather than that they go through it together.
const LARGE: usize = 8;
const RETREAT: f64 = 0.25;

/// The islands of a run, from window to window.
pub(super) struct Islands {
    /// the islands of the last window, at its end
    islands: Vec<Island>,
    /// the rigid bodies that move by forces, the radius of the ball about each that contains it, and the index of each body
    /// among them
    free: Vec<usize>,
    radii: Vec<f64>,
    index: Vec<usize>,
    /// the bodies whose motion is prescribed: they belong to every island
    prescribed: Vec<usize>,
    /// the boxes of the fixed bodies
    fixed: Vec<(usize, Aabb)>,
    /// for each surface, the contact pairs of the whole model that it belongs to; and how many pairs these are of
    pairs_of: Vec<Vec<usize>>,
    known_pairs: usize,
    foretold: Foretold,
    near: Near,
    sweep: Sweep,
    /// the length of the last window, and what the next is at most [s]
    last: f64,
    next: f64,
    /// below this length a window is not made shorter [s]
    shortest: f64,
    /// for each free body, about the time in which it will meet a body that is held [s]
    walls: Vec<f64>,
    /// for each, the length that the next step of its island would have; 0 if it is not known yet [s]
    planned: Vec<f64>,
    /// for each, a bound on the lengths of the paths of its points in the last window [m]
    paths: Vec<f64>,
    /// moments that have not been reported yet
    pub(super) moments: Vec<Moment>,
    /// the evaluations in the last window
    evaluations: usize,
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
        let free = w.dynamic.clone();
        let begins = 0.5 * m.rules.iter().map(|rule| rule.normal.begins_at()).fold(0.0, f64::max);
        let radii: Vec<f64> = free.iter().map(|&body| (1.0 + 1e-9) * w.reach_of(body) + begins).collect();
        let mut index = vec![usize::MAX; w.bodies.len()];
        free.iter().enumerate().for_each(|(i, &body)| index[body] = i);
        let box_of = |body: usize| {
            let around = w.surfaces_of(body).map(|i| {
                let s = &w.surfaces[i];
                let x = &w.bodies[body].rest.x;
                let pose = s.local.as_ref().map_or(*x, |local| x.then(local));
                Aabb::of(&s.shape, &pose)
            });
            around.reduce(|a, b| a.merge(&b))
        };
        let is_fixed = |body: &usize| matches!(w.bodies[*body].kind, BodyKind::Fixed);
        let fixed = w.held.iter().copied().filter(is_fixed);
        let fixed = fixed.filter_map(|body| Some((body, box_of(body)?))).collect();
        let fastest = free.iter().map(|&body| w.bodies[body].velocity.norm()).fold(w.scale.speed, f64::max);
        let smallest = radii.iter().copied().fold(f64::INFINITY, f64::min);
        Islands {
            islands: Vec::new(),
            radii,
            index,
            prescribed: w.prescribed.clone(),
            fixed,
            pairs_of: vec![Vec::new(); w.surfaces.len()],
            known_pairs: 0,
            foretold: Foretold::default(),
            near: Near::default(),
            sweep: Sweep::new(),
            last: smallest / fastest,
            next: smallest / fastest,
            shortest: 1e-4 * smallest / fastest,
            walls: vec![f64::INFINITY; free.len()],
            planned: vec![0.0; free.len()],
            paths: vec![0.0; free.len()],
            moments: Vec::new(),
            evaluations: 0,
            free,
        }
    }

    /// Advances all bodies through the next window.
    pub(super) fn window(&mut self, runner: &mut Runner<'_>) -> Result<(), RunError> {
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
            let h = if left <= 1.1 * self.next { left } else { self.next.min(0.5 * left) };
            let mut sets = touching.clone();
            let (near, free) = (&mut self.near, &self.free);
            let gap = |i: usize, j: usize, enough: f64| near.gap(runner, [free[i], free[j]], enough);
            let gravity = &sim.model.world.gravity;
            let h = self.foretold.window(&movers, gravity, &mut sets, (h, self.last), gap);
            let ends = h >= left * (1.0 - 1e-12);
            let until = if ends { t + left } else { t + h };
            let reported = ends && runner.due(until).is_some();
            if self.run(runner, &origin, &movers, &mut sets, (until, reported))? {
                return self.commit(runner, until, &y);
            }
            (self.last, self.next) = (RETREAT * h, RETREAT * h);
        }
    }

    /// Returns the bodies as they are.
    fn movers(&self, runner: &mut Runner<'_>, t: f64, y: &[f64]) -> Vec<Mover> {
        kinematics(runner.sim.model, t, y, &mut runner.system.ws);
        let world = &runner.sim.model.world;
        let of = |(&body, &radius): (&usize, &f64)| {
            let lever = if radius > 0.0 { world.lever_of(body) } else { 0.0 };
            let k = runner.system.ws.body(body);
            Mover {
                p: k.x.p,
                v: k.v,
                radius,
                flies: f64::INFINITY,
                speed: k.v.norm(),
                fastest: k.v.norm() + k.w.norm() * lever,
            }
        };
        let mut movers: Vec<Mover> = self.free.iter().zip(&self.radii).map(of).collect();
        let monitor = &runner.system.monitor;
        for at in &monitor.active {
            let pair = &monitor.pairs[at.pair];
            let speed = pair.state.points[at.point].touch.v0;
            for body in [pair.body_a, pair.body_b] {
                if let Some(mover) = movers.get_mut(self.index[body]) {
                    (mover.flies, mover.speed) = (0.0, mover.speed.max(speed));
                }
            }
        }
        for (mover, meets) in movers.iter_mut().zip(&self.walls) {
            mover.flies = mover.flies.min(*meets);
        }
        movers
    }

    /// Returns the sets of bodies that touch.
    fn touching(&self, runner: &Runner<'_>) -> Sets {
        let mut sets = Sets::new(self.free.len());
        let monitor = &runner.system.monitor;
        for at in &monitor.active {
            let pair = &monitor.pairs[at.pair];
            let [a, b] = [pair.body_a, pair.body_b].map(|body| self.index[body]);
            if a != usize::MAX && b != usize::MAX && pair.state.points[at.point].status != Status::Off {
                sets.join(a, b);
            }
        }
        sets
    }

    /// Runs every set of bodies to the end of the window, until no two of them may have met. Returns `false` if too many have:
    /// the window is to be shorter.
    fn run(
        &mut self,
        runner: &mut Runner<'_>,
        origin: &Origin<'_>,
        movers: &[Mover],
        sets: &mut Sets,
        (until, reported): (f64, bool),
    ) -> Result<bool, RunError> {
        self.note_pairs(runner);
        let mut old: Vec<Option<Island>> = std::mem::take(&mut self.islands).into_iter().map(Some).collect();
        let mut old_of = vec![usize::MAX; self.free.len()];
        for (i, island) in old.iter().enumerate() {
            island.iter().flat_map(|island| &island.free).for_each(|&body| old_of[self.index[body]] = i);
        }
        let mut groups = sets.all();
        let largest = LARGE.max(2 * groups.iter().map(Vec::len).max().unwrap_or(0));
        let mut known: Vec<Island> = Vec::with_capacity(groups.len());
        let mut extra = vec![Vec::new(); self.free.len()];
        while !groups.is_empty() {
            let mut waiting = Vec::with_capacity(groups.len());
            for group in groups.drain(..) {
                let held =
                    self.held_near(&group, movers, until - origin.t, &origin.sim.model.world.gravity, &extra);
                let free: Vec<usize> = group.iter().map(|&i| self.free[i]).collect();
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
            advance_all(&mut waiting, until, reported, threads(origin.sim, self.evaluations));
            if let Some(failed) = waiting.iter_mut().find_map(|island| island.failed.take()) {
                return Err(failed);
            }
            known.append(&mut waiting);
            groups = self.unresolved(runner, &mut known, &mut extra);
            if groups.iter().any(|group| group.len() > largest) && until - origin.t > self.shortest {
                known.iter_mut().for_each(|island| runner.solver.count(&island.uncounted()));
                return Ok(false);
            }
        }
        known.sort_by_key(|island| island.free[0]);
        self.islands = known;
        Ok(true)
    }

    /// Takes note of new contact pairs of the whole model.
    fn note_pairs(&mut self, runner: &Runner<'_>) {
        let pairs = &runner.system.monitor.pairs;
        for (i, pair) in pairs.iter().enumerate().skip(self.known_pairs) {
            pair.surfaces().into_iter().flatten().for_each(|s| self.pairs_of[s].push(i));
        }
        self.known_pairs = pairs.len();
    }

    /// Returns the held bodies that come near a group within the next time `h` [s].
    fn held_near(
        &self,
        group: &[usize],
        movers: &[Mover],
        h: f64,
        gravity: &carom_base::Vec3,
        extra: &[Vec<usize>],
    ) -> Vec<usize> {
        let mut held = self.prescribed.clone();
        if !self.fixed.is_empty() {
            let boxes: Vec<Aabb> = group.iter().map(|&i| movers[i].bounds(h, gravity)).collect();
            let near = |fixed: &Aabb| boxes.iter().any(|own| own.overlaps(fixed));
            held.extend(self.fixed.iter().filter(|(_, fixed)| near(fixed)).map(|(body, _)| *body));
        }
        held.extend(group.iter().flat_map(|&i| &extra[i]));
        held.sort_unstable();
        held.dedup();
        held
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
        let surfaces = free.iter().flat_map(|&body| m.world.surfaces_of(body));
        let mut pairs: Vec<usize> = surfaces.flat_map(|s| &self.pairs_of[s]).copied().collect();
        pairs.sort_unstable();
        pairs.dedup();
        let monitor = &runner.system.monitor;
        let within = |i: &&usize| {
            let pair = &monitor.pairs[**i];
            [pair.body_a, pair.body_b].iter().all(|body| bodies.binary_search(body).is_ok())
        };
        let handed = pairs.iter().filter(within);
        let handed = handed.filter_map(|&i| monitor.hand_over_pair(m, &monitor.pairs[i], &[], origin.y));
        let handed: Vec<_> = handed.collect();
        // (a step that is too long costs one attempt)
        let planned = free.iter().map(|&body| self.planned[self.index[body]]).fold(f64::INFINITY, f64::min);
        Island::new(origin, bodies, free, &handed, (planned > 0.0).then_some(planned))
    }

    /// Makes the whole model what its islands have become at the time `until`.
    fn commit(&mut self, runner: &mut Runner<'_>, until: f64, y: &[f64]) -> Result<(), RunError> {
        let m = runner.sim.model;
        let mut whole = Whole::new(m, y);
        let mut most = 0;
        for island in &mut self.islands {
            most = most.max(island.give(&mut whole, &mut runner.system.monitor));
            island.foresee(|body, meets| self.walls[self.index[body]] = meets);
            let planned = island.planned();
            for (k, &body) in island.free.iter().enumerate() {
                self.planned[self.index[body]] = planned;
                self.paths[self.index[body]] = island.trail.path(k);
            }
        }
        self.near.pass(|body| self.paths[self.index[body]]);
        self.evaluations = whole.work.evaluations;
        self.moments.append(&mut whole.moments);
        let h = until - runner.solver.t();
        runner.take_over(until, whole)?;
        self.last = h;
        self.next = h * (STEPS / most.max(1) as f64).clamp(0.25, 2.0);
        Ok(())
    }
}
