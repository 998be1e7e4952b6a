//! Where the Jacobian may be other than zero.
//!
//! Every body's rates depend on its own state, its accelerations also on the states of the bodies it touches. Which
//! those are changes at every touch; a pattern made anew each time would cost more than it saves. So pairs are kept once
//! they have touched, and the pattern changes only where two bodies touch for the first time. Forces between points are there for good.

use std::collections::BTreeSet;

use carom_law::Memory;
use carom_ode::Sparsity;

use crate::body::Rotation;
use crate::contact::Slot;
use crate::model::{AFFINE, BODY, BodyModel, Model};

/// With more pairs than this a body, those that no longer touch are forgotten: balls packed at random touch six others,
/// and share each contact with one of them.
const KEPT: usize = 3;

/// The pairs of bodies whose states depend on each other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Coupled {
    /// numbers of bodies, the smaller one first; in order
    pairs: Vec<(usize, usize)>,
    /// places of memories, each with a dynamic body whose contact has held it; in order
    places: Vec<(usize, usize)>,
    /// how often the pattern has changed
    version: u64,
}

impl Coupled {
    /// Takes in the bodies of some contacts.
    pub(crate) fn cover<'s>(&mut self, m: &Model, slots: impl Iterator<Item = &'s Slot> + Clone) {
        let pairs = slots.filter_map(|s| {
            let (a, b) = (s.body_a, s.body_b);
            (m.is_dynamic(a) && m.is_dynamic(b)).then_some((a.min(b), a.max(b)))
        });
        if pairs.clone().all(|pair| self.pairs.binary_search(&pair).is_ok()) {
            return;
        }
        if self.pairs.len() > KEPT * (m.dynamic.len() + m.affine.len()) {
            self.pairs.clear();
        }
        self.pairs.extend(pairs);
        self.pairs.sort_unstable();
        self.pairs.dedup();
        self.version += 1;
    }

    /// Takes in the places of contact points, with the body of each.
    pub(crate) fn cover_places<'s>(
        &mut self,
        m: &Model,
        held: impl Iterator<Item = (usize, &'s Slot)> + Clone,
    ) {
        let free = |place: usize, body: usize| m.is_dynamic(body).then_some((place, body));
        let all = held.flat_map(|(place, s)| [s.body_a, s.body_b].map(|body| free(place, body)));
        let all = all.flatten();
        if all.clone().all(|pair| self.places.binary_search(&pair).is_ok()) {
            return;
        }
        // a place serves many contacts in a long run
        if self.places.len() > 2 * KEPT * (1 + self.places.last().map_or(0, |(place, _)| *place)) {
            self.places.clear();
        }
        self.places.extend(all);
        self.places.sort_unstable();
        self.places.dedup();
        self.version += 1;
    }

    /// Another number whenever the pattern is another.
    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    /// The pattern of a model whose bodies touch as these do; `rubs`: the places of what remembers in joints.
    pub(crate) fn sparsity(&self, m: &Model, places: usize, rubs: &[Option<usize>]) -> Sparsity {
        let mut all = Vec::new();
        for body in m.free() {
            let Some(rows) = m.rows(body) else { continue };
            match rows.len() {
                BODY => rates_of_pose(rows.start, &mut all),
                // ṗ0 and Ḟ are in the state themselves
                _ => all.extend((0..12).map(|i| (rows.start + i, rows.start + 12 + i))),
            }
            accelerations(m, body, body, &mut all);
        }
        let linked = m.forces.iter().flat_map(|force| {
            let moving = || force.linked().iter().copied().filter(|&body| m.is_dynamic(body));
            moving().enumerate().flat_map(move |(i, a)| moving().skip(i + 1).map(move |b| (a, b)))
        });
        for (a, b) in self.pairs.iter().copied().chain(linked) {
            accelerations(m, a, b, &mut all);
            accelerations(m, b, a, &mut all);
        }
        let numbers = |place: usize| (0..Memory::SIZE).map(move |i| m.body_dim() + place * Memory::SIZE + i);
        for place in 0..places {
            all.extend(numbers(place).flat_map(|i| numbers(place).map(move |k| (i, k))));
        }
        for &(place, body) in &self.places {
            let Some(rows) = m.rows(body) else { continue };
            for i in numbers(place) {
                // how it changes goes by the body's state; what it does, to the accelerations
                all.extend(rows.clone().map(|k| (i, k)));
                all.extend(free(&m.bodies[body]).map(|k| (rows.start + k, i)));
            }
        }
        // a worn bearing presses on its bodies. (How its depths grow, no step needs to know: so slowly do they)
        let depths = m.body_dim() + places * Memory::SIZE;
        for (body, depth) in felt_depths(m) {
            let Some(rows) = m.rows(body) else { continue };
            all.extend(free(&m.bodies[body]).map(|k| (rows.start + k, depths + depth)));
        }
        // friction in a joint goes by its load, and so by all that moves its mechanism
        for bodies in m.linkage.mechanisms() {
            let own = m
                .linkage
                .rubs
                .iter()
                .zip(rubs)
                .filter(|(rub, _)| rub.bodies.iter().any(|b| bodies.contains(b)));
            let held: Vec<usize> = own.filter_map(|(_, place)| *place).flat_map(numbers).collect();
            let columns =
                bodies.iter().filter_map(|&body| m.rows(body)).flatten().chain(held.iter().copied());
            let columns: Vec<usize> = columns.collect();
            all.extend(held.iter().flat_map(|&i| columns.iter().map(move |&k| (i, k))));
            for rows in bodies.iter().filter_map(|&body| Some((body, m.rows(body)?))) {
                let (body, first) = (rows.0, rows.1.start);
                all.extend(held.iter().flat_map(|&i| free(&m.bodies[body]).map(move |k| (first + k, i))));
            }
        }
        all.extend(joined(m, &all));
        Sparsity::new(depths + m.depths, all)
    }
}

