//! The audit of overlaps: it finds overlaps that no contact accounts for, independently of the contacts of a run.
//!
//! At output times, pairs of surfaces whose bounds meet are measured by a separate search, without the contact points, their
//! status and their seeds. The result is compared with the indentation at the contact points. So the audit finds a pair that
//! the run has lost or stepped over, and also a pair that was never given a contact.

mod between;
mod carried;
mod start;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use carom_geometry::proximity::{Aabb, Sweep};
use carom_geometry::{BoundPair, Contact};

use crate::contact::{ContactPair, reach};
use crate::model::Model;
use crate::record::Warning;
use crate::rule::audit_pair;
use crate::state::{Kinematics, placed};
use crate::system::System;
use crate::text::{length, list, time};
use crate::world::{SurfaceModel, thickness};

pub(crate) use between::{Between, Joined};
pub(crate) use start::{Meeting, at_start, no_contact};

/// An overlap of no more than this part of the half thickness of the thinner body is not reported: rounded edges, and states
/// between steps, are no more accurate.
const TOLERANCE: f64 = 0.02;

/// The number of pairs named in a warning; the others are counted.
const NAMED: usize = 4;

/// Up to this many surfaces, all pairs are examined one by one; beyond, a sweep over bounding boxes finds those that are
/// near.
const FEW: usize = 24;

/// The overlap of two surfaces: its depth and time.
#[derive(Clone, Debug, PartialEq)]
pub struct Overlap {
    /// names of the two surfaces, as `body/surface`
    pub surfaces: [String; 2],
    /// depth [m]
    pub depth: f64,
    /// time [s]
    pub t: f64,
}

/// The result of the overlap audit of a run: every pair of surfaces that could touch is measured at output times,
/// independently of the run's contacts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overlaps {
    /// number of pairs that came so near that they were measured
    pub tested: usize,
    /// number of pairs that came so near and could not be measured: no algorithm knows their distance, or its search failed
    pub untested: usize,
    /// deepest overlap of all, contacts included
    pub deepest: Option<Overlap>,
    /// deepest overlap that no contact accounts for; its depth is the part that the contact points do not know
    pub unaccounted: Option<Overlap>,
}

/// The largest depth so far [m] and its time [s].
#[derive(Clone, Copy, Debug)]
struct Worst {
    depth: f64,
    t: f64,
}

carom_base::plain!(Worst { depth, t });

impl Worst {
    fn note(worst: &mut Option<Worst>, depth: f64, t: f64) {
        if worst.is_none_or(|w| depth > w.depth) {
            *worst = Some(Worst { depth, t });
        }
    }
}

/// A pair of surfaces that has come near, and its audit.
#[derive(Debug)]
struct Tested {
    surfaces: [usize; 2],
    /// `None`: no algorithm knows their distance
    pair: Option<Box<dyn BoundPair>>,
    /// whether a contact rule applies to the pair
    has_rule: bool,
    /// overlaps below this are not reported [m]
    tolerance: f64,
    deepest: Option<Worst>,
    /// largest depth that no contact accounts for
    unaccounted: Option<Worst>,
    /// whether it could not be measured at a time when its bounds met
    failed: bool,
    stage: Stage,
}

carom_base::carried!(
    Tested { deepest, unaccounted, failed, stage } scratch { surfaces, pair, has_rule, tolerance }
);

/// The stage of a pair's audit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    New,
    Seen,
    /// started entirely on the other side of an unbounded surface that has no contact with it: the pair is no longer audited
    Beyond,
}

carom_base::plain!(
    enum Stage {
        New,
        Seen,
        Beyond,
    }
);

/// A pair to be audited, and its index among the pairs that have come near, if it has.
#[derive(Clone, Copy, Debug)]
struct AuditedPair {
    ends: [usize; 2],
    index: Option<usize>,
}

/// What the audit can see of the bodies, and of what their contacts know.
pub(crate) trait Seen {
    fn model(&self) -> &Model;
    /// Returns the motion of a body.
    fn motion(&self, body: usize) -> &Kinematics;
    /// Returns how deep two surfaces overlap at most according to the contact points that carry forces [m], which may meet [late](carom_geometry::pair::BoundPair::late) at edges and corners.
    fn known_depth(&self, surfaces: [usize; 2]) -> f64;
    /// Returns how far a wall has worn at a contact, if the contact feels it [m].
    fn worn(&self, surfaces: [usize; 2], c: &Contact) -> f64;
}

