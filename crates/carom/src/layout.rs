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

use std::ops::Range;

use carom_base::{Dual, Mat3, Quat, Scalar, Vec3};
use carom_law::Memory;
use nalgebra::Quaternion;

/// How many numbers a rigid body has, and where each of its vectors starts among them.
const RIGID: usize = 13;
const POSITION: usize = 0;
const QUATERNION: usize = 3;
const VELOCITY: usize = 7;
const ANGULAR_VELOCITY: usize = 10;

/// How many numbers a body has that deforms, and where each part starts among them.
const AFFINE: usize = 24;
const P: usize = 0;
const F: usize = 3;
const P_DOT: usize = 12;
const F_DOT: usize = 15;

/// The numbers of a rigid body, as they are in the state.
pub(crate) type RigidNumbers = [f64; RIGID];
/// The numbers of a body that deforms, as they are in the state.
pub(crate) type AffineNumbers = [f64; AFFINE];
/// A number and its derivatives by all numbers of a body that deforms.
pub(crate) type ByAffine = Dual<AFFINE>;

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

/// A part of the numbers of a rigid body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RigidPart {
    Position,
    Orientation,
    Velocity,
    AngularVelocity,
}

/// A part of the numbers of a body that deforms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AffinePart {
    Position,
    Deformation,
    Velocity,
    DeformationRate,
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
        let mut s = Vec::with_capacity(self.bodies());
        for _ in 0..self.rigid {
            s.extend([length; QUATERNION - POSITION]);
            s.extend([1.0; VELOCITY - QUATERNION]);
            s.extend([speed; ANGULAR_VELOCITY - VELOCITY]);
            s.extend([speed / length; RIGID - ANGULAR_VELOCITY]);
        }
        for _ in 0..self.affine {
            s.extend([length; F - P]);
            s.extend([1.0; P_DOT - F]);
            s.extend([speed; F_DOT - P_DOT]);
            s.extend([speed / length; AFFINE - F_DOT]);
        }
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

impl RigidPart {
    fn of(i: usize) -> RigidPart {
        match i {
            POSITION..QUATERNION => RigidPart::Position,
            QUATERNION..VELOCITY => RigidPart::Orientation,
            VELOCITY..ANGULAR_VELOCITY => RigidPart::Velocity,
            _ => RigidPart::AngularVelocity,
        }
    }

    /// In words.
    pub(crate) fn name(self) -> &'static str {
        match self {
            RigidPart::Position => "position",
            RigidPart::Orientation => "orientation",
            RigidPart::Velocity => "velocity",
            RigidPart::AngularVelocity => "angular velocity",
        }
    }
}

impl AffinePart {
    fn of(i: usize) -> AffinePart {
        match i {
            P..F => AffinePart::Position,
            F..P_DOT => AffinePart::Deformation,
            P_DOT..F_DOT => AffinePart::Velocity,
            _ => AffinePart::DeformationRate,
        }
    }

    /// In words.
    pub(crate) fn name(self) -> &'static str {
        match self {
            AffinePart::Position => "position",
            AffinePart::Deformation => "deformation",
            AffinePart::Velocity => "velocity",
            AffinePart::DeformationRate => "rate of deformation",
        }
    }
}

/// Where the numbers of a rigid body are in the state, and so its rows and columns in the Jacobian.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RigidRows {
    first: usize,
}

impl RigidRows {
    /// All of them.
    pub(crate) fn all(self) -> Range<usize> {
        self.first..self.first + RIGID
    }

    /// A component of the position, 0 to 2.
    pub(crate) fn position(self, i: usize) -> usize {
        self.first + POSITION + i
    }

    /// A component of the quaternion, 0 to 3.
    pub(crate) fn quaternion(self, i: usize) -> usize {
        self.first + QUATERNION + i
    }

    /// A component of the velocity, 0 to 2.
    pub(crate) fn velocity(self, i: usize) -> usize {
        self.first + VELOCITY + i
    }

    /// A component of the angular velocity, 0 to 2.
    pub(crate) fn angular_velocity(self, i: usize) -> usize {
        self.first + ANGULAR_VELOCITY + i
    }

