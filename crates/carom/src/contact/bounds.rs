//! Bounds on the rates and curvatures (second time derivatives) of the gaps of a pair within a step.

use std::ops::Range;

use carom_base::{Vec3, inverse};
use carom_ode::{Step, events::Bounds};

use super::pair::ContactPair;
use crate::body::MotionBounds;
use crate::layout::RigidRows;
use crate::model::Model;
use crate::state::Kinematics;
use crate::world::{BodyKind, BodyModel, SurfaceModel};

/// The largest rate within a step is assumed to be at most this many times the largest one at its stages.
pub(crate) const STAGE_MARGIN: f64 = 1.5;

/// Bounds on a body's motion within a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyBounds {
    pub(crate) start: Kinematics,
    pub(crate) end: Kinematics,
    /// acceleration of the centre of mass [m/s²]
    pub(crate) acceleration: f64,
    /// angular speed [rad/s]; for a deformable body |Ḟ|, the speed of its points per distance |X| from the centre of mass
    pub(crate) angular_speed: f64,
    /// angular acceleration [rad/s²]; for a deformable body |F̈|
    pub(crate) angular_acceleration: f64,
}

carom_base::plain!(BodyBounds { start, end, acceleration, angular_speed, angular_acceleration });

impl BodyBounds {
    /// Returns the bounds of a body that does not move; for a fixed body they hold in every step.
    pub(crate) fn at_rest(b: &BodyModel) -> BodyBounds {
        BodyBounds {
            start: b.rest,
            end: b.rest,
            acceleration: 0.0,
            angular_speed: 0.0,
            angular_acceleration: 0.0,
        }
    }

    /// Computes the bounds for another step.
    pub(crate) fn look(&mut self, b: &BodyModel, step: &Step<'_>) {
        self.look_at_ends(b, step);
        match &b.kind {
            BodyKind::Dynamic(rows) => {
                let largest = |row: fn(RigidRows, usize) -> usize| {
                    let rate = |i| step.max_rate(row(*rows, i));
                    STAGE_MARGIN * Vec3::new(rate(0), rate(1), rate(2)).norm()
                };
                self.acceleration = largest(RigidRows::velocity);
                self.angular_acceleration = largest(RigidRows::angular_velocity);
                // largest value within the step, given the values at its ends and the largest slope
                let turning = self.start.w.norm() + self.end.w.norm();
                self.angular_speed = 0.5 * (turning + self.angular_acceleration * step.h());
            }
            BodyKind::Affine(rows) => {
                let largest = |rows: Range<usize>| {
                    let rates = rows.map(|i| step.max_rate(i));
                    STAGE_MARGIN * rates.map(|r| r * r).sum::<f64>().sqrt()
                };
                let (first, bending) = (rows.rates().start, rows.deformation_rate(0, 0));
                self.acceleration = largest(first..bending);
                self.angular_acceleration = largest(bending..rows.all().end);
                let bending = |k: &Kinematics| (k.l * k.x.r).norm();
                let both = bending(&self.start) + bending(&self.end);
                self.angular_speed = 0.5 * (both + self.angular_acceleration * step.h());
            }
            BodyKind::Prescribed(motion) => {
                self.prescribe(motion.bounds(step.t0, step.t1));
            }
            BodyKind::Fixed => {}
        }
    }

    /// Returns the largest factor by which deformation changes lengths, up or down, at the ends of the step, with a margin; 1
    /// for a rigid body.
    fn distortion(&self) -> f64 {
        let of = |k: &Kinematics| k.x.r.norm().max(inverse(&k.x.r).1.norm());
        if self.start.deforms { STAGE_MARGIN * of(&self.start).max(of(&self.end)) } else { 1.0 }
    }

    /// Returns a bound on |F| within the step for a deformable body; 1 for a rigid body.
    fn stretch(&self, angular_speed: f64, h: f64) -> f64 {
        let ends = self.start.x.r.norm() + self.end.x.r.norm();
        if self.start.deforms { 0.5 * (ends + angular_speed * h) } else { 1.0 }
    }

    /// Sets the bounds to those of a prescribed motion.
    pub(crate) fn prescribe(&mut self, bounds: MotionBounds) {
        self.acceleration = bounds.acceleration;
        self.angular_speed = bounds.angular_speed;
        self.angular_acceleration = bounds.angular_acceleration;
    }

    /// Updates the body at both ends of the step only; the bounds on the motion in between stay those of another step.
    pub(crate) fn look_at_ends(&mut self, b: &BodyModel, step: &Step<'_>) {
        self.start.update(b, step.t0, step.y0);
        self.end.update(b, step.t1, step.y1);
    }
}

