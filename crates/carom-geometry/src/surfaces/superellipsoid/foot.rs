//! Closest points of superellipsoids. By symmetry x is taken to the octant of positive coordinates, where its foot is, too.
//!
//! **From outside** the problem is convex. p + t ∇F(p) = x is an equation for every coordinate, z = x_i/e_i given and s = p_i/e_i sought,
//!
//!   s + λ c s^(γ − 1) = z,
//!
//! monotonic in s; with growing λ all s fall, so that F(p(λ)) = 0 is one monotonic equation for μ = ln λ (`sum.rs`, `nested.rs` say
//! which λ c belongs to which coordinate). With s = z r and κ = λ c z^(γ − 2) all of them are r + κ r^(γ − 1) = 1. Logarithms keep
//! everything in range.
//!
//! **From within** there may be several nearest points, as in a box: a descent starts on each of the three walls of the octant, where a
//! line along an axis through x meets it, and the nearest end wins. It goes by Newton's method on the surface,
//! (E + d S) v = x − p − d n with S the shape operator, its eigenvalues made positive, steps halved until the distance falls. A foot no
//! deeper than the smallest radius of curvature is the nearest for certain: a ball of that radius touches every point from within. For
//! deeper ones search alone shows that none is missed (`tests/superellipsoid.rs`).
//!
//! Derivatives by the shape operator (`bend.rs`).

use carom_base::{Dual, Vec3};

use super::{Form, Superellipsoid};
use crate::bend::Bend;
use crate::contact::Curvature;
use crate::convex::{Implicit, Level};
use crate::foot::direction;
use crate::surface::{Foot, Project, Side};

const MOST_STEPS: usize = 60;

/// ln r of r + κ r^(γ − 1) = 1 and its derivative by ln κ: Newton's method for ln(r + κ r^(γ − 1)), convex in ln r, from above.
pub(super) fn shrink(ln_kappa: f64, g: f64) -> (f64, f64) {
    let mut rho = (-ln_kappa / (g - 1.0)).min(0.0);
    for _ in 0..MOST_STEPS {
        let other = ln_kappa + (g - 1.0) * rho;
        let (large, small) = if rho > other { (rho, other) } else { (other, rho) };
        let part = (small - large).exp();
        let share = if rho > other { 1.0 / (1.0 + part) } else { part / (1.0 + part) };
        let step = (large + part.ln_1p()) / (share + (g - 1.0) * (1.0 - share));
        rho -= step;
        // the error of the next would be the square of this
        if !(step.abs() > 1e-9) {
            break;
        }
    }
    let rest = -rho.exp_m1();
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
        let e = (t - largest).exp();
        if e > 0.0 {
            sum += e;
            slope += e * dt;
        }
    }
    (largest + sum.ln(), slope / sum)
}

/// The logarithm of F + 1 at a multiplier λ, its derivative by ln λ, and the point, in semi axes.
pub(super) struct Trial {
    pub(super) level: f64,
    pub(super) slope: f64,
    pub(super) s: Vec3,
}

/// The point where the level is zero, falling in μ.
fn crossing(mut mu: f64, trial: impl Fn(f64) -> Trial) -> Vec3 {
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    let mut last = false;
    for _ in 0..100 {
        let Trial { level, slope, s } = trial(mu);
        if last || !(level.abs() > 1e-15) {
            return s;
        }
        if level > 0.0 {
            low = mu
        } else {
            high = mu
        }
        // Newton's step for exp(−½ level), which is nearly straight in λ
        let step = ((0.5 * level).exp_m1() / (-0.5 * slope)).ln_1p();
        let next = mu + step;
        last = step.abs() < 1e-9;
        mu = if last || (next > low && next < high) {
            next
        } else if low == f64::NEG_INFINITY {
            high - 3.0
        } else if high == f64::INFINITY {
            low + 3.0
        } else {
            0.5 * (low + high)
        };
    }
    trial(mu).s
}

impl Superellipsoid {
    /// The point of the surface nearest to x.
    fn nearest(&self, x: &Vec3) -> Vec3 {
        let folded = x.abs();
        let z = folded.component_div(&self.semi);
        let p = if self.gauge(&z) > 1.0 { self.from_outside(&folded, &z) } else { self.from_within(&folded) };
        p.zip_map(x, f64::copysign)
    }

