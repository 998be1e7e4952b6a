//! Where the Jacobian may be other than zero.
//!
//! Every body's rates depend on its own state, its accelerations also on the states of the bodies it touches. Which
//! those are changes at every touch; a pattern made anew each time would cost more than it saves. So pairs are kept once
//! they have touched, and the pattern changes only where two bodies touch for the first time. Forces between points are there for good.

use std::collections::BTreeSet;

use carom_ode::Sparsity;

use crate::body::Rotation;
use crate::contact::ContactPair;
use crate::layout::{BodyRows, RigidRows};
use crate::model::Model;
use crate::world::BodyKind;

/// With more pairs than this a body, those that no longer touch are forgotten: balls packed at random touch six others,
/// and share each contact with one of them.
const KEPT: usize = 3;

/// The pairs of bodies whose states depend on each other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Coupled {
    /// numbers of bodies, the smaller one first; in order
    pairs: Vec<(usize, usize)>,
    /// places of memories, each with a dynamic body whose contact has held it; in order
    memories: Vec<(usize, usize)>,
    /// how often the pattern has changed
    version: u64,
}

carom_base::plain!(Coupled { pairs, memories, version });

impl Coupled {
    /// Takes in the bodies of some contacts.
    pub(crate) fn cover<'s>(&mut self, m: &Model, pairs: impl Iterator<Item = &'s ContactPair> + Clone) {
        let pairs = pairs.filter_map(|s| {
            let (a, b) = (s.body_a, s.body_b);
            (m.world.is_dynamic(a) && m.world.is_dynamic(b)).then_some((a.min(b), a.max(b)))
        });
        if pairs.clone().all(|pair| self.pairs.binary_search(&pair).is_ok()) {
            return;
        }
        if self.pairs.len() > KEPT * (m.world.dynamic.len() + m.world.affine.len()) {
            self.pairs.clear();
        }
        self.pairs.extend(pairs);
        self.pairs.sort_unstable();
        self.pairs.dedup();
        self.version += 1;
    }

    /// Takes in the places of contact points, with the body of each.
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
        // a place serves many contacts in a long run
        if self.memories.len() > 2 * KEPT * (1 + self.memories.last().map_or(0, |(memory, _)| *memory)) {
            self.memories.clear();
        }
        self.memories.extend(all);
        self.memories.sort_unstable();
        self.memories.dedup();
        self.version += 1;
    }

    /// Another number whenever the pattern is another.
    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    /// The pattern of a model whose bodies touch as these do; `frictions`: the places of what remembers in joints.
    pub(crate) fn sparsity(&self, m: &Model, memories: usize, frictions: &[Option<usize>]) -> Sparsity {
        let mut all = Vec::new();
        for body in m.world.free() {
            let Some(rows) = m.world.rows(body) else { continue };
            match rows {
                BodyRows::Rigid(rows) => rates_of_pose(rows, &mut all),
                // ṗ0 and Ḟ are in the state themselves
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
        for &(memory, body) in &self.memories {
            let Some(rows) = m.world.rows(body) else { continue };
            for i in numbers(memory) {
                // how it changes goes by the body's state; what it does, to the accelerations
                all.extend(rows.all().map(|k| (i, k)));
                all.extend(free(m, body).map(|k| (k, i)));
            }
        }
        // a worn bearing presses on its bodies. (How its depths grow, no step needs to know: so slowly do they)
        for (body, depth) in felt_depths(m) {
            all.extend(free(m, body).map(|k| (k, m.world.layout.depth(memories, depth))));
        }
        // friction in a joint goes by its load, and so by all that moves its mechanism
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

/// The bodies that feel how bearings are worn, each with every depth.
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

/// Whatever moves a body of a mechanism moves all of them.
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

/// ẋ = v and q̇ = ½ (0, ω) q.
fn rates_of_pose(rows: RigidRows, all: &mut Vec<(usize, usize)>) {
    all.extend((0..3).map(|i| (rows.position(i), rows.velocity(i))));
    let q = || (0..4).map(|i| rows.quaternion(i));
    let w = || (0..3).map(|i| rows.angular_velocity(i));
    all.extend(q().flat_map(|i| q().chain(w()).map(move |k| (i, k))));
}

/// All numbers of a body in the state; none of one that no force moves.
fn numbers_of(m: &Model, body: usize) -> std::ops::Range<usize> {
    m.world.rows(body).map_or(0..0, BodyRows::all)
}

/// The accelerations of one body by the state of another, or its own.
fn accelerations(m: &Model, of: usize, by: usize, all: &mut Vec<(usize, usize)>) {
    let b = &m.world.bodies[by];
    // the orientation of a ball changes nothing
    let without = match b.kind {
        BodyKind::Dynamic(rows) if !b.orientation_matters => rows.quaternion(0)..rows.velocity(0),
        _ => 0..0,
    };
    for column in numbers_of(m, by).filter(|column| !without.contains(column)) {
        all.extend(free(m, of).map(|i| (i, column)));
    }
}

/// The rows of the accelerations that a body can have.
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
    // F̈: in plane strain what it never is costs a little room
    let bent = if b.soft.is_some() { 3..rows.len() } else { 0..0 };
    let moves = !rows.is_empty();
    along.chain(about).chain(bent).filter(move |_| moves).map(move |i| rows.start + i)
}
