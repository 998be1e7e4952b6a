//! The standard impact under any law, integrated step by step.

use carom_base::Dual;
use carom_law::{Indentation, Normal, Touch};

/// What an impact is judged by, in units of the length (m v₀²/K)^{1/(n+1)}, of v₀ and their kin.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) restitution: f64,
    pub(crate) max_indentation: f64,
    pub(crate) peak_force: f64,
    pub(crate) duration: f64,
    pub(crate) compression: f64,
}

/// Where an impact ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Ends {
    /// the force reaches zero
    Force,
    /// the indentation reaches zero
    Indentation,
}

type Pair = [f64; 2];

/// One classical Runge–Kutta step of y' = f(s, y).
fn step(f: &impl Fn(f64, Pair) -> Pair, s: f64, y: Pair, h: f64) -> Pair {
    let add = |a: Pair, k: Pair, c: f64| [a[0] + c * k[0], a[1] + c * k[1]];
    let k1 = f(s, y);
    let k2 = f(s + 0.5 * h, add(y, k1, 0.5 * h));
    let k3 = f(s + 0.5 * h, add(y, k2, 0.5 * h));
    let k4 = f(s + h, add(y, k3, h));
    let sum = |i: usize| k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i];
    [y[0] + h / 6.0 * sum(0), y[1] + h / 6.0 * sum(1)]
}

/// The part h of a step after which g, positive at its start, has reached zero.
fn locate(g: impl Fn(f64) -> f64, h: f64) -> f64 {
    let (mut lo, mut hi) = (0.0, h);
    for _ in 0..60 {
        let mid = 0.5 * (lo + hi);
        if g(mid) > 0.0 { lo = mid } else { hi = mid }
    }
    hi
}

/// δ = z⁴ is 0.05 there.
const Z_EDGE: f64 = 0.472870804501588;
const EDGE: f64 = 0.05;
/// Steps in z, and the step in time.
const N: i32 = 8000;
const H: f64 = 1e-4;

/// m δ̈ = −F for mass 1, speed 1 and stiffness `k`.
///
/// Near touch and release δⁿ and δᵖ are not smooth in time, but everything is smooth in z = δ^{1/4}: there z is
/// the independent variable, dv/dz = −4z³ F/v and dt/dz = 4z³/v. In between it is time.
pub(crate) fn standard_impact(law: &dyn Normal, k: f64, ends: Ends) -> Outcome {
    let touch = Touch::point(k, 1.0, 1.0);
    let force = |x: f64, v: f64| law.force(Indentation { delta: x, delta_dot: v }, &touch).f_n;
    let force_rate = |[x, v]: Pair| {
        let c = Indentation { delta: Dual::variable(x, 0), delta_dot: Dual::variable(v, 1) };
        let f = law.force_dual(c, &touch).f_n;
        f.eps[0] * v - f.eps[1] * f.re
    };
    let edge = |z: f64, [v, _]: Pair| {
        let x = z.powi(4).max(f64::MIN_POSITIVE);
        [-4.0 * z.powi(3) * force(x, v) / v, 4.0 * z.powi(3) / v]
    };
    let inside = |_: f64, [x, v]: Pair| [v, -force(x, v)];

    // a plain dashpot has its first force at once
    let mut out = Outcome { peak_force: force(f64::MIN_POSITIVE, 1.0), ..Outcome::default() };
    let dz = Z_EDGE / f64::from(N);
    let mut y = [1.0, 0.0];
    let mut rising = true;
    for i in 0..N {
        let z = f64::from(i) * dz;
        let at = |h: f64| [(z + h).powi(4), step(&edge, z, y, h)[0]];
        let still = force_rate(at(dz)) > 0.0;
        if rising && !still && i > 0 {
            let [x, v] = at(locate(|h| force_rate(at(h)), dz));
            out.peak_force = out.peak_force.max(force(x, v));
        }
        rising = still;
        y = step(&edge, z, y, dz);
    }

    let mut t = y[1];
    y = [EDGE, y[0]];
    loop {
        let to = |h: f64| step(&inside, t, y, h);
        // a corner of the law at v = 0, or a force held at zero, is no place to step across
        let mut h = H;
        let mut next = to(h);
        let turns = y[1] > 0.0 && next[1] <= 0.0;
        if turns {
            h = locate(|h| to(h)[1], h);
            next = to(h);
            (out.max_indentation, out.compression) = (next[0], t + h);
        }
        if rising && force_rate(next) <= 0.0 {
            let [x, v] = to(locate(|h| force_rate(to(h)), h));
            out.peak_force = out.peak_force.max(force(x, v));
        }
        rising = force_rate(next) > 0.0 && next[1] > 0.0;
        if turns {
            next[1] = -f64::MIN_POSITIVE;
        }
        if ends == Ends::Force && next[1] < 0.0 && force(next[0], next[1]) <= 0.0 {
            // past the zero the force is held there: what is exact is the speed, which no longer changes
            let part = locate(|h| force(to(h)[0], to(h)[1]), h);
            (out.restitution, out.duration) = (-to(part)[1], t + part);
            return out;
        }
        if next[1] < 0.0 && next[0] < EDGE {
            let part = locate(|h| to(h)[0] - EDGE, h);
            (y, t) = (to(part), t + part);
            break;
        }
        (y, t) = (next, t + h);
    }

    y = [y[1], t];
    for i in 0..N {
        y = step(&edge, f64::from(N - i) * dz, y, -dz);
    }
    (out.restitution, out.duration) = (-y[0], y[1]);
    out
}
