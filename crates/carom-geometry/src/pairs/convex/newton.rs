//! The common normal by Newton's method in the tangent plane.
//!
//! A is smooth: at its point p it has the normal n_A and the shape operator S_A. B is seen from the point o = p + l n_A: there its normal is
//! n_B, and turns by K do as o is moved. Where n_A = −n_B at a point p and o − p is along both, the surfaces have a common normal. If p moves by x in the
//! tangent plane, n_A turns by S_A x and o moves by (E + l S_A) x, so that Newton's step is
//!
//!   (S_A + K (E + l S_A)) x = e,   e = −n_B − n_A in the tangent plane.
//!
//! Two ways to see B:
//! - *smooth* B: o is its point q, l = s the signed distance, K = S_B; q is an unknown too, and its step is y = (E + s S_A) x + …, with what
//!   q − p is off n. The matrix S_A + S_B + s S_B S_A is regular unless both are flat in the same direction, or R_A + R_B + s E is
//!   singular, R the radii: the true condition for a stationary s (readings of Lopes et al. 2010, Section 8).
//! - *any* B that knows closest points: o is in the core of A, l = −r, outside B as long as the cores are apart; n_B and K come with o's closest point on B. Faces,
//!   edges and corners take their turns by themselves, as a closest point does.
//!
//! The same matrix gives the derivatives by the poses (`Follow`): there e is what the motion of the two frames does to n_A and n_B.

use carom_base::{Dual, Mat3, Pose, Vec3};
use nalgebra::{Matrix2, Matrix3x2, Vector2};

use super::couple::Couple;
use crate::closest_point::{direction, tangent};
use crate::shape::{Implicit, Project, Side};

/// Newton's steps at most: a start from the cores' directions takes 2 to 6.
const MOST_STEPS: usize = 25;
/// A step below this, relative to the size, is the last: the next would be its square.
const SMALL: f64 = 1e-9;
/// Points are this exact, about, relative to the size.
const EXACT: f64 = 1e-14;
/// A step below this changes a distance, stationary at the end, by no more than its rounding.
const SHORT: f64 = 1e-5;
/// Rounding of a distance, relative to the size, and of a normal.
const ROUNDING: f64 = 1e-15;

/// The common normal, in A's frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Normal {
    pub(super) n: Vec3,
    pub(super) p: Vec3,
    pub(super) q: Vec3,
}

/// A point of a smooth surface, its outward normal and shape operator S, in the frame it is seen from.
#[derive(Clone, Copy, Debug)]
pub(in crate::pairs) struct Spot {
    pub(in crate::pairs) p: Vec3,
    pub(in crate::pairs) n: Vec3,
    pub(in crate::pairs) shape: Mat3,
}

impl Spot {
    /// The point of the surface near `p`, in the surface's frame.
    pub(in crate::pairs) fn on(surface: &dyn Implicit, p: &Vec3) -> Spot {
        let (p, level) = surface.settle(p);
        let (n, steep) = direction(&level.gradient, Vec3::z);
        Spot { p, n, shape: level.hessian / steep }
    }

    /// The same, seen from outside of the frame `x`.
    pub(in crate::pairs) fn seen(&self, x: &Pose) -> Spot {
        Spot { p: x.point(&self.p), n: x.direction(&self.n), shape: x.r * self.shape * x.r.transpose() }
    }
}

/// Two unit vectors across `n`, as columns.
pub(in crate::pairs) fn across(n: &Vec3) -> Matrix3x2<f64> {
    let t = tangent(n);
    Matrix3x2::from_columns(&[t, n.cross(&t)])
}

/// The part of a symmetric matrix in the tangent plane.
pub(in crate::pairs) fn within(m: &Mat3, t: &Matrix3x2<f64>) -> Matrix2<f64> {
    t.tr_mul(&(m * t))
}

/// M⁻¹ e; what a singular M leaves open stays as it is.
pub(in crate::pairs) fn solve(m: &Matrix2<f64>, e: &Vector2<f64>) -> Vector2<f64> {
    let det = m.determinant();
    let size = m.norm_squared();
    if det.abs() > 1e-13 * size {
        Vector2::new(m.m22 * e.x - m.m12 * e.y, m.m11 * e.y - m.m21 * e.x) / det
    } else if size > 0.0 {
        // rank one: the least solution
        m.tr_mul(e) / size
    } else {
        Vector2::zeros()
    }
}

/// Curvatures below this, relative to the size, leave points open: what is known of a normal is rounding over that.
const FLAT: f64 = 1e-7;

/// How far a step may go at once, as a share of the size.
const LONGEST: f64 = 0.3;

fn shorten(x: Vec3, size: f64) -> Vec3 {
    let length = x.norm();
    if length > LONGEST * size { x * (LONGEST * size / length) } else { x }
}

