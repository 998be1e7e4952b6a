//! s over a plane that touches the sphere of normals: Newton's method with nothing to normalise on the way.
//!
//! n = (n₀ + y₁ t + y₂ b)/L, L² = 1 + y², with t, b across a first guess n₀. Every support function is a root of a quadratic, h = √(nᵀE n) = √Q(y)/L, and so
//! s = F/L with
//!
//!   F(y) = c·(n₀, t, b)(1, y) − √Q_A − √Q_B.
//!
//! s is stationary where G = L² ∇F − F y = 0. There −DG = L² Σ(E − w wᵀ/Q)/√Q + F E − sym(∇F yᵀ), w = ½ ∇Q, the matrix of the step taken
//! everywhere: symmetric, exact at y = 0 and at the solution, so that convergence is quadratic.
//!
//! Valid within a good radian of n₀. Where steps are long, do not shrink or the matrix is not positive there is no answer, and
//! [`Ellipsoids::climb`](super::Ellipsoids::climb) has to find one. Checked with it.

use carom_base::{Pose, Vec3};

use super::Nearest;
use crate::surfaces::Ellipsoid;

/// Steps at most; 3 are usual.
pub(super) const MOST_STEPS: usize = 8;
/// y is this exact, about; squared.
const EXACT_2: f64 = 1e-30;
/// A step that may be the last, and one that certainly is; squared.
const SHORT_2: f64 = 4e-15;
const LAST_2: f64 = 1e-17;
/// The longest step, squared.
const LONGEST_2: f64 = 0.5;

/// Q of an ellipsoid: E in the frame (t, b, n₀) [m²].
#[derive(Clone, Copy, Default)]
pub(super) struct Quadratic {
    pub(super) tt: f64,
    pub(super) tb: f64,
    pub(super) bb: f64,
    pub(super) tn: f64,
    pub(super) bn: f64,
    pub(super) nn: f64,
}

/// √Q, ½ ∇Q/√Q and the Hessian of √Q.
struct Root {
    h: f64,
    g: [f64; 2],
    tt: f64,
    tb: f64,
    bb: f64,
}

impl Quadratic {
    /// E = Kᵀ K, by the columns of K.
    #[inline(always)]
    pub(super) fn of([t, b, n]: &[Vec3; 3]) -> Quadratic {
        Quadratic { tt: t.dot(t), tb: t.dot(b), bb: b.dot(b), tn: t.dot(n), bn: b.dot(n), nn: n.dot(n) }
    }

    #[inline(always)]
    fn root(&self, [y1, y2]: [f64; 2]) -> Root {
        let w1 = self.tn + self.tt * y1 + self.tb * y2;
        let w2 = self.bn + self.tb * y1 + self.bb * y2;
        let q = (self.nn + self.tn * y1 + self.bn * y2) + w1 * y1 + w2 * y2;
        // 1/√q as √q (1/q): root and quotient at the same time
        let (h, i2) = (q.sqrt(), 1.0 / q);
        let i = h * i2;
        Root {
            h,
            g: [w1 * i, w2 * i],
            tt: (self.tt - w1 * w1 * i2) * i,
            tb: (self.tb - w1 * w2 * i2) * i,
            bb: (self.bb - w2 * w2 * i2) * i,
        }
    }
}

/// F(y): both ellipsoids, and the centre of B in the frame (t, b, n₀).
#[derive(Clone, Copy, Default)]
pub(super) struct Chart {
    pub(super) a: Quadratic,
    pub(super) b: Quadratic,
    pub(super) c: [f64; 3],
}

/// Whether a search has come to its end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Not,
    There,
    Nowhere,
}

impl Chart {
    /// Newton's step; not a number where the matrix is not positive.
    #[inline(always)]
    pub(super) fn step(&self, y: [f64; 2]) -> [f64; 2] {
        let (a, b) = (self.a.root(y), self.b.root(y));
        let f = (self.c[2] + self.c[0] * y[0] + self.c[1] * y[1]) - (a.h + b.h);
        let d = [self.c[0] - (a.g[0] + b.g[0]), self.c[1] - (a.g[1] + b.g[1])];
        let l2 = 1.0 + (y[0] * y[0] + y[1] * y[1]);
        let g = [l2 * d[0] - f * y[0], l2 * d[1] - f * y[1]];
        let tt = l2 * (a.tt + b.tt) + (f - d[0] * y[0]);
        let tb = l2 * (a.tb + b.tb) - 0.5 * (d[0] * y[1] + d[1] * y[0]);
        let bb = l2 * (a.bb + b.bb) + (f - d[1] * y[1]);
        let det = tt * bb - tb * tb;
        let i = if (det > 0.0) & (tt > 0.0) { 1.0 / det } else { f64::NAN };
        [(bb * g[0] - tb * g[1]) * i, (tt * g[1] - tb * g[0]) * i]
    }

