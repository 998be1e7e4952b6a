//! Combines a body's pieces of boundary and its tractions: computes the action on the body from its configuration.
//!
//! With the moments I0, I1, I2 of an exponent, P = 1 − n nᵀ, and c d^−ν for the tractions that depend on the height alone,
//!
//!   f = Σ c I0 n − β_d n (n·(I0 u0 + U I1)) − β_f P (I0 u0 + U I1)
//!   M = Σ c n ⊗ I1 − β_d n ⊗ (I1 n·u0 + I2 Uᵀn) − β_f P (u0 ⊗ I1 + U I2)
//!
//! each with the moments of its own exponent; the potential is Σ c/(ν − 1) I0, with I0 at the exponent ν − 1.

use carom_base::{Dual, Mat3, Pose, Scalar, Vec3};

use crate::piece::{Asked, Height, Moments, Piece, Placed};
use crate::{Action, Near, Power, Tractions};

/// Largest number of sets of moments needed of a piece: three tractions that depend on the height alone, with their potentials,
/// and two that depend on the velocity.
const MOST: usize = 8;

/// The field on a body's boundary near a plane support.
#[derive(Debug)]
pub struct Field {
    tractions: Tractions,
    /// pieces in the frame of the body: from its centre of mass, in its axes
    pieces: Vec<Box<dyn Piece>>,
    /// pieces in frames of their own, each with its pose on the body
    placed: Vec<Placed>,
    asked: [Asked; MOST],
    count: usize,
    terms: Vec<Term>,
}

/// The use of a set of moments.
#[derive(Clone, Copy, Debug)]
struct Term {
    /// index of the set
    set: usize,
    kind: Contribution,
    /// coefficient c
    coefficient: f64,
}

#[derive(Clone, Copy, Debug)]
enum Contribution {
    /// c d^−ν n
    Normal,
    /// c/(ν − 1) d^(1−ν), the coefficient being c/(ν − 1)
    Potential,
    /// β_d
    Damping,
    /// β_f
    Friction,
}

impl Field {
    /// Makes the field of these tractions on these pieces, each with its pose on the body: from the centre of mass, in the body's
    /// axes [m].
    pub fn new(tractions: Tractions, pieces: Vec<Placed>) -> Field {
        let mut field = Field {
            tractions,
            pieces: Vec::new(),
            placed: Vec::new(),
            asked: [Asked { nu: 0, order: 0 }; MOST],
            count: 0,
            terms: Vec::new(),
        };
        for (piece, at) in pieces {
            match piece.on_body(&at) {
                Some(piece) => field.pieces.push(piece),
                None => field.placed.push((piece, at)),
            }
        }
        for Power { coefficient: c, exponent: nu } in tractions.conservative().into_iter().flatten() {
            field.ask(nu, 1, Contribution::Normal, c);
            field.ask(nu - 1, 0, Contribution::Potential, c / f64::from(nu - 1));
        }
        if let Some(p) = tractions.damping {
            field.ask(p.exponent, 2, Contribution::Damping, p.coefficient);
        }
        if let Some(p) = tractions.friction {
            field.ask(p.exponent, 2, Contribution::Friction, p.coefficient);
        }
        field
    }

    fn ask(&mut self, nu: u32, order: u32, kind: Contribution, coefficient: f64) {
        let asked = Asked { nu, order };
        let set = self.asked().iter().position(|earlier| *earlier == asked).unwrap_or(self.count);
        if set == self.count {
            self.asked[set] = asked;
            self.count += 1;
        }
        self.terms.push(Term { set, kind, coefficient });
    }

    /// Returns the sets of moments that are needed, each once.
    fn asked(&self) -> &[Asked] {
        &self.asked[..self.count]
    }

    /// Returns the tractions.
    pub fn tractions(&self) -> &Tractions {
        &self.tractions
    }

    /// Returns the number of pieces of boundary.
    pub fn pieces(&self) -> usize {
        self.pieces.len() + self.placed.len()
    }

