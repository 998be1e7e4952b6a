//! The point of the flat end of a cylinder that is nearest to another one, crowned about a point of its rim: the least g of `cylinder_cylinder`.
//!
//! With n the normal at the point p = m + y + σ w a and y two coordinates in the disc, g's gradient is n_y + (w²/2) ∇σ, by the envelope theorem. g is convex in y but for terms of the order of κ, and its minimum is found from the rim or the anchor,
//! whichever is lower: within the disc by Newton's method, on its rim by Newton's method around it, along each step as far as g falls. Beyond the edge of the core g is a narrow valley along that edge: there Newton's method has polar
//! coordinates about the axis of the core, in which the valley is straight.

use carom_base::{Dual, Mat3, Scalar, Vec3};
use nalgebra::{Matrix2, Vector2};

use super::capsule_on_cylinder::from_inset;
use crate::error::PairFailure;
use crate::shape::ClosestPoint;
use crate::surfaces::Cylinder;

/// κ, as in `slide`.
const CROWN: f64 = 1e-4;
/// Steps at most; 3 to 6 are usual.
const MOST_STEPS: usize = 60;
/// Steps below this share of the radius are those of rounding.
const STILL: f64 = 1e-15;
/// w is exact to this: rounding of the normal near a rounded edge is below it, and g is stationary in w.
const SUNK: f64 = 1e-12;
/// Slopes up to this are those of a minimum.
const FLAT: f64 = 1e-9;

type Vec2 = Vector2<f64>;

/// The flat end of a cylinder.
#[derive(Clone, Copy, Debug)]
pub(super) struct EndDisc {
    /// what d is the distance from
    pub(super) core: Cylinder,
    /// r [m]
    pub(super) radius: f64,
    /// n·a where the disc begins: w counts from there
    pub(super) lean: f64,
}

/// Where the disc is, in the cylinder's frame.
#[derive(Clone, Copy)]
pub(super) struct Disc<S: Scalar> {
    /// m [m]
    pub(super) middle: Vec3<S>,
    /// a, into the cylinder
    pub(super) inwards: Vec3<S>,
    /// the axes of y
    pub(super) across: [Vec3<S>; 2],
    /// how much further in the walls of the core are [m]
    pub(super) inset: S,
}

/// The point found.
pub(super) struct OnDisc<S: Scalar> {
    /// in the cylinder's frame [m]
    pub(super) p: Vec3<S>,
    pub(super) closest: ClosestPoint<S>,
    /// σ (w²/2 + w₀ w) [m], w₀ the lean where the disc begins
    pub(super) crown: S,
}

/// g at some y.
#[derive(Clone, Copy)]
struct Look {
    y: Vec2,
    w: f64,
    g: f64,
    /// g's gradient
    slope: Vec2,
    /// the derivative of n by the place
    turn: Mat3,
}

impl<S: Scalar> Disc<S> {
    fn value(&self) -> Disc<f64> {
        let value = |v: &Vec3<S>| v.map(|c| c.value());
        Disc {
            middle: value(&self.middle),
            inwards: value(&self.inwards),
            across: [value(&self.across[0]), value(&self.across[1])],
            inset: self.inset.value(),
        }
    }

    /// m + y + σ w a.
    fn point(&self, y: &[S; 2], sunk: S) -> Vec3<S> {
        self.middle + self.across[0] * y[0] + self.across[1] * y[1] + self.inwards * sunk
    }
}

impl EndDisc {
    /// By how much a cap that lies on another one is crowned: its radius of curvature [m].
    pub(super) fn crown_radius(radius: f64) -> f64 {
        radius / CROWN
    }

    /// σ, and its gradient.
    fn sigma<S: Scalar>(&self, y: &[S; 2], anchor: &[f64; 2]) -> (S, [S; 2]) {
        let off: [S; 2] = std::array::from_fn(|i| y[i] - S::from_f64(self.radius * anchor[i]));
        let sharp = S::from_f64(CROWN / self.radius);
        ((off[0] * off[0] + off[1] * off[1]) * sharp, off.map(|c| (c + c) * sharp))
    }

