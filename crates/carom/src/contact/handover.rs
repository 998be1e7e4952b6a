//! What contacts carry on, as one monitor hands it over to another: from that of a model to that of a part of it, and back.
//!
//! Surfaces are named by their indices in the whole model. Everything that is found anew in the first step, as the gaps at its
//! start, is left behind.

use carom_law::Memory;
use carom_ode::Step;

use super::bodies::PairBodies;
use super::bounds::clearance;
use super::contact_point::{Active, Status};
use super::monitor::ContactMonitor;
use super::pair::{ContactPair, PairState};
use super::rounding::Rounding;
use crate::error::BuildError;
use crate::model::Model;
use crate::state::Kinematics;

/// The state of a contact pair and the memories of its points.
#[derive(Clone, Debug)]
pub(crate) struct HandedPair {
    /// indices of its surfaces in the whole model, in the order of the indices
    pub(crate) surfaces: [usize; 2],
    state: PairState,
    /// the memories of its points that have some, in the order of the points, each with its large deflection [m]
    memories: Vec<([f64; Memory::SIZE], f64)>,
}

impl ContactPair {
    /// Whether it has touched, now or before.
    fn has_past(&self) -> bool {
        let touched = |f: &super::contact_point::ContactPoint| {
            f.status != Status::Off || f.impact.latched || f.touch.mass != 1.0 || f.events.last.is_finite()
        };
        self.state.points.iter().any(touched)
    }
}

