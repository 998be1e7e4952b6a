//! Where the Jacobian may be other than zero.
//!
//! Every body's rates depend on its own state, its accelerations also on the states of the bodies it touches. Which
//! those are changes at every touch; a pattern made anew each time would cost more than it saves. So pairs are kept once
//! they have touched, and the pattern changes only where two bodies touch for the first time. Forces between points are there for good.

use carom_law::Memory;
use carom_ode::Sparsity;

use crate::body::Rotation;
use crate::contact::Slot;
use crate::model::{BODY, BodyKind, BodyModel, Model};

/// With more pairs than this a body, those that no longer touch are forgotten: balls packed at random touch six others,
/// and share each contact with one of them.
const KEPT: usize = 3;

/// The pairs of dynamic bodies whose states depend on each other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Coupled {
    /// numbers of bodies in the state, the smaller one first; in order
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
            let (BodyKind::Dynamic(a), BodyKind::Dynamic(b)) =
                (&m.bodies[s.body_a].kind, &m.bodies[s.body_b].kind)
            else {
                return None;
            };
            Some((*a.min(b), *a.max(b)))
        });
        if pairs.clone().all(|pair| self.pairs.binary_search(&pair).is_ok()) {
            return;
        }
        if self.pairs.len() > KEPT * m.dynamic.len() {
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
        let dynamic = |body: usize| match m.bodies[body].kind {
            BodyKind::Dynamic(d) => Some(d),
            _ => None,
        };
        let all = held.flat_map(|(place, s)| [s.body_a, s.body_b].map(|b| dynamic(b).map(|d| (place, d))));
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

    /// The pattern of a model whose bodies touch as these do.
    pub(crate) fn sparsity(&self, m: &Model, places: usize) -> Sparsity {
        let mut all = Vec::new();
        for d in 0..m.dynamic.len() {
            rates_of_pose(d * BODY, &mut all);
            accelerations(m, d, d, &mut all);
        }
        let linked = m.links.iter().filter_map(|l| l.dynamic_pair(m));
        for (a, b) in self.pairs.iter().copied().chain(linked) {
            accelerations(m, a, b, &mut all);
            accelerations(m, b, a, &mut all);
        }
        let numbers = |place: usize| (0..Memory::SIZE).map(move |i| m.body_dim() + place * Memory::SIZE + i);
        for place in 0..places {
            all.extend(numbers(place).flat_map(|i| numbers(place).map(move |k| (i, k))));
        }
        for &(place, d) in &self.places {
            for i in numbers(place) {
                // how it changes goes by the body's state; what it does, to the accelerations
                all.extend((0..BODY).map(|k| (i, d * BODY + k)));
                all.extend((7..BODY).map(|k| (d * BODY + k, i)));
            }
        }
        Sparsity::new(m.body_dim() + places * Memory::SIZE, all)
    }
}

/// ẋ = v and q̇ = ½ (0, ω) q.
fn rates_of_pose(first: usize, all: &mut Vec<(usize, usize)>) {
    all.extend((0..3).map(|i| (first + i, first + 7 + i)));
    all.extend((3..7).flat_map(|i| (3..7).chain(10..13).map(move |k| (first + i, first + k))));
}

/// The accelerations of one dynamic body by the state of another, or its own.
fn accelerations(m: &Model, of: usize, by: usize, all: &mut Vec<(usize, usize)>) {
    let body = |d: usize| &m.bodies[m.dynamic[d]];
    let turns = body(by).orientation_matters;
    let columns = (0..BODY).filter(|k| turns || !(3..7).contains(k));
    for k in columns {
        all.extend(free(body(of)).into_iter().flatten().map(|i| (of * BODY + 7 + i, by * BODY + k)));
    }
}

/// The directions a body can be accelerated in: 0 to 2 along, 3 to 5 about the world axes.
fn free(b: &BodyModel) -> [Option<usize>; 6] {
    std::array::from_fn(|i| {
        let free = match b.dofs.rotation {
            _ if i < 3 => b.inverse_mass[i] != 0.0,
            Rotation::Free => true,
            Rotation::None => false,
            Rotation::About(axis) => axis[i - 3] != 0.0,
        };
        free.then_some(i)
    })
}
