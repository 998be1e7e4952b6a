//! Closest points of superellipsoids. By symmetry x is taken to the octant of positive coordinates, where its closest point is, too.
//!
//! Both sides go down by Newton's method on the surface, (E + d S) v = x − p − d n with S the shape operator, its eigenvalues made
//! positive, steps halved until the distance falls.
//!
//! **From outside** the problem is convex: wherever that ends with x outwards is the closest. From the point towards the centre it takes 4 to 6
//! steps. Sharp edges and points far away may take many; then the closest point comes from the equations themselves. p + t ∇F(p) = x is an equation for every coordinate, z = x_i/e_i given and s = p_i/e_i sought,
//!
//!   s + λ c s^(γ − 1) = z,
//!
//! monotonic in s; with growing λ all s fall, so that F(p(λ)) = 0 is one monotonic equation for μ = ln λ (`sum.rs`, `nested.rs` say
//! which λ c belongs to which coordinate). With s = z r and κ = λ c z^(γ − 2) all of them are r + κ r^(γ − 1) = 1. Logarithms keep
//! everything in range.
//!
//! **From within** there may be several nearest points, as in a box: a descent starts on each of the three walls of the octant, where a
//! line along an axis through x meets it, and the nearest end wins. A closest point no
//! deeper than the smallest radius of curvature is the nearest for certain: a ball of that radius touches every point from within. For
//! deeper ones search alone shows that none is missed (`tests/superellipsoid.rs`).
//!
//! Derivatives by the shape operator (`bend.rs`).

use carom_base::elementary::{exp, expm1, ln, log1p};
use carom_base::{Dual, Vec3};

use super::{Form, Superellipsoid};
use crate::bend::Bend;
use crate::closest_point::{closest_near, direction};
use crate::contact::Curvature;
use crate::shape::{ClosestPoint, Implicit, Level, Project, Side, Start};
use crate::surfaces::superellipse::is_smooth_power;

/// Steps of a descent, and those after which the equations for a closest point from outside are faster.
const MOST_STEPS: usize = 60;
const QUICK_STEPS: usize = 12;
/// Points no further apart than this share of the smallest radius of curvature have the same minimum.
const SAME: f64 = 1e-4;

/// A point on the way down to a minimum.
#[derive(Clone, Copy)]
struct Minimum {
    p: Vec3,
    /// |x − p|²
    square: f64,
    /// (x − p)·n, a step before
    d: f64,
    /// arrived, to rounding
    settled: bool,
}

/// A step v of a descent.
struct Step {
    v: Vec3,
    /// (x − p)·v
    fall: f64,
    /// Newton's own: in a valley, not cut short
    plain: bool,
}

/// ln r of r + κ r^(γ − 1) = 1 and its derivative by ln κ: Newton's method for ln(r + κ r^(γ − 1)), convex in ln r, from above.
pub(super) fn shrink(ln_kappa: f64, g: f64) -> (f64, f64) {
    let mut rho = (-ln_kappa / (g - 1.0)).min(0.0);
    for _ in 0..MOST_STEPS {
        let other = ln_kappa + (g - 1.0) * rho;
        let (large, small) = if rho > other { (rho, other) } else { (other, rho) };
        let part = exp(small - large);
        let share = if rho > other { 1.0 / (1.0 + part) } else { part / (1.0 + part) };
        let step = (large + log1p(part)) / (share + (g - 1.0) * (1.0 - share));
        rho -= step;
        // the error of the next would be the square of this
        if !(step.abs() > 1e-9) {
            break;
        }
    }
    let rest = -expm1(rho);
    (rho, -rest / (1.0 - rest + (g - 1.0) * rest))
}

/// ln Σ exp(t_i), its derivative with those of the t_i. A term −∞ has none.
pub(super) fn log_sum<const N: usize>(terms: [(f64, f64); N]) -> (f64, f64) {
    let largest = terms.iter().fold(f64::NEG_INFINITY, |m, t| m.max(t.0));
    if largest == f64::NEG_INFINITY {
        return (largest, 0.0);
    }
    let (mut sum, mut slope) = (0.0, 0.0);
    for (t, dt) in terms {
        let e = exp(t - largest);
        if e > 0.0 {
            sum += e;
            slope += e * dt;
        }
    }
    (largest + ln(sum), slope / sum)
}

/// The logarithm of F + 1 at a multiplier λ, its derivative by ln λ, and the point, in semi axes.
pub(super) struct Trial {
    pub(super) level: f64,
    pub(super) slope: f64,
    pub(super) s: Vec3,
}

