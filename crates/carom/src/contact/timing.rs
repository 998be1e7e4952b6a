//! How long what happens at a contact point takes.

use super::slot::Slot;
use crate::model::Model;

impl Slot {
    /// How long an impact at speed `v` lasts, about: 3.2 δ*/v with δ* = (m v²/K)^(1/(n+1)) of the standard impact.
    pub(crate) fn duration_at(&self, m: &Model, k: usize, v: f64) -> f64 {
        let touch = &self.features[k].touch;
        let n = m.rules[self.rule].normal.exponent_in(touch);
        3.2 * (touch.mass * v * v / touch.stiffness).powf(1.0 / (n + 1.0)) / v
    }

    /// How deep the impact at the speed latched last goes, about [m].
    pub(crate) fn indentation_scale(&self, m: &Model, k: usize) -> f64 {
        let v = self.features[k].touch.v0;
        self.duration_at(m, k, v) * v / 3.2
    }

    /// A depth that hardly matters [m]: an impact that goes no deeper stores (10⁻³)^(5/2) = 3·10⁻⁸ of the energy of the last one. Before the first, a negligible part of the pair's size.
    pub(crate) fn shallow(&self, m: &Model, k: usize) -> f64 {
        let depth = if self.features[k].touch.stiffness > 0.0 { self.indentation_scale(m, k) } else { 0.0 };
        let shallow = (1e-3 * depth).max(5e-8 * self.size);
        if shallow.is_finite() { shallow } else { 0.0 }
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
}
