//! The longest step that resolves what touching contact points do next: a contact force that ends, or a slip that reverses.
//!
//! **A release.** The force falls as δⁿ does, and ends. No step resolves a force that ends within it; its error is
//! proportional to the impulse that is left, F τ/(n + 1) in the time τ to release, divided by the mass. This is a speed, and
//! it measures the difficulty of the step whatever the law, the share of the point and the depth: up to some value a step may
//! go past the release, where it is then cut; a step with more left is refused. So with more left, steps are a share of τ. F
//! is the absolute value of the force that ends at the release: a dashpot may pull there, and it still does so at zero
//! indentation.
//!
//! **A slip reversal.** Where slip passes zero, friction reverses within the law's width w. With the slip v_t + a_t t, a
//! friction force like tanh has its poles where |v_t + a_t t|² = −w², all of them at |t| = √((v_t² + w²)/a_t²) in the complex
//! plane: steps are a share of that distance.
//!
//! The value up to which a release can be stepped past, and the share for reversals, depend on method and tolerance: they are
//! learnt from the steps that were refused or accepted.

use carom_base::Vec3;
use carom_law::{Indentation, Normal, Phase};

use super::bodies::PairBodies;
use super::contact_point::{ContactPoint, Status};
use super::monitor::ContactMonitor;
use super::pair::ContactPair;
use crate::model::Model;
use crate::rule::{TOUCHING, is_dashpot};

/// The step towards a release that cannot be stepped past, as a share of the time to it. (Shorter steps would be more in
/// number, longer ones would be refused.)
const RELEASE_SHARE: f64 = 0.75;

/// The step limits learnt for releases and slip reversals.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ahead {
    /// largest impulse over mass that may be left where a step goes past a release [m/s]
    past: f64,
    /// step length as a share of the distance to the poles of a slip reversal
    turn: f64,
    /// longest step asked for [s], and the reason
    asked: (f64, Reason),
    /// for multistep methods: as long as the indentation is above this share of the largest one, a release is approached in
    /// steps of half the time that is left. The steps of such methods are polynomials through past forces, which a force that
    /// ends as δ^(3/2) is not
    pub(crate) approach: f64,
}

// (`asked` is set anew before every step)
carom_base::carried!(Ahead { past, turn } scratch { asked, approach });

/// Why a step is as long as it is.
#[derive(Clone, Copy, Debug)]
enum Reason {
    /// to end past a release, with this impulse over mass left [m/s]
    Past(f64),
    Turn,
    Other,
}

impl ContactPoint {
    /// Returns whether the surfaces part so fast that the law holds its force at zero, or soon will. In a free impact, laws
    /// with restitution do not reach that state; they do if one of the bodies is pulled away. (Before that the force itself
    /// keeps the steps short, including its kink.)
    fn lets_go(&self, law: &dyn Normal) -> bool {
        if !(self.last.gap < 0.0 && self.last.rate > 0.0) {
            return false;
        }
        let force = law.force(Indentation { delta: -self.last.gap, delta_dot: -self.last.rate }, &self.touch);
        force.f_n < LETS_GO * force.f_elastic
    }
}

impl ContactPoint {
    /// Returns whether the law has a history and is in a phase that loses energy. Forces of such laws do not depend on rates, and the motion may be much smoother than what they lose.
    fn yields(&self, law: &dyn Normal) -> bool {
        self.touch.history.phase != Phase::Unloading && law.has_phases()
    }
}

impl Ahead {
    pub(super) fn new() -> Ahead {
        let asked = (f64::INFINITY, Reason::Other);
        Ahead { past: f64::INFINITY, turn: 0.7, asked, approach: f64::INFINITY }
    }

    /// Learns from a trial step of length `h` [s] that was refused.
    pub(crate) fn refused(&mut self, h: f64) {
        match self.answer(h) {
            Reason::Past(left) => self.past = self.past.min(0.8 * left),
            Reason::Turn => self.turn *= 0.9,
            Reason::Other => {}
        }
    }

    /// Learns from a trial step of length `h` [s] that was accepted.
    pub(super) fn accepted(&mut self, h: f64) {
        match self.answer(h) {
            // perhaps a larger impulse can be left next time
            Reason::Past(left) => self.past = self.past.max(1.3 * left),
            // where slip does not reverse after all (rolling), the share grows until it no longer limits steps
            Reason::Turn => self.turn *= 1.02,
            Reason::Other => {}
        }
    }

    /// Returns the reason for the length of a trial step. A step shorter than asked for gives no information.
    fn answer(&mut self, h: f64) -> Reason {
        let (longest, reason) = std::mem::replace(&mut self.asked, (f64::INFINITY, Reason::Other));
        if h > 0.99 * longest { reason } else { Reason::Other }
    }

    fn ask(&mut self, h: f64, reason: Reason) {
        if h < self.asked.0 {
            self.asked = (h, reason);
        }
    }
}

/// A falling force below this share of its elastic part is about to be held at zero.
const LETS_GO: f64 = 0.1;