    /// Where a step of the squared length `v2` leads, the one before having been `last2`; not a number: there was none.
    #[inline(always)]
    pub(super) fn end(v2: f64, last2: f64) -> End {
        // steps go as C v², C of order 1: the next one would be v (v/last)²
        let small = (v2 <= LAST_2) | ((v2 < SHORT_2) & (v2 * v2 * v2 < EXACT_2 * last2 * last2));
        // steps of rounding no longer shrink
        let still = (v2 < 1e-14) & (v2 >= 0.25 * last2);
        let nowhere = !(v2 < LONGEST_2) | (v2 > 4.0 * last2);
        if small | still {
            End::There
        } else if nowhere {
            End::Nowhere
        } else {
            End::Not
        }
    }

    /// The y of the stationary s near n₀.
    #[inline(always)]
    fn stationary(&self, steps: &mut usize) -> Option<[f64; 2]> {
        let (mut y, mut last2) = ([0.0; 2], f64::NAN);
        for _ in 0..MOST_STEPS {
            *steps += 1;
            let v = self.step(y);
            y = [y[0] + v[0], y[1] + v[1]];
            let v2 = v[0] * v[0] + v[1] * v[1];
            match Chart::end(v2, last2) {
                End::Not => last2 = v2,
                End::There => return Some(y),
                End::Nowhere => return None,
            }
        }
        None
    }
}

/// Two unit vectors across a unit vector, without a branch.
#[inline(always)]
pub(super) fn across(n: &Vec3) -> [Vec3; 2] {
    let sign = 1f64.copysign(n.z);
    let (u, w) = (-1.0 / (sign + n.z), n.x * n.y);
    let t = Vec3::new(1.0 + sign * n.x * n.x * u, sign * w * u, -sign * n.x);
    [t, Vec3::new(w * u, sign + n.y * n.y * u, -n.y)]
}

/// The common normal near the unit vector `n`, in A's frame, B being at `x` in it.
#[inline(always)]
pub(super) fn search([a, b]: [&Ellipsoid; 2], x: &Pose, n: &Vec3, steps: &mut usize) -> Option<Nearest> {
    let [t, u] = across(n);
    // K of both: its columns for t, b and n₀, semi axes times what the ellipsoid sees of them
    let k_a = [own(a, &t), own(a, &u), own(a, n)];
    let k_b = [seen(b, x, &t), seen(b, x, &u), seen(b, x, n)];
    let chart =
        Chart { a: Quadratic::of(&k_a), b: Quadratic::of(&k_b), c: [t.dot(&x.p), u.dot(&x.p), n.dot(&x.p)] };
    let y = chart.stationary(steps)?;
    Some(nearest(a, x, &at(&[t, u, *n], y), &at(&k_a, y), &at(&k_b, y)))
}

/// e_i v_i.
#[inline(always)]
pub(super) fn own(e: &Ellipsoid, v: &Vec3) -> Vec3 {
    e.semi_axes().component_mul(v)
}

/// The same of a direction seen from the frame that `x` is in.
#[inline(always)]
pub(super) fn seen(e: &Ellipsoid, x: &Pose, v: &Vec3) -> Vec3 {
    own(e, &x.direction_to_local(v))
}

/// K (y, 1).
#[inline(always)]
fn at(k: &[Vec3; 3], y: [f64; 2]) -> Vec3 {
    k[2] + k[0] * y[0] + k[1] * y[1]
}

/// s across m, a vector of any length, from both K m: by the ellipsoids' own semi axes, so that nothing is lost to the shape matrices.
#[inline(always)]
pub(super) fn nearest(a: &Ellipsoid, x: &Pose, m: &Vec3, z_a: &Vec3, z_b: &Vec3) -> Nearest {
    let inverse = |square: f64| square.sqrt() * (1.0 / square);
    let (square, h_a, h_b) = (z_a.norm_squared(), z_a.norm(), z_b.norm());
    let i = inverse(m.norm_squared());
    Nearest { n: m * i, p: own(a, z_a) * inverse(square), s: (m.dot(&x.p) - (h_a + h_b)) * i }
}