    /// Returns the least height of the boundary over the support [m].
    pub fn nearest(&self, d: &Height) -> f64 {
        let own = self.pieces.iter().map(|piece| piece.nearest(d));
        let placed = self.placed.iter().map(|(piece, at)| piece.nearest(&seen(d, at)));
        own.chain(placed).fold(f64::INFINITY, f64::min)
    }

    /// Computes the action of the field on the body. It is NaN if the boundary is not wholly above the support.
    pub fn act(&self, near: &Near) -> Action {
        let mut sums = [Moments::zero(); MOST];
        let mut out = [Moments::zero(); MOST];
        for piece in &self.pieces {
            piece.moments(self.asked(), &near.d, near.cof.as_ref(), &mut out);
            self.sum(&mut sums, &out, None);
        }
        for (piece, at) in &self.placed {
            let cof = near.cof.map(|cof| cof * at.r);
            piece.moments(self.asked(), &seen(&near.d, at), cof.as_ref(), &mut out);
            self.sum(&mut sums, &out, Some(at));
        }
        self.action(near, &sums)
    }

    /// Computes the action of the field on the body with derivatives with respect to any N variables.
    pub fn act_by<const N: usize>(&self, near: &Near<Dual<N>>) -> Action<Dual<N>> {
        let mut sums = [Moments::zero(); MOST];
        for piece in &self.pieces {
            self.sum(&mut sums, &self.moments_by(piece.as_ref(), &near.d, near.cof.as_ref()), None);
        }
        for (piece, at) in &self.placed {
            let at = Pose { p: at.p.map(Dual::from_f64), r: at.r.map(Dual::from_f64) };
            let cof = near.cof.map(|cof| cof * at.r);
            let out = self.moments_by(piece.as_ref(), &seen(&near.d, &at), cof.as_ref());
            self.sum(&mut sums, &out, Some(&at));
        }
        self.action(near, &sums)
    }

    /// Computes the moments of a piece with derivatives with respect to any N variables, by the chain rule from those with
    /// respect to their arguments.
    fn moments_by<const N: usize>(
        &self,
        piece: &dyn Piece,
        d: &Height<Dual<N>>,
        cof: Option<&Mat3<Dual<N>>>,
    ) -> [Moments<Dual<N>>; MOST] {
        let mut out = [Moments::zero(); MOST];
        match cof {
            None => {
                let mut by = [Moments::zero(); MOST];
                let arguments = [d.a, d.b.x, d.b.y, d.b.z];
                let own: [Dual<4>; 4] = std::array::from_fn(|i| Dual::variable(arguments[i].re, i));
                let height = Height { a: own[0], b: Vec3::new(own[1], own[2], own[3]) };
                piece.moments_by_height(self.asked(), &height, &mut by);
                compose(&by, &arguments, &mut out);
            }
            Some(cof) => {
                let mut by = [Moments::zero(); MOST];
                let arguments: [Dual<N>; 13] = std::array::from_fn(|i| match i {
                    0 => d.a,
                    1..4 => d.b[i - 1],
                    _ => cof[i - 4],
                });
                let own: [Dual<13>; 13] = std::array::from_fn(|i| Dual::variable(arguments[i].re, i));
                let height = Height { a: own[0], b: Vec3::new(own[1], own[2], own[3]) };
                let cof = Mat3::from_column_slice(&own[4..]);
                piece.moments_by_all(self.asked(), &height, &cof, &mut by);
                compose(&by, &arguments, &mut out);
            }
        }
        out
    }

    /// Adds the moments of a piece to those of the body; `at` is its pose, if it has a frame of its own.
    #[inline(always)]
    fn sum<S: Scalar>(&self, sums: &mut [Moments<S>; MOST], out: &[Moments<S>; MOST], at: Option<&Pose<S>>) {
        for ((sum, out), asked) in sums.iter_mut().zip(out).zip(self.asked()) {
            let out = at.map_or(*out, |at| on_body(out, at));
            sum.i0 += out.i0;
            if asked.order >= 1 {
                sum.i1 += out.i1;
            }
            if asked.order >= 2 {
                sum.i2 += out.i2;
            }
        }
    }

