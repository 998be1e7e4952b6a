//! Compares the paths of bodies of all islands at the end of a window.

use super::Islands;
use super::groups::Sets;
use super::island::Island;
use super::trail::Trail;
use crate::run::runner::Runner;

impl Islands {
    /// Returns the groups of bodies that may have met others, or a fixed body that they did not know of, and takes their
    /// islands away.
    pub(super) fn unresolved(
        &mut self,
        runner: &mut Runner<'_>,
        islands: &mut Vec<Island>,
        extra: &mut [Vec<usize>],
        start: f64,
    ) -> Vec<Vec<usize>> {
        let mut boxes = Vec::new();
        let mut whose = Vec::new();
        for (i, island) in islands.iter().enumerate() {
            for (k, body) in island.free.iter().enumerate() {
                boxes.push(island.trail.bounds(k, self.members.radii[self.members.index[*body]]));
                whose.push((i, k, self.members.index[*body]));
            }
        }
        let mut sets = Sets::new(islands.len());
        let mut wrong = vec![false; islands.len()];
        for (own, &(i, _, body)) in boxes.iter().zip(&whose) {
            for (held, fixed) in &self.members.fixed {
                if fixed.overlaps(own) && islands[i].bodies.binary_search(held).is_err() {
                    wrong[i] = true;
                    extra[body].push(*held);
                }
            }
        }
        let mut overlaps = Vec::new();
        self.sweep.pairs(&boxes, &mut overlaps);
        for (a, b) in overlaps {
            let ((i, ka, a), (j, kb, b)) = (whose[a as usize], whose[b as usize]);
            if i == j || sets.find(i) == sets.find(j) {
                continue;
            }
            let radii = self.members.radii[a] + self.members.radii[b];
            let met = Trail::may_have_met((&islands[i].trail, ka), (&islands[j].trail, kb), radii) && {
                let paths = islands[i].trail.path(ka) + islands[j].trail.path(kb);
                let [a, b] = [self.members.free[a], self.members.free[b]];
                let now = [islands[i].body(a), islands[j].body(b)];
                !self.near.stays_apart(runner, [a, b], now, paths)
            };
            if met {
                sets.join(i, j);
                (wrong[i], wrong[j]) = (true, true);
            }
        }
        if !wrong.contains(&true) {
            return Vec::new();
        }
        let groups = sets.all().into_iter().filter(|all| all.iter().any(|&i| wrong[i]));
        let groups: Vec<Vec<usize>> = groups
            .map(|all| {
                let members = all.iter().flat_map(|&i| &islands[i].free);
                let mut members: Vec<usize> = members.map(|body| self.members.index[*body]).collect();
                members.sort_unstable();
                members
            })
            .collect();
        let mut i = 0;
        islands.retain_mut(|island| {
            i += 1;
            if wrong[i - 1] {
                // the work was done, for nothing
                runner.solver.count(&island.uncounted());
                island.give_moments(start, &mut self.moments);
            }
            !wrong[i - 1]
        });
        groups
    }
}
