//! Where the Jacobian may be other than zero.
//!
//! Every body's rates depend on its own state, its accelerations also on the states of the bodies it touches. Which
//! those are changes at every touch; a pattern made anew each time would cost more than it saves. So pairs are kept once
//! they have touched, and the pattern changes only where two bodies touch for the first time.

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

    /// Another number whenever the pattern is another.
    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    /// The pattern of a model whose bodies touch as these do.
    pub(crate) fn sparsity(&self, m: &Model) -> Sparsity {
        let mut all = Vec::new();
        for d in 0..m.dynamic.len() {
            rates_of_pose(d * BODY, &mut all);
            accelerations(m, d, d, &mut all);
        }
        for &(a, b) in &self.pairs {
            accelerations(m, a, b, &mut all);
            accelerations(m, b, a, &mut all);
        }
        Sparsity::new(m.dim() - m.quadratures.count, all)
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