    fn look(&self, disc: &Disc<f64>, anchor: &[f64; 2], y: &Vec2) -> Result<Look, PairFailure> {
        let (sigma, of_sigma) = self.sigma(&[y.x, y.y], anchor);
        let of_sigma = Vec2::from(of_sigma);
        let mut w = 0.0;
        for _ in 0..MOST_STEPS {
            let p = disc.point(&[y.x, y.y], sigma * w).map_with_location(|i, _, c| Dual::<3>::variable(c, i));
            let here = from_inset(&self.core, &p, Dual::from_f64(disc.inset));
            let n = here.n.map(|c| c.re);
            let turn = Mat3::from_fn(|i, j| here.n[i].eps[j]);
            let new = (n.dot(&disc.inwards) - self.lean).max(0.0);
            // w = n·a − lean, by Newton's method: p moves by σ with w
            let bend = if new > 0.0 { sigma * disc.inwards.dot(&(turn * disc.inwards)) } else { 0.0 };
            let step = (new - w) / (1.0 - bend.min(0.5));
            if step.abs() <= SUNK || sigma == 0.0 {
                w = new;
                let across = Vec2::new(n.dot(&disc.across[0]), n.dot(&disc.across[1]));
                let slope = across + of_sigma * (0.5 * w * w);
                return Ok(Look { y: *y, w, g: here.d.re - sigma * w * (0.5 * w + self.lean), slope, turn });
            }
            w += step;
        }
        Err(PairFailure::TooDeep)
    }

    /// The second derivative of g.
    fn bend(&self, disc: &Disc<f64>, anchor: &[f64; 2], at: &Look) -> Matrix2<f64> {
        let (sigma, of_sigma) = self.sigma(&[at.y.x, at.y.y], anchor);
        let of_sigma = Vec2::from(of_sigma);
        let turned = at.turn * disc.inwards;
        let (up, across) =
            (turned.dot(&disc.inwards), Vec2::new(turned.dot(&disc.across[0]), turned.dot(&disc.across[1])));
        // w = n(p)·a − lean, and p moves by y, ∇σ w and σ dw
        let of_w = match at.w > 0.0 {
            true => (across + of_sigma * (at.w * up)) / (1.0 - sigma * up),
            false => Vec2::zeros(),
        };
        let flat = Matrix2::from_fn(|i, j| disc.across[i].dot(&(at.turn * disc.across[j])));
        let sinking = of_sigma * at.w + of_w * sigma;
        let crown = Matrix2::identity() * (at.w * at.w * CROWN / self.radius);
        flat + across * sinking.transpose() + crown + of_sigma * of_w.transpose() * at.w
    }

    /// Whether the rim holds the point: g falls outwards.
    fn held(&self, at: &Look) -> bool {
        at.y.norm() >= self.radius * (1.0 - 1e-12) && at.slope.dot(&at.y) < 0.0
    }

    /// The slope around the rim and the second derivative, by the angle.
    fn around(&self, at: &Look, bend: &Matrix2<f64>) -> [f64; 2] {
        let along = Vec2::new(-at.y.y, at.y.x);
        [at.slope.dot(&along), along.dot(&(bend * along)) - at.slope.dot(&at.y)]
    }

    /// The minimum.
    fn least(&self, disc: &Disc<f64>, anchor: &[f64; 2], start: &Vec2) -> Result<Look, PairFailure> {
        let own = self.look(disc, anchor, &(Vec2::from(*anchor) * self.radius))?;
        let rim = self.look(disc, anchor, start)?;
        let mut at = if own.g < rim.g { own } else { rim };
        for _ in 0..MOST_STEPS {
            let step = self.step(disc, anchor, &at);
            let small = match step {
                Step::Turn(angle) => angle.abs() <= STILL,
                Step::Move(by) => by.norm() <= STILL * self.radius,
                Step::Arc { out, turn, .. } => out.abs() <= STILL * self.radius && turn.abs() <= STILL,
            };
            if small {
                return Ok(at);
            }
            match self.descend(disc, anchor, &at, &step)? {
                Some(next) => at = next,
                None => break,
            }
        }
        // no lower to rounding: this is the minimum, unless g has a kink
        let rest = if self.held(&at) { at.slope.perp(&at.y).abs() / self.radius } else { at.slope.norm() };
        if rest <= FLAT { Ok(at) } else { Err(PairFailure::TooDeep) }
    }