/// Both smooth. From p and q, points near the two surfaces.
pub(super) fn smooth(
    couple: &Couple<'_>,
    [a, b]: [&dyn Implicit; 2],
    [p, q]: [&Vec3; 2],
    steps: &mut usize,
) -> Option<Normal> {
    let x = &couple.x;
    let spot_b = |q: &Vec3| Spot::on(b, &x.point_to_local(q)).seen(x);
    let (mut at, mut to) = (Spot::on(a, p), spot_b(q));
    let mut miss = misfit(&at, &to, couple.size);
    let mut last = f64::NAN;
    for _ in 0..MOST_STEPS {
        *steps += 1;
        let (n, _) = direction(&(at.n - to.n), Vec3::z);
        let t = across(&n);
        let (s_a, s_b) = (within(&at.shape, &t), within(&to.shape, &t));
        let apart = to.p - at.p;
        let (s, off) = (n.dot(&apart), t.tr_mul(&apart));
        // n turns by S_A x − e_A, q moves by x + s (S_A x − e_A) − off, and −n by S_B y − e_B
        let (e_a, e_b) = (t.tr_mul(&(n - at.n)), t.tr_mul(&(-n - to.n)));
        let m = s_a + s_b + s_b * s_a * s;
        let step_a = solve(&m, &(e_a + e_b + s_b * (e_a * s + off)));
        let step_b = step_a + (s_a * step_a - e_a) * s - off;
        let length = step_a.norm().max(step_b.norm());
        if !length.is_finite() {
            return None;
        }
        let mut share = (LONGEST * couple.size / length).min(1.0);
        // steps go as C x²: the next one would be C x² with C from this one and the last
        let next = length * (length / last) * (length / last);
        let small =
            length <= SMALL * couple.size || (length < SHORT * couple.size && next < EXACT * couple.size);
        last = length;
        loop {
            let next = [Spot::on(a, &(at.p + t * (step_a * share))), spot_b(&(to.p + t * (step_b * share)))];
            let missed = misfit(&next[0], &next[1], couple.size);
            if small || missed < miss {
                ([at, to], miss) = (next, missed);
                break;
            }
            share *= 0.5;
            if share < 0.05 {
                return None;
            }
        }
        if small {
            let (n, _) = direction(&(at.n - to.n), Vec3::z);
            return Some(Normal { n, p: at.p, q: to.p });
        }
    }
    None
}

/// How much is missing to a common normal: n_A + n_B, and what q − p is off, relative to the size.
fn misfit(a: &Spot, b: &Spot, size: f64) -> f64 {
    let (n, _) = direction(&(a.n - b.n), Vec3::z);
    let apart = b.p - a.p;
    (a.n + b.n).norm_squared() + (apart - n * n.dot(&apart)).norm_squared() / (size * size)
}

/// A smooth, B known by closest points. From p, a point near A's surface, B seen from p + l n: from A's core, if the cores are apart. Else from a point
/// outside B, past its point q (`Couple::lever`): there nothing tells up from down, and a start that is not close leads nowhere.
pub(super) fn projected(
    couple: &Couple<'_>,
    a: &dyn Implicit,
    b: &dyn Project,
    p: &Vec3,
    l: Option<f64>,
    steps: &mut usize,
) -> Option<Normal> {
    let (size, deep) = (couple.size, l.is_some());
    let l = l.unwrap_or(-couple.coat[0]);
    let mut at = Spot::on(a, p);
    let mut seen = Seen::new(couple, b, &at, l);
    let (mut x, mut plain) = (seen.step(&at)?, false);
    for _ in 0..MOST_STEPS {
        // a point of A's core is in B's: they are not apart
        let apart = seen.d + couple.coat[1];
        if !(apart > 0.0) || (deep && x.norm() > 0.1 * size) {
            return None;
        }
        *steps += 1;
        x = shorten(x, size);
        // the distance of the core's point from B is least at the end: a step that does not lower it is too long
        (at, seen) = loop {
            let next = Spot::on(a, &(at.p + x));
            let now = Seen::new(couple, b, &next, l);
            if deep || now.d <= seen.d + ROUNDING * size || x.norm() <= SHORT * size {
                break (next, now);
            }
            (x, plain) = (x * 0.5, false);
        };
        let then = seen.step(&at)?;
        let (last, left) = (x.norm(), then.norm());
        let askew = (at.n + seen.n).norm();
        // the next but one would be the square of the next, which needs no other look at B
        let open = left.max(askew * size);
        if open <= SMALL * size && left < 0.01 * last {
            *steps += usize::from(open > EXACT * size);
            return Some(seen.after(&at, &then));
        }
        // as near as rounding lets it: B's normal is that of o − q
        if askew <= ROUNDING * (1.0 + 0.2 * size / apart) || (last <= SMALL * size && left > 0.5 * last) {
            return Some(seen.after(&at, &Vec3::zeros()));
        }
        let rest = rest(&x, &then).filter(|_| plain);
        (x, plain) = (rest.unwrap_or(then), rest.is_none());
    }
    // flat pieces that face each other may have no end, but a distance
    (!deep).then(|| seen.after(&at, &Vec3::zeros()))
}

