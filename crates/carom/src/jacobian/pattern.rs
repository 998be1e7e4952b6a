//! The sparsity pattern: which entries of the Jacobian may be non-zero.
//!
//! Every body's rates depend on its own state, its accelerations also on the states of the bodies it touches. Which
//! those are changes at every touch, and a pattern rebuilt each time would take more time than it saves. So pairs are
//! kept once they have touched, and the pattern changes only where two bodies touch for the first time. The pairs of
//! bodies linked by forces are always part of it.

use std::collections::BTreeSet;

use carom_ode::Sparsity;

use crate::body::Rotation;
use crate::contact::ContactPair;
use crate::layout::{BodyRows, RigidRows};
use crate::model::Model;
use crate::world::BodyKind;

/// Pairs kept per body: with more than this, those that no longer touch are dropped. Balls packed at random touch six
/// others, and share each contact with one of them, which makes three pairs per ball.
const PAIRS_PER_BODY: usize = 3;

/// The pairs of bodies whose states depend on each other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Coupled {
    /// body indices, the smaller first; sorted
    pairs: Vec<(usize, usize)>,
    /// indices of bristle states, each with the index of a dynamic body whose contact has used it; sorted
    memories: Vec<(usize, usize)>,
    /// indices of bristle states, each with that of the axis of its elliptical contact; sorted
    axes: Vec<(usize, usize)>,
    /// how often the pattern has changed
    version: u64,
}

carom_base::plain!(Coupled { pairs, memories, axes, version });

impl Coupled {
    /// Adds the bodies of these contact pairs to the pattern.
    pub(crate) fn cover<'s>(&mut self, m: &Model, pairs: impl Iterator<Item = &'s ContactPair> + Clone) {
        let pairs = pairs.filter_map(|s| {
            let (a, b) = (s.body_a, s.body_b);
            (m.world.is_dynamic(a) && m.world.is_dynamic(b)).then_some((a.min(b), a.max(b)))
        });
        if pairs.clone().all(|pair| self.pairs.binary_search(&pair).is_ok()) {
            return;
        }
        if self.pairs.len() > PAIRS_PER_BODY * (m.world.dynamic.len() + m.world.affine.len()) {
            self.pairs.clear();
        }
        self.pairs.extend(pairs);
        self.pairs.sort_unstable();
        self.pairs.dedup();
        self.version += 1;
    }

    /// Adds the bristle states of contact points, each with the contact pair that uses it.
    pub(crate) fn cover_memories<'s>(
        &mut self,
        m: &Model,
        held: impl Iterator<Item = (usize, &'s ContactPair)> + Clone,
    ) {
        let free = |memory: usize, body: usize| m.world.is_dynamic(body).then_some((memory, body));
        let all = held.flat_map(|(memory, s)| [s.body_a, s.body_b].map(|body| free(memory, body)));
        let all = all.flatten();
        if all.clone().all(|pair| self.memories.binary_search(&pair).is_ok()) {
            return;
        }
        // one bristle state serves many contacts in a long run
        if self.memories.len()
            > 2 * PAIRS_PER_BODY * (1 + self.memories.last().map_or(0, |(memory, _)| *memory))
        {
            self.memories.clear();
        }
        self.memories.extend(all);
        self.memories.sort_unstable();
        self.memories.dedup();
        self.version += 1;
    }

    /// Adds bristle states, each with that of the axis of its elliptical contact.
    pub(crate) fn cover_axes(&mut self, held: impl Iterator<Item = (usize, usize)> + Clone) {
        if held.clone().all(|pair| self.axes.binary_search(&pair).is_ok()) {
            return;
        }
        self.axes.extend(held);
        self.axes.sort_unstable();
        self.axes.dedup();
        self.version += 1;
    }

    /// Returns a number that changes whenever the pattern does.
    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    /// Returns the pattern of a model whose bodies touch as recorded here; `memories`: how many bristle states
    /// contacts have; `frictions`: index of the bristle state of each joint friction term, if it has one.
    pub(crate) fn sparsity(&self, m: &Model, memories: usize, frictions: &[Option<usize>]) -> Sparsity {
        let mut all = Vec::new();
        for body in m.world.free() {
            let Some(rows) = m.world.rows(body) else { continue };
            match rows {
                BodyRows::Rigid(rows) => rates_of_pose(rows, &mut all),
                // ṗ0 and Ḟ are state numbers themselves
                BodyRows::Affine(rows) => all.extend(rows.pose().zip(rows.rates())),
            }
            accelerations(m, body, body, &mut all);
        }
        let linked = m.forces.iter().flat_map(|force| {
            let moving = || force.linked().iter().copied().filter(|&body| m.world.is_dynamic(body));
            moving().enumerate().flat_map(move |(i, a)| moving().skip(i + 1).map(move |b| (a, b)))
        });
        for (a, b) in self.pairs.iter().copied().chain(linked) {
            accelerations(m, a, b, &mut all);
            accelerations(m, b, a, &mut all);
        }
        let numbers = |memory: usize| m.world.layout.memory_rows(memory);
        for memory in 0..memories {
            all.extend(numbers(memory).flat_map(|i| numbers(memory).map(move |k| (i, k))));
        }
        for &(memory, axis) in &self.axes {
            all.extend(numbers(memory).flat_map(|i| numbers(axis).map(move |k| (i, k))));
        }
        for &(memory, body) in &self.memories {
            let Some(rows) = m.world.rows(body) else { continue };
            for i in numbers(memory) {
                // the bristle rates depend on the body's state, and the body's accelerations on the bristles
                all.extend(rows.all().map(|k| (i, k)));
                all.extend(free(m, body).map(|k| (k, i)));
            }
        }
        // the depths of a worn bearing change the forces on its bodies. (The rates of the depths have no entries:
        // they are too small to matter to a step)
        for (body, depth) in felt_depths(m) {
            all.extend(free(m, body).map(|k| (k, m.world.layout.depth(memories, depth))));
        }
        // friction in a joint depends on its load, and so on all that moves its mechanism
        for bodies in m.constraints.mechanisms() {
            let own = m
                .constraints
                .frictions
                .iter()
                .zip(frictions)
                .filter(|(friction, _)| friction.bodies.iter().any(|b| bodies.contains(b)));
            let held: Vec<usize> = own.filter_map(|(_, memory)| *memory).flat_map(numbers).collect();
            let columns = bodies.iter().flat_map(|&body| numbers_of(m, body)).chain(held.iter().copied());
            let columns: Vec<usize> = columns.collect();
            all.extend(held.iter().flat_map(|&i| columns.iter().map(move |&k| (i, k))));
            for &body in &bodies {
                all.extend(held.iter().flat_map(|&i| free(m, body).map(move |k| (k, i))));
            }
        }
        all.extend(joined(m, &all));
        Sparsity::new(m.world.layout.depth(memories, m.world.layout.depths()), all)
    }
}