    fn step(&self, disc: &Disc<f64>, anchor: &[f64; 2], at: &Look) -> Step {
        let bend = self.bend(disc, anchor, at);
        let on_rim = at.y.norm() >= self.radius * (1.0 - 1e-12);
        let turn = || {
            let [slope, bend] = self.around(at, &bend);
            let angle = if bend > 0.0 { -slope / bend } else { -slope.signum() };
            Step::Turn(angle.clamp(-1.0, 1.0))
        };
        if self.held(at) {
            return turn();
        }
        if let Some(arc) = self.along_edge(disc, at, &bend) {
            return arc;
        }
        let down = -at.slope;
        let step = bend.lu().solve(&down).filter(|s| s.dot(&down) > 0.0).unwrap_or(down * self.radius);
        if on_rim && step.dot(&at.y) >= 0.0 {
            // (the model leads out of the disc, the slope does not)
            let steepest = down / bend.trace().abs().max(1e-3 / self.radius);
            return if steepest.dot(&at.y) < 0.0 { Step::Move(self.inside(&at.y, steepest)) } else { turn() };
        }
        Step::Move(self.inside(&at.y, step))
    }

    /// Beyond the edge of the core, Newton's step in polar coordinates about its axis; nothing elsewhere, or if the step leads upwards or out of the disc.
    fn along_edge(&self, disc: &Disc<f64>, at: &Look, bend: &Matrix2<f64>) -> Option<Step> {
        let p = disc.point(&[at.y.x, at.y.y], 0.0);
        let (radius, half) = (self.core.radius() - disc.inset, 0.5 * self.core.length() - disc.inset);
        let beyond = p.xy().norm() >= radius && p.z.abs() >= half;
        // where the axis of the core pierces the disc's plane
        let [a, b] = &disc.across;
        let centre = Matrix2::new(a.x, b.x, a.y, b.y)
            .lu()
            .solve(&-Vec2::new(disc.middle.x, disc.middle.y))
            .filter(|_| beyond)?;
        let from = at.y - centre;
        let r = from.norm();
        let (out, round) = (from / r, Vec2::new(-from.y, from.x) / r);
        let (slope_out, slope_round) = (at.slope.dot(&out), at.slope.dot(&round));
        let rising = out.dot(&(bend * out));
        let mixed = r * out.dot(&(bend * round)) + slope_round;
        // along the bottom of the valley, where the slope outwards is zero, g by the angle: Newton's step, or half a radian downwards where it is not convex
        let slope = r * slope_round - mixed * slope_out / rising;
        let bent = r * r * round.dot(&(bend * round)) - r * slope_out - mixed * mixed / rising;
        let turn = if bent > 0.0 { (-slope / bent).clamp(-0.5, 0.5) } else { -0.5 * slope.signum() };
        let arc = Step::Arc { centre, out: -(slope_out + mixed * turn) / rising, turn };
        let (end, down) = (self.along(&at.y, &arc, 1.0).0, at.slope.dot(&self.along(&at.y, &arc, 0.0).1));
        (rising > 0.0 && end.norm() <= self.radius && down <= 0.0).then_some(arc)
    }

    /// As much of a step as stays within the disc.
    fn inside(&self, y: &Vec2, step: Vec2) -> Vec2 {
        if (y + step).norm() <= self.radius {
            return step;
        }
        // |y + λ step| = r
        let (a, b, c) = (step.norm_squared(), y.dot(&step), self.radius * self.radius - y.norm_squared());
        step * ((-b + (b * b + a * c.max(0.0)).sqrt()) / a).clamp(0.0, 1.0)
    }

    /// y after that share of a step, and the direction of the path there.
    fn along(&self, y: &Vec2, step: &Step, share: f64) -> (Vec2, Vec2) {
        match step {
            Step::Turn(angle) => {
                let (sin, cos) = carom_base::elementary::sincos(angle * share);
                let y = Vec2::new(cos * y.x - sin * y.y, sin * y.x + cos * y.y);
                let y = y * (self.radius / y.norm());
                (y, Vec2::new(-y.y, y.x) * *angle)
            }
            Step::Move(by) => (y + by * share, *by),
            Step::Arc { centre, out, turn } => {
                let from = y - centre;
                let (sin, cos) = carom_base::elementary::sincos(turn * share);
                let direction =
                    Vec2::new(cos * from.x - sin * from.y, sin * from.x + cos * from.y) / from.norm();
                let r = from.norm() + out * share;
                let round = Vec2::new(-direction.y, direction.x);
                (centre + direction * r, direction * *out + round * (r * turn))
            }
        }
    }

