//! What a piece of boundary can do: its moments over a plane.

use std::fmt::Debug;

use carom_base::{Dual, Mat3, Pose, Scalar, Vec3};

/// A piece of boundary, and its place on a surface or a body.
pub type Placed = (Box<dyn Piece>, Pose);

/// The height over the support of a point x of a piece: d = a + b·x [m], both in the piece's frame.
#[derive(Clone, Copy, Debug)]
pub struct Height<S: Scalar = f64> {
    /// of the frame's origin [m]
    pub a: S,
    /// how it grows with x
    pub b: Vec3<S>,
}

impl<S: Scalar> Height<S> {
    /// d at a point of the piece [m].
    #[inline(always)]
    pub fn at(&self, x: &Vec3<S>) -> S {
        self.a + self.b.dot(x)
    }

    /// Without derivatives.
    pub(crate) fn value(&self) -> Height {
        Height { a: self.a.value(), b: self.b.map(S::value) }
    }
}

/// A set of moments asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// the exponent ν
    pub nu: u32,
    /// the highest power of x: 0, 1 or 2
    pub order: u32,
}

/// ∫ k d^−ν dA, ∫ k d^−ν x dA and ∫ k d^−ν x⊗x dA over a piece, dA its area before deformation and k the factor by which the
/// deformation changes that (Contento et al. Eq 18).
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
    /// All zero.
    pub fn zero() -> Moments<S> {
        let zero = S::from_f64(0.0);
        Moments { i0: zero, i1: Vec3::from_element(zero), i2: Mat3::from_element(zero) }
    }

    /// In other axes: `axes` has the present ones as columns.
    pub(crate) fn turned(&self, axes: &Mat3<S>) -> Moments<S> {
        Moments { i0: self.i0, i1: axes * self.i1, i2: axes * self.i2 * axes.transpose() }
    }

    /// Without what is of higher order.
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

    /// All not a number: the piece is not wholly above the support, and there is no such integral.
    pub fn undefined() -> Moments<S> {
        let nan = S::from_f64(f64::NAN);
        Moments { i0: nan, i1: Vec3::from_element(nan), i2: Mat3::from_element(nan) }
    }
}

/// A piece of boundary, written once over [`Scalar`]; implement this and get [`Piece`].
pub trait PieceFormula: Debug + Send + Sync + 'static {
    /// Writes the moments asked for, one set each, and says how far they may be off, relative to i0: some 1e-15 of a closed
    /// form, the bound of a quadrature. `cof`: F* = det F F^−T, of which k = |F* m| at a point with the outward normal m; `None`: k = 1.
    /// A piece that is not wholly above the support has [`Moments::undefined`]. Allocates nothing.
    fn moments<S: Scalar>(
        &self,
        asked: &[Asked],
        d: &Height<S>,
        cof: Option<&Mat3<S>>,
        out: &mut [Moments<S>],
    ) -> f64;
    /// The same in plain numbers; for pieces that know a faster way.
    fn values(&self, asked: &[Asked], d: &Height, cof: Option<&Mat3>, out: &mut [Moments]) -> f64 {
        self.moments(asked, d, cof, out)
    }
    /// The same piece in the frame of a body it has that place on; `None`: its moments are simple in its own frame only.
    fn on_body(&self, at: &Pose) -> Option<Box<dyn Piece>> {
        let _ = at;
        None
    }
    /// The least height of the piece over the support [m].
    fn nearest(&self, d: &Height) -> f64;
    /// Its area [m²].
    fn area(&self) -> f64;
    /// How much it looks at a support whose normal is along `b`, in the piece's frame: the cosine of the angle between the support's normal and the most
    /// opposite of its own.
    fn facing(&self, b: &Vec3) -> f64;
    /// The height over a support that it rests on at a gap [m]: flat on its face, along its side, on its flattest point.
    fn resting(&self, gap: f64) -> Height;
    /// The same piece integrated by n × n Gauss points, to be compared with; `None`: it is not flat.
    fn by_gauss(&self, n: usize) -> Option<Box<dyn Piece>> {
        let _ = n;
        None
    }
}

/// A piece of boundary: the object-safe face of [`PieceFormula`].
pub trait Piece: Debug + Send + Sync {
    /// See [`PieceFormula::moments`].
    fn moments(&self, asked: &[Asked], d: &Height, cof: Option<&Mat3>, out: &mut [Moments]) -> f64;
    /// The same without deformation, with the derivatives by a and the three components of b.
    fn moments_by_height(&self, asked: &[Asked], d: &Height<Dual<4>>, out: &mut [Moments<Dual<4>>]) -> f64;
    /// The same with the derivatives by a, b and the nine components of F*, column by column.
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