/// The point where the level is zero, falling in μ.
fn crossing(mut mu: f64, trial: impl Fn(f64) -> Trial) -> Vec3 {
    let (mut low, mut high, mut wide) = (f64::NEG_INFINITY, f64::INFINITY, 1.0);
    let mut last = false;
    for _ in 0..200 {
        let Trial { level, slope, s } = trial(mu);
        if last || !(level.abs() > 1e-15) {
            return s;
        }
        if level > 0.0 {
            low = mu
        } else {
            high = mu
        }
        // Newton's step for exp(−level/q), which is nearly straight in λ: it falls as λ^−q far away, where −q is the slope
        let q = (-slope).max(2.0);
        let step = log1p(expm1(level / q) * (q / -slope));
        last = step.abs() < 1e-9;
        mu = if last || (mu + step > low && mu + step < high) {
            mu + step
        } else if low > f64::NEG_INFINITY && high < f64::INFINITY {
            0.5 * (low + high)
        } else {
            wide *= 2.0;
            if high < f64::INFINITY { high - wide } else { low + wide }
        };
    }
    trial(mu).s
}

impl Superellipsoid {
    /// The point of the surface nearest to x.
    fn nearest(&self, x: &Vec3) -> Vec3 {
        let folded = x.abs();
        let z = folded.component_div(&self.semi);
        let p = if self.gauge(&z) > 1.0 {
            self.nearest_outside(&folded, &z)
        } else {
            self.nearest_within(&folded)
        };
        p.zip_map(x, f64::copysign)
    }

    /// The closest point to x and the derivatives of F there. Far from the surface the line to the closest point tells ∇F better than the closest point does:
    /// the rounding of a point on a sharp edge turns its normal.
    fn closest_point_level(&self, x: &Vec3) -> (Vec3, Level) {
        let p = self.nearest(x);
        let mut level = self.level(&p);
        let r = x - p;
        let away = r.norm();
        if away > 0.1 * self.reach && away.is_finite() {
            level.gradient = r * (level.gradient.norm() / away).copysign(r.dot(&level.gradient));
        }
        (p, level)
    }

    fn nearest_outside(&self, x: &Vec3, z: &Vec3) -> Vec3 {
        let start = self.towards(z);
        let near = self.descend(x, start, QUICK_STEPS, None);
        if near.settled && near.d >= 0.0 {
            return near.p;
        }
        // t |∇F| is about what x is beyond the surface, seen from the centre
        let t = (x - start).norm() / self.level(&start).gradient.norm();
        let s = match &self.form {
            Form::Sum(sum) => crossing(ln(t), sum.trial(z)),
            Form::Nested(f) => match f.trial(z, &start.component_div(&self.semi), t) {
                (mu, Some(trial)) => crossing(mu, trial),
                _ => Vec3::z(),
            },
        };
        self.on_surface(s.component_mul(&self.semi))
    }

    /// A point next to the surface, put on it.
    fn on_surface(&self, p: Vec3) -> Vec3 {
        let level = self.level(&p);
        (p - level.gradient * (level.f / level.gradient.norm_squared())).map(|c| c.max(0.0))
    }

    fn nearest_within(&self, x: &Vec3) -> Vec3 {
        // the nearest start first, as others are then seen to be hopeless
        let mut starts = [0, 1, 2].map(|axis| self.along(axis, x));
        let away = |p: &Vec3| (x - p).norm_squared();
        for (i, j) in [(0, 1), (1, 2), (0, 1)] {
            if away(&starts[j]) < away(&starts[i]) {
                starts.swap(i, j);
            }
        }
        let mut best = self.descend(x, starts[0], MOST_STEPS, None);
        for start in &starts[1..] {
            if best.settled && -best.d <= self.least {
                break;
            }
            best = self.descend(x, *start, MOST_STEPS, Some(best));
        }
        best.p
    }

    /// Where the line through x along an axis meets the surface.
    fn along(&self, axis: usize, x: &Vec3) -> Vec3 {
        let z = x.component_div(&self.semi);
        let mut s = z;
        s[axis] = match &self.form {
            Form::Sum(sum) => sum.beside(axis, &z),
            Form::Nested(nested) => nested.beside(axis, &z),
        };
        s.component_mul(&self.semi)
    }