/// Returns the bodies on which worn bearings act, each paired with every depth of the bearing's wear profile.
fn felt_depths(m: &Model) -> impl Iterator<Item = (usize, usize)> {
    let felt = m.wears().filter_map(|(rule, wear)| Some((rule, wear.profile.as_ref()?)));
    felt.filter(|(_, profile)| profile.feedback).flat_map(|(rule, profile)| {
        let bodies = m
            .world
            .bodies
            .iter()
            .enumerate()
            .filter(|(_, b)| rule.between.iter().any(|end| end.is_of(&b.name)));
        bodies.flat_map(|(body, _)| {
            (profile.first..profile.first + profile.len()).map(move |depth| (body, depth))
        })
    })
}

/// Returns the entries that joints add: whatever accelerates one body of a mechanism accelerates all of them.
fn joined(m: &Model, all: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for bodies in m.constraints.mechanisms() {
        let rows: BTreeSet<usize> = bodies.iter().flat_map(|&body| free(m, body)).collect();
        let own = bodies.iter().flat_map(|&body| numbers_of(m, body));
        let others = all.iter().filter(|(row, _)| rows.contains(row)).map(|(_, column)| *column);
        let columns: BTreeSet<usize> = own.chain(others).collect();
        found.extend(columns.iter().flat_map(|&column| rows.iter().map(move |&row| (row, column))));
    }
    found
}

/// Adds the entries of ẋ = v and q̇ = ½ (0, ω) q.
fn rates_of_pose(rows: RigidRows, all: &mut Vec<(usize, usize)>) {
    all.extend((0..3).map(|i| (rows.position(i), rows.velocity(i))));
    let q = || (0..4).map(|i| rows.quaternion(i));
    let w = || (0..3).map(|i| rows.angular_velocity(i));
    all.extend(q().flat_map(|i| q().chain(w()).map(move |k| (i, k))));
}

/// Returns the span of a body's numbers in the state; empty for a fixed or prescribed body.
fn numbers_of(m: &Model, body: usize) -> std::ops::Range<usize> {
    m.world.rows(body).map_or(0..0, BodyRows::all)
}

/// Adds the entries of the accelerations of body `of` by the state of body `by`, which may be the same body.
fn accelerations(m: &Model, of: usize, by: usize, all: &mut Vec<(usize, usize)>) {
    let b = &m.world.bodies[by];
    // forces do not depend on the orientation of a ball
    let without = match b.kind {
        BodyKind::Dynamic(rows) if !b.orientation_matters => rows.quaternion(0)..rows.velocity(0),
        _ => 0..0,
    };
    for column in numbers_of(m, by).filter(|column| !without.contains(column)) {
        all.extend(free(m, of).map(|i| (i, column)));
    }
}

/// Returns the rows of the accelerations that a body can have.
fn free(m: &Model, body: usize) -> impl Iterator<Item = usize> {
    let b = &m.world.bodies[body];
    let along = (0..3).filter(|&i| b.inverse_mass[i] != 0.0);
    let about = (3..6).filter(|&i| match b.dofs.rotation {
        _ if b.soft.is_some() => false,
        Rotation::Free => true,
        Rotation::None => false,
        Rotation::About(axis) => axis[i - 3] != 0.0,
    });
    let rows = m.world.rows(body).map_or(0..0, BodyRows::velocities);
    // all nine of F̈: in plane strain some are always zero and take a little memory
    let bent = if b.soft.is_some() { 3..rows.len() } else { 0..0 };
    let moves = !rows.is_empty();
    along.chain(about).chain(bent).filter(move |_| moves).map(move |i| rows.start + i)
}
