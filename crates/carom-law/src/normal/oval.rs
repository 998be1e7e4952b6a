//! The ellipse in which surfaces adhere whose curvatures differ, by the least energy.
//!
//! Within the ellipse of semi-axes a and b the surfaces fit, u = δ − A x² − B y² with A = k_min/2 and B = k_max/2. The pressure
//!
//! p = [p₀ (1 − ρ²) + q_a x²/a² + q_b y²/b²]/√(1 − ρ²),  ρ² = x²/a² + y²/b²,
//!
//! makes such displacements: that of √(1 − ρ²) is Hertz's, h = (ab/(2E*)) (I₀ − I_a x² − I_b y²), and those of x²/a² and y²/b² over the root are a ∂h/∂a and b ∂h/∂b. So p₀, q_a and q_b follow from δ, A and B. Elastic energy less w π a b
//! is least over a and b where what the edge gives as it moves out, along either axis, pays for the new area:
//!
//! ∮ G cos²φ dφ = ∮ G sin²φ dφ = π w,  G = π q²/(2E* g),  q = q_a cos²φ + q_b sin²φ,  g² = cos²φ/a² + sin²φ/b²
//!
//! (G is the energy release rate of the edge at (a cos φ, b sin φ), where the pressure goes to q/√(2 g s) at the distance s). For a = b that is Johnson, Kendall and Roberts. As the energy is least, F = dU/dδ exactly.
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | I₀ | 1/m | ∫ dt/√((a² + t)(b² + t) t) over t > 0 = 2∫ D^(−1/2) dφ, 0 to π/2, D = a² cos²φ + b² sin²φ |
//! | I_a, I_b | 1/m³ | the same with 1/(a² + t) or 1/(b² + t) more: 2∫ cos²φ D^(−3/2) dφ, 2∫ sin²φ D^(−3/2) dφ |
//! | I_aa, I_ab, I_bb | 1/m⁵ | with two such factors: ∫ (2cos⁴φ, 6cos²φ sin²φ, 2sin⁴φ) D^(−5/2) dφ |
//!
//! All integrals are over periodic functions: the midpoint rule converges as fast as a power, e^(−4N artanh(b/a)). Lengths along the surface are in units of L, L³ = π w R²/(8E*), R = 1/√(k_min k_max), depths of d = L²/R, forces of π w R.
//!
//! Source: A. Giudici, D. Vella, I. Griffiths, Mechanics of elliptical JKR-type adhesive contact (arXiv 2407.00378), who take the least energy where K. L. Johnson, J. A. Greenwood, *J. Phys. D* 38 (2005) 1042–1046, ask for the release rate
//! at the ends of both axes alone; its summary was seen, not its formulas: derived here.

use std::f64::consts::PI;

use carom_base::elementary::{cbrt, cos, ln, powi, sin};
use carom_base::{Dual, Jet, Scalar};

use super::jkr;
use crate::hertz;

/// The part of π by which the midpoint rule is exact to rounding: N artanh(b/a) must be that.
const ENOUGH: f64 = 9.5;
/// A step of Newton's method smaller than this is the last one: what is left is its square.
const DONE: f64 = 1e-8;
/// Steps of Newton's method at most.
const MOST: usize = 40;
/// A second derivative beyond this is one of a vertical tangent, of which nobody has use.
const STEEPEST: f64 = 1e6;

/// √(k_max/k_min) of a contact that adheres in an ellipse.
#[derive(Clone, Copy, Debug)]
pub(super) struct Oval(pub(super) f64);

/// What an ellipse of contact is at an indentation, in the units above.
struct Fields<S: Scalar> {
    /// what the edge gives along either axis by what new area takes, less 1
    edge: [S; 2],
    force: S,
    /// stored energy, in units of π w R d
    energy: S,
    /// stiffness with which the contact would unload, in units of E* L
    stiffness: S,
}

/// A state of equilibrium.
#[derive(Clone, Copy, Debug)]
pub(super) struct State<S: Scalar = f64> {
    /// √(ab)
    pub(super) size: S,
    /// √(a/b)
    pub(super) aspect: S,
    pub(super) delta: S,
    pub(super) force: S,
    pub(super) energy: S,
    pub(super) stiffness: S,
}

