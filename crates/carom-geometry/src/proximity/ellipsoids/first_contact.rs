//! When two moving ellipsoids first touch (the question of Y.-K. Choi, J.-W. Chang, W. Wang, M.-S. Kim, G. Elber, Continuous collision detection for ellipsoids,
//! IEEE Trans. Vis. Comput. Graph. 15 (2009) 311–325; the answer here is by advancement, for any motion with bounds).
//!
//! Time advances by steps that are certain to end before the first touch (B. Mirtich, Timewarp rigid body simulation, 2000, has them of first order). At a time with the signed
//! distance d, normal n and exact rate ḋ = (v_b(p_b) − v_a(p_a))·n, let ρ be the largest radius of curvature of an ellipsoid, c its shortest semi axis. The ball of radius ρ
//! that touches it at its tip from around holds all of it (Blaschke) and moves with it; its centre is no further than ρ − c from the ellipsoid's. The balls' tangent planes across n bound the distance
//! from below,
//!
//!   d(t + τ) ≥ d + ḋ τ − ½ B τ²,   B = Σ over both of |p̈| + (ω² + |ω̇|)(ρ − c),
//!
//! and the step is the root τ of the right side. Near a crossing the steps converge as Newton's do, from before it; near a graze they shrink by a
//! constant factor until they are past it, or until d is rounding: no dip is missed. For balls in straight motion B = 0, and the steps are Newton's.
//!
//! Valid for ellipsoids of any shape; hovering at a small distance over a long time takes many steps, and beyond 10⁶ it gives up and says so. Checked: balls, aligned
//! ellipsoids, a swept tip and grazes in closed form, random motions by fine sampling (`tests/ellipsoid_proximity.rs`).

use carom_base::{Pose, Vec3};

use super::motion::Motion;
use crate::contact::{Contact, Seed};
use crate::error::PairFailure;
use crate::pair::BoundPair;
use crate::pairs::convex;
use crate::surfaces::Ellipsoid;

/// Steps at most.
const MOST_STEPS: usize = 1_000_000;
/// Of the size: a distance that is rounding.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// The first touch.
#[derive(Clone, Copy, Debug)]
pub struct FirstContact {
    /// when [s]
    pub t: f64,
    /// where
    pub contact: Contact,
    /// steps of advancement it took
    pub steps: usize,
}

/// The first time from 0 to `end` [s] at which two moving ellipsoids touch, or overlap from the start; `None` if they never do.
///
/// ```
/// use carom_geometry::proximity::ellipsoids::{Twist, first_contact};
/// use carom_geometry::{Pose, Vec3, surfaces::Ellipsoid};
/// let egg = Ellipsoid::new([0.02, 0.02, 0.03])?; // semi axes [m]
/// let still = Twist::rest(Pose::identity());
/// let falling = Twist { v: Vec3::new(0.0, 0.0, -2.0), ..Twist::rest(Pose::at(Vec3::new(0.0, 0.0, 1.06))) }; // [m/s], [m]
/// let first = first_contact([&egg, &egg], [&still, &falling], 1.0)?.unwrap();
/// assert!((first.t - 0.5).abs() < 1e-15);
/// assert!(first_contact([&egg, &egg], [&still, &falling], 0.49)?.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn first_contact(
    [a, b]: [&Ellipsoid; 2],
    [m_a, m_b]: [&dyn Motion; 2],
    end: f64,
) -> Result<Option<FirstContact>, PairFailure> {
    let bend: f64 = [(a, m_a), (b, m_b)].iter().map(|(e, m)| most_bend(e, *m, end)).sum();
    let pair = convex::ellipsoids_bound(a, b);
    let size = a.semi_axes().max() + b.semi_axes().max();
    let (mut t, mut seed): (f64, Option<Seed>) = (0.0, None);
    for steps in 1..=MOST_STEPS {
        let (x_a, x_b) = (m_a.pose(t), m_b.pose(t));
        let contact = pair.contact_from(0, &x_a, &x_b, seed.as_ref())?;
        let d = -contact.delta;
        let scale = size + x_a.p.norm() + x_b.p.norm();
        let step = certain(d, rate(&contact, [(m_a, &x_a), (m_b, &x_b)], t), bend);
        // there: touching to rounding, or so near that time no longer advances
        if d <= ROUNDING * scale || t + step == t {
            return Ok(Some(FirstContact { t, contact, steps }));
        }
        if t >= end || !(step < f64::INFINITY) {
            return Ok(None);
        }
        seed = Some(Seed::of(&contact, &x_a, &x_b));
        t = (t + step).min(end);
    }
    Err(PairFailure::NoConvergence(MOST_STEPS))
}

/// The part of B that an ellipsoid and its motion bring along [m/s²].
fn most_bend(e: &Ellipsoid, motion: &dyn Motion, end: f64) -> f64 {
    let limits = motion.limits(end);
    let arm = e.radii_of_curvature()[1] - e.semi_axes().min();
    limits.acceleration + (limits.spin * limits.spin + limits.spin_rate) * arm
}

/// ḋ [m/s].
fn rate(contact: &Contact, motions: [(&dyn Motion, &Pose); 2], t: f64) -> f64 {
    let of = |(motion, x): (&dyn Motion, &Pose), p: &Vec3| {
        let (v, omega) = motion.velocity(t);
        v + omega.cross(&(p - x.p))
    };
    (of(motions[1], &contact.p_b) - of(motions[0], &contact.p_a)).dot(&contact.n)
}

/// The positive root τ of d + ḋ τ − ½ B τ² = 0 [s], d > 0; infinite if there is none.
fn certain(d: f64, d_dot: f64, bend: f64) -> f64 {
    let root = (d_dot * d_dot + 2.0 * bend * d).sqrt();
    if d_dot <= 0.0 { 2.0 * d / (root - d_dot) } else { (root + d_dot) / bend }
}