/// Returns a bound on the acceleration of the centres of mass of two bodies relative to each other within a step [m/s²]: where
/// both fall, or move together, it is much less than the sum of their own.
pub(super) fn relative_acceleration(
    m: &Model,
    bodies: [usize; 2],
    ends: [&BodyBounds; 2],
    step: &Step<'_>,
) -> f64 {
    let both = ends[0].acceleration + ends[1].acceleration;
    match bodies.map(|body| &m.world.bodies[body].kind) {
        [BodyKind::Dynamic(a), BodyKind::Dynamic(b)] => {
            let apart = Vec3::from_fn(|i, _| step.max_difference(a.velocity(i), b.velocity(i)));
            (STAGE_MARGIN * apart.norm()).min(both)
        }
        _ => both,
    }
}

/// Bounds on the gaps of a contact pair within a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairBounds {
    /// largest rate of any gap [m/s]
    pub(crate) rate: f64,
    /// sharper bound on the rate of any gap [m/s], used where the curvature is not known
    slower: f64,
    /// largest curvature of any gap towards contact [m/s²], for surfaces that are flat or convex
    curvature: f64,
    /// whether `curvature` is known: not if a body deforms
    straight: bool,
    /// whether the contribution of sliding contact points to `curvature` is known too
    slides: bool,
    h: f64,
}

impl PairBounds {
    /// Computes the bounds for a step of length `h` [s]. Relative to A, the points of B from which gaps are measured move at
    /// most at `rate`: a gap, being a distance, cannot change faster. Nor can its curvature towards contact exceed the
    /// acceleration of these points relative to A, except in hollows.
    pub(crate) fn new(pair: &ContactPair, [a, b]: [&BodyBounds; 2], worn: &[f64], h: f64) -> PairBounds {
        let acceleration = a.acceleration + b.acceleration;
        PairBounds::with(pair, [a, b], [a.angular_speed, b.angular_speed], acceleration, worn, h)
    }

    /// Computes sharper bounds for a step, in which the centres of mass do not accelerate by more than this relative to each
    /// other [m/s²].
    pub(crate) fn sharper(
        pair: &ContactPair,
        [a, b]: [&BodyBounds; 2],
        acceleration: f64,
        worn: &[f64],
        h: f64,
    ) -> PairBounds {
        PairBounds::with(pair, [a, b], [a.angular_speed, b.angular_speed], acceleration, worn, h)
    }

    /// Computes the bounds for a time `h` [s] from a state on, given the bodies' bounds in that state. Within a step, a
    /// velocity differs from the one at the nearer end by no more than the acceleration allows in half the step; as only one
    /// end is known here, the bounds are those of a step of twice the length.
    pub(crate) fn ahead(pair: &ContactPair, [a, b]: [&BodyBounds; 2], worn: &[f64], h: f64) -> PairBounds {
        let turning = |x: &BodyBounds| x.angular_speed + x.angular_acceleration * h;
        let acceleration = a.acceleration + b.acceleration;
        PairBounds {
            h,
            ..PairBounds::with(pair, [a, b], [turning(a), turning(b)], acceleration, worn, 2.0 * h)
        }
    }