impl State<Dual<1>> {
    /// The rate of a quantity by the indentation, of a state with its derivatives by the size.
    fn by_delta(&self, x: Dual<1>) -> f64 {
        x.eps[0] / self.delta.eps[0]
    }
}

/// The ends of the curve of equilibria: where surfaces jump apart, and the largest tension. Latched as the surfaces touch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ends {
    /// √(ab), √(a/b) and δ where the surfaces jump apart
    pub(super) last: [f64; 3],
    /// largest tension
    pub(super) tension: f64,
}

impl Ends {
    /// As a touch latches them.
    pub(super) fn numbers(&self) -> [f64; 4] {
        let [size, aspect, delta] = self.last;
        [size, aspect, delta, self.tension]
    }

    /// From what a touch has latched; `None` if that is nothing.
    pub(super) fn latched([size, aspect, delta, tension]: [f64; 4]) -> Option<Ends> {
        (tension > 0.0).then_some(Ends { last: [size, aspect, delta], tension })
    }
}

/// Solves three equations by elimination, the largest coefficient of the first column first.
fn solve<S: Scalar>(mut m: [[S; 4]; 3]) -> [S; 3] {
    for i in 0..3 {
        let largest = (i..3).max_by(|&j, &k| m[j][i].value().abs().total_cmp(&m[k][i].value().abs()));
        m.swap(i, largest.unwrap_or(i));
        for j in i + 1..3 {
            let part = m[j][i] / m[i][i];
            for k in i..4 {
                let taken = part * m[i][k];
                m[j][k] -= taken;
            }
        }
    }
    let z = m[2][3] / m[2][2];
    let y = (m[1][3] - m[1][2] * z) / m[1][1];
    let x = (m[0][3] - m[0][1] * y - m[0][2] * z) / m[0][0];
    [x, y, z]
}

impl Oval {
    /// √(a/b) of Hertz's ellipse with these curvatures.
    fn hertz_aspect(self) -> f64 {
        hertz::PointContact::new(1.0, 1.0 / self.0, self.0)
            .map_or(1.0, |hertz| 1.0 / hertz.axis_ratio().sqrt())
    }

    /// K/(E* √R) of Hertz's ellipse with these curvatures.
    pub(super) fn kappa(self) -> f64 {
        1.0
    }

