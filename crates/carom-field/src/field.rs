//! A body's pieces of boundary and its tractions: from where it is to what acts on it.
//!
//! With the moments I0, I1, I2 of an exponent, P = 1 − n nᵀ, and c d^−ν one of the tractions that depend on the height alone,
//!
//!   f = Σ c I0 n − β_d n (n·(I0 u0 + U I1)) − β_f P (I0 u0 + U I1)
//!   M = Σ c n ⊗ I1 − β_d n ⊗ (I1 n·u0 + I2 Uᵀn) − β_f P (u0 ⊗ I1 + U I2)
//!
//! each with the moments of its own exponent; the potential is Σ c/(ν − 1) I0 at ν − 1.

use carom_base::{Dual, Mat3, Pose, Scalar, Vec3};

use crate::piece::{Asked, Height, Moments, Piece, Placed};
use crate::{Action, Near, Power, Tractions};

/// At most so many sets of moments are asked of a piece: three tractions by the height alone with their potentials, two by the velocity.
const MOST: usize = 8;

/// The field on a body's boundary near a plane support.
#[derive(Debug)]
pub struct Field {
    tractions: Tractions,
    /// in the frame of the body: from its centre of mass, in its axes
    pieces: Vec<Box<dyn Piece>>,
    /// in frames of their own, each with its place on the body
    placed: Vec<Placed>,
    asked: [Asked; MOST],
    count: usize,
    terms: Vec<Term>,
}

/// What a set of moments is for.
#[derive(Clone, Copy, Debug)]
struct Term {
    /// which set
    set: usize,
    kind: Kind,
    /// c
    coefficient: f64,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
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
    /// The tractions on some pieces, each at its place on the body: from the centre of mass, in the body's axes [m].
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
            field.ask(nu, 1, Kind::Normal, c);
            field.ask(nu - 1, 0, Kind::Potential, c / f64::from(nu - 1));
        }
        if let Some(p) = tractions.damping {
            field.ask(p.exponent, 2, Kind::Damping, p.coefficient);
        }
        if let Some(p) = tractions.friction {
            field.ask(p.exponent, 2, Kind::Friction, p.coefficient);
        }
        field
    }

    fn ask(&mut self, nu: u32, order: u32, kind: Kind, coefficient: f64) {
        let asked = Asked { nu, order };
        let set = self.asked().iter().position(|earlier| *earlier == asked).unwrap_or(self.count);
        if set == self.count {
            self.asked[set] = asked;
            self.count += 1;
        }
        self.terms.push(Term { set, kind, coefficient });
    }

    /// The sets of moments that are needed, each once.
    fn asked(&self) -> &[Asked] {
        &self.asked[..self.count]
    }

    /// The tractions.
    pub fn tractions(&self) -> &Tractions {
        &self.tractions
    }

    /// How many pieces of boundary it acts on.
    pub fn pieces(&self) -> usize {
        self.pieces.len() + self.placed.len()
    }

    /// The least height of the boundary over the support [m].
    pub fn nearest(&self, d: &Height) -> f64 {
        let own = self.pieces.iter().map(|piece| piece.nearest(d));
        let placed = self.placed.iter().map(|(piece, at)| piece.nearest(&seen(d, at)));
        own.chain(placed).fold(f64::INFINITY, f64::min)
    }

    /// What the field does to the body. Not a number where the boundary is not wholly above the support.
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

    /// The same with derivatives by any N variables.
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

    /// The moments of a piece with derivatives by any N variables, from those by what they depend on.
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

    /// Adds the moments of a piece to those of the body; `at`: its place, if it has a frame of its own.
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

    /// What the tractions do, the moments of the whole boundary being known.
    fn action<S: Scalar>(&self, near: &Near<S>, sums: &[Moments<S>; MOST]) -> Action<S> {
        let mut action = Action::zero();
        let Near { n, u0, u, .. } = near;
        // n·u = n·u0 + (Uᵀn)·X
        let (w0, w) = (n.dot(u0), u.tr_mul(n));
        for Term { set, kind, coefficient } in &self.terms {
            let (c, m) = (S::from_f64(*coefficient), &sums[*set]);
            match kind {
                Kind::Potential => action.potential += c * m.i0,
                Kind::Normal => {
                    action.force += n * (c * m.i0);
                    action.moment += n * (m.i1 * c).transpose();
                    action.power += c * (w0 * m.i0 + w.dot(&m.i1));
                }
                Kind::Damping => {
                    // ∫ d^−ν (n·u) dA and ∫ d^−ν (n·u) X dA
                    let (s0, s1) = (w0 * m.i0 + w.dot(&m.i1), m.i1 * w0 + m.i2 * w);
                    action.force -= n * (c * s0);
                    action.moment -= n * (s1 * c).transpose();
                    action.dissipated += c * (w0 * s0 + w.dot(&s1));
                }
                Kind::Friction => {
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

/// ∫ d^−ν dA over the piece that looks at the support most, where it rests on it at a gap [m]: what a coefficient of repulsion is to be
/// multiplied by to balance a weight. Zero without pieces.
pub fn rest_integral(pieces: &[Placed], near: &Near, nu: u32, gap: f64) -> f64 {
    let facing = |(piece, at): &&Placed| piece.facing(&at.r.tr_mul(&near.d.b));
    // of several alike the first: the last of the greatest in reverse
    let most = pieces.iter().rev().max_by(|a, b| facing(a).total_cmp(&facing(b)));
    let Some((piece, _)) = most else { return 0.0 };
    let mut out = [Moments::zero()];
    piece.moments(&[Asked { nu, order: 0 }], &piece.resting(gap), None, &mut out);
    out[0].i0
}

/// The height in the frame of a piece at a place on the body.
fn seen<S: Scalar>(d: &Height<S>, at: &Pose<S>) -> Height<S> {
    Height { a: d.at(&at.p), b: at.r.tr_mul(&d.b) }
}

/// Moments of X = p + R x from those of x.
fn on_body<S: Scalar>(m: &Moments<S>, at: &Pose<S>) -> Moments<S> {
    let turned = at.r * m.i1;
    let i1 = at.p * m.i0 + turned;
    let mixed = at.p * turned.transpose();
    let i2 = at.r * m.i2 * at.r.transpose() + mixed + mixed.transpose() + at.p * at.p.transpose() * m.i0;
    Moments { i0: m.i0, i1, i2 }
}

/// Moments by other variables, their arguments' derivatives by those being known.
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