    /// Computes the action of the tractions from the moments of the whole boundary.
    fn action<S: Scalar>(&self, near: &Near<S>, sums: &[Moments<S>; MOST]) -> Action<S> {
        let mut action = Action::zero();
        let Near { n, u0, u, .. } = near;
        // n·u = n·u0 + (Uᵀn)·X
        let (w0, w) = (n.dot(u0), u.tr_mul(n));
        for Term { set, kind, coefficient } in &self.terms {
            let (c, m) = (S::from_f64(*coefficient), &sums[*set]);
            match kind {
                Contribution::Potential => action.potential += c * m.i0,
                Contribution::Normal => {
                    action.force += n * (c * m.i0);
                    action.moment += n * (m.i1 * c).transpose();
                    action.power += c * (w0 * m.i0 + w.dot(&m.i1));
                }
                Contribution::Damping => {
                    // ∫ d^−ν (n·u) dA and ∫ d^−ν (n·u) X dA
                    let (s0, s1) = (w0 * m.i0 + w.dot(&m.i1), m.i1 * w0 + m.i2 * w);
                    action.force -= n * (c * s0);
                    action.moment -= n * (s1 * c).transpose();
                    action.dissipated += c * (w0 * s0 + w.dot(&s1));
                }
                Contribution::Friction => {
                    // P u = t0 + T X
                    let (t0, t) = (u0 - n * w0, u - n * w.transpose());
                    let s0 = t0 * m.i0 + t * m.i1;
                    let s1 = t0 * m.i1.transpose() + t * m.i2;
                    action.force -= s0 * c;
                    action.moment -= s1 * c;
                    action.dissipated += c * (t0.dot(&s0) + t.dot(&s1));
                }
            }
        }
        action
    }
}

/// Returns ∫ d^−ν dA over the piece that faces the support most directly, when the body rests on that piece at this gap [m].
/// Multiplied by a coefficient of repulsion it gives the force that balances a weight. It is zero without pieces.
pub fn rest_integral(pieces: &[Placed], near: &Near, nu: u32, gap: f64) -> f64 {
    let facing = |(piece, at): &&Placed| piece.facing(&at.r.tr_mul(&near.d.b));
    // the first of several that face it equally: in reverse order it is the last greatest one
    let most = pieces.iter().rev().max_by(|a, b| facing(a).total_cmp(&facing(b)));
    let Some((piece, _)) = most else { return 0.0 };
    let mut out = [Moments::zero()];
    piece.moments(&[Asked { nu, order: 0 }], &piece.resting(gap), None, &mut out);
    out[0].i0
}

/// Returns the height in the frame of a piece with this pose on the body.
fn seen<S: Scalar>(d: &Height<S>, at: &Pose<S>) -> Height<S> {
    Height { a: d.at(&at.p), b: at.r.tr_mul(&d.b) }
}

/// Returns the moments of X = p + R x from those of x.
fn on_body<S: Scalar>(m: &Moments<S>, at: &Pose<S>) -> Moments<S> {
    let turned = at.r * m.i1;
    let i1 = at.p * m.i0 + turned;
    let mixed = at.p * turned.transpose();
    let i2 = at.r * m.i2 * at.r.transpose() + mixed + mixed.transpose() + at.p * at.p.transpose() * m.i0;
    Moments { i0: m.i0, i1, i2 }
}

/// Applies the chain rule: moments with derivatives with respect to other variables, from the derivatives of their arguments.
fn compose<const N: usize, const M: usize>(
    by: &[Moments<Dual<N>>; MOST],
    arguments: &[Dual<M>],
    out: &mut [Moments<Dual<M>>; MOST],
) {
    for (by, out) in by.iter().zip(out) {
        out.i0 = by.i0.compose(arguments);
        out.i1 = by.i1.map(|x| x.compose(arguments));
        out.i2 = by.i2.map(|x| x.compose(arguments));
    }
}