    /// Goes along a step as far as g falls, or rises by almost nothing; nothing, if it does not fall.
    fn descend(
        &self,
        disc: &Disc<f64>,
        anchor: &[f64; 2],
        at: &Look,
        step: &Step,
    ) -> Result<Option<Look>, PairFailure> {
        let start = at.slope.dot(&self.along(&at.y, step, 0.0).1);
        if !(start < 0.0) {
            return Ok(None);
        }
        let (mut low, mut high, mut share) = (0.0, 1.0, 1.0);
        while high - low > 1e-9 {
            let (y, along) = self.along(&at.y, step, share);
            let next = self.look(disc, anchor, &y)?;
            let slope = next.slope.dot(&along);
            let gentle = slope.abs() <= 0.3 * start.abs() && (slope <= 0.0 || next.g <= at.g + 1e-16);
            if gentle || (share == 1.0 && slope <= 0.0) {
                return Ok((y != at.y).then_some(next));
            }
            if slope > 0.0 {
                high = share
            } else {
                low = share
            }
            share = 0.5 * (low + high);
        }
        let y = self.along(&at.y, step, low).0;
        if low > 0.0 { Ok(Some(self.look(disc, anchor, &y)?)) } else { Ok(None) }
    }

    /// The point of the disc with the least g for an anchor, a point of a disc of radius 1; `n` is the normal at the end of the axis. All in the cylinder's frame.
    pub(super) fn nearest<S: Scalar>(
        &self,
        disc: &Disc<S>,
        anchor: &[f64; 2],
        n: &Vec3<S>,
    ) -> Result<OnDisc<S>, PairFailure> {
        let value = disc.value();
        let n = n.map(|c| c.value());
        let out = -Vec2::new(n.dot(&value.across[0]), n.dot(&value.across[1]));
        let start = if out.norm() > 1e-6 { out * (self.radius / out.norm()) } else { Vec2::zeros() };
        let at = self.least(&value, anchor, &start)?;
        Ok(self.differentiate(disc, anchor, &at, &value))
    }

    /// The minimum with its derivatives: one more step of Newton's method, whose slope carries them.
    fn differentiate<S: Scalar>(
        &self,
        disc: &Disc<S>,
        anchor: &[f64; 2],
        at: &Look,
        value: &Disc<f64>,
    ) -> OnDisc<S> {
        let bend = self.bend(value, anchor, at);
        let look = |y: &[S; 2], w: S| {
            let (sigma, of_sigma) = self.sigma(y, anchor);
            let p = disc.point(y, sigma * w);
            (p, from_inset(&self.core, &p, disc.inset), sigma, of_sigma)
        };
        let sinks = |w: S, y: &[S; 2]| {
            let (_, here, sigma, _) = look(y, w);
            let up = value.inwards.dot(&(at.turn * value.inwards));
            let new = here.n.dot(&disc.inwards) - S::from_f64(self.lean);
            match at.w > 0.0 {
                true => w + (new - w) / S::from_f64(1.0 - sigma.value() * up),
                false => w,
            }
        };
        let y = [S::from_f64(at.y.x), S::from_f64(at.y.y)];
        let w = sinks(S::from_f64(at.w), &y);
        let (_, here, _, of_sigma) = look(&y, w);
        let half = S::from_f64(0.5) * w * w;
        let slope: [S; 2] = std::array::from_fn(|i| {
            let slope = here.n.dot(&disc.across[i]) + of_sigma[i] * half;
            S::from_f64(slope.value()) - slope
        });
        let step: [S; 2] = if self.held(at) {
            let along = [-at.y.y, at.y.x].map(S::from_f64);
            let bend = self.around(at, &bend)[1];
            let angle = (slope[0] * along[0] + slope[1] * along[1]) / S::from_f64(bend);
            along.map(|c| c * angle)
        } else {
            let inverse = bend.try_inverse().unwrap_or_else(Matrix2::zeros);
            std::array::from_fn(|i| {
                slope[0] * S::from_f64(inverse[(i, 0)]) + slope[1] * S::from_f64(inverse[(i, 1)])
            })
        };
        let y = [y[0] + step[0], y[1] + step[1]];
        let w = sinks(w, &y);
        let (p, closest, sigma, _) = look(&y, w);
        OnDisc { p, closest, crown: sigma * w * (S::from_f64(0.5) * w + S::from_f64(self.lean)) }
    }
}

/// A step of the search.
enum Step {
    /// around the rim, by that angle [rad]
    Turn(f64),
    /// across the disc [m]
    Move(Vec2),
    /// in polar coordinates about a centre: outwards by that length [m] and around by that angle [rad]
    Arc { centre: Vec2, out: f64, turn: f64 },
}