    /// The minimum of |x − p| below a start, or the `best` one known unless that is further.
    fn descend(&self, x: &Vec3, start: Vec3, steps: usize, best: Option<Minimum>) -> Minimum {
        let size = self.reach;
        let mut here = Minimum { p: start, square: (x - start).norm_squared(), d: 0.0, settled: false };
        let mut last = f64::INFINITY;
        for _ in 0..steps {
            let mut step = self.step(x, &mut here);
            let (mut v, mut length) = (step.v, step.v.norm());
            if let Some(best) = best {
                // near a minimum it is half of r·v below in ½ r²
                let lowest = here.square - 2.0 * step.fall;
                let higher = step.plain && length < 0.05 * size && lowest > best.square;
                if higher || (best.p - here.p).norm() < SAME * self.least {
                    return best;
                }
            }
            // |x − p|² is known to the rounding of x − p
            let away = here.square.sqrt();
            let rounding = 4.0 * f64::EPSILON * (size + away) * (away + f64::EPSILON * size);
            let mut next = self.moved(&here.p, &v);
            let mut halvings = 0;
            while !((x - next).norm_squared() <= here.square + rounding) && halvings < 40 {
                (v, length, step.plain) = (v * 0.5, 0.5 * length, false);
                halvings += 1;
                next = self.moved(&here.p, &v);
            }
            // steps that no longer shrink are rounding
            let stuck = halvings == 40 || (length < 1e-9 * size && length >= 0.5 * last);
            if stuck {
                here.settled = length < 1e-9 * size;
                break;
            }
            (here.p, here.square, last) = (next, (x - next).norm_squared(), length);
            // the error of the next would be the square of this, by the sharpest curvature
            if step.plain && length * length < 1e-17 * size * self.least {
                here.settled = true;
                break;
            }
        }
        best.filter(|best| best.square <= here.square).unwrap_or(here)
    }

    /// Newton's step on the tangent plane, downhill.
    fn step(&self, x: &Vec3, here: &mut Minimum) -> Step {
        let (bend, r) = (self.bend(&here.p), x - here.p);
        here.d = bend.n.dot(&r);
        let nudge = 0.02 * self.semi.min();
        let mut step = Step { v: Vec3::zeros(), fall: 0.0, plain: true };
        for (k, t) in bend.k.iter().zip(&bend.t) {
            let (slope, spread) = (t.dot(&r), 1.0 + here.d * k);
            step.plain &= spread > 1e-3;
            // on a saddle the slope says nothing: down either way
            let along = if spread < -1e-9 && slope.abs() < -1e-2 * spread * nudge {
                nudge.copysign(slope)
            } else {
                slope / spread.abs().max(1e-14)
            };
            step.v += t * along;
            step.fall += slope * along;
        }
        let (length, most) = (step.v.norm(), 0.5 * self.semi.max());
        if length > most {
            step.v *= most / length;
            step.plain = false;
        }
        step
    }

    /// The point of the surface a step along the tangent plane, in the same octant.
    fn moved(&self, p: &Vec3, step: &Vec3) -> Vec3 {
        let to = (p + step).abs();
        if step.norm() < 1e-5 * self.least {
            self.on_surface(to)
        } else {
            self.towards(&to.component_div(&self.semi))
        }
    }
}

impl Project for Superellipsoid {
    fn features(&self, side: Side) -> &'static [&'static str] {
        match side {
            Side::Outside => &["superellipsoid"],
            Side::Inside => &["wall"],
        }
    }
    fn closest_point(&self, side: Side, _feature: usize, x: &Vec3) -> ClosestPoint {
        let (p, level) = self.closest_point_level(x);
        let n = direction(&level.gradient, Vec3::z).0 * side.sign();
        ClosestPoint { p, n, d: n.dot(&(x - p)) }
    }
    fn closest_point_near(&self, x: &Vec3, start: &Start) -> Option<(ClosestPoint, Start)> {
        closest_near(|p| self.level(p), x, start)
    }
    fn seam(&self, k: usize, x: &Vec3) -> Option<(f64, Vec3)> {
        // by symmetry the closest points of such a plane are in it
        let (g, pole) = (self.exponents(), self.has_rough_poles());
        (0..3)
            .filter(|i| !is_smooth_power(g[*i]) || (pole && *i < 2))
            .nth(k)
            .map(|i| (x[i], Vec3::ith(i, 1.0)))
    }
    fn closest_point_dual(&self, side: Side, _feature: usize, x: &Vec3<Dual<3>>) -> ClosestPoint<Dual<3>> {
        let (p, level) = self.closest_point_level(&x.map(|c| c.re));
        Bend::new(&level.gradient, &level.hessian).closest_point_dual(side, &p, x)
    }
    fn curvature(&self, side: Side, _feature: usize, x: &Vec3) -> Curvature {
        let level = self.closest_point_level(x).1;
        Bend::new(&level.gradient, &level.hessian).seen_from(side)
    }
    fn hollow_radius(&self, side: Side) -> f64 {
        match side {
            Side::Outside => f64::INFINITY,
            Side::Inside => self.least,
        }
    }
}
