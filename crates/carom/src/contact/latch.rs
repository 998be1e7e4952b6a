//! What the laws of a contact point need to know of the instant of its touch, latched there.

use carom_base::Vec3;
use carom_geometry::{Contact, RelativeCurvature};
use carom_law::hertz::PointContact;
use carom_law::{Grip, History, Indentation, LawError};

use super::bodies::PairBodies;
use super::pair::ContactPair;
use super::reason::reason;
use super::rounding::least_felt;
use crate::joint::GeneralizedForce;
use crate::model::Model;
use crate::rule::{Against, meeting};

impl ContactPair {
    /// Latches the quantities that a contact law needs at first touch: stiffness from materials and curvature, impact
    /// speed, and effective mass, whose inverse `inverse_mass` computes from the gradients of δ [1/kg]. An impact speed
    /// below the rule's minimum is not latched: the last latched speed, or else the minimum, is kept. Returns whether
    /// the impact speed was latched.
    pub(crate) fn latch(
        &mut self,
        m: &Model,
        k: usize,
        bodies: PairBodies<'_>,
        mut inverse_mass: impl FnMut(&[GeneralizedForce; 2]) -> f64,
    ) -> Result<bool, &'static str> {
        let (rule, PairBodies { a: ka, b: kb, .. }) = (&m.rules[self.rule], bodies);
        let c = self.contact(k, bodies).map_err(reason)?;
        let source = rule.normal.stiffness();
        let asked = source.given().is_none()
            || rule.asks_curvature()
            || self.shears[Against::Sliding as usize].contrast != 0.0;
        let r = if asked { self.curvature(k, ka, kb) } else { RelativeCurvature::point(0.0, 0.0) };
        let meeting = meeting(&r);
        let stiffness = source.at(self.e_star, &meeting).map_err(|e| match e {
            LawError::NotLineContact { .. } => "a law for lines, and the surfaces touch in a point",
            _ => "the surfaces touch along a line or conform: no stiffness from curvature",
        })?;
        let (mut radii, mut ratios) = ([0.0; 2], self.shears.map(|shear| shear.ratio));
        for (i, law) in rule.resistance.iter().enumerate() {
            let Some(law) = law else { continue };
            radii[i] = law
                .patch()
                .radius(r.k_min, r.k_max)
                .map_err(|_| "the surfaces touch along a line or conform: no patch from curvature")?;
            // (E* does not matter for the shape)
            let ellipse = PointContact::new(1.0, r.k_min, r.k_max).ok().filter(|_| r.length == 0.0);
            if let (Some(poisson), Some(ellipse)) = (self.shears[1 + i].poisson, ellipse) {
                ratios[1 + i] *= law.in_ellipse(&ellipse, poisson);
            }
        }
        let delta_dot = self.closing(k, &c, bodies).delta_dot;
        let inverse = inverse_mass(&self.gradients(&c, [ka, kb]));
        let area = match self.presses {
            true => self.patch_area(stiffness, 1.0 / inverse, delta_dot.max(rule.min_impact_speed), bodies),
            false => 1.0,
        };
        let f = &mut self.state.points[k];
        let fast = delta_dot >= rule.min_impact_speed;
        if fast {
            f.touch.v0 = delta_dot;
            f.impact.latched = true;
        } else if !f.impact.latched {
            f.touch.v0 = rule.min_impact_speed;
        }
        f.latched.share = c.share;
        f.touch.stiffness = stiffness;
        // the law of a patch is that of a unit of area, and so is what it moves
        (f.latched.area, f.touch.mass) = (area, 1.0 / inverse / area);
        f.touch.radius = meeting.radius().unwrap_or(f64::INFINITY);
        f.touch.area_radius = meeting.area_radius().unwrap_or(f.touch.radius);
        f.touch.slender = meeting.slender();
        f.touch.own = rule.normal.latch(&f.touch);
        f.touch.strip = meeting.length > 0.0;
        f.touch.line = source.line(self.e_star, &meeting);
        f.touch.history = History::NEW;
        f.latched.hold = rule.normal.holds_to(&f.touch);
        f.latched.adhesion = rule.normal.pull_off(&f.touch);
        f.latched.reach = rule.normal.reach(&f.touch);
        f.latched.radii = radii;
        if rule.has_memory {
            let (ellipse, far) = (self.ellipse(k, &c, &meeting, [ka, kb]), ka.x.p.amax().max(kb.x.p.amax()));
            self.latch_grips(m, k, &c, delta_dot, (ellipse, ratios), far);
        }
        Ok(fast)
    }

    /// Latches what laws with memory need of a contact; `far`: the largest coordinate [m], of which rounding is a part; `ratios`: how stiff it is against sliding, rolling and spinning, as a part of its stiffness along
    /// the normal.
    fn latch_grips(
        &mut self,
        m: &Model,
        k: usize,
        c: &Contact,
        delta_dot: f64,
        (ellipse, ratios): ((f64, Vec3), [f64; 3]),
        far: f64,
    ) {
        let rule = &m.rules[self.rule];
        let f = &mut self.state.points[k];
        let exponent = rule.normal.exponent_in(&f.touch);
        // a point that another one will hand its share over to has none yet: it counts as a whole contact, whose bristles slip sooner
        let share = if c.share > 0.0 { c.share } else { 1.0 };
        let far = far.max(f.touch.v0 * f.last_t.abs());
        let felt = share * least_felt(&*rule.normal, &f.touch, far);
        let sliding = Against::Sliding as usize;
        // a memory that is there already is that of the ellipse it began with
        let (oval, axis) =
            if f.memory.is_some() { (f.latched.grips[sliding].oval, f.latched.axis) } else { ellipse };
        let at = Indentation { delta: c.delta, delta_dot };
        for one in rule.remembering() {
            let i = one.against as usize;
            let load = felt.max(one.law.least_load(share * f.touch.force(exponent)));
            let radius = if one.against.turns() { f.latched.radii[i - 1] } else { 0.0 };
            let grip = Grip::at_touch(&*rule.normal, one.law, &f.touch, ratios[i], at);
            f.latched.grips[i] = Grip { load, radius, ..grip };
        }
        (f.latched.grips[sliding].oval, f.latched.axis) = (oval, axis);
    }
}