    /// Computes the bounds for a step of length `h` [s] with these bounds on the angular speeds [rad/s].
    fn with(
        pair: &ContactPair,
        [a, b]: [&BodyBounds; 2],
        [w_a, w_b]: [f64; 2],
        acceleration: f64,
        worn: &[f64],
        h: f64,
    ) -> PairBounds {
        let rate_factor = pair.rate_factor(worn);
        // name the bodies so that B carries the points from which gaps are measured: the curvature bound holds only for
        // points fixed on their body
        let [of_a, of_b] = pair.levers;
        let (followed, other, a, b, w_a, w_b) = if pair.gap_bounds.follows_b {
            (of_b, of_a, a, b, w_a, w_b)
        } else {
            (of_a, of_b, b, a, w_b, w_a)
        };
        let lever = followed + pair.gap_bounds.stray;
        let apart = |x: &Kinematics, y: &Kinematics| (y.x.p - x.x.p).norm();
        let speed = |x: &Kinematics, y: &Kinematics| (y.v - x.v).norm();
        let v = 0.5 * (speed(&a.start, &b.start) + speed(&a.end, &b.end) + acceleration * h);
        let c = 0.5 * (apart(&a.start, &b.start) + apart(&a.end, &b.end) + v * h);
        let reach = c + lever * b.stretch(w_b, h);
        // velocity and acceleration of a point of B in A's rotating frame; if A deforms, the velocity of A's own points
        // replaces that of its frame's rotation
        let by_a = if a.start.deforms && pair.stop.is_none() { other } else { reach };
        let mut rate = rate_factor * (v + w_a * by_a + w_b * lever);
        if pair.stop.is_some() {
            // the measure of a stop is taken along or about directions fixed to the bodies, which deform with them
            rate *= a.distortion() * b.distortion();
        }
        let mut curvature = acceleration
            + (a.angular_acceleration + w_a * w_a) * reach
            + 2.0 * w_a * rate
            + (b.angular_acceleration + w_b * w_b) * lever;
        let sliding = pair.gap_bounds.sliding;
        if let Some(sliding) = &sliding {
            // some of these pairs also measure gaps from points of A, in B's rotating frame
            let reach = c + other;
            let of_a = acceleration
                + (b.angular_acceleration + w_b * w_b) * reach
                + 2.0 * w_b * (v + w_b * reach + w_a * other)
                + (a.angular_acceleration + w_a * w_a) * other;
            let local = if pair.gap_bounds.follows_b { &pair.local_b } else { &pair.local_a };
            let along = sliding.along.map(|u| local.as_ref().map_or(u, |x| x.direction(&u)));
            let turn = turning(along.as_ref(), [a, b], [w_a, w_b], h);
            curvature = curvature.max(of_a) + sliding.radius * turn * turn;
        }
        let straight = !(a.start.deforms || b.start.deforms);
        let mut bounds = PairBounds { rate, slower: rate, curvature, straight, slides: sliding.is_some(), h };
        if straight && sliding.is_none() && pair.gap_bounds.hollow_radius.is_none() {
            let balls = pair.balls.map(|[x, y]| if pair.gap_bounds.follows_b { [x, y] } else { [y, x] });
            bounds.slower = balls
                .map_or(rate, |balls| bounds.passing(balls, [a, b], [w_a, w_b], acceleration, rate_factor));
        }
        bounds
    }

    /// Returns a bound on the rate of gaps from the speed at which the surfaces pass each other [m/s]. With p a contact
    /// point, the rate of a gap is n·(v_b(p) − v_a(p)), and p is on the smaller surface, within a sphere about x: the rate is
    /// at most |v_b(x) − v_a(x)| plus |ω_b − ω_a| times the radius of the sphere. For a pin in its bearing the first term is
    /// the speed at which the pin moves within its clearance, however fast both rotate together.
    fn passing(
        &self,
        balls: [(Vec3, f64); 2],
        [a, b]: [&BodyBounds; 2],
        [w_a, w_b]: [f64; 2],
        acceleration: f64,
        rate_factor: f64,
    ) -> f64 {
        let small = usize::from(balls[1].1 <= balls[0].1);
        let ((centre, radius), h) = (balls[small], self.h);
        let own = |ka: &Kinematics, kb: &Kinematics| {
            if small == 1 { kb.x.point(&centre) } else { ka.x.point(&centre) }
        };
        let passes = |ka: &Kinematics, kb: &Kinematics| {
            let x = own(ka, kb);
            let of = |k: &Kinematics| k.v + k.w.cross(&(x - k.x.p));
            (of(kb) - of(ka)).norm()
        };
        let reach = |ka: &Kinematics, kb: &Kinematics| {
            let x = own(ka, kb);
            (x - ka.x.p).norm().max((x - kb.x.p).norm())
        };
        // x is fixed on one body, and moves in the rotating frame of the other
        let far = reach(&a.start, &b.start).max(reach(&a.end, &b.end)) + 2.0 * self.rate * h;
        let rates = acceleration
            + (a.angular_acceleration + b.angular_acceleration + w_a * w_a + w_b * w_b) * far
            + w_a.max(w_b) * (self.rate + (w_a + w_b) * far);
        let turning = |ka: &Kinematics, kb: &Kinematics| (kb.w - ka.w).norm();
        let between = |f: &dyn Fn(&Kinematics, &Kinematics) -> f64, rates: f64| {
            0.5 * (f(&a.start, &b.start) + f(&a.end, &b.end) + rates * h)
        };
        let spins = between(&turning, a.angular_acceleration + b.angular_acceleration);
        let closer = rate_factor * (between(&passes, rates) + spins * radius);
        if closer < self.rate { closer } else { self.rate }
    }

    /// Returns whether the bounding spheres alone, being `g0` and `g1` [m] apart at the ends of the step, show that nothing
    /// can touch.
    pub(crate) fn far(&self, g0: f64, g1: f64) -> bool {
        g0 > 0.0 && g1 > 0.0 && self.rate * self.h <= g0 + g1
    }

