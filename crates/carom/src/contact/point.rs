//! The forces at a contact point, written once for one point and for two points at a time.

use carom_base::{Scalar, Two, Vec3};
use carom_geometry::Contact;
use carom_law::{Friction, Indentation, Normal, NormalForce};

use super::closing::Closing;
use super::contact_point::ContactPoint;
use crate::rule::Rule;

/// A number in which contact forces are computed: `f64` for one contact point, [`Two`] for two points of a pair at a time.
pub(crate) trait Lanes: Scalar {
    /// The contact points in the lanes.
    type Points<'p>: Copy;

    /// Returns the indentation as laws see it [m]: no smaller than the least that the point shows them.
    fn shown(delta: Self, points: Self::Points<'_>) -> Self;

    /// Returns the normal force and its elastic part [N].
    fn normal(law: &dyn Normal, at: Indentation<Self>, points: Self::Points<'_>) -> NormalForce<Self>;

    /// Returns the friction force on A [N] of a law without memory.
    fn friction(law: &dyn Friction, f_n: Self, v_t: &Vec3<Self>) -> Vec3<Self>;

    /// Says whether any lane is in contact.
    fn touches(delta: Self, points: Self::Points<'_>) -> bool;

    /// Returns what adhesion adds to the normal force of the whole contact as friction feels it [N].
    fn adhesion(points: Self::Points<'_>) -> Self;
}

impl Lanes for f64 {
    type Points<'p> = &'p ContactPoint;

    #[inline(always)]
    fn shown(delta: f64, point: &ContactPoint) -> f64 {
        Scalar::max(delta, point.least)
    }

    #[inline(always)]
    fn normal(law: &dyn Normal, at: Indentation, point: &ContactPoint) -> NormalForce {
        law.force(at, &point.touch)
    }

    #[inline(always)]
    fn friction(law: &dyn Friction, f_n: f64, v_t: &Vec3) -> Vec3 {
        law.force(f_n, v_t)
    }

    #[inline(always)]
    fn touches(delta: f64, point: &ContactPoint) -> bool {
        delta > point.touch.floor
    }

    #[inline(always)]
    fn adhesion(point: &ContactPoint) -> f64 {
        point.latched.adhesion
    }
}

impl Lanes for Two {
    type Points<'p> = [&'p ContactPoint; 2];

    #[inline(always)]
    fn shown(delta: Two, points: [&ContactPoint; 2]) -> Two {
        delta.max(Two::new(points[0].least, points[1].least))
    }

    #[inline(always)]
    fn normal(law: &dyn Normal, at: Indentation<Two>, points: [&ContactPoint; 2]) -> NormalForce<Two> {
        law.force_two(at, points.map(|point| &point.touch))
    }

    #[inline(always)]
    fn friction(law: &dyn Friction, f_n: Two, v_t: &Vec3<Two>) -> Vec3<Two> {
        law.force_two(f_n, v_t)
    }

    #[inline(always)]
    fn touches(delta: Two, points: [&ContactPoint; 2]) -> bool {
        delta.lanes().iter().zip(points).any(|(delta, point)| *delta > point.touch.floor)
    }

    #[inline(always)]
    fn adhesion(points: [&ContactPoint; 2]) -> Two {
        Two::new(points[0].latched.adhesion, points[1].latched.adhesion)
    }
}

/// The normal force at a contact point. Its indentation δ is positive in contact, but where adhesion holds the surfaces; a law gives no force elsewhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pressed<S: Scalar = f64> {
    /// indentation as laws see it [m]
    pub(crate) delta: S,
    /// rate of the indentation [m/s], positive while approaching
    pub(crate) delta_dot: S,
    /// normal force [N]
    pub(crate) f_n: S,
    /// elastic part of the normal force [N]
    pub(crate) f_elastic: S,
    /// normal force as friction feels it [N]
    pub(crate) load: S,
    /// whether the surfaces are in contact, in any lane
    pub(crate) touches: bool,
}

impl<S: Lanes> Pressed<S> {
    /// Computes the normal force by the rule's law; the share is the part of a contact that this point stands for.
    #[inline(always)]
    pub(crate) fn new(contact: &Contact<S>, delta_dot: S, rule: &Rule, points: S::Points<'_>) -> Pressed<S> {
        let delta = S::shown(contact.delta, points);
        let zero = S::from_f64(0.0);
        let touches = S::touches(delta, points);
        let mut pressed = Pressed { delta, delta_dot, f_n: zero, f_elastic: zero, load: zero, touches };
        if touches {
            let f = S::normal(rule.normal.as_ref(), Indentation { delta, delta_dot }, points);
            (pressed.f_n, pressed.f_elastic) = (f.f_n * contact.share, f.f_elastic * contact.share);
            pressed.load = match rule.adheres {
                false => load(pressed.f_n),
                true => load(pressed.f_n + contact.share * S::adhesion(points)),
            };
        }
        pressed
    }

    /// Returns the power that the normal force dissipates [W].
    #[inline(always)]
    pub(crate) fn lost(&self, contact: &Contact<S>) -> S {
        lost_by_normal(self.f_n, self.f_elastic, self.delta_dot, contact)
    }
}

/// The sliding velocity at a contact point, and the friction force.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sliding<S: Scalar = f64> {
    /// sliding velocity of A over B [m/s], where there is friction or wear
    pub(crate) v_t: Vec3<S>,
    /// friction force on A [N]; zero for a law with memory, whose force the pair computes (`ContactPair::evolve`)
    pub(crate) f_t: Vec3<S>,
}

impl<S: Lanes> Sliding<S> {
    /// Computes friction under a normal force, the surfaces with the normal `n` approaching as `closing` says.
    #[inline(always)]
    pub(crate) fn new(n: &Vec3<S>, closing: &Closing<S>, pressed: &Pressed<S>, rule: &Rule) -> Sliding<S> {
        let none = Vec3::from_element(S::from_f64(0.0));
        let mut sliding = Sliding { v_t: none, f_t: none };
        if pressed.touches && (rule.friction.is_some() || rule.wear.is_some()) {
            sliding.v_t = closing.v - n * closing.v_n;
            if let (Some(friction), false) = (&rule.friction, rule.remembers) {
                sliding.f_t = S::friction(friction.as_ref(), pressed.load, &sliding.v_t);
            }
        }
        sliding
    }
}

/// A contact point with its rates and forces, in the world frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PointForce {
    /// closest points, normal and indentation as laws see it
    pub(crate) contact: Contact,
    /// rate of the indentation [m/s], positive while approaching
    pub(crate) delta_dot: f64,
    /// normal force [N]
    pub(crate) f_n: f64,
    /// elastic part of the normal force [N]
    pub(crate) f_elastic: f64,
    /// normal force as friction feels it [N]: f_n, and what adhesion adds to it
    pub(crate) load: f64,
    /// friction force on A [N]; zero as yet for a law with memory, whose force the pair computes (`ContactPair::evolve`)
    pub(crate) f_t: Vec3,
    /// sliding velocity of A over B [m/s], where there is friction or wear
    pub(crate) v_t: Vec3,
}

