//! Where the numbers of the state are. Nothing else knows.
//!
//! The state is one vector. In this order it holds
//!
//! - of every rigid body: position of the centre of mass, unit quaternion (w, x, y, z), velocity, angular velocity;
//! - of every body that deforms: p0, F, ṗ0, Ḟ, matrices column by column (p = p0 + F X);
//! - what friction remembers: one memory for each contact point or joint whose law does. There may be more of them after an event;
//! - the depths of worn bearings;
//! - the integrals of the ledger.
//!
//! Rates have the same order as the state.

mod affine;
mod quadratures;
mod rigid;

use std::ops::Range;

use carom_law::Memory;

use affine::AFFINE;
pub(crate) use affine::{Affine, AffineNumbers, AffinePart, AffineRows, ByAffine};
pub(crate) use quadratures::{Quadratures, Wanted};
use rigid::RIGID;
pub(crate) use rigid::{Rigid, RigidMut, RigidPart, RigidRows};

/// How many of each kind of numbers the state of a model has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct StateLayout {
    /// bodies that do not deform
    rigid: usize,
    /// bodies that deform
    affine: usize,
    /// depths of worn bearings
    depths: usize,
    /// integrals of the ledger
    integrals: usize,
}

/// What a component of the state is a number of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Component {
    /// of a rigid body, counted among these; the part
    Rigid(usize, RigidPart),
    /// of a body that deforms, counted among these; the part
    Affine(usize, AffinePart),
    /// of a memory of friction: which memory, and which of its numbers
    Memory(usize, usize),
    /// a depth of a worn bearing
    Depth(usize),
    /// an integral of the ledger
    Integral(usize),
}

/// The rates of a state without those of the bodies, each kind by itself.
pub(crate) struct OtherRates<'y> {
    pub(crate) memories: &'y mut [[f64; Memory::SIZE]],
    pub(crate) depths: &'y mut [f64],
    pub(crate) integrals: &'y mut [f64],
}

impl StateLayout {
    /// Of a state with so many bodies of each kind, and nothing else yet.
    pub(crate) fn of_bodies(rigid: usize, affine: usize) -> StateLayout {
        StateLayout { rigid, affine, depths: 0, integrals: 0 }
    }

    /// The same bodies, with so many depths of worn bearings and integrals.
    pub(crate) fn with(self, depths: usize, integrals: usize) -> StateLayout {
        StateLayout { depths, integrals, ..self }
    }

    /// How many numbers a state has that has so many memories.
    pub(crate) fn len(&self, memories: usize) -> usize {
        self.depth(memories, self.depths) + self.integrals
    }

    /// How many numbers the bodies have. They come first.
    #[inline(always)]
    pub(crate) fn bodies(&self) -> usize {
        RIGID * self.rigid + AFFINE * self.affine
    }

    /// How many depths of worn bearings there are.
    pub(crate) fn depths(&self) -> usize {
        self.depths
    }

    /// How many integrals there are. They come last.
    #[inline(always)]
    pub(crate) fn integral_count(&self) -> usize {
        self.integrals
    }

    /// Where the numbers of a rigid body are, counted among these.
    pub(crate) fn rigid_rows(&self, i: usize) -> RigidRows {
        RigidRows { first: RIGID * i }
    }

    /// Where the numbers of a body that deforms are, counted among these.
    pub(crate) fn affine_rows(&self, i: usize) -> AffineRows {
        AffineRows { first: RIGID * self.rigid + AFFINE * i }
    }

    /// Where the numbers of a memory are.
    pub(crate) fn memory_rows(&self, i: usize) -> Range<usize> {
        let first = self.bodies() + i * Memory::SIZE;
        first..first + Memory::SIZE
    }

    /// Where all memories are in a state of that length.
    #[inline(always)]
    pub(crate) fn all_memory_rows(&self, length: usize) -> Range<usize> {
        self.bodies()..length - self.integrals - self.depths
    }

    /// Where a depth of a worn bearing is in a state with so many memories.
    pub(crate) fn depth(&self, memories: usize, i: usize) -> usize {
        self.bodies() + memories * Memory::SIZE + i
    }

