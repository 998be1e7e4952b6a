//! The minima of a rim's distance from a wall, leaning to some side: all places around the circle that may be the least.
//!
//! Along the circle the distance bends upwards by its radius at most, as it is a concave function of the place: so no minimum is lower than the nearest of some looks by more than is known, and Newton's method follows those that can be the least.

use std::sync::LazyLock;

use carom_base::elementary::sincos;
use carom_base::{Dual, Mat3};
use nalgebra::Vector2;

use super::{Circle, LOOKS, Looks, STEP};
use crate::shape::{Project, Side};

pub(super) type Vec2 = Vector2<f64>;

/// Minima that are returned at most: as many points of a rim as carry together (Carathéodory, in two dimensions).
pub(super) const MOST: usize = 3;
/// Steps of Newton's method at most; 3 to 5 are usual.
pub(super) const MOST_STEPS: usize = 60;
/// A step below this [rad] is the last.
pub(super) const SMALL: f64 = 1e-15;
/// A step below this [rad], and by so much shorter than the one before, is the last: those of Newton's method become shorter by squares.
const SQUARE: f64 = 1e-8;
const SQUARED: f64 = 1e-3;
/// Two places this near or nearer, by the cosine of the angle between them, a step at most: a search from the one would lead to the other.
const BESIDE: f64 = 0.980_785_280_403_230_4;
/// Steps to a place next to a minimum of the distance at most, and how near is near enough [rad]: crowns move it as far.
const BOTTOM_STEPS: usize = 4;
const NEXT_TO: f64 = 3e-3;
/// A point where q bends downwards by more than this, relative to the radius, is none of its minima.
pub(super) const BENT: f64 = 1e-11;

/// e at the looks.
static AROUND: LazyLock<[Vec2; LOOKS]> = LazyLock::new(|| std::array::from_fn(|k| unit(STEP * k as f64)));

/// e(ψ).
pub(super) fn unit(psi: f64) -> Vec2 {
    let (sin, cos) = sincos(psi);
    Vec2::new(cos, sin)
}

/// The derivative of e where it is `e`.
pub(super) fn around(e: &Vec2) -> Vec2 {
    Vec2::new(-e.y, e.x)
}

/// The distances of a rim from a wall, and the anchor.
pub(super) struct Rounds<'r> {
    pub(super) project: &'r dyn Project,
    pub(super) wall: usize,
    pub(super) radius: f64,
    pub(super) circle: Circle<f64>,
    /// K [m]; zero for the rim as it is
    pub(super) crown: f64,
    /// where the anchor is [rad]
    pub(super) anchor: f64,
}

/// q with its first two derivatives, and e there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    pub(super) e: Vec2,
    pub(super) q: f64,
    pub(super) slope: f64,
    pub(super) bend: f64,
}

impl Look {
    /// Of q + s·e.
    pub(super) fn leaning(&self, s: &Vec2) -> Look {
        let (along, out) = (s.dot(&around(&self.e)), s.dot(&self.e));
        Look { e: self.e, q: self.q + out, slope: self.slope + along, bend: self.bend - out }
    }
}

/// Points of which a search knows already.
#[derive(Clone, Copy)]
pub(super) struct Known<'k> {
    pub(super) looks: &'k [Look],
    /// whether all places beside them are left out, or only such as have nothing lower
    pub(super) all: bool,
}

/// Places next to the minima of the distance itself, with the distance there: crowns change it little, so that the searches of all anchors begin at them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bottoms {
    at: [Option<(f64, Look)>; MOST],
}