    /// Returns a time for which a gap certainly stays open [s], if that time is within these bounds. The bounds are those
    /// from a state on in which the gap is `g` [m] and changes at `rate` [m/s], and in which no gap changes faster than `now`
    /// [m/s].
    pub(crate) fn open_for(&self, pair: &ContactPair, g: f64, rate: f64, now: f64) -> f64 {
        // the time t at which v t + ½ a t² = g, computed without cancellation
        let time = |v: f64, a: f64| {
            let root = (v * v + 2.0 * a * g).sqrt();
            match (v > 0.0, root > 0.0) {
                (true, _) => 2.0 * g / (v + root),
                (false, true) => (root - v) / a,
                (false, false) => f64::INFINITY,
            }
        };
        // the bound on the rate is a convex function of time, so its chord lies above it
        let by_rate = time(now, ((self.rate - now) / self.h).max(0.0));
        let convex = self.slides || pair.gap_bounds.hollow_radius.is_some_and(f64::is_infinite);
        let straight = self.straight && convex;
        if straight { by_rate.max(time(-rate, self.curvature)) } else { by_rate }
    }

    /// Returns the time resolution at which a gap must be sampled in a step that ends at `t` [s], so that whatever stays
    /// hidden between two samples is a negligible part of the pair's size: the ten-billionth part of the step where that is
    /// sufficient, and never less than the difference at which times can be distinguished.
    pub(crate) fn resolution(bounds: &Bounds, pair: &ContactPair, h: f64, t: f64) -> f64 {
        (1e-10 * h).min(1e-8 * pair.size / bounds.rate).max(4.0 * f64::EPSILON * t.abs())
    }

    /// Returns the bounds for a gap of `g0` and `g1` [m] at the ends of the step.
    pub(crate) fn gap(&self, pair: &ContactPair, g0: f64, g1: f64) -> Bounds {
        let hollow = if self.slides { Some(f64::INFINITY) } else { pair.gap_bounds.hollow_radius };
        let curvature = match hollow.filter(|_| self.straight) {
            None => f64::INFINITY,
            Some(r) if r.is_infinite() => self.curvature,
            // in a hollow, motion along the wall brings the wall nearer
            Some(r) if g0.max(g1) + self.rate * self.h < 0.5 * r => {
                self.curvature + 2.0 * self.rate * self.rate / r
            }
            Some(_) => f64::INFINITY,
        };
        let rate = if curvature.is_finite() { self.rate } else { self.slower };
        Bounds { rate, curvature }
    }
}

/// Returns a bound on the angular speed, relative to A, of a direction `along` fixed to B [rad/s]; `None`: of any direction.
/// With ω = ω_b − ω_a and u the direction, the magnitude of q = ω × u changes no faster than ω does in A's frame, |ω̇_b −
/// ω̇_a − ω_a × ω_b|: u changes at the rate q there, and ω × (ω × u) is perpendicular to q. So rotations about parallel axes
/// do not count.
fn turning(along: Option<&Vec3>, [a, b]: [&BodyBounds; 2], [w_a, w_b]: [f64; 2], h: f64) -> f64 {
    let rates = a.angular_acceleration + b.angular_acceleration;
    let cross = |ka: &Kinematics, kb: &Kinematics| ka.w.cross(&kb.w).norm();
    let ends = cross(&a.start, &b.start) + cross(&a.end, &b.end);
    let crossed = 0.5 * (ends + (a.angular_acceleration * w_b + w_a * b.angular_acceleration) * h);
    let across = |ka: &Kinematics, kb: &Kinematics| match along {
        Some(u) => (kb.w - ka.w).cross(&(kb.x.r * u)).norm(),
        None => (kb.w - ka.w).norm(),
    };
    0.5 * (across(&a.start, &b.start) + across(&a.end, &b.end) + (rates + crossed) * h)
}

/// Returns the distance between a pair's bounding spheres [m], less the gap at which its law begins to act; negative: it may act.
pub(crate) fn clearance(m: &Model, pair: &ContactPair, ka: &Kinematics, kb: &Kinematics) -> f64 {
    // a joint stop has no bounding spheres, so nothing is known to be clear
    let Some([sa, sb]) = pair.surfaces.map(|ends| ends.map(|s| &m.world.surfaces[s])) else {
        return f64::NEG_INFINITY;
    };
    let skins = reach(sa, ka) + reach(sb, kb);
    // a plane has no bounding sphere, and no body is known to be clear of it
    if skins == f64::INFINITY {
        return f64::NEG_INFINITY;
    }
    (kb.x.point(&sb.centre) - ka.x.point(&sa.centre)).norm() - skins - pair.begins()
}

/// Returns the radius of a surface's bounding sphere with its body at `k` [m]: no direction is stretched by more than |F|.
pub(crate) fn reach(s: &SurfaceModel, k: &Kinematics) -> f64 {
    if k.deforms { s.radius * k.x.r.norm() } else { s.radius }
}

#[cfg(test)]
mod tests;