    /// What a component of a state with so many memories is.
    pub(crate) fn component(&self, memories: usize, i: usize) -> Component {
        if let Some(rest) = i.checked_sub(self.depth(memories, 0)) {
            return match rest.checked_sub(self.depths) {
                None => Component::Depth(rest),
                Some(integral) => Component::Integral(integral),
            };
        }
        if let Some(i) = i.checked_sub(self.bodies()) {
            return Component::Memory(i / Memory::SIZE, i % Memory::SIZE);
        }
        match i.checked_sub(RIGID * self.rigid) {
            None => Component::Rigid(i / RIGID, RigidPart::of(i % RIGID)),
            Some(i) => Component::Affine(i / AFFINE, AffinePart::of(i % AFFINE)),
        }
    }

    /// Every rigid body in a state.
    #[inline(always)]
    pub(crate) fn rigid_bodies<'y>(&self, y: &'y [f64]) -> impl Iterator<Item = Rigid<'y>> {
        y.as_chunks().0[..self.rigid].iter().map(Rigid)
    }

    /// Every rigid body in a state, or in rates, to be written.
    #[inline(always)]
    pub(crate) fn rigid_bodies_mut<'y>(&self, y: &'y mut [f64]) -> impl Iterator<Item = RigidMut<'y>> {
        y.as_chunks_mut().0[..self.rigid].iter_mut().map(RigidMut)
    }

    /// What friction remembers, in a state.
    #[inline(always)]
    pub(crate) fn memories<'y>(&self, y: &'y [f64]) -> &'y [[f64; Memory::SIZE]] {
        y[self.all_memory_rows(y.len())].as_chunks().0
    }

    /// The depths of worn bearings, in a state.
    pub(crate) fn worn<'y>(&self, y: &'y [f64]) -> &'y [f64] {
        let end = y.len() - self.integrals;
        &y[end - self.depths..end]
    }

    /// The integrals of the ledger, in a state.
    pub(crate) fn integrals<'y>(&self, y: &'y [f64]) -> &'y [f64] {
        &y[y.len() - self.integrals..]
    }

    /// The integrals of the ledger, to be written.
    #[inline(always)]
    pub(crate) fn integrals_mut<'y>(&self, y: &'y mut [f64]) -> &'y mut [f64] {
        let first = y.len() - self.integrals;
        &mut y[first..]
    }

    /// Everything but the bodies, to be written.
    #[inline(always)]
    pub(crate) fn others_mut<'y>(&self, y: &'y mut [f64]) -> OtherRates<'y> {
        let (_, y) = y.split_at_mut(self.bodies());
        let (y, integrals) = y.split_at_mut(y.len() - self.integrals);
        let (memories, depths) = y.split_at_mut(y.len() - self.depths);
        OtherRates { memories: memories.as_chunks_mut().0, depths, integrals }
    }

    /// Room for so many memories in a state that has none, all unbent.
    pub(crate) fn insert_memories(&self, y: &mut Vec<f64>, memories: usize) {
        let at = self.bodies();
        y.splice(at..at, std::iter::repeat_n(0.0, memories * Memory::SIZE));
    }

    /// Copies a state into a longer one, which has room for more memories.
    pub(crate) fn carry_over(&self, old: &[f64], y: &mut [f64]) {
        let last = self.depths + self.integrals;
        let (states, rest) = old.split_at(old.len() - last);
        y[..states.len()].copy_from_slice(states);
        let at = y.len() - last;
        y[at..].copy_from_slice(rest);
    }

    /// The unit of each number of the bodies, those of lengths and speeds being given.
    pub(crate) fn body_scales(&self, length: f64, speed: f64) -> Vec<f64> {
        let mut s = rigid::scales(length, speed).repeat(self.rigid);
        s.extend(affine::scales(length, speed).repeat(self.affine));
        s
    }
}

impl Component {
    /// Whether it is a velocity of a body, if it is a number of a body.
    pub(crate) fn is_velocity(self) -> Option<bool> {
        match self {
            Component::Rigid(_, part) => {
                Some(matches!(part, RigidPart::Velocity | RigidPart::AngularVelocity))
            }
            Component::Affine(_, part) => {
                Some(matches!(part, AffinePart::Velocity | AffinePart::DeformationRate))
            }
            _ => None,
        }
    }
}

/// Where the numbers of a body of either kind are in the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BodyRows {
    Rigid(RigidRows),
    Affine(AffineRows),
}

impl BodyRows {
    /// All of them.
    pub(crate) fn all(self) -> Range<usize> {
        match self {
            BodyRows::Rigid(rows) => rows.all(),
            BodyRows::Affine(rows) => rows.all(),
        }
    }

    /// The position of the centre of mass.
    pub(crate) fn position(self) -> Range<usize> {
        let first = self.all().start;
        first..first + 3
    }

