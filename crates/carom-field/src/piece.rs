//! The interface of a piece of boundary: its moments over a plane.

use std::fmt::Debug;

use carom_base::{Dual, Mat3, Pose, Scalar, Vec3};

/// A piece of boundary, and its pose on a surface or a body.
pub type Placed = (Box<dyn Piece>, Pose);

/// The height over the support of a point x of a piece: d = a + b·x [m], with x and b in the piece's frame.
#[derive(Clone, Copy, Debug)]
pub struct Height<S: Scalar = f64> {
    /// height of the frame's origin [m]
    pub a: S,
    /// gradient of the height
    pub b: Vec3<S>,
}

impl<S: Scalar> Height<S> {
    /// Returns d at a point of the piece [m].
    #[inline(always)]
    pub fn at(&self, x: &Vec3<S>) -> S {
        self.a + self.b.dot(x)
    }

    /// Returns the height without derivatives.
    pub(crate) fn value(&self) -> Height {
        Height { a: self.a.value(), b: self.b.map(S::value) }
    }
}

/// A set of moments to compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// the exponent ν
    pub nu: u32,
    /// the highest power of x: 0, 1 or 2
    pub order: u32,
}

/// The moments of a piece: ∫ k d^−ν dA, ∫ k d^−ν x dA and ∫ k d^−ν x⊗x dA, where dA is the area before deformation and k the
/// factor by which the deformation changes it (Contento et al. Eq 18).
#[derive(Clone, Copy, Debug)]
pub struct Moments<S: Scalar = f64> {
    /// ∫ k d^−ν dA [m^(2−ν)]
    pub i0: S,
    /// ∫ k d^−ν x dA; zero if not asked for
    pub i1: Vec3<S>,
    /// ∫ k d^−ν x⊗x dA, symmetric; zero if not asked for
    pub i2: Mat3<S>,
}

impl<S: Scalar> Moments<S> {
    /// Returns moments that are zero.
    pub fn zero() -> Moments<S> {
        let zero = S::from_f64(0.0);
        Moments { i0: zero, i1: Vec3::from_element(zero), i2: Mat3::from_element(zero) }
    }

    /// Transforms the moments to other axes; the columns of `axes` are the present ones.
    pub(crate) fn turned(&self, axes: &Mat3<S>) -> Moments<S> {
        Moments { i0: self.i0, i1: axes * self.i1, i2: axes * self.i2 * axes.transpose() }
    }

    /// Sets the moments of higher order to zero.
    pub(crate) fn up_to(mut self, order: u32) -> Moments<S> {
        let zero = Moments::zero();
        if order < 1 {
            self.i1 = zero.i1;
        }
        if order < 2 {
            self.i2 = zero.i2;
        }
        self
    }

    /// Returns moments that are NaN, for a piece that is not wholly above the support, where the integrals do not exist.
    pub fn undefined() -> Moments<S> {
        let nan = S::from_f64(f64::NAN);
        Moments { i0: nan, i1: Vec3::from_element(nan), i2: Mat3::from_element(nan) }
    }
}