impl Rounds<'_> {
    /// d + s·e and its derivatives by ψ.
    pub(super) fn look(&self, psi: f64, s: &Vec2) -> Look {
        let e = unit(psi);
        let (x, along) = self.circle.at(e.x, e.y);
        let variable = x.map_with_location(|i, _, c| Dual::<3>::variable(c, i));
        let here = self.project.closest_point_dual(Side::Inside, self.wall, &variable);
        let n = here.n.map(|c| c.re);
        let turn = Mat3::from_fn(|i, j| here.n[i].eps[j]);
        let bend = along.dot(&(turn * along)) + n.dot(&(self.circle.middle - x));
        Look {
            e,
            q: here.d.re + s.dot(&e),
            slope: n.dot(&along) + s.dot(&around(&e)),
            bend: bend - s.dot(&e),
        }
    }

    /// The minimum of d + s·e within a step of ψ, from there or from a place `known` within that step.
    pub(super) fn newton(&self, start: f64, step: f64, s: &Vec2, known: Option<&(f64, Look)>) -> (f64, Look) {
        let (mut low, mut high, mut last) = (start - step, start + step, f64::INFINITY);
        let (mut psi, mut here) = match known {
            Some((psi, look)) => (*psi, look.leaning(s)),
            None => (start, self.look(start, s)),
        };
        for _ in 0..MOST_STEPS {
            if here.slope > 0.0 {
                high = psi
            } else {
                low = psi
            }
            let mut next = psi - here.slope / here.bend;
            if !(here.bend > 0.0 && next >= low && next <= high) {
                next = 0.5 * (low + high);
            }
            let moved = (next - psi).abs();
            psi = next;
            here = self.look(psi, s);
            // steps that fall by squares leave nothing, and those of rounding grow no smaller
            if moved <= SMALL
                || (moved <= SQUARE && moved <= SQUARED * last)
                || (moved >= last && moved < 1e-9)
            {
                break;
            }
            last = moved;
        }
        (psi, here)
    }

    /// Looks that are no higher than those beside them, and may be beside a minimum lower than `below`.
    fn low(&self, values: &Looks, below: f64, lean: f64) -> impl Iterator<Item = usize> {
        // no minimum is lower than the look next to it by more than this: the second derivative is r and the crown's at most
        let under = (self.radius + lean) * STEP * STEP / 8.0;
        let most = below.min(values.iter().copied().fold(f64::INFINITY, f64::min) + 2.0 * under) + under;
        (0..LOOKS).filter(move |k| {
            let (before, after) = (values[(k + LOOKS - 1) % LOOKS], values[(k + 1) % LOOKS]);
            values[*k] <= before && values[*k] <= after && values[*k] <= most
        })
    }

    /// Places next to the minima of the distance; none where it has many, as it is the same all round.
    pub(super) fn bottoms(&self, looks: &Looks) -> Bottoms {
        let (mut at, zero) = ([None; MOST], Vec2::zeros());
        for (number, k) in self.low(looks, f64::INFINITY, 0.0).enumerate() {
            if number == MOST {
                return Bottoms { at: [None; MOST] };
            }
            let (start, mut psi) = (STEP * k as f64, STEP * k as f64);
            let mut here = self.look(psi, &zero);
            for _ in 0..BOTTOM_STEPS {
                let next = (psi - here.slope / here.bend).clamp(start - STEP, start + STEP);
                if !(here.bend > 0.0 && (next - psi).abs() > NEXT_TO) {
                    break;
                }
                psi = next;
                here = self.look(psi, &zero);
            }
            at[number] = Some((psi, here));
        }
        Bottoms { at }
    }

    /// The places around where d + s·e has minima lower than `below`, at most three, the least of them first; from distances at some places. Those next to points that are `known` are left out.
    pub(super) fn minima(
        &self,
        (looks, bottoms): (&Looks, &Bottoms),
        s: &Vec2,
        below: f64,
        known: Known<'_>,
    ) -> ([(f64, Look); MOST], usize) {
        let around = &*AROUND;
        let values: Looks = std::array::from_fn(|k| looks[k] + s.dot(&around[k]));
        let nowhere = Look { e: Vec2::zeros(), q: f64::INFINITY, slope: 0.0, bend: 0.0 };
        let (mut found, mut count) = ([(0.0, nowhere); MOST + 1], 0);
        for k in self.low(&values, below, s.norm()) {
            let psi = STEP * k as f64;
            let beside = |look: &Look| look.e.dot(&around[k]) >= BESIDE && look.bend > BENT * self.radius;
            let lowest = |look: &Look| look.q - 0.5 * look.slope * (look.slope / look.bend);
            if known.looks.iter().any(|look| beside(look) && (known.all || lowest(look) >= below)) {
                continue;
            }
            let bottom = bottoms.at.iter().flatten().find(|(bottom, _)| (bottom - psi).abs() <= STEP);
            let minimum = self.newton(psi, STEP, s, bottom);
            if minimum.1.q < below {
                found[count] = minimum;
                found[..=count].sort_by(|a, b| a.1.q.total_cmp(&b.1.q));
                count = MOST.min(count + 1);
            }
        }
        (std::array::from_fn(|j| found[j]), count)
    }
}