    fn fields<S: Scalar>(self, [a, b]: [S; 2], delta: S) -> Fields<S> {
        let number = S::from_f64;
        let (a_2, b_2, ab) = (a * a, b * b, a * b);
        let ratio = (b.value() / a.value()).min(a.value() / b.value()).clamp(1e-3, 0.999);
        let nodes = (ENOUGH / (0.5 * ln((1.0 + ratio) / (1.0 - ratio)))).ceil().max(8.0);
        let weight = 0.5 * PI / nodes;
        let mut sums = [number(0.0); 6];
        // of the edge: Σ cos²ᵏφ sin²ˡφ/√(b² cos²φ + a² sin²φ), k + l = 3
        let mut edges = [number(0.0); 4];
        for i in 0..nodes as usize {
            let phi = (i as f64 + 0.5) * weight;
            let (c, s) = (powi(cos(phi), 2), powi(sin(phi), 2));
            let d = a_2 * number(c) + b_2 * number(s);
            let first = number(weight) / d.sqrt();
            let (third, fifth) = (first / d, first / (d * d));
            let terms = [
                first,
                third * number(c),
                third * number(s),
                fifth * number(c * c),
                fifth * number(3.0 * c * s),
                fifth * number(s * s),
            ];
            // (the edge has the axes the other way round: so do the nodes)
            let around = [s * s * s, s * s * c, s * c * c, c * c * c];
            sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term * number(2.0));
            edges.iter_mut().zip(around).for_each(|(sum, part)| *sum += first * number(part));
        }
        let [i_0, i_a, i_b, i_aa, i_ab, i_bb] = sums;
        let half = ab * number(0.5);
        let (h, h_x, h_y) = (half * i_0, half * i_a, half * i_b);
        let three = number(3.0);
        let rows = [
            [h, h - a_2 * h_x, h - b_2 * h_y, delta],
            [h_x, h_x - half * three * a_2 * i_aa, h_x - half * b_2 * i_ab, number(0.5 / self.0)],
            [h_y, h_y - half * a_2 * i_ab, h_y - half * three * b_2 * i_bb, number(0.5 * self.0)],
        ];
        let [p, q_a, q_b] = solve(rows);
        let (aa, cross, bb) = (q_a * q_a, q_a * q_b * number(2.0), q_b * q_b);
        // along a: Σ q² cos²φ, along b: Σ q² sin²φ
        let along = aa * edges[0] + cross * edges[1] + bb * edges[2];
        let across = aa * edges[1] + cross * edges[2] + bb * edges[3];
        let scale = ab * number(0.25 * PI);
        let area = ab * number(PI);
        let force = area * (p + q_a + q_b) * number(2.0 / 3.0);
        let (even, own) = (number(2.0 / 15.0), number(0.4));
        let x_2 = a_2 * area * (p * even + q_a * own + q_b * even);
        let y_2 = b_2 * area * (p * even + q_a * even + q_b * own);
        let elastic = delta * force - x_2 * number(0.5 / self.0) - y_2 * number(0.5 * self.0);
        Fields {
            edge: [scale * along - number(1.0), scale * across - number(1.0)],
            force: force * number(0.125),
            energy: (elastic * number(0.5) - ab * number(8.0)) * number(0.125),
            stiffness: number(2.0 * PI) / i_0,
        }
    }

    /// The equilibrium of a size √(ab), with its derivatives by the size, from a start of √(a/b) and δ.
    fn of_size(self, size: f64, mut aspect: f64, mut delta: f64) -> State<Dual<1>> {
        let at = |aspect: f64, delta: f64| {
            let (m, k) = (Dual::<3>::variable(size, 0), Dual::variable(aspect, 1));
            self.fields([m * k, m / k], Dual::variable(delta, 2))
        };
        // by both unknowns: the step to the solution, and how it moves with the size
        let steps = |fields: &Fields<Dual<3>>| {
            let [r, s] = fields.edge;
            let det = r.eps[1] * s.eps[2] - r.eps[2] * s.eps[1];
            let solve =
                |x: f64, y: f64| [(r.eps[2] * y - s.eps[2] * x) / det, (s.eps[1] * x - r.eps[1] * y) / det];
            (solve(r.re, s.re), solve(r.eps[0], s.eps[0]))
        };
        let mut fields = at(aspect, delta);
        for _ in 0..MOST {
            let [k, d] = steps(&fields).0;
            // (an aspect far off is approached by parts)
            let slow = (0.3 * aspect / k.abs()).min(1.0);
            (aspect, delta) = (aspect + slow * k, delta + slow * d);
            fields = at(aspect, delta);
            if !(k.abs() > DONE * aspect || d.abs() > DONE * (1.0 + delta.abs())) {
                break;
            }
        }
        let by_size = steps(&fields).1;
        let of = |re: f64, rate: f64| Dual { re, eps: [rate] };
        let along = |x: Dual<3>| of(x.re, x.eps[0] + x.eps[1] * by_size[0] + x.eps[2] * by_size[1]);
        State {
            size: of(size, 1.0),
            aspect: of(aspect, by_size[0]),
            delta: of(delta, by_size[1]),
            force: along(fields.force),
            energy: along(fields.energy),
            stiffness: along(fields.stiffness),
        }
    }

    /// The size at which a derivative along the curve vanishes, by the secant method from near there.
    fn turn(self, start: f64, rate: impl Fn(&State<Dual<1>>) -> f64) -> State<Dual<1>> {
        let guess = |size: f64| (cbrt(self.0), size * size - 4.0 * size.sqrt());
        let of = |size: f64, near: Option<&State<Dual<1>>>| {
            let (aspect, delta) = near.map_or_else(|| guess(size), |near| (near.aspect.re, near.delta.re));
            self.of_size(size, aspect, delta)
        };
        let mut last = of(start, None);
        let mut now = of(1.01 * start, Some(&last));
        for _ in 0..MOST {
            let (f, g) = (rate(&last), rate(&now));
            let step = -g * (now.size.re - last.size.re) / (g - f);
            let step = step.clamp(-0.2 * now.size.re, 0.2 * now.size.re);
            if step.is_nan() {
                break;
            }
            (last, now) = (now, of(now.size.re + step, Some(&now)));
            if step.abs() <= DONE * now.size.re {
                break;
            }
        }
        now
    }

    /// The ends of the curve of equilibria.
    pub(super) fn ends(self) -> Ends {
        let last = self.turn(1.0, |state| state.delta.eps[0]);
        let strongest = self.turn(cbrt(9.0), |state| state.force.eps[0]);
        Ends { last: [last.size.re, last.aspect.re, last.delta.re], tension: -strongest.force.re }
    }

    /// The equilibrium on the stable branch at an indentation, and dF/dδ.
    pub(super) fn at(self, delta: f64, ends: &Ends) -> (State, f64) {
        let [first, narrow, least] = ends.last;
        let root = (delta - least).max(0.0).sqrt();
        // as a circle has it whose curve ends there; under larger loads the ellipse becomes Hertz's (from far off, another solution could be found, where energy is not least)
        let z = jkr::area(-3.0 * delta / least);
        let slender = self.hertz_aspect();
        let mut aspect = slender + (narrow - slender) / (z * z);
        let (mut size, mut near) = (first * z * z, delta);
        let mut state = self.of_size(size, aspect, near);
        for _ in 0..MOST {
            // √(δ − δ_c) is nearly straight, also where the surfaces jump apart
            let own = (state.delta.re - least).max(0.0).sqrt();
            let slope = if own > 0.0 { 0.5 * state.delta.eps[0] / own } else { 0.0 };
            let step = (root - own) / slope;
            if !step.is_finite() {
                break;
            }
            let next = (size + step).max(first);
            (aspect, near) =
                (state.aspect.re + state.aspect.eps[0] * step, state.delta.re + state.delta.eps[0] * step);
            (size, state) = (next, self.of_size(next, aspect, near));
            if step.abs() <= DONE * size {
                break;
            }
        }
        // (what the last step has left of the indentation)
        let left = delta - state.delta.re;
        let at = |x: Dual<1>| if left == 0.0 { x.re } else { x.re + state.by_delta(x) * left };
        let found = State {
            size,
            aspect: state.aspect.re,
            delta,
            force: at(state.force),
            energy: at(state.energy),
            stiffness: at(state.stiffness),
        };
        (found, bound(state.by_delta(state.force), STEEPEST))
    }

    /// The same with first and second derivatives by the indentation.
    pub(super) fn along(self, delta: f64, ends: &Ends) -> State<Jet> {
        let State { size, aspect, .. } = self.at(delta, ends).0;
        let at = self.fields(
            [
                Dual::<2>::variable(size, 0) * Dual::variable(aspect, 1),
                Dual::variable(size, 0) / Dual::variable(aspect, 1),
            ],
            Dual::from_f64(delta),
        );
        let [r, s] = at.edge;
        let det = r.eps[0] * s.eps[1] - r.eps[1] * s.eps[0];
        let number = <Jet as Scalar>::from_f64;
        let (mut m, mut k) = (number(size), number(aspect));
        let depth = Jet::time(delta);
        // Newton's method with the slopes at the point: each step makes one derivative more exact
        for _ in 0..2 {
            let [x, y] = self.fields([m * k, m / k], depth).edge;
            let [x, y] = [x, y].map(|x| x - number(x.value));
            m -= x * number(s.eps[1] / det) - y * number(r.eps[1] / det);
            k -= y * number(r.eps[0] / det) - x * number(s.eps[0] / det);
        }
        let Fields { force, energy, stiffness, .. } = self.fields([m * k, m / k], depth);
        let [size, aspect, force, energy, stiffness] = [m, k, force, energy, stiffness].map(bounded);
        State { size, aspect, delta: depth, force, energy, stiffness }
    }
}

