//! Bodies whose balls overlap and that do not touch: how far they are apart.
//!
//! A gap changes by no more than the paths of the points of both bodies are long. So bodies that move almost not stay apart, and
//! their gap need not be computed in every window.

use std::collections::HashMap;

use crate::run::runner::Runner;
use crate::state::Kinematics;

/// Lower bounds on the gaps between bodies [m].
#[derive(Debug, Default)]
pub(super) struct Near {
    gaps: HashMap<[usize; 2], f64>,
}

impl Near {
    /// Returns a lower bound on the gap between two bodies as they are at the start of the window [m]. It is computed if what is
    /// known of it is less than `enough`.
    pub(super) fn gap(&mut self, runner: &mut Runner<'_>, bodies: [usize; 2], enough: f64) -> f64 {
        match self.gaps.get(&bodies) {
            Some(gap) if *gap >= enough => *gap,
            _ => {
                let m = runner.sim.model;
                let at = bodies.map(|body| *runner.system.ws.body(body));
                let gap = runner.system.monitor.gap_between(m, bodies, [&at[0], &at[1]]).max(0.0);
                self.gaps.insert(bodies, gap);
                gap
            }
        }
    }

    /// Whether two bodies have certainly not met within a window, at the end of which they are as given and in which both their
    /// paths together are no longer than `paths` [m].
    pub(super) fn stays_apart(
        &mut self,
        runner: &mut Runner<'_>,
        bodies: [usize; 2],
        now: [Kinematics; 2],
        paths: f64,
    ) -> bool {
        let start = self.gap(runner, bodies, paths);
        if start > paths {
            return true;
        }
        let m = runner.sim.model;
        let end = runner.system.monitor.gap_between(m, bodies, [&now[0], &now[1]]);
        start > 0.0 && end > 0.0 && start + end > paths
    }

    /// Passes a window in which the points of each body had paths of these lengths [m].
    pub(super) fn pass(&mut self, path: impl Fn(usize) -> f64) {
        self.gaps.retain(|[a, b], gap| {
            *gap -= path(*a) + path(*b);
            *gap > 0.0
        });
    }

    /// Returns what is known, in order.
    pub(super) fn known(&self) -> Vec<([usize; 2], f64)> {
        let mut all: Vec<_> = self.gaps.iter().map(|(bodies, gap)| (*bodies, *gap)).collect();
        all.sort_unstable_by_key(|(bodies, _)| *bodies);
        all
    }

    /// Returns that which knows this.
    pub(super) fn of(known: Vec<([usize; 2], f64)>) -> Near {
        Near { gaps: known.into_iter().collect() }
    }
}
