//! What lies ahead of touching points, and the longest step that resolves it: a force that ends, a slip that turns round.
//!
//! **A release.** The force ebbs as δⁿ does, and ends. No step sees a force that ends within it; what it gets wrong goes with what is left of the
//! impulse, F τ/(n + 1) in the time τ to release, over the mass. This is a speed, and says how hard the step is whatever the law, the share
//! of the point and the depth: up to some value a step may go past the release, where it is then cut, and with more left it is refused. With more left,
//! steps are a share of τ. F is what ends at the release, by amount: a dashpot may pull there, and still does so at zero indentation.
//!
//! **A turn.** Where slip passes zero, friction turns round within the law's width w. The slip being v_t + a_t t, a force of it like tanh has its
//! poles where |v_t + a_t t|² = −w², all of them |t| = √((v_t² + w²)/a_t²) away in the complex plane: steps are a share of that.
//!
//! What can be stepped past, and that share, depend on method and tolerance: they are learnt from the steps that were refused and those that were not.

use carom_base::Vec3;
use carom_law::{Indentation, Normal};

use super::contact_point::{ContactPoint, Status};
use super::monitor::ContactMonitor;
use super::pair::ContactPair;
use crate::model::Model;
use crate::rule::{TOUCHING, is_dashpot};

/// The share of the time to a release that is a step where it cannot be stepped past. (Shorter ones would be more, longer ones refused.)
const EBB: f64 = 0.75;

/// What is known of steps towards releases and turns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ahead {
    /// what can be left of an impulse over the mass where a step goes past its end [m/s]
    past: f64,
    /// the share of the distance to a turn's poles that is a step
    turn: f64,
    /// the longest step asked for [s], and why
    asked: (f64, Reason),
}

// (before every step it is asked anew)
carom_base::carried!(Ahead { past, turn } scratch { asked });

#[derive(Clone, Copy, Debug)]
enum Reason {
    /// to end past a release, with so much left [m/s]
    Past(f64),
    Turn,
    Other,
}

impl ContactPoint {
    /// Whether the surfaces part so fast that the law holds its force at zero, or soon will. In a free impact laws by restitution do not come to that; they do where one of
    /// the bodies is pulled away. (Up to there the force itself keeps the steps short, its kink included.)
    fn lets_go(&self, law: &dyn Normal) -> bool {
        if !(self.gap < 0.0 && self.gap_rate > 0.0) {
            return false;
        }
        let force = law.force(Indentation { delta: -self.gap, delta_dot: -self.gap_rate }, &self.touch);
        force.f_n < LETS_GO * force.f_elastic
    }
}

impl Ahead {
    pub(super) fn new() -> Ahead {
        Ahead { past: f64::INFINITY, turn: 0.7, asked: (f64::INFINITY, Reason::Other) }
    }

    /// An attempt of length h was refused.
    pub(crate) fn refused(&mut self, h: f64) {
        match self.answer(h) {
            Reason::Past(left) => self.past = self.past.min(0.8 * left),
            Reason::Turn => self.turn *= 0.9,
            Reason::Other => {}
        }
    }

    /// An attempt of length h was good.
    pub(super) fn accepted(&mut self, h: f64) {
        match self.answer(h) {
            // perhaps more can be left next time
            Reason::Past(left) => self.past = self.past.max(1.3 * left),
            // where slip hardly turns round (rolling), the share grows until it is none
            Reason::Turn => self.turn *= 1.02,
            Reason::Other => {}
        }
    }

    /// Why an attempt is as long as it is. Shorter ones than asked for are no answer.
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

/// The share of its elastic force below which a force that falls is about to be held at zero.
const LETS_GO: f64 = 0.1;

impl ContactMonitor {
    /// Whether a point touches where steps that resolve the motion need not resolve what is dissipated.
    pub(crate) fn dissipates_unseen(&self, m: &Model) -> bool {
        self.active.iter().any(|at| {
            let s = &self.pairs[at.pair];
            let (f, law) = (&s.state.points[at.point], &*m.rules[s.rule].normal);
            f.status != Status::Off && (m.world.quadratures.dashpots && is_dashpot(law) || f.lets_go(law))
        })
    }