/// A piece of boundary, written once for any [`Scalar`]; a type that implements this trait also implements [`Piece`].
pub trait PieceFormula: Debug + Send + Sync + 'static {
    /// Writes the moments asked for, one set each, and returns the bound on their error relative to i0: about 1e-15 for a closed
    /// form, the error bound for a quadrature. `cof` is F* = det F F^−T, which gives k = |F* m| at a point with the outward
    /// normal m; with `None`, k = 1. For a piece that is not wholly above the support it writes [`Moments::undefined`]. It
    /// allocates no memory.
    fn moments<S: Scalar>(
        &self,
        asked: &[Asked],
        d: &Height<S>,
        cof: Option<&Mat3<S>>,
        out: &mut [Moments<S>],
    ) -> f64;
    /// Writes the moments in plain numbers, as [`PieceFormula::moments`] does; for pieces that have a faster method.
    fn values(&self, asked: &[Asked], d: &Height, cof: Option<&Mat3>, out: &mut [Moments]) -> f64 {
        self.moments(asked, d, cof, out)
    }
    /// Returns the piece in the frame of a body on which it has that pose; `None` if its moments are simple in its own frame
    /// only.
    fn on_body(&self, at: &Pose) -> Option<Box<dyn Piece>> {
        let _ = at;
        None
    }
    /// Returns the least height of the piece over the support [m].
    fn nearest(&self, d: &Height) -> f64;
    /// Returns its area [m²].
    fn area(&self) -> f64;
    /// Returns how directly it faces a support whose normal is along `b`, in the piece's frame: the greatest cosine of the angle
    /// between the piece's outward normal and −b.
    fn facing(&self, b: &Vec3) -> f64;
    /// Returns the height over a support on which it rests at a gap [m]: flat on its face, along its side, or on its flattest
    /// point.
    fn resting(&self, gap: f64) -> Height;
    /// Returns the piece integrated by n × n Gauss points, for comparison; `None` if it is not flat.
    fn by_gauss(&self, n: usize) -> Option<Box<dyn Piece>> {
        let _ = n;
        None
    }
}

/// A piece of boundary: the object-safe form of [`PieceFormula`].
pub trait Piece: Debug + Send + Sync {
    /// See [`PieceFormula::moments`].
    fn moments(&self, asked: &[Asked], d: &Height, cof: Option<&Mat3>, out: &mut [Moments]) -> f64;
    /// Writes the moments without deformation, with the derivatives with respect to a and the three components of b.
    fn moments_by_height(&self, asked: &[Asked], d: &Height<Dual<4>>, out: &mut [Moments<Dual<4>>]) -> f64;
    /// Writes the moments with the derivatives with respect to a, b and the nine components of F*, column by column.
    fn moments_by_all(
        &self,
        asked: &[Asked],
        d: &Height<Dual<13>>,
        cof: &Mat3<Dual<13>>,
        out: &mut [Moments<Dual<13>>],
    ) -> f64;
    /// See [`PieceFormula::on_body`].
    fn on_body(&self, at: &Pose) -> Option<Box<dyn Piece>>;
    /// See [`PieceFormula::nearest`].
    fn nearest(&self, d: &Height) -> f64;
    /// See [`PieceFormula::area`].
    fn area(&self) -> f64;
    /// See [`PieceFormula::facing`].
    fn facing(&self, b: &Vec3) -> f64;
    /// See [`PieceFormula::resting`].
    fn resting(&self, gap: f64) -> Height;
    /// See [`PieceFormula::by_gauss`].
    fn by_gauss(&self, n: usize) -> Option<Box<dyn Piece>>;
}

impl<P: PieceFormula> Piece for P {
    fn moments(&self, asked: &[Asked], d: &Height, cof: Option<&Mat3>, out: &mut [Moments]) -> f64 {
        self.values(asked, d, cof, out)
    }
    fn moments_by_height(&self, asked: &[Asked], d: &Height<Dual<4>>, out: &mut [Moments<Dual<4>>]) -> f64 {
        PieceFormula::moments(self, asked, d, None, out)
    }
    fn moments_by_all(
        &self,
        asked: &[Asked],
        d: &Height<Dual<13>>,
        cof: &Mat3<Dual<13>>,
        out: &mut [Moments<Dual<13>>],
    ) -> f64 {
        PieceFormula::moments(self, asked, d, Some(cof), out)
    }
    fn on_body(&self, at: &Pose) -> Option<Box<dyn Piece>> {
        PieceFormula::on_body(self, at)
    }
    fn nearest(&self, d: &Height) -> f64 {
        PieceFormula::nearest(self, d)
    }
    fn area(&self) -> f64 {
        PieceFormula::area(self)
    }
    fn facing(&self, b: &Vec3) -> f64 {
        PieceFormula::facing(self, b)
    }
    fn resting(&self, gap: f64) -> Height {
        PieceFormula::resting(self, gap)
    }
    fn by_gauss(&self, n: usize) -> Option<Box<dyn Piece>> {
        PieceFormula::by_gauss(self, n)
    }
}