    /// The foot of x and the derivatives of F there. Far from the surface the line to the foot tells ∇F better than the foot does:
    /// the rounding of a point on a sharp edge turns its normal.
    fn foot_level(&self, x: &Vec3) -> (Vec3, Level) {
        let p = self.nearest(x);
        let mut level = self.level(&p);
        let r = x - p;
        let away = r.norm();
        if away > 0.1 * self.reach && away.is_finite() {
            level.gradient = r * (level.gradient.norm() / away).copysign(r.dot(&level.gradient));
        }
        (p, level)
    }

    fn from_outside(&self, x: &Vec3, z: &Vec3) -> Vec3 {
        // t |∇F| is about what x is beyond the surface, seen from the centre
        let start = self.towards(z);
        let level = self.level(&start);
        let t = (x - start).norm() / level.gradient.norm();
        let s = match &self.form {
            Form::Sum(sum) => crossing(t.ln(), sum.trial(z)),
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

    fn from_within(&self, x: &Vec3) -> Vec3 {
        let mut best = (f64::INFINITY, Vec3::z());
        for axis in 0..3 {
            let p = self.descend(x, self.along(axis, x));
            let square = (x - p).norm_squared();
            if square < best.0 {
                best = (square, p);
            }
        }
        best.1
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

    /// The minimum of |x − p| below a start.
    fn descend(&self, x: &Vec3, start: Vec3) -> Vec3 {
        let size = self.reach;
        let (mut p, mut last) = (start, f64::INFINITY);
        for _ in 0..MOST_STEPS {
            let r = x - p;
            let square = r.norm_squared();
            let mut step = self.step(&p, &r);
            let rounding = 4.0 * f64::EPSILON * size * (square.sqrt() + f64::EPSILON * size);
            let mut next = self.moved(&p, &step);
            let mut halvings = 0;
            while !((x - next).norm_squared() <= square + rounding) && halvings < 40 {
                step *= 0.5;
                halvings += 1;
                next = self.moved(&p, &step);
            }
            let length = step.norm();
            // steps that no longer shrink are rounding
            if halvings == 40 || (length < 1e-9 * size && length >= 0.5 * last) {
                break;
            }
            (p, last) = (next, length);
            if !(length > 1e-17 * size) {
                break;
            }
        }
        p
    }

    /// Newton's step on the tangent plane, downhill.
    fn step(&self, p: &Vec3, r: &Vec3) -> Vec3 {
        let bend = self.bend(p);
        let d = bend.n.dot(r);
        let nudge = 0.02 * self.semi.min();
        let along = |k: f64, t: &Vec3| {
            let (slope, spread) = (t.dot(r), 1.0 + d * k);
            // on a saddle the slope says nothing: down either way
            if spread < -1e-9 && slope.abs() < -1e-2 * spread * nudge {
                t * nudge.copysign(slope)
            } else {
                t * (slope / spread.abs().max(1e-14))
            }
        };
        let step = along(bend.k[0], &bend.t[0]) + along(bend.k[1], &bend.t[1]);
        let most = 0.5 * self.semi.max();
        if step.norm() > most { step * (most / step.norm()) } else { step }
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
    fn foot(&self, side: Side, _feature: usize, x: &Vec3) -> Foot {
        let (p, level) = self.foot_level(x);
        let n = direction(&level.gradient, Vec3::z).0 * side.sign();
        Foot { p, n, d: n.dot(&(x - p)) }
    }
    fn foot_dual(&self, side: Side, _feature: usize, x: &Vec3<Dual<3>>) -> Foot<Dual<3>> {
        let (p, level) = self.foot_level(&x.map(|c| c.re));
        Bend::new(&level.gradient, &level.hessian).foot_dual(side, &p, x)
    }
    fn curvature(&self, side: Side, _feature: usize, x: &Vec3) -> Curvature {
        let level = self.foot_level(x).1;
        Bend::new(&level.gradient, &level.hessian).seen_from(side)
    }
    fn hollow_radius(&self, side: Side) -> f64 {
        match side {
            Side::Outside => f64::INFINITY,
            Side::Inside => self.least,
        }
    }
}
