//! The common normal of two convex solids by their closest points alone: faces, edges, rims and corners as they are.
//!
//! A solid with edges has no normal of its own there, but the surface at a distance a from it has: n turns by S as its point o moves, both known with
//! o's closest point p = o − a n. B is seen from o' = p + l n, which is outside B for l = s − a_B however deep the solids are in one another, s being the signed
//! distance: there its normal is n_B, and turns by K. The common normal is where n_A = −n_B; if o moves by x in its tangent plane, o' does by (E + (l − a) S) x, so that
//! Newton's step is that of `newton.rs` with the surface around A in the place of A:
//!
//!   (S + K (E + (l − a) S)) x = e,   e = −n_B − n_A in the tangent plane.
//!
//! Both are seen from afar, so that the normals are exact to rounding though the solids touch. The step is exact as soon as the pieces that face each other are
//! the right ones; where flat pieces leave it open, o goes to where B's normal points.

use carom_base::{Dual, Mat3, Vec3};
use nalgebra::{Matrix2, Matrix3x2, Vector2};

use super::couple::Couple;
use super::newton::{Normal, across, solve, within};
use crate::closest_point::direction;
use crate::shape::{Project, Side};

const MOST_STEPS: usize = 30;
/// Normals are this exact.
const EXACT: f64 = 1e-15;
/// Once they differ by less than this and no longer come nearer, the rest is rounding.
const CLOSE: f64 = 1e-11;
/// Curvatures below this, relative to the size, leave points open.
const FLAT: f64 = 1e-7;

/// The closest point of a solid: p, the normal there and how it turns as the point that looks moves.
struct Look {
    p: Vec3,
    n: Vec3,
    d: f64,
    turn: Mat3,
}

fn look(surface: &dyn Project, x: &Vec3) -> Look {
    let found = surface.closest_point_dual(Side::Outside, 0, &Vec3::from_fn(|i, _| Dual::variable(x[i], i)));
    Look {
        p: found.p.map(|c| c.re),
        n: found.n.map(|c| c.re),
        d: found.d.re,
        turn: Mat3::from_fn(|i, j| found.n[i].eps[j]),
    }
}

/// Both solids as they look from o and o'.
struct Sight {
    p: Vec3,
    q: Vec3,
    n: Vec3,
    /// −n_B − n_A in the tangent plane `t`, and how large it is before
    e: Vector2<f64>,
    askew: f64,
    t: Matrix3x2<f64>,
    m: Matrix2<f64>,
    toward: Vec3,
}

struct Pair<'s> {
    couple: &'s Couple<'s>,
    solids: [&'s dyn Project; 2],
    /// a and l [m]
    a: f64,
    l: f64,
}

impl Pair<'_> {
    /// What is seen from o, or from where it is at the distance a; `None` where B is not seen from outside.
    fn from(&self, o: &Vec3) -> Option<Sight> {
        let x = &self.couple.x;
        let here = look(self.solids[0], o);
        let there = look(self.solids[1], &x.point_to_local(&(here.p + here.n * self.l)));
        if !(here.d > 0.0 && there.d > 0.0) {
            return None;
        }
        let (n, n_b) = (here.n, x.direction(&there.n));
        let t = across(&n);
        let (s, k) = (within(&here.turn, &t), within(&(x.r * there.turn * x.r.transpose()), &t));
        Some(Sight {
            p: here.p,
            q: x.point(&there.p),
            n,
            e: -t.tr_mul(&n_b),
            askew: (n + n_b).norm(),
            t,
            m: s + k * (Matrix2::identity() + s * (self.l - self.a)),
            toward: -n_b,
        })
    }

    /// Newton's step, and what it leaves open by where B's normal points.
    fn step(&self, sight: &Sight) -> Vec3 {
        let x = solve(&sight.m, &sight.e);
        let x = x + (sight.e - sight.m * x) * self.a;
        let most = self.couple.size;
        let length = x.norm();
        sight.t * if length > most { x * (most / length) } else { x }
    }
}

/// The common normal near a direction and points that nearly belong to it, and whether its points are the only ones.
pub(super) fn common_normal(
    couple: &Couple<'_>,
    solids: [&dyn Project; 2],
    near: &Normal,
    steps: &mut usize,
) -> Option<(Normal, bool)> {
    let (a, b) = (couple.a.bounds().radius, couple.b.bounds().radius);
    let pair = Pair { couple, solids, a, l: near.n.dot(&(near.q - near.p)) - b };
    let mut at = pair.from(&(near.p + near.n * a))?;
    for _ in 0..MOST_STEPS {
        if at.askew <= EXACT {
            break;
        }
        *steps += 1;
        let (o, step) = (at.p + at.n * a, pair.step(&at));
        let mut next = pair.from(&(o + step))?;
        for share in [0.5, 0.25, 0.1] {
            if next.askew < at.askew {
                break;
            }
            if at.askew <= CLOSE {
                return Some(pair.end(&at));
            }
            next = pair.from(&(o + step * share))?;
        }
        // (where halving does not help pieces change: on to where B's normal points)
        at = if next.askew < at.askew { next } else { pair.from(&(at.p + at.toward * a))? };
    }
    (at.askew <= CLOSE).then(|| pair.end(&at))
}

impl Pair<'_> {
    fn end(&self, at: &Sight) -> (Normal, bool) {
        let (n, _) = direction(&(at.n + at.toward), || at.n);
        let unique = at.m.determinant().abs() > FLAT / self.couple.size * at.m.norm();
        (Normal { n, p: at.p, q: at.q }, unique)
    }
}
