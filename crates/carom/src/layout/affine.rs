//! The components of the state of a body that deforms.

use std::ops::Range;

use carom_base::{Dual, Mat3, Scalar, Vec3};

use super::chunk;

/// The number of components of a body that deforms, and the index of each part among them.
pub(super) const AFFINE: usize = 24;
const P: usize = 0;
const F: usize = 3;
const P_DOT: usize = 12;
const F_DOT: usize = 15;

/// The components of a body that deforms, in the order of the state.
pub(crate) type AffineNumbers = [f64; AFFINE];
/// A number with its derivatives with respect to all components of a body that deforms.
pub(crate) type ByAffine = Dual<AFFINE>;

/// A part of the components of a body that deforms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AffinePart {
    Position,
    Deformation,
    Velocity,
    DeformationRate,
}

impl AffinePart {
    pub(super) fn of(i: usize) -> AffinePart {
        match i {
            P..F => AffinePart::Position,
            F..P_DOT => AffinePart::Deformation,
            P_DOT..F_DOT => AffinePart::Velocity,
            _ => AffinePart::DeformationRate,
        }
    }

    /// Returns its name in messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            AffinePart::Position => "position",
            AffinePart::Deformation => "deformation",
            AffinePart::Velocity => "velocity",
            AffinePart::DeformationRate => "rate of deformation",
        }
    }
}

/// The indices of the components of a body that deforms in the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AffineRows {
    pub(super) first: usize,
}

impl AffineRows {
    /// Returns the indices of all its components.
    pub(crate) fn all(self) -> Range<usize> {
        self.first..self.first + AFFINE
    }

    /// Returns the indices of p0 and F.
    pub(crate) fn pose(self) -> Range<usize> {
        self.first..self.first + P_DOT
    }

    /// Returns the indices of ṗ0 and Ḟ.
    pub(crate) fn rates(self) -> Range<usize> {
        self.first + P_DOT..self.first + AFFINE
    }

    /// Returns the index of a component of p0, 0 to 2.
    pub(crate) fn position(self, i: usize) -> usize {
        self.first + P + i
    }

    /// Returns the index of a component of F.
    pub(crate) fn deformation(self, row: usize, column: usize) -> usize {
        self.first + F + 3 * column + row
    }

    /// Returns the index of a component of ṗ0, 0 to 2.
    pub(crate) fn velocity(self, i: usize) -> usize {
        self.first + P_DOT + i
    }

    /// Returns the index of a component of Ḟ.
    pub(crate) fn deformation_rate(self, row: usize, column: usize) -> usize {
        self.first + F_DOT + 3 * column + row
    }

    /// Returns the components of the body in a state.
    pub(crate) fn numbers(self, y: &[f64]) -> &AffineNumbers {
        chunk(y, self.first)
    }

    /// Returns the body in a state.
    #[inline]
    pub(crate) fn of(self, y: &[f64]) -> Affine {
        Affine::of(self.numbers(y))
    }

    /// Writes the body into a state, or its rates into those of a state.
    pub(crate) fn write(self, body: &Affine, y: &mut [f64]) {
        body.write(&mut y[self.all()]);
    }

    /// Returns the components that `read` writes into a slice for these indices.
    pub(crate) fn read(self, read: impl FnOnce(Range<usize>, &mut [f64])) -> AffineNumbers {
        let mut numbers = [0.0; AFFINE];
        read(self.all(), &mut numbers);
        numbers
    }

    /// Advances the body by the time `h` [s] at constant rates.
    pub(crate) fn drift(self, h: f64, y: &mut [f64]) {
        for (to, rate) in self.pose().zip(self.rates()) {
            y[to] += h * y[rate];
        }
    }
}

/// The components of a body that deforms: p = p0 + F X.
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
    /// Creates it from the components in the order of the state.
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
    /// Returns the components as independent variables of differentiation.
    pub(crate) fn variables(y: &AffineNumbers) -> Affine<ByAffine> {
        Affine::of(&std::array::from_fn(|i| Dual::variable(y[i], i)))
    }
}

/// Returns the scale of each component, given those of lengths and speeds.
pub(super) fn scales(length: f64, speed: f64) -> AffineNumbers {
    let mut scales = [1.0; AFFINE];
    scales[P..F].fill(length);
    scales[P_DOT..F_DOT].fill(speed);
    scales[F_DOT..].fill(speed / length);
    scales
}