    /// The body in a state.
    #[inline(always)]
    pub(crate) fn of(self, y: &[f64]) -> Rigid<'_> {
        Rigid(chunk(y, self.first))
    }

    /// The body in a state, to be written.
    pub(crate) fn of_mut(self, y: &mut [f64]) -> Option<RigidMut<'_>> {
        y.get_mut(self.first..)?.first_chunk_mut().map(RigidMut)
    }

    /// The numbers that `read` puts into a slice for these rows.
    pub(crate) fn read(self, read: impl FnOnce(Range<usize>, &mut [f64])) -> RigidNumbers {
        let mut numbers = [0.0; RIGID];
        read(self.all(), &mut numbers);
        numbers
    }
}

/// Where the numbers of a body that deforms are in the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AffineRows {
    first: usize,
}

impl AffineRows {
    /// All of them.
    pub(crate) fn all(self) -> Range<usize> {
        self.first..self.first + AFFINE
    }

    /// p0 and F.
    pub(crate) fn pose(self) -> Range<usize> {
        self.first..self.first + P_DOT
    }

    /// ṗ0 and Ḟ.
    pub(crate) fn rates(self) -> Range<usize> {
        self.first + P_DOT..self.first + AFFINE
    }

    /// A component of p0, 0 to 2.
    pub(crate) fn position(self, i: usize) -> usize {
        self.first + P + i
    }

    /// A component of F.
    pub(crate) fn deformation(self, row: usize, column: usize) -> usize {
        self.first + F + 3 * column + row
    }

    /// A component of ṗ0, 0 to 2.
    pub(crate) fn velocity(self, i: usize) -> usize {
        self.first + P_DOT + i
    }

    /// A component of Ḟ.
    pub(crate) fn deformation_rate(self, row: usize, column: usize) -> usize {
        self.first + F_DOT + 3 * column + row
    }

    /// The numbers of the body in a state.
    pub(crate) fn numbers(self, y: &[f64]) -> &AffineNumbers {
        chunk(y, self.first)
    }

    /// The body in a state.
    #[inline]
    pub(crate) fn of(self, y: &[f64]) -> Affine {
        Affine::of(self.numbers(y))
    }

    /// Writes the body into a state, or its rates into those of a state.
    pub(crate) fn write(self, body: &Affine, y: &mut [f64]) {
        body.write(&mut y[self.all()]);
    }

    /// The numbers that `read` puts into a slice for these rows.
    pub(crate) fn read(self, read: impl FnOnce(Range<usize>, &mut [f64])) -> AffineNumbers {
        let mut numbers = [0.0; AFFINE];
        read(self.all(), &mut numbers);
        numbers
    }

