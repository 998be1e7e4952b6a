//! The layout of the state vector. Only this module knows the order of its components.
//!
//! The state is one vector. It contains, in this order:
//!
//! - for every rigid body: position of the centre of mass, unit quaternion (w, x, y, z), velocity, angular velocity;
//! - for every body that deforms: p0, F, ṗ0, Ḟ, matrices column by column (p = p0 + F X);
//! - the memories of friction: one for each contact point or joint whose law has one. An event may add more of them;
//! - the wear depths of bearings;
//! - the integrals of the energy balance, of impulses and of worn volumes.
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

/// The numbers of each kind of components in the state of a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct StateLayout {
    /// number of rigid bodies
    rigid: usize,
    /// number of bodies that deform
    affine: usize,
    /// number of wear depths of bearings
    depths: usize,
    /// number of integrals
    integrals: usize,
}

/// The meaning of a component of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Component {
    /// of a rigid body: its index among these, and the part
    Rigid(usize, RigidPart),
    /// of a body that deforms: its index among these, and the part
    Affine(usize, AffinePart),
    /// of a friction memory: its index, and the index of the component in it
    Memory(usize, usize),
    /// a wear depth of a bearing
    Depth(usize),
    /// an integral
    Integral(usize),
}

/// The rates of a state except those of the bodies, separated by kind.
pub(crate) struct OtherRates<'y> {
    pub(crate) memories: &'y mut [[f64; Memory::SIZE]],
    pub(crate) depths: &'y mut [f64],
    pub(crate) integrals: &'y mut [f64],
}

impl StateLayout {
    /// Creates the layout of a state with these numbers of bodies, and nothing else yet.
    pub(crate) fn of_bodies(rigid: usize, affine: usize) -> StateLayout {
        StateLayout { rigid, affine, depths: 0, integrals: 0 }
    }

    /// Returns the layout with the same bodies and these numbers of wear depths and integrals.
    pub(crate) fn with(self, depths: usize, integrals: usize) -> StateLayout {
        StateLayout { depths, integrals, ..self }
    }

    /// Returns the number of components of a state with this number of memories.
    pub(crate) fn len(&self, memories: usize) -> usize {
        self.depth(memories, self.depths) + self.integrals
    }

    /// Returns the number of components of the bodies, which come first.
    #[inline(always)]
    pub(crate) fn bodies(&self) -> usize {
        RIGID * self.rigid + AFFINE * self.affine
    }

    /// Returns the number of wear depths of bearings.
    pub(crate) fn depths(&self) -> usize {
        self.depths
    }

    /// Returns the number of integrals, which come last.
    #[inline(always)]
    pub(crate) fn integral_count(&self) -> usize {
        self.integrals
    }

    /// Returns the indices of the components of a rigid body, given its index among these.
    pub(crate) fn rigid_rows(&self, i: usize) -> RigidRows {
        RigidRows { first: RIGID * i }
    }

    /// Returns the indices of the components of a body that deforms, given its index among these.
    pub(crate) fn affine_rows(&self, i: usize) -> AffineRows {
        AffineRows { first: RIGID * self.rigid + AFFINE * i }
    }

    /// Returns the indices of the components of a memory.
    pub(crate) fn memory_rows(&self, i: usize) -> Range<usize> {
        let first = self.bodies() + i * Memory::SIZE;
        first..first + Memory::SIZE
    }

    /// Returns the indices of all memories in a state of this length.
    #[inline(always)]
    pub(crate) fn all_memory_rows(&self, length: usize) -> Range<usize> {
        self.bodies()..length - self.integrals - self.depths
    }

    /// Returns the indices of the wear depths in a state of this length.
    #[inline(always)]
    pub(crate) fn depth_rows(&self, length: usize) -> Range<usize> {
        length - self.integrals - self.depths..length - self.integrals
    }

    /// Returns the index of a wear depth in a state with this number of memories.
    pub(crate) fn depth(&self, memories: usize, i: usize) -> usize {
        self.bodies() + memories * Memory::SIZE + i
    }

    /// Returns the meaning of a component of a state with this number of memories.
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