    /// Position and quaternion, or p0 and F.
    pub(crate) fn pose(self) -> Range<usize> {
        self.all().start..self.velocities().start
    }

    /// Velocity and angular velocity, or ṗ0 and Ḟ: in the rates, the accelerations.
    pub(crate) fn velocities(self) -> Range<usize> {
        match self {
            BodyRows::Rigid(rows) => rows.velocity(0)..rows.all().end,
            BodyRows::Affine(rows) => rows.rates(),
        }
    }
}

/// The N numbers from `first` on; a state that is too short has none that are numbers.
#[inline(always)]
fn chunk<const N: usize>(y: &[f64], first: usize) -> &[f64; N] {
    y.get(first..).and_then(<[f64]>::first_chunk).unwrap_or(const { &[f64::NAN; N] })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows and components say the same, and every number of a state is of one thing.
    #[test]
    fn every_number_is_one_component() {
        let (memories, layout) = (3, StateLayout::of_bodies(2, 2).with(5, 4));
        let mut seen = vec![0; layout.len(memories)];
        let mut note = |i: usize, is: bool| {
            seen[i] += 1;
            assert!(is, "{i} is {:?}", layout.component(memories, i));
        };
        let is = |i: usize| layout.component(memories, i);
        for body in 0..2 {
            let rows = layout.rigid_rows(body);
            (0..3).for_each(|i| {
                let (x, v, w) = (rows.position(i), rows.velocity(i), rows.angular_velocity(i));
                note(x, is(x) == Component::Rigid(body, RigidPart::Position));
                note(v, is(v) == Component::Rigid(body, RigidPart::Velocity));
                note(w, is(w) == Component::Rigid(body, RigidPart::AngularVelocity));
            });
            (0..4).for_each(|i| {
                let q = rows.quaternion(i);
                note(q, is(q) == Component::Rigid(body, RigidPart::Orientation));
            });
            let rows = layout.affine_rows(body);
            for i in 0..3 {
                let (p, v) = (rows.position(i), rows.velocity(i));
                note(p, is(p) == Component::Affine(body, AffinePart::Position));
                note(v, is(v) == Component::Affine(body, AffinePart::Velocity));
                for k in 0..3 {
                    let (f, f_dot) = (rows.deformation(i, k), rows.deformation_rate(i, k));
                    note(f, is(f) == Component::Affine(body, AffinePart::Deformation));
                    note(f_dot, is(f_dot) == Component::Affine(body, AffinePart::DeformationRate));
                }
            }
        }
        for memory in 0..memories {
            for (number, i) in layout.memory_rows(memory).enumerate() {
                note(i, is(i) == Component::Memory(memory, number));
            }
        }
        (0..5).for_each(|depth| {
            let i = layout.depth(memories, depth);
            note(i, is(i) == Component::Depth(depth));
        });
        let first = layout.depth(memories, 5);
        (0..4).for_each(|integral| {
            note(first + integral, is(first + integral) == Component::Integral(integral))
        });
        assert!(seen.iter().all(|n| *n == 1), "{seen:?}");
    }

    /// What is written by one view is read by the others; more memories move what follows them.
    #[test]
    fn views_agree() {
        let layout = StateLayout::of_bodies(1, 1).with(2, 3);
        let mut y: Vec<f64> = (0..layout.len(1)).map(|i| i as f64).collect();
        let (q, rows) = ([0.1, 0.2, 0.3, 0.4], layout.rigid_rows(0));
        layout.rigid_bodies_mut(&mut y).for_each(|mut body| body.set_quaternion(&q));
        assert_eq!(rows.of(&y).quaternion(), q);
        assert_eq!((0..4).map(|i| y[rows.quaternion(i)]).collect::<Vec<_>>(), q);
        let body = layout.affine_rows(0).of(&y);
        layout.affine_rows(0).write(&body, &mut y);
        assert_eq!(y[layout.affine_rows(0).deformation(1, 2)], body.f[(1, 2)]);
        layout.others_mut(&mut y).memories[0] = [7.0; Memory::SIZE];
        let mut longer = vec![0.0; layout.len(2)];
        layout.carry_over(&y, &mut longer);
        assert_eq!(layout.memories(&longer), [[7.0; Memory::SIZE], [0.0; Memory::SIZE]]);
        assert_eq!(layout.worn(&longer), layout.worn(&y));
        assert_eq!(layout.integrals(&longer), layout.integrals(&y));
    }
}
