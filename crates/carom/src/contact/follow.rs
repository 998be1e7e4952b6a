//! Contacts of bodies at rest whose configuration is varied, in search of an equilibrium.
//!
//! No time passes and no event is located: a contact point that comes near may carry a force from then on, and does where it
//! overlaps. Laws latch their quantities anew in every configuration, so that forces are functions of the configuration
//! alone, equal to those of a run that starts there.

use carom_ode::Step;

use super::bounds::clearance;
use super::monitor::ContactMonitor;
use crate::contact::Active;
use crate::model::Model;

impl ContactMonitor {
    /// Lets every contact point within `reach` [m] of touching carry a force in a configuration, and no other. Returns the
    /// smallest gap [m], 0 if surfaces overlap.
    pub(crate) fn follow(&mut self, m: &Model, t: f64, y: &[f64], reach: f64) -> f64 {
        let still = vec![0.0; y.len()];
        let step = Step::still(t, y, &still);
        self.bounds.iter_mut().zip(&m.world.bodies).for_each(|(bounds, b)| bounds.look(b, &step));
        self.failure = None;
        self.find_candidates(m, 0.0, reach);
        self.active.clear();
        let worn = m.world.layout.worn(y);
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
            for point in 0..self.pairs[index].monitored_points() {
                let at = Active { pair: index, point };
                let Some((gap, _)) = self.gap_at_end(at, worn) else { return 0.0 };
                nearest = nearest.min(gap.max(0.0));
                if gap <= reach {
                    self.latch(m, t, at, worn);
                    self.activate(at);
                }
            }
        }
        nearest
    }
}