/// The bodies that feel how bearings are worn, each with every depth.
fn felt_depths(m: &Model) -> impl Iterator<Item = (usize, usize)> {
    let felt = m.wears().filter_map(|(rule, wear)| Some((rule, wear.profile.as_ref()?)));
    felt.filter(|(_, profile)| profile.feedback).flat_map(|(rule, profile)| {
        let bodies =
            m.bodies.iter().enumerate().filter(|(_, b)| rule.between.iter().any(|end| end.is_of(&b.name)));
        bodies.flat_map(|(body, _)| {
            (profile.first..profile.first + profile.len()).map(move |depth| (body, depth))
        })
    })
}

/// Whatever moves a body of a mechanism moves all of them.
fn joined(m: &Model, all: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for bodies in m.linkage.mechanisms() {
        let rows: BTreeSet<usize> = bodies
            .iter()
            .filter_map(|&body| Some((body, m.rows(body)?)))
            .flat_map(|(body, rows)| free(&m.bodies[body]).map(move |i| rows.start + i))
            .collect();
        let own = bodies.iter().filter_map(|&body| m.rows(body)).flatten();
        let others = all.iter().filter(|(row, _)| rows.contains(row)).map(|(_, column)| *column);
        let columns: BTreeSet<usize> = own.chain(others).collect();
        found.extend(columns.iter().flat_map(|&column| rows.iter().map(move |&row| (row, column))));
    }
    found
}

/// ẋ = v and q̇ = ½ (0, ω) q.
fn rates_of_pose(first: usize, all: &mut Vec<(usize, usize)>) {
    all.extend((0..3).map(|i| (first + i, first + 7 + i)));
    all.extend((3..7).flat_map(|i| (3..7).chain(10..13).map(move |k| (first + i, first + k))));
}

/// The accelerations of one body by the state of another, or its own.
fn accelerations(m: &Model, of: usize, by: usize, all: &mut Vec<(usize, usize)>) {
    let (Some(rows), Some(columns)) = (m.rows(of), m.rows(by)) else { return };
    let b = &m.bodies[by];
    let turns = b.orientation_matters || b.soft.is_some();
    for (k, column) in columns.enumerate().filter(|(k, _)| turns || !(3..7).contains(k)) {
        debug_assert!(k < AFFINE);
        all.extend(free(&m.bodies[of]).map(|i| (rows.start + i, column)));
    }
}

/// The accelerations a body can have, as places among its own numbers.
fn free(b: &BodyModel) -> impl Iterator<Item = usize> {
    let first = if b.soft.is_some() { 12 } else { 7 };
    let along = (0..3).filter(|&i| b.inverse_mass[i] != 0.0);
    let about = (0..3).filter(|&i| match b.dofs.rotation {
        _ if b.soft.is_some() => false,
        Rotation::Free => true,
        Rotation::None => false,
        Rotation::About(axis) => axis[i] != 0.0,
    });
    // F̈: in plane strain what it never is costs a little room
    let bent = if b.soft.is_some() { 15..AFFINE } else { 0..0 };
    along.chain(about.map(|i| i + 3)).map(move |i| first + i).chain(bent)
}