impl ContactMonitor {
    /// Returns whether friction or resistance that follows the depth acts at a contact point. Its elements slip one by one, and what they lose has kinks that errors of the motion do not show.
    pub(crate) fn friction_follows_depth(&self, m: &Model) -> bool {
        self.active.iter().any(|at| {
            let rule = &m.rules[self.pairs[at.pair].rule];
            rule.has_memory && rule.follows_depth()
        })
    }

    /// Returns whether a contact point touches whose dissipation need not be resolved by steps that resolve the motion.
    pub(crate) fn dissipates_unseen(&self, m: &Model) -> bool {
        self.active.iter().any(|at| {
            let s = &self.pairs[at.pair];
            let (f, law) = (&s.state.points[at.point], &*m.rules[s.rule].normal);
            let unseen = m.world.quadratures.dashpots && is_dashpot(law) || f.lets_go(law) || f.yields(law);
            match f.status {
                // (where touches are not located, the first step of a contact begins before it: what is lost has a kink in it)
                Status::Off => law.has_phases(),
                Status::On | Status::Free => unseen,
            }
        })
    }

    /// Returns the longest step that resolves what the touching contact points do next [s], after a step that has ended in
    /// the state `y` with the rates `dy`.
    pub(crate) fn step_ahead(&mut self, m: &Model, y: &[f64], dy: &[f64]) -> f64 {
        self.ahead.asked = (f64::INFINITY, Reason::Other);
        let worn = m.world.layout.worn(y);
        for at in &self.active {
            let s = &self.pairs[at.pair];
            let f = &s.state.points[at.point];
            if f.status != Status::On || f.last.gap >= f.edge() || f.last.step != self.accepted {
                continue;
            }
            let width = m.rules[s.rule].friction.as_ref().map_or(0.0, |law| law.width());
            let opens = f.last.rate > 0.0;
            if !opens && width == 0.0 {
                continue;
            }
            // the bodies are at the end of the last step, or at the event it ended on
            let bodies = s.bodies(|body| &self.bounds[body].end, worn);
            let Ok(c) = s.contact(at.point, bodies) else { continue };
            let PairBodies { a, b, .. } = bodies;
            let acceleration = s.acceleration(m, &c, a, b, dy);
            if width > 0.0 {
                let [p_a, p_b] = s.friction_points(&c);
                let v = a.velocity_at(&p_a) - b.velocity_at(&p_b);
                let along = |v: Vec3| v - c.n * v.dot(&c.n);
                let (v_t, a_t) = (along(v), -along(acceleration));
                // a slip that grows has its reversal behind it, and a slip within the width (rolling) need not reverse at all
                let (v_2, w_2) = (v_t.norm_squared(), width * width);
                if v_t.dot(&a_t) < 0.0 && v_2 > w_2 {
                    let poles = ((v_2 + w_2) / a_t.norm_squared()).sqrt();
                    self.ahead.ask(self.ahead.turn * poles, Reason::Turn);
                }
            }
            if opens {
                // a depth of the size of rounding errors might not change at all within the time computed from it
                let depth = (f.edge() - f.last.gap).max(s.zero_gap(a, b));
                let (h, reason) = self.release_ahead(m, s, f, depth, acceleration.dot(&c.n));
                self.ahead.ask(h, reason);
            }
        }
        self.ahead.asked.0
    }

    /// Returns the longest step towards the release of a contact point of that depth [m] whose gap opens with that
    /// acceleration [m/s²], and the reason for it.
    fn release_ahead(
        &self,
        m: &Model,
        s: &ContactPair,
        f: &ContactPoint,
        depth: f64,
        acceleration: f64,
    ) -> (f64, Reason) {
        // depth = rate t + ½ a t²: the acceleration falls to zero, so this time is slightly too short
        let root = (f.last.rate * f.last.rate + 2.0 * acceleration.max(0.0) * depth).sqrt();
        let time = 2.0 * depth / (f.last.rate + root);
        let law = &m.rules[s.rule].normal;
        if depth > self.ahead.approach * f.peaks.indentation {
            return (0.5 * time, Reason::Other);
        }
        let at = |depth: f64| {
            let delta = (depth - f.edge()).max(f.least);
            law.force(Indentation { delta, delta_dot: -f.last.rate }, &f.touch).f_n
        };
        // a dashpot's force at zero indentation also acts in stages beyond the release: only the rest ends there, and it may
        // push or pull
        let stays = if m.world.quadratures.dashpots || f.edge() > 0.0 { at(TOUCHING) } else { 0.0 };
        let ends = f.latched.share * (at(depth) - stays).abs();
        let left = ends * time / ((law.exponent_in(&f.touch) + 1.0) * f.touch.mass);
        if left > self.ahead.past {
            return (RELEASE_SHARE * time, Reason::Other);
        }
        // go far enough past it to make up for the falling acceleration; where other points go on pushing, the acceleration
        // does not fall, and the time is right as it is
        let past = if s.state.on.len() > 1 && self.ahead.approach.is_infinite() { 1.02 } else { 1.5 };
        (past * time, Reason::Past(left))
    }
}
