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

/// Steps at most; 3 are usual.
pub(in super::super) const MOST_STEPS: usize = 8;
/// y is this exact, about; squared.
const EXACT_2: f64 = 1e-30;
/// A step that may be the last, and one that certainly is; squared.
const SHORT_2: f64 = 4e-15;
const LAST_2: f64 = 1e-17;
/// The longest step, squared.
const LONGEST_2: f64 = 0.5;

/// Q of an ellipsoid: E in the frame (t, b, n₀) [m²].
#[derive(Clone, Copy, Default)]
pub(in super::super) struct Quadratic {
    pub(in super::super) tt: f64,
    pub(in super::super) tb: f64,
    pub(in super::super) bb: f64,
    pub(in super::super) tn: f64,
    pub(in super::super) bn: f64,
    pub(in super::super) nn: f64,
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
    pub(in super::super) fn of([t, b, n]: &[Vec3; 3]) -> Quadratic {
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
pub(in super::super) struct Chart {
    pub(in super::super) a: Quadratic,
    pub(in super::super) b: Quadratic,
    pub(in super::super) c: [f64; 3],
}

/// Whether a search has come to its end: not yet, at an answer, or nowhere. Numbers, so that searches side by side can carry them.
pub(in super::super) const OPEN: f64 = 0.0;
pub(in super::super) const THERE: f64 = 1.0;
pub(in super::super) const NOWHERE: f64 = -1.0;

impl Chart {
    /// Newton's step; not a number where the matrix is not positive.
    #[inline(always)]
    pub(in super::super) fn step(&self, y: [f64; 2]) -> [f64; 2] {
        let (a, b) = (self.a.root(y), self.b.root(y));
        let f = (self.c[2] + self.c[0] * y[0] + self.c[1] * y[1]) - (a.h + b.h);
        let d = [self.c[0] - (a.g[0] + b.g[0]), self.c[1] - (a.g[1] + b.g[1])];
        let l2 = 1.0 + (y[0] * y[0] + y[1] * y[1]);
        let g = [l2 * d[0] - f * y[0], l2 * d[1] - f * y[1]];
        let tt = l2 * (a.tt + b.tt) + (f - d[0] * y[0]);
        let tb = l2 * (a.tb + b.tb) - 0.5 * (d[0] * y[1] + d[1] * y[0]);
        let bb = l2 * (a.bb + b.bb) + (f - d[1] * y[1]);
        let det = tt * bb - tb * tb;
        let i = 1.0 / det;
        let i = if det.min(tt) > 0.0 { i } else { f64::NAN };
        [(bb * g[0] - tb * g[1]) * i, (tt * g[1] - tb * g[0]) * i]
    }

    /// The y of the stationary s near n₀.
    #[inline(always)]
    pub(in super::super) fn stationary(&self, steps: &mut usize) -> Option<[f64; 2]> {
        let (mut y, mut last2) = ([0.0; 2], f64::NAN);
        for _ in 0..MOST_STEPS {
            *steps += 1;
            let v = self.step(y);
            y = [y[0] + v[0], y[1] + v[1]];
            let v2 = v[0] * v[0] + v[1] * v[1];
            let end = end(v2, last2);
            if end != OPEN {
                return (end == THERE).then_some(y);
            }
            last2 = v2;
        }
        None
    }
}

/// Where a step of the squared length `v2` leads, the one before having been `last2`; not a number: there was none.
#[inline(always)]
pub(in super::super) fn end(v2: f64, last2: f64) -> f64 {
    // steps go as C v², C of order 1: the next one would be v (v/last)²
    let small = (v2 <= LAST_2) | ((v2 < SHORT_2) & (v2 * v2 * v2 < EXACT_2 * last2 * last2));
    // steps of rounding no longer shrink
    let still = (v2 < 1e-14) & (v2 >= 0.25 * last2);
    let nowhere = !(v2 < LONGEST_2) | (v2 > 4.0 * last2);
    let otherwise = if nowhere { NOWHERE } else { OPEN };
    if small | still { THERE } else { otherwise }
}

/// Two unit vectors across a unit vector, without a branch.
#[inline(always)]
pub(in super::super) fn across(n: &Vec3) -> [Vec3; 2] {
    let sign = 1f64.copysign(n.z);
    let (u, w) = (-1.0 / (sign + n.z), n.x * n.y);
    let t = Vec3::new(1.0 + sign * n.x * n.x * u, sign * w * u, -sign * n.x);
    [t, Vec3::new(w * u, sign + n.y * n.y * u, -n.y)]
}

/// s around the unit vector n of A's frame, B of these semi axes being at `x` in it.
#[inline(always)]
pub(in super::super) fn of(semi_a: &Vec3, semi_b: &Vec3, x: &Pose, n: &Vec3) -> Chart {
    let [t, b] = across(n);
    let own = |v: &Vec3| semi_a.component_mul(v);
    let seen = |v: &Vec3| semi_b.component_mul(&x.direction_to_local(v));
    Chart {
        a: Quadratic::of(&[own(&t), own(&b), own(n)]),
        b: Quadratic::of(&[seen(&t), seen(&b), seen(n)]),
        c: [t.dot(&x.p), b.dot(&x.p), n.dot(&x.p)],
    }
}

/// n₀ + y₁ t + y₂ b, the direction of y.
#[inline(always)]
pub(in super::super) fn direction(n: &Vec3, y: [f64; 2]) -> Vec3 {
    let [t, b] = across(n);
    n + t * y[0] + b * y[1]
}

/// s across m, a vector of any length: by the ellipsoids' own semi axes, so that nothing is lost to the shape matrices.
#[inline(always)]
pub(in super::super) fn nearest(semi_a: &Vec3, semi_b: &Vec3, x: &Pose, m: &Vec3) -> Nearest {
    let inverse = |square: f64| square.sqrt() * (1.0 / square);
    let (z_a, z_b) = (semi_a.component_mul(m), semi_b.component_mul(&x.direction_to_local(m)));
    let i = inverse(m.norm_squared());
    let p = semi_a.component_mul(&z_a) * inverse(z_a.norm_squared());
    Nearest { n: m * i, p, s: (m.dot(&x.p) - (z_a.norm() + z_b.norm())) * i }
}