    /// Returns every rigid body in a state.
    #[inline(always)]
    pub(crate) fn rigid_bodies<'y>(&self, y: &'y [f64]) -> impl Iterator<Item = Rigid<'y>> {
        y.as_chunks().0[..self.rigid].iter().map(Rigid)
    }

    /// Returns every rigid body in a state, or in rates, for writing.
    #[inline(always)]
    pub(crate) fn rigid_bodies_mut<'y>(&self, y: &'y mut [f64]) -> impl Iterator<Item = RigidMut<'y>> {
        y.as_chunks_mut().0[..self.rigid].iter_mut().map(RigidMut)
    }

    /// Returns the friction memories in a state.
    #[inline(always)]
    pub(crate) fn memories<'y>(&self, y: &'y [f64]) -> &'y [[f64; Memory::SIZE]] {
        y[self.all_memory_rows(y.len())].as_chunks().0
    }

    /// Returns the wear depths of bearings in a state.
    #[inline(always)]
    pub(crate) fn worn<'y>(&self, y: &'y [f64]) -> &'y [f64] {
        &y[self.depth_rows(y.len())]
    }

    /// Returns the integrals in a state.
    pub(crate) fn integrals<'y>(&self, y: &'y [f64]) -> &'y [f64] {
        &y[y.len() - self.integrals..]
    }

    /// Returns the integrals for writing.
    #[inline(always)]
    pub(crate) fn integrals_mut<'y>(&self, y: &'y mut [f64]) -> &'y mut [f64] {
        let first = y.len() - self.integrals;
        &mut y[first..]
    }

    /// Returns everything except the bodies, for writing.
    #[inline(always)]
    pub(crate) fn others_mut<'y>(&self, y: &'y mut [f64]) -> OtherRates<'y> {
        let (_, y) = y.split_at_mut(self.bodies());
        let (y, integrals) = y.split_at_mut(y.len() - self.integrals);
        let (memories, depths) = y.split_at_mut(y.len() - self.depths);
        OtherRates { memories: memories.as_chunks_mut().0, depths, integrals }
    }

    /// Inserts this number of memories, with undeflected bristles, into a state that has none.
    pub(crate) fn insert_memories(&self, y: &mut Vec<f64>, memories: usize) {
        let at = self.bodies();
        y.splice(at..at, std::iter::repeat_n(0.0, memories * Memory::SIZE));
    }

    /// Copies a state into a longer one that has space for more memories.
    pub(crate) fn carry_over(&self, old: &[f64], y: &mut [f64]) {
        let last = self.depths + self.integrals;
        let (states, rest) = old.split_at(old.len() - last);
        y[..states.len()].copy_from_slice(states);
        let at = y.len() - last;
        y[at..].copy_from_slice(rest);
    }

    /// Returns the scale of each component of the bodies, given those of lengths and speeds.
    pub(crate) fn body_scales(&self, length: f64, speed: f64) -> Vec<f64> {
        let mut s = rigid::scales(length, speed).repeat(self.rigid);
        s.extend(affine::scales(length, speed).repeat(self.affine));
        s
    }
}

impl Component {
    /// Whether it is a velocity of a body; `None` if it does not belong to a body.
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

/// The indices of the components of a body of either kind in the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BodyRows {
    Rigid(RigidRows),
    Affine(AffineRows),
}

impl BodyRows {
    /// Returns the indices of all its components.
    pub(crate) fn all(self) -> Range<usize> {
        match self {
            BodyRows::Rigid(rows) => rows.all(),
            BodyRows::Affine(rows) => rows.all(),
        }
    }

    /// Returns the indices of the position of the centre of mass.
    pub(crate) fn position(self) -> Range<usize> {
        let first = self.all().start;
        first..first + 3
    }

    /// Returns the indices of position and quaternion, or of p0 and F.
    pub(crate) fn pose(self) -> Range<usize> {
        self.all().start..self.velocities().start
    }

    /// Returns the indices of velocity and angular velocity, or of ṗ0 and Ḟ: in the rates these are the accelerations.
    pub(crate) fn velocities(self) -> Range<usize> {
        match self {
            BodyRows::Rigid(rows) => rows.velocity(0)..rows.all().end,
            BodyRows::Affine(rows) => rows.rates(),
        }
    }
}

/// Returns the N components from `first` on, or NaN if the state is too short.
#[inline(always)]
fn chunk<const N: usize>(y: &[f64], first: usize) -> &[f64; N] {
    y.get(first..).and_then(<[f64]>::first_chunk).unwrap_or(const { &[f64::NAN; N] })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Indices and components agree, and every component of a state belongs to one item.
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

    /// What is written by one view is read by the others; additional memories shift what follows them.
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
