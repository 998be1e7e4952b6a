//! Warnings about a contact at the end of a run.

use super::change::MATTERS;
use super::pair::ContactPair;
use crate::model::Model;
use crate::record::Warning;
use crate::text::{length, short};
use crate::world::thickness;

/// A warning is given if the damping of a law that divides by the impact speed is wrong by more than this factor.
const TOO_FAST: f64 = 2.0;

impl ContactPair {
    /// Returns the warnings for indentations larger than half the thickness of a body, and for damping based on an impact
    /// speed that was not the contact's.
    pub(crate) fn warnings(&self, m: &Model) -> impl Iterator<Item = Warning> {
        self.too_deep(m).into_iter().chain(self.overdamped(m))
    }

    fn too_deep(&self, m: &Model) -> Option<Warning> {
        let thin = self
            .surfaces?
            .map(|s| thickness(&m.world.surfaces[s].shape))
            .into_iter()
            .fold(f64::INFINITY, f64::min);
        let now = self.state.points.iter().map(|f| f.peaks.indentation);
        let depth = now.fold(self.state.deepest, f64::max);
        (depth > thin).then(|| Warning::TooDeep {
            contact: self.name.clone(),
            depth: length(depth),
            size: length(2.0 * thin),
        })
    }

    fn overdamped(&self, m: &Model) -> Option<Warning> {
        let fastest_slow_contact = self.state.points.iter().map(|f| f.impact.fastest_slow);
        let (speed, times) =
            fastest_slow_contact.filter(|h| h.1 > TOO_FAST).max_by(|a, b| a.0.total_cmp(&b.0))?;
        (speed > MATTERS * m.world.scale.speed).then(|| Warning::Overdamped {
            contact: self.name.clone(),
            speed: short(speed),
            times: short(times),
        })
    }
}