/// A system in the state `y` held by its workspace.
impl Seen for (&System<'_>, &[f64]) {
    fn model(&self) -> &Model {
        self.0.model
    }
    fn motion(&self, body: usize) -> &Kinematics {
        self.0.ws.body(body)
    }
    fn known_depth(&self, surfaces: [usize; 2]) -> f64 {
        let known = |pair: &ContactPair| self.0.known_depth(pair, self.1) + pair.geometry.late();
        self.0.monitor.pair_of(surfaces).map_or(0.0, known)
    }
    fn worn(&self, surfaces: [usize; 2], c: &Contact) -> f64 {
        let pair = self.0.monitor.pair_of(surfaces);
        pair.map_or(0.0, |pair| pair.deepest_wear_at(c, self.0.bodies(pair, self.1)))
    }
}

/// The audit of a run.
#[derive(Debug)]
pub(crate) struct Audit {
    joined: Joined,
    sweep: Sweep,
    boxes: Vec<Aabb>,
    near: Vec<(u32, u32)>,
    features: Vec<usize>,
    /// all pairs to be audited, in a model with few surfaces
    few: Vec<AuditedPair>,
    /// whether the model has too many surfaces for such a list
    many: bool,
    /// in a model with many surfaces, the index of a pair in `all`; `None`: the pair is not audited
    known: HashMap<(u32, u32), Option<usize>>,
    all: Vec<Tested>,
}

impl Audit {
    pub(crate) fn new(m: &Model) -> Audit {
        let (joined, n) = (Joined::of(m), m.world.surfaces.len());
        let many = n > FEW;
        let all = (0..n).flat_map(|i| (i + 1..n).map(move |j| [i, j])).filter(|_| !many);
        let few = all.filter(|[i, j]| joined.between(m, *i, *j) != Between::Nothing);
        Audit {
            few: few.map(|ends| AuditedPair { ends, index: None }).collect(),
            many,
            joined,
            sweep: Sweep::new(),
            boxes: Vec::with_capacity(m.world.surfaces.len()),
            near: Vec::new(),
            features: Vec::new(),
            known: HashMap::new(),
            all: Vec::new(),
        }
    }

    /// Measures all pairs whose bounds meet at time `t` [s].
    pub(crate) fn look(&mut self, seen: &impl Seen, t: f64) {
        let m = seen.model();
        let mut few = std::mem::take(&mut self.few);
        for AuditedPair { ends, index } in &mut few {
            let [a, b] = ends.map(|s| &m.world.surfaces[s]);
            let [ka, kb] = [a, b].map(|s| seen.motion(s.body));
            let apart = (ka.x.point(&a.centre) - kb.x.point(&b.centre)).norm();
            // (an unbounded surface has an infinite bounding sphere, so it is never far)
            if apart > reach(a, ka) + reach(b, kb) {
                continue;
            }
            let index = *index.get_or_insert_with(|| self.add(m, *ends));
            self.measure(seen, index, t);
        }
        self.few = few;
        if self.many {
            self.sweep(seen, t);
        }
    }

    /// Measures all pairs whose bounds meet in a model with many surfaces, by a sweep over their bounding boxes.
    fn sweep(&mut self, seen: &impl Seen, t: f64) {
        let m = seen.model();
        self.boxes.clear();
        for s in &m.world.surfaces {
            let k = seen.motion(s.body);
            self.boxes.push(Aabb::of_sphere(&k.x.point(&s.centre), reach(s, k)));
        }
        self.sweep.pairs(&self.boxes, &mut self.near);
        let near = std::mem::take(&mut self.near);
        for &(i, j) in &near {
            let ends = [i as usize, j as usize];
            // most pairs of a model are not audited: surfaces of one body, or of bodies that are not dynamic
            let [a, b] = ends.map(|s| m.world.surfaces[s].body);
            if a == b || !(m.world.is_dynamic(a) || m.world.is_dynamic(b)) {
                continue;
            }
            let index = match self.known.get(&(i, j)) {
                Some(index) => *index,
                None => {
                    let counts = self.joined.between(m, ends[0], ends[1]) != Between::Nothing;
                    let index = counts.then(|| self.add(m, ends));
                    self.known.insert((i, j), index);
                    index
                }
            };
            if let Some(index) = index {
                self.measure(seen, index, t);
            }
        }
        self.near = near;
    }

