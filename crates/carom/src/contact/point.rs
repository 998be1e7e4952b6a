//! The forces at one contact point.

use carom_base::Vec3;
use carom_geometry::Contact;
use carom_law::Indentation;

use super::rule::Rule;
use super::slot::Feature;
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
        // the contact rate is that between the material points p_a and p_b (Corral 2021, Eq 8, our sign)
        let v = ka.velocity_at(&contact.p_a) - kb.velocity_at(&contact.p_b);
        let delta_dot = v.dot(&contact.n);
        let (f_t, v_t) = (Vec3::zeros(), Vec3::zeros());
        let mut point = PointForce { contact, delta_dot, f_n: 0.0, f_elastic: 0.0, f_t, v_t };
        if contact.delta > 0.0 {
            let f = rule.normal.force(Indentation { delta: contact.delta, delta_dot }, &feature.touch);
            (point.f_n, point.f_elastic) = (f.f_n * contact.share, f.f_elastic * contact.share);
            if let Some(friction) = &rule.friction {
                let v_t = v - contact.n * delta_dot;
                point.v_t = v_t;
                // what a law makes of what it remembers is for the slot to say
                if !rule.remembers {
                    point.f_t = friction.force(load(point.f_n), &v_t);
                }
            }
        }
        point
    }
}

/// The normal force as friction feels it [N]: a law that holds the bodies together as they part presses nothing together.
#[inline(always)]
pub(crate) fn load(f_n: f64) -> f64 {
    f_n.max(0.0)
}