    /// Moves the body on for the time `h` at constant rates.
    pub(crate) fn drift(self, h: f64, y: &mut [f64]) {
        for (to, rate) in self.pose().zip(self.rates()) {
            y[to] += h * y[rate];
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

/// The numbers of a rigid body, to be read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rigid<'y>(pub(crate) &'y RigidNumbers);

impl Rigid<'_> {
    /// Of the centre of mass [m].
    #[inline(always)]
    pub(crate) fn position(self) -> Vec3 {
        Vec3::new(self.0[POSITION], self.0[POSITION + 1], self.0[POSITION + 2])
    }

    /// (w, x, y, z), from the body's axes to the world's; of length 1 but for what a trial state is off.
    #[inline(always)]
    pub(crate) fn quaternion(self) -> [f64; 4] {
        [self.0[QUATERNION], self.0[QUATERNION + 1], self.0[QUATERNION + 2], self.0[QUATERNION + 3]]
    }

    /// Of the centre of mass [m/s].
    #[inline(always)]
    pub(crate) fn velocity(self) -> Vec3 {
        Vec3::new(self.0[VELOCITY], self.0[VELOCITY + 1], self.0[VELOCITY + 2])
    }

    /// In the world frame [rad/s].
    #[inline(always)]
    pub(crate) fn angular_velocity(self) -> Vec3 {
        Vec3::new(self.0[ANGULAR_VELOCITY], self.0[ANGULAR_VELOCITY + 1], self.0[ANGULAR_VELOCITY + 2])
    }
}

/// The numbers of a rigid body, or their rates, to be written.
#[derive(Debug)]
pub(crate) struct RigidMut<'y>(&'y mut RigidNumbers);

impl RigidMut<'_> {
    /// As they are now.
    #[inline(always)]
    pub(crate) fn now(&self) -> Rigid<'_> {
        Rigid(self.0)
    }

    /// All of them at once.
    #[inline(always)]
    pub(crate) fn set(&mut self, x: &Vec3, q: &[f64; 4], v: &Vec3, w: &Vec3) {
        *self.0 = [x.x, x.y, x.z, q[0], q[1], q[2], q[3], v.x, v.y, v.z, w.x, w.y, w.z];
    }

    pub(crate) fn set_position(&mut self, x: &Vec3) {
        self.0[POSITION..QUATERNION].copy_from_slice(x.as_slice());
    }

    pub(crate) fn set_quaternion(&mut self, q: &[f64; 4]) {
        self.0[QUATERNION..VELOCITY].copy_from_slice(q);
    }

    pub(crate) fn set_velocity(&mut self, v: &Vec3) {
        self.0[VELOCITY..ANGULAR_VELOCITY].copy_from_slice(v.as_slice());
    }

    pub(crate) fn set_angular_velocity(&mut self, w: &Vec3) {
        self.0[ANGULAR_VELOCITY..].copy_from_slice(w.as_slice());
    }

    /// Turns the body by `turn`, a rotation of the world frame; gives the quaternion before it is of length 1.
    pub(crate) fn turned(&self, turn: Quat) -> Quaternion<f64> {
        let [w, x, y, z] = self.now().quaternion();
        turn.into_inner() * Quaternion::new(w, x, y, z)
    }

    /// Moves the body on for the time `h` at constant velocities.
    pub(crate) fn drift(&mut self, h: f64) {
        let now = self.now();
        let (x, w) = (now.position() + h * now.velocity(), now.angular_velocity());
        // q ← exp(½ h ω) q
        let q = self.turned(Quat::from_scaled_axis(w * h));
        self.set_position(&x);
        self.set_quaternion(&[q.w, q.i, q.j, q.k]);
    }
}

/// The numbers of a body that deforms: p = p0 + F X.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Affine<S: Scalar = f64> {
    /// p0 [m]
    pub(crate) p: Vec3<S>,
    pub(crate) f: Mat3<S>,
    /// ṗ0 [m/s]
    pub(crate) v: Vec3<S>,
    /// Ḟ [1/s]
    pub(crate) f_dot: Mat3<S>,
}

impl<S: Scalar> Affine<S> {
    /// From the numbers in the order of the state.
    #[inline]
    pub(crate) fn of(s: &[S; AFFINE]) -> Affine<S> {
        Affine {
            p: Vec3::new(s[P], s[P + 1], s[P + 2]),
            f: Mat3::from_column_slice(&s[F..P_DOT]),
            v: Vec3::new(s[P_DOT], s[P_DOT + 1], s[P_DOT + 2]),
            f_dot: Mat3::from_column_slice(&s[F_DOT..]),
        }
    }
}

impl Affine {
    fn write(&self, s: &mut [f64]) {
        s[P..F].copy_from_slice(self.p.as_slice());
        s[F..P_DOT].copy_from_slice(self.f.as_slice());
        s[P_DOT..F_DOT].copy_from_slice(self.v.as_slice());
        s[F_DOT..AFFINE].copy_from_slice(self.f_dot.as_slice());
    }
}

impl Affine<ByAffine> {
    /// The numbers of a body that deforms as variables of their own.
    pub(crate) fn variables(y: &AffineNumbers) -> Affine<ByAffine> {
        Affine::of(&std::array::from_fn(|i| Dual::variable(y[i], i)))
    }
}

/// The N numbers from `first` on; a state that is too short has none that are numbers.
#[inline(always)]
fn chunk<const N: usize>(y: &[f64], first: usize) -> &[f64; N] {
    y.get(first..).and_then(<[f64]>::first_chunk).unwrap_or(const { &[f64::NAN; N] })
}