    /// Adds a pair that has come near for the first time, and returns its index.
    fn add(&mut self, m: &Model, ends: [usize; 2]) -> usize {
        let (surfaces, rule) = match self.joined.between(m, ends[0], ends[1]) {
            Between::Rule(rule, false) => ([ends[1], ends[0]], Some(rule)),
            Between::Rule(rule, true) => (ends, Some(rule)),
            Between::NoRule | Between::Nothing => (ends, None),
        };
        self.all.push(Tested {
            surfaces,
            pair: audit_pair(&m.world, rule.map(|rule| &m.rules[rule]), surfaces[0], surfaces[1]),
            has_rule: rule.is_some(),
            tolerance: tolerance(m, surfaces),
            deepest: None,
            unaccounted: None,
            failed: false,
            stage: Stage::New,
        });
        self.all.len() - 1
    }

    /// Measures a pair, and records its depth and the part of it that no contact accounts for.
    fn measure(&mut self, seen: &impl Seen, index: usize, t: f64) {
        let m = seen.model();
        let tested = &mut self.all[index];
        let [sa, sb] = tested.surfaces.map(|s| &m.world.surfaces[s]);
        let [ka, kb] = [sa, sb].map(|s| seen.motion(s.body));
        if tested.stage == Stage::Beyond {
            return;
        }
        // a wall that is worn has receded, if the contact feels it
        let (surfaces, has_rule) = (tested.surfaces, tested.has_rule);
        let worn = |c: &Contact| match has_rule && m.world.layout.depths() > 0 {
            true => seen.worn(surfaces, c),
            false => 0.0,
        };
        let Some(depth) = tested.depth([sa, sb], [ka, kb], &mut self.features, worn) else { return };
        if tested.stage == Stage::New && !tested.has_rule && beyond([sa, sb], depth) {
            tested.stage = Stage::Beyond;
            return;
        }
        tested.stage = Stage::Seen;
        if depth <= 0.0 {
            return;
        }
        Worst::note(&mut tested.deepest, depth, t);
        if depth <= tested.tolerance {
            return;
        }
        // the depth that contact points know
        let known = if has_rule { seen.known_depth(surfaces) } else { 0.0 };
        if depth - known > tested.tolerance {
            Worst::note(&mut tested.unaccounted, depth - known, t);
        }
    }

    /// Returns the result of the audit.
    pub(crate) fn result(&self, m: &Model) -> Overlaps {
        let overlap = |tested: &Tested, worst: Worst| Overlap {
            surfaces: tested.surfaces.map(|s| m.world.surface_name(s)),
            depth: worst.depth,
            t: worst.t,
        };
        let most = |of: fn(&Tested) -> Option<Worst>| {
            let all = self.all.iter().filter_map(|p| Some((p, of(p)?)));
            all.max_by(|a, b| a.1.depth.total_cmp(&b.1.depth)).map(|(p, w)| overlap(p, w))
        };
        Overlaps {
            tested: self.all.iter().filter(|p| p.pair.is_some()).count(),
            untested: self.untested().count(),
            deepest: most(|p| p.deepest),
            unaccounted: most(|p| p.unaccounted),
        }
    }

    /// Iterates over the pairs that could not be measured.
    fn untested(&self) -> impl Iterator<Item = &Tested> {
        self.all.iter().filter(|p| p.failed)
    }

    /// Returns whether two surfaces have been found to overlap by more than a contact accounts for.
    pub(crate) fn has_seen(&self, [i, j]: [usize; 2]) -> bool {
        let mut all = self.all.iter().filter(|p| p.unaccounted.is_some());
        all.any(|p| p.surfaces == [i, j] || p.surfaces == [j, i])
    }