impl PointForce {
    /// Computes the forces at a contact whose points approach as `closing` says.
    #[inline(always)]
    pub(crate) fn new(contact: Contact, closing: Closing, rule: &Rule, point: &ContactPoint) -> PointForce {
        let pressed = Pressed::new(&contact, closing.delta_dot, rule, point);
        let Sliding { v_t, f_t } = Sliding::new(&contact.n, &closing, &pressed, rule);
        let Pressed { delta, delta_dot, f_n, f_elastic, load, .. } = pressed;
        PointForce { contact: Contact { delta, ..contact }, delta_dot, f_n, f_elastic, load, f_t, v_t }
    }

    /// Returns the power that the normal force dissipates [W].
    #[inline(always)]
    pub(crate) fn lost_by_normal(&self) -> f64 {
        lost_by_normal(self.f_n, self.f_elastic, self.delta_dot, &self.contact)
    }
}

/// Returns the power that a normal force dissipates [W]: what a contact does not store it dissipates.
#[inline(always)]
fn lost_by_normal<S: Scalar>(f_n: S, f_elastic: S, delta_dot: S, contact: &Contact<S>) -> S {
    let lost = (f_n - f_elastic) * delta_dot;
    match &contact.common {
        None => lost,
        Some(common) => lost * common.lever,
    }
}

/// Returns the normal force as friction feels it [N]: a law that holds the bodies together as they part presses nothing together.
#[inline(always)]
pub(crate) fn load<S: Scalar>(f_n: S) -> S {
    f_n.max(S::from_f64(0.0))
}