/// Where A is flat, F ~ x^γ, Newton's steps shrink by ρ = (γ − 2)/(γ − 1) each time: the sum of one and all that follow, x/(1 − ρ), if the
/// last two are of that kind.
fn rest(last: &Vec3, x: &Vec3) -> Option<Vec3> {
    let rho = x.dot(last) / last.norm_squared();
    let alike = x.norm() < 1.05 * rho * last.norm();
    (alike && rho > 0.3 && rho < 0.98).then(|| x / (1.0 - rho))
}

/// B as the point o of A sees it, in A's frame.
pub(super) struct Seen {
    /// o − p along n_A [m]
    l: f64,
    /// the closest point on B
    q: Vec3,
    n: Vec3,
    d: f64,
    /// K: how n turns as o moves
    turn: Mat3,
}

impl Seen {
    fn new(couple: &Couple<'_>, b: &dyn Project, at: &Spot, l: f64) -> Seen {
        let x = &couple.x;
        let o = x.point_to_local(&(at.p + at.n * l));
        let closest_point =
            b.closest_point_dual(Side::Outside, 0, &Vec3::from_fn(|i, _| Dual::variable(o[i], i)));
        let turn = Mat3::from_fn(|i, j| closest_point.n[i].eps[j]);
        Seen {
            l,
            q: x.point(&closest_point.p.map(|c| c.re)),
            n: x.direction(&closest_point.n.map(|c| c.re)),
            d: closest_point.d.re,
            turn: x.r * turn * x.r.transpose(),
        }
    }

    /// The common normal after a last, short step, to first order.
    fn after(&self, at: &Spot, x: &Vec3) -> Normal {
        // o moves by (E + l S_A) x, and K turns n_B
        let (n, _) = direction(&-(self.n + self.turn * (x + at.shape * x * self.l)), Vec3::z);
        let p = at.p + x;
        Normal { n, p, q: p + n * n.dot(&(self.q - p)) }
    }

    /// Newton's step.
    fn step(&self, at: &Spot) -> Option<Vec3> {
        let t = across(&at.n);
        let (s_a, k) = (within(&at.shape, &t), within(&self.turn, &t));
        let m = s_a + k * (Matrix2::identity() + s_a * self.l);
        let x = solve(&m, &-t.tr_mul(&self.n));
        x.norm().is_finite().then(|| t * x)
    }
}

/// How a common normal moves with the two frames, world frame.
pub(super) struct Follow {
    pub(super) at: Spot,
    /// K, and where it is seen from: o = p + l n
    pub(super) turn: Mat3,
    pub(super) l: f64,
}

impl Follow {
    /// Both smooth, at a common normal in A's frame, seen from the world.
    pub(super) fn smooth(
        couple: &Couple<'_>,
        [a, b]: [&dyn Implicit; 2],
        found: &Normal,
        x_a: &Pose,
    ) -> Follow {
        let x = &couple.x;
        let to = Spot::on(b, &x.point_to_local(&found.q)).seen(x).seen(x_a);
        let s = found.n.dot(&(found.q - found.p));
        Follow { at: Spot::on(a, &found.p).seen(x_a), turn: to.shape, l: s }
    }

    /// A smooth, B known by closest points.
    pub(super) fn projected(
        couple: &Couple<'_>,
        a: &dyn Implicit,
        b: &dyn Project,
        found: &Normal,
        x_a: &Pose,
    ) -> Follow {
        let at = Spot::on(a, &found.p);
        let seen = Seen::new(couple, b, &at, couple.lever(found.n.dot(&(found.q - found.p))));
        Follow { at: at.seen(x_a), turn: x_a.r * seen.turn * x_a.r.transpose(), l: seen.l }
    }

    /// S_A + K (E + l S_A) in the tangent plane, with S_A and K.
    fn matrices(&self) -> (Matrix2<f64>, Matrix2<f64>, Matrix2<f64>, Matrix3x2<f64>) {
        let t = across(&self.at.n);
        let (s_a, k) = (within(&self.at.shape, &t), within(&self.turn, &t));
        (s_a + k * (Matrix2::identity() + s_a * self.l), s_a, k, t)
    }

    /// Whether the points are determined: not where flat pieces face each other, relative to the size [m] of the two.
    pub(super) fn is_unique(&self, size: f64) -> bool {
        let (m, ..) = self.matrices();
        // the smaller singular value, about
        m.determinant().abs() > FLAT / size * m.norm()
    }

    /// The rates of p, n and s, given those that A and B as rigid bodies would give: of the point p on A, of o on each, of n on each.
    pub(super) fn rates(&self, v: &Moves) -> (Vec3, Vec3, f64) {
        let (m, s_a, k, t) = self.matrices();
        let e = t.tr_mul(&(v.n_b - v.n_a)) - k * t.tr_mul(&(v.o_a - v.o_b));
        let x = solve(&m, &e);
        let dn = v.n_a + t * (s_a * x);
        (v.p_a + t * x, dn, self.at.n.dot(&(v.o_b - v.o_a)))
    }
}

/// What a motion of the two frames does to points and directions fixed on the bodies.
pub(super) struct Moves {
    pub(super) p_a: Vec3,
    pub(super) o_a: Vec3,
    pub(super) o_b: Vec3,
    pub(super) n_a: Vec3,
    pub(super) n_b: Vec3,
}
