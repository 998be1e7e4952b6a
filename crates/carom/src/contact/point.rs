//! The forces at one contact point.

use carom_base::Vec3;
use carom_geometry::Contact;
use carom_law::Indentation;

use super::feature::Feature;
use super::rule::Rule;
use crate::state::Kinematics;

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
    /// slip of A over B [m/s], where there is friction
    pub(crate) v_t: Vec3,
}

impl PointForce {
    #[inline(always)]
    pub(crate) fn new(
        contact: Contact,
        ka: &Kinematics,
        kb: &Kinematics,
        rule: &Rule,
        feature: &Feature,
    ) -> PointForce {
        let Pressed { v, delta_dot, f_n, f_elastic, .. } = Pressed::new(&contact, ka, kb, rule, feature);
        let (f_t, v_t) = (Vec3::zeros(), Vec3::zeros());
        let mut point = PointForce { contact, delta_dot, f_n, f_elastic, f_t, v_t };
        if contact.delta > 0.0
            && let Some(friction) = &rule.friction
        {
            let v_t = v - contact.n * delta_dot;
            point.v_t = v_t;
            // what a law makes of what it remembers is for the slot to say
            if !rule.remembers {
                point.f_t = friction.force(load(f_n), &v_t);
            }
        }
        point
    }
}

/// The same along the normal only.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pressed {
    /// indentation [m]
    pub(crate) delta: f64,
    /// velocity of A's point less that of B's [m/s]
    v: Vec3,
    /// positive while approaching [m/s]
    pub(crate) delta_dot: f64,
    /// normal force [N]
    pub(crate) f_n: f64,
    /// its elastic part [N]
    f_elastic: f64,
}

impl Pressed {
    #[inline(always)]
    pub(crate) fn new(
        contact: &Contact,
        ka: &Kinematics,
        kb: &Kinematics,
        rule: &Rule,
        feature: &Feature,
    ) -> Pressed {
        // the contact rate is that between the material points p_a and p_b (Corral 2021, Eq 8, our sign)
        let v = ka.velocity_at(&contact.p_a) - kb.velocity_at(&contact.p_b);
        let (delta, delta_dot) = (contact.delta, v.dot(&contact.n));
        let mut pressed = Pressed { delta, v, delta_dot, f_n: 0.0, f_elastic: 0.0 };
        if delta > 0.0 {
            let f = rule.normal.force(Indentation { delta, delta_dot }, &feature.touch);
            (pressed.f_n, pressed.f_elastic) = (f.f_n * contact.share, f.f_elastic * contact.share);
        }
        pressed
    }
}

/// The normal force as friction feels it [N]: a law that holds the bodies together as they part presses nothing together.
#[inline(always)]
pub(crate) fn load(f_n: f64) -> f64 {
    f_n.max(0.0)
}