/// Derivatives that are no larger than anybody has use of: where the surfaces jump apart tangents are vertical.
fn bounded(x: Jet) -> Jet {
    Jet {
        value: x.value,
        rate: bound(x.rate, STEEPEST),
        second: bound(x.second, STEEPEST * STEEPEST * STEEPEST),
    }
}

fn bound(rate: f64, most: f64) -> f64 {
    if rate.is_nan() { -most } else { rate.clamp(-most, most) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A circle is Johnson, Kendall and Roberts': δ = z⁴ − 4z, F = z⁶/6 − z³, U = z¹⁰/15 − (2/3) z⁷ + z⁴.
    #[test]
    fn a_circle_is_that_of_jkr() {
        let oval = Oval(1.0);
        let ends = oval.ends();
        assert!((ends.last[0] - 1.0).abs() < 1e-9 && (ends.last[2] + 3.0).abs() < 1e-12, "{ends:?}");
        assert!((ends.tension - 1.5).abs() < 1e-12, "{ends:?}");
        for z in [1.001f64, 1.2, 1.6, 3.0, 40.0] {
            let (state, slope) = oval.at(z.powi(4) - 4.0 * z, &ends);
            let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-10 * (1.0 + b.abs()), "{z}: {a} {b}");
            close(state.size, z * z);
            close(state.force, z.powi(6) / 6.0 - z.powi(3));
            close(state.energy, z.powi(10) / 15.0 - 2.0 / 3.0 * z.powi(7) + z.powi(4));
            close(state.stiffness, 2.0 * z * z);
            close(slope, (z.powi(5) - 3.0 * z * z) / (4.0 * z.powi(3) - 4.0));
        }
    }

    /// Against the least energy over all ellipses, found with 30 digits by elliptic integrals in Carlson's form and differences of the energy.
    #[test]
    fn the_energy_is_least() {
        let rows = [
            (2.0, 0.0, [2.47667140840608, 1.44716602780769, -1.31072627455532, -3.68034075912968]),
            (2.0, 5.0, [3.49086777167634, 1.4935824933412, 0.829600036581858, -5.65249460643343]),
            (5.0, 0.0, [2.31731391101041, 2.35596631361831, -1.23770421102664, -3.22196625729743]),
            (5.0, 20.0, [5.11950960807695, 2.65625903564242, 17.1107520751734, 121.160389425072]),
        ];
        for (slender, delta, want) in rows {
            let oval = Oval(slender);
            let state = oval.at(delta, &oval.ends()).0;
            for (found, want) in [state.size, state.aspect, state.force, state.energy].into_iter().zip(want) {
                assert!(
                    (found - want).abs() < 1e-12 * (1.0 + want.abs()),
                    "{slender} {delta}: {found} {want}"
                );
            }
        }
    }

    /// F = dU/dδ, and its derivatives; far in, the ellipse is Hertz's.
    #[test]
    fn ellipses_have_a_potential() {
        for slender in [1.02f64, 1.7, 4.0, 12.0] {
            let oval = Oval(slender);
            let ends = oval.ends();
            for delta in [0.9 * ends.last[2], 0.0, 0.7, 30.0, 1e4] {
                let h = 1e-4 * (delta - ends.last[2]);
                let at = |i: f64| oval.at(delta + i * h, &ends).0;
                let slope =
                    |x: &dyn Fn(f64) -> f64| (8.0 * (x(1.0) - x(-1.0)) - (x(2.0) - x(-2.0))) / (12.0 * h);
                let state = oval.along(delta, &ends);
                let close = |what: &str, a: f64, b: f64, part: f64| {
                    assert!((a - b).abs() < part * (1.0 + b.abs()), "{what} {slender} {delta}: {a} {b}");
                };
                close("F", slope(&|i| at(i).energy), state.force.value, 1e-8);
                close("dF", slope(&|i| at(i).force), state.force.rate, 1e-8);
                close(
                    "d²F",
                    slope(&|i| oval.along(delta + i * h, &ends).force.rate),
                    state.force.second,
                    1e-7,
                );
                close("dS", slope(&|i| at(i).stiffness), state.stiffness.rate, 1e-8);
            }
            let state = oval.at(1e8, &ends).0;
            let hertz = hertz::PointContact::new(1.0, 1.0 / slender, slender).unwrap();
            let ratio = 1.0 / (state.aspect * state.aspect);
            assert!((ratio / hertz.axis_ratio() - 1.0).abs() < 1e-3, "{slender}: {ratio}");
            // F/(E* L d)
            let part = 8.0 * state.force / (hertz.stiffness() * 1e12);
            assert!((part - 1.0).abs() < 1e-3, "{slender}: {part}");
            // on the way there the ellipse becomes more slender: no other solution is found
            let (mut delta, mut last) = (0.99 * ends.last[2], 0.0);
            while delta < 1e4 {
                let next = oval.at(delta, &ends).0.aspect;
                assert!(next > last, "{slender} {delta}: {next} {last}");
                (delta, last) = (delta + 0.1 * (1.0 + delta.abs()), next);
            }
        }
    }
}