impl ContactMonitor {
    /// Returns the pairs that have touched; `surfaces`: the indices of this model's surfaces in the whole one.
    pub(crate) fn hand_over<'s>(
        &'s self,
        m: &'s Model,
        surfaces: &'s [usize],
        y: &'s [f64],
    ) -> impl Iterator<Item = HandedPair> + 's {
        let with_past = self.pairs.iter().filter(|pair| pair.has_past());
        with_past.filter_map(move |pair| self.hand_over_pair(m, pair, surfaces, y))
    }

    /// Returns one pair as it is handed over.
    pub(crate) fn hand_over_pair(
        &self,
        m: &Model,
        pair: &ContactPair,
        surfaces: &[usize],
        y: &[f64],
    ) -> Option<HandedPair> {
        let [a, b] = pair.surfaces?.map(|s| surfaces.get(s).copied().unwrap_or(s));
        let all = m.world.layout.memories(y);
        let many = |k: usize| m.rules[pair.rule].memories(&pair.state.points[k].latched.grips);
        let memories = (0..pair.state.points.len()).filter_map(|k| {
            let first = pair.state.points[k].memory?;
            Some((first..first + many(k)).map(|i| (all[i], self.memories.deflections[i])))
        });
        let memories = memories.flatten().collect();
        Some(HandedPair { surfaces: [a.min(b), a.max(b)], state: pair.state.clone(), memories })
    }

    /// Takes over pairs; `own` gives the index of a surface in this model. Returns the memories of friction, to be put into
    /// the state: their positions and their numbers.
    pub(crate) fn take_over<'h>(
        &mut self,
        m: &Model,
        pairs: impl Iterator<Item = &'h HandedPair>,
        own: impl Fn(usize) -> usize,
    ) -> Result<Vec<(usize, [f64; Memory::SIZE])>, BuildError> {
        let mut placed = Vec::new();
        for handed in pairs {
            let [a, b] = handed.surfaces.map(&own);
            let Some(index) = self.pair(m, a, b)? else { continue };
            let pair = &mut self.pairs[index];
            pair.state.clone_from(&handed.state);
            (pair.scratch.end_of, pair.scratch.lists) = (0, 0);
            let mut left = handed.memories.iter();
            for k in 0..pair.state.points.len() {
                let f = &mut pair.state.points[k];
                (f.last.step, f.end.step, f.near_in) = (0, 0, 0);
                if f.memory.is_some() {
                    let many = m.rules[pair.rule].memories(&f.latched.grips);
                    let first = self.memories.take(many);
                    f.memory = Some(first);
                    for (i, (numbers, deflection)) in (first..first + many).zip(left.by_ref()) {
                        self.memories.deflections[i] = *deflection;
                        placed.push((i, *numbers));
                    }
                }
            }
        }
        Ok(placed)
    }

    /// Returns the least gap between two bodies as they are [m], counted from where laws begin to act; 0 if it cannot be found,
    /// infinite if no force acts between them.
    pub(crate) fn gap_between(&mut self, m: &Model, bodies: [usize; 2], at: [&Kinematics; 2]) -> f64 {
        let mut least = f64::INFINITY;
        for i in m.world.surfaces_of(bodies[0]) {
            for j in m.world.surfaces_of(bodies[1]) {
                let index = match self.pair(m, i, j) {
                    Ok(Some(index)) => index,
                    Ok(None) => continue,
                    Err(_) => return 0.0,
                };
                let pair = &mut self.pairs[index];
                let [a, b] = if pair.body_a == bodies[0] { at } else { [at[1], at[0]] };
                let clear = clearance(m, pair, a, b);
                if clear > 0.0 {
                    least = least.min(clear);
                    continue;
                }
                pair.find_near_points(a, b, f64::INFINITY);
                for &k in &pair.scratch.near {
                    match pair.gap(k, PairBodies { a, b, worn: &[] }) {
                        Ok((gap, _)) => least = least.min(gap - pair.begins()),
                        Err(_) => return 0.0,
                    }
                }
            }
        }
        least
    }

    /// Returns about the time in which a pair that is apart will meet, as it approaches now under an acceleration `g` [s]: 0 if
    /// nothing is known, infinite if it does not approach or touches.
    pub(crate) fn meets_in(&self, m: &Model, pair: &ContactPair, g: f64) -> f64 {
        let current = pair.state.points.iter().filter(|f| f.last.step == self.accepted);
        // the time t at which gap + rate t = ½ g t²
        let time = |gap: f64, closes: f64| 2.0 * gap / (closes + (closes * closes + 2.0 * g * gap).sqrt());
        let mut known = current.map(|f| (f.status, f.last.gap, -f.last.rate)).peekable();
        if known.peek().is_none() {
            let [a, b] = [pair.body_a, pair.body_b].map(|body| &self.bounds[body].end);
            let clear = clearance(m, pair, a, b);
            return if clear > 0.0 { time(clear, (a.v - b.v).norm()) } else { 0.0 };
        }
        let apart = known.filter(|(status, gap, _)| *status == Status::Off && *gap > 0.0);
        let times = apart.map(|(_, gap, closes)| time(gap, closes));
        times.filter(|t| *t > 0.0).fold(f64::INFINITY, f64::min)
    }

    /// Finds the near pairs where the bodies are now, and lists the points of theirs that can carry a force.
    pub(crate) fn look_around(&mut self, m: &Model, t: f64, y: &[f64]) {
        let f = vec![0.0; y.len()];
        let step = Step::still(t, y, &f);
        self.bounds.iter_mut().zip(&m.world.bodies).for_each(|(bounds, b)| bounds.look(b, &step));
        self.find_candidates(m, 0.0, 0.0);
        self.list_active();
    }

    /// Forgets where memories are in the state, and which points can carry a force: all of them are about to be taken over.
    pub(crate) fn forget_contacts(&mut self) {
        self.memories = Default::default();
        self.active.clear();
    }

    /// Lists the contact points that can carry a force in the order of all pairs.
    pub(crate) fn list_active_of_all(&mut self) {
        self.active.clear();
        for (pair, s) in self.pairs.iter().enumerate() {
            self.active.extend(s.state.on.iter().map(|&point| Active { pair, point }));
        }
    }

    /// Takes over what rounding errors of indentations make of stored energy, from a part of the model whose surfaces have these
    /// indices here.
    pub(crate) fn take_over_rounding(&mut self, m: &Model, part: &ContactMonitor, surfaces: &[usize]) {
        if part.rounding.energy <= self.rounding.energy {
            return;
        }
        let ends = part.pairs.get(part.rounding.pair).and_then(|pair| pair.surfaces);
        if let Some([a, b]) = ends.map(|ends| ends.map(|s| surfaces[s]))
            && let Ok(Some(pair)) = self.pair(m, a, b)
        {
            self.rounding = Rounding { energy: part.rounding.energy, pair };
        }
    }

    /// Returns the energy still stored in bristles whose contacts have ended [J].
    pub(crate) fn left_in_bristles(&self, m: &Model, y: &[f64]) -> f64 {
        self.memories.left.iter().map(|left| left.stored(m, y)).sum()
    }
}
