//! How long what happens at a contact point takes, and how its points accelerate.

use carom_base::{Vec3, inverse};
use carom_geometry::Contact;

use super::slot::Slot;
use crate::model::{BODY, BodyKind, Model};
use crate::state::{Affine, Kinematics, affine_slice};

impl Slot {
    /// How long an impact at speed `v` lasts, about: 3.2 δ*/v with δ* = (m v²/K)^(1/(n+1)) of the standard impact.
    pub(crate) fn duration_at(&self, m: &Model, k: usize, v: f64) -> f64 {
        let touch = &self.features[k].touch;
        let n = m.rules[self.rule].normal.exponent_in(touch);
        3.2 * (touch.mass * v * v / touch.stiffness).powf(1.0 / (n + 1.0)) / v
    }

    /// How long the impact that has just begun will last, about.
    pub(crate) fn impact_duration(&self, m: &Model, k: usize) -> f64 {
        self.duration_at(m, k, (-self.features[k].gap_rate).max(m.rules[self.rule].min_impact_speed))
    }

    /// The time scale of a contact: that of the spring its stiffness makes at the depth it has or will have. An
    /// impact lasts about four of them.
    pub(crate) fn time_scale(&self, m: &Model, k: usize) -> f64 {
        let f = &self.features[k];
        let n = m.rules[self.rule].normal.exponent_in(&f.touch);
        let impact = (f.touch.mass * f.gap_rate * f.gap_rate / f.touch.stiffness).powf(1.0 / (n + 1.0));
        let depth = impact.max(-f.gap);
        (f.touch.mass / (n * f.touch.stiffness * depth.powf(n - 1.0))).sqrt()
    }

    /// The acceleration of B's point less that of A's at a contact [m/s²], in a state of these rates.
    pub(super) fn acceleration(
        &self,
        m: &Model,
        c: &Contact,
        ka: &Kinematics,
        kb: &Kinematics,
        dy: &[f64],
    ) -> Vec3 {
        let point = |body: usize, k: &Kinematics, p: &Vec3| match m.bodies[body].kind {
            BodyKind::Dynamic(d) => {
                let vec = |i: usize| Vec3::new(dy[d * BODY + i], dy[d * BODY + i + 1], dy[d * BODY + i + 2]);
                let arm = p - k.x.p;
                vec(7) + vec(10).cross(&arm) + k.w.cross(&k.w.cross(&arm))
            }
            BodyKind::Affine(first) => {
                let rates = Affine::of(affine_slice(dy, first));
                // p̈0 + F̈ X
                rates.v + rates.f_dot * (inverse(&k.x.r).1 * (p - k.x.p))
            }
            _ => Vec3::zeros(),
        };
        point(self.body_b, kb, &c.p_b) - point(self.body_a, ka, &c.p_a)
    }
}