    /// The longest step that resolves what the touching points do next [s].
    pub(crate) fn step_ahead(&mut self, m: &Model, dy: &[f64]) -> f64 {
        self.ahead.asked = (f64::INFINITY, Reason::Other);
        for at in &self.active {
            let s = &self.pairs[at.pair];
            let f = &s.state.points[at.point];
            if f.status != Status::On || f.gap >= 0.0 || f.gap_of != self.accepted {
                continue;
            }
            let width = m.rules[s.rule].friction.as_ref().map_or(0.0, |law| law.width());
            let opens = f.gap_rate > 0.0;
            if !opens && width == 0.0 {
                continue;
            }
            // the bodies are where the last step, or the event it ended on, has left them
            let (a, b) = (&self.bounds[s.body_a].end, &self.bounds[s.body_b].end);
            let Ok(c) = s.contact(at.point, a, b) else { continue };
            let acceleration = s.acceleration(m, &c, a, b, dy);
            if width > 0.0 {
                let [p_a, p_b] = s.friction_points(&c);
                let v = a.velocity_at(&p_a) - b.velocity_at(&p_b);
                let along = |v: Vec3| v - c.n * v.dot(&c.n);
                let (v_t, a_t) = (along(v), -along(acceleration));
                // what has turned round is behind, and slip that is held within the width (rolling) need not turn round at all
                let (v_2, w_2) = (v_t.norm_squared(), width * width);
                if v_t.dot(&a_t) < 0.0 && v_2 > w_2 {
                    let poles = ((v_2 + w_2) / a_t.norm_squared()).sqrt();
                    self.ahead.ask(self.ahead.turn * poles, Reason::Turn);
                }
            }
            if opens {
                // a gap that is zero to rounding may not change at all in the time that it would take to close
                let depth = (-f.gap).max(s.grain(a, b));
                let (h, reason) = self.release_ahead(m, s, f, depth, acceleration.dot(&c.n));
                self.ahead.ask(h, reason);
            }
        }
        self.ahead.asked.0
    }

    /// The longest step towards the release of a point of that depth [m] whose gap opens, at that acceleration [m/s²].
    fn release_ahead(
        &self,
        m: &Model,
        s: &ContactPair,
        f: &ContactPoint,
        depth: f64,
        acceleration: f64,
    ) -> (f64, Reason) {
        // depth = rate t + ½ a t²: the acceleration ebbs away, so this is a little early
        let root = (f.gap_rate * f.gap_rate + 2.0 * acceleration.max(0.0) * depth).sqrt();
        let time = 2.0 * depth / (f.gap_rate + root);
        let law = &m.rules[s.rule].normal;
        if depth > self.approach * f.max_indentation {
            return (0.5 * time, Reason::Other);
        }
        let at = |delta: f64| law.force(Indentation { delta, delta_dot: -f.gap_rate }, &f.touch).f_n;
        // what a dashpot does at zero indentation, it does in stages beyond the release too: what ends there is the rest, which may push or pull
        let stays = if m.world.quadratures.dashpots { at(TOUCHING) } else { 0.0 };
        let ends = f.share * (at(depth) - stays).abs();
        let left = ends * time / ((law.exponent_in(&f.touch) + 1.0) * f.touch.mass);
        if left > self.ahead.past {
            return (EBB * time, Reason::Other);
        }
        // past it by so much that the ebbing is made up for; where other points go on pushing, nothing ebbs, and the time is right as it is
        let past = if s.state.on.len() > 1 && self.approach.is_infinite() { 1.02 } else { 1.5 };
        (past * time, Reason::Past(left))
    }
}
