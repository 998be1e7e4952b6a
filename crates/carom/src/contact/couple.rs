//! Resistance to rolling and spinning at a contact point.

use carom_base::Vec3;
use carom_law::Pressed;

use super::pair::ContactPair;
use super::point::PointForce;
use crate::model::Model;
use crate::state::Kinematics;

/// The couple that resists rolling and spinning at a contact point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Couple {
    /// couple on A [N m]; its opposite acts on B
    pub(crate) on_a: Vec3,
    /// dissipated power [W]
    pub(crate) lost: f64,
}

/// Returns the rolling and the spinning angular velocity: the components of ω = ω_a − ω_b perpendicular to the normal and
/// along it [rad/s].
pub(crate) fn rolling_and_spinning(n: &Vec3, ka: &Kinematics, kb: &Kinematics) -> [Vec3; 2] {
    let w = ka.w - kb.w;
    let along = n * w.dot(n);
    [w - along, along]
}

impl ContactPair {
    /// Computes the couple that resists rolling and spinning at a contact point; `None` if its rule has no such resistance.
    #[cold]
    pub(crate) fn couple(
        &self,
        m: &Model,
        k: usize,
        ka: &Kinematics,
        kb: &Kinematics,
        point: PointForce,
    ) -> Option<Couple> {
        let rule = &m.rules[self.rule];
        if !rule.resists() {
            return None;
        }
        let rates = rolling_and_spinning(&point.contact.n, ka, kb);
        let mut couple = Couple { on_a: Vec3::zeros(), lost: 0.0 };
        for ((law, w), radius) in rule.resistance.iter().zip(&rates).zip(self.state.points[k].latched.radii) {
            let Some(law) = law else { continue };
            let pressed = Pressed { f_n: point.load, a: (radius * point.contact.delta.max(0.0)).sqrt() };
            let on_a = law.couple(&pressed, w);
            couple.on_a += on_a;
            couple.lost -= on_a.dot(w);
        }
        Some(couple)
    }
}