    /// Returns the warnings that the audit gives.
    pub(crate) fn warnings(&self, m: &Model) -> Vec<Warning> {
        let mut bad: Vec<(&Tested, Worst)> =
            self.all.iter().filter_map(|p| Some((p, p.unaccounted?))).collect();
        bad.sort_by(|a, b| b.1.depth.total_cmp(&a.1.depth));
        let (missed, free): (Vec<_>, Vec<_>) = bad.into_iter().partition(|(p, _)| p.has_rule);
        let mut warnings = Vec::new();
        let words = |(p, w): &(&Tested, Worst)| {
            format!("{} by {} at t = {} s", pair_words(m, p.surfaces), length(w.depth), time(w.t))
        };
        if !missed.is_empty() {
            warnings.push(Warning::Missed { pairs: list(&missed, NAMED, words) });
        }
        if let Some((first, _)) = free.first() {
            let [a, b] = first.surfaces.map(|s| m.world.bodies[m.world.surfaces[s].body].name.clone());
            warnings.push(Warning::Overlap { pairs: list(&free, NAMED, words), a, b });
        }
        let untested: Vec<&Tested> = self.untested().collect();
        if !untested.is_empty() {
            let pairs = list(&untested, NAMED, |p| pair_words(m, p.surfaces));
            warnings.push(Warning::Untested { pairs });
        }
        warnings
    }
}

impl Tested {
    /// Measures the depth of the overlap [m], less the depth of wear `worn` at the point found; negative: minus the
    /// distance; `None`: not known.
    fn depth(
        &mut self,
        s: [&SurfaceModel; 2],
        k: [&Kinematics; 2],
        features: &mut Vec<usize>,
        worn: impl Fn(&Contact) -> f64,
    ) -> Option<f64> {
        let (ra, rb);
        let xa = placed!(s[0].local, k[0].x, ra);
        let xb = placed!(s[1].local, k[1].x, rb);
        let found = self.pair.as_ref().map(|pair| {
            // of many contact points only few are near
            if pair.near(xa, xb, 0.0, features) && features.is_empty() {
                return Ok(f64::NEG_INFINITY);
            }
            pair.search(xa, xb, None).map(|found| found.contact.delta - worn(&found.contact))
        });
        match found {
            Some(Ok(depth)) => Some(depth),
            _ => {
                self.failed |= meet([(s[0], k[0]), (s[1], k[1])]);
                None
            }
        }
    }
}

/// Returns whether the bounds of two surfaces meet, as far as they have some: a sphere and a box around each.
fn meet(ends: [(&SurfaceModel, &Kinematics); 2]) -> bool {
    let bounds = ends.map(|(s, k)| {
        let stretch = if k.deforms { k.x.r.norm() } else { 1.0 };
        (k.x.point(&s.centre), s.shape.surface.bounds().radius * stretch)
    });
    let apart = (bounds[0].0 - bounds[1].0).norm() - bounds[0].1 - bounds[1].1;
    let boxes = ends.map(|(s, k)| match k.deforms {
        true => Aabb::of_sphere(&k.x.point(&s.centre), reach(s, k)),
        false => {
            let room;
            Aabb::of(&s.shape, placed!(s.local, k.x, room))
        }
    });
    !(apart > 0.0) && boxes[0].overlaps(&boxes[1])
}

/// Returns whether a body is entirely on the other side of an unbounded surface.
fn beyond(ends: [&SurfaceModel; 2], depth: f64) -> bool {
    let endless = ends.iter().any(|s| s.radius.is_infinite());
    let size = ends.iter().map(|s| s.radius).filter(|r| r.is_finite()).fold(f64::INFINITY, f64::min);
    endless && depth >= 2.0 * size.min(f64::MAX)
}

/// Returns the overlap of two surfaces up to which nothing is reported [m].
fn tolerance(m: &Model, ends: [usize; 2]) -> f64 {
    let shapes = ends.map(|s| &m.world.surfaces[s].shape);
    let thin = shapes.map(thickness).into_iter().fold(f64::INFINITY, f64::min);
    let thin = if thin.is_finite() { thin } else { m.world.scale.length };
    TOLERANCE * thin
}

/// Returns the names of two surfaces, as `ball/sphere1 and floor/plane1`.
pub(crate) fn pair_words(m: &Model, surfaces: [usize; 2]) -> String {
    let [a, b] = surfaces.map(|s| m.world.surface_name(s));
    format!("{a} and {b}")
}
