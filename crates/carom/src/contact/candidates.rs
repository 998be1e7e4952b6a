//! Finds the contact pairs that come near.

use std::collections::HashMap;

use carom_geometry::proximity::{Aabb, Sweep};
use carom_ode::{RhsFailure, Site};

use super::bounds::{BodyBounds, reach};
use super::monitor::ContactMonitor;
use super::pair::ContactPair;
use crate::error::BuildError;
use crate::model::Model;
use crate::state::Kinematics;

/// Up to this many pairs, every pair is bound at the start and examined in every step; beyond, a sweep over bounding boxes
/// finds the pairs that come near.
pub(crate) const EAGER_PAIRS: usize = 4096;

/// The search for pairs that come near.
pub(crate) struct PairSearch {
    /// index of a contact pair by the indices of its surfaces, the smaller one first
    pub(super) by_surfaces: HashMap<(usize, usize), usize>,
    /// whether every pair is bound
    pub(crate) eager: bool,
    sweep: Sweep,
    boxes: Vec<Aabb>,
    overlaps: Vec<(u32, u32)>,
}

impl PairSearch {
    pub(super) fn new() -> PairSearch {
        let (boxes, overlaps) = (Vec::new(), Vec::new());
        PairSearch { by_surfaces: HashMap::new(), eager: true, sweep: Sweep::new(), boxes, overlaps }
    }
}

impl ContactMonitor {
    /// Binds all pairs of surfaces, or leaves the search to the sweep as soon as there are more than `eager_pairs`.
    pub(super) fn bind_pairs(&mut self, m: &Model, eager_pairs: usize) -> Result<(), BuildError> {
        let stops = self.pairs.len();
        // (bodies that fly freely may be very many)
        let surfaces = if m.rules.is_empty() { 0 } else { m.world.surfaces.len() };
        for i in 0..surfaces {
            for j in i + 1..surfaces {
                self.pair(m, i, j)?;
                if self.pairs.len() > eager_pairs.saturating_add(stops) {
                    self.search.eager = false;
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Returns the index of the contact pair of two surfaces, and binds the pair when first asked for; `None` if no rule
    /// applies to them.
    pub(super) fn pair(&mut self, m: &Model, i: usize, j: usize) -> Result<Option<usize>, BuildError> {
        let (i, j) = (i.min(j), i.max(j));
        if let Some(&pair) = self.search.by_surfaces.get(&(i, j)) {
            return Ok(Some(pair));
        }
        let (a, b) = (m.world.surfaces[i].body, m.world.surfaces[j].body);
        if a == b || !(m.world.is_dynamic(a) || m.world.is_dynamic(b)) || m.constraints.rolls(i, j) {
            return Ok(None);
        }
        let Some((rule, straight)) = m.table.get(i, j) else { return Ok(None) };
        let (a, b) = if straight { (i, j) } else { (j, i) };
        self.pairs.push(ContactPair::new(m, rule, a, b)?);
        self.search.by_surfaces.insert((i, j), self.pairs.len() - 1);
        Ok(Some(self.pairs.len() - 1))
    }

    /// Adds the pairs that adhesion holds: they need not overlap.
    fn add_held_pairs(&mut self) {
        for at in &self.active {
            let held = self.pairs[at.pair].state.points[at.point].touch.floor < 0.0;
            if held && !self.candidates.contains(&at.pair) {
                self.candidates.push(at.pair);
            }
        }
    }

    /// Returns the contact pair of two surfaces, if it is bound.
    pub(crate) fn pair_of(&self, [i, j]: [usize; 2]) -> Option<&ContactPair> {
        self.search.by_surfaces.get(&(i.min(j), i.max(j))).map(|&pair| &self.pairs[pair])
    }

    /// Finds the contact pairs that can matter in a step of length `h` [s] with these bounds on the bodies' motion. Gaps up
    /// to `margin` [m] count as contacts.
    pub(crate) fn find_candidates(&mut self, m: &Model, h: f64, margin: f64) {
        // the centre of a bounding sphere deviates by no more than this (less the margin) from the chord between its
        // positions at the ends of the step
        self.find_candidates_within(m, |b, bent| {
            0.125 * b.acceleration * h * h + bent * b.angular_speed * h + margin
        });
    }

    /// Finds the contact pairs that can matter if the bounding sphere of every surface deviates by no more than `deviation`
    /// [m] from the chord between its positions at the ends of the step, a function of the body's bounds and of the distance
    /// of the sphere's centre from the centre of mass.
    pub(super) fn find_candidates_within(&mut self, m: &Model, deviation: impl Fn(&BodyBounds, f64) -> f64) {
        if self.search.eager {
            // all pairs are candidates in every step
            self.candidates.extend(self.candidates.len()..self.pairs.len());
            return;
        }
        // joint stops come first in the list of pairs and are always candidates
        self.candidates.clear();
        self.candidates.extend(0..m.constraints.stops.len());
        self.search.boxes.clear();
        // half of the largest gap at which a law begins to act, for each of two surfaces
        let begins = 0.5 * m.rules.iter().map(|rule| rule.normal.begins_at()).fold(0.0, f64::max);
        for s in &m.world.surfaces {
            let b = &self.bounds[s.body];
            // for a deformable body, the lever also bounds how far deformation moves its points
            let bent = if b.start.deforms { s.lever } else { s.centre.norm() };
            // surfaces that are apart by no more than rounding error count as near
            let deviation = deviation(b, bent) + begins + 1e-11 * m.world.bodies[s.body].size;
            let ball = |k: &Kinematics| Aabb::of_sphere(&k.x.point(&s.centre), reach(s, k) + deviation);
            self.search.boxes.push(ball(&b.start).merge(&ball(&b.end)));
        }
        let mut overlaps = std::mem::take(&mut self.search.overlaps);
        self.search.sweep.pairs(&self.search.boxes, &mut overlaps);
        for &(i, j) in &overlaps {
            match self.pair(m, i as usize, j as usize) {
                Ok(Some(pair)) => self.candidates.push(pair),
                Ok(None) => {}
                Err(_) => {
                    let reason = "a pair that came near has no solver";
                    self.failure = Some(RhsFailure { site: Site::Whole, reason });
                }
            }
        }
        self.search.overlaps = overlaps;
        self.add_held_pairs();
    }
}
