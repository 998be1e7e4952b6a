//! The forces at one contact point.

use carom_base::{Scalar, Two, Vec3};
use carom_geometry::Contact;
use carom_law::Indentation;

use super::closing::Closing;
use super::contact_point::ContactPoint;
use crate::rule::Rule;

/// A contact point with its rates and forces, world frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PointForce {
    pub(crate) contact: Contact,
    /// positive while approaching [m/s]
    pub(crate) delta_dot: f64,
    /// normal force [N]
    pub(crate) f_n: f64,
    /// its elastic part [N]
    pub(crate) f_elastic: f64,
    /// friction force on A [N]; of a law that remembers, none yet
    pub(crate) f_t: Vec3,
    /// slip of A over B [m/s], where there is friction or wear
    pub(crate) v_t: Vec3,
}

impl PointForce {
    /// At a contact whose points move so (`ContactPair::closing`).
    #[inline(always)]
    pub(crate) fn new(
        contact: Contact,
        closing: Closing,
        rule: &Rule,
        contact_point: &ContactPoint,
    ) -> PointForce {
        let Closing { v, v_n, delta_dot } = closing;
        let Pressed { f_n, f_elastic, .. } = Pressed::new(&contact, closing, rule, contact_point);
        let (f_t, v_t) = (Vec3::zeros(), Vec3::zeros());
        let mut point = PointForce { contact, delta_dot, f_n, f_elastic, f_t, v_t };
        if contact.delta > 0.0 && (rule.friction.is_some() || rule.wear.is_some()) {
            point.v_t = v - contact.n * v_n;
        }
        if contact.delta > 0.0
            && let Some(friction) = &rule.friction
            // what a law makes of what it remembers is for the pair to say
            && !rule.remembers
        {
            point.f_t = friction.force(load(f_n), &point.v_t);
        }
        point
    }
}

/// The same along the normal only.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pressed<S: Scalar = f64> {
    /// indentation [m]
    pub(crate) delta: S,
    /// velocity of A's point less that of B's [m/s]
    pub(crate) v: Vec3<S>,
    /// the rate of delta [m/s], positive while approaching: v·n less what a worn wall recedes by along the way
    pub(crate) delta_dot: S,
    /// normal force [N]
    pub(crate) f_n: S,
    /// its elastic part [N]
    pub(crate) f_elastic: S,
}

impl Pressed {
    #[inline(always)]
    pub(crate) fn new(
        contact: &Contact,
        closing: Closing,
        rule: &Rule,
        contact_point: &ContactPoint,
    ) -> Pressed {
        let Closing { v, delta_dot, .. } = closing;
        let delta = contact.delta;
        let mut pressed = Pressed { delta, v, delta_dot, f_n: 0.0, f_elastic: 0.0 };
        if delta > 0.0 {
            let f = rule.normal.force(Indentation { delta, delta_dot }, &contact_point.touch);
            (pressed.f_n, pressed.f_elastic) = (f.f_n * contact.share, f.f_elastic * contact.share);
        }
        pressed
    }
}

impl Pressed<Two> {
    /// Two points at once, at this velocity of A's points less those of B's.
    #[inline(always)]
    pub(crate) fn two(
        contact: &Contact<Two>,
        v: Vec3<Two>,
        rule: &Rule,
        contact_points: [&ContactPoint; 2],
    ) -> Pressed<Two> {
        let (delta, delta_dot) = (shown(contact, contact_points), v.dot(&contact.n));
        let f = rule.normal.force_two(Indentation { delta, delta_dot }, contact_points.map(|f| &f.touch));
        let (f_n, f_elastic) = (f.f_n * contact.share, f.f_elastic * contact.share);
        Pressed { delta, v, delta_dot, f_n, f_elastic }
    }
}

/// The indentations of two points as laws see them \[m\].
#[inline(always)]
pub(crate) fn shown(contact: &Contact<Two>, contact_points: [&ContactPoint; 2]) -> Two {
    contact.delta.max(Two::new(contact_points[0].least, contact_points[1].least))
}

/// The normal force as friction feels it [N]: a law that holds the bodies together as they part presses nothing together.
#[inline(always)]
pub(crate) fn load<S: Scalar>(f_n: S) -> S {
    f_n.max(S::from_f64(0.0))
}
