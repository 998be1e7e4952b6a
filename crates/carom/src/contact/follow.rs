//! Contacts of bodies that are moved about at rest, in search of an equilibrium.
//!
//! No time passes and nothing is located: what comes near may carry a force from then on, and does where it overlaps. Laws latch
//! anew wherever the bodies are, so that forces are functions of the configuration, the same as those of a run that starts there.

use carom_ode::Step;

use super::bounds::clearance;
use super::monitor::ContactMonitor;
use crate::contact::Active;
use crate::model::Model;

impl ContactMonitor {
    /// At a configuration: what is within `reach` [m] of touching may carry a force, everything else may not. Gives the smallest gap
    /// there is [m], 0 where something overlaps.
    pub(crate) fn follow(&mut self, m: &Model, t: f64, y: &[f64], reach: f64) -> f64 {
        let still = vec![0.0; y.len()];
        let step = Step::still(t, y, &still);
        self.bounds.iter_mut().zip(&m.world.bodies).for_each(|(bounds, b)| bounds.look(b, &step));
        self.failure = None;
        self.find_candidates(m, 0.0, reach);
        self.active.clear();
        let mut nearest = f64::INFINITY;
        for i in 0..self.candidates.len() {
            let index = self.candidates[i];
            let pair = &mut self.pairs[index];
            pair.state.on.clear();
            let clear = clearance(m, pair, &self.bounds[pair.body_a].end, &self.bounds[pair.body_b].end);
            if clear > reach {
                nearest = nearest.min(clear);
                continue;
            }
            for point in 0..self.pairs[index].watched() {
                let at = Active { pair: index, point };
                let Some((gap, _)) = self.gap_at_end(at) else { return 0.0 };
                nearest = nearest.min(gap.max(0.0));
                if gap <= reach {
                    self.latch(m, t, at);
                    self.activate(at);
                }
            }
        }
        nearest
    }
}
